/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-neuron-memory-parts.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-address-text.h"
#include "stria-choosers.h"
#include "stria-details-rows.h"
#include "stria-format.h"
#include "stria-neuron-summary.h"
#include "stria-summary-cards.h"

#define MAX_NAMES 14

static void
clear (StriaNeuronMemoryView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->panel))) != NULL)
    gtk_box_remove (self->panel, child);
}

static void
add_title (StriaNeuronMemoryView *self, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  gtk_widget_add_css_class (label, "heading");
  if (gtk_widget_get_first_child (GTK_WIDGET (self->panel)) != NULL)
    gtk_widget_set_margin_top (label, 12);
  gtk_box_append (self->panel, label);
}

static GtkWidget *
add_text (StriaNeuronMemoryView *self, const char *text)
{
  GtkWidget *label = stria_summary_text_new (text, TRUE);

  gtk_box_append (self->panel, label);
  return label;
}

/* -- who wrote it ---------------------------------------------------------------------------- */

typedef struct
{
  StriaNeuronMemory *memory;
  GPtrArray         *tables;
  StriaTrace        *trace;
  StriaSbufRange     range;
  guint64            n_rows;
  StriaRef           found;
} Seek;

static void
seek_free (gpointer data)
{
  Seek *seek = data;

  stria_neuron_memory_unref (seek->memory);
  g_ptr_array_unref (seek->tables);
  g_clear_pointer (&seek->trace, stria_trace_unref);
  g_free (seek);
}

/* Events of a row have its number. */
static StriaRef
event_of (StriaTrace *trace, const char *table, guint32 artifact, guint64 row,
          GCancellable *cancellable)
{
  g_autofree char *prefix = g_strdup_printf (STRIA_TABLE_LANE_KEY "%s\x1f", table);

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *columns;

      if (stria_lane_get_artifact (lane) != artifact
          || !g_str_has_prefix (stria_lane_get_key (lane), prefix)
          || g_str_has_suffix (stria_lane_get_key (lane), "\x1fwait")
          || !stria_lane_load (lane, cancellable, NULL))
        continue;
      columns = stria_lane_get_columns (lane);
      for (guint64 i = 0; i < columns->n; i++)
        if (columns->seq[i] == row)
          return (StriaRef){ l, (guint32) i };
    }
  return STRIA_REF_NONE;
}

static void
seek_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Seek *seek = data;
  GError *error = NULL;
  const char *table = NULL;
  guint32 artifact = 0;
  guint64 row = 0;

  seek->found = STRIA_REF_NONE;
  seek->n_rows = stria_neuron_memory_writer (seek->tables, seek->memory, &seek->range, &table,
                                             &artifact, &row, cancellable, &error);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (seek->n_rows == 1 && seek->trace != NULL)
    seek->found = event_of (seek->trace, table, artifact, row, cancellable);
  g_task_return_boolean (task, TRUE);
}

static const char *
why_not_found (const Seek *seek)
{
  if (seek->range.texts[STRIA_SBUF_OPCODE] == 0 && seek->range.texts[STRIA_SBUF_QUEUE] == 0)
    return _ ("The row names neither an opcode nor a queue");
  if (seek->n_rows == 0)
    return _ ("Nothing with this opcode or queue runs when the range becomes occupied");
  if (seek->n_rows > 1)
    return _ ("Several rows may have written it: the table does not say which");
  return _ ("No event of the timeline stands for the row that wrote it");
}

static void
on_sought (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaNeuronMemoryView) self = user_data;
  Seek *seek = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (self->session != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        stria_tell (GTK_WIDGET (self), error->message);
      return;
    }
  if (self->session == NULL || g_task_get_cancellable (G_TASK (result)) != self->seeking)
    return;
  if (stria_ref_is_none (seek->found)
      || seek->trace != stria_session_get_trace (self->session))
    {
      stria_tell (GTK_WIDGET (self), why_not_found (seek));
      return;
    }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-view", "s", "timeline");
  stria_session_reveal (self->session, seek->found);
}

static GCancellable *
begin (StriaNeuronMemoryView *self)
{
  g_cancellable_cancel (self->seeking);
  g_clear_object (&self->seeking);
  self->seeking = g_cancellable_new ();
  return self->seeking;
}

void
stria_neuron_memory_panel_seek (StriaNeuronMemoryView *self)
{
  const StriaAddressView *view = stria_address_map_get_view (STRIA_ADDRESS_MAP (self->map));
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GTask) task = NULL;
  Seek *seek;

  if (self->memory == NULL || view->selected >= self->memory->ranges->len)
    return;
  seek = g_new0 (Seek, 1);
  seek->memory = stria_neuron_memory_ref (self->memory);
  seek->tables = g_ptr_array_ref (self->tables);
  seek->trace = trace != NULL ? stria_trace_ref (trace) : NULL;
  seek->range = g_array_index (self->memory->ranges, StriaSbufRange, view->selected);
  task = g_task_new (NULL, begin (self), on_sought, g_object_ref (self));
  g_task_set_source_tag (task, stria_neuron_memory_panel_seek);
  g_task_set_task_data (task, seek, seek_free);
  g_task_run_in_thread (task, seek_in_thread);
}

static void
fill_range (StriaNeuronMemoryView *self, const StriaAddressView *view)
{
  const StriaSbufRange *range
      = &g_array_index (self->memory->ranges, StriaSbufRange, view->selected);
  const char *name = stria_neuron_memory_text (self->memory, range, STRIA_SBUF_TENSOR);
  g_autoptr (GPtrArray) fields = stria_address_fields (view, view->selected);
  GtkWidget *table = stria_details_table_new ();
  GtkWidget *button = gtk_button_new_with_label (_ ("Show on Timeline"));

  add_title (self, *name != '\0' ? name : _ ("no tensor named"));
  for (guint i = 0; i < fields->len; i++)
    {
      const StriaAddressField *field = fields->pdata[i];

      stria_details_table_add (table, _ (field->name), field->value, field->note);
    }
  gtk_box_append (self->panel, table);
  gtk_widget_set_tooltip_text (
      button, _ ("The instruction of the same core, opcode and operands, or the transfer of the "
                 "same core, queue and block, that runs when the range becomes occupied (Return)"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (stria_neuron_memory_panel_seek), self);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (self->panel, button);
}

/* -- what there is --------------------------------------------------------------------------- */

typedef struct
{
  StriaNeuronMemory *memory;
  gint32             core, partition;
  StriaSbufText      text;
} Shares;

static void
shares_free (gpointer data)
{
  stria_neuron_memory_unref (((Shares *) data)->memory);
  g_free (data);
}

static void
shares_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Shares *shares = data;

  g_task_return_pointer (task,
                         stria_neuron_memory_shares (shares->memory, shares->core,
                                                     shares->partition, shares->text),
                         (GDestroyNotify) g_array_unref);
}

static void
on_shares (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaNeuronMemoryView) self = user_data;
  g_autoptr (GArray) all = g_task_propagate_pointer (G_TASK (result), NULL);
  const Shares *shares = g_task_get_task_data (G_TASK (result));
  GtkWidget *names;
  double sum = 0;

  if (all == NULL || self->session == NULL
      || g_task_get_cancellable (G_TASK (result)) != self->seeking)
    return;
  for (guint i = 0; i < all->len; i++)
    sum += g_array_index (all, StriaSbufShare, i).byte_ns;
  names = stria_summary_names_new (GTK_WIDGET (self->panel), _ ("Name"), _ ("Ranges"),
                                   _ ("Share"));
  for (guint i = 0; i < MIN (all->len, MAX_NAMES); i++)
    {
      const StriaSbufShare *share = &g_array_index (all, StriaSbufShare, i);
      g_autofree char *percent = stria_format_percent (sum > 0 ? share->byte_ns / sum : 0);
      StriaSummaryRow row
          = { .name = *share->name != '\0' ? share->name : _ ("(none named)"),
              .has_number = TRUE,
              .number
              = stria_neuron_memory_ordinal (shares->memory, shares->text, share->name),
              .share = sum > 0 ? share->byte_ns / sum : 0,
              .count = stria_format_count (share->n_ranges),
              .value = g_steal_pointer (&percent),
              .tip = g_strdup_printf (_ ("%s\nIts part of the sum of size × duration of all ranges "
                                         "of this partition"),
                                      *share->name != '\0' ? share->name : _ ("(none named)")) };

      stria_summary_names_add (names, &row);
    }
  if (all->len > MAX_NAMES)
    {
      g_autofree char *count = stria_format_count (all->len - MAX_NAMES);
      g_autofree char *text = g_strdup_printf (
          ngettext ("… and %s more", "… and %s more", all->len - MAX_NAMES), count);

      add_text (self, text);
    }
}

static void
fill_partition (StriaNeuronMemoryView *self, const StriaAddressView *view)
{
  static const StriaSbufText texts[STRIA_N_ADDRESS_COLORS]
      = { STRIA_SBUF_TENSOR, STRIA_SBUF_SOURCE, STRIA_SBUF_OPCODE, STRIA_SBUF_HLO };
  const StriaSbufPressure *p
      = stria_neuron_memory_pressure (self->memory, view->core, view->partition);
  GtkWidget *table = stria_details_table_new ();
  g_autofree char *count = NULL;
  g_autofree char *span = NULL;
  g_autofree char *peak = NULL;
  g_autofree char *when = NULL;
  g_autofree char *mean = NULL;
  g_autofree char *at = NULL;
  g_autoptr (GTask) task = NULL;
  Shares *shares;

  if (p == NULL)
    return;
  count = stria_format_count (p->n_ranges);
  span = stria_format_bytes (p->last - p->first + 1);
  peak = stria_format_bytes ((gint64) p->peak_bytes);
  when = stria_address_time_text (view, p->peak_ns);
  at = g_strdup_printf (_ ("%s at %s"), peak, when);
  mean = stria_format_bytes ((gint64) llround (p->mean_bytes));
  add_title (self, _ ("This Partition"));
  stria_details_table_add (table, _ ("Ranges"), count, _ ("Rows of SbufAllocation"));
  stria_details_table_add (table, _ ("Addresses used"), span,
                           _ ("Highest end_address − lowest start_address + 1; profiles do not say "
                              "how large a partition is"));
  stria_details_table_add (table, _ ("Peak"), at,
                           _ ("Most bytes occupied at once, each counted once"));
  stria_details_table_add (table, _ ("Mean"), mean,
                           _ ("Occupied bytes by time, from the first start to the last end"));
  if (p->mean_fragmentation >= 0)
    {
      g_autofree char *share = stria_format_percent (p->mean_fragmentation);

      stria_details_table_add (table, _ ("Fragmentation"), share,
                               _ ("1 − largest free gap ÷ free bytes among the addresses used, by "
                                  "time"));
    }
  gtk_box_append (self->panel, table);
  add_title (self, _ ("What Occupies It"));
  shares = g_new0 (Shares, 1);
  shares->memory = stria_neuron_memory_ref (self->memory);
  shares->core = view->core;
  shares->partition = view->partition;
  shares->text = texts[view->color];
  task = g_task_new (NULL, begin (self), on_shares, g_object_ref (self));
  g_task_set_source_tag (task, fill_partition);
  g_task_set_task_data (task, shares, shares_free);
  g_task_run_in_thread (task, shares_in_thread);
}

static void
add_patch (GtkWidget *table, StriaColor color, const char *name, const char *value,
           const char *tip)
{
  g_autofree char *markup = g_markup_printf_escaped (
      "<span foreground=\"#%06x\">■</span> %s", stria_color_argb (color) & 0xffffff, name);
  const int row = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (table), "rows"));
  GtkWidget *label = gtk_label_new (NULL), *figure = gtk_label_new (value);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (figure), 1);
  gtk_widget_add_css_class (figure, "numeric");
  stria_summary_explain (label, tip);
  stria_summary_explain (figure, tip);
  gtk_grid_attach (GTK_GRID (table), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (table), figure, 1, row, 1, 1);
  g_object_set_data (G_OBJECT (table), "rows", GINT_TO_POINTER (row + 1));
}

static GtkWidget *
grid_new (StriaNeuronMemoryView *self)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_box_append (self->panel, grid);
  return grid;
}

static void
fill_stack (StriaNeuronMemoryView *self, const StriaAddressView *view)
{
  const StriaMemoryStack *stack = self->memory->stacks->pdata[view->subject];
  const guint n = stack->names->len;
  const gboolean is_peak = view->moment == G_MININT64;
  const gint64 i = is_peak ? stria_memory_stack_peak (stack, G_MININT64, G_MAXINT64)
                           : stria_samples_at (stack->times, view->moment);
  g_autofree char *when = NULL;
  g_autofree char *title = NULL;
  g_autofree char *all = NULL;
  g_autofree char *source = NULL;
  double sum = 0, total;
  GtkWidget *grid;

  if (i < 0)
    return;
  total = g_array_index (stack->totals, double, i);
  when = stria_address_time_text (view, g_array_index (stack->times, gint64, i));
  title = g_strdup_printf (is_peak ? _ ("Peak, at %s") : _ ("At %s"), when);
  all = stria_neuron_metric_format (total, stack->unit);
  add_title (self, title);
  grid = grid_new (self);
  for (guint c = 0; c < n; c++)
    {
      const double value = g_array_index (stack->values, double, (gsize) i * n + c);
      g_autofree char *name = stria_address_category_text (stack->names->pdata[c]);
      g_autofree char *amount = stria_neuron_metric_format (value, stack->unit);
      g_autofree char *tip
          = g_strdup_printf ("%s.%s", stack->table, (const char *) stack->names->pdata[c]);

      sum += value;
      add_patch (grid, stria_address_category (c, view->dark), name, amount, tip);
    }
  if (stack->has_totals && total > sum)
    {
      g_autofree char *amount = stria_neuron_metric_format (total - sum, stack->unit);
      g_autofree char *tip = g_strdup_printf (_ ("%s.total_bytes − all categories"), stack->table);

      add_patch (grid, (StriaColor){ 0.5, 0.5, 0.5 }, _ ("of no category"), amount, tip);
    }
  if (n > 1 || stack->has_totals)
    {
      GtkWidget *table = stria_details_table_new ();

      source = stack->has_totals ? g_strdup_printf ("%s.total_bytes", stack->table)
                                 : g_strdup (_ ("Sum of the categories"));
      stria_details_table_add (table, _ ("Total"), all, source);
      gtk_box_append (self->panel, table);
    }
  if (!g_str_equal (stack->unit, "B"))
    add_text (self, _ ("This is throughput (HbmUsage.current_throughput). What HBM was held for is "
                       "known from a system profile only (SystemProfileHbmUsage)."));
  else
    add_text (self, _ ("Samples hold until the next. Times count from the first sample."));
}

static void
fill_fullness (StriaNeuronMemoryView *self, const StriaAddressView *view)
{
  const StriaFullness *fullness = self->memory->fullness->pdata[view->subject];
  const gboolean is_moment = view->moment != G_MININT64;
  const gint64 at = is_moment ? stria_samples_at (fullness->times, view->moment) : -1;
  GtkWidget *table = stria_details_table_new ();
  g_autofree char *title = NULL;

  if (at >= 0)
    {
      g_autofree char *when
          = stria_address_time_text (view, g_array_index (fullness->times, gint64, at));

      title = g_strdup_printf (_ ("At %s"), when);
    }
  add_title (self, title != NULL ? title : _ ("Fullest"));
  for (guint part = fullness->n_parts; part > 0; part--)
    {
      float share = at >= 0 ? g_array_index (fullness->shares, float,
                                             (gsize) at * fullness->n_parts + part - 1)
                            : NAN;
      g_autofree char *name = g_strdup_printf (fullness->is_psum ? _ ("bank %u")
                                                                 : _ ("partition %u"),
                                               fullness->parts[part - 1]);
      g_autofree char *tip = g_strdup_printf (
          "%s_%u_util_percent", fullness->is_psum ? "PsumUsage.bank" : "SbufUsage.partition",
          fullness->parts[part - 1]);
      g_autofree char *value = NULL;

      if (at < 0)
        share = fullness->most[part - 1];
      value = isnan (share) ? g_strdup (_ ("no value"))
                            : stria_format_percent ((double) share / 100);
      stria_details_table_add (table, name, value, tip);
    }
  gtk_box_append (self->panel, table);
  add_text (self, _ ("Samples hold until the next. The full height of a part is 100 %."));
}

void
stria_neuron_memory_panel_fill (StriaNeuronMemoryView *self)
{
  const StriaAddressView *view = stria_address_map_get_view (STRIA_ADDRESS_MAP (self->map));

  clear (self);
  begin (self);
  if (self->memory == NULL || view->memory != self->memory)
    return;
  if (view->kind == STRIA_ADDRESS_STACK)
    fill_stack (self, view);
  else if (view->kind == STRIA_ADDRESS_FULLNESS)
    fill_fullness (self, view);
  else if (view->selected != STRIA_NO_RANGE)
    fill_range (self, view);
  else
    fill_partition (self, view);
}
