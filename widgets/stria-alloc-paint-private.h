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
  guint32              *by_stack; /* argb, 0 = not yet known */
  guint32              *labels;   /* by stack */
  guint8               *matches;  /* by stack: 0 not known, 1 yes, 2 no */
  char                 *needle;
} StriaAllocPaints;

void     stria_alloc_paints_init  (StriaAllocPaints *self, const StriaAllocView *view);
void     stria_alloc_paints_clear (StriaAllocPaints *self);
/* What is the same for all elements that share a colour and a line of the legend */
guint64  stria_alloc_paints_owner (StriaAllocPaints *self, guint32 element);
guint32  stria_alloc_paints_color (StriaAllocPaints *self, guint32 element);
/* @owner: of stria_alloc_paints_owner(). Returns: (transfer full) */
char    *stria_alloc_paints_text  (StriaAllocPaints *self, guint64 owner);
/* Owners that may share a label: lines of one function. And the text for all of them. */
guint64  stria_alloc_paints_family (StriaAllocPaints *self, guint64 owner);
char    *stria_alloc_paints_family_text (StriaAllocPaints *self, guint64 family);
guint32  stria_alloc_paints_owner_color (StriaAllocPaints *self, guint64 owner);
gboolean stria_alloc_paints_matches (StriaAllocPaints *self, guint32 element);

/* Labels of the biggest areas of one owner. */
void     stria_alloc_paint_labels (cairo_t *cr, StriaAllocPaints *paints, StriaPaintKit *kit,
                                   const StriaPlot *plot, const StriaAllocFrameBox *box,
                                   double scale);
/* Everything around the blocks */
void     stria_alloc_paint_axes   (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   const StriaAllocFrameBox *box, guint64 top, double width,
                                   double height);
void     stria_alloc_paint_lines  (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   const StriaPlot *plot, const StriaAllocFrameBox *box,
                                   guint64 top, double scale);
void     stria_alloc_paint_bands  (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                                   const StriaAllocFrameBox *box);
void     stria_alloc_paint_legend (cairo_t *cr, StriaAllocPaints *paints, StriaPaintKit *kit,
                                   const StriaPlot *plot, const StriaAllocFrameBox *box,
                                   double width, double height);

G_END_DECLS
