/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-alloc-capacity.h"
#include "stria-alloc-lanes.h"
#include "stria-capture-private.h"

/* The bytes of allocators as counters, where the capture's clock can be told from the epoch and there
 * is a timeline to stand under. Under the mutex. */
static void
add_allocators (StriaCapture *self, StriaTrace *trace, guint64 *first_id)
{
  if (!self->has_base || trace->lanes->len == 0)
    return;
  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];
      guint n = part != NULL && part->snapshot != NULL
                    ? stria_snapshot_get_n_devices (part->snapshot)
                    : 0;

      for (guint d = 0; d < n; d++)
        {
          StriaAllocator *allocator = stria_snapshot_get_device (part->snapshot, d);
          StriaProcess process = { .artifact = p };
          guint32 lane_process = trace->processes->len;
          gboolean any = FALSE;

          for (guint kind = 0; kind < 2; kind++)
            {
              const char *title = kind == 0 ? _("Allocated memory") : _("Reserved memory");
              guint32 name = stria_strings_intern (self->strings, title, strlen (title));
              StriaLaneBody *body
                  = stria_alloc_lane_new (allocator, kind == 1, self->base_ns, name, title);
              if (body == NULL)
                continue;
              g_ptr_array_add (trace->lanes, stria_lane_new (body, lane_process, p, *first_id));
              *first_id += body->n_events;
              stria_lane_body_unref (body);
              any = TRUE;
            }
          if (!any)
            continue;
          process.key = g_strdup_printf ("%u", stria_allocator_get_device (allocator));
          process.name = g_strdup (stria_allocator_is_host (allocator)
                                       ? _("PyTorch allocator, host memory")
                                       : _("PyTorch allocator, device"));
          g_array_append_val (trace->processes, process);
        }
    }
}

/* A trace of all parts there are, by artifact. Under the mutex. */
StriaTrace *
stria_capture_compose (StriaCapture *self)
{
  StriaTrace *trace = stria_trace_new ();
  guint64 first_id = 0;

  /* Names of lanes that are made below count as well. */
  stria_strings_intern (self->strings, _("Allocated memory"), strlen (_("Allocated memory")));
  stria_strings_intern (self->strings, _("Reserved memory"), strlen (_("Reserved memory")));
  trace->strings = stria_strings_ref (self->strings);
  trace->n_name_counts = stria_strings_size (self->strings);
  trace->name_counts = g_new0 (guint64, trace->n_name_counts);
  trace->flows = g_array_new (FALSE, FALSE, sizeof (StriaFlow));
  trace->has_wall = self->has_base;
  trace->wall_ns = self->base_ns;
  for (guint c = 0; c < self->categories->len; c++)
    g_ptr_array_add (trace->categories, g_strdup (self->categories->pdata[c]));
  g_ptr_array_set_size (trace->args, (gint) self->artifact_array->len);

  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];
      guint32 lane_base = trace->lanes->len, process_base = trace->processes->len;

      if (part == NULL || part->is_floating)
        continue;
      trace->args->pdata[p] = stria_args_ref (part->args);
      trace->unbound_flows += part->unbound_flows;
      for (guint i = 0; i < part->processes->len; i++)
        {
          StriaProcess copy = g_array_index (part->processes, StriaProcess, i);
          copy.key = g_strdup (copy.key);
          copy.name = g_strdup (copy.name);
          copy.labels = g_strdup (copy.labels);
          g_array_append_val (trace->processes, copy);
        }
      for (guint i = 0; i < part->bodies->len; i++)
        {
          StriaLaneBody *body = part->bodies->pdata[i];
          g_ptr_array_add (trace->lanes, stria_lane_new (body, process_base + part->lane_process[i],
                                                         part->artifact, first_id));
          first_id += body->n_events;
          if (body->kind == STRIA_LANE_COUNTER)
            continue;
          trace->n_events += body->n_events;
        }
      for (guint32 id = 0; id < part->n_name_counts; id++)
        trace->name_counts[part->name_ids[id]] += part->name_counts[id];
      for (guint i = 0; i < part->flows->len; i++)
        {
          StriaFlow flow = g_array_index (part->flows, StriaFlow, i);
          flow.from.lane += lane_base;
          flow.to.lane += lane_base;
          g_array_append_val (trace->flows, flow);
        }
    }
  add_allocators (self, trace, &first_id);
  stria_alloc_capacity_find (self->parts);
  trace->snapshots
      = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_snapshot_data_unref);
  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];
      if (part != NULL && part->snapshot != NULL)
        g_ptr_array_add (trace->snapshots, stria_snapshot_data_ref (part->snapshot));
    }
  return trace;
}
