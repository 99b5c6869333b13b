/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <math.h>

/**
 * SECTION:stria-graph-area-input
 *
 * Pointer and wheel, with the timeline's conventions: the wheel scrolls, with Shift sideways, with
 * Ctrl it zooms where the pointer is; a touchpad pans and pinches.
 */

#define WHEEL_ZOOM     1.25  /* a notch */
#define TOUCHPAD_ZOOM  0.006 /* a pixel, as exponent */
#define WHEEL_PAN      90.0  /* pixels a notch */
#define TOUCHPAD_SPEED 2.5   /* what GtkScrolledWindow multiplies a touchpad's distances by */
#define DRAG_LEAST_PX  5.0
#define WIRE_PX        5.0 /* a wire so near is meant */
#define HEADER_PX      14.0 /* least height of a title that can be hit */
#define ZOOM_BOX_MOST  (2 * STRIA_GRAPH_FULL_SIZE) /* a small rectangle is not blown up more */
#define TIP_PX         6

static double
scene_x (StriaGraphArea *self, double x)
{
  return self->x + x / self->zoom;
}

static double
scene_y (StriaGraphArea *self, double y)
{
  return self->y + y / self->zoom;
}

static gboolean
in_minimap (StriaGraphArea *self, double x, double y)
{
  graphene_rect_t rect;

  return stria_graph_area_minimap_rect (self, &rect)
         && graphene_rect_contains_point (&rect, &GRAPHENE_POINT_INIT ((float) x, (float) y));
}

/* The box under a point, an open group only by its title: what is between its boxes is empty. */
static guint32
item_at (StriaGraphArea *self, double x, double y)
{
  guint32 item;

  if (self->scene == NULL || in_minimap (self, x, y))
    return STRIA_NO_ITEM;
  item = stria_scene_hit (self->scene, (float) scene_x (self, x), (float) scene_y (self, y));
  if (item != STRIA_NO_ITEM && self->scene->items[item].open
      && scene_y (self, y) - (double) self->scene->items[item].y
             > MAX (STRIA_GRAPH_HEADER, HEADER_PX / self->zoom))
    return STRIA_NO_ITEM;
  return item;
}

static gboolean
on_chevron (StriaGraphArea *self, guint32 item, double x)
{
  const StriaSceneItem *box = &self->scene->items[item];

  return box->node == STRIA_NO_NODE && self->zoom >= 0.4
         && scene_x (self, x) - (double) box->x < STRIA_GRAPH_CHEVRON;
}

static const char *
cursor_for (StriaGraphArea *self)
{
  switch (self->drag_moved ? self->drag : STRIA_GRAPH_DRAG_NONE)
    {
    case STRIA_GRAPH_DRAG_PAN:
    case STRIA_GRAPH_DRAG_MINIMAP:
      return "grabbing";
    case STRIA_GRAPH_DRAG_SELECT:
      return "crosshair";
    case STRIA_GRAPH_DRAG_ZOOM:
      return "zoom-in";
    case STRIA_GRAPH_DRAG_NONE:
    default:
      return self->hover_item != STRIA_NO_ITEM
                     || in_minimap (self, self->pointer_x, self->pointer_y)
                 ? "pointer"
                 : "default";
    }
}

/* What is under the pointer may change when the view moves, too. */
void
stria_graph_area_update_hover (StriaGraphArea *self)
{
  guint32 item = STRIA_NO_ITEM;
  guint32 wire = G_MAXUINT32;

  if (self->pointer_inside && !self->drag_moved && self->scene != NULL && self->move.scene == NULL)
    {
      item = item_at (self, self->pointer_x, self->pointer_y);
      if (item == STRIA_NO_ITEM && !in_minimap (self, self->pointer_x, self->pointer_y))
        wire = stria_scene_hit_wire (self->scene, (float) scene_x (self, self->pointer_x),
                                     (float) scene_y (self, self->pointer_y),
                                     (float) (WIRE_PX / self->zoom));
    }
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor_for (self));
  if (item == self->hover_item && wire == self->hover_wire)
    return;
  self->hover_item = item;
  self->hover_wire = wire;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  stria_graph_area_emit_hover_changed (self);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  StriaGraphArea *self = data;

  self->pointer_x = x;
  self->pointer_y = y;
  self->pointer_inside = TRUE;
  stria_graph_area_update_hover (self);
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer data)
{
  StriaGraphArea *self = data;

  self->pointer_inside = FALSE;
  stria_graph_area_update_hover (self);
}

/* -- Wheel, touchpad, pinch -------------------------------------------------------------------- */

static void
zoom_at_pointer (StriaGraphArea *self, double factor, gboolean smooth)
{
  const double x
      = self->pointer_inside ? self->pointer_x : gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
  const double y
      = self->pointer_inside ? self->pointer_y : gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;

  stria_graph_area_zoom_at (self, x, y, factor, smooth);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  StriaGraphArea *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  const gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  const double speed = wheel ? WHEEL_PAN : TOUCHPAD_SPEED;

  if (self->scene == NULL)
    return GDK_EVENT_PROPAGATE;
  self->fling_x = self->fling_y = 0;
  if ((state & GDK_CONTROL_MASK) != 0)
    {
      zoom_at_pointer (self,
                       wheel ? pow (WHEEL_ZOOM, -dy) : exp (-dy * TOUCHPAD_SPEED * TOUCHPAD_ZOOM),
                       wheel);
      return GDK_EVENT_STOP;
    }
  /* Where nothing is above or below, the wheel goes along. */
  if (dx == 0
      && ((state & GDK_SHIFT_MASK) != 0
          || (wheel && self->y <= 0
              && scene_y (self, gtk_widget_get_height (GTK_WIDGET (self)))
                     >= (double) self->scene->height)))
    {
      dx = dy;
      dy = 0;
    }
  stria_graph_area_pan (self, dx * speed, dy * speed, wheel);
  return GDK_EVENT_STOP;
}

static void
on_decelerate (GtkEventControllerScroll *controller, double vx, double vy, gpointer data)
{
  StriaGraphArea *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  /* A zoom that runs on by itself loses the place */
  if ((state & GDK_CONTROL_MASK) == 0 && self->scene != NULL)
    stria_graph_area_fling (self, vx * TOUCHPAD_SPEED, vy * TOUCHPAD_SPEED);
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  StriaGraphArea *self = data;

  self->pinch_scale = 1;
  if (!gtk_gesture_get_bounding_box_center (gesture, &self->pinch_x, &self->pinch_y))
    {
      self->pinch_x = self->pointer_x;
      self->pinch_y = self->pointer_y;
    }
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, gpointer data)
{
  StriaGraphArea *self = data;

  if (scale <= 0)
    return;
  stria_graph_area_zoom_at (self, self->pinch_x, self->pinch_y, scale / self->pinch_scale, FALSE);
  self->pinch_scale = scale;
}

/* -- Clicks ------------------------------------------------------------------------------------ */

static void
add_or_remove (StriaGraphArea *self, guint32 node)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  StriaGraphSpot spot = { node, STRIA_NO_GROUP, G_MAXUINT32 };
  gboolean was_there = FALSE;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const guint32 other = g_array_index (self->nodes, guint32, i);

      was_there = was_there || other == node;
      if (other != node)
        g_array_append_val (nodes, other);
    }
  if (!was_there)
    g_array_append_val (nodes, node);
  else if (nodes->len > 0)
    spot.node = g_array_index (nodes, guint32, nodes->len - 1);
  else
    spot = STRIA_NO_SPOT;
  stria_graph_area_select_all (self, nodes, spot);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  StriaGraphArea *self = data;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->fling_x = self->fling_y = 0;
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  StriaGraphArea *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const guint32 item = item_at (self, x, y);
  StriaGraphSpot spot;

  self->pointer_x = x;
  self->pointer_y = y;
  self->pointer_inside = TRUE;
  if (self->scene == NULL || in_minimap (self, x, y) || self->drag_moved)
    return;
  spot = stria_graph_spot (self->scene, item);
  if (item == STRIA_NO_ITEM)
    stria_graph_area_select_spot (self, STRIA_NO_SPOT);
  else if (spot.node != STRIA_NO_NODE && (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0)
    add_or_remove (self, spot.node);
  else
    {
      const gboolean chevron = on_chevron (self, item, x);

      stria_graph_area_select_spot (self, spot);
      /* On the chevron each click counts, elsewhere on the title each second one. */
      if (spot.node == STRIA_NO_NODE && (chevron || n_press % 2 == 0))
        stria_graph_area_set_open (self, spot, !self->scene->items[item].open);
      else if (spot.node != STRIA_NO_NODE && n_press == 2)
        stria_graph_area_emit_activated (self, spot.node);
    }
}

static void
on_menu_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  StriaGraphArea *self = data;
  const guint32 item = item_at (self, x, y);

  if (self->scene == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (item != STRIA_NO_ITEM)
    {
      const StriaGraphSpot spot = stria_graph_spot (self->scene, item);
      gboolean is_selected = FALSE;

      for (guint i = 0; i < self->nodes->len; i++)
        is_selected = is_selected || g_array_index (self->nodes, guint32, i) == spot.node;
      if (!is_selected)
        stria_graph_area_select_spot (self, spot);
    }
  stria_graph_area_popup_menu (self, x, y);
}

/* -- Drags ------------------------------------------------------------------------------------- */

static void
move_minimap (StriaGraphArea *self, double x, double y)
{
  graphene_rect_t rect;
  StriaGraphView small;

  if (!stria_graph_area_minimap_rect (self, &rect))
    return;
  stria_graph_area_minimap_view (self, &rect, &small);
  self->gliding = FALSE;
  self->fitted = FALSE;
  stria_graph_area_end_move (self);
  stria_graph_area_set_view (
      self,
      small.x + (x - (double) rect.origin.x) / small.zoom
          - gtk_widget_get_width (GTK_WIDGET (self)) / 2.0 / self->zoom,
      small.y + (y - (double) rect.origin.y) / small.zoom
          - gtk_widget_get_height (GTK_WIDGET (self)) / 2.0 / self->zoom,
      self->zoom);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  StriaGraphArea *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const gboolean primary = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture))
                           == GDK_BUTTON_PRIMARY;

  self->drag_moved = FALSE;
  self->drag_x = self->drag_now_x = x;
  self->drag_y = self->drag_now_y = y;
  self->drag_view_x = self->x;
  self->drag_view_y = self->y;
  self->drag_gesture = GTK_GESTURE (gesture);
  if (self->scene == NULL)
    self->drag = STRIA_GRAPH_DRAG_NONE;
  else if (primary && in_minimap (self, x, y))
    {
      self->drag = STRIA_GRAPH_DRAG_MINIMAP;
      move_minimap (self, x, y);
    }
  else if (primary && (state & GDK_SHIFT_MASK) != 0)
    self->drag = STRIA_GRAPH_DRAG_SELECT;
  else if (primary && (state & GDK_CONTROL_MASK) != 0)
    self->drag = STRIA_GRAPH_DRAG_ZOOM;
  else
    self->drag = STRIA_GRAPH_DRAG_PAN;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  StriaGraphArea *self = data;

  if (self->drag == STRIA_GRAPH_DRAG_NONE)
    return;
  if (!self->drag_moved)
    {
      if (hypot (dx, dy) < DRAG_LEAST_PX)
        return;
      self->drag_moved = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      stria_graph_area_stop (self);
      stria_graph_area_update_hover (self);
    }
  self->drag_now_x = self->drag_x + dx;
  self->drag_now_y = self->drag_y + dy;
  if (self->drag == STRIA_GRAPH_DRAG_MINIMAP)
    move_minimap (self, self->drag_now_x, self->drag_now_y);
  else if (self->drag == STRIA_GRAPH_DRAG_PAN)
    {
      self->fitted = FALSE;
      stria_graph_area_set_view (self, self->drag_view_x - dx / self->zoom,
                                 self->drag_view_y - dy / self->zoom, self->zoom);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Nodes that touch the rectangle; of closed groups all in them. They come to those that are
 * selected. */
static void
select_in (StriaGraphArea *self, double x0, double y0, double x1, double y1)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *hit = g_malloc0 (MAX (self->scene->n_items, 1));
  g_autofree guint8 *chosen = g_malloc0 (MAX (stria_graph_n_nodes (self->graph), 1));
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  StriaGraphSpot spot = STRIA_NO_SPOT;

  stria_scene_visible (self->scene, (float) x0, (float) y0, (float) x1, (float) y1, 0, items,
                       wires);
  for (guint i = 0; i < items->len; i++)
    {
      const guint32 item = g_array_index (items, guint32, i);

      hit[item] = self->scene->items[item].n_children == 0;
    }
  for (guint i = 0; i < self->nodes->len; i++)
    chosen[g_array_index (self->nodes, guint32, i)] = TRUE;
  for (guint32 i = 0; i < stria_graph_n_nodes (self->graph); i++)
    if (chosen[i]
        || (self->scene->item_of_node[i] != STRIA_NO_ITEM && hit[self->scene->item_of_node[i]]))
      g_array_append_val (nodes, i);
  if (nodes->len > 0)
    spot.node = g_array_index (nodes, guint32, 0);
  stria_graph_area_select_all (self, nodes, spot);
}

static void
zoom_to (StriaGraphArea *self, double x0, double y0, double x1, double y1)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const double zoom
      = CLAMP (MIN (width / MAX (x1 - x0, 1), height / MAX (y1 - y0, 1)), STRIA_GRAPH_MIN_ZOOM,
               MAX (ZOOM_BOX_MOST, self->zoom));

  stria_graph_area_glide_to (self, (x0 + x1) / 2 - width / 2 / zoom,
                             (y0 + y1) / 2 - height / 2 / zoom, zoom);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  StriaGraphArea *self = data;
  const StriaGraphDrag drag = self->drag_moved ? self->drag : STRIA_GRAPH_DRAG_NONE;
  const double x0 = scene_x (self, self->drag_x + MIN (dx, 0));
  const double y0 = scene_y (self, self->drag_y + MIN (dy, 0));
  const double x1 = scene_x (self, self->drag_x + MAX (dx, 0));
  const double y1 = scene_y (self, self->drag_y + MAX (dy, 0));

  self->drag = STRIA_GRAPH_DRAG_NONE;
  self->drag_moved = FALSE;
  if (self->scene != NULL && drag == STRIA_GRAPH_DRAG_SELECT)
    select_in (self, x0, y0, x1, y1);
  else if (self->scene != NULL && drag == STRIA_GRAPH_DRAG_ZOOM)
    zoom_to (self, x0, y0, x1, y1);
  self->pointer_x = self->drag_x + dx;
  self->pointer_y = self->drag_y + dy;
  stria_graph_area_update_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* As it was before the drag. Returns: %FALSE if there is none */
gboolean
stria_graph_area_cancel_drag (StriaGraphArea *self)
{
  const StriaGraphDrag drag = self->drag;

  if (drag == STRIA_GRAPH_DRAG_NONE)
    return FALSE;
  self->drag = STRIA_GRAPH_DRAG_NONE;
  self->drag_moved = FALSE;
  if (drag == STRIA_GRAPH_DRAG_PAN || drag == STRIA_GRAPH_DRAG_MINIMAP)
    stria_graph_area_set_view (self, self->drag_view_x, self->drag_view_y, self->zoom);
  gtk_gesture_set_state (self->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
  stria_graph_area_update_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

static void
on_drag_cancelled (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  stria_graph_area_cancel_drag (data);
}

/* -- Tooltip ----------------------------------------------------------------------------------- */

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
                  gpointer data)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);
  g_autofree char *markup = NULL;
  guint32 item;

  if (self->scene == NULL || self->drag_moved || self->move.scene != NULL
      || (!keyboard && in_minimap (self, x, y)))
    return FALSE;
  item = keyboard ? stria_graph_spot_find (self->scene, self->spot) : item_at (self, x, y);
  if (item != STRIA_NO_ITEM)
    {
      const StriaSceneItem *box = &self->scene->items[item];
      const double left = MAX (((double) box->x - self->x) * self->zoom, 0);
      const double top = MAX (((double) box->y - self->y) * self->zoom, 0);

      markup = stria_graph_area_item_card (self, item);
      if (box->open || keyboard)
        gtk_tooltip_set_tip_area (
            tooltip, &(GdkRectangle){ (int) left, (int) top,
                                      (int) MAX ((double) box->width * self->zoom, 1),
                                      (int) MAX (MIN ((double) box->height, STRIA_GRAPH_HEADER)
                                                     * self->zoom,
                                                 1) });
      else
        gtk_tooltip_set_tip_area (
            tooltip,
            &(GdkRectangle){ (int) left, (int) top, (int) MAX ((double) box->width * self->zoom, 1),
                             (int) MAX ((double) box->height * self->zoom, 1) });
    }
  else if (!keyboard && self->hover_wire < self->scene->n_wires)
    {
      markup = stria_graph_area_wire_card (self, self->hover_wire);
      gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - TIP_PX, y - TIP_PX, 2 * TIP_PX,
                                                          2 * TIP_PX });
    }
  if (markup == NULL)
    return FALSE;
  gtk_tooltip_set_markup (tooltip, markup);
  return TRUE;
}

static void
add_drag (StriaGraphArea *self, guint button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancelled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
stria_graph_area_add_controllers (StriaGraphArea *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();

  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (scroll, "decelerate", G_CALLBACK (on_decelerate), self);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect (menu, "pressed", G_CALLBACK (on_menu_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (menu));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_MIDDLE);
}
