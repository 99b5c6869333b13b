/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-export.h"

#include <string.h>

#include "cli-table.h"
#include "stria-format.h"

/* What the window and the command line both write of events */

/* Metadata whose values are facts about the run. */
static const char *const public_meta[] = {
  "baseTimeNanoseconds",
  "cuda_driver_version",
  "cuda_runtime_version",
  "cupti_version",
  "deviceProperties",
  "displayTimeUnit",
  "distributedInfo",
  "etdump_allocation_events",
  "etdump_debug_events",
  "etdump_profile_events",
  "etdump_runs",
  "etdump_time_unit",
  "etdump_version",
  "hip_driver_version",
  "hip_runtime_version",
  "ntff",
  "profile_memory",
  "record_shapes",
  "roctracer_version",
  "schemaVersion",
  "with_flops",
  "with_modules",
  "with_stack",
};

gboolean
cli_is_public_meta (const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (public_meta); i++)
    {
      if (g_str_equal (public_meta[i], key))
        return TRUE;
    }
  return FALSE;
}

const char *
cli_lane_kind_name (StriaLaneKind kind)
{
  switch (kind)
    {
    case STRIA_LANE_SLICES:
      return "slices";
    case STRIA_LANE_ANNOTATIONS:
      return "annotations";
    case STRIA_LANE_OVERFLOW:
      return "overflow";
    case STRIA_LANE_ASYNC:
      return "async";
    case STRIA_LANE_INSTANTS:
      return "instants";
    case STRIA_LANE_COUNTER:
    default:
      return "counter";
    }
}

gboolean
cli_export_takes (const CliExport *export, StriaRef ref)
{
  StriaLane          *lane = stria_trace_get_lane (export->trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  gint64              start_ns = columns->start[ref.index];
  gint64              end_ns = start_ns;

  if (!export->has_range)
    return TRUE;
  if (columns->dur != NULL
      && __builtin_add_overflow (start_ns, columns->dur[ref.index], &end_ns))
    end_ns = G_MAXINT64;
  return start_ns < export->t1 && (end_ns > export->t0 || start_ns >= export->t0);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const CliExportEvent *x = a;
  const CliExportEvent *y = b;

  if (x->artifact != y->artifact)
    return x->artifact < y->artifact ? -1 : 1;
  if (x->seq != y->seq)
    return x->seq < y->seq ? -1 : 1;
  /* The series of one counter event */
  if (x->ref.lane != y->ref.lane)
    return x->ref.lane < y->ref.lane ? -1 : 1;
  return x->ref.index < y->ref.index ? -1 : x->ref.index > y->ref.index;
}

gboolean
cli_export_collect (CliExport *export, GError **error)
{
  if (!stria_trace_load_all (export->trace, export->cancellable, error))
    return FALSE;

  export->events = g_array_new (FALSE, FALSE, sizeof (CliExportEvent));
  for (guint32 i = 0; i < stria_trace_get_n_lanes (export->trace); i++)
    {
      StriaLane          *lane = stria_trace_get_lane (export->trace, i);
      const StriaColumns *columns = stria_lane_get_columns (lane);

      for (guint64 k = 0; k < columns->n; k++)
        {
          CliExportEvent event = { .artifact = stria_lane_get_artifact (lane),
                                   .seq = columns->seq == NULL ? 0 : columns->seq[k],
                                   .ref = { i, (guint32) k } };

          if (cli_export_takes (export, event.ref))
            g_array_append_val (export->events, event);
        }
    }
  g_array_sort (export->events, compare_events);
  return TRUE;
}

static guint64
column_key (const guint64 *column, guint32 index)
{
  return column == NULL ? 0 : column[index];
}

gboolean
cli_export_next (const CliExport *export, guint i, GError **error)
{
  if (export->written != NULL && i % 4096 == 0)
    g_atomic_int_set (export->written, (int) (1000.0 * i / MAX (export->events->len, 1)));
  return i % 4096 != 0 || !g_cancellable_set_error_if_cancelled (export->cancellable, error);
}

static void
csv_text (FILE *file, gboolean first, const char *text)
{
  cli_csv_cell (file, first, text, strlen (text));
}

static void
csv_int (FILE *file, gint64 value)
{
  fprintf (file, ",%" G_GINT64_FORMAT, value);
}

/* 0 is no key */
static void
csv_key (FILE *file, guint64 value)
{
  if (value != 0)
    fprintf (file, ",%" G_GUINT64_FORMAT, value);
  else
    fputc (',', file);
}

gboolean
cli_export_csv (const CliExport *export, FILE *file, GError **error)
{
  fputs ("artifact,process,thread,lane,kind,name,category,start_ns,dur_ns,value,depth,"
         "correlation,external_id,python_id,seq,flags,args\r\n",
         file);
  for (guint i = 0; i < export->events->len; i++)
    {
      const CliExportEvent *event = &g_array_index (export->events, CliExportEvent, i);
      StriaLane            *lane = stria_trace_get_lane (export->trace, event->ref.lane);
      const StriaColumns   *columns = stria_lane_get_columns (lane);
      const StriaProcess   *process
          = stria_trace_get_process (export->trace, stria_lane_get_process (lane));
      guint32            k = event->ref.index;
      g_autoptr (GBytes) args = NULL;
      g_autoptr (GError) args_error = NULL;

      if (!cli_export_next (export, i, error))
        return FALSE;
      args = stria_trace_get_args (export->trace, event->ref, &args_error);
      if (args_error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&args_error));
          return FALSE;
        }

      csv_text (file, TRUE,
                stria_artifact_get_name (
                    stria_capture_get_artifact (export->capture, event->artifact)));
      csv_text (file, FALSE, process->key);
      csv_text (file, FALSE, stria_lane_get_key (lane));
      csv_text (file, FALSE, stria_lane_get_name (lane));
      csv_text (file, FALSE, cli_lane_kind_name (stria_lane_get_kind (lane)));
      csv_text (file, FALSE, stria_trace_get_string (export->trace, columns->name[k]));
      csv_text (file, FALSE, stria_trace_get_category (export->trace, columns->category[k]));
      csv_int (file, columns->start[k]);
      if (columns->dur != NULL)
        csv_int (file, columns->dur[k]);
      else
        fputc (',', file);
      if (columns->value != NULL)
        {
          g_autofree char *value = stria_format_c_double (columns->value[k]);

          fprintf (file, ",%s", value);
        }
      else
        fputc (',', file);
      csv_int (file, stria_lane_row_of (lane, k));
      csv_key (file, column_key (columns->correlation, k));
      csv_key (file, column_key (columns->external, k));
      csv_key (file, column_key (columns->python, k));
      csv_int (file, event->seq);
      csv_int (file, columns->flags[k]);
      if (args != NULL)
        cli_csv_cell (file, FALSE, g_bytes_get_data (args, NULL), g_bytes_get_size (args));
      else
        fputc (',', file);
      fputs ("\r\n", file);
    }
  return TRUE;
}
