/* SPDX-License-Identifier: Apache-2.0 */
/* What ran on devices, against SQL over the store that knows nothing of how it is counted. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-activity.h"
#include "stria-capture.h"
#include "stria-query.h"

#define LENGTH 200000
#define N_STREAMS 3

typedef struct
{
  StriaCapture *capture;
  StriaTrace *trace;
  char *store;
} Fixture;

static guint32
intern (StriaSink *sink, const char *text)
{
  return sink->intern (sink, text, strlen (text));
}

static guint32
thread_of (StriaSink *sink, const char *process, const char *thread)
{
  return sink->thread (sink, sink->process (sink, process, strlen (process)), thread,
                       strlen (thread));
}

static void
add (StriaSink *sink, guint32 thread, const char *name, const char *category, gint64 start,
     gint64 duration)
{
  static guint32 seq;
  StriaEvent event = { .ts_ns = start, .dur_ns = duration, .thread = thread,
                       .name = intern (sink, name), .category = intern (sink, category),
                       .args = STRIA_NO_ARGS, .seq = seq++, .kind = STRIA_EVENT_SLICE };

  sink->events (sink, &event, 1);
}

static int
dice (int n)
{
  return g_test_rand_int_range (0, n);
}

static void
add_streams (StriaSink *sink)
{
  static const struct
  {
    const char *name, *category;
  } kinds[] = {
    { "gemm", "kernel" }, { "softmax", "kernel" }, { "ncclDevKernel_AllReduce", "kernel" },
    { "Memcpy HtoD", "gpu_memcpy" }, { "Memset", "gpu_memset" },
  };

  for (guint s = 0; s < N_STREAMS; s++)
    {
      g_autofree char *name = g_strdup_printf ("stream %u", 7 + s);
      guint32 thread = thread_of (sink, s == 2 ? "1" : "0", name);

      for (int at = dice (1000), length; at < LENGTH; at += length + dice (800))
        {
          guint kind = (guint) dice (G_N_ELEMENTS (kinds));

          length = dice (1200);
          add (sink, thread, kinds[kind].name, kinds[kind].category, at, length);
        }
      /* Over others, and over each other: a lane of its own, of the same stream */
      add (sink, thread, "gemm", "kernel", 20000, 9000);
      add (sink, thread, "gemm", "kernel", 24000, 9000);
    }
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/nowhere/a", NULL, "a.json", 1, 1);
  g_autoptr (GError) error = NULL;
  StriaSink *sink;
  guint32 cpu;

  self->capture = stria_capture_new ("/nowhere/activity");
  stria_capture_add_artifact (self->capture, artifact);
  sink = stria_capture_open_sink (self->capture, 0);
  add_streams (sink);
  cpu = thread_of (sink, "4242", "main");
  for (int step = 0; step < 4; step++)
    {
      g_autofree char *name = g_strdup_printf ("ProfilerStep#%d", step);

      add (sink, cpu, name, "user_annotation", step * 50000, 49000);
      add (sink, cpu, "aten::linear", "cpu_op", step * 50000 + 1000, 20000);
      add (sink, cpu, "aten::addmm", "cpu_op", step * 50000 + 2000, 15000);
      add (sink, cpu, "cudaLaunchKernel", "cuda_runtime", step * 50000 + 3000, 500);
    }
  stria_capture_close_sink (self->capture, sink, TRUE);
  stria_capture_settle (self->capture);
  g_assert_true (stria_capture_write_store (self->capture, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  self->store = stria_capture_dup_store_path (self->capture);
  self->trace = stria_capture_ref_trace (self->capture);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  stria_trace_unref (self->trace);
  g_free (self->store);
  g_object_unref (self->capture);
}

static gboolean
take_number (guint n_columns, const char *const *columns, const StriaValue *values,
             gpointer user_data)
{
  if (values == NULL)
    return TRUE;
  *(double *) user_data = values[0].type == STRIA_VALUE_REAL  ? values[0].real
                          : values[0].type == STRIA_VALUE_INT ? (double) values[0].integer
                                                              : 0;
  return FALSE;
}

static double
sql (Fixture *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  double number = NAN;

  stria_query (self->store, text, take_number, &number, NULL, &error);
  g_assert_no_error (error);
  return number;
}

#define COMPUTE       "(category = 'kernel' AND name NOT LIKE 'nccl%')"
#define COMMUNICATION "(category = 'kernel' AND name LIKE 'nccl%')"
#define MEMORY        "(category IN ('gpu_memcpy', 'gpu_memset'))"

/* Time that at least one slice covers, by the running maximum of the ends before */
static double
sql_union (Fixture *self, gint64 t0, gint64 t1, const char *what)
{
  g_autofree char *text = g_strdup_printf (
      "WITH s AS (SELECT max (ts, %" G_GINT64_FORMAT ") a, min (ts + dur, %" G_GINT64_FORMAT ") b "
      "FROM named_slice WHERE %s AND ts < %" G_GINT64_FORMAT " AND ts + dur > %" G_GINT64_FORMAT
      "), "
      "m AS (SELECT a, b, max (b) OVER (ORDER BY a, b ROWS BETWEEN UNBOUNDED PRECEDING AND 1 "
      "PRECEDING) p FROM s) SELECT sum (max (0, b - max (a, coalesce (p, a)))) FROM m",
      t0, t1, what, t1, t0);

  return sql (self, text);
}

static void
check_times (Fixture *self, const StriaTimes *times, gint64 t0, gint64 t1, const char *where)
{
  static const char *const kinds[]
      = { COMPUTE, COMMUNICATION, MEMORY, "(" COMPUTE " OR " COMMUNICATION ")",
          "(" COMPUTE " OR " COMMUNICATION " OR " MEMORY ")" };
  double found[5];

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *what = g_strdup_printf ("%s AND %s", kinds[i], where);

      found[i] = sql_union (self, t0, t1, what);
    }
  g_assert_cmpfloat (times->compute_ns, ==, found[0]);
  g_assert_cmpfloat (times->communication_ns, ==, found[1]);
  g_assert_cmpfloat (times->memory_ns, ==, found[2]);
  g_assert_cmpfloat (times->busy_ns, ==, found[4]);
  /* What both cover is what is counted twice. */
  g_assert_cmpfloat (times->hidden_ns, ==, found[0] + found[1] - found[3]);
  g_assert_cmpfloat (times->memory_hidden_ns, ==, found[2] + found[3] - found[4]);
}

static char *
device_where (Fixture *self, const StriaActivity *activity, guint device)
{
  guint32 process = g_array_index (activity->devices, StriaDeviceActivity, device).process;

  return g_strdup_printf ("pid = '%s'", stria_trace_get_process (self->trace, process)->key);
}

static void
check_range (Fixture *self, gint64 t0, gint64 t1)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaActivity) activity
      = stria_activity_new (self->trace, NULL, 0, t0, t1, NULL, &error);
  gint64 from = MAX (t0, 0);

  g_assert_no_error (error);
  g_assert_cmpuint (activity->devices->len, ==, 2);
  g_assert_cmpuint (activity->streams->len, ==, N_STREAMS);
  for (guint d = 0; d < 2; d++)
    {
      g_autofree char *where = device_where (self, activity, d);

      check_times (self, &g_array_index (activity->devices, StriaDeviceActivity, d).times, t0, t1,
                   where);
    }
  for (guint s = 0; s < N_STREAMS; s++)
    {
      const StriaStreamActivity *stream
          = &g_array_index (activity->streams, StriaStreamActivity, s);
      g_autofree char *where = g_strdup_printf (
          "tid = '%s'", stria_lane_get_key (stria_trace_get_lane (self->trace, stream->lane)));

      check_times (self, &stream->times, t0, t1, where);
    }
  for (guint i = 0; i < activity->steps->len; i++)
    {
      const StriaStepActivity *step = &g_array_index (activity->steps, StriaStepActivity, i);
      g_autofree char *where = device_where (self, activity, step->device);

      g_assert_cmpint (step->start_ns, >=, from);
      g_assert_cmpint (step->end_ns, <=, t1);
      check_times (self, &step->times, step->start_ns, step->end_ns, where);
    }
}

static void
test_ranges (Fixture *self, gconstpointer data)
{
  check_range (self, 0, LENGTH + 10000);
  for (guint i = 0; i < 5; i++)
    {
      gint64 a = dice (LENGTH / 2);

      check_range (self, a, a + LENGTH / 4 + dice (LENGTH / 4));
    }
}

static void
test_names (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaActivity) activity
      = stria_activity_new (self->trace, NULL, 0, 0, LENGTH + 10000, NULL, &error);
  const StriaNameActivity *name;

  g_assert_no_error (error);
  g_assert_cmpuint (activity->steps->len, ==, 8);
  g_assert_cmpuint (activity->operators->len, ==, 2);
  /* 15000 in each of four steps less 500 of a launch; the other one has 5000 of its own. */
  name = &g_array_index (activity->operators, StriaNameActivity, 0);
  g_assert_cmpstr (stria_trace_get_string (self->trace, name->name), ==, "aten::addmm");
  g_assert_cmpint (name->self_ns, ==, 4 * 14500);
  g_assert_cmpint (name->total_ns, ==, 4 * 15000);
  name = &g_array_index (activity->operators, StriaNameActivity, 1);
  g_assert_cmpint (name->self_ns, ==, 4 * 5000);
  g_assert_cmpuint (activity->kernels->len, ==, 5);
  for (guint i = 0; i < activity->kernels->len; i++)
    {
      g_autofree char *text = NULL;

      name = &g_array_index (activity->kernels, StriaNameActivity, i);
      text = g_strdup_printf ("SELECT sum (dur) FROM named_slice WHERE name = '%s'",
                              stria_trace_get_string (self->trace, name->name));
      g_assert_cmpfloat ((double) name->total_ns, ==, sql (self, text));
    }
}

/* Only what was chosen counts. */
static void
test_lanes (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaActivity) activity = NULL;
  guint32 chosen[8];
  gsize n = 0;

  for (guint32 i = 0; i < stria_trace_get_n_lanes (self->trace); i++)
    if (strstr (stria_lane_get_name (stria_trace_get_lane (self->trace, i)), "stream 8") != NULL)
      {
        g_assert_cmpuint (n, <, G_N_ELEMENTS (chosen));
        chosen[n++] = i;
      }
  g_assert_cmpuint (n, ==, 2);
  activity = stria_activity_new (self->trace, chosen, n, 1000, 90000, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (activity->streams->len, ==, 1);
  g_assert_cmpuint (activity->devices->len, ==, 1);
  g_assert_cmpuint (activity->operators->len, ==, 0);
  check_times (self, &g_array_index (activity->devices, StriaDeviceActivity, 0).times, 1000, 90000,
               "tid = 'stream 8'");
}

#define ADD(name, func) g_test_add ("/activity/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("ranges", test_ranges);
  ADD ("names", test_names);
  ADD ("lanes", test_lanes);
  return g_test_run ();
}
