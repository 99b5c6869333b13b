/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet.h"

G_BEGIN_DECLS

/* Numbers of the format (parquet.thrift, Encoding) */
typedef enum
{
  STRIA_PARQUET_ENCODING_PLAIN = 0,
  STRIA_PARQUET_ENCODING_PLAIN_DICTIONARY = 2,
  STRIA_PARQUET_ENCODING_RLE = 3,
  STRIA_PARQUET_ENCODING_BIT_PACKED = 4,
  STRIA_PARQUET_ENCODING_DELTA_BINARY_PACKED = 5,
  STRIA_PARQUET_ENCODING_DELTA_LENGTH_BYTE_ARRAY = 6,
  STRIA_PARQUET_ENCODING_DELTA_BYTE_ARRAY = 7,
  STRIA_PARQUET_ENCODING_RLE_DICTIONARY = 8,
  STRIA_PARQUET_ENCODING_BYTE_STREAM_SPLIT = 9,
} StriaParquetEncoding;

/* What only reading needs of a chunk */
typedef struct
{
  StriaParquetChunk public;
  guint64  data_offset;
  guint64  dictionary_offset; /* 0: none said */
  gboolean is_missing;        /* the footer has no metadata of it */
  gboolean is_encrypted;
  gboolean is_elsewhere;      /* in another file */
} StriaParquetPart;

typedef struct
{
  guint64 first; /* row */
  guint64 n_rows;
} StriaParquetGroup;

struct _StriaParquet
{
  gint ref_count;
  char *name;
  int fd; /* -1: @bytes */
  GBytes *bytes;
  const guint8 *data; /* of @bytes */
  guint64 size;
  StriaParquetLimits limits; /* none is 0 */

  guint8 *footer; /* texts and statistics lie in it */
  GStringChunk *texts;
  gint32 version;
  const char *created_by;
  guint64 n_rows;
  GArray *pairs;  /* StriaParquetPair */
  GArray *nodes;  /* StriaParquetNode */
  GArray *leaves; /* guint: node of each column */
  GArray *groups; /* StriaParquetGroup */
  GArray *parts;  /* StriaParquetPart: groups times columns */
};

static inline const StriaParquetPart *
stria_parquet_part (const StriaParquet *self, guint row_group, guint column)
{
  return &g_array_index (self->parts, StriaParquetPart,
                         (gsize) row_group * self->leaves->len + column);
}

/* Reads the footer, which lies in @self->footer. */
gboolean stria_parquet_read_footer (StriaParquet *self, gsize length, guint64 offset,
                                    GError **error);
/* Reads exactly @length bytes, which must be in the file. */
gboolean stria_parquet_pread (const StriaParquet *self, guint64 offset, guint8 *buffer,
                              gsize length, GError **error);
/* Sets @error to "file: offset N: ..." */
void     stria_parquet_fault (const StriaParquet *self, GError **error, int code, guint64 offset,
                              const char *format, ...) G_GNUC_PRINTF (5, 6);

G_END_DECLS
