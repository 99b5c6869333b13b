/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-store-alloc.h"

#define CHUNK_ELEMENTS ((gsize) 1 << 24)
#define N_COLUMNS 14
#define MAX_EVENTS ((gint64) 1 << 31)

/* The array of an event column and the size of its elements; numbers as in data/schema.sql. */
static void **
event_column (StriaAllocator *a, guint number, gsize *size)
{
  static const gsize sizes[N_COLUMNS] = { 1, 1, 8, 8, 8, 2, 2, 8, 4, 4, 4, 4, 4, 4 };
  void **columns[N_COLUMNS] = {
    (void **) &a->action,   (void **) &a->stage,    (void **) &a->address, (void **) &a->size,
    (void **) &a->extra,    (void **) &a->stream,   (void **) &a->pool,    (void **) &a->time_us,
    (void **) &a->stack,    (void **) &a->metadata, (void **) &a->context, (void **) &a->category,
    (void **) &a->forward,  (void **) &a->label,
  };

  *size = sizes[number];
  return columns[number];
}

/* -- writing --------------------------------------------------------------------------------- */

static gboolean
put (sqlite3_stmt *statement)
{
  int result = sqlite3_step (statement);

  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return result == SQLITE_DONE;
}

static void
bind_device (sqlite3_stmt *statement, const StriaAllocator *a)
{
  sqlite3_bind_int64 (statement, 1, a->snapshot->artifact);
  sqlite3_bind_int64 (statement, 2, a->device);
  sqlite3_bind_int64 (statement, 3, a->is_host);
}

/* NULL where the number stands for nothing. */
static void
bind_unless (sqlite3_stmt *statement, int column, gint64 value, gint64 nothing)
{
  if (value != nothing)
    sqlite3_bind_int64 (statement, column, value);
}

static gboolean
write_frames (sqlite3 *db, StriaSnapshotData *data)
{
  sqlite3_stmt *frames = NULL, *stacks = NULL, *texts = NULL;
  gboolean ok
      = sqlite3_prepare_v2 (db, "INSERT INTO alloc_frame VALUES (?1, ?2, ?3, ?4, ?5, ?6)", -1,
                            &frames, NULL) == SQLITE_OK
        && sqlite3_prepare_v2 (db, "INSERT INTO alloc_stack VALUES (?1, ?2, ?3)", -1, &stacks, NULL)
               == SQLITE_OK
        && sqlite3_prepare_v2 (db, "INSERT INTO alloc_text VALUES (?1, ?2, ?3)", -1, &texts, NULL)
               == SQLITE_OK;

  for (guint32 i = 0; ok && i < data->frames->len; i++)
    {
      const StriaAllocFrame *frame = &g_array_index (data->frames, StriaAllocFrame, i);
      sqlite3_bind_int64 (frames, 1, data->artifact);
      sqlite3_bind_int64 (frames, 2, i);
      sqlite3_bind_int64 (frames, 3, frame->name);
      sqlite3_bind_int64 (frames, 4, frame->filename);
      bind_unless (frames, 5, (gint64) frame->line, (gint64) STRIA_LINE_UNKNOWN);
      sqlite3_bind_int64 (frames, 6, frame->extra);
      ok = put (frames);
    }
  for (guint32 i = 0; ok && i < stria_snapshot_get_n_stacks (data); i++)
    {
      guint32 n;
      const guint32 *stack = stria_snapshot_get_stack (data, i, &n);
      sqlite3_bind_int64 (stacks, 1, data->artifact);
      sqlite3_bind_int64 (stacks, 2, i);
      sqlite3_bind_blob64 (stacks, 3, stack, n * sizeof *stack, SQLITE_STATIC);
      ok = put (stacks);
    }
  if (ok && data->settings != NULL)
    {
      sqlite3_bind_int64 (texts, 1, data->artifact);
      sqlite3_bind_text (texts, 2, "@settings", -1, SQLITE_STATIC);
      sqlite3_bind_text (texts, 3, data->settings, -1, SQLITE_STATIC);
      ok = put (texts);
    }
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init (&iter, data->other);
  while (ok && g_hash_table_iter_next (&iter, &key, &value))
    {
      sqlite3_bind_int64 (texts, 1, data->artifact);
      sqlite3_bind_text (texts, 2, key, -1, SQLITE_STATIC);
      sqlite3_bind_text (texts, 3, value, -1, SQLITE_STATIC);
      ok = put (texts);
    }
  sqlite3_finalize (frames);
  sqlite3_finalize (stacks);
  sqlite3_finalize (texts);
  return ok;
}

static gboolean
write_columns (sqlite3 *db, StriaAllocator *a)
{
  sqlite3_stmt *statement = NULL;
  gboolean ok = sqlite3_prepare_v2 (db,
                                    "INSERT INTO alloc_column (artifact, device, is_host, number, "
                                    "chunk, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                                    -1, &statement, NULL)
                == SQLITE_OK;

  for (guint number = 0; ok && number < N_COLUMNS; number++)
    {
      gsize size;
      const guint8 *column = *event_column (a, number, &size);
      for (gsize i = 0; ok && column != NULL && i < a->n_events; i += CHUNK_ELEMENTS)
        {
          gsize n = MIN (CHUNK_ELEMENTS, a->n_events - i);
          bind_device (statement, a);
          sqlite3_bind_int64 (statement, 4, number);
          sqlite3_bind_int64 (statement, 5, (gint64) (i / CHUNK_ELEMENTS));
          sqlite3_bind_blob64 (statement, 6, column + i * size, n * size, SQLITE_STATIC);
          ok = put (statement);
        }
    }
  sqlite3_finalize (statement);
  return ok;
}

static gboolean
write_events (sqlite3 *db, StriaAllocator *a)
{
  sqlite3_stmt *events = NULL, *elements = NULL;
  gboolean ok
      = sqlite3_prepare_v2 (db,
                            "INSERT INTO alloc_event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                            "?10, ?11, ?12, ?13)",
                            -1, &events, NULL) == SQLITE_OK
        && sqlite3_prepare_v2 (db,
                               "INSERT INTO alloc_element VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
                               "?9, ?10, ?11, ?12, ?13, ?14, ?15)",
                               -1, &elements, NULL) == SQLITE_OK;

  for (guint32 i = 0; ok && i < a->n_events; i++)
    {
      StriaAllocEvent event;
      stria_allocator_get_event (a, i, &event);
      bind_device (events, a);
      sqlite3_bind_int64 (events, 4, i);
      sqlite3_bind_int64 (events, 5, event.action);
      sqlite3_bind_int64 (events, 6, (gint64) event.address);
      sqlite3_bind_int64 (events, 7, (gint64) event.size);
      sqlite3_bind_int64 (events, 8, (gint64) event.stream);
      bind_unless (events, 9, (gint64) event.pool, (gint64) STRIA_NO_POOL);
      bind_unless (events, 10, event.time_us, STRIA_NO_TIME);
      bind_unless (events, 11, event.stack, STRIA_NO_STACK);
      bind_unless (events, 12, stria_allocator_event_element (a, i), STRIA_NO_ELEMENT);
      bind_unless (events, 13, event.metadata, 0);
      ok = put (events);
    }
  for (guint32 i = 0; ok && i < a->n_elements; i++)
    {
      StriaElement element;
      stria_allocator_get_element (a, i, &element);
      bind_device (elements, a);
      sqlite3_bind_int64 (elements, 4, i);
      sqlite3_bind_int64 (elements, 5, (gint64) element.address);
      sqlite3_bind_int64 (elements, 6, (gint64) element.size);
      bind_unless (elements, 7, (gint64) element.rounded, 0);
      bind_unless (elements, 8, element.birth, STRIA_NO_EVENT);
      bind_unless (elements, 9, element.request, STRIA_NO_EVENT);
      bind_unless (elements, 10, element.death, STRIA_NO_EVENT);
      bind_unless (elements, 11, element.stack, STRIA_NO_STACK);
      sqlite3_bind_int64 (elements, 12, (gint64) stria_allocator_get_stream (a, element.stream));
      bind_unless (elements, 13, (gint64) stria_allocator_get_pool (a, element.pool),
                   (gint64) STRIA_NO_POOL);
      sqlite3_bind_int64 (elements, 14, element.version);
      sqlite3_bind_int64 (elements, 15, element.flags);
      ok = put (elements);
    }
  sqlite3_finalize (events);
  sqlite3_finalize (elements);
  return ok;
}

static gboolean
write_state (sqlite3 *db, StriaAllocator *a)
{
  sqlite3_stmt *segments = NULL, *blocks = NULL, *notes = NULL;
  gboolean ok
      = sqlite3_prepare_v2 (db,
                            "INSERT INTO alloc_segment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                            "?10, ?11, ?12, ?13, ?14, ?15, ?16)",
                            -1, &segments, NULL) == SQLITE_OK
        && sqlite3_prepare_v2 (db,
                               "INSERT INTO alloc_block VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                               -1, &blocks, NULL) == SQLITE_OK
        && sqlite3_prepare_v2 (db, "INSERT INTO alloc_annotation VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                               -1, &notes, NULL) == SQLITE_OK;

  for (guint i = 0; ok && i < a->segments->len; i++)
    {
      const StriaFinalSegment *final = &g_array_index (a->segments, StriaFinalSegment, i);
      const StriaAllocSegment *s = &final->segment;
      bind_device (segments, a);
      sqlite3_bind_int64 (segments, 4, i);
      if (s->has_address)
        sqlite3_bind_int64 (segments, 5, (gint64) s->address);
      sqlite3_bind_int64 (segments, 6, (gint64) s->total_size);
      sqlite3_bind_int64 (segments, 7, (gint64) s->allocated_size);
      sqlite3_bind_int64 (segments, 8, (gint64) s->active_size);
      sqlite3_bind_int64 (segments, 9, (gint64) s->requested_size);
      sqlite3_bind_int64 (segments, 10, (gint64) s->stream);
      bind_unless (segments, 11, (gint64) s->pool, (gint64) STRIA_NO_POOL);
      sqlite3_bind_int64 (segments, 12, s->type);
      bind_unless (segments, 13, s->stack, STRIA_NO_STACK);
      sqlite3_bind_int64 (segments, 14, s->is_expandable);
      sqlite3_bind_int64 (segments, 15, final->first_block);
      sqlite3_bind_int64 (segments, 16, final->n_blocks);
      ok = put (segments);
    }
  for (guint i = 0; ok && i < a->blocks->len; i++)
    {
      const StriaAllocBlock *block = &g_array_index (a->blocks, StriaAllocBlock, i);
      bind_device (blocks, a);
      sqlite3_bind_int64 (blocks, 4, i);
      sqlite3_bind_int64 (blocks, 5, (gint64) block->address);
      sqlite3_bind_int64 (blocks, 6, (gint64) block->size);
      sqlite3_bind_int64 (blocks, 7, (gint64) block->requested_size);
      sqlite3_bind_int64 (blocks, 8, block->state);
      bind_unless (blocks, 9, block->stack, STRIA_NO_STACK);
      ok = put (blocks);
    }
  for (guint i = 0; ok && i < a->annotations->len; i++)
    {
      const StriaAllocAnnotation *note = &g_array_index (a->annotations, StriaAllocAnnotation, i);
      sqlite3_bind_int64 (notes, 1, a->snapshot->artifact);
      sqlite3_bind_int64 (notes, 2, note->device);
      bind_unless (notes, 3, note->time_us, STRIA_NO_TIME);
      sqlite3_bind_int64 (notes, 4, note->name);
      sqlite3_bind_int64 (notes, 5, note->stage);
      sqlite3_bind_int64 (notes, 6, note->metadata);
      ok = put (notes);
    }
  sqlite3_finalize (segments);
  sqlite3_finalize (blocks);
  sqlite3_finalize (notes);
  return ok;
}

static gboolean
write_device (sqlite3 *db, StriaAllocator *a)
{
  sqlite3_stmt *statement = NULL;
  gboolean ok = sqlite3_prepare_v2 (db,
                                    "INSERT INTO alloc_device VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                    -1, &statement, NULL)
                == SQLITE_OK;

  if (ok)
    {
      bind_device (statement, a);
      sqlite3_bind_int64 (statement, 4, a->n_events);
      sqlite3_bind_int64 (statement, 5, a->n_elements);
      sqlite3_bind_blob64 (statement, 6, a->streams->data, a->streams->len * sizeof (guint64),
                           SQLITE_STATIC);
      sqlite3_bind_blob64 (statement, 7, a->pools->data, a->pools->len * sizeof (guint64),
                           SQLITE_STATIC);
      ok = put (statement);
    }
  sqlite3_finalize (statement);
  return ok && write_columns (db, a) && write_events (db, a) && write_state (db, a);
}

gboolean
stria_store_write_snapshot (sqlite3 *db, StriaSnapshotData *data)
{
  sqlite3_stmt *actions = NULL;
  gboolean ok = sqlite3_prepare_v2 (db, "INSERT OR IGNORE INTO alloc_action VALUES (?1, ?2)", -1,
                                    &actions, NULL)
                == SQLITE_OK;

  for (guint i = 0; ok && i < STRIA_N_ALLOC_ACTIONS; i++)
    {
      sqlite3_bind_int64 (actions, 1, i);
      sqlite3_bind_text (actions, 2, stria_alloc_action_name ((StriaAllocAction) i), -1,
                         SQLITE_STATIC);
      ok = put (actions);
    }
  sqlite3_finalize (actions);
  ok = ok && write_frames (db, data);
  for (guint d = 0; ok && d < data->devices->len; d++)
    ok = write_device (db, data->devices->pdata[d]);
  return ok;
}

/* -- reading --------------------------------------------------------------------------------- */

static sqlite3_stmt *
select_of (sqlite3 *db, const char *sql, guint32 artifact)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK)
    sqlite3_bind_int64 (statement, 1, artifact);
  return statement;
}

static gint64
int_or (sqlite3_stmt *row, int column, gint64 fallback)
{
  return sqlite3_column_type (row, column) == SQLITE_NULL ? fallback
                                                          : sqlite3_column_int64 (row, column);
}

static gboolean
is_string (const StriaSnapshotData *data, gint64 id)
{
  return id >= 0 && id < stria_strings_size (data->strings);
}

static gboolean
read_frames (sqlite3 *db, StriaSnapshotData *data)
{
  sqlite3_stmt *row = select_of (
      db, "SELECT id, name, filename, line, extra FROM alloc_frame WHERE artifact = ?1 ORDER BY id",
      data->artifact);
  guint64 zero = 0;
  gboolean ok = row != NULL;

  data->frames = g_array_new (FALSE, FALSE, sizeof (StriaAllocFrame));
  data->stack_begin = g_array_new (FALSE, FALSE, sizeof (guint64));
  data->stack_frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  data->other = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_array_append_val (data->stack_begin, zero);
  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      StriaAllocFrame frame = { 0 };
      ok = sqlite3_column_int64 (row, 0) == data->frames->len
           && is_string (data, sqlite3_column_int64 (row, 1))
           && is_string (data, sqlite3_column_int64 (row, 2))
           && is_string (data, sqlite3_column_int64 (row, 4));
      frame.name = (guint32) sqlite3_column_int64 (row, 1);
      frame.filename = (guint32) sqlite3_column_int64 (row, 2);
      frame.line = (guint64) int_or (row, 3, (gint64) STRIA_LINE_UNKNOWN);
      frame.extra = (guint32) sqlite3_column_int64 (row, 4);
      g_array_append_val (data->frames, frame);
    }
  sqlite3_finalize (row);
  if (!ok)
    return FALSE;

  row = select_of (db, "SELECT id, frames FROM alloc_stack WHERE artifact = ?1 ORDER BY id",
                   data->artifact);
  ok = row != NULL;
  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      guint n = (guint) sqlite3_column_bytes (row, 1) / sizeof (guint32);
      guint from = data->stack_frames->len;
      ok = sqlite3_column_int64 (row, 0) == data->stack_begin->len - 1;
      if (n > 0)
        g_array_append_vals (data->stack_frames, sqlite3_column_blob (row, 1), n);
      for (guint i = from; i < data->stack_frames->len; i++)
        ok = ok && g_array_index (data->stack_frames, guint32, i) < data->frames->len;
      guint64 end = data->stack_frames->len;
      g_array_append_val (data->stack_begin, end);
    }
  sqlite3_finalize (row);

  row = select_of (db, "SELECT key, value FROM alloc_text WHERE artifact = ?1", data->artifact);
  while (ok && row != NULL && sqlite3_step (row) == SQLITE_ROW)
    {
      const char *key = (const char *) sqlite3_column_text (row, 0);
      const char *value = (const char *) sqlite3_column_text (row, 1);
      if (g_strcmp0 (key, "@settings") == 0)
        {
          g_free (data->settings);
          data->settings = g_strdup (value);
        }
      else if (key != NULL && value != NULL)
        g_hash_table_replace (data->other, g_strdup (key), g_strdup (value));
    }
  sqlite3_finalize (row);
  return ok;
}

static StriaAllocator *
device_of (StriaSnapshotData *data, gint64 device, gint64 is_host)
{
  for (guint i = 0; i < data->devices->len; i++)
    {
      StriaAllocator *a = data->devices->pdata[i];
      if (a->device == device && a->is_host == is_host)
        return a;
    }
  return NULL;
}

static gboolean
read_columns (sqlite3 *db, StriaSnapshotData *data)
{
  sqlite3_stmt *row = select_of (db,
                                 "SELECT device, is_host, number, chunk, data FROM alloc_column "
                                 "WHERE artifact = ?1 ORDER BY is_host, device, number, chunk",
                                 data->artifact);
  gboolean ok = row != NULL;

  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      StriaAllocator *a
          = device_of (data, sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1));
      gint64 number = sqlite3_column_int64 (row, 2), chunk = sqlite3_column_int64 (row, 3);
      gsize bytes = (gsize) sqlite3_column_bytes (row, 4), size;

      if (a == NULL || number < 0 || number >= N_COLUMNS || chunk < 0)
        {
          ok = FALSE;
          break;
        }
      void **column = event_column (a, (guint) number, &size);
      gsize at = (gsize) chunk * CHUNK_ELEMENTS;
      if (bytes % size != 0 || at + bytes / size > a->n_events)
        {
          ok = FALSE;
          break;
        }
      if (*column == NULL)
        *column = g_malloc0 (MAX (1, a->n_events * size));
      memcpy ((guint8 *) *column + at * size, sqlite3_column_blob (row, 4), bytes);
    }
  sqlite3_finalize (row);
  return ok;
}

static gboolean
read_state (sqlite3 *db, StriaSnapshotData *data)
{
  sqlite3_stmt *row = select_of (
      db,
      "SELECT device, is_host, address, total_size, allocated_size, active_size, requested_size, "
      "stream, pool, type, stack, is_expandable, first_block, n_blocks FROM alloc_segment "
      "WHERE artifact = ?1 ORDER BY is_host, device, id",
      data->artifact);
  gboolean ok = row != NULL;

  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      StriaAllocator *a
          = device_of (data, sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1));
      StriaFinalSegment final = { 0 };
      StriaAllocSegment *s = &final.segment;

      s->device = (guint32) sqlite3_column_int64 (row, 0);
      s->is_host = (gboolean) sqlite3_column_int64 (row, 1);
      s->has_address = sqlite3_column_type (row, 2) != SQLITE_NULL;
      s->address = (guint64) sqlite3_column_int64 (row, 2);
      s->total_size = (guint64) sqlite3_column_int64 (row, 3);
      s->allocated_size = (guint64) sqlite3_column_int64 (row, 4);
      s->active_size = (guint64) sqlite3_column_int64 (row, 5);
      s->requested_size = (guint64) sqlite3_column_int64 (row, 6);
      s->stream = (guint64) sqlite3_column_int64 (row, 7);
      s->pool = (guint64) int_or (row, 8, (gint64) STRIA_NO_POOL);
      s->type = (guint32) sqlite3_column_int64 (row, 9);
      s->stack = (guint32) int_or (row, 10, STRIA_NO_STACK);
      s->is_expandable = (gboolean) sqlite3_column_int64 (row, 11);
      final.first_block = (guint32) sqlite3_column_int64 (row, 12);
      final.n_blocks = (guint32) sqlite3_column_int64 (row, 13);
      ok = a != NULL && is_string (data, s->type);
      if (ok)
        g_array_append_val (a->segments, final);
    }
  sqlite3_finalize (row);

  row = select_of (db,
                   "SELECT device, is_host, address, size, requested_size, state, stack "
                   "FROM alloc_block WHERE artifact = ?1 ORDER BY is_host, device, id",
                   data->artifact);
  ok = ok && row != NULL;
  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      StriaAllocator *a
          = device_of (data, sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1));
      StriaAllocBlock block = {
        .address = (guint64) sqlite3_column_int64 (row, 2),
        .size = (guint64) sqlite3_column_int64 (row, 3),
        .requested_size = (guint64) sqlite3_column_int64 (row, 4),
        .state = (guint8) sqlite3_column_int (row, 5),
        .stack = (guint32) int_or (row, 6, STRIA_NO_STACK),
      };
      ok = a != NULL;
      if (ok)
        g_array_append_val (a->blocks, block);
    }
  sqlite3_finalize (row);

  row = select_of (db,
                   "SELECT device, time_us, name, stage, metadata FROM alloc_annotation "
                   "WHERE artifact = ?1 ORDER BY rowid",
                   data->artifact);
  ok = ok && row != NULL;
  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      StriaAllocator *a = device_of (data, sqlite3_column_int64 (row, 0), FALSE);
      StriaAllocAnnotation note = {
        .device = (guint32) sqlite3_column_int64 (row, 0),
        .time_us = int_or (row, 1, STRIA_NO_TIME),
        .name = (guint32) sqlite3_column_int64 (row, 2),
        .stage = (guint8) sqlite3_column_int (row, 3),
        .metadata = (guint32) sqlite3_column_int64 (row, 4),
      };
      ok = is_string (data, note.name) && is_string (data, note.metadata);
      if (ok && a != NULL)
        g_array_append_val (a->annotations, note);
    }
  sqlite3_finalize (row);
  return ok;
}

/* Numbers that index something must index what is there. */
static gboolean
check_device (const StriaSnapshotData *data, const StriaAllocator *a)
{
  guint32 n_stacks = stria_snapshot_get_n_stacks ((StriaSnapshotData *) data);
  const guint32 *texts[] = { a->metadata, a->context, a->category, a->forward, a->label };

  if (a->n_events > 0
      && (a->action == NULL || a->address == NULL || a->size == NULL || a->stream == NULL
          || a->pool == NULL || a->time_us == NULL || a->stack == NULL))
    return FALSE;
  for (guint32 i = 0; i < a->n_events; i++)
    {
      if (a->action[i] >= STRIA_N_ALLOC_ACTIONS || a->stream[i] >= a->streams->len
          || a->pool[i] >= a->pools->len
          || (a->stack[i] != STRIA_NO_STACK && a->stack[i] >= n_stacks))
        return FALSE;
      for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
        if (texts[t] != NULL && !is_string (data, texts[t][i]))
          return FALSE;
    }
  for (guint i = 0; i < a->segments->len; i++)
    {
      const StriaFinalSegment *final = &g_array_index (a->segments, StriaFinalSegment, i);
      if (final->n_blocks > a->blocks->len || final->first_block > a->blocks->len - final->n_blocks
          || (final->segment.stack != STRIA_NO_STACK && final->segment.stack >= n_stacks))
        return FALSE;
    }
  for (guint i = 0; i < a->blocks->len; i++)
    {
      guint32 stack = g_array_index (a->blocks, StriaAllocBlock, i).stack;
      if (stack != STRIA_NO_STACK && stack >= n_stacks)
        return FALSE;
    }
  return TRUE;
}

StriaSnapshotData *
stria_store_read_snapshot (sqlite3 *db, guint32 artifact, StriaStrings *strings, gboolean *damaged)
{
  sqlite3_stmt *row = select_of (db,
                                 "SELECT device, is_host, n_events, streams, pools "
                                 "FROM alloc_device WHERE artifact = ?1",
                                 artifact);
  StriaSnapshotData *data = NULL;
  gboolean ok = row != NULL;

  while (ok && sqlite3_step (row) == SQLITE_ROW)
    {
      gint64 n_events = sqlite3_column_int64 (row, 2);
      gsize n_streams = (gsize) sqlite3_column_bytes (row, 3) / sizeof (guint64);
      gsize n_pools = (gsize) sqlite3_column_bytes (row, 4) / sizeof (guint64);

      if (data == NULL)
        data = stria_snapshot_data_new (artifact, strings);
      ok = n_events >= 0 && n_events < MAX_EVENTS && n_streams > 0 && n_streams < G_MAXUINT16
           && n_pools > 0 && n_pools < G_MAXUINT16;
      if (!ok)
        break;
      StriaAllocator *a = stria_allocator_new (data, (guint) sqlite3_column_int64 (row, 0),
                                               (gboolean) sqlite3_column_int64 (row, 1));
      a->n_events = (guint32) n_events;
      g_array_set_size (a->streams, 0);
      g_array_append_vals (a->streams, sqlite3_column_blob (row, 3), (guint) n_streams);
      g_array_set_size (a->pools, 0);
      g_array_append_vals (a->pools, sqlite3_column_blob (row, 4), (guint) n_pools);
      g_ptr_array_add (data->devices, a);
    }
  sqlite3_finalize (row);
  if (data == NULL)
    {
      *damaged = !ok;
      return NULL;
    }
  ok = ok && read_frames (db, data) && read_columns (db, data) && read_state (db, data);
  for (guint i = 0; ok && i < data->devices->len; i++)
    ok = check_device (data, data->devices->pdata[i]);
  *damaged = !ok;
  if (!ok)
    {
      stria_snapshot_data_unref (data);
      return NULL;
    }
  stria_snapshot_data_finish (data, NULL, NULL);
  return data;
}
