/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-page.h"
#include "stria-parquet-values.h"

G_BEGIN_DECLS

#define STRIA_PARQUET_BLOCK 4096 /* levels of lists that are looked at before they are used */

/* Where a page of a chunk is (OffsetIndex) */
typedef struct
{
  guint64 offset;
  guint64 first_row; /* in the row group */
} StriaParquetPlace;

/* Definition and repetition levels of a page, in one of two encodings */
typedef struct
{
  guint         width;
  gboolean      is_old; /* BIT_PACKED */
  StriaRle      rle;
  const guint8 *bits;
  gsize         used;
} StriaParquetLevels;

/* A list around the values */
typedef struct
{
  guint8            exists;  /* definition level from which on it is not null */
  guint8            element; /* from which on it has an element */
  StriaParquetList  list;
  guint32          *offsets;
  gsize             offsets_size;
  guint8           *valid;
  gsize             valid_size;
  guint32           n_nulls;
} StriaParquetRing;

/**
 * StriaParquetLeaf:
 *
 * One column as it is read: the page at hand, its levels and values, and what the batch holds.
 */
typedef struct
{
  StriaParquetShared     *shared;
  const StriaParquetNode *node;
  guint                   column;
  gboolean                plain_bytes;
  gboolean                keep_levels;
  guint                   n_rings;
  StriaParquetRing       *rings;
  StriaParquetList       *lists;

  StriaParquetPages       pages;
  StriaParquetPage        page;
  StriaParquetValues      values;
  StriaParquetLevels      definitions;
  StriaParquetLevels      repetitions;
  GArray                 *places; /* (nullable): StriaParquetPlace of the chunk's pages */
  guint64                 values_left; /* of the chunk, in pages that were not begun */
  gboolean                ends_by_bytes; /* @values_left isn't known */
  guint64                 page_left; /* levels that were not looked at yet */
  guint64                 row;       /* in the row group: the next to be read */
  guint32                 block;     /* levels that are looked at, and the next of them */
  guint32                 block_at;
  guint8                 *block_definitions;
  guint8                 *block_repetitions;
  StriaParquetOutput      dictionary_values;
  StriaParquetDictionary  dictionary;
  gboolean                has_dictionary;

  StriaParquetOutput      output;
  guint8                 *valid;
  gsize                   valid_size;
  guint8                 *all_definitions;
  gsize                   all_definitions_size;
  guint8                 *all_repetitions;
  gsize                   all_repetitions_size;
  guint32                 n_levels;
  float                  *halves;
  gsize                   halves_size;
} StriaParquetLeaf;

void     stria_parquet_leaf_init  (StriaParquetLeaf *self, StriaParquetShared *shared,
                                   guint column, guint64 limit);
void     stria_parquet_leaf_clear (StriaParquetLeaf *self);
/* Goes to the first row of a row group. @places: (transfer full) (nullable) */
gboolean stria_parquet_leaf_open  (StriaParquetLeaf *self, guint row_group, GArray *places,
                                   GError **error);
/* Goes on to a row of the row group, which is not behind. */
gboolean stria_parquet_leaf_seek  (StriaParquetLeaf *self, guint64 row, GError **error);
/* Reads @n rows into @column. */
gboolean stria_parquet_leaf_read  (StriaParquetLeaf *self, guint32 n, StriaParquetColumn *column,
                                   GError **error);

/* Goes to the next page that has values. @more: (out): FALSE at the end of the chunk. For the two
 * files of the leaf */
gboolean stria_parquet_leaf_page  (StriaParquetLeaf *self, gboolean *more, GError **error);
/* Levels of a page. FALSE with @error: there are fewer, or one is higher than @most */
gboolean stria_parquet_leaf_levels (StriaParquetLeaf *self, StriaParquetLevels *levels, guint most,
                                    guint8 *to, gsize n, GError **error);

G_END_DECLS
