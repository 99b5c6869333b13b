/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Snapshots of PyTorch's caching allocator, as pickle and as JSON (formats: pytorch-formats A2). */
extern const StriaDecoder stria_snapshot_decoder;
extern const StriaDecoder stria_snapshot_json_decoder;

G_END_DECLS
