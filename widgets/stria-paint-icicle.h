/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-operators.h"
#include "stria-paint-size.h"

G_BEGIN_DECLS

#define STRIA_ICICLE_ROW stria_text_px (24) /* pixels */

/* A node as it is drawn: a row a depth, the zoomed node and all above it as wide as the picture. */
typedef struct
{
  guint32 node; /* G_MAXUINT32: several neighbours, too narrow to be told apart */
  guint32 row;
  double x;
  double width;
} StriaIcicleBox;

/**
 * stria_icicle_layout:
 * @zoom: node that is as wide as the picture
 * @width: of the picture, in pixels
 *
 * Children divide the width of their parent by their totals; where they run side by side, so that they
 * add up to more than it, by their share of the sum.
 *
 * Returns: (transfer full) (element-type StriaIcicleBox): by row, then from left to right
 */
GArray *stria_icicle_layout (StriaOperators *tree, guint32 zoom, double width);
/* How many rows there can be below and above @zoom that are wide enough to be seen */
guint   stria_icicle_n_rows (StriaOperators *tree, guint32 zoom);
/* @selected: G_MAXUINT32: none; @zoom: nodes above it are dimmed */
void    stria_icicle_paint  (cairo_t *cr, StriaOperators *tree, const GArray *boxes, guint32 zoom,
                             guint32 selected, gboolean has_focus, gboolean dark);
/* The box at a place of the picture. Returns: (transfer none) (nullable) */
const StriaIcicleBox *stria_icicle_box_at (const GArray *boxes, double x, double y);

G_END_DECLS
