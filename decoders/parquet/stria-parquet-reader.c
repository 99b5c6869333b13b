/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-parquet-reader.h"

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-parquet-filter.h"

#define DEFAULT_BATCH_BYTES ((guint64) 1 << 30)
/* What a batch should have of a column: fewer rows are given where they are long. */
#define AIM_BYTES ((guint64) 16 << 20)

struct _StriaParquetReader
{
  StriaParquetShared shared;
  StriaParquetLeaf *leaves;
  guint n_leaves;
  StriaParquetCondition *conditions;
  guint n_conditions;
  guint32 batch_rows;
  guint group; /* the next to begin, or the one at hand */
  guint group_end;
  gboolean is_open;
  guint32 group_batch_rows;
  GArray *ranges; /* StriaParquetRange: rows of the group to read */
  guint range;
  guint64 row; /* in the group */
  StriaParquetColumn *columns;
  StriaParquetBatch batch;
  GError *error;
};

static gboolean
take_columns (StriaParquetReader *self, const StriaParquetReadOptions *options, GError **error)
{
  StriaParquet *file = self->shared.file;
  guint64 limit = options->batch_bytes != 0 ? options->batch_bytes : DEFAULT_BATCH_BYTES;
  guint n = options->columns != NULL ? options->n_columns : file->leaves->len;

  self->leaves = g_new0 (StriaParquetLeaf, n);
  self->columns = g_new0 (StriaParquetColumn, n);
  for (guint i = 0; i < n; i++)
    {
      guint column = options->columns != NULL ? options->columns[i] : i;

      if (column >= file->leaves->len)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                       _("%s: expected one of %u columns, found number %u"), file->name,
                       file->leaves->len, column);
          return FALSE;
        }
      stria_parquet_leaf_init (&self->leaves[i], &self->shared, column, limit);
      self->leaves[i].plain_bytes = options->plain_bytes;
      self->leaves[i].keep_levels = options->keep_levels;
      self->n_leaves = i + 1;
    }
  return TRUE;
}

static gboolean
take_groups (StriaParquetReader *self, const StriaParquetReadOptions *options, GError **error)
{
  StriaParquet *file = self->shared.file;
  guint n = file->groups->len;

  if (options->first_group > n || options->n_groups > n - options->first_group)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_QUERY,
                   _("%s: expected some of %u row groups, found %u from number %u on"), file->name,
                   n, options->n_groups, options->first_group);
      return FALSE;
    }
  self->group = options->first_group;
  self->group_end = options->n_groups != 0 ? options->first_group + options->n_groups : n;
  return TRUE;
}

StriaParquetReader *
stria_parquet_reader_new (StriaParquet *file, const StriaParquetReadOptions *options,
                          GError **error)
{
  static const StriaParquetReadOptions defaults = { 0 };
  g_autoptr (StriaParquetReader) self = g_new0 (StriaParquetReader, 1);

  if (options == NULL)
    options = &defaults;
  self->shared.file = stria_parquet_ref (file);
  self->shared.inflater = stria_parquet_inflater_new ();
  self->shared.check_sums = options->check_sums;
  self->batch_rows = options->batch_rows != 0 ? options->batch_rows : STRIA_PARQUET_BATCH_ROWS;
  if (!take_columns (self, options, error) || !take_groups (self, options, error))
    return NULL;
  for (guint i = 0; i < options->n_conditions; i++)
    if (!stria_parquet_condition_check (file, &options->conditions[i], error))
      return NULL;
  self->conditions = g_memdup2 (options->conditions,
                                options->n_conditions * sizeof *options->conditions);
  self->n_conditions = options->n_conditions;
  return g_steal_pointer (&self);
}

void
stria_parquet_reader_free (StriaParquetReader *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_leaves; i++)
    stria_parquet_leaf_clear (&self->leaves[i]);
  g_free (self->leaves);
  g_free (self->columns);
  g_free (self->conditions);
  g_clear_pointer (&self->ranges, g_array_unref);
  g_aligned_free (self->shared.packed);
  stria_parquet_inflater_free (self->shared.inflater);
  stria_parquet_unref (self->shared.file);
  g_clear_error (&self->error);
  g_free (self);
}

static guint64
count_rows (GArray *ranges)
{
  guint64 n = 0;

  for (guint i = 0; i < ranges->len; i++)
    n += g_array_index (ranges, StriaParquetRange, i).end
         - g_array_index (ranges, StriaParquetRange, i).first;
  return n;
}

/* Rows are fewer to a batch where the chunk's size says that they are long. */
static guint32
choose_batch_rows (StriaParquetReader *self, guint64 rows)
{
  guint64 largest = 0, n = self->batch_rows;

  for (guint i = 0; i < self->n_leaves; i++)
    {
      const StriaParquetChunk *chunk
        = stria_parquet_get_chunk (self->shared.file, self->group, self->leaves[i].column);

      largest = MAX (largest, chunk->uncompressed);
    }
  if (rows > 0 && largest / rows > AIM_BYTES / n)
    n = AIM_BYTES / (largest / rows);
  return (guint32) MAX (n, 1);
}

static gboolean
begin_group (StriaParquetReader *self, GError **error)
{
  guint64 rows = stria_parquet_get_group_rows (self->shared.file, self->group);
  guint64 wanted;

  g_clear_pointer (&self->ranges, g_array_unref);
  self->ranges = stria_parquet_filter_group (&self->shared, self->group, self->conditions,
                                             self->n_conditions);
  self->is_open = TRUE;
  self->range = 0;
  wanted = count_rows (self->ranges);
  self->shared.counts.rows_skipped += rows - wanted;
  if (wanted == 0)
    {
      self->shared.counts.groups_skipped += rows > 0;
      return TRUE;
    }
  self->row = g_array_index (self->ranges, StriaParquetRange, 0).first;
  self->group_batch_rows = choose_batch_rows (self, rows);
  for (guint i = 0; i < self->n_leaves; i++)
    {
      GArray *places = wanted < rows ? stria_parquet_read_places (&self->shared, self->group,
                                                                  self->leaves[i].column)
                                     : NULL;

      if (!stria_parquet_leaf_open (&self->leaves[i], self->group, places, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_batch (StriaParquetReader *self, GError **error)
{
  guint64 end = g_array_index (self->ranges, StriaParquetRange, self->range).end;
  guint32 n = (guint32) MIN (end - self->row, self->group_batch_rows);

  for (guint i = 0; i < self->n_leaves; i++)
    if (!stria_parquet_leaf_seek (&self->leaves[i], self->row, error)
        || !stria_parquet_leaf_read (&self->leaves[i], n, &self->columns[i], error))
      return FALSE;
  self->batch = (StriaParquetBatch){
    .row_group = self->group,
    .first_row = stria_parquet_get_group_first (self->shared.file, self->group) + self->row,
    .n_rows = n,
    .n_columns = self->n_leaves,
    .columns = self->columns,
  };
  self->row += n;
  if (self->row == end && ++self->range < self->ranges->len)
    self->row = g_array_index (self->ranges, StriaParquetRange, self->range).first;
  return TRUE;
}

const StriaParquetBatch *
stria_parquet_reader_next (StriaParquetReader *self, GError **error)
{
  while (self->error == NULL && self->group < self->group_end)
    {
      if (!self->is_open && !begin_group (self, &self->error))
        break;
      if (self->range < self->ranges->len)
        {
          if (read_batch (self, &self->error))
            return &self->batch;
          break;
        }
      self->is_open = FALSE;
      self->group++;
    }
  if (self->error != NULL && error != NULL)
    *error = g_error_copy (self->error);
  return NULL;
}

void
stria_parquet_reader_skip_group (StriaParquetReader *self)
{
  g_clear_error (&self->error);
  self->is_open = FALSE;
  if (self->group < self->group_end)
    self->group++;
}

void
stria_parquet_reader_get_counts (const StriaParquetReader *self, StriaParquetCounts *counts)
{
  *counts = self->shared.counts;
}
