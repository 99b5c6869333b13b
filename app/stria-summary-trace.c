/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-neuron.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-share-chart.h"
#include "stria-summary-cards.h"

#define MAX_ROWS  12
#define MAX_STEPS 24

enum
{
  COMPUTE_SERIES = 0,
  COMMUNICATION_SERIES = 1,
  MEMORY_SERIES = 3,
};

static char *
ns_text (double ns)
{
  return stria_format_duration ((gint64) llround (CLAMP (ns, -9e18, 9e18)), 4);
}

static double
length_of (const StriaActivity *activity)
{
  return (double) activity->end_ns - (double) activity->start_ns;
}

static void
add_share (GtkWidget *grid, const char *title, double ns, double whole, guint series,
           const char *formula)
{
  g_autofree char *share = stria_format_percent (whole > 0 ? ns / whole : 0);
  g_autofree char *time = ns_text (ns);
  g_autofree char *all = ns_text (whole);
  g_autofree char *value = g_strdup_printf ("%s · %s", share, time);
  g_autofree char *tip = g_strdup_printf (_ ("%s\n\n%s of %s"), formula, time, all);

  stria_summary_grid_add (grid, title, whole > 0 ? ns / whole : 0, series, value, NULL, tip);
}

/* -- devices --------------------------------------------------------------------------------- */

static void
add_parts (GtkWidget *chart, const StriaTimes *times, double whole)
{
  double kernels = times->compute_ns + times->communication_ns - times->hidden_ns;

  if (whole <= 0)
    return;
  stria_share_chart_add (STRIA_SHARE_CHART (chart), times->compute_ns / whole, COMPUTE_SERIES);
  stria_share_chart_add (STRIA_SHARE_CHART (chart), (kernels - times->compute_ns) / whole,
                         COMMUNICATION_SERIES);
  stria_share_chart_add (STRIA_SHARE_CHART (chart), (times->busy_ns - kernels) / whole,
                         MEMORY_SERIES);
}

static void
add_overlap (GtkWidget *grid, const StriaTimes *times)
{
  g_autofree char *share = NULL;
  g_autofree char *hidden = ns_text (times->hidden_ns);
  g_autofree char *value = NULL;

  if (times->communication_ns <= 0)
    {
      stria_summary_grid_add (grid, _ ("Overlap"), -1, 0, NULL, _ ("a communication kernel"),
                              _ ("Communication while a kernel computes / communication"));
      return;
    }
  share = stria_format_percent (times->hidden_ns / times->communication_ns);
  value = g_strdup_printf ("%s · %s", share, hidden);
  stria_summary_grid_add (grid, _ ("Overlap"), times->hidden_ns / times->communication_ns,
                          COMMUNICATION_SERIES, value, NULL,
                          _ ("Communication while a kernel computes / communication. The rest of "
                             "it is exposed: nothing was computed meanwhile."));
}

static void
add_bound (GtkWidget *body, const StriaTimes *times, double whole)
{
  double longest = MAX (MAX (times->compute_ns, times->communication_ns), times->memory_ns);
  const char *of = longest == times->compute_ns         ? _ ("computing")
                   : longest == times->communication_ns ? _ ("communication")
                                                        : _ ("copies");
  g_autofree char *time = ns_text (longest);
  g_autofree char *speedup = stria_format_value (whole / MAX (longest, 1), "");
  g_autofree char *text = NULL;
  GtkWidget *label;

  if (longest <= 0)
    return;
  text = g_strdup_printf (_ ("With everything at once, %s alone would take %s: the whole would be "
                             "at most %s times as fast."), of, time, speedup);
  label = stria_summary_text_new (text, TRUE);
  stria_summary_explain (label, _ ("A perfect pipeline, as the published bounds of Neuron profiles "
                                   "have it: length of the range / max (computing, communication, "
                                   "copies). Bounds by bandwidth or operations are not available: "
                                   "a trace does not say the peaks of its device."));
  gtk_box_append (GTK_BOX (body), label);
}

static void
add_device (GtkBox *column, const StriaSummaryFigures *figures, guint index)
{
  const StriaActivity *activity = figures->activity;
  const StriaDeviceActivity *device
      = &g_array_index (activity->devices, StriaDeviceActivity, index);
  const StriaTimes *times = &device->times;
  double whole = length_of (activity);
  g_autofree char *title = stria_trace_process_title (figures->trace, device->process);
  g_autofree char *note
      = g_strdup_printf (ngettext ("%u stream", "%u streams", device->n_streams),
                         device->n_streams);
  g_autofree char *kernels = stria_format_count (device->n_kernels);
  g_autofree char *talks = stria_format_count (device->n_communications);
  g_autofree char *copies = stria_format_count (device->n_copies);
  GtkWidget *body = stria_summary_card_new (column, title, note);
  GtkWidget *bar = stria_share_chart_new (STRIA_SHARE_BAR), *grid;
  g_autofree char *counts = g_strdup_printf (_ ("%s computing kernels, %s of communication, %s "
                                                "copies and fills"), kernels, talks, copies);

  gtk_widget_set_size_request (bar, 48, 18);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What the device's time was used for"), -1);
  add_parts (bar, times, whole);
  gtk_box_append (GTK_BOX (body), bar);
  grid = stria_summary_grid_new (body);
  add_share (grid, _ ("Computing"), times->compute_ns, whole, COMPUTE_SERIES,
             _ ("Union of kernels that don't communicate"));
  add_share (grid, _ ("Communication"), times->communication_ns, whole, COMMUNICATION_SERIES,
             _ ("Union of kernels with the name of a communication library (nccl, rccl, oneccl, "
                "hccl)"));
  add_share (grid, _ ("Copies and fills"), times->memory_ns, whole, MEMORY_SERIES,
             _ ("Union of gpu_memcpy and gpu_memset"));
  add_share (grid, _ ("Idle"), MAX (whole - times->busy_ns, 0), whole, STRIA_SHARE_GREY,
             _ ("Length of the range without the union of all of them"));
  add_overlap (grid, times);
  gtk_box_append (GTK_BOX (body), stria_summary_text_new (counts, TRUE));
  add_bound (body, times, whole);
}

static void
add_streams (GtkBox *column, const StriaSummaryFigures *figures)
{
  const StriaActivity *activity = figures->activity;
  double whole = length_of (activity);
  GtkWidget *body, *grid;

  if (activity->streams->len == 0)
    return;
  body = stria_summary_card_new (column, _ ("Streams"), _ ("busy, of the range"));
  grid = stria_summary_grid_new (body);
  for (guint i = 0; i < activity->streams->len && i < MAX_STEPS; i++)
    {
      const StriaStreamActivity *stream
          = &g_array_index (activity->streams, StriaStreamActivity, i);
      StriaLane *lane = stria_trace_get_lane (figures->trace, stream->lane);
      g_autofree char *compute = ns_text (stream->times.compute_ns);
      g_autofree char *talk = ns_text (stream->times.communication_ns);
      g_autofree char *copy = ns_text (stream->times.memory_ns);
      g_autofree char *count = stria_format_count (stream->n_slices);
      g_autofree char *share
          = stria_format_percent (whole > 0 ? stream->times.busy_ns / whole : 0);
      g_autofree char *busy = ns_text (stream->times.busy_ns);
      g_autofree char *value = g_strdup_printf ("%s · %s", share, busy);
      g_autofree char *process = stria_trace_process_title (
          figures->trace, stria_lane_get_process (lane));
      g_autofree char *tip
          = g_strdup_printf (_ ("%s, %s: union of its slices. Computing %s, communication %s, "
                                "copies %s; %s slices"), process, stria_lane_get_name (lane),
                             compute, talk, copy, count);

      stria_summary_grid_add (grid, stria_lane_get_name (lane),
                              whole > 0 ? stream->times.busy_ns / whole : 0, COMPUTE_SERIES, value,
                              NULL, tip);
    }
}

static void
add_steps (GtkBox *column, const StriaSummaryFigures *figures)
{
  GArray *steps = figures->activity->steps;
  guint n = figures->activity->devices->len;
  GtkWidget *body, *grid;

  if (steps->len == 0)
    return;
  body = stria_summary_card_new (column, _ ("Steps"), _ ("device busy, of the step"));
  grid = stria_summary_grid_new (body);
  for (guint i = 0; i < steps->len && i < MAX_STEPS; i++)
    {
      const StriaStepActivity *step = &g_array_index (steps, StriaStepActivity, i);
      const StriaDeviceActivity *device
          = &g_array_index (figures->activity->devices, StriaDeviceActivity, step->device);
      double whole = (double) step->end_ns - (double) step->start_ns;
      double exposed = step->times.communication_ns - step->times.hidden_ns;
      const char *name = stria_trace_get_string (figures->trace, step->name);
      g_autofree char *process = stria_trace_process_title (figures->trace, device->process);
      g_autofree char *title
          = n > 1 ? g_strdup_printf ("%s, %s", name, process) : g_strdup (name);
      g_autofree char *length = ns_text (whole);
      g_autofree char *share
          = stria_format_percent (whole > 0 ? step->times.busy_ns / whole : 0);
      g_autofree char *value = g_strdup_printf (_ ("%s of %s"), share, length);
      g_autofree char *compute = ns_text (step->times.compute_ns);
      g_autofree char *open = ns_text (exposed);
      g_autofree char *idle = ns_text (MAX (whole - step->times.busy_ns, 0));
      g_autofree char *tip
          = g_strdup_printf (_ ("%s: what ran on the device between its begin and end, whichever "
                                "step started it. Computing %s, exposed communication %s, idle "
                                "%s"), title, compute, open, idle);

      stria_summary_grid_add (grid, title, whole > 0 ? step->times.busy_ns / whole : 0,
                              COMPUTE_SERIES, value, NULL, tip);
    }
  if (steps->len > MAX_STEPS)
    {
      g_autofree char *more = stria_format_count (steps->len - MAX_STEPS);
      g_autofree char *text = g_strdup_printf (
          ngettext ("… and %s more", "… and %s more", steps->len - MAX_STEPS), more);

      gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
    }
}

/* -- names ----------------------------------------------------------------------------------- */

static void
add_names (GtkBox *column, const StriaSummaryFigures *figures, const char *title,
           const char *name_title, GArray *rows, gboolean by_self)
{
  GtkWidget *body, *names;
  gint64 longest = 0;

  if (rows->len == 0)
    return;
  body = stria_summary_card_new (column, title, NULL);
  names = stria_summary_names_new (body, name_title, _ ("Count"),
                                   by_self ? _ ("Self") : _ ("Total"));
  for (guint i = 0; i < rows->len && i < MAX_ROWS; i++)
    {
      const StriaNameActivity *name = &g_array_index (rows, StriaNameActivity, i);
      gint64 time = by_self ? name->self_ns : name->total_ns;
      const char *text = stria_trace_get_string (figures->trace, name->name);
      g_autofree char *total = ns_text ((double) name->total_ns);
      g_autofree char *self = ns_text ((double) name->self_ns);
      StriaSummaryRow row = { .name = text };

      longest = MAX (longest, time);
      row.share = longest > 0 ? (double) time / (double) longest : 0;
      row.count = stria_format_count (name->count);
      row.value = ns_text ((double) time);
      row.tip = g_strdup_printf (_ ("%s\nSum of durations in the range: %s\nWithout what they "
                                    "called: %s"), text, total, self);
      stria_summary_names_add (names, &row);
    }
  if (rows->len > MAX_ROWS)
    {
      g_autofree char *more = stria_format_count (rows->len - MAX_ROWS);
      g_autofree char *text = g_strdup_printf (
          ngettext ("… and %s more", "… and %s more", rows->len - MAX_ROWS), more);

      gtk_box_append (GTK_BOX (body), stria_summary_text_new (text, TRUE));
    }
}

void
stria_summary_trace_fill (GtkBox *left, GtkBox *right, const StriaSummaryFigures *figures)
{
  const StriaActivity *activity = figures->activity;

  if (activity->devices->len == 0)
    gtk_box_append (
        GTK_BOX (stria_summary_card_new (left, _ ("Devices"), NULL)),
        stria_summary_text_new (_ ("not available: needs kernels or copies of a device, which were "
                                   "not recorded here"), TRUE));
  for (guint i = 0; i < activity->devices->len; i++)
    add_device (left, figures, i);
  add_streams (left, figures);
  add_steps (left, figures);
  add_names (right, figures, _ ("Top Operators"), _ ("Operator"), activity->operators, TRUE);
  add_names (right, figures, _ ("Top Kernels"), _ ("Kernel"), activity->kernels, FALSE);
}
