/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-pane-tree
 *
 * How panes share a rectangle: each is cut in two, beside or below each other, and each part again.
 * Knows no widgets.
 */

typedef enum
{
  STRIA_SIDE_LEFT,
  STRIA_SIDE_RIGHT,
  STRIA_SIDE_TOP,
  STRIA_SIDE_BOTTOM,
  STRIA_SIDE_CENTER, /* not beside it but in its place */
} StriaSide;

typedef struct
{
  int x, y, width, height;
} StriaPaneRect;

/* A pane, or a rectangle cut in two */
typedef struct _StriaPaneNode StriaPaneNode;
struct _StriaPaneNode
{
  gpointer       pane;     /* NULL: it is cut */
  gboolean       below;    /* @second is below @first, not beside it */
  gboolean       turned;   /* it lies below for now, for want of width */
  double         share;    /* of @first, from 0 to 1 */
  StriaPaneNode *first;
  StriaPaneNode *second;
  StriaPaneNode *parent;   /* NULL: the whole */
  StriaPaneRect  rect;     /* as last laid out */
};

/* Least size of a pane */
typedef void (*StriaPaneMeasure) (gpointer pane, int *width, int *height, gpointer user_data);
/* @node: a pane or a cut; @divider: between the parts of a cut */
typedef void (*StriaPanePlace) (StriaPaneNode *node, const StriaPaneRect *divider,
                                gpointer user_data);
typedef const char *(*StriaPaneName) (gpointer pane, gpointer user_data);
/* Returns: (nullable): a pane of that name */
typedef gpointer (*StriaPaneMake) (const char *name, gpointer user_data);

StriaPaneNode *stria_pane_tree_new    (gpointer pane);
void           stria_pane_tree_free   (StriaPaneNode *tree);
/* Returns: (transfer none) (nullable) */
StriaPaneNode *stria_pane_tree_find   (StriaPaneNode *tree, gpointer pane);
/* From left to right and from top to bottom. Returns: (transfer container) */
GPtrArray     *stria_pane_tree_list   (StriaPaneNode *tree);
/* Puts @pane on a side of @at, or of all where @at is NULL, and shares the room out among all in that
 * row */
void           stria_pane_tree_add    (StriaPaneNode **tree, gpointer at, gpointer pane,
                                       StriaSide side);
void           stria_pane_tree_remove (StriaPaneNode **tree, gpointer pane);
void           stria_pane_tree_swap   (StriaPaneNode *tree, gpointer a, gpointer b);
/* The pane that the middle of @pane's side touches, or NULL */
gpointer       stria_pane_tree_beside (StriaPaneNode *tree, gpointer pane, StriaSide side);

/* Shares every row out anew: all panes of a row are as large as each other */
void           stria_pane_tree_even   (StriaPaneNode *tree);
/* Whether the second part of a cut lies below the first one as it is laid out now */
gboolean       stria_pane_node_lies_below (const StriaPaneNode *node);
/* Turns what stands beside each other to below each other where @width is too little for it; FALSE:
 * even so it needs more room */
gboolean       stria_pane_tree_fold   (StriaPaneNode *tree, int width, int height, int divider,
                                       StriaPaneMeasure measure, gpointer user_data);

void           stria_pane_tree_measure (StriaPaneNode *tree, int divider, StriaPaneMeasure measure,
                                        gpointer user_data, int *width, int *height);
/* Calls @place for each cut and pane, the outer ones first; no part is less than its least size as
 * long as there is room */
void           stria_pane_tree_layout (StriaPaneNode *tree, const StriaPaneRect *rect, int divider,
                                       StriaPaneMeasure measure, StriaPanePlace place,
                                       gpointer user_data);

/* As a list of words, and back; words that make no tree, and names without a pane, are left out.
 * Returns: (transfer full) (array zero-terminated=1) */
char         **stria_pane_tree_save   (StriaPaneNode *tree, StriaPaneName name, gpointer user_data);
/* Returns: (transfer full) (nullable) */
StriaPaneNode *stria_pane_tree_load   (const char *const *words, StriaPaneMake make,
                                       gpointer user_data);

G_END_DECLS
