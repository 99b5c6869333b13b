/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * StriaPaintTarget:
 *
 * The image that a Cairo context paints on, where it is one whose pixels may be set by hand: 32 bits
 * each, nothing turned, and clipped by a single rectangle.
 */
typedef struct
{
  cairo_surface_t  *surface; /* (transfer none) */
  guint32          *pixels;  /* of the uppermost row */
  gsize             stride;  /* pixels from row to row */
  int               width, height;
  double            x_scale, y_scale; /* device pixels a unit */
  double            left, top; /* device pixels: where the context's origin lies */
  cairo_rectangle_t clip; /* in units */
} StriaPaintTarget;

/* FALSE: @cr paints on something else. What Cairo has not drawn yet is drawn; after pixels were set,
 * cairo_surface_mark_dirty() is due. */
gboolean stria_paint_target_init (StriaPaintTarget *self, cairo_t *cr);

/* Whether a number of device pixels is that of a border between two */
gboolean stria_paint_target_is_whole (double value);

G_END_DECLS
