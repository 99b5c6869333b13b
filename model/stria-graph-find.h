/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-graph.h"

G_BEGIN_DECLS

/**
 * StriaGraphFind:
 *
 * Finds nodes by what is said of them. Each distinct text of the graph is kept once in lower case,
 * so that a query reads every text once, however many nodes have it. Not for two threads at once.
 */
typedef struct _StriaGraphFind StriaGraphFind;

/* Reads the whole graph */
StriaGraphFind *stria_graph_find_new  (StriaGraph *graph);
void            stria_graph_find_free (StriaGraphFind *self);

/**
 * stria_graph_find_run:
 * @text: words separated by spaces. A node must have each of them in its label, id, an attribute
 *   ("key:value"), the name or type of an input or output, or the path of its group; a number is
 *   also the node's handle (its `key`)
 *
 * Returns: (transfer full) (element-type guint32): nodes in the graph's order; none for no words
 */
GArray *stria_graph_find_run (StriaGraphFind *self, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaGraphFind, stria_graph_find_free)

G_END_DECLS
