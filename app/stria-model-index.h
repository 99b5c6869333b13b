/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-painter.h"
#include "stria-profile.h"

G_BEGIN_DECLS

/**
 * StriaModelGraph:
 *
 * A graph of a profile as a tab shows it, or why there is none. Each of several VGF graphs is one.
 */
typedef struct
{
  StriaGraphKind kind;
  char          *title;
  StriaGraph    *graph;  /* NULL: there is none */
  char          *reason; /* why */
  guint32       *node_entities;  /* by node: entity or STRIA_NO_REF */
  guint32       *group_entities; /* by group */
  GHashTable    *first;  /* entity -> node + 1, or ~group: where it is first */
  GHashTable    *groups; /* the same for groups: entity -> group + 1 */
} StriaModelGraph;

/* What figures are shown: what the runtime timed, and one of the counters of the NX. */
typedef struct
{
  const char      *counter;     /* NULL: total_cycles where every chain has it, else op_cycles */
  StriaAggregation aggregation; /* of both */
} StriaModelMetric;

/* The scale of one kind of entities, the same in all graphs. */
typedef struct
{
  const char *name;    /* of the metric; NULL: nothing of this kind was measured */
  const char *unit;
  double      minimum;
  double      maximum;
  guint32     executions;    /* that were recorded */
  guint32     n_measured;    /* entities with a value */
  guint32     n_incomplete;  /* of them: in fewer executions than were recorded */
} StriaModelScale;

/**
 * StriaModelIndex:
 *
 * A profile made ready for views: its graphs and which entity is where. Never changes; any thread.
 */
typedef struct
{
  gatomicrefcount refs;
  StriaProfile   *profile;
  GPtrArray      *graphs;   /* StriaModelGraph, in the order of the tabs */
  GPtrArray      *counters; /* names of metrics of the NX, interned; the totals first */
} StriaModelIndex;

#define STRIA_MODEL_UNRELATED 255

/* Long; for a worker. */
StriaModelIndex *stria_model_index_new   (StriaProfile *profile);
StriaModelIndex *stria_model_index_ref   (StriaModelIndex *self);
void             stria_model_index_unref (StriaModelIndex *self);

/* The graph that is shown first: a number in @graphs; G_MAXUINT if there is no graph at all */
guint    stria_model_index_first      (StriaModelIndex *self);
/* The best graph to show an entity in; G_MAXUINT: it is in none */
guint    stria_model_index_graph_of   (StriaModelIndex *self, guint32 entity);
/* The graph of a name in the same file as @graph, or G_MAXUINT */
guint    stria_model_index_subgraph   (StriaModelIndex *self, StriaGraph *graph, const char *name);
/* Where an entity is in a graph: a node, else a group. FALSE: nowhere */
gboolean stria_model_graph_find       (const StriaModelGraph *self, guint32 entity, guint32 *node,
                                       guint32 *group);

/**
 * stria_model_index_relate:
 * @entities: one, or several that are selected as one
 *
 * How sure it is that each entity corresponds to those: what is linked to them, what they contain
 * and what that is linked to, and operators of other files that the same operator is linked to.
 *
 * Returns: (transfer full): by entity: a #StriaEvidence, or %STRIA_MODEL_UNRELATED
 */
guint8  *stria_model_index_relate     (StriaModelIndex *self, const guint32 *entities, gsize n);
/* #StriaGraphMark of an evidence */
guint16  stria_model_evidence_mark    (guint8 evidence);

void     stria_model_index_scale      (StriaModelIndex *self, const StriaModelMetric *metric,
                                       StriaEntityKind kind, StriaModelScale *scale);
/* The metric that @scale is of, or NULL: also one that is not available and says why */
const StriaMetric *stria_model_index_metric (StriaModelIndex *self, const StriaModelScale *scale,
                                             StriaAggregation aggregation, guint32 entity);
/* Figures of a graph by node and by group. (out) (transfer full): NULL if nothing is measured */
void     stria_model_index_figures    (StriaModelIndex *self, const StriaModelGraph *graph,
                                       const StriaModelMetric *metric, StriaGraphFigure **nodes,
                                       StriaGraphFigure **groups);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaModelIndex, stria_model_index_unref)

G_END_DECLS
