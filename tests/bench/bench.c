/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how fast Stria is: imports against a bare yajl pass over the same bytes in the same call,
 * memory of each import, and the answers that a person waits for on ten million slices. Figures, not
 * limits: machines differ. Each is the median of several runs in processes of their own. */
#include "config.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <yajl/yajl_version.h>
#include <cairo.h>
#include <sqlite3.h>
#include <zlib.h>

#include "bench-device.h"
#include "bench-executorch.h"
#include "bench-jobs.h"
#include "bench-make.h"
#include "bench-neuron.h"
#include "bench-run.h"
#include "bench-snapshot.h"
#include "stria-error.h"
#include "stria-source.h"

static int slices_million = 10;
static int large_mb = 1000;
static int events_million = 5;
static int rows_thousand = 10000;
static int scan_files = 10000;
static int ntff_mb = 1000;
static char *only;

static const GOptionEntry options[] = {
  { "json", 0, 0, G_OPTION_ARG_NONE, &bench_as_json, "Print JSON", NULL },
  { "runs", 0, 0, G_OPTION_ARG_INT, &bench_runs, "Runs of each job (3)", "N" },
  { "slices", 0, 0, G_OPTION_ARG_INT, &slices_million, "Millions of slices of the made capture (10)", "N" },
  { "large", 0, 0, G_OPTION_ARG_INT, &large_mb, "Megabytes of the made trace (1000)", "N" },
  { "events", 0, 0, G_OPTION_ARG_INT, &events_million, "Millions of events of the larger snapshot (5)", "N" },
  { "rows", 0, 0, G_OPTION_ARG_INT, &rows_thousand, "Thousands of rows of the made Parquet file (10000)", "N" },
  { "ntff", 0, 0, G_OPTION_ARG_INT, &ntff_mb, "Megabytes of the made device profile (1000)", "N" },
  { "files", 0, 0, G_OPTION_ARG_INT, &scan_files, "Files of the made capture (10000)", "N" },
  { "only", 0, 0, G_OPTION_ARG_STRING, &only, "scan, samples, large, columns, device, snapshots, graphs, executorch, parquet, instruction or ntff", "PART" },
  { NULL },
};

static void
print_versions (void)
{
  struct utsname system;

  if (bench_as_json)
    return;
  uname (&system);
  printf ("Stria %s, %s %s, %u processors\n", VERSION, system.sysname, system.machine,
          g_get_num_processors ());
  printf ("GLib %u.%u.%u, Cairo %s, SQLite %s, zlib %s, yajl %d.%d.%d\n", glib_major_version,
          glib_minor_version, glib_micro_version, cairo_version_string (), sqlite3_libversion (),
          zlibVersion (), YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO);
  printf ("median of %d runs; files in the page cache; MB are 10^6 bytes of inflated text\n",
          bench_runs);
}

/* -- parts ------------------------------------------------------------------------------------ */

/* Writes the inflated text of @path. */
static gboolean
write_text (const char *path, const char *to, GError **error)
{
  g_autoptr (StriaSource) source = stria_source_open (path, NULL, error);
  const guint8 *data;
  gsize length;
  FILE *out;
  gboolean good = TRUE;

  if (source == NULL)
    return FALSE;
  out = fopen (to, "wb");
  if (out == NULL)
    return FALSE;
  while ((good = stria_source_read (source, &data, &length, error)) && length > 0)
    fwrite (data, 1, length, out);
  return fclose (out) == 0 && good;
}

static gboolean
bench_trace (const char *title, const char *path, const char *text_path)
{
  g_autoptr (GHashTable) yajl = NULL;
  g_autoptr (GHashTable) figures = NULL;
  double mb, reference;

  print_section (title);
  yajl = run_jobs ("yajl", text_path);
  figures = run_jobs ("trace", path);
  if (yajl == NULL || figures == NULL)
    return FALSE;
  mb = median (yajl, "text_mb");
  reference = mb / median (yajl, "yajl_s");
  print_number (title, "text", mb, "MB", "");
  print_number (title, "bare yajl pass", reference, "MB/s", "");
  print_number (title, "to the first full picture", mb / median (figures, "picture_s"), "MB/s", "aim: 400");
  print_number (title, "  against yajl", mb / median (figures, "picture_s") / reference, "x", "");
  print_number (title, "to the first full picture, time", 1e3 * median (figures, "picture_s"), "ms", "");
  print_number (title, "to a finished store", mb / median (figures, "store_s"), "MB/s", "aim: 200");
  print_number (title, "  against yajl", mb / median (figures, "store_s") / reference, "x", "");
  print_number (title, "  processor time of all threads", 1e3 * median (figures, "processor_s"), "ms", "");
  print_number (title, "peak of memory", median (figures, "peak_mb"), "MB",
                mb > 200 ? "aim: under 600" : "aim: under 1.5 times the text");
  print_number (title, "  over the text", median (figures, "peak_mb") / mb, "x", "");
  return TRUE;
}

static char *
bench_samples_folder (void)
{
  const char *samples = g_getenv ("STRIA_SAMPLES");
  const char *root = g_getenv ("STRIA_SOURCE_ROOT");

  return samples != NULL ? g_strdup (samples)
                         : g_build_filename (root ? root : ".", "..", "shared", "samples", NULL);
}

static gboolean
bench_samples (const char *folder)
{
  static const char *const names[] = { "hta-mtia-rank0", "tracelens-xdit-capture" };
  g_autofree char *samples = bench_samples_folder ();
  gboolean good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *base = g_strconcat (names[i], ".json.gz", NULL);
      g_autofree char *path = g_build_filename (samples, "pytorch-trace", base, NULL);
      g_autofree char *text = g_strdup_printf ("%s/%s.json", folder, names[i]);
      g_autofree char *packed = g_strconcat (names[i], " (gzip)", NULL);
      g_autoptr (GError) error = NULL;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        {
          fprintf (stderr, "stria-bench: no sample %s; left out\n", path);
          continue;
        }
      if (!write_text (path, text, &error))
        {
          fprintf (stderr, "stria-bench: %s\n", error ? error->message : text);
          return FALSE;
        }
      good = bench_trace (names[i], text, text) && bench_trace (packed, path, text) && good;
      g_unlink (text);
    }
  return good;
}

static gboolean
bench_large (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "made.trace.json", NULL);
  g_autofree char *title = g_strdup_printf ("made trace of %d MB", large_mb);
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (bench_make_trace (path, (guint64) large_mb * 1000000, &error) == 0)
    return report_failure (error);
  good = bench_trace (title, path, path);
  g_unlink (path);
  return good;
}

static gboolean
bench_columns (void)
{
  g_autofree char *count = g_strdup_printf ("%d", slices_million * 1000000);
  g_autofree char *title = g_strdup_printf ("made capture of %d million slices on 50 lanes", slices_million);
  g_autoptr (GHashTable) written = NULL;
  g_autoptr (GHashTable) read = NULL;
  g_autoptr (GHashTable) arrows = NULL;

  print_section (title);
  if (!run_all (count, "write-columns", &written, "read-columns", &read, "arrows", &arrows, NULL))
    return FALSE;
  print_number (title, "events to columns", median (written, "columns_events_per_s") / 1e6, "M/s", "");
  print_number (title, "events to a finished store", median (written, "store_events_per_s") / 1e6, "M/s", "");
  print_number (title, "import, peak of memory", median (written, "peak_mb"), "MB", "");
  print_number (title, "reopen to first paint", median (read, "reopen_ms"), "ms", "aim: under 300");
  print_number (title, "reopen, all lanes", median (read, "reopen_all_lanes_ms"), "ms", "");
  print_number (title, "statistics over all", median (read, "stats_ms"), "ms", "aim: under 50");
  print_number (title, "statistics with percentiles", median (read, "stats_percentiles_ms"), "ms", "");
  print_number (title, "search over 20,000 names", median (read, "search_ms"), "ms", "aim: under 5");
  print_number (title, "a frame at 1600x900, p50", median (read, "frame_p50_ms"), "ms", "");
  print_number (title, "a frame at 1600x900, p95", median (read, "frame_p95_ms"), "ms", "aim: under 8");
  print_number (title, "a frame at 1600x900, worst", median (read, "frame_max_ms"), "ms", "");
  print_number (title, "open, peak of memory", median (read, "peak_mb"), "MB", "");
  print_number (title, "another grouping of 64 lanes, with its picture",
                median (arrows, "grouping_ms"), "ms", "aim: under 300");
  print_number (title, "arrows in sight", median (arrows, "arrows"), "", "");
  print_number (title, "their part of the picture, on a worker", median (arrows, "arrows_ms"), "ms",
                "");
  return TRUE;
}

/* @with_python: CPython makes an object of each value, for which not all machines have room */
static gboolean
bench_snapshot (const char *folder, int millions, gboolean with_python)
{
  g_autofree char *path = g_strdup_printf ("%s/made-%d_snapshot.pickle", folder, millions);
  g_autofree char *title = g_strdup_printf ("made snapshot of %d million events", millions);
  g_autoptr (GHashTable) walk = NULL;
  g_autoptr (GHashTable) import = NULL;
  g_autoptr (GHashTable) answers = NULL;
  g_autoptr (GError) error = NULL;
  double mb, reference;

  print_section (title);
  if (!bench_make_snapshot (path, (guint64) millions * 1000000, &error))
    return report_failure (error);
  if (!run_all (path, "walk", &walk, "snapshot", &import, "snapshot-answers", &answers, NULL))
    {
      g_unlink (path);
      return FALSE;
    }
  mb = median (walk, "file_mb");
  reference = median (walk, "walk_s");
  print_number (title, "file", mb, "MB", "");
  print_number (title, "bare walk over the operations", mb / reference, "MB/s", "");
  print_number (title, "to the answers", mb / median (import, "answers_s"), "MB/s", "");
  print_number (title, "  against the walk's time", median (import, "answers_s") / reference, "x",
                "aim: under 4");
  print_number (title, "to a finished store", mb / median (import, "store_s"), "MB/s", "");
  if (with_python)
    {
      g_autoptr (GHashTable) python = figures_new ();

      if (run_job (python, "python", path))
        {
          print_number (title, "CPython pickle.loads", mb / median (python, "python_s"), "MB/s", "");
          print_number (title, "  peak of memory", median (python, "python_mb"), "MB", "");
        }
    }
  print_number (title, "what is kept", median (import, "result_mb"), "MB", "");
  print_number (title, "peak of memory to the answers", median (import, "answers_mb"), "MB", "");
  print_number (title, "  over what is kept",
                median (import, "answers_mb") / median (import, "result_mb"), "x", "aim: under 1.5");
  print_number (title, "peak of memory to the store", median (import, "peak_mb"), "MB",
                "aim: under 800");
  print_number (title, "reopen", median (answers, "reopen_ms"), "ms", "");
  print_number (title, "picture of 1600x800, p50", median (answers, "picture_p50_ms"), "ms", "");
  print_number (title, "picture of 1600x800, p95", median (answers, "picture_p95_ms"), "ms",
                "aim: under 16");
  print_number (title, "  of it the plot, p50", median (answers, "plot_p50_ms"), "ms", "");
  print_number (title, "  of it the plot, p95", median (answers, "plot_p95_ms"), "ms", "");
  print_number (title, "  of it painting, p50", median (answers, "paint_p50_ms"), "ms", "");
  print_number (title, "  of it painting, p95", median (answers, "paint_p95_ms"), "ms", "");
  print_number (title, "jump to a step, p50", median (answers, "jump_p50_ms"), "ms", "");
  print_number (title, "jump to a step, p95", median (answers, "jump_p95_ms"), "ms", "aim: under 30");
  print_number (title, "groups by stack", median (answers, "group_p50_ms"), "ms", "");
  print_number (title, "flame graph", median (answers, "flame_p50_ms"), "ms", "");
  print_number (title, "filter by text", median (answers, "filter_p50_ms"), "ms", "");
  g_unlink (path);
  return TRUE;
}

/* Once: where dot finishes at all, it takes seconds. */
static void
bench_dot (const char *title, const char *argument, double ours)
{
  g_autoptr (GHashTable) figures = figures_new ();
  double ms = run_job (figures, "dot", argument) ? median (figures, "dot_ms") : -1;

  if (ms == -2)
    print_number (title, "Graphviz dot: did not finish in", 60, "s", "");
  if (ms < 0)
    return;
  print_number (title, "Graphviz dot, layout", ms, "ms", "");
  print_number (title, "  over ours", ms / ours, "x", "");
}

/* @argument: a number of nodes or a file; @dot: whether Graphviz is worth the wait */
static gboolean
bench_graph (const char *title, const char *argument, gboolean dot)
{
  g_autoptr (GHashTable) figures = run_jobs ("graph", argument);

  print_section (title);
  if (figures == NULL)
    return FALSE;
  print_number (title, "nodes", median (figures, "nodes"), "", "");
  print_number (title, "edges", median (figures, "edges"), "", "");
  print_number (title, "folded: layout and first paint", median (figures, "first_ms"), "ms",
                "aim: under 500");
  print_number (title, "unfolded: layout", median (figures, "layout_ms"), "ms", "aim: under 5000");
  print_number (title, "a frame folded, p95", median (figures, "folded_p95_ms"), "ms",
                "aim: under 16");
  print_number (title, "  at random places and zooms", median (figures, "folded_cold_p95_ms"), "ms",
                "aim: under 16");
  print_number (title, "a frame unfolded, p50", median (figures, "open_p50_ms"), "ms", "");
  print_number (title, "a frame unfolded, p95", median (figures, "open_p95_ms"), "ms",
                "aim: under 16");
  print_number (title, "  at random, cold, p95", median (figures, "open_cold_p95_ms"), "ms",
                "aim: under 16");
  print_number (title, "  a few pixels on, p95", median (figures, "open_warm_p95_ms"), "ms",
                "aim: under 16");
  print_number (title, "peak of memory", median (figures, "peak_mb"), "MB", "");
  if (dot)
    bench_dot (title, argument, median (figures, "layout_ms"));
  return TRUE;
}

static gboolean
bench_graphs (void)
{
  g_autofree char *samples = bench_samples_folder ();
  g_autofree char *vww4 = g_build_filename (samples, "vgf", "vww4", "input.vgf", NULL);
  g_autofree char *mobilenet
      = g_build_filename (samples, "executorch", "mobilenet_v2_vgf", "input.pte", NULL);
  gboolean good = TRUE;

  if (g_file_test (vww4, G_FILE_TEST_EXISTS))
    good = bench_graph ("Graph of vww4", vww4, TRUE)
           && bench_graph ("Graph of mobilenet_v2", mobilenet, TRUE);
  good = bench_graph ("Graph of 1,000 nodes", "1000", TRUE) && good;
  good = bench_graph ("Graph of 10,000 nodes", "10000", TRUE) && good;
  return bench_graph ("Graph of 100,000 nodes", "100000", FALSE) && good;
}

static void
print_import (const char *title, Figures *import, double mb)
{
  print_number (title, "file", mb, "MB", "");
  print_number (title, "to the facts", 1e3 * median (import, "facts_s"), "ms", "");
  print_number (title, "to a finished store", 1e3 * median (import, "store_s"), "ms", "");
  print_number (title, "to the facts", mb / median (import, "facts_s"), "MB/s", "");
  print_number (title, "to a finished store", mb / median (import, "store_s"), "MB/s", "");
  print_number (title, "what is kept", median (import, "facts_mb"), "MB", "");
  print_number (title, "peak of memory", median (import, "peak_mb"), "MB", "");
  print_number (title, "  over the file", median (import, "peak_mb") / mb, "x", "");
}

/* @path: of a sample or a made file */
static gboolean
bench_model (const char *title, const char *path, const char *json_path)
{
  g_autoptr (GHashTable) import = run_jobs ("executorch", path);
  g_autoptr (GHashTable) reopen = import != NULL ? run_jobs ("executorch-reopen", path) : NULL;
  g_autoptr (GHashTable) digest = run_jobs ("executorch-digest", path);
  gboolean is_dump = g_str_has_suffix (path, ".etdp");
  g_autoptr (GHashTable) walk = is_dump ? run_jobs ("executorch-walk", path) : NULL;
  g_autoptr (GHashTable) yajl = json_path != NULL ? run_jobs ("yajl", json_path) : NULL;
  g_autoptr (GHashTable) python = figures_new ();
  GStatBuf status;

  print_section (title);
  if (reopen == NULL || digest == NULL || g_stat (path, &status) != 0)
    return FALSE;
  print_import (title, import, (double) status.st_size / 1e6);
  print_number (title, "reopen", median (reopen, "reopen_ms"), "ms", "");
  print_number (title, "SHA-256 of the file, a part of it", 1e3 * median (digest, "digest_s"), "ms", "");
  if (walk != NULL)
    {
      print_number (title, "bare walk over the events", 1e3 * median (walk, "walk_s"), "ms", "");
      print_number (title, "  the facts over it and SHA-256",
                    median (import, "facts_s")
                      / (median (walk, "walk_s") + median (digest, "digest_s")), "x", "");
      print_number (title, "events", median (import, "events") / median (import, "store_s") / 1e6,
                    "M/s", "");
    }
  if (yajl != NULL)
    {
      print_number (title, "bare yajl pass", 1e3 * median (yajl, "yajl_s"), "ms", "");
      print_number (title, "  the facts over it and SHA-256",
                    median (import, "facts_s")
                      / (median (yajl, "yajl_s") + median (digest, "digest_s")), "x", "");
      if (run_job (python, "executorch-python", json_path))
        {
          print_number (title, "CPython json.load", 1e3 * median (python, "python_s"), "ms", "");
          print_number (title, "  peak of memory", median (python, "python_mb"), "MB", "");
        }
    }
  return TRUE;
}

static gboolean
bench_executorch (const char *folder)
{
  static const char *const names[] = { "executorch/mobilenet_v2_vgf/input.pte", "vgf/vww4/input.vgf" };
  g_autofree char *samples = bench_samples_folder ();
  g_autofree char *dump = g_build_filename (folder, "made.etdp", NULL);
  g_autofree char *record = g_build_filename (folder, "made.etrecord", NULL);
  g_autofree char *json = g_build_filename (folder, "made.json", NULL);
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (samples, names[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        good = bench_model (names[i], path, NULL) && good;
      else
        fprintf (stderr, "stria-bench: no sample %s; left out\n", path);
    }
  if (!bench_make_dump (dump, 1000000, &error)
      || !bench_make_record (record, json, 100000, &error))
    return report_failure (error);
  good = bench_model ("made ETDump of 1 million events", dump, NULL) && good;
  good = bench_model ("made ETRecord of 100,000 nodes", record, json) && good;
  g_unlink (dump);
  g_unlink (record);
  g_unlink (json);
  return good;
}

static gboolean
is_wanted (const char *part)
{
  return only == NULL || g_str_equal (only, part);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_folder (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *cache = NULL;
  gboolean good = TRUE;

  setlocale (LC_ALL, "C.UTF-8");
  if (argc == 4 && g_str_equal (argv[1], "--job"))
    {
      if (bench_job (argv[2], argv[3], &error))
        return 0;
      fprintf (stderr, "stria-bench: %s\n", error ? error->message : argv[2]);
      return 1;
    }
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "stria-bench: %s\n", error->message);
      return 2;
    }
  bench_runs = MAX (bench_runs, 1);
  slices_million = CLAMP (slices_million, 1, 200);
  events_million = CLAMP (events_million, 1, 100);
  large_mb = CLAMP (large_mb, 1, 100000);
  scan_files = CLAMP (scan_files, 1, 1000000);
  rows_thousand = CLAMP (rows_thousand, 1, 1000000);
  ntff_mb = CLAMP (ntff_mb, 1, 100000);

  folder = g_dir_make_tmp ("stria-bench-XXXXXX", &error);
  if (folder == NULL)
    {
      fprintf (stderr, "stria-bench: %s\n", error->message);
      return 1;
    }
  cache = g_build_filename (folder, "cache", NULL);
  g_setenv ("STRIA_CACHE_DIR", cache, TRUE);

  print_versions ();
  if (is_wanted ("samples"))
    good = bench_samples (folder) && good;
  if (is_wanted ("large"))
    good = bench_large (folder) && good;
  if (is_wanted ("columns"))
    good = bench_columns () && good;
  if (is_wanted ("device"))
    good = bench_device (slices_million) && good;
  if (is_wanted ("snapshots"))
    good = bench_snapshot (folder, 1, TRUE) && bench_snapshot (folder, events_million, FALSE) && good;
  if (is_wanted ("graphs"))
    good = bench_graphs () && good;
  if (is_wanted ("executorch"))
    good = bench_executorch (folder) && good;
  if (is_wanted ("scan"))
    good = bench_scan (folder, scan_files) && good;
  if (is_wanted ("parquet"))
    good = bench_parquet (folder, rows_thousand) && good;
  if (is_wanted ("instruction"))
    good = bench_instruction (folder, rows_thousand) && good;
  if (is_wanted ("ntff"))
    good = bench_ntff (folder, ntff_mb) && good;
  if (bench_as_json)
    printf ("\n}\n");
  remove_folder (folder);
  return good ? 0 : 1;
}
