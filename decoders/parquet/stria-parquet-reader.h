/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet.h"

G_BEGIN_DECLS

#define STRIA_PARQUET_BATCH_ROWS 65536

/* How the values of a batch lie in memory */
typedef enum
{
  STRIA_PARQUET_FORM_BOOL,   /* @bools: 0 or 1 */
  STRIA_PARQUET_FORM_INT32,  /* @int32s; unsigned integers have the same bits */
  STRIA_PARQUET_FORM_INT64,  /* @int64s; INT96 as nanoseconds since 1970-01-01 */
  STRIA_PARQUET_FORM_FLOAT,  /* @floats; FLOAT16 too */
  STRIA_PARQUET_FORM_DOUBLE, /* @doubles */
  STRIA_PARQUET_FORM_BYTES,  /* value i is @data[@offsets[i]] up to @offsets[i + 1] */
  STRIA_PARQUET_FORM_FIXED,  /* value i is @data[i * @stride] */
  STRIA_PARQUET_FORM_INDEX,  /* @indices into @dictionary */
} StriaParquetForm;

/**
 * StriaParquetDictionary:
 * @serial: another one for each dictionary of a reader, so what was made of one can be kept
 * @n: how many values
 * @data: their bytes, one after the other
 * @offsets: @n + 1; value i is @data[@offsets[i]] up to @offsets[i + 1]
 *
 * The byte arrays of a chunk, each once.
 */
typedef struct
{
  guint64        serial;
  guint32        n;
  const guint8  *data;
  const guint32 *offsets;
} StriaParquetDictionary;

/**
 * StriaParquetList:
 * @n: how many lists: rows for the outermost, else the elements of the list outside
 * @offsets: @n + 1; list i has the elements @offsets[i] up to @offsets[i + 1] of what is inside
 * @valid: (nullable): a byte a list, 0 where it is null (and so empty), as it is when a group
 *   around it is null; NULL: none is null
 *
 * One level of lists over a column. A repeated group without a list annotation is a list too.
 */
typedef struct
{
  guint32        n;
  const guint32 *offsets;
  const guint8  *valid;
} StriaParquetList;

/**
 * StriaParquetColumn:
 * @column: its number in the file
 * @n: values, null ones too; as many as rows unless there are lists
 * @n_nulls: how many are null
 * @valid: (nullable): a byte a value, 0 where it is null, also since a group around it is null;
 *   NULL: none is null. A null value is 0, an empty array, or index 0.
 * @n_lists: how many levels of lists are around a value
 * @lists: outermost first
 * @levels: (nullable): of readers that keep them: @n_levels definition levels
 * @repetitions: (nullable): the repetition levels beside them, NULL if the column is in no list
 *
 * What a batch holds of one column.
 */
typedef struct
{
  guint                   column;
  const StriaParquetNode *node;
  StriaParquetForm        form;
  guint32                 n;
  guint32                 n_nulls;
  const guint8           *valid;
  union
  {
    const guint8  *bools;
    const gint32  *int32s;
    const gint64  *int64s;
    const float   *floats;
    const double  *doubles;
    const guint32 *indices;
    const guint8  *data;
  };
  const guint32                *offsets;
  guint32                       stride;
  const StriaParquetDictionary *dictionary;
  guint                         n_lists;
  const StriaParquetList       *lists;
  guint32                       n_levels;
  const guint8                 *levels;
  const guint8                 *repetitions;
} StriaParquetColumn;

/**
 * StriaParquetBatch:
 * @row_group: where its rows are; a batch never has rows of two
 * @first_row: number of its first row in the file
 * @n_rows: how many
 * @columns: one for each column that was asked for, in that order
 *
 * Valid until the reader is asked for another, or freed.
 */
typedef struct
{
  guint                     row_group;
  guint64                   first_row;
  guint32                   n_rows;
  guint                     n_columns;
  const StriaParquetColumn *columns;
} StriaParquetBatch;

/**
 * StriaParquetCondition:
 * @column: whose values decide; need not be one that is read
 * @kind: which of the bounds are meant: %STRIA_PARQUET_FORM_INT64 for all integers, times and
 *   booleans, _DOUBLE for FLOAT and DOUBLE, _BYTES for texts and bytes
 * @min_integer: smallest value that is wanted
 * @max_integer: largest
 *
 * Rows with a value from min to max. A filter only leaves out rows that cannot have one by what the
 * file says of its chunks and pages; what it lets through may be others, too.
 */
typedef struct
{
  guint            column;
  StriaParquetForm kind;
  gint64           min_integer;
  gint64           max_integer;
  double           min_double;
  double           max_double;
  const guint8    *min_bytes; /* NULL: no bound */
  gsize            min_length;
  const guint8    *max_bytes;
  gsize            max_length;
} StriaParquetCondition;

/**
 * StriaParquetReadOptions:
 * @columns: (nullable): which to read; NULL: all
 * @first_group: row group to begin with
 * @n_groups: how many; 0: all from there on
 * @batch_rows: rows in a batch at most; 0: %STRIA_PARQUET_BATCH_ROWS
 * @batch_bytes: bytes of one column in a batch at most, beyond which there is an error; 0: 1 GiB
 * @conditions: (nullable): all of them must hold; copied, but not the bytes they point to
 * @plain_bytes: byte arrays never as indices
 * @keep_levels: give definition and repetition levels, too
 * @check_sums: compare the CRC-32 of pages that have one
 */
typedef struct
{
  const guint                 *columns;
  guint                        n_columns;
  guint                        first_group;
  guint                        n_groups;
  guint32                      batch_rows;
  guint64                      batch_bytes;
  const StriaParquetCondition *conditions;
  guint                        n_conditions;
  gboolean                     plain_bytes;
  gboolean                     keep_levels;
  gboolean                     check_sums;
} StriaParquetReadOptions;

/* What a reader did so far */
typedef struct
{
  guint64 bytes_read;   /* from the file */
  guint64 bytes_inflated;
  guint64 pages;
  guint64 pages_skipped;
  guint64 groups_skipped;
  guint64 rows_skipped;
} StriaParquetCounts;

/**
 * StriaParquetReader:
 *
 * Reads columns of a file, a batch of rows at a time, from front to back. It holds one page and one
 * dictionary of each of its columns. Belongs to one thread at a time; several readers may share a
 * file, each with columns or row groups of its own.
 */
typedef struct _StriaParquetReader StriaParquetReader;

/* @options: (nullable): NULL: all of the file
 * Returns: (transfer full): NULL with %STRIA_ERROR_QUERY for a column, row group or condition that
 * the file does not have, or %STRIA_ERROR_UNSUPPORTED */
StriaParquetReader *stria_parquet_reader_new  (StriaParquet *file,
                                               const StriaParquetReadOptions *options,
                                               GError **error);
void                stria_parquet_reader_free (StriaParquetReader *self);

/**
 * stria_parquet_reader_next:
 * @error: %STRIA_ERROR_MALFORMED, _TRUNCATED, _LIMIT, _UNSUPPORTED (a codec or encoding), with the
 *   file, the offset of the page, what was expected and what was found
 *
 * Returns: (transfer none) (nullable): the next batch; NULL at the end, or with @error. After an
 *   error in one row group, stria_parquet_reader_skip_group() goes on with the next.
 */
const StriaParquetBatch *stria_parquet_reader_next (StriaParquetReader *self, GError **error);
void                stria_parquet_reader_skip_group (StriaParquetReader *self);
void                stria_parquet_reader_get_counts (const StriaParquetReader *self,
                                                     StriaParquetCounts *counts);

/* Appends row @row of a column as JSON: lists as arrays; decimals as strings; dates and times as
 * whole numbers of their unit; bytes that are no text as strings of hexadecimal digits; UUIDs with
 * dashes; NaN and infinities as strings. */
void                stria_parquet_append_json (const StriaParquetColumn *column, guint32 row,
                                               GString *text);
/* Bytes of value @i (not row) of a column in the forms BYTES, FIXED or INDEX; NULL for null */
static inline const guint8 *
stria_parquet_value_bytes (const StriaParquetColumn *column, guint32 i, gsize *length)
{
  const guint8 *data = column->data;
  const guint32 *offsets = column->offsets;

  if (column->valid != NULL && !column->valid[i])
    {
      *length = 0;
      return NULL;
    }
  if (column->form == STRIA_PARQUET_FORM_FIXED)
    {
      *length = column->stride;
      return data + (gsize) i * column->stride;
    }
  if (column->form == STRIA_PARQUET_FORM_INDEX)
    {
      i = column->indices[i];
      data = column->dictionary->data;
      offsets = column->dictionary->offsets;
    }
  *length = offsets[i + 1] - offsets[i];
  return data + offsets[i];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaParquetReader, stria_parquet_reader_free)

G_END_DECLS
