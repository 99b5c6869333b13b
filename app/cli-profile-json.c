/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli-profiles.h"

/* [DOC: MLIA output schema 1.2.0] the names of members are that schema's, which allows no others
 * but inside "configuration", "attributes", "details", "qualifiers" and "extensions". */

#define BACKEND_ID "stria-executorch"

static const char *
provenance (StriaProfile *profile, const char *key)
{
  GPtrArray *facts = stria_profile_get_provenance (profile);

  for (guint i = 0; i + 1 < facts->len; i += 2)
    if (g_str_equal (facts->pdata[i], key))
      return facts->pdata[i + 1];
  return NULL;
}

static void
json_remarks (CliJson *json, const char *key, GPtrArray *remarks)
{
  cli_json_begin_array (json, key);
  for (guint i = 0; i < remarks->len; i++)
    {
      const StriaRemark *remark = remarks->pdata[i];

      cli_json_begin_object (json, NULL);
      cli_json_string (json, "code", remark->code);
      cli_json_string (json, "message", remark->message);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_backend (CliJson *json, StriaProfile *profile)
{
  GPtrArray *facts = stria_profile_get_provenance (profile);

  cli_json_begin_array (json, "backends");
  cli_json_begin_object (json, NULL);
  cli_json_string (json, "id", BACKEND_ID);
  cli_json_string (json, "name", "Stria ExecuTorch profile");
  cli_json_string (json, "version", VERSION);
  cli_json_begin_object (json, "configuration");
  for (guint i = 0; i + 1 < facts->len; i += 2)
    cli_json_string (json, facts->pdata[i], facts->pdata[i + 1]);
  json_remarks (json, "assumptions", stria_profile_get_assumptions (profile));
  cli_json_end_object (json);
  cli_json_end_object (json);
  cli_json_end_array (json);
}

/* The file that says what the model is: the record, else the program, else what there is. */
static void
json_model (CliJson *json, StriaProfile *profile, StriaCapture *capture)
{
  static const struct
  {
    const char *format, *digest;
  } files[] = { { "etrecord", "record_sha256" },
                { "pte", "program_sha256" },
                { "etdump", "dump_sha256" },
                { "vgf", "vgf_sha256" } };
  const StriaProfileSet *set = stria_profile_get_set (profile);
  guint artifacts[] = { set->record, set->program, set->dump, set->vgf };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      if (artifacts[i] == STRIA_NO_REF)
        continue;
      StriaArtifact *artifact = stria_capture_get_artifact (capture, artifacts[i]);
      g_autofree char *name = g_path_get_basename (stria_artifact_get_name (artifact));

      cli_json_begin_object (json, "model");
      cli_json_string (json, "name", name);
      cli_json_string (json, "format", files[i].format);
      cli_json_string (json, "hash", provenance (profile, files[i].digest));
      cli_json_uint (json, "size_bytes", stria_artifact_get_size (artifact));
      cli_json_end_object (json);
      return;
    }
}

static void
json_metric (CliJson *json, const StriaMetric *metric)
{
  cli_json_begin_object (json, NULL);
  cli_json_string (json, "name", metric->name);
  if (metric->available)
    {
      cli_json_double (json, "value", metric->value);
      cli_json_string (json, "unit", metric->unit);
      cli_json_string (json, "aggregation", stria_aggregation_name (metric->aggregation));
      cli_json_uint (json, "samples", metric->samples);
    }
  else
    {
      cli_json_string (json, "unit", metric->unit);
      cli_json_string (json, "availability", "unavailable");
      cli_json_string (json, "reason", metric->reason);
    }
  cli_json_end_object (json);
}

/* The time of an inference, by the name that the schema's readers know. */
static void
json_inference_time (CliJson *json, StriaProfile *profile, guint32 model)
{
  const StriaMetric *runtime
      = stria_profile_find_metric (profile, model, "runtime", STRIA_AGGREGATION_MEAN);
  StriaMetric metric = { .name = "inference_time", .unit = "ms" };

  if (runtime != NULL && runtime->available && g_str_equal (runtime->unit, "ms"))
    {
      metric.available = TRUE;
      metric.value = runtime->value;
      metric.aggregation = STRIA_AGGREGATION_MEAN;
      metric.samples = runtime->samples;
    }
  else
    metric.reason = runtime != NULL ? _ ("the ETDump was recorded in cycles")
                                    : _ ("no Method::execute was recorded");
  json_metric (json, &metric);
}

static void
json_metrics (CliJson *json, StriaProfile *profile, const StriaEntity *entity)
{
  for (guint i = 0; i < entity->metrics->len; i++)
    json_metric (json, stria_profile_metric (profile, g_array_index (entity->metrics, guint32, i)));
}

static void
json_ids (CliJson *json, const char *key, StriaProfile *profile, const GArray *numbers)
{
  if (numbers->len == 0)
    return;
  cli_json_begin_array (json, key);
  for (guint i = 0; i < numbers->len; i++)
    cli_json_string (json, NULL,
                     stria_profile_entity (profile, g_array_index (numbers, guint32, i))->id);
  cli_json_end_array (json);
}

static void
json_links (CliJson *json, StriaProfile *profile, guint32 number, const StriaEntity *entity)
{
  gboolean any = FALSE;

  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (profile, g_array_index (entity->links, guint32, i));

      if (link->from != number)
        continue;
      if (!any)
        cli_json_begin_array (json, "links");
      any = TRUE;
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "to", stria_profile_entity (profile, link->to)->id);
      cli_json_string (json, "kind", link->kind);
      cli_json_string (json, "evidence", stria_evidence_name (link->evidence));
      if (link->note != NULL)
        cli_json_string (json, "note", link->note);
      cli_json_end_object (json);
    }
  if (any)
    cli_json_end_array (json);
}

static void
json_entity (CliJson *json, StriaProfile *profile, guint32 number, StriaGraph *source)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);
  const char *stack = NULL;

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "id", entity->id);
  cli_json_string (json, "kind", stria_entity_kind_name (entity->kind));
  cli_json_string (json, "name", entity->name);
  cli_json_string (json, "placement", entity->placement);
  json_ids (json, "parent_ids", profile, entity->parents);
  json_ids (json, "child_ids", profile, entity->children);
  cli_json_begin_object (json, "attributes");
  for (guint i = 0; entity->attributes != NULL && i + 1 < entity->attributes->len; i += 2)
    if (!g_str_equal (entity->attributes->pdata[i], "shared_by"))
      cli_json_string (json, entity->attributes->pdata[i], entity->attributes->pdata[i + 1]);
  cli_json_uint (json, "executions", entity->executions);
  cli_json_uint (json, "executions_recorded", entity->executions_of);
  if (entity->shared > 1)
    cli_json_uint (json, "shared_by", entity->shared);
  if (entity->unmatched)
    cli_json_bool (json, "unmatched", TRUE);
  if (entity->kind == STRIA_ENTITY_SOURCE_OPERATOR && entity->key >= 0)
    cli_json_int (json, "debug_handle", entity->key);
  json_links (json, profile, number, entity);
  cli_json_end_object (json);
  if (entity->kind == STRIA_ENTITY_SOURCE_OPERATOR && source != NULL)
    stack = stria_graph_node_attr (source, entity->node, "stack_trace");
  if (stack != NULL)
    cli_json_string (json, "stack_trace", stack);
  cli_json_end_object (json);
}

/* Kinds that are not in the schema itself. */
static void
json_kinds (CliJson *json)
{
  static const struct
  {
    StriaEntityKind kind;
    const char *parents[4], *children[4];
  } kinds[] = {
    { STRIA_ENTITY_METHOD_CALL, { "model" }, { "delegate_event", "segment" } },
    { STRIA_ENTITY_SEGMENT, { "instruction" }, { "cascade", "chain", "source_operator" } },
    { STRIA_ENTITY_CASCADE, { "segment" }, { "chain" } },
    { STRIA_ENTITY_CHAIN, { "cascade", "segment" }, { "trace_operator", "source_operator" } },
    { STRIA_ENTITY_TRACE_OPERATOR, { "chain" }, { NULL } },
    { STRIA_ENTITY_FRAMEWORK, { "model" }, { NULL } },
    { STRIA_ENTITY_DELEGATE_EVENT, { "instruction", "model" }, { NULL } },
  };

  cli_json_begin_array (json, "entity_kinds");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "id", stria_entity_kind_name (kinds[i].kind));
      cli_json_begin_array (json, "parent_kinds");
      for (guint p = 0; kinds[i].parents[p] != NULL; p++)
        cli_json_string (json, NULL, kinds[i].parents[p]);
      cli_json_end_array (json);
      cli_json_begin_array (json, "child_kinds");
      for (guint c = 0; kinds[i].children[c] != NULL; c++)
        cli_json_string (json, NULL, kinds[i].children[c]);
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static void
json_checks (CliJson *json, StriaProfile *profile)
{
  GPtrArray *checks = stria_profile_get_checks (profile);

  cli_json_begin_array (json, "checks");
  for (guint i = 0; i < checks->len; i++)
    {
      const StriaCheck *check = checks->pdata[i];

      /* The schema has no word for what can't be told. */
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "id", check->name);
      cli_json_string (json, "status",
                       check->state == STRIA_CHECK_UNKNOWN ? "partial"
                                                           : stria_check_state_name (check->state));
      cli_json_begin_object (json, "details");
      cli_json_string (json, "state", stria_check_state_name (check->state));
      cli_json_string (json, "detail", check->detail);
      cli_json_end_object (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
}

static gboolean
is_complete (StriaProfile *profile)
{
  for (guint32 i = 0; i < stria_profile_n_metrics (profile); i++)
    if (!stria_profile_metric (profile, i)->available)
      return FALSE;
  return stria_profile_get_warnings (profile)->len == 0
         && stria_profile_get_companion (profile) != STRIA_COMPANION_REFUSED
         && stria_profile_n_metrics (profile) > 0;
}

static void
json_result (CliJson *json, StriaProfile *profile)
{
  GPtrArray *warnings = stria_profile_get_warnings (profile);
  guint32 model = stria_profile_find_entity (profile, "model");
  StriaGraph *source = stria_profile_get_graph (profile, STRIA_GRAPH_SOURCE, NULL);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "kind", "performance");
  cli_json_string (json, "producer", BACKEND_ID);
  cli_json_string (json, "status", is_complete (profile) ? "ok" : "partial");
  cli_json_string (json, "mode", "measured");
  cli_json_begin_array (json, "warnings");
  for (guint i = 0; i < warnings->len; i++)
    cli_json_string (json, NULL, ((StriaRemark *) warnings->pdata[i])->message);
  cli_json_end_array (json);
  cli_json_begin_array (json, "errors");
  cli_json_end_array (json);
  cli_json_begin_array (json, "metrics");
  json_inference_time (json, profile, model);
  json_metrics (json, profile, stria_profile_entity (profile, model));
  cli_json_end_array (json);
  json_kinds (json);
  cli_json_begin_array (json, "entities");
  for (guint32 i = 0; i < stria_profile_n_entities (profile); i++)
    json_entity (json, profile, i, source);
  cli_json_end_array (json);
  cli_json_begin_array (json, "breakdowns");
  for (guint32 i = 0; i < stria_profile_n_entities (profile); i++)
    {
      const StriaEntity *entity = stria_profile_entity (profile, i);

      if (i == model || entity->metrics->len == 0)
        continue;
      cli_json_begin_object (json, NULL);
      cli_json_string (json, "entity_id", entity->id);
      cli_json_begin_array (json, "metrics");
      json_metrics (json, profile, entity);
      cli_json_end_array (json);
      cli_json_end_object (json);
    }
  cli_json_end_array (json);
  json_checks (json, profile);
  cli_json_end_object (json);
}

static void
json_views (CliJson *json, StriaProfile *profile)
{
  cli_json_begin_object (json, "views");
  for (StriaGraphKind kind = STRIA_GRAPH_SOURCE; kind <= STRIA_GRAPH_HIERARCHY; kind++)
    {
      g_autofree char *reason = NULL;
      StriaGraph *graph;

      if (kind == STRIA_GRAPH_MODULE)
        continue;
      graph = stria_profile_get_graph (profile, kind, &reason);
      cli_json_begin_object (json, stria_graph_kind_name (kind));
      cli_json_bool (json, "available", graph != NULL);
      if (graph != NULL)
        cli_json_uint (json, "nodes", stria_graph_n_nodes (graph));
      else
        cli_json_string (json, "reason", reason);
      cli_json_end_object (json);
    }
  cli_json_end_object (json);
}

void
cli_json_profile (CliJson *json, StriaProfile *profile, StriaCapture *capture, char **arguments)
{
  g_autofree char *run_id = g_uuid_string_random ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *timestamp = g_date_time_format_iso8601 (now);

  cli_json_begin_object (json, NULL);
  cli_json_string (json, "schema_version", "1.2.0");
  cli_json_string (json, "run_id", run_id);
  cli_json_string (json, "timestamp", timestamp);
  cli_json_begin_object (json, "tool");
  cli_json_string (json, "name", "stria-cli");
  cli_json_string (json, "version", VERSION);
  cli_json_end_object (json);
  json_backend (json, profile);
  /* [UNKNOWN] what the target's own schema wants; the device is in the configuration. */
  cli_json_begin_object (json, "target");
  cli_json_end_object (json);
  json_model (json, profile, capture);
  cli_json_begin_object (json, "context");
  cli_json_begin_array (json, "cli_arguments");
  for (guint i = 0; arguments[i] != NULL; i++)
    cli_json_string (json, NULL, arguments[i]);
  cli_json_end_array (json);
  cli_json_begin_object (json, "runtime_configuration");
  cli_json_string (json, "time_unit", stria_time_unit_name (stria_profile_get_unit (profile)));
  cli_json_end_object (json);
  cli_json_end_object (json);
  cli_json_begin_array (json, "results");
  json_result (json, profile);
  cli_json_end_array (json);
  cli_json_begin_object (json, "extensions");
  cli_json_begin_object (json, "stria");
  cli_json_string (json, "set", stria_profile_get_set (profile)->name);
  cli_json_string (json, "companion", stria_companion_name (stria_profile_get_companion (profile)));
  json_remarks (json, "assumptions", stria_profile_get_assumptions (profile));
  json_remarks (json, "warnings", stria_profile_get_warnings (profile));
  json_views (json, profile);
  cli_json_end_object (json);
  cli_json_end_object (json);
  cli_json_end_object (json);
}
