/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-picture.h"

#include <math.h>

#include "stria-timeline-private.h"

struct _StriaTimelinePicture
{
  StriaTimelineView view; /* all of it owned */
  guint32          *range_lanes;
  double            header;
  double            scroll;
  double            width;
  double            height;
};

StriaTimelinePicture *
stria_timeline_picture_new (StriaTimeline *timeline)
{
  StriaTimelinePicture *self = g_new0 (StriaTimelinePicture, 1);
  StriaTimelineView *view = &self->view;

  if (!stria_timeline_fill_view (timeline, view))
    {
      g_free (self);
      return NULL;
    }
  view->trace = stria_trace_ref (view->trace);
  view->layout = stria_timeline_layout_snapshot (view->layout);
  if (view->match != NULL)
    stria_match_ref (view->match);
  if (view->coloring != NULL)
    stria_coloring_ref (view->coloring);
  if (view->range_lanes != NULL)
    view->range_lanes = self->range_lanes
        = g_memdup2 (view->range_lanes, view->n_range_lanes * sizeof (guint32));
  /* They go on changing, and have no place of their own in the picture. */
  view->marks = NULL;
  self->header = stria_timeline_get_header_width (timeline);
  self->scroll = stria_timeline_scroll (timeline);
  self->width = MAX (gtk_widget_get_width (GTK_WIDGET (timeline)), 1);
  self->height = MAX (gtk_widget_get_height (GTK_WIDGET (timeline)), 1);
  return self;
}

void
stria_timeline_picture_free (StriaTimelinePicture *self)
{
  if (self == NULL)
    return;
  stria_trace_unref (self->view.trace);
  stria_timeline_layout_unref (self->view.layout);
  g_clear_pointer (&self->view.match, stria_match_unref);
  g_clear_pointer (&self->view.coloring, stria_coloring_unref);
  g_free (self->range_lanes);
  g_free (self);
}

static double
top_height (void)
{
  return STRIA_TIMELINE_MINIMAP_HEIGHT + STRIA_TIMELINE_RULER_HEIGHT;
}

void
stria_timeline_picture_size (StriaTimelinePicture *self, gboolean all_lanes, double *width,
                             double *height)
{
  *width = self->width;
  *height = all_lanes ? ceil (top_height ()
                              + stria_timeline_layout_pinned_height (self->view.layout)
                              + stria_timeline_layout_height (self->view.layout))
                      : self->height;
}

static void
translated (cairo_t *cr, double x, double y)
{
  cairo_restore (cr);
  cairo_save (cr);
  cairo_translate (cr, x, y);
}

void
stria_timeline_picture_paint (StriaTimelinePicture *self, cairo_t *cr, gboolean all_lanes,
                              double width, double height)
{
  const StriaTimelineView *view = &self->view;
  const double header = MIN (self->header, width / 2);
  const double lanes = width - header;
  const double top = top_height ();
  const double pinned = MIN (stria_timeline_layout_pinned_height (view->layout),
                             MAX (height - top, 0) / (all_lanes ? 1 : 2));
  const double scroll = all_lanes ? 0 : self->scroll;
  const double body = height - top - pinned;

  cairo_save (cr);
  translated (cr, 0, 0);
  stria_timeline_paint_corner (cr, view, header, top);
  translated (cr, header, 0);
  stria_timeline_paint_minimap (cr, view, lanes, STRIA_TIMELINE_MINIMAP_HEIGHT);
  translated (cr, header, STRIA_TIMELINE_MINIMAP_HEIGHT);
  stria_timeline_paint_ruler (cr, view, lanes, STRIA_TIMELINE_RULER_HEIGHT);
  if (pinned > 0)
    {
      translated (cr, 0, top);
      stria_timeline_paint_headers (cr, view, header, pinned, 0, TRUE);
      translated (cr, header, top);
      stria_timeline_paint_lanes (cr, view, lanes, pinned, 0, TRUE);
    }
  if (body > 0)
    {
      translated (cr, 0, top + pinned);
      stria_timeline_paint_headers (cr, view, header, body, scroll, FALSE);
      translated (cr, header, top + pinned);
      stria_timeline_paint_lanes (cr, view, lanes, body, scroll, FALSE);
      translated (cr, header, top);
      stria_timeline_paint_overlay (cr, view, lanes, height - top, scroll);
    }
  cairo_restore (cr);
}
