/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-csv.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-neuron-emitter.h"
#include "stria-neuron-schema.h"

#define MAX_COLUMNS 1024
#define MAX_CELL ((gsize) 16 << 20)

typedef struct
{
  StriaDecodeContext *context;
  StriaNeuronEmitter *emitter;
  const StriaNeuronTable *table;
  StriaNeuronRows *rows;
  StriaCellType types[MAX_COLUMNS];

  GString *cell;
  GPtrArray *header; /* while it is read */
  guint column;
  gboolean any;       /* the row has something */
  gboolean is_quoted; /* inside quotes */
  gboolean was_quote; /* the last byte was a quote inside quotes: one of two, or the end */
  guint64 n_rows;
  guint64 n_short;
  guint64 n_bad;
  guint64 n_read;
} Reading;

/* The table that a file of that name holds: "Instruction.csv", "Instruction (1).csv" */
static const StriaNeuronTable *
table_of (const char *name)
{
  /* Those that the viewer offers (documented) */
  static const char *const names[] = { "Instruction", "DmaPacketAggregated", "DmaPacket",
                                       "CcInstruction", "SemaphoreUpdate" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strncasecmp (name, names[i], strlen (names[i])) == 0
        && !g_ascii_isalpha (name[strlen (names[i])]))
      return stria_neuron_schema_table (names[i]);
  return NULL;
}

/* --- cells ------------------------------------------------------------------------------------ */

static gboolean
take_header_cell (Reading *self, GError **error)
{
  if (self->header->len >= MAX_COLUMNS)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                   _ ("%s: line 1: expected at most %d columns, found more"), self->context->name,
                   MAX_COLUMNS);
      return FALSE;
    }
  g_ptr_array_add (self->header, g_utf8_make_valid (self->cell->str, (gssize) self->cell->len));
  return TRUE;
}

/* A real number may be written for a whole one, but has to be whole then. */
static gboolean
parse_whole (const char *text, gint64 *value)
{
  char *end;
  double real;

  errno = 0;
  *value = g_ascii_strtoll (text, &end, 10);
  if (end != text && *end == '\0' && errno == 0)
    return TRUE;
  errno = 0;
  real = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || errno != 0 || !(real > -9.0e15 && real < 9.0e15)
      || real != (double) (gint64) real)
    return FALSE;
  *value = (gint64) real;
  return TRUE;
}

static void
take_value (Reading *self, guint column, const char *text, gsize length)
{
  gint64 whole;
  double real;
  char *end;

  switch (self->types[column])
    {
    case STRIA_CELL_INT:
      if (parse_whole (text, &whole))
        stria_neuron_rows_int (self->rows, column, whole);
      else
        self->n_bad++;
      break;
    case STRIA_CELL_REAL:
      real = g_ascii_strtod (text, &end);
      if (end != text && *end == '\0')
        stria_neuron_rows_real (self->rows, column, real);
      else
        self->n_bad++;
      break;
    case STRIA_CELL_BOOL:
      if (g_ascii_strcasecmp (text, "true") == 0 || g_str_equal (text, "1"))
        stria_neuron_rows_int (self->rows, column, 1);
      else if (g_ascii_strcasecmp (text, "false") == 0 || g_str_equal (text, "0"))
        stria_neuron_rows_int (self->rows, column, 0);
      else
        self->n_bad++;
      break;
    case STRIA_CELL_TEXT:
    default:
      {
        g_autofree char *valid = g_utf8_validate_len (text, length, NULL)
                                     ? NULL
                                     : g_utf8_make_valid (text, (gssize) length);

        stria_neuron_rows_text (self->rows, column, valid != NULL ? valid : text, -1);
      }
      break;
    }
}

static gboolean
end_cell (Reading *self, GError **error)
{
  gboolean ok = TRUE;

  if (self->rows == NULL)
    ok = take_header_cell (self, error);
  else if (self->column < self->header->len && self->cell->len > 0)
    take_value (self, self->column, self->cell->str, self->cell->len);
  self->any |= self->cell->len > 0;
  self->column++;
  g_string_truncate (self->cell, 0);
  return ok;
}

/* Columns that the schema does not know are text. A name that is there twice gets a mark. */
static void
open_rows (Reading *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->header->len; i++)
    {
      const StriaNeuronColumn *column;
      g_autofree char *name = g_strdup (self->header->pdata[i]);

      for (;;)
        {
          g_autofree char *lower = g_ascii_strdown (name, -1);
          char *marked;

          if (*lower != '\0' && g_hash_table_add (seen, g_steal_pointer (&lower)))
            break;
          marked = g_strconcat (name, "_", NULL);
          g_free (name);
          name = marked;
        }
      column = stria_neuron_schema_column (self->table, name);

      self->types[i] = column != NULL ? column->type : STRIA_CELL_TEXT;
      g_ptr_array_add (names, column != NULL ? g_strdup (column->name)
                                             : g_strconcat (name, ":s", NULL));
    }
  g_ptr_array_add (names, NULL);
  self->rows = stria_neuron_rows_new (self->emitter, self->table->name,
                                      (const char *const *) names->pdata);
}

static gboolean
end_row (Reading *self, GError **error)
{
  /* An empty line is none. */
  if (self->column == 0 && self->cell->len == 0)
    return TRUE;
  if (!end_cell (self, error))
    return FALSE;
  if (self->rows == NULL)
    open_rows (self);
  else if (self->any)
    {
      self->n_short += self->column != self->header->len;
      stria_neuron_rows_end (self->rows);
      self->n_rows++;
    }
  self->column = 0;
  self->any = FALSE;
  return TRUE;
}

/* --- bytes ------------------------------------------------------------------------------------ */

static gboolean
take_byte (Reading *self, char byte, GError **error)
{
  if (self->is_quoted && !self->was_quote)
    {
      if (byte == '"')
        self->was_quote = TRUE;
      else
        g_string_append_c (self->cell, byte);
      return TRUE;
    }
  if (self->is_quoted && byte == '"')
    {
      self->was_quote = FALSE;
      g_string_append_c (self->cell, byte);
      return TRUE;
    }
  self->is_quoted = self->was_quote = FALSE;
  switch (byte)
    {
    case '"':
      if (self->cell->len == 0)
        self->is_quoted = TRUE;
      else
        g_string_append_c (self->cell, byte);
      return TRUE;
    case ',':
      return end_cell (self, error);
    case '\n':
      return end_row (self, error);
    case '\r':
      return TRUE;
    default:
      g_string_append_c (self->cell, byte);
      return TRUE;
    }
}

static gboolean
take_block (Reading *self, const guint8 *data, gsize length, GError **error)
{
  for (gsize i = 0; i < length; i++)
    {
      if (self->cell->len >= MAX_CELL)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                       _ ("%s: offset %" PRIu64 ": expected a value of at most %" PRIu64
                          " bytes, found a longer one"),
                       self->context->name, self->n_read + i, (guint64) MAX_CELL);
          return FALSE;
        }
      if (!take_byte (self, (char) data[i], error))
        return FALSE;
    }
  self->n_read += length;
  return TRUE;
}

static gboolean
read_all (Reading *self, StriaSource *source, GError **error)
{
  StriaDecodeContext *context = self->context;
  const guint8 *data;
  gsize length;

  for (;;)
    {
      if (g_cancellable_set_error_if_cancelled (context->cancellable, error)
          || !stria_source_read (source, &data, &length, error))
        return FALSE;
      if (length == 0)
        return end_row (self, error);
      if (self->n_read == 0 && length >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0)
        {
          data += 3;
          length -= 3;
          self->n_read = 3;
        }
      if (!take_block (self, data, length, error))
        return FALSE;
      if (context->progress != NULL)
        context->progress (self->n_read, self->n_rows, context->user_data);
    }
}

/* --- decoder ---------------------------------------------------------------------------------- */

/* How many names of the first line there are, and how many of them the table has; 0 if the first is
 * not the one that all begin with. */
static guint
count_names (const StriaNeuronTable *table, const guint8 *head, gsize length, guint *n)
{
  const guint8 *end = memchr (head, '\n', length);
  g_autofree char *line = g_strndup ((const char *) head,
                                     end != NULL ? (gsize) (end - head) : length);
  g_auto (GStrv) names = NULL;
  guint known = 0;

  if (g_str_has_prefix (line, "\xef\xbb\xbf"))
    memmove (line, line + 3, strlen (line + 3) + 1);
  names = g_strsplit (line, ",", MAX_COLUMNS);
  *n = 0;
  for (guint i = 0; names[i] != NULL; i++, ++*n)
    {
      char *name = g_strstrip (names[i]);
      gsize size = strlen (name);

      if (size >= 2 && name[0] == '"' && name[size - 1] == '"')
        {
          name[size - 1] = '\0';
          name++;
        }
      if (i == 0 && !g_str_equal (name, "timeline_track"))
        return 0;
      known += stria_neuron_schema_column (table, name) != NULL;
    }
  return known;
}

static guint
probe (const char *name, const guint8 *head, gsize length, gboolean whole)
{
  const StriaNeuronTable *table = table_of (name);
  guint n, known;

  if (table == NULL || length == 0)
    return 0;
  known = count_names (table, head, length, &n);
  return known >= 3 && 2 * known > n ? 90 : 0;
}

static void
tell (Reading *self)
{
  StriaNotices *notices = self->context->notices;
  const char *name = self->context->name;

  /* Translators: the viewer of the profiler's vendor, in a browser */
  stria_notices_add (notices, STRIA_SEVERITY_INFO, "neuron-csv", name, -1,
                     _ ("Saved from the vendor's viewer: it holds the range that was visible, perhaps "
                        "with rows left out; an export to Parquet has all"));
  if (self->n_short > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "neuron-csv-columns", name, -1,
                         self->n_short,
                         _ ("rows have more or fewer values than the first line has names"));
  if (self->n_bad > 0)
    stria_notices_count (notices, STRIA_SEVERITY_WARNING, "neuron-csv-value", name, -1, self->n_bad,
                         _ ("values are not of their column's kind; they are left out"));
}

static gboolean
decode (StriaSource *source, StriaSink *sink, StriaDecodeContext *context, GError **error)
{
  g_autofree Reading *self = g_new0 (Reading, 1);
  g_autoptr (GError) local = NULL;
  gboolean ok;

  self->context = context;
  self->table = table_of (context->name);
  if (self->table == NULL)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED,
                   _ ("%s: offset 0: expected a file that is called as a table of the profiler, "
                      "found another name"),
                   context->name);
      return FALSE;
    }
  self->cell = g_string_new (NULL);
  self->header = g_ptr_array_new_with_free_func (g_free);
  self->emitter = stria_neuron_emitter_new (sink, context->name);
  ok = read_all (self, source, &local);
  if (ok || self->n_rows > 0)
    tell (self);
  g_clear_pointer (&self->rows, stria_neuron_rows_free);
  stria_neuron_emitter_free (self->emitter);
  g_ptr_array_unref (self->header);
  g_string_free (self->cell, TRUE);
  if (!ok && self->n_rows > 0 && !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      stria_notices_add (context->notices, STRIA_SEVERITY_ERROR, "neuron-cut", context->name,
                         (gint64) self->n_read, "%s", local->message);
      return TRUE;
    }
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&local));
  return ok;
}

const StriaDecoder stria_neuron_csv_decoder = {
  .kind = "neuron-csv",
  .title = N_ ("Neuron profile (CSV)"),
  .probe = probe,
  .decode = decode,
};
