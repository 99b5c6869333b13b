/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-layout-private.h"

/* A chain is as long as it has boxes: nothing of it can be read when it is seen whole. Its ranks
 * are set in rows, as words are in lines. Edges from one row to a later one leave it at its end,
 * run back between the rows and enter at the beginning. */

#define LEAST_LENGTH 2400.0f /* what is shorter stays in one row */
#define LEAST_ROW 900.0f
#define LEAST_RATIO 2.6f     /* so many times longer than it should be */
#define MOST_RATIO 2.5f      /* a row length that was good before is kept as long as this holds */
#define MOST_TURNS 24        /* edges that turn at one place */
#define EARLIEST 0.66f       /* of a row's length, where it may end for the sake of fewer turns */

typedef struct
{
  StriaLayoutWork *work;
  const float *rank_at;
  const float *rank_length;
  float *top; /* by rank */
  float *bottom;
  guint32 *turns; /* edges that pass from a rank to the next */
} Ranks;

/* Edges of the container's border enter and leave in the row of their box. */
static gboolean
is_inner (const StriaLayout *in, guint32 edge)
{
  return in->from[edge] != STRIA_LAYOUT_BORDER && in->to[edge] != STRIA_LAYOUT_BORDER;
}

static void
measure_ranks (Ranks *self)
{
  StriaLayoutWork *work = self->work;
  const StriaLayout *in = work->in;
  guint32 n = work->n_ranks;

  self->top = g_new (float, n);
  self->bottom = g_new (float, n);
  self->turns = g_new0 (guint32, (gsize)n + 1);
  for (guint32 r = 0; r < n; r++)
    {
      self->top[r] = INFINITY;
      self->bottom[r] = -INFINITY;
    }
  for (guint32 p = 0; p < work->places->len; p++)
    {
      const StriaPlace *place = stria_place_at (work, p);
      if (place->rank < 0)
        continue;
      self->top[place->rank] = MIN (self->top[place->rank], place->center - place->breadth / 2);
      self->bottom[place->rank]
          = MAX (self->bottom[place->rank], place->center + place->breadth / 2);
    }
  for (guint32 e = 0; e < in->m; e++)
    if (is_inner (in, e))
      {
        gint32 a = work->rank[in->from[e]], b = work->rank[in->to[e]];
        self->turns[MIN (a, b)]++;
        self->turns[MAX (a, b)]--;
      }
  for (guint32 r = 1; r < n; r++)
    self->turns[r] += self->turns[r - 1];
}

static float
length_of (const Ranks *self, guint32 first, guint32 end)
{
  return self->rank_at[end - 1] + self->rank_length[end - 1] - self->rank_at[first];
}

/* Ends of rows of at most @length. Where there is a choice, fewer edges turn. FALSE: too many
 * would. */
static gboolean
break_rows (const Ranks *self, float length, GArray *ends)
{
  guint32 n = self->work->n_ranks;
  guint32 first = 0;

  g_array_set_size (ends, 0);
  while (first < n)
    {
      guint32 end = first + 1;
      while (end < n && length_of (self, first, end + 1) <= length)
        end++;
      guint32 best = end;
      for (guint32 e = end; end < n && e > first; e--)
        {
          if (e < end && length_of (self, first, e) < EARLIEST * length)
            break;
          if (self->turns[e - 1] < self->turns[best - 1])
            best = e;
        }
      if (best < n && self->turns[best - 1] > MOST_TURNS)
        return FALSE;
      g_array_append_val (ends, best);
      first = best;
    }
  return TRUE;
}

static float
gap_before (const Ranks *self, guint32 first)
{
  return STRIA_ROW_GAP + (float)self->turns[first - 1] * STRIA_TURN_GAP;
}

/* Length of the whole to its breadth, with rows that end at @ends. */
static float
ratio_of (const Ranks *self, const GArray *ends)
{
  float length = 0, breadth = 0, most = 0;
  guint32 first = 0;

  for (guint i = 0; i < ends->len; i++)
    {
      guint32 end = g_array_index (ends, guint32, i);
      float top = INFINITY, bottom = -INFINITY;

      for (guint32 r = first; r < end; r++)
        {
          top = MIN (top, self->top[r]);
          bottom = MAX (bottom, self->bottom[r]);
        }
      length = MAX (length, length_of (self, first, end));
      breadth += MAX (bottom - top, 1);
      if (i > 0)
        {
          breadth += gap_before (self, first);
          most = MAX (most, (float)self->turns[first - 1]);
        }
      first = end;
    }
  return (length + 2 * (STRIA_TURN_ROOM + most * STRIA_TURN_GAP)) / breadth;
}

/* The row length that comes nearest to the aspect. 0: one row. */
static float
choose_length (const Ranks *self, GArray *ends)
{
  const StriaLayout *in = self->work->in;
  float whole = length_of (self, 0, self->work->n_ranks);
  float ratio, best_ratio, best = 0;
  guint32 likely, step;

  g_array_set_size (ends, 0);
  g_array_append_val (ends, self->work->n_ranks);
  ratio = best_ratio = ratio_of (self, ends);
  if (in->row_length > 0 && break_rows (self, in->row_length, ends) && ends->len > 1)
    {
      float kept = ratio_of (self, ends);
      if (fabsf (logf (kept / in->aspect)) < logf (MOST_RATIO))
        return in->row_length;
    }
  if (whole < LEAST_LENGTH || ratio < LEAST_RATIO * in->aspect)
    return 0;
  likely = (guint32)sqrtf (ratio / in->aspect);
  step = MAX (likely / 16, 1);
  for (guint32 k = MAX (likely / 2, 2); k <= 2 * likely + 2; k += step)
    {
      float length = whole / (float)k * 1.04f;
      if (length < LEAST_ROW)
        break;
      if (!break_rows (self, length, ends) || ends->len < 2)
        continue;
      ratio = ratio_of (self, ends);
      if (fabsf (logf (ratio / in->aspect)) < fabsf (logf (best_ratio / in->aspect)))
        {
          best_ratio = ratio;
          best = length;
        }
    }
  return best;
}

/* At a step of it there, else at its box. */
float
stria_layout_turn_across (StriaLayoutWork *work, guint32 edge, gint32 rank, gboolean leaving)
{
  const StriaLayout *in = work->in;
  gboolean backwards = work->rank[in->from[edge]] > work->rank[in->to[edge]];
  guint32 near = backwards ? in->to[edge] : in->from[edge];
  guint32 far = backwards ? in->from[edge] : in->to[edge];
  gboolean at_near = work->rank[near] == rank, at_far = work->rank[far] == rank;

  if (!at_near && !at_far && work->step_first[edge] != STRIA_LAYOUT_BORDER)
    return stria_place_at (work, work->step_first[edge] + (guint32)(rank - work->rank[near] - 1))
        ->center;
  at_near = at_near || (!at_far && leaving);
  return stria_place_at (work, at_near ? near : far)->center
         + (at_near != backwards ? stria_from_offset (in, edge) : stria_to_offset (in, edge));
}

typedef struct
{
  guint32 edge;
  guint32 row;   /* that it enters */
  float leaving; /* across, in the row that it leaves */
} Turn;

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const Turn *x = a, *y = b;

  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->leaving != y->leaving)
    return x->leaving > y->leaving ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Each edge that changes rows turns before the row that it enters. They lie in each other: the
 * lowest one turns first, and enters last. */
static void
number_turns (StriaLayoutWork *work, StriaLayoutRows *rows)
{
  const StriaLayout *in = work->in;
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (Turn));

  rows->turn = g_new0 (guint32, MAX (in->m, 1));
  rows->n_turns = g_new0 (guint32, rows->n_rows);
  for (guint32 e = 0; e < in->m; e++)
    {
      if (!is_inner (in, e))
        continue;
      gint32 a = work->rank[in->from[e]], b = work->rank[in->to[e]];
      guint32 row = rows->row_of[MIN (a, b)];
      Turn turn = { e, rows->row_of[MAX (a, b)], 0 };
      if (row == turn.row)
        continue;
      gint32 last = (gint32)rows->first_rank[row + 1] - 1;
      turn.leaving = stria_layout_turn_across (work, e, last, TRUE);
      g_array_append_val (turns, turn);
    }
  g_array_sort (turns, compare_turns);
  for (guint i = 0; i < turns->len; i++)
    {
      const Turn *turn = &g_array_index (turns, Turn, i);
      rows->turn[turn->edge] = rows->n_turns[turn->row]++;
    }
}

/* Moves ranks and places into their rows. */
static void
set_rows (const Ranks *self, StriaLayoutRows *rows, float *rank_at)
{
  StriaLayoutWork *work = self->work;
  g_autofree float *shift = g_new (float, rows->n_rows);
  guint32 most = 0;
  float at = 0, longest = 0;

  for (guint32 i = 0; i < rows->n_rows; i++)
    most = MAX (most, rows->n_turns[i]);
  rows->left = STRIA_TURN_ROOM + (float)most * STRIA_TURN_GAP;
  for (guint32 i = 0; i < rows->n_rows; i++)
    {
      guint32 first = rows->first_rank[i], end = rows->first_rank[i + 1];
      float top = INFINITY, bottom = -INFINITY, origin = rank_at[first];

      for (guint32 r = first; r < end; r++)
        {
          top = MIN (top, self->top[r]);
          bottom = MAX (bottom, self->bottom[r]);
        }
      longest = MAX (longest, length_of (self, first, end));
      rows->gap_at[i] = at + STRIA_ROW_GAP / 2;
      if (i > 0)
        at += STRIA_ROW_GAP + (float)rows->n_turns[i] * STRIA_TURN_GAP;
      shift[i] = at - top;
      at += bottom - top;
      for (guint32 r = first; r < end; r++)
        rank_at[r] += rows->left - origin;
    }
  for (guint32 p = 0; p < work->places->len; p++)
    {
      StriaPlace *place = stria_place_at (work, p);
      if (place->rank >= 0)
        place->center += shift[rows->row_of[place->rank]];
    }
  rows->right = rows->left + longest + STRIA_TURN_ROOM;
  rows->length = rows->right + (float)most * STRIA_TURN_GAP;
}

StriaLayoutRows *
stria_layout_rows_new (StriaLayoutWork *work, float *rank_at, const float *rank_length)
{
  StriaLayout *in = work->in;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint32));
  Ranks ranks = { work, rank_at, rank_length, NULL, NULL, NULL };
  StriaLayoutRows *rows = NULL;

  if (in->aspect <= 0 || work->n_ranks < 2)
    {
      in->row_length = 0;
      return NULL;
    }
  measure_ranks (&ranks);
  in->row_length = choose_length (&ranks, ends);
  if (in->row_length > 0 && break_rows (&ranks, in->row_length, ends))
    {
      guint32 first = 0;

      rows = g_new0 (StriaLayoutRows, 1);
      rows->n_rows = ends->len;
      rows->row_of = g_new (guint32, work->n_ranks);
      rows->first_rank = g_new0 (guint32, (gsize)rows->n_rows + 1);
      rows->gap_at = g_new0 (float, rows->n_rows);
      for (guint i = 0; i < ends->len; i++)
        {
          guint32 end = g_array_index (ends, guint32, i);
          for (guint32 r = first; r < end; r++)
            rows->row_of[r] = i;
          first = rows->first_rank[i + 1] = end;
        }
      number_turns (work, rows);
      set_rows (&ranks, rows, rank_at);
    }
  g_free (ranks.top);
  g_free (ranks.bottom);
  g_free (ranks.turns);
  return rows;
}

void
stria_layout_rows_free (StriaLayoutRows *self)
{
  if (self == NULL)
    return;
  g_free (self->row_of);
  g_free (self->first_rank);
  g_free (self->gap_at);
  g_free (self->turn);
  g_free (self->n_turns);
  g_free (self);
}
