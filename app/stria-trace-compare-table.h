/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-trace-compare.h"

G_BEGIN_DECLS

#define STRIA_TYPE_TRACE_COMPARE_TABLE (stria_trace_compare_table_get_type ())
G_DECLARE_FINAL_TYPE (StriaTraceCompareTable, stria_trace_compare_table, STRIA,
                      TRACE_COMPARE_TABLE, GtkWidget)

/**
 * StriaTraceCompareTable:
 *
 * What was compared: names with their times and figures of the whole, with differences to the base.
 *
 * Signals: "row-chosen" (StriaTraceRow *, NULL: none): a name was clicked or activated;
 * "scope-changed": what of the captures is to be compared.
 */
/* Returns: (transfer floating) */
GtkWidget *stria_trace_compare_table_new       (void);
/* @compare: (nullable): NULL while it is being made. @titles: of the captures */
void       stria_trace_compare_table_set       (StriaTraceCompareTable *self,
                                                StriaTraceCompare *compare, guint base,
                                                const char *const *titles);
/* Says why there is nothing, or that something is on its way */
void       stria_trace_compare_table_set_note  (StriaTraceCompareTable *self, const char *note);
/* Whether only what is visible is to be compared */
gboolean   stria_trace_compare_table_is_visible_only (StriaTraceCompareTable *self);
void       stria_trace_compare_table_focus_filter    (StriaTraceCompareTable *self);

G_END_DECLS
