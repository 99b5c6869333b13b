/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Rows that the vendor's viewer saved as CSV: the table is called as the file, the first column is
 * timeline_track, the others are those of the Parquet export, with raw numbers (documented). */
extern const StriaDecoder stria_neuron_csv_decoder;

G_END_DECLS
