/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <sqlite3.h>

#include "stria-capture-private.h"

G_BEGIN_DECLS

static inline gint64
stria_store_chunk_id (guint32 lane, guint column, guint32 chunk)
{
  return (gint64) lane << 32 | (gint64) column << 24 | chunk;
}

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
