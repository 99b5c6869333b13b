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
  GArray *text_of; /* guint32: text + 1 by number in the batch at hand */

  GMutex mutex; /* places of the table, and everything below */
  GCond cond;
  gsize in_flight; /* bytes of chunks that are being packed */
  GError *error;
};

/* A full column on its way to the spill. */
typedef struct
{
  StriaTableBuilder *builder;
  Stage stage;
  guint column;
  guint chunk;
  guint32 n_rows;
  gsize bytes;
} Job;

/* What may wait to be packed, whatever the number of columns */
#define MAX_IN_FLIGHT (16 << 20)
/* Fewer rows are packed sooner than another thread is woken. */
#define MIN_ROWS_FOR_THREAD 4096

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
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
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

static void
wait_for_jobs (StriaTableBuilder *self, gsize most)
{
  g_mutex_lock (&self->mutex);
  while (self->in_flight > most)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

void
stria_table_builder_free (StriaTableBuilder *self)
{
  wait_for_jobs (self, 0);
  for (guint c = 0; c < self->table->n_columns; c++)
    stage_clear (&self->stages[c]);
  g_free (self->stages);
  stria_table_unref (self->table);
  stria_spill_unref (self->spill);
  g_array_unref (self->text_of);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
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
pack (Job *job)
{
  StriaTableBuilder *self = job->builder;
  const Stage *stage = &job->stage;
  g_autoptr (GByteArray) chunk = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
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
  stria_table_chunk_encode (self->table->columns[job->column].type, &data, job->n_rows, chunk,
                            &place.facts);
  place.length = chunk->len;
  stria_spill_append (self->spill, chunk->data, chunk->len, &place.place, &error);

  g_mutex_lock (&self->mutex);
  g_array_index (self->table->places[job->column], StriaChunkPlace, job->chunk) = place;
  if (error != NULL && self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->mutex);
}

static void
run_job (gpointer data, gpointer user_data)
{
  Job *job = data;
  StriaTableBuilder *self = job->builder;

  pack (job);
  stage_clear (&job->stage);
  g_mutex_lock (&self->mutex);
  self->in_flight -= job->bytes;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_free (job);
}

static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (run_job, NULL, (gint) g_get_num_processors (),
                                                 FALSE, NULL));
  return pool;
}

/* Empties a column whose rows were packed. */
static void
stage_reset (Stage *stage)
{
  stage->any_null = FALSE;
  if (stage->index == NULL)
    return;
  g_array_set_size (stage->offsets, 1);
  g_byte_array_set_size (stage->bytes, 0);
  if (stage->slots != NULL)
    memset (stage->slots, 0, stage->n_slots * sizeof *stage->slots);
}

static void
hand_over (StriaTableBuilder *self, const Job *made)
{
  Stage *stage = &self->stages[made->column];
  Job *job = g_memdup2 (made, sizeof *made);

  job->stage = *stage;
  job->stage.slots = NULL;
  job->bytes = self->n_staged * sizeof (gint64) + (stage->bytes != NULL ? stage->bytes->len : 0);
  *stage = (Stage){ .slots = stage->slots, .n_slots = stage->n_slots };
  stage_open (stage, self->table->columns[made->column].type);
  stage_reset (stage);
  wait_for_jobs (self, MAX_IN_FLIGHT);
  g_mutex_lock (&self->mutex);
  self->in_flight += job->bytes;
  g_mutex_unlock (&self->mutex);
  g_thread_pool_push (get_pool (), job, NULL);
}

static void
flush (StriaTableBuilder *self)
{
  guint64 end = stria_table_get_n_rows (self->table) + self->n_staged;

  if (self->n_staged == 0)
    return;
  for (guint c = 0; c < self->table->n_columns; c++)
    {
      const StriaChunkPlace place = { 0 };
      Job job = { .builder = self, .column = c, .n_rows = self->n_staged };

      g_mutex_lock (&self->mutex);
      job.chunk = self->table->places[c]->len;
      g_array_append_val (self->table->places[c], place);
      g_mutex_unlock (&self->mutex);
      if (self->n_staged >= MIN_ROWS_FOR_THREAD)
        {
          hand_over (self, &job);
          continue;
        }
      job.stage = self->stages[c];
      pack (&job);
      stage_reset (&self->stages[c]);
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
  wait_for_jobs (self, 0);
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    table = stria_table_ref (self->table);
  stria_table_builder_free (self);
  return table;
}
