/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gtk/gtk.h>

#include "stria-neuron-summary.h"

G_BEGIN_DECLS

/* Pieces of the cards of figures in the summary. Widgets are (transfer full) and floating. */

/* A card at the end of a column. Returns: (transfer none): its body, a vertical box */
GtkWidget *stria_summary_card_new     (GtkBox *column, const char *title, const char *note);
/* Title, bar, figure: rows are added with the functions below, and attached to @body. */
GtkWidget *stria_summary_grid_new     (GtkWidget *body);
/* @share: of the bar, below 0: none. @value: NULL: not available, @missing says what it needs.
 * @tip: (nullable): where the figure comes from; for the pointer and for screen readers */
void       stria_summary_grid_add     (GtkWidget *grid, const char *title, double share,
                                       guint series, const char *value, const char *missing,
                                       const char *tip);
/* A metric with its formula and the values of that */
void       stria_summary_grid_metric  (GtkWidget *grid, GArray *metrics, const char *name,
                                       const char *title, gboolean has_bar);
/* Patch of colour, text, figure: a legend's row */
void       stria_summary_grid_legend  (GtkWidget *grid, guint series, const char *title,
                                       const char *value, const char *tip);
/* Formula, inputs and what the file says. Returns: (transfer full) */
char      *stria_summary_metric_tip   (GArray *metrics, const StriaNeuronMetric *metric);
/* Sets what the pointer and a screen reader are told of a widget. */
void       stria_summary_explain      (GtkWidget *widget, const char *text);
/* A paragraph; @is_dim: in the background */
GtkWidget *stria_summary_text_new     (const char *text, gboolean is_dim);

/**
 * StriaSummaryRow:
 * @name: what is counted
 * @note: (nullable): behind the name, dim
 * @has_number: whether its colour is that of @number, see stria_color_for_number()
 * @share: length of its bar, 0..1
 * @count: (nullable): first figure; @value: second one
 * @tip: (nullable): for the pointer
 */
typedef struct
{
  const char *name;
  const char *note;
  gboolean    has_number;
  guint       number;
  double      share;
  char       *count;
  char       *value;
  char       *tip;
} StriaSummaryRow;

/* A table of names with bars in the colours that names have in the timeline */
GtkWidget *stria_summary_names_new    (GtkWidget *body, const char *name_title,
                                       const char *count_title, const char *value_title);
/* Takes the texts of @row. */
void       stria_summary_names_add    (GtkWidget *names, StriaSummaryRow *row);

G_END_DECLS
