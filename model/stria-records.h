/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * SECTION:stria-records
 *
 * What a decoder says, in plain structs, and the sink it says it to. A decoder knows a format and
 * nothing of lanes, nesting, SQL or widgets; the sink's owner (model/stria-builder.h) knows those
 * and no format.
 */

#define STRIA_NO_THREAD G_MAXUINT32
#define STRIA_NO_ARGS   G_MAXUINT64

typedef enum
{
  STRIA_EVENT_SLICE,       /* ts, dur */
  STRIA_EVENT_BEGIN,       /* ts; ends by the matching END of its thread */
  STRIA_EVENT_END,         /* ts; name 0 matches any */
  STRIA_EVENT_INSTANT,     /* ts; scope in flags */
  STRIA_EVENT_COUNTER,     /* ts, value; name = counter, extra = series name */
  STRIA_EVENT_ASYNC_BEGIN, /* ts, id, category */
  STRIA_EVENT_ASYNC_END,
  STRIA_EVENT_ASYNC_INSTANT,
  STRIA_EVENT_FLOW_START,  /* ts, id, category, name */
  STRIA_EVENT_FLOW_STEP,
  STRIA_EVENT_FLOW_END,
} StriaEventKind;

typedef enum
{
  STRIA_EVENT_SCOPE_THREAD  = 0,
  STRIA_EVENT_SCOPE_PROCESS = 1 << 0,
  STRIA_EVENT_SCOPE_GLOBAL  = 1 << 1,
  STRIA_EVENT_BIND_ENCLOSING = 1 << 2, /* flow: binds to the slice around ts, not to the next */
  STRIA_EVENT_NEGATIVE_DUR  = 1 << 3,  /* the file's duration was below 0; dur_ns is 0 */
  STRIA_EVENT_UNFINISHED    = 1 << 4,  /* a begin without an end; drawn to the trace's end */
  STRIA_EVENT_CLAMPED       = 1 << 5,  /* time or duration outside int64 nanoseconds, clamped */
  STRIA_EVENT_ANNOTATION    = 1 << 6,  /* a user annotation: gets a lane of its own if it can't nest */
  STRIA_EVENT_EXACT         = 1 << 7,  /* its clock doesn't round: the least overlap is one */
} StriaEventFlags;

/**
 * StriaEvent:
 * @ts_ns: time in nanoseconds, as the file counts (add the artifact's base for wall time)
 * @dur_ns: duration in nanoseconds; slices only
 * @value: counters only
 * @id: flow and async identity; for slices the Python call id, or 0
 * @correlation: links a launch to what it launched, or 0
 * @external: links an operator to its launches, or 0
 * @args: what sink->args() returned, or %STRIA_NO_ARGS
 * @thread: what sink->thread() returned
 * @name: string id of the sink
 * @category: string id of the sink, 0 for none
 * @extra: counters: string id of the series
 * @seq: number of the event in the file, from 0, counting every event
 * @kind: a #StriaEventKind
 * @flags: #StriaEventFlags
 */
typedef struct
{
  gint64 ts_ns;
  union
  {
    gint64 dur_ns;
    double value;
  };
  guint64 id;
  guint64 correlation;
  guint64 external;
  guint64 args;
  guint32 thread;
  guint32 name;
  guint32 category;
  guint32 extra;
  guint32 seq;
  guint8  kind;
  guint8  flags;
} StriaEvent;

typedef enum
{
  STRIA_FIELD_PROCESS_NAME,
  STRIA_FIELD_PROCESS_LABELS,
  STRIA_FIELD_PROCESS_SORT,
  STRIA_FIELD_THREAD_NAME,
  STRIA_FIELD_THREAD_SORT,
} StriaThreadField;

typedef struct _StriaSink StriaSink;
typedef struct _StriaAllocSink StriaAllocSink; /* stria-alloc-records.h */
typedef struct _StriaFacts StriaFacts;         /* stria-facts.h */
typedef struct _StriaTableBuilder StriaTableBuilder; /* stria-table.h */

/**
 * StriaSink:
 * @intern: dense id of a text (bytes need not be UTF-8; the sink repairs them)
 * @text: the text of an id that @intern gave
 * @process: dense id of a process; @key is its id as the file writes it ("123", "\"Spans\"")
 * @thread: dense id of a thread of @process
 * @set_name: name or labels of a process (@thread ignored) or thread; the last one wins
 * @set_sort: sort index of a process or thread; the last one wins
 * @args: keeps the raw text of an event's arguments; returns a reference
 * @events: takes @n events; the array stays the caller's
 * @meta: a fact about the whole artifact, value as JSON text; the last one wins. Keys that begin with
 *   "@" are what the decoder counted: "@phases" and "@categories" map a text to a number of events
 * @allocator: the sink for what an allocator's snapshot holds; it lives as long as this one
 * @facts: the tables for what is neither an event nor an allocation; they are the sink's
 * @table: a table of rows that are kept as they are, under the name and with the columns (an array
 *   of #StriaColumnInfo) that the file's schema gives it; stria_table_builder_add() takes the rows. The
 *   builder is the sink's
 * @base_time: nanoseconds since the epoch to add to each time for wall time
 * @set_unit: (nullable): unit of the counters of that name, whichever process they are in
 *
 * One sink belongs to one decoder thread. None of the calls fail; trouble goes to the notices.
 */
struct _StriaSink
{
  guint32 (*intern)    (StriaSink *sink, const char *text, gsize length);
  const char *(*text)  (StriaSink *sink, guint32 string);
  guint32 (*process)   (StriaSink *sink, const char *key, gsize length);
  guint32 (*thread)    (StriaSink *sink, guint32 process, const char *key, gsize length);
  void    (*set_name)  (StriaSink *sink, StriaThreadField field, guint32 process, guint32 thread,
                        guint32 string);
  void    (*set_sort)  (StriaSink *sink, StriaThreadField field, guint32 process, guint32 thread,
                        gint64 index);
  guint64 (*args)      (StriaSink *sink, guint32 seq, const char *text, gsize length);
  void    (*events)    (StriaSink *sink, const StriaEvent *events, gsize n);
  void    (*meta)      (StriaSink *sink, const char *key, const char *json, gsize length);
  void    (*base_time) (StriaSink *sink, gint64 base_ns);
  StriaAllocSink *(*allocator) (StriaSink *sink);
  StriaFacts *(*facts) (StriaSink *sink);
  StriaTableBuilder *(*table) (StriaSink *sink, const char *name, gconstpointer columns,
                               guint n_columns);
  void    (*set_unit)  (StriaSink *sink, guint32 counter, guint32 unit);
};

G_END_DECLS
