/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stria_widget_picture_save:
 * @widget: mapped
 * @scale: pixels of the picture by logical pixel
 * @path: PNG file, replaced if it is there
 * @width: (out): in pixels
 * @height: (out): in pixels
 *
 * Writes @widget as it is drawn, without popovers. Drawn by Cairo: as well where there is no GPU.
 *
 * Returns: FALSE with @error (#StriaError) if it is not seen or @path cannot be written
 */
gboolean stria_widget_picture_save (GtkWidget *widget, int scale, const char *path, int *width,
                                    int *height, GError **error);

G_END_DECLS
