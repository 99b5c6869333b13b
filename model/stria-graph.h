/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-fact-tables.h"

G_BEGIN_DECLS

/**
 * StriaGraph:
 *
 * One graph of some facts, ready to be walked and drawn: nodes in groups that nest, with inputs,
 * outputs, edges and attributes. One form for programs, compiler graphs and views. Numbers of
 * nodes, groups and edges count from 0 inside the graph. It never changes; any thread may read it.
 */
typedef struct _StriaGraph StriaGraph;

/* Caps on what one graph may hold, for decoders. */
#define STRIA_GRAPH_MAX_NODES 1000000
#define STRIA_GRAPH_MAX_EDGES 8000000
#define STRIA_GRAPH_MAX_DEPTH 64 /* of groups; deeper ones are merged into the last */

#define STRIA_NO_GROUP G_MAXUINT32
#define STRIA_NO_NODE  G_MAXUINT32

/* @number: row of STRIA_TABLE_GRAPH */
StriaGraph   *stria_graph_new         (StriaFacts *facts, guint32 number);
StriaGraph   *stria_graph_ref         (StriaGraph *self);
void          stria_graph_unref       (StriaGraph *self);
StriaFacts   *stria_graph_get_facts   (StriaGraph *self);
const StriaGraphRow *stria_graph_get_row (StriaGraph *self);
const char   *stria_graph_get_name    (StriaGraph *self);
const char   *stria_graph_text        (StriaGraph *self, guint32 string);

guint32       stria_graph_n_nodes     (StriaGraph *self);
guint32       stria_graph_n_groups    (StriaGraph *self);
guint32       stria_graph_n_edges     (StriaGraph *self);
const StriaGraphNodeRow  *stria_graph_node  (StriaGraph *self, guint32 node);
const StriaGraphGroupRow *stria_graph_group (StriaGraph *self, guint32 group);
const StriaGraphEdgeRow  *stria_graph_edge  (StriaGraph *self, guint32 edge);
/* Ends of an edge, and groups, as numbers inside the graph */
guint32       stria_graph_edge_source (StriaGraph *self, guint32 edge);
guint32       stria_graph_edge_target (StriaGraph *self, guint32 edge);
guint32       stria_graph_node_group  (StriaGraph *self, guint32 node);
guint32       stria_graph_group_parent (StriaGraph *self, guint32 group);

/* Numbers of edges that enter or leave a node, in the order of the file */
const guint32 *stria_graph_in_edges   (StriaGraph *self, guint32 node, guint32 *n);
const guint32 *stria_graph_out_edges  (StriaGraph *self, guint32 node, guint32 *n);
/* Children of a group, or of the graph itself for STRIA_NO_GROUP */
const guint32 *stria_graph_group_nodes  (StriaGraph *self, guint32 group, guint32 *n);
const guint32 *stria_graph_group_groups (StriaGraph *self, guint32 group, guint32 *n);
/* The first node in the group or a group inside it, STRIA_NO_NODE if there is none */
guint32       stria_graph_group_first (StriaGraph *self, guint32 group);
/* Nodes in the group and all groups inside it */
guint32       stria_graph_group_weight (StriaGraph *self, guint32 group);

/* Ports of a node, attributes of anything with first_attr and n_attrs */
const StriaGraphPortRow *stria_graph_inputs  (StriaGraph *self, guint32 node, guint32 *n);
const StriaGraphPortRow *stria_graph_outputs (StriaGraph *self, guint32 node, guint32 *n);
const StriaGraphAttrRow *stria_graph_attrs   (StriaGraph *self, guint32 first);
/* Returns: (transfer none) (nullable): value of the first attribute of a node with that key */
const char   *stria_graph_node_attr   (StriaGraph *self, guint32 node, const char *key);

/* By stable id; STRIA_NO_NODE or STRIA_NO_GROUP if there is none */
guint32       stria_graph_find_node   (StriaGraph *self, const char *id);
guint32       stria_graph_find_group  (StriaGraph *self, const char *id);
/* Nodes whose `key` (debug handle, SPIR-V id, ...) is @key, in the graph's order */
const guint32 *stria_graph_find_key   (StriaGraph *self, gint64 key, guint32 *n);

/* First graph of a kind (and method, if not NULL) in @facts: its row, or STRIA_NO_REF */
guint32       stria_graph_lookup      (StriaFacts *facts, StriaGraphKind kind, const char *method);
/* Stable, untranslated: "source", "operator", "module", ... */
const char   *stria_graph_kind_name   (StriaGraphKind kind);
const char   *stria_node_kind_name    (StriaNodeKind kind);
const char   *stria_group_kind_name   (StriaGroupKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaGraph, stria_graph_unref)

/**
 * StriaGraphBuilder:
 *
 * Adds one graph to facts. Attributes go to what was added last (group, node, input or output), so
 * a node's come first, then its inputs with theirs, then its outputs with theirs; edges may be added
 * at any time. One builder at a time for the same facts. Numbers it answers count inside the graph;
 * those of ports in the table.
 */
typedef struct _StriaGraphBuilder StriaGraphBuilder;

StriaGraphBuilder *stria_graph_builder_new (StriaFacts *facts, StriaGraphKind kind,
                                            const char *name, const char *method);
/* Row of STRIA_TABLE_GRAPH that it fills; known from the beginning */
guint32  stria_graph_builder_get_number (StriaGraphBuilder *self);
/* The group @label in @parent (STRIA_NO_GROUP: outermost), made when it is first asked for. */
guint32  stria_graph_builder_group  (StriaGraphBuilder *self, guint32 parent, const char *label,
                                     StriaGroupKind kind);
/* @id is made unique with a suffix if the graph has it; @key: see StriaGraphNodeRow, -1 for none */
guint32  stria_graph_builder_node   (StriaGraphBuilder *self, const char *id, const char *label,
                                     guint32 group, StriaNodeKind kind, gint64 key);
/* The last node's further members */
void     stria_graph_builder_subgraph (StriaGraphBuilder *self, const char *graph_name);
void     stria_graph_builder_source (StriaGraphBuilder *self, const char *file, guint32 line);
/* Returns: row of STRIA_TABLE_GRAPH_PORT. @name and @type may be NULL. */
guint32  stria_graph_builder_input  (StriaGraphBuilder *self, const char *id, const char *name,
                                     const char *type);
guint32  stria_graph_builder_output (StriaGraphBuilder *self, const char *id, const char *name,
                                     const char *type);
void     stria_graph_builder_attr   (StriaGraphBuilder *self, const char *key, const char *value);
void     stria_graph_builder_attr_printf (StriaGraphBuilder *self, const char *key,
                                          const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Gives the last input or output the attributes of another one (its row), which are kept once. */
void     stria_graph_builder_share_attrs (StriaGraphBuilder *self, guint32 port);
/* Ports: rows of STRIA_TABLE_GRAPH_PORT, or STRIA_NO_REF */
void     stria_graph_builder_edge   (StriaGraphBuilder *self, guint32 source, guint32 source_port,
                                     guint32 target, guint32 target_port);
guint32  stria_graph_builder_n_nodes (StriaGraphBuilder *self);
/* Number of a node by its id, or STRIA_NO_NODE */
guint32  stria_graph_builder_find   (StriaGraphBuilder *self, const char *id);
/* Finishes the graph and frees the builder. Returns: row of STRIA_TABLE_GRAPH */
guint32  stria_graph_builder_finish (StriaGraphBuilder *self);

G_END_DECLS
