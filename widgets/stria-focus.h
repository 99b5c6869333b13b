/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean stria_focus_children (GtkWidget *widget, GtkDirectionType direction);

G_END_DECLS
