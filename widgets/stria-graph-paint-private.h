/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-painter.h"
#include "stria-paint-kit.h"

G_BEGIN_DECLS

#define STRIA_GRAPH_LEAST_PX    14.0 /* what stands in a smaller group is not seen */
#define STRIA_GRAPH_TEXT_ZOOM   0.42 /* below it labels cannot be read and are left out */
#define STRIA_GRAPH_DETAIL_ZOOM 0.65 /* second lines and arrow heads */

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
} StriaGraphPainter;

/* stria-graph-painter.c */
/* What a node says below its label: what comes out of it */
const char *stria_graph_second_line (StriaGraph *graph, guint32 node);

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
void     stria_graph_wire_path     (StriaGraphPainter *self, const StriaSceneWire *wire);
void     stria_graph_paint_wires   (StriaGraphPainter *self);

G_END_DECLS
