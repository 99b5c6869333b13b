/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-empty.h"

#include <glib/gi18n-lib.h>

/* Overview, ruler and warnings, which stay over the lanes */
#define ABOVE_LANES 110
#define MARGIN 12

static void
update (GtkWidget *note)
{
  StriaTimeline *timeline
      = STRIA_TIMELINE (gtk_overlay_get_child (GTK_OVERLAY (gtk_widget_get_parent (note))));
  StriaTimelineLayout *layout = stria_timeline_get_layout (timeline);
  const char *filter = stria_timeline_layout_get_filter (layout);
  guint n_items = 0, n_pinned = 0;

  stria_timeline_layout_items (layout, &n_items);
  stria_timeline_layout_pinned (layout, &n_pinned);
  gtk_widget_set_margin_start (note, (int) stria_timeline_get_header_width (timeline));
  gtk_widget_set_visible (note, filter != NULL && *filter != '\0' && n_items + n_pinned == 0);
}

static void
on_clear (GtkWidget *button, StriaTimeline *timeline)
{
  gtk_widget_grab_focus (GTK_WIDGET (timeline));
  stria_timeline_set_filter (timeline, NULL);
}

GtkWidget *
stria_timeline_empty_new (GtkWidget *timeline, StriaSession *session)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *note = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *label = gtk_label_new (_ ("No matches"));
  GtkWidget *button = gtk_button_new_with_label (_ ("Remove All Filters"));

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_halign (note, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (note, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (note, FALSE);
  gtk_widget_set_margin_top (note, ABOVE_LANES);
  gtk_widget_add_css_class (note, "background");
  gtk_widget_add_css_class (note, "frame");
  gtk_widget_set_margin_top (label, MARGIN);
  gtk_widget_set_margin_start (button, MARGIN);
  gtk_widget_set_margin_end (button, MARGIN);
  gtk_widget_set_margin_bottom (button, MARGIN);
  gtk_box_append (GTK_BOX (note), label);
  gtk_box_append (GTK_BOX (note), button);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), timeline);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), note);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_clear), timeline, 0);
  g_signal_connect_object (timeline, "options-changed", G_CALLBACK (update), note,
                           G_CONNECT_SWAPPED);
  /* A filter that was kept is there before the lanes are. */
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), note,
                           G_CONNECT_SWAPPED);
  return overlay;
}
