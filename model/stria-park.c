/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-park.h"

#include <string.h>

#include "stria-error.h"

typedef struct
{
  guint64 place[STRIA_N_COLUMNS];
  guint32 length[STRIA_N_COLUMNS]; /* in bytes; 0: it is not there, all its elements are 0 */
} Chunk;

struct _StriaPark
{
  gatomicrefcount refs;
  StriaSpill *spill;
  GArray *chunks; /* Chunk */
  guint64 n;
  guint32 present; /* a bit a column */
  gint64 start_ns;
  gint64 end_ns;
  double min_value;
  double max_value;
  GError *error;

  gint64 shift;
  guint32 *names;
  guint n_names;
  guint16 *categories;
  guint n_categories;
  StriaDensity *density;
};

StriaPark *
stria_park_new (StriaSpill *spill)
{
  StriaPark *self = g_new0 (StriaPark, 1);

  g_atomic_ref_count_init (&self->refs);
  self->spill = stria_spill_ref (spill);
  self->chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  self->start_ns = G_MAXINT64;
  self->end_ns = G_MININT64;
  return self;
}

StriaPark *
stria_park_ref (StriaPark *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_park_unref (StriaPark *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  stria_spill_unref (self->spill);
  g_array_unref (self->chunks);
  g_clear_error (&self->error);
  g_free (self->names);
  g_free (self->categories);
  g_free (self->density);
  g_free (self);
}

guint64
stria_park_size (StriaPark *self)
{
  return self->n;
}

gboolean
stria_park_has (StriaPark *self, StriaColumnNumber column)
{
  return (self->present & 1u << column) != 0;
}

void
stria_park_drop (StriaPark *self, StriaColumnNumber column)
{
  self->present &= ~(1u << column);
}

guint
stria_park_n_chunks (StriaPark *self)
{
  return self->chunks->len;
}

static void
take_bounds (StriaPark *self, const StriaColumns *columns, guint64 first, guint n)
{
  for (guint64 i = first; i < first + n; i++)
    {
      self->start_ns = MIN (self->start_ns, columns->start[i]);
      self->end_ns
          = MAX (self->end_ns, columns->start[i] + (columns->dur != NULL ? columns->dur[i] : 0));
    }
  for (guint64 i = first; columns->value != NULL && i < first + n; i++)
    {
      const double value = columns->value[i];

      self->min_value = self->n == 0 && i == first ? value : MIN (self->min_value, value);
      self->max_value = self->n == 0 && i == first ? value : MAX (self->max_value, value);
    }
}

void
stria_park_add (StriaPark *self, const StriaColumns *columns, guint64 first, guint n)
{
  g_autoptr (GByteArray) packed = g_byte_array_sized_new (n * 24);
  Chunk chunk = { 0 };
  guint64 place = 0;

  g_return_if_fail (n <= STRIA_PACK_EVENTS && self->n % STRIA_PACK_EVENTS == 0);
  if (n == 0)
    return;
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    {
      gsize size;
      const guint8 *values = *stria_columns_get ((StriaColumns *) columns, c, &size);

      chunk.place[c] = packed->len;
      if (values == NULL)
        continue;
      self->present |= 1u << c;
      stria_column_pack (values + first * size, size, n, packed);
      chunk.length[c] = (guint32) (packed->len - chunk.place[c]);
    }
  if (self->error == NULL)
    stria_spill_append (self->spill, packed->data, packed->len, &place, &self->error);
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    chunk.place[c] += place;
  g_array_append_val (self->chunks, chunk);
  take_bounds (self, columns, first, n);
  self->n += n;
}

void
stria_park_set_size (StriaPark *self, guint64 n, gint64 start_ns, gint64 end_ns)
{
  g_return_if_fail (self->n == 0);

  self->n = n;
  self->start_ns = start_ns;
  self->end_ns = end_ns;
  g_array_set_size (self->chunks, (guint) ((n + STRIA_PACK_EVENTS - 1) / STRIA_PACK_EVENTS));
  memset (self->chunks->data, 0, self->chunks->len * sizeof (Chunk));
}

void
stria_park_put_column (StriaPark *self, StriaColumnNumber column, gconstpointer values,
                       const guint32 *pick)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autofree guint8 *picked = NULL;
  StriaColumns unused = { 0 };
  gsize size;

  stria_columns_get (&unused, column, &size);
  picked = g_malloc (STRIA_PACK_EVENTS * size);
  self->present |= 1u << column;
  for (guint i = 0; i < self->chunks->len; i++)
    {
      Chunk *chunk = &g_array_index (self->chunks, Chunk, i);
      const gsize first = (gsize) i * STRIA_PACK_EVENTS;
      const guint n = (guint) MIN (STRIA_PACK_EVENTS, self->n - first);
      gconstpointer from = (const guint8 *) values + first * size;

      if (pick != NULL)
        {
          stria_column_gather (values, size, pick + first, n, picked);
          from = picked;
        }
      g_byte_array_set_size (packed, 0);
      stria_column_pack (from, size, n, packed);
      chunk->length[column] = packed->len;
      if (self->error == NULL)
        stria_spill_append (self->spill, packed->data, packed->len, &chunk->place[column],
                            &self->error);
      for (guint k = 0; column == STRIA_COLUMN_VALUE && k < n; k++)
        {
          const double value = ((const double *) from)[k];

          self->min_value = first + k == 0 ? value : MIN (self->min_value, value);
          self->max_value = first + k == 0 ? value : MAX (self->max_value, value);
        }
    }
}

gboolean
stria_park_check (StriaPark *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

void
stria_park_range (StriaPark *self, gint64 *start_ns, gint64 *end_ns)
{
  *start_ns = self->n > 0 ? self->start_ns + self->shift : 0;
  *end_ns = self->n > 0 ? self->end_ns + self->shift : 0;
}

void
stria_park_value_range (StriaPark *self, double *min, double *max)
{
  *min = self->min_value;
  *max = self->max_value;
}

void
stria_park_translate (StriaPark *self, const guint32 *names, guint n_names,
                      const guint16 *categories, guint n_categories)
{
  g_return_if_fail (self->names == NULL);

  self->names = g_memdup2 (names, MAX (n_names, 1) * sizeof *names);
  self->n_names = n_names;
  self->categories = g_memdup2 (categories, MAX (n_categories, 1) * sizeof *categories);
  self->n_categories = n_categories;
}

void
stria_park_shift (StriaPark *self, gint64 shift)
{
  self->shift += shift;
}

void
stria_park_take_density (StriaPark *self, StriaDensity *density)
{
  g_free (self->density);
  self->density = density;
}

const StriaDensity *
stria_park_get_density (StriaPark *self, gint64 *shift)
{
  *shift = self->shift;
  return self->density;
}

/* -- reading -------------------------------------------------------------------------------- */

static guint
chunk_events (StriaPark *self, guint chunk)
{
  return (guint) MIN (STRIA_PACK_EVENTS, self->n - (guint64) chunk * STRIA_PACK_EVENTS);
}

/* What the decoder's ids are to the capture. */
static void
translate (StriaPark *self, StriaColumnNumber column, gpointer values, guint n)
{
  guint32 *names = values;
  guint16 *categories = values;

  if (column == STRIA_COLUMN_NAME && self->names != NULL)
    for (guint i = 0; i < n; i++)
      names[i] = names[i] < self->n_names ? self->names[names[i]] : 0;
  else if (column == STRIA_COLUMN_CATEGORY && self->categories != NULL)
    for (guint i = 0; i < n; i++)
      categories[i] = categories[i] < self->n_categories ? self->categories[categories[i]] : 0;
}

static gboolean
load_chunk (StriaPark *self, StriaColumnNumber column, gsize element_size, guint number,
            gpointer values, GError **error)
{
  const Chunk *chunk = &g_array_index (self->chunks, Chunk, number);
  const guint32 length = chunk->length[column];
  g_autoptr (GBytes) bytes = NULL;
  const guint n = chunk_events (self, number);

  if (!stria_park_check (self, error))
    return FALSE;
  /* Those before the first that had a value */
  if (length == 0)
    {
      memset (values, 0, n * element_size);
      return TRUE;
    }
  bytes = stria_spill_read (self->spill, chunk->place[column], length, error);
  if (bytes == NULL)
    return FALSE;
  if (!stria_column_unpack (g_bytes_get_data (bytes, NULL), length, element_size, n, values))
    {
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_STORE,
                           "A lane's events were changed on the disk");
      return FALSE;
    }
  translate (self, column, values, n);
  if (column == STRIA_COLUMN_START && self->shift != 0)
    for (guint i = 0; i < n; i++)
      ((gint64 *) values)[i] += self->shift;
  return TRUE;
}

gboolean
stria_park_load_column (StriaPark *self, StriaColumnNumber column, StriaColumns *columns,
                        GError **error)
{
  gsize size;
  guint8 **array = (guint8 **) stria_columns_get (columns, column, &size);

  columns->n = self->n;
  if ((self->present & 1u << column) == 0)
    return TRUE;
  if (*array == NULL)
    *array = g_malloc (MAX (self->n, 1) * size);
  for (guint i = 0; i < self->chunks->len; i++)
    if (!load_chunk (self, column, size, i, *array + (gsize) i * STRIA_PACK_EVENTS * size, error))
      return FALSE;
  return TRUE;
}

gboolean
stria_park_load (StriaPark *self, StriaColumns *columns, GCancellable *cancellable, GError **error)
{
  for (guint c = 0; c < STRIA_N_COLUMNS; c++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !stria_park_load_column (self, c, columns, error))
      return FALSE;
  return TRUE;
}

gint64
stria_park_first_after (StriaPark *self, gint64 ns)
{
  g_autofree gint64 *starts = NULL;
  gint64 first = G_MAXINT64;

  if (self->n > 0 && self->start_ns + self->shift > ns)
    return self->start_ns + self->shift;
  starts = g_new (gint64, STRIA_PACK_EVENTS);
  for (guint c = 0; c < self->chunks->len; c++)
    {
      if (!load_chunk (self, STRIA_COLUMN_START, sizeof *starts, c, starts, NULL))
        continue;
      for (guint i = 0; i < chunk_events (self, c); i++)
        if (starts[i] > ns)
          first = MIN (first, starts[i]);
    }
  return first;
}

GBytes *
stria_park_get_chunk (StriaPark *self, StriaColumnNumber column, guint number, GError **error)
{
  const Chunk *chunk = &g_array_index (self->chunks, Chunk, number);
  const guint32 length = chunk->length[column];
  const gboolean is_computed = length == 0 || (column == STRIA_COLUMN_NAME && self->names != NULL)
                               || (column == STRIA_COLUMN_CATEGORY && self->categories != NULL);
  g_autoptr (GBytes) bytes = NULL;
  StriaColumns unused = { 0 };
  gsize size;

  if ((self->present & 1u << column) == 0)
    return NULL;
  stria_columns_get (&unused, column, &size);
  if (is_computed)
    {
      const guint n = chunk_events (self, number);
      g_autofree gpointer values = g_malloc (n * size);
      GByteArray *packed = g_byte_array_new ();

      if (!load_chunk (self, column, size, number, values, error))
        {
          g_byte_array_unref (packed);
          return NULL;
        }
      stria_column_pack (values, size, n, packed);
      return g_byte_array_free_to_bytes (packed);
    }
  if (!stria_park_check (self, error))
    return NULL;
  bytes = stria_spill_read (self->spill, chunk->place[column], length, error);
  if (bytes != NULL && column == STRIA_COLUMN_START && self->shift != 0)
    {
      GByteArray *shifted = g_bytes_unref_to_array (g_steal_pointer (&bytes));

      stria_column_shift (shifted->data, shifted->len, self->shift);
      return g_byte_array_free_to_bytes (shifted);
    }
  return g_steal_pointer (&bytes);
}
