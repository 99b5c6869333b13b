/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The columns of the statistics table */
void stria_stats_columns_add (GtkColumnView *column_view);

G_END_DECLS
