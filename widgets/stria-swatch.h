/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_SWATCH (stria_swatch_get_type ())
G_DECLARE_FINAL_TYPE (StriaSwatch, stria_swatch, STRIA, SWATCH, GtkWidget)

/**
 * StriaSwatch:
 *
 * A small patch of the colour that a name has in the timeline, or a bar that fills a share of its
 * width with it. Says nothing to a screen reader: the name stands beside it.
 */
GtkWidget *stria_swatch_new       (void);
GtkWidget *stria_swatch_new_bar   (void);
/* @name: (nullable): NULL draws nothing */
void       stria_swatch_set_name  (StriaSwatch *self, const char *name);
/* A colour by the order of names in place of the timeline's. @n: see stria_color_for_number() */
void       stria_swatch_set_number (StriaSwatch *self, guint n);
/* @share: 0..1 of the width that is filled */
void       stria_swatch_set_share (StriaSwatch *self, double share);

G_END_DECLS
