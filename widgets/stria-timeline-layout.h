/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-lane-class.h"
#include "stria-lane-groups.h"
#include "stria-paint-size.h"
#include "stria-trace.h"

G_BEGIN_DECLS

#define STRIA_LAYOUT_PROCESS_HEIGHT stria_text_px (24.0)
#define STRIA_LAYOUT_ROW_HEIGHT     stria_text_px (18.0)
#define STRIA_LAYOUT_COUNTER_HEIGHT stria_text_px (40.0)
/* Counters that are stacked in one lane */
#define STRIA_LAYOUT_STACK_HEIGHT   stria_text_px (64.0)
/* Rows of lanes that show levels */
#define STRIA_LAYOUT_LEVEL_HEIGHT   stria_text_px (30.0)
/* Between these a counter's lane can be made lower or higher */
#define STRIA_LAYOUT_HEIGHT_LEAST   18.0
#define STRIA_LAYOUT_HEIGHT_MOST    600.0
/* Free space above the first and below the last row of a lane */
#define STRIA_LAYOUT_LANE_PADDING   3.0

/**
 * StriaTimelineLayout:
 *
 * Where the lanes of a trace stand, from top to bottom, in pixels at scale 1: process headers,
 * lanes with their rows, what is collapsed, pinned, hidden and in what order. No GTK: the widget,
 * the command line and the tests share it.
 *
 * A collapsed lane shows one row of height (its outermost rows as busy share); a collapsed process
 * only its header with a summary strip. Pinned lanes stand above everything and do not scroll.
 */
typedef struct _StriaTimelineLayout StriaTimelineLayout;

typedef struct
{
  gboolean is_process; /* a process header; @lane is unset */
  guint32  process;
  guint32  lane;
  double   y;          /* from the top of the scrolled area (or of the pinned area) */
  double   height;
  double   row_height; /* of one nesting depth; counters: the whole height */
  gboolean collapsed;
  gboolean pinned;
} StriaLayoutItem;

/* Transfers by the queue that they were put into, or packets by the engine that moved them */
typedef enum
{
  STRIA_DMA_BY_QUEUE,
  STRIA_DMA_BY_ENGINE,
  STRIA_DMA_BOTH,
} StriaDmaLanes;

StriaTimelineLayout *stria_timeline_layout_new      (void);
StriaTimelineLayout *stria_timeline_layout_ref      (StriaTimelineLayout *self);
void                 stria_timeline_layout_unref    (StriaTimelineLayout *self);
/* A copy that a worker may read while the original changes */
StriaTimelineLayout *stria_timeline_layout_snapshot (StriaTimelineLayout *self);
/* Keeps states of processes and lanes that were there before (by name and key). */
void                 stria_timeline_layout_set_trace (StriaTimelineLayout *self, StriaTrace *trace);
/* Returns: (transfer none) (nullable) */
StriaTrace          *stria_timeline_layout_get_trace (StriaTimelineLayout *self);
/* Grows with every change of what stands where */
guint                stria_timeline_layout_get_serial (StriaTimelineLayout *self);

/* Scrolled items, top to bottom */
const StriaLayoutItem *stria_timeline_layout_items  (StriaTimelineLayout *self, guint *n);
const StriaLayoutItem *stria_timeline_layout_pinned (StriaTimelineLayout *self, guint *n);
double               stria_timeline_layout_height   (StriaTimelineLayout *self);
double               stria_timeline_layout_pinned_height (StriaTimelineLayout *self);
/* The scrolled item at @y, or NULL */
const StriaLayoutItem *stria_timeline_layout_at     (StriaTimelineLayout *self, double y);
/* The pinned item at @y of the pinned area, or NULL */
const StriaLayoutItem *stria_timeline_layout_pinned_at (StriaTimelineLayout *self, double y);
const StriaLayoutItem *stria_timeline_layout_of_lane (StriaTimelineLayout *self, guint32 lane);
const StriaLayoutItem *stria_timeline_layout_of_process (StriaTimelineLayout *self, guint32 process);
/* Lanes of a process in their order here, hidden and pinned ones too.
 * Returns: (transfer none) (array length=n) */
const guint32       *stria_timeline_layout_process_lanes (StriaTimelineLayout *self,
                                                          guint32 process, guint *n);
/* Rows that an item shows: one if it is collapsed */
guint32              stria_timeline_layout_item_rows (StriaTimelineLayout *self,
                                                      const StriaLayoutItem *item);
guint                stria_timeline_layout_n_hidden (StriaTimelineLayout *self);

void     stria_timeline_layout_set_process_collapsed (StriaTimelineLayout *self, guint32 process, gboolean collapsed);
void     stria_timeline_layout_set_lane_collapsed (StriaTimelineLayout *self, guint32 lane, gboolean collapsed);
void     stria_timeline_layout_set_lane_pinned    (StriaTimelineLayout *self, guint32 lane, gboolean pinned);
void     stria_timeline_layout_set_lane_hidden    (StriaTimelineLayout *self, guint32 lane, gboolean hidden);
void     stria_timeline_layout_set_process_hidden (StriaTimelineLayout *self, guint32 process, gboolean hidden);
void     stria_timeline_layout_show_all           (StriaTimelineLayout *self);
/* Moves a lane before another of its process, or a process before another (G_MAXUINT32 = last). */
void     stria_timeline_layout_move_lane    (StriaTimelineLayout *self, guint32 lane, guint32 before);
void     stria_timeline_layout_move_process (StriaTimelineLayout *self, guint32 process, guint32 before);
void     stria_timeline_layout_collapse_all (StriaTimelineLayout *self, gboolean collapsed);

/* Which lanes are shown, beside those that are hidden one by one; nothing of it changes an order. */
void          stria_timeline_layout_set_filter       (StriaTimelineLayout *self, const char *filter);
const char   *stria_timeline_layout_get_filter       (StriaTimelineLayout *self);
void          stria_timeline_layout_set_dma_lanes    (StriaTimelineLayout *self, StriaDmaLanes dma);
StriaDmaLanes stria_timeline_layout_get_dma_lanes    (StriaTimelineLayout *self);
void          stria_timeline_layout_set_class_hidden (StriaTimelineLayout *self, StriaLaneClass class, gboolean hidden);
gboolean      stria_timeline_layout_get_class_hidden (StriaTimelineLayout *self, StriaLaneClass class);
/* Whether any class that the trace has lanes of is hidden */
gboolean      stria_timeline_layout_hides_classes    (StriaTimelineLayout *self);
guint32       stria_timeline_layout_count_class      (StriaTimelineLayout *self, StriaLaneClass class);
void          stria_timeline_layout_collapse_class   (StriaTimelineLayout *self, StriaLaneClass class, gboolean collapsed);
void          stria_timeline_layout_count            (StriaTimelineLayout *self, guint32 *n_lanes, guint32 *n_shown);
/* Counters that are parts of one thing in one lane (the default), or each in its own */
void          stria_timeline_layout_set_stacked      (StriaTimelineLayout *self, gboolean stacked);
gboolean      stria_timeline_layout_get_stacked      (StriaTimelineLayout *self);
gboolean      stria_timeline_layout_has_stacks       (StriaTimelineLayout *self);
/* The stack that a lane is shown in, NULL if it stands alone */
const StriaLaneStack *stria_timeline_layout_stack_of (StriaTimelineLayout *self, guint32 lane);
void          stria_timeline_layout_set_lane_height  (StriaTimelineLayout *self, guint32 lane, double height);
void          stria_timeline_layout_rescale          (StriaTimelineLayout *self);
/* What was chosen, but for the filter, as a text to be kept. Returns: (transfer full) */
char         *stria_timeline_layout_save             (StriaTimelineLayout *self);
void          stria_timeline_layout_load             (StriaTimelineLayout *self, const char *text);

/* How lanes are grouped; STRIA_GROUPING_FILE at first. Kept by stria_timeline_layout_save(). */
void          stria_timeline_layout_set_grouping (StriaTimelineLayout *self, StriaGrouping grouping);
StriaGrouping stria_timeline_layout_get_grouping (StriaTimelineLayout *self);
guint32       stria_timeline_layout_group_of     (StriaTimelineLayout *self, guint32 lane);
/* Returns: (transfer full) */
char         *stria_timeline_layout_group_title  (StriaTimelineLayout *self, guint32 group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTimelineLayout, stria_timeline_layout_unref)

G_END_DECLS
