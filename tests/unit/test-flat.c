/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "flat-maker.h"
#include "stria-error.h"
#include "stria-flat.h"

#define BASE 1000

typedef struct
{
  GByteArray *bytes;
  GArray     *borders;
} Buffer;

static void
buffer_clear (Buffer *self)
{
  g_byte_array_unref (self->bytes);
  g_array_unref (self->borders);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Buffer, buffer_clear)

/* A table with one field of each kind. */
static void
make (Buffer *buffer)
{
  static const gint64 sizes[] = { 1, -2, G_MAXINT64 };
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  guint32 root = flat_maker_table (maker);
  guint32 child = flat_maker_table (maker);
  guint32 list = flat_maker_list (maker);
  guint32 texts = flat_maker_list (maker);

  flat_maker_u8 (maker, root, 0, 200);
  flat_maker_u16 (maker, root, 1, 40000);
  flat_maker_i32 (maker, root, 2, -5);
  flat_maker_u64 (maker, root, 3, G_MAXUINT64 - 1);
  flat_maker_f32 (maker, root, 4, 0.5f);
  flat_maker_f64 (maker, root, 5, -2.25);
  flat_maker_text (maker, root, 6, "text");
  flat_maker_node (maker, root, 7, child);
  flat_maker_node (maker, root, 8, flat_maker_vector (maker, sizes, G_N_ELEMENTS (sizes), 8));
  flat_maker_node (maker, root, 9, list);
  flat_maker_node (maker, root, 11, texts);
  flat_maker_node (maker, root, 12, flat_maker_vector (maker, "bytes", 5, 1));
  flat_maker_u32 (maker, child, 0, 77);
  for (guint i = 0; i < 3; i++)
    {
      guint32 element = flat_maker_table (maker);

      flat_maker_u32 (maker, element, 0, i + 1);
      flat_maker_push (maker, list, element);
    }
  flat_maker_push (maker, list, child);
  flat_maker_push (maker, texts, flat_maker_string (maker, "one"));
  flat_maker_push (maker, texts, flat_maker_string (maker, ""));
  buffer->bytes = flat_maker_finish (maker, root, "TEST", FALSE, &buffer->borders);
}

/* Reads everything that make() wrote; whether it all was there. */
static gboolean
read_all (StriaFlat *flat)
{
  StriaFlatTable root = stria_flat_root (flat, "TEST");
  StriaFlatTable child = stria_flat_table (root, 7);
  StriaFlatVector sizes = stria_flat_vector (root, 8, 8);
  StriaFlatVector list = stria_flat_vector (root, 9, 4);
  StriaFlatVector texts = stria_flat_vector (root, 11, 4);
  StriaFlatVector bytes = stria_flat_vector (root, 12, 1);
  gsize length = 1;
  gboolean good = TRUE;
  const char *text = stria_flat_string (root, 6, &length);

  good &= text != NULL && length == 4 && strcmp (text, "text") == 0;
  good &= stria_flat_u8 (root, 0, 0) == 200 && stria_flat_i8 (root, 0, 0) == -56;
  good &= stria_flat_u16 (root, 1, 0) == 40000;
  good &= stria_flat_i32 (root, 2, 0) == -5 && stria_flat_u32 (root, 2, 0) == G_MAXUINT32 - 4;
  good &= stria_flat_u64 (root, 3, 0) == G_MAXUINT64 - 1 && stria_flat_i64 (root, 3, 0) == -2;
  good &= stria_flat_f32 (root, 4, 0) == 0.5f && stria_flat_f64 (root, 5, 0) == -2.25;
  good &= stria_flat_is (child) && stria_flat_u32 (child, 0, 0) == 77;
  good &= sizes.n == 3 && stria_flat_at_i64 (sizes, 1) == -2
          && stria_flat_at_u64 (sizes, 2) == G_MAXINT64 && stria_flat_at_u64 (sizes, 3) == 0;
  good &= list.n == 4;
  for (guint32 i = 0; i < 4; i++)
    good &= stria_flat_u32 (stria_flat_at_table (list, i), 0, 0) == (i < 3 ? i + 1 : 77);
  text = stria_flat_at_string (texts, 0, &length);
  good &= texts.n == 2 && text != NULL && length == 3 && strcmp (text, "one") == 0;
  text = stria_flat_at_string (texts, 1, &length);
  good &= text != NULL && length == 0;
  good &= bytes.n == 5 && memcmp (stria_flat_bytes (bytes), "bytes", 5) == 0;
  good &= stria_flat_has (root, 0) && stria_flat_has (root, 12);
  return good;
}

static void
assert_fault (StriaFlat *flat, int code, const char *pattern)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (stria_flat_failed (flat));
  g_assert_false (stria_flat_check (flat, &error));
  g_assert_error (error, STRIA_ERROR, code);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("“%s” is not like “%s”", error->message, pattern);
}

static void
test_read (void)
{
  g_auto (Buffer) buffer = { 0 };
  StriaFlat flat;
  StriaFlatTable root;

  make (&buffer);
  stria_flat_init (&flat, "f", buffer.bytes->data, buffer.bytes->len, BASE);
  g_assert_true (read_all (&flat));
  g_assert_true (stria_flat_check (&flat, NULL));
  root = stria_flat_root (&flat, NULL);
  g_assert_true (stria_flat_offset (root) > BASE);
  g_assert_cmpuint (stria_flat_offset (stria_flat_table (root, 10)), ==, 0);

  /* What is not there has its default and is no fault, between others and behind the last. */
  for (guint field = 10; field < 20; field += 3)
    {
      gsize length = 9;

      g_assert_false (stria_flat_has (root, field));
      g_assert_cmpuint (stria_flat_u8 (root, field, 8), ==, 8);
      g_assert_cmpint (stria_flat_i32 (root, field, -1), ==, -1);
      g_assert_cmpfloat (stria_flat_f64 (root, field, 1.5), ==, 1.5);
      g_assert_null (stria_flat_string (root, field, &length));
      g_assert_cmpuint (length, ==, 0);
      g_assert_cmpuint (stria_flat_vector (root, field, 8).n, ==, 0);
      g_assert_false (stria_flat_is (stria_flat_table (root, field)));
    }
  /* Elements that are wider than the vector's are the caller's mistake. */
  g_assert_cmpuint (stria_flat_at_u64 (stria_flat_vector (root, 12, 1), 0), ==, 0);
  g_assert_false (stria_flat_failed (&flat));
  stria_flat_clear (&flat);
}

static void
test_unaligned (void)
{
  g_auto (Buffer) buffer = { 0 };

  make (&buffer);
  for (guint shift = 1; shift < 8; shift++)
    {
      g_autofree guint8 *copy = g_malloc (buffer.bytes->len + shift);
      StriaFlat flat;

      memcpy (copy + shift, buffer.bytes->data, buffer.bytes->len);
      stria_flat_init (&flat, "f", copy + shift, buffer.bytes->len, 0);
      g_assert_true (read_all (&flat));
      stria_flat_clear (&flat);
    }
}

static void
test_root (void)
{
  g_auto (Buffer) buffer = { 0 };
  StriaFlat flat;

  make (&buffer);
  stria_flat_init (&flat, "f", buffer.bytes->data, 7, BASE);
  g_assert_false (stria_flat_is (stria_flat_root (&flat, "TEST")));
  assert_fault (&flat, STRIA_ERROR_TRUNCATED, "f: offset 1000: expected*8*found 7");
  stria_flat_clear (&flat);

  stria_flat_init (&flat, "f", buffer.bytes->data, buffer.bytes->len, BASE);
  g_assert_false (stria_flat_is (stria_flat_root (&flat, "ED00")));
  assert_fault (&flat, STRIA_ERROR_BAD_MAGIC, "f: offset 1004: expected*“ED00”*found “TEST”");
  stria_flat_clear (&flat);

  memcpy (buffer.bytes->data + 4, "\x01\x00\xff\n", 4);
  stria_flat_init (&flat, "f", buffer.bytes->data, buffer.bytes->len, BASE);
  stria_flat_root (&flat, "ED00");
  assert_fault (&flat, STRIA_ERROR_BAD_MAGIC, "*found “0x0100ff0a”");
  stria_flat_clear (&flat);
}

/* Every cut is either found, or what is missing was padding. */
static void
test_cut (void)
{
  g_auto (Buffer) buffer = { 0 };

  make (&buffer);
  for (guint length = 0; length < buffer.bytes->len; length++)
    {
      g_autofree guint8 *copy = g_memdup2 (buffer.bytes->data, MAX (length, 1));
      g_autoptr (GError) error = NULL;
      StriaFlat flat;
      gboolean good;

      stria_flat_init (&flat, "f", copy, length, 0);
      good = read_all (&flat);
      g_assert_true (good == stria_flat_check (&flat, &error));
      if (!good)
        g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
      if (good)
        g_assert_cmpuint (length + 8, >, buffer.bytes->len);
      stria_flat_clear (&flat);
    }
}

static void
test_flipped (void)
{
  g_auto (Buffer) buffer = { 0 };
  guint n_found = 0;

  make (&buffer);
  for (guint at = 0; at < buffer.bytes->len; at++)
    for (guint bit = 0; bit < 8; bit++)
      {
        StriaFlat flat;

        buffer.bytes->data[at] ^= 1 << bit;
        stria_flat_init (&flat, "f", buffer.bytes->data, buffer.bytes->len, 0);
        if (!read_all (&flat))
          n_found++;
        while (!stria_flat_forgive (&flat, NULL) && flat.visited <= flat.budget)
          ;
        stria_flat_clear (&flat);
        buffer.bytes->data[at] ^= 1 << bit;
      }
  g_assert_cmpuint (n_found, >, buffer.bytes->len * 4);
}

static void
put_u16 (GByteArray *bytes, guint at, guint16 value)
{
  bytes->data[at] = (guint8) value;
  bytes->data[at + 1] = value >> 8;
}

static void
put_u32 (GByteArray *bytes, guint at, guint32 value)
{
  put_u16 (bytes, at, (guint16) value);
  put_u16 (bytes, at + 2, value >> 16);
}

/* The smallest of buffers: header, vtable of two fields, table, and what it leads to. */
enum
{
  VTABLE = 4,
  TABLE = 12,
  FIELD = 16,
  STRING = 20,
};

static GByteArray *
make_small (void)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_set_size (bytes, 28);
  memset (bytes->data, 0, bytes->len);
  put_u32 (bytes, 0, TABLE);
  put_u16 (bytes, VTABLE, 8);
  put_u16 (bytes, VTABLE + 2, 8);
  put_u16 (bytes, VTABLE + 4, 4);
  put_u32 (bytes, TABLE, TABLE - VTABLE);
  put_u32 (bytes, FIELD, STRING - FIELD);
  put_u32 (bytes, STRING, 2);
  memcpy (bytes->data + STRING + 4, "ab", 2);
  return bytes;
}

/* Writes @value of @size bytes at @at into the small buffer; what reading says then. */
static void
assert_broken (guint at, guint size, guint32 value, int code, const char *pattern)
{
  g_autoptr (GByteArray) bytes = make_small ();
  StriaFlat flat;

  if (size == 1)
    bytes->data[at] = (guint8) value;
  else if (size == 2)
    put_u16 (bytes, at, (guint16) value);
  else
    put_u32 (bytes, at, value);
  stria_flat_init (&flat, "f", bytes->data, bytes->len, BASE);
  g_assert_null (stria_flat_string (stria_flat_root (&flat, NULL), 0, NULL));
  assert_fault (&flat, code, pattern);
  stria_flat_clear (&flat);
}

static void
test_rules (void)
{
  g_autoptr (GByteArray) bytes = make_small ();
  StriaFlat flat;

  stria_flat_init (&flat, "f", bytes->data, bytes->len, BASE);
  g_assert_cmpstr (stria_flat_string (stria_flat_root (&flat, NULL), 0, NULL), ==, "ab");
  stria_flat_clear (&flat);

  /* Python's builder shares vtables of tables whose fields lie alike and whose sizes differ. */
  put_u16 (bytes, VTABLE + 2, 4);
  stria_flat_init (&flat, "f", bytes->data, bytes->len, BASE);
  g_assert_cmpstr (stria_flat_string (stria_flat_root (&flat, NULL), 0, NULL), ==, "ab");
  stria_flat_clear (&flat);

  assert_broken (0, 4, 0, STRIA_ERROR_MALFORMED, "f: offset 1000: expected an offset of 4*found 0");
  assert_broken (0, 4, 10, STRIA_ERROR_MALFORMED, "*multiple of 4, found one to 10");
  assert_broken (0, 4, 28, STRIA_ERROR_TRUNCATED, "*table*ends at 1028, found 4 bytes from 1028*");
  assert_broken (0, 4, G_MAXUINT32 - 3, STRIA_ERROR_TRUNCATED, "*table*");
  assert_broken (TABLE, 4, TABLE + 1, STRIA_ERROR_TRUNCATED, "f: offset 1012:*vtable*");
  assert_broken (TABLE, 4, 0x80000000, STRIA_ERROR_TRUNCATED, "*vtable*");
  assert_broken (TABLE, 4, (guint32) -14, STRIA_ERROR_TRUNCATED, "*vtable*1026*");
  assert_broken (TABLE, 4, 7, STRIA_ERROR_MALFORMED, "*multiple of 2, found one to 5");
  assert_broken (VTABLE, 2, 7, STRIA_ERROR_MALFORMED, "f: offset 1004:*even*7*");
  assert_broken (VTABLE, 2, 2, STRIA_ERROR_MALFORMED, "*found one of 2 bytes*");
  assert_broken (VTABLE, 2, 26, STRIA_ERROR_TRUNCATED, "*vtable*26 bytes from 1004*");
  assert_broken (VTABLE + 2, 2, 3, STRIA_ERROR_MALFORMED, "*table of 3");
  assert_broken (VTABLE + 4, 2, 3, STRIA_ERROR_MALFORMED, "f: offset 1008:*field 4*to be 3");
  assert_broken (VTABLE + 4, 2, 5, STRIA_ERROR_MALFORMED, "*multiple of 4, found one to 17");
  assert_broken (VTABLE + 4, 2, 16, STRIA_ERROR_TRUNCATED, "*table*4 bytes from 1028*");
  assert_broken (FIELD, 4, 3, STRIA_ERROR_MALFORMED, "f: offset 1016:*found 3");
  assert_broken (FIELD, 4, 12, STRIA_ERROR_TRUNCATED, "*string*4 bytes from 1028*");
  assert_broken (STRING, 4, 4, STRIA_ERROR_TRUNCATED, "*string*5 bytes from 1024*");
  assert_broken (STRING, 4, G_MAXUINT32, STRIA_ERROR_TRUNCATED, "*4294967296 bytes*");
  assert_broken (STRING + 6, 1, 9, STRIA_ERROR_MALFORMED, "f: offset 1026:*zero byte*0x09");
}

/* After a fault nothing is there, until it is forgiven. */
static void
test_forgive (void)
{
  g_auto (Buffer) buffer = { 0 };
  g_autoptr (GError) error = NULL;
  StriaFlat flat;
  StriaFlatTable root;
  StriaFlatVector list;
  guint64 at;

  make (&buffer);
  stria_flat_init (&flat, "f", buffer.bytes->data, buffer.bytes->len, BASE);
  root = stria_flat_root (&flat, "TEST");
  list = stria_flat_vector (root, 9, 4);
  at = list.at + 4;
  put_u32 (buffer.bytes, (guint) at, 0x7ffffffc);
  g_assert_cmpuint (stria_flat_u32 (stria_flat_at_table (list, 0), 0, 0), ==, 1);
  g_assert_false (stria_flat_is (stria_flat_at_table (list, 1)));
  g_assert_false (stria_flat_is (stria_flat_at_table (list, 2)));
  g_assert_cmpuint (stria_flat_u32 (root, 2, 3), ==, 3);
  g_assert_cmpuint (stria_flat_at_u64 (stria_flat_vector (root, 8, 8), 2), ==, 0);
  assert_fault (&flat, STRIA_ERROR_TRUNCATED, "*table*");
  g_assert_cmpuint (stria_flat_fault_offset (&flat), ==, BASE + at);

  g_assert_false (stria_flat_forgive (&flat, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
  g_assert_true (stria_flat_forgive (&flat, NULL));
  g_assert_cmpuint (stria_flat_u32 (stria_flat_at_table (list, 2), 0, 0), ==, 3);
  stria_flat_clear (&flat);
}

/* Tables that hold each other can't be written, since offsets lead forward; a long chain can. */
static void
test_depth (void)
{
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  g_autoptr (GByteArray) bytes = NULL;
  guint32 root = flat_maker_table (maker), last = root;
  StriaFlat flat;
  StriaFlatTable table;
  guint depth = 1;

  for (guint i = 0; i < 2 * STRIA_FLAT_MAX_DEPTH; i++)
    {
      guint32 next = flat_maker_table (maker);

      flat_maker_node (maker, last, 0, next);
      last = next;
    }
  bytes = flat_maker_finish (maker, root, NULL, FALSE, NULL);
  stria_flat_init (&flat, "f", bytes->data, bytes->len, 0);
  for (table = stria_flat_root (&flat, NULL); stria_flat_is (stria_flat_table (table, 0));
       table = stria_flat_table (table, 0))
    depth++;
  g_assert_cmpuint (depth, ==, STRIA_FLAT_MAX_DEPTH);
  assert_fault (&flat, STRIA_ERROR_LIMIT, "*64 tables*");
  stria_flat_clear (&flat);
}

/* Each of 20 levels names the next one twice: a million paths through a small buffer. */
static guint64
walk (StriaFlatTable table)
{
  return stria_flat_is (table)
             ? 1 + walk (stria_flat_table (table, 0)) + walk (stria_flat_table (table, 1))
             : 0;
}

static void
test_budget (void)
{
  g_autoptr (FlatMaker) maker = flat_maker_new ();
  g_autoptr (GByteArray) bytes = NULL;
  guint32 root = flat_maker_table (maker), last = root;
  StriaFlat flat;

  for (guint i = 0; i < 40; i++)
    {
      guint32 next = flat_maker_table (maker);

      flat_maker_node (maker, last, 0, next);
      flat_maker_node (maker, last, 1, next);
      last = next;
    }
  bytes = flat_maker_finish (maker, root, NULL, FALSE, NULL);
  stria_flat_init (&flat, "f", bytes->data, bytes->len, 0);
  g_assert_cmpuint (walk (stria_flat_root (&flat, NULL)), <, STRIA_FLAT_BUDGET_LEAST);
  assert_fault (&flat, STRIA_ERROR_LIMIT, "*again and again");
  g_assert_false (stria_flat_forgive (&flat, NULL));
  g_assert_true (stria_flat_failed (&flat));
  stria_flat_clear (&flat);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flat/read", test_read);
  g_test_add_func ("/flat/unaligned", test_unaligned);
  g_test_add_func ("/flat/root", test_root);
  g_test_add_func ("/flat/cut", test_cut);
  g_test_add_func ("/flat/flipped", test_flipped);
  g_test_add_func ("/flat/rules", test_rules);
  g_test_add_func ("/flat/forgive", test_forgive);
  g_test_add_func ("/flat/depth", test_depth);
  g_test_add_func ("/flat/budget", test_budget);
  return g_test_run ();
}
