/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-profile.h"
#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-profile-slices
 *
 * Between what a profile tells of a dump and the slices that the same events are in a timeline.
 */

/* Events of the dump that an entity was timed by, or the call that it is a part of: the outermost one
 * of each execution. Empty if it has none.
 * Returns: (transfer full) (element-type guint32): rows of STRIA_TABLE_DUMP_EVENT */
GArray  *stria_profile_events_of      (StriaProfile *self, guint32 entity);
/* The entity that those events time: @entity itself, or its call; STRIA_NO_REF */
guint32  stria_profile_timed_entity   (StriaProfile *self, guint32 entity);
/* What an event times, or STRIA_NO_REF */
guint32  stria_profile_entity_of_event (StriaProfile *self, guint32 event);
/* The execution of an event from 0, or STRIA_NO_REF: it is of loading */
guint32  stria_profile_execution_of_event (StriaProfile *self, guint32 event);
/* How long it took, in @unit (out) (static): ms, or cycles; NAN if that cannot be told */
double   stria_profile_event_duration (StriaProfile *self, guint32 event, const char **unit);
/* %STRIA_REF_NONE: @trace does not have it. May read a lane from the store. */
StriaRef stria_profile_find_slice     (StriaProfile *self, StriaTrace *trace, guint32 event);
/* The event that a slice is, or STRIA_NO_REF */
guint32  stria_profile_event_of_slice (StriaProfile *self, StriaTrace *trace, StriaRef ref);

G_END_DECLS
