/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* The files of a Neuron system profile. */
extern const StriaDecoder stria_neuron_trace_info_decoder;
extern const StriaDecoder stria_neuron_ntrace_decoder;
extern const StriaDecoder stria_neuron_cpu_decoder;
extern const StriaDecoder stria_neuron_memory_decoder;

G_END_DECLS
