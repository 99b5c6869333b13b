/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-builder-private.h"
#include "stria-sort.h"

/* Order of a thread's slices: start, then longest first, then as in the file. */
static int
compare_ties (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const StriaStaged *staged = user_data;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;

  if (staged->c.dur != NULL && staged->c.dur[i] != staged->c.dur[j])
    return staged->c.dur[i] > staged->c.dur[j] ? -1 : 1;
  if (staged->c.seq[i] != staged->c.seq[j])
    return staged->c.seq[i] < staged->c.seq[j] ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Files write most events where they belong, or a few places behind. FALSE: not this one */
static gboolean
insert_in_order (const gint64 *start, guint32 *order, gsize n)
{
  gsize budget = 4 * n;

  for (gsize i = 0; i < n; i++)
    {
      gsize to = i;

      for (; to > 0 && start[order[to - 1]] > start[i]; to--)
        {
          order[to] = order[to - 1];
          if (budget-- == 0)
            return FALSE;
        }
      order[to] = (guint32) i;
    }
  return TRUE;
}

static guint32 *
sorted_order (StriaStaged *staged)
{
  gsize n = staged->c.n;
  guint32 *order = g_new (guint32, MAX (n, 1));

  if (!insert_in_order (staged->c.start, order, n))
    {
      StriaSortPair *pairs = g_new (StriaSortPair, n);

      for (gsize i = 0; i < n; i++)
        pairs[i] = (StriaSortPair){ (guint64) staged->c.start[i] ^ ((guint64) 1 << 63),
                                    (guint32) i };
      stria_sort_pairs (pairs, n);
      for (gsize i = 0; i < n; i++)
        order[i] = pairs[i].value;
      g_free (pairs);
    }

  for (gsize i = 0; i + 1 < n;)
    {
      gsize j = i + 1;
      while (j < n && staged->c.start[order[j]] == staged->c.start[order[i]])
        j++;
      if (j - i > 1)
        g_qsort_with_data (order + i, (gint) (j - i), sizeof *order, compare_ties, staged);
      i = j;
    }
  return order;
}

static inline gint64
staged_end (const StriaStaged *staged, guint32 i)
{
  return staged->c.start[i] + staged->c.dur[i];
}

typedef struct
{
  gint64 end; /* never after the parent's */
  guint32 position;
} Open;

/* Nests @order (positions in it are the event's identity here). @depth and @parent are filled for
 * those that nest; those that do not get depth G_MAXUINT32. Returns the number of rows. */
static guint32
nest (const StriaStaged *staged, const guint32 *order, gsize n, guint32 *depth, guint32 *parent)
{
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (Open));
  guint32 rows = 0;

  for (gsize position = 0; position < n; position++)
    {
      guint32 i = order[position];
      gint64 start = staged->c.start[i], end = staged_end (staged, i);

      while (stack->len > 0 && g_array_index (stack, Open, stack->len - 1).end <= start)
        g_array_set_size (stack, stack->len - 1);
      if (stack->len > 0)
        {
          const Open *top = &g_array_index (stack, Open, stack->len - 1);
          gint64 tolerance = staged->c.flags[i] & STRIA_EVENT_EXACT ? 0 : STRIA_NEST_TOLERANCE_NS;
          if (end > top->end && end - top->end > tolerance)
            {
              depth[position] = G_MAXUINT32;
              continue;
            }
          parent[position] = top->position;
          end = MIN (end, top->end);
        }
      else
        parent[position] = G_MAXUINT32;
      depth[position] = stack->len;
      rows = MAX (rows, stack->len + 1);
      /* A slice without width can't hold another. */
      if (end > start)
        {
          Open open = { end, (guint32) position };
          g_array_append_val (stack, open);
        }
    }
  g_array_unref (stack);
  return rows;
}

/* Whether nesting goes by it, so that it is in memory until the thread's last lane is there */
static gboolean
is_base (guint column)
{
  return column == STRIA_COLUMN_START || column == STRIA_COLUMN_DUR || column == STRIA_COLUMN_FLAGS
         || column == STRIA_COLUMN_SEQ;
}

static gboolean
is_key (guint column)
{
  return column == STRIA_COLUMN_CORRELATION || column == STRIA_COLUMN_EXTERNAL
         || column == STRIA_COLUMN_PYTHON;
}

static gboolean
is_zero (const guint64 *keys, gsize n)
{
  guint64 any = 0;

  for (gsize k = 0; k < n; k++)
    any |= keys[k];
  return any == 0;
}

/* Columns of the events @pick[0..n) of @staged. With @consume each staged column is freed as soon
 * as it is copied, so that a large thread never stands in memory twice. */
static void
gather (StriaColumns *columns, StriaStaged *staged, const guint32 *pick, gsize n, StriaLaneKind kind,
        gboolean consume)
{
  columns->n = n;
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    {
      gsize size;
      void **from = stria_columns_get (&staged->c, c, &size), **to;

      if (c == STRIA_COLUMN_PARENT || (c == STRIA_COLUMN_DUR && kind == STRIA_LANE_INSTANTS))
        continue;
      if (staged->park != NULL && stria_park_has (staged->park, c))
        stria_staged_need (staged, c);
      if (*from == NULL)
        continue;
      to = stria_columns_get (columns, c, &size);
      *to = g_malloc (MAX (n, 1) * size);
      stria_column_gather (*from, size, pick, n, *to);
      if (is_key (c) && is_zero (*to, n))
        g_clear_pointer (to, g_free);
      if (consume || (staged->park != NULL && !is_base (c)))
        g_clear_pointer (from, g_free);
    }
  if (consume)
    {
      stria_columns_clear (&staged->c);
      staged->capacity = 0;
    }
}

/* The same for events that come from a park and go to another one: a column at a time is in memory,
 * besides those that nesting goes by while there are other lanes to make of them. */
static void
park_rows (StriaLaneBody *body, StriaStaged *staged, const guint32 *pick, gboolean consume,
           StriaSpill *spill)
{
  g_autoptr (StriaPark) park = stria_park_new (spill);
  StriaDensity *density = staged->c.dur != NULL ? g_new0 (StriaDensity, 1) : NULL;
  gint64 start_ns = G_MAXINT64, end_ns = G_MININT64;

  for (guint64 i = 0; i < body->n_events; i++)
    {
      const gint64 start = staged->c.start[pick[i]];
      const gint64 end = start + (density != NULL ? staged->c.dur[pick[i]] : 0);

      start_ns = MIN (start_ns, start);
      end_ns = MAX (end_ns, end);
      if (density != NULL && i < body->row_begin[1])
        stria_density_add (density, start, end);
    }
  stria_park_set_size (park, body->n_events, start_ns, end_ns);
  stria_park_take_density (park, density);
  if (body->columns.parent != NULL)
    stria_park_put_column (park, STRIA_COLUMN_PARENT, body->columns.parent, NULL);
  g_clear_pointer (&body->columns.parent, g_free);
  if (consume)
    stria_columns_clear (&staged->c);
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    {
      gsize size;
      void **from = stria_columns_get (&staged->c, c, &size);
      const gboolean keep = *from != NULL;

      if (c == STRIA_COLUMN_PARENT || !stria_park_has (staged->park, c))
        continue;
      stria_staged_need (staged, c);
      stria_park_put_column (park, c, *from, pick);
      if (!keep)
        g_clear_pointer (from, g_free);
    }
  stria_lane_body_set_park (body, park);
}

/* A lane from the nested events among @order, rows one behind the other. @index (out): where each
 * position went. */
static StriaLaneBody *
body_from_rows (StriaLaneKind kind, const char *name, const char *key, StriaStaged *staged,
                const guint32 *order, const guint32 *depth, const guint32 *parent, gsize n,
                guint32 rows, guint32 *index, gboolean consume, StriaSpill *spill)
{
  StriaLaneBody *body = stria_lane_body_new (kind, name, key);
  guint64 *at = g_new0 (guint64, rows + 1);
  gsize count = 0;

  for (gsize p = 0; p < n; p++)
    if (depth[p] != G_MAXUINT32)
      {
        at[depth[p] + 1]++;
        count++;
      }
  for (guint32 row = 0; row < rows; row++)
    at[row + 1] += at[row];
  body->row_begin = g_memdup2 (at, (rows + 1) * sizeof *at);
  body->n_rows = rows;
  body->n_events = count;

  guint32 *pick = g_new (guint32, count);
  for (gsize p = 0; p < n; p++)
    if (depth[p] != G_MAXUINT32)
      {
        index[p] = (guint32) at[depth[p]]++;
        pick[index[p]] = order[p];
      }
  g_free (at);
  body->columns.parent = g_new (guint32, count);
  for (gsize p = 0; p < n; p++)
    if (depth[p] != G_MAXUINT32)
      body->columns.parent[index[p]] = parent != NULL && parent[p] != G_MAXUINT32
                                           ? index[parent[p]]
                                           : G_MAXUINT32;
  if (kind == STRIA_LANE_COUNTER)
    g_clear_pointer (&body->columns.parent, g_free);
  if (spill != NULL)
    park_rows (body, staged, pick, consume, spill);
  else
    {
      gather (&body->columns, staged, pick, count, kind, consume);
      stria_lane_body_finish (body);
    }
  g_free (pick);
  return body;
}

typedef struct
{
  gint64 end;
  guint32 row;
} Busy;

/* Binary heaps: rows in use by end time, free rows by number. */
static void
busy_push (GArray *heap, Busy item)
{
  g_array_append_val (heap, item);
  Busy *h = (Busy *) heap->data;
  for (guint i = heap->len - 1; i > 0 && h[(i - 1) / 2].end > h[i].end; i = (i - 1) / 2)
    {
      Busy swap = h[i];
      h[i] = h[(i - 1) / 2];
      h[(i - 1) / 2] = swap;
    }
}

static Busy
busy_pop (GArray *heap)
{
  Busy *h = (Busy *) heap->data;
  Busy top = h[0];
  guint n = heap->len - 1;

  h[0] = h[n];
  for (guint i = 0, child; (child = 2 * i + 1) < n; i = child)
    {
      if (child + 1 < n && h[child + 1].end < h[child].end)
        child++;
      if (h[i].end <= h[child].end)
        break;
      Busy swap = h[i];
      h[i] = h[child];
      h[child] = swap;
    }
  g_array_set_size (heap, n);
  return top;
}

static StriaLaneBody *
nest_packed (StriaLaneKind kind, const char *name, const char *key, StriaStaged *staged,
             guint32 *order, gsize n, guint32 *place, StriaSpill *spill)
{
  GArray *busy = g_array_new (FALSE, FALSE, sizeof (Busy));
  GArray *free_rows = g_array_new (FALSE, FALSE, sizeof (Busy)); /* end = row number */
  guint32 *depth = g_new (guint32, n);
  guint32 rows = 0;

  for (gsize p = 0; p < n; p++)
    {
      gint64 start = staged->c.start[order[p]], end = staged_end (staged, order[p]);
      guint32 row;

      while (busy->len > 0 && g_array_index (busy, Busy, 0).end <= start)
        {
          guint32 freed = busy_pop (busy).row;
          busy_push (free_rows, (Busy){ freed, freed });
        }
      if (free_rows->len > 0)
        row = busy_pop (free_rows).row;
      else
        row = rows++;
      depth[p] = row;
      busy_push (busy, (Busy){ end, row });
    }
  StriaLaneBody *body = body_from_rows (kind, name, key, staged, order, depth, NULL, n, rows, place,
                                        FALSE, spill);
  g_free (depth);
  g_array_unref (busy);
  g_array_unref (free_rows);
  return body;
}

StriaLaneBody *
stria_nest_packed (StriaLaneKind kind, const char *name, const char *key, StriaStaged *staged,
                   guint32 *order, gsize n, guint32 *place)
{
  return nest_packed (kind, name, key, staged, order, n, place, NULL);
}

/* A lane of what is in the park, which is in order. */
static StriaLaneBody *
body_from_park (StriaLaneKind kind, const char *name, const char *key, StriaStaged *staged)
{
  StriaLaneBody *body = stria_lane_body_new (kind, name, key);

  body->n_rows = 1;
  body->row_begin = g_new0 (guint64, 2);
  body->row_begin[1] = stria_park_size (staged->park);
  stria_lane_body_set_park (body, staged->park);
  return body;
}

static void
need_base (StriaStaged *staged)
{
  for (guint c = 0; staged->park != NULL && c < STRIA_N_COLUMNS; c++)
    if (is_base (c) && stria_park_has (staged->park, c))
      stria_staged_need (staged, c);
}

StriaLaneBody *
stria_nest_instants (const char *name, const char *key, StriaStaged *staged, StriaSpill *spill)
{
  const StriaLaneKind kind = staged->is_counter ? STRIA_LANE_COUNTER : STRIA_LANE_INSTANTS;
  guint32 *order, *depth, *index;
  StriaLaneBody *body;

  if (staged->park != NULL)
    stria_park_drop (staged->park, STRIA_COLUMN_DUR);
  if (staged->park != NULL && !staged->is_uneven)
    return body_from_park (kind, name, key, staged);
  need_base (staged);
  order = sorted_order (staged);
  depth = g_new0 (guint32, MAX (staged->c.n, 1));
  index = g_new (guint32, MAX (staged->c.n, 1));
  body = body_from_rows (kind, name, key, staged, order, depth, NULL, staged->c.n, 1, index, TRUE,
                         staged->park != NULL ? spill : NULL);
  g_free (order);
  g_free (depth);
  g_free (index);
  return body;
}

void
stria_nest_thread (StriaStagedThread *thread, const char *name, gboolean keep_places,
                   StriaSpill *spill)
{
  StriaStaged *staged = &thread->slices;
  gsize n;

  if (staged->park != NULL && !staged->is_uneven && !keep_places)
    {
      thread->bodies[0] = body_from_park (STRIA_LANE_SLICES, name, thread->key, staged);
      stria_park_take_density (staged->park, g_steal_pointer (&thread->density));
      return;
    }
  need_base (staged);
  n = staged->c.n;
  if (n == 0)
    return;
  if (staged->park == NULL || keep_places)
    spill = NULL;
  guint32 *order = sorted_order (staged);
  /* It was for ties; the park has it. */
  if (spill != NULL)
    g_clear_pointer (&staged->c.seq, g_free);
  guint32 *depth = g_new (guint32, n);
  guint32 *parent = g_new (guint32, n);
  guint32 rows = nest (staged, order, n, depth, parent);

  /* Those that partly overlap: annotations nest among themselves, the rest is packed. */
  guint32 *notes = NULL, *others = NULL;
  gsize n_notes = 0, n_others = 0;
  for (gsize p = 0; p < n; p++)
    if (depth[p] == G_MAXUINT32)
      {
        if (notes == NULL)
          {
            notes = g_new (guint32, n - p);
            others = g_new (guint32, n - p);
          }
        if (staged->c.flags[order[p]] & STRIA_EVENT_ANNOTATION)
          notes[n_notes++] = order[p];
        else
          others[n_others++] = order[p];
      }
  if (keep_places)
    {
      thread->place = g_new (guint32, n);
      thread->place_lane = g_new0 (guint8, n);
    }
  if (n_notes > 0)
    {
      guint32 *note_depth = g_new (guint32, n_notes);
      guint32 *note_parent = g_new (guint32, n_notes);
      guint32 *index = g_new (guint32, n_notes);
      guint32 note_rows = nest (staged, notes, n_notes, note_depth, note_parent);

      thread->bodies[1] = body_from_rows (STRIA_LANE_ANNOTATIONS, name, thread->key, staged, notes,
                                          note_depth, note_parent, n_notes, note_rows, index,
                                          FALSE, spill);
      for (gsize p = 0; p < n_notes; p++)
        {
          if (note_depth[p] == G_MAXUINT32)
            others[n_others++] = notes[p];
          else if (keep_places)
            {
              thread->place[notes[p]] = index[p];
              thread->place_lane[notes[p]] = 1;
            }
        }
      g_free (note_depth);
      g_free (note_parent);
      g_free (index);
    }
  if (n_others > 0)
    {
      guint32 *index = g_new (guint32, n_others);
      StriaSortPair *pairs = g_new (StriaSortPair, n_others);

      for (gsize p = 0; p < n_others; p++)
        pairs[p] = (StriaSortPair){ (guint64) staged->c.start[others[p]] ^ ((guint64) 1 << 63),
                                    others[p] };
      stria_sort_pairs (pairs, n_others);
      for (gsize p = 0; p < n_others; p++)
        others[p] = pairs[p].value;
      g_free (pairs);
      thread->bodies[2] = nest_packed (STRIA_LANE_OVERFLOW, name, thread->key, staged, others,
                                       n_others, index, spill);
      if (keep_places)
        for (gsize p = 0; p < n_others; p++)
          {
            thread->place[others[p]] = index[p];
            thread->place_lane[others[p]] = 2;
          }
      g_free (index);
    }
  g_free (notes);
  g_free (others);

  guint32 *index = g_new (guint32, n);
  thread->bodies[0] = body_from_rows (STRIA_LANE_SLICES, name, thread->key, staged, order, depth,
                                      parent, n, rows, index, TRUE, spill);
  if (keep_places)
    for (gsize p = 0; p < n; p++)
      if (depth[p] != G_MAXUINT32)
        thread->place[order[p]] = index[p];
  g_free (index);
  g_free (order);
  g_free (depth);
  g_free (parent);
}
