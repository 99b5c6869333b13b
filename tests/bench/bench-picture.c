/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-picture.h"

#include "bench-figures.h"

#define HEADER 240

void
bench_picture_init (BenchPicture *self, StriaTrace *trace, int width, int height)
{
  *self = (BenchPicture){ .width = width, .height = height };
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  self->cr = cairo_create (self->surface);
  self->layout = stria_timeline_layout_new ();
  stria_timeline_layout_set_trace (self->layout, trace);
  self->view.trace = trace;
  self->view.layout = self->layout;
  self->view.selection = STRIA_REF_NONE;
  self->view.font_size = STRIA_TIMELINE_FONT_SIZE;
  stria_trace_get_view_range (trace, &self->view.t0, &self->view.t1);
  self->view.origin_ns = self->view.t0;
}

void
bench_picture_clear (BenchPicture *self)
{
  cairo_destroy (self->cr);
  cairo_surface_destroy (self->surface);
  stria_timeline_layout_unref (self->layout);
}

double
bench_picture_paint (BenchPicture *self, double scroll_y)
{
  const double top = STRIA_TIMELINE_RULER_HEIGHT;
  const gint64 start_us = g_get_monotonic_time ();
  cairo_t *cr = self->cr;

  cairo_save (cr);
  cairo_translate (cr, 0, top);
  stria_timeline_paint_headers (cr, &self->view, HEADER, self->height - top, scroll_y, FALSE);
  cairo_translate (cr, HEADER, -top);
  stria_timeline_paint_ruler (cr, &self->view, self->width - HEADER, top);
  cairo_translate (cr, 0, top);
  stria_timeline_paint_lanes (cr, &self->view, self->width - HEADER, self->height - top, scroll_y,
                              FALSE);
  cairo_restore (cr);
  cairo_surface_flush (self->surface);
  return seconds_since (start_us);
}

double
bench_picture_scroll_end (BenchPicture *self)
{
  return MAX (0, stria_timeline_layout_height (self->layout) - self->height);
}
