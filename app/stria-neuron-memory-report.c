/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-memory-parts.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-neuron-summary.h"
#include "stria-summary-cards.h"

static const char *const titles[STRIA_MEMORY_N_FIGURES] = {
  [STRIA_MEMORY_SPILL_SAVE] = N_ ("Bytes spilled"),
  [STRIA_MEMORY_SPILL_SAVES] = N_ ("Transfers that spill"),
  [STRIA_MEMORY_SPILL_RELOAD] = N_ ("Spilled bytes reloaded"),
  [STRIA_MEMORY_SPILL_RELOADS] = N_ ("Transfers that reload"),
  [STRIA_MEMORY_RELOAD_SHARE] = N_ ("Reloads of all loads"),
  [STRIA_MEMORY_INPUT_RELOAD] = N_ ("Inputs loaded again"),
  [STRIA_MEMORY_EXCESS] = N_ ("Moved per input and output byte"),
  [STRIA_MEMORY_COVERAGE] = N_ ("Packets in transfers"),
};

static void
add_figures (GtkBox *column, const StriaNeuronMemory *memory)
{
  GtkWidget *body = stria_summary_card_new (column, _ ("Spills and Reloads"), NULL);
  GtkWidget *grid = stria_summary_grid_new (body);

  for (guint i = 0; i < STRIA_MEMORY_N_FIGURES; i++)
    {
      const StriaMemoryFigure *figure = &memory->figures[i];
      g_autofree char *value = NULL;
      g_autofree char *tip = g_strdup_printf ("= %s", figure->formula);

      if (figure->missing == NULL)
        value = i == STRIA_MEMORY_SPILL_SAVES || i == STRIA_MEMORY_SPILL_RELOADS
                    ? stria_format_count ((guint64) figure->value)
                    : i == STRIA_MEMORY_EXCESS
                          ? g_strdup_printf ("%.2f ×", figure->value)
                          : stria_neuron_metric_format (figure->value, figure->unit);
      stria_summary_grid_add (grid, _ (titles[i]), -1, 0, value, figure->missing, tip);
    }
}

static void
add_bytes (GtkWidget *grid, const char *title, double bytes, double of, gint64 when,
           const char *tip)
{
  g_autofree char *text = stria_format_bytes ((gint64) llround (bytes));
  g_autofree char *both = NULL;

  if (when != G_MININT64)
    {
      g_autofree char *time = stria_format_time (when, 1000);

      /* Translators: bytes, a time */
      both = g_strdup_printf (_ ("%s at %s"), text, time);
    }
  stria_summary_grid_add (grid, title, of > 0 ? bytes / of : -1, 0, both != NULL ? both : text,
                          NULL, tip);
}

static void
add_share (GtkWidget *grid, const char *title, double share, const char *tip)
{
  g_autofree char *text = share >= 0 ? stria_format_percent (share) : NULL;

  stria_summary_grid_add (grid, title, share, 1, text, _ ("times at which something is free"), tip);
}

static void
add_pressure (GtkBox *column, const StriaSbufPressure *p)
{
  const double span = (double) (p->last - p->first) + 1;
  g_autofree char *partition
      = p->partition < 0 ? g_strdup (_ ("SBUF, no partition told"))
                         : g_strdup_printf (_ ("SBUF Partition %d"), p->partition);
  g_autofree char *core = p->core < 0 ? NULL : g_strdup_printf (_ ("Core %d"), p->core);
  g_autofree char *count = stria_format_count (p->n_ranges);
  GtkWidget *body = stria_summary_card_new (column, partition, core);
  GtkWidget *grid = stria_summary_grid_new (body);

  stria_summary_grid_add (grid, _ ("Ranges"), -1, 0, count, NULL, _ ("Rows of SbufAllocation"));
  add_bytes (grid, _ ("Addresses used"), span, -1, G_MININT64,
             _ ("Highest end_address − lowest start_address + 1; profiles do not say how large a "
                "partition is"));
  add_bytes (grid, _ ("Peak"), (double) p->peak_bytes, span, p->peak_ns,
             _ ("Most bytes occupied at once, each counted once; the bar is its part of the "
                "addresses used"));
  add_bytes (grid, _ ("Mean"), p->mean_bytes, span, G_MININT64,
             _ ("Occupied bytes by time, from the first start to the last end"));
  add_share (grid, _ ("Fragmentation, mean"), p->mean_fragmentation,
             _ ("1 − largest free gap ÷ free bytes among the addresses used, by time, while "
                "something is occupied and something is free"));
  add_share (grid, _ ("Fragmentation at peak"), p->peak_fragmentation,
             _ ("1 − largest free gap ÷ free bytes among the addresses used, at the peak"));
  add_share (grid, _ ("Fragmentation, worst"), p->worst_fragmentation,
             _ ("The largest 1 − largest free gap ÷ free bytes among the addresses used"));
}

GtkWidget *
stria_memory_report_new (StriaNeuronMemory *memory)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *columns = gtk_flow_box_new ();
  GtkBox *boxes[2];

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (columns), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (columns), 2);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (columns), TRUE);
  gtk_widget_set_valign (columns, GTK_ALIGN_START);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *child = gtk_flow_box_child_new ();

      boxes[i] = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12));
      gtk_widget_set_size_request (GTK_WIDGET (boxes[i]), 320, -1);
      gtk_widget_set_valign (GTK_WIDGET (boxes[i]), GTK_ALIGN_START);
      gtk_widget_set_focusable (child, FALSE);
      gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), GTK_WIDGET (boxes[i]));
      gtk_flow_box_append (GTK_FLOW_BOX (columns), child);
    }
  gtk_widget_set_margin_start (columns, 12);
  gtk_widget_set_margin_end (columns, 12);
  gtk_widget_set_margin_top (columns, 12);
  gtk_widget_set_margin_bottom (columns, 12);
  add_figures (boxes[0], memory);
  for (guint i = 0; i < memory->pressures->len; i++)
    add_pressure (boxes[i < memory->pressures->len / 2 ? 0 : 1],
                  &g_array_index (memory->pressures, StriaSbufPressure, i));
  if (memory->pressures->len == 0)
    {
      GtkWidget *body = stria_summary_card_new (boxes[1], _ ("Fragmentation of SBUF"), NULL);
      g_autofree char *text
          = g_strdup_printf (_ ("not available: needs %s"), memory->missing != NULL
                                                                ? memory->missing
                                                                : "SbufAllocation");

      gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
    }
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), columns);
  return scrolled;
}
