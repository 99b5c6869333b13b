/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-lane-class.h"
#include "stria-table.h"
#include "stria-trace-private.h"
#include "stria-transfers.h"

const char *const stria_categories_kernel[]
    = { "kernel", "concurrent_kernel", "Kernel", "gpu_kernel", NULL };
const char *const stria_categories_copy[]
    = { "gpu_memcpy", "gpu_memset", "Memcpy", "Memset", NULL };
const char *const stria_categories_runtime[]
    = { "cuda_runtime", "cuda_driver", "hip_runtime", "hip_driver", "xpu_runtime", "mtia_runtime",
        "privateuse1_runtime", "privateuse1_driver", "Runtime", NULL };

void
stria_trace_flag_categories (StriaTrace *trace, const char *const *names, guint8 flag,
                             guint8 *flags)
{
  for (guint32 i = 0; i < stria_trace_get_n_categories (trace); i++)
    if (g_strv_contains (names, stria_trace_get_category (trace, i)))
      flags[i] |= flag;
}

StriaTable *
stria_trace_table_of (StriaTrace *trace, StriaLane *lane)
{
  for (guint i = 0; trace->tables != NULL && i < trace->tables->len; i++)
    {
      StriaTable *table = trace->tables->pdata[i];

      if (stria_table_get_artifact (table) == stria_lane_get_artifact (lane)
          && stria_lane_is_of_table (lane, stria_table_get_name (table)))
        return table;
    }
  return NULL;
}

GPtrArray *
stria_trace_get_tables (StriaTrace *trace)
{
  GPtrArray *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);

  for (guint i = 0; trace->tables != NULL && i < trace->tables->len; i++)
    g_ptr_array_add (tables, stria_table_ref (trace->tables->pdata[i]));
  return tables;
}

double *
stria_table_load_numbers (StriaTable *table, const char *column, GCancellable *cancellable,
                          GError **error)
{
  const int c = stria_table_find_column (table, column);
  const guint64 n = stria_table_get_n_rows (table);
  StriaCellType type;
  g_autofree double *values = NULL;
  guint64 at = 0;

  if (c < 0)
    return NULL;
  type = stria_table_get_column (table, (guint) c)->type;
  if (type == STRIA_CELL_TEXT)
    return NULL;
  values = g_new (double, MAX (n, 1));
  for (guint32 i = 0; i < stria_table_get_n_chunks (table); i++)
    {
      g_autoptr (StriaColumnChunk) chunk = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      chunk = stria_table_load (table, (guint) c, i, error);
      if (chunk == NULL)
        return NULL;
      for (guint32 row = 0; row < chunk->n_rows && at < n; row++, at++)
        if (!stria_column_data_has (&chunk->data, row))
          values[at] = NAN;
        else
          values[at] = type == STRIA_CELL_REAL ? chunk->data.reals[row]
                                               : (double) chunk->data.ints[row];
    }
  return g_steal_pointer (&values);
}

static gboolean
has_word (const char *text, gsize length, const char *word)
{
  const gsize n = strlen (word);

  for (gsize i = 0; i + n <= length; i++)
    if (g_ascii_strncasecmp (text + i, word, n) == 0)
      return TRUE;
  return FALSE;
}

/* Sets @flag in @flags of each row whose text of @column has one of the words. FALSE: there is no
 * such column, or @error */
static gboolean
flag_rows (StriaTable *table, const char *column, const char *word, const char *other, guint8 flag,
           guint8 *flags, GError **error)
{
  const int c = stria_table_find_column (table, column);
  const guint64 n = stria_table_get_n_rows (table);
  guint64 at = 0;

  if (c < 0 || stria_table_get_column (table, (guint) c)->type != STRIA_CELL_TEXT)
    return FALSE;
  for (guint32 i = 0; i < stria_table_get_n_chunks (table); i++)
    {
      g_autoptr (StriaColumnChunk) chunk = stria_table_load (table, (guint) c, i, error);

      if (chunk == NULL)
        return FALSE;
      for (guint32 row = 0; row < chunk->n_rows && at < n; row++, at++)
        {
          guint32 length = 0;
          const char *text = stria_column_data_has (&chunk->data, row)
                                 ? stria_column_data_text (&chunk->data, row, &length)
                                 : "";

          if (has_word (text, length, word) && (other == NULL || has_word (text, length, other)))
            flags[at] |= flag;
        }
    }
  return TRUE;
}

/* What is known of the rows of one table */
typedef struct
{
  StriaTable *table;
  double     *bytes; /* NULL: there is no such column */
  guint8     *flags;
  gboolean    has_types;
  gboolean    has_ends;
} Rows;

static void
rows_clear (gpointer data)
{
  Rows *self = data;

  g_free (self->bytes);
  g_free (self->flags);
}

static Rows *
rows_of (GArray *known, StriaTable *table, GCancellable *cancellable, GError **error)
{
  Rows rows = { .table = table };
  GError *inner = NULL;

  for (guint i = 0; i < known->len; i++)
    if (g_array_index (known, Rows, i).table == table)
      return &g_array_index (known, Rows, i);
  rows.bytes = stria_table_load_numbers (table, "transfer_bytes", cancellable, &inner);
  rows.flags = g_new0 (guint8, MAX (stria_table_get_n_rows (table), 1));
  /* A spill's other end is in memory that the schema calls VIRTUAL (documented). */
  if (inner == NULL)
    rows.has_ends = flag_rows (table, "dest", "VIRTUAL", NULL, STRIA_TRANSFER_SPILL_SAVE,
                               rows.flags, &inner);
  if (inner == NULL)
    flag_rows (table, "source", "VIRTUAL", NULL, STRIA_TRANSFER_SPILL_RELOAD, rows.flags, &inner);
  if (inner == NULL)
    rows.has_types = flag_rows (table, "queue_type", "dynamic", "hardware",
                                STRIA_TRANSFER_DYNAMIC_HARDWARE, rows.flags, &inner);
  if (inner != NULL)
    {
      rows_clear (&rows);
      g_propagate_error (error, inner);
      return NULL;
    }
  g_array_append_val (known, rows);
  return &g_array_index (known, Rows, known->len - 1);
}

static gboolean
add_dma (GArray *transfers, StriaTrace *trace, guint32 number, GArray *known,
         GCancellable *cancellable, GError **error)
{
  StriaLane *lane = stria_trace_get_lane (trace, number);
  StriaTable *table = stria_trace_table_of (trace, lane);
  const char *name = stria_lane_get_name (lane);
  const Rows *rows = NULL;
  const StriaColumns *columns;
  guint lane_flags = 0;

  if (table == NULL)
    return TRUE;
  rows = rows_of (known, table, cancellable, error);
  if (rows == NULL || !stria_lane_load (lane, cancellable, error))
    return FALSE;
  columns = stria_lane_get_columns (lane);
  if (columns->dur == NULL)
    return TRUE;
  /* Queues are named after what they are for (documented in pictures). */
  if (!rows->has_ends && strstr (name, "SpillReload") != NULL)
    lane_flags |= STRIA_TRANSFER_SPILL_SAVE | STRIA_TRANSFER_SPILL_RELOAD;
  if (!rows->has_types && strstr (name, "DynamicHW") != NULL)
    lane_flags |= STRIA_TRANSFER_DYNAMIC_HARDWARE;
  for (guint64 i = 0; i < columns->n; i++)
    {
      const guint32 row = columns->seq[i];
      StriaTransfer transfer = { .start = columns->start[i],
                                 .end = columns->start[i] + columns->dur[i],
                                 .bytes = -1,
                                 .process = stria_lane_get_process (lane),
                                 .ref = { number, (guint32) i },
                                 .flags = STRIA_TRANSFER_DMA | lane_flags };

      if (row < stria_table_get_n_rows (table))
        {
          transfer.flags |= rows->flags[row];
          if (rows->bytes != NULL && rows->bytes[row] >= 0 && rows->bytes[row] < 0x1p62)
            transfer.bytes = (gint64) rows->bytes[row];
        }
      g_array_append_val (transfers, transfer);
    }
  return TRUE;
}

static gint64
bytes_of (StriaTrace *trace, StriaRef ref)
{
  g_autoptr (GBytes) args = stria_trace_get_args (trace, ref, NULL);
  gsize length = 0;
  const char *text = args != NULL ? g_bytes_get_data (args, &length) : NULL;
  const char *found = text != NULL ? g_strstr_len (text, (gssize) length, "\"bytes\"") : NULL;
  gint64 bytes = 0;
  gboolean any = FALSE;

  if (found == NULL)
    return -1;
  for (found += 7; found < text + length && (g_ascii_isspace (*found) || *found == ':'); found++)
    ;
  for (; found < text + length && g_ascii_isdigit (*found) && bytes < G_MAXINT64 / 20; found++)
    {
      bytes = bytes * 10 + (*found - '0');
      any = TRUE;
    }
  return any ? bytes : -1;
}

static gboolean
add_copies (GArray *transfers, StriaTrace *trace, guint32 number, const guint8 *categories,
            GCancellable *cancellable, GError **error)
{
  StriaLane *lane = stria_trace_get_lane (trace, number);
  const StriaColumns *columns;

  if (!stria_lane_load (lane, cancellable, error))
    return FALSE;
  columns = stria_lane_get_columns (lane);
  if (columns->dur == NULL)
    return TRUE;
  for (guint64 i = 0; i < columns->n; i++)
    if (categories[columns->category[i]] != 0)
      {
        const StriaRef ref = { number, (guint32) i };
        StriaTransfer transfer = { .start = columns->start[i],
                                   .end = columns->start[i] + columns->dur[i],
                                   .bytes = bytes_of (trace, ref),
                                   .process = stria_lane_get_process (lane),
                                   .ref = ref,
                                   .flags = STRIA_TRANSFER_COPY };
        g_array_append_val (transfers, transfer);
      }
  return TRUE;
}

static int
compare_transfers (gconstpointer a, gconstpointer b)
{
  const StriaTransfer *x = a;
  const StriaTransfer *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

GArray *
stria_transfers_new (StriaTrace *trace, GCancellable *cancellable, GError **error)
{
  const guint32 n = stria_trace_get_n_lanes (trace);
  g_autoptr (GArray) transfers = g_array_new (FALSE, FALSE, sizeof (StriaTransfer));
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Rows));
  g_autoptr (GHashTable) whole = g_hash_table_new (NULL, NULL);
  g_autofree guint8 *categories = g_new0 (guint8, stria_trace_get_n_categories (trace) + 1);
  gboolean has_copies = FALSE;

  g_array_set_clear_func (known, rows_clear);
  stria_trace_flag_categories (trace, stria_categories_copy, 1, categories);
  for (guint32 i = 0; i < stria_trace_get_n_categories (trace); i++)
    has_copies = has_copies || categories[i] != 0;
  for (guint32 i = 0; i < n; i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);

      if (stria_lane_is_of_table (lane, "DmaPacketAggregated"))
        g_hash_table_add (whole, GUINT_TO_POINTER (stria_lane_get_artifact (lane) + 1));
    }
  for (guint32 i = 0; i < n; i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      const gboolean has_whole = g_hash_table_contains (
          whole, GUINT_TO_POINTER (stria_lane_get_artifact (lane) + 1));
      gsize length = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      /* Packets are the parts of transfers: not both. */
      if (stria_lane_is_of_table (lane, has_whole ? "DmaPacketAggregated" : "DmaPacket"))
        {
          if (!add_dma (transfers, trace, i, known, cancellable, error))
            return NULL;
        }
      else if (has_copies && stria_lane_get_table (lane, &length) == NULL
               && stria_lane_get_kind (lane) != STRIA_LANE_COUNTER
               && stria_lane_get_kind (lane) != STRIA_LANE_INSTANTS
               && !add_copies (transfers, trace, i, categories, cancellable, error))
        return NULL;
    }
  g_array_sort (transfers, compare_transfers);
  return g_steal_pointer (&transfers);
}

guint
stria_transfers_from (const GArray *transfers, gint64 ns)
{
  guint low = 0;
  guint high = transfers->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (transfers, StriaTransfer, middle).start < ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
