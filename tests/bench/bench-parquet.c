/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "bench-figures.h"
#include "bench-parquet.h"
#include "stria-error.h"
#include "stria-importer.h"
#include "stria-parquet-page.h"
#include "stria-parquet-writer.h"
#include "stria-scan.h"

/* -- a table ----------------------------------------------------------------------------------- */

static const StriaParquetWriteColumn table[] = {
  { "id", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "start_ts", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "end_ts", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "duration_ns", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "evt_wait_time_ns", STRIA_PARQUET_WRITE_INT64, TRUE, FALSE },
  { "pc", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "pcore_idx", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "raw_flops", STRIA_PARQUET_WRITE_INT64, TRUE, FALSE },
  { "hbm_read_bytes", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "sbuf_write_bytes", STRIA_PARQUET_WRITE_INT64, TRUE, FALSE },
  { "throughput", STRIA_PARQUET_WRITE_DOUBLE, TRUE, FALSE },
  { "utilization", STRIA_PARQUET_WRITE_DOUBLE, FALSE, FALSE },
  { "is_dma", STRIA_PARQUET_WRITE_BOOL, FALSE, FALSE },
  { "engine", STRIA_PARQUET_WRITE_STRING, FALSE, FALSE },
  { "timeline_track", STRIA_PARQUET_WRITE_STRING, FALSE, FALSE },
  { "opcode", STRIA_PARQUET_WRITE_STRING, FALSE, FALSE },
  { "operands", STRIA_PARQUET_WRITE_STRING, TRUE, FALSE },
  { "hlo_name", STRIA_PARQUET_WRITE_STRING, TRUE, FALSE },
  { "layer", STRIA_PARQUET_WRITE_STRING, TRUE, FALSE },
  { "bir_id", STRIA_PARQUET_WRITE_STRING, FALSE, FALSE },
  { "nki_source_location", STRIA_PARQUET_WRITE_STRING, TRUE, FALSE },
};

enum
{
  FIRST_TEXT = 13,
  N_COLUMNS = G_N_ELEMENTS (table),
};

static guint64
next_random (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void
write_row (StriaParquetWriter *writer, guint64 row, gint64 *now, guint64 *state)
{
  static const char *const engines[] = { "Tensor", "Vector", "Scalar", "GpSimd", "Sync" };
  guint64 r = next_random (state);
  guint8 some = r % 8 != 0, is_dma = r % 16 == 1;
  gint64 numbers[10];
  double ratio = (double) (r >> 12 & 0xfffff) / 1048576.0, throughput = ratio * 4e11;
  char text[96];

  *now += (gint64) (r % 900);
  numbers[0] = (gint64) row;
  numbers[1] = *now;
  numbers[3] = (gint64) (r >> 20 & 0x3ff);
  numbers[2] = numbers[1] + numbers[3];
  numbers[4] = (gint64) (r >> 30 & 0xff);
  numbers[5] = (gint64) (row * 64 % 500000);
  numbers[6] = (gint64) (r >> 9 & 7);
  numbers[7] = (gint64) (r >> 40 & 0xff) * 16384;
  numbers[8] = (gint64) (r >> 44 & 0xff) * 512;
  numbers[9] = (gint64) (r >> 48 & 0x3f) * 2048;
  for (guint i = 0; i < 10; i++)
    stria_parquet_writer_int64 (writer, i, &numbers[i], table[i].optional ? &some : NULL, 1);
  stria_parquet_writer_double (writer, 10, &throughput, &some, 1);
  stria_parquet_writer_double (writer, 11, &ratio, NULL, 1);
  stria_parquet_writer_bool (writer, 12, &is_dma, NULL, 1);
  stria_parquet_writer_string (writer, 13, engines[r % 5], -1);
  g_snprintf (text, sizeof text, "%sMatrix%u", engines[r % 5], (guint) (r >> 8 & 1));
  stria_parquet_writer_string (writer, 14, text, -1);
  g_snprintf (text, sizeof text, "OPCODE_%u", (guint) (r >> 16 & 0x3f));
  stria_parquet_writer_string (writer, 15, text, -1);
  g_snprintf (text, sizeof text, "src=0x%x dst=0x%x [1,%u]", (guint) (r >> 24 & 0x3f) * 4096,
              (guint) (r >> 32 & 0x1f) * 8192, (guint) (r >> 24 & 0x3f));
  stria_parquet_writer_string (writer, 16, some ? text : NULL, -1);
  g_snprintf (text, sizeof text, "fusion.%u", (guint) (row / 700 % 900));
  stria_parquet_writer_string (writer, 17, some ? text : NULL, -1);
  g_snprintf (text, sizeof text, "/model/layers.%u/self_attn/q_proj", (guint) (row / 5000 % 80));
  stria_parquet_writer_string (writer, 18, some ? text : NULL, -1);
  g_snprintf (text, sizeof text, "sg%04u:%" G_GUINT64_FORMAT, (guint) (row % 3), row);
  stria_parquet_writer_string (writer, 19, text, -1);
  g_snprintf (text, sizeof text, "attention.py:%u", (guint) (row / 300 % 200));
  stria_parquet_writer_string (writer, 20, r % 3 != 0 ? text : NULL, -1);
}

gboolean
bench_make_parquet (const char *path, guint64 n_rows, double *seconds, GError **error)
{
  g_autoptr (StriaParquetWriter) writer
    = stria_parquet_writer_new (path, table, N_COLUMNS, NULL, error);
  gint64 start = g_get_monotonic_time (), now = 0;
  guint64 state = G_GUINT64_CONSTANT (88172645463325252);

  if (writer == NULL)
    return FALSE;
  for (guint64 row = 0; row < n_rows; row++)
    {
      write_row (writer, row, &now, &state);
      if (stria_parquet_writer_is_full (writer) && !stria_parquet_writer_flush (writer, error))
        return FALSE;
    }
  if (!stria_parquet_writer_finish (writer, error))
    return FALSE;
  *seconds = seconds_since (start);
  return TRUE;
}

/* -- reading it -------------------------------------------------------------------------------- */

typedef struct
{
  StriaParquet *file;
  guint first_group;
  guint n_groups;
  guint64 rows;
  guint64 bytes; /* of values, their validity and their offsets */
  guint64 sum;
  GError *error;
} Reading;

static guint
width_of (const StriaParquetColumn *column)
{
  switch (column->form)
    {
    case STRIA_PARQUET_FORM_BOOL:
      return 1;
    case STRIA_PARQUET_FORM_INT64:
    case STRIA_PARQUET_FORM_DOUBLE:
      return 8;
    case STRIA_PARQUET_FORM_FIXED:
      return column->stride;
    default:
      return 4;
    }
}

static void
take_column (Reading *self, const StriaParquetColumn *column)
{
  self->bytes += (guint64) column->n * width_of (column);
  if (column->valid != NULL)
    self->bytes += column->n;
  if (column->form == STRIA_PARQUET_FORM_BYTES)
    self->bytes += column->offsets[column->n];
  else if (column->n > 0)
    self->sum += column->data[0];
}

static gpointer
read_groups (gpointer user_data)
{
  Reading *self = user_data;
  StriaParquetReadOptions options
    = { .first_group = self->first_group, .n_groups = self->n_groups };
  g_autoptr (StriaParquetReader) reader
    = stria_parquet_reader_new (self->file, &options, &self->error);
  const StriaParquetBatch *batch;

  while (reader != NULL && (batch = stria_parquet_reader_next (reader, &self->error)) != NULL)
    {
      self->rows += batch->n_rows;
      for (guint i = 0; i < batch->n_columns; i++)
        take_column (self, &batch->columns[i]);
    }
  return NULL;
}

static gboolean
job_read (const char *path, guint n_threads, GError **error)
{
  g_autoptr (StriaParquet) file = stria_parquet_open_file (path, NULL, error);
  gint64 start = g_get_monotonic_time ();
  guint64 rows = 0, bytes = 0;
  Reading parts[2] = { { 0 } };
  GThread *threads[2] = { NULL };
  guint n;

  if (file == NULL)
    return FALSE;
  n = stria_parquet_get_n_row_groups (file);
  n_threads = MIN (n_threads, n);
  for (guint i = 0; i < n_threads; i++)
    {
      parts[i].file = file;
      parts[i].first_group = n * i / n_threads;
      parts[i].n_groups = n * (i + 1) / n_threads - parts[i].first_group;
      if (n_threads > 1)
        threads[i] = g_thread_new ("read", read_groups, &parts[i]);
      else
        read_groups (&parts[i]);
    }
  for (guint i = 0; i < n_threads; i++)
    {
      if (threads[i] != NULL)
        g_thread_join (threads[i]);
      rows += parts[i].rows;
      bytes += parts[i].bytes;
      if (parts[i].error != NULL)
        {
          g_propagate_error (error, parts[i].error);
          return FALSE;
        }
    }
  figure ("read_s", seconds_since (start));
  figure ("rows", (double) rows);
  figure ("decoded_mb", (double) bytes / 1e6);
  figure ("file_mb", (double) stria_parquet_get_size (file) / 1e6);
  return TRUE;
}

/* Every page of a chunk, without a look at what it holds */
static gboolean
inflate_chunk (StriaParquetShared *shared, guint group, guint column, GError **error)
{
  StriaParquetPages pages = { 0 };
  StriaParquetPage page;
  const guint8 *data;
  gboolean more = TRUE;
  gboolean good = stria_parquet_pages_open (
    &pages, shared, stria_parquet_part (shared->file, group, column), error);

  while (good && more)
    good = stria_parquet_pages_header (&pages, &page, &more, error)
           && (!more || stria_parquet_pages_load (&pages, &page, &data, error));
  stria_parquet_pages_clear (&pages);
  return good;
}

static gboolean
job_inflate (const char *path, GError **error)
{
  g_autoptr (StriaParquet) file = stria_parquet_open_file (path, NULL, error);
  g_autoptr (StriaParquetInflater) inflater = stria_parquet_inflater_new ();
  StriaParquetShared shared = { .file = file, .inflater = inflater };
  gint64 start = g_get_monotonic_time ();
  gboolean good = file != NULL;

  for (guint g = 0; good && g < stria_parquet_get_n_row_groups (file); g++)
    for (guint i = 0; good && i < stria_parquet_get_n_columns (file); i++)
      good = inflate_chunk (&shared, g, i, error);
  g_aligned_free (shared.packed);
  figure ("inflate_s", seconds_since (start));
  figure ("inflated_mb", (double) shared.counts.bytes_inflated / 1e6);
  return good;
}

/* @argument: megabytes */
static gboolean
job_copy (const char *argument)
{
  gsize length = (gsize) 4 << 20;
  g_autofree guint8 *from = g_malloc0 (length), *to = g_malloc0 (length);
  guint64 left = (guint64) (g_ascii_strtod (argument, NULL) * 1e6);
  gint64 start = g_get_monotonic_time ();

  for (; left > 0; left -= MIN (left, length))
    {
      memcpy (to, from, MIN (left, length));
      /* So that no copy is left out as one that nobody reads */
      __asm__ volatile ("" : : "r" (to) : "memory");
    }
  figure ("copy_s", seconds_since (start));
  return TRUE;
}

/* As a window or the command line opens it; a store that was left by a run before is made again. */
static gboolean
job_import (const char *path, gboolean with_store, GError **error)
{
  const char *paths[] = { path, NULL };
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);
  g_autoptr (StriaImporter) importer = NULL;
  g_autofree char *store = NULL;
  gint64 start = g_get_monotonic_time ();
  guint64 rows = 0;
  GStatBuf info = { 0 };

  if (capture == NULL)
    return FALSE;
  importer = stria_importer_new (capture);
  stria_importer_set_reimport (importer, TRUE);
  stria_importer_set_no_store (importer, !with_store);
  if (!stria_importer_run (importer, NULL, error))
    return FALSE;
  figure ("total_s", seconds_since (start));
  figure ("picture_s", (double) stria_importer_get_picture_us (importer) / 1e6);
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  for (guint i = 0; i < tables->len; i++)
    rows += stria_table_get_n_rows (tables->pdata[i]);
  figure ("rows", (double) rows);
  if (g_stat (path, &info) == 0)
    figure ("file_mb", (double) info.st_size / 1e6);
  store = stria_capture_dup_store_path (capture);
  if (with_store && store != NULL && g_stat (store, &info) == 0)
    figure ("store_mb", (double) info.st_size / 1e6);
  return TRUE;
}

gboolean
bench_parquet_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "parquet"))
    return job_read (argument, 1, error);
  if (g_str_equal (name, "parquet-threads"))
    return job_read (argument, 2, error);
  if (g_str_equal (name, "parquet-rows") || g_str_equal (name, "parquet-store"))
    return job_import (argument, g_str_equal (name, "parquet-store"), error);
  if (g_str_equal (name, "parquet-inflate"))
    return job_inflate (argument, error);
  if (g_str_equal (name, "parquet-copy"))
    return job_copy (argument);
  return FALSE;
}
