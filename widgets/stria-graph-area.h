/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-graph-painter.h"

G_BEGIN_DECLS

#define STRIA_TYPE_GRAPH_AREA (stria_graph_area_get_type ())
G_DECLARE_FINAL_TYPE (StriaGraphArea, stria_graph_area, STRIA, GRAPH_AREA, GtkWidget)

/**
 * StriaGraphArea:
 *
 * A graph to be walked: zoom, pan, groups that open and close where the pointer is, a minimap,
 * search, selection. Layout and pictures are made on workers; until they come the last ones stay.
 *
 * Actions, all with keys: "graph.fit", "graph.zoom-in", "graph.zoom-out", "graph.zoom-100",
 * "graph.toggle", "graph.fold-all", "graph.unfold-all", "graph.direction", "graph.rows",
 * "graph.isolate", "graph.show-all", "graph.inputs", "graph.outputs", "graph.minimap",
 * "graph.next-match", "graph.previous-match", "graph.clear".
 *
 * Signals: "selection-changed" (selected nodes or group), "activated" (guint node: double click or
 * Enter on a node that stands for a subgraph, or on a node with a source line), "view-changed"
 * (zoom or place), "laid-out" (another scene is shown), "hover-changed".
 */
GtkWidget  *stria_graph_area_new        (void);
/* @graph: (nullable). Folded to its outermost groups, or open where it is small. */
void        stria_graph_area_set_graph  (StriaGraphArea *self, StriaGraph *graph);
StriaGraph *stria_graph_area_get_graph  (StriaGraphArea *self);

/* Figures by node and by group, copied; NULL: none. */
void        stria_graph_area_set_figures (StriaGraphArea *self, const StriaGraphFigure *nodes,
                                          const StriaGraphFigure *groups, gboolean diverging);
/* Marks of others (MAPPED, PARTITION, ..., UNMATCHED, ADDED, CHANGED), copied; NULL: none. What is
 * SELECTED, a MATCH, UPSTREAM, DOWNSTREAM or DIM is the area's own. */
void        stria_graph_area_set_marks  (StriaGraphArea *self, const guint16 *nodes,
                                         const guint16 *groups);

/* STRIA_NO_NODE, STRIA_NO_GROUP: none of that kind. Selecting does not move the view. */
void        stria_graph_area_select     (StriaGraphArea *self, guint32 node, guint32 group);
guint32     stria_graph_area_get_node   (StriaGraphArea *self);
guint32     stria_graph_area_get_group  (StriaGraphArea *self);
/* All selected nodes (several after Shift-click or a box). Returns: (transfer none) */
GArray     *stria_graph_area_get_nodes  (StriaGraphArea *self);
/* Opens what is around it and moves it into sight, animated */
void        stria_graph_area_reveal     (StriaGraphArea *self, guint32 node, guint32 group);

void        stria_graph_area_fit        (StriaGraphArea *self);
void        stria_graph_area_zoom       (StriaGraphArea *self, double factor);
/* 0: all folded; n: levels open; G_MAXUINT: all */
void        stria_graph_area_set_level  (StriaGraphArea *self, guint level);
void        stria_graph_area_set_direction (StriaGraphArea *self, StriaGraphDirection direction);
StriaGraphDirection stria_graph_area_get_direction (StriaGraphArea *self);
/* Whether what is very long is set in rows, as words are in lines; default: yes */
void        stria_graph_area_set_rows   (StriaGraphArea *self, gboolean rows);
gboolean    stria_graph_area_get_rows   (StriaGraphArea *self);
/* The neighbourhood of the selection; FALSE: nothing is selected */
gboolean    stria_graph_area_isolate    (StriaGraphArea *self, guint up, guint down);
void        stria_graph_area_show_all   (StriaGraphArea *self);
gboolean    stria_graph_area_is_isolated (StriaGraphArea *self);
/* All that the selection needs, and all that needs it, stand out */
void        stria_graph_area_set_trace  (StriaGraphArea *self, gboolean inputs, gboolean outputs);
void        stria_graph_area_get_trace  (StriaGraphArea *self, gboolean *inputs, gboolean *outputs);
void        stria_graph_area_show_kind  (StriaGraphArea *self, StriaNodeKind kind, gboolean show);
gboolean    stria_graph_area_shows_kind (StriaGraphArea *self, StriaNodeKind kind);
/* Where not all of the graph is in sight; default: shown */
void        stria_graph_area_set_minimap (StriaGraphArea *self, gboolean shown);
gboolean    stria_graph_area_get_minimap (StriaGraphArea *self);

/* Words separated by spaces, all of which a node must have in its label, id, attribute
 * ("key:value"), port types or group path; a number also matches handles. Returns: number of
 * matches */
guint       stria_graph_area_search     (StriaGraphArea *self, const char *text);
/* Returns: number of the match from 1, 0: none */
guint       stria_graph_area_search_next (StriaGraphArea *self, gboolean forward);

/* Moves there at once; @x, @y: scene coordinates of the upper left corner. For areas that move
 * together. */
void        stria_graph_area_move_to    (StriaGraphArea *self, double x, double y, double zoom);
/* Opens and closes groups: a byte for each, TRUE: open. Does nothing if they are so already. */
void        stria_graph_area_set_groups (StriaGraphArea *self, const guint8 *open);
/* Whether a group is open, shown or not */
gboolean    stria_graph_area_is_open    (StriaGraphArea *self, guint32 group);
/* What is seen, for export; not owned by the caller: valid until the next iteration of the main
 * loop */
const StriaGraphView *stria_graph_area_get_view (StriaGraphArea *self);
/* Whether a layout is being made */
gboolean    stria_graph_area_is_busy    (StriaGraphArea *self);

G_END_DECLS
