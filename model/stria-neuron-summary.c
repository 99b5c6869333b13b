/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-making.h"

/* Formulas are the published ones (documented: the schema's reference and the summary page), unless
 * a comment says otherwise. Times of Summary are seconds, those of rows nanoseconds. */

/* -- what the parts share -------------------------------------------------------------------- */

StriaSummaryRows
stria_neuron_making_rows (const StriaNeuronMaking *self, const char *table,
                          const char *const *wanted)
{
  return (StriaSummaryRows){ .tables = self->tables, .cancellable = self->cancellable,
                             .error = self->error, .name = table, .wanted = wanted,
                             .scope = self->scope };
}

gboolean
stria_neuron_making_take (StriaNeuronMaking *self, StriaNeuronSum *sum,
                          const StriaSummaryRows *rows, guint32 row, double *share)
{
  StriaSummaryPart part;

  if (!stria_summary_rows_part (rows, row, &part))
    return FALSE;
  *share = part.share;
  sum->count++;
  if (part.duration < 0)
    return TRUE;
  sum->time_ns += (double) part.duration;
  stria_span_union_add (&sum->busy, part.start, part.duration);
  if (part.core >= 0)
    self->core = self->core == -1 || self->core == part.core ? part.core : -2;
  return TRUE;
}

gboolean
stria_neuron_making_chosen (const StriaNeuronMaking *self, const char *table)
{
  GHashTableIter iter;
  gpointer key;

  if (self->scope == NULL || !self->scope->has_lanes)
    return TRUE;
  if (self->scope->engines != 0 && g_str_equal (table, "ActiveTime"))
    return TRUE;
  g_hash_table_iter_init (&iter, self->scope->rows);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (g_ascii_strcasecmp (stria_table_get_name (key), table) == 0)
      return TRUE;
  return FALSE;
}

const char *
stria_neuron_making_lacks (const StriaNeuronMaking *self, const char *table)
{
  g_autofree char *text = NULL;

  if (stria_neuron_making_chosen (self, table))
    return table;
  /* A handful of them, kept for as long as the program runs */
  text = g_strdup_printf ("a lane of %s in the selection", table);
  return g_intern_string (text);
}

gboolean
stria_neuron_making_fact (StriaNeuronMaking *self, const char *table, const char *column,
                          double *value, gboolean *is_percent)
{
  const char *const wanted[] = { column, NULL };
  StriaSummaryRows rows = stria_neuron_making_rows (self, table, wanted);
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

void
stria_neuron_making_add (StriaNeuronMaking *self, const char *name, const char *unit,
                         const char *formula, gboolean has_value, double value,
                         const char *missing)
{
  StriaNeuronMetric metric = {
    .name = name, .unit = unit, .formula = formula, .has_value = has_value,
    .value = has_value ? value : 0, .missing = has_value ? NULL : missing,
  };
  gboolean is_percent = FALSE;

  /* What the file says is of everything. */
  if (!stria_summary_scope_is_part (self->scope))
    metric.has_reported
        = stria_neuron_making_fact (self, "Summary", name, &metric.reported, &is_percent);
  if (is_percent && metric.has_reported)
    metric.reported /= 100;
  if (metric.has_value || metric.has_reported
      || (self->scope != NULL && self->scope->lists_missing))
    g_array_append_val (self->metrics, metric);
}

gboolean
stria_neuron_making_known (StriaNeuronMaking *self, const char *name, double *value)
{
  const StriaNeuronMetric *metric = stria_neuron_metric_find (self->metrics, name);

  if (metric != NULL && (metric->has_value || metric->has_reported))
    {
      *value = metric->has_value ? metric->value : metric->reported;
      return TRUE;
    }
  return !stria_summary_scope_is_part (self->scope)
         && stria_neuron_making_fact (self, "Summary", name, value, NULL);
}

const StriaNeuronMetric *
stria_neuron_metric_find (GArray *metrics, const char *name)
{
  for (guint i = 0; i < metrics->len; i++)
    if (g_str_equal (g_array_index (metrics, StriaNeuronMetric, i).name, name))
      return &g_array_index (metrics, StriaNeuronMetric, i);
  return NULL;
}

/* -- engines --------------------------------------------------------------------------------- */

static const struct
{
  const char *count, *time, *active, *share;
} engines[STRIA_NEURON_N_ENGINES] = {
#define ENGINE(name)                                                                               \
  { name "_engine_instruction_count", name "_engine_instruction_time",                             \
    name "_engine_active_time", name "_engine_active_time_percent" }
  ENGINE ("tensor"), ENGINE ("vector"), ENGINE ("scalar"), ENGINE ("gpsimd"), ENGINE ("sync"),
};

/* Sums of columns of Instruction */
static const struct
{
  const char *column, *name, *unit, *formula;
} sums_of[] = {
#define SUM(column, name, unit) { column, name, unit, "sum of Instruction." column }
  SUM ("raw_flops", "hardware_flops", "flop"),
  SUM ("flops_transpose", "transpose_flops", "flop"),
  SUM ("adjusted_flops", "adjusted_hardware_flops", "flop"),
  SUM ("adjusted_flops_transpose", "adjusted_transpose_flops", "flop"),
  SUM ("hbm_read_bytes", "hbm_read_bytes", "B"),
  SUM ("hbm_write_bytes", "hbm_write_bytes", "B"),
  SUM ("spill_reload_bytes", "spill_reload_bytes", "B"),
  SUM ("spill_save_bytes", "spill_save_bytes", "B"),
  SUM ("sbuf_read_bytes", "sbuf_read_bytes", "B"),
  SUM ("sbuf_write_bytes", "sbuf_write_bytes", "B"),
  SUM ("psum_read_bytes", "psum_read_bytes", "B"),
  SUM ("psum_write_bytes", "psum_write_bytes", "B"),
};
#define FIRST_SUM 6

typedef struct
{
  StriaNeuronSum code[STRIA_NEURON_N_ENGINES];
  StriaNeuronSum active[STRIA_NEURON_N_ENGINES];
  StriaNeuronSum activate;
  double sums[G_N_ELEMENTS (sums_of)];
  gboolean has_sum[G_N_ELEMENTS (sums_of)];
  guint64 matmuls;
  gboolean has_code;
  gboolean has_active;
} Engines;

static gboolean
is_opcode (const char *opcode, guint32 length, const char *name)
{
  return length == strlen (name) && g_ascii_strncasecmp (opcode, name, length) == 0;
}

static guint
engine_at (const StriaSummaryRows *rows, guint column, guint32 row)
{
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  return stria_neuron_engine_find (text, length);
}

static void
take_instruction (StriaNeuronMaking *self, Engines *all, const StriaSummaryRows *rows, guint32 row)
{
  guint engine = engine_at (rows, 3, row);
  StriaNeuronSum other = { 0 };
  guint32 length;
  const char *opcode = stria_summary_rows_text (rows, 4, row, &length);
  gint64 core = self->core;
  double share, value;
  gboolean inside;

  /* Older exports say only the lane. */
  if (engine == STRIA_NEURON_N_ENGINES)
    engine = engine_at (rows, 5, row);
  all->has_code |= engine < STRIA_NEURON_N_ENGINES;
  inside = stria_neuron_making_take (
      self, engine < STRIA_NEURON_N_ENGINES ? &all->code[engine] : &other, rows, row, &share);
  stria_span_union_clear (&other.busy);
  for (guint i = 0; i < G_N_ELEMENTS (sums_of); i++)
    if (stria_summary_rows_number (rows, FIRST_SUM + i, row, &value))
      {
        all->sums[i] += inside ? value * share : 0;
        all->has_sum[i] = TRUE;
      }
  if (engine == STRIA_NEURON_N_ENGINES)
    {
      self->core = core;
      return;
    }
  if (!inside)
    return;
  all->matmuls += engine == 0 && is_opcode (opcode, length, "MATMUL");
  if (is_opcode (opcode, length, "ACTIVATE") || is_opcode (opcode, length, "ACTIVATE_QUANTIZE"))
    {
      StriaSummaryPart part;

      stria_summary_rows_part (rows, row, &part);
      all->activate.count++;
      all->activate.time_ns += (double) MAX (part.duration, 0);
    }
}

static gboolean
read_engines (StriaNeuronMaking *self, Engines *all)
{
  static const char *const wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "engine", "opcode", "timeline_track",
          "raw_flops", "flops_transpose", "adjusted_flops", "adjusted_flops_transpose",
          "hbm_read_bytes", "hbm_write_bytes", "spill_reload_bytes", "spill_save_bytes",
          "sbuf_read_bytes", "sbuf_write_bytes", "psum_read_bytes", "psum_write_bytes", NULL };
  static const char *const active_wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "engine", NULL };
  StriaSummaryRows rows = stria_neuron_making_rows (self, "Instruction", wanted);
  StriaSummaryRows active_rows = stria_neuron_making_rows (self, "ActiveTime", active_wanted);
  double share;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      take_instruction (self, all, &rows, row);
  while (!rows.failed && stria_summary_rows_next (&active_rows))
    for (guint32 row = 0; row < active_rows.n_rows; row++)
      {
        guint engine = engine_at (&active_rows, 3, row);

        all->has_active = TRUE;
        if (engine < STRIA_NEURON_N_ENGINES)
          stria_neuron_making_take (self, &all->active[engine], &active_rows, row, &share);
      }
  stria_summary_rows_clear (&rows);
  stria_summary_rows_clear (&active_rows);
  return !rows.failed && !active_rows.failed;
}

/* Whether an engine can be in the scope: chosen lanes may be those of others. */
static gboolean
engine_chosen (StriaNeuronMaking *self, const Engines *all, guint engine)
{
  return self->scope == NULL || !self->scope->has_lanes
         || (self->scope->engines >> engine & 1) != 0 || all->active[engine].count > 0;
}

static void
add_engine (StriaNeuronMaking *self, Engines *all, guint e)
{
  const char *of_code = stria_neuron_making_lacks (self, "Instruction");
  const char *of_active = stria_neuron_making_lacks (self, "ActiveTime");
  gboolean chosen = engine_chosen (self, all, e);
  gboolean has_code = all->has_code && chosen && stria_neuron_making_chosen (self, "Instruction");
  /* ActiveTime has waits for semaphores left out (documented); whether an instruction's time has
   * them is unknown, so without ActiveTime the union of instructions is an upper bound and not
   * given. */
  gboolean has_active = all->has_active && chosen;
  gboolean known = has_active && self->core != -2;
  double busy = stria_span_union_ns (&all->active[e].busy) / 1e9;

  if (!chosen)
    of_code = of_active = "a lane of this engine in the selection";
  stria_neuron_making_add (self, engines[e].count, "", "rows of Instruction", has_code,
                           (double) all->code[e].count, of_code);
  stria_neuron_making_add (self, engines[e].time, "s", "sum of Instruction.duration_ns", has_code,
                           all->code[e].time_ns / 1e9, of_code);
  stria_neuron_making_add (self, engines[e].active, "s", "union of ActiveTime", known, busy,
                           has_active ? STRIA_NEURON_SEVERAL : of_active);
  stria_neuron_making_add (self, engines[e].share, "of 1", "active time / total_time",
                           known && self->has_total, busy / self->total,
                           chosen ? "ActiveTime, total_time" : of_active);
  if (e == 0 && known)
    {
      self->tensor_is_known = TRUE;
      stria_span_union_take (&self->tensor, &all->active[e].busy);
    }
  stria_span_union_take (&self->all,
                         all->has_active ? &all->active[e].busy : &all->code[e].busy);
}

static gboolean
add_engines (StriaNeuronMaking *self)
{
  Engines all = { 0 };
  gboolean ok = read_engines (self, &all);
  const char *lacks = stria_neuron_making_lacks (self, "Instruction");
  gboolean has_code = all.has_code && stria_neuron_making_chosen (self, "Instruction");

  self->has_waits = all.has_code && !all.has_active;
  for (guint e = 0; e < STRIA_NEURON_N_ENGINES; e++)
    {
      add_engine (self, &all, e);
      stria_span_union_clear (&all.code[e].busy);
      stria_span_union_clear (&all.active[e].busy);
    }
  stria_neuron_making_add (self, "matmul_instruction_count", "",
                           "rows of Instruction with opcode MATMUL", has_code,
                           (double) all.matmuls, lacks);
  stria_neuron_making_add (self, "activate_instruction_count", "",
                           "rows with opcode ACTIVATE or ACTIVATE_QUANTIZE", has_code,
                           (double) all.activate.count, lacks);
  stria_neuron_making_add (self, "activate_instruction_time", "s", "sum of their duration_ns",
                           has_code, all.activate.time_ns / 1e9, lacks);
  for (guint i = 0; i < G_N_ELEMENTS (sums_of); i++)
    stria_neuron_making_add (self, sums_of[i].name, sums_of[i].unit, sums_of[i].formula,
                             all.has_sum[i] && has_code, all.sums[i],
                             has_code ? sums_of[i].formula + strlen ("sum of ") : lacks);
  return ok;
}

/* -- the whole ------------------------------------------------------------------------------- */

static void
add_total_time (StriaNeuronMaking *self)
{
  double first, last;
  /* Between start and stop notification, else of all notifications (documented): the former is in
   * no table but Summary. */
  gboolean has_span
      = stria_neuron_making_fact (self, "Metadata", "first_hw_timestamp", &first, NULL)
        && stria_neuron_making_fact (self, "Metadata", "last_hw_timestamp", &last, NULL)
        && last > first;

  if (self->scope != NULL && self->scope->has_window)
    {
      self->total = (double) (self->scope->t1 - self->scope->t0) / 1e9;
      self->has_total = self->total > 0;
      stria_neuron_making_add (self, "total_time", "s", "end of the part - begin of the part",
                               self->has_total, self->total, "a part longer than 0");
      return;
    }
  self->has_total
      = stria_neuron_making_fact (self, "Summary", "total_time", &self->total, NULL);
  stria_neuron_making_add (self, "total_time", "s",
                           "Metadata.last_hw_timestamp - first_hw_timestamp", has_span,
                           has_span ? (last - first) / 1e9 : 0, "Metadata");
  if (!self->has_total && has_span)
    {
      self->total = (last - first) / 1e9;
      self->has_total = TRUE;
    }
  self->has_total = self->has_total && self->total > 0;
}

GArray *
stria_neuron_summary_of (GPtrArray *tables, const StriaSummaryScope *scope,
                         GCancellable *cancellable, GError **error)
{
  StriaNeuronMaking self = {
    .tables = tables, .scope = scope, .cancellable = cancellable, .error = error, .core = -1,
    .metrics = g_array_new (FALSE, FALSE, sizeof (StriaNeuronMetric)),
  };
  gboolean ok;

  add_total_time (&self);
  ok = add_engines (&self) && stria_neuron_making_dma (&self)
       && stria_neuron_making_collectives (&self) && stria_neuron_making_tensors (&self)
       && stria_neuron_making_utilization (&self);
  if (ok)
    stria_neuron_making_add (&self, "total_active_time", "s",
                             "union of engines, DMA and collectives",
                             self.all.spans != NULL && self.core != -2 && !self.has_waits,
                             stria_span_union_ns (&self.all) / 1e9, "ActiveTime");
  stria_span_union_clear (&self.all);
  stria_span_union_clear (&self.tensor);
  if (!ok)
    g_clear_pointer (&self.metrics, g_array_unref);
  return self.metrics;
}

GArray *
stria_neuron_summary (GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  return stria_neuron_summary_of (tables, NULL, cancellable, error);
}
