/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-link.h"

#include <math.h>

/* Time t of a session stands at (t - zero) / scale on the axis that all share. */
typedef struct
{
  StriaSession *session;
  gint64        zero;
  double        scale;
  gint64        anchor;
  gboolean      has_anchor;
} Member;

struct _StriaTraceLink
{
  GArray       *members; /* Member */
  StriaLinkMode mode;
  gboolean      moving; /* what sessions tell comes from here */
};

static Member *
member (StriaTraceLink *self, guint i)
{
  return &g_array_index (self->members, Member, i);
}

static void
range_of (const Member *of, gint64 *t0, gint64 *t1)
{
  StriaTrace *trace = stria_session_get_trace (of->session);

  *t0 = 0;
  *t1 = 1;
  if (trace != NULL)
    stria_trace_get_view_range (trace, t0, t1);
  *t1 = MAX (*t1, *t0 + 1);
}

static double
to_axis (const Member *of, gint64 t)
{
  return ((double) t - (double) of->zero) / of->scale;
}

/* Times of hostile files may be anywhere. */
static gint64
from_axis (const Member *of, double u)
{
  const double ns = u * of->scale;
  gint64 t;

  if (!(fabs (ns) < 4e18) || __builtin_add_overflow (of->zero, (gint64) llround (ns), &t))
    return ns > 0 ? G_MAXINT64 / 2 : G_MININT64 / 2;
  return t;
}

static void
follow (StriaTraceLink *self, StriaSession *leader)
{
  const Member *of = NULL;
  gint64 t0, t1;
  double u0, u1;

  for (guint i = 0; i < self->members->len; i++)
    if (member (self, i)->session == leader)
      of = member (self, i);
  if (of == NULL || self->moving)
    return;
  stria_session_get_view (leader, &t0, &t1);
  u0 = to_axis (of, t0);
  u1 = to_axis (of, t1);
  self->moving = TRUE;
  for (guint i = 0; i < self->members->len; i++)
    if (member (self, i)->session != leader && stria_session_get_trace (member (self, i)->session))
      stria_session_set_view (member (self, i)->session, from_axis (member (self, i), u0),
                              from_axis (member (self, i), u1));
  self->moving = FALSE;
}

static void
on_view_changed (StriaSession *session, StriaTraceLink *self)
{
  follow (self, session);
}

/* Absolute times are the epoch's where all captures say what theirs are of it. */
static gboolean
wall_bases (StriaTraceLink *self, gint64 *bases)
{
  gboolean all = self->members->len > 0;

  for (guint i = 0; i < self->members->len; i++)
    {
      StriaTrace *trace = stria_session_get_trace (member (self, i)->session);

      bases[i] = 0;
      all = all && trace != NULL && stria_trace_get_wall_base (trace, &bases[i]);
    }
  for (guint i = 0; !all && i < self->members->len; i++)
    bases[i] = 0;
  return all;
}

static void
place (StriaTraceLink *self)
{
  gint64 bases[STRIA_TRACE_COMPARE_MAX] = { 0 };
  gint64 first0 = 0, first1 = 1;

  if (self->members->len == 0)
    return;
  range_of (member (self, 0), &first0, &first1);
  wall_bases (self, bases);
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *of = member (self, i);
      gint64 t0, t1;

      range_of (of, &t0, &t1);
      of->scale = 1;
      of->zero = t0;
      if (self->mode == STRIA_LINK_SHARE)
        of->scale = (double) (t1 - t0) / (double) (first1 - first0);
      else if (self->mode == STRIA_LINK_CLOCK
               && __builtin_add_overflow (first0, bases[0] - bases[i], &of->zero))
        of->zero = first0;
      else if (self->mode == STRIA_LINK_EVENT && of->has_anchor)
        of->zero = of->anchor;
    }
}

/* Where one capture may be looked at, all may. */
static void
share_bounds (StriaTraceLink *self)
{
  double u0 = INFINITY, u1 = -INFINITY;

  for (guint i = 0; i < self->members->len; i++)
    {
      gint64 t0, t1;

      stria_session_extend_bounds (member (self, i)->session, 0, 0);
      stria_session_get_bounds (member (self, i)->session, &t0, &t1);
      u0 = MIN (u0, to_axis (member (self, i), t0));
      u1 = MAX (u1, to_axis (member (self, i), t1));
    }
  for (guint i = 0; i < self->members->len; i++)
    stria_session_extend_bounds (member (self, i)->session, from_axis (member (self, i), u0),
                                 from_axis (member (self, i), u1));
}

static void
place_all (StriaTraceLink *self)
{
  place (self);
  share_bounds (self);
  if (self->members->len > 0)
    follow (self, member (self, 0)->session);
}

StriaTraceLink *
stria_trace_link_new (void)
{
  StriaTraceLink *self = g_new0 (StriaTraceLink, 1);

  self->members = g_array_new (FALSE, TRUE, sizeof (Member));
  return self;
}

static void
drop (StriaTraceLink *self, guint i)
{
  StriaSession *session = member (self, i)->session;

  g_signal_handlers_disconnect_by_data (session, self);
  g_object_unref (session);
  g_array_remove_index (self->members, i);
}

void
stria_trace_link_free (StriaTraceLink *self)
{
  if (self == NULL)
    return;
  while (self->members->len > 0)
    drop (self, self->members->len - 1);
  g_array_unref (self->members);
  g_free (self);
}

void
stria_trace_link_add (StriaTraceLink *self, StriaSession *session)
{
  Member of = { .session = g_object_ref (session), .scale = 1 };

  g_return_if_fail (self->members->len < STRIA_TRACE_COMPARE_MAX);

  g_array_append_val (self->members, of);
  g_signal_connect (session, "view-changed", G_CALLBACK (on_view_changed), self);
  place_all (self);
}

void
stria_trace_link_remove (StriaTraceLink *self, StriaSession *session)
{
  for (guint i = self->members->len; i > 0; i--)
    if (member (self, i - 1)->session == session)
      drop (self, i - 1);
  place_all (self);
}

void
stria_trace_link_set_mode (StriaTraceLink *self, StriaLinkMode mode)
{
  self->mode = mode;
  place_all (self);
}

StriaLinkMode
stria_trace_link_get_mode (StriaTraceLink *self)
{
  return self->mode;
}

void
stria_trace_link_set_anchors (StriaTraceLink *self, const gint64 *times, const gboolean *has,
                              guint n)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      member (self, i)->has_anchor = i < n && has[i];
      member (self, i)->anchor = i < n ? times[i] : 0;
    }
  place_all (self);
}

gboolean
stria_trace_link_overlaps (StriaTraceLink *self, gboolean *is_wall)
{
  gint64 bases[STRIA_TRACE_COMPARE_MAX] = { 0 };

  *is_wall = wall_bases (self, bases);
  for (guint i = 0; i < self->members->len; i++)
    for (guint k = 0; k < i; k++)
      {
        gint64 a0, a1, b0, b1;

        range_of (member (self, i), &a0, &a1);
        range_of (member (self, k), &b0, &b1);
        if ((double) a0 + (double) bases[i] < (double) b1 + (double) bases[k]
            && (double) b0 + (double) bases[k] < (double) a1 + (double) bases[i])
          return TRUE;
      }
  return FALSE;
}

void
stria_trace_link_fit (StriaTraceLink *self)
{
  double u0 = INFINITY, u1 = -INFINITY, margin;

  for (guint i = 0; i < self->members->len; i++)
    {
      gint64 t0, t1;

      range_of (member (self, i), &t0, &t1);
      u0 = MIN (u0, to_axis (member (self, i), t0));
      u1 = MAX (u1, to_axis (member (self, i), t1));
    }
  if (self->members->len == 0)
    return;
  margin = (u1 - u0) * 0.01;
  stria_session_set_view (member (self, 0)->session, from_axis (member (self, 0), u0 - margin),
                          from_axis (member (self, 0), u1 + margin));
}
