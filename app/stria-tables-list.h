/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-tables-job.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TABLES_LIST (stria_tables_list_get_type ())
G_DECLARE_FINAL_TYPE (StriaTablesList, stria_tables_list, STRIA, TABLES_LIST, GtkWidget)

/**
 * StriaTablesList:
 *
 * The names of tables with how many rows each has, those of files first, with a filter.
 *
 * Signals: "chosen" (gpointer: StriaShownTable *)
 */
GtkWidget *stria_tables_list_new        (void);
/* What is chosen stays so if it is still there. */
void       stria_tables_list_set_tables (StriaTablesList *self, GPtrArray *tables);
/* Nothing is chosen: something else is shown. */
void       stria_tables_list_unselect   (StriaTablesList *self);

G_END_DECLS
