/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-alloc-private.h"

/* A live element, with what is asked of it in each column. */
typedef struct
{
  guint64 size;
  guint32 element;
  guint32 death;
} LiveItem;

/* A column that is being filled: apart from the painter, so that the compiler knows that nobody else
 * changes it. */
typedef struct
{
  StriaPlotRun *runs;
  gsize n_runs;
  guint64 bytes0;
  guint64 bytes1;
  guint64 thin_bytes; /* less than this is less than a pixel */
  double scale;       /* pixels a byte */
  /* The run of thin ones that is being gathered. */
  guint64 from;
  guint64 to;
  guint64 most;
  guint32 element;
  guint32 count;
} Column;

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
  double scale;
  guint64 thin_bytes;

  /* Elements that were live in the column before, and that may be in the next: those of a checkpoint
   * lie all over memory. Those that died since are among them. */
  LiveItem *live;
  gsize n_live;
  gsize live_capacity;
  guint32 live_step;
  guint32 live_next; /* first element that was not born yet */
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

static inline Column
column_begin (const Painter *p)
{
  return (Column){
    .runs = p->runs,
    .n_runs = p->n_runs,
    .bytes0 = p->bytes0,
    .bytes1 = p->bytes1,
    .thin_bytes = p->thin_bytes,
    .scale = p->scale,
  };
}

static inline void
add_run (Column *c, guint64 from, guint64 to, guint32 element, guint32 count)
{
  from = MAX (from, c->bytes0);
  to = MIN (to, c->bytes1);
  if (from >= to)
    return;
  c->runs[c->n_runs++] = (StriaPlotRun){ (float) ((double) (from - c->bytes0) * c->scale),
                                         (float) ((double) (to - c->bytes0) * c->scale), element,
                                         count };
}

/* The next run begins at @at. */
static inline void
end_run (Column *c, guint64 at)
{
  if (c->count > 0)
    add_run (c, c->from, c->to, c->element, c->count);
  c->from = at;
  c->most = 0;
  c->count = 0;
}

/* One element at its height; those under a pixel share a run until it fills one. */
static inline void
add_element (Column *c, guint32 element, guint64 offset, guint64 size)
{
  guint64 end = offset + size;

  if (G_UNLIKELY (end <= c->bytes0 || offset >= c->bytes1))
    {
      c->from = end;
      return;
    }
  if (size >= c->thin_bytes)
    {
      end_run (c, end);
      add_run (c, offset, end, element, 1);
      return;
    }
  /* Which is larger is anybody's guess, so no branch: wrong guesses were most of the time. */
  guint64 larger = -(guint64) (size > c->most);
  c->most ^= (c->most ^ size) & larger;
  c->element ^= (c->element ^ element) & (guint32) larger;
  c->to = end;
  c->count++;
  if (end - c->from >= c->thin_bytes)
    end_run (c, end);
}

static void
reserve_live (Painter *p, gsize n)
{
  if (n <= p->live_capacity)
    return;
  p->live_capacity = MAX (n, p->live_capacity + p->live_capacity / 2);
  p->live = g_renew (LiveItem, p->live, p->live_capacity);
}

static inline void
keep_live (Painter *p, guint32 element)
{
  const StriaAllocator *self = p->self;

  p->live[p->n_live++] = (LiveItem){ self->element_size[element], element, self->death[element] };
}

/* Makes the live elements those of @step, with some that died before it. */
static void
move_live (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  guint32 checkpoint = MIN (step / self->interval, self->n_checkpoints - 1);
  guint32 last = stria_allocator_first_element (self, step);

  if (p->live == NULL || step < p->live_step || step - p->live_step > 4 * self->interval)
    {
      guint64 begin = self->check_begin[checkpoint], end = self->check_begin[checkpoint + 1];

      reserve_live (p, (gsize) (end - begin) + 1);
      p->n_live = 0;
      for (guint64 i = begin; i < end; i++)
        keep_live (p, self->check_live[i]);
      p->live_next = stria_allocator_first_element (self, checkpoint * self->interval);
    }
  reserve_live (p, p->n_live + (last - p->live_next));
  for (; p->live_next < last; p->live_next++)
    if (self->death[p->live_next] >= step)
      keep_live (p, p->live_next);
  p->live_step = step;
}

static void
add_live_blocks (Painter *p, guint32 step)
{
  move_live (p, step);

  Column column = column_begin (p);
  LiveItem *live = p->live;
  guint64 offset = 0;
  gsize n = p->n_live, kept = 0, i;

  for (i = 0; i < n && offset < column.bytes1; i++)
    {
      LiveItem item = live[i];
      if (item.death < step)
        continue;
      if (kept != i)
        live[kept] = item;
      kept++;
      add_element (&column, item.element, offset, item.size);
      offset += item.size;
    }
  end_run (&column, offset);
  p->n_runs = column.n_runs;
  if (kept < i)
    memmove (live + kept, live + i, (n - i) * sizeof *live);
  p->n_live = n - (i - kept);
}

static void
add_live_segments (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  Column column = column_begin (p);
  guint64 offset = 0;

  /* Those that were there before stand lowest; the others are in the order of their birth. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->lives->len && offset < p->bytes1; i++)
      {
        const StriaSegmentLife *life = &g_array_index (self->lives, StriaSegmentLife, i);
        guint64 size = MIN (life->size, G_MAXUINT64 - offset);
        if ((life->birth == STRIA_NO_EVENT) != (pass == 0))
          continue;
        if ((life->birth != STRIA_NO_EVENT && life->birth >= step) || life->death < step)
          continue;
        add_element (&column, i, offset, size);
        offset += size;
      }
  end_run (&column, offset);
  p->n_runs = column.n_runs;
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
      g_free (parts[i].live);
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
