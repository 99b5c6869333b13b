/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a part of a device profile: of a window, a core, chosen lanes; against SQL over the
 * store that knows nothing of how they are made. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-bounds.h"
#include "stria-neuron-emitter.h"
#include "stria-neuron-groups.h"
#include "stria-query.h"
#include "neuron-rows.h"

/* What the second profile's times are later on the timeline: the first one says an earlier
 * begin. */
#define SHIFT 1000000
#define LENGTH 100000

typedef struct
{
  StriaCapture *capture;
  StriaTrace *trace;
  GPtrArray *tables;
  char *store;
} Fixture;

static const char *const engine_names[] = { "tensor", "vector", "scalar", "gpsimd", "sync" };

static void
add_lines (StriaNeuronEmitter *emitter, const char *table, const char *names, GPtrArray *lines)
{
  g_ptr_array_add (lines, NULL);
  add_rows (emitter, table, names, (const char *const *) lines->pdata);
  g_ptr_array_set_size (lines, 0);
}

static int
dice (int n)
{
  return g_test_rand_int_range (0, n);
}

static void
add_code (StriaNeuronEmitter *emitter, GPtrArray *lines)
{
  for (guint core = 0; core < 2; core++)
    for (guint e = 0; e < G_N_ELEMENTS (engine_names); e++)
      for (int at = dice (500); at < LENGTH; at += 1 + dice (900))
        {
          int length = 1 + dice (600);

          g_ptr_array_add (
              lines,
              g_strdup_printf ("%d|%d|%s|OP%d|%d|%d|%d|%d|%d|%d|%d|%u|layer%d", at, length,
                               engine_names[e], dice (3), e == 0 ? dice (100000) : 0,
                               e == 0 ? dice (1000) : 0, e == 0 ? dice (100000) : 0,
                               e == 0 ? dice (1000) : 0, dice (4096), dice (4096), dice (64), core,
                               dice (4)));
        }
  add_lines (emitter, "Instruction",
             "start_ts|duration_ns|engine|opcode|raw_flops|flops_transpose|adjusted_flops|"
             "adjusted_flops_transpose|hbm_read_bytes|hbm_write_bytes|spill_reload_bytes|pcore_idx|"
             "layer", lines);
  for (guint core = 0; core < 2; core++)
    for (guint e = 0; e < G_N_ELEMENTS (engine_names); e++)
      for (int at = dice (3000); at < LENGTH; at += 1 + dice (3000))
        g_ptr_array_add (lines, g_strdup_printf ("%d|%d|%s|%u", at, dice (2500), engine_names[e],
                                                 core));
  add_lines (emitter, "ActiveTime", "start_ts|duration_ns|engine|pcore_idx", lines);
}

static void
add_data (StriaNeuronEmitter *emitter, GPtrArray *lines)
{
  static const char *const types[]
      = { "instruction", "input", "data", "software_dynamic", "hardware_dynamic", "unknown" };
  static const char *const operations[] = { "AllGather", "AllReduce" };

  for (int at = 0; at < LENGTH; at += 1 + dice (500))
    g_ptr_array_add (lines, g_strdup_printf ("%d|%d|%d|%s|%d|%d", at, dice (400),
                                             1 + dice (4) * dice (4096), types[dice (6)], dice (2),
                                             dice (16)));
  add_lines (emitter, "DmaPacket",
             "start_ts|duration_ns|transfer_bytes|queue_type|pcore_idx|engine_idx", lines);
  for (int at = 0; at < LENGTH; at += 1 + dice (1500))
    g_ptr_array_add (lines, g_strdup_printf ("%d|%d|%d|q%d|%d", at, dice (900), dice (65536),
                                             dice (3), dice (2)));
  add_lines (emitter, "DmaPacketAggregated",
             "start_ts|duration_ns|transfer_bytes|queue_name|pcore_idx", lines);
  for (int at = 0; at < LENGTH; at += 1 + dice (4000))
    g_ptr_array_add (lines, g_strdup_printf ("%d|%d|%s|%d|4096|%d", at, 1 + dice (3000),
                                             operations[dice (2)], 1024 << dice (3),
                                             dice (1000000)));
  add_lines (emitter, "CcOp", "start_ts|duration_ns|operation|input_size|output_size|bus_bandwidth",
             lines);
  for (int at = 0; at < LENGTH; at += 2000)
    g_ptr_array_add (lines, g_strdup_printf ("%d|%d|%d|8|activity_0|%d", at, dice (2000),
                                             1 + dice (8), dice (2)));
  add_lines (emitter, "Throttle", "timestamp|duration|k|n|type|pcore_idx", lines);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  self->capture = stria_capture_new ("/nowhere/window");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.ntff", i);
      g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/nowhere/window", NULL, name, 1, i);

      stria_capture_add_artifact (self->capture, artifact);
    }
  for (guint i = 0; i < 2; i++)
    {
      StriaSink *sink = stria_capture_open_sink (self->capture, i);
      StriaNeuronEmitter *emitter = stria_neuron_emitter_new (sink, "p");

      add_rows (emitter, "Metadata",
                "first_ts|first_hw_timestamp|last_hw_timestamp|tensor_engine_num_rows|"
                "tensor_engine_num_cols|tensor_engine_clock_freq|hbm_ddr_bandwidth|"
                "dma_ddr_bandwidth",
                i == 0 ? ROWS ("2025-12-18 15:35:56.000000000 +0000 UTC|0|1|128|128|2|1|1")
                       : ROWS ("2025-12-18 15:35:56.001000000 +0000 UTC|0|100000|128|128|2|"
                               "400000000000|200000000000"));
      if (i == 0)
        add_rows (emitter, "Instruction", "start_ts|duration_ns|engine|opcode",
                  ROWS ("0|5|tensor|NOP"));
      else
        {
          add_code (emitter, lines);
          add_data (emitter, lines);
          add_rows (emitter, "TensorInfo", "variable_name|type|size",
                    ROWS ("a|IN|1000", "b|OUT|234", "w|WEIGHT|99999"));
        }
      stria_neuron_emitter_free (emitter);
      stria_capture_close_sink (self->capture, sink, TRUE);
    }
  stria_capture_settle (self->capture);
  g_assert_true (stria_capture_write_store (self->capture, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  self->store = stria_capture_dup_store_path (self->capture);
  self->trace = stria_capture_ref_trace (self->capture);
  self->tables = stria_neuron_summary_tables (self->capture, 1);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_ptr_array_unref (self->tables);
  stria_trace_unref (self->trace);
  g_free (self->store);
  g_object_unref (self->capture);
}

static gboolean
take_number (guint n_columns, const char *const *columns, const StriaValue *values,
             gpointer user_data)
{
  double *number = user_data;

  if (values == NULL)
    return TRUE;
  *number = values[0].type == STRIA_VALUE_REAL  ? values[0].real
            : values[0].type == STRIA_VALUE_INT ? (double) values[0].integer
                                                : 0;
  return FALSE;
}

static double G_GNUC_PRINTF (2, 3)
sql (Fixture *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  double number = NAN;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  stria_query (self->store, text, take_number, &number, NULL, &error);
  g_assert_no_error (error);
  return number;
}

/* A part in the table's times, and its core */
typedef struct
{
  gint64 t0, t1;
  int core;
} Part;

static char *
where (const Part *part, const char *start, const char *duration, const char *more)
{
  return g_strdup_printf (
      "artifact = 1 AND (pcore_idx IS NULL OR %d < 0 OR pcore_idx = %d) AND %s AND "
      "((%s > 0 AND %s < %" G_GINT64_FORMAT " AND %s + %s > %" G_GINT64_FORMAT ") OR "
      "(%s = 0 AND %s >= %" G_GINT64_FORMAT " AND %s < %" G_GINT64_FORMAT "))",
      part->core, part->core, more, duration, start, part->t1, start, duration, part->t0, duration,
      start, part->t0, start, part->t1);
}

static double
sql_count (Fixture *self, const Part *part, const char *table, const char *more)
{
  g_autofree char *rows = where (part, "start_ts", "duration_ns", more);

  return sql (self, "SELECT count (*) FROM %s WHERE %s", table, rows);
}

#define INSIDE                                                                                     \
  "(min (start_ts + duration_ns, %" G_GINT64_FORMAT ") - max (start_ts, %" G_GINT64_FORMAT "))"

/* Sum of a column, each row with the share of its time that lies inside */
static double
sql_sum (Fixture *self, const Part *part, const char *table, const char *column, const char *more)
{
  g_autofree char *rows = where (part, "start_ts", "duration_ns", more);

  return sql (self, "SELECT sum (CASE WHEN duration_ns > 0 THEN 1.0 * %s * " INSIDE
              " / duration_ns ELSE %s END) FROM %s WHERE %s", column, part->t1, part->t0, column,
              table, rows);
}

static double
sql_time (Fixture *self, const Part *part, const char *table, const char *more)
{
  g_autofree char *rows = where (part, "start_ts", "duration_ns", more);

  return sql (self, "SELECT sum (" INSIDE ") FROM %s WHERE %s AND duration_ns > 0", part->t1,
              part->t0, table, rows);
}

/* Time that is covered at least once, by the running maximum of the ends before */
static double
sql_union (Fixture *self, const Part *part, const char *table, const char *more)
{
  g_autofree char *rows = where (part, "start_ts", "duration_ns", more);

  return sql (self,
              "WITH s AS (SELECT max (start_ts, %" G_GINT64_FORMAT ") a, min (start_ts + "
              "duration_ns, %" G_GINT64_FORMAT ") b FROM %s WHERE %s), "
              "m AS (SELECT a, b, max (b) OVER (ORDER BY a, b ROWS BETWEEN UNBOUNDED PRECEDING AND "
              "1 PRECEDING) p FROM s) SELECT sum (max (0, b - max (a, coalesce (p, a)))) FROM m",
              part->t0, part->t1, table, rows);
}

static void
check (GArray *metrics, const char *name, double expected)
{
  const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, name);

  g_test_message ("%s: %g", name, expected);
  g_assert_nonnull (metric);
  g_assert_true (metric->has_value);
  g_assert_cmpfloat_with_epsilon (metric->value, expected, fabs (expected) * 1e-9 + 1e-15);
}

static void
check_engines (Fixture *self, GArray *metrics, const Part *part, double total)
{
  for (guint e = 0; e < G_N_ELEMENTS (engine_names); e++)
    {
      g_autofree char *of = g_strdup_printf ("engine = '%s'", engine_names[e]);
      g_autofree char *count = g_strdup_printf ("%s_engine_instruction_count", engine_names[e]);
      g_autofree char *time = g_strdup_printf ("%s_engine_instruction_time", engine_names[e]);
      g_autofree char *active = g_strdup_printf ("%s_engine_active_time", engine_names[e]);
      g_autofree char *share = g_strdup_printf ("%s_engine_active_time_percent", engine_names[e]);
      double busy = sql_union (self, part, "ActiveTime", of) / 1e9;

      check (metrics, count, sql_count (self, part, "Instruction", of));
      check (metrics, time, sql_time (self, part, "Instruction", of) / 1e9);
      check (metrics, active, busy);
      check (metrics, share, busy / total);
    }
}

static void
check_part (Fixture *self, const Part *part)
{
  gint64 t0 = part->t0 + SHIFT, t1 = part->t1 + SHIFT;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
      self->tables, self->trace, &t0, &t1, NULL, 0, part->core, NULL, &error);
  g_autoptr (GArray) metrics = NULL;
  double total = (double) (part->t1 - part->t0) / 1e9, peak = 128 * 128 * 2 * 2e9;
  double flops, transpose, read, write, reload, payload, busy, lost;
  g_autofree char *limits = where (part, "timestamp", "duration", "k < n");
  StriaBounds bounds;

  g_assert_no_error (error);
  g_assert_true (scope->has_window);
  g_assert_cmpint (scope->t0, ==, part->t0);
  g_assert_cmpint (scope->t1, ==, part->t1);
  metrics = stria_neuron_summary_of (self->tables, scope, NULL, &error);
  g_assert_no_error (error);
  check (metrics, "total_time", total);
  check_engines (self, metrics, part, total);

  flops = sql_sum (self, part, "Instruction", "raw_flops", "TRUE");
  transpose = sql_sum (self, part, "Instruction", "flops_transpose", "TRUE");
  read = sql_sum (self, part, "Instruction", "hbm_read_bytes", "TRUE");
  write = sql_sum (self, part, "Instruction", "hbm_write_bytes", "TRUE");
  reload = sql_sum (self, part, "Instruction", "spill_reload_bytes", "TRUE");
  check (metrics, "hardware_flops", flops);
  check (metrics, "hfu_estimated_percent", flops / peak / total);
  check (metrics, "mfu_inst_estimated_percent", (flops - transpose) / peak / total);
  check (metrics, "mm_arithmetic_intensity", (flops - transpose) / (read + write));
  check (metrics, "mbu_estimated_percent", (read + write) / total / 400e9);
  check (metrics, "useful_read_percent", (read - reload) / read);

  busy = sql_union (self, part, "DmaPacket", "TRUE") / 1e9;
  payload = sql_sum (self, part, "DmaPacket", "transfer_bytes",
                     "queue_type <> 'instruction' AND transfer_bytes > 4");
  check (metrics, "dma_active_time", busy);
  check (metrics, "static_dma_packet_count",
         sql_count (self, part, "DmaPacket", "queue_type IN ('instruction', 'input', 'data')"));
  check (metrics, "hardware_dynamic_dma_size",
         sql_sum (self, part, "DmaPacket", "transfer_bytes", "queue_type = 'hardware_dynamic'"));
  check (metrics, "dma_payload_bytes", payload);
  check (metrics, "dma_efficiency", payload / (busy * 200e9));
  check (metrics, "dma_transfer_count", sql_count (self, part, "DmaPacketAggregated", "TRUE"));
  check (metrics, "dma_transfer_total_bytes",
         sql_sum (self, part, "DmaPacketAggregated", "transfer_bytes", "TRUE"));

  lost = sql (self, "SELECT sum ((min (timestamp + duration, %" G_GINT64_FORMAT ") - "
              "max (timestamp, %" G_GINT64_FORMAT ")) * (1.0 - 1.0 * k / n)) FROM Throttle "
              "WHERE %s AND duration > 0", part->t1, part->t0, limits);
  check (metrics, "average_utilization_limit", 1 - lost / 1e9 / total);

  stria_bounds_make (metrics, &bounds);
  g_assert_true (bounds.has_total);
  g_assert_cmpfloat_with_epsilon (bounds.bounds[STRIA_BOUND_MEMORY].seconds, busy, 1e-15);
  g_assert_cmpfloat_with_epsilon (bounds.bounds[STRIA_BOUND_MEMORY_IDEAL].seconds, payload / 200e9,
                                  1e-15);
  g_assert_false (bounds.bounds[STRIA_BOUND_MEMORY_NO_RELOADS].has_value);
  g_assert_cmpfloat_with_epsilon (
      bounds.bounds[STRIA_BOUND_COMPUTE_USEFUL].seconds,
      (sql_sum (self, part, "Instruction", "adjusted_flops", "TRUE")
       - sql_sum (self, part, "Instruction", "adjusted_flops_transpose", "TRUE")) / peak, 1e-15);
  for (guint e = 0; e < G_N_ELEMENTS (engine_names); e++)
    {
      g_autofree char *of = g_strdup_printf ("engine = '%s'", engine_names[e]);

      busy = MAX (busy, sql_union (self, part, "ActiveTime", of) / 1e9);
    }
  g_assert_cmpfloat_with_epsilon (bounds.bounds[STRIA_BOUND_PIPELINE].seconds, busy, 1e-15);
  g_assert_cmpfloat_with_epsilon (bounds.gaps[STRIA_GAP_SERIAL].speedup, total / busy, 1e-9);
}

static void
test_window (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 6; i++)
    {
      gint64 a = dice (LENGTH - 2000), b = a + 500 + dice ((int) (LENGTH - 1000 - a));
      Part part = { a, b, (int) (i % 2) };

      check_part (self, &part);
    }
}

/* Two windows side by side have what the whole has; a row is shared, and counted in both. */
static void
test_additive (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "hardware_flops", "hbm_read_bytes", "dma_payload_bytes",
                                       "tensor_engine_active_time", "dma_active_time",
                                       "cc_op_time" };
  gint64 edges[] = { SHIFT, SHIFT + 40000, SHIFT + 10 * LENGTH };
  double sums[G_N_ELEMENTS (names)] = { 0 };

  for (guint w = 0; w < 3; w++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
          self->tables, self->trace, w == 2 ? &edges[0] : &edges[w],
          w == 2 ? &edges[2] : &edges[w + 1], NULL, 0, 1, NULL, &error);
      g_autoptr (GArray) metrics = stria_neuron_summary_of (self->tables, scope, NULL, &error);

      g_assert_no_error (error);
      /* All events of the profile are in it. */
      g_assert_cmpint (scope->has_window, ==, w < 2);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        if (w == 2)
          check (metrics, names[i], sums[i]);
        else
          sums[i] += stria_neuron_metric_find (metrics, names[i])->value;
    }
}

/* -- lanes ----------------------------------------------------------------------------------- */

static GArray *
find_lanes (Fixture *self, const char *key)
{
  GArray *lanes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *prefix = g_strconcat (STRIA_TABLE_LANE_KEY, key, NULL);

  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, i);

      if (stria_lane_get_artifact (lane) == 1
          && g_str_has_prefix (stria_lane_get_key (lane), prefix))
        g_array_append_val (lanes, i);
    }
  g_assert_cmpuint (lanes->len, >, 0);
  return lanes;
}

static void
test_lanes (Fixture *self, gconstpointer data)
{
  g_autoptr (GArray) lanes = find_lanes (self, "Instruction\x1fVector\x1f" "1");
  gint64 t0 = SHIFT + 5000, t1 = SHIFT + 60000;
  Part part = { 5000, 60000, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
      self->tables, self->trace, &t0, &t1, (guint32 *) lanes->data, lanes->len, -1, NULL, &error);
  g_autoptr (GArray) metrics = NULL;
  g_autoptr (StriaNeuronGroups) groups = NULL;
  guint64 n = 0;

  g_assert_no_error (error);
  scope->lists_missing = TRUE;
  metrics = stria_neuron_summary_of (self->tables, scope, NULL, &error);
  g_assert_no_error (error);
  check (metrics, "vector_engine_instruction_count",
         sql_count (self, &part, "Instruction", "engine = 'vector'"));
  check (metrics, "hbm_read_bytes",
         sql_sum (self, &part, "Instruction", "hbm_read_bytes", "engine = 'vector'"));
  /* What was not chosen is not known to be nothing. */
  g_assert_false (stria_neuron_metric_find (metrics, "tensor_engine_active_time")->has_value);
  g_assert_nonnull (stria_neuron_metric_find (metrics, "tensor_engine_active_time")->missing);
  g_assert_false (stria_neuron_metric_find (metrics, "dma_active_time")->has_value);
  g_assert_nonnull (
      strstr (stria_neuron_metric_find (metrics, "dma_active_time")->missing, "DmaPacket"));
  groups = stria_neuron_groups_new (self->tables, scope, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < groups->opcodes->len; i++)
    {
      StriaNeuronGroup *group = groups->opcodes->pdata[i];

      g_assert_cmpstr (group->engine, ==, "vector");
      n += group->count;
    }
  g_assert_cmpuint (n, ==, (guint64) sql_count (self, &part, "Instruction", "engine = 'vector'"));
}

/* -- groups ---------------------------------------------------------------------------------- */

static void
test_groups (Fixture *self, gconstpointer data)
{
  gint64 t0 = SHIFT + 12345, t1 = SHIFT + 77777;
  Part part = { 12345, 77777, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
      self->tables, self->trace, &t0, &t1, NULL, 0, 0, NULL, &error);
  g_autoptr (StriaNeuronGroups) groups
      = stria_neuron_groups_new (self->tables, scope, NULL, &error);
  g_autofree char *collective = NULL;
  const StriaNeuronCollective *first;

  g_assert_no_error (error);
  g_assert_cmpuint (groups->opcodes->len, ==, 15);
  g_assert_cmpstr (groups->operator_column, ==, "layer");
  g_assert_cmpuint (groups->operators->len, ==, 4);
  for (guint i = 0; i < groups->opcodes->len; i++)
    {
      StriaNeuronGroup *group = groups->opcodes->pdata[i];
      g_autofree char *of
          = g_strdup_printf ("engine = '%s' AND opcode = '%s'", group->engine, group->name);

      g_assert_cmpfloat ((double) group->count, ==, sql_count (self, &part, "Instruction", of));
      g_assert_cmpfloat (group->time_ns, ==, sql_time (self, &part, "Instruction", of));
      g_assert_cmpfloat (group->busy_ns, ==, sql_union (self, &part, "Instruction", of));
      if (i > 0)
        g_assert_cmpfloat (group->time_ns, <=,
                           ((StriaNeuronGroup *) groups->opcodes->pdata[i - 1])->time_ns);
    }
  for (guint i = 0; i < groups->operators->len; i++)
    {
      StriaNeuronGroup *group = groups->operators->pdata[i];
      g_autofree char *of = g_strdup_printf ("layer = '%s'", group->name);

      g_assert_cmpfloat (group->busy_ns, ==, sql_union (self, &part, "Instruction", of));
      g_assert_cmpfloat_with_epsilon (group->flops,
                                      sql_sum (self, &part, "Instruction", "raw_flops", of), 1e-3);
    }
  g_assert_cmpuint (groups->collectives->len, >, 0);
  first = groups->collectives->pdata[0];
  collective = g_strdup_printf (
      "FROM CcOp WHERE artifact = 1 AND operation = '%s' AND max (input_size, output_size) = "
      "%" G_GINT64_FORMAT " AND start_ts < 77777 AND start_ts + duration_ns > 12345",
      first->operation, first->bytes);
  g_assert_cmpfloat ((double) first->count, ==, sql (self, "SELECT count (*) %s", collective));
  g_assert_cmpfloat (first->min_ns, ==, sql (self, "SELECT min (duration_ns) %s", collective));
  g_assert_cmpfloat (first->max_ns, ==, sql (self, "SELECT max (duration_ns) %s", collective));
  g_assert_cmpfloat_with_epsilon (first->mean_ns,
                                  sql (self, "SELECT avg (duration_ns) %s", collective), 1e-6);
  g_assert_cmpfloat_with_epsilon (
      first->median_ns,
      sql (self,
           "WITH o AS (SELECT duration_ns d, row_number () OVER (ORDER BY duration_ns) r, "
           "count (*) OVER () n %s) SELECT avg (d) FROM o WHERE r IN ((n + 1) / 2, (n + 2) / 2)",
           collective),
      1e-6);
  g_assert_cmpfloat_with_epsilon (
      first->algorithm_bandwidth,
      sql (self, "SELECT avg (max (input_size, output_size) * 1e9 / duration_ns) %s", collective),
      1);
}

/* -- rules and sentences --------------------------------------------------------------------- */

static void
test_insights (Fixture *self, gconstpointer data)
{
  gint64 t0 = SHIFT + 1000, t1 = SHIFT + 90000;
  Part part = { 1000, 90000, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
      self->tables, self->trace, &t0, &t1, NULL, 0, 0, NULL, &error);
  g_autoptr (GArray) metrics = stria_neuron_summary_of (self->tables, scope, NULL, &error);
  g_autoptr (StriaNeuronGroups) groups
      = stria_neuron_groups_new (self->tables, scope, NULL, &error);
  g_autoptr (GPtrArray) insights = stria_neuron_insights (metrics, groups);
  double bytes = sql_sum (self, &part, "DmaPacketAggregated", "transfer_bytes", "TRUE");
  double count = sql_count (self, &part, "DmaPacketAggregated", "TRUE");
  const StriaInsight *insight;

  g_assert_cmpuint (insights->len, ==, STRIA_N_INSIGHTS);
  insight = insights->pdata[STRIA_INSIGHT_SMALL_DMA];
  g_assert_null (insight->missing);
  g_assert_cmpfloat_with_epsilon (insight->value, bytes / count, 1e-6);
  g_assert_cmpint (insight->fires, ==, bytes / count < 4096);
  insight = insights->pdata[STRIA_INSIGHT_TRANSPOSE];
  g_assert_cmpfloat_with_epsilon (
      insight->value,
      sql_sum (self, &part, "Instruction", "flops_transpose", "TRUE")
          / sql_sum (self, &part, "Instruction", "raw_flops", "TRUE"), 1e-9);
  g_assert_false (insight->fires);
  /* Nothing here comes from a kernel: there is no share to warn of. */
  insight = insights->pdata[STRIA_INSIGHT_NKI_COVERAGE];
  g_assert_false (insight->fires);
  g_assert_nonnull (insight->missing);
}

static void
test_text (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
      self->tables, self->trace, NULL, NULL, NULL, 0, 0, NULL, &error);
  g_autoptr (GArray) metrics = stria_neuron_summary_of (self->tables, scope, NULL, &error);
  g_autofree char *text = NULL;
  g_autofree char *inputs = NULL;
  StriaBounds bounds;

  stria_bounds_make (metrics, &bounds);
  text = stria_bounds_text (&bounds, metrics);
  for (guint i = 0; i < STRIA_N_BOUNDS; i++)
    g_assert_nonnull (strstr (text, bounds.bounds[i].name));
  /* 1234 bytes at 200 GB/s */
  g_assert_true (bounds.bounds[STRIA_BOUND_MEMORY_NO_RELOADS].has_value);
  g_assert_cmpfloat_with_epsilon (bounds.bounds[STRIA_BOUND_MEMORY_NO_RELOADS].seconds,
                                  1234 / 200e9, 1e-18);
  inputs = stria_neuron_metric_inputs (
      metrics, stria_neuron_metric_find (metrics, "hfu_estimated_percent"));
  g_assert_nonnull (strstr (inputs, "hardware_flops = "));
  g_assert_nonnull (strstr (inputs, "tensor_engine_peak = "));
  g_assert_nonnull (strstr (inputs, "total_time = "));
}

static void
test_cores (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) profiles = stria_neuron_profiles (self->capture);
  g_autoptr (GArray) cores = stria_neuron_summary_cores (self->tables, NULL, NULL);

  g_assert_cmpuint (profiles->len, ==, 2);
  g_assert_cmpstr (((StriaNeuronProfile *) profiles->pdata[1])->title, ==, "1.ntff");
  g_assert_cmpuint (cores->len, ==, 2);
  g_assert_cmpint (g_array_index (cores, gint64, 1), ==, 1);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/neuron-window/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("window", test_window);
  ADD ("additive", test_additive);
  ADD ("lanes", test_lanes);
  ADD ("groups", test_groups);
  ADD ("insights", test_insights);
  ADD ("text", test_text);
  ADD ("cores", test_cores);
  return g_test_run ();
}
