/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-target.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"

/* What is shown around a time that was asked for, as a share of the capture */
#define SHOWN_SHARE 0.02

typedef struct
{
  StriaTrace *trace;
  char       *select;
  gint64      from_ns;
  StriaRef    found;
} Job;

StriaTarget *
stria_target_copy (const StriaTarget *target)
{
  StriaTarget *copy;

  if (target == NULL)
    return NULL;
  copy = g_new0 (StriaTarget, 1);
  *copy = *target;
  copy->select = g_strdup (target->select);
  return copy;
}

void
stria_target_free (StriaTarget *target)
{
  if (target == NULL)
    return;
  g_free (target->select);
  g_free (target);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->trace, stria_trace_unref);
  g_free (job->select);
  g_free (job);
}

static gboolean
find_exact (Job *job, GError **error)
{
  guint32 name = stria_strings_find (stria_trace_get_strings (job->trace), job->select,
                                     strlen (job->select));
  guint32 n = stria_trace_get_n_lanes (job->trace);
  gint64 best = G_MAXINT64;

  if (name == G_MAXUINT32)
    return TRUE;
  for (guint32 i = 0; i < n; i++)
    {
      StriaLane *lane = stria_trace_get_lane (job->trace, i);
      const StriaColumns *columns;

      if (!stria_lane_load (lane, NULL, error))
        return FALSE;
      columns = stria_lane_get_columns (lane);
      for (guint64 j = 0; columns != NULL && j < columns->n; j++)
        if (columns->name[j] == name && columns->start[j] >= job->from_ns &&
            columns->start[j] < best)
          {
            best = columns->start[j];
            job->found = (StriaRef){ i, (guint32) j };
          }
    }
  return TRUE;
}

static void
find_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;

  if (!find_exact (job, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (stria_ref_is_none (job->found))
    {
      g_autoptr (StriaMatch) match = stria_match_new_names (job->trace, job->select);

      if (match != NULL)
        job->found = stria_match_next (match, STRIA_REF_NONE, job->from_ns, TRUE, NULL);
    }
  if (stria_ref_is_none (job->found))
    g_task_return_new_error (task, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                             _ ("No event is called “%s”"), job->select);
  else
    g_task_return_boolean (task, TRUE);
}

void
stria_target_go_async (const StriaTarget *target, StriaSession *session,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  StriaTrace *trace = stria_session_get_trace (session);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  gint64 t0, t1, at = G_MININT64;
  Job *job;

  g_task_set_source_tag (task, stria_target_go_async);
  if (trace == NULL || !stria_trace_get_view_range (trace, &t0, &t1))
    {
      g_task_return_new_error (task, STRIA_ERROR, STRIA_ERROR_EMPTY, "%s",
                               _ ("There are no events in this capture"));
      return;
    }
  if (target->has_at)
    {
      gint64 half = MAX (50, (gint64) ((double) (t1 - t0) * SHOWN_SHARE / 2));

      if (__builtin_add_overflow (t0, target->at_ns, &at) || at < t0 || at > t1)
        {
          g_task_return_new_error (task, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                                   _ ("The time %" PRId64 " ns is outside the capture, "
                                     "which is %" PRId64 " ns long"),
                                   target->at_ns, t1 - t0);
          return;
        }
      stria_session_set_view (session, at - half, at + half);
    }
  if (target->select == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (trace);
  job->select = g_strdup (target->select);
  job->from_ns = at;
  job->found = STRIA_REF_NONE;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, find_in_thread);
}

gboolean
stria_target_go_finish (StriaSession *session, GAsyncResult *result, GError **error)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  if (job != NULL && job->trace == stria_session_get_trace (session))
    stria_session_reveal (session, job->found);
  return TRUE;
}
