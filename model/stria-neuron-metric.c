/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-neuron-summary.h"
#include "stria-summary-rows.h"

gboolean
stria_neuron_metric_get (GArray *metrics, const char *name, double *value)
{
  const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, name);

  if (metric == NULL || (!metric->has_value && !metric->has_reported))
    return FALSE;
  *value = metric->has_value ? metric->value : metric->reported;
  return TRUE;
}

/* With a prefix of the thousands: rates and operations have too many digits to be read */
static char *
format_large (double value, const char *unit)
{
  static const char *const prefixes[] = { "", "k", "M", "G", "T", "P", "E" };
  g_autofree char *prefixed = NULL;
  guint p = 0;

  while (fabs (value) >= 1000 && p + 1 < G_N_ELEMENTS (prefixes))
    {
      value /= 1000;
      p++;
    }
  prefixed = g_strconcat (prefixes[p], unit, NULL);
  return stria_format_value (value, prefixed);
}

char *
stria_neuron_metric_format (double value, const char *unit)
{
  if (g_str_equal (unit, "flop") || g_str_equal (unit, "flop/s") || g_str_equal (unit, "B/s")
      || g_str_equal (unit, "cycles"))
    return format_large (value, unit);
  if (g_str_equal (unit, "of 1"))
    return stria_format_percent (value);
  if (g_str_equal (unit, "s"))
    return fabs (value) < 9e9 ? stria_format_duration ((gint64) llround (value * 1e9), 4)
                              : stria_format_value (value, unit);
  if (g_str_equal (unit, "B") && fabs (value) < 9e18)
    return stria_format_bytes ((gint64) llround (value));
  if (g_str_equal (unit, "") && value >= 0 && value < 1e18 && value == floor (value))
    return stria_format_count ((guint64) value);
  return stria_format_value (value, unit);
}

char *
stria_neuron_metric_inputs (GArray *metrics, const StriaNeuronMetric *metric)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
  GString *text = g_string_new (NULL);
  double value;

  for (const char *p = metric->formula; *p != '\0';)
    {
      gsize length = strspn (p, letters);
      g_autofree char *name = g_strndup (p, length);
      const StriaNeuronMetric *input;

      if (length == 0)
        {
          p++;
          continue;
        }
      /* A column of a table is no metric of the same name. */
      gboolean is_column = p > metric->formula && p[-1] == '.';

      p += length;
      input = is_column ? NULL : stria_neuron_metric_find (metrics, name);
      if (input == NULL || input == metric || !stria_neuron_metric_get (metrics, name, &value))
        continue;
      g_autofree char *number = stria_neuron_metric_format (value, input->unit);

      g_string_append_printf (text, "%s%s = %s", text->len > 0 ? "\n" : "", name, number);
    }
  return g_string_free (text, FALSE);
}

/* -- profiles -------------------------------------------------------------------------------- */

static void
profile_free (gpointer data)
{
  StriaNeuronProfile *self = data;

  g_free (self->title);
  g_free (self);
}

GPtrArray *
stria_neuron_summary_tables (StriaCapture *capture, guint artifact)
{
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);
  GPtrArray *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);
  StriaArtifact *self = stria_capture_get_artifact (capture, artifact);
  gboolean beside = g_str_has_suffix (stria_artifact_get_name (self), ".parquet");
  g_autofree char *folder = g_path_get_dirname (stria_artifact_get_name (self));

  for (guint i = 0; i < all->len; i++)
    {
      guint other = stria_table_get_artifact (all->pdata[i]);
      const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, other));
      g_autofree char *its = g_path_get_dirname (name);

      if (other == artifact
          || (beside && g_str_has_suffix (name, ".parquet") && g_str_equal (its, folder)))
        g_ptr_array_add (tables, stria_table_ref (all->pdata[i]));
    }
  return tables;
}

GPtrArray *
stria_neuron_profiles (StriaCapture *capture)
{
  static const char *const device_tables[] = { "Instruction", "Summary", "DmaPacket",
                                               "DmaPacketAggregated", "ActiveTime", "CcOp", NULL };
  GPtrArray *profiles = g_ptr_array_new_with_free_func (profile_free);
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);

  for (guint i = 0; i < all->len; i++)
    {
      guint artifact = stria_table_get_artifact (all->pdata[i]);
      const char *name = stria_artifact_get_name (stria_capture_get_artifact (capture, artifact));
      StriaNeuronProfile *profile;
      gboolean is_device = FALSE;

      for (guint t = 0; device_tables[t] != NULL; t++)
        if (g_ascii_strcasecmp (stria_table_get_name (all->pdata[i]), device_tables[t]) == 0)
          is_device |= stria_table_get_n_rows (all->pdata[i]) > 0;
      if (!is_device)
        continue;
      profile = g_new0 (StriaNeuronProfile, 1);
      profile->title = g_str_has_suffix (name, ".parquet") ? g_path_get_dirname (name)
                                                           : g_strdup (name);
      profile->artifact = artifact;
      if (g_hash_table_contains (told, profile->title))
        {
          profile_free (profile);
          continue;
        }
      g_hash_table_add (told, profile->title);
      g_ptr_array_add (profiles, profile);
    }
  return profiles;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

GArray *
stria_neuron_summary_cores (GPtrArray *tables, GCancellable *cancellable, GError **error)
{
  static const char *const names[] = { "Instruction", "ActiveTime", "DmaPacket" };
  static const char *const wanted[] = { "pcore_idx", NULL };
  GArray *cores = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint t = 0; t < G_N_ELEMENTS (names); t++)
    {
      StriaSummaryRows rows = { .tables = tables, .cancellable = cancellable, .error = error,
                                .name = names[t], .wanted = wanted };
      gint64 last = -1;

      while (stria_summary_rows_next (&rows))
        for (guint32 row = 0; row < rows.n_rows; row++)
          {
            gint64 core = stria_summary_rows_int (&rows, 0, row, -1);
            gboolean known = core < 0 || core == last;

            for (guint i = 0; !known && i < cores->len; i++)
              known = g_array_index (cores, gint64, i) == core;
            last = core;
            /* A column of something else would fill the list with nonsense. */
            if (!known && cores->len < 64)
              g_array_append_val (cores, core);
          }
      stria_summary_rows_clear (&rows);
      if (rows.failed)
        {
          g_array_unref (cores);
          return NULL;
        }
    }
  g_array_sort (cores, compare_numbers);
  return cores;
}
