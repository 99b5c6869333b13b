/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-measure
 *
 * The rules by which measurements become figures. What is measured in one execution is added there
 * first; figures over executions are made of one value an execution. Ticks become milliseconds,
 * cycles stay cycles. Nothing here adds a percentile, a minimum or a maximum.
 */

/* Figures over executions */
typedef struct
{
  guint32 count; /* executions */
  double  total;
  double  mean;
  double  p10, p50, p90;
  double  min, max;
} StriaSummary;

/* @sorted: ascending. @percent: 0..100. Linear interpolation between the closest ranks: position
 * @percent / 100 × (@n - 1). NaN if there is no value. */
double      stria_measure_percentile (const double *sorted, gsize n, double percent);
/* FALSE if there is no value */
gboolean    stria_measure_summarise  (const double *values, gsize n, StriaSummary *summary);
double      stria_summary_get        (const StriaSummary *summary, StriaAggregation aggregation);

/* Unit in which ticks of @source are shown: "ms", or "cycles" for cycles, which are no time. */
const char *stria_measure_unit       (StriaTimeUnit source);
/* @ticks of @source in stria_measure_unit() */
double      stria_measure_scale      (StriaTimeUnit source, double ticks);
/* Whether figures of independent parts may be added: sums and counts. Means may where all parts
 * were measured in the same executions (stria_series_combine()); percentiles, minimum and maximum
 * never. */
gboolean    stria_measure_is_additive (StriaAggregation aggregation);

/**
 * StriaSeries:
 *
 * What was measured on one thing: at most one 64-bit value for each execution. Integers, so that
 * adding loses nothing. One thread at a time, also for those who only read.
 */
typedef struct _StriaSeries StriaSeries;

typedef enum
{
  STRIA_COMBINE_OK,
  STRIA_COMBINE_EMPTY,    /* nothing was measured */
  STRIA_COMBINE_COVERAGE, /* the parts were measured in different executions */
  STRIA_COMBINE_OVERFLOW, /* more than 64 bits */
} StriaCombine;

StriaSeries *stria_series_new      (guint32 n_executions);
void         stria_series_free     (StriaSeries *self);
/* Adds within the execution. An overflow is remembered: stria_series_state(). */
void         stria_series_add      (StriaSeries *self, guint32 execution, guint64 value);
gboolean     stria_series_get      (const StriaSeries *self, guint32 execution, guint64 *value);
/* The value number @i, in the order of executions */
guint64      stria_series_nth      (const StriaSeries *self, guint32 i);
/* Values that were added to one that was there */
guint64      stria_series_repeats  (const StriaSeries *self);
/* Executions that have a value */
guint32      stria_series_coverage (const StriaSeries *self);
/* STRIA_COMBINE_OK, STRIA_COMBINE_EMPTY or STRIA_COMBINE_OVERFLOW */
StriaCombine stria_series_state    (const StriaSeries *self);
gboolean     stria_series_same_coverage (const StriaSeries *a, const StriaSeries *b);
/* Adds @parts within each execution to @self, which is empty, if they have the same coverage. */
StriaCombine stria_series_combine  (StriaSeries *self, StriaSeries *const *parts, gsize n);
/* Figures over the executions; each value is scaled as ticks of @source */
StriaCombine stria_series_summarise (const StriaSeries *self, StriaTimeUnit source,
                                     StriaSummary *summary);
/* Returns: (transfer full) (nullable): why there is no figure; NULL for STRIA_COMBINE_OK */
char        *stria_combine_reason  (StriaCombine state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSeries, stria_series_free)

G_END_DECLS
