/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

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
  const guint32 *rows = stria_values_rows (self->values, value, &n);
  items = rows == NULL ? stria_values_list (self->values, value, &n) : NULL;
  if (n == 0)
    return STRIA_NO_STACK;
  if (n > self->stack->len)
    g_array_set_size (self->stack, (guint) n);
  guint32 *frames = (guint32 *) self->stack->data;
  gsize n_frames = 0;
  if (rows != NULL)
    for (; n_frames < n; n_frames++)
      frames[n_frames] = rows[n_frames] >> STRIA_LISTED_SHIFT;
  for (gsize i = 0; items != NULL && i < n; i++)
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
take_frame (StriaSnapshotReader *self, const guint8 *words, const StriaDatumPair *pairs, gsize n)
{
  guint32 name = 0, filename = 0;
  guint64 line = STRIA_LINE_UNKNOWN;
  g_autoptr (GString) extra = NULL;

  for (gsize i = 0; i < n; i++)
    switch (words[i])
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
  /* From 1: 0 is of words that are no action. */
  static const guint8 actions[N_WORDS] = {
    [WORD_alloc] = STRIA_ALLOC_ALLOC + 1,
    [WORD_free_requested] = STRIA_ALLOC_FREE_REQUESTED + 1,
    [WORD_free_completed] = STRIA_ALLOC_FREE_COMPLETED + 1,
    [WORD_segment_alloc] = STRIA_ALLOC_SEGMENT_ALLOC + 1,
    [WORD_segment_free] = STRIA_ALLOC_SEGMENT_FREE + 1,
    [WORD_segment_map] = STRIA_ALLOC_SEGMENT_MAP + 1,
    [WORD_segment_unmap] = STRIA_ALLOC_SEGMENT_UNMAP + 1,
    [WORD_snapshot] = STRIA_ALLOC_SNAPSHOT + 1,
    [WORD_oom] = STRIA_ALLOC_OOM + 1,
    [WORD_annotate] = STRIA_ALLOC_ANNOTATE + 1,
    [WORD_user_defined] = STRIA_ALLOC_USER_DEFINED + 1,
  };

  return actions[word] != 0 ? (StriaAllocAction) (actions[word] - 1) : STRIA_ALLOC_OTHER;
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

/* Keys of an event */
static gboolean
is_event_word (guint8 word)
{
  switch (word)
    {
    case WORD_action:
    case WORD_addr:
    case WORD_device_free:
    case WORD_size:
    case WORD_stream:
    case WORD_time_us:
    case WORD_compile_context:
    case WORD_user_metadata:
    case WORD_pool_id:
    case WORD_frames:
    case WORD_forward_frames:
    case WORD_category:
      return TRUE;
    default:
      return FALSE;
    }
}

static inline guint64
number_of (StriaSnapshotReader *self, StriaDatum value)
{
  if (G_LIKELY (stria_datum_kind (value) == STRIA_VALUE_KIND_INT))
    return (guint64) ((gint64) value >> 4);
  return stria_snapshot_u64 (self, value);
}

static inline guint32
text_of (StriaSnapshotReader *self, StriaDatum value)
{
  if (G_LIKELY (stria_datum_kind (value) == STRIA_VALUE_KIND_STRING))
    return (guint32) stria_datum_payload (value);
  return stria_snapshot_text_of (self, value);
}

/* What an event lacks is as if it said None. Fields are fetched from where the form has them, one by
 * one: a jump by key is another one for each, which a processor does not foresee. */
static StriaDatum
take_event (StriaSnapshotReader *self, const guint8 *words, const guint16 *place,
            const StriaDatumPair *pairs, gsize n)
{
#define VALUE(word) (place[WORD_##word] != 0 ? pairs[place[WORD_##word] - 1].value : 0)
  const StriaDatum action = VALUE (action), frames = VALUE (frames), time = VALUE (time_us);
  StriaAllocEvent event = {
    .action = (guint8) action_of (stria_snapshot_word (self, action)),
    .address = number_of (self, VALUE (addr)),
    .extra = number_of (self, VALUE (device_free)),
    .size = number_of (self, VALUE (size)),
    .stream = number_of (self, VALUE (stream)),
    .time_us = STRIA_NO_TIME,
    .context = text_of (self, VALUE (compile_context)),
    .metadata = text_of (self, VALUE (user_metadata)),
    .pool = pool_of (self, VALUE (pool_id)),
    .stack = STRIA_NO_STACK,
    .forward = place[WORD_forward_frames] != 0 ? forward_of (self, VALUE (forward_frames)) : 0,
    .category = text_of (self, VALUE (category)),
  };
#undef VALUE

  if (!stria_values_i64 (self->values, time, &event.time_us))
    event.time_us = STRIA_NO_TIME;
  if (event.context == self->not_available)
    event.context = 0;
  if (G_UNLIKELY (event.action == STRIA_ALLOC_OTHER))
    event.label = stria_snapshot_text_of (self, action);
  for (gsize i = 0; i < n; i++)
    if (G_UNLIKELY (!is_event_word (words[i])))
      stria_snapshot_notice (self, STRIA_SEVERITY_INFO, "snapshot-event-key",
                             _("An event has a key that is not known; it was left out"));
  if (G_UNLIKELY (event.action == STRIA_ALLOC_USER_DEFINED))
    read_user_mark (self, frames, &event);
  else
    event.stack = stack_of (self, frames);
  g_array_append_val (self->events, event);
  return stria_snapshot_row (ROW_EVENT, self->events->len - 1);
}

static StriaDatum
take_block (StriaSnapshotReader *self, const guint8 *words, const StriaDatumPair *pairs, gsize n)
{
  StriaAllocBlock block = { .stack = STRIA_NO_STACK, .state = STRIA_BLOCK_OTHER };
  gboolean has_requested = FALSE;

  block.address = G_MAXUINT64;
  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (words[i])
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
take_segment (StriaSnapshotReader *self, const guint8 *words, const StriaDatumPair *pairs,
              gsize n)
{
  StriaReadSegment segment = { .segment = { .pool = STRIA_NO_POOL, .stack = STRIA_NO_STACK } };
  StriaAllocSegment *s = &segment.segment;
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock));
  guint64 first = G_MAXUINT64;

  for (gsize i = 0; i < n; i++)
    {
      StriaDatum value = pairs[i].value;
      switch (words[i])
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

/* What a dict is by the keys that it has. */
static StriaSnapshotDict
type_of (const guint16 *has)
{
  if (has[WORD_segments] || has[WORD_device_traces] || has[WORD_external_annotations])
    return DICT_OTHER; /* the root */
  /* An annotation, which may have any keys as well; nothing else has these two. */
  if (has[WORD_device] && has[WORD_time_us] && !has[WORD_total_size])
    return DICT_OTHER;
  if (has[WORD_action]
      && (has[WORD_addr] || has[WORD_device_free] || has[WORD_size] || has[WORD_time_us]))
    return DICT_EVENT;
  if (has[WORD_name] && has[WORD_filename])
    return DICT_FRAME;
  if (has[WORD_total_size] && (has[WORD_segment_type] || has[WORD_blocks]))
    return DICT_SEGMENT;
  if ((has[WORD_state] && has[WORD_size]) || has[WORD_real_size])
    return DICT_BLOCK;
  return DICT_OTHER;
}

static void
read_keys (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n, guint8 *words,
           guint16 *place)
{
  G_STATIC_ASSERT (N_WORDS <= G_MAXUINT8);
  memset (place, 0, N_WORDS * sizeof *place);
  for (gsize i = 0; i < n; i++)
    {
      words[i] = (guint8) stria_snapshot_word (self, pairs[i].key);
      place[words[i]] = (guint16) (i + 1);
    }
  place[WORD_NONE] = 0;
}

static gboolean
has_form (const StriaSnapshotForm *form, const StriaDatumPair *pairs, gsize n)
{
  if (form->n != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (form->keys[i] != pairs[i].key)
      return FALSE;
  return TRUE;
}

static const StriaSnapshotForm *
form_of (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n)
{
  StriaSnapshotForm *form;

  if (G_LIKELY (has_form (&self->forms[self->last_form], pairs, n)))
    return &self->forms[self->last_form];
  for (guint k = 0; k < G_N_ELEMENTS (self->forms); k++)
    if (has_form (&self->forms[k], pairs, n))
      {
        self->last_form = k;
        return &self->forms[k];
      }
  self->last_form = self->next_form++ % G_N_ELEMENTS (self->forms);
  form = &self->forms[self->last_form];
  form->n = n;
  for (gsize i = 0; i < n; i++)
    form->keys[i] = pairs[i].key;
  read_keys (self, pairs, n, form->words, form->place);
  form->type = type_of (form->place);
  return form;
}

static StriaDatum
take_as (StriaSnapshotReader *self, StriaSnapshotDict type, const guint8 *words,
         const guint16 *place, const StriaDatumPair *pairs, gsize n)
{
  switch (type)
    {
    case DICT_EVENT:
      return take_event (self, words, place, pairs, n);
    case DICT_FRAME:
      return take_frame (self, words, pairs, n);
    case DICT_SEGMENT:
      return take_segment (self, words, pairs, n);
    case DICT_BLOCK:
      return take_block (self, words, pairs, n);
    case DICT_OTHER:
    default:
      return 0;
    }
}

static StriaDatum
take_large (StriaSnapshotReader *self, const StriaDatumPair *pairs, gsize n)
{
  g_autofree guint8 *words = g_new (guint8, n);
  g_autofree guint16 *place = g_new (guint16, N_WORDS);

  read_keys (self, pairs, n, words, place);
  return take_as (self, type_of (place), words, place, pairs, n);
}

StriaDatum
stria_snapshot_take_dict (gpointer data, StriaDatum under, const StriaDatumPair *pairs, gsize n)
{
  StriaSnapshotReader *self = data;
  const StriaSnapshotForm *form;

  /* A mapping of the user's may have any keys. */
  if (stria_snapshot_word (self, under) == WORD_user_metadata)
    return 0;
  if (G_UNLIKELY (n > STRIA_FORM_KEYS))
    return take_large (self, pairs, n);
  form = form_of (self, pairs, n);
  return take_as (self, form->type, form->words, form->place, pairs, n);
}
