/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-lane
 *
 * A lane is what the timeline stacks: the slices of one thread, stream or queue, the samples of a
 * counter, or instants. Its events stand in columns, *row by row* (row = nesting depth), and within
 * a row by start time. Within a row no event starts before the one before it; one that ends after
 * the next starts is drawn up to there (only clock rounding does that: other overlaps were given
 * lanes of their own).
 *
 * A lane is immutable once published. Its columns may be loaded late: call stria_lane_load() on a
 * worker, or check stria_lane_is_loaded().
 */

typedef enum
{
  STRIA_LANE_SLICES,      /* nested slices of a thread or stream */
  STRIA_LANE_ANNOTATIONS, /* user annotations that did not nest in their thread */
  STRIA_LANE_OVERFLOW,    /* slices that partly overlap others of their thread */
  STRIA_LANE_ASYNC,       /* slices without a thread, packed into rows */
  STRIA_LANE_INSTANTS,
  STRIA_LANE_COUNTER,
} StriaLaneKind;

/**
 * StriaColumns:
 * @n: number of events
 * @start: nanoseconds, as the artifact counts
 * @dur: nanoseconds, true duration (not clipped); NULL in counters and instants
 * @value: counters only
 * @name: string id of the capture
 * @category: index into the capture's categories
 * @flags: #StriaEventFlags
 * @seq: number of the event in its file
 * @parent: index of the enclosing event in this lane, or G_MAXUINT32
 * @args: reference for stria_args_get() of the lane's artifact, or STRIA_NO_ARGS
 * @correlation: (nullable): 0 = none
 * @external: (nullable): 0 = none
 * @python: (nullable): Python call id, 0 = none
 */
typedef struct
{
  guint64  n;
  gint64  *start;
  gint64  *dur;
  double  *value;
  guint32 *name;
  guint16 *category;
  guint16 *flags;
  guint32 *seq;
  guint32 *parent;
  guint64 *args;
  guint64 *correlation;
  guint64 *external;
  guint64 *python;
} StriaColumns;

typedef struct _StriaLane StriaLane;

/* An event of a capture: lane and index in its columns. */
typedef struct
{
  guint32 lane;  /* index in the trace's lanes; G_MAXUINT32 = no event */
  guint32 index;
} StriaRef;

#define STRIA_REF_NONE ((StriaRef){ G_MAXUINT32, G_MAXUINT32 })
static inline gboolean
stria_ref_is_none (StriaRef ref)
{
  return ref.lane == G_MAXUINT32;
}
static inline gboolean
stria_ref_equal (StriaRef a, StriaRef b)
{
  return a.lane == b.lane && a.index == b.index;
}

StriaLane          *stria_lane_ref        (StriaLane *self);
void                stria_lane_unref      (StriaLane *self);

StriaLaneKind       stria_lane_get_kind   (StriaLane *self);
/* "thread 12 (python)", "stream 7"; never empty */
const char         *stria_lane_get_name   (StriaLane *self);
guint32             stria_lane_get_process(StriaLane *self);
/* Number of the artifact whose args and times these are */
guint32             stria_lane_get_artifact (StriaLane *self);
/* The thread's id as the file writes it */
const char         *stria_lane_get_key    (StriaLane *self);
guint32             stria_lane_get_n_rows (StriaLane *self);
guint64             stria_lane_get_n_events (StriaLane *self);
/* Events of row @row are [*begin, *end) in the columns */
void                stria_lane_get_row    (StriaLane *self, guint32 row, guint64 *begin, guint64 *end);
guint32             stria_lane_row_of     (StriaLane *self, guint64 index);
/* Earliest start and latest end; FALSE if the lane has no event */
gboolean            stria_lane_get_range  (StriaLane *self, gint64 *start_ns, gint64 *end_ns);
/* Least and greatest value of a counter */
void                stria_lane_get_value_range (StriaLane *self, double *min, double *max);
/* "B", "GB/s" or NULL when the file does not say */
const char         *stria_lane_get_unit   (StriaLane *self);
/* Id of the lane's first event in the store's `slice`, `instant` or `sample` table */
guint64             stria_lane_get_first_id (StriaLane *self);

gboolean            stria_lane_is_loaded  (StriaLane *self);
gboolean            stria_lane_load       (StriaLane *self, GCancellable *cancellable, GError **error);
/* Returns: (transfer none) (nullable): the columns, NULL until loaded */
const StriaColumns *stria_lane_get_columns (StriaLane *self);

/* End of an event as drawn: its true end, or the start of the next one in its row or the end of its
 * parent if that is earlier (clock rounding). */
gint64              stria_lane_drawn_end  (StriaLane *self, guint64 index);
/* Duration less that of the direct children, in nanoseconds */
gint64              stria_lane_self_ns    (StriaLane *self, guint64 index);
/* First child .. one past last child in row+1; equal when there are none */
void                stria_lane_children   (StriaLane *self, guint64 index, guint64 *begin, guint64 *end);

/* The event of @row at time @ns (within @slack_ns of an event without width), or G_MAXUINT64 */
guint64             stria_lane_find       (StriaLane *self, guint32 row, gint64 ns, gint64 slack_ns);
/* First event of a row that ends after @ns (or starts at or after it); may be the row's end */
guint64             stria_lane_lower_bound (StriaLane *self, guint32 row, gint64 ns);
/* Busy nanoseconds (drawn, so never above t1-t0) of a row in [t0, t1) */
gint64              stria_lane_busy_ns    (StriaLane *self, guint32 row, gint64 t0, gint64 t1);
/* Counter: last sample at or before @ns, or G_MAXUINT64 */
guint64             stria_lane_sample_at  (StriaLane *self, gint64 ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaLane, stria_lane_unref)

G_END_DECLS
