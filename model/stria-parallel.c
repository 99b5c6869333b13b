/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parallel.h"

#define MAX_THREADS 16

typedef struct
{
  StriaParallelFunc func;
  gpointer data;
  guint n_jobs;
  gint next; /* atomic */
} Work;

static gpointer
work (gpointer user_data)
{
  Work *self = user_data;
  guint job;

  while ((job = (guint) g_atomic_int_add (&self->next, 1)) < self->n_jobs)
    self->func (job, self->data);
  return NULL;
}

void
stria_parallel (guint n_jobs, gboolean alone, StriaParallelFunc func, gpointer data)
{
  Work self = { func, data, n_jobs, 0 };
  GThread *threads[MAX_THREADS];
  const guint n = alone ? 1 : MIN (MIN (g_get_num_processors (), MAX_THREADS), n_jobs);

  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_new ("stria-work", work, &self);
  work (&self);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
}
