/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-arrows.h"

#include <stdlib.h>
#include <string.h>

#include "bench-figures.h"
#include "stria-capture.h"
#include "stria-paint-flows.h"

#define LANES  64
#define ARROWS 10000
#define BATCH  4096
#define WIDTH  1600
#define HEIGHT 900
#define STEP   100

static void
add (StriaSink *sink, StriaEvent *batch, guint *n, StriaEvent event)
{
  if (*n == BATCH)
    {
      sink->events (sink, batch, *n);
      *n = 0;
    }
  batch[(*n)++] = event;
}

static StriaTrace *
make (StriaCapture *capture, guint32 per_lane)
{
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/nowhere/made", NULL, "made", 1, 1);
  g_autofree StriaEvent *batch = g_new (StriaEvent, BATCH);
  guint32 threads[LANES], names[16];
  StriaSink *sink;
  guint n = 0;

  stria_capture_add_artifact (capture, artifact);
  sink = stria_capture_open_sink (capture, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel %u", i);
      names[i] = sink->intern (sink, name, strlen (name));
    }
  for (guint t = 0; t < LANES; t++)
    {
      g_autofree char *pid = g_strdup_printf ("%u", t / 8);
      g_autofree char *tid = g_strdup_printf ("%u", t);
      guint32 process = sink->process (sink, pid, strlen (pid));

      threads[t] = sink->thread (sink, process, tid, strlen (tid));
      for (guint32 i = 0; i < per_lane; i++)
        add (sink, batch, &n,
             (StriaEvent){ .ts_ns = 1000 + (gint64) i * STEP, .dur_ns = 60, .thread = threads[t],
                           .args = STRIA_NO_ARGS, .name = names[(i + t) % G_N_ELEMENTS (names)] });
    }
  srand (7);
  for (guint a = 0; a < ARROWS; a++)
    {
      const guint32 from = (guint32) rand () % per_lane, to = MIN (from + 40, per_lane - 1);
      const guint thread = (guint) rand () % (LANES - 1);
      StriaEvent end = { .ts_ns = 1000 + (gint64) from * STEP, .thread = threads[thread], .id = a,
                         .args = STRIA_NO_ARGS, .name = names[0], .kind = STRIA_EVENT_FLOW_START,
                         .flags = STRIA_EVENT_BIND_ENCLOSING };

      add (sink, batch, &n, end);
      end.ts_ns = 1000 + (gint64) to * STEP;
      end.thread = threads[thread + 1];
      end.kind = STRIA_EVENT_FLOW_END;
      add (sink, batch, &n, end);
    }
  sink->events (sink, batch, n);
  stria_capture_close_sink (capture, sink, TRUE);
  return stria_capture_ref_trace (capture);
}

gboolean
bench_arrows_job (const char *argument, GError **error)
{
  const guint32 per_lane = MAX ((guint32) (g_ascii_strtoull (argument, NULL, 10) / LANES), 100);
  g_autoptr (StriaCapture) capture = stria_capture_new ("/nowhere/made");
  g_autoptr (StriaTrace) trace = make (capture, per_lane);
  g_autoptr (StriaTimelineLayout) layout = stria_timeline_layout_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  StriaTimelineView view = { .trace = trace, .layout = layout, .t0 = 0, .font_size = 9,
                             .t1 = 1000 + (gint64) per_lane * STEP, .selection = STRIA_REF_NONE };
  StriaFlowCount count;
  double worst = 0;
  gint64 start;

  if (!stria_trace_load_all (trace, NULL, error))
    return FALSE;
  stria_timeline_layout_set_trace (layout, trace);
  stria_timeline_paint_lanes (cr, &view, WIDTH, HEIGHT, 0, FALSE);
  for (guint i = 1; i <= STRIA_N_GROUPINGS; i++)
    {
      start = g_get_monotonic_time ();
      stria_timeline_layout_set_grouping (layout, (StriaGrouping) (i % STRIA_N_GROUPINGS));
      stria_timeline_paint_lanes (cr, &view, WIDTH, HEIGHT, 0, FALSE);
      worst = MAX (worst, seconds_since (start));
    }
  figure ("grouping_ms", worst * 1000);
  /* Arrows of what is seen only: all lanes are, in a picture that is high enough. */
  stria_timeline_paint_flows (cr, &view, WIDTH, HEIGHT * 3, 0, 0, WIDTH, &count);
  start = g_get_monotonic_time ();
  stria_timeline_paint_flows (cr, &view, WIDTH, HEIGHT * 3, 0, 0, WIDTH, &count);
  figure ("arrows_ms", seconds_since (start) * 1000);
  figure ("arrows", (double) count.n_visible);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return TRUE;
}
