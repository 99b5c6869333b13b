/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-rows.h"

#include <string.h>

#include "stria-query.h"

/* Chunks of a table that are kept: neighbouring pages lie in one. */
#define KEPT_CHUNKS 4

typedef struct
{
  guint table;
  guint32 chunk;
  guint64 used;
  StriaColumnChunk **columns; /* by column of the whole; NULL: not loaded */
} Kept;

struct _StriaRows
{
  gatomicrefcount refs;
  StriaRows *of;  /* in another order: these */
  GArray *ids;    /* gint64; NULL: as they stand */
  GArray *columns; /* StriaColumnInfo */

  GPtrArray *tables; /* StriaTable; NULL: the store's own */
  GArray *first_row; /* guint64, by table, and one past the last */
  GPtrArray *places; /* by table: int by column, -1: none */

  char *store_path;
  char *name;

  GMutex mutex;
  Kept kept[KEPT_CHUNKS];
  guint64 clock;
};

static void
clear_info (gpointer data)
{
  StriaColumnInfo *info = data;

  g_free (info->name);
  g_free (info->unit);
  g_free (info->note);
}

static StriaRows *
rows_new (void)
{
  StriaRows *self = g_new0 (StriaRows, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  self->columns = g_array_new (FALSE, FALSE, sizeof (StriaColumnInfo));
  g_array_set_clear_func (self->columns, clear_info);
  return self;
}

static void
add_column (StriaRows *self, const StriaColumnInfo *info)
{
  StriaColumnInfo copy = {
    .name = g_strdup (info->name), .type = info->type,
    .unit = g_strdup (info->unit != NULL ? info->unit : ""), .note = g_strdup (info->note),
  };

  g_array_append_val (self->columns, copy);
}

static int
find_column (StriaRows *self, const char *name)
{
  for (guint c = 0; c < self->columns->len; c++)
    if (g_ascii_strcasecmp (g_array_index (self->columns, StriaColumnInfo, c).name, name) == 0)
      return (int) c;
  return -1;
}

StriaRows *
stria_rows_new_tables (GPtrArray *tables)
{
  StriaRows *self = rows_new ();
  guint64 n = 0;

  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  self->first_row = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->places = g_ptr_array_new_with_free_func (g_free);
  g_array_append_val (self->first_row, n);
  for (guint t = 0; t < tables->len; t++)
    {
      StriaTable *table = tables->pdata[t];

      g_ptr_array_add (self->tables, stria_table_ref (table));
      n += stria_table_get_n_rows (table);
      g_array_append_val (self->first_row, n);
      for (guint c = 0; c < stria_table_get_n_columns (table); c++)
        if (find_column (self, stria_table_get_column (table, c)->name) < 0)
          add_column (self, stria_table_get_column (table, c));
    }
  for (guint t = 0; t < tables->len; t++)
    {
      int *place = g_new (int, self->columns->len + 1);

      for (guint c = 0; c < self->columns->len; c++)
        place[c] = stria_table_find_column (
            tables->pdata[t], g_array_index (self->columns, StriaColumnInfo, c).name);
      g_ptr_array_add (self->places, place);
    }
  return self;
}

StriaRows *
stria_rows_new_store (const char *store_path, const char *table, const StriaColumnInfo *columns,
                      guint n_columns)
{
  StriaRows *self = rows_new ();

  self->store_path = g_strdup (store_path);
  self->name = g_strdup (table);
  for (guint c = 0; c < n_columns; c++)
    add_column (self, &columns[c]);
  return self;
}

StriaRows *
stria_rows_new_ordered (StriaRows *of, GArray *ids)
{
  StriaRows *self = rows_new ();

  self->of = stria_rows_ref (of);
  self->ids = ids;
  for (guint c = 0; c < of->columns->len; c++)
    add_column (self, &g_array_index (of->columns, StriaColumnInfo, c));
  return self;
}

StriaRows *
stria_rows_ref (StriaRows *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
drop_kept (StriaRows *self, Kept *kept)
{
  for (guint c = 0; kept->columns != NULL && c < self->columns->len; c++)
    g_clear_pointer (&kept->columns[c], stria_column_chunk_free);
  g_clear_pointer (&kept->columns, g_free);
}

void
stria_rows_unref (StriaRows *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < KEPT_CHUNKS; i++)
    drop_kept (self, &self->kept[i]);
  g_clear_pointer (&self->of, stria_rows_unref);
  g_clear_pointer (&self->ids, g_array_unref);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->first_row, g_array_unref);
  g_clear_pointer (&self->places, g_ptr_array_unref);
  g_array_unref (self->columns);
  g_free (self->store_path);
  g_free (self->name);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

guint64
stria_rows_get_n_rows (StriaRows *self)
{
  if (self->ids != NULL)
    return self->ids->len;
  return self->tables != NULL
             ? g_array_index (self->first_row, guint64, self->tables->len)
             : 0;
}

guint
stria_rows_get_n_columns (StriaRows *self)
{
  return self->columns->len;
}

const StriaColumnInfo *
stria_rows_get_column (StriaRows *self, guint column)
{
  g_return_val_if_fail (column < self->columns->len, NULL);

  return &g_array_index (self->columns, StriaColumnInfo, column);
}

/* The table that a row is of; G_MAXUINT: there is no such row */
static guint
table_of (StriaRows *self, gint64 id)
{
  for (guint t = 0; id >= 0 && t < self->tables->len; t++)
    if ((guint64) id < g_array_index (self->first_row, guint64, t + 1))
      return t;
  return G_MAXUINT;
}

guint32
stria_rows_get_artifact (StriaRows *self, gint64 row_id, guint64 *row)
{
  guint table;

  if (self->of != NULL)
    return stria_rows_get_artifact (self->of, row_id, row);
  if (self->tables == NULL || (table = table_of (self, row_id)) == G_MAXUINT)
    return G_MAXUINT32;
  *row = (guint64) row_id - g_array_index (self->first_row, guint64, table);
  return stria_table_get_artifact (self->tables->pdata[table]);
}

/* -- pages ----------------------------------------------------------------------------------- */

void
stria_rows_page_free (StriaRowsPage *page)
{
  for (gsize i = 0; i < (gsize) page->n_rows * page->n_columns; i++)
    if (page->cells[i].kind == STRIA_CELL_KIND_TEXT)
      g_free (page->cells[i].text);
  g_free (page->cells);
  g_free (page->row_ids);
  g_free (page);
}

static Kept *
keep (StriaRows *self, guint table, guint32 chunk)
{
  Kept *oldest = &self->kept[0];

  for (guint i = 0; i < KEPT_CHUNKS; i++)
    {
      Kept *kept = &self->kept[i];

      if (kept->columns != NULL && kept->table == table && kept->chunk == chunk)
        {
          kept->used = ++self->clock;
          return kept;
        }
      if (kept->used < oldest->used)
        oldest = kept;
    }
  drop_kept (self, oldest);
  *oldest = (Kept){ table, chunk, ++self->clock,
                    g_new0 (StriaColumnChunk *, self->columns->len + 1) };
  return oldest;
}

static void
read_cell (const StriaColumnChunk *chunk, StriaCellType type, guint32 row, StriaCell *cell)
{
  guint32 length;
  const char *text;

  if (!stria_column_data_has (&chunk->data, row))
    return;
  switch (type)
    {
    case STRIA_CELL_REAL:
      cell->kind = STRIA_CELL_KIND_REAL;
      cell->real = chunk->data.reals[row];
      break;
    case STRIA_CELL_TEXT:
      text = stria_column_data_text (&chunk->data, row, &length);
      cell->kind = STRIA_CELL_KIND_TEXT;
      cell->text = g_strndup (text, length);
      break;
    case STRIA_CELL_BOOL:
    case STRIA_CELL_INT:
    default:
      cell->kind = type == STRIA_CELL_BOOL ? STRIA_CELL_KIND_BOOL : STRIA_CELL_KIND_INT;
      cell->integer = chunk->data.ints[row];
      break;
    }
}

/* Under the mutex. */
static gboolean
read_row (StriaRows *self, gint64 id, const guint8 *wanted, StriaCell *cells, GError **error)
{
  const guint t = table_of (self, id);
  const int *place;
  StriaTable *table;
  guint32 chunk, row;
  Kept *kept;

  if (t == G_MAXUINT)
    return TRUE;
  table = self->tables->pdata[t];
  place = self->places->pdata[t];
  if (!stria_table_find_row (table, (guint64) id - g_array_index (self->first_row, guint64, t),
                             &chunk, &row))
    return TRUE;
  kept = keep (self, t, chunk);
  for (guint c = 0; c < self->columns->len; c++)
    {
      if (place[c] < 0 || (wanted != NULL && !wanted[c]))
        continue;
      if (kept->columns[c] == NULL)
        kept->columns[c] = stria_table_load (table, (guint) place[c], chunk, error);
      if (kept->columns[c] == NULL)
        return FALSE;
      read_cell (kept->columns[c], stria_table_get_column (table, (guint) place[c])->type, row,
                 &cells[c]);
    }
  return TRUE;
}

typedef struct
{
  StriaRowsPage *page;
  const guint *columns; /* by column of the answer, after the row id: column of the page */
  guint n_columns;
} StorePage;

static gboolean
take_store_row (guint n, const char *const *names, const StriaValue *values, gpointer user_data)
{
  StorePage *self = user_data;

  if (values == NULL || values[0].type != STRIA_VALUE_INT)
    return TRUE;
  for (guint r = 0; r < self->page->n_rows; r++)
    {
      StriaCell *cells = self->page->cells + (gsize) r * self->page->n_columns;

      if (self->page->row_ids[r] != values[0].integer)
        continue;
      for (guint c = 0; c + 1 < n && c < self->n_columns; c++)
        {
          StriaCell *cell = &cells[self->columns[c]];
          const StriaValue *value = &values[c + 1];

          if (cell->kind == STRIA_CELL_KIND_TEXT)
            g_clear_pointer (&cell->text, g_free);
          *cell = (StriaCell){ STRIA_CELL_KIND_NONE };
          if (value->type == STRIA_VALUE_INT)
            *cell = (StriaCell){ STRIA_CELL_KIND_INT, { .integer = value->integer } };
          else if (value->type == STRIA_VALUE_REAL)
            *cell = (StriaCell){ STRIA_CELL_KIND_REAL, { .real = value->real } };
          else if (value->type == STRIA_VALUE_TEXT)
            {
              cell->kind = STRIA_CELL_KIND_TEXT;
              cell->text = g_strndup (value->text, value->length);
            }
        }
    }
  return TRUE;
}

/* BLOBs may be large, and nobody reads them here: their length stands for them. */
static gboolean
read_store_rows (StriaRows *self, StriaRowsPage *page, const guint8 *wanted,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT rowid");
  g_autofree guint *columns = g_new0 (guint, page->n_columns + 1);
  g_autofree char *table = stria_rows_quote (self->name);
  StorePage store = { .page = page, .columns = columns };

  for (guint c = 0; c < page->n_columns; c++)
    {
      g_autofree char *name
          = stria_rows_quote (g_array_index (self->columns, StriaColumnInfo, c).name);

      if (wanted != NULL && !wanted[c])
        continue;
      columns[store.n_columns++] = c;
      g_string_append_printf (
          sql, ", iif (typeof (%s) = 'blob', '(' || length (%s) || ' B)', %s)", name, name, name);
    }
  g_string_append_printf (sql, " FROM %s WHERE rowid IN (", table);
  for (guint r = 0; r < page->n_rows; r++)
    g_string_append_printf (sql, "%s%" G_GINT64_FORMAT, r > 0 ? "," : "", page->row_ids[r]);
  g_string_append_c (sql, ')');
  return stria_query (self->store_path, sql->str, take_store_row, &store, cancellable, error);
}

static gboolean
fill_page (StriaRows *self, StriaRowsPage *page, const guint8 *wanted, GCancellable *cancellable,
           GError **error)
{
  gboolean ok = TRUE;

  if (self->of != NULL)
    return fill_page (self->of, page, wanted, cancellable, error);
  if (self->tables == NULL)
    return read_store_rows (self, page, wanted, cancellable, error);
  g_mutex_lock (&self->mutex);
  for (guint r = 0; ok && r < page->n_rows; r++)
    ok = !g_cancellable_set_error_if_cancelled (cancellable, error)
         && read_row (self, page->row_ids[r], wanted, page->cells + (gsize) r * page->n_columns,
                      error);
  g_mutex_unlock (&self->mutex);
  return ok;
}

StriaRowsPage *
stria_rows_load (StriaRows *self, guint64 first, guint n_rows, const guint8 *wanted,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaRowsPage) page = g_new0 (StriaRowsPage, 1);
  const guint64 all = stria_rows_get_n_rows (self);

  page->first = MIN (first, all);
  page->n_rows = (guint) MIN (n_rows, all - page->first);
  page->n_columns = self->columns->len;
  page->cells = g_new0 (StriaCell, (gsize) page->n_rows * page->n_columns + 1);
  page->row_ids = g_new0 (gint64, page->n_rows + 1);
  for (guint r = 0; r < page->n_rows; r++)
    page->row_ids[r] = self->ids != NULL
                           ? g_array_index (self->ids, gint64, page->first + r)
                           : (gint64) (page->first + r);
  if (!fill_page (self, page, wanted, cancellable, error))
    return NULL;
  return g_steal_pointer (&page);
}

/* -- SQL ------------------------------------------------------------------------------------- */

static gboolean
take_id (guint n, const char *const *names, const StriaValue *values, gpointer user_data)
{
  gint64 id;

  if (values == NULL)
    return TRUE;
  id = values[0].integer;
  g_array_append_val ((GArray *) user_data, id);
  return ((GArray *) user_data)->len < G_MAXUINT / 16;
}

GArray *
stria_rows_query_ids (const char *store_path, const char *sql, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!stria_query (store_path, sql, take_id, ids, cancellable, error))
    return NULL;
  return g_steal_pointer (&ids);
}

char *
stria_rows_quote (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "\"", -1);
  g_autofree char *inner = g_strjoinv ("\"\"", parts);

  return g_strconcat ("\"", inner, "\"", NULL);
}

static gboolean
is_number (const char *text)
{
  char *end;

  if (*text == '\0' || strspn (text, "+-.0123456789eE") != strlen (text))
    return FALSE;
  g_ascii_strtod (text, &end);
  return *end == '\0';
}

/* Between quotes; @like: as a pattern that finds it anywhere */
static char *
text_literal (const char *text, gboolean like)
{
  GString *sql = g_string_new (like ? "'%" : "'");

  for (; *text != '\0'; text++)
    {
      if (like && (*text == '%' || *text == '_' || *text == '\\'))
        g_string_append_c (sql, '\\');
      if (*text == '\'')
        g_string_append_c (sql, '\'');
      g_string_append_c (sql, *text);
    }
  g_string_append (sql, like ? "%' ESCAPE '\\'" : "'");
  return g_string_free (sql, FALSE);
}

char *
stria_rows_condition (const char *column, const char *filter)
{
  static const char *const operators[] = { "<=", ">=", "!=", "<>", "<", ">", "=" };
  g_autofree char *name = stria_rows_quote (column);
  g_autofree char *text = g_strstrip (g_strdup (filter));
  g_autofree char *literal = NULL;
  char *dots = strstr (text, "..");

  if (*text == '\0')
    return NULL;
  if (g_ascii_strcasecmp (text, "null") == 0)
    return g_strconcat (name, " IS NULL", NULL);
  if (g_ascii_strcasecmp (text, "not null") == 0)
    return g_strconcat (name, " IS NOT NULL", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (text, operators[i]))
      {
        const char *value = text + strlen (operators[i]);

        while (g_ascii_isspace (*value))
          value++;
        if (is_number (value))
          return g_strdup_printf ("%s %s %s", name, operators[i], value);
        literal = text_literal (value, FALSE);
        return g_strdup_printf ("%s %s %s", name, operators[i], literal);
      }
  if (dots != NULL && dots != text)
    {
      *dots = '\0';
      g_strchomp (text);
      if (is_number (text) && is_number (g_strchug (dots + 2)))
        return g_strdup_printf ("%s BETWEEN %s AND %s", name, text, dots + 2);
      g_free (text);
      text = g_strstrip (g_strdup (filter));
    }
  literal = text_literal (text, TRUE);
  return g_strdup_printf ("%s LIKE %s", name, literal);
}
