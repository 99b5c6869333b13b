/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-private.h"

#include <math.h>

#define MAX_ARROWS   200
#define ARROW_HEAD   6.0
#define LEAST_OUTLINE_PX 4.0

/* Where an arrow begins or ends. @shown: at its own slice, not at a stand-in for a hidden one */
typedef struct
{
  double   x;
  double   y;
  gboolean shown;
} ArrowEnd;

static double
area_y (const StriaTimelineView *view, const StriaLayoutItem *item, double scroll_y)
{
  const double pinned = stria_timeline_layout_pinned_height (view->layout);

  return item->pinned ? item->y : pinned + item->y - scroll_y;
}

/* Tints one item, as far as it is in sight. */
static void
tint_item (cairo_t *cr, const StriaTimelineView *view, const StriaLayoutItem *item, double from,
           double to, double height, double scroll_y)
{
  const double pinned = stria_timeline_layout_pinned_height (view->layout);
  const double y = area_y (view, item, scroll_y);
  const double top = CLAMP (y, item->pinned ? 0 : pinned, height);
  const double bottom = CLAMP (y + item->height, top, height);

  cairo_rectangle (cr, from, top, to - from, bottom - top);
}

static void
tint_lanes (cairo_t *cr, const StriaTimelineView *view, double from, double to, double height,
            double scroll_y)
{
  if (view->range_lanes == NULL)
    cairo_rectangle (cr, from, 0, to - from, height);
  for (gsize i = 0; view->range_lanes != NULL && i < view->n_range_lanes; i++)
    {
      const StriaLayoutItem *item
          = stria_timeline_layout_of_lane (view->layout, view->range_lanes[i]);

      if (item != NULL)
        tint_item (cr, view, item, from, to, height, scroll_y);
    }
  cairo_fill (cr);
}

static void
paint_range (cairo_t *cr, const StriaTimelineView *view, double width, double height,
             double scroll_y)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  double from = floor (stria_time_to_x (view->range_t0, view->t0, view->t1, width));
  double to = floor (stria_time_to_x (view->range_t1, view->t0, view->t1, width));

  to = MAX (to, from + 1);
  if (to < 0 || from > width)
    return;
  from = MAX (from, -2);
  to = MIN (to, width + 2);
  stria_paint_set_color (cr, theme->accent, view->dark ? 0.20 : 0.14);
  tint_lanes (cr, view, from, to, height, scroll_y);
  stria_paint_set_color (cr, theme->accent, 0.8);
  cairo_rectangle (cr, from, 0, 1, height);
  cairo_rectangle (cr, to - 1, 0, 1, height);
  cairo_fill (cr);
}

static void
paint_selection (cairo_t *cr, const StriaTimelineView *view, double width, double height,
                 double scroll_y)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const StriaLayoutItem *item
      = stria_timeline_layout_of_lane (view->layout, view->selection.lane);
  const double pinned = stria_timeline_layout_pinned_height (view->layout);
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;

  if (item == NULL || !stria_timeline_locate (view, width, view->selection, &x, &y, &w, &h))
    return;
  if (!item->pinned)
    y += pinned - scroll_y;
  if (x + w < -2 || x > width + 2)
    return;
  if (w < LEAST_OUTLINE_PX)
    {
      x -= (LEAST_OUTLINE_PX - w) / 2;
      w = LEAST_OUTLINE_PX;
    }
  /* Cairo's numbers end at some millions of pixels */
  w = MIN (x + w, width + 8) - MAX (x, -8);
  x = MAX (x, -8);
  cairo_save (cr);
  if (!item->pinned)
    {
      cairo_rectangle (cr, 0, pinned, width, MAX (height - pinned, 0));
      cairo_clip (cr);
    }
  x = floor (x);
  w = ceil (w);
  stria_paint_set_color (cr, theme->background, 0.9);
  cairo_set_line_width (cr, 4);
  cairo_rectangle (cr, x, y, w, h);
  cairo_stroke (cr);
  stria_paint_set_color (cr, view->dark ? theme->text : theme->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, x, y, w, h);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* @towards: the other end's time; an arrow leaves its slice as late as it can without going back */
static ArrowEnd
arrow_end (const StriaTimelineView *view, double width, double scroll_y, StriaRef ref,
           gboolean start, gint64 towards)
{
  StriaLane *lane = stria_trace_get_lane (view->trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (view->layout, ref.lane);
  gint64 ns = columns->start[ref.index];
  ArrowEnd end = { 0, 0, TRUE };
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;

  if (start)
    ns = CLAMP (towards, ns, MAX (stria_lane_drawn_end (lane, ref.index), ns));
  end.x = stria_time_to_x (ns, view->t0, view->t1, width);
  end.x = CLAMP (end.x, -20000, 20000);
  if (item != NULL && stria_timeline_locate (view, width, ref, &x, &y, &w, &h))
    {
      end.y = y + h / 2 + area_y (view, item, scroll_y) - item->y;
      return end;
    }
  end.shown = FALSE;
  if (item == NULL)
    item = stria_timeline_layout_of_process (
        view->layout, stria_timeline_layout_group_of (view->layout, ref.lane));
  if (item != NULL)
    {
      end.y = area_y (view, item, scroll_y) + item->height / 2;
      return end;
    }
  /* Nothing stands for a hidden lane but the edge of the headers */
  end.x = 0;
  end.y = G_MAXDOUBLE;
  return end;
}

static void
paint_head (cairo_t *cr, ArrowEnd end, double direction)
{
  if (!end.shown)
    {
      cairo_arc (cr, end.x, end.y, 3, 0, 2 * G_PI);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
      return;
    }
  cairo_move_to (cr, end.x, end.y);
  cairo_line_to (cr, end.x - direction * ARROW_HEAD, end.y - ARROW_HEAD / 1.8);
  cairo_line_to (cr, end.x - direction * ARROW_HEAD, end.y + ARROW_HEAD / 1.8);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
paint_arrow (cairo_t *cr, const StriaTimelineView *view, double width, double scroll_y,
             const StriaFlow *flow)
{
  static const double dashes[] = { 5, 4 };
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const StriaColumns *to_columns
      = stria_lane_get_columns (stria_trace_get_lane (view->trace, flow->to.lane));
  ArrowEnd from;
  ArrowEnd to;
  double bend = 0;

  from = arrow_end (view, width, scroll_y, flow->from, TRUE, to_columns->start[flow->to.index]);
  to = arrow_end (view, width, scroll_y, flow->to, FALSE, 0);
  if (from.y == G_MAXDOUBLE)
    from.y = to.y;
  if (to.y == G_MAXDOUBLE)
    to.y = from.y;
  if (from.y == G_MAXDOUBLE)
    return;
  bend = CLAMP (fabs (to.x - from.x) / 2, 24, 160);
  for (guint pass = 0; pass < 2; pass++)
    {
      /* A rim of the background lifts the line off the slices */
      if (pass == 0)
        stria_paint_set_color (cr, theme->background, 0.75);
      else
        stria_paint_set_color (cr, view->dark ? theme->text : theme->accent, 0.95);
      cairo_set_line_width (cr, pass == 0 ? 4 : 1.75);
      if (flow->backwards)
        cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      cairo_move_to (cr, from.x, from.y);
      cairo_curve_to (cr, from.x + bend, from.y, to.x - bend, to.y, to.x - ARROW_HEAD / 2, to.y);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  cairo_arc (cr, from.x, from.y, from.shown ? 3 : 2, 0, 2 * G_PI);
  cairo_fill (cr);
  paint_head (cr, to, 1);
}

static gboolean
is_loaded (const StriaTimelineView *view, StriaRef ref)
{
  return ref.lane < stria_trace_get_n_lanes (view->trace)
         && stria_lane_get_columns (stria_trace_get_lane (view->trace, ref.lane)) != NULL;
}

static void
paint_arrows (cairo_t *cr, const StriaTimelineView *view, double width, double scroll_y)
{
  g_autoptr (GArray) flows = stria_trace_flows_of (view->trace, view->selection);

  for (guint i = 0; i < MIN (flows->len, MAX_ARROWS); i++)
    {
      const StriaFlow *flow = &g_array_index (flows, StriaFlow, i);

      if (is_loaded (view, flow->from) && is_loaded (view, flow->to))
        paint_arrow (cr, view, width, scroll_y, flow);
    }
}

void
stria_timeline_paint_overlay (cairo_t *cr, const StriaTimelineView *view, double width,
                              double height, double scroll_y)
{
  g_return_if_fail (view->trace != NULL && view->layout != NULL && view->t1 > view->t0);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  if (view->marks != NULL)
    stria_time_marks_paint_bands (view->marks, cr, view->dark, view->t0, view->t1, width, height);
  if (view->has_range)
    paint_range (cr, view, width, height, scroll_y);
  if (!stria_ref_is_none (view->selection) && is_loaded (view, view->selection))
    {
      paint_selection (cr, view, width, height, scroll_y);
      paint_arrows (cr, view, width, scroll_y);
    }
  cairo_restore (cr);
}
