/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_DETAILS (stria_model_details_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelDetails, stria_model_details, STRIA, MODEL_DETAILS, GtkWidget)

/**
 * StriaModelDetails:
 *
 * All that is known of what is selected in the model: where it is in the source, what was measured
 * and how often, what it corresponds to and how sure that is.
 */
GtkWidget *stria_model_details_new (StriaModelState *state);

G_END_DECLS
