/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-display-list.h"
#include "stria-timeline-private.h"

#include <math.h>

/**
 * SECTION:stria-timeline-motion
 *
 * The view on its way to somewhere: a glide nears its goal by a fixed share a millisecond, so that
 * a key held down or a wheel turned on moves the goal and never jerks; a fling runs out by friction.
 */

#define GLIDE_TIME_S   0.055 /* in which the distance falls to 1/e */
#define FLING_TIME_S   0.325
#define FLING_LEAST_PX 12.0 /* a second; slower is standing still */
#define FLING_MOST_PX  12000.0

/* Times of hostile files lie at the ends of what a number holds. */
static gint64
add (gint64 a, double b)
{
  gint64 sum = 0;

  if (__builtin_add_overflow (a, (gint64) CLAMP (b, -9e18, 9e18), &sum))
    return b > 0 ? G_MAXINT64 : G_MININT64;
  return sum;
}

static gboolean
animated (StriaTimeline *self)
{
  gboolean enabled = TRUE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &enabled, NULL);
  return enabled && gtk_widget_get_mapped (GTK_WIDGET (self));
}

void
stria_timeline_set_view (StriaTimeline *self, gint64 t0, gint64 t1)
{
  const gboolean before = self->moving_view;

  self->moving_view = TRUE;
  stria_session_set_view (self->session, t0, t1);
  self->moving_view = before;
}

static void
pan_ns (StriaTimeline *self, double ns)
{
  gint64 t0 = 0;
  gint64 t1 = 0;
  gint64 bound0 = 0;
  gint64 bound1 = 0;
  gint64 delta = 0;

  stria_session_get_view (self->session, &t0, &t1);
  stria_session_get_bounds (self->session, &bound0, &bound1);
  delta = (gint64) CLAMP (ns, (double) (bound0 - t0), (double) (bound1 - t1));
  if (delta != 0)
    stria_timeline_set_view (self, t0 + delta, t1 + delta);
}

static double
ns_per_px (StriaTimeline *self)
{
  gint64 t0 = 0;
  gint64 t1 = 0;

  stria_session_get_view (self->session, &t0, &t1);
  return (double) (t1 - t0) / stria_timeline_lanes_width (self);
}

static void
glide (StriaTimeline *self, double seconds)
{
  const double share = 1 - exp (-seconds / GLIDE_TIME_S);
  gint64 t0 = 0;
  gint64 t1 = 0;
  double left = 0;
  double right = 0;
  double near = 0;

  stria_session_get_view (self->session, &t0, &t1);
  left = (double) (self->glide_t0 - t0);
  right = (double) (self->glide_t1 - t1);
  near = ns_per_px (self) * 0.4;
  if (fabs (left) <= near && fabs (right) <= near)
    {
      self->gliding = FALSE;
      stria_timeline_set_view (self, self->glide_t0, self->glide_t1);
      return;
    }
  stria_timeline_set_view (self, t0 + (gint64) (left * share), t1 + (gint64) (right * share));
}

static void
fling (StriaTimeline *self, double seconds)
{
  const double decay = exp (-seconds / FLING_TIME_S);
  /* Distance covered while the speed falls */
  const double way = FLING_TIME_S * (1 - decay);

  if (self->fling_x != 0)
    pan_ns (self, self->fling_x * way * ns_per_px (self));
  if (self->fling_y != 0)
    gtk_adjustment_set_value (self->vadjustment, gtk_adjustment_get_value (self->vadjustment)
                                                     + self->fling_y * way);
  self->fling_x *= decay;
  self->fling_y *= decay;
  if (hypot (self->fling_x, self->fling_y) < FLING_LEAST_PX)
    self->fling_x = self->fling_y = 0;
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const gint64 now = gdk_frame_clock_get_frame_time (clock);
  const double seconds = CLAMP ((double) (now - self->tick_us) / G_USEC_PER_SEC, 0, 0.1);

  self->tick_us = now;
  if (self->gliding)
    glide (self, seconds);
  if (self->fling_x != 0 || self->fling_y != 0)
    fling (self, seconds);
  if (self->gliding || self->fling_x != 0 || self->fling_y != 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
start_ticking (StriaTimeline *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  if (self->tick != 0 || clock == NULL)
    return;
  self->tick_us = gdk_frame_clock_get_frame_time (clock);
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

void
stria_timeline_stop (StriaTimeline *self)
{
  self->gliding = FALSE;
  self->fling_x = self->fling_y = 0;
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
}

/**
 * stria_timeline_glide_to:
 * @t0: left edge to arrive at
 * @t1: right edge
 *
 * Moves the view there smoothly, or at once where animations are off.
 */
void
stria_timeline_glide_to (StriaTimeline *self, gint64 t0, gint64 t1)
{
  gint64 bound0 = 0;
  gint64 bound1 = 0;
  const double length = (double) t1 - (double) t0;

  /* A goal outside the bounds would never be reached */
  stria_session_get_bounds (self->session, &bound0, &bound1);
  if (t0 < bound0)
    {
      t0 = bound0;
      t1 = MIN (add (t0, length), bound1);
    }
  if (t1 > bound1)
    {
      t1 = bound1;
      t0 = MAX (add (t1, -length), bound0);
    }
  self->fling_x = self->fling_y = 0;
  if (!animated (self))
    {
      stria_timeline_set_view (self, t0, t1);
      return;
    }
  self->glide_t0 = t0;
  self->glide_t1 = t1;
  self->gliding = TRUE;
  start_ticking (self);
}

/* Where the view is going, or where it is. */
static void
goal (StriaTimeline *self, gint64 *t0, gint64 *t1)
{
  if (self->gliding)
    {
      *t0 = self->glide_t0;
      *t1 = self->glide_t1;
    }
  else
    stria_session_get_view (self->session, t0, t1);
}

/**
 * stria_timeline_zoom_at:
 * @x: position in the widget whose time stays where it is
 * @factor: below 1 zooms in
 * @smooth: whether to glide there
 */
void
stria_timeline_zoom_at (StriaTimeline *self, double x, double factor, gboolean smooth)
{
  const double share
      = CLAMP ((x - self->header_width) / stria_timeline_lanes_width (self), 0, 1);
  gint64 t0 = 0;
  gint64 t1 = 0;
  gint64 now0 = 0;
  gint64 now1 = 0;
  gint64 center = 0;
  double length = 0;

  goal (self, &t0, &t1);
  stria_session_get_view (self->session, &now0, &now1);
  /* The time under the pointer now, not at the goal: it is what the eye holds on to */
  center = now0 + (gint64) (share * (double) (now1 - now0));
  length = MAX ((double) (t1 - t0) * factor, 100);
  if (length > 9e18)
    return;
  t0 = add (center, -length * share);
  t1 = add (t0, length);
  if (smooth)
    stria_timeline_glide_to (self, t0, t1);
  else
    {
      self->gliding = FALSE;
      stria_timeline_set_view (self, t0, t1);
    }
}

/* @px > 0 shows later times */
void
stria_timeline_pan_px (StriaTimeline *self, double px, gboolean smooth)
{
  gint64 t0 = 0;
  gint64 t1 = 0;
  const double ns = px * ns_per_px (self);

  if (!smooth)
    {
      self->gliding = FALSE;
      pan_ns (self, ns);
      return;
    }
  goal (self, &t0, &t1);
  stria_timeline_glide_to (self, add (t0, ns), add (t1, ns));
}

/* Goes on with a speed in pixels a second after fingers or pointer have let go. */
void
stria_timeline_fling (StriaTimeline *self, double vx, double vy)
{
  if (!animated (self))
    return;
  self->gliding = FALSE;
  self->fling_x = CLAMP (vx, -FLING_MOST_PX, FLING_MOST_PX);
  self->fling_y = CLAMP (vy, -FLING_MOST_PX, FLING_MOST_PX);
  start_ticking (self);
}
