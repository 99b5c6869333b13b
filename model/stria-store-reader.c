/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-alloc-capacity.h"
#include "stria-error.h"
#include "stria-store-alloc.h"
#include "stria-store-facts.h"
#include "stria-store-private.h"
#include "stria-store-tables.h"

/* Rows of a lane, artifacts and the like that a sound store does not go beyond. */
#define MAX_LANES 16000000
#define MAX_ARTIFACTS 1000000

/* A store that is open for reading: a few idle connections, each used by one thread at a time. The
 * first one is never closed while the reader lives, so that a store that is evicted by another
 * process can still be read. */
typedef struct
{
  gatomicrefcount refs;
  char *path;
  GAsyncQueue *idle; /* sqlite3 */
} Reader;

static Reader *
reader_ref (Reader *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
reader_unref (gpointer data)
{
  Reader *self = data;
  sqlite3 *db;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  while ((db = g_async_queue_try_pop (self->idle)) != NULL)
    sqlite3_close (db);
  g_async_queue_unref (self->idle);
  g_free (self->path);
  g_free (self);
}

static sqlite3 *
reader_take (Reader *self, GError **error)
{
  sqlite3 *db = g_async_queue_try_pop (self->idle);

  if (db != NULL)
    return db;
  if (sqlite3_open_v2 (self->path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL)
      != SQLITE_OK)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _("%s: the store can't be opened: %s"),
                   self->path, sqlite3_errmsg (db));
      sqlite3_close (db);
      return NULL;
    }
  sqlite3_exec (db, "PRAGMA query_only = 1; PRAGMA mmap_size = 17179869184; "
                    "PRAGMA cache_size = -4096;", NULL, NULL, NULL);
  return db;
}

static void
reader_give (Reader *self, sqlite3 *db)
{
  if (g_async_queue_length (self->idle) < 4)
    g_async_queue_push (self->idle, db);
  else
    sqlite3_close (db);
}

static gboolean
store_error (Reader *self, sqlite3 *db, const char *what, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _("%s: the store is damaged (%s): %s"),
               self->path, what, db != NULL ? sqlite3_errmsg (db) : "");
  return FALSE;
}

static gint64
get_int (sqlite3 *db, const char *sql, gint64 fallback)
{
  sqlite3_stmt *statement;
  gint64 value = fallback;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    return fallback;
  if (sqlite3_step (statement) == SQLITE_ROW && sqlite3_column_type (statement, 0) != SQLITE_NULL)
    value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return value;
}

static const char *
column_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);
  return text != NULL ? text : "";
}

/* -- columns, lane by lane ------------------------------------------------------------------ */

typedef struct
{
  Reader *reader;
  guint32 number;
  guint64 n_events;
} LaneOrigin;

static void
lane_origin_free (gpointer data)
{
  LaneOrigin *origin = data;

  reader_unref (origin->reader);
  g_free (origin);
}

static gboolean
load_column (sqlite3_stmt *statement, LaneOrigin *origin, StriaColumns *columns, guint column)
{
  gsize size;
  guint8 **array = (guint8 **) stria_columns_get (columns, column, &size);
  guint64 at = 0;

  sqlite3_bind_int64 (statement, 1, stria_store_chunk_id (origin->number, column, 0));
  sqlite3_bind_int64 (statement, 2, stria_store_chunk_id (origin->number, column + 1, 0));
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      const guint8 *bytes = sqlite3_column_blob (statement, 0);
      const guint64 n = MIN (STRIA_PACK_EVENTS, origin->n_events - at);

      if (*array == NULL)
        *array = g_try_malloc (MAX (origin->n_events, 1) * size);
      if (*array == NULL || n == 0
          || !stria_column_unpack (bytes, (gsize) sqlite3_column_bytes (statement, 0), size,
                                   (gsize) n, *array + at * size))
        {
          sqlite3_reset (statement);
          return FALSE;
        }
      at += n;
    }
  return sqlite3_reset (statement) == SQLITE_OK && (at == 0 || at == origin->n_events);
}

/* Columns that index something must index what is there: the store may be damaged and still open. */
static gboolean
check_columns (const StriaColumns *c, gboolean is_counter, gboolean is_instants)
{
  if (c->start == NULL || c->name == NULL || c->category == NULL || c->flags == NULL
      || c->seq == NULL || c->args == NULL)
    return FALSE;
  if (is_counter)
    return c->value != NULL;
  if (!is_instants && c->dur == NULL)
    return FALSE;
  for (guint64 i = 0; c->parent != NULL && i < c->n; i++)
    if (c->parent[i] != G_MAXUINT32 && c->parent[i] >= c->n)
      return FALSE;
  return TRUE;
}

static gboolean
load_lane (gpointer user_data, guint64 first_id, StriaColumns *columns, GCancellable *cancellable,
           GError **error)
{
  LaneOrigin *origin = user_data;
  sqlite3 *db = reader_take (origin->reader, error);
  sqlite3_stmt *statement = NULL;
  gboolean ok = TRUE;

  if (db == NULL)
    return FALSE;
  if (sqlite3_prepare_v2 (db, "SELECT data FROM column_chunk WHERE id >= ?1 AND id < ?2 ORDER BY id",
                          -1, &statement, NULL)
      != SQLITE_OK)
    ok = store_error (origin->reader, db, "column_chunk", error);
  for (guint column = 0; ok && column < STRIA_N_COLUMNS; column++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        ok = FALSE;
      else if (!load_column (statement, origin, columns, column))
        ok = store_error (origin->reader, db, "column_chunk", error);
    }
  columns->n = origin->n_events;
  sqlite3_finalize (statement);
  reader_give (origin->reader, db);
  return ok;
}

static gboolean
load_and_check (gpointer user_data, guint64 first_id, StriaColumns *columns,
                GCancellable *cancellable, GError **error)
{
  LaneOrigin *origin = user_data;

  if (!load_lane (user_data, first_id, columns, cancellable, error))
    return FALSE;
  if (!check_columns (columns, columns->value != NULL, columns->dur == NULL))
    return store_error (origin->reader, NULL, "column_chunk", error);
  return TRUE;
}

/* -- argument chunks ------------------------------------------------------------------------ */

typedef struct
{
  Reader *reader;
  guint32 artifact;
} ArgsOrigin;

static void
args_origin_free (gpointer data)
{
  ArgsOrigin *origin = data;

  reader_unref (origin->reader);
  g_free (origin);
}

static GBytes *
load_args (gpointer user_data, guint32 chunk, GError **error)
{
  ArgsOrigin *origin = user_data;
  sqlite3 *db = reader_take (origin->reader, error);
  sqlite3_stmt *statement = NULL;
  GBytes *bytes = NULL;

  if (db == NULL)
    return NULL;
  if (sqlite3_prepare_v2 (db, "SELECT data FROM args_chunk WHERE artifact = ?1 AND chunk = ?2", -1,
                          &statement, NULL)
      == SQLITE_OK)
    {
      sqlite3_bind_int64 (statement, 1, origin->artifact);
      sqlite3_bind_int64 (statement, 2, chunk);
      if (sqlite3_step (statement) == SQLITE_ROW)
        bytes = g_bytes_new (sqlite3_column_blob (statement, 0),
                             (gsize) sqlite3_column_bytes (statement, 0));
    }
  if (bytes == NULL)
    store_error (origin->reader, db, "args_chunk", error);
  sqlite3_finalize (statement);
  reader_give (origin->reader, db);
  return bytes;
}

/* -- flows ---------------------------------------------------------------------------------- */

typedef struct
{
  Reader *reader;
  guint64 *first_id; /* n_lanes + 1 */
  guint32 n_lanes;
} FlowOrigin;

static void
flow_origin_free (gpointer data)
{
  FlowOrigin *origin = data;

  reader_unref (origin->reader);
  g_free (origin->first_id);
  g_free (origin);
}

static gboolean
ref_of_id (const FlowOrigin *origin, gint64 id, StriaRef *ref)
{
  guint32 a = 0, b = origin->n_lanes;

  if (id < 0 || origin->n_lanes == 0 || (guint64) id >= origin->first_id[origin->n_lanes])
    return FALSE;
  while (b - a > 1)
    {
      guint32 mid = a + (b - a) / 2;
      if (origin->first_id[mid] <= (guint64) id)
        a = mid;
      else
        b = mid;
    }
  *ref = (StriaRef){ a, (guint32) ((guint64) id - origin->first_id[a]) };
  return TRUE;
}

static GArray *
load_flows (gpointer user_data, GError **error)
{
  FlowOrigin *origin = user_data;
  sqlite3 *db = reader_take (origin->reader, error);
  sqlite3_stmt *statement = NULL;
  GArray *flows;

  if (db == NULL)
    return NULL;
  flows = g_array_new (FALSE, FALSE, sizeof (StriaFlow));
  if (sqlite3_prepare_v2 (db, "SELECT from_id, to_id, name, category, backwards FROM arrow", -1,
                          &statement, NULL)
      == SQLITE_OK)
    while (sqlite3_step (statement) == SQLITE_ROW)
      {
        StriaFlow flow = { .name = (guint32) sqlite3_column_int64 (statement, 2),
                           .category = (guint16) sqlite3_column_int (statement, 3),
                           .backwards = (guint16) sqlite3_column_int (statement, 4) };
        if (ref_of_id (origin, sqlite3_column_int64 (statement, 0), &flow.from)
            && ref_of_id (origin, sqlite3_column_int64 (statement, 1), &flow.to))
          g_array_append_val (flows, flow);
      }
  sqlite3_finalize (statement);
  reader_give (origin->reader, db);
  return flows;
}

/* -- tables --------------------------------------------------------------------------------- */

static gpointer
ref_reader (gpointer data)
{
  return reader_ref (data);
}

static GBytes *
load_table_chunk (gpointer user_data, const StriaChunkPlace *place, GError **error)
{
  Reader *self = user_data;
  sqlite3 *db = reader_take (self, error);
  GBytes *bytes;

  if (db == NULL)
    return NULL;
  bytes = stria_store_load_chunk (db, place, error);
  reader_give (self, db);
  return bytes;
}

static gboolean
read_tables (Reader *self, sqlite3 *db, GPtrArray *parts, GError **error)
{
  g_autoptr (GPtrArray) tables
      = stria_store_read_tables (db, load_table_chunk, self, ref_reader, reader_unref);

  for (guint i = 0; tables != NULL && i < tables->len; i++)
    {
      StriaTable *table = tables->pdata[i];
      StriaPart *part = table->artifact < parts->len ? parts->pdata[table->artifact] : NULL;

      if (part == NULL)
        return store_error (self, NULL, "data_table", error);
      if (part->tables == NULL)
        part->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
      g_ptr_array_add (part->tables, stria_table_ref (table));
    }
  return tables != NULL ? TRUE : store_error (self, NULL, "data_chunk", error);
}

/* -- the whole store ------------------------------------------------------------------------ */

static gboolean
read_artifacts (Reader *self, sqlite3 *db, StriaCapture *capture, GPtrArray *parts, GError **error)
{
  sqlite3_stmt *statement = NULL;
  guint n = 0;

  if (sqlite3_prepare_v2 (db, "SELECT state, reason, n_events, base_ns, shift_ns FROM artifact "
                              "ORDER BY id", -1, &statement, NULL)
      != SQLITE_OK)
    return store_error (self, db, "artifact", error);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, n);
      StriaPart *part = g_new0 (StriaPart, 1);

      part->artifact = n++;
      part->processes = g_array_new (FALSE, TRUE, sizeof (StriaProcess));
      part->bodies = g_ptr_array_new ();
      part->flows = g_array_new (FALSE, FALSE, sizeof (StriaFlow));
      part->meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      part->has_base = sqlite3_column_type (statement, 3) != SQLITE_NULL;
      part->base_ns = sqlite3_column_int64 (statement, 3);
      part->shift_ns = sqlite3_column_int64 (statement, 4);
      g_ptr_array_add (parts, part);
      if (artifact == NULL)
        continue;
      const char *state = column_text (statement, 0);
      for (int s = STRIA_ARTIFACT_WAITING; s <= STRIA_ARTIFACT_CANCELLED; s++)
        if (g_str_equal (state, stria_artifact_state_name ((StriaArtifactState) s)))
          stria_artifact_set_state (artifact, (StriaArtifactState) s,
                                    (const char *) sqlite3_column_text (statement, 1));
      stria_artifact_set_n_events (artifact, (guint64) sqlite3_column_int64 (statement, 2));
    }
  sqlite3_finalize (statement);
  if (n != stria_capture_get_n_artifacts (capture) || n > MAX_ARTIFACTS)
    return store_error (self, NULL, _("it is of other artifacts"), error);

  if (sqlite3_prepare_v2 (db, "SELECT artifact, key, value FROM artifact_meta", -1, &statement, NULL)
      != SQLITE_OK)
    return store_error (self, db, "artifact_meta", error);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      gint64 a = sqlite3_column_int64 (statement, 0);
      if (a >= 0 && a < parts->len)
        g_hash_table_insert (((StriaPart *) parts->pdata[a])->meta,
                             g_strdup (column_text (statement, 1)),
                             g_strdup (column_text (statement, 2)));
    }
  sqlite3_finalize (statement);
  return TRUE;
}

static gboolean
read_names (Reader *self, sqlite3 *db, StriaTrace *trace, GError **error)
{
  sqlite3_stmt *statement = NULL;
  gint64 n = get_int (db, "SELECT count(*) FROM string", 0);

  if (n <= 0 || n > G_MAXUINT32)
    return store_error (self, NULL, "string", error);
  trace->strings = stria_strings_new ();
  trace->n_name_counts = (guint32) n;
  trace->name_counts = g_new0 (guint64, n);
  if (sqlite3_prepare_v2 (db, "SELECT id, text, n_events FROM string ORDER BY id", -1, &statement,
                          NULL)
      != SQLITE_OK)
    return store_error (self, db, "string", error);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      gint64 id = sqlite3_column_int64 (statement, 0);
      const char *text = column_text (statement, 1);
      guint32 got = stria_strings_intern (trace->strings, text,
                                          (gsize) sqlite3_column_bytes (statement, 1));
      if (got != id || id >= n)
        {
          sqlite3_finalize (statement);
          return store_error (self, NULL, "string", error);
        }
      trace->name_counts[id] = (guint64) sqlite3_column_int64 (statement, 2);
    }
  sqlite3_finalize (statement);
  if (stria_strings_size (trace->strings) != (guint32) n)
    return store_error (self, db, "string", error);

  if (sqlite3_prepare_v2 (db, "SELECT name FROM category ORDER BY id", -1, &statement, NULL)
      != SQLITE_OK)
    return store_error (self, db, "category", error);
  while (sqlite3_step (statement) == SQLITE_ROW)
    g_ptr_array_add (trace->categories, g_strdup (column_text (statement, 0)));
  sqlite3_finalize (statement);
  return TRUE;
}

static gboolean
read_processes (Reader *self, sqlite3 *db, StriaTrace *trace, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, "SELECT artifact, key, name, labels, sort_index FROM process "
                              "ORDER BY id", -1, &statement, NULL)
      != SQLITE_OK)
    return store_error (self, db, "process", error);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      StriaProcess process = {
        .artifact = (guint32) sqlite3_column_int64 (statement, 0),
        .key = g_strdup (column_text (statement, 1)),
        .name = g_strdup ((const char *) sqlite3_column_text (statement, 2)),
        .labels = g_strdup ((const char *) sqlite3_column_text (statement, 3)),
        .sort_index = sqlite3_column_int64 (statement, 4),
      };
      g_array_append_val (trace->processes, process);
    }
  sqlite3_finalize (statement);
  return TRUE;
}

static gboolean
read_lane (Reader *self, sqlite3_stmt *row, StriaTrace *trace, guint64 *next_id, GError **error)
{
  int kind = stria_store_lane_kind (column_text (row, 2));
  gint64 n_rows = sqlite3_column_int64 (row, 6), n_events = sqlite3_column_int64 (row, 7);
  gint64 process = sqlite3_column_int64 (row, 0), artifact = sqlite3_column_int64 (row, 1);
  guint64 first_id = (guint64) sqlite3_column_int64 (row, 8);
  gsize bytes = (gsize) sqlite3_column_bytes (row, 13);

  if (kind < 0 || n_rows < 0 || n_events < 0 || n_events > G_MAXUINT32 || process < 0
      || process >= trace->processes->len || artifact < 0 || artifact >= MAX_ARTIFACTS
      || first_id != *next_id || bytes != ((gsize) n_rows + 1) * sizeof (guint64))
    return store_error (self, NULL, "lane", error);

  StriaLaneBody *body = stria_lane_body_new ((StriaLaneKind) kind, column_text (row, 4),
                                             column_text (row, 3));
  body->unit = g_strdup ((const char *) sqlite3_column_text (row, 5));
  body->n_rows = (guint32) n_rows;
  body->n_events = (guint64) n_events;
  body->row_begin = g_memdup2 (sqlite3_column_blob (row, 13), bytes);
  body->start_ns = sqlite3_column_int64 (row, 9);
  body->end_ns = sqlite3_column_int64 (row, 10);
  body->min_value = sqlite3_column_double (row, 11);
  body->max_value = sqlite3_column_double (row, 12);
  gboolean sound = TRUE;
  for (gint64 i = 0; i <= n_rows; i++)
    {
      body->row_begin[i] = GUINT64_FROM_LE (body->row_begin[i]);
      sound &= body->row_begin[i] <= body->n_events
               && (i == 0 ? body->row_begin[0] == 0 : body->row_begin[i] >= body->row_begin[i - 1]);
    }
  sound &= body->row_begin[n_rows] == body->n_events;

  LaneOrigin *origin = g_new0 (LaneOrigin, 1);
  origin->reader = reader_ref (self);
  origin->number = trace->lanes->len;
  origin->n_events = body->n_events;
  body->loader = load_and_check;
  body->loader_data = origin;
  body->loader_destroy = lane_origin_free;
  g_ptr_array_add (trace->lanes,
                   stria_lane_new (body, (guint32) process, (guint32) artifact, first_id));
  stria_lane_body_unref (body);
  *next_id = first_id + (guint64) n_events;
  return sound ? TRUE : store_error (self, NULL, "lane", error);
}

static gboolean
read_lanes (Reader *self, sqlite3 *db, StriaTrace *trace, GError **error)
{
  sqlite3_stmt *statement = NULL;
  guint64 next_id = 0;
  gboolean ok = TRUE;

  if (sqlite3_prepare_v2 (db, "SELECT process, artifact, kind, key, name, unit, n_rows, n_events, "
                              "first_id, start_ns, end_ns, min_value, max_value, row_begin FROM lane "
                              "ORDER BY id", -1, &statement, NULL)
      != SQLITE_OK)
    return store_error (self, db, "lane", error);
  while (ok && sqlite3_step (statement) == SQLITE_ROW)
    ok = trace->lanes->len < MAX_LANES && read_lane (self, statement, trace, &next_id, error);
  sqlite3_finalize (statement);
  if (!ok)
    return FALSE;

  FlowOrigin *origin = g_new0 (FlowOrigin, 1);
  origin->reader = reader_ref (self);
  origin->n_lanes = trace->lanes->len;
  origin->first_id = g_new0 (guint64, trace->lanes->len + 1);
  for (guint i = 0; i < trace->lanes->len; i++)
    origin->first_id[i] = ((StriaLane *) trace->lanes->pdata[i])->first_id;
  origin->first_id[trace->lanes->len] = next_id;
  trace->flow_loader = load_flows;
  trace->flow_loader_data = origin;
  trace->flow_loader_destroy = flow_origin_free;
  return TRUE;
}

static void
read_args (Reader *self, sqlite3 *db, StriaTrace *trace, guint n_artifacts)
{
  sqlite3_stmt *statement = NULL;

  g_ptr_array_set_size (trace->args, (gint) n_artifacts);
  if (sqlite3_prepare_v2 (db, "SELECT artifact, max (chunk) + 1 FROM args_chunk GROUP BY artifact",
                          -1, &statement, NULL)
      != SQLITE_OK)
    return;
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      gint64 a = sqlite3_column_int64 (statement, 0);
      if (a < 0 || a >= n_artifacts || trace->args->pdata[a] != NULL)
        continue;
      ArgsOrigin *origin = g_new0 (ArgsOrigin, 1);
      origin->reader = reader_ref (self);
      origin->artifact = (guint32) a;
      trace->args->pdata[a] = stria_args_new_loaded ((guint32) sqlite3_column_int64 (statement, 1),
                                                     load_args, origin, args_origin_free);
    }
  sqlite3_finalize (statement);
}

static gboolean
read_snapshots (Reader *self, sqlite3 *db, StriaTrace *trace, GPtrArray *parts, GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    {
      gboolean damaged = FALSE;

      ((StriaPart *) parts->pdata[i])->snapshot
          = stria_store_read_snapshot (db, i, trace->strings, &damaged);
      if (damaged)
        return store_error (self, NULL, "alloc_device", error);
      if (((StriaPart *) parts->pdata[i])->snapshot == NULL)
        continue;
      if (trace->snapshots == NULL)
        trace->snapshots
            = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_snapshot_data_unref);
      g_ptr_array_add (trace->snapshots,
                       stria_snapshot_data_ref (((StriaPart *) parts->pdata[i])->snapshot));
    }
  stria_alloc_capacity_find (parts);
  return TRUE;
}

static gboolean
read_facts (Reader *self, sqlite3 *db, GPtrArray *parts, GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    {
      gboolean damaged = FALSE;

      ((StriaPart *) parts->pdata[i])->facts = stria_store_read_facts (db, i, &damaged);
      if (damaged)
        return store_error (self, NULL, "fact_string", error);
    }
  return TRUE;
}

static gboolean
read_notices (Reader *self, sqlite3 *db, StriaCapture *capture, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, "SELECT code, severity, file, offset, count, message FROM notice", -1,
                          &statement, NULL)
      != SQLITE_OK)
    return store_error (self, db, "notice", error);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      const char *severity = column_text (statement, 1);
      const char *code = column_text (statement, 0);
      StriaSeverity s = STRIA_SEVERITY_INFO;
      for (int k = STRIA_SEVERITY_INFO; k <= STRIA_SEVERITY_ERROR; k++)
        if (g_str_equal (severity, stria_severity_name ((StriaSeverity) k)))
          s = (StriaSeverity) k;
      /* The scan has just said its own again. */
      if (g_str_has_prefix (code, "scan-"))
        continue;
      stria_notices_count (capture->notices, s, code, column_text (statement, 2),
                           sqlite3_column_int64 (statement, 3),
                           (guint64) sqlite3_column_int64 (statement, 4),
                           column_text (statement, 5));
    }
  sqlite3_finalize (statement);
  return TRUE;
}

static void
read_meta (sqlite3 *db, StriaTrace *trace)
{
#define META(key) "SELECT value FROM meta WHERE key = '" key "'"
  trace->n_events = (guint64) get_int (db, META ("n_events"), 0);
  trace->unbound_flows = (guint64) get_int (db, META ("unbound_flows"), 0);
  trace->has_range = get_int (db, META ("start_ns"), G_MININT64) != G_MININT64;
  trace->start_ns = get_int (db, META ("start_ns"), 0);
  trace->end_ns = get_int (db, META ("end_ns"), 0);
  trace->view_start_ns = get_int (db, META ("view_start_ns"), trace->start_ns);
  trace->view_end_ns = get_int (db, META ("view_end_ns"), trace->end_ns);
  trace->has_wall = get_int (db, META ("wall_ns"), G_MININT64) != G_MININT64;
  trace->wall_ns = get_int (db, META ("wall_ns"), 0);

  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2 (db, META ("overview"), -1, &statement, NULL) == SQLITE_OK
      && sqlite3_step (statement) == SQLITE_ROW
      && sqlite3_column_bytes (statement, 0) == STRIA_OVERVIEW_BINS * (int) sizeof (float))
    trace->overview = g_memdup2 (sqlite3_column_blob (statement, 0),
                                 STRIA_OVERVIEW_BINS * sizeof (float));
  sqlite3_finalize (statement);
#undef META
}

static void
free_stub_part (gpointer data)
{
  StriaPart *part = data;

  g_array_unref (part->processes);
  g_ptr_array_unref (part->bodies);
  g_array_unref (part->flows);
  g_clear_pointer (&part->snapshot, stria_snapshot_data_unref);
  g_clear_pointer (&part->facts, stria_facts_unref);
  g_clear_pointer (&part->tables, g_ptr_array_unref);
  g_clear_pointer (&part->meta, g_hash_table_unref);
  g_free (part);
}

gboolean
stria_store_read (StriaCapture *capture, const char *path, GError **error)
{
  Reader *self = g_new0 (Reader, 1);
  StriaTrace *trace = stria_trace_new ();
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (free_stub_part);
  gboolean ok = FALSE;

  g_atomic_ref_count_init (&self->refs);
  self->path = g_strdup (path);
  self->idle = g_async_queue_new ();
  sqlite3 *db = reader_take (self, error);
  if (db != NULL)
    {
      if (get_int (db, "PRAGMA application_id", 0) != STRIA_STORE_APPLICATION_ID
          || get_int (db, "PRAGMA user_version", 0) != STRIA_SCHEMA_VERSION
          || get_int (db, "SELECT value FROM meta WHERE key = 'complete'", 0) != 1)
        g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE,
                     _("%s: not a finished store of version %d"), path, STRIA_SCHEMA_VERSION);
      else
        ok = read_artifacts (self, db, capture, parts, error) && read_names (self, db, trace, error)
             && read_processes (self, db, trace, error) && read_lanes (self, db, trace, error)
             && read_snapshots (self, db, trace, parts, error)
             && read_facts (self, db, parts, error)
             && read_tables (self, db, parts, error)
             && read_notices (self, db, capture, error);
      if (ok)
        {
          read_args (self, db, trace, parts->len);
          read_meta (db, trace);
        }
      reader_give (self, db);
    }
  if (ok)
    {
      g_mutex_lock (&capture->mutex);
      g_ptr_array_set_size (capture->parts, 0);
      for (guint i = 0; i < parts->len; i++)
        g_ptr_array_add (capture->parts, parts->pdata[i]);
      g_ptr_array_set_free_func (parts, NULL);
      g_mutex_unlock (&capture->mutex);
      stria_capture_take_trace (capture, trace);
    }
  else
    stria_trace_unref (trace);
  reader_unref (self);
  return ok;
}
