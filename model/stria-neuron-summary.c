/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-summary-rows.h"
#include "stria-neuron-summary.h"

/* Formulas are the published ones (documented: the schema's reference and the summary page), unless
 * a comment says otherwise. Times of Summary are seconds, those of rows nanoseconds. */

typedef enum
{
  TENSOR,
  VECTOR,
  SCALAR,
  GPSIMD,
  SYNC,
  N_ENGINES,
} Engine;

typedef enum
{
  STATIC,
  SOFTWARE,
  HARDWARE,
  OTHER_DMA,
  N_DMA,
} DmaKind;

typedef struct
{
  guint64 count;
  double time_ns;
  double bytes;
  StriaSpanUnion busy;
} Sum;

typedef struct
{
  GPtrArray *tables;
  GCancellable *cancellable;
  GError **error;
  GArray *metrics;
  StriaSpanUnion all;
  gboolean has_waits; /* times of instructions without ActiveTime */
  gint64 core; /* the only physical core, -1: none is told, -2: there are several */
} Making;

static StriaSummaryRows
rows_of (const Making *self, const char *table, const char *const *wanted)
{
  return (StriaSummaryRows){ .tables = self->tables, .cancellable = self->cancellable,
                             .error = self->error, .name = table, .wanted = wanted };
}

static gboolean
starts_with (const char *text, guint32 length, const char *word)
{
  gsize n = strlen (word);

  return length >= n && g_ascii_strncasecmp (text, word, n) == 0;
}

static void
add_span (Making *self, Sum *sum, const StriaSummaryRows *rows, guint32 row)
{
  gint64 start = stria_summary_rows_int (rows, 0, row, G_MININT64);
  gint64 duration = stria_summary_rows_int (rows, 1, row, -1);
  gint64 core = stria_summary_rows_int (rows, 2, row, -1);

  sum->count++;
  if (duration < 0 || start == G_MININT64)
    return;
  sum->time_ns += (double) duration;
  stria_span_union_add (&sum->busy, start, duration);
  if (core >= 0)
    self->core = self->core == -1 || self->core == core ? core : -2;
}

/* -- metrics --------------------------------------------------------------------------------- */

/* A number of the file's single row of @table. FALSE: it is not there */
static gboolean
fact (Making *self, const char *table, const char *column, double *value, gboolean *is_percent)
{
  const char *const wanted[] = { column, NULL };
  StriaSummaryRows rows = rows_of (self, table, wanted);
  gboolean found = FALSE;

  rows.error = NULL;
  while (!found && stria_summary_rows_next (&rows))
    if (rows.n_rows > 0 && stria_summary_rows_number (&rows, 0, 0, value))
      {
        StriaTable *from = self->tables->pdata[rows.table];
        int c = stria_table_find_column (from, column);

        found = TRUE;
        if (is_percent != NULL)
          *is_percent = g_strcmp0 (stria_table_get_column (from, (guint) c)->unit, "%") == 0;
      }
  stria_summary_rows_clear (&rows);
  return found;
}

static void
add (Making *self, const char *name, const char *unit, const char *formula, gboolean has_value,
     double value, const char *missing)
{
  StriaNeuronMetric metric = {
    .name = name, .unit = unit, .formula = formula, .has_value = has_value, .value = value,
    .missing = has_value ? NULL : missing,
  };
  gboolean is_percent = FALSE;

  metric.has_reported = fact (self, "Summary", name, &metric.reported, &is_percent);
  if (is_percent && metric.has_reported)
    metric.reported /= 100;
  if (metric.has_value || metric.has_reported)
    g_array_append_val (self->metrics, metric);
}

static const struct
{
  const char *engine, *alias;
  const char *count, *time, *active, *share;
} engines[N_ENGINES] = {
#define ENGINE(name, alias)                                                                        \
  { name, alias, name "_engine_instruction_count", name "_engine_instruction_time",                \
    name "_engine_active_time", name "_engine_active_time_percent" }
  [TENSOR] = ENGINE ("tensor", "pe"),   [VECTOR] = ENGINE ("vector", "dve"),
  [SCALAR] = ENGINE ("scalar", "act"),  [GPSIMD] = ENGINE ("gpsimd", "pool"),
  [SYNC] = ENGINE ("sync", "sp"),
};

static guint
engine_at (const StriaSummaryRows *rows, guint column, guint32 row)
{
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  for (guint e = 0; e < N_ENGINES; e++)
    if (starts_with (text, length, engines[e].engine)
        || (length == strlen (engines[e].alias) && starts_with (text, length, engines[e].alias)))
      return e;
  return N_ENGINES;
}

#define SEVERAL "one physical core: how several are put together is not published"

static gboolean
add_engines (Making *self, gboolean has_total, double total)
{
  static const char *const wanted[] = { "start_ts",
                                        "duration_ns",
                                        "pcore_idx",
                                        "engine",
                                        "opcode",
                                        "raw_flops",
                                        "flops_transpose",
                                        "adjusted_flops",
                                        "adjusted_flops_transpose",
                                        "timeline_track",
                                        NULL };
  static const char *const active_wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "engine", NULL };
  static const char *const flops_names[]
      = { "hardware_flops", "transpose_flops", "adjusted_hardware_flops",
          "adjusted_transpose_flops" };
  static const char *const flops_formulas[]
      = { "sum of Instruction.raw_flops", "sum of Instruction.flops_transpose",
          "sum of Instruction.adjusted_flops", "sum of Instruction.adjusted_flops_transpose" };
  StriaSummaryRows rows = rows_of (self, "Instruction", wanted);
  StriaSummaryRows active_rows = rows_of (self, "ActiveTime", active_wanted);
  Sum sums[N_ENGINES] = { 0 }, active[N_ENGINES] = { 0 }, activate = { 0 };
  double flops[4] = { 0 }, value;
  guint64 with_flops[4] = { 0 }, matmuls = 0, n_active = 0, n_rows = 0;
  guint32 length;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        guint engine = engine_at (&rows, 3, row);
        const char *opcode = stria_summary_rows_text (&rows, 4, row, &length);

        /* Older exports say only the lane; TensorMatrix is the tensor engine's, too (documented).
         */
        if (engine == N_ENGINES)
          engine = engine_at (&rows, 9, row);
        for (guint i = 0; i < 4; i++)
          if (stria_summary_rows_number (&rows, 5 + i, row, &value))
            {
              flops[i] += value;
              with_flops[i]++;
            }
        if (engine == N_ENGINES)
          continue;
        n_rows++;
        add_span (self, &sums[engine], &rows, row);
        matmuls += engine == TENSOR && length == 6 && starts_with (opcode, length, "MATMUL");
        if ((length == 8 && starts_with (opcode, length, "ACTIVATE"))
            || (length == 17 && starts_with (opcode, length, "ACTIVATE_QUANTIZE")))
          {
            activate.count++;
            activate.time_ns += (double) MAX (0, stria_summary_rows_int (&rows, 1, row, 0));
          }
      }
  while (!rows.failed && stria_summary_rows_next (&active_rows))
    for (guint32 row = 0; row < active_rows.n_rows; row++)
      {
        guint engine = engine_at (&active_rows, 3, row);
        if (engine < N_ENGINES)
          add_span (self, &active[engine], &active_rows, row);
        n_active++;
      }
  stria_summary_rows_clear (&rows);
  stria_summary_rows_clear (&active_rows);
  self->has_waits = n_rows > 0 && n_active == 0;
  for (guint e = 0; e < N_ENGINES; e++)
    {
      /* ActiveTime has waits for semaphores left out (documented); whether an instruction's time
       * has them is unknown, so without ActiveTime the union of instructions is an upper bound and
       * not given. */
      gboolean known = n_active > 0 && self->core != -2;
      double busy = stria_span_union_ns (&active[e].busy) / 1e9;

      add (self, engines[e].count, "", "rows of Instruction", n_rows > 0, (double) sums[e].count,
           "Instruction");
      add (self, engines[e].time, "s", "sum of Instruction.duration_ns", n_rows > 0,
           sums[e].time_ns / 1e9, "Instruction");
      add (self, engines[e].active, "s", "union of ActiveTime", known, busy,
           n_active > 0 ? SEVERAL : "ActiveTime");
      add (self, engines[e].share, "of 1", "active time / total_time", known && has_total,
           busy / total, "ActiveTime, total_time");
      stria_span_union_take (&self->all, n_active > 0 ? &active[e].busy : &sums[e].busy);
      stria_span_union_clear (&sums[e].busy);
      stria_span_union_clear (&active[e].busy);
    }
  add (self, "matmul_instruction_count", "", "rows of Instruction with opcode MATMUL", n_rows > 0,
       (double) matmuls, "Instruction");
  add (self, "activate_instruction_count", "", "rows with opcode ACTIVATE or ACTIVATE_QUANTIZE",
       n_rows > 0, (double) activate.count, "Instruction");
  add (self, "activate_instruction_time", "s", "sum of their duration_ns", n_rows > 0,
       activate.time_ns / 1e9, "Instruction");
  for (guint i = 0; i < 4; i++)
    add (self, flops_names[i], "flop", flops_formulas[i], with_flops[i] > 0, flops[i],
         "FLOPs of Instruction");
  return !rows.failed && !active_rows.failed;
}

static const struct
{
  const char *type;
  const char *count, *size, *active, *active_share, *count_share, *size_share;
} dma_kinds[OTHER_DMA] = {
#define DMA(type, name)                                                                            \
  { type, name "_dma_packet_count", name "_dma_size", name "_dma_active_time",                     \
    name "_dma_active_time_percent", name "_dma_packet_percent", name "_dma_size_percent" }
  [STATIC] = DMA ("", "static"),
  [SOFTWARE] = DMA ("software_dynamic", "software_dynamic"),
  [HARDWARE] = DMA ("hardware_dynamic", "hardware_dynamic"),
};

static DmaKind
dma_kind_at (const StriaSummaryRows *rows, guint column, guint32 row)
{
  static const char *const compiled[] = { "instruction", "input", "output", "data" };
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  for (guint k = SOFTWARE; k < OTHER_DMA; k++)
    if (length == strlen (dma_kinds[k].type) && starts_with (text, length, dma_kinds[k].type))
      return k;
  for (guint i = 0; i < G_N_ELEMENTS (compiled); i++)
    if (length == strlen (compiled[i]) && starts_with (text, length, compiled[i]))
      return STATIC;
  return OTHER_DMA;
}

static gboolean
add_dma (Making *self, gboolean has_total, double total)
{
  static const char *const wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "transfer_bytes", "queue_type", NULL };
  StriaSummaryRows packets = rows_of (self, "DmaPacket", wanted);
  StriaSummaryRows transfers = rows_of (self, "DmaPacketAggregated", wanted);
  Sum kinds[N_DMA] = { 0 }, whole = { 0 }, moved = { 0 };
  double value, busy;
  gboolean any, one;

  while (stria_summary_rows_next (&packets))
    for (guint32 row = 0; row < packets.n_rows; row++)
      {
        DmaKind kind = dma_kind_at (&packets, 4, row);

        add_span (self, &kinds[kind], &packets, row);
        whole.count++;
        if (stria_summary_rows_number (&packets, 3, row, &value))
          {
            kinds[kind].bytes += value;
            whole.bytes += value;
          }
      }
  while (!packets.failed && stria_summary_rows_next (&transfers))
    for (guint32 row = 0; row < transfers.n_rows; row++)
      {
        moved.count++;
        moved.time_ns += (double) MAX (0, stria_summary_rows_int (&transfers, 1, row, 0));
        if (stria_summary_rows_number (&transfers, 3, row, &value))
          moved.bytes += value;
      }
  stria_summary_rows_clear (&packets);
  stria_summary_rows_clear (&transfers);
  any = whole.count > 0;
  one = any && self->core != -2;
  for (guint k = 0; k < N_DMA; k++)
    {
      whole.time_ns += kinds[k].time_ns;
      stria_span_union_merge (&kinds[k].busy);
      stria_span_union_take (&whole.busy, &kinds[k].busy);
    }
  for (guint k = 0; k < OTHER_DMA; k++)
    {
      busy = stria_span_union_ns (&kinds[k].busy) / 1e9;
      add (self, dma_kinds[k].count, "", "rows of DmaPacket of its queue types", any,
           (double) kinds[k].count, "DmaPacket");
      add (self, dma_kinds[k].size, "B", "sum of their transfer_bytes", any, kinds[k].bytes,
           "DmaPacket");
      add (self, dma_kinds[k].active, "s", "union of their times", one, busy,
           any ? SEVERAL : "DmaPacket");
      add (self, dma_kinds[k].active_share, "of 1", "active time / total_time", one && has_total,
           busy / total, "DmaPacket, total_time");
      add (self, dma_kinds[k].count_share, "of 1", "packets / all packets", any,
           (double) kinds[k].count / (double) MAX (whole.count, 1), "DmaPacket");
      add (self, dma_kinds[k].size_share, "of 1", "bytes / all bytes", any && whole.bytes > 0,
           kinds[k].bytes / whole.bytes, "DmaPacket");
    }
  add (self, "dynamic_dma_packet_percent", "of 1", "packets of both dynamic kinds / all packets",
       any, (double)(kinds[SOFTWARE].count + kinds[HARDWARE].count) / (double)MAX (whole.count, 1),
       "DmaPacket");
  add (self, "dynamic_dma_size_percent", "of 1", "bytes of both dynamic kinds / all bytes",
       any && whole.bytes > 0, (kinds[SOFTWARE].bytes + kinds[HARDWARE].bytes) / whole.bytes,
       "DmaPacket");
  busy = stria_span_union_ns (&whole.busy) / 1e9;
  add (self, "dma_active_time", "s", "union of DmaPacket", one, busy, any ? SEVERAL : "DmaPacket");
  add (self, "dma_active_time_percent", "of 1", "dma_active_time / total_time", one && has_total,
       busy / total, "DmaPacket, total_time");
  add (self, "dma_packet_time", "s", "sum of DmaPacket.duration_ns", any, whole.time_ns / 1e9,
       "DmaPacket");
  add (self, "dma_transfer_count", "", "rows of DmaPacketAggregated", moved.count > 0,
       (double) moved.count, "DmaPacketAggregated");
  add (self, "dma_transfer_total_bytes", "B", "sum of DmaPacketAggregated.transfer_bytes",
       moved.count > 0, moved.bytes, "DmaPacketAggregated");
  add (self, "dma_transfer_average_bytes", "B", "dma_transfer_total_bytes / dma_transfer_count",
       moved.count > 0, moved.bytes / (double) MAX (moved.count, 1), "DmaPacketAggregated");
  add (self, "dma_transfer_time", "s", "sum of DmaPacketAggregated.duration_ns", moved.count > 0,
       moved.time_ns / 1e9, "DmaPacketAggregated");
  /* No metric of the summary: how much of the traffic has rows put together (documented gap) */
  add (self, "dma_coverage", "of 1", "bytes of DmaPacketAggregated / bytes of DmaPacket",
       any && moved.count > 0 && whole.bytes > 0, moved.bytes / whole.bytes, "DmaPacket");
  stria_span_union_take (&self->all, &whole.busy);
  stria_span_union_clear (&whole.busy);
  for (guint k = 0; k < N_DMA; k++)
    stria_span_union_clear (&kinds[k].busy);
  return !packets.failed && !transfers.failed;
}

static gboolean
add_collectives (Making *self, gboolean has_total, double total)
{
  static const char *const wanted[] = { "start_ts", "duration_ns", "pcore_idx", NULL };
  static const struct
  {
    const char *table, *count, *time, *active, *share;
  } both[] = {
    { "CcOp", "cc_op_count", "cc_op_time", "cc_op_active_time", "cc_op_active_time_percent" },
    { "CcInstruction", "cc_cores_instruction_count", "cc_cores_instruction_time",
      "cc_cores_instruction_active_time", "cc_cores_instruction_active_time_percent" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      StriaSummaryRows rows = rows_of (self, both[i].table, wanted);
      Sum sum = { 0 };
      gboolean one;
      double busy;

      while (stria_summary_rows_next (&rows))
        for (guint32 row = 0; row < rows.n_rows; row++)
          add_span (self, &sum, &rows, row);
      stria_summary_rows_clear (&rows);
      busy = stria_span_union_ns (&sum.busy) / 1e9;
      add (self, both[i].count, "", "rows", sum.count > 0, (double) sum.count, both[i].table);
      add (self, both[i].time, "s", "sum of duration_ns", sum.count > 0, sum.time_ns / 1e9,
           both[i].table);
      one = sum.count > 0 && self->core != -2;
      add (self, both[i].active, "s", "union of the rows' times", one, busy,
           sum.count > 0 ? SEVERAL : both[i].table);
      add (self, both[i].share, "of 1", "active time / total_time", one && has_total, busy / total,
           both[i].table);
      stria_span_union_take (&self->all, &sum.busy);
      stria_span_union_clear (&sum.busy);
      if (rows.failed)
        return FALSE;
    }
  return TRUE;
}

/* Value of a metric that was made, else what the file says */
static gboolean
known_metric (Making *self, const char *name, double *value)
{
  for (guint i = 0; i < self->metrics->len; i++)
    {
      const StriaNeuronMetric *metric = &g_array_index (self->metrics, StriaNeuronMetric, i);

      if (g_str_equal (metric->name, name))
        {
          *value = metric->has_value ? metric->value : metric->reported;
          return TRUE;
        }
    }
  return fact (self, "Summary", name, value, NULL);
}

static void
add_utilization (Making *self, gboolean has_total, double total)
{
  double hardware = 0, transpose = 0, read = 0, write = 0, bandwidth = 0;
  double rows, cols, clock, core_clock, inputs;
  gboolean has_flops = known_metric (self, "hardware_flops", &hardware);
  gboolean has_transpose = known_metric (self, "transpose_flops", &transpose);
  gboolean has_hbm = known_metric (self, "hbm_read_bytes", &read)
                     && known_metric (self, "hbm_write_bytes", &write);
  /* 2 x rows x columns x clock; the clock is given in GHz. */
  gboolean has_peak = fact (self, "Metadata", "tensor_engine_num_rows", &rows, NULL)
                      && fact (self, "Metadata", "tensor_engine_num_cols", &cols, NULL)
                      && fact (self, "Metadata", "tensor_engine_clock_freq", &clock, NULL);
  double peak = has_peak ? rows * cols * 2 * clock * 1e9 : 0;
  gboolean has_bandwidth = fact (self, "Metadata", "hbm_ddr_bandwidth", &bandwidth, NULL);
  double hbm = has_hbm ? read + write : 0;
  /* The peak is that of one core. */
  gboolean one = self->core != -2;

  has_peak = has_peak && peak > 0;
  has_bandwidth = has_bandwidth && bandwidth > 0;
  if (fact (self, "Metadata", "neuroncore_clock_freq", &core_clock, NULL))
    add (self, "neuroncore_cycle_count", "cycles", "total_time x neuroncore_clock_freq", has_total,
         total * core_clock * 1e9, "total_time");
  add (self, "hfu_estimated_percent", "of 1", "hardware_flops / (peak x total_time)",
       has_flops && has_peak && has_total && one, hardware / (peak * total),
       one ? "Metadata, FLOPs, total_time" : SEVERAL);
  add (self, "mfu_inst_estimated_percent", "of 1",
       "(hardware_flops - transpose_flops) / (peak x total_time)",
       has_flops && has_transpose && has_peak && has_total && one,
       (hardware - transpose) / (peak * total), one ? "Metadata, FLOPs, total_time" : SEVERAL);
  add (self, "mm_arithmetic_intensity", "flop/B",
       "(hardware_flops - transpose_flops) / (hbm_read_bytes + hbm_write_bytes)",
       has_flops && has_transpose && hbm > 0, (hardware - transpose) / hbm, "FLOPs, HBM bytes");
  add (self, "peak_flops_bandwidth_ratio", "flop/B", "peak / hbm_ddr_bandwidth",
       has_peak && has_bandwidth, peak / bandwidth, "Metadata");
  add (self, "mbu_estimated_percent", "of 1",
       "(hbm_read_bytes + hbm_write_bytes) / total_time / hbm_ddr_bandwidth",
       has_hbm && has_total && has_bandwidth, hbm / total / bandwidth, "HBM bytes, Metadata");
  if (known_metric (self, "inputs_and_weights_size_bytes", &inputs))
    add (self, "mbu_min_read_util_percent", "of 1",
         "inputs_and_weights_size_bytes / total_time / hbm_ddr_bandwidth",
         has_total && has_bandwidth, inputs / total / bandwidth, "Metadata");
}

/* The limit that throttling set, k/n, averaged over the time, 1 where there was none */
static gboolean
add_throttling (Making *self, gboolean has_total, double total)
{
  static const char *const wanted[] = { "timestamp", "duration", "pcore_idx", "k", "n", NULL };
  StriaSummaryRows rows = rows_of (self, "Throttle", wanted);
  double k, n, lost = 0;
  guint64 count = 0;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      if (stria_summary_rows_number (&rows, 3, row, &k)
          && stria_summary_rows_number (&rows, 4, row, &n) && n > 0)
        {
          lost += (double) MAX (0, stria_summary_rows_int (&rows, 1, row, 0)) / 1e9 * (1 - k / n);
          count++;
        }
  stria_summary_rows_clear (&rows);
  add (self, "average_utilization_limit", "of 1",
       "mean of k/n over total_time, 1 where not throttled",
       count > 0 && has_total && self->core != -2, 1 - lost / total, "Throttle");
  return !rows.failed;
}

GArray *
stria_neuron_summary (GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  Making self = {
    .tables = tables, .cancellable = cancellable, .error = error, .core = -1,
    .metrics = g_array_new (FALSE, FALSE, sizeof (StriaNeuronMetric)),
  };
  double first, last, total = 0, busy;
  /* Between start and stop notification, else of all notifications (documented): the former is in
   * no table but Summary. */
  gboolean has_span = fact (&self, "Metadata", "first_hw_timestamp", &first, NULL)
                      && fact (&self, "Metadata", "last_hw_timestamp", &last, NULL) && last > first;
  gboolean has_total = fact (&self, "Summary", "total_time", &total, NULL);
  gboolean ok;

  add (&self, "total_time", "s", "Metadata.last_hw_timestamp - first_hw_timestamp", has_span,
       has_span ? (last - first) / 1e9 : 0, "Metadata");
  if (!has_total && has_span)
    {
      total = (last - first) / 1e9;
      has_total = TRUE;
    }
  has_total = has_total && total > 0;
  ok = add_engines (&self, has_total, total) && add_dma (&self, has_total, total)
       && add_collectives (&self, has_total, total) && add_throttling (&self, has_total, total);
  if (ok)
    {
      busy = stria_span_union_ns (&self.all) / 1e9;
      add_utilization (&self, has_total, total);
      add (&self, "total_active_time", "s", "union of engines, DMA and collectives",
           self.all.spans != NULL && self.core != -2 && !self.has_waits, busy, "ActiveTime");
    }
  stria_span_union_clear (&self.all);
  if (!ok)
    g_clear_pointer (&self.metrics, g_array_unref);
  return self.metrics;
}

GPtrArray *
stria_neuron_summary_tables (StriaCapture *capture, guint artifact)
{
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);
  GPtrArray *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  StriaArtifact *self = stria_capture_get_artifact (capture, artifact);
  gboolean beside = g_str_has_suffix (stria_artifact_get_name (self), ".parquet");
  g_autofree char *folder = g_path_get_dirname (stria_artifact_get_name (self));

  for (guint i = 0; i < all->len; i++)
    {
      guint other = stria_table_get_artifact (all->pdata[i]);
      const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, other));
      g_autofree char *its = g_path_get_dirname (name);

      if (other == artifact
          || (beside && g_str_has_suffix (name, ".parquet") && g_str_equal (its, folder)))
        g_ptr_array_add (tables, stria_table_ref (all->pdata[i]));
    }
  return tables;
}
