/* SPDX-License-Identifier: Apache-2.0 */
/* What the user of one window looks at. It holds no pixels and starts no import; slow questions
 * (arguments, the next match) go to a worker and their answers are dropped when they come late. */
#include "config.h"

#include "stria-session.h"

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
/* Further steps that are kept while one is being looked for */
#define STEPS_MAX        64

typedef struct
{
  gint64 t0;
  gint64 t1;
} View;

struct _StriaSession
{
  GObject parent_instance;

  StriaCapture *capture;
  StriaTrace   *trace;

  View     view;
  gboolean view_is_mine; /* nobody has moved it yet: it follows the trace while that grows */
  GArray  *back;         /* View */
  GArray  *forward;      /* View */
  gint64   moved_us;

  StriaRef selection;

  gboolean has_range;
  gboolean range_all_lanes;
  View     range;
  GArray  *range_lanes; /* guint32 */

  StriaMatch   *match;
  char         *search_text;
  gboolean      search_args;
  GCancellable *search_cancellable;
  guint64       ordinal;
  gboolean      stepping;
  int           steps_waiting;
  guint         search_generation;
};

enum
{
  TRACE_CHANGED,
  VIEW_CHANGED,
  SELECTION_CHANGED,
  RANGE_CHANGED,
  MATCH_CHANGED,
  REVEAL,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSession, stria_session, G_TYPE_OBJECT)

static void search_step (StriaSession *self, gboolean forward);

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
length_of (View view)
{
  gint64 length;

  if (__builtin_sub_overflow (view.t1, view.t0, &length))
    return G_MAXINT64;
  return length;
}

static View
with_margin (View view, double share)
{
  gint64 margin = (gint64) MAX (1.0, (double) length_of (view) * share);

  return (View){ add_clamped (view.t0, -margin), add_clamped (view.t1, margin) };
}

static View
trace_range (StriaSession *self, gboolean whole)
{
  View view = { 0, G_USEC_PER_SEC * 1000 };

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

static View
clamp_view (StriaSession *self, View view)
{
  View bounds = with_margin (trace_range (self, TRUE), BOUNDS_MARGIN);
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
move_view (StriaSession *self, View view, gboolean is_jump)
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
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
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
          g_signal_emit (self, signals[SELECTION_CHANGED], 0);
        }
      else if (lane != self->selection.lane)
        {
          self->selection.lane = lane;
          g_signal_emit (self, signals[SELECTION_CHANGED], 0);
        }
    }

  if (self->has_range && !self->range_all_lanes)
    {
      guint n = 0;

      for (guint i = 0; i < self->range_lanes->len; i++)
        {
          guint32 lane = find_lane (self->trace, old, g_array_index (self->range_lanes, guint32, i));

          if (lane != G_MAXUINT32)
            g_array_index (self->range_lanes, guint32, n++) = lane;
        }
      g_array_set_size (self->range_lanes, n);
      if (n == 0)
        self->has_range = FALSE;
      g_signal_emit (self, signals[RANGE_CHANGED], 0);
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

  g_signal_emit (self, signals[TRACE_CHANGED], 0);
  g_signal_emit (self, signals[VIEW_CHANGED], 0);

  if (self->search_text != NULL)
    {
      g_autofree char *text = g_strdup (self->search_text);

      stria_session_search (self, text, self->search_args);
    }
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
  static const char *const names[N_SIGNALS] = { "trace-changed",   "view-changed",
                                                "selection-changed", "range-changed",
                                                "match-changed",   "reveal" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stria_session_dispose;
  object_class->finalize = stria_session_finalize;

  for (guint i = 0; i < REVEAL; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
  signals[REVEAL] = g_signal_new (names[REVEAL], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
stria_session_init (StriaSession *self)
{
  self->selection = STRIA_REF_NONE;
  self->view_is_mine = TRUE;
  self->back = g_array_new (FALSE, FALSE, sizeof (View));
  self->forward = g_array_new (FALSE, FALSE, sizeof (View));
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
  View bounds;

  g_return_if_fail (STRIA_IS_SESSION (self));

  bounds = with_margin (trace_range (self, TRUE), BOUNDS_MARGIN);
  *t0 = bounds.t0;
  *t1 = bounds.t1;
}

void
stria_session_get_view (StriaSession *self, gint64 *t0, gint64 *t1)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  *t0 = self->view.t0;
  *t1 = self->view.t1;
}

void
stria_session_set_view (StriaSession *self, gint64 t0, gint64 t1)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  move_view (self, (View){ MIN (t0, t1), MAX (t0, t1) }, FALSE);
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
             (View){ add_clamped (center_ns, -(gint64) ((double) new_length * share)),
                     add_clamped (center_ns, new_length - (gint64) ((double) new_length * share)) },
             FALSE);
}

void
stria_session_pan (StriaSession *self, gint64 delta_ns)
{
  View bounds, view;

  g_return_if_fail (STRIA_IS_SESSION (self));

  /* Limited here, so that a push against the edge does not change the length of the view. */
  bounds = with_margin (trace_range (self, TRUE), BOUNDS_MARGIN);
  view = self->view;
  if (delta_ns > 0)
    delta_ns = MIN (delta_ns, MAX (0, bounds.t1 - view.t1));
  else
    delta_ns = MAX (delta_ns, MIN (0, bounds.t0 - view.t0));
  move_view (self, (View){ view.t0 + delta_ns, view.t1 + delta_ns }, FALSE);
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
  View view;

  g_return_if_fail (STRIA_IS_SESSION (self));

  view = clamp_view (self, with_margin (trace_range (self, FALSE), FIT_MARGIN));
  if (view.t0 == self->view.t0 && view.t1 == self->view.t1)
    view = with_margin (trace_range (self, TRUE), FIT_MARGIN);
  move_view (self, view, TRUE);
}

/* Start and end of an event; FALSE if it is not loaded or not there. */
static gboolean
event_range (StriaSession *self, StriaRef ref, View *view)
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
  View view;

  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  if (self->has_range)
    view = self->range;
  else if (!event_range (self, self->selection, &view))
    return FALSE;

  if (length_of (view) < MIN_VIEW_NS)
    view = (View){ add_clamped (view.t0, -MIN_VIEW_NS), add_clamped (view.t1, MIN_VIEW_NS) };
  move_view (self, with_margin (view, 0.05), TRUE);
  return TRUE;
}

static gboolean
go (StriaSession *self, GArray *from, GArray *to)
{
  while (from->len > 0)
    {
      View view = clamp_view (self, g_array_index (from, View, from->len - 1));

      g_array_set_size (from, from->len - 1);
      if (view.t0 == self->view.t0 && view.t1 == self->view.t1)
        continue;
      g_array_append_val (to, self->view);
      self->view = view;
      self->view_is_mine = FALSE;
      self->moved_us = 0;
      g_signal_emit (self, signals[VIEW_CHANGED], 0);
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
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

void
stria_session_select (StriaSession *self, StriaRef ref)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  set_selection (self, ref, stria_ref_equal (ref, self->selection) ? self->ordinal : 0);
}

static void
reveal (StriaSession *self, StriaRef ref, guint64 ordinal)
{
  View event, view = self->view;

  set_selection (self, ref, ordinal);
  if (stria_ref_is_none (self->selection))
    return;

  if (event_range (self, ref, &event))
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

          move_view (self, (View){ add_clamped (middle, -half), add_clamped (middle, half) }, TRUE);
        }
    }
  g_signal_emit (self, signals[REVEAL], 0, &ref);
}

void
stria_session_reveal (StriaSession *self, StriaRef ref)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  reveal (self, ref, 0);
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
  View range = { MIN (t0, t1), MAX (t0, t1) };

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
  g_signal_emit (self, signals[RANGE_CHANGED], 0);
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
  g_signal_emit (self, signals[RANGE_CHANGED], 0);
}

StriaMatch *
stria_session_get_match (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), NULL);

  return self->match;
}

typedef struct
{
  StriaTrace *trace;
  char       *text;
} SearchJob;

static void
search_job_free (gpointer data)
{
  SearchJob *job = data;

  g_clear_pointer (&job->trace, stria_trace_unref);
  g_clear_pointer (&job->text, g_free);
  g_free (job);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  SearchJob *job = task_data;
  GError *error = NULL;
  StriaMatch *match = stria_match_new (job->trace, job->text, cancellable, &error);

  if (match == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, match, (GDestroyNotify) stria_match_unref);
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaSession *self = STRIA_SESSION (source);
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (GError) error = NULL;
  StriaMatch *match = g_task_propagate_pointer (G_TASK (result), &error);

  if (cancellable != self->search_cancellable)
    {
      g_clear_pointer (&match, stria_match_unref);
      return;
    }
  g_clear_object (&self->search_cancellable);
  if (match != NULL)
    {
      g_clear_pointer (&self->match, stria_match_unref);
      self->match = match;
      self->ordinal = 0;
      self->search_generation++;
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_warning ("Search in arguments failed: %s", error->message);
  g_signal_emit (self, signals[MATCH_CHANGED], 0);
}

/**
 * stria_session_search:
 * @text: (nullable): what to look for; NULL or empty ends the search
 * @with_args: whether arguments are searched as well
 *
 * The answer from the names is there on return; that from the arguments comes later, with
 * "match-changed".
 */
void
stria_session_search (StriaSession *self, const char *text, gboolean with_args)
{
  g_autofree char *copy = NULL;

  g_return_if_fail (STRIA_IS_SESSION (self));

  copy = text != NULL && *text != '\0' ? g_strdup (text) : NULL;
  if (copy == NULL && self->search_text == NULL)
    return;

  g_cancellable_cancel (self->search_cancellable);
  g_clear_object (&self->search_cancellable);
  g_clear_pointer (&self->match, stria_match_unref);
  g_free (self->search_text);
  self->search_text = g_strdup (copy);
  self->search_args = with_args;
  self->ordinal = 0;
  self->steps_waiting = 0;
  self->search_generation++;

  if (copy != NULL && self->trace != NULL)
    {
      self->match = stria_match_new_names (self->trace, copy);
      if (with_args)
        {
          SearchJob *job = g_new0 (SearchJob, 1);
          g_autoptr (GTask) task = NULL;

          self->search_cancellable = g_cancellable_new ();
          job->trace = stria_trace_ref (self->trace);
          job->text = g_strdup (copy);
          task = g_task_new (self, self->search_cancellable, on_searched, NULL);
          g_task_set_source_tag (task, stria_session_search);
          g_task_set_task_data (task, job, search_job_free);
          g_task_run_in_thread (task, search_in_thread);
        }
    }
  g_signal_emit (self, signals[MATCH_CHANGED], 0);
}

gboolean
stria_session_is_searching (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), FALSE);

  return self->search_cancellable != NULL;
}

typedef struct
{
  StriaMatch *match;
  StriaRef    from;
  gint64      from_ns;
  gboolean    forward;
  guint       generation;
  StriaRef    found;
  guint64     ordinal;
} StepJob;

static void
step_job_free (gpointer data)
{
  StepJob *job = data;

  g_clear_pointer (&job->match, stria_match_unref);
  g_free (job);
}

static void
step_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  StepJob *job = task_data;

  job->found = stria_match_next (job->match, job->from, job->from_ns, job->forward, &job->ordinal);
  g_task_return_boolean (task, TRUE);
}

static void
on_stepped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaSession *self = STRIA_SESSION (source);
  StepJob *job = g_task_get_task_data (G_TASK (result));
  int waiting = self->steps_waiting;

  self->stepping = FALSE;
  if (job->generation == self->search_generation && !stria_ref_is_none (job->found))
    reveal (self, job->found, job->ordinal);

  if (waiting != 0 && self->match != NULL)
    {
      self->steps_waiting -= waiting > 0 ? 1 : -1;
      search_step (self, waiting > 0);
    }
}

static void
search_step (StriaSession *self, gboolean forward)
{
  StepJob *job = g_new0 (StepJob, 1);
  g_autoptr (GTask) task = NULL;
  View event;

  job->match = stria_match_ref (self->match);
  job->forward = forward;
  job->generation = self->search_generation;
  job->from = STRIA_REF_NONE;
  job->from_ns = forward ? self->view.t0 : self->view.t1;
  if (event_range (self, self->selection, &event))
    {
      job->from = self->selection;
      job->from_ns = event.t0;
    }
  self->stepping = TRUE;
  task = g_task_new (self, NULL, on_stepped, NULL);
  g_task_set_source_tag (task, search_step);
  g_task_set_task_data (task, job, step_job_free);
  g_task_run_in_thread (task, step_in_thread);
}

/**
 * stria_session_search_next:
 * @forward: FALSE for the match before
 *
 * Reveals the match after (before) the selected event, or the first one of the view if none is
 * selected. A worker looks for it; calls that come meanwhile are done after it.
 */
void
stria_session_search_next (StriaSession *self, gboolean forward)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  if (self->match == NULL)
    return;
  if (self->stepping)
    self->steps_waiting = CLAMP (self->steps_waiting + (forward ? 1 : -1), -STEPS_MAX, STEPS_MAX);
  else
    search_step (self, forward);
}

guint64
stria_session_get_match_ordinal (StriaSession *self)
{
  g_return_val_if_fail (STRIA_IS_SESSION (self), 0);

  return self->ordinal;
}
