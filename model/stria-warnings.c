/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-newest.h"
#include "stria-warnings.h"

struct _StriaWarnings
{
  GObject parent_instance;

  StriaCapture    *capture;
  StriaTrace      *trace;
  StriaWarningSet *set;
  char            *error;
  StriaNewest     *search;
  double           limits[STRIA_WARNING_N_RULES];
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

static gpointer
prepare (GObject *owner)
{
  StriaWarnings *self = STRIA_WARNINGS (owner);
  Job *job;

  if (self->trace == NULL)
    return NULL;
  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (self->trace);
  job->tables = stria_capture_get_tables (self->capture);
  for (guint i = 0; i < STRIA_WARNING_N_RULES; i++)
    job->limits[i] = self->limits[i];
  return job;
}

static gpointer
run (gpointer question, GCancellable *cancellable, GError **error)
{
  const Job *job = question;

  return stria_warning_set_new (job->trace, job->tables, job->limits, cancellable, error);
}

static void
answer (GObject *owner, gpointer set, const GError *error)
{
  StriaWarnings *self = STRIA_WARNINGS (owner);

  g_clear_pointer (&self->set, stria_warning_set_free);
  g_clear_pointer (&self->error, g_free);
  self->set = set;
  if (error != NULL)
    self->error = g_strdup (error->message);
  g_signal_emit (self, signals[CHANGED], 0);
}

static const StriaNewestFuncs search_funcs = {
  .prepare = prepare,
  .run = run,
  .answer = answer,
  .free_question = job_free,
  .free_answer = (GDestroyNotify) stria_warning_set_free,
};

static void
stria_warnings_finalize (GObject *object)
{
  StriaWarnings *self = STRIA_WARNINGS (object);

  g_clear_pointer (&self->set, stria_warning_set_free);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_clear_object (&self->capture);
  g_clear_pointer (&self->search, stria_newest_free);
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
  self->search = stria_newest_new (G_OBJECT (self), &search_funcs);
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
  stria_newest_ask (self->search);
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

  return stria_newest_is_busy (self->search);
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
  stria_newest_ask (self->search);
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
