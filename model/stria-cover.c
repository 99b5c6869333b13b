/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-cover.h"

/* Spans after which those that are there are put together */
#define COMPACT_AT (1u << 20)

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const StriaSpan *x = a;
  const StriaSpan *y = b;

  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  return x->t1 < y->t1 ? -1 : x->t1 > y->t1;
}

static gboolean
is_sorted (const GArray *spans)
{
  for (guint i = 1; i < spans->len; i++)
    if (g_array_index (spans, StriaSpan, i).t0 < g_array_index (spans, StriaSpan, i - 1).t0)
      return FALSE;
  return TRUE;
}

static void
merge (GArray *spans)
{
  guint n = 0;

  if (spans->len == 0)
    return;
  if (!is_sorted (spans))
    g_array_sort (spans, compare_spans);
  for (guint i = 1; i < spans->len; i++)
    {
      const StriaSpan span = g_array_index (spans, StriaSpan, i);
      StriaSpan *last = &g_array_index (spans, StriaSpan, n);

      if (span.t0 <= last->t1)
        last->t1 = MAX (last->t1, span.t1);
      else
        g_array_index (spans, StriaSpan, ++n) = span;
    }
  g_array_set_size (spans, n + 1);
}

void
stria_cover_add (StriaCover *self, gint64 t0, gint64 t1)
{
  const StriaSpan span = { t0, t1 };

  g_return_if_fail (self->sums == NULL);

  if (t1 <= t0)
    return;
  if (self->spans == NULL)
    self->spans = g_array_new (FALSE, FALSE, sizeof (StriaSpan));
  if (self->spans->len > 0)
    {
      StriaSpan *last = &g_array_index (self->spans, StriaSpan, self->spans->len - 1);

      /* The usual case: the next one of a lane, which touches the one before */
      if (t0 >= last->t0 && t0 <= last->t1)
        {
          last->t1 = MAX (last->t1, t1);
          return;
        }
    }
  g_array_append_val (self->spans, span);
  if (self->spans->len >= COMPACT_AT && (self->spans->len & (self->spans->len - 1)) == 0)
    merge (self->spans);
}

void
stria_cover_seal (StriaCover *self)
{
  gint64 sum = 0;

  if (self->sums != NULL)
    return;
  if (self->spans == NULL)
    self->spans = g_array_new (FALSE, FALSE, sizeof (StriaSpan));
  merge (self->spans);
  self->sums = g_array_sized_new (FALSE, FALSE, sizeof (gint64), self->spans->len);
  for (guint i = 0; i < self->spans->len; i++)
    {
      const StriaSpan *span = &g_array_index (self->spans, StriaSpan, i);

      g_array_append_val (self->sums, sum);
      sum += span->t1 - span->t0;
    }
}

/* Covered before @ns */
static gint64
before (const StriaCover *self, gint64 ns)
{
  guint low = 0;
  guint high = self->spans->len;
  const StriaSpan *span = NULL;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (self->spans, StriaSpan, middle).t0 < ns)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  span = &g_array_index (self->spans, StriaSpan, low - 1);
  return g_array_index (self->sums, gint64, low - 1) + MIN (ns, span->t1) - span->t0;
}

gint64
stria_cover_ns (const StriaCover *self, gint64 t0, gint64 t1)
{
  g_return_val_if_fail (self->sums != NULL, 0);

  return t1 > t0 ? before (self, t1) - before (self, t0) : 0;
}

guint
stria_cover_size (const StriaCover *self)
{
  return self->spans != NULL ? self->spans->len : 0;
}

void
stria_cover_clear (StriaCover *self)
{
  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->sums, g_array_unref);
}
