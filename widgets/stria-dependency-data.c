/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dependency-data.h"

#include "stria-json-text.h"

/**
 * stria_dependency_data_new:
 * @in_lane: whether an event waits for the one before it in its lane
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaDependencyData *
stria_dependency_data_new (StriaTrace *trace, StriaRef ref, gboolean in_lane,
                           GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaDependencyData) self = g_new0 (StriaDependencyData, 1);

  self->trace = stria_trace_ref (trace);
  self->ref = ref;
  self->in_lane = in_lane;
  for (StriaDependencySide side = STRIA_DEPENDENCY_BEFORE; side <= STRIA_DEPENDENCY_AFTER; side++)
    {
      self->neighbours[side] = stria_dependencies_get (trace, ref, side, cancellable, error);
      if (self->neighbours[side] == NULL)
        return NULL;
      self->chain[side]
          = stria_dependencies_chain (trace, ref, side, STRIA_DEPENDENCY_CHAIN_LIMIT,
                                      &self->is_cut[side], cancellable, error);
      if (self->chain[side] == NULL)
        return NULL;
      self->lanes[side] = stria_dependencies_lanes (self->chain[side]);
    }
  self->stall = stria_dependencies_stall (trace, ref, in_lane, STRIA_DEPENDENCY_STALL_LIMIT,
                                          cancellable, error);
  return self->stall != NULL ? g_steal_pointer (&self) : NULL;
}

void
stria_dependency_data_free (StriaDependencyData *self)
{
  if (self == NULL)
    return;
  for (guint side = 0; side < 2; side++)
    {
      g_clear_pointer (&self->neighbours[side], g_array_unref);
      g_clear_pointer (&self->chain[side], g_array_unref);
      g_clear_pointer (&self->lanes[side], g_array_unref);
    }
  g_clear_pointer (&self->stall, stria_stall_free);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_free (self);
}

const char *
stria_dependency_data_name (const StriaDependencyData *self, StriaRef ref)
{
  const StriaColumns *columns
      = stria_lane_get_columns (stria_trace_get_lane (self->trace, ref.lane));

  return columns != NULL && ref.index < columns->n
             ? stria_trace_get_string (self->trace, columns->name[ref.index])
             : "";
}

static void
append_list (GString *json, const StriaDependencyData *self, const char *key, const GArray *list)
{
  g_string_append_printf (json, ",\n  \"%s\": [", key);
  for (guint i = 0; i < list->len; i++)
    {
      g_autofree char *one
          = stria_dependency_to_json (self->trace, &g_array_index (list, StriaDependency, i));

      g_string_append_printf (json, "%s\n    %s", i > 0 ? "," : "", one);
    }
  g_string_append_c (json, ']');
}

static void
append_event (GString *json, const StriaDependencyData *self, StriaRef ref)
{
  StriaLane *lane = stria_trace_get_lane (self->trace, ref.lane);

  g_string_append (json, "{\"name\":");
  stria_json_append_text (json, stria_dependency_data_name (self, ref), -1);
  g_string_append (json, ",\"lane\":");
  stria_json_append_text (json, stria_lane_get_name (lane), -1);
}

/**
 * stria_dependency_data_to_json:
 *
 * Returns: (transfer full): neighbours, chains and the stall as one object, times in nanoseconds
 */
char *
stria_dependency_data_to_json (const StriaDependencyData *self)
{
  GString *json = g_string_new ("{\n  \"event\": ");

  append_event (json, self, self->ref);
  g_string_append_c (json, '}');
  append_list (json, self, "predecessors", self->neighbours[STRIA_DEPENDENCY_BEFORE]);
  append_list (json, self, "successors", self->neighbours[STRIA_DEPENDENCY_AFTER]);
  append_list (json, self, "upstream", self->chain[STRIA_DEPENDENCY_BEFORE]);
  append_list (json, self, "downstream", self->chain[STRIA_DEPENDENCY_AFTER]);
  g_string_append_printf (json,
                          ",\n  \"stall\": {\"total_ns\":%" G_GINT64_FORMAT
                          ",\"waited_ns\":%" G_GINT64_FORMAT ",\"steps\":[",
                          self->stall->total_ns, self->stall->waited_ns);
  for (guint i = 0; i < self->stall->steps->len; i++)
    {
      const StriaStallStep *step = &g_array_index (self->stall->steps, StriaStallStep, i);

      g_string_append (json, i > 0 ? ",\n    " : "\n    ");
      append_event (json, self, step->ref);
      g_string_append_printf (json, ",\"ran_ns\":%" G_GINT64_FORMAT ",\"waited_ns\":%"
                              G_GINT64_FORMAT "}", step->ran_ns, step->waited_ns);
    }
  g_string_append (json, "]}\n}\n");
  return g_string_free (json, FALSE);
}
