/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtksourceview/gtksource.h>

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_PAGE (stria_source_page_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourcePage, stria_source_page, STRIA, SOURCE_PAGE, GtkWidget)

/**
 * StriaSourcePage:
 *
 * One file of source, to be read only. Files are looked for at the path that the capture names, then
 * in the folders that the user gave.
 *
 * Signals: "shown": another file or line is shown, or why it is not.
 */
GtkWidget     *stria_source_page_new         (StriaCapture *capture);
/**
 * stria_source_page_show:
 * @path: as the capture says it
 * @line: from 1; 0 marks none
 * @is_quiet: the keyboard stays where it is
 *
 * Finds the file, and shows and marks the line.
 */
void           stria_source_page_show        (StriaSourcePage *self, const char *path, guint line,
                                              gboolean is_quiet);
/* As the capture says it. Returns: (transfer none) (nullable) */
const char    *stria_source_page_get_path    (StriaSourcePage *self);
/* Whether a text is there to be seen, rather than why there is none */
gboolean       stria_source_page_has_text    (StriaSourcePage *self);
/* Whether it moves the caret itself, rather than a person */
gboolean       stria_source_page_is_moving   (StriaSourcePage *self);
/* Returns: (transfer none) */
GtkSourceView *stria_source_page_get_text    (StriaSourcePage *self);
/* (nullable): what is doubtful about the file, beside what the page knows itself */
void           stria_source_page_set_warning (StriaSourcePage *self, const char *warning);

G_END_DECLS
