/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-operators.h"
#include "stria-summary-rows.h"

G_BEGIN_DECLS

/* More nodes than people can make use of; what would be the next ones counts for its parent. */
#define STRIA_OPERATORS_MAX_NODES 400000
/* Deeper paths end there: what recurses without end tells nothing more. */
#define STRIA_OPERATORS_MAX_DEPTH 512

/* How torch.profiler begins the name of a module's call */
#define STRIA_OPERATORS_MODULE "nn.Module: "

/* A node while the tree is made. Zeroed figures: nothing yet */
typedef struct
{
  guint32 parent;
  guint32 name; /* of the names */
  guint32 depth;
  guint32 place; /* in the finished tree */
  gint64 start_ns;
  gint64 end_ns;
  gint64 period[STRIA_N_OPERATOR_ENGINES][2];
  guint64 n_own;
  double sums[STRIA_N_OPERATOR_FIGURES];
  double flops_transpose;
  guint32 has; /* bit by figure: of those that only some have */
  guint32 core; /* peak of one: see layers */
  StriaSpanUnion busy;
} OperatorNode;

typedef struct
{
  guint64 key; /* parent << 32 | name */
  guint32 node;
} OperatorSlot;

typedef struct
{
  StriaCapture *capture;
  StriaOperators *tree;
  StriaTrace *trace;
  gint64 t0;
  gint64 t1;
  GCancellable *cancellable;
  GArray *nodes; /* OperatorNode */
  OperatorSlot *slots;
  guint n_slots;
  guint32 *names; /* by string of the trace: of the names, G_MAXUINT32: not asked yet */
  guint64 last_key;
  guint32 last_node;
} OperatorMaking;

struct _StriaOperators
{
  gatomicrefcount refs;
  StriaOperatorsKind kind;
  StriaTrace *trace;
  StriaStrings *names;
  StriaOperator *nodes;
  guint32 n_nodes;
  guint32 **node_of; /* by lane and index; NULL: no events of the lane are in the tree */
  guint64 *n_events; /* by lane */
  const char *reasons[STRIA_N_OPERATOR_FIGURES];
};

/* Number of the child of that name; made if it is not there. @name: of the tree's names */
guint32  stria_operators_child   (OperatorMaking *self, guint32 parent, guint32 name);
guint32  stria_operators_intern  (OperatorMaking *self, const char *text, gssize length);
/* The name of an event: without what only tells objects apart */
guint32  stria_operators_name    (OperatorMaking *self, guint32 string);
/* Begins and ends of a node and all above it are put together at the end. */
void     stria_operators_span    (OperatorNode *node, gint64 start, gint64 end);
/* Numbers of nodes by event of a lane, all G_MAXUINT32 */
guint32 *stria_operators_lane    (OperatorMaking *self, guint32 lane, guint64 n_events);

gboolean stria_operators_make_trace  (OperatorMaking *self, GError **error);
gboolean stria_operators_make_layers (OperatorMaking *self, GError **error);
gboolean stria_operators_make_nodes  (OperatorMaking *self, GError **error);

G_END_DECLS
