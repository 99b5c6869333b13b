/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "stria-neuron-emitter.h"
#include "stria-neuron-schema.h"

#define BATCH_ROWS  4096
#define BATCH_BYTES (8 << 20)

typedef struct
{
  StriaCellType type;
  guint8 *valid;
  gint64 *ints; /* or the doubles' bits */
  GByteArray *bytes;
  guint32 *offsets;
} Column;

struct _StriaNeuronRows
{
  StriaNeuronEmitter *emitter;
  guint table;
  guint n_columns;
  Column *columns;
  StriaColumnData *data;
  guint32 n_rows;
  gboolean is_long;
};

/* Type of a column by its name: what stands behind a colon, or what the schema says; else a text.
 * @name is cut at the colon. */
static StriaCellType
column_type (const StriaNeuronTable *schema, char *name)
{
  const StriaNeuronColumn *known;
  char *colon = strrchr (name, ':');

  if (colon != NULL && colon[1] != '\0' && colon[2] == '\0' && strchr ("ifbs", colon[1]) != NULL)
    {
      *colon = '\0';
      return colon[1] == 'i'   ? STRIA_CELL_INT
             : colon[1] == 'f' ? STRIA_CELL_REAL
             : colon[1] == 'b' ? STRIA_CELL_BOOL
                               : STRIA_CELL_TEXT;
    }
  known = stria_neuron_schema_column (schema, name);
  return known != NULL ? known->type : STRIA_CELL_TEXT;
}

StriaNeuronRows *
stria_neuron_rows_new (StriaNeuronEmitter *emitter, const char *table, const char *const *names)
{
  StriaNeuronRows *self = g_new0 (StriaNeuronRows, 1);
  const StriaNeuronTable *schema = stria_neuron_schema_table (table);
  guint n = g_strv_length ((char **) names);
  g_autofree StriaColumnInfo *info = g_new0 (StriaColumnInfo, MAX (n, 1));

  self->emitter = emitter;
  self->n_columns = n;
  self->columns = g_new0 (Column, MAX (n, 1));
  self->data = g_new0 (StriaColumnData, MAX (n, 1));
  for (guint c = 0; c < n; c++)
    {
      Column *column = &self->columns[c];

      info[c].name = g_strdup (names[c]);
      info[c].type = column->type = column_type (schema, info[c].name);
      column->valid = g_new0 (guint8, BATCH_ROWS);
      if (column->type == STRIA_CELL_TEXT)
        {
          column->bytes = g_byte_array_new ();
          column->offsets = g_new0 (guint32, BATCH_ROWS + 1);
        }
      else
        column->ints = g_new0 (gint64, BATCH_ROWS);
    }
  self->table = stria_neuron_emitter_table (emitter, table, info, n);
  for (guint c = 0; c < n; c++)
    g_free (info[c].name);
  return self;
}

static void
set_real (StriaNeuronRows *self, Column *column, double value)
{
  memcpy (&column->ints[self->n_rows], &value, sizeof value);
}

/* A cell that is set twice keeps the later text. */
static void
set_text (StriaNeuronRows *self, Column *column, const char *text, gsize length)
{
  g_byte_array_set_size (column->bytes, column->offsets[self->n_rows]);
  length = MIN (length, STRIA_TABLE_CHUNK_TEXT / 2);
  g_byte_array_append (column->bytes, (const guint8 *) text, (guint) length);
  column->offsets[self->n_rows + 1] = column->bytes->len;
  self->is_long |= column->bytes->len > BATCH_BYTES;
}

void
stria_neuron_rows_int (StriaNeuronRows *self, guint c, gint64 value)
{
  Column *column = &self->columns[c];
  char text[24];

  if (column->type == STRIA_CELL_REAL)
    set_real (self, column, (double) value);
  else if (column->type == STRIA_CELL_BOOL)
    column->ints[self->n_rows] = value != 0;
  else if (column->type == STRIA_CELL_INT)
    column->ints[self->n_rows] = value;
  else
    set_text (self, column, text,
              (gsize) g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, value));
  column->valid[self->n_rows] = 1;
}

void
stria_neuron_rows_real (StriaNeuronRows *self, guint c, double value)
{
  Column *column = &self->columns[c];
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (column->type == STRIA_CELL_REAL)
    set_real (self, column, value);
  else if (column->type == STRIA_CELL_TEXT)
    {
      g_ascii_dtostr (text, sizeof text, value);
      set_text (self, column, text, strlen (text));
    }
  else if (value > -9.2e18 && value < 9.2e18)
    column->ints[self->n_rows] = column->type == STRIA_CELL_BOOL ? value != 0 : (gint64) value;
  else
    return;
  column->valid[self->n_rows] = 1;
}

/* A number that a text holds and nothing else. FALSE: it does not */
static gboolean
set_number (StriaNeuronRows *self, Column *column, const char *text, gsize length)
{
  char copy[64], *end;

  if (length == 0 || length >= sizeof copy)
    return FALSE;
  memcpy (copy, text, length);
  copy[length] = '\0';
  errno = 0;
  if (column->type == STRIA_CELL_REAL)
    set_real (self, column, g_ascii_strtod (copy, &end));
  else if (g_ascii_strcasecmp (copy, "true") == 0 || g_ascii_strcasecmp (copy, "false") == 0)
    {
      column->ints[self->n_rows] = g_ascii_tolower (copy[0]) == 't';
      return TRUE;
    }
  else
    {
      column->ints[self->n_rows] = g_ascii_strtoll (copy, &end, 10);
      if (column->type == STRIA_CELL_BOOL)
        column->ints[self->n_rows] = column->ints[self->n_rows] != 0;
    }
  return errno == 0 && end != copy && *end == '\0';
}

void
stria_neuron_rows_text (StriaNeuronRows *self, guint c, const char *text, gssize length)
{
  Column *column = &self->columns[c];
  gsize n = length < 0 ? strlen (text) : (gsize) length;

  if (column->type == STRIA_CELL_TEXT)
    set_text (self, column, text, n);
  else if (!set_number (self, column, text, n))
    return;
  column->valid[self->n_rows] = 1;
}

static void
flush (StriaNeuronRows *self)
{
  guint32 n = self->n_rows;

  if (n == 0)
    return;
  for (guint c = 0; c < self->n_columns; c++)
    {
      const Column *column = &self->columns[c];
      StriaColumnData *data = &self->data[c];

      *data = (StriaColumnData){
        .valid = memchr (column->valid, 0, n) != NULL ? column->valid : NULL,
      };
      if (column->type == STRIA_CELL_TEXT)
        {
          data->offsets = column->offsets;
          data->bytes = column->bytes->len > 0 ? (const char *) column->bytes->data : "";
          data->n_texts = n;
        }
      else
        data->ints = column->ints;
    }
  stria_neuron_emitter_rows (self->emitter, self->table, self->data, n);
  self->n_rows = 0;
  self->is_long = FALSE;
  for (guint c = 0; c < self->n_columns; c++)
    {
      Column *column = &self->columns[c];

      memset (column->valid, 0, n);
      if (column->bytes != NULL)
        {
          g_byte_array_set_size (column->bytes, 0);
          memset (column->offsets, 0, (n + 1) * sizeof *column->offsets);
        }
      else
        memset (column->ints, 0, n * sizeof *column->ints);
    }
}

void
stria_neuron_rows_end (StriaNeuronRows *self)
{
  for (guint c = 0; c < self->n_columns; c++)
    {
      Column *column = &self->columns[c];

      if (!column->valid[self->n_rows] && column->bytes != NULL)
        column->offsets[self->n_rows + 1] = column->offsets[self->n_rows];
      else if (!column->valid[self->n_rows])
        column->ints[self->n_rows] = 0;
    }
  self->n_rows++;
  if (self->n_rows == BATCH_ROWS || self->is_long)
    flush (self);
}

void
stria_neuron_rows_free (StriaNeuronRows *self)
{
  flush (self);
  for (guint c = 0; c < self->n_columns; c++)
    {
      Column *column = &self->columns[c];

      g_free (column->valid);
      g_free (column->ints);
      g_free (column->offsets);
      g_clear_pointer (&column->bytes, g_byte_array_unref);
    }
  g_free (self->columns);
  g_free (self->data);
  g_free (self);
}
