/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_STATS_PANEL (stria_stats_panel_get_type ())
G_DECLARE_FINAL_TYPE (StriaStatsPanel, stria_stats_panel, STRIA, STATS_PANEL, GtkWidget)

/**
 * StriaStatsPanel:
 *
 * What the session's selected range holds, by name and by category. The figures come from a worker;
 * the ones of an older range are dropped.
 *
 * Signals: "search-name" (const char *name): a row was activated; "save-csv": the person wants the
 * table in a file, for whoever opens files: stria_stats_panel_dup_csv() gives it.
 */
GtkWidget *stria_stats_panel_new     (StriaSession *session);
/* The table that is shown, or NULL while there is none. Returns: (transfer full) (nullable) */
char      *stria_stats_panel_dup_csv (StriaStatsPanel *self);

G_END_DECLS
