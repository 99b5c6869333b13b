/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-window.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-desktop
 *
 * What the desktop asks of the program: the actions that the application's menu in a shell offers,
 * "app.open-folder" and "app.compare", and searches.
 */

/* Adds the actions. */
void  stria_desktop_add_actions (GtkApplication *application);
/* Answers searches on @connection. Returns: a registration; 0 with @error */
guint stria_desktop_export      (GtkApplication *application, GDBusConnection *connection,
                                 GError **error);

G_END_DECLS
