/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-bits.h"
#include "stria-parquet-delta.h"
#include "stria-parquet-output.h"
#include "stria-parquet-private.h"

G_BEGIN_DECLS

/**
 * StriaParquetValues:
 *
 * The values of one page, without null ones, by the encoding of the page.
 */
typedef struct
{
  const StriaParquet       *file;
  const StriaParquetNode   *node;
  guint64                   offset; /* of the page, for messages */
  gint32                    encoding;
  const guint8             *at;
  const guint8             *end;
  gsize                     used;  /* values so far, where they are found by number */
  gsize                     total; /* BYTE_STREAM_SPLIT: values of the page */
  StriaRle                  rle;
  StriaDelta                delta;   /* numbers, or lengths of suffixes */
  StriaDelta                prefixes;
  GByteArray               *last;    /* DELTA_BYTE_ARRAY: the value before */
  const StriaParquetOutput *dictionary; /* (nullable) */
} StriaParquetValues;

/* Begins with the values of a page. @self: zeroes at first, then used again */
gboolean stria_parquet_values_init  (StriaParquetValues *self, const StriaParquet *file,
                                     const StriaParquetNode *node, guint64 offset,
                                     gint32 encoding, const guint8 *data, gsize length,
                                     const StriaParquetOutput *dictionary, GError **error);
void     stria_parquet_values_clear (StriaParquetValues *self);
/* Whether the page has indices into the dictionary */
gboolean stria_parquet_values_are_indices (const StriaParquetValues *self);
/* Appends @n values to @output, which has room for them (but for bytes of byte arrays). If its form
 * is _INDEX, the page must have indices, and they are appended. */
gboolean stria_parquet_values_read  (StriaParquetValues *self, StriaParquetOutput *output,
                                     gsize n, GError **error);

G_END_DECLS
