/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-hash.h"
#include "stria-spill.h"
#include "stria-table-private.h"

/* Rows of one column on their way to a chunk. Each text is kept once. */
typedef struct
{
  guint8 *valid;
  gboolean any_null;
  gint64 *ints; /* or the doubles' bits; NULL for texts */
  guint32 *index;
  GArray *offsets; /* guint32 */
  GByteArray *bytes;
  guint32 *slots; /* text + 1 by hash */
  guint32 n_slots;
} Stage;

struct _StriaTableBuilder
{
  StriaTable *table;
  StriaSpill *spill;
  Stage *stages;
  guint32 n_staged;
  GByteArray *chunk;
  GArray *text_of; /* guint32: text + 1 by number in the batch at hand */
  GError *error;
};

static GBytes *
load_from_spill (gpointer user_data, const StriaChunkPlace *place, GError **error)
{
  return stria_spill_read (user_data, place->place, place->length, error);
}

StriaTableBuilder *
stria_table_builder_new (const char *name,
                         guint32 artifact,
                         const StriaColumnInfo *columns,
                         guint n_columns,
                         StriaSpill *spill)
{
  StriaTableBuilder *self = g_new0 (StriaTableBuilder, 1);

  self->table = stria_table_new (name, artifact, columns, n_columns);
  self->spill = stria_spill_ref (spill);
  self->table->loader = load_from_spill;
  self->table->loader_data = stria_spill_ref (spill);
  self->table->loader_destroy = (GDestroyNotify) stria_spill_unref;
  self->stages = g_new0 (Stage, MAX (self->table->n_columns, 1));
  self->chunk = g_byte_array_new ();
  self->text_of = g_array_new (FALSE, TRUE, sizeof (guint32));
  return self;
}

static void
stage_clear (Stage *stage)
{
  g_free (stage->valid);
  g_free (stage->ints);
  g_free (stage->index);
  g_free (stage->slots);
  g_clear_pointer (&stage->offsets, g_array_unref);
  g_clear_pointer (&stage->bytes, g_byte_array_unref);
  *stage = (Stage){ 0 };
}

void
stria_table_builder_free (StriaTableBuilder *self)
{
  for (guint c = 0; c < self->table->n_columns; c++)
    stage_clear (&self->stages[c]);
  g_free (self->stages);
  stria_table_unref (self->table);
  stria_spill_unref (self->spill);
  g_byte_array_unref (self->chunk);
  g_array_unref (self->text_of);
  g_clear_error (&self->error);
  g_free (self);
}

/* -- texts ---------------------------------------------------------------------------------- */

static void
stage_rehash (Stage *stage)
{
  const guint32 *offsets = (const guint32 *) (gpointer) stage->offsets->data;
  guint32 n = stage->offsets->len - 1;

  stage->n_slots = MAX (64, stage->n_slots * 2);
  g_free (stage->slots);
  stage->slots = g_new0 (guint32, stage->n_slots);
  for (guint32 t = 0; t < n; t++)
    {
      guint32 slot = (guint32) stria_hash_bytes (stage->bytes->data + offsets[t],
                                                 offsets[t + 1] - offsets[t]);
      while (stage->slots[slot & (stage->n_slots - 1)] != 0)
        slot++;
      stage->slots[slot & (stage->n_slots - 1)] = t + 1;
    }
}

static guint32
stage_text (Stage *stage, const char *text, guint32 length)
{
  guint32 slot, known;

  if (stage->n_slots == 0 || stage->offsets->len * 2 > stage->n_slots)
    stage_rehash (stage);
  slot = (guint32) stria_hash_bytes (text, length);
  while ((known = stage->slots[slot & (stage->n_slots - 1)]) != 0)
    {
      const guint32 *at = &g_array_index (stage->offsets, guint32, known - 1);
      if (at[1] - at[0] == length
          && (length == 0 || memcmp (stage->bytes->data + at[0], text, length) == 0))
        return known - 1;
      slot++;
    }
  if (!g_utf8_validate_len (text, length, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (text, length);
      return stage_text (stage, valid, (guint32) strlen (valid));
    }
  g_byte_array_append (stage->bytes, (const guint8 *) text, length);
  stage->slots[slot & (stage->n_slots - 1)] = stage->offsets->len;
  guint32 end = stage->bytes->len;
  g_array_append_val (stage->offsets, end);
  return stage->offsets->len - 2;
}

static void
stage_open (Stage *stage, StriaCellType type)
{
  guint32 zero = 0;

  stage->valid = g_malloc (STRIA_TABLE_CHUNK_ROWS);
  if (type != STRIA_CELL_TEXT)
    {
      stage->ints = g_new (gint64, STRIA_TABLE_CHUNK_ROWS);
      return;
    }
  stage->index = g_new (guint32, STRIA_TABLE_CHUNK_ROWS);
  /* Never without memory, though all texts may be empty */
  stage->bytes = g_byte_array_sized_new (64);
  stage->offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (stage->offsets, zero);
}

/* -- chunks --------------------------------------------------------------------------------- */

static void
flush (StriaTableBuilder *self)
{
  guint64 end = stria_table_get_n_rows (self->table) + self->n_staged;

  if (self->n_staged == 0)
    return;
  for (guint c = 0; c < self->table->n_columns; c++)
    {
      Stage *stage = &self->stages[c];
      StriaChunkPlace place = { 0 };
      StriaColumnData data = { .valid = stage->any_null ? stage->valid : NULL };

      if (stage->index != NULL)
        {
          data.index = stage->index;
          data.offsets = (const guint32 *) (gpointer) stage->offsets->data;
          data.bytes = (const char *) stage->bytes->data;
          data.n_texts = stage->offsets->len - 1;
        }
      else
        data.ints = stage->ints;
      g_byte_array_set_size (self->chunk, 0);
      stria_table_chunk_encode (self->table->columns[c].type, &data, self->n_staged, self->chunk,
                                &place.facts);
      place.length = self->chunk->len;
      if (self->error == NULL)
        stria_spill_append (self->spill, self->chunk->data, self->chunk->len, &place.place,
                            &self->error);
      g_array_append_val (self->table->places[c], place);
      stage->any_null = FALSE;
      if (stage->index != NULL)
        {
          g_array_set_size (stage->offsets, 1);
          g_byte_array_set_size (stage->bytes, 0);
          if (stage->slots != NULL)
            memset (stage->slots, 0, stage->n_slots * sizeof *stage->slots);
        }
    }
  g_array_append_val (self->table->first_row, end);
  self->n_staged = 0;
}

static void
add_texts (
    StriaTableBuilder *self, Stage *stage, const StriaColumnData *data, guint32 first, guint32 n)
{
  guint32 *to = stage->index + self->n_staged;
  guint32 *text_of = NULL;

  if (data->index != NULL)
    {
      /* The texts of a batch may be many more than its rows use. */
      g_array_set_size (self->text_of, 0);
      g_array_set_size (self->text_of, MAX (data->n_texts, 1));
      text_of = (guint32 *) (gpointer) self->text_of->data;
    }
  for (guint32 i = 0; i < n; i++)
    {
      guint32 row = first + i, length;

      if (!stria_column_data_has (data, row))
        to[i] = stage_text (stage, "", 0);
      else if (text_of == NULL)
        {
          const char *text = stria_column_data_text (data, row, &length);
          to[i] = stage_text (stage, text, length);
        }
      else
        {
          guint32 *known = &text_of[data->index[row]];
          if (*known == 0)
            {
              const char *text = stria_column_data_text (data, row, &length);
              *known = stage_text (stage, text, length) + 1;
            }
          to[i] = *known - 1;
        }
    }
}

static void
add_rows (StriaTableBuilder *self, const StriaColumnData *columns, guint32 first, guint32 n)
{
  for (guint c = 0; c < self->table->n_columns; c++)
    {
      Stage *stage = &self->stages[c];
      const StriaColumnData *data = &columns[c];

      if (stage->valid == NULL)
        stage_open (stage, self->table->columns[c].type);
      if (data->valid != NULL)
        {
          memcpy (stage->valid + self->n_staged, data->valid + first, n);
          stage->any_null |= memchr (data->valid + first, 0, n) != NULL;
        }
      else
        memset (stage->valid + self->n_staged, 1, n);
      if (stage->index != NULL)
        add_texts (self, stage, data, first, n);
      else
        memcpy (stage->ints + self->n_staged, data->ints + first, n * sizeof *data->ints);
    }
  self->n_staged += n;
}

/* How many of the rows still fit: all that the chunk has room for, fewer if their texts are long.
 */
static guint32
rows_that_fit (StriaTableBuilder *self, const StriaColumnData *columns, guint32 first, guint32 n)
{
  n = MIN (n, STRIA_TABLE_CHUNK_ROWS - self->n_staged);
  for (guint c = 0; c < self->table->n_columns; c++)
    {
      const StriaColumnData *data = &columns[c];
      guint64 bytes = self->stages[c].bytes != NULL ? self->stages[c].bytes->len : 0;
      guint32 i, length;

      if (self->table->columns[c].type != STRIA_CELL_TEXT
          || bytes + data->offsets[data->n_texts] - data->offsets[0] <= STRIA_TABLE_CHUNK_TEXT)
        continue;
      for (i = 0; i < n; i++)
        {
          if (!stria_column_data_has (data, first + i))
            continue;
          stria_column_data_text (data, first + i, &length);
          bytes += length;
          if (bytes > STRIA_TABLE_CHUNK_TEXT)
            break;
        }
      n = i;
    }
  return n;
}

/**
 * stria_table_builder_add:
 * @self: a builder
 * @columns: the values of each column
 * @n_rows: how many rows
 *
 * Adds rows at the end. Trouble with the spill is told by stria_table_builder_finish().
 */
void
stria_table_builder_add (StriaTableBuilder *self, const StriaColumnData *columns, guint32 n_rows)
{
  guint32 done = 0;

  while (done < n_rows)
    {
      guint32 n = rows_that_fit (self, columns, done, n_rows - done);

      /* One row alone always fits. */
      if (n == 0 && self->n_staged == 0)
        n = 1;
      if (n > 0)
        add_rows (self, columns, done, n);
      done += n;
      if (n == 0 || self->n_staged == STRIA_TABLE_CHUNK_ROWS)
        flush (self);
    }
}

guint64
stria_table_builder_n_rows (StriaTableBuilder *self)
{
  return stria_table_get_n_rows (self->table) + self->n_staged;
}

StriaTable *
stria_table_builder_finish (StriaTableBuilder *self, GError **error)
{
  StriaTable *table = NULL;

  flush (self);
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    table = stria_table_ref (self->table);
  stria_table_builder_free (self);
  return table;
}
