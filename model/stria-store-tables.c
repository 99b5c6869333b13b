/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-store-tables.h"

#include <glib/gi18n-lib.h>

#include "stria-error.h"

#define MAX_TABLES (1 << 22)

static gint64
chunk_id (guint table, guint column, guint32 chunk)
{
  return (gint64) table << 40 | (gint64) column << 24 | chunk;
}

static sqlite3_stmt *
prepare (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
  return statement;
}

static gboolean
put (sqlite3_stmt *statement)
{
  return sqlite3_step (statement) == SQLITE_DONE && sqlite3_reset (statement) == SQLITE_OK
         && sqlite3_clear_bindings (statement) == SQLITE_OK;
}

static gboolean
write_chunks (sqlite3_stmt *chunks,
              StriaTable *table,
              guint number,
              guint column,
              GCancellable *cancellable,
              GError **error)
{
  for (guint32 i = 0; i < stria_table_get_n_chunks (table); i++)
    {
      const StriaChunkPlace *place = &g_array_index (table->places[column], StriaChunkPlace, i);
      g_autoptr (GBytes) bytes = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      bytes = stria_table_load_bytes (table, column, i, error);
      if (bytes == NULL)
        return FALSE;
      sqlite3_bind_int64 (chunks, 1, chunk_id (number, column, i));
      sqlite3_bind_int64 (chunks, 2, stria_table_get_chunk_rows (table, i));
      sqlite3_bind_int64 (chunks, 3, place->facts.n_nulls);
      if (place->facts.bounded)
        {
          sqlite3_bind_int64 (chunks, 4, place->facts.min);
          sqlite3_bind_int64 (chunks, 5, place->facts.max);
        }
      sqlite3_bind_blob64 (chunks, 6, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                           SQLITE_STATIC);
      if (!put (chunks))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_table (sqlite3_stmt *const statements[3],
             StriaTable *table,
             guint number,
             GCancellable *cancellable,
             GError **error)
{
  static const char *const types[] = { "int", "real", "bool", "text" };

  sqlite3_bind_int64 (statements[0], 1, number);
  sqlite3_bind_int64 (statements[0], 2, table->artifact);
  sqlite3_bind_text (statements[0], 3, table->name, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statements[0], 4, (gint64) stria_table_get_n_rows (table));
  if (!put (statements[0]))
    return FALSE;
  for (guint c = 0; c < table->n_columns; c++)
    {
      const StriaColumnInfo *column = &table->columns[c];

      sqlite3_bind_int64 (statements[1], 1, number);
      sqlite3_bind_int64 (statements[1], 2, c);
      sqlite3_bind_text (statements[1], 3, column->name, -1, SQLITE_STATIC);
      sqlite3_bind_text (statements[1], 4, types[column->type], -1, SQLITE_STATIC);
      sqlite3_bind_text (statements[1], 5, column->unit, -1, SQLITE_STATIC);
      if (column->note != NULL)
        sqlite3_bind_text (statements[1], 6, column->note, -1, SQLITE_STATIC);
      if (!put (statements[1])
          || !write_chunks (statements[2], table, number, c, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
stria_store_write_tables (sqlite3 *db, GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  sqlite3_stmt *statements[3] = {
    prepare (db, "INSERT INTO data_table VALUES (?1, ?2, ?3, ?4)"),
    prepare (db, "INSERT INTO data_column VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
    prepare (db, "INSERT INTO data_chunk VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
  };
  gboolean ok = statements[0] != NULL && statements[1] != NULL && statements[2] != NULL;

  for (guint i = 0; ok && i < tables->len; i++)
    ok = write_table (statements, tables->pdata[i], i, cancellable, error);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    sqlite3_finalize (statements[i]);
  return ok;
}

/* -- reading -------------------------------------------------------------------------------- */

static int
type_of_name (const char *name)
{
  static const char *const types[] = { "int", "real", "bool", "text" };

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (name, types[i]))
      return (int) i;
  return -1;
}

static void
clear_column (gpointer data)
{
  StriaColumnInfo *column = data;

  g_free (column->name);
  g_free (column->unit);
  g_free (column->note);
}

/* The columns of table @number, NULL if they are not sound. */
static GArray *
read_columns (sqlite3_stmt *statement, gint64 number)
{
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (StriaColumnInfo));
  gboolean ok = TRUE;

  g_array_set_clear_func (columns, clear_column);
  sqlite3_bind_int64 (statement, 1, number);
  while (ok && sqlite3_step (statement) == SQLITE_ROW)
    {
      int type = type_of_name ((const char *) sqlite3_column_text (statement, 2));
      const char *name = (const char *) sqlite3_column_text (statement, 1);
      StriaColumnInfo column = { 0 };

      ok = type >= 0 && name != NULL && columns->len < STRIA_TABLE_MAX_COLUMNS
           && sqlite3_column_int64 (statement, 0) == columns->len;
      if (!ok)
        break;
      column.name = g_strdup (name);
      column.type = (StriaCellType) type;
      column.unit = g_strdup ((const char *) sqlite3_column_text (statement, 3));
      column.note = g_strdup ((const char *) sqlite3_column_text (statement, 4));
      g_array_append_val (columns, column);
    }
  sqlite3_reset (statement);
  if (!ok)
    g_clear_pointer (&columns, g_array_unref);
  return columns;
}

static GPtrArray *
read_list (sqlite3 *db,
           StriaChunkLoader loader,
           gpointer loader_data,
           gpointer (*ref) (gpointer),
           GDestroyNotify unref)
{
  g_autoptr (GPtrArray) tables
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  sqlite3_stmt *list = prepare (db, "SELECT id, artifact, name FROM data_table ORDER BY id");
  sqlite3_stmt *columns
      = prepare (db, "SELECT number, name, type, unit, note FROM data_column WHERE data_table = ?1 "
                     "ORDER BY number");
  gboolean ok = list != NULL && columns != NULL;

  while (ok && sqlite3_step (list) == SQLITE_ROW)
    {
      const char *name = (const char *) sqlite3_column_text (list, 2);
      gint64 artifact = sqlite3_column_int64 (list, 1);
      g_autoptr (GArray) info = read_columns (columns, tables->len);
      StriaTable *table;

      ok = info != NULL && name != NULL && sqlite3_column_int64 (list, 0) == tables->len
           && artifact >= 0 && artifact < G_MAXUINT32 && tables->len < MAX_TABLES;
      if (!ok)
        break;
      table = stria_table_new (name, (guint32) artifact,
                               (const StriaColumnInfo *) (gpointer) info->data, info->len);
      table->loader = loader;
      table->loader_data = ref != NULL ? ref (loader_data) : loader_data;
      table->loader_destroy = unref;
      g_ptr_array_add (tables, table);
    }
  sqlite3_finalize (list);
  sqlite3_finalize (columns);
  return ok ? g_steal_pointer (&tables) : NULL;
}

/* The row of the index that @statement stands on goes to its table. */
static gboolean
take_place (GPtrArray *tables, sqlite3_stmt *statement)
{
  gint64 id = sqlite3_column_int64 (statement, 0);
  gint64 n_rows = sqlite3_column_int64 (statement, 1);
  guint number = (guint) (id >> 40), column = (guint) (id >> 24 & 0xffff);
  guint chunk = (guint) (id & 0xffffff);
  StriaChunkPlace place = { .place = (guint64) id };
  StriaTable *table;

  if (id < 0 || number >= tables->len || n_rows < 1 || n_rows > STRIA_TABLE_CHUNK_ROWS)
    return FALSE;
  table = tables->pdata[number];
  if (column >= table->n_columns || table->places[column]->len != chunk)
    return FALSE;
  if (column == 0)
    {
      guint64 end = stria_table_get_n_rows (table) + (guint64) n_rows;
      g_array_append_val (table->first_row, end);
    }
  else if (chunk >= stria_table_get_n_chunks (table)
           || stria_table_get_chunk_rows (table, chunk) != n_rows)
    return FALSE;
  place.facts.n_nulls = (guint32) sqlite3_column_int64 (statement, 2);
  place.facts.bounded = sqlite3_column_type (statement, 3) == SQLITE_INTEGER;
  place.facts.min = sqlite3_column_int64 (statement, 3);
  place.facts.max = sqlite3_column_int64 (statement, 4);
  g_array_append_val (table->places[column], place);
  return TRUE;
}

GPtrArray *
stria_store_read_tables (sqlite3 *db,
                         StriaChunkLoader loader,
                         gpointer loader_data,
                         gpointer (*ref) (gpointer),
                         GDestroyNotify unref)
{
  g_autoptr (GPtrArray) tables = read_list (db, loader, loader_data, ref, unref);
  sqlite3_stmt *index;
  gboolean ok;

  if (tables == NULL || tables->len == 0)
    return g_steal_pointer (&tables);
  index = prepare (db, "SELECT id, n_rows, n_nulls, min, max FROM data_chunk ORDER BY id");
  ok = index != NULL;
  while (ok && sqlite3_step (index) == SQLITE_ROW)
    ok = take_place (tables, index);
  sqlite3_finalize (index);
  for (guint i = 0; ok && i < tables->len; i++)
    {
      StriaTable *table = tables->pdata[i];

      for (guint c = 0; ok && c < table->n_columns; c++)
        ok = table->places[c]->len == stria_table_get_n_chunks (table);
    }
  return ok ? g_steal_pointer (&tables) : NULL;
}

GBytes *
stria_store_load_chunk (sqlite3 *db, const StriaChunkPlace *place, GError **error)
{
  sqlite3_stmt *statement = prepare (db, "SELECT data FROM data_chunk WHERE id = ?1");
  GBytes *bytes = NULL;

  sqlite3_bind_int64 (statement, 1, (gint64) place->place);
  if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    bytes = g_bytes_new (sqlite3_column_blob (statement, 0),
                         (gsize) sqlite3_column_bytes (statement, 0));
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _ ("The store is damaged (%s): %s"),
                 "data_chunk", sqlite3_errmsg (db));
  sqlite3_finalize (statement);
  return bytes;
}
