/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"
#include "stria-hash.h"

/* Events of one trace list, column by column; columns that never hold anything stay NULL. */
typedef struct
{
  gint device; /* -1: not told yet */
  gboolean is_host;
  gsize n;
  gsize capacity;
  guint8 *action;
  guint8 *stage;
  guint64 *address;
  guint64 *size;
  guint64 *extra;
  guint16 *stream;
  guint16 *pool;
  gint64 *time_us;
  guint32 *stack;
  guint32 *metadata;
  guint32 *context;
  guint32 *category;
  guint32 *forward;
  guint32 *label;
  GArray *streams;
  GArray *pools;
  StriaOrdinalIndex stream_index;
  StriaOrdinalIndex pool_index;
} Trace;

/* Where a stack is found; most others are told from it without a look at their frames. */
typedef struct
{
  guint32 id; /* + 1; 0: free */
  guint32 hash;
} StackSlot;

struct _StriaAllocBuilder
{
  StriaAllocSink sink; /* first: a sink is its builder */
  GArray *frames;
  GHashTable *frame_ids;
  GArray *stack_begin;
  GArray *stack_frames;
  StackSlot *stack_slots;
  guint32 stack_mask;
  GPtrArray *traces; /* Trace */
  GArray *segments;  /* StriaFinalSegment */
  GArray *blocks;
  GArray *annotations;
  char *settings;
  GHashTable *other;
};

static guint
frame_hash (gconstpointer key)
{
  return (guint) stria_hash_bytes (key, sizeof (StriaAllocFrame));
}

static gboolean
frame_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (StriaAllocFrame)) == 0;
}

static guint32
sink_frame (StriaAllocSink *sink, guint32 name, guint32 filename, guint64 line, guint32 extra)
{
  StriaAllocBuilder *self = (StriaAllocBuilder *) sink;
  StriaAllocFrame frame;
  gpointer known;

  /* Cleared, so that padding compares equal. */
  memset (&frame, 0, sizeof frame);
  frame.name = name;
  frame.filename = filename;
  frame.line = line;
  frame.extra = extra;
  known = g_hash_table_lookup (self->frame_ids, &frame);
  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  g_array_append_val (self->frames, frame);
  g_hash_table_insert (self->frame_ids, g_memdup2 (&frame, sizeof frame),
                       GUINT_TO_POINTER (self->frames->len));
  return self->frames->len - 1;
}

static guint32
n_stacks (const StriaAllocBuilder *self)
{
  return self->stack_begin->len - 1;
}

static const guint32 *
stack_at (const StriaAllocBuilder *self, guint32 stack, gsize *n)
{
  guint64 begin = g_array_index (self->stack_begin, guint64, stack);

  *n = (gsize) (g_array_index (self->stack_begin, guint64, stack + 1) - begin);
  return &g_array_index (self->stack_frames, guint32, begin);
}

/* Stacks are deep, so that four sums are kept at once: one waits for its own product. */
static guint32
hash_stack (const guint32 *frames, gsize n)
{
  guint64 a = 0x9e3779b97f4a7c15u ^ n, b = 0xd6e8feb86659fd93u, c = 0xa0761d6478bd642fu,
          d = 0xe7037ed1a0b428dbu;
  guint64 words[4];

  for (; n >= 8; frames += 8, n -= 8)
    {
      memcpy (words, frames, sizeof words);
      a = stria_hash_mix (a ^ words[0], 0xd6e8feb86659fd93u);
      b = stria_hash_mix (b ^ words[1], 0xa0761d6478bd642fu);
      c = stria_hash_mix (c ^ words[2], 0xe7037ed1a0b428dbu);
      d = stria_hash_mix (d ^ words[3], 0x9e3779b97f4a7c15u);
    }
  if (n > 0)
    a ^= stria_hash_bytes (frames, n * sizeof *frames);
  return (guint32) stria_hash_mix (stria_hash_mix (a ^ c, 0xd6e8feb86659fd93u) ^ b,
                                   d ^ 0xa0761d6478bd642fu);
}

static void
grow_slots (StriaAllocBuilder *self)
{
  StackSlot *old = self->stack_slots;
  guint32 n_old = self->stack_mask + 1;

  self->stack_mask = n_old * 2 - 1;
  self->stack_slots = g_new0 (StackSlot, n_old * 2);
  for (guint32 k = 0; k < n_old; k++)
    if (old[k].id != 0)
      {
        guint32 i = old[k].hash & self->stack_mask;
        while (self->stack_slots[i].id != 0)
          i = (i + 1) & self->stack_mask;
        self->stack_slots[i] = old[k];
      }
  g_free (old);
}

static guint32
sink_stack (StriaAllocSink *sink, const guint32 *frames, gsize n)
{
  StriaAllocBuilder *self = (StriaAllocBuilder *) sink;

  if (n == 0)
    return STRIA_NO_STACK;
  guint32 hash = hash_stack (frames, n);
  guint32 i = hash & self->stack_mask;
  for (; self->stack_slots[i].id != 0; i = (i + 1) & self->stack_mask)
    if (self->stack_slots[i].hash == hash)
      {
        gsize length;
        const guint32 *other = stack_at (self, self->stack_slots[i].id - 1, &length);
        if (length == n && memcmp (other, frames, n * sizeof *frames) == 0)
          return self->stack_slots[i].id - 1;
      }
  guint32 stack = n_stacks (self);
  g_array_append_vals (self->stack_frames, frames, (guint) n);
  guint64 end = self->stack_frames->len;
  g_array_append_val (self->stack_begin, end);
  self->stack_slots[i] = (StackSlot){ stack + 1, hash };
  if ((guint64) n_stacks (self) * 2 > self->stack_mask)
    grow_slots (self);
  return stack;
}

static void
sink_segment (StriaAllocSink *sink, const StriaAllocSegment *segment, const StriaAllocBlock *blocks,
              gsize n_blocks)
{
  StriaAllocBuilder *self = (StriaAllocBuilder *) sink;
  StriaFinalSegment final = { *segment, self->blocks->len, (guint32) n_blocks };

  g_array_append_vals (self->blocks, blocks, (guint) n_blocks);
  g_array_append_val (self->segments, final);
}

static Trace *
get_trace (StriaAllocBuilder *self, guint list)
{
  while (self->traces->len <= list)
    {
      Trace *trace = g_new0 (Trace, 1);
      guint64 default_stream = 0, unknown = STRIA_NO_POOL;

      trace->device = -1;
      trace->streams = g_array_new (FALSE, FALSE, sizeof (guint64));
      trace->pools = g_array_new (FALSE, FALSE, sizeof (guint64));
      g_array_append_val (trace->streams, default_stream);
      g_array_append_val (trace->pools, unknown);
      g_ptr_array_add (self->traces, trace);
    }
  return self->traces->pdata[list];
}

#define GROW(column, type)                                                                         \
  if (trace->column != NULL || always)                                                             \
  trace->column = g_renew (type, trace->column, capacity)

static void
trace_grow (Trace *trace, gsize need)
{
  gsize capacity = MAX (need, MAX (1024, trace->capacity + trace->capacity / 2));
  gboolean always = TRUE;

  GROW (action, guint8);
  GROW (address, guint64);
  GROW (size, guint64);
  GROW (stream, guint16);
  GROW (pool, guint16);
  GROW (time_us, gint64);
  GROW (stack, guint32);
  always = FALSE;
  GROW (stage, guint8);
  GROW (extra, guint64);
  GROW (metadata, guint32);
  GROW (context, guint32);
  GROW (category, guint32);
  GROW (forward, guint32);
  GROW (label, guint32);
  trace->capacity = capacity;
}

#define RARE(column, type, value)                                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (trace->column == NULL && (value) != 0)                                                     \
      trace->column = g_new0 (type, trace->capacity);                                              \
    if (trace->column != NULL)                                                                     \
      trace->column[k] = (value);                                                                  \
  }                                                                                                \
  G_STMT_END

static void
sink_events (StriaAllocSink *sink, guint list, const StriaAllocEvent *events, gsize n)
{
  Trace *trace = get_trace ((StriaAllocBuilder *) sink, list);

  if (trace->n + n > trace->capacity)
    trace_grow (trace, trace->n + n);
  for (gsize i = 0; i < n; i++)
    {
      const StriaAllocEvent *event = &events[i];
      gsize k = trace->n++;

      trace->action[k] = event->action;
      trace->address[k] = event->address;
      trace->size[k] = event->size;
      trace->stream[k] = stria_ordinal (trace->streams, &trace->stream_index, event->stream);
      trace->pool[k] = stria_ordinal (trace->pools, &trace->pool_index, event->pool);
      trace->time_us[k] = event->time_us;
      trace->stack[k] = event->stack;
      RARE (stage, guint8, event->stage);
      RARE (extra, guint64, event->extra);
      RARE (metadata, guint32, event->metadata);
      RARE (context, guint32, event->context);
      RARE (category, guint32, event->category);
      RARE (forward, guint32, event->forward);
      RARE (label, guint32, event->label);
    }
}

static void
sink_trace (StriaAllocSink *sink, guint list, guint device, gboolean is_host)
{
  Trace *trace = get_trace ((StriaAllocBuilder *) sink, list);

  trace->device = (gint) device;
  trace->is_host = is_host;
}

static void
sink_annotation (StriaAllocSink *sink, const StriaAllocAnnotation *annotation)
{
  g_array_append_vals (((StriaAllocBuilder *) sink)->annotations, annotation, 1);
}

static void
sink_settings (StriaAllocSink *sink, const char *json, gsize length)
{
  StriaAllocBuilder *self = (StriaAllocBuilder *) sink;

  g_free (self->settings);
  self->settings = g_utf8_make_valid (json, (gssize) length);
}

static void
sink_other (StriaAllocSink *sink, const char *key, const char *text, gsize length)
{
  StriaAllocBuilder *self = (StriaAllocBuilder *) sink;

  g_hash_table_replace (self->other, g_strdup (key), g_utf8_make_valid (text, (gssize) length));
}

static void
trace_free (gpointer data)
{
  Trace *trace = data;

  g_free (trace->action);
  g_free (trace->stage);
  g_free (trace->address);
  g_free (trace->size);
  g_free (trace->extra);
  g_free (trace->stream);
  g_free (trace->pool);
  g_free (trace->time_us);
  g_free (trace->stack);
  g_free (trace->metadata);
  g_free (trace->context);
  g_free (trace->category);
  g_free (trace->forward);
  g_free (trace->label);
  g_clear_pointer (&trace->streams, g_array_unref);
  g_clear_pointer (&trace->pools, g_array_unref);
  stria_ordinal_index_clear (&trace->stream_index);
  stria_ordinal_index_clear (&trace->pool_index);
  g_free (trace);
}

StriaAllocBuilder *
stria_alloc_builder_new (void)
{
  StriaAllocBuilder *self = g_new0 (StriaAllocBuilder, 1);
  guint64 zero = 0;

  self->sink = (StriaAllocSink){
    .frame = sink_frame,
    .stack = sink_stack,
    .segment = sink_segment,
    .events = sink_events,
    .trace = sink_trace,
    .annotation = sink_annotation,
    .settings = sink_settings,
    .other = sink_other,
  };
  self->frames = g_array_new (FALSE, FALSE, sizeof (StriaAllocFrame));
  self->frame_ids = g_hash_table_new_full (frame_hash, frame_equal, g_free, NULL);
  self->stack_begin = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->stack_frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->stack_begin, zero);
  self->stack_slots = g_new0 (StackSlot, 1024);
  self->stack_mask = 1023;
  self->traces = g_ptr_array_new_with_free_func (trace_free);
  self->segments = g_array_new (FALSE, FALSE, sizeof (StriaFinalSegment));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  self->annotations = g_array_new (FALSE, FALSE, sizeof (StriaAllocAnnotation));
  self->other = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

StriaAllocSink *
stria_alloc_builder_get_sink (StriaAllocBuilder *self)
{
  return &self->sink;
}

void
stria_alloc_builder_free (StriaAllocBuilder *self)
{
  g_clear_pointer (&self->frames, g_array_unref);
  g_hash_table_unref (self->frame_ids);
  g_clear_pointer (&self->stack_begin, g_array_unref);
  g_clear_pointer (&self->stack_frames, g_array_unref);
  g_free (self->stack_slots);
  g_ptr_array_unref (self->traces);
  g_array_unref (self->segments);
  g_array_unref (self->blocks);
  g_array_unref (self->annotations);
  g_free (self->settings);
  g_clear_pointer (&self->other, g_hash_table_unref);
  g_free (self);
}

static void
translate (guint32 *column, gsize n, const guint32 *string_of)
{
  for (gsize i = 0; column != NULL && i < n; i++)
    column[i] = string_of[column[i]];
}

static StriaAllocator *
find_device (StriaSnapshotData *data, guint device, gboolean is_host)
{
  for (guint i = 0; i < data->devices->len; i++)
    {
      StriaAllocator *known = data->devices->pdata[i];
      if (known->device == device && known->is_host == is_host)
        return known;
    }
  StriaAllocator *made = stria_allocator_new (data, device, is_host);
  g_ptr_array_add (data->devices, made);
  return made;
}

static void
take_trace (StriaAllocator *allocator, Trace *trace, const guint32 *string_of)
{
  gsize n = trace->n;

  translate (trace->metadata, n, string_of);
  translate (trace->context, n, string_of);
  translate (trace->category, n, string_of);
  translate (trace->forward, n, string_of);
  translate (trace->label, n, string_of);
  allocator->n_events = (guint32) n;
#define TAKE(column) allocator->column = g_steal_pointer (&trace->column)
  TAKE (action);
  TAKE (stage);
  TAKE (address);
  TAKE (size);
  TAKE (extra);
  TAKE (stream);
  TAKE (pool);
  TAKE (time_us);
  TAKE (stack);
  TAKE (metadata);
  TAKE (context);
  TAKE (category);
  TAKE (forward);
  TAKE (label);
#undef TAKE
  g_array_unref (allocator->streams);
  g_array_unref (allocator->pools);
  allocator->streams = g_steal_pointer (&trace->streams);
  allocator->pools = g_steal_pointer (&trace->pools);
  allocator->stream_index = trace->stream_index;
  allocator->pool_index = trace->pool_index;
  trace->stream_index.of = trace->pool_index.of = NULL;
}

StriaSnapshotData *
stria_alloc_builder_finish (StriaAllocBuilder *self, guint32 artifact, StriaStrings *strings,
                            const guint32 *string_of, StriaNotices *notices, const char *file)
{
  StriaSnapshotData *data = stria_snapshot_data_new (artifact, strings);

  for (guint i = 0; i < self->frames->len; i++)
    {
      StriaAllocFrame *frame = &g_array_index (self->frames, StriaAllocFrame, i);
      frame->name = string_of[frame->name];
      frame->filename = string_of[frame->filename];
      frame->extra = string_of[frame->extra];
    }
  data->frames = g_steal_pointer (&self->frames);
  data->stack_begin = g_steal_pointer (&self->stack_begin);
  data->stack_frames = g_steal_pointer (&self->stack_frames);
  data->settings = g_steal_pointer (&self->settings);
  data->other = g_steal_pointer (&self->other);

  for (guint i = 0; i < self->traces->len; i++)
    {
      Trace *trace = self->traces->pdata[i];
      StriaAllocator *allocator;

      /* Events of a list that is no device's trace are nobody's. */
      if (trace->n == 0 || trace->device < 0)
        continue;
      allocator = find_device (data, (guint) trace->device, trace->is_host);
      if (allocator->n_events == 0)
        take_trace (allocator, trace, string_of);
    }
  for (guint i = 0; i < self->segments->len; i++)
    {
      StriaFinalSegment segment = g_array_index (self->segments, StriaFinalSegment, i);
      StriaAllocator *allocator
          = find_device (data, segment.segment.device, segment.segment.is_host);
      guint32 first = allocator->blocks->len;

      segment.segment.type = string_of[segment.segment.type];
      if (segment.n_blocks > 0)
        g_array_append_vals (allocator->blocks,
                             &g_array_index (self->blocks, StriaAllocBlock, segment.first_block),
                             segment.n_blocks);
      segment.first_block = first;
      g_array_append_val (allocator->segments, segment);
    }
  for (guint i = 0; i < self->annotations->len; i++)
    {
      StriaAllocAnnotation annotation = g_array_index (self->annotations, StriaAllocAnnotation, i);
      annotation.name = string_of[annotation.name];
      annotation.metadata = string_of[annotation.metadata];
      for (guint d = 0; d < data->devices->len; d++)
        {
          StriaAllocator *allocator = data->devices->pdata[d];
          if (allocator->device == annotation.device && !allocator->is_host)
            g_array_append_val (allocator->annotations, annotation);
        }
    }
  stria_alloc_builder_free (self);
  stria_snapshot_data_finish (data, notices, file);
  return data;
}
