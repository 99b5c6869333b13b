/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_VIEW (stria_source_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceView, stria_source_view, STRIA, SOURCE_VIEW, GtkWidget)

/**
 * StriaSourceView:
 *
 * Source code that a capture speaks of, to be read only. Files are looked for at the path that the
 * capture names, then in the folders that the user gave.
 */
GtkWidget *stria_source_view_new      (StriaSession *session);
/**
 * stria_source_view_show:
 * @path: as the capture says it
 * @line: from 1; 0 marks none
 *
 * Finds the file, and shows and marks the line.
 */
void       stria_source_view_show     (StriaSourceView *self, const char *path, guint line);
/* Whether @capture mentions files of source; any thread */
gboolean   stria_source_view_has_data (StriaCapture *capture);

G_END_DECLS
