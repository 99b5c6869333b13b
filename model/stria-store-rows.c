/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-store-private.h"

typedef struct
{
  sqlite3_vtab base;
  StriaRowSource *source;
} Table;

typedef struct
{
  sqlite3_vtab_cursor base;
  const StriaColumns *columns;
  const StriaLaneBody *body;
  guint64 first_id;
  guint32 lane;
  guint64 i;
  guint32 row;
} Cursor;

enum
{
  ROW_ID,
  ROW_LANE,
  ROW_TS,
  ROW_DUR,
  ROW_NAME,
  ROW_CATEGORY,
  ROW_DEPTH,
  ROW_PARENT,
  ROW_CORRELATION,
  ROW_EXTERNAL,
  ROW_PYTHON,
  ROW_SEQ,
  ROW_FLAGS,
  ROW_ARGS,
  ROW_VALUE,
};

static int
rows_connect (sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **table,
              char **message)
{
  int result = sqlite3_declare_vtab (
      db, "CREATE TABLE lane_rows (id INTEGER, lane INTEGER, ts INTEGER, dur INTEGER, name INTEGER, "
          "category INTEGER, depth INTEGER, parent INTEGER, correlation INTEGER, external_id INTEGER, "
          "python_id INTEGER, seq INTEGER, flags INTEGER, args INTEGER, value REAL)");
  if (result != SQLITE_OK)
    return result;
  Table *self = sqlite3_malloc (sizeof *self);
  if (self == NULL)
    return SQLITE_NOMEM;
  *self = (Table){ .source = aux };
  *table = &self->base;
  return SQLITE_OK;
}

static int
rows_disconnect (sqlite3_vtab *table)
{
  sqlite3_free (table);
  return SQLITE_OK;
}

static int
rows_best_index (sqlite3_vtab *table, sqlite3_index_info *info)
{
  info->estimatedCost = 1e6;
  info->estimatedRows = 1000000;
  return SQLITE_OK;
}

static int
rows_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = sqlite3_malloc (sizeof *self);
  if (self == NULL)
    return SQLITE_NOMEM;
  *self = (Cursor){ .i = 0 };
  *cursor = &self->base;
  return SQLITE_OK;
}

static int
rows_close (sqlite3_vtab_cursor *cursor)
{
  sqlite3_free (cursor);
  return SQLITE_OK;
}

static int
rows_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int argc,
             sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  const StriaRowSource *source = ((Table *) cursor->pVtab)->source;

  self->body = source->lane->body;
  self->columns = &self->body->columns;
  self->first_id = source->lane->first_id;
  self->lane = source->number;
  self->i = 0;
  self->row = 0;
  while (self->row + 1 < self->body->n_rows && self->body->row_begin[self->row + 1] == 0)
    self->row++;
  return SQLITE_OK;
}

static int
rows_next (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  self->i++;
  while (self->row + 1 < self->body->n_rows && self->i >= self->body->row_begin[self->row + 1])
    self->row++;
  return SQLITE_OK;
}

static int
rows_eof (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  return self->i >= self->columns->n;
}

static void
result_key (sqlite3_context *context, const guint64 *keys, guint64 i)
{
  /* SQL integers are signed; a key above 2^63 keeps its bits. */
  if (keys != NULL && keys[i] != 0)
    sqlite3_result_int64 (context, (gint64) keys[i]);
}

static int
rows_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  Cursor *self = (Cursor *) cursor;
  const StriaColumns *c = self->columns;
  guint64 i = self->i;

  switch (column)
    {
    case ROW_ID:
      sqlite3_result_int64 (context, (gint64) (self->first_id + i));
      break;
    case ROW_LANE:
      sqlite3_result_int64 (context, self->lane);
      break;
    case ROW_TS:
      sqlite3_result_int64 (context, c->start[i]);
      break;
    case ROW_DUR:
      if (c->dur != NULL)
        sqlite3_result_int64 (context, c->dur[i]);
      break;
    case ROW_NAME:
      sqlite3_result_int64 (context, c->name[i]);
      break;
    case ROW_CATEGORY:
      sqlite3_result_int64 (context, c->category[i]);
      break;
    case ROW_DEPTH:
      sqlite3_result_int64 (context, self->row);
      break;
    case ROW_PARENT:
      if (c->parent != NULL && c->parent[i] != G_MAXUINT32)
        sqlite3_result_int64 (context, (gint64) (self->first_id + c->parent[i]));
      break;
    case ROW_CORRELATION:
      result_key (context, c->correlation, i);
      break;
    case ROW_EXTERNAL:
      result_key (context, c->external, i);
      break;
    case ROW_PYTHON:
      result_key (context, c->python, i);
      break;
    case ROW_SEQ:
      sqlite3_result_int64 (context, c->seq[i]);
      break;
    case ROW_FLAGS:
      sqlite3_result_int64 (context, c->flags[i]);
      break;
    case ROW_ARGS:
      if (c->args[i] != G_MAXUINT64)
        sqlite3_result_int64 (context, (gint64) c->args[i]);
      break;
    case ROW_VALUE:
      if (c->value != NULL)
        sqlite3_result_double (context, c->value[i]);
      break;
    default:
      break;
    }
  return SQLITE_OK;
}

static int
rows_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  *rowid = (gint64) ((Cursor *) cursor)->i;
  return SQLITE_OK;
}

/* No xCreate: the table is there by its name alone. */
static const sqlite3_module rows_module = {
  .iVersion = 1,
  .xConnect = rows_connect,
  .xBestIndex = rows_best_index,
  .xDisconnect = rows_disconnect,
  .xOpen = rows_open,
  .xClose = rows_close,
  .xFilter = rows_filter,
  .xNext = rows_next,
  .xEof = rows_eof,
  .xColumn = rows_column,
  .xRowid = rows_rowid,
};

int
stria_store_rows_register (sqlite3 *db, StriaRowSource *source)
{
  return sqlite3_create_module (db, "lane_rows", &rows_module, source);
}

static const char *const lane_kinds[] = { "slices", "annotations", "overflow",
                                          "async",  "instants",    "counter" };

const char *
stria_store_lane_kind_name (StriaLaneKind kind)
{
  return lane_kinds[kind];
}

int
stria_store_lane_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (lane_kinds); i++)
    if (g_strcmp0 (name, lane_kinds[i]) == 0)
      return (int) i;
  return -1;
}
