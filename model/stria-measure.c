/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-measure.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct
{
  guint64 value;
  guint32 execution;
} Sample;

/* Only what is there takes memory: a dump may name as many executions and things as it has bytes.
 */
struct _StriaSeries
{
  guint32 n; /* executions */
  gboolean overflow;
  gboolean unsettled; /* samples are as they came */
  guint64 n_added;
  GArray *samples; /* Sample; once settled by execution, each once */
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
  self->samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  return self;
}

void
stria_series_free (StriaSeries *self)
{
  g_array_unref (self->samples);
  g_free (self);
}

static Sample *
nth (const StriaSeries *self, guint32 i)
{
  return &g_array_index (self->samples, Sample, i);
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Sample *x = a;
  const Sample *y = b;

  return x->execution < y->execution ? -1 : x->execution > y->execution;
}

/* Executions nearly always come in their order; a file that has them in another makes one sort. */
static const GArray *
settled (const StriaSeries *const_self)
{
  StriaSeries *self = (StriaSeries *) const_self;
  guint32 n = 0;

  if (!self->unsettled)
    return self->samples;
  g_array_sort (self->samples, compare_samples);
  for (guint32 i = 0; i < self->samples->len; i++)
    {
      if (n == 0 || nth (self, n - 1)->execution != nth (self, i)->execution)
        *nth (self, n++) = *nth (self, i);
      else if (!g_uint64_checked_add (&nth (self, n - 1)->value, nth (self, n - 1)->value,
                                      nth (self, i)->value))
        self->overflow = TRUE;
    }
  g_array_set_size (self->samples, n);
  self->unsettled = FALSE;
  return self->samples;
}

void
stria_series_add (StriaSeries *self, guint32 execution, guint64 value)
{
  const Sample sample = { value, execution };
  Sample *last = self->samples->len > 0 ? nth (self, self->samples->len - 1) : NULL;

  g_return_if_fail (execution < self->n);
  self->n_added++;
  if (last == NULL || last->execution != execution)
    {
      self->unsettled = self->unsettled || (last != NULL && last->execution > execution);
      g_array_append_val (self->samples, sample);
    }
  else if (!g_uint64_checked_add (&last->value, last->value, value))
    self->overflow = TRUE;
}

gboolean
stria_series_get (const StriaSeries *self, guint32 execution, guint64 *value)
{
  const GArray *samples = settled (self);
  const Sample wanted = { 0, execution };
  guint at;

  if (!g_array_binary_search ((GArray *) samples, &wanted, compare_samples, &at))
    return FALSE;
  *value = nth (self, at)->value;
  return TRUE;
}

guint64
stria_series_nth (const StriaSeries *self, guint32 i)
{
  g_return_val_if_fail (i < settled (self)->len, 0);
  return nth (self, i)->value;
}

guint64
stria_series_repeats (const StriaSeries *self)
{
  return self->n_added - settled (self)->len;
}

guint32
stria_series_coverage (const StriaSeries *self)
{
  return settled (self)->len;
}

StriaCombine
stria_series_state (const StriaSeries *self)
{
  if (settled (self)->len == 0)
    return STRIA_COMBINE_EMPTY;
  return self->overflow ? STRIA_COMBINE_OVERFLOW : STRIA_COMBINE_OK;
}

gboolean
stria_series_same_coverage (const StriaSeries *a, const StriaSeries *b)
{
  if (a->n != b->n || settled (a)->len != settled (b)->len)
    return FALSE;
  for (guint32 i = 0; i < a->samples->len; i++)
    if (nth (a, i)->execution != nth (b, i)->execution)
      return FALSE;
  return TRUE;
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
    for (guint32 s = 0; s < parts[i]->samples->len; s++)
      stria_series_add (self, nth (parts[i], s)->execution, nth (parts[i], s)->value);
  return stria_series_state (self);
}

StriaCombine
stria_series_summarise (const StriaSeries *self, StriaTimeUnit source, StriaSummary *summary)
{
  StriaCombine state = stria_series_state (self);
  guint32 n = settled (self)->len;
  guint64 total = 0;

  *summary = (StriaSummary){ 0 };
  if (state != STRIA_COMBINE_OK)
    return state;
  g_autofree double *values = g_new (double, n);
  for (guint32 i = 0; i < n; i++)
    {
      if (!g_uint64_checked_add (&total, total, nth (self, i)->value))
        return STRIA_COMBINE_OVERFLOW;
      values[i] = stria_measure_scale (source, (double) nth (self, i)->value);
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
