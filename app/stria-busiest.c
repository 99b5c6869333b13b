/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-busiest.h"

StriaRef
stria_busiest_event (StriaTrace *trace)
{
  StriaRef busiest = STRIA_REF_NONE;
  gint64 most = -1;

  g_return_val_if_fail (trace != NULL, STRIA_REF_NONE);

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      const StriaColumns *columns
          = stria_lane_load (lane, NULL, NULL) ? stria_lane_get_columns (lane) : NULL;

      for (guint64 k = 0; columns != NULL && columns->dur != NULL && k < columns->n; k++)
        {
          const gint64 ns = stria_lane_self_ns (lane, k);

          if (ns <= most)
            continue;
          most = ns;
          busiest = (StriaRef){ i, (guint32) k };
        }
    }
  return busiest;
}
