/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-index.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-model-text.h"

static const char *
name_for (StriaModelIndex *self, const StriaModelMetric *metric, StriaEntityKind kind)
{
  double minimum, maximum;

  switch (kind)
    {
    case STRIA_ENTITY_SEGMENT:
    case STRIA_ENTITY_CASCADE:
    case STRIA_ENTITY_CHAIN:
      if (metric->counter != NULL)
        return metric->counter;
      /* Chains decide for all three, so that one title says what the colours are. */
      return stria_profile_scale (self->profile, STRIA_ENTITY_CHAIN, metric->aggregation, &minimum,
                                  &maximum);
    case STRIA_ENTITY_METHOD_CALL:
    case STRIA_ENTITY_SOURCE_OPERATOR:
    case STRIA_ENTITY_FRAMEWORK:
    case STRIA_ENTITY_DELEGATE_EVENT:
      return "runtime";
    case STRIA_ENTITY_MODEL:
    case STRIA_ENTITY_COMPILER_OPERATOR:
    case STRIA_ENTITY_TRACE_OPERATOR:
    case STRIA_N_ENTITY_KINDS:
    default:
      /* What a chain took is no measurement of each of its operators. */
      return NULL;
    }
}

void
stria_model_index_scale (StriaModelIndex *self, const StriaModelMetric *metric,
                         StriaEntityKind kind, StriaModelScale *scale)
{
  const char *name = name_for (self, metric, kind);

  *scale = (StriaModelScale){ .minimum = NAN, .maximum = NAN };
  for (guint32 i = 0; name != NULL && i < stria_profile_n_entities (self->profile); i++)
    {
      const StriaEntity *entity = stria_profile_entity (self->profile, i);
      const StriaMetric *found;

      if (entity->kind != kind)
        continue;
      found = stria_profile_find_metric (self->profile, i, name, metric->aggregation);
      if (found == NULL || !found->available)
        continue;
      if (scale->name == NULL)
        {
          scale->name = found->name;
          scale->unit = found->unit;
          scale->minimum = scale->maximum = found->value;
        }
      scale->minimum = MIN (scale->minimum, found->value);
      scale->maximum = MAX (scale->maximum, found->value);
      scale->executions = MAX (scale->executions, entity->executions_of);
      scale->n_measured++;
      scale->n_incomplete += found->samples < entity->executions_of;
    }
}

const StriaMetric *
stria_model_index_metric (StriaModelIndex *self, const StriaModelScale *scale,
                          StriaAggregation aggregation, guint32 entity)
{
  const StriaEntity *of;
  const StriaMetric *metric;

  if (scale->name == NULL || entity == STRIA_NO_REF)
    return NULL;
  metric = stria_profile_find_metric (self->profile, entity, scale->name, aggregation);
  if (metric != NULL)
    return metric;
  /* What is unavailable has no aggregation to be found by. */
  of = stria_profile_entity (self->profile, entity);
  for (guint i = 0; i < of->metrics->len; i++)
    {
      metric = stria_profile_metric (self->profile, g_array_index (of->metrics, guint32, i));
      if (!metric->available && g_str_equal (metric->name, scale->name))
        return metric;
    }
  return NULL;
}

static void
fill (StriaModelIndex *self, const StriaModelScale *scales, StriaAggregation aggregation,
      guint32 entity, StriaGraphFigure *figure)
{
  const StriaEntity *of
      = entity != STRIA_NO_REF ? stria_profile_entity (self->profile, entity) : NULL;
  const StriaModelScale *scale;
  const StriaMetric *metric;
  g_autofree char *text = NULL;

  if (of == NULL || scales[of->kind].name == NULL)
    return;
  scale = &scales[of->kind];
  metric = stria_model_index_metric (self, scale, aggregation, entity);
  if (metric == NULL || !metric->available)
    {
      figure->state = STRIA_FIGURE_UNMEASURED;
      return;
    }
  figure->state = STRIA_FIGURE_VALUE;
  figure->shared = of->kind == STRIA_ENTITY_SOURCE_OPERATOR && of->shared > 1;
  figure->share = scale->maximum > scale->minimum
                      ? (float) ((metric->value - scale->minimum)
                                 / (scale->maximum - scale->minimum))
                      : 1.0f;
  text = stria_model_value_text (metric->value, metric->unit, TRUE);
  if (figure->shared)
    {
      /* Translators: a time that several operators share; 19 bytes at most are shown */
      char *shared = g_strdup_printf (_ ("%s, shared"), text);

      g_free (text);
      text = shared;
    }
  if (strlen (text) >= sizeof figure->text)
    *g_utf8_find_prev_char (text, text + sizeof figure->text - 1) = '\0';
  g_strlcpy (figure->text, text, sizeof figure->text);
}

/* @entities: by node or group. NULL if none of them is of a measured kind. */
static StriaGraphFigure *
figures_new (StriaModelIndex *self, const StriaModelScale *scales, StriaAggregation aggregation,
             const guint32 *entities, guint32 n)
{
  g_autofree StriaGraphFigure *figures = g_new0 (StriaGraphFigure, n + 1);
  gboolean any = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      fill (self, scales, aggregation, entities[i], &figures[i]);
      any = any || figures[i].state != STRIA_FIGURE_NONE;
    }
  return any ? g_steal_pointer (&figures) : NULL;
}

void
stria_model_index_figures (StriaModelIndex *self, const StriaModelGraph *graph,
                           const StriaModelMetric *metric, StriaGraphFigure **nodes,
                           StriaGraphFigure **groups)
{
  StriaModelScale scales[STRIA_N_ENTITY_KINDS];

  *nodes = *groups = NULL;
  if (graph->graph == NULL)
    return;
  for (guint i = 0; i < STRIA_N_ENTITY_KINDS; i++)
    stria_model_index_scale (self, metric, (StriaEntityKind) i, &scales[i]);
  *nodes = figures_new (self, scales, metric->aggregation, graph->node_entities,
                        stria_graph_n_nodes (graph->graph));
  *groups = figures_new (self, scales, metric->aggregation, graph->group_entities,
                         stria_graph_n_groups (graph->graph));
}
