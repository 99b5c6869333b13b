/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"
#include "stria-alloc-pools-private.h"

/* Private pools (formats: A3.4): what each holds and has reserved at each step. */

/* Sums of hostile files stay at what 63 bits hold, as heights of the picture do. */
static guint64
add_limited (guint64 a, guint64 b)
{
  return b > (guint64) G_MAXINT64 - MIN (a, (guint64) G_MAXINT64) ? (guint64) G_MAXINT64 : a + b;
}

static guint64
less (guint64 a, guint64 b)
{
  return a > b ? a - b : 0;
}

static void
append (GArray *values, guint32 step, guint64 value)
{
  StriaStepValue *last
      = values->len > 0 ? &g_array_index (values, StriaStepValue, values->len - 1) : NULL;
  const StriaStepValue fresh = { step, value };

  if (last != NULL && last->step == step)
    last->value = value;
  else if ((last != NULL ? last->value : 0) != value)
    g_array_append_val (values, fresh);
}

static void
clear_envelope (gpointer data)
{
  Envelope *envelope = data;

  g_array_unref (envelope->live);
  g_array_unref (envelope->reserved);
  g_array_unref (envelope->height);
}

static gboolean
is_private (const StriaAllocator *self, guint16 pool)
{
  const guint64 id = g_array_index (self->pools, guint64, pool);

  return id != STRIA_NO_POOL && id != STRIA_POOL (0, 0);
}

/* Number of the private pool, which is added if it is new; NO_ENVELOPE for the default one. */
static guint32
envelope_of (StriaAllocator *self, GHashTable *known, guint16 pool, guint16 stream)
{
  const gpointer key = GUINT_TO_POINTER ((guint) pool << 16 | stream);
  gpointer found;

  if (!is_private (self, pool))
    return NO_ENVELOPE;
  found = g_hash_table_lookup (known, key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  Envelope fresh = {
    .pool = pool,
    .stream = stream,
    .live = g_array_new (FALSE, FALSE, sizeof (StriaStepValue)),
    .reserved = g_array_new (FALSE, FALSE, sizeof (StriaStepValue)),
    .height = g_array_new (FALSE, FALSE, sizeof (StriaStepValue)),
  };
  g_array_append_val (self->private_pools, fresh);
  g_hash_table_insert (known, key, GUINT_TO_POINTER (self->private_pools->len));
  return self->private_pools->len - 1;
}

static Envelope *
envelope_at (const StriaAllocator *self, guint32 i)
{
  return &g_array_index (self->private_pools, Envelope, i);
}

static gboolean
is_growth (const StriaAllocator *self, guint32 event)
{
  return self->action[event] == STRIA_ALLOC_SEGMENT_ALLOC
         || self->action[event] == STRIA_ALLOC_SEGMENT_MAP;
}

static gboolean
is_shrink (const StriaAllocator *self, guint32 event)
{
  return self->action[event] == STRIA_ALLOC_SEGMENT_FREE
         || self->action[event] == STRIA_ALLOC_SEGMENT_UNMAP;
}

/* Numbers in the order of appearance: what was there before, then as events come, then what only the
 * snapshot has. */
static void
number_envelopes (StriaAllocator *self, GHashTable *known)
{
  self->element_pool = g_new (guint32, MAX (self->n_elements, 1));
  for (guint32 e = 0; e < self->n_initial; e++)
    self->element_pool[e]
        = envelope_of (self, known, self->initial[e].pool, self->initial[e].stream);
  for (guint32 i = 0; i < self->n_events; i++)
    {
      guint32 element = self->event_element[i];
      if (element != STRIA_NO_ELEMENT && self->birth[element] == i)
        self->element_pool[element] = envelope_of (self, known, self->pool[i], self->stream[i]);
      else if (is_growth (self, i) || is_shrink (self, i))
        envelope_of (self, known, self->pool[i], self->stream[i]);
    }
  for (guint i = 0; i < self->segments->len; i++)
    {
      const StriaAllocSegment *s = &g_array_index (self->segments, StriaFinalSegment, i).segment;
      envelope_of (self, known, stria_ordinal (self->pools, &self->pool_index, s->pool),
                   stria_ordinal (self->streams, &self->stream_index, s->stream));
    }
}

/* Reserved bytes of each before the first event: backwards from the snapshot. */
static void
find_first_reserved (StriaAllocator *self, GHashTable *known, guint64 *reserved)
{
  const guint n = self->private_pools->len;
  g_autofree guint64 *grown = g_new0 (guint64, n);
  g_autofree guint64 *shrunk = g_new0 (guint64, n);

  for (guint i = 0; i < self->segments->len; i++)
    {
      const StriaAllocSegment *s = &g_array_index (self->segments, StriaFinalSegment, i).segment;
      guint32 k = envelope_of (self, known, stria_ordinal (self->pools, &self->pool_index, s->pool),
                               stria_ordinal (self->streams, &self->stream_index, s->stream));
      if (k != NO_ENVELOPE)
        shrunk[k] = add_limited (shrunk[k], s->total_size);
    }
  for (guint32 i = 0; i < self->n_events; i++)
    {
      if (!is_growth (self, i) && !is_shrink (self, i))
        continue;
      guint32 k = envelope_of (self, known, self->pool[i], self->stream[i]);
      if (k == NO_ENVELOPE)
        continue;
      guint64 *sum = is_growth (self, i) ? &grown[k] : &shrunk[k];
      *sum = add_limited (*sum, self->size[i]);
    }
  for (guint k = 0; k < n; k++)
    reserved[k] = less (shrunk[k], grown[k]);
}

typedef struct
{
  StriaAllocator *self;
  guint64 *live;
  guint64 *reserved;
  guint64 *height;
  guint64 live_sum;
  guint64 height_sum;
} Sweep;

static void
note (Sweep *sweep, guint32 k, guint32 step)
{
  StriaAllocator *self = sweep->self;
  Envelope *envelope = envelope_at (self, k);
  const guint64 height = MAX (sweep->height[k], MAX (sweep->live[k], sweep->reserved[k]));

  append (envelope->live, step, sweep->live[k]);
  append (envelope->reserved, step, sweep->reserved[k]);
  append (envelope->height, step, height);
  sweep->height_sum = add_limited (sweep->height_sum, height - sweep->height[k]);
  sweep->height[k] = height;
  append (self->private_live, step, sweep->live_sum);
  append (self->private_height, step, sweep->height_sum);
}

/* @bytes: added to what lives in the private pool of an element, modulo 2^64. */
static void
change_live (Sweep *sweep, guint32 element, guint64 bytes, guint32 step)
{
  const guint32 k = sweep->self->element_pool[element];

  if (k == NO_ENVELOPE)
    return;
  sweep->live[k] += bytes;
  sweep->live_sum += bytes;
  note (sweep, k, step);
}

static void
sweep_events (Sweep *sweep, GHashTable *known)
{
  StriaAllocator *self = sweep->self;

  for (guint32 i = 0; i < self->n_events; i++)
    {
      const guint32 element = self->event_element[i];

      if (is_growth (self, i) || is_shrink (self, i))
        {
          const guint32 k = envelope_of (self, known, self->pool[i], self->stream[i]);
          if (k == NO_ENVELOPE)
            continue;
          sweep->reserved[k] = is_growth (self, i) ? add_limited (sweep->reserved[k], self->size[i])
                                                   : less (sweep->reserved[k], self->size[i]);
          note (sweep, k, i + 1);
        }
      else if (element != STRIA_NO_ELEMENT && self->birth[element] == i)
        {
          const guint32 old = stria_allocator_replaced_by (self, i);
          if (old != STRIA_NO_ELEMENT)
            change_live (sweep, old, -self->element_size[old], i + 1);
          change_live (sweep, element, self->element_size[element], i + 1);
        }
      else if (element != STRIA_NO_ELEMENT && self->death[element] == i)
        change_live (sweep, element, -self->element_size[element], i + 1);
    }
}

void
stria_allocator_build_pools (StriaAllocator *self)
{
  g_autoptr (GHashTable) known = NULL;
  gboolean any = FALSE;
  Sweep sweep = { .self = self };

  for (guint i = 0; i < self->pools->len; i++)
    any |= is_private (self, (guint16) i);
  if (!any)
    return;
  known = g_hash_table_new (NULL, NULL);
  self->private_pools = g_array_new (FALSE, FALSE, sizeof (Envelope));
  g_array_set_clear_func (self->private_pools, clear_envelope);
  self->private_live = g_array_new (FALSE, FALSE, sizeof (StriaStepValue));
  self->private_height = g_array_new (FALSE, FALSE, sizeof (StriaStepValue));
  number_envelopes (self, known);

  const guint n = self->private_pools->len;
  g_autofree guint64 *live = g_new0 (guint64, n);
  g_autofree guint64 *reserved = g_new0 (guint64, n);
  g_autofree guint64 *height = g_new0 (guint64, n);
  sweep.live = live;
  sweep.reserved = reserved;
  sweep.height = height;
  find_first_reserved (self, known, reserved);
  for (guint32 e = 0; e < self->n_initial; e++)
    if (self->element_pool[e] != NO_ENVELOPE)
      {
        live[self->element_pool[e]] += self->element_size[e];
        sweep.live_sum += self->element_size[e];
      }
  for (guint k = 0; k < n; k++)
    note (&sweep, k, 0);
  sweep_events (&sweep, known);
}

void
stria_allocator_free_pools (StriaAllocator *self)
{
  g_clear_pointer (&self->private_pools, g_array_unref);
  g_clear_pointer (&self->private_live, g_array_unref);
  g_clear_pointer (&self->private_height, g_array_unref);
  g_clear_pointer (&self->element_pool, g_free);
}

/* -- questions ------------------------------------------------------------------------------- */

guint
stria_allocator_get_n_private_pools (StriaAllocator *self)
{
  return self->private_pools != NULL ? self->private_pools->len : 0;
}

void
stria_allocator_get_private_pool (StriaAllocator *self, guint i, guint32 step, StriaPrivatePool *out)
{
  g_return_if_fail (i < stria_allocator_get_n_private_pools (self));

  const Envelope *envelope = envelope_at (self, i);
  *out = (StriaPrivatePool){
    .pool = envelope->pool,
    .stream = envelope->stream,
    .allocated = stria_step_value (envelope->live, step),
    .reserved = stria_step_value (envelope->reserved, step),
    .height = stria_step_value (envelope->height, step),
  };
}

guint
stria_allocator_element_private_pool (StriaAllocator *self, guint32 element)
{
  g_return_val_if_fail (element < self->n_elements, G_MAXUINT);
  return self->element_pool != NULL ? self->element_pool[element] : G_MAXUINT;
}

static guint16
element_pool_ordinal (const StriaAllocator *self, guint32 element)
{
  return element < self->n_initial ? self->initial[element].pool
                                   : self->pool[self->birth[element]];
}

typedef struct
{
  GArray *uses;
  guint64 *live;
  guint64 *reserved;
  guint32 step; /* asked for */
} Uses;

static void
note_use (Uses *uses, guint16 pool, guint32 step)
{
  StriaPoolUse *use = &g_array_index (uses->uses, StriaPoolUse, pool);

  if (uses->live[pool] > use->peak)
    {
      use->peak = uses->live[pool];
      use->peak_step = step;
    }
  use->peak_reserved = MAX (use->peak_reserved, uses->reserved[pool]);
  if (step <= uses->step)
    {
      use->allocated = uses->live[pool];
      use->reserved = uses->reserved[pool];
    }
}

/* Reserved bytes of each pool before the first event. */
static void
first_reserved_by_pool (StriaAllocator *self, guint64 *reserved)
{
  g_autofree guint64 *grown = g_new0 (guint64, self->pools->len);

  for (guint i = 0; i < self->places->len; i++)
    {
      const StriaPlace *place = &g_array_index (self->places, StriaPlace, i);
      reserved[place->pool] = add_limited (reserved[place->pool], place->size);
    }
  for (guint32 i = 0; i < self->n_events; i++)
    if (is_growth (self, i))
      grown[self->pool[i]] = add_limited (grown[self->pool[i]], self->size[i]);
    else if (is_shrink (self, i))
      reserved[self->pool[i]] = add_limited (reserved[self->pool[i]], self->size[i]);
  for (guint k = 0; k < self->pools->len; k++)
    reserved[k] = less (reserved[k], grown[k]);
}

GArray *
stria_allocator_pool_use (StriaAllocator *self, guint32 step)
{
  const guint n = self->pools->len;
  g_autofree guint64 *live = g_new0 (guint64, n);
  g_autofree guint64 *reserved = g_new0 (guint64, n);
  Uses uses = { g_array_new (FALSE, TRUE, sizeof (StriaPoolUse)), live, reserved, step };

  g_array_set_size (uses.uses, n);
  first_reserved_by_pool (self, reserved);
  for (guint32 e = 0; e < self->n_initial; e++)
    live[element_pool_ordinal (self, e)] += self->element_size[e];
  for (guint k = 0; k < n; k++)
    note_use (&uses, (guint16) k, 0);
  for (guint32 i = 0; i < self->n_events; i++)
    {
      const guint32 element = self->event_element[i];
      guint16 pool = self->pool[i];

      if (is_growth (self, i))
        reserved[pool] = add_limited (reserved[pool], self->size[i]);
      else if (is_shrink (self, i))
        reserved[pool] = less (reserved[pool], self->size[i]);
      else if (element != STRIA_NO_ELEMENT && self->birth[element] == i)
        {
          const guint32 old = stria_allocator_replaced_by (self, i);
          if (old != STRIA_NO_ELEMENT)
            {
              live[element_pool_ordinal (self, old)] -= self->element_size[old];
              note_use (&uses, element_pool_ordinal (self, old), i + 1);
            }
          live[pool] += self->element_size[element];
        }
      else if (element != STRIA_NO_ELEMENT && self->death[element] == i)
        {
          pool = element_pool_ordinal (self, element);
          live[pool] -= self->element_size[element];
        }
      else
        continue;
      note_use (&uses, pool, i + 1);
    }
  return uses.uses;
}
