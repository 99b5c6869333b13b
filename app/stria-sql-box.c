/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-sql-box.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <gtksourceview/gtksource.h>

#include "stria-choosers.h"
#include "stria-list-popover.h"
#include "stria-reports.h"
#include "stria-saved-queries.h"
#include "stria-wrap-box.h"

struct _StriaSqlBox
{
  GtkWidget parent_instance;

  GPtrArray     *tables; /* StriaShownTable */
  char          *suggested;
  const char    *note;
  GtkTextBuffer *words;  /* what is completed */

  GtkWidget       *box;
  GtkSourceBuffer *buffer;
  GtkWidget       *view;
  GtkWidget       *hint; /* over the empty text */
  GtkTextTag      *wrong;
  GtkWidget       *run_button;
  GtkWidget       *cancel_button;
  GtkLabel        *message;
};

enum
{
  RUN,
  CANCEL,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaSqlBox, stria_sql_box, GTK_TYPE_WIDGET)

static const char keywords[]
    = "SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT INNER CROSS ON USING WITH "
      "MATERIALIZED DISTINCT UNION CASE WHEN THEN ELSE END BETWEEN LIKE GLOB NULL IS NOT AND OR ASC "
      "DESC count sum avg min max total group_concat json_extract json_each iif coalesce nullif "
      "printf round length substr replace instr lower upper name args ";

static char *
dup_text (StriaSqlBox *self)
{
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &begin, &end);
  return gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self->buffer), &begin, &end, FALSE);
}

static void
run (StriaSqlBox *self)
{
  g_autofree char *sql = dup_text (self);

  stria_sql_box_set_error (self, NULL, -1);
  g_signal_emit (self, signals[RUN], 0, sql);
}

static void
take (StriaSqlBox *self, const char *sql, const char *note)
{
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (self->buffer), sql, -1);
  self->note = note;
  run (self);
}

static void
on_run (StriaSqlBox *self)
{
  self->note = "";
  run (self);
}

static void
on_cancel (StriaSqlBox *self)
{
  g_signal_emit (self, signals[CANCEL], 0);
}

static gboolean
on_run_shortcut (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  if (gtk_widget_get_visible (STRIA_SQL_BOX (widget)->run_button))
    on_run (STRIA_SQL_BOX (widget));
  return GDK_EVENT_STOP;
}

static gboolean
on_cancel_shortcut (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  if (!gtk_widget_get_visible (STRIA_SQL_BOX (widget)->cancel_button))
    return GDK_EVENT_PROPAGATE;
  on_cancel (STRIA_SQL_BOX (widget));
  return GDK_EVENT_STOP;
}

/* -- saved queries --------------------------------------------------------------------------- */

static void
popdown (GtkWidget *widget)
{
  GtkWidget *popover = gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER);

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
on_saved_chosen (StriaSqlBox *self, GtkWidget *button)
{
  g_autofree char *sql
      = stria_saved_queries_get (g_object_get_data (G_OBJECT (button), "name"));

  popdown (button);
  if (sql != NULL)
    take (self, sql, "");
}

static void
keep (StriaSqlBox *self, const char *name, const char *sql)
{
  stria_saved_queries_set (name, sql);
  stria_tell (GTK_WIDGET (self),
              sql != NULL ? _ ("The query is saved") : _ ("The query is removed"));
}

static void
on_saved_removed (StriaSqlBox *self, GtkWidget *button)
{
  popdown (button);
  keep (self, g_object_get_data (G_OBJECT (button), "name"), NULL);
}

static void
on_save (StriaSqlBox *self, GtkEditable *entry)
{
  g_autofree char *sql = dup_text (self);
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  if (*name == '\0')
    return;
  popdown (GTK_WIDGET (entry));
  keep (self, name, sql);
}

static GtkWidget *
menu_button_new (GtkWidget *box, const char *title, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_label (title);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_label_set_xalign (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), 0);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static void
fill_saved (GtkMenuButton *button, gpointer user_data)
{
  StriaSqlBox *self = user_data;
  g_auto (GStrv) names = stria_saved_queries_list ();
  GtkWidget *box = stria_list_popover_new (button);
  GtkWidget *entry = gtk_entry_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *sql = stria_saved_queries_get (names[i]);
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
      GtkWidget *chosen = menu_button_new (row, names[i], sql);
      GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");

      gtk_widget_add_css_class (remove, "flat");
      gtk_widget_set_tooltip_text (remove, _ ("Remove this query"));
      g_object_set_data_full (G_OBJECT (chosen), "name", g_strdup (names[i]), g_free);
      g_object_set_data_full (G_OBJECT (remove), "name", g_strdup (names[i]), g_free);
      g_signal_connect_object (chosen, "clicked", G_CALLBACK (on_saved_chosen), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (remove, "clicked", G_CALLBACK (on_saved_removed), self,
                               G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (row), remove);
      gtk_box_append (GTK_BOX (box), row);
    }
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Save this query as…"));
  gtk_widget_set_tooltip_text (entry, _ ("Name of the query; Enter saves it"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the query"), -1);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 28);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_save), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), entry);
}

/* -- reports --------------------------------------------------------------------------------- */

static gboolean
has (const char *table, const char *column, gpointer user_data)
{
  StriaSqlBox *self = user_data;

  for (guint i = 0; self->tables != NULL && i < self->tables->len; i++)
    {
      const StriaShownTable *shown = self->tables->pdata[i];

      if (g_ascii_strcasecmp (shown->sql_name, table) != 0)
        continue;
      for (guint c = 0; column != NULL && c < shown->columns->len; c++)
        if (g_ascii_strcasecmp (g_array_index (shown->columns, StriaColumnInfo, c).name, column)
            == 0)
          return TRUE;
      return column == NULL && shown->n_rows > 0;
    }
  return FALSE;
}

static void
on_report (StriaSqlBox *self, GtkWidget *button)
{
  const StriaReport *report = g_object_get_data (G_OBJECT (button), "report");

  popdown (button);
  take (self, report->sql, _ (report->note));
}

static void
fill_reports (GtkMenuButton *button, gpointer user_data)
{
  StriaSqlBox *self = user_data;
  GtkWidget *box = stria_list_popover_new (button);
  guint n, n_missing = 0;
  const StriaReport *reports = stria_reports (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *item;

      if (!stria_report_can (&reports[i], has, self, NULL))
        {
          n_missing++;
          continue;
        }
      item = menu_button_new (box, _ (reports[i].title), _ (reports[i].note));
      g_object_set_data (G_OBJECT (item), "report", (gpointer) &reports[i]);
      g_signal_connect_object (item, "clicked", G_CALLBACK (on_report), self, G_CONNECT_SWAPPED);
    }
  if (n_missing > 0)
    gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *missing = NULL;
      g_autofree char *text = NULL;
      GtkWidget *item;

      if (stria_report_can (&reports[i], has, self, &missing))
        continue;
      text = g_strdup_printf (_ ("Not available because the capture has no %s"), missing);
      item = menu_button_new (box, _ (reports[i].title), text);
      gtk_widget_set_sensitive (item, FALSE);
    }
}

/* -- what is asked of it --------------------------------------------------------------------- */

void
stria_sql_box_set_tables (StriaSqlBox *self, GPtrArray *tables)
{
  g_autoptr (GString) words = g_string_new (keywords);

  g_return_if_fail (STRIA_IS_SQL_BOX (self));

  g_clear_pointer (&self->tables, g_ptr_array_unref);
  self->tables = g_ptr_array_ref (tables);
  for (guint i = 0; i < tables->len; i++)
    {
      const StriaShownTable *shown = tables->pdata[i];

      g_string_append_printf (words, "%s ", shown->sql_name);
      for (guint c = 0; c < shown->columns->len; c++)
        g_string_append_printf (words, "%s ",
                                g_array_index (shown->columns, StriaColumnInfo, c).name);
    }
  gtk_text_buffer_set_text (self->words, words->str, -1);
}

void
stria_sql_box_suggest (StriaSqlBox *self, const char *sql)
{
  g_autofree char *text = NULL;

  g_return_if_fail (STRIA_IS_SQL_BOX (self));

  text = dup_text (self);
  if (*text != '\0' && g_strcmp0 (text, self->suggested) != 0)
    return;
  g_free (self->suggested);
  self->suggested = g_strdup (sql);
  self->note = "";
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (self->buffer), sql, -1);
  stria_sql_box_set_error (self, NULL, -1);
}

void
stria_sql_box_set_running (StriaSqlBox *self, gboolean running)
{
  gtk_widget_set_visible (self->run_button, !running);
  gtk_widget_set_visible (self->cancel_button, running);
}

void
stria_sql_box_set_error (StriaSqlBox *self, const char *message, int at)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  gtk_text_buffer_remove_tag (buffer, self->wrong, &begin, &end);
  gtk_widget_set_visible (GTK_WIDGET (self->message), message != NULL);
  gtk_label_set_label (self->message, message != NULL ? message : "");
  if (message == NULL || at < 0)
    return;
  gtk_text_buffer_get_iter_at_offset (buffer, &begin, at);
  end = begin;
  /* Up to the end of the word; where a text ends too early, its last character */
  if (!gtk_text_iter_forward_word_end (&end) || gtk_text_iter_get_line (&end)
                                                    != gtk_text_iter_get_line (&begin))
    {
      end = begin;
      if (!gtk_text_iter_forward_char (&end))
        gtk_text_iter_backward_char (&begin);
    }
  gtk_text_buffer_apply_tag (buffer, self->wrong, &begin, &end);
  gtk_text_buffer_place_cursor (buffer, &begin);
  gtk_widget_grab_focus (self->view);
}

const char *
stria_sql_box_get_note (StriaSqlBox *self)
{
  return self->note;
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
follow_style (StriaSqlBox *self)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  gtk_source_buffer_set_style_scheme (
      self->buffer, gtk_source_style_scheme_manager_get_scheme (
                        gtk_source_style_scheme_manager_get_default (),
                        dark ? "Adwaita-dark" : "Adwaita"));
}

static GtkWidget *
tools_new (StriaSqlBox *self)
{
  GtkWidget *bar = stria_wrap_box_new (6, 4);
  GtkWidget *saved = gtk_menu_button_new (), *reports = gtk_menu_button_new ();

  gtk_widget_add_css_class (bar, "panel-header");
  self->run_button = gtk_button_new_with_label (C_ ("verb", "Run"));
  gtk_widget_add_css_class (self->run_button, "suggested-action");
  gtk_widget_set_tooltip_text (self->run_button, _ ("Run the query (Ctrl+Enter)"));
  g_signal_connect_swapped (self->run_button, "clicked", G_CALLBACK (on_run), self);
  self->cancel_button = gtk_button_new_with_label (_ ("Cancel"));
  gtk_widget_set_tooltip_text (self->cancel_button, _ ("Stop the query (Escape)"));
  gtk_widget_set_visible (self->cancel_button, FALSE);
  g_signal_connect_swapped (self->cancel_button, "clicked", G_CALLBACK (on_cancel), self);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (reports), _ ("Reports"));
  gtk_widget_set_tooltip_text (reports, _ ("Questions that people ask of profiles"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (reports), fill_reports, self, NULL);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (saved), _ ("Saved Queries"));
  gtk_widget_set_tooltip_text (saved, _ ("Queries that you keep, for all captures"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (saved), fill_saved, self, NULL);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), self->run_button);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), self->cancel_button);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), reports);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), saved);
  return bar;
}

static void
add_completion (StriaSqlBox *self)
{
  GtkSourceCompletionWords *words = gtk_source_completion_words_new (_ ("Tables and columns"));

  self->words = gtk_text_buffer_new (NULL);
  g_object_set (words, "minimum-word-size", 2, NULL);
  gtk_source_completion_words_register (words, self->words);
  gtk_source_completion_add_provider (
      gtk_source_view_get_completion (GTK_SOURCE_VIEW (self->view)),
      GTK_SOURCE_COMPLETION_PROVIDER (words));
  g_object_unref (words);
}

static void
stria_sql_box_dispose (GObject *object)
{
  StriaSqlBox *self = STRIA_SQL_BOX (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->buffer);
  g_clear_object (&self->words);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->suggested, g_free);
  G_OBJECT_CLASS (stria_sql_box_parent_class)->dispose (object);
}

static void
stria_sql_box_class_init (StriaSqlBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_sql_box_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[RUN] = g_signal_new ("run", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[CANCEL] = g_signal_new ("cancel", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_cancel_shortcut, NULL);
}

/* Says what is written here while nothing is */
static GtkWidget *
hint_new (StriaSqlBox *self)
{
  GtkWidget *hint = gtk_label_new (_ ("A SELECT over the tables; Ctrl+Enter runs it"));

  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_set_can_target (hint, FALSE);
  gtk_widget_set_halign (hint, GTK_ALIGN_START);
  gtk_widget_set_valign (hint, GTK_ALIGN_START);
  gtk_widget_set_margin_start (hint, 10);
  gtk_widget_set_margin_top (hint, 4);
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  self->hint = hint;
  return hint;
}

static void
show_hint (StriaSqlBox *self)
{
  gtk_widget_set_visible (self->hint,
                          gtk_text_buffer_get_char_count (GTK_TEXT_BUFFER (self->buffer)) == 0);
}

static void
stria_sql_box_init (StriaSqlBox *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *overlay = gtk_overlay_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->note = "";
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->buffer = gtk_source_buffer_new_with_language (gtk_source_language_manager_get_language (
      gtk_source_language_manager_get_default (), "sql"));
  self->wrong = gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (self->buffer), NULL, "underline",
                                            PANGO_UNDERLINE_ERROR, "background", "#c01c2840", NULL);
  self->view = gtk_source_view_new_with_buffer (self->buffer);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->view), 8);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->view), 4);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->view), GTK_WRAP_WORD_CHAR);
  /* Tab leads on; a query needs none. */
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->view), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("SQL query"), -1);
  gtk_widget_set_tooltip_text (self->view, _ ("A SELECT over the tables; Ctrl+Enter runs it"));
  /* Before the text view takes Enter */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("<Control>Return|<Control>KP_Enter"),
                        gtk_callback_action_new (on_run_shortcut, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "error");
  gtk_label_set_xalign (self->message, 0);
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_selectable (self->message, TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->message), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->message), 12);
  gtk_widget_set_visible (GTK_WIDGET (self->message), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_size_request (scrolled, -1, 56);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scrolled);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), hint_new (self));
  gtk_widget_set_overflow (overlay, GTK_OVERFLOW_HIDDEN);
  g_signal_connect_object (self->buffer, "changed", G_CALLBACK (show_hint), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->box), overlay);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->message));
  gtk_box_append (GTK_BOX (self->box), tools_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  add_completion (self);
  follow_style (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (follow_style), self, G_CONNECT_SWAPPED);
}

GtkWidget *
stria_sql_box_new (void)
{
  return g_object_new (STRIA_TYPE_SQL_BOX, NULL);
}
