/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-summary.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-bounds
 *
 * The published bounds of a device profile: times that a part of it would take at least if only one
 * thing were in its way. What lies between two of them names what could be won, and how.
 */

typedef enum
{
  STRIA_BOUND_MEMORY,            /* DMA as it ran */
  STRIA_BOUND_MEMORY_IDEAL,      /* its bytes at the peak */
  STRIA_BOUND_MEMORY_NO_RELOADS, /* inputs and outputs, each once */
  STRIA_BOUND_COMPUTE,           /* the tensor engine as it ran */
  STRIA_BOUND_COMPUTE_FLOPS,     /* its operations at the peak */
  STRIA_BOUND_COMPUTE_USEFUL,    /* those without transposes */
  STRIA_BOUND_PIPELINE,          /* the busiest engine, all others beside it */
  STRIA_N_BOUNDS,
} StriaBoundKind;

/**
 * StriaBound:
 * @name: the published one
 * @formula: what it is made of, untranslated
 * @has_value: whether its inputs are there
 * @seconds: the time
 * @missing: (nullable): what it needs that is not there
 * @of: (nullable): the engine that the bound is of; only that of the pipeline
 */
typedef struct
{
  const char *name;
  const char *formula;
  gboolean has_value;
  double seconds;
  const char *missing;
  const char *of;
} StriaBound;

typedef enum
{
  STRIA_GAP_DMA_IDLE,      /* total to memory bound */
  STRIA_GAP_DMA_SLOW,      /* to ideal */
  STRIA_GAP_RELOADS,       /* to no reloads */
  STRIA_GAP_TENSOR_IDLE,   /* total to compute bound */
  STRIA_GAP_TENSOR_SLOW,   /* to ideal operations */
  STRIA_GAP_TRANSPOSES,    /* to useful ones */
  STRIA_GAP_SERIAL,        /* total to the pipeline */
  STRIA_N_GAPS,
} StriaGapKind;

/**
 * StriaGap:
 * @kind: what it says
 * @has_value: both ends are known
 * @seconds: how long it is; below 0: the bound is above what happened
 * @share: of the total
 * @has_speedup: whether a speed-up is known
 * @speedup: total over the larger one of the bound and the slowest engine that closing the gap
 *   does not touch
 * @limit: (nullable): that engine, where it is the larger one
 * @missing: (nullable): what it needs that is not there
 */
typedef struct
{
  StriaGapKind kind;
  gboolean has_value;
  double seconds;
  double share;
  gboolean has_speedup;
  double speedup;
  const char *limit;
  const char *missing;
} StriaGap;

typedef struct
{
  gboolean has_total;
  double total; /* seconds */
  StriaBound bounds[STRIA_N_BOUNDS];
  StriaGap gaps[STRIA_N_GAPS];
} StriaBounds;

/**
 * stria_bounds_make:
 * @metrics: (element-type StriaNeuronMetric): of stria_neuron_summary_of()
 * @self: (out caller-allocates): the bounds of what @metrics are of; nothing in it is owned
 */
void  stria_bounds_make  (GArray *metrics, StriaBounds *self);
/* Bounds and gaps as sentences with the numbers behind them, one a line, translated.
 * Returns: (transfer full) */
char *stria_bounds_text  (const StriaBounds *self, GArray *metrics);
/* One of its sentences. Returns: (transfer full) */
char *stria_bound_sentence (const StriaBounds *self, StriaBoundKind kind);
char *stria_gap_sentence   (const StriaBounds *self, StriaGapKind kind);
/* Names and values of a bound's inputs, as stria_neuron_metric_inputs() gives them */
char *stria_bound_inputs   (const StriaBounds *self, StriaBoundKind kind, GArray *metrics);

G_END_DECLS
