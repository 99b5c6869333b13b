/* SPDX-License-Identifier: Apache-2.0 */
/* What the panels of a window share: view and its history, selection, range, search. */
#include "config.h"

#include "stria-session.h"
#include "trace-maker.h"

#define SPAN G_GINT64_CONSTANT (1000000)

typedef struct
{
  TraceMaker   *maker;
  StriaTrace   *trace;
  StriaSession *session;
  guint         n_view;
  guint         n_selection;
  guint         n_range;
  guint         n_match;
  StriaRef      revealed;
} Fixture;

static void
on_view (Fixture *f)
{
  f->n_view++;
}

static void
on_selection (Fixture *f)
{
  f->n_selection++;
}

static void
on_range (Fixture *f)
{
  f->n_range++;
}

static void
on_match (Fixture *f)
{
  f->n_match++;
}

static void
on_reveal (StriaSession *session, const StriaRef *ref, Fixture *f)
{
  f->revealed = *ref;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->maker = maker_new (4, 12);
  for (guint thread = 0; thread < 3; thread++)
    maker_nested (f->maker, thread, 0, SPAN, 4, 5, 10);
  maker_slice (f->maker, 3, 10, SPAN, 0, 0);
  f->trace = maker_finish (f->maker, FALSE);
  f->session = stria_session_new (f->maker->capture);
  f->revealed = STRIA_REF_NONE;
  g_signal_connect_swapped (f->session, "view-changed", G_CALLBACK (on_view), f);
  g_signal_connect_swapped (f->session, "selection-changed", G_CALLBACK (on_selection), f);
  g_signal_connect_swapped (f->session, "range-changed", G_CALLBACK (on_range), f);
  g_signal_connect_swapped (f->session, "match-changed", G_CALLBACK (on_match), f);
  g_signal_connect (f->session, "reveal", G_CALLBACK (on_reveal), f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  StriaSession *session = f->session;

  /* A worker whose answer nobody waits for may still hold it. */
  g_object_add_weak_pointer (G_OBJECT (session), (gpointer *) &f->session);
  g_object_unref (session);
  while (f->session != NULL)
    g_main_context_iteration (NULL, TRUE);
  stria_trace_unref (f->trace);
  maker_free (f->maker);
}

static void
test_bounds (Fixture *f, gconstpointer data)
{
  gint64 t0, t1, b0, b1, v0, v1;

  g_assert_true (stria_trace_get_range (f->trace, &t0, &t1));
  stria_session_get_bounds (f->session, &b0, &b1);
  g_assert_cmpint (b0, ==, t0 - (t1 - t0) / 20);
  g_assert_cmpint (b1, ==, t1 + (t1 - t0) / 20);

  /* The first view holds all of it and stays inside. */
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, <=, t0);
  g_assert_cmpint (v1, >=, t1);

  stria_session_set_view (f->session, G_MININT64, G_MAXINT64);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, b0);
  g_assert_cmpint (v1, ==, b1);

  /* Wherever it is pushed, it keeps its length. */
  stria_session_set_view (f->session, t0 + 1000, t0 + 3000);
  stria_session_pan (f->session, G_MAXINT64);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v1, ==, b1);
  g_assert_cmpint (v1 - v0, ==, 2000);
  stria_session_pan (f->session, G_MININT64 + 1);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, b0);
  g_assert_cmpint (v1 - v0, ==, 2000);

  stria_session_set_view (f->session, 500, 500);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v1 - v0, ==, 100);
  g_assert_cmpint (v0, ==, 450);
}

static void
test_zoom (Fixture *f, gconstpointer data)
{
  gint64 v0, v1;

  stria_session_set_view (f->session, 100000, 300000);
  stria_session_zoom (f->session, 150000, 0.5);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, 125000);
  g_assert_cmpint (v1, ==, 225000);

  stria_session_zoom (f->session, 150000, 1e-12);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v1 - v0, ==, 100);
  g_assert_cmpint (v0, <=, 150000);
  g_assert_cmpint (v1, >=, 150000);

  stria_session_zoom (f->session, 150000, 1e30);
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v1 - v0, >=, SPAN);
}

static void
test_history (Fixture *f, gconstpointer data)
{
  gint64 first0, first1, v0, v1;

  stria_session_get_view (f->session, &first0, &first1);
  g_assert_false (stria_session_go_back (f->session));

  /* One gesture of many steps is one step back. */
  for (guint i = 1; i <= 20; i++)
    stria_session_set_view (f->session, i * 1000, SPAN - i * 1000);
  stria_session_set_range (f->session, 200000, 400000, NULL, 0);
  g_assert_true (stria_session_fit_selection (f->session));
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, 190000);
  g_assert_cmpint (v1, ==, 410000);

  g_assert_true (stria_session_go_back (f->session));
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, 20000);
  g_assert_cmpint (v1, ==, SPAN - 20000);
  g_assert_true (stria_session_go_back (f->session));
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, first0);
  g_assert_cmpint (v1, ==, first1);
  g_assert_false (stria_session_go_back (f->session));

  g_assert_true (stria_session_go_forward (f->session));
  g_assert_true (stria_session_go_forward (f->session));
  g_assert_false (stria_session_go_forward (f->session));
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, ==, 190000);
}

static void
test_selection (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) refs = maker_find (f->maker, f->trace, 1);
  StriaRef ref = g_array_index (refs, StriaRef, refs->len / 2);
  StriaLane *lane = stria_trace_get_lane (f->trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  gint64 v0, v1;

  g_assert_true (stria_ref_is_none (stria_session_get_selection (f->session)));
  g_assert_false (stria_session_fit_selection (f->session));

  stria_session_select (f->session, ref);
  stria_session_select (f->session, ref);
  g_assert_cmpuint (f->n_selection, ==, 1);
  g_assert_true (stria_ref_equal (stria_session_get_selection (f->session), ref));
  g_assert_true (stria_ref_is_none (f->revealed));

  /* What is out of sight comes into it. */
  stria_session_set_view (f->session, columns->start[ref.index] + SPAN / 2,
                          columns->start[ref.index] + SPAN / 2 + 200);
  stria_session_reveal (f->session, ref);
  g_assert_true (stria_ref_equal (f->revealed, ref));
  stria_session_get_view (f->session, &v0, &v1);
  g_assert_cmpint (v0, <=, columns->start[ref.index]);
  g_assert_cmpint (v1, >=, columns->start[ref.index]);

  /* A lane that is not there is no selection. */
  stria_session_select (f->session, (StriaRef){ 100000, 0 });
  g_assert_true (stria_ref_is_none (stria_session_get_selection (f->session)));
}

static void
test_range (Fixture *f, gconstpointer data)
{
  const guint32 lanes[] = { 2, 0 };
  const guint32 *got;
  gint64 t0, t1;
  gsize n;

  g_assert_false (stria_session_get_range (f->session, &t0, &t1));
  stria_session_set_range (f->session, 900, 100, lanes, 2);
  g_assert_true (stria_session_get_range (f->session, &t0, &t1));
  g_assert_cmpint (t0, ==, 100);
  g_assert_cmpint (t1, ==, 900);
  got = stria_session_get_range_lanes (f->session, &n);
  g_assert_cmpmem (got, n * sizeof (guint32), lanes, sizeof lanes);

  /* The same again is no change; all lanes is. */
  stria_session_set_range (f->session, 100, 900, lanes, 2);
  g_assert_cmpuint (f->n_range, ==, 1);
  stria_session_set_range (f->session, 100, 900, NULL, 0);
  g_assert_cmpuint (f->n_range, ==, 2);
  g_assert_null (stria_session_get_range_lanes (f->session, &n));
  g_assert_cmpuint (n, ==, 0);

  stria_session_clear_range (f->session);
  stria_session_clear_range (f->session);
  g_assert_cmpuint (f->n_range, ==, 3);
  g_assert_false (stria_session_get_range (f->session, NULL, NULL));
}

static void
wait_for_ordinal (Fixture *f, guint64 ordinal)
{
  while (stria_session_get_match_ordinal (f->session) != ordinal)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_search (Fixture *f, gconstpointer data)
{
  g_autofree char *name = maker_name (3);
  StriaMatch *match;
  guint64 n;

  stria_session_search (f->session, name, FALSE);
  match = stria_session_get_match (f->session);
  g_assert_nonnull (match);
  g_assert_false (stria_session_is_searching (f->session));
  g_assert_cmpuint (stria_session_get_match_ordinal (f->session), ==, 0);
  n = stria_match_n_events (match);
  g_assert_cmpuint (n, >, 3);

  /* Calls that come while one is looked for are done after it. */
  stria_session_set_view (f->session, 0, SPAN);
  stria_session_search_next (f->session, TRUE);
  stria_session_search_next (f->session, TRUE);
  stria_session_search_next (f->session, TRUE);
  wait_for_ordinal (f, 3);
  stria_session_search_next (f->session, FALSE);
  wait_for_ordinal (f, 2);
  g_assert_true (stria_ref_equal (f->revealed, stria_session_get_selection (f->session)));

  /* Round the end. */
  stria_session_search_next (f->session, FALSE);
  stria_session_search_next (f->session, FALSE);
  wait_for_ordinal (f, n);

  /* Another selection is not a match, until the search finds it. */
  stria_session_select (f->session, STRIA_REF_NONE);
  g_assert_cmpuint (stria_session_get_match_ordinal (f->session), ==, 0);

  stria_session_search (f->session, "", FALSE);
  g_assert_null (stria_session_get_match (f->session));
  stria_session_search_next (f->session, TRUE);
}

static void
test_search_args (Fixture *f, gconstpointer data)
{
  guint before;

  stria_session_search (f->session, "\"n\": 3", TRUE);
  g_assert_true (stria_session_is_searching (f->session));
  g_assert_cmpuint (stria_match_n_events (stria_session_get_match (f->session)), ==, 0);

  /* The answer to a question that was taken back is dropped. */
  stria_session_search (f->session, NULL, FALSE);
  g_assert_false (stria_session_is_searching (f->session));
  stria_session_search (f->session, "\"n\": 3", TRUE);
  before = f->n_match;
  while (stria_session_is_searching (f->session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (f->n_match, ==, before + 1);
  g_assert_true (stria_match_has_args (stria_session_get_match (f->session)));
  g_assert_cmpuint (stria_match_n_by_args (stria_session_get_match (f->session)), >, 0);
}

static void
test_empty (void)
{
  g_autoptr (StriaCapture) capture = stria_capture_new ("/nowhere/empty");
  g_autoptr (StriaSession) session = stria_session_new (capture);
  gint64 t0, t1;

  stria_session_get_view (session, &t0, &t1);
  g_assert_cmpint (t0, <, t1);
  stria_session_fit (session);
  stria_session_zoom (session, 0, 0.5);
  stria_session_search (session, "x", TRUE);
  g_assert_null (stria_session_get_match (session));
  stria_session_reveal (session, (StriaRef){ 0, 0 });
  g_assert_true (stria_ref_is_none (stria_session_get_selection (session)));
}

#define ADD(path, func) \
  g_test_add ("/session/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("bounds", test_bounds);
  ADD ("zoom", test_zoom);
  ADD ("history", test_history);
  ADD ("selection", test_selection);
  ADD ("range", test_range);
  ADD ("search", test_search);
  ADD ("search-args", test_search_args);
  g_test_add_func ("/session/empty", test_empty);
  return g_test_run ();
}
