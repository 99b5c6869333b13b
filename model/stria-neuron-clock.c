/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-clock.h"

#include <math.h>

#include "stria-neuron-summary.h"
#include "stria-summary-rows.h"

static int is_shown;

double
stria_neuron_clock_ghz (StriaCapture *capture, guint artifact)
{
  static const char *const wanted[] = { "neuroncore_clock_freq", NULL };
  g_autoptr (GPtrArray) tables = stria_neuron_summary_tables (capture, artifact);
  StriaSummaryRows rows = { .tables = tables, .name = "Metadata", .wanted = wanted };
  double ghz = 0, clock;

  while (ghz == 0 && stria_summary_rows_next (&rows))
    if (rows.n_rows > 0 && stria_summary_rows_number (&rows, 0, 0, &clock) && isfinite (clock)
        && clock > 0)
      ghz = clock;
  stria_summary_rows_clear (&rows);
  return ghz;
}

void
stria_neuron_clock_set_shown (gboolean shown)
{
  g_atomic_int_set (&is_shown, shown != FALSE);
}

gboolean
stria_neuron_clock_is_shown (void)
{
  return g_atomic_int_get (&is_shown) != 0;
}
