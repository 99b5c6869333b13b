/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-columns.h"
#include "stria-density.h"
#include "stria-spill.h"

G_BEGIN_DECLS

/**
 * StriaPark:
 *
 * Columns of a lane that are not in memory: packed, %STRIA_PACK_EVENTS events at a time, in a spill. A
 * file of tens of millions of rows gives lanes of as many events, of which a picture needs a few, and
 * the store takes them packed as they are.
 *
 * Events are added on one thread; once all are there any thread may read.
 */
typedef struct _StriaPark StriaPark;

StriaPark *stria_park_new   (StriaSpill *spill);
StriaPark *stria_park_ref   (StriaPark *self);
void       stria_park_unref (StriaPark *self);
guint64    stria_park_size  (StriaPark *self);
/* Whether the column was ever added */
gboolean   stria_park_has   (StriaPark *self, StriaColumnNumber column);

/* @n events of @columns from @first on: %STRIA_PACK_EVENTS of them, fewer only the last time. A spill
 * that can't be written to is told of by stria_park_check(). Columns that are NULL are left out. */
void       stria_park_add   (StriaPark *self, const StriaColumns *columns, guint64 first, guint n);
/* The other way to fill an empty park, column by column, so that no more than one need be in memory: all
 * @n events are there, with what they range over, and stria_park_put_column() says what they are. */
void       stria_park_set_size (StriaPark *self, guint64 n, gint64 start_ns, gint64 end_ns);
/* @pick: (nullable): which of @values each event has */
void       stria_park_put_column (StriaPark *self, StriaColumnNumber column, gconstpointer values,
                                  const guint32 *pick);
gboolean   stria_park_check (StriaPark *self, GError **error);

/* As if the column had never been added. */
void       stria_park_drop  (StriaPark *self, StriaColumnNumber column);

/* Earliest start, latest end, least and greatest value of what was added */
void       stria_park_range (StriaPark *self, gint64 *start_ns, gint64 *end_ns);
void       stria_park_value_range (StriaPark *self, double *min, double *max);
/* The earliest start after @ns, G_MAXINT64 if there is none. Reads the spill. */
gint64     stria_park_first_after (StriaPark *self, gint64 ns);

/* From now on names and categories are looked up in these arrays, which are copied. */
void       stria_park_translate (StriaPark *self, const guint32 *names, guint n_names,
                                 const guint16 *categories, guint n_categories);
/* Adds @shift to all starts. */
void       stria_park_shift (StriaPark *self, gint64 shift);
/* (transfer full): busy time of the outermost row; of times before stria_park_shift() */
void       stria_park_take_density (StriaPark *self, StriaDensity *density);
/* Returns: (transfer none) (nullable) */
const StriaDensity *stria_park_get_density (StriaPark *self, gint64 *shift);

/* One column of all events, into @columns. The column's array is allocated; it stays NULL if it was
 * never added. */
gboolean   stria_park_load_column (StriaPark *self, StriaColumnNumber column, StriaColumns *columns,
                                   GError **error);
gboolean   stria_park_load  (StriaPark *self, StriaColumns *columns, GCancellable *cancellable,
                             GError **error);
/* How a chunk of a column is kept in a store. Returns: (transfer full): NULL without @error if the
 * column was never added */
GBytes    *stria_park_get_chunk (StriaPark *self, StriaColumnNumber column, guint chunk,
                                 GError **error);
guint      stria_park_n_chunks (StriaPark *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPark, stria_park_unref)

G_END_DECLS
