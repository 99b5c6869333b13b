/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_TRACE_COMPARE_MAX 4

/**
 * StriaTraceCell:
 * @count: slices that overlap the range; 0: none, then nothing else is known
 * @total_ns: sum of their durations inside the range
 * @self_ns: @total_ns less that of their direct children
 * @names: (element-type guint32) (nullable): string ids of its names in this trace
 *
 * What one trace has of a row.
 */
typedef struct
{
  guint64 count;
  gint64  total_ns;
  gint64  self_ns;
  GArray *names;
} StriaTraceCell;

/**
 * StriaTraceRow:
 * @name: the name, or what is left of names that differ in numbers, addresses and template arguments
 * @category: category of the slices, "" if they have none
 * @normalised: whether names were matched without numbers, addresses and template arguments
 * @cells: by trace
 *
 * Slices of one name and category in all traces.
 */
typedef struct
{
  char          *name;
  const char    *category;
  gboolean       normalised;
  StriaTraceCell cells[STRIA_TRACE_COMPARE_MAX];
} StriaTraceRow;

typedef enum
{
  STRIA_COMPARE_TOTAL,
  STRIA_COMPARE_SELF,
  STRIA_COMPARE_MEAN,
  STRIA_COMPARE_COUNT,
} StriaCompareMeasure;

typedef enum
{
  STRIA_ROW_BOTH,
  STRIA_ROW_NEW,  /* the base has none */
  STRIA_ROW_GONE, /* only the base has it */
  STRIA_ROW_NONE, /* neither has */
} StriaRowState;

/**
 * StriaTraceFigure:
 * @id: stable name for machines
 * @section: (nullable): category or device profile that it is of
 * @title: what it is, untranslated
 * @unit: "ns", "events", "of 1" or as a device profile has it
 * @formula: what it is made of, untranslated
 * @is_cost: whether more of it is worse
 * @has: by trace, whether it is known
 * @values: by trace
 * @missing: (nullable): by trace, why it is not known, untranslated
 *
 * A figure of the summary.
 */
typedef struct
{
  char       *id;
  char       *section;
  const char *title;
  const char *unit;
  const char *formula;
  gboolean    is_cost;
  gboolean    has[STRIA_TRACE_COMPARE_MAX];
  double      values[STRIA_TRACE_COMPARE_MAX];
  const char *missing[STRIA_TRACE_COMPARE_MAX];
} StriaTraceFigure;

/**
 * StriaTraceSpan:
 *
 * What of a trace is compared, in its own nanoseconds.
 */
typedef struct
{
  gint64 t0;
  gint64 t1;
} StriaTraceSpan;

/**
 * StriaTraceCompare:
 * @traces: what is compared, as many as @n
 * @spans: what of them
 * @rows: (element-type StriaTraceRow): in no order
 * @figures: (element-type StriaTraceFigure): in the order in which they are read
 * @n_exact: rows whose names are the same, letter by letter, wherever they are
 * @n_normalised: rows of names that were matched without numbers, addresses and template arguments
 *
 * Two to four traces beside each other. Immutable; any thread.
 */
typedef struct
{
  gatomicrefcount ref_count;
  guint           n;
  StriaTrace     *traces[STRIA_TRACE_COMPARE_MAX];
  StriaTraceSpan  spans[STRIA_TRACE_COMPARE_MAX];
  GPtrArray      *rows;
  GPtrArray      *figures;
  guint           n_exact;
  guint           n_normalised;
  GHashTable     *index[STRIA_TRACE_COMPARE_MAX]; /* category and name -> row number + 1 */
} StriaTraceCompare;

/**
 * stria_trace_compare_new:
 * @captures: (array length=n): what is compared, 1 to %STRIA_TRACE_COMPARE_MAX
 * @spans: (array length=n) (nullable): what of them; NULL for the ranges that are shown first
 * @error: %G_IO_ERROR_CANCELLED, or why events could not be loaded
 *
 * Sums the slices of each trace by category and name and matches them: first by the whole name, then
 * those that not all traces have by what stria_name_normalise() leaves of it. Loads all lanes: for a
 * worker. Device profiles of Neuron captures are compared by their published metrics where the spans
 * are not given.
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaTraceCompare *stria_trace_compare_new   (StriaCapture *const *captures, guint n,
                                              const StriaTraceSpan *spans,
                                              GCancellable *cancellable, GError **error);
StriaTraceCompare *stria_trace_compare_ref   (StriaTraceCompare *self);
void               stria_trace_compare_unref (StriaTraceCompare *self);

/* FALSE: the trace has none of it */
gboolean      stria_trace_cell_value     (const StriaTraceCell *cell, StriaCompareMeasure measure,
                                          double *value);
StriaRowState stria_trace_row_state      (const StriaTraceRow *row, guint base, guint other);
/* @other less @base; a mean of what one of them has none of has no difference. */
gboolean      stria_trace_row_difference (const StriaTraceRow *row, guint base, guint other,
                                          StriaCompareMeasure measure, double *difference);
/* The greatest difference to @base of the @n traces: what got worse most */
gboolean      stria_trace_row_worst      (const StriaTraceRow *row, guint n, guint base,
                                          StriaCompareMeasure measure, double *difference);
/* The row that the slices of this category and name of a trace are in. Returns: (nullable) */
const StriaTraceRow *stria_trace_compare_find (StriaTraceCompare *self, guint trace,
                                               guint32 category, guint32 name);
/**
 * stria_trace_compare_events:
 * @trace: number of the trace
 *
 * Events of a row, the whole trace over, in order of time. Walks all events: for a worker.
 *
 * Returns: (transfer full) (element-type StriaRef) (nullable): NULL with @error
 */
GArray       *stria_trace_compare_events (StriaTraceCompare *self, const StriaTraceRow *row,
                                          guint trace, GCancellable *cancellable, GError **error);
/* Returns: (transfer none) (nullable) */
const StriaTraceFigure *stria_trace_compare_figure (StriaTraceCompare *self, const char *id);

/**
 * stria_name_normalise:
 *
 * Leaves out what differs from run to run and build to build: runs of digits and hexadecimal
 * addresses become "#", template arguments "<>".
 *
 * Returns: (transfer full)
 */
char *stria_name_normalise (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTraceCompare, stria_trace_compare_unref)

G_END_DECLS
