/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-allocator.h"
#include "stria-color.h"
#include "stria-paint-size.h"

G_BEGIN_DECLS

#define STRIA_ALLOC_FONT_SIZE (9.0 * stria_text_get_scale ())

/* What the colour of a block says. */
typedef enum
{
  STRIA_ALLOC_COLOR_STACK,    /* the frame that its stack is known by */
  STRIA_ALLOC_COLOR_SIZE,     /* size class: powers of four */
  STRIA_ALLOC_COLOR_CATEGORY,
  STRIA_ALLOC_COLOR_POOL,
  STRIA_ALLOC_COLOR_STREAM,
  STRIA_N_ALLOC_COLORS,
} StriaAllocColorMode;

/**
 * StriaAllocView:
 * @x0: left edge: a step, or microseconds since the epoch when @by_time
 * @x1: right edge; > @x0
 * @bytes1: top of the plot; 0: as high as what is seen needs
 * @selected: an element (a segment's life when @kind says segments), or %STRIA_NO_ELEMENT
 * @step: the chosen moment, or %G_MAXUINT32 for none
 * @base_step: a second moment to compare with, or %G_MAXUINT32
 * @highlight: (nullable): blocks without this text in their frames stand back
 * @pools: bands of private pools stand below the other blocks, if there are any
 * @left: pixels left of the plot proper, @right: right of it; both 0 for as many as the axis takes.
 *   For a plot that shares the axis of something above it
 * @ooms: (nullable) (element-type guint32): events of kind OOM; NULL: the painter looks for them
 *
 * What a picture of an allocator shows. Plain: whoever paints keeps what it points to alive.
 */
typedef struct
{
  StriaAllocator     *allocator;
  StriaPlotKind       kind;
  gboolean            by_time;
  gint64              x0;
  gint64              x1;
  guint64             bytes0;
  guint64             bytes1;
  StriaAllocColorMode color;
  gboolean            dark;
  guint32             selected;
  guint32             step;
  guint32             base_step;
  const char         *highlight;
  GArray             *ooms;
  gboolean            no_legend;
  gboolean            pools;
  double              left;
  double              right;
  GCancellable       *cancellable;
} StriaAllocView;

/* A view of the whole trace at its peak. @by_time falls back where there are no times. */
void     stria_alloc_view_init     (StriaAllocView *view, StriaAllocator *allocator,
                                    gboolean by_time);
/* Range of the whole trace on the axis of @by_time */
void     stria_alloc_view_extent   (StriaAllocator *allocator, gboolean by_time, gint64 *x0,
                                    gint64 *x1);
/* Where the plot proper stands in a picture of @width by @height */
typedef struct
{
  double x, y, width, height;
  double strip_y;    /* annotations above it */
  double strip_height;
  double legend_x;   /* 0 without a legend */
} StriaAllocFrameBox;
void     stria_alloc_plot_box      (const StriaAllocView *view, double width, double height,
                                    StriaAllocFrameBox *box);
/* Bytes at the top of the plot: @view->bytes1, or what the visible steps need */
guint64  stria_alloc_plot_top      (const StriaAllocView *view);
double   stria_alloc_step_to_x     (const StriaAllocView *view, const StriaAllocFrameBox *box,
                                    guint32 step);
guint32  stria_alloc_x_to_step     (const StriaAllocView *view, const StriaAllocFrameBox *box,
                                    double x);
/* The element (segment's life) under a point of the picture, or %STRIA_NO_ELEMENT; @step gets the
 * step of its column. */
guint32  stria_alloc_plot_hit      (const StriaAllocView *view, double width, double height,
                                    double x, double y, guint32 *step);

/* The private pool whose band is under a point, or G_MAXUINT */
guint    stria_alloc_pool_hit      (const StriaAllocView *view, double width, double height,
                                    double x, double y, guint32 *step);

/* The plot with axes, bands, marks, legend */
void     stria_alloc_paint_plot    (cairo_t *cr, const StriaAllocView *view, double width,
                                    double height);
/* The same without the chosen moments, which stria_alloc_paint_moment() adds */
void     stria_alloc_paint_base    (cairo_t *cr, const StriaAllocView *view, double width,
                                    double height);
void     stria_alloc_paint_moment  (cairo_t *cr, const StriaAllocView *view, double width,
                                    double height);

/* The segment map at @view->step (the last step if none). */
void     stria_alloc_paint_map     (cairo_t *cr, const StriaAllocView *view, double width,
                                    double height);
/* As above for a map that is there already */
void     stria_alloc_paint_map_of  (cairo_t *cr, const StriaAllocView *view, StriaMap *map,
                                    double width, double height);
/* Range of @map under a point, or -1; @segment gets the index of its segment (-1) */
gint64   stria_alloc_map_hit       (const StriaAllocView *view, StriaMap *map, double width,
                                    double height, double x, double y, gint64 *segment);
/* Height that the map wants at a width */
double   stria_alloc_map_height    (const StriaAllocView *view, StriaMap *map, double width);

/* An icicle of who holds the live bytes at @view->step (the peak if none), the outermost frame at
 * the top. */
void     stria_alloc_paint_flame   (cairo_t *cr, const StriaAllocView *view, double width,
                                    double height);
/* @root: node that fills the width */
void     stria_alloc_paint_flame_of (cairo_t *cr, const StriaAllocView *view, GArray *nodes,
                                     guint32 root, guint32 hover, double width, double height);
guint32  stria_alloc_flame_hit     (GArray *nodes, guint32 root, double width, double x, double y);
/* How many rows, one below the other, have room */
guint stria_alloc_flame_n_rows (double height);

/* Opaque ARGB of an element (segment's life), by the view's colour mode; the same at every step. */
guint32  stria_alloc_element_color (const StriaAllocView *view, guint32 element);

G_END_DECLS
