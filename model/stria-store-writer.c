/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "schema-sql.h"
#include "stria-cache.h"
#include "stria-error.h"
#include "stria-store-alloc.h"
#include "stria-store-facts.h"
#include "stria-store-private.h"
#include "stria-store-tables.h"

typedef struct
{
  StriaCapture *capture;
  StriaTrace *trace;
  sqlite3 *db;
  GCancellable *cancellable;
  StriaProgressFunc progress;
  gpointer user_data;
  guint64 rows_done;
  guint64 rows_total;
  StriaRowSource source;
} Writer;

static gboolean
sql_error (Writer *self, const char *what, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _("The store could not be written (%s): %s"),
               what, sqlite3_errmsg (self->db));
  return FALSE;
}

static gboolean
run (Writer *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) != SQLITE_OK)
    return sql_error (self, sql, error);
  return TRUE;
}

static sqlite3_stmt *
prepare (Writer *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) != SQLITE_OK)
    {
      sql_error (self, sql, error);
      return NULL;
    }
  return statement;
}

static void
bind_text (sqlite3_stmt *statement, int column, const char *text)
{
  if (text != NULL)
    sqlite3_bind_text (statement, column, text, -1, SQLITE_TRANSIENT);
}

/* Runs a prepared INSERT once and makes it ready for the next row. */
static gboolean
put (Writer *self, sqlite3_stmt *statement, GError **error)
{
  int result = sqlite3_step (statement);

  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  if (result != SQLITE_DONE)
    return sql_error (self, sqlite3_sql (statement), error);
  return TRUE;
}

static gboolean
write_meta (Writer *self, GError **error)
{
  sqlite3_stmt *statement = prepare (self, "INSERT INTO meta VALUES (?1, ?2)", error);
  const StriaTrace *trace = self->trace;
  gboolean ok = statement != NULL;
  struct
  {
    const char *key;
    gint64 value;
    gboolean is_set;
  } numbers[] = {
    { "n_events", (gint64) trace->n_events, TRUE },
    { "start_ns", trace->start_ns, trace->has_range },
    { "end_ns", trace->end_ns, trace->has_range },
    { "view_start_ns", trace->view_start_ns, trace->has_range },
    { "view_end_ns", trace->view_end_ns, trace->has_range },
    { "wall_ns", trace->wall_ns, trace->has_wall },
    { "unbound_flows", (gint64) trace->unbound_flows, TRUE },
  };

  for (guint i = 0; ok && i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].is_set)
      {
        bind_text (statement, 1, numbers[i].key);
        sqlite3_bind_int64 (statement, 2, numbers[i].value);
        ok = put (self, statement, error);
      }
  if (ok)
    {
      bind_text (statement, 1, "program");
      bind_text (statement, 2, "stria " VERSION);
      ok = put (self, statement, error);
    }
  if (ok)
    {
      bind_text (statement, 1, "path");
      bind_text (statement, 2, stria_capture_get_path (self->capture));
      ok = put (self, statement, error);
    }
  if (ok && trace->has_range)
    {
      float bins[1];
      /* Makes the overview if nobody asked for it yet. */
      stria_trace_overview (self->trace, trace->view_start_ns, trace->view_end_ns, bins, 1);
      if (trace->overview != NULL)
        {
          bind_text (statement, 1, "overview");
          sqlite3_bind_blob (statement, 2, trace->overview, STRIA_OVERVIEW_BINS * sizeof (float),
                             SQLITE_STATIC);
          ok = put (self, statement, error);
        }
    }
  sqlite3_finalize (statement);
  return ok;
}

static gboolean
write_artifacts (Writer *self, GError **error)
{
  sqlite3_stmt *rows = prepare (
      self, "INSERT INTO artifact VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)", error);
  sqlite3_stmt *facts
      = rows != NULL ? prepare (self, "INSERT INTO artifact_meta VALUES (?1, ?2, ?3)", error) : NULL;
  gboolean ok = facts != NULL;

  for (guint i = 0; ok && i < stria_capture_get_n_artifacts (self->capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (self->capture, i);
      const StriaPart *part
          = i < self->capture->parts->len ? self->capture->parts->pdata[i] : NULL;
      g_autofree char *reason = stria_artifact_dup_reason (artifact);
      g_autoptr (GHashTable) meta = stria_capture_get_meta (self->capture, i);
      GHashTableIter iter;
      gpointer key, value;

      sqlite3_bind_int64 (rows, 1, i);
      bind_text (rows, 2, stria_artifact_get_name (artifact));
      bind_text (rows, 3, stria_artifact_get_kind (artifact));
      bind_text (rows, 4, stria_artifact_get_title (artifact));
      bind_text (rows, 5, stria_artifact_state_name (stria_artifact_get_state (artifact)));
      bind_text (rows, 6, reason);
      sqlite3_bind_int64 (rows, 7, (gint64) stria_artifact_get_size (artifact));
      sqlite3_bind_int64 (rows, 8, stria_artifact_get_mtime (artifact));
      bind_text (rows, 9, stria_artifact_get_digest (artifact));
      sqlite3_bind_int64 (rows, 10, (gint64) stria_artifact_get_n_events (artifact));
      if (part != NULL && part->has_base)
        sqlite3_bind_int64 (rows, 11, part->base_ns);
      sqlite3_bind_int64 (rows, 12, part != NULL ? part->shift_ns : 0);
      ok = put (self, rows, error);

      g_hash_table_iter_init (&iter, meta);
      while (ok && g_hash_table_iter_next (&iter, &key, &value))
        {
          sqlite3_bind_int64 (facts, 1, i);
          bind_text (facts, 2, key);
          bind_text (facts, 3, value);
          ok = put (self, facts, error);
        }
    }
  sqlite3_finalize (rows);
  sqlite3_finalize (facts);
  return ok;
}

static gboolean
write_notices (Writer *self, GError **error)
{
  sqlite3_stmt *statement
      = prepare (self, "INSERT INTO notice VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
  g_autoptr (GPtrArray) notices = stria_notices_list (stria_capture_get_notices (self->capture));
  gboolean ok = statement != NULL;

  for (guint i = 0; ok && i < notices->len; i++)
    {
      const StriaNotice *notice = notices->pdata[i];
      bind_text (statement, 1, notice->code);
      bind_text (statement, 2, stria_severity_name (notice->severity));
      bind_text (statement, 3, notice->file);
      sqlite3_bind_int64 (statement, 4, notice->offset);
      sqlite3_bind_int64 (statement, 5, (gint64) notice->count);
      bind_text (statement, 6, notice->message);
      ok = put (self, statement, error);
    }
  sqlite3_finalize (statement);
  return ok;
}

static gboolean
write_names (Writer *self, GError **error)
{
  sqlite3_stmt *strings = prepare (self, "INSERT INTO string VALUES (?1, ?2, ?3)", error);
  sqlite3_stmt *categories
      = strings != NULL ? prepare (self, "INSERT INTO category VALUES (?1, ?2)", error) : NULL;
  gboolean ok = categories != NULL;

  /* Up to the number that the trace knows of: a text may be interned while this runs. */
  for (guint32 id = 0; ok && id < self->trace->n_name_counts; id++)
    {
      sqlite3_bind_int64 (strings, 1, id);
      sqlite3_bind_text (strings, 2, stria_strings_get (self->trace->strings, id),
                         (int) MIN (stria_strings_length (self->trace->strings, id), G_MAXINT),
                         SQLITE_STATIC);
      sqlite3_bind_int64 (strings, 3, (gint64) self->trace->name_counts[id]);
      ok = put (self, strings, error);
    }
  for (guint32 id = 0; ok && id < self->trace->categories->len; id++)
    {
      sqlite3_bind_int64 (categories, 1, id);
      bind_text (categories, 2, self->trace->categories->pdata[id]);
      ok = put (self, categories, error);
    }
  sqlite3_finalize (strings);
  sqlite3_finalize (categories);
  return ok;
}

static gboolean
write_processes (Writer *self, GError **error)
{
  sqlite3_stmt *statement
      = prepare (self, "INSERT INTO process VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
  gboolean ok = statement != NULL;

  for (guint32 i = 0; ok && i < self->trace->processes->len; i++)
    {
      const StriaProcess *process = &g_array_index (self->trace->processes, StriaProcess, i);
      sqlite3_bind_int64 (statement, 1, i);
      sqlite3_bind_int64 (statement, 2, process->artifact);
      bind_text (statement, 3, process->key);
      bind_text (statement, 4, process->name);
      bind_text (statement, 5, process->labels);
      sqlite3_bind_int64 (statement, 6, process->sort_index);
      ok = put (self, statement, error);
    }
  sqlite3_finalize (statement);
  return ok;
}

/* Packed events of a column; NULL without @error: the lane has no such column. */
static GBytes *
lane_chunk (StriaLaneBody *body, guint column, guint chunk, GError **error)
{
  const guint64 first = (guint64) chunk * STRIA_PACK_EVENTS;
  GByteArray *packed;
  const guint8 *data;
  gsize size;

  if (body->park != NULL)
    return stria_park_get_chunk (body->park, column, chunk, error);
  data = *stria_columns_get (&body->columns, column, &size);
  if (data == NULL)
    return NULL;
  packed = g_byte_array_new ();
  stria_column_pack (data + first * size, size,
                     (gsize) MIN (STRIA_PACK_EVENTS, body->columns.n - first), packed);
  return g_byte_array_free_to_bytes (packed);
}

/* What a lane is, and its columns. */
static gboolean
write_lane (Writer *self, sqlite3_stmt *lanes, sqlite3_stmt *chunks, guint32 number, GError **error)
{
  StriaLane *lane = self->trace->lanes->pdata[number];
  StriaLaneBody *body = lane->body;
  g_autofree guint64 *row_begin = g_new (guint64, body->n_rows + 1);
  const guint n_chunks = (guint) ((body->n_events + STRIA_PACK_EVENTS - 1) / STRIA_PACK_EVENTS);

  for (guint32 row = 0; row <= body->n_rows; row++)
    row_begin[row] = GUINT64_TO_LE (body->row_begin[row]);
  sqlite3_bind_int64 (lanes, 1, number);
  sqlite3_bind_int64 (lanes, 2, lane->process);
  sqlite3_bind_int64 (lanes, 3, lane->artifact);
  bind_text (lanes, 4, stria_store_lane_kind_name (body->kind));
  bind_text (lanes, 5, body->key);
  bind_text (lanes, 6, body->name);
  bind_text (lanes, 7, body->unit);
  sqlite3_bind_int64 (lanes, 8, body->n_rows);
  sqlite3_bind_int64 (lanes, 9, (gint64) body->n_events);
  sqlite3_bind_int64 (lanes, 10, (gint64) lane->first_id);
  sqlite3_bind_int64 (lanes, 11, body->start_ns);
  sqlite3_bind_int64 (lanes, 12, body->end_ns);
  if (body->kind == STRIA_LANE_COUNTER)
    {
      sqlite3_bind_double (lanes, 13, body->min_value);
      sqlite3_bind_double (lanes, 14, body->max_value);
    }
  sqlite3_bind_blob64 (lanes, 15, row_begin, (body->n_rows + 1) * sizeof *row_begin, SQLITE_STATIC);
  if (!put (self, lanes, error))
    return FALSE;

  for (guint column = 0; column < STRIA_N_COLUMNS; column++)
    for (guint chunk = 0; chunk < n_chunks; chunk++)
      {
        g_autoptr (GError) local = NULL;
        g_autoptr (GBytes) bytes = lane_chunk (body, column, chunk, &local);

        if (local != NULL)
          {
            g_propagate_error (error, g_steal_pointer (&local));
            return FALSE;
          }
        if (bytes == NULL)
          break;
        sqlite3_bind_int64 (chunks, 1, stria_store_chunk_id (number, column, chunk));
        sqlite3_bind_blob64 (chunks, 2, g_bytes_get_data (bytes, NULL),
                             g_bytes_get_size (bytes), SQLITE_STATIC);
        if (!put (self, chunks, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
write_lanes (Writer *self, GError **error)
{
  sqlite3_stmt *lanes = prepare (self, "INSERT INTO lane VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                                       "?10, ?11, ?12, ?13, ?14, ?15)", error);
  sqlite3_stmt *chunks
      = lanes != NULL ? prepare (self, "INSERT INTO column_chunk VALUES (?1, ?2)", error) : NULL;
  gboolean ok = chunks != NULL;

  for (guint32 i = 0; ok && i < self->trace->lanes->len; i++)
    ok = write_lane (self, lanes, chunks, i, error);
  sqlite3_finalize (lanes);
  sqlite3_finalize (chunks);
  return ok;
}

static gboolean
write_rows (Writer *self, GError **error)
{
  static const char *const sql[3] = {
    ("INSERT INTO slice SELECT id, lane, ts, dur, name, category, depth, parent, correlation, "
     "external_id, python_id, seq, flags, args FROM lane_rows"),
    "INSERT INTO instant SELECT id, lane, ts, name, category, seq, flags, args FROM lane_rows",
    "INSERT INTO sample SELECT id, lane, ts, value, seq FROM lane_rows",
  };
  sqlite3_stmt *statements[3] = { NULL };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < 3; i++)
    ok = (statements[i] = prepare (self, sql[i], error)) != NULL;
  for (guint32 i = 0; ok && i < self->trace->lanes->len; i++)
    {
      StriaLane *lane = self->trace->lanes->pdata[i];
      StriaLaneKind kind = lane->body->kind;

      /* Those are rows already, in the table that they were made from. */
      if (g_str_has_prefix (lane->body->key, STRIA_TABLE_LANE_KEY))
        {
          self->rows_done += lane->body->n_events;
          continue;
        }
      self->source = (StriaRowSource){ lane, i };
      ok = put (self, statements[kind == STRIA_LANE_COUNTER ? 2 : kind == STRIA_LANE_INSTANTS], error);
      self->rows_done += lane->body->n_events;
      if (self->progress != NULL && self->rows_total > 0)
        self->progress (0.2 + 0.75 * (double) self->rows_done / (double) self->rows_total,
                        self->user_data);
    }
  for (guint i = 0; i < 3; i++)
    sqlite3_finalize (statements[i]);
  return ok;
}

static gboolean
write_flows (Writer *self, GError **error)
{
  sqlite3_stmt *statement
      = prepare (self, "INSERT INTO arrow VALUES (NULL, ?1, ?2, ?3, ?4, ?5)", error);
  gsize n;
  const StriaFlow *flows = stria_trace_get_flows (self->trace, &n);
  gboolean ok = statement != NULL;

  for (gsize i = 0; ok && i < n; i++)
    {
      const StriaLane *from = self->trace->lanes->pdata[flows[i].from.lane];
      const StriaLane *to = self->trace->lanes->pdata[flows[i].to.lane];
      sqlite3_bind_int64 (statement, 1, (gint64) (from->first_id + flows[i].from.index));
      sqlite3_bind_int64 (statement, 2, (gint64) (to->first_id + flows[i].to.index));
      sqlite3_bind_int64 (statement, 3, flows[i].name);
      sqlite3_bind_int64 (statement, 4, flows[i].category);
      sqlite3_bind_int64 (statement, 5, flows[i].backwards);
      ok = put (self, statement, error);
    }
  sqlite3_finalize (statement);
  return ok;
}

static gboolean
write_snapshots (Writer *self, GError **error)
{
  g_autoptr (GPtrArray) snapshots = stria_capture_get_snapshots (self->capture);

  for (guint i = 0; i < snapshots->len; i++)
    if (!stria_store_write_snapshot (self->db, snapshots->pdata[i]))
      return sql_error (self, "alloc_event", error);
  return TRUE;
}

static gboolean
write_facts (Writer *self, GError **error)
{
  guint n = stria_capture_get_n_artifacts (self->capture);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StriaFacts) facts = stria_capture_ref_facts (self->capture, i);
      if (facts != NULL && !stria_store_write_facts (self->db, i, facts))
        return sql_error (self, "fact_string", error);
    }
  return TRUE;
}

static gboolean
write_tables (Writer *self, GError **error)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (self->capture);
  g_autoptr (GError) local = NULL;

  if (stria_store_write_tables (self->db, tables, self->cancellable, &local))
    return TRUE;
  if (local == NULL)
    return sql_error (self, "data_chunk", error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
write_args (Writer *self, GError **error)
{
  sqlite3_stmt *statement = prepare (self, "INSERT INTO args_chunk VALUES (?1, ?2, ?3)", error);
  gboolean ok = statement != NULL;

  for (guint a = 0; ok && a < self->trace->args->len; a++)
    {
      StriaArgs *args = self->trace->args->pdata[a];
      for (guint32 chunk = 0; ok && args != NULL && chunk < stria_args_n_chunks (args); chunk++)
        {
          g_autoptr (GBytes) data = stria_args_get_chunk (args, chunk, error);
          gsize length;
          gconstpointer bytes;

          if (data == NULL)
            {
              ok = FALSE;
              break;
            }
          bytes = g_bytes_get_data (data, &length);
          sqlite3_bind_int64 (statement, 1, a);
          sqlite3_bind_int64 (statement, 2, chunk);
          sqlite3_bind_blob64 (statement, 3, bytes, length, SQLITE_STATIC);
          ok = put (self, statement, error);
        }
    }
  sqlite3_finalize (statement);
  return ok;
}

static int
look_for_cancel (void *data)
{
  return g_cancellable_is_cancelled (data);
}

static gboolean
write_all (Writer *self, GError **error)
{
  g_autofree char *version
      = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d;",
                         STRIA_STORE_APPLICATION_ID, STRIA_SCHEMA_VERSION);

  /* Nobody sees the file before it is whole, synced and renamed: the journal would guard nothing. */
  return run (self,
              "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
              "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY;",
              error)
         && run (self, version, error)
         && run (self, "BEGIN", error)
         && run (self, stria_schema_sql, error)
         && write_artifacts (self, error)
         && write_names (self, error)
         && write_processes (self, error)
         && write_lanes (self, error)
         && write_args (self, error)
         && write_rows (self, error)
         && write_flows (self, error)
         && write_snapshots (self, error)
         && write_facts (self, error)
         && write_tables (self, error)
         && write_notices (self, error)
         && write_meta (self, error)
         && run (self, "INSERT INTO meta VALUES ('complete', '1'); COMMIT;", error);
}

static gboolean
errno_error (const char *path, const char *what, GError **error)
{
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_STORE, _("%s: %s: %s"), path, what,
               g_strerror (errno));
  return FALSE;
}

static gboolean
sync_folder (const char *folder)
{
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0)
    return FALSE;
  gboolean ok = fsync (fd) == 0;
  close (fd);
  return ok;
}

gboolean
stria_store_write (StriaCapture *capture, const char *path, GCancellable *cancellable,
                   StriaProgressFunc progress, gpointer user_data, GError **error)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *part = NULL;
  Writer self = {
    .capture = capture,
    .trace = trace,
    .cancellable = cancellable,
    .progress = progress,
    .user_data = user_data,
  };
  gboolean ok = FALSE;
  int fd = -1;

  if (trace == NULL)
    self.trace = trace = stria_trace_new ();
  if (trace->strings == NULL)
    trace->strings = stria_strings_new ();
  for (guint i = 0; i < trace->lanes->len; i++)
    self.rows_total += stria_lane_get_n_events (trace->lanes->pdata[i]);

  part = stria_cache_open_part (stria_capture_get_key (capture), &fd, error);
  if (part == NULL)
    return FALSE;

  if (sqlite3_open_v2 (part, &self.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
      != SQLITE_OK)
    sql_error (&self, "open", error);
  else
    {
      if (cancellable != NULL)
        sqlite3_progress_handler (self.db, 100000, look_for_cancel, cancellable);
      stria_store_rows_register (self.db, &self.source);
      ok = write_all (&self, error);
    }
  if (sqlite3_close (self.db) != SQLITE_OK)
    g_warning ("%s: %s", part, sqlite3_errmsg (self.db));

  if (ok && fsync (fd) != 0)
    ok = errno_error (part, _("the store can't be written to disk"), error);
  if (ok && g_rename (part, path) != 0)
    ok = errno_error (path, _("the store can't be put in place"), error);
  if (ok)
    sync_folder (folder);
  else
    g_unlink (part);
  close (fd);
  if (ok && progress != NULL)
    progress (1, user_data);
  return ok;
}
