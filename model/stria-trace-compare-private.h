/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace-compare.h"

G_BEGIN_DECLS

/* Sums of one trace by (category << 32 | name) */
typedef struct
{
  guint64 key;
  guint64 count;
  gint64  total_ns;
  gint64  self_ns;
} StriaCompareSum;

/* Adds the figures of all traces. @spans_given: whether only a part of the time is meant */
gboolean stria_trace_compare_add_figures (StriaTraceCompare *self, StriaCapture *const *captures,
                                          gboolean spans_given, GCancellable *cancellable,
                                          GError **error);

/* What of an event lies inside; FALSE: nothing of it. One without width is inside when its moment
 * is. */
static inline gboolean
stria_compare_clip (const StriaColumns *c, guint64 i, StriaTraceSpan span, gint64 *start,
                    gint64 *end)
{
  if (__builtin_add_overflow (c->start[i], c->dur[i], end))
    *end = G_MAXINT64;
  if (c->dur[i] > 0 ? c->start[i] >= span.t1 || *end <= span.t0
                    : c->start[i] < span.t0 || c->start[i] > span.t1)
    return FALSE;
  *start = MAX (c->start[i], span.t0);
  *end = MIN (*end, span.t1);
  return TRUE;
}

G_END_DECLS
