/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <cairo.h>
#include <string.h>
#include <sys/resource.h>

#include "bench-figures.h"
#include "bench-snapshot.h"
#include "stria-alloc-painter.h"
#include "stria-error.h"
#include "stria-importer.h"
#include "stria-scan.h"

#define WIDTH  1600
#define HEIGHT 800
#define FRAMES 60
#define JUMPS  100

/* -- the least that a reader can do ----------------------------------------------------------- */

/* Length of the operation at @p, 0 when the text ends in it. */
static inline gsize
operation_length (const guint8 *p, gsize left)
{
  guint32 length;
  gsize   n;

  switch (*p)
    {
    case 'K': case 'h': case 'q': case 0x80:
      return 2;
    case 'M':
      return 3;
    case 'J': case 'j': case 'r':
      return 5;
    case 'G': case 0x95:
      return 9;
    case 0x8a: case 0x8c:
      if (left < 2)
        return 0;
      n = 2 + (gsize) p[1];
      return n <= left ? n : 0;
    case 'X':
      if (left < 5)
        return 0;
      memcpy (&length, p + 1, 4);
      n = 5 + (gsize) length;
      return n <= left ? n : 0;
    default:
      return 1;
    }
}

static gboolean
job_walk (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  guint64                 counts[256] = { 0 };
  guint64                 n = 0;
  gint64                  start_us = g_get_monotonic_time ();

  if (file == NULL)
    return FALSE;
  const guint8 *p = (const guint8 *) g_mapped_file_get_contents (file);
  gsize         left = g_mapped_file_get_length (file);
  gsize         size = left;

  while (left > 0)
    {
      gsize used = operation_length (p, left);

      if (used == 0 || used > left)
        break;
      counts[*p]++;
      p += used;
      left -= used;
      n++;
    }
  figure ("walk_s", seconds_since (start_us));
  figure ("file_mb", (double) size / 1e6);
  figure ("operations", (double) n);
  figure ("gets", (double) (counts['h'] + counts['j']));
  return TRUE;
}

static gboolean
job_python (const char *path, GError **error)
{
  static const char program[]
      = "import gc, pickle, resource, sys, time\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "gc.disable()\n"
        "start = time.perf_counter()\n"
        "kept = pickle.loads(data)\n"
        "print('python_s', time.perf_counter() - start)\n"
        "print('python_mb', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,"
        " flush=True)\n"
        "import os; os._exit(0)\n";
  const char *const argv[] = { "python3", "-c", program, path, NULL };
  g_autofree char  *out = NULL;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL,
                     error))
    return FALSE;
  fputs (out, stdout);
  fflush (stdout);
  return TRUE;
}

/* -- import ----------------------------------------------------------------------------------- */

static StriaSnapshotData *
snapshot_of (StriaCapture *capture)
{
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (capture);

  return snapshots->len > 0 ? stria_snapshot_data_ref (snapshots->pdata[0]) : NULL;
}

/* Bytes of what was read, each once: columns of events and of lives, frames of stacks */
static double
result_bytes (StriaSnapshotData *data)
{
  double bytes = 0;

  for (guint i = 0; i < stria_snapshot_get_n_devices (data); i++)
    {
      StriaAllocator *allocator = stria_snapshot_get_device (data, i);

      /* action, address, size, stream, pool, time, stack, element; bytes at the step */
      bytes += (1 + 8 + 8 + 2 + 2 + 8 + 4 + 4 + 8)
               * (double) stria_allocator_get_n_events (allocator);
      /* birth, death, request, version, size, rounded */
      bytes += (4 * 4 + 8 + 8) * (double) stria_allocator_get_n_elements (allocator);
    }
  for (guint32 s = 0; s < stria_snapshot_get_n_stacks (data); s++)
    {
      guint32 n;

      stria_snapshot_get_stack (data, s, &n);
      bytes += 8 + 4.0 * n;
    }
  return bytes;
}

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

static double
peak_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss * 1024 / 1e6;
}

/* From the name of a file to the answers, and to a finished store */
static gboolean
job_import (const char *path, GError **error)
{
  const char *const        paths[] = { path, NULL };
  gint64                   start_us = g_get_monotonic_time ();
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);
  g_autoptr (StriaSnapshotData) data = NULL;
  Run                      run = { 0 };
  GThread                 *thread;

  if (capture == NULL)
    return FALSE;
  run.importer = stria_importer_new (capture);
  stria_importer_set_reimport (run.importer, TRUE);
  thread = g_thread_new ("import", run_importer, &run);
  while ((data = snapshot_of (capture)) == NULL)
    g_usleep (1000);
  figure ("answers_s", seconds_since (start_us));
  figure ("answers_mb", peak_mb ());
  g_thread_join (thread);
  figure ("store_s", seconds_since (start_us));
  figure ("result_mb", result_bytes (data) / 1e6);
  g_object_unref (run.importer);
  if (run.error != NULL)
    g_propagate_error (error, run.error);
  return run.good;
}

/* -- answers ---------------------------------------------------------------------------------- */

static void
tell (const char *name, GArray *times)
{
  g_autofree char *p50 = g_strconcat (name, "_p50_ms", NULL);
  g_autofree char *p95 = g_strconcat (name, "_p95_ms", NULL);

  figure (p50, percentile (times, 0.5));
  figure (p95, percentile (times, 0.95));
  g_array_set_size (times, 0);
}

/* What is seen in frame number @i of a walk: into the trace by the wheel, along, and out again. */
static void
frame_range (guint32 n_events, guint i, gint64 *x0, gint64 *x1)
{
  double share = i < FRAMES / 2 ? i / (FRAMES / 2.0) : (FRAMES - i) / (FRAMES / 2.0);
  double width = n_events;

  for (guint k = 0; k < (guint) (share * 30); k++)
    width *= 0.8;
  *x0 = (gint64) ((0.2 + 0.4 * i / FRAMES) * (n_events - width));
  *x1 = *x0 + MAX ((gint64) width, 1);
}

/* Each frame is plotted as its picture does it, and then painted, for which it is plotted anew: what is
 * told of painting is the difference. */
static void
measure_frames (StriaAllocator *allocator)
{
  g_autoptr (GArray) plots = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) paints = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) pictures = g_array_new (FALSE, FALSE, sizeof (double));
  guint32            n = stria_allocator_get_n_events (allocator);
  cairo_surface_t   *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t           *cr = cairo_create (surface);
  StriaAllocView     view;
  StriaAllocFrameBox box;

  stria_alloc_view_init (&view, allocator, FALSE);
  stria_alloc_plot_box (&view, WIDTH, HEIGHT, &box);
  for (guint i = 0; i < FRAMES; i++)
    {
      gint64 start_us = g_get_monotonic_time ();

      frame_range (n, i, &view.x0, &view.x1);
      G_GNUC_UNUSED g_autoptr (StriaPlot) plot = stria_allocator_plot (
          allocator, STRIA_PLOT_BLOCKS, FALSE, view.x0, view.x1, (guint) box.width, 0,
          stria_alloc_plot_top (&view), (guint) box.height, NULL, NULL);
      double plot_ms = 1e3 * seconds_since (start_us);

      start_us = g_get_monotonic_time ();
      stria_alloc_paint_plot (cr, &view, WIDTH, HEIGHT);
      cairo_surface_flush (surface);
      double picture_ms = 1e3 * seconds_since (start_us);
      double paint_ms = MAX (picture_ms - plot_ms, 0);
      g_array_append_val (plots, plot_ms);
      g_array_append_val (paints, paint_ms);
      g_array_append_val (pictures, picture_ms);
    }
  tell ("plot", plots);
  tell ("paint", paints);
  tell ("picture", pictures);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
measure_jumps (StriaAllocator *allocator)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GRand)  random = g_rand_new_with_seed (7);
  guint32            n = stria_allocator_get_n_events (allocator);

  for (guint i = 0; i < JUMPS; i++)
    {
      guint32          step = (guint32) g_rand_int_range (random, 0, (gint32) n);
      gint64           start_us = g_get_monotonic_time ();
      StriaAllocTotals totals;

      stria_allocator_totals (allocator, step, &totals);
      G_GNUC_UNUSED g_autoptr (GArray)   live = stria_allocator_live (allocator, step);
      G_GNUC_UNUSED g_autoptr (StriaMap) map = stria_allocator_map (allocator, step, NULL, NULL);
      double ms = 1e3 * seconds_since (start_us);
      g_array_append_val (times, ms);
    }
  tell ("jump", times);
}

static void
measure_groups (StriaAllocator *allocator)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GRand)  random = g_rand_new_with_seed (8);
  guint32            n = stria_allocator_get_n_events (allocator);

  for (guint i = 0; i < 9; i++)
    {
      guint32            step = (guint32) g_rand_int_range (random, 0, (gint32) n);
      gint64             start_us = g_get_monotonic_time ();
      G_GNUC_UNUSED g_autoptr (GArray) rows
          = stria_allocator_group (allocator, STRIA_GROUP_STACK, step, 0, NULL, NULL);
      double ms = 1e3 * seconds_since (start_us);
      g_array_append_val (times, ms);
    }
  tell ("group", times);
  for (guint i = 0; i < 9; i++)
    {
      guint32            step = (guint32) g_rand_int_range (random, 0, (gint32) n);
      gint64             start_us = g_get_monotonic_time ();
      G_GNUC_UNUSED g_autoptr (GArray) nodes = stria_allocator_flame (allocator, step, step, TRUE, NULL, NULL);
      double ms = 1e3 * seconds_since (start_us);
      g_array_append_val (times, ms);
    }
  tell ("flame", times);
  for (guint i = 0; i < 9; i++)
    {
      StriaAllocFilter   filter = { .max_size = G_MAXUINT64, .text = "forward_17" };
      gint64             start_us = g_get_monotonic_time ();
      G_GNUC_UNUSED g_autoptr (GArray) events = stria_allocator_filter (allocator, &filter, NULL, NULL);
      double ms = 1e3 * seconds_since (start_us);
      g_array_append_val (times, ms);
    }
  tell ("filter", times);
}

static gboolean
job_answers (const char *path, GError **error)
{
  const char *const             paths[] = { path, NULL };
  g_autoptr (StriaCapture)      capture = stria_scan (paths, NULL, error);
  g_autoptr (StriaSnapshotData) data = NULL;
  gint64                        start_us = g_get_monotonic_time ();

  /* The store is that of the import that was measured before. */
  if (capture == NULL || !stria_capture_open_store (capture, error))
    return FALSE;
  data = snapshot_of (capture);
  if (data == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "%s: no snapshot", path);
      return FALSE;
    }
  figure ("reopen_ms", 1e3 * seconds_since (start_us));
  measure_frames (stria_snapshot_get_device (data, 0));
  measure_jumps (stria_snapshot_get_device (data, 0));
  measure_groups (stria_snapshot_get_device (data, 0));
  return TRUE;
}

gboolean
bench_snapshot_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "walk"))
    return job_walk (argument, error);
  if (g_str_equal (name, "python"))
    return job_python (argument, error);
  if (g_str_equal (name, "snapshot"))
    return job_import (argument, error);
  if (g_str_equal (name, "snapshot-answers"))
    return job_answers (argument, error);
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, "no job “%s”", name);
  return FALSE;
}
