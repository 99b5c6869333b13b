/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_LEGEND (stria_model_legend_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelLegend, stria_model_legend, STRIA, MODEL_LEGEND, GtkWidget)

/**
 * StriaModelLegend:
 *
 * The scale of each kind of entities that the shown graphs have: metric, unit, aggregation,
 * executions, least and most.
 */
GtkWidget *stria_model_legend_new    (StriaModelState *state);
/* The state that is told of from now on: a side of a comparison tells differences */
void       stria_model_legend_set_state (StriaModelLegend *self, StriaModelState *state);
/* @graphs: the shown ones, a bit each */
void       stria_model_legend_update (StriaModelLegend *self, guint64 graphs);

G_END_DECLS
