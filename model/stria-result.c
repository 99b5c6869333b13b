/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-result.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-query.h"
#include "stria-spill.h"

#define BATCH_ROWS 8192
#define BATCH_TEXT (16 << 20)
/* Greatest whole number up to which a double holds each */
#define MAX_EXACT ((gint64) 1 << 53)

typedef enum
{
  KIND_NONE, /* no value so far */
  KIND_INT,
  KIND_REAL,
  KIND_TEXT,
} Kind;

typedef struct
{
  Kind kind;
  union
  {
    gint64 integer;
    double real;
    struct
    {
      guint32 offset;
      guint32 length;
    } text;
  };
} Cell;

typedef struct
{
  guint n_columns;
  char **names;
  Kind *kinds;         /* by column: what holds its values as far as they are known */
  gboolean *is_guess;  /* by column: no value was there when the table was begun */
  gboolean is_too_narrow; /* a value came that its column cannot hold: once more, with other types */
  GArray *cells;       /* Cell, row by row */
  GString *texts;
  guint32 n_rows;
  StriaSpill *spill;
  StriaTableBuilder *builder;
} Result;

static Kind
wider (Kind a, Kind b)
{
  return MAX (a, b);
}

/* What holds all values of a column of the batch */
static Kind
kind_of_batch (const Result *self, guint column)
{
  Kind kind = KIND_NONE;
  gboolean is_exact = TRUE;

  for (guint32 row = 0; row < self->n_rows; row++)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, row * self->n_columns + column);

      kind = wider (kind, cell->kind);
      if (cell->kind == KIND_INT && (cell->integer > MAX_EXACT || cell->integer < -MAX_EXACT))
        is_exact = FALSE;
    }
  if (!is_exact && (kind == KIND_REAL || self->kinds[column] == KIND_REAL))
    return KIND_TEXT;
  return kind;
}

static void
begin_table (Result *self)
{
  g_autofree StriaColumnInfo *infos = g_new0 (StriaColumnInfo, MAX (self->n_columns, 1));
  static const StriaCellType types[]
      = { STRIA_CELL_TEXT, STRIA_CELL_INT, STRIA_CELL_REAL, STRIA_CELL_TEXT };
  static char none[] = "";

  for (guint c = 0; c < self->n_columns; c++)
    {
      self->is_guess[c] = self->kinds[c] == KIND_NONE;
      infos[c].name = self->names[c];
      infos[c].type = types[self->kinds[c]];
      infos[c].unit = none;
      if (self->is_guess[c])
        self->kinds[c] = KIND_TEXT;
    }
  self->builder = stria_table_builder_new ("result", 0, infos, self->n_columns, self->spill);
}

static void
append_as_text (GString *bytes, const Result *self, const Cell *cell)
{
  g_autofree char *number = NULL;

  if (cell->kind == KIND_TEXT)
    g_string_append_len (bytes, self->texts->str + cell->text.offset, cell->text.length);
  else if (cell->kind == KIND_INT)
    g_string_append_printf (bytes, "%" G_GINT64_FORMAT, cell->integer);
  else if (cell->kind == KIND_REAL)
    g_string_append (bytes, number = stria_format_c_double (cell->real));
}

/* One column of the batch as the table takes it; @keep holds its arrays. */
static void
fill_column (const Result *self, guint column, StriaColumnData *data, GPtrArray *keep)
{
  guint8 *valid = g_malloc0 (MAX (self->n_rows, 1));
  gint64 *ints = g_new0 (gint64, MAX (self->n_rows, 1));
  double *reals = (double *) (gpointer) ints;

  g_ptr_array_add (keep, valid);
  g_ptr_array_add (keep, ints);
  data->valid = valid;
  data->ints = ints;
  for (guint32 row = 0; row < self->n_rows; row++)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, row * self->n_columns + column);

      valid[row] = cell->kind != KIND_NONE;
      if (self->kinds[column] == KIND_INT && cell->kind == KIND_INT)
        ints[row] = cell->integer;
      else if (self->kinds[column] == KIND_REAL && valid[row])
        reals[row] = cell->kind == KIND_REAL ? cell->real : (double) cell->integer;
    }
  if (self->kinds[column] == KIND_TEXT)
    {
      GString *bytes = g_string_new (NULL);
      guint32 *offsets = g_new0 (guint32, self->n_rows + 1);

      for (guint32 row = 0; row < self->n_rows; row++)
        {
          append_as_text (bytes, self,
                          &g_array_index (self->cells, Cell, row * self->n_columns + column));
          offsets[row + 1] = (guint32) bytes->len;
        }
      data->offsets = offsets;
      data->n_texts = self->n_rows;
      data->bytes = g_string_free (bytes, FALSE);
      g_ptr_array_add (keep, offsets);
      g_ptr_array_add (keep, (gpointer) data->bytes);
    }
}

/* FALSE: a column cannot hold what came. */
static gboolean
flush (Result *self)
{
  g_autofree StriaColumnData *columns = g_new0 (StriaColumnData, MAX (self->n_columns, 1));
  g_autoptr (GPtrArray) keep = g_ptr_array_new_with_free_func (g_free);

  for (guint c = 0; c < self->n_columns; c++)
    {
      const Kind needed = kind_of_batch (self, c);
      const Kind kind = wider (self->kinds[c], needed);

      if (self->builder == NULL)
        self->kinds[c] = kind;
      else if (self->is_guess[c] && needed != KIND_NONE && needed != KIND_TEXT)
        {
          self->kinds[c] = needed;
          self->is_guess[c] = FALSE;
          self->is_too_narrow = TRUE;
        }
      else if (kind != self->kinds[c])
        {
          self->kinds[c] = kind;
          self->is_too_narrow = TRUE;
        }
      else if (needed != KIND_NONE)
        self->is_guess[c] = FALSE;
    }
  if (self->is_too_narrow)
    return FALSE;
  if (self->builder == NULL)
    begin_table (self);
  for (guint c = 0; c < self->n_columns; c++)
    fill_column (self, c, &columns[c], keep);
  if (self->n_rows > 0)
    stria_table_builder_add (self->builder, columns, self->n_rows);
  g_array_set_size (self->cells, 0);
  g_string_truncate (self->texts, 0);
  self->n_rows = 0;
  return TRUE;
}

static void
take_names (Result *self, guint n_columns, const char *const *names)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (self->names != NULL)
    return;
  self->n_columns = MIN (n_columns, STRIA_TABLE_MAX_COLUMNS);
  self->names = g_new0 (char *, self->n_columns + 1);
  self->kinds = g_new0 (Kind, self->n_columns + 1);
  self->is_guess = g_new0 (gboolean, self->n_columns + 1);
  for (guint c = 0; c < self->n_columns; c++)
    {
      self->names[c] = g_strdup (names[c]);
      for (guint i = 2;; i++)
        {
          char *key = g_ascii_strdown (self->names[c], -1);

          if (g_hash_table_add (taken, key))
            break;
          g_free (self->names[c]);
          self->names[c] = g_strdup_printf ("%s:%u", names[c], i);
        }
    }
}

static gboolean
take_row (guint n_columns, const char *const *names, const StriaValue *values, gpointer user_data)
{
  Result *self = user_data;

  if (values == NULL)
    {
      take_names (self, n_columns, names);
      return TRUE;
    }
  for (guint c = 0; c < self->n_columns; c++)
    {
      Cell cell = { KIND_NONE };
      g_autofree char *blob = NULL;
      const char *text = values[c].text;
      gsize length = values[c].length;

      switch (values[c].type)
        {
        case STRIA_VALUE_INT:
          cell.kind = KIND_INT;
          cell.integer = values[c].integer;
          break;
        case STRIA_VALUE_REAL:
          cell.kind = KIND_REAL;
          cell.real = values[c].real;
          break;
        case STRIA_VALUE_BLOB:
          text = blob = g_strdup_printf (_ ("(%zu bytes)"), length);
          length = strlen (blob);
          G_GNUC_FALLTHROUGH;
        case STRIA_VALUE_TEXT:
          cell.kind = KIND_TEXT;
          cell.text.offset = (guint32) self->texts->len;
          cell.text.length = (guint32) MIN (length, BATCH_TEXT);
          g_string_append_len (self->texts, text, cell.text.length);
          break;
        case STRIA_VALUE_NULL:
        default:
          break;
        }
      g_array_append_val (self->cells, cell);
    }
  self->n_rows++;
  return (self->n_rows < BATCH_ROWS && self->texts->len < BATCH_TEXT) || flush (self);
}

static void
start_over (Result *self)
{
  g_clear_pointer (&self->builder, stria_table_builder_free);
  g_clear_pointer (&self->spill, stria_spill_unref);
  self->spill = stria_spill_new ();
  g_array_set_size (self->cells, 0);
  g_string_truncate (self->texts, 0);
  self->n_rows = 0;
  self->is_too_narrow = FALSE;
  for (guint c = 0; c < self->n_columns; c++)
    if (self->is_guess[c])
      self->kinds[c] = KIND_NONE;
}

StriaTable *
stria_result_new (const char *store_path, const char *sql, int *error_at, GCancellable *cancellable,
                  GError **error)
{
  Result self = { .cells = g_array_new (FALSE, FALSE, sizeof (Cell)),
                  .texts = g_string_new (NULL) };
  StriaTable *table = NULL;
  gboolean ok;

  /* Types only widen: each column at most three times. */
  do
    {
      start_over (&self);
      ok = stria_query_full (store_path, sql, take_row, &self, error_at, cancellable, error);
      if (ok && !self.is_too_narrow)
        flush (&self);
    }
  while (ok && self.is_too_narrow);
  if (ok)
    table = stria_table_builder_finish (g_steal_pointer (&self.builder), error);
  g_clear_pointer (&self.builder, stria_table_builder_free);
  g_clear_pointer (&self.spill, stria_spill_unref);
  g_array_unref (self.cells);
  g_string_free (self.texts, TRUE);
  g_strfreev (self.names);
  g_free (self.kinds);
  g_free (self.is_guess);
  return table;
}
