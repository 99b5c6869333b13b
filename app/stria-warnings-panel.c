/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-warnings-panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-marks-table.h"
#include "stria-retell.h"
#include "stria-session-marks.h"
#include "stria-settings.h"
#include "stria-widget-tools.h"

#define LIMIT_DELAY_MS 400

enum
{
  COLUMN_RULE,
  COLUMN_START,
  COLUMN_DURATION,
  COLUMN_WHERE,
  COLUMN_FOUND,
  N_COLUMNS
};

struct _StriaWarningsPanel
{
  GtkWidget parent_instance;

  StriaSession  *session;
  StriaWarnings *warnings;
  guint          rule; /* STRIA_WARNING_N_RULES: all of them */
  gboolean       filling;
  guint          limit_timeout;

  GtkWidget *box;
  GtkWidget *chooser;
  GtkWidget *shown;
  GtkWidget *limit_label;
  GtkWidget *limit;
  GtkWidget *limit_unit;
  GtkWidget *reset;
  GtkWidget *spinner;
  GtkWidget *stack;
  GtkWidget *table;
  GtkLabel  *message;
  GtkLabel  *advice;
};

G_DEFINE_FINAL_TYPE (StriaWarningsPanel, stria_warnings_panel, GTK_TYPE_WIDGET)

static guint64
count_of (const StriaWarningSet *set, guint rule)
{
  guint64 n = 0;

  for (guint r = 0; set != NULL && r < STRIA_WARNING_N_RULES; r++)
    if (rule == STRIA_WARNING_N_RULES || rule == r)
      n += set->n_found[r];
  return n;
}

guint64
stria_warnings_panel_count (StriaSession *session)
{
  return count_of (stria_warnings_get (stria_session_get_warnings (session)),
                   STRIA_WARNING_N_RULES);
}

/* -- thresholds ------------------------------------------------------------------------------ */

/* What one of the spin button is worth: people count microseconds. */
static double
scale_of (guint rule)
{
  return stria_warning_info (rule)->unit == STRIA_LIMIT_NS ? 1000 : 1;
}

static void
load_limits (StriaWarnings *warnings)
{
  g_auto (GStrv) texts = stria_settings_get_list (STRIA_SETTING_WARNING_LIMITS);

  for (guint i = 0; texts[i] != NULL; i++)
    for (guint r = 0; r < STRIA_WARNING_N_RULES; r++)
      {
        const StriaWarningInfo *info = stria_warning_info (r);
        const gsize n = strlen (info->id);

        if (info->unit != STRIA_LIMIT_NONE && strncmp (texts[i], info->id, n) == 0
            && texts[i][n] == '=')
          {
            const double limit = g_ascii_strtod (texts[i] + n + 1, NULL);

            if (limit >= info->least && limit <= info->most)
              stria_warnings_set_limit (warnings, r, limit);
          }
      }
}

static void
save_limits (StriaWarnings *warnings)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) texts = NULL;

  for (guint r = 0; r < STRIA_WARNING_N_RULES; r++)
    {
      const StriaWarningInfo *info = stria_warning_info (r);
      const double limit = stria_warnings_get_limit (warnings, r);
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *text = NULL;

      if (info->unit == STRIA_LIMIT_NONE || (limit >= info->limit && limit <= info->limit))
        continue;
      text = g_strdup_printf ("%s=%s", info->id, g_ascii_dtostr (number, sizeof number, limit));
      g_strv_builder_add (builder, text);
    }
  texts = g_strv_builder_end (builder);
  stria_settings_set_list (STRIA_SETTING_WARNING_LIMITS, (const char *const *) texts);
}

static gboolean
on_limit_timeout (gpointer data)
{
  StriaWarningsPanel *self = data;

  self->limit_timeout = 0;
  if (self->rule >= STRIA_WARNING_N_RULES)
    return G_SOURCE_REMOVE;
  stria_warnings_set_limit (self->warnings, self->rule,
                            gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->limit))
                                * scale_of (self->rule));
  save_limits (self->warnings);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), TRUE);
  gtk_widget_set_visible (self->spinner, TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_limit (StriaWarningsPanel *self)
{
  if (self->filling)
    return;
  g_clear_handle_id (&self->limit_timeout, g_source_remove);
  self->limit_timeout = g_timeout_add (LIMIT_DELAY_MS, on_limit_timeout, self);
}

static void
on_reset (StriaWarningsPanel *self)
{
  if (self->rule < STRIA_WARNING_N_RULES)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->limit),
                               stria_warning_info (self->rule)->limit / scale_of (self->rule));
}

static void
update_limit (StriaWarningsPanel *self)
{
  const gboolean has = self->rule < STRIA_WARNING_N_RULES
                       && stria_warning_info (self->rule)->unit != STRIA_LIMIT_NONE;
  const StriaWarningInfo *info = has ? stria_warning_info (self->rule) : NULL;
  const char *units[] = { "", "B", "\xc2\xb5s", "%" };

  gtk_widget_set_visible (self->limit_label, has);
  gtk_widget_set_visible (self->limit, has);
  gtk_widget_set_visible (self->limit_unit, has);
  gtk_widget_set_visible (self->reset, has);
  if (!has)
    return;
  self->filling = TRUE;
  gtk_label_set_label (GTK_LABEL (self->limit_label), _ (info->limit_name));
  gtk_label_set_label (GTK_LABEL (self->limit_unit), units[info->unit]);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->limit), info->least / scale_of (self->rule),
                             info->most / scale_of (self->rule));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->limit),
                             stria_warnings_get_limit (self->warnings, self->rule)
                                 / scale_of (self->rule));
  self->filling = FALSE;
}

/* -- what is shown --------------------------------------------------------------------------- */

static StriaMarkItem *
item_for (StriaWarningsPanel *self, const StriaWarning *warning, guint i)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  const StriaWarningInfo *info = stria_warning_info (warning->rule);
  StriaMarkItem *item = stria_mark_item_new (i, N_COLUMNS);

  stria_mark_item_set_color (item, 0xe5a50a);
  stria_mark_item_set_cell (item, COLUMN_RULE, g_strdup (_ (info->title)), NAN,
                            g_strdup_printf ("%s\n\n%s\n\n%s", _ (info->rule), _ (info->source),
                                             _ (info->advice)));
  if (warning->has_time)
    {
      stria_mark_item_set_cell (item, COLUMN_START,
                                stria_marks_format_time (self->session, warning->t0),
                                (double) (warning->t0 - stria_marks_origin (self->session)), NULL);
      stria_mark_item_set_cell (item, COLUMN_DURATION,
                                stria_format_duration (warning->t1 - warning->t0, 5),
                                (double) (warning->t1 - warning->t0),
                                stria_format_ns (warning->t1 - warning->t0));
    }
  else
    {
      stria_mark_item_set_cell (item, COLUMN_START, g_strdup ("\xe2\x80\x93"), -1,
                                g_strdup (_ ("Of the whole file")));
      stria_mark_item_set_cell (item, COLUMN_DURATION, g_strdup ("\xe2\x80\x93"), -1,
                                g_strdup (_ ("Of the whole file")));
    }
  if (trace != NULL && warning->process < stria_trace_get_n_processes (trace))
    stria_mark_item_set_cell (item, COLUMN_WHERE,
                              stria_trace_process_title (trace, warning->process), NAN, NULL);
  stria_mark_item_set_cell (item, COLUMN_FOUND, g_strdup (warning->numbers), warning->severity,
                            g_strdup (warning->numbers));
  return item;
}

static void
fill_chooser (StriaWarningsPanel *self, const StriaWarningSet *set)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint r = 0; r <= STRIA_WARNING_N_RULES; r++)
    {
      const char *title = r < STRIA_WARNING_N_RULES ? _ (stria_warning_info (r)->title)
                                                    : _ ("All rules");
      g_autofree char *count = stria_format_count (count_of (set, r));
      g_autofree char *text = g_strdup_printf ("%s (%s)", title, count);
      GtkStringList *list = titles;

      if (r < STRIA_WARNING_N_RULES)
        gtk_string_list_append (list, text);
      else
        gtk_string_list_splice (list, 0, 0, (const char *const[]){ text, NULL });
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->chooser), G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->chooser),
                              self->rule == STRIA_WARNING_N_RULES ? 0 : self->rule + 1);
}

/* What to say where there is no row */
static char *
message_for (StriaWarningsPanel *self, const StriaWarningSet *set)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (stria_warnings_get_error (self->warnings) != NULL)
    return g_strdup (stria_warnings_get_error (self->warnings));
  if (set == NULL)
    return g_strdup (_ ("Looking…"));
  if (self->rule < STRIA_WARNING_N_RULES)
    return g_strdup_printf ("%s: %s", _ (stria_warning_info (self->rule)->title),
                            set->absent[self->rule] != NULL ? _ (set->absent[self->rule])
                                                            : _ ("nothing to warn of"));
  g_string_append (text, _ ("Nothing to warn of"));
  for (guint r = 0; r < STRIA_WARNING_N_RULES; r++)
    if (set->absent[r] != NULL)
      g_string_append_printf (text, "\n%s: %s", _ (stria_warning_info (r)->title),
                              _ (set->absent[r]));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
update_advice (StriaWarningsPanel *self)
{
  const StriaWarningSet *set = stria_warnings_get (self->warnings);
  StriaMarkItem *item = stria_marks_table_get_selected (STRIA_MARKS_TABLE (self->table));
  const guint64 i = item != NULL ? stria_mark_item_get_id (item) : G_MAXUINT64;
  guint rule = self->rule;
  const StriaWarningInfo *info;
  g_autoptr (GString) markup = NULL;
  g_autofree char *text = NULL;

  if (set != NULL && i < set->items->len)
    rule = g_array_index (set->items, StriaWarning, i).rule;
  gtk_widget_set_visible (GTK_WIDGET (self->advice), rule < STRIA_WARNING_N_RULES);
  if (rule >= STRIA_WARNING_N_RULES)
    return;
  info = stria_warning_info (rule);
  markup = g_string_new (NULL);
  text = g_markup_printf_escaped ("<b>%s</b> %s\n<b>%s</b> %s\n<b>%s</b> %s", _ ("Rule:"),
                                  _ (info->rule), _ ("Source:"), _ (info->source), _ ("Advice:"),
                                  _ (info->advice));
  g_string_append (markup, text);
  if (set != NULL && set->n_found[rule] > STRIA_WARNINGS_MAX_BANDS)
    {
      g_autofree char *all = stria_format_count (set->n_found[rule]);

      g_string_append_c (markup, '\n');
      g_string_append_printf (markup, _ ("The worst %d of %s are shown."),
                              STRIA_WARNINGS_MAX_BANDS, all);
    }
  gtk_label_set_markup (self->advice, markup->str);
}

static void
update (StriaWarningsPanel *self)
{
  const StriaWarningSet *set = stria_warnings_get (self->warnings);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *message = NULL;

  for (guint i = 0; set != NULL && i < set->items->len; i++)
    {
      const StriaWarning *warning = &g_array_index (set->items, StriaWarning, i);

      if (self->rule == STRIA_WARNING_N_RULES || self->rule == warning->rule)
        g_ptr_array_add (items, item_for (self, warning, i));
    }
  stria_marks_table_set_items (STRIA_MARKS_TABLE (self->table), items, NULL);
  self->filling = TRUE;
  fill_chooser (self, set);
  self->filling = FALSE;
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), stria_warnings_is_busy (self->warnings));
  gtk_widget_set_visible (self->spinner, stria_warnings_is_busy (self->warnings));
  message = message_for (self, set);
  gtk_label_set_label (self->message, message);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), items->len > 0 ? "table" : "empty");
  update_limit (self);
  update_advice (self);
}

static void
on_chosen (StriaWarningsPanel *self)
{
  const guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->chooser));

  if (self->filling || i == GTK_INVALID_LIST_POSITION)
    return;
  self->rule = i == 0 ? STRIA_WARNING_N_RULES : i - 1;
  update (self);
}

static void
on_shown (StriaWarningsPanel *self)
{
  stria_warnings_set_shown (self->warnings,
                            gtk_check_button_get_active (GTK_CHECK_BUTTON (self->shown)));
}

static const StriaWarning *
warning_at (StriaWarningsPanel *self, StriaMarkItem *item)
{
  const StriaWarningSet *set = stria_warnings_get (self->warnings);
  const guint64 i = item != NULL ? stria_mark_item_get_id (item) : G_MAXUINT64;

  return set != NULL && i < set->items->len ? &g_array_index (set->items, StriaWarning, i) : NULL;
}

static void
on_row_selected (StriaWarningsPanel *self)
{
  const StriaWarning *warning
      = warning_at (self, stria_marks_table_get_selected (STRIA_MARKS_TABLE (self->table)));

  update_advice (self);
  if (warning == NULL || !warning->has_time)
    return;
  stria_marks_show_time (self->session, warning->t0, warning->t1, FALSE);
  if (!stria_ref_is_none (warning->ref))
    stria_session_reveal (self->session, warning->ref);
}

static void
on_row_activated (StriaWarningsPanel *self, StriaMarkItem *item)
{
  const StriaWarning *warning = warning_at (self, item);

  if (warning != NULL && warning->has_time)
    stria_marks_show_time (self->session, warning->t0, warning->t1, TRUE);
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
stria_warnings_panel_dispose (GObject *object)
{
  StriaWarningsPanel *self = STRIA_WARNINGS_PANEL (object);

  self->filling = TRUE;
  g_clear_handle_id (&self->limit_timeout, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->warnings);
  G_OBJECT_CLASS (stria_warnings_panel_parent_class)->dispose (object);
}

static void
stria_warnings_panel_class_init (StriaWarningsPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_warnings_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_warnings_panel_init (StriaWarningsPanel *self)
{
  self->rule = STRIA_WARNING_N_RULES;
}

static GtkWidget *
header_new (StriaWarningsPanel *self)
{
  const char *const none[] = { NULL };
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *space = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);

  gtk_widget_add_css_class (header, "panel-header");
  self->chooser = gtk_drop_down_new_from_strings (none);
  gtk_widget_set_valign (self->chooser, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->chooser, _ ("Warnings of one rule, and its threshold"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Rule"), -1);
  g_signal_connect_swapped (self->chooser, "notify::selected", G_CALLBACK (on_chosen), self);
  self->limit_label = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->limit_label, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->limit_label), PANGO_ELLIPSIZE_END);
  self->limit = gtk_spin_button_new_with_range (0, 1, 1);
  gtk_widget_set_valign (self->limit, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->limit, _ ("Threshold of this rule"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->limit), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Threshold of this rule"), -1);
  g_signal_connect_swapped (self->limit, "value-changed", G_CALLBACK (on_limit), self);
  self->limit_unit = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->limit_unit, "dim-label");
  self->reset = stria_icon_button_new ("edit-undo-symbolic",
                                        _ ("Back to the threshold that the rule begins with"),
                                        G_CALLBACK (on_reset), self);
  self->spinner = gtk_spinner_new ();
  self->shown = gtk_check_button_new_with_label (_ ("Bands"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->shown),
                               stria_warnings_get_shown (self->warnings));
  gtk_widget_set_tooltip_text (self->shown, _ ("Show the warnings as bands over the timeline"));
  g_signal_connect_swapped (self->shown, "toggled", G_CALLBACK (on_shown), self);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_widget_add_css_class (space, "spacer");
  gtk_box_append (GTK_BOX (header), self->chooser);
  gtk_box_append (GTK_BOX (header), self->limit_label);
  gtk_box_append (GTK_BOX (header), self->limit);
  gtk_box_append (GTK_BOX (header), self->limit_unit);
  gtk_box_append (GTK_BOX (header), self->reset);
  gtk_box_append (GTK_BOX (header), space);
  gtk_box_append (GTK_BOX (header), self->spinner);
  gtk_box_append (GTK_BOX (header), self->shown);
  return header;
}

static GtkLabel *
text_new (const char *css_class)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

  gtk_label_set_wrap (label, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (label), css_class);
  return label;
}

GtkWidget *
stria_warnings_panel_new (StriaSession *session)
{
  StriaWarningsPanel *self = g_object_new (STRIA_TYPE_WARNINGS_PANEL, NULL);
  const char *const titles[]
      = { _ ("Warning"), _ ("Start"), _ ("Duration"), _ ("Where"), _ ("Found"), NULL };
  const guint8 is_text[] = { 1, 0, 0, 1, 2 };

  self->session = g_object_ref (session);
  self->warnings = g_object_ref (stria_session_get_warnings (session));
  load_limits (self->warnings);
  self->table = stria_marks_table_new (_ ("Warnings"));
  stria_marks_table_set_columns (STRIA_MARKS_TABLE (self->table), titles, is_text);
  self->message = text_new ("dim-label");
  gtk_label_set_justify (self->message, GTK_JUSTIFY_CENTER);
  self->advice = text_new ("caption");
  gtk_label_set_xalign (self->advice, 0);
  gtk_label_set_selectable (self->advice, TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self->advice), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->advice), "panel-header");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), self->table, "table");
  gtk_stack_add_named (GTK_STACK (self->stack), GTK_WIDGET (self->message), "empty");
  gtk_widget_set_vexpand (self->stack, TRUE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_box_append (GTK_BOX (self->box), self->stack);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->advice));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->table, "selected", G_CALLBACK (on_row_selected), self);
  g_signal_connect_swapped (self->table, "activated", G_CALLBACK (on_row_activated), self);
  g_signal_connect_object (self->warnings, "changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update));
  update (self);
  return GTK_WIDGET (self);
}
