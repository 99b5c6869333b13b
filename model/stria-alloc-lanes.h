/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-allocator.h"
#include "stria-lane-private.h"

G_BEGIN_DECLS

/**
 * stria_alloc_lane_new:
 * @reserved: bytes of segments instead of allocated bytes
 * @wall_ns: nanoseconds since the epoch at the timeline's time 0
 * @name: string id of the counter
 * @title: title of the lane
 *
 * An allocator's bytes over time as a counter of the timeline, so that both share an axis: one
 * sample a microsecond that has events, with the state behind the last of them.
 *
 * Returns: (transfer full) (nullable): the lane, or %NULL when the events have no times
 */
StriaLaneBody *stria_alloc_lane_new (StriaAllocator *allocator, gboolean reserved, gint64 wall_ns,
                                     guint32 name, const char *title);

G_END_DECLS
