/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-neuron-memory-private.h"

/* How the published tables write memories in “source” and “dest” of transfers */
#define SPILL_MEMORY "VIRTUAL"
#define SBUF_MEMORY  "[SB]"

typedef struct
{
  StriaNeuronMemory *memory;
  GHashTable        *tensors; /* "core name" → StriaMemoryTensor */
  gboolean           has_transfers; /* with variables, bytes, source and dest */
  double             saved, saves, reloaded, reloads, loaded, moved, packets;
} Work;

static StriaMemoryTensor *
find_tensor (Work *work, const char *name, guint32 length, gint32 core, gboolean may_be_of_all)
{
  g_autofree char *own = g_strndup (name, length);
  g_autofree char *key = g_strdup_printf ("%d %s", core, own);
  StriaMemoryTensor *self = g_hash_table_lookup (work->tensors, key);

  if (self == NULL && may_be_of_all)
    {
      g_autofree char *of_all = g_strdup_printf ("-1 %s", own);

      self = g_hash_table_lookup (work->tensors, of_all);
    }
  if (self != NULL)
    return self;
  self = g_new0 (StriaMemoryTensor, 1);
  self->name = g_steal_pointer (&own);
  self->type = g_strdup ("");
  self->format = g_strdup ("");
  self->shape = g_strdup ("");
  self->core = core;
  self->size = self->node = self->n_ranges = -1;
  self->load_bytes = self->load_count = self->repeat = -1;
  self->save_bytes = self->save_count = self->reload_bytes = self->reload_count = -1;
  g_hash_table_insert (work->tensors, g_steal_pointer (&key), self);
  g_ptr_array_add (work->memory->tensors, self);
  return self;
}

static gint32
core_of (const StriaSummaryRows *rows, guint column, guint32 row)
{
  const gint64 core = stria_summary_rows_int (rows, column, row, -1);

  return core >= 0 && core <= G_MAXINT32 ? (gint32) core : -1;
}

static void
take_text (char **where, const StriaSummaryRows *rows, guint column, guint32 row)
{
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  g_free (*where);
  *where = g_strndup (text, length);
}

static double
number (const StriaSummaryRows *rows, guint column, guint32 row)
{
  double value;

  return stria_summary_rows_number (rows, column, row, &value) && value >= 0 ? value : -1;
}

static gboolean
read_declared (Work *work, GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  static const char *const wanted[]
      = { "variable_name", "type", "format", "shape", "size", "node", "pcore_idx",
          "load_to_sbuf_total_size_bytes", "load_to_sbuf_dma_count",
          "load_to_sbuf_repeat_factor", NULL };
  StriaSummaryRows rows = { .tables = tables, .name = "TensorInfo", .wanted = wanted,
                            .cancellable = cancellable, .error = error };

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        guint32 length;
        const char *name = stria_summary_rows_text (&rows, 0, row, &length);
        StriaMemoryTensor *self;

        if (length == 0)
          continue;
        self = find_tensor (work, name, length, core_of (&rows, 6, row), FALSE);
        self->is_declared = TRUE;
        take_text (&self->type, &rows, 1, row);
        take_text (&self->format, &rows, 2, row);
        take_text (&self->shape, &rows, 3, row);
        self->size = MAX (stria_summary_rows_int (&rows, 4, row, -1), -1);
        self->node = stria_summary_rows_int (&rows, 5, row, -1);
        self->load_bytes = number (&rows, 7, row);
        self->load_count = number (&rows, 8, row);
        self->repeat = number (&rows, 9, row);
      }
  stria_summary_rows_clear (&rows);
  return !rows.failed;
}

static gboolean
mentions (const StriaSummaryRows *rows, guint column, guint32 row, const char *memory)
{
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

  return memmem (text, length, memory, strlen (memory)) != NULL;
}

static void
add_to (double *bytes, double *count, double more)
{
  *bytes = MAX (*bytes, 0) + more;
  *count = MAX (*count, 0) + 1;
}

static void
take_transfer (Work *work, const StriaSummaryRows *rows, guint32 row)
{
  const double bytes = MAX (number (rows, 1, row), 0);
  const gboolean saves = mentions (rows, 3, row, SPILL_MEMORY);
  const gboolean reloads = mentions (rows, 2, row, SPILL_MEMORY);
  const gboolean loads = mentions (rows, 3, row, SBUF_MEMORY);
  StriaMemoryTensor *self = NULL;
  guint32 length;
  const char *name = stria_summary_rows_text (rows, 0, row, &length);

  work->moved += bytes;
  if (saves)
    add_to (&work->saved, &work->saves, bytes);
  if (reloads)
    add_to (&work->reloaded, &work->reloads, bytes);
  if (loads)
    work->loaded += bytes;
  if (length == 0 || (!saves && !reloads && !loads))
    return;
  self = find_tensor (work, name, length, core_of (rows, 4, row), TRUE);
  if (saves)
    add_to (&self->save_bytes, &self->save_count, bytes);
  if (reloads)
    add_to (&self->reload_bytes, &self->reload_count, bytes);
  else if (loads && (self->loads_counted || self->load_bytes < 0))
    {
      self->loads_counted = TRUE;
      add_to (&self->load_bytes, &self->load_count, bytes);
    }
}

static gboolean
read_transfers (Work *work, GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  static const char *const wanted[]
      = { "variable", "transfer_bytes", "source", "dest", "pcore_idx", NULL };
  static const char *const packets[] = { "transfer_bytes", NULL };
  StriaSummaryRows rows = { .tables = tables, .name = "DmaPacketAggregated", .wanted = wanted,
                            .cancellable = cancellable, .error = error };
  StriaSummaryRows parts = { .tables = tables, .name = "DmaPacket", .wanted = packets,
                             .cancellable = cancellable, .error = error };

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      take_transfer (work, &rows, row);
  stria_summary_rows_clear (&rows);
  while (!rows.failed && stria_summary_rows_next (&parts))
    for (guint32 row = 0; row < parts.n_rows; row++)
      work->packets += MAX (number (&parts, 0, row), 0);
  stria_summary_rows_clear (&parts);
  return !rows.failed && !parts.failed;
}

/* Ranges by name of a tensor and core */
static void
count_ranges (Work *work)
{
  StriaNeuronMemory *memory = work->memory;

  for (guint i = 0; i < memory->ranges->len; i++)
    {
      const StriaSbufRange *range = &g_array_index (memory->ranges, StriaSbufRange, i);
      const char *name = memory->names->pdata[range->texts[STRIA_SBUF_TENSOR]];
      StriaMemoryTensor *self;

      if (*name == '\0')
        continue;
      self = find_tensor (work, name, (guint32) strlen (name), range->core, TRUE);
      self->n_ranges = MAX (self->n_ranges, 0) + 1;
    }
}

/* What was looked for and not found is none, not unknown. */
static void
settle (Work *work)
{
  for (guint i = 0; i < work->memory->tensors->len; i++)
    {
      StriaMemoryTensor *self = work->memory->tensors->pdata[i];

      if (work->memory->missing == NULL)
        self->n_ranges = MAX (self->n_ranges, 0);
      if (work->has_transfers)
        {
          self->save_bytes = MAX (self->save_bytes, 0);
          self->save_count = MAX (self->save_count, 0);
          self->reload_bytes = MAX (self->reload_bytes, 0);
          self->reload_count = MAX (self->reload_count, 0);
        }
      if (self->repeat < 0 && self->load_bytes >= 0 && self->size > 0)
        self->repeat = self->load_bytes / (double) self->size;
    }
}

static int
compare_tensors (gconstpointer a, gconstpointer b)
{
  const StriaMemoryTensor *p = *(StriaMemoryTensor *const *) a;
  const StriaMemoryTensor *q = *(StriaMemoryTensor *const *) b;
  const double x = MAX (p->save_bytes, 0) + MAX (p->reload_bytes, 0);
  const double y = MAX (q->save_bytes, 0) + MAX (q->reload_bytes, 0);

  if (x != y)
    return x > y ? -1 : 1;
  if (p->size != q->size)
    return p->size > q->size ? -1 : 1;
  return strcmp (p->name, q->name);
}

/* -- figures --------------------------------------------------------------------------------- */

static void
set (StriaNeuronMemory *self, StriaMemoryFigureId id, const char *unit, const char *formula,
     const char *missing, double value)
{
  if (missing == NULL && !isfinite (value))
    missing = "rows to divide by";
  self->figures[id] = (StriaMemoryFigure){ unit, formula, missing == NULL ? value : NAN, missing };
}

static void
make_figures (Work *work, GPtrArray *tables)
{
  StriaNeuronMemory *memory = work->memory;
  const gboolean has_moved
      = stria_neuron_memory_has_table (tables, "DmaPacketAggregated", "transfer_bytes");
  const gboolean has_packets
      = stria_neuron_memory_has_table (tables, "DmaPacket", "transfer_bytes");
  const char *spills = work->has_transfers ? NULL
                       : has_moved ? "DmaPacketAggregated.source and dest"
                                   : "DmaPacketAggregated.transfer_bytes";
  const char *declared = stria_neuron_memory_has_table (tables, "TensorInfo", "size")
                             ? NULL : "TensorInfo.size";
  gboolean has_loads = FALSE;
  double again = 0, sizes = 0;

  for (guint i = 0; i < memory->tensors->len; i++)
    {
      const StriaMemoryTensor *self = memory->tensors->pdata[i];
      const gboolean is_in = g_ascii_strcasecmp (self->type, "IN") == 0
                             || g_ascii_strcasecmp (self->type, "WEIGHT") == 0;

      if (is_in && self->size >= 0 && self->load_bytes >= 0)
        {
          again += MAX (self->load_bytes - (double) self->size, 0);
          has_loads = TRUE;
        }
      if (g_ascii_strcasecmp (self->type, "IN") == 0
          || g_ascii_strcasecmp (self->type, "OUT") == 0)
        sizes += (double) MAX (self->size, 0);
    }
  set (memory, STRIA_MEMORY_SPILL_SAVE, "B",
       "sum of DmaPacketAggregated.transfer_bytes where dest has VIRTUAL", spills, work->saved);
  set (memory, STRIA_MEMORY_SPILL_SAVES, "",
       "rows of DmaPacketAggregated where dest has VIRTUAL", spills, work->saves);
  set (memory, STRIA_MEMORY_SPILL_RELOAD, "B",
       "sum of DmaPacketAggregated.transfer_bytes where source has VIRTUAL", spills,
       work->reloaded);
  set (memory, STRIA_MEMORY_SPILL_RELOADS, "",
       "rows of DmaPacketAggregated where source has VIRTUAL", spills, work->reloads);
  set (memory, STRIA_MEMORY_RELOAD_SHARE, "of 1",
       "bytes reloaded (source has VIRTUAL) / bytes moved into SBUF (dest has [SB])", spills,
       work->reloaded / work->loaded);
  set (memory, STRIA_MEMORY_INPUT_RELOAD, "B",
       "sum over IN and WEIGHT tensors of max (bytes loaded into SBUF - TensorInfo.size, 0)",
       declared != NULL ? declared : has_loads ? NULL : "load_to_sbuf_total_size_bytes, or "
       "transfers with their variable", again);
  set (memory, STRIA_MEMORY_EXCESS, "",
       "sum of DmaPacketAggregated.transfer_bytes / sum of TensorInfo.size of IN and OUT",
       !has_moved ? "DmaPacketAggregated.transfer_bytes" : declared, work->moved / sizes);
  set (memory, STRIA_MEMORY_COVERAGE, "of 1",
       "sum of DmaPacketAggregated.transfer_bytes / sum of DmaPacket.transfer_bytes",
       !has_moved ? "DmaPacketAggregated.transfer_bytes"
                  : !has_packets ? "DmaPacket.transfer_bytes" : NULL,
       work->moved / work->packets);
}

gboolean
stria_neuron_memory_tensors (StriaNeuronMemory *self, GPtrArray *tables, GCancellable *cancellable,
                             GError **error)
{
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Work work = { .memory = self, .tensors = tensors };

  work.has_transfers
      = stria_neuron_memory_has_table (tables, "DmaPacketAggregated", "transfer_bytes")
        && stria_neuron_memory_has_table (tables, "DmaPacketAggregated", "source")
        && stria_neuron_memory_has_table (tables, "DmaPacketAggregated", "dest");
  if (!read_declared (&work, tables, cancellable, error)
      || !read_transfers (&work, tables, cancellable, error))
    return FALSE;
  count_ranges (&work);
  settle (&work);
  g_ptr_array_sort (self->tensors, compare_tensors);
  make_figures (&work, tables);
  return TRUE;
}
