/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-error.h"
#include "stria-lane-private.h"
#include "stria-lane-sums.h"

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
  stria_pyramid_clear (&body->pyramid);
  g_clear_pointer (&body->sums, stria_lane_sums_free);
  g_free (body->name);
  g_free (body->key);
  g_free (body->unit);
  g_free (body->row_begin);
  g_clear_pointer (&body->park, stria_park_unref);
  g_mutex_clear (&body->mutex);
  g_free (body);
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
    }
  stria_lane_body_build_pyramid (body);
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
  stria_pyramid_clear (&body->pyramid);
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
