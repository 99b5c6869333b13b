/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-trace-export-dialog.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-trace-export.h"
#include "stria-widget-tools.h"

#define PROGRESS_INTERVAL_MS 100

typedef enum
{
  RANGE_VISIBLE,
  RANGE_SELECTED,
  RANGE_ALL,
} Range;

typedef struct
{
  StriaTimeline *timeline;
  StriaSession  *session;
  GtkWindow     *window; /* not owned: it owns this */
  GtkWindow     *parent; /* not owned: outlives what is transient for it */
  GCancellable  *cancellable;
  int            fraction; /* atomic, thousandths */
  guint          progress_timeout;
  gboolean       sampled;

  GtkStack       *stack;
  GtkWidget      *what;
  GtkWidget      *range;
  GtkWidget      *range_group;
  GtkWidget      *sampled_row;
  GtkSwitch      *sampled_switch;
  GtkWidget      *lanes_row;
  GtkSwitch      *lanes_switch;
  GtkWidget      *export_button;
  GtkProgressBar *progress;
} Dialog;

static void
dialog_unref (gpointer data)
{
  Dialog *self = data;

  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  g_clear_object (&self->timeline);
  g_clear_object (&self->session);
  g_clear_object (&self->cancellable);
}

static void
dialog_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, dialog_unref);
}

static void
on_destroy (Dialog *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  self->window = NULL;
}

/* -- what happens when it is written --------------------------------------------------------- */

static char *
done_text (const Dialog *self, const StriaTraceExported *exported)
{
  g_autofree char *written = stria_format_count (exported->n_events);
  g_autofree char *all = stria_format_count (exported->n_all);
  g_autofree char *name = g_filename_display_basename (exported->path);

  if (exported->n_all == 0)
    return g_strdup_printf (_ ("Exported to %s"), name);
  if (exported->n_files == 1 && exported->n_events == exported->n_all)
    return g_strdup_printf (ngettext ("Exported %s event to %s", "Exported %s events to %s",
                                      exported->n_events),
                            written, name);
  if (!self->sampled)
    return g_strdup_printf (ngettext ("Exported all %s events of the range to %u file",
                                      "Exported all %s events of the range to %u files",
                                      exported->n_files),
                            written, exported->n_files);
  return g_strdup_printf (ngettext ("Exported %s of %s events, sampled, to %u file",
                                    "Exported %s of %s events, sampled, to %u files",
                                    exported->n_files),
                          written, all, exported->n_files);
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Dialog *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaTraceExported) exported = stria_trace_export_finish (result, &error);

  if (self->window != NULL)
    {
      GtkWidget *parent = GTK_WIDGET (self->parent);

      if (exported != NULL)
        {
          g_autofree char *text = done_text (self, exported);

          gtk_widget_activate_action (parent, "win.toast-file", "(s^ay)", text, exported->path);
        }
      else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        stria_tell (parent, error->message);
      gtk_window_destroy (self->window);
    }
  dialog_release (self);
}

static gboolean
on_progress (gpointer user_data)
{
  Dialog *self = user_data;

  gtk_progress_bar_set_fraction (self->progress, g_atomic_int_get (&self->fraction) / 1000.0);
  return G_SOURCE_CONTINUE;
}

static gboolean
range_of (const Dialog *self, StriaTraceExport *export)
{
  export->has_range = TRUE;
  switch ((Range) adw_combo_row_get_selected (ADW_COMBO_ROW (self->range)))
    {
    case RANGE_SELECTED:
      return stria_session_get_range (self->session, &export->t0, &export->t1);
    case RANGE_ALL:
      export->has_range = FALSE;
      return TRUE;
    case RANGE_VISIBLE:
    default:
      stria_session_get_view (self->session, &export->t0, &export->t1);
      return TRUE;
    }
}

static void
start (Dialog *self, const char *path)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self->timeline))
                    - (int) stria_timeline_get_header_width (self->timeline);
  StriaTraceExport export = {
    .what = (StriaTraceExportWhat) adw_combo_row_get_selected (ADW_COMBO_ROW (self->what)),
    .path = (char *) path,
    .all_lanes = gtk_switch_get_active (self->lanes_switch),
  };
  StriaTimelinePicture *picture = NULL;

  if (!range_of (self, &export) || stria_session_get_trace (self->session) == NULL)
    return;
  self->sampled = export.what == STRIA_TRACE_EXPORT_TABLES
                  && gtk_switch_get_active (self->sampled_switch);
  if (self->sampled)
    export.pixels = (guint) MAX (width, 100);
  if (export.what == STRIA_TRACE_EXPORT_PICTURE)
    picture = stria_timeline_picture_new (self->timeline);
  gtk_stack_set_visible_child_name (self->stack, "progress");
  gtk_widget_set_visible (self->export_button, FALSE);
  self->progress_timeout = g_timeout_add (PROGRESS_INTERVAL_MS, on_progress, self);
  stria_trace_export_async (self->session, &export, picture, &self->fraction, self->cancellable,
                            on_exported, g_atomic_rc_box_acquire (self));
}

static void
on_chosen (GtkFileChooserNative *chooser, int response, Dialog *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                               : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL && self->window != NULL)
    start (self, path);
  g_object_unref (chooser);
  dialog_release (self);
}

static void
on_export (Dialog *self)
{
  static const char *const suffixes[]
      = { [STRIA_TRACE_EXPORT_CHROME] = "json", [STRIA_TRACE_EXPORT_PICTURE] = "png" };
  const guint what = adw_combo_row_get_selected (ADW_COMBO_ROW (self->what));
  const gboolean folder = what == STRIA_TRACE_EXPORT_TABLES;
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
      folder ? _ ("Export Tables into a Folder") : C_ ("verb", "Export"), self->window,
      folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_SAVE,
      _ ("_Export"), _ ("_Cancel"));

  if (!folder)
    {
      const char *title
          = stria_capture_get_title (stria_session_get_capture (self->session));
      g_autofree char *name = g_strdup_printf ("%s.%s", title, suffixes[what]);

      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser),
                                         g_strdelimit (name, G_DIR_SEPARATOR_S, '-'));
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_chosen), g_atomic_rc_box_acquire (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
on_what (Dialog *self)
{
  static const char *const about[] = {
    [STRIA_TRACE_EXPORT_TABLES]
    = N_ ("A file for each table, in a new folder: slices, instants, counters and arrows; what comes "
          "from rows of a table has a file of the table’s name"),
    [STRIA_TRACE_EXPORT_CHROME]
    = N_ ("For other viewers: with names of processes and threads, flows and counters"),
    [STRIA_TRACE_EXPORT_PICTURE]
    = N_ ("The timeline as it is seen, of the kind that the file’s name ends with"),
  };
  const guint what = adw_combo_row_get_selected (ADW_COMBO_ROW (self->what));

  if (what >= G_N_ELEMENTS (about))
    return;
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self->range_group),
                                         _ (about[what]));
  gtk_widget_set_visible (self->range, what != STRIA_TRACE_EXPORT_PICTURE);
  gtk_widget_set_visible (self->sampled_row, what == STRIA_TRACE_EXPORT_TABLES);
  gtk_widget_set_visible (self->lanes_row, what == STRIA_TRACE_EXPORT_PICTURE);
}

/* Ends what is written, too */
static void
on_cancel (Dialog *self)
{
  gtk_window_destroy (self->window);
}

/* -- the window ------------------------------------------------------------------------------ */

static GtkWidget *
combo_new (Dialog *self, const char *title, const char *subtitle, const char *const *items,
           GCallback changed)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) model = gtk_string_list_new (items);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (model));
  if (changed != NULL)
    g_signal_connect_swapped (row, "notify::selected", changed, self);
  return row;
}

static GtkWidget *
switch_new (const char *title, const char *subtitle, GtkSwitch **out)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  *out = GTK_SWITCH (toggle);
  return row;
}

static GtkWidget *
options_new (Dialog *self)
{
  const char *const whats[] = { _ ("Tables (CSV)"), _ ("Chrome trace (JSON)"),
                                _ ("Picture (PNG, SVG or PDF)"), NULL };
  const char *const ranges[]
      = { _ ("What is visible"), _ ("What is selected"), _ ("Everything"), NULL };
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *page = adw_preferences_page_new ();

  self->range_group = group;
  self->what = combo_new (self, _ ("Export"), NULL, whats, G_CALLBACK (on_what));
  self->range = combo_new (self, _ ("Range"), _ ("What overlaps it is written whole"), ranges, NULL);
  self->sampled_row
      = switch_new (_ ("Sampled"),
                    _ ("One event for each pixel of a row: of slices the longest, of samples the last. "
                       "How many were left out is said."),
                    &self->sampled_switch);
  self->lanes_row = switch_new (_ ("All Lanes"), _ ("Not only those that are scrolled into sight"),
                                &self->lanes_switch);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->what);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->range);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->sampled_row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->lanes_row);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  if (stria_session_get_range (self->session, NULL, NULL))
    adw_combo_row_set_selected (ADW_COMBO_ROW (self->range), RANGE_SELECTED);
  on_what (self);
  return page;
}

static GtkWidget *
progress_new (Dialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *bar = gtk_progress_bar_new ();

  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Exporting…")));
  gtk_box_append (GTK_BOX (box), bar);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Progress of the export"), -1);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_start (box, 36);
  gtk_widget_set_margin_end (box, 36);
  self->progress = GTK_PROGRESS_BAR (bar);
  return box;
}

static GtkWidget *
header_new (Dialog *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  self->export_button = gtk_button_new_with_mnemonic (_ ("_Export…"));
  gtk_widget_add_css_class (self->export_button, "suggested-action");
  gtk_widget_set_tooltip_text (self->export_button, _ ("Choose where it is written"));
  gtk_widget_set_tooltip_text (cancel, _ ("Write nothing, or stop writing (Esc)"));
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (on_cancel), self);
  g_signal_connect_swapped (self->export_button, "clicked", G_CALLBACK (on_export), self);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->export_button);
  return header;
}

static void
add_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

void
stria_trace_export_dialog_present (GtkWindow *parent, StriaTimeline *timeline)
{
  Dialog *self = g_atomic_rc_box_new0 (Dialog);
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->timeline = g_object_ref (timeline);
  self->session = g_object_ref (stria_timeline_get_session (timeline));
  self->window = GTK_WINDOW (window);
  self->parent = parent;
  self->cancellable = g_cancellable_new ();
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), header_new (self));
  gtk_stack_add_named (self->stack, options_new (self), "options");
  gtk_stack_add_named (self->stack, progress_new (self), "progress");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), C_ ("verb", "Export"));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  stria_size_window (GTK_WINDOW (window), 520, 420);
  gtk_window_set_default_widget (GTK_WINDOW (window), self->export_button);
  add_escape (window);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (on_destroy), self);
  g_object_set_data_full (G_OBJECT (window), "dialog", self, dialog_release);
  gtk_window_present (GTK_WINDOW (window));
}
