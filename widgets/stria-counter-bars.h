/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-counter-painter.h"

G_BEGIN_DECLS

#define STRIA_TYPE_COUNTER_BAR (stria_counter_bar_get_type ())
G_DECLARE_FINAL_TYPE (StriaCounterBar, stria_counter_bar, STRIA, COUNTER_BAR, GtkWidget)

/**
 * StriaCounterBar:
 *
 * One stacked bar; its tooltip and its description name the parts.
 */
GtkWidget *stria_counter_bar_new       (void);
/* Copies @parts; their names stay the caller's. @unit: static */
void       stria_counter_bar_set_parts (StriaCounterBar *self, const StriaCounterPart *parts,
                                        guint n, double full, const char *unit);

G_END_DECLS
