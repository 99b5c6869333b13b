/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib-object.h>

#include "stria-trace-compare.h"

G_BEGIN_DECLS

/* What all rows of a table are seen by; a box counted by its readers */
typedef struct
{
  StriaTraceCompare  *compare;
  guint               base;
  StriaCompareMeasure measure;
} StriaCompareLook;

StriaCompareLook *stria_compare_look_new   (StriaTraceCompare *compare, guint base,
                                            StriaCompareMeasure measure);
void              stria_compare_look_unref (StriaCompareLook *look);

typedef enum
{
  STRIA_TRACE_COLUMN_NAME,
  STRIA_TRACE_COLUMN_CATEGORY,
  STRIA_TRACE_COLUMN_VALUE,
  STRIA_TRACE_COLUMN_DIFFERENCE,
  STRIA_TRACE_COLUMN_RELATIVE,
  STRIA_TRACE_COLUMN_COUNT,
  STRIA_TRACE_COLUMN_MEAN,
} StriaTraceColumn;

#define STRIA_TYPE_TRACE_COMPARE_ITEM (stria_trace_compare_item_get_type ())
G_DECLARE_FINAL_TYPE (StriaTraceCompareItem, stria_trace_compare_item, STRIA, TRACE_COMPARE_ITEM,
                      GObject)

/* A row of the table of names, or of that of figures: one of @row and @figure is NULL. */
StriaTraceCompareItem  *stria_trace_compare_item_new     (StriaCompareLook *look,
                                                          const StriaTraceRow *row,
                                                          const StriaTraceFigure *figure);
const StriaTraceRow    *stria_trace_compare_item_get_row (StriaTraceCompareItem *self);
/* Returns: (transfer full): "" where nothing is known */
char  *stria_trace_compare_item_dup_text    (StriaTraceCompareItem *self, StriaTraceColumn column,
                                             guint trace);
/* Where the text comes from, or why there is none. Returns: (transfer full) (nullable) */
char  *stria_trace_compare_item_dup_tooltip (StriaTraceCompareItem *self, StriaTraceColumn column,
                                             guint trace);
/* NAN where nothing is known */
double stria_trace_compare_item_get_value   (StriaTraceCompareItem *self, StriaTraceColumn column,
                                             guint trace);
/* Above 0: worse than the base; below 0: better; 0: neither, or nobody can say */
int    stria_trace_compare_item_get_verdict (StriaTraceCompareItem *self, guint trace);

G_END_DECLS
