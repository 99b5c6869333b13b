/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntrace-private.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#define N_PURPOSES 21

typedef enum
{
  TIMESTAMP, TOTAL, FIRST_PURPOSE, UNKNOWN = FIRST_PURPOSE + N_PURPOSES, DEVICE, HBM, INSTANCE,
  PROCESS, USAGE_TYPE,
} HbmColumn;

static const char *const hbm_columns[] = {
  "timestamp", "total_bytes", "generic_bytes", "tensor_instructions_bytes",
  "scalar_instructions_bytes", "gpsimd_instructions_bytes", "io_bytes", "dram_spill_bytes",
  "weights_bytes", "profiler_buffers_bytes", "scalar_table_bytes", "vector_instructions_bytes",
  "sync_instructions_bytes", "shared_scratchpad_bytes", "tensors_bytes", "ucode_lib_bytes",
  "gpsimd_stdio_bytes", "collectives_bytes", "scratchpad_bytes", "dma_rings_runtime_bytes",
  "dma_rings_spill_bytes", "dma_rings_io_bytes", "dma_rings_collectives_bytes", "unknown_bytes",
  "device_idx", "hbm_idx", "instance_id", "process_id:i", "usage_type:s", NULL,
};

/* Recovered: enum memory_usage_type. Inferred by name: the column that each is. A ring of DMA (7) may be
 * any of four columns and stays unknown. */
static const struct
{
  const char *name;
  int purpose; /* behind FIRST_PURPOSE; -1: unknown */
} usage_types[] = {
  { "GENERIC", 0 },     { "INSTR_PE", 1 },   { "INSTR_ACT", 2 },   { "INSTR_POOL", 3 },
  { "IO", 4 },          { "DRAM_SPILL", 5 }, { "WEIGHT", 6 },      { "DMA_RING", -1 },
  { "NOTIFICATION", 7 }, { "ACT_TABLE", 8 }, { "INSTR_DVE", 9 },   { "INSTR_SP", 10 },
  { "ONE_TMPBUF", 11 }, { "TENSOR", 12 },    { "UCODE_LIB", 13 },  { "POOL_STDIO", 14 },
  { "CC", 15 },         { "ONE_TMPBUF_NOT_SHARED", 16 },
};

typedef struct
{
  gint64 ns;
  gint64 device;
  gint64 hbm;
  gint64 total;
  gint64 of_type;
  const char *type; /* one address a text; NULL: not said */
  gboolean has_total;
  gboolean has_of_type;
} Sample;

typedef struct
{
  gint64 device;
  gint64 hbm;
  gint64 total;
  gboolean has_total;
  gint64 of_purpose[N_PURPOSES];
  gboolean has_purpose[N_PURPOSES];
  GHashTable *unknown; /* text -> gint64 */
} Stack;

typedef struct
{
  gint64 ns;
  double rate;
  guint32 core;
  guint8 role;
  gint8 step; /* +1 begins, -1 ends */
} Edge;

struct _StriaNtraceMemory
{
  GArray *samples; /* Sample */
  GArray *edges;   /* Edge */
  GHashTable *types;
  GStringChunk *texts;
  guint64 n_instant;
};

StriaNtraceMemory *
stria_ntrace_memory_new (StriaNtrace *ntrace)
{
  StriaNtraceMemory *self = g_new0 (StriaNtraceMemory, 1);

  self->samples = g_array_new (FALSE, TRUE, sizeof (Sample));
  self->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  self->types = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_string_chunk_new (1024);
  return self;
}

void
stria_ntrace_memory_free (StriaNtraceMemory *self)
{
  g_array_unref (self->samples);
  g_array_unref (self->edges);
  g_hash_table_unref (self->types);
  g_string_chunk_free (self->texts);
  g_free (self);
}

/* -- what device memory is used for ---------------------------------------------------------- */

static const char *
one_text (StriaNtraceMemory *self, const char *text)
{
  const char *known = g_hash_table_lookup (self->types, text);

  if (known == NULL)
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);

      known = g_string_chunk_insert (self->texts, valid);
      g_hash_table_add (self->types, (gpointer) known);
    }
  return known;
}

/* The totals that allocations and frees record (recovered): a running sum would be wrong where older
 * events were overwritten. */
void
stria_ntrace_memory_take (StriaNtrace *ntrace, const StriaNtraceEvent *event)
{
  StriaNtraceMemory *self = ntrace->memory;
  Sample sample = { .device = event->nd_idx };
  const StriaEventName *name;
  const char *type;
  StriaEventClock clock;

  if (!stria_ntrace_attribute_number (event, "hbm_idx", &sample.hbm))
    return;
  sample.has_total = stria_ntrace_attribute_number (event, "total_bytes", &sample.total);
  sample.has_of_type
      = stria_ntrace_attribute_number (event, "usage_type_total_bytes", &sample.of_type);
  if (!sample.has_total && !sample.has_of_type)
    return;
  name = stria_event_names_get (ntrace->names, event->event_type, (guint32) event->type,
                                event->hint);
  if (!stria_ntrace_time (ntrace, event, name, stria_ntrace_attribute (event, "exec_id"),
                          &sample.ns, &clock))
    return;
  stria_ntrace_attribute_number (event, "mla_idx", &sample.device);
  type = stria_ntrace_attribute (event, "usage_type");
  if (type != NULL)
    sample.type = one_text (self, type);
  g_array_append_val (self->samples, sample);
}

static int
purpose_of (const char *type)
{
  g_autofree char *column = NULL;
  guint64 number;

  if (g_ascii_string_to_unsigned (type, 10, 0, G_N_ELEMENTS (usage_types) - 1, &number, NULL))
    return usage_types[number].purpose;
  for (guint i = 0; i < G_N_ELEMENTS (usage_types); i++)
    if (g_ascii_strcasecmp (usage_types[i].name, type) == 0)
      return usage_types[i].purpose;
  column = g_strconcat (type, "_bytes", NULL);
  for (int i = 0; i < N_PURPOSES; i++)
    if (g_ascii_strcasecmp (hbm_columns[FIRST_PURPOSE + i], column) == 0)
      return i;
  return -1;
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Sample *x = a, *y = b;

  return (x->ns > y->ns) - (x->ns < y->ns);
}

static void
stack_free (gpointer data)
{
  Stack *stack = data;

  g_hash_table_unref (stack->unknown);
  g_free (stack);
}

static Stack *
find_stack (GPtrArray *stacks, const Sample *sample)
{
  Stack *stack;

  for (guint i = 0; i < stacks->len; i++)
    {
      stack = g_ptr_array_index (stacks, i);
      if (stack->device == sample->device && stack->hbm == sample->hbm)
        return stack;
    }
  /* A machine has some dozens; a file that claims thousands makes no search of millions. */
  if (stacks->len >= 4096)
    return NULL;
  stack = g_new0 (Stack, 1);
  stack->device = sample->device;
  stack->hbm = sample->hbm;
  stack->unknown = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_ptr_array_add (stacks, stack);
  return stack;
}

static void
take_sample (Stack *stack, const Sample *sample)
{
  int purpose = sample->type != NULL ? purpose_of (sample->type) : -1;

  if (sample->has_total)
    {
      stack->total = sample->total;
      stack->has_total = TRUE;
    }
  if (!sample->has_of_type)
    return;
  if (purpose >= 0)
    {
      stack->of_purpose[purpose] = sample->of_type;
      stack->has_purpose[purpose] = TRUE;
    }
  else
    g_hash_table_replace (stack->unknown, (gpointer) sample->type,
                          g_memdup2 (&sample->of_type, sizeof sample->of_type));
}

static void
write_sample (StriaNtrace *ntrace, StriaNeuronRows *rows, const Stack *stack, const Sample *sample)
{
  const StriaPbStream *stream = ntrace->stream;
  GHashTableIter iter;
  gpointer value;
  gint64 unknown = 0;

  stria_neuron_rows_int (rows, TIMESTAMP, sample->ns);
  if (stack->has_total)
    stria_neuron_rows_int (rows, TOTAL, stack->total);
  for (int i = 0; i < N_PURPOSES; i++)
    if (stack->has_purpose[i])
      stria_neuron_rows_int (rows, FIRST_PURPOSE + i, stack->of_purpose[i]);
  g_hash_table_iter_init (&iter, stack->unknown);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (__builtin_add_overflow (unknown, *(gint64 *) value, &unknown))
      unknown = G_MAXINT64;
  if (g_hash_table_size (stack->unknown) > 0)
    stria_neuron_rows_int (rows, UNKNOWN, unknown);
  stria_neuron_rows_int (rows, DEVICE, stack->device);
  stria_neuron_rows_int (rows, HBM, stack->hbm);
  if (stream->instance != NULL)
    stria_neuron_rows_text (rows, INSTANCE, stream->instance, -1);
  if (stream->has_pid)
    stria_neuron_rows_int (rows, PROCESS, stream->pid);
  if (sample->type != NULL)
    stria_neuron_rows_text (rows, USAGE_TYPE, sample->type, -1);
  stria_neuron_rows_end (rows);
}

static void
write_stacks (StriaNtrace *ntrace)
{
  StriaNtraceMemory *self = ntrace->memory;
  g_autoptr (GPtrArray) stacks = NULL;
  g_autoptr (StriaNeuronRows) rows = NULL;

  if (self->samples->len == 0)
    return;
  stacks = g_ptr_array_new_with_free_func (stack_free);
  rows = stria_neuron_rows_new (ntrace->emitter, "SystemProfileHbmUsage", hbm_columns);
  /* GLib's sort keeps the order of the file among equals. */
  g_array_sort (self->samples, compare_samples);
  for (guint i = 0; i < self->samples->len; i++)
    {
      const Sample *sample = &g_array_index (self->samples, Sample, i);
      Stack *stack = find_stack (stacks, sample);

      if (stack == NULL)
        continue;
      take_sample (stack, sample);
      write_sample (ntrace, rows, stack, sample);
    }
}

/* -- transfers ------------------------------------------------------------------------------- */

void
stria_ntrace_memory_copy (StriaNtrace *ntrace, StriaEventRole role, guint32 core, gint64 from,
                          gint64 to, gint64 bytes)
{
  StriaNtraceMemory *self = ntrace->memory;
  gint64 duration;
  Edge edge = { from, 0, core, (guint8) role, 1 };

  if (__builtin_sub_overflow (to, from, &duration) || duration <= 0)
    {
      self->n_instant++;
      return;
    }
  /* Documented: a transfer's bytes are spread over its duration, and transfers that are active at
   * the same time add up. */
  edge.rate = (double) bytes * 1e9 / (double) duration;
  g_array_append_val (self->edges, edge);
  edge.ns = to;
  edge.step = -1;
  g_array_append_val (self->edges, edge);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;

  if (x->core != y->core)
    return x->core < y->core ? -1 : 1;
  if (x->role != y->role)
    return x->role < y->role ? -1 : 1;
  return (x->ns > y->ns) - (x->ns < y->ns);
}

static void
write_edges (StriaNtrace *ntrace)
{
  static const char *const names[]
      = { "timestamp", "bandwidth_bytes_per_sec", "instance_id:s", "process_id:i", "nc_idx:i",
          "direction:s", NULL };
  StriaNtraceMemory *self = ntrace->memory;
  g_autoptr (StriaNeuronRows) rows = NULL;
  double rate = 0;
  gint64 active = 0;

  if (self->edges->len == 0)
    return;
  g_array_sort (self->edges, compare_edges);
  rows = stria_neuron_rows_new (ntrace->emitter, "MemoryBandwidthPoint", names);
  for (guint i = 0; i < self->edges->len; i++)
    {
      const Edge *edge = &g_array_index (self->edges, Edge, i);
      const Edge *next = i + 1 < self->edges->len ? edge + 1 : NULL;

      active += edge->step;
      /* What rounding left of those that have ended is no bandwidth. */
      rate = active > 0 ? MAX (rate + edge->step * edge->rate, 0) : 0;
      if (next != NULL && compare_edges (edge, next) == 0)
        continue;
      stria_neuron_rows_int (rows, 0, edge->ns);
      stria_neuron_rows_real (rows, 1, rate);
      if (ntrace->stream->instance != NULL)
        stria_neuron_rows_text (rows, 2, ntrace->stream->instance, -1);
      if (ntrace->stream->has_pid)
        stria_neuron_rows_int (rows, 3, ntrace->stream->pid);
      if (edge->core != G_MAXUINT32)
        stria_neuron_rows_int (rows, 4, edge->core);
      stria_neuron_rows_text (rows, 5, edge->role == STRIA_EVENT_ROLE_COPY_IN ? "host_to_device"
                                                                              : "device_to_host",
                              -1);
      stria_neuron_rows_end (rows);
    }
}

void
stria_ntrace_memory_end (StriaNtrace *ntrace)
{
  write_stacks (ntrace);
  write_edges (ntrace);
  if (ntrace->memory->n_instant > 0)
    stria_notices_count (ntrace->stream->context->notices, STRIA_SEVERITY_INFO,
                         "neuron-transfer-instant", ntrace->stream->context->name, -1,
                         ntrace->memory->n_instant,
                         _("A transfer that took no time has no bandwidth; it was left out of it"));
}
