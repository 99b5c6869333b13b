/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-table-writer.h"

#include <math.h>
#include <string.h>

#include "cli-json.h"
#include "cli-table.h"
#include "stria-format.h"
#include "stria-parquet-writer.h"

#define ARTIFACT "artifact"

/* A column of the whole, and where it is in each table */
typedef struct
{
  const char   *name;
  const char   *unit;
  const char   *note;
  StriaCellType type;
  int          *place; /* by table, -1: it has none */
} Column;

typedef struct
{
  GPtrArray    *tables;
  const char   *const *artifacts; /* by table */
  GArray       *columns; /* Column */
  gboolean      several;
  GCancellable *cancellable;
  FILE         *file;
  CliJson       json;
  StriaParquetWriter *writer;
  guint64       n_rows;
} Export;

/* A chunk of one table, by the columns of the whole */
typedef struct
{
  guint                   table;
  guint32                 n_rows;
  const char             *artifact;
  StriaColumnChunk      **chunks; /* NULL where the table has no such column */
  const StriaCellType    *types;  /* as the table has them */
} Chunk;

typedef gboolean (*ChunkFunc) (Export *self, const Chunk *chunk, GError **error);

static void
clear_column (gpointer data)
{
  g_free (((Column *) data)->place);
}

/* -- cells ------------------------------------------------------------------------------------ */

static gboolean
has_cell (const Chunk *chunk, guint column, guint32 row)
{
  return chunk->chunks[column] != NULL
         && stria_column_data_has (&chunk->chunks[column]->data, row);
}

/* A value that is no text, as text. Returns: (transfer full) */
static char *
cell_text (const Chunk *chunk, guint column, guint32 row)
{
  const StriaColumnData *data = &chunk->chunks[column]->data;

  switch (chunk->types[column])
    {
    case STRIA_CELL_REAL:
      return stria_format_c_double (data->reals[row]);
    case STRIA_CELL_BOOL:
      return g_strdup (data->ints[row] ? "true" : "false");
    default:
      return g_strdup_printf ("%" G_GINT64_FORMAT, data->ints[row]);
    }
}

/* -- CSV -------------------------------------------------------------------------------------- */

static void
csv_head (Export *self)
{
  if (self->several)
    cli_csv_cell (self->file, TRUE, ARTIFACT, strlen (ARTIFACT));
  for (guint c = 0; c < self->columns->len; c++)
    {
      const char *name = g_array_index (self->columns, Column, c).name;
      cli_csv_cell (self->file, c == 0 && !self->several, name, strlen (name));
    }
  fputs ("\r\n", self->file);
}

static gboolean
csv_chunk (Export *self, const Chunk *chunk, GError **error)
{
  for (guint32 row = 0; row < chunk->n_rows; row++)
    {
      if (self->several)
        cli_csv_cell (self->file, TRUE, chunk->artifact, strlen (chunk->artifact));
      for (guint c = 0; c < self->columns->len; c++)
        {
          gboolean first = c == 0 && !self->several;

          if (!has_cell (chunk, c, row))
            cli_csv_cell (self->file, first, "", 0);
          else if (chunk->types[c] == STRIA_CELL_TEXT)
            {
              guint32     length;
              const char *text = stria_column_data_text (&chunk->chunks[c]->data, row, &length);
              cli_csv_cell (self->file, first, text, length);
            }
          else
            {
              g_autofree char *text = cell_text (chunk, c, row);
              cli_csv_cell (self->file, first, text, strlen (text));
            }
        }
      fputs ("\r\n", self->file);
    }
  return TRUE;
}

/* -- JSON ------------------------------------------------------------------------------------- */

static const char *const type_names[] = { "int", "real", "bool", "text" };

static void
json_head (Export *self)
{
  cli_json_init (&self->json, self->file, 2);
  cli_json_begin_object (&self->json, NULL);
  cli_json_string (&self->json, "table", stria_table_get_name (self->tables->pdata[0]));
  cli_json_begin_array (&self->json, "columns");
  for (guint c = 0; c < self->columns->len; c++)
    {
      const Column *column = &g_array_index (self->columns, Column, c);

      cli_json_begin_object (&self->json, NULL);
      cli_json_string (&self->json, "name", column->name);
      cli_json_string (&self->json, "type", type_names[column->type]);
      if (column->unit != NULL && column->unit[0] != '\0')
        cli_json_string (&self->json, "unit", column->unit);
      if (column->note != NULL && column->note[0] != '\0')
        cli_json_string (&self->json, "note", column->note);
      cli_json_end_object (&self->json);
    }
  cli_json_end_array (&self->json);
  cli_json_begin_array (&self->json, "rows");
}

static void
json_cell (Export *self, const Chunk *chunk, guint c, guint32 row)
{
  const StriaColumnData *data = &chunk->chunks[c]->data;
  const char            *name = g_array_index (self->columns, Column, c).name;
  guint32                length;

  switch (chunk->types[c])
    {
    case STRIA_CELL_TEXT:
      {
        const char *text = stria_column_data_text (data, row, &length);
        cli_json_text (&self->json, name, text, length);
        break;
      }
    case STRIA_CELL_REAL:
      cli_json_double (&self->json, name, data->reals[row]);
      break;
    case STRIA_CELL_BOOL:
      cli_json_bool (&self->json, name, data->ints[row] != 0);
      break;
    default:
      cli_json_int (&self->json, name, data->ints[row]);
      break;
    }
}

static gboolean
json_chunk (Export *self, const Chunk *chunk, GError **error)
{
  for (guint32 row = 0; row < chunk->n_rows; row++)
    {
      cli_json_begin_object (&self->json, NULL);
      if (self->several)
        cli_json_string (&self->json, ARTIFACT, chunk->artifact);
      for (guint c = 0; c < self->columns->len; c++)
        if (has_cell (chunk, c, row))
          json_cell (self, chunk, c, row);
      cli_json_end_object (&self->json);
    }
  return TRUE;
}

static void
json_tail (Export *self)
{
  cli_json_end_array (&self->json);
  cli_json_end_object (&self->json);
  cli_json_finish (&self->json);
}

/* -- Parquet ---------------------------------------------------------------------------------- */

static gboolean
parquet_head (Export *self, const char *name, GError **error)
{
  static const StriaParquetWriteType types[] = {
    STRIA_PARQUET_WRITE_INT64, STRIA_PARQUET_WRITE_DOUBLE, STRIA_PARQUET_WRITE_BOOL,
    STRIA_PARQUET_WRITE_STRING,
  };
  g_autoptr (GArray) columns = g_array_new (FALSE, TRUE, sizeof (StriaParquetWriteColumn));
  g_autoptr (GArray) pairs = g_array_new (FALSE, TRUE, sizeof (StriaParquetPair));
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  if (self->several)
    {
      StriaParquetWriteColumn artifact = { ARTIFACT, STRIA_PARQUET_WRITE_STRING, FALSE, FALSE };
      g_array_append_val (columns, artifact);
    }
  for (guint c = 0; c < self->columns->len; c++)
    {
      const Column *column = &g_array_index (self->columns, Column, c);
      StriaParquetWriteColumn write = { column->name, types[column->type], TRUE, FALSE };

      g_array_append_val (columns, write);
      if (column->unit != NULL && column->unit[0] != '\0')
        {
          StriaParquetPair pair = { NULL, column->unit };
          g_ptr_array_add (keys, g_strconcat ("unit:", column->name, NULL));
          pair.key = keys->pdata[keys->len - 1];
          g_array_append_val (pairs, pair);
        }
    }
  StriaParquetWriteOptions options = {
    .pairs = (const StriaParquetPair *) (gpointer) pairs->data,
    .n_pairs = pairs->len,
  };
  fflush (self->file);
  self->writer = stria_parquet_writer_new_fd (
      name, fileno (self->file), (const StriaParquetWriteColumn *) (gpointer) columns->data,
      columns->len, &options, error);
  return self->writer != NULL;
}

static void
parquet_texts (Export *self, guint to, const Chunk *chunk, guint c)
{
  guint32 length;

  for (guint32 row = 0; row < chunk->n_rows; row++)
    if (!has_cell (chunk, c, row))
      stria_parquet_writer_string (self->writer, to, NULL, 0);
    else if (chunk->types[c] == STRIA_CELL_TEXT)
      {
        const char *cell = stria_column_data_text (&chunk->chunks[c]->data, row, &length);
        stria_parquet_writer_string (self->writer, to, cell, length);
      }
    else
      {
        g_autofree char *cell = cell_text (chunk, c, row);
        stria_parquet_writer_string (self->writer, to, cell, -1);
      }
}

/* Numbers of another type than the whole's; a column that the table does not have */
static void
parquet_numbers (Export *self, guint to, const Chunk *chunk, guint c, StriaCellType type)
{
  const StriaColumnData *data = chunk->chunks[c] != NULL ? &chunk->chunks[c]->data : NULL;
  g_autofree guint8     *valid = g_malloc0 (MAX (chunk->n_rows, 1));
  g_autofree gint64     *ints = g_new0 (gint64, MAX (chunk->n_rows, 1));
  double                *reals = (double *) (gpointer) ints;

  for (guint32 row = 0; row < chunk->n_rows && data != NULL; row++)
    {
      valid[row] = stria_column_data_has (data, row);
      if (type != STRIA_CELL_REAL)
        ints[row] = data->ints[row];
      else
        reals[row] = chunk->types[c] == STRIA_CELL_REAL ? data->reals[row]
                                                        : (double) data->ints[row];
    }
  if (type == STRIA_CELL_REAL)
    stria_parquet_writer_double (self->writer, to, reals, valid, chunk->n_rows);
  else
    stria_parquet_writer_int64 (self->writer, to, ints, valid, chunk->n_rows);
}

static void
parquet_flags (Export *self, guint to, const Chunk *chunk, guint c)
{
  g_autofree guint8 *valid = g_malloc0 (MAX (chunk->n_rows, 1));
  g_autofree guint8 *flags = g_malloc0 (MAX (chunk->n_rows, 1));

  for (guint32 row = 0; row < chunk->n_rows && chunk->chunks[c] != NULL; row++)
    {
      valid[row] = stria_column_data_has (&chunk->chunks[c]->data, row);
      flags[row] = chunk->chunks[c]->data.ints[row] != 0;
    }
  stria_parquet_writer_bool (self->writer, to, flags, valid, chunk->n_rows);
}

static gboolean
parquet_chunk (Export *self, const Chunk *chunk, GError **error)
{
  for (guint32 row = 0; self->several && row < chunk->n_rows; row++)
    stria_parquet_writer_string (self->writer, 0, chunk->artifact, -1);
  for (guint c = 0; c < self->columns->len; c++)
    {
      StriaCellType type = g_array_index (self->columns, Column, c).type;
      guint         to = c + (self->several ? 1 : 0);

      if (type == STRIA_CELL_TEXT)
        parquet_texts (self, to, chunk, c);
      else if (type == STRIA_CELL_BOOL)
        parquet_flags (self, to, chunk, c);
      else if (chunk->chunks[c] != NULL && chunk->types[c] == STRIA_CELL_INT
               && type == STRIA_CELL_INT)
        stria_parquet_writer_int64 (self->writer, to, chunk->chunks[c]->data.ints,
                                    chunk->chunks[c]->data.valid, chunk->n_rows);
      else if (chunk->chunks[c] != NULL && chunk->types[c] == STRIA_CELL_REAL)
        stria_parquet_writer_double (self->writer, to, chunk->chunks[c]->data.reals,
                                     chunk->chunks[c]->data.valid, chunk->n_rows);
      else
        parquet_numbers (self, to, chunk, c, type);
    }
  return !stria_parquet_writer_is_full (self->writer)
         || stria_parquet_writer_flush (self->writer, error);
}

/* -- tables ----------------------------------------------------------------------------------- */

static gboolean
write_chunk (Export *self, guint t, guint32 number, ChunkFunc func, GError **error)
{
  StriaTable *table = self->tables->pdata[t];
  guint       n = self->columns->len;
  g_autofree StriaCellType *types = g_new0 (StriaCellType, MAX (n, 1));
  g_autoptr (GPtrArray) chunks = g_ptr_array_new ();
  gboolean    ok = TRUE;

  for (guint c = 0; c < n && ok; c++)
    {
      int place = g_array_index (self->columns, Column, c).place[t];

      g_ptr_array_add (chunks, NULL);
      if (place < 0)
        continue;
      types[c] = stria_table_get_column (table, (guint) place)->type;
      chunks->pdata[c] = stria_table_load (table, (guint) place, number, error);
      ok = chunks->pdata[c] != NULL;
    }
  if (ok)
    {
      Chunk chunk = {
        .table = t,
        .n_rows = stria_table_get_chunk_rows (table, number),
        .artifact = self->artifacts != NULL ? self->artifacts[t] : "",
        .chunks = (StriaColumnChunk **) chunks->pdata,
        .types = types,
      };
      ok = func (self, &chunk, error);
      self->n_rows += chunk.n_rows;
    }
  for (guint c = 0; c < chunks->len; c++)
    g_clear_pointer ((StriaColumnChunk **) &chunks->pdata[c], stria_column_chunk_free);
  return ok;
}

static gboolean
write_rows (Export *self, ChunkFunc func, GError **error)
{
  for (guint t = 0; t < self->tables->len; t++)
    for (guint32 i = 0; i < stria_table_get_n_chunks (self->tables->pdata[t]); i++)
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
          || !write_chunk (self, t, i, func, error))
        return FALSE;
  return TRUE;
}

/* The type that holds the values of both */
static StriaCellType
common_type (StriaCellType a, StriaCellType b)
{
  if (a == b)
    return a;
  if ((a == STRIA_CELL_INT && b == STRIA_CELL_REAL)
      || (a == STRIA_CELL_REAL && b == STRIA_CELL_INT))
    return STRIA_CELL_REAL;
  return STRIA_CELL_TEXT;
}

static void
find_columns (Export *self)
{
  for (guint t = 0; t < self->tables->len; t++)
    for (guint k = 0; k < stria_table_get_n_columns (self->tables->pdata[t]); k++)
      {
        const StriaColumnInfo *info = stria_table_get_column (self->tables->pdata[t], k);
        Column *column = NULL;

        for (guint c = 0; c < self->columns->len && column == NULL; c++)
          if (g_ascii_strcasecmp (g_array_index (self->columns, Column, c).name, info->name) == 0)
            column = &g_array_index (self->columns, Column, c);
        if (column == NULL)
          {
            Column made = { info->name, info->unit, info->note, info->type,
                            g_new (int, self->tables->len) };

            for (guint i = 0; i < self->tables->len; i++)
              made.place[i] = -1;
            g_array_append_val (self->columns, made);
            column = &g_array_index (self->columns, Column, self->columns->len - 1);
          }
        column->type = common_type (column->type, info->type);
        column->place[t] = (int) k;
      }
}

static gboolean
write_all (Export *self, StriaTableFormat format, const char *name, GError **error)
{
  gboolean ok;

  if (format == STRIA_TABLE_FORMAT_CSV)
    {
      csv_head (self);
      return write_rows (self, csv_chunk, error);
    }
  if (format == STRIA_TABLE_FORMAT_JSON)
    {
      json_head (self);
      ok = write_rows (self, json_chunk, error);
      json_tail (self);
      return ok;
    }
  ok = parquet_head (self, name, error) && write_rows (self, parquet_chunk, error)
       && stria_parquet_writer_finish (self->writer, error);
  g_clear_pointer (&self->writer, stria_parquet_writer_free);
  return ok;
}

gboolean
stria_table_format_parse (const char *name, StriaTableFormat *format)
{
  static const char *const names[] = { "csv", "json", "parquet" };

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      {
        *format = (StriaTableFormat) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
stria_table_write (GPtrArray *tables, const char *const *artifacts, StriaTableFormat format,
                   const char *name, FILE *file, guint64 *n_rows, GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (Column));
  Export self = {
    .tables = tables, .artifacts = artifacts, .columns = columns, .several = tables->len > 1,
    .cancellable = cancellable, .file = file,
  };
  gboolean ok;

  g_array_set_clear_func (columns, clear_column);
  find_columns (&self);
  ok = write_all (&self, format, name, error);
  if (n_rows != NULL)
    *n_rows = self.n_rows;
  return ok;
}
