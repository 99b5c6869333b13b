/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-match.h"
#include "stria-trace-compare.h"

G_BEGIN_DECLS

/* What a comparison's page has done on workers */

/* @spans: (nullable). The result is a #StriaTraceCompare, for g_task_propagate_pointer(). */
void stria_trace_compare_run (GPtrArray *captures, const StriaTraceSpan *spans,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data);

/**
 * StriaComparedEvents:
 * @matches: (nullable): by trace, the events of the row
 * @counts: by trace, how many they are
 * @ordinal: number of the event that was asked about among those of its trace, from 1; 0: it is none
 * @times: by trace, start of the event of that number
 * @has: by trace, whether there is one
 */
typedef struct
{
  guint       n;
  StriaMatch *matches[STRIA_TRACE_COMPARE_MAX];
  guint       counts[STRIA_TRACE_COMPARE_MAX];
  guint       ordinal;
  gint64      times[STRIA_TRACE_COMPARE_MAX];
  gboolean    has[STRIA_TRACE_COMPARE_MAX];
} StriaComparedEvents;

/* Finds the events of a row in all traces, and those that have the number of @ref in its trace, or
 * number @ordinal where @ref is none. The result is a #StriaComparedEvents. */
void stria_trace_compare_find_events (StriaTraceCompare *compare, const StriaTraceRow *row,
                                      guint trace, StriaRef ref, guint ordinal,
                                      GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);
void stria_compared_events_free      (StriaComparedEvents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaComparedEvents, stria_compared_events_free)

G_END_DECLS
