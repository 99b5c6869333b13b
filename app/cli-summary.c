/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli-tables.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "cli-summary.h"
#include "cli-table.h"
#include "stria-format.h"
#include "stria-neuron-summary.h"

/* More than rounding of single precision, in which files keep their figures */
#define TOLERANCE 1e-5

typedef gboolean (*ProfileFunc) (const char *name, GArray *metrics, gpointer user_data);

/* Device profiles, each once: a folder of Parquet files, or a file of another kind */
static gboolean
each_profile (StriaCapture *capture, GCancellable *cancellable, ProfileFunc func,
              gpointer user_data, GError **error)
{
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray)  all = stria_capture_get_tables (capture);

  for (guint i = 0; i < all->len; i++)
    {
      guint       artifact = stria_table_get_artifact (all->pdata[i]);
      const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, artifact));
      gboolean    is_folder = g_str_has_suffix (name, ".parquet");
      g_autofree char *title = is_folder ? g_path_get_dirname (name) : g_strdup (name);
      g_autoptr (GPtrArray) tables = NULL;
      g_autoptr (GArray) metrics = NULL;

      if (g_hash_table_contains (told, title))
        continue;
      tables = stria_neuron_summary_tables (capture, artifact);
      metrics = stria_neuron_summary (tables, cancellable, error);
      if (metrics == NULL)
        return FALSE;
      if (metrics->len > 0 && !func (title, metrics, user_data))
        return FALSE;
      g_hash_table_add (told, g_steal_pointer (&title));
    }
  return TRUE;
}

static gboolean
differs (const StriaNeuronMetric *metric)
{
  double larger = MAX (fabs (metric->value), fabs (metric->reported));

  return metric->has_value && metric->has_reported
         && fabs (metric->value - metric->reported) > larger * TOLERANCE;
}

static char *
number_text (gboolean has, double value)
{
  return has ? stria_format_c_double (value) : NULL;
}

void
cli_print_metrics (const char *name, GArray *metrics)
{
  CliTable *table;
  g_autofree char *title = cli_printable (name);

  printf ("\n");
  printf (_ ("Summary of %s\n"), title);
  table = cli_table_new (stdout);
  cli_table_column (table, _ ("Metric"), FALSE);
  cli_table_column (table, _ ("From the rows"), TRUE);
  cli_table_column (table, _ ("In the file"), TRUE);
  cli_table_column (table, _ ("Unit"), FALSE);
  cli_table_column (table, _ ("Remark"), FALSE);
  for (guint i = 0; i < metrics->len; i++)
    {
      const StriaNeuronMetric *metric = &g_array_index (metrics, StriaNeuronMetric, i);

      cli_table_cell (table, metric->name);
      cli_table_take (table, number_text (metric->has_value, metric->value));
      cli_table_take (table, number_text (metric->has_reported, metric->reported));
      cli_table_cell (table, metric->unit);
      if (differs (metric))
        cli_table_take (table, g_strdup_printf (_ ("differ by %.3g %%"),
                                                100 * (metric->value - metric->reported)
                                                  / (metric->reported != 0 ? metric->reported
                                                                           : metric->value)));
      else
        cli_table_take (
            table, metric->has_value ? NULL : g_strdup_printf (_ ("needs %s"), metric->missing));
    }
  cli_table_finish (table);
}

static gboolean
print_profile (const char *name, GArray *metrics, gpointer user_data)
{
  cli_print_metrics (name, metrics);
  return TRUE;
}

void
cli_json_metrics (CliJson *json, GArray *metrics)
{
  cli_json_begin_array (json, "metrics");
  for (guint i = 0; i < metrics->len; i++)
    {
      const StriaNeuronMetric *metric = &g_array_index (metrics, StriaNeuronMetric, i);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", metric->name);
      cli_json_string (json, "unit", metric->unit);
      cli_json_string (json, "formula", metric->formula);
      if (metric->has_value)
        cli_json_double (json, "value", metric->value);
      else
        cli_json_string (json, "missing", metric->missing);
      if (metric->has_reported)
        cli_json_double (json, "reported", metric->reported);
      if (metric->has_value && metric->has_reported)
        cli_json_bool (json, "differs", differs (metric));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static gboolean
json_profile (const char *name, GArray *metrics, gpointer user_data)
{
  CliJson *json = user_data;

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "profile", name);
  cli_json_metrics (json, metrics);
  cli_json_end_object (json);
  return TRUE;
}

gboolean
cli_print_summaries (StriaCapture *capture, GCancellable *cancellable, GError **error)
{
  return each_profile (capture, cancellable, print_profile, NULL, error);
}

gboolean
cli_json_summaries (CliJson *json, StriaCapture *capture, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  gboolean              ok;

  if (tables->len == 0)
    return TRUE;
  cli_json_begin_array (json, "summaries");
  ok = each_profile (capture, cancellable, json_profile, json, error);
  cli_json_end_array (json);
  return ok;
}
