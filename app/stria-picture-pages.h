/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stria_picture_find:
 * @widget: where to begin
 * @type: of a widget
 * @is_mapped: whether it has to be on the screen
 *
 * Returns: (transfer none) (nullable): the first one of @type in or below @widget, in the order of
 *   reading
 */
GtkWidget *stria_picture_find (GtkWidget *widget, GType type, gboolean is_mapped);

/* @name: letters, digits and dashes; @title: for people. The page is shown while it is called. */
typedef void (*StriaPictureFunc) (const char *name, const char *title, gpointer data);

/**
 * stria_picture_each_page:
 * @view: a view that is shown
 * @name: its name
 * @title: its title
 * @func: called for each page
 *
 * Shows each page of @view that a switcher or the tabs of a notebook lead to, pages in pages as well,
 * and calls @func with it shown.
 */
void stria_picture_each_page (GtkWidget *view, const char *name, const char *title,
                              StriaPictureFunc func, gpointer data);

G_END_DECLS
