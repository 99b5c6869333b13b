/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-table-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-error.h"

StriaTable *
stria_table_new (const char *name,
                 guint32 artifact,
                 const StriaColumnInfo *columns,
                 guint n_columns)
{
  StriaTable *self = g_new0 (StriaTable, 1);
  guint64 zero = 0;

  g_atomic_ref_count_init (&self->refs);
  self->name = g_strdup (name);
  self->artifact = artifact;
  self->n_columns = MIN (n_columns, STRIA_TABLE_MAX_COLUMNS);
  self->columns = g_new0 (StriaColumnInfo, MAX (self->n_columns, 1));
  self->places = g_new0 (GArray *, MAX (self->n_columns, 1));
  self->first_row = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (self->first_row, zero);
  for (guint c = 0; c < self->n_columns; c++)
    {
      self->columns[c].name = g_strdup (columns[c].name);
      self->columns[c].type = columns[c].type;
      self->columns[c].unit = g_strdup (columns[c].unit != NULL ? columns[c].unit : "");
      self->columns[c].note = g_strdup (columns[c].note);
      self->places[c] = g_array_new (FALSE, FALSE, sizeof (StriaChunkPlace));
    }
  return self;
}

StriaTable *
stria_table_ref (StriaTable *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_table_unref (StriaTable *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint c = 0; c < self->n_columns; c++)
    {
      g_free (self->columns[c].name);
      g_free (self->columns[c].unit);
      g_free (self->columns[c].note);
      g_array_unref (self->places[c]);
    }
  if (self->loader_destroy != NULL)
    self->loader_destroy (self->loader_data);
  g_array_unref (self->first_row);
  g_free (self->columns);
  g_free (self->places);
  g_free (self->name);
  g_free (self);
}

const char *
stria_table_get_name (StriaTable *self)
{
  return self->name;
}

guint32
stria_table_get_artifact (StriaTable *self)
{
  return self->artifact;
}

guint
stria_table_get_n_columns (StriaTable *self)
{
  return self->n_columns;
}

const StriaColumnInfo *
stria_table_get_column (StriaTable *self, guint column)
{
  return &self->columns[column];
}

int
stria_table_find_column (StriaTable *self, const char *name)
{
  for (guint c = 0; c < self->n_columns; c++)
    if (g_ascii_strcasecmp (self->columns[c].name, name) == 0)
      return (int) c;
  return -1;
}

guint64
stria_table_get_n_rows (StriaTable *self)
{
  return g_array_index (self->first_row, guint64, self->first_row->len - 1);
}

guint32
stria_table_get_n_chunks (StriaTable *self)
{
  return self->first_row->len - 1;
}

guint32
stria_table_get_chunk_rows (StriaTable *self, guint32 chunk)
{
  return (guint32) (g_array_index (self->first_row, guint64, chunk + 1)
                    - g_array_index (self->first_row, guint64, chunk));
}

gboolean
stria_table_find_row (StriaTable *self, guint64 row, guint32 *chunk, guint32 *place)
{
  guint32 a = 0, b = stria_table_get_n_chunks (self);

  if (row >= stria_table_get_n_rows (self))
    return FALSE;
  while (b - a > 1)
    {
      guint32 middle = a + (b - a) / 2;
      if (g_array_index (self->first_row, guint64, middle) <= row)
        a = middle;
      else
        b = middle;
    }
  *chunk = a;
  *place = (guint32) (row - g_array_index (self->first_row, guint64, a));
  return TRUE;
}

gboolean
stria_table_get_bounds (StriaTable *self, guint column, guint32 chunk, gint64 *min, gint64 *max)
{
  const StriaChunkPlace *place = &g_array_index (self->places[column], StriaChunkPlace, chunk);

  *min = place->facts.min;
  *max = place->facts.max;
  return place->facts.bounded;
}

GBytes *
stria_table_load_bytes (StriaTable *self, guint column, guint32 chunk, GError **error)
{
  return self->loader (self->loader_data,
                       &g_array_index (self->places[column], StriaChunkPlace, chunk), error);
}

StriaColumnChunk *
stria_table_load (StriaTable *self, guint column, guint32 chunk, GError **error)
{
  g_autoptr (GBytes) bytes = stria_table_load_bytes (self, column, chunk, error);
  StriaColumnChunk *loaded;
  gsize length;

  if (bytes == NULL)
    return NULL;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  loaded = stria_table_chunk_decode (self->columns[column].type, data, length,
                                     stria_table_get_chunk_rows (self, chunk));
  if (loaded == NULL)
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                 _ ("The store is damaged (%s.%s, chunk %u)"), self->name,
                 self->columns[column].name, chunk);
  return loaded;
}
