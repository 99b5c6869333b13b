/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-pane-box.h"
#include "stria-view-switcher.h"

G_BEGIN_DECLS

#define STRIA_TYPE_DOCK (stria_dock_get_type ())
G_DECLARE_FINAL_TYPE (StriaDock, stria_dock, STRIA, DOCK, GtkWidget)

/**
 * StriaDock:
 *
 * The views of a capture in up to four panes: the tabs in one of them, which stays, and each view that
 * was taken out of the tabs in one of its own. A view is one widget and stands in one place. The stack
 * of the tabs goes on naming all of them: to show a view that has a pane is to go to that pane.
 *
 * Property: "stack" (GtkStack *): of stria_views_add(), once. Signals: "changed": other views are seen,
 * or elsewhere; "resized": a border was moved; "current": another view is worked in.
 */
/* Name of the view that is worked in. Returns: (nullable) */
const char *stria_dock_get_current  (StriaDock *self);
/* Returns: (transfer none) (nullable): the widget of the view that is worked in */
GtkWidget  *stria_dock_get_view     (StriaDock *self);
/* Goes to a view that is listed, in its pane or the tabs */
void        stria_dock_show         (StriaDock *self, const char *id);
/* Puts the keyboard into what is worked in */
void        stria_dock_focus        (StriaDock *self);
/* Whether events are selected in any view that is seen */
gboolean    stria_dock_shows_events (StriaDock *self);
gboolean    stria_dock_is_docked    (StriaDock *self, const char *id);
/* How many panes there are, with the tabs */
guint       stria_dock_count        (StriaDock *self);
/* Whether stria_dock_place() would do anything */
gboolean    stria_dock_can_place    (StriaDock *self, const char *id);
/* Puts a view on a side of the tabs, wherever it was before */
void        stria_dock_place        (StriaDock *self, const char *id, StriaSide side);
/* Puts a view on a side of another pane; in the middle: it takes that one's place */
void        stria_dock_place_at     (StriaDock *self, const char *id, GtkWidget *pane,
                                     StriaSide side);
/* Moves what is worked in: the view that the tabs show leaves for a pane on that side, a pane changes
 * places with the one there */
void        stria_dock_shift        (StriaDock *self, StriaSide side);
/* A view back into the tabs, which show it then. @id: (nullable): what is worked in */
void        stria_dock_back         (StriaDock *self, const char *id);
/* All of them */
void        stria_dock_reset        (StriaDock *self);
void        stria_dock_even         (StriaDock *self);
/* Puts the keyboard into the next pane */
void        stria_dock_cycle        (StriaDock *self, gboolean forward);
/* Words of a layout, panes named by their views. Returns: (transfer full) */
char      **stria_dock_save         (StriaDock *self);
/* Views that cannot be shown are left out. */
void        stria_dock_load         (StriaDock *self, const char *const *words);
/* Whether a view that takes keys from anywhere in the window may do so: FALSE where another pane is
 * worked in */
gboolean    stria_dock_gives_keys   (GtkWidget *view);

/* Of the dock's own files */
StriaPaneBox *stria_dock_get_box    (StriaDock *self);
GtkStack     *stria_dock_get_stack  (StriaDock *self);
/* Lets panes be dragged by @header, which is of @pane */
void          stria_dock_drag_pane  (StriaDock *self, GtkWidget *pane, GtkWidget *header);
/* Tabs are dragged out of @switcher, and have a menu */
void          stria_dock_set_switcher (StriaDock *self, StriaViewSwitcher *switcher);
void          stria_dock_mark_tabs  (StriaDock *self);
/* "left", "right", "above", "below"; anything else is %STRIA_SIDE_CENTER */
StriaSide     stria_dock_side       (const char *word);

G_END_DECLS
