/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-parquet-private.h"
#include "stria-parquet-writer.h"

G_BEGIN_DECLS

#define STRIA_PARQUET_WRITE_PAGE 32768 /* values in a page at most, of lists about */

/* What is appended to a column until its row group is written, and what of it was written */
typedef struct
{
  StriaParquetWriteColumn spec;
  char       *name;
  GByteArray *valid;   /* optional: a byte a row */
  GArray     *counts;  /* lists: guint32 a row */
  GArray     *numbers; /* gint64, or the bits of doubles; without null ones */
  GByteArray *bools;
  GByteArray *texts;
  GArray     *ends;    /* guint32: where each text ends */
  guint64     n_rows;
  guint64     list_left; /* elements of the last list that were not appended yet */
} StriaParquetWriterColumn;

/* A chunk that is in the file */
typedef struct
{
  guint64 offset;
  guint64 dictionary_offset; /* 0: none */
  guint64 data_offset;
  guint64 compressed;
  guint64 uncompressed;
  guint64 n_values;
  guint64 n_nulls;
  guint32 encodings; /* bits */
  guint8 *min;       /* (nullable) */
  guint8 *max;       /* (nullable) */
  guint   min_length;
  guint   max_length;
} StriaParquetWritten;

void stria_parquet_writer_column_init  (StriaParquetWriterColumn *self,
                                        const StriaParquetWriteColumn *spec);
void stria_parquet_writer_column_clear (StriaParquetWriterColumn *self);
/* Makes the pages of all that was appended, which is then forgotten. @pages: (out): the chunk;
 * offsets count from its beginning. @level: of zstd; 0: uncompressed */
gboolean stria_parquet_writer_column_write (StriaParquetWriterColumn *self, int level,
                                            GByteArray *pages, StriaParquetWritten *written);
void stria_parquet_written_clear (StriaParquetWritten *self);

G_END_DECLS
