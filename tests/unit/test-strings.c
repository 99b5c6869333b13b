/* SPDX-License-Identifier: Apache-2.0 */
/* The table of texts: one id a text, whatever is in it, and what a sink makes of bytes that are not
 * UTF-8. */
#include "config.h"

#include <string.h>

#include "stria-strings.h"
#include "trace-maker.h"

static void
test_ids (void)
{
  g_autoptr (StriaStrings) strings = stria_strings_new ();
  g_autoptr (GHashTable) oracle = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  g_assert_cmpuint (stria_strings_size (strings), ==, 1);
  g_assert_cmpstr (stria_strings_get (strings, 0), ==, "");
  g_assert_cmpuint (stria_strings_intern (strings, "", 0), ==, 0);
  g_assert_cmpuint (stria_strings_find (strings, "x", 1), ==, G_MAXUINT32);
  for (guint i = 0; i < 200000; i++)
    {
      g_autofree char *text = g_strdup_printf ("%s-%u", i % 2 ? "kernel" : "", (guint) maker_random (60000));
      guint32 id = stria_strings_intern (strings, text, strlen (text));
      gpointer before;

      if (g_hash_table_lookup_extended (oracle, text, NULL, &before))
        {
          g_assert_cmpuint (id, ==, GPOINTER_TO_UINT (before));
        }
      else
        {
          g_assert_cmpuint (id, ==, g_hash_table_size (oracle) + 1);
          g_ptr_array_add (kept, (gpointer) stria_strings_get (strings, id));
          g_hash_table_insert (oracle, g_strdup (text), GUINT_TO_POINTER (id));
        }
    }
  g_assert_cmpuint (stria_strings_size (strings), ==, g_hash_table_size (oracle) + 1);
  /* never moved */
  for (guint i = 0; i < kept->len; i++)
    {
      const char *text = stria_strings_get (strings, i + 1);

      g_assert_true (text == kept->pdata[i]);
      g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (oracle, text)), ==, i + 1);
      g_assert_cmpuint (stria_strings_find (strings, text, strlen (text)), ==, i + 1);
      g_assert_cmpuint (stria_strings_length (strings, i + 1), ==, strlen (text));
    }
}

/* Part of a longer buffer, and a text of a megabyte */
static void
test_lengths (void)
{
  g_autoptr (StriaStrings) strings = stria_strings_new ();
  g_autofree char *big = g_strnfill (1 << 20, 'x');
  guint32 a = stria_strings_intern (strings, "abcdef", 3);
  guint32 b = stria_strings_intern (strings, "abc", 3);
  guint32 c = stria_strings_intern (strings, "abcd", 4);
  guint32 d = stria_strings_intern (strings, big, 1 << 20);

  g_assert_cmpuint (a, ==, b);
  g_assert_cmpuint (a, !=, c);
  g_assert_cmpstr (stria_strings_get (strings, a), ==, "abc");
  g_assert_cmpuint (stria_strings_length (strings, d), ==, 1 << 20);
  g_assert_cmpstr (stria_strings_get (strings, d), ==, big);
}

static void
test_not_utf8 (void)
{
  static const struct
  {
    const char *bytes;
    gsize       length;
  } bad[] = {
    { "\351t\351", 3 }, { "long enough, then \237", 19 }, { "\xc3", 1 }, { "nul\0inside", 10 },
    { "\xed\xa0\x80 surrogate", 13 }, { "\xff\xfe", 2 },
  };
  g_autoptr (TraceMaker) maker = maker_new (1, 1);
  guint32 first[G_N_ELEMENTS (bad)];
  guint32 threads[1] = { maker->threads[0] };

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
      {
        guint32 id = maker->sink->intern (maker->sink, bad[i].bytes, bad[i].length);
        StriaEvent event = { .kind = STRIA_EVENT_SLICE, .ts_ns = 1 + i, .dur_ns = 1,
                             .thread = threads[0], .name = id, .seq = round * 100 + i,
                             .args = STRIA_NO_ARGS };

        if (round == 0)
          first[i] = id;
        else
          g_assert_cmpuint (id, ==, first[i]);
        maker->sink->events (maker->sink, &event, 1);
      }
  stria_capture_close_sink (maker->capture, g_steal_pointer (&maker->sink), TRUE);
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (maker->capture);
  g_assert_cmpuint (stria_trace_get_n_lanes (trace), >, 0);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      const StriaColumns *c = stria_lane_get_columns (stria_trace_get_lane (trace, l));

      for (guint64 i = 0; i < c->n; i++)
        {
          const char *name = stria_trace_get_string (trace, c->name[i]);

          g_assert_true (g_utf8_validate (name, -1, NULL));
          g_assert_cmpuint (strlen (name), >, 0);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strings/ids", test_ids);
  g_test_add_func ("/strings/lengths", test_lengths);
  g_test_add_func ("/strings/not-utf8", test_not_utf8);
  return g_test_run ();
}
