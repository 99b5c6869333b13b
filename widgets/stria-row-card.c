/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-row-card.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "stria-details-rows.h"
#include "stria-format.h"

struct _StriaRowCard
{
  GtkWidget parent_instance;

  const StriaRow  *row;
  GtkWidget       *box;
  GtkLabel        *title;
  GtkSearchEntry  *search;
  GtkToggleButton *empty_button;
  GtkWidget       *body;
};

G_DEFINE_FINAL_TYPE (StriaRowCard, stria_row_card, GTK_TYPE_WIDGET)

static gboolean
contains (const char *text, const char *folded)
{
  g_autofree char *other = NULL;

  if (text == NULL)
    return FALSE;
  other = g_utf8_casefold (text, -1);
  return strstr (other, folded) != NULL;
}

static gboolean
is_shown (StriaRowCard *self, const StriaRowCell *cell, const char *folded)
{
  if (cell->text == NULL && !gtk_toggle_button_get_active (self->empty_button))
    return FALSE;
  return folded[0] == '\0' || contains (cell->name, folded) || contains (cell->text, folded)
         || contains (cell->note, folded);
}

/* A number as people read it, or %NULL if it is best as it is. */
static char *
readable (const StriaRowCell *cell)
{
  gint64 value;

  if (cell->type == STRIA_CELL_INT
      && g_ascii_string_to_signed (cell->text, 10, G_MININT64, G_MAXINT64, &value, NULL))
    {
      if (g_str_equal (cell->unit, "ns"))
        return g_str_has_suffix (cell->name, "_ts") ? stria_format_ns (value)
                                                    : stria_format_time (value, 1);
      if (g_str_equal (cell->unit, "B"))
        return stria_format_bytes (value);
      if (cell->group != STRIA_ROW_IDS && value >= 10000)
        return stria_format_count ((guint64) value);
    }
  if (cell->type == STRIA_CELL_REAL && cell->unit[0] != '\0')
    return stria_format_value (g_ascii_strtod (cell->text, NULL), cell->unit);
  return NULL;
}

static GtkWidget *
value_new (const StriaRowCell *cell)
{
  g_autofree char *shown = NULL;
  g_autofree char *exact = NULL;
  GtkWidget *label;

  if (cell->text == NULL)
    {
      label = gtk_label_new (cell->is_missing ? _ ("not in this file") : _ ("no value"));
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_tooltip_text (
          label, cell->is_missing
                     ? _ ("The published table has this column; the file that was read has not")
                     : _ ("The file has this column, and no value of this row in it"));
      return label;
    }
  shown = readable (cell);
  if (shown == NULL)
    {
      StriaField field = { .key = cell->name, .text = cell->text, .type = STRIA_FIELD_STRING };
      g_autoptr (StriaField) parsed
          = cell->text[0] == '[' || cell->text[0] == '{'
                ? stria_fields_parse (cell->text, strlen (cell->text))
                : NULL;

      return stria_details_field_new (parsed != NULL && parsed->children != NULL ? parsed : &field);
    }
  exact = g_strdup_printf ("%s %s", cell->text, cell->unit);
  {
    StriaField field = { .key = cell->name, .text = shown, .type = STRIA_FIELD_STRING };

    label = stria_details_field_new (&field);
  }
  gtk_widget_set_tooltip_text (label, g_strchomp (exact));
  return label;
}

static char *
help_of (const StriaRow *row, const StriaRowCell *cell)
{
  GString *help = g_string_new (NULL);

  g_string_append_printf (help, "%s.%s", row->table, cell->name);
  if (cell->unit[0] != '\0')
    g_string_append_printf (help, " [%s]", cell->unit);
  if (cell->note[0] != '\0')
    g_string_append_printf (help, "\n%s", cell->note);
  return g_string_free (help, FALSE);
}

/* Returns: how many columns of the group it shows */
static guint
add_group (StriaRowCard *self, StriaRowGroup group, const char *folded)
{
  GtkWidget *body = NULL, *table = NULL;
  guint n = 0;

  for (guint i = 0; i < self->row->cells->len; i++)
    {
      const StriaRowCell *cell = self->row->cells->pdata[i];
      g_autofree char *help = NULL;

      if (cell->group != group || !is_shown (self, cell, folded))
        continue;
      if (n++ == 0)
        {
          GtkWidget *section
              = stria_details_section_new (stria_row_group_title (group), NULL, &body);

          table = stria_details_table_new ();
          gtk_box_append (GTK_BOX (body), table);
          gtk_box_append (GTK_BOX (self->body), section);
        }
      help = help_of (self->row, cell);
      stria_details_table_add_help (table, cell->name, value_new (cell), help);
    }
  return n;
}

static void
fill (StriaRowCard *self)
{
  g_autofree char *folded
      = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  g_autofree char *title = NULL;
  g_autofree char *help = NULL;
  GtkWidget *child;
  guint n = 0, n_empty = 0;

  while ((child = gtk_widget_get_first_child (self->body)) != NULL)
    gtk_box_remove (GTK_BOX (self->body), child);
  if (self->row == NULL)
    return;
  g_strstrip (folded);
  for (StriaRowGroup group = 0; group < STRIA_ROW_N_GROUPS; group++)
    n += add_group (self, group, folded);
  for (guint i = 0; i < self->row->cells->len; i++)
    n_empty += ((StriaRowCell *) self->row->cells->pdata[i])->text == NULL;
  if (n == 0)
    {
      child = gtk_label_new (_ ("No column fits"));
      gtk_widget_add_css_class (child, "dim-label");
      gtk_label_set_xalign (GTK_LABEL (child), 0);
      gtk_widget_set_margin_top (child, 6);
      gtk_box_append (GTK_BOX (self->body), child);
    }
  /* Translators: name of a table, number of a row in it */
  title = g_strdup_printf (_ ("%s, row %" PRIu64), self->row->table, self->row->number);
  gtk_label_set_label (self->title, title);
  help = g_strdup_printf ("%s\n%s", title, self->row->note);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), g_strchomp (help));
  g_free (title);
  title = g_strdup_printf (ngettext ("Show %u column without a value",
                                     "Show %u columns without a value", n_empty),
                           n_empty);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->empty_button), title);
  gtk_widget_set_sensitive (GTK_WIDGET (self->empty_button), n_empty > 0);
}

static void
stria_row_card_dispose (GObject *object)
{
  StriaRowCard *self = STRIA_ROW_CARD (object);

  self->row = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_row_card_parent_class)->dispose (object);
}

static void
stria_row_card_class_init (StriaRowCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_row_card_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_row_card_init (StriaRowCard *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  GtkWidget *title = gtk_label_new (NULL);
  GtkWidget *search = gtk_search_entry_new ();
  GtkWidget *empty = gtk_toggle_button_new_with_label (_ ("Empty"));

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_add_css_class (self->box, "details-section");
  self->body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->title = GTK_LABEL (title);
  self->search = GTK_SEARCH_ENTRY (search);
  self->empty_button = GTK_TOGGLE_BUTTON (empty);

  gtk_widget_add_css_class (title, "caption-heading");
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (copy, "flat");
  gtk_widget_set_tooltip_text (copy, _ ("Copy the row as JSON"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Copy the row as JSON"), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (copy), "details.copy-row");
  gtk_widget_add_css_class (empty, "flat");
  gtk_widget_add_css_class (empty, "caption");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), empty);
  gtk_box_append (GTK_BOX (head), copy);
  g_object_set (search, "placeholder-text", _ ("Column, value or meaning"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find columns of the row"), -1);
  gtk_box_append (GTK_BOX (self->box), head);
  gtk_box_append (GTK_BOX (self->box), search);
  gtk_box_append (GTK_BOX (self->box), self->body);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (search, "search-changed", G_CALLBACK (fill), self);
  g_signal_connect_swapped (empty, "toggled", G_CALLBACK (fill), self);
}

GtkWidget *
stria_row_card_new (void)
{
  return g_object_new (STRIA_TYPE_ROW_CARD, NULL);
}

void
stria_row_card_set_row (StriaRowCard *self, const StriaRow *row)
{
  g_return_if_fail (STRIA_IS_ROW_CARD (self));

  self->row = row;
  fill (self);
}
