/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source: what an index finds, and heat against sums over every event. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "neuron-rows.h"
#include "stria-importer.h"
#include "stria-query.h"
#include "stria-scan.h"
#include "stria-source-heat.h"
#include "stria-source-place.h"
#include "trace-text.h"

/* -- how lines are written -------------------------------------------------------------------- */

static void
check_event (const char *name, const char *path, guint line, const char *function)
{
  g_autofree char *found = NULL;
  const char *rest = NULL;
  guint number = 0;

  g_test_message ("%s", name);
  g_assert_cmpint (stria_source_parse_event (name, &found, &number, &rest), ==, path != NULL);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpuint (number, ==, line);
  g_assert_cmpstr (rest, ==, function);
}

static void
test_names (void)
{
  check_event ("a/b.py(12): f", "a/b.py", 12, "f");
  check_event ("a (1): x/b.py(12): f", "a (1): x/b.py", 12, "f");
  check_event ("a/b.py(12)", "a/b.py", 12, "");
  check_event ("gemm(128)", NULL, 0, NULL);
  check_event ("v1.2/gemm(128)", NULL, 0, NULL);
  check_event ("<string>(1): f", NULL, 0, NULL);
  check_event ("b.py(0): f", NULL, 0, NULL);
  check_event ("b.py(9999999999): f", NULL, 0, NULL);
  check_event ("", NULL, 0, NULL);
  check_event (NULL, NULL, 0, NULL);
}

/* -- traces ----------------------------------------------------------------------------------- */

typedef struct
{
  StriaCapture *capture;
  StriaSourceIndex *index;
} Fixture;

static guint32
intern (StriaSink *sink, const char *text)
{
  return sink->intern (sink, text, strlen (text));
}

static void
add (StriaSink *sink, guint32 thread, const char *name, const char *category, gint64 ts, gint64 dur,
     guint64 correlation, const char *args, guint32 seq)
{
  StriaEvent event = {
    .kind = STRIA_EVENT_SLICE, .thread = thread, .ts_ns = ts, .dur_ns = dur,
    .name = intern (sink, name), .category = intern (sink, category),
    .correlation = correlation, .args = STRIA_NO_ARGS, .seq = seq,
  };

  if (args != NULL)
    event.args = sink->args (sink, seq, args, strlen (args));
  sink->events (sink, &event, 1);
}

static void
index_now (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  self->index = stria_source_index_new (self->capture, NULL, &error);
  g_assert_no_error (error);
}

/* Functions of Python on two threads, one of which calls itself; an operator, and what it launched */
static void
set_up_trace (Fixture *self, gconstpointer data)
{
  StriaSink *sink;
  guint32 process, device, one, two, stream;

  self->capture = trace_text_capture ("trace");
  sink = stria_capture_open_sink (self->capture, 0);
  process = sink->process (sink, "1", 1);
  device = sink->process (sink, "2", 1);
  one = sink->thread (sink, process, "1", 1);
  two = sink->thread (sink, process, "2", 1);
  stream = sink->thread (sink, device, "7", 1);
  add (sink, one, "run.py(3): main", "python_function", 0, 1000, 0, NULL, 0);
  add (sink, one, "net.py(9): walk", "python_function", 100, 600, 0, NULL, 1);
  add (sink, one, "aten::mm", "cpu_op", 120, 80, 0, NULL, 2);
  add (sink, one, "cudaLaunchKernel", "cuda_runtime", 130, 10, 41, NULL, 3);
  add (sink, one, "net.py(9): walk", "python_function", 250, 200, 0, NULL, 4);
  add (sink, one, "net.py(20): leaf", "python_function", 300, 50, 0, NULL, 5);
  add (sink, two, "net.py(9): walk", "python_function", 600, 300, 0, NULL, 6);
  add (sink, two, "aten::add", "cpu_op", 2000, 100, 0,
       "{\"Call stack\": \"old.py(4): f;run.py(3): main;old.py(4): f\"}", 7);
  add (sink, two, "aten::sub", "cpu_op", 2200, 100, 0, "{\"Call stack\": \"\"}", 8);
  add (sink, stream, "gemm", "kernel", 400, 250, 41, NULL, 9);
  stria_capture_close_sink (self->capture, sink, TRUE);
  index_now (self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  stria_source_index_unref (self->index);
  g_object_unref (self->capture);
}

static guint32
place_of (Fixture *self, const char *path, guint line)
{
  guint n;
  const guint32 *places = stria_source_index_places (
      self->index, stria_source_index_find_file (self->index, path), line, line, &n);

  g_test_message ("%s:%u", path, line);
  g_assert_cmpuint (n, ==, 1);
  return places[0];
}

static double
heat_of (Fixture *self, StriaSourceMetric metric, gint64 t0, gint64 t1, const char *path, guint line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSourceHeat) heat
      = stria_source_heat_new (self->index, metric, t0, t1, NULL, &error);

  g_assert_no_error (error);
  return line > 0 ? stria_source_heat_of_place (heat, place_of (self, path, line))
                  : stria_source_heat_of_file (
                        heat, stria_source_index_find_file (self->index, path));
}

static void
test_trace (Fixture *self, gconstpointer data)
{
  g_assert_true (stria_source_index_has_events (self->index));
  g_assert_false (stria_source_index_has_bytes (self->index));
  g_assert_cmpuint (stria_source_index_n_files (self->index), ==, 3);
  g_assert_cmpuint (stria_source_index_n_places (self->index), ==, 4);
  g_assert_cmpuint (stria_source_index_find_file (self->index, "gone.py"), ==, G_MAXUINT32);

  /* The stack of aten::add has a line twice, which counts once */
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 3000, "old.py", 4), ==, 100);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 3000, "run.py", 3), ==, 1100);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 3000, "net.py", 9), ==, 1100);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 3000, "net.py", 0), ==, 1150);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 400, 650, "net.py", 9), ==, 250 + 50 + 50);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_BUSY, 0, 3000, "net.py", 9), ==, 800);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_BUSY, 400, 650, "net.py", 9), ==, 250);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_OWN, 0, 3000, "run.py", 3), ==, 400);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_OWN, 0, 3000, "net.py", 9), ==, 600 - 50 + 300);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_EVENTS, 0, 3000, "net.py", 9), ==, 3);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_EVENTS, 500, 650, "net.py", 9), ==, 2);
  g_assert_true (isnan (heat_of (self, STRIA_SOURCE_TIME, 500, 650, "net.py", 20)));
  g_assert_true (isnan (heat_of (self, STRIA_SOURCE_BUSY, 500, 650, "net.py", 20)));
  g_assert_false (stria_source_metric_applies (self->index, STRIA_SOURCE_FLOPS));
  g_assert_false (stria_source_metric_applies (self->index, STRIA_SOURCE_BYTES));
}

static StriaRef
find_event (StriaTrace *trace, const char *name)
{
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c;

      g_assert_true (stria_lane_load (lane, NULL, NULL));
      c = stria_lane_get_columns (lane);
      for (guint32 i = 0; i < c->n; i++)
        if (g_str_equal (stria_trace_get_string (trace, c->name[i]), name))
          return (StriaRef){ l, i };
    }
  g_assert_not_reached ();
}

static void
check_stack (Fixture *self, const char *event, const char *expected)
{
  StriaTrace *trace = stria_source_index_get_trace (self->index);
  const StriaRef ref = find_event (trace, event);
  g_autoptr (GArray) places = stria_source_index_stack (self->index, ref);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *why = NULL;

  for (guint i = 0; i < places->len; i++)
    {
      const StriaSourcePlace place
          = stria_source_index_get_place (self->index, g_array_index (places, guint32, i));

      g_string_append_printf (text, "%s%s:%u", i > 0 ? " " : "",
                              stria_source_index_get_file (self->index, place.file), place.line);
    }
  g_test_message ("%s", event);
  g_assert_cmpstr (text->str, ==, expected);
  why = stria_source_index_why_none (self->index, ref);
  g_assert_cmpuint (strlen (why), >, 10);
}

static void
test_stacks (Fixture *self, gconstpointer data)
{
  check_stack (self, "net.py(20): leaf", "net.py:20 net.py:9 net.py:9 run.py:3");
  check_stack (self, "aten::mm", "net.py:9 run.py:3");
  check_stack (self, "aten::add", "old.py:4 run.py:3 old.py:4");
  check_stack (self, "aten::sub", "");
  /* By the call that launched it */
  check_stack (self, "gemm", "net.py:9 run.py:3");
}

static void
test_match (Fixture *self, gconstpointer data)
{
  StriaTrace *trace = stria_source_index_get_trace (self->index);
  const guint32 places[] = { place_of (self, "net.py", 9), place_of (self, "net.py", 20) };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatch) match
      = stria_source_index_match (self->index, places, 2, "net.py", NULL, &error);
  StriaMatchSums sums;

  g_assert_no_error (error);
  g_assert_true (stria_match_measure (match, &sums, NULL, NULL));
  g_assert_cmpuint (stria_match_n_events (match), ==, 4);
  g_assert_cmpuint (sums.count, ==, 4);
  g_assert_cmpint (sums.summed_ns, ==, 1150);
  g_assert_cmpint (sums.merged_ns, ==, 800);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      for (guint32 i = 0; i < c->n; i++)
        g_assert_cmpint (
            stria_match_event (match, lane, i), ==,
            g_str_has_prefix (stria_trace_get_string (trace, c->name[i]), "net.py("));
    }
}

/* -- against every event ---------------------------------------------------------------------- */

typedef struct
{
  gint64 start;
  gint64 end;
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

/* What all metrics say of each place, against the stacks of all events one by one. */
static void
check_naive (StriaSourceIndex *index, gint64 t0, gint64 t1)
{
  StriaTrace *trace = stria_source_index_get_trace (index);
  const guint n = stria_source_index_n_places (index);
  g_autoptr (StriaSourceHeat) time
      = stria_source_heat_new (index, STRIA_SOURCE_TIME, t0, t1, NULL, NULL);
  g_autoptr (StriaSourceHeat) busy
      = stria_source_heat_new (index, STRIA_SOURCE_BUSY, t0, t1, NULL, NULL);
  g_autoptr (StriaSourceHeat) events
      = stria_source_heat_new (index, STRIA_SOURCE_EVENTS, t0, t1, NULL, NULL);

  for (guint32 p = 0; p < n; p++)
    {
      g_autoptr (StriaMatch) match = stria_source_index_match (index, &p, 1, "", NULL, NULL);
      g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
      gint64 sum = 0, merged = 0, until = t0;
      double parts = 0;
      guint n_parts;
      const StriaSourcePart *part = stria_source_heat_parts (time, p, &n_parts);

      for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
        {
          StriaLane *lane = stria_trace_get_lane (trace, l);
          const StriaColumns *c = stria_lane_get_columns (lane);

          for (guint64 i = 0; c != NULL && c->dur != NULL && i < c->n; i++)
            {
              const gint64 start = c->start[i], end = start + c->dur[i];
              const Span span = { MAX (start, t0), MIN (end, t1) };

              if (!stria_match_event (match, lane, i)
                  || (start == end ? start < t0 || start > t1 : start >= t1 || end <= t0))
                continue;
              sum += span.end - span.start;
              g_array_append_val (spans, span);
            }
        }
      g_array_sort (spans, compare_spans);
      for (guint i = 0; i < spans->len; i++)
        {
          const Span *span = &g_array_index (spans, Span, i);

          merged += MAX (0, span->end - MAX (span->start, until));
          until = MAX (until, span->end);
        }
      if (spans->len == 0)
        {
          g_assert_true (isnan (stria_source_heat_of_place (time, p)));
          g_assert_true (isnan (stria_source_heat_of_place (busy, p)));
          continue;
        }
      g_assert_cmpfloat (stria_source_heat_of_place (time, p), ==, (double) sum);
      g_assert_cmpfloat (stria_source_heat_of_place (busy, p), ==, (double) merged);
      g_assert_cmpfloat (stria_source_heat_of_place (events, p), ==, spans->len);
      for (guint i = 0; i < n_parts; i++)
        parts += part[i].value;
      g_assert_cmpfloat (parts, ==, (double) sum);
    }
}

static void
test_naive (Fixture *self, gconstpointer data)
{
  check_naive (self->index, 0, 3000);
  check_naive (self->index, 350, 655);
  check_naive (self->index, 5000, 6000);
}

/* -- instructions ----------------------------------------------------------------------------- */

#define INSTRUCTIONS                                                                               \
  "start_ts|duration_ns|engine|opcode|nki_source_location|bir_debug_info_source_location|"         \
  "stack_frame_ids|kernel_instruction_name|raw_flops"

static void
set_up_rows (Fixture *self, gconstpointer data)
{
  StriaSink *sink;
  StriaNeuronEmitter *emitter;

  self->capture = trace_text_capture ("profile");
  sink = stria_capture_open_sink (self->capture, 0);
  emitter = stria_neuron_emitter_new (sink, "p");
  add_rows (emitter, "StackFrameFileName", "id|name", ROWS ("1|model.py", "2|run.py"));
  add_rows (emitter, "StackFrameFunctionName", "id|name", ROWS ("1|forward", "2|main"));
  add_rows (emitter, "StackFrameFileLocation", "id|file_name_id|function_name_id|line_number",
            ROWS ("1|1|1|12", "2|2|2|40"));
  add_rows (emitter, "StackFrame", "id|file_location_id|parent_frame_id",
            /* The third calls itself */
            ROWS ("1|1|2", "2|2|0", "3|1|3"));
  add_rows (emitter, "KernelStackFrames",
            "stack_frame_id|fully_qualified_function_name|parent_stack_frame_id|file_path|line_number",
            ROWS ("5|k.outer|-|kernel.py|30"));
  add_rows (emitter, "KernelInstructions",
            "kernel_instruction_name|stack_frame_id|file_path|line_number",
            ROWS ("I-1:9|5|kernel.py|7"));
  add_rows (emitter, "Instruction", INSTRUCTIONS,
            ROWS ("0|100|tensor|MATMUL|kernel.py:7|kernel.py:7|[1]|I-1:9|4000",
                  "50|100|vector|ADD|kernel.py:8, kernel.py:9|-|-|-|-",
                  "200|100|tensor|MATMUL|-|lower.cc:3|[2]|-|6000",
                  "300|100|scalar|ACT|-|-|[3]|-|-", "400|100|sync|WAIT|-|-|-|-|-",
                  "500|20|tensor|MATMUL|kernel.py:7|kernel.py:7|[1]|-|1000"));
  stria_neuron_emitter_free (emitter);
  stria_capture_close_sink (self->capture, sink, TRUE);
  index_now (self);
}

static void
test_rows (Fixture *self, gconstpointer data)
{
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "kernel.py", 7), ==, 120);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "kernel.py", 30), ==, 100);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "kernel.py", 9), ==, 100);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "kernel.py", 0), ==, 220);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_BUSY, 0, 1000, "kernel.py", 0), ==, 170);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "model.py", 12), ==, 220);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "run.py", 40), ==, 220);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_TIME, 0, 1000, "lower.cc", 3), ==, 100);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_OWN, 0, 1000, "lower.cc", 3), ==, 100);
  g_assert_true (isnan (heat_of (self, STRIA_SOURCE_OWN, 0, 1000, "run.py", 40)));
  g_assert_true (stria_source_metric_applies (self->index, STRIA_SOURCE_FLOPS));
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_FLOPS, 0, 1000, "kernel.py", 7), ==, 5000);
  g_assert_cmpfloat (heat_of (self, STRIA_SOURCE_FLOPS, 0, 1000, "run.py", 40), ==, 11000);
  g_assert_cmpstr (stria_source_index_get_place (self->index, place_of (self, "run.py", 40)).function,
                   ==, "main");
  check_naive (self->index, 0, 1000);
  check_naive (self->index, 60, 210);
}

static void
check_search (Fixture *self, const char *path, guint line, guint64 expected)
{
  const guint32 place = place_of (self, path, line);
  g_autoptr (StriaMatch) match
      = stria_source_index_match (self->index, &place, 1, "", NULL, NULL);
  g_autofree char *search = stria_source_index_search (self->index, &place, 1);
  g_autoptr (StriaMatch) found = NULL;

  g_assert_cmpuint (stria_match_n_events (match), ==, expected);
  g_assert_nonnull (search);
  g_test_message ("%s", search);
  found = stria_match_new_query (stria_source_index_get_trace (self->index), search, FALSE, NULL,
                                 NULL);
  g_assert_null (stria_match_get_error (found));
  g_assert_cmpuint (stria_match_n_events (found), ==, expected);
}

/* The search that is offered finds what the lines have. */
static void
test_search_rows (Fixture *self, gconstpointer data)
{
  const guint32 frame = place_of (self, "run.py", 40);

  check_search (self, "lower.cc", 3, 1);
  check_search (self, "kernel.py", 8, 1);
  check_search (self, "kernel.py", 9, 1);
  /* Only tables of frames lead there */
  g_assert_null (stria_source_index_search (self->index, &frame, 1));
}

static void
test_search_names (void)
{
  Fixture self = { 0 };
  StriaSink *sink;
  guint32 process, thread;

  self.capture = trace_text_capture ("trace");
  sink = stria_capture_open_sink (self.capture, 0);
  process = sink->process (sink, "1", 1);
  thread = sink->thread (sink, process, "1", 1);
  add (sink, thread, "a/net.py(9): walk", "python_function", 0, 100, 0, NULL, 0);
  add (sink, thread, "a/net.py(90): walk", "python_function", 200, 100, 0, NULL, 1);
  add (sink, thread, "b/a/net.py(9): walk", "python_function", 400, 100, 0, NULL, 2);
  stria_capture_close_sink (self.capture, sink, TRUE);
  index_now (&self);
  check_search (&self, "a/net.py", 9, 1);
  check_search (&self, "a/net.py", 90, 1);
  tear_down (&self, NULL);
}

/* -- a real trace, against SQL over its store ------------------------------------------------- */

typedef struct
{
  Fixture *self;
  StriaSourceHeat *time;
  StriaSourceHeat *events;
  double *sums; /* by place */
  double *counts;
} Sql;

static gboolean
take_row (guint n_columns, const char *const *columns, const StriaValue *values, gpointer user_data)
{
  Sql *sql = user_data;
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  guint line;

  if (values == NULL)
    return TRUE;
  name = g_strndup (values[0].text, values[0].length);
  if (stria_source_parse_event (name, &path, &line, NULL))
    {
      const guint32 place = place_of (sql->self, path, line);

      sql->sums[place] += (double) values[1].integer;
      sql->counts[place] += (double) values[2].integer;
    }
  return TRUE;
}

static char *
find_sample (const char *name)
{
  const char *given = g_getenv ("STRIA_SAMPLES");
  g_autofree char *root = g_test_build_filename (G_TEST_DIST, "..", "..", NULL);
  g_autofree char *base = given != NULL ? g_strdup (given)
                                        : g_build_filename (root, "..", "shared", "samples", NULL);

  return g_build_filename (base, "pytorch-trace", name, NULL);
}

static void
test_sample (void)
{
  g_autofree char *path = find_sample ("tracelens-b200-eager.json.gz");
  g_autofree char *cache = g_dir_make_tmp ("stria-heat-XXXXXX", NULL);
  g_autofree char *store = NULL;
  const char *paths[] = { path, NULL };
  g_autoptr (StriaImporter) importer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *sums = NULL;
  g_autofree double *counts = NULL;
  Fixture self = { 0 };
  Sql sql = { .self = &self };
  gint64 t0, t1;
  guint n;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the sample is not there");
      return;
    }
  g_setenv ("STRIA_CACHE_DIR", cache, TRUE);
  self.capture = stria_scan (paths, NULL, &error);
  g_assert_no_error (error);
  importer = stria_importer_new (self.capture);
  g_assert_true (stria_importer_run (importer, NULL, &error));
  store = stria_capture_dup_store_path (self.capture);
  g_assert_nonnull (store);
  index_now (&self);
  g_assert_true (
      stria_trace_get_range (stria_source_index_get_trace (self.index), &t0, &t1));
  n = stria_source_index_n_places (self.index);
  g_assert_cmpuint (n, >, 300);
  sql.sums = sums = g_new0 (double, n);
  sql.counts = counts = g_new0 (double, n);
  sql.time = stria_source_heat_new (self.index, STRIA_SOURCE_TIME, t0, t1, NULL, NULL);
  sql.events = stria_source_heat_new (self.index, STRIA_SOURCE_EVENTS, t0, t1, NULL, NULL);
  g_assert_true (stria_query (store, "SELECT name(name), sum(dur), count(*) FROM slice GROUP BY name",
                              take_row, &sql, NULL, &error));
  g_assert_no_error (error);
  for (guint32 place = 0; place < n; place++)
    {
      g_assert_cmpfloat (counts[place], >, 0);
      g_assert_cmpfloat (stria_source_heat_of_place (sql.time, place), ==, sums[place]);
      g_assert_cmpfloat (stria_source_heat_of_place (sql.events, place), ==, counts[place]);
    }
  stria_source_heat_unref (sql.time);
  stria_source_heat_unref (sql.events);
  check_naive (self.index, t0 + (t1 - t0) / 3, t0 + (t1 - t0) / 2);
  tear_down (&self, NULL);
  g_unlink (store);
  g_rmdir (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source-heat/names", test_names);
#define ADD(name, set_up, func)                                                                    \
  g_test_add ("/source-heat/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("trace", set_up_trace, test_trace);
  ADD ("stacks", set_up_trace, test_stacks);
  ADD ("match", set_up_trace, test_match);
  ADD ("naive", set_up_trace, test_naive);
  ADD ("rows", set_up_rows, test_rows);
  ADD ("search/rows", set_up_rows, test_search_rows);
  g_test_add_func ("/source-heat/search/names", test_search_names);
  g_test_add_func ("/source-heat/sample", test_sample);
  return g_test_run ();
}
