/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-match-private.h"

typedef struct
{
  gint64 start;
  gint64 end;
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *left = a;
  const Span *right = b;

  return left->start < right->start ? -1 : left->start > right->start;
}

static gint64
added (gint64 a, gint64 b)
{
  gint64 sum = 0;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

/* Spans of a row that touch become one: rows are in time order, so few are left. */
static void
add_row (const StriaMatchLane *at, StriaLane *lane, guint32 row, StriaMatchSums *sums,
         GArray *spans)
{
  const StriaColumns *c = &lane->body->columns;
  guint64 begin = 0, end = 0;
  guint first = spans->len;

  stria_lane_get_row (lane, row, &begin, &end);
  for (guint64 e = begin; e < end; e++)
    {
      Span span;
      Span *last = NULL;

      if (!stria_match_lane_event (at, c, e))
        continue;
      sums->count++;
      if (c->dur == NULL || c->dur[e] <= 0)
        continue;
      span = (Span){ c->start[e], added (c->start[e], c->dur[e]) };
      sums->summed_ns = added (sums->summed_ns, c->dur[e]);
      last = spans->len > first ? &g_array_index (spans, Span, spans->len - 1) : NULL;
      if (last != NULL && span.start <= last->end)
        last->end = MAX (last->end, span.end);
      else
        g_array_append_val (spans, span);
    }
}

/**
 * stria_match_measure:
 * @sums: (out): count and durations of all that matches
 *
 * Returns: %FALSE with @error if it was cancelled or a lane could not be read
 */
gboolean
stria_match_measure (StriaMatch *self, StriaMatchSums *sums, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
  gint64 end = G_MININT64;

  *sums = (StriaMatchSums){ 0 };
  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, i);
      StriaMatchLane at;

      if (lane->body->kind == STRIA_LANE_COUNTER)
        continue;
      stria_match_lane (self, lane, &at);
      if (at.by_event && at.events == NULL)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !stria_lane_load (lane, cancellable, error))
        return FALSE;
      for (guint32 row = 0; row < lane->body->n_rows; row++)
        add_row (&at, lane, row, sums, spans);
    }
  g_array_sort (spans, compare_spans);
  for (guint i = 0; i < spans->len; i++)
    {
      const Span *span = &g_array_index (spans, Span, i);

      if (span->end <= end)
        continue;
      sums->merged_ns += span->end - MAX (span->start, end);
      end = span->end;
    }
  return TRUE;
}
