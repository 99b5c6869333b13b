/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-widget-picture.h"

#include <glib/gi18n-lib.h>

#include "stria-error.h"

/* Returns: (transfer full) (nullable) */
static GskRenderNode *
node_of (GtkWidget *widget, int scale, int width, int height)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  return gtk_snapshot_free_to_node (snapshot);
}

gboolean
stria_widget_picture_save (GtkWidget *widget, int scale, const char *path, int *width,
                           int *height, GError **error)
{
  const int w = gtk_widget_get_width (widget);
  const int h = gtk_widget_get_height (widget);
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  gboolean is_saved;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);
  g_return_val_if_fail (scale > 0, FALSE);

  if (gtk_widget_get_mapped (widget) && w > 0 && h > 0)
    node = node_of (widget, scale, w, h);
  if (node == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: nothing is shown to draw"), path);
      return FALSE;
    }
  if (!gsk_renderer_realize (renderer, NULL, error))
    return FALSE;
  texture = gsk_renderer_render_texture (
      renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float) (w * scale), (float) (h * scale)));
  is_saved = gdk_texture_save_to_png (texture, path);
  gsk_renderer_unrealize (renderer);
  if (!is_saved)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: the picture can't be written"),
                   path);
      return FALSE;
    }
  *width = w * scale;
  *height = h * scale;
  return TRUE;
}
