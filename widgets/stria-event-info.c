/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-event-info.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "stria-error.h"
#include "stria-format.h"
#include "stria-records.h"

static StriaEventLink
link_to (StriaEventInfo *self, StriaRef ref, StriaEventLinkKind kind)
{
  StriaLane *lane = stria_trace_get_lane (self->trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  StriaEventLink link = {
    .ref = ref, .kind = kind, .name = "", .lane = stria_lane_get_name (lane)
  };

  if (columns != NULL && ref.index < columns->n)
    {
      link.name = stria_trace_get_string (self->trace, columns->name[ref.index]);
      link.delta_ns = (gint64) ((guint64) columns->start[ref.index] - (guint64) self->start_ns);
    }
  return link;
}

static int
compare_links (gconstpointer a, gconstpointer b)
{
  const StriaEventLink *x = a;
  const StriaEventLink *y = b;

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->delta_ns < y->delta_ns ? -1 : x->delta_ns > y->delta_ns;
}

static gboolean
add_flows (StriaEventInfo *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) flows = stria_trace_flows_of (self->trace, self->ref);
  guint n = flows != NULL ? flows->len : 0;

  for (guint i = 0; i < n && self->links->len < STRIA_EVENT_MAX_LINKS; i++)
    {
      const StriaFlow *flow = &g_array_index (flows, StriaFlow, i);
      gboolean out = stria_ref_equal (flow->from, self->ref);
      StriaRef other = out ? flow->to : flow->from;
      StriaEventLink link;

      if (!stria_lane_load (stria_trace_get_lane (self->trace, other.lane), cancellable, error))
        return FALSE;
      link = link_to (self, other, out ? STRIA_EVENT_LINK_FLOW_OUT : STRIA_EVENT_LINK_FLOW_IN);
      link.label = stria_trace_get_string (self->trace, flow->name);
      link.backwards = flow->backwards != 0;
      g_array_append_val (self->links, link);
    }
  return TRUE;
}

static gboolean
add_linked (StriaEventInfo *self, guint32 artifact, StriaLinkKind kind, guint64 key, guint *n_found,
            GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) refs = stria_trace_find_linked (self->trace, artifact, kind, key);
  guint n = refs != NULL ? refs->len : 0;
  guint listed = 0;

  for (guint i = 0; i < n; i++)
    {
      StriaRef ref = g_array_index (refs, StriaRef, i);
      StriaEventLink link;

      if (stria_ref_equal (ref, self->ref))
        continue;
      (*n_found)++;
      if (listed++ >= STRIA_EVENT_MAX_LINKS)
        continue;
      if (!stria_lane_load (stria_trace_get_lane (self->trace, ref.lane), cancellable, error))
        return FALSE;
      link = link_to (self, ref,
                      kind == STRIA_LINK_CORRELATION ? STRIA_EVENT_LINK_CORRELATION
                                                     : STRIA_EVENT_LINK_EXTERNAL);
      g_array_append_val (self->links, link);
    }
  return TRUE;
}

static void
add_stack (StriaEventInfo *self)
{
  g_autoptr (GArray) refs = stria_trace_python_stack (self->trace, self->ref);
  guint n = refs != NULL ? refs->len : 0;

  for (guint i = 0; i < n; i++)
    {
      StriaRef ref = g_array_index (refs, StriaRef, i);
      const StriaColumns *columns;
      StriaEventLink link;

      if (stria_ref_equal (ref, self->ref))
        continue;
      link = link_to (self, ref, STRIA_EVENT_LINK_STACK);
      g_array_append_val (self->stack, link);
      columns = stria_lane_get_columns (stria_trace_get_lane (self->trace, ref.lane));
      if (columns != NULL && columns->python != NULL && columns->python[ref.index] != 0)
        self->stack_is_python = TRUE;
    }
}

static void
add_args (StriaEventInfo *self)
{
  g_autoptr (GError) error = NULL;
  const char *text;
  gsize length;

  self->args = stria_trace_get_args (self->trace, self->ref, &error);
  if (error != NULL)
    self->args_error = g_strdup (error->message);
  if (self->args != NULL)
    {
      text = g_bytes_get_data (self->args, &length);
      self->fields = text != NULL ? stria_fields_parse (text, length) : NULL;
    }
  if (self->args_error == NULL)
    self->row = stria_row_load (self->trace, self->ref, NULL);
}

static void
add_columns (StriaEventInfo *self, StriaLane *lane, const StriaColumns *columns)
{
  guint32 i = self->ref.index;
  gint64 origin, end, base;

  self->name = stria_trace_get_string (self->trace, columns->name[i]);
  if (columns->category != NULL)
    self->category = stria_trace_get_category (self->trace, columns->category[i]);
  self->lane = stria_lane_get_name (lane);
  self->process = stria_trace_process_title (self->trace, stria_lane_get_process (lane));
  self->start_ns = columns->start[i];
  self->relative_ns = self->start_ns;
  if (stria_trace_get_view_range (self->trace, &origin, &end))
    self->relative_ns = (gint64) ((guint64) self->start_ns - (guint64) origin);
  if (stria_trace_get_wall_base (self->trace, &base))
    self->has_wall = !__builtin_add_overflow (base, self->start_ns, &self->wall_ns);
  self->has_allocations = stria_trace_allocations (self->trace, self->ref, &self->allocations);

  self->dur_ns = self->self_ns = -1;
  self->flags = columns->flags != NULL ? columns->flags[i] : 0;
  self->seq = columns->seq != NULL ? columns->seq[i] : 0;
  self->is_counter = stria_lane_get_kind (lane) == STRIA_LANE_COUNTER;
  if (self->is_counter)
    {
      self->value = columns->value[i];
      self->unit = stria_lane_get_unit (lane);
    }
  else if (columns->dur != NULL)
    {
      guint64 begin, past;

      self->dur_ns = columns->dur[i];
      self->self_ns = stria_lane_self_ns (lane, i);
      self->depth = stria_lane_row_of (lane, i);
      stria_lane_children (lane, i, &begin, &past);
      self->n_children = past - begin;
      if (past > begin)
        self->first_child = (StriaRef){ self->ref.lane, (guint32) begin };
      if (columns->parent != NULL && columns->parent[i] != G_MAXUINT32)
        {
          self->parent = (StriaRef){ self->ref.lane, columns->parent[i] };
          self->parent_name = stria_trace_get_string (self->trace,
                                                      columns->name[columns->parent[i]]);
        }
    }
  self->correlation = columns->correlation != NULL ? columns->correlation[i] : 0;
  self->external = columns->external != NULL ? columns->external[i] : 0;
  self->python = columns->python != NULL ? columns->python[i] : 0;
}

/**
 * stria_event_info_new:
 * @trace: where the event is
 * @ref: which event
 * @cancellable: (nullable)
 *
 * Collects what there is to know about an event. Loads the lanes it needs, so call it on a worker.
 *
 * Returns: (transfer full) (nullable): NULL with @error if the event is not there or a lane of it
 *   cannot be read
 */
StriaEventInfo *
stria_event_info_new (StriaTrace *trace, StriaRef ref, GCancellable *cancellable, GError **error)
{
  g_autoptr (StriaEventInfo) self = NULL;
  const StriaColumns *columns;
  StriaLane *lane;
  guint32 artifact;

  g_return_val_if_fail (trace != NULL, NULL);

  if (ref.lane >= stria_trace_get_n_lanes (trace))
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND, _ ("There is no lane number %u"),
                   ref.lane);
      return NULL;
    }
  lane = stria_trace_get_lane (trace, ref.lane);
  if (!stria_lane_load (lane, cancellable, error))
    return NULL;
  columns = stria_lane_get_columns (lane);
  if (columns == NULL || ref.index >= columns->n)
    {
      g_set_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND,
                   _ ("Lane “%s” has no event number %u"), stria_lane_get_name (lane), ref.index);
      return NULL;
    }

  self = g_new0 (StriaEventInfo, 1);
  self->trace = stria_trace_ref (trace);
  self->ref = ref;
  self->parent = self->first_child = STRIA_REF_NONE;
  self->links = g_array_new (FALSE, FALSE, sizeof (StriaEventLink));
  self->stack = g_array_new (FALSE, FALSE, sizeof (StriaEventLink));
  add_columns (self, lane, columns);
  add_args (self);

  artifact = stria_lane_get_artifact (lane);
  if (!add_flows (self, cancellable, error))
    return NULL;
  if (self->correlation != 0 &&
      !add_linked (self, artifact, STRIA_LINK_CORRELATION, self->correlation, &self->n_correlation,
                   cancellable, error))
    return NULL;
  /* Where both are equal the tracer has copied one into the other, and it links nothing. */
  if (self->external != 0 && self->external != self->correlation &&
      !add_linked (self, artifact, STRIA_LINK_EXTERNAL, self->external, &self->n_external,
                   cancellable, error))
    return NULL;
  if (!self->is_counter)
    add_stack (self);
  g_array_sort (self->links, compare_links);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
stria_event_info_free (StriaEventInfo *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->links, g_array_unref);
  g_clear_pointer (&self->stack, g_array_unref);
  g_clear_pointer (&self->args, g_bytes_unref);
  g_clear_pointer (&self->fields, stria_field_free);
  g_clear_pointer (&self->row, stria_row_free);
  g_free (self->args_error);
  g_free (self->process);
  g_clear_pointer (&self->trace, stria_trace_unref);
  g_free (self);
}

char *
stria_event_info_dup_args (const StriaEventInfo *self)
{
  const char *text;
  gsize length;

  if (self->args == NULL)
    return NULL;
  text = g_bytes_get_data (self->args, &length);
  return text != NULL ? g_utf8_make_valid (text, (gssize) length) : g_strdup ("");
}

static void
line (GString *out, const char *title, const char *value)
{
  g_string_append_printf (out, "%s: %s\n", title, value);
}

static void
line_take (GString *out, const char *title, char *value)
{
  line (out, title, value);
  g_free (value);
}

char *
stria_event_info_to_text (const StriaEventInfo *self, gboolean wall)
{
  GString *out = g_string_new (NULL);
  static const char *const link_titles[] = { N_ ("Flow from"), N_ ("Flow to"), N_ ("Correlation"),
                                             N_ ("External id"), N_ ("Called from") };

  line (out, _ ("Name"), self->name);
  if (self->category != NULL && *self->category != '\0')
    line (out, _ ("Category"), self->category);
  if (wall && self->has_wall)
    line_take (out, _ ("Start"), stria_format_wall (self->wall_ns, NULL));
  else
    line_take (out, _ ("Start"), stria_format_time (self->relative_ns, 1));
  if (self->dur_ns >= 0)
    {
      line_take (out, _ ("Duration"), stria_format_ns (self->dur_ns));
      line_take (out, _ ("Self time"), stria_format_ns (self->self_ns));
    }
  if (self->has_allocations)
    {
      line_take (out, _ ("Allocated"),
                 stria_format_bytes ((gint64) self->allocations.allocated_bytes));
      line_take (out, _ ("Alive at its end"),
                 stria_format_bytes ((gint64) self->allocations.alive_bytes));
    }
  if (self->is_counter)
    line_take (out, _ ("Value"), stria_format_value (self->value, self->unit));
  line (out, _ ("Thread"), self->lane);
  line (out, _ ("Process"), self->process);
  for (guint i = 0; i < self->links->len; i++)
    {
      const StriaEventLink *link = &g_array_index (self->links, StriaEventLink, i);

      g_string_append_printf (out, "%s: %s (%s)\n", _ (link_titles[link->kind]), link->name,
                              link->lane);
    }
  if (self->stack->len > 0)
    {
      g_string_append_printf (out, "\n%s\n",
                              self->stack_is_python ? _ ("Call stack") : _ ("Enclosing slices"));
      for (guint i = 0; i < self->stack->len; i++)
        g_string_append_printf (out, "  %s\n",
                                g_array_index (self->stack, StriaEventLink, i).name);
    }
  if (self->fields != NULL && self->fields->children != NULL)
    {
      g_string_append_printf (out, "\n%s\n", _ ("Arguments"));
      for (guint i = 0; i < self->fields->children->len; i++)
        {
          const StriaField *field = g_ptr_array_index (self->fields->children, i);
          g_autofree char *value = stria_field_inline (field, 0);

          if (field->key != NULL)
            g_string_append_printf (out, "  %s: %s\n", field->key, value);
          else
            g_string_append_printf (out, "  %s\n", value);
        }
    }
  else if (self->args != NULL)
    {
      g_autofree char *args = stria_event_info_dup_args (self);

      g_string_append_printf (out, "\n%s\n  %s\n", _ ("Arguments"), args);
    }
  return g_string_free (out, FALSE);
}

static void
add_int (JsonBuilder *builder, const char *key, gint64 value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_int_value (builder, value);
}

static void
add_string (JsonBuilder *builder, const char *key, const char *value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_string_value (builder, value);
}

char *
stria_event_info_to_json (const StriaEventInfo *self)
{
  static const char *const kinds[] = { "flow-in", "flow-out", "correlation", "external-id",
                                       "stack" };
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  g_autofree char *args = NULL;

  json_builder_begin_object (builder);
  add_string (builder, "name", self->name);
  add_string (builder, "category", self->category != NULL ? self->category : "");
  add_string (builder, "process", self->process);
  add_string (builder, "thread", self->lane);
  add_int (builder, "start_ns", self->start_ns);
  add_int (builder, "relative_ns", self->relative_ns);
  if (self->has_wall)
    add_int (builder, "wall_ns", self->wall_ns);
  if (self->dur_ns >= 0)
    {
      add_int (builder, "dur_ns", self->dur_ns);
      add_int (builder, "self_ns", self->self_ns);
      add_int (builder, "depth", self->depth);
      add_int (builder, "children", (gint64) self->n_children);
    }
  if (self->is_counter)
    {
      json_builder_set_member_name (builder, "value");
      json_builder_add_double_value (builder, self->value);
    }
  json_builder_set_member_name (builder, "links");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->links->len; i++)
    {
      const StriaEventLink *link = &g_array_index (self->links, StriaEventLink, i);

      json_builder_begin_object (builder);
      add_string (builder, "kind", kinds[link->kind]);
      add_string (builder, "name", link->name);
      add_string (builder, "thread", link->lane);
      add_int (builder, "delta_ns", link->delta_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "stack");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->stack->len; i++)
    json_builder_add_string_value (builder, g_array_index (self->stack, StriaEventLink, i).name);
  json_builder_end_array (builder);
  if (self->args != NULL && self->fields == NULL)
    {
      args = stria_event_info_dup_args (self);
      add_string (builder, "args", args);
    }
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  if (self->fields != NULL)
    {
      /* Put in as text: a document model would change large numbers. */
      args = stria_field_to_json (self->fields);
      text[strlen (text) - 1] = '\0';
      return g_strdup_printf ("%s,\"args\":%s}\n", text, args);
    }
  return g_strdup_printf ("%s\n", text);
}
