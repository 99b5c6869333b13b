/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-measure.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _StriaSeries
{
  guint32 n;
  guint32 coverage;
  gboolean overflow;
  guint64 *values;
  guint8 *present;
};

/**
 * stria_measure_percentile:
 *
 * [CODE: ET devtools/inspector/_inspector.py] the percentile of numpy's default.
 *
 * Returns: the value, or NaN
 */
double
stria_measure_percentile (const double *sorted, gsize n, double percent)
{
  if (n == 0)
    return NAN;
  double position = CLAMP (percent, 0, 100) / 100 * (double) (n - 1);
  gsize below = MIN ((gsize) position, n - 1);
  gsize above = MIN (below + 1, n - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - (double) below);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

gboolean
stria_measure_summarise (const double *values, gsize n, StriaSummary *summary)
{
  *summary = (StriaSummary){ 0 };
  if (n == 0)
    return FALSE;

  g_autofree double *sorted = g_memdup2 (values, n * sizeof *values);
  qsort (sorted, n, sizeof *sorted, compare_doubles);
  summary->count = (guint32) MIN (n, G_MAXUINT32);
  for (gsize i = 0; i < n; i++)
    summary->total += sorted[i];
  summary->mean = summary->total / (double) n;
  summary->p10 = stria_measure_percentile (sorted, n, 10);
  summary->p50 = stria_measure_percentile (sorted, n, 50);
  summary->p90 = stria_measure_percentile (sorted, n, 90);
  summary->min = sorted[0];
  summary->max = sorted[n - 1];
  /* Equal values have that mean, whatever adding them rounds. */
  if (summary->min >= summary->max)
    summary->mean = summary->min;
  return TRUE;
}

double
stria_summary_get (const StriaSummary *summary, StriaAggregation aggregation)
{
  switch (aggregation)
    {
    case STRIA_AGGREGATION_SUM:
      return summary->total;
    case STRIA_AGGREGATION_MEAN:
      return summary->mean;
    case STRIA_AGGREGATION_P10:
      return summary->p10;
    case STRIA_AGGREGATION_P50:
      return summary->p50;
    case STRIA_AGGREGATION_P90:
      return summary->p90;
    case STRIA_AGGREGATION_MIN:
      return summary->min;
    case STRIA_AGGREGATION_MAX:
      return summary->max;
    case STRIA_AGGREGATION_COUNT:
      return summary->count;
    case STRIA_N_AGGREGATIONS:
    default:
      return NAN;
    }
}

const char *
stria_measure_unit (StriaTimeUnit source)
{
  return source == STRIA_TIME_CYCLES ? "cycles" : "ms";
}

double
stria_measure_scale (StriaTimeUnit source, double ticks)
{
  switch (source)
    {
    case STRIA_TIME_NS:
      return ticks / 1e6;
    case STRIA_TIME_US:
      return ticks / 1e3;
    case STRIA_TIME_S:
      return ticks * 1e3;
    case STRIA_TIME_MS:
    case STRIA_TIME_CYCLES:
    default:
      return ticks;
    }
}

gboolean
stria_measure_is_additive (StriaAggregation aggregation)
{
  return aggregation == STRIA_AGGREGATION_SUM || aggregation == STRIA_AGGREGATION_COUNT;
}

StriaSeries *
stria_series_new (guint32 n_executions)
{
  StriaSeries *self = g_new0 (StriaSeries, 1);

  self->n = n_executions;
  self->values = g_new0 (guint64, n_executions);
  self->present = g_new0 (guint8, n_executions);
  return self;
}

void
stria_series_free (StriaSeries *self)
{
  g_free (self->values);
  g_free (self->present);
  g_free (self);
}

void
stria_series_add (StriaSeries *self, guint32 execution, guint64 value)
{
  g_return_if_fail (execution < self->n);
  if (!self->present[execution])
    {
      self->present[execution] = 1;
      self->coverage++;
    }
  if (!g_uint64_checked_add (&self->values[execution], self->values[execution], value))
    self->overflow = TRUE;
}

gboolean
stria_series_get (const StriaSeries *self, guint32 execution, guint64 *value)
{
  if (execution >= self->n || !self->present[execution])
    return FALSE;
  *value = self->values[execution];
  return TRUE;
}

guint32
stria_series_coverage (const StriaSeries *self)
{
  return self->coverage;
}

StriaCombine
stria_series_state (const StriaSeries *self)
{
  if (self->coverage == 0)
    return STRIA_COMBINE_EMPTY;
  return self->overflow ? STRIA_COMBINE_OVERFLOW : STRIA_COMBINE_OK;
}

gboolean
stria_series_same_coverage (const StriaSeries *a, const StriaSeries *b)
{
  return a->n == b->n && a->coverage == b->coverage
         && (a->n == 0 || memcmp (a->present, b->present, a->n) == 0);
}

StriaCombine
stria_series_combine (StriaSeries *self, StriaSeries *const *parts, gsize n)
{
  if (n == 0)
    return STRIA_COMBINE_EMPTY;
  for (gsize i = 0; i < n; i++)
    {
      if (!stria_series_same_coverage (parts[i], parts[0]) || parts[i]->n != self->n)
        return STRIA_COMBINE_COVERAGE;
      if (parts[i]->overflow)
        return STRIA_COMBINE_OVERFLOW;
    }
  for (gsize i = 0; i < n; i++)
    for (guint32 e = 0; e < self->n; e++)
      if (parts[i]->present[e])
        stria_series_add (self, e, parts[i]->values[e]);
  return stria_series_state (self);
}

StriaCombine
stria_series_summarise (const StriaSeries *self, StriaTimeUnit source, StriaSummary *summary)
{
  StriaCombine state = stria_series_state (self);
  guint64 total = 0;
  gsize n = 0;

  *summary = (StriaSummary){ 0 };
  if (state != STRIA_COMBINE_OK)
    return state;
  g_autofree double *values = g_new (double, self->coverage);
  for (guint32 e = 0; e < self->n; e++)
    if (self->present[e])
      {
        if (!g_uint64_checked_add (&total, total, self->values[e]))
          return STRIA_COMBINE_OVERFLOW;
        values[n++] = stria_measure_scale (source, (double) self->values[e]);
      }
  stria_measure_summarise (values, n, summary);
  /* From the exact sum: adding what was scaled would round at each step. */
  summary->total = stria_measure_scale (source, (double) total);
  if (summary->min < summary->max)
    summary->mean = summary->total / (double) n;
  return STRIA_COMBINE_OK;
}

char *
stria_combine_reason (StriaCombine state)
{
  switch (state)
    {
    case STRIA_COMBINE_EMPTY:
      return g_strdup (_ ("nothing was measured"));
    case STRIA_COMBINE_COVERAGE:
      return g_strdup (_ ("its parts were measured in different executions"));
    case STRIA_COMBINE_OVERFLOW:
      return g_strdup (_ ("the sum needs more than 64 bits"));
    case STRIA_COMBINE_OK:
    default:
      return NULL;
    }
}
