/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A flat button with a symbol; @tooltip is its name, too. @clicked: gets @data first.
 * Returns: (transfer floating) */
GtkWidget *stria_icon_button_new (const char *icon, const char *tooltip, GCallback clicked,
                                  gpointer data);
void       stria_set_css_class   (GtkWidget *widget, const char *name, gboolean has);

/* Keys that hold wherever the keyboard is in the window, before any entry would take them: of
 * @widget, as long as it is seen. Returns: (transfer none): for stria_keys_add() */
GtkShortcutController *stria_keys_new (GtkWidget *widget);
/* @data: what @func is given last; has to live as long as the widget */
void                   stria_keys_add (GtkShortcutController *keys, guint key,
                                       GdkModifierType modifiers, GtkShortcutFunc func,
                                       gconstpointer data);

G_END_DECLS
