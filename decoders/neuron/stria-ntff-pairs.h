/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Spans that may be open at once, of one engine; the oldest gives way. */
#define STRIA_NTFF_MAX_OPEN (1u << 20)

/**
 * StriaNtffOpen:
 * @start_ns: when it began
 * @key: what its end names as well: the pc, or the queue
 * @extra: as the beginning's record has it
 *
 * A span that has begun.
 */
typedef struct
{
  gint64 start_ns;
  guint32 key;
  guint32 extra;
} StriaNtffOpen;

/**
 * StriaNtffPairs:
 *
 * Beginnings that wait for their ends, first come, first served by key: a second beginning of the
 * same key closes nothing (recovered rule).
 */
typedef struct _StriaNtffPairs StriaNtffPairs;

StriaNtffPairs *stria_ntff_pairs_new   (void);
void            stria_ntff_pairs_free  (StriaNtffPairs *self);
/* Returns: TRUE if @evicted was given up for it, being the oldest of too many */
gboolean        stria_ntff_pairs_begin (StriaNtffPairs *self, const StriaNtffOpen *open,
                                        StriaNtffOpen *evicted);
/* FALSE: nothing of that key is open */
gboolean        stria_ntff_pairs_end   (StriaNtffPairs *self, guint32 key, StriaNtffOpen *open);
/* The oldest that is left; FALSE: none is */
gboolean        stria_ntff_pairs_pop   (StriaNtffPairs *self, StriaNtffOpen *open);
guint           stria_ntff_pairs_size  (StriaNtffPairs *self);
/* Key of the span that began last, if it is still open or not; FALSE: none has */
gboolean        stria_ntff_pairs_last  (StriaNtffPairs *self, guint32 *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaNtffPairs, stria_ntff_pairs_free)

G_END_DECLS
