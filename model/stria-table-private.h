/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table-chunk.h"
#include "stria-table.h"

G_BEGIN_DECLS

/* Where the bytes of one column's chunk are. */
typedef struct
{
  guint64 place;
  guint64 length;
  StriaChunkFacts facts;
} StriaChunkPlace;

typedef GBytes *(*StriaChunkLoader) (gpointer user_data, const StriaChunkPlace *place, GError **error);

struct _StriaTable
{
  gatomicrefcount refs;
  char *name;
  guint32 artifact;
  guint n_columns;
  StriaColumnInfo *columns;
  GArray *first_row; /* guint64: of each chunk, and the number of rows at the end */
  GArray **places;   /* StriaChunkPlace, by column, chunk by chunk */
  StriaChunkLoader loader;
  gpointer loader_data;
  GDestroyNotify loader_destroy;
};

/* Without chunks and without a loader; the columns are copied. */
StriaTable *stria_table_new (const char *name, guint32 artifact, const StriaColumnInfo *columns,
                             guint n_columns);
/* The bytes of a chunk as they are kept. Returns: (transfer full) */
GBytes *stria_table_load_bytes (StriaTable *self, guint column, guint32 chunk, GError **error);

G_END_DECLS
