/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <math.h>

/**
 * SECTION:stria-graph-area-animate
 *
 * The view on its way to somewhere, as the timeline moves its own: a glide nears its goal by a
 * fixed share a millisecond, a fling runs out by friction. And boxes on their way from one scene to
 * the next, in a fixed time: each begins where it stood, or inside of the box that held it.
 */

#define GLIDE_TIME_S   0.055 /* in which the distance falls to 1/e */
#define FLING_TIME_S   0.325
#define FLING_LEAST_PX 12.0 /* a second; slower is standing still */
#define FLING_MOST_PX  12000.0
#define MOVE_US        200000
#define MOST_MOVED     3000 /* boxes */
#define READABLE_ZOOM  (0.5 * STRIA_GRAPH_FULL_SIZE)
#define GOOD_ZOOM      (0.85 * STRIA_GRAPH_FULL_SIZE)
#define SIGHT_PX       48.0 /* so far from the edges is in sight */
#define LEAST_GROUP_PX 90.0

gboolean
stria_graph_area_is_animated (StriaGraphArea *self)
{
  gboolean enabled = TRUE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &enabled,
                NULL);
  return enabled && gtk_widget_get_mapped (GTK_WIDGET (self));
}

static double
clamp_zoom (double zoom)
{
  return CLAMP (zoom, STRIA_GRAPH_MIN_ZOOM, STRIA_GRAPH_MAX_ZOOM);
}

/* What stands still on the screen between here and there goes on to, whatever the zoom between. */
static void
glide (StriaGraphArea *self, double seconds)
{
  const double share = 1 - exp (-seconds / GLIDE_TIME_S);
  const double ratio = log (self->goal_zoom / self->zoom);
  const double left_x = (self->goal_x - self->x) * self->goal_zoom;
  const double left_y = (self->goal_y - self->y) * self->goal_zoom;
  double zoom, x, y;

  if (fabs (ratio) < 0.002 && fabs (left_x) < 0.6 && fabs (left_y) < 0.6)
    {
      self->gliding = FALSE;
      stria_graph_area_set_view (self, self->goal_x, self->goal_y, self->goal_zoom);
      return;
    }
  zoom = self->zoom * exp (ratio * share);
  if (fabs (ratio) < 0.01)
    {
      x = self->x + (self->goal_x - self->x) * share;
      y = self->y + (self->goal_y - self->y) * share;
    }
  else
    {
      const double still_x = (self->goal_x * self->goal_zoom - self->x * self->zoom)
                             / (self->goal_zoom - self->zoom);
      const double still_y = (self->goal_y * self->goal_zoom - self->y * self->zoom)
                             / (self->goal_zoom - self->zoom);

      x = still_x - (still_x - self->x) * self->zoom / zoom;
      y = still_y - (still_y - self->y) * self->zoom / zoom;
    }
  stria_graph_area_set_view (self, x, y, zoom);
}

static void
fling (StriaGraphArea *self, double seconds)
{
  const double decay = exp (-seconds / FLING_TIME_S);
  const double way = FLING_TIME_S * (1 - decay);

  stria_graph_area_set_view (self, self->x + self->fling_x * way / self->zoom,
                             self->y + self->fling_y * way / self->zoom, self->zoom);
  self->fling_x *= decay;
  self->fling_y *= decay;
  if (hypot (self->fling_x, self->fling_y) < FLING_LEAST_PX)
    self->fling_x = self->fling_y = 0;
}

static void
move (StriaGraphArea *self, gint64 now)
{
  double t;

  if (self->move.began_us == 0)
    self->move.began_us = now;
  t = CLAMP ((double) (now - self->move.began_us) / MOVE_US, 0, 1);
  self->move.share = 1 - (1 - t) * (1 - t) * (1 - t);
  if (t >= 1)
    stria_graph_area_end_move (self);
  stria_graph_area_want_picture (self);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);
  const gint64 now = gdk_frame_clock_get_frame_time (clock);
  const double seconds = CLAMP ((double) (now - self->tick_us) / G_USEC_PER_SEC, 0, 0.1);

  self->tick_us = now;
  if (self->move.scene != NULL)
    move (self, now);
  if (self->gliding)
    glide (self, seconds);
  if (self->fling_x != 0 || self->fling_y != 0)
    fling (self, seconds);
  if (self->move.scene != NULL || self->gliding || self->fling_x != 0 || self->fling_y != 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
start_ticking (StriaGraphArea *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  if (self->tick != 0 || clock == NULL)
    return;
  self->tick_us = gdk_frame_clock_get_frame_time (clock);
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

void
stria_graph_area_stop (StriaGraphArea *self)
{
  stria_graph_area_end_move (self);
  self->gliding = FALSE;
  self->fling_x = self->fling_y = 0;
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
}

void
stria_graph_area_glide_to (StriaGraphArea *self, double x, double y, double zoom)
{
  self->fitted = FALSE;
  self->fling_x = self->fling_y = 0;
  if (!stria_graph_area_is_animated (self))
    {
      self->gliding = FALSE;
      stria_graph_area_set_view (self, x, y, zoom);
      return;
    }
  stria_graph_area_end_move (self);
  self->goal_x = x;
  self->goal_y = y;
  self->goal_zoom = zoom;
  self->gliding = TRUE;
  start_ticking (self);
}

/**
 * stria_graph_area_zoom_at:
 * @x: place in the widget where the scene stays
 * @factor: above 1 shows it larger
 * @smooth: whether to glide there
 */
void
stria_graph_area_zoom_at (StriaGraphArea *self, double x, double y, double factor, gboolean smooth)
{
  const double zoom = clamp_zoom ((self->gliding ? self->goal_zoom : self->zoom) * factor);
  const double sx = self->x + x / self->zoom;
  const double sy = self->y + y / self->zoom;

  if (self->scene == NULL)
    return;
  if (smooth)
    {
      stria_graph_area_glide_to (self, sx - x / zoom, sy - y / zoom, zoom);
      return;
    }
  stria_graph_area_end_move (self);
  self->gliding = FALSE;
  self->fitted = FALSE;
  stria_graph_area_set_view (self, sx - x / zoom, sy - y / zoom, zoom);
}

/* @dx, @dy: pixels; positive ones show what is to the right and below */
void
stria_graph_area_pan (StriaGraphArea *self, double dx, double dy, gboolean smooth)
{
  const double zoom = self->gliding ? self->goal_zoom : self->zoom;
  const double x = (self->gliding ? self->goal_x : self->x) + dx / zoom;
  const double y = (self->gliding ? self->goal_y : self->y) + dy / zoom;

  if (self->scene == NULL)
    return;
  if (smooth)
    {
      stria_graph_area_glide_to (self, x, y, zoom);
      return;
    }
  stria_graph_area_end_move (self);
  self->gliding = FALSE;
  self->fitted = FALSE;
  stria_graph_area_set_view (self, self->x + dx / self->zoom, self->y + dy / self->zoom,
                             self->zoom);
}

/* Goes on with a speed in pixels a second after fingers have let go. */
void
stria_graph_area_fling (StriaGraphArea *self, double vx, double vy)
{
  if (!stria_graph_area_is_animated (self))
    return;
  self->gliding = FALSE;
  self->fling_x = CLAMP (vx, -FLING_MOST_PX, FLING_MOST_PX);
  self->fling_y = CLAMP (vy, -FLING_MOST_PX, FLING_MOST_PX);
  start_ticking (self);
}

/* Where a view of that length begins that has @middle in its middle and shows no more than an edge
 * of what is beyond the scene; a scene that is shorter stands in the middle of the view. */
static double
in_scene (double middle, double length, double scene, double zoom)
{
  const double edge = SIGHT_PX / zoom;

  if (scene + 2 * edge <= length)
    return (scene - length) / 2;
  return CLAMP (middle - length / 2, -edge, scene + edge - length);
}

/**
 * stria_graph_area_bring:
 * @item: box to be seen, readable
 *
 * Moves as little as it takes: not at all where it is in sight.
 */
void
stria_graph_area_bring (StriaGraphArea *self, guint32 item)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  const StriaSceneItem *box;
  double zoom = self->zoom;
  double left, top, w, h;

  if (self->scene == NULL || item >= self->scene->n_items || width < 1 || height < 1)
    return;
  box = &self->scene->items[item];
  w = (double) box->width;
  h = (double) box->height;
  if (!box->open)
    zoom = zoom < READABLE_ZOOM ? GOOD_ZOOM : zoom;
  else if (w * zoom > width - 2 * SIGHT_PX || h * zoom > height - 2 * SIGHT_PX
           || MAX (w, h) * zoom < LEAST_GROUP_PX)
    zoom = clamp_zoom (MIN (MIN ((width - 2 * SIGHT_PX) / w, (height - 2 * SIGHT_PX) / h),
                            STRIA_GRAPH_FULL_SIZE));
  left = ((double) box->x - self->x) * self->zoom;
  top = ((double) box->y - self->y) * self->zoom;
  if (zoom == self->zoom && left >= SIGHT_PX && top >= SIGHT_PX
      && left + w * zoom <= width - SIGHT_PX && top + h * zoom <= height - SIGHT_PX)
    return;
  stria_graph_area_glide_to (
      self, in_scene ((double) box->x + w / 2, width / zoom, (double) self->scene->width, zoom),
      in_scene ((double) box->y + h / 2, height / zoom, (double) self->scene->height, zoom), zoom);
}

/* -- Boxes ------------------------------------------------------------------------------------- */

static void
own_boxes (const StriaScene *scene, float *boxes)
{
  for (guint32 i = 0; i < scene->n_items; i++)
    {
      const StriaSceneItem *item = &scene->items[i];

      memcpy (boxes + 4 * (gsize) i, (const float[]){ item->x, item->y, item->width, item->height },
              4 * sizeof (float));
    }
}

/* Where the boxes of @scene are in @other. What is not there keeps its place in what is around
 * it. */
static void
boxes_in (const StriaScene *scene, const StriaScene *other, float *boxes)
{
  for (guint32 i = 0; i < scene->n_items; i++)
    {
      const StriaSceneItem *item = &scene->items[i];
      const StriaGraphSpot spot = stria_graph_spot (scene, i);
      const guint32 there = stria_graph_spot_find (other, spot);
      float *box = boxes + 4 * (gsize) i;
      const StriaSceneItem *around;
      const float *to;
      float sx, sy;

      if (stria_graph_spot_is_item (other, spot, there))
        {
          const StriaSceneItem *same = &other->items[there];

          memcpy (box, (const float[]){ same->x, same->y, same->width, same->height },
                  4 * sizeof (float));
          continue;
        }
      if (item->parent == STRIA_NO_ITEM)
        {
          box[0] = item->x + item->width / 2;
          box[1] = item->y + item->height / 2;
          box[2] = box[3] = 0;
          continue;
        }
      around = &scene->items[item->parent];
      to = boxes + 4 * (gsize) item->parent;
      sx = to[2] / around->width;
      sy = to[3] / around->height;
      box[0] = to[0] + (item->x - around->x) * sx;
      box[1] = to[1] + (item->y - around->y) * sy;
      box[2] = item->width * sx;
      box[3] = item->height * sy;
    }
}

/* Opening shows the boxes of the new scene as they come out of those that held them, closing those
 * of the old one as they go. */
void
stria_graph_area_begin_move (StriaGraphArea *self, StriaScene *old, guint16 *old_marks, double x0,
                             double y0)
{
  StriaGraphMove *m = &self->move;
  const gboolean opens = self->scene->n_items >= old->n_items;
  StriaScene *scene = opens ? self->scene : old;
  guint16 *marks = opens ? self->item_marks : old_marks;
  const gsize size = 4 * sizeof (float) * (gsize) scene->n_items;

  if (!stria_graph_area_is_animated (self) || MAX (old->n_items, self->scene->n_items) > MOST_MOVED
      || old->direction != self->scene->direction)
    return;
  m->scene = stria_scene_ref (scene);
  m->marks = marks != NULL ? g_atomic_rc_box_acquire (marks) : NULL;
  m->from = g_malloc0 (size);
  m->to = g_malloc0 (size);
  own_boxes (scene, opens ? m->to : m->from);
  boxes_in (scene, opens ? old : self->scene, opens ? m->from : m->to);
  m->x0 = x0;
  m->y0 = y0;
  m->x1 = self->x;
  m->y1 = self->y;
  m->began_us = 0;
  m->share = 0;
  start_ticking (self);
}

void
stria_graph_area_end_move (StriaGraphArea *self)
{
  if (self->move.scene == NULL)
    return;
  stria_scene_unref (self->move.scene);
  g_free (self->move.from);
  g_free (self->move.to);
  g_clear_pointer (&self->move.marks, g_atomic_rc_box_release);
  self->move = (StriaGraphMove){ NULL };
  stria_graph_area_want_picture (self);
}

float *
stria_graph_area_moved_boxes (StriaGraphArea *self)
{
  const gsize n = 4 * (gsize) self->move.scene->n_items;
  const float share = (float) self->move.share;
  float *boxes = g_atomic_rc_box_alloc (n * sizeof (float));

  for (gsize i = 0; i < n; i++)
    boxes[i] = self->move.from[i] + (self->move.to[i] - self->move.from[i]) * share;
  return boxes;
}
