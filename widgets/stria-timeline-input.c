/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-display-list.h"
#include "stria-timeline-marks-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define WHEEL_ZOOM     1.25  /* a notch */
#define TOUCHPAD_ZOOM  0.006 /* a pixel, as exponent */
#define WHEEL_SCROLL   stria_text_px (54.0)  /* pixels a notch: three rows */
#define WHEEL_PAN      0.08  /* of the width, a notch */
#define TOUCHPAD_SPEED 2.5   /* what GtkScrolledWindow multiplies a touchpad's distances by */
#define BUTTON_SIZE    22.0

/**
 * stria_timeline_pin_button:
 * @item: a header
 * @button: (out): where its pin button is
 *
 * Returns: %FALSE if it has none
 */
gboolean
stria_timeline_pin_button (StriaTimeline *self, const StriaLayoutItem *item,
                           graphene_rect_t *button)
{
  double y = stria_timeline_top (self);

  if (item->is_process)
    return FALSE;
  if (item->pinned)
    y += item->y;
  else
    y += stria_timeline_pinned_shown (self)
         + MAX (item->y - stria_timeline_scroll (self), 0);
  /* Where the name stays in sight, the button does */
  if (!item->pinned)
    y = MIN (y, stria_timeline_top (self) + stria_timeline_pinned_shown (self) + item->y
                    + item->height - stria_timeline_scroll (self) - BUTTON_SIZE);
  *button = GRAPHENE_RECT_INIT ((float) (self->header_width - BUTTON_SIZE - 5), (float) floor (y + 1),
                                (float) BUTTON_SIZE, (float) BUTTON_SIZE);
  return TRUE;
}

static const char *
cursor_for (StriaTimeline *self, Region region)
{
  if (self->drag_kind == DRAG_PAN || self->drag_kind == DRAG_MINIMAP)
    return "grabbing";
  if (stria_timeline_mark_cursor (self, region) != NULL)
    return stria_timeline_mark_cursor (self, region);
  switch (region)
    {
    case REGION_BORDER:
      return "col-resize";
    case REGION_HEADER_EDGE:
      return "row-resize";
    case REGION_RULER:
      return "grab";
    case REGION_MINIMAP:
    case REGION_HEADER:
    case REGION_PINNED_HEADER:
      return "pointer";
    case REGION_LANES:
    case REGION_PINNED:
      if (self->pan_lanes && stria_ref_is_none (self->hover))
        return "grab";
      return stria_ref_is_none (self->hover) ? "default" : "pointer";
    case REGION_MARKS:
    case REGION_NONE:
    case REGION_CORNER:
    default:
      return "default";
    }
}

/* What is under the pointer may change when the view moves, too. */
void
stria_timeline_update_hover (StriaTimeline *self)
{
  const Region region = stria_timeline_region_at (self, self->pointer_x, self->pointer_y);
  StriaRef hit = STRIA_REF_NONE;
  StriaTimelineView view;
  double y = self->pointer_y - stria_timeline_top (self);

  if (self->pointer_inside && self->drag_kind == DRAG_NONE
      && (region == REGION_LANES || region == REGION_PINNED)
      && stria_timeline_fill_view (self, &view))
    {
      if (region == REGION_LANES)
        y -= stria_timeline_pinned_shown (self);
      hit = stria_timeline_hit (&view, stria_timeline_lanes_width (self),
                                region == REGION_LANES ? stria_timeline_scroll (self) : 0,
                                self->pointer_x - self->header_width, y, region == REGION_PINNED);
    }
  stria_timeline_set_hover (self, hit);
  stria_timeline_tell_pointer (self);
  stria_timeline_hover_mark (self, region);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor_for (self, region));
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  StriaTimeline *self = data;

  self->pointer_x = x;
  self->pointer_y = y;
  self->pointer_inside = TRUE;
  stria_timeline_update_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer data)
{
  StriaTimeline *self = data;

  self->pointer_inside = FALSE;
  stria_timeline_set_hover (self, STRIA_REF_NONE);
  stria_timeline_tell_pointer (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
scroll_rows (StriaTimeline *self, double px)
{
  gtk_adjustment_set_value (self->vadjustment,
                            gtk_adjustment_get_value (self->vadjustment) + px);
}

static double
pointer_or_middle (StriaTimeline *self)
{
  if (self->pointer_inside && self->pointer_x >= self->header_width)
    return self->pointer_x;
  return self->header_width + stria_timeline_lanes_width (self) / 2;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  StriaTimeline *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  const gboolean wheel
      = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  const double pan = wheel ? stria_timeline_lanes_width (self) * WHEEL_PAN : TOUCHPAD_SPEED;

  self->fling_x = self->fling_y = 0;
  if ((state & GDK_CONTROL_MASK) != 0)
    {
      const double factor
          = wheel ? pow (WHEEL_ZOOM, dy) : exp (dy * TOUCHPAD_SPEED * TOUCHPAD_ZOOM);

      stria_timeline_zoom_at (self, pointer_or_middle (self), factor, wheel);
      return GDK_EVENT_STOP;
    }
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  if (dx != 0)
    stria_timeline_pan_px (self, dx * pan, wheel);
  if (dy != 0)
    scroll_rows (self, dy * (wheel ? WHEEL_SCROLL : TOUCHPAD_SPEED));
  return GDK_EVENT_STOP;
}

static void
on_decelerate (GtkEventControllerScroll *controller, double vx, double vy, gpointer data)
{
  StriaTimeline *self = data;
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  /* A zoom that runs on by itself loses the place */
  if ((state & GDK_CONTROL_MASK) != 0)
    return;
  if ((state & GDK_SHIFT_MASK) != 0)
    stria_timeline_fling (self, (vx + vy) * TOUCHPAD_SPEED, 0);
  else
    stria_timeline_fling (self, vx * TOUCHPAD_SPEED, vy * TOUCHPAD_SPEED);
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  StriaTimeline *self = data;
  double y = 0;

  self->pinch_scale = 1;
  if (!gtk_gesture_get_bounding_box_center (gesture, &self->pinch_x, &y))
    self->pinch_x = pointer_or_middle (self);
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, gpointer data)
{
  StriaTimeline *self = data;

  if (scale <= 0)
    return;
  stria_timeline_zoom_at (self, self->pinch_x, self->pinch_scale / scale, FALSE);
  self->pinch_scale = scale;
}

static void
click_header (StriaTimeline *self, double x, double y)
{
  const StriaLayoutItem *item = stria_timeline_item_at (self, x, y);
  StriaLayoutItem copy;
  graphene_rect_t button;

  if (item == NULL)
    return;
  copy = *item;
  if (stria_timeline_pin_button (self, &copy, &button)
      && graphene_rect_contains_point (&button, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
    stria_timeline_layout_set_lane_pinned (self->layout, copy.lane, !copy.pinned);
  else if (copy.is_process)
    stria_timeline_layout_set_process_collapsed (self->layout, copy.process, !copy.collapsed);
  else
    stria_timeline_layout_set_lane_collapsed (self->layout, copy.lane, !copy.collapsed);
  stria_timeline_layout_changed (self);
}

static void
click_lanes (StriaTimeline *self, int n_press)
{
  const StriaLayoutItem *item = stria_timeline_item_at (self, self->pointer_x, self->pointer_y);

  if (item != NULL && item->is_process)
    {
      stria_timeline_layout_set_process_collapsed (self->layout, item->process, !item->collapsed);
      stria_timeline_layout_changed (self);
      return;
    }
  stria_timeline_update_hover (self);
  stria_session_select (self->session, self->hover);
  if (n_press == 2 && !stria_ref_is_none (self->hover))
    gtk_widget_activate_action (GTK_WIDGET (self), "timeline.fit-event", NULL);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  StriaTimeline *self = data;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->fling_x = self->fling_y = 0;
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  StriaTimeline *self = data;

  self->pointer_x = x;
  self->pointer_y = y;
  self->pointer_inside = TRUE;
  switch (stria_timeline_region_at (self, x, y))
    {
    case REGION_HEADER:
    case REGION_PINNED_HEADER:
      click_header (self, x, y);
      break;
    case REGION_LANES:
    case REGION_PINNED:
      click_lanes (self, n_press);
      break;
    case REGION_MINIMAP:
      if (n_press == 2)
        stria_session_fit (self->session);
      break;
    case REGION_MARKS:
      stria_timeline_click_mark (self, n_press);
      break;
    case REGION_RULER:
    case REGION_BORDER:
    case REGION_HEADER_EDGE:
    case REGION_CORNER:
    case REGION_NONE:
    default:
      break;
    }
}

static void
on_menu_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  const Region region = stria_timeline_region_at (data, x, y);

  if (region == REGION_NONE || region == REGION_MINIMAP || region == REGION_RULER)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  stria_timeline_popup_menu (data, x, y);
}

void
stria_timeline_add_controllers (StriaTimeline *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();

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
}
