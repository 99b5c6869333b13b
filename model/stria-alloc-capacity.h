/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture-private.h"

G_BEGIN_DECLS

/* Tells the allocators of a capture how much memory their devices have, where its traces say so.
 * @parts: (element-type StriaPart): may hold NULL */
void stria_alloc_capacity_find (GPtrArray *parts);

G_END_DECLS
