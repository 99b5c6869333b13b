/* SPDX-License-Identifier: Apache-2.0 */
/* Where colourings get their keys from: columns of tables by the names of the published schema, and
 * in traces of PyTorch the operator whose id an event bears. */
#include "config.h"

#include "stria-coloring-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-sort.h"

/* Columns in the order in which they are asked; of two, the second where the first says nothing. */
static const char *const columns_of[STRIA_COLOR_N_BY][5] = {
  [STRIA_COLOR_BY_OPERATOR] = { "layer", "framework_name", "hlo_name", NULL },
  [STRIA_COLOR_BY_LAYER] = { "layer", "framework_name", NULL },
  [STRIA_COLOR_BY_OPCODE] = { "opcode", "compiler_opcode", "op", "operation", NULL },
  [STRIA_COLOR_BY_STALL] = { "evt_wait_time_ns", NULL },
};

/* The columns that say what a table's rows are coloured by; FALSE: none does. */
static gboolean
find_columns (StriaTable *table, StriaColorBy by, int *columns)
{
  guint n = 0;

  columns[0] = columns[1] = -1;
  for (guint i = 0; columns_of[by][i] != NULL && n < 2; i++)
    {
      const int column = stria_table_find_column (table, columns_of[by][i]);

      if (column >= 0
          && (stria_table_get_column (table, (guint) column)->type == STRIA_CELL_TEXT)
                 == (by != STRIA_COLOR_BY_STALL))
        columns[n++] = column;
    }
  if (by == STRIA_COLOR_BY_STALL && n > 0)
    {
      columns[1] = stria_table_find_column (table, "duration_ns");
      return columns[1] >= 0
             && stria_table_get_column (table, (guint) columns[1])->type == STRIA_CELL_INT
             && stria_table_get_column (table, (guint) columns[0])->type == STRIA_CELL_INT;
    }
  return n > 0;
}

void
stria_coloring_source_free (gpointer data)
{
  ColorSource *source = data;

  stria_table_unref (source->table);
  g_free (source->keys);
  g_free (source);
}

/* Finds the table of each lane that has what it takes. */
void
stria_coloring_find_sources (StriaColoring *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      StriaTable *table
          = stria_lane_find_table (stria_trace_get_lane (self->trace, i), self->trace);
      ColorSource *source = table != NULL ? g_hash_table_lookup (known, table) : NULL;
      int columns[2];

      if (table == NULL)
        continue;
      if (source == NULL && find_columns (table, self->by, columns))
        {
          source = g_new0 (ColorSource, 1);
          source->table = stria_table_ref (table);
          source->n_rows = stria_table_get_n_rows (table);
          memcpy (source->columns, columns, sizeof columns);
          g_ptr_array_add (self->sources, source);
          g_hash_table_insert (known, table, source);
        }
      self->lane_source[i] = source;
    }
}

/* Keys of the texts of one column of a chunk, each text looked at once. */
static void
text_keys (StriaColoring *self, const StriaColumnChunk *chunk, guint32 *keys)
{
  const StriaColumnData *data = &chunk->data;
  g_autofree guint32 *of_text = g_new (guint32, data->n_texts + 1);

  for (guint32 i = 0; i < data->n_texts; i++)
    {
      const char *text = data->bytes != NULL ? data->bytes + data->offsets[i] : "";
      gsize length = data->offsets[i + 1] - data->offsets[i];

      if (self->by == STRIA_COLOR_BY_LAYER)
        length = stria_coloring_layer (text, length, self->depth);
      else if (self->by == STRIA_COLOR_BY_OPERATOR)
        text = stria_coloring_operator (text, &length);
      of_text[i] = stria_coloring_key_for (self, text, length);
    }
  for (guint32 row = 0; row < chunk->n_rows; row++)
    if (keys[row] == STRIA_COLOR_KEY_NONE && stria_column_data_has (data, row))
      keys[row] = of_text[data->index != NULL ? data->index[row] : row];
}

static void
stall_keys (const StriaColumnChunk *wait, const StriaColumnChunk *duration, guint32 *keys)
{
  for (guint32 row = 0; row < wait->n_rows; row++)
    if (stria_column_data_has (&wait->data, row) && stria_column_data_has (&duration->data, row))
      keys[row] = stria_coloring_stall (wait->data.ints[row], duration->data.ints[row]);
}

static gboolean
load_source (StriaColoring *self, ColorSource *source, GCancellable *cancellable, GError **error)
{
  g_autofree guint32 *keys = g_new0 (guint32, source->n_rows + 1);
  guint64 first = 0;

  for (guint32 c = 0; c < stria_table_get_n_chunks (source->table); c++)
    {
      g_autoptr (StriaColumnChunk) one = NULL;
      g_autoptr (StriaColumnChunk) two = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      one = stria_table_load (source->table, (guint) source->columns[0], c, error);
      if (one == NULL)
        return FALSE;
      if (source->columns[1] >= 0)
        {
          two = stria_table_load (source->table, (guint) source->columns[1], c, error);
          if (two == NULL)
            return FALSE;
        }
      if (first + one->n_rows > source->n_rows)
        break;
      if (self->by == STRIA_COLOR_BY_STALL)
        stall_keys (one, two, keys + first);
      else
        {
          text_keys (self, one, keys + first);
          if (two != NULL)
            text_keys (self, two, keys + first);
        }
      first += one->n_rows;
    }
  g_atomic_pointer_set (&source->keys, g_steal_pointer (&keys));
  return TRUE;
}

/* -- operators of PyTorch ---------------------------------------------------------------------- */

static gboolean
is_operator (StriaTrace *trace, guint16 category)
{
  const char *name = stria_trace_get_category (trace, category);

  return g_str_equal (name, "cpu_op") || g_str_equal (name, "Operator");
}

/* The operators by the id that they and what they launched bear. Loads all lanes that have ids. */
static gboolean
gather_operators (StriaColoring *self, GArray *pairs, GCancellable *cancellable, GError **error)
{
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      StriaLane *lane = stria_trace_get_lane (self->trace, i);
      const StriaColumns *c = NULL;

      if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER || self->lane_source[i] != NULL)
        continue;
      if (!stria_lane_load (lane, cancellable, error))
        return FALSE;
      c = stria_lane_get_columns (lane);
      for (guint64 e = 0; c->external != NULL && e < c->n; e++)
        if (c->external[e] != 0 && is_operator (self->trace, c->category[e]))
          {
            const StriaSortPair pair = { c->external[e], c->name[e] };

            g_array_append_val (pairs, pair);
          }
    }
  return TRUE;
}

static guint32
find_operator (const StriaSortPair *pairs, gsize n, guint64 id)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;

      if (pairs[middle].key < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low < n && pairs[low].key == id ? pairs[low].value : G_MAXUINT32;
}

static gboolean
load_operators (StriaColoring *self, GFunc progress, gpointer user_data, GCancellable *cancellable,
                GError **error)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (StriaSortPair));
  g_autoptr (GHashTable) by_name = g_hash_table_new (NULL, NULL);

  if (!gather_operators (self, pairs, cancellable, error))
    return FALSE;
  if (pairs->len == 0)
    return TRUE;
  stria_sort_pairs ((StriaSortPair *) (gpointer) pairs->data, pairs->len);
  for (guint32 i = 0; i < self->n_lanes; i++)
    {
      const StriaColumns *c = stria_lane_get_columns (stria_trace_get_lane (self->trace, i));
      guint32 *keys = NULL;

      if (c == NULL || c->external == NULL || self->lane_source[i] != NULL)
        continue;
      keys = g_new0 (guint32, c->n + 1);
      for (guint64 e = 0; e < c->n; e++)
        {
          const guint32 name
              = c->external[e] != 0
                    ? find_operator ((const StriaSortPair *) (gpointer) pairs->data, pairs->len,
                                     c->external[e])
                    : G_MAXUINT32;
          gpointer key = NULL;

          if (name == G_MAXUINT32)
            continue;
          if (!g_hash_table_lookup_extended (by_name, GUINT_TO_POINTER (name), NULL, &key))
            {
              const char *text = stria_trace_get_string (self->trace, name);

              key = GUINT_TO_POINTER (stria_coloring_key_for (self, text, strlen (text)));
              g_hash_table_insert (by_name, GUINT_TO_POINTER (name), key);
            }
          keys[e] = GPOINTER_TO_UINT (key);
        }
      g_atomic_pointer_set (&self->lane_events[i], keys);
    }
  if (progress != NULL)
    progress (self, user_data);
  return TRUE;
}

/**
 * stria_coloring_load:
 * @progress: (nullable) (scope call): called on this thread with the colouring and @user_data
 *
 * Returns: %FALSE with @error if something could not be read, or it was cancelled
 */
gboolean
stria_coloring_load (StriaColoring *self, GFunc progress, gpointer user_data,
                     GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < self->sources->len; i++)
    {
      if (!load_source (self, g_ptr_array_index (self->sources, i), cancellable, error))
        return FALSE;
      if (progress != NULL)
        progress (self, user_data);
    }
  if (self->by == STRIA_COLOR_BY_OPERATOR
      && !load_operators (self, progress, user_data, cancellable, error))
    return FALSE;
  g_atomic_int_set (&self->loaded, TRUE);
  return TRUE;
}

static gboolean
has_table (StriaTrace *trace, StriaColorBy by)
{
  int columns[2];

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaTable *table = stria_lane_find_table (stria_trace_get_lane (trace, i), trace);

      if (table != NULL && find_columns (table, by, columns))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_operators (StriaTrace *trace)
{
  for (guint32 i = 0; i < stria_trace_get_n_categories (trace); i++)
    if (is_operator (trace, (guint16) i))
      return TRUE;
  return FALSE;
}

gboolean
stria_coloring_applies (StriaTrace *trace, StriaColorBy by, const char **why)
{
  const char *reason = NULL;
  gboolean applies = TRUE;

  switch (by)
    {
    case STRIA_COLOR_BY_OPERATOR:
      applies = has_table (trace, by) || has_operators (trace);
      reason = _ ("No event says the operator that it belongs to");
      break;
    case STRIA_COLOR_BY_LAYER:
      applies = has_table (trace, by);
      reason = _ ("No event says the layer that it belongs to: the debug information of a compiled "
                  "program brings it");
      break;
    case STRIA_COLOR_BY_OPCODE:
      applies = has_table (trace, by);
      reason = _ ("No lane is of instructions or transfers");
      break;
    case STRIA_COLOR_BY_STALL:
      applies = has_table (trace, by);
      reason = _ ("No instruction says how long it waited");
      break;
    case STRIA_COLOR_BY_NAME:
    case STRIA_COLOR_BY_LANE:
    case STRIA_COLOR_BY_CATEGORY:
    case STRIA_COLOR_N_BY:
    default:
      break;
    }
  if (why != NULL)
    *why = applies ? NULL : reason;
  return applies;
}
