/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-allocator.h"
#include "stria-args.h"
#include "stria-capture-tree.h"
#include "stria-lane.h"
#include "stria-strings.h"

G_BEGIN_DECLS

/**
 * StriaProcess:
 * @key: the process id as the file writes it
 * @name: name, or NULL
 * @labels: labels ("CPU", "GPU 0"), or NULL
 * @sort_index: ascending
 * @artifact: number of its artifact
 */
typedef struct
{
  char   *key;
  char   *name;
  char   *labels;
  gint64  sort_index;
  guint32 artifact;
} StriaProcess;

/* One arrow: both ends are bound. @backwards: the end lies before the start (clock skew). */
typedef struct
{
  StriaRef from;
  StriaRef to;
  guint32  name;     /* string id */
  guint16  category; /* category index */
  guint16  backwards;
} StriaFlow;

/**
 * StriaTrace:
 *
 * Everything the timeline of a capture draws, at one moment of its import: processes, lanes, flows,
 * strings. Immutable; a capture replaces it when more has been read. Free to use from any thread.
 *
 * Lanes are in drawing order: by process (sort index, then first seen), within it by thread sort
 * index.
 */
typedef struct _StriaTrace StriaTrace;

StriaTrace         *stria_trace_ref           (StriaTrace *self);
void                stria_trace_unref         (StriaTrace *self);
guint32             stria_trace_get_n_lanes   (StriaTrace *self);
StriaLane          *stria_trace_get_lane      (StriaTrace *self, guint32 lane);
guint32             stria_trace_get_n_processes (StriaTrace *self);
const StriaProcess *stria_trace_get_process   (StriaTrace *self, guint32 process);
/* A label for a process header: name, labels and key put together. Returns: (transfer full) */
char               *stria_trace_process_title (StriaTrace *self, guint32 process);
StriaStrings       *stria_trace_get_strings   (StriaTrace *self);
const char         *stria_trace_get_string    (StriaTrace *self, guint32 id);
guint32             stria_trace_get_n_categories (StriaTrace *self);
const char         *stria_trace_get_category  (StriaTrace *self, guint32 category);
guint64             stria_trace_get_n_events  (StriaTrace *self);
/* Number of events (slices and instants) with this name */
guint64             stria_trace_get_name_count (StriaTrace *self, guint32 name);

/* How the files that its artifacts are belong together. Returns: (transfer none) (nullable) */
StriaCaptureTree   *stria_trace_get_tree      (StriaTrace *self);

/* Whole range; and the range to show first (formats: B1.4), equal to the whole one unless a few
 * strays lie far away. FALSE if there are no events. */
gboolean            stria_trace_get_range     (StriaTrace *self, gint64 *start_ns, gint64 *end_ns);
gboolean            stria_trace_get_view_range (StriaTrace *self, gint64 *start_ns, gint64 *end_ns);
/* Nanoseconds since the epoch to add to a time for wall time; FALSE if the artifact states none
 * and its times are not absolute */
gboolean            stria_trace_get_wall_base (StriaTrace *self, gint64 *base_ns);

const StriaFlow    *stria_trace_get_flows     (StriaTrace *self, gsize *n);
/* Those are sorted by where they leave; this is their numbers sorted by where they go.
 * Returns: (transfer none): as many as there are flows */
const guint32      *stria_trace_get_flows_by_to (StriaTrace *self);
/* Flows that leave or reach an event, in no order. Returns: (transfer full) (element-type StriaFlow) */
GArray             *stria_trace_flows_of      (StriaTrace *self, StriaRef ref);
guint64             stria_trace_get_unbound_flows (StriaTrace *self);

/* Args text of an event; of one that stands for a row of a table, that row as JSON. Returns: (transfer full) (nullable): NULL with no error if it has none */
GBytes             *stria_trace_get_args      (StriaTrace *self, StriaRef ref, GError **error);
StriaArgs          *stria_trace_get_artifact_args (StriaTrace *self, guint32 artifact);

typedef enum
{
  STRIA_LINK_CORRELATION,
  STRIA_LINK_EXTERNAL,
  STRIA_LINK_PYTHON,
} StriaLinkKind;
/* Events of the artifact with this key (loads what it needs: call on a worker for big traces).
 * Returns: (transfer full) (element-type StriaRef) */
GArray             *stria_trace_find_linked   (StriaTrace *self, guint32 artifact, StriaLinkKind kind,
                                               guint64 key);
/* Python call stack of a slice, innermost first, by Python id / Python parent id; falls back to
 * the enclosing slices. Returns: (transfer full) (element-type StriaRef) */
GArray             *stria_trace_python_stack  (StriaTrace *self, StriaRef ref);

/* What the allocators of the capture gave out while a slice ran, and what of it was alive at its end.
 * FALSE if there is no snapshot on the slice's clock. */
gboolean            stria_trace_allocations   (StriaTrace *self, StriaRef ref, StriaAllocWindow *window);

gboolean            stria_trace_load_all      (StriaTrace *self, GCancellable *cancellable, GError **error);

/* Total busy share (0..1) of the capture in @n equal bins of [t0, t1): how many lanes' outermost
 * rows are busy, as a fraction of the busiest bin. Cached for the whole range. */
void                stria_trace_overview      (StriaTrace *self, gint64 t0, gint64 t1, float *bins, gsize n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTrace, stria_trace_unref)

G_END_DECLS
