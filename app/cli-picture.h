/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

#define CLI_PICTURE_WIDTH  1600
#define CLI_PICTURE_HEIGHT 900
/* Pixels on a side: what a Cairo image can be */
#define CLI_PICTURE_MAX_SIDE 32767

typedef void (*CliPaintFunc) (cairo_t *cr, double width, double height, gpointer user_data);

/* "1600x900"; "1600x" leaves @height at 0; NULL is the default size. FALSE: it is no size */
gboolean cli_parse_size      (const char *text, double *width, double *height);
/* Whether the name ends as one that cli_paint_file() can write */
gboolean cli_is_picture_name (const char *path);
/* Writes what @paint draws as PNG, SVG or PDF, by the end of @path. @scale: pixels of a PNG to a
 * unit. Errors: %STRIA_ERROR_LIMIT if it is too large, %STRIA_ERROR_FAILED */
gboolean cli_paint_file      (const char *path, double width, double height, double scale,
                              CliPaintFunc paint, gpointer user_data, GError **error);
/* The same as SVG to a stream that is open. @name: for messages */
gboolean cli_paint_svg       (FILE *file, const char *name, double width, double height,
                              CliPaintFunc paint, gpointer user_data, GError **error);

G_END_DECLS
