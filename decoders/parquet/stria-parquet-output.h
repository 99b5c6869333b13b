/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-reader.h"

G_BEGIN_DECLS

/**
 * StriaParquetOutput:
 * @form: how values lie; _INDEX only while all of a batch come by way of one dictionary
 * @natural: the form without a dictionary
 * @width: bytes of a value in @values in the natural form; 0: byte arrays
 * @values: of all forms but _BYTES
 * @offsets: of _BYTES: @n + 1
 * @n: values so far, without null ones until stria_parquet_output_spread()
 * @limit: bytes at most
 *
 * Values of one column of a batch, or of a dictionary; grows and is used again.
 */
typedef struct
{
  StriaParquetForm form;
  StriaParquetForm natural;
  guint            width;
  guint8          *values;
  gsize            values_size;
  guint32         *offsets;
  gsize            offsets_size;
  guint8          *data;
  gsize            data_size;
  gsize            data_length;
  guint32          n;
  guint64          limit;
} StriaParquetOutput;

/* Bytes behind what was reserved that may be written over, so that short copies can be of a
 * constant length */
#define STRIA_PARQUET_SLACK 32

void     stria_parquet_output_init    (StriaParquetOutput *self, const StriaParquetNode *node,
                                       guint64 limit);
void     stria_parquet_output_clear   (StriaParquetOutput *self);
/* Forgets the values. */
void     stria_parquet_output_reset   (StriaParquetOutput *self);
/* Makes room for @n values in all, in the form at hand. FALSE: more than the limit or the memory */
gboolean stria_parquet_output_reserve (StriaParquetOutput *self, guint64 n);
/* Makes room for @length bytes more of byte arrays. FALSE: more than the limit or the memory */
gboolean stria_parquet_output_bytes   (StriaParquetOutput *self, guint64 length);
/* Sets values apart so that value i is where @valid[i] is not 0; null ones become 0 or empty.
 * @n: how many there are then, for which there must be room */
void     stria_parquet_output_spread  (StriaParquetOutput *self, const guint8 *valid, guint32 n);
/* Appends @n values of @from, a dictionary of the same natural form; indices are in bounds. */
gboolean stria_parquet_output_gather  (StriaParquetOutput *self, const StriaParquetOutput *from,
                                       const guint32 *indices, gsize n);
/* From _INDEX to _BYTES */
gboolean stria_parquet_output_resolve (StriaParquetOutput *self, const StriaParquetOutput *from);

G_END_DECLS
