/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-tables-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-paint-size.h"
#include "stria-rows-grid.h"
#include "stria-sql-box.h"
#include "stria-tables-list.h"
#include "stria-wrap-box.h"

#define LIST_WIDTH ((int) stria_text_px (230))
#define SQL_HEIGHT ((int) stria_text_px (150))
/* Around a time that a row says, if it stands for no event */
#define AROUND_SHARE 200
#define WATCH_MS 500

struct _StriaTablesView
{
  GtkWidget parent_instance;

  StriaSession   *session;
  StriaShownQuery query;       /* what is shown */
  StriaTable     *result;      /* of SQL, that is shown; NULL: none */
  GCancellable   *running;     /* NULL: nothing runs */
  GCancellable   *cancellable; /* of everything else */
  gboolean        is_stale;
  gboolean        is_listing;
  guint           watch; /* for the store */

  GtkWidget *paned;
  GtkWidget *list;
  GtkWidget *sql;
  GtkWidget *grid;
  GtkStack  *stack;
  GtkLabel  *status;
  GtkSpinner *spinner;
  GtkWidget *export_button;
};

G_DEFINE_FINAL_TYPE (StriaTablesView, stria_tables_view, GTK_TYPE_WIDGET)

gboolean
stria_tables_view_has_data (StriaCapture *capture)
{
  g_autoptr (GPtrArray) tables = stria_capture_get_tables (capture);
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (capture);

  return tables->len > 0 || (trace != NULL && stria_trace_get_n_events (trace) > 0);
}

static char *
store_path (StriaTablesView *self)
{
  return stria_capture_dup_store_path (stria_session_get_capture (self->session));
}

/* -- running --------------------------------------------------------------------------------- */

typedef struct
{
  StriaShownQuery query;
  char           *store;
  int             error_at;
  gboolean        is_new; /* other columns than before */
} Run;

static void
run_free (gpointer data)
{
  Run *job = data;

  stria_shown_query_clear (&job->query);
  g_free (job->store);
  g_free (job);
}

static void
run_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Run *job = task_data;
  GError *error = NULL;
  StriaShownAnswer *answer
      = stria_shown_run (&job->query, job->store, &job->error_at, cancellable, &error);

  if (answer == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, answer, (GDestroyNotify) stria_shown_answer_free);
}

static void
tell (StriaTablesView *self, const StriaShownAnswer *answer)
{
  const guint64 n = stria_rows_get_n_rows (answer->rows);
  g_autofree char *count = stria_format_count (n);
  g_autofree char *rows = g_strdup_printf (ngettext ("%s row", "%s rows", n), count);
  g_autofree char *time = stria_format_duration (answer->elapsed_us * 1000, 3);
  const char *note
      = self->query.table == NULL ? stria_sql_box_get_note (STRIA_SQL_BOX (self->sql)) : "";
  g_autofree char *text = *note != '\0' ? g_strdup_printf ("%s · %s · %s", rows, time, note)
                                        : g_strdup_printf ("%s · %s", rows, time);

  gtk_label_set_label (self->status, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), text);
}

static void
show_failure (StriaTablesView *self, const Run *job, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    gtk_label_set_label (self->status, _ ("Cancelled"));
  else
    {
      gtk_label_set_label (self->status, _ ("Failed"));
      /* What the view itself wrote is not in the box. */
      stria_sql_box_set_error (STRIA_SQL_BOX (self->sql), error->message,
                               job->query.table == NULL && job->query.conditions == NULL
                                       && job->query.sort == NULL
                                   ? job->error_at
                                   : -1);
    }
}

static void
on_run (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTablesView) self = user_data;
  Run *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaShownAnswer) answer = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->session == NULL || g_task_get_cancellable (G_TASK (result)) != self->running)
    return;
  g_clear_object (&self->running);
  stria_sql_box_set_running (STRIA_SQL_BOX (self->sql), FALSE);
  gtk_spinner_set_spinning (self->spinner, FALSE);
  if (answer == NULL)
    {
      show_failure (self, job, error);
      return;
    }
  stria_shown_query_clear (&self->query);
  stria_shown_query_copy (&job->query, &self->query);
  g_clear_pointer (&self->result, stria_table_unref);
  self->result = answer->result != NULL ? stria_table_ref (answer->result) : NULL;
  stria_rows_grid_set_rows (STRIA_ROWS_GRID (self->grid), answer->rows, job->is_new);
  gtk_widget_set_sensitive (self->export_button, TRUE);
  gtk_stack_set_visible_child_name (self->stack, "rows");
  tell (self, answer);
}

/* Takes @query. */
static void
run (StriaTablesView *self, StriaShownQuery *query, gboolean is_new)
{
  g_autoptr (GTask) task = NULL;
  Run *job = g_new0 (Run, 1);

  g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  self->running = g_cancellable_new ();
  job->query = *query;
  job->store = store_path (self);
  job->is_new = is_new;
  /* Not the source object: a task, and that with it, may die on its worker. */
  task = g_task_new (NULL, self->running, on_run, g_object_ref (self));
  g_task_set_source_tag (task, run);
  g_task_set_task_data (task, job, run_free);
  stria_sql_box_set_running (STRIA_SQL_BOX (self->sql), TRUE);
  stria_sql_box_set_error (STRIA_SQL_BOX (self->sql), NULL, -1);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  gtk_label_set_label (self->status, _ ("Reading…"));
  g_task_run_in_thread (task, run_in_thread);
}

static void
on_chosen (StriaTablesView *self, StriaShownTable *table)
{
  StriaShownQuery query = { .table = stria_shown_table_ref (table) };
  g_autofree char *sql = stria_shown_query_sql (&query);

  stria_sql_box_suggest (STRIA_SQL_BOX (self->sql), sql);
  run (self, &query, TRUE);
}

static void
on_sql (StriaTablesView *self, const char *sql)
{
  StriaShownQuery query = { .sql = g_strdup (sql) };

  stria_tables_list_unselect (STRIA_TABLES_LIST (self->list));
  run (self, &query, TRUE);
}

static void
on_cancel (StriaTablesView *self)
{
  g_cancellable_cancel (self->running);
}

static void
on_asked (StriaTablesView *self)
{
  StriaShownQuery query;
  const char *sort;

  stria_shown_query_copy (&self->query, &query);
  g_clear_pointer (&query.sort, g_free);
  g_clear_pointer (&query.conditions, g_free);
  sort = stria_rows_grid_get_sort (STRIA_ROWS_GRID (self->grid), &query.descending);
  query.sort = g_strdup (sort);
  query.conditions = stria_rows_grid_dup_conditions (STRIA_ROWS_GRID (self->grid));
  run (self, &query, FALSE);
}

/* -- the list -------------------------------------------------------------------------------- */

static void
list_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *tables = stria_shown_tables (task_data, cancellable, &error);

  if (tables == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, tables, (GDestroyNotify) g_ptr_array_unref);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTablesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) tables = g_task_propagate_pointer (G_TASK (result), &error);

  self->is_listing = FALSE;
  if (self->session == NULL)
    return;
  if (tables == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        gtk_label_set_label (self->status, error->message);
      return;
    }
  stria_tables_list_set_tables (STRIA_TABLES_LIST (self->list), tables);
  stria_sql_box_set_tables (STRIA_SQL_BOX (self->sql), tables);
}

static void update (StriaTablesView *self);

static gboolean
on_watch (gpointer user_data)
{
  StriaTablesView *self = user_data;
  g_autofree char *store = store_path (self);

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && store == NULL)
    return G_SOURCE_CONTINUE;
  self->watch = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

/* The store comes some time after the events, and nobody says when. */
static void
update (StriaTablesView *self)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *store = NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->is_listing)
    {
      self->is_stale = TRUE;
      return;
    }
  store = store_path (self);
  self->is_stale = store == NULL;
  if (self->is_stale && self->watch == 0)
    self->watch = g_timeout_add (WATCH_MS, on_watch, self);
  self->is_listing = TRUE;
  task = g_task_new (NULL, self->cancellable, on_listed, g_object_ref (self));
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, g_object_ref (stria_session_get_capture (self->session)),
                        g_object_unref);
  g_task_run_in_thread (task, list_in_thread);
}

/* -- the timeline ---------------------------------------------------------------------------- */

typedef struct
{
  StriaShownQuery query;
  StriaRows      *rows;
  StriaTrace     *trace;
  guint64         row;
  StriaRef        found;
  gint64          time;
} Find;

static void
find_free (gpointer data)
{
  Find *job = data;

  stria_shown_query_clear (&job->query);
  stria_rows_unref (job->rows);
  stria_trace_unref (job->trace);
  g_free (job);
}

static void
find_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Find *job = task_data;

  job->found = stria_shown_find (&job->query, job->rows, job->row, job->trace, &job->time);
  g_task_return_boolean (task, TRUE);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTablesView) self = user_data;
  const Find *job = g_task_get_task_data (G_TASK (result));
  gint64 t0, t1, half;

  if (self->session == NULL || job->trace != stria_session_get_trace (self->session))
    return;
  if (stria_ref_is_none (job->found) && job->time == G_MININT64)
    {
      stria_tell (GTK_WIDGET (self), _ ("This row stands for no event of the timeline"));
      return;
    }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-view", "s", "timeline");
  if (!stria_ref_is_none (job->found))
    {
      stria_session_reveal (self->session, job->found);
      return;
    }
  stria_session_get_view (self->session, &t0, &t1);
  half = MAX ((t1 - t0) / AROUND_SHARE, 1000);
  stria_session_set_view (self->session, job->time - half, job->time + half);
}

static void
on_activated (StriaTablesView *self, StriaRowsItem *item)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GTask) task = NULL;
  Find *job;

  if (trace == NULL)
    return;
  job = g_new0 (Find, 1);
  stria_shown_query_copy (&self->query, &job->query);
  job->rows = stria_rows_ref (stria_rows_grid_get_rows (STRIA_ROWS_GRID (self->grid)));
  job->trace = stria_trace_ref (trace);
  job->row = stria_rows_item_get_row (item);
  task = g_task_new (NULL, NULL, on_found, g_object_ref (self));
  g_task_set_source_tag (task, on_activated);
  g_task_set_task_data (task, job, find_free);
  g_task_run_in_thread (task, find_in_thread);
}

/* -- export ---------------------------------------------------------------------------------- */

typedef struct
{
  StriaShownQuery  query;
  StriaTable      *result;
  StriaCapture    *capture;
  StriaTableFormat format;
  char            *path;
  guint64          n_rows;
} Save;

static void
save_free (gpointer data)
{
  Save *job = data;

  stria_shown_query_clear (&job->query);
  g_clear_pointer (&job->result, stria_table_unref);
  g_clear_object (&job->capture);
  g_free (job->path);
  g_free (job);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Save *job = task_data;
  GError *error = NULL;

  if (stria_shown_export (&job->query, job->result, job->capture, job->format, job->path,
                          &job->n_rows, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StriaTablesView) self = user_data;
  const Save *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_autofree char *count = stria_format_count (job->n_rows);
      text = g_strdup_printf (ngettext ("Saved %s row", "Saved %s rows", job->n_rows), count);
    }
  if (self->session == NULL)
    return;
  gtk_spinner_set_spinning (self->spinner, FALSE);
  stria_tell (GTK_WIDGET (self), text != NULL ? text : error->message);
}

static void
on_save_response (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (StriaTablesView) self = user_data;
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autoptr (GTask) task = NULL;
  Save *job;

  g_object_unref (dialog);
  if (response != GTK_RESPONSE_ACCEPT || path == NULL || self->session == NULL)
    return;
  job = g_new0 (Save, 1);
  stria_shown_query_copy (&self->query, &job->query);
  job->result = self->result != NULL ? stria_table_ref (self->result) : NULL;
  job->capture = g_object_ref (stria_session_get_capture (self->session));
  job->path = g_steal_pointer (&path);
  job->format = g_str_has_suffix (job->path, ".parquet") ? STRIA_TABLE_FORMAT_PARQUET
                : g_str_has_suffix (job->path, ".json")  ? STRIA_TABLE_FORMAT_JSON
                                                         : STRIA_TABLE_FORMAT_CSV;
  task = g_task_new (NULL, self->cancellable, on_saved, g_object_ref (self));
  g_task_set_source_tag (task, on_save_response);
  g_task_set_task_data (task, job, save_free);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  g_task_run_in_thread (task, save_in_thread);
}

static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTablesView *self = STRIA_TABLES_VIEW (widget);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      _ ("Save Rows"), GTK_WINDOW (gtk_widget_get_root (widget)), GTK_FILE_CHOOSER_ACTION_SAVE,
      _ ("_Save"), _ ("_Cancel"));
  g_autofree char *file
      = g_strdup_printf ("%s.%s", self->query.table != NULL ? self->query.table->name : "rows",
                         g_variant_get_string (parameter, NULL));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), file);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (on_save_response), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_tables_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_tables_view_parent_class)->map (widget);
  if (STRIA_TABLES_VIEW (widget)->is_stale)
    update (STRIA_TABLES_VIEW (widget));
}

static void
stria_tables_view_dispose (GObject *object)
{
  StriaTablesView *self = STRIA_TABLES_VIEW (object);

  g_clear_handle_id (&self->watch, g_source_remove);
  g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  stria_shown_query_clear (&self->query);
  g_clear_pointer (&self->result, stria_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_tables_view_parent_class)->dispose (object);
}

static void
stria_tables_view_class_init (StriaTablesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_tables_view_dispose;
  widget_class->map = stria_tables_view_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "tables.save", "s", save_action);
}

static GtkWidget *
bar_new (StriaTablesView *self)
{
  GtkWidget *bar = stria_wrap_box_new (6, 4);
  g_autoptr (GMenu) menu = g_menu_new ();

  gtk_widget_add_css_class (bar, "panel-header");
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->status = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->status, 0);
  gtk_label_set_ellipsize (self->status, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (self->status, 16);
  gtk_widget_set_hexpand (GTK_WIDGET (self->status), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->status), "numeric");
  g_menu_append (menu, _ ("Save as CSV…"), "tables.save::csv");
  g_menu_append (menu, _ ("Save as JSON…"), "tables.save::json");
  g_menu_append (menu, _ ("Save as Parquet…"), "tables.save::parquet");
  self->export_button = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->export_button), C_ ("verb", "Export"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->export_button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (self->export_button, _ ("Save all rows, all columns"));
  gtk_widget_set_sensitive (self->export_button, FALSE);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->spinner));
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->status));
  stria_wrap_box_append (STRIA_WRAP_BOX (bar),
                         stria_rows_grid_filters_new (STRIA_ROWS_GRID (self->grid)));
  stria_wrap_box_append (STRIA_WRAP_BOX (bar),
                         stria_rows_grid_columns_new (STRIA_ROWS_GRID (self->grid)));
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), self->export_button);
  return bar;
}

static void
stria_tables_view_init (StriaTablesView *self)
{
  GtkWidget *right = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *empty = adw_status_page_new ();

  self->is_stale = TRUE;
  self->cancellable = g_cancellable_new ();
  self->list = stria_tables_list_new ();
  self->sql = stria_sql_box_new ();
  self->grid = stria_rows_grid_new ();
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (empty), "view-grid-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (empty), _ ("No Rows to Show"));
  adw_status_page_set_description (
      ADW_STATUS_PAGE (empty),
      _ ("Choose a table at the left, a report, or write a query and press Ctrl+Enter."));
  gtk_widget_add_css_class (empty, "compact");
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, empty, "status");
  gtk_stack_add_named (self->stack, self->grid, "rows");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), bar_new (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  gtk_widget_set_size_request (box, 260, 160);
  gtk_paned_set_start_child (GTK_PANED (right), self->sql);
  gtk_paned_set_end_child (GTK_PANED (right), box);
  gtk_paned_set_resize_start_child (GTK_PANED (right), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (right), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (right), FALSE);
  gtk_paned_set_position (GTK_PANED (right), SQL_HEIGHT);
  self->paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->list, 150, -1);
  gtk_widget_add_css_class (self->list, "side-panel");
  gtk_paned_set_start_child (GTK_PANED (self->paned), self->list);
  gtk_paned_set_end_child (GTK_PANED (self->paned), right);
  gtk_paned_set_resize_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_position (GTK_PANED (self->paned), LIST_WIDTH);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  g_signal_connect_swapped (self->list, "chosen", G_CALLBACK (on_chosen), self);
  g_signal_connect_swapped (self->sql, "run", G_CALLBACK (on_sql), self);
  g_signal_connect_swapped (self->sql, "cancel", G_CALLBACK (on_cancel), self);
  g_signal_connect_swapped (self->grid, "sort-changed", G_CALLBACK (on_asked), self);
  g_signal_connect_swapped (self->grid, "filter-changed", G_CALLBACK (on_asked), self);
  g_signal_connect_swapped (self->grid, "activated", G_CALLBACK (on_activated), self);
}

GtkWidget *
stria_tables_view_new (StriaSession *session)
{
  StriaTablesView *self = g_object_new (STRIA_TYPE_TABLES_VIEW, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
