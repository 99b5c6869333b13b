/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

#include <string.h>

/* A small trace for tests of what is drawn; times in microseconds from 1 s on:
 *
 *   process A  thread 1  outer 0..1000, in it inner 100..300 and inner 400..700
 *              thread 2  1000 slices "tick", each half a microsecond long, one every microsecond
 *              thread 3  two instants, at 250 and 750
 *              counter   0 at 0, 10 at 500, 4 at 800
 *   process B  thread 9  kernel 500..600, reached by a flow from the second inner
 */
#define FIXTURE_BASE G_GINT64_CONSTANT (1000000000)
#define FIXTURE_US   G_GINT64_CONSTANT (1000)

static inline guint32
fixture_intern (StriaSink *sink, const char *text)
{
  return sink->intern (sink, text, strlen (text));
}

static inline void
fixture_event (StriaSink *sink, guint32 thread, const char *name, StriaEventKind kind, gint64 start,
               gint64 dur, guint64 id)
{
  const StriaEvent event = {
    .ts_ns = FIXTURE_BASE + start,
    .dur_ns = dur,
    .id = kind == STRIA_EVENT_SLICE ? 0 : id,
    .args = STRIA_NO_ARGS,
    .thread = thread,
    .name = fixture_intern (sink, name),
    .category = fixture_intern (sink, "test"),
    .kind = (guint8) kind,
    .flags = kind == STRIA_EVENT_FLOW_END ? STRIA_EVENT_BIND_ENCLOSING : 0,
  };

  sink->events (sink, &event, 1);
}

static inline void
fixture_sample (StriaSink *sink, guint32 thread, gint64 at, double value)
{
  const StriaEvent event = {
    .ts_ns = FIXTURE_BASE + at,
    .value = value,
    .args = STRIA_NO_ARGS,
    .thread = thread,
    .name = fixture_intern (sink, "memory"),
    .extra = fixture_intern (sink, "used"),
    .kind = STRIA_EVENT_COUNTER,
  };

  sink->events (sink, &event, 1);
}

static inline void
fixture_fill (StriaSink *sink)
{
  const guint32 a = sink->process (sink, "1", 1);
  const guint32 b = sink->process (sink, "2", 1);
  const guint32 t1 = sink->thread (sink, a, "1", 1);
  const guint32 t2 = sink->thread (sink, a, "2", 1);
  const guint32 t3 = sink->thread (sink, a, "3", 1);
  const guint32 t9 = sink->thread (sink, b, "9", 1);

  sink->set_name (sink, STRIA_FIELD_PROCESS_NAME, a, t1, fixture_intern (sink, "A"));
  sink->set_name (sink, STRIA_FIELD_PROCESS_NAME, b, t9, fixture_intern (sink, "B"));
  fixture_event (sink, t1, "outer", STRIA_EVENT_SLICE, 0, 1000 * FIXTURE_US, 0);
  fixture_event (sink, t1, "inner", STRIA_EVENT_SLICE, 100 * FIXTURE_US, 200 * FIXTURE_US, 0);
  fixture_event (sink, t1, "inner", STRIA_EVENT_SLICE, 400 * FIXTURE_US, 300 * FIXTURE_US, 0);
  for (gint64 i = 0; i < 1000; i++)
    fixture_event (sink, t2, "tick", STRIA_EVENT_SLICE, i * FIXTURE_US, FIXTURE_US / 2, 0);
  fixture_event (sink, t3, "mark", STRIA_EVENT_INSTANT, 250 * FIXTURE_US, 0, 0);
  fixture_event (sink, t3, "mark", STRIA_EVENT_INSTANT, 750 * FIXTURE_US, 0, 0);
  fixture_sample (sink, t1, 0, 0);
  fixture_sample (sink, t1, 500 * FIXTURE_US, 10);
  fixture_sample (sink, t1, 800 * FIXTURE_US, 4);
  fixture_event (sink, t9, "kernel", STRIA_EVENT_SLICE, 500 * FIXTURE_US, 100 * FIXTURE_US, 0);
  fixture_event (sink, t1, "launch", STRIA_EVENT_FLOW_START, 450 * FIXTURE_US, 0, 7);
  fixture_event (sink, t9, "launch", STRIA_EVENT_FLOW_END, 500 * FIXTURE_US, 0, 7);
}

static inline StriaCapture *
fixture_capture (void)
{
  StriaCapture *capture = stria_capture_new ("fixture");
  StriaArtifact *artifact = stria_artifact_new ("fixture", NULL, "fixture", 1, 0);
  StriaSink *sink = NULL;

  stria_capture_add_artifact (capture, artifact);
  g_object_unref (artifact);
  sink = stria_capture_open_sink (capture, 0);
  fixture_fill (sink);
  stria_capture_close_sink (capture, sink, TRUE);
  return capture;
}

/* Number of the lane whose name begins with @name and that has this kind. */
static inline guint32
fixture_lane (StriaTrace *trace, StriaLaneKind kind, const char *key)
{
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);

      if (stria_lane_get_kind (lane) == kind
          && (key == NULL || g_strcmp0 (stria_lane_get_key (lane), key) == 0))
        return i;
    }
  g_assert_not_reached ();
}
