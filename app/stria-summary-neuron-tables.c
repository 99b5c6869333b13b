/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-neuron.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-summary-cards.h"

#define MAX_ROWS 12

static char *
ns_text (double ns)
{
  return stria_format_duration ((gint64) llround (CLAMP (ns, -9e18, 9e18)), 4);
}

static void
add_more (GtkWidget *body, guint n)
{
  g_autofree char *count = stria_format_count (n - MAX_ROWS);
  g_autofree char *text = NULL;

  text = g_strdup_printf (ngettext ("… and %s more", "… and %s more", n - MAX_ROWS), count);
  gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
}

static char *
group_tip (const StriaNeuronGroup *group)
{
  g_autofree char *sum = ns_text (group->time_ns);
  g_autofree char *busy = ns_text (group->busy_ns);
  GString *tip = g_string_new (group->name);

  g_string_append_c (tip, '\n');
  g_string_append_printf (tip, _ ("Sum of durations: %s"), sum);
  g_string_append_c (tip, '\n');
  g_string_append_printf (tip, _ ("Time in which at least one ran: %s"), busy);
  if (group->has_flops)
    {
      g_autofree char *flops = stria_neuron_metric_format (group->flops, "flop");

      g_string_append_c (tip, '\n');
      g_string_append_printf (tip, _ ("Operations: %s"), flops);
    }
  if (group->has_bytes)
    {
      g_autofree char *bytes = stria_neuron_metric_format (group->bytes, "B");

      g_string_append_c (tip, '\n');
      g_string_append_printf (tip, _ ("HBM read and written: %s"), bytes);
    }
  return g_string_free (tip, FALSE);
}

static void
add_groups (GtkBox *column, const char *title, const char *note, const char *name_title,
            GPtrArray *groups, const char *missing)
{
  GtkWidget *body = stria_summary_card_new (column, title, note), *names;

  if (groups->len == 0)
    {
      gtk_box_append (GTK_BOX (body), stria_summary_text_new (missing, TRUE));
      return;
    }
  names = stria_summary_names_new (body, name_title, _ ("Count"), _ ("Time"));
  for (guint i = 0; i < groups->len && i < MAX_ROWS; i++)
    {
      const StriaNeuronGroup *group = groups->pdata[i], *longest = groups->pdata[0];
      StriaSummaryRow row = {
        .name = group->name[0] != '\0' ? group->name : _ ("(no name)"),
        .note = group->engine[0] != '\0' ? group->engine : NULL,
        .share = longest->time_ns > 0 ? group->time_ns / longest->time_ns : 0,
        .count = stria_format_count (group->count),
        .value = ns_text (group->time_ns),
        .tip = group_tip (group),
      };

      stria_summary_names_add (names, &row);
    }
  if (groups->len > MAX_ROWS)
    add_more (body, groups->len);
}

/* -- collectives ----------------------------------------------------------------------------- */

static void
add_collective (GtkWidget *body, const StriaNeuronCollective *group)
{
  g_autofree char *size = group->bytes >= 0 ? stria_format_bytes (group->bytes) : NULL;
  g_autofree char *count = stria_format_count (group->count);
  g_autofree char *min = ns_text (group->min_ns), *q1 = ns_text (group->q1_ns);
  g_autofree char *median = ns_text (group->median_ns), *mean = ns_text (group->mean_ns);
  g_autofree char *q3 = ns_text (group->q3_ns), *max = ns_text (group->max_ns);
  g_autofree char *deviation = ns_text (sqrt (group->variance));
  g_autofree char *algorithm = stria_neuron_metric_format (group->algorithm_bandwidth, "B/s");
  g_autofree char *bus = stria_neuron_metric_format (group->bus_bandwidth, "B/s");
  g_autofree char *title
      = g_strdup_printf ("%s%s%s × %s", group->operation, size != NULL ? " " : "",
                         size != NULL ? size : "", count);
  g_autofree char *spread
      = g_strdup_printf (_ ("median %s · quartiles %s to %s · from %s to %s · mean %s ± %s"),
                         median, q1, q3, min, max, mean, deviation);
  GString *more = g_string_new (NULL);
  GtkWidget *label = gtk_label_new (title), *text;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_box_append (GTK_BOX (body), label);
  if (group->algorithm_bandwidth > 0)
    g_string_append_printf (more, _ ("algorithm bandwidth %s"), algorithm);
  if (group->bus_bandwidth > 0)
    {
      g_string_append (more, more->len > 0 ? " · " : "");
      g_string_append_printf (more, _ ("bus bandwidth %s"), bus);
    }
  if (group->n_outliers > 0)
    {
      g_autofree char *outliers = stria_format_count (group->n_outliers);

      g_string_append (more, more->len > 0 ? " · " : "");
      g_string_append_printf (more, ngettext ("%s is longer than twice the median",
                                              "%s are longer than twice the median",
                                              group->n_outliers), outliers);
    }
  text = stria_summary_text_new (spread, TRUE);
  stria_summary_explain (text, _ ("Durations of CcOp rows of this operation and size; quartiles "
                                  "lie between two values in proportion; ± is the standard "
                                  "deviation"));
  gtk_box_append (GTK_BOX (body), text);
  if (more->len > 0)
    {
      text = stria_summary_text_new (more->str, TRUE);
      stria_summary_explain (text, _ ("Algorithm bandwidth = max (input_size, output_size) / "
                                      "duration_ns; bus bandwidth: mean of CcOp.bus_bandwidth"));
      gtk_box_append (GTK_BOX (body), text);
    }
  g_string_free (more, TRUE);
}

static void
add_collectives (GtkBox *column, const StriaSummaryFigures *figures)
{
  GPtrArray *groups = figures->groups->collectives;
  GtkWidget *body = stria_summary_card_new (column, _ ("Collectives"), NULL), *grid;

  grid = stria_summary_grid_new (body);
  stria_summary_grid_metric (grid, figures->metrics, "cc_op_count", _ ("Count"), FALSE);
  stria_summary_grid_metric (grid, figures->metrics, "cc_op_active_time_percent", _ ("Active"),
                             TRUE);
  stria_summary_grid_metric (grid, figures->metrics, "cc_op_time", _ ("Sum of durations"), FALSE);
  for (guint i = 0; i < groups->len && i < MAX_ROWS; i++)
    add_collective (body, groups->pdata[i]);
  if (groups->len > MAX_ROWS)
    add_more (body, groups->len);
}

void
stria_summary_neuron_tables (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures)
{
  const StriaNeuronGroups *groups = figures->groups;

  add_collectives (right, figures);
  add_groups (left, _ ("Top Operators"), groups->operator_column, _ ("Operator"),
              groups->operators,
              groups->operator_column == NULL
                  ? _ ("not available: no instruction says its layer, HLO or compiler name; they "
                       "come with debug variables set at compile time")
                  : _ ("No instruction here"));
  add_groups (right, _ ("Top Opcodes"), NULL, _ ("Opcode"), groups->opcodes,
              _ ("No instruction here"));
}
