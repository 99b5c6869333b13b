/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-cards.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-details-rows.h"
#include "stria-share-chart.h"
#include "stria-swatch.h"

/* More than rounding of single precision, in which files keep their figures */
#define TOLERANCE 1e-5

GtkWidget *
stria_summary_card_new (GtkBox *column, const char *title, const char *note)
{
  GtkWidget *body;
  GtkWidget *section = stria_details_section_new (title, note, &body);

  gtk_widget_add_css_class (section, "card");
  gtk_widget_add_css_class (section, "summary-card");
  gtk_box_set_spacing (GTK_BOX (body), 6);
  gtk_box_append (column, section);
  return body;
}

void
stria_summary_explain (GtkWidget *widget, const char *text)
{
  gtk_widget_set_tooltip_text (widget, text);
  if (text != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget),
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

GtkWidget *
stria_summary_text_new (const char *text, gboolean is_dim)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_set_hexpand (label, TRUE);
  if (is_dim)
    {
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "caption");
    }
  return label;
}

/* -- figures --------------------------------------------------------------------------------- */

GtkWidget *
stria_summary_grid_new (GtkWidget *body)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 5);
  gtk_widget_set_hexpand (grid, TRUE);
  gtk_widget_set_valign (grid, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (body), grid);
  return grid;
}

static int
next_row (GtkWidget *grid)
{
  int row = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (grid), "rows"));

  g_object_set_data (G_OBJECT (grid), "rows", GINT_TO_POINTER (row + 1));
  return row;
}

static GtkWidget *
title_new (const char *title)
{
  GtkWidget *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

void
stria_summary_grid_add (GtkWidget *grid, const char *title, double share, guint series,
                        const char *value, const char *missing, const char *tip)
{
  int row = next_row (grid);
  GtkWidget *title_label = title_new (title);
  GtkWidget *label;

  gtk_grid_attach (GTK_GRID (grid), title_label, 0, row, 1, 1);
  stria_summary_explain (title_label, tip != NULL ? tip : title);
  if (value != NULL)
    {
      label = gtk_label_new (value);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_set_halign (label, GTK_ALIGN_END);
      gtk_widget_add_css_class (label, "numeric");
    }
  else
    {
      g_autofree char *text
          = g_strdup_printf (_ ("not available: needs %s"), missing != NULL ? missing : "");

      label = stria_summary_text_new (text, TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
    }
  stria_summary_explain (label, tip);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  title_label, NULL, -1);
  if (value != NULL && share >= 0)
    {
      GtkWidget *bar = stria_share_chart_new (STRIA_SHARE_BAR);

      stria_share_chart_add (STRIA_SHARE_CHART (bar), share, series);
      gtk_widget_set_hexpand (bar, TRUE);
      gtk_widget_set_tooltip_text (bar, tip);
      gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                      -1);
      gtk_grid_attach (GTK_GRID (grid), bar, 1, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), label, 2, row, 1, 1);
    }
  else
    {
      gtk_widget_set_hexpand (label, TRUE);
      gtk_grid_attach (GTK_GRID (grid), label, 1, row, 2, 1);
    }
}

char *
stria_summary_metric_tip (GArray *metrics, const StriaNeuronMetric *metric)
{
  GString *text = g_string_new (metric->name);
  g_autofree char *inputs = stria_neuron_metric_inputs (metrics, metric);

  g_string_append_printf (text, "\n= %s", metric->formula);
  if (inputs[0] != '\0')
    g_string_append_printf (text, "\n\n%s", inputs);
  if (!metric->has_value && metric->missing != NULL)
    {
      g_string_append (text, "\n\n");
      g_string_append_printf (text, _ ("From the rows: needs %s"), metric->missing);
    }
  if (metric->has_reported)
    {
      g_autofree char *reported = stria_neuron_metric_format (metric->reported, metric->unit);
      double larger = MAX (fabs (metric->value), fabs (metric->reported));

      g_string_append (text, "\n\n");
      if (!metric->has_value)
        g_string_append_printf (text, _ ("As the file says: %s"), reported);
      else if (fabs (metric->value - metric->reported) > larger * TOLERANCE)
        g_string_append_printf (text, _ ("The file says something else: %s"), reported);
      else
        g_string_append (text, _ ("The file says the same."));
    }
  return g_string_free (text, FALSE);
}

void
stria_summary_grid_metric (GtkWidget *grid, GArray *metrics, const char *name, const char *title,
                           gboolean has_bar)
{
  const StriaNeuronMetric *metric = stria_neuron_metric_find (metrics, name);
  g_autofree char *value = NULL;
  g_autofree char *tip = NULL;
  double number = -1;

  if (metric != NULL)
    tip = stria_summary_metric_tip (metrics, metric);
  if (stria_neuron_metric_get (metrics, name, &number))
    value = stria_neuron_metric_format (number, metric->unit);
  stria_summary_grid_add (grid, title, has_bar ? number : -1, 0, value,
                          metric != NULL && metric->missing != NULL ? metric->missing
                                                                    : _ ("a Summary table"),
                          tip);
}

void
stria_summary_grid_legend (GtkWidget *grid, guint series, const char *title, const char *value,
                           const char *tip)
{
  int row = next_row (grid);
  GtkWidget *name = title_new (title), *label = gtk_label_new (value);

  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  stria_summary_explain (name, tip);
  stria_summary_explain (label, tip);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_RELATION_LABELLED_BY, name,
                                  NULL, -1);
  gtk_grid_attach (GTK_GRID (grid), stria_share_chart_new_key (series), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), name, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), label, 2, row, 1, 1);
}

/* -- names ----------------------------------------------------------------------------------- */

static void
attach_heading (GtkWidget *grid, const char *title, int column, int row)
{
  GtkWidget *label;

  if (title == NULL)
    return;
  label = gtk_label_new (title);
  gtk_label_set_xalign (GTK_LABEL (label), column == 1 ? 0 : 1);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

GtkWidget *
stria_summary_names_new (GtkWidget *body, const char *name_title, const char *count_title,
                         const char *value_title)
{
  GtkWidget *grid = stria_summary_grid_new (body);
  int row = next_row (grid);

  attach_heading (grid, name_title, 1, row);
  attach_heading (grid, count_title, 2, row);
  attach_heading (grid, value_title, 3, row);
  return grid;
}

static void
attach_figure (GtkWidget *grid, const char *text, const char *tip, int column, int row)
{
  GtkWidget *label;

  if (text == NULL)
    return;
  label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  stria_summary_explain (label, tip);
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

void
stria_summary_names_add (GtkWidget *names, StriaSummaryRow *row)
{
  int number = next_row (names);
  GtkWidget *bar = stria_swatch_new_bar (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (row->name);

  stria_swatch_set_name (STRIA_SWATCH (bar), row->name);
  if (row->has_number)
    stria_swatch_set_number (STRIA_SWATCH (bar), row->number);
  stria_swatch_set_share (STRIA_SWATCH (bar), row->share);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  /* It takes what width there is, and asks for little: columns stay beside each other. */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_set_hexpand (label, row->note == NULL);
  stria_summary_explain (label, row->tip != NULL ? row->tip : row->name);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_hexpand (box, TRUE);
  if (row->note != NULL)
    {
      GtkWidget *note = gtk_label_new (row->note);

      gtk_widget_add_css_class (note, "dim-label");
      gtk_widget_add_css_class (note, "caption");
      gtk_box_append (GTK_BOX (box), note);
    }
  gtk_grid_attach (GTK_GRID (names), bar, 0, number, 1, 1);
  gtk_grid_attach (GTK_GRID (names), box, 1, number, 1, 1);
  attach_figure (names, row->count, row->tip, 2, number);
  attach_figure (names, row->value, row->tip, 3, number);
  g_clear_pointer (&row->count, g_free);
  g_clear_pointer (&row->value, g_free);
  g_clear_pointer (&row->tip, g_free);
}
