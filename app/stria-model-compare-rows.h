/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-model-compare.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_COMPARE_ROW (stria_model_compare_row_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelCompareRow, stria_model_compare_row, STRIA, MODEL_COMPARE_ROW,
                      GObject)

/* Columns of the table of differences: texts first, then figures. */
typedef enum
{
  STRIA_COMPARE_COLUMN_NAME,
  STRIA_COMPARE_COLUMN_STATE,
  STRIA_COMPARE_COLUMN_FIRST,
  STRIA_COMPARE_COLUMN_SECOND,
  STRIA_COMPARE_COLUMN_DIFFERENCE,
  STRIA_COMPARE_COLUMN_RATIO, /* second / first */
  STRIA_COMPARE_COLUMN_EXECUTIONS,
  STRIA_COMPARE_N_COLUMNS,
} StriaCompareColumn;

/**
 * StriaModelCompareRow:
 *
 * A pair of entities with one figure of both: what is not there is NaN, and its text a dash.
 */
StriaModelCompareRow *stria_model_compare_row_new (StriaComparison *comparison, guint32 pair,
                                                   const char *metric,
                                                   StriaAggregation aggregation);
const StriaEntityPair *stria_model_compare_row_get_pair (StriaModelCompareRow *self);
const char *stria_model_compare_row_get_name  (StriaModelCompareRow *self);
const char *stria_model_compare_row_get_id    (StriaModelCompareRow *self);
/* Why there is no difference, or how the two were matched. (nullable) */
const char *stria_model_compare_row_get_note  (StriaModelCompareRow *self);
double      stria_model_compare_row_get_value (StriaModelCompareRow *self,
                                               StriaCompareColumn column);
/* Returns: (transfer full): for people */
char       *stria_model_compare_row_dup_text  (StriaModelCompareRow *self,
                                               StriaCompareColumn column);
const char *stria_compare_column_title        (StriaCompareColumn column);
/* Rows of a list model as CSV. Returns: (transfer full) */
char       *stria_model_compare_rows_dup_csv  (GListModel *rows);

G_END_DECLS
