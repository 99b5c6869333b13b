/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-graph.h"

G_BEGIN_DECLS

/**
 * StriaFold:
 *
 * What of a graph is to be seen: which groups are open, what is left out (everything but the
 * neighbourhood of some nodes), which way it runs. Cheap to copy; the main thread changes it, a worker
 * lays out a copy.
 */
typedef struct _StriaFold StriaFold;

typedef enum
{
  STRIA_GRAPH_LEFT_TO_RIGHT,
  STRIA_GRAPH_TOP_TO_BOTTOM,
} StriaGraphDirection;

/* A group with more children than this is shown as sections "1 of n" that open one by one. */
#define STRIA_FOLD_SECTION 400

StriaFold  *stria_fold_new            (StriaGraph *graph);
StriaFold  *stria_fold_copy           (const StriaFold *self);
void        stria_fold_free           (StriaFold *self);
StriaGraph *stria_fold_get_graph      (const StriaFold *self);
void        stria_fold_set_direction  (StriaFold *self, StriaGraphDirection direction);
StriaGraphDirection stria_fold_get_direction (const StriaFold *self);
gboolean    stria_fold_is_open        (const StriaFold *self, guint32 group);
void        stria_fold_set_open       (StriaFold *self, guint32 group, gboolean open);
/* @group: STRIA_NO_GROUP for sections of the graph itself */
gboolean    stria_fold_is_section_open (const StriaFold *self, guint32 group, guint32 section);
void        stria_fold_set_section_open (StriaFold *self, guint32 group, guint32 section,
                                         gboolean open);
/* 0: all closed; n: groups above that depth open; G_MAXUINT: all open */
void        stria_fold_set_level      (StriaFold *self, guint level);
/* Whether what is very long is set in rows, as words are in lines; default: yes */
void        stria_fold_set_rows       (StriaFold *self, gboolean rows);
gboolean    stria_fold_get_rows       (const StriaFold *self);
/* Opens what is around a node or group so that it is seen */
void        stria_fold_reveal_node    (StriaFold *self, guint32 node);
void        stria_fold_reveal_group   (StriaFold *self, guint32 group);
/* Only @nodes and what can be reached in @up edges against and @down edges along their direction;
 * n 0 shows all again. */
void        stria_fold_isolate        (StriaFold *self, const guint32 *nodes, gsize n, guint up,
                                       guint down);
gboolean    stria_fold_is_isolated    (const StriaFold *self);
/* Parameters and constants, which are many and seldom looked at; default: hidden where the graph has
 * any and an operator stands for them */
void        stria_fold_show_kind      (StriaFold *self, StriaNodeKind kind, gboolean show);
gboolean    stria_fold_shows_kind     (const StriaFold *self, StriaNodeKind kind);

#define STRIA_NO_ITEM G_MAXUINT32

/* A box of the picture: a node, or a group (open ones contain their children's boxes). */
typedef struct
{
  guint32 node;    /* STRIA_NO_NODE: a group */
  guint32 group;   /* STRIA_NO_GROUP: a node */
  guint32 section; /* part of a group with many children, from 0; G_MAXUINT32: the whole */
  guint32 parent;  /* item around it, or STRIA_NO_ITEM; parents come before their children */
  guint32 first_child, n_children; /* items; 0 of a node and what is closed */
  guint32 first_wire, n_wires;     /* wires between boxes in it that are not of one box in it */
  guint32 n_sections;              /* of a section: how many there are */
  gboolean open;
  float   x, y, width, height; /* pixels at zoom 1, from the scene's corner */
  guint32 rank;                /* place in the flow inside its parent, from 0 */
  float   straight;            /* where it would stand across if its parent had one row */
  float   row_length;          /* of rows in an open one; 0: one row */
} StriaSceneItem;

/* A line of the picture: one edge, or all edges between two boxes in one direction. */
typedef struct
{
  guint32 source, target; /* items; never an open group */
  guint32 n_edges;
  guint32 edge;           /* the first of them, a number of the graph */
  guint32 first_point, n_points; /* polyline from the border of source to that of target; >= 2 */
  float   x0, y0, x1, y1;        /* what its points take */
} StriaSceneWire;

/**
 * StriaScene:
 *
 * A fold laid out. Plain and finished: any thread may read it.
 */
typedef struct
{
  gatomicrefcount refs;
  StriaGraph     *graph;
  StriaGraphDirection direction;
  StriaSceneItem *items;     /* those that stand in no other first: [0, n_outer) */
  guint32         n_items;
  guint32         n_outer;
  guint32         first_wire, n_outer_wires; /* wires of no box's own */
  StriaSceneWire *wires;
  guint32         n_wires;
  float          *points;    /* x, y, x, y, ... */
  guint32         n_points;
  guint32        *item_of_node;  /* by node: its box, or the closed group's that holds it, or
                                    STRIA_NO_ITEM: left out */
  guint32        *item_of_group; /* by group; likewise */
  float           width, height;
  float           row_length; /* of outer rows; 0: one */
} StriaScene;

/* Pixels that a box needs for its text at zoom 1; for worker threads. @node or @group is "none". */
typedef void (*StriaSceneMeasure) (StriaGraph *graph, guint32 node, guint32 group, gboolean open,
                                   float *width, float *height, gpointer user_data);

/**
 * stria_scene_new:
 * @previous: (nullable): the scene before: where it can, the order of boxes stays, so that opening a
 *   group moves little
 *
 * Layered layout: each open group is laid out inside itself, edges run between boxes of the same
 * group. Deterministic. Boxes of one parent never overlap, groups contain their children, wires end on
 * the borders of their boxes. Long; for a worker.
 *
 * Returns: (transfer full) (nullable): NULL with %G_IO_ERROR_CANCELLED
 */
StriaScene *stria_scene_new   (const StriaFold *fold, StriaScene *previous, StriaSceneMeasure measure,
                               gpointer user_data, GCancellable *cancellable, GError **error);
StriaScene *stria_scene_ref   (StriaScene *self);
void        stria_scene_unref (StriaScene *self);
/* The innermost box at a point, an open group only where none of its children is; STRIA_NO_ITEM */
guint32     stria_scene_hit   (StriaScene *self, float x, float y);
/* Whether the boxes in an open one can be told apart, where @least is as small as anything is seen */
gboolean    stria_scene_shows_children (const StriaSceneItem *item, float least);
/* Boxes and wires that touch a rectangle, in drawing order. What stands in a box below @least pixels
 * in width and height, or too close in it, is left out. (element-type guint32) */
void        stria_scene_visible (StriaScene *self, float x0, float y0, float x1, float y1,
                                 float least, GArray *items, GArray *wires);
/* The wire within @distance of a point, or G_MAXUINT32 */
guint32     stria_scene_hit_wire (StriaScene *self, float x, float y, float distance);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaFold, stria_fold_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaScene, stria_scene_unref)

G_END_DECLS
