/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-match.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-operators
 *
 * What a capture spent its time on, as a tree: instructions by the layer and operator that they
 * were made for, or the slices of a trace by module, by who called whom, or by category. Each node
 * has figures; those that cannot be known are NaN, with a reason.
 */

typedef enum
{
  STRIA_OPERATORS_LAYERS,     /* rows of Instruction: framework layer, HLO operator, opcode */
  STRIA_OPERATORS_NODES,      /* rows of FrameworkNode as an export sums them */
  STRIA_OPERATORS_MODULES,    /* torch.nn modules and the operators below them */
  STRIA_OPERATORS_CALLS,      /* process, lane, and slices as they nest */
  STRIA_OPERATORS_CATEGORIES, /* category, name */
  STRIA_N_OPERATORS_KINDS,
} StriaOperatorsKind;

typedef enum
{
  STRIA_OPERATOR_TOTAL, /* ns */
  STRIA_OPERATOR_SELF,  /* ns */
  STRIA_OPERATOR_SHARE, /* of 1 */
  STRIA_OPERATOR_COUNT,
  STRIA_OPERATOR_MEAN,     /* ns */
  STRIA_OPERATOR_ENGINE,   /* ns, of all engines together */
  STRIA_OPERATOR_DEVICE,   /* ns */
  STRIA_OPERATOR_LAUNCHED, /* slices of devices */
  STRIA_OPERATOR_MFU,      /* of 1 */
  STRIA_OPERATOR_HFU,      /* of 1 */
  STRIA_OPERATOR_FLOPS,
  STRIA_OPERATOR_HBM_READ, /* bytes, as all that follow */
  STRIA_OPERATOR_HBM_WRITE,
  STRIA_OPERATOR_SBUF_READ,
  STRIA_OPERATOR_SBUF_WRITE,
  STRIA_OPERATOR_SPILL,
  STRIA_OPERATOR_WEIGHTS,
  STRIA_OPERATOR_N_TENSOR, /* instructions, by engine */
  STRIA_OPERATOR_N_VECTOR,
  STRIA_OPERATOR_N_SCALAR,
  STRIA_OPERATOR_N_GPSIMD,
  STRIA_OPERATOR_N_SYNC,
  STRIA_OPERATOR_PERIOD_TENSOR, /* ns from the first begin to the last end, by engine */
  STRIA_OPERATOR_PERIOD_VECTOR,
  STRIA_OPERATOR_PERIOD_SCALAR,
  STRIA_OPERATOR_PERIOD_GPSIMD,
  STRIA_OPERATOR_PERIOD_SYNC,
  STRIA_OPERATOR_CHANNELS_SCALAR,
  STRIA_OPERATOR_CHANNELS_VECTOR,
  STRIA_N_OPERATOR_FIGURES,
} StriaOperatorFigure;

#define STRIA_N_OPERATOR_ENGINES 5

/**
 * StriaOperator:
 * @name: part of the path, as it is shown
 * @color_name: what its colour on the timeline comes from; "" of the root
 * @parent: number of the node above, G_MAXUINT32 of the root
 * @size: how many nodes the subtree has; those below a node n are n + 1 … n + size - 1
 * @n_children: nodes right below
 * @depth: 0 of the root
 * @start_ns: first begin; @end_ns: last end (both 0 if there is none)
 * @period: [first begin, last end] by engine in the order of the figures; begin above end: none
 * @n_own: events that stand for this very node
 * @figures: by #StriaOperatorFigure; NaN: not known
 */
typedef struct
{
  const char *name;
  const char *color_name;
  guint32 parent;
  guint32 size;
  guint32 n_children;
  guint32 depth;
  gint64 start_ns;
  gint64 end_ns;
  gint64 period[STRIA_N_OPERATOR_ENGINES][2];
  guint64 n_own;
  double figures[STRIA_N_OPERATOR_FIGURES];
} StriaOperator;

/* Immutable; any thread. Nodes are numbered depth first, children by total, greatest first; node 0
 * is the root, and is always there. */
typedef struct _StriaOperators StriaOperators;

/**
 * stria_operators_has:
 *
 * Returns: whether @capture has what the tree of that kind is made of; cheap
 */
gboolean             stria_operators_has       (StriaCapture *capture, StriaTrace *trace,
                                                StriaOperatorsKind kind);
/**
 * stria_operators_new:
 * @trace: of @capture
 * @t0: time of the trace from which on it counts; what overlaps counts by the part inside
 * @t1: time up to which it counts; for all: the trace's range
 *
 * Loads the lanes and columns that it needs: for a worker.
 *
 * Returns: (transfer full): the tree, or NULL with %G_IO_ERROR_CANCELLED or why something could
 *   not be loaded
 */
StriaOperators      *stria_operators_new       (StriaCapture *capture, StriaTrace *trace,
                                                StriaOperatorsKind kind, gint64 t0, gint64 t1,
                                                GCancellable *cancellable, GError **error);
StriaOperators      *stria_operators_ref       (StriaOperators *self);
void                 stria_operators_unref     (StriaOperators *self);

StriaOperatorsKind   stria_operators_get_kind  (StriaOperators *self);
StriaTrace          *stria_operators_get_trace (StriaOperators *self);
guint32              stria_operators_n_nodes   (StriaOperators *self);
const StriaOperator *stria_operators_get       (StriaOperators *self, guint32 node);
/* First child and the next one: G_MAXUINT32: there is none */
guint32              stria_operators_first     (StriaOperators *self, guint32 node);
guint32              stria_operators_next      (StriaOperators *self, guint32 node);
/* Names from the root's child down to the node. Returns: (transfer full) */
char                *stria_operators_path      (StriaOperators *self, guint32 node);
/* The node of a path, as deep as it is there; 0 if nothing of it is */
guint32              stria_operators_find_path (StriaOperators *self, const char *path);

/* Whether any node has this figure. @reason (nullable, transfer none): to translate; why a node may
 * lack it, or NULL if trees of this kind have no such thing */
gboolean             stria_operators_has_figure (StriaOperators *self, StriaOperatorFigure figure,
                                                 const char **reason);
/* Heading, unit ("ns", "B", "of 1" or "") and formula of a figure in trees of a kind; translated */
const char          *stria_operator_figure_title (StriaOperatorFigure figure);
const char          *stria_operator_figure_unit  (StriaOperatorFigure figure);
const char          *stria_operator_figure_formula (StriaOperatorsKind kind,
                                                    StriaOperatorFigure figure);
/* A figure as people read it, with its unit; "–" if it is not known. Returns: (transfer full) */
char                *stria_operator_figure_text  (StriaOperatorFigure figure, double value);
/* Name of the kind, translated */
const char          *stria_operators_kind_title  (StriaOperatorsKind kind);

/* The node that an event stands for, or belongs to; G_MAXUINT32: none */
guint32              stria_operators_node_of    (StriaOperators *self, StriaRef ref);
/* Earliest event of a subtree, %STRIA_REF_NONE if it has none. Loops over events: for a worker */
StriaRef             stria_operators_first_event (StriaOperators *self, guint32 node);
/* All events of a subtree, for a worker.
 * Returns: (transfer full) (nullable): NULL if it has none */
StriaMatch          *stria_operators_match      (StriaOperators *self, guint32 node);
/* The tree as CSV text (RFC 4180, C locale): path, depth, and the figures that it has */
char                *stria_operators_to_csv     (StriaOperators *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaOperators, stria_operators_unref)

G_END_DECLS
