/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_WARNINGS_PANEL (stria_warnings_panel_get_type ())
G_DECLARE_FINAL_TYPE (StriaWarningsPanel, stria_warnings_panel, STRIA, WARNINGS_PANEL, GtkWidget)

/**
 * StriaWarningsPanel:
 *
 * The automatic warnings of a session's capture: a list, and of the rule that is looked at what
 * it asks, where its threshold comes from, what to do, and the threshold to change.
 */
GtkWidget *stria_warnings_panel_new (StriaSession *session);
/* How many there are, as the rules stand. 0 until they were looked for */
guint64    stria_warnings_panel_count (StriaSession *session);

G_END_DECLS
