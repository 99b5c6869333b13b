/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-scene.h"

G_BEGIN_DECLS

/* What stands in a group (or the graph): a node or a group, in the order of the file. */
typedef struct
{
  guint32 node;  /* STRIA_NO_NODE: a group */
  guint32 group; /* STRIA_NO_GROUP: a node */
  guint32 first; /* node that it begins with: the order */
} StriaFoldChild;

gboolean stria_fold_shows_node (const StriaFold *self, guint32 node);
/* How many nodes each group shows, those of inner groups too. Returns: (transfer full) */
guint32 *stria_fold_weights    (const StriaFold *self);
/* @weights: of stria_fold_weights(). Returns: (transfer full) (element-type StriaFoldChild) */
GArray  *stria_fold_children   (const StriaFold *self, guint32 group, const guint32 *weights);

G_END_DECLS
