/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-alloc-private.h"

#define BLOCK 32

/* What is live at a step in stacking order. Columns, so that the first that died is found quickly. */
typedef struct
{
  guint64 *sizes;
  guint32 *elements;
  guint32 *deaths;
  guint32 *soonest; /* the first death of each BLOCK of them */
  gsize n;
  gsize capacity;
} Live;

/* Where in the stack a run begins: from there on a column may go on otherwise than the one before. */
typedef struct
{
  guint64 offset;
  gsize index;
} RunStart;

/* A column that is being filled: apart from the painter, so that the compiler knows that nobody else
 * changes it. */
typedef struct
{
  StriaPlotRun *runs; /* those that are new in this column */
  gsize n_runs;
  RunStart *starts; /* of the same */
  guint64 bytes0;
  guint64 bytes1;
  guint64 thin_bytes; /* less than this is less than a pixel */
  double scale;       /* pixels a byte */
  /* The run of thin ones that is being gathered. */
  guint64 from;
  guint64 to;
  guint64 most;
  gsize begin; /* index of the first in it */
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

  /* Of the column before; those that a checkpoint names lie all over memory. */
  RunStart *starts;
  guint n_starts;
  Live live;
  guint32 step;
  guint32 live_next; /* first element that was not born yet */
} Painter;

/* No two neighbours are both thinner than a pixel. */
static gsize
most_runs (guint height)
{
  return 2 * (gsize) height + 8;
}

/* Room for one more column. */
static void
reserve_column (Painter *p)
{
  const gsize need = p->n_runs + most_runs (p->height);

  if (need <= p->runs_capacity)
    return;
  p->runs_capacity = MAX (need, 2 * p->runs_capacity);
  p->runs = g_renew (StriaPlotRun, p->runs, p->runs_capacity);
}

static inline void
add_run (Column *c, guint64 from, guint64 to, guint32 element, guint32 count, gsize begin)
{
  const guint64 low = MAX (from, c->bytes0);
  const guint64 high = MIN (to, c->bytes1);

  if (low >= high)
    return;
  c->starts[c->n_runs] = (RunStart){ from, begin };
  c->runs[c->n_runs++] = (StriaPlotRun){ (float) ((double) (low - c->bytes0) * c->scale),
                                         (float) ((double) (high - c->bytes0) * c->scale),
                                         element, count };
}

/* The next run begins at @at with item @next. */
static inline void
end_run (Column *c, guint64 at, gsize next)
{
  if (c->count > 0)
    add_run (c, c->from, c->to, c->element, c->count, c->begin);
  c->from = at;
  c->begin = next;
  c->most = 0;
  c->count = 0;
}

/* One element at its height; those under a pixel share a run until it fills one. */
static inline void
add_element (Column *c, gsize index, guint32 element, guint64 offset, guint64 size)
{
  guint64 end = offset + size;

  if (G_UNLIKELY (end <= c->bytes0 || offset >= c->bytes1))
    {
      c->from = end;
      c->begin = index + 1;
      return;
    }
  if (size >= c->thin_bytes)
    {
      end_run (c, end, index + 1);
      add_run (c, offset, end, element, 1, index);
      return;
    }
  /* Which is larger is anybody's guess, so no branch: wrong guesses were most of the time. */
  guint64 larger = -(guint64) (size > c->most);
  c->most ^= (c->most ^ size) & larger;
  c->element ^= (c->element ^ element) & (guint32) larger;
  c->to = end;
  c->count++;
  if (end - c->from >= c->thin_bytes)
    end_run (c, end, index + 1);
}

/* A column that has the runs of the one before below that with item number @low - 1 in it; from that
 * on all is new. What a run is depends on nothing below it, and above it on the next item alone: thin
 * ones share a run until it is a pixel high or one that is not thin follows. */
static inline Column
column_begin (const Painter *p, gsize low, guint *same)
{
  guint first = 0, end = p->n_starts;

  while (first < end)
    {
      const guint mid = first + (end - first) / 2;
      if (p->starts[mid].index < low)
        first = mid + 1;
      else
        end = mid;
    }
  *same = first > 0 ? first - 1 : 0;

  const RunStart start = first > 0 ? p->starts[*same] : (RunStart){ 0, 0 };
  return (Column){
    .runs = p->runs + p->n_runs,
    .starts = p->starts + *same,
    .bytes0 = p->bytes0,
    .bytes1 = p->bytes1,
    .thin_bytes = p->thin_bytes,
    .scale = p->scale,
    .from = start.offset,
    .begin = start.index,
  };
}

static void
reserve_live (Live *live, gsize n)
{
  if (n <= live->capacity)
    return;
  live->capacity = MAX (n, live->capacity + live->capacity / 2);
  live->sizes = g_renew (guint64, live->sizes, live->capacity);
  live->elements = g_renew (guint32, live->elements, live->capacity);
  live->deaths = g_renew (guint32, live->deaths, live->capacity);
  live->soonest = g_renew (guint32, live->soonest, live->capacity / BLOCK + 1);
}

static inline void
keep_live (Live *live, const StriaAllocator *self, guint32 element)
{
  live->sizes[live->n] = self->element_size[element];
  live->elements[live->n] = element;
  live->deaths[live->n] = self->death[element];
  live->n++;
}

/* Index of the first that died before @step. */
static gsize
first_dead (const Live *live, guint32 step)
{
  const gsize n_blocks = live->n / BLOCK;
  gsize block = 0, i;

  while (block < n_blocks && live->soonest[block] >= step)
    block++;
  for (i = block * BLOCK; i < live->n && live->deaths[i] >= step;)
    i++;
  return i;
}

/* To be called when those from @from on have changed. */
static void
find_soonest (Live *live, gsize from)
{
  for (gsize block = from / BLOCK; block < live->n / BLOCK; block++)
    {
      guint32 soonest = G_MAXUINT32;
      for (guint k = 0; k < BLOCK; k++)
        soonest = MIN (soonest, live->deaths[block * BLOCK + k]);
      live->soonest[block] = soonest;
    }
}

/* Takes out those from @from on that died before @step. */
static void
remove_dead (Live *live, gsize from, guint32 step)
{
  gsize kept = from;

  for (gsize i = from; i < live->n; i++)
    {
      const guint32 death = live->deaths[i];
      live->sizes[kept] = live->sizes[i];
      live->elements[kept] = live->elements[i];
      live->deaths[kept] = death;
      kept += death >= step;
    }
  live->n = kept;
}

/* Starts from the checkpoint before @step. Returns: how many are as they were */
static gsize
reload_live (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  const guint32 checkpoint = MIN (step / self->interval, self->n_checkpoints - 1);
  const guint64 begin = self->check_begin[checkpoint], end = self->check_begin[checkpoint + 1];
  Live *live = &p->live;
  const gsize n = live->n;
  gsize same = 0;

  reserve_live (live, (gsize) (end - begin) + 1);
  live->n = 0;
  for (guint64 i = begin; i < end; i++)
    {
      const guint32 element = self->check_live[i];
      if (self->death[element] < step)
        continue;
      same += same == live->n && same < n && live->elements[same] == element;
      keep_live (live, self, element);
    }
  p->live_next = stria_allocator_first_element (self, checkpoint * self->interval);
  return same;
}

/* Makes the live elements those of @step. Returns: how many of the first are as they were */
static gsize
move_live (Painter *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  const guint32 last = stria_allocator_first_element (self, step);
  gsize same;

  if (p->live.capacity == 0 || step < p->step || step - p->step > 4 * self->interval)
    same = reload_live (p, step);
  else
    {
      same = first_dead (&p->live, step);
      remove_dead (&p->live, same, step);
    }
  if (last > p->live_next)
    reserve_live (&p->live, p->live.n + (last - p->live_next));
  for (; p->live_next < last; p->live_next++)
    if (self->death[p->live_next] >= step)
      keep_live (&p->live, self, p->live_next);
  find_soonest (&p->live, same);
  return same;
}

/* Returns: how many runs are those of the column before */
static guint
add_live_blocks (Painter *p, guint32 step)
{
  const gsize low = move_live (p, step);
  guint same;
  Column column = column_begin (p, low, &same);
  guint64 offset = column.from;
  gsize i = column.begin;

  for (; i < p->live.n && offset < column.bytes1; i++)
    {
      const guint64 size = p->live.sizes[i];
      add_element (&column, i, p->live.elements[i], offset, size);
      offset += size;
    }
  end_run (&column, offset, i);
  p->n_runs += column.n_runs;
  p->n_starts = same + (guint) column.n_runs;
  return same;
}

static gboolean
is_mapped (const StriaSegmentLife *life, guint32 step)
{
  return (life->birth == STRIA_NO_EVENT || life->birth < step) && life->death >= step;
}

/* As above for segments: `live` has all of them, in stacking order. */
static guint
add_live_segments (Painter *p, guint32 step)
{
  const StriaSegmentLife *lives = (const StriaSegmentLife *) (gconstpointer) p->self->lives->data;
  const Live *live = &p->live;
  gsize low = 0, i;
  guint same;

  if (p->n_starts > 0)
    while (low < live->n
           && is_mapped (&lives[live->elements[low]], p->step)
                  == is_mapped (&lives[live->elements[low]], step))
      low++;
  Column column = column_begin (p, low, &same);
  guint64 offset = column.from;

  for (i = column.begin; i < live->n && offset < column.bytes1; i++)
    {
      const guint64 size = MIN (live->sizes[i], G_MAXUINT64 - offset);
      if (!is_mapped (&lives[live->elements[i]], step))
        continue;
      add_element (&column, i, live->elements[i], offset, size);
      offset += size;
    }
  end_run (&column, offset, i);
  p->n_runs += column.n_runs;
  p->n_starts = same + (guint) column.n_runs;
  return same;
}

/* Those that were there before stand lowest; the others are in the order of their birth. */
static void
order_segments (Painter *p)
{
  const GArray *lives = p->self->lives;

  reserve_live (&p->live, lives->len + 1);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < lives->len; i++)
      {
        const StriaSegmentLife *life = &g_array_index (lives, StriaSegmentLife, i);
        if ((life->birth == STRIA_NO_EVENT) != (pass == 0))
          continue;
        p->live.sizes[p->live.n] = life->size;
        p->live.elements[p->live.n++] = i;
      }
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
  return stria_allocator_most_between (self, first, last);
}

guint32
stria_allocator_element_stack (StriaAllocator *self, guint32 element)
{
  g_return_val_if_fail (element < self->n_elements, G_MAXUINT32);
  return element < self->n_initial ? self->initial[element].stack
                                   : self->stack[self->birth[element]];
}

void
stria_allocator_element_stacks (StriaAllocator *self, const guint32 *elements, gsize n,
                                guint32 *stacks)
{
  /* First the events, then their stacks: so the waits for memory, which are most of the work, are
   * many at once. */
  for (gsize i = 0; i < n; i++)
    stacks[i] = self->birth[elements[i]];
  for (gsize i = 0; i < n; i++)
    stacks[i] = elements[i] < self->n_initial ? self->initial[elements[i]].stack
                                              : self->stack[stacks[i]];
}

guint64
stria_allocator_element_size (StriaAllocator *self, guint32 element)
{
  g_return_val_if_fail (element < self->n_elements, 0);
  return self->element_size[element];
}

guint64
stria_allocator_most_reserved (StriaAllocator *self, guint32 step0, guint32 step1)
{
  guint64 most = stria_allocator_reserved_at (self, step0);
  guint low = 0, high = self->reserved->len;

  while (low < high)
    {
      const guint mid = low + (high - low) / 2;
      if (g_array_index (self->reserved, StriaStepValue, mid).step <= step0)
        low = mid + 1;
      else
        high = mid;
    }
  for (; low < self->reserved->len; low++)
    {
      const StriaStepValue *change = &g_array_index (self->reserved, StriaStepValue, low);
      if (change->step > step1)
        break;
      most = MAX (most, change->value);
    }
  return most;
}

void
stria_allocator_offsets (StriaAllocator *self, guint32 element, const guint32 *steps, guint n,
                         guint64 *offsets)
{
  g_autoptr (GArray) live = NULL;
  guint64 below = 0;

  if (n == 0)
    return;
  live = stria_allocator_live (self, steps[0]);
  memset (offsets, 0, n * sizeof *offsets);
  /* What is below was there before, so it can only go: first how much goes at which step */
  for (guint i = 0; i < live->len && g_array_index (live, guint32, i) < element; i++)
    {
      const guint32 other = g_array_index (live, guint32, i);
      guint low = 0, high = n;

      below += self->element_size[other];
      while (low < high)
        {
          const guint mid = low + (high - low) / 2;
          if (steps[mid] <= self->death[other])
            low = mid + 1;
          else
            high = mid;
        }
      if (low < n)
        offsets[low] += self->element_size[other];
    }
  for (guint i = 0; i < n; i++)
    {
      below -= offsets[i];
      offsets[i] = below;
    }
}

static gpointer
fill_part (gpointer data)
{
  Painter *p = data;
  const StriaAllocator *self = p->self;

  p->starts = g_new (RunStart, most_runs (p->height));
  if (p->kind == STRIA_PLOT_SEGMENTS)
    order_segments (p);
  for (guint x = p->first_column; x < p->last_column; x++)
    {
      StriaPlotColumn *column = &p->columns[x];
      guint32 first, last;

      if ((x & 31) == 0 && g_cancellable_is_cancelled (p->cancellable))
        return NULL;
      column_steps (self, p->by_time, p->x0, p->x1, p->width, x, &first, &last);
      column->step = stria_allocator_most_between (self, first, last);
      column->allocated = self->allocated[column->step];
      column->reserved = stria_allocator_reserved_at (self, column->step);
      column->first = (guint32) p->n_runs;
      if (x > p->first_column && column->step == p->step)
        column->same = p->n_starts;
      else
        {
          reserve_column (p);
          column->same = p->kind == STRIA_PLOT_BLOCKS ? add_live_blocks (p, column->step)
                                                      : add_live_segments (p, column->step);
        }
      column->n = p->n_starts;
      p->step = column->step;
    }
  return NULL;
}

#define MAX_THREADS 8

/* To ask costs as much as some columns. */
static guint
n_processors (void)
{
  static gsize n;

  if (g_once_init_enter (&n))
    g_once_init_leave (&n, g_get_num_processors ());
  return (guint) n;
}

/* Columns that one thread is worth starting for. */
#define COLUMNS_A_THREAD 128

StriaPlot *
stria_allocator_plot (StriaAllocator *self, StriaPlotKind kind, gboolean by_time, gint64 x0,
                      gint64 x1, guint width, guint64 bytes0, guint64 bytes1, guint height,
                      GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (x1 > x0 && width > 0 && bytes1 > bytes0 && height > 0, NULL);
  g_autoptr (StriaPlot) plot = g_new0 (StriaPlot, 1);
  guint n = CLAMP (MIN (width / COLUMNS_A_THREAD, n_processors ()), 1, MAX_THREADS);
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
      g_free (parts[i].starts);
      g_free (parts[i].live.sizes);
      g_free (parts[i].live.elements);
      g_free (parts[i].live.deaths);
      g_free (parts[i].live.soonest);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&plot);
}

/**
 * stria_plot_walk_next:
 * @walk: set up with %STRIA_PLOT_WALK_INIT; stria_plot_walk_clear() when done
 *
 * Goes on to the next column: `runs` are its `n` runs from the bottom up, of which the first `same`
 * are those of the column before.
 *
 * Returns: %FALSE behind the last column
 */
gboolean
stria_plot_walk_next (StriaPlotWalk *walk)
{
  const StriaPlot *plot = walk->plot;
  const StriaPlotColumn *column;

  if (walk->next == plot->n_columns)
    return FALSE;
  column = &plot->columns[walk->next++];
  if (column->n > walk->size)
    {
      walk->size = MAX (column->n, 2 * walk->size);
      walk->runs = g_renew (StriaPlotRun, walk->runs, walk->size);
    }
  if (column->n > column->same)
    memcpy (walk->runs + column->same,
            &g_array_index (plot->runs, StriaPlotRun, column->first),
            (column->n - column->same) * sizeof (StriaPlotRun));
  walk->same = column->same;
  walk->n = column->n;
  return TRUE;
}

void
stria_plot_walk_clear (StriaPlotWalk *walk)
{
  g_clear_pointer (&walk->runs, g_free);
}

void
stria_plot_free (StriaPlot *plot)
{
  g_free (plot->columns);
  g_clear_pointer (&plot->runs, g_array_unref);
  g_free (plot);
}
