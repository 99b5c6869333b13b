/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-paint-pixels.h"
#include "stria-graph-painter.h"
#include "stria-paint-kit.h"

G_BEGIN_DECLS

#define STRIA_GRAPH_LEAST_PX    14.0 /* what stands in a smaller group is not seen */
#define STRIA_GRAPH_TEXT_ZOOM   0.42 /* below it labels cannot be read and are left out */
#define STRIA_GRAPH_DETAIL_ZOOM 0.65 /* second lines and arrow heads */
#define STRIA_GRAPH_HATCH_ALPHA 0.22

/* One picture in work. */
typedef struct
{
  cairo_t *cr;
  const StriaGraphView *view;
  const StriaPaintTheme *theme;
  StriaPaintKit *kit;
  StriaGraph *graph;
  cairo_pattern_t *hatch;
  double width; /* of the picture, in pixels */
  double height;
  GArray *items; /* guint32 */
  GArray *wires;
  gboolean direct; /* onto pixels rather than with Cairo, which takes some twenty times as long */
  StriaGraphPixels pixels;
  double scale; /* device pixels a unit of the scene; likewise where its corner is */
  double left;
  double top;
  guint64 *painted; /* lines of wires that are painted already, or NULL: each counts */
} StriaGraphPainter;

/* How a box looks. What is not to be seen of it has no alpha. */
typedef struct
{
  double     radius;
  StriaColor fill;
  double     fill_alpha;
  gboolean   hatched;
  StriaColor line;
  double     line_alpha;
  double     line_width;
  double     dash, dash_gap; /* of the line; 0: none */
} StriaGraphPen;

/* stria-graph-painter.c */
/* What a node says below its label: what comes out of it */
const char *stria_graph_second_line (StriaGraph *graph, guint32 node);

/* stria-graph-paint-pen.c: all in units of the scene, onto pixels or with Cairo */
void     stria_graph_pen_init      (StriaGraphPainter *self);
void     stria_graph_pen_clear     (StriaGraphPainter *self);
void     stria_graph_pen_rectangle (StriaGraphPainter *self, double x, double y, double w, double h,
                                    StriaColor color, double alpha);
void     stria_graph_pen_box       (StriaGraphPainter *self, double x, double y, double w, double h,
                                    const StriaGraphPen *pen);
/* A line with round ends and joins */
void     stria_graph_pen_stroke    (StriaGraphPainter *self, const double *points, guint n,
                                    double width, StriaColor color, double alpha);
/* Lines are gathered and painted at once, of one width */
void     stria_graph_pen_line      (StriaGraphPainter *self, double x0, double y0, double x1,
                                    double y1, double width);
void     stria_graph_pen_curve     (StriaGraphPainter *self, const double points[8], double width);
void     stria_graph_pen_triangle  (StriaGraphPainter *self, const double corners[6]);
void     stria_graph_pen_lines     (StriaGraphPainter *self, double width, StriaColor color,
                                    double alpha);
void     stria_graph_pen_triangles (StriaGraphPainter *self, StriaColor color, double alpha);
/* As stria_paint_kit_text() */
double   stria_graph_pen_text      (StriaGraphPainter *self, StriaTextStyle style, const char *text,
                                    StriaColor color, double alpha, double x, double y,
                                    double room);

/* stria-graph-paint-boxes.c */
void     stria_graph_box_of        (const StriaGraphPainter *self, guint32 item, double *x,
                                    double *y, double *w, double *h);
guint16  stria_graph_marks_of      (const StriaGraphPainter *self, guint32 item);
/* How a mark is drawn: %FALSE if it has none */
gboolean stria_graph_outline_of    (const StriaGraphPainter *self, guint16 marks, StriaColor *color,
                                    double *width, gboolean *dashed);
void     stria_graph_rounded       (cairo_t *cr, double x, double y, double w, double h, double r);
/* Diagonal lines, for what could have been measured and was not */
cairo_pattern_t *stria_graph_make_hatch (StriaColor color);
void     stria_graph_paint_open    (StriaGraphPainter *self, guint32 item);
void     stria_graph_paint_closed  (StriaGraphPainter *self, guint32 item);
/* Titles of open groups at a zoom at which they cannot stand in their boxes */
void     stria_graph_paint_signs   (StriaGraphPainter *self);

/* stria-graph-paint-wires.c */
void     stria_graph_wire_path     (StriaGraphPainter *self, const StriaSceneWire *wire,
                                    double width);
void     stria_graph_paint_wires   (StriaGraphPainter *self);

G_END_DECLS
