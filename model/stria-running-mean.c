/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-running-mean.h"

#include <math.h>
#include <string.h>

#include "stria-lane-private.h"

gboolean
stria_lane_is_rate (StriaLane *self)
{
  const char *unit = stria_lane_get_unit (self);

  return unit != NULL && g_str_has_suffix (unit, "/s");
}

double
stria_lane_running_mean (StriaLane *self, gint64 ns)
{
  const StriaLaneBody *body = self->body;
  const StriaColumns *c = &body->columns;
  guint64 last = 0;
  double min = 0, max = 0, integral = 0;

  g_return_val_if_fail (stria_lane_is_loaded (self) && c->value != NULL, NAN);

  last = stria_lane_sample_at (self, ns);
  if (last == G_MAXUINT64)
    return NAN;
  if (ns <= c->start[0])
    return c->value[last];
  if (last > 0)
    stria_lane_value_stats (body, 0, last, &min, &max, &integral);
  integral += c->value[last] * (double) (ns - c->start[last]);
  return integral / (double) (ns - c->start[0]);
}

void
stria_display_list_running_mean (StriaLane *self, gint64 t0, gint64 t1, gint32 width, double *out)
{
  const double ns_per_px = (double) (t1 - t0) / width;

  g_return_if_fail (t1 > t0 && width > 0);

  for (gint32 x = 0; x < width; x++)
    out[x] = stria_lane_running_mean (self, t0 + (gint64) ((x + 1) * ns_per_px));
}
