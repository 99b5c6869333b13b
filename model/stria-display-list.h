/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-match.h"
#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * StriaDrawRecord:
 * @x0: left edge in pixels from the left of the view, already snapped
 * @x1: right edge, > @x0
 * @row: nesting depth
 * @name: string id to colour by: the event's own, or that of the longest one in a dense pixel
 * @event: index in the lane: the event, or the longest one of a dense pixel
 * @count: events in it; 1 = a whole event of its own, drawn with a label if it fits
 * @busy: exact busy share of the pixels, 0..255; 255 for events of a pixel or more
 * @match: whether an event in it matches the search (TRUE where there is no search)
 *
 * At most one record begins at a pixel of a row. Neighbouring dense pixels are not merged when name
 * or busy share differ.
 */
typedef struct
{
  gint32  x0;
  gint32  x1;
  guint32 row;
  guint32 name;
  guint32 event;
  guint32 count;
  guint8  busy;
  guint8  match;
} StriaDrawRecord;

/* A counter's pixel column: least, greatest and time-weighted mean value in it, and the value at
 * its right edge; @valid is FALSE before the first sample. */
typedef struct
{
  double   min;
  double   max;
  double   mean;
  double   last;
  gboolean valid;
} StriaCounterColumn;

/**
 * stria_display_list_slices:
 * @lane: a loaded lane of any kind but counters
 * @row0: first row to draw
 * @row1: one past the last row to draw
 * @t0: left edge of the view in nanoseconds
 * @t1: right edge; > @t0
 * @width: pixels across
 * @match: (nullable): search to mark
 * @out: (element-type StriaDrawRecord): records are appended, row by row, left to right
 *
 * The geometry of the visible part of a lane; O(pixels * log events).
 */
void stria_display_list_slices  (StriaLane *lane, guint32 row0, guint32 row1, gint64 t0, gint64 t1,
                                 gint32 width, StriaMatch *match, GArray *out);
/* @out has @width elements */
void stria_display_list_counter (StriaLane *lane, gint64 t0, gint64 t1, gint32 width,
                                 StriaCounterColumn *out);

/* The one mapping of time to pixels, used by lists, painters and hit tests alike. */
static inline double
stria_time_to_x (gint64 ns, gint64 t0, gint64 t1, double width)
{
  return (double) (ns - t0) * width / (double) (t1 - t0);
}
static inline gint64
stria_x_to_time (double x, gint64 t0, gint64 t1, double width)
{
  return t0 + (gint64) (x * (double) (t1 - t0) / width);
}

G_END_DECLS
