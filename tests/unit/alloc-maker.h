/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

#define ALLOC_SLOT 4096
#define ALLOC_SLOTS 40
#define ALLOC_CASES 12
#define ALLOC_BASE ((guint64) 1 << 40)

/* An element as it follows from looking at all events. */
typedef struct
{
  StriaElement e;
  gboolean     initial;
} AllocLife;

/**
 * AllocMaker:
 * @events: (element-type StriaAllocEvent): as they were fed; strings and stacks are the capture's
 * @lives: (element-type AllocLife): by another way to find them, in the model's order
 *
 * Random events of an allocator of a few addresses, so that frees without allocations, allocations at
 * live addresses and frees asked for twice all happen, fed through a capture's sink.
 */
typedef struct
{
  StriaCapture      *capture;
  GPtrArray         *snapshots;
  StriaSnapshotData *data;
  StriaAllocator    *allocator;
  GArray            *events;
  GArray            *segments; /* StriaAllocSegment */
  GArray            *blocks;   /* StriaAllocBlock of all segments, in order */
  GArray            *lives;
  guint32            stacks[8];
  guint32            n_events;
} AllocMaker;

/* @wild: how many of a hundred events break the rules. @times: whether events have times */
AllocMaker *alloc_maker_new  (guint n_events, guint wild, gboolean times);
void        alloc_maker_free (AllocMaker *self);
/* Events as they are, with @n_blocks of the snapshot: for what random ones do not reach */
AllocMaker *alloc_maker_feed (const StriaAllocEvent *events, guint n, const StriaAllocBlock *blocks,
                              guint n_blocks, const StriaAllocAnnotation *marks, guint n_marks);

/* One of several sizes and kinds; a test tries the first ALLOC_CASES. */
AllocMaker *alloc_maker_case (guint i);

const AllocLife *alloc_maker_life (const AllocMaker *self, guint32 element);
/* Any step, by chance */
guint32     alloc_maker_step   (const AllocMaker *self);
/* Of all that is live at @step */
guint64     alloc_maker_bytes  (const AllocMaker *self, guint32 step);
gboolean    alloc_life_is_live (const AllocLife *life, guint32 step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AllocMaker, alloc_maker_free)

G_END_DECLS
