/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_FOLDERS (stria_source_folders_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceFolders, stria_source_folders, STRIA, SOURCE_FOLDERS, GtkWidget)

/**
 * StriaSourceFolders:
 *
 * A menu button with the folders of source code: shows them, takes some away, adds others. The list
 * is a preference of the user; all windows share it.
 *
 * Signals: "changed"
 */
GtkWidget *stria_source_folders_new (void);
/* Asks for a folder and adds it */
void       stria_source_folders_ask (StriaSourceFolders *self);
/* Adds those of @paths that are folders. FALSE if none is */
gboolean   stria_source_folders_add (StriaSourceFolders *self, const char *const *paths);

G_END_DECLS
