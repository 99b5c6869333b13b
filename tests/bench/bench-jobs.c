/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-jobs.h"

#include <math.h>
#include <stdio.h>
#include <yajl/yajl_parse.h>

#include "bench-arrows.h"
#include "bench-device.h"
#include "bench-executorch.h"
#include "bench-figures.h"
#include "bench-graph.h"
#include "bench-make.h"
#include "bench-ntff.h"
#include "bench-parquet.h"
#include "bench-picture.h"
#include "bench-scan.h"
#include "bench-snapshot.h"
#include "stria-error.h"
#include "stria-importer.h"
#include "stria-match.h"
#include "stria-scan.h"
#include "stria-stats.h"

#define WIDTH    1600
#define HEIGHT   900
#define N_LANES  50
#define REPEATS  21

/* -- import ----------------------------------------------------------------------------------- */

typedef struct
{
  StriaImporter *importer;
  GError        *error;
  gboolean       good;
} Run;

static gpointer
run_importer (gpointer data)
{
  Run *run = data;

  run->good = stria_importer_run (run->importer, NULL, &run->error);
  return NULL;
}

/* From the name of a file to the first full picture, and to a finished store */
static gboolean
job_trace (const char *path, GError **error)
{
  const char *const paths[] = { path, NULL };
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);
  Run run = { 0 };
  GThread *thread;

  if (capture == NULL)
    return FALSE;
  run.importer = stria_importer_new (capture);
  stria_importer_set_reimport (run.importer, TRUE);
  thread = g_thread_new ("import", run_importer, &run);
  while (stria_importer_get_picture_us (run.importer) < 0 && g_atomic_int_get (&run.good) == 0
         && run.error == NULL)
    g_usleep (200);
  {
    g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
    g_auto (BenchPicture) picture;

    bench_picture_init (&picture, trace, WIDTH, HEIGHT);
    figure ("columns_s", seconds_since (start_us));
    stria_timeline_paint (picture.cr, &picture.view, WIDTH, HEIGHT);
    cairo_surface_flush (picture.surface);
    figure ("picture_s", seconds_since (start_us));
    figure ("events", (double) stria_trace_get_n_events (trace));
  }
  g_thread_join (thread);
  figure ("store_s", seconds_since (start_us));
  g_object_unref (run.importer);
  if (!run.good)
    g_propagate_error (error, run.error);
  return run.good;
}

static int
on_yajl (void *data)
{
  (*(guint64 *) data)++;
  return 1;
}

static int
on_yajl_text (void *data, const unsigned char *text, size_t length)
{
  return on_yajl (data);
}

static int
on_yajl_number (void *data, const char *text, size_t length)
{
  return on_yajl (data);
}

static int
on_yajl_boolean (void *data, int value)
{
  return on_yajl (data);
}

/* The reference: yajl with callbacks that only count, over bytes that are in memory */
static gboolean
job_yajl (const char *path, GError **error)
{
  static const yajl_callbacks callbacks = {
    .yajl_null = on_yajl,
    .yajl_boolean = on_yajl_boolean,
    .yajl_number = on_yajl_number,
    .yajl_string = on_yajl_text,
    .yajl_start_map = on_yajl,
    .yajl_map_key = on_yajl_text,
    .yajl_end_map = on_yajl,
    .yajl_start_array = on_yajl,
    .yajl_end_array = on_yajl,
  };
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  const guint8 *data;
  gsize length;
  guint64 tokens = 0;
  gint64 start_us;
  yajl_handle yajl;
  yajl_status status = yajl_status_ok;

  if (file == NULL)
    return FALSE;
  data = (const guint8 *) g_mapped_file_get_contents (file);
  length = g_mapped_file_get_length (file);
  yajl = yajl_alloc (&callbacks, NULL, &tokens);
  start_us = g_get_monotonic_time ();
  for (gsize at = 0; at < length && status == yajl_status_ok; at += 1 << 18)
    status = yajl_parse (yajl, data + at, MIN (length - at, (gsize) 1 << 18));
  if (status == yajl_status_ok)
    status = yajl_complete_parse (yajl);
  figure ("yajl_s", seconds_since (start_us));
  figure ("text_mb", (double) length / 1e6);
  yajl_free (yajl);
  if (status != yajl_status_ok)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED, "%s: yajl refuses it", path);
  return status == yajl_status_ok;
}

/* -- ten million slices ----------------------------------------------------------------------- */

/* A capture of a file that is not there: what is measured begins behind the decoder. */
static StriaCapture *
made_capture (guint64 n_slices)
{
  StriaCapture *capture = stria_capture_new ("/made/columns.json");
  g_autoptr (StriaArtifact) artifact =
    stria_artifact_new ("/made/columns.json", NULL, "columns.json", n_slices, 1);

  stria_artifact_set_kind (artifact, "pytorch-trace", "Made");
  stria_artifact_set_digest (artifact, "made");
  stria_artifact_set_state (artifact, STRIA_ARTIFACT_IMPORTED, NULL);
  stria_capture_add_artifact (capture, artifact);
  return capture;
}

static gboolean
job_write_columns (const char *argument, GError **error)
{
  guint64 wanted = g_ascii_strtoull (argument, NULL, 10);
  g_autoptr (StriaCapture) capture = made_capture (wanted);
  gint64 start_us = g_get_monotonic_time ();
  StriaSink *sink = stria_capture_open_sink (capture, 0);
  guint64 n = bench_feed_columns (sink, wanted, N_LANES);
  double seconds;

  stria_capture_close_sink (capture, sink, TRUE);
  seconds = seconds_since (start_us);
  figure ("columns_s", seconds);
  figure ("columns_events_per_s", (double) n / seconds);
  if (!stria_capture_write_store (capture, NULL, NULL, NULL, error))
    return FALSE;
  seconds = seconds_since (start_us);
  figure ("store_s", seconds);
  figure ("store_events_per_s", (double) n / seconds);
  return TRUE;
}

/* Zooms from the whole range to a microsecond and back, then pans and scrolls at several zooms. */
static void
measure_frames (BenchPicture *picture, gint64 t0, gint64 t1)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  double whole = (double) (t1 - t0);
  double scroll_end = MAX (0, stria_timeline_layout_height (picture->layout) - HEIGHT);
  double ratio = 1000.0 / whole;

  for (guint i = 0; i < 800; i++)
    {
      double share = i < 400 ? i / 399.0 : (i - 400) / 80 / 5.0 + 0.1;
      double length = whole * pow (ratio, share);
      double center = i < 400 ? 0.437 * whole
                              : 0.3 * whole + (i - 400) % 80 * length * 0.02;
      double scroll = i < 400 ? 0 : scroll_end * ((i - 400) % 80) / 80.0;
      gint64 start_us;
      double ms;

      picture->view.t0 = t0 + (gint64) (center - length / 2);
      picture->view.t1 = picture->view.t0 + MAX (1000, (gint64) length);
      start_us = g_get_monotonic_time ();
      bench_picture_paint (picture, scroll);
      ms = 1e3 * seconds_since (start_us);
      g_array_append_val (times, ms);
    }
  figure ("frame_p50_ms", percentile (times, 0.5));
  figure ("frame_p95_ms", percentile (times, 0.95));
  figure ("frame_max_ms", percentile (times, 1));
}

static gboolean
measure_stats (StriaTrace *trace, gint64 t0, gint64 t1, GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) full = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < REPEATS / 3; i++)
    {
      gint64 start_us = g_get_monotonic_time ();
      g_autoptr (StriaStats) stats = stria_stats_new (trace, NULL, 0, t0, t1, NULL, error);
      double ms = 1e3 * seconds_since (start_us);

      if (stats == NULL)
        return FALSE;
      g_array_append_val (plain, ms);
      if (!stria_stats_percentiles (stats, trace, NULL, 0, NULL, error))
        return FALSE;
      ms = 1e3 * seconds_since (start_us);
      g_array_append_val (full, ms);
    }
  figure ("stats_ms", percentile (plain, 0.5));
  figure ("stats_percentiles_ms", percentile (full, 0.5));
  return TRUE;
}

static void
measure_search (StriaTrace *trace)
{
  static const char *const texts[] = { "kernel_1", "9<", "float, 3", "KERNEL_00017", "nothing" };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < REPEATS; i++)
    {
      gint64 start_us = g_get_monotonic_time ();
      g_autoptr (StriaMatch) match = stria_match_new_names (trace, texts[i % G_N_ELEMENTS (texts)]);
      double ms = 1e3 * seconds_since (start_us);

      g_assert (match != NULL);
      g_array_append_val (times, ms);
    }
  figure ("search_ms", percentile (times, 0.5));
}

static gboolean
job_read_columns (const char *argument, GError **error)
{
  g_autoptr (StriaCapture) capture = made_capture (g_ascii_strtoull (argument, NULL, 10));
  gint64 start_us = g_get_monotonic_time ();
  gint64 t0, t1;

  if (!stria_capture_open_store (capture, error))
    return FALSE;
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  g_auto (BenchPicture) picture;
  bench_picture_init (&picture, trace, WIDTH, HEIGHT);
  stria_timeline_paint (picture.cr, &picture.view, WIDTH, HEIGHT);
  cairo_surface_flush (picture.surface);
  figure ("reopen_ms", 1e3 * seconds_since (start_us));

  if (!stria_trace_load_all (trace, NULL, error))
    return FALSE;
  figure ("reopen_all_lanes_ms", 1e3 * seconds_since (start_us));
  stria_trace_get_range (trace, &t0, &t1);
  measure_frames (&picture, t0, t1);
  measure_search (trace);
  return measure_stats (trace, t0, t1, error);
}

gboolean
bench_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "trace"))
    return job_trace (argument, error);
  if (g_str_equal (name, "yajl"))
    return job_yajl (argument, error);
  if (g_str_equal (name, "write-columns"))
    return job_write_columns (argument, error);
  if (g_str_equal (name, "read-columns"))
    return job_read_columns (argument, error);
  if (g_str_equal (name, "graph") || g_str_equal (name, "dot"))
    return bench_graph_job (name, argument, error);
  if (g_str_equal (name, "arrows"))
    return bench_arrows_job (argument, error);
  if (g_str_has_prefix (name, "device"))
    return bench_device_job (name, argument, error);
  if (g_str_has_prefix (name, "executorch"))
    return bench_executorch_job (name, argument, error);
  if (g_str_has_prefix (name, "ntff"))
    return bench_ntff_job (name, argument, error);
  if (g_str_has_prefix (name, "scan"))
    return bench_scan_job (name, argument, error);
  if (g_str_has_prefix (name, "parquet"))
    return bench_parquet_job (name, argument, error);
  return bench_snapshot_job (name, argument, error);
}
