/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-neuron.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-share-chart.h"
#include "stria-summary-cards.h"

typedef struct
{
  const char *metric;
  const char *title;
  gboolean    has_bar;
} Figure;

static void
add_figures (GtkWidget *grid, GArray *metrics, const Figure *figures)
{
  for (; figures->metric != NULL; figures++)
    stria_summary_grid_metric (grid, metrics, figures->metric, _ (figures->title),
                               figures->has_bar);
}

/* -- activity -------------------------------------------------------------------------------- */

static const struct
{
  const char *title;
  const char *share;
  const char *time;
} workers[] = {
  { N_ ("Tensor"), "tensor_engine_active_time_percent", "tensor_engine_active_time" },
  { N_ ("Vector"), "vector_engine_active_time_percent", "vector_engine_active_time" },
  { N_ ("Scalar"), "scalar_engine_active_time_percent", "scalar_engine_active_time" },
  { N_ ("GpSimd"), "gpsimd_engine_active_time_percent", "gpsimd_engine_active_time" },
  { N_ ("Sync"), "sync_engine_active_time_percent", "sync_engine_active_time" },
  { N_ ("DMA"), "dma_active_time_percent", "dma_active_time" },
  { N_ ("Collectives"), "cc_op_active_time_percent", "cc_op_active_time" },
};

static void
add_activity (GtkBox *column, GArray *metrics)
{
  g_autofree char *note = NULL;
  GtkWidget *body, *grid;
  double total;

  if (stria_neuron_metric_get (metrics, "total_time", &total))
    {
      g_autofree char *text = stria_neuron_metric_format (total, "s");

      /* Translators: what a share is of, behind a card's title */
      note = g_strdup_printf (_ ("of %s"), text);
    }
  body = stria_summary_card_new (column, _ ("Engine Activity"), note);
  grid = stria_summary_grid_new (body);
  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    {
      const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, workers[i].time);
      g_autofree char *tip = metric != NULL ? stria_summary_metric_tip (metrics, metric) : NULL;
      g_autofree char *value = NULL;
      double share = -1, time;

      if (stria_neuron_metric_get (metrics, workers[i].time, &time))
        {
          g_autofree char *shown = stria_neuron_metric_format (time, "s");

          if (stria_neuron_metric_get (metrics, workers[i].share, &share))
            {
              g_autofree char *percent = stria_format_percent (share);

              value = g_strdup_printf ("%s · %s", percent, shown);
            }
          else
            value = g_steal_pointer (&shown);
        }
      stria_summary_grid_add (grid, _ (workers[i].title), share, 0, value,
                              metric != NULL ? metric->missing : NULL, tip);
    }
  stria_summary_grid_metric (grid, metrics, "total_active_time", _ ("Anything of these"), FALSE);
}

/* -- utilisation ----------------------------------------------------------------------------- */

static void
add_utilization (GtkBox *column, GArray *metrics)
{
  static const Figure figures[] = {
    { "hfu_estimated_percent", N_ ("HFU"), TRUE },
    { "mfu_inst_estimated_percent", N_ ("MFU, instructions"), TRUE },
    { "mfu_hlo_estimated_percent", N_ ("MFU, HLO"), TRUE },
    { "mfu_inst_max_achievable_estimated_percent", N_ ("MFU, ceiling"), FALSE },
    { "mbu_estimated_percent", N_ ("MBU"), TRUE },
    { "mbu_min_read_util_percent", N_ ("MBU, floor"), TRUE },
    { "mm_arithmetic_intensity", N_ ("Arithmetic intensity"), FALSE },
    { "peak_flops_bandwidth_ratio", N_ ("Ridge point"), FALSE },
    { "average_utilization_limit", N_ ("Mean limit (throttling)"), TRUE },
    { "hardware_flops", N_ ("Hardware FLOPs"), FALSE },
    { "transpose_flops", N_ ("Transpose FLOPs"), FALSE },
    { "tensor_engine_peak", N_ ("Tensor peak"), FALSE },
    { "matmul_instruction_count", N_ ("Matmuls"), FALSE },
    { NULL, NULL, FALSE },
  };
  double intensity, ridge;
  GtkWidget *body = stria_summary_card_new (column, _ ("Utilization"), NULL);

  add_figures (stria_summary_grid_new (body), metrics, figures);
  if (stria_neuron_metric_get (metrics, "mm_arithmetic_intensity", &intensity)
      && stria_neuron_metric_get (metrics, "peak_flops_bandwidth_ratio", &ridge))
    {
      g_autofree char *a = stria_neuron_metric_format (intensity, "flop/B");
      g_autofree char *b = stria_neuron_metric_format (ridge, "flop/B");
      g_autofree char *text = g_strdup_printf (
          intensity < ridge
              ? _ ("Bound by memory: an intensity of %s is below the ridge point of %s.")
              : _ ("Bound by compute: an intensity of %s is not below the ridge point of %s."),
          a, b);

      gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
    }
}

/* -- parts of a whole ------------------------------------------------------------------------ */

static void
add_flops (GtkBox *column, GArray *metrics)
{
  static const struct
  {
    const char *metric;
    const char *title;
    guint series;
  } parts[] = {
    { "flops_model", N_ ("Model"), 2 },
    { "flops_transpose", N_ ("Transposes"), 4 },
    { "flops_active_unproductive", N_ ("Active, unproductive"), 0 },
    { "flops_active_throttled", N_ ("Active, throttled"), 3 },
    { "flops_unused", N_ ("Unused"), 1 },
    { "flops_unused_throttled", N_ ("Unused, throttled"), STRIA_SHARE_GREY },
  };
  GtkWidget *body = stria_summary_card_new (column, _ ("Tensor FLOPs"), _ ("of the peak"));
  const StriaNeuronMetric *first = stria_neuron_metric_find (metrics, parts[0].metric);
  GtkWidget *bar, *grid;

  if (first == NULL || !first->has_value)
    {
      g_autofree char *text = g_strdup_printf (_ ("not available: needs %s"),
                                               first != NULL ? first->missing : "FLOPs");

      gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
      return;
    }
  bar = stria_share_chart_new (STRIA_SHARE_BAR);
  gtk_widget_set_size_request (bar, 48, 18);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Where the tensor engine's time went"), -1);
  gtk_box_append (GTK_BOX (body), bar);
  grid = stria_summary_grid_new (body);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, parts[i].metric);
      g_autofree char *made = stria_summary_metric_tip (metrics, metric);
      g_autofree char *tip = g_strdup_printf (
          "%s\n\n%s", made, _ ("How the whole is split is our reading; it is not published."));
      g_autofree char *value = stria_format_percent (metric->value);

      stria_share_chart_add (STRIA_SHARE_CHART (bar), metric->value, parts[i].series);
      stria_summary_grid_legend (grid, parts[i].series, _ (parts[i].title), value, tip);
    }
}

static void
add_slice (GtkWidget *ring, GtkWidget *grid, guint series, const char *title, double bytes,
           double available, const char *formula)
{
  g_autofree char *size = stria_neuron_metric_format (bytes, "B");
  g_autofree char *share = stria_format_percent (bytes / available);
  g_autofree char *all = stria_neuron_metric_format (available, "B");
  g_autofree char *value = g_strdup_printf ("%s · %s", size, share);
  g_autofree char *tip = g_strdup_printf (_ ("%s\n\nof total_time x hbm_ddr_bandwidth = %s"),
                                          formula, all);

  if (series != G_MAXUINT)
    stria_share_chart_add (STRIA_SHARE_CHART (ring), bytes / available, series);
  stria_summary_grid_legend (grid, series, title, value, tip);
}

static void
add_memory (GtkBox *column, GArray *metrics)
{
  static const Figure figures[] = {
    { "hbm_read_bytes", N_ ("HBM read"), FALSE },
    { "hbm_write_bytes", N_ ("HBM written"), FALSE },
    { "useful_read_percent", N_ ("Useful reads"), TRUE },
    { "sbuf_read_bytes", N_ ("SBUF read"), FALSE },
    { "sbuf_write_bytes", N_ ("SBUF written"), FALSE },
    { "psum_read_bytes", N_ ("PSUM read"), FALSE },
    { "psum_write_bytes", N_ ("PSUM written"), FALSE },
    { NULL, NULL, FALSE },
  };
  GtkWidget *body = stria_summary_card_new (column, _ ("Memory Bandwidth"), NULL);
  double total, peak, read, write, reload = 0, save = 0, available;
  GtkWidget *box, *ring, *legend;

  if (stria_neuron_metric_get (metrics, "total_time", &total)
      && stria_neuron_metric_get (metrics, "hbm_ddr_bandwidth", &peak)
      && stria_neuron_metric_get (metrics, "hbm_read_bytes", &read)
      && stria_neuron_metric_get (metrics, "hbm_write_bytes", &write) && total * peak > 0)
    {
      available = total * peak;
      stria_neuron_metric_get (metrics, "spill_reload_bytes", &reload);
      stria_neuron_metric_get (metrics, "spill_save_bytes", &save);
      box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
      ring = stria_share_chart_new (STRIA_SHARE_RING);
      gtk_accessible_update_property (GTK_ACCESSIBLE (ring), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("What the bandwidth of memory was used for"), -1);
      gtk_box_append (GTK_BOX (box), ring);
      legend = stria_summary_grid_new (box);
      gtk_box_append (GTK_BOX (body), box);
      add_slice (ring, legend, 1, _ ("Read"), MAX (read - reload, 0), available,
                 "hbm_read_bytes - spill_reload_bytes");
      add_slice (ring, legend, 0, _ ("Written"), MAX (write - save, 0), available,
                 "hbm_write_bytes - spill_save_bytes");
      add_slice (ring, legend, 4, _ ("Spill reload"), reload, available, "spill_reload_bytes");
      add_slice (ring, legend, 3, _ ("Spill save"), save, available, "spill_save_bytes");
    }
  add_figures (stria_summary_grid_new (body), metrics, figures);
}

static void
add_dma (GtkBox *column, GArray *metrics)
{
  static const Figure figures[] = {
    { "dma_efficiency", N_ ("Efficiency"), TRUE },
    { "dma_transfer_count", N_ ("Transfers"), FALSE },
    { "dma_transfer_total_bytes", N_ ("Bytes of transfers"), FALSE },
    { "dma_transfer_average_bytes", N_ ("Average size"), FALSE },
    { "dma_packet_time", N_ ("Time of packets"), FALSE },
    { "dma_coverage", N_ ("Packets in transfers"), TRUE },
    { NULL, NULL, FALSE },
  };
  static const struct
  {
    const char *size, *share, *count, *title;
  } kinds[] = {
    { "static_dma_size", "static_dma_size_percent", "static_dma_packet_count", N_ ("Static") },
    { "software_dynamic_dma_size", "software_dynamic_dma_size_percent",
      "software_dynamic_dma_packet_count", N_ ("Software dynamic") },
    { "hardware_dynamic_dma_size", "hardware_dynamic_dma_size_percent",
      "hardware_dynamic_dma_packet_count", N_ ("Hardware dynamic") },
  };
  GtkWidget *body = stria_summary_card_new (column, _ ("DMA"), NULL), *bar, *grid;
  double share, size, count;

  if (stria_neuron_metric_get (metrics, kinds[0].share, &share))
    {
      bar = stria_share_chart_new (STRIA_SHARE_BAR);
      gtk_widget_set_size_request (bar, 48, 18);
      gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Bytes by kind of DMA"), -1);
      gtk_box_append (GTK_BOX (body), bar);
      grid = stria_summary_grid_new (body);
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        {
          const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, kinds[i].size);
          g_autofree char *tip
              = metric != NULL ? stria_summary_metric_tip (metrics, metric) : NULL;

          if (!stria_neuron_metric_get (metrics, kinds[i].share, &share)
              || !stria_neuron_metric_get (metrics, kinds[i].size, &size)
              || !stria_neuron_metric_get (metrics, kinds[i].count, &count))
            continue;
          g_autofree char *bytes = stria_neuron_metric_format (size, "B");
          g_autofree char *percent = stria_format_percent (share);
          g_autofree char *packets = stria_neuron_metric_format (count, "");
          /* Translators: bytes, a share, and how many packets */
          g_autofree char *value = g_strdup_printf (
              ngettext ("%s · %s · %s packet", "%s · %s · %s packets", (gulong) count), bytes,
              percent, packets);

          stria_share_chart_add (STRIA_SHARE_CHART (bar), share, i);
          stria_summary_grid_legend (grid, i, _ (kinds[i].title), value, tip);
        }
    }
  add_figures (stria_summary_grid_new (body), metrics, figures);
}

void
stria_summary_neuron_fill (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures)
{
  add_activity (left, figures->metrics);
  stria_summary_neuron_advice (left, right, figures);
  add_utilization (left, figures->metrics);
  add_flops (left, figures->metrics);
  add_memory (right, figures->metrics);
  add_dma (right, figures->metrics);
  stria_summary_neuron_tables (left, right, figures);
}
