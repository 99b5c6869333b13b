/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline-painter.h"

G_BEGIN_DECLS

/* Lines that are drawn at most; more arrows are drawn in bundles. */
#define STRIA_FLOWS_MAX_LINES 800
/* Arrows that are looked at for one picture */
#define STRIA_FLOWS_MAX_WALK  (2u << 20)

/**
 * StriaFlowCount:
 * @n_visible: arrows with an end in a lane and at a time that is seen
 * @n_hidden: of these, arrows whose other end is in a hidden lane; not drawn
 * @n_lines: lines drawn
 * @n_bundled: arrows that share their line with another one
 * @is_cut: there are more; those of the lowest lanes were not looked at
 */
typedef struct
{
  guint64  n_visible;
  guint64  n_hidden;
  guint64  n_lines;
  guint64  n_bundled;
  gboolean is_cut;
} StriaFlowCount;

/* All arrows that leave or reach what is seen, over a picture of the scrolled lanes. Arrows whose
 * ends lie within a few pixels are one line, which is thicker the more they are. On a worker: loads
 * the lanes of far ends. @seen_x0, @seen_x1: what of the picture's width is counted as seen */
void  stria_timeline_paint_flows (cairo_t *cr, const StriaTimelineView *view, double width,
                                  double height, double scroll_y, double seen_x0, double seen_x1,
                                  StriaFlowCount *count);
/* For people: "10,000 arrows in 812 lines". Returns: (transfer full) */
char *stria_flow_count_text      (const StriaFlowCount *self);

G_END_DECLS
