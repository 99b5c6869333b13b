/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "stria-color.h"
#include "stria-neuron-memory.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_ADDRESS_RANGES,   /* addresses that are occupied, by time */
  STRIA_ADDRESS_FULLNESS, /* how full banks or partitions are, by time */
  STRIA_ADDRESS_STACK,    /* HBM by category, by time */
} StriaAddressKind;

/* What the colour of a range says */
typedef enum
{
  STRIA_ADDRESS_COLOR_TENSOR,
  STRIA_ADDRESS_COLOR_SOURCE, /* instruction or DMA */
  STRIA_ADDRESS_COLOR_WRITER, /* opcode or queue */
  STRIA_ADDRESS_COLOR_HLO,
  STRIA_N_ADDRESS_COLORS,
} StriaAddressColor;

#define STRIA_NO_RANGE G_MAXUINT

/**
 * StriaAddressView:
 * @memory: (nullable): what is shown
 * @subject: number of the fullness or stack
 * @core, @partition: whose ranges are shown
 * @t0, @t1: times at both edges, ns as the file counts; @t1 > @t0
 * @y0, @y1: addresses at the bottom and top; of ranges only. @y1 > @y0
 * @origin: time that is called 0
 * @selected: a range, or %STRIA_NO_RANGE
 * @moment: a chosen time, or %G_MININT64
 * @cancellable: (nullable): stops a picture that nobody waits for
 *
 * What a picture of a memory shows. Plain: whoever paints keeps what it points to alive.
 */
typedef struct
{
  StriaNeuronMemory *memory;
  StriaAddressKind   kind;
  guint              subject;
  gint32             core;
  gint32             partition;
  gint64             t0, t1;
  gint64             y0, y1;
  gint64             origin;
  StriaAddressColor  color;
  guint              selected;
  gint64             moment;
  gboolean           dark;
  GCancellable      *cancellable;
} StriaAddressView;

typedef struct
{
  double x, y, width, height;
} StriaAddressBox;

/* The whole of what there is: times and addresses. FALSE: there is nothing */
gboolean stria_address_view_fit (StriaAddressView *view);
/* Where the plot proper stands */
void     stria_address_box      (double width, double height, StriaAddressBox *box);
/* Whether it is of the core and partition that the view shows */
gboolean stria_address_shows    (const StriaAddressView *view, const StriaSbufRange *range);
/* The range under a point of the picture, or %STRIA_NO_RANGE; of several the one that came last */
guint    stria_address_hit      (const StriaAddressView *view, double width, double height,
                                 double x, double y);
/* Time under a point, kept inside the view */
gint64   stria_address_time_at  (const StriaAddressView *view, double width, double x);
/* Bank or partition under a point; -1: none */
int      stria_address_part_at  (const StriaAddressView *view, double height, double y);
/* Name that the range is coloured by; "" if it has none */
const char *stria_address_color_name (const StriaAddressView *view, const StriaSbufRange *range);
StriaColor  stria_address_color      (const StriaAddressView *view, const StriaSbufRange *range);
/* Colour of category @i of a stack, @n_names for what is of none */
StriaColor  stria_address_category   (guint i, gboolean dark);

/* The whole picture but what is selected. Any thread. */
void     stria_address_paint         (cairo_t *cr, const StriaAddressView *view, double width,
                                      double height);
/* What is selected, and the moment, over it */
void     stria_address_paint_overlay (cairo_t *cr, const StriaAddressView *view, double width,
                                      double height);

G_END_DECLS
