/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

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

/* A bar of a sheet. */
typedef struct
{
  const char             *name;
  const char             *value; /* "1,204 cycles" */
  const StriaCounterPart *parts; /* (array length=n): none: nothing was counted */
  guint                   n;
} StriaCounterRow;

/**
 * StriaCounterSheet:
 * @title: what the picture shows
 * @subtitle: of what: file, method, executions
 * @note: a sentence on what the bars are
 * @names: (array length=n_names): by number of their colour
 * @rows: (array length=n_rows)
 * @full: value that fills a bar
 *
 * Bars one below the other, with a legend.
 */
typedef struct
{
  const char            *title;
  const char            *subtitle;
  const char            *note;
  const char *const     *names;
  guint                  n_names;
  const StriaCounterRow *rows;
  guint                  n_rows;
  double                 full;
} StriaCounterSheet;

/* Pixels that all of it needs. Any thread. */
double stria_counter_sheet_height (const StriaCounterSheet *sheet, double width);
/* Rows that @height has no room for are left out, and that is said. Any thread. */
void   stria_counter_sheet_paint  (cairo_t *cr, const StriaCounterSheet *sheet, double width,
                                   double height, gboolean dark);

G_END_DECLS
