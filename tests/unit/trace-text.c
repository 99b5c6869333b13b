/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "trace-text.h"

StriaCapture *
trace_text_capture (const char *name)
{
  StriaCapture *capture = stria_capture_new (name);
  g_autoptr (StriaArtifact) artifact = stria_artifact_new (name, NULL, name, 1, 1);

  stria_capture_add_artifact (capture, artifact);
  return capture;
}

static void
append_event (GString *text, StriaTrace *trace, StriaLane *lane, guint64 i)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  const char *category = stria_trace_get_category (trace, c->category[i]);

  g_string_append (text, "  ");
  for (guint32 row = stria_lane_row_of (lane, i); row > 0; row--)
    g_string_append_c (text, '>');
  g_string_append_printf (text, "%" G_GINT64_FORMAT, c->start[i]);
  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    {
      g_string_append_printf (text, " %g\n", c->value[i]);
      return;
    }
  if (c->dur != NULL)
    g_string_append_printf (text, "+%" G_GINT64_FORMAT, c->dur[i]);
  g_string_append_printf (text, " %s (%s) #%u\n", stria_trace_get_string (trace, c->name[i]),
                          category, c->seq[i]);
}

static char *
event_place (StriaTrace *trace, StriaRef ref)
{
  StriaLane *lane = stria_trace_get_lane (trace, ref.lane);
  const StriaColumns *c = stria_lane_get_columns (lane);

  return g_strdup_printf ("%s@%" G_GINT64_FORMAT,
                          stria_trace_get_string (trace, c->name[ref.index]), c->start[ref.index]);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

char *
trace_text (StriaCapture *capture)
{
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);
  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) arrows = g_ptr_array_new_with_free_func (g_free);
  gsize n;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      g_autofree char *title = stria_trace_process_title (trace, stria_lane_get_process (lane));
      const char *unit = stria_lane_get_unit (lane);

      g_assert_true (stria_lane_load (lane, NULL, NULL));
      g_string_append_printf (text, "%s | %s", title, stria_lane_get_name (lane));
      if (unit != NULL)
        g_string_append_printf (text, " [%s]", unit);
      if (stria_lane_get_kind (lane) == STRIA_LANE_OVERFLOW)
        g_string_append (text, " (overlaps)");
      g_string_append_c (text, '\n');
      for (guint64 i = 0; i < stria_lane_get_n_events (lane); i++)
        append_event (text, trace, lane, i);
    }
  const StriaFlow *flows = stria_trace_get_flows (trace, &n);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *from = event_place (trace, flows[i].from);
      g_autofree char *to = event_place (trace, flows[i].to);
      g_ptr_array_add (arrows,
                       g_strdup_printf ("%s -> %s %s (%s)", from, to,
                                        stria_trace_get_string (trace, flows[i].name),
                                        stria_trace_get_category (trace, flows[i].category)));
    }
  g_ptr_array_sort (arrows, compare_texts);
  for (guint i = 0; i < arrows->len; i++)
    g_string_append_printf (text, "%s\n", (const char *) arrows->pdata[i]);
  return g_string_free (text, FALSE);
}

static void
append_cell (GString *text, StriaCellType type, const StriaColumnData *data, guint32 row)
{
  guint32 length;

  if (!stria_column_data_has (data, row))
    g_string_append_c (text, '-');
  else if (type == STRIA_CELL_TEXT)
    {
      const char *cell = stria_column_data_text (data, row, &length);
      g_string_append_len (text, cell, length);
    }
  else if (type == STRIA_CELL_REAL)
    g_string_append_printf (text, "%.9g", data->reals[row]);
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, data->ints[row]);
}

char *
trace_text_table (StriaCapture *capture, guint artifact, const char *name)
{
  g_autoptr (StriaTable) table = stria_capture_find_table (capture, artifact, name);
  GString *text = g_string_new (NULL);

  if (table == NULL)
    return g_string_free (text, FALSE);
  guint n = stria_table_get_n_columns (table);
  for (guint c = 0; c < n; c++)
    {
      const StriaColumnInfo *info = stria_table_get_column (table, c);
      g_string_append_printf (text, "%s%s", c > 0 ? "|" : "", info->name);
      if (info->unit != NULL && info->unit[0] != '\0')
        g_string_append_printf (text, " [%s]", info->unit);
    }
  g_string_append_c (text, '\n');
  for (guint32 chunk = 0; chunk < stria_table_get_n_chunks (table); chunk++)
    {
      g_autoptr (GPtrArray) columns
          = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_column_chunk_free);

      for (guint c = 0; c < n; c++)
        {
          g_autoptr (GError) error = NULL;
          g_ptr_array_add (columns, stria_table_load (table, c, chunk, &error));
          g_assert_no_error (error);
        }
      for (guint32 row = 0; row < stria_table_get_chunk_rows (table, chunk); row++)
        for (guint c = 0; c < n; c++)
          {
            append_cell (text, stria_table_get_column (table, c)->type,
                         &((StriaColumnChunk *) columns->pdata[c])->data, row);
            g_string_append_c (text, c + 1 < n ? '|' : '\n');
          }
    }
  return g_string_free (text, FALSE);
}
