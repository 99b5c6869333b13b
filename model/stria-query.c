/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-query.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <string.h>

#include "stria-args.h"
#include "stria-error.h"
#include "stria-records.h"
#include "stria-store-tables.h"

/* Virtual machine steps between two looks at the cancellable: well under a millisecond. */
#define STEPS_PER_LOOK 10000
/* Longest text or blob that a query may make. */
#define MAX_VALUE_BYTES (512 << 20)

/* What the SQL functions of one connection keep between rows. */
typedef struct
{
  sqlite3      *db;
  sqlite3_stmt *name;
  GHashTable   *args; /* artifact -> StriaArgs */
  GCancellable *cancellable;
  int           error_at; /* character of the query */
} QueryState;

static void
query_state_clear (QueryState *state)
{
  g_clear_pointer (&state->name, sqlite3_finalize);
  g_clear_pointer (&state->args, g_hash_table_unref);
  g_clear_pointer (&state->db, sqlite3_close);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (QueryState, query_state_clear)

static sqlite3_stmt *
prepare_own (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
  return statement;
}

static int
authorize (void       *data,
           int         action,
           const char *first,
           const char *second,
           const char *database,
           const char *trigger)
{
  switch (action)
    {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return g_strcmp0 (second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
      return SQLITE_DENY;
    }
}

static int
look_at_cancellable (void *data)
{
  return g_cancellable_is_cancelled (data);
}

static GBytes *
load_args_chunk (sqlite3 *db, gint64 artifact, guint32 chunk, GError **error)
{
  sqlite3_stmt *statement
      = prepare_own (db, "SELECT data FROM args_chunk WHERE artifact = ?1 AND chunk = ?2");
  GBytes       *bytes = NULL;

  sqlite3_bind_int64 (statement, 1, artifact);
  sqlite3_bind_int64 (statement, 2, chunk);
  if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    bytes = g_bytes_new (sqlite3_column_blob (statement, 0),
                         (gsize) sqlite3_column_bytes (statement, 0));
  else
    g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                 _ ("The store has no arguments chunk %u of artifact %" PRId64), chunk,
                 artifact);
  sqlite3_finalize (statement);
  return bytes;
}

typedef struct
{
  sqlite3 *db;
  gint64   artifact;
} ArgsOrigin;

static GBytes *
args_loader (gpointer data, guint32 chunk, GError **error)
{
  const ArgsOrigin *origin = data;

  return load_args_chunk (origin->db, origin->artifact, chunk, error);
}

static StriaArgs *
args_of_artifact (QueryState *state, gint64 artifact)
{
  StriaArgs *args = g_hash_table_lookup (state->args, &artifact);

  if (args == NULL)
    {
      ArgsOrigin   *origin = g_new (ArgsOrigin, 1);
      gint64       *key = g_new (gint64, 1);
      sqlite3_stmt *statement
          = prepare_own (state->db, "SELECT max(chunk) + 1 FROM args_chunk WHERE artifact = ?1");
      gint64        n_chunks = 0;

      sqlite3_bind_int64 (statement, 1, artifact);
      if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
        n_chunks = sqlite3_column_int64 (statement, 0);
      sqlite3_finalize (statement);

      *origin = (ArgsOrigin){ state->db, artifact };
      *key = artifact;
      args = stria_args_new_loaded ((guint32) CLAMP (n_chunks, 0, G_MAXUINT32), args_loader, origin,
                                    g_free);
      g_hash_table_insert (state->args, key, args);
    }
  return args;
}

static void
sql_args (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  QueryState       *state = sqlite3_user_data (context);
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GError) error = NULL;
  guint64           ref;

  if (sqlite3_value_type (values[0]) != SQLITE_INTEGER
      || sqlite3_value_type (values[1]) != SQLITE_INTEGER)
    return;
  ref = (guint64) sqlite3_value_int64 (values[1]);
  if (ref == STRIA_NO_ARGS)
    return;

  text = stria_args_get (args_of_artifact (state, sqlite3_value_int64 (values[0])), ref, &error);
  if (text != NULL)
    sqlite3_result_text64 (context, g_bytes_get_data (text, NULL), g_bytes_get_size (text),
                           SQLITE_TRANSIENT, SQLITE_UTF8);
  else if (error != NULL)
    sqlite3_result_error (context, error->message, -1);
}

static void
sql_name (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  QueryState *state = sqlite3_user_data (context);

  if (sqlite3_value_type (values[0]) != SQLITE_INTEGER)
    return;
  if (state->name == NULL)
    state->name = prepare_own (state->db, "SELECT text FROM string WHERE id = ?1");
  if (state->name == NULL)
    {
      sqlite3_result_error (context, sqlite3_errmsg (state->db), -1);
      return;
    }

  sqlite3_bind_value (state->name, 1, values[0]);
  if (sqlite3_step (state->name) == SQLITE_ROW)
    sqlite3_result_value (context, sqlite3_column_value (state->name, 0));
  sqlite3_reset (state->name);
}

static gboolean
set_sqlite_error (QueryState *state, const char *store_path, const char *sql, int code,
                  GError **error)
{
  int offset = sqlite3_error_offset (state->db);

  if (g_cancellable_set_error_if_cancelled (state->cancellable, error))
    return FALSE;

  switch (code & 0xff)
    {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _ ("%s: the store cannot be read: %s"),
                   store_path, sqlite3_errmsg (state->db));
      break;
    case SQLITE_AUTH:
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _ ("The query does something else than read (%s); stores are only read"),
                   sqlite3_errmsg (state->db));
      break;
    default:
      if (offset >= 0 && (gsize) offset <= strlen (sql))
        state->error_at = (int) g_utf8_pointer_to_offset (sql, sql + offset);
      if (offset >= 0)
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                     _ ("The query cannot be answered: %s, at character %d"),
                     sqlite3_errmsg (state->db), offset + 1);
      else
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                     _ ("The query cannot be answered: %s"), sqlite3_errmsg (state->db));
    }
  return FALSE;
}

/* These are made by the first query that names them, through statements that the authorizer would
 * refuse. */
static void
make_virtual_tables (sqlite3 *db)
{
  static const char *const queries[] = { "SELECT 1 FROM json_each ('[]')",
                                         "SELECT 1 FROM json_tree ('[]')" };

  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++)
    sqlite3_finalize (prepare_own (db, queries[i]));
}

static GBytes *
load_chunk (gpointer user_data, const StriaChunkPlace *place, GError **error)
{
  return stria_store_load_chunk (user_data, place, error);
}

static void
make_data_tables (sqlite3 *db)
{
  g_autoptr (GPtrArray) tables = stria_store_read_tables (db, load_chunk, db, NULL, NULL);

  if (tables != NULL)
    stria_store_query_tables (db, tables);
}

static gboolean
open_store (QueryState *state, const char *store_path, GError **error)
{
  const int        flags = SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_UTF8;
  g_autofree char *absolute = g_canonicalize_filename (store_path, NULL);
  g_autofree char *file_uri = g_filename_to_uri (absolute, NULL, error);
  g_autofree char *uri = NULL;
  int              code;

  if (file_uri == NULL)
    return FALSE;

  /* A finished store never changes, so it needs no locks, and a read-only folder will do. */
  uri = g_strconcat (file_uri, "?immutable=1", NULL);
  code = sqlite3_open_v2 (uri, &state->db,
                          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, NULL);
  if (code != SQLITE_OK)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _ ("%s: the store cannot be opened: %s"),
                   store_path, sqlite3_errstr (code));
      return FALSE;
    }

  sqlite3_db_config (state->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (state->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (state->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (state->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_limit (state->db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (state->db, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
  sqlite3_create_function_v2 (state->db, "args", 2, flags, state, sql_args, NULL, NULL, NULL);
  sqlite3_create_function_v2 (state->db, "name", 1, flags, state, sql_name, NULL, NULL, NULL);
  make_virtual_tables (state->db);
  make_data_tables (state->db);
  sqlite3_set_authorizer (state->db, authorize, NULL);
  if (state->cancellable != NULL)
    sqlite3_progress_handler (state->db, STEPS_PER_LOOK, look_at_cancellable, state->cancellable);
  return TRUE;
}

static sqlite3_stmt *
prepare_one (QueryState *state, const char *store_path, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;
  const char   *rest = sql;
  const char   *at = sql;
  int           code = SQLITE_OK;

  /* Comments and empty statements in front give no statement and no error. */
  while (statement == NULL && code == SQLITE_OK && *rest != '\0')
    {
      at = rest;
      code = sqlite3_prepare_v2 (state->db, at, -1, &statement, &rest);
    }
  if (code != SQLITE_OK)
    {
      set_sqlite_error (state, store_path, at, code, error);
      if (state->error_at >= 0)
        state->error_at += (int) g_utf8_pointer_to_offset (sql, at);
      return NULL;
    }
  if (statement == NULL)
    {
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_QUERY, _ ("The query is empty"));
      return NULL;
    }

  while (*rest != '\0')
    {
      sqlite3_stmt *second = NULL;

      code = sqlite3_prepare_v2 (state->db, rest, -1, &second, &rest);
      sqlite3_finalize (second);
      if (code != SQLITE_OK || second != NULL)
        {
          sqlite3_finalize (statement);
          g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                               _ ("The query holds more than one statement; give one at a time"));
          return NULL;
        }
    }

  if (!sqlite3_stmt_readonly (statement))
    {
      sqlite3_finalize (statement);
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                           _ ("The query writes; stores are only read"));
      return NULL;
    }
  return statement;
}

static void
fill_value (sqlite3_stmt *statement, int column, StriaValue *value)
{
  *value = (StriaValue){ 0 };
  switch (sqlite3_column_type (statement, column))
    {
    case SQLITE_INTEGER:
      value->type = STRIA_VALUE_INT;
      value->integer = sqlite3_column_int64 (statement, column);
      break;
    case SQLITE_FLOAT:
      value->type = STRIA_VALUE_REAL;
      value->real = sqlite3_column_double (statement, column);
      break;
    case SQLITE_TEXT:
      value->type = STRIA_VALUE_TEXT;
      value->text = (const char *) sqlite3_column_text (statement, column);
      value->length = (gsize) sqlite3_column_bytes (statement, column);
      break;
    case SQLITE_BLOB:
      value->type = STRIA_VALUE_BLOB;
      value->text = sqlite3_column_blob (statement, column);
      value->length = (gsize) sqlite3_column_bytes (statement, column);
      break;
    case SQLITE_NULL:
    default:
      value->type = STRIA_VALUE_NULL;
      break;
    }
}

/* Returns: an SQLite code; SQLITE_DONE when all rows were taken or @func wanted no more */
static int
run (sqlite3_stmt *statement, StriaQueryFunc func, gpointer user_data)
{
  int                      n_columns = sqlite3_column_count (statement);
  g_autofree const char  **names = g_new0 (const char *, (gsize) n_columns + 1);
  g_autofree StriaValue   *values = g_new0 (StriaValue, (gsize) n_columns + 1);
  int                      code;

  for (int i = 0; i < n_columns; i++)
    names[i] = sqlite3_column_name (statement, i);
  if (!func ((guint) n_columns, names, NULL, user_data))
    return SQLITE_DONE;

  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      for (int i = 0; i < n_columns; i++)
        fill_value (statement, i, &values[i]);
      if (!func ((guint) n_columns, names, values, user_data))
        return SQLITE_DONE;
    }
  return code;
}

gboolean
stria_query (const char    *store_path,
             const char    *sql,
             StriaQueryFunc func,
             gpointer       user_data,
             GCancellable  *cancellable,
             GError       **error)
{
  return stria_query_full (store_path, sql, func, user_data, NULL, cancellable, error);
}

/**
 * stria_query_full:
 * @store_path: (type filename): a finished store
 * @sql: one SQL statement that only reads
 * @func: (scope call): called with the names of the columns, then once a row
 * @cancellable: (nullable): looked at while a row is being found, too
 *
 * Runs @sql on a read-only connection of its own. Any thread.
 *
 * Returns: FALSE with %STRIA_ERROR_QUERY if @sql is wrong or more than a reading, with
 *   %STRIA_ERROR_STORE if the store cannot be read, or with %G_IO_ERROR_CANCELLED
 */
gboolean
stria_query_full (const char    *store_path,
                  const char    *sql,
                  StriaQueryFunc func,
                  gpointer       user_data,
                  int           *error_at,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_auto (QueryState) state = { .cancellable = cancellable, .error_at = -1 };
  sqlite3_stmt       *statement;
  gboolean            done;
  int                 code;

  g_return_val_if_fail (store_path != NULL, FALSE);
  g_return_val_if_fail (sql != NULL, FALSE);
  g_return_val_if_fail (func != NULL, FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  state.args = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                      (GDestroyNotify) stria_args_unref);
  if (!open_store (&state, store_path, error))
    return FALSE;

  statement = prepare_one (&state, store_path, sql, error);
  if (error_at != NULL)
    *error_at = state.error_at;
  if (statement == NULL)
    return FALSE;

  code = run (statement, func, user_data);
  done = code == SQLITE_DONE || set_sqlite_error (&state, store_path, sql, code, error);
  sqlite3_finalize (statement);
  return done;
}
