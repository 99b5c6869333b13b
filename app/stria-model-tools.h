/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-area.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_TOOLS (stria_model_tools_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelTools, stria_model_tools, STRIA, MODEL_TOOLS, GtkWidget)

/**
 * StriaModelTools:
 *
 * The tools of one graph: fit, levels, direction, neighbourhood, what is needed and what needs it,
 * search. Property "outline": whether the tree beside the graph is wanted.
 */
GtkWidget *stria_model_tools_new         (StriaGraphArea *area);
void       stria_model_tools_search      (StriaModelTools *self);
void       stria_model_tools_search_step (StriaModelTools *self, gboolean forward);

G_END_DECLS
