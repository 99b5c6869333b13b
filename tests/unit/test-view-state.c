/* SPDX-License-Identifier: Apache-2.0 */
/* What was looked at: from a session into a file and back, and files that are none of ours. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

#include "app/stria-view-state.h"
#include "stria-error.h"
#include "trace-maker.h"

#define SPAN G_GINT64_CONSTANT (1000000)

static char *folder;

static void
end (StriaSession *session)
{
  gpointer weak = session;

  /* A worker whose answer nobody waits for may still hold it. */
  g_object_add_weak_pointer (G_OBJECT (session), &weak);
  g_object_unref (session);
  while (weak != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static StriaViewState *
through_text (StriaSession *session, const char *filter)
{
  g_autoptr (StriaViewState) state = stria_view_state_new (session, filter);
  g_autofree char *text = stria_view_state_to_text (state);
  g_autoptr (GError) error = NULL;
  StriaViewState *read = stria_view_state_from_text (text, strlen (text), &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  again = stria_view_state_to_text (read);
  g_assert_cmpstr (text, ==, again);
  return read;
}

static void
test_session (void)
{
  g_autoptr (TraceMaker) maker = maker_new (4, 12);
  g_autoptr (StriaTrace) trace = NULL;
  StriaSession *first, *second;
  g_autoptr (StriaViewState) none = NULL;
  g_autoptr (StriaViewState) state = NULL;
  const guint32 lanes[] = { 2, 0 };
  const guint32 *found;
  gsize n = 0;
  gint64 t0, t1;
  StriaRef ref;

  for (guint thread = 0; thread < 3; thread++)
    maker_nested (maker, thread, 0, SPAN, 4, 5, 10);
  maker_slice (maker, 3, 10, SPAN, 0, 0);
  trace = maker_finish (maker, FALSE);
  first = stria_session_new (maker->capture);
  none = through_text (first, "");
  g_assert_false (none->has_view);
  g_assert_false (none->has_range);
  g_assert_null (none->event_lane);
  g_assert_null (none->filter);

  stria_session_set_view (first, 1000, 5000);
  stria_session_set_range (first, 2000, 3000, lanes, 2);
  stria_session_select (first, (StriaRef){ 1, 3 });
  state = through_text (first, "a;b=\n\"c\"");
  g_assert_cmpstr (state->filter, ==, "a;b=\n\"c\"");

  second = stria_session_new (maker->capture);
  stria_view_state_apply (state, second, TRUE);
  stria_session_get_view (second, &t0, &t1);
  g_assert_cmpint (t0, ==, 1000);
  g_assert_cmpint (t1, ==, 5000);
  g_assert_true (stria_session_get_range (second, &t0, &t1));
  g_assert_cmpint (t0, ==, 2000);
  g_assert_cmpint (t1, ==, 3000);
  found = stria_session_get_range_lanes (second, &n);
  g_assert_cmpmem (found, n * sizeof *found, lanes, sizeof lanes);
  ref = stria_session_get_selection (second);
  g_assert_cmpuint (ref.lane, ==, 1);
  g_assert_cmpuint (ref.index, ==, 3);

  /* Another event now has the number, and the lanes are gone: nothing is shown for something else. */
  stria_session_select (second, STRIA_REF_NONE);
  stria_session_clear_range (second);
  state->event_ns++;
  for (guint i = 0; state->lanes[i] != NULL; i++)
    state->lanes[i][0] = '~';
  stria_view_state_apply (state, second, FALSE);
  g_assert_true (stria_ref_is_none (stria_session_get_selection (second)));
  g_assert_false (stria_session_get_range (second, &t0, &t1));
  end (first);
  end (second);
}

static void
test_file (void)
{
  g_autofree char *path = g_build_filename (folder, "a", "b", "state.ini", NULL);
  StriaViewState state = { .has_view = TRUE, .view_t0 = -5, .view_t1 = 7 };
  g_autofree char *text = stria_view_state_to_text (&state);
  g_autoptr (StriaViewState) read = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (stria_view_state_load (path, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    g_assert_true (stria_view_state_save (path, text, &error));
  read = stria_view_state_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read->view_t0, ==, -5);
  g_assert_cmpint (read->view_t1, ==, 7);
}

/* What is no state at all is put aside, and the next one can be written. */
static void
test_hostile_file (void)
{
  g_autofree char *path = g_build_filename (folder, "hostile.ini", NULL);
  g_autofree char *aside = g_strconcat (path, ".bad", NULL);
  g_autofree char *large = g_strnfill (STRIA_VIEW_STATE_MAX_FILE + 1, '#');
  const char *texts[] = { "not a file of keys", "[Looked at]\nversion=2\n", "[Looked at]\nversion=x\n",
                          "[Other]\nversion=1\n", "\xff\xfe", large };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_assert_null (stria_view_state_load (path, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, path));
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
    }
}

/* Of values that cannot be, nothing is taken; the others stay. */
static void
test_hostile_values (void)
{
  static const char text[] = "[Looked at]\nversion=1\n"
                             "view-start-ns=9\nview-end-ns=3\n"
                             "range-start-ns=-9223372036854775808\nrange-end-ns=9223372036854775807\n"
                             "event=4294967295\nevent-start-ns=1\nevent-lane=a\nfilter=good\n";
  g_autoptr (GString) many = g_string_new ("[Looked at]\nversion=1\nrange-start-ns=1\n"
                                           "range-end-ns=2\nrange-lanes=");
  g_autoptr (StriaViewState) state = stria_view_state_from_text (text, strlen (text), NULL);
  g_autoptr (StriaViewState) other = NULL;

  g_assert_false (state->has_view);
  g_assert_false (state->has_range);
  g_assert_null (state->event_lane);
  g_assert_cmpstr (state->filter, ==, "good");
  for (guint i = 0; i <= STRIA_VIEW_STATE_MAX_LANES; i++)
    g_string_append (many, "x;");
  other = stria_view_state_from_text (many->str, many->len, NULL);
  g_assert_false (other->has_range);
}

static void
touch (const char *name, gint64 age_s)
{
  g_autofree char *path = g_build_filename (folder, "swept", name, NULL);
  const time_t then = (time_t) (g_get_real_time () / G_USEC_PER_SEC - age_s);
  const struct utimbuf times = { then, then };

  g_assert_true (g_file_set_contents (path, name, -1, NULL));
  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
test_sweep (void)
{
  g_autofree char *swept = g_build_filename (folder, "swept", NULL);
  static const char *const names[] = { "a", "b", "c", "d", "e" };

  g_assert_cmpuint (stria_view_state_sweep ("/nowhere/at/all", 3, 10), ==, 0);
  g_assert_cmpint (g_mkdir (swept, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    touch (names[i], (gint64) i * 60);
  touch ("old", 11 * 24 * 60 * 60);
  g_assert_cmpuint (stria_view_state_sweep (swept, 10, 10), ==, 1);
  g_assert_cmpuint (stria_view_state_sweep (swept, 3, 10), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (swept, names[i], NULL);

      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, i < 3);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("stria-state-XXXXXX", NULL);
  g_test_add_func ("/view-state/session", test_session);
  g_test_add_func ("/view-state/file", test_file);
  g_test_add_func ("/view-state/hostile-file", test_hostile_file);
  g_test_add_func ("/view-state/hostile-values", test_hostile_values);
  g_test_add_func ("/view-state/sweep", test_sweep);
  return g_test_run ();
}
