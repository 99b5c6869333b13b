/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-compare.h"
#include "stria-model-tab.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_COMPARE_PARTS (stria_model_compare_parts_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelCompareParts, stria_model_compare_parts, STRIA,
                      MODEL_COMPARE_PARTS, GObject)

/**
 * StriaModelCompareParts:
 *
 * What takes the place of the panes, the table and the details of a model view while two captures
 * are compared. The widgets in whose place they stand stay as they are.
 *
 * Signals: "changed" (a comparison begins, is another one, or ends), "shown" (another graph),
 * "reveal".
 */
StriaModelCompareParts *stria_model_compare_parts_new (StriaModelState *state);
StriaModelCompare *stria_model_compare_parts_get_compare (StriaModelCompareParts *self);
/* Stacks that show @widget, or what stands for it. Returns: (transfer full) */
GtkWidget *stria_model_compare_parts_graphs  (StriaModelCompareParts *self, GtkWidget *widget);
GtkWidget *stria_model_compare_parts_table   (StriaModelCompareParts *self, GtkWidget *widget);
GtkWidget *stria_model_compare_parts_details (StriaModelCompareParts *self, GtkWidget *widget);
/* Whether two captures are compared; all below is for then only */
gboolean   stria_model_compare_parts_is_active (StriaModelCompareParts *self);
/* The graph that both sides show, as a number of the first capture's; may be set at any time */
void       stria_model_compare_parts_show    (StriaModelCompareParts *self, guint graph);
guint      stria_model_compare_parts_get_graph (StriaModelCompareParts *self);
/* The side that has or last had the keyboard. Returns: (transfer none) (nullable) */
StriaModelTab   *stria_model_compare_parts_get_tab   (StriaModelCompareParts *self);
/* Returns: (transfer none): of that side */
StriaModelState *stria_model_compare_parts_get_state (StriaModelCompareParts *self);
gboolean   stria_model_compare_parts_cycle   (StriaModelCompareParts *self, gboolean forward);

G_END_DECLS
