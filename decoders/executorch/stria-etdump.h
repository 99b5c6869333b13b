/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-decoder.h"

G_BEGIN_DECLS

/* Caps. [PROPOSAL] */
#define STRIA_ETDUMP_MAX_BYTES  ((guint64) 4 << 30)
#define STRIA_ETDUMP_MAX_EVENTS 10000000

/**
 * stria_etdump_decoder:
 *
 * ExecuTorch's ETDump: what ran in each recorded execution of a program, and when. Fills the
 * facts' tables dump, dump_run, dump_event, dump_allocator, dump_allocation and dump_debug, and a
 * timeline: one process, one thread a run, one slice a profile event. Times are ticks whose unit the
 * file does not tell; on the timeline one tick is drawn as one nanosecond.
 */
extern const StriaDecoder stria_etdump_decoder;

G_END_DECLS
