/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-importer.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "stria-decoder.h"
#include "stria-error.h"

typedef struct
{
  StriaImporter *importer;
  StriaArtifact *artifact;
  guint number;
  guint64 size;
  StriaSource *source; /* while it is decoded, on that thread */
  guint64 bytes;       /* these two under the importer's lock */
  guint64 events;
  GError *error;
} Job;

struct _StriaImporter
{
  GObject parent;

  StriaCapture *capture;
  gboolean reimport;
  gboolean no_store;

  GMutex lock; /* guards what follows */
  StriaImportPhase phase;
  GPtrArray *jobs;
  GCancellable *cancellable; /* of the run */
  guint64 bytes_total;
  double store_fraction;
  gint64 begin_us; /* of the run; 0 before it */
  gint64 phase_us; /* of the phase */
  gint64 end_us;   /* 0 until the run has ended */
  gint64 picture_us;
  gboolean cached;
};

G_DEFINE_FINAL_TYPE (StriaImporter, stria_importer, G_TYPE_OBJECT)

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->artifact);
  g_clear_error (&job->error);
  g_free (job);
}

static void
set_phase (StriaImporter *self, StriaImportPhase phase)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  self->phase = phase;
  self->phase_us = now;
  if (phase != STRIA_IMPORT_READING && self->picture_us < 0)
    self->picture_us = now - self->begin_us;
  g_mutex_unlock (&self->lock);
}

static void
on_decode_progress (guint64 bytes_read, guint64 events, gpointer user_data)
{
  Job *job = user_data;
  guint64 position = stria_source_get_position (job->source);
  guint64 step = MAX (job->size / 100, 1);
  gboolean moved;

  g_mutex_lock (&job->importer->lock);
  moved = MIN (position, job->size) / step != job->bytes / step;
  job->bytes = MIN (position, job->size);
  job->events = events;
  g_mutex_unlock (&job->importer->lock);

  /* Each change wakes the main loop: a hundred an artifact, not one a block. */
  if (moved && job->size > 0)
    stria_artifact_set_fraction (job->artifact, (double) MIN (position, job->size) / job->size);
}

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Whatever happened, the artifact ends in a state that says so. */
static void
settle (Job *job, gboolean decoded, guint64 events, GError *error)
{
  StriaImporter *self = job->importer;
  StriaNotices *notices = stria_capture_get_notices (self->capture);
  const char *name = stria_artifact_get_name (job->artifact);

  g_mutex_lock (&self->lock);
  if (!is_cancelled (error))
    job->bytes = job->size;
  job->events = events;
  g_mutex_unlock (&self->lock);

  stria_artifact_set_n_events (job->artifact, events);
  if (!is_cancelled (error))
    stria_artifact_set_fraction (job->artifact, 1.0);
  if (decoded && events > 0)
    stria_artifact_set_state (job->artifact, STRIA_ARTIFACT_IMPORTED, NULL);
  else if (decoded)
    stria_artifact_set_state (job->artifact, STRIA_ARTIFACT_EMPTY, _("It has no events"));
  else if (is_cancelled (error))
    stria_artifact_set_state (job->artifact, STRIA_ARTIFACT_CANCELLED, NULL);
  else if (g_error_matches (error, STRIA_ERROR, STRIA_ERROR_EMPTY))
    stria_artifact_set_state (job->artifact, STRIA_ARTIFACT_EMPTY, error->message);
  else
    {
      const char *reason = error != NULL ? error->message : _("It could not be read");

      stria_artifact_set_state (job->artifact, STRIA_ARTIFACT_UNREADABLE, reason);
      stria_notices_add (notices, STRIA_SEVERITY_ERROR, "artifact-unreadable", name, -1, "%s",
                         reason);
    }
  job->error = error;
}

static void
run_job (gpointer data, gpointer user_data)
{
  Job *job = data;
  StriaImporter *self = job->importer;
  const StriaDecoder *decoder = stria_decoder_by_kind (stria_artifact_get_kind (job->artifact));
  g_autoptr (StriaSource) source = NULL;
  g_autofree char *base = g_path_get_basename (stria_artifact_get_name (job->artifact));
  StriaDecodeContext context = { 0 };
  StriaSink *sink;
  GError *error = NULL;
  guint64 events;
  gboolean decoded;

  /* The next job need not wait for this one's state. */
  if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    {
      settle (job, FALSE, 0, error);
      return;
    }
  stria_artifact_set_state (job->artifact, STRIA_ARTIFACT_IMPORTING, NULL);
  source = stria_source_open_full (stria_artifact_get_path (job->artifact),
                                   stria_artifact_get_member (job->artifact), self->cancellable,
                                   &error);
  if (source == NULL)
    {
      settle (job, FALSE, 0, error);
      return;
    }

  job->source = source;
  context.capture = self->capture;
  context.artifact = job->number;
  context.name = base;
  context.notices = stria_capture_get_notices (self->capture);
  context.cancellable = self->cancellable;
  context.progress = on_decode_progress;
  context.user_data = job;

  sink = stria_capture_open_sink (self->capture, job->number);
  decoded = decoder->decode (source, sink, &context, &error);
  if (decoded && g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    decoded = FALSE;
  events = stria_capture_close_sink (self->capture, sink, decoded);

  if (stria_source_get_trailing (source) > 0)
    stria_notices_add (context.notices, STRIA_SEVERITY_INFO, "compressed-trailing", base, -1,
                       g_dngettext (GETTEXT_PACKAGE,
                                    "%s: %" PRIu64 " byte behind the compressed data was passed "
                                    "over",
                                    "%s: %" PRIu64 " bytes behind the compressed data were passed "
                                    "over",
                                    stria_source_get_trailing (source)),
                       base, stria_source_get_trailing (source));
  job->source = NULL;
  settle (job, decoded, events, error);
}

static int
compare_jobs (gconstpointer a, gconstpointer b)
{
  const Job *x = *(Job *const *) a;
  const Job *y = *(Job *const *) b;

  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/* One job for each artifact that has a decoder and was not read yet, the largest first so that
 * none is left over for one thread at the end. */
static GPtrArray *
make_jobs (StriaImporter *self, guint64 *total)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func (job_free);
  guint n = stria_capture_get_n_artifacts (self->capture);

  *total = 0;
  for (guint i = 0; i < n; i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (self->capture, i);
      Job *job;

      if (stria_artifact_get_state (artifact) != STRIA_ARTIFACT_WAITING ||
          stria_decoder_by_kind (stria_artifact_get_kind (artifact)) == NULL)
        continue;
      job = g_new0 (Job, 1);
      job->importer = self;
      job->artifact = g_object_ref (artifact);
      job->number = i;
      job->size = stria_artifact_get_size (artifact);
      *total += job->size;
      g_ptr_array_add (jobs, job);
    }
  g_ptr_array_sort (jobs, compare_jobs);
  return jobs;
}

/* Why a capture without a single job can't be shown. */
static void
set_nothing_error (StriaImporter *self, GError **error)
{
  guint n = stria_capture_get_n_artifacts (self->capture);
  const char *title = stria_capture_get_title (self->capture);

  for (guint i = 0; i < n; i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (self->capture, i);
      g_autofree char *reason = stria_artifact_dup_reason (artifact);

      if (stria_artifact_get_state (artifact) == STRIA_ARTIFACT_UNREADABLE && reason != NULL)
        {
          g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_FAILED, reason);
          return;
        }
    }
  if (n == 1 && stria_artifact_get_state (stria_capture_get_artifact (self->capture, 0)) ==
                  STRIA_ARTIFACT_EMPTY)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _("%s: the file is empty (0 bytes)"),
                 title);
  else if (n == 1)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC,
                 _("%s: expected a profile, found a file of no kind that is known"), title);
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                 g_dngettext (GETTEXT_PACKAGE, "%s: no profile in it (%u file was looked at)",
                              "%s: no profile in it (%u files were looked at)", n),
                 title, n);
}

static void
on_store_progress (double fraction, gpointer user_data)
{
  StriaImporter *self = user_data;

  g_mutex_lock (&self->lock);
  self->store_fraction = CLAMP (fraction, 0.0, 1.0);
  g_mutex_unlock (&self->lock);
}

static gboolean
has_device_profiles (StriaImporter *self)
{
  StriaCaptureTree *tree = stria_capture_get_tree (self->capture);

  for (guint g = 0; tree != NULL && g < stria_capture_tree_size (tree); g++)
    if (stria_capture_tree_get (tree, g)->kind == STRIA_FILES_DEVICE)
      return TRUE;
  return FALSE;
}

static gboolean
read_all (StriaImporter *self, GCancellable *cancellable, GError **error)
{
  const Job *first_failed = NULL;
  guint64 events = 0;
  guint64 total;
  guint good = 0;
  GPtrArray *jobs = make_jobs (self, &total);
  GThreadPool *pool;

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->jobs, g_ptr_array_unref);
  self->jobs = jobs;
  self->bytes_total = total;
  g_mutex_unlock (&self->lock);

  pool = g_thread_pool_new (run_job, NULL, g_get_num_processors (), FALSE, NULL);
  for (guint i = 0; i < jobs->len; i++)
    g_thread_pool_push (pool, g_ptr_array_index (jobs, i), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  stria_capture_settle (self->capture);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  /* That every profile is refused or did not run is an answer, and the tree says why. */
  if (jobs->len == 0 && has_device_profiles (self))
    return TRUE;
  if (jobs->len == 0)
    {
      set_nothing_error (self, error);
      return FALSE;
    }
  for (guint i = 0; i < jobs->len; i++)
    {
      const Job *job = g_ptr_array_index (jobs, i);
      gboolean failed = stria_artifact_get_state (job->artifact) == STRIA_ARTIFACT_UNREADABLE;

      events += job->events;
      good += !failed;
      if (failed && (first_failed == NULL || job->number < first_failed->number))
        first_failed = job;
    }
  if (good == 0 && events == 0)
    {
      if (first_failed->error != NULL)
        g_propagate_error (error, g_error_copy (first_failed->error));
      else
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _("%s: could not be read"),
                     stria_artifact_get_name (first_failed->artifact));
      return FALSE;
    }
  return TRUE;
}

static gboolean
store_all (StriaImporter *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local = NULL;

  set_phase (self, STRIA_IMPORT_STORING);
  if (stria_capture_write_store (self->capture, cancellable, on_store_progress, self, &local))
    return TRUE;
  if (is_cancelled (local) || g_cancellable_is_cancelled (cancellable))
    return !g_cancellable_set_error_if_cancelled (cancellable, error);
  stria_notices_add (stria_capture_get_notices (self->capture), STRIA_SEVERITY_WARNING,
                     "store-not-written", "", -1,
                     _("The capture is open but could not be kept for the next time: %s"),
                     local != NULL ? local->message : _("unknown cause"));
  return TRUE;
}

static void
stria_importer_finalize (GObject *object)
{
  StriaImporter *self = STRIA_IMPORTER (object);

  g_clear_object (&self->capture);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->jobs, g_ptr_array_unref);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (stria_importer_parent_class)->finalize (object);
}

static void
stria_importer_class_init (StriaImporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_importer_finalize;
}

static void
stria_importer_init (StriaImporter *self)
{
  g_mutex_init (&self->lock);
  self->picture_us = -1;
}

/**
 * stria_importer_new:
 * @capture: what the scan found; kept
 *
 * Returns: (transfer full): an importer for one run
 */
StriaImporter *
stria_importer_new (StriaCapture *capture)
{
  StriaImporter *self;

  g_return_val_if_fail (STRIA_IS_CAPTURE (capture), NULL);

  self = g_object_new (STRIA_TYPE_IMPORTER, NULL);
  self->capture = g_object_ref (capture);
  return self;
}

void
stria_importer_set_reimport (StriaImporter *self, gboolean reimport)
{
  g_return_if_fail (STRIA_IS_IMPORTER (self));

  self->reimport = reimport;
}

void
stria_importer_set_no_store (StriaImporter *self, gboolean no_store)
{
  g_return_if_fail (STRIA_IS_IMPORTER (self));

  self->no_store = no_store;
}

/**
 * stria_importer_run:
 * @cancellable: (nullable): ends the run within a block's time of each decoder
 * @error: %G_IO_ERROR_CANCELLED; else why the first artifact could not be read
 *
 * A store that can't be opened is made again without a word; one that can't be written is a notice.
 */
gboolean
stria_importer_run (StriaImporter *self, GCancellable *cancellable, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (STRIA_IS_IMPORTER (self), FALSE);

  g_mutex_lock (&self->lock);
  g_set_object (&self->cancellable, cancellable);
  self->begin_us = self->phase_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    ok = FALSE;
  else if (!self->reimport && stria_capture_open_store (self->capture, NULL))
    {
      g_mutex_lock (&self->lock);
      self->cached = TRUE;
      g_mutex_unlock (&self->lock);
      ok = TRUE;
    }
  else
    {
      ok = read_all (self, cancellable, error);
      if (ok && !self->no_store)
        ok = store_all (self, cancellable, error);
    }
  set_phase (self, STRIA_IMPORT_DONE);

  g_mutex_lock (&self->lock);
  self->end_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
  return ok;
}

static void
run_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (stria_importer_run (source_object, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
stria_importer_run_async (StriaImporter *self, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (STRIA_IS_IMPORTER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, stria_importer_run_async);
  g_task_run_in_thread (task, run_thread);
}

gboolean
stria_importer_run_finish (StriaImporter *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
stria_importer_get_progress (StriaImporter *self, StriaImportProgress *progress)
{
  gint64 now = g_get_monotonic_time ();
  gint64 in_phase;

  g_return_if_fail (STRIA_IS_IMPORTER (self) && progress != NULL);

  *progress = (StriaImportProgress) { 0 };
  g_mutex_lock (&self->lock);
  for (guint i = 0; self->jobs != NULL && i < self->jobs->len; i++)
    {
      const Job *job = g_ptr_array_index (self->jobs, i);

      progress->bytes_done += job->bytes;
      progress->events += job->events;
    }
  progress->phase = self->phase;
  progress->bytes_total = self->bytes_total;
  if (self->end_us > 0)
    now = self->end_us;
  progress->elapsed_us = self->begin_us > 0 ? now - self->begin_us : 0;
  in_phase = self->phase_us > 0 ? now - self->phase_us : 0;
  if (self->phase == STRIA_IMPORT_DONE)
    progress->fraction = 1.0;
  else if (self->phase == STRIA_IMPORT_STORING)
    progress->fraction = self->store_fraction;
  else if (self->bytes_total > 0)
    progress->fraction = (double) progress->bytes_done / self->bytes_total;
  g_mutex_unlock (&self->lock);

  if (progress->phase == STRIA_IMPORT_DONE)
    progress->remaining_us = 0;
  else if (progress->fraction > 0.01)
    progress->remaining_us = in_phase * (1.0 - progress->fraction) / progress->fraction;
  else
    progress->remaining_us = -1;
}

gboolean
stria_importer_was_cached (StriaImporter *self)
{
  gboolean cached;

  g_return_val_if_fail (STRIA_IS_IMPORTER (self), FALSE);

  g_mutex_lock (&self->lock);
  cached = self->cached;
  g_mutex_unlock (&self->lock);
  return cached;
}

gint64
stria_importer_get_picture_us (StriaImporter *self)
{
  gint64 picture_us;

  g_return_val_if_fail (STRIA_IS_IMPORTER (self), -1);

  g_mutex_lock (&self->lock);
  picture_us = self->picture_us;
  g_mutex_unlock (&self->lock);
  return picture_us;
}
