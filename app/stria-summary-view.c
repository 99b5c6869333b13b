/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-summary-view.h"

#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-format.h"
#include "stria-retell.h"
#include "stria-stats.h"
#include "stria-summary-cards.h"
#include "stria-summary-facts.h"
#include "stria-summary-figures.h"
#include "stria-swatch.h"

#define MAX_CATEGORIES 60

struct _StriaSummaryView
{
  GtkWidget parent_instance;

  StriaSession *session;
  GCancellable *cancellable;
  guint         artifact;
  gboolean      filling;

  GtkDropDown *artifact_drop_down;
  GtkBox      *figures;
  GtkBox      *left;
  GtkBox      *right;
  GtkWidget   *categories; /* body of their card */
};

G_DEFINE_FINAL_TYPE (StriaSummaryView, stria_summary_view, GTK_TYPE_WIDGET)

static void
stats_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  StriaTrace *trace = task_data;
  GError *error = NULL;
  StriaStats *stats;
  gint64 t0, t1;

  if (!stria_trace_get_range (trace, &t0, &t1))
    {
      g_task_return_new_error (task, STRIA_ERROR, STRIA_ERROR_EMPTY, "%s",
                               _ ("There are no events"));
      return;
    }
  stats = stria_stats_new (trace, NULL, 0, t0, t1, cancellable, &error);
  if (stats == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, stats, (GDestroyNotify) stria_stats_free);
}

static void
attach (GtkWidget *grid, const char *text, int column, int row, gboolean is_heading)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 1 ? 0 : 1);
  gtk_widget_add_css_class (label, is_heading ? "dim-label" : "numeric");
  if (is_heading)
    gtk_widget_add_css_class (label, "caption");
  if (column == 1)
    {
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_set_tooltip_text (label, text);
    }
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

static void
on_stats (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaSummaryView) self = user_data;
  gboolean stale = g_task_get_cancellable (G_TASK (result)) != self->cancellable;
  StriaTrace *trace = g_task_get_task_data (G_TASK (result));
  g_autoptr (StriaStats) stats = g_task_propagate_pointer (G_TASK (result), NULL);
  GtkWidget *grid, *child;
  double greatest = 0;

  if (stale || stats == NULL || self->categories == NULL)
    return;

  while ((child = gtk_widget_get_first_child (self->categories)) != NULL)
    gtk_box_remove (GTK_BOX (self->categories), child);
  grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  attach (grid, _ ("Category"), 1, 0, TRUE);
  attach (grid, _ ("Slices"), 2, 0, TRUE);
  attach (grid, _ ("Total"), 3, 0, TRUE);
  attach (grid, _ ("Self"), 4, 0, TRUE);
  if (stats->by_category->len > 0)
    greatest = (double) g_array_index (stats->by_category, StriaStatsRow, 0).total_ns;
  for (guint i = 0; i < stats->by_category->len && i < MAX_CATEGORIES; i++)
    {
      const StriaStatsRow *row = &g_array_index (stats->by_category, StriaStatsRow, i);
      const char *name = stria_trace_get_category (trace, row->key);
      g_autofree char *count = stria_format_count (row->count);
      g_autofree char *total = stria_format_duration (row->total_ns, 4);
      g_autofree char *self_time = stria_format_duration (row->self_ns, 4);
      GtkWidget *bar = stria_swatch_new_bar ();

      stria_swatch_set_name (STRIA_SWATCH (bar), name);
      stria_swatch_set_share (STRIA_SWATCH (bar),
                              greatest > 0 ? (double) row->total_ns / greatest : 0);
      gtk_grid_attach (GTK_GRID (grid), bar, 0, (int) i + 1, 1, 1);
      attach (grid, *name != '\0' ? name : _ ("(no category)"), 1, (int) i + 1, FALSE);
      attach (grid, count, 2, (int) i + 1, FALSE);
      attach (grid, total, 3, (int) i + 1, FALSE);
      attach (grid, self_time, 4, (int) i + 1, FALSE);
    }
  gtk_box_append (GTK_BOX (self->categories), grid);
}

static void
start_stats (StriaSummaryView *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (trace == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_stats, g_object_ref (self));
  g_task_set_source_tag (task, start_stats);
  g_task_set_task_data (task, stria_trace_ref (trace), (GDestroyNotify) stria_trace_unref);
  g_task_run_in_thread (task, stats_in_thread);
}

static void
clear_box (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static void
fill_drop_down (StriaSummaryView *self)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  guint n = stria_capture_get_n_artifacts (capture);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (names,
                            stria_artifact_get_name (stria_capture_get_artifact (capture, i)));
  self->filling = TRUE;
  gtk_drop_down_set_model (self->artifact_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->artifact_drop_down, self->artifact);
  gtk_widget_set_visible (GTK_WIDGET (self->artifact_drop_down), n > 1);
  self->filling = FALSE;
}

static void
update (StriaSummaryView *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  GtkWidget *label;

  self->categories = NULL;
  clear_box (self->left);
  clear_box (self->right);
  /* Off screen nobody looks at it, and a trace changes often while it is read. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;

  /* Captures of memory and of programs have none. */
  if (trace == NULL || stria_trace_get_n_events (trace) > 0)
    {
      self->categories = stria_summary_card_new (self->right, _ ("Slices by Category"), NULL);
      label = gtk_label_new (trace != NULL ? _ ("Counting…") : _ ("No events yet"));
      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (self->categories), label);
    }
  stria_summary_facts_fill (self->left, self->right, self->session, self->artifact);
  start_stats (self);
}

static void
on_artifact_selected (StriaSummaryView *self)
{
  guint selected = gtk_drop_down_get_selected (self->artifact_drop_down);

  if (self->filling || selected == GTK_INVALID_LIST_POSITION || selected == self->artifact)
    return;
  self->artifact = selected;
  update (self);
}

static void
stria_summary_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_summary_view_parent_class)->map (widget);
  fill_drop_down (STRIA_SUMMARY_VIEW (widget));
  update (STRIA_SUMMARY_VIEW (widget));
}

static void
stria_summary_view_dispose (GObject *object)
{
  StriaSummaryView *self = STRIA_SUMMARY_VIEW (object);
  GtkWidget *child;

  self->categories = NULL;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_summary_view_parent_class)->dispose (object);
}

static void
stria_summary_view_class_init (StriaSummaryViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_summary_view_dispose;
  widget_class->map = stria_summary_view_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-summary-view.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, artifact_drop_down);
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, figures);
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, left);
  gtk_widget_class_bind_template_child (widget_class, StriaSummaryView, right);
  gtk_widget_class_bind_template_callback (widget_class, on_artifact_selected);
}

static void
stria_summary_view_init (StriaSummaryView *self)
{
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->filling = FALSE;
}

/**
 * stria_summary_view_new:
 * @session: whose capture it is about
 *
 * Returns: (transfer full): the view
 */
GtkWidget *
stria_summary_view_new (StriaSession *session)
{
  StriaSummaryView *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_SUMMARY_VIEW, NULL);
  self->session = g_object_ref (session);
  gtk_box_append (self->figures, stria_summary_figures_view_new (session));
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  return GTK_WIDGET (self);
}
