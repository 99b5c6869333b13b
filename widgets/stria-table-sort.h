/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void stria_table_add_sort_key (GtkWidget *table);

G_END_DECLS
