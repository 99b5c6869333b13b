/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stria_table_keep_start:
 * @table: a new #GtkColumnView
 *
 * A table that is wider than its place shows its first columns at first; GTK sees to that from left to
 * right only. From right to left it keeps what is seen where widths change. It can be sorted by keys,
 * see stria_table_add_sort_key().
 */
void stria_table_keep_start (GtkWidget *table);

/**
 * stria_table_width:
 * @px: at text of usual size
 * @title: of the column
 *
 * Returns: the width of a column at the size of text that there is, that has room for its title
 */
int  stria_table_width      (int px, const char *title);

G_END_DECLS
