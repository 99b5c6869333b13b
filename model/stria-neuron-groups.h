/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-summary.h"

G_BEGIN_DECLS

/**
 * StriaNeuronGroup:
 * @name: opcode, or what the instructions are of
 * @engine: engine of an opcode, "" for groups of several engines
 * @count: instructions
 * @time_ns: sum of their durations; @busy_ns: time in which at least one of them ran
 * @flops: sum of raw_flops; @has_flops: whether any of them says it
 * @bytes: sum of bytes read from and written to memory; @has_bytes: whether any of them says it
 *
 * Instructions that have something in common.
 */
typedef struct
{
  char *name;
  char *engine;
  guint64 count;
  double time_ns;
  double busy_ns;
  double flops;
  double bytes;
  gboolean has_flops;
  gboolean has_bytes;
} StriaNeuronGroup;

/**
 * StriaNeuronCollective:
 * @operation: what is done ("AllGather")
 * @bytes: larger one of input and output, -1: not told
 * @count: how many
 * @min_ns, @q1_ns, @median_ns, @mean_ns, @q3_ns, @max_ns: of whole durations; quartiles lie
 *   between two values in proportion
 * @variance: of durations, in ns²
 * @algorithm_bandwidth: mean of bytes over duration, B/s, 0: not known
 * @bus_bandwidth: mean of what the file says, B/s, 0: not told
 * @n_outliers: longer than twice the median, of four or more
 *
 * Collectives of one operation and size.
 */
typedef struct
{
  char *operation;
  gint64 bytes;
  guint64 count;
  double min_ns, q1_ns, median_ns, mean_ns, q3_ns, max_ns;
  double variance;
  double algorithm_bandwidth;
  double bus_bandwidth;
  guint64 n_outliers;
} StriaNeuronCollective;

/* A collective that is longer than so many medians of its group stands out. */
#define STRIA_NEURON_OUTLIER_MEDIANS 2

/**
 * StriaNeuronGroups:
 * @opcodes: (element-type StriaNeuronGroup): by engine and opcode, longest first
 * @operators: (element-type StriaNeuronGroup): by @operator_column, longest first
 * @operator_column: (nullable): column of Instruction that tells operators, NULL: none does
 * @collectives: (element-type StriaNeuronCollective): by operation and size, longest first
 * @n_code: instructions of each engine; @n_nki: those of them that come from an NKI kernel
 */
typedef struct
{
  GPtrArray *opcodes;
  GPtrArray *operators;
  const char *operator_column;
  GPtrArray *collectives;
  guint64 n_code[STRIA_NEURON_N_ENGINES];
  guint64 n_nki[STRIA_NEURON_N_ENGINES];
} StriaNeuronGroups;

/**
 * stria_neuron_groups_new:
 * @scope: (nullable): what counts
 *
 * Reads whole columns: for a worker.
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaNeuronGroups *stria_neuron_groups_new  (GPtrArray *tables, const StriaSummaryScope *scope,
                                             GCancellable *cancellable, GError **error);
void               stria_neuron_groups_free (StriaNeuronGroups *self);

typedef enum
{
  STRIA_INSIGHT_MODEL_FLOPS,  /* model operations against what the active time holds */
  STRIA_INSIGHT_NKI_COVERAGE,
  STRIA_INSIGHT_THROTTLING,
  STRIA_INSIGHT_TRANSPOSE,
  STRIA_INSIGHT_COLLECTIVES,
  STRIA_INSIGHT_SPILL_RELOAD,
  STRIA_INSIGHT_SMALL_DMA,
  STRIA_N_INSIGHTS,
} StriaInsightRule;

/**
 * StriaInsight:
 * @rule: which rule
 * @fires: what it warns of is there
 * @value: what was compared: a share, or bytes
 * @threshold: with what
 * @metric: (nullable): name of the metric that @value is
 * @detail: (nullable): engine or operation that it is about
 * @missing: (nullable): what the rule needs that is not there; then nothing was compared
 *
 * A published rule applied to a summary.
 */
typedef struct
{
  StriaInsightRule rule;
  gboolean fires;
  double value;
  double threshold;
  const char *metric;
  char *detail;
  const char *missing;
} StriaInsight;

/* Returns: (transfer full) (element-type StriaInsight): all rules, in their order */
GPtrArray *stria_neuron_insights (GArray *metrics, const StriaNeuronGroups *groups);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNeuronGroups, stria_neuron_groups_free)

G_END_DECLS
