/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-session.h"

G_BEGIN_DECLS

#define STRIA_TYPE_NEURON_MEMORY_VIEW (stria_neuron_memory_view_get_type ())
G_DECLARE_FINAL_TYPE (StriaNeuronMemoryView, stria_neuron_memory_view, STRIA, NEURON_MEMORY_VIEW,
                      GtkWidget)

/**
 * StriaNeuronMemoryView:
 *
 * Memories of a Neuron capture: what occupied SBUF and how full PSUM was, HBM by category, tensors
 * with their spills, and a report on fragmentation and reloads.
 */
GtkWidget *stria_neuron_memory_view_new      (StriaSession *session);
/* Whether @capture has tables of memories; any thread */
gboolean   stria_neuron_memory_view_has_data (StriaCapture *capture);

G_END_DECLS
