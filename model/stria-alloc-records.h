/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

#include "stria-records.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-alloc-records
 *
 * What a decoder of allocator snapshots says, in plain structs, and the sink it says it to. All
 * texts are string ids of the sink (stria-records.h: StriaSink.intern).
 */

typedef enum
{
  STRIA_ALLOC_ALLOC,
  STRIA_ALLOC_FREE_REQUESTED,
  STRIA_ALLOC_FREE_COMPLETED,
  STRIA_ALLOC_SEGMENT_ALLOC,
  STRIA_ALLOC_SEGMENT_FREE,
  STRIA_ALLOC_SEGMENT_MAP,
  STRIA_ALLOC_SEGMENT_UNMAP,
  STRIA_ALLOC_SNAPSHOT,
  STRIA_ALLOC_OOM,
  STRIA_ALLOC_ANNOTATE,
  STRIA_ALLOC_USER_DEFINED,
  STRIA_ALLOC_OTHER, /* an action that is not known; its name is in @label */
  STRIA_N_ALLOC_ACTIONS,
} StriaAllocAction;

typedef enum
{
  STRIA_BLOCK_ALLOCATED,    /* active_allocated */
  STRIA_BLOCK_PENDING_FREE, /* active_pending_free, active_awaiting_free */
  STRIA_BLOCK_INACTIVE,
  STRIA_BLOCK_OTHER,
} StriaBlockState;

#define STRIA_NO_STACK G_MAXUINT32
#define STRIA_NO_TIME G_MININT64
#define STRIA_NO_POOL G_MAXUINT64
/* A pool id (a, b) as one number; (0, 0) is the default pool. */
#define STRIA_POOL(a, b) ((guint64) (guint32) (a) << 32 | (guint32) (b))
#define STRIA_LINE_UNKNOWN G_MAXUINT64

/* One entry of a device trace. */
typedef struct
{
  guint64 address;   /* 0 where there is none */
  guint64 size;      /* bytes; alloc and free: as requested; oom: as requested */
  guint64 extra;     /* oom: free bytes that the driver reported (device_free); else 0 */
  guint64 stream;    /* raw handle */
  guint64 pool;      /* STRIA_POOL, or STRIA_NO_POOL where the file does not say */
  gint64  time_us;   /* microseconds since the epoch, or STRIA_NO_TIME */
  guint32 stack;     /* what sink->stack() returned, or STRIA_NO_STACK */
  guint32 metadata;  /* string id of user_metadata (a mapping as JSON), 0 = none */
  guint32 context;   /* string id of compile_context, 0 = none ("N/A" is none) */
  guint32 category;  /* string id, 0 = none */
  guint32 forward;   /* string id of forward_frames joined, 0 = none */
  guint32 label;     /* other actions: string id of the action; user_defined: of its label */
  guint8  action;    /* StriaAllocAction */
  guint8  stage;     /* user_defined: 1 START, 2 END; else 0 */
} StriaAllocEvent;

typedef struct
{
  guint32 device;
  guint64 address;
  gboolean has_address;
  guint64 total_size;
  guint64 allocated_size; /* as the file says; for checking */
  guint64 active_size;
  guint64 requested_size;
  guint64 stream;
  guint64 pool;           /* STRIA_NO_POOL where the file does not say */
  guint32 type;           /* string id: "small", "large" */
  guint32 stack;
  gboolean is_expandable;
  gboolean is_host;       /* of host_segments */
} StriaAllocSegment;

typedef struct
{
  guint64 address;        /* recomputed as the running sum where the file has none */
  guint64 size;           /* rounded */
  guint64 requested_size; /* only meaningful for allocated and pending blocks */
  guint32 stack;
  guint8  state;          /* StriaBlockState */
} StriaAllocBlock;

/* One external annotation, as the file has it. */
typedef struct
{
  guint32 device;
  gint64  time_us;
  guint32 name;
  guint8  stage;          /* 1 START, 2 END, 0 neither */
  guint32 metadata;       /* string id: the other keys as JSON, 0 = none */
} StriaAllocAnnotation;

/**
 * StriaAllocSink:
 * @frame: dense id of a frame; the same (name, filename, line, extra) gives the same id. @extra:
 *   string id of fx keys as JSON, 0 = none
 * @stack: dense id of a stack, innermost frame first; the same frames give the same id; an empty
 *   one is STRIA_NO_STACK
 * @segment: a segment with its blocks in address order
 * @events: entries of trace list number @list (0, 1, ... in the order the lists were begun), oldest
 *   first; may be called many times for one list
 * @trace: list number @list is the trace of @device; @is_host: of host_traces
 * @annotation: an external annotation, in file order
 * @setting: allocator_settings as JSON text
 * @other: an unknown top-level key and what it holds as short JSON text (cut at 64 KiB), or a
 *   description of its type
 */
struct _StriaAllocSink
{
  guint32 (*frame)      (StriaAllocSink *sink, guint32 name, guint32 filename, guint64 line, guint32 extra);
  guint32 (*stack)      (StriaAllocSink *sink, const guint32 *frames, gsize n);
  void    (*segment)    (StriaAllocSink *sink, const StriaAllocSegment *segment,
                         const StriaAllocBlock *blocks, gsize n_blocks);
  void    (*events)     (StriaAllocSink *sink, guint list, const StriaAllocEvent *events, gsize n);
  void    (*trace)      (StriaAllocSink *sink, guint list, guint device, gboolean is_host);
  void    (*annotation) (StriaAllocSink *sink, const StriaAllocAnnotation *annotation);
  void    (*settings)   (StriaAllocSink *sink, const char *json, gsize length);
  void    (*other)      (StriaAllocSink *sink, const char *key, const char *text, gsize length);
};

G_END_DECLS
