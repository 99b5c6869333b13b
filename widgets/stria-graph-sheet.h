/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-painter.h"

G_BEGIN_DECLS

#define STRIA_GRAPH_SHEET_MARGIN 24.0 /* pixels round the graph */

/* The scale of one kind of entities in words. */
typedef struct
{
  const char *title;   /* "Chains: total_cycles" */
  const char *note;    /* "Mean · 3 executions" */
  const char *minimum; /* "1,204 cycles" */
  const char *maximum;
} StriaGraphSheetScale;

/**
 * StriaGraphSheet:
 * @title: what the picture shows
 * @subtitle: of what: file, method, unit
 * @scales: (array length=n_scales): what the colours say
 * @notes: (nullable) (array zero-terminated=1): sentences below the picture
 *
 * What a picture of a graph needs beside the graph to be read by somebody who has no window.
 */
typedef struct
{
  const char                 *title;
  const char                 *subtitle;
  const StriaGraphSheetScale *scales;
  guint                       n_scales;
  const char *const          *notes;
} StriaGraphSheet;

/* Pixels above and below the graph, for a sheet of that width */
void   stria_graph_sheet_margins (const StriaGraphSheet *sheet, double width, double *above,
                                  double *below);
/**
 * stria_graph_sheet_paint:
 * @view: its place and zoom are not looked at: the whole scene is shown, at most a little larger
 *   than text is meant to be
 *
 * Paints the sheet with the graph in it. Any thread.
 */
void   stria_graph_sheet_paint   (cairo_t *cr, const StriaGraphSheet *sheet,
                                  const StriaGraphView *view, double width, double height);
/* The same with the graph as @view has it, @view_height high and as wide as the sheet. @height: that
 * and the margins */
void   stria_graph_sheet_paint_view (cairo_t *cr, const StriaGraphSheet *sheet,
                                     const StriaGraphView *view, double width, double height,
                                     double view_height);

G_END_DECLS
