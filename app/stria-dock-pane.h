/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_DOCK_PANE (stria_dock_pane_get_type ())
G_DECLARE_FINAL_TYPE (StriaDockPane, stria_dock_pane, STRIA, DOCK_PANE, GtkWidget)

/**
 * StriaDockPane:
 *
 * One pane of a dock: a view, or all the tabs, under a small header with its title, a menu and a button
 * that closes it. The header is what it is dragged by.
 *
 * Signal: "close": its button.
 */
/* @id: (nullable): name of the view in it, NULL: the tabs. @content: what is in it */
GtkWidget  *stria_dock_pane_new         (const char *id, GtkWidget *content);
/* Returns: (nullable) */
const char *stria_dock_pane_get_id      (StriaDockPane *self);
/* Returns: (transfer none) */
GtkWidget  *stria_dock_pane_get_content (StriaDockPane *self);
/* Returns: (transfer full) (nullable): leaves it empty */
GtkWidget  *stria_dock_pane_take_content (StriaDockPane *self);
/* Returns: (transfer none) */
GtkWidget  *stria_dock_pane_get_header  (StriaDockPane *self);
void        stria_dock_pane_set_title   (StriaDockPane *self, const char *title,
                                         const char *icon_name);
/* @header: whether it has one; @current: whether it is worked in */
void        stria_dock_pane_set_look    (StriaDockPane *self, gboolean header, gboolean current);

G_END_DECLS
