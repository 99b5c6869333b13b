/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-fields.h"
#include "stria-row.h"
#include "stria-trace.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_EVENT_LINK_FLOW_IN,
  STRIA_EVENT_LINK_FLOW_OUT,
  STRIA_EVENT_LINK_CORRELATION,
  STRIA_EVENT_LINK_EXTERNAL,
  STRIA_EVENT_LINK_STACK,
} StriaEventLinkKind;

/**
 * StriaEventLink:
 * @ref: the other event
 * @name: its name; lives as long as the trace
 * @label: (nullable): what the link is called in the file (name of a flow); lives as long as the
 *   trace
 * @lane: name of its lane; lives as long as the trace
 * @delta_ns: its start less the start of the event that was asked about
 * @kind: how they are linked
 * @backwards: a flow whose end lies before its start
 */
typedef struct
{
  StriaRef           ref;
  const char        *name;
  const char        *label;
  const char        *lane;
  gint64             delta_ns;
  StriaEventLinkKind kind;
  gboolean           backwards;
} StriaEventLink;

/* More links of one kind are counted and not listed. */
#define STRIA_EVENT_MAX_LINKS 200

/**
 * StriaEventInfo:
 * @start_ns: as the artifact counts
 * @relative_ns: since the start of the capture
 * @wall_ns: nanoseconds since the epoch, if @has_wall
 * @dur_ns: true duration; -1 for what has none
 * @self_ns: duration less that of the children; -1 for what has none
 * @value: counters only
 * @unit: (nullable): of @value
 * @depth: nesting depth from 0
 * @links: (element-type StriaEventLink): flows and shared identifiers, without the event itself
 * @n_external: how many other events share the External id, listed or not
 * @n_correlation: how many other events share the correlation, listed or not
 * @stack: (element-type StriaEventLink): callers, innermost first
 * @stack_is_python: the callers come from the Python ids, not from time alone
 * @args: (nullable): text of the arguments
 * @fields: (nullable): the same taken apart, if it is JSON
 * @row: (nullable): the row of a table that the event stands for
 * @args_error: (nullable): why the arguments could not be read
 *
 * Everything there is to say about one event.
 */
typedef struct
{
  StriaTrace *trace;
  StriaRef    ref;
  const char *name;
  const char *category;
  const char *lane;
  char       *process;
  gint64      start_ns;
  gint64      relative_ns;
  gint64      wall_ns;
  gboolean    has_wall;
  gint64      dur_ns;
  gint64      self_ns;
  gboolean    is_counter;
  double      value;
  const char *unit;
  guint32     depth;
  guint32     flags;
  guint32     seq;
  StriaRef    parent;
  const char *parent_name;
  guint64     n_children;
  StriaRef    first_child;
  guint64     correlation;
  guint64     external;
  guint64     python;
  gboolean    has_allocations; /* of a snapshot on the same clock */
  StriaAllocWindow allocations;
  GArray     *links;
  guint       n_correlation;
  guint       n_external;
  GArray     *stack;
  gboolean    stack_is_python;
  GBytes     *args;
  StriaField *fields;
  StriaRow   *row;
  char       *args_error;
  double      core_ghz; /* clock of the core where it is known and wanted, else 0 */
} StriaEventInfo;

StriaEventInfo *stria_event_info_new     (StriaTrace *trace, StriaRef ref,
                                          GCancellable *cancellable, GError **error);
void            stria_event_info_free    (StriaEventInfo *self);
/* For people; @wall: times of day instead of times since the start */
char           *stria_event_info_to_text (const StriaEventInfo *self, gboolean wall);
/* Exact, times in nanoseconds */
char           *stria_event_info_to_json (const StriaEventInfo *self);
/* The arguments, made valid UTF-8, or NULL */
char           *stria_event_info_dup_args (const StriaEventInfo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaEventInfo, stria_event_info_free)

G_END_DECLS
