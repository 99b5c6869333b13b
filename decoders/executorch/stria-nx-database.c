/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-nx-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"

/* The debug database as text: tables between lines of four dashes, in a fixed order; the first line
 * of a table names its columns. [CODE MLIA-NT parser.py and its tests] */

#define DATABASE_MAGIC 0x1122FFEEu
#define MAX_ROWS 1000000

typedef enum
{
  TABLE_TOSA_OPS,
  TABLE_API_LABELS,
  TABLE_FUSED_OPS,
  TABLE_CHAINS,   /* "cascade_ops": a chain's fused operations */
  TABLE_CASCADES, /* "cascade_groups" */
  TABLE_STRIPE_OPS,
  TABLE_STRIPE_INDEXES,
  N_TABLES,
} TableNumber;

typedef struct
{
  GPtrArray *columns; /* utf8 */
  GPtrArray *rows;    /* GPtrArray of utf8 cells */
} Table;

typedef struct
{
  StriaFacts *facts;
  guint32 segment;
  Table tables[N_TABLES];
} Database;

static void
table_clear (Table *table)
{
  g_clear_pointer (&table->columns, g_ptr_array_unref);
  g_clear_pointer (&table->rows, g_ptr_array_unref);
}

/* Cells between tabs, without the white space around them. */
static GPtrArray *
split_row (const char *line, gboolean any_space)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) parts = g_strsplit_set (line, any_space ? " \t" : "\t", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (!any_space || *parts[i] != '\0')
      g_ptr_array_add (cells, g_strdup (g_strstrip (parts[i])));
  return cells;
}

static int
column_of (const Table *table, const char *name)
{
  for (guint c = 0; table->columns != NULL && c < table->columns->len; c++)
    if (g_str_equal (table->columns->pdata[c], name))
      return (int)c;
  return -1;
}

static const char *
cell_at (const Table *table, guint row, int column)
{
  GPtrArray *cells = table->rows->pdata[row];

  return column >= 0 && (guint)column < cells->len ? cells->pdata[column] : "";
}

/* Items of a list cell: between semicolons that stand in no quotes and no brackets. A cell that
 * does not end in a semicolon is one value. */
static GPtrArray *
split_list (const char *cell)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_free);
  const char *begin = cell;
  gsize length = strlen (cell);
  gboolean quoted = FALSE;
  int depth = 0;

  if (length == 0)
    return items;
  if (cell[length - 1] != ';')
    {
      g_ptr_array_add (items, g_strdup (cell));
      return items;
    }
  for (const char *at = cell; *at != '\0'; at++)
    {
      if (quoted && *at == '\\' && at[1] != '\0')
        at++;
      else if (*at == '"')
        quoted = !quoted;
      else if (!quoted && (*at == '{' || *at == '['))
        depth++;
      else if (!quoted && (*at == '}' || *at == ']'))
        depth = MAX (depth - 1, 0);
      else if (!quoted && depth == 0 && *at == ';')
        {
          char *item = g_strstrip (g_strndup (begin, (gsize)(at - begin)));
          if (*item != '\0')
            g_ptr_array_add (items, item);
          else
            g_free (item);
          begin = at + 1;
        }
    }
  return items;
}

static gboolean
read_tables (Database *self, const char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint table = 0;
  gsize n_rows = 0;

  for (guint l = 0; lines[l] != NULL; l++)
    {
      char *line = lines[l];
      gsize length = strlen (line);

      if (length > 0 && line[length - 1] == '\r')
        line[--length] = '\0';
      if (g_str_equal (line, "----"))
        {
          table++;
          continue;
        }
      if (table >= N_TABLES || *line == '\0')
        continue;
      if (self->tables[table].columns == NULL)
        {
          self->tables[table].columns = split_row (line, strchr (line, '\t') == NULL);
          self->tables[table].rows
              = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
          continue;
        }
      if (++n_rows > MAX_ROWS)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_LIMIT,
                       _ ("debug_database: more than %d rows"), MAX_ROWS);
          return FALSE;
        }
      g_ptr_array_add (self->tables[table].rows, split_row (line, FALSE));
    }
  if (table + 1 < N_TABLES)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("debug_database: expected %d tables, found %u"), N_TABLES, table + 1);
      return FALSE;
    }
  for (guint t = 0; t < N_TABLES; t++)
    if (self->tables[t].rows == NULL)
      {
        self->tables[t].columns = g_ptr_array_new_with_free_func (g_free);
        self->tables[t].rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
      }
  return TRUE;
}

/* Fused operations of chains, TOSA operations of fused ones, labels. */
static void
add_relations (Database *self)
{
  const Table *chains = &self->tables[TABLE_CHAINS], *fused = &self->tables[TABLE_FUSED_OPS];
  const Table *tosa = &self->tables[TABLE_TOSA_OPS];
  g_autoptr (GHashTable) types = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  int id = column_of (chains, "id"), list = column_of (chains, "fused_op_ids");

  for (guint r = 0; r < chains->rows->len; r++)
    {
      g_autoptr (GPtrArray) items = split_list (cell_at (chains, r, list));
      for (guint i = 0; *cell_at (chains, r, id) != '\0' && i < items->len; i++)
        {
          StriaNxFusedRow row
              = { self->segment, stria_facts_intern (self->facts, cell_at (chains, r, id), -1),
                  stria_facts_intern (self->facts, items->pdata[i], -1) };
          stria_facts_add (self->facts, STRIA_TABLE_NX_FUSED, &row);
        }
    }

  int tosa_id = column_of (tosa, "id"), type = column_of (tosa, "tosa_op");
  int labels = column_of (tosa, "api_labels");
  for (guint r = 0; r < tosa->rows->len; r++)
    {
      const char *name = cell_at (tosa, r, tosa_id);
      if (*name == '\0')
        continue;
      g_hash_table_replace (types, (gpointer)name, (gpointer)cell_at (tosa, r, type));
      g_autoptr (GPtrArray) items = split_list (cell_at (tosa, r, labels));
      for (guint i = 0; i < items->len; i++)
        {
          StriaNxLabelRow row = { self->segment, stria_facts_intern (self->facts, name, -1),
                                  stria_facts_intern (self->facts, items->pdata[i], -1) };
          stria_facts_add (self->facts, STRIA_TABLE_NX_LABEL, &row);
        }
    }

  id = column_of (fused, "id");
  list = column_of (fused, "tosa_op_ids");
  for (guint r = 0; r < fused->rows->len; r++)
    {
      g_autoptr (GPtrArray) items = split_list (cell_at (fused, r, list));
      for (guint i = 0; *cell_at (fused, r, id) != '\0' && i < items->len; i++)
        {
          const char *known = g_hash_table_lookup (types, items->pdata[i]);
          gpointer key;
          StriaNxTosaRow row
              = { self->segment, stria_facts_intern (self->facts, cell_at (fused, r, id), -1),
                  stria_facts_intern (self->facts, items->pdata[i], -1),
                  stria_facts_intern (self->facts, known, -1) };
          stria_facts_add (self->facts, STRIA_TABLE_NX_TOSA, &row);
          if (g_hash_table_lookup_extended (types, items->pdata[i], &key, NULL))
            g_hash_table_add (used, key);
        }
    }
  /* Operations that no fused one names stay, without one. */
  for (guint r = 0; r < tosa->rows->len; r++)
    {
      const char *name = cell_at (tosa, r, tosa_id);
      if (*name == '\0' || g_hash_table_contains (used, name))
        continue;
      StriaNxTosaRow row = { self->segment, 0, stria_facts_intern (self->facts, name, -1),
                             stria_facts_intern (self->facts, cell_at (tosa, r, type), -1) };
      stria_facts_add (self->facts, STRIA_TABLE_NX_TOSA, &row);
    }
}

/* The one item of a cell. FALSE: there are several. */
static gboolean
only_item (Database *self,
           const char *cell,
           const char *what,
           const char *stripe,
           guint32 *string,
           GError **error)
{
  g_autoptr (GPtrArray) items = split_list (cell);

  *string = items->len > 0 ? stria_facts_intern (self->facts, items->pdata[0], -1) : 0;
  if (items->len <= 1)
    return TRUE;
  g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
               /* Translators: chain or cascade; a number */
               _ ("debug_database: expected one %s of stripe operation %s, found %u"), what, stripe,
               items->len);
  return FALSE;
}

/* Stripe index -> stripe operation -> chain and cascade. */
static gboolean
relate_stripes (Database *self, GHashTable *relations, GError **error)
{
  const Table *ops = &self->tables[TABLE_STRIPE_OPS];
  const Table *indexes = &self->tables[TABLE_STRIPE_INDEXES];
  g_autoptr (GHashTable) row_of = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) op_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  int id = column_of (ops, "id"), chain = column_of (ops, "op_id");
  int cascade = column_of (ops, "cascade_op_id");
  GHashTableIter iter;
  gpointer stripe, op;

  for (guint r = 0; r < ops->rows->len; r++)
    if (*cell_at (ops, r, id) != '\0')
      g_hash_table_replace (row_of, (gpointer)cell_at (ops, r, id), GUINT_TO_POINTER (r + 1));

  id = column_of (indexes, "id");
  int op_column = column_of (indexes, "stripe_op_id");
  int list = column_of (indexes, "stripe_op_indexs");
  for (guint r = 0; r < indexes->rows->len; r++)
    {
      g_autoptr (GPtrArray) items = split_list (cell_at (indexes, r, op_column));
      if (*cell_at (indexes, r, id) != '\0' && items->len > 0)
        g_hash_table_replace (op_of, g_strdup (cell_at (indexes, r, id)),
                              g_strdup (items->pdata[0]));
    }
  for (guint r = 0; r < indexes->rows->len; r++)
    {
      g_autoptr (GPtrArray) items = split_list (cell_at (indexes, r, list));
      for (guint i = 0; i < items->len; i++)
        if (!g_hash_table_contains (op_of, items->pdata[i]))
          g_hash_table_insert (op_of, g_strdup (items->pdata[i]), g_strdup (items->pdata[i]));
    }
  g_hash_table_iter_init (&iter, op_of);
  while (g_hash_table_iter_next (&iter, &stripe, &op))
    {
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (row_of, op));
      StriaNxRelation relation = { 0, 0 };

      if (row == 0)
        continue;
      if (!only_item (self, cell_at (ops, row - 1, chain), _ ("chain"), op, &relation.chain, error)
          || !only_item (self, cell_at (ops, row - 1, cascade), _ ("cascade"), op,
                         &relation.cascade, error))
        return FALSE;
      g_hash_table_insert (relations, g_strdup (stripe), g_memdup2 (&relation, sizeof relation));
    }
  return TRUE;
}

GHashTable *
stria_nx_parse_database (
    StriaFacts *facts, guint32 segment, const guint8 *text, gsize length, GError **error)
{
  Database self = { .facts = facts, .segment = segment };
  g_autoptr (GHashTable) relations
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint32 frame[3];
  gboolean ok;

  if (length >= 12)
    {
      memcpy (frame, text, sizeof frame);
      if (GUINT32_FROM_LE (frame[0]) == DATABASE_MAGIC)
        {
          if (GUINT32_FROM_LE (frame[1]) != 1 || GUINT32_FROM_LE (frame[2]) != length - 12)
            {
              g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                           _ ("debug_database: expected a frame of version 1 with %zu bytes, found "
                              "version %u with %u"),
                           length - 12, GUINT32_FROM_LE (frame[1]), GUINT32_FROM_LE (frame[2]));
              return NULL;
            }
          text += 12;
          length -= 12;
        }
    }
  while (length > 0 && text[length - 1] == 0)
    length--;
  if (!g_utf8_validate_len ((const char *)text, length, NULL))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_MALFORMED,
                   _ ("debug_database: expected text in UTF-8"));
      return NULL;
    }
  g_autofree char *copy = g_strndup ((const char *)text, length);
  ok = read_tables (&self, copy, error) && relate_stripes (&self, relations, error);
  if (ok)
    add_relations (&self);
  for (guint t = 0; t < N_TABLES; t++)
    table_clear (&self.tables[t]);
  return ok ? g_steal_pointer (&relations) : NULL;
}
