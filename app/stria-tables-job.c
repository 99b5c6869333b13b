/* SPDX-License-Identifier: Apache-2.0 */
/* What the view of tables asks workers to do. */
#include "config.h"

#include "stria-tables-job.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cli-target.h"
#include "stria-error.h"
#include "stria-query.h"
#include "stria-result.h"

static void
clear_info (gpointer data)
{
  StriaColumnInfo *info = data;

  g_free (info->name);
  g_free (info->unit);
  g_free (info->note);
}

static StriaShownTable *
shown_new (StriaShownKind kind, const char *name)
{
  StriaShownTable *self = g_new0 (StriaShownTable, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  self->name = g_strdup (name);
  self->sql_name = g_strdup (name);
  self->columns = g_array_new (FALSE, FALSE, sizeof (StriaColumnInfo));
  g_array_set_clear_func (self->columns, clear_info);
  return self;
}

StriaShownTable *
stria_shown_table_ref (StriaShownTable *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_shown_table_unref (StriaShownTable *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_array_unref (self->columns);
  g_free (self->name);
  g_free (self->sql_name);
  g_free (self);
}

static void
add_column (StriaShownTable *self, const char *name, StriaCellType type, const char *unit,
            const char *note)
{
  StriaColumnInfo info = { g_strdup (name), type, g_strdup (unit != NULL ? unit : ""),
                           g_strdup (note) };

  g_array_append_val (self->columns, info);
}

/* -- the list -------------------------------------------------------------------------------- */

static void
add_file_tables (StriaCapture *capture, GPtrArray *list)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < tables->len; i++)
    {
      StriaTable *table = tables->pdata[i];
      char *key = g_ascii_strdown (stria_table_get_name (table), -1);
      StriaShownTable *shown = g_hash_table_lookup (by_name, key);

      if (shown == NULL)
        {
          shown = shown_new (STRIA_SHOWN_TABLE, stria_table_get_name (table));
          shown->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
          g_ptr_array_add (list, shown);
          g_hash_table_insert (by_name, g_strdup (key), shown);
        }
      g_free (key);
      g_ptr_array_add (shown->tables, stria_table_ref (table));
      shown->n_rows += stria_table_get_n_rows (table);
    }
  for (guint i = 0; i < list->len; i++)
    {
      StriaShownTable *shown = list->pdata[i];
      g_autoptr (StriaRows) rows = stria_rows_new_tables (shown->tables);

      for (guint c = 0; c < stria_rows_get_n_columns (rows); c++)
        {
          const StriaColumnInfo *info = stria_rows_get_column (rows, c);

          add_column (shown, info->name, info->type, info->unit, info->note);
        }
    }
}

typedef struct
{
  GPtrArray *list;
  GPtrArray *texts; /* utf8: the statement that made each of the store's tables */
} Schema;

static gboolean
take_table (guint n, const char *const *names, const StriaValue *values, gpointer user_data)
{
  Schema *self = user_data;
  StriaShownTable *shown;

  if (values == NULL || values[0].type != STRIA_VALUE_TEXT || values[1].type != STRIA_VALUE_TEXT)
    return TRUE;
  for (guint i = 0; i < self->list->len; i++)
    {
      shown = self->list->pdata[i];
      if (shown->kind == STRIA_SHOWN_TABLE && g_ascii_strcasecmp (shown->name, values[0].text) == 0)
        {
          g_free (shown->sql_name);
          shown->sql_name = g_strconcat ("file_", shown->name, NULL);
        }
    }
  shown = shown_new (STRIA_SHOWN_STORE, values[0].text);
  shown->has_row_ids = strstr (values[1].text, "WITHOUT ROWID") == NULL;
  g_ptr_array_add (self->list, shown);
  g_ptr_array_add (self->texts, g_strndup (values[1].text, values[1].length));
  return TRUE;
}

/* The type that the statement which made the table gives a column, behind its name */
static StriaCellType
declared_type (const char *sql, const char *name)
{
  const gsize length = strlen (name);

  for (const char *at = sql; (at = strstr (at, name)) != NULL; at += length)
    {
      const char *type = at + length;

      if ((at > sql && (g_ascii_isalnum (at[-1]) || at[-1] == '_')) || !g_ascii_isspace (*type))
        continue;
      while (g_ascii_isspace (*type))
        type++;
      if (g_str_has_prefix (type, "INTEGER"))
        return STRIA_CELL_INT;
      if (g_str_has_prefix (type, "REAL"))
        return STRIA_CELL_REAL;
      break;
    }
  return STRIA_CELL_TEXT;
}

typedef struct
{
  StriaShownTable *shown;
  const char *sql;
} Head;

static gboolean
take_head (guint n, const char *const *names, const StriaValue *values, gpointer user_data)
{
  Head *self = user_data;

  for (guint c = 0; values == NULL && c < n; c++)
    {
      const gsize length = strlen (names[c]);
      const char *unit = length > 3 && g_str_equal (names[c] + length - 3, "_ns") ? "ns" : "";

      add_column (self->shown, names[c], declared_type (self->sql, names[c]), unit, NULL);
    }
  return FALSE;
}

static gboolean
take_count (guint n, const char *const *names, const StriaValue *values, gpointer user_data)
{
  if (values != NULL)
    *(guint64 *) user_data = (guint64) values[0].integer;
  return TRUE;
}

/* Those of files, then the store's, each by name with empty ones last */
static int
compare_tables (gconstpointer a, gconstpointer b)
{
  const StriaShownTable *x = *(StriaShownTable *const *) a, *y = *(StriaShownTable *const *) b;

  if (x->kind != y->kind)
    return x->kind == STRIA_SHOWN_TABLE ? -1 : 1;
  if ((x->n_rows == 0) != (y->n_rows == 0))
    return x->n_rows == 0 ? 1 : -1;
  return g_ascii_strcasecmp (x->name, y->name);
}

GPtrArray *
stria_shown_tables (StriaCapture *capture, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) list
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_shown_table_unref);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *store = stria_capture_dup_store_path (capture);
  Schema schema = { list, texts };
  guint n_files;

  add_file_tables (capture, list);
  n_files = list->len;
  if (store == NULL)
    return g_steal_pointer (&list);
  if (!stria_query (store,
                    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' "
                    "AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' ORDER BY name",
                    take_table, &schema, cancellable, error))
    return NULL;
  for (guint i = n_files; i < list->len; i++)
    {
      StriaShownTable *shown = list->pdata[i];
      Head head = { shown, texts->pdata[i - n_files] };
      g_autofree char *name = stria_rows_quote (shown->sql_name);
      g_autofree char *first = g_strdup_printf ("SELECT * FROM %s LIMIT 1", name);
      g_autofree char *count = g_strdup_printf ("SELECT count(*) FROM %s", name);

      if (!stria_query (store, first, take_head, &head, cancellable, error)
          || !stria_query (store, count, take_count, &shown->n_rows, cancellable, error))
        return NULL;
    }
  g_ptr_array_sort (list, compare_tables);
  return g_steal_pointer (&list);
}

/* -- what is shown --------------------------------------------------------------------------- */

void
stria_shown_query_clear (StriaShownQuery *self)
{
  g_clear_pointer (&self->table, stria_shown_table_unref);
  g_clear_pointer (&self->sql, g_free);
  g_clear_pointer (&self->conditions, g_free);
  g_clear_pointer (&self->sort, g_free);
}

void
stria_shown_query_copy (const StriaShownQuery *from, StriaShownQuery *to)
{
  *to = (StriaShownQuery){
    .table = from->table != NULL ? stria_shown_table_ref (from->table) : NULL,
    .sql = g_strdup (from->sql), .conditions = g_strdup (from->conditions),
    .sort = g_strdup (from->sort), .descending = from->descending,
  };
}

static void
append_tail (const StriaShownQuery *self, GString *sql)
{
  if (self->conditions != NULL)
    g_string_append_printf (sql, " WHERE %s", self->conditions);
  if (self->sort != NULL)
    {
      g_autofree char *column = stria_rows_quote (self->sort);

      g_string_append_printf (sql, " ORDER BY %s%s", column, self->descending ? " DESC" : "");
    }
}

char *
stria_shown_query_sql (const StriaShownQuery *self)
{
  GString *sql = g_string_new (NULL);

  if (self->table != NULL)
    {
      g_autofree char *name = stria_rows_quote (self->table->sql_name);

      g_string_append_printf (sql, "SELECT * FROM %s", name);
    }
  else if (self->conditions == NULL && self->sort == NULL)
    g_string_append (sql, self->sql);
  else
    {
      g_autofree char *inner = g_strchomp (g_strdup (self->sql));

      for (gsize n = strlen (inner); n > 0 && (inner[n - 1] == ';' || inner[n - 1] == ' '); n--)
        inner[n - 1] = '\0';
      /* The line ends what may be a comment. */
      g_string_append_printf (sql, "SELECT * FROM (%s\n)", inner);
    }
  append_tail (self, sql);
  return g_string_free (sql, FALSE);
}

void
stria_shown_answer_free (StriaShownAnswer *self)
{
  g_clear_pointer (&self->rows, stria_rows_unref);
  g_clear_pointer (&self->result, stria_table_unref);
  g_free (self);
}

static StriaRows *
rows_of_table (const StriaShownQuery *query, const char *store_path, GCancellable *cancellable,
               GError **error)
{
  const StriaShownTable *table = query->table;
  g_autoptr (StriaRows) rows
      = table->tables != NULL
            ? stria_rows_new_tables (table->tables)
            : stria_rows_new_store (store_path, table->sql_name,
                                    (const StriaColumnInfo *) (gpointer) table->columns->data,
                                    table->columns->len);
  g_autofree char *name = stria_rows_quote (table->sql_name);
  g_autoptr (GString) sql = g_string_new (NULL);
  GArray *ids;

  if (table->tables != NULL && query->conditions == NULL && query->sort == NULL)
    return g_steal_pointer (&rows);
  g_string_append_printf (sql, "SELECT rowid FROM %s", name);
  append_tail (query, sql);
  ids = stria_rows_query_ids (store_path, sql->str, cancellable, error);
  return ids != NULL ? stria_rows_new_ordered (rows, ids) : NULL;
}

StriaShownAnswer *
stria_shown_run (const StriaShownQuery *query, const char *store_path, int *error_at,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaShownAnswer) answer = g_new0 (StriaShownAnswer, 1);
  const gint64 start = g_get_monotonic_time ();
  const gboolean is_plain = query->table != NULL && query->table->tables != NULL
                            && query->conditions == NULL && query->sort == NULL;

  *error_at = -1;
  if (store_path == NULL && !is_plain)
    {
      g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_STORE,
                           _ ("Not available because the store is not written yet; it is as soon as "
                              "the import has ended"));
      return NULL;
    }
  if (query->table != NULL && (query->table->tables != NULL || query->table->has_row_ids))
    answer->rows = rows_of_table (query, store_path, cancellable, error);
  else
    {
      g_autofree char *sql = stria_shown_query_sql (query);
      g_autoptr (GPtrArray) one = g_ptr_array_new ();

      answer->result = stria_result_new (store_path, sql, error_at, cancellable, error);
      if (answer->result != NULL)
        {
          g_ptr_array_add (one, answer->result);
          answer->rows = stria_rows_new_tables (one);
        }
    }
  answer->elapsed_us = g_get_monotonic_time () - start;
  return answer->rows != NULL ? g_steal_pointer (&answer) : NULL;
}

/* -- export ---------------------------------------------------------------------------------- */

gboolean
stria_shown_export (const StriaShownQuery *query, StriaTable *result, StriaCapture *capture,
                    StriaTableFormat format, const char *path, guint64 *n_rows,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) tables
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  g_autoptr (GPtrArray) artifacts = g_ptr_array_new ();
  const gboolean is_plain = query->table != NULL && query->table->tables != NULL
                            && query->conditions == NULL && query->sort == NULL;
  CliTarget target = { 0 };
  gboolean ok;

  for (guint i = 0; is_plain && i < query->table->tables->len; i++)
    {
      StriaTable *table = query->table->tables->pdata[i];

      g_ptr_array_add (tables, stria_table_ref (table));
      g_ptr_array_add (artifacts, (gpointer) stria_artifact_get_name (stria_capture_get_artifact (
                                      capture, stria_table_get_artifact (table))));
    }
  if (!is_plain && result != NULL)
    g_ptr_array_add (tables, stria_table_ref (result));
  else if (!is_plain)
    {
      g_autofree char *sql = stria_shown_query_sql (query);
      g_autofree char *store = stria_capture_dup_store_path (capture);
      StriaTable *made
          = store != NULL ? stria_result_new (store, sql, NULL, cancellable, error) : NULL;

      if (made == NULL)
        {
          if (store == NULL)
            g_set_error_literal (error, STRIA_ERROR, STRIA_ERROR_STORE,
                                 _ ("There is no store to read the rows from"));
          return FALSE;
        }
      g_ptr_array_add (tables, made);
    }
  if (!cli_target_open (&target, path, error))
    return FALSE;
  ok = stria_table_write (tables, artifacts->len > 0 ? (const char *const *) artifacts->pdata : NULL,
                          format, path, target.file, n_rows, cancellable, error);
  return cli_target_close (&target, ok, ok ? error : NULL) && ok;
}

/* -- the timeline ---------------------------------------------------------------------------- */

static StriaRef
event_of_row (StriaTrace *trace, const char *table, guint32 artifact, guint64 row)
{
  g_autofree char *prefix = g_strdup_printf (STRIA_TABLE_LANE_KEY "%s\x1f", table);

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const char *key = stria_lane_get_key (lane);
      const StriaColumns *c;

      if (stria_lane_get_artifact (lane) != artifact
          || g_ascii_strncasecmp (key, prefix, strlen (prefix)) != 0
          || g_str_has_suffix (key, "\x1fwait") || !stria_lane_load (lane, NULL, NULL))
        continue;
      c = stria_lane_get_columns (lane);
      for (guint64 i = 0; i < c->n; i++)
        if (c->seq[i] == row)
          return (StriaRef){ l, (guint32) i };
    }
  return STRIA_REF_NONE;
}

static StriaRef
event_of_id (StriaTrace *trace, gint64 id)
{
  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const guint64 first = stria_lane_get_first_id (lane);

      if (!g_str_has_prefix (stria_lane_get_key (lane), STRIA_TABLE_LANE_KEY)
          && (guint64) id >= first && (guint64) id - first < stria_lane_get_n_events (lane))
        return stria_lane_load (lane, NULL, NULL)
                   ? (StriaRef){ l, (guint32) ((guint64) id - first) }
                   : STRIA_REF_NONE;
    }
  return STRIA_REF_NONE;
}

static const StriaCell *
int_cell (StriaRows *rows, const StriaRowsPage *page, const char *name)
{
  for (guint c = 0; c < page->n_columns; c++)
    if (g_ascii_strcasecmp (stria_rows_get_column (rows, c)->name, name) == 0
        && page->cells[c].kind == STRIA_CELL_KIND_INT)
      return &page->cells[c];
  return NULL;
}

StriaRef
stria_shown_find (const StriaShownQuery *query, StriaRows *rows, guint64 row, StriaTrace *trace,
                  gint64 *time)
{
  static const char *const events[] = { "slice", "instant", "sample" };
  static const char *const times[] = { "ts", "start_ts", "timestamp", "start_ns", "time_ns" };
  g_autoptr (StriaRowsPage) page = stria_rows_load (rows, row, 1, NULL, NULL, NULL);
  const StriaCell *id;
  StriaRef found = STRIA_REF_NONE;
  gint64 t0, t1;

  *time = G_MININT64;
  if (page == NULL || page->n_rows == 0)
    return found;
  if (query->table != NULL && query->table->kind == STRIA_SHOWN_TABLE)
    {
      guint64 place = 0;
      const guint32 artifact = stria_rows_get_artifact (rows, page->row_ids[0], &place);

      found = event_of_row (trace, query->table->name, artifact, place);
    }
  for (guint i = 0; query->table != NULL && i < G_N_ELEMENTS (events); i++)
    if (query->table->kind == STRIA_SHOWN_STORE && g_str_equal (query->table->name, events[i]))
      found = event_of_id (trace, page->row_ids[0]);
  /* Ids of events alone could be those of anything. */
  id = int_cell (rows, page, "id");
  if (query->table == NULL && id != NULL && int_cell (rows, page, "lane") != NULL)
    found = event_of_id (trace, id->integer);
  for (guint i = 0; stria_ref_is_none (found) && i < G_N_ELEMENTS (times); i++)
    {
      const StriaCell *cell = int_cell (rows, page, times[i]);

      if (cell != NULL && stria_trace_get_range (trace, &t0, &t1) && cell->integer >= t0
          && cell->integer <= t1)
        {
          *time = cell->integer;
          break;
        }
    }
  return found;
}
