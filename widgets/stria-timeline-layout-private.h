/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-timeline-layout.h"

G_BEGIN_DECLS

typedef enum
{
  STATE_COLLAPSED = 1 << 0,
  STATE_PINNED    = 1 << 1,
  STATE_HIDDEN    = 1 << 2,
  /* Left out by what is chosen of kinds and names; found anew for every trace */
  STATE_MASKED    = 1 << 3,
} StateFlags;

struct _StriaTimelineLayout
{
  gatomicrefcount ref_count;
  StriaTrace     *trace;
  StriaLaneStacks *stacks; /* of @trace */
  StriaGrouping   grouping;
  StriaLaneGroups *groups; /* of @trace: what is called a process here */
  guint           serial;
  gboolean        moved; /* by hand: otherwise each trace brings its own order */

  guint32  n_processes;
  guint32  n_lanes;
  guint8  *process_state;
  guint8  *lane_state;
  guint16 *lane_height; /* pixels that a counter was given; 0 = as usual */
  guint32 *process_order;
  /* Lanes in order, those of process p at [lane_begin[p], lane_begin[p + 1]) */
  guint32 *lane_order;
  guint32 *lane_begin;

  GArray  *items;
  GArray  *pinned;
  guint32 *item_of_lane;    /* index in one of the two, or G_MAXUINT32 */
  guint32 *item_of_process;
  double   height;
  double   pinned_height;

  /* What is chosen of the lanes */
  char         *filter;
  StriaDmaLanes dma;
  guint         hidden_classes; /* a bit a class */
  gboolean      separate;       /* parts of a stack each in a lane of its own */
  GHashTable   *saved;          /* of lanes that no trace has had yet */
};

/* Takes the lanes from what was kept of them, or was saved. Places nothing. */
GHashTable *stria_timeline_layout_keep    (StriaTimelineLayout *self);
void        stria_timeline_layout_restore (StriaTimelineLayout *self, GHashTable *kept);
/* Groups, orders and places all lanes of the trace anew. */
void        stria_timeline_layout_rebuild (StriaTimelineLayout *self, GHashTable *kept);
/* Finds which lanes are left out. */
void        stria_timeline_layout_mask    (StriaTimelineLayout *self);
/* Puts everything where it stands. */
void        stria_timeline_layout_place   (StriaTimelineLayout *self);

G_END_DECLS
