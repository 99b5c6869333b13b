/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-busiest.h"

static guint64
key_of (guint32 lane, guint32 index)
{
  return (guint64) lane << 32 | index;
}

/* Returns: (transfer full): ends of arrows */
static GHashTable *
ends_of (StriaTrace *trace)
{
  GHashTable *ends = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gsize n = 0;
  const StriaFlow *flows = stria_trace_get_flows (trace, &n);

  for (gsize i = 0; i < n; i++)
    {
      const guint64 from = key_of (flows[i].from.lane, flows[i].from.index);
      const guint64 to = key_of (flows[i].to.lane, flows[i].to.index);

      g_hash_table_add (ends, g_memdup2 (&from, sizeof from));
      g_hash_table_add (ends, g_memdup2 (&to, sizeof to));
    }
  return ends;
}

StriaRef
stria_busiest_event (StriaTrace *trace)
{
  StriaRef busiest = STRIA_REF_NONE;
  g_autoptr (GHashTable) ends = NULL;
  gboolean is_tied = FALSE;
  gint64 most = -1;

  g_return_val_if_fail (trace != NULL, STRIA_REF_NONE);

  ends = ends_of (trace);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      const StriaColumns *columns
          = stria_lane_load (lane, NULL, NULL) ? stria_lane_get_columns (lane) : NULL;

      for (guint64 k = 0; columns != NULL && columns->dur != NULL && k < columns->n; k++)
        {
          const gint64 ns = stria_lane_self_ns (lane, k);
          const guint64 key = key_of (i, (guint32) k);
          const gboolean tied = (columns->correlation != NULL && columns->correlation[k] != 0)
                                || g_hash_table_contains (ends, &key);

          if (tied < is_tied || (tied == is_tied && ns <= most))
            continue;
          is_tied = tied;
          most = ns;
          busiest = (StriaRef){ i, (guint32) k };
        }
    }
  return busiest;
}
