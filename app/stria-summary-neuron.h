/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-summary-work.h"

G_BEGIN_DECLS

/* Cards of a device profile's figures. */
void  stria_summary_neuron_fill   (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures);
/* Tables of what took long, in stria-summary-neuron-tables.c */
void  stria_summary_neuron_tables (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures);
/* Rules and bounds, in stria-summary-neuron-advice.c */
void  stria_summary_neuron_advice (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures);
/* Cards of system profiles, in stria-summary-system.c */
void  stria_summary_system_fill   (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures);
/* Cards of a framework's trace, in stria-summary-trace.c */
void  stria_summary_trace_fill    (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures);

G_END_DECLS
