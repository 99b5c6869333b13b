/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_REGIONS_PANEL (stria_regions_panel_get_type ())
G_DECLARE_FINAL_TYPE (StriaRegionsPanel, stria_regions_panel, STRIA, REGIONS_PANEL, GtkWidget)

/**
 * StriaRegionsPanel:
 *
 * Rules that name stretches of time, and a table that compares what they find: how long each one
 * is, how busy engines, queues and devices are in it, how many slices and bytes.
 */
GtkWidget *stria_regions_panel_new (StriaSession *session);

G_END_DECLS
