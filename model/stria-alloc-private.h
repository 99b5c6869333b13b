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
  GArray *segments; /* StriaFinalSegment, as in the file */
  GArray *blocks;   /* StriaAllocBlock */
  GArray *annotations; /* StriaAllocAnnotation of the device */

  /* What follows from them. */
  gint64 *axis_us; /* times that do not go back; NULL without times */
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
  guint64 capacity;

  /* Pyramid over `allocated`: the step with most and with least bytes of each group of 16. */
  guint n_levels;
  guint32 *most[8];
  guint32 *least[8];
  gsize level_size[8];

  /* Live elements at every so many steps. */
  guint32 interval;
  guint32 n_checkpoints;
  guint64 *check_begin; /* n_checkpoints + 1 */
  guint32 *check_live;
  guint64 *check_pending;
};

typedef struct
{
  guint32 step; /* from this step on */
  guint64 value;
} StriaStepValue;

struct _StriaSnapshotData
{
  gatomicrefcount refs;
  guint32 artifact;
  StriaStrings *strings;
  GArray *frames;       /* StriaAllocFrame */
  GArray *stack_begin;  /* guint64, n_stacks + 1 */
  GArray *stack_frames; /* guint32 */
  guint8 *noise;        /* by frame */
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
void stria_allocator_build_lives (StriaAllocator *self);
void stria_allocator_build_bands (StriaAllocator *self);
void stria_snapshot_data_finish (StriaSnapshotData *self, StriaNotices *notices, const char *file);

/* Ordinal of a value, which is added if it is new. */
guint16 stria_ordinal (GArray *values, guint64 value);

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
/* Step with most (least) bytes in [a, b], inclusive. */
guint32 stria_allocator_extreme (const StriaAllocator *self, guint32 a, guint32 b, gboolean most);
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
