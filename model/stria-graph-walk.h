/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph-scene.h"

G_BEGIN_DECLS

/* Where a key leads, as the graph runs: its direction on the screen does not matter. */
typedef enum
{
  STRIA_WALK_BACK,   /* to what comes before, along a wire */
  STRIA_WALK_ON,     /* to what comes next */
  STRIA_WALK_BEFORE, /* to the neighbour across: above, or left of it */
  STRIA_WALK_AFTER,  /* below, or right of it */
  STRIA_WALK_FIRST,  /* where the graph begins */
  STRIA_WALK_LAST,
  STRIA_WALK_OUT,    /* to the group around it */
  STRIA_WALK_INTO,   /* to what an open group begins with */
} StriaWalk;

/**
 * stria_scene_walk:
 * @item: from where, or %STRIA_NO_ITEM
 *
 * Returns: the box that a step leads to, or %STRIA_NO_ITEM: there is none
 */
guint32 stria_scene_walk (StriaScene *scene, guint32 item, StriaWalk way);

/**
 * stria_graph_trace:
 * @nodes: from where
 * @upstream: against the direction of edges
 * @reached: (inout): by node; those that @nodes need (or that need them) are set to %TRUE,
 *   themselves included
 */
void    stria_graph_trace (StriaGraph *graph, const guint32 *nodes, gsize n, gboolean upstream,
                           guint8 *reached);

G_END_DECLS
