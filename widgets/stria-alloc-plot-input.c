/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-plot-private.h"

#include <math.h>

#define ZOOM_STEP  0.8
#define PAN_STEP   0.15
#define TIP_PX     3
/* How near to the moment's line it is taken, and the height of its label above the plot */
#define HANDLE_PX  5.0
#define LABEL_PX   stria_text_px (20.0)
#define MAX_RANGES 100

static guint32
hit (StriaAllocPlot *self, double x, double y, guint32 *step)
{
  StriaAllocView view;

  *step = 0;
  if (!stria_alloc_plot_fill_view (self, &view))
    return STRIA_NO_ELEMENT;
  return stria_alloc_plot_hit (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                               gtk_widget_get_height (GTK_WIDGET (self)), x, y, step);
}

static guint
hit_pool (StriaAllocPlot *self, double x, double y, guint32 *step)
{
  StriaAllocView view;

  if (!stria_alloc_plot_fill_view (self, &view))
    return G_MAXUINT;
  return stria_alloc_pool_hit (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                               gtk_widget_get_height (GTK_WIDGET (self)), x, y, step);
}

static guint32
step_under (StriaAllocPlot *self, double x)
{
  StriaAllocView view;
  StriaAllocFrameBox box;

  if (!stria_alloc_plot_fill_view (self, &view))
    return 0;
  stria_alloc_plot_box (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                        gtk_widget_get_height (GTK_WIDGET (self)), &box);
  return stria_alloc_x_to_step (&view, &box, x);
}

/* Place on the axis under the pointer, or the middle of the view. */
static double
axis_at (StriaAllocPlot *self, double x)
{
  StriaAllocView view;
  StriaAllocFrameBox box;

  if (!stria_alloc_plot_fill_view (self, &view))
    return 0;
  stria_alloc_plot_box (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                        gtk_widget_get_height (GTK_WIDGET (self)), &box);
  if (x < box.x || x > box.x + box.width)
    x = box.x + box.width / 2;
  return (double) view.x0 + (x - box.x) * (double) (view.x1 - view.x0) / box.width;
}

static void
on_pressed (StriaAllocPlot *self, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* -- ranges seen before ------------------------------------------------------------------------ */

void
stria_alloc_plot_forget_ranges (StriaAllocPlot *self)
{
  g_clear_pointer (&self->ranges, g_array_unref);
}

static void
zoom_to (StriaAllocPlot *self, gint64 x0, gint64 x1)
{
  StriaAllocView view;
  StriaPlotRange range;

  if (!stria_alloc_plot_fill_view (self, &view))
    return;
  range = (StriaPlotRange){ view.x0, view.x1, view.by_time };
  if (self->ranges == NULL)
    self->ranges = g_array_new (FALSE, FALSE, sizeof (StriaPlotRange));
  if (self->ranges->len >= MAX_RANGES)
    g_array_remove_index (self->ranges, 0);
  g_array_append_val (self->ranges, range);
  stria_alloc_state_set_range (self->state, x0, x1);
}

static void
go_back (StriaAllocPlot *self)
{
  StriaAllocView view;
  gboolean is_done = FALSE;

  if (!stria_alloc_plot_fill_view (self, &view))
    return;
  while (!is_done && self->ranges != NULL && self->ranges->len > 0)
    {
      const StriaPlotRange range
          = g_array_index (self->ranges, StriaPlotRange, self->ranges->len - 1);

      g_array_set_size (self->ranges, self->ranges->len - 1);
      /* Of the other axis: it says nothing here */
      if (range.by_time != view.by_time)
        continue;
      stria_alloc_state_set_range (self->state, range.x0, range.x1);
      is_done = TRUE;
    }
}

/* -- drags ------------------------------------------------------------------------------------- */

/* Whether a drag from a point would move the moment. */
static gboolean
is_on_moment (StriaAllocPlot *self, double x, double y)
{
  StriaAllocView view;
  StriaAllocFrameBox box;
  double moment;

  if (!stria_alloc_plot_fill_view (self, &view))
    return FALSE;
  stria_alloc_plot_box (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                        gtk_widget_get_height (GTK_WIDGET (self)), &box);
  if (x < box.x - HANDLE_PX || x > box.x + box.width + HANDLE_PX)
    return FALSE;
  if (y >= box.y + box.height)
    return TRUE;
  moment = stria_alloc_step_to_x (&view, &box, view.step);
  return (y >= box.y - LABEL_PX && y < box.y && fabs (x - moment) < 2 * LABEL_PX)
         || (y >= box.y && fabs (x - moment) <= HANDLE_PX);
}

static void
set_cursor (StriaAllocPlot *self, const char *name)
{
  if (name == self->cursor)
    return;
  self->cursor = name;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), name);
}

static void
update_cursor (StriaAllocPlot *self, GdkModifierType modifiers)
{
  static const char *const moment = "ew-resize", *const hand = "grabbing";

  if (self->drag == STRIA_PLOT_DRAG_PAN
      || (self->drag == STRIA_PLOT_DRAG_NONE && (modifiers & GDK_SHIFT_MASK) != 0))
    set_cursor (self, hand);
  else if (self->drag == STRIA_PLOT_DRAG_MOMENT
           || (self->drag == STRIA_PLOT_DRAG_NONE
               && is_on_moment (self, self->pointer_x, self->pointer_y)))
    set_cursor (self, moment);
  else
    set_cursor (self, NULL);
}

static double
clamp_x (StriaAllocPlot *self, double x)
{
  StriaAllocView view;
  StriaAllocFrameBox box;

  if (!stria_alloc_plot_fill_view (self, &view))
    return x;
  stria_alloc_plot_box (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                        gtk_widget_get_height (GTK_WIDGET (self)), &box);
  return CLAMP (x, box.x, box.x + box.width);
}

static void
on_drag_begin (StriaAllocPlot *self, double x, double y, GtkGesture *gesture)
{
  const GdkModifierType modifiers
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  StriaAllocView view;

  if (!stria_alloc_plot_fill_view (self, &view)
      || (button != GDK_BUTTON_PRIMARY && button != GDK_BUTTON_MIDDLE))
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->drag_from = self->drag_to = x;
  self->drag_x0 = view.x0;
  self->drag_x1 = view.x1;
  self->drag_step = view.step;
  if (button == GDK_BUTTON_MIDDLE || (modifiers & GDK_SHIFT_MASK) != 0)
    self->drag = STRIA_PLOT_DRAG_PAN;
  else if ((modifiers & GDK_CONTROL_MASK) != 0)
    self->drag = STRIA_PLOT_DRAG_COMPARE;
  else
    self->drag = is_on_moment (self, x, y) ? STRIA_PLOT_DRAG_MOMENT : STRIA_PLOT_DRAG_ZOOM;
  update_cursor (self, modifiers);
}

static void
on_drag_update (StriaAllocPlot *self, double dx, double dy)
{
  StriaAllocView view;
  StriaAllocFrameBox box;

  if (!stria_alloc_plot_fill_view (self, &view))
    return;
  self->drag_to = self->drag_from + dx;
  if (self->drag == STRIA_PLOT_DRAG_MOMENT)
    stria_alloc_state_set_step (self->state, step_under (self, clamp_x (self, self->drag_to)));
  else if (self->drag == STRIA_PLOT_DRAG_PAN)
    {
      stria_alloc_plot_box (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                            gtk_widget_get_height (GTK_WIDGET (self)), &box);
      dx *= (double) (self->drag_x1 - self->drag_x0) / box.width;
      stria_alloc_state_set_range (self->state, self->drag_x0 - (gint64) dx,
                                   self->drag_x1 - (gint64) dx);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* As it was before the drag. */
static void
cancel_drag (StriaAllocPlot *self)
{
  const StriaPlotDrag drag = self->drag;

  if (drag == STRIA_PLOT_DRAG_NONE)
    return;
  self->drag = STRIA_PLOT_DRAG_NONE;
  if (drag == STRIA_PLOT_DRAG_MOMENT)
    stria_alloc_state_set_step (self->state, self->drag_step);
  else if (drag == STRIA_PLOT_DRAG_PAN)
    stria_alloc_state_set_range (self->state, self->drag_x0, self->drag_x1);
  gtk_gesture_set_state (self->gesture, GTK_EVENT_SEQUENCE_DENIED);
  update_cursor (self, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancelled (StriaAllocPlot *self)
{
  cancel_drag (self);
}

/* A click chooses the moment and the block there. */
static void
click_at (StriaAllocPlot *self, double x, double y)
{
  guint32 step;
  const guint32 element = hit (self, x, y, &step);

  stria_alloc_state_set_step (self->state, step);
  stria_alloc_state_select (self->state, element);
}

static void
on_drag_end (StriaAllocPlot *self, double dx, double dy, GtkGestureDrag *gesture)
{
  const StriaPlotDrag drag = self->drag;
  const double a = clamp_x (self, self->drag_from + MIN (dx, 0));
  const double b = clamp_x (self, self->drag_from + MAX (dx, 0));
  const gboolean is_click
      = fabs (dx) < STRIA_PLOT_DRAG_LEAST_PX && fabs (dy) < STRIA_PLOT_DRAG_LEAST_PX;
  double x, y;

  self->drag = STRIA_PLOT_DRAG_NONE;
  update_cursor (self, 0);
  if (drag == STRIA_PLOT_DRAG_NONE || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (drag == STRIA_PLOT_DRAG_MOMENT && is_click)
    stria_alloc_state_set_step (self->state, step_under (self, clamp_x (self, x)));
  else if (drag == STRIA_PLOT_DRAG_ZOOM && is_click)
    click_at (self, x, y);
  else if (drag == STRIA_PLOT_DRAG_ZOOM && b - a >= STRIA_PLOT_DRAG_LEAST_PX)
    zoom_to (self, (gint64) floor (axis_at (self, a)), (gint64) ceil (axis_at (self, b)));
  else if (drag == STRIA_PLOT_DRAG_COMPARE && b - a >= STRIA_PLOT_DRAG_LEAST_PX)
    {
      const guint32 base = step_under (self, a);
      const guint32 step = step_under (self, b);

      stria_alloc_state_set_base (self->state, base);
      stria_alloc_state_set_step (self->state, step);
    }
}

static void
on_motion (StriaAllocPlot *self, double x, double y, GtkEventController *controller)
{
  self->pointer_x = x;
  self->pointer_y = y;
  update_cursor (self, gtk_event_controller_get_current_event_state (controller));
}

/* -- wheel and keys ---------------------------------------------------------------------------- */

static gboolean
on_scroll (StriaAllocPlot *self, double dx, double dy, GtkEventController *controller)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (controller);

  if ((modifiers & GDK_CONTROL_MASK) != 0)
    stria_alloc_state_zoom (self->state, axis_at (self, self->pointer_x), pow (1.25, dy));
  else if ((modifiers & GDK_SHIFT_MASK) != 0 || fabs (dx) > fabs (dy))
    stria_alloc_state_pan (self->state, (fabs (dx) > fabs (dy) ? dx : dy) * 0.1);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static gboolean
on_key (StriaAllocPlot *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  StriaAllocState *state = self->state;
  const guint32 step = stria_alloc_state_get_step (state);

  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (gdk_keyval_to_lower (keyval))
    {
    case GDK_KEY_w:
      stria_alloc_state_zoom (state, axis_at (self, self->pointer_x), ZOOM_STEP);
      break;
    case GDK_KEY_s:
      stria_alloc_state_zoom (state, axis_at (self, self->pointer_x), 1 / ZOOM_STEP);
      break;
    case GDK_KEY_a:
      stria_alloc_state_pan (state, -PAN_STEP);
      break;
    case GDK_KEY_d:
      stria_alloc_state_pan (state, PAN_STEP);
      break;
    case GDK_KEY_f:
      stria_alloc_state_fit (state);
      break;
    case GDK_KEY_p:
      stria_alloc_state_go_peak (state);
      break;
    case GDK_KEY_b:
      stria_alloc_state_set_base (state, stria_alloc_state_get_base (state) == step ? G_MAXUINT32
                                                                                   : step);
      break;
    case GDK_KEY_Left:
      stria_alloc_state_set_step (state, step > 0 ? step - 1 : 0);
      break;
    case GDK_KEY_Right:
      stria_alloc_state_set_step (state, step + 1);
      break;
    case GDK_KEY_Home:
      stria_alloc_state_set_step (state, 0);
      break;
    case GDK_KEY_End:
      stria_alloc_state_set_step (state, G_MAXUINT32);
      break;
    case GDK_KEY_BackSpace:
      go_back (self);
      break;
    case GDK_KEY_Escape:
      if (self->drag != STRIA_PLOT_DRAG_NONE)
        {
          cancel_drag (self);
          break;
        }
      stria_alloc_state_select (state, STRIA_NO_ELEMENT);
      stria_alloc_state_set_base (state, G_MAXUINT32);
      break;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  return GDK_EVENT_STOP;
}

static gboolean
on_query_tooltip (StriaAllocPlot *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  guint32 step;
  guint32 element = keyboard ? stria_alloc_state_get_selected (self->state)
                             : hit (self, x, y, &step);
  g_autofree char *markup = NULL;
  guint pool;

  if (self->drag != STRIA_PLOT_DRAG_NONE)
    return FALSE;
  if (element != STRIA_NO_ELEMENT)
    markup = stria_alloc_state_card (self->state, element);
  else if (!keyboard && (pool = hit_pool (self, x, y, &step)) != G_MAXUINT)
    markup = stria_alloc_state_pool_card (self->state, pool, step);
  else
    return FALSE;
  gtk_tooltip_set_markup (tooltip, markup);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - TIP_PX, y - TIP_PX, 2 * TIP_PX,
                                                      2 * TIP_PX });
  return TRUE;
}

void
stria_alloc_plot_add_input (StriaAllocPlot *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->gesture = drag;
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (on_drag_cancelled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
