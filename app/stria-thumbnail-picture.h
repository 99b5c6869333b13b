/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-thumbnail-picture
 *
 * What a capture looks like from afar: pictures that are too small for text to be read. Any thread.
 */

/* Lanes of the whole of @trace from the top of the busiest one, at @scale of their size in a window.
 * The area has the size of @width by @height units of @cr. */
void     stria_thumbnail_paint_timeline (cairo_t *cr, StriaTrace *trace, gboolean dark,
                                         double scale, double width, double height);

/**
 * stria_thumbnail_paint:
 * @scale: of lanes and axes, 1 = as in a window
 *
 * Paints what a capture is about on a white ground: its events, else the memory of its first
 * snapshot, else its model's first graph.
 *
 * Returns: FALSE if it has none of these; nothing was painted then
 */
gboolean stria_thumbnail_paint (cairo_t *cr, StriaCapture *capture, double scale, double width,
                                double height, GCancellable *cancellable);

/* The same from what was read so far, while @capture is still being read */
gboolean stria_thumbnail_paint_part (cairo_t *cr, StriaCapture *capture, double scale,
                                     double width, double height);

G_END_DECLS
