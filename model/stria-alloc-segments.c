/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"

/* Lives of segments, and the annotations' bands. */

/* Ranges that are mapped now, by address: few thousands at most, so an ordered array. */
typedef struct
{
  guint64 address;
  guint64 size;
  guint32 life; /* index */
} Mapped;

static guint
first_at (GArray *mapped, guint64 address)
{
  guint low = 0, high = mapped->len;

  /* First range that ends behind the address. */
  while (low < high)
    {
      guint mid = low + (high - low) / 2;
      const Mapped *m = &g_array_index (mapped, Mapped, mid);
      if (m->address + m->size <= address)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

static void
map_range (StriaAllocator *self, GArray *mapped, const StriaSegmentLife *life)
{
  Mapped m = { life->address, life->size, self->lives->len };

  g_array_append_vals (self->lives, life, 1);
  g_array_insert_val (mapped, first_at (mapped, life->address), m);
}

/* What is mapped in [address, address + size) ends at @event; the rest of a range that is cut goes
 * on as a new life. Bytes that were not mapped by an event were there before: a life that begins
 * before all events. */
static void
unmap_range (StriaAllocator *self, GArray *mapped, guint32 event)
{
  guint64 address = self->address[event], end = address + self->size[event];
  guint64 at = address;

  while (at < end)
    {
      guint i = first_at (mapped, at);
      Mapped m = i < mapped->len ? g_array_index (mapped, Mapped, i)
                                 : (Mapped){ G_MAXUINT64, 0, 0 };
      if (m.address > at)
        {
          guint64 until = MIN (m.address, end);
          StriaSegmentLife before = {
            .address = at,
            .size = until - at,
            .birth = STRIA_NO_EVENT,
            .death = event,
            .stack = self->stack[event],
            .stream = self->stream[event],
            .pool = self->pool[event],
            .flags = STRIA_ELEMENT_UNMATCHED,
          };
          g_array_append_val (self->lives, before);
          at = until;
          continue;
        }
      StriaSegmentLife whole = g_array_index (self->lives, StriaSegmentLife, m.life);
      guint64 m_end = m.address + m.size;
      g_array_index (self->lives, StriaSegmentLife, m.life).death = event;
      g_array_remove_index (mapped, i);
      whole.birth = event;
      if (m.address < at)
        {
          StriaSegmentLife left = whole;
          left.size = at - m.address;
          map_range (self, mapped, &left);
        }
      if (m_end > end)
        {
          StriaSegmentLife right = whole;
          right.address = end;
          right.size = m_end - end;
          map_range (self, mapped, &right);
        }
      at = MIN (m_end, end);
    }
}

void
stria_allocator_build_lives (StriaAllocator *self)
{
  g_autoptr (GArray) mapped = g_array_new (FALSE, FALSE, sizeof (Mapped));

  for (guint32 i = 0; i < self->n_events; i++)
    {
      StriaAllocAction action = (StriaAllocAction) self->action[i];

      if (self->size[i] == 0 || self->address[i] > G_MAXUINT64 - self->size[i])
        continue;
      if (action == STRIA_ALLOC_SEGMENT_ALLOC || action == STRIA_ALLOC_SEGMENT_MAP)
        {
          guint k = first_at (mapped, self->address[i]);
          StriaSegmentLife life = {
            .address = self->address[i],
            .size = self->size[i],
            .birth = i,
            .death = STRIA_NO_EVENT,
            .stack = self->stack[i],
            .stream = self->stream[i],
            .pool = self->pool[i],
          };
          /* Mapped over what is mapped: the older one ends here. */
          while (k < mapped->len
                 && g_array_index (mapped, Mapped, k).address < life.address + life.size)
            {
              g_array_index (self->lives, StriaSegmentLife,
                             g_array_index (mapped, Mapped, k).life).death = i;
              g_array_remove_index (mapped, k);
            }
          map_range (self, mapped, &life);
        }
      else if (action == STRIA_ALLOC_SEGMENT_FREE || action == STRIA_ALLOC_SEGMENT_UNMAP)
        unmap_range (self, mapped, i);
    }

  /* Of the snapshot's segments, what no event mapped was there before. */
  for (guint s = 0; s < self->segments->len; s++)
    {
      const StriaAllocSegment *segment
          = &g_array_index (self->segments, StriaFinalSegment, s).segment;
      guint64 at = segment->address;
      guint64 end = segment->address > G_MAXUINT64 - segment->total_size
                        ? G_MAXUINT64
                        : segment->address + segment->total_size;
      guint16 stream = 0, pool = 0;

      for (guint k = 0; k < self->streams->len; k++)
        if (g_array_index (self->streams, guint64, k) == segment->stream)
          stream = (guint16) k;
      for (guint k = 0; k < self->pools->len; k++)
        if (g_array_index (self->pools, guint64, k) == segment->pool)
          pool = (guint16) k;
      for (guint i = first_at (mapped, at); at < end;)
        {
          Mapped m = i < mapped->len ? g_array_index (mapped, Mapped, i)
                                     : (Mapped){ G_MAXUINT64, 0, 0 };
          guint64 until = MIN (MAX (m.address, at), end);
          if (until > at)
            {
              StriaSegmentLife ghost = {
                .address = at,
                .size = until - at,
                .birth = STRIA_NO_EVENT,
                .death = STRIA_NO_EVENT,
                .stack = segment->stack,
                .stream = stream,
                .pool = pool,
                .flags = STRIA_ELEMENT_GHOST,
              };
              g_array_append_val (self->lives, ghost);
            }
          if (m.address >= end)
            break;
          at = MIN (m.address + m.size, end);
          i++;
        }
    }
  for (guint i = 0; i < self->lives->len; i++)
    {
      StriaSegmentLife *life = &g_array_index (self->lives, StriaSegmentLife, i);
      if (life->death == STRIA_NO_EVENT)
        life->flags |= STRIA_ELEMENT_LIVE;
    }
}

/* -- annotations ----------------------------------------------------------------------------- */

static int
compare_annotations (gconstpointer a, gconstpointer b)
{
  const StriaAllocAnnotation *x = a, *y = b;
  return x->time_us < y->time_us ? -1 : x->time_us > y->time_us;
}

static int
compare_bands (gconstpointer a, gconstpointer b)
{
  const StriaAllocBand *x = a, *y = b;

  if (x->start_step != y->start_step)
    return x->start_step < y->start_step ? -1 : 1;
  return x->end_step > y->end_step ? -1 : x->end_step < y->end_step;
}

/* An end closes the innermost open band of its name (formats: A2.6). */
static void
close_band (GArray *bands, GArray *open, guint32 name, gint64 time_us, guint32 step)
{
  for (guint k = open->len; k-- > 0;)
    {
      StriaAllocBand *band
          = &g_array_index (bands, StriaAllocBand, g_array_index (open, guint32, k));
      if (band->name != name)
        continue;
      band->end_us = time_us;
      band->end_step = step;
      g_array_remove_index (open, k);
      return;
    }
}

static void
open_band (StriaAllocator *self, GArray *open, guint32 name, gint64 time_us, guint32 step)
{
  StriaAllocBand band = { name, time_us, STRIA_NO_TIME, step, self->n_events };
  guint32 index = self->bands->len;

  g_array_append_val (self->bands, band);
  g_array_append_val (open, index);
}

void
stria_allocator_build_bands (StriaAllocator *self)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_sort (self->annotations, compare_annotations);
  for (guint i = 0; i < self->annotations->len; i++)
    {
      const StriaAllocAnnotation *a = &g_array_index (self->annotations, StriaAllocAnnotation, i);
      if (a->time_us == STRIA_NO_TIME || self->axis_us == NULL)
        continue;
      /* A mark stands before the events of its own microsecond and later. */
      guint32 step = stria_allocator_step_at_time (self, a->time_us - 1);
      if (a->stage == 1)
        open_band (self, open, a->name, a->time_us, step);
      else if (a->stage == 2)
        close_band (self->bands, open, a->name, a->time_us, step);
    }
  g_array_set_size (open, 0);
  for (guint32 i = 0; self->stage != NULL && i < self->n_events; i++)
    if (self->action[i] == STRIA_ALLOC_USER_DEFINED)
      {
        guint32 name = self->label != NULL ? self->label[i] : 0;
        if (self->stage[i] == 1)
          open_band (self, open, name, stria_allocator_event_time_us (self, i), i);
        else if (self->stage[i] == 2)
          close_band (self->bands, open, name, stria_allocator_event_time_us (self, i), i);
      }
  g_array_sort (self->bands, compare_bands);
}
