/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-compare.h"
#include "stria-model-rows-table.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_COMPARE_TABLE (stria_model_compare_table_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelCompareTable, stria_model_compare_table, STRIA,
                      MODEL_COMPARE_TABLE, StriaModelRowsTable)

/**
 * StriaModelCompareTable:
 *
 * Both captures' figure of each entity, their difference and ratio: sorted, filtered, as CSV. A row
 * that is activated is gone to.
 */
GtkWidget *stria_model_compare_table_new (StriaModelCompare *compare);

G_END_DECLS
