/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-lane.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-lane-sums
 *
 * What blocks of a lane's events add up to, by name and category: a selection that holds a block
 * whole takes its sums instead of its events. Blocks are summed when they are first asked for, and
 * stay with the lane. Where names repeat too seldom for that to pay, a block is not kept, so that
 * sums take no more than ten bytes an event.
 */

/* What slices of a key add up to. @children: what is drawn of their direct children. @min, @max:
 * only of sums that count something */
typedef struct
{
  guint64 count;
  gint64 total;
  gint64 children;
  gint64 min;
  gint64 max;
  double whole; /* sum of whole durations; exact up to 2^53 ns = 104 days */
} StriaSum;

/* A sum in a block */
typedef struct
{
  guint32 key;
  guint32 count;
  gint64 total;
  gint64 children; /* of parents with this key that the block's events take from */
  gint64 min;
  gint64 max;
} StriaKeySum;

/**
 * StriaSumBlock:
 * @max_end: latest end of its events
 * @n_names: sums of names at the begin of @sums
 * @n_categories: sums of categories behind them
 * @is_kept: whether there are sums
 */
typedef struct
{
  gint64 max_end;
  guint32 n_names;
  guint32 n_categories;
  gboolean is_kept;
  StriaKeySum sums[];
} StriaSumBlock;

typedef struct _StriaLaneSums StriaLaneSums;

/* Room for the sums of one block; one thread. */
typedef struct _StriaSumScratch StriaSumScratch;

StriaSumScratch     *stria_sum_scratch_new   (guint32 n_names, guint32 n_categories);
void                 stria_sum_scratch_free  (StriaSumScratch *self);

/* Of a lane that is loaded. Any thread. @n_names: of the trace's strings.
 * Returns: (transfer none): live as long as the lane */
StriaLaneSums       *stria_lane_get_sums     (StriaLane *lane, guint32 n_names);
/* How many events a block holds; blocks begin with their row, and a row's last one may be shorter */
guint64              stria_lane_sums_size    (StriaLaneSums *self);
/* Block @block of row @row. Any thread. Returns: (transfer none) */
const StriaSumBlock *stria_lane_sums_block   (StriaLaneSums *self, StriaLane *lane, guint32 row,
                                              guint64 block, StriaSumScratch *scratch);
/* Adds the sums of a block that is kept; @names and @categories are by key. */
void                 stria_sum_block_add     (const StriaSumBlock *self, StriaSum *names,
                                              StriaSum *categories);
void                 stria_lane_sums_free    (StriaLaneSums *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSumScratch, stria_sum_scratch_free)

G_END_DECLS
