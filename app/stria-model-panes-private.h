/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-model-panes.h"
#include "stria-pane-box.h"

G_BEGIN_DECLS

/* For dragging. */

/* Where a new pane begins: the first graph that nobody shows, other than @but */
guint           stria_model_panes_next_graph (StriaModelPanes *self, guint but);
/* A new pane of @graph on a side of @at. Returns: (transfer none) */
StriaModelPane *stria_model_panes_add       (StriaModelPanes *self, StriaModelPane *at,
                                             StriaSide side, guint graph);
/* Puts a pane on a side of another one; in its middle: they change places */
void            stria_model_panes_put       (StriaModelPanes *self, StriaModelPane *pane,
                                             StriaModelPane *at, StriaSide side);
void            stria_model_panes_add_drag  (StriaModelPanes *self, StriaPaneBox *box);

G_END_DECLS
