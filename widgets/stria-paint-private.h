/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-display-list.h"
#include "stria-paint-kit.h"
#include "stria-timeline-painter.h"

G_BEGIN_DECLS

/* Slices at least this wide carry their name */
#define STRIA_PAINT_LABEL_MIN_PX 26.0

/**
 * StriaBand:
 *
 * One item of the layout on its way to the surface: its geometry in device pixels, and what its job
 * found. Jobs run on any thread and touch nothing but their own band, and the pixels of its rows.
 */
typedef struct
{
  const StriaTimelineView *view;
  const StriaPaintTheme   *theme;
  StriaPaintKit           *kit;
  const StriaLayoutItem   *item;
  StriaLane               *lane;  /* NULL in process headers */
  const gint32            *grid;  /* device columns of the grid's lines, ascending */
  guint                    n_grid;
  guint32                  background; /* ARGB */
  double                   scale; /* device pixels a pixel */
  gint32                   width; /* device pixels */
  gint32                   y0;    /* device rows of the target: the item's */
  gint32                   y1;
  gint32                   clip0; /* and those of it that are seen */
  gint32                   clip1;
  guint32                  row0;  /* nesting depths to draw */
  guint32                  row1;

  /* Image targets: pixel (0,0) of the lanes' area. NULL for others, which get @runs. */
  guint32                 *pixels;
  gsize                    stride; /* in pixels */

  GArray                  *runs;    /* StriaRun */
  GArray                  *labels;  /* StriaLabel */
  GArray                  *marks;   /* StriaMark */
  StriaCounterColumn      *columns; /* vector targets only */
  char                    *error;
} StriaBand;

/* A rectangle of one colour, in device pixels of the lanes' area. */
typedef struct
{
  guint32 argb;
  gint32  x0;
  gint32  x1;
  gint32  y0;
  gint32  y1;
} StriaRun;

typedef struct
{
  guint32 name;
  guint32 argb;
  gint32  x0;
  gint32  x1;
  gint32  y0; /* top of the row */
  gboolean dim;
} StriaLabel;

/* A diamond: an instant with free space around it. */
typedef struct
{
  guint32 argb;
  gint32  x;
  gint32  y; /* middle */
} StriaMark;

void    stria_band_run         (StriaBand *self);
void    stria_band_clear       (StriaBand *self);
void    stria_band_counter     (StriaBand *self);
void    stria_band_summary     (StriaBand *self);
/* Copies a line of pixels to the device rows [y0, y1), or makes runs of it. */
void    stria_band_put_line    (StriaBand *self, const guint32 *line, gint32 y0, gint32 y1);
/* One line of nothing: background and grid */
void    stria_band_empty_line  (StriaBand *self, guint32 *line);

/* Area of a counter on targets without pixels */
void    stria_paint_counter_area (cairo_t *cr, const StriaBand *band);

G_END_DECLS
