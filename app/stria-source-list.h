/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-source-heat.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SOURCE_LIST (stria_source_list_get_type ())
G_DECLARE_FINAL_TYPE (StriaSourceList, stria_source_list, STRIA, SOURCE_LIST, GtkWidget)

/**
 * StriaSourceList:
 *
 * The files of source that a capture mentions, or their lines with the functions, the hottest first.
 *
 * Signals: "chosen" (path, line: chosen by the user; line 0: the file)
 */
GtkWidget *stria_source_list_new       (void);
/* @index: (nullable): nothing is known yet; @heat: (nullable): no values */
void       stria_source_list_set_heat  (StriaSourceList *self, StriaSourceIndex *index,
                                        StriaSourceHeat *heat);
/* Shows @path as the one that is open, if it is listed. @line: 0 of none */
void       stria_source_list_set_place (StriaSourceList *self, const char *path, guint line);

G_END_DECLS
