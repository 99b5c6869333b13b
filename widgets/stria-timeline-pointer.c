/* SPDX-License-Identifier: Apache-2.0 */
/* The time under the pointer: told to the other pictures of the session, and shown where it is over
 * one of them. */
#include "config.h"

#include "stria-timeline-private.h"

#include <math.h>

#include "stria-pointer.h"

static void
on_changed (StriaTimeline *self)
{
  if (!self->pointer_inside)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
stria_timeline_add_pointer (StriaTimeline *self)
{
  g_signal_connect_object (stria_pointer_of (self->session), "changed", G_CALLBACK (on_changed),
                           self, G_CONNECT_SWAPPED);
}

/* After the pointer, or the view under it, has moved */
void
stria_timeline_tell_pointer (StriaTimeline *self)
{
  StriaPointer *pointer;

  if (self->session == NULL)
    return;
  pointer = stria_pointer_of (self->session);
  if (self->pointer_inside && self->pointer_x >= self->header_width
      && stria_session_get_trace (self->session) != NULL)
    /* Of a whole pixel, so that the same one is found again elsewhere */
    stria_pointer_set (pointer, stria_timeline_time_at (self, floor (self->pointer_x)), self);
  else
    stria_pointer_clear (pointer, self);
}

/**
 * stria_timeline_pointed:
 * @ns: (out): the time that is pointed at
 * @x: (out): where it stands in the widget
 *
 * Returns: FALSE: nobody points at a time that is in sight
 */
gboolean
stria_timeline_pointed (StriaTimeline *self, const StriaTimelineView *view, gint64 *ns, double *x)
{
  const double width = stria_timeline_lanes_width (self);

  if (!stria_pointer_get (stria_pointer_of (self->session), ns))
    return FALSE;
  *x = self->header_width + floor (stria_time_to_x (*ns, view->t0, view->t1, width) + 0.5);
  return *x >= self->header_width && *x < self->header_width + width;
}
