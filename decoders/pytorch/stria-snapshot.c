/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-snapshot-private.h"

static const char *const words[] = {
  "",
#define X(word) #word,
  WORDS (X)
#undef X
};

/* -- the machine's client ------------------------------------------------------------------- */

static guint32
on_intern (gpointer data, const char *text, gsize length)
{
  StriaSnapshotReader *self = data;
  return self->trace_sink->intern (self->trace_sink, text, length);
}

static const char *
on_text (gpointer data, guint32 id)
{
  StriaSnapshotReader *self = data;
  return self->trace_sink->text (self->trace_sink, id);
}

static guint
trace_number (StriaSnapshotReader *self, guint64 list)
{
  gpointer known = g_hash_table_lookup (self->lists, GSIZE_TO_POINTER (list + 1));

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  g_hash_table_insert (self->lists, GSIZE_TO_POINTER (list + 1),
                       GUINT_TO_POINTER (self->n_lists + 1));
  return self->n_lists++;
}

static gboolean
on_append (gpointer data, guint64 list, const StriaDatum *items, gsize n)
{
  StriaSnapshotReader *self = data;
  guint64 index, first = G_MAXUINT64;
  gsize n_events = 0;
  gboolean in_order = TRUE;

  for (gsize i = 0; i < n; i++)
    if (stria_snapshot_is_row (items[i], ROW_EVENT, &index))
      {
        if (n_events == 0)
          first = index;
        in_order &= index == first + n_events;
        first = MIN (first, index);
        n_events++;
      }
  if (n_events == 0)
    return FALSE;

  guint number = trace_number (self, list);
  if (in_order && n_events == n && first + n_events <= self->events->len)
    self->sink->events (self->sink, number, &g_array_index (self->events, StriaAllocEvent, first), n);
  else
    for (gsize i = 0; i < n; i++)
      {
        if (stria_snapshot_is_row (items[i], ROW_EVENT, &index) && index < self->events->len)
          self->sink->events (self->sink, number,
                              &g_array_index (self->events, StriaAllocEvent, index), 1);
        else
          {
            n_events -= stria_snapshot_is_row (items[i], ROW_EVENT, &index);
            stria_snapshot_notice (self, STRIA_SEVERITY_WARNING, "snapshot-event",
                                   _("Something in a trace is no event; it was left out"));
          }
      }
  self->n_events += n_events;
  g_array_set_size (self->events, (guint) MIN (first, self->events->len));
  return TRUE;
}

static void
on_opaque (gpointer data, const char *what)
{
  StriaSnapshotReader *self = data;

  stria_notices_add (self->context->notices, STRIA_SEVERITY_WARNING, "pickle-object",
                     self->context->name, -1,
                     _("The pickle names an object of code (%s); it was not made, and is shown as "
                       "its name"),
                     what);
}

static const StriaValuesClient client = {
  .intern = on_intern,
  .text = on_text,
  .dict = stria_snapshot_take_dict,
  .append = on_append,
  .opaque = on_opaque,
  .listed = ROW_FRAME,
};

/* -- the root ------------------------------------------------------------------------------- */

/* The items of a list; without them there is no picture, so anything else is an error. */
static const StriaDatum *
get_rows (StriaSnapshotReader *self, const char *key, StriaDatum list, gsize *n, GError **error)
{
  static const StriaDatum none;
  const StriaDatum *items = stria_values_list (self->values, list, n);

  if (stria_datum_kind (list) == STRIA_VALUE_KIND_LIST || stria_datum_kind (list) == STRIA_VALUE_KIND_NIL)
    return items != NULL ? items : &none;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
               _("%s: “%s” is no list: not an allocator snapshot"), self->context->name, key);
  return NULL;
}

static gboolean
give_segments (StriaSnapshotReader *self, const char *key, StriaDatum list, gboolean is_host,
               GError **error)
{
  gsize n;
  const StriaDatum *items = get_rows (self, key, list, &n, error);

  if (items == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      guint64 index;
      StriaReadSegment *segment;

      if (stria_snapshot_is_row (stria_values_resolve (self->values, items[i]), ROW_SEGMENT, &index)
          && index < self->segments->len)
        {
          segment = &g_array_index (self->segments, StriaReadSegment, index);
          if (!segment->is_given)
            {
              segment->is_given = TRUE;
              segment->segment.is_host = is_host;
              self->sink->segment (self->sink, &segment->segment, segment->blocks,
                                   segment->n_blocks);
              g_clear_pointer (&segment->blocks, g_free);
              continue;
            }
        }
      stria_snapshot_notice (self, STRIA_SEVERITY_WARNING, "snapshot-segment",
              _("Something among the segments is no segment; it was left out"));
    }
  return TRUE;
}

static gboolean
give_traces (StriaSnapshotReader *self, const char *key, StriaDatum list, gboolean is_host,
             GError **error)
{
  gsize n;
  const StriaDatum *items = get_rows (self, key, list, &n, error);

  if (items == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      guint number;

      /* A list is the trace of one device, and a trace that has events is a list. */
      if (stria_datum_kind (items[i]) != STRIA_VALUE_KIND_LIST
          || !g_hash_table_add (self->named,
                                GUINT_TO_POINTER (
                                    (number = trace_number (self, stria_datum_payload (items[i])))
                                    + 1)))
        stria_snapshot_notice (self, STRIA_SEVERITY_WARNING, "snapshot-trace",
                _("Something among the device traces is no list; it was left out"));
      else
        self->sink->trace (self->sink, number, (guint) i, is_host);
    }
  return TRUE;
}

static void
give_annotations (StriaSnapshotReader *self, StriaDatum list)
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
        switch (stria_snapshot_word (self, pairs[k].key))
          {
          case WORD_device:
            annotation.device = (guint32) stria_snapshot_u64 (self, pairs[k].value);
            break;
          case WORD_time_us:
            if (!stria_values_i64 (self->values, pairs[k].value, &annotation.time_us))
              annotation.time_us = STRIA_NO_TIME;
            break;
          case WORD_name:
            annotation.name = stria_snapshot_text_of (self, pairs[k].value);
            break;
          case WORD_stage:
            annotation.stage = stria_snapshot_word (self, pairs[k].value) == WORD_START ? 1
                               : stria_snapshot_word (self, pairs[k].value) == WORD_END ? 2
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
give_json (StriaSnapshotReader *self, const char *key, StriaDatum value, gboolean is_settings)
{
  g_autoptr (GString) json = g_string_new (NULL);

  stria_values_to_json (self->values, value, json, 65536);
  if (is_settings)
    self->sink->settings (self->sink, json->str, json->len);
  else
    self->sink->other (self->sink, key, json->str, json->len);
}

static gboolean
give_root (StriaSnapshotReader *self, GError **error)
{
  StriaDatum root = stria_values_top (self->values);
  gsize n;
  const StriaDatumPair *pairs;
  guint64 index;

  if (stria_datum_kind (root) == STRIA_VALUE_KIND_LIST)
    {
      /* torch.cuda.memory_snapshot (): the segments alone (formats A1.7). */
      const StriaDatum *items = stria_values_list (self->values, root, &n);
      if (n > 0 && !stria_snapshot_is_row (stria_values_resolve (self->values, items[0]), ROW_SEGMENT, &index))
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                       _("%s: a list of something else than segments: not an allocator snapshot"),
                       self->context->name);
          return FALSE;
        }
      return give_segments (self, "segments", root, FALSE, error);
    }
  pairs = stria_values_dict (self->values, root, &n);
  gboolean known = FALSE;
  for (gsize i = 0; i < n; i++)
    {
      guint32 word = stria_snapshot_word (self, pairs[i].key);
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
      switch (stria_snapshot_word (self, pairs[i].key))
        {
        case WORD_segments:
          if (!give_segments (self, "segments", value, FALSE, error))
            return FALSE;
          break;
        case WORD_host_segments:
          if (!give_segments (self, "host_segments", value, TRUE, error))
            return FALSE;
          break;
        case WORD_device_traces:
          if (!give_traces (self, "device_traces", value, FALSE, error))
            return FALSE;
          break;
        case WORD_host_traces:
          if (!give_traces (self, "host_traces", value, TRUE, error))
            return FALSE;
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
  StriaSnapshotReader *self = data;

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
  StriaSnapshotReader self = {
    .trace_sink = sink,
    .sink = sink->allocator (sink),
    .context = context,
    .events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent)),
    .blocks = g_array_new (FALSE, FALSE, sizeof (StriaAllocBlock)),
    .segments = g_array_new (FALSE, FALSE, sizeof (StriaReadSegment)),
    .lists = g_hash_table_new (NULL, NULL),
    .named = g_hash_table_new (NULL, NULL),
    .stack = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .frame_words = g_array_new (FALSE, TRUE, sizeof (StriaFrameWords)),
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
    g_free (g_array_index (self.segments, StriaReadSegment, i).blocks);
  g_array_unref (self.events);
  g_array_unref (self.blocks);
  g_array_unref (self.segments);
  g_array_unref (self.stack);
  g_array_unref (self.frame_words);
  g_hash_table_unref (self.lists);
  g_hash_table_unref (self.named);
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
