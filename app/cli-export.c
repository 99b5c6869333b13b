/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-export.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-export-table.h"
#include "cli-html.h"
#include "cli-json.h"
#include "cli-table.h"
#include "cli-target.h"
#include "stria-error.h"
#include "stria-format.h"

typedef gboolean (*ExportFunc) (const CliExport *export, FILE *file, GError **error);

static guint64
column_key (const guint64 *column, guint32 index)
{
  return column == NULL ? 0 : column[index];
}

static void
json_key (CliJson *json, const char *key, guint64 value)
{
  if (value != 0)
    cli_json_uint (json, key, value);
}

static void
json_head (CliJson *json, const CliExport *export)
{
  cli_json_begin_array (json, "artifacts");
  for (guint i = 0; i < stria_capture_get_n_artifacts (export->capture); i++)
    cli_json_string (json, NULL,
                     stria_artifact_get_name (stria_capture_get_artifact (export->capture, i)));
  cli_json_end_array (json);

  cli_json_begin_array (json, "processes");
  for (guint32 i = 0; i < stria_trace_get_n_processes (export->trace); i++)
    {
      const StriaProcess *process = stria_trace_get_process (export->trace, i);

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "artifact", process->artifact);
      cli_json_string (json, "key", process->key);
      cli_json_string (json, "name", process->name);
      cli_json_string (json, "labels", process->labels);
      cli_json_int (json, "sort_index", process->sort_index);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);

  cli_json_begin_array (json, "lanes");
  for (guint32 i = 0; i < stria_trace_get_n_lanes (export->trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (export->trace, i);

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "process", stria_lane_get_process (lane));
      cli_json_string (json, "kind", cli_lane_kind_name (stria_lane_get_kind (lane)));
      cli_json_string (json, "key", stria_lane_get_key (lane));
      cli_json_string (json, "name", stria_lane_get_name (lane));
      cli_json_string (json, "unit", stria_lane_get_unit (lane));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static gboolean
json_event (CliJson *json, const CliExport *export, const CliExportEvent *event, GError **error)
{
  StriaLane          *lane = stria_trace_get_lane (export->trace, event->ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  guint32             k = event->ref.index;
  g_autoptr (GBytes)  args = NULL;
  g_autoptr (GError)  args_error = NULL;

  args = stria_trace_get_args (export->trace, event->ref, &args_error);
  if (args_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&args_error));
      return FALSE;
    }

  cli_json_begin_object (json, NULL);
  cli_json_uint (json, "lane", event->ref.lane);
  cli_json_string (json, "name", stria_trace_get_string (export->trace, columns->name[k]));
  cli_json_string (json, "category",
                   stria_trace_get_category (export->trace, columns->category[k]));
  cli_json_int (json, "start_ns", columns->start[k]);
  if (columns->dur != NULL)
    {
      cli_json_int (json, "dur_ns", columns->dur[k]);
      cli_json_uint (json, "depth", stria_lane_row_of (lane, k));
    }
  if (columns->value != NULL)
    cli_json_double (json, "value", columns->value[k]);
  json_key (json, "correlation", column_key (columns->correlation, k));
  json_key (json, "external_id", column_key (columns->external, k));
  json_key (json, "python_id", column_key (columns->python, k));
  cli_json_uint (json, "seq", event->seq);
  json_key (json, "flags", columns->flags[k]);
  if (args != NULL)
    cli_json_trace_text (json, "args", g_bytes_get_data (args, NULL), g_bytes_get_size (args));
  cli_json_end_object (json);
  return TRUE;
}

static gboolean
export_json (const CliExport *export, FILE *file, GError **error)
{
  gboolean done = TRUE;
  CliJson  json;

  cli_json_init (&json, file, 2);
  cli_json_begin_object (&json, NULL);
  json_head (&json, export);
  cli_json_begin_array (&json, "events");
  for (guint i = 0; i < export->events->len && done; i++)
    done = cli_export_next (export, i, error)
           && json_event (&json, export, &g_array_index (export->events, CliExportEvent, i), error);
  cli_json_end_array (&json);
  cli_json_end_object (&json);
  cli_json_finish (&json);
  return done;
}

static ExportFunc
format_func (const char *format)
{
  if (format == NULL)
    return NULL;
  if (g_str_equal (format, "json"))
    return export_json;
  if (g_str_equal (format, "csv"))
    return cli_export_csv;
  if (g_str_equal (format, "perfetto"))
    return cli_export_perfetto;
  return NULL;
}

static void
tell (CliContext *context, const CliExport *export, const char *format, const char *path)
{
  CliJson json;

  if (!context->json || path == NULL)
    return;
  cli_json_init (&json, stdout, 1);
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "format", format);
  cli_json_string (&json, "path", path);
  cli_json_uint (&json, "events", export->events->len);
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

/* @output: a file, a folder (which gets “index.html”) or NULL. Returns: (transfer full) */
static char *
page_path (const char *output, GError **error)
{
  if (output == NULL)
    return NULL;
  if (!g_str_has_suffix (output, "/") && !g_file_test (output, G_FILE_TEST_IS_DIR))
    return g_strdup (output);
  if (g_mkdir_with_parents (output, 0777) != 0)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_FAILED, _ ("%s: the folder cannot be made: %s"),
                   output, g_strerror (errno));
      return NULL;
    }
  return g_build_filename (output, "index.html", NULL);
}

static CliExit
export_html (CliContext *context, const CliModelOptions *options, const char *level,
             const char *output)
{
  g_auto (CliCapture) open = { 0 };
  g_autoptr (GError)  error = NULL;
  g_autofree char    *path = NULL;
  CliTarget           target = { 0 };
  CliExit             exit;
  gboolean            done;
  CliJson             json;

  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  path = page_path (output, &error);
  done = error == NULL && cli_target_open (&target, path, &error);
  if (done)
    {
      done = cli_html_write (target.file, open.capture, options, level, context->cancellable,
                             &error);
      done = cli_target_close (&target, done, done ? &error : NULL) && done;
    }
  if (!done)
    {
      if (output == NULL)
        context->json = FALSE;
      return cli_fail (
          context,
          g_error_matches (error, STRIA_ERROR, STRIA_ERROR_QUERY) ? CLI_USAGE : CLI_FAILED, error);
    }
  if (!context->json || path == NULL)
    return exit;
  cli_json_init (&json, stdout, 1);
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "format", "html");
  cli_json_string (&json, "path", path);
  cli_json_end_object (&json);
  cli_json_finish (&json);
  return exit;
}

/* “export html CAPTURE” is “export CAPTURE --format html”. */
static gboolean
takes_html (CliContext *context, const char *format)
{
  if (format != NULL)
    return g_str_equal (format, "html");
  if (context->n_rest < 2 || !g_str_equal (context->rest[0], "html"))
    return FALSE;
  g_free (context->rest[0]);
  memmove (context->rest, context->rest + 1, context->n_rest * sizeof (char *));
  context->n_rest--;
  return TRUE;
}

static CliExit
run_export (CliContext *context, int argc, char **argv)
{
  g_autofree char   *format = NULL;
  g_autofree char   *range = NULL;
  g_autofree char   *output = NULL;
  g_autofree char   *level = NULL;
  g_autofree char   *table = NULL;
  gboolean           absolute = FALSE;
  g_auto (CliModelOptions) options = { 0 };
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("json, csv, perfetto (Chrome-trace JSON that other viewers open), or html (graphs and "
          "figures of a model as one page)"),
      N_ ("FORMAT") },
    { "table", 't', 0, G_OPTION_ARG_STRING, &table,
      N_ ("Not events but the rows of this table, as parquet, csv or json"), N_ ("NAME") },
    { "range", 'r', 0, G_OPTION_ARG_STRING, &range, N_ ("Only what happened from A to B"),
      N_ ("A:B") },
    { "absolute", 0, 0, G_OPTION_ARG_NONE, &absolute,
      N_ ("Times are those of the file, not relative to its start"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("File to write (default: standard output); of html also a folder"), N_ ("FILE") },
    { "method", 'm', 0, G_OPTION_ARG_STRING, &options.method,
      N_ ("html: only this method of the program"), N_ ("NAME") },
    { "set", 0, 0, G_OPTION_ARG_STRING, &options.set,
      N_ ("html: only these files of several sets"), N_ ("NAME") },
    { "unit", 'u', 0, G_OPTION_ARG_STRING, &options.unit,
      N_ ("What the ETDump’s ticks are: ns (default), us, ms, s or cycles"), N_ ("UNIT") },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &options.metric,
      N_ ("What colours chains: total_cycles, op_cycles or a counter"), N_ ("NAME") },
    { "aggregation", 0, 0, G_OPTION_ARG_STRING, &options.aggregation,
      N_ ("Figure over executions: p50 (default), mean, min, max, p10, p90, sum"), N_ ("NAME") },
    { "level", 0, 0, G_OPTION_ARG_STRING, &level,
      N_ ("How many levels of groups are open: 0, 1, … or all (default: what can be read)"),
      N_ ("N") },
    { NULL },
  };
  g_auto (CliCapture) open = { 0 };
  g_autoptr (GError)  error = NULL;
  CliExport           export = { .cancellable = context->cancellable };
  CliTarget           target = { 0 };
  ExportFunc          func;
  CliExit             exit;
  gboolean            done;

  if (!cli_parse (context, &cli_command_export, argc, argv, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  if (table != NULL)
    return cli_export_table (context, table, format, output);
  if (takes_html (context, format))
    return export_html (context, &options, level, output);
  if (format != NULL && g_str_equal (format, "parquet"))
    return cli_usage (context, _ ("--format parquet needs --table: what is written as rows"));
  func = format_func (format);
  if (func == NULL)
    return cli_usage (context, _ ("--format is needed: json, csv, perfetto or html"));

  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  export.capture = open.capture;
  export.trace = open.trace;
  export.has_range = range != NULL;
  if (!cli_parse_range (range, absolute, open.trace, &export.t0, &export.t1, &error))
    return cli_fail (context, CLI_USAGE, error);

  done = cli_export_collect (&export, &error) && cli_target_open (&target, output, &error);
  if (done)
    {
      done = func (&export, target.file, &error);
      done = cli_target_close (&target, done, done ? &error : NULL) && done;
    }
  if (done)
    tell (context, &export, format, output);
  else
    {
      /* What is out already is no whole document, and nothing to put another one behind. */
      if (output == NULL)
        context->json = FALSE;
      exit = cli_fail (context, CLI_FAILED, error);
    }
  g_clear_pointer (&export.events, g_array_unref);
  return exit;
}

const CliCommand cli_command_export = {
  .name = "export",
  .parameters = N_ ("CAPTURE… --format FORMAT"),
  .summary = N_ ("Write the events of a capture as JSON, CSV or for other viewers, or a model as a page"),
  .run = run_export,
};
