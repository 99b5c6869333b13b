/* SPDX-License-Identifier: Apache-2.0 */
/* Searches of several terms: how they are read, and what they find against a look at every event. */
#include "config.h"

#include <string.h>

#include "stria-match-query.h"
#include "stria-match.h"
#include "trace-maker.h"

static StriaMatchQuery *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  StriaMatchQuery *query = stria_match_query_new (text, &error);

  g_assert_no_error (error);
  return query;
}

static void
test_phrase (void)
{
  static const char *const phrases[]
      = { "matmul", "void at::native", "a AND", "train.py(163): <module>", "/usr/lib", "name:",
          "x name: y", "std::vector<int>", " leading" };

  for (guint i = 0; i < G_N_ELEMENTS (phrases); i++)
    {
      g_autoptr (StriaMatchQuery) query = parse (phrases[i]);
      g_autofree char *folded = g_utf8_casefold (phrases[i], -1);
      guint n = 0;
      const StriaTerm *terms = stria_match_query_get_terms (query, &n);

      g_assert_true (stria_match_query_is_phrase (query));
      g_assert_false (stria_match_query_needs_events (query));
      g_assert_cmpuint (n, ==, 1);
      g_assert_cmpstr (terms[0].text, ==, folded);
      g_assert_cmpint (terms[0].field, ==, STRIA_TERM_ANY);
    }
}

static void
test_terms (void)
{
  g_autoptr (StriaMatchQuery) query
      = parse ("name:MatMul AND cat:kernel  arg:bytes>=4096 \"two words\" /^a b\\/c$/ lane:\"x y\"");
  guint n = 0;
  const StriaTerm *terms = stria_match_query_get_terms (query, &n);

  g_assert_false (stria_match_query_is_phrase (query));
  g_assert_true (stria_match_query_needs_events (query));
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpint (terms[0].field, ==, STRIA_TERM_NAME);
  g_assert_cmpstr (terms[0].text, ==, "matmul");
  g_assert_cmpint (terms[1].field, ==, STRIA_TERM_CATEGORY);
  g_assert_cmpint (terms[2].field, ==, STRIA_TERM_ARG);
  g_assert_cmpstr (terms[2].key, ==, "bytes");
  g_assert_cmpint (terms[2].test, ==, STRIA_TERM_GREATER_EQUAL);
  g_assert_cmpfloat (terms[2].number, ==, 4096);
  g_assert_cmpstr (terms[3].text, ==, "two words");
  g_assert_nonnull (terms[4].regex);
  g_assert_true (stria_term_has (&terms[4], "A B/C"));
  g_assert_false (stria_term_has (&terms[4], "xA B/C"));
  g_assert_cmpint (terms[5].field, ==, STRIA_TERM_LANE);
  g_assert_cmpstr (terms[5].text, ==, "x y");
}

static void
test_bad_expression (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatchQuery) query = stria_match_query_new ("name:/a(/", &error);

  g_assert_null (query);
  g_assert_nonnull (error);
}

static void
check_json (const char *text, const char *json, gboolean expected)
{
  g_autoptr (StriaMatchQuery) query = parse (text);
  guint n = 0;
  const StriaTerm *terms = stria_match_query_get_terms (query, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (stria_term_has_json (&terms[0], json), ==, expected);
}

static void
test_json (void)
{
  const char *json = "{\"stream\": 7, \"grid\": [4, 1, 1], \"name\":\"a \\\"stream\\\": b\", "
                     "\"Size\" : 1e3, \"dims\": [[2,3],[4]]}";

  check_json ("arg:stream", json, TRUE);
  check_json ("arg:stream=7", json, TRUE);
  check_json ("arg:stream=8", json, FALSE);
  check_json ("arg:stream=77", json, FALSE);
  check_json ("arg:Size>999.5", json, TRUE);
  check_json ("arg:Size>1000", json, FALSE);
  check_json ("arg:Size<=1000", json, TRUE);
  check_json ("arg:grid=/^.4/", json, TRUE);
  check_json ("arg:grid=Size", json, FALSE);
  check_json ("arg:dims=[4]", json, TRUE);
  check_json ("arg:name=b", json, TRUE);
  check_json ("arg:absent=1", json, FALSE);
}

/* -- against every event ----------------------------------------------------------------------- */

static gboolean
contains (const char *text, const char *needle)
{
  g_autofree char *a = g_utf8_strdown (text, -1);
  g_autofree char *b = g_utf8_strdown (needle, -1);

  return strstr (a, b) != NULL;
}

typedef struct
{
  const char *query;
  const char *name;     /* each: NULL = anything */
  const char *lane;
  const char *category;
  gint64      more_than; /* argument "n"; -1 = anything */
} Case;

static gboolean
fits (StriaTrace *trace, StriaLane *lane, const StriaColumns *c, guint64 e, const Case *test)
{
  if (test->name != NULL && !contains (stria_trace_get_string (trace, c->name[e]), test->name))
    return FALSE;
  if (test->lane != NULL && !contains (stria_lane_get_name (lane), test->lane))
    return FALSE;
  if (test->category != NULL
      && !contains (stria_trace_get_category (trace, c->category[e]), test->category))
    return FALSE;
  /* A slice whose number is a multiple of three has it as the argument "n". */
  return test->more_than < 0 || (c->seq[e] % 3 == 0 && (gint64) c->seq[e] > test->more_than);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* Time in which at least one runs, by counting at each border how many do */
static gint64
naive_merged (GArray *starts, GArray *ends)
{
  gint64 merged = 0, since = 0;
  guint s = 0, e = 0, running = 0;

  g_array_sort (starts, compare_ints);
  g_array_sort (ends, compare_ints);
  while (e < ends->len)
    {
      if (s < starts->len && g_array_index (starts, gint64, s) <= g_array_index (ends, gint64, e))
        {
          if (running++ == 0)
            since = g_array_index (starts, gint64, s);
          s++;
        }
      else
        {
          if (--running == 0)
            merged += g_array_index (ends, gint64, e) - since;
          e++;
        }
    }
  return merged;
}

static void
check (StriaTrace *trace, const Case *test)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatch) match = stria_match_new_query (trace, test->query, FALSE, NULL, &error);
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  StriaMatchSums sums;
  guint64 n = 0;
  gint64 summed = 0;

  g_assert_no_error (error);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
        continue;
      for (guint64 e = 0; e < c->n; e++)
        {
          const gboolean expected = fits (trace, lane, c, e, test);

          g_assert_cmpint (stria_match_event (match, lane, e), ==, expected);
          if (!expected)
            continue;
          n++;
          if (c->dur != NULL && c->dur[e] > 0)
            {
              const gint64 end = c->start[e] + c->dur[e];

              g_array_append_val (starts, c->start[e]);
              g_array_append_val (ends, end);
              summed += c->dur[e];
            }
        }
    }
  g_assert_cmpuint (stria_match_n_events (match) + stria_match_n_by_args (match), ==, n);
  g_assert_true (stria_match_measure (match, &sums, NULL, &error));
  g_assert_cmpuint (sums.count, ==, n);
  g_assert_cmpint (sums.summed_ns, ==, summed);
  g_assert_cmpint (sums.merged_ns, ==, naive_merged (starts, ends));
}

static void
test_events (void)
{
  TraceMaker *maker = maker_new (4, 12);
  g_autoptr (StriaTrace) trace = NULL;
  const char *name = NULL;
  const char *category = NULL;
  const char *lane = NULL;

  for (guint t = 0; t < 4; t++)
    maker_nested (maker, t, 0, 200000, 4, 5, 10);
  maker_chaos (maker, 2, 0, 200000, 200, 9000);
  trace = maker_finish (maker, TRUE);
  lane = stria_lane_get_name (stria_trace_get_lane (trace, 0));
  name = stria_trace_get_string (
      trace, stria_lane_get_columns (stria_trace_get_lane (trace, 0))->name[0]);
  category = stria_trace_get_category (
      trace, stria_lane_get_columns (stria_trace_get_lane (trace, 0))->category[0]);
  {
    g_autofree char *by_name = g_strdup_printf ("name:\"%s\"", name);
    g_autofree char *by_lane = g_strdup_printf ("name:\"%s\" AND lane:\"%s\"", name, lane);
    g_autofree char *by_category = g_strdup_printf ("cat:\"%s\"", category);
    g_autofree char *by_all = g_strdup_printf ("\"%s\" category:\"%s\" arg:n>40", name, category);
    const Case cases[] = {
      { by_name, name, NULL, NULL, -1 },
      { by_lane, name, lane, NULL, -1 },
      { by_category, NULL, NULL, category, -1 },
      { "arg:n>100", NULL, NULL, NULL, 100 },
      { by_all, name, NULL, category, 40 },
      { "name:/./ lane:nosuchlane", NULL, "nosuchlane", NULL, -1 },
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      check (trace, &cases[i]);
  }
  maker_free (maker);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/match-query/phrase", test_phrase);
  g_test_add_func ("/match-query/terms", test_terms);
  g_test_add_func ("/match-query/bad-expression", test_bad_expression);
  g_test_add_func ("/match-query/json", test_json);
  g_test_add_func ("/match-query/events", test_events);
  return g_test_run ();
}
