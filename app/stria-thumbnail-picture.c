/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-thumbnail-picture.h"

#include "cli-graph-picture.h"
#include "stria-alloc-painter.h"
#include "stria-timeline-painter.h"

/* What of the capture's time a lane has to cover for all of it to be shown */
#define RANGE_SHARE 0.2
/* Graphs are shown from their beginning, and no smaller than this: boxes have to be boxes. */
#define GRAPH_ZOOM_LEAST 0.22
#define GRAPH_ZOOM_MOST  1.2
#define GRAPH_MARGIN     12.0
/* A layout takes time by boxes, and more are not told apart. */
#define GRAPH_MOST_BOXES 120

static void
paint_ground (cairo_t *cr, gboolean dark, double width, double height)
{
  if (dark)
    cairo_set_source_rgb (cr, 0.12, 0.12, 0.12);
  else
    cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
}

/* The lane of slices with most of them, or of anything where there are none, of those with something in
 * the view; G_MAXUINT32: no lane */
static guint32
busiest_lane (StriaTrace *trace, const StriaTimelineView *view)
{
  guint32 best = G_MAXUINT32;
  guint64 most = 0;

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      const guint64 n = stria_lane_get_n_events (lane)
                        * (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER ? 1 : 1000);
      gint64 t0, t1;

      if (n > most && stria_lane_get_range (lane, &t0, &t1) && t0 <= view->t1 && t1 >= view->t0)
        {
          best = i;
          most = n;
        }
    }
  return best;
}

/* Captures of several clocks are mostly empty: then the time of one lane is shown. */
static void
choose_range (StriaTrace *trace, guint32 lane, StriaTimelineView *view)
{
  gint64 t0, t1;

  if (lane == G_MAXUINT32
      || !stria_lane_get_range (stria_trace_get_lane (trace, lane), &t0, &t1)
      || (double) (t1 - t0) > RANGE_SHARE * (double) (view->t1 - view->t0))
    return;
  t0 -= (t1 - t0) / 20;
  t1 += MAX (1, (t1 - t0) / 20);
  view->t0 = MAX (view->t0, t0);
  view->t1 = MIN (view->t1, t1);
}

/* From the top of that lane, since above it often stands little */
static double
scroll_to (StriaTimelineLayout *layout, guint32 lane, double height)
{
  const StriaLayoutItem *item
      = lane != G_MAXUINT32 ? stria_timeline_layout_of_lane (layout, lane) : NULL;

  if (item == NULL)
    return 0;
  return CLAMP (item->y, 0, MAX (0, stria_timeline_layout_height (layout) - height));
}

void
stria_thumbnail_paint_timeline (cairo_t *cr, StriaTrace *trace, gboolean dark, double scale,
                                double width, double height)
{
  StriaTimelineView view = { .trace = trace,
                             .selection = STRIA_REF_NONE,
                             .dark = dark,
                             .font_size = 9 };
  guint32 lane;

  paint_ground (cr, dark, width, height);
  if (!stria_trace_get_view_range (trace, &view.t0, &view.t1) || view.t1 <= view.t0)
    return;
  lane = busiest_lane (trace, &view);
  choose_range (trace, lane, &view);
  view.origin_ns = view.t0;
  view.layout = stria_timeline_layout_new ();
  stria_timeline_layout_set_trace (view.layout, trace);
  cairo_save (cr);
  cairo_scale (cr, scale, scale);
  stria_timeline_paint_lanes (cr, &view, width / scale, height / scale,
                              scroll_to (view.layout, lane, height / scale), FALSE);
  cairo_restore (cr);
  stria_timeline_layout_unref (view.layout);
}

static StriaAllocator *
first_allocator (StriaCapture *capture)
{
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);

  /* The capture keeps it. */
  for (guint i = 0; i < snapshots->len; i++)
    if (stria_snapshot_get_n_devices (snapshots->pdata[i]) > 0)
      return stria_snapshot_get_device (snapshots->pdata[i], 0);
  return NULL;
}

static void
paint_memory (cairo_t *cr, StriaAllocator *allocator, double scale, double width, double height,
              GCancellable *cancellable)
{
  StriaAllocView view;

  stria_alloc_view_init (&view, allocator, TRUE);
  view.step = G_MAXUINT32;
  view.no_legend = TRUE;
  view.left = view.right = 1;
  view.cancellable = cancellable;
  paint_ground (cr, FALSE, width, height);
  cairo_save (cr);
  cairo_scale (cr, scale, scale);
  if (stria_allocator_get_n_events (allocator) > 1)
    stria_alloc_paint_plot (cr, &view, width / scale, height / scale);
  else
    stria_alloc_paint_map (cr, &view, width / scale, height / scale);
  cairo_restore (cr);
}

static const StriaModelGraph *
first_graph (CliModel *model)
{
  GPtrArray *graphs = model->index->graphs;
  const guint first = stria_model_index_first (model->index);

  for (guint i = 0; i < graphs->len; i++)
    {
      const StriaModelGraph *graph = graphs->pdata[(first + i) % graphs->len];

      if (graph->graph != NULL && stria_graph_n_nodes (graph->graph) > 0)
        return graph;
    }
  return NULL;
}

static double
zoom_of (const StriaScene *scene, double width, double height)
{
  return MIN ((width - 2 * GRAPH_MARGIN) / (double) scene->width,
              (height - 2 * GRAPH_MARGIN) / (double) scene->height);
}

/* The way of running that shows boxes larger. Returns: (nullable) */
static StriaScene *
lay_out (StriaGraph *graph, double width, double height, GCancellable *cancellable)
{
  const guint level = cli_graph_level (graph, GRAPH_MOST_BOXES);
  StriaScene *down
      = cli_graph_lay_out (graph, STRIA_GRAPH_TOP_TO_BOTTOM, level, cancellable, NULL);
  StriaScene *across
      = cli_graph_lay_out (graph, STRIA_GRAPH_LEFT_TO_RIGHT, level, cancellable, NULL);

  if (down == NULL || across == NULL)
    return down != NULL ? down : across;
  if (zoom_of (down, width, height) < zoom_of (across, width, height))
    {
      stria_scene_unref (down);
      return across;
    }
  stria_scene_unref (across);
  return down;
}

/* In the middle, or from its beginning if it does not fit */
static double
place (double length, double seen)
{
  return length + 2 * GRAPH_MARGIN <= seen ? (length - seen) / 2 : -GRAPH_MARGIN;
}

static gboolean
paint_graph (cairo_t *cr, StriaCapture *capture, double scale, double width, double height,
             GCancellable *cancellable)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (capture);
  g_auto (CliModel) model = { 0 };
  g_auto (CliGraphPicture) picture = { 0 };
  g_auto (GStrv) methods = NULL;
  CliModelOptions which = { 0 };
  const StriaModelGraph *graph;
  StriaGraphView *view = &picture.view;
  StriaScene *scene;

  if (sets->len == 0)
    return FALSE;
  methods = stria_profile_methods (capture, sets->pdata[0]);
  which.set = ((const StriaProfileSet *) sets->pdata[0])->name;
  which.method = methods[0];
  if (!cli_model_open (capture, &which, &model, NULL) || (graph = first_graph (&model)) == NULL)
    return FALSE;
  width /= scale;
  height /= scale;
  scene = lay_out (graph->graph, width, height, cancellable);
  if (scene == NULL)
    return FALSE;

  cli_graph_picture_init (&picture, &model, graph, NULL, FALSE, scene, FALSE);
  view->zoom = CLAMP (zoom_of (scene, width, height), GRAPH_ZOOM_LEAST, GRAPH_ZOOM_MOST);
  view->x = place ((double) scene->width, width / view->zoom);
  view->y = place ((double) scene->height, height / view->zoom);
  paint_ground (cr, FALSE, width * scale, height * scale);
  cairo_save (cr);
  cairo_scale (cr, scale, scale);
  stria_graph_paint (cr, view, width, height);
  cairo_restore (cr);
  return TRUE;
}

gboolean
stria_thumbnail_paint (cairo_t *cr, StriaCapture *capture, double scale, double width,
                       double height, GCancellable *cancellable)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  StriaAllocator *allocator = first_allocator (capture);

  if (trace != NULL && stria_trace_get_n_events (trace) > 0)
    {
      stria_thumbnail_paint_timeline (cr, trace, FALSE, scale, width, height);
      return TRUE;
    }
  if (allocator != NULL)
    {
      paint_memory (cr, allocator, scale, width, height, cancellable);
      return TRUE;
    }
  return paint_graph (cr, capture, scale, width, height, cancellable);
}

gboolean
stria_thumbnail_paint_part (cairo_t *cr, StriaCapture *capture, double scale, double width,
                            double height)
{
  g_autoptr (StriaPreview) preview = stria_capture_get_preview (capture);

  if (preview == NULL || preview->n_lanes == 0)
    return FALSE;
  paint_ground (cr, FALSE, width, height);
  cairo_save (cr);
  cairo_scale (cr, scale, scale);
  stria_timeline_paint_preview (cr, preview, FALSE, 9, 0, width / scale, height / scale);
  cairo_restore (cr);
  return TRUE;
}
