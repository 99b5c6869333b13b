/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli-export.h"
#include "cli-json.h"
#include "stria-records.h"

/*
 * Chrome-trace JSON: what every viewer of such profiles opens. Times are microseconds with three
 * decimals, written from the integers; arguments are the file's own text. Slices that a lane of
 * their own was found for go back to their thread, asynchronous ones become pairs of their own id,
 * and flows become pairs that bind to what encloses their ends.
 */

typedef struct
{
  const CliExport *export;
  CliJson          json;
  gboolean         own_pids; /* several artifacts: their process ids may be the same */
  guint64          n_async;
} Writer;

/* A number as JSON writes it, so that it can go out as it is */
static gboolean
is_number (const char *text)
{
  gboolean has_point = FALSE;

  if (*text == '-')
    text++;
  if (!g_ascii_isdigit (*text) || (text[0] == '0' && g_ascii_isdigit (text[1])))
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (*text == '.' && !has_point && g_ascii_isdigit (text[1]))
        has_point = TRUE;
      else if (!g_ascii_isdigit (*text))
        return FALSE;
    }
  return TRUE;
}

/* A key is a number as it stands, or a text; a text that looks like a number has its quotes on. */
static void
write_key (CliJson *json, const char *name, const char *key)
{
  gsize length = strlen (key);

  if (length == 0)
    return;
  if (is_number (key) || (length > 2 && key[0] == '"' && key[length - 1] == '"'))
    cli_json_trace_text (json, name, key, length);
  else
    cli_json_text (json, name, key, length);
}

static void
write_pid (Writer *self, guint32 process)
{
  if (self->own_pids)
    cli_json_uint (&self->json, "pid", process + 1);
  else
    write_key (&self->json, "pid", stria_trace_get_process (self->export->trace, process)->key);
}

static void
write_place (Writer *self, StriaLane *lane)
{
  write_pid (self, stria_lane_get_process (lane));
  write_key (&self->json, "tid", stria_lane_get_key (lane));
}

static void
begin_event (Writer *self, const char *phase)
{
  cli_json_begin_object (&self->json, NULL);
  cli_json_string (&self->json, "ph", phase);
}

static void
begin_metadata (Writer *self, const char *name, guint32 process, const char *tid)
{
  begin_event (self, "M");
  cli_json_string (&self->json, "name", name);
  write_pid (self, process);
  if (tid != NULL)
    write_key (&self->json, "tid", tid);
  cli_json_begin_object (&self->json, "args");
}

static void
end_metadata (Writer *self)
{
  cli_json_end_object (&self->json);
  cli_json_end_object (&self->json);
}

static void
write_processes (Writer *self)
{
  StriaTrace *trace = self->export->trace;

  for (guint32 i = 0; i < stria_trace_get_n_processes (trace); i++)
    {
      const StriaProcess *process = stria_trace_get_process (trace, i);

      if (process->name != NULL || self->own_pids)
        {
          StriaArtifact *artifact
              = stria_capture_get_artifact (self->export->capture, process->artifact);
          g_autofree char *name
              = !self->own_pids ? g_strdup (process->name)
                                : g_strdup_printf ("%s: %s %s", stria_artifact_get_name (artifact),
                                                   process->name == NULL ? "" : process->name,
                                                   process->key);

          begin_metadata (self, "process_name", i, NULL);
          cli_json_string (&self->json, "name", name);
          end_metadata (self);
        }
      if (process->labels != NULL)
        {
          begin_metadata (self, "process_labels", i, NULL);
          cli_json_string (&self->json, "labels", process->labels);
          end_metadata (self);
        }
      begin_metadata (self, "process_sort_index", i, NULL);
      cli_json_int (&self->json, "sort_index", process->sort_index);
      end_metadata (self);
    }
}

/* Lanes of one thread share its key; the thread is told once. */
static void
write_threads (Writer *self)
{
  StriaTrace            *trace = self->export->trace;
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane       *lane = stria_trace_get_lane (trace, i);
      const char      *key = stria_lane_get_key (lane);
      guint32          process = stria_lane_get_process (lane);
      g_autofree char *id = g_strdup_printf ("%u %s", process, key);
      g_autofree char *unnamed = g_strdup_printf (_ ("thread %s"), key);

      if (key[0] == '\0' || !g_hash_table_add (told, g_steal_pointer (&id)))
        continue;
      if (!g_str_equal (unnamed, stria_lane_get_name (lane)))
        {
          begin_metadata (self, "thread_name", process, key);
          cli_json_string (&self->json, "name", stria_lane_get_name (lane));
          end_metadata (self);
        }
      begin_metadata (self, "thread_sort_index", process, key);
      cli_json_uint (&self->json, "sort_index", i);
      end_metadata (self);
    }
}

static void
write_names (Writer *self, const StriaColumns *columns, guint32 k)
{
  const char *category = stria_trace_get_category (self->export->trace, columns->category[k]);

  if (category[0] != '\0')
    cli_json_string (&self->json, "cat", category);
  cli_json_string (&self->json, "name",
                   stria_trace_get_string (self->export->trace, columns->name[k]));
}

/* The name of a series stands in its lane's name, behind that of the counter. */
static void
write_sample (Writer *self, StriaLane *lane, const StriaColumns *columns, guint32 k)
{
  const char *name = stria_trace_get_string (self->export->trace, columns->name[k]);
  const char *series = stria_lane_get_name (lane);
  gsize       length = strlen (name);

  if (strncmp (series, name, length) == 0 && g_str_has_prefix (series + length, ": "))
    series += length + 2;

  begin_event (self, "C");
  write_names (self, columns, k);
  write_pid (self, stria_lane_get_process (lane));
  cli_json_us (&self->json, "ts", columns->start[k]);
  cli_json_begin_object (&self->json, "args");
  cli_json_double (&self->json, series, columns->value[k]);
  cli_json_end_object (&self->json);
  cli_json_end_object (&self->json);
}

static void
write_args (Writer *self, GBytes *args)
{
  if (args != NULL)
    cli_json_trace_text (&self->json, "args", g_bytes_get_data (args, NULL),
                         g_bytes_get_size (args));
}

static void
write_async (Writer *self, StriaLane *lane, const StriaColumns *columns, guint32 k, GBytes *args)
{
  gint64 end_ns;

  if (__builtin_add_overflow (columns->start[k], columns->dur[k], &end_ns))
    end_ns = G_MAXINT64;
  self->n_async++;
  for (guint end = 0; end < 2; end++)
    {
      begin_event (self, end ? "e" : "b");
      write_names (self, columns, k);
      write_place (self, lane);
      cli_json_uint (&self->json, "id", self->n_async);
      cli_json_us (&self->json, "ts", end ? end_ns : columns->start[k]);
      if (!end)
        write_args (self, args);
      cli_json_end_object (&self->json);
    }
}

static void
write_instant (Writer *self, StriaLane *lane, const StriaColumns *columns, guint32 k, GBytes *args)
{
  const char *scope = "t";

  if (columns->flags[k] & STRIA_EVENT_SCOPE_GLOBAL)
    scope = "g";
  else if (columns->flags[k] & STRIA_EVENT_SCOPE_PROCESS)
    scope = "p";

  begin_event (self, "i");
  write_names (self, columns, k);
  write_place (self, lane);
  cli_json_us (&self->json, "ts", columns->start[k]);
  cli_json_string (&self->json, "s", scope);
  write_args (self, args);
  cli_json_end_object (&self->json);
}

static void
write_slice (Writer *self, StriaLane *lane, const StriaColumns *columns, guint32 k, GBytes *args)
{
  begin_event (self, "X");
  write_names (self, columns, k);
  write_place (self, lane);
  cli_json_us (&self->json, "ts", columns->start[k]);
  cli_json_us (&self->json, "dur", columns->dur[k]);
  write_args (self, args);
  cli_json_end_object (&self->json);
}

static gboolean
write_event (Writer *self, StriaRef ref, GError **error)
{
  StriaLane          *lane = stria_trace_get_lane (self->export->trace, ref.lane);
  const StriaColumns *columns = stria_lane_get_columns (lane);
  g_autoptr (GBytes)  args = NULL;
  g_autoptr (GError)  args_error = NULL;

  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    {
      write_sample (self, lane, columns, ref.index);
      return TRUE;
    }

  args = stria_trace_get_args (self->export->trace, ref, &args_error);
  if (args_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&args_error));
      return FALSE;
    }
  if (stria_lane_get_kind (lane) == STRIA_LANE_ASYNC)
    write_async (self, lane, columns, ref.index, args);
  else if (stria_lane_get_kind (lane) == STRIA_LANE_INSTANTS)
    write_instant (self, lane, columns, ref.index, args);
  else
    write_slice (self, lane, columns, ref.index, args);
  return TRUE;
}

static void
write_flow_end (Writer *self, const StriaFlow *flow, gsize id, gboolean is_end)
{
  StriaTrace *trace = self->export->trace;
  StriaRef    ref = is_end ? flow->to : flow->from;
  StriaLane  *lane = stria_trace_get_lane (trace, ref.lane);
  const char *category = stria_trace_get_category (trace, flow->category);
  const char *name = stria_trace_get_string (trace, flow->name);

  begin_event (self, is_end ? "f" : "s");
  cli_json_string (&self->json, "cat", category[0] == '\0' ? "flow" : category);
  cli_json_string (&self->json, "name", name[0] == '\0' ? "flow" : name);
  cli_json_uint (&self->json, "id", id);
  write_place (self, lane);
  cli_json_us (&self->json, "ts", stria_lane_get_columns (lane)->start[ref.index]);
  if (is_end)
    cli_json_string (&self->json, "bp", "e");
  cli_json_end_object (&self->json);
}

static gboolean
write_flows (Writer *self, GError **error)
{
  gsize            n;
  const StriaFlow *flows = stria_trace_get_flows (self->export->trace, &n);

  for (gsize i = 0; i < n; i++)
    {
      if (i % 4096 == 0
          && g_cancellable_set_error_if_cancelled (self->export->cancellable, error))
        return FALSE;
      if (!cli_export_takes (self->export, flows[i].from)
          || !cli_export_takes (self->export, flows[i].to))
        continue;
      write_flow_end (self, &flows[i], i + 1, FALSE);
      write_flow_end (self, &flows[i], i + 1, TRUE);
    }
  return TRUE;
}

static guint
count_with_lanes (const CliExport *export)
{
  guint32 first = G_MAXUINT32;

  for (guint32 i = 0; i < stria_trace_get_n_processes (export->trace); i++)
    {
      guint32 artifact = stria_trace_get_process (export->trace, i)->artifact;

      if (first == G_MAXUINT32)
        first = artifact;
      else if (artifact != first)
        return 2;
    }
  return first == G_MAXUINT32 ? 0 : 1;
}

/* What the one artifact says about itself; facts about several do not fit into one file. */
static void
write_metadata (Writer *self)
{
  const StriaProcess    *process;
  g_autoptr (GHashTable) meta = NULL;
  g_autoptr (GList)      keys = NULL;
  gint64                 base_ns;

  if (self->own_pids)
    {
      if (stria_trace_get_wall_base (self->export->trace, &base_ns) && base_ns != 0)
        cli_json_int (&self->json, "baseTimeNanoseconds", base_ns);
      return;
    }
  if (stria_trace_get_n_processes (self->export->trace) == 0)
    return;

  process = stria_trace_get_process (self->export->trace, 0);
  meta = stria_capture_get_meta (self->export->capture, process->artifact);
  keys = meta == NULL ? NULL : g_list_sort (g_hash_table_get_keys (meta), (GCompareFunc) strcmp);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      const char *text = g_hash_table_lookup (meta, l->data);

      if (cli_is_public_meta (l->data))
        cli_json_trace_text (&self->json, l->data, text, strlen (text));
    }
}

/**
 * cli_export_perfetto:
 *
 * Returns: FALSE with @error when cancelled or when arguments could not be read; what was written
 *   then is no whole document
 */
gboolean
cli_export_perfetto (const CliExport *export, FILE *file, GError **error)
{
  Writer   self = { .export = export };
  gboolean done = TRUE;

  self.own_pids = count_with_lanes (export) > 1;
  cli_json_init (&self.json, file, 2);
  cli_json_begin_object (&self.json, NULL);
  write_metadata (&self);
  cli_json_begin_array (&self.json, "traceEvents");
  write_processes (&self);
  write_threads (&self);
  for (guint i = 0; i < export->events->len && done; i++)
    {
      const CliExportEvent *event = &g_array_index (export->events, CliExportEvent, i);

      done = cli_export_next (export, i, error) && write_event (&self, event->ref, error);
    }
  done = done && write_flows (&self, error);
  cli_json_end_array (&self.json);
  cli_json_end_object (&self.json);
  cli_json_finish (&self.json);
  return done;
}
