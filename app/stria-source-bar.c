/* SPDX-License-Identifier: Apache-2.0 */
/* The bar of the view of source, and its keys. */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stria-source-find.h"
#include "stria-key-bindings.h"
#include "stria-source-lines.h"
#include "stria-source-view-private.h"
#include "stria-wrap-box.h"

gboolean
stria_source_view_get_metric (StriaSourceView *self, StriaSourceMetric *metric)
{
  const guint chosen = gtk_drop_down_get_selected (self->metric_chooser);

  if (chosen >= self->metrics->len)
    return FALSE;
  *metric = g_array_index (self->metrics, StriaSourceMetric, chosen);
  return TRUE;
}

static void
follow_metric (StriaSourceView *self)
{
  StriaSourceMetric metric;
  const gboolean has_any = stria_source_view_get_metric (self, &metric);
  const gboolean has_range = has_any && metric != STRIA_SOURCE_BYTES;

  gtk_widget_set_sensitive (GTK_WIDGET (self->metric_chooser), has_any);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->metric_chooser),
                               has_any ? stria_source_metric_note (metric)
                                       : _ ("The capture names no line of source"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->scope_chooser), has_range);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->scope_chooser),
                               has_any && !has_range
                                   ? _ ("Allocations have no range of the timeline")
                                   : _ ("What time to count"));
}

void
stria_source_view_fill_metrics (StriaSourceView *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  StriaSourceMetric before = STRIA_N_SOURCE_METRICS;
  guint chosen = 0;

  stria_source_view_get_metric (self, &before);
  g_array_set_size (self->metrics, 0);
  for (guint metric = 0; metric < STRIA_N_SOURCE_METRICS; metric++)
    if (stria_source_metric_applies (self->index, metric))
      {
        if (metric == before)
          chosen = self->metrics->len;
        g_array_append_val (self->metrics, metric);
        gtk_string_list_append (names, stria_source_metric_title (metric));
      }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->metric_chooser, G_LIST_MODEL (names));
  if (self->metrics->len > 0)
    gtk_drop_down_set_selected (self->metric_chooser, chosen);
  self->filling = FALSE;
  follow_metric (self);
}

static void
on_chosen (StriaSourceView *self)
{
  if (self->filling || self->session == NULL)
    return;
  follow_metric (self);
  stria_source_view_measure (self);
}

static void
on_list_toggled (StriaSourceView *self)
{
  gtk_widget_set_visible (self->list, gtk_toggle_button_get_active (
                                          GTK_TOGGLE_BUTTON (self->list_toggle)));
}

static void
on_find (StriaSourceView *self)
{
  stria_source_view_find (self);
}

static GtkDropDown *
chooser_new (StriaSourceView *self, GtkWidget *bar, const char *const *names, const char *name)
{
  GtkWidget *chooser = gtk_drop_down_new_from_strings (names);

  gtk_accessible_update_property (GTK_ACCESSIBLE (chooser), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  g_signal_connect_swapped (chooser, "notify::selected", G_CALLBACK (on_chosen), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), chooser);
  return GTK_DROP_DOWN (chooser);
}

static GtkWidget *
add_button (StriaSourceView *self, GtkWidget *bar, GtkWidget *button, const char *icon,
            const char *tooltip, const char *signal, GCallback callback)
{
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (button, signal, callback, self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), button);
  return button;
}

GtkWidget *
stria_source_view_bar_new (StriaSourceView *self)
{
  const char *const none[] = { NULL };
  const char *const scopes[]
      = { _ ("Whole Capture"), _ ("Visible Range"), _ ("Selected Range"), NULL };
  GtkWidget *bar = stria_wrap_box_new (6, 3);

  gtk_widget_add_css_class (bar, "view-bar");
  self->filling = TRUE;
  self->list_toggle
      = add_button (self, bar, gtk_toggle_button_new (), "view-list-symbolic",
                    _ ("List of files and lines"), "toggled", G_CALLBACK (on_list_toggled));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->list_toggle), TRUE);
  self->metric_chooser = chooser_new (self, bar, none, _ ("Metric beside the lines"));
  self->scope_chooser = chooser_new (self, bar, scopes, _ ("Range of time that is counted"));
  self->status = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->status, 0);
  gtk_label_set_ellipsize (self->status, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (self->status, 12);
  gtk_widget_set_hexpand (GTK_WIDGET (self->status), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->status), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->status), "numeric");
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->status));
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->spinner));
  self->follow_toggle
      = add_button (self, bar, gtk_toggle_button_new (), "find-location-symbolic",
                    _ ("Follow the selection: show the line of the event that is selected on the "
                       "timeline"),
                    "toggled", G_CALLBACK (stria_source_view_follow));
  stria_key_tooltip (add_button (self, bar, gtk_button_new (), "edit-find-symbolic",
                                 _ ("Find in this file (Ctrl+F)"), "clicked",
                                 G_CALLBACK (on_find)),
                     "win.search");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->follow_toggle), TRUE);
  self->filling = FALSE;
  follow_metric (self);
  return bar;
}

/* -- keys ------------------------------------------------------------------------------------- */

static gboolean
step_frame (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return stria_source_frames_step (STRIA_SOURCE_FRAMES (STRIA_SOURCE_VIEW (widget)->frames),
                                   g_variant_get_boolean (arguments));
}

static gboolean
go_to_line (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StriaSourceView *self = STRIA_SOURCE_VIEW (widget);

  if (!stria_source_page_has_text (STRIA_SOURCE_PAGE (self->page)))
    return FALSE;
  stria_source_find_open (STRIA_SOURCE_FIND (self->find), TRUE);
  return TRUE;
}

static gboolean
zoom (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  stria_source_lines_zoom (STRIA_SOURCE_LINES (STRIA_SOURCE_VIEW (widget)->lines));
  return TRUE;
}

static gboolean
escape (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StriaSourceView *self = STRIA_SOURCE_VIEW (widget);

  return stria_source_find_close (STRIA_SOURCE_FIND (self->find))
         || stria_source_lines_clear (STRIA_SOURCE_LINES (self->lines));
}

static void
add_key (GtkEventController *controller, const char *keys, GtkShortcutFunc func,
         GVariant *arguments)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys),
                                            gtk_callback_action_new (func, NULL, NULL));

  if (arguments != NULL)
    gtk_shortcut_set_arguments (shortcut, arguments);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
}

void
stria_source_view_add_keys (StriaSourceView *self)
{
  GtkEventController *first = gtk_shortcut_controller_new ();
  GtkEventController *last = gtk_shortcut_controller_new ();

  /* An editor moves lines by these keys, also where it can't be edited. */
  gtk_event_controller_set_propagation_phase (first, GTK_PHASE_CAPTURE);
  add_key (first, "<Alt>Up", step_frame, g_variant_new_boolean (FALSE));
  add_key (first, "<Alt>Down", step_frame, g_variant_new_boolean (TRUE));
  stria_key_bind (GTK_SHORTCUT_CONTROLLER (first), GDK_KEY_i, GDK_CONTROL_MASK,
                  "source.go-to-line", go_to_line, NULL);
  stria_key_bind (GTK_SHORTCUT_CONTROLLER (first), GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                  "source.zoom", zoom, NULL);
  add_key (last, "Escape", escape, NULL);
  gtk_widget_add_controller (GTK_WIDGET (self), first);
  gtk_widget_add_controller (GTK_WIDGET (self), last);
}
