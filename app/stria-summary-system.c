/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-neuron.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-share-chart.h"
#include "stria-summary-cards.h"

static void
add_count (GtkWidget *grid, const char *title, guint64 n, const char *tip)
{
  g_autofree char *count = stria_format_count (n);

  stria_summary_grid_add (grid, title, -1, 0, count, NULL, tip);
}

static void
add_overview (GtkBox *column, const StriaSystemSummary *system)
{
  GtkWidget *grid
      = stria_summary_grid_new (stria_summary_card_new (column, _ ("System"), NULL));
  g_autofree char *span
      = system->has_span ? stria_neuron_metric_format (system->span_ns / 1e9, "s") : NULL;
  g_autofree char *run
      = system->n_runs > 0 ? stria_neuron_metric_format (system->run_ns / 1e9, "s") : NULL;

  add_count (grid, _ ("Instances"), system->n_instances,
             _ ("Different SystemProfileEvents.instance_id"));
  add_count (grid, _ ("Processes"), system->n_processes,
             _ ("Different pairs of SystemProfileEvents.instance_id and process_id"));
  add_count (grid, _ ("Events"), system->n_events, _ ("Rows of SystemProfileEvents"));
  stria_summary_grid_add (grid, _ ("Time of the profile"), -1, 0, span,
                          _ ("SystemProfileEvents with a time"),
                          _ ("From the first begin to the last end of SystemProfileEvents"));
  stria_summary_grid_add (grid, _ ("Device runtime"), -1, 0, run, _ ("events nc_exec_running"),
                          _ ("Sum of duration_ns of events nc_exec_running, of all cores"));
  if (system->n_runs > 0)
    add_count (grid, _ ("Executions"), system->n_runs, _ ("Events nc_exec_running"));
  add_count (grid, _ ("Device profiles"), system->n_devices, _ ("Of the whole capture"));
}

static void
add_memory (GtkBox *column, const StriaSystemSummary *system)
{
  GtkWidget *body = stria_summary_card_new (column, _ ("HBM in Use"), _ ("peak")), *grid;
  gint64 largest = 0;

  if (system->memory->len == 0)
    {
      gtk_box_append (GTK_BOX (body),
                      stria_summary_text_new (_ ("not available: needs SystemProfileHbmUsage"),
                                              TRUE));
      return;
    }
  grid = stria_summary_grid_new (body);
  for (guint i = 0; i < system->memory->len; i++)
    largest = MAX (largest, ((StriaSystemMemory *) system->memory->pdata[i])->peak_bytes);
  for (guint i = 0; i < system->memory->len; i++)
    {
      const StriaSystemMemory *memory = system->memory->pdata[i];
      g_autofree char *title
          = g_strdup_printf ("ND %" G_GINT64_FORMAT " HBM %" G_GINT64_FORMAT, memory->device,
                             memory->stack);
      g_autofree char *peak = stria_format_bytes (memory->peak_bytes);
      g_autofree char *last = stria_format_bytes (memory->last_bytes);
      g_autofree char *tip
          = g_strdup_printf (_ ("%s, %s: largest total_bytes of its samples. Last sample: %s"),
                             memory->instance, title, last);

      stria_summary_grid_add (grid, title,
                              largest > 0 ? (double) memory->peak_bytes / (double) largest : 0, 1,
                              peak, NULL, tip);
    }
}

static void
add_device (GtkBox *column, const StriaSystemDevice *device)
{
  static const struct
  {
    const char *metric, *title;
    gboolean has_bar;
  } figures[] = {
    { "total_time", N_ ("Duration"), FALSE },
    { "mfu_inst_estimated_percent", N_ ("MFU, instructions"), TRUE },
    { "hfu_estimated_percent", N_ ("HFU"), TRUE },
    { "mbu_estimated_percent", N_ ("MBU"), TRUE },
    { "cc_op_active_time_percent", N_ ("Collectives"), TRUE },
    { "tensor_engine_active_time_percent", N_ ("Tensor"), TRUE },
    { "dma_active_time_percent", N_ ("DMA"), TRUE },
    { "hbm_read_bytes", N_ ("HBM read"), FALSE },
    { "hbm_write_bytes", N_ ("HBM written"), FALSE },
  };
  GtkWidget *body = stria_summary_card_new (column, device->title, NULL);
  GtkWidget *grid = stria_summary_grid_new (body);
  GString *missing = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      double value;

      if (stria_neuron_metric_get (device->metrics, figures[i].metric, &value))
        stria_summary_grid_metric (grid, device->metrics, figures[i].metric, _ (figures[i].title),
                                   figures[i].has_bar);
      else
        g_string_append_printf (missing, "%s%s", missing->len > 0 ? ", " : "",
                                _ (figures[i].title));
    }
  if (missing->len > 0)
    {
      g_autofree char *text
          = g_strdup_printf (_ ("not available: %s. Its own summary says what each needs."),
                             missing->str);

      gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
    }
  g_string_free (missing, TRUE);
}

void
stria_summary_system_fill (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures)
{
  const StriaSystemSummary *system = figures->system;

  add_overview (left, system);
  add_memory (left, system);
  for (guint i = 0; i < system->devices->len; i++)
    add_device (i % 2 == 0 ? right : left, system->devices->pdata[i]);
  if (system->n_devices > system->devices->len)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("… and %u device profiles more; choose one above for its figures"),
          system->n_devices - system->devices->len);

      gtk_box_append (right, stria_summary_text_new (text, TRUE));
    }
}
