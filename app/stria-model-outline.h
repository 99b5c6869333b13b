/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_OUTLINE (stria_model_outline_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelOutline, stria_model_outline, STRIA, MODEL_OUTLINE, GtkWidget)

/**
 * StriaModelOutline:
 *
 * The groups and nodes of a graph as a tree, or its nodes as a flat list that can be filtered, with
 * their figures. Signal "activated" (guint node, guint group: one of them is "none").
 */
/* @graph: number in the state's index */
GtkWidget *stria_model_outline_new (StriaModelState *state, guint graph);

G_END_DECLS
