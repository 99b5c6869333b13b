/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/* Clock of the core that a device profile states (Metadata.neuroncore_clock_freq), in GHz: cycles a
 * nanosecond. 0 if it states none. Reads a row of a table: for a worker.
 * @artifact: one of the artifacts of the profile */
double   stria_neuron_clock_ghz       (StriaCapture *capture, guint artifact);
/* Whether details tell durations in cycles as well; of the whole program, any thread */
void     stria_neuron_clock_set_shown (gboolean shown);
gboolean stria_neuron_clock_is_shown  (void);

G_END_DECLS
