/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-system-summary.h"
#include "stria-summary-rows.h"

static void
device_free (gpointer data)
{
  StriaSystemDevice *self = data;

  g_free (self->title);
  g_clear_pointer (&self->metrics, g_array_unref);
  g_free (self);
}

static void
memory_free (gpointer data)
{
  StriaSystemMemory *self = data;

  g_free (self->instance);
  g_free (self);
}

GPtrArray *
stria_system_summary_tables (StriaCapture *capture)
{
  static const char *const names[] = { "SystemProfileEvents", "SystemProfileHbmUsage" };
  g_autoptr (GPtrArray) all = stria_capture_get_tables (capture);
  GPtrArray *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_table_unref);

  for (guint i = 0; i < all->len; i++)
    for (guint n = 0; n < G_N_ELEMENTS (names); n++)
      if (g_ascii_strcasecmp (stria_table_get_name (all->pdata[i]), names[n]) == 0)
        g_ptr_array_add (tables, stria_table_ref (all->pdata[i]));
  return tables;
}

static gboolean
read_events (StriaSystemSummary *self, GPtrArray *tables, const StriaSummaryScope *scope,
             GCancellable *cancellable, GError **error)
{
  static const char *const wanted[] = { "start_ts", "duration_ns", "nc_idx", "instance_id",
                                        "process_id", "name", NULL };
  StriaSummaryRows rows = { .tables = tables, .cancellable = cancellable, .error = error,
                            .name = "SystemProfileEvents", .wanted = wanted, .scope = scope };
  g_autoptr (GHashTable) instances = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gint64 first = G_MAXINT64, last = G_MININT64, end;
  StriaSummaryPart part;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        guint32 length;
        const char *text = stria_summary_rows_text (&rows, 3, row, &length);
        g_autofree char *instance = g_strndup (text, length);
        gint64 process = stria_summary_rows_int (&rows, 4, row, -1);

        if (!stria_summary_rows_part (&rows, row, &part))
          continue;
        self->n_events++;
        if (process >= 0)
          g_hash_table_add (processes,
                            g_strdup_printf ("%s\x1f%" G_GINT64_FORMAT, instance, process));
        if (instance[0] != '\0')
          g_hash_table_add (instances, g_steal_pointer (&instance));
        if (part.duration < 0 || __builtin_add_overflow (part.start, part.duration, &end))
          continue;
        first = MIN (first, part.start);
        last = MAX (last, end);
        text = stria_summary_rows_text (&rows, 5, row, &length);
        if (length == strlen ("nc_exec_running") && strncmp (text, "nc_exec_running", length) == 0)
          {
            self->n_runs++;
            self->run_ns += (double) part.duration;
          }
      }
  stria_summary_rows_clear (&rows);
  self->n_instances = g_hash_table_size (instances);
  self->n_processes = g_hash_table_size (processes);
  self->has_span = first <= last;
  self->span_ns = self->has_span ? (double) last - (double) first : 0;
  return !rows.failed;
}

static StriaSystemMemory *
memory_of (StriaSystemSummary *self, const char *instance, guint32 length, gint64 device,
           gint64 stack)
{
  StriaSystemMemory *memory;

  for (guint i = 0; i < self->memory->len; i++)
    {
      memory = self->memory->pdata[i];
      if (memory->device == device && memory->stack == stack && strlen (memory->instance) == length
          && strncmp (memory->instance, instance, length) == 0)
        return memory;
    }
  memory = g_new0 (StriaSystemMemory, 1);
  memory->instance = g_strndup (instance, length);
  memory->device = device;
  memory->stack = stack;
  memory->last_ts = G_MININT64;
  g_ptr_array_add (self->memory, memory);
  return memory;
}

static gboolean
read_memory (StriaSystemSummary *self, GPtrArray *tables, const StriaSummaryScope *scope,
             GCancellable *cancellable, GError **error)
{
  /* Samples: nothing that lasts, and of no core */
  static const char *const wanted[] = { "timestamp", "", "", "instance_id", "device_idx", "hbm_idx",
                                        "total_bytes", NULL };
  StriaSummaryRows rows = { .tables = tables, .cancellable = cancellable, .error = error,
                            .name = "SystemProfileHbmUsage", .wanted = wanted, .scope = scope };
  StriaSummaryPart part;

  while (stria_summary_rows_next (&rows))
    for (guint32 row = 0; row < rows.n_rows; row++)
      {
        guint32 length;
        const char *instance = stria_summary_rows_text (&rows, 3, row, &length);
        gint64 bytes = stria_summary_rows_int (&rows, 6, row, -1);
        StriaSystemMemory *memory;

        /* Chosen lanes have no samples in them, and memory is in use whatever was chosen. */
        if (bytes < 0
            || (!stria_summary_rows_part (&rows, row, &part)
                && (scope == NULL || !scope->has_lanes)))
          continue;
        memory = memory_of (self, instance, length, stria_summary_rows_int (&rows, 4, row, -1),
                            stria_summary_rows_int (&rows, 5, row, -1));
        memory->peak_bytes = MAX (memory->peak_bytes, bytes);
        if (part.start >= memory->last_ts)
          {
            memory->last_ts = part.start;
            memory->last_bytes = bytes;
          }
      }
  stria_summary_rows_clear (&rows);
  return !rows.failed;
}

static gboolean
read_devices (StriaSystemSummary *self, StriaCapture *capture, GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GPtrArray) profiles = stria_neuron_profiles (capture);

  self->n_devices = profiles->len;
  for (guint i = 0; i < profiles->len && i < STRIA_SYSTEM_MAX_DEVICES; i++)
    {
      StriaNeuronProfile *profile = profiles->pdata[i];
      g_autoptr (GPtrArray) tables = stria_neuron_summary_tables (capture, profile->artifact);
      GArray *metrics = stria_neuron_summary (tables, cancellable, error);
      StriaSystemDevice *device;

      if (metrics == NULL)
        return FALSE;
      device = g_new0 (StriaSystemDevice, 1);
      device->title = g_strdup (profile->title);
      device->metrics = metrics;
      g_ptr_array_add (self->devices, device);
    }
  return TRUE;
}

StriaSystemSummary *
stria_system_summary_new (StriaCapture *capture, const StriaSummaryScope *scope,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaSystemSummary) self = g_new0 (StriaSystemSummary, 1);
  g_autoptr (GPtrArray) tables = stria_system_summary_tables (capture);

  self->devices = g_ptr_array_new_with_free_func (device_free);
  self->memory = g_ptr_array_new_with_free_func (memory_free);
  if (!read_events (self, tables, scope, cancellable, error)
      || !read_memory (self, tables, scope, cancellable, error)
      || !read_devices (self, capture, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
stria_system_summary_free (StriaSystemSummary *self)
{
  g_clear_pointer (&self->devices, g_ptr_array_unref);
  g_clear_pointer (&self->memory, g_ptr_array_unref);
  g_free (self);
}
