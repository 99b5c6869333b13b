/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-paint-private.h"

#include <math.h>

#include "stria-paint-glyphs.h"

#define MAX_TEXT_SCALE 12.0 /* larger text is drawn by Cairo: there is little of it */
#define ROUND_STEPS    4    /* of a dashed line round a corner */

void
stria_graph_pen_init (StriaGraphPainter *self)
{
  StriaPaintTarget target;

  self->direct = stria_paint_target_init (&target, self->cr)
                 && stria_graph_pixels_init (&self->pixels, &target);
  if (!self->direct)
    return;
  self->scale = target.x_scale;
  self->left = target.left;
  self->top = target.top;
}

void
stria_graph_pen_clear (StriaGraphPainter *self)
{
  if (self->direct)
    stria_graph_pixels_clear (&self->pixels);
  self->direct = FALSE;
}

static inline double
device_x (const StriaGraphPainter *self, double x)
{
  return x * self->scale + self->left;
}

static inline double
device_y (const StriaGraphPainter *self, double y)
{
  return y * self->scale + self->top;
}

static inline guint
share_of (double alpha)
{
  return (guint) (CLAMP (alpha, 0, 1) * 256 + 0.5);
}

void
stria_graph_pen_rectangle (StriaGraphPainter *self, double x, double y, double w, double h,
                           StriaColor color, double alpha)
{
  if (self->direct)
    {
      stria_graph_pixels_rectangle (&self->pixels, device_x (self, x), device_y (self, y),
                                    device_x (self, x + w), device_y (self, y + h),
                                    stria_color_argb (color), share_of (alpha));
      return;
    }
  stria_paint_set_color (self->cr, color, alpha);
  cairo_rectangle (self->cr, x, y, w, h);
  cairo_fill (self->cr);
}

/* Goes along a line as far as a dash or a gap reaches; @at: how far into the pair of both. */
static void
dash_along (StriaGraphPainter *self, const StriaGraphPen *pen, double x0, double y0, double x1,
            double y1, double *at)
{
  const double length = hypot (x1 - x0, y1 - y0), pair = pen->dash + pen->dash_gap;
  double from = 0;

  /* Dashes that are not seen apart are a line. */
  if (pair * self->scale < 1.5 || length <= 0)
    {
      stria_graph_pen_line (self, x0, y0, x1, y1, pen->line_width);
      return;
    }
  while (from < length)
    {
      /* What is left over by rounding is no dash. */
      const gboolean on = *at < pen->dash - pair / 1024;
      const double to = MIN (from + (on ? pen->dash : pair) - *at, length);

      if (on)
        stria_graph_pen_line (self, x0 + (x1 - x0) * from / length, y0 + (y1 - y0) * from / length,
                              x0 + (x1 - x0) * to / length, y0 + (y1 - y0) * to / length,
                              pen->line_width);
      *at += to - from;
      if (*at >= pair - pair / 1024)
        *at = 0;
      from = to;
    }
}

static void
dashed_box (StriaGraphPainter *self, double x, double y, double w, double h,
            const StriaGraphPen *pen)
{
  const double r = MIN (pen->radius, MIN (w, h) / 2);
  const double corners[]
      = { x + w - r, y + r, x + w - r, y + h - r, x + r, y + h - r, x + r, y + r };
  double from_x = x + r, from_y = y, at = 0;

  for (guint corner = 0; corner < 4; corner++)
    for (guint step = 0; step <= ROUND_STEPS; step++)
      {
        const double angle = G_PI_2 * (corner - 1.0 + (double) step / ROUND_STEPS);
        const double to_x = corners[2 * corner] + r * cos (angle);
        const double to_y = corners[2 * corner + 1] + r * sin (angle);

        dash_along (self, pen, from_x, from_y, to_x, to_y, &at);
        from_x = to_x;
        from_y = to_y;
      }
  dash_along (self, pen, from_x, from_y, x + r, y, &at);
  stria_graph_pen_lines (self, pen->line_width, pen->line, pen->line_alpha);
}

static void
direct_box (StriaGraphPainter *self, double x, double y, double w, double h,
            const StriaGraphPen *pen)
{
  const gboolean dashed = pen->dash > 0;
  const StriaGraphPixelBox box = {
    .x0 = device_x (self, x),
    .y0 = device_y (self, y),
    .x1 = device_x (self, x + w),
    .y1 = device_y (self, y + h),
    .radius = pen->radius * self->scale,
    .fill = stria_color_argb (pen->fill),
    .fill_alpha = share_of (pen->fill_alpha),
    .hatch = stria_color_argb (self->theme->text),
    .hatch_alpha = pen->hatched ? share_of (STRIA_GRAPH_HATCH_ALPHA) : 0,
    .line = stria_color_argb (pen->line),
    .line_alpha = dashed ? 0 : share_of (pen->line_alpha),
    .line_width = pen->line_width * self->scale,
  };

  if (pen->hatched)
    stria_graph_pixels_set_hatch (&self->pixels, self->scale);
  stria_graph_pixels_box (&self->pixels, &box);
  if (dashed && pen->line_alpha > 0)
    dashed_box (self, x, y, w, h, pen);
}

void
stria_graph_pen_box (StriaGraphPainter *self, double x, double y, double w, double h,
                     const StriaGraphPen *pen)
{
  if (self->direct)
    {
      direct_box (self, x, y, w, h, pen);
      return;
    }
  stria_graph_rounded (self->cr, x, y, w, h, pen->radius);
  if (pen->fill_alpha > 0)
    {
      stria_paint_set_color (self->cr, pen->fill, pen->fill_alpha);
      cairo_fill_preserve (self->cr);
    }
  if (pen->hatched)
    {
      cairo_set_source (self->cr, self->hatch);
      cairo_fill_preserve (self->cr);
    }
  if (pen->line_alpha > 0)
    {
      stria_paint_set_color (self->cr, pen->line, pen->line_alpha);
      cairo_set_line_width (self->cr, pen->line_width);
      if (pen->dash > 0)
        cairo_set_dash (self->cr, (const double[]){ pen->dash, pen->dash_gap }, 2, 0);
      cairo_stroke_preserve (self->cr);
      cairo_set_dash (self->cr, NULL, 0, 0);
    }
  cairo_new_path (self->cr);
}

void
stria_graph_pen_stroke (StriaGraphPainter *self, const double *points, guint n, double width,
                        StriaColor color, double alpha)
{
  double device[16];

  if (self->direct && n <= G_N_ELEMENTS (device) / 2)
    {
      for (guint i = 0; i < n; i++)
        {
          device[2 * i] = device_x (self, points[2 * i]);
          device[2 * i + 1] = device_y (self, points[2 * i + 1]);
        }
      stria_graph_pixels_stroke (&self->pixels, device, n, width * self->scale,
                                 stria_color_argb (color), share_of (alpha));
      return;
    }
  cairo_new_path (self->cr);
  for (guint i = 0; i < n; i++)
    cairo_line_to (self->cr, points[2 * i], points[2 * i + 1]);
  stria_paint_set_color (self->cr, color, alpha);
  cairo_set_line_width (self->cr, width);
  cairo_set_line_cap (self->cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (self->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (self->cr);
  cairo_set_line_cap (self->cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join (self->cr, CAIRO_LINE_JOIN_MITER);
}

/* -- lines ------------------------------------------------------------------------------------ */

/* A path goes on where it is; a new one begins elsewhere. */
static void
go_to (StriaGraphPainter *self, double x, double y)
{
  double at_x, at_y;

  if (cairo_has_current_point (self->cr))
    {
      cairo_get_current_point (self->cr, &at_x, &at_y);
      if (fabs (at_x - x) * self->view->zoom < 0.01 && fabs (at_y - y) * self->view->zoom < 0.01)
        return;
    }
  cairo_move_to (self->cr, x, y);
}

void
stria_graph_pen_line (StriaGraphPainter *self, double x0, double y0, double x1, double y1,
                      double width)
{
  if (self->direct)
    {
      stria_graph_pixels_line (&self->pixels, device_x (self, x0), device_y (self, y0),
                               device_x (self, x1), device_y (self, y1), width * self->scale);
      return;
    }
  go_to (self, x0, y0);
  cairo_line_to (self->cr, x1, y1);
}

void
stria_graph_pen_curve (StriaGraphPainter *self, const double points[8], double width)
{
  double device[8];

  if (!self->direct)
    {
      go_to (self, points[0], points[1]);
      cairo_curve_to (self->cr, points[2], points[3], points[4], points[5], points[6], points[7]);
      return;
    }
  for (guint i = 0; i < 4; i++)
    {
      device[2 * i] = device_x (self, points[2 * i]);
      device[2 * i + 1] = device_y (self, points[2 * i + 1]);
    }
  stria_graph_pixels_curve (&self->pixels, device, width * self->scale);
}

void
stria_graph_pen_triangle (StriaGraphPainter *self, const double corners[6])
{
  double device[6];

  for (guint i = 0; i < 3; i++)
    if (self->direct)
      {
        device[2 * i] = device_x (self, corners[2 * i]);
        device[2 * i + 1] = device_y (self, corners[2 * i + 1]);
      }
    else if (i == 0)
      cairo_move_to (self->cr, corners[0], corners[1]);
    else
      cairo_line_to (self->cr, corners[2 * i], corners[2 * i + 1]);
  if (self->direct)
    stria_graph_pixels_triangle (&self->pixels, device);
  else
    cairo_close_path (self->cr);
}

void
stria_graph_pen_lines (StriaGraphPainter *self, double width, StriaColor color, double alpha)
{
  if (self->direct)
    {
      stria_graph_pixels_paint_lines (&self->pixels, stria_color_argb (color), share_of (alpha));
      return;
    }
  stria_paint_set_color (self->cr, color, alpha);
  cairo_set_line_width (self->cr, width);
  cairo_stroke (self->cr);
}

void
stria_graph_pen_triangles (StriaGraphPainter *self, StriaColor color, double alpha)
{
  if (self->direct)
    {
      stria_graph_pixels_paint_lines (&self->pixels, stria_color_argb (color), share_of (alpha));
      return;
    }
  stria_paint_set_color (self->cr, color, alpha);
  cairo_fill (self->cr);
}

/* -- text ------------------------------------------------------------------------------------- */

/* FALSE: something in it has no outline, or its letters are better off in Cairo's own cache. */
static gboolean
stamp_text (StriaGraphPainter *self, PangoLayout *layout, StriaColor color, double alpha, double x,
            double y)
{
  StriaPaintGlyphs *glyphs = stria_paint_kit_glyphs (self->kit);
  const StriaPaintRun *run = stria_paint_glyphs_run (layout);
  const double baseline = (double) pango_layout_get_baseline (layout) / PANGO_SCALE;
  const int line = (int) floor (device_y (self, y + baseline) + 0.5);
  const double left = device_x (self, x);
  const guint32 argb = stria_color_argb (color);

  if (!run->plain || self->scale > MAX_TEXT_SCALE || fabs (self->scale - 1) < 1e-6)
    return FALSE;
  stria_paint_glyphs_set_scale (glyphs, self->scale);
  for (guint i = 0; i < run->n; i++)
    {
      const StriaPaintGlyph *glyph = &run->glyphs[i];
      const double at = left + glyph->x * self->scale;
      const int whole = (int) floor (at * STRIA_PAINT_PHASES + 0.5);
      const int pixel = (int) floor ((double) whole / STRIA_PAINT_PHASES);
      const StriaPaintMask *mask;

      if (pixel > self->pixels.x1 || pixel < self->pixels.x0 - 100 * MAX_TEXT_SCALE)
        continue;
      mask = stria_paint_glyphs_mask (glyphs, glyph, (guint) (whole - pixel * STRIA_PAINT_PHASES));
      stria_graph_pixels_stamp (&self->pixels, mask->data, mask->width, mask->height,
                                pixel + mask->left,
                                line + (int) floor (glyph->y * self->scale + 0.5) + mask->top, argb,
                                share_of (alpha));
    }
  return TRUE;
}

double
stria_graph_pen_text (StriaGraphPainter *self, StriaTextStyle style, const char *text,
                      StriaColor color, double alpha, double x, double y, double room)
{
  if (self->direct)
    {
      double top, width;
      PangoLayout *layout = stria_paint_kit_layout (self->kit, style, text, room, y, &top, &width);

      if (stamp_text (self, layout, color, alpha, x, top))
        return width;
    }
  stria_paint_set_color (self->cr, color, alpha);
  return stria_paint_kit_text (self->kit, self->cr, style, text, x, y, room);
}
