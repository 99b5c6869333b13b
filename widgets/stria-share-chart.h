/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_SHARE_CHART (stria_share_chart_get_type ())
G_DECLARE_FINAL_TYPE (StriaShareChart, stria_share_chart, STRIA, SHARE_CHART, GtkWidget)

typedef enum
{
  STRIA_SHARE_BAR,
  STRIA_SHARE_RING,
} StriaShareShape;

/**
 * StriaShareChart:
 *
 * Parts of a whole beside each other: in a bar, or around a ring. What the parts do not fill is
 * left open. Says nothing to a screen reader but what its description is set to: names and numbers
 * stand beside it.
 */
GtkWidget *stria_share_chart_new   (StriaShareShape shape);
/* A patch of a series' colour, for a legend */
GtkWidget *stria_share_chart_new_key (guint series);
/* @share: 0..1 of the whole; what goes beyond it is cut. @series: number of the colour, as
 * stria_color_series() counts, or %STRIA_SHARE_GREY */
void       stria_share_chart_add   (StriaShareChart *self, double share, guint series);

#define STRIA_SHARE_GREY G_MAXUINT

G_END_DECLS
