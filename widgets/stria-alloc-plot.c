/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-plot.h"

#include <math.h>

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"
#include "stria-format.h"
#include "stria-paint-kit.h"

#define ZOOM_STEP     0.8
#define PAN_STEP      0.15
#define DRAG_LEAST_PX 5.0
#define TIP_PX        3

struct _StriaAllocPlot
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GdkTexture      *texture; /* of @shown */
  StriaAllocView   shown;
  int              shown_width;
  int              shown_height;
  guint            generation;
  gboolean         working;
  gboolean         wanted;

  double   pointer_x;
  double   pointer_y;
  gboolean dragging;
  double   drag_from;
  double   drag_to;
};

G_DEFINE_FINAL_TYPE (StriaAllocPlot, stria_alloc_plot, GTK_TYPE_WIDGET)

/* One picture to paint: all that the worker reads is its own or immutable. */
typedef struct
{
  StriaAllocPlot    *plot; /* owned; touched on the main thread only */
  StriaSnapshotData *snapshot;
  StriaAllocView     view;
  char              *highlight;
  guint              generation;
  int                width;
  int                height;
  int                scale;
  GdkTexture        *texture;
} Order;

static void want_picture (StriaAllocPlot *self);

static gboolean
fill_view (StriaAllocPlot *self, StriaAllocView *view)
{
  if (self->state == NULL || stria_alloc_state_get_allocator (self->state) == NULL)
    return FALSE;
  stria_alloc_state_fill_view (self->state, view);
  view->dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  return TRUE;
}

static void
order_free (Order *order)
{
  g_clear_object (&order->texture);
  g_clear_object (&order->plot);
  g_clear_pointer (&order->view.ooms, g_array_unref);
  stria_snapshot_data_unref (order->snapshot);
  g_free (order->highlight);
  g_free (order);
}

static gboolean
deliver (gpointer data)
{
  Order *order = data;
  StriaAllocPlot *self = order->plot;

  self->working = FALSE;
  /* A picture of another allocator is of no use */
  if (order->generation == self->generation && self->state != NULL)
    {
      g_set_object (&self->texture, order->texture);
      self->shown = order->view;
      self->shown.highlight = NULL;
      self->shown.ooms = NULL;
      self->shown_width = order->width;
      self->shown_height = order->height;
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  if (self->wanted)
    want_picture (self);
  order_free (order);
  return G_SOURCE_REMOVE;
}

static void
surface_destroy (gpointer surface)
{
  cairo_surface_destroy (surface);
}

static void
work (gpointer data, gpointer user_data)
{
  Order *order = data;
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, order->width * order->scale, order->height * order->scale);
  cairo_t *cr;
  g_autoptr (GBytes) bytes = NULL;
  gsize stride;

  cairo_surface_set_device_scale (surface, order->scale, order->scale);
  cr = cairo_create (surface);
  stria_alloc_paint_base (cr, &order->view, order->width, order->height);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  stride = (gsize) cairo_image_surface_get_stride (surface);
  bytes = g_bytes_new_with_free_func (
      cairo_image_surface_get_data (surface),
      stride * (gsize) cairo_image_surface_get_height (surface), surface_destroy, surface);
  order->texture = gdk_memory_texture_new (order->width * order->scale,
                                           order->height * order->scale, GDK_MEMORY_DEFAULT, bytes,
                                           stride);
  g_idle_add_full (G_PRIORITY_DEFAULT, deliver, order, NULL);
}

static GThreadPool *
worker_pool (void)
{
  static gsize pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, (gsize) g_thread_pool_new (work, NULL, 1, FALSE, NULL));
  return (GThreadPool *) pool;
}

static void
want_picture (StriaAllocPlot *self)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  StriaAllocView view;
  Order *order;

  self->wanted = TRUE;
  if (self->working || width < 1 || height < 1 || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || !fill_view (self, &view))
    return;
  self->wanted = FALSE;
  self->working = TRUE;
  order = g_new0 (Order, 1);
  order->plot = g_object_ref (self);
  order->snapshot = stria_snapshot_data_ref (stria_alloc_state_get_snapshot (self->state));
  order->view = view;
  order->highlight = g_strdup (view.highlight);
  order->view.highlight = order->highlight;
  order->view.ooms = view.ooms != NULL ? g_array_ref (view.ooms) : NULL;
  order->generation = self->generation;
  order->width = width;
  order->height = height;
  order->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_thread_pool_push (worker_pool (), order, NULL);
}

static void
on_device_changed (StriaAllocPlot *self)
{
  self->generation++;
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  want_picture (self);
}

static void
on_view_changed (StriaAllocPlot *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  want_picture (self);
}

static void
on_moment_changed (StriaAllocPlot *self)
{
  StriaAllocView view;
  StriaAllocTotals totals;
  g_autofree char *bytes = NULL;
  g_autofree char *when = NULL;
  g_autofree char *text = NULL;

  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!fill_view (self, &view))
    return;
  stria_allocator_totals (view.allocator, view.step, &totals);
  bytes = stria_format_bytes ((gint64) totals.allocated);
  when = stria_alloc_step_text (view.allocator, view.step);
  /* Translators: bytes, and a time or number of an action */
  text = g_strdup_printf (_ ("%s allocated at %s"), bytes, when);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

/* Until the worker delivers, what it painted last is stretched to the view. */
static void
snapshot_picture (StriaAllocPlot *self, GtkSnapshot *snapshot, const StriaAllocView *view,
                  float width, float height)
{
  const gboolean moved = self->shown.x0 != view->x0 || self->shown.x1 != view->x1;
  StriaAllocFrameBox box;
  graphene_rect_t inside;
  double factor, left;

  gtk_snapshot_append_texture (snapshot, self->texture,
                               &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (!moved || self->shown.by_time != view->by_time)
    return;
  stria_alloc_plot_box (view, (double) width, (double) height, &box);
  factor = (double) (self->shown.x1 - self->shown.x0) / (double) (view->x1 - view->x0);
  left = box.x + (double) (self->shown.x0 - view->x0) * box.width / (double) (view->x1 - view->x0);
  if (factor > 200)
    return;
  inside = GRAPHENE_RECT_INIT ((float) box.x, (float) box.y, (float) box.width,
                               (float) box.height);
  gtk_snapshot_push_clip (snapshot, &inside);
  gtk_snapshot_append_color (snapshot, view->dark ? &(GdkRGBA){ 0.118f, 0.118f, 0.125f, 1 }
                                                  : &(GdkRGBA){ 1, 1, 1, 1 },
                             &inside);
  gtk_snapshot_append_texture (
      snapshot, self->texture,
      &GRAPHENE_RECT_INIT ((float) (left - box.x * factor), 0, width * (float) factor, height));
  gtk_snapshot_pop (snapshot);
}

static void
paint_drag (StriaAllocPlot *self, cairo_t *cr, const StriaAllocView *view, double width,
            double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  StriaAllocFrameBox box;
  double a, b;

  stria_alloc_plot_box (view, width, height, &box);
  a = CLAMP (MIN (self->drag_from, self->drag_to), box.x, box.x + box.width);
  b = CLAMP (MAX (self->drag_from, self->drag_to), box.x, box.x + box.width);
  stria_paint_set_color (cr, theme->accent, 0.18);
  cairo_rectangle (cr, floor (a), box.y, ceil (b - a), box.height);
  cairo_fill (cr);
}

static void
stria_alloc_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaAllocPlot *self = STRIA_ALLOC_PLOT (widget);
  const float width = (float) gtk_widget_get_width (widget);
  const float height = (float) gtk_widget_get_height (widget);
  StriaAllocView view;
  cairo_t *cr;

  if (!fill_view (self, &view))
    return;
  if (self->texture == NULL)
    {
      gtk_snapshot_append_color (snapshot, view.dark ? &(GdkRGBA){ 0.118f, 0.118f, 0.125f, 1 }
                                                     : &(GdkRGBA){ 1, 1, 1, 1 },
                                 &GRAPHENE_RECT_INIT (0, 0, width, height));
      return;
    }
  snapshot_picture (self, snapshot, &view, width, height);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  stria_alloc_paint_moment (cr, &view, (double) width, (double) height);
  if (self->dragging && fabs (self->drag_to - self->drag_from) >= DRAG_LEAST_PX)
    paint_drag (self, cr, &view, (double) width, (double) height);
  cairo_destroy (cr);
}

static void
stria_alloc_plot_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaAllocPlot *self = STRIA_ALLOC_PLOT (widget);

  if (width != self->shown_width || height != self->shown_height)
    want_picture (self);
}

static void
stria_alloc_plot_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_alloc_plot_parent_class)->map (widget);
  want_picture (STRIA_ALLOC_PLOT (widget));
}

/* -- input ------------------------------------------------------------------------------------ */

static guint32
hit (StriaAllocPlot *self, double x, double y, guint32 *step)
{
  StriaAllocView view;

  *step = 0;
  if (!fill_view (self, &view))
    return STRIA_NO_ELEMENT;
  return stria_alloc_plot_hit (&view, gtk_widget_get_width (GTK_WIDGET (self)),
                               gtk_widget_get_height (GTK_WIDGET (self)), x, y, step);
}

static guint32
step_under (StriaAllocPlot *self, double x)
{
  StriaAllocView view;
  StriaAllocFrameBox box;

  if (!fill_view (self, &view))
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

  if (!fill_view (self, &view))
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

static void
on_drag_begin (StriaAllocPlot *self, double x, double y)
{
  self->dragging = TRUE;
  self->drag_from = self->drag_to = x;
}

static void
on_drag_update (StriaAllocPlot *self, double dx, double dy)
{
  self->drag_to = self->drag_from + dx;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A click chooses the moment and the block there; a drag compares its two ends. */
static void
on_drag_end (StriaAllocPlot *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;
  guint32 element, step;

  self->dragging = FALSE;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (fabs (dx) >= DRAG_LEAST_PX)
    {
      const guint32 a = step_under (self, MIN (x, x + dx));
      const guint32 b = step_under (self, MAX (x, x + dx));

      stria_alloc_state_set_base (self->state, a);
      stria_alloc_state_set_step (self->state, b);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return;
    }
  element = hit (self, x, y, &step);
  if (stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  stria_alloc_state_set_step (self->state, step);
  stria_alloc_state_select (self->state, element);
}

static void
on_motion (StriaAllocPlot *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
}

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
    case GDK_KEY_Escape:
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

  if (element == STRIA_NO_ELEMENT || self->dragging)
    return FALSE;
  markup = stria_alloc_state_card (self->state, element);
  gtk_tooltip_set_markup (tooltip, markup);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - TIP_PX, y - TIP_PX, 2 * TIP_PX,
                                                      2 * TIP_PX });
  return TRUE;
}

static void
stria_alloc_plot_dispose (GObject *object)
{
  StriaAllocPlot *self = STRIA_ALLOC_PLOT (object);

  g_clear_object (&self->state);
  g_clear_object (&self->texture);
  G_OBJECT_CLASS (stria_alloc_plot_parent_class)->dispose (object);
}

static void
stria_alloc_plot_class_init (StriaAllocPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_alloc_plot_dispose;
  widget_class->snapshot = stria_alloc_plot_snapshot;
  widget_class->size_allocate = stria_alloc_plot_size_allocate;
  widget_class->map = stria_alloc_plot_map;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
add_controllers (StriaAllocPlot *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
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

static void
stria_alloc_plot_init (StriaAllocPlot *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self), 240, 140);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Memory over time"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  add_controllers (self);
}

GtkWidget *
stria_alloc_plot_new (StriaAllocState *state)
{
  StriaAllocPlot *self = g_object_new (STRIA_TYPE_ALLOC_PLOT, NULL);
  AdwStyleManager *style = adw_style_manager_get_default ();

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (on_device_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "moment-changed", G_CALLBACK (on_moment_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
