/* SPDX-License-Identifier: Apache-2.0 */
/* A window to drag files out of, as a file manager would let one: drag-source FILE... */
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

  gtk_init ();
  for (int i = 1; i < argc; i++)
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
  g_main_loop_run (loop);
  return 0;
}
