/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-json-text.h"
#include "stria-trace-private.h"

/* The columns of one chunk, kept: who asks for the row of one event soon asks for that of the next.
 */
struct _StriaTraceRows
{
  StriaTable *table;
  guint32 chunk;
  StriaColumnChunk **columns;
  guint n_columns;
};

void
stria_trace_rows_free (StriaTraceRows *self)
{
  for (guint c = 0; c < self->n_columns; c++)
    g_clear_pointer (&self->columns[c], stria_column_chunk_free);
  g_free (self->columns);
  stria_table_unref (self->table);
  g_free (self);
}

static StriaTable *
find_table (StriaTrace *self, StriaLane *lane)
{
  const char *name = stria_lane_get_key (lane) + strlen (STRIA_TABLE_LANE_KEY);
  gsize length = strcspn (name, "\x1f");

  for (guint i = 0; self->tables != NULL && i < self->tables->len; i++)
    {
      StriaTable *table = self->tables->pdata[i];
      const char *other = stria_table_get_name (table);

      if (stria_table_get_artifact (table) == stria_lane_get_artifact (lane)
          && strlen (other) == length && strncmp (other, name, length) == 0)
        return table;
    }
  return NULL;
}

static gboolean
load_chunk (StriaTrace *self, StriaTable *table, guint32 chunk, GError **error)
{
  StriaTraceRows *rows;
  guint n = stria_table_get_n_columns (table);

  if (self->rows != NULL && self->rows->table == table && self->rows->chunk == chunk)
    return TRUE;
  g_clear_pointer (&self->rows, stria_trace_rows_free);
  rows = g_new0 (StriaTraceRows, 1);
  rows->table = stria_table_ref (table);
  rows->chunk = chunk;
  rows->n_columns = n;
  rows->columns = g_new0 (StriaColumnChunk *, MAX (n, 1));
  for (guint c = 0; c < n; c++)
    if ((rows->columns[c] = stria_table_load (table, c, chunk, error)) == NULL)
      {
        stria_trace_rows_free (rows);
        return FALSE;
      }
  self->rows = rows;
  return TRUE;
}

static void
append_cell (GString *json, StriaCellType type, const StriaColumnData *data, guint32 row)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  guint32 length;

  switch (type)
    {
    case STRIA_CELL_TEXT:
      {
        const char *text = stria_column_data_text (data, row, &length);
        stria_json_append_text (json, text, length);
        break;
      }
    case STRIA_CELL_REAL:
      if (isfinite (data->reals[row]))
        g_string_append (json, g_ascii_dtostr (number, sizeof number, data->reals[row]));
      else
        g_string_append (json, isnan (data->reals[row])  ? "\"NaN\""
                               : data->reals[row] > 0 ? "\"Infinity\""
                                                      : "\"-Infinity\"");
      break;
    case STRIA_CELL_BOOL:
      g_string_append (json, data->ints[row] != 0 ? "true" : "false");
      break;
    default:
      g_string_append_printf (json, "%" G_GINT64_FORMAT, data->ints[row]);
      break;
    }
}

/* Cells without a value, and empty texts, are left out. */
static GBytes *
row_json (const StriaTraceRows *rows, guint32 row)
{
  g_autoptr (GString) json = g_string_new ("{");

  for (guint c = 0; c < rows->n_columns; c++)
    {
      const StriaColumnInfo *info = stria_table_get_column (rows->table, c);
      const StriaColumnData *data = &rows->columns[c]->data;
      guint32 length = 1;

      if (!stria_column_data_has (data, row))
        continue;
      if (info->type == STRIA_CELL_TEXT)
        stria_column_data_text (data, row, &length);
      if (length == 0)
        continue;
      if (json->len > 1)
        g_string_append_c (json, ',');
      if (info->unit != NULL && info->unit[0] != '\0')
        {
          g_autofree char *name = g_strdup_printf ("%s [%s]", info->name, info->unit);
          stria_json_append_text (json, name, -1);
        }
      else
        stria_json_append_text (json, info->name, -1);
      g_string_append_c (json, ':');
      append_cell (json, info->type, data, row);
    }
  g_string_append_c (json, '}');
  return g_string_free_to_bytes (g_steal_pointer (&json));
}

GBytes *
stria_trace_get_row (StriaTrace *self, StriaLane *lane, guint32 seq, GError **error)
{
  StriaTable *table;
  GBytes *bytes = NULL;
  guint32 chunk, place;

  if (!g_str_has_prefix (stria_lane_get_key (lane), STRIA_TABLE_LANE_KEY)
      || (table = find_table (self, lane)) == NULL
      || !stria_table_find_row (table, seq, &chunk, &place))
    return NULL;
  g_mutex_lock (&self->rows_mutex);
  if (load_chunk (self, table, chunk, error))
    bytes = row_json (self->rows, place);
  g_mutex_unlock (&self->rows_mutex);
  return bytes;
}

gboolean
stria_trace_visit_row (StriaTrace *self, StriaLane *lane, guint32 seq, StriaTraceCellFunc func,
                       gpointer user_data, GError **error)
{
  StriaTable *table;
  guint32 chunk, place;
  gboolean loaded;

  if (!g_str_has_prefix (stria_lane_get_key (lane), STRIA_TABLE_LANE_KEY)
      || (table = find_table (self, lane)) == NULL
      || !stria_table_find_row (table, seq, &chunk, &place))
    return FALSE;
  g_mutex_lock (&self->rows_mutex);
  loaded = load_chunk (self, table, chunk, error);
  for (guint c = 0; loaded && c < self->rows->n_columns; c++)
    func (stria_table_get_column (table, c), &self->rows->columns[c]->data, place, user_data);
  g_mutex_unlock (&self->rows_mutex);
  return loaded;
}
