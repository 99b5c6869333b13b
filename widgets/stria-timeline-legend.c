/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-legend.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-timeline-painter.h"

#define MOST_ENTRIES 12
#define TEXT_CHARS   26
#define SWATCH_PX    11
/* The view changes many times a second; text that does so cannot be read. */
#define UPDATE_MS    200

struct _StriaTimelineLegend
{
  GtkWidget parent_instance;

  StriaTimeline *timeline; /* weak */
  GtkWidget     *scroller;
  GtkWidget     *box;
  guint          source;
  char          *shown; /* what the entries were made of */
};

G_DEFINE_FINAL_TYPE (StriaTimelineLegend, stria_timeline_legend, GTK_TYPE_WIDGET)

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const guint32 argb = GPOINTER_TO_UINT (data);

  cairo_set_source_rgb (cr, (argb >> 16 & 0xff) / 255.0, (argb >> 8 & 0xff) / 255.0,
                        (argb & 0xff) / 255.0);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
}

static char *
entry_text (StriaTimelineLegend *self, const StriaLegendEntry *entry)
{
  const char *text = stria_timeline_legend_text (self->timeline, entry->key);

  return g_strdup (*text != '\0' ? text : _ ("(no name)"));
}

/* Paths say most at their end. */
static PangoEllipsizeMode
ellipsize_for (const char *text)
{
  return strchr (text, '/') != NULL ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END;
}

static GtkWidget *
entry_new (StriaTimelineLegend *self, const StriaLegendEntry *entry)
{
  g_autofree char *text = entry_text (self, entry);
  const double percent = entry->share * 100;
  g_autofree char *share = percent >= 9.95 ? g_strdup_printf ("%.0f\302\240%%", percent)
                                           : g_strdup_printf ("%.1f\302\240%%", percent);
  /* Translators: what a colour stands for, and its share in percent */
  g_autofree char *tooltip = g_strdup_printf (
      _ ("%s: %s of the time that the slices in and near the view take, by the pixels drawn"), text,
      share);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
  GtkWidget *swatch = gtk_drawing_area_new ();
  GtkWidget *name = gtk_label_new (text);
  GtkWidget *part = gtk_label_new (share);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH_PX);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch,
                                  GUINT_TO_POINTER (entry->argb), NULL);
  gtk_label_set_ellipsize (GTK_LABEL (name), ellipsize_for (text));
  gtk_label_set_max_width_chars (GTK_LABEL (name), TEXT_CHARS);
  gtk_widget_add_css_class (name, "caption");
  gtk_widget_add_css_class (part, "caption");
  gtk_widget_add_css_class (part, "numeric");
  gtk_widget_add_css_class (part, "dim-label");
  gtk_widget_set_tooltip_text (box, tooltip);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), part);
  return box;
}

static char *
describe (StriaTimelineLegend *self, GArray *legend)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (legend->len, MOST_ENTRIES); i++)
    {
      const StriaLegendEntry *entry = &g_array_index (legend, StriaLegendEntry, i);

      g_string_append_printf (text, "%x\t%.3f\t%s\n", entry->argb, entry->share,
                              stria_timeline_legend_text (self->timeline, entry->key));
    }
  return g_string_free (text, FALSE);
}

static gboolean
update (gpointer data)
{
  StriaTimelineLegend *self = data;
  GArray *legend = NULL;
  GtkWidget *child = NULL;
  g_autofree char *shown = NULL;

  self->source = 0;
  if (self->timeline == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  legend = stria_timeline_get_legend (self->timeline);
  shown = describe (self, legend);
  if (g_strcmp0 (shown, self->shown) == 0)
    return G_SOURCE_REMOVE;
  g_free (self->shown);
  self->shown = g_steal_pointer (&shown);
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  for (guint i = 0; i < MIN (legend->len, MOST_ENTRIES); i++)
    gtk_box_append (GTK_BOX (self->box),
                    entry_new (self, &g_array_index (legend, StriaLegendEntry, i)));
  if (legend->len == 0)
    {
      GtkWidget *none = gtk_label_new (_ ("No slices are in view"));

      gtk_widget_add_css_class (none, "caption");
      gtk_widget_add_css_class (none, "dim-label");
      gtk_box_append (GTK_BOX (self->box), none);
    }
  else if (legend->len > MOST_ENTRIES)
    {
      g_autofree char *rest
          = g_strdup_printf (ngettext ("and %u more", "and %u more", legend->len - MOST_ENTRIES),
                             legend->len - MOST_ENTRIES);
      GtkWidget *more = gtk_label_new (rest);

      gtk_widget_add_css_class (more, "caption");
      gtk_widget_add_css_class (more, "dim-label");
      gtk_box_append (GTK_BOX (self->box), more);
    }
  return G_SOURCE_REMOVE;
}

static void
on_legend_changed (StriaTimelineLegend *self)
{
  if (self->source == 0 && gtk_widget_get_visible (GTK_WIDGET (self)))
    self->source = g_timeout_add (UPDATE_MS, update, self);
}

static void
stria_timeline_legend_dispose (GObject *object)
{
  StriaTimelineLegend *self = STRIA_TIMELINE_LEGEND (object);

  g_clear_handle_id (&self->source, g_source_remove);
  if (self->timeline != NULL)
    g_signal_handlers_disconnect_by_data (self->timeline, self);
  g_clear_weak_pointer (&self->timeline);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (stria_timeline_legend_parent_class)->dispose (object);
}

static void
stria_timeline_legend_class_init (StriaTimelineLegendClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_timeline_legend_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stria_timeline_legend_init (StriaTimelineLegend *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Legend"), -1);
}

GtkWidget *
stria_timeline_legend_new (StriaTimeline *timeline)
{
  StriaTimelineLegend *self = g_object_new (STRIA_TYPE_TIMELINE_LEGEND, NULL);
  GtkWidget *viewport = NULL;

  g_set_weak_pointer (&self->timeline, timeline);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  gtk_widget_add_css_class (self->box, "timeline-legend");
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_EXTERNAL,
                                  GTK_POLICY_NEVER);
  viewport = gtk_viewport_new (NULL, NULL);
  gtk_scrollable_set_hscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), self->box);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), viewport);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  g_signal_connect_swapped (timeline, "legend-changed", G_CALLBACK (on_legend_changed), self);
  return GTK_WIDGET (self);
}
