/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-dependencies
 *
 * What an event waited for, and what waits for it: one step, all the way, and the one chain of
 * which each link ended last. All of it loads lanes where it has to: call it on a worker.
 */

typedef enum
{
  STRIA_DEPENDENCY_FLOW,        /* reads what the other wrote */
  STRIA_DEPENDENCY_ANTI,        /* overwrites what the other read */
  STRIA_DEPENDENCY_OUTPUT,      /* overwrites what the other wrote */
  STRIA_DEPENDENCY_LAUNCH,      /* a host call and what it started on a device ("ac2g") */
  STRIA_DEPENDENCY_BACKWARD,    /* a forward operator and its backward one ("fwdbwd") */
  STRIA_DEPENDENCY_CORRELATION, /* share a correlation id; no arrow says so */
  STRIA_DEPENDENCY_FLOW_ID,     /* share a flow id of a system profile */
  STRIA_DEPENDENCY_PARENT,      /* parent_id of a system profile */
  STRIA_DEPENDENCY_ORDER,       /* stood before it in its lane; stria_dependencies_stall() only */
  STRIA_DEPENDENCY_OTHER,       /* an arrow of another kind */
} StriaDependencyKind;

typedef enum
{
  STRIA_DEPENDENCY_BEFORE, /* predecessors, upstream */
  STRIA_DEPENDENCY_AFTER,  /* successors, downstream */
} StriaDependencySide;

/**
 * StriaDependency:
 * @ref: the other event
 * @via: the event that it was reached from
 * @label: (nullable): what the file calls the arrow; lives as long as the trace
 * @kind: a #StriaDependencyKind
 * @depth: arrows from the event that was asked about, from 1
 * @start_ns: start of @ref
 * @end_ns: its end
 * @gap_ns: start of the successor less the end of the predecessor, of @ref and @via; below 0 when
 *   they overlap
 */
typedef struct
{
  StriaRef            ref;
  StriaRef            via;
  const char         *label;
  StriaDependencyKind kind;
  guint               depth;
  gint64              start_ns;
  gint64              end_ns;
  gint64              gap_ns;
} StriaDependency;

/* Events of a chain in one lane. @busy_ns: their time together, where several ran counted once */
typedef struct
{
  guint32 lane;
  guint32 n;
  gint64  busy_ns;
  gint64  blamed_ns; /* see StriaStall */
} StriaDependencyLane;

/* One link of the chain that ended last. @ran_ns: from its start to its end, or to its successor's
 * start if that is sooner; @waited_ns: from there to that start, when nothing in the chain ran */
typedef struct
{
  StriaRef            ref;
  StriaDependencyKind kind;
  const char         *label; /* nullable */
  gint64              ran_ns;
  gint64              waited_ns;
} StriaStallStep;

/**
 * StriaStall:
 * @steps: (element-type StriaStallStep): backwards from the event, which is not among them
 * @lanes: (element-type StriaDependencyLane): by blamed time, most first
 * @total_ns: start of the event less that of the last step: the sum of all @ran_ns and @waited_ns
 * @waited_ns: of that, when no link of the chain ran
 * @is_cut: the chain goes on behind the last step
 *
 * Why an event did not start earlier: of its predecessors the one that ended last, of that one's
 * the one that ended last, and so on. Each nanosecond of @total_ns is blamed on one lane, that of
 * the link that ran then, or on none (waited).
 */
typedef struct
{
  GArray  *steps;
  GArray  *lanes;
  gint64   total_ns;
  gint64   waited_ns;
  gboolean is_cut;
} StriaStall;

StriaDependencyKind stria_dependency_kind_of (const char *category, const char *name);
/* For people, translated */
const char *stria_dependency_kind_title (StriaDependencyKind kind);
/* One sentence of what it means, translated */
const char *stria_dependency_kind_note  (StriaDependencyKind kind);

/* One step. Predecessors: that which ended last first; successors: by start.
 * Returns: (transfer full) (nullable) (element-type StriaDependency): NULL with @error */
GArray     *stria_dependencies_get   (StriaTrace *trace, StriaRef ref, StriaDependencySide side,
                                      GCancellable *cancellable, GError **error);
/* All the way, nearest first, each event once; at most @limit of them.
 * @is_cut: (out): there are more */
GArray     *stria_dependencies_chain (StriaTrace *trace, StriaRef ref, StriaDependencySide side,
                                      guint limit, gboolean *is_cut, GCancellable *cancellable,
                                      GError **error);
/* Of a chain. Returns: (transfer full) (element-type StriaDependencyLane): most busy first */
GArray     *stria_dependencies_lanes (const GArray *chain);
/* @in_lane: an event also waits for the one before it in its lane */
StriaStall *stria_dependencies_stall (StriaTrace *trace, StriaRef ref, gboolean in_lane,
                                      guint limit, GCancellable *cancellable, GError **error);
void        stria_stall_free         (StriaStall *self);
/* Returns: (transfer full): an object on one line */
char       *stria_dependency_to_json (StriaTrace *trace, const StriaDependency *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaStall, stria_stall_free)

G_END_DECLS
