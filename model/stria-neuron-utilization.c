/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-making.h"

/* How much of what the hardware can do was used. Formulas are the published ones unless a comment
 * says otherwise. */

typedef struct
{
  double hardware, transpose, model;
  double read, write, reload;
  double peak;      /* of the tensor engine, flop/s */
  double bandwidth; /* of a stack of memory, B/s */
  gboolean has_hardware, has_transpose, has_model, has_hbm, has_reload, has_peak, has_bandwidth;
  gboolean one;     /* the peak is that of one core */
} Inputs;

/* Of the whole, the file's own figure is the surer one: an instruction need not say what it
 * moved. */
static gboolean
known_bytes (StriaNeuronMaking *self, const char *name, double *value)
{
  const StriaNeuronMetric *metric = stria_neuron_metric_find (self->metrics, name);

  if (metric != NULL && metric->has_reported)
    {
      *value = metric->reported;
      return TRUE;
    }
  return stria_neuron_making_known (self, name, value);
}

static void
read_inputs (StriaNeuronMaking *self, Inputs *in)
{
  double rows, cols, clock;

  in->one = self->core != -2;
  in->has_hardware = stria_neuron_making_known (self, "hardware_flops", &in->hardware);
  in->has_transpose = stria_neuron_making_known (self, "transpose_flops", &in->transpose);
  in->has_model = stria_neuron_making_known (self, "model_flops", &in->model);
  in->has_hbm = known_bytes (self, "hbm_read_bytes", &in->read)
                && known_bytes (self, "hbm_write_bytes", &in->write);
  in->has_reload = known_bytes (self, "spill_reload_bytes", &in->reload);
  /* 2 x rows x columns x clock; the clock is given in GHz. */
  in->has_peak
      = stria_neuron_making_fact (self, "Metadata", "tensor_engine_num_rows", &rows, NULL)
        && stria_neuron_making_fact (self, "Metadata", "tensor_engine_num_cols", &cols, NULL)
        && stria_neuron_making_fact (self, "Metadata", "tensor_engine_clock_freq", &clock, NULL);
  in->peak = in->has_peak ? rows * cols * 2 * clock * 1e9 : 0;
  in->has_peak = in->has_peak && in->peak > 0;
  in->has_bandwidth
      = stria_neuron_making_fact (self, "Metadata", "hbm_ddr_bandwidth", &in->bandwidth, NULL)
        && in->bandwidth > 0;
}

#define NEEDS "Metadata, FLOPs, total_time"

static void
add_flops (StriaNeuronMaking *self, const Inputs *in)
{
  gboolean can = in->has_peak && self->has_total && in->one;
  const char *needs = in->one ? NEEDS : STRIA_NEURON_SEVERAL;
  double useful = in->hardware - in->transpose, capacity = in->peak * self->total;
  double core_clock;

  if (stria_neuron_making_fact (self, "Metadata", "neuroncore_clock_freq", &core_clock, NULL))
    stria_neuron_making_add (self, "neuroncore_cycle_count", "cycles",
                             "total_time x neuroncore_clock_freq", self->has_total,
                             self->total * core_clock * 1e9, "total_time");
  stria_neuron_making_add (self, "tensor_engine_peak", "flop/s",
                           "Metadata: 2 x tensor_engine_num_rows x tensor_engine_num_cols x "
                           "tensor_engine_clock_freq", in->has_peak, in->peak,
                           "Metadata.tensor_engine_num_rows, _num_cols, _clock_freq");
  stria_neuron_making_add (self, "hbm_ddr_bandwidth", "B/s", "Metadata.hbm_ddr_bandwidth",
                           in->has_bandwidth, in->bandwidth, "Metadata.hbm_ddr_bandwidth");
  stria_neuron_making_add (self, "hfu_estimated_percent", "of 1",
                           "hardware_flops / (tensor_engine_peak x total_time)",
                           in->has_hardware && can, in->hardware / capacity, needs);
  stria_neuron_making_add (
      self, "mfu_inst_estimated_percent", "of 1",
      "(hardware_flops - transpose_flops) / (tensor_engine_peak x total_time)",
      in->has_hardware && in->has_transpose && can, useful / capacity, needs);
  stria_neuron_making_add (self, "model_flops", "flop", "2 x MACs of the HLO (not in any row)",
                           FALSE, 0, "Summary of the whole profile");
  stria_neuron_making_add (self, "mfu_hlo_estimated_percent", "of 1",
                           "model_flops / (tensor_engine_peak x total_time)", in->has_model && can,
                           in->model / capacity,
                           in->one ? "Summary.model_flops, Metadata" : STRIA_NEURON_SEVERAL);
}

static void
add_memory (StriaNeuronMaking *self, const Inputs *in)
{
  double hbm = in->has_hbm ? in->read + in->write : 0, inputs;
  double useful = in->hardware - in->transpose;
  gboolean has_useful = in->has_hardware && in->has_transpose;
  gboolean has_ratio = in->has_peak && in->has_bandwidth;

  stria_neuron_making_add (
      self, "mm_arithmetic_intensity", "flop/B",
      "(hardware_flops - transpose_flops) / (hbm_read_bytes + hbm_write_bytes)",
      has_useful && hbm > 0, useful / hbm, "FLOPs, HBM bytes above 0");
  stria_neuron_making_add (self, "peak_flops_bandwidth_ratio", "flop/B",
                           "tensor_engine_peak / hbm_ddr_bandwidth", has_ratio,
                           in->peak / in->bandwidth, "Metadata");
  stria_neuron_making_add (self, "mfu_inst_max_achievable_estimated_percent", "of 1",
                           "mm_arithmetic_intensity / peak_flops_bandwidth_ratio",
                           has_useful && hbm > 0 && has_ratio,
                           useful / hbm / (in->peak / in->bandwidth), "FLOPs, HBM bytes, Metadata");
  stria_neuron_making_add (self, "mbu_estimated_percent", "of 1",
                           "(hbm_read_bytes + hbm_write_bytes) / total_time / hbm_ddr_bandwidth",
                           in->has_hbm && self->has_total && in->has_bandwidth,
                           hbm / self->total / in->bandwidth,
                           "HBM bytes, Metadata.hbm_ddr_bandwidth");
  stria_neuron_making_add (self, "useful_read_percent", "of 1",
                           "(hbm_read_bytes - spill_reload_bytes) / hbm_read_bytes",
                           in->has_hbm && in->has_reload && in->read > 0,
                           (in->read - in->reload) / in->read, "HBM bytes, spilled bytes");
  if (stria_neuron_making_known (self, "inputs_and_weights_size_bytes", &inputs))
    stria_neuron_making_add (self, "mbu_min_read_util_percent", "of 1",
                             "inputs_and_weights_size_bytes / total_time / hbm_ddr_bandwidth",
                             self->has_total && in->has_bandwidth,
                             inputs / self->total / in->bandwidth, "Metadata");
}

typedef struct
{
  double lost;        /* seconds of full speed that throttling took */
  double lost_active; /* those of them in which the tensor engine was active */
  gboolean any;       /* rows that say a limit */
  gboolean is_there;  /* a table */
} Limits;

static gboolean
read_limits (StriaNeuronMaking *self, Limits *limits)
{
  static const char *const wanted[] = { "timestamp", "duration", "pcore_idx", "k", "n", NULL };
  StriaSummaryRows rows = stria_neuron_making_rows (self, "Throttle", wanted);
  StriaSummaryPart part;
  double k, n;

  while (stria_summary_rows_next (&rows))
    {
      limits->is_there = TRUE;
      for (guint32 row = 0; row < rows.n_rows; row++)
        if (stria_summary_rows_number (&rows, 3, row, &k)
            && stria_summary_rows_number (&rows, 4, row, &n) && n > 0)
          {
            limits->any = TRUE;
            if (!stria_summary_rows_part (&rows, row, &part) || part.duration <= 0)
              continue;
            limits->lost += (double) part.duration / 1e9 * (1 - k / n);
            limits->lost_active
                += stria_span_union_inside (&self->tensor, part.start, part.start + part.duration)
                   / 1e9 * (1 - k / n);
          }
    }
  stria_summary_rows_clear (&rows);
  return !rows.failed;
}

/* Where the tensor engine's time went; the six make 1. The parts are published, how they are made
 * of rows is not: throttling takes 1 - k/n of a time, and operations the time that they need at
 * the peak. */
static void
add_split (StriaNeuronMaking *self, const Inputs *in, const Limits *limits)
{
  double active = stria_span_union_ns (&self->tensor) / 1e9;
  double capacity = in->peak * self->total;
  double model = in->has_peak ? (in->hardware - in->transpose) / capacity : 0;
  double transpose = in->has_peak ? in->transpose / capacity : 0;
  double share = active / self->total, throttled = limits->lost_active / self->total;
  double idle_throttled = (limits->lost - limits->lost_active) / self->total;
  double rest = share - model - transpose - throttled;
  gboolean can = in->has_hardware && in->has_transpose && in->has_peak && in->one
                 && self->has_total && self->tensor_is_known;
  /* Rounding aside, more operations than the active time holds are a contradiction of the rows. */
  gboolean fits = rest > -1e-6 && 1 - share - idle_throttled > -1e-6;
  const char *needs = !in->one ? STRIA_NEURON_SEVERAL
                      : !can   ? "ActiveTime, FLOPs, Metadata, total_time"
                               : "active time that holds its operations";

  can = can && fits;
  stria_neuron_making_add (self, "flops_model", "of 1",
                           "(hardware_flops - transpose_flops) / (tensor_engine_peak x total_time)",
                           can, model, needs);
  stria_neuron_making_add (self, "flops_transpose", "of 1",
                           "transpose_flops / (tensor_engine_peak x total_time)", can, transpose,
                           needs);
  stria_neuron_making_add (self, "flops_active_unproductive", "of 1",
                           "tensor_engine_active_time / total_time - flops_model - "
                           "flops_transpose - flops_active_throttled", can, MAX (rest, 0), needs);
  stria_neuron_making_add (self, "flops_active_throttled", "of 1",
                           "sum of Throttle.duration x (1 - k/n) while the tensor engine is active "
                           "/ total_time", can, throttled, needs);
  stria_neuron_making_add (self, "flops_unused", "of 1",
                           "1 - tensor_engine_active_time / total_time - flops_unused_throttled",
                           can, MAX (1 - share - idle_throttled, 0), needs);
  stria_neuron_making_add (self, "flops_unused_throttled", "of 1",
                           "sum of Throttle.duration x (1 - k/n) while it is not / total_time",
                           can, idle_throttled, needs);
  stria_neuron_making_add (self, "active_flops_utilization", "of 1",
                           "(hardware_flops - transpose_flops) / (tensor_engine_peak x "
                           "tensor_engine_active_time)", can && active > 0,
                           model / (active > 0 ? share : 1), needs);
}

gboolean
stria_neuron_making_utilization (StriaNeuronMaking *self)
{
  Inputs in = { 0 };
  Limits limits = { 0 };
  gboolean ok = read_limits (self, &limits);

  read_inputs (self, &in);
  add_flops (self, &in);
  add_memory (self, &in);
  stria_neuron_making_add (self, "transpose_flops_percent", "of 1",
                           "transpose_flops / hardware_flops",
                           in.has_hardware && in.has_transpose && in.hardware > 0,
                           in.transpose / in.hardware, "FLOPs of Instruction above 0");
  /* The limit that throttling set, k/n, averaged over the time, 1 where there was none */
  stria_neuron_making_add (self, "average_utilization_limit", "of 1",
                           "mean of k/n over total_time, 1 where not throttled",
                           limits.any && self->has_total && in.one,
                           1 - limits.lost / self->total,
                           limits.is_there ? "Throttle with k and n" : "Throttle");
  add_split (self, &in, &limits);
  return ok;
}
