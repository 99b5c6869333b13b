/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-facts.h"

#include <string.h>

#include "stria-fact-tables.h"

struct _StriaFacts
{
  gatomicrefcount refs;
  StriaStrings *strings;
  GArray *tables[STRIA_N_FACT_TABLES]; /* NULL until a row is there */
};

/**
 * stria_facts_new:
 *
 * Returns: (transfer full): tables without a row
 */
StriaFacts *
stria_facts_new (void)
{
  StriaFacts *self = g_new0 (StriaFacts, 1);

  g_atomic_ref_count_init (&self->refs);
  self->strings = stria_strings_new ();
  return self;
}

StriaFacts *
stria_facts_ref (StriaFacts *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_facts_unref (StriaFacts *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    g_clear_pointer (&self->tables[t], g_array_unref);
  stria_strings_unref (self->strings);
  g_free (self);
}

StriaStrings *
stria_facts_get_strings (StriaFacts *self)
{
  return self->strings;
}

guint32
stria_facts_intern (StriaFacts *self, const char *text, gssize length)
{
  if (text == NULL)
    return 0;
  gsize n = length < 0 ? strlen (text) : (gsize) length;
  /* Texts end with a NUL and are text: what is neither is made so. */
  if (G_LIKELY (g_utf8_validate_len (text, n, NULL)))
    return stria_strings_intern (self->strings, text, n);
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) n);
  return stria_strings_intern (self->strings, valid, strlen (valid));
}

guint32
stria_facts_intern_printf (StriaFacts *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  return stria_facts_intern (self, text, -1);
}

const char *
stria_facts_text (const StriaFacts *self, guint32 string)
{
  return stria_strings_get (self->strings, string);
}

guint32
stria_facts_add (StriaFacts *self, guint table, gconstpointer row)
{
  guint size = stria_fact_tables[table].row_size;

  if (self->tables[table] == NULL)
    self->tables[table] = g_array_new (FALSE, TRUE, size);
  GArray *rows = self->tables[table];
  g_array_set_size (rows, rows->len + 1);
  if (row != NULL)
    memcpy (rows->data + (gsize) (rows->len - 1) * size, row, size);
  return rows->len - 1;
}

gsize
stria_facts_size (const StriaFacts *self, guint table)
{
  return self->tables[table] != NULL ? self->tables[table]->len : 0;
}

gpointer
stria_facts_rows (const StriaFacts *self, guint table)
{
  /* So that the row after the last one can be pointed at in an empty table, too. */
  static guint64 nothing[1];

  return stria_facts_size (self, table) > 0 ? self->tables[table]->data : (gpointer) nothing;
}

gboolean
stria_facts_is_empty (const StriaFacts *self)
{
  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    if (stria_facts_size (self, t) > 0)
      return FALSE;
  return TRUE;
}

gsize
stria_facts_bytes (const StriaFacts *self)
{
  gsize bytes = 0;

  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    bytes += stria_facts_size (self, t) * stria_fact_tables[t].row_size;
  for (guint32 s = 0; s < stria_strings_size (self->strings); s++)
    bytes += stria_strings_length (self->strings, s) + 1;
  return bytes;
}

static guint32
get_u32 (const guint8 *row, const StriaFactColumn *column)
{
  guint32 value;

  memcpy (&value, row + column->offset, sizeof value);
  return value;
}

static gboolean
check_row (const StriaFacts *self, const StriaFactTable *table, const guint8 *row,
           guint32 n_strings)
{
  for (guint c = 0; c < table->n_columns; c++)
    {
      const StriaFactColumn *column = &table->columns[c];
      gsize n;

      switch ((StriaFactType) column->type)
        {
        case STRIA_FACT_STRING:
          if (get_u32 (row, column) >= n_strings)
            return FALSE;
          break;
        case STRIA_FACT_REF:
          if (get_u32 (row, column) != STRIA_NO_REF
              && get_u32 (row, column) >= stria_facts_size (self, column->target))
            return FALSE;
          break;
        case STRIA_FACT_FIRST:
          n = get_u32 (row, column + 1);
          if (n > stria_facts_size (self, column->target)
              || get_u32 (row, column) > stria_facts_size (self, column->target) - n)
            return FALSE;
          break;
        case STRIA_FACT_U8:
        case STRIA_FACT_I32:
        case STRIA_FACT_U32:
        case STRIA_FACT_I64:
        case STRIA_FACT_U64:
        case STRIA_FACT_F64:
          break;
        }
    }
  return TRUE;
}

gboolean
stria_facts_check (const StriaFacts *self, guint *table, guint32 *row)
{
  guint32 n_strings = stria_strings_size (self->strings);

  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    for (gsize i = 0; i < stria_facts_size (self, t); i++)
      {
        const guint8 *rows = stria_facts_rows (self, t);
        gsize size = stria_fact_tables[t].row_size;
        if (!check_row (self, &stria_fact_tables[t], rows + i * size, n_strings))
          {
            *table = t;
            *row = (guint32) i;
            return FALSE;
          }
      }
  return TRUE;
}
