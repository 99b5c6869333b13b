/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-pane.h"
#include "stria-pane-tree.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_PANES (stria_model_panes_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelPanes, stria_model_panes, STRIA, MODEL_PANES, GtkWidget)

/**
 * StriaModelPanes:
 *
 * One to four panes beside and below each other. The one that has or last had the keyboard is worked
 * in. A header or one of its tabs is dragged to a side of a pane to lie there, or to its middle to
 * take its place. How several panes lay is kept in the settings.
 *
 * Signal: "shown" (other graphs are shown).
 */
GtkWidget      *stria_model_panes_new     (StriaModelState *state);
/* A bit for each graph that is shown */
guint64         stria_model_panes_shown   (StriaModelPanes *self);
/* Returns: (transfer none) (nullable): the pane that is worked in */
StriaModelPane *stria_model_panes_current (StriaModelPanes *self);
/* Another pane on that side of the one that is worked in */
void            stria_model_panes_split   (StriaModelPanes *self, StriaSide side);
/* Closes the one that is worked in; the last one stays */
void            stria_model_panes_close   (StriaModelPanes *self);
/* Changes places with the pane on that side; to the border of all, where there is none */
void            stria_model_panes_move    (StriaModelPanes *self, StriaSide side);
/* Puts the keyboard into the next pane; FALSE after the last one */
gboolean        stria_model_panes_cycle   (StriaModelPanes *self, gboolean forward);

G_END_DECLS
