/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaReport:
 * @id: stable short name
 * @title: what it answers; to translate
 * @note: how to read the answer; to translate
 * @needs: tables, and columns as "table.column", with a space between: without one it cannot be made
 * @sql: the query
 *
 * A question that people ask of profiles, as SQL that they can read and change.
 */
typedef struct
{
  const char *id;
  const char *title;
  const char *note;
  const char *needs;
  const char *sql;
} StriaReport;

/* @n: how many. Returns: (transfer none) (array length=n) */
const StriaReport *stria_reports    (guint *n);
/* Whether @has says TRUE to all that the report needs. @missing: (out) (nullable) (transfer full):
 * the first that is not there. @has is asked for a table and a column, NULL for the table alone. */
typedef gboolean (*StriaReportHas) (const char *table, const char *column, gpointer user_data);
gboolean           stria_report_can (const StriaReport *report, StriaReportHas has,
                                     gpointer user_data, char **missing);

G_END_DECLS
