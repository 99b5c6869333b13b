/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of lanes, and ways between profiles, of a trace like one of a whole Neuron capture. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-device-link.h"
#include "stria-lane-groups.h"
#include "stria-timeline-layout.h"

#define SYSTEM "table\x1fSystemProfileEvents\x1f"

/* Its process, its key and its name */
static const struct
{
  const char *process;
  const char *labels;
  const char *key;
  const char *name;
  gint64 start;
  gint64 dur;
} lanes[] = {
  { "i-a PID 7", NULL, SYSTEM "framework TID 9", "fw9", 1000, 100 },
  { "i-a PID 7", NULL, SYSTEM "framework stream 3", "fws3", 1100, 100 },
  { "i-a PID 7", NULL, SYSTEM "neuron_rt NC 1", "rt1", 1200, 800 },
  { "i-a PID 7", NULL, SYSTEM "neuron_rt TID 9", "rt9", 1200, 100 },
  { "i-a PID 7", NULL, SYSTEM "neuron_hw NC1:5", "hw1", 1300, 500 },
  { "i-b PID 8", NULL, SYSTEM "neuron_hw NC0", "hw0", 5000, 500 },
  { "NC 1, i-other, PID 7", NULL, "table\x1fInstruction\x1fTensor\x1f" "0", "tensor", 1400, 10 },
  { "NC 1, i-other, PID 7", NULL, "table\x1fInstruction\x1fVector\x1f" "0", "vector", 1350, 10 },
  { "NC 1, i-other, PID 7", NULL, "table\x1f" "ExecutionInfo\x1f\x1f-1", "exec", 1300, 400 },
  { "m_i-b_pid_8_nc_0_model_2", NULL, "table\x1fInstruction\x1fSync\x1f" "0", "sync", 9000, 10 },
  { "i-a", NULL, "table\x1f" "MemoryBandwidthPoint\x1f" "4\x1f" "1\x1f" "1", "bw1", 1000, 0 },
  { "i-a", NULL, "table\x1f" "CpuUsage\x1f" "3\x1f" "1\x1f" "2", "cpu", 1000, 0 },
  { "4711", "CPU", "12", "main", 100, 10 },
  { "0", "GPU 1", "stream 7", "stream 7", 110, 10 },
};

typedef struct
{
  StriaCapture *capture;
  StriaTrace   *trace;
  guint32       lane[G_N_ELEMENTS (lanes)]; /* of the trace */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/nowhere/made", NULL, "made", 1, 1);
  StriaSink *sink;

  self->capture = stria_capture_new ("/nowhere/made");
  stria_capture_add_artifact (self->capture, artifact);
  sink = stria_capture_open_sink (self->capture, 0);
  for (guint i = 0; i < G_N_ELEMENTS (lanes); i++)
    {
      guint32 process = sink->process (sink, lanes[i].process, strlen (lanes[i].process));
      guint32 thread = sink->thread (sink, process, lanes[i].key, strlen (lanes[i].key));
      StriaEvent event = { .ts_ns = lanes[i].start, .dur_ns = lanes[i].dur, .thread = thread,
                           .args = STRIA_NO_ARGS, .kind = STRIA_EVENT_SLICE, .seq = i };

      event.name = sink->intern (sink, lanes[i].name, strlen (lanes[i].name));
      if (lanes[i].labels != NULL)
        sink->set_name (sink, STRIA_FIELD_PROCESS_LABELS, process, STRIA_NO_THREAD,
                        sink->intern (sink, lanes[i].labels, strlen (lanes[i].labels)));
      sink->set_name (sink, STRIA_FIELD_THREAD_NAME, process, thread, event.name);
      sink->set_sort (sink, STRIA_FIELD_PROCESS_SORT, process, STRIA_NO_THREAD, i);
      sink->set_sort (sink, STRIA_FIELD_THREAD_SORT, process, thread, i);
      sink->events (sink, &event, 1);
    }
  stria_capture_close_sink (self->capture, sink, TRUE);
  self->trace = stria_capture_ref_trace (self->capture);
  g_assert_true (stria_trace_load_all (self->trace, NULL, NULL));
  g_assert_cmpuint (stria_trace_get_n_lanes (self->trace), ==, G_N_ELEMENTS (lanes));
  for (guint32 l = 0; l < G_N_ELEMENTS (lanes); l++)
    self->lane[stria_lane_get_columns (stria_trace_get_lane (self->trace, l))->seq[0]] = l;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  stria_trace_unref (self->trace);
  g_object_unref (self->capture);
}

/* "title: lane lane" a line, names as above, lanes as they stand in the layout */
static char *
layout_text (Fixture *self, StriaTimelineLayout *layout)
{
  GString *text = g_string_new (NULL);
  guint n;
  const StriaLayoutItem *items = stria_timeline_layout_items (layout, &n);

  for (guint i = 0; i < n; i++)
    if (items[i].is_process)
      {
        g_autofree char *title = stria_timeline_layout_group_title (layout, items[i].process);

        g_string_append_printf (text, "%s%s:", i > 0 ? "\n" : "", title);
      }
    else
      {
        StriaLane *lane = stria_trace_get_lane (self->trace, items[i].lane);

        g_assert_cmpuint (stria_timeline_layout_group_of (layout, items[i].lane), ==,
                          items[i].process);
        g_string_append_printf (text, " %s", lanes[stria_lane_get_columns (lane)->seq[0]].name);
      }
  return g_string_free (text, FALSE);
}

static const char *const expected[STRIA_N_GROUPINGS] = {
  [STRIA_GROUPING_SOURCE] = "i-a / PID 7 / framework: fw9 fws3\n"
                            "i-a / PID 7 / neuron_rt: rt1 rt9\n"
                            "i-a / PID 7 / neuron_hw: hw1\n"
                            "i-b / PID 8 / neuron_hw: hw0\n"
                            "process NC 1, i-other, PID 7: tensor vector exec\n"
                            "process m_i-b_pid_8_nc_0_model_2: sync\n"
                            "i-a / samples: bw1 cpu\n"
                            "CPU (4711): main\n"
                            "GPU 1 (0): stream 7",
  [STRIA_GROUPING_DEVICE] = "Host: fw9 fws3 rt1 rt9 bw1 cpu main\n"
                            "Devices: hw1 hw0 tensor vector exec sync stream 7",
  [STRIA_GROUPING_CORE] = "i-b / NeuronCore 0: hw0 sync\n"
                          "i-a / NeuronCore 1: rt1 hw1 bw1\n"
                          "i-other / NeuronCore 1: tensor vector exec\n"
                          "Device 1: stream 7\n"
                          "Of no single core: fw9 fws3 rt9 cpu main",
  [STRIA_GROUPING_THREAD] = "i-a / PID 7 / TID 9: fw9 rt9\n"
                            "i-a / PID 7 / stream 3: fws3\n"
                            "PID 4711 / TID 12: main\n"
                            "stream 7: stream 7\n"
                            "Of no single thread: rt1 hw1 hw0 tensor vector exec sync bw1 cpu",
  [STRIA_GROUPING_PROCESS] = "i-a / PID 7: fw9 fws3 rt1 rt9 hw1\n"
                             "i-b / PID 8: hw0 sync\n"
                             "i-other / PID 7: tensor vector exec\n"
                             "PID 4711: main\n"
                             "Of no single process: bw1 cpu stream 7",
  [STRIA_GROUPING_INSTANCE] = "i-a: fw9 fws3 rt1 rt9 hw1 bw1 cpu\n"
                              "i-b: hw0 sync\n"
                              "i-other: tensor vector exec\n"
                              "Of no named instance: main stream 7",
};

static void
test_groups (Fixture *self, gconstpointer data)
{
  StriaTimelineLayout *layout = stria_timeline_layout_new ();
  g_autofree char *file = NULL;
  g_autofree char *again = NULL;

  stria_timeline_layout_set_trace (layout, self->trace);
  file = layout_text (self, layout);
  for (StriaGrouping g = 1; g < STRIA_N_GROUPINGS; g++)
    {
      g_autofree char *text = NULL;

      stria_timeline_layout_set_grouping (layout, g);
      text = layout_text (self, layout);
      g_assert_cmpstr (text, ==, expected[g]);
      g_assert_cmpint (stria_grouping_parse (stria_grouping_word (g)), ==, g);
      g_assert_true (stria_grouping_divides (self->trace, g));
    }
  stria_timeline_layout_set_grouping (layout, STRIA_GROUPING_FILE);
  again = layout_text (self, layout);
  g_assert_cmpstr (again, ==, file);
  stria_timeline_layout_unref (layout);
}

/* What was chosen of a lane or a group stays with it, also from one run to the next. */
static void
test_kept (Fixture *self, gconstpointer data)
{
  StriaTimelineLayout *layout = stria_timeline_layout_new ();
  StriaTimelineLayout *other = stria_timeline_layout_new ();
  g_autofree char *saved = NULL;
  g_autofree char *text = NULL;

  stria_timeline_layout_set_trace (layout, self->trace);
  stria_timeline_layout_set_lane_hidden (layout, self->lane[8], TRUE);
  stria_timeline_layout_set_grouping (layout, STRIA_GROUPING_CORE);
  stria_timeline_layout_set_process_collapsed (layout, 1, TRUE);
  saved = stria_timeline_layout_save (layout);
  stria_timeline_layout_set_trace (other, self->trace);
  stria_timeline_layout_load (other, saved);
  g_assert_cmpint (stria_timeline_layout_get_grouping (other), ==, STRIA_GROUPING_CORE);
  text = layout_text (self, other);
  g_assert_cmpstr (text, ==, "i-b / NeuronCore 0: hw0 sync\n"
                             "i-a / NeuronCore 1:\n"
                             "i-other / NeuronCore 1: tensor vector\n"
                             "Device 1: stream 7\n"
                             "Of no single core: fw9 fws3 rt9 cpu main");
  stria_timeline_layout_unref (layout);
  stria_timeline_layout_unref (other);
}

static guint
number_of (Fixture *self, StriaRef ref)
{
  return stria_lane_get_columns (stria_trace_get_lane (self->trace, ref.lane))->seq[ref.index];
}

static void
test_link (Fixture *self, gconstpointer data)
{
  static const struct
  {
    guint from;
    guint to; /* G_MAXUINT: there is none */
    gint64 away;
  } rows[] = {
    { 4, 7, 0 },     /* hardware: the first instruction of that core */
    { 2, 7, 0 },     /* runtime */
    { 5, 9, 3500 },  /* the profile of its core began later */
    { 6, 4, 0 },     /* and back */
    { 8, 4, 0 },
    { 9, 5, 3500 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const StriaRef ref = { self->lane[rows[i].from], 0 };
      StriaRef found;
      gint64 away = -1;

      g_assert_cmpint (stria_device_link_of (self->trace, ref.lane), !=, STRIA_DEVICE_LINK_NONE);
      g_assert_true (stria_device_link_find (self->trace, ref, &found, &away, NULL, NULL));
      g_assert_cmpuint (number_of (self, found), ==, rows[i].to);
      g_assert_cmpint (away, ==, rows[i].away);
    }
  g_assert_cmpint (stria_device_link_of (self->trace, self->lane[0]), ==, STRIA_DEVICE_LINK_NONE);
  g_assert_cmpint (stria_device_link_of (self->trace, self->lane[3]), ==, STRIA_DEVICE_LINK_NONE);
  g_assert_cmpint (stria_device_link_of (self->trace, self->lane[12]), ==, STRIA_DEVICE_LINK_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/lane-groups/all", Fixture, NULL, set_up, test_groups, tear_down);
  g_test_add ("/lane-groups/kept", Fixture, NULL, set_up, test_kept, tear_down);
  g_test_add ("/lane-groups/link", Fixture, NULL, set_up, test_link, tear_down);
  return g_test_run ();
}
