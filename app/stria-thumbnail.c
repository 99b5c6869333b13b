/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-thumbnail.h"

#include <glib/gstdio.h>

#include "stria-cache.h"
#include "stria-error.h"
#include "stria-thumbnail-picture.h"

/* Lanes are painted at this scale, so that a picture of the size of a card shows some of them. */
#define SCALE 0.5

static void
make_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  StriaCapture *capture = task_data;
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  g_autofree char *path = stria_cache_path (stria_capture_get_key (capture), ".png");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *part = g_strdup_printf ("%s.%08x.part", path, g_random_int ());
  cairo_surface_t *surface;
  cairo_status_t status;

  if (trace == NULL || g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_task_return_boolean (task, FALSE);
      return;
    }

  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, STRIA_THUMBNAIL_WIDTH,
                                        2 * STRIA_THUMBNAIL_HEIGHT);
  for (guint i = 0; i < 2; i++)
    {
      cairo_surface_t *half = cairo_surface_create_for_rectangle (surface, 0,
                                                                  i * STRIA_THUMBNAIL_HEIGHT,
                                                                  STRIA_THUMBNAIL_WIDTH,
                                                                  STRIA_THUMBNAIL_HEIGHT);
      cairo_t *cr = cairo_create (half);

      stria_thumbnail_paint_timeline (cr, trace, i == 1, SCALE, STRIA_THUMBNAIL_WIDTH,
                                      STRIA_THUMBNAIL_HEIGHT);
      cairo_destroy (cr);
      cairo_surface_destroy (half);
    }
  status = cairo_surface_write_to_png (surface, part);
  cairo_surface_destroy (surface);

  if (status != CAIRO_STATUS_SUCCESS || g_rename (part, path) != 0)
    {
      g_unlink (part);
      g_task_return_new_error (task, STRIA_ERROR, STRIA_ERROR_STORE, "%s: %s", path,
                               cairo_status_to_string (status));
      return;
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaCapture) capture = user_data;
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error) && error != NULL)
    g_debug ("No thumbnail of %s: %s", stria_capture_get_path (capture), error->message);
}

void
stria_thumbnail_make (StriaCapture *capture)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (STRIA_IS_CAPTURE (capture));

  if (stria_capture_get_key (capture) == NULL)
    return;
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, NULL, on_made, g_object_ref (capture));
  g_task_set_source_tag (task, stria_thumbnail_make);
  g_task_set_task_data (task, capture, NULL);
  g_task_run_in_thread (task, make_in_thread);
}

GdkTexture *
stria_thumbnail_load (const char *key, gboolean dark)
{
  g_autofree char *path = stria_cache_path (key, ".png");
  g_autoptr (GdkPixbuf) both = gdk_pixbuf_new_from_file (path, NULL);
  g_autoptr (GdkPixbuf) one = NULL;

  if (both == NULL || gdk_pixbuf_get_width (both) != STRIA_THUMBNAIL_WIDTH ||
      gdk_pixbuf_get_height (both) != 2 * STRIA_THUMBNAIL_HEIGHT)
    return NULL;
  one = gdk_pixbuf_new_subpixbuf (both, 0, dark ? STRIA_THUMBNAIL_HEIGHT : 0, STRIA_THUMBNAIL_WIDTH,
                                  STRIA_THUMBNAIL_HEIGHT);
  return gdk_texture_new_for_pixbuf (one);
}
