/* SPDX-License-Identifier: Apache-2.0 */
/* What Parquet is made of, by itself: Thrift, packed numbers, runs, differences; and files written
 * byte by byte for what no writer of today writes. */
#include "config.h"

#include <string.h>

#include "parquet-maker.h"
#include "parquet-rows.h"
#include "stria-error.h"
#include "stria-parquet-bits.h"
#include "stria-parquet-delta.h"
#include "stria-parquet-encode.h"

static guint64
random_bits (guint width)
{
  guint64 value = (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  return width == 0 ? 0 : value >> (64 - width);
}

/* -- Thrift ------------------------------------------------------------------------------------ */

static void
put_everything (GByteArray *bytes)
{
  StriaThriftWriter thrift = { .bytes = bytes };

  stria_thrift_begin (&thrift, 0);
  stria_thrift_put_i32 (&thrift, 1, -3);
  stria_thrift_put_i64 (&thrift, 2, G_MININT64);
  stria_thrift_put_bool (&thrift, 3, TRUE);
  stria_thrift_put_binary (&thrift, 200, "text", 4);
  stria_thrift_put_list (&thrift, 201, STRIA_THRIFT_I32, 20);
  for (gint32 i = 0; i < 20; i++)
    stria_thrift_put_zigzag (bytes, i - 10);
  stria_thrift_begin (&thrift, 202);
  stria_thrift_put_list (&thrift, 1, STRIA_THRIFT_STRUCT, 2);
  for (guint i = 0; i < 2; i++)
    {
      stria_thrift_begin (&thrift, 0);
      stria_thrift_put_i64 (&thrift, 7, i);
      stria_thrift_end (&thrift);
    }
  stria_thrift_end (&thrift);
  stria_thrift_put_i32 (&thrift, 5, 77); /* a number that is smaller than the one before */
  stria_thrift_end (&thrift);
}

/* How much of it is there: the sum of what was written, or less after a fault */
static gint64
read_everything (StriaThrift *thrift, gboolean skip)
{
  StriaThriftStruct s = { 0 };
  gint64 sum = 0;
  gsize length;
  guint8 element;
  guint32 n;

  while (stria_thrift_field (thrift, &s))
    if (skip && s.id != 5)
      stria_thrift_skip (thrift, s.type);
    else if (s.id == 1 || s.id == 5)
      sum += stria_thrift_i32 (thrift, s.type);
    else if (s.id == 2)
      sum += stria_thrift_i64 (thrift, s.type) == G_MININT64;
    else if (s.id == 3)
      sum += stria_thrift_bool (thrift, s.type);
    else if (s.id == 200)
      sum += stria_thrift_binary (thrift, s.type, &length) != NULL && length == 4;
    else if (s.id == 201)
      {
        n = stria_thrift_list (thrift, s.type, &element);
        for (guint32 i = 0; i < n && !thrift->failed; i++)
          sum += stria_thrift_i32 (thrift, element);
        if (n > 0)
          stria_thrift_leave (thrift);
      }
    else
      stria_thrift_skip (thrift, s.type);
  return sum;
}

static void
test_thrift (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  put_everything (bytes);
  for (guint cut = 0; cut <= bytes->len; cut++)
    for (guint skip = 0; skip < 2; skip++)
      {
        /* A copy of that length, so that a look behind its end is seen */
        g_autofree guint8 *part = g_memdup2 (bytes->data, MAX (cut, 1));
        g_auto (StriaThrift) thrift = { 0 };
        g_autoptr (GError) error = NULL;
        gint64 sum;

        stria_thrift_init (&thrift, "t", part, cut, 1000);
        sum = read_everything (&thrift, skip);
        g_assert_true (stria_thrift_check (&thrift, &error) == (cut == bytes->len));
        if (cut == bytes->len)
          {
            g_assert_cmpint (sum, ==, skip ? 77 : -3 + 1 + 1 + 1 - 10 + 77);
            g_assert_cmpuint (thrift.depth, ==, 0);
            continue;
          }
        g_assert_error (error, STRIA_ERROR, STRIA_ERROR_TRUNCATED);
        g_assert_true (thrift.is_short);
        g_assert_true (g_str_has_prefix (error->message, "t: offset 10"));
      }
  for (guint at = 0; at < bytes->len; at++)
    for (guint value = 0; value < 256; value++)
      {
        g_autofree guint8 *part = g_memdup2 (bytes->data, bytes->len);
        g_auto (StriaThrift) thrift = { 0 };

        part[at] = (guint8) value;
        stria_thrift_init (&thrift, "t", part, bytes->len, 0);
        read_everything (&thrift, at % 2 == 0);
        g_assert_true (!thrift.failed || thrift.fault != NULL);
      }
}

/* Structures inside each other, lists of lists, lengths beyond all */
static void
test_thrift_limits (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    int code;
  } bad[] = {
    { "\x18\xff\xff\xff\xff\x0f", 6, STRIA_ERROR_TRUNCATED },         /* a text of 4 GiB */
    { "\x19\xf5\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11, STRIA_ERROR_TRUNCATED }, /* a list */
    { "\x1b\xff\xff\xff\xff\x0f\x55", 7, STRIA_ERROR_TRUNCATED },     /* a map */
    { "\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, STRIA_ERROR_MALFORMED }, /* 65 bits */
    { "\x1f", 1, STRIA_ERROR_MALFORMED },                             /* no such type */
    { "\x19\x1e\x00", 3, STRIA_ERROR_MALFORMED },                     /* a list of none */
  };
  g_autoptr (GByteArray) deep = g_byte_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (bad[i].bytes, bad[i].length);
      g_auto (StriaThrift) thrift = { 0 };
      StriaThriftStruct s = { 0 };

      stria_thrift_init (&thrift, "t", bytes, bad[i].length, 0);
      while (stria_thrift_field (&thrift, &s))
        stria_thrift_skip (&thrift, s.type);
      g_assert_true (thrift.failed);
      g_assert_cmpint (thrift.code, ==, bad[i].code);
    }
  for (guint kind = 0; kind < 2; kind++)
    {
      g_auto (StriaThrift) thrift = { 0 };
      StriaThriftStruct s = { 0 };

      g_byte_array_set_size (deep, 100000);
      memset (deep->data, kind == 0 ? 0x1c : 0x19, deep->len);
      stria_thrift_init (&thrift, "t", deep->data, deep->len, 0);
      while (stria_thrift_field (&thrift, &s))
        stria_thrift_skip (&thrift, s.type);
      g_assert_true (thrift.failed);
      g_assert_cmpint (thrift.code, ==, STRIA_ERROR_LIMIT);
    }
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* Each width from each place on; buffers of just the bytes there are. */
static void
test_bits (void)
{
  enum { N = 107 };

  for (guint width = 0; width <= 64; width++)
    {
      guint64 values[N], back[N];
      guint32 back32[N];
      guint8 back8[N];
      g_autoptr (GByteArray) packed = g_byte_array_new ();
      g_autofree guint8 *exact = NULL;

      for (guint i = 0; i < N; i++)
        values[i] = random_bits (width);
      stria_encode_bits (packed, values, N, width);
      g_assert_cmpuint (packed->len, ==, (N * width + 7) / 8);
      /* Exactly as long as what was packed, so that a read beyond it is found; never NULL */
      exact = packed->len > 0 ? g_memdup2 (packed->data, packed->len) : g_malloc (1);
      for (guint skip = 0; skip < 20; skip++)
        {
          const guint8 *end = exact + packed->len;
          guint n = N - skip;

          stria_bits_unpack64 (exact, end, width, skip, back, n);
          if (width <= 32)
            stria_bits_unpack32 (exact, end, width, skip, back32, n);
          if (width <= 8)
            stria_bits_unpack8 (exact, end, width, skip, back8, n);
          for (guint i = 0; i < n; i++)
            {
              g_assert_cmpuint (back[i], ==, values[skip + i]);
              g_assert_true (width > 32 || back32[i] == values[skip + i]);
              g_assert_true (width > 8 || back8[i] == values[skip + i]);
            }
        }
    }
}

static void
test_runs (void)
{
  for (guint width = 0; width <= 32; width++)
    {
      guint32 values[3000], back[3000];
      guint8 back8[3000];
      guint n = (guint) g_test_rand_int_range (1, 3000);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autofree guint8 *exact = NULL;
      StriaRle rle, rle8, skipped;
      guint at = 0;

      for (guint i = 0; i < n;)
        {
          guint32 value = (guint32) random_bits (width);
          guint run = g_test_rand_bit () ? 1 : (guint) g_test_rand_int_range (1, 60);

          for (; run > 0 && i < n; run--)
            values[i++] = value;
        }
      stria_encode_rle (bytes, values, n, width);
      exact = g_memdup2 (bytes->data, bytes->len);
      stria_rle_init (&rle, exact, bytes->len, width);
      stria_rle_init (&rle8, exact, bytes->len, width);
      stria_rle_init (&skipped, exact, bytes->len, width);
      while (at < n)
        {
          guint part = (guint) g_test_rand_int_range (1, 100);

          part = MIN (part, n - at);
          g_assert_cmpuint (stria_rle_read32 (&rle, back + at, part), ==, part);
          if (width <= 8)
            g_assert_cmpuint (stria_rle_read8 (&rle8, back8 + at, part), ==, part);
          at += part;
        }
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpuint (back[i], ==, values[i]);
          g_assert_true (width > 8 || back8[i] == values[i]);
        }
      g_assert_cmpuint (stria_rle_skip (&skipped, n - 1), ==, n - 1);
      g_assert_cmpuint (stria_rle_read32 (&skipped, back, 1), ==, 1);
      g_assert_cmpuint (back[0], ==, values[n - 1]);
      for (gsize cut = 0; cut < bytes->len; cut++)
        {
          g_autofree guint8 *part = g_memdup2 (exact, MAX (cut, 1));

          stria_rle_init (&rle, part, cut, width);
          g_assert_cmpuint (stria_rle_read32 (&rle, back, n), <=, n);
        }
    }
}

/* Differences of each width, at the ends of 64 bits too */
static void
test_deltas (void)
{
  for (guint width = 0; width <= 64; width++)
    {
      gint64 values[700], back[700];
      guint n = (guint) g_test_rand_int_range (1, 700);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autofree guint8 *exact = NULL;
      StriaDelta delta;
      guint at = 0;

      values[0] = (gint64) random_bits (64);
      for (guint i = 1; i < n; i++)
        values[i] = (gint64) ((guint64) values[i - 1] + random_bits (width));
      stria_encode_delta (bytes, values, n);
      exact = g_memdup2 (bytes->data, bytes->len);
      g_assert_true (stria_delta_init (&delta, exact, bytes->len));
      g_assert_true (stria_delta_end (&delta) == exact + bytes->len);
      while (at < n)
        {
          guint part = (guint) g_test_rand_int_range (1, 50);

          part = MIN (part, n - at);
          g_assert_cmpuint (stria_delta_read (&delta, back + at, part), ==, part);
          at += part;
        }
      for (guint i = 0; i < n; i++)
        g_assert_cmpint (back[i], ==, values[i]);
      g_assert_cmpuint (stria_delta_read (&delta, back, 1), ==, 0);
      for (gsize cut = 0; cut < bytes->len; cut++)
        {
          g_autofree guint8 *part = g_memdup2 (exact, MAX (cut, 1));

          if (!stria_delta_init (&delta, part, cut))
            continue;
          g_assert_cmpuint (stria_delta_read (&delta, back, n), <=, n);
        }
    }
}

/* -- files by hand ----------------------------------------------------------------------------- */

static GPtrArray *
read_made (const ParquetMaker *maker, GError **error)
{
  g_autoptr (GBytes) bytes = parquet_maker_finish (maker);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  g_autoptr (GBytes) exact = g_bytes_new (data, length);
  g_autoptr (StriaParquet) file = stria_parquet_open_bytes ("m.parquet", exact, NULL, error);

  return file != NULL ? parquet_read_rows (file, NULL, error) : NULL;
}

#define MAKER(column, pages_)                                                                     \
  {                                                                                               \
    .elements = column, .n_elements = G_N_ELEMENTS (column), .pages = pages_,                     \
    .n_pages = G_N_ELEMENTS (pages_), .n_values = -1, .chunk = -1, .offset = -1                   \
  }

/* Nanoseconds of a day and the Julian day, as Impala and Spark wrote times */
static void
test_int96 (void)
{
  static const guint8 body[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0, /* 1970-01-01 */
    1, 0, 0, 0, 0, 0, 0, 0, 0x8d, 0x3d, 0x25, 0, /* a day and a nanosecond */
    0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* beyond 64 bits */
  };
  static const ParquetMakerElement column[] = { { "t", 3, 0, 0, 0, -1 } };
  const ParquetMakerPage pages[] = { { 0, 0, 3, body, sizeof body, -1, -1, 0, 0, 0, 0 } };
  ParquetMaker maker = MAKER (column, pages);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;

  maker.n_rows = 3;
  rows = read_made (&maker, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (rows->pdata[0], ==, "[0]");
  g_assert_cmpstr (rows->pdata[1], ==, "[86400000000001]");
  g_assert_cmpstr (rows->pdata[2], ==, "[9223372036854775807]");
}

/* Levels and booleans with the highest bit first */
static void
test_old_levels (void)
{
  /* 1 0 1 1 0 1 0 0 1 as levels; values 1 0 1 1 0 likewise */
  static const guint8 body[] = { 0xb4, 0x80, 0xb0 };
  static const ParquetMakerElement column[] = { { "b", 0, 0, 1, 0, -1 } };
  const ParquetMakerPage pages[] = { { 0, 4, 9, body, sizeof body, -1, -1, 4, 0, 0, 0 } };
  static const char *const expected[] = { "[true]", "[null]", "[false]", "[true]", "[null]",
                                          "[true]", "[null]", "[null]", "[false]" };
  ParquetMaker maker = MAKER (column, pages);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;

  maker.n_rows = 9;
  rows = read_made (&maker, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 9);
  for (guint i = 0; i < 9; i++)
    g_assert_cmpstr (rows->pdata[i], ==, expected[i]);
}

/* A list of two levels, as old writers have it, whose second row goes on in the next page; the
 * second page is empty. */
static void
test_old_list (void)
{
  /* repetition levels, definition levels, values: each levels with their length, as one packed run */
  static const guint8 first[] = { 2, 0, 0, 0, 3, 0x02, 2, 0, 0, 0, 3, 0x07, /* 0 1 0 */
                                  1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0 };
  static const guint8 second[] = { 2, 0, 0, 0, 3, 0x01, 2, 0, 0, 0, 3, 0x01, /* 1 0: 4, and none */
                                   4, 0, 0, 0 };
  static const ParquetMakerElement column[] = {
    { "l", -1, 0, 0, 1, 3 }, { "array", 1, 0, 2, 0, -1 },
  };
  const ParquetMakerPage pages[] = {
    { 0, 0, 3, first, sizeof first, -1, -1, 0, 0, 0, 0 },
    { 0, 0, 0, NULL, 0, -1, -1, 0, 0, 0, 0 },
    { 0, 0, 2, second, sizeof second, -1, -1, 0, 0, 0, 0 },
  };
  ParquetMaker maker = MAKER (column, pages);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (StriaParquet) file = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *type = NULL;

  maker.n_rows = 3;
  maker.n_values = 5;
  bytes = parquet_maker_finish (&maker);
  file = stria_parquet_open_bytes ("m.parquet", bytes, NULL, &error);
  g_assert_no_error (error);
  type = stria_parquet_type_text (file, 0);
  g_assert_cmpstr (type, ==, "struct<l: list<int32>>");
  for (guint32 batch_rows = 1; batch_rows < 4; batch_rows++)
    {
      StriaParquetReadOptions options = { .batch_rows = batch_rows };

      g_clear_pointer (&rows, g_ptr_array_unref);
      rows = parquet_read_rows (file, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (rows->len, ==, 3);
      g_assert_cmpstr (rows->pdata[0], ==, "[[1,2]]");
      g_assert_cmpstr (rows->pdata[1], ==, "[[3,4]]");
      g_assert_cmpstr (rows->pdata[2], ==, "[[]]");
    }
}

/* A dictionary that is not used from the second page on; a run of indices */
static void
test_mixed_pages (void)
{
  static const guint8 dictionary[] = { 1, 0, 0, 0, 'a', 2, 0, 0, 0, 'b', 'c' };
  static const guint8 indices[] = { 1, 3, 0x02, 8, 1 }; /* 0 1 of eight, then four of index 1 */
  static const guint8 plain[] = { 1, 0, 0, 0, 'x', 0, 0, 0, 0 };
  static const ParquetMakerElement column[] = { { "s", 6, 0, 0, 0, 0 } };
  const ParquetMakerPage pages[] = {
    { 2, 2, 2, dictionary, sizeof dictionary, -1, -1, 0, 0, 0, 0 },
    { 0, 2, 12, indices, sizeof indices, -1, -1, 0, 0, 0, 0 },
    { 0, 0, 2, plain, sizeof plain, -1, -1, 0, 0, 0, 0 },
  };
  ParquetMaker maker = MAKER (column, pages);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;

  maker.n_rows = 14;
  rows = read_made (&maker, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 14);
  g_assert_cmpstr (rows->pdata[0], ==, "[\"a\"]");
  g_assert_cmpstr (rows->pdata[1], ==, "[\"bc\"]");
  g_assert_cmpstr (rows->pdata[7], ==, "[\"a\"]");
  g_assert_cmpstr (rows->pdata[11], ==, "[\"bc\"]");
  g_assert_cmpstr (rows->pdata[12], ==, "[\"x\"]");
  g_assert_cmpstr (rows->pdata[13], ==, "[\"\"]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parquet/thrift", test_thrift);
  g_test_add_func ("/parquet/thrift-limits", test_thrift_limits);
  g_test_add_func ("/parquet/bits", test_bits);
  g_test_add_func ("/parquet/runs", test_runs);
  g_test_add_func ("/parquet/deltas", test_deltas);
  g_test_add_func ("/parquet/int96", test_int96);
  g_test_add_func ("/parquet/old-levels", test_old_levels);
  g_test_add_func ("/parquet/old-list", test_old_list);
  g_test_add_func ("/parquet/mixed-pages", test_mixed_pages);
  return g_test_run ();
}
