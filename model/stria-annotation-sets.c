/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-annotation-sets.h"
#include "stria-annotations-private.h"
#include "stria-error.h"

#include <glib/gi18n-lib.h>

#define ENDING   ".json"
#define MAX_SETS 1000

/* Two writes of one set, or a write and a list, would tell of different moments. */
static GMutex one_by_one;

typedef struct
{
  StriaAnnotationSetsTask task;
  char      *folder;
  char      *name;
  char      *text;  /* to save */
  GPtrArray *items; /* that were loaded */
  GPtrArray *names; /* that there are after it */
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  g_free (self->folder);
  g_free (self->name);
  g_free (self->text);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self);
}

gboolean
stria_annotation_sets_is_name (const char *name)
{
  return stria_kept_is_name (name, STRIA_ANNOTATION_SETS_MAX_NAME);
}

/* A name that is a file's name whatever is in it: letters of other scripts take up to nine bytes
 * each, and 255 are allowed, so that long ones are known by their hash as well */
static char *
path_of (const Job *job)
{
  g_autofree char *escaped = g_uri_escape_string (job->name, " ", FALSE);
  g_autofree char *file = NULL;

  if (strlen (escaped) > 200)
    {
      g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, job->name, -1);

      return g_strdup_printf ("%s" G_DIR_SEPARATOR_S "%s" ENDING, job->folder, hash);
    }
  file = g_strconcat (escaped, ENDING, NULL);
  return g_build_filename (job->folder, file, NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(char *const *) a, *(char *const *) b);
}

/* The names are in the files: as what they were made of */
static GPtrArray *
list_names (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && names->len < MAX_SETS && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *text = g_str_has_suffix (file, ENDING)
                                  ? stria_kept_load (path, &(gsize){ 0 }, NULL)
                                  : NULL;
      g_autofree char *title = text != NULL ? stria_annotations_read_title (text, path) : NULL;

      if (stria_annotation_sets_is_name (title))
        g_ptr_array_add (names, g_steal_pointer (&title));
    }
  g_ptr_array_sort (names, compare_names);
  return names;
}

static gboolean
do_job (Job *job, GError **error)
{
  g_autofree char *path = job->name != NULL ? path_of (job) : NULL;
  g_autofree char *text = NULL;
  gsize length = 0;

  switch (job->task)
    {
    case STRIA_ANNOTATION_SETS_SAVE:
      return stria_kept_store (path, job->text, error);
    case STRIA_ANNOTATION_SETS_REMOVE:
      return stria_kept_store (path, NULL, error);
    case STRIA_ANNOTATION_SETS_LOAD:
      text = stria_kept_load (path, &length, error);
      if (text != NULL)
        job->items = stria_annotations_read (text, (gssize) length, path, NULL, error);
      return job->items != NULL;
    case STRIA_ANNOTATION_SETS_LIST:
    default:
      return TRUE;
    }
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  gboolean ok;

  g_mutex_lock (&one_by_one);
  ok = do_job (job, &error);
  if (ok)
    job->names = list_names (job->folder);
  g_mutex_unlock (&one_by_one);
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
stria_annotation_sets_async (StriaAnnotations *annotations, StriaAnnotationSetsTask task,
                             const char *name, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) gtask = g_task_new (annotations, NULL, callback, user_data);
  Job *job;

  g_return_if_fail (STRIA_IS_ANNOTATIONS (annotations));

  if (annotations->sets == NULL
      || (task != STRIA_ANNOTATION_SETS_LIST && !stria_annotation_sets_is_name (name)))
    {
      g_task_return_new_error (gtask, STRIA_ERROR, STRIA_ERROR_FAILED,
                               _ ("Expected a name of 1 to %d characters"),
                               STRIA_ANNOTATION_SETS_MAX_NAME);
      return;
    }
  job = g_new0 (Job, 1);
  job->task = task;
  job->folder = g_strdup (annotations->sets);
  job->name = g_strdup (name);
  if (task == STRIA_ANNOTATION_SETS_SAVE)
    job->text = stria_annotations_write (annotations->items, annotations->identity, name);
  g_task_set_task_data (gtask, job, job_free);
  g_task_run_in_thread (gtask, run);
}

GPtrArray *
stria_annotation_sets_finish (StriaAnnotations *annotations, GAsyncResult *result, GError **error)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  if (job->items != NULL)
    {
      stria_annotations_remember (annotations);
      g_ptr_array_set_size (annotations->items, 0);
      stria_annotations_take_items (annotations, job->items);
      stria_annotations_changed (annotations);
    }
  return g_steal_pointer (&job->names);
}
