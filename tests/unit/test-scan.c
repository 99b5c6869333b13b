/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "source-fixtures.h"
#include "stria-error.h"
#include "stria-scan.h"
#include "stria-walk.h"

static char *folder;

static StriaCapture *
scan (const char *first, const char *second, GError **error)
{
  g_autofree char *a = g_build_filename (folder, first, NULL);
  g_autofree char *b = second != NULL ? g_build_filename (folder, second, NULL) : NULL;
  const char *paths[] = { a, b, NULL };

  return stria_scan (paths, NULL, error);
}

static StriaArtifact *
find (StriaCapture *capture, const char *name)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      if (g_str_equal (stria_artifact_get_name (artifact), name))
        return artifact;
    }
  return NULL;
}

static guint64
n_notices (StriaCapture *capture, const char *code)
{
  return stria_notices_total (stria_capture_get_notices (capture), code);
}

static void
test_compare (void)
{
  static const char *const sorted[] = { "a/b",         "a.json",      "rank1",       "rank01",
                                        "rank2/x",     "rank2.json",  "rank10.json", "rank10x",
                                        "rank99999999999999999998", "rank99999999999999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (sorted); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sorted); k++)
      {
        int order = stria_walk_compare (sorted[i], sorted[k]);

        /* Equal numbers: "01" is told from "1" in the end */
        if (i == k)
          g_assert_cmpint (order, ==, 0);
        else if (!(i >= 2 && i <= 3 && k >= 2 && k <= 3))
          g_assert_true ((order < 0) == (i < k));
        else
          g_assert_cmpint (order, ==, -stria_walk_compare (sorted[k], sorted[i]));
      }
}

static void
test_folder (void)
{
  static const struct
  {
    const char *name;
    StriaArtifactState state;
  } expected[] = {
    { "empty.json", STRIA_ARTIFACT_EMPTY },
    { "lib.so", STRIA_ARTIFACT_UNKNOWN },
    { "members.zip/note.txt", STRIA_ARTIFACT_UNKNOWN },
    { "members.zip/rank0.json", STRIA_ARTIFACT_WAITING },
    { "pipe.json", STRIA_ARTIFACT_UNREADABLE },
    { "readme.md", STRIA_ARTIFACT_UNKNOWN },
    { "run/copy.json", STRIA_ARTIFACT_WAITING },
    { "run/rank1/t.json", STRIA_ARTIFACT_WAITING },
    { "run/rank1/u.json.tmp", STRIA_ARTIFACT_WAITING },
    { "run/rank2.json", STRIA_ARTIFACT_WAITING },
    { "run/rank3.json.gz", STRIA_ARTIFACT_WAITING },
    { "run/rank10.json", STRIA_ARTIFACT_WAITING },
    { "tool.py", STRIA_ARTIFACT_UNKNOWN },
    { "wheel.whl", STRIA_ARTIFACT_UNKNOWN },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture = scan ("folder", NULL, &error);
  StriaNotices *notices;

  g_assert_no_error (error);
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      g_assert_cmpuint (i, <, G_N_ELEMENTS (expected));
      g_assert_cmpstr (stria_artifact_get_name (artifact), ==, expected[i].name);
      g_assert_cmpint (stria_artifact_get_state (artifact), ==, expected[i].state);
      if (expected[i].state == STRIA_ARTIFACT_WAITING)
        {
          g_assert_cmpstr (stria_artifact_get_kind (artifact), ==, "pytorch-trace");
          g_assert_cmpuint (strlen (stria_artifact_get_digest (artifact)), ==, 64);
          g_assert_cmpuint (stria_artifact_get_size (artifact), >, 0);
          g_assert_cmpint (stria_artifact_get_mtime (artifact), >, 0);
        }
    }
  g_assert_cmpuint (stria_capture_get_n_artifacts (capture), ==, G_N_ELEMENTS (expected));

  notices = stria_capture_get_notices (capture);
  g_assert_cmpuint (stria_notices_total (notices, "scan-loop"), ==, 1);
  g_assert_cmpuint (stria_notices_total (notices, "scan-duplicate-folder"), ==, 1);
  g_assert_cmpuint (stria_notices_total (notices, "scan-duplicate"), ==, 2);
  g_assert_cmpuint (stria_notices_total (notices, "scan-dead-link"), ==, 2);
  g_assert_cmpuint (stria_notices_total (notices, "scan-unreadable"), ==, 1);
}

static void
test_digest (void)
{
  g_autofree char *a = g_build_filename (folder, "digest-a", NULL);
  g_autofree char *b = g_build_filename (folder, "digest-b", NULL);
  gsize length = 300000;
  g_autofree char *content = g_malloc (length);
  const char *start = "{\"traceEvents\":[";
  static const gsize changes[] = { 100, 65535, 150000, 300000 - 65536, 299999 };

  g_assert_cmpint (g_mkdir (a, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (b, 0700), ==, 0);
  memset (content, ' ', length);
  memcpy (content, start, strlen (start));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *one = g_build_filename (a, "t.json", NULL);
      g_autofree char *other = g_build_filename (b, "t.json", NULL);
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
      g_autoptr (StriaCapture) first = NULL;
      g_autoptr (StriaCapture) second = NULL;
      const char *digest;
      gboolean same;

      g_assert_true (g_file_set_contents (one, content, length, NULL));
      g_checksum_update (sum, (guchar *) content, 65536);
      g_checksum_update (sum, (guchar *) content + length - 65536, 65536);
      content[changes[i]] = '\n';
      g_assert_true (g_file_set_contents (other, content, length, NULL));
      content[changes[i]] = ' ';

      first = scan ("digest-a", NULL, NULL);
      second = scan ("digest-b", NULL, NULL);
      digest = stria_artifact_get_digest (stria_capture_get_artifact (first, 0));
      g_assert_cmpstr (digest, ==, g_checksum_get_string (sum));
      same = g_str_equal (digest,
                          stria_artifact_get_digest (stria_capture_get_artifact (second, 0)));
      /* Only what lies in neither end goes unseen. */
      g_assert_true (same == (changes[i] == 150000));
    }
}

static void
check_archive (const char *name, const char *member, const char *shown)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture = scan (name, NULL, &error);
  g_autofree char *full = g_strconcat (name, "/", shown, NULL);
  StriaArtifact *artifact;

  g_assert_no_error (error);
  artifact = find (capture, full);
  g_assert_nonnull (artifact);
  g_assert_cmpstr (stria_artifact_get_member (artifact), ==, member);
  g_assert_cmpstr (stria_artifact_get_kind (artifact), ==, "pytorch-trace");
  g_assert_cmpint (stria_artifact_get_state (artifact), ==, STRIA_ARTIFACT_WAITING);
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      const char *each = stria_artifact_get_name (stria_capture_get_artifact (capture, i));

      g_assert_null (strstr (each, ".."));
      g_assert_null (strstr (each, "hidden"));
      g_assert_true (g_str_has_prefix (each, name));
    }
}

static void
test_archives (void)
{
  check_archive ("sound.zip", "run/rank10.json", "run/rank10.json");
  check_archive ("sound.zip", "../../up.json", "up.json");
  check_archive ("stored.zip", "run/rank2.json.gz", "run/rank2.json.gz");
  check_archive ("sound.tar", "/abs.json", "abs.json");
  check_archive ("sound.tar.gz", "../../up.json", "up.json");
  check_archive ("sound.tar.gz", "run/rank2.json.gz", "run/rank2.json.gz");
  /* Not called an archive, but named by a person */
  check_archive ("zip-in.pt", "run/rank0.json", "run/rank0.json");
}

static void
test_archive_trouble (void)
{
  g_autoptr (StriaCapture) secret = scan ("secret.zip", NULL, NULL);
  g_autoptr (StriaCapture) cut = scan ("cut.tar.gz", NULL, NULL);
  g_autoptr (StriaCapture) bomb = scan ("bomb.tar.gz", NULL, NULL);
  g_autoptr (StriaCapture) none = scan ("no-files.zip", NULL, NULL);
  g_autofree char *reason = NULL;
  StriaArtifact *artifact = find (secret, "secret.zip/secret.json");

  g_assert_cmpint (stria_artifact_get_state (artifact), ==, STRIA_ARTIFACT_UNREADABLE);
  reason = stria_artifact_dup_reason (artifact);
  g_assert_nonnull (strstr (reason, "encrypted"));

  g_assert_nonnull (find (cut, "cut.tar.gz/run/rank10.json"));
  g_assert_cmpuint (n_notices (cut, "archive-damaged"), ==, 1);
  g_assert_cmpuint (n_notices (bomb, "archive-damaged"), ==, 1);
  g_assert_cmpuint (stria_capture_get_n_artifacts (none), ==, 1);
  g_assert_cmpint (stria_artifact_get_state (stria_capture_get_artifact (none, 0)), ==,
                   STRIA_ARTIFACT_EMPTY);
}

static void
test_several (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture = scan ("folder/run", "one.gz", &error);
  g_autoptr (StriaCapture) twice = scan ("one.gz", "one.gz", NULL);
  g_autoptr (StriaCapture) partly = scan ("one.gz", "missing.json", NULL);

  g_assert_no_error (error);
  g_assert_nonnull (find (capture, "one.gz"));
  g_assert_nonnull (find (capture, "folder/run/rank2.json"));
  g_assert_cmpstr (stria_capture_get_path (capture), ==, folder);

  g_assert_cmpuint (stria_capture_get_n_artifacts (twice), ==, 1);
  g_assert_cmpuint (n_notices (twice, "scan-duplicate"), ==, 1);

  g_assert_cmpuint (stria_capture_get_n_artifacts (partly), ==, 1);
  g_assert_cmpuint (n_notices (partly, "scan-unreadable"), ==, 1);
}

static void
check_refused (const char *name, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (scan (name, NULL, &error));
  g_assert_error (error, STRIA_ERROR, code);
  g_assert_nonnull (strstr (error->message, name));
}

static void
test_refused (void)
{
  g_autoptr (StriaCapture) empty = scan ("none.json", NULL, NULL);

  check_refused ("missing.json", STRIA_ERROR_NOT_FOUND);
  check_refused ("pipe.json", STRIA_ERROR_UNSUPPORTED);
  check_refused ("loop.json", STRIA_ERROR_FAILED);
  g_assert_cmpint (stria_artifact_get_state (stria_capture_get_artifact (empty, 0)), ==,
                   STRIA_ARTIFACT_EMPTY);
}

static void
test_permission (void)
{
  g_autofree char *closed = g_build_filename (folder, "closed", NULL);
  g_autofree char *file = g_build_filename (closed, "t.json", NULL);
  g_autofree char *sub = g_build_filename (closed, "sub", NULL);
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      return;
    }
  g_assert_cmpint (g_mkdir_with_parents (sub, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "{}", -1, NULL));
  g_assert_cmpint (chmod (file, 0), ==, 0);
  g_assert_cmpint (chmod (sub, 0), ==, 0);
  capture = scan ("closed", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stria_capture_get_n_artifacts (capture), ==, 1);
  g_assert_cmpint (stria_artifact_get_state (stria_capture_get_artifact (capture, 0)), ==,
                   STRIA_ARTIFACT_UNREADABLE);
  g_assert_cmpuint (n_notices (capture, "scan-folder-unreadable"), ==, 1);
  check_refused ("closed/sub", STRIA_ERROR_PERMISSION);
  chmod (sub, 0700);
}

static void
test_depth (void)
{
  g_autofree char *deep = g_build_filename (folder, "deep", NULL);
  g_autoptr (GString) path = g_string_new (deep);
  g_autoptr (StriaCapture) capture = NULL;

  for (guint i = 0; i < STRIA_SCAN_MAX_DEPTH + 4; i++)
    {
      g_autofree char *file = NULL;

      g_assert_cmpint (g_mkdir (path->str, 0700), ==, 0);
      file = g_build_filename (path->str, "t.json", NULL);
      g_assert_true (g_file_set_contents (file, "{\"traceEvents\":[]}", -1, NULL));
      g_string_append (path, "/d");
    }
  capture = scan ("deep", NULL, NULL);
  g_assert_cmpuint (stria_capture_get_n_artifacts (capture), ==, STRIA_SCAN_MAX_DEPTH + 1);
  g_assert_cmpuint (n_notices (capture, "scan-depth-cap"), ==, 1);
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const char *paths[] = { folder, NULL };

  g_cancellable_cancel (cancellable);
  g_assert_null (stria_scan (paths, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The cache of stores may lie inside what is scanned. */
static void
test_own_cache (void)
{
  g_autofree char *cache = g_build_filename (folder, "folder", "cache", NULL);
  g_autofree char *file = g_build_filename (cache, "t.json", NULL);
  g_autofree char *before = g_strdup (g_getenv ("STRIA_CACHE_DIR"));
  g_autoptr (StriaCapture) without = NULL;
  g_autoptr (StriaCapture) with = NULL;

  g_assert_cmpint (g_mkdir (cache, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "{\"traceEvents\":[]}", -1, NULL));
  with = scan ("folder", NULL, NULL);
  g_assert_nonnull (find (with, "cache/t.json"));
  g_setenv ("STRIA_CACHE_DIR", cache, TRUE);
  without = scan ("folder", NULL, NULL);
  g_assert_null (find (without, "cache/t.json"));
  if (before != NULL)
    g_setenv ("STRIA_CACHE_DIR", before, TRUE);
  else
    g_unsetenv ("STRIA_CACHE_DIR");
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = source_fixtures_make ();

  g_test_add_func ("/scan/compare", test_compare);
  g_test_add_func ("/scan/folder", test_folder);
  g_test_add_func ("/scan/digest", test_digest);
  g_test_add_func ("/scan/archives", test_archives);
  g_test_add_func ("/scan/archive-trouble", test_archive_trouble);
  g_test_add_func ("/scan/several", test_several);
  g_test_add_func ("/scan/refused", test_refused);
  g_test_add_func ("/scan/permission", test_permission);
  g_test_add_func ("/scan/depth", test_depth);
  g_test_add_func ("/scan/cancel", test_cancel);
  g_test_add_func ("/scan/own-cache", test_own_cache);

  status = g_test_run ();
  source_fixtures_remove (folder);
  g_free (folder);
  return status;
}
