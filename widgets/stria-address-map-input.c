/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-address-map-private.h"

#include <math.h>

#include "stria-address-text.h"

#define ZOOM_STEP  0.8
#define PAN_STEP   0.15
#define LEAST_DRAG 5.0
#define MAX_PLACES 100
#define TIP_PX     3

/* Shares of the plot, from its left and its bottom, under the pointer; the middle outside of it */
static void
pointer_shares (StriaAddressMap *self, double *x, double *y)
{
  StriaAddressBox box;

  stria_address_box (gtk_widget_get_width (GTK_WIDGET (self)),
                     gtk_widget_get_height (GTK_WIDGET (self)), &box);
  *x = (self->pointer_x - box.x) / box.width;
  *y = 1 - (self->pointer_y - box.y) / box.height;
  if (!self->is_inside || !(*x >= 0 && *x <= 1))
    *x = 0.5;
  if (!self->is_inside || !(*y >= 0 && *y <= 1))
    *y = 0.5;
}

static void
scale_axis (gint64 *low, gint64 *high, double share, double factor)
{
  const double length = (double) *high - (double) *low;
  const double center = (double) *low + share * length;
  /* Where it is already all or nothing, bounds decide. */
  const double wanted = CLAMP (length * factor, 1, 4e18);

  *low = (gint64) CLAMP (center - share * wanted, -4e18, 4e18);
  *high = *low + (gint64) wanted;
}

static void
zoom (StriaAddressMap *self, double time_factor, double address_factor)
{
  StriaAddressPlace place = stria_address_map_place (self);
  double x, y;

  pointer_shares (self, &x, &y);
  if (time_factor != 1)
    scale_axis (&place.t0, &place.t1, x, time_factor);
  if (address_factor != 1 && self->view.kind == STRIA_ADDRESS_RANGES)
    scale_axis (&place.y0, &place.y1, y, address_factor);
  stria_address_map_go (self, place);
}

static void
pan (StriaAddressMap *self, double time_share, double address_share)
{
  StriaAddressPlace place = stria_address_map_place (self);
  const gint64 dt = (gint64) (time_share * (double) (place.t1 - place.t0));
  const gint64 dy = (gint64) (address_share * (double) (place.y1 - place.y0));

  place.t0 += dt;
  place.t1 += dt;
  place.y0 += dy;
  place.y1 += dy;
  stria_address_map_go (self, place);
}

static void
go_back (StriaAddressMap *self)
{
  StriaAddressPlace place;

  if (self->places->len == 0)
    return;
  place = g_array_index (self->places, StriaAddressPlace, self->places->len - 1);
  g_array_set_size (self->places, self->places->len - 1);
  stria_address_map_go (self, place);
}

/* The range that starts before or after the selected one, of those that are shown */
static void
step_range (StriaAddressMap *self, int by)
{
  GArray *ranges = self->view.memory->ranges;
  gint64 i = self->view.selected != STRIA_NO_RANGE ? (gint64) self->view.selected + by
                                                   : by > 0 ? 0 : (gint64) ranges->len - 1;

  for (; i >= 0 && i < ranges->len; i += by)
    {
      const StriaSbufRange *range = &g_array_index (ranges, StriaSbufRange, i);

      if (!stria_address_shows (&self->view, range)
          || (self->view.selected == STRIA_NO_RANGE && range->end < self->view.t0 && by > 0))
        continue;
      stria_address_map_select (self, (guint) i);
      return;
    }
}

static void
step_sample (StriaAddressMap *self, int by)
{
  const StriaAddressView *view = &self->view;
  GArray *times = view->kind == STRIA_ADDRESS_STACK
                      ? ((StriaMemoryStack *) view->memory->stacks->pdata[view->subject])->times
                      : ((StriaFullness *) view->memory->fullness->pdata[view->subject])->times;
  const gint64 from = view->moment == G_MININT64 ? view->t0 : view->moment;
  const gint64 i = CLAMP (stria_samples_at (times, from) + by, 0, (gint64) times->len - 1);

  stria_address_map_choose (self, STRIA_NO_RANGE, g_array_index (times, gint64, i));
}

static void
step (StriaAddressMap *self, int by)
{
  if (!self->has_any)
    return;
  if (self->view.kind == STRIA_ADDRESS_RANGES)
    step_range (self, by);
  else
    step_sample (self, by);
}

static gboolean
on_key (StriaAddressMap *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  const gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;

  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (gdk_keyval_to_lower (keyval))
    {
    case GDK_KEY_w:
      zoom (self, shift ? 1 : ZOOM_STEP, shift ? ZOOM_STEP : 1);
      break;
    case GDK_KEY_s:
      zoom (self, shift ? 1 : 1 / ZOOM_STEP, shift ? 1 / ZOOM_STEP : 1);
      break;
    case GDK_KEY_a:
      pan (self, -PAN_STEP, 0);
      break;
    case GDK_KEY_d:
      pan (self, PAN_STEP, 0);
      break;
    case GDK_KEY_Up:
      pan (self, 0, PAN_STEP);
      break;
    case GDK_KEY_Down:
      pan (self, 0, -PAN_STEP);
      break;
    case GDK_KEY_f:
      stria_address_map_fit (self);
      break;
    case GDK_KEY_p:
      stria_address_map_go_peak (self);
      break;
    case GDK_KEY_Left:
      step (self, -1);
      break;
    case GDK_KEY_Right:
      step (self, 1);
      break;
    case GDK_KEY_BackSpace:
      go_back (self);
      break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      stria_address_map_activate (self);
      break;
    case GDK_KEY_Escape:
      self->is_dragging = FALSE;
      stria_address_map_choose (self, STRIA_NO_RANGE, G_MININT64);
      break;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  return GDK_EVENT_STOP;
}

static gboolean
on_scroll (StriaAddressMap *self, double dx, double dy, GtkEventController *controller)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (controller);
  const gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;
  const double by = fabs (dx) > fabs (dy) ? dx : dy;

  if ((modifiers & GDK_CONTROL_MASK) != 0)
    zoom (self, shift ? 1 : pow (1.25, by), shift ? pow (1.25, by) : 1);
  else if (shift || fabs (dx) > fabs (dy))
    pan (self, by * 0.1, 0);
  else
    pan (self, 0, -by * 0.1);
  return GDK_EVENT_STOP;
}

static void
on_motion (StriaAddressMap *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
  self->is_inside = TRUE;
}

static void
on_leave (StriaAddressMap *self)
{
  self->is_inside = FALSE;
}

static void
on_drag_begin (StriaAddressMap *self, double x, double y, GtkGesture *gesture)
{
  const guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  const GdkModifierType modifiers
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!self->has_any || (button != GDK_BUTTON_PRIMARY && button != GDK_BUTTON_MIDDLE))
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->drag_x = x;
  self->drag_y = y;
  self->drag_dx = self->drag_dy = 0;
  self->is_dragging = TRUE;
  self->is_panning = button == GDK_BUTTON_MIDDLE || (modifiers & GDK_SHIFT_MASK) != 0;
  self->drag_from = stria_address_map_place (self);
}

static void
on_drag_update (StriaAddressMap *self, double dx, double dy)
{
  self->drag_dx = dx;
  self->drag_dy = dy;
  if (self->is_dragging && self->is_panning)
    {
      StriaAddressPlace place = self->drag_from;
      StriaAddressBox box;
      gint64 dt, da;

      stria_address_box (gtk_widget_get_width (GTK_WIDGET (self)),
                         gtk_widget_get_height (GTK_WIDGET (self)), &box);
      dt = (gint64) (dx / box.width * (double) (place.t1 - place.t0));
      da = (gint64) (dy / box.height * (double) (place.y1 - place.y0));
      place.t0 -= dt;
      place.t1 -= dt;
      place.y0 += da;
      place.y1 += da;
      stria_address_map_go (self, place);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Shows just what was dragged over; of samples all of their height. */
static void
zoom_to_drag (StriaAddressMap *self)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const StriaAddressPlace now = stria_address_map_place (self);
  StriaAddressPlace place = now;
  StriaAddressBox box;

  stria_address_box (width, height, &box);
  place.t0 = stria_address_time_at (&self->view, width,
                                    MIN (self->drag_x, self->drag_x + self->drag_dx));
  place.t1 = stria_address_time_at (&self->view, width,
                                    MAX (self->drag_x, self->drag_x + self->drag_dx));
  if (self->view.kind == STRIA_ADDRESS_RANGES && fabs (self->drag_dy) >= LEAST_DRAG)
    {
      const double low = CLAMP (1 - (MAX (self->drag_y, self->drag_y + self->drag_dy) - box.y)
                                        / box.height, 0, 1);
      const double high = CLAMP (1 - (MIN (self->drag_y, self->drag_y + self->drag_dy) - box.y)
                                         / box.height, 0, 1);

      place.y0 = now.y0 + (gint64) (low * (double) (now.y1 - now.y0));
      place.y1 = now.y0 + (gint64) (high * (double) (now.y1 - now.y0));
    }
  if (self->places->len >= MAX_PLACES)
    g_array_remove_index (self->places, 0);
  g_array_append_val (self->places, now);
  stria_address_map_go (self, place);
}

static void
on_drag_end (StriaAddressMap *self, double dx, double dy)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!self->is_dragging || !self->has_any)
    return;
  self->is_dragging = FALSE;
  self->drag_dx = dx;
  self->drag_dy = dy;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (fabs (dx) < LEAST_DRAG && fabs (dy) < LEAST_DRAG)
    stria_address_map_choose (
        self, stria_address_hit (&self->view, width, height, self->drag_x, self->drag_y),
        stria_address_time_at (&self->view, width, self->drag_x));
  else if (!self->is_panning && fabs (dx) >= LEAST_DRAG)
    zoom_to_drag (self);
}

static void
on_pressed (StriaAddressMap *self, int n, double x, double y)
{
  if (n == 2)
    stria_address_map_activate (self);
}

static gboolean
on_query_tooltip (StriaAddressMap *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const guint range = keyboard ? self->view.selected
                               : stria_address_hit (&self->view, width, height, x, y);
  const int part = stria_address_part_at (&self->view, height, y);
  g_autofree char *markup = NULL;
  StriaAddressBox box;

  stria_address_box (width, height, &box);
  if (!self->has_any || self->is_dragging)
    return FALSE;
  if (self->view.kind == STRIA_ADDRESS_RANGES)
    markup = range != STRIA_NO_RANGE ? stria_address_card (&self->view, range) : NULL;
  else if (x >= box.x && x <= box.x + box.width)
    markup = stria_address_sample_card (&self->view,
                                        stria_address_time_at (&self->view, width, x), part);
  if (markup == NULL)
    return FALSE;
  gtk_tooltip_set_markup (tooltip, markup);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - TIP_PX, y - TIP_PX, 2 * TIP_PX,
                                                      2 * TIP_PX });
  return TRUE;
}

void
stria_address_map_add_input (StriaAddressMap *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
