/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-reader.h"
#include "stria-parquet-writer.h"

G_BEGIN_DECLS

/* Path of a file of tests/fixtures/parquet. (transfer full) */
char      *parquet_fixture       (const char *name);
/* Lines of one, without their ends. (transfer full) */
char     **parquet_fixture_lines (const char *name);
/* A row of a batch as JSON: an array of its columns */
void       parquet_append_row    (const StriaParquetBatch *batch, guint32 row, GString *line);
/* All rows that @options give, each as a line. (transfer full); NULL with @error */
GPtrArray *parquet_read_rows     (StriaParquet *file, const StriaParquetReadOptions *options,
                                  GError **error);

G_END_DECLS
