/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-capture.h"
#include "stria-coloring.h"
#include "stria-match.h"
#include "stria-paint-size.h"
#include "stria-time-marks.h"
#include "stria-timeline-layout.h"

G_BEGIN_DECLS

#define STRIA_TIMELINE_MINIMAP_HEIGHT stria_text_px (40.0)
#define STRIA_TIMELINE_RULER_HEIGHT   stria_text_px (24.0)
#define STRIA_TIMELINE_FONT_SIZE      (8.5 * stria_text_get_scale ())

/* What to paint: everything a picture of the timeline depends on. Plain data, so that a worker can
 * have its own copy. */
typedef struct
{
  StriaTrace          *trace;      /* not owned */
  StriaTimelineLayout *layout;     /* not owned */
  StriaMatch          *match;      /* nullable, not owned */
  StriaRef             selection;
  gint64               t0;
  gint64               t1;
  gint64               origin_ns;  /* what the ruler counts from */
  gboolean             dark;
  gboolean             has_range;
  gint64               range_t0;
  gint64               range_t1;
  const guint32       *range_lanes; /* nullable = all lanes, not owned */
  gsize                n_range_lanes;
  StriaTimeMarks      *marks;      /* nullable, not owned: overlay and minimap frame only */
  double               font_size;  /* points */
  gint64               tick_step_ns; /* distance of the grid's lines; 0 = as the width allows */
  StriaColoring       *coloring;   /* nullable = colours by name, not owned */
  GArray              *legend;     /* nullable, not owned: gets a StriaLegendEntry for each colour of
                                    * slices between @label_x0 and @label_x1, largest share first */
  double               label_x0;   /* where labels of slices may begin, for pictures wider than */
  double               label_x1;   /* what is seen of them; both 0 = anywhere */
} StriaTimelineView;

/* How much of what is drawn has a colour. */
typedef struct
{
  guint32 key;   /* of the view's colouring; without one a string id */
  guint32 argb;
  double  share; /* of the pixels that slices take, 0..1 */
} StriaLegendEntry;

/* Lanes only, scrolled by @scroll_y, into [0,width) x [0,height) of @cr. No headers, no ruler, no
 * overlays. @pinned: the pinned lanes instead of the scrolled ones. The display lists of large
 * pictures are made on all cores. Lanes that are not loaded are loaded first. */
void stria_timeline_paint_lanes   (cairo_t *cr, const StriaTimelineView *view, double width,
                                   double height, double scroll_y, gboolean pinned);
void stria_timeline_paint_headers (cairo_t *cr, const StriaTimelineView *view, double width,
                                   double height, double scroll_y, gboolean pinned);
void stria_timeline_paint_ruler   (cairo_t *cr, const StriaTimelineView *view, double width, double height);
/* Selected range, outline of the selected event, and arrows of its flows. The area begins at the
 * top of the pinned lanes; the scrolled ones follow below them. */
void stria_timeline_paint_overlay (cairo_t *cr, const StriaTimelineView *view, double width,
                                   double height, double scroll_y);
/* What stands above the headers: how much time is seen. @height: of minimap and ruler together */
void stria_timeline_paint_corner  (cairo_t *cr, const StriaTimelineView *view, double width,
                                   double height);
/* Density of the whole trace with the visible range framed */
void stria_timeline_paint_minimap (cairo_t *cr, const StriaTimelineView *view, double width, double height);
/* The two halves of it: what changes with the trace, and what changes with the view */
void stria_timeline_paint_minimap_density (cairo_t *cr, const StriaTimelineView *view, double width,
                                           double height);
void stria_timeline_paint_minimap_frame (cairo_t *cr, const StriaTimelineView *view, double width,
                                         double height);
/* All of it composed, as the window shows it: for files and tests */
void stria_timeline_paint         (cairo_t *cr, const StriaTimelineView *view, double width, double height);

/* While nothing is sorted yet: how busy each lane is as far as was read. @header: width of the
 * names' column */
void stria_timeline_paint_preview (cairo_t *cr, const StriaPreview *preview, gboolean dark,
                                   double font_size, double header, double width, double height);

/* Step of ruler and grid at this width */
gint64 stria_timeline_tick_step   (const StriaTimelineView *view, double width);
/* What the minimap shows from edge to edge */
void stria_timeline_minimap_range (const StriaTimelineView *view, gint64 *t0, gint64 *t1);

/* The event under a point of the lanes' area, or STRIA_REF_NONE. */
StriaRef stria_timeline_hit       (const StriaTimelineView *view, double width, double scroll_y,
                                   double x, double y, gboolean pinned);
/* Where an event stands: FALSE if its lane is hidden or collapsed away. @y counts from the top of
 * the scrolled (or, if its lane is pinned, of the pinned) area. */
gboolean stria_timeline_locate    (const StriaTimelineView *view, double width, StriaRef ref,
                                   double *x, double *y, double *w, double *h);

G_END_DECLS
