/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-layout-private.h"

/* Steps of an edge through ranks that it passes take room and time: so many for each box, and some.
 * The longest edges beyond that are drawn straight. */
#define STEPS_PER_BOX 8
#define STEPS_LEAST 4096
#define STEP_BREADTH 6.0f

/* Edges between boxes by their start (or end): counting sort. */
static void
by_end (const StriaLayout *in, gboolean far, guint32 *start, guint32 *items)
{
  const guint32 *end = far ? in->to : in->from;

  for (guint32 e = 0; e < in->m; e++)
    if (in->from[e] != STRIA_LAYOUT_BORDER && in->to[e] != STRIA_LAYOUT_BORDER)
      start[end[e] + 2]++;
  for (guint32 b = 0; b < in->n; b++)
    start[b + 2] += start[b + 1];
  for (guint32 e = 0; e < in->m; e++)
    if (in->from[e] != STRIA_LAYOUT_BORDER && in->to[e] != STRIA_LAYOUT_BORDER)
      items[start[end[e] + 1]++] = e;
}

/* Depth first: an edge to a box that is being visited closes a cycle and is turned round. Answers
 * the boxes in an order in which edges run forwards. */
static void
break_cycles (StriaLayoutWork *self,
              const guint32 *out_start,
              const guint32 *out,
              guint32 *topological)
{
  const StriaLayout *in = self->in;
  g_autofree guint8 *state = g_malloc0 (in->n);
  g_autofree guint32 *next = g_new (guint32, MAX (in->n, 1));
  g_autofree guint32 *stack = g_new (guint32, MAX (in->n, 1));
  g_autofree guint8 *has_in = g_malloc0 (in->n);
  guint32 done = in->n;

  for (guint32 e = 0; e < in->m; e++)
    if (in->from[e] != STRIA_LAYOUT_BORDER && in->to[e] != STRIA_LAYOUT_BORDER)
      has_in[in->to[e]] = TRUE;
  /* From where nothing comes in first: then what a cycle is entered by is its beginning. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 root = in->n; root-- > 0;)
      {
        guint32 depth = 0;

        if (state[root] != 0 || (pass == 0 && has_in[root]))
          continue;
        stack[depth++] = root;
        state[root] = 1;
        next[root] = out_start[root];
        while (depth > 0)
          {
            guint32 box = stack[depth - 1];

            if (next[box] == out_start[box + 1])
              {
                state[box] = 2;
                topological[--done] = box;
                depth--;
                continue;
              }
            guint32 edge = out[next[box]++];
            guint32 to = in->to[edge];
            if (state[to] == 1)
              self->reversed[edge] = TRUE;
            else if (state[to] == 0)
              {
                state[to] = 1;
                next[to] = out_start[to];
                stack[depth++] = to;
              }
          }
      }
}

/* Longest path from the beginning; then what has more to say to the boxes behind it moves up to
 * them. */
static void
rank_boxes (StriaLayoutWork *self,
            const guint32 *topological,
            const guint32 *out_start,
            const guint32 *out,
            const guint32 *in_start,
            const guint32 *into)
{
  const StriaLayout *in = self->in;

  for (guint32 i = 0; i < in->n; i++)
    {
      guint32 box = topological[i];
      for (guint32 k = out_start[box]; k < out_start[box + 1]; k++)
        if (!self->reversed[out[k]])
          self->rank[in->to[out[k]]] = MAX (self->rank[in->to[out[k]]], self->rank[box] + 1);
      for (guint32 k = in_start[box]; k < in_start[box + 1]; k++)
        if (self->reversed[into[k]])
          self->rank[in->from[into[k]]] = MAX (self->rank[in->from[into[k]]], self->rank[box] + 1);
    }
  for (guint32 i = in->n; i-- > 0;)
    {
      guint32 box = topological[i];
      guint32 n_near = 0, n_far = 0;
      gint32 least = G_MAXINT32;

      for (guint32 k = out_start[box]; k < out_start[box + 1]; k++)
        if (self->reversed[out[k]])
          n_near++;
        else
          {
            n_far++;
            least = MIN (least, self->rank[in->to[out[k]]]);
          }
      for (guint32 k = in_start[box]; k < in_start[box + 1]; k++)
        if (!self->reversed[into[k]])
          n_near++;
        else
          {
            n_far++;
            least = MIN (least, self->rank[in->from[into[k]]]);
          }
      if (n_far > n_near && least != G_MAXINT32)
        self->rank[box] = MAX (self->rank[box], least - 1);
    }
}

static guint32
find_root (guint32 *parent, guint32 box)
{
  while (parent[box] != box)
    box = parent[box] = parent[parent[box]];
  return box;
}

/* Boxes that edges join, numbered in order of their first box; ranks of each begin at 0. */
static void
find_components (StriaLayoutWork *self)
{
  const StriaLayout *in = self->in;
  g_autofree guint32 *parent = g_new (guint32, MAX (in->n, 1));
  g_autofree gint32 *least = NULL;

  for (guint32 b = 0; b < in->n; b++)
    parent[b] = b;
  for (guint32 e = 0; e < in->m; e++)
    if (in->from[e] != STRIA_LAYOUT_BORDER && in->to[e] != STRIA_LAYOUT_BORDER)
      {
        guint32 a = find_root (parent, in->from[e]), b = find_root (parent, in->to[e]);
        parent[MAX (a, b)] = MIN (a, b);
      }
  for (guint32 b = 0; b < in->n; b++)
    {
      guint32 root = find_root (parent, b);
      self->component[b] = root == b ? self->n_components++ : self->component[root];
    }
  least = g_new (gint32, MAX (self->n_components, 1));
  for (guint32 c = 0; c < self->n_components; c++)
    least[c] = G_MAXINT32;
  for (guint32 b = 0; b < in->n; b++)
    least[self->component[b]] = MIN (least[self->component[b]], self->rank[b]);
  for (guint32 b = 0; b < in->n; b++)
    self->rank[b] -= least[self->component[b]];
}

static void
add_link (StriaLayoutWork *self, guint32 near, guint32 far)
{
  g_array_append_val (self->links, near);
  g_array_append_val (self->links, far);
}

static guint32
add_step (StriaLayoutWork *self, guint32 edge, gint32 rank)
{
  guint32 end
      = self->in->from[edge] != STRIA_LAYOUT_BORDER ? self->in->from[edge] : self->in->to[edge];
  StriaPlace step
      = { STRIA_LAYOUT_BORDER, edge, rank, self->component[end], 0, 0, STEP_BREADTH, 4 };

  g_array_append_val (self->places, step);
  return self->places->len - 1;
}

typedef struct
{
  guint32 edge;
  gint32 first, last; /* ranks that it passes; last < first: none */
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *x = a, *y = b;
  gint32 nx = x->last - x->first, ny = y->last - y->first;

  if (nx != ny)
    return nx < ny ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Steps for the edges that pass ranks, the shortest edges first. */
static void
make_steps (StriaLayoutWork *self, gint32 last_rank)
{
  const StriaLayout *in = self->in;
  g_autofree Span *spans = g_new (Span, MAX (in->m, 1));
  guint64 left = (guint64)in->n * STEPS_PER_BOX + STEPS_LEAST;

  for (guint32 e = 0; e < in->m; e++)
    {
      guint32 from = in->from[e], to = in->to[e];
      spans[e].edge = e;
      if (from == STRIA_LAYOUT_BORDER)
        spans[e] = (Span){ e, 0, self->rank[to] - 1 };
      else if (to == STRIA_LAYOUT_BORDER)
        spans[e] = (Span){ e, self->rank[from] + 1, last_rank };
      else
        spans[e] = (Span){ e, MIN (self->rank[from], self->rank[to]) + 1,
                           MAX (self->rank[from], self->rank[to]) - 1 };
    }
  qsort (spans, in->m, sizeof *spans, compare_spans);
  for (guint32 i = 0; i < in->m; i++)
    {
      guint32 e = spans[i].edge;
      guint64 n
          = spans[i].last >= spans[i].first ? (guint64)(spans[i].last - spans[i].first + 1) : 0;
      guint32 near = in->from[e], far = in->to[e];

      if (near != STRIA_LAYOUT_BORDER && far != STRIA_LAYOUT_BORDER
          && self->rank[near] > self->rank[far])
        {
          guint32 swap = near;
          near = far;
          far = swap;
        }
      self->step_first[e] = STRIA_LAYOUT_BORDER;
      if (n > left)
        continue;
      left -= n;
      self->step_count[e] = (guint32)n;
      for (gint32 rank = spans[i].first; rank <= spans[i].last; rank++)
        {
          guint32 step = add_step (self, e, rank);
          if (self->step_first[e] == STRIA_LAYOUT_BORDER)
            self->step_first[e] = step;
          if (near != STRIA_LAYOUT_BORDER)
            add_link (self, near, step);
          near = step;
        }
      if (near != STRIA_LAYOUT_BORDER && far != STRIA_LAYOUT_BORDER)
        add_link (self, near, far);
    }
}

static void
index_links (StriaLayoutWork *self)
{
  guint32 n = self->places->len, m = self->links->len / 2;
  const guint32 *links = (const guint32 *)(gpointer)self->links->data;

  self->near_start = g_new0 (guint32, (gsize)n + 2);
  self->far_start = g_new0 (guint32, (gsize)n + 2);
  self->near_items = g_new (guint32, MAX (m, 1));
  self->far_items = g_new (guint32, MAX (m, 1));
  for (guint32 l = 0; l < m; l++)
    {
      self->far_start[links[2 * l] + 2]++;
      self->near_start[links[2 * l + 1] + 2]++;
    }
  for (guint32 p = 0; p < n; p++)
    {
      self->far_start[p + 2] += self->far_start[p + 1];
      self->near_start[p + 2] += self->near_start[p + 1];
    }
  for (guint32 l = 0; l < m; l++)
    {
      self->far_items[self->far_start[links[2 * l] + 1]++] = links[2 * l + 1];
      self->near_items[self->near_start[links[2 * l + 1] + 1]++] = links[2 * l];
    }
}

void
stria_layout_prepare (StriaLayoutWork *self, const guint8 *is_lonely)
{
  const StriaLayout *in = self->in;
  g_autofree guint32 *out_start = g_new0 (guint32, (gsize)in->n + 2);
  g_autofree guint32 *in_start = g_new0 (guint32, (gsize)in->n + 2);
  g_autofree guint32 *out = g_new (guint32, MAX (in->m, 1));
  g_autofree guint32 *into = g_new (guint32, MAX (in->m, 1));
  g_autofree guint32 *topological = g_new (guint32, MAX (in->n, 1));
  gint32 last_rank = 0;

  by_end (in, FALSE, out_start, out);
  by_end (in, TRUE, in_start, into);
  break_cycles (self, out_start, out, topological);
  rank_boxes (self, topological, out_start, out, in_start, into);
  find_components (self);
  for (guint32 b = 0; b < in->n; b++)
    {
      StriaPlace box = {
        b, 0, is_lonely[b] ? -1 : self->rank[b], self->component[b], 0, 0, in->breadth[b], 1
      };
      g_array_append_val (self->places, box);
      last_rank = MAX (last_rank, box.rank);
    }
  make_steps (self, last_rank);
  index_links (self);
}
