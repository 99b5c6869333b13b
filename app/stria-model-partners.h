/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-model-index.h"
#include "stria-profile-compare.h"

G_BEGIN_DECLS

/**
 * StriaModelPartners:
 *
 * Which nodes and groups of a graph are those of the same graph of another capture of the model:
 * what the comparison matched, and where it knows nothing, what has the same id (groups: the same
 * module path) and label. By number: partner or %STRIA_NO_NODE, %STRIA_NO_GROUP.
 */
typedef struct
{
  guint32 *node_of_a;
  guint32 *node_of_b;
  guint32 *group_of_a;
  guint32 *group_of_b;
} StriaModelPartners;

/* Either may be without a graph: then nothing has a partner. Long; for a worker. */
StriaModelPartners *stria_model_partners_new  (StriaComparison *comparison,
                                               const StriaModelGraph *a,
                                               const StriaModelGraph *b);
void                stria_model_partners_free (StriaModelPartners *self);
/* The number in @b's graphs of the one that is graph @graph of @a: of its kind, by its place among
 * them; %G_MAXUINT: there is none */
guint stria_model_partners_graph (StriaModelIndex *a, StriaModelIndex *b, guint graph);
/* What corresponds to @node or @group of the second if @second, else of the first. FALSE: nothing */
gboolean stria_model_partners_find (const StriaModelPartners *self, gboolean second, guint32 node,
                                    guint32 group, guint32 *other_node, guint32 *other_group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaModelPartners, stria_model_partners_free)

G_END_DECLS
