/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*StriaChosenFunc) (gpointer owner, const char *const *paths);

/* File choosers for opening. @func is called if something was chosen and @owner, a #GObject, still
 * lives. */
void   stria_choose_files     (GtkWindow *parent, StriaChosenFunc func, gpointer owner);
void   stria_choose_files_to_add (GtkWindow *parent, StriaChosenFunc func, gpointer owner);
void   stria_choose_folder    (GtkWindow *parent, StriaChosenFunc func, gpointer owner);
void   stria_choose_source_folder (GtkWindow *parent, StriaChosenFunc func, gpointer owner);
void   stria_choose_source_archive (GtkWindow *parent, StriaChosenFunc func, gpointer owner);

/* Annotations that somebody shared */
void   stria_choose_annotations (GtkWindow *parent, StriaChosenFunc func, gpointer owner);

/* A FileDescriptorSet */
void   stria_choose_definitions (GtkWindow *parent, StriaChosenFunc func, gpointer owner);

/* Asks for a file and writes @text to it. @func (error NULL: saved) is called when a file was chosen,
 * if @owner still lives. */
typedef void (*StriaSavedFunc) (gpointer owner, const GError *error);
void   stria_save_text        (GtkWindow *parent, const char *title, const char *name,
                               const char *text, StriaSavedFunc func, gpointer owner);

/* A short text over the window that @widget is in */
void   stria_tell             (GtkWidget *widget, const char *text);
/* A #StriaSavedFunc for widgets that only tell how it went */
void   stria_tell_saved       (gpointer owner, const GError *error);
/* Puts @text on the clipboard, and says so. */
void   stria_copy_text        (GtkWidget *widget, const char *text);

/* Paths of the local files among those of a #GdkFileList or a list model.
 * Returns: (transfer full) (nullable): NULL if there is none */
char **stria_paths_from_files (GdkFileList *files);

G_END_DECLS
