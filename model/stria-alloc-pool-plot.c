/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-alloc-private.h"
#include "stria-alloc-pools-private.h"

/* The plot with private pools: in each column the bands of the pools from the bottom up, each as high
 * as its pool has ever been with its blocks inside, and all other blocks on top of them. */

#define MAX_THREADS 8
#define COLUMNS_A_THREAD 128

static const Envelope *
envelope_at (const StriaAllocator *self, guint i)
{
  return &g_array_index (self->private_pools, Envelope, i);
}

static guint64
height_at (const StriaAllocator *self, guint i, guint32 step)
{
  return stria_step_value (envelope_at (self, i)->height, step);
}

static guint
bucket_of (const StriaAllocator *self, guint32 element)
{
  return MIN (self->element_pool[element], self->private_pools->len);
}

/* A live element. */
typedef struct
{
  guint64 size;
  guint32 element;
  guint32 death;
} Item;

/* What lives in one pool, in stacking order; those that died since the column before are among them. */
typedef struct
{
  Item *items;
  guint32 n;
  guint32 capacity;
} Bucket;

/* Columns that one thread fills. */
typedef struct
{
  StriaAllocator *self;
  gboolean by_time;
  gint64 x0;
  gint64 x1;
  guint width;
  GCancellable *cancellable;
  guint first_column;
  guint last_column;
  StriaPlotColumn *columns;
  guint32 *first_span;

  guint64 bytes0;
  guint64 bytes1;
  guint64 thin_bytes; /* less than this is less than a pixel */
  double scale;
  GArray *runs;  /* StriaPlotRun, of this part */
  GArray *spans; /* StriaPoolSpan */

  Bucket *buckets; /* of each private pool, and of all else */
  gboolean is_filled;
  guint32 step;     /* that the buckets are of */

  /* The run of thin blocks, and that of thin bands, that is being gathered. */
  StriaPlotRun thin;
  guint64 from;
  guint64 to;
  guint64 most;
  StriaPoolSpan thin_span;
  guint64 span_from;
  guint64 span_to;
  guint64 span_used;
  guint64 span_most;
} Part;

static float
to_y (const Part *p, guint64 bytes)
{
  bytes = CLAMP (bytes, p->bytes0, p->bytes1);
  return (float) ((double) (bytes - p->bytes0) * p->scale);
}

static void
add_run (Part *p, guint64 from, guint64 to, guint32 element, guint32 count)
{
  const StriaPlotRun run = { to_y (p, from), to_y (p, to), element, count };

  if (from < p->bytes1 && to > p->bytes0 && from < to)
    g_array_append_val (p->runs, run);
}

static void
flush_run (Part *p)
{
  if (p->thin.count > 0)
    add_run (p, p->from, p->to, p->thin.element, p->thin.count);
  p->thin.count = 0;
  p->most = 0;
}

static inline void
add_element (Part *p, guint32 element, guint64 at, guint64 size)
{
  if (size >= p->thin_bytes)
    {
      flush_run (p);
      add_run (p, at, at + size, element, 1);
      return;
    }
  if (p->thin.count == 0)
    p->from = at;
  if (size >= p->most)
    {
      p->most = size;
      p->thin.element = element;
    }
  p->to = at + size;
  p->thin.count++;
  if (p->to - p->from >= p->thin_bytes)
    flush_run (p);
}

static void
add_span (Part *p, guint64 from, guint64 to, guint64 used, guint32 pool, guint32 count)
{
  const StriaPoolSpan span = { to_y (p, from), to_y (p, to), to_y (p, used), pool, count };

  if (from < p->bytes1 && to > p->bytes0 && from < to)
    g_array_append_val (p->spans, span);
}

static void
flush_span (Part *p)
{
  if (p->thin_span.count > 0)
    add_span (p, p->span_from, p->span_to, p->span_used, p->thin_span.pool, p->thin_span.count);
  p->thin_span.count = 0;
  p->span_most = 0;
}

static void
add_band (Part *p, guint32 pool, guint64 at, guint64 height, guint64 used)
{
  if (height >= p->thin_bytes)
    {
      flush_span (p);
      add_span (p, at, at + height, at + used, pool, 1);
      return;
    }
  if (p->thin_span.count == 0)
    p->span_from = at;
  if (height >= p->span_most)
    {
      p->span_most = height;
      p->thin_span.pool = pool;
    }
  p->span_to = at + height;
  p->span_used = at + used;
  p->thin_span.count++;
  if (p->span_to - p->span_from >= p->thin_bytes)
    flush_span (p);
}

static void
put_in_bucket (Part *p, guint32 element)
{
  const StriaAllocator *self = p->self;
  Bucket *bucket = &p->buckets[bucket_of (self, element)];

  if (bucket->n == bucket->capacity)
    {
      bucket->capacity = MAX (16, bucket->capacity + bucket->capacity / 2);
      bucket->items = g_renew (Item, bucket->items, bucket->capacity);
    }
  bucket->items[bucket->n++]
      = (Item){ self->element_size[element], element, self->death[element] };
}

/* Makes the buckets those of @step. */
static void
move_to (Part *p, guint32 step)
{
  const StriaAllocator *self = p->self;

  if (!p->is_filled || step < p->step || step - p->step > 4 * self->interval)
    {
      g_autoptr (GArray) live = stria_allocator_live (p->self, step);

      for (guint k = 0; k <= self->private_pools->len; k++)
        p->buckets[k].n = 0;
      for (guint i = 0; i < live->len; i++)
        put_in_bucket (p, g_array_index (live, guint32, i));
    }
  else
    {
      const guint32 last = stria_allocator_first_element (self, step);

      for (guint32 e = stria_allocator_first_element (self, p->step); e < last; e++)
        if (self->death[e] >= step)
          put_in_bucket (p, e);
    }
  p->is_filled = TRUE;
  p->step = step;
}

/* The blocks of one bucket from @at on; returns the height above them. */
static guint64
stack_bucket (Part *p, Bucket *bucket, guint64 at, guint32 step)
{
  Item *items = bucket->items;
  guint32 kept = 0, i;

  for (i = 0; i < bucket->n && at < p->bytes1; i++)
    {
      const Item item = items[i];

      if (item.death < step)
        continue;
      if (kept != i)
        items[kept] = item;
      kept++;
      add_element (p, item.element, at, item.size);
      at += item.size;
    }
  if (kept < i)
    memmove (items + kept, items + i, (bucket->n - i) * sizeof *items);
  bucket->n -= i - kept;
  return at;
}

static void
fill_column (Part *p, guint32 step)
{
  const StriaAllocator *self = p->self;
  const guint n_pools = self->private_pools->len;
  guint64 base = 0;

  move_to (p, step);
  for (guint k = 0; k <= n_pools && base < p->bytes1; k++)
    {
      const guint64 height = k < n_pools ? height_at (self, k, step) : 0;
      const gboolean is_thin = height < p->thin_bytes && k < n_pools;
      guint64 used;

      if (!is_thin)
        flush_run (p);
      used = stack_bucket (p, &p->buckets[k], base, step) - base;
      if (!is_thin)
        flush_run (p);
      if (height > 0)
        add_band (p, k, base, height, used);
      base += height;
    }
  flush_run (p);
  flush_span (p);
}

static gpointer
fill_part (gpointer data)
{
  Part *p = data;
  StriaAllocator *self = p->self;

  for (guint x = p->first_column; x < p->last_column; x++)
    {
      StriaPlotColumn *column = &p->columns[x];
      const guint first_span = p->spans->len;

      if ((x & 31) == 0 && g_cancellable_is_cancelled (p->cancellable))
        return NULL;
      column->step = stria_plot_step_at (self, p->by_time, p->x0, p->x1, p->width, x);
      column->allocated = self->allocated[column->step];
      column->reserved = stria_allocator_reserved_at (self, column->step);
      if (x > p->first_column && column->step == column[-1].step)
        {
          column->first = column[-1].first;
          column->n = column[-1].n;
          if (p->first_span[x - 1] < first_span)
            {
              const guint n = first_span - p->first_span[x - 1];
              g_array_set_size (p->spans, first_span + n);
              memcpy (&g_array_index (p->spans, StriaPoolSpan, first_span),
                      &g_array_index (p->spans, StriaPoolSpan, p->first_span[x - 1]),
                      n * sizeof (StriaPoolSpan));
            }
          p->first_span[x] = first_span;
          continue;
        }
      column->first = p->runs->len;
      p->first_span[x] = first_span;
      fill_column (p, column->step);
      column->n = p->runs->len - column->first;
    }
  return NULL;
}

static void
start_part (Part *p, const StriaAllocator *self)
{
  p->runs = g_array_new (FALSE, FALSE, sizeof (StriaPlotRun));
  p->spans = g_array_new (FALSE, FALSE, sizeof (StriaPoolSpan));
  p->buckets = g_new0 (Bucket, (gsize) self->private_pools->len + 1);
}

/* Puts what a part made behind what is there. */
static void
end_part (Part *p, StriaPoolPlot *plot)
{
  const guint base = plot->plot->runs->len, span_base = plot->spans->len;

  for (guint x = p->first_column; x < p->last_column; x++)
    {
      plot->plot->columns[x].first += base;
      plot->first[x] += span_base;
    }
  if (p->runs->len > 0)
    g_array_append_vals (plot->plot->runs, p->runs->data, p->runs->len);
  if (p->spans->len > 0)
    g_array_append_vals (plot->spans, p->spans->data, p->spans->len);
  g_array_unref (p->runs);
  g_array_unref (p->spans);
  for (guint k = 0; k <= p->self->private_pools->len; k++)
    g_free (p->buckets[k].items);
  g_free (p->buckets);
}

StriaPoolPlot *
stria_allocator_pool_plot (StriaAllocator *self, gboolean by_time, gint64 x0, gint64 x1,
                           guint width, guint64 bytes0, guint64 bytes1, guint height,
                           GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (self->private_pools != NULL, NULL);
  g_return_val_if_fail (x1 > x0 && width > 0 && bytes1 > bytes0 && height > 0, NULL);

  g_autoptr (StriaPoolPlot) plot = g_new0 (StriaPoolPlot, 1);
  const guint n = CLAMP (MIN (width / COLUMNS_A_THREAD, g_get_num_processors ()), 1, MAX_THREADS);
  Part parts[MAX_THREADS];
  GThread *threads[MAX_THREADS] = { NULL };

  plot->plot = g_new0 (StriaPlot, 1);
  plot->plot->n_columns = width;
  plot->plot->columns = g_new0 (StriaPlotColumn, width);
  plot->plot->runs = g_array_new (FALSE, FALSE, sizeof (StriaPlotRun));
  plot->spans = g_array_new (FALSE, FALSE, sizeof (StriaPoolSpan));
  plot->first = g_new0 (guint32, (gsize) width + 1);
  for (guint i = 0; i < n; i++)
    {
      parts[i] = (Part){
        .self = self,
        .by_time = by_time && self->axis_us != NULL,
        .x0 = x0,
        .x1 = x1,
        .width = width,
        .cancellable = cancellable,
        .columns = plot->plot->columns,
        .first_span = plot->first,
        .first_column = width * i / n,
        .last_column = width * (i + 1) / n,
        .bytes0 = bytes0,
        .bytes1 = bytes1,
        .scale = height / (double) (bytes1 - bytes0),
        .thin_bytes = (guint64) ceil ((double) (bytes1 - bytes0) / height),
      };
      start_part (&parts[i], self);
      if (i > 0)
        threads[i] = g_thread_new ("stria-pools", fill_part, &parts[i]);
    }
  fill_part (&parts[0]);
  for (guint i = 0; i < n; i++)
    {
      if (threads[i] != NULL)
        g_thread_join (threads[i]);
      end_part (&parts[i], plot);
    }
  plot->first[width] = plot->spans->len;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&plot);
}

void
stria_pool_plot_free (StriaPoolPlot *plot)
{
  g_clear_pointer (&plot->plot, stria_plot_free);
  g_clear_pointer (&plot->spans, g_array_unref);
  g_free (plot->first);
  g_free (plot);
}

/* -- one point of it ------------------------------------------------------------------------- */

guint64
stria_allocator_pool_plot_height (StriaAllocator *self, guint32 step)
{
  step = MIN (step, self->n_events);
  if (self->private_pools == NULL)
    return self->allocated[step];
  return self->allocated[step] - stria_step_value (self->private_live, step)
         + stria_step_value (self->private_height, step);
}

/* Bottom of what is in a private pool, or of all else. */
static guint64
base_of (const StriaAllocator *self, guint bucket, guint32 step)
{
  guint64 base = 0;

  if (bucket == self->private_pools->len)
    return stria_step_value (self->private_height, step);
  for (guint k = 0; k < bucket; k++)
    base += height_at (self, k, step);
  return base;
}

guint64
stria_allocator_pool_plot_offset (StriaAllocator *self, guint32 element, guint32 step)
{
  g_autoptr (GArray) live = NULL;
  guint64 offset;

  if (self->private_pools == NULL)
    return stria_allocator_offset (self, element, step);
  g_return_val_if_fail (element < self->n_elements, 0);
  step = MIN (step, self->n_events);
  live = stria_allocator_live (self, step);
  offset = base_of (self, bucket_of (self, element), step);
  for (guint i = 0; i < live->len && g_array_index (live, guint32, i) < element; i++)
    {
      guint32 below = g_array_index (live, guint32, i);
      if (self->element_pool[below] == self->element_pool[element])
        offset += self->element_size[below];
    }
  return offset;
}

guint32
stria_allocator_pool_plot_at (StriaAllocator *self, guint32 step, guint64 bytes, guint *pool)
{
  g_autoptr (GArray) live = NULL;
  guint64 base = 0, height;
  guint bucket = 0;

  *pool = G_MAXUINT;
  if (self->private_pools == NULL)
    return stria_allocator_element_at (self, step, bytes);
  step = MIN (step, self->n_events);
  for (; bucket < self->private_pools->len; bucket++, base += height)
    {
      height = height_at (self, bucket, step);
      if (bytes < base + height)
        {
          *pool = bucket;
          break;
        }
    }
  live = stria_allocator_live (self, step);
  for (guint i = 0; i < live->len; i++)
    {
      guint32 element = g_array_index (live, guint32, i);
      if (bucket_of (self, element) != bucket)
        continue;
      base += self->element_size[element];
      if (bytes < base)
        return element;
    }
  return STRIA_NO_ELEMENT;
}
