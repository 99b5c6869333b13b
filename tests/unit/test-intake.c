/* SPDX-License-Identifier: Apache-2.0 */
/* What files that are brought to a window are for. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/stria-intake.h"
#include "stria-scan.h"

#define TRACE "{\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \
\"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2}]}"
#define PROGRAM "\x10\x00\x00\x00" "ET12\x00\x00\x00\x00\x00\x00\x00\x00"
#define DUMP "\x10\x00\x00\x00" "ED00\x00\x00\x00\x00\x00\x00\x00\x00"

static char *folder;

/* Returns: (transfer full) */
static char *
write_file (const char *name, const char *data, gssize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, data, length, NULL));
  return g_steal_pointer (&path);
}

static StriaIntake *
look (const char *path, const char *open_path)
{
  const char *paths[] = { path, NULL };
  const char *open_paths[] = { open_path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaCapture) capture
      = open_path != NULL ? stria_scan (open_paths, NULL, &error) : NULL;
  StriaIntake *intake;

  g_assert_no_error (error);
  intake = stria_intake_look (paths, capture, open_paths, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (intake->what);
  return intake;
}

static StriaIntakeVerdict
verdict (const char *path, const char *open_path)
{
  g_autoptr (StriaIntake) intake = look (path, open_path);

  return intake->verdict;
}

static void
test_alone (void)
{
  g_autofree char *trace = write_file ("alone/a.pt.trace.json", TRACE, -1);
  g_autofree char *other = write_file ("alone/notes.txt", "nothing", -1);
  g_autoptr (StriaIntake) missing = look ("/nowhere/at/all", NULL);
  g_autoptr (StriaIntake) unknown = look (other, NULL);

  g_assert_cmpint (verdict (trace, NULL), ==, STRIA_INTAKE_OPEN);
  g_assert_cmpint (unknown->verdict, ==, STRIA_INTAKE_REFUSED);
  g_assert_cmpint (missing->verdict, ==, STRIA_INTAKE_REFUSED);
  g_assert_nonnull (strstr (missing->reason, "/nowhere/at/all"));
}

static void
test_companions (void)
{
  g_autofree char *dump = write_file ("et/run.etdump", DUMP, sizeof DUMP - 1);
  g_autofree char *program = write_file ("elsewhere/model.pte", PROGRAM, sizeof PROGRAM - 1);
  g_autofree char *second = write_file ("et/second.etdump", DUMP, sizeof DUMP - 1);
  g_autoptr (StriaIntake) again = look (second, dump);

  g_assert_cmpint (verdict (program, dump), ==, STRIA_INTAKE_ADD);
  g_assert_cmpint (verdict (dump, dump), ==, STRIA_INTAKE_ALREADY);
  g_assert_cmpint (again->verdict, ==, STRIA_INTAKE_ASK);
  g_assert_true (again->may_compare);
  g_assert_true (again->same_folder);
}

static void
test_traces (void)
{
  g_autofree char *first = write_file ("one/a.pt.trace.json", TRACE, -1);
  g_autofree char *second = write_file ("two/b.pt.trace.json", TRACE, -1);
  g_autofree char *program = write_file ("two/model.pte", PROGRAM, sizeof PROGRAM - 1);
  g_autofree char *one = g_build_filename (folder, "one", NULL);
  g_autoptr (StriaIntake) other = look (second, first);
  g_autoptr (StriaIntake) model = look (program, first);

  g_assert_cmpint (other->verdict, ==, STRIA_INTAKE_ASK);
  g_assert_true (other->may_compare);
  g_assert_false (other->same_folder);
  g_assert_cmpint (model->verdict, ==, STRIA_INTAKE_ASK);
  g_assert_false (model->may_compare);
  /* A file of a folder that is open */
  g_assert_cmpint (verdict (first, one), ==, STRIA_INTAKE_ALREADY);
}

static void
test_sources (void)
{
  g_autofree char *trace = write_file ("src/trace/a.pt.trace.json", TRACE, -1);
  g_autofree char *code = write_file ("src/code/deep/train.py", "print ()\n", -1);
  g_autofree char *settings = write_file ("src/code/settings.json", "{}", -1);
  g_autofree char *sources = g_build_filename (folder, "src", "code", NULL);

  g_assert_cmpint (verdict (sources, trace), ==, STRIA_INTAKE_SOURCES);
  g_assert_cmpint (verdict (sources, NULL), ==, STRIA_INTAKE_REFUSED);
  g_assert_nonnull (code);
  g_assert_nonnull (settings);
}

static void
assert_paths (const char *text, const char *expected)
{
  g_auto (GStrv) paths = stria_intake_paths_of_text (text);
  g_autofree char *joined = paths != NULL ? g_strjoinv ("|", paths) : NULL;

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_text (void)
{
  g_autofree char *home = g_strdup_printf ("%s/a b", g_get_home_dir ());

  assert_paths ("/a/b", "/a/b");
  assert_paths ("  '/a/b c'\r\n\"/d\"\n", "/a/b c|/d");
  assert_paths ("# a list\nfile:///a%20b\nfile://localhost/c", "/a b|/c");
  assert_paths ("copy\nfile:///a", "/a");
  assert_paths ("~/a b", home);
  assert_paths ("", NULL);
  assert_paths ("copy", NULL);
  assert_paths ("relative/path", NULL);
  assert_paths ("/a\nsome words", NULL);
  assert_paths ("https://example.org/a", NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("stria-intake-XXXXXX", NULL);
  g_test_add_func ("/intake/alone", test_alone);
  g_test_add_func ("/intake/companions", test_companions);
  g_test_add_func ("/intake/traces", test_traces);
  g_test_add_func ("/intake/sources", test_sources);
  g_test_add_func ("/intake/text", test_text);
  return g_test_run ();
}
