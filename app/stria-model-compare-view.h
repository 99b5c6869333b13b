/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-compare.h"
#include "stria-model-tab.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_COMPARE_VIEW (stria_model_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelCompareView, stria_model_compare_view, STRIA, MODEL_COMPARE_VIEW,
                      GtkWidget)

/**
 * StriaModelCompareView:
 *
 * The same graph of two captures side by side, coloured by what changed, and what changed of what
 * is selected in words. The two move together unless that is turned off.
 *
 * Actions: "compare.together" (with a state). Signals: "shown" (another graph), "reveal" (somebody
 * asks to see what is selected).
 */
GtkWidget       *stria_model_compare_view_new       (StriaModelCompare *compare);
/* Number in the first capture's graphs */
guint            stria_model_compare_view_get_graph (StriaModelCompareView *self);
void             stria_model_compare_view_show      (StriaModelCompareView *self, guint graph);
/* The side that has or last had the keyboard. Returns: (transfer none) (nullable) */
StriaModelTab   *stria_model_compare_view_get_tab   (StriaModelCompareView *self);
gboolean         stria_model_compare_view_is_second (StriaModelCompareView *self);
/* Puts the keyboard into the other side; FALSE after the last one */
gboolean         stria_model_compare_view_cycle     (StriaModelCompareView *self,
                                                     gboolean forward);

G_END_DECLS
