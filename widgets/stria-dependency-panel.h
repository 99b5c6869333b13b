/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_DEPENDENCY_PANEL (stria_dependency_panel_get_type ())
G_DECLARE_FINAL_TYPE (StriaDependencyPanel, stria_dependency_panel, STRIA, DEPENDENCY_PANEL,
                      GtkWidget)

/**
 * StriaDependencyPanel:
 *
 * What the session's selected event waited for and what waits for it: its neighbours, everything
 * upstream and downstream with the time by lane, and the chain that ended last. A worker collects
 * it while the panel is in sight.
 *
 * Action: "dependencies.copy-json".
 */
GtkWidget *stria_dependency_panel_new (StriaSession *session);

G_END_DECLS
