/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-painter.h"

#include "stria-display-list.h"
#include "stria-paint-private.h"

#include <math.h>

/**
 * SECTION:stria-timeline-painter
 *
 * The parts of the timeline put together, and the way back from a point to an event. The parts
 * themselves: stria-paint-lanes.c, stria-paint-headers.c, stria-paint-ruler.c (and minimap),
 * stria-paint-overlay.c.
 */

#define HEADER_SHARE 0.2
#define HEADER_LEAST stria_text_px (110.0)
#define HEADER_MOST  stria_text_px (260.0)
/* Below this height the minimap is left out */
#define MINIMAP_FROM 200.0
/* How far from a thin event a click may be */
#define SLACK_PX     3

static void
translated (cairo_t *cr, double x, double y)
{
  cairo_restore (cr);
  cairo_save (cr);
  cairo_translate (cr, x, y);
}

void
stria_timeline_paint (cairo_t *cr, const StriaTimelineView *view, double width, double height)
{
  const double header
      = floor (MIN (CLAMP (width * HEADER_SHARE, HEADER_LEAST, HEADER_MOST), width / 2));
  const double minimap = height >= MINIMAP_FROM ? STRIA_TIMELINE_MINIMAP_HEIGHT : 0;
  const double top = minimap + STRIA_TIMELINE_RULER_HEIGHT;
  double pinned = 0;
  double body = 0;
  StriaTimelineView lanes = *view;

  g_return_if_fail (view->trace != NULL && view->layout != NULL && view->t1 > view->t0);

  /* The parts do not see each other's width: fix the step that all of them draw */
  lanes.tick_step_ns = stria_timeline_tick_step (view, width - header);
  pinned = MIN (stria_timeline_layout_pinned_height (view->layout), (height - top) / 2);
  body = height - top - pinned;
  cairo_save (cr);
  translated (cr, 0, 0);
  stria_timeline_paint_corner (cr, view, header, top);
  translated (cr, header, 0);
  if (minimap > 0)
    stria_timeline_paint_minimap (cr, &lanes, width - header, minimap);
  translated (cr, header, minimap);
  stria_timeline_paint_ruler (cr, &lanes, width - header, STRIA_TIMELINE_RULER_HEIGHT);
  if (pinned > 0)
    {
      translated (cr, 0, top);
      stria_timeline_paint_headers (cr, &lanes, header, pinned, 0, TRUE);
      translated (cr, header, top);
      stria_timeline_paint_lanes (cr, &lanes, width - header, pinned, 0, TRUE);
    }
  translated (cr, 0, top + pinned);
  stria_timeline_paint_headers (cr, &lanes, header, body, 0, FALSE);
  translated (cr, header, top + pinned);
  stria_timeline_paint_lanes (cr, &lanes, width - header, body, 0, FALSE);
  translated (cr, header, top);
  stria_timeline_paint_overlay (cr, &lanes, width - header, height - top, 0);
  cairo_restore (cr);
}

/* What is drawn in pixel @px of a row. The display list itself is asked, for one pixel, so that
 * what is hit is what is seen. */
static guint32
event_in_pixel (const StriaTimelineView *view, StriaLane *lane, guint32 row, double width, gint64 px,
                GArray *records)
{
  const gint64 t0 = stria_x_to_time ((double) px, view->t0, view->t1, width);
  const gint64 t1 = stria_x_to_time ((double) (px + 1), view->t0, view->t1, width);

  g_array_set_size (records, 0);
  stria_display_list_slices (lane, row, row + 1, t0, MAX (t1, t0 + 1), 1, NULL, records);
  if (records->len == 0)
    return G_MAXUINT32;
  return g_array_index (records, StriaDrawRecord, records->len - 1).event;
}

static StriaRef
hit_slice (const StriaTimelineView *view, const StriaLayoutItem *item, StriaLane *lane, double width,
           double x, double y)
{
  const double inside = y - item->y - STRIA_LAYOUT_LANE_PADDING;
  const guint32 n_rows = stria_timeline_layout_item_rows (view->layout, item);
  g_autoptr (GArray) records = NULL;
  guint32 row = 0;

  if (inside < -STRIA_LAYOUT_LANE_PADDING)
    return STRIA_REF_NONE;
  row = MIN ((guint32) MAX (inside / item->row_height, 0), n_rows - 1);
  records = g_array_new (FALSE, FALSE, sizeof (StriaDrawRecord));
  for (gint64 away = 0; away <= SLACK_PX; away++)
    for (gint64 side = 1; side >= -1; side -= 2)
      {
        const guint32 event
            = event_in_pixel (view, lane, row, width, (gint64) floor (x) + side * away, records);

        if (event != G_MAXUINT32)
          return (StriaRef){ item->lane, event };
      }
  return STRIA_REF_NONE;
}

/**
 * stria_timeline_hit:
 * @width: width of the lanes' area
 * @x: pixels from its left edge
 * @y: pixels from the top of the scrolled or pinned area as seen, that is less @scroll_y
 *
 * Returns: the event that is drawn there or at most three pixels aside; of several in a pixel, the
 * longest
 */
StriaRef
stria_timeline_hit (const StriaTimelineView *view, double width, double scroll_y, double x, double y,
                    gboolean pinned)
{
  const StriaLayoutItem *item = pinned ? stria_timeline_layout_pinned_at (view->layout, y)
                                       : stria_timeline_layout_at (view->layout, y + scroll_y);
  StriaLane *lane = NULL;

  g_return_val_if_fail (view->trace != NULL && view->t1 > view->t0, STRIA_REF_NONE);

  if (item == NULL || item->is_process || x < 0 || x >= width)
    return STRIA_REF_NONE;
  lane = stria_trace_get_lane (view->trace, item->lane);
  if (!stria_lane_is_loaded (lane))
    return STRIA_REF_NONE;
  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    {
      const guint64 sample
          = stria_lane_sample_at (lane, stria_x_to_time (x + 0.5, view->t0, view->t1, width));

      if (sample == G_MAXUINT64)
        return STRIA_REF_NONE;
      return (StriaRef){ item->lane, (guint32) sample };
    }
  return hit_slice (view, item, lane, width, x, pinned ? y : y + scroll_y);
}

gboolean
stria_timeline_locate (const StriaTimelineView *view, double width, StriaRef ref, double *x,
                       double *y, double *w, double *h)
{
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (view->layout, ref.lane);
  StriaLane *lane = NULL;
  const StriaColumns *columns = NULL;
  guint32 row = 0;

  if (item == NULL)
    return FALSE;
  lane = stria_trace_get_lane (view->trace, ref.lane);
  columns = stria_lane_get_columns (lane);
  if (columns == NULL || ref.index >= columns->n)
    return FALSE;
  *x = stria_time_to_x (columns->start[ref.index], view->t0, view->t1, width);
  *w = 0;
  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    {
      *y = item->y + STRIA_LAYOUT_LANE_PADDING;
      *h = item->row_height;
      return TRUE;
    }
  row = stria_lane_row_of (lane, ref.index);
  if (row >= stria_timeline_layout_item_rows (view->layout, item))
    return FALSE;
  if (columns->dur != NULL)
    *w = stria_time_to_x (stria_lane_drawn_end (lane, ref.index), view->t0, view->t1, width) - *x;
  *y = item->y + STRIA_LAYOUT_LANE_PADDING + row * item->row_height;
  *h = item->row_height - 1;
  return TRUE;
}
