/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-state-writer.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "stria-kept-file.h"

typedef struct
{
  char    *path;
  char    *text; /* NULL: to be put aside */
  char    *why;
  GFunc    func; /* NULL for a file */
  gpointer data;
} Job;

static GMutex mutex;
static GCond  done;
static guint  n_waiting;

static void
job_free (Job *self)
{
  g_free (self->path);
  g_free (self->text);
  g_free (self->why);
  g_free (self);
}

/* -- on the main thread ---------------------------------------------------------------------- */

static gboolean
on_done (gpointer data)
{
  g_application_release (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

static gboolean
on_tell (gpointer data)
{
  GApplication *application = g_application_get_default ();
  g_autoptr (GVariant) text = g_variant_ref_sink (g_variant_new_string (data));

  g_message ("%s", (const char *) data);
  if (application != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (application), "tell", text);
  return G_SOURCE_REMOVE;
}

void
stria_state_tell (const char *text)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, on_tell, g_utf8_make_valid (text, -1), g_free);
}

/* -- on the worker --------------------------------------------------------------------------- */

static void
put_aside (const Job *job)
{
  g_autofree char *aside = g_strconcat (job->path, ".bad", NULL);
  g_autofree char *prefix = g_strdup_printf (_ ("Put aside as %s: "), aside);
  g_autofree char *text = g_strconcat (prefix, job->why, NULL);

  if (g_rename (job->path, aside) == 0)
    stria_state_tell (text);
}

static void
run_job (gpointer data, gpointer user_data)
{
  Job *job = data;
  g_autoptr (GError) error = NULL;

  if (job->func != NULL)
    job->func (job->data, NULL);
  else if (job->text == NULL)
    put_aside (job);
  else if (!stria_kept_store (job->path, job->text, &error))
    stria_state_tell (error->message);
  job_free (job);
  g_mutex_lock (&mutex);
  n_waiting--;
  g_cond_broadcast (&done);
  g_mutex_unlock (&mutex);
  if (g_application_get_default () != NULL)
    g_idle_add_full (G_PRIORITY_DEFAULT, on_done, NULL, NULL);
}

static void
push (Job job)
{
  static GThreadPool *pool;

  if (pool == NULL)
    pool = g_thread_pool_new (run_job, NULL, 1, FALSE, NULL);
  if (g_application_get_default () != NULL)
    g_application_hold (g_application_get_default ());
  g_mutex_lock (&mutex);
  n_waiting++;
  g_mutex_unlock (&mutex);
  g_thread_pool_push (pool, g_memdup2 (&job, sizeof job), NULL);
}

void
stria_state_write (const char *path, char *text)
{
  push ((Job){ .path = g_strdup (path), .text = text });
}

void
stria_state_put_aside (const char *path, const char *why)
{
  push ((Job){ .path = g_strdup (path), .why = g_strdup (why) });
}

void
stria_state_run (GFunc func, gpointer data)
{
  push ((Job){ .func = func, .data = data });
}

void
stria_state_flush (void)
{
  g_mutex_lock (&mutex);
  while (n_waiting > 0)
    g_cond_wait (&done, &mutex);
  g_mutex_unlock (&mutex);
}
