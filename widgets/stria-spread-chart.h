/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STRIA_TYPE_SPREAD_CHART (stria_spread_chart_get_type ())
G_DECLARE_FINAL_TYPE (StriaSpreadChart, stria_spread_chart, STRIA, SPREAD_CHART, GtkWidget)

/**
 * StriaSpreadPoint:
 * @ns: what it stands at; not negative
 * @row: number of its row
 * @id: the caller's
 * @rgb: its colour
 */
typedef struct
{
  gint64  ns;
  guint   row;
  guint   id;
  guint32 rgb;
} StriaSpreadPoint;

/**
 * StriaSpreadChart:
 *
 * How durations are spread: a row for each name, in it a point for each duration, scattered up and
 * down so that equal ones can be told from one, and a line at the median. Left and right go through
 * the points of a row by duration, up and down through the rows, Return activates.
 *
 * Signals: "selected" and "activated" (guint): the id of a point.
 */
GtkWidget *stria_spread_chart_new    (const char *accessible_name);
/* @rows: (array zero-terminated=1): names. @points: (element-type StriaSpreadPoint) */
void       stria_spread_chart_set    (StriaSpreadChart *self, const char *const *rows,
                                      GArray *points);
/* %G_MAXUINT: none */
void       stria_spread_chart_select (StriaSpreadChart *self, guint id);

G_END_DECLS
