/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STRIA_DENSITY_BINS 1024

/* Busy time in equal bins over a range that is not known beforehand: bins double in width when a
 * time falls outside. Adding a span costs the same however long it is. */
typedef struct
{
  gint64 t0;
  gint64 bin_ns; /* 0: nothing added yet */
  double partial[STRIA_DENSITY_BINS];
  gint32 cover[STRIA_DENSITY_BINS + 1]; /* differences: spans that cover a bin whole */
} StriaDensity;

void stria_density_add (StriaDensity *self, gint64 start_ns, gint64 end_ns);
/* Busy nanoseconds of each bin, spans that run at once counted each */
void stria_density_get (const StriaDensity *self, double *busy_ns);

G_END_DECLS
