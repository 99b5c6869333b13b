/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"

G_BEGIN_DECLS

/**
 * StriaChunkFacts:
 * @min: smallest value of an INT or BOOL column
 * @max: largest
 * @n_nulls: rows without a value
 * @bounded: whether @min and @max say anything
 *
 * What is known of a chunk without reading it.
 */
typedef struct
{
  gint64 min;
  gint64 max;
  guint32 n_nulls;
  gboolean bounded;
} StriaChunkFacts;

/* Layout of a chunk: see stria-table-chunk.c. @out is appended to. */
void stria_table_chunk_encode (StriaCellType type, const StriaColumnData *data, guint32 n_rows,
                               GByteArray *out, StriaChunkFacts *facts);
/* Returns: (transfer full) (nullable): NULL if the bytes are no chunk of @n_rows values of @type */
StriaColumnChunk *stria_table_chunk_decode (StriaCellType type, const guint8 *bytes, gsize length,
                                            guint32 n_rows);

G_END_DECLS
