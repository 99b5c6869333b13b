/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-color.h"

G_BEGIN_DECLS

/* One counter of a bar. */
typedef struct
{
  const char *name;  /* interned, or lives as long as whoever holds this */
  double      value;
  guint       color; /* number of a series, the same in all bars; see stria_counter_bars_color() */
} StriaCounterPart;

/* Colours of neighbours differ; they come back, lighter, after eight. */
StriaColor stria_counter_bars_color (guint n, gboolean dark);
/**
 * stria_counter_bars_paint:
 * @full: value that fills @width
 *
 * Parts from left to right, told apart by colour and a line between them.
 */
void       stria_counter_bars_paint (cairo_t *cr, const StriaCounterPart *parts, guint n,
                                     double full, double width, double height, gboolean dark);

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
