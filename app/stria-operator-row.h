/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-operators.h"

G_BEGIN_DECLS

#define STRIA_TYPE_OPERATOR_ROW (stria_operator_row_get_type ())
G_DECLARE_FINAL_TYPE (StriaOperatorRow, stria_operator_row, STRIA, OPERATOR_ROW, GObject)

/* A node of a tree of operators as a row of a table; the table's rows are #GtkTreeListRow of these. */
struct _StriaOperatorRow
{
  GObject parent_instance;

  StriaOperators *tree;
  guint32         node;
};

StriaOperatorRow    *stria_operator_row_new           (StriaOperators *tree, guint32 node);
/* Columns with cells and sorters. Returns: (transfer full) */
GtkColumnViewColumn *stria_operator_name_column_new   (void);
GtkColumnViewColumn *stria_operator_figure_column_new (StriaOperatorFigure figure);

G_END_DECLS
