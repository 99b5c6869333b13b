/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_VIEW_SWITCHER (stria_view_switcher_get_type ())
G_DECLARE_FINAL_TYPE (StriaViewSwitcher, stria_view_switcher, STRIA, VIEW_SWITCHER, GtkWidget)

/**
 * StriaViewSwitcher:
 *
 * The pages of a stack as tabs: with their titles where there is room, as icons beside the title of
 * the page that is shown where there is less, and as one button with a list where there is little.
 */

/* Of @stack, whose pages have titles and icons and stay. Once. */
void stria_view_switcher_set_stack (StriaViewSwitcher *self, GtkStack *stack);

/* @id: name of the tab's page */
typedef void (*StriaViewTabFunc) (GtkWidget *button, const char *id, gpointer user_data);
/* Calls @func for each button that stands for a page: in each form. */
void stria_view_switcher_each (StriaViewSwitcher *self, StriaViewTabFunc func, gpointer user_data);

G_END_DECLS
