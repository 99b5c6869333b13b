/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-alloc-records.h"
#include "stria-error.h"
#include "stria-pickle.h"
#include "stria-snapshot.h"

/* Keys and words of the format, interned first, so that their ids are known. The order is that of
 * the enum. */
#define WORDS(X)                                                                                   \
  X (segments) X (device_traces) X (allocator_settings) X (external_annotations)                   \
  X (host_segments) X (host_traces) X (categories) X (segment_version) X (block_version)           \
  X (device) X (address) X (total_size) X (allocated_size) X (active_size) X (requested_size)      \
  X (stream) X (segment_type) X (segment_pool_id) X (is_expandable) X (frames) X (blocks)          \
  X (registration_counter) X (size) X (state) X (history) X (active_allocated)                     \
  X (active_pending_free) X (active_awaiting_free) X (inactive) X (action) X (addr)                \
  X (device_free) X (time_us) X (compile_context) X (user_metadata) X (pool_id)                    \
  X (forward_frames) X (category) X (alloc) X (free_requested) X (free_completed)                  \
  X (segment_alloc) X (segment_free) X (segment_map) X (segment_unmap) X (snapshot) X (oom)        \
  X (annotate) X (user_defined) X (name) X (filename) X (line) X (stage) X (START) X (END)         \
  X (real_size) X (cpp_frames) X (version)

enum
{
  WORD_NONE,
#define X(word) WORD_##word,
  WORDS (X)
#undef X
  N_WORDS,
};

static const char *const words[] = {
  "",
#define X(word) #word,
  WORDS (X)
#undef X
};

/* What a dict or list has become. Payload of a ROW datum: type in the low three bits. */
typedef enum
{
  ROW_NOTHING, /* told already, nothing to keep */
  ROW_FRAME,   /* sink's frame id */
  ROW_STACK,   /* sink's stack id */
  ROW_EVENT,   /* index in the events that wait for their list */
  ROW_BLOCK,   /* index in the blocks that wait for their segment */
  ROW_SEGMENT, /* index in the segments that wait for the end */
} RowType;

typedef struct
{
  StriaAllocSegment segment;
  StriaAllocBlock *blocks;
  gsize n_blocks;
} Segment;

/* What a user_defined event says in the place of a frame (formats: A2.4). */
typedef struct
{
  guint32 name;
  guint32 filename;
} FrameWords;

typedef struct
{
  StriaSink *trace_sink;
  StriaAllocSink *sink;
  StriaDecodeContext *context;
  StriaValues *values;
  guint32 word[N_WORDS]; /* sink id of each word */
  guint32 *word_of;      /* word by sink id, for the low ids */
  guint32 n_word_of;
  guint32 not_available; /* "N/A" */

  GArray *events;   /* StriaAllocEvent, not given to a list yet */
  GArray *blocks;   /* StriaAllocBlock, not given to a segment yet */
  GArray *segments; /* Segment */
  GHashTable *lists; /* machine's list id + 1 -> trace list number + 1 */
  guint n_lists;
  GArray *stack;     /* scratch: frame ids */
  GArray *frame_words; /* FrameWords by frame id */
  guint64 n_events;
  gboolean failed_root;
} Snapshot;

static StriaDatum
row (RowType type, guint64 index)
{
  return stria_datum (STRIA_VALUE_KIND_ROW, index << 3 | type);
}

static gboolean
is_row (StriaDatum value, RowType type, guint64 *index)
{
  if (stria_datum_kind (value) != STRIA_VALUE_KIND_ROW || (stria_datum_payload (value) & 7) != type)
    return FALSE;
  *index = stria_datum_payload (value) >> 3;
  return TRUE;
}

static guint32
word_of (const Snapshot *self, StriaDatum value)
{
  guint64 id = stria_datum_payload (value);

  if (stria_datum_kind (value) != STRIA_VALUE_KIND_STRING || id >= self->n_word_of)
    return WORD_NONE;
  return self->word_of[id];
}

static void
notice (Snapshot *self, StriaSeverity severity, const char *code, const char *message)
{
  stria_notices_count (self->context->notices, severity, code, self->context->name, -1, 1, message);
}

static guint64
get_u64 (Snapshot *self, StriaDatum value)
{
  guint64 number = 0;

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_NIL)
    return 0;
  if (!stria_values_u64 (self->values, value, &number))
    notice (self, STRIA_SEVERITY_WARNING, "snapshot-number",
            _("A number of the snapshot is none, or needs more than 64 bits; it is taken as 0"));
  return number;
}

static guint64
get_pool (StriaDatum value)
{
  if (stria_datum_kind (value) == STRIA_VALUE_KIND_PAIR)
    return STRIA_POOL (stria_datum_payload (value) >> 29,
                       stria_datum_payload (value) & ((1u << 29) - 1));
  return STRIA_NO_POOL;
}

/* A pool id as the file has it: a tuple, or a list in JSON. */
static guint64
pool_of (Snapshot *self, StriaDatum value)
{
  gsize n;
  const StriaDatum *items;
  guint64 a, b;

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_PAIR)
    return get_pool (value);
  items = stria_values_list (self->values, value, &n);
  if (n == 2 && stria_values_u64 (self->values, items[0], &a)
      && stria_values_u64 (self->values, items[1], &b))
    return STRIA_POOL (a, b);
  return STRIA_NO_POOL;
}

/* A text, or any other value as JSON. */
static guint32
text_of (Snapshot *self, StriaDatum value)
{
  gsize n;

  switch (stria_datum_kind (value))
    {
    case STRIA_VALUE_KIND_STRING:
      return (guint32) stria_datum_payload (value);
    case STRIA_VALUE_KIND_NIL:
      return 0;
    case STRIA_VALUE_KIND_DICT:
      stria_values_dict (self->values, value, &n);
      if (n == 0)
        return 0;
      break;
    default:
      break;
    }
  g_autoptr (GString) json = g_string_new (NULL);
  stria_values_to_json (self->values, value, json, 4096);
  return self->trace_sink->intern (self->trace_sink, json->str, json->len);
}

static guint32
stack_of (Snapshot *self, StriaDatum value)
{
  guint64 index;
  gsize n;
  const StriaDatum *items;

  if (is_row (value, ROW_STACK, &index))
    return (guint32) index;
  items = stria_values_list (self->values, value, &n);
  if (n == 0)
    return STRIA_NO_STACK;
  g_array_set_size (self->stack, 0);
  for (gsize i = 0; i < n; i++)
    if (is_row (stria_values_resolve (self->values, items[i]), ROW_FRAME, &index))
      {
        guint32 frame = (guint32) index;
        g_array_append_val (self->stack, frame);
      }
  if (self->stack->len == 0)
    return STRIA_NO_STACK;
  guint32 stack = self->sink->stack (self->sink, (const guint32 *) self->stack->data,
                                     self->stack->len);
  stria_values_replace_list (self->values, value, row (ROW_STACK, stack));
  return stack;
}

static guint32
forward_of (Snapshot *self, StriaDatum value)
{
  gsize n;
  const StriaDatum *items = stria_values_list (self->values, value, &n);
  g_autoptr (GString) joined = g_string_new (NULL);

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_STRING)
    return (guint32) stria_datum_payload (value);
  for (gsize i = 0; i < n; i++)
    if (stria_datum_kind (items[i]) == STRIA_VALUE_KIND_STRING)
      g_string_append (joined, self->trace_sink->text (self->trace_sink, (guint32) stria_datum_payload (items[i])));
  return joined->len > 0 ? self->trace_sink->intern (self->trace_sink, joined->str, joined->len) : 0;
}

/* -- dicts by what they are ----------------------------------------------------------------- */

static StriaDatum
take_frame (Snapshot *self, const StriaDatumPair *pairs, gsize n)
{
  guint32 name = 0, filename = 0;
  guint64 line = STRIA_LINE_UNKNOWN;
  g_autoptr (GString) extra = NULL;

  for (gsize i = 0; i < n; i++)
    switch (word_of (self, pairs[i].key))
      {
      case WORD_name:
        name = text_of (self, pairs[i].value);
        break;
      case WORD_filename:
        filename = text_of (self, pairs[i].value);
        break;
      case WORD_line:
        if (!stria_values_u64 (self->values, pairs[i].value, &line))
          line = STRIA_LINE_UNKNOWN;
        break;
      default:
        if (extra == NULL)
          extra = g_string_new ("{");
        else
          g_string_append (extra, ", ");
        stria_values_to_json (self->values, pairs[i].key, extra, 4096);
        g_string_append (extra, ": ");
        stria_values_to_json (self->values, pairs[i].value, extra, 4096);
        break;
      }
  guint32 extra_id = 0;
  if (extra != NULL)
    {
      g_string_append_c (extra, '}');
      extra_id = self->trace_sink->intern (self->trace_sink, extra->str, extra->len);
    }
  guint32 frame = self->sink->frame (self->sink, name, filename, line, extra_id);
  if (frame >= self->frame_words->len)
    g_array_set_size (self->frame_words, frame + 1);
  g_array_index (self->frame_words, FrameWords, frame) = (FrameWords){ name, filename };
  return row (ROW_FRAME, frame);
}

static StriaAllocAction
action_of (guint32 word)
{
  switch (word)
    {
    case WORD_alloc:
      return STRIA_ALLOC_ALLOC;
    case WORD_free_requested:
      return STRIA_ALLOC_FREE_REQUESTED;
    case WORD_free_completed:
      return STRIA_ALLOC_FREE_COMPLETED;
    case WORD_segment_alloc:
      return STRIA_ALLOC_SEGMENT_ALLOC;
    case WORD_segment_free:
      return STRIA_ALLOC_SEGMENT_FREE;
    case WORD_segment_map:
      return STRIA_ALLOC_SEGMENT_MAP;
    case WORD_segment_unmap:
      return STRIA_ALLOC_SEGMENT_UNMAP;
    case WORD_snapshot:
      return STRIA_ALLOC_SNAPSHOT;
    case WORD_oom:
      return STRIA_ALLOC_OOM;
    case WORD_annotate:
      return STRIA_ALLOC_ANNOTATE;
    case WORD_user_defined:
      return STRIA_ALLOC_USER_DEFINED;
    default:
      return STRIA_ALLOC_OTHER;
    }
}

/* frames[0] of a user_defined event is {name: START or END, filename: label}: no code. */
static void
read_user_mark (Snapshot *self, StriaDatum frames, StriaAllocEvent *event)
{
  gsize n;
  const StriaDatum *items = stria_values_list (self->values, frames, &n);
  guint64 frame;

  if (n == 0 || !is_row (stria_values_resolve (self->values, items[0]), ROW_FRAME, &frame)
      || frame >= self->frame_words->len)
    return;
  const FrameWords *words_of = &g_array_index (self->frame_words, FrameWords, frame);
  guint32 word = word_of (self, stria_datum (STRIA_VALUE_KIND_STRING, words_of->name));
  event->stage = word == WORD_START ? 1 : word == WORD_END ? 2 : 0;
  event->label = words_of->filename;
}

static StriaDatum
take_event (Snapshot *self, const StriaDatumPair *pairs, gsize n)
{
  StriaAllocEvent event = { .time_us = STRIA_NO_TIME, .stack = STRIA_NO_STACK, .pool = STRIA_NO_POOL };
  StriaDatum frames = 0;

  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (word_of (self, pairs[i].key))
        {
        case WORD_action:
          event.action = (guint8) action_of (word_of (self, value));
          if (event.action == STRIA_ALLOC_OTHER)
            event.label = text_of (self, value);
          break;
        case WORD_addr:
          event.address = get_u64 (self, value);
          break;
        case WORD_device_free:
          event.extra = get_u64 (self, value);
          break;
        case WORD_size:
          event.size = get_u64 (self, value);
          break;
        case WORD_stream:
          event.stream = get_u64 (self, value);
          break;
        case WORD_time_us:
          if (!stria_values_i64 (self->values, value, &event.time_us))
            event.time_us = STRIA_NO_TIME;
          break;
        case WORD_compile_context:
          event.context = text_of (self, value);
          if (event.context == self->not_available)
            event.context = 0;
          break;
        case WORD_user_metadata:
          event.metadata = text_of (self, value);
          break;
        case WORD_pool_id:
          event.pool = pool_of (self, value);
          break;
        case WORD_frames:
          frames = value;
          break;
        case WORD_forward_frames:
          event.forward = forward_of (self, value);
          break;
        case WORD_category:
          event.category = text_of (self, value);
          break;
        default:
          notice (self, STRIA_SEVERITY_INFO, "snapshot-event-key",
                  _("An event has a key that is not known; it was left out"));
          break;
        }
    }
  if (event.action == STRIA_ALLOC_USER_DEFINED)
    read_user_mark (self, frames, &event);
  else
    event.stack = stack_of (self, frames);
  g_array_append_val (self->events, event);
  return row (ROW_EVENT, self->events->len - 1);
}

static StriaDatum
take_block (Snapshot *self, const StriaDatumPair *pairs, gsize n)
{
  StriaAllocBlock block = { .stack = STRIA_NO_STACK, .state = STRIA_BLOCK_OTHER };
  gboolean has_requested = FALSE;

  block.address = G_MAXUINT64;
  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (word_of (self, pairs[i].key))
        {
        case WORD_address:
        case WORD_addr:
          block.address = get_u64 (self, value);
          break;
        case WORD_size:
          block.size = get_u64 (self, value);
          break;
        case WORD_requested_size:
        case WORD_real_size:
          block.requested_size = get_u64 (self, value);
          has_requested = TRUE;
          break;
        case WORD_state:
          switch (word_of (self, value))
            {
            case WORD_active_allocated:
              block.state = STRIA_BLOCK_ALLOCATED;
              break;
            case WORD_active_pending_free:
            case WORD_active_awaiting_free:
              block.state = STRIA_BLOCK_PENDING_FREE;
              break;
            case WORD_inactive:
              block.state = STRIA_BLOCK_INACTIVE;
              break;
            default:
              notice (self, STRIA_SEVERITY_WARNING, "snapshot-block-state",
                      _("A block has a state that is not known"));
              break;
            }
          break;
        case WORD_frames:
          block.stack = stack_of (self, value);
          break;
        case WORD_history:
          {
            /* Until 2.0: the newest entry holds what is now in the block (formats A2.8). It was
             * taken as a block of its own, which is used here. */
            gsize n_items;
            const StriaDatum *items = stria_values_list (self->values, value, &n_items);
            guint64 index;
            if (n_items > 0
                && is_row (stria_values_resolve (self->values, items[0]), ROW_BLOCK, &index)
                && index < self->blocks->len)
              {
                const StriaAllocBlock *newest = &g_array_index (self->blocks, StriaAllocBlock, index);
                block.requested_size = newest->requested_size;
                block.stack = newest->stack;
                has_requested = TRUE;
              }
            break;
          }
        case WORD_version:
        default:
          break;
        }
    }
  if (!has_requested)
    block.requested_size = block.size;
  g_array_append_val (self->blocks, block);
  return row (ROW_BLOCK, self->blocks->len - 1);
}

static StriaDatum
take_segment (Snapshot *self, const StriaDatumPair *pairs, gsize n)
{
  Segment segment = { .segment = { .pool = STRIA_NO_POOL, .stack = STRIA_NO_STACK } };
  StriaAllocSegment *s = &segment.segment;
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  guint64 first = G_MAXUINT64;

  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (word_of (self, pairs[i].key))
        {
        case WORD_device:
          s->device = (guint32) get_u64 (self, value);
          break;
        case WORD_address:
          s->has_address = stria_datum_kind (value) != STRIA_VALUE_KIND_NIL;
          s->address = get_u64 (self, value);
          break;
        case WORD_total_size:
          s->total_size = get_u64 (self, value);
          break;
        case WORD_allocated_size:
          s->allocated_size = get_u64 (self, value);
          break;
        case WORD_active_size:
          s->active_size = get_u64 (self, value);
          break;
        case WORD_requested_size:
          s->requested_size = get_u64 (self, value);
          break;
        case WORD_stream:
          s->stream = get_u64 (self, value);
          break;
        case WORD_segment_type:
          s->type = text_of (self, value);
          break;
        case WORD_segment_pool_id:
          s->pool = pool_of (self, value);
          break;
        case WORD_is_expandable:
          s->is_expandable = get_u64 (self, value) != 0;
          break;
        case WORD_frames:
          s->stack = stack_of (self, value);
          break;
        case WORD_blocks:
          {
            gsize n_items;
            const StriaDatum *items = stria_values_list (self->values, value, &n_items);
            for (gsize k = 0; k < n_items; k++)
              {
                guint64 index;
                if (!is_row (stria_values_resolve (self->values, items[k]), ROW_BLOCK, &index)
                    || index >= self->blocks->len)
                  continue;
                first = MIN (first, index);
                g_array_append_val (blocks, g_array_index (self->blocks, StriaAllocBlock, index));
              }
            stria_values_replace_list (self->values, value, row (ROW_NOTHING, 0));
            break;
          }
        case WORD_registration_counter:
        default:
          break;
        }
    }
  /* Blocks without an address stand one behind the other (formats A2.3). */
  guint64 at = s->address;
  for (guint i = 0; i < blocks->len; i++)
    {
      StriaAllocBlock *block = &g_array_index (blocks, StriaAllocBlock, i);
      if (block->address == G_MAXUINT64)
        block->address = at;
      at = block->address + block->size;
    }
  segment.n_blocks = blocks->len;
  segment.blocks = (StriaAllocBlock *) g_array_free (g_steal_pointer (&blocks), FALSE);
  g_array_append_val (self->segments, segment);
  /* Blocks are used once: their room is free again. */
  if (first != G_MAXUINT64)
    g_array_set_size (self->blocks, 0);
  return row (ROW_SEGMENT, self->segments->len - 1);
}

/* -- the machine's client ------------------------------------------------------------------- */

static guint32
on_intern (gpointer data, const char *text, gsize length)
{
  Snapshot *self = data;
  return self->trace_sink->intern (self->trace_sink, text, length);
}

static const char *
on_text (gpointer data, guint32 id)
{
  Snapshot *self = data;
  return self->trace_sink->text (self->trace_sink, id);
}

static StriaDatum
on_dict (gpointer data, const StriaDatumPair *pairs, gsize n)
{
  Snapshot *self = data;
  gboolean name = FALSE, filename = FALSE, state = FALSE, blocks = FALSE, size = FALSE;
  gboolean segment_type = FALSE, total_size = FALSE, real_size = FALSE;

  for (gsize i = 0; i < n; i++)
    switch (word_of (self, pairs[i].key))
      {
      case WORD_segments:
      case WORD_device_traces:
      case WORD_external_annotations:
        return 0; /* the root */
      case WORD_action:
        return take_event (self, pairs, n);
      case WORD_name:
        name = TRUE;
        break;
      case WORD_filename:
        filename = TRUE;
        break;
      case WORD_state:
        state = TRUE;
        break;
      case WORD_blocks:
        blocks = TRUE;
        break;
      case WORD_size:
        size = TRUE;
        break;
      case WORD_segment_type:
        segment_type = TRUE;
        break;
      case WORD_total_size:
        total_size = TRUE;
        break;
      case WORD_real_size:
        real_size = TRUE;
        break;
      default:
        break;
      }
  if (name && filename)
    return take_frame (self, pairs, n);
  if (total_size && (segment_type || blocks))
    return take_segment (self, pairs, n);
  if ((state && size) || real_size)
    return take_block (self, pairs, n);
  return 0;
}

static gboolean
on_append (gpointer data, guint64 list, const StriaDatum *items, gsize n)
{
  Snapshot *self = data;
  guint64 index, first = G_MAXUINT64;
  gsize n_events = 0;

  for (gsize i = 0; i < n; i++)
    if (is_row (items[i], ROW_EVENT, &index))
      {
        if (n_events == 0)
          first = index;
        /* Events wait in the order they were whole in, which is that of their list. */
        if (index != first + n_events)
          return FALSE;
        n_events++;
      }
  if (n_events == 0 || n_events != n || first + n_events != self->events->len)
    return FALSE;

  gpointer known = g_hash_table_lookup (self->lists, GSIZE_TO_POINTER (list + 1));
  guint number;
  if (known == NULL)
    {
      number = self->n_lists++;
      g_hash_table_insert (self->lists, GSIZE_TO_POINTER (list + 1), GUINT_TO_POINTER (number + 1));
    }
  else
    number = GPOINTER_TO_UINT (known) - 1;
  self->sink->events (self->sink, number, &g_array_index (self->events, StriaAllocEvent, first),
                      n_events);
  self->n_events += n_events;
  g_array_set_size (self->events, (guint) first);
  return TRUE;
}

static void
on_opaque (gpointer data, const char *what)
{
  Snapshot *self = data;

  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "pickle-object",
                     self->context->name, -1,
                     _("The pickle names an object of code (%s); it was not made, and is shown as "
                       "its name"),
                     what);
}

static const StriaValuesClient client = {
  .intern = on_intern,
  .text = on_text,
  .dict = on_dict,
  .append = on_append,
  .opaque = on_opaque,
};

/* -- the root ------------------------------------------------------------------------------- */

static void
give_segments (Snapshot *self, StriaDatum list, gboolean is_host)
{
  gsize n;
  const StriaDatum *items = stria_values_list (self->values, list, &n);

  for (gsize i = 0; i < n; i++)
    {
      guint64 index;
      if (!is_row (stria_values_resolve (self->values, items[i]), ROW_SEGMENT, &index)
          || index >= self->segments->len)
        {
          notice (self, STRIA_SEVERITY_WARNING, "snapshot-segment",
                  _("Something among the segments is no segment; it was left out"));
          continue;
        }
      Segment *segment = &g_array_index (self->segments, Segment, index);
      segment->segment.is_host = is_host;
      self->sink->segment (self->sink, &segment->segment, segment->blocks, segment->n_blocks);
      g_clear_pointer (&segment->blocks, g_free);
      segment->n_blocks = 0;
    }
}

static void
give_traces (Snapshot *self, StriaDatum list, gboolean is_host)
{
  gsize n;
  const StriaDatum *items = stria_values_list (self->values, list, &n);

  for (gsize i = 0; i < n; i++)
    if (stria_datum_kind (items[i]) == STRIA_VALUE_KIND_LIST)
      {
        gpointer known = g_hash_table_lookup (
            self->lists, GSIZE_TO_POINTER (stria_datum_payload (items[i]) + 1));
        guint number = known != NULL ? GPOINTER_TO_UINT (known) - 1 : self->n_lists++;
        self->sink->trace (self->sink, number, (guint) i, is_host);
      }
    else
      notice (self, STRIA_SEVERITY_WARNING, "snapshot-trace",
              _("Something among the device traces is no list; it was left out"));
}

static void
give_annotations (Snapshot *self, StriaDatum list)
{
  gsize n;
  const StriaDatum *items = stria_values_list (self->values, list, &n);

  for (gsize i = 0; i < n; i++)
    {
      StriaAllocAnnotation annotation = { .time_us = STRIA_NO_TIME };
      g_autoptr (GString) other = g_string_new (NULL);
      gsize n_pairs;
      const StriaDatumPair *pairs
          = stria_values_dict (self->values, stria_values_resolve (self->values, items[i]), &n_pairs);

      for (gsize k = 0; k < n_pairs; k++)
        switch (word_of (self, pairs[k].key))
          {
          case WORD_device:
            annotation.device = (guint32) get_u64 (self, pairs[k].value);
            break;
          case WORD_time_us:
            if (!stria_values_i64 (self->values, pairs[k].value, &annotation.time_us))
              annotation.time_us = STRIA_NO_TIME;
            break;
          case WORD_name:
            annotation.name = text_of (self, pairs[k].value);
            break;
          case WORD_stage:
            annotation.stage = word_of (self, pairs[k].value) == WORD_START ? 1
                               : word_of (self, pairs[k].value) == WORD_END ? 2
                                                                            : 0;
            break;
          default:
            g_string_append (other, other->len > 0 ? ", " : "{");
            stria_values_to_json (self->values, pairs[k].key, other, 4096);
            g_string_append (other, ": ");
            stria_values_to_json (self->values, pairs[k].value, other, 4096);
            break;
          }
      if (n_pairs == 0)
        continue;
      if (other->len > 0)
        {
          g_string_append_c (other, '}');
          annotation.metadata = self->trace_sink->intern (self->trace_sink, other->str, other->len);
        }
      self->sink->annotation (self->sink, &annotation);
    }
}

static void
give_json (Snapshot *self, const char *key, StriaDatum value, gboolean is_settings)
{
  g_autoptr (GString) json = g_string_new (NULL);

  stria_values_to_json (self->values, value, json, 65536);
  if (is_settings)
    self->sink->settings (self->sink, json->str, json->len);
  else
    self->sink->other (self->sink, key, json->str, json->len);
}

static gboolean
give_root (Snapshot *self, GError **error)
{
  StriaDatum root = stria_values_top (self->values);
  gsize n;
  const StriaDatumPair *pairs;
  guint64 index;

  if (stria_datum_kind (root) == STRIA_VALUE_KIND_LIST)
    {
      /* torch.cuda.memory_snapshot (): the segments alone (formats A1.7). */
      const StriaDatum *items = stria_values_list (self->values, root, &n);
      if (n > 0 && !is_row (stria_values_resolve (self->values, items[0]), ROW_SEGMENT, &index))
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                       _("%s: a list of something else than segments: not an allocator snapshot"),
                       self->context->name);
          return FALSE;
        }
      give_segments (self, root, FALSE);
      return TRUE;
    }
  pairs = stria_values_dict (self->values, root, &n);
  gboolean known = FALSE;
  for (gsize i = 0; i < n; i++)
    {
      guint32 word = word_of (self, pairs[i].key);
      known |= word == WORD_segments || word == WORD_device_traces || word == WORD_host_segments
               || word == WORD_host_traces;
    }
  if (!known)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                   _("%s: no “segments” and no “device_traces”: not an allocator snapshot"),
                   self->context->name);
      return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = stria_values_resolve (self->values, pairs[i].value);
      switch (word_of (self, pairs[i].key))
        {
        case WORD_segments:
          give_segments (self, value, FALSE);
          break;
        case WORD_host_segments:
          give_segments (self, value, TRUE);
          break;
        case WORD_device_traces:
          give_traces (self, value, FALSE);
          break;
        case WORD_host_traces:
          give_traces (self, value, TRUE);
          break;
        case WORD_external_annotations:
          give_annotations (self, value);
          break;
        case WORD_allocator_settings:
          give_json (self, NULL, value, TRUE);
          break;
        case WORD_categories:
        case WORD_segment_version:
        case WORD_block_version:
          break; /* a viewer's own notes */
        default:
          if (stria_datum_kind (pairs[i].key) == STRIA_VALUE_KIND_STRING)
            give_json (self, on_text (self, (guint32) stria_datum_payload (pairs[i].key)), value,
                       FALSE);
          break;
        }
    }
  return TRUE;
}

static void
on_progress (guint64 bytes, gpointer data)
{
  Snapshot *self = data;

  if (self->context->progress != NULL)
    self->context->progress (bytes, self->n_events, self->context->user_data);
}

typedef gboolean (*ReadFunc) (StriaSource *source, StriaValues *values, const char *name,
                              gboolean *cut, GCancellable *cancellable,
                              void (*progress) (guint64 bytes, gpointer data), gpointer data,
                              GError **error);

static gboolean
decode_with (ReadFunc read, StriaSource *source, StriaSink *sink, StriaDecodeContext *context,
             GError **error)
{
  Snapshot self = {
    .trace_sink = sink,
    .sink = sink->allocator (sink),
    .context = context,
    .events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent)),
    .blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock)),
    .segments = g_array_new (FALSE, FALSE, sizeof (Segment)),
    .lists = g_hash_table_new (NULL, NULL),
    .stack = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .frame_words = g_array_new (FALSE, TRUE, sizeof (FrameWords)),
  };
  GError *read_error = NULL;
  gboolean cut = FALSE, ok;

  for (guint w = 0; w < N_WORDS; w++)
    {
      self.word[w] = sink->intern (sink, words[w], strlen (words[w]));
      self.n_word_of = MAX (self.n_word_of, self.word[w] + 1);
    }
  self.word_of = g_new0 (guint32, self.n_word_of);
  for (guint w = 1; w < N_WORDS; w++)
    self.word_of[self.word[w]] = w;
  self.not_available = sink->intern (sink, "N/A", 3);

  self.values = stria_values_new (&client, &self);
  ok = read (source, self.values, context->name, &cut, context->cancellable, on_progress, &self,
             &read_error);
  if (!ok && g_error_matches (read_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&read_error));
  else
    {
      GError *root_error = NULL;
      gboolean have_root = give_root (&self, &root_error);

      if (have_root && (cut || !ok))
        stria_notices_add (context->notices, STRIA_SEVERITY_WARNING, ok ? "truncated" : "damaged",
                           context->name, -1, "%s",
                           ok ? _("The snapshot ends before its end mark; what was whole was read")
                              : read_error->message);
      if (!have_root && !ok)
        g_propagate_error (error, g_steal_pointer (&read_error));
      else if (!have_root)
        g_propagate_error (error, g_steal_pointer (&root_error));
      ok = have_root;
      g_clear_error (&root_error);
    }
  g_clear_error (&read_error);

  stria_values_free (self.values);
  for (guint i = 0; i < self.segments->len; i++)
    g_free (g_array_index (self.segments, Segment, i).blocks);
  g_array_unref (self.events);
  g_array_unref (self.blocks);
  g_array_unref (self.segments);
  g_array_unref (self.stack);
  g_array_unref (self.frame_words);
  g_hash_table_unref (self.lists);
  g_free (self.word_of);
  return ok;
}

static gboolean
decode_pickle (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  return decode_with (stria_pickle_read, source, sink, context, error);
}

static gboolean
decode_json (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  return decode_with (stria_json_read_values, source, sink, context, error);
}

static guint
probe_pickle (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean named = strstr (lower, "snapshot") != NULL || strstr (lower, "memory") != NULL;

  if (head == NULL || !stria_pickle_sniff (head, length))
    return 0;
  if (memmem (head, length, "segments", 8) != NULL
      || memmem (head, length, "device_traces", 13) != NULL
      || memmem (head, length, "segment_type", 12) != NULL
      || memmem (head, length, "total_size", 10) != NULL)
    return 95;
  return named ? 60 : 0;
}

static guint
probe_json (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  gsize i = 0;

  if (head == NULL)
    return 0;
  while (i < length && g_ascii_isspace (head[i]))
    i++;
  if (i == length || (head[i] != '{' && head[i] != '['))
    return 0;
  return memmem (head, length, "\"segment_type\"", 14) != NULL
                 || memmem (head, length, "\"device_traces\"", 15) != NULL
                 || (memmem (head, length, "\"segments\"", 10) != NULL
                     && memmem (head, length, "\"total_size\"", 12) != NULL)
             ? 90
             : 0;
}

const StriaDecoder stria_snapshot_decoder = {
  .kind = "pytorch-snapshot",
  .title = N_ ("PyTorch allocator snapshot"),
  .probe = probe_pickle,
  .decode = decode_pickle,
};

const StriaDecoder stria_snapshot_json_decoder = {
  .kind = "pytorch-snapshot-json",
  .title = N_ ("PyTorch allocator snapshot (JSON)"),
  .probe = probe_json,
  .decode = decode_json,
};
