/* SPDX-License-Identifier: Apache-2.0 */
/* From one match to the next: matches are in the order of their times, then lanes, then indices, and
 * are never put into that order: each row is, so the next one is the nearest of those of all rows. */
#include "config.h"

#include "stria-match-private.h"
#include "stria-parallel.h"

/* A place in that order */
typedef struct
{
  gint64  start;
  guint32 lane;
  guint64 index;
} Place;

static gboolean
is_before (const Place *a, const Place *b)
{
  if (a->start != b->start)
    return a->start < b->start;
  if (a->lane != b->lane)
    return a->lane < b->lane;
  return a->index < b->index;
}

static guint64
first_from (const gint64 *start, guint64 low, guint64 high, gint64 ns)
{
  while (low < high)
    {
      const guint64 mid = low + (high - low) / 2;

      if (start[mid] < ns)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

/* The first event of a row that is not before @place */
static guint64
cut_row (const StriaLaneBody *body, guint32 lane, guint32 row, const Place *place)
{
  const gint64 *start = body->columns.start;
  const guint64 end = body->row_begin[row + 1];
  const guint64 from = first_from (start, body->row_begin[row], end, place->start);
  guint64 to = from;

  if (lane > place->lane)
    return from;
  to = place->start == G_MAXINT64 ? end : first_from (start, from, end, place->start + 1);
  return lane < place->lane ? to : CLAMP (place->index, from, to);
}

typedef struct
{
  StriaMatch *match;
  const StriaMatchBits **bits; /* by lane; NULL: none of its events match, or it cannot be read */
} Walk;

static void
prepare_lane (guint i, gpointer data)
{
  Walk *walk = data;
  StriaLane *lane = stria_trace_get_lane (walk->match->trace, i);
  StriaMatchLane at;

  if (lane->body->kind == STRIA_LANE_COUNTER)
    return;
  stria_match_lane (walk->match, lane, &at);
  if ((at.by_event && at.events == NULL) || !stria_lane_load (lane, NULL, NULL))
    return;
  walk->bits[i] = stria_match_get_bits (walk->match, lane);
}

/* The first match that is not before @place, or the last one that is. */
static gboolean
nearest (const Walk *walk, const Place *place, gboolean forward, Place *found)
{
  gboolean any = FALSE;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (walk->match->trace); l++)
    {
      const StriaLaneBody *body = stria_trace_get_lane (walk->match->trace, l)->body;

      for (guint32 row = 0; walk->bits[l] != NULL && row < body->n_rows; row++)
        {
          const guint64 begin = body->row_begin[row], end = body->row_begin[row + 1];
          const guint64 cut = cut_row (body, l, row, place);
          const guint64 i = forward ? stria_match_bits_next (walk->bits[l], cut, end)
                                    : stria_match_bits_previous (walk->bits[l], begin, cut);
          Place here;

          if (i >= end)
            continue;
          here = (Place){ body->columns.start[i], l, i };
          if (!any || (forward ? is_before (&here, found) : is_before (found, &here)))
            *found = here;
          any = TRUE;
        }
    }
  return any;
}

static guint64
count_before (const Walk *walk, const Place *place)
{
  guint64 n = 0;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (walk->match->trace); l++)
    {
      const StriaLaneBody *body = stria_trace_get_lane (walk->match->trace, l)->body;

      for (guint32 row = 0; walk->bits[l] != NULL && row < body->n_rows; row++)
        n += stria_match_bits_rank (walk->bits[l], cut_row (body, l, row, place))
             - stria_match_bits_rank (walk->bits[l], body->row_begin[row]);
    }
  return n;
}

/* Where to look from: behind @from or before it if it is a match, else at the first moment. */
static Place
place_of (const Walk *walk, StriaRef from, gint64 from_ns, gboolean forward)
{
  StriaTrace *trace = walk->match->trace;

  if (!stria_ref_is_none (from) && from.lane < stria_trace_get_n_lanes (trace))
    {
      StriaLane *lane = stria_trace_get_lane (trace, from.lane);

      if (stria_lane_is_loaded (lane) && from.index < lane->body->columns.n)
        {
          from_ns = lane->body->columns.start[from.index];
          if (walk->bits[from.lane] != NULL
              && stria_match_event (walk->match, lane, from.index))
            return (Place){ from_ns, from.lane, (guint64) from.index + (forward ? 1 : 0) };
        }
    }
  return (Place){ from_ns, 0, 0 };
}

/**
 * stria_match_next:
 * @from: the current event, or %STRIA_REF_NONE to start at @from_ns
 * @from_ns: a time
 * @forward: direction
 * @ordinal: (out) (nullable): number of the answer among the matches by time, from 1
 *
 * The first call for a match looks at all events once, on all cores; later ones are searches in
 * what that found.
 */
StriaRef
stria_match_next (StriaMatch *self, StriaRef from, gint64 from_ns, gboolean forward,
                  guint64 *ordinal)
{
  const guint32 n = stria_trace_get_n_lanes (self->trace);
  g_autofree const StriaMatchBits **bits = g_new0 (const StriaMatchBits *, MAX (n, 1));
  Walk walk = { self, bits };
  Place place, found;

  if (ordinal != NULL)
    *ordinal = 0;
  if (self->n_events + self->n_by_args == 0)
    return STRIA_REF_NONE;
  stria_parallel (n, g_atomic_int_get (&self->is_prepared), prepare_lane, &walk);
  g_atomic_int_set (&self->is_prepared, TRUE);
  place = place_of (&walk, from, from_ns, forward);
  if (!nearest (&walk, &place, forward, &found))
    {
      /* Round again from the other end */
      place = forward ? (Place){ G_MININT64, 0, 0 } : (Place){ G_MAXINT64, G_MAXUINT32, 0 };
      if (!nearest (&walk, &place, forward, &found))
        return STRIA_REF_NONE;
    }
  if (ordinal != NULL)
    *ordinal = count_before (&walk, &found) + 1;
  return (StriaRef){ found.lane, (guint32) found.index };
}
