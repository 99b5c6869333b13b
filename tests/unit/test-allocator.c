/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator's answers against those of a look at every event and every element. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "alloc-maker.h"

#define CASES 12

static AllocMaker *
random_case (guint i)
{
  static const guint sizes[] = { 1, 3, 40, 300, 700, 1500, 3000 };
  static const guint wild[] = { 0, 10, 60 };

  return alloc_maker_new (sizes[i % G_N_ELEMENTS (sizes)], wild[i % G_N_ELEMENTS (wild)], i % 2 == 0);
}

static const AllocLife *
life_of (const AllocMaker *made, guint32 element)
{
  return &g_array_index (made->lives, AllocLife, element);
}

static guint64
bytes_at (const AllocMaker *made, guint32 step)
{
  guint64 bytes = 0;

  for (guint32 e = 0; e < made->lives->len; e++)
    bytes += alloc_life_is_live (life_of (made, e), step) ? life_of (made, e)->e.size : 0;
  return bytes;
}

static guint32
some_step (const AllocMaker *made)
{
  return (guint32) g_test_rand_int_range (0, (gint) made->n_events + 1);
}

static void
test_elements (void)
{
  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (AllocMaker) made = random_case (i);

      g_assert_cmpuint (stria_allocator_get_n_elements (made->allocator), ==, made->lives->len);
      for (guint32 n = 0; n < made->lives->len; n++)
        {
          const StriaElement *expected = &life_of (made, n)->e;
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
          g_assert_true (life_of (made, n)->initial
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
      const AllocLife *life = life_of (made, e);

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
  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (AllocMaker) made = random_case (i);

      check_live (made, 0);
      check_live (made, made->n_events);
      for (guint k = 0; k < 60; k++)
        check_live (made, some_step (made));
    }
}

static void
test_peak (void)
{
  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (AllocMaker) made = random_case (i);

      for (guint k = 0; k < 20; k++)
        {
          guint32 a = some_step (made);
          guint32 b = some_step (made);
          guint32 best = MIN (a, b);
          guint64 most = bytes_at (made, best);

          for (guint32 step = MIN (a, b); step <= MAX (a, b); step++)
            if (bytes_at (made, step) > most)
              {
                best = step;
                most = bytes_at (made, step);
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
              g_assert_true (alloc_life_is_live (life_of (made, range->element), step));
            }
        }
      g_assert_cmpuint (at, ==, segment->address + segment->size);
    }
  for (guint32 e = 0; e < made->lives->len; e++)
    {
      const AllocLife *life = life_of (made, e);
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
  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (AllocMaker) made = random_case (i);

      check_map (made, 0);
      check_map (made, made->n_events);
      for (guint k = 0; k < 30; k++)
        check_map (made, some_step (made));
    }
}

/* Mapped and unmapped by hand: what is mapped at each step, byte for byte. */
static void
test_expandable (void)
{
  const guint64   page = ALLOC_SLOT;
  StriaAllocEvent events[60];
  guint8          mapped[61][ALLOC_SLOTS] = { { 0 } };

  for (guint k = 0; k < CASES; k++)
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
      const AllocLife *life = life_of (made, e);
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
          g_assert_cmpuint (life_of (made, r->element)->e.size, ==, most);
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
  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (AllocMaker) made = random_case (i);
      guint64                top = 1;

      for (guint32 step = 0; step <= made->n_events; step += 7)
        top = MAX (top, bytes_at (made, step));
      check_plot (made, 0, made->n_events + 1, 100, 0, top, 60);
      check_plot (made, 0, made->n_events + 1, 300, 0, top, 2000);
      for (guint k = 0; k < 6; k++)
        {
          gint64  a = some_step (made);
          gint64  b = some_step (made) + 1;
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

/* -- who holds it ----------------------------------------------------------------------------- */

static void
check_groups (const AllocMaker *made, guint32 step, guint32 base)
{
  for (guint by = STRIA_GROUP_STACK; by <= STRIA_GROUP_LIFETIME; by++)
    {
      g_autoptr (GArray) rows = stria_allocator_group (made->allocator, by, step, base, NULL, NULL);
      guint64            sums[4] = { 0 };
      gint64             growth = 0;
      guint64            count = 0;
      guint64            total = 0;

      for (guint i = 0; i < rows->len; i++)
        {
          const StriaAllocGroupRow *row = &g_array_index (rows, StriaAllocGroupRow, i);

          sums[0] += row->live_bytes;
          sums[1] += row->live_count;
          sums[2] += row->total_bytes;
          sums[3] += row->total_count;
          growth += row->growth_bytes;
          if (i > 0)
            g_assert_cmpuint (g_array_index (rows, StriaAllocGroupRow, i - 1).live_bytes, >=,
                              row->live_bytes);
        }
      for (guint32 e = 0; e < made->lives->len; e++)
        {
          const AllocLife *life = life_of (made, e);

          count += alloc_life_is_live (life, step);
          total += life->initial ? 0 : life->e.size;
        }
      g_assert_cmpuint (sums[0], ==, bytes_at (made, step));
      g_assert_cmpuint (sums[1], ==, count);
      g_assert_cmpuint (sums[2], ==, total);
      g_assert_cmpint (growth, ==, (gint64) (bytes_at (made, step) - bytes_at (made, base)));
    }
}

static void
check_stack_group (const AllocMaker *made, guint32 step)
{
  g_autoptr (GArray) rows
      = stria_allocator_group (made->allocator, STRIA_GROUP_STACK, step, step, NULL, NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const StriaAllocGroupRow *row = &g_array_index (rows, StriaAllocGroupRow, i);
      guint64                   bytes = 0;
      double                    life_sum = 0;
      guint                     n = 0;

      for (guint32 e = 0; e < made->lives->len; e++)
        {
          const AllocLife *life = life_of (made, e);

          if (life->e.stack != row->key)
            continue;
          bytes += alloc_life_is_live (life, step) ? life->e.size : 0;
          if (!life->initial && life->e.death != STRIA_NO_EVENT)
            {
              life_sum += life->e.death - life->e.birth;
              n++;
            }
        }
      g_assert_cmpuint (row->live_bytes, ==, bytes);
      g_assert_cmpfloat (fabs (row->mean_life - (n > 0 ? life_sum / n : -1)), <, 1e-6);
    }
}

static void
check_flame (const AllocMaker *made, guint32 step, guint32 base)
{
  g_autoptr (GArray)    nodes = stria_allocator_flame (made->allocator, step, base, FALSE, NULL, NULL);
  const StriaFlameNode *root = &g_array_index (nodes, StriaFlameNode, 0);
  guint64               self_bytes = 0;

  g_assert_cmpuint (root->bytes, ==, bytes_at (made, step));
  g_assert_cmpint (root->growth, ==, (gint64) (bytes_at (made, step) - bytes_at (made, base)));
  for (guint i = 0; i < nodes->len; i++)
    {
      const StriaFlameNode *node = &g_array_index (nodes, StriaFlameNode, i);
      guint64               below = 0;

      self_bytes += node->self_bytes;
      for (guint c = node->first_child; c < node->first_child + node->n_children; c++)
        {
          const StriaFlameNode *child = &g_array_index (nodes, StriaFlameNode, c);

          g_assert_cmpuint (child->parent, ==, i);
          g_assert_cmpuint (child->depth, ==, node->depth + 1);
          below += child->bytes;
        }
      g_assert_cmpuint (node->bytes, ==, below + node->self_bytes);
    }
  g_assert_cmpuint (self_bytes, ==, root->bytes);
}

static void
test_groups (void)
{
  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (AllocMaker) made = random_case (i);

      for (guint k = 0; k < 8; k++)
        {
          guint32 step = some_step (made);
          guint32 base = some_step (made);

          check_groups (made, step, base);
          check_stack_group (made, step);
          check_flame (made, step, base);
        }
    }
}

static gboolean
stack_contains (const AllocMaker *made, guint32 stack, const char *text)
{
  guint32        n;
  const guint32 *frames = stria_snapshot_get_stack (made->data, stack, &n);
  gboolean       found = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *line = stria_snapshot_frame_text (made->data, frames[i]);

      found |= strstr (line, text) != NULL;
    }
  return found;
}

static void
test_filter (void)
{
  g_autoptr (AllocMaker) made = alloc_maker_new (1000, 20, TRUE);
  StriaAllocFilter       filters[] = {
    { .max_size = G_MAXUINT64 },
    { .max_size = G_MAXUINT64, .actions = 1 << STRIA_ALLOC_ALLOC },
    { .max_size = G_MAXUINT64,
      .actions = 1 << STRIA_ALLOC_FREE_COMPLETED | 1 << STRIA_ALLOC_ANNOTATE },
    { .min_size = 500, .max_size = 2000 },
    { .max_size = G_MAXUINT64, .address = ALLOC_BASE + 5 * ALLOC_SLOT },
    { .max_size = G_MAXUINT64, .address = ALLOC_BASE + 5 * ALLOC_SLOT + 900 },
    { .max_size = G_MAXUINT64, .text = "FUNCTION_3" },
    { .max_size = G_MAXUINT64, .text = "gradient" },
    { .max_size = G_MAXUINT64, .text = "nowhere" },
    { .max_size = G_MAXUINT64, .has_stream = TRUE, .stream = 0 },
    { .max_size = G_MAXUINT64, .has_stream = TRUE, .stream = 7 },
  };

  for (guint f = 0; f < G_N_ELEMENTS (filters); f++)
    {
      const StriaAllocFilter *filter = &filters[f];
      g_autoptr (GArray) found = stria_allocator_filter (made->allocator, filter, NULL, NULL);
      guint                   n = 0;

      for (guint32 i = 0; i < made->n_events; i++)
        {
          StriaAllocEvent event;
          gboolean        good = TRUE;

          stria_allocator_get_event (made->allocator, i, &event);
          if (filter->actions != 0)
            good &= (filter->actions & 1u << event.action) != 0;
          good &= event.size >= filter->min_size && event.size <= filter->max_size;
          if (filter->address != 0)
            good &= event.address <= filter->address
                    && filter->address < event.address + MAX (event.size, 1);
          if (filter->text != NULL)
            {
              g_autofree char *lower = g_ascii_strdown (filter->text, -1);
              const char *category = stria_snapshot_get_string (made->data, event.category);

              good &= strstr (category, lower) != NULL
                      || stack_contains (made, event.stack, lower);
            }
          if (filter->has_stream)
            good &= filter->stream == 0;
          if (!good)
            continue;
          g_assert_cmpuint (n, <, found->len);
          g_assert_cmpuint (g_array_index (found, guint32, n), ==, i);
          n++;
        }
      g_assert_cmpuint (found->len, ==, n);
    }
}

/* -- annotations, leaks ----------------------------------------------------------------------- */

/* Ten steps of a program: stack 0 keeps 100 bytes of each, stack 1 frees all it takes, stack 2 keeps
 * its first block only. */
static AllocMaker *
leaking (void)
{
  g_autoptr (GArray)   events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent));
  StriaAllocAnnotation marks[20] = { { 0 } };

  for (guint step = 0; step < 10; step++)
    {
      gint64 at = 1000 * (gint64) (step + 1);

      marks[2 * step] = (StriaAllocAnnotation){ .time_us = at, .name = step, .stage = 1 };
      marks[2 * step + 1] = (StriaAllocAnnotation){ .time_us = at + 900, .name = step, .stage = 2 };
      for (guint k = 0; k < 4; k++)
        {
          StriaAllocEvent event = {
            .action = k == 2 ? STRIA_ALLOC_FREE_COMPLETED : STRIA_ALLOC_ALLOC,
            .address = ALLOC_BASE + (k == 0 ? step + 10 : k == 3 ? 2 : 1) * 1000,
            .size = 100,
            .pool = STRIA_NO_POOL,
            .time_us = at + 10 * k,
            .stack = k == 0 ? 0 : k == 3 ? 2 : 1,
          };

          if (k == 3 && step > 0)
            continue;
          g_array_append_val (events, event);
        }
    }
  return alloc_maker_feed ((const StriaAllocEvent *) events->data, events->len, NULL, 0, marks, 20);
}

static void
test_leaks (void)
{
  g_autoptr (AllocMaker) made = leaking ();
  g_autoptr (GArray)     leaks = stria_allocator_leaks (made->allocator, NULL, 2, NULL, NULL);
  g_autoptr (GArray)     many = stria_allocator_leaks (made->allocator, NULL, 11, NULL, NULL);
  const StriaLeakSuspect *leak;

  g_assert_cmpuint (leaks->len, ==, 1);
  leak = &g_array_index (leaks, StriaLeakSuspect, 0);
  g_assert_cmpuint (leak->stack, ==, 0);
  g_assert_cmpuint (leak->n_points, ==, 10);
  g_assert_cmpuint (leak->first_bytes, ==, 100);
  g_assert_cmpuint (leak->last_bytes, ==, 1000);
  g_assert_cmpuint (leak->last_count, ==, 10);
  g_assert_cmpuint (many->len, ==, 0);
}

static void
test_bands (void)
{
  g_autoptr (AllocMaker) made = leaking ();
  guint32                n;
  const StriaAllocBand  *bands = stria_allocator_get_bands (made->allocator, &n);

  g_assert_cmpuint (n, ==, 10);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i);

      g_assert_cmpstr (stria_snapshot_get_string (made->data, bands[i].name), ==, name);
      g_assert_cmpint (bands[i].start_us, ==, 1000 * (gint64) (i + 1));
      g_assert_cmpint (bands[i].end_us, ==, 1000 * (gint64) (i + 1) + 900);
      g_assert_cmpuint (bands[i].start_step, ==, i == 0 ? 0 : 4 + 3 * (i - 1));
      g_assert_cmpuint (bands[i].end_step, ==, 4 + 3 * i);
    }
}

static void
test_times (void)
{
  static const gint64 given[] = { STRIA_NO_TIME, STRIA_NO_TIME, 50, 70, 60, STRIA_NO_TIME, 70, 90 };
  static const gint64 shown[] = { 50, 50, 50, 70, 70, 70, 70, 90 };
  StriaAllocEvent     events[G_N_ELEMENTS (given)];

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    events[i] = (StriaAllocEvent){
      .action = STRIA_ALLOC_ALLOC,
      .address = ALLOC_BASE + i,
      .size = 1,
      .pool = STRIA_NO_POOL,
      .time_us = given[i],
      .stack = STRIA_NO_STACK,
    };
  g_autoptr (AllocMaker) made = alloc_maker_feed (events, G_N_ELEMENTS (events), NULL, 0, NULL, 0);

  g_assert_true (stria_allocator_has_times (made->allocator));
  for (guint32 i = 0; i < G_N_ELEMENTS (given); i++)
    g_assert_cmpint (stria_allocator_event_time_us (made->allocator, i), ==, shown[i]);
  g_assert_cmpint (stria_allocator_step_time_us (made->allocator, 0), ==, 50);
  g_assert_cmpint (stria_allocator_step_time_us (made->allocator, 8), ==, 90);
  g_assert_cmpuint (stria_allocator_step_at_time (made->allocator, 49), ==, 0);
  g_assert_cmpuint (stria_allocator_step_at_time (made->allocator, 50), ==, 3);
  g_assert_cmpuint (stria_allocator_step_at_time (made->allocator, 70), ==, 7);
  g_assert_cmpuint (stria_allocator_step_at_time (made->allocator, 1000), ==, 8);
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
  g_test_add_func ("/allocator/groups", test_groups);
  g_test_add_func ("/allocator/filter", test_filter);
  g_test_add_func ("/allocator/leaks", test_leaks);
  g_test_add_func ("/allocator/bands", test_bands);
  g_test_add_func ("/allocator/times", test_times);
  return g_test_run ();
}
