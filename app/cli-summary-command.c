/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "cli-summary.h"
#include "cli-table.h"
#include "stria-activity.h"
#include "stria-bounds.h"
#include "stria-format.h"
#include "stria-neuron-groups.h"

typedef struct
{
  CliCapture *open;
  GCancellable *cancellable;
  gboolean has_range;
  gint64 t0;
  gint64 t1;
  gint64 core;
  guint top;
  CliJson *json; /* NULL: text */
} Summary;

/* -- bounds ---------------------------------------------------------------------------------- */

static const char *const gap_names[STRIA_N_GAPS]
    = { "dma_idle", "dma_slow", "reloads", "tensor_idle", "tensor_slow", "transposes", "serial" };

static void
json_bounds (CliJson *json, const StriaBounds *bounds)
{
  cli_json_begin_array (json, "bounds");
  for (guint i = 0; i < STRIA_N_BOUNDS; i++)
    {
      const StriaBound *bound = &bounds->bounds[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", bound->name);
      cli_json_string (json, "formula", bound->formula);
      if (bound->has_value)
        cli_json_double (json, "seconds", bound->seconds);
      else
        cli_json_string (json, "missing", bound->missing);
      if (bound->of != NULL)
        cli_json_string (json, "of", bound->of);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "gaps");
  for (guint i = 0; i < STRIA_N_GAPS; i++)
    {
      const StriaGap *gap = &bounds->gaps[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", gap_names[i]);
      if (gap->has_value)
        {
          cli_json_double (json, "seconds", gap->seconds);
          cli_json_double (json, "share", gap->share);
        }
      else
        cli_json_string (json, "missing", gap->missing);
      if (gap->has_speedup)
        cli_json_double (json, "speedup", gap->speedup);
      if (gap->limit != NULL)
        cli_json_string (json, "limit", gap->limit);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

/* -- device profiles ------------------------------------------------------------------------- */

static void
print_groups (const Summary *self, const char *title, GPtrArray *groups)
{
  CliTable *table;

  if (groups->len == 0)
    return;
  printf ("\n%s\n", title);
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Engine"), FALSE);
  cli_table_column (table, _ ("Name"), FALSE);
  cli_table_column (table, _ ("Count"), TRUE);
  cli_table_column (table, _ ("Sum"), TRUE);
  cli_table_column (table, _ ("Busy"), TRUE);
  for (guint i = 0; i < groups->len && (self->top == 0 || i < self->top); i++)
    {
      const StriaNeuronGroup *group = groups->pdata[i];

      cli_table_cell (table, group->engine);
      cli_table_take (table, cli_printable (group->name));
      cli_table_take (table, stria_format_count (group->count));
      cli_table_take (table, stria_format_duration ((gint64) group->time_ns, 4));
      cli_table_take (table, stria_format_duration ((gint64) group->busy_ns, 4));
    }
  cli_table_finish (table);
}

static void
json_groups (const Summary *self, const char *key, GPtrArray *groups)
{
  cli_json_begin_array (self->json, key);
  for (guint i = 0; i < groups->len && (self->top == 0 || i < self->top); i++)
    {
      const StriaNeuronGroup *group = groups->pdata[i];

      cli_json_begin_object (self->json, NULL);
      cli_json_string (self->json, "engine", group->engine);
      cli_json_string (self->json, "name", group->name);
      cli_json_uint (self->json, "count", group->count);
      cli_json_double (self->json, "time_ns", group->time_ns);
      cli_json_double (self->json, "busy_ns", group->busy_ns);
      cli_json_end_object (self->json);
    }
  cli_json_end_array (self->json);
}

static gboolean
device_summary (const Summary *self, const StriaNeuronProfile *profile, GError **error)
{
  g_autoptr (GPtrArray) tables
      = stria_neuron_summary_tables (self->open->capture, profile->artifact);
  g_autoptr (StriaSummaryScope) scope = stria_summary_scope_new (
      tables, self->open->trace, self->has_range ? &self->t0 : NULL,
      self->has_range ? &self->t1 : NULL, NULL, 0, self->core, self->cancellable, error);
  g_autoptr (GArray) metrics = NULL;
  g_autoptr (StriaNeuronGroups) groups = NULL;
  StriaBounds bounds;

  if (scope == NULL)
    return FALSE;
  scope->lists_missing = TRUE;
  metrics = stria_neuron_summary_of (tables, scope, self->cancellable, error);
  if (metrics == NULL)
    return FALSE;
  groups = stria_neuron_groups_new (tables, scope, self->cancellable, error);
  if (groups == NULL)
    return FALSE;
  stria_bounds_make (metrics, &bounds);
  if (self->json != NULL)
    {
      cli_json_begin_object (self->json, NULL);
      cli_json_string (self->json, "profile", profile->title);
      cli_json_bool (self->json, "is_part", stria_summary_scope_is_part (scope));
      cli_json_metrics (self->json, metrics);
      json_bounds (self->json, &bounds);
      json_groups (self, "operators", groups->operators);
      json_groups (self, "opcodes", groups->opcodes);
      cli_json_end_object (self->json);
      return TRUE;
    }
  cli_print_metrics (profile->title, metrics);
  printf ("\n%s\n", _ ("Bounds"));
  {
    g_autofree char *text = stria_bounds_text (&bounds, metrics);

    fputs (text, stdout);
  }
  print_groups (self, _ ("Operators"), groups->operators);
  print_groups (self, _ ("Opcodes"), groups->opcodes);
  return TRUE;
}

/* -- traces of a framework ------------------------------------------------------------------- */

static void
json_times (CliJson *json, const StriaTimes *times)
{
  cli_json_double (json, "busy_ns", times->busy_ns);
  cli_json_double (json, "compute_ns", times->compute_ns);
  cli_json_double (json, "communication_ns", times->communication_ns);
  cli_json_double (json, "memory_ns", times->memory_ns);
  cli_json_double (json, "hidden_ns", times->hidden_ns);
}

static void
json_activity (const Summary *self, const StriaActivity *activity)
{
  CliJson *json = self->json;
  StriaTrace *trace = self->open->trace;

  cli_json_begin_array (json, "devices");
  for (guint i = 0; i < activity->devices->len; i++)
    {
      const StriaDeviceActivity *device
          = &g_array_index (activity->devices, StriaDeviceActivity, i);
      g_autofree char *title = stria_trace_process_title (trace, device->process);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "device", title);
      json_times (json, &device->times);
      cli_json_uint (json, "kernels", device->n_kernels);
      cli_json_uint (json, "communications", device->n_communications);
      cli_json_uint (json, "copies", device->n_copies);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "streams");
  for (guint i = 0; i < activity->streams->len; i++)
    {
      const StriaStreamActivity *stream
          = &g_array_index (activity->streams, StriaStreamActivity, i);

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "device", stream->device);
      cli_json_string (json, "stream",
                       stria_lane_get_name (stria_trace_get_lane (trace, stream->lane)));
      cli_json_uint (json, "slices", stream->n_slices);
      json_times (json, &stream->times);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  cli_json_begin_array (json, "steps");
  for (guint i = 0; i < activity->steps->len; i++)
    {
      const StriaStepActivity *step = &g_array_index (activity->steps, StriaStepActivity, i);

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "device", step->device);
      cli_json_string (json, "step", stria_trace_get_string (trace, step->name));
      cli_json_int (json, "start_ns", step->start_ns);
      cli_json_int (json, "end_ns", step->end_ns);
      json_times (json, &step->times);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
times_cells (CliTable *table, const StriaTimes *times, double whole)
{
  const double values[] = { times->compute_ns, times->communication_ns, times->memory_ns,
                            times->hidden_ns, MAX (whole - times->busy_ns, 0) };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    cli_table_take (table, stria_format_duration ((gint64) values[i], 4));
  cli_table_take (table, stria_format_percent (whole > 0 ? times->busy_ns / whole : 0));
}

static CliTable *
times_table (const char *title)
{
  CliTable *table = cli_table_new (stdout);

  cli_table_column (table, title, FALSE);
  cli_table_column (table, _ ("Computing"), TRUE);
  cli_table_column (table, _ ("Communication"), TRUE);
  cli_table_column (table, _ ("Copies"), TRUE);
  cli_table_column (table, _ ("Overlap"), TRUE);
  cli_table_column (table, _ ("Idle"), TRUE);
  cli_table_column (table, _ ("Busy"), TRUE);
  return table;
}

static void
print_activity (const Summary *self, const StriaActivity *activity)
{
  StriaTrace *trace = self->open->trace;
  double whole = (double) activity->end_ns - (double) activity->start_ns;
  CliTable *table = times_table (_ ("Device"));

  for (guint i = 0; i < activity->devices->len; i++)
    {
      const StriaDeviceActivity *device
          = &g_array_index (activity->devices, StriaDeviceActivity, i);
      g_autofree char *title = stria_trace_process_title (trace, device->process);

      cli_table_take (table, cli_printable (title));
      times_cells (table, &device->times, whole);
    }
  cli_table_finish (table);
  printf ("\n");
  table = times_table (_ ("Stream"));
  for (guint i = 0; i < activity->streams->len; i++)
    {
      const StriaStreamActivity *stream
          = &g_array_index (activity->streams, StriaStreamActivity, i);

      cli_table_take (table, cli_printable (stria_lane_get_name (
                                 stria_trace_get_lane (trace, stream->lane))));
      times_cells (table, &stream->times, whole);
    }
  cli_table_finish (table);
  if (activity->steps->len == 0)
    return;
  printf ("\n");
  table = times_table (_ ("Step"));
  for (guint i = 0; i < activity->steps->len; i++)
    {
      const StriaStepActivity *step = &g_array_index (activity->steps, StriaStepActivity, i);

      cli_table_take (table, cli_printable (stria_trace_get_string (trace, step->name)));
      times_cells (table, &step->times, (double) step->end_ns - (double) step->start_ns);
    }
  cli_table_finish (table);
}

/* -- command --------------------------------------------------------------------------------- */

static gboolean
trace_summary (const Summary *self, GError **error)
{
  gint64 t0 = self->t0, t1 = self->t1;
  g_autoptr (StriaActivity) activity = NULL;

  if (!self->has_range && !stria_trace_get_range (self->open->trace, &t0, &t1))
    return TRUE;
  activity = stria_activity_new (self->open->trace, NULL, 0, t0, t1, self->cancellable, error);
  if (activity == NULL)
    return FALSE;
  if (self->json != NULL)
    json_activity (self, activity);
  else if (activity->devices->len > 0)
    print_activity (self, activity);
  return TRUE;
}

static gboolean
print_all (const Summary *self, GError **error)
{
  g_autoptr (GPtrArray) profiles = stria_neuron_profiles (self->open->capture);

  if (self->json != NULL)
    cli_json_begin_array (self->json, "profiles");
  for (guint i = 0; i < profiles->len; i++)
    if (!device_summary (self, profiles->pdata[i], error))
      return FALSE;
  if (self->json != NULL)
    cli_json_end_array (self->json);
  return trace_summary (self, error);
}

static CliExit
run_summary (CliContext *context, int argc, char **argv)
{
  g_autofree char *range = NULL;
  g_autofree char *format = NULL;
  gboolean absolute = FALSE;
  int core = -1, top = 12;
  const GOptionEntry entries[] = {
    { "range", 'r', 0, G_OPTION_ARG_STRING, &range, N_ ("Only what happened from A to B"),
      N_ ("A:B") },
    { "absolute", 0, 0, G_OPTION_ARG_NONE, &absolute,
      N_ ("Times are those of the file, not relative to its start"), NULL },
    { "core", 0, 0, G_OPTION_ARG_INT, &core, N_ ("Only this physical core"), N_ ("N") },
    { "top", 'n', 0, G_OPTION_ARG_INT, &top,
      N_ ("Operators and opcodes to print; 0 for all (default 12)"), N_ ("N") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, N_ ("table (default) or json"),
      N_ ("FORMAT") },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  g_auto (CliCapture) open = { 0 };
  g_autoptr (GError) error = NULL;
  Summary self = { .open = &open, .cancellable = context->cancellable };
  CliJson json;
  CliExit exit;
  gboolean ok;

  if (!cli_parse (context, &cli_command_summary, argc, argv, entries, 1, G_MAXUINT))
    return CLI_USAGE;
  if (format != NULL && !g_str_equal (format, "table") && !g_str_equal (format, "json"))
    return cli_usage (context, _ ("“%s” is no format; there are table and json"), format);
  if (top < 0)
    return cli_usage (context, _ ("--top takes a number from 0"));
  if (format != NULL)
    context->json = g_str_equal (format, "json");
  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_DEFAULT, &open);
  if (!cli_is_open (exit))
    return exit;
  self.core = core;
  self.top = (guint) top;
  self.has_range = range != NULL;
  if (!cli_parse_range (range, absolute, open.trace, &self.t0, &self.t1, &error))
    return cli_fail (context, CLI_USAGE, error);
  if (context->json)
    {
      self.json = &json;
      cli_json_init (&json, stdout, 3);
      cli_json_begin_object (&json, NULL);
    }
  ok = print_all (&self, &error);
  if (!ok)
    return cli_fail (context, CLI_FAILED, error);
  if (context->json)
    {
      cli_json_end_object (&json);
      cli_json_finish (&json);
    }
  return exit;
}

const CliCommand cli_command_summary = {
  .name = "summary",
  .parameters = N_ ("CAPTURE…"),
  .summary = N_ ("Activity, utilization and bounds of devices, of all or a part of the time"),
  .run = run_summary,
};
