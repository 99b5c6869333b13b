/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-tab.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_PANE (stria_model_pane_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelPane, stria_model_pane, STRIA, MODEL_PANE, GtkWidget)

/**
 * StriaModelPane:
 *
 * The graphs of a profile as tabs. A tab's graph is laid out when it is first looked at.
 *
 * Signals: "split" and "close" (their buttons), "shown" (another tab).
 */
GtkWidget     *stria_model_pane_new       (StriaModelState *state, guint graph);
guint          stria_model_pane_get_graph (StriaModelPane *self);
void           stria_model_pane_show      (StriaModelPane *self, guint graph);
/* Returns: (transfer none) (nullable): the tab that is shown */
StriaModelTab *stria_model_pane_get_tab   (StriaModelPane *self);
/* The graph whose tab is at a point of the pane, the one that is shown at the header's empty part,
 * G_MAXUINT anywhere else */
guint          stria_model_pane_dragged_at (StriaModelPane *self, double x, double y);
void           stria_model_pane_allow     (StriaModelPane *self, gboolean split, gboolean close);

G_END_DECLS
