/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-pane-drop.h"
#include "stria-pane-tree.h"

G_BEGIN_DECLS

#define STRIA_TYPE_PANE_BOX (stria_pane_box_get_type ())
G_DECLARE_FINAL_TYPE (StriaPaneBox, stria_pane_box, STRIA, PANE_BOX, GtkWidget)

#define STRIA_PANE_BOX_MOST 4

/**
 * StriaPaneBox:
 *
 * Up to four widgets as panes beside and below each other, with borders that are dragged. The one
 * that has or last had the keyboard is the current one. Who puts panes in says what they are.
 *
 * Signals: "changed" (other panes, or other places), "resized" (a border was let go), "current" (another
 * pane is worked in).
 */
GtkWidget     *stria_pane_box_new         (void);
/* Where there is no room for all panes at their least sizes: those beside each other go below each
 * other, and where that is too much as well, only the current one is seen. Without, the box asks for
 * the room. */
void           stria_pane_box_set_folds   (StriaPaneBox *self, gboolean folds);
gboolean       stria_pane_box_is_single   (StriaPaneBox *self);
/* Returns: (transfer none) (nullable) */
StriaPaneNode *stria_pane_box_get_tree    (StriaPaneBox *self);
/* Puts other panes in place of all that are there. @tree: (transfer full) (nullable): of widgets; those
 * that are not yet in the box are floating or have no parent */
void           stria_pane_box_take_tree   (StriaPaneBox *self, StriaPaneNode *tree);
/* From left to right and from top to bottom. Returns: (transfer container) */
GPtrArray     *stria_pane_box_list        (StriaPaneBox *self);
guint          stria_pane_box_count       (StriaPaneBox *self);
/* As stria_pane_tree_add(). @pane: (transfer floating) */
void           stria_pane_box_add         (StriaPaneBox *self, GtkWidget *at, GtkWidget *pane,
                                           StriaSide side);
/* On a side of @at, or of all where it is NULL; in its middle: they change places */
void           stria_pane_box_put         (StriaPaneBox *self, GtkWidget *pane, GtkWidget *at,
                                           StriaSide side);
/* To the pane's place on that side, or to the border of all where there is none */
void           stria_pane_box_move        (StriaPaneBox *self, GtkWidget *pane, StriaSide side);
void           stria_pane_box_remove      (StriaPaneBox *self, GtkWidget *pane);
/* @with: (transfer floating) */
void           stria_pane_box_replace     (StriaPaneBox *self, GtkWidget *pane, GtkWidget *with);
/* All of a row equally large */
void           stria_pane_box_even        (StriaPaneBox *self);
/* Returns: (transfer none) (nullable) */
GtkWidget     *stria_pane_box_get_current (StriaPaneBox *self);
void           stria_pane_box_set_current (StriaPaneBox *self, GtkWidget *pane);
/* The pane at a point, and where it lies. Returns: (transfer none) (nullable) */
GtkWidget     *stria_pane_box_at          (StriaPaneBox *self, double x, double y,
                                           StriaPaneRect *rect);
StriaPaneDrop *stria_pane_box_get_drop    (StriaPaneBox *self);

G_END_DECLS
