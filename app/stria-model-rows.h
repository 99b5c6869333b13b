/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-model-index.h"

G_BEGIN_DECLS

#define STRIA_TYPE_MODEL_ROW (stria_model_row_get_type ())
G_DECLARE_FINAL_TYPE (StriaModelRow, stria_model_row, STRIA, MODEL_ROW, GObject)

/* Columns of the table of entities: texts first, then figures. */
typedef enum
{
  STRIA_MODEL_COLUMN_NAME,
  STRIA_MODEL_COLUMN_PLACEMENT,
  STRIA_MODEL_COLUMN_MEDIAN,
  STRIA_MODEL_COLUMN_MEAN,
  STRIA_MODEL_COLUMN_MIN,
  STRIA_MODEL_COLUMN_MAX,
  STRIA_MODEL_COLUMN_SUM,
  STRIA_MODEL_COLUMN_COVERAGE,
  STRIA_MODEL_COLUMN_SHARED,
  STRIA_MODEL_COLUMN_LINKS,
  STRIA_MODEL_N_COLUMNS,
} StriaModelColumn;

/**
 * StriaModelRow:
 *
 * An entity as a row of a table: a figure that is not there is NaN, and its text a dash.
 */
StriaModelRow *stria_model_row_new        (StriaModelIndex *index, const StriaModelScale *scale,
                                           guint32 entity);
guint32        stria_model_row_get_entity (StriaModelRow *self);
const char    *stria_model_row_get_name   (StriaModelRow *self);
const char    *stria_model_row_get_id     (StriaModelRow *self);
/* Why the figures are not there, or NULL */
const char    *stria_model_row_get_reason (StriaModelRow *self);
double         stria_model_row_get_value  (StriaModelRow *self, StriaModelColumn column);
/* Returns: (transfer full): for people */
char          *stria_model_row_dup_text   (StriaModelRow *self, StriaModelColumn column);
const char    *stria_model_column_title   (StriaModelColumn column);
/* A field of a line of CSV, in quotes if it needs them */
void           stria_model_csv_append     (GString *csv, const char *text);
/* Rows of a list model of #StriaModelRow as CSV. Returns: (transfer full) */
char          *stria_model_rows_dup_csv   (GListModel *rows, const StriaModelScale *scale);

G_END_DECLS
