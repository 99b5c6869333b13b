/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-store-facts.h"

#include <string.h>

#include "stria-fact-tables.h"

static void
append_columns (GString *sql, const StriaFactTable *table)
{
  for (guint c = 0; c < table->n_columns; c++)
    g_string_append_printf (sql, "%s\"%s\"", c > 0 ? ", " : "", table->columns[c].name);
}

static void
bind_column (sqlite3_stmt *statement, int place, const guint8 *row, const StriaFactColumn *column)
{
  const guint8 *at = row + column->offset;
  guint32 u32;
  gint32 i32;
  gint64 i64;
  double f64;

  switch ((StriaFactType) column->type)
    {
    case STRIA_FACT_REF:
      memcpy (&u32, at, sizeof u32);
      if (u32 == STRIA_NO_REF)
        sqlite3_bind_null (statement, place);
      else
        sqlite3_bind_int64 (statement, place, u32);
      break;
    case STRIA_FACT_STRING:
    case STRIA_FACT_FIRST:
    case STRIA_FACT_U32:
      memcpy (&u32, at, sizeof u32);
      sqlite3_bind_int64 (statement, place, u32);
      break;
    case STRIA_FACT_U8:
      sqlite3_bind_int (statement, place, *at);
      break;
    case STRIA_FACT_I32:
      memcpy (&i32, at, sizeof i32);
      sqlite3_bind_int (statement, place, i32);
      break;
    case STRIA_FACT_I64:
    case STRIA_FACT_U64:
      memcpy (&i64, at, sizeof i64);
      sqlite3_bind_int64 (statement, place, i64);
      break;
    case STRIA_FACT_F64:
      memcpy (&f64, at, sizeof f64);
      sqlite3_bind_double (statement, place, f64);
      break;
    }
}

/* FALSE: a number that the column cannot hold. */
static gboolean
read_column (sqlite3_stmt *statement, int place, guint8 *row, const StriaFactColumn *column)
{
  guint8 *at = row + column->offset;
  gint64 i64 = sqlite3_column_int64 (statement, place);
  gboolean is_null = sqlite3_column_type (statement, place) == SQLITE_NULL;
  guint32 u32 = (guint32) i64;
  gint32 i32 = (gint32) i64;
  double f64;

  switch ((StriaFactType) column->type)
    {
    case STRIA_FACT_REF:
      if (is_null)
        u32 = STRIA_NO_REF;
      else if (i64 != u32)
        return FALSE;
      memcpy (at, &u32, sizeof u32);
      return TRUE;
    case STRIA_FACT_STRING:
    case STRIA_FACT_FIRST:
    case STRIA_FACT_U32:
      memcpy (at, &u32, sizeof u32);
      return !is_null && i64 == u32;
    case STRIA_FACT_U8:
      *at = (guint8) i64;
      return !is_null && i64 == *at;
    case STRIA_FACT_I32:
      memcpy (at, &i32, sizeof i32);
      return !is_null && i64 == i32;
    case STRIA_FACT_I64:
    case STRIA_FACT_U64:
      memcpy (at, &i64, sizeof i64);
      return !is_null;
    case STRIA_FACT_F64:
      f64 = sqlite3_column_double (statement, place);
      memcpy (at, &f64, sizeof f64);
      return !is_null;
    }
  return FALSE;
}

static gboolean
write_table (sqlite3 *db, guint32 artifact, StriaFacts *facts, guint number)
{
  const StriaFactTable *table = &stria_fact_tables[number];
  gsize n = stria_facts_size (facts, number);
  const guint8 *rows = stria_facts_rows (facts, number);
  g_autoptr (GString) sql = g_string_new (NULL);
  sqlite3_stmt *statement = NULL;
  gboolean ok;

  if (n == 0)
    return TRUE;
  g_string_printf (sql, "INSERT INTO \"%s\" (artifact, \"row\", ", table->name);
  append_columns (sql, table);
  g_string_append (sql, ") VALUES (?1, ?2");
  for (guint c = 0; c < table->n_columns; c++)
    g_string_append_printf (sql, ", ?%u", c + 3);
  g_string_append_c (sql, ')');
  ok = sqlite3_prepare_v2 (db, sql->str, -1, &statement, NULL) == SQLITE_OK;
  if (ok)
    sqlite3_bind_int64 (statement, 1, artifact);
  for (gsize i = 0; ok && i < n; i++)
    {
      sqlite3_bind_int64 (statement, 2, (gint64) i);
      for (guint c = 0; c < table->n_columns; c++)
        bind_column (statement, (int) c + 3, rows + i * table->row_size, &table->columns[c]);
      ok = sqlite3_step (statement) == SQLITE_DONE && sqlite3_reset (statement) == SQLITE_OK;
    }
  sqlite3_finalize (statement);
  return ok;
}

static gboolean
write_strings (sqlite3 *db, guint32 artifact, StriaStrings *strings)
{
  sqlite3_stmt *statement = NULL;
  gboolean ok = sqlite3_prepare_v2 (db, "INSERT INTO fact_string VALUES (?1, ?2, ?3)", -1,
                                    &statement, NULL)
                == SQLITE_OK;

  if (ok)
    sqlite3_bind_int64 (statement, 1, artifact);
  for (guint32 id = 0; ok && id < stria_strings_size (strings); id++)
    {
      sqlite3_bind_int64 (statement, 2, id);
      sqlite3_bind_text64 (statement, 3, stria_strings_get (strings, id),
                           stria_strings_length (strings, id), SQLITE_STATIC, SQLITE_UTF8);
      ok = sqlite3_step (statement) == SQLITE_DONE && sqlite3_reset (statement) == SQLITE_OK;
    }
  sqlite3_finalize (statement);
  return ok;
}

gboolean
stria_store_write_facts (sqlite3 *db, guint32 artifact, StriaFacts *facts)
{
  if (!write_strings (db, artifact, stria_facts_get_strings (facts)))
    return FALSE;
  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    if (!write_table (db, artifact, facts, t))
      return FALSE;
  return TRUE;
}

static gboolean
read_table (sqlite3 *db, guint32 artifact, StriaFacts *facts, guint number)
{
  const StriaFactTable *table = &stria_fact_tables[number];
  g_autoptr (GString) sql = g_string_new ("SELECT \"row\", ");
  g_autofree guint8 *row = g_malloc0 (table->row_size);
  sqlite3_stmt *statement = NULL;
  gboolean ok;
  int step = SQLITE_DONE;

  append_columns (sql, table);
  g_string_append_printf (sql, " FROM \"%s\" WHERE artifact = ?1 ORDER BY \"row\"", table->name);
  ok = sqlite3_prepare_v2 (db, sql->str, -1, &statement, NULL) == SQLITE_OK;
  if (ok)
    sqlite3_bind_int64 (statement, 1, artifact);
  while (ok && (step = sqlite3_step (statement)) == SQLITE_ROW)
    {
      ok = sqlite3_column_int64 (statement, 0) == (gint64) stria_facts_size (facts, number);
      for (guint c = 0; ok && c < table->n_columns; c++)
        ok = read_column (statement, (int) c + 1, row, &table->columns[c]);
      if (ok)
        stria_facts_add (facts, number, row);
    }
  sqlite3_finalize (statement);
  return ok && step == SQLITE_DONE;
}

StriaFacts *
stria_store_read_facts (sqlite3 *db, guint32 artifact, gboolean *damaged)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  sqlite3_stmt *statement = NULL;
  gboolean ok = sqlite3_prepare_v2 (
                    db, "SELECT id, text FROM fact_string WHERE artifact = ?1 ORDER BY id", -1,
                    &statement, NULL)
                == SQLITE_OK;
  guint32 n = 0;
  guint table;
  guint32 row;

  if (ok)
    sqlite3_bind_int64 (statement, 1, artifact);
  while (ok && sqlite3_step (statement) == SQLITE_ROW)
    {
      const char *text = (const char *) sqlite3_column_text (statement, 1);
      ok = sqlite3_column_int64 (statement, 0) == n && text != NULL
           && stria_strings_intern (stria_facts_get_strings (facts), text,
                                    (gsize) sqlite3_column_bytes (statement, 1))
                  == n;
      n++;
    }
  sqlite3_finalize (statement);
  for (guint t = 0; ok && n > 0 && t < STRIA_N_FACT_TABLES; t++)
    ok = read_table (db, artifact, facts, t);
  *damaged = !ok || !stria_facts_check (facts, &table, &row);
  return *damaged || n == 0 ? NULL : g_steal_pointer (&facts);
}
