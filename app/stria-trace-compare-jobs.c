/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-compare-jobs.h"

typedef struct
{
  GPtrArray     *captures;
  StriaTraceSpan spans[STRIA_TRACE_COMPARE_MAX];
  gboolean       has_spans;
} Job;

static void
job_free (gpointer data)
{
  g_ptr_array_unref (((Job *) data)->captures);
  g_free (data);
}

static void
run (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  StriaTraceCompare *compare = stria_trace_compare_new (
      (StriaCapture *const *) job->captures->pdata, job->captures->len,
      job->has_spans ? job->spans : NULL, cancellable, &error);

  if (compare != NULL)
    g_task_return_pointer (task, compare, (GDestroyNotify) stria_trace_compare_unref);
  else
    g_task_return_error (task, error);
}

void
stria_trace_compare_run (GPtrArray *captures, const StriaTraceSpan *spans,
                         GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->captures = g_ptr_array_ref (captures);
  job->has_spans = spans != NULL;
  for (guint i = 0; spans != NULL && i < captures->len; i++)
    job->spans[i] = spans[i];
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run);
}

/* -- events of a row ------------------------------------------------------------------------- */

typedef struct
{
  StriaTraceCompare   *compare;
  const StriaTraceRow *row; /* owned by the comparison */
  guint                trace;
  StriaRef             ref;
  guint                ordinal;
} Search;

static void
search_free (gpointer data)
{
  stria_trace_compare_unref (((Search *) data)->compare);
  g_free (data);
}

void
stria_compared_events_free (StriaComparedEvents *self)
{
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->matches[i], stria_match_unref);
  g_free (self);
}

static StriaMatch *
match_of (StriaTrace *trace, const StriaTraceRow *row, const GArray *events)
{
  guint8 **bits = g_new0 (guint8 *, stria_trace_get_n_lanes (trace) + 1);

  for (guint i = 0; i < events->len; i++)
    {
      const StriaRef ref = g_array_index (events, StriaRef, i);

      if (bits[ref.lane] == NULL)
        bits[ref.lane]
            = g_malloc0 (stria_lane_get_n_events (stria_trace_get_lane (trace, ref.lane)) / 8 + 1);
      bits[ref.lane][ref.index / 8] |= (guint8) (1u << ref.index % 8);
    }
  return stria_match_new_events (trace, row->name, bits, events->len);
}

static void
search (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Search *job = task_data;
  const guint n = job->compare->n;
  g_autoptr (StriaComparedEvents) found = g_new0 (StriaComparedEvents, 1);
  GPtrArray *lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  GError *error = NULL;

  found->ordinal = stria_ref_is_none (job->ref) ? job->ordinal : 0;
  for (guint t = 0; t < n && error == NULL; t++)
    {
      GArray *events
          = stria_trace_compare_events (job->compare, job->row, t, cancellable, &error);

      if (events == NULL)
        break;
      g_ptr_array_add (lists, events);
      found->matches[t] = match_of (job->compare->traces[t], job->row, events);
      found->counts[t] = events->len;
      found->n = t + 1;
      for (guint i = 0; t == job->trace && i < events->len; i++)
        if (stria_ref_equal (g_array_index (events, StriaRef, i), job->ref))
          found->ordinal = i + 1;
    }
  for (guint t = 0; t < found->n && error == NULL; t++)
    {
      const GArray *events = lists->pdata[t];
      StriaRef ref;

      if (found->ordinal == 0 || found->ordinal > events->len)
        continue;
      ref = g_array_index (events, StriaRef, found->ordinal - 1);
      found->has[t] = TRUE;
      found->times[t]
          = stria_lane_get_columns (stria_trace_get_lane (job->compare->traces[t], ref.lane))
                ->start[ref.index];
    }
  g_ptr_array_unref (lists);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&found),
                           (GDestroyNotify) stria_compared_events_free);
}

void
stria_trace_compare_find_events (StriaTraceCompare *compare, const StriaTraceRow *row, guint trace,
                                 StriaRef ref, guint ordinal, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Search *job = g_new0 (Search, 1);

  job->compare = stria_trace_compare_ref (compare);
  job->row = row;
  job->trace = trace;
  job->ref = ref;
  job->ordinal = ordinal;
  g_task_set_task_data (task, job, search_free);
  g_task_run_in_thread (task, search);
}
