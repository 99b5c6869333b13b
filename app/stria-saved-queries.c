/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-saved-queries.h"

#include "stria-kept-keys.h"

#define GROUP "queries"

static StriaKeptKeys *
get_kept (void)
{
  static StriaKeptKeys *kept;

  if (kept == NULL)
    kept = stria_kept_keys_new (
        g_build_filename (g_get_user_data_dir (), "stria", "queries.ini", NULL));
  return kept;
}

void
stria_saved_queries_load (void)
{
  stria_kept_keys_load (get_kept ());
}

/* Names are any text, keys are not. */
static char *
key_of_name (const char *name)
{
  return g_uri_escape_string (name, NULL, FALSE);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(const char *const *) a, *(const char *const *) b);
}

char **
stria_saved_queries_list (void)
{
  GKeyFile *file = stria_kept_keys_get (get_kept ());
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
  GKeyFile *file = stria_kept_keys_get (get_kept ());
  g_autofree char *key = key_of_name (name);

  return g_key_file_get_string (file, GROUP, key, NULL);
}

void
stria_saved_queries_set (const char *name, const char *sql)
{
  GKeyFile *file = stria_kept_keys_get (get_kept ());
  g_autofree char *key = key_of_name (name);

  if (sql != NULL)
    g_key_file_set_string (file, GROUP, key, sql);
  else
    g_key_file_remove_key (file, GROUP, key, NULL);
  stria_kept_keys_changed (get_kept ());
}
