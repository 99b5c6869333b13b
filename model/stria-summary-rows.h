/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-summary-scope.h"

G_BEGIN_DECLS

/* Time that is covered at least once; spans are put together now and then, so that millions of them
 * stay few. Zeroed: nothing */
typedef struct
{
  GArray *spans; /* NULL: none */
  guint   merged; /* how many at the front are merged and sorted */
} StriaSpanUnion;

/* What has no duration, or ends beyond 64 bits, is left out. */
void   stria_span_union_add   (StriaSpanUnion *self, gint64 start, gint64 duration);
void   stria_span_union_merge (StriaSpanUnion *self);
/* Adds what @other covers */
void   stria_span_union_take  (StriaSpanUnion *self, const StriaSpanUnion *other);
double stria_span_union_ns    (StriaSpanUnion *self);
void   stria_span_union_clear (StriaSpanUnion *self);


/* Some columns of all tables of one name, chunk by chunk */
typedef struct
{
  GPtrArray         *tables; /* StriaTable */
  GCancellable      *cancellable;
  GError           **error;
  const char        *name;   /* whatever its case */
  const char *const *wanted; /* names of columns, NULL last; a table need not have them */
  guint              table;
  guint32            chunk;
  guint32            n_rows;
  StriaColumnChunk  *columns[STRIA_SUMMARY_ROWS_MAX_WANTED];
  StriaCellType      types[STRIA_SUMMARY_ROWS_MAX_WANTED];
  gboolean           failed;
} StriaSummaryRows;

/* The next chunk. FALSE: there is none, or @failed */
gboolean    stria_summary_rows_next   (StriaSummaryRows *self);
/* @column: of @wanted, @row: of the chunk. FALSE: no number stands there */
gboolean    stria_summary_rows_number (const StriaSummaryRows *self, guint column, guint32 row,
                                       double *value);
gint64      stria_summary_rows_int    (const StriaSummaryRows *self, guint column, guint32 row,
                                       gint64 missing);
/* Not terminated; "" where no text stands */
const char *stria_summary_rows_text   (const StriaSummaryRows *self, guint column, guint32 row,
                                       guint32 *length);
void        stria_summary_rows_clear  (StriaSummaryRows *self);

G_END_DECLS
