/* SPDX-License-Identifier: Apache-2.0 */
/* What the user of one window looks at. It holds no pixels and starts no import. */
#include "config.h"

#include "stria-session-private.h"

#include <string.h>

#define MIN_VIEW_NS      G_GINT64_CONSTANT (100)
#define BOUNDS_MARGIN    0.05
#define FIT_MARGIN       0.01
#define HISTORY_MAX      200
/* Moves that follow each other faster than this are one gesture, one step of the history. */
#define GESTURE_GAP_US   (700 * G_TIME_SPAN_MILLISECOND)
/* A revealed event that takes less than this share of the view is zoomed to. */
#define REVEAL_MIN_SHARE (1.0 / 800)
#define REVEAL_ZOOM_TO   (1.0 / 40)

guint stria_session_signals[STRIA_SESSION_N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSession, stria_session, G_TYPE_OBJECT)

static gint64
add_clamped (gint64 a, gint64 b)
{
  gint64 sum;

  if (__builtin_add_overflow (a, b, &sum))
    return b > 0 ? G_MAXINT64 : G_MININT64;
  return sum;
}

/* Length of a view; a trace of hostile times may span more than int64 holds. */
static gint64
length_of (StriaSessionView view)
{
  gint64 length;

  if (__builtin_sub_overflow (view.t1, view.t0, &length))
    return G_MAXINT64;
  return length;
}

static StriaSessionView
with_margin (StriaSessionView view, double share)
{
  gint64 margin = (gint64) MAX (1.0, (double) length_of (view) * share);

  return (StriaSessionView){ add_clamped (view.t0, -margin), add_clamped (view.t1, margin) };
}

static StriaSessionView
trace_range (StriaSession *self, gboolean whole)
{
  StriaSessionView view = { 0, G_USEC_PER_SEC * 1000 };

  if (self->trace != NULL)
    {
      if (whole)
        stria_trace_get_range (self->trace, &view.t0, &view.t1);
      else
        stria_trace_get_view_range (self->trace, &view.t0, &view.t1);
    }
  if (view.t1 <= view.t0)
    view.t1 = add_clamped (view.t0, MIN_VIEW_NS);
  return view;
}

static StriaSessionView
bounds_of (StriaSession *self)
{
  StriaSessionView bounds = with_margin (trace_range (self, TRUE), BOUNDS_MARGIN);

  if (self->has_extra)
    bounds = (StriaSessionView){ MIN (bounds.t0, self->extra.t0),
                                 MAX (bounds.t1, self->extra.t1) };
  return bounds;
}

static StriaSessionView
clamp_view (StriaSession *self, StriaSessionView view)
{
  StriaSessionView bounds = bounds_of (self);
  gint64 length = CLAMP (length_of (view), MIN_VIEW_NS, MAX (MIN_VIEW_NS, length_of (bounds)));

  if (length_of (view) < MIN_VIEW_NS)
    view.t0 = add_clamped (view.t0, (length_of (view) - MIN_VIEW_NS) / 2);
  if (view.t0 < bounds.t0)
    view.t0 = bounds.t0;
  if (add_clamped (view.t0, length) > bounds.t1)
    view.t0 = MAX (bounds.t0, bounds.t1 - length);
  view.t1 = add_clamped (view.t0, length);
  return view;
}

static void
remember_view (StriaSession *self)
{
  g_array_append_val (self->back, self->view);
  if (self->back->len > HISTORY_MAX)
    g_array_remove_index (self->back, 0);
  g_array_set_size (self->forward, 0);
}

static void
move_view (StriaSession *self, StriaSessionView view, gboolean is_jump)
{
  gint64 now = g_get_monotonic_time ();

  view = clamp_view (self, view);
  if (view.t0 == self->view.t0 && view.t1 == self->view.t1)
    return;

  if (is_jump || now - self->moved_us > GESTURE_GAP_US)
    remember_view (self);
  /* What follows a jump is a gesture of its own. */
  self->moved_us = is_jump ? 0 : now;
  self->view = view;
  self->view_is_mine = FALSE;
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_VIEW_CHANGED], 0);
}

/* The lane of @trace that stands for lane number @lane of @old, or G_MAXUINT32. */
static guint32
find_lane (StriaTrace *trace, StriaTrace *old, guint32 lane)
{
  StriaLane *before = stria_trace_get_lane (old, lane);
  const StriaProcess *process = stria_trace_get_process (old, stria_lane_get_process (before));
  guint32 n = stria_trace_get_n_lanes (trace);

  for (guint32 i = 0; i < n; i++)
    {
      StriaLane *lane_i = stria_trace_get_lane (trace, i);
      const StriaProcess *process_i;

      if (lane_i == before)
        return i;
      if (stria_lane_get_artifact (lane_i) != stria_lane_get_artifact (before) ||
          stria_lane_get_kind (lane_i) != stria_lane_get_kind (before) ||
          stria_lane_get_n_events (lane_i) != stria_lane_get_n_events (before) ||
          g_strcmp0 (stria_lane_get_key (lane_i), stria_lane_get_key (before)) != 0 ||
          g_strcmp0 (stria_lane_get_name (lane_i), stria_lane_get_name (before)) != 0)
        continue;
      process_i = stria_trace_get_process (trace, stria_lane_get_process (lane_i));
      if (g_strcmp0 (process_i->key, process->key) == 0)
        return i;
    }
  return G_MAXUINT32;
}

/* Lane numbers are places in a drawing order, and more lanes may have come between. */
static void
carry_over (StriaSession *self, StriaTrace *old)
{
  if (!stria_ref_is_none (self->selection))
    {
      guint32 lane = find_lane (self->trace, old, self->selection.lane);

      if (lane == G_MAXUINT32)
        {
          self->selection = STRIA_REF_NONE;
          self->ordinal = 0;
          g_signal_emit (self, stria_session_signals[STRIA_SESSION_SELECTION_CHANGED], 0);
        }
      else if (lane != self->selection.lane)
        {
          self->selection.lane = lane;
          g_signal_emit (self, stria_session_signals[STRIA_SESSION_SELECTION_CHANGED], 0);
        }
    }

  if (self->has_range && !self->range_all_lanes)
    {
      guint n = 0;

      for (guint i = 0; i < self->range_lanes->len; i++)
        {
          guint32 lane =
              find_lane (self->trace, old, g_array_index (self->range_lanes, guint32, i));

          if (lane != G_MAXUINT32)
            g_array_index (self->range_lanes, guint32, n++) = lane;
        }
      g_array_set_size (self->range_lanes, n);
      if (n == 0)
        self->has_range = FALSE;
      g_signal_emit (self, stria_session_signals[STRIA_SESSION_RANGE_CHANGED], 0);
    }
}

static void
on_trace_changed (StriaSession *self)
{
  g_autoptr (StriaTrace) old = g_steal_pointer (&self->trace);

  self->trace = stria_capture_ref_trace (self->capture);
  if (self->trace == old)
    return;

  if (self->view_is_mine)
    self->view = clamp_view (self, with_margin (trace_range (self, FALSE), FIT_MARGIN));
  else
    self->view = clamp_view (self, self->view);

  if (old != NULL && self->trace != NULL)
    carry_over (self, old);

  g_signal_emit (self, stria_session_signals[STRIA_SESSION_TRACE_CHANGED], 0);
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_VIEW_CHANGED], 0);

  if (self->search_text != NULL)
    {
      g_autofree char *text = g_strdup (self->search_text);

      stria_session_search (self, text, self->search_args);
    }
  else if (self->match != NULL)
    stria_session_show_match (self, NULL); /* its events are of the trace before */
}

static void
stria_session_dispose (GObject *object)
{
  StriaSession *self = STRIA_SESSION (object);

  g_cancellable_cancel (self->search_cancellable);
  if (self->capture != NULL)
    g_signal_handlers_disconnect_by_data (self->capture, self);
  g_clear_object (&self->search_cancellable);
  g_clear_pointer (&self->match, stria_match_unref);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_object (&self->capture);
  G_OBJECT_CLASS (stria_session_parent_class)->dispose (object);
}

static void
stria_session_finalize (GObject *object)
{
  StriaSession *self = STRIA_SESSION (object);

  g_clear_pointer (&self->search_text, g_free);
  g_clear_pointer (&self->back, g_array_unref);
  g_clear_pointer (&self->forward, g_array_unref);
  g_clear_pointer (&self->range_lanes, g_array_unref);
  G_OBJECT_CLASS (stria_session_parent_class)->finalize (object);
}

static void
stria_session_class_init (StriaSessionClass *klass)
{
  static const char *const names[STRIA_SESSION_N_SIGNALS] = { "trace-changed",   "view-changed",
                                                "selection-changed", "range-changed",
                                                "match-changed",   "reveal" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stria_session_dispose;
  object_class->finalize = stria_session_finalize;

  for (guint i = 0; i < STRIA_SESSION_REVEAL; i++)
    stria_session_signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                             0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  stria_session_signals[STRIA_SESSION_REVEAL] =
      g_signal_new (names[STRIA_SESSION_REVEAL], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
stria_session_init (StriaSession *self)
{
  self->selection = STRIA_REF_NONE;
  self->view_is_mine = TRUE;
  self->back = g_array_new (FALSE, FALSE, sizeof (StriaSessionView));
  self->forward = g_array_new (FALSE, FALSE, sizeof (StriaSessionView));
  self->range_lanes = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/**
 * stria_session_new:
 * @capture: what is looked at
 *
 * Returns: (transfer full): a session whose view follows the capture's trace until someone moves it
 */
StriaSession *
stria_session_new (StriaCapture *capture)
{
  StriaSession *self;

  g_return_val_if_fail (STRIA_IS_CAPTURE (capture), NULL);

  self = g_object_new (STRIA_TYPE_SESSION, NULL);
  self->capture = g_object_ref (capture);
  self->trace = stria_capture_ref_trace (capture);
  self->view = with_margin (trace_range (self, FALSE), FIT_MARGIN);
  g_signal_connect_swapped (capture, "trace-changed", G_CALLBACK (on_trace_changed), self);
  return self;
}

StriaCapture *
stria_session_get_capture (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), NULL);

  return self->capture;
}

StriaTrace *
stria_session_get_trace (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), NULL);

  return self->trace;
}

void
stria_session_get_bounds (StriaSession *self, gint64 *t0, gint64 *t1)
{
  StriaSessionView bounds;

  g_return_if_fail (STRIA_IS_SESSION (self));

  bounds = bounds_of (self);
  *t0 = bounds.t0;
  *t1 = bounds.t1;
}

void
stria_session_extend_bounds (StriaSession *self, gint64 t0, gint64 t1)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  self->has_extra = t1 > t0;
  self->extra = (StriaSessionView){ t0, t1 };
}

void
stria_session_get_view (StriaSession *self, gint64 *t0, gint64 *t1)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  *t0 = self->view.t0;
  *t1 = self->view.t1;
}

gboolean
stria_session_follows_trace (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  return self->view_is_mine;
}

void
stria_session_set_view (StriaSession *self, gint64 t0, gint64 t1)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  move_view (self, (StriaSessionView){ MIN (t0, t1), MAX (t0, t1) }, FALSE);
}

void
stria_session_zoom (StriaSession *self, gint64 center_ns, double factor)
{
  double length, share;
  gint64 new_length;

  g_return_if_fail (STRIA_IS_SESSION (self));
  g_return_if_fail (factor > 0);

  length = (double) length_of (self->view);
  share = CLAMP (((double) center_ns - (double) self->view.t0) / length, 0.0, 1.0);
  new_length = (gint64) CLAMP (length * factor, (double) MIN_VIEW_NS, 9e18);
  center_ns = CLAMP (center_ns, self->view.t0, self->view.t1);
  move_view (self,
             (StriaSessionView){ add_clamped (center_ns, -(gint64) ((double) new_length * share)),
                     add_clamped (center_ns, new_length - (gint64) ((double) new_length * share)) },
             FALSE);
}

void
stria_session_pan (StriaSession *self, gint64 delta_ns)
{
  StriaSessionView bounds, view;

  g_return_if_fail (STRIA_IS_SESSION (self));

  /* Limited here, so that a push against the edge does not change the length of the view. */
  bounds = bounds_of (self);
  view = self->view;
  if (delta_ns > 0)
    delta_ns = MIN (delta_ns, MAX (0, bounds.t1 - view.t1));
  else
    delta_ns = MAX (delta_ns, MIN (0, bounds.t0 - view.t0));
  move_view (self, (StriaSessionView){ view.t0 + delta_ns, view.t1 + delta_ns }, FALSE);
}

/**
 * stria_session_fit:
 *
 * Shows all: the range to show first, and when that is already shown the whole range, strays
 * included.
 */
void
stria_session_fit (StriaSession *self)
{
  StriaSessionView view;

  g_return_if_fail (STRIA_IS_SESSION (self));

  view = clamp_view (self, with_margin (trace_range (self, FALSE), FIT_MARGIN));
  if (view.t0 == self->view.t0 && view.t1 == self->view.t1)
    view = with_margin (trace_range (self, TRUE), FIT_MARGIN);
  move_view (self, view, TRUE);
}

/* Start and end of an event; FALSE if it is not loaded or not there. */
gboolean
stria_session_event_range (StriaSession *self, StriaRef ref, StriaSessionView *view)
{
  const StriaColumns *columns;
  StriaLane *lane;

  if (self->trace == NULL || ref.lane >= stria_trace_get_n_lanes (self->trace))
    return FALSE;
  lane = stria_trace_get_lane (self->trace, ref.lane);
  columns = stria_lane_get_columns (lane);
  if (columns == NULL || ref.index >= columns->n)
    return FALSE;
  view->t0 = columns->start[ref.index];
  view->t1 = columns->dur != NULL ? add_clamped (view->t0, columns->dur[ref.index]) : view->t0;
  return TRUE;
}

gboolean
stria_session_fit_selection (StriaSession *self)
{
  StriaSessionView view;

  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  if (self->has_range)
    view = self->range;
  else if (!stria_session_event_range (self, self->selection, &view))
    return FALSE;

  if (length_of (view) < MIN_VIEW_NS)
    view = (StriaSessionView){ add_clamped (view.t0, -MIN_VIEW_NS),
                               add_clamped (view.t1, MIN_VIEW_NS) };
  move_view (self, with_margin (view, 0.05), TRUE);
  return TRUE;
}

static gboolean
go (StriaSession *self, GArray *from, GArray *to)
{
  while (from->len > 0)
    {
      StriaSessionView view =
          clamp_view (self, g_array_index (from, StriaSessionView, from->len - 1));

      g_array_set_size (from, from->len - 1);
      if (view.t0 == self->view.t0 && view.t1 == self->view.t1)
        continue;
      g_array_append_val (to, self->view);
      self->view = view;
      self->view_is_mine = FALSE;
      self->moved_us = 0;
      g_signal_emit (self, stria_session_signals[STRIA_SESSION_VIEW_CHANGED], 0);
      return TRUE;
    }
  return FALSE;
}

gboolean
stria_session_go_back (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  return go (self, self->back, self->forward);
}

gboolean
stria_session_go_forward (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  return go (self, self->forward, self->back);
}

StriaRef
stria_session_get_selection (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), STRIA_REF_NONE);

  return self->selection;
}

static void
set_selection (StriaSession *self, StriaRef ref, guint64 ordinal)
{
  if (self->trace == NULL || (!stria_ref_is_none (ref) &&
                              ref.lane >= stria_trace_get_n_lanes (self->trace)))
    ref = STRIA_REF_NONE;
  if (stria_ref_equal (ref, self->selection) && ordinal == self->ordinal)
    return;
  self->selection = ref;
  self->ordinal = ordinal;
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_SELECTION_CHANGED], 0);
}

void
stria_session_select (StriaSession *self, StriaRef ref)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  set_selection (self, ref, stria_ref_equal (ref, self->selection) ? self->ordinal : 0);
}

/* As stria_session_reveal(), for what is number @ordinal of the matches. */
void
stria_session_reveal_match (StriaSession *self, StriaRef ref, guint64 ordinal)
{
  StriaSessionView event, view = self->view;

  set_selection (self, ref, ordinal);
  if (stria_ref_is_none (self->selection))
    return;

  if (stria_session_event_range (self, ref, &event))
    {
      double view_length = (double) length_of (view);
      double event_length = (double) length_of (event);
      gboolean inside = event.t0 >= view.t0 && event.t1 <= view.t1;
      gboolean too_small = event_length > 0 && event_length < view_length * REVEAL_MIN_SHARE;

      if (event_length > view_length * 0.9)
        {
          if (!inside)
            move_view (self, with_margin (event, 0.1), TRUE);
        }
      else if (!inside || too_small)
        {
          double length = too_small ? event_length / REVEAL_ZOOM_TO : view_length;
          gint64 half = (gint64) (MAX (length, (double) MIN_VIEW_NS) / 2);
          gint64 middle = event.t0 + length_of (event) / 2;

          move_view (self,
                     (StriaSessionView){ add_clamped (middle, -half), add_clamped (middle, half) },
                     TRUE);
        }
    }
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_REVEAL], 0, &ref);
}

void
stria_session_reveal (StriaSession *self, StriaRef ref)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  stria_session_reveal_match (self, ref, 0);
}

gboolean
stria_session_get_range (StriaSession *self, gint64 *t0, gint64 *t1)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  if (!self->has_range)
    return FALSE;
  if (t0 != NULL)
    *t0 = self->range.t0;
  if (t1 != NULL)
    *t1 = self->range.t1;
  return TRUE;
}

void
stria_session_set_range (StriaSession *self, gint64 t0, gint64 t1, const guint32 *lanes,
                         gsize n_lanes)
{
  StriaSessionView range = { MIN (t0, t1), MAX (t0, t1) };

  g_return_if_fail (STRIA_IS_SESSION (self));

  if (self->has_range && range.t0 == self->range.t0 && range.t1 == self->range.t1 &&
      self->range_all_lanes == (lanes == NULL) && self->range_lanes->len == n_lanes &&
      (n_lanes == 0 ||
       memcmp (self->range_lanes->data, lanes, n_lanes * sizeof (guint32)) == 0))
    return;

  self->has_range = TRUE;
  self->range = range;
  self->range_all_lanes = lanes == NULL;
  g_array_set_size (self->range_lanes, 0);
  if (lanes != NULL)
    g_array_append_vals (self->range_lanes, lanes, (guint) n_lanes);
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_RANGE_CHANGED], 0);
}

/**
 * stria_session_get_range_lanes:
 * @n_lanes: (out): how many
 *
 * Returns: (transfer none) (nullable): the lanes of the selected range, NULL for all of them; valid
 *   until the range or the trace changes
 */
const guint32 *
stria_session_get_range_lanes (StriaSession *self, gsize *n_lanes)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), NULL);

  if (!self->has_range || self->range_all_lanes)
    {
      *n_lanes = 0;
      return NULL;
    }
  *n_lanes = self->range_lanes->len;
  return (const guint32 *) (gpointer) self->range_lanes->data;
}

void
stria_session_clear_range (StriaSession *self)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  if (!self->has_range)
    return;
  self->has_range = FALSE;
  g_array_set_size (self->range_lanes, 0);
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_RANGE_CHANGED], 0);
}
