/* SPDX-License-Identifier: Apache-2.0 */
/* The tree that an export brings along: rows of FrameworkNode. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-operators-private.h"

#define MAX_ROWS 1000000

enum
{
  C_NAME,
  C_PARENT,
  C_START,
  C_END,
  C_INTERVALS,
  N_KEYS,
};
static const char *const keys[N_KEYS]
    = { "node_name", "parent_name", "start_ts", "end_ts", "time_intervals" };

static const struct
{
  const char *column;
  StriaOperatorFigure figure;
  gboolean is_percent;
} figures[] = {
  { "mfu", STRIA_OPERATOR_MFU, TRUE },
  { "hfu", STRIA_OPERATOR_HFU, TRUE },
  { "hbm_read_bytes", STRIA_OPERATOR_HBM_READ, FALSE },
  { "hbm_write_bytes", STRIA_OPERATOR_HBM_WRITE, FALSE },
  { "sbuf_read_bytes", STRIA_OPERATOR_SBUF_READ, FALSE },
  { "sbuf_write_bytes", STRIA_OPERATOR_SBUF_WRITE, FALSE },
  { "load_weight_bytes", STRIA_OPERATOR_WEIGHTS, FALSE },
  { "tensor_engine_instruction_count", STRIA_OPERATOR_N_TENSOR, FALSE },
  { "vector_engine_instruction_count", STRIA_OPERATOR_N_VECTOR, FALSE },
  { "scalar_engine_instruction_count", STRIA_OPERATOR_N_SCALAR, FALSE },
  { "gpsimd_engine_instruction_count", STRIA_OPERATOR_N_GPSIMD, FALSE },
  { "sync_engine_instruction_count", STRIA_OPERATOR_N_SYNC, FALSE },
  { "total_channels_scalar", STRIA_OPERATOR_CHANNELS_SCALAR, FALSE },
  { "total_channels_vector", STRIA_OPERATOR_CHANNELS_VECTOR, FALSE },
};
static const char *const periods[STRIA_N_OPERATOR_ENGINES]
    = { "total_time_tensor", "total_time_vector", "total_time_scalar", "total_time_gpsimd",
        "total_time_sync" };

/* A row as it was read */
typedef struct
{
  char *name;
  char *parent;
  gint64 start;
  gint64 end;
  guint32 above; /* row, G_MAXUINT32: none */
  guint32 node;  /* 0: not placed yet */
  guint32 depth;
  OperatorNode figures;
} Row;

static void
clear_row (gpointer data)
{
  Row *row = data;

  g_free (row->name);
  g_free (row->parent);
  stria_span_union_clear (&row->figures.busy);
}

/* "[[1, 2], [5, 9]]", and "[1, 2]" as well */
static gint64
read_spans (OperatorNode *node, const char *text)
{
  gint64 pair[2] = { 0, 0 }, last = G_MININT64;
  guint n = 0;

  while (*text != '\0')
    {
      char *end;
      gint64 value;

      if (*text != '-' && !g_ascii_isdigit (*text))
        {
          text++;
          continue;
        }
      value = g_ascii_strtoll (text, &end, 10);
      if (end == text)
        break;
      text = end;
      /* Fractions of a nanosecond */
      if (*text == '.')
        text += 1 + strspn (text + 1, "0123456789");
      pair[n++ & 1] = value;
      if ((n & 1) == 0 && pair[1] >= pair[0])
        {
          stria_span_union_add (&node->busy, pair[0], pair[1] - pair[0]);
          last = pair[1];
        }
    }
  return last;
}

static char *
dup_text (const StriaColumnChunk *chunk, StriaCellType type, guint32 row)
{
  guint32 length;
  const char *text;

  if (chunk == NULL || type != STRIA_CELL_TEXT || !stria_column_data_has (&chunk->data, row))
    return g_strdup ("");
  text = stria_column_data_text (&chunk->data, row, &length);
  return g_strndup (text, length);
}

static gboolean
get_number (const StriaColumnChunk *chunk, StriaCellType type, guint32 row, double *value)
{
  if (chunk == NULL || type == STRIA_CELL_TEXT || !stria_column_data_has (&chunk->data, row))
    return FALSE;
  *value = type == STRIA_CELL_REAL ? chunk->data.reals[row] : (double) chunk->data.ints[row];
  return TRUE;
}

typedef struct
{
  StriaTable *table;
  guint32 chunk;
  GError **error;
  gboolean failed;
  StriaCellType type;
} Reading;

static StriaColumnChunk *
load (Reading *self, const char *name)
{
  const int column = stria_table_find_column (self->table, name);
  StriaColumnChunk *chunk;

  if (column < 0 || self->failed)
    return NULL;
  self->type = stria_table_get_column (self->table, (guint) column)->type;
  chunk = stria_table_load (self->table, (guint) column, self->chunk, self->error);
  self->failed = chunk == NULL;
  return chunk;
}

static void
read_keys (Reading *reading, guint key, Row *rows, guint32 n)
{
  StriaColumnChunk *chunk = load (reading, keys[key]);
  double value;

  for (guint32 i = 0; i < n; i++)
    switch (key)
      {
      case C_NAME:
        rows[i].name = dup_text (chunk, reading->type, i);
        break;
      case C_PARENT:
        rows[i].parent = dup_text (chunk, reading->type, i);
        break;
      case C_INTERVALS:
        {
          g_autofree char *text = dup_text (chunk, reading->type, i);

          read_spans (&rows[i].figures, text);
          break;
        }
      case C_START:
      case C_END:
      default:
        if (get_number (chunk, reading->type, i, &value))
          *(key == C_START ? &rows[i].start : &rows[i].end)
              = reading->type == STRIA_CELL_REAL ? (gint64) CLAMP (value, -9e18, 9e18)
                                                 : chunk->data.ints[i];
        break;
      }
  g_clear_pointer (&chunk, stria_column_chunk_free);
}

static void
read_figures (Reading *reading, Row *rows, guint32 n)
{
  double value;

  for (guint f = 0; f < G_N_ELEMENTS (figures); f++)
    {
      StriaColumnChunk *chunk = load (reading, figures[f].column);

      for (guint32 i = 0; i < n; i++)
        if (get_number (chunk, reading->type, i, &value))
          {
            rows[i].figures.sums[figures[f].figure] = figures[f].is_percent ? value / 100 : value;
            rows[i].figures.has |= 1u << figures[f].figure;
          }
      g_clear_pointer (&chunk, stria_column_chunk_free);
    }
  for (guint e = 0; e < STRIA_N_OPERATOR_ENGINES; e++)
    {
      StriaColumnChunk *chunk = load (reading, periods[e]);

      for (guint32 i = 0; i < n; i++)
        {
          g_autofree char *text = dup_text (chunk, reading->type, i);
          OperatorNode span = { 0 };
          const gint64 end = read_spans (&span, text);

          if (span.busy.spans != NULL && span.busy.spans->len > 0)
            {
              rows[i].figures.period[e][1] = end;
              rows[i].figures.period[e][0] = end - (gint64) stria_span_union_ns (&span.busy);
              rows[i].figures.has |= 1u << (STRIA_OPERATOR_PERIOD_TENSOR + e);
            }
          stria_span_union_clear (&span.busy);
        }
      g_clear_pointer (&chunk, stria_column_chunk_free);
    }
}

static gboolean
read_table (StriaTable *table, GArray *rows, GCancellable *cancellable, GError **error)
{
  for (guint32 c = 0; c < stria_table_get_n_chunks (table) && rows->len < MAX_ROWS; c++)
    {
      const guint32 n = stria_table_get_chunk_rows (table, c);
      const guint before = rows->len;
      Reading reading = { .table = table, .chunk = c, .error = error };
      Row *added;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_array_set_size (rows, before + n);
      added = &g_array_index (rows, Row, before);
      for (guint32 i = 0; i < n; i++)
        {
          added[i].above = G_MAXUINT32;
          for (guint e = 0; e < STRIA_N_OPERATOR_ENGINES; e++)
            {
              added[i].figures.period[e][0] = G_MAXINT64;
              added[i].figures.period[e][1] = G_MININT64;
            }
        }
      for (guint k = 0; k < N_KEYS; k++)
        read_keys (&reading, k, added, n);
      read_figures (&reading, added, n);
      if (reading.failed)
        return FALSE;
    }
  return TRUE;
}

/* Rows name what they lie below, but names repeat: of those of that name, the one that lasts least
 * and holds the row's time. */
static void
find_parents (GArray *rows)
{
  g_autoptr (GHashTable) by_name
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);

  for (guint32 i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      GArray *same = g_hash_table_lookup (by_name, row->name);

      if (same == NULL)
        {
          same = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (by_name, row->name, same);
        }
      g_array_append_val (same, i);
    }
  for (guint32 i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);
      GArray *same = *row->parent != '\0' ? g_hash_table_lookup (by_name, row->parent) : NULL;
      gint64 least = G_MAXINT64;

      for (guint k = 0; same != NULL && k < same->len; k++)
        {
          const guint32 other = g_array_index (same, guint32, k);
          const Row *above = &g_array_index (rows, Row, other);

          if (other != i && above->start <= row->start && above->end >= row->end
              && above->end - above->start < least)
            {
              least = above->end - above->start;
              row->above = other;
            }
        }
    }
}

/* What is above comes first; rows that name each other have no beginning, and hang at the root. */
static guint32
place (OperatorMaking *self, GArray *rows, guint32 number, guint depth)
{
  Row *row = &g_array_index (rows, Row, number);
  guint32 above = 0, node;
  OperatorNode *made;

  if (row->node != 0)
    return row->node;
  if (row->above != G_MAXUINT32 && depth < STRIA_OPERATORS_MAX_DEPTH && row->depth == 0)
    {
      row->depth = 1;
      above = place (self, rows, row->above, depth + 1);
      if (row->node != 0)
        return row->node;
    }
  node = stria_operators_child (
      self, above,
      stria_operators_intern (self, *row->name != '\0' ? row->name : _ ("(no name)"), -1));
  row->node = node;
  made = &g_array_index (self->nodes, OperatorNode, node);
  made->n_own++;
  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    made->sums[f] += row->figures.sums[f];
  made->has |= row->figures.has;
  memcpy (made->period, row->figures.period, sizeof made->period);
  stria_operators_span (made, row->start, row->end);
  if (row->figures.busy.spans == NULL && row->end >= row->start)
    stria_span_union_add (&row->figures.busy, row->start, row->end - row->start);
  stria_span_union_take (&made->busy, &row->figures.busy);
  return node;
}

gboolean
stria_operators_make_nodes (OperatorMaking *self, GError **error)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (self->capture);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (Row));

  g_array_set_clear_func (rows, clear_row);
  for (guint i = 0; i < tables->len; i++)
    if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), "FrameworkNode") == 0
        && !read_table (tables->pdata[i], rows, self->cancellable, error))
      return FALSE;
  find_parents (rows);
  for (guint32 i = 0; i < rows->len; i++)
    place (self, rows, i, 0);

  for (guint32 i = self->nodes->len; i-- > 0;)
    {
      OperatorNode *node = &g_array_index (self->nodes, OperatorNode, i);
      OperatorNode *parent
          = i > 0 ? &g_array_index (self->nodes, OperatorNode, node->parent) : NULL;

      node->sums[STRIA_OPERATOR_TOTAL] = stria_span_union_ns (&node->busy);
      node->has |= 1u << STRIA_OPERATOR_TOTAL | 1u << STRIA_OPERATOR_SHARE;
      /* Shares of several rows of one path cannot be put together. */
      if (node->n_own > 1)
        node->has &= ~(1u << STRIA_OPERATOR_MFU | 1u << STRIA_OPERATOR_HFU);
      node->n_own = 0;
      if (parent == NULL)
        continue;
      stria_operators_span (parent, node->start_ns, node->end_ns);
      if (node->parent == 0)
        stria_span_union_take (&parent->busy, &node->busy);
    }
  self->tree->reasons[STRIA_OPERATOR_FLOPS]
      = N_ ("Not available because FrameworkNode has no FLOPs; the arrangement by framework layer "
            "makes them from instructions");
  return TRUE;
}
