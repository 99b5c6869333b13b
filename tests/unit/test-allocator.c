/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator's answers against those of a look at every event and every element. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "alloc-maker.h"

static void
test_elements (void)
{
  for (guint i = 0; i < ALLOC_CASES; i++)
    {
      g_autoptr (AllocMaker) made = alloc_maker_case (i);

      g_assert_cmpuint (stria_allocator_get_n_elements (made->allocator), ==, made->lives->len);
      for (guint32 n = 0; n < made->lives->len; n++)
        {
          const StriaElement *expected = &alloc_maker_life (made, n)->e;
          StriaElement        e;

          stria_allocator_get_element (made->allocator, n, &e);
          g_assert_cmpuint (e.address, ==, expected->address);
          g_assert_cmpuint (e.size, ==, expected->size);
          g_assert_cmpuint (e.rounded, ==, expected->rounded);
          g_assert_cmpuint (e.birth, ==, expected->birth);
          g_assert_cmpuint (e.request, ==, expected->request);
          g_assert_cmpuint (e.death, ==, expected->death);
          g_assert_cmpuint (e.flags, ==, expected->flags);
          g_assert_cmpuint (e.stack, ==, expected->stack);
          g_assert_true (alloc_maker_life (made, n)->initial
                         == (n < stria_allocator_get_n_initial (made->allocator)));
          if (e.birth != STRIA_NO_EVENT)
            g_assert_cmpuint (stria_allocator_event_element (made->allocator, e.birth), ==, n);
          if (e.flags & STRIA_ELEMENT_UNMATCHED)
            g_assert_cmpuint (stria_allocator_event_element (made->allocator, e.death), ==, n);
        }
    }
}

static void
check_live (const AllocMaker *made, guint32 step)
{
  g_autoptr (GArray) live = stria_allocator_live (made->allocator, step);
  StriaAllocTotals   totals;
  guint64            offset = 0;
  guint64            pending = 0;
  guint              n = 0;

  stria_allocator_totals (made->allocator, step, &totals);
  for (guint32 e = 0; e < made->lives->len; e++)
    {
      const AllocLife *life = alloc_maker_life (made, e);

      if (!alloc_life_is_live (life, step))
        continue;
      g_assert_cmpuint (n, <, live->len);
      g_assert_cmpuint (g_array_index (live, guint32, n), ==, e);
      g_assert_cmpuint (stria_allocator_offset (made->allocator, e, step), ==, offset);
      g_assert_cmpuint (stria_allocator_element_at (made->allocator, step, offset), ==, e);
      g_assert_cmpuint (
          stria_allocator_element_at (made->allocator, step, offset + life->e.size - 1), ==, e);
      offset += life->e.size;
      if (life->e.request != STRIA_NO_EVENT && life->e.request < step)
        pending += life->e.size;
      n++;
    }
  g_assert_cmpuint (live->len, ==, n);
  g_assert_cmpuint (totals.n_live, ==, n);
  g_assert_cmpuint (totals.allocated, ==, offset);
  g_assert_cmpuint (totals.pending, ==, pending);
  g_assert_cmpuint (stria_allocator_element_at (made->allocator, step, offset), ==,
                    STRIA_NO_ELEMENT);
}

static void
test_state (void)
{
  for (guint i = 0; i < ALLOC_CASES; i++)
    {
      g_autoptr (AllocMaker) made = alloc_maker_case (i);

      check_live (made, 0);
      check_live (made, made->n_events);
      for (guint k = 0; k < 60; k++)
        check_live (made, alloc_maker_step (made));
    }
}

static void
test_peak (void)
{
  for (guint i = 0; i < ALLOC_CASES; i++)
    {
      g_autoptr (AllocMaker) made = alloc_maker_case (i);

      for (guint k = 0; k < 20; k++)
        {
          guint32 a = alloc_maker_step (made);
          guint32 b = alloc_maker_step (made);
          guint32 best = MIN (a, b);
          guint64 most = alloc_maker_bytes (made, best);

          for (guint32 step = MIN (a, b); step <= MAX (a, b); step++)
            if (alloc_maker_bytes (made, step) > most)
              {
                best = step;
                most = alloc_maker_bytes (made, step);
              }
          g_assert_cmpuint (stria_allocator_peak (made->allocator, MIN (a, b), MAX (a, b)), ==,
                            best);
        }
    }
}

/* -- the map ---------------------------------------------------------------------------------- */

static void
check_map (const AllocMaker *made, guint32 step)
{
  g_autoptr (GError)   error = NULL;
  g_autoptr (StriaMap) map = stria_allocator_map (made->allocator, step, NULL, &error);
  guint64              sums[4] = { 0 };
  guint64              inside = 0;
  guint64              largest = 0;
  guint                outside = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (map->segments->len, ==, made->segments->len);
  for (guint s = 0; s < map->segments->len; s++)
    {
      const StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, s);
      guint64                at = segment->address;

      for (guint r = segment->first; r < segment->first + segment->n; r++)
        {
          const StriaMapRange *range = &g_array_index (map->ranges, StriaMapRange, r);

          g_assert_cmpuint (range->address, ==, at);
          g_assert_cmpuint (range->size, >, 0);
          at += range->size;
          sums[range->state] += range->size;
          if (range->state == STRIA_RANGE_FREE)
            largest = MAX (largest, range->size);
          else
            {
              g_assert_cmpuint (range->element, <, made->lives->len);
              g_assert_true (alloc_life_is_live (alloc_maker_life (made, range->element), step));
            }
        }
      g_assert_cmpuint (at, ==, segment->address + segment->size);
    }
  for (guint32 e = 0; e < made->lives->len; e++)
    {
      const AllocLife *life = alloc_maker_life (made, e);
      gboolean         found = FALSE;

      if (!alloc_life_is_live (life, step))
        continue;
      for (guint s = 0; s < made->segments->len; s++)
        {
          const StriaAllocSegment *segment = &g_array_index (made->segments, StriaAllocSegment, s);

          found |= life->e.address >= segment->address
                   && life->e.address < segment->address + segment->total_size;
        }
      if (found)
        inside += life->e.size;
      else
        outside++;
    }
  g_assert_cmpuint (map->allocated, ==, sums[STRIA_RANGE_ALLOCATED] + sums[STRIA_RANGE_PENDING]);
  g_assert_cmpuint (map->rounding, ==, sums[STRIA_RANGE_ROUNDING]);
  g_assert_cmpuint (map->free_bytes, ==, sums[STRIA_RANGE_FREE]);
  g_assert_cmpuint (map->largest_free, ==, largest);
  g_assert_cmpuint (map->reserved, ==, map->allocated + map->rounding + map->free_bytes);
  g_assert_cmpuint (map->n_outside, ==, outside);
  /* Two that share a slot lie one in the other: only where each ends before the next begins. */
  g_assert_cmpuint (map->allocated, <=, inside);
  g_assert_true (map->has_rounding == (step == made->n_events));
  g_assert_true (map->external >= 0 && map->external <= 1);
  g_assert_true (map->scattered >= 0 && map->scattered <= 1);
}

static void
test_map (void)
{
  for (guint i = 0; i < ALLOC_CASES; i++)
    {
      g_autoptr (AllocMaker) made = alloc_maker_case (i);

      check_map (made, 0);
      check_map (made, made->n_events);
      for (guint k = 0; k < 30; k++)
        check_map (made, alloc_maker_step (made));
    }
}

/* Mapped and unmapped by hand: what is mapped at each step, byte for byte. */
static void
test_expandable (void)
{
  const guint64   page = ALLOC_SLOT;
  StriaAllocEvent events[60];
  guint8          mapped[61][ALLOC_SLOTS] = { { 0 } };

  for (guint k = 0; k < ALLOC_CASES; k++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (events); i++)
        {
          guint first = (guint) g_test_rand_int_range (0, ALLOC_SLOTS);
          guint n = (guint) g_test_rand_int_range (1, 6);
          gboolean map = g_test_rand_bit ();

          n = MIN (n, ALLOC_SLOTS - first);
          memcpy (mapped[i + 1], mapped[i], sizeof mapped[i]);
          /* Only what is whole can change. */
          for (guint p = first; p < first + n; p++)
            if (mapped[i][p] == map)
              {
                n = p - first;
                break;
              }
          events[i] = (StriaAllocEvent){
            .action = n == 0 ? STRIA_ALLOC_SNAPSHOT
                             : map ? STRIA_ALLOC_SEGMENT_MAP : STRIA_ALLOC_SEGMENT_UNMAP,
            .address = ALLOC_BASE + first * page,
            .size = n * page,
            .pool = STRIA_NO_POOL,
            .time_us = STRIA_NO_TIME,
            .stack = STRIA_NO_STACK,
          };
          memset (mapped[i + 1] + first, map, n);
        }
      g_autoptr (AllocMaker) made
          = alloc_maker_feed (events, G_N_ELEMENTS (events), NULL, 0, NULL, 0);

      for (guint32 step = 0; step <= G_N_ELEMENTS (events); step++)
        {
          g_autoptr (StriaMap) map = stria_allocator_map (made->allocator, step, NULL, NULL);
          guint8               found[ALLOC_SLOTS] = { 0 };

          for (guint s = 0; s < map->segments->len; s++)
            {
              const StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, s);
              guint64 first = (segment->address - ALLOC_BASE) / page;

              g_assert_true (segment->is_expandable);
              /* Neighbours are one segment. */
              g_assert_true (first == 0 || !found[first - 1]);
              for (guint64 p = 0; p < segment->size / page; p++)
                found[first + p]++;
            }
          g_assert_cmpmem (found, sizeof found, mapped[step], sizeof found);
        }
    }
}

/* -- the plot --------------------------------------------------------------------------------- */

/* Checks the runs of a column against each element at its height. */
static void
check_column (const AllocMaker *made, const StriaPlotColumn *column, const StriaPlotWalk *walk,
              guint64 bytes0, guint64 bytes1, guint height)
{
  double  scale = height / (double) (bytes1 - bytes0);
  guint64 offset = 0;
  guint64 most = 0;
  guint   run = 0;
  guint   count = 0;

  for (guint32 e = 0; e < made->lives->len; e++)
    {
      const AllocLife *life = alloc_maker_life (made, e);
      guint64          from = MAX (offset, bytes0);
      guint64          to;

      if (!alloc_life_is_live (life, column->step))
        continue;
      to = MIN (offset + life->e.size, bytes1);
      offset += life->e.size;
      if (from >= to)
        continue;
      g_assert_cmpuint (run, <, walk->n);
      const StriaPlotRun *r = &walk->runs[run];

      /* The element lies in the run that is next. */
      g_assert_cmpfloat ((double) (from - bytes0) * scale, >=, r->y0 - 0.01);
      g_assert_cmpfloat ((double) (to - bytes0) * scale, <=, r->y1 + 0.01);
      if (count == 0)
        g_assert_cmpfloat (fabs ((double) (from - bytes0) * scale - r->y0), <, 0.01);
      most = MAX (most, life->e.size);
      if (r->count == 1)
        g_assert_cmpuint (r->element, ==, e);
      else
        g_assert_cmpfloat ((double) life->e.size * scale, <, 1.001);
      if (++count == r->count)
        {
          g_assert_cmpfloat (fabs ((double) (to - bytes0) * scale - r->y1), <, 0.01);
          g_assert_cmpuint (alloc_maker_life (made, r->element)->e.size, ==, most);
          run++;
          count = 0;
          most = 0;
        }
    }
  g_assert_cmpuint (count, ==, 0);
  g_assert_cmpuint (run, ==, walk->n);
}

static void
check_plot (const AllocMaker *made, gint64 x0, gint64 x1, guint width, guint64 bytes0,
            guint64 bytes1, guint height)
{
  g_autoptr (GError)    error = NULL;
  g_autoptr (StriaPlot) plot
      = stria_allocator_plot (made->allocator, STRIA_PLOT_BLOCKS, FALSE, x0, x1, width, bytes0,
                              bytes1, height, NULL, &error);

  g_assert_no_error (error);
  StriaPlotWalk walk = STRIA_PLOT_WALK_INIT (plot);

  g_assert_cmpuint (plot->n_columns, ==, width);
  for (guint x = 0; x < width; x++)
    {
      const StriaPlotColumn *column = &plot->columns[x];
      gint64 first = CLAMP (x0 + (gint64) floor ((double) x * (double) (x1 - x0) / width), 0,
                            (gint64) made->n_events);
      gint64 last = CLAMP (x0 + (gint64) ceil ((double) (x + 1) * (double) (x1 - x0) / width) - 1,
                           first, (gint64) made->n_events);
      guint64 most = 0;

      for (gint64 step = first; step <= last; step++)
        {
          StriaAllocTotals totals;

          stria_allocator_totals (made->allocator, (guint32) step, &totals);
          most = MAX (most, totals.allocated);
        }
      g_assert_cmpint (column->step, >=, first);
      g_assert_cmpint (column->step, <=, last);
      g_assert_cmpuint (column->allocated, ==, most);
      g_assert_cmpuint (
          stria_plot_step_at (made->allocator, FALSE, x0, x1, width, (double) x + 0.5), ==,
          column->step);
      g_assert_true (stria_plot_walk_next (&walk));
      g_assert_cmpuint (walk.n, ==, column->n);
      g_assert_cmpuint (walk.same, <=, walk.n);
      check_column (made, column, &walk, bytes0, bytes1, height);
    }
  g_assert_false (stria_plot_walk_next (&walk));
  stria_plot_walk_clear (&walk);
}

static void
test_plot (void)
{
  for (guint i = 0; i < ALLOC_CASES; i++)
    {
      g_autoptr (AllocMaker) made = alloc_maker_case (i);
      guint64                top = 1;

      for (guint32 step = 0; step <= made->n_events; step += 7)
        top = MAX (top, alloc_maker_bytes (made, step));
      check_plot (made, 0, made->n_events + 1, 100, 0, top, 60);
      check_plot (made, 0, made->n_events + 1, 300, 0, top, 2000);
      for (guint k = 0; k < 6; k++)
        {
          gint64  a = alloc_maker_step (made);
          gint64  b = alloc_maker_step (made) + 1;
          guint64 low = (guint64) g_test_rand_double_range (0, (double) top);

          check_plot (made, MIN (a, b) - 3, MAX (a, b) + 5, (guint) g_test_rand_int_range (1, 200),
                      low, low + 1 + (guint64) g_test_rand_double_range (0, (double) top),
                      (guint) g_test_rand_int_range (1, 400));
        }
    }
}

/* Sizes whose sum no number holds are taken out, and the picture stays within its bounds. */
static void
test_huge (void)
{
  StriaAllocEvent events[400];

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    events[i] = (StriaAllocEvent){
      .action = STRIA_ALLOC_ALLOC,
      .address = ALLOC_BASE + i,
      .size = i % 3 == 0 ? 60 : i % 3 == 1 ? G_MAXUINT64 - 50 : G_MAXINT64,
      .pool = STRIA_NO_POOL,
      .time_us = STRIA_NO_TIME,
      .stack = STRIA_NO_STACK,
    };
  g_autoptr (AllocMaker) made = alloc_maker_feed (events, G_N_ELEMENTS (events), NULL, 0, NULL, 0);
  g_autoptr (StriaPlot)  plot
      = stria_allocator_plot (made->allocator, STRIA_PLOT_BLOCKS, FALSE, 0, 400, 400, 0, 100, 200,
                              NULL, NULL);
  StriaAllocTotals before = { 0 };

  g_assert_cmpuint (plot->runs->len, <, 400 * 410);
  for (guint32 step = 0; step <= G_N_ELEMENTS (events); step++)
    {
      StriaAllocTotals totals;

      stria_allocator_totals (made->allocator, step, &totals);
      g_assert_cmpuint (totals.allocated, >=, before.allocated);
      g_assert_cmpuint (totals.allocated, <=, G_MAXINT64);
      before = totals;
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/allocator/elements", test_elements);
  g_test_add_func ("/allocator/state", test_state);
  g_test_add_func ("/allocator/peak", test_peak);
  g_test_add_func ("/allocator/map", test_map);
  g_test_add_func ("/allocator/expandable", test_expandable);
  g_test_add_func ("/allocator/plot", test_plot);
  g_test_add_func ("/allocator/huge", test_huge);
  return g_test_run ();
}
