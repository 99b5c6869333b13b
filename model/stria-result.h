/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"

G_BEGIN_DECLS

/**
 * stria_result_new:
 * @store_path: a finished store
 * @sql: one SQL statement that only reads
 * @error_at: (out) (nullable): character of @sql at which it is wrong, -1: not known
 *
 * Runs @sql and keeps its answer as a table, chunk by chunk in a spill file, so that millions of rows
 * need little memory. SQL has types by cell: a column gets the one that holds all of its values;
 * numbers that a real cannot hold exactly make it text. Columns of one name are told apart by a number.
 * Bytes (BLOB) are shown as their count. For a worker.
 *
 * Returns: (transfer full): the answer, or NULL with the errors of stria_query()
 */
StriaTable *stria_result_new (const char *store_path, const char *sql, int *error_at,
                              GCancellable *cancellable, GError **error);

G_END_DECLS
