/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-neuron-memory-private.h"
#include "stria-sort.h"

#define MAX_COLUMNS 96
#define MAX_GROUPS  1024

/* Some columns of one chunk of a table */
typedef struct
{
  StriaTable       *table;
  guint             n;
  int               columns[MAX_COLUMNS]; /* -1: the table has it not */
  StriaColumnChunk *chunks[MAX_COLUMNS];
} Chunk;

static void
chunk_clear (Chunk *self)
{
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->chunks[i], stria_column_chunk_free);
}

static gboolean
chunk_load (Chunk *self, guint32 number, GCancellable *cancellable, GError **error)
{
  chunk_clear (self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (self->columns[i] >= 0)
      {
        self->chunks[i] = stria_table_load (self->table, (guint) self->columns[i], number, error);
        if (self->chunks[i] == NULL)
          return FALSE;
      }
  return TRUE;
}

static gboolean
chunk_number (const Chunk *self, guint i, guint32 row, double *value)
{
  const StriaColumnChunk *chunk = self->chunks[i];
  StriaCellType type;

  if (chunk == NULL || !stria_column_data_has (&chunk->data, row))
    return FALSE;
  type = stria_table_get_column (self->table, (guint) self->columns[i])->type;
  if (type == STRIA_CELL_TEXT)
    return FALSE;
  *value = type == STRIA_CELL_REAL ? chunk->data.reals[row] : (double) chunk->data.ints[row];
  return isfinite (*value);
}

static gint64
chunk_int (const Chunk *self, guint i, guint32 row, gint64 missing)
{
  const StriaColumnChunk *chunk = self->chunks[i];
  StriaCellType type;

  if (chunk == NULL || !stria_column_data_has (&chunk->data, row))
    return missing;
  type = stria_table_get_column (self->table, (guint) self->columns[i])->type;
  return type == STRIA_CELL_TEXT || type == STRIA_CELL_REAL ? missing : chunk->data.ints[row];
}

static gboolean
chunk_time (const Chunk *self, guint i, guint32 row, gint64 *time)
{
  *time = chunk_int (self, i, row, G_MININT64);
  return *time > -STRIA_MEMORY_MOST && *time < STRIA_MEMORY_MOST;
}

static void
sort_by_time (GArray *times, GArray *values, guint width, GArray *totals)
{
  const guint n = times->len, size = g_array_get_element_size (values) * width;
  g_autofree StriaSortPair *pairs = g_new (StriaSortPair, MAX (n, 1));
  g_autofree char *old = g_memdup2 (values->data, (gsize) size * n);
  g_autofree double *sums = totals != NULL ? g_memdup2 (totals->data, n * sizeof *sums) : NULL;

  for (guint i = 0; i < n; i++)
    pairs[i] = (StriaSortPair){ stria_memory_key (g_array_index (times, gint64, i)), i };
  stria_sort_pairs (pairs, n);
  for (guint i = 0; i < n; i++)
    {
      g_array_index (times, gint64, i) = (gint64) stria_memory_key ((gint64) pairs[i].key);
      memcpy (values->data + (gsize) i * size, old + (gsize) pairs[i].value * size, size);
      if (totals != NULL)
        g_array_index (totals, double, i) = sums[pairs[i].value];
    }
}

/* -- fullness -------------------------------------------------------------------------------- */

static StriaFullness *
find_fullness (GPtrArray *list, gboolean is_psum, gint32 core, const StriaFullness *like)
{
  StriaFullness *self;

  for (guint i = 0; i < list->len; i++)
    {
      self = list->pdata[i];
      if (self->is_psum == is_psum && self->core == core && self->n_parts == like->n_parts
          && memcmp (self->parts, like->parts, sizeof self->parts) == 0)
        return self;
    }
  if (list->len >= MAX_GROUPS)
    return NULL;
  self = g_memdup2 (like, sizeof *like);
  self->core = core;
  for (guint i = 0; i < self->n_parts; i++)
    self->most[i] = NAN;
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->shares = g_array_new (FALSE, FALSE, sizeof (float));
  g_ptr_array_add (list, self);
  return self;
}

static gboolean
add_fullness (GPtrArray *list, StriaTable *table, gboolean is_psum, GCancellable *cancellable,
              GError **error)
{
  Chunk chunk = { .table = table, .n = 2 };
  StriaFullness like = { .is_psum = is_psum };
  gboolean ok = TRUE;

  chunk.columns[0] = stria_table_find_column (table, "timestamp");
  chunk.columns[1] = stria_table_find_column (table, "pcore_idx");
  for (guint c = 0;
       c < stria_table_get_n_columns (table) && like.n_parts < STRIA_FULLNESS_MAX_PARTS; c++)
    {
      const char *name = stria_table_get_column (table, c)->name;
      const char *digits = name + strlen (is_psum ? "bank_" : "partition_");
      char *end;

      if (!g_str_has_prefix (name, is_psum ? "bank_" : "partition_") || !g_ascii_isdigit (*digits))
        continue;
      like.parts[like.n_parts] = (guint) (g_ascii_strtoull (digits, &end, 10) & 0xffff);
      if (!g_str_equal (end, "_util_percent"))
        continue;
      chunk.columns[chunk.n++] = (int) c;
      like.n_parts++;
    }
  if (chunk.columns[0] < 0 || like.n_parts == 0)
    return TRUE;
  for (guint32 i = 0; ok && i < stria_table_get_n_chunks (table); i++)
    {
      ok = chunk_load (&chunk, i, cancellable, error);
      for (guint32 row = 0; ok && row < stria_table_get_chunk_rows (table, i); row++)
        {
          const gint64 core = chunk_int (&chunk, 1, row, -1);
          StriaFullness *self;
          gint64 time;

          if (!chunk_time (&chunk, 0, row, &time))
            continue;
          self = find_fullness (list, is_psum,
                                core >= 0 && core <= G_MAXINT32 ? (gint32) core : -1, &like);
          if (self == NULL)
            continue;
          g_array_append_val (self->times, time);
          for (guint part = 0; part < like.n_parts; part++)
            {
              double value;
              const float share
                  = chunk_number (&chunk, 2 + part, row, &value) ? (float) value : NAN;

              g_array_append_val (self->shares, share);
              self->most[part] = fmaxf (self->most[part], share);
            }
        }
    }
  chunk_clear (&chunk);
  return ok;
}

static int
compare_fullness (gconstpointer a, gconstpointer b)
{
  const StriaFullness *p = *(StriaFullness *const *) a, *q = *(StriaFullness *const *) b;

  if (p->is_psum != q->is_psum)
    return p->is_psum - q->is_psum;
  return p->core < q->core ? -1 : p->core > q->core;
}

gboolean
stria_neuron_memory_fullness (StriaNeuronMemory *self, GPtrArray *tables,
                              GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < tables->len; i++)
    {
      const char *name = stria_table_get_name (tables->pdata[i]);
      const gboolean is_psum = g_ascii_strcasecmp (name, "PsumUsage") == 0;

      if ((is_psum || g_ascii_strcasecmp (name, "SbufUsage") == 0)
          && !add_fullness (self->fullness, tables->pdata[i], is_psum, cancellable, error))
        return FALSE;
    }
  for (guint i = 0; i < self->fullness->len; i++)
    {
      StriaFullness *one = self->fullness->pdata[i];

      sort_by_time (one->times, one->shares, one->n_parts, NULL);
    }
  g_ptr_array_sort (self->fullness, compare_fullness);
  return TRUE;
}

/* -- HBM ------------------------------------------------------------------------------------- */

enum
{
  TIME,
  TOTAL,
  INSTANCE,
  DEVICE,
  HBM,
  CATEGORIES,
};

static StriaMemoryStack *
stack_new (const char *table, const char *unit, char *title, gboolean has_totals)
{
  StriaMemoryStack *self = g_new0 (StriaMemoryStack, 1);

  self->table = g_strdup (table);
  self->unit = g_strdup (unit);
  self->title = title;
  self->has_totals = has_totals;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
  self->totals = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

static char *
place_title (const Chunk *chunk, guint32 row)
{
  const gint64 device = chunk_int (chunk, DEVICE, row, -1), hbm = chunk_int (chunk, HBM, row, -1);
  GString *title = g_string_new (NULL);

  if (chunk->chunks[INSTANCE] != NULL
      && stria_table_get_column (chunk->table, (guint) chunk->columns[INSTANCE])->type
             == STRIA_CELL_TEXT
      && stria_column_data_has (&chunk->chunks[INSTANCE]->data, row))
    {
      guint32 length;
      const char *text = stria_column_data_text (&chunk->chunks[INSTANCE]->data, row, &length);

      g_string_append_len (title, text, length);
    }
  if (device >= 0)
    g_string_append_printf (title, "%sND%" G_GINT64_FORMAT, title->len > 0 ? " · " : "", device);
  if (hbm >= 0)
    g_string_append_printf (title, "%sHBM%" G_GINT64_FORMAT, title->len > 0 ? " · " : "", hbm);
  if (title->len == 0)
    g_string_append (title, "HBM");
  return g_string_free (title, FALSE);
}

static StriaMemoryStack *
find_stack (GPtrArray *stacks, GHashTable *by_title, const Chunk *chunk, char *title,
            const char *unit)
{
  StriaMemoryStack *stack = g_hash_table_lookup (by_title, title);

  if (stack != NULL || stacks->len >= MAX_GROUPS)
    {
      g_free (title);
      return stack;
    }
  stack = stack_new (stria_table_get_name (chunk->table), unit, title,
                     chunk->columns[TOTAL] >= 0);
  for (guint i = CATEGORIES; i < chunk->n; i++)
    g_ptr_array_add (
        stack->names,
        g_strdup (stria_table_get_column (chunk->table, (guint) chunk->columns[i])->name));
  g_hash_table_insert (by_title, stack->title, stack);
  g_ptr_array_add (stacks, stack);
  return stack;
}

static void
add_sample (StriaMemoryStack *stack, const Chunk *chunk, guint32 row, gint64 time)
{
  double sum = 0, total;

  g_array_append_val (stack->times, time);
  for (guint i = CATEGORIES; i < chunk->n; i++)
    {
      double value;

      if (!chunk_number (chunk, i, row, &value) || value < 0)
        value = 0;
      sum += value;
      g_array_append_val (stack->values, value);
    }
  if (!chunk_number (chunk, TOTAL, row, &total))
    total = sum;
  g_array_append_val (stack->totals, total);
}

/* All columns that say how many bytes are held for something, also those not in the schema */
static void
find_categories (Chunk *chunk)
{
  for (guint c = 0; c < stria_table_get_n_columns (chunk->table) && chunk->n < MAX_COLUMNS; c++)
    {
      const StriaColumnInfo *info = stria_table_get_column (chunk->table, c);

      if ((int) c != chunk->columns[TOTAL] && info->type != STRIA_CELL_TEXT
          && g_str_has_suffix (info->name, "_bytes"))
        chunk->columns[chunk->n++] = (int) c;
    }
}

static gboolean
add_stacks (GPtrArray *stacks, StriaTable *table, gboolean is_system, GCancellable *cancellable,
            GError **error)
{
  Chunk chunk = { .table = table, .n = CATEGORIES };
  g_autoptr (GHashTable) by_title = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean ok = TRUE;

  chunk.columns[TIME] = stria_table_find_column (table, "timestamp");
  chunk.columns[TOTAL] = is_system ? stria_table_find_column (table, "total_bytes") : -1;
  chunk.columns[INSTANCE] = is_system ? stria_table_find_column (table, "instance_id") : -1;
  chunk.columns[DEVICE] = stria_table_find_column (table, is_system ? "device_idx" : "pcore_idx");
  chunk.columns[HBM] = is_system ? stria_table_find_column (table, "hbm_idx") : -1;
  if (is_system)
    find_categories (&chunk);
  else
    chunk.columns[chunk.n++] = stria_table_find_column (table, "current_throughput");
  if (chunk.columns[TIME] < 0 || (!is_system && chunk.columns[CATEGORIES] < 0))
    return TRUE;
  for (guint32 i = 0; ok && i < stria_table_get_n_chunks (table); i++)
    {
      ok = chunk_load (&chunk, i, cancellable, error);
      for (guint32 row = 0; ok && row < stria_table_get_chunk_rows (table, i); row++)
        {
          StriaMemoryStack *stack;
          gint64 time;
          char *title;

          if (!chunk_time (&chunk, TIME, row, &time))
            continue;
          if (is_system)
            title = place_title (&chunk, row);
          else
            title = g_strdup_printf ("HbmUsage · pcore_idx %" G_GINT64_FORMAT,
                                     chunk_int (&chunk, DEVICE, row, -1));
          stack = find_stack (stacks, by_title, &chunk, title, is_system ? "B" : "B/s");
          if (stack != NULL)
            add_sample (stack, &chunk, row, time);
        }
    }
  chunk_clear (&chunk);
  return ok;
}

typedef struct
{
  guint  column;
  double sum;
} Weight;

static int
compare_weights (gconstpointer a, gconstpointer b)
{
  const Weight *p = a, *q = b;

  if (p->sum != q->sum)
    return p->sum > q->sum ? -1 : 1;
  return p->column < q->column ? -1 : 1;
}

/* Most bytes at the bottom; what nothing was ever held for is left out. */
static void
order_categories (StriaMemoryStack *stack)
{
  const guint n = stack->names->len;
  g_autofree Weight *weights = g_new0 (Weight, n + 1);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  guint kept = 0;

  for (guint c = 0; c < n; c++)
    weights[c].column = c;
  for (guint i = 0; i < stack->values->len; i++)
    weights[i % n].sum += g_array_index (stack->values, double, i);
  qsort (weights, n, sizeof *weights, compare_weights);
  while (kept < n && weights[kept].sum > 0)
    g_ptr_array_add (names, g_strdup (stack->names->pdata[weights[kept++].column]));
  for (guint i = 0; i < stack->times->len; i++)
    for (guint c = 0; c < kept; c++)
      g_array_append_val (values, g_array_index (stack->values, double,
                                                 (gsize) i * n + weights[c].column));
  g_ptr_array_unref (stack->names);
  g_array_unref (stack->values);
  stack->names = names;
  stack->values = values;
}

gboolean
stria_neuron_memory_stacks (StriaNeuronMemory *self, GPtrArray *tables, GCancellable *cancellable,
                            GError **error)
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < tables->len; i++)
      {
        const char *wanted = pass == 0 ? "SystemProfileHbmUsage" : "HbmUsage";

        if (g_ascii_strcasecmp (stria_table_get_name (tables->pdata[i]), wanted) == 0
            && !add_stacks (self->stacks, tables->pdata[i], pass == 0, cancellable, error))
          return FALSE;
      }
  for (guint i = 0; i < self->stacks->len; i++)
    {
      StriaMemoryStack *stack = self->stacks->pdata[i];

      sort_by_time (stack->times, stack->values, stack->names->len, stack->totals);
      order_categories (stack);
    }
  return TRUE;
}
