/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-window-private.h"

#include <glib/gi18n-lib.h>

#include "stria-accessible-names.h"
#include "stria-capture-page-access.h"
#include "stria-choosers.h"
#include "stria-help-text.h"
#include "stria-help.h"
#include "stria-key-bindings.h"
#include "stria-keys-apply.h"
#include "stria-notices-list.h"
#include "stria-sample.h"
#include "stria-scan.h"
#include "stria-settings.h"
#include "stria-source-view.h"
#include "stria-start-page.h"
#include "stria-timeline.h"

G_DEFINE_FINAL_TYPE (StriaWindow, stria_window, ADW_TYPE_APPLICATION_WINDOW)

static void
update_actions (StriaWindow *self)
{
  static const char *const of_page[] = { "win.search",          "win.search-next",
                                         "win.search-previous", "win.toggle-sidebar",
                                         "win.toggle-details",  "win.show-notices",
                                         "win.show-view",       "win.show-source",
                                         "win.compare",         "win.export",
                                         "win.add-files",       "win.add-source-folder" };
  gboolean importing = self->cancellable != NULL ||
                       (self->page != NULL && stria_capture_page_is_importing (self->page));

  for (guint i = 0; i < G_N_ELEMENTS (of_page); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_page[i], self->page != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.cancel-import", importing);
  /* A spinner that nobody sees costs as much as one that is seen. */
  gtk_spinner_set_spinning (self->loading_spinner, self->cancellable != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.reimport",
                                 !importing && self->paths != NULL);
}

static void
remove_page (StriaWindow *self)
{
  g_clear_pointer (&self->memory, stria_capture_memory_free);
  if (self->page != NULL)
    gtk_stack_remove (self->stack, GTK_WIDGET (g_steal_pointer (&self->page)));
}

static void
show_start (StriaWindow *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->paths, g_strfreev);
  gtk_stack_set_visible_child_name (self->stack, "start");
  remove_page (self);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Stria"));
  update_actions (self);
}

static void
on_toast (StriaWindow *self, AdwToast *toast)
{
  adw_toast_overlay_add_toast (self->toast_overlay, g_object_ref (toast));
}

static void
on_state_changed (StriaWindow *self)
{
  update_actions (self);
}

static void
show_capture (StriaWindow *self, StriaCapture *capture)
{
  GtkWidget *page = stria_capture_page_new (capture, (const char *const *) self->paths);
  g_autofree char *title =
      g_strdup_printf ("%s — %s", stria_capture_get_title (capture), _ ("Stria"));

  g_signal_connect_object (page, "toast", G_CALLBACK (on_toast), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "state-changed", G_CALLBACK (on_state_changed), self,
                           G_CONNECT_SWAPPED);
  remove_page (self);
  self->page = STRIA_CAPTURE_PAGE (page);
  gtk_stack_add_named (self->stack, page, "capture");
  gtk_stack_set_visible_child_name (self->stack, "capture");
  gtk_window_set_title (GTK_WINDOW (self), title);
  self->memory = stria_capture_memory_new (self->page, g_steal_pointer (&self->state),
                                           self->target != NULL);
  stria_capture_page_set_target (self->page, self->target);
  g_clear_pointer (&self->target, stria_target_free);
  stria_capture_page_import (self->page, self->reimport);
  stria_capture_page_focus (self->page);
}

static void
show_error (StriaWindow *self, const GError *error)
{
  g_autofree char *markup = g_markup_escape_text (error->message, -1);

  adw_status_page_set_description (self->error_page, markup);
  gtk_stack_set_visible_child_name (self->stack, "error");
  remove_page (self);
}

typedef struct
{
  char      **paths;
  GHashTable *choices;
} Scan;

static void
scan_free (gpointer data)
{
  Scan *scan = data;

  g_strfreev (scan->paths);
  g_hash_table_unref (scan->choices);
  g_free (scan);
}

/* A copy: the scan runs on a thread of its own. */
static Scan *
scan_new (StriaWindow *self)
{
  Scan *scan = g_new0 (Scan, 1);
  GHashTableIter iter;
  gpointer key, value;

  scan->paths = g_strdupv (self->paths);
  scan->choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_iter_init (&iter, self->choices);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (scan->choices, g_strdup (key), g_strdup (value));
  return scan;
}

static void
scan_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  const Scan *scan = task_data;
  StriaCapture *capture
      = stria_scan_paired ((const char *const *) scan->paths, scan->choices, cancellable, &error);

  if (capture == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, capture, g_object_unref);
}

static void
on_scanned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaWindow) self = user_data;
  gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture = g_task_propagate_pointer (G_TASK (result), &error);

  if (stale)
    return;
  g_clear_object (&self->cancellable);
  if (capture != NULL)
    show_capture (self, capture);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_start (self);
  else
    show_error (self, error);
  update_actions (self);
}

static void
start_scan (StriaWindow *self)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *name = g_filename_display_basename (self->paths[0]);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  adw_window_title_set_title (self->loading_title, name);
  adw_window_title_set_title (self->error_title, name);
  gtk_window_set_title (GTK_WINDOW (self), name);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  remove_page (self);

  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_scanned, g_object_ref (self));
  g_task_set_source_tag (task, start_scan);
  g_task_set_task_data (task, scan_new (self), scan_free);
  g_task_run_in_thread (task, scan_in_thread);
  update_actions (self);
}

void
stria_window_open_new (StriaWindow *self, const char *const *paths)
{
  StriaWindow *window = stria_window_new (gtk_window_get_application (GTK_WINDOW (self)));

  stria_window_open (window, paths, NULL);
  gtk_window_present (GTK_WINDOW (window));
}

/* Opening never takes away what someone is looking at. */
void
stria_window_open_beside (StriaWindow *self, const char *const *paths)
{
  if (stria_window_is_used (self))
    stria_window_open_new (self, paths);
  else
    stria_window_open (self, paths, NULL);
}

static void
on_files_chosen (gpointer user_data, const char *const *paths)
{
  stria_window_open_beside (STRIA_WINDOW (user_data), paths);
}

static void
on_open_paths (StriaWindow *self, const char *const *paths)
{
  stria_window_open (self, paths, NULL);
}

static void
on_reimport_paths (StriaWindow *self, const char *const *paths)
{
  stria_window_open (self, paths, NULL);
  /* Looked at when the scan is over */
  self->reimport = TRUE;
}

static void
open_files_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stria_choose_files (GTK_WINDOW (widget), on_files_chosen, widget);
}

static void
open_folder_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stria_choose_folder (GTK_WINDOW (widget), on_files_chosen, widget);
}

static void
open_sample_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autofree char *path = stria_sample_path ();
  const char *paths[] = { path, NULL };

  if (path != NULL)
    stria_window_open_beside (STRIA_WINDOW (widget), paths);
}

static void
show_start_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  show_start (STRIA_WINDOW (widget));
}

static void
cancel_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);

  if (self->cancellable != NULL)
    show_start (self);
  else if (self->page != NULL)
    stria_capture_page_cancel (self->page);
}

static void
reimport_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);

  if (self->paths == NULL)
    return;
  self->reimport = TRUE;
  start_scan (self);
}

static void
choose_program_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);
  const char *profile, *program;

  if (self->paths == NULL)
    return;
  g_variant_get (parameter, "(&s&s)", &profile, &program);
  g_hash_table_insert (self->choices, g_strdup (profile), g_strdup (program));
  start_scan (self);
}

/* Where the keyboard is in source code, its keys of searching are of that. */
static gboolean
source_action (StriaWindow *self, const char *action_name)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *view = focus != NULL ? gtk_widget_get_ancestor (focus, STRIA_TYPE_SOURCE_VIEW) : NULL;

  if (view == NULL)
    return FALSE;
  if (g_str_equal (action_name, "win.search"))
    return stria_source_view_find (STRIA_SOURCE_VIEW (view));
  if (g_str_equal (action_name, "win.search-next"))
    return stria_source_view_step (STRIA_SOURCE_VIEW (view), TRUE);
  if (g_str_equal (action_name, "win.search-previous"))
    return stria_source_view_step (STRIA_SOURCE_VIEW (view), FALSE);
  return FALSE;
}

static void
page_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaCapturePage *page = STRIA_WINDOW (widget)->page;

  if (page == NULL)
    return;
  if (source_action (STRIA_WINDOW (widget), action_name))
    return;
  if (g_str_equal (action_name, "win.search"))
    stria_capture_page_search (page);
  else if (g_str_equal (action_name, "win.search-text"))
    stria_capture_page_search_text (page, g_variant_get_string (parameter, NULL));
  else if (g_str_equal (action_name, "win.search-next"))
    stria_capture_page_search_step (page, TRUE);
  else if (g_str_equal (action_name, "win.search-previous"))
    stria_capture_page_search_step (page, FALSE);
  else if (g_str_equal (action_name, "win.toggle-sidebar"))
    stria_capture_page_toggle_sidebar (page);
  else if (g_str_equal (action_name, "win.toggle-details"))
    stria_capture_page_toggle_details (page);
  else if (g_str_equal (action_name, "win.compare"))
    stria_capture_page_compare (page);
  else if (g_str_equal (action_name, "win.export"))
    stria_capture_page_export (page);
  else if (g_str_equal (action_name, "win.show-source"))
    {
      const char *path;
      guint line;

      g_variant_get (parameter, "(&su)", &path, &line);
      stria_capture_page_show_source (page, path, line);
    }
  else
    stria_capture_page_show_view (page, g_variant_get_string (parameter, NULL));
}

static void
copy_text_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                          g_variant_get_string (parameter, NULL));
  stria_tell (widget, _ ("Copied"));
}

static void
show_toast (StriaWindow *self, const char *text, guint seconds)
{
  AdwToast *toast = adw_toast_new (text);

  adw_toast_set_timeout (toast, seconds);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

void
stria_window_toast (StriaWindow *self, const char *text)
{
  show_toast (self, text, 2);
}

void
stria_window_tell (StriaWindow *self, const char *text)
{
  g_return_if_fail (STRIA_IS_WINDOW (self));

  show_toast (self, text, 20);
}

static void
toast_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stria_window_toast (STRIA_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

/* A file was written: its folder is a click away. The path is bytes, which need not be UTF-8. */
static void
toast_file_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);
  const char *text, *path;
  AdwToast *toast;

  g_variant_get (parameter, "(&s^&ay)", &text, &path);
  toast = adw_toast_new (text);
  adw_toast_set_button_label (toast, _ ("Open Folder"));
  adw_toast_set_action_name (toast, "win.open-folder-of");
  adw_toast_set_action_target_value (toast, g_variant_new_bytestring (path));
  adw_toast_set_timeout (toast, 20);
  /* Of several exports the last one is told of. */
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

static void
on_launched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    stria_tell (widget, error->message);
}

static void
open_folder_of_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autofree char *folder = g_path_get_dirname (g_variant_get_bytestring (parameter));
  g_autofree char *uri = g_filename_to_uri (folder, NULL, NULL);

  if (uri != NULL)
    g_app_info_launch_default_for_uri_async (uri, NULL, NULL, on_launched, g_object_ref (widget));
}

/* Help on what is worked in */
static void
help_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);
  const char *view = self->page != NULL ? stria_capture_page_shown (self->page) : NULL;

  stria_help_present (gtk_window_get_application (GTK_WINDOW (self)),
                      stria_help_page_of_view (view));
}

static void
show_keys_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stria_keys_present_window (GTK_WINDOW (widget));
}

static void
show_notices_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);
  StriaCapture *capture;
  GtkWidget *window, *box;

  if (self->page == NULL)
    return;
  capture = stria_capture_page_get_capture (self->page);
  window = adw_window_new ();
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), stria_notices_list_new (stria_capture_get_notices (capture)));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Notices"));
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (self));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 720, 480);
  gtk_window_present (GTK_WINDOW (window));
}

static gboolean
stria_window_close_request (GtkWindow *window)
{
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  stria_settings_set (STRIA_SETTING_WINDOW_WIDTH, width);
  stria_settings_set (STRIA_SETTING_WINDOW_HEIGHT, height);
  stria_settings_set (STRIA_SETTING_WINDOW_MAXIMIZED, gtk_window_is_maximized (window));
  return GTK_WINDOW_CLASS (stria_window_parent_class)->close_request (window);
}

static void
stria_window_dispose (GObject *object)
{
  StriaWindow *self = STRIA_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->target, stria_target_free);
  g_clear_pointer (&self->memory, stria_capture_memory_free);
  g_clear_pointer (&self->state, stria_view_state_free);
  stria_window_drop_drop (self);
  self->page = NULL;
  G_OBJECT_CLASS (stria_window_parent_class)->dispose (object);
}

static void
stria_window_finalize (GObject *object)
{
  g_strfreev (STRIA_WINDOW (object)->paths);
  g_hash_table_unref (STRIA_WINDOW (object)->choices);
  G_OBJECT_CLASS (stria_window_parent_class)->finalize (object);
}

static void
stria_window_class_init (StriaWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  stria_accessible_names_install ();
  object_class->dispose = stria_window_dispose;
  object_class->finalize = stria_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = stria_window_close_request;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-window.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, start_box);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, loading_title);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, loading_spinner);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, error_title);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, drop_highlight);
  gtk_widget_class_bind_template_child (widget_class, StriaWindow, drop_label);

  gtk_widget_class_install_action (widget_class, "win.open-files", NULL, open_files_action);
  gtk_widget_class_install_action (widget_class, "win.open-folder", NULL, open_folder_action);
  gtk_widget_class_install_action (widget_class, "win.open-sample", NULL, open_sample_action);
  gtk_widget_class_install_action (widget_class, "win.show-start", NULL, show_start_action);
  gtk_widget_class_install_action (widget_class, "win.cancel-import", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "win.reimport", NULL, reimport_action);
  gtk_widget_class_install_action (widget_class, "win.choose-program", "(ss)",
                                   choose_program_action);
  gtk_widget_class_install_action (widget_class, "win.show-notices", NULL, show_notices_action);
  gtk_widget_class_install_action (widget_class, "win.help", NULL, help_action);
  gtk_widget_class_install_action (widget_class, "win.show-help-overlay", NULL, show_keys_action);
  gtk_widget_class_install_action (widget_class, "win.toast", "s", toast_action);
  gtk_widget_class_install_action (widget_class, "win.toast-file", "(say)", toast_file_action);
  gtk_widget_class_install_action (widget_class, "win.open-folder-of", "ay",
                                   open_folder_of_action);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.search-text", "s", page_action);
  gtk_widget_class_install_action (widget_class, "win.search-next", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.search-previous", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.toggle-sidebar", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.toggle-details", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.show-view", "s", page_action);
  gtk_widget_class_install_action (widget_class, "win.show-source", "(su)", page_action);
  gtk_widget_class_install_action (widget_class, "win.compare", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.export", NULL, page_action);
  gtk_widget_class_install_action (widget_class, "win.copy-text", "s", copy_text_action);
  stria_window_install_drop (widget_class);
}

static void
stria_window_init (StriaWindow *self)
{
  GtkWidget *start_page = stria_start_page_new ();
  g_autofree char *sample = stria_sample_path ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  gtk_widget_set_vexpand (start_page, TRUE);
  gtk_box_append (self->start_box, start_page);
  g_signal_connect_object (start_page, "open-paths", G_CALLBACK (on_open_paths), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (start_page, "open-window", G_CALLBACK (stria_window_open_new), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (start_page, "reimport-paths", G_CALLBACK (on_reimport_paths), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.open-sample", sample != NULL);

  stria_key_tooltips (GTK_WIDGET (self));
  stria_window_add_drop (self);
  gtk_window_set_default_size (GTK_WINDOW (self), stria_settings_get (STRIA_SETTING_WINDOW_WIDTH),
                               stria_settings_get (STRIA_SETTING_WINDOW_HEIGHT));
  if (stria_settings_get (STRIA_SETTING_WINDOW_MAXIMIZED))
    gtk_window_maximize (GTK_WINDOW (self));
  update_actions (self);
}

/**
 * stria_window_new:
 * @application: the program
 *
 * Returns: (transfer none): a window with the start page; the application owns it
 */
StriaWindow *
stria_window_new (GtkApplication *application)
{
  StriaWindow *self = g_object_new (STRIA_TYPE_WINDOW, "application", application, NULL);

  /* Behind the accelerators, and so asked before them */
  stria_keys_guard (GTK_WINDOW (self));
  return self;
}

void
stria_window_open (StriaWindow *self, const char *const *paths, const StriaTarget *target)
{
  char **copy;

  g_return_if_fail (STRIA_IS_WINDOW (self));
  g_return_if_fail (paths != NULL && paths[0] != NULL);

  copy = g_strdupv ((char **) paths);
  g_strfreev (self->paths);
  self->paths = copy;
  g_clear_pointer (&self->target, stria_target_free);
  self->target = stria_target_copy (target);
  self->reimport = FALSE;
  g_clear_pointer (&self->state, stria_view_state_free);
  g_hash_table_remove_all (self->choices);
  start_scan (self);
}

static void
color_timelines (GtkWidget *widget, const char *by)
{
  if (STRIA_IS_TIMELINE (widget))
    g_action_group_change_action_state (
        G_ACTION_GROUP (stria_timeline_get_options (STRIA_TIMELINE (widget))), "color",
        g_variant_new_string (by));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    color_timelines (child, by);
}

void
stria_window_color (StriaWindow *self)
{
  g_autofree char *by = stria_settings_get_text (STRIA_SETTING_COLOR_BY);

  g_return_if_fail (STRIA_IS_WINDOW (self));

  if (self->page != NULL && *by != '\0')
    color_timelines (GTK_WIDGET (self->page), by);
}

gboolean
stria_window_is_used (StriaWindow *self)
{
  g_return_val_if_fail (STRIA_IS_WINDOW (self), FALSE);

  return self->page != NULL || self->cancellable != NULL;
}

gboolean
stria_window_shows (StriaWindow *self, const char *const *paths)
{
  g_return_val_if_fail (STRIA_IS_WINDOW (self), FALSE);

  return self->paths != NULL && g_strv_equal ((const char *const *) self->paths, paths);
}

void
stria_window_set_target (StriaWindow *self, const StriaTarget *target)
{
  g_return_if_fail (STRIA_IS_WINDOW (self));

  if (self->page != NULL)
    stria_capture_page_set_target (self->page, target);
  else
    {
      g_clear_pointer (&self->target, stria_target_free);
      self->target = stria_target_copy (target);
    }
}
