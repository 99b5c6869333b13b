/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-export.h"

#include <errno.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "cli-picture.h"
#include "cli-target.h"
#include "stria-error.h"
#include "stria-trace-export-tables.h"

#define MOST_FOLDERS 1000
/* Pixels of a .png to one of the window */
#define PNG_SCALE 2.0

typedef struct
{
  StriaTraceExport      what;
  StriaCapture         *capture;
  StriaTrace           *trace;
  StriaTimelinePicture *picture;
  int                  *fraction;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->what.path);
  g_object_unref (job->capture);
  stria_trace_unref (job->trace);
  g_clear_pointer (&job->picture, stria_timeline_picture_free);
  g_free (job);
}

void
stria_trace_exported_free (StriaTraceExported *self)
{
  g_free (self->path);
  g_free (self);
}

/* A folder that was not there, so that nothing of somebody's is written over. */
static char *
make_folder (const Job *job, GError **error)
{
  g_autofree char *title = g_strdelimit (g_strdup (stria_capture_get_title (job->capture)),
                                         G_DIR_SEPARATOR_S, '-');
  /* Translators: name of a folder, after the name of a capture */
  g_autofree char *name = g_strdup_printf (_ ("%s tables"), title);

  for (guint i = 1; i < MOST_FOLDERS; i++)
    {
      g_autofree char *numbered = i == 1 ? g_strdup (name) : g_strdup_printf ("%s %u", name, i);
      g_autofree char *path = g_build_filename (job->what.path, numbered, NULL);

      if (g_mkdir (path, 0777) == 0)
        return g_steal_pointer (&path);
      if (errno != EEXIST)
        break;
    }
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: the folder cannot be made: %s"),
               job->what.path, g_strerror (errno));
  return NULL;
}

static CliExport
export_of (const Job *job, GCancellable *cancellable)
{
  CliExport export = { .capture = job->capture,
                       .trace = job->trace,
                       .has_range = job->what.has_range,
                       .t0 = job->what.t0,
                       .t1 = job->what.t1,
                       .cancellable = cancellable };

  if (!export.has_range)
    stria_trace_get_range (job->trace, &export.t0, &export.t1);
  export.t1 = MAX (export.t1, export.t0 + 1);
  return export;
}

static gboolean
write_tables (const Job *job, StriaTraceExported *exported, GCancellable *cancellable,
              GError **error)
{
  const CliExport export = export_of (job, cancellable);
  g_autofree char *folder = make_folder (job, error);
  gboolean done;

  if (folder == NULL)
    return FALSE;
  done = stria_trace_export_tables (&export, folder, job->what.pixels, job->fraction, exported,
                                    error);
  if (!done)
    g_rmdir (folder);
  else if (exported->path == NULL)
    exported->path = g_build_filename (folder, ".", NULL);
  return done;
}

static gboolean
write_chrome (const Job *job, StriaTraceExported *exported, GCancellable *cancellable,
              GError **error)
{
  CliExport export = export_of (job, cancellable);
  CliTarget target = { 0 };
  gboolean done = cli_export_collect (&export, error)
                  && cli_target_open (&target, job->what.path, error);

  if (done)
    {
      export.written = job->fraction;
      done = cli_export_perfetto (&export, target.file, error);
      done = cli_target_close (&target, done, done ? error : NULL) && done;
      exported->n_events = exported->n_all = export.events->len;
      exported->n_files = 1;
      exported->path = g_strdup (job->what.path);
    }
  g_clear_pointer (&export.events, g_array_unref);
  return done;
}

static void
paint (cairo_t *cr, double width, double height, gpointer user_data)
{
  const Job *job = user_data;

  stria_timeline_picture_paint (job->picture, cr, job->what.all_lanes, width, height);
}

static gboolean
write_picture (Job *job, StriaTraceExported *exported, GError **error)
{
  double width, height, scale = PNG_SCALE;

  if (job->picture == NULL)
    {
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                           _ ("There is no timeline to be seen"));
      return FALSE;
    }
  stria_timeline_picture_size (job->picture, job->what.all_lanes, &width, &height);
  if (MAX (width, height) * scale > CLI_PICTURE_MAX_SIDE)
    scale = 1;
  exported->n_files = 1;
  exported->path = g_strdup (job->what.path);
  return cli_paint_file (job->what.path, width, height, scale, paint, job, error);
}

static void
run (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr (StriaTraceExported) exported = g_new0 (StriaTraceExported, 1);
  GError *error = NULL;
  gboolean done = FALSE;

  switch (job->what.what)
    {
    case STRIA_TRACE_EXPORT_TABLES:
      done = write_tables (job, exported, cancellable, &error);
      break;
    case STRIA_TRACE_EXPORT_CHROME:
      done = write_chrome (job, exported, cancellable, &error);
      break;
    case STRIA_TRACE_EXPORT_PICTURE:
    default:
      done = write_picture (job, exported, &error);
      break;
    }
  if (done)
    g_task_return_pointer (task, g_steal_pointer (&exported),
                           (GDestroyNotify) stria_trace_exported_free);
  else
    g_task_return_error (task, error);
}

void
stria_trace_export_async (StriaSession *session, const StriaTraceExport *export,
                          StriaTimelinePicture *picture, int *fraction, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->what = *export;
  job->what.path = g_strdup (export->path);
  job->capture = g_object_ref (stria_session_get_capture (session));
  job->trace = stria_trace_ref (stria_session_get_trace (session));
  job->picture = picture;
  job->fraction = fraction;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run);
}

StriaTraceExported *
stria_trace_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
