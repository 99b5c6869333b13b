/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-capture-page-private.h"

#include <glib/gi18n-lib.h>

#include "stria-artifact-list.h"
#include "stria-choosers.h"
#include "stria-details-rows.h"
#include "stria-details.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-model-slices.h"
#include "stria-model-view.h"
#include "stria-retell.h"
#include "stria-search-bar.h"
#include "stria-source-view.h"
#include "stria-stats-panel.h"
#include "stria-timeline-page.h"
#include "stria-trace-compare-page.h"
#include "stria-trace-export-dialog.h"
#include "stria-view-registry.h"

enum
{
  TOAST,
  STATE_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaCapturePage, stria_capture_page, GTK_TYPE_WIDGET)

void
stria_capture_page_toast (StriaCapturePage *self, AdwToast *toast)
{
  g_object_ref_sink (toast);
  g_signal_emit (self, signals[TOAST], 0, toast);
  g_object_unref (toast);
}

void
stria_capture_page_update_title (StriaCapturePage *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autofree char *subtitle = NULL;
  gint64 t0, t1, whole0, whole1;

  adw_window_title_set_title (self->window_title, stria_capture_get_title (self->capture));
  if (trace != NULL && stria_trace_get_view_range (trace, &t0, &t1))
    {
      guint64 n = stria_trace_get_n_events (trace);
      g_autofree char *count = stria_format_count (n);
      g_autofree char *events = g_strdup_printf (ngettext ("%s event", "%s events", n), count);
      g_autofree char *length = stria_format_duration (t1 - t0, 4);

      stria_trace_get_range (trace, &whole0, &whole1);
      if (whole0 != t0 || whole1 != t1)
        {
          g_autofree char *part = g_steal_pointer (&length);
          g_autofree char *whole = stria_format_duration (whole1 - whole0, 4);

          length = g_strdup_printf (_ ("%s of %s"), part, whole);
        }
      subtitle = g_strdup_printf ("%s · %s", events, length);
    }
  adw_window_title_set_subtitle (self->window_title, subtitle != NULL ? subtitle : "");
}

void
stria_capture_page_update_notices (StriaCapturePage *self)
{
  guint n = stria_notices_size (stria_capture_get_notices (self->capture));
  g_autofree char *text = g_strdup_printf (ngettext ("%u notice", "%u notices", n), n);

  gtk_button_set_label (self->notices_button, text);
  gtk_widget_set_visible (GTK_WIDGET (self->notices_button), n > 0);
  stria_artifact_list_refresh (STRIA_ARTIFACT_LIST (self->artifact_list));
}

static void
on_went (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaCapturePage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (self->session != NULL && !stria_target_go_finish (self->session, result, &error))
    stria_capture_page_toast (self, adw_toast_new (error->message));
}

void
stria_capture_page_go_to_target (StriaCapturePage *self)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (self->capture);
  g_autoptr (StriaTarget) target = NULL;

  /* The session hears of a new trace a little after it is there. */
  if (self->target == NULL || !self->is_read || trace != stria_session_get_trace (self->session))
    return;
  target = g_steal_pointer (&self->target);
  if (target->compare)
    stria_capture_page_compare (self);
  if (target->compare && !target->has_at && target->select == NULL)
    return;
  stria_target_go_async (target, self->session, on_went, g_object_ref (self));
}

static void
on_trace_changed (StriaCapturePage *self)
{
  stria_capture_page_update_title (self);
  stria_capture_page_update_notices (self);
  stria_capture_page_go_to_target (self);
}

static void
on_search_name (StriaCapturePage *self, const char *name)
{
  stria_search_bar_set_text (STRIA_SEARCH_BAR (self->search_bar), name);
  stria_session_search_next (self->session, TRUE);
}

static void
on_search_mode_changed (StriaCapturePage *self)
{
  if (!stria_search_bar_get_search_mode (STRIA_SEARCH_BAR (self->search_bar)))
    stria_capture_page_focus (self);
}

static void
on_csv_saved (gpointer user_data, const GError *error)
{
  StriaCapturePage *self = STRIA_CAPTURE_PAGE (user_data);

  stria_capture_page_toast (self, adw_toast_new (error != NULL ? error->message : _ ("Saved")));
}

static void
on_save_csv (StriaCapturePage *self)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  g_autofree char *name = g_strdup_printf ("%s.csv", stria_capture_get_title (self->capture));
  g_autofree char *csv = stria_stats_panel_dup_csv (STRIA_STATS_PANEL (self->stats_panel));

  if (csv != NULL)
    stria_save_text (window, _ ("Save Statistics"), name, csv, on_csv_saved, self);
}

/* -- from the timeline to the model ---------------------------------------------------------- */

static gboolean
on_show_in_model_idle (gpointer user_data)
{
  GtkWidget *button = user_data;
  StriaCapturePage *self
      = STRIA_CAPTURE_PAGE (gtk_widget_get_ancestor (button, STRIA_TYPE_CAPTURE_PAGE));
  const StriaRef *ref = g_object_get_data (G_OBJECT (button), "ref");

  if (self == NULL)
    return G_SOURCE_REMOVE;
  /* Keyboards that stand in a panel that goes away make it ask for room while it is drawn. */
  gtk_window_set_focus (GTK_WINDOW (gtk_widget_get_root (button)), NULL);
  stria_model_view_show_slice (
      STRIA_MODEL_VIEW (stria_views_reveal (self->view_stack, "model")), *ref);
  return G_SOURCE_REMOVE;
}

static void
on_show_in_model (GtkWidget *button)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_show_in_model_idle, g_object_ref (button),
                   g_object_unref);
}

static GtkWidget *
model_link (StriaRef ref, gpointer user_data)
{
  StriaCapturePage *self = user_data;
  g_autofree char *name = NULL;
  GtkWidget *section, *body, *button;

  if (!stria_views_is_listed (self->view_stack, "model")
      || stria_model_set_of_slice (self->session, ref) == G_MAXUINT)
    return NULL;
  name = stria_model_view_name_slice (
      STRIA_MODEL_VIEW (stria_views_get (self->view_stack, "model")), ref);
  section = stria_details_section_new (_ ("Model"), NULL, &body);
  button = stria_details_link_new (name != NULL ? name : _ ("Show in the Model"), NULL, NULL,
                                   _ ("Select in the model what this event times"));
  g_object_set_data_full (G_OBJECT (button), "ref", g_memdup2 (&ref, sizeof ref), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_show_in_model), NULL);
  gtk_box_append (GTK_BOX (body), button);
  return section;
}

static void
build (StriaCapturePage *self)
{
  GtkWidget *details = stria_details_new (self->session);

  stria_details_set_extra (STRIA_DETAILS (details), model_link, self);

  self->details = g_object_ref_sink (details);
  self->search_bar = stria_search_bar_new (self->session);
  gtk_box_insert_child_after (self->main_box, self->search_bar,
                              gtk_widget_get_prev_sibling (GTK_WIDGET (self->sidebar_flap)));
  g_object_bind_property (self->search_bar, "search-mode", self->search_button, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->search_bar, "notify::search-mode",
                           G_CALLBACK (on_search_mode_changed), self, G_CONNECT_SWAPPED);

  stria_capture_page_add_panels (self);
  g_signal_connect_object (self->stats_panel, "search-name", G_CALLBACK (on_search_name), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->stats_panel, "save-csv", G_CALLBACK (on_save_csv), self,
                           G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (stria_capture_page_update_title));
  g_signal_connect_object (self->session, "trace-changed", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);

  stria_views_add (self->view_stack, self->session);
  stria_view_switcher_set_stack (self->view_switcher, self->view_stack);
  stria_capture_page_add_layouts (self);
  self->user_toggles = TRUE;
  stria_capture_page_update_title (self);
}

static void
stria_capture_page_dispose (GObject *object)
{
  StriaCapturePage *self = STRIA_CAPTURE_PAGE (object);
  GtkWidget *child;

  stria_capture_page_drop_layouts (self);
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->importer);
  self->stats_panel = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->session);
  g_clear_object (&self->capture);
  g_clear_pointer (&self->target, stria_target_free);
  G_OBJECT_CLASS (stria_capture_page_parent_class)->dispose (object);
}

static void
stria_capture_page_finalize (GObject *object)
{
  g_strfreev (STRIA_CAPTURE_PAGE (object)->paths);
  G_OBJECT_CLASS (stria_capture_page_parent_class)->finalize (object);
}

static gboolean
on_toggle_bottom (GtkWidget *widget, GVariant *args, gpointer data)
{
  return stria_capture_page_toggle_bottom (STRIA_CAPTURE_PAGE (widget));
}

static void
stria_capture_page_class_init (StriaCapturePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (STRIA_TYPE_VIEW_SWITCHER);
  g_type_ensure (STRIA_TYPE_DOCK);
  object_class->dispose = stria_capture_page_dispose;
  object_class->finalize = stria_capture_page_finalize;
  signals[TOAST] = g_signal_new ("toast", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, ADW_TYPE_TOAST);
  signals[STATE_CHANGED] = g_signal_new ("state-changed", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-capture-page.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, window_title);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, open_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, details_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, search_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, notices_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, progress_box);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, progress_label);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, main_box);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, sidebar_flap);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, details_flap);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, paned);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, content_stack);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, view_stack);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, view_switcher);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, dock);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, layout_button);
  gtk_widget_class_bind_template_child (widget_class, StriaCapturePage, error_page);
  stria_key_bind_func (widget_class, GDK_KEY_F7, 0, "page.bottom", on_toggle_bottom);
}

/* The split button gives its menu a tooltip and no name. */
static void
name_open_menu (GtkWidget *open_button)
{
  for (GtkWidget *child = gtk_widget_get_first_child (open_button); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_MENU_BUTTON (child))
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("More ways to open"), -1);
}

static void
stria_capture_page_init (StriaCapturePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  name_open_menu (self->open_button);
  stria_key_tooltips (GTK_WIDGET (self));
  stria_key_tooltip (GTK_WIDGET (self->layout_button), "dock.menu");
  stria_key_tooltip (GTK_WIDGET (self->sidebar_button), "win.toggle-sidebar");
  stria_key_tooltip (GTK_WIDGET (self->details_button), "win.toggle-details");
  stria_key_tooltip (GTK_WIDGET (self->search_button), "win.search");
}

/**
 * stria_capture_page_new:
 * @capture: what a scan found
 * @paths: what was opened
 *
 * Returns: (transfer full): the page; call stria_capture_page_import() next
 */
GtkWidget *
stria_capture_page_new (StriaCapture *capture, const char *const *paths)
{
  StriaCapturePage *self;

  g_return_val_if_fail (STRIA_IS_CAPTURE (capture), NULL);

  self = g_object_new (STRIA_TYPE_CAPTURE_PAGE, NULL);
  self->capture = g_object_ref (capture);
  self->paths = g_strdupv ((char **) paths);
  self->session = stria_session_new (capture);
  build (self);
  return GTK_WIDGET (self);
}

void
stria_capture_page_set_target (StriaCapturePage *self, const StriaTarget *target)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  g_clear_pointer (&self->target, stria_target_free);
  self->target = stria_target_copy (target);
  stria_capture_page_go_to_target (self);
}

StriaCapture *
stria_capture_page_get_capture (StriaCapturePage *self)
{
  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), NULL);

  return self->capture;
}

StriaSession *
stria_capture_page_get_session (StriaCapturePage *self)
{
  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), NULL);

  return self->session;
}

char **
stria_capture_page_get_paths (StriaCapturePage *self)
{
  g_return_val_if_fail (STRIA_IS_CAPTURE_PAGE (self), NULL);

  return self->paths;
}

void
stria_capture_page_focus (StriaCapturePage *self)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  stria_dock_focus (self->dock);
}

/* The view that is shown, if it is one with a search of its own. */
static StriaModelView *
shown_model (StriaCapturePage *self)
{
  GtkWidget *view = stria_dock_get_view (self->dock);

  return STRIA_IS_MODEL_VIEW (view) ? STRIA_MODEL_VIEW (view) : NULL;
}

void
stria_capture_page_search (StriaCapturePage *self)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  if (shown_model (self) != NULL)
    {
      stria_model_view_search (shown_model (self));
      return;
    }
  if (!stria_views_is_listed (self->view_stack, "timeline"))
    return;
  stria_capture_page_show_view (self, "timeline");
  stria_search_bar_focus (STRIA_SEARCH_BAR (self->search_bar));
}

void
stria_capture_page_search_text (StriaCapturePage *self, const char *text)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  stria_search_bar_set_text (STRIA_SEARCH_BAR (self->search_bar), text);
}

void
stria_capture_page_search_step (StriaCapturePage *self, gboolean forward)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  if (shown_model (self) != NULL)
    stria_model_view_search_step (shown_model (self), forward);
  else
    stria_session_search_next (self->session, forward);
}

void
stria_capture_page_toggle_sidebar (StriaCapturePage *self)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  adw_flap_set_reveal_flap (self->sidebar_flap, !adw_flap_get_reveal_flap (self->sidebar_flap));
}

void
stria_capture_page_toggle_details (StriaCapturePage *self)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  adw_flap_set_reveal_flap (self->details_flap, !adw_flap_get_reveal_flap (self->details_flap));
}

void
stria_capture_page_show_view (StriaCapturePage *self, const char *id)
{
  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  stria_dock_show (self->dock, id);
}

void
stria_capture_page_compare (StriaCapturePage *self)
{
  StriaTrace *trace;

  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  trace = stria_session_get_trace (self->session);
  if (shown_model (self) != NULL)
    gtk_widget_activate_action (GTK_WIDGET (shown_model (self)), "model.compare", NULL);
  else if (trace == NULL || stria_trace_get_n_events (trace) == 0)
    stria_tell (GTK_WIDGET (self), _ ("This capture has no events to compare"));
  else
    stria_trace_compare_page_ask (
        STRIA_TRACE_COMPARE_PAGE (stria_views_reveal (self->view_stack, "compare")));
}

void
stria_capture_page_export (StriaCapturePage *self)
{
  StriaTrace *trace;

  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  trace = stria_session_get_trace (self->session);
  if (trace == NULL || stria_trace_get_n_events (trace) == 0)
    stria_tell (GTK_WIDGET (self), _ ("This capture has no events to export"));
  else
    stria_trace_export_dialog_present (
        GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
        STRIA_TIMELINE (stria_timeline_page_get_timeline (
            STRIA_TIMELINE_PAGE (stria_views_get (self->view_stack, "timeline")))));
}

void
stria_capture_page_show_source (StriaCapturePage *self, const char *path, guint line)
{
  GtkWidget *view;

  g_return_if_fail (STRIA_IS_CAPTURE_PAGE (self));

  /* What leads there may not be among what makes the view listed. */
  view = stria_views_reveal (self->view_stack, "source");
  stria_source_view_show (STRIA_SOURCE_VIEW (view), path, line);
}
