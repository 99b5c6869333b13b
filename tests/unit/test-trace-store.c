/* SPDX-License-Identifier: Apache-2.0 */
/* A store gives back what went in, to the last column, and a damaged one is never taken for sound. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "stria-cache.h"
#include "trace-maker.h"

static StriaCapture *
twin (void)
{
  StriaCapture *capture = stria_capture_new ("/nowhere/made.json");
  g_autoptr (StriaArtifact) artifact =
    stria_artifact_new ("/nowhere/made.json", NULL, "made.json", 1, 1);

  stria_capture_add_artifact (capture, artifact);
  return capture;
}

static void
fill (TraceMaker *maker)
{
  for (guint t = 0; t < 3; t++)
    maker_nested (maker, t, 1000, 5000000, 5, 6, 1);
  maker_chaos (maker, 1, 0, 5000000, 300, 200000);
  for (guint i = 0; i < 2000; i++)
    {
      maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_COUNTER, .ts_ns = maker_random (5000000),
                                         .value = (double) maker_random (1000) / 3, .name = i % 3 });
      maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_INSTANT, .ts_ns = maker_random (5000000),
                                         .thread = i % 3, .name = i % 20 });
    }
  for (guint i = 0; i < 200; i++)
    {
      gint64 ts = 1000 + maker_random (4000000);

      maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_FLOW_START, .ts_ns = ts, .id = i });
      maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_FLOW_END, .ts_ns = ts + 500, .id = i,
                                         .thread = 2, .flags = STRIA_EVENT_BIND_ENCLOSING });
    }
  /* Random flows can all miss: one that binds for certain. */
  maker_slice (maker, 0, 6000000, 1000, 0, 0);
  maker_slice (maker, 2, 6000000, 1000, 1, 0);
  maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_FLOW_START, .ts_ns = 6000100, .id = 999 });
  maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_FLOW_END, .ts_ns = 6000500, .id = 999,
                                     .thread = 2, .flags = STRIA_EVENT_BIND_ENCLOSING });
}

static void
compare_lanes (StriaTrace *a, StriaTrace *b)
{
  g_assert_cmpuint (stria_trace_get_n_lanes (a), ==, stria_trace_get_n_lanes (b));
  for (guint32 l = 0; l < stria_trace_get_n_lanes (a); l++)
    {
      StriaLane *x = stria_trace_get_lane (a, l);
      StriaLane *y = stria_trace_get_lane (b, l);
      g_autoptr (GError) error = NULL;
      const StriaColumns *c;
      const StriaColumns *d;
      double least[2], most[2];

      g_assert_false (stria_lane_is_loaded (y));
      g_assert_true (stria_lane_load (y, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpint (stria_lane_get_kind (x), ==, stria_lane_get_kind (y));
      g_assert_cmpstr (stria_lane_get_name (x), ==, stria_lane_get_name (y));
      g_assert_cmpstr (stria_lane_get_key (x), ==, stria_lane_get_key (y));
      g_assert_cmpuint (stria_lane_get_n_rows (x), ==, stria_lane_get_n_rows (y));
      c = stria_lane_get_columns (x);
      d = stria_lane_get_columns (y);
      g_assert_cmpuint (c->n, ==, d->n);
#define SAME(column)                                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_true ((c->column == NULL) == (d->column == NULL));                                    \
    if (c->column)                                                                                 \
      g_assert_cmpmem (c->column, c->n * sizeof *c->column, d->column, d->n * sizeof *d->column);  \
  }                                                                                                \
  G_STMT_END
      SAME (start);
      SAME (dur);
      SAME (value);
      SAME (category);
      SAME (flags);
      SAME (seq);
      SAME (parent);
      SAME (correlation);
      SAME (external);
      SAME (python);
#undef SAME
      for (guint64 i = 0; i < c->n; i++)
        g_assert_cmpstr (stria_trace_get_string (a, c->name[i]), ==,
                         stria_trace_get_string (b, d->name[i]));
      for (guint32 row = 0; row < stria_lane_get_n_rows (x); row++)
        {
          guint64 p, q, r, s;

          stria_lane_get_row (x, row, &p, &q);
          stria_lane_get_row (y, row, &r, &s);
          g_assert_true (p == r && q == s);
        }
      if (stria_lane_get_kind (x) == STRIA_LANE_COUNTER)
        {
          stria_lane_get_value_range (x, &least[0], &most[0]);
          stria_lane_get_value_range (y, &least[1], &most[1]);
          g_assert_true (least[0] == least[1] && most[0] == most[1]);
        }
      for (guint i = 0; i < 50 && c->n > 0 && c->args != NULL; i++)
        {
          StriaRef ref = { l, (guint32) maker_random (c->n) };
          g_autoptr (GBytes) m = stria_trace_get_args (a, ref, &error);
          g_autoptr (GBytes) n = stria_trace_get_args (b, ref, &error);

          g_assert_no_error (error);
          g_assert_true (m == NULL ? n == NULL : g_bytes_equal (m, n));
        }
    }
}

static void
compare_rest (StriaTrace *a, StriaTrace *b)
{
  gsize n, m;
  const StriaFlow *x = stria_trace_get_flows (a, &n);
  const StriaFlow *y = stria_trace_get_flows (b, &m);
  gint64 t[4];

  g_assert_cmpuint (n, ==, m);
  g_assert_cmpuint (n, >, 0);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (stria_ref_equal (x[i].from, y[i].from) && stria_ref_equal (x[i].to, y[i].to));
      g_assert_cmpuint (x[i].backwards, ==, y[i].backwards);
    }
  g_assert_cmpuint (stria_trace_get_unbound_flows (a), ==, stria_trace_get_unbound_flows (b));
  g_assert_cmpuint (stria_trace_get_n_events (a), ==, stria_trace_get_n_events (b));
  g_assert_true (stria_trace_get_range (a, &t[0], &t[1]) && stria_trace_get_range (b, &t[2], &t[3]));
  g_assert_true (t[0] == t[2] && t[1] == t[3]);
  g_assert_true (stria_trace_get_view_range (a, &t[0], &t[1]) &&
                 stria_trace_get_view_range (b, &t[2], &t[3]));
  g_assert_true (t[0] == t[2] && t[1] == t[3]);
}

static void
test_round_trip (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 40);
  g_autoptr (StriaCapture) again = twin ();
  g_autoptr (GError) error = NULL;

  fill (maker);
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  g_assert_false (stria_capture_open_store (again, NULL));
  g_assert_true (stria_capture_write_store (maker->capture, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (stria_capture_get_key (again), ==, stria_capture_get_key (maker->capture));
  g_assert_true (stria_capture_open_store (again, &error));
  g_assert_no_error (error);
  g_autoptr (StriaTrace) read = stria_capture_ref_trace (again);
  compare_lanes (trace, read);
  compare_rest (trace, read);
}

static void
test_cancelled (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 40);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *dir = stria_cache_dir ();
  g_autoptr (GDir) left = NULL;
  const char *name;

  /* Enough that it cannot be over before the cancelling is seen */
  for (guint i = 0; i < 100000; i++)
    maker_slice (maker, i % 3, i * 10, 9, i, 0);
  G_GNUC_UNUSED g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  stria_cache_clear (NULL);
  g_cancellable_cancel (cancellable);
  g_assert_false (stria_capture_write_store (maker->capture, cancellable, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  left = g_dir_open (dir, 0, NULL);
  while (left && (name = g_dir_read_name (left)) != NULL)
    g_assert_false (g_str_has_suffix (name, ".stria"));
}

/* Opens, loads and asks whatever there is; anything may fail, nothing may crash. */
static void
use_damaged (void)
{
  g_autoptr (StriaCapture) capture = twin ();
  g_autoptr (StriaTrace) trace = NULL;

  if (!stria_capture_open_store (capture, NULL))
    return;
  trace = stria_capture_ref_trace (capture);
  if (!stria_trace_load_all (trace, NULL, NULL))
    return;
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      for (guint64 i = 0; i < MIN (c->n, 200); i++)
        {
          StriaRef ref = { l, (guint32) i };
          G_GNUC_UNUSED g_autoptr (GBytes) args = stria_trace_get_args (trace, ref, NULL);

          g_assert_nonnull (stria_trace_get_string (trace, c->name[i]));
          g_assert_nonnull (stria_trace_get_category (trace, c->category[i]));
        }
    }
}

static void
test_damaged (void)
{
  g_autofree char *path = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  {
    g_autoptr (TraceMaker) maker = maker_new (3, 40);

    fill (maker);
    G_GNUC_UNUSED g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
    g_assert_true (stria_capture_write_store (maker->capture, NULL, NULL, NULL, NULL));
    path = stria_capture_dup_store_path (maker->capture);
    g_assert_nonnull (path);
  }
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (guint round = 0; round < 60; round++)
    {
      g_autofree char *bad = g_memdup2 (bytes, length);
      gsize size = round % 3 == 0 ? (gsize) maker_random ((gint64) length) : length;

      for (guint k = 0; k < 30 && round % 3 != 0; k++)
        bad[maker_random ((gint64) length)] = (char) maker_random (256);
      if (round % 3 == 2)
        memset (bad + maker_random ((gint64) length - 9000), 0, 8192);
      g_assert_true (g_file_set_contents (path, bad, (gssize) size, NULL));
      use_damaged ();
    }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *cache = g_dir_make_tmp ("stria-test-XXXXXX", &error);
  int result;

  g_assert_no_error (error);
  g_setenv ("STRIA_CACHE_DIR", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/round-trip", test_round_trip);
  g_test_add_func ("/store/cancelled", test_cancelled);
  g_test_add_func ("/store/damaged", test_damaged);
  result = g_test_run ();
  stria_cache_clear (NULL);
  g_rmdir (cache);
  return result;
}
