/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a drawing says to those who do not see it: @text, and the name of the table (or of the view
 * with it) that has the same figures, or NULL. */
void stria_drawn_describe     (GtkWidget *drawing, const char *text, const char *table);
/* The line around a drawing that has the keyboard, if it is to be seen */
void stria_drawn_append_focus (GtkWidget *drawing, GtkSnapshot *snapshot, gboolean dark);
/* The same for a drawing area: is drawn again when the keyboard comes and goes. */
void stria_drawn_add_focus    (GtkWidget *drawing);
void stria_drawn_paint_focus  (GtkWidget *drawing, cairo_t *cr, gboolean dark);

G_END_DECLS
