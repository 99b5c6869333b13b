/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-alloc-capacity.h"
#include "stria-alloc-lanes.h"
#include "stria-capture-merge.h"

/* The bytes of allocators as counters, where the capture's clock can be told from the epoch and there
 * is a timeline to stand under. Under the mutex. */
static void
add_allocators (StriaCapture *self, StriaMerge *merge)
{
  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];
      guint n = part != NULL && part->snapshot != NULL
                    ? stria_snapshot_get_n_devices (part->snapshot)
                    : 0;

      for (guint d = 0; d < n; d++)
        {
          StriaAllocator *allocator = stria_snapshot_get_device (part->snapshot, d);
          g_autofree char *device = g_strdup_printf ("%u", stria_allocator_get_device (allocator));
          const char *name = stria_allocator_is_host (allocator)
                                 ? _("PyTorch allocator, host memory")
                                 : _("PyTorch allocator, device");
          const StriaProcess own = { .key = device, .name = (char *) name, .artifact = p };
          guint32 process = G_MAXUINT32;

          for (guint kind = 0; kind < 2; kind++)
            {
              const char *title = kind == 0 ? _("Allocated memory") : _("Reserved memory");
              guint32 id = stria_strings_intern (self->strings, title, strlen (title));
              gboolean is_shared;
              g_autofree char *whole = NULL;
              StriaLaneBody *body
                  = stria_alloc_lane_new (allocator, kind == 1, self->base_ns, id, title);

              if (body == NULL)
                continue;
              is_shared = (process = stria_merge_process_of (merge, p)) != G_MAXUINT32;
              if (!is_shared)
                process = stria_merge_process (merge, &own);
              else
                {
                  /* The process's own title does not say whose bytes they are. */
                  whole = g_strdup_printf ("%s (%s): %s", name, device, title);
                  g_free (body->name);
                  body->name = g_steal_pointer (&whole);
                }
              stria_merge_lane (merge, body, process, p, part->bodies->len + d * 2 + kind);
              stria_lane_body_unref (body);
            }
        }
    }
}

/* What a part has, in the numbers of the trace. */
static void
add_part (StriaMerge *merge, const StriaPart *part)
{
  g_autofree guint32 *processes = g_new (guint32, part->processes->len + 1);

  for (guint i = 0; i < part->processes->len; i++)
    processes[i]
        = stria_merge_process (merge, &g_array_index (part->processes, StriaProcess, i));
  for (guint i = 0; i < part->bodies->len; i++)
    stria_merge_lane (merge, part->bodies->pdata[i], processes[part->lane_process[i]],
                      part->artifact, i);
}

/* Puts the lanes into the trace. @numbers: of each part's lanes by part, NULL where there are none. */
static void
take_lanes (StriaTrace *trace, StriaMerge *merge, GPtrArray *parts, guint32 **numbers)
{
  guint64 first_id = 0;
  guint n;
  const StriaMergeLane *lanes = stria_merge_finish (merge, &n);

  for (guint i = 0; i < n; i++)
    {
      const StriaMergeLane *lane = &lanes[i];
      const StriaPart *part = parts->pdata[lane->artifact];

      g_ptr_array_add (trace->lanes, stria_lane_new (lane->body, lane->process, lane->artifact,
                                                     first_id));
      first_id += lane->body->n_events;
      if (numbers[lane->artifact] != NULL && lane->lane < part->bodies->len)
        numbers[lane->artifact][lane->lane] = i;
    }
}

static gboolean
is_drawn (const StriaPart *part)
{
  return part != NULL && !part->is_floating;
}

/* A trace of all parts there are, by artifact. Under the mutex. */
StriaTrace *
stria_capture_compose (StriaCapture *self)
{
  StriaTrace *trace = stria_trace_new ();
  g_autoptr (StriaMerge) merge
      = stria_merge_new (self->tree, self->artifact_array, trace->processes);
  g_autofree guint32 **numbers = g_new0 (guint32 *, self->parts->len + 1);
  gboolean any = FALSE;

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

      if (!is_drawn (part))
        continue;
      trace->args->pdata[p] = stria_args_ref (part->args);
      trace->unbound_flows += part->unbound_flows;
      for (guint i = 0; i < part->bodies->len; i++)
        if (((StriaLaneBody *) part->bodies->pdata[i])->kind != STRIA_LANE_COUNTER)
          trace->n_events += ((StriaLaneBody *) part->bodies->pdata[i])->n_events;
      for (guint32 id = 0; id < part->n_name_counts; id++)
        trace->name_counts[part->name_ids[id]] += part->name_counts[id];
      any |= part->bodies->len > 0;
      numbers[p] = g_new (guint32, part->bodies->len + 1);
      add_part (merge, part);
    }
  if (self->has_base && any)
    add_allocators (self, merge);
  take_lanes (trace, merge, self->parts, numbers);
  for (guint p = 0; p < self->parts->len; p++)
    {
      const StriaPart *part = self->parts->pdata[p];

      for (guint i = 0; is_drawn (part) && i < part->flows->len; i++)
        {
          StriaFlow flow = g_array_index (part->flows, StriaFlow, i);

          flow.from.lane = numbers[p][flow.from.lane];
          flow.to.lane = numbers[p][flow.to.lane];
          g_array_append_val (trace->flows, flow);
        }
      g_free (numbers[p]);
    }
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
