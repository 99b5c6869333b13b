/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-neuron.h"

#include <glib/gstdio.h>

#include "bench-ntff.h"
#include "bench-parquet.h"
#include "bench-run.h"
#include "bench-scan.h"

gboolean
bench_parquet (const char *folder, int thousand)
{
  g_autofree char *path = g_build_filename (folder, "Instruction.parquet", NULL);
  g_autofree char *title = g_strdup_printf ("made Parquet table of %d thousand rows", thousand);
  g_autofree char *decoded = NULL;
  g_autoptr (GHashTable) read = NULL;
  g_autoptr (GHashTable) threads = NULL;
  g_autoptr (GHashTable) inflate = NULL;
  g_autoptr (GHashTable) copy = NULL;
  g_autoptr (GError) error = NULL;
  double written, seconds, rows;
  gboolean good;

  print_section (title);
  if (!bench_make_parquet (path, (guint64) thousand * 1000, &written, &error))
    return report_failure (error);
  good = run_all (path, "parquet", &read, "parquet-threads", &threads, "parquet-inflate", &inflate,
                  NULL);
  g_unlink (path);
  if (!good)
    return FALSE;
  decoded = g_strdup_printf ("%.0f", median (read, "decoded_mb"));
  copy = run_jobs ("parquet-copy", decoded);
  if (copy == NULL)
    return FALSE;
  seconds = median (read, "read_s");
  rows = median (read, "rows");
  print_number (title, "file", median (read, "file_mb"), "MB", "");
  print_number (title, "written", rows / written / 1e6, "M/s", "rows");
  print_number (title, "read on one thread", rows / seconds / 1e6, "M/s", "rows; aim: 2");
  print_number (title, "  of values", median (read, "decoded_mb") / seconds, "MB/s", "");
  print_number (title, "  of the file", median (read, "file_mb") / seconds, "MB/s", "");
  print_number (title, "  over inflating its pages", seconds / median (inflate, "inflate_s"), "x", "");
  print_number (title, "  over copying its values", seconds / median (copy, "copy_s"), "x", "");
  print_number (title, "  peak of memory", median (read, "peak_mb"), "MB", "aim: under 300");
  print_number (title, "inflating its pages", median (inflate, "inflated_mb")
                                                / median (inflate, "inflate_s"), "MB/s", "");
  print_number (title, "read on two threads", rows / median (threads, "read_s") / 1e6, "M/s", "rows");
  return TRUE;
}

gboolean
bench_instruction (const char *folder, int thousand)
{
  g_autofree char *path = g_build_filename (folder, "Instruction.parquet", NULL);
  g_autofree char *title
    = g_strdup_printf ("made Instruction.parquet of %d thousand rows", thousand);
  g_autoptr (GHashTable) all = NULL;
  g_autoptr (GHashTable) decoded = NULL;
  g_autoptr (GError) error = NULL;
  double written, rows, read_s, all_s;
  gboolean good;

  print_section (title);
  if (!bench_make_parquet (path, (guint64) thousand * 1000, &written, &error))
    return report_failure (error);
  good = run_all (path, "parquet-rows", &decoded, "parquet-store", &all, NULL);
  g_unlink (path);
  if (!good)
    return FALSE;
  rows = median (all, "rows");
  read_s = median (decoded, "picture_s");
  all_s = median (all, "total_s");
  print_number (title, "file", median (all, "file_mb"), "MB", "");
  print_number (title, "to lanes and tables", rows / read_s / 1e6, "M/s", "rows");
  print_number (title, "  of the file", median (all, "file_mb") / read_s, "MB/s", "");
  print_number (title, "  peak of memory", median (decoded, "peak_mb"), "MB", "");
  print_number (title, "to a finished store", rows / all_s / 1e6, "M/s", "rows; aim: 1");
  print_number (title, "  of the file", median (all, "file_mb") / all_s, "MB/s", "");
  print_number (title, "  store", median (all, "store_mb"), "MB", "");
  print_number (title, "  peak of memory", median (all, "peak_mb"), "MB", "aim: under 300");
  return TRUE;
}

gboolean
bench_ntff (const char *folder, int mb)
{
  g_autofree char *path = g_build_filename (folder, "made.ntff", NULL);
  g_autofree char *title = g_strdup_printf ("made device profile (NTFF) of %d MB", mb);
  g_autoptr (GHashTable) bare = NULL;
  g_autoptr (GHashTable) decoded = NULL;
  g_autoptr (GHashTable) all = NULL;
  g_autoptr (GError) error = NULL;
  double read_s, all_s, bare_s, records = mb / 16.0;
  gboolean good;

  print_section (title);
  if (!bench_make_ntff (path, (guint) mb, &error))
    return report_failure (error);
  good = run_all (path, "ntff-bare", &bare, "ntff-rows", &decoded, "ntff", &all, NULL);
  g_unlink (path);
  if (!good)
    return FALSE;
  bare_s = median (bare, "bare_s");
  read_s = median (decoded, "total_s");
  all_s = median (all, "total_s");
  print_number (title, "rows", median (all, "rows") / 1e6, "M", "");
  print_number (title, "to lanes and tables", mb / read_s, "MB/s", "");
  print_number (title, "  records", records / read_s, "M/s", "");
  print_number (title, "  peak of memory", median (decoded, "peak_mb"), "MB", "");
  print_number (title, "to a finished store", mb / all_s, "MB/s", "");
  print_number (title, "  records", records / all_s, "M/s", "");
  print_number (title, "  rows", median (all, "rows") / all_s / 1e6, "M/s", "aim: 1");
  print_number (title, "  over reading the file", all_s / bare_s, "x", "");
  print_number (title, "  peak of memory", median (all, "peak_mb"), "MB", "aim: under 300");
  return TRUE;
}

gboolean
bench_scan (const char *folder, int n_files)
{
  g_autofree char *path = g_build_filename (folder, "capture", NULL);
  g_autofree char *title = g_strdup_printf ("made capture of %d files", n_files);
  g_autoptr (GHashTable) bare = NULL;
  g_autoptr (GHashTable) found = NULL;
  g_autoptr (GError) error = NULL;

  print_section (title);
  if (!bench_make_capture (path, (guint) n_files, &error))
    return report_failure (error);
  if (!run_all (path, "scan-read", &bare, "scan", &found, NULL))
    return FALSE;
  print_number (title, "to kinds and pairs", median (found, "seconds"), "s", "aim: under 1");
  print_number (title, "  over reading their ends", median (found, "seconds") / median (bare, "seconds"),
                "x", "");
  print_number (title, "  profiles with their program", median (found, "paired"), "", "");
  return TRUE;
}
