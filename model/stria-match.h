/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * StriaMatch:
 *
 * The answer to a search over the names of a trace's events and, if asked, over their arguments.
 * Immutable and shared between threads. Letters match without regard to case.
 */
typedef struct _StriaMatch StriaMatch;

/* Names only: microseconds for thousands of names. */
StriaMatch *stria_match_new_names (StriaTrace *trace, const char *text);
/* Names and arguments; reads every argument text, so call it on a worker. */
StriaMatch *stria_match_new       (StriaTrace *trace, const char *text, GCancellable *cancellable,
                                   GError **error);
/* Just these events: @bits (transfer full) has for each lane a bit by index, or NULL for none. */
StriaMatch *stria_match_new_events (StriaTrace *trace, const char *text, guint8 **bits,
                                   guint64 n_events);
StriaMatch *stria_match_ref       (StriaMatch *self);
void        stria_match_unref     (StriaMatch *self);

/* The same for a text with terms (stria-match-query.h) that names alone do not tell; words without a
 * field are looked for in arguments only @with_args. */
StriaMatch *stria_match_new_query (StriaTrace *trace, const char *text, gboolean with_args,
                                   GCancellable *cancellable, GError **error);
/* Whether it takes that */
gboolean    stria_match_needs_events (const char *text);
/* (nullable): why the text is no search */
const char *stria_match_get_error (const StriaMatch *self);
const char *stria_match_get_text  (const StriaMatch *self);
gboolean    stria_match_has_args  (const StriaMatch *self);
/* How many distinct names match, how many events match by name, and how many by arguments alone */
guint32     stria_match_n_names   (const StriaMatch *self);
guint64     stria_match_n_events  (const StriaMatch *self);
guint64     stria_match_n_by_args (const StriaMatch *self);
gboolean    stria_match_name      (const StriaMatch *self, guint32 name);
gboolean    stria_match_event     (const StriaMatch *self, StriaLane *lane, guint64 index);

/* The matching event after (before) @from in time order, over all lanes for which @lane_filter is
 * set (NULL = all), wrapping round; STRIA_REF_NONE if there is none. Loads lanes as needed.
 * @ordinal (out, nullable): its number among the matches in time order, from 1. */
StriaRef    stria_match_next      (StriaMatch *self, StriaRef from, gint64 from_ns, gboolean forward,
                                   guint64 *ordinal);

/**
 * StriaMatchSums:
 * @count: slices and instants that match
 * @summed_ns: their durations added up
 * @merged_ns: time in which at least one of them runs
 */
typedef struct
{
  guint64 count;
  gint64  summed_ns;
  gint64  merged_ns;
} StriaMatchSums;

/* Loads lanes as needed: for a worker. FALSE with @error: cancelled, or a lane could not be read */
gboolean    stria_match_measure   (StriaMatch *self, StriaMatchSums *sums, GCancellable *cancellable,
                                   GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaMatch, stria_match_unref)

G_END_DECLS
