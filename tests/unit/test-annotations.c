/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations: order, undo, the file, files of strangers; and their places in the strip. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "stria-annotation-sets.h"
#include "stria-annotations.h"
#include "stria-error.h"
#include "stria-time-marks.h"

static char *
names_of (StriaAnnotations *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < stria_annotations_size (self); i++)
    {
      const StriaAnnotation *item = stria_annotations_at (self, i);

      g_string_append_printf (text, "%s%s@%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, i > 0 ? " " : "",
                              item->name, item->t0, item->t1);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
expect (StriaAnnotations *self, const char *expected)
{
  g_autofree char *found = names_of (self);

  g_assert_cmpstr (found, ==, expected);
}

static void
on_signal (gpointer object, gpointer data)
{
  ++*(guint *) data;
}

static void
test_changes (void)
{
  g_autoptr (StriaAnnotations) self = stria_annotations_new (NULL);
  guint n_changed = 0;
  guint64 a, b;

  g_signal_connect (self, "changed", G_CALLBACK (on_signal), &n_changed);
  a = stria_annotations_add (self, 50, 50, "a", 0);
  b = stria_annotations_add (self, 90, 20, "b", 0x123456);
  g_assert_cmpuint (a, !=, b);
  expect (self, "b@20-90 a@50-50");
  g_assert_cmpuint (stria_annotations_find (self, b)->rgb, ==, 0x123456);
  g_assert_cmpuint (n_changed, ==, 2);

  stria_annotations_set_span (self, a, 10, 10);
  stria_annotations_set_name (self, a, "moved");
  stria_annotations_set_name (self, a, "");
  expect (self, "moved@10-10 b@20-90");
  g_assert_cmpstr (stria_annotations_next (self, 10, TRUE)->name, ==, "b");
  g_assert_cmpstr (stria_annotations_next (self, 20, FALSE)->name, ==, "moved");
  g_assert_null (stria_annotations_next (self, 20, TRUE));

  stria_annotations_select (self, b);
  g_assert_true (stria_annotations_remove (self, b));
  g_assert_cmpuint (stria_annotations_get_selected (self), ==, 0);
  g_assert_false (stria_annotations_remove (self, b));
  expect (self, "moved@10-10");

  /* Back to the beginning, and forward again */
  g_assert_true (stria_annotations_undo (self));
  expect (self, "moved@10-10 b@20-90");
  while (stria_annotations_undo (self))
    ;
  g_assert_cmpuint (stria_annotations_size (self), ==, 0);
  while (stria_annotations_redo (self))
    ;
  expect (self, "moved@10-10");
  g_assert_false (stria_annotations_can_redo (self));
  stria_annotations_undo (self);
  stria_annotations_add (self, 1, 1, "new", 0);
  g_assert_false (stria_annotations_can_redo (self));
  expect (self, "new@1-1 moved@10-10 b@20-90");
}

static void
on_failed (gpointer object, const char *message, gpointer data)
{
  ++*(guint *) data;
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("annotations-XXXXXX", NULL);
  g_autofree char *below = g_build_filename (folder, "sub", NULL);
  g_autofree char *path = g_build_filename (below, "one.json", NULL);
  g_autofree char *aside = g_strconcat (path, ".unreadable", NULL);
  StriaAnnotations *self = stria_annotations_new (path);
  g_autoptr (GDir) dir = NULL;
  const char *entry;
  guint n_failed = 0, n_files = 0;

  stria_annotations_flush (self);
  for (guint i = 0; i < 40; i++)
    stria_annotations_add (self, i, i + 5, "r\"\\\n\xc3\xa4", 0);
  stria_annotations_set_note (self, stria_annotations_at (self, 3)->id, "why");
  stria_annotations_flush (self);
  g_object_unref (self);

  /* Written whole, to a file that took the other's place: nothing else is left */
  dir = g_dir_open (below, 0, NULL);
  while ((entry = g_dir_read_name (dir)) != NULL)
    {
      g_assert_cmpstr (entry, ==, "one.json");
      n_files++;
    }
  g_assert_cmpuint (n_files, ==, 1);
  self = stria_annotations_new (path);
  stria_annotations_flush (self);
  g_assert_cmpuint (stria_annotations_size (self), ==, 40);
  g_assert_cmpstr (stria_annotations_at (self, 3)->note, ==, "why");
  g_assert_cmpstr (stria_annotations_at (self, 7)->name, ==, "r\"\\\n\xc3\xa4");
  g_assert_cmpint (stria_annotations_at (self, 7)->t1, ==, 12);
  stria_annotations_clear (self);
  stria_annotations_flush (self);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_object_unref (self);

  /* What cannot be read is not written over */
  g_assert_true (g_file_set_contents (path, "{ \"format\": \"stria-annotations\", ", -1, NULL));
  self = stria_annotations_new (path);
  g_signal_connect (self, "failed", G_CALLBACK (on_failed), &n_failed);
  stria_annotations_add (self, 1, 1, "kept", 0);
  stria_annotations_flush (self);
  g_assert_cmpuint (n_failed, ==, 1);
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_object_unref (self);
  g_unlink (aside);
  g_unlink (path);
  g_rmdir (below);
  g_rmdir (folder);
}

static void
test_share (void)
{
  g_autoptr (StriaAnnotations) self = stria_annotations_new (NULL);
  g_autoptr (StriaAnnotations) other = stria_annotations_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *csv = NULL;
  guint n = 0;

  stria_annotations_add (self, 10, 20, "say \"so\"", 0x0a0b0c);
  stria_annotations_add (self, 15, 15, "m", 0);
  text = stria_annotations_to_json (self, "t");
  stria_annotations_add (other, 15, 15, "m", 0);
  g_assert_true (stria_annotations_take_json (other, text, -1, "f.json", &n, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  expect (other, "say \"so\"@10-20 m@15-15");
  g_assert_cmpuint (stria_annotations_at (other, 0)->rgb, ==, 0x0a0b0c);
  g_assert_true (stria_annotations_take_json (other, text, -1, "f.json", &n, &error));
  g_assert_cmpuint (n, ==, 0);
  stria_annotations_undo (other);
  expect (other, "m@15-15");
  csv = stria_annotations_to_csv (self, 10);
  g_assert_nonnull (strstr (csv, "\"say \"\"so\"\"\",0,10,10,#0a0b0c,\"\"\r\n"));
}

static void
test_bad (void)
{
#define HEAD "{\"format\":\"stria-annotations\",\"annotations\":"
  static const struct
  {
    const char *text;
    StriaError  code;
  } cases[] = {
    { "", STRIA_ERROR_BAD_MAGIC },
    { "[]", STRIA_ERROR_BAD_MAGIC },
    { "{", STRIA_ERROR_MALFORMED },
    { "{\"format\":7}", STRIA_ERROR_BAD_MAGIC },
    { "{\"format\":\"stria-annotations\"}", STRIA_ERROR_MALFORMED },
    { HEAD "{}}", STRIA_ERROR_MALFORMED },
    { HEAD "[1]}", STRIA_ERROR_MALFORMED },
    { HEAD "[{\"start_ns\":\"1\"}]}", STRIA_ERROR_MALFORMED },
    { HEAD "[{\"start_ns\":2,\"end_ns\":1}]}", STRIA_ERROR_MALFORMED },
    { HEAD "[{\"start_ns\":-9223372036854775808}]}", STRIA_ERROR_LIMIT },
    { HEAD "[{\"start_ns\":0,\"end_ns\":9223372036854775807}]}", STRIA_ERROR_LIMIT },
  };
  g_autoptr (StriaAnnotations) self = stria_annotations_new (NULL);
  g_autoptr (GString) deep = g_string_new (HEAD);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_assert_false (
          stria_annotations_take_json (self, cases[i].text, -1, "bad.json", &n, &error));
      g_assert_error (error, STRIA_ERROR, (int) cases[i].code);
      g_assert_true (g_str_has_prefix (error->message, "bad.json: "));
      g_clear_error (&error);
    }
  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (deep, '[');
  g_assert_false (stria_annotations_take_json (self, deep->str, -1, "deep.json", &n, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
  g_assert_cmpuint (stria_annotations_size (self), ==, 0);
  g_assert_false (stria_annotations_can_undo (self));
}

/* Copies of a capture have the same ones, whatever they are called. */
static void
test_identity (void)
{
  char *ids[3];

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *path = g_strdup_printf ("/there/%u.json", i);
      g_autoptr (StriaCapture) capture = stria_capture_new (path);
      g_autoptr (StriaArtifact) artifact = stria_artifact_new (path, NULL, path, 100, i);

      stria_artifact_set_digest (artifact, i < 2 ? "abc" : "abd");
      stria_capture_add_artifact (capture, artifact);
      ids[i] = stria_annotations_identity (capture);
    }
  g_assert_cmpstr (ids[0], ==, ids[1]);
  g_assert_cmpstr (ids[0], !=, ids[2]);
  g_assert_cmpuint (strlen (ids[0]), ==, 64);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_free (ids[i]);
}

/* Marks of a row never lie over each other as long as there are rows enough, and the room of each
 * ends where the next one begins. */
static void
test_strip (void)
{
  g_autoptr (StriaTimeMarks) marks = stria_time_marks_new ();
  gint64 ends[8];
  guint first = 0;

  for (guint i = 0; i < 60; i++)
    {
      const gint64 t0 = g_test_rand_int_range (0, 1000);

      stria_time_marks_add (marks, STRIA_MARK_WARNING, i, t0, t0 + g_test_rand_int_range (0, 30),
                            0xffffff, FALSE, "w");
    }
  stria_time_marks_add (marks, STRIA_MARK_ANNOTATION, 100, 0, 50, 1, FALSE, "long");
  stria_time_marks_add (marks, STRIA_MARK_ANNOTATION, 101, 10, 10, 1, FALSE, "in it");
  stria_time_marks_add (marks, STRIA_MARK_ANNOTATION, 102, 60, 70, 1, FALSE, "after");
  stria_time_marks_seal (marks);
  g_assert_cmpuint (stria_time_marks_rows_of (marks, STRIA_MARK_ANNOTATION, &first), ==, 2);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (stria_time_marks_rows_of (marks, STRIA_MARK_REGION, &first), ==, 0);
  g_assert_cmpuint (stria_time_marks_rows_of (marks, STRIA_MARK_WARNING, &first), <=, 2);
  memset (ends, 0, sizeof ends);
  for (guint i = 0; i < stria_time_marks_size (marks); i++)
    {
      const StriaTimeMark *mark = stria_time_marks_get (marks, i);
      double x0 = 0, x1 = 0, room = 0;

      if (mark->row + 1u < stria_time_marks_n_rows (marks))
        g_assert_cmpint (mark->t0, >=, ends[mark->row]);
      ends[mark->row] = mark->t1;
      g_assert_true (stria_time_marks_place (marks, i, 0, 1100, 1100, &x0, &x1, &room));
      if (i + 1 < stria_time_marks_size (marks)
          && stria_time_marks_get (marks, i + 1)->row == mark->row)
        g_assert_cmpfloat (room, <=, MAX ((double) stria_time_marks_get (marks, i + 1)->t0, x0 + 1));
    }
  {
    int edge = 5;
    const guint hit = stria_time_marks_hit_line (marks, 0, 1100, 1100, 51, 3, &edge);

    g_assert_cmpuint (stria_time_marks_get (marks, hit)->id, ==, 100);
    g_assert_cmpint (edge, ==, 1);
    g_assert_cmpuint (stria_time_marks_hit_line (marks, 0, 1100, 1100, 40, 3, &edge), ==,
                      G_MAXUINT);
    g_assert_cmpuint (
        stria_time_marks_get (marks, stria_time_marks_hit (marks, 0, 1100, 1100, 65, 5))->id, ==,
        102);
  }
}

/* -- sets that are kept by name --------------------------------------------------------------- */

typedef struct
{
  gboolean   done;
  GPtrArray *names;
  GError    *error;
} Answer;

static void
on_sets (GObject *source, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  answer->names = stria_annotation_sets_finish (STRIA_ANNOTATIONS (source), result, &answer->error);
  answer->done = TRUE;
}

/* The names after it, with ";"; "!" if it failed */
static char *
sets (StriaAnnotations *self, StriaAnnotationSetsTask task, const char *name)
{
  Answer answer = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);

  stria_annotation_sets_async (self, task, name, on_sets, &answer);
  while (!answer.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true ((answer.names == NULL) == (answer.error != NULL));
  for (guint i = 0; answer.names != NULL && i < answer.names->len; i++)
    g_string_append_printf (text, "%s;", (char *) answer.names->pdata[i]);
  if (answer.error != NULL)
    g_string_assign (text, "!");
  g_clear_error (&answer.error);
  g_clear_pointer (&answer.names, g_ptr_array_unref);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#define expect_sets(self, task, name, expected) \
  G_STMT_START \
  { \
    g_autofree char *found = sets (self, STRIA_ANNOTATION_SETS_##task, name); \
    g_assert_cmpstr (found, ==, expected); \
  } \
  G_STMT_END

static void
test_sets (void)
{
  g_autofree char *folder = g_dir_make_tmp ("annotations-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autofree char *stray = g_build_filename (folder, "a.json.sets", "stray.json", NULL);
  g_autofree char *long_name = g_strnfill (STRIA_ANNOTATION_SETS_MAX_NAME, 'x');
  g_autofree char *too_long = g_strnfill (STRIA_ANNOTATION_SETS_MAX_NAME + 1, 'x');
  g_autoptr (GString) wide = g_string_new (NULL);
  g_autofree char *both = NULL;
  g_autoptr (StriaAnnotations) self = stria_annotations_new (path);
  g_autoptr (StriaAnnotations) nowhere = stria_annotations_new (NULL);

  stria_annotations_flush (self);
  expect_sets (nowhere, LIST, NULL, "!");
  expect_sets (self, LIST, NULL, "");
  stria_annotations_add (self, 10, 10, "first", 0);
  expect_sets (self, SAVE, "../../a \"b\" / c", "../../a \"b\" / c;");
  stria_annotations_add (self, 20, 30, "second", 0);
  expect_sets (self, SAVE, "Two", "../../a \"b\" / c;Two;");
  expect_sets (self, SAVE, "", "!");
  expect_sets (self, SAVE, "a\nb", "!");
  expect_sets (self, SAVE, too_long, "!");
  expect_sets (self, LOAD, "Three", "!");
  g_assert_cmpuint (stria_annotations_size (self), ==, 2);
  expect_sets (self, LOAD, "../../a \"b\" / c", "../../a \"b\" / c;Two;");
  g_assert_cmpuint (stria_annotations_size (self), ==, 1);
  g_assert_cmpstr (stria_annotations_at (self, 0)->name, ==, "first");
  g_assert_true (stria_annotations_undo (self));
  g_assert_cmpuint (stria_annotations_size (self), ==, 2);
  expect_sets (self, REMOVE, "../../a \"b\" / c", "Two;");
  /* Sixty letters that take three bytes each */
  for (guint i = 0; i < STRIA_ANNOTATION_SETS_MAX_NAME; i++)
    g_string_append (wide, "\xe5\xb1\xa4");
  both = g_strdup_printf ("Two;%s;", wide->str);
  expect_sets (self, SAVE, wide->str, both);
  expect_sets (self, LOAD, wide->str, both);
  expect_sets (self, REMOVE, wide->str, "Two;");
  expect_sets (self, SAVE, long_name, ({
                 static char expected[100];
                 g_snprintf (expected, sizeof expected, "Two;%s;", long_name);
                 expected;
               }));
  expect_sets (self, REMOVE, long_name, "Two;");
  /* A file of somebody else is no set, and stays. */
  g_assert_true (g_file_set_contents (stray, "{ \"format\": 3 }", -1, NULL));
  expect_sets (self, LIST, NULL, "Two;");
  expect_sets (self, REMOVE, "Two", "");
  g_assert_true (g_file_test (stray, G_FILE_TEST_EXISTS));
  stria_annotations_flush (self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotations/changes", test_changes);
  g_test_add_func ("/annotations/file", test_file);
  g_test_add_func ("/annotations/share", test_share);
  g_test_add_func ("/annotations/bad", test_bad);
  g_test_add_func ("/annotations/identity", test_identity);
  g_test_add_func ("/annotations/strip", test_strip);
  g_test_add_func ("/annotations/sets", test_sets);
  return g_test_run ();
}
