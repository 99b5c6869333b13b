/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-reader.h"

static const guint8 sample[] = { 0x01, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0xf0, 0xde,
                                 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 'h',  'i',  0 };

static void
test_values (void)
{
  StriaReader reader;

  stria_reader_init (&reader, sample, sizeof sample);
  g_assert_cmphex (stria_reader_u8 (&reader), ==, 0x01);
  g_assert_cmphex (stria_reader_u16 (&reader), ==, 0x1234);
  g_assert_cmphex (stria_reader_u32 (&reader), ==, 0x12345678);
  g_assert_cmphex (stria_reader_u64 (&reader), ==, G_GUINT64_CONSTANT (0x123456789abcdef0));
  g_assert_cmpstr (stria_reader_cstring (&reader), ==, "hi");
  g_assert_cmpuint (stria_reader_left (&reader), ==, 0);
  g_assert_false (stria_reader_failed (&reader));
  g_assert_true (stria_reader_check (&reader, "x", "header", NULL));

  stria_reader_seek (&reader, 15);
  g_assert_cmpint (memcmp (stria_reader_bytes (&reader, 2), "hi", 2), ==, 0);
  stria_reader_seek (&reader, 1);
  stria_reader_align (&reader, 8);
  g_assert_cmpuint (reader.position, ==, 8);
  stria_reader_align (&reader, 8);
  g_assert_cmpuint (reader.position, ==, 8);
}

static void
test_floats (void)
{
  static const guint8 bytes[] = { 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0, 0x04, 0xc0 };
  StriaReader reader;

  stria_reader_init (&reader, bytes, sizeof bytes);
  g_assert_cmpfloat (stria_reader_f32 (&reader), ==, 1.5f);
  g_assert_cmpfloat (stria_reader_f64 (&reader), ==, -2.5);
  g_assert_false (stria_reader_failed (&reader));
}

static void
test_latched (void)
{
  StriaReader reader;
  g_autoptr (GError) error = NULL;

  stria_reader_init (&reader, sample, 6);
  stria_reader_u16 (&reader);
  stria_reader_u32 (&reader);
  g_assert_false (stria_reader_failed (&reader));
  g_assert_cmpuint (stria_reader_u32 (&reader), ==, 0);
  g_assert_true (stria_reader_failed (&reader));
  g_assert_cmpuint (reader.position, ==, 6);

  /* What would have succeeded fails now too, and the first fault stays. */
  stria_reader_seek (&reader, 0);
  g_assert_cmpuint (stria_reader_u8 (&reader), ==, 0);
  g_assert_null (stria_reader_bytes (&reader, 0));
  g_assert_null (stria_reader_cstring (&reader));
  g_assert_cmpuint (stria_reader_left (&reader), ==, 0);
  g_assert_false (stria_reader_check (&reader, "a.bin", "header", &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
  g_assert_nonnull (strstr (error->message, "a.bin"));
  g_assert_nonnull (strstr (error->message, "0x6"));
  g_assert_nonnull (strstr (error->message, "4"));
}

static void
test_huge_lengths (void)
{
  StriaReader reader;

  /* Lengths whose sum with the position wraps round */
  stria_reader_init (&reader, sample, sizeof sample);
  stria_reader_u8 (&reader);
  g_assert_null (stria_reader_bytes (&reader, G_MAXUINT64));
  g_assert_true (stria_reader_failed (&reader));

  stria_reader_init (&reader, sample, sizeof sample);
  stria_reader_skip (&reader, 3);
  stria_reader_skip (&reader, G_MAXUINT64 - 1);
  g_assert_true (stria_reader_failed (&reader));

  stria_reader_init (&reader, sample, sizeof sample);
  stria_reader_seek (&reader, sizeof sample);
  g_assert_false (stria_reader_failed (&reader));
  stria_reader_seek (&reader, sizeof sample + 1);
  g_assert_true (stria_reader_failed (&reader));

  stria_reader_init (&reader, NULL, 0);
  g_assert_nonnull (stria_reader_bytes (&reader, 0));
  stria_reader_u8 (&reader);
  g_assert_true (stria_reader_failed (&reader));
}

static void
check_varint (const char *bytes, gsize length, guint64 value, StriaReaderFault fault)
{
  StriaReader reader;

  stria_reader_init (&reader, bytes, length);
  g_assert_cmphex (stria_reader_varint (&reader), ==, value);
  g_assert_cmpint (reader.fault, ==, fault);
  if (fault == STRIA_READER_OK)
    g_assert_cmpuint (reader.position, ==, length);
}

static void
test_varint (void)
{
  g_autoptr (GError) error = NULL;
  StriaReader reader;

  check_varint ("\x00", 1, 0, STRIA_READER_OK);
  check_varint ("\x7f", 1, 0x7f, STRIA_READER_OK);
  check_varint ("\xac\x02", 2, 300, STRIA_READER_OK);
  check_varint ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, G_MAXUINT64, STRIA_READER_OK);
  check_varint ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, 0, STRIA_READER_LONG_VARINT);
  check_varint ("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11, 0, STRIA_READER_LONG_VARINT);
  check_varint ("\x80\x80", 2, 0, STRIA_READER_SHORT);
  check_varint ("", 0, 0, STRIA_READER_SHORT);

  stria_reader_init (&reader, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
  stria_reader_varint (&reader);
  g_assert_false (stria_reader_check (&reader, "a", "key", &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
}

static void
test_sub (void)
{
  StriaReader reader;
  StriaReader sub;

  stria_reader_init (&reader, sample, sizeof sample);
  stria_reader_u8 (&reader);
  sub = stria_reader_sub (&reader, 2);
  g_assert_cmpuint (reader.position, ==, 3);
  g_assert_cmphex (stria_reader_u16 (&sub), ==, 0x1234);
  g_assert_cmpuint (stria_reader_left (&sub), ==, 0);
  stria_reader_u8 (&sub);
  g_assert_true (stria_reader_failed (&sub));
  g_assert_cmpuint (sub.fault_at, ==, 3);
  g_assert_false (stria_reader_failed (&reader));

  sub = stria_reader_sub (&reader, sizeof sample);
  g_assert_true (stria_reader_failed (&sub));
  g_assert_true (stria_reader_failed (&reader));
}

static void
test_open_text (void)
{
  StriaReader reader;
  g_autoptr (GError) error = NULL;

  stria_reader_init (&reader, "abc", 3);
  g_assert_null (stria_reader_cstring (&reader));
  g_assert_false (stria_reader_check (&reader, "a", "name", &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/reader/values", test_values);
  g_test_add_func ("/reader/floats", test_floats);
  g_test_add_func ("/reader/latched", test_latched);
  g_test_add_func ("/reader/huge-lengths", test_huge_lengths);
  g_test_add_func ("/reader/varint", test_varint);
  g_test_add_func ("/reader/sub", test_sub);
  g_test_add_func ("/reader/open-text", test_open_text);

  return g_test_run ();
}
