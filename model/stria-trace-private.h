/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-tree.h"
#include "stria-lane-private.h"
#include "stria-sort.h"
#include "stria-table.h"
#include "stria-trace.h"

G_BEGIN_DECLS

#define STRIA_OVERVIEW_BINS 4096

typedef GArray *(*StriaFlowLoader) (gpointer user_data, GError **error); /* of StriaFlow */

/* Links of one kind in one artifact, by key; made when first asked for. */
typedef struct
{
  StriaSortPair *pairs; /* value: number of the event among all of the trace */
  gsize n;
  gboolean built;
} StriaLinkIndex;

typedef struct _StriaTraceRows StriaTraceRows;

struct _StriaTrace
{
  gatomicrefcount refs;
  GPtrArray *lanes;      /* StriaLane */
  GArray *processes;     /* StriaProcess */
  GPtrArray *categories; /* utf8 */
  StriaStrings *strings;
  GPtrArray *args;       /* StriaArgs or NULL, by artifact */
  GPtrArray *snapshots;  /* StriaSnapshotData of the same capture; NULL = none */
  GPtrArray *tables;     /* StriaTable of the same capture; NULL = none */
  StriaCaptureTree *tree; /* or NULL */
  guint64 *name_counts;
  guint32 n_name_counts;
  guint64 n_events;
  guint64 unbound_flows;
  gboolean has_range;
  gint64 start_ns, end_ns;
  gint64 view_start_ns, view_end_ns;
  gboolean has_wall;
  gint64 wall_ns;

  GMutex mutex; /* everything below, which is made when asked for */
  GArray *flows; /* sorted by from */
  guint32 *flows_by_to;
  StriaFlowLoader flow_loader;
  gpointer flow_loader_data;
  GDestroyNotify flow_loader_destroy;
  gsize n_artifacts;
  StriaLinkIndex (*links)[3];
  guint64 *lane_first; /* n_lanes + 1 */
  float *overview;

  GMutex rows_mutex;
  StriaTraceRows *rows; /* of a table, loaded last */
};

StriaTrace *stria_trace_new (void);
/* Clear function of arrays of #StriaProcess */
void stria_process_clear (gpointer data);
/* Lanes and counts are in place: finds the ranges. */
void stria_trace_finish (StriaTrace *self);
/* stria-trace-range.c: the range to show first. There is a range. */
void stria_trace_find_view_range (StriaTrace *self);

/* The row of a table that an event of @lane stands for, as JSON: members are the columns with their
 * units. NULL without @error: the lane is of no table. Any thread. */
GBytes *stria_trace_get_row   (StriaTrace *self, StriaLane *lane, guint32 seq, GError **error);
/* Each column of that row, with its place @row in @data. FALSE without @error: there is no such row */
typedef void (*StriaTraceCellFunc) (const StriaColumnInfo *info, const StriaColumnData *data,
                                    guint32 row, gpointer user_data);
gboolean stria_trace_visit_row (StriaTrace *self, StriaLane *lane, guint32 seq,
                                StriaTraceCellFunc func, gpointer user_data, GError **error);
void    stria_trace_rows_free (StriaTraceRows *self);

G_END_DECLS
