/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-match-private.h"
#include "stria-parallel.h"
#include "stria-sort.h"

typedef struct
{
  gint64 start;
  gint64 end;
} Span;

/* What one lane has */
typedef struct
{
  StriaMatchSums sums;
  GArray *spans;
  GError *error;
} Part;

typedef struct
{
  StriaMatch *match;
  GCancellable *cancellable;
  Part *parts;
} Measuring;

static gint64
added (gint64 a, gint64 b)
{
  gint64 sum = 0;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

/* Spans of a row that touch become one: rows are in time order, so few are left. */
static void
add_row (const StriaMatchBits *bits, StriaLane *lane, guint32 row, Part *part)
{
  const StriaColumns *c = &lane->body->columns;
  const guint first = part->spans->len;
  guint64 begin = 0, end = 0;

  stria_lane_get_row (lane, row, &begin, &end);
  part->sums.count += stria_match_bits_rank (bits, end) - stria_match_bits_rank (bits, begin);
  if (c->dur == NULL)
    return;
  for (guint64 e = stria_match_bits_next (bits, begin, end); e < end;
       e = stria_match_bits_next (bits, e + 1, end))
    {
      Span span;
      Span *last = NULL;

      if (c->dur[e] <= 0)
        continue;
      span = (Span){ c->start[e], added (c->start[e], c->dur[e]) };
      part->sums.summed_ns = added (part->sums.summed_ns, c->dur[e]);
      last = part->spans->len > first
                 ? &g_array_index (part->spans, Span, part->spans->len - 1)
                 : NULL;
      if (last != NULL && span.start <= last->end)
        last->end = MAX (last->end, span.end);
      else
        g_array_append_val (part->spans, span);
    }
}

static void
measure_lane (guint i, gpointer data)
{
  Measuring *self = data;
  StriaLane *lane = stria_trace_get_lane (self->match->trace, i);
  Part *part = &self->parts[i];
  const StriaMatchBits *bits;
  StriaMatchLane at;

  if (lane->body->kind == STRIA_LANE_COUNTER)
    return;
  stria_match_lane (self->match, lane, &at);
  if (at.by_event && at.events == NULL)
    return;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, &part->error)
      || !stria_lane_load (lane, self->cancellable, &part->error))
    return;
  bits = stria_match_get_bits (self->match, lane);
  part->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  for (guint32 row = 0; row < lane->body->n_rows; row++)
    add_row (bits, lane, row, part);
}

/* Time that spans cover; @pairs: their starts in order, and their places in @spans */
static gint64
merge (const StriaSortPair *pairs, const Span *spans, gsize n)
{
  gint64 end = G_MININT64, merged = 0;

  for (gsize i = 0; i < n; i++)
    {
      const Span *span = &spans[pairs[i].value];

      if (span->end <= end)
        continue;
      merged += span->end - MAX (span->start, end);
      end = span->end;
    }
  return merged;
}

static gint64
merged_time (const Part *parts, guint32 n_parts)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
  g_autofree StriaSortPair *pairs = NULL;

  for (guint32 i = 0; i < n_parts; i++)
    if (parts[i].spans != NULL)
      g_array_append_vals (spans, parts[i].spans->data, parts[i].spans->len);
  pairs = g_new (StriaSortPair, MAX (spans->len, 1));
  for (guint i = 0; i < spans->len; i++)
    pairs[i] = (StriaSortPair){
      (guint64) g_array_index (spans, Span, i).start ^ ((guint64) 1 << 63), i
    };
  stria_sort_pairs (pairs, spans->len);
  return merge (pairs, (const Span *) (gconstpointer) spans->data, spans->len);
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
  const guint32 n = stria_trace_get_n_lanes (self->trace);
  g_autofree Part *parts = g_new0 (Part, MAX (n, 1));
  Measuring measuring = { self, cancellable, parts };
  gboolean good = TRUE;

  *sums = (StriaMatchSums){ 0 };
  stria_parallel (n, self->n_events + self->n_by_args == 0, measure_lane, &measuring);
  for (guint32 i = 0; i < n; i++)
    {
      sums->count += parts[i].sums.count;
      sums->summed_ns = added (sums->summed_ns, parts[i].sums.summed_ns);
      if (parts[i].error != NULL && good)
        g_propagate_error (error, g_steal_pointer (&parts[i].error));
      else if (parts[i].error == NULL)
        continue;
      good = FALSE;
      g_clear_error (&parts[i].error);
    }
  if (good)
    sums->merged_ns = merged_time (parts, n);
  for (guint32 i = 0; i < n; i++)
    g_clear_pointer (&parts[i].spans, g_array_unref);
  return good;
}
