/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_DEVICE_LINK_NONE,      /* the lane is of neither */
  STRIA_DEVICE_LINK_TO_DEVICE, /* an event of the system profile that is of one core */
  STRIA_DEVICE_LINK_TO_SYSTEM, /* an event of a device profile */
} StriaDeviceLink;

/* Which way leads from a lane; looks at no event. */
StriaDeviceLink stria_device_link_of (StriaTrace *trace, guint32 lane);

/**
 * stria_device_link_find:
 * @ref: an event
 * @found: (out): what is of the same core of the same process at that time: from the system profile
 *   the first instruction of the execution that the event is about, or the execution; from a device
 *   profile the event of the hardware, else of the runtime, that runs then, or the nearest one
 * @away_ns: (out): 0 if both run at one time, else the time between them
 *
 * Loads lanes: call it on a worker.
 *
 * Returns: FALSE with @error, which says which profile is missing
 */
gboolean        stria_device_link_find (StriaTrace *trace, StriaRef ref, StriaRef *found,
                                        gint64 *away_ns, GCancellable *cancellable,
                                        GError **error);

G_END_DECLS
