/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_BOTTOM_PANEL (stria_bottom_panel_get_type ())
G_DECLARE_FINAL_TYPE (StriaBottomPanel, stria_bottom_panel, STRIA, BOTTOM_PANEL, GtkWidget)

/**
 * StriaBottomPanel:
 *
 * What stands below the timeline: the statistics of the selected range, annotations, regions and
 * warnings, one of them at a time. It wants to be seen while a range is selected, or while a
 * person has it open.
 *
 * Signals: "wanted-changed": whether it wants to be seen has changed.
 */
/* @statistics: (transfer floating): of the session's selected range */
GtkWidget *stria_bottom_panel_new        (StriaSession *session, GtkWidget *statistics);
gboolean   stria_bottom_panel_is_wanted  (StriaBottomPanel *self);
/* "statistics", "annotations", "regions" or "warnings" */
void       stria_bottom_panel_open       (StriaBottomPanel *self, const char *page);
/* What a person has open. Returns: (nullable): NULL: nothing */
const char *stria_bottom_panel_get_open (StriaBottomPanel *self);
/* Opens what was last open, or closes it. */
void       stria_bottom_panel_toggle     (StriaBottomPanel *self);
/* A button that opens and closes it. Returns: (transfer floating) */
GtkWidget *stria_bottom_panel_button_new (StriaBottomPanel *self);

G_END_DECLS
