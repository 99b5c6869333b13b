/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-private.h"

/* Streams and pools by number, and where the segments of the snapshot lie. */

/* Ordinals are numbers of 16 bits; what a store holds is one less. */
#define MAX_ORDINALS (G_MAXUINT16 - 1)
/* Found by looking at each of them */
#define FEW_ORDINALS 16

guint16
stria_ordinal (GArray *values, StriaOrdinalIndex *index, guint64 value)
{
  const guint n_few = MIN (values->len, FEW_ORDINALS);

  for (guint i = 0; i < n_few; i++)
    if (g_array_index (values, guint64, i) == value)
      return (guint16) i;
  if (values->len >= FEW_ORDINALS && index->of == NULL)
    {
      index->of = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      for (guint i = FEW_ORDINALS; i < values->len; i++)
        g_hash_table_insert (index->of, g_memdup2 (&g_array_index (values, guint64, i), 8),
                             GUINT_TO_POINTER (i));
    }
  if (index->of != NULL)
    {
      gpointer known = g_hash_table_lookup (index->of, &value);
      if (known != NULL)
        return (guint16) GPOINTER_TO_UINT (known);
    }
  if (values->len >= MAX_ORDINALS)
    {
      index->n_lost++;
      return 0;
    }
  if (index->of != NULL)
    g_hash_table_insert (index->of, g_memdup2 (&value, sizeof value),
                         GUINT_TO_POINTER (values->len));
  g_array_append_val (values, value);
  return (guint16) (values->len - 1);
}

void
stria_ordinal_index_clear (StriaOrdinalIndex *index)
{
  g_clear_pointer (&index->of, g_hash_table_unref);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const StriaPlace *x = a, *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->segment < y->segment ? -1 : x->segment > y->segment;
}

static void
list_places (StriaAllocator *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const StriaAllocSegment *segment
          = &g_array_index (self->segments, StriaFinalSegment, i).segment;
      StriaPlace place = { segment->address, segment->total_size, i,
                           stria_ordinal (self->pools, &self->pool_index, segment->pool) };
      g_array_append_val (self->places, place);
    }
  g_array_sort (self->places, compare_places);
}

guint
stria_allocator_place_after (const StriaAllocator *self, guint64 address)
{
  guint low = 0, high = self->places->len;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;
      if (g_array_index (self->places, StriaPlace, mid).address <= address)
        low = mid + 1;
      else
        high = mid;
    }
  if (low == 0)
    return 0;
  const StriaPlace *place = &g_array_index (self->places, StriaPlace, low - 1);
  return address - place->address < place->size ? low - 1 : low;
}

const StriaPlace *
stria_allocator_place_of (const StriaAllocator *self, guint64 address)
{
  const guint i = stria_allocator_place_after (self, address);
  const StriaPlace *place
      = i < self->places->len ? &g_array_index (self->places, StriaPlace, i) : NULL;

  return place != NULL && place->address <= address ? place : NULL;
}

static void
fill_pools (StriaAllocator *self)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i < self->n_events; i++)
    any |= self->pool[i] != 0;
  /* Files before 2026 do not say it with the event: the segment that holds the address now does
   * (formats: A2.4). */
  if (!any && self->pools->len > 2)
    for (guint32 i = 0; i < self->n_events; i++)
      {
        const StriaPlace *place = stria_allocator_place_of (self, self->address[i]);
        self->pool[i] = place != NULL ? place->pool : 0;
      }
  else if (!any && self->pools->len == 2)
    {
      /* All segments are of one pool. */
      for (guint32 i = 0; i < self->n_events; i++)
        self->pool[i] = 1;
    }
}

void
stria_allocator_build_places (StriaAllocator *self)
{
  list_places (self);
  fill_pools (self);
}

void
stria_allocator_tell_places (StriaAllocator *self, StriaNotices *notices, const char *file)
{
  const guint64 n_lost = self->stream_index.n_lost + self->pool_index.n_lost;

  if (n_lost > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "too-many-streams-or-pools", file, -1,
                         n_lost,
                         _("There are more streams or pools than can be told apart; what is of one "
                           "more is shown on the default stream, or in no known pool"));
  if (self->n_absent_segments > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "segment-not-in-snapshot", file, -1,
                         self->n_absent_segments,
                         _("A segment that an event made and none gave back is missing from the "
                           "snapshot's list of segments: events and list disagree about what is "
                           "reserved"));
}
