/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-model-index.h"
#include "stria-profile-compare.h"

G_BEGIN_DECLS

/* The scale of the differences of one kind, the same in all graphs: from -@largest to @largest. */
typedef struct
{
  const char *name;      /* NULL: nothing of this kind can be compared */
  const char *unit;
  double      largest;
  guint32     n_compared;
  guint32     n_unequal; /* of them: of different numbers of executions */
} StriaModelDifferenceScale;

/* @index: of one of the two profiles of @comparison */
void stria_model_difference_scale   (StriaModelIndex *index, StriaComparison *comparison,
                                     const StriaModelMetric *metric, StriaEntityKind kind,
                                     StriaModelDifferenceScale *scale);
/* Figures of a graph of the second profile if @second, else of the first: shares from -1 (less in
 * the second) to 1, "+12 %". (out) (transfer full) */
void stria_model_difference_figures (StriaModelIndex *index, StriaComparison *comparison,
                                     gboolean second, const StriaModelGraph *graph,
                                     const StriaModelMetric *metric, StriaGraphFigure **nodes,
                                     StriaGraphFigure **groups);
/* #StriaGraphMark of an entity: what is only in this profile, what is another thing */
guint16 stria_model_difference_mark (StriaComparison *comparison, gboolean second,
                                     guint32 entity);
/* "+1.2 ms", "-30 cycles". Returns: (transfer full) */
char   *stria_model_difference_text (double difference, const char *unit);
/* "+12.5 %", "new" where there was nothing. Returns: (transfer full) */
char   *stria_model_relative_text   (const StriaMetricPair *metric);

G_END_DECLS
