/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-neuron.h"

#include <glib/gi18n-lib.h>

#include "stria-format.h"
#include "stria-share-chart.h"
#include "stria-summary-cards.h"

/* -- rules ----------------------------------------------------------------------------------- */

static const struct
{
  const char *title;
  const char *advice;
} rules[STRIA_N_INSIGHTS] = {
  [STRIA_INSIGHT_MODEL_FLOPS]
  = { N_ ("Model operations in the active time"),
      N_ ("The tensor engine is active, but does little of the model: look for small tiles and "
          "short matmuls.") },
  [STRIA_INSIGHT_NKI_COVERAGE]
  = { N_ ("Instructions from NKI kernels"),
      N_ ("Most instructions of an engine come from the compiler: kernels cover little of it.") },
  [STRIA_INSIGHT_THROTTLING]
  = { N_ ("Throttling while active"),
      N_ ("The hardware held the tensor engine back: bursts after idle times and high sustained "
          "load do that.") },
  [STRIA_INSIGHT_TRANSPOSE]
  = { N_ ("Transposes"),
      N_ ("Many operations only move data: look for layouts that need no transposes.") },
  [STRIA_INSIGHT_COLLECTIVES]
  = { N_ ("Collectives that stand out"),
      N_ ("One took far longer than its like: look at what the other ranks did then.") },
  [STRIA_INSIGHT_SPILL_RELOAD]
  = { N_ ("Spill reloads"),
      N_ ("Much of what is read was written out before: use smaller tiles, or less at a time.") },
  [STRIA_INSIGHT_SMALL_DMA]
  = { N_ ("Average size of transfers"),
      N_ ("Small transfers don't reach the bandwidth: use contiguous ones of 32 KiB and more.") },
};

static char *
compared_text (const StriaInsight *insight)
{
  g_autofree char *value = NULL;
  g_autofree char *threshold = NULL;

  switch (insight->rule)
    {
    case STRIA_INSIGHT_SMALL_DMA:
      value = stria_neuron_metric_format (insight->value, "B");
      threshold = stria_neuron_metric_format (insight->threshold, "B");
      return g_strdup_printf (_ ("%s; the rule warns below %s"), value, threshold);
    case STRIA_INSIGHT_COLLECTIVES:
      value = stria_format_value (insight->value, "");
      threshold = stria_format_value (insight->threshold, "");
      return g_strdup_printf (_ ("%s: the longest is %s medians; the rule warns above %s (the "
                                 "threshold is not published)"),
                              insight->detail != NULL ? insight->detail : "", value, threshold);
    case STRIA_INSIGHT_MODEL_FLOPS:
      value = stria_format_percent (insight->value);
      threshold = stria_format_percent (insight->threshold);
      return g_strdup_printf (_ ("%s; the rule warns below %s"), value, threshold);
    case STRIA_INSIGHT_NKI_COVERAGE:
      value = stria_format_percent (insight->value);
      threshold = stria_format_percent (insight->threshold);
      return g_strdup_printf (_ ("%s: %s; the rule warns below %s"),
                              insight->detail != NULL ? insight->detail : "", value, threshold);
    case STRIA_INSIGHT_THROTTLING:
      value = stria_format_percent (insight->value);
      return g_strdup_printf (_ ("%s; the rule warns of any"), value);
    case STRIA_INSIGHT_TRANSPOSE:
    case STRIA_INSIGHT_SPILL_RELOAD:
    case STRIA_N_INSIGHTS:
    default:
      value = stria_format_percent (insight->value);
      threshold = stria_format_percent (insight->threshold);
      return g_strdup_printf (_ ("%s; the rule warns above %s"), value, threshold);
    }
}

static void
add_insight (GtkWidget *body, const StriaInsight *insight, GArray *metrics)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *title = stria_summary_text_new (_ (rules[insight->rule].title), FALSE);
  const StriaNeuronMetric *metric
      = insight->metric != NULL ? stria_neuron_metric_find (metrics, insight->metric) : NULL;
  g_autofree char *tip = metric != NULL ? stria_summary_metric_tip (metrics, metric) : NULL;
  g_autofree char *text = insight->missing != NULL
                              ? g_strdup_printf (_ ("not available: needs %s"), insight->missing)
                              : compared_text (insight);
  GtkWidget *compared = stria_summary_text_new (text, TRUE);

  gtk_widget_add_css_class (box, insight->fires ? "insight" : "insight-quiet");
  gtk_box_append (GTK_BOX (box), title);
  stria_summary_explain (compared, tip);
  gtk_box_append (GTK_BOX (box), compared);
  if (insight->fires)
    {
      gtk_widget_add_css_class (title, "heading");
      gtk_box_append (GTK_BOX (box),
                      stria_summary_text_new (_ (rules[insight->rule].advice), FALSE));
    }
  gtk_box_append (GTK_BOX (body), box);
}

static void
add_insights (GtkBox *column, const StriaSummaryFigures *figures)
{
  g_autofree char *note = NULL;
  guint n = 0;
  GtkWidget *body, *expander, *quiet;

  for (guint i = 0; i < figures->insights->len; i++)
    n += ((StriaInsight *) figures->insights->pdata[i])->fires;
  note = g_strdup_printf (ngettext ("%u rule warns", "%u rules warn", n), n);
  body = stria_summary_card_new (column, _ ("Insights"), note);
  for (guint i = 0; i < figures->insights->len; i++)
    if (((StriaInsight *) figures->insights->pdata[i])->fires)
      add_insight (body, figures->insights->pdata[i], figures->metrics);
  if (n == figures->insights->len)
    return;
  expander = gtk_expander_new (_ ("Rules that don't warn"));
  quiet = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_expander_set_child (GTK_EXPANDER (expander), quiet);
  gtk_box_append (GTK_BOX (body), expander);
  for (guint i = 0; i < figures->insights->len; i++)
    if (!((StriaInsight *) figures->insights->pdata[i])->fires)
      add_insight (quiet, figures->insights->pdata[i], figures->metrics);
}

/* -- bounds ---------------------------------------------------------------------------------- */

static void
on_copy_bounds (GtkWidget *button, gpointer text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (button), text);
}

static void
free_text (gpointer text, GClosure *closure)
{
  g_free (text);
}

static const char *
bound_title (StriaBoundKind kind)
{
  switch (kind)
    {
    case STRIA_BOUND_MEMORY:
      return _ ("Memory");
    case STRIA_BOUND_MEMORY_IDEAL:
      return _ ("Memory, ideal");
    case STRIA_BOUND_MEMORY_NO_RELOADS:
      return _ ("Memory, no reloads");
    case STRIA_BOUND_COMPUTE:
      return _ ("Compute");
    case STRIA_BOUND_COMPUTE_FLOPS:
      return _ ("Compute, ideal");
    case STRIA_BOUND_COMPUTE_USEFUL:
      return _ ("Compute, useful");
    case STRIA_BOUND_PIPELINE:
    case STRIA_N_BOUNDS:
    default:
      return _ ("Perfect pipeline");
    }
}

static void
add_bound (GtkWidget *grid, const StriaSummaryFigures *figures, StriaBoundKind kind)
{
  const StriaBound *bound = &figures->bounds.bounds[kind];
  g_autofree char *sentence = stria_bound_sentence (&figures->bounds, kind);
  g_autofree char *inputs = stria_bound_inputs (&figures->bounds, kind, figures->metrics);
  g_autofree char *tip = g_strdup_printf ("%s\n\n%s\n= %s%s%s", sentence, bound->name,
                                          bound->formula, inputs[0] != '\0' ? "\n\n" : "",
                                          inputs);
  g_autofree char *value
      = bound->has_value ? stria_neuron_metric_format (bound->seconds, "s") : NULL;
  gboolean is_memory = kind <= STRIA_BOUND_MEMORY_NO_RELOADS;

  stria_summary_grid_add (grid, bound_title (kind),
                          figures->bounds.has_total ? bound->seconds / figures->bounds.total : -1,
                          is_memory ? 1 : kind == STRIA_BOUND_PIPELINE ? 2 : 0, value,
                          bound->missing, tip);
}

static void
add_bounds (GtkBox *column, const StriaSummaryFigures *figures)
{
  const StriaBounds *bounds = &figures->bounds;
  GtkWidget *body = stria_summary_card_new (column, _ ("Bounds"),
                                            _ ("least time if only one thing counts"));
  GtkWidget *grid = stria_summary_grid_new (body), *button;
  g_autofree char *total
      = bounds->has_total ? stria_neuron_metric_format (bounds->total, "s") : NULL;
  gboolean any = FALSE;

  stria_summary_grid_add (grid, _ ("As it ran"), 1, STRIA_SHARE_GREY, total, "total_time",
                          "total_time");
  for (guint i = 0; i < STRIA_N_BOUNDS; i++)
    add_bound (grid, figures, i);
  for (guint i = 0; i < STRIA_N_GAPS; i++)
    {
      g_autofree char *sentence = NULL;

      if (!bounds->gaps[i].has_value)
        continue;
      any = TRUE;
      sentence = stria_gap_sentence (bounds, i);
      gtk_box_append (GTK_BOX (body), stria_summary_text_new (sentence, FALSE));
    }
  if (!any)
    return;
  button = gtk_button_new_with_mnemonic (_ ("_Copy as Text"));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "caption");
  gtk_widget_set_tooltip_text (button, _ ("Bounds with the numbers behind them"));
  g_signal_connect_data (button, "clicked", G_CALLBACK (on_copy_bounds),
                         stria_bounds_text (bounds, figures->metrics), free_text,
                         G_CONNECT_DEFAULT);
  gtk_box_append (GTK_BOX (body), button);
}

void
stria_summary_neuron_advice (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures)
{
  add_insights (left, figures);
  add_bounds (right, figures);
}
