/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* A compiled program (.neff) of the Neuron compiler: header (documented), and an archive of JSON
 * (documented in part), instructions and debug information (recovered). */
extern const StriaDecoder stria_neff_decoder;

G_END_DECLS
