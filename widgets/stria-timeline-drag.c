/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-display-list.h"
#include "stria-timeline-marks-private.h"

#include <math.h>

#define DRAG_THRESHOLD_PX 4.0
#define SNAP_PX           6.0
#define SNAP_CANDIDATES   16
#define HANDLE_PX         6.0
#define LEAST_VIEW_NS     100

/* The best edge so far */
typedef struct
{
  gint64 ns;
  gint64 left;
  gint64 right;
  gint64 best;
  gint64 distance;
} Snap;

static void
snap_to_row (Snap *snap, StriaLane *lane, guint32 row)
{
  const StriaColumns *columns = stria_lane_get_columns (lane);
  guint64 begin = 0;
  guint64 end = 0;

  stria_lane_get_row (lane, row, &begin, &end);
  begin = stria_lane_lower_bound (lane, row, snap->left);
  for (guint64 i = begin;
       i < MIN (end, begin + SNAP_CANDIDATES) && columns->start[i] <= snap->right; i++)
    {
      const gint64 edges[] = { columns->start[i], stria_lane_drawn_end (lane, i) };

      for (guint j = 0; j < G_N_ELEMENTS (edges); j++)
        if (edges[j] >= snap->left && edges[j] <= snap->right
            && ABS (edges[j] - snap->ns) < snap->distance)
          {
            snap->best = edges[j];
            snap->distance = ABS (edges[j] - snap->ns);
          }
    }
}

/* @y: in the widget; below 0: all rows of the item */
static void
snap_to_item (StriaTimeline *self, Snap *snap, const StriaLayoutItem *item, double y)
{
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);
  StriaLane *lane = NULL;
  guint32 rows = 0;
  guint32 row = 0;
  double inside = 0;

  if (item == NULL || item->is_process || item->lane >= stria_trace_get_n_lanes (trace))
    return;
  lane = stria_trace_get_lane (trace, item->lane);
  if (stria_lane_get_columns (lane) == NULL || stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    return;
  rows = MIN (stria_timeline_layout_item_rows (self->layout, item), stria_lane_get_n_rows (lane));
  if (y < 0)
    {
      for (row = 0; row < rows; row++)
        snap_to_row (snap, lane, row);
      return;
    }
  inside = y - stria_timeline_top (self) - item->y - STRIA_LAYOUT_LANE_PADDING;
  if (!item->pinned)
    inside += stria_timeline_scroll (self) - stria_timeline_pinned_shown (self);
  row = MIN ((guint32) MAX (inside / item->row_height, 0), MAX (rows, 1) - 1);
  if (row < rows)
    snap_to_row (snap, lane, row);
}

/**
 * stria_timeline_snapped:
 *
 * Returns: the nearest edge of a slice of the row under a point, if one is near, else the time there;
 * in the strip of marks the nearest of all rows in sight
 */
gint64
stria_timeline_snapped (StriaTimeline *self, double x, double y)
{
  const gint64 ns = stria_timeline_time_at (self, x);
  Snap snap = { ns, stria_timeline_time_at (self, x - SNAP_PX),
                stria_timeline_time_at (self, x + SNAP_PX), ns, 0 };
  const double scroll = stria_timeline_scroll (self);
  const StriaLayoutItem *items = NULL;
  guint n = 0;

  snap.distance = snap.right - ns;
  if (stria_timeline_layout_get_trace (self->layout) == NULL)
    return ns;
  if (stria_timeline_region_at (self, x, y) != REGION_MARKS)
    {
      snap_to_item (self, &snap, stria_timeline_item_at (self, x, y), y);
      return snap.best;
    }
  items = stria_timeline_layout_pinned (self->layout, &n);
  for (guint i = 0; i < n; i++)
    snap_to_item (self, &snap, &items[i], -1);
  items = stria_timeline_layout_items (self->layout, &n);
  for (guint i = 0; i < n && items[i].y < scroll + stria_timeline_lanes_height (self); i++)
    if (items[i].y + items[i].height > scroll)
      snap_to_item (self, &snap, &items[i], -1);
  return snap.best;
}

static void
add_process_lanes (StriaTimeline *self, guint32 process, GArray *lanes)
{
  guint n = 0;
  const guint32 *all = stria_timeline_layout_process_lanes (self->layout, process, &n);

  g_array_append_vals (lanes, all, n);
}

static gboolean
contains (GArray *lanes, guint32 lane)
{
  for (guint i = 0; i < lanes->len; i++)
    if (g_array_index (lanes, guint32, i) == lane)
      return TRUE;
  return FALSE;
}

static void
add_covered (StriaTimeline *self, const StriaLayoutItem *items, guint n, double offset, double y0,
             double y1, GArray *lanes)
{
  for (guint i = 0; i < n; i++)
    {
      const double top = items[i].y + offset;

      if (top + items[i].height <= y0 || top > y1)
        continue;
      if (items[i].is_process && items[i].collapsed)
        add_process_lanes (self, items[i].process, lanes);
      else if (!items[i].is_process && !contains (lanes, items[i].lane))
        g_array_append_val (lanes, items[i].lane);
    }
}

/* Lanes that the drag went over; a folded process stands for all of its lanes. */
static GArray *
covered_lanes (StriaTimeline *self)
{
  GArray *lanes = g_array_new (FALSE, FALSE, sizeof (guint32));
  const double y0 = MIN (self->drag_y, self->drag_now_y);
  const double y1 = MAX (self->drag_y, self->drag_now_y);
  const double top = stria_timeline_top (self);
  const double pinned = stria_timeline_pinned_shown (self);
  guint n = 0;
  const StriaLayoutItem *items = stria_timeline_layout_pinned (self->layout, &n);

  if (y0 < top + pinned)
    add_covered (self, items, n, top, y0, MIN (y1, top + pinned - 1), lanes);
  items = stria_timeline_layout_items (self->layout, &n);
  if (y1 >= top + pinned)
    add_covered (self, items, n, top + pinned - stria_timeline_scroll (self),
                 MAX (y0, top + pinned), y1, lanes);
  return lanes;
}

static void
begin_minimap (StriaTimeline *self, double x)
{
  const double width = stria_timeline_lanes_width (self);
  double left = 0;
  double right = 0;
  gint64 t0 = 0;
  gint64 t1 = 0;
  StriaTimelineView view;

  if (!stria_timeline_fill_view (self, &view))
    return;
  stria_timeline_minimap_range (&view, &t0, &t1);
  left = self->header_width + stria_time_to_x (view.t0, t0, t1, width);
  right = self->header_width + stria_time_to_x (view.t1, t0, t1, width);
  self->drag_kind = DRAG_MINIMAP;
  if (right - left > 4 * HANDLE_PX && fabs (x - left) <= HANDLE_PX)
    self->drag_kind = DRAG_MINIMAP_LEFT;
  else if (right - left > 4 * HANDLE_PX && fabs (x - right) <= HANDLE_PX)
    self->drag_kind = DRAG_MINIMAP_RIGHT;
  else if (x < left || x > right)
    {
      const gint64 center = stria_x_to_time (x - self->header_width, t0, t1, width);
      const gint64 half = (view.t1 - view.t0) / 2;

      stria_timeline_set_view (self, center - half, center - half + (view.t1 - view.t0));
      stria_session_get_view (self->session, &self->drag_t0, &self->drag_t1);
    }
}

static void
on_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  StriaTimeline *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const gboolean middle
      = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_MIDDLE;
  const StriaLayoutItem *item = stria_timeline_item_at (self, x, y);
  const Region region = stria_timeline_region_at (self, x, y);

  self->drag_kind = DRAG_NONE;
  self->drag_x = x;
  self->drag_y = self->drag_now_y = y;
  self->drag_moved = FALSE;
  self->drag_scroll = gtk_adjustment_get_value (self->vadjustment);
  stria_session_get_view (self->session, &self->drag_t0, &self->drag_t1);
  if (!middle && stria_timeline_begin_mark (self, x, y, region))
    {
      self->drag_kind = DRAG_MARK;
      stria_timeline_stop (self);
      return;
    }
  switch (region)
    {
    case REGION_BORDER:
      self->drag_kind = DRAG_BORDER;
      break;
    case REGION_MINIMAP:
      begin_minimap (self, x);
      break;
    case REGION_RULER:
    case REGION_LANES:
    case REGION_PINNED:
      self->range_all = region == REGION_RULER;
      if (middle || (region != REGION_RULER && self->pan_lanes && (state & GDK_SHIFT_MASK) == 0)
          || (region == REGION_RULER && (state & GDK_SHIFT_MASK) == 0))
        self->drag_kind = DRAG_PAN;
      else
        self->drag_kind = DRAG_RANGE;
      break;
    case REGION_HEADER_EDGE:
      if (stria_timeline_edge_at (self, y) != NULL)
        {
          self->drag_kind = DRAG_HEIGHT;
          self->resized = stria_timeline_edge_at (self, y)->lane;
          self->resized_from = stria_timeline_edge_at (self, y)->row_height;
        }
      break;
    case REGION_HEADER:
      if (item != NULL)
        {
          self->drag_kind = DRAG_HEADER;
          self->drag_item = *item;
        }
      break;
    case REGION_MARKS:
    case REGION_PINNED_HEADER:
    case REGION_CORNER:
    case REGION_NONE:
    default:
      break;
    }
  if (self->drag_kind == DRAG_NONE || (middle && self->drag_kind != DRAG_PAN))
    {
      self->drag_kind = DRAG_NONE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  stria_timeline_stop (self);
}

static void
drag_minimap (StriaTimeline *self, double dx)
{
  const double width = stria_timeline_lanes_width (self);
  gint64 t0 = 0;
  gint64 t1 = 0;
  gint64 delta = 0;
  StriaTimelineView view;

  if (!stria_timeline_fill_view (self, &view))
    return;
  stria_timeline_minimap_range (&view, &t0, &t1);
  delta = (gint64) (dx * (double) (t1 - t0) / width);
  if (self->drag_kind == DRAG_MINIMAP)
    stria_timeline_set_view (self, self->drag_t0 + delta, self->drag_t1 + delta);
  else if (self->drag_kind == DRAG_MINIMAP_LEFT)
    stria_timeline_set_view (self, MIN (self->drag_t0 + delta, self->drag_t1 - LEAST_VIEW_NS),
                             self->drag_t1);
  else
    stria_timeline_set_view (self, self->drag_t0,
                             MAX (self->drag_t1 + delta, self->drag_t0 + LEAST_VIEW_NS));
}

static void
drag_pan (StriaTimeline *self, double dx, double dy)
{
  const double ns_per_px
      = (double) (self->drag_t1 - self->drag_t0) / stria_timeline_lanes_width (self);
  const gint64 length = self->drag_t1 - self->drag_t0;
  gint64 bound0 = 0;
  gint64 bound1 = 0;
  gint64 t0 = self->drag_t0 - (gint64) (dx * ns_per_px);

  stria_session_get_bounds (self->session, &bound0, &bound1);
  t0 = CLAMP (t0, bound0, MAX (bound1 - length, bound0));
  stria_timeline_set_view (self, t0, t0 + length);
  if (self->drag_y >= stria_timeline_top (self))
    gtk_adjustment_set_value (self->vadjustment, self->drag_scroll - dy);
}

static void
drag_range (StriaTimeline *self, double x, double y)
{
  const double right = gtk_widget_get_width (GTK_WIDGET (self));

  x = CLAMP (x, self->header_width, right);
  self->drag_now_y = CLAMP (y, stria_timeline_top (self),
                            gtk_widget_get_height (GTK_WIDGET (self)) - 1);
  self->range_to = stria_timeline_snapped (self, x, self->drag_now_y);
  stria_timeline_stale (self, LAYER_RULER);
  stria_timeline_stale (self, LAYER_MINIMAP_FRAME);
}

static void
on_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  StriaTimeline *self = data;
  const double x = self->drag_x + dx;
  const double y = self->drag_y + dy;

  if (self->drag_kind == DRAG_NONE)
    return;
  if (!self->drag_moved && hypot (dx, dy) < DRAG_THRESHOLD_PX && self->drag_kind != DRAG_MINIMAP)
    return;
  if (!self->drag_moved)
    {
      self->drag_moved = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      stria_timeline_set_hover (self, STRIA_REF_NONE);
      self->range_from = stria_timeline_snapped (self, self->drag_x, self->drag_y);
      stria_timeline_stale (self, LAYER_OVERLAY);
    }
  self->pointer_x = x;
  self->pointer_y = y;
  switch (self->drag_kind)
    {
    case DRAG_BORDER:
      stria_timeline_set_header_width (self, x);
      break;
    case DRAG_MINIMAP:
    case DRAG_MINIMAP_LEFT:
    case DRAG_MINIMAP_RIGHT:
      drag_minimap (self, dx);
      break;
    case DRAG_PAN:
      drag_pan (self, dx, dy);
      break;
    case DRAG_RANGE:
      drag_range (self, x, y);
      break;
    case DRAG_HEIGHT:
      stria_timeline_layout_set_lane_height (
          self->layout, self->resized, MAX (self->resized_from + dy, STRIA_LAYOUT_HEIGHT_LEAST));
      stria_timeline_layout_changed (self);
      break;
    case DRAG_HEADER:
      self->drag_now_y = y;
      gtk_widget_queue_draw (GTK_WIDGET (self));
      break;
    case DRAG_MARK:
      stria_timeline_drag_mark (self, x, y,
                                (gtk_event_controller_get_current_event_state (
                                     GTK_EVENT_CONTROLLER (gesture))
                                 & GDK_SHIFT_MASK) == 0);
      break;
    case DRAG_NONE:
    default:
      break;
    }
}

/* Middle of an item in the widget */
static double
middle_of (StriaTimeline *self, const StriaLayoutItem *item)
{
  return stria_timeline_top (self) + stria_timeline_pinned_shown (self) + item->y
         + item->height / 2 - stria_timeline_scroll (self);
}

/**
 * stria_timeline_drop_line:
 * @before: (out): lane or process that the dragged one would go before, %G_MAXUINT32 = last
 *
 * Returns: where in the widget the gap is
 */
double
stria_timeline_drop_line (StriaTimeline *self, guint32 *before)
{
  guint n = 0;
  const StriaLayoutItem *items = stria_timeline_layout_items (self->layout, &n);
  const gboolean process = self->drag_item.is_process;
  double line = 0;

  *before = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    {
      const StriaLayoutItem *item = &items[i];
      const double y = middle_of (self, item);

      if (!process && item->process != self->drag_item.process)
        continue;
      if (item->is_process == process && self->drag_now_y < y)
        {
          *before = process ? item->process : item->lane;
          return y - item->height / 2;
        }
      line = y + item->height / 2;
    }
  return line;
}

static void
drop_header (StriaTimeline *self)
{
  guint32 before = 0;

  stria_timeline_drop_line (self, &before);
  if (self->drag_item.is_process)
    stria_timeline_layout_move_process (self->layout, self->drag_item.process, before);
  else
    stria_timeline_layout_move_lane (self->layout, self->drag_item.lane, before);
  stria_timeline_layout_changed (self);
}

static void
commit_range (StriaTimeline *self)
{
  const gint64 t0 = MIN (self->range_from, self->range_to);
  const gint64 t1 = MAX (self->range_from, self->range_to);
  g_autoptr (GArray) lanes = NULL;

  if (t1 <= t0)
    {
      stria_session_clear_range (self->session);
      return;
    }
  lanes = covered_lanes (self);
  if (self->range_all || lanes->len == 0)
    stria_session_set_range (self->session, t0, t1, NULL, 0);
  else
    stria_session_set_range (self->session, t0, t1,
                             (const guint32 *) (gpointer) lanes->data, lanes->len);
}

static void
on_end (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  StriaTimeline *self = data;
  const DragKind kind = self->drag_kind;

  self->drag_kind = DRAG_NONE;
  if (self->drag_moved && kind == DRAG_RANGE)
    commit_range (self);
  else if (self->drag_moved && kind == DRAG_HEADER)
    drop_header (self);
  else if (kind == DRAG_MARK)
    stria_timeline_end_mark (self, self->drag_moved);
  self->drag_moved = FALSE;
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_stale (self, LAYER_RULER);
  stria_timeline_update_hover (self);
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  StriaTimeline *self = data;
  const DragKind kind = self->drag_kind;

  self->drag_kind = DRAG_NONE;
  if (kind == DRAG_MARK)
    stria_timeline_end_mark (self, FALSE);
  self->drag_moved = FALSE;
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_stale (self, LAYER_RULER);
}

static void
add_for_button (StriaTimeline *self, guint button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_cancel), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
stria_timeline_add_drag (StriaTimeline *self)
{
  add_for_button (self, GDK_BUTTON_PRIMARY);
  add_for_button (self, GDK_BUTTON_MIDDLE);
}
