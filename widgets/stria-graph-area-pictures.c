/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <math.h>

/**
 * SECTION:stria-graph-area-pictures
 *
 * Boxes are painted by a worker into a picture that is larger than the view. Until a new one comes,
 * the last one is shown under the view's transform. One picture is in work at a time; what changes
 * meanwhile is asked for when it is done, so that only the newest state is ever waited for.
 */

#define EXTRA_SHARE    0.3 /* of the view, at each side, so that a pan has something to show */
#define MAX_SURFACE_PX 16000

/* All that the worker reads is its own or immutable. */
typedef struct
{
  StriaGraphArea   *area; /* owned; touched on the main thread only */
  StriaGraphView    view;
  double            scale;
  guint             serial;
  StriaGraphPicture picture;
  StriaGraphPicture minimap;
} Order;

static void
picture_clear (StriaGraphPicture *picture)
{
  g_clear_object (&picture->texture);
  *picture = (StriaGraphPicture){ NULL };
}

static void
release (gconstpointer shared)
{
  if (shared != NULL)
    g_atomic_rc_box_release ((gpointer) shared);
}

static gpointer
acquire (gpointer shared)
{
  return shared != NULL ? g_atomic_rc_box_acquire (shared) : NULL;
}

static void
order_free (Order *order)
{
  picture_clear (&order->picture);
  picture_clear (&order->minimap);
  release (order->view.node_marks);
  release (order->view.group_marks);
  release (order->view.item_marks);
  release (order->view.node_figures);
  release (order->view.group_figures);
  release (order->view.boxes);
  stria_scene_unref (order->view.scene);
  g_object_unref (order->area);
  g_free (order);
}

static void
surface_destroy (gpointer surface)
{
  cairo_surface_destroy (surface);
}

static GdkTexture *
texture_of (cairo_surface_t *surface)
{
  const int width = cairo_image_surface_get_width (surface);
  const int height = cairo_image_surface_get_height (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = NULL;

  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface),
                                      stride * (gsize) height, surface_destroy, surface);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

static void
paint (const Order *order, StriaGraphPicture *picture)
{
  StriaGraphView view = order->view;
  cairo_surface_t *surface = NULL;
  cairo_t *cr = NULL;

  if (picture->width < 1 || picture->height < 1)
    return;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                        (int) ceil (picture->width * order->scale),
                                        (int) ceil (picture->height * order->scale));
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return;
    }
  cairo_surface_set_device_scale (surface, order->scale, order->scale);
  cr = cairo_create (surface);
  view.x = picture->x;
  view.y = picture->y;
  view.zoom = picture->zoom;
  view.plain = picture == &order->minimap;
  stria_graph_paint (cr, &view, picture->width, picture->height);
  cairo_destroy (cr);
  picture->texture = texture_of (surface);
}

static void
take (StriaGraphPicture *to, StriaGraphPicture *from)
{
  picture_clear (to);
  *to = *from;
  *from = (StriaGraphPicture){ NULL };
}

static gboolean
deliver (gpointer data)
{
  Order *order = data;
  StriaGraphArea *self = order->area;

  self->working = FALSE;
  if (order->serial == self->serial)
    {
      if (order->picture.texture != NULL)
        take (&self->picture, &order->picture);
      if (order->minimap.texture != NULL)
        take (&self->minimap, &order->minimap);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  else
    self->wanted = self->minimap_stale = TRUE;
  order_free (order);
  if (self->wanted)
    stria_graph_area_want_picture (self);
  return G_SOURCE_REMOVE;
}

static void
work (gpointer data, gpointer user_data)
{
  Order *order = data;

  paint (order, &order->picture);
  paint (order, &order->minimap);
  g_idle_add_full (G_PRIORITY_DEFAULT, deliver, order, NULL);
}

static GThreadPool *
worker_pool (void)
{
  static gsize pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, (gsize) g_thread_pool_new (work, NULL, 2, FALSE, NULL));
  return (GThreadPool *) pool;
}

/* More than the view on each side, as far as there is anything. Whole pixels, so that it stands on
 * them when it is shown at its own zoom. */
static void
set_extent (const StriaGraphArea *self, double low, double high, double length, double size,
            double scale, double *from, double *extent)
{
  const double room = MAX (MAX_SURFACE_PX / scale - size, 0) / 2;
  const double extra = MIN (size * EXTRA_SHARE, room);
  const double before = floor (CLAMP (low * self->zoom + extra, 0, extra));
  const double behind = floor (CLAMP ((length - high) * self->zoom + extra, 0, extra));

  *from = low - before / self->zoom;
  *extent = size + before + behind;
}

static Order *
order_new (StriaGraphArea *self)
{
  Order *order = g_new0 (Order, 1);
  StriaGraphView *view = &order->view;
  StriaGraphPicture *picture = &order->picture;
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const gboolean moves = self->move.scene != NULL;
  graphene_rect_t rect;

  order->area = g_object_ref (self);
  order->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  order->serial = self->serial;
  stria_graph_view_init (view, stria_scene_ref (moves ? self->move.scene : self->scene));
  view->dark = self->dark;
  view->node_marks = acquire (self->node_marks);
  view->group_marks = acquire (self->group_marks);
  view->item_marks = acquire (moves ? self->move.marks : self->item_marks);
  view->node_figures = acquire (self->node_figures);
  view->group_figures = acquire (self->group_figures);
  view->diverging = self->diverging;
  picture->zoom = self->zoom;
  if (moves)
    {
      view->boxes = stria_graph_area_moved_boxes (self);
      picture->x = self->move.x0 + (self->move.x1 - self->move.x0) * self->move.share;
      picture->y = self->move.y0 + (self->move.y1 - self->move.y0) * self->move.share;
      picture->width = width;
      picture->height = height;
      picture->in_motion = TRUE;
      return order;
    }
  set_extent (self, self->x, self->x + width / self->zoom, (double) self->scene->width, width,
              order->scale, &picture->x, &picture->width);
  set_extent (self, self->y, self->y + height / self->zoom, (double) self->scene->height, height,
              order->scale, &picture->y, &picture->height);
  if (self->minimap_stale && stria_graph_area_minimap_rect (self, &rect))
    {
      StriaGraphView small;

      stria_graph_area_minimap_view (self, &rect, &small);
      order->minimap.x = small.x;
      order->minimap.y = small.y;
      order->minimap.zoom = small.zoom;
      order->minimap.width = (double) rect.size.width;
      order->minimap.height = (double) rect.size.height;
      self->minimap_stale = FALSE;
    }
  return order;
}

/**
 * stria_graph_area_want_picture:
 *
 * Something that the picture depends on has changed.
 */
void
stria_graph_area_want_picture (StriaGraphArea *self)
{
  self->wanted = TRUE;
  if (self->working || self->scene == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || gtk_widget_get_width (GTK_WIDGET (self)) < 1
      || gtk_widget_get_height (GTK_WIDGET (self)) < 1)
    return;
  self->wanted = FALSE;
  self->working = TRUE;
  g_thread_pool_push (worker_pool (), order_new (self), NULL);
}

void
stria_graph_area_drop_pictures (StriaGraphArea *self)
{
  picture_clear (&self->picture);
  picture_clear (&self->minimap);
}
