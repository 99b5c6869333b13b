/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-neuron-parquet-private.h"

/* A copy of a dictionary, which several batches may point to */
typedef struct
{
  gatomicrefcount refs;
  guint64 serial;
  guint32 n;
  guint32 *offsets;
  char *bytes;
} Dictionary;

typedef struct
{
  guint8 *valid;
  gint64 *ints;
  guint32 *index;
  Dictionary *dictionary;
  GArray *offsets; /* guint32 */
  GString *text;
  guint32 capacity;
} Buffer;

static void
dictionary_unref (Dictionary *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->offsets);
  g_free (self->bytes);
  g_free (self);
}

NeuronParquetBatch *
neuron_parquet_batch_new (guint n_columns)
{
  NeuronParquetBatch *self = g_new0 (NeuronParquetBatch, 1);

  self->n_columns = n_columns;
  self->columns = g_new0 (StriaColumnData, MAX (n_columns, 1));
  self->buffers = g_new0 (Buffer, MAX (n_columns, 1));
  return self;
}

void
neuron_parquet_batch_free (NeuronParquetBatch *self)
{
  for (guint c = 0; c < self->n_columns; c++)
    {
      Buffer *buffer = (Buffer *) self->buffers + c;

      g_free (buffer->valid);
      g_free (buffer->ints);
      g_free (buffer->index);
      g_clear_pointer (&buffer->dictionary, dictionary_unref);
      g_clear_pointer (&buffer->offsets, g_array_unref);
      if (buffer->text != NULL)
        g_string_free (buffer->text, TRUE);
    }
  g_clear_error (&self->error);
  g_free (self->buffers);
  g_free (self->columns);
  g_free (self);
}

static gboolean
too_long (const StriaParquetColumn *column, guint64 length, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
               _("Column %s: expected texts of at most %d bytes, found one of %" PRIu64),
               column->node->path, STRIA_TABLE_CHUNK_TEXT, length);
  return FALSE;
}

static gboolean
check_lengths (const StriaParquetColumn *column, const guint32 *offsets, guint32 n, GError **error)
{
  if (n == 0 || offsets[n] - offsets[0] <= STRIA_TABLE_CHUNK_TEXT)
    return TRUE;
  for (guint32 i = 0; i < n; i++)
    if (offsets[i + 1] - offsets[i] > STRIA_TABLE_CHUNK_TEXT)
      return too_long (column, offsets[i + 1] - offsets[i], error);
  return TRUE;
}

static Dictionary *
copy_dictionary (const StriaParquetDictionary *from)
{
  Dictionary *self = g_new0 (Dictionary, 1);
  /* Rows without a value have number 0, which must be there. */
  guint32 n = MAX (from->n, 1), base = from->n > 0 ? from->offsets[0] : 0;

  g_atomic_ref_count_init (&self->refs);
  self->serial = from->serial;
  self->n = n;
  self->offsets = g_new0 (guint32, n + 1);
  for (guint32 i = 0; i <= from->n && from->n > 0; i++)
    self->offsets[i] = from->offsets[i] - base;
  self->bytes = g_malloc (MAX (self->offsets[n], 1));
  if (self->offsets[n] > 0)
    memcpy (self->bytes, from->data + base, self->offsets[n]);
  return self;
}

static gboolean
fill_dictionary (Buffer *buffer, StriaColumnData *data, const StriaParquetColumn *column,
                 GError **error)
{
  const StriaParquetDictionary *from = column->dictionary;

  if (buffer->dictionary == NULL || buffer->dictionary->serial != from->serial)
    {
      if (!check_lengths (column, from->offsets, from->n, error))
        return FALSE;
      g_clear_pointer (&buffer->dictionary, dictionary_unref);
      buffer->dictionary = copy_dictionary (from);
    }
  memcpy (buffer->index, column->indices, column->n * sizeof *buffer->index);
  data->index = buffer->index;
  data->offsets = buffer->dictionary->offsets;
  data->bytes = buffer->dictionary->bytes;
  data->n_texts = buffer->dictionary->n;
  return TRUE;
}

static gboolean
fill_texts (Buffer *buffer, StriaColumnData *data, const StriaParquetColumn *column,
            guint32 n_rows, const NeuronParquetColumn *to, GError **error)
{
  guint32 *offsets;

  g_array_set_size (buffer->offsets, n_rows + 1);
  g_string_truncate (buffer->text, 0);
  offsets = (guint32 *) (gpointer) buffer->offsets->data;
  offsets[0] = 0;
  if (!to->as_json && column->form == STRIA_PARQUET_FORM_BYTES)
    {
      guint32 base = column->offsets[0];

      if (!check_lengths (column, column->offsets, n_rows, error))
        return FALSE;
      for (guint32 i = 0; i < n_rows; i++)
        offsets[i + 1] = column->offsets[i + 1] - base;
      g_string_append_len (buffer->text, (const char *) column->data + base, offsets[n_rows]);
    }
  else
    for (guint32 i = 0; i < n_rows; i++)
      {
        gsize before = buffer->text->len;

        if (data->valid == NULL || data->valid[i])
          stria_parquet_append_json (column, i, buffer->text);
        if (to->bare && buffer->text->len >= before + 2 && buffer->text->str[before] == '"')
          {
            g_string_truncate (buffer->text, buffer->text->len - 1);
            g_string_erase (buffer->text, (gssize) before, 1);
          }
        if (buffer->text->len - before > STRIA_TABLE_CHUNK_TEXT || buffer->text->len > G_MAXINT32)
          return too_long (column, buffer->text->len - before, error);
        offsets[i + 1] = (guint32) buffer->text->len;
      }
  data->offsets = offsets;
  data->bytes = buffer->text->str;
  data->n_texts = n_rows;
  return TRUE;
}

static void
fill_reals (double *to, const StriaParquetColumn *column, guint32 n)
{
  if (column->form == STRIA_PARQUET_FORM_DOUBLE)
    memcpy (to, column->doubles, n * sizeof *to);
  else
    for (guint32 i = 0; i < n; i++)
      to[i] = (double) column->floats[i];
}

static void
fill_ints (gint64 *to, const StriaParquetColumn *column, guint32 n, gint64 scale)
{
  gboolean is_unsigned = column->node->logical == STRIA_PARQUET_INTEGER && !column->node->is_signed;

  if (column->form == STRIA_PARQUET_FORM_INT64)
    memcpy (to, column->int64s, n * sizeof *to);
  else if (column->form == STRIA_PARQUET_FORM_BOOL)
    for (guint32 i = 0; i < n; i++)
      to[i] = column->bools[i];
  else if (is_unsigned)
    for (guint32 i = 0; i < n; i++)
      to[i] = (guint32) column->int32s[i];
  else
    for (guint32 i = 0; i < n; i++)
      to[i] = column->int32s[i];
  for (guint32 i = 0; scale > 1 && i < n; i++)
    if (__builtin_mul_overflow (to[i], scale, &to[i]))
      to[i] = to[i] < 0 ? G_MININT64 : G_MAXINT64;
}

static void
grow (Buffer *buffer, const NeuronParquetColumn *to, guint32 n)
{
  if (buffer->capacity >= n && buffer->valid != NULL)
    return;
  buffer->capacity = MAX (n, STRIA_PARQUET_BATCH_ROWS);
  buffer->valid = g_realloc (buffer->valid, buffer->capacity);
  if (to->info.type != STRIA_CELL_TEXT)
    buffer->ints = g_renew (gint64, buffer->ints, buffer->capacity);
  else
    {
      buffer->index = g_renew (guint32, buffer->index, buffer->capacity);
      if (buffer->text == NULL)
        {
          buffer->text = g_string_new (NULL);
          buffer->offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
        }
    }
}

gboolean
neuron_parquet_batch_fill (NeuronParquetBatch *self, const GArray *columns,
                           const StriaParquetBatch *batch, GError **error)
{
  self->n_rows = batch->n_rows;
  for (guint c = 0; c < self->n_columns; c++)
    {
      const NeuronParquetColumn *to = &g_array_index (columns, NeuronParquetColumn, c);
      const StriaParquetColumn *column = &batch->columns[c];
      const guint8 *valid = column->n_lists > 0 ? column->lists[0].valid : column->valid;
      Buffer *buffer = (Buffer *) self->buffers + c;
      StriaColumnData *data = &self->columns[c];

      grow (buffer, to, batch->n_rows);
      *data = (StriaColumnData){ 0 };
      if (valid != NULL)
        {
          memcpy (buffer->valid, valid, batch->n_rows);
          data->valid = buffer->valid;
        }
      if (to->info.type == STRIA_CELL_REAL)
        {
          fill_reals ((double *) (gpointer) buffer->ints, column, batch->n_rows);
          data->ints = buffer->ints;
        }
      else if (to->info.type != STRIA_CELL_TEXT)
        {
          fill_ints (buffer->ints, column, batch->n_rows, to->scale);
          data->ints = buffer->ints;
        }
      else if (!to->as_json && column->form == STRIA_PARQUET_FORM_INDEX)
        {
          if (!fill_dictionary (buffer, data, column, error))
            return FALSE;
        }
      else if (!fill_texts (buffer, data, column, batch->n_rows, to, error))
        return FALSE;
    }
  return TRUE;
}

/* -- columns --------------------------------------------------------------------------------- */

static void
clear_column (gpointer data)
{
  NeuronParquetColumn *column = data;

  g_free (column->info.name);
  g_free (column->info.unit);
  g_free (column->info.note);
}

/* A list is named like the group that it is in, when that has nothing else. */
static char *
column_name (StriaParquet *file, guint c)
{
  const StriaParquetNode *node = stria_parquet_get_column (file, c);
  g_auto (GStrv) parts = g_strsplit (node->path, ".", -1);
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_string_append_printf (name, "%s%s", i > 0 ? "." : "", parts[i]);
      if (stria_parquet_find_column (file, name->str) == c)
        break;
    }
  return g_strdup (name->str);
}

static const char *
time_unit (guint64 ns)
{
  return ns == 1 ? "ns" : ns == 1000 ? "µs" : ns == 1000000 ? "ms" : "s";
}

/* What the file's types make of a value: cells' type, and a word on what can't be seen from it */
static void
set_type (NeuronParquetColumn *column)
{
  const StriaParquetNode *node = column->node;

  column->scale = 1;
  column->info.type = STRIA_CELL_INT;
  if (node->repetition_level > 0)
    {
      column->info.type = STRIA_CELL_TEXT;
      column->as_json = TRUE;
      return;
    }
  switch (node->logical)
    {
    case STRIA_PARQUET_DECIMAL:
    case STRIA_PARQUET_UUID:
    case STRIA_PARQUET_INTERVAL:
      column->info.type = STRIA_CELL_TEXT;
      column->as_json = column->bare = TRUE;
      if (node->logical == STRIA_PARQUET_DECIMAL)
        column->info.note = g_strdup_printf (_("decimal, %d places"), node->scale);
      return;
    case STRIA_PARQUET_DATE:
      column->info.unit = g_strdup ("d");
      column->info.note = g_strdup (_("days since 1970-01-01"));
      return;
    case STRIA_PARQUET_TIMESTAMP:
      column->scale = node->unit_ns <= 1000000000 ? MAX ((gint64) node->unit_ns, 1) : 1;
      column->info.unit = g_strdup ("ns");
      column->info.note = node->unit_ns > 1
                              ? g_strdup_printf (_("since 1970-01-01; the file counts in %s"),
                                                 time_unit (node->unit_ns))
                              : g_strdup (_("since 1970-01-01"));
      return;
    case STRIA_PARQUET_TIME:
      column->scale = node->unit_ns <= 1000000000 ? MAX ((gint64) node->unit_ns, 1) : 1;
      column->info.unit = g_strdup ("ns");
      column->info.note = g_strdup (_("since midnight"));
      return;
    case STRIA_PARQUET_FLOAT16:
      column->info.type = STRIA_CELL_REAL;
      return;
    case STRIA_PARQUET_INTEGER:
      if (!node->is_signed && node->bits == 64)
        column->info.note = g_strdup (_("without a sign in the file; from 2^63 on, it shows as one "
                                        "below 0"));
      break;
    default:
      break;
    }
  switch (node->physical)
    {
    case STRIA_PARQUET_BOOLEAN:
      column->info.type = STRIA_CELL_BOOL;
      break;
    case STRIA_PARQUET_FLOAT:
    case STRIA_PARQUET_DOUBLE:
      column->info.type = STRIA_CELL_REAL;
      break;
    case STRIA_PARQUET_INT96:
      column->info.unit = g_strdup ("ns");
      column->info.note = g_strdup (_("since 1970-01-01"));
      break;
    case STRIA_PARQUET_FIXED:
      column->info.type = STRIA_CELL_TEXT;
      column->as_json = column->bare = TRUE;
      break;
    case STRIA_PARQUET_BYTES:
      column->info.type = STRIA_CELL_TEXT;
      break;
    default:
      break;
    }
}

GArray *
neuron_parquet_columns (StriaParquet *file, const StriaNeuronTable *schema,
                        const NeuronUnits *units, const char *table)
{
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (NeuronParquetColumn));
  guint n = MIN (stria_parquet_get_n_columns (file), STRIA_TABLE_MAX_COLUMNS);

  g_array_set_clear_func (columns, clear_column);
  g_array_set_size (columns, n);
  for (guint c = 0; c < n; c++)
    {
      NeuronParquetColumn *column = &g_array_index (columns, NeuronParquetColumn, c);
      const StriaNeuronColumn *known;
      const char *unit = NULL, *note = NULL;

      column->node = stria_parquet_get_column (file, c);
      column->info.name = column_name (file, c);
      set_type (column);
      known = stria_neuron_schema_column (schema, column->info.name);
      neuron_units_find (units, table, column->info.name, &unit, &note);
      if (unit == NULL && known != NULL)
        unit = known->unit;
      if (note == NULL && known != NULL && known->note[0] != '\0')
        note = known->note;
      if (column->info.unit == NULL)
        column->info.unit = g_strdup (unit != NULL ? unit : "");
      if (column->info.note == NULL)
        column->info.note = g_strdup (note);
    }
  return columns;
}
