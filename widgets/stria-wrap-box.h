/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_WRAP_BOX (stria_wrap_box_get_type ())
G_DECLARE_FINAL_TYPE (StriaWrapBox, stria_wrap_box, STRIA, WRAP_BOX, GtkWidget)

/**
 * StriaWrapBox:
 *
 * A row of widgets of their natural widths that goes on in further rows where there is no room.
 * What is left of a row goes to those in it that expand. No wider than its widest widget must be.
 */

/* @spacing: between widgets; @row_spacing: between rows; pixels. Returns: (transfer floating) */
GtkWidget *stria_wrap_box_new    (int spacing, int row_spacing);
void       stria_wrap_box_append (StriaWrapBox *self, GtkWidget *child);
/* Takes all away */
void       stria_wrap_box_clear  (StriaWrapBox *self);

G_END_DECLS
