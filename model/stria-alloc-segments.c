/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"

/* Lives of segments, and the annotations' bands. */

/* Ranges that are mapped now, by address: a tree, since there may be as many as there are events, and
 * in any order. They do not overlap. */
typedef struct
{
  guint64 address;
  guint64 size;
  guint32 life; /* index */
} Mapped;

static int
compare_mapped (gconstpointer a, gconstpointer b, gpointer data)
{
  const Mapped *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

static Mapped *
mapped_of (GTreeNode *node)
{
  return node != NULL ? g_tree_node_value (node) : NULL;
}

/* The first range that ends behind the address. */
static GTreeNode *
first_at (GTree *mapped, guint64 address)
{
  const Mapped probe = { .address = address };
  GTreeNode *node = g_tree_upper_bound (mapped, &probe);
  GTreeNode *before = node != NULL ? g_tree_node_previous (node) : g_tree_node_last (mapped);
  const Mapped *m = mapped_of (before);

  return m != NULL && m->address + m->size > address ? before : node;
}

static void
map_range (StriaAllocator *self, GTree *mapped, const StriaSegmentLife *life)
{
  Mapped *m = g_new (Mapped, 1);

  *m = (Mapped){ life->address, life->size, self->lives->len };
  g_array_append_vals (self->lives, life, 1);
  g_tree_replace (mapped, m, m);
}

/* The range ends at @event. */
static void
end_range (StriaAllocator *self, GTree *mapped, const Mapped *m, guint32 event)
{
  g_array_index (self->lives, StriaSegmentLife, m->life).death = event;
  g_tree_remove (mapped, m);
}

/* What is mapped in [address, address + size) ends at @event; the rest of a range that is cut goes
 * on as a new life. Bytes that were not mapped by an event were there before: a life that begins
 * before all events. */
static void
unmap_range (StriaAllocator *self, GTree *mapped, guint32 event)
{
  guint64 address = self->address[event], end = address + self->size[event];
  guint64 at = address;

  while (at < end)
    {
      const Mapped *first = mapped_of (first_at (mapped, at));
      const Mapped m = first != NULL ? *first : (Mapped){ G_MAXUINT64, 0, 0 };

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
      end_range (self, mapped, first, event);
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

static void
map_event (StriaAllocator *self, GTree *mapped, guint32 event)
{
  const StriaSegmentLife life = {
    .address = self->address[event],
    .size = self->size[event],
    .birth = event,
    .death = STRIA_NO_EVENT,
    .stack = self->stack[event],
    .stream = self->stream[event],
    .pool = self->pool[event],
  };
  const Mapped *m;

  /* Mapped over what is mapped: the older one ends here. */
  while ((m = mapped_of (first_at (mapped, life.address))) != NULL
         && m->address < life.address + life.size)
    end_range (self, mapped, m, event);
  map_range (self, mapped, &life);
}

/* Of a segment of the snapshot, what no event mapped was there before. */
static void
add_ghosts (StriaAllocator *self, GTree *mapped, const StriaAllocSegment *segment)
{
  const guint16 stream = stria_ordinal (self->streams, &self->stream_index, segment->stream);
  const guint16 pool = stria_ordinal (self->pools, &self->pool_index, segment->pool);
  guint64 at = segment->address;
  guint64 end = segment->address > G_MAXUINT64 - segment->total_size
                    ? G_MAXUINT64
                    : segment->address + segment->total_size;

  for (GTreeNode *node = first_at (mapped, at); at < end; node = g_tree_node_next (node))
    {
      const Mapped *found = mapped_of (node);
      const Mapped m = found != NULL ? *found : (Mapped){ G_MAXUINT64, 0, 0 };
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
    }
}

/* Segments that events made and none gave back, and that the snapshot does not have: of these the
 * events say too much, or the list of segments too little. */
static void
count_absent (StriaAllocator *self, GTree *mapped)
{
  const GArray *places = self->places;

  for (GTreeNode *node = g_tree_node_first (mapped); node != NULL; node = g_tree_node_next (node))
    {
      const Mapped *m = mapped_of (node);
      guint64 at = m->address, end = m->address + m->size;

      for (guint i = stria_allocator_place_after (self, at); at < end && i < places->len; i++)
        {
          const StriaPlace *place = &g_array_index (places, StriaPlace, i);

          if (place->address > at)
            break;
          at = MAX (at, place->address + MIN (place->size, G_MAXUINT64 - place->address));
        }
      if (at < end)
        {
          self->n_absent_segments++;
          self->absent_bytes += end - at;
        }
    }
}

void
stria_allocator_build_lives (StriaAllocator *self)
{
  GTree *mapped = g_tree_new_full (compare_mapped, NULL, NULL, g_free);

  for (guint32 i = 0; i < self->n_events; i++)
    {
      StriaAllocAction action = (StriaAllocAction) self->action[i];

      if (self->size[i] == 0 || self->address[i] > G_MAXUINT64 - self->size[i])
        continue;
      if (action == STRIA_ALLOC_SEGMENT_ALLOC || action == STRIA_ALLOC_SEGMENT_MAP)
        map_event (self, mapped, i);
      else if (action == STRIA_ALLOC_SEGMENT_FREE || action == STRIA_ALLOC_SEGMENT_UNMAP)
        unmap_range (self, mapped, i);
    }
  for (guint s = 0; s < self->segments->len; s++)
    add_ghosts (self, mapped, &g_array_index (self->segments, StriaFinalSegment, s).segment);
  count_absent (self, mapped);
  for (guint i = 0; i < self->lives->len; i++)
    {
      StriaSegmentLife *life = &g_array_index (self->lives, StriaSegmentLife, i);
      if (life->death == STRIA_NO_EVENT)
        life->flags |= STRIA_ELEMENT_LIVE;
    }
  g_tree_unref (mapped);
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
