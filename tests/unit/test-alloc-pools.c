/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-capture.h"

#define N_POOLS   4
#define N_STREAMS 2
#define N_SLOTS   60
#define SLOT      8192

static const guint64 pools[N_POOLS]
    = { STRIA_POOL (0, 0), STRIA_POOL (1, 0), STRIA_POOL (0, 1), STRIA_POOL (7, 7) };

/* Each slot of addresses belongs to one pool and one stream for good. */
static guint64
slot_pool (guint slot)
{
  return pools[slot % N_POOLS];
}

static guint64
slot_stream (guint slot)
{
  return slot / N_POOLS % N_STREAMS * 100;
}

typedef struct
{
  StriaCapture   *capture;
  GPtrArray      *snapshots;
  StriaAllocator *allocator;
  GArray         *events;
} Made;

static void
made_free (Made *made)
{
  g_ptr_array_unref (made->snapshots);
  g_array_unref (made->events);
  g_object_unref (made->capture);
  g_free (made);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Made, made_free)

static void
add (Made *made, StriaAllocAction action, guint slot, guint64 size, gint64 time_us)
{
  const StriaAllocEvent event = {
    .action = (guint8) action,
    .address = ((guint64) 1 << 40) + (guint64) slot * SLOT,
    .size = size,
    .stream = slot_stream (slot),
    .pool = slot_pool (slot),
    .time_us = time_us,
    .stack = STRIA_NO_STACK,
  };

  g_array_append_val (made->events, event);
}

static void
feed (Made *made, const gboolean *mapped)
{
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/made", NULL, "made", 1, 0);
  StriaSink *sink;
  StriaAllocSink *alloc;

  made->capture = stria_capture_new ("/made");
  stria_capture_add_artifact (made->capture, artifact);
  sink = stria_capture_open_sink (made->capture, 0);
  alloc = sink->allocator (sink);
  for (guint slot = 0; slot < N_SLOTS; slot++)
    {
      const StriaAllocSegment segment = {
        .address = ((guint64) 1 << 40) + (guint64) slot * SLOT,
        .has_address = TRUE,
        .total_size = SLOT,
        .stream = slot_stream (slot),
        .pool = slot_pool (slot),
        .stack = STRIA_NO_STACK,
      };

      if (mapped[slot])
        alloc->segment (alloc, &segment, NULL, 0);
    }
  alloc->events (alloc, 0, (const StriaAllocEvent *) (gpointer) made->events->data,
                 made->events->len);
  alloc->trace (alloc, 0, 0, FALSE);
  stria_capture_close_sink (made->capture, sink, TRUE);
  made->snapshots = stria_capture_get_snapshots (made->capture);
  made->allocator = stria_snapshot_get_device (made->snapshots->pdata[0], 0);
}

/* Segments of a slot come and go around its blocks; some were there before. */
static Made *
make (guint n)
{
  Made *made = g_new0 (Made, 1);
  gboolean mapped[N_SLOTS], used[N_SLOTS] = { FALSE };
  guint64 sizes[N_SLOTS];

  made->events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent));
  for (guint slot = 0; slot < N_SLOTS; slot++)
    mapped[slot] = g_test_rand_bit ();
  for (guint i = 0; i < n; i++)
    {
      const guint slot = (guint) g_test_rand_int_range (0, N_SLOTS);

      if (!mapped[slot])
        {
          add (made, STRIA_ALLOC_SEGMENT_ALLOC, slot, SLOT, (gint64) i * 3);
          mapped[slot] = TRUE;
        }
      else if (used[slot])
        {
          add (made, STRIA_ALLOC_FREE_COMPLETED, slot, sizes[slot], (gint64) i * 3);
          used[slot] = FALSE;
        }
      else if (g_test_rand_int_range (0, 4) == 0)
        {
          add (made, STRIA_ALLOC_SEGMENT_FREE, slot, SLOT, (gint64) i * 3);
          mapped[slot] = FALSE;
        }
      else
        {
          sizes[slot] = (guint64) g_test_rand_int_range (1, SLOT + 1);
          add (made, STRIA_ALLOC_ALLOC, slot, sizes[slot], (gint64) i * 3);
          used[slot] = TRUE;
        }
    }
  feed (made, mapped);
  return made;
}

/* The same another way: what was there at the end, with the events undone from there on. */
static void
slow_state (const Made *made, guint64 pool, guint64 stream, guint32 step, guint64 *allocated,
            guint64 *reserved)
{
  gint64 live = 0, segments = 0;

  for (guint slot = 0; slot < N_SLOTS; slot++)
    {
      const guint64 address = ((guint64) 1 << 40) + (guint64) slot * SLOT;
      StriaAllocAction last_segment = STRIA_ALLOC_OTHER, next_segment = STRIA_ALLOC_OTHER;
      guint64 size = 0;

      if (slot_pool (slot) != pool || slot_stream (slot) != stream)
        continue;
      for (guint32 i = 0; i < made->events->len; i++)
        {
          const StriaAllocEvent *e = &g_array_index (made->events, StriaAllocEvent, i);
          const gboolean is_segment = e->action == STRIA_ALLOC_SEGMENT_ALLOC
                                      || e->action == STRIA_ALLOC_SEGMENT_FREE;

          if (e->address != address)
            continue;
          if (i < step && is_segment)
            last_segment = e->action;
          else if (i < step)
            size = e->action == STRIA_ALLOC_ALLOC ? e->size : 0;
          else if (is_segment && next_segment == STRIA_ALLOC_OTHER)
            next_segment = e->action;
        }
      live += (gint64) size;
      if (last_segment != STRIA_ALLOC_OTHER)
        segments += last_segment == STRIA_ALLOC_SEGMENT_ALLOC ? SLOT : 0;
      else if (next_segment != STRIA_ALLOC_OTHER)
        segments += next_segment == STRIA_ALLOC_SEGMENT_FREE ? SLOT : 0;
      else
        {
          /* No event makes or frees it: it is there if the snapshot has it */
          StriaMap *map = stria_allocator_map (made->allocator, made->events->len, NULL, NULL);

          for (guint s = 0; s < map->segments->len; s++)
            segments += g_array_index (map->segments, StriaMapSegment, s).address == address ? SLOT
                                                                                            : 0;
          stria_map_free (map);
        }
    }
  *allocated = (guint64) live;
  *reserved = (guint64) segments;
}

static void
test_state (void)
{
  g_autoptr (Made) made = make (600);
  StriaAllocator *a = made->allocator;
  const guint32 n_steps = stria_allocator_get_n_events (a);

  g_assert_cmpuint (stria_allocator_get_n_private_pools (a), ==, (N_POOLS - 1) * N_STREAMS);
  for (guint i = 0; i < stria_allocator_get_n_private_pools (a); i++)
    {
      guint64 most = 0;

      for (guint32 step = 0; step <= n_steps; step += 7)
        {
          StriaPrivatePool pool;
          guint64 allocated, reserved;

          stria_allocator_get_private_pool (a, i, step, &pool);
          slow_state (made, stria_allocator_get_pool (a, pool.pool),
                      stria_allocator_get_stream (a, pool.stream), step, &allocated, &reserved);
          g_assert_cmpuint (pool.allocated, ==, allocated);
          g_assert_cmpuint (pool.reserved, ==, reserved);
          most = MAX (most, MAX (allocated, reserved));
          g_assert_cmpuint (pool.height, >=, most);
        }
    }
}

static void
test_use (void)
{
  g_autoptr (Made) made = make (500);
  StriaAllocator *a = made->allocator;
  const guint32 n_steps = stria_allocator_get_n_events (a);
  const guint32 asked = n_steps / 2;
  g_autoptr (GArray) uses = stria_allocator_pool_use (a, asked);

  g_assert_cmpuint (uses->len, ==, stria_allocator_get_n_pools (a));
  for (guint i = 0; i < uses->len; i++)
    {
      const StriaPoolUse *use = &g_array_index (uses, StriaPoolUse, i);
      const guint64 id = stria_allocator_get_pool (a, (guint16) i);
      guint64 peak = 0, peak_reserved = 0;
      guint32 peak_step = 0;

      for (guint32 step = 0; step <= n_steps && id != STRIA_NO_POOL; step++)
        {
          guint64 allocated = 0, reserved = 0;

          for (guint s = 0; s < N_STREAMS; s++)
            {
              guint64 x, y;

              slow_state (made, id, s * 100, step, &x, &y);
              allocated += x;
              reserved += y;
            }
          if (step == asked)
            {
              g_assert_cmpuint (use->allocated, ==, allocated);
              g_assert_cmpuint (use->reserved, ==, reserved);
            }
          if (allocated > peak)
            {
              peak = allocated;
              peak_step = step;
            }
          peak_reserved = MAX (peak_reserved, reserved);
        }
      g_assert_cmpuint (use->peak, ==, peak);
      g_assert_cmpuint (use->peak_step, ==, peak_step);
      g_assert_cmpuint (use->peak_reserved, ==, peak_reserved);
    }
}

static void
check_column (StriaAllocator *a, const StriaPoolPlot *plot, guint x, double scale)
{
  const StriaPlotColumn *column = &plot->plot->columns[x];
  float top = 0;

  for (guint32 s = plot->first[x]; s < plot->first[x + 1]; s++)
    {
      const StriaPoolSpan *span = &g_array_index (plot->spans, StriaPoolSpan, s);
      StriaPrivatePool pool;

      g_assert_cmpfloat (span->y0, >=, top - 0.01f);
      g_assert_cmpfloat (span->used, <=, span->y1 + 0.01f);
      top = span->y1;
      if (span->count > 1)
        continue;
      stria_allocator_get_private_pool (a, span->pool, column->step, &pool);
      g_assert_cmpfloat (fabs ((double) (span->y1 - span->y0) - (double) pool.height * scale), <, 0.1);
      g_assert_cmpfloat (fabs ((double) (span->used - span->y0) - (double) pool.allocated * scale), <,
                         0.1);
    }
  top = 0;
  for (guint32 r = column->first; r < column->first + column->n; r++)
    {
      const StriaPlotRun *run = &g_array_index (plot->plot->runs, StriaPlotRun, r);
      const double middle = ((double) run->y0 + (double) run->y1) / 2 / scale;
      guint pool;

      g_assert_cmpfloat (run->y0, >=, top - 0.01f);
      top = run->y1;
      if (run->count > 1)
        continue;
      g_assert_cmpuint (stria_allocator_pool_plot_at (a, column->step, (guint64) middle, &pool), ==,
                        run->element);
      g_assert_cmpuint (pool, ==, stria_allocator_element_private_pool (a, run->element));
      g_assert_cmpfloat (
          fabs ((double) stria_allocator_pool_plot_offset (a, run->element, column->step) * scale
                - (double) run->y0),
          <, 0.1);
    }
  g_assert_cmpfloat ((double) top, <=,
                     (double) stria_allocator_pool_plot_height (a, column->step) * scale + 0.1);
}

static void
test_plot (void)
{
  for (guint round = 0; round < 8; round++)
    {
      g_autoptr (Made) made = make (200 + 200 * round);
      StriaAllocator *a = made->allocator;
      const guint32 n = stria_allocator_get_n_events (a);
      const guint height = 50u << (round % 4);
      const guint64 bytes = (guint64) N_SLOTS * SLOT;
      g_autoptr (StriaPoolPlot) plot
          = stria_allocator_pool_plot (a, FALSE, round % 2 == 0 ? 0 : n / 3, (gint64) n + 1, 300, 0,
                                       bytes, height, NULL, NULL);

      g_assert_cmpuint (plot->plot->n_columns, ==, 300);
      for (guint x = 0; x < 300; x++)
        check_column (a, plot, x, height / (double) bytes);
    }
}

/* Every byte of a run of blocks is in the picture: heights of runs sum up to what is live. */
static void
test_plot_sums (void)
{
  g_autoptr (Made) made = make (900);
  StriaAllocator *a = made->allocator;
  const guint32 n = stria_allocator_get_n_events (a);
  const guint64 bytes = (guint64) N_SLOTS * SLOT;
  g_autoptr (StriaPoolPlot) plot
      = stria_allocator_pool_plot (a, FALSE, 0, (gint64) n + 1, 200, 0, bytes, 60000, NULL, NULL);

  for (guint x = 0; x < 200; x++)
    {
      const StriaPlotColumn *column = &plot->plot->columns[x];
      double sum = 0;

      for (guint32 r = column->first; r < column->first + column->n; r++)
        {
          const StriaPlotRun *run = &g_array_index (plot->plot->runs, StriaPlotRun, r);
          sum += (double) (run->y1 - run->y0);
        }
      g_assert_cmpfloat (fabs (sum * (double) bytes / 60000 - (double) column->allocated), <,
                         (double) bytes / 60000 * 40);
    }
}

/* Ranges that are mapped from the highest address down: each stands before all others. */
static void
test_descending (void)
{
  g_autoptr (Made) made = g_new0 (Made, 1);
  const gboolean mapped[N_SLOTS] = { FALSE };
  const guint n = 200000;

  made->events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent));
  for (guint i = 0; i < n; i++)
    add (made, STRIA_ALLOC_SEGMENT_MAP, n - i, SLOT, i);
  for (guint i = 0; i < n; i += 2)
    add (made, STRIA_ALLOC_SEGMENT_UNMAP, n - i, SLOT, n + i);
  feed (made, mapped);
  g_assert_cmpuint (stria_allocator_get_n_segment_lives (made->allocator), ==, n);
  for (guint32 i = 0; i < n; i++)
    {
      StriaSegmentLife life;

      stria_allocator_get_segment_life (made->allocator, i, &life);
      g_assert_cmpuint (life.birth, ==, i);
      g_assert_cmpuint (life.death, ==, i % 2 == 0 ? n + i / 2 : STRIA_NO_EVENT);
    }
}

/* Bytes with rounding: of blocks that are there at the end as the snapshot says. */
static void
test_occupied (void)
{
  g_autoptr (Made) made = make (700);
  StriaAllocator *a = made->allocator;

  for (guint32 step = 0; step <= stria_allocator_get_n_events (a); step++)
    {
      g_autoptr (GArray) live = stria_allocator_live (a, step);
      guint64 sum = 0;

      for (guint i = 0; i < live->len; i++)
        {
          StriaElement e;

          stria_allocator_get_element (a, g_array_index (live, guint32, i), &e);
          sum += e.rounded > 0 ? e.rounded : (e.size + 511) / 512 * 512;
        }
      g_assert_cmpuint (stria_allocator_occupied (a, step), ==, sum);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alloc-pools/state", test_state);
  g_test_add_func ("/alloc-pools/use", test_use);
  g_test_add_func ("/alloc-pools/plot", test_plot);
  g_test_add_func ("/alloc-pools/plot-sums", test_plot_sums);
  g_test_add_func ("/alloc-pools/descending", test_descending);
  g_test_add_func ("/alloc-pools/occupied", test_occupied);
  return g_test_run ();
}
