/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-lane-private.h"

static void
pyramid_clear (StriaPyramid *pyramid)
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

StriaLaneBody *
stria_lane_body_new (StriaLaneKind kind, const char *name, const char *key)
{
  StriaLaneBody *body = g_new0 (StriaLaneBody, 1);

  g_atomic_ref_count_init (&body->refs);
  g_mutex_init (&body->mutex);
  body->kind = kind;
  body->name = g_strdup (name);
  body->key = g_strdup (key);
  return body;
}

StriaLaneBody *
stria_lane_body_ref (StriaLaneBody *body)
{
  g_atomic_ref_count_inc (&body->refs);
  return body;
}

void
stria_lane_body_unref (StriaLaneBody *body)
{
  if (!g_atomic_ref_count_dec (&body->refs))
    return;
  if (body->loader_destroy != NULL)
    body->loader_destroy (body->loader_data);
  stria_columns_clear (&body->columns);
  pyramid_clear (&body->pyramid);
  g_free (body->name);
  g_free (body->key);
  g_free (body->unit);
  g_free (body->row_begin);
  g_clear_pointer (&body->park, stria_park_unref);
  g_mutex_clear (&body->mutex);
  g_free (body);
}

static void
build_slice_pyramid (StriaLaneBody *body)
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
build_counter_pyramid (StriaLaneBody *body)
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
stria_lane_body_finish (StriaLaneBody *body)
{
  const StriaColumns *c = &body->columns;

  if (c->n > 0)
    {
      gint64 start = G_MAXINT64, end = G_MININT64;

      for (guint32 row = 0; row < body->n_rows; row++)
        if (body->row_begin[row] < body->row_begin[row + 1])
          start = MIN (start, c->start[body->row_begin[row]]);
      for (guint64 i = 0; i < c->n; i++)
        {
          gint64 e = c->start[i] + (c->dur != NULL ? c->dur[i] : 0);
          end = MAX (end, e);
        }
      body->start_ns = start;
      body->end_ns = end;
    }
  if (body->kind == STRIA_LANE_COUNTER)
    {
      for (guint64 i = 0; i < c->n; i++)
        {
          body->min_value = i == 0 ? c->value[i] : MIN (body->min_value, c->value[i]);
          body->max_value = i == 0 ? c->value[i] : MAX (body->max_value, c->value[i]);
        }
      build_counter_pyramid (body);
    }
  else
    build_slice_pyramid (body);
  g_atomic_int_set (&body->loaded, 1);
}

static gboolean
load_park (gpointer user_data, guint64 first_id, StriaColumns *columns, GCancellable *cancellable,
           GError **error)
{
  return stria_park_load (user_data, columns, cancellable, error);
}

void
stria_lane_body_set_park (StriaLaneBody *body, StriaPark *park)
{
  body->park = stria_park_ref (park);
  body->n_events = stria_park_size (park);
  stria_park_range (park, &body->start_ns, &body->end_ns);
  stria_park_value_range (park, &body->min_value, &body->max_value);
  /* The body has the park, so it need not be kept for the loader as well. */
  body->loader = load_park;
  body->loader_data = park;
}

void
stria_lane_body_park (StriaLaneBody *body, StriaSpill *spill)
{
  const StriaColumns *c = &body->columns;
  g_autoptr (StriaPark) park = stria_park_new (spill);

  for (guint64 i = 0; i < c->n; i += STRIA_PACK_EVENTS)
    stria_park_add (park, c, i, (guint) MIN (STRIA_PACK_EVENTS, c->n - i));
  if (body->n_rows > 0 && c->dur != NULL)
    {
      StriaDensity *density = g_new0 (StriaDensity, 1);

      for (guint64 i = body->row_begin[0]; i < body->row_begin[1]; i++)
        stria_density_add (density, c->start[i], c->start[i] + c->dur[i]);
      stria_park_take_density (park, density);
    }
  stria_columns_clear (&body->columns);
  pyramid_clear (&body->pyramid);
  g_atomic_int_set (&body->loaded, 0);
  stria_lane_body_set_park (body, park);
}

StriaLane *
stria_lane_new (StriaLaneBody *body, guint32 process, guint32 artifact, guint64 first_id)
{
  StriaLane *self = g_new0 (StriaLane, 1);

  g_atomic_ref_count_init (&self->refs);
  self->body = stria_lane_body_ref (body);
  self->process = process;
  self->artifact = artifact;
  self->first_id = first_id;
  return self;
}

StriaLane *
stria_lane_ref (StriaLane *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_lane_unref (StriaLane *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  stria_lane_body_unref (self->body);
  g_free (self);
}

StriaLaneKind
stria_lane_get_kind (StriaLane *self)
{
  return self->body->kind;
}

const char *
stria_lane_get_name (StriaLane *self)
{
  return self->body->name;
}

guint32
stria_lane_get_process (StriaLane *self)
{
  return self->process;
}

guint32
stria_lane_get_artifact (StriaLane *self)
{
  return self->artifact;
}

const char *
stria_lane_get_key (StriaLane *self)
{
  return self->body->key;
}

guint32
stria_lane_get_n_rows (StriaLane *self)
{
  return self->body->n_rows;
}

guint64
stria_lane_get_n_events (StriaLane *self)
{
  return self->body->n_events;
}

void
stria_lane_get_row (StriaLane *self, guint32 row, guint64 *begin, guint64 *end)
{
  g_return_if_fail (row < self->body->n_rows);
  *begin = self->body->row_begin[row];
  *end = self->body->row_begin[row + 1];
}

guint32
stria_lane_row_of (StriaLane *self, guint64 index)
{
  const guint64 *begin = self->body->row_begin;
  guint32 low = 0, high = self->body->n_rows;

  while (high - low > 1)
    {
      guint32 mid = low + (high - low) / 2;
      if (begin[mid] <= index)
        low = mid;
      else
        high = mid;
    }
  return low;
}

gboolean
stria_lane_get_range (StriaLane *self, gint64 *start_ns, gint64 *end_ns)
{
  *start_ns = self->body->start_ns;
  *end_ns = self->body->end_ns;
  return self->body->n_events > 0;
}

void
stria_lane_get_value_range (StriaLane *self, double *min, double *max)
{
  *min = self->body->min_value;
  *max = self->body->max_value;
}

const char *
stria_lane_get_unit (StriaLane *self)
{
  return self->body->unit;
}

guint64
stria_lane_get_first_id (StriaLane *self)
{
  return self->first_id;
}

gboolean
stria_lane_is_loaded (StriaLane *self)
{
  return g_atomic_int_get (&self->body->loaded);
}

/**
 * stria_lane_load:
 *
 * Brings the columns of a lane that came from a store into memory; returns at once if they are.
 * Any thread; two threads that ask at once share one load.
 *
 * Returns: FALSE with @error if the store is damaged or the call was cancelled
 */
gboolean
stria_lane_load (StriaLane *self, GCancellable *cancellable, GError **error)
{
  StriaLaneBody *body = self->body;
  gboolean ok = TRUE;

  if (g_atomic_int_get (&body->loaded))
    return TRUE;
  g_mutex_lock (&body->mutex);
  if (!g_atomic_int_get (&body->loaded))
    {
      StriaColumns columns = { 0 };

      if (body->loader == NULL)
        {
          g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_STORE,
                               "A lane without columns has no store to load them from");
          ok = FALSE;
        }
      else
        ok = body->loader (body->loader_data, self->first_id, &columns, cancellable, error);
      if (ok && columns.n != body->n_events)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                       "Lane “%s”: %" G_GUINT64_FORMAT " events expected, the store has %"
                       G_GUINT64_FORMAT, body->name, body->n_events, columns.n);
          ok = FALSE;
        }
      if (ok)
        {
          /* Lanes of one row are kept without. */
          if (columns.parent == NULL && body->kind != STRIA_LANE_COUNTER)
            {
              columns.parent = g_new (guint32, MAX (columns.n, 1));
              memset (columns.parent, 0xff, columns.n * sizeof *columns.parent);
            }
          body->columns = columns;
          stria_lane_body_finish (body);
        }
      else
        stria_columns_clear (&columns);
    }
  g_mutex_unlock (&body->mutex);
  return ok;
}

const StriaColumns *
stria_lane_get_columns (StriaLane *self)
{
  return stria_lane_is_loaded (self) ? &self->body->columns : NULL;
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

gint64
stria_lane_drawn_end (StriaLane *self, guint64 index)
{
  guint32 row = stria_lane_row_of (self, index);

  g_return_val_if_fail (stria_lane_is_loaded (self), 0);
  return stria_lane_body_drawn_end (self->body, self->body->row_begin[row + 1], index);
}

void
stria_lane_children (StriaLane *self, guint64 index, guint64 *begin, guint64 *end)
{
  const StriaColumns *c = stria_lane_get_columns (self);
  guint32 row = stria_lane_row_of (self, index);

  *begin = *end = 0;
  if (c == NULL || c->parent == NULL || row + 1 >= self->body->n_rows)
    return;
  /* Children stand together in the next row, in the order of their parents. */
  guint64 low = self->body->row_begin[row + 1], row_end = self->body->row_begin[row + 2];
  guint64 high = row_end;
  while (low < high)
    {
      guint64 mid = low + (high - low) / 2;
      if (c->parent[mid] < index)
        low = mid + 1;
      else
        high = mid;
    }
  *begin = *end = low;
  high = row_end;
  while (low < high)
    {
      guint64 mid = low + (high - low) / 2;
      if (c->parent[mid] <= index)
        low = mid + 1;
      else
        high = mid;
    }
  *end = low;
}

gint64
stria_lane_self_ns (StriaLane *self, guint64 index)
{
  const StriaColumns *c = stria_lane_get_columns (self);
  guint64 begin, end;

  if (c == NULL || c->dur == NULL)
    return 0;
  stria_lane_children (self, index, &begin, &end);
  return c->dur[index] - stria_lane_drawn_sum (self->body, begin, end);
}

guint64
stria_lane_lower_bound (StriaLane *self, guint32 row, gint64 ns)
{
  const StriaLaneBody *body = self->body;
  const StriaColumns *c = &body->columns;
  guint64 low = body->row_begin[row], high = body->row_begin[row + 1];
  guint64 first = low, row_end = high;

  while (low < high)
    {
      guint64 mid = low + (high - low) / 2;
      if (c->start[mid] < ns)
        low = mid + 1;
      else
        high = mid;
    }
  /* The one before may still run. */
  if (low > first && stria_lane_body_drawn_end (body, row_end, low - 1) > ns)
    low--;
  return low;
}

guint64
stria_lane_find (StriaLane *self, guint32 row, gint64 ns, gint64 slack_ns)
{
  const StriaLaneBody *body = self->body;
  const StriaColumns *c = &body->columns;

  if (!stria_lane_is_loaded (self) || row >= body->n_rows)
    return G_MAXUINT64;
  guint64 begin = body->row_begin[row], end = body->row_begin[row + 1];
  guint64 i = stria_lane_lower_bound (self, row, ns);
  if (i < end && c->start[i] <= ns
      && stria_lane_body_drawn_end (body, end, i) > ns)
    return i;

  /* Nothing covers the point: the nearest edge within the slack. */
  guint64 best = G_MAXUINT64;
  gint64 distance = slack_ns;
  if (i < end && c->start[i] - ns <= distance)
    {
      best = i;
      distance = c->start[i] - ns;
    }
  if (i > begin)
    {
      gint64 behind = ns - stria_lane_body_drawn_end (body, end, i - 1);
      if (behind >= 0 && behind < distance)
        best = i - 1;
    }
  return best;
}

gint64
stria_lane_busy_ns (StriaLane *self, guint32 row, gint64 t0, gint64 t1)
{
  const StriaLaneBody *body = self->body;
  const StriaColumns *c = &body->columns;

  if (!stria_lane_is_loaded (self) || row >= body->n_rows || t1 <= t0 || c->dur == NULL)
    return 0;
  guint64 row_end = body->row_begin[row + 1];
  guint64 i = stria_lane_lower_bound (self, row, t0);
  guint64 j = i;
  for (guint64 high = row_end; j < high;)
    {
      guint64 mid = j + (high - j) / 2;
      if (c->start[mid] < t1)
        j = mid + 1;
      else
        high = mid;
    }
  if (i >= j)
    return 0;
  gint64 busy = stria_lane_drawn_sum (body, i, j);
  if (c->start[i] < t0)
    busy -= t0 - c->start[i];
  gint64 last_end = stria_lane_body_drawn_end (body, row_end, j - 1);
  if (last_end > t1)
    busy -= last_end - t1;
  return busy;
}

guint64
stria_lane_sample_at (StriaLane *self, gint64 ns)
{
  const StriaColumns *c = stria_lane_get_columns (self);

  if (c == NULL || c->n == 0 || c->start[0] > ns)
    return G_MAXUINT64;
  guint64 low = 0, high = c->n;
  while (low < high)
    {
      guint64 mid = low + (high - low) / 2;
      if (c->start[mid] <= ns)
        low = mid + 1;
      else
        high = mid;
    }
  return low - 1;
}
