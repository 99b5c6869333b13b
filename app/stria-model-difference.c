/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-difference.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-model-text.h"

char *
stria_model_difference_text (double difference, const char *unit)
{
  g_autofree char *value = stria_model_value_text (fabs (difference), unit, FALSE);

  return g_strconcat (difference > 0 ? "+" : difference < 0 ? "−" : "", value, NULL);
}

char *
stria_model_relative_text (const StriaMetricPair *metric)
{
  if (!metric->comparable)
    return g_strdup ("");
  if (isnan (metric->relative))
    /* Translators: against a value of zero there is no percentage */
    return g_strdup (metric->difference != 0 ? _ ("from 0") : _ ("equal"));
  if (metric->difference == 0)
    return g_strdup (_ ("equal"));
  /* Translators: a sign and a percentage */
  return g_strdup_printf (_ ("%s%.1f %%"), metric->relative > 0 ? "+" : "−",
                          fabs (metric->relative) * 100);
}

void
stria_model_difference_scale (StriaModelIndex *index, StriaComparison *comparison,
                              const StriaModelMetric *metric, StriaEntityKind kind,
                              StriaModelDifferenceScale *scale)
{
  StriaModelScale of;

  *scale = (StriaModelDifferenceScale){ 0 };
  stria_model_index_scale (index, metric, kind, &of);
  if (of.name == NULL)
    return;
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    {
      const StriaMetricPair *pair
          = stria_comparison_pair (comparison, i)->kind == kind
                ? stria_comparison_find_metric (comparison, i, of.name, metric->aggregation)
                : NULL;

      if (pair == NULL || !pair->comparable)
        continue;
      scale->name = pair->name;
      scale->unit = pair->unit;
      scale->largest = MAX (scale->largest, fabs (pair->difference));
      scale->n_compared++;
      scale->n_unequal += pair->unequal;
    }
}

/* Cut between characters. */
static void
set_text (StriaGraphFigure *figure, const char *text)
{
  gsize length = strlen (text);

  while (length >= sizeof figure->text)
    length = (gsize) (g_utf8_find_prev_char (text, text + length) - text);
  memcpy (figure->text, text, length);
  figure->text[length] = '\0';
}

/* Empty: it was not measured, which the box says by itself. */
static const char *
reason_text (StriaComparison *comparison, gboolean second, guint32 entity,
             const StriaMetricPair *metric)
{
  switch (stria_comparison_pair (comparison, stria_comparison_find (comparison, second, entity))
              ->state)
    {
    case STRIA_PAIR_ADDED:
    case STRIA_PAIR_REMOVED:
      /* Translators: in one of two compared captures; 19 bytes at most are shown */
      return _ ("only here");
    case STRIA_PAIR_UNMATCHED:
      /* Translators: two things of one name in compared captures; 19 bytes at most are shown */
      return _ ("not the same");
    case STRIA_PAIR_BOTH:
    default:
      /* Translators: figures of compared captures; 19 bytes at most are shown */
      return metric != NULL ? _ ("not comparable") : "";
    }
}

static void
fill (StriaComparison *comparison, gboolean second, const StriaModelDifferenceScale *scale,
      StriaAggregation aggregation, guint32 entity, StriaGraphFigure *figure)
{
  const guint32 pair = stria_comparison_find (comparison, second, entity);
  const StriaMetricPair *metric
      = scale->name != NULL
            ? stria_comparison_find_metric (comparison, pair, scale->name, aggregation)
            : NULL;
  g_autofree char *text = NULL;

  if (metric == NULL || !metric->comparable)
    {
      figure->state = STRIA_FIGURE_UNMEASURED;
      set_text (figure, reason_text (comparison, second, entity, metric));
      return;
    }
  figure->state = STRIA_FIGURE_VALUE;
  figure->share
      = scale->largest > 0 ? (float) (metric->difference / scale->largest) : 0;
  text = isnan (metric->relative) && metric->difference != 0
             ? stria_model_difference_text (metric->difference, metric->unit)
             : stria_model_relative_text (metric);
  set_text (figure, text);
}

static StriaGraphFigure *
figures_new (StriaComparison *comparison, gboolean second,
             const StriaModelDifferenceScale *scales, StriaAggregation aggregation,
             const guint32 *entities, guint32 n)
{
  StriaProfile *profile
      = second ? stria_comparison_get_b (comparison) : stria_comparison_get_a (comparison);
  g_autofree StriaGraphFigure *figures = g_new0 (StriaGraphFigure, n + 1);
  gboolean any = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      const StriaModelDifferenceScale *scale;

      if (entities[i] == STRIA_NO_REF)
        continue;
      scale = &scales[stria_profile_entity (profile, entities[i])->kind];
      if (scale->name == NULL
          && stria_model_difference_mark (comparison, second, entities[i]) == 0)
        continue;
      fill (comparison, second, scale, aggregation, entities[i], &figures[i]);
      any = TRUE;
    }
  return any ? g_steal_pointer (&figures) : NULL;
}

void
stria_model_difference_figures (StriaModelIndex *index, StriaComparison *comparison,
                                gboolean second, const StriaModelGraph *graph,
                                const StriaModelMetric *metric, StriaGraphFigure **nodes,
                                StriaGraphFigure **groups)
{
  StriaModelDifferenceScale scales[STRIA_N_ENTITY_KINDS];

  *nodes = *groups = NULL;
  if (graph->graph == NULL)
    return;
  for (guint i = 0; i < STRIA_N_ENTITY_KINDS; i++)
    stria_model_difference_scale (index, comparison, metric, (StriaEntityKind) i, &scales[i]);
  *nodes = figures_new (comparison, second, scales, metric->aggregation, graph->node_entities,
                        stria_graph_n_nodes (graph->graph));
  *groups = figures_new (comparison, second, scales, metric->aggregation, graph->group_entities,
                         stria_graph_n_groups (graph->graph));
}

guint16
stria_model_difference_mark (StriaComparison *comparison, gboolean second, guint32 entity)
{
  const StriaEntityPair *pair
      = stria_comparison_pair (comparison, stria_comparison_find (comparison, second, entity));

  switch (pair->state)
    {
    case STRIA_PAIR_ADDED:
    case STRIA_PAIR_REMOVED:
      return STRIA_GRAPH_MARK_ADDED;
    case STRIA_PAIR_UNMATCHED:
      return STRIA_GRAPH_MARK_CHANGED;
    case STRIA_PAIR_BOTH:
    default:
      return 0;
    }
}
