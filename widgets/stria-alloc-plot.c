/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-plot.h"

#include <math.h>

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-alloc-plot-private.h"
#include "stria-alloc-tell.h"
#include "stria-alloc-text.h"
#include "stria-drawn.h"
#include "stria-format.h"
#include "stria-paint-kit.h"

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

gboolean
stria_alloc_plot_fill_view (StriaAllocPlot *self, StriaAllocView *view)
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
      || !stria_alloc_plot_fill_view (self, &view))
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
  stria_alloc_plot_forget_ranges (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  want_picture (self);
  stria_alloc_tell (self->state, GTK_WIDGET (self), _ ("Events"));
}

static void
on_view_changed (StriaAllocPlot *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  want_picture (self);
  stria_alloc_tell (self->state, GTK_WIDGET (self), _ ("Events"));
}

static void
on_moment_changed (StriaAllocPlot *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  stria_alloc_tell (self->state, GTK_WIDGET (self), _ ("Events"));
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

static char *
range_text (const StriaAllocView *view, const StriaAllocFrameBox *box, double a, double b)
{
  const double length = (b - a) * (double) (view->x1 - view->x0) / box->width;
  g_autofree char *count = NULL;

  if (view->by_time)
    return stria_format_duration ((gint64) (length * 1000), 3);
  count = stria_format_count ((guint64) (length + 0.5));
  return g_strdup_printf (ngettext ("%s action", "%s actions", (gulong) (length + 0.5)), count);
}

/* What will be shown alone, or the moments that will be compared. */
static void
paint_drag (StriaAllocPlot *self, cairo_t *cr, const StriaAllocView *view, double width,
            double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  StriaAllocFrameBox box;
  double a, b, text_width, left;
  g_autofree char *text = NULL;
  StriaPaintKit *kit;

  stria_alloc_plot_box (view, width, height, &box);
  a = floor (CLAMP (MIN (self->drag_from, self->drag_to), box.x, box.x + box.width));
  b = ceil (CLAMP (MAX (self->drag_from, self->drag_to), box.x, box.x + box.width));
  stria_paint_set_color (cr, theme->background, 0.45);
  if (self->drag == STRIA_PLOT_DRAG_ZOOM)
    {
      cairo_rectangle (cr, box.x, box.y, a - box.x, box.height);
      cairo_rectangle (cr, b, box.y, box.x + box.width - b, box.height);
      cairo_fill (cr);
    }
  stria_paint_set_color (cr, theme->accent, 0.14);
  cairo_rectangle (cr, a, box.y, b - a, box.height);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_rectangle (cr, a, box.y, 1, box.height);
  cairo_rectangle (cr, b - 1, box.y, 1, box.height);
  cairo_fill (cr);

  text = range_text (view, &box, a, b);
  kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, 1);
  text_width = stria_paint_kit_measure (kit, STRIA_TEXT_BOLD, text) + 10;
  left = CLAMP ((a + b - text_width) / 2, box.x, box.x + box.width - text_width);
  cairo_rectangle (cr, floor (left), box.y + box.height - stria_text_px (16) - 6, text_width,
                   stria_text_px (16));
  cairo_fill (cr);
  stria_paint_set_color (cr, stria_color_text (theme->accent), 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text, floor (left) + 5,
                        box.y + box.height - stria_text_px (8) - 6, 0);
  stria_paint_kit_release (kit);
}

static void
stria_alloc_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaAllocPlot *self = STRIA_ALLOC_PLOT (widget);
  const float width = (float) gtk_widget_get_width (widget);
  const float height = (float) gtk_widget_get_height (widget);
  StriaAllocView view;
  cairo_t *cr;

  if (!stria_alloc_plot_fill_view (self, &view))
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
  if ((self->drag == STRIA_PLOT_DRAG_ZOOM || self->drag == STRIA_PLOT_DRAG_COMPARE)
      && fabs (self->drag_to - self->drag_from) >= STRIA_PLOT_DRAG_LEAST_PX)
    paint_drag (self, cr, &view, (double) width, (double) height);
  stria_drawn_paint_focus (widget, cr, view.dark);
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

static void
stria_alloc_plot_dispose (GObject *object)
{
  StriaAllocPlot *self = STRIA_ALLOC_PLOT (object);

  g_clear_object (&self->state);
  g_clear_object (&self->texture);
  g_clear_pointer (&self->ranges, g_array_unref);
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
  stria_alloc_plot_add_input (self);
  stria_drawn_add_focus (GTK_WIDGET (self));
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
