/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>


/* Formulas are the published ones (documented: the schema's reference and the summary page), unless
 * a comment says otherwise. Times of Summary are seconds, those of rows nanoseconds. */


{
  return (StriaSummaryRows){ .tables = self->tables, .cancellable = self->cancellable,
}

{

}

{

}


{
  const char *const wanted[] = { column, NULL };
  gboolean found = FALSE;

  rows.error = NULL;
  while (!found && stria_summary_rows_next (&rows))
    if (rows.n_rows > 0 && stria_summary_rows_number (&rows, 0, 0, value))
      {
        StriaTable *from = self->tables->pdata[rows.table];
        int c = stria_table_find_column (from, column);

        found = TRUE;
        if (is_percent != NULL)
          *is_percent = g_strcmp0 (stria_table_get_column (from, (guint) c)->unit, "%") == 0;
      }
  stria_summary_rows_clear (&rows);
  return found;
}

{
  StriaNeuronMetric metric = {
  };
  gboolean is_percent = FALSE;

  if (is_percent && metric.has_reported)
    metric.reported /= 100;
    g_array_append_val (self->metrics, metric);
}

static const struct
{
  const char *count, *time, *active, *share;
    name "_engine_active_time", name "_engine_active_time_percent" }
};

static guint
engine_at (const StriaSummaryRows *rows, guint column, guint32 row)
{
  guint32 length;
  const char *text = stria_summary_rows_text (rows, column, row, &length);

}


static gboolean
{
  static const char *const active_wanted[]
      = { "start_ts", "duration_ns", "pcore_idx", "engine", NULL };

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
  while (!rows.failed && stria_summary_rows_next (&active_rows))
    for (guint32 row = 0; row < active_rows.n_rows; row++)
      {
        guint engine = engine_at (&active_rows, 3, row);
      }
  stria_summary_rows_clear (&rows);
  stria_summary_rows_clear (&active_rows);
  return !rows.failed && !active_rows.failed;
}

{

{

}

static gboolean
{

    {
    }
}

{

    {
    }
}

{

}

GArray *
stria_neuron_summary (GPtrArray *tables, GCancellable *cancellable, GError **error)
{
}
