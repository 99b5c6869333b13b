/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-source-place.h"

G_BEGIN_DECLS

/* Ways from what a capture says to the line of source it speaks of. All go through the window's
 * action "win.show-source", which takes a path and a line: whoever has a path can go there. */

/* Shows the line in the Source view */
void       stria_source_show       (GtkWidget *widget, const char *path, guint line);
/* Copies "path:line" and says so */
void       stria_source_copy       (GtkWidget *widget, const char *path, guint line);
/* "path:line". Returns: (transfer full) */
char      *stria_source_text       (const char *path, guint line);

/* A button that looks like a link and goes to the line; its menu copies the place.
 * @text: first line; @note: (nullable): second line, dim. Returns: (transfer floating) */
GtkWidget *stria_source_link_new   (const char *text, const char *note, const char *path,
                                    guint line);
/* The menu of a place, at a point of @parent. */
void       stria_source_popup_menu (GtkWidget *parent, double x, double y, const char *path,
                                    guint line);

G_END_DECLS
