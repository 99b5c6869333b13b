/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-arrangement.h"

G_BEGIN_DECLS

/* Asks for a name, and saves @layout under it; asks again before it replaces another one. Tells of it
 * with "win.toast". @widget: in the window. @layout: (transfer full) */
void stria_layout_dialogs_save   (GtkWidget *widget, StriaLayout *layout);
/* Shows the saved layouts, to rename and delete them. */
void stria_layout_dialogs_manage (GtkWidget *widget);

G_END_DECLS
