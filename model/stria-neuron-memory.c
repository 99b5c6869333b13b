/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-memory-private.h"
#include "stria-sort.h"

static void
fullness_free (gpointer data)
{
  StriaFullness *self = data;

  g_array_unref (self->times);
  g_array_unref (self->shares);
  g_free (self);
}

static void
stack_free (gpointer data)
{
  StriaMemoryStack *self = data;

  g_free (self->title);
  g_free (self->table);
  g_free (self->unit);
  g_ptr_array_unref (self->names);
  g_array_unref (self->times);
  g_array_unref (self->values);
  g_array_unref (self->totals);
  g_free (self);
}

static void
tensor_free (gpointer data)
{
  StriaMemoryTensor *self = data;

  g_free (self->name);
  g_free (self->type);
  g_free (self->format);
  g_free (self->shape);
  g_free (self);
}

static void
memory_clear (gpointer data)
{
  StriaNeuronMemory *self = data;

  g_array_unref (self->ranges);
  g_array_unref (self->ends);
  g_ptr_array_unref (self->names);
  g_array_unref (self->pressures);
  g_ptr_array_unref (self->fullness);
  g_ptr_array_unref (self->stacks);
  g_ptr_array_unref (self->tensors);
  for (guint text = 0; text < STRIA_SBUF_N_TEXTS; text++)
    g_clear_pointer (&self->ordinals[text], g_array_unref);
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_string_chunk_free (self->chunk);
}

StriaNeuronMemory *
stria_neuron_memory_ref (StriaNeuronMemory *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
stria_neuron_memory_unref (StriaNeuronMemory *self)
{
  g_atomic_rc_box_release_full (self, memory_clear);
}

gboolean
stria_neuron_memory_has_table (GPtrArray *tables, const char *name, const char *column)
{
  for (guint i = 0; i < tables->len; i++)
    if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), name) == 0
        && stria_table_get_n_rows (tables->pdata[i]) > 0
        && (column == NULL || stria_table_find_column (tables->pdata[i], column) >= 0))
      return TRUE;
  return FALSE;
}

gboolean
stria_neuron_memory_has (GPtrArray *tables)
{
  static const char *const names[]
      = { "SbufAllocation", "SbufUsage", "PsumUsage", "TensorInfo", "HbmUsage",
          "SystemProfileHbmUsage" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (stria_neuron_memory_has_table (tables, names[i], NULL))
      return TRUE;
  return FALSE;
}

const char *
stria_neuron_memory_text (const StriaNeuronMemory *self, const StriaSbufRange *range,
                          StriaSbufText text)
{
  return self->names->pdata[range->texts[text]];
}

const StriaSbufPressure *
stria_neuron_memory_pressure (const StriaNeuronMemory *self, gint32 core, gint32 partition)
{
  for (guint i = 0; i < self->pressures->len; i++)
    {
      const StriaSbufPressure *p = &g_array_index (self->pressures, StriaSbufPressure, i);

      if (p->core == core && p->partition == partition)
        return p;
    }
  return NULL;
}

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const StriaSbufShare *p = a, *q = b;

  if (p->byte_ns != q->byte_ns)
    return p->byte_ns > q->byte_ns ? -1 : 1;
  return strcmp (p->name, q->name);
}

GArray *
stria_neuron_memory_shares (const StriaNeuronMemory *self, gint32 core, gint32 partition,
                            StriaSbufText text)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_direct_hash, g_direct_equal);
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (StriaSbufShare));

  for (guint i = 0; i < self->ranges->len; i++)
    {
      const StriaSbufRange *range = &g_array_index (self->ranges, StriaSbufRange, i);
      guint32 name = range->texts[text];
      StriaSbufShare *share;
      gpointer place;

      if (range->core != core || range->partition != partition)
        continue;
      if (name == 0 && text == STRIA_SBUF_OPCODE)
        name = range->texts[STRIA_SBUF_QUEUE];
      if (!g_hash_table_lookup_extended (known, GUINT_TO_POINTER (name), NULL, &place))
        {
          place = GUINT_TO_POINTER (shares->len);
          g_hash_table_insert (known, GUINT_TO_POINTER (name), place);
          g_array_append_vals (shares, &(StriaSbufShare){ self->names->pdata[name], 0, 0 }, 1);
        }
      share = &g_array_index (shares, StriaSbufShare, GPOINTER_TO_UINT (place));
      share->n_ranges++;
      share->byte_ns += ((double) (range->last - range->first) + 1)
                        * (double) (range->end - range->start);
    }
  g_array_sort (shares, compare_shares);
  return shares;
}

guint
stria_neuron_memory_find (const StriaNeuronMemory *self, const char *tensor, gint32 core,
                          gint32 partition)
{
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const StriaSbufRange *range = &g_array_index (self->ranges, StriaSbufRange, i);

      if ((core < 0 || range->core == core) && (partition < 0 || range->partition == partition)
          && g_str_equal (stria_neuron_memory_text (self, range, STRIA_SBUF_TENSOR), tensor))
        return i;
    }
  return G_MAXUINT;
}

guint
stria_neuron_memory_from (const StriaNeuronMemory *self, gint64 time)
{
  guint low = 0, high = self->ends->len;

  while (low < high)
    {
      const guint mid = low + (high - low) / 2;

      if (g_array_index (self->ends, gint64, mid) < time)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

gint64
stria_samples_at (GArray *times, gint64 time)
{
  gint64 low = 0, high = times->len;

  while (low < high)
    {
      gint64 mid = low + (high - low) / 2;

      if (g_array_index (times, gint64, mid) <= time)
        low = mid + 1;
      else
        high = mid;
    }
  return low - 1;
}

gint64
stria_memory_stack_peak (const StriaMemoryStack *self, gint64 t0, gint64 t1)
{
  gint64 best = -1;

  for (gint64 i = MAX (stria_samples_at (self->times, t0), 0);
       i < self->times->len && g_array_index (self->times, gint64, i) <= t1; i++)
    if (best < 0
        || g_array_index (self->totals, double, i) > g_array_index (self->totals, double, best))
      best = i;
  return best;
}

/* -- ranges ---------------------------------------------------------------------------------- */

enum
{
  START,
  END,
  FIRST,
  LAST,
  PARTITION,
  CORE,
  BLOCK,
  TEXTS,
};

static const char *const range_columns[]
    = { "start_ts", "end_ts", "start_address", "end_address", "partition", "pcore_idx", "block_id",
        "op_source_type", "opcode", "operands", "queue_name", "tensor_name", "hlo_name", NULL };

static guint32
number_of (StriaNeuronMemory *self, const char *text, guint32 length, GString *buffer)
{
  gpointer known;
  char *kept;

  if (length == 0)
    return 0;
  g_string_truncate (buffer, 0);
  g_string_append_len (buffer, text, length);
  if (g_hash_table_lookup_extended (self->numbers, buffer->str, NULL, &known))
    return GPOINTER_TO_UINT (known);
  kept = g_string_chunk_insert (self->chunk, buffer->str);
  g_hash_table_insert (self->numbers, kept, GUINT_TO_POINTER (self->names->len));
  g_ptr_array_add (self->names, kept);
  return self->names->len - 1;
}

static gint32
small (gint64 value)
{
  return value >= 0 && value <= G_MAXINT32 ? (gint32) value : -1;
}

static gboolean
is_in_bounds (gint64 value)
{
  return value > -STRIA_MEMORY_MOST && value < STRIA_MEMORY_MOST;
}

static gboolean
take_range (StriaNeuronMemory *self, const StriaSummaryRows *rows, guint32 row, GString *buffer)
{
  StriaSbufRange range = {
    .start = stria_summary_rows_int (rows, START, row, G_MININT64),
    .end = stria_summary_rows_int (rows, END, row, G_MININT64),
    .first = stria_summary_rows_int (rows, FIRST, row, G_MININT64),
    .last = stria_summary_rows_int (rows, LAST, row, G_MININT64),
    .row = rows->first_row + row,
    .block = stria_summary_rows_int (rows, BLOCK, row, G_MININT64),
    .artifact = stria_table_get_artifact (rows->tables->pdata[rows->table]),
    .partition = small (stria_summary_rows_int (rows, PARTITION, row, -1)),
    .core = small (stria_summary_rows_int (rows, CORE, row, -1)),
  };

  if (!is_in_bounds (range.start) || !is_in_bounds (range.end) || !is_in_bounds (range.first)
      || !is_in_bounds (range.last) || range.end < range.start || range.last < range.first)
    return FALSE;
  for (guint text = 0; text < STRIA_SBUF_N_TEXTS; text++)
    {
      guint32 length;
      const char *bytes = stria_summary_rows_text (rows, TEXTS + text, row, &length);

      range.texts[text] = number_of (self, bytes, length, buffer);
    }
  g_array_append_val (self->ranges, range);
  return TRUE;
}

static void
sort_ranges (StriaNeuronMemory *self)
{
  const guint n = self->ranges->len;
  g_autofree StriaSortPair *pairs = g_new (StriaSortPair, MAX (n, 1));
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (StriaSbufRange), n);
  gint64 latest = G_MININT64;

  for (guint i = 0; i < n; i++)
    pairs[i] = (StriaSortPair){
      stria_memory_key (g_array_index (self->ranges, StriaSbufRange, i).start), i
    };
  stria_sort_pairs (pairs, n);
  for (guint i = 0; i < n; i++)
    {
      const StriaSbufRange *range
          = &g_array_index (self->ranges, StriaSbufRange, pairs[i].value);

      latest = MAX (latest, range->end);
      g_array_append_vals (sorted, range, 1);
      g_array_append_val (self->ends, latest);
    }
  g_array_unref (self->ranges);
  self->ranges = sorted;
}

static gboolean
load_ranges (StriaNeuronMemory *self, GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  StriaSummaryRows rows = { .tables = tables,
                            .name = "SbufAllocation",
                            .wanted = range_columns,
                            .cancellable = cancellable,
                            .error = error };
  g_autoptr (GString) buffer = g_string_new (NULL);
  gboolean failed;

  if (!stria_neuron_memory_has_table (tables, "SbufAllocation", NULL))
    self->missing = "SbufAllocation";
  for (guint c = START; c <= LAST && self->missing == NULL; c++)
    if (!stria_neuron_memory_has_table (tables, "SbufAllocation", range_columns[c]))
      self->missing = range_columns[c];
  if (self->missing != NULL)
    return TRUE;
  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      if (self->ranges->len >= STRIA_SBUF_MAX_RANGES)
        self->n_over++;
      else if (!take_range (self, &rows, row, buffer))
        self->n_skipped++;
  failed = rows.failed;
  stria_summary_rows_clear (&rows);
  sort_ranges (self);
  return !failed;
}

/* Opcodes and queues say the same: what wrote a range. */
static StriaSbufText
kind_of (StriaSbufText text)
{
  return text == STRIA_SBUF_QUEUE ? STRIA_SBUF_OPCODE : text;
}

static void
count_names (StriaNeuronMemory *self)
{
  guint32 n[STRIA_SBUF_N_TEXTS] = { 0 };

  for (guint text = 0; text < STRIA_SBUF_N_TEXTS; text++)
    {
      self->ordinals[text] = g_array_new (FALSE, TRUE, sizeof (guint32));
      g_array_set_size (self->ordinals[text], self->names->len);
    }
  for (guint i = 0; i < self->ranges->len; i++)
    for (guint text = 0; text < STRIA_SBUF_N_TEXTS; text++)
      {
        const guint32 name = g_array_index (self->ranges, StriaSbufRange, i).texts[text];
        const StriaSbufText kind = kind_of (text);
        guint32 *ordinal = &g_array_index (self->ordinals[kind], guint32, name);

        if (name != 0 && *ordinal == 0)
          *ordinal = ++n[kind];
      }
}

guint
stria_neuron_memory_ordinal (const StriaNeuronMemory *self, StriaSbufText text, const char *name)
{
  gpointer number;

  g_return_val_if_fail (text < STRIA_SBUF_N_TEXTS, G_MAXUINT);

  if (!g_hash_table_lookup_extended (self->numbers, name, NULL, &number))
    return G_MAXUINT;
  return g_array_index (self->ordinals[kind_of (text)], guint32, GPOINTER_TO_UINT (number)) - 1;
}

StriaNeuronMemory *
stria_neuron_memory_new (GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaNeuronMemory) self = g_atomic_rc_box_new0 (StriaNeuronMemory);

  self->ranges = g_array_new (FALSE, FALSE, sizeof (StriaSbufRange));
  self->ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->names = g_ptr_array_new ();
  self->pressures = g_array_new (FALSE, FALSE, sizeof (StriaSbufPressure));
  self->fullness = g_ptr_array_new_with_free_func (fullness_free);
  self->stacks = g_ptr_array_new_with_free_func (stack_free);
  self->tensors = g_ptr_array_new_with_free_func (tensor_free);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  self->chunk = g_string_chunk_new (4096);
  g_ptr_array_add (self->names, g_string_chunk_insert (self->chunk, ""));
  if (!load_ranges (self, tables, cancellable, error)
      || !stria_neuron_memory_sweep (self, cancellable, error)
      || !stria_neuron_memory_fullness (self, tables, cancellable, error)
      || !stria_neuron_memory_stacks (self, tables, cancellable, error)
      || !stria_neuron_memory_tensors (self, tables, cancellable, error))
    return NULL;
  count_names (self);
  return g_steal_pointer (&self);
}

/* -- who wrote it ---------------------------------------------------------------------------- */

static gboolean
has_text (const StriaSummaryRows *rows, guint column, guint32 row, const char *wanted)
{
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  return length == strlen (wanted) && memcmp (text, wanted, length) == 0;
}

guint64
stria_neuron_memory_writer (GPtrArray *tables, const StriaNeuronMemory *self,
                            const StriaSbufRange *range, const char **table, guint32 *artifact,
                            guint64 *row, GCancellable *cancellable, GError **error)
{
  static const char *const code[]
      = { "start_ts", "duration_ns", "end_ts", "pcore_idx", "opcode", "operands", NULL };
  static const char *const transfers[]
      = { "start_ts", "duration_ns", "end_ts", "pcore_idx", "queue_name", "block_id", NULL };
  const gboolean is_code = range->texts[STRIA_SBUF_OPCODE] != 0;
  const char *first = stria_neuron_memory_text (self, range,
                                                is_code ? STRIA_SBUF_OPCODE : STRIA_SBUF_QUEUE);
  const char *operands = stria_neuron_memory_text (self, range, STRIA_SBUF_OPERANDS);
  StriaSummaryRows rows = { .tables = tables,
                            .name = is_code ? "Instruction" : "DmaPacketAggregated",
                            .wanted = is_code ? code : transfers,
                            .cancellable = cancellable,
                            .error = error };
  guint64 n = 0;

  if (*first == '\0')
    return 0;
  *table = rows.name;
  while (stria_summary_rows_next (&rows))
    for (guint32 r = 0; r < rows.n_rows; r++)
      {
        const gint64 start = stria_summary_rows_int (&rows, 0, r, G_MAXINT64);
        const gint64 duration = stria_summary_rows_int (&rows, 1, r, -1);
        const gint64 end = stria_summary_rows_int (
            &rows, 2, r, is_in_bounds (duration) && is_in_bounds (start) && duration >= 0
                             ? start + duration : G_MININT64);
        const gint64 core = stria_summary_rows_int (&rows, 3, r, -1);

        if (start > range->start || end < range->start
            || (core >= 0 && range->core >= 0 && core != range->core)
            || !has_text (&rows, 4, r, first))
          continue;
        /* Only what both tables say can be compared. */
        if (is_code ? *operands != '\0' && rows.columns[5] != NULL
                          && !has_text (&rows, 5, r, operands)
                    : range->block != G_MININT64 && rows.columns[5] != NULL
                          && stria_summary_rows_int (&rows, 5, r, G_MININT64) != range->block)
          continue;
        n++;
        *artifact = stria_table_get_artifact (tables->pdata[rows.table]);
        *row = rows.first_row + r;
      }
  stria_summary_rows_clear (&rows);
  return n;
}
