/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-address-map-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-address-text.h"
#include "stria-drawn.h"
#include "stria-paint-kit.h"

#define LEAST_NS    20
#define LEAST_BYTES 8

G_DEFINE_FINAL_TYPE (StriaAddressMap, stria_address_map, GTK_TYPE_WIDGET)

enum
{
  SELECTED,
  ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* One picture to paint: all that the worker reads is its own or immutable. */
typedef struct
{
  StriaAddressMap  *map; /* owned; touched on the main thread only */
  StriaAddressView  view;
  guint             generation;
  int               width, height, scale;
  GdkTexture       *texture;
} Order;

static void want_picture (StriaAddressMap *self);

static void
order_free (Order *order)
{
  g_clear_object (&order->texture);
  g_clear_object (&order->map);
  g_clear_object (&order->view.cancellable);
  stria_neuron_memory_unref (order->view.memory);
  g_free (order);
}

static gboolean
deliver (gpointer data)
{
  Order *order = data;
  StriaAddressMap *self = order->map;

  self->working = FALSE;
  if (order->generation == self->generation
      && !g_cancellable_is_cancelled (order->view.cancellable))
    {
      g_set_object (&self->texture, order->texture);
      self->shown = (StriaAddressPlace){ order->view.t0, order->view.t1, order->view.y0,
                                         order->view.y1 };
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
  g_autoptr (GBytes) bytes = NULL;
  cairo_t *cr;
  gsize stride;

  cairo_surface_set_device_scale (surface, order->scale, order->scale);
  cr = cairo_create (surface);
  stria_address_paint (cr, &order->view, order->width, order->height);
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
want_picture (StriaAddressMap *self)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  Order *order;

  self->wanted = TRUE;
  if (self->working || width < 1 || height < 1 || !self->has_any
      || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->wanted = FALSE;
  self->working = TRUE;
  self->view.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  order = g_new0 (Order, 1);
  order->map = g_object_ref (self);
  order->view = self->view;
  order->view.memory = stria_neuron_memory_ref (self->view.memory);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  order->view.cancellable = g_object_ref (self->cancellable);
  order->generation = self->generation;
  order->width = width;
  order->height = height;
  order->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_thread_pool_push (worker_pool (), order, NULL);
}

static void
repaint (StriaAddressMap *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  want_picture (self);
}

StriaAddressPlace
stria_address_map_place (StriaAddressMap *self)
{
  return (StriaAddressPlace){ self->view.t0, self->view.t1, self->view.y0, self->view.y1 };
}

static void
keep_inside (gint64 *low, gint64 *high, gint64 least, gint64 first, gint64 last)
{
  gint64 length = CLAMP (*high - *low, MIN (least, last - first), last - first);

  *low = CLAMP (*low, first, last - length);
  *high = *low + length;
}

void
stria_address_map_go (StriaAddressMap *self, StriaAddressPlace place)
{
  if (!self->has_any)
    return;
  keep_inside (&place.t0, &place.t1, LEAST_NS, self->whole.t0, self->whole.t1);
  keep_inside (&place.y0, &place.y1, LEAST_BYTES, self->whole.y0, self->whole.y1);
  self->view.t0 = place.t0;
  self->view.t1 = place.t1;
  self->view.y0 = place.y0;
  self->view.y1 = place.y1;
  repaint (self);
}

void
stria_address_map_fit (StriaAddressMap *self)
{
  stria_address_map_go (self, self->whole);
}

void
stria_address_map_choose (StriaAddressMap *self, guint range, gint64 moment)
{
  g_autofree char *text = NULL;

  self->view.selected = range;
  self->view.moment = moment;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  text = stria_address_describe (&self->view);
  stria_drawn_describe (GTK_WIDGET (self), text, _ ("Tables"));
  g_signal_emit (self, signals[SELECTED], 0);
}

void
stria_address_map_activate (StriaAddressMap *self)
{
  if (self->view.selected != STRIA_NO_RANGE)
    g_signal_emit (self, signals[ACTIVATED], 0);
}

void
stria_address_map_select (StriaAddressMap *self, guint range)
{
  StriaAddressPlace place = stria_address_map_place (self);
  const StriaSbufRange *one;

  if (self->view.memory == NULL || range >= self->view.memory->ranges->len)
    {
      stria_address_map_choose (self, STRIA_NO_RANGE, G_MININT64);
      return;
    }
  one = &g_array_index (self->view.memory->ranges, StriaSbufRange, range);
  /* Where it is seen, as far as it is not */
  if (one->start < place.t0 || one->start > place.t1)
    {
      const gint64 length = place.t1 - place.t0;

      place.t0 = one->start - length / 2;
      place.t1 = place.t0 + length;
    }
  if (one->first < place.y0 || one->first >= place.y1)
    {
      const gint64 length = place.y1 - place.y0;

      place.y0 = one->first - length / 2;
      place.y1 = place.y0 + length;
    }
  stria_address_map_go (self, place);
  stria_address_map_choose (self, range, one->start);
}

gboolean
stria_address_map_go_peak (StriaAddressMap *self)
{
  const StriaAddressView *view = &self->view;
  gint64 moment = G_MININT64;

  if (!self->has_any)
    return FALSE;
  if (view->kind == STRIA_ADDRESS_STACK)
    {
      const StriaMemoryStack *stack = view->memory->stacks->pdata[view->subject];
      const gint64 peak = stria_memory_stack_peak (stack, view->t0, view->t1);

      if (peak >= 0)
        moment = MAX (g_array_index (stack->times, gint64, peak), view->t0);
    }
  else if (view->kind == STRIA_ADDRESS_RANGES)
    moment = stria_neuron_memory_pressure (view->memory, view->core, view->partition)->peak_ns;
  if (moment == G_MININT64)
    return FALSE;
  if (moment < view->t0 || moment > view->t1)
    stria_address_map_fit (self);
  stria_address_map_choose (self, STRIA_NO_RANGE, moment);
  return TRUE;
}

void
stria_address_map_set_color (StriaAddressMap *self, StriaAddressColor color)
{
  self->view.color = color;
  repaint (self);
}

const StriaAddressView *
stria_address_map_get_view (StriaAddressMap *self)
{
  self->view.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  return &self->view;
}

void
stria_address_map_show (StriaAddressMap *self, StriaNeuronMemory *memory, StriaAddressKind kind,
                        guint subject, gint32 core, gint32 partition)
{
  const StriaAddressColor color = self->view.color;
  StriaNeuronMemory *before = self->view.memory;

  self->generation++;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->texture);
  g_array_set_size (self->places, 0);
  self->view = (StriaAddressView){ .memory = memory != NULL ? stria_neuron_memory_ref (memory)
                                                            : NULL,
                                   .kind = kind,
                                   .subject = subject,
                                   .core = core,
                                   .partition = partition,
                                   .color = color,
                                   .selected = STRIA_NO_RANGE,
                                   .moment = G_MININT64 };
  g_clear_pointer (&before, stria_neuron_memory_unref);
  self->has_any = stria_address_view_fit (&self->view);
  /* Times of a system profile are since the epoch. */
  self->view.origin = kind == STRIA_ADDRESS_STACK ? self->view.t0 : 0;
  self->whole = stria_address_map_place (self);
  stria_address_map_choose (self, STRIA_NO_RANGE, G_MININT64);
  repaint (self);
}

/* -- drawing --------------------------------------------------------------------------------- */

/* Until the worker delivers, what it painted last is stretched to the view. */
static void
snapshot_picture (StriaAddressMap *self, GtkSnapshot *snapshot, double width, double height)
{
  const StriaAddressPlace now = stria_address_map_place (self), then = self->shown;
  StriaAddressBox box;
  graphene_rect_t inside;
  GdkRGBA background = { 1, 1, 1, 1 };
  double fx, fy, left, top;

  gtk_snapshot_append_texture (snapshot, self->texture,
                               &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (now.t0 == then.t0 && now.t1 == then.t1 && now.y0 == then.y0 && now.y1 == then.y1)
    return;
  stria_address_box (width, height, &box);
  fx = (double) (then.t1 - then.t0) / (double) (now.t1 - now.t0);
  fy = (double) (then.y1 - then.y0) / (double) (now.y1 - now.y0);
  left = box.x + (double) (then.t0 - now.t0) * box.width / (double) (now.t1 - now.t0);
  top = box.y + (double) (now.y1 - then.y1) * box.height / (double) (now.y1 - now.y0);
  if (fx > 200 || fy > 200)
    return;
  if (self->view.dark)
    background = (GdkRGBA){ 0.118f, 0.118f, 0.125f, 1 };
  inside = GRAPHENE_RECT_INIT ((float) box.x, (float) box.y, (float) box.width,
                               (float) box.height);
  gtk_snapshot_push_clip (snapshot, &inside);
  gtk_snapshot_append_color (snapshot, &background, &inside);
  gtk_snapshot_append_texture (snapshot, self->texture,
                               &GRAPHENE_RECT_INIT ((float) (left - box.x * fx),
                                                    (float) (top - box.y * fy),
                                                    (float) (width * fx), (float) (height * fy)));
  gtk_snapshot_pop (snapshot);
}

static void
paint_drag (StriaAddressMap *self, cairo_t *cr, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->view.dark);
  const gboolean is_box = self->view.kind == STRIA_ADDRESS_RANGES;
  StriaAddressBox box;
  double x0, x1, y0, y1;

  stria_address_box (width, height, &box);
  x0 = CLAMP (MIN (self->drag_x, self->drag_x + self->drag_dx), box.x, box.x + box.width);
  x1 = CLAMP (MAX (self->drag_x, self->drag_x + self->drag_dx), box.x, box.x + box.width);
  y0 = is_box ? CLAMP (MIN (self->drag_y, self->drag_y + self->drag_dy), box.y, box.y + box.height)
              : box.y;
  y1 = is_box ? CLAMP (MAX (self->drag_y, self->drag_y + self->drag_dy), box.y, box.y + box.height)
              : box.y + box.height;
  cairo_rectangle (cr, floor (x0) + 0.5, floor (y0) + 0.5, ceil (x1 - x0), ceil (y1 - y0));
  stria_paint_set_color (cr, theme->accent, 0.16);
  cairo_fill_preserve (cr);
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
stria_address_map_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaAddressMap *self = STRIA_ADDRESS_MAP (widget);
  const double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const StriaColor color
      = stria_paint_theme (adw_style_manager_get_dark (adw_style_manager_get_default ()))
            ->background;
  cairo_t *cr;

  gtk_snapshot_append_color (snapshot,
                             &(GdkRGBA){ (float) color.r, (float) color.g, (float) color.b, 1 },
                             &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (!self->has_any || self->texture == NULL)
    return;
  snapshot_picture (self, snapshot, width, height);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  stria_address_paint_overlay (cr, &self->view, width, height);
  if (self->is_dragging && !self->is_panning)
    paint_drag (self, cr, width, height);
  stria_drawn_paint_focus (widget, cr,
                           adw_style_manager_get_dark (adw_style_manager_get_default ()));
  cairo_destroy (cr);
}

static void
stria_address_map_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaAddressMap *self = STRIA_ADDRESS_MAP (widget);

  if (width != self->shown_width || height != self->shown_height)
    want_picture (self);
}

static void
stria_address_map_real_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_address_map_parent_class)->map (widget);
  want_picture (STRIA_ADDRESS_MAP (widget));
}

static void
stria_address_map_dispose (GObject *object)
{
  StriaAddressMap *self = STRIA_ADDRESS_MAP (object);

  self->has_any = FALSE;
  self->generation++;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->texture);
  g_clear_pointer (&self->view.memory, stria_neuron_memory_unref);
  g_clear_pointer (&self->places, g_array_unref);
  G_OBJECT_CLASS (stria_address_map_parent_class)->dispose (object);
}

static void
stria_address_map_class_init (StriaAddressMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_address_map_dispose;
  widget_class->snapshot = stria_address_map_snapshot;
  widget_class->size_allocate = stria_address_map_size_allocate;
  widget_class->map = stria_address_map_real_map;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_address_map_init (StriaAddressMap *self)
{
  self->places = g_array_new (FALSE, FALSE, sizeof (StriaAddressPlace));
  self->view.selected = STRIA_NO_RANGE;
  self->view.moment = G_MININT64;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self), 240, 160);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Device memory over time"), -1);
  stria_address_map_add_input (self);
}

GtkWidget *
stria_address_map_new (void)
{
  StriaAddressMap *self = g_object_new (STRIA_TYPE_ADDRESS_MAP, NULL);

  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (repaint),
                           self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
