/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-summary.h"
#include "stria-summary-rows.h"

G_BEGIN_DECLS

/* A summary while it is made: what its parts share */
typedef struct
{
  GPtrArray *tables;
  const StriaSummaryScope *scope; /* NULL: everything */
  GCancellable *cancellable;
  GError **error;
  GArray *metrics;
  StriaSpanUnion all;
  StriaSpanUnion tensor;    /* when the tensor engine is active */
  gboolean tensor_is_known;
  gboolean has_waits;       /* times of instructions without ActiveTime */
  gint64 core;              /* the only physical core, -1: none is told, -2: there are several */
  gboolean has_total;
  double total;             /* seconds */
} StriaNeuronMaking;

typedef struct
{
  guint64 count;
  double time_ns;
  double bytes;
  StriaSpanUnion busy;
} StriaNeuronSum;

#define STRIA_NEURON_SEVERAL "one physical core: how several are put together is not published"

StriaSummaryRows stria_neuron_making_rows   (const StriaNeuronMaking *self, const char *table,
                                             const char *const *wanted);
/* FALSE: the row does not count; else @share says how much of it does */
gboolean         stria_neuron_making_take   (StriaNeuronMaking *self, StriaNeuronSum *sum,
                                             const StriaSummaryRows *rows, guint32 row,
                                             double *share);
/* Whether rows of a table can be in the scope at all: chosen lanes need not have any of them */
gboolean         stria_neuron_making_chosen (const StriaNeuronMaking *self, const char *table);
/* @table, or that it is not among the chosen lanes */
const char      *stria_neuron_making_lacks  (const StriaNeuronMaking *self, const char *table);
/* A number of the file's single row of @table. FALSE: it is not there */
gboolean         stria_neuron_making_fact   (StriaNeuronMaking *self, const char *table,
                                             const char *column, double *value,
                                             gboolean *is_percent);
void             stria_neuron_making_add    (StriaNeuronMaking *self, const char *name,
                                             const char *unit, const char *formula,
                                             gboolean has_value, double value,
                                             const char *missing);
/* Value of a metric that was made, else what the file says of the whole */
gboolean         stria_neuron_making_known  (StriaNeuronMaking *self, const char *name,
                                             double *value);

gboolean         stria_neuron_making_dma         (StriaNeuronMaking *self);
gboolean         stria_neuron_making_collectives (StriaNeuronMaking *self);
gboolean         stria_neuron_making_tensors     (StriaNeuronMaking *self);
gboolean         stria_neuron_making_utilization (StriaNeuronMaking *self);

G_END_DECLS
