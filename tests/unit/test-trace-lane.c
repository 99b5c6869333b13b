/* SPDX-License-Identifier: Apache-2.0 */
/* The questions asked of one lane, against loops over all of its events. */
#include "config.h"

#include "trace-maker.h"

static gint64
true_end (const StriaColumns *c, guint64 i)
{
  return c->start[i] + c->dur[i];
}

/* A slice is drawn neither into the next one of its row nor out of its parent. */
static gint64
naive_drawn_end (const StriaColumns *c, guint64 i, guint64 row_end)
{
  gint64 end = true_end (c, i);

  if (i + 1 < row_end)
    end = MIN (end, c->start[i + 1]);
  if (c->parent[i] != G_MAXUINT32)
    end = MIN (end, MAX (c->start[i], true_end (c, c->parent[i])));
  return end;
}

static void
check_point (StriaLane *lane, guint32 row, gint64 ns)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  guint64 begin, end, first, found = G_MAXUINT64;

  stria_lane_get_row (lane, row, &begin, &end);
  for (first = begin; first < end; first++)
    if (naive_drawn_end (c, first, end) > ns || c->start[first] >= ns)
      break;
  g_assert_cmpuint (stria_lane_lower_bound (lane, row, ns), ==, first);
  for (guint64 i = begin; i < end; i++)
    if (c->start[i] <= ns && naive_drawn_end (c, i, end) > ns)
      found = i;
  if (found != G_MAXUINT64)
    g_assert_cmpuint (stria_lane_find (lane, row, ns, 0), ==, found);
}

static void
check_busy (StriaLane *lane, guint32 row, gint64 t0, gint64 t1)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  guint64 begin, end;
  gint64 busy = 0;

  stria_lane_get_row (lane, row, &begin, &end);
  for (guint64 i = begin; i < end; i++)
    busy += MAX (0, MIN (naive_drawn_end (c, i, end), t1) - MAX (c->start[i], t0));
  g_assert_cmpint (stria_lane_busy_ns (lane, row, t0, t1), ==, busy);
}

static void
check_events (StriaLane *lane)
{
  const StriaColumns *c = stria_lane_get_columns (lane);

  for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
    {
      guint64 begin, end;

      stria_lane_get_row (lane, row, &begin, &end);
      for (guint64 i = begin; i < end; i++)
        {
          guint64 first, last, n = 0;
          gint64 self = c->dur[i];

          g_assert_cmpint (stria_lane_drawn_end (lane, i), ==, naive_drawn_end (c, i, end));
          stria_lane_children (lane, i, &first, &last);
          if (row + 1 < stria_lane_get_n_rows (lane))
            {
              guint64 b, e;

              stria_lane_get_row (lane, row + 1, &b, &e);
              for (guint64 k = b; k < e; k++)
                if (c->parent[k] == i)
                  {
                    g_assert_cmpuint (k, ==, first + n);
                    self -= naive_drawn_end (c, k, e) - c->start[k];
                    n++;
                  }
            }
          g_assert_cmpuint (last - first, ==, n);
          g_assert_cmpint (stria_lane_self_ns (lane, i), ==, self);
        }
    }
}

static void
check_lane (StriaLane *lane)
{
  gint64 start, end, least = G_MAXINT64, most = G_MININT64;
  const StriaColumns *c = stria_lane_get_columns (lane);

  g_assert_true (stria_lane_get_range (lane, &start, &end));
  for (guint64 i = 0; i < c->n; i++)
    {
      least = MIN (least, c->start[i]);
      most = MAX (most, true_end (c, i));
    }
  g_assert_cmpint (start, ==, least);
  g_assert_cmpint (end, ==, most);
  check_events (lane);
  for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
    for (guint i = 0; i < 60; i++)
      {
        gint64 t0 = start - 1000 + maker_random (end - start + 2000);
        gint64 t1 = i % 2 ? t0 + 1 + maker_random (2000) : t0 + maker_random (end - t0 + 2000);

        /* half of the points exactly on edges, where mistakes live */
        if (i % 3 == 0)
          {
            guint64 b, e;

            stria_lane_get_row (lane, row, &b, &e);
            if (b == e)
              continue;
            guint64 k = b + maker_random (e - b);
            t0 = i % 2 ? c->start[k] : true_end (c, k);
            t0 += maker_random (3) - 1;
          }
        check_point (lane, row, t0);
        check_busy (lane, row, t0, t1);
      }
}

static void
check_all (StriaTrace *trace)
{
  guint checked = 0;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);

      if (stria_lane_get_columns (lane)->dur == NULL)
        continue;
      check_lane (lane);
      checked++;
    }
  g_assert_cmpuint (checked, >, 0);
}

static void
test_nested (void)
{
  for (guint round = 0; round < 8; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (1, 40);

      maker_nested (maker, 0, 0, 100000000, 6, 6, round % 2 ? 1 : 1000);
      maker_slice (maker, 0, 100000000, 10, 0, 0);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      check_all (trace);
    }
}

static void
test_chaos (void)
{
  for (guint round = 0; round < 8; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (1, 40);

      maker_chaos (maker, 0, -300000, 700000, 900, round % 2 ? 3000 : 60000);
      g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
      check_all (trace);
    }
}

/* Long rows reach the upper levels of the pyramid. */
static void
test_long (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 40);
  gint64 t = 0;
  StriaLane *lane;
  const StriaColumns *c;

  for (guint i = 0; i < 70000; i++)
    {
      gint64 dur = maker_random (i % 100 == 0 ? 5000 : 50);

      maker_slice (maker, 0, t, dur, i % 40, 0);
      t += dur + maker_random (30);
    }
  g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
  lane = stria_trace_get_lane (trace, 0);
  c = stria_lane_get_columns (lane);
  g_assert_cmpuint (stria_lane_get_n_events (lane), ==, c->n);
  for (guint i = 0; i < 300; i++)
    {
      gint64 t0 = maker_random (t);
      gint64 t1 = t0 + 1 + maker_random (i % 2 ? t - t0 : 1000);

      check_busy (lane, 0, t0, t1);
      check_point (lane, 0, t0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lane/nested", test_nested);
  g_test_add_func ("/lane/chaos", test_chaos);
  g_test_add_func ("/lane/long", test_long);
  return g_test_run ();
}
