/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-display-list.h"
#include "stria-timeline-private.h"

#include <math.h>
#include <string.h>

/**
 * SECTION:stria-timeline-pictures
 *
 * Slices are painted by a worker into pictures that are wider and higher than the view. Until a new
 * picture comes, the last one is shown under the view's transform. One picture is in work at a
 * time; what changes meanwhile is asked for when it is done, so that only the newest state is ever
 * waited for.
 */

/* More than what is seen, at each side, so that a pan has something to show */
#define EXTRA_WIDTH_SHARE 0.5
#define EXTRA_HEIGHT      220.0
#define MAX_SURFACE_PX    30000

/* One order: all that the worker reads is its own or immutable. */
typedef struct
{
  StriaTimeline    *timeline; /* owned; touched on the main thread only */
  StriaTimelineView view;
  double            scale;
  gboolean          show_flows;
  StriaFlowCount    flow_count;
  Picture           lanes;
  Picture           pinned;
  Picture           minimap;
  gint64            minimap_t0;
  gint64            minimap_t1;
} Order;

typedef enum
{
  PAINT_LANES,
  PAINT_PINNED,
  PAINT_MINIMAP,
} PaintKind;

static void
picture_clear (Picture *picture)
{
  g_clear_object (&picture->texture);
  *picture = (Picture){ NULL };
}

static void
order_free (Order *order)
{
  picture_clear (&order->lanes);
  picture_clear (&order->pinned);
  picture_clear (&order->minimap);
  g_clear_pointer (&order->view.match, stria_match_unref);
  g_clear_pointer (&order->view.coloring, stria_coloring_unref);
  g_clear_pointer (&order->view.legend, g_array_unref);
  g_clear_pointer (&order->view.layout, stria_timeline_layout_unref);
  g_clear_pointer (&order->view.trace, stria_trace_unref);
  g_clear_object (&order->timeline);
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
paint (Order *order, Picture *picture, PaintKind kind)
{
  StriaTimelineView view = order->view;
  cairo_surface_t *surface = NULL;
  cairo_t *cr = NULL;

  if (picture->width < 1 || picture->height < 1)
    return;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                        (int) ceil (picture->width * order->scale),
                                        (int) ceil (picture->height * order->scale));
  cairo_surface_set_device_scale (surface, order->scale, order->scale);
  cr = cairo_create (surface);
  if (kind == PAINT_MINIMAP)
    {
      stria_timeline_paint_minimap_density (cr, &view, picture->width, picture->height);
    }
  else
    {
      view.t0 = picture->t0;
      view.t1 = picture->t1;
      if (kind == PAINT_PINNED)
        view.legend = NULL;
      stria_timeline_paint_lanes (cr, &view, picture->width, picture->height, picture->y,
                                  kind == PAINT_PINNED);
      if (kind == PAINT_LANES && order->show_flows)
        stria_timeline_paint_flows (cr, &view, picture->width, picture->height, picture->y,
                                    view.label_x0, view.label_x1, &order->flow_count);
    }
  cairo_destroy (cr);
  picture->texture = texture_of (surface);
}

/* Arrows need the lanes at both of their ends. */
static void
load_flow_lanes (Order *order)
{
  g_autoptr (GArray) flows = NULL;
  gsize n;

  /* Once, here: reading and sorting many of them takes longer than a frame. */
  stria_trace_get_flows (order->view.trace, &n);
  if (stria_ref_is_none (order->view.selection))
    return;
  flows = stria_trace_flows_of (order->view.trace, order->view.selection);
  for (guint i = 0; i < flows->len; i++)
    {
      const StriaFlow *flow = &g_array_index (flows, StriaFlow, i);
      const guint32 ends[] = { flow->from.lane, flow->to.lane };

      for (guint j = 0; j < G_N_ELEMENTS (ends); j++)
        {
          StriaLane *lane = stria_trace_get_lane (order->view.trace, ends[j]);

          if (!stria_lane_is_loaded (lane))
            stria_lane_load (lane, NULL, NULL);
        }
    }
}

static void
take (Picture *to, Picture *from)
{
  picture_clear (to);
  *to = *from;
  *from = (Picture){ NULL };
}

static gboolean
deliver (gpointer data)
{
  Order *order = data;
  /* The order may hold the last reference. */
  g_autoptr (StriaTimeline) self = g_object_ref (order->timeline);
  const StriaRef reveal = self->reveal;

  self->working = FALSE;
  if (self->session == NULL)
    {
      order_free (order);
      return G_SOURCE_REMOVE;
    }
  take (&self->lanes, &order->lanes);
  take (&self->pinned, &order->pinned);
  self->flow_count = order->flow_count;
  if (order->minimap.texture != NULL)
    {
      take (&self->minimap, &order->minimap);
      self->minimap_t0 = order->minimap_t0;
      self->minimap_t1 = order->minimap_t1;
      stria_timeline_stale (self, LAYER_MINIMAP_FRAME);
    }
  if (!stria_ref_is_none (order->view.selection))
    stria_timeline_stale (self, LAYER_OVERLAY);
  g_clear_pointer (&self->legend, g_array_unref);
  self->legend = g_steal_pointer (&order->view.legend);
  /* Keys of a colouring that was replaced meanwhile mean nothing to the one that is asked for texts */
  if (self->legend != NULL && order->view.coloring != self->coloring)
    g_array_set_size (self->legend, 0);
  stria_timeline_emit_legend (self);
  order_free (order);
  if (!stria_ref_is_none (reveal))
    stria_timeline_bring_into_sight (self, reveal);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->wanted)
    stria_timeline_want_picture (self);
  return G_SOURCE_REMOVE;
}

static void
work (gpointer data, gpointer user_data)
{
  Order *order = data;

  paint (order, &order->pinned, PAINT_PINNED);
  paint (order, &order->lanes, PAINT_LANES);
  paint (order, &order->minimap, PAINT_MINIMAP);
  load_flow_lanes (order);
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

/* Widens the visible range to both sides, as far as there is anything. */
static void
set_extent (StriaTimeline *self, const StriaTimelineView *view, Picture *picture, double scale)
{
  const double width = stria_timeline_lanes_width (self);
  const double length = (double) (view->t1 - view->t0);
  const double room = (MAX_SURFACE_PX / scale / width - 1) / 2;
  const gint64 extra = (gint64) (length * CLAMP (room, 0, EXTRA_WIDTH_SHARE));
  gint64 bound0 = 0;
  gint64 bound1 = 0;

  stria_session_get_bounds (self->session, &bound0, &bound1);
  picture->t0 = view->t0 - CLAMP (view->t0 - MAX (bound0, G_MININT64 / 2), 0, extra);
  picture->t1 = view->t1 + CLAMP (MIN (bound1, G_MAXINT64 / 2) - view->t1, 0, extra);
  picture->width = floor ((double) (picture->t1 - picture->t0) * width / length + 0.5);
}

static Order *
order_new (StriaTimeline *self, const StriaTimelineView *view)
{
  Order *order = g_new0 (Order, 1);
  const double scroll = stria_timeline_scroll (self);
  const double page = stria_timeline_lanes_height (self);
  const double above = MIN (scroll, EXTRA_HEIGHT);
  const double below
      = CLAMP (stria_timeline_layout_height (self->layout) - scroll - page, 0, EXTRA_HEIGHT);
  const double width = stria_timeline_lanes_width (self);
  double px_per_ns = 0;

  order->timeline = g_object_ref (self);
  order->view = *view;
  order->view.range_lanes = NULL;
  order->view.trace = stria_trace_ref (view->trace);
  order->view.layout = stria_timeline_layout_snapshot (self->layout);
  order->view.match = view->match != NULL ? stria_match_ref (view->match) : NULL;
  order->view.coloring = view->coloring != NULL ? stria_coloring_ref (view->coloring) : NULL;
  if (self->show_legend)
    order->view.legend = g_array_new (FALSE, FALSE, sizeof (StriaLegendEntry));
  order->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  order->show_flows = self->show_flows;
  set_extent (self, view, &order->lanes, order->scale);
  order->lanes.y = scroll - above;
  order->lanes.height = page + above + below;
  px_per_ns = width / (double) (view->t1 - view->t0);
  order->view.label_x0 = (double) (view->t0 - order->lanes.t0) * px_per_ns;
  order->view.label_x1 = order->view.label_x0 + width;
  order->pinned = order->lanes;
  order->pinned.y = 0;
  order->pinned.height = stria_timeline_pinned_shown (self);
  if (self->minimap_stale)
    {
      order->minimap.width = width;
      order->minimap.height = STRIA_TIMELINE_MINIMAP_HEIGHT;
      stria_timeline_minimap_range (view, &order->minimap_t0, &order->minimap_t1);
      self->minimap_stale = FALSE;
    }
  return order;
}

/**
 * stria_timeline_want_picture:
 *
 * Something that the slices depend on has changed.
 */
void
stria_timeline_want_picture (StriaTimeline *self)
{
  StriaTimelineView view;

  self->wanted = TRUE;
  if (self->working || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || !stria_timeline_fill_view (self, &view) || stria_timeline_lanes_height (self) < 1)
    return;
  self->wanted = FALSE;
  self->working = TRUE;
  g_thread_pool_push (worker_pool (), order_new (self, &view), NULL);
}

void
stria_timeline_drop_pictures (StriaTimeline *self)
{
  picture_clear (&self->lanes);
  picture_clear (&self->pinned);
  picture_clear (&self->minimap);
}
