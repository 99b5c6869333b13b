/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "stria-json-text.h"
#include "stria-neuron-json-private.h"
#include "stria-neuron-schema.h"

/* Rows that are kept before the columns are settled; members that come up later go to a column of
 * their own, as JSON. */
#define FIRST_ROWS  1000
#define FIRST_BYTES (4 << 20)
#define MAX_COLUMNS 1000
#define OTHER       "other_members"

typedef struct
{
  char *name;
  guint seen[NEURON_JSON_BIG + 1];
  StriaCellType type;
} Column;

struct _NeuronJsonTable
{
  StriaNeuronEmitter *emitter;
  char *name;
  const NeuronJsonName *names;
  const StriaNeuronTable *schema;
  GArray *columns;    /* Column */
  GHashTable *by_key; /* member -> column + 1 */
  GHashTable *by_name;
  GArray *first;      /* NeuronJsonCell: kept rows, one behind the other */
  GArray *row_ends;   /* guint32: cells up to the end of a row */
  GString *texts;
  StriaNeuronRows *rows; /* once the columns are settled */
  guint n_settled;
  GString *other;
};

static void
clear_column (gpointer data)
{
  g_free (((Column *) data)->name);
}

NeuronJsonTable *
neuron_json_table_new (StriaNeuronEmitter *emitter, const char *name, const NeuronJsonName *names)
{
  NeuronJsonTable *self = g_new0 (NeuronJsonTable, 1);

  self->emitter = emitter;
  self->name = g_strdup (name);
  self->names = names;
  self->schema = stria_neuron_schema_table (name);
  self->columns = g_array_new (FALSE, TRUE, sizeof (Column));
  g_array_set_clear_func (self->columns, clear_column);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->first = g_array_new (FALSE, FALSE, sizeof (NeuronJsonCell));
  self->row_ends = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->texts = g_string_new (NULL);
  self->other = g_string_new (NULL);
  return self;
}

const char *
neuron_json_table_name (const NeuronJsonTable *self)
{
  return self->name;
}

guint
neuron_json_table_column (NeuronJsonTable *self, const char *key, gsize length)
{
  g_autofree char *member = g_utf8_make_valid (key, (gssize) length);
  gpointer known = g_hash_table_lookup (self->by_key, member);
  g_autofree char *lower = NULL;
  const char *name = member;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  for (guint i = 0; self->names != NULL && self->names[i].key != NULL; i++)
    if (g_str_equal (self->names[i].key, member))
      name = self->names[i].column;
  /* SQL compares names of columns without case. */
  lower = g_ascii_strdown (name, -1);
  known = g_hash_table_lookup (self->by_name, lower);
  if (known == NULL)
    {
      Column column = { .name = g_strdup (name[0] != '\0' ? name : "unnamed") };

      g_array_append_val (self->columns, column);
      known = GUINT_TO_POINTER (self->columns->len);
      g_hash_table_insert (self->by_name, g_steal_pointer (&lower), known);
    }
  /* A file can invent names without end. */
  if (g_hash_table_size (self->by_key) < 100000)
    g_hash_table_insert (self->by_key, g_steal_pointer (&member), known);
  return GPOINTER_TO_UINT (known) - 1;
}

guint
neuron_json_table_alias (const NeuronJsonTable *self, NeuronJsonTable *to, guint column)
{
  const char *name = g_array_index (self->columns, Column, column).name;

  return neuron_json_table_column (to, name, strlen (name));
}

/* -- rows ------------------------------------------------------------------------------------ */

NeuronJsonCell *
neuron_json_row_find (const NeuronJsonRow *row, guint column)
{
  for (guint i = row->cells->len; i > 0; i--)
    {
      NeuronJsonCell *cell = &g_array_index (row->cells, NeuronJsonCell, i - 1);
      if (cell->column == column)
        return cell->kind != NEURON_JSON_NULL ? cell : NULL;
    }
  return NULL;
}

void
neuron_json_row_text (NeuronJsonRow *row, guint column, const char *text, gsize length,
                      NeuronJsonKind kind)
{
  NeuronJsonCell cell = { .column = column, .kind = kind, .offset = (guint32) row->text->len,
                          .length = (guint32) length };

  if (kind == NEURON_JSON_BOOL)
    cell.integer = length > 0 && text[0] == 't';
  g_string_append_len (row->text, text, (gssize) length);
  g_array_append_val (row->cells, cell);
}

void
neuron_json_row_number (NeuronJsonRow *row, guint column, const char *digits, gsize length)
{
  g_autofree char *copy = g_strndup (digits, length);
  NeuronJsonCell *cell;

  neuron_json_row_text (row, column, digits, length, NEURON_JSON_REAL);
  cell = &g_array_index (row->cells, NeuronJsonCell, row->cells->len - 1);
  if (strpbrk (copy, ".eE") != NULL)
    {
      cell->real = g_ascii_strtod (copy, NULL);
      return;
    }
  errno = 0;
  cell->integer = g_ascii_strtoll (copy, NULL, 10);
  cell->kind = errno == 0 ? NEURON_JSON_INT : NEURON_JSON_BIG;
  if (errno != 0)
    cell->real = g_ascii_strtod (copy, NULL);
}

void
neuron_json_row_int (NeuronJsonRow *row, guint column, gint64 value)
{
  char text[24];

  neuron_json_row_number (row, column, text,
                          (gsize) g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, value));
}

gboolean
neuron_json_cell_int (const NeuronJsonRow *row, const NeuronJsonCell *cell, gint64 *value)
{
  char copy[32], *end;

  if (cell == NULL)
    return FALSE;
  if (cell->kind == NEURON_JSON_INT || cell->kind == NEURON_JSON_BOOL)
    {
      *value = cell->integer;
      return TRUE;
    }
  if (cell->kind == NEURON_JSON_REAL)
    {
      /* "1.0", and nothing that would be cut */
      if (!(cell->real > -9e15 && cell->real < 9e15) || (double) (gint64) cell->real != cell->real)
        return FALSE;
      *value = (gint64) cell->real;
      return TRUE;
    }
  if (cell->kind != NEURON_JSON_TEXT || cell->length == 0 || cell->length >= sizeof copy)
    return FALSE;
  memcpy (copy, row->text->str + cell->offset, cell->length);
  copy[cell->length] = '\0';
  errno = 0;
  *value = g_ascii_strtoll (copy, &end, 10);
  return errno == 0 && *end == '\0' && end != copy;
}

gboolean
neuron_json_cell_real (const NeuronJsonRow *row, const NeuronJsonCell *cell, double *value)
{
  char copy[64], *end;

  if (cell == NULL)
    return FALSE;
  if (cell->kind == NEURON_JSON_INT)
    *value = (double) cell->integer;
  else if (cell->kind == NEURON_JSON_REAL || cell->kind == NEURON_JSON_BIG)
    *value = cell->real;
  else if (cell->kind == NEURON_JSON_TEXT && cell->length > 0 && cell->length < sizeof copy)
    {
      memcpy (copy, row->text->str + cell->offset, cell->length);
      copy[cell->length] = '\0';
      *value = g_ascii_strtod (copy, &end);
      return *end == '\0' && end != copy;
    }
  else
    return FALSE;
  return TRUE;
}

static void
add_other (NeuronJsonTable *self, const NeuronJsonRow *row, const NeuronJsonCell *cell)
{
  const char *name = g_array_index (self->columns, Column, cell->column).name;
  const char *text = row->text->str + cell->offset;

  if (cell->kind == NEURON_JSON_NULL)
    return;
  g_string_append_c (self->other, self->other->len == 0 ? '{' : ',');
  stria_json_append_text (self->other, name, -1);
  g_string_append_c (self->other, ':');
  if (cell->kind == NEURON_JSON_TEXT)
    stria_json_append_text (self->other, text, cell->length);
  else
    g_string_append_len (self->other, text, cell->length);
}

static void
write_row (NeuronJsonTable *self, const NeuronJsonRow *row, const NeuronJsonCell *cells, guint n)
{
  g_string_truncate (self->other, 0);
  for (guint i = 0; i < n; i++)
    {
      const NeuronJsonCell *cell = &cells[i];
      gint64 integer;
      double real;

      if (cell->kind == NEURON_JSON_NULL)
        continue;
      if (cell->column >= self->n_settled)
        {
          add_other (self, row, cell);
          continue;
        }
      switch (g_array_index (self->columns, Column, cell->column).type)
        {
        case STRIA_CELL_TEXT:
          stria_neuron_rows_text (self->rows, cell->column, row->text->str + cell->offset,
                                  cell->length);
          break;
        case STRIA_CELL_REAL:
          if (neuron_json_cell_real (row, cell, &real))
            stria_neuron_rows_real (self->rows, cell->column, real);
          else
            add_other (self, row, cell);
          break;
        default:
          if (neuron_json_cell_int (row, cell, &integer))
            stria_neuron_rows_int (self->rows, cell->column, integer);
          else
            add_other (self, row, cell);
          break;
        }
    }
  if (self->other->len > 0)
    {
      g_string_append_c (self->other, '}');
      stria_neuron_rows_text (self->rows, self->n_settled, self->other->str,
                              (gssize) self->other->len);
    }
  stria_neuron_rows_end (self->rows);
}

/* What type a column gets that the schema does not know: the narrowest for what was seen */
static StriaCellType
seen_type (const Column *column)
{
  const guint *seen = column->seen;

  if (seen[NEURON_JSON_TEXT] + seen[NEURON_JSON_NESTED] + seen[NEURON_JSON_BIG] > 0)
    return STRIA_CELL_TEXT;
  if (seen[NEURON_JSON_BOOL] > 0)
    return seen[NEURON_JSON_INT] + seen[NEURON_JSON_REAL] > 0 ? STRIA_CELL_TEXT : STRIA_CELL_BOOL;
  if (seen[NEURON_JSON_REAL] > 0)
    return STRIA_CELL_REAL;
  return seen[NEURON_JSON_INT] > 0 ? STRIA_CELL_INT : STRIA_CELL_TEXT;
}

static void
settle (NeuronJsonTable *self)
{
  static const char suffix[] = { 'i', 'f', 'b', 's' };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  NeuronJsonRow row = { .text = self->texts };

  self->n_settled = MIN (self->columns->len, MAX_COLUMNS);
  for (guint c = 0; c < self->n_settled; c++)
    {
      Column *column = &g_array_index (self->columns, Column, c);
      const StriaNeuronColumn *known = stria_neuron_schema_column (self->schema, column->name);

      column->type = known != NULL ? known->type : seen_type (column);
      g_ptr_array_add (names, g_strdup_printf ("%s:%c", column->name, suffix[column->type]));
    }
  g_ptr_array_add (names, g_strdup (OTHER ":s"));
  g_ptr_array_add (names, NULL);
  self->rows = stria_neuron_rows_new (self->emitter, self->name,
                                      (const char *const *) names->pdata);
  for (guint i = 0; i < self->row_ends->len; i++)
    {
      guint32 from = i > 0 ? g_array_index (self->row_ends, guint32, i - 1) : 0;
      guint32 to = g_array_index (self->row_ends, guint32, i);
      write_row (self, &row, (const NeuronJsonCell *) (gpointer) self->first->data + from,
                 to - from);
    }
  g_array_set_size (self->first, 0);
  g_array_set_size (self->row_ends, 0);
  g_string_truncate (self->texts, 0);
}

void
neuron_json_table_add (NeuronJsonTable *self, const NeuronJsonRow *row)
{
  guint32 end;

  if (self->rows != NULL)
    {
      write_row (self, row, (const NeuronJsonCell *) (gpointer) row->cells->data, row->cells->len);
      return;
    }
  for (guint i = 0; i < row->cells->len; i++)
    {
      NeuronJsonCell cell = g_array_index (row->cells, NeuronJsonCell, i);

      g_array_index (self->columns, Column, cell.column).seen[cell.kind]++;
      cell.offset += (guint32) self->texts->len;
      g_array_append_val (self->first, cell);
    }
  g_string_append_len (self->texts, row->text->str, (gssize) row->text->len);
  end = self->first->len;
  g_array_append_val (self->row_ends, end);
  if (self->row_ends->len >= FIRST_ROWS || self->texts->len >= FIRST_BYTES)
    settle (self);
}

void
neuron_json_table_free (NeuronJsonTable *self)
{
  if (self->rows == NULL && self->row_ends->len > 0)
    settle (self);
  g_clear_pointer (&self->rows, stria_neuron_rows_free);
  g_array_unref (self->columns);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->by_name);
  g_array_unref (self->first);
  g_array_unref (self->row_ends);
  g_string_free (self->texts, TRUE);
  g_string_free (self->other, TRUE);
  g_free (self->name);
  g_free (self);
}
