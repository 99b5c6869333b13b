/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-private.h"

/* What is alive at a step: from the checkpoint before it, less what ended since, and what was born
 * since and is still there. Never more than one interval of events is looked at. */

typedef gboolean (*LiveFunc) (guint32 element, guint64 offset, gpointer data);

static void
foreach_live (const StriaAllocator *self, guint32 step, LiveFunc func, gpointer data)
{
  guint32 checkpoint = MIN (step / self->interval, self->n_checkpoints - 1);
  guint64 begin = self->check_begin[checkpoint], end = self->check_begin[checkpoint + 1];
  guint64 offset = 0;

  for (guint64 i = begin; i < end; i++)
    {
      guint32 element = self->check_live[i];
      if (self->death[element] < step)
        continue;
      if (!func (element, offset, data))
        return;
      offset += self->element_size[element];
    }
  guint32 last = stria_allocator_first_element (self, step);
  for (guint32 element = stria_allocator_first_element (self, checkpoint * self->interval);
       element < last; element++)
    {
      if (self->death[element] < step)
        continue;
      if (!func (element, offset, data))
        return;
      offset += self->element_size[element];
    }
}

typedef struct
{
  StriaAllocator *self;
  guint32 step;
  StriaAllocTotals *totals;
} Totals;

static gboolean
add_total (guint32 element, guint64 offset, gpointer data)
{
  Totals *totals = data;
  const StriaAllocator *self = totals->self;

  totals->totals->n_live++;
  if (self->request[element] != STRIA_NO_EVENT && self->request[element] < totals->step)
    totals->totals->pending += self->element_size[element];
  return TRUE;
}

void
stria_allocator_totals (StriaAllocator *self, guint32 step, StriaAllocTotals *totals)
{
  Totals data = { self, MIN (step, self->n_events), totals };

  *totals = (StriaAllocTotals){
    .allocated = self->allocated[data.step],
    .reserved = stria_allocator_reserved_at (self, data.step),
    .occupied = stria_allocator_occupied (self, data.step),
  };
  foreach_live (self, data.step, add_total, &data);
}

guint32
stria_allocator_peak (StriaAllocator *self, guint32 step0, guint32 step1)
{
  step1 = MIN (step1, self->n_events);
  return stria_allocator_most_between (self, MIN (step0, step1), step1);
}

static gboolean
collect (guint32 element, guint64 offset, gpointer data)
{
  g_array_append_val ((GArray *) data, element);
  return TRUE;
}

GArray *
stria_allocator_live (StriaAllocator *self, guint32 step)
{
  GArray *live = g_array_new (FALSE, FALSE, sizeof (guint32));

  foreach_live (self, MIN (step, self->n_events), collect, live);
  return live;
}

typedef struct
{
  const StriaAllocator *self;
  guint32 element;
  guint64 bytes;
  guint64 found;
  guint32 found_element;
} Find;

static gboolean
find_offset (guint32 element, guint64 offset, gpointer data)
{
  Find *find = data;

  if (element < find->element)
    {
      find->found = offset + find->self->element_size[element];
      return TRUE;
    }
  find->found = offset;
  return FALSE;
}

guint64
stria_allocator_offset (StriaAllocator *self, guint32 element, guint32 step)
{
  Find find = { .self = self, .element = element };

  foreach_live (self, MIN (step, self->n_events), find_offset, &find);
  return find.found;
}

static gboolean
find_bytes (guint32 element, guint64 offset, gpointer data)
{
  Find *find = data;

  if (offset + find->self->element_size[element] <= find->bytes)
    return TRUE;
  find->found_element = element;
  return FALSE;
}

guint32
stria_allocator_element_at (StriaAllocator *self, guint32 step, guint64 bytes)
{
  Find find = { .self = self, .bytes = bytes, .found_element = STRIA_NO_ELEMENT };

  foreach_live (self, MIN (step, self->n_events), find_bytes, &find);
  return find.found_element;
}

void
stria_allocator_window (StriaAllocator *self, gint64 start_us, gint64 end_us,
                        StriaAllocWindow *window)
{
  if (self->axis_us == NULL || end_us < start_us)
    return;
  guint32 before = stria_allocator_step_at_time (self, start_us - 1);
  guint32 after = stria_allocator_step_at_time (self, end_us);
  guint32 last = stria_allocator_first_element (self, after);

  for (guint32 e = stria_allocator_first_element (self, before); e < last; e++)
    {
      window->allocated_bytes += self->element_size[e];
      window->n_allocated++;
      if (self->death[e] >= after)
        {
          window->alive_bytes += self->element_size[e];
          window->n_alive++;
        }
    }
}

/* -- the segment map ------------------------------------------------------------------------- */

typedef struct
{
  guint64 address;
  guint32 element;
  guint64 size;    /* as requested */
  guint64 rounded; /* 0: not known */
  gboolean pending;
} Placed;

static int
compare_placed (gconstpointer a, gconstpointer b)
{
  const Placed *x = a, *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->element < y->element ? -1 : x->element > y->element;
}

static int
compare_segments (gconstpointer a, gconstpointer b)
{
  const StriaMapSegment *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

static guint64
element_address (const StriaAllocator *self, guint32 element)
{
  return element < self->n_initial ? self->initial[element].address
                                   : self->address[self->birth[element]];
}

static void
add_range (StriaMap *map, guint64 address, guint64 size, guint32 element, StriaRangeState state)
{
  StriaMapRange range = { address, size, element, (guint8) state };

  if (size == 0)
    return;
  g_array_append_val (map->ranges, range);
  if (state == STRIA_RANGE_FREE)
    {
      map->free_bytes += size;
      map->largest_free = MAX (map->largest_free, size);
    }
  else if (state == STRIA_RANGE_ROUNDING)
    map->rounding += size;
  else
    map->allocated += size;
}

/* Segments that were there at the step; neighbours of one stream and pool that grew by mapping are
 * one segment, as the allocator has it. */
static void
collect_segments (StriaAllocator *self, StriaMap *map)
{
  for (guint i = 0; i < self->lives->len; i++)
    {
      const StriaSegmentLife *life = &g_array_index (self->lives, StriaSegmentLife, i);
      gboolean born = life->birth == STRIA_NO_EVENT || life->birth < map->step;
      StriaMapSegment segment = { .address = life->address,
                                  .size = life->size,
                                  .stream = life->stream,
                                  .pool = life->pool,
                                  .stack = life->stack };

      if (!born || life->death < map->step)
        continue;
      if (life->birth != STRIA_NO_EVENT)
        segment.is_expandable = self->action[life->birth] != STRIA_ALLOC_SEGMENT_ALLOC;
      const StriaPlace *place = stria_allocator_place_of (self, life->address);
      if (place != NULL)
        {
          const StriaAllocSegment *final
              = &g_array_index (self->segments, StriaFinalSegment, place->segment).segment;
          segment.is_expandable = final->is_expandable;
          segment.type = final->type;
        }
      g_array_append_val (map->segments, segment);
    }
  g_array_sort (map->segments, compare_segments);
  guint kept = 0;
  for (guint i = 0; i < map->segments->len; i++)
    {
      StriaMapSegment segment = g_array_index (map->segments, StriaMapSegment, i);
      StriaMapSegment *last
          = kept > 0 ? &g_array_index (map->segments, StriaMapSegment, kept - 1) : NULL;
      if (last != NULL && last->is_expandable && segment.is_expandable
          && last->address + last->size == segment.address && last->stream == segment.stream
          && last->pool == segment.pool)
        last->size += segment.size;
      else
        g_array_index (map->segments, StriaMapSegment, kept++) = segment;
    }
  g_array_set_size (map->segments, kept);
}

/* Blocks of the snapshot that wait for their free, and whose allocation was not recorded: they are no
 * elements (formats: A3.2), and their room is not free. What was requested of them is not known. */
static void
place_pending_blocks (const StriaAllocator *self, GArray *placed)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint n_live = placed->len;

  for (guint b = 0; b < self->blocks->len; b++)
    {
      const StriaAllocBlock *block = &g_array_index (self->blocks, StriaAllocBlock, b);
      Placed p = { block->address, STRIA_NO_ELEMENT, block->size, 0, TRUE };

      if (block->state == STRIA_BLOCK_PENDING_FREE)
        g_array_append_val (placed, p);
    }
  if (placed->len == n_live)
    return;
  for (guint i = 0; i < n_live; i++)
    g_hash_table_add (known, &g_array_index (placed, Placed, i).address);
  for (guint i = placed->len; i-- > n_live;)
    if (g_hash_table_contains (known, &g_array_index (placed, Placed, i).address))
      g_array_remove_index_fast (placed, i);
}

static void
fill_segments (StriaAllocator *self, StriaMap *map)
{
  g_autoptr (GArray) live = stria_allocator_live (self, map->step);
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  guint next = 0;

  map->has_rounding = map->step == self->n_events;
  for (guint i = 0; i < live->len; i++)
    {
      guint32 element = g_array_index (live, guint32, i);
      Placed p = {
        .address = element_address (self, element),
        .element = element,
        .size = self->element_size[element],
        .rounded = map->has_rounding ? self->rounded[element] : 0,
        .pending = self->request[element] != STRIA_NO_EVENT && self->request[element] < map->step,
      };
      g_array_append_val (placed, p);
    }
  if (map->has_rounding)
    place_pending_blocks (self, placed);
  g_array_sort (placed, compare_placed);
  for (guint s = 0; s < map->segments->len; s++)
    {
      StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, s);
      guint64 at = segment->address, end = segment->address + segment->size;

      segment->first = map->ranges->len;
      map->reserved += segment->size;
      while (next < placed->len && g_array_index (placed, Placed, next).address < segment->address)
        {
          map->n_outside++;
          next++;
        }
      for (; next < placed->len && g_array_index (placed, Placed, next).address < end; next++)
        {
          const Placed *p = &g_array_index (placed, Placed, next);
          guint64 from = MAX (p->address, at);

          add_range (map, at, from - at, STRIA_NO_ELEMENT, STRIA_RANGE_FREE);
          guint64 until = MIN (MAX (p->address + p->size, from), end);
          add_range (map, from, until - from, p->element,
                     p->pending ? STRIA_RANGE_PENDING : STRIA_RANGE_ALLOCATED);
          at = until;
          if (p->rounded > p->size)
            {
              until = MIN (MAX (p->address + p->rounded, at), end);
              add_range (map, at, until - at, p->element, STRIA_RANGE_ROUNDING);
              at = until;
            }
        }
      add_range (map, at, end - at, STRIA_NO_ELEMENT, STRIA_RANGE_FREE);
      segment->n = map->ranges->len - segment->first;
    }
  map->n_outside += placed->len - next;
}

/**
 * stria_allocator_map:
 *
 * Returns: (transfer full): segments to scale and what is in them after @step events
 */
StriaMap *
stria_allocator_map (StriaAllocator *self, guint32 step, GCancellable *cancellable, GError **error)
{
  StriaMap *map;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  map = g_new0 (StriaMap, 1);
  map->step = MIN (step, self->n_events);
  map->segments = g_array_new (FALSE, FALSE, sizeof (StriaMapSegment));
  map->ranges = g_array_new (FALSE, FALSE, sizeof (StriaMapRange));
  collect_segments (self, map);
  fill_segments (self, map);

  double squares = 0;
  for (guint i = 0; i < map->ranges->len; i++)
    {
      const StriaMapRange *range = &g_array_index (map->ranges, StriaMapRange, i);
      if (range->state == STRIA_RANGE_FREE)
        squares += (double) range->size * (double) range->size;
    }
  if (map->reserved > 0)
    map->external = squares / ((double) map->reserved * (double) map->reserved);
  if (map->free_bytes > 0)
    map->scattered = 1 - (double) map->largest_free / (double) map->free_bytes;
  return map;
}

void
stria_map_free (StriaMap *map)
{
  g_array_unref (map->segments);
  g_array_unref (map->ranges);
  g_free (map);
}
