/* SPDX-License-Identifier: Apache-2.0 */
/* The search of a session. Slow questions (arguments, the next match) go to a worker, and their
 * answers are dropped when they come late. A task may die on its worker, and its source object with
 * it; so objects of the main thread are never that, but what the callback is given. */
#include "config.h"

#include "stria-session-private.h"

/* Further steps that are kept while one is being looked for */
#define STEPS_MAX 64

static void search_step (StriaSession *self, gboolean forward);

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
  gboolean    with_args;
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
  StriaMatch *match
      = stria_match_new_query (job->trace, job->text, job->with_args, cancellable, &error);

  if (match == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, match, (GDestroyNotify) stria_match_unref);
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSession) self = user_data;
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
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_MATCH_CHANGED], 0);
}

/**
 * stria_session_search:
 * @text: (nullable): what to look for; NULL or empty ends the search
 * @with_args: whether arguments are searched as well
 *
 * The answer from the names is there on return; that from the arguments, or to terms that names do
 * not tell (stria-match-query.h), comes later, with "match-changed".
 */
void
stria_session_search (StriaSession *self, const char *text, gboolean with_args)
{
  g_autofree char *copy = NULL;

  g_return_if_fail (STRIA_IS_SESSION (self));

  copy = text != NULL && *text != '\0' ? g_strdup (text) : NULL;
  if (copy == NULL && self->search_text == NULL && self->match == NULL)
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
      if (with_args || stria_match_needs_events (copy))
        {
          SearchJob *job = g_new0 (SearchJob, 1);
          g_autoptr (GTask) task = NULL;

          self->search_cancellable = g_cancellable_new ();
          job->trace = stria_trace_ref (self->trace);
          job->text = g_strdup (copy);
          job->with_args = with_args;
          task = g_task_new (NULL, self->search_cancellable, on_searched, g_object_ref (self));
          g_task_set_source_tag (task, stria_session_search);
          g_task_set_task_data (task, job, search_job_free);
          g_task_run_in_thread (task, search_in_thread);
        }
    }
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_MATCH_CHANGED], 0);
}

void
stria_session_show_match (StriaSession *self, StriaMatch *match)
{
  g_return_if_fail (STRIA_IS_SESSION (self));

  stria_session_search (self, NULL, FALSE);
  if (match == NULL)
    return;
  self->match = stria_match_ref (match);
  g_signal_emit (self, stria_session_signals[STRIA_SESSION_MATCH_CHANGED], 0);
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
  g_autoptr (StriaSession) self = user_data;
  StepJob *job = g_task_get_task_data (G_TASK (result));
  int waiting = self->steps_waiting;

  self->stepping = FALSE;
  if (job->generation == self->search_generation && !stria_ref_is_none (job->found))
    stria_session_reveal_match (self, job->found, job->ordinal);

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
  StriaSessionView event;

  job->match = stria_match_ref (self->match);
  job->forward = forward;
  job->generation = self->search_generation;
  job->from = STRIA_REF_NONE;
  job->from_ns = forward ? self->view.t0 : self->view.t1;
  if (stria_session_event_range (self, self->selection, &event))
    {
      job->from = self->selection;
      job->from_ns = event.t0;
    }
  self->stepping = TRUE;
  task = g_task_new (NULL, NULL, on_stepped, g_object_ref (self));
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
