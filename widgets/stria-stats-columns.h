/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The columns of the statistics table */
void stria_stats_columns_add   (GtkColumnView *column_view);
void stria_stats_columns_align (GtkColumnView *column_view, guint first_figure);

G_END_DECLS
