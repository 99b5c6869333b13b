/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_PANE_DIVIDER (stria_pane_divider_get_type ())
G_DECLARE_FINAL_TYPE (StriaPaneDivider, stria_pane_divider, STRIA, PANE_DIVIDER, GtkWidget)

/* Its thickness in pixels */
#define STRIA_PANE_DIVIDER_SIZE 5

/**
 * StriaPaneDivider:
 *
 * The line between two parts of a rectangle, dragged with the pointer or moved with arrow keys. Moves
 * nothing itself.
 *
 * Signals: "moved" (int: where its beginning is wanted, in its parent), "nudged" (int: how much further
 * it is wanted), "done" (the drag or the key is over), "even" (double click or Enter: what it divides is
 * to be equally large).
 */
GtkWidget *stria_pane_divider_new       (void);
/* Between parts below each other, not beside each other */
void       stria_pane_divider_set_below (StriaPaneDivider *self, gboolean below);

G_END_DECLS
