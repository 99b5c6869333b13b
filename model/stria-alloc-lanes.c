/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-lanes.h"
#include "stria-alloc-private.h"

StriaLaneBody *
stria_alloc_lane_new (StriaAllocator *allocator, gboolean reserved, gint64 wall_ns, guint32 name,
                      const char *title)
{
  guint32 n_events = stria_allocator_get_n_events (allocator);
  guint64 n = 0;

  if (!stria_allocator_has_times (allocator) || n_events == 0)
    return NULL;
  for (guint32 i = 0; i < n_events; i++)
    n += i + 1 == n_events || allocator->axis_us[i] != allocator->axis_us[i + 1];

  StriaLaneBody *body = stria_lane_body_new (STRIA_LANE_COUNTER, title, "");
  StriaColumns *c = &body->columns;
  body->unit = g_strdup ("B");
  body->n_events = n;
  body->n_rows = 1;
  body->row_begin = g_new0 (guint64, 2);
  body->row_begin[1] = n;
  c->n = n;
  c->start = g_new (gint64, n);
  c->value = g_new (double, n);
  c->name = g_new (guint32, n);
  c->category = g_new0 (guint16, n);
  c->flags = g_new0 (guint16, n);
  c->seq = g_new (guint32, n);
  c->args = g_new (guint64, n);
  guint64 k = 0;
  for (guint32 i = 0; i < n_events; i++)
    {
      if (i + 1 < n_events && allocator->axis_us[i] == allocator->axis_us[i + 1])
        continue;
      c->start[k] = allocator->axis_us[i] * 1000 - wall_ns;
      c->value[k] = reserved ? (double) stria_allocator_reserved_at (allocator, i + 1)
                             : (double) allocator->allocated[i + 1];
      c->name[k] = name;
      c->seq[k] = i;
      c->args[k] = STRIA_NO_ARGS;
      k++;
    }
  stria_lane_body_finish (body);
  return body;
}
