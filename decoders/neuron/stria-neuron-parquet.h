/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Any Parquet file, as a table named by the file; those of a processed Neuron profile get lanes,
 * too */
extern const StriaDecoder stria_neuron_parquet_decoder;

G_END_DECLS
