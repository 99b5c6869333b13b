/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-store-tables.h"

/* All tables of one name, seen as one. */
typedef struct
{
  char *name;
  GPtrArray *tables; /* StriaTable, owned */
  GPtrArray *names;  /* utf8: columns of any of them, in order of appearance */
  GArray *types;     /* StriaCellType by column: of the first table that has it */
  guint64 n_rows;
} Union;

typedef struct
{
  sqlite3_vtab base;
  Union *of;
} Table;

/* A condition on an integer column, told by SQLite before the rows are read. */
typedef struct
{
  guint column; /* of the union; its number of columns: the artifact */
  int operation;
  gint64 value;
} Condition;

typedef struct
{
  sqlite3_vtab_cursor base;
  GArray *conditions; /* Condition */
  guint table;
  guint32 chunk;
  guint32 row;
  guint64 before; /* rows of the tables and chunks before */
  int *column_of; /* column of the table at hand, by column of the union; -1: it has none */
  StriaColumnChunk **loaded;
  gboolean at_end;
} Cursor;

static void
union_free (gpointer data)
{
  Union *self = data;

  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->names);
  g_array_unref (self->types);
  g_free (self->name);
  g_free (self);
}

static int
vtab_connect (
    sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
  static const char *const types[] = { "INTEGER", "REAL", "INTEGER", "TEXT" };
  Union *of = aux;
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE x (");
  Table *self;
  int result;

  for (guint c = 0; c < of->names->len; c++)
    {
      char *quoted = sqlite3_mprintf ("\"%w\"", of->names->pdata[c]);
      g_string_append_printf (sql, "%s %s, ", quoted,
                              types[g_array_index (of->types, StriaCellType, c)]);
      sqlite3_free (quoted);
    }
  g_string_append (sql, "artifact INTEGER HIDDEN)");
  result = sqlite3_declare_vtab (db, sql->str);
  if (result != SQLITE_OK)
    return result;
  self = sqlite3_malloc (sizeof *self);
  if (self == NULL)
    return SQLITE_NOMEM;
  *self = (Table){ .of = of };
  *table = &self->base;
  return SQLITE_OK;
}

static int
vtab_disconnect (sqlite3_vtab *table)
{
  sqlite3_free (table);
  return SQLITE_OK;
}

static gboolean
is_integer_column (const Union *of, int column)
{
  return column == (int) of->names->len
         || (column >= 0 && column < (int) of->names->len
             && g_array_index (of->types, StriaCellType, column) == STRIA_CELL_INT);
}

static int
vtab_best_index (sqlite3_vtab *table, sqlite3_index_info *info)
{
  const Union *of = ((Table *) table)->of;
  g_autoptr (GString) plan = g_string_new (NULL);
  double rows = (double) MAX (of->n_rows, 1);
  int n = 0;

  for (int i = 0; i < info->nConstraint; i++)
    {
      int column = info->aConstraint[i].iColumn;
      int operation = info->aConstraint[i].op;

      if (!info->aConstraint[i].usable || !is_integer_column (of, column)
          || (operation != SQLITE_INDEX_CONSTRAINT_EQ && operation != SQLITE_INDEX_CONSTRAINT_GT
              && operation != SQLITE_INDEX_CONSTRAINT_GE && operation != SQLITE_INDEX_CONSTRAINT_LT
              && operation != SQLITE_INDEX_CONSTRAINT_LE))
        continue;
      info->aConstraintUsage[i].argvIndex = ++n;
      g_string_append_printf (plan, "%d %d;", column, operation);
      rows /= operation == SQLITE_INDEX_CONSTRAINT_EQ ? 100 : 4;
    }
  info->idxStr = sqlite3_mprintf ("%s", plan->str);
  info->needToFreeIdxStr = 1;
  info->estimatedRows = (sqlite3_int64) MAX (rows, 1);
  /* Rows that are passed over inside cost a tenth of one that is given out. */
  info->estimatedCost = rows + (double) of->n_rows / 10;
  return SQLITE_OK;
}

static int
vtab_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  const Union *of = ((Table *) table)->of;
  Cursor *self = g_new0 (Cursor, 1);

  self->conditions = g_array_new (FALSE, FALSE, sizeof (Condition));
  self->column_of = g_new0 (int, of->names->len + 1);
  self->loaded = g_new0 (StriaColumnChunk *, of->names->len + 1);
  *cursor = &self->base;
  return SQLITE_OK;
}

static void
drop_loaded (Cursor *self)
{
  const Union *of = ((Table *) self->base.pVtab)->of;

  for (guint c = 0; c < of->names->len; c++)
    g_clear_pointer (&self->loaded[c], stria_column_chunk_free);
}

static int
vtab_close (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  drop_loaded (self);
  g_array_unref (self->conditions);
  g_free (self->column_of);
  g_free (self->loaded);
  g_free (self);
  return SQLITE_OK;
}

/* The chunk at hand of a column of the union; NULL with *@result unset if the table has no such
 * column. */
static const StriaColumnChunk *
load (Cursor *self, guint column, int *result)
{
  const Union *of = ((Table *) self->base.pVtab)->of;
  g_autoptr (GError) error = NULL;

  if (self->column_of[column] < 0)
    return NULL;
  if (self->loaded[column] == NULL)
    {
      self->loaded[column] = stria_table_load (
          of->tables->pdata[self->table], (guint) self->column_of[column], self->chunk, &error);
      if (self->loaded[column] == NULL)
        {
          sqlite3_free (self->base.pVtab->zErrMsg);
          self->base.pVtab->zErrMsg = sqlite3_mprintf ("%s", error->message);
          *result = SQLITE_CORRUPT;
        }
    }
  return self->loaded[column];
}

static gboolean
holds (int operation, gint64 value, gint64 other)
{
  switch (operation)
    {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return value == other;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return value > other;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return value >= other;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return value < other;
    default:
      return value <= other;
    }
}

/* Whether any value from @min to @max can fulfil the condition. */
static gboolean
can_hold (const Condition *condition, gint64 min, gint64 max)
{
  if (condition->operation == SQLITE_INDEX_CONSTRAINT_EQ)
    return condition->value >= min && condition->value <= max;
  return holds (condition->operation,
                condition->operation == SQLITE_INDEX_CONSTRAINT_GT
                        || condition->operation == SQLITE_INDEX_CONSTRAINT_GE
                    ? max
                    : min,
                condition->value);
}

/* An integer column of the table at hand, or -1: rows without one are SQLite's to judge. */
static int
integer_column (Cursor *self, const Condition *condition)
{
  const Union *of = ((Table *) self->base.pVtab)->of;
  StriaTable *table = of->tables->pdata[self->table];
  int column = condition->column < of->names->len ? self->column_of[condition->column] : -1;

  return column >= 0 && table->columns[column].type == STRIA_CELL_INT ? column : -1;
}

static gboolean
chunk_can_hold (Cursor *self)
{
  const Union *of = ((Table *) self->base.pVtab)->of;
  StriaTable *table = of->tables->pdata[self->table];

  for (guint i = 0; i < self->conditions->len; i++)
    {
      const Condition *condition = &g_array_index (self->conditions, Condition, i);
      int column = integer_column (self, condition);
      gint64 min, max;

      if (condition->column == of->names->len
          && !holds (condition->operation, table->artifact, condition->value))
        return FALSE;
      /* No value at all fulfils no condition. */
      if (column >= 0
          && (!stria_table_get_bounds (table, (guint) column, self->chunk, &min, &max)
              || !can_hold (condition, min, max)))
        return FALSE;
    }
  return TRUE;
}

/* Moves on from the row at hand, if that is none, to one that may fulfil the conditions. */
static int
settle (Cursor *self)
{
  const Union *of = ((Table *) self->base.pVtab)->of;
  int result = SQLITE_OK;

  while (self->table < of->tables->len)
    {
      StriaTable *table = of->tables->pdata[self->table];
      guint32 n;

      if (self->chunk >= stria_table_get_n_chunks (table))
        {
          self->table++;
          self->chunk = 0;
          self->row = 0;
          drop_loaded (self);
          if (self->table < of->tables->len)
            for (guint c = 0; c < of->names->len; c++)
              self->column_of[c]
                  = stria_table_find_column (of->tables->pdata[self->table], of->names->pdata[c]);
          continue;
        }
      n = stria_table_get_chunk_rows (table, self->chunk);
      if (self->row == 0 && !chunk_can_hold (self))
        self->row = n;
      for (guint i = 0; self->row < n && i < self->conditions->len; i++)
        {
          const Condition *condition = &g_array_index (self->conditions, Condition, i);
          const StriaColumnChunk *chunk;
          guint32 row = self->row;

          if (integer_column (self, condition) < 0)
            continue;
          chunk = load (self, condition->column, &result);
          if (chunk == NULL)
            return result;
          while (row < n
                 && (!stria_column_data_has (&chunk->data, row)
                     || !holds (condition->operation, chunk->data.ints[row], condition->value)))
            row++;
          /* The conditions before this one are asked again about the new row. */
          if (row != self->row)
            i = G_MAXUINT;
          self->row = row;
        }
      if (self->row < n)
        return SQLITE_OK;
      self->before += n;
      self->chunk++;
      self->row = 0;
      drop_loaded (self);
    }
  self->at_end = TRUE;
  return SQLITE_OK;
}

static int
vtab_filter (
    sqlite3_vtab_cursor *cursor, int number, const char *plan, int argc, sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  const Union *of = ((Table *) cursor->pVtab)->of;

  drop_loaded (self);
  g_array_set_size (self->conditions, 0);
  for (int i = 0; i < argc && plan != NULL && *plan != '\0'; i++)
    {
      char *end;
      Condition condition = { .column = (guint) g_ascii_strtoull (plan, &end, 10) };

      condition.operation = (int) g_ascii_strtoull (end, &end, 10);
      condition.value = sqlite3_value_int64 (argv[i]);
      plan = *end == ';' ? end + 1 : end;
      /* Against another type SQLite compares by its own rules, row by row. */
      if (sqlite3_value_type (argv[i]) == SQLITE_INTEGER)
        g_array_append_val (self->conditions, condition);
    }
  self->table = 0;
  self->chunk = 0;
  self->row = 0;
  self->before = 0;
  self->at_end = FALSE;
  for (guint c = 0; c < of->names->len; c++)
    self->column_of[c] = stria_table_find_column (of->tables->pdata[0], of->names->pdata[c]);
  return settle (self);
}

static int
vtab_next (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  self->row++;
  return settle (self);
}

static int
vtab_eof (sqlite3_vtab_cursor *cursor)
{
  return ((Cursor *) cursor)->at_end;
}

static int
vtab_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  Cursor *self = (Cursor *) cursor;
  const Union *of = ((Table *) cursor->pVtab)->of;
  StriaTable *table = of->tables->pdata[self->table];
  const StriaColumnChunk *chunk;
  int result = SQLITE_OK;
  guint32 length;
  const char *text;

  if (column == (int) of->names->len)
    {
      sqlite3_result_int64 (context, table->artifact);
      return SQLITE_OK;
    }
  chunk = load (self, (guint) column, &result);
  if (chunk == NULL || !stria_column_data_has (&chunk->data, self->row))
    return result;
  switch (table->columns[self->column_of[column]].type)
    {
    case STRIA_CELL_REAL:
      sqlite3_result_double (context, chunk->data.reals[self->row]);
      break;
    case STRIA_CELL_TEXT:
      text = stria_column_data_text (&chunk->data, self->row, &length);
      sqlite3_result_text64 (context, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    case STRIA_CELL_INT:
    case STRIA_CELL_BOOL:
    default:
      sqlite3_result_int64 (context, chunk->data.ints[self->row]);
      break;
    }
  return SQLITE_OK;
}

static int
vtab_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  Cursor *self = (Cursor *) cursor;

  *rowid = (sqlite3_int64) (self->before + self->row);
  return SQLITE_OK;
}

static const sqlite3_module vtab_module = {
  .xConnect = vtab_connect,
  .xBestIndex = vtab_best_index,
  .xDisconnect = vtab_disconnect,
  .xOpen = vtab_open,
  .xClose = vtab_close,
  .xFilter = vtab_filter,
  .xNext = vtab_next,
  .xEof = vtab_eof,
  .xColumn = vtab_column,
  .xRowid = vtab_rowid,
};

/* Names that SQL takes for the same are one column. */
static void
union_add (Union *self, StriaTable *table)
{
  g_ptr_array_add (self->tables, stria_table_ref (table));
  self->n_rows += stria_table_get_n_rows (table);
  for (guint c = 0; c < table->n_columns; c++)
    {
      gboolean known = g_ascii_strcasecmp (table->columns[c].name, "artifact") == 0;

      for (guint i = 0; !known && i < self->names->len; i++)
        known = g_ascii_strcasecmp (self->names->pdata[i], table->columns[c].name) == 0;
      /* SQLite has room for 2000 columns. */
      if (known || self->names->len >= 1999)
        continue;
      g_ptr_array_add (self->names, g_strdup (table->columns[c].name));
      g_array_append_val (self->types, table->columns[c].type);
    }
}

static gboolean
is_taken (sqlite3 *db, const char *name)
{
  sqlite3_stmt *statement = NULL;
  gboolean taken;

  sqlite3_prepare_v2 (db, "SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", -1,
                      &statement, NULL);
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  taken = sqlite3_step (statement) != SQLITE_DONE;
  sqlite3_finalize (statement);
  return taken;
}

void
stria_store_query_tables (sqlite3 *db, GPtrArray *tables)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) unions = g_ptr_array_new ();

  for (guint i = 0; i < tables->len; i++)
    {
      StriaTable *table = tables->pdata[i];
      g_autofree char *key = g_ascii_strdown (stria_table_get_name (table), -1);
      Union *of = g_hash_table_lookup (by_name, key);

      if (of == NULL)
        {
          of = g_new0 (Union, 1);
          of->name = g_strdup (stria_table_get_name (table));
          of->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
          of->names = g_ptr_array_new_with_free_func (g_free);
          of->types = g_array_new (FALSE, FALSE, sizeof (StriaCellType));
          g_hash_table_insert (by_name, g_steal_pointer (&key), of);
          g_ptr_array_add (unions, of);
        }
      union_add (of, table);
    }
  for (guint i = 0; i < unions->len; i++)
    {
      Union *of = unions->pdata[i];
      g_autofree char *name
          = is_taken (db, of->name) ? g_strconcat ("file_", of->name, NULL) : g_strdup (of->name);
      sqlite3_stmt *statement = NULL;
      char *first;

      if (sqlite3_create_module_v2 (db, name, &vtab_module, of, union_free) != SQLITE_OK)
        continue;
      /* The table is made by the first statement that names it. */
      first = sqlite3_mprintf ("SELECT 1 FROM \"%w\"", name);
      sqlite3_prepare_v2 (db, first, -1, &statement, NULL);
      sqlite3_finalize (statement);
      sqlite3_free (first);
    }
}
