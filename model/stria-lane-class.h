/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-table.h"
#include "stria-trace.h"

G_BEGIN_DECLS

/* What a lane is about. Lanes of tables are told apart by the table they come from; all others are
 * of threads, or counters. */
typedef enum
{
  STRIA_LANE_CLASS_THREADS,
  STRIA_LANE_CLASS_ENGINES,
  STRIA_LANE_CLASS_DMA_QUEUES,
  STRIA_LANE_CLASS_DMA_ENGINES,
  STRIA_LANE_CLASS_COLLECTIVES,
  STRIA_LANE_CLASS_USAGE,
  STRIA_LANE_CLASS_SEMAPHORES,
  STRIA_LANE_CLASS_ERRORS,
  STRIA_LANE_N_CLASSES,
} StriaLaneClass;

StriaLaneClass stria_lane_get_class   (StriaLane *self);
/* Whether the lane's events are rows of the table @name */
gboolean       stria_lane_is_of_table (StriaLane *self, const char *name);
/* The table's name and its length in bytes, which no terminator follows; NULL: of no table.
 * Returns: (transfer none) (nullable) */
const char    *stria_lane_get_table   (StriaLane *self, gsize *length);
/* The table itself, of the same artifact. Returns: (transfer none) (nullable) */
StriaTable    *stria_lane_find_table  (StriaLane *self, StriaTrace *trace);
/* The lane's key in its table, behind the table's name; "" if it is of none */
const char    *stria_lane_table_key   (StriaLane *self);

/**
 * StriaLaneStacks:
 *
 * Counters that are parts of one whole, and are shown as stacked areas in one lane: what partitions
 * of the state buffer or banks of PSUM hold, and what HBM is used for. Immutable; any thread.
 *
 * A stack's parts add up (bytes by purpose), or each of them is a share of its own part of the whole
 * and counts by one n-th, so that the top of the stack is their mean. The counter that the file gives
 * for the whole, if it has one, leads the stack and is no part of it.
 */
typedef struct _StriaLaneStacks StriaLaneStacks;

/**
 * StriaLaneStack:
 * @leader: lane that the stack stands at
 * @parts: lanes from bottom to top, owned by the stacks
 * @n_parts: how many
 * @has_whole: whether @leader is the counter of the whole; else it is the first part as well
 * @is_mean: whether parts count by one n-th
 * @title: what the names of its lanes have in common
 */
typedef struct
{
  guint32        leader;
  const guint32 *parts;
  guint          n_parts;
  gboolean       has_whole;
  gboolean       is_mean;
  char          *title;
} StriaLaneStack;

StriaLaneStacks      *stria_lane_stacks_new    (StriaTrace *trace);
StriaLaneStacks      *stria_lane_stacks_ref    (StriaLaneStacks *self);
void                  stria_lane_stacks_unref  (StriaLaneStacks *self);
/* The stack that @lane belongs to, as its leader or a part of it.
 * Returns: (transfer none) (nullable) */
const StriaLaneStack *stria_lane_stacks_of     (StriaLaneStacks *self, guint32 lane);
/* Greatest height that the stack reaches, in the unit of its lanes: the sum of its parts' greatest
 * values, or their mean; at least that of the whole */
double                stria_lane_stack_max     (const StriaLaneStack *self, StriaTrace *trace);
/* What the name of a part has that the others' have not: "partition 32".
 * Returns: (transfer none): the end of the lane's name */
const char           *stria_lane_stack_part_name (const StriaLaneStack *self, StriaLane *lane);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaLaneStacks, stria_lane_stacks_unref)

G_END_DECLS
