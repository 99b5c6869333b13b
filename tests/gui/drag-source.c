/* SPDX-License-Identifier: Apache-2.0 */
/* A window to drag files out of, as a file manager would let one: drag-source FILE...
 * With --copy they are put on the clipboard as well, with --copy-text their paths as a text. */
#include "config.h"

#include <gtk/gtk.h>

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, gpointer data)
{
  GPtrArray *files = data;
  GdkFileList *list = gdk_file_list_new_from_array ((GFile **) files->pdata, files->len);
  GdkContentProvider *provider = gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, list);

  g_boxed_free (GDK_TYPE_FILE_LIST, list);
  return provider;
}

static void
on_drag_end (GtkDragSource *source, GdkDrag *drag, gboolean delete_data, gpointer data)
{
  g_print ("dropped\n");
}

static gboolean
on_drag_cancel (GtkDragSource *source, GdkDrag *drag, GdkDragCancelReason reason, gpointer data)
{
  g_print ("cancelled %d\n", reason);
  return FALSE;
}

static void
copy (GtkWidget *widget, GPtrArray *files, gboolean as_text)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);
  g_autoptr (GString) text = g_string_new (NULL);
  GdkFileList *list = gdk_file_list_new_from_array ((GFile **) files->pdata, files->len);

  for (guint i = 0; i < files->len; i++)
    g_string_append_printf (text, "%s\n", g_file_peek_path (files->pdata[i]));
  if (as_text)
    gdk_clipboard_set_text (clipboard, text->str);
  else
    gdk_clipboard_set (clipboard, GDK_TYPE_FILE_LIST, list);
  g_boxed_free (GDK_TYPE_FILE_LIST, list);
  g_print ("copied\n");
}

static gboolean
on_close (GtkWindow *window, gpointer data)
{
  g_main_loop_quit (data);
  return FALSE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWidget *window;
  GtkWidget *label;
  GtkDragSource *source;
  int copies = 0;

  gtk_init ();
  for (int i = 1; i < argc; i++)
    if (g_str_equal (argv[i], "--copy"))
      copies = 1;
    else if (g_str_equal (argv[i], "--copy-text"))
      copies = 2;
    else
      g_ptr_array_add (files, g_file_new_for_commandline_arg (argv[i]));
  window = gtk_window_new ();
  gtk_window_set_title (GTK_WINDOW (window), "Drag Source");
  gtk_window_set_default_size (GTK_WINDOW (window), 200, 120);
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  label = gtk_label_new ("Drag from here");
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_vexpand (label, TRUE);
  source = gtk_drag_source_new ();
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), files);
  g_signal_connect (source, "drag-end", G_CALLBACK (on_drag_end), NULL);
  g_signal_connect (source, "drag-cancel", G_CALLBACK (on_drag_cancel), NULL);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  g_signal_connect (window, "close-request", G_CALLBACK (on_close), loop);
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
  if (copies > 0)
    copy (window, files, copies == 2);
  g_main_loop_run (loop);
  return 0;
}
