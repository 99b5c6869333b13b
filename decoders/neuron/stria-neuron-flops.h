/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bins at most; those of a profile are twice as wide each time it outgrows them */
#define NEURON_FLOPS_BINS 8192

/**
 * NeuronFlops:
 * @start_ns: of the first bin; a whole multiple of @width_ns
 * @width_ns: of each bin, a power of two
 * @n: bins that are used
 * @flops: (array): floating point operations by bin
 * @transposes: (array): those of them that only transpose
 * @has_transposes: whether any row told of that
 *
 * How many floating point operations were done when: the operations of an instruction are shared out
 * evenly over its time. What is added keeps its sum, whatever becomes of the width.
 */
typedef struct
{
  gint64   start_ns;
  gint64   width_ns;
  guint    n;
  double   flops[NEURON_FLOPS_BINS];
  double   transposes[NEURON_FLOPS_BINS];
  gboolean has_transposes;
} NeuronFlops;

NeuronFlops *neuron_flops_new  (void);
void         neuron_flops_free (NeuronFlops *self);
/* @transposes: below 0: not known. Times beyond 2^60 ns on either side are left out: FALSE */
gboolean     neuron_flops_add  (NeuronFlops *self, gint64 start_ns, gint64 duration_ns,
                                double flops, double transposes);

G_END_DECLS
