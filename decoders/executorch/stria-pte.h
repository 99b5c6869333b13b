/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* A program with more bytes than this is refused. [PROPOSAL] */
#define STRIA_PTE_MAX_BYTES ((guint64) 4 << 30)

extern const StriaDecoder stria_pte_decoder;

G_END_DECLS
