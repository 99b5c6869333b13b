/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives @button a popover with a column that scrolls when it is long.
 * Returns: (transfer none): the column, a vertical #GtkBox */
GtkWidget *stria_list_popover_new (GtkMenuButton *button);
/* For buttons above a table: fills its popover when it is opened. */
GtkWidget *stria_columns_button_new (GtkMenuButtonCreatePopupFunc fill, gpointer user_data);

G_END_DECLS
