/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_BAR (stria_model_bar_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelBar, stria_model_bar, STRIA, MODEL_BAR, GtkWidget)

/**
 * StriaModelBar:
 *
 * What the model view shows: its page, set, method, time unit, counter and aggregation.
 */
/* @stack: the view's pages */
GtkWidget *stria_model_bar_new (StriaModelState *state, GtkStack *stack);
/* At its end */
void       stria_model_bar_add (StriaModelBar *self, GtkWidget *widget);

G_END_DECLS
