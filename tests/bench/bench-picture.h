/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cairo.h>

#include "stria-timeline-painter.h"

G_BEGIN_DECLS

/* A timeline in an image, painted by what the window paints with. */
typedef struct
{
  cairo_surface_t     *surface;
  cairo_t             *cr;
  StriaTimelineLayout *layout;
  StriaTimelineView    view;
  int                  width;
  int                  height;
} BenchPicture;

void   bench_picture_init  (BenchPicture *self, StriaTrace *trace, int width, int height);
void   bench_picture_clear (BenchPicture *self);
/* As the window does for a frame: headers, ruler and the visible part of the lanes.
 * Returns: seconds */
double bench_picture_paint (BenchPicture *self, double scroll_y);
/* How far it can be scrolled */
double bench_picture_scroll_end (BenchPicture *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BenchPicture, bench_picture_clear)

G_END_DECLS
