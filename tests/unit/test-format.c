/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-json-text.h"

#include <float.h>
#include <math.h>

#define T "\xe2\x80\xaf"
#define M "\xe2\x88\x92"
#define U "\xc2\xb5s"

static void
assert_text (char *got, const char *expected)
{
  g_assert_cmpstr (got, ==, expected);
  g_free (got);
}

static void
test_duration (void)
{
  assert_text (stria_format_duration (0, 4), "0 ns");
  assert_text (stria_format_duration (999, 4), "999 ns");
  assert_text (stria_format_duration (1000, 4), "1 " U);
  assert_text (stria_format_duration (1898821, 4), "1.899 ms");
  assert_text (stria_format_duration (1898821, 7), "1.898821 ms");
  assert_text (stria_format_duration (1898821, 20), "1.898821 ms");
  assert_text (stria_format_duration (12345678, 3), "12.3 ms");
  assert_text (stria_format_duration (999999, 4), "1 ms");
  assert_text (stria_format_duration (999949, 4), "999.9 " U);
  assert_text (stria_format_duration (123456, 1), "123 " U);
  assert_text (stria_format_duration (1500000000, 4), "1.5 s");
  assert_text (stria_format_duration (G_GINT64_CONSTANT (86400000000000), 4),
               "86" T "400 s");
  assert_text (stria_format_duration (-2500, 4), M "2.5 " U);
  assert_text (stria_format_duration (G_MININT64, 4), M "9" T "223" T "372" T "037 s");
  assert_text (stria_format_duration (G_MAXINT64, 4), "9" T "223" T "372" T "037 s");
}

static void
test_ns (void)
{
  assert_text (stria_format_ns (0), "0 ns");
  assert_text (stria_format_ns (1234), "1234 ns");
  assert_text (stria_format_ns (1898821), "1" T "898" T "821 ns");
  assert_text (stria_format_ns (-12345), M "12" T "345 ns");
  assert_text (stria_format_ns (G_MININT64), M "9" T "223" T "372" T "036" T "854" T "775" T
                                               "808 ns");
}

static void
test_time (void)
{
  assert_text (stria_format_time (0, 1), "0 ns");
  assert_text (stria_format_time (0, 200000000), "0 ms");
  assert_text (stria_format_time (1234560000, 10000), "1.234" T "56 s");
  assert_text (stria_format_time (1200000000, 200000000), "1.2 s");
  assert_text (stria_format_time (1000000000, 200000000), "1.0 s");
  assert_text (stria_format_time (3000000000, 1000000000), "3 s");
  assert_text (stria_format_time (1500, 500), "1.5 " U);
  assert_text (stria_format_time (123456789, 1), "123.456" T "789 ms");
  assert_text (stria_format_time (-1500000, 500000), M "1.5 ms");
  /* No "-0" */
  assert_text (stria_format_time (-4, 1000000), "0 ms");
  assert_text (stria_format_time (12, 0), "12 ns");
}

static void
test_neighbouring_ticks_differ (void)
{
  for (gint64 range = 100; range < G_GINT64_CONSTANT (100000000000000000); range = range * 7 / 2)
    {
      const gint64 step = stria_format_tick_step (range, 1600, 120);
      const gint64 from = range * 3 / step * step;

      for (gint64 tick = from; tick < from + 10 * step; tick += step)
        {
          g_autofree char *a = stria_format_time (tick, step);
          g_autofree char *b = stria_format_time (tick + step, step);

          g_assert_cmpstr (a, !=, b);
        }
    }
}

static void
test_wall (void)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GTimeZone) east = g_time_zone_new_offset (2 * 3600);

  assert_text (stria_format_wall (G_GINT64_CONSTANT (1712167331123456789), utc),
               "2024-04-03 18:02:11.123456789");
  assert_text (stria_format_wall (G_GINT64_CONSTANT (1712167331123456789), east),
               "2024-04-03 20:02:11.123456789");
  assert_text (stria_format_wall (-1, utc), "1969-12-31 23:59:59.999999999");
}

static void
test_count (void)
{
  assert_text (stria_format_count (0), "0");
  assert_text (stria_format_count (9999), "9999");
  assert_text (stria_format_count (10000), "10" T "000");
  assert_text (stria_format_count (G_MAXUINT64), "18" T "446" T "744" T "073" T "709" T "551" T
                                                 "615");
}

static void
test_bytes (void)
{
  assert_text (stria_format_bytes (0), "0 B");
  assert_text (stria_format_bytes (1023), "1023 B");
  assert_text (stria_format_bytes (1024), "1 KiB");
  assert_text (stria_format_bytes (1536), "1.5 KiB");
  assert_text (stria_format_bytes (1048575), "1 MiB");
  assert_text (stria_format_bytes (-2 * 1024 * 1024), M "2 MiB");
  assert_text (stria_format_bytes (G_MININT64), M "8 EiB");
}

static void
test_value (void)
{
  assert_text (stria_format_value (0, NULL), "0");
  assert_text (stria_format_value (42, "W"), "42 W");
  assert_text (stria_format_value (3.14159, NULL), "3.142");
  assert_text (stria_format_value (0.00123456, "GB/s"), "0.001235 GB/s");
  assert_text (stria_format_value (-1234567, NULL), M "1" T "234" T "567");
  assert_text (stria_format_value (2048, "B"), "2 KiB");
  assert_text (stria_format_value (229233428487.0, "B/s"), "229.2 GB/s");
  assert_text (stria_format_value (999, "B/s"), "999 B/s");
  assert_text (stria_format_value (1e20, NULL), "1e+20");
  assert_text (stria_format_value (1e-9, NULL), "1e-09");
  assert_text (stria_format_value ((double) INFINITY, NULL), "\xe2\x88\x9e");
  assert_text (stria_format_value ((double) -INFINITY, "B"), M "\xe2\x88\x9e B");
  assert_text (stria_format_value (DBL_MAX, "B"), "1.798e+308 B");
  assert_text (stria_format_value ((double) NAN, NULL), "not a number");
}

static void
test_percent (void)
{
  assert_text (stria_format_percent (0), "0.0 %");
  assert_text (stria_format_percent (0.1234), "12.3 %");
  assert_text (stria_format_percent (1), "100.0 %");
  assert_text (stria_format_percent (0.0001), "<" T "0.1 %");
  assert_text (stria_format_percent (-0.5), M "50.0 %");
  assert_text (stria_format_percent ((double) NAN), "\xe2\x80\x93");
}

static void
test_c_double (void)
{
  static const double values[] = { 0, 1, -1, 0.1, 1.0 / 3, 1e300, DBL_MIN, DBL_MAX, 1898821, 0.125 };

  assert_text (stria_format_c_double (1898821), "1898821");
  assert_text (stria_format_c_double (0.125), "0.125");
  assert_text (stria_format_c_double ((double) NAN), "nan");
  assert_text (stria_format_c_double ((double) -INFINITY), "-inf");
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *text = stria_format_c_double (values[i]);

      g_assert_true (g_ascii_strtod (text, NULL) == values[i]);
    }
}

static void
test_tick_step (void)
{
  g_assert_cmpint (stria_format_tick_step (1000, 1000, 1), ==, 1);
  g_assert_cmpint (stria_format_tick_step (1000, 1000, 100), ==, 100);
  g_assert_cmpint (stria_format_tick_step (1000, 1000, 101), ==, 200);
  g_assert_cmpint (stria_format_tick_step (1000000000, 1600, 120), ==, 100000000);
  g_assert_cmpint (stria_format_tick_step (10, 1000, 100), ==, 1);
  g_assert_cmpint (stria_format_tick_step (0, 0, 0), ==, 1);
  g_assert_cmpint (stria_format_tick_step (G_MAXINT64, 1, 1000), >, 0);
}

static void
test_json_text (void)
{
  g_autoptr (GString) json = g_string_new ("[");

  stria_json_append_text (json, "a \"b\" \\", -1);
  stria_json_append_text (json, "\n\x01\x7f\xc3\xa9", -1);
  stria_json_append_text (json, "x\0y, and more", 3);
  stria_json_append_text (json, NULL, 0);
  g_assert_cmpstr (json->str, ==,
                   "[\"a \\\"b\\\" \\\\\"\"\\u000a\\u0001\x7f\xc3\xa9\"\"x\\u0000y\"\"\"");
}

static void
assert_take (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_chosen_unit (void)
{
  stria_format_set_time_unit (STRIA_SHOWN_US);
  assert_take (stria_format_duration (1234567890, 4), "1\xe2\x80\xaf"
                                                      "234\xe2\x80\xaf"
                                                      "568 \xc2\xb5s");
  assert_take (stria_format_duration (7, 2), "0.007 \xc2\xb5s");
  assert_take (stria_format_time (1500, 100), "1.5 \xc2\xb5s");
  stria_format_set_time_unit (STRIA_SHOWN_S);
  assert_take (stria_format_duration (7, 2), "0.000000007 s");
  assert_take (stria_format_duration (123456, 2), "0.00012 s");
  assert_take (stria_format_duration (0, 4), "0 s");
  stria_format_set_time_unit (STRIA_SHOWN_NS);
  assert_take (stria_format_duration (1234, 2), "1234 ns");
  stria_format_set_time_unit (STRIA_SHOWN_AUTO);
  assert_take (stria_format_duration (1234, 3), "1.23 \xc2\xb5s");
}

static void
test_chosen_zone (void)
{
  g_autoptr (GTimeZone) tokyo = g_time_zone_new_identifier ("Asia/Tokyo");

  if (tokyo == NULL)
    {
      g_test_skip ("no time zones are installed");
      return;
    }
  stria_format_set_time_zone (tokyo);
  assert_take (stria_format_wall (5, NULL), "1970-01-01 09:00:00.000000005 JST");
  stria_format_set_time_zone (NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/format/duration", test_duration);
  g_test_add_func ("/format/ns", test_ns);
  g_test_add_func ("/format/time", test_time);
  g_test_add_func ("/format/neighbouring-ticks-differ", test_neighbouring_ticks_differ);
  g_test_add_func ("/format/wall", test_wall);
  g_test_add_func ("/format/count", test_count);
  g_test_add_func ("/format/bytes", test_bytes);
  g_test_add_func ("/format/value", test_value);
  g_test_add_func ("/format/percent", test_percent);
  g_test_add_func ("/format/c-double", test_c_double);
  g_test_add_func ("/format/tick-step", test_tick_step);
  g_test_add_func ("/format/json-text", test_json_text);
  g_test_add_func ("/format/chosen-unit", test_chosen_unit);
  g_test_add_func ("/format/chosen-zone", test_chosen_zone);
  return g_test_run ();
}
