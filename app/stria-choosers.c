/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-choosers.h"

#include <glib/gi18n-lib.h>

char **
stria_paths_from_files (GdkFileList *files)
{
  g_autoptr (GSList) list = gdk_file_list_get_files (files);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  guint n = 0;

  for (GSList *l = list; l != NULL; l = l->next)
    {
      g_autofree char *path = g_file_get_path (l->data);

      if (path == NULL)
        continue;
      g_strv_builder_add (paths, path);
      n++;
    }
  return n > 0 ? g_strv_builder_end (paths) : NULL;
}

static void
on_response (GtkNativeDialog *dialog, int response, GObject *owner)
{
  StriaChosenFunc func = (StriaChosenFunc) g_object_get_data (G_OBJECT (dialog), "func");

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      g_auto (GStrv) paths = NULL;
      guint n = g_list_model_get_n_items (files);

      for (guint i = 0; i < n; i++)
        {
          g_autoptr (GFile) file = g_list_model_get_item (files, i);
          g_autofree char *path = g_file_get_path (file);

          if (path != NULL)
            g_strv_builder_add (builder, path);
        }
      paths = g_strv_builder_end (builder);
      if (paths[0] != NULL)
        func (owner, (const char *const *) paths);
    }
  g_object_unref (dialog);
}

static void
run (GtkFileChooserNative *dialog, StriaChosenFunc func, gpointer owner)
{
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_object_set_data (G_OBJECT (dialog), "func", (gpointer) func);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), owner, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
choose_files (const char *title, const char *accept, GtkWindow *parent, StriaChosenFunc func,
              gpointer owner)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      title, parent, GTK_FILE_CHOOSER_ACTION_OPEN, accept, _ ("_Cancel"));
  g_autoptr (GtkFileFilter) traces = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  static const char *const suffixes[] = { "json", "gz", "zst", "zip", "tar", "tgz", "tmp" };

  gtk_file_filter_set_name (traces, _ ("Traces and archives"));
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    gtk_file_filter_add_suffix (traces, suffixes[i]);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), traces);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), all);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  run (dialog, func, owner);
}

void
stria_choose_files (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  choose_files (_ ("Open Files"), _ ("_Open"), parent, func, owner);
}

void
stria_choose_files_to_add (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  choose_files (_ ("Add Files to Capture"), _ ("_Add"), parent, func, owner);
}

void
stria_choose_folder (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  run (gtk_file_chooser_native_new (_ ("Open Folder"), parent,
                                    GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"),
                                    _ ("_Cancel")),
       func, owner);
}

void
stria_choose_source_folder (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  GtkFileChooserNative *dialog
      = gtk_file_chooser_native_new (_ ("Add Source Folder"), parent,
                                     GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Add"),
                                     _ ("_Cancel"));

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  run (dialog, func, owner);
}

void
stria_choose_source_archive (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  static const char *const endings[] = { "*.zip",    "*.tar",  "*.tar.gz", "*.tgz",     "*.tar.zst",
                                         "*.tzst",   "*.tar.xz", "*.txz",  "*.tar.bz2", "*.tbz2" };
  GtkFileChooserNative *dialog
      = gtk_file_chooser_native_new (_ ("Add Source Archive"), parent,
                                     GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Add"), _ ("_Cancel"));
  g_autoptr (GtkFileFilter) archives = gtk_file_filter_new ();

  gtk_file_filter_set_name (archives, _ ("Archives"));
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    gtk_file_filter_add_pattern (archives, endings[i]);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), archives);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  run (dialog, func, owner);
}

void
stria_choose_annotations (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      _ ("Import Annotations"), parent, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  g_autoptr (GtkFileFilter) files = gtk_file_filter_new ();

  gtk_file_filter_set_name (files, _ ("Annotations"));
  gtk_file_filter_add_suffix (files, "json");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), files);
  run (dialog, func, owner);
}

void
stria_choose_definitions (GtkWindow *parent, StriaChosenFunc func, gpointer owner)
{
  run (gtk_file_chooser_native_new (_ ("Choose Definitions"), parent, GTK_FILE_CHOOSER_ACTION_OPEN,
                                    _ ("_Open"), _ ("_Cancel")),
       func, owner);
}

typedef struct
{
  GWeakRef       owner;
  StriaSavedFunc func;
  GBytes        *bytes;
} Save;

static void
save_free (Save *save)
{
  g_weak_ref_clear (&save->owner);
  g_bytes_unref (save->bytes);
  g_free (save);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Save *save = user_data;
  g_autoptr (GObject) owner = g_weak_ref_get (&save->owner);
  g_autoptr (GError) error = NULL;

  g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);
  if (owner != NULL)
    save->func (owner, error);
  save_free (save);
}

static void
on_save_response (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  Save *save = user_data;
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    g_file_replace_contents_bytes_async (file, save->bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                         on_saved, save);
  else
    save_free (save);
  g_object_unref (dialog);
}

void
stria_save_text (GtkWindow *parent, const char *title, const char *name, const char *text,
                 StriaSavedFunc func, gpointer owner)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
    title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  g_autofree char *safe_name = g_strdelimit (g_strdup (name), "/", '-');
  Save *save = g_new0 (Save, 1);

  g_weak_ref_init (&save->owner, owner);
  save->func = func;
  save->bytes = g_bytes_new (text, strlen (text));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), safe_name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (on_save_response), save);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
stria_tell (GtkWidget *widget, const char *text)
{
  gtk_widget_activate_action (widget, "win.toast", "s", text);
}

void
stria_tell_saved (gpointer owner, const GError *error)
{
  stria_tell (GTK_WIDGET (owner), error != NULL ? error->message : _ ("Saved"));
}

void
stria_copy_text (GtkWidget *widget, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  stria_tell (widget, _ ("Copied"));
}
