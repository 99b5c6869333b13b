/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_COUNTERS (stria_model_counters_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelCounters, stria_model_counters, STRIA, MODEL_COUNTERS, GtkWidget)

/**
 * StriaModelCounters:
 *
 * The counters of each chain as a stacked bar, the longest first. Counters can be left out.
 */
GtkWidget *stria_model_counters_new (StriaModelState *state);

G_END_DECLS
