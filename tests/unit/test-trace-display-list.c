/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of what is drawn, against loops over every event: none is left out, none drawn twice,
 * none where it is not, and a dense pixel says exactly how busy it is. */
#include "config.h"

#include <math.h>

#include "stria-display-list.h"
#include "trace-maker.h"

/* Slices that go on beyond the view may be drawn so far over its edge, to hide their outline there. */
#define MARGIN 2

typedef struct
{
  StriaLane        *lane;
  StriaMatch   *match;
  gint64            t0;
  gint64            t1;
  gint32            width;
} View;

static gint64
x_of_time (const View *view, gint64 ns)
{
  return (gint64) floor (stria_time_to_x (ns, view->t0, view->t1, view->width));
}

/* Events of a row of which something, if only a moment, lies in the view */
static void
visible_events (const View *view, guint32 row, guint64 *first, guint64 *last)
{
  const StriaColumns *c = stria_lane_get_columns (view->lane);
  guint64 begin, end;

  stria_lane_get_row (view->lane, row, &begin, &end);
  *first = G_MAXUINT64;
  *last = 0;
  for (guint64 i = begin; i < end; i++)
    {
      gint64 drawn_end = c->dur ? stria_lane_drawn_end (view->lane, i) : c->start[i];

      if (c->start[i] >= view->t1 || (drawn_end <= view->t0 && c->start[i] < view->t0))
        continue;
      *first = MIN (*first, i);
      *last = MAX (*last, i + 1);
    }
  if (*first == G_MAXUINT64)
    *first = *last = begin;
}

/* Slices of a pixel or more are drawn whole, their edges snapped; only the narrow ones are told by
 * their share of the pixel. */
static gboolean
is_wide (const View *view, guint64 i)
{
  gint64 drawn = stria_lane_drawn_end (view->lane, i) - stria_lane_get_columns (view->lane)->start[i];

  return drawn >= (gint64) ceil ((double) (view->t1 - view->t0) / view->width);
}

static double
narrow_share (const View *view, guint32 row, gint32 x)
{
  const StriaColumns *c = stria_lane_get_columns (view->lane);
  double per_pixel = (double) (view->t1 - view->t0) / view->width;
  guint64 begin, end;
  double busy = 0;

  stria_lane_get_row (view->lane, row, &begin, &end);
  for (guint64 i = begin; i < end; i++)
    if (!is_wide (view, i))
      busy += MAX (0, MIN ((double) (stria_lane_drawn_end (view->lane, i) - view->t0), (x + 1) * per_pixel) -
                        MAX ((double) (c->start[i] - view->t0), x * per_pixel));
  return busy / per_pixel;
}

static void
check_record (const View *view, const StriaDrawRecord *record, guint64 first)
{
  const StriaColumns *c = stria_lane_get_columns (view->lane);
  guint64 last = first + record->count;
  gboolean any_match = view->match == NULL;
  guint64 row_begin, row_end;

  stria_lane_get_row (view->lane, record->row, &row_begin, &row_end);
  g_assert_cmpint (record->x0, >=, -MARGIN);
  g_assert_cmpint (record->x0, <, record->x1);
  g_assert_cmpint (record->x1, <=, view->width + MARGIN);
  g_assert_cmpuint (record->count, >=, 1);
  g_assert_cmpuint (record->event, >=, first);
  g_assert_cmpuint (record->event, <, last);
  g_assert_cmpuint (record->name, ==, c->name[record->event]);
  for (guint64 i = first; i < last; i++)
    {
      if (c->dur)
        g_assert_cmpint (c->dur[i], <=, c->dur[record->event]);
      if (view->match)
        any_match |= stria_match_event (view->match, view->lane, i);
      /* each event begins in its record, give or take the pixel that a neighbour may own */
      g_assert_cmpint (MAX (x_of_time (view, c->start[i]), 0), >=, record->x0 - 1);
      g_assert_cmpint (x_of_time (view, c->start[i]), <=, record->x1);
    }
  g_assert_cmpint (record->match != FALSE, ==, any_match);
  if (c->dur == NULL)
    return;
  if (record->count == 1)
    {
      double x0 = stria_time_to_x (c->start[first], view->t0, view->t1, view->width);
      double x1 = stria_time_to_x (stria_lane_drawn_end (view->lane, first), view->t0, view->t1,
                                   view->width);

      g_assert_cmpfloat (fabs (record->x0 - CLAMP (x0, -MARGIN, view->width + MARGIN)), <=, 1.0 + 1e-6);
      g_assert_cmpfloat (record->x1 - CLAMP (x1, -MARGIN, view->width + MARGIN), <=, 1.0 + 1e-6);
      if (record->x1 - record->x0 > 2)
        g_assert_cmpfloat (fabs (record->x1 - CLAMP (x1, -MARGIN, view->width + MARGIN)), <=, 1.0 + 1e-6);
    }
}

static void
check_busy (const View *view, const StriaDrawRecord *record, guint64 first, guint64 last)
{
  gboolean wide = FALSE;

  for (guint64 i = first; i < last; i++)
    wide |= is_wide (view, i);
  if (wide)
    {
      g_assert_cmpuint (record->busy, ==, 255);
      return;
    }
  for (gint32 x = record->x0; x < record->x1; x++)
    g_assert_cmpfloat (fabs (record->busy - MAX (1, 255 * narrow_share (view, record->row, x))), <=,
                       1.0);
}

/* A narrow slice that reaches over a pixel's edge may come again, for the rest of it. */
static gboolean
is_rest (const View *view, const StriaDrawRecord *record, guint64 first)
{
  return record->count == 1 && first > 0 && record->event == first - 1 &&
         !is_wide (view, record->event);
}

static void
check_view (const View *view)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (StriaDrawRecord));
  guint32 n_rows = stria_lane_get_n_rows (view->lane);
  guint32 row0 = maker_random (n_rows);
  guint32 row1 = row0 + 1 + maker_random (n_rows - row0);
  guint k = 0;

  stria_display_list_slices (view->lane, row0, row1, view->t0, view->t1, view->width, view->match,
                             records);
  for (guint32 row = row0; row < row1; row++)
    {
      guint64 first, last;
      gint32 x = -MARGIN;

      visible_events (view, row, &first, &last);
      for (; k < records->len; k++)
        {
          const StriaDrawRecord *record = &g_array_index (records, StriaDrawRecord, k);

          if (record->row != row)
            break;
          g_assert_cmpint (record->x0, >=, x);
          x = record->x1;
          if (is_rest (view, record, first))
            {
              check_busy (view, record, first, first);
              continue;
            }
          g_assert_cmpuint (first + record->count, <=, last);
          check_record (view, record, first);
          if (stria_lane_get_columns (view->lane)->dur)
            check_busy (view, record, first, first + record->count);
          first += record->count;
        }
      g_assert_cmpuint (first, ==, last);
    }
  g_assert_cmpuint (k, ==, records->len);
}

static void
check_trace (StriaTrace *trace, guint rounds)
{
  g_autoptr (StriaMatch) match = stria_match_new_names (trace, "aten");

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      gint64 start, end;

      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER || !stria_lane_get_range (lane, &start, &end))
        continue;
      for (guint i = 0; i < rounds; i++)
        {
          gint64 length = 100 + maker_random (i % 3 == 0 ? 5000 : end - start + 1000);
          View view = {
            .lane = lane,
            .match = i % 2 ? match : NULL,
            .t0 = start - 500 + maker_random (end - start + 500),
            .width = 1 + maker_random (i % 5 == 0 ? 4 : 2000),
          };

          if (i == 0)
            {
              view.t0 = start;
              length = end - start + 1;
            }
          view.t1 = view.t0 + length;
          check_view (&view);
        }
    }
}

static void
test_nested (void)
{
  for (guint round = 0; round < 6; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (1, 40);

      maker_nested (maker, 0, 0, 100000000, 6, 7, round % 2 ? 1 : 1000);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      check_trace (trace, 60);
    }
}

static void
test_chaos (void)
{
  for (guint round = 0; round < 4; round++)
    {
      g_autoptr (TraceMaker) maker = maker_new (1, 40);

      maker_chaos (maker, 0, 0, 1000000, 1500, round % 2 ? 2500 : 40000);
      g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
      check_trace (trace, 60);
    }
}

/* Absolute times of real traces: doubles have steps of 256 ns there, integers none. */
static void
test_far_from_zero (void)
{
  gint64 base = G_GINT64_CONSTANT (1712160000000000123);
  g_autoptr (TraceMaker) maker = maker_new (1, 40);

  maker_nested (maker, 0, base, base + 1000000, 5, 6, 1);
  g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
  check_trace (trace, 80);
}

static void
test_dense (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 40);
  gint64 t = 0;

  for (guint i = 0; i < 60000; i++)
    {
      gint64 dur = maker_random (i % 500 == 0 ? 40000 : 60);

      maker_slice (maker, 0, t, dur, i % 40, 0);
      t += dur + maker_random (i % 3000 == 0 ? 100000 : 40);
    }
  g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
  check_trace (trace, 40);
}

static void
test_instants (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 40);

  for (guint i = 0; i < 3000; i++)
    maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_INSTANT,
                                       .ts_ns = maker_random (1000000),
                                       .name = i % 40 });
  g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
  check_trace (trace, 60);
}

/* Counters: a sample holds until the next one. */
static void
check_counter (StriaLane *lane, gint64 t0, gint64 t1, gint32 width)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  g_autofree StriaCounterColumn *columns = g_new0 (StriaCounterColumn, width);

  stria_display_list_counter (lane, t0, t1, width, columns);
  for (gint32 x = 0; x < width; x++)
    {
      double from = t0 + x * (double) (t1 - t0) / width;
      double to = t0 + (x + 1) * (double) (t1 - t0) / width;
      double min = INFINITY, max = -INFINITY, sum = 0, covered = 0, last = 0;

      for (guint64 i = 0; i < c->n; i++)
        {
          double a = c->start[i];
          double b = i + 1 < c->n ? (double) c->start[i + 1] : INFINITY;
          double part = MIN (b, to) - MAX (a, from);

          if (a < to)
            last = c->value[i];
          if (part <= 0 && !(a >= from && a < to))
            continue;
          min = MIN (min, c->value[i]);
          max = MAX (max, c->value[i]);
          if (part > 0)
            {
              sum += part * c->value[i];
              covered += part;
            }
        }
      g_assert_cmpint (columns[x].valid != FALSE, ==, max != -INFINITY);
      if (!columns[x].valid)
        continue;
      g_assert_cmpfloat (columns[x].min, ==, min);
      g_assert_cmpfloat (columns[x].max, ==, max);
      g_assert_cmpfloat (columns[x].last, ==, last);
      if (covered > 0)
        g_assert_cmpfloat_with_epsilon (columns[x].mean, sum / covered, 1e-3);
    }
}

static void
test_counters (void)
{
  g_autoptr (TraceMaker) maker = maker_new (1, 4);
  gint64 start, end;

  for (guint i = 0; i < 2000; i++)
    maker_event (maker, (StriaEvent) { .kind = STRIA_EVENT_COUNTER,
                                       .ts_ns = maker_random (100000) * 2 + 1,
                                       .value = (double) maker_random (1000) / 8,
                                       .name = 1 });
  g_autoptr (StriaTrace) trace = maker_finish (maker, TRUE);
  StriaLane *lane = stria_trace_get_lane (trace, 0);
  g_assert_cmpint (stria_lane_get_kind (lane), ==, STRIA_LANE_COUNTER);
  g_assert_true (stria_lane_get_range (lane, &start, &end));
  /* widths that divide the range, so that pixel edges are whole nanoseconds for both sides */
  check_counter (lane, 0, 200000, 1000);
  check_counter (lane, -20000, 220000, 120);
  check_counter (lane, 100000, 102000, 500);
  check_counter (lane, 100000, 100100, 100);
  check_counter (lane, -1000, 0, 10);
  check_counter (lane, 300000, 400000, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display-list/nested", test_nested);
  g_test_add_func ("/display-list/chaos", test_chaos);
  g_test_add_func ("/display-list/far-from-zero", test_far_from_zero);
  g_test_add_func ("/display-list/dense", test_dense);
  g_test_add_func ("/display-list/instants", test_instants);
  g_test_add_func ("/display-list/counters", test_counters);
  return g_test_run ();
}
