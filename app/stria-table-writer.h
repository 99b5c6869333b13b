/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include "stria-table.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_TABLE_FORMAT_CSV,
  STRIA_TABLE_FORMAT_JSON,
  STRIA_TABLE_FORMAT_PARQUET,
} StriaTableFormat;

/* "csv", "json", "parquet". FALSE: it is none of them */
gboolean stria_table_format_parse (const char *name, StriaTableFormat *format);

/**
 * stria_table_write:
 * @tables: (element-type StriaTable): of one name, at least one; written as one, with the columns of
 *   each and, if there are several, with one that says which artifact
 * @artifacts: (nullable) (array): name of the artifact by table
 * @name: of the file, for messages
 * @n_rows: (out) (nullable): how many were written
 *
 * Chunk by chunk: for a worker.
 *
 * Returns: FALSE with @error if a chunk could not be read or something not be written
 */
gboolean stria_table_write        (GPtrArray *tables, const char *const *artifacts,
                                   StriaTableFormat format, const char *name, FILE *file,
                                   guint64 *n_rows, GCancellable *cancellable, GError **error);

G_END_DECLS
