/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"

const char *
stria_model_graph_title (StriaGraphKind kind)
{
  switch (kind)
    {
    case STRIA_GRAPH_SOURCE:
      return _ ("Source Model");
    case STRIA_GRAPH_EXPORTED:
      return _ ("Exported Program");
    case STRIA_GRAPH_MODULE:
      return _ ("Program");
    case STRIA_GRAPH_PLAN:
      return _ ("Execution Plan");
    case STRIA_GRAPH_VGF:
      return _ ("VGF");
    case STRIA_GRAPH_CHAINS:
      return _ ("segment_cascade_chain");
    case STRIA_GRAPH_MAPPING:
      return _ ("ETRecord Chain Mapping");
    case STRIA_GRAPH_TRACE:
      return _ ("ETDump Backend Trace");
    case STRIA_GRAPH_HIERARCHY:
      return _ ("PTE - VGF Backend Hierarchy");
    default:
      return "";
    }
}

const char *
stria_model_kind_title (StriaEntityKind kind)
{
  switch (kind)
    {
    case STRIA_ENTITY_MODEL:
      return _ ("Model");
    case STRIA_ENTITY_METHOD_CALL:
      return _ ("Instruction");
    case STRIA_ENTITY_SOURCE_OPERATOR:
      return _ ("Source operator");
    case STRIA_ENTITY_COMPILER_OPERATOR:
      return _ ("Compiler operator");
    case STRIA_ENTITY_SEGMENT:
      return _ ("Segment");
    case STRIA_ENTITY_CASCADE:
      return _ ("Cascade");
    case STRIA_ENTITY_CHAIN:
      return _ ("Chain");
    case STRIA_ENTITY_TRACE_OPERATOR:
      return _ ("Trace operator");
    case STRIA_ENTITY_FRAMEWORK:
      return _ ("Framework");
    case STRIA_ENTITY_DELEGATE_EVENT:
      return _ ("Delegate event");
    case STRIA_N_ENTITY_KINDS:
    default:
      return "";
    }
}

const char *
stria_model_kinds_title (StriaEntityKind kind)
{
  switch (kind)
    {
    case STRIA_ENTITY_MODEL:
      return _ ("Model");
    case STRIA_ENTITY_METHOD_CALL:
      return _ ("Instructions");
    case STRIA_ENTITY_SOURCE_OPERATOR:
      return _ ("Source operators");
    case STRIA_ENTITY_COMPILER_OPERATOR:
      return _ ("Compiler operators");
    case STRIA_ENTITY_SEGMENT:
      return _ ("Segments");
    case STRIA_ENTITY_CASCADE:
      return _ ("Cascades");
    case STRIA_ENTITY_CHAIN:
      return _ ("Chains");
    case STRIA_ENTITY_TRACE_OPERATOR:
      return _ ("Trace operators");
    case STRIA_ENTITY_FRAMEWORK:
      return _ ("Framework");
    case STRIA_ENTITY_DELEGATE_EVENT:
      return _ ("Delegate events");
    case STRIA_N_ENTITY_KINDS:
    default:
      return "";
    }
}

const char *
stria_model_aggregation_title (StriaAggregation aggregation)
{
  switch (aggregation)
    {
    case STRIA_AGGREGATION_SUM:
      return _ ("Sum");
    case STRIA_AGGREGATION_MEAN:
      return _ ("Mean");
    case STRIA_AGGREGATION_P10:
      return _ ("P10");
    case STRIA_AGGREGATION_P50:
      return _ ("Median (P50)");
    case STRIA_AGGREGATION_P90:
      return _ ("P90");
    case STRIA_AGGREGATION_MIN:
      return _ ("Min");
    case STRIA_AGGREGATION_MAX:
      return _ ("Max");
    case STRIA_AGGREGATION_COUNT:
      return _ ("Count");
    case STRIA_N_AGGREGATIONS:
    default:
      return "";
    }
}

const char *
stria_model_evidence_title (StriaEvidence evidence)
{
  switch (evidence)
    {
    case STRIA_EVIDENCE_EXACT:
      return _ ("Exact");
    case STRIA_EVIDENCE_APPROXIMATE:
      return _ ("Approximate");
    case STRIA_EVIDENCE_PARTITION:
      return _ ("As part of a partition");
    case STRIA_EVIDENCE_ASSUMED:
      return _ ("Assumed");
    case STRIA_EVIDENCE_AMBIGUOUS:
      return _ ("Ambiguous");
    default:
      return "";
    }
}

const char *
stria_model_evidence_note (StriaEvidence evidence)
{
  switch (evidence)
    {
    case STRIA_EVIDENCE_EXACT:
      return _ ("Named by both sides");
    case STRIA_EVIDENCE_APPROXIMATE:
      return _ ("Both sides come from the same place of the source");
    case STRIA_EVIDENCE_PARTITION:
      return _ ("Only the whole partition is known to correspond");
    case STRIA_EVIDENCE_ASSUMED:
      return _ ("Follows from an assumption; the notes say which");
    case STRIA_EVIDENCE_AMBIGUOUS:
      return _ ("One of several that it may be");
    default:
      return "";
    }
}

const char *
stria_model_metric_title (const char *name)
{
  if (g_str_equal (name, "runtime"))
    return _ ("Runtime");
  if (g_str_equal (name, "call_runtime"))
    return _ ("Runtime of the call");
  return name;
}

gboolean
stria_model_metric_is_time (const char *name)
{
  return g_str_equal (name, "runtime") || g_str_equal (name, "total_cycles")
         || g_str_equal (name, "op_cycles");
}

char *
stria_model_value_text (double value, const char *unit, gboolean brief)
{
  if (g_str_equal (unit, "count"))
    unit = "";
  if (brief && isfinite (value) && value != 0 && value == floor (value) && fabs (value) >= 1e6)
    {
      /* Translators: millions and billions of cycles, short */
      g_autofree char *short_unit
          = g_strdup_printf (fabs (value) >= 1e9 ? _ ("G %s") : _ ("M %s"), unit);

      return stria_format_value (value / (fabs (value) >= 1e9 ? 1e9 : 1e6), short_unit);
    }
  if (!brief && isfinite (value) && value != floor (value) && fabs (value) < 1e6)
    {
      g_autofree char *digits = g_strdup_printf ("%.6f", value);
      gsize n = strlen (digits);

      while (digits[n - 1] == '0')
        digits[--n] = '\0';
      return g_strdup_printf ("%s%s%s", digits, *unit != '\0' ? " " : "", unit);
    }
  return stria_format_value (value, unit);
}

char *
stria_model_coverage_text (guint32 samples, guint32 executions)
{
  return g_strdup_printf (ngettext ("%u of %u execution", "%u of %u executions", executions),
                          samples, executions);
}

const char *
stria_model_placement_text (const StriaEntity *entity)
{
  return g_str_equal (entity->placement, "Unknown") ? _ ("not known") : entity->placement;
}

char *
stria_model_entity_text (const StriaEntity *entity)
{
  const char *number = NULL;

  for (guint i = 0; entity->attributes != NULL && i + 1 < entity->attributes->len; i += 2)
    if (g_str_equal (entity->attributes->pdata[i], "number"))
      number = entity->attributes->pdata[i + 1];
  if (entity->kind == STRIA_ENTITY_TRACE_OPERATOR && number != NULL)
    return g_strdup_printf ("%s %s", entity->name, number);
  if (entity->kind == STRIA_ENTITY_SOURCE_OPERATOR
      || entity->kind == STRIA_ENTITY_COMPILER_OPERATOR)
    {
      const char *last = strrchr (entity->id, '/');

      if (last != NULL && !g_str_equal (last + 1, entity->name))
        return g_strdup_printf ("%s · %s", last + 1, entity->name);
    }
  return g_strdup (entity->name);
}
