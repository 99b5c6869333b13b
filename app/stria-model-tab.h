/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-graph-area.h"
#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_TAB (stria_model_tab_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelTab, stria_model_tab, STRIA, MODEL_TAB, GtkWidget)

/**
 * StriaModelTab:
 *
 * One graph of a profile with its tools and its outline, or the reason why there is none. Marks
 * what corresponds to the selection, wherever that was made.
 */
/* @graph: number in the state's index */
GtkWidget *stria_model_tab_new         (StriaModelState *state, guint graph);
guint      stria_model_tab_get_graph   (StriaModelTab *self);
/* Returns: (transfer none) (nullable): NULL: there is no graph */
StriaGraphArea *stria_model_tab_get_area (StriaModelTab *self);
/* Moves what is selected into sight, if it is of this graph */
void       stria_model_tab_reveal      (StriaModelTab *self);
void       stria_model_tab_search      (StriaModelTab *self);
void       stria_model_tab_search_step (StriaModelTab *self, gboolean forward);

G_END_DECLS
