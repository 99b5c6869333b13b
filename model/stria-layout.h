/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Ends of an edge that leave the box: it comes in at its near border, or goes out at its far one.
 */
#define STRIA_LAYOUT_BORDER G_MAXUINT32

/**
 * StriaLayout:
 * @n: boxes
 * @length: of each, along the direction that edges run in
 * @breadth: of each, across it
 * @m: edges; at most one for a pair
 * @from: box, or %STRIA_LAYOUT_BORDER
 * @to: box, or %STRIA_LAYOUT_BORDER; not the same as @from
 * @from_offset: (nullable): where each edge leaves its box, across, from its middle
 * @to_offset: (nullable): likewise where it enters
 * @prior: (nullable): @straight of the layout before, NAN: it was not there. The order is then
 *   kept
 * @rank_gap: between ranks
 * @gap: between boxes of a rank
 * @aspect: length of the whole to its breadth that is aimed at by setting ranks in rows, as words
 *   are in lines; 0: one row, however long
 * @row_length: (inout): of a row in the layout before, kept where it is still good; 0: to be
 *   chosen. (out) 0: one row
 * @straight: (out): middle of each box across before rows were made: prior of the next layout
 * @rank: (out): of each box, from 0
 * @along: (out): near edge of each box
 * @across: (out): its upper edge
 * @first_point: (out): m + 1 numbers: points of edge i are [first_point[i], first_point[i + 1])
 * @points: (out): pairs (along, across) that each edge passes, from its start to its end, without
 *   the ends themselves. An end at the border is there, as the last or first pair
 * @total_length: (out)
 * @total_breadth: (out)
 *
 * A layered layout of boxes that are not nested: edges run in one direction, those of a cycle back.
 * Boxes do not overlap. Deterministic. The caller owns all arrays but @points, which is made here.
 */
typedef struct
{
  guint32 n;
  const float *length;
  const float *breadth;
  guint32 m;
  const guint32 *from;
  const guint32 *to;
  const float *from_offset;
  const float *to_offset;
  const float *prior;
  float rank_gap;
  float gap;
  float aspect;
  float row_length;
  float *straight;
  guint32 *rank;
  float *along;
  float *across;
  guint32 *first_point;
  GArray *points; /* float */
  float total_length;
  float total_breadth;
} StriaLayout;

/* FALSE when cancelled; points are NULL then. */
gboolean stria_layout_run (StriaLayout *self, GCancellable *cancellable);

G_END_DECLS
