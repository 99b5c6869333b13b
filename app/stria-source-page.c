/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-page-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <gtksourceview/gtksource.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-settings.h"
#include "stria-source-folders.h"
#include "stria-source-link.h"

/* Colouring larger ones takes seconds. */
#define MAX_COLORED_BYTES (4 * 1024 * 1024)
/* Frames in which the line is brought into sight: heights of lines are found bit by bit, and a view
 * that was not shown before has none in the first */
#define MAX_SCROLLS 600
#define N_STEADY    12

enum
{
  SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSourcePage, stria_source_page, GTK_TYPE_WIDGET)

static void find (StriaSourcePage *self);
static void load (StriaSourcePage *self, const char *path);

/* -- text ------------------------------------------------------------------------------------- */

static void
show_note (StriaSourcePage *self, const char *note)
{
  gtk_label_set_label (self->note, note != NULL ? note : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->note), note);
  gtk_widget_set_visible (GTK_WIDGET (self->note), note != NULL);
}

static void
set_note (StriaSourcePage *self, const char *note)
{
  g_free (self->own_note);
  self->own_note = g_strdup (note);
  show_note (self, note);
}

static void
set_title (StriaSourcePage *self, const char *path)
{
  g_autofree char *text = path != NULL ? stria_source_text (path, self->line) : g_strdup ("");

  gtk_label_set_label (self->title, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), path);
  gtk_widget_set_sensitive (self->copy_button, path != NULL);
}

/* Not by the text view's own means: their animation ends halfway when a height changes. */
static gboolean
scroll_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StriaSourcePage *self = user_data;
  GtkTextView *view = GTK_TEXT_VIEW (self->text);
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  const double page = gtk_adjustment_get_page_size (adjustment);
  GtkTextIter iter;
  double value;
  int y, height;

  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  if (self->n_scrolls++ == 0)
    {
      gtk_text_view_scroll_to_mark (view, gtk_text_buffer_get_insert (buffer), 0, TRUE, 0, 0.35);
      self->n_steady = 0;
      return G_SOURCE_CONTINUE;
    }
  gtk_text_view_get_line_yrange (view, &iter, &y, &height);
  value = CLAMP (y - 0.35 * page, gtk_adjustment_get_lower (adjustment),
                 MAX (gtk_adjustment_get_upper (adjustment) - page,
                      gtk_adjustment_get_lower (adjustment)));
  /* Lines whose heights were not found yet have none. */
  self->n_steady = ABS (value - gtk_adjustment_get_value (adjustment)) < 1
                           && gtk_adjustment_get_upper (adjustment)
                                  > 0.8 * height * gtk_text_buffer_get_line_count (buffer)
                       ? self->n_steady + 1
                       : 0;
  gtk_adjustment_set_value (adjustment, value);
  if (self->n_scrolls < MAX_SCROLLS && self->n_steady < N_STEADY)
    return G_SOURCE_CONTINUE;
  self->scrolling = 0;
  return G_SOURCE_REMOVE;
}

/* Marks the line and brings it into sight. */
static void
go_to_line (StriaSourcePage *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  const guint n_lines = (guint) gtk_text_buffer_get_line_count (buffer);
  GtkTextIter start, end;

  self->is_moving = TRUE;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag (buffer, self->mark, &start, &end);
  if (self->line > 0 && self->line <= n_lines)
    {
      gtk_text_buffer_get_iter_at_line (buffer, &start, (int) self->line - 1);
      end = start;
      gtk_text_iter_forward_line (&end);
      gtk_text_buffer_apply_tag (buffer, self->mark, &start, &end);
    }
  else
    gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->is_moving = FALSE;
  self->n_scrolls = 0;
  if (self->scrolling == 0)
    self->scrolling
        = gtk_widget_add_tick_callback (GTK_WIDGET (self->text), scroll_on_tick, self, NULL);
  if (self->line > 0 && !self->is_quiet)
    gtk_widget_grab_focus (GTK_WIDGET (self->text));
}

static char *
describe (StriaSourcePage *self, const StriaSourceText *text)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  if (self->line > text->n_lines)
    {
      g_autofree char *count = stria_format_count (text->n_lines);

      g_ptr_array_add (notes, g_strdup_printf (ngettext ("It has only %s line: another version was "
                                                         "running when this was recorded",
                                                         "It has only %s lines: another version was "
                                                         "running when this was recorded",
                                                         text->n_lines),
                                               count));
    }
  if (text->is_lossy)
    g_ptr_array_add (notes, g_strdup (_ ("Not UTF-8: bytes that are none were replaced")));
  if (text->n_cut > 0)
    g_ptr_array_add (notes, g_strdup_printf (ngettext ("%u long line was cut", "%u long lines were cut",
                                                       text->n_cut),
                                             text->n_cut));
  if (notes->len == 0)
    return NULL;
  g_ptr_array_add (notes, NULL);
  return g_strjoinv (" · ", (char **) notes->pdata);
}

static void
show_missing (StriaSourcePage *self, const char *title, const char *why, GPtrArray *tried)
{
  g_autofree char *markup = g_markup_escape_text (why, -1);
  g_autoptr (GString) places = g_string_new (NULL);

  for (guint i = 0; tried != NULL && i < tried->len; i++)
    g_string_append_printf (places, "%s%s", i > 0 ? "\n" : "", (char *) tried->pdata[i]);
  adw_status_page_set_title (self->missing, title);
  adw_status_page_set_description (self->missing, markup);
  gtk_label_set_label (self->tried, places->str);
  gtk_widget_set_visible (GTK_WIDGET (self->tried), places->len > 0);
  g_clear_pointer (&self->shown, g_free);
  set_title (self, self->wanted);
  set_note (self, NULL);
  gtk_stack_set_visible_child_name (self->stack, "missing");
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  StriaSourceText *text = stria_source_finder_read (STRIA_SOURCE_PAGE (source)->finder, data,
                                                    cancellable, &error);

  if (text == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, text, (GDestroyNotify) stria_source_text_free);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaSourcePage *self = STRIA_SOURCE_PAGE (source);
  const char *path = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSourceText) text = g_task_propagate_pointer (G_TASK (result), &error);
  GtkSourceLanguageManager *languages = gtk_source_language_manager_get_default ();
  g_autofree char *note = NULL;

  if (self->box == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (text == NULL)
    {
      show_missing (self, _ ("The File Cannot Be Shown"), error->message, NULL);
      return;
    }
  gtk_source_buffer_set_highlight_syntax (self->buffer, text->length <= MAX_COLORED_BYTES);
  gtk_source_buffer_set_language (
      self->buffer, gtk_source_language_manager_guess_language (languages, path, NULL));
  self->is_moving = TRUE;
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (self->buffer), text->text, (int) text->length);
  self->is_moving = FALSE;
  g_free (self->shown);
  self->shown = g_strdup (path);
  note = describe (self, text);
  set_title (self, path);
  set_note (self, note);
  gtk_stack_set_visible_child_name (self->stack, "text");
  go_to_line (self);
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
load (StriaSourcePage *self, const char *path)
{
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_read, NULL);
  g_task_set_source_tag (task, load);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, read_in_thread);
}

/* -- finding ---------------------------------------------------------------------------------- */

static void
on_choice (StriaSourcePage *self, GtkWidget *button)
{
  const char *path = g_object_get_data (G_OBJECT (button), "path");

  g_hash_table_insert (self->chosen, g_strdup (self->wanted), g_strdup (path));
  load (self, path);
}

static void
show_choices (StriaSourcePage *self, GPtrArray *matches)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->choices)) != NULL)
    gtk_box_remove (GTK_BOX (self->choices), child);
  for (guint i = 0; i < matches->len; i++)
    {
      const StriaSourceMatch *match = g_ptr_array_index (matches, i);
      GtkWidget *button = gtk_button_new_with_label (match->path);
      GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
      gtk_widget_set_tooltip_text (button, match->path);
      gtk_widget_add_css_class (button, "flat");
      g_object_set_data_full (G_OBJECT (button), "path", g_strdup (match->path), g_free);
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_choice), self, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (self->choices), button);
    }
  g_clear_pointer (&self->shown, g_free);
  set_title (self, self->wanted);
  set_note (self, matches->len == 1 ? _ ("Only the name of the file agrees")
                                    : _ ("Several files could be meant"));
  gtk_stack_set_visible_child_name (self->stack, "choices");
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
find_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  StriaSourcePage *self = source;
  g_autoptr (GError) error = NULL;
  StriaSourceResult *result = stria_source_finder_find (self->finder, data, cancellable, &error);

  if (result == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, result, (GDestroyNotify) stria_source_result_free);
}

static void
on_found (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  StriaSourcePage *self = STRIA_SOURCE_PAGE (source);
  g_autoptr (StriaSourceResult) result
      = g_task_propagate_pointer (G_TASK (async_result), NULL);

  if (result == NULL || self->box == NULL)
    return;
  if (result->is_sure)
    load (self, ((StriaSourceMatch *) g_ptr_array_index (result->matches, 0))->path);
  else if (result->matches->len > 0)
    show_choices (self, result->matches);
  else
    show_missing (self, _ ("Not Found on This Computer"),
                  _ ("Say which folder or archive has the source, for example a checkout or the "
                     "site-packages of an environment. It was looked for here:"),
                  result->tried);
}

static void
find (StriaSourcePage *self)
{
  const char *chosen = g_hash_table_lookup (self->chosen, self->wanted);
  g_autoptr (GTask) task = NULL;

  if (chosen != NULL)
    {
      load (self, chosen);
      return;
    }
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_found, NULL);
  g_task_set_source_tag (task, find);
  g_task_set_task_data (task, g_strdup (self->wanted), g_free);
  g_task_run_in_thread (task, find_in_thread);
}

/* The capture's own folder comes first, or the archive that has it, if there is source in it. */
typedef struct
{
  StriaCapture *capture;
  char         *folder;
} FolderJob;

static void
folder_job_free (gpointer data)
{
  FolderJob *job = data;

  g_object_unref (job->capture);
  g_free (job->folder);
  g_free (job);
}

static void
folder_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FolderJob *job = data;
  StriaCapture *capture = job->capture;

  for (guint i = 0; job->folder == NULL && i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      if (!g_str_has_suffix (stria_artifact_get_name (artifact), ".py"))
        continue;
      if (stria_artifact_get_member (artifact) != NULL)
        job->folder = g_strdup (stria_artifact_get_path (artifact));
      else if (g_file_test (stria_capture_get_path (capture), G_FILE_TEST_IS_DIR))
        job->folder = g_strdup (stria_capture_get_path (capture));
    }
  g_task_return_boolean (task, TRUE);
}

void
stria_source_page_folders_changed (StriaSourcePage *self)
{
  g_auto (GStrv) folders = stria_settings_get_list (STRIA_SETTING_SOURCE_FOLDERS);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  if (self->capture_folder != NULL)
    g_ptr_array_add (all, self->capture_folder);
  for (guint i = 0; folders[i] != NULL; i++)
    g_ptr_array_add (all, folders[i]);
  g_ptr_array_add (all, NULL);
  stria_source_finder_set_folders (self->finder, (const char *const *) all->pdata);
  g_hash_table_remove_all (self->chosen);
  if (self->wanted != NULL)
    find (self);
}

static void
on_folder (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSourcePage) self = user_data;
  FolderJob *job = g_task_get_task_data (G_TASK (result));

  if (self->box == NULL || job->folder == NULL)
    return;
  self->capture_folder = g_steal_pointer (&job->folder);
  stria_source_page_folders_changed (self);
}

/* Files and folders may have changed meanwhile. */
void
stria_source_page_again (StriaSourcePage *self)
{
  stria_source_page_folders_changed (self);
}

void
stria_source_page_add_folder (StriaSourcePage *self)
{
  stria_source_folders_ask (STRIA_SOURCE_FOLDERS (self->folders));
}

/* A person scrolls elsewhere meanwhile. */
gboolean
stria_source_page_stop_scrolling (StriaSourcePage *self)
{
  if (self->scrolling != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->text), self->scrolling);
  self->scrolling = 0;
  return GDK_EVENT_PROPAGATE;
}

void
stria_source_page_copy (StriaSourcePage *self)
{
  stria_source_copy (GTK_WIDGET (self), self->shown != NULL ? self->shown : self->wanted,
                     self->line);
}

static gboolean
on_drop (StriaSourcePage *self, const GValue *value)
{
  g_auto (GStrv) paths = NULL;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.drop-highlight", "b", FALSE);
  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  paths = stria_paths_from_files (g_value_get_boxed (value));
  if (paths != NULL
      && stria_source_folders_add (STRIA_SOURCE_FOLDERS (self->folders),
                                   (const char *const *) paths))
    return TRUE;
  stria_tell (GTK_WIDGET (self), _ ("Only folders and archives of source code can be added here"));
  return FALSE;
}

static GdkDragAction
on_drop_enter (StriaSourcePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.drop-highlight", "b", FALSE);
  return GDK_ACTION_COPY;
}

static void
on_drop_leave (StriaSourcePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.drop-highlight", "b", TRUE);
}

/* -- putting it together ----------------------------------------------------------------------- */

static void
stria_source_page_dispose (GObject *object)
{
  StriaSourcePage *self = STRIA_SOURCE_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->buffer);
  G_OBJECT_CLASS (stria_source_page_parent_class)->dispose (object);
}

static void
stria_source_page_finalize (GObject *object)
{
  StriaSourcePage *self = STRIA_SOURCE_PAGE (object);

  g_clear_object (&self->finder);
  g_hash_table_unref (self->chosen);
  g_free (self->capture_folder);
  g_free (self->wanted);
  g_free (self->shown);
  g_free (self->own_note);
  G_OBJECT_CLASS (stria_source_page_parent_class)->finalize (object);
}

static void
stria_source_page_class_init (StriaSourcePageClass *klass)
{
  gtk_source_init ();
  G_OBJECT_CLASS (klass)->dispose = stria_source_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = stria_source_page_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SHOWN] = g_signal_new ("shown", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_source_page_init (StriaSourcePage *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->finder = stria_source_finder_new ();
  self->chosen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, stria_source_page_empty_new (), "empty");
  gtk_stack_add_named (self->stack, stria_source_page_text_new (self), "text");
  gtk_stack_add_named (self->stack, stria_source_page_missing_new (self), "missing");
  gtk_stack_add_named (self->stack, stria_source_page_choices_new (self), "choices");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->stack), TRUE);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  g_signal_connect_swapped (target, "enter", G_CALLBACK (on_drop_enter), self);
  g_signal_connect_swapped (target, "leave", G_CALLBACK (on_drop_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (stria_source_page_set_colors),
                           self, G_CONNECT_SWAPPED);
  stria_source_page_set_colors (self);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), stria_source_page_header_new (self));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "source-view");
}

GtkWidget *
stria_source_page_new (StriaCapture *capture)
{
  StriaSourcePage *self = g_object_new (STRIA_TYPE_SOURCE_PAGE, NULL);
  FolderJob *job = g_new0 (FolderJob, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_folder, g_object_ref (self));

  stria_source_page_folders_changed (self);
  job->capture = g_object_ref (capture);
  g_task_set_source_tag (task, stria_source_page_new);
  g_task_set_task_data (task, job, folder_job_free);
  g_task_run_in_thread (task, folder_in_thread);
  return GTK_WIDGET (self);
}

void
stria_source_page_show (StriaSourcePage *self, const char *path, guint line, gboolean is_quiet)
{
  g_autofree char *wanted = NULL;
  gboolean is_open;

  g_return_if_fail (STRIA_IS_SOURCE_PAGE (self));
  g_return_if_fail (path != NULL);

  wanted = g_strdup (path);
  is_open = self->shown != NULL && g_strcmp0 (self->wanted, path) == 0;
  g_free (self->wanted);
  self->wanted = g_steal_pointer (&wanted);
  self->line = line;
  self->is_quiet = is_quiet;
  if (is_open && is_quiet)
    {
      set_title (self, self->shown);
      go_to_line (self);
      g_signal_emit (self, signals[SHOWN], 0);
    }
  else
    find (self);
}

const char *
stria_source_page_get_path (StriaSourcePage *self)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_PAGE (self), NULL);

  return self->wanted;
}

gboolean
stria_source_page_has_text (StriaSourcePage *self)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_PAGE (self), FALSE);

  return self->shown != NULL;
}

gboolean
stria_source_page_is_moving (StriaSourcePage *self)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_PAGE (self), FALSE);

  return self->is_moving;
}

GtkSourceView *
stria_source_page_get_text (StriaSourcePage *self)
{
  g_return_val_if_fail (STRIA_IS_SOURCE_PAGE (self), NULL);

  return self->text;
}

void
stria_source_page_set_warning (StriaSourcePage *self, const char *warning)
{
  g_autofree char *both = NULL;

  g_return_if_fail (STRIA_IS_SOURCE_PAGE (self));

  both = self->own_note != NULL && warning != NULL
             ? g_strdup_printf ("%s · %s", self->own_note, warning)
             : g_strdup (warning != NULL ? warning : self->own_note);
  show_note (self, both);
}
