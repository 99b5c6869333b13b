/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a Parquet file: all columns in batches of a size that they choose, with
 * caps that keep an input quick. What must hold of any batch is checked. */
#include "config.h"

#include "stria-error.h"
#include "stria-parquet-reader.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

#define MAX_ROWS 200000
#define MAX_JSON 200

static void
check_error (const GError *error)
{
  g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
}

static void
check_column (const StriaParquetColumn *column, guint32 n_rows, GString *text)
{
  guint32 n = n_rows, nulls = 0;

  for (guint i = 0; i < column->n_lists; i++)
    {
      const StriaParquetList *list = &column->lists[i];

      g_assert_cmpuint (list->n, ==, n);
      g_assert_cmpuint (list->offsets[0], ==, 0);
      for (guint32 k = 0; k < n; k++)
        {
          g_assert_cmpuint (list->offsets[k], <=, list->offsets[k + 1]);
          if (list->valid != NULL && !list->valid[k])
            g_assert_cmpuint (list->offsets[k], ==, list->offsets[k + 1]);
        }
      n = list->offsets[n];
    }
  g_assert_cmpuint (column->n, ==, n);
  for (guint32 k = 0; column->valid != NULL && k < n; k++)
    nulls += !column->valid[k];
  g_assert_cmpuint (nulls, ==, column->n_nulls);
  for (guint32 k = 0; column->form == STRIA_PARQUET_FORM_INDEX && k < n; k++)
    g_assert_true (column->indices[k] < column->dictionary->n
                   || (column->valid != NULL && !column->valid[k]));
  for (guint32 k = 0; column->form == STRIA_PARQUET_FORM_BYTES && k < n; k++)
    g_assert_cmpuint (column->offsets[k], <=, column->offsets[k + 1]);
  g_string_truncate (text, 0);
  for (guint32 row = 0; row < MIN (n_rows, MAX_JSON) && text->len < (1 << 20); row++)
    stria_parquet_append_json (column, row, text);
}

static void
read_all (StriaParquet *file, guint8 choice)
{
  static const guint32 batch_rows[] = { 1, 10, 1000, 65536 };
  StriaParquetCondition condition = {
    .kind = choice & 4 ? STRIA_PARQUET_FORM_INT64 : STRIA_PARQUET_FORM_BYTES,
    .min_integer = 1000000,
    .max_integer = 2000000000000,
    .min_bytes = (const guint8 *) "b",
    .min_length = 1,
  };
  StriaParquetReadOptions options = {
    .batch_rows = batch_rows[choice & 3],
    .batch_bytes = 16 << 20,
    .plain_bytes = (choice & 8) != 0,
    .keep_levels = (choice & 16) != 0,
    .conditions = choice & 32 ? &condition : NULL,
    .n_conditions = choice & 32 ? 1 : 0,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquetReader) reader = stria_parquet_reader_new (file, &options, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 rows = 0;
  guint errors = 0;

  if (reader == NULL)
    {
      check_error (error);
      return;
    }
  while (rows < MAX_ROWS && errors < 10)
    {
      const StriaParquetBatch *batch = stria_parquet_reader_next (reader, &error);

      if (batch == NULL && error == NULL)
        return;
      if (batch == NULL)
        {
          check_error (error);
          g_clear_error (&error);
          errors++;
          stria_parquet_reader_skip_group (reader);
          continue;
        }
      for (guint i = 0; i < batch->n_columns; i++)
        check_column (&batch->columns[i], batch->n_rows, text);
      rows += batch->n_rows + 1;
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  StriaParquetLimits limits = {
    .page_bytes = 4 << 20, .columns = 200, .row_groups = 100, .chunks = 2000, .rows = 1 << 30,
  };
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaParquet) file = stria_parquet_open_bytes ("fuzz", bytes, &limits, &error);

  if (file == NULL)
    {
      check_error (error);
      return 0;
    }
  for (guint i = 0; i < stria_parquet_get_n_nodes (file); i++)
    g_free (stria_parquet_type_text (file, i));
  read_all (file, size > 8 ? data[size - 9] : 0);
  return 0;
}
