/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "neuron-rows.h"

void
add_rows (StriaNeuronEmitter *emitter, const char *table, const char *names,
          const char *const *lines)
{
  g_auto (GStrv) columns = g_strsplit (names, "|", -1);
  g_autoptr (StriaNeuronRows) rows
      = stria_neuron_rows_new (emitter, table, (const char *const *) columns);

  for (; *lines != NULL; lines++)
    {
      g_auto (GStrv) cells = g_strsplit (*lines, "|", -1);

      for (guint c = 0; cells[c] != NULL; c++)
        if (!g_str_equal (cells[c], "-"))
          stria_neuron_rows_text (rows, c, cells[c], -1);
      stria_neuron_rows_end (rows);
    }
}
