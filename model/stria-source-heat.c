/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-source-heat.h"

#include <math.h>
#include <string.h>

#include "stria-lane-class.h"
#include "stria-lane-private.h"
#include "stria-source-private.h"

struct _StriaSourceHeat
{
  gatomicrefcount refs;
  StriaSourceIndex *index;
  StriaSourceMetric metric;
  double *places; /* NAN: none */
  double *files;
  double whole;
  GArray *parts; /* StriaSourcePart, by place and lane */
};

typedef struct
{
  StriaSourceHeat *heat;
  StriaSourceIndex *index;
  gint64 t0, t1;
  double *sums;      /* by stack, of one lane */
  GArray *touched;   /* guint32: stacks that have a sum */
  guint8 *is_touched;
  double *of_lane;   /* by place */
  GHashTable *flops; /* StriaTable -> double by row */
  GCancellable *cancellable;
} Making;

static gboolean
overlaps (const Making *self, gint64 start, gint64 dur)
{
  return dur > 0 ? start < self->t1 && start + dur > self->t0
                 : start >= self->t0 && start <= self->t1;
}

static double
inside (const Making *self, gint64 start, gint64 end)
{
  return (double) MAX (0, MIN (end, self->t1) - MAX (start, self->t0));
}

static inline void
add_to (Making *self, guint32 stack, double value)
{
  self->sums[stack] += value;
  if (!self->is_touched[stack])
    {
      self->is_touched[stack] = TRUE;
      g_array_append_val (self->touched, stack);
    }
}

static inline void
add_value (double *values, guint32 i, double value)
{
  values[i] = isnan (values[i]) ? value : values[i] + value;
}

/* -- lanes ------------------------------------------------------------------------------------ */

/* The slice around one that has a line, or G_MAXUINT64. */
static guint32
lined_parent (const SourceLane *source, const StriaColumns *c, guint64 e)
{
  guint32 parent = c->parent != NULL ? c->parent[e] : G_MAXUINT32;

  while (parent != G_MAXUINT32 && stria_source_stack_of (source, c, parent) == 0)
    parent = c->parent[parent];
  return parent;
}

static void
add_slices (Making *self, StriaLane *lane, const SourceLane *source, const StriaColumns *c,
            const double *flops, guint64 n_flops)
{
  const gboolean nests = self->heat->metric == STRIA_SOURCE_OWN && !source->is_rows;

  for (guint64 e = 0; e < c->n; e++)
    {
      const gint64 start = c->start[e], dur = c->dur != NULL ? c->dur[e] : 0;
      guint32 stack, parent;

      if (!overlaps (self, start, dur))
        continue;
      if (self->heat->metric == STRIA_SOURCE_FLOPS)
        {
          if (c->seq[e] >= n_flops || isnan (flops[c->seq[e]]))
            continue;
          self->heat->whole += flops[c->seq[e]];
        }
      stack = stria_source_stack_of (source, c, e);
      if (stack == 0)
        continue;
      switch (self->heat->metric)
        {
        case STRIA_SOURCE_EVENTS:
          add_to (self, stack, 1);
          self->heat->whole++;
          break;
        case STRIA_SOURCE_FLOPS:
          add_to (self, stack, flops[c->seq[e]]);
          break;
        case STRIA_SOURCE_OWN:
        case STRIA_SOURCE_TIME:
        case STRIA_SOURCE_BUSY:
        case STRIA_SOURCE_BYTES:
        case STRIA_N_SOURCE_METRICS:
        default:
          add_to (self, stack, inside (self, start, start + dur));
        }
      parent = nests ? lined_parent (source, c, e) : G_MAXUINT32;
      if (parent != G_MAXUINT32)
        add_to (self, stria_source_stack_of (source, c, parent),
                -inside (self, start, stria_lane_drawn_end (lane, e)));
    }
}

/* Hands what the stacks of a lane have to their lines and files. */
static void
spread (Making *self, guint32 lane)
{
  StriaSourceIndex *index = self->index;
  const guint32 *targets = (const guint32 *) (gpointer) index->targets->data;
  const guint32 *frames = (const guint32 *) (gpointer) index->frames->data;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint32));
  const gboolean is_own = self->heat->metric == STRIA_SOURCE_OWN;

  for (guint t = 0; t < self->touched->len; t++)
    {
      const guint32 number = g_array_index (self->touched, guint32, t);
      const SourceStack *stack = stria_source_get_stack (index, number);
      const guint32 n = is_own ? MIN (stack->n_frames, 1) : stack->n_places;
      const double value = self->sums[number];

      for (guint32 i = 0; i < n; i++)
        {
          const guint32 place
              = is_own ? frames[stack->first_frame] : targets[stack->first_place + i];

          if (isnan (self->of_lane[place]))
            g_array_append_val (places, place);
          add_value (self->of_lane, place, value);
        }
      for (guint32 i = 0; i < (is_own ? MIN (stack->n_files, 1) : stack->n_files); i++)
        add_value (self->heat->files, targets[stack->first_file + i], value);
      if (is_own)
        self->heat->whole += value;
      self->sums[number] = 0;
      self->is_touched[number] = FALSE;
    }
  g_array_set_size (self->touched, 0);
  for (guint i = 0; i < places->len; i++)
    {
      const guint32 place = g_array_index (places, guint32, i);
      StriaSourcePart part = { place, lane, self->of_lane[place] };

      add_value (self->heat->places, place, part.value);
      g_array_append_val (self->heat->parts, part);
      self->of_lane[place] = NAN;
    }
}

/* What the rows of a table say in raw_flops, NAN where nothing. NULL without @error: it has none */
static const double *
load_flops (Making *self, StriaTable *table, GError **error)
{
  const int column = stria_table_find_column (table, "raw_flops");
  double *flops = g_hash_table_lookup (self->flops, table);
  guint64 row = 0;

  if (flops != NULL || column < 0)
    return flops;
  flops = g_new (double, stria_table_get_n_rows (table) + 1);
  g_hash_table_insert (self->flops, table, flops);
  for (guint32 c = 0; c < stria_table_get_n_chunks (table); c++)
    {
      g_autoptr (StriaColumnChunk) chunk
          = stria_table_load (table, (guint) column, c, error);
      const StriaCellType type = stria_table_get_column (table, (guint) column)->type;

      if (chunk == NULL)
        return NULL;
      for (guint32 i = 0; i < chunk->n_rows && row < stria_table_get_n_rows (table); i++, row++)
        flops[row] = !stria_column_data_has (&chunk->data, i) ? NAN
                     : type == STRIA_CELL_INT                 ? (double) chunk->data.ints[i]
                     : type == STRIA_CELL_REAL                ? chunk->data.reals[i]
                                                              : NAN;
    }
  for (; row < stria_table_get_n_rows (table); row++)
    flops[row] = NAN;
  return flops;
}

static gboolean
add_lane (Making *self, guint32 number, GError **error)
{
  StriaLane *lane = stria_trace_get_lane (self->index->trace, number);
  const SourceLane source = stria_source_lane (self->index, lane);
  const double *flops = NULL;
  guint64 n_flops = 0;

  if (!stria_source_lane_has (&source))
    return TRUE;
  if (self->heat->metric == STRIA_SOURCE_FLOPS)
    {
      StriaTable *table = stria_lane_find_table (lane, self->index->trace);
      g_autoptr (GError) local = NULL;

      if (table == NULL)
        return TRUE;
      flops = load_flops (self, table, &local);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      n_flops = flops != NULL ? stria_table_get_n_rows (table) : 0;
    }
  if (!stria_lane_load (lane, self->cancellable, error)
      || g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  add_slices (self, lane, &source, stria_lane_get_columns (lane), flops, n_flops);
  spread (self, number);
  return TRUE;
}

/* -- time in which at least one runs ---------------------------------------------------------- */

/* Where one row of a lane has got to; rows are in order of their starts. */
typedef struct
{
  SourceLane source;
  const StriaColumns *c;
  guint64 at;
  guint64 end;
} Cursor;

static gboolean
is_before (const Cursor *a, const Cursor *b)
{
  return a->c->start[a->at] < b->c->start[b->at];
}

static void
sift_down (Cursor *heap, guint n, guint i)
{
  for (;;)
    {
      guint child = 2 * i + 1;
      Cursor swap;

      if (child >= n)
        return;
      if (child + 1 < n && is_before (&heap[child + 1], &heap[child]))
        child++;
      if (!is_before (&heap[child], &heap[i]))
        return;
      swap = heap[i];
      heap[i] = heap[child];
      heap[child] = swap;
      i = child;
    }
}

static gboolean
add_cursors (Making *self, GArray *cursors, GError **error)
{
  for (guint32 l = 0; l < stria_trace_get_n_lanes (self->index->trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (self->index->trace, l);
      Cursor cursor = { .source = stria_source_lane (self->index, lane) };

      if (!stria_source_lane_has (&cursor.source))
        continue;
      if (!stria_lane_load (lane, self->cancellable, error))
        return FALSE;
      cursor.c = stria_lane_get_columns (lane);
      for (guint32 row = 0; cursor.c->dur != NULL && row < stria_lane_get_n_rows (lane); row++)
        {
          stria_lane_get_row (lane, row, &cursor.at, &cursor.end);
          if (cursor.at < cursor.end)
            g_array_append_val (cursors, cursor);
        }
    }
  return TRUE;
}

static void
cover (double *values, gint64 *covered, guint32 i, gint64 start, gint64 end)
{
  const gint64 from = MAX (start, covered[i]);

  add_value (values, i, end > from ? (double) (end - from) : 0);
  covered[i] = MAX (covered[i], end);
}

/* All rows of all lanes at once in order of time, so that one mark a line suffices. */
static gboolean
add_busy (Making *self, GError **error)
{
  StriaSourceIndex *index = self->index;
  const guint32 *targets = (const guint32 *) (gpointer) index->targets->data;
  g_autoptr (GArray) cursors = g_array_new (FALSE, FALSE, sizeof (Cursor));
  g_autofree gint64 *places = g_new (gint64, index->places->len + 1);
  g_autofree gint64 *files = g_new (gint64, index->files->len + 1);
  Cursor *heap;
  guint n;

  for (guint i = 0; i < index->places->len; i++)
    places[i] = self->t0;
  for (guint i = 0; i < index->files->len; i++)
    files[i] = self->t0;
  if (!add_cursors (self, cursors, error))
    return FALSE;
  heap = (Cursor *) (gpointer) cursors->data;
  n = cursors->len;
  for (guint i = n / 2; i-- > 0;)
    sift_down (heap, n, i);
  for (guint64 steps = 0; n > 0; steps++)
    {
      Cursor *first = &heap[0];
      const gint64 start = first->c->start[first->at], dur = first->c->dur[first->at];
      const guint32 number = overlaps (self, start, dur)
                                 ? stria_source_stack_of (&first->source, first->c, first->at)
                                 : 0;
      const SourceStack *stack = stria_source_get_stack (index, number);
      const gint64 end = MIN (start + dur, self->t1);

      if ((steps & 0xffff) == 0
          && g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (start > self->t1)
        break;
      for (guint32 i = 0; i < stack->n_places; i++)
        cover (self->heat->places, places, targets[stack->first_place + i], start, end);
      for (guint32 i = 0; i < stack->n_files; i++)
        cover (self->heat->files, files, targets[stack->first_file + i], start, end);
      if (++first->at == first->end)
        heap[0] = heap[--n];
      sift_down (heap, n, 0);
    }
  return TRUE;
}

/* -- the whole -------------------------------------------------------------------------------- */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const StriaSourcePart *x = a, *y = b;

  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return x->lane < y->lane ? -1 : x->lane > y->lane;
}

static double *
no_values (guint n)
{
  double *values = g_new (double, n + 1);

  for (guint i = 0; i < n; i++)
    values[i] = NAN;
  return values;
}

static void
take_bytes (StriaSourceHeat *self)
{
  StriaSourceIndex *index = self->index;

  self->whole = index->all_bytes;
  for (guint i = 0; index->place_bytes != NULL && i < index->places->len; i++)
    if (index->place_bytes[i] > 0)
      self->places[i] = index->place_bytes[i];
  for (guint i = 0; index->place_bytes != NULL && i < index->files->len; i++)
    if (index->file_bytes[i] > 0)
      self->files[i] = index->file_bytes[i];
}

static gboolean
measure (StriaSourceHeat *self, gint64 t0, gint64 t1, GCancellable *cancellable, GError **error)
{
  StriaSourceIndex *index = self->index;
  g_autofree double *sums = g_new0 (double, index->stacks->len);
  g_autofree guint8 *is_touched = g_new0 (guint8, index->stacks->len);
  g_autofree double *of_lane = no_values (index->places->len);
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) flops = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Making making = { self,       index,   t0,    t1,         sums, touched,
                    is_touched, of_lane, flops, cancellable };

  if (self->metric == STRIA_SOURCE_BUSY)
    return add_busy (&making, error);
  for (guint32 l = 0; l < stria_trace_get_n_lanes (index->trace); l++)
    if (!add_lane (&making, l, error))
      return FALSE;
  g_array_sort (self->parts, compare_parts);
  return TRUE;
}

/**
 * stria_source_heat_new:
 * @t0: begin of the range, in ns as the trace counts
 * @t1: its end
 *
 * Reads all slices once; loads lanes as needed. Returns: (transfer full): the heat, or %NULL with
 * @error if it was cancelled or a lane could not be read
 */
StriaSourceHeat *
stria_source_heat_new (StriaSourceIndex *index, StriaSourceMetric metric, gint64 t0, gint64 t1,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaSourceHeat) self = g_new0 (StriaSourceHeat, 1);

  g_atomic_ref_count_init (&self->refs);
  self->index = stria_source_index_ref (index);
  self->metric = metric;
  self->places = no_values (index->places->len);
  self->files = no_values (index->files->len);
  self->parts = g_array_new (FALSE, FALSE, sizeof (StriaSourcePart));
  if (metric == STRIA_SOURCE_TIME || metric == STRIA_SOURCE_BUSY)
    self->whole = (double) (t1 - t0);
  if (metric == STRIA_SOURCE_BYTES)
    take_bytes (self);
  else if (index->trace != NULL && !measure (self, t0, t1, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

StriaSourceHeat *
stria_source_heat_ref (StriaSourceHeat *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_source_heat_unref (StriaSourceHeat *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  stria_source_index_unref (self->index);
  g_free (self->places);
  g_free (self->files);
  g_array_unref (self->parts);
  g_free (self);
}

StriaSourceIndex *
stria_source_heat_get_index (StriaSourceHeat *self)
{
  return self->index;
}

StriaSourceMetric
stria_source_heat_get_metric (StriaSourceHeat *self)
{
  return self->metric;
}

double
stria_source_heat_of_place (StriaSourceHeat *self, guint32 place)
{
  return place < self->index->places->len ? self->places[place] : NAN;
}

double
stria_source_heat_of_file (StriaSourceHeat *self, guint32 file)
{
  return file < self->index->files->len ? self->files[file] : NAN;
}

double
stria_source_heat_max (StriaSourceHeat *self, guint32 file)
{
  double max = 0;
  guint n;
  const guint32 *places = stria_source_index_places (self->index, file, 0, G_MAXUINT32 - 1, &n);

  for (guint i = 0; i < n; i++)
    if (self->places[places[i]] > max)
      max = self->places[places[i]];
  return max;
}

double
stria_source_heat_whole (StriaSourceHeat *self)
{
  return self->whole;
}

const StriaSourcePart *
stria_source_heat_parts (StriaSourceHeat *self, guint32 place, guint *n)
{
  const StriaSourcePart *parts = (const StriaSourcePart *) (gpointer) self->parts->data;
  guint low = 0, high = self->parts->len;

  *n = 0;
  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (parts[middle].place < place)
        low = middle + 1;
      else
        high = middle;
    }
  while (low + *n < self->parts->len && parts[low + *n].place == place)
    (*n)++;
  return *n > 0 ? parts + low : NULL;
}
