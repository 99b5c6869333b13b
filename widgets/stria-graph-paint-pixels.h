/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-paint-target.h"

G_BEGIN_DECLS

/**
 * StriaGraphPixels:
 *
 * Boxes and lines straight into the pixels of an image. Shapes are few and simple, and there may be
 * a hundred thousand of them in a picture: what each covers of a pixel is known without building a
 * path. All coordinates are device pixels; the target is opaque.
 */
typedef struct
{
  cairo_surface_t *surface;
  guint32         *data;
  gsize            stride; /* in pixels */
  int              x0, y0, x1, y1; /* what may be painted */
  guint8          *mask;  /* lines not painted yet; by pixel of the whole surface */
  int             *spans; /* by row: first and one behind the last pixel of it in the mask */
  int              mask_y0, mask_y1;
  guint8          *hatch; /* by x + y: how dark it is there */
  gboolean         is_band;
} StriaGraphPixels;

/* A box: what is not to be seen of it has no alpha. */
typedef struct
{
  double  x0, y0, x1, y1;
  double  radius;
  guint32 fill; /* opaque ARGB */
  guint   fill_alpha; /* of 256 */
  guint32 hatch;
  guint   hatch_alpha;
  guint32 line;
  guint   line_alpha;
  double  line_width;
} StriaGraphPixelBox;

/* FALSE: @target is stretched, or nothing of it can be seen */
gboolean stria_graph_pixels_init      (StriaGraphPixels *self, const StriaPaintTarget *target);
void     stria_graph_pixels_clear     (StriaGraphPixels *self);
/* Rows of @whole from @y0 on and before @y1, for another thread; to be cleared before @whole is */
void     stria_graph_pixels_band      (StriaGraphPixels *self, const StriaGraphPixels *whole, int y0,
                                       int y1);

void     stria_graph_pixels_rectangle (StriaGraphPixels *self, double x0, double y0, double x1,
                                       double y1, guint32 argb, guint alpha);
void     stria_graph_pixels_box       (StriaGraphPixels *self, const StriaGraphPixelBox *box);
/* How far apart hatching stands: @scale device pixels a unit */
void     stria_graph_pixels_set_hatch (StriaGraphPixels *self, double scale);
/* Adds a line, or the inside of a triangle, to what stria_graph_pixels_paint_lines() paints. Where
 * lines lie over each other they are painted once. */
void     stria_graph_pixels_line      (StriaGraphPixels *self, double x0, double y0, double x1,
                                       double y1, double width);
void     stria_graph_pixels_triangle  (StriaGraphPixels *self, const double corners[6]);
/* Through control points, as cairo_curve_to() has them */
void     stria_graph_pixels_curve     (StriaGraphPixels *self, const double points[8],
                                       double width);
void     stria_graph_pixels_paint_lines (StriaGraphPixels *self, guint32 argb, guint alpha);
/* A line with round ends and joins through @n points */
void     stria_graph_pixels_stroke    (StriaGraphPixels *self, const double *points, guint n,
                                       double width, guint32 argb, guint alpha);
/* @mask: what is covered, 0 to 255, @width bytes a row */
void     stria_graph_pixels_stamp     (StriaGraphPixels *self, const guint8 *mask, int width,
                                       int height, int x, int y, guint32 argb, guint alpha);

G_END_DECLS
