/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A flat button with a symbol; @tooltip is its name, too. @clicked: gets @data first.
 * Returns: (transfer floating) */
GtkWidget *stria_icon_button_new (const char *icon, const char *tooltip, GCallback clicked,
                                  gpointer data);
void       stria_size_window     (GtkWindow *window, int width, int height);
void       stria_set_css_class   (GtkWidget *widget, const char *name, gboolean has);

/* Keys that hold wherever the keyboard is in the window, before any entry would take them: of
 * @widget, as long as it is seen. Returns: (transfer none): for stria_key_bind() */
GtkShortcutController *stria_key_controller_new (GtkWidget *widget);

G_END_DECLS
