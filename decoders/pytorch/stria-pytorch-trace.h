/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Chrome trace events as PyTorch's Kineto writes them (formats: pytorch-formats part B). */
extern const StriaDecoder stria_pytorch_trace_decoder;

/* Caps, in one place. */
#define STRIA_TRACE_MAX_EVENT ((gsize) 16 << 20) /* text of one event; longer ones are skipped */
#define STRIA_TRACE_MAX_META ((gsize) 1 << 20)   /* text of one top-level value that is kept */

G_END_DECLS
