/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <math.h>

#include "stria-measure.h"

static void
test_percentile_is_linear (void)
{
  const double values[] = { 10, 20, 30, 40 };
  const double one[] = { 7 };

  /* Positions 0.3, 1.5 and 2.7 of 0..3 */
  g_assert_cmpfloat_with_epsilon (stria_measure_percentile (values, 4, 10), 13, 1e-12);
  g_assert_cmpfloat_with_epsilon (stria_measure_percentile (values, 4, 50), 25, 1e-12);
  g_assert_cmpfloat_with_epsilon (stria_measure_percentile (values, 4, 90), 37, 1e-12);
  g_assert_cmpfloat (stria_measure_percentile (values, 4, 0), ==, 10);
  g_assert_cmpfloat (stria_measure_percentile (values, 4, 100), ==, 40);
  g_assert_cmpfloat (stria_measure_percentile (one, 1, 90), ==, 7);
  g_assert_true (isnan (stria_measure_percentile (one, 0, 50)));
}

static void
test_summary (void)
{
  const double values[] = { 30, 10, 20, 40 };
  StriaSummary summary;

  g_assert_true (stria_measure_summarise (values, 4, &summary));
  g_assert_cmpuint (summary.count, ==, 4);
  g_assert_cmpfloat (summary.total, ==, 100);
  g_assert_cmpfloat (summary.mean, ==, 25);
  g_assert_cmpfloat (summary.min, ==, 10);
  g_assert_cmpfloat (summary.max, ==, 40);
  g_assert_cmpfloat (stria_summary_get (&summary, STRIA_AGGREGATION_COUNT), ==, 4);
  g_assert_cmpfloat (stria_summary_get (&summary, STRIA_AGGREGATION_P50), ==, 25);
  g_assert_false (stria_measure_summarise (values, 0, &summary));
}

/* The value is the same for each figure, whatever adding it up rounds. */
static void
test_summary_of_equal_values (void)
{
  const double values[] = { 0.1, 0.1, 0.1 };
  StriaSummary summary;

  g_assert_true (stria_measure_summarise (values, 3, &summary));
  g_assert_cmpfloat (summary.mean, ==, 0.1);
  g_assert_cmpfloat (summary.p10, ==, 0.1);
  g_assert_cmpfloat (summary.p90, ==, 0.1);
}

static void
test_units (void)
{
  g_assert_cmpfloat (stria_measure_scale (STRIA_TIME_NS, 1898821), ==, 1.898821);
  g_assert_cmpfloat (stria_measure_scale (STRIA_TIME_US, 1500), ==, 1.5);
  g_assert_cmpfloat (stria_measure_scale (STRIA_TIME_MS, 3), ==, 3);
  g_assert_cmpfloat (stria_measure_scale (STRIA_TIME_S, 3), ==, 3000);
  g_assert_cmpfloat (stria_measure_scale (STRIA_TIME_CYCLES, 6590000), ==, 6590000);
  g_assert_cmpstr (stria_measure_unit (STRIA_TIME_NS), ==, "ms");
  g_assert_cmpstr (stria_measure_unit (STRIA_TIME_S), ==, "ms");
  g_assert_cmpstr (stria_measure_unit (STRIA_TIME_CYCLES), ==, "cycles");
}

static void
test_what_may_be_added (void)
{
  for (guint i = 0; i < STRIA_N_AGGREGATIONS; i++)
    g_assert_cmpint (stria_measure_is_additive (i), ==,
                     i == STRIA_AGGREGATION_SUM || i == STRIA_AGGREGATION_COUNT);
}

/* Within an execution first: 10 + 5 and 20, not 10, 5 and 20. */
static void
test_execution_first (void)
{
  g_autoptr (StriaSeries) series = stria_series_new (3);
  StriaSummary summary;

  stria_series_add (series, 0, 10);
  stria_series_add (series, 0, 5);
  stria_series_add (series, 2, 20);
  g_assert_cmpuint (stria_series_coverage (series), ==, 2);
  g_assert_cmpint (stria_series_summarise (series, STRIA_TIME_CYCLES, &summary), ==,
                   STRIA_COMBINE_OK);
  g_assert_cmpuint (summary.count, ==, 2);
  g_assert_cmpfloat (summary.total, ==, 35);
  g_assert_cmpfloat (summary.mean, ==, 17.5);
  g_assert_cmpfloat (summary.min, ==, 15);
  g_assert_cmpfloat (summary.max, ==, 20);
}

/* Executions that come in another order, one of them in three parts */
static void
test_any_order (void)
{
  static const guint32 executions[] = { 5, 2, 5, 0, 2, 5 };
  g_autoptr (StriaSeries) series = stria_series_new (6);
  g_autoptr (StriaSeries) straight = stria_series_new (6);
  guint64 value = 0;

  for (guint i = 0; i < G_N_ELEMENTS (executions); i++)
    stria_series_add (series, executions[i], i + 1);
  g_assert_cmpuint (stria_series_coverage (series), ==, 3);
  g_assert_cmpuint (stria_series_repeats (series), ==, 3);
  g_assert_true (stria_series_get (series, 5, &value));
  g_assert_cmpuint (value, ==, 1 + 3 + 6);
  g_assert_true (stria_series_get (series, 2, &value));
  g_assert_cmpuint (value, ==, 2 + 5);
  g_assert_false (stria_series_get (series, 1, &value));
  g_assert_cmpuint (stria_series_nth (series, 0), ==, 4);
  stria_series_add (straight, 0, 1);
  stria_series_add (straight, 2, 1);
  stria_series_add (straight, 5, 1);
  g_assert_true (stria_series_same_coverage (series, straight));
  /* And more after it was asked */
  stria_series_add (series, 1, 9);
  g_assert_true (stria_series_get (series, 1, &value));
  g_assert_cmpuint (value, ==, 9);
  g_assert_false (stria_series_same_coverage (series, straight));
}

static void
test_zero_is_a_value (void)
{
  g_autoptr (StriaSeries) series = stria_series_new (2);
  StriaSummary summary;
  guint64 value = 1;

  g_assert_cmpint (stria_series_state (series), ==, STRIA_COMBINE_EMPTY);
  g_assert_false (stria_series_get (series, 1, &value));
  stria_series_add (series, 1, 0);
  g_assert_true (stria_series_get (series, 1, &value));
  g_assert_cmpuint (value, ==, 0);
  g_assert_cmpint (stria_series_summarise (series, STRIA_TIME_NS, &summary), ==, STRIA_COMBINE_OK);
  g_assert_cmpfloat (summary.mean, ==, 0);
  g_assert_cmpuint (summary.count, ==, 1);
}

static void
test_equal_coverage (void)
{
  g_autoptr (StriaSeries) a = stria_series_new (3);
  g_autoptr (StriaSeries) b = stria_series_new (3);
  g_autoptr (StriaSeries) sum = stria_series_new (3);
  StriaSeries *parts[] = { a, b };
  StriaSummary summary;

  stria_series_add (a, 0, 1);
  stria_series_add (a, 2, 2);
  stria_series_add (b, 0, 10);
  stria_series_add (b, 2, 20);
  g_assert_true (stria_series_same_coverage (a, b));
  g_assert_cmpint (stria_series_combine (sum, parts, 2), ==, STRIA_COMBINE_OK);
  g_assert_cmpint (stria_series_summarise (sum, STRIA_TIME_CYCLES, &summary), ==, STRIA_COMBINE_OK);
  g_assert_cmpfloat (summary.min, ==, 11);
  g_assert_cmpfloat (summary.max, ==, 22);
}

/* Two of three executions each, but not the same two. */
static void
test_other_coverage_is_refused (void)
{
  g_autoptr (StriaSeries) a = stria_series_new (3);
  g_autoptr (StriaSeries) b = stria_series_new (3);
  g_autoptr (StriaSeries) sum = stria_series_new (3);
  StriaSeries *parts[] = { a, b };
  g_autofree char *reason = NULL;

  stria_series_add (a, 0, 1);
  stria_series_add (a, 1, 2);
  stria_series_add (b, 1, 10);
  stria_series_add (b, 2, 20);
  g_assert_false (stria_series_same_coverage (a, b));
  g_assert_cmpint (stria_series_combine (sum, parts, 2), ==, STRIA_COMBINE_COVERAGE);
  g_assert_cmpuint (stria_series_coverage (sum), ==, 0);
  reason = stria_combine_reason (STRIA_COMBINE_COVERAGE);
  g_assert_nonnull (reason);
  g_assert_null (stria_combine_reason (STRIA_COMBINE_OK));
}

static void
test_overflow (void)
{
  g_autoptr (StriaSeries) one = stria_series_new (1);
  g_autoptr (StriaSeries) two = stria_series_new (2);
  g_autoptr (StriaSeries) sum = stria_series_new (1);
  StriaSeries *parts[] = { one };
  StriaSummary summary;

  stria_series_add (one, 0, G_MAXUINT64);
  g_assert_cmpint (stria_series_state (one), ==, STRIA_COMBINE_OK);
  stria_series_add (one, 0, 1);
  g_assert_cmpint (stria_series_state (one), ==, STRIA_COMBINE_OVERFLOW);
  g_assert_cmpint (stria_series_summarise (one, STRIA_TIME_CYCLES, &summary), ==,
                   STRIA_COMBINE_OVERFLOW);
  g_assert_cmpint (stria_series_combine (sum, parts, 1), ==, STRIA_COMBINE_OVERFLOW);
  /* Each execution fits, their total does not. */
  stria_series_add (two, 0, G_MAXUINT64);
  stria_series_add (two, 1, 1);
  g_assert_cmpint (stria_series_summarise (two, STRIA_TIME_CYCLES, &summary), ==,
                   STRIA_COMBINE_OVERFLOW);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/percentile", test_percentile_is_linear);
  g_test_add_func ("/measure/summary", test_summary);
  g_test_add_func ("/measure/equal-values", test_summary_of_equal_values);
  g_test_add_func ("/measure/units", test_units);
  g_test_add_func ("/measure/additive", test_what_may_be_added);
  g_test_add_func ("/measure/execution-first", test_execution_first);
  g_test_add_func ("/measure/any-order", test_any_order);
  g_test_add_func ("/measure/zero", test_zero_is_a_value);
  g_test_add_func ("/measure/equal-coverage", test_equal_coverage);
  g_test_add_func ("/measure/other-coverage", test_other_coverage_is_refused);
  g_test_add_func ("/measure/overflow", test_overflow);
  return g_test_run ();
}
