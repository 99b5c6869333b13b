/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-allocator.h"

G_BEGIN_DECLS

/* What is said about allocations, in the user's language. All return (transfer full). */

/* "model.py:147 forward": a frame without its folder */
char *stria_alloc_frame_short   (StriaSnapshotData *snapshot, guint32 frame);
/* As above without the line; string ids */
char *stria_alloc_function_short (StriaSnapshotData *snapshot, guint32 name, guint32 filename);
/* What a stack is known by, short; says so when nothing was recorded */
char *stria_alloc_stack_short   (StriaSnapshotData *snapshot, guint32 stack);
/* "0x7f…000 v2" as the file writes addresses: hexadecimal */
char *stria_alloc_address_text  (guint64 address, guint32 version);
/* "12.5 MiB (13 107 200 bytes)" */
char *stria_alloc_exact_bytes   (guint64 bytes);
/* Time of a step since the first event; the action's number where there are no times */
char *stria_alloc_step_text     (StriaAllocator *allocator, guint32 step);
char *stria_alloc_stream_text   (StriaAllocator *allocator, guint16 stream);
char *stria_alloc_pool_text     (StriaAllocator *allocator, guint16 pool);
/* "Pool (1, 0) · stream 0 · 30 MiB": a private pool and the most that it had up to @step */
char *stria_alloc_private_pool_text (StriaAllocator *allocator, guint pool, guint32 step);
char *stria_alloc_lifetime_text (StriaAllocator *allocator, const StriaElement *element);
/* Allocated, waiting for its free, freed, not yet allocated: at @step */
const char *stria_alloc_element_state (const StriaElement *element, guint32 step);
/* Name of an action for people: (transfer none) */
const char *stria_alloc_action_title (StriaAllocAction action);

G_END_DECLS
