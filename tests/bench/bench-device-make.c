/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-device-make.h"

#include <string.h>

#include "stria-table.h"

#define CORES   8
#define BATCH   4096
#define SAMPLES 20000 /* of each counter */

enum
{
  COLUMN_START,
  COLUMN_DURATION,
  COLUMN_WAIT,
  COLUMN_OPCODE,
  COLUMN_LAYER,
  COLUMN_HLO,
  N_COLUMNS,
};

static const char *const engines[BENCH_DEVICE_LANES / CORES]
  = { "Tensor", "TensorMatrix", "Vector", "Scalar", "GpSimd", "Sync", "qSpIo0", "qSpIo1" };
static const char *const opcodes[]
  = { "MatMultMoving", "LdWeights", "TensorTensor", "TensorScalar", "Activation", "Select",
      "TensorReduce", "Iota", "DmaTrigger", "SemaphoreWait", "Copy", "BatchNormStats" };
static const char *const kinds[]
  = { "dot", "fusion", "transpose", "reduce", "broadcast", "convolution", "all-reduce" };

typedef struct
{
  StriaSink         *sink;
  StriaTableBuilder *table;
  StriaEvent         events[BATCH];
  guint              n_events;
  guint64            state;

  /* A batch of rows; texts are numbers of @texts */
  guint32 n_rows;
  gint64  ints[COLUMN_OPCODE][BATCH];
  guint32 texts[N_COLUMNS - COLUMN_OPCODE][BATCH];
  guint32 *offsets[N_COLUMNS - COLUMN_OPCODE];
  GString *bytes[N_COLUMNS - COLUMN_OPCODE];
  guint32 n_texts[N_COLUMNS - COLUMN_OPCODE];

  guint32 names[BENCH_DEVICE_NAMES];
  guint32 category;
  guint32 thread;
  guint32 layer;
  guint32 op;
  guint64 n_slices;
  guint64 n_events_all;
} Maker;

static guint32
next_random (Maker *self)
{
  self->state = self->state * 6364136223846793005u + 1442695040888963407u;
  return (guint32) (self->state >> 33);
}

static void
flush_events (Maker *self)
{
  self->sink->events (self->sink, self->events, self->n_events);
  self->n_events = 0;
}

static void
flush_rows (Maker *self)
{
  StriaColumnData columns[N_COLUMNS] = { 0 };

  for (guint i = 0; i < COLUMN_OPCODE; i++)
    columns[i].ints = self->ints[i];
  for (guint i = COLUMN_OPCODE; i < N_COLUMNS; i++)
    columns[i] = (StriaColumnData){ .index = self->texts[i - COLUMN_OPCODE],
                                    .offsets = self->offsets[i - COLUMN_OPCODE],
                                    .bytes = self->bytes[i - COLUMN_OPCODE]->str,
                                    .n_texts = self->n_texts[i - COLUMN_OPCODE] };
  stria_table_builder_add (self->table, columns, self->n_rows);
  self->n_rows = 0;
}

static void
add_event (Maker *self, StriaEvent event)
{
  event.seq = (guint32) self->n_events_all++;
  event.args = STRIA_NO_ARGS;
  self->events[self->n_events++] = event;
  if (self->n_events == BATCH)
    flush_events (self);
}

/* Its number in the file is that of its row. */
static void
add_slice (Maker *self, gint64 ts, gint64 dur, guint name)
{
  const guint32 row = self->n_rows;
  const guint32 r = next_random (self);

  add_event (self, (StriaEvent){ .kind = STRIA_EVENT_SLICE, .ts_ns = ts, .dur_ns = dur,
                                 .thread = self->thread, .name = self->names[name],
                                 .category = self->category });
  self->ints[COLUMN_START][row] = ts;
  self->ints[COLUMN_DURATION][row] = dur;
  self->ints[COLUMN_WAIT][row] = r % 3 == 0 ? dur * (r >> 8 & 15) / 4 : 0;
  self->texts[COLUMN_OPCODE - COLUMN_OPCODE][row] = name % G_N_ELEMENTS (opcodes);
  self->texts[COLUMN_LAYER - COLUMN_OPCODE][row] = self->layer;
  self->texts[COLUMN_HLO - COLUMN_OPCODE][row] = self->op;
  self->n_slices++;
  if (++self->n_rows == BATCH)
    flush_rows (self);
}

/* Few names are common and most are rare, as in life */
static guint
random_instruction (Maker *self)
{
  const guint first = BENCH_DEVICE_LAYERS + BENCH_DEVICE_OPS, n = BENCH_DEVICE_NAMES - first;
  const double share = (double) next_random (self) / 2147483648.0;

  return first + (guint) (share * share * share * n) % n;
}

static void
add_operator (Maker *self, gint64 ts, gint64 dur)
{
  const guint n = 8 + next_random (self) % 40;
  gint64 at = ts;

  self->op = next_random (self) % BENCH_DEVICE_OPS;
  add_slice (self, ts, dur, BENCH_DEVICE_LAYERS + self->op);
  for (guint i = 0; i < n; i++)
    {
      const gint64 room = (ts + dur - at) / (n - i);
      const gint64 gap = next_random (self) % MAX (room / 3, 1);

      add_slice (self, at + gap, MAX (room - gap - (gint64) (next_random (self) % 8), 1),
                 random_instruction (self));
      at += room;
    }
}

static void
add_layer (Maker *self, gint64 ts, gint64 dur)
{
  const guint n = 4 + next_random (self) % 6;
  gint64 at = ts;

  add_slice (self, ts, dur, self->layer);
  for (guint i = 0; i < n; i++)
    {
      const gint64 room = (ts + dur - at) / (n - i);

      add_operator (self, at + room / 40, room - room / 20);
      at += room;
    }
}

static void
make_texts (Maker *self)
{
  for (guint t = 0; t < G_N_ELEMENTS (self->bytes); t++)
    {
      const guint n = t == 0   ? G_N_ELEMENTS (opcodes)
                      : t == 1 ? BENCH_DEVICE_LAYERS
                               : BENCH_DEVICE_OPS;

      self->bytes[t] = g_string_new (NULL);
      self->offsets[t] = g_new0 (guint32, n + 1);
      self->n_texts[t] = n;
      for (guint i = 0; i < n; i++)
        {
          if (t == 0)
            g_string_append (self->bytes[t], opcodes[i]);
          else if (t == 1)
            g_string_append_printf (self->bytes[t], "model/layers.%u/self_attn/q_proj", i);
          else
            g_string_append_printf (self->bytes[t], "%s.%u", kinds[i % G_N_ELEMENTS (kinds)], i);
          self->offsets[t][i + 1] = (guint32) self->bytes[t]->len;
        }
    }
}

static void
make_names (Maker *self)
{
  for (guint i = 0; i < BENCH_DEVICE_NAMES; i++)
    {
      g_autofree char *name = NULL;
      const guint op = i - BENCH_DEVICE_LAYERS;

      if (i < BENCH_DEVICE_LAYERS)
        name = g_strdup_printf ("model/layers.%u/self_attn", i);
      else if (op < BENCH_DEVICE_OPS)
        name = g_strdup_printf ("%s.%u", kinds[op % G_N_ELEMENTS (kinds)], op);
      else
        name = g_strdup_printf ("%s.bf16[128,%u] I-%u", opcodes[i % G_N_ELEMENTS (opcodes)],
                                64u << i % 4, i);
      self->names[i] = self->sink->intern (self->sink, name, strlen (name));
    }
  self->category = self->sink->intern (self->sink, "instruction", 11);
}

static void
open_table (Maker *self)
{
  static const struct
  {
    const char *name;
    StriaCellType type;
  } known[N_COLUMNS] = {
    { "start_ts", STRIA_CELL_INT },         { "duration_ns", STRIA_CELL_INT },
    { "evt_wait_time_ns", STRIA_CELL_INT }, { "opcode", STRIA_CELL_TEXT },
    { "layer", STRIA_CELL_TEXT },           { "hlo_name", STRIA_CELL_TEXT },
  };
  StriaColumnInfo columns[N_COLUMNS] = { { 0 } };

  for (guint i = 0; i < N_COLUMNS; i++)
    columns[i] = (StriaColumnInfo){ .name = (char *) known[i].name, .type = known[i].type,
                                    .unit = (char *) "" };
  self->table = self->sink->table (self->sink, "Instruction", columns, N_COLUMNS);
}

/* Samples of how full the memories of a core are, and arrows from engine to engine */
static void
add_usage (Maker *self, guint32 thread, gint64 end_ns)
{
  static const char *const counters[] = { "State buffer", "PSUM", "DMA throughput" };

  for (guint c = 0; c < G_N_ELEMENTS (counters); c++)
    {
      const guint32 name = self->sink->intern (self->sink, counters[c], strlen (counters[c]));
      double value = 0;

      for (guint i = 0; i < SAMPLES; i++)
        {
          value = CLAMP (value + (double) (next_random (self) % 2001) - 1000, 0, 24000);
          add_event (self, (StriaEvent){ .kind = STRIA_EVENT_COUNTER, .value = value * 1024,
                                         .ts_ns = end_ns / SAMPLES * i, .thread = thread,
                                         .name = name, .extra = self->sink->intern (self->sink, "", 0) });
        }
    }
}

static void
add_flows (Maker *self, const guint32 *threads, gint64 end_ns)
{
  for (guint i = 0; i < BENCH_DEVICE_FLOWS; i++)
    {
      const gint64 ts = end_ns / BENCH_DEVICE_FLOWS * i;
      const guint from = next_random (self) % BENCH_DEVICE_LANES;
      const guint to = (from + 1 + next_random (self) % 7) % BENCH_DEVICE_LANES;
      StriaEvent end = { .kind = STRIA_EVENT_FLOW_START, .id = i, .ts_ns = ts, .name = self->names[0],
                         .thread = threads[from], .flags = STRIA_EVENT_BIND_ENCLOSING };

      add_event (self, end);
      end.kind = STRIA_EVENT_FLOW_END;
      end.ts_ns = ts + 2000 + next_random (self) % 60000;
      end.thread = threads[to];
      add_event (self, end);
    }
}

guint64
bench_device_feed (StriaSink *sink, guint64 n)
{
  g_autofree Maker *self = g_new0 (Maker, 1);
  guint32 threads[BENCH_DEVICE_LANES];
  guint32 processes[CORES];
  gint64 end_ns = 0;
  guint64 made = 0;

  self->sink = sink;
  self->state = 3;
  make_names (self);
  make_texts (self);
  open_table (self);
  for (guint lane = 0; lane < BENCH_DEVICE_LANES; lane++)
    {
      const guint core = lane / (BENCH_DEVICE_LANES / CORES), engine = lane % G_N_ELEMENTS (engines);
      g_autofree char *title = g_strdup_printf ("Core %u", core);
      g_autofree char *key = g_strdup_printf (STRIA_TABLE_LANE_KEY "Instruction\x1f%s\x1f%u",
                                              engines[engine], core);
      g_autofree char *name = g_strdup_printf ("%s (nc%u)", engines[engine], core);
      gint64 ts = next_random (self) % 100000;

      processes[core] = sink->process (sink, title, strlen (title));
      self->thread = threads[lane] = sink->thread (sink, processes[core], key, strlen (key));
      sink->set_name (sink, STRIA_FIELD_THREAD_NAME, processes[core], self->thread,
                      sink->intern (sink, name, strlen (name)));
      while (self->n_slices < n * (lane + 1) / BENCH_DEVICE_LANES)
        {
          const gint64 dur = 60000 + next_random (self) % 400000;

          self->layer = (self->layer + 1) % BENCH_DEVICE_LAYERS;
          add_layer (self, ts, dur);
          ts += dur + next_random (self) % 6000;
        }
      end_ns = MAX (end_ns, ts);
    }
  made = self->n_slices;
  flush_rows (self);
  for (guint core = 0; core < CORES; core++)
    add_usage (self, threads[core * G_N_ELEMENTS (engines)], end_ns);
  add_flows (self, threads, end_ns);
  flush_events (self);
  for (guint t = 0; t < G_N_ELEMENTS (self->bytes); t++)
    {
      g_free (self->offsets[t]);
      g_string_free (self->bytes[t], TRUE);
    }
  return made;
}
