/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-lane-private.h"

/* What stands over the columns of a lane, so that a picture or a sum of any range asks few events. */

void
stria_pyramid_clear (StriaPyramid *pyramid)
{
  for (guint level = 0; level < STRIA_MAX_LEVELS; level++)
    {
      g_free (pyramid->longest[level]);
      g_free (pyramid->longest_ns[level]);
      g_free (pyramid->min[level]);
      g_free (pyramid->max[level]);
      g_free (pyramid->integral[level]);
    }
  g_free (pyramid->busy);
  g_free (pyramid->clipped);
  g_free (pyramid->block_start);
  *pyramid = (StriaPyramid){ 0 };
}

static void
build_slices (StriaLaneBody *body)
{
  StriaPyramid *p = &body->pyramid;
  const StriaColumns *c = &body->columns;
  guint64 n = c->n;
  guint64 blocks = (n + STRIA_FANOUT - 1) >> STRIA_FANOUT_BITS;
  g_autofree guint16 *clipped = g_new0 (guint16, blocks + 1);
  gint64 sum = 0;
  guint32 row = 0;

  p->busy = g_new (gint64, blocks + 1);
  if (c->dur == NULL)
    {
      for (guint64 k = 0; k <= blocks; k++)
        p->busy[k] = 0;
      return;
    }

  for (guint64 i = 0; i < n; i++)
    {
      while (i >= body->row_begin[row + 1])
        row++;
      if ((i & (STRIA_FANOUT - 1)) == 0)
        p->busy[i >> STRIA_FANOUT_BITS] = sum;
      const gint64 drawn
          = stria_lane_body_drawn_end (body, body->row_begin[row + 1], i) - c->start[i];

      if (drawn != c->dur[i])
        clipped[i >> STRIA_FANOUT_BITS] |= (guint16) (1u << (i & (STRIA_FANOUT - 1)));
      sum += drawn;
    }
  p->busy[blocks] = sum;
  p->clipped = g_steal_pointer (&clipped);
  p->block_start = g_new (gint64, blocks + 1);
  for (guint64 k = 0; k < blocks; k++)
    p->block_start[k] = c->start[k << STRIA_FANOUT_BITS];

  guint64 below = n;
  for (guint level = 0; level < STRIA_MAX_LEVELS && below > STRIA_FANOUT; level++)
    {
      guint64 size = (below + STRIA_FANOUT - 1) >> STRIA_FANOUT_BITS;
      guint32 *longest = g_new (guint32, size);
      gint64 *longest_ns = g_new (gint64, size);

      for (guint64 k = 0; k < size; k++)
        {
          guint64 from = k << STRIA_FANOUT_BITS;
          guint64 to = MIN (from + STRIA_FANOUT, below);
          guint32 best = level == 0 ? (guint32) from : p->longest[level - 1][from];

          for (guint64 i = from + 1; i < to; i++)
            {
              guint32 candidate = level == 0 ? (guint32) i : p->longest[level - 1][i];
              if (c->dur[candidate] > c->dur[best])
                best = candidate;
            }
          longest[k] = best;
          longest_ns[k] = c->dur[best];
        }
      p->longest[level] = longest;
      p->longest_ns[level] = longest_ns;
      p->level_size[level] = size;
      p->n_levels = level + 1;
      below = size;
    }
}

static double
sample_integral (const StriaColumns *c, guint64 i)
{
  return i + 1 < c->n ? c->value[i] * (double) (c->start[i + 1] - c->start[i]) : 0;
}

static void
build_counter (StriaLaneBody *body)
{
  StriaPyramid *p = &body->pyramid;
  const StriaColumns *c = &body->columns;
  guint64 below = c->n;

  for (guint level = 0; level < STRIA_MAX_LEVELS && below > STRIA_FANOUT; level++)
    {
      guint64 size = (below + STRIA_FANOUT - 1) >> STRIA_FANOUT_BITS;
      double *min = g_new (double, size), *max = g_new (double, size);
      double *integral = g_new (double, size);

      for (guint64 k = 0; k < size; k++)
        {
          guint64 from = k << STRIA_FANOUT_BITS;
          guint64 to = MIN (from + STRIA_FANOUT, below);

          min[k] = level == 0 ? c->value[from] : p->min[level - 1][from];
          max[k] = level == 0 ? c->value[from] : p->max[level - 1][from];
          integral[k] = 0;
          for (guint64 i = from; i < to; i++)
            {
              min[k] = MIN (min[k], level == 0 ? c->value[i] : p->min[level - 1][i]);
              max[k] = MAX (max[k], level == 0 ? c->value[i] : p->max[level - 1][i]);
              integral[k] += level == 0 ? sample_integral (c, i) : p->integral[level - 1][i];
            }
        }
      p->min[level] = min;
      p->max[level] = max;
      p->integral[level] = integral;
      p->level_size[level] = size;
      p->n_levels = level + 1;
      below = size;
    }
}

void
stria_lane_body_build_pyramid (StriaLaneBody *body)
{
  if (body->kind == STRIA_LANE_COUNTER)
    build_counter (body);
  else
    build_slices (body);
}

guint32
stria_lane_longest (const StriaLaneBody *body, guint64 i, guint64 j)
{
  const StriaColumns *c = &body->columns;
  guint32 best = (guint32) i;
  gint64 best_ns = 0;
  guint level = 0;

  if (c->dur == NULL)
    return best;
  best_ns = c->dur[best];
#define CONSIDER(candidate, ns)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gint64 ns_ = (ns);                                                                       \
    if (ns_ > best_ns)                                                                             \
      {                                                                                            \
        best_ns = ns_;                                                                             \
        best = (candidate);                                                                        \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END
  /* Up the pyramid while both ends stick out of whole groups, like a segment tree's query. */
  for (; i < j && (i & (STRIA_FANOUT - 1)) != 0; i++)
    CONSIDER ((guint32) i, c->dur[i]);
  for (; i < j && (j & (STRIA_FANOUT - 1)) != 0; j--)
    CONSIDER ((guint32) (j - 1), c->dur[j - 1]);
  i >>= STRIA_FANOUT_BITS;
  j >>= STRIA_FANOUT_BITS;
  while (i < j)
    {
      if (level >= body->pyramid.n_levels)
        {
          /* A lane too short for this level: its groups are walked event by event. */
          guint shift = level * STRIA_FANOUT_BITS + STRIA_FANOUT_BITS;
          for (guint64 e = i << shift; e < j << shift; e++)
            CONSIDER ((guint32) e, c->dur[e]);
          break;
        }
      const guint32 *groups = body->pyramid.longest[level];
      const gint64 *groups_ns = body->pyramid.longest_ns[level];
      gboolean last = level + 1 >= body->pyramid.n_levels;

      for (; i < j && (last || (i & (STRIA_FANOUT - 1)) != 0); i++)
        CONSIDER (groups[i], groups_ns[i]);
      for (; i < j && (j & (STRIA_FANOUT - 1)) != 0; j--)
        CONSIDER (groups[j - 1], groups_ns[j - 1]);
      i >>= STRIA_FANOUT_BITS;
      j >>= STRIA_FANOUT_BITS;
      level++;
      if (last)
        break;
    }
#undef CONSIDER
  return best;
}

gint64
stria_lane_drawn_sum (const StriaLaneBody *body, guint64 i, guint64 j)
{
  const StriaColumns *c = &body->columns;
  guint64 a = (i + STRIA_FANOUT - 1) >> STRIA_FANOUT_BITS;
  guint64 b = j >> STRIA_FANOUT_BITS;
  gint64 sum = 0;

  if (c->dur == NULL || i >= j)
    return 0;
  guint32 row = 0;
  for (guint32 low = 0, high = body->n_rows; high - low > 1;)
    {
      guint32 mid = low + (high - low) / 2;
      if (body->row_begin[mid] <= i)
        low = mid;
      else
        high = mid;
      row = low;
    }
  guint64 row_end = body->row_begin[row + 1];
  if (a < b)
    {
      sum = body->pyramid.busy[b] - body->pyramid.busy[a];
      for (guint64 e = i; e < a << STRIA_FANOUT_BITS; e++)
        sum += stria_lane_body_drawn_end (body, row_end, e) - c->start[e];
      i = b << STRIA_FANOUT_BITS;
    }
  for (guint64 e = i; e < j; e++)
    sum += stria_lane_body_drawn_end (body, row_end, e) - c->start[e];
  return sum;
}

void
stria_lane_value_stats (const StriaLaneBody *body, guint64 i, guint64 j, double *min, double *max,
                        double *integral)
{
  const StriaColumns *c = &body->columns;
  guint level = 0;

  *min = c->value[i];
  *max = c->value[i];
  *integral = 0;
#define ADD(lo, hi, area)                                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    *min = MIN (*min, lo);                                                                         \
    *max = MAX (*max, hi);                                                                         \
    *integral += area;                                                                             \
  }                                                                                                \
  G_STMT_END
  while (i < j && (i & (STRIA_FANOUT - 1)) != 0)
    {
      ADD (c->value[i], c->value[i], sample_integral (c, i));
      i++;
    }
  while (i < j && (j & (STRIA_FANOUT - 1)) != 0)
    {
      j--;
      ADD (c->value[j], c->value[j], sample_integral (c, j));
    }
  i >>= STRIA_FANOUT_BITS;
  j >>= STRIA_FANOUT_BITS;
  while (i < j)
    {
      if (level >= body->pyramid.n_levels)
        {
          guint shift = level * STRIA_FANOUT_BITS + STRIA_FANOUT_BITS;
          for (guint64 e = i << shift; e < j << shift; e++)
            ADD (c->value[e], c->value[e], sample_integral (c, e));
          break;
        }
      const double *lo = body->pyramid.min[level], *hi = body->pyramid.max[level];
      const double *area = body->pyramid.integral[level];
      gboolean last = level + 1 >= body->pyramid.n_levels;

      while (i < j && (last || (i & (STRIA_FANOUT - 1)) != 0))
        {
          ADD (lo[i], hi[i], area[i]);
          i++;
        }
      while (i < j && (j & (STRIA_FANOUT - 1)) != 0)
        {
          j--;
          ADD (lo[j], hi[j], area[j]);
        }
      i >>= STRIA_FANOUT_BITS;
      j >>= STRIA_FANOUT_BITS;
      level++;
      if (last)
        break;
    }
#undef ADD
}
