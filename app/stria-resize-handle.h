/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_RESIZE_HANDLE (stria_resize_handle_get_type ())
G_DECLARE_FINAL_TYPE (StriaResizeHandle, stria_resize_handle, STRIA, RESIZE_HANDLE, GtkWidget)

/**
 * StriaResizeHandle:
 *
 * The edge of a side panel: dragged, or moved with the arrow keys, it sets the panel's width, which
 * is kept under a key of the settings.
 */
/* @panel: whose width it sets; @at_end: the panel stands behind the handle, not before it */
GtkWidget *stria_resize_handle_new (GtkWidget *panel, gboolean at_end, int min_width,
                                    const char *settings_key);

/* Gives the panel another width, and keeps it. */
void       stria_resize_handle_set_width (StriaResizeHandle *self, int width);

G_END_DECLS
