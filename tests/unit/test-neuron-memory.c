/* SPDX-License-Identifier: Apache-2.0 */
/* Memories of a Neuron profile from rows, against sums that go over every byte and nanosecond. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "neuron-rows.h"
#include "stria-neuron-memory.h"
#include "stria-neuron-summary.h"
#include "trace-text.h"

#define T 220
#define A 160

typedef struct
{
  StriaCapture *capture;
  StriaSink *sink;
  StriaNeuronEmitter *emitter;
  GPtrArray *tables;
  StriaNeuronMemory *memory;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->capture = trace_text_capture ("profile");
  self->sink = stria_capture_open_sink (self->capture, 0);
  self->emitter = stria_neuron_emitter_new (self->sink, "p");
}

static void
make (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  stria_neuron_emitter_free (self->emitter);
  stria_capture_close_sink (self->capture, self->sink, TRUE);
  self->tables = stria_neuron_summary_tables (self->capture, 0);
  self->memory = stria_neuron_memory_new (self->tables, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_clear_pointer (&self->memory, stria_neuron_memory_unref);
  g_ptr_array_unref (self->tables);
  g_object_unref (self->capture);
}

static void
expect (double value, double expected)
{
  g_assert_cmpfloat_with_epsilon (value, expected, fabs (expected) * 1e-9 + 1e-12);
}

/* -- ranges ---------------------------------------------------------------------------------- */

static void
check_pressure (const StriaSbufPressure *p, const int rows[][4], guint n)
{
  gint64 first = A, last = -1, t0 = T, t1 = 0;
  double bytes = 0, fragmentation = 0, free_time = 0, worst = -1, at_peak = -1;
  guint most = 0;
  gint64 most_at = 0;

  for (guint i = 0; i < n; i++)
    {
      first = MIN (first, rows[i][2]);
      last = MAX (last, rows[i][3]);
      t0 = MIN (t0, rows[i][0]);
      t1 = MAX (t1, rows[i][1]);
    }
  for (gint64 t = t0; t < t1; t++)
    {
      gboolean taken[A] = { FALSE };
      guint used = 0, gap = 0, run = 0, empty;
      double share;

      for (guint i = 0; i < n; i++)
        for (int a = rows[i][2]; t >= rows[i][0] && t < rows[i][1] && a <= rows[i][3]; a++)
          taken[a] = TRUE;
      for (gint64 a = first; a <= last; a++)
        {
          used += taken[a];
          run = taken[a] ? 0 : run + 1;
          gap = MAX (gap, run);
        }
      empty = (guint) (last - first + 1) - used;
      share = empty > 0 ? 1 - (double) gap / empty : -1;
      bytes += used;
      if (used > most)
        {
          most = used;
          most_at = t;
          at_peak = share;
        }
      if (used == 0 || empty == 0)
        continue;
      fragmentation += share;
      free_time++;
      worst = MAX (worst, share);
    }
  g_assert_cmpuint (p->n_ranges, ==, n);
  g_assert_cmpint (p->first, ==, first);
  g_assert_cmpint (p->last, ==, last);
  g_assert_cmpint (p->t0, ==, t0);
  g_assert_cmpint (p->t1, ==, t1);
  g_assert_cmpuint (p->peak_bytes, ==, most);
  g_assert_cmpint (p->peak_ns, ==, most_at);
  expect (p->mean_bytes, bytes / (double) (t1 - t0));
  expect (p->peak_fragmentation, at_peak);
  expect (p->worst_fragmentation, worst);
  expect (p->mean_fragmentation, free_time > 0 ? fragmentation / free_time : -1);
}

/* Ranges that overlap, that touch, that are empty, and that come in no order */
static void
test_pressure (Fixture *self, gconstpointer data)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (5);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  int rows[2][60][4];

  for (guint partition = 0; partition < 2; partition++)
    for (guint i = 0; i < 60; i++)
      {
        int *row = rows[partition][i];

        row[0] = g_rand_int_range (dice, 0, 190);
        row[1] = row[0] + (i % 11 == 0 ? 0 : g_rand_int_range (dice, 1, 30));
        row[2] = g_rand_int_range (dice, 3, 140);
        row[3] = row[2] + g_rand_int_range (dice, 0, 19);
        g_ptr_array_add (lines, g_strdup_printf ("%d|%d|%d|%d|%d|1", row[0], row[1], row[2], row[3],
                                                 (int) partition * 32));
      }
  g_ptr_array_add (lines, NULL);
  add_rows (self->emitter, "SbufAllocation",
            "start_ts|end_ts|start_address|end_address|partition|pcore_idx",
            (const char *const *) lines->pdata);
  make (self);
  g_assert_null (self->memory->missing);
  g_assert_cmpuint (self->memory->ranges->len, ==, 120);
  g_assert_cmpuint (self->memory->pressures->len, ==, 2);
  for (guint partition = 0; partition < 2; partition++)
    check_pressure (stria_neuron_memory_pressure (self->memory, 1, (gint32) partition * 32),
                    rows[partition], 60);
  for (guint i = 0; i < 120; i++)
    {
      const StriaSbufRange *range = &g_array_index (self->memory->ranges, StriaSbufRange, i);
      const guint from = stria_neuron_memory_from (self->memory, range->end);

      g_assert_cmpuint (from, <=, i);
      for (guint k = 0; k < from; k++)
        g_assert_cmpint (g_array_index (self->memory->ranges, StriaSbufRange, k).end, <,
                         range->end);
    }
}

static void
test_ranges (Fixture *self, gconstpointer data)
{
  g_autoptr (GArray) shares = NULL;
  const StriaSbufRange *range;

  add_rows (self->emitter, "SbufAllocation",
            "start_ts|end_ts|start_address|end_address|partition|op_source_type|opcode|operands|"
            "queue_name|block_id|tensor_name|pcore_idx",
            ROWS ("20|40|0|9|0|instruction|ACTIVATE|a b|-|-|x|0",
                  "10|30|10|19|0|DMA|-|-|q1|7|y|0", "5|4|0|9|0|DMA|-|-|q1|7|bad|0",
                  "5|-|0|9|0|DMA|-|-|q1|7|bad|0", "5|9|9|8|0|DMA|-|-|q1|7|bad|0",
                  "50|60|0|0|-|-|-|-|-|-|-|-"));
  add_rows (self->emitter, "Instruction", "start_ts|duration_ns|opcode|operands|engine|pcore_idx",
            ROWS ("15|10|ACTIVATE|a c|scalar|0", "18|10|ACTIVATE|a b|scalar|0",
                  "18|10|ACTIVATE|a b|scalar|1", "40|10|ACTIVATE|a b|scalar|0"));
  add_rows (self->emitter, "DmaPacketAggregated",
            "start_ts|duration_ns|queue_name|block_id|transfer_bytes|pcore_idx",
            ROWS ("0|15|q1|7|1|0", "5|15|q1|7|1|0", "5|15|q1|8|1|0"));
  make (self);
  g_assert_cmpuint (self->memory->ranges->len, ==, 3);
  g_assert_cmpuint (self->memory->n_skipped, ==, 3);
  range = &g_array_index (self->memory->ranges, StriaSbufRange, 0);
  g_assert_cmpint (range->start, ==, 10);
  g_assert_cmpint (range->block, ==, 7);
  g_assert_cmpstr (stria_neuron_memory_text (self->memory, range, STRIA_SBUF_QUEUE), ==, "q1");
  g_assert_cmpstr (stria_neuron_memory_text (self->memory, range, STRIA_SBUF_OPCODE), ==, "");
  g_assert_cmpint (g_array_index (self->memory->ranges, StriaSbufRange, 2).partition, ==, -1);
  g_assert_cmpuint (stria_neuron_memory_find (self->memory, "x", 0, -1), ==, 1);
  g_assert_cmpuint (stria_neuron_memory_find (self->memory, "x", 1, -1), ==, G_MAXUINT);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_TENSOR, "y"), ==, 0);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_TENSOR, "x"), ==, 1);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_QUEUE, "q1"), ==, 0);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_OPCODE, "ACTIVATE"), ==,
                    1);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_TENSOR, "q1"), ==,
                    G_MAXUINT);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_TENSOR, ""), ==,
                    G_MAXUINT);
  g_assert_cmpuint (stria_neuron_memory_ordinal (self->memory, STRIA_SBUF_TENSOR, "?"), ==,
                    G_MAXUINT);
  shares = stria_neuron_memory_shares (self->memory, 0, 0, STRIA_SBUF_OPCODE);
  g_assert_cmpuint (shares->len, ==, 2);
  expect (g_array_index (shares, StriaSbufShare, 0).byte_ns, 200);

  for (guint i = 0; i < 3; i++)
    {
      static const guint64 expected[] = { 2, 1, 0 };
      g_autoptr (GError) error = NULL;
      const char *table = NULL;
      guint32 artifact = 9;
      guint64 row = 99;

      range = &g_array_index (self->memory->ranges, StriaSbufRange, i);
      g_assert_cmpuint (stria_neuron_memory_writer (self->tables, self->memory, range, &table,
                                                    &artifact, &row, NULL, &error),
                        ==, expected[i]);
      g_assert_no_error (error);
      if (i == 1)
        {
          g_assert_cmpstr (table, ==, "Instruction");
          g_assert_cmpuint (row, ==, 1);
          g_assert_cmpuint (artifact, ==, 0);
        }
    }
}

/* -- samples --------------------------------------------------------------------------------- */

static void
test_samples (Fixture *self, gconstpointer data)
{
  const StriaFullness *psum;
  const StriaMemoryStack *stack;

  add_rows (self->emitter, "PsumUsage",
            "timestamp|bank_0_util_percent|bank_1_util_percent|pcore_idx",
            ROWS ("20|50|-|0", "10|25|75|0", "10|1|2|1"));
  add_rows (self->emitter, "SystemProfileHbmUsage",
            "timestamp|total_bytes|io_bytes|weights_bytes|generic_bytes|later_bytes:i|device_idx|"
            "hbm_idx|instance_id",
            ROWS ("30|100|10|60|0|20|0|1|i-1", "10|50|40|10|0|0|0|1|i-1",
                  "20|120|100|10|0|0|0|1|i-1", "10|7|7|0|0|0|0|2|i-1"));
  add_rows (self->emitter, "HbmUsage", "timestamp|current_throughput|total_transfer_bytes",
            ROWS ("0|5|5", "1|7|12"));
  make (self);
  g_assert_cmpuint (self->memory->fullness->len, ==, 2);
  psum = self->memory->fullness->pdata[0];
  g_assert_true (psum->is_psum);
  g_assert_cmpuint (psum->n_parts, ==, 2);
  g_assert_cmpuint (psum->times->len, ==, 2);
  expect ((double) g_array_index (psum->shares, float, 1), 75);
  g_assert_true (isnan (g_array_index (psum->shares, float, 3)));
  expect ((double) psum->most[0], 50);
  expect ((double) psum->most[1], 75);
  g_assert_cmpint (stria_samples_at (psum->times, 9), ==, -1);
  g_assert_cmpint (stria_samples_at (psum->times, 10), ==, 0);
  g_assert_cmpint (stria_samples_at (psum->times, 99), ==, 1);

  g_assert_cmpuint (self->memory->stacks->len, ==, 3);
  stack = self->memory->stacks->pdata[0];
  g_assert_cmpstr (stack->title, ==, "i-1 · ND0 · HBM1");
  /* Most first; what nothing is held for is left out; what the schema does not know is not. */
  g_assert_cmpuint (stack->names->len, ==, 3);
  g_assert_cmpstr (stack->names->pdata[0], ==, "io_bytes");
  g_assert_cmpstr (stack->names->pdata[1], ==, "weights_bytes");
  g_assert_cmpstr (stack->names->pdata[2], ==, "later_bytes");
  g_assert_cmpint (g_array_index (stack->times, gint64, 1), ==, 20);
  expect (g_array_index (stack->values, double, 3), 100);
  expect (g_array_index (stack->totals, double, 2), 100);
  g_assert_cmpint (stria_memory_stack_peak (stack, 0, 100), ==, 1);
  g_assert_cmpint (stria_memory_stack_peak (stack, 25, 29), ==, 1);
  g_assert_cmpint (stria_memory_stack_peak (stack, 30, 99), ==, 2);
  g_assert_cmpint (stria_memory_stack_peak (stack, 0, 5), ==, -1);
  stack = self->memory->stacks->pdata[2];
  g_assert_cmpstr (stack->unit, ==, "B/s");
  g_assert_false (stack->has_totals);
  expect (g_array_index (stack->totals, double, 1), 7);
}

/* -- tensors --------------------------------------------------------------------------------- */

static const StriaMemoryTensor *
find_tensor (Fixture *self, const char *name)
{
  for (guint i = 0; i < self->memory->tensors->len; i++)
    if (g_str_equal (((StriaMemoryTensor *) self->memory->tensors->pdata[i])->name, name))
      return self->memory->tensors->pdata[i];
  g_assert_not_reached ();
}

static void
test_tensors (Fixture *self, gconstpointer data)
{
  const StriaMemoryFigure *figures;
  const StriaMemoryTensor *tensor;

  add_rows (self->emitter, "TensorInfo",
            "variable_name|type|size|load_to_sbuf_total_size_bytes|load_to_sbuf_dma_count|"
            "load_to_sbuf_repeat_factor",
            ROWS ("in|IN|100|-|-|-", "w|WEIGHT|50|200|4|4", "out|OUT|20|-|-|-"));
  add_rows (self->emitter, "DmaPacketAggregated",
            "start_ts|duration_ns|variable|transfer_bytes|source|dest|pcore_idx",
            ROWS ("0|1|in|80|[[INPUT]]|[SB]|0", "1|1|in|70|[[INPUT]]|[SB]|1",
                  "2|1|w|999|[[WEIGHT]]|[SB]|0", "3|1|tmp|30|[SB]|[[VIRTUAL]]|0",
                  "4|1|tmp|30|[[VIRTUAL]]|[SB]|0", "5|1|tmp|15|[[VIRTUAL]]|[SB]|0",
                  "6|1|out|20|[SB]|[[OUTPUT]]|0"));
  add_rows (self->emitter, "DmaPacket", "start_ts|duration_ns|transfer_bytes", ROWS ("0|1|2488"));
  make (self);
  g_assert_cmpuint (self->memory->tensors->len, ==, 4);
  tensor = self->memory->tensors->pdata[0];
  g_assert_cmpstr (tensor->name, ==, "tmp");
  g_assert_false (tensor->is_declared);
  expect (tensor->save_bytes, 30);
  expect (tensor->save_count, 1);
  expect (tensor->reload_bytes, 45);
  expect (tensor->reload_count, 2);
  g_assert_cmpint (tensor->size, ==, -1);
  g_assert_cmpint (tensor->n_ranges, ==, -1);
  tensor = find_tensor (self, "in");
  g_assert_true (tensor->loads_counted);
  expect (tensor->load_bytes, 150);
  expect (tensor->load_count, 2);
  expect (tensor->repeat, 1.5);
  expect (tensor->save_bytes, 0);
  tensor = find_tensor (self, "w");
  g_assert_false (tensor->loads_counted);
  expect (tensor->load_bytes, 200);
  expect (tensor->repeat, 4);
  expect (find_tensor (self, "out")->load_bytes, -1);

  figures = self->memory->figures;
  expect (figures[STRIA_MEMORY_SPILL_SAVE].value, 30);
  expect (figures[STRIA_MEMORY_SPILL_RELOADS].value, 2);
  expect (figures[STRIA_MEMORY_RELOAD_SHARE].value, 45.0 / (80 + 70 + 999 + 45));
  expect (figures[STRIA_MEMORY_INPUT_RELOAD].value, 50 + 150);
  expect (figures[STRIA_MEMORY_EXCESS].value, 1244.0 / 120);
  expect (figures[STRIA_MEMORY_COVERAGE].value, 0.5);
}

static void
test_missing (Fixture *self, gconstpointer data)
{
  add_rows (self->emitter, "SbufAllocation", "start_ts|end_ts|start_address|partition",
            ROWS ("0|1|0|0"));
  add_rows (self->emitter, "TensorInfo", "variable_name|type", ROWS ("in|IN"));
  make (self);
  g_assert_cmpstr (self->memory->missing, ==, "end_address");
  g_assert_cmpuint (self->memory->ranges->len, ==, 0);
  for (guint i = 0; i < STRIA_MEMORY_N_FIGURES; i++)
    {
      g_assert_nonnull (self->memory->figures[i].missing);
      g_assert_true (isnan (self->memory->figures[i].value));
      g_assert_nonnull (self->memory->figures[i].formula);
    }
  expect (find_tensor (self, "in")->save_bytes, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/neuron-memory/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("pressure", test_pressure);
  ADD ("ranges", test_ranges);
  ADD ("samples", test_samples);
  ADD ("tensors", test_tensors);
  ADD ("missing", test_missing);
  return g_test_run ();
}
