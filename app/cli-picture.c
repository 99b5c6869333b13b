/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-picture.h"

#include <errno.h>
#include <math.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>

#include "stria-error.h"

/* With room to spare in memory: 1 GiB of pixels */
#define MAX_PIXELS (256.0 * 1024 * 1024)

gboolean
cli_parse_size (const char *text, double *width, double *height)
{
  char   *end;
  guint64 value;

  *width = CLI_PICTURE_WIDTH;
  *height = CLI_PICTURE_HEIGHT;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_isdigit (*text))
    return FALSE;
  value = g_ascii_strtoull (text, &end, 10);
  if (*end != 'x' || value < 16 || value > CLI_PICTURE_MAX_SIDE)
    return FALSE;
  *width = (double) value;
  if (end[1] == '\0')
    {
      *height = 0;
      return TRUE;
    }
  if (!g_ascii_isdigit (end[1]))
    return FALSE;
  value = g_ascii_strtoull (end + 1, &end, 10);
  *height = (double) value;
  return *end == '\0' && value >= 16 && value <= CLI_PICTURE_MAX_SIDE;
}

gboolean
cli_is_picture_name (const char *path)
{
  return g_str_has_suffix (path, ".png") || g_str_has_suffix (path, ".svg")
         || g_str_has_suffix (path, ".pdf");
}

static gboolean
set_write_error (const char *path, const char *why, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: the picture cannot be written: %s"),
               path, why);
  return FALSE;
}

/* Takes @surface. */
static gboolean
paint_vector (cairo_surface_t *surface, const char *path, double width, double height,
              CliPaintFunc paint, gpointer user_data, GError **error)
{
  cairo_t       *cr = cairo_create (surface);
  cairo_status_t status;

  paint (cr, width, height, user_data);
  cairo_show_page (cr);
  cairo_surface_finish (surface);
  status = cairo_status (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return set_write_error (path, cairo_status_to_string (status), error);
  return TRUE;
}

static gboolean
paint_png (const char *path, double width, double height, double scale, CliPaintFunc paint,
           gpointer user_data, GError **error)
{
  cairo_surface_t *surface;
  cairo_t         *cr;
  cairo_status_t   status;
  double           width_px = ceil (width * scale);
  double           height_px = ceil (height * scale);

  if (width_px > CLI_PICTURE_MAX_SIDE || height_px > CLI_PICTURE_MAX_SIDE
      || width_px * height_px > MAX_PIXELS)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: a picture of %.0f×%.0f pixels is too large; at most %d on a side"), path,
                   width_px, height_px, CLI_PICTURE_MAX_SIDE);
      return FALSE;
    }

  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width_px, (int) height_px);
  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  paint (cr, width, height, user_data);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    {
      errno = 0;
      status = cairo_surface_write_to_png (surface, path);
    }
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return set_write_error (
        path, errno != 0 ? g_strerror (errno) : cairo_status_to_string (status), error);
  return TRUE;
}

gboolean
cli_paint_file (const char *path, double width, double height, double scale, CliPaintFunc paint,
                gpointer user_data, GError **error)
{
  if (g_str_has_suffix (path, ".svg"))
    {
      cairo_surface_t *surface = cairo_svg_surface_create (path, width, height);

      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      return paint_vector (surface, path, width, height, paint, user_data, error);
    }
  if (g_str_has_suffix (path, ".pdf"))
    return paint_vector (cairo_pdf_surface_create (path, width, height), path, width, height,
                         paint, user_data, error);
  return paint_png (path, width, height, scale, paint, user_data, error);
}

static cairo_status_t
write_stream (void *closure, const unsigned char *data, unsigned int length)
{
  return fwrite (data, 1, length, closure) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

gboolean
cli_paint_svg (FILE *file, const char *name, double width, double height, CliPaintFunc paint,
               gpointer user_data, GError **error)
{
  cairo_surface_t *surface
      = cairo_svg_surface_create_for_stream (write_stream, file, width, height);

  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  return paint_vector (surface, name, width, height, paint, user_data, error);
}
