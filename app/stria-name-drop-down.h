/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of names that may be long, such as those of files: the chosen one is shortened in its middle where
 * there is no room, those to choose from are whole. Its model is of GtkStringObject.
 * Returns: (transfer floating) */
GtkWidget *stria_name_drop_down_new (void);

G_END_DECLS
