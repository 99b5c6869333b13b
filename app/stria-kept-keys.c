/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-kept-keys.h"

#include <gio/gio.h>

#include "stria-kept-file.h"
#include "stria-state-writer.h"

struct _StriaKeptKeys
{
  char     *path;
  GKeyFile *keys;
  gboolean  is_loading;
  gboolean  is_changed; /* while it is being read */
};

StriaKeptKeys *
stria_kept_keys_new (char *path)
{
  StriaKeptKeys *self = g_new0 (StriaKeptKeys, 1);

  self->path = path;
  self->keys = g_key_file_new ();
  return self;
}

GKeyFile *
stria_kept_keys_get (StriaKeptKeys *self)
{
  return self->keys;
}

void
stria_kept_keys_changed (StriaKeptKeys *self)
{
  if (self->is_loading)
    self->is_changed = TRUE;
  else
    stria_state_write (self->path, g_key_file_to_data (self->keys, NULL, NULL));
}

/* -- reading --------------------------------------------------------------------------------- */

static void
run_load (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  const char *path = g_task_get_task_data (task);
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length = 0;

  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && ((text = stria_kept_load (path, &length, &error)) == NULL
          || !g_key_file_load_from_data (keys, text, length, G_KEY_FILE_KEEP_COMMENTS, &error)))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, g_steal_pointer (&keys), (GDestroyNotify) g_key_file_unref);
}

static void
put_into (GKeyFile *to, GKeyFile *from)
{
  g_auto (GStrv) groups = g_key_file_get_groups (from, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (from, groups[i], NULL, NULL);

      for (guint k = 0; keys != NULL && keys[k] != NULL; k++)
        {
          g_autofree char *value = g_key_file_get_value (from, groups[i], keys[k], NULL);

          g_key_file_set_value (to, groups[i], keys[k], value);
        }
    }
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  StriaKeptKeys *self = data;
  g_autoptr (GError) error = NULL;
  GKeyFile *keys = g_task_propagate_pointer (G_TASK (result), &error);

  if (keys == NULL)
    {
      stria_state_put_aside (self->path, error->message);
      keys = g_key_file_new ();
    }
  if (self->is_changed)
    put_into (keys, self->keys);
  g_key_file_unref (self->keys);
  self->keys = keys;
  self->is_loading = FALSE;
  if (self->is_changed)
    stria_kept_keys_changed (self);
  self->is_changed = FALSE;
}

void
stria_kept_keys_load (StriaKeptKeys *self)
{
  GTask *task;

  if (self->is_loading)
    return;
  self->is_loading = TRUE;
  task = g_task_new (NULL, NULL, on_loaded, self);
  g_task_set_source_tag (task, stria_kept_keys_load);
  g_task_set_task_data (task, g_strdup (self->path), g_free);
  stria_state_run (run_load, task);
}
