/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_FIND (stria_source_find_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceFind, stria_source_find, STRIA, SOURCE_FIND, GtkWidget)

/**
 * StriaSourceFind:
 *
 * A bar over a text that finds what is typed in it, or goes to a line by its number.
 */
GtkWidget *stria_source_find_new   (GtkSourceView *text);
/* Opens it to find a text, or to go to a line */
void       stria_source_find_open  (StriaSourceFind *self, gboolean for_line);
/* FALSE: it was closed */
gboolean   stria_source_find_close (StriaSourceFind *self);
/* To the next or previous match; FALSE: nothing is looked for */
gboolean   stria_source_find_step  (StriaSourceFind *self, gboolean forward);

G_END_DECLS
