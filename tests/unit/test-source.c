/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "source-fixtures.h"
#include "stria-archive.h"
#include "stria-error.h"
#include "stria-mapped.h"
#include "stria-source.h"

static char *folder;
static char *text;
static gsize text_length;

static char *
at (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* Everything up to the end or the error, and that position and size go with it. */
static GByteArray *
read_rest (StriaSource *source, GError **error)
{
  GByteArray *all = g_byte_array_new ();
  guint64 before = 0;
  const guint8 *data;
  gsize length;

  while (stria_source_read (source, &data, &length, error) && length > 0)
    {
      g_byte_array_append (all, data, length);
      g_assert_cmpuint (stria_source_get_position (source), >=, before);
      before = stria_source_get_position (source);
      if (stria_source_get_size (source) > 0)
        g_assert_cmpuint (before, <=, stria_source_get_size (source));
    }
  return all;
}

static void
assert_text (const GByteArray *bytes)
{
  g_assert_cmpmem (bytes->data, bytes->len, text, text_length);
}

/* @bytes begins as the text does, with at least @least bytes of it */
static void
assert_begins (const GByteArray *bytes, gsize least)
{
  g_assert_cmpuint (bytes->len, >=, least);
  g_assert_cmpuint (bytes->len, <=, text_length);
  g_assert_cmpmem (bytes->data, bytes->len, text, bytes->len);
}

static void
check_sound (const char *name, const char *member, gsize block, guint64 trailing)
{
  g_autofree char *path = at (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_open (path, member, &error);
  g_autoptr (GByteArray) bytes = NULL;
  const guint8 *data;
  gsize length;

  g_assert_no_error (error);
  if (block > 0)
    stria_source_set_block_size (source, block);
  bytes = read_rest (source, &error);
  g_assert_no_error (error);
  assert_text (bytes);
  g_assert_cmpuint (stria_source_get_trailing (source), ==, trailing);
  if (stria_source_get_size (source) > 0)
    g_assert_cmpuint (stria_source_get_position (source), ==, stria_source_get_size (source));

  /* The end stays the end. */
  g_assert_true (stria_source_read (source, &data, &length, &error));
  g_assert_cmpuint (length, ==, 0);
}

static void
test_plain (void)
{
  check_sound ("text.json", NULL, 0, 0);
  check_sound ("text.json", NULL, 4099, 0);
}

static void
test_gzip (void)
{
  static const char *const names[] = { "one.gz",           "gzip-by-content.json", "stored.gz",
                                       "many.gz",          "empty-members.gz",     "full-header.gz",
                                       "padded-between.gz" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = at (names[i]);
      g_autoptr (StriaSource) source = stria_source_open (path, NULL, NULL);

      g_assert_true (stria_source_is_compressed (source));
      check_sound (names[i], NULL, 0, 0);
      check_sound (names[i], NULL, 1021, 0);
    }
}

static void
test_gzip_trailing (void)
{
  check_sound ("padded.gz", NULL, 0, 1024);
  check_sound ("junk.gz", NULL, 0, 5);
}

static void
test_gzip_nothing (void)
{
  g_autofree char *path = at ("nothing.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_open (path, NULL, &error);
  g_autoptr (GByteArray) bytes = NULL;

  g_assert_no_error (error);
  bytes = read_rest (source, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bytes->len, ==, 0);
}

static void
check_damaged (const char *name, const char *member, int code, gsize least)
{
  g_autofree char *path = at (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  g_autoptr (StriaSource) source = stria_source_open (path, member, &error);
  g_autoptr (GByteArray) bytes = NULL;
  const guint8 *data;
  gsize length;

  g_assert_no_error (error);
  bytes = read_rest (source, &error);
  g_assert_error (error, STRIA_ERROR, code);
  g_assert_nonnull (strstr (error->message, name));
  assert_begins (bytes, least);
  g_assert_false (stria_source_read (source, &data, &length, &again));
  g_assert_error (again, STRIA_ERROR, code);
}

static void
test_gzip_damaged (void)
{
  check_damaged ("cut.gz", NULL, STRIA_ERROR_TRUNCATED, text_length / 3);
  check_damaged ("cut-trailer.gz", NULL, STRIA_ERROR_TRUNCATED, text_length);
  check_damaged ("cut-header.gz", NULL, STRIA_ERROR_TRUNCATED, 0);
  check_damaged ("cut-second.gz", NULL, STRIA_ERROR_TRUNCATED, text_length);
  check_damaged ("bad-crc.gz", NULL, STRIA_ERROR_MALFORMED, text_length);
  check_damaged ("bad-length.gz", NULL, STRIA_ERROR_MALFORMED, text_length);
}

static void
test_gzip_damaged_inside (void)
{
  g_autofree char *path = at ("bad-middle.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_open (path, NULL, NULL);
  g_autoptr (GByteArray) bytes = read_rest (source, &error);

  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_assert_cmpuint (bytes->len, >, text_length / 3);
  g_assert_cmpmem (bytes->data, text_length / 3, text, text_length / 3);
}

static void
test_gzip_endless (void)
{
  g_autofree char *path = at ("endless.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_open (path, NULL, NULL);
  guint64 total = 0;
  const guint8 *data;
  gsize length;

  while (stria_source_read (source, &data, &length, &error) && length > 0)
    total += length;
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
  g_assert_cmpuint (total, >=, STRIA_SOURCE_RATIO_FROM);
  g_assert_cmpuint (total, <=, STRIA_SOURCE_RATIO_FROM + (32 << 20));
}

static GBytes *
zstd_bytes (gboolean twice, gsize cut, const char *tail)
{
  GByteArray *all = g_byte_array_new ();
  gsize bound = ZSTD_compressBound (text_length);
  g_autofree guint8 *frame = g_malloc (bound);
  gsize half = twice ? text_length / 2 : text_length;
  gsize n = ZSTD_compress (frame, bound, text, half, 3);

  g_byte_array_append (all, frame, n);
  if (twice)
    {
      static const guint8 skippable[] = { 0x52, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z' };

      g_byte_array_append (all, skippable, sizeof skippable);
      n = ZSTD_compress (frame, bound, text + half, text_length - half, 3);
      g_byte_array_append (all, frame, n);
    }
  g_byte_array_append (all, (const guint8 *) tail, strlen (tail));
  g_byte_array_set_size (all, all->len - cut);
  return g_byte_array_free_to_bytes (all);
}

static void
test_zstd (void)
{
  static const struct
  {
    gboolean twice;
    gsize cut;
    const char *tail;
    int code;
  } cases[] = {
    { FALSE, 0, "", -1 },
    { TRUE, 0, "", -1 },
    { TRUE, 0, "junk", -1 },
    { FALSE, 100, "", STRIA_ERROR_TRUNCATED },
    { TRUE, 1, "", STRIA_ERROR_TRUNCATED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) packed = zstd_bytes (cases[i].twice, cases[i].cut, cases[i].tail);
      g_autoptr (GError) error = NULL;
      g_autoptr (StriaSource) source = stria_source_new_bytes ("t.json", packed, &error);
      g_autoptr (GByteArray) bytes = NULL;

      g_assert_no_error (error);
      g_assert_true (stria_source_is_compressed (source));
      bytes = read_rest (source, &error);
      if (cases[i].code < 0)
        {
          g_assert_no_error (error);
          assert_text (bytes);
          g_assert_cmpuint (stria_source_get_trailing (source), ==, strlen (cases[i].tail));
        }
      else
        {
          g_assert_error (error, STRIA_ERROR, cases[i].code);
          assert_begins (bytes, text_length / 2);
        }
    }
}

static void
test_zstd_damaged (void)
{
  g_autoptr (GBytes) sound = zstd_bytes (FALSE, 0, "");
  gsize length;
  g_autofree guint8 *copy = g_bytes_unref_to_data (g_steal_pointer (&sound), &length);
  g_autoptr (GBytes) damaged = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (GByteArray) bytes = NULL;

  memset (copy + length / 2, 0xff, 64);
  damaged = g_bytes_new_take (g_steal_pointer (&copy), length);
  source = stria_source_new_bytes ("t.json", damaged, NULL);
  bytes = read_rest (source, &error);
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  g_assert_nonnull (strstr (error->message, "t.json"));
}

static void
test_members (void)
{
  static const char *const archives[] = { "sound.zip", "stored.zip", "sound.tar", "sound.tar.gz",
                                          "two-members.tar.gz" };

  for (guint i = 0; i < G_N_ELEMENTS (archives); i++)
    {
      check_sound (archives[i], "run/rank10.json", 0, 0);
      check_sound (archives[i], "run/rank2.json.gz", 0, 0);
      check_sound (archives[i], "../../up.json", 0, 0);
      check_sound (archives[i], "/abs.json", 3001, 0);
    }
}

static void
test_members_damaged (void)
{
  g_autofree char *zip = at ("damaged-first.zip");
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (GByteArray) bytes = NULL;

  check_damaged ("cut.tar", "../../up.json", STRIA_ERROR_TRUNCATED, text_length / 2);
  check_damaged ("cut.tar.gz", "../../up.json", STRIA_ERROR_TRUNCATED, text_length / 4);
  check_sound ("cut.tar.gz", "run/rank10.json", 0, 0);

  source = stria_source_open (zip, "a.json", NULL);
  bytes = read_rest (source, &error);
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
  check_sound ("damaged-first.zip", "b.json", 0, 0);
}

static void
test_member_bombs (void)
{
  static const char *const names[][2] = { { "bomb.zip", "bomb.json" },
                                          { "bomb.tar.gz", "zeros.json" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = at (names[i][0]);
      g_autoptr (GError) error = NULL;
      g_autoptr (StriaSource) source = stria_source_open (path, names[i][1], NULL);
      guint64 total = 0;
      const guint8 *data;
      gsize length;

      while (stria_source_read (source, &data, &length, &error) && length > 0)
        total += length;
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
      g_assert_cmpuint (total, <=, STRIA_SOURCE_RATIO_FROM + (32 << 20));
    }
  check_sound ("bomb.zip", "good.json", 0, 0);
}

static void
check_refused (const char *name, const char *member, int code)
{
  g_autofree char *path = g_path_is_absolute (name) ? g_strdup (name) : at (name);
  g_autofree char *base = g_path_get_basename (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) head_error = NULL;

  g_assert_null (stria_source_open (path, member, &error));
  g_assert_error (error, STRIA_ERROR, code);
  g_assert_nonnull (strstr (error->message, base));
  g_assert_null (stria_source_head (path, member, 16, NULL, &head_error));
  g_assert_error (head_error, STRIA_ERROR, code);
}

static void
test_refused (void)
{
  check_refused ("missing.json", NULL, STRIA_ERROR_NOT_FOUND);
  check_refused ("text.json/below.json", NULL, STRIA_ERROR_NOT_FOUND);
  check_refused ("loop.json", NULL, STRIA_ERROR_NOT_FOUND);
  check_refused ("none.json", NULL, STRIA_ERROR_EMPTY);
  check_refused ("folder", NULL, STRIA_ERROR_UNSUPPORTED);
  check_refused ("pipe.json", NULL, STRIA_ERROR_UNSUPPORTED);
  check_refused ("/dev/zero", NULL, STRIA_ERROR_UNSUPPORTED);
  check_refused ("sound.zip", "nothing.json", STRIA_ERROR_NOT_FOUND);
  check_refused ("sound.zip", "run/none.json", STRIA_ERROR_EMPTY);
  check_refused ("sound.tar.gz", "run/link.json", STRIA_ERROR_NOT_FOUND);
  check_refused ("sound.tar.gz", "run/pipe", STRIA_ERROR_NOT_FOUND);
  check_refused ("secret.zip", "secret.json", STRIA_ERROR_UNSUPPORTED);
  check_refused ("text.json", "member", STRIA_ERROR_MALFORMED);
}

static void
test_permission (void)
{
  g_autofree char *path = at ("closed.json");
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      return;
    }
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  g_assert_cmpint (chmod (path, 0), ==, 0);
  g_assert_null (stria_source_open (path, NULL, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_PERMISSION);
}

static void
test_shrinks (void)
{
  g_autofree char *path = at ("shrinks.json");
  g_autofree char *content = g_malloc0 (4 << 20);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (GByteArray) rest = NULL;
  const guint8 *data;
  gsize length;

  g_assert_true (g_file_set_contents (path, content, 4 << 20, NULL));
  source = stria_source_open (path, NULL, NULL);
  stria_source_set_block_size (source, 64 << 10);
  g_assert_true (stria_source_read (source, &data, &length, &error));
  g_assert_cmpint (truncate (path, 128 << 10), ==, 0);
  rest = read_rest (source, &error);
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
  g_assert_null (stria_source_map (source, &length));
}

static void
test_grows (void)
{
  g_autofree char *path = at ("grows.json");
  g_autofree char *longer = g_strconcat (text, text, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (GByteArray) bytes = NULL;

  g_assert_true (g_file_set_contents_full (path, text, text_length, G_FILE_SET_CONTENTS_NONE, 0600,
                                           NULL));
  source = stria_source_open (path, NULL, NULL);
  g_assert_true (g_file_set_contents_full (path, longer, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  bytes = read_rest (source, &error);
  g_assert_no_error (error);
  assert_text (bytes);
}

static void
test_map (void)
{
  g_autofree char *path = at ("text.json");
  g_autofree char *large = at ("large.json");
  g_autofree char *packed = at ("one.gz");
  g_autofree char *zip = at ("sound.zip");
  g_autoptr (GByteArray) repeated = g_byte_array_new ();
  g_autoptr (StriaSource) small_source = stria_source_open (path, NULL, NULL);
  g_autoptr (StriaSource) packed_source = stria_source_open (packed, NULL, NULL);
  g_autoptr (StriaSource) member_source = stria_source_open (zip, "run/rank10.json", NULL);
  g_autoptr (StriaSource) large_source = NULL;
  const guint8 *map;
  gsize length;

  map = stria_source_map (small_source, &length);
  g_assert_cmpmem (map, length, text, text_length);
  stria_source_done_to (small_source, length);
  g_assert_cmpmem (map, length, text, text_length);
  g_assert_null (stria_source_map (packed_source, &length));
  g_assert_null (stria_source_map (member_source, &length));

  while (repeated->len < 40 << 20)
    g_byte_array_append (repeated, (const guint8 *) text, text_length);
  g_assert_true (g_file_set_contents (large, (const char *) repeated->data, repeated->len, NULL));
  large_source = stria_source_open (large, NULL, NULL);
  map = stria_source_map (large_source, &length);
  g_assert_cmpmem (map, length, repeated->data, repeated->len);
  stria_source_done_to (large_source, length / 2 + 17);
  stria_source_done_to (large_source, 5);
  stria_source_done_to (large_source, G_MAXSIZE);
  g_assert_cmpmem (map, length, repeated->data, repeated->len);
}

static void
test_bytes (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, text_length);
  g_autoptr (GBytes) none = g_bytes_new (NULL, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_new_bytes ("dir/name.json", bytes, NULL);
  g_autoptr (GByteArray) all = read_rest (source, &error);
  gsize length;

  g_assert_no_error (error);
  assert_text (all);
  g_assert_cmpstr (stria_source_get_name (source), ==, "name.json");
  g_assert_true (stria_source_map (source, &length) == (const guint8 *) text);
  g_assert_null (stria_source_new_bytes ("none", none, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY);
}

static void
test_head (void)
{
  static const struct
  {
    const char *name;
    const char *member;
  } cases[] = {
    { "text.json", NULL },
    { "one.gz", NULL },
    { "cut.gz", NULL },
    { "sound.zip", "run/rank2.json.gz" },
    { "sound.tar.gz", "run/rank10.json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = at (cases[i].name);
      g_autoptr (GError) error = NULL;
      gboolean whole = TRUE;
      g_autoptr (GBytes) head = stria_source_head (path, cases[i].member, 1000, &whole, &error);

      g_assert_no_error (error);
      g_assert_cmpmem (g_bytes_get_data (head, NULL), g_bytes_get_size (head), text, 1000);
      g_assert_false (whole);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = at (cases[i].name);
      gboolean whole = FALSE;
      g_autoptr (GBytes) all = stria_source_head (path, NULL, text_length, &whole, NULL);
      g_autoptr (GBytes) almost = stria_source_head (path, NULL, text_length - 1, NULL, NULL);

      g_assert_true (whole);
      g_assert_cmpuint (g_bytes_get_size (all), ==, text_length);
      g_assert_cmpuint (g_bytes_get_size (almost), ==, text_length - 1);
    }
}

/* The thread that reads ahead is stopped wherever it is. */
static void
test_free_early (void)
{
  static const char *const names[] = { "text.json", "many.gz", "endless.gz" };

  for (guint i = 0; i < G_N_ELEMENTS (names) * 20; i++)
    {
      g_autofree char *path = at (names[i % G_N_ELEMENTS (names)]);
      g_autoptr (StriaSource) source = stria_source_open (path, NULL, NULL);
      const guint8 *data;
      gsize length;

      stria_source_set_block_size (source, 1 + 997 * i);
      for (guint k = 0; k < i % 4; k++)
        g_assert_true (stria_source_read (source, &data, &length, NULL));
    }
}

static void
test_cancel (void)
{
  g_autofree char *path = at ("text.json");
  g_autofree char *archive = at ("sound.tar.gz");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = stria_source_open_full (path, NULL, cancellable, NULL);
  const guint8 *data;
  gsize length;

  g_assert_true (stria_source_read (source, &data, &length, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_false (stria_source_read (source, &data, &length, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (stria_source_open_full (archive, "/abs.json", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gboolean
note_member (const StriaArchiveEntry *entry, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (entry->label));
  return TRUE;
}

static void
test_list (void)
{
  static const char *const zip[] = { "run/rank10.json", "run/rank2.json.gz", "run/readme.txt",
                                     "run/none.json",   "up.json",           "abs.json",
                                     "run/.hidden.json",
                                     "run/line\357\277\275feed\357\277\275.json" };
  g_autofree char *path = at ("sound.zip");
  g_autofree char *tar = at ("sound.tar.gz");
  g_autofree char *cut = at ("cut.tar.gz");
  g_autofree char *bomb = at ("bomb.tar.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_assert_true (stria_archive_list (path, 100, NULL, note_member, names, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (names->len, ==, G_N_ELEMENTS (zip));
  for (guint i = 0; i < names->len; i++)
    g_assert_cmpstr (g_ptr_array_index (names, i), ==, zip[i]);

  g_ptr_array_set_size (names, 0);
  g_assert_true (stria_archive_list (tar, 100, NULL, note_member, names, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (names->len, ==, 7);
  g_assert_cmpstr (g_ptr_array_index (names, 4), ==, "up.json");
  g_assert_true (g_str_has_suffix (g_ptr_array_index (names, 6), "longlong/rank0.json"));

  g_ptr_array_set_size (names, 0);
  g_assert_false (stria_archive_list (cut, 100, NULL, note_member, names, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
  g_assert_cmpuint (names->len, ==, 5);
  g_clear_error (&error);

  g_ptr_array_set_size (names, 0);
  g_assert_false (stria_archive_list (bomb, 100, NULL, note_member, names, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT);
  g_assert_cmpuint (names->len, ==, 1);
}

static void
test_label (void)
{
  static const char *const cases[][2] = {
    { "a/b.json", "a/b.json" },   { "../../etc/passwd", "etc/passwd" }, { "/abs", "abs" },
    { "a/./b//c", "a/b/c" },      { "..", "?" },
    { "C:\\x\\..\\y", "C:/x/y" },
    { "a/\xff.json", "a/\357\277\275.json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label = stria_archive_label (cases[i][0]);

      g_assert_cmpstr (label, ==, cases[i][1]);
    }
}

/* What is compressed is unpacked into a file of its own and mapped; a fault is told with what came
 * before it, or is an error. */
static void
test_mapped (void)
{
  const char *const names[] = { "one.gz", "cut.gz" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = at (names[i]);
      g_autoptr (StriaSource) source = stria_source_open (path, NULL, NULL);
      g_autoptr (StriaSource) again = stria_source_open (path, NULL, NULL);
      g_autoptr (GError) fault = NULL, error = NULL;
      g_auto (StriaMapped) mapped = { 0 };
      gsize length;
      int fd;

      g_assert_true (stria_mapped_open (&mapped, source, names[i], NULL, &fault, &error));
      g_assert_no_error (error);
      g_assert_nonnull (mapped.spool);
      g_assert_cmpmem (mapped.data, mapped.length, text, i == 0 ? text_length : mapped.length);
      stria_mapped_drop (&mapped, 0, mapped.length);
      g_assert_cmpmem (mapped.data, mapped.length, text, mapped.length);
      fd = stria_source_spool (again, names[i], NULL, &length, NULL, &error);
      g_assert_cmpuint (length, ==, mapped.length);
      if (i == 0)
        {
          g_assert_no_error (fault);
          g_assert_cmpint (fd, >=, 0);
          close (fd);
        }
      else
        {
          g_assert_cmpuint (mapped.length, >, 0);
          g_assert_cmpuint (mapped.length, <, text_length);
          g_assert_error (fault, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
          g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
          g_assert_cmpint (fd, ==, -1);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = source_fixtures_make ();
  path = at ("text.json");
  g_assert_true (g_file_get_contents (path, &text, &text_length, NULL));

  g_test_add_func ("/source/plain", test_plain);
  g_test_add_func ("/source/gzip", test_gzip);
  g_test_add_func ("/source/gzip-trailing", test_gzip_trailing);
  g_test_add_func ("/source/gzip-nothing", test_gzip_nothing);
  g_test_add_func ("/source/gzip-damaged", test_gzip_damaged);
  g_test_add_func ("/source/gzip-damaged-inside", test_gzip_damaged_inside);
  g_test_add_func ("/source/gzip-endless", test_gzip_endless);
  g_test_add_func ("/source/zstd", test_zstd);
  g_test_add_func ("/source/zstd-damaged", test_zstd_damaged);
  g_test_add_func ("/source/members", test_members);
  g_test_add_func ("/source/members-damaged", test_members_damaged);
  g_test_add_func ("/source/member-bombs", test_member_bombs);
  g_test_add_func ("/source/refused", test_refused);
  g_test_add_func ("/source/permission", test_permission);
  g_test_add_func ("/source/shrinks", test_shrinks);
  g_test_add_func ("/source/grows", test_grows);
  g_test_add_func ("/source/map", test_map);
  g_test_add_func ("/source/mapped", test_mapped);
  g_test_add_func ("/source/bytes", test_bytes);
  g_test_add_func ("/source/head", test_head);
  g_test_add_func ("/source/free-early", test_free_early);
  g_test_add_func ("/source/cancel", test_cancel);
  g_test_add_func ("/source/list", test_list);
  g_test_add_func ("/source/label", test_label);

  status = g_test_run ();
  source_fixtures_remove (folder);
  g_free (folder);
  g_free (text);
  return status;
}
