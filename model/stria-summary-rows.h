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
/* What of [t0, t1) it covers */
double stria_span_union_inside (StriaSpanUnion *self, gint64 t0, gint64 t1);
void   stria_span_union_clear (StriaSpanUnion *self);

#define STRIA_SUMMARY_ROWS_MAX_WANTED 20

/* Some columns of all tables of one name, chunk by chunk */
typedef struct
{
  GPtrArray         *tables; /* StriaTable */
  GCancellable      *cancellable;
  GError           **error;
  const char        *name;   /* whatever its case */
  const char *const *wanted; /* names of columns, NULL last; a table need not have them */
  const StriaSummaryScope *scope; /* NULL: all rows */
  guint              table;
  guint32            chunk;
  guint64            first_row; /* of the chunk, in its table */
  guint32            n_rows;
  StriaColumnChunk  *columns[STRIA_SUMMARY_ROWS_MAX_WANTED];
  StriaCellType      types[STRIA_SUMMARY_ROWS_MAX_WANTED];
  gboolean           failed;
} StriaSummaryRows;

/* What of a row counts: @start is G_MININT64 and @duration -1 where the row does not say them,
 * @core is -1 where it says none; @share of the row's bytes and operations lies inside. */
typedef struct
{
  gint64 start;
  gint64 duration;
  gint64 core;
  double share;
} StriaSummaryPart;

/* The next chunk. FALSE: there is none, or @failed */
gboolean    stria_summary_rows_next   (StriaSummaryRows *self);
/* @column: of @wanted, @row: of the chunk. FALSE: no number stands there */
gboolean    stria_summary_rows_number (const StriaSummaryRows *self, guint column, guint32 row,
                                       double *value);
gint64      stria_summary_rows_int    (const StriaSummaryRows *self, guint column, guint32 row,
                                       gint64 missing);
/* Of rows whose first three wanted columns are start, duration and core. FALSE: nothing of it
 * counts */
gboolean    stria_summary_rows_part   (const StriaSummaryRows *self, guint32 row,
                                       StriaSummaryPart *part);
/* Not terminated; "" where no text stands */
const char *stria_summary_rows_text   (const StriaSummaryRows *self, guint column, guint32 row,
                                       guint32 *length);
void        stria_summary_rows_clear  (StriaSummaryRows *self);

G_END_DECLS
