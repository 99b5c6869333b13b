/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-alloc-painter.h"
#include "stria-paint-kit.h"

G_BEGIN_DECLS

/* Colours and owners of elements, remembered while a picture is painted. */
typedef struct
{
  const StriaAllocView *view;
  StriaSnapshotData    *snapshot;
  guint32               n_stacks;
  guint8               *matches;  /* by stack: 0 not known, 1 yes, 2 no */
  GHashTable           *by_owner; /* argb of owners that are no frames */
  char                 *needle;
} StriaAllocPaints;

void     stria_alloc_paints_init  (StriaAllocPaints *self, const StriaAllocView *view);
void     stria_alloc_paints_clear (StriaAllocPaints *self);
typedef struct _StriaAllocLabels StriaAllocLabels;

/* What is the same for all elements that share a colour and a line of the legend */
guint64  stria_alloc_paints_owner (StriaAllocPaints *self, guint32 element);
/* The same of many, which is several times as fast a one */
void     stria_alloc_paints_owners (StriaAllocPaints *self, const guint32 *elements, guint n,
                                    guint64 *owners);
guint32  stria_alloc_paints_color (StriaAllocPaints *self, guint32 element);
/* The same from the owner; remembered */
guint32  stria_alloc_paints_color_of (StriaAllocPaints *self, guint64 owner);
/* @owner: of stria_alloc_paints_owner(). Returns: (transfer full) */
char    *stria_alloc_paints_text  (StriaAllocPaints *self, guint64 owner);
/* Owners that may share a label: lines of one function. And the text for all of them. */
guint64  stria_alloc_paints_family (StriaAllocPaints *self, guint64 owner);
char    *stria_alloc_paints_family_text (StriaAllocPaints *self, guint64 family);
guint32  stria_alloc_paints_owner_color (StriaAllocPaints *self, guint64 owner);
gboolean stria_alloc_paints_matches (StriaAllocPaints *self, guint32 element);

/* The pixels of a box in an image. */
typedef struct
{
  guint32 *first; /* of the uppermost row */
  gsize    stride; /* pixels from row to row */
  int      width;
  int      height;
} StriaAllocPixels;

/* Whether the pixels of @box are those of the image that is painted on, and all of them are to be seen.
 * After they were changed, cairo_surface_mark_dirty() is due. */
gboolean stria_alloc_find_pixels (cairo_t *cr, const StriaAllocFrameBox *box, double scale,
                                  StriaAllocPixels *pixels);

/* @scale: columns of the plot a pixel */
void     stria_alloc_paint_blocks (cairo_t *cr, StriaAllocPaints *paints, const StriaPlot *plot,
                                   const StriaAllocFrameBox *box, double scale,
                                   StriaAllocLabels *labels);
/* The block that is selected, over all others */
void     stria_alloc_paint_selected (cairo_t *cr, const StriaAllocView *view,
                                     const StriaPlot *plot, const StriaAllocFrameBox *box,
                                     guint64 top, double scale);
/* Labels of the biggest areas of one owner: they are found while the columns are drawn. */
StriaAllocLabels *stria_alloc_labels_new (StriaAllocPaints *paints, double scale);
void     stria_alloc_labels_free  (StriaAllocLabels *self);
/* The next column, and who owns its runs from walk->same on, in which colour; the others are known
 * from the column before */
void     stria_alloc_labels_add   (StriaAllocLabels *self, guint x, const StriaPlotWalk *walk,
                                   const guint64 *owners, const guint32 *colors);
void     stria_alloc_labels_paint (StriaAllocLabels *self, cairo_t *cr, StriaPaintKit *kit,
                                   const StriaAllocFrameBox *box);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaAllocLabels, stria_alloc_labels_free)

/* Everything around the blocks */
void     stria_alloc_paint_axes   (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   const StriaAllocFrameBox *box, guint64 top, double width,
                                   double height);
void     stria_alloc_paint_lines  (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   const StriaPlot *plot, const StriaAllocFrameBox *box,
                                   guint64 top, double scale);
/* The part of the legend that is about lines; returns the height below it */
double   stria_alloc_paint_line_legend (cairo_t *cr, const StriaAllocView *view,
                                        StriaPaintKit *kit, const StriaAllocFrameBox *box, double y,
                                        double room);
/* Where nothing was recorded, before the first event and after the last */
void     stria_alloc_paint_outside (cairo_t *cr, const StriaAllocView *view,
                                    const StriaAllocFrameBox *box);
double   stria_alloc_legend_row   (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   StriaColor color, gboolean is_line, const char *text,
                                   const char *value, double x, double y, double width);
double   stria_alloc_bytes_to_y   (const StriaAllocView *view, const StriaAllocFrameBox *box,
                                   guint64 top, guint64 bytes);
/* Whether the view has bands of private pools, and these over their blocks */
gboolean stria_alloc_shows_pools  (const StriaAllocView *view);
void     stria_alloc_paint_pools  (cairo_t *cr, const StriaAllocView *view,
                                   const StriaPoolPlot *plot, const StriaPlot *columns,
                                   const StriaAllocFrameBox *box, double scale);
void     stria_alloc_paint_pool_labels (cairo_t *cr, const StriaAllocView *view,
                                        StriaPaintKit *kit, const StriaPoolPlot *plot,
                                        const StriaPlot *columns, const StriaAllocFrameBox *box,
                                        double scale);
/* How much of the grey is seen of what is free in a private pool */
#define STRIA_ALLOC_POOL_ALPHA 0.28
/* Bytes that the highest column needs among @first to @last */
guint64  stria_alloc_most_shown   (const StriaAllocView *view, guint32 first, guint32 last);
void     stria_alloc_paint_bands  (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   const StriaAllocFrameBox *box);
void     stria_alloc_paint_legend (cairo_t *cr, StriaAllocPaints *paints, StriaPaintKit *kit,
                                   const StriaPlot *plot, const StriaAllocFrameBox *box,
                                   double width, double height);

/* What a map says of itself, in as many lines as its width asks for. @cr: (nullable): only measured.
 * Returns: its height */
double     stria_alloc_paint_map_head (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                       StriaMap *map, double width);
void       stria_alloc_paint_hatch    (cairo_t *cr, double x, double y, double width, double height,
                                       StriaColor color);
StriaColor stria_alloc_gap_color      (gboolean dark);
StriaColor stria_alloc_rounding_color (gboolean dark);

G_END_DECLS
