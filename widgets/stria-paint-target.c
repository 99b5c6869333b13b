/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-target.h"

#include <math.h>

gboolean
stria_paint_target_is_whole (double value)
{
  return fabs (value - floor (value + 0.5)) < 1e-6;
}

gboolean
stria_paint_target_init (StriaPaintTarget *self, cairo_t *cr)
{
  cairo_surface_t *surface = cairo_get_group_target (cr);
  cairo_rectangle_list_t *clip;
  cairo_matrix_t matrix;
  double sx, sy, ox, oy;
  gboolean good;

  if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE
      || (cairo_image_surface_get_format (surface) != CAIRO_FORMAT_ARGB32
          && cairo_image_surface_get_format (surface) != CAIRO_FORMAT_RGB24))
    return FALSE;
  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (surface, &sx, &sy);
  cairo_surface_get_device_offset (surface, &ox, &oy);
  if (fabs (matrix.xy) > 1e-9 || fabs (matrix.yx) > 1e-9 || matrix.xx * sx <= 0
      || matrix.yy * sy <= 0)
    return FALSE;
  clip = cairo_copy_clip_rectangle_list (cr);
  good = clip->status == CAIRO_STATUS_SUCCESS && clip->num_rectangles == 1;
  if (good)
    self->clip = clip->rectangles[0];
  cairo_rectangle_list_destroy (clip);
  if (!good)
    return FALSE;
  cairo_surface_flush (surface);
  self->surface = surface;
  self->pixels = (guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  self->stride = (gsize) cairo_image_surface_get_stride (surface) / sizeof (guint32);
  self->width = cairo_image_surface_get_width (surface);
  self->height = cairo_image_surface_get_height (surface);
  self->x_scale = matrix.xx * sx;
  self->y_scale = matrix.yy * sy;
  self->left = matrix.x0 * sx + ox;
  self->top = matrix.y0 * sy + oy;
  return TRUE;
}
