/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-size.h"

#include <math.h>

static int percent = 100;

void
stria_text_set_scale (double scale)
{
  const double used = CLAMP (scale, STRIA_TEXT_SCALE_LEAST, STRIA_TEXT_SCALE_MOST);

  g_atomic_int_set (&percent, (int) lround (used * 100));
}

double
stria_text_get_scale (void)
{
  return g_atomic_int_get (&percent) / 100.0;
}

double
stria_text_px (double px)
{
  const int now = g_atomic_int_get (&percent);

  return now == 100 ? px : floor (px * now / 100.0 + 0.5);
}
