/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-private.h"

/* What blocks take in their segments beyond what was asked for. Kept at every so many steps, and
 * counted on from there. */

#define MARK_EVERY 16
/* The allocator's own rounding; more is not taken for a rule of the file. */
#define MOST_GRANULE ((guint64) 512)
/* No block loses more to rounding; what says so would only make sums run over. */
#define MOST_LOSS ((guint64) 1 << 40)

static void
find_replaced (StriaAllocator *self)
{
  if (self->n_overlaps == 0)
    return;
  self->replaced = g_array_new (FALSE, FALSE, sizeof (StriaReplaced));

  g_autofree guint32 *ended = g_new (guint32, MAX (self->n_events, 1));
  for (guint32 i = 0; i < self->n_events; i++)
    ended[i] = STRIA_NO_ELEMENT;
  for (guint32 e = 0; e < self->n_elements; e++)
    if (self->death[e] != STRIA_NO_EVENT && self->event_element[self->death[e]] != e)
      ended[self->death[e]] = e;
  for (guint32 i = 0; i < self->n_events; i++)
    if (ended[i] != STRIA_NO_ELEMENT)
      {
        StriaReplaced replaced = { i, ended[i] };
        g_array_append_val (self->replaced, replaced);
      }
}

guint32
stria_allocator_replaced_by (const StriaAllocator *self, guint32 event)
{
  guint low = 0, high = self->replaced != NULL ? self->replaced->len : 0;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;
      const StriaReplaced *at = &g_array_index (self->replaced, StriaReplaced, mid);
      if (at->event == event)
        return at->element;
      if (at->event < event)
        low = mid + 1;
      else
        high = mid;
    }
  return STRIA_NO_ELEMENT;
}

/* Blocks fill their segments without gaps. So where the addresses of all of them are multiples of
 * something, so are their sizes. */
static void
find_granule (StriaAllocator *self)
{
  guint64 bits = MOST_GRANULE;

  for (guint i = 0; i < self->segments->len; i++)
    {
      const StriaAllocSegment *s = &g_array_index (self->segments, StriaFinalSegment, i).segment;
      bits |= s->address | s->total_size;
    }
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const StriaAllocBlock *block = &g_array_index (self->blocks, StriaAllocBlock, i);
      bits |= block->address | block->size;
    }
  for (guint32 i = 0; i < self->n_events; i++)
    if (self->action[i] <= STRIA_ALLOC_SEGMENT_UNMAP)
      bits |= self->address[i];
  self->granule = bits & -bits;
}

static guint64
loss_of (const StriaAllocator *self, guint32 element)
{
  const guint64 size = self->element_size[element], rounded = self->rounded[element];

  if (rounded > 0)
    return rounded > size ? MIN (rounded - size, MOST_LOSS) : 0;
  return -size & (self->granule - 1);
}

/* What event @i adds to the sum, modulo 2^64. */
static guint64
change_at (const StriaAllocator *self, guint32 i)
{
  const guint32 element = self->event_element[i];
  guint64 change = 0;

  if (element == STRIA_NO_ELEMENT)
    return 0;
  if (self->birth[element] == i)
    {
      const guint32 old = stria_allocator_replaced_by (self, i);

      change = loss_of (self, element);
      if (G_UNLIKELY (old != STRIA_NO_ELEMENT))
        change -= loss_of (self, old);
    }
  else if (self->death[element] == i)
    change -= loss_of (self, element);
  return change;
}

guint64
stria_allocator_rounding_at (const StriaAllocator *self, guint32 step)
{
  guint64 sum = self->rounding_marks[step / MARK_EVERY];

  for (guint32 i = step / MARK_EVERY * MARK_EVERY; i < step; i++)
    sum += change_at (self, i);
  return sum;
}

guint64
stria_allocator_occupied (StriaAllocator *self, guint32 step)
{
  step = MIN (step, self->n_events);
  return self->allocated[step] + stria_allocator_rounding_at (self, step);
}

void
stria_allocator_occupied_at (StriaAllocator *self, const guint32 *steps, guint n, guint64 *occupied)
{
  /* The lives of which the second loop asks lie all over memory: their waits are made one. */
  for (guint k = 0; k < n; k++)
    {
      const guint32 step = MIN (steps[k], self->n_events);

      for (guint32 i = step / MARK_EVERY * MARK_EVERY; i < step; i++)
        if (self->event_element[i] != STRIA_NO_ELEMENT)
          {
            __builtin_prefetch (&self->birth[self->event_element[i]]);
            __builtin_prefetch (&self->death[self->event_element[i]]);
          }
    }
  for (guint k = 0; k < n; k++)
    occupied[k] = k > 0 && steps[k] == steps[k - 1] ? occupied[k - 1]
                                                    : stria_allocator_occupied (self, steps[k]);
}

void
stria_allocator_build_rounding (StriaAllocator *self)
{
  guint64 sum = 0;

  find_replaced (self);
  find_granule (self);
  self->rounding_marks = g_new (guint64, (gsize) self->n_events / MARK_EVERY + 1);
  for (guint32 e = 0; e < self->n_initial; e++)
    sum += loss_of (self, e);
  for (guint32 i = 0; i <= self->n_events; i++)
    {
      if (i % MARK_EVERY == 0)
        self->rounding_marks[i / MARK_EVERY] = sum;
      if (i < self->n_events)
        sum += change_at (self, i);
    }
}
