/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-color.h"
#include "stria-graph-scene.h"
#include "stria-paint-size.h"

G_BEGIN_DECLS

#define STRIA_GRAPH_FONT_SIZE 9.0
/* Zoom at which text is as large as that of the desktop */
#define STRIA_GRAPH_FULL_SIZE stria_text_get_scale ()
#define STRIA_GRAPH_MIN_ZOOM  0.0005
#define STRIA_GRAPH_MAX_ZOOM  4.0

/* What a node or group is marked as; may be joined. */
typedef enum
{
  STRIA_GRAPH_MARK_SELECTED  = 1 << 0,
  STRIA_GRAPH_MARK_MAPPED    = 1 << 1, /* what is selected in another view corresponds to it */
  STRIA_GRAPH_MARK_MATCH     = 1 << 2, /* of the search */
  STRIA_GRAPH_MARK_CURRENT   = 1 << 3, /* the match that was gone to */
  STRIA_GRAPH_MARK_UPSTREAM  = 1 << 4, /* what the selection needs */
  STRIA_GRAPH_MARK_DOWNSTREAM = 1 << 5, /* what needs the selection */
  STRIA_GRAPH_MARK_DIM       = 1 << 6, /* stands back */
  STRIA_GRAPH_MARK_UNMATCHED = 1 << 7, /* no measurement is linked to it */
  STRIA_GRAPH_MARK_PARTITION = 1 << 8, /* mapped, but only as part of a whole partition */
  STRIA_GRAPH_MARK_ASSUMED   = 1 << 9, /* mapped by an assumption that is stated */
  STRIA_GRAPH_MARK_AMBIGUOUS = 1 << 10, /* one of several that it may be */
  STRIA_GRAPH_MARK_ADDED     = 1 << 11, /* compared captures: only here */
  STRIA_GRAPH_MARK_CHANGED   = 1 << 12,
} StriaGraphMark;

typedef enum
{
  STRIA_FIGURE_NONE,       /* this kind is not measured */
  STRIA_FIGURE_UNMEASURED, /* it could be and was not: hatched, never zero */
  STRIA_FIGURE_VALUE,
} StriaFigureState;

/* What a node or group shows of its measurement. */
typedef struct
{
  guint8 state;    /* StriaFigureState */
  guint8 shared;   /* it is that of several together: paler than what one has alone */
  float  share;    /* place on the scale of its kind, 0..1; compared captures: -1..1 */
  char   text[20]; /* "1.90 ms"; of what is unmeasured: why, if that is known */
} StriaGraphFigure;

/* What a box says of its figure. Returns: @figure's text, or a static one */
const char *stria_graph_figure_text (const StriaGraphFigure *figure);

/**
 * StriaGraphView:
 * @scene: not owned
 * @x: scene coordinate at the picture's left edge
 * @y: at its upper edge
 * @zoom: pixels a unit of the scene
 * @node_marks: (nullable): by node of the graph
 * @group_marks: (nullable): by group
 * @item_marks: (nullable): by item of the scene, in place of both: closed groups show what is
 *   marked in them
 * @node_figures: (nullable): by node
 * @group_figures: (nullable): by group
 * @diverging: figures are differences, from -1 to 1
 * @plain: without words, for a minimap
 * @boxes: (nullable): x, y, width, height of each item in place of the scene's, while boxes move
 * @wire_alpha: 0..1, for the same. Wires run straight from box to box then
 * @hover_item: or %STRIA_NO_ITEM
 * @hover_wire: or %G_MAXUINT32
 *
 * All that a picture of a graph depends on. Plain, so that a worker has its own copy.
 */
typedef struct
{
  StriaScene             *scene;
  double                  x;
  double                  y;
  double                  zoom;
  gboolean                dark;
  const guint16          *node_marks;
  const guint16          *group_marks;
  const guint16          *item_marks;
  const StriaGraphFigure *node_figures;
  const StriaGraphFigure *group_figures;
  gboolean                diverging;
  gboolean                plain;
  const float            *boxes;
  double                  wire_alpha;
  guint32                 hover_item;
  guint32                 hover_wire;
} StriaGraphView;

void   stria_graph_view_init   (StriaGraphView *view, StriaScene *scene);
/* Zoom and place at which the whole scene is seen, with a margin */
void   stria_graph_view_fit    (StriaGraphView *view, double width, double height);
/* #StriaSceneMeasure: what boxes need for their texts. Any thread. */
void   stria_graph_measure     (StriaGraph *graph, guint32 node, guint32 group, gboolean open,
                                float *width, float *height, gpointer user_data);
/* Adds the course of a wire of the scene to @cr's path, without its arrow head: for those who draw
 * with something else */
void   stria_graph_trace_wire  (cairo_t *cr, const StriaGraphView *view, guint32 wire);
/* The picture without hover, which stria_graph_paint_hover() adds */
void   stria_graph_paint       (cairo_t *cr, const StriaGraphView *view, double width, double height);
void   stria_graph_paint_hover (cairo_t *cr, const StriaGraphView *view, double width, double height);
/* The whole scene small, with the visible part framed */
void   stria_graph_paint_minimap (cairo_t *cr, const StriaGraphView *view, double view_width,
                                  double view_height, double width, double height);
/* Colour at a place of the scale, the same for every kind and view; told apart by lightness
 * alone */
StriaColor stria_graph_scale_color (double share, gboolean diverging, gboolean dark);
/* A legend: bar of the scale, @minimum and @maximum as text, @title, and what hatching means.
 * Returns: the height it takes */
double stria_graph_paint_legend (cairo_t *cr, const char *title, const char *minimum,
                                 const char *maximum, gboolean diverging, gboolean dark,
                                 double width);

G_END_DECLS
