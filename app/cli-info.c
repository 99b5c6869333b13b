/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "cli-common.h"
#include "cli-json.h"
#include "cli-program.h"
#include "cli-table.h"
#include "cli-tables.h"
#include "cli-tree.h"
#include "cli-vgf.h"
#include "stria-format.h"

typedef struct
{
  guint64 slices;
  guint64 instants;
  guint64 samples;
  gint64  duration_ns;
} Totals;

typedef struct
{
  Totals   all;
  Totals  *by_category;
  guint32 *order; /* of categories, by their names: decoders meet them as their threads run */
  guint32  n_categories;
  guint64  negative;
  guint64  unfinished;
  guint64  clamped;
  guint64  backwards_flows;
  gsize    n_flows;
  GArray  *process_events; /* guint64 */
} Summary;

static void
summary_clear (Summary *summary)
{
  g_clear_pointer (&summary->by_category, g_free);
  g_clear_pointer (&summary->order, g_free);
  g_clear_pointer (&summary->process_events, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Summary, summary_clear)

/* Files may hold durations that no sum of int64 takes. */
static void
add_saturated (gint64 *sum, gint64 value)
{
  if (__builtin_add_overflow (*sum, value, sum))
    *sum = G_MAXINT64;
}

static void
add_lane (Summary *summary, StriaLane *lane)
{
  const StriaColumns *columns = stria_lane_get_columns (lane);
  StriaLaneKind       kind = stria_lane_get_kind (lane);

  for (guint64 i = 0; i < columns->n; i++)
    {
      guint16 category = columns->category == NULL ? 0 : columns->category[i];
      guint16 flags = columns->flags == NULL ? 0 : columns->flags[i];
      Totals *totals = category < summary->n_categories ? &summary->by_category[category] : NULL;
      Totals  one = { 0 };

      if (kind == STRIA_LANE_COUNTER)
        one.samples = 1;
      else if (kind == STRIA_LANE_INSTANTS)
        one.instants = 1;
      else
        {
          one.slices = 1;
          one.duration_ns = columns->dur[i];
        }

      for (Totals *sum = &summary->all; sum != NULL; sum = sum == totals ? NULL : totals)
        {
          sum->slices += one.slices;
          sum->instants += one.instants;
          sum->samples += one.samples;
          add_saturated (&sum->duration_ns, one.duration_ns);
        }
      summary->negative += (flags & STRIA_EVENT_NEGATIVE_DUR) != 0;
      summary->unfinished += (flags & STRIA_EVENT_UNFINISHED) != 0;
      summary->clamped += (flags & STRIA_EVENT_CLAMPED) != 0;
    }
}

static int
compare_categories (gconstpointer a, gconstpointer b, gpointer trace)
{
  return strcmp (stria_trace_get_category (trace, *(const guint32 *) a),
                 stria_trace_get_category (trace, *(const guint32 *) b));
}

static gboolean
summarize (StriaTrace *trace, GCancellable *cancellable, Summary *summary, GError **error)
{
  const StriaFlow *flows;

  if (!stria_trace_load_all (trace, cancellable, error))
    return FALSE;

  summary->n_categories = stria_trace_get_n_categories (trace);
  summary->by_category = g_new0 (Totals, MAX (summary->n_categories, 1));
  summary->order = g_new (guint32, MAX (summary->n_categories, 1));
  for (guint32 i = 0; i < summary->n_categories; i++)
    summary->order[i] = i;
  g_qsort_with_data (summary->order, (gint) summary->n_categories, sizeof *summary->order,
                     compare_categories, trace);
  summary->process_events = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_array_set_size (summary->process_events, stria_trace_get_n_processes (trace));

  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      guint32    process = stria_lane_get_process (lane);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      add_lane (summary, lane);
      if (process < summary->process_events->len)
        g_array_index (summary->process_events, guint64, process) += stria_lane_get_n_events (lane);
    }

  flows = stria_trace_get_flows (trace, &summary->n_flows);
  for (gsize i = 0; i < summary->n_flows; i++)
    summary->backwards_flows += flows[i].backwards != 0;
  return TRUE;
}

/* What the decoder says about the file: counts by phase and category as it wrote them, and the keys
 * whose values it did not keep. */
static const struct
{
  const char *key;
  const char *member;
} decoder_facts[] = {
  { "@phases", "phases" },
  { "@categories", "categories" },
  { "@otherKeys", "other_keys" },
};

static gboolean
is_decoder_fact (const char *key)
{
  return key[0] == '@';
}

static GList *
sorted_keys (GHashTable *meta)
{
  return g_list_sort (g_hash_table_get_keys (meta), (GCompareFunc) strcmp);
}

static void
json_artifact (CliJson *json, StriaCapture *capture, guint number)
{
  StriaArtifact         *artifact = stria_capture_get_artifact (capture, number);
  g_autofree char       *reason = stria_artifact_dup_reason (artifact);
  g_autoptr (GHashTable) meta = stria_capture_get_meta (capture, number);
  g_autoptr (GList)      keys = meta == NULL ? NULL : sorted_keys (meta);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "name", stria_artifact_get_name (artifact));
  cli_json_string (json, "path", stria_artifact_get_path (artifact));
  cli_json_string (json, "member", stria_artifact_get_member (artifact));
  cli_json_string (json, "kind", stria_artifact_get_kind (artifact));
  cli_json_string (json, "state", stria_artifact_state_name (stria_artifact_get_state (artifact)));
  cli_json_string (json, "reason", reason);
  cli_json_uint (json, "size", stria_artifact_get_size (artifact));
  cli_json_uint (json, "events", stria_artifact_get_n_events (artifact));
  for (gsize i = 0; i < G_N_ELEMENTS (decoder_facts) && meta != NULL; i++)
    {
      const char *text = g_hash_table_lookup (meta, decoder_facts[i].key);

      if (text != NULL)
        cli_json_trace_text (json, decoder_facts[i].member, text, strlen (text));
    }
  cli_json_begin_object (json, "metadata");
  for (GList *l = keys; l != NULL; l = l->next)
    {
      const char *text = g_hash_table_lookup (meta, l->data);

      if (cli_is_public_meta (l->data))
        cli_json_trace_text (json, l->data, text, strlen (text));
    }
  cli_json_end_object (json);
  cli_json_begin_array (json, "hidden_keys");
  for (GList *l = keys; l != NULL; l = l->next)
    {
      if (!is_decoder_fact (l->data) && !cli_is_public_meta (l->data))
        cli_json_string (json, NULL, l->data);
    }
  cli_json_end_array (json);
  cli_json_end_object (json);
}

static void
json_totals (CliJson *json, const Totals *totals)
{
  cli_json_uint (json, "slices", totals->slices);
  cli_json_uint (json, "instants", totals->instants);
  cli_json_uint (json, "samples", totals->samples);
  cli_json_int (json, "duration_ns", totals->duration_ns);
}

static void
json_range (CliJson *json, const char *key, gboolean valid, gint64 start_ns, gint64 end_ns)
{
  if (!valid)
    {
      cli_json_null (json, key);
      return;
    }
  cli_json_begin_object (json, key);
  cli_json_int (json, "start_ns", start_ns);
  cli_json_int (json, "end_ns", end_ns);
  cli_json_end_object (json);
}

static void
json_structure (CliJson *json, StriaTrace *trace, const Summary *summary)
{
  cli_json_begin_array (json, "processes");
  for (guint32 i = 0; i < stria_trace_get_n_processes (trace); i++)
    {
      const StriaProcess *process = stria_trace_get_process (trace, i);

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "key", process->key);
      cli_json_string (json, "name", process->name);
      cli_json_string (json, "labels", process->labels);
      cli_json_int (json, "sort_index", process->sort_index);
      cli_json_uint (json, "artifact", process->artifact);
      cli_json_uint (json, "events", g_array_index (summary->process_events, guint64, i));
      cli_json_end_object (json);
    }
  cli_json_end_array (json);

  cli_json_begin_array (json, "lanes");
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);
      gint64     start_ns = 0;
      gint64     end_ns = 0;
      gboolean   valid = stria_lane_get_range (lane, &start_ns, &end_ns);

      cli_json_begin_object (json, NULL);
      cli_json_uint (json, "process", stria_lane_get_process (lane));
      cli_json_string (json, "kind", cli_lane_kind_name (stria_lane_get_kind (lane)));
      cli_json_string (json, "key", stria_lane_get_key (lane));
      cli_json_string (json, "name", stria_lane_get_name (lane));
      cli_json_uint (json, "rows", stria_lane_get_n_rows (lane));
      cli_json_uint (json, "events", stria_lane_get_n_events (lane));
      json_range (json, "range", valid, start_ns, end_ns);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);

  cli_json_begin_array (json, "categories");
  for (guint32 i = 0; i < summary->n_categories; i++)
    {
      const guint32 category = summary->order[i];
      const Totals *totals = &summary->by_category[category];

      if (totals->slices + totals->instants + totals->samples == 0)
        continue;
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "name", stria_trace_get_category (trace, category));
      json_totals (json, totals);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
print_json (const CliCapture *open, const Summary *summary)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *store = stria_capture_dup_store_path (open->capture);
  gint64           start_ns = 0;
  gint64           end_ns = 0;
  gboolean         valid;
  CliJson          json;

  cli_json_init (&json, stdout, 2);
  cli_json_begin_object (&json, NULL);
  cli_json_string (&json, "path", stria_capture_get_path (open->capture));
  cli_json_string (&json, "title", stria_capture_get_title (open->capture));
  cli_json_string (&json, "key", stria_capture_get_key (open->capture));
  cli_json_string (&json, "store", store);

  cli_json_begin_array (&json, "artifacts");
  for (guint i = 0; i < stria_capture_get_n_artifacts (open->capture); i++)
    json_artifact (&json, open->capture, i);
  cli_json_end_array (&json);

  valid = stria_trace_get_range (open->trace, &start_ns, &end_ns);
  json_range (&json, "range", valid, start_ns, end_ns);
  valid = stria_trace_get_view_range (open->trace, &start_ns, &end_ns);
  json_range (&json, "view_range", valid, start_ns, end_ns);
  if (stria_trace_get_wall_base (open->trace, &start_ns))
    cli_json_int (&json, "wall_base_ns", start_ns);
  else
    cli_json_null (&json, "wall_base_ns");

  cli_json_begin_object (&json, "events");
  cli_json_uint (&json, "total", stria_trace_get_n_events (open->trace));
  json_totals (&json, &summary->all);
  cli_json_uint (&json, "negative_duration", summary->negative);
  cli_json_uint (&json, "unfinished", summary->unfinished);
  cli_json_uint (&json, "clamped", summary->clamped);
  cli_json_end_object (&json);

  cli_json_begin_object (&json, "flows");
  cli_json_uint (&json, "bound", summary->n_flows);
  cli_json_uint (&json, "unbound", stria_trace_get_unbound_flows (open->trace));
  cli_json_uint (&json, "backwards", summary->backwards_flows);
  cli_json_end_object (&json);

  json_structure (&json, open->trace, summary);
  cli_json_tree (&json, open->capture);
  cli_json_agreement (&json, open->capture);
  cli_json_programs (&json, open->capture);
  cli_json_vgfs (&json, open->capture);
  cli_json_tables (&json, open->capture);
  if (!cli_json_summaries (&json, open->capture, NULL, &error))
    cli_warn ("%s", error->message);
  cli_json_notices (&json, stria_capture_get_notices (open->capture));
  cli_json_end_object (&json);
  cli_json_finish (&json);
}

static void
print_title (const char *title)
{
  printf ("\n%s\n", title);
}

static void
print_fact (const char *label, const char *value)
{
  g_autofree char *printable = cli_printable (value);

  printf ("%s: %s\n", label, printable);
}

static void
print_artifacts (StriaCapture *capture)
{
  CliTable *table = cli_table_new (stdout);

  print_title (_ ("Artifacts"));
  cli_table_column (table, _ ("File"), FALSE);
  cli_table_column (table, _ ("Kind"), FALSE);
  cli_table_column (table, _ ("State"), FALSE);
  cli_table_column (table, _ ("Size"), TRUE);
  cli_table_column (table, _ ("Events"), TRUE);
  cli_table_column (table, _ ("Why"), FALSE);
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      StriaArtifact *artifact = stria_capture_get_artifact (capture, i);

      cli_table_cell (table, stria_artifact_get_name (artifact));
      cli_table_cell (table, stria_artifact_get_title (artifact));
      cli_table_cell (table, cli_state_title (stria_artifact_get_state (artifact)));
      cli_table_take (table, stria_format_bytes ((gint64) stria_artifact_get_size (artifact)));
      cli_table_take (table, stria_format_count (stria_artifact_get_n_events (artifact)));
      cli_table_take (table, stria_artifact_dup_reason (artifact));
    }
  cli_table_finish (table);
}

static void
print_times (StriaTrace *trace)
{
  gint64 start_ns = 0;
  gint64 end_ns = 0;
  gint64 base_ns = 0;

  if (!stria_trace_get_range (trace, &start_ns, &end_ns))
    return;

  g_autofree char *length = stria_format_duration (end_ns - start_ns, 6);
  g_autofree char *exact = stria_format_ns (end_ns - start_ns);
  g_autofree char *both = g_strdup_printf ("%s (%s)", length, exact);

  print_fact (_ ("Time range"), both);
  if (stria_trace_get_view_range (trace, &base_ns, &end_ns) && base_ns != start_ns)
    {
      g_autofree char *shown = stria_format_duration (end_ns - base_ns, 6);

      print_fact (_ ("Range shown first"), shown);
    }
  if (stria_trace_get_wall_base (trace, &base_ns)
      && !__builtin_add_overflow (base_ns, start_ns, &base_ns))
    {
      g_autofree char *wall = stria_format_wall (base_ns, NULL);

      print_fact (_ ("Starts at"), wall);
    }
}

static void
print_lanes (StriaTrace *trace)
{
  CliTable *table = cli_table_new (stdout);

  print_title (_ ("Lanes"));
  cli_table_column (table, _ ("Process"), FALSE);
  cli_table_column (table, _ ("Lane"), FALSE);
  cli_table_column (table, _ ("Kind"), FALSE);
  cli_table_column (table, _ ("Rows"), TRUE);
  cli_table_column (table, _ ("Events"), TRUE);
  for (guint32 i = 0; i < stria_trace_get_n_lanes (trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, i);

      cli_table_take (table, stria_trace_process_title (trace, stria_lane_get_process (lane)));
      cli_table_cell (table, stria_lane_get_name (lane));
      cli_table_cell (table, cli_lane_kind_name (stria_lane_get_kind (lane)));
      cli_table_take (table, stria_format_count (stria_lane_get_n_rows (lane)));
      cli_table_take (table, stria_format_count (stria_lane_get_n_events (lane)));
    }
  cli_table_finish (table);
}

static void
print_totals (CliTable *table, const char *name, const Totals *totals)
{
  cli_table_cell (table, name);
  cli_table_take (table, stria_format_count (totals->slices));
  cli_table_take (table, stria_format_count (totals->instants));
  cli_table_take (table, stria_format_count (totals->samples));
  cli_table_take (table, stria_format_duration (totals->duration_ns, 6));
}

static void
print_categories (StriaTrace *trace, const Summary *summary)
{
  CliTable *table = cli_table_new (stdout);

  print_title (_ ("Events by category"));
  cli_table_column (table, _ ("Category"), FALSE);
  cli_table_column (table, _ ("Slices"), TRUE);
  cli_table_column (table, _ ("Instants"), TRUE);
  cli_table_column (table, _ ("Samples"), TRUE);
  cli_table_column (table, _ ("Total duration"), TRUE);
  for (guint32 i = 0; i < summary->n_categories; i++)
    {
      const Totals *totals = &summary->by_category[summary->order[i]];
      const char   *name = stria_trace_get_category (trace, summary->order[i]);

      if (totals->slices + totals->instants + totals->samples > 0)
        print_totals (table, name[0] == '\0' ? _ ("(none)") : name, totals);
    }
  print_totals (table, _ ("(all)"), &summary->all);
  cli_table_finish (table);
}

static void
print_other_keys (CliTable *table, const char *json)
{
  g_autoptr (JsonNode) root = json == NULL ? NULL : json_from_string (json, NULL);
  JsonArray           *names;

  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return;
  names = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (names); i++)
    {
      cli_table_cell (table, json_array_get_string_element (names, i));
      cli_table_cell (table, _ ("(not shown)"));
    }
}

static void
print_metadata (StriaCapture *capture)
{
  for (guint i = 0; i < stria_capture_get_n_artifacts (capture); i++)
    {
      g_autoptr (GHashTable) meta = stria_capture_get_meta (capture, i);
      g_autoptr (GList)      keys = meta == NULL ? NULL : sorted_keys (meta);
      g_autofree char       *title = NULL;
      CliTable              *table;

      if (keys == NULL)
        continue;
      title = cli_printable (stria_artifact_get_name (stria_capture_get_artifact (capture, i)));
      printf ("\n");
      printf (_ ("Metadata of %s\n"), title);
      table = cli_table_new (stdout);
      cli_table_column (table, _ ("Key"), FALSE);
      cli_table_column (table, _ ("Value"), FALSE);
      for (GList *l = keys; l != NULL; l = l->next)
        {
          if (is_decoder_fact (l->data))
            continue;
          cli_table_cell (table, l->data);
          if (cli_is_public_meta (l->data))
            cli_table_take (table, cli_json_compact (g_hash_table_lookup (meta, l->data)));
          else
            cli_table_cell (table, _ ("(not shown)"));
        }
      print_other_keys (table, g_hash_table_lookup (meta, "@otherKeys"));
      cli_table_finish (table);
    }
}

static void
print_text (const CliCapture *open, const Summary *summary)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *flows = stria_format_count (summary->n_flows);
  g_autofree char *unbound = stria_format_count (stria_trace_get_unbound_flows (open->trace));
  g_autofree char *flow_text = g_strdup_printf (_ ("%s bound, %s without a partner"), flows,
                                                unbound);
  g_autofree char *events = stria_format_count (stria_trace_get_n_events (open->trace));

  print_fact (_ ("Capture"), stria_capture_get_path (open->capture));
  print_fact (_ ("Events"), events);
  print_times (open->trace);
  print_fact (_ ("Flows"), flow_text);
  cli_print_tree (open->capture);
  cli_print_agreement (open->capture);
  print_artifacts (open->capture);
  if (stria_trace_get_n_events (open->trace) > 0
      || (!cli_has_programs (open->capture) && !cli_has_vgfs (open->capture)))
    {
      print_lanes (open->trace);
      print_categories (open->trace, summary);
    }
  cli_print_programs (open->capture);
  cli_print_vgfs (open->capture);
  cli_print_tables (open->capture);
  if (!cli_print_summaries (open->capture, NULL, &error))
    cli_warn ("%s", error->message);
  print_metadata (open->capture);
  if (stria_notices_size (stria_capture_get_notices (open->capture)) > 0)
    {
      print_title (_ ("Notices"));
      cli_print_notices (stria_capture_get_notices (open->capture));
    }
}

static CliExit
run_info (CliContext *context, int argc, char **argv)
{
  g_auto (CliCapture) open = { 0 };
  g_auto (Summary)    summary = { 0 };
  g_autoptr (GError)  error = NULL;
  CliExit             exit;

  if (!cli_parse (context, &cli_command_info, argc, argv, NULL, 1, G_MAXUINT))
    return CLI_USAGE;
  exit = cli_open (context, (const char *const *) context->rest, CLI_OPEN_SILENT, &open);
  if (!cli_is_open (exit))
    return exit;
  if (!summarize (open.trace, context->cancellable, &summary, &error))
    return cli_fail (context, CLI_FAILED, error);

  if (context->json)
    print_json (&open, &summary);
  else
    print_text (&open, &summary);
  return exit;
}

const CliCommand cli_command_info = {
  .name = "info",
  .parameters = N_ ("CAPTURE…"),
  .summary = N_ ("What a capture holds: files, lanes, events, times, metadata, notices"),
  .run = run_info,
};
