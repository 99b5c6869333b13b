/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-bounds.h"

static const struct
{
  const char *name, *formula;
  const char *numerator, *without, *denominator; /* metrics; time if there is no denominator */
} sources[STRIA_BOUND_PIPELINE] = {
  [STRIA_BOUND_MEMORY] = { "memory_bound", "dma_active_time", "dma_active_time", NULL, NULL },
  [STRIA_BOUND_MEMORY_IDEAL]
  = { "memory_bound_ideal", "dma_payload_bytes / dma_ddr_bandwidth", "dma_payload_bytes", NULL,
      "dma_ddr_bandwidth" },
  [STRIA_BOUND_MEMORY_NO_RELOADS]
  = { "memory_bound_ideal_no_reloads", "in_out_tensor_bytes / dma_ddr_bandwidth",
      "in_out_tensor_bytes", NULL, "dma_ddr_bandwidth" },
  [STRIA_BOUND_COMPUTE]
  = { "compute_bound", "tensor_engine_active_time", "tensor_engine_active_time", NULL, NULL },
  [STRIA_BOUND_COMPUTE_FLOPS]
  = { "compute_bound_ideal_flops", "adjusted_hardware_flops / tensor_engine_peak",
      "adjusted_hardware_flops", NULL, "tensor_engine_peak" },
  [STRIA_BOUND_COMPUTE_USEFUL]
  = { "compute_bound_ideal_useful_flops",
      "(adjusted_hardware_flops - adjusted_transpose_flops) / tensor_engine_peak",
      "adjusted_hardware_flops", "adjusted_transpose_flops", "tensor_engine_peak" },
};

/* What can be busy: the engines, and DMA */
static const struct
{
  const char *metric, *name;
} workers[] = {
  { "tensor_engine_active_time", "Tensor" }, { "vector_engine_active_time", "Vector" },
  { "scalar_engine_active_time", "Scalar" }, { "gpsimd_engine_active_time", "GpSimd" },
  { "sync_engine_active_time", "Sync" },     { "dma_active_time", "DMA" },
};
#define TENSOR 0
#define DMA 5

/* Gap: from one bound, or the total (-1), to another; the worker that closing it makes faster, -1:
 * all */
static const struct
{
  int from, to, touches;
} gap_ends[STRIA_N_GAPS] = {
  [STRIA_GAP_DMA_IDLE] = { -1, STRIA_BOUND_MEMORY, DMA },
  [STRIA_GAP_DMA_SLOW] = { STRIA_BOUND_MEMORY, STRIA_BOUND_MEMORY_IDEAL, DMA },
  [STRIA_GAP_RELOADS] = { STRIA_BOUND_MEMORY_IDEAL, STRIA_BOUND_MEMORY_NO_RELOADS, DMA },
  [STRIA_GAP_TENSOR_IDLE] = { -1, STRIA_BOUND_COMPUTE, TENSOR },
  [STRIA_GAP_TENSOR_SLOW] = { STRIA_BOUND_COMPUTE, STRIA_BOUND_COMPUTE_FLOPS, TENSOR },
  [STRIA_GAP_TRANSPOSES] = { STRIA_BOUND_COMPUTE_FLOPS, STRIA_BOUND_COMPUTE_USEFUL, TENSOR },
  [STRIA_GAP_SERIAL] = { -1, STRIA_BOUND_PIPELINE, -1 },
};

static const char *
missing_of (GArray *metrics, const char *name)
{
  const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, name);

  return metric != NULL && metric->missing != NULL ? metric->missing : name;
}

static void
make_bound (GArray *metrics, guint kind, StriaBound *bound)
{
  const char *const inputs[]
      = { sources[kind].numerator, sources[kind].without, sources[kind].denominator };
  double values[] = { 0, 0, 1 };

  bound->name = sources[kind].name;
  bound->formula = sources[kind].formula;
  bound->has_value = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    if (inputs[i] != NULL && !stria_neuron_metric_get (metrics, inputs[i], &values[i]))
      {
        bound->has_value = FALSE;
        bound->missing = missing_of (metrics, inputs[i]);
        return;
      }
  bound->seconds = (values[0] - values[1]) / values[2];
}

/* The longest that any worker but one is busy; @of: which */
static gboolean
slowest (GArray *metrics, int but, double *seconds, const char **of)
{
  gboolean any = FALSE;
  double busy;

  *seconds = 0;
  *of = NULL;
  for (int w = 0; w < (int) G_N_ELEMENTS (workers); w++)
    {
      if (w == but || !stria_neuron_metric_get (metrics, workers[w].metric, &busy))
        continue;
      any = TRUE;
      if (busy <= *seconds && *of != NULL)
        continue;
      *seconds = busy;
      *of = workers[w].name;
    }
  return any;
}

static void
make_gap (GArray *metrics, StriaBounds *self, guint kind)
{
  StriaGap *gap = &self->gaps[kind];
  const StriaBound *to = &self->bounds[gap_ends[kind].to];
  const StriaBound *from = gap_ends[kind].from >= 0 ? &self->bounds[gap_ends[kind].from] : NULL;
  double others;
  const char *of;

  gap->kind = kind;
  gap->has_value = self->has_total && to->has_value && (from == NULL || from->has_value);
  if (!gap->has_value)
    {
      gap->missing = !self->has_total ? "total_time"
                     : !to->has_value ? to->missing
                                      : from->missing;
      return;
    }
  gap->seconds = (from != NULL ? from->seconds : self->total) - to->seconds;
  gap->share = gap->seconds / self->total;
  others = 0;
  of = NULL;
  if (gap_ends[kind].touches >= 0 && !slowest (metrics, gap_ends[kind].touches, &others, &of))
    return;
  others = MAX (others, to->seconds);
  gap->has_speedup = others > 0;
  gap->speedup = others > 0 ? self->total / others : 0;
  gap->limit = others > to->seconds ? of : NULL;
}

void
stria_bounds_make (GArray *metrics, StriaBounds *self)
{
  StriaBound *pipeline = &self->bounds[STRIA_BOUND_PIPELINE];

  *self = (StriaBounds){ 0 };
  self->has_total
      = stria_neuron_metric_get (metrics, "total_time", &self->total) && self->total > 0;
  for (guint i = 0; i < STRIA_BOUND_PIPELINE; i++)
    make_bound (metrics, i, &self->bounds[i]);
  pipeline->name = "perfect_pipeline";
  pipeline->formula = "longest of tensor_engine_active_time, vector_engine_active_time, "
                      "scalar_engine_active_time, gpsimd_engine_active_time, "
                      "sync_engine_active_time, dma_active_time";
  pipeline->has_value = slowest (metrics, -1, &pipeline->seconds, &pipeline->of);
  if (!pipeline->has_value)
    pipeline->missing = missing_of (metrics, "tensor_engine_active_time");
  for (guint i = 0; i < STRIA_N_GAPS; i++)
    make_gap (metrics, self, i);
}
