/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-display-list.h"
#include "stria-paint-kit.h"
#include "stria-timeline-painter.h"

G_BEGIN_DECLS

/* Slices at least this wide carry their name */
#define STRIA_PAINT_LABEL_MIN_PX 26.0

/* How the events of a lane are shown. */
typedef enum
{
  STRIA_BAND_FULL,
  STRIA_BAND_BOXES, /* translucent: they lie over what happens on other lanes */
  STRIA_BAND_TICKS, /* instants as ticks of the row's height */
  STRIA_BAND_STEPS, /* a line at the level that the events' names say */
} StriaBandStyle;

/* What slices of a key take, in pixels of 255 */
typedef struct
{
  guint32 key;
  guint32 argb;
  guint64 amount;
} StriaBandUse;

#define STRIA_BAND_USES 512 /* a power of two */

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
  StriaBandStyle           style;
  StriaLane               *barriers; /* drawn over this lane, or NULL */
  gint32                   wait_category; /* of slices that are waiting, drawn hollow; -1 = none */
  StriaColorLane           colors;
  guint32                  row0;  /* nesting depths to draw */
  guint32                  row1;

  /* Image targets: pixel (0,0) of the lanes' area. NULL for others, which get @runs. */
  guint32                 *pixels;
  gsize                    stride; /* in pixels */

  GArray                  *runs;    /* StriaRun */
  GArray                  *labels;  /* StriaLabel */
  GArray                  *marks;   /* StriaMark */
  GArray                  *boxes;   /* StriaRun: laid over the slices */
  StriaBandUse            *uses;    /* STRIA_BAND_USES of them by hash, or NULL; amount 0 = free */
  guint                    n_uses;
  StriaCounterColumn      *columns; /* vector targets only */
  double                  *means;   /* the same: running mean, or NULL */
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
/* Device rows [y0, y1) of the columns [x0, x1) in one colour; both targets */
void    stria_band_fill        (StriaBand *self, gint32 x0, gint32 x1, gint32 y0, gint32 y1,
                                guint32 argb);
/* Columns of a stack of counters, from the foot up */
void    stria_band_stack       (StriaBand *self, const StriaLaneStack *stack);
/* Rows of a lane of levels */
void    stria_band_steps       (StriaBand *self, GArray *records);
/* Gathers where the lane's barriers are. */
void    stria_band_barriers    (StriaBand *self);
/* Level that a name ends with, "activity 1/2": 0.5; 1 if it ends with none */
double  stria_paint_level      (const char *name);
/* Key that an event is coloured by: of the view's colouring, or its name */
guint32 stria_band_key         (const StriaBand *self, const StriaDrawRecord *record);
/* Its colour, fainter if a search leaves it aside */
guint32 stria_band_color       (const StriaBand *self, const StriaDrawRecord *record);
/* One line of nothing: background and grid */
void    stria_band_empty_line  (StriaBand *self, guint32 *line);

/* Area of a counter on targets without pixels */
void    stria_paint_counter_area (cairo_t *cr, const StriaBand *band);

G_END_DECLS
