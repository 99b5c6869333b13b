/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "source-fixtures.h"
#include "stria-error.h"
#include "stria-importer.h"
#include "stria-scan.h"

#define TEXT_EVENTS 20000

static char *folder;

static StriaCapture *
scan (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const char *paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  StriaCapture *capture = stria_scan (paths, NULL, &error);

  g_assert_no_error (error);
  return capture;
}

static StriaArtifactState
state_of (StriaCapture *capture, const char *name)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      if (g_str_equal (stria_artifact_get_name (artifact), name))
        return stria_artifact_get_state (artifact);
    }
  g_error ("no artifact %s", name);
}

static guint64
n_events (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  return trace != NULL ? stria_trace_get_n_events (trace) : 0;
}

static void
test_folder (void)
{
  g_autoptr (StriaCapture) capture = scan ("folder");
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  g_autoptr (GError) error = NULL;
  StriaImportProgress progress;

  stria_importer_set_no_store (importer, TRUE);
  g_assert_cmpint (stria_importer_get_picture_us (importer), ==, -1);
  g_assert_true (stria_importer_run (importer, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (stria_importer_was_cached (importer));
  g_assert_cmpint (stria_importer_get_picture_us (importer), >=, 0);

  g_assert_cmpint (state_of (capture, "run/rank2.json"), ==, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpint (state_of (capture, "run/rank3.json.gz"), ==, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpint (state_of (capture, "members.zip/rank0.json"), ==, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpint (state_of (capture, "readme.md"), ==, STRIA_ARTIFACT_UNKNOWN);
  g_assert_cmpint (state_of (capture, "pipe.json"), ==, STRIA_ARTIFACT_UNREADABLE);
  g_assert_cmpint (state_of (capture, "empty.json"), ==, STRIA_ARTIFACT_EMPTY);
  /* Six small files of one event and the long text */
  g_assert_cmpuint (n_events (capture), ==, TEXT_EVENTS + 6);

  stria_importer_get_progress (importer, &progress);
  g_assert_cmpint (progress.phase, ==, STRIA_IMPORT_DONE);
  g_assert_cmpuint (progress.events, ==, TEXT_EVENTS + 6);
  g_assert_cmpuint (progress.bytes_done, ==, progress.bytes_total);
  g_assert_cmpuint (progress.bytes_total, >, 0);
  g_assert_cmpfloat (progress.fraction, ==, 1.0);
  g_assert_cmpint (progress.remaining_us, ==, 0);
}

static void
test_one_bad (void)
{
  static const char *const names[] = { "one.gz", "cut.gz", "cut-header.gz", "bad-crc.gz" };
  g_autofree char *mixed = g_build_filename (folder, "mixed", NULL);
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (StriaImporter) importer = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (mixed, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *from = g_build_filename (folder, names[i], NULL);
      g_autofree char *to = g_build_filename (mixed, names[i], NULL);
      g_autofree char *content = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (from, &content, &length, NULL));
      g_assert_true (g_file_set_contents (to, content, length, NULL));
    }
  capture = scan ("mixed");
  importer = stria_importer_new (capture);
  stria_importer_set_no_store (importer, TRUE);
  g_assert_true (stria_importer_run (importer, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (state_of (capture, "one.gz"), ==, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpint (state_of (capture, "cut.gz"), ==, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpint (state_of (capture, "bad-crc.gz"), ==, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpint (state_of (capture, "cut-header.gz"), !=, STRIA_ARTIFACT_IMPORTED);
  g_assert_cmpuint (n_events (capture), >, 2 * TEXT_EVENTS);
  g_assert_cmpuint (n_events (capture), <, 3 * TEXT_EVENTS);
  g_assert_cmpuint (stria_notices_size (stria_capture_get_notices (capture)), >=, 2);
}

static void
test_store (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (StriaCapture) capture = scan ("many.gz");
      g_autoptr (StriaImporter) importer = stria_importer_new (capture);
      g_autoptr (GError) error = NULL;
      g_autofree char *store = NULL;

      stria_importer_set_reimport (importer, i == 2);
      g_assert_true (stria_importer_run (importer, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (stria_importer_was_cached (importer) == (i == 1));
      g_assert_cmpuint (n_events (capture), ==, TEXT_EVENTS);
      g_assert_cmpint (state_of (capture, "many.gz"), ==, STRIA_ARTIFACT_IMPORTED);
      store = stria_capture_dup_store_path (capture);
      g_assert_nonnull (store);
      g_assert_true (g_file_test (store, G_FILE_TEST_IS_REGULAR));
      g_assert_cmpuint (stria_notices_total (stria_capture_get_notices (capture),
                                             "store-not-written"), ==, 0);
    }
}

static void
test_no_store (void)
{
  g_autoptr (StriaCapture) capture = scan ("padded.gz");
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  g_autofree char *store = NULL;

  stria_importer_set_no_store (importer, TRUE);
  g_assert_true (stria_importer_run (importer, NULL, NULL));
  store = stria_capture_dup_store_path (capture);
  g_assert_null (store);
  g_assert_cmpuint (stria_notices_total (stria_capture_get_notices (capture),
                                         "compressed-trailing"), ==, 1);
}

/* The picture is worth more than its copy for the next time. */
static void
test_store_fails (void)
{
  g_autoptr (StriaCapture) capture = scan ("full-header.gz");
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  g_autoptr (GError) error = NULL;
  g_autofree char *before = g_strdup (g_getenv ("STRIA_CACHE_DIR"));
  g_autofree char *nowhere = g_build_filename (folder, "text.json", "cache", NULL);

  g_setenv ("STRIA_CACHE_DIR", nowhere, TRUE);
  g_assert_true (stria_importer_run (importer, NULL, &error));
  g_setenv ("STRIA_CACHE_DIR", before, TRUE);
  g_assert_no_error (error);
  g_assert_cmpuint (n_events (capture), ==, TEXT_EVENTS);
  g_assert_cmpuint (stria_notices_total (stria_capture_get_notices (capture), "store-not-written"),
                    ==, 1);
}

static void
check_nothing (const char *name, int code)
{
  g_autoptr (StriaCapture) capture = scan (name);
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  g_autofree char *base = g_path_get_basename (name);
  g_autoptr (GError) error = NULL;

  g_assert_false (stria_importer_run (importer, NULL, &error));
  g_assert_error (error, STRIA_ERROR, code);
  g_assert_nonnull (strstr (error->message, base));
}

static void
test_nothing (void)
{
  check_nothing ("folder/readme.md", STRIA_ERROR_BAD_MAGIC);
  check_nothing ("none.json", STRIA_ERROR_EMPTY);
  check_nothing ("no-files.zip", STRIA_ERROR_EMPTY);
}

static void
test_cancelled_before (void)
{
  g_autoptr (StriaCapture) capture = scan ("one.gz");
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (stria_importer_run (importer, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

typedef struct
{
  StriaImporter *importer;
  GCancellable *cancellable;
} Watch;

/* Cancels as soon as something has been read, and sees that progress only grows. */
static gpointer
cancel_soon (gpointer user_data)
{
  Watch *watch = user_data;
  StriaImportProgress progress = { 0 };
  guint64 bytes = 0;

  do
    {
      stria_importer_get_progress (watch->importer, &progress);
      g_assert_cmpuint (progress.bytes_done, >=, bytes);
      g_assert_cmpuint (progress.bytes_done, <=, progress.bytes_total);
      bytes = progress.bytes_done;
      g_usleep (200);
    }
  while (bytes == 0 && progress.phase != STRIA_IMPORT_DONE);
  g_cancellable_cancel (watch->cancellable);
  return NULL;
}

static void
test_cancelled_during (void)
{
  g_autofree char *path = g_build_filename (folder, "long.json", NULL);
  g_autofree char *from = g_build_filename (folder, "text.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) content = g_string_new (NULL);
  g_autoptr (StriaCapture) capture = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  StriaImportProgress progress;
  Watch watch;
  GThread *thread;
  gsize length;
  const char *events;

  g_assert_true (g_file_get_contents (from, &text, &length, NULL));
  events = strchr (text, '[') + 1;
  g_string_append_len (content, text, events - text);
  for (guint i = 0; i < 40; i++)
    {
      g_string_append_len (content, events, length - (events - text) - 2);
      g_string_append_c (content, ',');
    }
  g_string_append_len (content, events, length - (events - text));
  g_assert_true (g_file_set_contents (path, content->str, content->len, NULL));

  capture = scan ("long.json");
  watch.importer = stria_importer_new (capture);
  watch.cancellable = cancellable;
  thread = g_thread_new ("watch", cancel_soon, &watch);
  g_assert_false (stria_importer_run (watch.importer, cancellable, &error));
  g_thread_join (thread);
  stria_importer_get_progress (watch.importer, &progress);
  g_assert_cmpuint (progress.bytes_done, >, 0);
  g_assert_cmpuint (progress.bytes_done, <, progress.bytes_total);
  g_object_unref (watch.importer);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (state_of (capture, "long.json"), ==, STRIA_ARTIFACT_CANCELLED);
  g_assert_cmpuint (n_events (capture), <, 41 * TEXT_EVENTS);
}

static void
on_done (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (stria_importer_run_finish (STRIA_IMPORTER (object), result, &error));
  g_assert_no_error (error);
  g_main_loop_quit (user_data);
}

static void
test_async (void)
{
  g_autoptr (StriaCapture) capture = scan ("stored.gz");
  g_autoptr (StriaImporter) importer = stria_importer_new (capture);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  stria_importer_run_async (importer, NULL, on_done, loop);
  g_main_loop_run (loop);
  g_assert_cmpuint (n_events (capture), ==, TEXT_EVENTS);
}

int
main (int argc, char *argv[])
{
  g_autofree char *cache = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = source_fixtures_make ();
  cache = g_build_filename (folder, "cache", NULL);
  g_setenv ("STRIA_CACHE_DIR", cache, TRUE);

  g_test_add_func ("/importer/folder", test_folder);
  g_test_add_func ("/importer/one-bad", test_one_bad);
  g_test_add_func ("/importer/store", test_store);
  g_test_add_func ("/importer/no-store", test_no_store);
  g_test_add_func ("/importer/store-fails", test_store_fails);
  g_test_add_func ("/importer/nothing", test_nothing);
  g_test_add_func ("/importer/cancelled-before", test_cancelled_before);
  g_test_add_func ("/importer/cancelled-during", test_cancelled_during);
  g_test_add_func ("/importer/async", test_async);

  status = g_test_run ();
  source_fixtures_remove (folder);
  g_free (folder);
  return status;
}
