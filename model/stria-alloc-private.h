/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-allocator.h"
#include "stria-notices.h"
#include "stria-records.h"

G_BEGIN_DECLS

/* A segment at the moment of the snapshot. */
typedef struct
{
  StriaAllocSegment segment;
  guint32 first_block;
  guint32 n_blocks;
} StriaFinalSegment;

/* Where a segment of the snapshot lies, for looking it up by address. */
typedef struct
{
  guint64 address;
  guint64 size;
  guint32 segment; /* index */
  guint16 pool;
} StriaPlace;

/* Finds the ordinal of a value where there are many; cleared to start with. */
typedef struct
{
  GHashTable *of;
  guint64 n_lost; /* values that got no ordinal any more, each time they were asked for */
} StriaOrdinalIndex;

typedef struct
{
  guint32 step; /* from this step on */
  guint64 value;
} StriaStepValue;

/* An element that ends since an event allocates its address again. */
typedef struct
{
  guint32 event;
  guint32 element;
} StriaReplaced;

struct _StriaAllocator
{
  StriaSnapshotData *snapshot; /* not owned */
  guint device;
  gboolean is_host;

  /* Events, in order. Columns that hold nothing are NULL. */
  guint32 n_events;
  guint8 *action;
  guint8 *stage;
  guint64 *address;
  guint64 *size;
  guint64 *extra;
  guint16 *stream;
  guint16 *pool;
  gint64 *time_us;
  guint32 *stack;
  guint32 *metadata;
  guint32 *context;
  guint32 *category;
  guint32 *forward;
  guint32 *label;

  GArray *streams; /* guint64 handles by ordinal; 0 is the default stream */
  GArray *pools;   /* guint64 ids by ordinal; 0 is "not known" */
  StriaOrdinalIndex stream_index;
  StriaOrdinalIndex pool_index;
  GArray *segments; /* StriaFinalSegment, as in the file */
  GArray *blocks;   /* StriaAllocBlock */
  GArray *annotations; /* StriaAllocAnnotation of the device */

  /* What follows from them. */
  GArray *places; /* StriaPlace of all segments, by address */
  gint64 *axis_us; /* times that do not go back; NULL without times; time_us itself where it is so */
  guint32 *event_element;
  guint32 n_elements;
  guint32 n_initial;
  guint32 *birth;
  guint32 *death;
  guint32 *request;
  guint32 *version;
  guint64 *element_size;
  guint64 *rounded;       /* by element; 0 = not known */
  StriaElement *initial;  /* n_initial, whole */
  guint64 *allocated;     /* n_events + 1: requested bytes live at a step */
  GArray *reserved;       /* StepValue: changes, by step */
  GArray *lives;          /* StriaSegmentLife */
  GArray *bands;          /* StriaAllocBand */
  guint32 n_overlaps;     /* allocations at an address that was live */
  guint32 n_too_large;
  guint32 n_times_back;
  guint32 n_unmatched;
  guint32 n_ghosts;
  guint32 n_absent_segments; /* made by an event, not given back, not in the snapshot */
  guint64 absent_bytes;
  GArray *replaced;       /* StriaReplaced by event; NULL without */
  guint64 capacity;       /* the one thing that comes later: read and written atomically */

  /* What blocks take beyond what was asked for: stria-alloc-rounding.c */
  guint64 granule;        /* blocks are multiples of this power of two, as far as the file shows */
  guint64 *rounding_marks; /* at every so many steps */

  /* Private pools: stria-alloc-pools.c. NULL without any. */
  GArray *private_pools;  /* Envelope */
  guint32 *element_pool;  /* by element: index, or G_MAXUINT32 */
  GArray *private_live;   /* StriaStepValue: requested bytes in all of them */
  GArray *private_height; /* StriaStepValue: height of all of them */

  /* Pyramid over `allocated`: the step with most bytes of each group of 16. */
  guint n_levels;
  guint32 *most[8];
  gsize level_size[8];

  /* Live elements at every so many steps. */
  guint32 interval;
  guint32 n_checkpoints;
  guint64 *check_begin; /* n_checkpoints + 1 */
  guint32 *check_live;
  guint64 *check_pending;
};

struct _StriaSnapshotData
{
  gatomicrefcount refs;
  guint32 artifact;
  StriaStrings *strings;
  GArray *frames;       /* StriaAllocFrame */
  GArray *stack_begin;  /* guint64, n_stacks + 1 */
  GArray *stack_frames; /* guint32 */
  guint8 *noise;        /* by frame */
  /* What is found when first asked for; any thread, and all find the same. 0 = not yet */
  guint32 *stack_labels; /* frame + 2 */
  guint32 *frame_argb[2]; /* light, dark */
  GPtrArray *devices;   /* StriaAllocator, longest trace first */
  char *settings;
  GHashTable *other;
};

StriaSnapshotData *stria_snapshot_data_new (guint32 artifact, StriaStrings *strings);
StriaAllocator *stria_allocator_new (StriaSnapshotData *snapshot, guint device, gboolean is_host);
void stria_allocator_free (StriaAllocator *self);
/* Everything that follows from the events and segments; tells @notices (nullable) what does not fit. */
void stria_allocator_finish (StriaAllocator *self, StriaNotices *notices, const char *file);
/* Events, and segments where there are no events. */
guint64 stria_allocator_count_records (const StriaAllocator *self);
void stria_allocator_build_elements (StriaAllocator *self);
/* Places of segments, and the pools of events that do not say theirs. */
void stria_allocator_build_places (StriaAllocator *self);
/* What of streams, pools and segments does not fit. */
void stria_allocator_tell_places (StriaAllocator *self, StriaNotices *notices, const char *file);
void stria_allocator_build_lives (StriaAllocator *self);
void stria_allocator_build_bands (StriaAllocator *self);
void stria_allocator_build_rounding (StriaAllocator *self);
void stria_allocator_build_pools (StriaAllocator *self);
void stria_allocator_free_pools (StriaAllocator *self);
/* Value of a list of changes at a step; 0 before the first. */
guint64 stria_step_value (const GArray *values, guint32 step);
/* The element that @event ends by allocating its address again, or STRIA_NO_ELEMENT */
guint32 stria_allocator_replaced_by (const StriaAllocator *self, guint32 event);
/* Bytes that live elements take beyond those that were asked for */
guint64 stria_allocator_rounding_at (const StriaAllocator *self, guint32 step);
void stria_allocator_set_capacity (StriaAllocator *self, guint64 bytes);
void stria_snapshot_data_finish (StriaSnapshotData *self, StriaNotices *notices, const char *file);

/* Ordinal of a value, which is added if it is new; 0 and counted when there are too many. */
guint16 stria_ordinal (GArray *values, StriaOrdinalIndex *index, guint64 value);
void stria_ordinal_index_clear (StriaOrdinalIndex *index);
/* Index of the first place that ends behind the address; and the place that it is in, or NULL */
guint stria_allocator_place_after (const StriaAllocator *self, guint64 address);
const StriaPlace *stria_allocator_place_of (const StriaAllocator *self, guint64 address);

/* Whether an element lives at a step. */
static inline gboolean
stria_allocator_is_live (const StriaAllocator *self, guint32 element, guint32 step)
{
  /* No birth event counts as born before all. */
  return (self->birth[element] == STRIA_NO_EVENT || self->birth[element] < step)
         && self->death[element] >= step;
}
/* First element that is born at or after a step's last event. */
guint32 stria_allocator_first_element (const StriaAllocator *self, guint32 step);
/* The first step with most bytes in [a, b], inclusive. */
guint32 stria_allocator_most_between (const StriaAllocator *self, guint32 a, guint32 b);
guint64 stria_allocator_reserved_at (const StriaAllocator *self, guint32 step);

/* Builder: an allocator sink that makes a StriaSnapshotData. */
typedef struct _StriaAllocBuilder StriaAllocBuilder;
StriaAllocBuilder *stria_alloc_builder_new (void);
StriaAllocSink *stria_alloc_builder_get_sink (StriaAllocBuilder *self);
/* @string_of: the capture's id of each of the artifact's string ids. Frees the builder. */
StriaSnapshotData *stria_alloc_builder_finish (StriaAllocBuilder *self, guint32 artifact,
                                               StriaStrings *strings, const guint32 *string_of,
                                               StriaNotices *notices, const char *file);
void stria_alloc_builder_free (StriaAllocBuilder *self);

G_END_DECLS
