/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "stria-error.h"
#include "stria-kept-file.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

struct _StriaKeptFile
{
  char                 *path;
  GObject              *owner;
  const StriaKeptFuncs *funcs;
  gboolean              loading;
  gboolean              writing;
  gboolean              dirty;
};

gboolean
stria_kept_is_name (const char *name, guint most)
{
  if (name == NULL || name[0] == '\0' || !g_utf8_validate (name, -1, NULL)
      || g_utf8_strlen (name, -1) > (glong) most)
    return FALSE;
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)))
      return FALSE;
  return !g_ascii_isspace (name[0]) && !g_ascii_isspace (name[strlen (name) - 1]);
}

gboolean
stria_kept_store (const char *path, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (text == NULL)
    {
      if (g_unlink (path) == 0 || errno == ENOENT)
        return TRUE;
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: could not be removed: %s"), path,
                   g_strerror (errno));
      return FALSE;
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: could not be made: %s"), folder,
                   g_strerror (errno));
      return FALSE;
    }
  /* To a file beside it, to the disk, and then into its place */
  return g_file_set_contents_full (path, text, -1,
                                   G_FILE_SET_CONTENTS_CONSISTENT
                                       | G_FILE_SET_CONTENTS_DURABLE,
                                   0600, error);
}

char *
stria_kept_load (const char *path, gsize *length, GError **error)
{
  GStatBuf info;
  char *text = NULL;

  if (g_stat (path, &info) == 0 && info.st_size > STRIA_KEPT_MAX_FILE)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: expected at most %d MiB, found more"), path, STRIA_KEPT_MAX_FILE >> 20);
      return NULL;
    }
  return g_file_get_contents (path, &text, length, error) ? text : NULL;
}

/* -- writing --------------------------------------------------------------------------------- */

typedef struct
{
  char *path;
  char *text; /* NULL: remove it */
} Write;

static void
write_free (gpointer data)
{
  Write *self = data;

  g_free (self->path);
  g_free (self->text);
  g_free (self);
}

static void
run_write (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Write *write = data;
  GError *error = NULL;

  if (stria_kept_store (write->path, write->text, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void start_write (StriaKeptFile *self);

static void
on_written (GObject *owner, GAsyncResult *result, gpointer data)
{
  StriaKeptFile *self = data;
  g_autoptr (GError) error = NULL;

  self->writing = FALSE;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    self->funcs->failed (owner, error->message);
  if (self->dirty)
    start_write (self);
}

static void
start_write (StriaKeptFile *self)
{
  g_autoptr (GTask) task = NULL;
  Write *write;

  if (self->writing || self->loading)
    return;
  write = g_new0 (Write, 1);
  write->path = g_strdup (self->path);
  write->text = self->funcs->text (self->owner);
  self->dirty = FALSE;
  self->writing = TRUE;
  /* The task keeps the owner, and that keeps this. */
  task = g_task_new (self->owner, NULL, on_written, self);
  g_task_set_task_data (task, write, write_free);
  g_task_run_in_thread (task, run_write);
}

void
stria_kept_file_changed (StriaKeptFile *self)
{
  self->dirty = TRUE;
  start_write (self);
}

/* -- reading --------------------------------------------------------------------------------- */

typedef struct
{
  char                 *path;
  const StriaKeptFuncs *funcs;
} Load;

static void
load_free (gpointer data)
{
  Load *self = data;

  g_free (self->path);
  g_free (self);
}

static void
run_load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Load *load = data;
  g_autofree char *text = NULL;
  gsize length = 0;
  GError *error = NULL;
  gpointer parsed = NULL;

  if (!g_file_test (load->path, G_FILE_TEST_EXISTS))
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  text = stria_kept_load (load->path, &length, &error);
  if (text != NULL)
    parsed = load->funcs->parse (text, length, load->path, &error);
  if (parsed == NULL)
    {
      /* The next change would take its place. */
      g_autofree char *aside = g_strconcat (load->path, ".unreadable", NULL);

      if (g_rename (load->path, aside) == 0)
        g_prefix_error (&error, _ ("Put aside as %s: "), aside);
      g_task_return_error (task, error);
      return;
    }
  g_task_return_pointer (task, parsed, load->funcs->free_parsed);
}

static void
on_loaded (GObject *owner, GAsyncResult *result, gpointer data)
{
  StriaKeptFile *self = data;
  g_autoptr (GError) error = NULL;
  gpointer parsed = g_task_propagate_pointer (G_TASK (result), &error);

  self->loading = FALSE;
  if (parsed != NULL)
    self->funcs->read (owner, parsed);
  if (error != NULL)
    self->funcs->failed (owner, error->message);
  if (self->dirty)
    start_write (self);
}

StriaKeptFile *
stria_kept_file_new (const char *path, GObject *owner, const StriaKeptFuncs *funcs)
{
  StriaKeptFile *self = g_new0 (StriaKeptFile, 1);
  g_autoptr (GTask) task = g_task_new (owner, NULL, on_loaded, self);
  Load *load = g_new0 (Load, 1);

  self->path = g_strdup (path);
  self->owner = owner;
  self->funcs = funcs;
  self->loading = TRUE;
  load->path = g_strdup (path);
  load->funcs = funcs;
  g_task_set_task_data (task, load, load_free);
  g_task_run_in_thread (task, run_load);
  return self;
}

void
stria_kept_file_free (StriaKeptFile *self)
{
  g_free (self->path);
  g_free (self);
}

void
stria_kept_file_flush (StriaKeptFile *self)
{
  while (self->loading || self->writing || self->dirty)
    g_main_context_iteration (NULL, TRUE);
}
