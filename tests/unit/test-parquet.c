/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet files of other writers, row by row; what can be asked of a file; and our own writer. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "parquet-rows.h"
#include "stria-error.h"

static StriaParquet *
open_fixture (const char *name)
{
  g_autofree char *path = parquet_fixture (name);
  g_autoptr (GError) error = NULL;
  StriaParquet *file = stria_parquet_open_file (path, NULL, &error);

  g_assert_no_error (error);
  return file;
}

static StriaParquet *
open_as_bytes (const char *path)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  StriaParquet *file;
  char *content;
  gsize length;

  g_file_get_contents (path, &content, &length, &error);
  g_assert_no_error (error);
  bytes = g_bytes_new_take (content, length);
  file = stria_parquet_open_bytes (path, bytes, NULL, &error);
  g_assert_no_error (error);
  return file;
}

/* Each file of the index with all rows, whatever the batches, and whether mapped or read. */
static void
test_fixtures (void)
{
  static const guint32 batch_rows[] = { 0, 1, 7, 100 };
  g_auto (GStrv) index = parquet_fixture_lines ("index.tsv");

  g_assert_cmpuint (g_strv_length (index), >, 30);
  for (guint i = 0; index[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (index[i], "\t", -1);
      g_auto (GStrv) lines = parquet_fixture_lines (fields[1]);
      g_autofree char *path = parquet_fixture (fields[0]);
      guint times = (guint) g_ascii_strtoull (fields[2], NULL, 10), n = g_strv_length (lines);

      for (guint k = 0; k < 2 * G_N_ELEMENTS (batch_rows); k++)
        {
          g_autoptr (StriaParquet) file = k % 2 ? open_as_bytes (path) : open_fixture (fields[0]);
          StriaParquetReadOptions options = {
            .batch_rows = batch_rows[k / 2],
            .plain_bytes = k % 3 == 0,
            .keep_levels = k % 4 == 3,
            .check_sums = k % 2 == 0,
          };
          g_autoptr (GError) error = NULL;
          g_autoptr (GPtrArray) rows = parquet_read_rows (file, &options, &error);

          g_assert_no_error (error);
          g_assert_cmpuint (stria_parquet_get_n_rows (file), ==, n * times);
          g_assert_cmpuint (rows->len, ==, n * times);
          for (guint r = 0; r < rows->len; r++)
            if (!g_str_equal (rows->pdata[r], lines[r % n]))
              g_error ("%s, row %u: %s, expected %s", fields[0], r, (char *) rows->pdata[r],
                       lines[r % n]);
        }
    }
}

static void
test_schema (void)
{
  g_autoptr (StriaParquet) nested = open_fixture ("duckdb-nested.parquet");
  g_autoptr (StriaParquet) types = open_fixture ("duckdb-types.parquet");
  g_autoptr (StriaParquet) flat = open_fixture ("arrow-pages-v2.parquet");
  g_autofree char *nested_text = stria_parquet_type_text (nested, 0);
  g_autofree char *types_text = stria_parquet_type_text (types, 0);
  g_autofree char *flat_text = stria_parquet_type_text (flat, 0);
  const StriaParquetChunk *chunk;
  guint n;

  g_assert_cmpstr (nested_text, ==,
                   "struct<l: list<int64>, ll: list<list<string>>, "
                   "s: struct<a: int64, b: struct<c: string>>, "
                   "ls: list<struct<x: int64, y: list<double>>>, m: map<string, int64>>");
  g_assert_cmpstr (types_text, ==,
                   "struct<i8: int8, u8: uint8, i16: int16, u16: uint16, u64: uint64, "
                   "d4: decimal(4,1), d9: decimal(9,3), d18: decimal(18,6), d38: decimal(38,10), "
                   "uuid: uuid, time: time[us], ns: timestamp[ns], ms: timestamp[ms], "
                   "mood: string, j: json, gone: int32>");
  g_assert_cmpstr (flat_text, ==,
                   "struct<id: int64, i32: int32, u32: uint32, f64: double, f32: float, ok: bool, "
                   "word: string, text: string, us: timestamp[us], day: date, blob: bytes>");
  g_assert_cmpuint (stria_parquet_find_column (nested, "ll"), ==, 1);
  g_assert_cmpuint (stria_parquet_find_column (nested, "s.b.c"), ==, 3);
  g_assert_cmpuint (stria_parquet_find_column (nested, "s.b"), ==, 3);
  g_assert_cmpuint (stria_parquet_find_column (nested, "s"), ==, STRIA_PARQUET_NONE);
  g_assert_cmpuint (stria_parquet_find_column (nested, "none"), ==, STRIA_PARQUET_NONE);
  g_assert_cmpuint (stria_parquet_get_column (nested, 1)->repetition_level, ==, 2);
  g_assert_cmpuint (stria_parquet_get_column (nested, 1)->definition, ==, 5);
  g_assert_nonnull (strstr (stria_parquet_get_created_by (nested), "DuckDB"));
  g_assert_nonnull (strstr (stria_parquet_get_created_by (flat), "parquet-rs"));
  g_assert_cmpuint (stria_parquet_get_n_row_groups (flat), ==, 3);
  g_assert_cmpuint (stria_parquet_get_group_rows (flat, 2), ==, 40);
  g_assert_cmpuint (stria_parquet_get_group_first (flat, 2), ==, 260);
  stria_parquet_get_pairs (flat, &n);
  chunk = stria_parquet_get_chunk (flat, 0, 2);
  g_assert_cmpint (chunk->codec, ==, STRIA_PARQUET_ZSTD);
  g_assert_cmpuint (chunk->n_values, ==, 130);
  g_assert_cmpuint (chunk->statistics.min_length, ==, 4);
  g_assert_cmpint (chunk->statistics.nulls, ==, 0);
  g_assert_cmpuint (chunk->offset_index_length, >, 0);
}

/* Some columns, in another order, of some row groups */
static void
test_choice (void)
{
  g_autoptr (StriaParquet) file = open_fixture ("arrow-pages-v1.parquet");
  g_auto (GStrv) lines = parquet_fixture_lines ("flat.ndjson");
  guint columns[] = { stria_parquet_find_column (file, "word"),
                      stria_parquet_find_column (file, "id") };
  StriaParquetReadOptions options = {
    .columns = columns, .n_columns = 2, .first_group = 1, .n_groups = 1, .batch_rows = 50,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetReader) reader = stria_parquet_reader_new (file, &options, &error);
  const StriaParquetBatch *batch;
  guint64 next = 130;
  guint n_indexed = 0;

  g_assert_no_error (error);
  while ((batch = stria_parquet_reader_next (reader, &error)) != NULL)
    {
      g_assert_cmpuint (batch->row_group, ==, 1);
      g_assert_cmpuint (batch->first_row, ==, next);
      g_assert_cmpuint (batch->n_columns, ==, 2);
      g_assert_cmpint (batch->columns[1].form, ==, STRIA_PARQUET_FORM_INT64);
      n_indexed += batch->columns[0].form == STRIA_PARQUET_FORM_INDEX;
      for (guint32 i = 0; i < batch->n_rows; i++)
        {
          g_autofree char *id = g_strdup_printf ("[%" G_GINT64_FORMAT ",",
                                                 batch->columns[1].int64s[i]);
          gsize length;
          const guint8 *text = stria_parquet_value_bytes (&batch->columns[0], i, &length);

          g_assert_true (g_str_has_prefix (lines[next + i], id));
          g_assert_true (text == NULL
                         || memmem (lines[next + i], strlen (lines[next + i]), text, length) != NULL);
        }
      next += batch->n_rows;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (next, ==, 260);
  g_assert_cmpuint (n_indexed, >, 0);
}

static void
test_questions (void)
{
  g_autoptr (StriaParquet) file = open_fixture ("duckdb-flat-zstd.parquet");
  guint none = 99;
  StriaParquetReadOptions columns = { .columns = &none, .n_columns = 1 };
  StriaParquetReadOptions groups = { .first_group = 1, .n_groups = 1 };
  StriaParquetCondition condition = { .column = 99, .kind = STRIA_PARQUET_FORM_INT64 };
  StriaParquetReadOptions filter = { .conditions = &condition, .n_conditions = 1 };
  g_autoptr (GError) error = NULL;

  g_assert_null (stria_parquet_reader_new (file, &columns, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_QUERY);
  g_clear_error (&error);
  g_assert_null (stria_parquet_reader_new (file, &groups, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_QUERY);
  g_clear_error (&error);
  g_assert_null (stria_parquet_reader_new (file, &filter, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_QUERY);
  g_clear_error (&error);
  condition.column = stria_parquet_find_column (file, "text");
  g_assert_null (stria_parquet_reader_new (file, &filter, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_QUERY);
}

/* A filter leaves rows out, and never one that is wanted. */
static void
check_filter (const char *name, const char *column, gint64 min, gint64 max, gboolean by_pages)
{
  g_autoptr (StriaParquet) file = open_fixture (name);
  g_auto (GStrv) lines = parquet_fixture_lines ("flat.ndjson");
  StriaParquetCondition condition = {
    .column = stria_parquet_find_column (file, column),
    .kind = STRIA_PARQUET_FORM_INT64,
    .min_integer = min,
    .max_integer = max,
  };
  StriaParquetReadOptions options
    = { .conditions = &condition, .n_conditions = 1, .batch_rows = 13 };
  guint n_lines = g_strv_length (lines), n = (guint) stria_parquet_get_n_rows (file);
  g_autofree gboolean *given = g_new0 (gboolean, n);
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetReader) reader = stria_parquet_reader_new (file, &options, &error);
  const StriaParquetBatch *batch;
  StriaParquetCounts counts;
  guint n_wanted = 0, n_given = 0;

  g_assert_no_error (error);
  while ((batch = stria_parquet_reader_next (reader, &error)) != NULL)
    for (guint32 i = 0; i < batch->n_rows; i++)
      {
        g_string_truncate (line, 0);
        parquet_append_row (batch, i, line);
        g_assert_cmpstr (line->str, ==, lines[(batch->first_row + i) % n_lines]);
        given[batch->first_row + i] = TRUE;
        n_given++;
      }
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      gint64 value = g_ascii_strtoll (lines[i % n_lines] + 1, NULL, 10);

      if (!g_str_equal (column, "id") || value < min || value > max)
        continue;
      n_wanted++;
      g_assert_true (given[i]);
    }
  stria_parquet_reader_get_counts (reader, &counts);
  g_assert_cmpuint (counts.rows_skipped, ==, n - n_given);
  g_assert_cmpuint (n_given, <, n);
  if (by_pages)
    {
      g_assert_cmpuint (n_wanted, >, 0);
      g_assert_cmpuint (counts.pages_skipped, >, 0);
    }
}

static void
test_filter (void)
{
  /* id grows but for five rows, of which one is the largest and one the smallest. */
  check_filter ("arrow-pages-v1.parquet", "id", 5000000000, 9000000000, TRUE);
  check_filter ("arrow-pages-v2.parquet", "id", 5000000000, 9000000000, TRUE);
  check_filter ("hyper-pages.parquet", "id", 5000000000, 9000000000, TRUE);
  check_filter ("arrow-byte_stream_split.parquet", "id", 20000000000, 40000000000, TRUE);
  check_filter ("duckdb-groups.parquet", "us", 0, 5, FALSE);
}

/* What the levels say, written out by hand for a column with all that can be */
static void
test_levels (void)
{
  g_autoptr (StriaParquet) file = open_fixture ("arrow-nested-v1.parquet");
  g_auto (GStrv) lines = parquet_fixture_lines ("nested.ndjson");
  guint column = stria_parquet_find_column (file, "ll");
  StriaParquetReadOptions options
    = { .columns = &column, .n_columns = 1, .batch_rows = 60, .keep_levels = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetReader) reader = stria_parquet_reader_new (file, &options, &error);
  const StriaParquetBatch *batch = stria_parquet_reader_next (reader, &error);
  const StriaParquetColumn *ll;
  guint32 rows = 0, lists = 0, values = 0, nulls = 0;

  g_assert_no_error (error);
  ll = &batch->columns[0];
  g_assert_cmpuint (ll->n_lists, ==, 2);
  for (guint32 i = 0; i < ll->n_levels; i++)
    {
      rows += ll->repetitions[i] == 0;
      lists += ll->repetitions[i] < 2 && ll->levels[i] >= 2;
      values += ll->levels[i] >= 4;
      nulls += ll->levels[i] == 4;
    }
  g_assert_cmpuint (rows, ==, 60);
  g_assert_cmpuint (ll->lists[0].n, ==, 60);
  g_assert_cmpuint (ll->lists[0].offsets[60], ==, lists);
  g_assert_cmpuint (ll->lists[1].n, ==, lists);
  g_assert_cmpuint (ll->lists[1].offsets[lists], ==, values);
  g_assert_cmpuint (ll->n, ==, values);
  g_assert_cmpuint (ll->n_nulls, ==, nulls);
  g_assert_nonnull (lines[59]);
}

/* -- threads ----------------------------------------------------------------------------------- */

static gpointer
read_in_thread (gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *rows = parquet_read_rows (user_data, NULL, &error);

  g_assert_no_error (error);
  return rows;
}

static void
test_threads (void)
{
  g_autoptr (StriaParquet) file = open_fixture ("duckdb-groups.parquet");
  GThread *threads[4];
  g_autoptr (GPtrArray) first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("read", read_in_thread, file);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (GPtrArray) rows = g_thread_join (threads[i]);

      g_assert_cmpuint (rows->len, ==, 3000);
      for (guint r = 0; first != NULL && r < rows->len; r++)
        g_assert_cmpstr (rows->pdata[r], ==, first->pdata[r]);
      if (first == NULL)
        first = g_steal_pointer (&rows);
    }
}

/* -- our writer -------------------------------------------------------------------------------- */

static const StriaParquetWriteColumn written_columns[] = {
  { "id", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
  { "spread", STRIA_PARQUET_WRITE_INT64, TRUE, FALSE },
  { "when", STRIA_PARQUET_WRITE_TIMESTAMP_NS, FALSE, FALSE },
  { "ratio", STRIA_PARQUET_WRITE_DOUBLE, TRUE, FALSE },
  { "ok", STRIA_PARQUET_WRITE_BOOL, TRUE, FALSE },
  { "word", STRIA_PARQUET_WRITE_STRING, TRUE, FALSE },
  { "text", STRIA_PARQUET_WRITE_STRING, FALSE, FALSE },
  { "gaps", STRIA_PARQUET_WRITE_INT64, TRUE, TRUE },
  { "names", STRIA_PARQUET_WRITE_STRING, FALSE, TRUE },
};

/* Writes @n rows of everything; @lines: what they are */
static void
write_rows (StriaParquetWriter *writer, guint n, GPtrArray *lines, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GString) line = g_string_new ("[");
      guint32 number = (guint32) g_test_rand_int ();
      g_autofree char *text = g_strdup_printf ("text \"%u\"", number);
      g_autofree char *word = g_strdup_printf ("word%d", g_test_rand_int_range (0, 5));
      gint64 id = (gint64) i * 3 - 7, when = G_GINT64_CONSTANT (1700000000000000000) + id;
      gint64 spread = (gint64) ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ());
      double ratio = g_test_rand_int_range (-1000, 1000) / 8.0;
      guint8 valid = g_test_rand_int_range (0, 4) != 0, ok = g_test_rand_bit () != 0;
      guint32 n_gaps = (guint32) g_test_rand_int_range (0, 4);

      stria_parquet_writer_int64 (writer, 0, &id, NULL, 1);
      stria_parquet_writer_int64 (writer, 1, &spread, &valid, 1);
      stria_parquet_writer_int64 (writer, 2, &when, NULL, 1);
      stria_parquet_writer_double (writer, 3, &ratio, &valid, 1);
      stria_parquet_writer_bool (writer, 4, &ok, &valid, 1);
      stria_parquet_writer_string (writer, 5, valid ? word : NULL, -1);
      stria_parquet_writer_string (writer, 6, text, -1);
      g_string_append_printf (line, "%" G_GINT64_FORMAT ",", id);
      if (valid)
        g_string_append_printf (line, "%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%g,%s,\"%s\"",
                                spread, when, ratio, ok ? "true" : "false", word);
      else
        g_string_append_printf (line, "null,%" G_GINT64_FORMAT ",null,null,null", when);
      g_string_append_printf (line, ",\"text \\\"%u\\\"\",", number);
      stria_parquet_writer_list (writer, 7, valid ? n_gaps : 0, !valid);
      g_string_append (line, valid ? "[" : "null");
      for (gint64 k = 0; valid && k < n_gaps; k++)
        {
          stria_parquet_writer_int64 (writer, 7, &k, NULL, 1);
          g_string_append_printf (line, k > 0 ? ",%d" : "%d", (int) k);
        }
      g_string_append (line, valid ? "],[" : ",[");
      stria_parquet_writer_list (writer, 8, n_gaps / 2, FALSE);
      if (n_gaps / 2 > 0)
        {
          stria_parquet_writer_string (writer, 8, "n", 1);
          g_string_append (line, "\"n\"");
        }
      g_string_append (line, "]]");
      g_ptr_array_add (lines, g_string_free (g_steal_pointer (&line), FALSE));
      if (stria_parquet_writer_is_full (writer))
        g_assert_true (stria_parquet_writer_flush (writer, error));
    }
}

static void
check_written (guint n, gboolean uncompressed, guint32 group_rows)
{
  g_autofree char *folder = g_dir_make_tmp ("stria-parquet-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.parquet", NULL);
  static const StriaParquetPair pair = { "unit", "ns" };
  StriaParquetWriteOptions write_options = {
    .uncompressed = uncompressed, .group_rows = group_rows, .pairs = &pair, .n_pairs = 1,
  };
  StriaParquetReadOptions read_options = { .check_sums = TRUE };
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetWriter) writer
    = stria_parquet_writer_new (path, written_columns, G_N_ELEMENTS (written_columns),
                                &write_options, &error);
  g_autoptr (StriaParquet) file = NULL;
  const StriaParquetPair *pairs;
  guint n_pairs;

  g_assert_no_error (error);
  write_rows (writer, n, lines, &error);
  stria_parquet_writer_finish (writer, &error);
  g_assert_no_error (error);
  file = stria_parquet_open_file (path, NULL, &error);
  g_assert_no_error (error);
  pairs = stria_parquet_get_pairs (file, &n_pairs);
  g_assert_cmpuint (n_pairs, ==, 1);
  g_assert_cmpstr (pairs[0].value, ==, "ns");
  rows = parquet_read_rows (file, &read_options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (rows->pdata[i], ==, lines->pdata[i]);
  if (n > 0)
    {
      const StriaParquetStatistics *statistics = &stria_parquet_get_chunk (file, 0, 0)->statistics;
      gint64 least;

      memcpy (&least, statistics->min, 8);
      g_assert_cmpint (GINT64_FROM_LE (least), ==, -7);
      g_assert_cmpuint (stria_parquet_get_n_row_groups (file), ==,
                        (n + group_rows - 1) / group_rows);
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_writer (void)
{
  check_written (0, FALSE, 1000);
  check_written (1, TRUE, 1000);
  check_written (1000, FALSE, 300);
  check_written (50000, FALSE, 40000);
  check_written (2000, TRUE, 700);
}

/* What is not finished leaves nothing behind; columns of unequal length are refused. */
static void
test_writer_errors (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stria-parquet-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.parquet", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "none", "own.parquet", NULL);
  g_autoptr (GError) error = NULL;
  StriaParquetWriter *writer
    = stria_parquet_writer_new (path, written_columns, 2, NULL, &error);
  gint64 value = 1;

  g_assert_no_error (error);
  stria_parquet_writer_int64 (writer, 0, &value, NULL, 1);
  g_assert_false (stria_parquet_writer_finish (writer, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "spread"));
  g_clear_error (&error);
  stria_parquet_writer_free (writer);
  g_assert_null (stria_parquet_writer_new (nowhere, written_columns, 1, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_FAILED);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parquet/fixtures", test_fixtures);
  g_test_add_func ("/parquet/schema", test_schema);
  g_test_add_func ("/parquet/choice", test_choice);
  g_test_add_func ("/parquet/questions", test_questions);
  g_test_add_func ("/parquet/filter", test_filter);
  g_test_add_func ("/parquet/levels", test_levels);
  g_test_add_func ("/parquet/threads", test_threads);
  g_test_add_func ("/parquet/writer", test_writer);
  g_test_add_func ("/parquet/writer-errors", test_writer_errors);
  return g_test_run ();
}
