/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-paint-private.h"

#include <math.h>

#define COARSE_ZOOM 0.12
#define CORNER 9.0

static void
curve_to (StriaGraphPainter *self, double x0, double y0, double x1, double y1)
{
  if (self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM)
    cairo_curve_to (self->cr, x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
  else
    cairo_curve_to (self->cr, (x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1);
}

/* While boxes move, a wire runs from one to the other, unless it would run back across
 * everything. */
static void
moving_path (StriaGraphPainter *self, const StriaSceneWire *wire)
{
  double ax, ay, aw, ah, bx, by, bw, bh;

  stria_graph_box_of (self, wire->source, &ax, &ay, &aw, &ah);
  stria_graph_box_of (self, wire->target, &bx, &by, &bw, &bh);
  if (self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM)
    {
      if (by + bh < ay)
        return;
      cairo_move_to (self->cr, ax + aw / 2, ay + ah);
      curve_to (self, ax + aw / 2, ay + ah, bx + bw / 2, by);
    }
  else
    {
      if (bx + bw < ax)
        return;
      cairo_move_to (self->cr, ax + aw, ay + ah / 2);
      curve_to (self, ax + aw, ay + ah / 2, bx, by + bh / 2);
    }
}

/* Where a wire that turns from one row to another has its corner: so far from it the round begins.
 * 0: none is here. */
static double
corner_at (const float *p)
{
  double ax = (double)(p[0] - p[-2]), ay = (double)(p[1] - p[-1]);
  double bx = (double)(p[2] - p[0]), by = (double)(p[3] - p[1]);

  if ((ax != 0 && ay != 0) || (bx != 0 && by != 0) || (ax == 0) == (bx == 0))
    return 0;
  return MIN (CORNER, MIN (fabs (ax + ay), fabs (bx + by)) / 2);
}

static double
toward (float from, float to, double distance)
{
  return (double)from + CLAMP ((double)(to - from), -distance, distance);
}

/* A line through its points with round corners. */
void
stria_graph_wire_path (StriaGraphPainter *self, const StriaSceneWire *wire)
{
  const float *p = self->view->scene->points + 2 * (gsize)wire->first_point;
  double x = (double)p[0], y = (double)p[1];

  if (self->view->boxes != NULL)
    {
      moving_path (self, wire);
      return;
    }
  cairo_move_to (self->cr, x, y);
  for (guint32 i = 1; i < wire->n_points; i++)
    {
      const float *q = p + 2 * i;
      double r = i + 1 < wire->n_points ? corner_at (q) : 0;

      if (r <= 0)
        {
          curve_to (self, x, y, (double)q[0], (double)q[1]);
          x = (double)q[0];
          y = (double)q[1];
          continue;
        }
      x = toward (q[0], q[2], r);
      y = toward (q[1], q[3], r);
      cairo_line_to (self->cr, toward (q[0], q[-2], r), toward (q[1], q[-1], r));
      cairo_curve_to (self->cr, (double)q[0], (double)q[1], (double)q[0], (double)q[1], x, y);
    }
}

void
stria_graph_trace_wire (cairo_t *cr, const StriaGraphView *view, guint32 wire)
{
  StriaGraphPainter self = { .cr = cr, .view = view };

  stria_graph_wire_path (&self, &view->scene->wires[wire]);
}

static void
straight_path (StriaGraphPainter *self, const StriaSceneWire *wire)
{
  const float *p = self->view->scene->points + 2 * (gsize)wire->first_point;

  cairo_move_to (self->cr, (double)p[0], (double)p[1]);
  for (guint32 k = 1; k < wire->n_points; k++)
    cairo_line_to (self->cr, (double)p[2 * k], (double)p[2 * k + 1]);
}

static void
arrow_head (StriaGraphPainter *self, const StriaSceneWire *wire)
{
  const float *p = self->view->scene->points + 2 * (gsize)(wire->first_point + wire->n_points - 1);
  double x = (double)p[0], y = (double)p[1];
  gboolean upright = self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM;

  cairo_move_to (self->cr, x, y);
  if (upright)
    {
      cairo_line_to (self->cr, x - 3.5, y - 7);
      cairo_line_to (self->cr, x + 3.5, y - 7);
    }
  else
    {
      cairo_line_to (self->cr, x - 7, y - 3.5);
      cairo_line_to (self->cr, x - 7, y + 3.5);
    }
  cairo_close_path (self->cr);
}

/* Ends that are both marked are what the line is about. */
static guint16
wire_marks (const StriaGraphPainter *self, const StriaSceneWire *wire)
{
  guint16 a = stria_graph_marks_of (self, wire->source);
  guint16 b = stria_graph_marks_of (self, wire->target);

  if ((a & STRIA_GRAPH_MARK_UPSTREAM) && (b & STRIA_GRAPH_MARK_UPSTREAM))
    return STRIA_GRAPH_MARK_UPSTREAM;
  if ((a & STRIA_GRAPH_MARK_DOWNSTREAM) && (b & STRIA_GRAPH_MARK_DOWNSTREAM))
    return STRIA_GRAPH_MARK_DOWNSTREAM;
  return (a | b) & STRIA_GRAPH_MARK_DIM;
}

static void
paint_marked (StriaGraphPainter *self, guint16 which)
{
  const StriaGraphView *view = self->view;
  gboolean moves = view->boxes != NULL;
  double px = 1 / view->zoom;
  double least = 2 * px; /* shorter ones are not seen */
  gboolean has_heads = view->zoom >= STRIA_GRAPH_DETAIL_ZOOM && !moves;
  gboolean any = FALSE;
  StriaColor color;
  double width;
  gboolean dashed;

  for (guint pass = 0; pass < (has_heads ? 2 : 1); pass++)
    {
      for (guint i = 0; i < self->wires->len; i++)
        {
          const StriaSceneWire *wire = &view->scene->wires[g_array_index (self->wires, guint32, i)];
          if (!moves && (double)(wire->x1 - wire->x0) < least
              && (double)(wire->y1 - wire->y0) < least)
            continue;
          if (wire_marks (self, wire) != which)
            continue;
          any = TRUE;
          if (pass == 1)
            arrow_head (self, wire);
          else if (view->zoom < COARSE_ZOOM && !moves)
            straight_path (self, wire);
          else
            stria_graph_wire_path (self, wire);
        }
      if (!any)
        return;
      if (stria_graph_outline_of (self, which, &color, &width, &dashed))
        {
          stria_paint_set_color (self->cr, color, view->wire_alpha);
          cairo_set_line_width (self->cr, 2 * MAX (px, 0.7));
        }
      else
        {
          stria_paint_set_color (self->cr, self->theme->text,
                                 view->wire_alpha * (which & STRIA_GRAPH_MARK_DIM ? 0.12 : 0.42));
          cairo_set_line_width (self->cr, MAX (px * 0.8, 1));
        }
      if (pass == 0)
        cairo_stroke (self->cr);
      else
        cairo_fill (self->cr);
    }
}

void
stria_graph_paint_wires (StriaGraphPainter *self)
{
  if (self->view->wire_alpha <= 0)
    return;
  paint_marked (self, STRIA_GRAPH_MARK_DIM);
  paint_marked (self, 0);
  paint_marked (self, STRIA_GRAPH_MARK_UPSTREAM);
  paint_marked (self, STRIA_GRAPH_MARK_DOWNSTREAM);
}
