/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-lane.h"

G_BEGIN_DECLS

typedef struct _StriaMatch StriaMatch;

#define STRIA_MATCH_RANK_SHIFT 12

/* Which events of a lane match, a bit each, with counts in front of every 4096 of them: so a search
 * is walked, counted and drawn without a look at the events. */
typedef struct
{
  guint64  n;     /* events */
  guint64 *words;
  guint32 *ranks; /* bits before each 4096th event, and before the end */
} StriaMatchBits;

/* Of a lane that is loaded. Made when first asked for, with a look at every event. Any thread.
 * Returns: (transfer none): lives as long as the match */
const StriaMatchBits *stria_match_get_bits   (StriaMatch *self, StriaLane *lane);
void                  stria_match_bits_free  (StriaMatchBits *self);
/* Bits set in [0, i) */
guint64               stria_match_bits_rank  (const StriaMatchBits *self, guint64 i);
/* First bit set in [i, end), or @end */
guint64               stria_match_bits_next  (const StriaMatchBits *self, guint64 i, guint64 end);
/* Last bit set in [begin, i), or G_MAXUINT64 */
guint64               stria_match_bits_previous (const StriaMatchBits *self, guint64 begin, guint64 i);

G_END_DECLS
