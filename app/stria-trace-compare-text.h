/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace-compare.h"

G_BEGIN_DECLS

/**
 * SECTION:stria-trace-compare-text
 *
 * What a comparison of traces says to people, in the window and on the command line. All return
 * (transfer full); NULL is returned for what is not known.
 */
char *stria_trace_row_text             (const StriaTraceRow *row, guint trace,
                                        StriaCompareMeasure measure);
char *stria_trace_row_difference_text  (const StriaTraceRow *row, guint base, guint other,
                                        StriaCompareMeasure measure);
/* "+12.5 %", “new”, “gone” */
char *stria_trace_row_relative_text    (const StriaTraceRow *row, guint base, guint other,
                                        StriaCompareMeasure measure);
char *stria_trace_figure_title         (const StriaTraceFigure *figure);
char *stria_trace_figure_text          (const StriaTraceFigure *figure, guint trace);
char *stria_trace_figure_difference    (const StriaTraceFigure *figure, guint base, guint other);
char *stria_trace_figure_relative      (const StriaTraceFigure *figure, guint base, guint other);
/* How names were matched, as a sentence */
char *stria_trace_compare_matched_text (StriaTraceCompare *compare);
/* A difference of nanoseconds with its sign */
char *stria_trace_signed_duration      (double ns);
/* The rows as CSV text: RFC 4180, C locale, nanoseconds. @rows: (element-type StriaTraceRow) */
char *stria_trace_compare_csv          (StriaTraceCompare *compare, GPtrArray *rows, guint base,
                                        const char *const *titles);

G_END_DECLS
