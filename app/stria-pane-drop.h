/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-pane-tree.h"

G_BEGIN_DECLS

#define STRIA_TYPE_PANE_DROP (stria_pane_drop_get_type ())
G_DECLARE_FINAL_TYPE (StriaPaneDrop, stria_pane_drop, STRIA, PANE_DROP, GtkWidget)

/**
 * StriaPaneDrop:
 *
 * Shows where a dragged pane would come to lie, and what would be done. Takes no events.
 */
GtkWidget *stria_pane_drop_new   (void);
/* The side of a rectangle that a point in it is nearest to, or its middle */
StriaSide  stria_pane_drop_side  (const StriaPaneRect *rect, double x, double y);
/* The part of a rectangle that a new pane on that side gets */
StriaPaneRect stria_pane_drop_part (const StriaPaneRect *rect, StriaSide side);
void       stria_pane_drop_show  (StriaPaneDrop *self, const StriaPaneRect *part, const char *text);
void       stria_pane_drop_hide  (StriaPaneDrop *self);
const StriaPaneRect *stria_pane_drop_get_rect (StriaPaneDrop *self);

G_END_DECLS
