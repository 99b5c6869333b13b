/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <math.h>

const StriaProfileSet *
stria_profile_get_set (StriaProfile *self)
{
  return &self->set;
}

const char *
stria_profile_get_method (StriaProfile *self)
{
  return self->method;
}

StriaTimeUnit
stria_profile_get_unit (StriaProfile *self)
{
  return self->unit;
}

guint32
stria_profile_n_executions (StriaProfile *self)
{
  return self->executions->len;
}

guint32
stria_profile_n_entities (StriaProfile *self)
{
  return self->entities->len;
}

const StriaEntity *
stria_profile_entity (StriaProfile *self, guint32 entity)
{
  return entity < self->entities->len ? self->entities->pdata[entity] : NULL;
}

guint32
stria_profile_find_entity (StriaProfile *self, const char *id)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, id));

  return number == 0 ? STRIA_NO_REF : number - 1;
}

guint32
stria_profile_n_metrics (StriaProfile *self)
{
  return self->metrics->len;
}

const StriaMetric *
stria_profile_metric (StriaProfile *self, guint32 metric)
{
  return metric < self->metrics->len ? &g_array_index (self->metrics, StriaMetric, metric) : NULL;
}

const StriaMetric *
stria_profile_find_metric (StriaProfile *self, guint32 entity, const char *name,
                           StriaAggregation aggregation)
{
  const StriaEntity *of = stria_profile_entity (self, entity);

  for (guint i = 0; of != NULL && i < of->metrics->len; i++)
    {
      const StriaMetric *metric
          = stria_profile_metric (self, g_array_index (of->metrics, guint32, i));

      if (metric->aggregation == aggregation && g_str_equal (metric->name, name))
        return metric;
    }
  return NULL;
}

guint32
stria_profile_n_links (StriaProfile *self)
{
  return self->links->len;
}

const StriaLink *
stria_profile_link (StriaProfile *self, guint32 link)
{
  return link < self->links->len ? &g_array_index (self->links, StriaLink, link) : NULL;
}

GPtrArray *
stria_profile_get_assumptions (StriaProfile *self)
{
  return self->assumptions;
}

GPtrArray *
stria_profile_get_warnings (StriaProfile *self)
{
  return self->warnings;
}

StriaCompanion
stria_profile_get_companion (StriaProfile *self)
{
  return self->companion;
}

GPtrArray *
stria_profile_get_checks (StriaProfile *self)
{
  return self->checks;
}

GPtrArray *
stria_profile_get_provenance (StriaProfile *self)
{
  return self->provenance;
}

StriaGraph *
stria_profile_get_graph (StriaProfile *self, StriaGraphKind kind, char **reason)
{
  g_return_val_if_fail (kind < STRIA_N_GRAPH_KINDS, NULL);
  if (kind == STRIA_GRAPH_HIERARCHY)
    {
      /* Its companion is read again before it is shown: not for those who never ask. */
      g_mutex_lock (&self->hierarchy_lock);
      if (!self->hierarchy_tried)
        stria_profile_make_hierarchy (self);
      self->hierarchy_tried = TRUE;
      g_mutex_unlock (&self->hierarchy_lock);
    }
  StriaProfileView *view = &self->views[kind];
  if (reason != NULL)
    *reason = view->graph == NULL ? g_strdup (view->reason) : NULL;
  return view->graph;
}

static guint32
view_entity (StriaProfile *self, StriaGraph *graph, guint32 number, gboolean is_group)
{
  const StriaGraphRow *row = stria_graph_get_row (graph);
  const StriaFacts *facts = stria_graph_get_facts (graph);

  for (guint i = 0; i < STRIA_N_GRAPH_KINDS; i++)
    {
      const StriaProfileView *view = &self->views[i];
      const GArray *entities = is_group ? view->groups : view->nodes;

      if (view->facts != NULL && view->facts == facts)
        return entities != NULL && number < entities->len
                   ? g_array_index (entities, guint32, number)
                   : STRIA_NO_REF;
    }
  if (is_group || number >= row->n_nodes)
    return STRIA_NO_REF;
  StriaNodeKey key = { facts, row->first_node + number };
  guint entity = GPOINTER_TO_UINT (g_hash_table_lookup (self->node_entity, &key));
  return entity == 0 ? STRIA_NO_REF : entity - 1;
}

guint32
stria_profile_node_entity (StriaProfile *self, StriaGraph *graph, guint32 node)
{
  return view_entity (self, graph, node, FALSE);
}

guint32
stria_profile_group_entity (StriaProfile *self, StriaGraph *graph, guint32 group)
{
  return view_entity (self, graph, group, TRUE);
}

/* Whether an entity of @kind has a value of @name, and whether each one that was measured has. */
static void
look_for_metric (StriaProfile *self, StriaEntityKind kind, const char *name, gboolean *any,
                 gboolean *every)
{
  *any = FALSE;
  *every = TRUE;
  for (guint32 i = 0; i < self->entities->len; i++)
    {
      const StriaEntity *entity = stria_profile_entity (self, i);

      if (entity->kind != kind || entity->executions == 0)
        continue;
      const StriaMetric *metric = stria_profile_find_metric (self, i, name, STRIA_AGGREGATION_SUM);
      if (metric != NULL && metric->available)
        *any = TRUE;
      else
        *every = FALSE;
    }
}

const char *
stria_profile_scale (StriaProfile *self, StriaEntityKind kind, StriaAggregation aggregation,
                     double *minimum, double *maximum)
{
  static const char *const names[] = { "total_cycles", "op_cycles", "runtime" };
  const char *name = NULL;
  gboolean found = FALSE;

  *minimum = *maximum = NAN;
  for (guint i = 0; i < G_N_ELEMENTS (names) && name == NULL; i++)
    {
      gboolean any, every;

      look_for_metric (self, kind, names[i], &any, &every);
      if (any && (every || i > 0))
        name = names[i];
    }
  for (guint32 i = 0; name != NULL && i < self->metrics->len; i++)
    {
      const StriaMetric *metric = stria_profile_metric (self, i);

      if (!metric->available || metric->aggregation != aggregation
          || stria_profile_entity (self, metric->entity)->kind != kind
          || !g_str_equal (metric->name, name))
        continue;
      *minimum = found ? MIN (*minimum, metric->value) : metric->value;
      *maximum = found ? MAX (*maximum, metric->value) : metric->value;
      found = TRUE;
    }
  return found ? name : NULL;
}

const char *
stria_entity_kind_name (StriaEntityKind kind)
{
  static const char *const names[] = {
    [STRIA_ENTITY_MODEL] = "model",
    [STRIA_ENTITY_METHOD_CALL] = "instruction",
    [STRIA_ENTITY_SOURCE_OPERATOR] = "source_operator",
    [STRIA_ENTITY_COMPILER_OPERATOR] = "source_operator",
    [STRIA_ENTITY_SEGMENT] = "segment",
    [STRIA_ENTITY_CASCADE] = "cascade",
    [STRIA_ENTITY_CHAIN] = "chain",
    [STRIA_ENTITY_TRACE_OPERATOR] = "trace_operator",
    [STRIA_ENTITY_FRAMEWORK] = "framework",
    [STRIA_ENTITY_DELEGATE_EVENT] = "delegate_event",
  };

  return kind < STRIA_N_ENTITY_KINDS ? names[kind] : "";
}

const char *
stria_evidence_name (StriaEvidence evidence)
{
  static const char *const names[] = {
    [STRIA_EVIDENCE_EXACT] = "exact",         [STRIA_EVIDENCE_APPROXIMATE] = "approximate",
    [STRIA_EVIDENCE_PARTITION] = "partition", [STRIA_EVIDENCE_ASSUMED] = "assumed",
    [STRIA_EVIDENCE_AMBIGUOUS] = "ambiguous",
  };

  return evidence < G_N_ELEMENTS (names) ? names[evidence] : "";
}

const char *
stria_aggregation_name (StriaAggregation aggregation)
{
  static const char *const names[] = {
    [STRIA_AGGREGATION_SUM] = "sum", [STRIA_AGGREGATION_MEAN] = "mean",
    [STRIA_AGGREGATION_P10] = "p10", [STRIA_AGGREGATION_P50] = "p50",
    [STRIA_AGGREGATION_P90] = "p90", [STRIA_AGGREGATION_MIN] = "min",
    [STRIA_AGGREGATION_MAX] = "max", [STRIA_AGGREGATION_COUNT] = "count",
  };

  return aggregation < STRIA_N_AGGREGATIONS ? names[aggregation] : "";
}

const char *
stria_time_unit_name (StriaTimeUnit unit)
{
  static const char *const names[] = {
    [STRIA_TIME_NS] = "ns", [STRIA_TIME_US] = "us",         [STRIA_TIME_MS] = "ms",
    [STRIA_TIME_S] = "s",   [STRIA_TIME_CYCLES] = "cycles",
  };

  return unit < G_N_ELEMENTS (names) ? names[unit] : "";
}

const char *
stria_companion_name (StriaCompanion companion)
{
  static const char *const names[] = {
    [STRIA_COMPANION_NONE] = "none",
    [STRIA_COMPANION_MATCHES] = "matches",
    [STRIA_COMPANION_NOT_VERIFIABLE] = "not-verifiable",
    [STRIA_COMPANION_REFUSED] = "refused",
  };

  return companion < G_N_ELEMENTS (names) ? names[companion] : "";
}

const char *
stria_check_state_name (StriaCheckState state)
{
  static const char *const names[] = {
    [STRIA_CHECK_PASS] = "pass",
    [STRIA_CHECK_FAIL] = "fail",
    [STRIA_CHECK_UNKNOWN] = "unknown",
  };

  return state < G_N_ELEMENTS (names) ? names[state] : "";
}
