/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-state.h"
#include "stria-model-rows-table.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_TABLE (stria_model_table_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelTable, stria_model_table, STRIA, MODEL_TABLE,
                      StriaModelRowsTable)

/**
 * StriaModelTable:
 *
 * Operators, chains, cascades or segments with their figures: sorted, filtered, as CSV. A row that
 * is activated is gone to.
 */
GtkWidget *stria_model_table_new (StriaModelState *state);

G_END_DECLS
