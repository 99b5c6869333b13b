/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-window-private.h"

#include <glib/gi18n-lib.h>

#include "stria-capture-page-access.h"
#include "stria-choosers.h"
#include "stria-key-bindings.h"

/* Files and folders that come to a window: dropped on it, pasted, or chosen to be added. They are
 * looked into while they are still held over it, so that the window can say what will happen. */

/* What names are read from before the drop. A portal, which hands over files of another sandbox, does
 * so once, and is asked only when they are dropped. */
#define NAMES "text/uri-list"

static void look_at (StriaWindow *self, const char *const *paths, gboolean acts);

static void
show_highlight (StriaWindow *self, const char *text)
{
  gtk_label_set_label (self->drop_label, text);
  gtk_widget_set_visible (self->drop_highlight, TRUE);
}

static void
forget (StriaWindow *self)
{
  g_cancellable_cancel (self->look);
  g_clear_object (&self->look);
  g_clear_pointer (&self->intake, stria_intake_free);
  g_clear_pointer (&self->brought, g_strfreev);
  self->acts = FALSE;
  self->adds = FALSE;
  gtk_widget_set_visible (self->drop_highlight, FALSE);
}

/* -- what is done ---------------------------------------------------------------------------- */

static void
tell (StriaWindow *self, const char *heading, const char *body)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, body);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "close");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
offer_undo (StriaWindow *self, const char *const *paths)
{
  const guint n = g_strv_length ((char **) paths);
  g_autofree char *name = g_filename_display_basename (paths[0]);
  g_autofree char *text
      = n == 1 ? g_strdup_printf (_ ("“%s” was added to this capture"), name)
               : g_strdup_printf (ngettext ("%u file was added to this capture",
                                            "%u files were added to this capture", n), n);
  AdwToast *toast = adw_toast_new (text);

  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_action_name (toast, "win.undo-add");
  adw_toast_set_timeout (toast, 10);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

static void
add (StriaWindow *self, const char *const *paths)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) all_paths = NULL;
  g_auto (GStrv) before = g_strdupv (self->paths);
  g_autoptr (StriaViewState) state
      = self->memory != NULL ? stria_capture_memory_get (self->memory) : NULL;

  g_strv_builder_addv (all, (const char **) self->paths);
  for (guint i = 0; paths[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) self->paths, paths[i]))
      g_strv_builder_add (all, paths[i]);
  all_paths = g_strv_builder_end (all);
  stria_window_open (self, (const char *const *) all_paths, NULL);
  /* With more files it is another capture, and yet the person is where they were. */
  self->state = g_steal_pointer (&state);
  g_strfreev (self->before);
  self->before = g_steal_pointer (&before);
  offer_undo (self, paths);
}

static void
compare (StriaWindow *self, const char *const *paths)
{
  const char *why = NULL;

  if (self->page != NULL && !stria_capture_page_compare_with (self->page, paths, &why))
    stria_window_toast (self, why);
}

static void
add_sources (StriaWindow *self, const char *const *paths)
{
  g_autofree char *name = g_filename_display_basename (paths[0]);
  g_autofree char *text = g_strdup_printf (_ ("Source code is looked for in “%s”, too"), name);
  AdwToast *toast;

  if (self->page == NULL || !stria_capture_page_add_sources (self->page, paths))
    {
      stria_window_toast (self, _ ("Only folders and archives of source code can be added here"));
      return;
    }
  toast = adw_toast_new (text);
  adw_toast_set_button_label (toast, _ ("_Show"));
  adw_toast_set_action_name (toast, "win.show-view");
  adw_toast_set_action_target_value (toast, g_variant_new_string ("source"));
  adw_toast_set_timeout (toast, 6);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

static void
on_asked (AdwMessageDialog *dialog, const char *response, StriaWindow *self)
{
  char **paths = g_object_get_data (G_OBJECT (dialog), "paths");

  if (g_str_equal (response, "new"))
    stria_window_open_new (self, (const char *const *) paths);
  else if (g_str_equal (response, "compare"))
    compare (self, (const char *const *) paths);
  else if (g_str_equal (response, "add") && self->paths != NULL)
    add (self, (const char *const *) paths);
}

static void
ask (StriaWindow *self, const StriaIntake *intake)
{
  const guint n = g_strv_length (intake->paths);
  g_autofree char *name = g_filename_display_basename (intake->paths[0]);
  g_autofree char *heading
      = n == 1 ? g_strdup_printf (_ ("What Is “%s”?"), name)
               : g_strdup_printf (ngettext ("What Is This %u File?", "What Are These %u Files?", n),
                                  n);
  const char *best = intake->may_compare && !intake->same_folder ? "compare"
                     : intake->same_folder                       ? "add"
                                                                 : "new";
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self), heading,
      intake->may_compare
          ? _ ("It can be more of the capture in this window, another capture to compare with it, or "
               "something else to look at.")
          : _ ("It can be more of the capture in this window, or something else to look at."));
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG (dialog);

  adw_message_dialog_add_responses (message, "cancel", _ ("_Cancel"), "add",
                                    _ ("_Add to This Capture"), NULL);
  if (intake->may_compare)
    adw_message_dialog_add_response (message, "compare", _ ("C_ompare"));
  adw_message_dialog_add_response (message, "new", _ ("Open in _New Window"));
  adw_message_dialog_set_response_appearance (message, best, ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (message, best);
  adw_message_dialog_set_close_response (message, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "paths", g_strdupv (intake->paths),
                          (GDestroyNotify) g_strfreev);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_asked), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
act (StriaWindow *self)
{
  g_autoptr (StriaIntake) intake = g_steal_pointer (&self->intake);
  const char *const *paths = (const char *const *) intake->paths;
  const gboolean adds = self->adds;

  forget (self);
  switch (intake->verdict)
    {
    case STRIA_INTAKE_SOURCES:
      add_sources (self, paths);
      break;
    case STRIA_INTAKE_ADD:
      add (self, paths);
      break;
    case STRIA_INTAKE_ASK:
      if (adds)
        add (self, paths);
      else
        ask (self, intake);
      break;
    case STRIA_INTAKE_ALREADY:
      stria_window_toast (self, intake->what);
      break;
    case STRIA_INTAKE_REFUSED:
      tell (self, intake->what, intake->reason);
      break;
    case STRIA_INTAKE_OPEN:
    default:
      stria_window_open_beside (self, paths);
    }
}

/* -- what it is ------------------------------------------------------------------------------ */

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaWindow) self = user_data;
  const gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->look;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaIntake) intake = stria_intake_look_finish (result, &error);

  if (stale)
    return;
  g_clear_object (&self->look);
  if (intake == NULL)
    {
      forget (self);
      return;
    }
  self->intake = g_steal_pointer (&intake);
  if (self->acts)
    act (self);
  else if (gtk_widget_get_visible (self->drop_highlight))
    gtk_label_set_label (self->drop_label, self->intake->what);
}

/* @acts: whether it is to be done, too, or only to be told */
static void
look_at (StriaWindow *self, const char *const *paths, gboolean acts)
{
  const gboolean adds = self->adds;
  StriaCapture *capture
      = self->page != NULL ? stria_capture_page_get_capture (self->page) : NULL;

  if (self->brought != NULL && g_strv_equal ((const char *const *) self->brought, paths)
      && (self->look != NULL || self->intake != NULL))
    {
      self->acts = acts;
      if (acts && self->intake != NULL)
        act (self);
      return;
    }
  g_cancellable_cancel (self->look);
  g_clear_object (&self->look);
  g_clear_pointer (&self->intake, stria_intake_free);
  g_strfreev (self->brought);
  self->brought = g_strdupv ((char **) paths);
  self->acts = acts;
  self->adds = adds;
  self->look = g_cancellable_new ();
  stria_intake_look_async (paths, capture, (const char *const *) self->paths, self->look,
                           on_looked, g_object_ref (self));
}

/* Several folders are a capture each, as on the command line. */
static void
open_all (StriaWindow *self, const char *const *paths)
{
  gboolean are_folders = paths[1] != NULL;

  for (guint i = 0; paths[i] != NULL && are_folders; i++)
    are_folders = g_file_test (paths[i], G_FILE_TEST_IS_DIR);
  if (!are_folders)
    {
      stria_window_open_beside (self, paths);
      return;
    }
  for (guint i = 0; paths[i] != NULL; i++)
    {
      const char *one[] = { paths[i], NULL };

      stria_window_open_beside (self, one);
    }
}

static void
take (StriaWindow *self, const char *const *paths)
{
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;

  /* What is wrong with files that are opened is told where they would be shown. */
  if (self->page == NULL)
    {
      forget (self);
      open_all (self, paths);
      return;
    }
  name = g_filename_display_basename (paths[0]);
  text = g_strdup_printf (_ ("Looking at “%s”…"), name);
  show_highlight (self, text);
  look_at (self, paths, TRUE);
}

/* -- drops ----------------------------------------------------------------------------------- */

static void
tell_not_here (StriaWindow *self)
{
  stria_window_toast (self, _ ("Only files on this computer can be opened"));
}

static gboolean
on_drop (StriaWindow *self, const GValue *value)
{
  g_auto (GStrv) paths = NULL;

  if (G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    paths = stria_paths_from_files (g_value_get_boxed (value));
  if (paths == NULL)
    {
      forget (self);
      tell_not_here (self);
      return FALSE;
    }
  take (self, (const char *const *) paths);
  return TRUE;
}

/* Names are known while the files are still held. In a sandbox they may be of no use; then the drop
 * brings others. */
static void
on_names (StriaWindow *self, const char *const *paths)
{
  g_autofree char *text = stria_intake_guess (paths, self->page != NULL);

  gtk_label_set_label (self->drop_label, text);
  if (g_file_test (paths[0], G_FILE_TEST_EXISTS))
    look_at (self, paths, FALSE);
}

typedef struct
{
  StriaWindow   *window;
  GdkDrop       *drop;
  GOutputStream *memory;
} Names;

static void
names_free (Names *names)
{
  g_object_unref (names->window);
  g_object_unref (names->drop);
  g_clear_object (&names->memory);
  g_free (names);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Names, names_free)

static void
on_names_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Names) names = user_data;
  StriaWindow *self = names->window;
  const gboolean good = g_output_stream_splice_finish (names->memory, result, NULL) >= 0;
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (names->memory);
  g_autofree char *text = NULL;
  g_auto (GStrv) paths = NULL;

  if (!good || self->acts || !gtk_widget_get_visible (self->drop_highlight)
      || self->drop_target == NULL
      || gtk_drop_target_get_current_drop (self->drop_target) != names->drop)
    return;
  text = g_strndup (g_memory_output_stream_get_data (memory),
                    g_memory_output_stream_get_data_size (memory));
  paths = stria_intake_paths_of_text (text);
  if (paths != NULL)
    on_names (self, (const char *const *) paths);
}

static void
on_names_stream (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Names) names = user_data;
  const char *mime_type;
  g_autoptr (GInputStream) stream
      = gdk_drop_read_finish (GDK_DROP (source), result, &mime_type, NULL);

  if (stream == NULL)
    return;
  names->memory = g_memory_output_stream_new_resizable ();
  g_output_stream_splice_async (names->memory, stream,
                                G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE
                                    | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                G_PRIORITY_DEFAULT, NULL, on_names_read, names);
  names = NULL;
}

static GdkDragAction
on_drop_enter (StriaWindow *self)
{
  GdkDrop *drop = gtk_drop_target_get_current_drop (self->drop_target);
  const char *mime_types[] = { NAMES, NULL };

  show_highlight (self, self->page != NULL ? _ ("Drop to add, compare or open")
                                           : _ ("Drop to open"));
  if (drop != NULL && gdk_content_formats_contain_mime_type (gdk_drop_get_formats (drop), NAMES))
    {
      Names *names = g_new0 (Names, 1);

      names->window = g_object_ref (self);
      names->drop = g_object_ref (drop);
      gdk_drop_read_async (drop, mime_types, G_PRIORITY_DEFAULT, NULL, on_names_stream, names);
    }
  return GDK_ACTION_COPY;
}

static void
on_drop_leave (StriaWindow *self)
{
  if (!self->acts)
    forget (self);
}

/* -- pasting --------------------------------------------------------------------------------- */

static void
on_pasted_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaWindow) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
  g_auto (GStrv) paths = text != NULL ? stria_intake_paths_of_text (text) : NULL;

  if (paths != NULL)
    take (self, (const char *const *) paths);
  else
    stria_window_toast (self, _ ("What was copied is no list of files"));
}

static void
on_pasted_files (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaWindow) self = user_data;
  const GValue *value
      = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (source), result, NULL);
  g_auto (GStrv) paths = value != NULL && G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST)
                             ? stria_paths_from_files (g_value_get_boxed (value))
                             : NULL;

  if (paths != NULL)
    take (self, (const char *const *) paths);
  else
    tell_not_here (self);
}

static void
paste_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);
  g_autoptr (GdkContentFormats) formats = gdk_content_formats_union_deserialize_gtypes (
      gdk_content_formats_ref (gdk_clipboard_get_formats (clipboard)));

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL,
                                    on_pasted_files, g_object_ref (widget));
  else if (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING))
    gdk_clipboard_read_text_async (clipboard, NULL, on_pasted_text, g_object_ref (widget));
  else
    stria_window_toast (STRIA_WINDOW (widget), _ ("What was copied is no list of files"));
}

/* -- choosing -------------------------------------------------------------------------------- */

static void
on_added (gpointer user_data, const char *const *paths)
{
  StriaWindow *self = user_data;

  forget (self);
  self->adds = TRUE;
  take (self, paths);
}

static void
add_files_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stria_choose_files_to_add (GTK_WINDOW (widget), on_added, widget);
}

static void
on_sources_chosen (gpointer user_data, const char *const *paths)
{
  add_sources (user_data, paths);
}

static void
add_sources_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stria_choose_source_folder (GTK_WINDOW (widget), on_sources_chosen, widget);
}

static void
undo_add_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);
  g_auto (GStrv) before = g_steal_pointer (&self->before);

  if (before != NULL)
    stria_window_open (self, (const char *const *) before, NULL);
}

/* A view that takes what is dropped on it: then nothing is opened. */
static void
drop_highlight_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StriaWindow *self = STRIA_WINDOW (widget);

  if (g_variant_get_boolean (parameter))
    show_highlight (self, _ ("Drop to look for source code here"));
  else
    gtk_widget_set_visible (self->drop_highlight, FALSE);
}

void
stria_window_install_drop (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.paste", NULL, paste_action);
  gtk_widget_class_install_action (widget_class, "win.add-files", NULL, add_files_action);
  gtk_widget_class_install_action (widget_class, "win.add-source-folder", NULL,
                                   add_sources_action);
  gtk_widget_class_install_action (widget_class, "win.undo-add", NULL, undo_add_action);
  gtk_widget_class_install_action (widget_class, "win.drop-highlight", "b",
                                   drop_highlight_action);
  /* Not an accelerator of the program, which would come before the entries' own. */
  stria_key_bind_class (widget_class, GDK_KEY_v, GDK_CONTROL_MASK, "win.paste");
}

void
stria_window_add_drop (StriaWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->drop_target = target;
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  g_signal_connect_swapped (target, "enter", G_CALLBACK (on_drop_enter), self);
  g_signal_connect_swapped (target, "leave", G_CALLBACK (on_drop_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

void
stria_window_drop_drop (StriaWindow *self)
{
  g_cancellable_cancel (self->look);
  g_clear_object (&self->look);
  g_clear_pointer (&self->intake, stria_intake_free);
  g_clear_pointer (&self->brought, g_strfreev);
  g_clear_pointer (&self->before, g_strfreev);
  self->drop_target = NULL;
}
