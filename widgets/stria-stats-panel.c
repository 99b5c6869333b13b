/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-stats-panel.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-error.h"
#include "stria-format.h"
#include "stria-retell.h"
#include "stria-stats-columns.h"
#include "stria-stats-item.h"
#include "stria-stats.h"

/* Percentiles cost a pass of their own, so they wait until a drag has come to rest. */
#define PERCENTILES_DELAY_MS 200

struct _StriaStatsPanel
{
  GtkWidget parent_instance;

  StriaSession *session;

  StriaStats   *stats; /* NULL while the worker has it */
  StriaTrace   *stats_trace;
  GArray       *stats_lanes; /* guint32; NULL = all */
  GCancellable *cancellable; /* of the worker's job, NULL when idle */
  gboolean      stale;       /* the range has changed since the job began */
  guint         percentiles_timeout;

  GListStore      *store;
  GtkStringFilter *filter;

  GtkToggleButton *by_name_button;
  GtkLabel        *summary_label;
  GtkSpinner      *spinner;
  GtkEditable     *filter_entry;
  GtkWidget       *copy_button;
  GtkWidget       *save_button;
  GtkStack        *stack;
  GtkColumnView   *column_view;
  GtkLabel        *empty_label;
};

enum
{
  SEARCH_NAME,
  SAVE_CSV,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaStatsPanel, stria_stats_panel, GTK_TYPE_WIDGET)

typedef struct
{
  StriaTrace *trace;
  GArray     *lanes;
  gint64      t0;
  gint64      t1;
  StriaStats *stats; /* set: find its percentiles */
} Job;

static void update (StriaStatsPanel *self);

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->trace, stria_trace_unref);
  g_clear_pointer (&job->lanes, g_array_unref);
  g_clear_pointer (&job->stats, stria_stats_free);
  g_free (job);
}

static const guint32 *
job_lanes (Job *job, gsize *n)
{
  *n = job->lanes != NULL ? job->lanes->len : 0;
  return job->lanes != NULL ? (const guint32 *) (gpointer) job->lanes->data : NULL;
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr (StriaStats) stats = g_steal_pointer (&job->stats);
  GError *error = NULL;
  gsize n;
  const guint32 *lanes = job_lanes (job, &n);

  if (stats == NULL)
    stats = stria_stats_new (job->trace, lanes, n, job->t0, job->t1, cancellable, &error);
  else
    stria_stats_percentiles (stats, job->trace, lanes, n, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&stats), (GDestroyNotify) stria_stats_free);
}

static GArray *
shown_rows (StriaStatsPanel *self)
{
  return gtk_toggle_button_get_active (self->by_name_button) ? self->stats->by_name
                                                             : self->stats->by_category;
}

static void
summarize (StriaStatsPanel *self)
{
  gboolean by_name = gtk_toggle_button_get_active (self->by_name_button);
  GArray *rows = shown_rows (self);
  g_autofree char *length = stria_format_duration (self->stats->end_ns - self->stats->start_ns, 6);
  g_autofree char *slices = stria_format_count (self->stats->n_slices);
  g_autofree char *names = stria_format_count (rows->len);
  g_autoptr (GString) summary = g_string_new (NULL);

  g_string_append_printf (summary, "%s · ", length);
  g_string_append_printf (summary, ngettext ("%s slice", "%s slices", self->stats->n_slices),
                          slices);
  g_string_append (summary, " · ");
  g_string_append_printf (summary,
                          by_name ? ngettext ("%s name", "%s names", rows->len)
                                  : ngettext ("%s category", "%s categories", rows->len),
                          names);
  if (self->stats->n_instants > 0)
    {
      g_autofree char *instants = stria_format_count (self->stats->n_instants);

      g_string_append (summary, " · ");
      g_string_append_printf (summary,
                              ngettext ("%s instant", "%s instants", self->stats->n_instants),
                              instants);
    }
  gtk_label_set_label (self->summary_label, summary->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->summary_label), summary->str);
}

static void
retell (StriaStatsPanel *self)
{
  if (self->stats != NULL)
    summarize (self);
}

static void
fill (StriaStatsPanel *self)
{
  gboolean by_name = gtk_toggle_button_get_active (self->by_name_button);
  GArray *rows = shown_rows (self);
  g_autoptr (GPtrArray) items = g_ptr_array_new_full (rows->len, g_object_unref);
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (self->store));

  for (guint i = 0; i < rows->len; i++)
    {
      const StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);
      const char *name = by_name ? stria_trace_get_string (self->stats_trace, row->key)
                                 : stria_trace_get_category (self->stats_trace, row->key);

      if (!by_name && *name == '\0')
        name = _ ("(no category)");
      g_ptr_array_add (items, stria_stats_item_new (name, row));
    }
  g_list_store_splice (self->store, 0, n_old, items->pdata, items->len);

  summarize (self);
  gtk_label_set_label (self->empty_label, _ ("No slices in the selected range"));
  gtk_stack_set_visible_child_name (self->stack, rows->len > 0 ? "table" : "empty");
}

static void
set_percentiles (StriaStatsPanel *self)
{
  GArray *rows = shown_rows (self);
  g_autoptr (GHashTable) by_key = g_hash_table_new (NULL, NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->store));
  GtkSorter *sorter = gtk_column_view_get_sorter (self->column_view);

  for (guint i = 0; i < rows->len; i++)
    {
      StriaStatsRow *row = &g_array_index (rows, StriaStatsRow, i);

      g_hash_table_insert (by_key, GUINT_TO_POINTER (row->key), row);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StriaStatsItem) item = g_list_model_get_item (G_LIST_MODEL (self->store), i);
      guint32 key = stria_stats_item_get_row (item)->key;
      const StriaStatsRow *row = g_hash_table_lookup (by_key, GUINT_TO_POINTER (key));

      if (row != NULL)
        stria_stats_item_set_row (item, row);
    }
  gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

static void
on_job_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaStatsPanel) self = user_data;
  gboolean percentiles = g_task_get_source_tag (G_TASK (result)) == set_percentiles;
  g_autoptr (GError) error = NULL;
  StriaStats *stats = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (self->session == NULL || self->stale)
    {
      g_clear_pointer (&stats, stria_stats_free);
      if (self->session != NULL)
        update (self);
      return;
    }

  gtk_spinner_set_spinning (self->spinner, FALSE);
  if (stats == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          gtk_label_set_label (self->empty_label, error->message);
          gtk_stack_set_visible_child_name (self->stack, "empty");
        }
      return;
    }

  g_clear_pointer (&self->stats, stria_stats_free);
  self->stats = stats;
  if (percentiles)
    set_percentiles (self);
  else
    fill (self);
  gtk_widget_set_sensitive (self->copy_button, TRUE);
  gtk_widget_set_sensitive (self->save_button, TRUE);
}

static void
start_job (StriaStatsPanel *self, Job *job)
{
  g_autoptr (GTask) task = NULL;

  self->stale = FALSE;
  self->cancellable = g_cancellable_new ();
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->cancellable, on_job_done, g_object_ref (self));
  /* The stats of a job that was cancelled are whole; their owner decides. */
  g_task_set_check_cancellable (task, FALSE);
  if (job->stats != NULL)
    g_task_set_source_tag (task, set_percentiles);
  else
    g_task_set_source_tag (task, start_job);
  g_task_set_task_data (task, job, job_free);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  g_task_run_in_thread (task, run_job);
}

static gboolean
on_percentiles_timeout (gpointer user_data)
{
  StriaStatsPanel *self = user_data;
  Job *job;

  if (self->cancellable != NULL)
    return G_SOURCE_CONTINUE;

  self->percentiles_timeout = 0;
  if (self->stats == NULL || self->stale)
    return G_SOURCE_REMOVE;

  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (self->stats_trace);
  job->lanes = self->stats_lanes != NULL ? g_array_ref (self->stats_lanes) : NULL;
  job->stats = g_steal_pointer (&self->stats);
  gtk_widget_set_sensitive (self->copy_button, FALSE);
  gtk_widget_set_sensitive (self->save_button, FALSE);
  start_job (self, job);
  return G_SOURCE_REMOVE;
}

static void
update (StriaStatsPanel *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  const guint32 *lanes;
  gsize n_lanes;
  gint64 t0, t1;
  Job *job;

  if (self->cancellable != NULL)
    {
      /* One job at a time: what a drag passes over is never asked for. */
      self->stale = TRUE;
      g_cancellable_cancel (self->cancellable);
      return;
    }
  self->stale = FALSE;
  g_clear_handle_id (&self->percentiles_timeout, g_source_remove);

  if (trace == NULL || !stria_session_get_range (self->session, &t0, &t1))
    {
      g_clear_pointer (&self->stats, stria_stats_free);
      gtk_widget_set_sensitive (self->copy_button, FALSE);
      gtk_widget_set_sensitive (self->save_button, FALSE);
      gtk_spinner_set_spinning (self->spinner, FALSE);
      g_list_store_remove_all (self->store);
      gtk_label_set_label (self->summary_label, "");
      gtk_label_set_label (self->empty_label,
                           _ ("Drag over the tracks to select a range and see what is in it"));
      gtk_stack_set_visible_child_name (self->stack, "empty");
      return;
    }

  g_clear_pointer (&self->stats_lanes, g_array_unref);
  lanes = stria_session_get_range_lanes (self->session, &n_lanes);
  if (lanes != NULL)
    {
      self->stats_lanes = g_array_sized_new (FALSE, FALSE, sizeof (guint32), (guint) n_lanes);
      g_array_append_vals (self->stats_lanes, lanes, (guint) n_lanes);
    }
  g_clear_pointer (&self->stats_trace, stria_trace_unref);
  self->stats_trace = stria_trace_ref (trace);

  job = g_new0 (Job, 1);
  job->trace = stria_trace_ref (trace);
  job->lanes = self->stats_lanes != NULL ? g_array_ref (self->stats_lanes) : NULL;
  job->t0 = t0;
  job->t1 = t1;
  gtk_label_set_label (self->empty_label, _ ("Adding up…"));
  start_job (self, job);
  self->percentiles_timeout = g_timeout_add (PERCENTILES_DELAY_MS, on_percentiles_timeout, self);
}

static void
on_grouping_changed (StriaStatsPanel *self)
{
  if (self->stats != NULL)
    fill (self);
  else if (self->session != NULL)
    update (self);
}

static void
on_filter_changed (StriaStatsPanel *self)
{
  gtk_string_filter_set_search (self->filter, gtk_editable_get_text (self->filter_entry));
}

static void
on_copy (StriaStatsPanel *self)
{
  g_autofree char *csv = stria_stats_panel_dup_csv (self);

  if (csv == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), csv);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", _ ("Copied"));
}

static void
on_save (StriaStatsPanel *self)
{
  g_signal_emit (self, signals[SAVE_CSV], 0);
}

static void
on_close (StriaStatsPanel *self)
{
  stria_session_clear_range (self->session);
}

static void
on_activate (StriaStatsPanel *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (self->column_view));
  g_autoptr (StriaStatsItem) item = g_list_model_get_item (model, position);

  /* The search goes through names, so a category leads nowhere. */
  if (item != NULL && gtk_toggle_button_get_active (self->by_name_button))
    g_signal_emit (self, signals[SEARCH_NAME], 0, stria_stats_item_get_name (item));
}

static void
stria_stats_panel_dispose (GObject *object)
{
  StriaStatsPanel *self = STRIA_STATS_PANEL (object);
  GtkWidget *child;

  g_clear_handle_id (&self->percentiles_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->session);
  g_clear_pointer (&self->stats, stria_stats_free);
  g_clear_pointer (&self->stats_trace, stria_trace_unref);
  g_clear_pointer (&self->stats_lanes, g_array_unref);
  g_clear_object (&self->store);
  g_clear_object (&self->filter);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (stria_stats_panel_parent_class)->dispose (object);
}

static void
stria_stats_panel_class_init (StriaStatsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_stats_panel_dispose;

  signals[SEARCH_NAME] = g_signal_new ("search-name", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SAVE_CSV] = g_signal_new ("save-csv", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stria/Stria/ui/stria-stats-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, by_name_button);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, summary_label);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, filter_entry);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, copy_button);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, save_button);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, column_view);
  gtk_widget_class_bind_template_child (widget_class, StriaStatsPanel, empty_label);
  gtk_widget_class_bind_template_callback (widget_class, on_grouping_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
  gtk_widget_class_bind_template_callback (widget_class, on_close);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
}

static char *
name_for_filter (StriaStatsItem *item)
{
  return g_strdup (stria_stats_item_get_name (item));
}

static void
stria_stats_panel_init (StriaStatsPanel *self)
{
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;
  GtkSingleSelection *selection;

  gtk_widget_init_template (GTK_WIDGET (self));

  self->store = g_list_store_new (STRIA_TYPE_STATS_ITEM);
  self->filter = gtk_string_filter_new (gtk_cclosure_expression_new (
      G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK (name_for_filter), NULL, NULL));
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->store)),
                                        g_object_ref (GTK_FILTER (self->filter)));
  stria_stats_columns_add (self->column_view);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered),
                                    g_object_ref (gtk_column_view_get_sorter (self->column_view)));
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_column_view_set_model (self->column_view, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
}

/**
 * stria_stats_panel_new:
 * @session: whose range it shows
 *
 * Returns: (transfer full): the panel
 */
GtkWidget *
stria_stats_panel_new (StriaSession *session)
{
  StriaStatsPanel *self;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_STATS_PANEL, NULL);
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (retell));
  update (self);
  return GTK_WIDGET (self);
}

char *
stria_stats_panel_dup_csv (StriaStatsPanel *self)
{
  g_return_val_if_fail (STRIA_IS_STATS_PANEL (self), NULL);

  if (self->stats == NULL)
    return NULL;
  return stria_stats_to_csv (self->stats, self->stats_trace,
                             !gtk_toggle_button_get_active (self->by_name_button));
}
