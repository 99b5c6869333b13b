/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of Parquet tables as an export writes it: names, units, lanes, and what is told of percents. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "stria-importer.h"
#include "stria-neuron-parquet.h"
#include "stria-parquet-writer.h"
#include "stria-scan.h"
#include "trace-text.h"

/* One after the other on one engine, over each other on the other */
#define LENGTH_OF(row) ((row) % 2 == 0 ? 20 : 50)

typedef struct
{
  char *folder;
  StriaCapture *capture;
} Fixture;

/* @names: "start_ts:i|share:f|on:b|text:s|when:t|ids:l" with what each column holds (l: a list of
 * integers, "1,2,3"); "-" is no value. */
static void
write_table (Fixture *self, const char *file, const char *names, const char *const *lines)
{
  g_autofree char *path = g_build_filename (self->folder, file, NULL);
  g_auto (GStrv) columns = g_strsplit (names, "|", -1);
  guint n = g_strv_length (columns);
  g_autofree StriaParquetWriteColumn *info = g_new0 (StriaParquetWriteColumn, n);
  g_autoptr (GError) error = NULL;

  for (guint c = 0; c < n; c++)
    {
      char *colon = strchr (columns[c], ':');
      *colon = '\0';
      info[c].name = columns[c];
      info[c].optional = TRUE;
      info[c].list = colon[1] == 'l';
      info[c].type = colon[1] == 'i' || colon[1] == 'l' ? STRIA_PARQUET_WRITE_INT64
                     : colon[1] == 'f'                  ? STRIA_PARQUET_WRITE_DOUBLE
                     : colon[1] == 'b'                  ? STRIA_PARQUET_WRITE_BOOL
                     : colon[1] == 't'                  ? STRIA_PARQUET_WRITE_TIMESTAMP_NS
                                                        : STRIA_PARQUET_WRITE_STRING;
    }
  g_autoptr (StriaParquetWriter) writer = stria_parquet_writer_new (path, info, n, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "|", -1);

      for (guint c = 0; c < n; c++)
        {
          guint8 valid = !g_str_equal (cells[c], "-");
          gint64 number = g_ascii_strtoll (cells[c], NULL, 10);
          double real = g_ascii_strtod (cells[c], NULL);
          guint8 flag = number != 0;

          if (info[c].list)
            {
              g_auto (GStrv) items = g_strsplit (valid ? cells[c] : "", ",", -1);
              stria_parquet_writer_list (writer, c, g_strv_length (items), !valid);
              for (guint k = 0; items[k] != NULL; k++)
                {
                  number = g_ascii_strtoll (items[k], NULL, 10);
                  stria_parquet_writer_int64 (writer, c, &number, NULL, 1);
                }
            }
          else if (info[c].type == STRIA_PARQUET_WRITE_DOUBLE)
            stria_parquet_writer_double (writer, c, &real, &valid, 1);
          else if (info[c].type == STRIA_PARQUET_WRITE_BOOL)
            stria_parquet_writer_bool (writer, c, &flag, &valid, 1);
          else if (info[c].type == STRIA_PARQUET_WRITE_STRING)
            stria_parquet_writer_string (writer, c, valid ? cells[c] : NULL, -1);
          else
            stria_parquet_writer_int64 (writer, c, &number, &valid, 1);
        }
      /* A row group for each pair of rows */
      if (i % 2 == 1)
        {
          stria_parquet_writer_flush (writer, &error);
          g_assert_no_error (error);
        }
    }
  stria_parquet_writer_finish (writer, &error);
  g_assert_no_error (error);
}

#define ROWS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *top = g_dir_make_tmp ("stria-parquet-XXXXXX", &error);

  g_assert_no_error (error);
  self->folder = g_build_filename (top, "step@latest", NULL);
  g_assert_cmpint (g_mkdir (self->folder, 0700), ==, 0);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  g_autofree char *top = g_path_get_dirname (self->folder);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_rmdir (top);
  g_clear_object (&self->capture);
  g_free (self->folder);
}

/* Returns: whether it came from its store */
static gboolean
open_with (Fixture *self, gboolean no_store)
{
  const char *paths[] = { self->folder, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaImporter) importer = NULL;

  g_clear_object (&self->capture);
  self->capture = stria_scan (paths, NULL, &error);
  g_assert_no_error (error);
  importer = stria_importer_new (self->capture);
  stria_importer_set_no_store (importer, no_store);
  stria_importer_run (importer, NULL, &error);
  g_assert_no_error (error);
  return stria_importer_was_cached (importer);
}

static void
open_folder (Fixture *self)
{
  g_assert_false (open_with (self, TRUE));
}

/* The table of that name, of the first artifact that has one */
static StriaTable *
find_table (Fixture *self, const char *name)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (self->capture);

  for (guint i = 0; i < tables->len; i++)
    if (g_str_equal (stria_table_get_name (tables->pdata[i]), name))
      return stria_table_ref (tables->pdata[i]);
  return NULL;
}

static char *
table_text (Fixture *self, const char *name)
{
  g_autoptr (StriaTable) table = find_table (self, name);

  g_assert_nonnull (table);
  return trace_text_table (self->capture, stria_table_get_artifact (table), name);
}

static const StriaColumnInfo *
column_info (Fixture *self, const char *table, const char *column)
{
  g_autoptr (StriaTable) found = find_table (self, table);

  g_assert_nonnull (found);
  return stria_table_get_column (found, (guint) stria_table_find_column (found, column));
}

static void
test_folder (Fixture *self, gconstpointer data)
{
  write_table (self, "Instruction_0.parquet",
               "start_ts:i|end_ts:i|duration_ns:i|engine:s|timeline_track:s|opcode:s|id:i|extra:s",
               ROWS ("100|150|50|tensor|TensorMatrix|MATMUL|1|x", "160|170|10|tensor|Tensor|LDWEIGHTS|2|-",
                     "200|210|10|vector|Vector|COPY|3|y", "-|-|-|vector|Vector|LOST|4|z",
                     "300|310|10|vector|Vector|ADD|5|x"));
  write_table (self, "Instruction_1.parquet", "start_ts:i|duration_ns:i|engine:s|opcode:s|id:i",
               ROWS ("400|5|sync|NOP|6"));
  write_table (self, "Metadata.parquet", "profile_schema_version:s|first_ts:s",
               ROWS ("8.1.0|1970-01-01 00:00:10 +0000 UTC"));
  write_table (self, "Flow.parquet",
               "in_id:i|out_id:i|in_table:s|out_table:s|dependency_type:s",
               ROWS ("1|3|instruction|instruction|FLOW_DEPENDENCE", "2|9|instruction|dma_block|-"));
  write_table (self, "SchemaFields.parquet",
               "table_name:s|field_name:s|field_unit:s|field_description:s",
               ROWS ("Instruction|extra|bytes|What is new.", "Odd|size|bytes|-"));
  write_table (self, "Odd.parquet", "size:i|when:t|ids:l|on:b|share:f",
               ROWS ("7|1000|1,2,3|1|0.5", "-|-|-|0|-", "8|2000||-|nan"));
  open_folder (self);

  g_autofree char *text = trace_text (self->capture);
  g_assert_cmpstr (text, ==,
                   "step | Sync\n  400+5 NOP (Sync) #0\n"
                   "step | Tensor\n  160+10 LDWEIGHTS (Tensor) #1\n"
                   "step | TensorMatrix\n  100+50 MATMUL (Tensor) #0\n"
                   "step | Vector\n  200+10 COPY (Vector) #2\n  300+10 ADD (Vector) #4\n"
                   "MATMUL@100 -> COPY@200 FLOW_DEPENDENCE (dependency)\n");
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (self->capture);
  gint64 base;
  g_assert_true (stria_trace_get_wall_base (trace, &base));
  g_assert_cmpint (base, ==, 10000000000);

  g_autofree char *odd = table_text (self, "Odd");
  g_assert_cmpstr (odd, ==, "size [B]|when [ns]|ids|on|share\n7|1000|[1,2,3]|1|0.5\n-|-|-|0|-\n"
                            "8|2000|[]|-|nan\n");
  g_assert_cmpstr (column_info (self, "Instruction", "extra")->unit, ==, "B");
  g_assert_cmpstr (column_info (self, "Instruction", "extra")->note, ==, "What is new.");
  g_assert_cmpstr (column_info (self, "Instruction", "opcode")->note, ==, "runtime opcode");
  g_assert_cmpstr (column_info (self, "Instruction", "start_ts")->unit, ==, "ns");
  g_autofree char *rows = table_text (self, "Instruction");
  g_assert_true (strstr (rows, "\n-|-|-|vector|Vector|LOST|4|z\n") != NULL);

  g_assert_cmpuint (stria_notices_total (stria_capture_get_notices (self->capture),
                                         "neuron-schema-version"), ==, 1);
}

/* 0.25 of a second is 0.25 of a second's total: a fraction. 50 for half: a percent. What has nothing to be
 * compared with goes by the values of the table. */
static void
test_percents (Fixture *self, gconstpointer data)
{
  write_table (self, "Summary.parquet",
               "total_time:f|tensor_engine_active_time:f|tensor_engine_active_time_percent:f|"
               "vector_engine_active_time:f|vector_engine_active_time_percent:f|mfu_estimated_percent:f",
               ROWS ("2|0.5|0.25|1|50|0.125"));
  write_table (self, "ThrottleSummary.parquet",
               "nc_idx:i|throttle_active_time_percent:f|max_achievable_util_with_throttling_percent:f",
               ROWS ("0|0.5|1", "1|1|0.5"));
  write_table (self, "PsumUsage.parquet", "timestamp:i|bank_0_util_percent:f", ROWS ("1|0.5", "2|55"));
  write_table (self, "HostMemUsage.parquet", "timestamp:i|used_percent:f|instance_id:s",
               ROWS ("1766072156592459482|0.5|i-1"));
  open_folder (self);

  g_assert_cmpstr (column_info (self, "Summary", "tensor_engine_active_time_percent")->unit, ==,
                   "of 1");
  g_assert_cmpstr (column_info (self, "Summary", "vector_engine_active_time_percent")->unit, ==, "%");
  g_assert_cmpstr (column_info (self, "Summary", "mfu_estimated_percent")->unit, ==, "%");
  g_assert_nonnull (strstr (column_info (self, "Summary", "mfu_estimated_percent")->note,
                            "above 1"));
  g_assert_cmpstr (column_info (self, "ThrottleSummary", "throttle_active_time_percent")->unit, ==,
                   "of 1 (inferred)");
  g_assert_cmpstr (
      column_info (self, "ThrottleSummary", "max_achievable_util_with_throttling_percent")->unit,
      ==, "of 1");
  g_assert_cmpstr (column_info (self, "PsumUsage", "bank_0_util_percent")->unit, ==, "%");
  g_assert_cmpstr (column_info (self, "HostMemUsage", "used_percent")->unit, ==, "%");
}

/* Every row is on a lane, at its time and with its name. Returns: kinds, titles and sizes of the lanes */
static char *
lanes_text (Fixture *self, guint n, const char *const *opcodes)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (self->capture);
  g_autoptr (StriaTable) table = find_table (self, "Instruction");
  g_autofree guint8 *seen = g_new0 (guint8, n);
  GString *text = g_string_new (NULL);

  g_assert_cmpuint (stria_table_get_n_rows (table), ==, n);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c;
      gint64 start, end;

      g_assert_true (stria_lane_load (lane, NULL, NULL));
      c = stria_lane_get_columns (lane);
      for (guint64 i = 0; i < c->n; i++)
        {
          const char *opcode = opcodes[c->seq[i] % 3];

          g_assert_cmpint (c->start[i], ==, (gint64) c->seq[i] * 10);
          g_assert_cmpint (c->dur[i], ==, LENGTH_OF (c->seq[i]));
          g_assert_cmpstr (stria_trace_get_string (trace, c->name[i]), ==, opcode ? opcode : "");
          g_assert_cmpuint (seen[c->seq[i]]++, ==, 0);
        }
      g_assert_true (stria_lane_get_range (lane, &start, &end));
      g_string_append_printf (text, "%d %s: %" G_GUINT64_FORMAT " in %u rows, %" G_GINT64_FORMAT
                                    " to %" G_GINT64_FORMAT "\n",
                              stria_lane_get_kind (lane), stria_lane_get_name (lane), c->n,
                              stria_lane_get_n_rows (lane), start, end);
    }
  g_assert_null (memchr (seen, 0, n));
  return g_string_free (text, FALSE);
}

static void
test_many_rows (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "Instruction.parquet", NULL);
  static const StriaParquetWriteColumn columns[] = {
    { "start_ts", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
    { "duration_ns", STRIA_PARQUET_WRITE_INT64, FALSE, FALSE },
    { "engine", STRIA_PARQUET_WRITE_STRING, FALSE, FALSE },
    { "opcode", STRIA_PARQUET_WRITE_STRING, TRUE, FALSE },
  };
  static const char *const opcodes[] = { "MATMUL", NULL, "LDWEIGHTS" };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetWriter) writer = stria_parquet_writer_new (path, columns, 4, NULL, &error);
  const guint n = 200000;

  for (guint i = 0; i < n; i++)
    {
      gint64 start = (gint64) i * 10, duration = LENGTH_OF (i);

      stria_parquet_writer_int64 (writer, 0, &start, NULL, 1);
      stria_parquet_writer_int64 (writer, 1, &duration, NULL, 1);
      stria_parquet_writer_string (writer, 2, i % 2 == 0 ? "tensor" : "vector", -1);
      stria_parquet_writer_string (writer, 3, opcodes[i % 3], -1);
      if (stria_parquet_writer_is_full (writer))
        g_assert_true (stria_parquet_writer_flush (writer, &error));
    }
  g_assert_true (stria_parquet_writer_finish (writer, &error));

  /* From memory and the spill, then from the store that was made of them */
  g_assert_false (open_with (self, FALSE));
  g_autofree char *first = lanes_text (self, n, opcodes);
  g_assert_true (open_with (self, FALSE));
  g_autofree char *second = lanes_text (self, n, opcodes);
  g_assert_cmpstr (first, ==, second);
  g_autofree char *store = stria_capture_dup_store_path (self->capture);
  g_assert_cmpint (g_unlink (store), ==, 0);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/neuron-parquet/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("folder", test_folder);
  ADD ("percents", test_percents);
  ADD ("many-rows", test_many_rows);
  return g_test_run ();
}
