/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-alloc-plot.h"

G_BEGIN_DECLS

/* A shorter drag is a click. */
#define STRIA_PLOT_DRAG_LEAST_PX 5.0

/* What a drag does is said by where it begins and with which keys. */
typedef enum
{
  STRIA_PLOT_DRAG_NONE,
  STRIA_PLOT_DRAG_ZOOM,    /* over the plot */
  STRIA_PLOT_DRAG_MOMENT,  /* along the axis, or with the moment's line */
  STRIA_PLOT_DRAG_PAN,     /* with Shift, or the middle button */
  STRIA_PLOT_DRAG_COMPARE, /* with Ctrl */
} StriaPlotDrag;

/* What was seen, on which axis */
typedef struct
{
  gint64   x0;
  gint64   x1;
  gboolean by_time;
} StriaPlotRange;

struct _StriaAllocPlot
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GdkTexture      *texture; /* of @shown */
  StriaAllocView   shown;
  int              shown_width;
  int              shown_height;
  guint            generation;
  gboolean         working;
  gboolean         wanted;

  double        pointer_x;
  double        pointer_y;
  const char   *cursor;
  GtkGesture   *gesture; /* owned by the widget */
  StriaPlotDrag drag;
  double        drag_from;
  double        drag_to;
  gint64        drag_x0; /* what was seen when it began */
  gint64        drag_x1;
  guint32       drag_step; /* the moment then */
  GArray       *ranges;    /* StriaPlotRange: before each zoom by a drag */
};

gboolean stria_alloc_plot_fill_view     (StriaAllocPlot *self, StriaAllocView *view);
void     stria_alloc_plot_add_input     (StriaAllocPlot *self);
void     stria_alloc_plot_forget_ranges (StriaAllocPlot *self);

G_END_DECLS
