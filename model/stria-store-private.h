/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sqlite3.h>

#include "stria-capture-private.h"

G_BEGIN_DECLS

#define STRIA_STORE_CHUNK_EVENTS 65536

/* Numbers of the columns in `column_chunk`; never reused for another meaning. */
typedef enum
{
  STRIA_COLUMN_START,
  STRIA_COLUMN_DUR,
  STRIA_COLUMN_VALUE,
  STRIA_COLUMN_NAME,
  STRIA_COLUMN_CATEGORY,
  STRIA_COLUMN_FLAGS,
  STRIA_COLUMN_SEQ,
  STRIA_COLUMN_PARENT,
  STRIA_COLUMN_ARGS,
  STRIA_COLUMN_CORRELATION,
  STRIA_COLUMN_EXTERNAL,
  STRIA_COLUMN_PYTHON,
  STRIA_N_COLUMNS,
} StriaColumnNumber;

static inline gint64
stria_store_chunk_id (guint32 lane, guint column, guint32 chunk)
{
  return (gint64) lane << 32 | (gint64) column << 24 | chunk;
}

/* The array of a column and the size of its elements. */
void **stria_store_column (StriaColumns *columns, guint column, gsize *element_size);

const char *stria_store_lane_kind_name (StriaLaneKind kind);
/* -1: unknown */
int stria_store_lane_kind (const char *name);

/* A virtual table `lane_rows` over the columns of the lane that is set, with the columns of the
 * `slice` table: filling a table from it costs a third less than binding values row by row. */
typedef struct
{
  StriaLane *lane;
  guint32 number;
} StriaRowSource;
int stria_store_rows_register (sqlite3 *db, StriaRowSource *source);

G_END_DECLS
