/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator's answers to who holds memory, and when, against a look at every event. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "alloc-maker.h"

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
          const AllocLife *life = alloc_maker_life (made, e);

          count += alloc_life_is_live (life, step);
          total += life->initial ? 0 : life->e.size;
        }
      g_assert_cmpuint (sums[0], ==, alloc_maker_bytes (made, step));
      g_assert_cmpuint (sums[1], ==, count);
      g_assert_cmpuint (sums[2], ==, total);
      g_assert_cmpint (growth, ==, (gint64) (alloc_maker_bytes (made, step)
                                             - alloc_maker_bytes (made, base)));
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
          const AllocLife *life = alloc_maker_life (made, e);

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
  g_autoptr (GArray)    nodes
      = stria_allocator_flame (made->allocator, step, base, FALSE, NULL, NULL);
  const StriaFlameNode *root = &g_array_index (nodes, StriaFlameNode, 0);
  guint64               self_bytes = 0;

  g_assert_cmpuint (root->bytes, ==, alloc_maker_bytes (made, step));
  g_assert_cmpint (root->growth, ==, (gint64) (alloc_maker_bytes (made, step)
                                               - alloc_maker_bytes (made, base)));
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
  for (guint i = 0; i < ALLOC_CASES; i++)
    {
      g_autoptr (AllocMaker) made = alloc_maker_case (i);

      for (guint k = 0; k < 8; k++)
        {
          guint32 step = alloc_maker_step (made);
          guint32 base = alloc_maker_step (made);

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

/* Ten steps of a program: stack 0 keeps 100 bytes of each, stack 1 frees all it takes, stack 2
 * keeps its first block only. */
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
  g_test_add_func ("/allocator/groups", test_groups);
  g_test_add_func ("/allocator/filter", test_filter);
  g_test_add_func ("/allocator/leaks", test_leaks);
  g_test_add_func ("/allocator/bands", test_bands);
  g_test_add_func ("/allocator/times", test_times);
  return g_test_run ();
}
