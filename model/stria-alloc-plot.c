/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-alloc-private.h"

/* Fills a part of the columns; parts are made on several threads. */
typedef struct
{
  StriaAllocator *self;
  StriaPlotKind kind;
  gboolean by_time;
  gint64 x0;
  gint64 x1;
  guint width;
  guint height;
  GCancellable *cancellable;

  StriaPlotColumn *columns; /* of the whole plot */
  guint first_column;
  guint last_column;
  StriaPlotRun *runs; /* of this part */
  gsize n_runs;
  gsize runs_capacity;

  guint64 bytes0;
  guint64 bytes1;
  double scale;       /* pixels a byte */
  guint64 thin_bytes; /* less than this is less than a pixel */
  /* The run of thin ones that is being gathered. */
  guint64 run_from;
  guint64 run_to;
  guint64 run_most;
  guint32 run_element;
  guint32 run_count;
} Painter;

/* Room for one more column: no two neighbours are both thinner than a pixel. */
static void
reserve_column (Painter *p, guint height)
{
  gsize need = p->n_runs + 2 * (gsize) height + 8;

  if (need <= p->runs_capacity)
    return;
  p->runs_capacity = MAX (need, p->runs_capacity + p->runs_capacity / 2);
  p->runs = g_renew (StriaPlotRun, p->runs, p->runs_capacity);
}

static inline void
add_run (Painter *p, guint64 from, guint64 to, guint32 element, guint32 count)
{
  from = MAX (from, p->bytes0);
  to = MIN (to, p->bytes1);
  if (from >= to)
    return;
  p->runs[p->n_runs++] = (StriaPlotRun){ (float) ((double) (from - p->bytes0) * p->scale),
                                         (float) ((double) (to - p->bytes0) * p->scale), element,
                                         count };
}

static inline void
end_run (Painter *p)
{
  if (p->run_count > 0)
    add_run (p, p->run_from, p->run_to, p->run_element, p->run_count);
  p->run_count = 0;
}

/* One element at its height; those under a pixel share a run until it fills one. */
static inline void
add_element (Painter *p, guint32 element, guint64 offset, guint64 size)
{
  guint64 end = offset + size;

  if (end <= p->bytes0 || offset >= p->bytes1)
    return;
  if (size >= p->thin_bytes)
    {
      end_run (p);
      add_run (p, offset, end, element, 1);
      return;
    }
  if (p->run_count == 0)
    {
      p->run_from = offset;
      p->run_most = size;
      p->run_element = element;
    }
  p->run_to = end;
  p->run_count++;
  if (size > p->run_most)
    {
      p->run_most = size;
      p->run_element = element;
    }
  if (p->run_to - p->run_from >= p->thin_bytes)
    end_run (p);
}

static void
add_live_blocks (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  guint32 checkpoint = MIN (step / self->interval, self->n_checkpoints - 1);
  guint64 offset = 0;

  for (guint64 i = self->check_begin[checkpoint]; i < self->check_begin[checkpoint + 1]; i++)
    {
      guint32 element = self->check_live[i];
      if (self->death[element] < step)
        continue;
      add_element (p, element, offset, self->element_size[element]);
      offset += self->element_size[element];
      if (offset >= p->bytes1)
        break;
    }
  guint32 last = stria_allocator_first_element (self, step);
  for (guint32 element = stria_allocator_first_element (self, checkpoint * self->interval);
       element < last && offset < p->bytes1; element++)
    {
      if (self->death[element] < step)
        continue;
      add_element (p, element, offset, self->element_size[element]);
      offset += self->element_size[element];
    }
  end_run (p);
}

static void
add_live_segments (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  guint64 offset = 0;

  /* Those that were there before stand lowest; the others are in the order of their birth. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->lives->len; i++)
      {
        const StriaSegmentLife *life = &g_array_index (self->lives, StriaSegmentLife, i);
        if ((life->birth == STRIA_NO_EVENT) != (pass == 0))
          continue;
        if ((life->birth != STRIA_NO_EVENT && life->birth >= step) || life->death < step)
          continue;
        add_element (p, i, offset, MIN (life->size, G_MAXUINT64 - offset));
        offset += MIN (life->size, G_MAXUINT64 - offset);
        if (offset >= p->bytes1)
          {
            end_run (p);
            return;
          }
      }
  end_run (p);
}

/* Steps that a pixel column covers, inclusive. */
static void
column_steps (const StriaAllocator *self, gboolean by_time, gint64 x0, gint64 x1, guint width,
              double column, guint32 *first, guint32 *last)
{
  double a = (double) x0 + column * (double) (x1 - x0) / width;
  double b = (double) x0 + (column + 1) * (double) (x1 - x0) / width;

  if (by_time)
    {
      *first = stria_allocator_step_at_time ((StriaAllocator *) self, (gint64) floor (a));
      *last = stria_allocator_step_at_time ((StriaAllocator *) self, (gint64) ceil (b) - 1);
    }
  else
    {
      double n = self->n_events;
      *first = (guint32) CLAMP (floor (a), 0, n);
      *last = (guint32) CLAMP (ceil (b) - 1, 0, n);
    }
  *last = MAX (*last, *first);
}

guint32
stria_plot_step_at (StriaAllocator *self, gboolean by_time, gint64 x0, gint64 x1, guint width,
                    double x)
{
  guint32 first, last;

  column_steps (self, by_time, x0, x1, width, floor (x), &first, &last);
  return stria_allocator_extreme (self, first, last, TRUE);
}

static gpointer
fill_part (gpointer data)
{
  Painter *p = data;
  const StriaAllocator *self = p->self;

  for (guint x = p->first_column; x < p->last_column; x++)
    {
      StriaPlotColumn *column = &p->columns[x];
      guint32 first, last;

      if ((x & 31) == 0 && g_cancellable_is_cancelled (p->cancellable))
        return NULL;
      column_steps (self, p->by_time, p->x0, p->x1, p->width, x, &first, &last);
      column->step = stria_allocator_extreme (self, first, last, TRUE);
      column->allocated = column->max = self->allocated[column->step];
      column->min = self->allocated[stria_allocator_extreme (self, first, last, FALSE)];
      column->reserved = stria_allocator_reserved_at (self, column->step);
      if (x > p->first_column && column->step == column[-1].step)
        {
          column->first = column[-1].first;
          column->n = column[-1].n;
          continue;
        }
      reserve_column (p, p->height);
      column->first = (guint32) p->n_runs;
      if (p->kind == STRIA_PLOT_BLOCKS)
        add_live_blocks (p, column->step);
      else
        add_live_segments (p, column->step);
      column->n = (guint32) p->n_runs - column->first;
    }
  return NULL;
}

#define MAX_THREADS 8
/* Columns that one thread is worth starting for. */
#define COLUMNS_A_THREAD 128

StriaPlot *
stria_allocator_plot (StriaAllocator *self, StriaPlotKind kind, gboolean by_time, gint64 x0,
                      gint64 x1, guint width, guint64 bytes0, guint64 bytes1, guint height,
                      GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (x1 > x0 && width > 0 && bytes1 > bytes0 && height > 0, NULL);
  g_autoptr (StriaPlot) plot = g_new0 (StriaPlot, 1);
  guint n = CLAMP (MIN (width / COLUMNS_A_THREAD, g_get_num_processors ()), 1, MAX_THREADS);
  Painter parts[MAX_THREADS];
  GThread *threads[MAX_THREADS] = { NULL };

  plot->n_columns = width;
  plot->columns = g_new0 (StriaPlotColumn, width);
  for (guint i = 0; i < n; i++)
    {
      parts[i] = (Painter){
        .self = self,
        .kind = kind,
        .by_time = by_time && self->axis_us != NULL,
        .x0 = x0,
        .x1 = x1,
        .width = width,
        .height = height,
        .cancellable = cancellable,
        .columns = plot->columns,
        .first_column = width * i / n,
        .last_column = width * (i + 1) / n,
        .bytes0 = bytes0,
        .bytes1 = bytes1,
        .scale = height / (double) (bytes1 - bytes0),
        .thin_bytes = (guint64) ceil ((double) (bytes1 - bytes0) / height),
      };
      if (i > 0)
        threads[i] = g_thread_new ("stria-plot", fill_part, &parts[i]);
    }
  fill_part (&parts[0]);
  plot->runs = g_array_new (FALSE, FALSE, sizeof (StriaPlotRun));
  for (guint i = 0; i < n; i++)
    {
      guint base = plot->runs->len;
      if (threads[i] != NULL)
        g_thread_join (threads[i]);
      for (guint x = parts[i].first_column; x < parts[i].last_column; x++)
        plot->columns[x].first += base;
      g_array_append_vals (plot->runs, parts[i].runs, (guint) parts[i].n_runs);
      g_free (parts[i].runs);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&plot);
}

void
stria_plot_free (StriaPlot *plot)
{
  g_free (plot->columns);
  g_clear_pointer (&plot->runs, g_array_unref);
  g_free (plot);
}
