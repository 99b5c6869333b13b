/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-groups.h"

/* The published rules of the summary page, with their thresholds; that small transfers are below 4
 * KiB is of the timeline's warning, and what stands out from a group is ours (not published). */

#define LOW_SHARE 0.5
#define MUCH_TRANSPOSE 0.1
#define MUCH_RELOAD 0.25
#define SMALL_DMA 4096

static void
insight_free (gpointer data)
{
  StriaInsight *self = data;

  g_free (self->detail);
  g_free (self);
}

static StriaInsight *
insight_new (GPtrArray *insights, StriaInsightRule rule, double threshold)
{
  StriaInsight *self = g_new0 (StriaInsight, 1);

  self->rule = rule;
  self->threshold = threshold;
  g_ptr_array_add (insights, self);
  return self;
}

/* Compares a metric that has the value to be compared. */
static void
compare (GPtrArray *insights, StriaInsightRule rule, GArray *metrics, const char *name,
         double threshold, gboolean fires_below)
{
  StriaInsight *self = insight_new (insights, rule, threshold);
  const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, name);

  self->metric = name;
  if (stria_neuron_metric_get (metrics, name, &self->value))
    self->fires = fires_below ? self->value < threshold : self->value > threshold;
  else
    self->missing = metric != NULL && metric->missing != NULL ? metric->missing : name;
}

/* The least share of an engine's instructions that come from an NKI kernel. A profile without any
 * is not one of a kernel. */
static void
compare_coverage (GPtrArray *insights, const StriaNeuronGroups *groups)
{
  StriaInsight *self = insight_new (insights, STRIA_INSIGHT_NKI_COVERAGE, LOW_SHARE);
  gboolean any = FALSE;

  self->value = 1;
  /* Tensor, vector and scalar */
  for (guint e = 0; e < 3; e++)
    {
      double share;

      any |= groups->n_nki[e] > 0;
      if (groups->n_code[e] == 0)
        continue;
      share = (double) groups->n_nki[e] / (double) groups->n_code[e];
      if (share > self->value || (self->detail != NULL && share == self->value))
        continue;
      self->value = share;
      g_free (self->detail);
      self->detail = g_strdup (stria_neuron_engine_name (e));
    }
  if (!any)
    self->missing = "Instruction.nki_source_location";
  self->fires = any && self->value < LOW_SHARE;
}

static void
compare_reload (GPtrArray *insights, GArray *metrics)
{
  StriaInsight *self = insight_new (insights, STRIA_INSIGHT_SPILL_RELOAD, MUCH_RELOAD);
  double useful;

  self->metric = "useful_read_percent";
  if (!stria_neuron_metric_get (metrics, self->metric, &useful))
    {
      self->missing = "HBM bytes, spilled bytes";
      return;
    }
  self->value = 1 - useful;
  self->fires = self->value > MUCH_RELOAD;
}

static void
compare_collectives (GPtrArray *insights, const StriaNeuronGroups *groups)
{
  StriaInsight *self
      = insight_new (insights, STRIA_INSIGHT_COLLECTIVES, STRIA_NEURON_OUTLIER_MEDIANS);
  gboolean any = FALSE;

  for (guint i = 0; i < groups->collectives->len; i++)
    {
      const StriaNeuronCollective *group = groups->collectives->pdata[i];
      double share = group->median_ns > 0 ? group->max_ns / group->median_ns : 0;

      if (group->count < 4)
        continue;
      any = TRUE;
      if (share <= self->value)
        continue;
      self->value = share;
      g_free (self->detail);
      self->detail = g_strdup (group->operation);
    }
  if (!any)
    self->missing = "four collectives of one operation and size";
  self->fires = self->value > STRIA_NEURON_OUTLIER_MEDIANS;
}

GPtrArray *
stria_neuron_insights (GArray *metrics, const StriaNeuronGroups *groups)
{
  GPtrArray *insights = g_ptr_array_new_with_free_func (insight_free);

  compare (insights, STRIA_INSIGHT_MODEL_FLOPS, metrics, "active_flops_utilization", LOW_SHARE,
           TRUE);
  compare_coverage (insights, groups);
  compare (insights, STRIA_INSIGHT_THROTTLING, metrics, "flops_active_throttled", 0, FALSE);
  compare (insights, STRIA_INSIGHT_TRANSPOSE, metrics, "transpose_flops_percent", MUCH_TRANSPOSE,
           FALSE);
  compare_collectives (insights, groups);
  compare_reload (insights, metrics);
  compare (insights, STRIA_INSIGHT_SMALL_DMA, metrics, "dma_transfer_average_bytes", SMALL_DMA,
           TRUE);
  return insights;
}
