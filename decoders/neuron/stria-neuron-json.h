/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* JSON of a processed profile: of a device or a system, older and newer; the summary; and the
 * events that a program fetched from the runtime */
extern const StriaDecoder stria_neuron_json_decoder;
/* Perfetto traces are told by name and said what they are; they are not read. */
extern const StriaDecoder stria_perfetto_decoder;

G_END_DECLS
