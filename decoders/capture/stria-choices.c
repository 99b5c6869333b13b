/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-choices.h"

#include <errno.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "stria-cache.h"

/* The oldest are forgotten beyond this. */
#define MAX_CHOICES 1000

/* Two windows may scan at once. */
static GMutex mutex;

static char *
file_path (void)
{
  g_autofree char *folder = stria_cache_dir ();

  return g_build_filename (folder, "programs", NULL);
}

static gboolean
is_profile (StriaArtifact *artifact)
{
  return g_strcmp0 (stria_artifact_get_kind (artifact), "neuron-ntff") == 0;
}

static char *
group_of (StriaArtifact *profile)
{
  const char *path = stria_artifact_get_path (profile);
  const char *member = stria_artifact_get_member (profile);
  g_autofree char *whole = g_canonicalize_filename (path != NULL ? path : "", NULL);
  g_autofree char *text
      = g_strdup_printf ("%s\n%s\n%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT, whole,
                         member != NULL ? member : "", stria_artifact_get_size (profile),
                         stria_artifact_get_mtime (profile));

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

/* Where there is none, or it can't be read, nothing is remembered. */
static GKeyFile *
load (void)
{
  GKeyFile *file = g_key_file_new ();
  g_autofree char *path = file_path ();

  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

GHashTable *
stria_choices_recall (StriaCapture *capture, GHashTable *given)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GKeyFile) file = NULL;
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);
      g_autofree char *group = NULL;
      char *program;

      if (!is_profile (artifact))
        continue;
      if (file == NULL)
        file = load ();
      group = group_of (artifact);
      program = g_key_file_get_string (file, group, "program", NULL);
      if (program != NULL)
        g_hash_table_insert (all, g_strdup (stria_artifact_get_name (artifact)), program);
    }
  if (given == NULL)
    return all;
  g_hash_table_iter_init (&iter, given);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (all, g_strdup (key), g_strdup (value));
  return all;
}

static void
forget_oldest (GKeyFile *file)
{
  gsize n;
  g_auto (GStrv) groups = g_key_file_get_groups (file, &n);

  while (n > MAX_CHOICES)
    {
      gsize oldest = 0;

      for (gsize i = 1; i < n; i++)
        if (g_key_file_get_int64 (file, groups[i], "chosen", NULL)
            < g_key_file_get_int64 (file, groups[oldest], "chosen", NULL))
          oldest = i;
      g_key_file_remove_group (file, groups[oldest], NULL);
      g_free (groups[oldest]);
      groups[oldest] = groups[--n];
      groups[n] = NULL;
    }
}

/* TRUE: the file is another one now. */
static gboolean
note (GKeyFile *file, StriaCapture *capture, const StriaFiles *group, const char *program)
{
  StriaArtifact *profile;
  g_autofree char *key = NULL;
  g_autofree char *known = NULL;

  profile = stria_capture_get_artifact (capture, g_array_index (group->artifacts, guint, 0));
  key = group_of (profile);
  known = g_key_file_get_string (file, key, "program", NULL);
  if (program[0] == '\0')
    return known != NULL && g_key_file_remove_group (file, key, NULL);
  if (group->rule != STRIA_PAIR_CHOICE || g_strcmp0 (known, program) == 0)
    return FALSE;
  g_key_file_set_string (file, key, "profile", stria_artifact_get_name (profile));
  g_key_file_set_string (file, key, "program", program);
  g_key_file_set_int64 (file, key, "chosen", g_get_real_time () / G_USEC_PER_SEC);
  return TRUE;
}

void
stria_choices_remember (StriaCapture *capture, GHashTable *given)
{
  StriaCaptureTree *tree = stria_capture_get_tree (capture);
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  gboolean changed = FALSE;

  if (tree == NULL || given == NULL || g_hash_table_size (given) == 0)
    return;
  g_mutex_lock (&mutex);
  file = load ();
  for (guint g = 0; g < stria_capture_tree_size (tree); g++)
    {
      const StriaFiles *group = stria_capture_tree_get (tree, g);
      const char *program = NULL;

      if (group->kind == STRIA_FILES_DEVICE && group->artifacts->len > 0)
        program = g_hash_table_lookup (
            given, stria_artifact_get_name (stria_capture_get_artifact (
                       capture, g_array_index (group->artifacts, guint, 0))));
      if (program != NULL)
        changed |= note (file, capture, group, program);
    }
  if (changed)
    {
      folder = stria_cache_dir ();
      path = file_path ();
      forget_oldest (file);
      if (g_mkdir_with_parents (folder, 0700) != 0)
        g_set_error (&error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder,
                     g_strerror (errno));
      else
        g_key_file_save_to_file (file, path, &error);
    }
  g_mutex_unlock (&mutex);
  if (error != NULL)
    stria_notices_add (stria_capture_get_notices (capture), STRIA_SEVERITY_INFO, "choice-not-kept",
                       stria_capture_get_title (capture), -1,
                       _ ("The choice of a program can't be remembered: %s"), error->message);
}
