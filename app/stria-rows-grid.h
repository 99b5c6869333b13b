/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-rows-model.h"

G_BEGIN_DECLS

#define STRIA_TYPE_ROWS_GRID (stria_rows_grid_get_type ())
G_DECLARE_FINAL_TYPE (StriaRowsGrid, stria_rows_grid, STRIA, ROWS_GRID, GtkWidget)

/**
 * StriaRowsGrid:
 *
 * Rows in a grid that is filled as it is scrolled to. A click on a heading asks for another order; what
 * sorts and filters is whoever owns the grid.
 *
 * Signals: "sort-changed": see stria_rows_grid_get_sort(); "filter-changed": see
 * stria_rows_grid_dup_conditions(); "activated" (StriaRowsItem): double click or Enter.
 */
GtkWidget  *stria_rows_grid_new            (void);
/* @rows: (nullable). Of the same columns as before, order and filters stay as they are shown; else
 * @is_new: they are none. */
void        stria_rows_grid_set_rows       (StriaRowsGrid *self, StriaRows *rows, gboolean is_new);
StriaRows  *stria_rows_grid_get_rows       (StriaRowsGrid *self);
/* Name of the column (nullable, transfer none) by which rows are to be ordered */
const char *stria_rows_grid_get_sort       (StriaRowsGrid *self, gboolean *descending);
/* The filters as an SQL condition. Returns: (transfer full) (nullable): NULL: there are none */
char       *stria_rows_grid_dup_conditions (StriaRowsGrid *self);
/* Buttons with menus. Return: (transfer floating) */
GtkWidget  *stria_rows_grid_columns_new    (StriaRowsGrid *self);
GtkWidget  *stria_rows_grid_filters_new    (StriaRowsGrid *self);

G_END_DECLS
