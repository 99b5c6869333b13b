/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_PARQUET_WRITE_BOOL,
  STRIA_PARQUET_WRITE_INT64,
  STRIA_PARQUET_WRITE_TIMESTAMP_NS, /* as INT64, since 1970-01-01 UTC */
  STRIA_PARQUET_WRITE_DOUBLE,
  STRIA_PARQUET_WRITE_STRING, /* UTF-8 */
} StriaParquetWriteType;

/**
 * StriaParquetWriteColumn:
 * @name: UTF-8
 * @type: of a value
 * @optional: values (of a list: lists) may be null
 * @list: each row has a list of values, none of which is null
 */
typedef struct
{
  const char           *name;
  StriaParquetWriteType type;
  gboolean              optional;
  gboolean              list;
} StriaParquetWriteColumn;

/* 0 in a field means the default. */
typedef struct
{
  gboolean                uncompressed; /* else zstd */
  int                     level;        /* of zstd; 3 */
  guint32                 group_rows;   /* rows in a row group, 131,072 */
  const StriaParquetPair *pairs;        /* key/value metadata */
  guint                   n_pairs;
} StriaParquetWriteOptions;

/**
 * StriaParquetWriter:
 *
 * Writes a table as a Parquet file, a row group at a time. Values are appended to each column by
 * themselves, in any order, as long as all columns have the same number of rows whenever
 * stria_parquet_writer_flush() or _finish() is called. Dictionaries, delta encoding of integers and
 * statistics are chosen by what the values are.
 */
typedef struct _StriaParquetWriter StriaParquetWriter;

/* Makes or replaces the file at @path. */
StriaParquetWriter *stria_parquet_writer_new  (const char *path,
                                               const StriaParquetWriteColumn *columns, guint n,
                                               const StriaParquetWriteOptions *options,
                                               GError **error);
/* @fd: written from its position on, which counts as the first byte of the file; not closed */
StriaParquetWriter *stria_parquet_writer_new_fd (const char *name, int fd,
                                                 const StriaParquetWriteColumn *columns, guint n,
                                                 const StriaParquetWriteOptions *options,
                                                 GError **error);
/* Without stria_parquet_writer_finish() before it, the file at a path is removed. */
void     stria_parquet_writer_free    (StriaParquetWriter *self);

/* @valid: (nullable): a byte a value, 0 for null; NULL: none is. Only of columns without lists. */
void     stria_parquet_writer_int64   (StriaParquetWriter *self, guint column,
                                       const gint64 *values, const guint8 *valid, guint32 n);
void     stria_parquet_writer_double  (StriaParquetWriter *self, guint column,
                                       const double *values, const guint8 *valid, guint32 n);
void     stria_parquet_writer_bool    (StriaParquetWriter *self, guint column,
                                       const guint8 *values, const guint8 *valid, guint32 n);
/* One value; @text: (nullable): NULL is null; @length: -1: up to its NUL */
void     stria_parquet_writer_string  (StriaParquetWriter *self, guint column, const char *text,
                                       gssize length);
/* Begins the list of the next row. Its @n elements are appended next, by the calls above. */
void     stria_parquet_writer_list    (StriaParquetWriter *self, guint column, guint32 n,
                                       gboolean is_null);

/* Whether a row group is full, so that stria_parquet_writer_flush() should be called */
gboolean stria_parquet_writer_is_full (const StriaParquetWriter *self);
/* Writes the rows so far as a row group. */
gboolean stria_parquet_writer_flush   (StriaParquetWriter *self, GError **error);
/* Writes what is left and the footer. */
gboolean stria_parquet_writer_finish  (StriaParquetWriter *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaParquetWriter, stria_parquet_writer_free)

G_END_DECLS
