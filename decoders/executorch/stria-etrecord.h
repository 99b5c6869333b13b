/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Caps on a record. */
#define STRIA_ETRECORD_MAX_BYTES   ((guint64) 4 << 30)
#define STRIA_ETRECORD_MAX_MEMBERS 20000
#define STRIA_ETRECORD_MAX_JSON    ((guint64) 2 << 30) /* of one member, inflated */
#define STRIA_ETRECORD_MAX_NODES   1000000
#define STRIA_ETRECORD_MAX_VALUE   4096 /* of an argument that is kept as text, bytes */

extern const StriaDecoder stria_etrecord_decoder;

G_END_DECLS
