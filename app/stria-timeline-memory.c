/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-memory.h"

#include <string.h>

#define WRITE_AFTER_MS 600

typedef struct
{
  StriaTimeline *timeline; /* not owned: it owns this */
  GFile         *file;
  GCancellable  *cancellable;
  char          *written; /* what the file has, or what the timeline had at first */
  gboolean       loaded;
  guint          source;
} Memory;

static void
on_replaced (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_message ("What was chosen for this timeline is not kept: %s", error->message);
}

static gboolean
write_now (gpointer data)
{
  Memory *memory = data;
  g_autofree char *text = stria_timeline_save_options (memory->timeline);
  g_autoptr (GFile) folder = g_file_get_parent (memory->file);
  g_autoptr (GBytes) bytes = NULL;

  memory->source = 0;
  if (g_strcmp0 (text, memory->written) == 0)
    return G_SOURCE_REMOVE;
  g_free (memory->written);
  memory->written = g_strdup (text);
  g_mkdir_with_parents (g_file_peek_path (folder), 0700);
  bytes = g_bytes_new (text, strlen (text));
  g_file_replace_contents_bytes_async (memory->file, bytes, NULL, FALSE, G_FILE_CREATE_PRIVATE,
                                       NULL, on_replaced, NULL);
  return G_SOURCE_REMOVE;
}

static void
on_changed (Memory *memory)
{
  if (memory->loaded && memory->source == 0)
    memory->source = g_timeout_add (WRITE_AFTER_MS, write_now, memory);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  Memory *memory = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_load_contents_finish (G_FILE (source), result, &text, NULL, NULL, &error)
      && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  memory = data;
  memory->loaded = TRUE;
  if (text != NULL)
    stria_timeline_load_options (memory->timeline, text);
  g_free (memory->written);
  memory->written = stria_timeline_save_options (memory->timeline);
}

static void
memory_free (gpointer data)
{
  Memory *memory = data;

  g_cancellable_cancel (memory->cancellable);
  g_clear_handle_id (&memory->source, g_source_remove);
  g_clear_object (&memory->cancellable);
  g_clear_object (&memory->file);
  g_free (memory->written);
  g_free (memory);
}

/* What was chosen just before a window is closed must not be lost. */
static void
on_unmap (Memory *memory)
{
  if (memory->source == 0)
    return;
  g_clear_handle_id (&memory->source, g_source_remove);
  write_now (memory);
}

void
stria_timeline_memory_attach (StriaTimeline *timeline, StriaCapture *capture, const char *which)
{
  const char *key = stria_capture_get_key (capture);
  Memory *memory = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;

  g_return_if_fail (STRIA_IS_TIMELINE (timeline));

  if (key == NULL || *key == '\0')
    return;
  memory = g_new0 (Memory, 1);
  name = which != NULL ? g_strconcat (key, "-", which, NULL) : g_strdup (key);
  path = g_build_filename (g_get_user_config_dir (), "stria", "timelines", name, NULL);
  memory->timeline = timeline;
  memory->file = g_file_new_for_path (path);
  memory->cancellable = g_cancellable_new ();
  g_object_set_data_full (G_OBJECT (timeline), "stria-timeline-memory", memory, memory_free);
  g_signal_connect_swapped (timeline, "options-changed", G_CALLBACK (on_changed), memory);
  g_signal_connect_swapped (timeline, "unmap", G_CALLBACK (on_unmap), memory);
  g_file_load_contents_async (memory->file, memory->cancellable, on_loaded, memory);
}
