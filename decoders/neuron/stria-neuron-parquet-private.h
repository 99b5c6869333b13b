/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"
#include "stria-neuron-schema.h"
#include "stria-parquet-reader.h"
#include "stria-table.h"

G_BEGIN_DECLS

/**
 * NeuronParquetColumn:
 * @info: as the table gets it; owned
 * @node: of the file
 * @scale: what integers are multiplied with (times of other units become nanoseconds)
 * @as_json: values are written as JSON texts
 * @bare: without the quotes around them
 *
 * A column of the file as one of a table.
 */
typedef struct
{
  StriaColumnInfo info;
  const StriaParquetNode *node;
  gint64 scale;
  gboolean as_json;
  gboolean bare;
} NeuronParquetColumn;

/* Rows on their way from the reader's thread; buffers are used again. */
typedef struct _NeuronParquetBatch NeuronParquetBatch;
struct _NeuronParquetBatch
{
  guint32 n_rows;
  StriaColumnData *columns;
  guint64 bytes_read;
  GError *error;     /* what is wrong with a row group; no rows then */
  gboolean is_last;
  /* private */
  guint n_columns;
  gpointer buffers;
};

/* @columns: (out): of all the file's columns. What @units (a StriaTable-like look-up) knows comes
 * first. */
typedef struct _NeuronUnits NeuronUnits;

GArray *neuron_parquet_columns      (StriaParquet *file, const StriaNeuronTable *schema,
                                     const NeuronUnits *units, const char *table);
NeuronParquetBatch *neuron_parquet_batch_new (guint n_columns);
void    neuron_parquet_batch_free   (NeuronParquetBatch *self);
/* Copies a reader's batch. FALSE with @error: a text is too long */
gboolean neuron_parquet_batch_fill  (NeuronParquetBatch *self, const GArray *columns,
                                     const StriaParquetBatch *batch, GError **error);

/* The file itself, or for members of archives and what is compressed a temporary copy without a
 * name. Returns: (transfer full) (nullable) */
StriaParquet *neuron_parquet_open   (const char *path, const char *member,
                                     GCancellable *cancellable, GError **error);
/* Name of a table by that of its file: without the folder, ".parquet" and the number of a split.
 * Returns: (transfer full) */
char   *neuron_parquet_table_name   (const char *file);

/* Units and descriptions by SchemaFields beside the file; NULL if it is not there */
NeuronUnits *neuron_units_new       (const char *path, const char *member,
                                     GCancellable *cancellable);
void    neuron_units_free           (NeuronUnits *self);
/* @unit, @note: (out) (nullable): NULL if it says none */
gboolean neuron_units_find          (const NeuronUnits *self, const char *table, const char *column,
                                     const char **unit, const char **note);
/* Path (or member) of another table's file in the same folder, if it is there. Returns: (transfer
 * full) (nullable) */
StriaParquet *neuron_parquet_sibling (const char *path, const char *member, const char *table,
                                      GCancellable *cancellable);
/* Finds out of columns in percent whether they hold percents or fractions, and labels them so. */
void    neuron_parquet_shares       (StriaParquet *file, GArray *columns, const char *table);

G_END_DECLS
