/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntrace-private.h"

#define ARENA_LIMIT ((gsize) 128 << 20)

/* What a start and its stop have in common (from public readers of the runtime's JSON). */
typedef struct
{
  guint64 tracking;
  guint32 event;
  guint32 core;
} Key;

/* A record that waits: where it lies in the file. */
typedef struct _Waiting Waiting;

struct _Waiting
{
  Key key;
  Waiting *below; /* of the same key, older */
  guint64 seq;
  guint64 time;
  gsize offset;
  gsize length;
  gboolean is_stop;
};

struct _StriaNtracePairs
{
  GHashTable *waiting; /* Key -> newest Waiting */
  StriaProtoArena *arena;
  guint64 seq;
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = (key->tracking ^ ((guint64) key->event << 32 | key->core)) * 0x9e3779b97f4a7c15u;

  return (guint) (hash >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->tracking == y->tracking && x->event == y->event && x->core == y->core;
}

static void
waiting_free (gpointer data)
{
  for (Waiting *waiting = data, *below; waiting != NULL; waiting = below)
    {
      below = waiting->below;
      g_free (waiting);
    }
}

StriaNtracePairs *
stria_ntrace_pairs_new (void)
{
  StriaNtracePairs *self = g_new0 (StriaNtracePairs, 1);

  self->waiting = g_hash_table_new_full (key_hash, key_equal, NULL, NULL);
  self->arena = stria_proto_arena_new (ARENA_LIMIT);
  return self;
}

void
stria_ntrace_pairs_free (StriaNtracePairs *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->waiting);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    waiting_free (value);
  g_hash_table_unref (self->waiting);
  stria_proto_arena_free (self->arena);
  g_free (self);
}

/* Older records have one type for a start and the next one for its stop. */
static Key
key_of (const StriaNtraceEvent *event, StriaNtracePhase phase)
{
  guint32 number = event->event_type;

  if (event->phase == NTFF__NTRACE_EVENT_PHASE_TYPE__NTRACE_EVENT_PHASE_TYPE_INVALID)
    number = 1u << 31 | ((guint32) event->type - (phase == STRIA_PHASE_STOP));
  return (Key) { event->tracking_id, number, event->nc_idx };
}

static void
push (StriaNtracePairs *self, const Key *key, const StriaNtraceEvent *event, gsize offset,
      gsize length, gboolean is_stop)
{
  Waiting *waiting = g_new (Waiting, 1);

  *waiting = (Waiting) {
    .key = *key, .below = g_hash_table_lookup (self->waiting, key), .seq = self->seq,
    .time = event->timestamp, .offset = offset, .length = length, .is_stop = is_stop,
  };
  /* The new one's key lives as long as the entry. */
  g_hash_table_replace (self->waiting, &waiting->key, waiting);
}

static void
pop (StriaNtracePairs *self, Waiting *waiting)
{
  if (waiting->below != NULL)
    g_hash_table_replace (self->waiting, &waiting->below->key, waiting->below);
  else
    g_hash_table_remove (self->waiting, &waiting->key);
  g_free (waiting);
}

static void
join (StriaNtrace *self, const StriaNtraceEvent *event, const Waiting *waiting)
{
  const StriaNtraceEvent *other = stria_pb_stream_again (self->stream, self->pairs->arena,
                                                         waiting->offset, waiting->length);

  if (other == NULL)
    return;
  if (waiting->is_stop)
    stria_ntrace_row (self, event, other, STRIA_PAIRING_PAIRED);
  else
    stria_ntrace_row (self, other, event, STRIA_PAIRING_PAIRED);
}

void
stria_ntrace_pairs_take (StriaNtrace *self, const StriaNtraceEvent *event, gsize offset,
                         gsize length)
{
  StriaNtracePairs *pairs = self->pairs;
  StriaNtracePhase phase = stria_ntrace_phase (event);
  Key key = key_of (event, phase);
  Waiting *waiting;

  pairs->seq++;
  if (phase == STRIA_PHASE_SINGLE)
    {
      stria_ntrace_row (self, event, NULL,
                        event->duration > 0 ? STRIA_PAIRING_DURATION : STRIA_PAIRING_INSTANT);
      return;
    }
  waiting = g_hash_table_lookup (pairs->waiting, &key);
  /* Rings are drained one after another, so a stop may stand before its start; but only what has a
   * tracking id can be told to belong together then. */
  if (waiting != NULL && phase == STRIA_PHASE_STOP && !waiting->is_stop)
    {
      join (self, event, waiting);
      pop (pairs, waiting);
    }
  else if (waiting != NULL && phase == STRIA_PHASE_START && waiting->is_stop
           && event->tracking_id != 0 && waiting->time >= event->timestamp)
    {
      join (self, event, waiting);
      pop (pairs, waiting);
    }
  else
    push (pairs, &key, event, offset, length, phase == STRIA_PHASE_STOP);
}

static int
compare_waiting (gconstpointer a, gconstpointer b)
{
  const Waiting *x = *(Waiting *const *) a, *y = *(Waiting *const *) b;

  return (x->seq > y->seq) - (x->seq < y->seq);
}

void
stria_ntrace_pairs_end (StriaNtrace *self)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->pairs->waiting);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (Waiting *waiting = value; waiting != NULL; waiting = waiting->below)
      g_ptr_array_add (left, waiting);
  g_ptr_array_sort (left, compare_waiting);
  for (guint i = 0; i < left->len; i++)
    {
      const Waiting *waiting = g_ptr_array_index (left, i);
      const StriaNtraceEvent *event = stria_pb_stream_again (
          self->stream, self->pairs->arena, waiting->offset, waiting->length);

      if (event == NULL)
        continue;
      /* A start that has a duration (inferred: converted records) needs no stop. */
      if (!waiting->is_stop && event->duration > 0)
        stria_ntrace_row (self, event, NULL, STRIA_PAIRING_DURATION);
      else
        stria_ntrace_row (self, event, NULL,
                          waiting->is_stop ? STRIA_PAIRING_STOP_ONLY : STRIA_PAIRING_OPEN);
    }
}
