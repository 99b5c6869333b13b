/* SPDX-License-Identifier: Apache-2.0 */
/* The bars of the view of operators. */
#include "config.h"

#include "stria-operators-view-private.h"

#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-format.h"
#include "stria-operators-table.h"
#include "stria-wrap-box.h"

static void
summarize (StriaOperatorsView *self, guint n_found)
{
  const StriaOperator *root = stria_operators_get (self->tree, 0);
  const char *filter = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *total = stria_format_duration (
      (gint64) (root->figures[STRIA_OPERATOR_TOTAL] + 0.5), 4);
  const guint n = *filter != '\0' ? n_found : stria_operators_n_nodes (self->tree) - 1;
  g_autofree char *count = stria_format_count (n);
  g_autofree char *nodes = g_strdup_printf (
      *filter != '\0' ? ngettext ("%s operator found", "%s operators found", n)
                      : ngettext ("%s operator", "%s operators", n),
      count);
  g_autofree char *text = g_strdup_printf ("%s · %s", nodes, total);

  gtk_label_set_label (self->summary, text);
}

void
stria_operators_view_filter (StriaOperatorsView *self)
{
  if (self->tree != NULL)
    summarize (self, stria_operators_table_set_filter (
                         STRIA_OPERATORS_TABLE (self->table),
                         gtk_editable_get_text (GTK_EDITABLE (self->entry))));
}

static void
on_expand (StriaOperatorsView *self)
{
  if (!stria_operators_table_expand_all (STRIA_OPERATORS_TABLE (self->table)))
    stria_tell (GTK_WIDGET (self), _ ("The first rows are unfolded; a filter shows fewer"));
}

static void
on_collapse (StriaOperatorsView *self)
{
  stria_operators_table_collapse_all (STRIA_OPERATORS_TABLE (self->table));
}

static void
on_icicle_toggled (StriaOperatorsView *self)
{
  gtk_widget_set_visible (gtk_paned_get_start_child (GTK_PANED (self->paned)),
                          gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->icicle_toggle)));
}

static void
on_copy (StriaOperatorsView *self)
{
  g_autofree char *csv = stria_operators_to_csv (self->tree);

  stria_copy_text (GTK_WIDGET (self), csv);
}

static void
on_save (StriaOperatorsView *self)
{
  g_autofree char *csv = stria_operators_to_csv (self->tree);

  stria_save_text (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save Operators"),
                   "operators.csv", csv, stria_tell_saved, self);
}

static GtkWidget *
button_new (GtkWidget *bar, const char *icon, const char *tooltip, GCallback clicked,
            StriaOperatorsView *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), button);
  return button;
}

static GtkDropDown *
chooser_new (GtkWidget *bar, const char *const *names, const char *tooltip,
             StriaOperatorsView *self)
{
  GtkWidget *chooser = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_tooltip_text (chooser, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (chooser), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (chooser, "notify::selected", G_CALLBACK (stria_operators_view_chosen), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), chooser);
  return GTK_DROP_DOWN (chooser);
}

GtkWidget *
stria_operators_view_bar_new (StriaOperatorsView *self)
{
  GtkWidget *bar = stria_wrap_box_new (6, 4);
  const char *none[] = { NULL };
  const char *ranges[] = { _ ("Whole Capture"), _ ("Visible Range"), _ ("Selected Range"), NULL };

  gtk_widget_add_css_class (bar, "panel-header");
  self->kind_chooser = chooser_new (bar, none, _ ("What the tree is made of"), self);
  self->range_chooser = chooser_new (bar, ranges, _ ("What time to count"), self);
  self->entry = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 14);
  g_object_set (self->entry, "placeholder-text", _ ("Filter by name"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter by name"), -1);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (stria_operators_view_filter), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), self->entry);
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), GTK_WIDGET (self->spinner));
  self->icicle_toggle = gtk_toggle_button_new_with_label (_ ("Hierarchy"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->icicle_toggle), TRUE);
  gtk_widget_set_tooltip_text (self->icicle_toggle, _ ("Show the tree as a picture, too"));
  g_signal_connect_swapped (self->icicle_toggle, "toggled", G_CALLBACK (on_icicle_toggled), self);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), self->icicle_toggle);
  stria_wrap_box_append (STRIA_WRAP_BOX (bar), stria_operators_table_columns_new (
                                                   STRIA_OPERATORS_TABLE (self->table)));
  button_new (bar, "list-add-symbolic", _ ("Unfold all rows"), G_CALLBACK (on_expand), self);
  button_new (bar, "list-remove-symbolic", _ ("Fold all rows"), G_CALLBACK (on_collapse), self);
  self->copy_button = button_new (bar, "edit-copy-symbolic", _ ("Copy as CSV"),
                                  G_CALLBACK (on_copy), self);
  self->save_button = button_new (bar, "document-save-symbolic", _ ("Save as CSV…"),
                                  G_CALLBACK (on_save), self);
  return bar;
}

GtkWidget *
stria_operators_view_foot_new (StriaOperatorsView *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_add_css_class (foot, "panel-header");
  self->summary = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->summary));
  self->clear_button = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->clear_button, "flat");
  gtk_widget_set_tooltip_text (self->clear_button, _ ("Let no events stand out"));
  gtk_widget_set_visible (self->clear_button, FALSE);
  g_signal_connect_swapped (self->clear_button, "clicked", G_CALLBACK (stria_operators_view_clear), self);
  gtk_box_append (GTK_BOX (foot), self->clear_button);
  return foot;
}
