/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-alloc-private.h"

typedef struct
{
  const StriaAllocator *self;
  StriaPlot *plot;
  double bytes0;
  double scale; /* pixels a byte */
  double height;
  /* The run of thin ones that is being gathered. */
  double run_y0;
  double run_y1;
  guint32 run_element;
  guint64 run_most;
  guint32 run_count;
} Painter;

static void
end_run (Painter *p)
{
  if (p->run_count > 0)
    {
      StriaPlotRun run = { (float) p->run_y0, (float) p->run_y1, p->run_element, p->run_count };
      g_array_append_val (p->plot->runs, run);
    }
  p->run_count = 0;
}

/* One element at its height; those under a pixel share a run until it fills one. */
static void
add_element (Painter *p, guint32 element, guint64 offset, guint64 size)
{
  double y0 = ((double) offset - p->bytes0) * p->scale;
  double y1 = ((double) (offset + size) - p->bytes0) * p->scale;

  if (y1 <= 0 || y0 >= p->height)
    return;
  y0 = MAX (y0, 0);
  y1 = MIN (y1, p->height);
  if (y1 - y0 >= 1)
    {
      end_run (p);
      StriaPlotRun run = { (float) y0, (float) y1, element, 1 };
      g_array_append_val (p->plot->runs, run);
      return;
    }
  if (p->run_count == 0)
    {
      p->run_y0 = y0;
      p->run_most = 0;
      p->run_element = element;
    }
  p->run_y1 = y1;
  p->run_count++;
  if (size > p->run_most)
    {
      p->run_most = size;
      p->run_element = element;
    }
  if (p->run_y1 - p->run_y0 >= 1)
    end_run (p);
}

static void
add_live_blocks (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  guint32 checkpoint = MIN (step / self->interval, self->n_checkpoints - 1);
  guint64 offset = 0;
  double top = p->bytes0 + p->height / p->scale;

  for (guint64 i = self->check_begin[checkpoint]; i < self->check_begin[checkpoint + 1]; i++)
    {
      guint32 element = self->check_live[i];
      if (self->death[element] < step)
        continue;
      add_element (p, element, offset, self->element_size[element]);
      offset += self->element_size[element];
      if ((double) offset > top)
        break;
    }
  guint32 last = stria_allocator_first_element (self, step);
  for (guint32 element = stria_allocator_first_element (self, checkpoint * self->interval);
       element < last && (double) offset <= top; element++)
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
        add_element (p, i, offset, life->size);
        offset += life->size;
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

StriaPlot *
stria_allocator_plot (StriaAllocator *self, StriaPlotKind kind, gboolean by_time, gint64 x0,
                      gint64 x1, guint width, guint64 bytes0, guint64 bytes1, guint height,
                      GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (x1 > x0 && width > 0 && bytes1 > bytes0 && height > 0, NULL);
  g_autoptr (StriaPlot) plot = g_new0 (StriaPlot, 1);
  Painter p = {
    .self = self,
    .plot = plot,
    .bytes0 = (double) bytes0,
    .scale = height / (double) (bytes1 - bytes0),
    .height = height,
  };

  plot->n_columns = width;
  plot->columns = g_new0 (StriaPlotColumn, width);
  plot->runs = g_array_new (FALSE, FALSE, sizeof (StriaPlotRun));
  by_time = by_time && self->axis_us != NULL;
  for (guint x = 0; x < width; x++)
    {
      StriaPlotColumn *column = &plot->columns[x];
      guint32 first, last;

      if ((x & 31) == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      column_steps (self, by_time, x0, x1, width, x, &first, &last);
      column->step = stria_allocator_extreme (self, first, last, TRUE);
      column->allocated = column->max = self->allocated[column->step];
      column->min = self->allocated[stria_allocator_extreme (self, first, last, FALSE)];
      column->reserved = stria_allocator_reserved_at (self, column->step);
      if (x > 0 && column->step == plot->columns[x - 1].step)
        {
          column->first = plot->columns[x - 1].first;
          column->n = plot->columns[x - 1].n;
          continue;
        }
      column->first = plot->runs->len;
      if (kind == STRIA_PLOT_BLOCKS)
        add_live_blocks (&p, column->step);
      else
        add_live_segments (&p, column->step);
      column->n = plot->runs->len - column->first;
    }
  return g_steal_pointer (&plot);
}

void
stria_plot_free (StriaPlot *plot)
{
  g_free (plot->columns);
  g_clear_pointer (&plot->runs, g_array_unref);
  g_free (plot);
}
