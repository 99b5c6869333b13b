/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-alloc-records.h"
#include "stria-capture.h"

/* A trace and a snapshot of one process share the timeline's clock. */

#define BASE_NS G_GINT64_CONSTANT (1700000000000000000)

static StriaArtifact *
artifact_named (const char *name)
{
  return stria_artifact_new (name, NULL, name, 1, 0);
}

static void
feed_trace (StriaCapture *capture)
{
  StriaSink *sink = stria_capture_open_sink (capture, 0);
  guint32 process = sink->process (sink, "1", 1);
  StriaEvent event = { .kind = STRIA_EVENT_SLICE, .ts_ns = 1000, .dur_ns = 9000000,
                       .args = STRIA_NO_ARGS };

  event.thread = sink->thread (sink, process, "1", 1);
  event.name = sink->intern (sink, "step", 4);
  sink->base_time (sink, BASE_NS);
  sink->events (sink, &event, 1);
  stria_capture_close_sink (capture, sink, TRUE);
}

static void
feed_snapshot (StriaCapture *capture)
{
  StriaSink *sink = stria_capture_open_sink (capture, 1);
  StriaAllocSink *allocs = sink->allocator (sink);
  StriaAllocEvent events[4];

  for (guint i = 0; i < 4; i++)
    events[i] = (StriaAllocEvent){ .address = 0x1000 * (1 + i % 2),
                                   .size = 100,
                                   .pool = STRIA_NO_POOL,
                                   .time_us = BASE_NS / 1000 + 1000 * (i / 2 + 1),
                                   .stack = STRIA_NO_STACK,
                                   .action = i < 2 ? STRIA_ALLOC_ALLOC
                                                   : STRIA_ALLOC_FREE_COMPLETED };
  allocs->events (allocs, 0, events, 4);
  allocs->trace (allocs, 0, 0, FALSE);
  stria_capture_close_sink (capture, sink, TRUE);
}

static void
check_lanes (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = NULL;
  guint found = 0;

  /* On a slow machine a capture waits before it makes another trace. */
  stria_capture_settle (capture);
  trace = stria_capture_ref_trace (capture);

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      if (stria_lane_get_kind (lane) != STRIA_LANE_COUNTER)
        continue;
      const StriaColumns *c = stria_lane_get_columns (lane);
      g_assert_cmpstr (stria_lane_get_unit (lane), ==, "B");
      g_assert_cmpuint (c->n, ==, 2);
      g_assert_cmpint (c->start[0], ==, 1000000);
      g_assert_cmpint (c->start[1], ==, 2000000);
      if (found++ == 0)
        {
          g_assert_cmpfloat (c->value[0], ==, 200);
          g_assert_cmpfloat (c->value[1], ==, 0);
        }
    }
  g_assert_cmpuint (found, ==, 2);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    if (stria_lane_get_kind (stria_trace_get_lane (trace, i)) == STRIA_LANE_SLICES)
      {
        StriaAllocWindow window;
        g_assert_true (stria_trace_allocations (trace, (StriaRef){ i, 0 }, &window));
        g_assert_cmpuint (window.n_allocated, ==, 2);
        g_assert_cmpuint (window.allocated_bytes, ==, 200);
        g_assert_cmpuint (window.n_alive, ==, 0);
      }
  g_assert_cmpuint (stria_trace_get_n_events (trace), ==, 1);
}

static void
test_shared_clock (void)
{
  for (guint order = 0; order < 2; order++)
    {
      StriaCapture *capture = stria_capture_new ("two");
      StriaArtifact *trace = artifact_named ("trace.json");
      StriaArtifact *snapshot = artifact_named ("memory_snapshot.pickle");

      stria_capture_add_artifact (capture, trace);
      stria_capture_add_artifact (capture, snapshot);
      if (order == 0)
        feed_trace (capture);
      feed_snapshot (capture);
      if (order == 1)
        feed_trace (capture);
      check_lanes (capture);
      g_object_unref (trace);
      g_object_unref (snapshot);
      g_object_unref (capture);
    }
}

/* Without a trace there is no timeline that counters could stand under. */
static void
test_alone (void)
{
  StriaCapture *capture = stria_capture_new ("one");
  StriaArtifact *trace = artifact_named ("trace.json");
  StriaArtifact *snapshot = artifact_named ("memory_snapshot.pickle");

  stria_capture_add_artifact (capture, trace);
  stria_capture_add_artifact (capture, snapshot);
  feed_snapshot (capture);
  g_autoptr (StriaTrace) made = stria_capture_ref_trace (capture);
  g_assert_cmpuint (stria_trace_get_n_lanes (made), ==, 0);
  g_object_unref (trace);
  g_object_unref (snapshot);
  g_object_unref (capture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alloc-lanes/shared-clock", test_shared_clock);
  g_test_add_func ("/alloc-lanes/alone", test_alone);
  return g_test_run ();
}
