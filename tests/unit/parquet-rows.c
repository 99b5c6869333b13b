/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "parquet-rows.h"

#include <string.h>

char *
parquet_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "parquet", name, NULL);
}

char **
parquet_fixture_lines (const char *name)
{
  g_autofree char *path = parquet_fixture (name);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpint (text[length - 1], ==, '\n');
  text[length - 1] = '\0';
  return g_strsplit (text, "\n", -1);
}

void
parquet_append_row (const StriaParquetBatch *batch, guint32 row, GString *line)
{
  g_string_append_c (line, '[');
  for (guint i = 0; i < batch->n_columns; i++)
    {
      if (i > 0)
        g_string_append_c (line, ',');
      stria_parquet_append_json (&batch->columns[i], row, line);
    }
  g_string_append_c (line, ']');
}

GPtrArray *
parquet_read_rows (StriaParquet *file, const StriaParquetReadOptions *options, GError **error)
{
  g_autoptr (StriaParquetReader) reader = stria_parquet_reader_new (file, options, error);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) line = g_string_new (NULL);
  const StriaParquetBatch *batch;
  GError *local = NULL;

  if (reader == NULL)
    return NULL;
  while ((batch = stria_parquet_reader_next (reader, &local)) != NULL)
    for (guint32 i = 0; i < batch->n_rows; i++)
      {
        g_string_truncate (line, 0);
        parquet_append_row (batch, i, line);
        g_ptr_array_add (rows, g_strdup (line->str));
      }
  if (local == NULL)
    return g_steal_pointer (&rows);
  g_propagate_error (error, local);
  return NULL;
}
