/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-warnings.h"

struct _StriaWarnings
{
  GObject parent_instance;

  StriaCapture    *capture;
  StriaTrace      *trace;
  StriaWarningSet *set;
  char            *error;
  GCancellable    *cancellable; /* of the search that runs; NULL: none does */
  double           limits[STRIA_WARNING_N_RULES];
  gboolean         stale;
  gboolean         hidden;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaWarnings, stria_warnings, G_TYPE_OBJECT)

typedef struct
{
  StriaTrace *trace;
  GPtrArray  *tables;
  double      limits[STRIA_WARNING_N_RULES];
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  stria_trace_unref (self->trace);
  g_ptr_array_unref (self->tables);
  g_free (self);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  StriaWarningSet *set
      = stria_warning_set_new (job->trace, job->tables, job->limits, cancellable, &error);

  if (set != NULL)
    g_task_return_pointer (task, set, (GDestroyNotify) stria_warning_set_free);
  else
    g_task_return_error (task, error);
}

static void start (StriaWarnings *self);

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StriaWarnings) self = data;
  g_autoptr (GError) error = NULL;
  StriaWarningSet *set = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (self->stale)
    {
      g_clear_pointer (&set, stria_warning_set_free);
      start (self);
      return;
    }
  g_clear_pointer (&self->set, stria_warning_set_free);
  g_clear_pointer (&self->error, g_free);
  self->set = set;
  if (error != NULL)
    self->error = g_strdup (error->message);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
start (StriaWarnings *self)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  if (self->cancellable != NULL)
    {
      self->stale = TRUE;
      g_cancellable_cancel (self->cancellable);
      return;
    }
  self->stale = FALSE;
  if (self->trace == NULL)
    {
      g_clear_pointer (&self->set, stria_warning_set_free);
      g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (self->trace);
  job->tables = stria_capture_get_tables (self->capture);
  for (guint i = 0; i < STRIA_WARNING_N_RULES; i++)
    job->limits[i] = self->limits[i];
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, on_done, g_object_ref (self));
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

static void
stria_warnings_finalize (GObject *object)
{
  StriaWarnings *self = STRIA_WARNINGS (object);

  g_clear_pointer (&self->set, stria_warning_set_free);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_object (&self->capture);
  g_free (self->error);
  G_OBJECT_CLASS (stria_warnings_parent_class)->finalize (object);
}

static void
stria_warnings_class_init (StriaWarningsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_warnings_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_warnings_init (StriaWarnings *self)
{
  for (guint i = 0; i < STRIA_WARNING_N_RULES; i++)
    self->limits[i] = stria_warning_info (i)->limit;
}

StriaWarnings *
stria_warnings_new (StriaCapture *capture)
{
  StriaWarnings *self = g_object_new (STRIA_TYPE_WARNINGS, NULL);

  self->capture = g_object_ref (capture);
  return self;
}

void
stria_warnings_set_trace (StriaWarnings *self, StriaTrace *trace)
{
  g_return_if_fail (STRIA_IS_WARNINGS (self));

  if (trace == self->trace)
    return;
  g_clear_pointer (&self->trace, stria_trace_unref);
  self->trace = trace != NULL ? stria_trace_ref (trace) : NULL;
  start (self);
}

const StriaWarningSet *
stria_warnings_get (StriaWarnings *self)
{
  g_return_val_if_fail (STRIA_IS_WARNINGS (self), NULL);

  return self->set;
}

gboolean
stria_warnings_is_busy (StriaWarnings *self)
{
  g_return_val_if_fail (STRIA_IS_WARNINGS (self), FALSE);

  return self->cancellable != NULL;
}

const char *
stria_warnings_get_error (StriaWarnings *self)
{
  g_return_val_if_fail (STRIA_IS_WARNINGS (self), NULL);

  return self->error;
}

double
stria_warnings_get_limit (StriaWarnings *self, StriaWarningRule rule)
{
  g_return_val_if_fail (STRIA_IS_WARNINGS (self) && rule < STRIA_WARNING_N_RULES, 0);

  return self->limits[rule];
}

void
stria_warnings_set_limit (StriaWarnings *self, StriaWarningRule rule, double limit)
{
  g_return_if_fail (STRIA_IS_WARNINGS (self) && rule < STRIA_WARNING_N_RULES);

  if (self->limits[rule] >= limit && self->limits[rule] <= limit)
    return;
  self->limits[rule] = limit;
  start (self);
}

gboolean
stria_warnings_get_shown (StriaWarnings *self)
{
  g_return_val_if_fail (STRIA_IS_WARNINGS (self), FALSE);

  return !self->hidden;
}

void
stria_warnings_set_shown (StriaWarnings *self, gboolean shown)
{
  g_return_if_fail (STRIA_IS_WARNINGS (self));

  if (self->hidden == !shown)
    return;
  self->hidden = !shown;
  g_signal_emit (self, signals[CHANGED], 0);
}
