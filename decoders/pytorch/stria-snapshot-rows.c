/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-snapshot-private.h"

/* Dicts of a snapshot by what they are: frames, events, blocks, segments (formats: pytorch-formats
 * A2.2 to A2.4). */

guint64
stria_snapshot_u64 (StriaSnapshotReader *self, StriaDatum value)
{
  guint64 number = 0;

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_NIL)
    return 0;
  if (!stria_values_u64 (self->values, value, &number))
    stria_snapshot_notice (self, STRIA_SEVERITY_WARNING, "snapshot-number",
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
pool_of (StriaSnapshotReader *self, StriaDatum value)
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
guint32
stria_snapshot_text_of (StriaSnapshotReader *self, StriaDatum value)
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
stack_of (StriaSnapshotReader *self, StriaDatum value)
{
  guint64 index;
  gsize n;
  const StriaDatum *items;

  if (stria_snapshot_is_row (value, ROW_STACK, &index))
    return (guint32) index;
  items = stria_values_list (self->values, value, &n);
  if (n == 0)
    return STRIA_NO_STACK;
  if (n > self->stack->len)
    g_array_set_size (self->stack, (guint) n);
  guint32 *frames = (guint32 *) self->stack->data;
  gsize n_frames = 0;
  for (gsize i = 0; i < n; i++)
    if (stria_snapshot_is_row (items[i], ROW_FRAME, &index)
        || stria_snapshot_is_row (stria_values_resolve (self->values, items[i]), ROW_FRAME, &index))
      frames[n_frames++] = (guint32) index;
  if (n_frames == 0)
    return STRIA_NO_STACK;
  guint32 stack = self->sink->stack (self->sink, frames, n_frames);
  stria_values_replace_list (self->values, value, stria_snapshot_row (ROW_STACK, stack));
  return stack;
}

static guint32
forward_of (StriaSnapshotReader *self, StriaDatum value)
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
take_frame (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n)
{
  guint32 name = 0, filename = 0;
  guint64 line = STRIA_LINE_UNKNOWN;
  g_autoptr (GString) extra = NULL;

  for (gsize i = 0; i < n; i++)
    switch (stria_snapshot_word (self, pairs[i].key))
      {
      case WORD_name:
        name = stria_snapshot_text_of (self, pairs[i].value);
        break;
      case WORD_filename:
        filename = stria_snapshot_text_of (self, pairs[i].value);
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
  g_array_index (self->frame_words, StriaFrameWords, frame) = (StriaFrameWords){ name, filename };
  return stria_snapshot_row (ROW_FRAME, frame);
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
read_user_mark (StriaSnapshotReader *self, StriaDatum frames, StriaAllocEvent *event)
{
  gsize n;
  const StriaDatum *items = stria_values_list (self->values, frames, &n);
  guint64 frame;

  if (n == 0 || !stria_snapshot_is_row (stria_values_resolve (self->values, items[0]), ROW_FRAME, &frame)
      || frame >= self->frame_words->len)
    return;
  const StriaFrameWords *words_of = &g_array_index (self->frame_words, StriaFrameWords, frame);
  guint32 word = stria_snapshot_word (self, stria_datum (STRIA_VALUE_KIND_STRING, words_of->name));
  event->stage = word == WORD_START ? 1 : word == WORD_END ? 2 : 0;
  event->label = words_of->filename;
}

static StriaDatum
take_event (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n)
{
  StriaAllocEvent event = { .time_us = STRIA_NO_TIME, .stack = STRIA_NO_STACK, .pool = STRIA_NO_POOL };
  StriaDatum frames = 0;

  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (stria_snapshot_word (self, pairs[i].key))
        {
        case WORD_action:
          event.action = (guint8) action_of (stria_snapshot_word (self, value));
          if (event.action == STRIA_ALLOC_OTHER)
            event.label = stria_snapshot_text_of (self, value);
          break;
        case WORD_addr:
          event.address = stria_snapshot_u64 (self, value);
          break;
        case WORD_device_free:
          event.extra = stria_snapshot_u64 (self, value);
          break;
        case WORD_size:
          event.size = stria_snapshot_u64 (self, value);
          break;
        case WORD_stream:
          event.stream = stria_snapshot_u64 (self, value);
          break;
        case WORD_time_us:
          if (!stria_values_i64 (self->values, value, &event.time_us))
            event.time_us = STRIA_NO_TIME;
          break;
        case WORD_compile_context:
          event.context = stria_snapshot_text_of (self, value);
          if (event.context == self->not_available)
            event.context = 0;
          break;
        case WORD_user_metadata:
          event.metadata = stria_snapshot_text_of (self, value);
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
          event.category = stria_snapshot_text_of (self, value);
          break;
        default:
          stria_snapshot_notice (self, STRIA_SEVERITY_INFO, "snapshot-event-key",
                  _("An event has a key that is not known; it was left out"));
          break;
        }
    }
  if (event.action == STRIA_ALLOC_USER_DEFINED)
    read_user_mark (self, frames, &event);
  else
    event.stack = stack_of (self, frames);
  g_array_append_val (self->events, event);
  return stria_snapshot_row (ROW_EVENT, self->events->len - 1);
}

static StriaDatum
take_block (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n)
{
  StriaAllocBlock block = { .stack = STRIA_NO_STACK, .state = STRIA_BLOCK_OTHER };
  gboolean has_requested = FALSE;

  block.address = G_MAXUINT64;
  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (stria_snapshot_word (self, pairs[i].key))
        {
        case WORD_address:
        case WORD_addr:
          block.address = stria_snapshot_u64 (self, value);
          break;
        case WORD_size:
          block.size = stria_snapshot_u64 (self, value);
          break;
        case WORD_requested_size:
        case WORD_real_size:
          block.requested_size = stria_snapshot_u64 (self, value);
          has_requested = TRUE;
          break;
        case WORD_state:
          switch (stria_snapshot_word (self, value))
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
              stria_snapshot_notice (self, STRIA_SEVERITY_WARNING, "snapshot-block-state",
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
                && stria_snapshot_is_row (stria_values_resolve (self->values, items[0]), ROW_BLOCK, &index)
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
  return stria_snapshot_row (ROW_BLOCK, self->blocks->len - 1);
}

static StriaDatum
take_segment (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n)
{
  StriaReadSegment segment = { .segment = { .pool = STRIA_NO_POOL, .stack = STRIA_NO_STACK } };
  StriaAllocSegment *s = &segment.segment;
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  guint64 first = G_MAXUINT64;

  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (stria_snapshot_word (self, pairs[i].key))
        {
        case WORD_device:
          s->device = (guint32) stria_snapshot_u64 (self, value);
          break;
        case WORD_address:
          s->has_address = stria_datum_kind (value) != STRIA_VALUE_KIND_NIL;
          s->address = stria_snapshot_u64 (self, value);
          break;
        case WORD_total_size:
          s->total_size = stria_snapshot_u64 (self, value);
          break;
        case WORD_allocated_size:
          s->allocated_size = stria_snapshot_u64 (self, value);
          break;
        case WORD_active_size:
          s->active_size = stria_snapshot_u64 (self, value);
          break;
        case WORD_requested_size:
          s->requested_size = stria_snapshot_u64 (self, value);
          break;
        case WORD_stream:
          s->stream = stria_snapshot_u64 (self, value);
          break;
        case WORD_segment_type:
          s->type = stria_snapshot_text_of (self, value);
          break;
        case WORD_segment_pool_id:
          s->pool = pool_of (self, value);
          break;
        case WORD_is_expandable:
          s->is_expandable = stria_snapshot_u64 (self, value) != 0;
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
                if (!stria_snapshot_is_row (stria_values_resolve (self->values, items[k]), ROW_BLOCK, &index)
                    || index >= self->blocks->len)
                  continue;
                first = MIN (first, index);
                g_array_append_val (blocks, g_array_index (self->blocks, StriaAllocBlock, index));
              }
            stria_values_replace_list (self->values, value, stria_snapshot_row (ROW_NOTHING, 0));
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
  return stria_snapshot_row (ROW_SEGMENT, self->segments->len - 1);
}

StriaDatum
stria_snapshot_take_dict (gpointer data, StriaDatum under, const StriaDatumPair *pairs, gsize n)
{
  StriaSnapshotReader *self = data;
  gboolean name = FALSE, filename = FALSE, state = FALSE, blocks = FALSE, size = FALSE;
  gboolean segment_type = FALSE, total_size = FALSE, real_size = FALSE, device = FALSE;
  gboolean action = FALSE, addr = FALSE, time = FALSE;

  /* A mapping of the user's may have any keys. */
  if (stria_snapshot_word (self, under) == WORD_user_metadata)
    return 0;
  for (gsize i = 0; i < n; i++)
    switch (stria_snapshot_word (self, pairs[i].key))
      {
      case WORD_segments:
      case WORD_device_traces:
      case WORD_external_annotations:
        return 0; /* the root */
      case WORD_action:
        action = TRUE;
        break;
      case WORD_addr:
      case WORD_device_free:
        addr = TRUE;
        break;
      case WORD_time_us:
        time = TRUE;
        break;
      case WORD_device:
        device = TRUE;
        break;
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
  /* An annotation, which may have any keys as well; nothing else has these two. */
  if (device && time && !total_size)
    return 0;
  if (action && (addr || size || time))
    return take_event (self, pairs, n);
  if (name && filename)
    return take_frame (self, pairs, n);
  if (total_size && (segment_type || blocks))
    return take_segment (self, pairs, n);
  if ((state && size) || real_size)
    return take_block (self, pairs, n);
  return 0;
}
