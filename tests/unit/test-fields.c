/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments as they are shown: exact, whatever is in them. */
#include "config.h"

#include "stria-fields.h"

#include <string.h>

static void
assert_shown (const char *json, const char *shown, const char *strict)
{
  g_autoptr (StriaField) field = stria_fields_parse (json, strlen (json));
  g_autofree char *inline_text = NULL;
  g_autofree char *strict_text = NULL;

  g_assert_nonnull (field);
  inline_text = stria_field_inline (field, 0);
  strict_text = stria_field_to_json (field);
  g_assert_cmpstr (inline_text, ==, shown);
  g_assert_cmpstr (strict_text, ==, strict);
}

static void
test_values (void)
{
  assert_shown ("{}", "{}", "{}");
  assert_shown (" [ 1 , 2.50, -3e+5 ] ", "[1, 2.50, -3e+5]", "[1,2.50,-3e+5]");
  assert_shown ("{\"a\": [true, false, null], \"b\": \"\"}", "{a: [true, false, null], b: \"\"}",
                "{\"a\":[true,false,null],\"b\":\"\"}");
  assert_shown ("\"x\\n\\\"y\\u00e9\\ud83d\\ude00\\ud800z\"",
                "x\n\"y\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdz",
                "\"x\\u000a\\\"y\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdz\"");
  /* A comma too much is what some writers leave. */
  assert_shown ("[1,]", "[1]", "[1]");
}

static void
test_exact (void)
{
  assert_shown ("18446744073709551615", "18446744073709551615", "18446744073709551615");
  assert_shown ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827",
                "0.1000000000000000055511151231257827");
  assert_shown ("[NaN, -Infinity, 007]", "[NaN, -Infinity, 007]", "[null,null,null]");
}

static void
test_bad (void)
{
  static const char *const texts[] = {
    "",      " ",      "{",         "[",    "[1 2]", "{\"a\"}", "{\"a\":}",
    "{a:1}", "\"open", "\"\\u12\"", "[1]x", "}",     ",",
  };
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (StriaField) latin1 = stria_fields_parse ("\"caf\xe9\"", 6);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_null (stria_fields_parse (texts[i], strlen (texts[i])));
  for (guint i = 0; i < 10000; i++)
    g_string_append_c (deep, '[');
  g_assert_null (stria_fields_parse (deep->str, deep->len));

  g_assert_nonnull (latin1);
  g_assert_cmpstr (latin1->text, ==, "caf\xef\xbf\xbd");
  /* Bytes behind a cut belong to nobody. */
  g_assert_null (stria_fields_parse ("[1,2]", 4));
}

static void
test_get (void)
{
  static const char text[] = "{\"a\": 1, \"b\": {\"c\": 2}, \"a\": 3}";
  g_autoptr (StriaField) field = stria_fields_parse (text, strlen (text));

  g_assert_cmpstr (stria_field_get (field, "a")->text, ==, "3");
  g_assert_cmpstr (stria_field_get (stria_field_get (field, "b"), "c")->text, ==, "2");
  g_assert_null (stria_field_get (field, "d"));
  g_assert_null (stria_field_get (NULL, "d"));
}

static char *
display (const char *json)
{
  g_autoptr (StriaField) field = stria_fields_parse (json, strlen (json));

  return stria_field_display (g_ptr_array_index (field->children, 0));
}

static void
test_display (void)
{
  g_autofree char *bytes = display ("{\"bytes\": 1572864}");
  g_autofree char *freed = display ("{\"Bytes\": -512}");
  g_autofree char *stream = display ("{\"stream\": 1234567}");

  g_assert_cmpstr (bytes, ==, "1.5 MiB (1572864)");
  g_assert_cmpstr (freed, ==, "\xe2\x88\x92" "512 B");
  g_assert_cmpstr (stream, ==, "1234567");
}

static void
test_inline_limit (void)
{
  static const char text[] = "[\"0123456789\", \"0123456789\"]";
  g_autoptr (StriaField) field = stria_fields_parse (text, strlen (text));
  g_autofree char *fits = stria_field_inline (field, 24);
  g_autofree char *pretty = stria_field_pretty (field);

  g_assert_cmpstr (fits, ==, "[0123456789, 0123456789]");
  g_assert_null (stria_field_inline (field, 23));
  g_assert_cmpstr (pretty, ==, "[\n  0123456789,\n  0123456789\n]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fields/values", test_values);
  g_test_add_func ("/fields/exact", test_exact);
  g_test_add_func ("/fields/bad", test_bad);
  g_test_add_func ("/fields/get", test_get);
  g_test_add_func ("/fields/display", test_display);
  g_test_add_func ("/fields/inline-limit", test_inline_limit);
  return g_test_run ();
}
