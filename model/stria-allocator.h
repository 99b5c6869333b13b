/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-alloc-records.h"
#include "stria-strings.h"

G_BEGIN_DECLS

/**
 * StriaAllocator:
 *
 * The allocator of one device of one snapshot: its events, the blocks' lives that follow from them,
 * and the segments at the end. Immutable; any thread may ask.
 *
 * *Steps*. Step k is the state after the first k events; 0 is the state before all of them, n_events
 * that of the snapshot. *Bytes* are as requested unless a name says otherwise.
 *
 * *Elements* are lives of blocks (formats: pytorch-formats A3.2): from an alloc event, or from
 * before the first event (a block that the snapshot holds and no event allocated: a ghost; or one
 * that an event frees and none allocated: an unmatched free), to a free_completed event or the end.
 * Element numbers are the stacking order of the plot: what was there before first (ghosts, then
 * unmatched frees, the last freed lowest), then allocations in their order.
 */
typedef struct _StriaAllocator StriaAllocator;

#define STRIA_NO_EVENT G_MAXUINT32
#define STRIA_NO_ELEMENT G_MAXUINT32

typedef enum
{
  STRIA_ELEMENT_GHOST = 1 << 0,     /* in the snapshot, allocated by no event */
  STRIA_ELEMENT_UNMATCHED = 1 << 1, /* freed by an event, allocated by none; its stack is the free's */
  STRIA_ELEMENT_LIVE = 1 << 2,      /* alive at the end */
} StriaElementFlags;

typedef struct
{
  guint64 address;
  guint64 size;         /* as requested */
  guint64 rounded;      /* bytes it takes in its segment; 0: not known (only blocks that the snapshot holds are) */
  guint32 birth;        /* event that allocated it, or STRIA_NO_EVENT */
  guint32 request;      /* event that requested its free, or STRIA_NO_EVENT */
  guint32 death;        /* event that freed it, or STRIA_NO_EVENT */
  guint32 stack;        /* STRIA_NO_STACK if none was recorded */
  guint32 version;      /* how often its address was freed before */
  guint32 category;     /* string id, 0 = none */
  guint16 stream;       /* ordinal */
  guint16 pool;         /* ordinal; stria_allocator_get_pool() */
  guint32 flags;
} StriaElement;

/* A life of a segment: as above, with segment_alloc / segment_free. Expandable ones are made of
 * their mapped ranges. */
typedef struct
{
  guint64 address;
  guint64 size;
  guint32 birth;
  guint32 death;
  guint32 stack;
  guint16 stream;
  guint16 pool;
  guint32 flags;
} StriaSegmentLife;

/* -- a snapshot's devices ------------------------------------------------------------------- */

/**
 * StriaSnapshotData:
 *
 * What one snapshot file gave: its devices, frames and stacks, settings. Refcounted, immutable.
 */
typedef struct _StriaSnapshotData StriaSnapshotData;

StriaSnapshotData *stria_snapshot_data_ref    (StriaSnapshotData *self);
void               stria_snapshot_data_unref  (StriaSnapshotData *self);
guint              stria_snapshot_get_n_devices (StriaSnapshotData *self);
/* Devices that have events or segments, longest trace first. Returns: (transfer none) */
StriaAllocator    *stria_snapshot_get_device  (StriaSnapshotData *self, guint i);
/* JSON text, or NULL when the file has none */
const char        *stria_snapshot_get_settings (StriaSnapshotData *self);
/* Unknown keys of the file with short JSON text. Returns: (transfer none) (element-type utf8 utf8) */
GHashTable        *stria_snapshot_get_other   (StriaSnapshotData *self);
StriaStrings      *stria_snapshot_get_strings (StriaSnapshotData *self);
const char        *stria_snapshot_get_string  (StriaSnapshotData *self, guint32 id);
guint32            stria_snapshot_get_artifact (StriaSnapshotData *self);

typedef struct
{
  guint32 name;     /* string ids */
  guint32 filename;
  guint64 line;     /* STRIA_LINE_UNKNOWN */
  guint32 extra;    /* fx keys as JSON, 0 = none */
} StriaAllocFrame;
guint32                stria_snapshot_get_n_frames (StriaSnapshotData *self);
const StriaAllocFrame *stria_snapshot_get_frame    (StriaSnapshotData *self, guint32 frame);
guint32                stria_snapshot_get_n_stacks (StriaSnapshotData *self);
/* Frames of a stack, innermost first; none for STRIA_NO_STACK. Returns: (transfer none) */
const guint32         *stria_snapshot_get_stack    (StriaSnapshotData *self, guint32 stack, guint32 *n);
/* "file.py:12:function" as text. Returns: (transfer full) */
char                  *stria_snapshot_frame_text   (StriaSnapshotData *self, guint32 frame);
/* Whether a frame is machinery that people hide (formats: A3.3, with "_start" matched whole):
 * unwinder, dispatcher, interpreter. */
gboolean               stria_snapshot_frame_is_noise (StriaSnapshotData *self, guint32 frame);
/* The frame that a stack is known by: its innermost line of Python, else the innermost node of the
 * autograd graph, else the innermost operator, else the innermost that is no noise; 0xffffffff without frames */
guint32                stria_snapshot_stack_label  (StriaSnapshotData *self, guint32 stack);
/* Opaque colour of a frame, by its text */
guint32                stria_snapshot_frame_argb   (StriaSnapshotData *self, guint32 frame, gboolean dark);

typedef struct
{
  guint32 name;     /* string id */
  gint64  start_us; /* epoch */
  gint64  end_us;   /* STRIA_NO_TIME: not closed */
  guint32 start_step;
  guint32 end_step; /* n_events when not closed */
} StriaAllocBand;

/* -- one device ----------------------------------------------------------------------------- */

guint              stria_allocator_get_device     (StriaAllocator *self);
gboolean           stria_allocator_is_host        (StriaAllocator *self);
StriaSnapshotData *stria_allocator_get_snapshot   (StriaAllocator *self);
/* Memory of the device in bytes where a trace of the capture says it (deviceProperties), else 0.
 * Nothing in a snapshot does: free bytes at an OOM leave out what other processes hold. */
guint64            stria_allocator_get_capacity   (StriaAllocator *self);
guint32            stria_allocator_get_n_events   (StriaAllocator *self);
void               stria_allocator_get_event      (StriaAllocator *self, guint32 event, StriaAllocEvent *out);
/* The element (or STRIA_NO_ELEMENT) that an event is about */
guint32            stria_allocator_event_element  (StriaAllocator *self, guint32 event);
guint32            stria_allocator_get_n_elements (StriaAllocator *self);
void               stria_allocator_get_element    (StriaAllocator *self, guint32 element, StriaElement *out);
/* Its stack and size alone, for those who ask of very many */
guint32            stria_allocator_element_stack  (StriaAllocator *self, guint32 element);
/* @elements that all exist; @stacks: (out caller-allocates): @n of them */
void               stria_allocator_element_stacks (StriaAllocator *self, const guint32 *elements,
                                                   gsize n, guint32 *stacks);
guint64            stria_allocator_element_size   (StriaAllocator *self, guint32 element);
guint32            stria_allocator_get_n_initial  (StriaAllocator *self); /* elements that were there before */
guint32            stria_allocator_get_n_segment_lives (StriaAllocator *self);
void               stria_allocator_get_segment_life (StriaAllocator *self, guint32 i, StriaSegmentLife *out);
/* Raw handle of a stream ordinal; id of a pool ordinal (STRIA_POOL, STRIA_NO_POOL = not known) */
guint64            stria_allocator_get_stream     (StriaAllocator *self, guint16 ordinal);
guint16            stria_allocator_get_n_streams  (StriaAllocator *self);
guint64            stria_allocator_get_pool       (StriaAllocator *self, guint16 ordinal);
guint16            stria_allocator_get_n_pools    (StriaAllocator *self);
/* External annotations of the device, nested by start. Returns: (transfer none) */
const StriaAllocBand *stria_allocator_get_bands   (StriaAllocator *self, guint32 *n);

/* TRUE if events have times. Times are made not to go back (a notice counts those that did). */
gboolean           stria_allocator_has_times      (StriaAllocator *self);
gint64             stria_allocator_event_time_us  (StriaAllocator *self, guint32 event);
/* First step at or after the time; and the time of a step (its last event's; step 0: the first's) */
guint32            stria_allocator_step_at_time   (StriaAllocator *self, gint64 time_us);
gint64             stria_allocator_step_time_us   (StriaAllocator *self, guint32 step);

/* Why the picture may lack something: whether the ring dropped old events. */
typedef enum
{
  STRIA_RING_COMPLETE,
  STRIA_RING_OVERFLOWED, /* the file says so */
  STRIA_RING_INFERRED,   /* blocks or frees without their alloc event */
} StriaRingState;
StriaRingState     stria_allocator_get_ring       (StriaAllocator *self);

/* -- state at a step ------------------------------------------------------------------------- */

typedef struct
{
  guint64 allocated; /* requested bytes of live elements */
  guint64 occupied;  /* bytes that they take in segments: stria_allocator_occupied() */
  guint64 pending;   /* of these, bytes whose free was requested and not completed */
  guint64 reserved;  /* bytes of segments */
  guint64 n_live;    /* elements */
} StriaAllocTotals;
void     stria_allocator_totals  (StriaAllocator *self, guint32 step, StriaAllocTotals *totals);
/**
 * stria_allocator_occupied:
 *
 * Bytes that live elements take in segments, with what rounding up adds. The snapshot says it of the
 * blocks that it holds, so it is exact at the last step. Events only say what was requested: of a
 * block that was freed before the end this counts the next multiple of the size that all blocks of
 * the file are multiples of, which is the least that it took.
 */
guint64  stria_allocator_occupied (StriaAllocator *self, guint32 step);
/* The same at many steps, which is faster than one by one */
void     stria_allocator_occupied_at (StriaAllocator *self, const guint32 *steps, guint n,
                                      guint64 *occupied);
/* Most bytes of segments at any step in [step0, step1] */
guint64  stria_allocator_most_reserved (StriaAllocator *self, guint32 step0, guint32 step1);
/* Step with the most allocated bytes (the first of equals) in [step0, step1] */
guint32  stria_allocator_peak    (StriaAllocator *self, guint32 step0, guint32 step1);
/* Live elements at a step in stacking order. Returns: (transfer full) (element-type guint32) */
GArray  *stria_allocator_live    (StriaAllocator *self, guint32 step);
/* Bytes of live elements below @element at a step */
guint64  stria_allocator_offset  (StriaAllocator *self, guint32 element, guint32 step);
/* The same at each of @n ascending steps, at all of which @element is live */
void     stria_allocator_offsets (StriaAllocator *self, guint32 element, const guint32 *steps,
                                  guint n, guint64 *offsets);
/* The element at a height, or STRIA_NO_ELEMENT */
guint32  stria_allocator_element_at (StriaAllocator *self, guint32 step, guint64 bytes);

/* Segments and what is in them at a step. */
typedef enum
{
  STRIA_RANGE_ALLOCATED,
  STRIA_RANGE_PENDING,
  STRIA_RANGE_ROUNDING, /* behind a block, lost to rounding; only at the last step */
  STRIA_RANGE_FREE,
} StriaRangeState;
typedef struct
{
  guint64 address;
  guint64 size;
  guint32 element; /* STRIA_NO_ELEMENT for free ranges, and for pending ones whose allocation was not recorded */
  guint8  state;   /* StriaRangeState */
} StriaMapRange;
typedef struct
{
  guint64 address;
  guint64 size;
  guint16 stream;
  guint16 pool;
  guint32 stack;
  guint32 first; /* index of its first range */
  guint32 n;
  gboolean is_expandable;
  guint32 type;  /* string id, 0 = not known at this step */
} StriaMapSegment;
typedef struct
{
  guint32 step;
  GArray *segments; /* StriaMapSegment, by address */
  GArray *ranges;   /* StriaMapRange, by address within a segment */
  guint64 reserved;
  guint64 allocated;    /* requested bytes inside segments */
  guint64 rounding;     /* bytes lost to rounding: only known at the last step */
  gboolean has_rounding;
  guint64 free_bytes;   /* in segments and in no block */
  guint64 largest_free; /* largest free range of one segment */
  double  external;     /* sum of squared free ranges over squared reserved bytes, the reference viewer's number; 0..1 */
  double  scattered;    /* 1 - largest_free / free_bytes; 0 when nothing is free */
  guint32 n_outside;    /* live elements that lie in no segment */
} StriaMap;
StriaMap *stria_allocator_map (StriaAllocator *self, guint32 step, GCancellable *cancellable, GError **error);
void      stria_map_free      (StriaMap *map);

/* What was allocated between two times, and what of it was still alive at the later one. */
typedef struct
{
  guint64 allocated_bytes; /* as requested */
  guint64 n_allocated;
  guint64 alive_bytes;
  guint64 n_alive;
} StriaAllocWindow;
/* Adds to @window. Times in microseconds since the epoch, both inclusive: the clock of the events. */
void      stria_allocator_window (StriaAllocator *self, gint64 start_us, gint64 end_us,
                                  StriaAllocWindow *window);

/* -- the plot -------------------------------------------------------------------------------- */

typedef enum
{
  STRIA_PLOT_BLOCKS,
  STRIA_PLOT_SEGMENTS,
} StriaPlotKind;

/* One run of a pixel column, from the bottom up. Elements (or segment lives) thinner than a pixel
 * are merged with their neighbours: @element is the one with most bytes in it. */
typedef struct
{
  float   y0;      /* pixels from the bottom of the plot */
  float   y1;
  guint32 element;
  guint32 count;
} StriaPlotRun;

typedef struct
{
  guint32 step;        /* the step that the column shows: the one with most bytes in it */
  guint32 n;           /* its runs, from the bottom up */
  guint32 same;        /* so many of the first are those of the column before: most changes are at
                        * the top of the stack */
  guint32 first;       /* index of run number @same; the others up to @n follow it */
  guint64 allocated;   /* at that step: the most in the column */
  guint64 reserved;
} StriaPlotColumn;

typedef struct
{
  guint n_columns;
  StriaPlotColumn *columns;
  GArray *runs; /* StriaPlotRun */
} StriaPlot;

/**
 * stria_allocator_plot:
 * @x0: left edge: a step, or microseconds since the epoch when @by_time
 * @x1: right edge; > @x0
 * @width: pixel columns
 * @bytes0: bytes at the bottom
 * @bytes1: bytes at the top; > @bytes0
 * @height: pixels
 */
StriaPlot *stria_allocator_plot (StriaAllocator *self, StriaPlotKind kind, gboolean by_time,
                                 gint64 x0, gint64 x1, guint width, guint64 bytes0, guint64 bytes1,
                                 guint height, GCancellable *cancellable, GError **error);
void       stria_plot_free      (StriaPlot *plot);

/* A plot column by column, from the left. */
typedef struct
{
  const StriaPlot *plot;
  guint            next; /* column */
  StriaPlotRun    *runs;
  guint            n;
  guint            same;
  guint            size;
} StriaPlotWalk;
#define STRIA_PLOT_WALK_INIT(plot_) { .plot = (plot_) }
gboolean   stria_plot_walk_next  (StriaPlotWalk *walk);
void       stria_plot_walk_clear (StriaPlotWalk *walk);

/* The step under pixel column @x of a plot of that range */
guint32    stria_plot_step_at   (StriaAllocator *self, gboolean by_time, gint64 x0, gint64 x1,
                                 guint width, double x);

/* -- private pools --------------------------------------------------------------------------- */

/**
 * StriaPrivatePool:
 *
 * What is of one stream and of one pool that is not the default one (formats: A3.4): segments that
 * only its allocations may use, as those of a captured graph. Numbered in the order of appearance.
 */
typedef struct
{
  guint16 pool;      /* ordinals */
  guint16 stream;
  guint64 allocated; /* requested bytes of live elements in it at the step */
  guint64 reserved;  /* bytes of its segments at the step */
  guint64 height;    /* the most of both at any step so far: the height of its band */
} StriaPrivatePool;

guint    stria_allocator_get_n_private_pools (StriaAllocator *self);
void     stria_allocator_get_private_pool (StriaAllocator *self, guint i, guint32 step,
                                           StriaPrivatePool *out);
/* The private pool that an element is in, or G_MAXUINT */
guint    stria_allocator_element_private_pool (StriaAllocator *self, guint32 element);

/* Part of a column of a plot with private pools. Bands under a pixel are merged, as blocks are:
 * @pool is the one with most bytes. */
typedef struct
{
  float   y0;    /* pixels from the bottom of the plot */
  float   y1;
  float   used;  /* top of the blocks in it */
  guint32 pool;
  guint32 count;
} StriaPoolSpan;

/* Bands of private pools stand below everything else, where what is under them never moves; other
 * blocks on top of them. */
typedef struct
{
  StriaPlot *plot;
  guint32   *first; /* n_columns + 1: index of a column's first span */
  GArray    *spans; /* StriaPoolSpan */
} StriaPoolPlot;

/* As stria_allocator_plot() */
StriaPoolPlot *stria_allocator_pool_plot (StriaAllocator *self, gboolean by_time, gint64 x0,
                                          gint64 x1, guint width, guint64 bytes0, guint64 bytes1,
                                          guint height, GCancellable *cancellable, GError **error);
void           stria_pool_plot_free      (StriaPoolPlot *plot);
/* Height of everything at a step */
guint64  stria_allocator_pool_plot_height (StriaAllocator *self, guint32 step);
/* Height of the bottom of an element that is live at @step */
guint64  stria_allocator_pool_plot_offset (StriaAllocator *self, guint32 element, guint32 step);
/* The element at a height, or STRIA_NO_ELEMENT; @pool gets the private pool there, or G_MAXUINT */
guint32  stria_allocator_pool_plot_at (StriaAllocator *self, guint32 step, guint64 bytes,
                                       guint *pool);

/* What one pool holds, private or not, of all streams. */
typedef struct
{
  guint64 allocated;     /* requested bytes at the step */
  guint64 reserved;      /* bytes of its segments at the step */
  guint64 peak;          /* the most that was allocated in it */
  guint32 peak_step;     /* the first step of that */
  guint64 peak_reserved; /* the most that was reserved in it */
} StriaPoolUse;
/* By ordinal of the pool. Goes through all events.
 * Returns: (transfer full) (element-type StriaPoolUse) */
GArray  *stria_allocator_pool_use (StriaAllocator *self, guint32 step);

/* -- who holds the memory -------------------------------------------------------------------- */

typedef enum
{
  STRIA_GROUP_STACK,
  STRIA_GROUP_FRAME,     /* by the label frame of the stack */
  STRIA_GROUP_CATEGORY,
  STRIA_GROUP_SIZE,      /* by size class: key = upper bound, a power of two */
  STRIA_GROUP_POOL,
  STRIA_GROUP_STREAM,
  STRIA_GROUP_LIFETIME,  /* by decade of steps lived: key = upper bound, a power of ten; 0 = to the end */
} StriaAllocGroup;

typedef struct
{
  guint64 key;            /* stack, frame, string id, bytes, ordinal, steps: by group */
  guint64 live_bytes;     /* at the step asked for */
  guint64 live_count;
  guint64 total_bytes;    /* allocated over the whole trace, elements that were there before not counted */
  guint64 total_count;
  double  mean_life;      /* steps, of elements that were born and freed in the trace; -1 if none */
  gint64  growth_bytes;   /* live bytes at @step less those at @base_step */
} StriaAllocGroupRow;

/* Rows in order of live bytes, most first. @base_step: to compare with, or @step for none.
 * Returns: (transfer full) (element-type StriaAllocGroupRow) */
GArray *stria_allocator_group (StriaAllocator *self, StriaAllocGroup by, guint32 step,
                               guint32 base_step, GCancellable *cancellable, GError **error);

/* A tree of frames, outermost first, with the live bytes at @step of the stacks that pass through. */
typedef struct
{
  guint32 frame;       /* 0xffffffff: the root, or "no stack" */
  guint32 parent;      /* index, 0xffffffff at the root */
  guint32 first_child; /* children stand together, most bytes first */
  guint32 n_children;
  guint32 depth;
  guint64 bytes;       /* live at @step */
  guint64 count;
  gint64  growth;      /* against @base_step */
  guint64 self_bytes;  /* of stacks that end here */
} StriaFlameNode;
/* Returns: (transfer full) (element-type StriaFlameNode): node 0 is the root */
GArray *stria_allocator_flame (StriaAllocator *self, guint32 step, guint32 base_step,
                               gboolean hide_noise, GCancellable *cancellable, GError **error);

/* A stack whose live bytes at the ends of repeated bands (ProfilerStep#n) only grow. */
typedef struct
{
  guint32 stack;
  guint32 n_points;     /* band ends that were looked at */
  guint64 first_bytes;  /* at the first of them */
  guint64 last_bytes;
  guint64 last_count;
} StriaLeakSuspect;
/* @prefix: bands whose name begins so and goes on with a number ("ProfilerStep#"); NULL: the most
 * frequent of that form, and where there is none, ten equal parts of the trace.
 * Returns: (transfer full) (element-type StriaLeakSuspect): most growth first */
GArray *stria_allocator_leaks (StriaAllocator *self, const char *prefix, guint min_points,
                               GCancellable *cancellable, GError **error);

/* -- events ---------------------------------------------------------------------------------- */

typedef struct
{
  guint32 actions;     /* bit by StriaAllocAction; 0 = all */
  gboolean has_stream;
  guint16 stream;
  gboolean has_pool;
  guint16 pool;
  guint64 min_size;
  guint64 max_size;    /* G_MAXUINT64 = no limit */
  guint64 address;     /* 0 = any; else events of blocks that contain it */
  const char *text;    /* in the stack's frames, metadata or category; NULL = any; letters without regard to case */
} StriaAllocFilter;
/* Numbers of matching events, ascending. Returns: (transfer full) (element-type guint32) */
GArray *stria_allocator_filter (StriaAllocator *self, const StriaAllocFilter *filter,
                                GCancellable *cancellable, GError **error);
const char *stria_alloc_action_name (StriaAllocAction action);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaMap, stria_map_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPlot, stria_plot_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPoolPlot, stria_pool_plot_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSnapshotData, stria_snapshot_data_unref)

G_END_DECLS
