/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-layout-private.h"

#define MOST_LEVELLED 8 /* ranks */

typedef struct
{
  guint32 component;
  double key;
  guint32 place;
  guint32 before; /* place in the order before: settles a draw */
} Sorted;

static int
compare_sorted (gconstpointer a, gconstpointer b)
{
  const Sorted *x = a, *y = b;

  if (x->component != y->component)
    return x->component < y->component ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->before < y->before ? -1 : x->before > y->before;
}

/* Component first, so that no two of them mix; then the prior place, or that of the file. */
static void
first_order (StriaLayoutWork *self)
{
  const StriaLayout *in = self->in;
  guint32 n = self->places->len;
  guint32 *count;

  self->n_ranks = 1;
  for (guint32 p = 0; p < n; p++)
    self->n_ranks = MAX (self->n_ranks, (guint32)stria_place_at (self, p)->rank + 1);
  count = self->rank_start = g_new0 (guint32, (gsize)self->n_ranks + 2);
  self->rank_items = g_new (guint32, MAX (n, 1));
  for (guint32 p = 0; p < n; p++)
    if (stria_place_at (self, p)->rank >= 0)
      count[stria_place_at (self, p)->rank + 2]++;
  for (guint32 r = 0; r < self->n_ranks; r++)
    count[r + 2] += count[r + 1];
  for (guint32 p = 0; p < n; p++)
    if (stria_place_at (self, p)->rank >= 0)
      self->rank_items[count[stria_place_at (self, p)->rank + 1]++] = p;

  g_autofree Sorted *sorted = g_new (Sorted, MAX (n, 1));
  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      guint32 k = 0;
      for (guint32 i = self->rank_start[r]; i < self->rank_start[r + 1]; i++)
        {
          const StriaPlace *place = stria_place_at (self, self->rank_items[i]);
          double key = self->rank_items[i];
          if (in->prior != NULL && place->box != STRIA_LAYOUT_BORDER
              && !isnan (in->prior[place->box]))
            key = in->prior[place->box];
          else if (place->box == STRIA_LAYOUT_BORDER)
            {
              /* A step begins where its edge does. */
              guint32 end = in->from[place->edge] != STRIA_LAYOUT_BORDER ? in->from[place->edge]
                                                                         : in->to[place->edge];
              key = in->prior != NULL && !isnan (in->prior[end]) ? in->prior[end] : end;
            }
          sorted[k++] = (Sorted){ place->component, key, self->rank_items[i], i };
        }
      qsort (sorted, k, sizeof *sorted, compare_sorted);
      for (guint32 i = 0; i < k; i++)
        {
          self->rank_items[self->rank_start[r] + i] = sorted[i].place;
          stria_place_at (self, sorted[i].place)->order = i;
        }
    }
}

/* One rank in the order of the mean places of its neighbours on one side. */
static void
sort_rank (StriaLayoutWork *self, guint32 rank, gboolean by_near, Sorted *sorted)
{
  const guint32 *start = by_near ? self->near_start : self->far_start;
  const guint32 *items = by_near ? self->near_items : self->far_items;
  guint32 n = self->rank_start[rank + 1] - self->rank_start[rank];
  guint32 *order = self->rank_items + self->rank_start[rank];

  for (guint32 i = 0; i < n; i++)
    {
      guint32 place = order[i];
      double sum = 0;
      guint32 k = start[place + 1] - start[place];

      for (guint32 l = start[place]; l < start[place + 1]; l++)
        sum += stria_place_at (self, items[l])->order;
      sorted[i] = (Sorted){ stria_place_at (self, place)->component, k > 0 ? sum / k : (double)i,
                            place, i };
    }
  qsort (sorted, n, sizeof *sorted, compare_sorted);
  for (guint32 i = 0; i < n; i++)
    {
      order[i] = sorted[i].place;
      stria_place_at (self, sorted[i].place)->order = i;
    }
}

/* Crossings of the links between a rank and the one before: inversions, counted with a Fenwick
 * tree. */
static guint64
count_crossings (StriaLayoutWork *self, guint32 *tree)
{
  guint64 crossings = 0;

  for (guint32 r = 1; r < self->n_ranks; r++)
    {
      guint32 n_before = self->rank_start[r] - self->rank_start[r - 1];
      guint64 added = 0;

      memset (tree, 0, sizeof *tree * ((gsize)n_before + 1));
      for (guint32 i = self->rank_start[r]; i < self->rank_start[r + 1]; i++)
        {
          guint32 place = self->rank_items[i];
          for (guint32 l = self->near_start[place]; l < self->near_start[place + 1]; l++)
            {
              guint64 below = 0;
              for (guint32 at = stria_place_at (self, self->near_items[l])->order + 1; at > 0;
                   at -= at & -at)
                below += tree[at];
              crossings += added - below;
            }
          for (guint32 l = self->near_start[place]; l < self->near_start[place + 1]; l++)
            {
              for (guint32 at = stria_place_at (self, self->near_items[l])->order + 1;
                   at <= n_before; at += at & -at)
                tree[at]++;
              added++;
            }
        }
    }
  return crossings;
}

static gboolean
order_ranks (StriaLayoutWork *self, GCancellable *cancellable)
{
  guint32 n = self->rank_start[self->n_ranks];
  guint rounds = n < 4000 ? 8 : n < 40000 ? 4 : 2;
  g_autofree Sorted *sorted = g_new (Sorted, MAX (n, 1));
  g_autofree guint32 *tree = g_new (guint32, (gsize)n + 1);
  g_autofree guint32 *best = g_memdup2 (self->rank_items, sizeof (guint32) * n);
  guint64 least = count_crossings (self, tree);

  if (n == 0)
    return TRUE;
  for (guint round = 0; round < rounds && least > 0; round++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      for (guint32 r = 1; r < self->n_ranks; r++)
        sort_rank (self, r, TRUE, sorted);
      for (guint32 r = self->n_ranks; r-- > 1;)
        sort_rank (self, r - 1, FALSE, sorted);
      guint64 crossings = count_crossings (self, tree);
      if (crossings < least)
        {
          least = crossings;
          memcpy (best, self->rank_items, sizeof *best * n);
        }
    }
  memcpy (self->rank_items, best, sizeof *best * n);
  for (guint32 r = 0; r < self->n_ranks; r++)
    for (guint32 i = self->rank_start[r]; i < self->rank_start[r + 1]; i++)
      stria_place_at (self, self->rank_items[i])->order = i - self->rank_start[r];
  return TRUE;
}

typedef struct
{
  double sum, weight; /* of wished places without the offsets */
  guint32 n;
} Block;

/* Each place of the rank as near as can be to where it wants to be, in order and apart: an isotonic
 * regression by pooling of neighbours that stand in each other's way. */
static void
settle_rank (StriaLayoutWork *self, guint32 rank, const double *wish, double *offset, Block *blocks)
{
  guint32 n = self->rank_start[rank + 1] - self->rank_start[rank];
  const guint32 *order = self->rank_items + self->rank_start[rank];
  guint32 top = 0, at = 0;

  for (guint32 i = 0; i < n; i++)
    {
      const StriaPlace *place = stria_place_at (self, order[i]);
      if (i == 0)
        offset[0] = 0;
      else
        {
          const StriaPlace *before = stria_place_at (self, order[i - 1]);
          gboolean steps = before->box == STRIA_LAYOUT_BORDER && place->box == STRIA_LAYOUT_BORDER;
          offset[i] = offset[i - 1] + (before->breadth + place->breadth) / 2.0
                      + (steps ? 2.0 : self->in->gap);
        }
      blocks[top++] = (Block){ (wish[i] - offset[i]) * place->weight, place->weight, 1 };
      while (top > 1
             && blocks[top - 2].sum / blocks[top - 2].weight
                    > blocks[top - 1].sum / blocks[top - 1].weight)
        {
          blocks[top - 2].sum += blocks[top - 1].sum;
          blocks[top - 2].weight += blocks[top - 1].weight;
          blocks[top - 2].n += blocks[top - 1].n;
          top--;
        }
    }
  for (guint32 b = 0; b < top; b++)
    for (guint32 k = 0; k < blocks[b].n; k++, at++)
      stria_place_at (self, order[at])->center
          = (float)(blocks[b].sum / blocks[b].weight + offset[at]);
}

static double
mean_center (
    StriaLayoutWork *self, const guint32 *start, const guint32 *items, guint32 place, guint32 *n)
{
  double sum = 0;

  for (guint32 l = start[place]; l < start[place + 1]; l++)
    sum += (double)stria_place_at (self, items[l])->center;
  *n = start[place + 1] - start[place];
  return *n > 0 ? sum / *n : 0;
}

static gboolean
settle (StriaLayoutWork *self, GCancellable *cancellable)
{
  guint32 n = self->places->len;
  guint rounds = n < 4000 ? 6 : 3;
  g_autofree double *wish = g_new (double, MAX (n, 1));
  g_autofree double *offset = g_new (double, MAX (n, 1));
  g_autofree Block *blocks = g_new (Block, MAX (n, 1));

  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      for (guint32 i = self->rank_start[r], k = 0; i < self->rank_start[r + 1]; i++, k++)
        {
          guint32 near;
          double center
              = mean_center (self, self->near_start, self->near_items, self->rank_items[i], &near);
          wish[k] = near > 0 ? center : 0;
        }
      settle_rank (self, r, wish, offset, blocks);
    }
  for (guint round = 0; round < rounds; round++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      for (guint32 step = 0; step < self->n_ranks; step++)
        {
          guint32 r = round % 2 == 0 ? self->n_ranks - 1 - step : step;
          for (guint32 i = self->rank_start[r], k = 0; i < self->rank_start[r + 1]; i++, k++)
            {
              guint32 place = self->rank_items[i];
              guint32 near, far;
              double a = mean_center (self, self->near_start, self->near_items, place, &near);
              double b = mean_center (self, self->far_start, self->far_items, place, &far);
              wish[k] = near + far == 0 ? (double)stria_place_at (self, place)->center
                        : near == 0     ? b
                        : far == 0      ? a
                                        : (a + b) / 2;
            }
          settle_rank (self, r, wish, offset, blocks);
        }
    }
  return TRUE;
}

/* What the flow begins or ends with, one box behind the other, stands level with where its wire
 * enters or leaves the first box that has such a place elsewhere than in its middle. Boxes in
 * between do not: each one would move all that follow. */
static void
level_end (StriaLayoutWork *self, gboolean last)
{
  const StriaLayout *in = self->in;
  float across = 0;
  guint32 n = 0;

  for (guint32 i = 0; i < self->n_ranks; i++)
    {
      guint32 rank = last ? self->n_ranks - 1 - i : i;
      guint32 place = self->rank_items[self->rank_start[rank]];
      gboolean found = FALSE, is_group = FALSE;

      if (self->rank_start[rank + 1] - self->rank_start[rank] != 1 || place >= in->n)
        return;
      for (guint32 e = 0; e < in->m && !found; e++)
        {
          float leaving = in->from[e] == place ? stria_from_offset (in, e) : 0;
          float entering = in->to[e] == place ? stria_to_offset (in, e) : 0;
          float offset = last ? leaving : entering;
          is_group = is_group || leaving != 0 || entering != 0;
          found = offset != 0;
          across = stria_place_at (self, place)->center + offset;
        }
      if (found)
        break;
      if (is_group)
        return;
      if (++n == self->n_ranks || n > MOST_LEVELLED)
        return;
    }
  for (guint32 i = 0; i < n; i++)
    stria_place_at (self, self->rank_items[self->rank_start[last ? self->n_ranks - 1 - i : i]])
        ->center
        = across;
}

/* Where each rank begins and how long it is. */
static float *
rank_positions (StriaLayoutWork *self, float **lengths)
{
  const StriaLayout *in = self->in;
  float *at = g_new0 (float, (gsize)self->n_ranks + 1);
  float *length = g_new0 (float, self->n_ranks);

  for (guint32 b = 0; b < in->n; b++)
    if (stria_place_at (self, b)->rank >= 0)
      length[self->rank[b]] = MAX (length[self->rank[b]], in->length[b]);
  for (guint32 r = 0; r < self->n_ranks; r++)
    at[r + 1] = at[r] + length[r] + in->rank_gap;
  *lengths = length;
  return at;
}

typedef struct
{
  StriaLayoutWork *work;
  const StriaLayoutRows *rows; /* NULL: one */
  const float *rank_at;
  const float *rank_length;
} Emit;

static void
add_pair (Emit *self, float along, float across)
{
  g_array_append_vals (self->work->in->points, (float[]){ along, across }, 2);
}

/* A step runs level through its rank, so that it passes between boxes. @first_rank: of the edge's
 * first step. Answers where the last of them stands, or @across. */
static float
add_steps (Emit *self, guint32 edge, guint32 first_rank, guint32 from, guint32 end, float across)
{
  StriaLayoutWork *work = self->work;

  if (work->step_first[edge] == STRIA_LAYOUT_BORDER)
    return across;
  for (guint32 rank = from; rank < end; rank++)
    {
      const StriaPlace *step = stria_place_at (work, work->step_first[edge] + rank - first_rank);

      add_pair (self, self->rank_at[rank], step->center);
      add_pair (self, self->rank_at[rank] + self->rank_length[rank], step->center);
      across = step->center;
    }
  return across;
}

static float
center_of (StriaLayoutWork *work, guint32 place)
{
  return stria_place_at (work, place)->center;
}

/* From the end of a row back to the beginning of a later one. */
static void
add_turn (Emit *self, guint32 edge, guint32 from_row, guint32 to_row)
{
  StriaLayoutWork *work = self->work;
  const StriaLayoutRows *rows = self->rows;
  gint32 last = (gint32)rows->first_rank[from_row + 1] - 1;
  gint32 first = (gint32)rows->first_rank[to_row];
  float leaving = stria_layout_turn_across (work, edge, last, TRUE);
  float entering = stria_layout_turn_across (work, edge, first, FALSE);
  float turn = (float)rows->turn[edge] * STRIA_TURN_GAP;
  float out = (float)(rows->n_turns[to_row] - 1 - rows->turn[edge]) * STRIA_TURN_GAP;

  add_pair (self, rows->right + turn, leaving);
  add_pair (self, rows->right + turn, rows->gap_at[to_row] + turn);
  add_pair (self, rows->left - STRIA_TURN_ROOM - out, rows->gap_at[to_row] + turn);
  add_pair (self, rows->left - STRIA_TURN_ROOM - out, entering);
}

static void
reverse_pairs (GArray *points, guint32 first)
{
  float *pairs = (float *)(gpointer)points->data;

  for (guint32 a = first, b = points->len / 2; a + 1 < b; a++)
    {
      b--;
      for (guint k = 0; k < 2; k++)
        {
          float swap = pairs[2 * a + k];
          pairs[2 * a + k] = pairs[2 * b + k];
          pairs[2 * b + k] = swap;
        }
    }
}

static void
emit_edge (Emit *self, guint32 edge)
{
  StriaLayoutWork *work = self->work;
  StriaLayout *in = work->in;
  const StriaLayoutRows *rows = self->rows;
  guint32 from = in->from[edge], to = in->to[edge];
  guint32 first = in->points->len / 2;

  if (from == STRIA_LAYOUT_BORDER)
    {
      guint32 rank = (guint32)work->rank[to];
      guint32 begin = rows != NULL ? rows->first_rank[rows->row_of[rank]] : 0;
      gboolean has_step = begin < rank && work->step_first[edge] != STRIA_LAYOUT_BORDER;
      add_pair (self, 0,
                has_step ? center_of (work, work->step_first[edge] + begin)
                         : center_of (work, to) + stria_to_offset (in, edge));
      add_steps (self, edge, 0, begin, rank, 0);
      return;
    }
  if (to == STRIA_LAYOUT_BORDER)
    {
      guint32 rank = (guint32)work->rank[from];
      guint32 end = rows != NULL ? rows->first_rank[rows->row_of[rank] + 1] : work->n_ranks;
      float across = add_steps (self, edge, rank + 1, rank + 1, end,
                                center_of (work, from) + stria_from_offset (in, edge));
      add_pair (self, in->total_length, across);
      return;
    }
  gboolean backwards = work->rank[from] > work->rank[to];
  guint32 near = (guint32)work->rank[backwards ? to : from];
  guint32 far = (guint32)work->rank[backwards ? from : to];
  if (rows == NULL || rows->row_of[near] == rows->row_of[far])
    add_steps (self, edge, near + 1, near + 1, far, 0);
  else
    {
      /* What it would pass in rows between is left out. */
      add_steps (self, edge, near + 1, near + 1, rows->first_rank[rows->row_of[near] + 1], 0);
      add_turn (self, edge, rows->row_of[near], rows->row_of[far]);
      add_steps (self, edge, near + 1, rows->first_rank[rows->row_of[far]], far, 0);
    }
  if (backwards)
    reverse_pairs (in->points, first);
}

static void
emit_points (StriaLayoutWork *work,
             const StriaLayoutRows *rows,
             const float *rank_at,
             const float *rank_length)
{
  Emit emit = { work, rows, rank_at, rank_length };
  StriaLayout *in = work->in;

  in->points = g_array_new (FALSE, FALSE, sizeof (float));
  for (guint32 e = 0; e < in->m; e++)
    {
      in->first_point[e] = in->points->len / 2;
      emit_edge (&emit, e);
    }
  in->first_point[in->m] = in->points->len / 2;
}

/* Boxes without any edge: rows of a block below the others that is about as broad as it is long. */
static void
place_lonely (StriaLayoutWork *self, const guint8 *is_lonely, float top)
{
  StriaLayout *in = self->in;
  double area = 0;
  float longest = in->total_length, along = 0, row = 0;

  for (guint32 b = 0; b < in->n; b++)
    if (is_lonely[b])
      {
        area += (double)(in->length[b] + in->gap) * (double)(in->breadth[b] + in->gap);
        longest = MAX (longest, in->length[b]);
      }
  float limit = MAX (longest, (float)sqrt (area * 1.6));
  for (guint32 b = 0; b < in->n; b++)
    {
      if (!is_lonely[b])
        continue;
      if (along > 0 && along + in->length[b] > limit)
        {
          top += row + in->gap;
          along = row = 0;
        }
      in->along[b] = along;
      in->across[b] = top;
      along += in->length[b] + in->gap;
      row = MAX (row, in->breadth[b]);
      in->total_length = MAX (in->total_length, in->along[b] + in->length[b]);
      in->total_breadth = MAX (in->total_breadth, top + in->breadth[b]);
    }
}

static void
emit_boxes (StriaLayoutWork *self,
            const float *rank_at,
            const float *rank_length,
            const guint8 *is_lonely)
{
  StriaLayout *in = self->in;
  float top = INFINITY, bottom = -INFINITY;

  for (guint32 p = 0; p < self->places->len; p++)
    {
      StriaPlace *place = stria_place_at (self, p);
      if (place->rank < 0)
        continue;
      top = MIN (top, place->center - place->breadth / 2);
      bottom = MAX (bottom, place->center + place->breadth / 2);
      in->total_length = MAX (in->total_length, rank_at[place->rank] + rank_length[place->rank]);
    }
  if (top > bottom)
    top = bottom = 0;
  in->total_breadth = bottom - top;
  for (guint32 p = 0; p < self->places->len; p++)
    stria_place_at (self, p)->center -= top;
  for (guint32 b = 0; b < in->n; b++)
    {
      in->along[b] = rank_at[self->rank[b]] + (rank_length[self->rank[b]] - in->length[b]) / 2;
      in->across[b] = stria_place_at (self, b)->center - in->breadth[b] / 2;
    }
  place_lonely (self, is_lonely, in->total_breadth > 0 ? in->total_breadth + in->gap : 0);
}

static void
work_clear (StriaLayoutWork *self)
{
  g_free (self->rank);
  g_free (self->reversed);
  g_free (self->component);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->links, g_array_unref);
  g_free (self->step_first);
  g_free (self->step_count);
  g_free (self->near_start);
  g_free (self->near_items);
  g_free (self->far_start);
  g_free (self->far_items);
  g_free (self->rank_start);
  g_free (self->rank_items);
}

gboolean
stria_layout_run (StriaLayout *self, GCancellable *cancellable)
{
  g_autofree guint8 *is_lonely = g_malloc (MAX (self->n, 1));
  g_autofree float *rank_at = NULL;
  g_autofree float *rank_length = NULL;
  gboolean keeps_order = FALSE;
  gboolean ok;
  StriaLayoutWork work = {
    .in = self,
    .rank = g_new0 (gint32, MAX (self->n, 1)),
    .reversed = g_malloc0 (MAX (self->m, 1)),
    .component = g_new0 (guint32, MAX (self->n, 1)),
    .places = g_array_new (FALSE, FALSE, sizeof (StriaPlace)),
    .links = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .step_first = g_new0 (guint32, MAX (self->m, 1)),
    .step_count = g_new0 (guint32, MAX (self->m, 1)),
  };

  memset (is_lonely, TRUE, self->n);
  for (guint32 e = 0; e < self->m; e++)
    {
      if (self->from[e] != STRIA_LAYOUT_BORDER)
        is_lonely[self->from[e]] = FALSE;
      if (self->to[e] != STRIA_LAYOUT_BORDER)
        is_lonely[self->to[e]] = FALSE;
    }
  for (guint32 b = 0; self->prior != NULL && b < self->n; b++)
    keeps_order = keeps_order || !isnan (self->prior[b]);
  self->points = NULL;
  self->total_length = self->total_breadth = 0;
  stria_layout_prepare (&work, is_lonely);
  first_order (&work);
  ok = (keeps_order || order_ranks (&work, cancellable)) && settle (&work, cancellable);
  if (ok)
    {
      StriaLayoutRows *rows;

      level_end (&work, FALSE);
      level_end (&work, TRUE);
      for (guint32 b = 0; b < self->n; b++)
        {
          self->straight[b] = stria_place_at (&work, b)->center;
          self->rank[b] = (guint32)work.rank[b];
        }
      rank_at = rank_positions (&work, &rank_length);
      rows = stria_layout_rows_new (&work, rank_at, rank_length);
      self->total_length = rows != NULL ? rows->length : 0;
      emit_boxes (&work, rank_at, rank_length, is_lonely);
      emit_points (&work, rows, rank_at, rank_length);
      stria_layout_rows_free (rows);
    }
  work_clear (&work);
  return ok;
}
