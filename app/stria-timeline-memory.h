/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline.h"

G_BEGIN_DECLS

/* Keeps what is chosen of a timeline's looks with the capture it shows: takes what was chosen last
 * time, and writes each change a little later, to a file of the user's settings named after the
 * capture's contents. Lives as long as the timeline.
 * @which: (nullable): which timeline of the capture, if it is not the first */
void stria_timeline_memory_attach (StriaTimeline *timeline, StriaCapture *capture,
                                   const char *which);

G_END_DECLS
