/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-newest.h"

struct _StriaNewest
{
  GObject                *owner;
  const StriaNewestFuncs *funcs;
  GCancellable           *cancellable; /* of the question that is out; NULL: none is */
  gboolean                is_stale;    /* there is a newer one */
};

StriaNewest *
stria_newest_new (GObject *owner, const StriaNewestFuncs *funcs)
{
  StriaNewest *self = g_new0 (StriaNewest, 1);

  self->owner = owner;
  self->funcs = funcs;
  return self;
}

void
stria_newest_free (StriaNewest *self)
{
  g_free (self);
}

typedef struct
{
  const StriaNewestFuncs *funcs;
  gpointer                question;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  self->funcs->free_question (self->question);
  g_free (self);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  gpointer answer = job->funcs->run (job->question, cancellable, &error);

  if (error == NULL)
    g_task_return_pointer (task, answer, job->funcs->free_answer);
  else
    g_task_return_error (task, error);
}

static void
on_done (GObject *owner, GAsyncResult *result, gpointer data)
{
  StriaNewest *self = data;
  g_autoptr (GError) error = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (self->is_stale)
    {
      if (answer != NULL)
        self->funcs->free_answer (answer);
      stria_newest_ask (self);
      return;
    }
  self->funcs->answer (owner, answer, error);
}

void
stria_newest_ask (StriaNewest *self)
{
  g_autoptr (GTask) task = NULL;
  Job *job;
  gpointer question;

  if (self->cancellable != NULL)
    {
      self->is_stale = TRUE;
      g_cancellable_cancel (self->cancellable);
      return;
    }
  self->is_stale = FALSE;
  question = self->funcs->prepare (self->owner);
  if (question == NULL)
    {
      self->funcs->answer (self->owner, NULL, NULL);
      return;
    }
  job = g_new0 (Job, 1);
  job->funcs = self->funcs;
  job->question = question;
  self->cancellable = g_cancellable_new ();
  /* The task keeps the owner, and that keeps this. */
  task = g_task_new (self->owner, self->cancellable, on_done, self);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

gboolean
stria_newest_is_busy (StriaNewest *self)
{
  return self->cancellable != NULL;
}
