/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-lane.h"

G_BEGIN_DECLS

/* Whether a counter is a rate, of which the mean from its begin tells something: its unit ends with
 * "/s" */
gboolean stria_lane_is_rate          (StriaLane *self);
/* Mean of a loaded counter's value over the time from its first sample to @ns; NAN before it */
double   stria_lane_running_mean     (StriaLane *self, gint64 ns);
/* The same at the right edge of each of @width pixels of [t0, t1) */
void     stria_display_list_running_mean (StriaLane *self, gint64 t0, gint64 t1, gint32 width,
                                          double *out);

G_END_DECLS
