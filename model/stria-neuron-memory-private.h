/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-memory.h"
#include "stria-summary-rows.h"

G_BEGIN_DECLS

/* Times and addresses beyond are no such: differences of what is left fit 64 bits. */
#define STRIA_MEMORY_MOST (G_GINT64_CONSTANT (1) << 61)

/* Fills pressures from ranges. FALSE: it was cancelled */
gboolean stria_neuron_memory_sweep    (StriaNeuronMemory *self, GCancellable *cancellable,
                                       GError **error);
gboolean stria_neuron_memory_fullness (StriaNeuronMemory *self, GPtrArray *tables,
                                       GCancellable *cancellable, GError **error);
gboolean stria_neuron_memory_stacks   (StriaNeuronMemory *self, GPtrArray *tables,
                                       GCancellable *cancellable, GError **error);
/* Fills tensors and figures. */
gboolean stria_neuron_memory_tensors  (StriaNeuronMemory *self, GPtrArray *tables,
                                       GCancellable *cancellable, GError **error);

/* Whether any of @tables has rows under that name, @column: (nullable): and that column */
gboolean stria_neuron_memory_has_table (GPtrArray *tables, const char *name, const char *column);
/* A sample's key for stria_sort_pairs() */
static inline guint64
stria_memory_key (gint64 time)
{
  return (guint64) time ^ G_GUINT64_CONSTANT (1) << 63;
}

G_END_DECLS
