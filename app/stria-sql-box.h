/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-tables-job.h"

G_BEGIN_DECLS

#define STRIA_TYPE_SQL_BOX (stria_sql_box_get_type ())
G_DECLARE_FINAL_TYPE (StriaSqlBox, stria_sql_box, STRIA, SQL_BOX, GtkWidget)

/**
 * StriaSqlBox:
 *
 * Where SQL is written: with colours, completion of the names of tables and columns, queries that were
 * saved, and reports.
 *
 * Signals: "run" (const char *: SQL): Ctrl+Enter, the button, or a query that was chosen; "cancel".
 */
GtkWidget *stria_sql_box_new         (void);
/* @tables: (element-type StriaShownTable): whose names are completed and reports are made of */
void       stria_sql_box_set_tables  (StriaSqlBox *self, GPtrArray *tables);
/* @sql stands there until a person writes something else. */
void       stria_sql_box_suggest     (StriaSqlBox *self, const char *sql);
void       stria_sql_box_set_running (StriaSqlBox *self, gboolean running);
/* @at: character of the text at which it is wrong, -1: not known. @message: (nullable): all is well */
void       stria_sql_box_set_error   (StriaSqlBox *self, const char *message, int at);
/* About the report that was chosen, or "" */
const char *stria_sql_box_get_note   (StriaSqlBox *self);

G_END_DECLS
