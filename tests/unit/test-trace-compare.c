/* SPDX-License-Identifier: Apache-2.0 */
/* Traces beside each other: how names are matched, and sums against loops over every slice. */
#include "config.h"

#include "stria-trace-compare.h"
#include "trace-maker.h"

static void
test_normalise (void)
{
  static const struct
  {
    const char *name;
    const char *expected;
  } cases[] = {
    { "", "" },
    { "aten::mm", "aten::mm" },
    { "ProfilerStep#12", "ProfilerStep##" },
    { "gemm_128x64_sm80", "gemm_#x#_sm#" },
    { "<lambda> at 0x7f00c0ffee", "<lambda> at #" },
    { "0xyz", "#xyz" },
    { "kernel<4, std::array<char*, 3ul>>(int)", "kernel<>(int)" },
    { "a<b>::c<d>", "a<>::c<>" },
    { "operator<", "operator<" },
    { "f<A->b>", "f<>" },
    { "f<g(4)", "f<g(#)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = stria_name_normalise (cases[i].name);

      g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

typedef struct
{
  StriaCapture *captures[STRIA_TRACE_COMPARE_MAX];
  TraceMaker   *makers[STRIA_TRACE_COMPARE_MAX];
  StriaTrace   *traces[STRIA_TRACE_COMPARE_MAX];
} Captures;

static void
captures_clear (Captures *self)
{
  for (guint i = 0; i < STRIA_TRACE_COMPARE_MAX; i++)
    {
      g_clear_pointer (&self->traces[i], stria_trace_unref);
      g_clear_pointer (&self->makers[i], maker_free);
    }
}

static void
add_random (Captures *self, guint number)
{
  TraceMaker *maker = maker_new (3, 40);

  for (guint t = 0; t < 3; t++)
    maker_nested (maker, t, 0, 1000000, 5, 4, 1 + t);
  self->makers[number] = maker;
  self->traces[number] = maker_finish (maker, TRUE);
  self->captures[number] = maker->capture;
}

typedef struct
{
  guint64 count;
  gint64  total;
} Naive;

/* As the maker has them */
static const char *const categories[] = { "cpu_op", "kernel", "python_function", "" };

static gint64
inside (const MakerSlice *slice, StriaTraceSpan span)
{
  return MIN (slice->ts + slice->dur, span.t1) - MAX (slice->ts, span.t0);
}

static gboolean
touches (const MakerSlice *slice, StriaTraceSpan span)
{
  if (slice->dur == 0)
    return slice->ts >= span.t0 && slice->ts <= span.t1;
  return slice->ts < span.t1 && slice->ts + slice->dur > span.t0;
}

/* Sums by text of category and name, over what was fed. */
static Naive
naive_sum (TraceMaker *maker, StriaTraceSpan span, const StriaTraceRow *row)
{
  Naive sum = { 0 };

  for (guint i = 0; i < maker->slices->len; i++)
    {
      const MakerSlice *slice = &g_array_index (maker->slices, MakerSlice, i);
      g_autofree char *name = maker_name (slice->name);
      g_autofree char *normalised = stria_name_normalise (name);

      if (!g_str_equal (categories[slice->category], row->category) || !touches (slice, span)
          || !g_str_equal (row->normalised ? normalised : name, row->name))
        continue;
      sum.count++;
      sum.total += inside (slice, span);
    }
  return sum;
}

static void
check_rows (Captures *all, guint n, const StriaTraceSpan *spans)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaTraceCompare) compare
      = stria_trace_compare_new (all->captures, n, spans, NULL, &error);
  guint64 counts[STRIA_TRACE_COMPARE_MAX] = { 0 };
  gint64 self_ns[STRIA_TRACE_COMPARE_MAX] = { 0 };
  gint64 outer_ns = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (compare->n, ==, n);
  for (guint r = 0; r < compare->rows->len; r++)
    {
      const StriaTraceRow *row = compare->rows->pdata[r];

      for (guint t = 0; t < n; t++)
        {
          const Naive sum = naive_sum (all->makers[t], compare->spans[t], row);

          /* Of a normalised name others may have been matched letter by letter. */
          if (!row->normalised)
            {
              g_assert_cmpuint (row->cells[t].count, ==, sum.count);
              g_assert_cmpint (row->cells[t].total_ns, ==, sum.total);
            }
          g_assert_cmpint (row->cells[t].self_ns, >=, 0);
          counts[t] += row->cells[t].count;
          self_ns[t] += row->cells[t].self_ns;
        }
    }
  for (guint t = 0; t < n; t++)
    {
      guint64 expected = 0;

      for (guint i = 0; i < all->makers[t]->slices->len; i++)
        expected += touches (&g_array_index (all->makers[t]->slices, MakerSlice, i),
                             compare->spans[t]);
      g_assert_cmpuint (counts[t], ==, expected);
      outer_ns = 0;
      /* Self times of all add up to what the outermost ones take. */
      for (guint32 l = 0; l < stria_trace_get_n_lanes (all->traces[t]); l++)
        {
          StriaLane *lane = stria_trace_get_lane (all->traces[t], l);
          const StriaColumns *c = stria_lane_get_columns (lane);

          for (guint64 i = 0; i < c->n; i++)
            if (c->parent[i] == G_MAXUINT32)
              outer_ns += MAX (0, MIN (c->start[i] + c->dur[i], compare->spans[t].t1)
                                      - MAX (c->start[i], compare->spans[t].t0));
        }
      g_assert_cmpint (self_ns[t], ==, outer_ns);
    }
}

static void
test_sums (void)
{
  Captures all = { 0 };
  const StriaTraceSpan spans[] = { { 1000, 500000 }, { 250000, 250001 }, { 0, 2000000 } };

  for (guint i = 0; i < 3; i++)
    add_random (&all, i);
  check_rows (&all, 3, NULL);
  check_rows (&all, 3, spans);
  check_rows (&all, 1, NULL);
  captures_clear (&all);
}

static void
test_differences (void)
{
  StriaTraceRow row = { .cells = { { 2, 100, 60, NULL }, { 0 }, { 4, 120, 50, NULL } } };
  double value;

  g_assert_cmpint (stria_trace_row_state (&row, 0, 1), ==, STRIA_ROW_GONE);
  g_assert_cmpint (stria_trace_row_state (&row, 1, 2), ==, STRIA_ROW_NEW);
  g_assert_cmpint (stria_trace_row_state (&row, 0, 2), ==, STRIA_ROW_BOTH);
  g_assert_true (stria_trace_row_difference (&row, 0, 2, STRIA_COMPARE_TOTAL, &value));
  g_assert_cmpfloat (value, ==, 20);
  g_assert_true (stria_trace_row_difference (&row, 0, 2, STRIA_COMPARE_MEAN, &value));
  g_assert_cmpfloat (value, ==, -20);
  g_assert_true (stria_trace_row_difference (&row, 0, 1, STRIA_COMPARE_SELF, &value));
  g_assert_cmpfloat (value, ==, -60);
  g_assert_false (stria_trace_row_difference (&row, 0, 1, STRIA_COMPARE_MEAN, &value));
  g_assert_true (stria_trace_row_worst (&row, 3, 0, STRIA_COMPARE_COUNT, &value));
  g_assert_cmpfloat (value, ==, 2);
}

static void
test_events (void)
{
  Captures all = { 0 };
  g_autoptr (StriaTraceCompare) compare = NULL;
  g_autoptr (GError) error = NULL;
  guint n_checked = 0;

  add_random (&all, 0);
  add_random (&all, 1);
  compare = stria_trace_compare_new (all.captures, 2, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint r = 0; r < compare->rows->len; r++)
    for (guint t = 0; t < 2; t++)
      {
        const StriaTraceRow *row = compare->rows->pdata[r];
        g_autoptr (GArray) events = stria_trace_compare_events (compare, row, t, NULL, &error);
        gint64 before = G_MININT64;

        g_assert_no_error (error);
        g_assert_cmpuint (events->len, ==, row->cells[t].count);
        for (guint i = 0; i < events->len; i++)
          {
            const StriaRef ref = g_array_index (events, StriaRef, i);
            const StriaColumns *c
                = stria_lane_get_columns (stria_trace_get_lane (compare->traces[t], ref.lane));

            g_assert_cmpint (c->start[ref.index], >=, before);
            before = c->start[ref.index];
            g_assert_true (stria_trace_compare_find (compare, t, c->category[ref.index],
                                                     c->name[ref.index])
                           == row);
            n_checked++;
          }
      }
  g_assert_cmpuint (n_checked, ==, all.makers[0]->slices->len + all.makers[1]->slices->len);
  captures_clear (&all);
}

static void
test_cancelled (void)
{
  Captures all = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  add_random (&all, 0);
  add_random (&all, 1);
  g_cancellable_cancel (cancellable);
  g_assert_null (stria_trace_compare_new (all.captures, 2, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  captures_clear (&all);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-compare/normalise", test_normalise);
  g_test_add_func ("/trace-compare/sums", test_sums);
  g_test_add_func ("/trace-compare/differences", test_differences);
  g_test_add_func ("/trace-compare/events", test_events);
  g_test_add_func ("/trace-compare/cancelled", test_cancelled);
  return g_test_run ();
}
