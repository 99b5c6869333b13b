/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-dock.h"

G_BEGIN_DECLS

/* The pane of the tabs. Returns: (transfer none) */
GtkWidget *stria_dock_get_tabs (StriaDock *self);
/* Around changes that are one to others */
void       stria_dock_begin    (StriaDock *self);
void       stria_dock_end      (StriaDock *self);
/* Takes a view out of the tabs. Returns: (transfer floating) (nullable): a pane with it */
GtkWidget *stria_dock_take_out (StriaDock *self, const char *id);
/* All views back into the tabs */
void       stria_dock_empty    (StriaDock *self);

G_END_DECLS
