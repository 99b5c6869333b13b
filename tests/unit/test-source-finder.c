/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "app/stria-source-finder.h"
#include "stria-error.h"
#include "stria-source-link.h"

typedef struct
{
  char *root;
} Tree;

static void
put (Tree *tree, const char *path, const char *bytes, gssize length)
{
  g_autofree char *full = g_build_filename (tree->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (full, bytes, length, &error);
  g_assert_no_error (error);
}

static void
set_up (Tree *tree, gconstpointer data)
{
  tree->root = g_dir_make_tmp ("stria-source-XXXXXX", NULL);
  g_assert_nonnull (tree->root);
  put (tree, "torch/nn/modules/module.py", "module", -1);
  put (tree, "torch/nn/linear.py", "linear", -1);
  put (tree, "copy/torch/nn/linear.py", "copy", -1);
  put (tree, "other/linear.py", "other", -1);
  put (tree, ".git/module.py", "hidden", -1);
}

static void
remove_all (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
      const char *name;

      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          remove_all (child);
        }
    }
  g_remove (path);
}

static void
tear_down (Tree *tree, gconstpointer data)
{
  remove_all (tree->root);
  g_free (tree->root);
}

static StriaSourceResult *
find (const char *path, const char *const *folders)
{
  g_autoptr (StriaSourceFinder) finder = stria_source_finder_new ();
  g_autoptr (GError) error = NULL;
  StriaSourceResult *result;

  stria_source_finder_set_folders (finder, folders);
  result = stria_source_finder_find (finder, path, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static void
assert_match (Tree *tree, StriaSourceResult *result, guint i, const char *path)
{
  g_autofree char *full = g_build_filename (tree->root, path, NULL);
  const StriaSourceMatch *match = g_ptr_array_index (result->matches, i);

  g_assert_cmpstr (match->path, ==, full);
}

static void
test_exact (Tree *tree, gconstpointer data)
{
  g_autofree char *path = g_build_filename (tree->root, "other", "linear.py", NULL);
  g_autoptr (StriaSourceResult) result = find (path, NULL);
  g_autoptr (StriaSourceResult) folder = find (tree->root, NULL);

  g_assert_true (result->is_sure);
  g_assert_cmpuint (result->matches->len, ==, 1);
  assert_match (tree, result, 0, "other/linear.py");
  /* A folder is no file */
  g_assert_cmpuint (folder->matches->len, ==, 0);
}

static void
test_suffix (Tree *tree, gconstpointer data)
{
  const char *folders[] = { tree->root, NULL };
  g_autoptr (StriaSourceResult) sure
      = find ("/gone/site-packages/torch/nn/modules/module.py", folders);
  g_autoptr (StriaSourceResult) two = find ("/gone/torch/nn/linear.py", folders);
  g_autoptr (StriaSourceResult) one = find ("/gone/copy/torch/nn/linear.py", folders);
  g_autoptr (StriaSourceResult) windows = find ("C:\\env\\torch\\nn\\modules\\module.py", folders);
  g_autoptr (StriaSourceResult) relative = find ("nn/modules/module.py", folders);

  g_assert_true (sure->is_sure);
  assert_match (tree, sure, 0, "torch/nn/modules/module.py");
  g_assert_false (two->is_sure);
  g_assert_cmpuint (two->matches->len, ==, 2);
  g_assert_true (one->is_sure);
  assert_match (tree, one, 0, "copy/torch/nn/linear.py");
  g_assert_true (windows->is_sure);
  assert_match (tree, windows, 0, "torch/nn/modules/module.py");
  g_assert_true (relative->is_sure);
}

static void
test_name_only (Tree *tree, gconstpointer data)
{
  const char *folders[] = { tree->root, NULL };
  g_autoptr (StriaSourceResult) far = find ("/elsewhere/module.py", folders);
  g_autoptr (StriaSourceResult) bare = find ("module.py", folders);
  g_autoptr (StriaSourceResult) none = find ("/elsewhere/absent.py", folders);

  /* Offered, not opened */
  g_assert_cmpuint (far->matches->len, ==, 1);
  g_assert_false (far->is_sure);
  g_assert_true (bare->is_sure);
  g_assert_cmpuint (none->matches->len, ==, 0);
  g_assert_cmpuint (none->tried->len, ==, 2);
  g_assert_cmpstr (none->tried->pdata[0], ==, "/elsewhere/absent.py");
}

/* Nothing outside the folder is found, whatever the path or a link says. */
static void
test_outside (Tree *tree, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (tree->root, "torch", NULL);
  g_autofree char *link = g_build_filename (folder, "outside", NULL);
  g_autofree char *loop = g_build_filename (folder, "loop", NULL);
  g_autofree char *file = g_build_filename (folder, "secret.py", NULL);
  const char *folders[] = { folder, "relative", "/does/not/exist", NULL };
  g_autoptr (StriaSourceResult) up = NULL;
  g_autoptr (StriaSourceResult) linked = NULL;
  g_autoptr (StriaSourceResult) secret = NULL;
  g_autoptr (StriaSourceResult) nothing = NULL;

  g_assert_cmpint (symlink ("../other", link), ==, 0);
  g_assert_cmpint (symlink (".", loop), ==, 0);
  g_assert_cmpint (symlink ("/etc/passwd", file), ==, 0);
  up = find ("nn/../../other/linear.py", folders);
  linked = find ("outside/linear.py", folders);
  secret = find ("torch/secret.py", folders);
  nothing = find ("../..", folders);
  for (guint i = 0; i < up->matches->len; i++)
    assert_match (tree, up, i, "torch/nn/linear.py");
  for (guint i = 0; i < linked->matches->len; i++)
    assert_match (tree, linked, i, "torch/nn/linear.py");
  g_assert_cmpuint (secret->matches->len, ==, 0);
  g_assert_cmpuint (nothing->matches->len, ==, 0);
}

static void
test_forget (Tree *tree, gconstpointer data)
{
  g_autoptr (StriaSourceFinder) finder = stria_source_finder_new ();
  g_autoptr (StriaSourceResult) before = NULL;
  g_autoptr (StriaSourceResult) after = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const char *folders[] = { tree->root, NULL };

  stria_source_finder_set_folders (finder, folders);
  g_cancellable_cancel (cancelled);
  g_assert_null (stria_source_finder_find (finder, "new/late.py", cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  before = stria_source_finder_find (finder, "new/late.py", NULL, NULL);
  g_assert_cmpuint (before->matches->len, ==, 0);
  put (tree, "new/late.py", "late", -1);
  stria_source_finder_forget (finder);
  after = stria_source_finder_find (finder, "new/late.py", NULL, NULL);
  g_assert_true (after->is_sure);
}

static void
test_read (Tree *tree, gconstpointer data)
{
  g_autofree char *path = g_build_filename (tree->root, "text.py", NULL);
  g_autofree char *fifo = g_build_filename (tree->root, "fifo", NULL);
  g_autofree char *large = g_build_filename (tree->root, "large", NULL);
  g_autofree char *line = g_strnfill (100000, 'x');
  g_autofree char *long_text = g_strdup_printf ("a\n%s\nb", line);
  g_autoptr (StriaSourceText) text = NULL;
  g_autoptr (GError) error = NULL;

  put (tree, "text.py", "\xef\xbb\xbf" "a\nb\n", -1);
  text = stria_source_text_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->text, ==, "a\nb\n");
  g_assert_cmpuint (text->n_lines, ==, 3);
  g_assert_false (text->is_lossy);
  g_clear_pointer (&text, stria_source_text_free);

  put (tree, "text.py", "a\xff\0b\n", 5);
  text = stria_source_text_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->text, ==, "a\xef\xbf\xbd\xef\xbf\xbd" "b\n");
  g_assert_true (text->is_lossy);
  g_clear_pointer (&text, stria_source_text_free);

  put (tree, "text.py", long_text, -1);
  text = stria_source_text_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (text->n_cut, ==, 1);
  g_assert_cmpuint (text->n_lines, ==, 3);
  g_assert_cmpuint (text->length, <, 10000);
  g_assert_true (g_str_has_suffix (text->text, "…\nb"));
  g_clear_pointer (&text, stria_source_text_free);

  put (tree, "text.py", "", 0);
  text = stria_source_text_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->text, ==, "");
  g_clear_pointer (&text, stria_source_text_free);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_null (stria_source_text_read (fifo, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (stria_source_text_read ("/does/not/exist", NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND);
  g_clear_error (&error);
  put (tree, "large", "", 0);
  g_assert_cmpint (truncate (large, STRIA_SOURCE_TEXT_MAX_BYTES + 1), ==, 0);
  g_assert_null (stria_source_text_read (large, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
}

/* @members: names and texts by turns */
static char *
pack (Tree *tree, const char *name, gboolean is_zip, const char *const *members)
{
  char *path = g_build_filename (tree->root, name, NULL);
  struct archive *archive = archive_write_new ();

  if (is_zip)
    archive_write_set_format_zip (archive);
  else
    {
      archive_write_add_filter_gzip (archive);
      archive_write_set_format_pax_restricted (archive);
    }
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  for (guint i = 0; members[i] != NULL; i += 2)
    {
      struct archive_entry *entry = archive_entry_new ();
      const gsize length = strlen (members[i + 1]);

      archive_entry_set_pathname (entry, members[i]);
      archive_entry_set_filetype (entry, AE_IFREG);
      archive_entry_set_perm (entry, 0644);
      archive_entry_set_size (entry, (la_int64_t) length);
      g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
      g_assert_cmpint (archive_write_data (archive, members[i + 1], length), ==, (la_ssize_t) length);
      archive_entry_free (entry);
    }
  archive_write_free (archive);
  return path;
}

static const char *const packed[]
    = { "./repo/torch/nn/linear.py", "packed linear", "/repo/kernels/matmul.py", "one\ntwo",
        "../../repo/up.py", "up", "repo/empty.py", "", "repo/.git/hidden.py", "hidden", NULL };

static void
assert_text (StriaSourceFinder *finder, const char *path, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSourceText) text = stria_source_finder_read (finder, path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text->text, ==, expected);
}

/* As a folder: found by the end of the path, read without a file on disk. */
static void
test_archive (Tree *tree, gconstpointer is_zip)
{
  g_autofree char *path = pack (tree, is_zip != NULL ? "a.zip" : "a.tar.gz", is_zip != NULL, packed);
  g_autofree char *folder = g_build_filename (tree->root, "torch", NULL);
  const char *folders[] = { path, folder, NULL };
  g_autoptr (StriaSourceFinder) finder = stria_source_finder_new ();
  g_autoptr (StriaSourceResult) kernel = NULL, both = NULL, up = NULL, empty = NULL, hidden = NULL;
  g_autofree char *shown = g_build_filename (path, "repo/kernels/matmul.py", NULL);
  g_autofree char *plain = g_build_filename (folder, "nn/linear.py", NULL);

  stria_source_finder_set_folders (finder, folders);
  kernel = stria_source_finder_find (finder, "/gone/repo/kernels/matmul.py", NULL, NULL);
  g_assert_true (kernel->is_sure);
  g_assert_cmpuint (kernel->matches->len, ==, 1);
  g_assert_cmpstr (((StriaSourceMatch *) kernel->matches->pdata[0])->path, ==, shown);
  g_assert_cmpuint (((StriaSourceMatch *) kernel->matches->pdata[0])->n_parts, ==, 3);
  assert_text (finder, shown, "one\ntwo");

  /* In the archive and in a folder: both, in their order */
  both = stria_source_finder_find (finder, "/gone/torch/nn/linear.py", NULL, NULL);
  g_assert_false (both->is_sure);
  g_assert_cmpuint (both->matches->len, ==, 2);
  assert_text (finder, ((StriaSourceMatch *) both->matches->pdata[0])->path, "packed linear");
  assert_text (finder, plain, "linear");

  /* A member's name is no way out of the archive */
  up = stria_source_finder_find (finder, "repo/up.py", NULL, NULL);
  g_assert_cmpuint (up->matches->len, ==, 1);
  g_assert_true (g_str_has_prefix (((StriaSourceMatch *) up->matches->pdata[0])->path, path));
  g_assert_null (strstr (((StriaSourceMatch *) up->matches->pdata[0])->path, ".."));
  assert_text (finder, ((StriaSourceMatch *) up->matches->pdata[0])->path, "up");

  empty = stria_source_finder_find (finder, "repo/empty.py", NULL, NULL);
  g_assert_true (empty->is_sure);
  assert_text (finder, ((StriaSourceMatch *) empty->matches->pdata[0])->path, "");
  hidden = stria_source_finder_find (finder, "repo/.git/hidden.py", NULL, NULL);
  g_assert_cmpuint (hidden->matches->len, ==, 0);
}

static void
test_bad_archive (Tree *tree, gconstpointer data)
{
  g_autofree char *path = pack (tree, "cut.tar.gz", FALSE, packed);
  g_autofree char *junk = g_build_filename (tree->root, "junk.zip", NULL);
  g_autofree char *huge = NULL, *text = g_strnfill (STRIA_SOURCE_TEXT_MAX_BYTES + 1, 'x'), *shown = NULL;
  const char *const large[] = { "repo/large.py", text, NULL };
  const char *folders[] = { path, junk, NULL };
  g_autoptr (StriaSourceFinder) finder = stria_source_finder_new ();
  g_autoptr (StriaSourceResult) none = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (truncate (path, 60), ==, 0);
  put (tree, "junk.zip", "no archive at all", -1);
  stria_source_finder_set_folders (finder, folders);
  none = stria_source_finder_find (finder, "repo/kernels/matmul.py", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->matches->len, ==, 0);
  /* Why nothing was found in them stands with where was looked */
  g_assert_cmpuint (none->tried->len, ==, 2);
  g_assert_nonnull (strstr (none->tried->pdata[0], "cut.tar.gz: "));
  g_assert_nonnull (strstr (none->tried->pdata[1], "junk.zip: "));

  huge = pack (tree, "huge.tar.gz", FALSE, large);
  folders[0] = huge;
  shown = g_build_filename (huge, "repo/large.py", NULL);
  stria_source_finder_set_folders (finder, folders);
  g_clear_pointer (&none, stria_source_result_free);
  none = stria_source_finder_find (finder, "repo/large.py", NULL, NULL);
  g_assert_cmpuint (none->matches->len, ==, 1);
  g_assert_null (stria_source_finder_read (finder, shown, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
}

static void
assert_name (const char *name, const char *path, guint line, const char *function)
{
  g_autofree char *got = NULL;
  const char *rest = NULL;
  guint number = 0;

  g_assert_true (stria_source_parse_name (name, &got, &number, &rest));
  g_assert_cmpstr (got, ==, path);
  g_assert_cmpuint (number, ==, line);
  g_assert_cmpstr (rest, ==, function);
}

static void
test_names (void)
{
  static const char *const none[]
      = { "",         "aten::mm",        "f(1)",      "(1): f",        "a.py(): f", "a.py(x): f",
          "a.py(0): f", "<string>(3): f", "?(3): f", "a.py(1234567890): f", "a.py(1):f" };

  assert_name ("torch/nn/modules/module.py(1501): _call_impl", "torch/nn/modules/module.py", 1501,
               "_call_impl");
  assert_name ("/a (1)/b.py(7): <lambda>", "/a (1)/b.py", 7, "<lambda>");
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_autofree char *path = NULL;
      guint line;

      g_assert_false (stria_source_parse_name (none[i], &path, &line, NULL));
      g_assert_null (path);
    }
  g_assert_false (stria_source_parse_name (NULL, NULL, NULL, NULL));
}

static void
test_places (void)
{
  static const char *const none[] = { "", "a.py", ":3", "a.py:", "a.py:0", "a.py:x", "a.py:-1",
                                      "a.py:99999999999", "<string>:3", "?:3", NULL };
  g_autofree char *path = NULL;
  guint line;

  g_assert_true (stria_source_parse_place ("/a:1/kernel.py:42", &path, &line));
  g_assert_cmpstr (path, ==, "/a:1/kernel.py");
  g_assert_cmpuint (line, ==, 42);
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_autofree char *got = NULL;

      g_assert_false (stria_source_parse_place (none[i], &got, &line));
      g_assert_null (got);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/source/exact", Tree, NULL, set_up, test_exact, tear_down);
  g_test_add ("/source/suffix", Tree, NULL, set_up, test_suffix, tear_down);
  g_test_add ("/source/name-only", Tree, NULL, set_up, test_name_only, tear_down);
  g_test_add ("/source/outside", Tree, NULL, set_up, test_outside, tear_down);
  g_test_add ("/source/forget", Tree, NULL, set_up, test_forget, tear_down);
  g_test_add ("/source/archive/tar", Tree, NULL, set_up, test_archive, tear_down);
  g_test_add ("/source/archive/zip", Tree, "zip", set_up, test_archive, tear_down);
  g_test_add ("/source/archive/bad", Tree, NULL, set_up, test_bad_archive, tear_down);
  g_test_add ("/source/read", Tree, NULL, set_up, test_read, tear_down);
  g_test_add_func ("/source/names", test_names);
  g_test_add_func ("/source/places", test_places);
  return g_test_run ();
}
