/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * StriaStatsRow:
 * @key: string id of the name, or category index
 * @count: slices that overlap the range
 * @total_ns: sum of their durations inside the range
 * @self_ns: @total_ns less that of their direct children
 * @share: @total_ns over the range's length; above 1 where slices run at once
 * @min_ns: least whole duration; @max_ns: greatest; @mean_ns: mean of whole durations
 * @p50_ns: median of whole durations (nearest rank); @p95_ns: 95th percentile
 *
 * Percentiles are exact. They are -1 until stria_stats_percentiles() has run.
 */
typedef struct
{
  guint32 key;
  guint64 count;
  gint64  total_ns;
  gint64  self_ns;
  double  share;
  gint64  min_ns;
  gint64  max_ns;
  double  mean_ns;
  gint64  p50_ns;
  gint64  p95_ns;
} StriaStatsRow;

/* What a selection of the timeline holds. @by_name and @by_category are ordered by total, greatest
 * first. */
typedef struct
{
  gint64  start_ns;
  gint64  end_ns;
  guint32 n_lanes;
  guint64 n_slices;
  guint64 n_instants;
  GArray *by_name;     /* StriaStatsRow */
  GArray *by_category; /* StriaStatsRow */
} StriaStats;

/**
 * stria_stats_new:
 * @lanes: (array length=n_lanes) (nullable): lane numbers, or NULL for all
 *
 * Loads the lanes it needs. Uses all cores for large selections.
 */
StriaStats *stria_stats_new         (StriaTrace *trace, const guint32 *lanes, gsize n_lanes,
                                     gint64 start_ns, gint64 end_ns,
                                     GCancellable *cancellable, GError **error);
gboolean    stria_stats_percentiles (StriaStats *self, StriaTrace *trace, const guint32 *lanes,
                                     gsize n_lanes, GCancellable *cancellable, GError **error);
void        stria_stats_free        (StriaStats *self);
/* The table as CSV text (RFC 4180, C locale, nanoseconds). */
char       *stria_stats_to_csv      (StriaStats *self, StriaTrace *trace, gboolean by_category);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaStats, stria_stats_free)

G_END_DECLS
