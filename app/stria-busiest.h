/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * stria_busiest_event:
 *
 * The slice that took most time itself, without what it encloses; of several, the first. Where events
 * are tied to each other, by arrows or correlation, it is one of those. Reads every event: for a
 * worker. Lanes that cannot be loaded are left out.
 *
 * Returns: %STRIA_REF_NONE if there is no slice
 */
StriaRef stria_busiest_event (StriaTrace *trace);

G_END_DECLS
