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
 * Source code that a capture speaks of, to be read only: with what its lines took beside them, the
 * line and stack of the event that is selected on the timeline, and events of lines that are selected
 * here standing out there.
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
/* Opens the bar that finds a text in the file. FALSE: no file is open */
gboolean   stria_source_view_find     (StriaSourceView *self);
/* To the next or previous text that was found; FALSE: none is looked for */
gboolean   stria_source_view_step     (StriaSourceView *self, gboolean forward);
/* Whether @capture mentions files of source; any thread */
gboolean   stria_source_view_has_data (StriaCapture *capture);

G_END_DECLS
