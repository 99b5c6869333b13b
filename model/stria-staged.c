/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-builder-private.h"

/* Those that every event has */
#define ALWAYS                                                                                     \
  (1u << STRIA_COLUMN_START | 1u << STRIA_COLUMN_NAME | 1u << STRIA_COLUMN_CATEGORY                \
   | 1u << STRIA_COLUMN_FLAGS | 1u << STRIA_COLUMN_SEQ | 1u << STRIA_COLUMN_ARGS)

void
stria_staged_clear (StriaStaged *self)
{
  stria_columns_clear (&self->c);
  g_clear_pointer (&self->park, stria_park_unref);
  *self = (StriaStaged){ .is_counter = self->is_counter };
}

static void
grow (StriaStaged *self)
{
  const guint own = self->is_counter ? STRIA_COLUMN_VALUE : STRIA_COLUMN_DUR;
  const gsize n = self->capacity == 0 ? 256 : self->capacity + self->capacity / 2;

  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    {
      gsize size;
      void **array = stria_columns_get (&self->c, c, &size);

      if (*array != NULL || ((ALWAYS | 1u << own) & 1u << c) != 0)
        *array = g_realloc_n (*array, n, size);
    }
  self->capacity = n;
}

static inline void
put_key (StriaStaged *self, guint64 **column, guint64 key)
{
  if (*column == NULL)
    {
      if (key == 0)
        return;
      *column = g_new0 (guint64, self->capacity);
    }
  (*column)[self->c.n] = key;
}

void
stria_staged_add (StriaStaged *self, const StriaEvent *event, guint16 category)
{
  const gsize n = self->c.n;

  if (n == self->capacity)
    grow (self);
  self->c.start[n] = event->ts_ns;
  if (self->is_counter)
    self->c.value[n] = event->value;
  else
    self->c.dur[n] = event->dur_ns;
  self->c.name[n] = event->name;
  self->c.category[n] = category;
  self->c.flags[n] = event->flags;
  self->c.seq[n] = event->seq;
  self->c.args[n] = event->args;
  if (!self->is_counter)
    {
      put_key (self, &self->c.correlation, event->correlation);
      put_key (self, &self->c.external, event->external);
      put_key (self, &self->c.python, event->id);
    }
  self->c.n++;
}

/* Whether the events can be drawn as they stand: one row, in order. */
static gboolean
is_even (StriaStaged *self)
{
  gint64 last_start = self->park != NULL ? self->last_start : G_MININT64;
  gint64 last_end = self->park != NULL ? self->last_end : G_MININT64;
  gboolean even = TRUE;

  for (gsize i = 0; i < self->c.n; i++)
    {
      const gint64 start = self->c.start[i];
      const gint64 end = self->c.dur != NULL ? start + self->c.dur[i] : start;

      /* One without width does not stand before one that starts with it and is longer. */
      even &= start >= last_end && (start > last_start || end == start);
      last_start = start;
      last_end = end;
    }
  self->last_start = last_start;
  self->last_end = last_end;
  return even;
}

static void
count_names (GArray *n_by_name, const StriaColumns *c)
{
  for (gsize i = 0; i < c->n; i++)
    {
      if (c->name[i] >= n_by_name->len)
        g_array_set_size (n_by_name, c->name[i] + 1);
      g_array_index (n_by_name, guint64, c->name[i])++;
    }
}

void
stria_staged_spill (StriaBuilder *self, StriaStaged *staged)
{
  if (staged->c.n == 0)
    return;
  if (!staged->is_counter)
    count_names (self->n_by_name, &staged->c);
  staged->is_uneven |= !is_even (staged);
  if (staged->park == NULL)
    staged->park = stria_park_new (self->spill);
  stria_park_add (staged->park, &staged->c, 0, (guint) staged->c.n);
  staged->c.n = 0;
}

void
stria_staged_need (StriaStaged *self, StriaColumnNumber column)
{
  gsize size;
  void **array = stria_columns_get (&self->c, column, &size);

  if (self->park == NULL)
    return;
  /* Room for the events of a chunk, which are in the park now */
  if (self->c.n == 0)
    stria_columns_clear (&self->c);
  self->c.n = stria_park_size (self->park);
  self->capacity = self->c.n;
  if (*array != NULL)
    return;
  *array = g_malloc0 (MAX (self->c.n, 1) * size);
  /* What can't be read is told of when the builder ends, and is 0 until then. */
  stria_park_load_column (self->park, column, &self->c, NULL);
}
