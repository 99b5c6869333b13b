/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-scan.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench-figures.h"
#include "stria-scan.h"

#define PER_PROCESS 100
#define END_BYTES 65536

static void
put_u64 (guint8 *at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

/* A program's header with gzip's first bytes behind it */
static void
make_program (guint8 *bytes)
{
  memset (bytes, 0, 2048);
  put_u64 (bytes, 2);
  put_u64 (bytes + 8, 1024);
  put_u64 (bytes + 16, 1024);
  memset (bytes + 0xcc, 0x11, 16);
  bytes[1024] = 0x1f;
  bytes[1025] = 0x8b;
}

/* Version 6, with a message that holds a UUID, a process and a list that says nothing; @n makes it
 * differ from others. */
static void
make_profile (guint8 *bytes, gsize size, guint n)
{
  guint8 *message = bytes + 128;

  memset (bytes, 0, size);
  bytes[0] = 6;
  put_u64 (bytes + 1, 18 + 3);
  message[0] = 0x12;
  message[1] = 16;
  memset (message + 2, 0x11, 16);
  message[18] = 0x90;
  message[19] = 0x01;
  message[20] = (guint8) (n % 100 + 1);
}

gboolean
bench_make_capture (const char *folder, guint n_files, GError **error)
{
  g_autofree guint8 *program = g_malloc (2048);
  g_autofree guint8 *profile = g_malloc (8192);

  make_program (program);
  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *process = g_strdup_printf ("%s/i-0%08x_pid_%u", folder, i / PER_PROCESS / 8,
                                                  1000 + i / PER_PROCESS);
      g_autofree char *path = NULL;

      if (i % PER_PROCESS == 0)
        {
          g_mkdir_with_parents (process, 0700);
          path = g_strdup_printf ("%s/neff_77.neff", process);
          if (!g_file_set_contents (path, (const char *) program, 2048, error))
            return FALSE;
          continue;
        }
      make_profile (profile, 8192, i);
      path = g_strdup_printf ("%s/77_instid_0_vnc_%u.ntff", process, i % PER_PROCESS);
      if (!g_file_set_contents (path, (const char *) profile, 8192, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
scan (const char *folder, GError **error)
{
  const char *const paths[] = { folder, NULL };
  gint64 start = g_get_monotonic_time ();
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);
  StriaCaptureTree *tree;
  guint n_paired = 0;

  if (capture == NULL)
    return FALSE;
  figure ("seconds", seconds_since (start));
  figure ("files", stria_capture_get_n_artifacts (capture));
  tree = stria_capture_get_tree (capture);
  for (guint g = 0; tree != NULL && g < stria_capture_tree_size (tree); g++)
    n_paired += stria_capture_tree_get (tree, g)->rule == STRIA_PAIR_UUID;
  figure ("paired", n_paired);
  return TRUE;
}

static guint64
read_ends (const char *folder, guint8 *buffer)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint64 n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat info;
      int fd;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          n += read_ends (path, buffer);
          continue;
        }
      fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
      if (fd < 0)
        continue;
      if (fstat (fd, &info) == 0 && pread (fd, buffer, END_BYTES, 0) >= 0
          && (info.st_size <= END_BYTES
              || pread (fd, buffer, END_BYTES, info.st_size - END_BYTES) >= 0))
        n++;
      close (fd);
    }
  return n;
}

gboolean
bench_scan_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "scan"))
    return scan (argument, error);
  if (g_str_equal (name, "scan-read"))
    {
      g_autofree guint8 *buffer = g_malloc (END_BYTES);
      gint64 start = g_get_monotonic_time ();
      guint64 n = read_ends (argument, buffer);

      figure ("seconds", seconds_since (start));
      figure ("files", (double) n);
      return TRUE;
    }
  return FALSE;
}
