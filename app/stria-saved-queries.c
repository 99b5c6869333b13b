/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-saved-queries.h"

#include <string.h>

#define GROUP "queries"

static char *
path_of_file (void)
{
  return g_build_filename (g_get_user_data_dir (), "stria", "queries.ini", NULL);
}

/* Names are any text, keys are not. */
static char *
key_of_name (const char *name)
{
  return g_uri_escape_string (name, NULL, FALSE);
}

static GKeyFile *
load (void)
{
  GKeyFile *file = g_key_file_new ();
  g_autofree char *path = path_of_file ();

  g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(const char *const *) a, *(const char *const *) b);
}

char **
stria_saved_queries_list (void)
{
  g_autoptr (GKeyFile) file = load ();
  g_auto (GStrv) keys = g_key_file_get_keys (file, GROUP, NULL, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      char *name = g_uri_unescape_string (keys[i], NULL);

      if (name != NULL)
        g_ptr_array_add (names, name);
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

char *
stria_saved_queries_get (const char *name)
{
  g_autoptr (GKeyFile) file = load ();
  g_autofree char *key = key_of_name (name);

  return g_key_file_get_string (file, GROUP, key, NULL);
}

gboolean
stria_saved_queries_set (const char *name, const char *sql, GError **error)
{
  g_autoptr (GKeyFile) file = load ();
  g_autofree char *key = key_of_name (name);
  g_autofree char *path = path_of_file ();
  g_autofree char *folder = g_path_get_dirname (path);

  if (sql != NULL)
    g_key_file_set_string (file, GROUP, key, sql);
  else
    g_key_file_remove_key (file, GROUP, key, NULL);
  g_mkdir_with_parents (folder, 0700);
  return g_key_file_save_to_file (file, path, error);
}
