/* SPDX-License-Identifier: Apache-2.0 */
/* What a person does in the device view of a large profile: looks, zooms, pans, scrolls, colours,
 * selects, searches and groups. */
#include "config.h"

#include "bench-device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench-device-make.h"
#include "bench-figures.h"
#include "bench-picture.h"
#include "bench-run.h"
#include "stria-error.h"
#include "stria-match.h"
#include "stria-paint-flows.h"
#include "stria-stats.h"

#define ZOOMS    160
#define PLACES   5  /* zooms at which it is panned and scrolled */
#define STEPS    24 /* of each */
#define CLOSEST_NS 400
#define SEARCHES 5 /* of each */

static StriaCapture *
made_capture (guint64 n_slices)
{
  StriaCapture *capture = stria_capture_new ("/made/device.json");
  g_autoptr (StriaArtifact) artifact
    = stria_artifact_new ("/made/device.json", NULL, "device.json", n_slices, 1);

  stria_artifact_set_kind (artifact, "pytorch-trace", "Made");
  stria_artifact_set_digest (artifact, "made");
  stria_artifact_set_state (artifact, STRIA_ARTIFACT_IMPORTED, NULL);
  stria_capture_add_artifact (capture, artifact);
  return capture;
}

static gboolean
job_write (const char *argument, GError **error)
{
  const guint64 wanted = g_ascii_strtoull (argument, NULL, 10);
  g_autoptr (StriaCapture) capture = made_capture (wanted);
  const gint64 start_us = g_get_monotonic_time ();
  StriaSink *sink = stria_capture_open_sink (capture, 0);
  const guint64 n = bench_device_feed (sink, wanted);

  stria_capture_close_sink (capture, sink, TRUE);
  if (!stria_capture_write_store (capture, NULL, NULL, NULL, error))
    return FALSE;
  figure ("store_events_per_s", (double) n / seconds_since (start_us));
  return TRUE;
}

/* Memory of this process now */
static double
resident_mb (void)
{
  g_autofree char *text = NULL;
  char *end = NULL;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  g_ascii_strtoull (text, &end, 10);
  return (double) g_ascii_strtoull (end, NULL, 10) * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

static double
middle_of (GArray *times)
{
  return 1e3 * percentile (times, 0.5);
}

/* -- frames ------------------------------------------------------------------------------------ */

/* Seconds of frames: on the clock, and of the processors on all threads */
typedef struct
{
  GArray *clock;
  GArray *processor;
} Times;

static void
times_init (Times *self)
{
  self->clock = g_array_new (FALSE, FALSE, sizeof (double));
  self->processor = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
times_clear (Times *self)
{
  g_array_unref (self->clock);
  g_array_unref (self->processor);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Times, times_clear)

static void
add_frame (BenchPicture *picture, Times *times, double center, double length, double scroll)
{
  double seconds, processor = processor_seconds ();

  picture->view.t0 = (gint64) (center - length / 2);
  picture->view.t1 = picture->view.t0 + (gint64) length;
  seconds = bench_picture_paint (picture, scroll);
  processor = processor_seconds () - processor;
  g_array_append_val (times->clock, seconds);
  g_array_append_val (times->processor, processor);
}

/* From all of it to single slices; then at each of some zooms along the time, and down the lanes. */
static void
tour (BenchPicture *picture, gint64 t0, gint64 t1, Times *times)
{
  const double whole = (double) (t1 - t0), closest = log (CLOSEST_NS / whole);
  const double scroll_end = bench_picture_scroll_end (picture);

  for (guint i = 0; i < ZOOMS; i++)
    add_frame (picture, times, (double) t0 + (0.5 - 0.063 * i / ZOOMS) * whole,
               whole * exp (closest * i / (ZOOMS - 1)), 0);
  for (guint place = 0; place < PLACES; place++)
    {
      const double length = whole * exp (closest * place / PLACES);
      const double center = (double) t0 + 0.3 * whole;

      for (guint i = 0; i < STEPS; i++)
        add_frame (picture, times, center + i * length / 20, length, 0);
      for (guint i = 0; i < STEPS; i++)
        add_frame (picture, times, center, length, scroll_end * i / (STEPS - 1));
    }
}

static void
report_frames (const char *what, int height, Times *times)
{
  static const struct
  {
    const char *name;
    double share;
  } shares[] = { { "p50", 0.5 }, { "p95", 0.95 }, { "max", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%d_%s_ms", what, height, shares[i].name);

      figure (name, 1e3 * percentile (times->clock, shares[i].share));
    }
  g_autofree char *name = g_strdup_printf ("%s_%d_processor_ms", what, height);
  figure (name, 1e3 * percentile (times->processor, 0.95));
}

static gboolean
measure_colors (StriaTrace *trace, BenchPicture *picture, gint64 t0, gint64 t1, GError **error)
{
  static const struct
  {
    StriaColorBy by;
    const char *what;
  } modes[] = { { STRIA_COLOR_BY_NAME, "name" },
                { STRIA_COLOR_BY_OPERATOR, "operator" },
                { STRIA_COLOR_BY_STALL, "stall" } };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (StriaColoring) coloring = NULL;
      g_auto (Times) times;

      times_init (&times);
      if (modes[i].by != STRIA_COLOR_BY_NAME)
        {
          const gint64 start_us = g_get_monotonic_time ();
          g_autofree char *name = g_strdup_printf ("load_%s_ms", modes[i].what);

          coloring = stria_coloring_new (trace, modes[i].by, 0);
          if (!stria_coloring_load (coloring, NULL, NULL, NULL, error))
            return FALSE;
          figure (name, 1e3 * seconds_since (start_us));
        }
      picture->view.coloring = coloring;
      tour (picture, t0, t1, &times);
      report_frames (modes[i].what, picture->height, &times);
      picture->view.coloring = NULL;
    }
  return TRUE;
}

/* With a search: what does not match is dimmed. */
static void
measure_search_frames (StriaTrace *trace, BenchPicture *picture, gint64 t0, gint64 t1)
{
  static const char *const texts[] = { "MatMult", "I-1999", "nothing of the kind" };
  g_auto (Times) times;

  times_init (&times);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      picture->view.match = stria_match_new_names (trace, texts[i]);
      tour (picture, t0, t1, &times);
      g_clear_pointer (&picture->view.match, stria_match_unref);
    }
  report_frames ("match", picture->height, &times);
}

/* The least that a frame of this size costs: every pixel is written once. */
static void
measure_fill (BenchPicture *picture)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *name = g_strdup_printf ("fill_%d_ms", picture->height);

  for (guint i = 0; i < 21; i++)
    {
      const gint64 start_us = g_get_monotonic_time ();
      double seconds;

      cairo_set_source_rgb (picture->cr, i / 20.0, 0.5, 0.5);
      cairo_paint (picture->cr);
      cairo_surface_flush (picture->surface);
      seconds = seconds_since (start_us);
      g_array_append_val (times, seconds);
    }
  figure (name, middle_of (times));
}

static gboolean
measure_frames (StriaTrace *trace, int width, int height, GError **error)
{
  g_auto (BenchPicture) picture;
  gint64 t0 = 0, t1 = 0;

  bench_picture_init (&picture, trace, width, height);
  stria_trace_get_range (trace, &t0, &t1);
  measure_fill (&picture);
  if (!measure_colors (trace, &picture, t0, t1, error))
    return FALSE;
  measure_search_frames (trace, &picture, t0, t1);
  return TRUE;
}

/* -- questions --------------------------------------------------------------------------------- */

/* The plainest answer to a selection: one pass over what it needs, one sum. */
static void
measure_scan (StriaTrace *trace)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  guint64 sum = 0;

  for (guint i = 0; i < 7; i++)
    {
      const gint64 start_us = g_get_monotonic_time ();
      double seconds;

      for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
        {
          const StriaColumns *c = stria_lane_get_columns (stria_trace_get_lane (trace, l));

          for (guint64 e = 0; c->dur != NULL && e < c->n; e++)
            sum += (guint64) (c->start[e] + c->dur[e]) + c->name[e] + c->category[e] + c->parent[e];
        }
      __asm__ volatile ("" : : "r" (sum) : "memory");
      seconds = seconds_since (start_us);
      g_array_append_val (times, seconds);
    }
  figure ("scan_ms", middle_of (times));
}

static gboolean
select_box (StriaTrace *trace, gint64 t0, gint64 t1, const char *name, guint n, GError **error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n; i++)
    {
      const gint64 start_us = g_get_monotonic_time ();
      g_autoptr (StriaStats) stats = stria_stats_new (trace, NULL, 0, t0 + i, t1 - i, NULL, error);
      const double seconds = seconds_since (start_us);

      if (stats == NULL)
        return FALSE;
      g_array_append_val (times, seconds);
    }
  figure (name, middle_of (times));
  return TRUE;
}

static gboolean
measure_selection (StriaTrace *trace, GError **error)
{
  const double before = resident_mb ();
  gint64 t0 = 0, t1 = 0, start_us = 0;

  stria_trace_get_range (trace, &t0, &t1);
  measure_scan (trace);
  if (!select_box (trace, t0, t1, "box_cold_ms", 1, error))
    return FALSE;
  figure ("box_mb", resident_mb () - before);
  if (!select_box (trace, t0, t1, "box_ms", 21, error)
      || !select_box (trace, t0 + (t1 - t0) / 3, t0 + (t1 - t0) / 10 * 9, "box_part_ms", 21, error)
      || !select_box (trace, t0 + (t1 - t0) / 3, t0 + (t1 - t0) / 100 * 35, "box_small_ms", 21, error))
    return FALSE;
  g_autoptr (StriaStats) stats = stria_stats_new (trace, NULL, 0, t0, t1, NULL, error);
  start_us = g_get_monotonic_time ();
  if (stats == NULL || !stria_stats_percentiles (stats, trace, NULL, 0, NULL, error))
    return FALSE;
  figure ("percentiles_ms", 1e3 * seconds_since (start_us));
  return TRUE;
}

typedef struct
{
  const char *what;
  const char *text;
} Search;

/* From the text to the number of its events, to the first of them, to the next one, and to the time
 * that all of them take */
static gboolean
measure_search (StriaTrace *trace, const Search *search, gint64 from_ns, GError **error)
{
  static const char *const steps[] = { "count", "first", "next", "sums" };
  double times[G_N_ELEMENTS (steps)][SEARCHES];
  guint64 n = 0;

  for (guint i = 0; i < SEARCHES; i++)
    {
      gint64 start_us = g_get_monotonic_time ();
      g_autoptr (StriaMatch) match = stria_match_needs_events (search->text)
                                       ? stria_match_new_query (trace, search->text, FALSE, NULL, error)
                                       : stria_match_new_names (trace, search->text);
      double seconds = seconds_since (start_us);
      StriaMatchSums sums;
      StriaRef ref;
      guint64 ordinal = 0;

      if (match == NULL)
        return FALSE;
      times[0][i] = 1e3 * seconds;
      n = stria_match_n_events (match);
      start_us = g_get_monotonic_time ();
      ref = stria_match_next (match, STRIA_REF_NONE, from_ns, TRUE, &ordinal);
      seconds = seconds_since (start_us);
      times[1][i] = 1e3 * seconds;
      start_us = g_get_monotonic_time ();
      stria_match_next (match, ref, from_ns, TRUE, &ordinal);
      seconds = seconds_since (start_us);
      times[2][i] = 1e3 * seconds;
      start_us = g_get_monotonic_time ();
      if (!stria_match_measure (match, &sums, NULL, error))
        return FALSE;
      seconds = seconds_since (start_us);
      times[3][i] = 1e3 * seconds;
    }
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      g_autofree char *name = g_strdup_printf ("search_%s_%s_ms", search->what, steps[k]);

      qsort (times[k], SEARCHES, sizeof (double), compare_doubles);
      figure (name, times[k][SEARCHES / 2]);
    }
  g_autofree char *name = g_strdup_printf ("search_%s_n", search->what);
  figure (name, (double) n);
  return TRUE;
}

static const Search searches[] = {
  { "plain", "matmult" },
  { "rare", "I-1999" },
  { "regex", "/^(MatMult|Copy).*,(128|256)\\] I-1[0-9]*$/" },
  { "field", "category:instruction name:Activation lane:Vector" },
  { "number", "arg:evt_wait_time_ns>20000" },
};

static gboolean
measure_searches (StriaTrace *trace, GError **error)
{
  const double before = resident_mb ();
  gint64 t0 = 0, t1 = 0;

  stria_trace_get_range (trace, &t0, &t1);
  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    if (!measure_search (trace, &searches[i], t0 + (t1 - t0) / 2, error))
      return FALSE;
  figure ("search_mb", MAX (resident_mb () - before, 0));
  return TRUE;
}

static void
measure_grouping (StriaTrace *trace)
{
  g_auto (BenchPicture) picture;
  double worst = 0;

  bench_picture_init (&picture, trace, 1920, 1080);
  bench_picture_paint (&picture, 0);
  for (guint i = 1; i <= STRIA_N_GROUPINGS; i++)
    {
      const gint64 start_us = g_get_monotonic_time ();

      stria_timeline_layout_set_grouping (picture.layout, (StriaGrouping) (i % STRIA_N_GROUPINGS));
      bench_picture_paint (&picture, 0);
      worst = MAX (worst, seconds_since (start_us));
    }
  figure ("grouping_ms", 1e3 * worst);
}

static void
measure_arrows (StriaTrace *trace)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (BenchPicture) picture;
  StriaFlowCount count = { 0 };
  gsize n;
  gint64 start_us = g_get_monotonic_time ();

  stria_trace_get_flows (trace, &n);
  figure ("arrows_read_ms", 1e3 * seconds_since (start_us));
  bench_picture_init (&picture, trace, 1920, 1080);
  stria_trace_get_range (trace, &picture.view.t0, &picture.view.t1);
  for (guint i = 0; i < 21; i++)
    {
      double seconds;

      start_us = g_get_monotonic_time ();
      /* Only arrows of what is seen count: of all lanes, in a picture that is high enough */
      stria_timeline_paint_flows (picture.cr, &picture.view, 1920,
                                  stria_timeline_layout_height (picture.layout), 0, 0, 1920, &count);
      seconds = seconds_since (start_us);
      g_array_append_val (times, seconds);
    }
  figure ("arrows_ms", middle_of (times));
  figure ("arrows", (double) count.n_visible);
  figure ("arrows_lines", (double) count.n_lines);
}

/* -- jobs -------------------------------------------------------------------------------------- */

static gboolean
job_open (const char *argument, GError **error)
{
  g_autoptr (StriaCapture) capture = made_capture (g_ascii_strtoull (argument, NULL, 10));
  const double before = resident_mb ();
  gint64 start_us = g_get_monotonic_time ();

  if (!stria_capture_open_store (capture, error))
    return FALSE;
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  {
    g_auto (BenchPicture) picture;

    bench_picture_init (&picture, trace, 1920, 1080);
    bench_picture_paint (&picture, 0);
  }
  figure ("first_ms", 1e3 * seconds_since (start_us));
  if (!stria_trace_load_all (trace, NULL, error))
    return FALSE;
  figure ("all_ms", 1e3 * seconds_since (start_us));
  figure ("columns_mb", resident_mb () - before);
  if (!measure_selection (trace, error) || !measure_searches (trace, error))
    return FALSE;
  measure_grouping (trace);
  measure_arrows (trace);
  return TRUE;
}

static gboolean
job_frames (const char *argument, GError **error)
{
  g_autoptr (StriaCapture) capture = made_capture (g_ascii_strtoull (argument, NULL, 10));

  if (!stria_capture_open_store (capture, error))
    return FALSE;
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  return stria_trace_load_all (trace, NULL, error) && measure_frames (trace, 1920, 1080, error)
         && measure_frames (trace, 3840, 2160, error);
}

gboolean
bench_device_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "device-write"))
    return job_write (argument, error);
  if (g_str_equal (name, "device-frames"))
    return job_frames (argument, error);
  return job_open (argument, error);
}

/* -- report ------------------------------------------------------------------------------------ */

static void
print_frames (const char *title, Figures *figures, int height)
{
  static const struct
  {
    const char *what;
    const char *words;
  } modes[] = { { "name", "coloured by name" },
                { "operator", "by operator" },
                { "stall", "by stall" },
                { "match", "with a search" } };
  g_autofree char *fill = g_strdup_printf ("fill_%d_ms", height);
  const double reference = median (figures, fill);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint k = 0; k < 4; k++)
      {
        static const char *const shares[] = { "p50", "p95", "max", "processor" };
        g_autofree char *name
          = g_strdup_printf ("%s_%d_%s_ms", modes[i].what, height, shares[k]);
        g_autofree char *words = g_strdup_printf ("frame %d lines, %s, %s", height, modes[i].words,
                                                  k == 2   ? "worst"
                                                  : k == 3 ? "p95 of the processors' time"
                                                           : shares[k]);

        print_number (title, words, median (figures, name), "ms",
                      k == 1 ? "aim: under 8" : "");
      }
  g_autofree char *words = g_strdup_printf ("frame %d lines, one colour", height);
  g_autofree char *p95 = g_strdup_printf ("name_%d_p95_ms", height);
  print_number (title, words, reference, "ms", "");
  print_number (title, "  p95 by name over it", median (figures, p95) / reference, "x", "");
}

static void
print_searches (const char *title, Figures *figures)
{
  static const struct
  {
    const char *step;
    const char *words;
    const char *aim;
  } steps[] = { { "count", "to its number of events", "aim: under 50" },
                { "first", "then to the first one", "" },
                { "next", "and to the next", "" },
                { "sums", "the time they take", "" } };

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      g_autofree char *n = g_strdup_printf ("search_%s_n", searches[i].what);
      g_autofree char *head = g_strdup_printf ("search: %s", searches[i].text);

      print_number (title, head, median (figures, n), "events", "");
      for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
        {
          g_autofree char *name
            = g_strdup_printf ("search_%s_%s_ms", searches[i].what, steps[k].step);
          g_autofree char *words = g_strdup_printf ("  %s, %s", searches[i].what, steps[k].words);

          print_number (title, words, median (figures, name), "ms", steps[k].aim);
        }
    }
}

gboolean
bench_device (int slices_million)
{
  g_autofree char *count = g_strdup_printf ("%d", slices_million * 1000000);
  g_autofree char *title
    = g_strdup_printf ("device view of %d million slices on 64 lanes", slices_million);
  g_autoptr (GHashTable) written = figures_new ();
  g_autoptr (GHashTable) read = NULL;
  g_autoptr (GHashTable) frames = NULL;

  print_section (title);
  if (!run_job (written, "device-write", count))
    return FALSE;
  if (!run_all (count, "device", &read, "device-frames", &frames, NULL))
    return FALSE;
  print_number (title, "events to a finished store", median (written, "store_events_per_s") / 1e6,
                "M/s", "");
  print_number (title, "open, to a first frame", median (read, "first_ms"), "ms", "");
  print_number (title, "open, all lanes", median (read, "all_ms"), "ms", "");
  print_number (title, "memory with all lanes", median (read, "columns_mb"), "MB", "");
  print_frames (title, frames, 1080);
  print_frames (title, frames, 2160);
  print_number (title, "keys of operators, loaded", median (frames, "load_operator_ms"), "ms", "");
  print_number (title, "keys of stalls, loaded", median (frames, "load_stall_ms"), "ms", "");
  print_number (title, "box over everything", median (read, "box_ms"), "ms", "aim: under 50");
  print_number (title, "  the first one", median (read, "box_cold_ms"), "ms", "aim: under 50");
  print_number (title, "  memory that it leaves", median (read, "box_mb"), "MB", "");
  print_number (title, "box over half of the time", median (read, "box_part_ms"), "ms", "");
  print_number (title, "box over a sixtieth", median (read, "box_small_ms"), "ms", "");
  print_number (title, "percentiles of everything", median (read, "percentiles_ms"), "ms", "");
  print_number (title, "one pass over the columns, one thread", median (read, "scan_ms"), "ms", "");
  print_number (title, "  box over it", median (read, "box_ms") / median (read, "scan_ms"), "x", "");
  print_searches (title, read);
  print_number (title, "memory that searches leave", median (read, "search_mb"), "MB", "");
  print_number (title, "another grouping, with its picture", median (read, "grouping_ms"), "ms",
                "aim: under 300");
  print_number (title, "arrows in sight", median (read, "arrows"), "", "");
  print_number (title, "  lines they are drawn as", median (read, "arrows_lines"), "", "");
  print_number (title, "  read for the first time", median (read, "arrows_read_ms"), "ms", "");
  print_number (title, "  drawn", median (read, "arrows_ms"), "ms", "");
  print_number (title, "peak of memory", median (read, "peak_mb"), "MB", "");
  return TRUE;
}
