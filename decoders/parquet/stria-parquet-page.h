/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-codec.h"
#include "stria-parquet-reader.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_PARQUET_PAGE_DATA = 0,
  STRIA_PARQUET_PAGE_INDEX = 1,
  STRIA_PARQUET_PAGE_DICTIONARY = 2,
  STRIA_PARQUET_PAGE_DATA_V2 = 3,
} StriaParquetPageType;

typedef struct
{
  guint64  offset;       /* of its header in the file */
  gint32   type;
  guint32  compressed;   /* bytes of the body */
  guint32  uncompressed;
  guint32  n_values;
  gint32   encoding;
  gint32   definition_encoding; /* of data pages, version 1 */
  gint32   repetition_encoding;
  guint32  n_rows;              /* version 2 */
  guint32  definition_length;   /* version 2: bytes of levels in front of the values */
  guint32  repetition_length;
  gboolean is_compressed;
  gboolean has_crc;
  guint32  crc;
} StriaParquetPage;

/* What all columns of a reader share */
typedef struct
{
  StriaParquet         *file;
  StriaParquetInflater *inflater;
  guint8               *packed; /* a body as it is in the file */
  gsize                 packed_size;
  gboolean              check_sums;
  StriaParquetCounts    counts;
} StriaParquetShared;

/**
 * StriaParquetPages:
 *
 * The pages of one chunk from front to back: their headers, and the bodies that are asked for.
 */
typedef struct
{
  StriaParquetShared *shared;
  StriaParquetCodec   codec;
  guint64             at;     /* in the file */
  guint64             end;
  guint8             *window; /* bytes of the file from @window_at on */
  gsize               window_size;
  gsize               window_length;
  guint64             window_at;
  guint8             *body;   /* of the last page that was loaded */
  gsize               body_size;
} StriaParquetPages;

void     stria_parquet_pages_clear  (StriaParquetPages *self);
/* Goes to a chunk; FALSE with @error if it cannot be read. */
gboolean stria_parquet_pages_open   (StriaParquetPages *self, StriaParquetShared *shared,
                                     const StriaParquetPart *part, GError **error);
/* Reads the header at @self->at, which stays there. @more: (out): FALSE: the chunk has no more */
gboolean stria_parquet_pages_header (StriaParquetPages *self, StriaParquetPage *page,
                                     gboolean *more, GError **error);
/* Inflates the body of that page and moves behind it. @data: valid until the next one is loaded */
gboolean stria_parquet_pages_load   (StriaParquetPages *self, const StriaParquetPage *page,
                                     const guint8 **data, GError **error);
/* Moves behind that page without reading it. */
void     stria_parquet_pages_skip   (StriaParquetPages *self, const StriaParquetPage *page);

G_END_DECLS
