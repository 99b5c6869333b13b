/* SPDX-License-Identifier: Apache-2.0 */
/* Searches, against a look at every name, every argument text and every event in time order. */
#include "config.h"

#include "stria-match.h"
#include "trace-maker.h"

typedef struct
{
  StriaRef ref;
  gint64   start;
  guint32  seq;
} Hit;

static gboolean
contains (const char *text, const char *needle)
{
  g_autofree char *a = g_utf8_strdown (text, -1);
  g_autofree char *b = g_utf8_strdown (needle, -1);

  return strstr (a, b) != NULL;
}

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const Hit *x = a;
  const Hit *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

static GArray *
naive_hits (StriaTrace *trace, const char *needle, gboolean with_args, guint64 *by_args)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (Hit));

  *by_args = 0;
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
        continue;
      for (guint64 i = 0; i < c->n; i++)
        {
          Hit hit = { { l, (guint32) i }, c->start[i], c->seq[i] };
          gboolean by_name = contains (stria_trace_get_string (trace, c->name[i]), needle);
          gboolean by_arg = FALSE;

          if (!by_name && with_args && c->args[i] != STRIA_NO_ARGS)
            {
              g_autofree char *text = g_strdup_printf ("{\"n\": %u}", c->seq[i]);

              by_arg = contains (text, needle);
              *by_args += by_arg;
            }
          if (by_name || by_arg)
            g_array_append_val (hits, hit);
        }
    }
  g_array_sort (hits, compare_hits);
  return hits;
}

static gint64
start_of (StriaTrace *trace, StriaRef ref)
{
  return stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane))->start[ref.index];
}

/* Walks right round the matches: each once, in time order, with its number. */
static void
check_walk (StriaTrace *trace, StriaMatch *match, GArray *hits, gboolean forward)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  StriaRef at = STRIA_REF_NONE;
  gint64 from = forward ? G_MININT64 : G_MAXINT64;
  StriaRef first = STRIA_REF_NONE;

  if (hits->len == 0)
    {
      guint64 ordinal = 7;

      g_assert_true (stria_ref_is_none (stria_match_next (match, at, 0, forward, &ordinal)));
      return;
    }
  for (guint i = 0; i < hits->len; i++)
    {
      guint64 ordinal = 0;
      StriaRef ref = stria_match_next (match, at, from, forward, &ordinal);
      const Hit *hit = &g_array_index (hits, Hit, forward ? i : hits->len - 1 - i);

      g_assert_false (stria_ref_is_none (ref));
      g_assert_cmpint (start_of (trace, ref), ==, hit->start);
      g_assert_cmpuint (ordinal, ==, forward ? i + 1 : hits->len - i);
      g_assert_true (g_hash_table_add (seen, GUINT_TO_POINTER (ref.lane * 1000003u + ref.index + 1)));
      if (i == 0)
        first = ref;
      at = ref;
      from = start_of (trace, ref);
    }
  /* and round again */
  g_assert_true (stria_ref_equal (stria_match_next (match, at, from, forward, NULL), first));
}

static void
check_search (StriaTrace *trace, const char *needle, gboolean with_args)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatch) match =
    with_args ? stria_match_new (trace, needle, NULL, &error) : stria_match_new_names (trace, needle);
  guint64 by_args;
  g_autoptr (GArray) hits = naive_hits (trace, needle, with_args, &by_args);
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);

  g_assert_no_error (error);
  g_assert_nonnull (match);
  g_assert_cmpstr (stria_match_get_text (match), ==, needle);
  g_assert_cmpint (stria_match_has_args (match), ==, with_args);
  g_assert_cmpuint (stria_match_n_events (match), ==, hits->len - by_args);
  g_assert_cmpuint (stria_match_n_by_args (match), ==, by_args);
  for (guint i = 0; i < hits->len; i++)
    {
      StriaRef ref = g_array_index (hits, Hit, i).ref;

      g_hash_table_add (wanted, GUINT_TO_POINTER (ref.lane * 1000003u + ref.index + 1));
    }
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);

      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
        continue;
      for (guint64 i = 0; i < stria_lane_get_n_events (lane); i++)
        g_assert_cmpint (stria_match_event (match, lane, i) != FALSE, ==,
                         g_hash_table_contains (wanted,
                                                GUINT_TO_POINTER (l * 1000003u + (guint32) i + 1)));
    }
  check_walk (trace, match, hits, TRUE);
  check_walk (trace, match, hits, FALSE);
}

static void
test_random (void)
{
  static const char *const needles[] = {
    "aten", "ATEN::MM", "1", "12", "forward", "gr\303\266\303\237e", "nothing like it", "<built-in",
    "a 9",
  };

  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (3, 40);

      for (guint t = 0; t < 3; t++)
        maker_nested (maker, t, 0, 1000000, 5, 5, round == 0 ? 1000 : 1);
      maker_chaos (maker, 1, 0, 1000000, 60, 30000);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      for (guint i = 0; i < G_N_ELEMENTS (needles); i++)
        {
          check_search (trace, needles[i], FALSE);
          check_search (trace, needles[i], TRUE);
        }
    }
}

static void
test_names (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 50);
  guint expected = 0;

  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *name = maker_name (i);

      maker_slice (maker, 0, i * 100, 50, i, 0);
      expected += contains (name, "3");
    }
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  g_autoptr (StriaMatch) match = stria_match_new_names (trace, "3");
  g_assert_cmpuint (stria_match_n_names (match), ==, expected);
}

/* Number of hits before @hit in their order */
static guint
place_among (GArray *hits, const Hit *hit)
{
  guint n = 0;

  while (n < hits->len && compare_hits (&g_array_index (hits, Hit, n), hit) < 0)
    n++;
  return n;
}

/* Steps from any event, a match or not, in rows of many thousands with many at one moment */
static void
test_many (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 60);

  for (guint t = 0; t < 3; t++)
    for (guint i = 0; i < 20000; i++)
      {
        maker_slice (maker, t, i / 3 * 100, i % 3 == 2 ? 100 : 0, maker_random (60), 0);
        if (i % 3 == 2)
          maker_slice (maker, t, i / 3 * 100 + 20, 50, maker_random (60), 0);
      }
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  for (guint k = 0; k < 2; k++)
    {
      const char *needle = k == 0 ? "aten" : "17";
      g_autoptr (StriaMatch) match = stria_match_new_names (trace, needle);
      guint64 by_args;
      g_autoptr (GArray) hits = naive_hits (trace, needle, FALSE, &by_args);

      g_assert_cmpuint (hits->len, >, 100);
      for (guint i = 0; i < 200; i++)
        {
          Hit from = { { (guint32) maker_random (3), 0 }, 0, 0 };
          StriaLane *lane = stria_trace_get_lane (trace, from.ref.lane);
          const gboolean forward = i % 2 == 0;
          gboolean is_hit;
          guint64 ordinal;
          guint at;

          from.ref.index = (guint32) maker_random ((gint64) stria_lane_get_n_events (lane));
          from.start = start_of (trace, from.ref);
          is_hit = stria_match_event (match, lane, from.ref.index);
          /* From what is no match, all of its moment are ahead. */
          if (!is_hit)
            from.ref = (StriaRef){ 0, 0 };
          at = place_among (hits, &from);
          if (forward)
            at = (at + (is_hit ? 1 : 0)) % hits->len;
          else
            at = (at + hits->len - 1) % hits->len;
          if (!is_hit)
            from.ref = STRIA_REF_NONE;
          StriaRef ref = stria_match_next (match, from.ref, from.start, forward, &ordinal);
          g_assert_true (stria_ref_equal (ref, g_array_index (hits, Hit, at).ref));
          g_assert_cmpuint (ordinal, ==, at + 1);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/match/random", test_random);
  g_test_add_func ("/match/names", test_names);
  g_test_add_func ("/match/many", test_many);
  return g_test_run ();
}
