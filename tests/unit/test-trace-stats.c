/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a range, against sums over every slice. */
#include "config.h"

#include "stria-stats.h"
#include "trace-maker.h"

typedef struct
{
  guint64 count;
  gint64  total;
  gint64  self;
  GArray *durations;
} Naive;

static void
naive_free (gpointer data)
{
  Naive *naive = data;

  g_array_unref (naive->durations);
  g_free (naive);
}

static int
compare_int64 (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a;
  gint64 y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

static gint64
inside (gint64 start, gint64 end, gint64 t0, gint64 t1)
{
  return MAX (0, MIN (end, t1) - MAX (start, t0));
}

/* An event counts when some of it lies in [t0, t1); one without width when its moment does. */
static gboolean
overlaps (gint64 start, gint64 dur, gint64 t0, gint64 t1)
{
  return dur > 0 ? start < t1 && start + dur > t0 : start >= t0 && start < t1;
}

static GHashTable *
naive_stats (StriaTrace *trace, const guint32 *lanes, gsize n_lanes, gint64 t0, gint64 t1,
             gboolean by_category, guint64 *n_slices)
{
  GHashTable *table = g_hash_table_new_full (NULL, NULL, NULL, naive_free);

  *n_slices = 0;
  for (gsize l = 0; l < n_lanes; l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, lanes[l]);
      const StriaColumns *c = stria_lane_get_columns (lane);

      if (c->dur == NULL)
        continue;
      for (guint64 i = 0; i < c->n; i++)
        {
          guint32 key = by_category ? c->category[i] : c->name[i];
          guint64 first, last;
          Naive *naive;

          if (!overlaps (c->start[i], c->dur[i], t0, t1))
            continue;
          naive = g_hash_table_lookup (table, GUINT_TO_POINTER (key));
          if (naive == NULL)
            {
              naive = g_new0 (Naive, 1);
              naive->durations = g_array_new (FALSE, FALSE, sizeof (gint64));
              g_hash_table_insert (table, GUINT_TO_POINTER (key), naive);
            }
          naive->count++;
          (*n_slices)++;
          naive->total += inside (c->start[i], c->start[i] + c->dur[i], t0, t1);
          naive->self += inside (c->start[i], c->start[i] + c->dur[i], t0, t1);
          stria_lane_children (lane, i, &first, &last);
          for (guint64 k = first; k < last; k++)
            naive->self -= inside (c->start[k], stria_lane_drawn_end (lane, k), t0, t1);
          g_array_append_val (naive->durations, c->dur[i]);
        }
    }
  return table;
}

static void
check_rows (GArray *rows, GHashTable *expected, gint64 range, gboolean percentiles)
{
  gint64 before = G_MAXINT64;

  g_assert_cmpuint (rows->len, ==, g_hash_table_size (expected));
  for (guint i = 0; i < rows->len; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);
      Naive *naive = g_hash_table_lookup (expected, GUINT_TO_POINTER (row->key));
      gint64 sum = 0;

      g_assert_nonnull (naive);
      g_array_sort (naive->durations, compare_int64);
      for (guint k = 0; k < naive->durations->len; k++)
        sum += g_array_index (naive->durations, gint64, k);
      g_assert_cmpuint (row->count, ==, naive->count);
      g_assert_cmpint (row->total_ns, ==, naive->total);
      g_assert_cmpint (row->self_ns, ==, naive->self);
      g_assert_cmpfloat_with_epsilon (row->share, (double) naive->total / (double) range, 1e-9);
      g_assert_cmpint (row->min_ns, ==, g_array_index (naive->durations, gint64, 0));
      g_assert_cmpint (row->max_ns, ==, g_array_index (naive->durations, gint64, naive->count - 1));
      g_assert_cmpfloat_with_epsilon (row->mean_ns, (double) sum / (double) naive->count,
                                      1e-6 * (1 + (double) sum));
      if (percentiles)
        {
          guint64 n = naive->count;

          /* nearest rank: the ceil (p * n)-th smallest */
          g_assert_cmpint (row->p50_ns, ==,
                           g_array_index (naive->durations, gint64, (n * 50 + 99) / 100 - 1));
          g_assert_cmpint (row->p95_ns, ==,
                           g_array_index (naive->durations, gint64, (n * 95 + 99) / 100 - 1));
        }
      else
        {
          g_assert_cmpint (row->p50_ns, ==, -1);
          g_assert_cmpint (row->p95_ns, ==, -1);
        }
      g_assert_cmpint (row->total_ns, <=, before);
      before = row->total_ns;
    }
}

static void
check_range (StriaTrace *trace, const guint32 *lanes, gsize n_lanes, gint64 t0, gint64 t1)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaStats) stats = stria_stats_new (trace, lanes, n_lanes, t0, t1, NULL, &error);
  g_autofree guint32 *all = g_new (guint32, stria_trace_get_n_lanes (trace));
  guint64 n_slices;

  g_assert_no_error (error);
  if (lanes == NULL)
    {
      n_lanes = stria_trace_get_n_lanes (trace);
      for (guint32 l = 0; l < n_lanes; l++)
        all[l] = l;
    }
  g_autoptr (GHashTable) names =
    naive_stats (trace, lanes ? lanes : all, n_lanes, t0, t1, FALSE, &n_slices);
  g_autoptr (GHashTable) categories =
    naive_stats (trace, lanes ? lanes : all, n_lanes, t0, t1, TRUE, &n_slices);
  g_assert_cmpuint (stats->n_slices, ==, n_slices);
  g_assert_cmpint (stats->start_ns, ==, t0);
  g_assert_cmpint (stats->end_ns, ==, t1);
  check_rows (stats->by_name, names, t1 - t0, FALSE);
  check_rows (stats->by_category, categories, t1 - t0, FALSE);
  g_assert_true (stria_stats_percentiles (stats, trace, lanes, n_lanes, NULL, &error));
  g_assert_no_error (error);
  check_rows (stats->by_name, names, t1 - t0, TRUE);
  check_rows (stats->by_category, categories, t1 - t0, TRUE);
}

static void
test_random (void)
{
  for (guint round = 0; round < 6; round++)
    {
      guint n = 1 + maker_random (5);
      g_autoptr (TraceMaker) maker = maker_new (n, 25);

      for (guint t = 0; t < n; t++)
        maker_nested (maker, t, 0, 50000000, 6, 6, round % 2 ? 1 : 1000);
      if (round > 3)
        maker_chaos (maker, 0, 0, 50000000, 500, 600000);
      maker_slice (maker, 0, 0, 50000000, 0, 0);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      check_range (trace, NULL, 0, 0, 50000000);
      check_range (trace, NULL, 0, -10, 50000010);
      for (guint i = 0; i < 30; i++)
        {
          gint64 t0 = maker_random (50000000);
          gint64 t1 = t0 + 1 + maker_random (i % 2 ? 50000000 - t0 : 5000);
          guint32 one = maker_random (stria_trace_get_n_lanes (trace));

          check_range (trace, NULL, 0, t0, t1);
          check_range (trace, &one, 1, t0, t1);
        }
    }
}

/* Enough slices that the work is shared between cores */
static void
test_large (void)
{
  g_autoptr (TraceMaker) maker = maker_new (8, 500);

  for (guint t = 0; t < 8; t++)
    {
      gint64 at = 0;

      for (guint i = 0; i < 60000; i++)
        {
          gint64 dur = maker_random (900);

          maker_slice (maker, t, at, dur, maker_random (500), 0);
          at += dur + maker_random (100);
        }
    }
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  gint64 start, end;
  g_assert_true (stria_trace_get_range (trace, &start, &end));
  check_range (trace, NULL, 0, start, end);
  check_range (trace, NULL, 0, start + (end - start) / 3, start + (end - start) / 2);
}

/* Blocks of rows are summed once and used again: nested slices over many of them, of few names and
 * of so many that no sums are kept, with ends that rounding clipped. */
static void
test_blocks (void)
{
  static const guint n_names[] = { 40, 30000 };

  for (guint k = 0; k < G_N_ELEMENTS (n_names); k++)
    {
      g_autoptr (TraceMaker) maker = maker_new (2, n_names[k]);
      const gint64 length = 4000000000;

      for (guint t = 0; t < 2; t++)
        for (gint64 at = 0; at < length; at += length / 64)
          maker_nested (maker, t, at, at + length / 64 - maker_random (1000), 6, 5, t == 0 ? 1 : 100);
      for (guint i = 0; i < 50000; i++)
        {
          const gint64 ts = i * (length / 50000);

          maker_slice (maker, 1, length + ts, length / 50000 + (i % 7 == 0 ? 1 : 0),
                       maker_random (n_names[k]), 0);
        }
      g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
      for (guint i = 0; i < 8; i++)
        {
          const gint64 t0 = i == 0 ? 0 : maker_random (length);
          const gint64 t1 = i < 2 ? 2 * length + 1000 : t0 + 1 + maker_random (length);

          check_range (trace, NULL, 0, t0, t1);
        }
    }
}

static void
test_cancelled (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  maker_nested (maker, 0, 0, 1000000, 5, 5, 1);
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  g_cancellable_cancel (cancellable);
  g_autoptr (StriaStats) stats = stria_stats_new (trace, NULL, 0, 0, 1000000, cancellable, &error);
  g_assert_null (stats);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_csv (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 10);
  g_autoptr (GError) error = NULL;
  guint lines = 0;

  maker_slice (maker, 0, 0, 100, 1, 0);
  maker_slice (maker, 0, 200, 100, 1, 0);
  maker_slice (maker, 0, 300, 50, 8, 0);
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  g_autoptr (StriaStats) stats = stria_stats_new (trace, NULL, 0, 0, 1000, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *csv = stria_stats_to_csv (stats, trace, FALSE);
  for (const char *p = csv; *p != '\0'; p++)
    lines += *p == '\n';
  g_assert_cmpuint (lines, ==, 3);
  g_assert_nonnull (strstr (csv, "\r\n"));
  g_assert_nonnull (strstr (csv, "aten::mm 1"));
  g_assert_nonnull (strstr (csv, ",200,"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stats/random", test_random);
  g_test_add_func ("/stats/large", test_large);
  g_test_add_func ("/stats/blocks", test_blocks);
  g_test_add_func ("/stats/cancelled", test_cancelled);
  g_test_add_func ("/stats/csv", test_csv);
  return g_test_run ();
}
