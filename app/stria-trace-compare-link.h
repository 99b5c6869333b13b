/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-session.h"
#include "stria-trace-compare.h"

G_BEGIN_DECLS

/**
 * StriaLinkMode:
 * @STRIA_LINK_START: each capture counts from where it begins
 * @STRIA_LINK_SHARE: the same part of each capture, however long it is
 * @STRIA_LINK_CLOCK: the same time on the clock
 * @STRIA_LINK_EVENT: each capture counts from an event
 */
typedef enum
{
  STRIA_LINK_START,
  STRIA_LINK_SHARE,
  STRIA_LINK_CLOCK,
  STRIA_LINK_EVENT,
} StriaLinkMode;

/**
 * StriaTraceLink:
 *
 * Keeps the visible ranges of several sessions together: who moves one moves all. Main thread only.
 */
typedef struct _StriaTraceLink StriaTraceLink;

StriaTraceLink *stria_trace_link_new  (void);
void            stria_trace_link_free (StriaTraceLink *self);
/* Takes part from now on, at the end. */
void            stria_trace_link_add    (StriaTraceLink *self, StriaSession *session);
void            stria_trace_link_remove (StriaTraceLink *self, StriaSession *session);
/* To be called when a trace has changed, too. All follow the first session. */
void            stria_trace_link_set_mode (StriaTraceLink *self, StriaLinkMode mode);
StriaLinkMode   stria_trace_link_get_mode (StriaTraceLink *self);
/* By session: the time of the event that it counts from; one that has none counts from its start. */
void            stria_trace_link_set_anchors (StriaTraceLink *self, const gint64 *times,
                                              const gboolean *has, guint n);
/* Whether some of the captures have time in common on the clock, and on which clock that is: the
 * epoch's, or what files count from */
gboolean        stria_trace_link_overlaps (StriaTraceLink *self, gboolean *is_wall);
/* Shows everything of all. */
void            stria_trace_link_fit      (StriaTraceLink *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTraceLink, stria_trace_link_free)

G_END_DECLS
