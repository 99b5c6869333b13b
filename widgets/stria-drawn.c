/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-drawn.h"

#include <glib/gi18n-lib.h>

#include "stria-paint-kit.h"

#define FOCUS_ALPHA 0.6

/**
 * stria_drawn_describe:
 * @text: one or more sentences: what is seen, and what is selected
 * @table: (nullable): where the same can be read, row by row
 */
void
stria_drawn_describe (GtkWidget *drawing, const char *text, const char *table)
{
  g_autofree char *where = NULL;
  g_autofree char *whole = NULL;

  if (table != NULL)
    {
      /* Translators: where the content of a drawing stands in rows: the name of a table or view */
      where = g_strdup_printf (_ ("As a table: %s"), table);
      whole = g_strdup_printf ("%s\n%s", text, where);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (drawing), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  whole != NULL ? whole : text, -1);
}

void
stria_drawn_append_focus (GtkWidget *drawing, GtkSnapshot *snapshot, gboolean dark)
{
  const float width = (float) gtk_widget_get_width (drawing);
  const float height = (float) gtk_widget_get_height (drawing);
  cairo_t *cr;

  if (!gtk_widget_has_visible_focus (drawing))
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  stria_drawn_paint_focus (drawing, cr, dark);
  cairo_destroy (cr);
}

void
stria_drawn_paint_focus (GtkWidget *drawing, cairo_t *cr, gboolean dark)
{
  if (!gtk_widget_has_visible_focus (drawing))
    return;
  cairo_save (cr);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, 1, 1, gtk_widget_get_width (drawing) - 2,
                   gtk_widget_get_height (drawing) - 2);
  stria_paint_set_color (cr, stria_paint_theme (dark)->accent, FOCUS_ALPHA);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
stria_drawn_add_focus (GtkWidget *drawing)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_swapped (focus, "enter", G_CALLBACK (gtk_widget_queue_draw), drawing);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (gtk_widget_queue_draw), drawing);
  gtk_widget_add_controller (drawing, focus);
}
