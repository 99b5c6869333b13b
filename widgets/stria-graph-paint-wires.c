/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-paint-private.h"

#include <math.h>
#include <string.h>

#define COARSE_ZOOM 0.12 /* below it curves cannot be seen */
#define COARSE_PX 0.75
#define PAINTED_BITS 13
#define CORNER 9.0
#define NOT_SEEN 0xffff

/* From one box or row to another: leaves and arrives along the flow. */
static void
swing (StriaGraphPainter *self, double x0, double y0, double x1, double y1, double width)
{
  const double x = (x0 + x1) / 2, y = (y0 + y1) / 2;

  if (x0 == x1 || y0 == y1)
    stria_graph_pen_line (self, x0, y0, x1, y1, width);
  else if (self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM)
    stria_graph_pen_curve (self, (double[]){ x0, y0, x0, y, x1, y, x1, y1 }, width);
  else
    stria_graph_pen_curve (self, (double[]){ x0, y0, x, y0, x, y1, x1, y1 }, width);
}

/* While boxes move, a wire runs from one to the other, unless it would run back across
 * everything. */
static void
moving_path (StriaGraphPainter *self, const StriaSceneWire *wire, double width)
{
  double ax, ay, aw, ah, bx, by, bw, bh;

  stria_graph_box_of (self, wire->source, &ax, &ay, &aw, &ah);
  stria_graph_box_of (self, wire->target, &bx, &by, &bw, &bh);
  if (self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM)
    {
      if (by + bh < ay)
        return;
      swing (self, ax + aw / 2, ay + ah, bx + bw / 2, by, width);
    }
  else
    {
      if (bx + bw < ax)
        return;
      swing (self, ax + aw, ay + ah / 2, bx, by + bh / 2, width);
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

/* The outermost box round @item that looks closed, since what is in it is too small; NULL: none. */
static const StriaSceneItem *
closed_round (const StriaGraphPainter *self, guint32 item)
{
  const StriaSceneItem *items = self->view->scene->items, *found = NULL;
  const float least = (float)(STRIA_GRAPH_LEAST_PX / self->view->zoom);

  for (guint32 i = items[item].parent; i != STRIA_NO_ITEM; i = items[i].parent)
    if (!stria_scene_shows_children (&items[i], least))
      found = &items[i];
  return found;
}

static gboolean
is_within (const StriaSceneItem *item, const float *point)
{
  return point[0] > item->x - 1 && point[0] < item->x + item->width + 1 && point[1] > item->y - 1
         && point[1] < item->y + item->height + 1;
}

/* Whether a line has not been painted, or so long ago that it is forgotten. */
static gboolean
is_first (StriaGraphPainter *self, guint64 key)
{
  guint64 *slot
      = &self->painted[(key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> (64 - PAINTED_BITS)];
  const gboolean first = *slot != key;

  *slot = key;
  return first;
}

/* At a zoom at which many wires lie on the same pixels, each place is painted once, points that lie
 * on one pixel are one, and what runs inside a box that looks closed is left out. */
static void
coarse_path (StriaGraphPainter *self, const StriaSceneWire *wire, double width)
{
  const float *p = self->view->scene->points + 2 * (gsize)wire->first_point;
  const float least = (float)(COARSE_PX / self->view->zoom);
  const StriaSceneItem *source = closed_round (self, wire->source);
  const StriaSceneItem *target = closed_round (self, wire->target);
  guint32 first = 0, n = wire->n_points;
  float x, y;

  /* From one such box to another, all wires take one way. */
  if (source != NULL && target != NULL
      && !is_first (self, G_GUINT64_CONSTANT (1) << 63
                              | (guint64)(source - self->view->scene->items) << 32
                              | (guint64)(target - self->view->scene->items)))
    return;

  while (source != NULL && first + 2 < n && is_within (source, p + 2 * first + 2))
    first++;
  while (target != NULL && n > first + 2 && is_within (target, p + 2 * (n - 2)))
    n--;
  x = p[2 * first];
  y = p[2 * first + 1];
  for (guint32 i = first + 1; i < n; i++)
    {
      const float to_x = p[2 * i], to_y = p[2 * i + 1];
      guint64 key;

      if (i + 1 < n && fabsf (to_x - x) < least && fabsf (to_y - y) < least)
        continue;
      key = (guint64)(guint16)(gint64)(x / least) << 48
            | (guint64)(guint16)(gint64)(y / least) << 32
            | (guint64)(guint16)(gint64)(to_x / least) << 16 | (guint16)(gint64)(to_y / least);
      if (is_first (self, key))
        stria_graph_pen_line (self, (double)x, (double)y, (double)to_x, (double)to_y, width);
      x = to_x;
      y = to_y;
    }
}

/* A line through its points with round corners. */
void
stria_graph_wire_path (StriaGraphPainter *self, const StriaSceneWire *wire, double width)
{
  const float *p = self->view->scene->points + 2 * (gsize)wire->first_point;
  double x = (double)p[0], y = (double)p[1];

  if (self->view->boxes != NULL)
    {
      moving_path (self, wire, width);
      return;
    }
  if (self->painted != NULL)
    {
      coarse_path (self, wire, width);
      return;
    }
  for (guint32 i = 1; i < wire->n_points; i++)
    {
      const float *q = p + 2 * i;
      double r = i + 1 < wire->n_points ? corner_at (q) : 0;
      double corner_x = (double)q[0], corner_y = (double)q[1];
      double to_x, to_y;

      if (r <= 0)
        {
          swing (self, x, y, corner_x, corner_y, width);
          x = corner_x;
          y = corner_y;
          continue;
        }
      to_x = toward (q[0], q[-2], r);
      to_y = toward (q[1], q[-1], r);
      stria_graph_pen_line (self, x, y, to_x, to_y, width);
      x = toward (q[0], q[2], r);
      y = toward (q[1], q[3], r);
      stria_graph_pen_curve (
          self, (double[]){ to_x, to_y, corner_x, corner_y, corner_x, corner_y, x, y }, width);
    }
}

void
stria_graph_trace_wire (cairo_t *cr, const StriaGraphView *view, guint32 wire)
{
  StriaGraphPainter self = { .cr = cr, .view = view };

  cairo_new_sub_path (cr);
  stria_graph_wire_path (&self, &view->scene->wires[wire], 1);
}

static void
arrow_head (StriaGraphPainter *self, const StriaSceneWire *wire)
{
  const float *p = self->view->scene->points + 2 * (gsize)(wire->first_point + wire->n_points - 1);
  double x = (double)p[0], y = (double)p[1];

  if (self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM)
    stria_graph_pen_triangle (self, (double[]){ x, y, x - 3.5, y - 7, x + 3.5, y - 7 });
  else
    stria_graph_pen_triangle (self, (double[]){ x, y, x - 7, y - 3.5, x - 7, y + 3.5 });
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

/* Whether anything of it is in the picture and long enough to be seen. */
static gboolean
is_seen (const StriaGraphPainter *self, const StriaSceneWire *wire)
{
  const double least = 2 / self->view->zoom;

  return self->view->boxes != NULL || (double)(wire->x1 - wire->x0) >= least
         || (double)(wire->y1 - wire->y0) >= least;
}

/* Those of the wires, of which @marks are given one by one, that are painted as @which. */
static void
paint_marked (StriaGraphPainter *self, const guint16 *marks, guint16 which)
{
  const StriaGraphView *view = self->view;
  double px = 1 / view->zoom;
  double width = MAX (px * 0.8, 1);
  double alpha = view->wire_alpha * (which & STRIA_GRAPH_MARK_DIM ? 0.12 : 0.42);
  StriaColor color = self->theme->text, marked;
  double marked_width;
  gboolean dashed, any = FALSE;

  if (stria_graph_outline_of (self, which, &marked, &marked_width, &dashed))
    {
      color = marked;
      width = 2 * MAX (px, 0.7);
      alpha = view->wire_alpha;
    }
  if (self->painted != NULL)
    memset (self->painted, 0, sizeof (guint64) << PAINTED_BITS);
  for (guint i = 0; i < self->wires->len; i++)
    if (marks[i] == which)
      {
        any = TRUE;
        stria_graph_wire_path (
            self, &view->scene->wires[g_array_index (self->wires, guint32, i)], width);
      }
  if (!any)
    return;
  stria_graph_pen_lines (self, width, color, alpha);
  if (view->zoom < STRIA_GRAPH_DETAIL_ZOOM || view->boxes != NULL)
    return;
  for (guint i = 0; i < self->wires->len; i++)
    if (marks[i] == which)
      arrow_head (self, &view->scene->wires[g_array_index (self->wires, guint32, i)]);
  stria_graph_pen_triangles (self, color, alpha);
}

void
stria_graph_paint_wires (StriaGraphPainter *self)
{
  g_autofree guint16 *marks = NULL;
  g_autofree guint64 *painted = NULL;
  gboolean any_marks;

  if (self->view->wire_alpha <= 0)
    return;
  if (self->view->zoom < COARSE_ZOOM && self->view->boxes == NULL)
    painted = self->painted = g_new0 (guint64, 1 << PAINTED_BITS);
  any_marks = self->view->item_marks != NULL || self->view->node_marks != NULL
              || self->view->group_marks != NULL;
  marks = g_new (guint16, MAX (self->wires->len, 1));
  for (guint i = 0; i < self->wires->len; i++)
    {
      const StriaSceneWire *wire
          = &self->view->scene->wires[g_array_index (self->wires, guint32, i)];
      marks[i] = !is_seen (self, wire) ? NOT_SEEN : any_marks ? wire_marks (self, wire) : 0;
    }
  paint_marked (self, marks, STRIA_GRAPH_MARK_DIM);
  paint_marked (self, marks, 0);
  paint_marked (self, marks, STRIA_GRAPH_MARK_UPSTREAM);
  paint_marked (self, marks, STRIA_GRAPH_MARK_DOWNSTREAM);
  self->painted = NULL;
}
