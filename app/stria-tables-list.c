/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-tables-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-format.h"

struct _StriaTablesList
{
  GtkWidget parent_instance;

  gboolean filling;

  GtkWidget  *box;
  GtkWidget  *entry;
  GtkListBox *list;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaTablesList, stria_tables_list, GTK_TYPE_WIDGET)

static StriaShownTable *
table_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "table");
}

static GtkWidget *
row_new (StriaShownTable *table)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = gtk_label_new (table->name);
  g_autofree char *count = stria_format_count (table->n_rows);
  g_autofree char *rows
      = g_strdup_printf (ngettext ("%s row", "%s rows", table->n_rows), count);
  g_autofree char *columns = g_strdup_printf (
      ngettext ("%u column", "%u columns", table->columns->len), table->columns->len);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s · %s", table->sql_name, rows, columns);
  GtkWidget *number = gtk_label_new (count);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (number, "numeric");
  gtk_widget_add_css_class (number, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), number);
  if (table->n_rows == 0)
    gtk_widget_add_css_class (name, "dim-label");
  gtk_widget_set_tooltip_text (row, tooltip);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, table->name,
                                  -1);
  g_object_set_data_full (G_OBJECT (row), "table", stria_shown_table_ref (table),
                          (GDestroyNotify) stria_shown_table_unref);
  return row;
}

static void
add_heading (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const StriaShownKind kind = table_of (row)->kind;
  GtkWidget *label;

  if (before != NULL && table_of (before)->kind == kind)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (kind == STRIA_SHOWN_TABLE ? _ ("Tables of the Files")
                                                   : _ ("Tables of the Store"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_top (label, 10);
  gtk_widget_set_margin_bottom (label, 4);
  gtk_widget_set_margin_start (label, 8);
  gtk_list_box_row_set_header (row, label);
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer data)
{
  StriaTablesList *self = data;
  g_autofree char *text
      = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->entry)), -1);
  g_autofree char *name = g_utf8_casefold (table_of (row)->name, -1);

  return strstr (name, text) != NULL;
}

static void
on_selected (StriaTablesList *self, GtkListBoxRow *row)
{
  if (row != NULL && !self->filling)
    g_signal_emit (self, signals[CHOSEN], 0, table_of (row));
}

static void
on_filter (StriaTablesList *self)
{
  gtk_list_box_invalidate_filter (self->list);
}

void
stria_tables_list_set_tables (StriaTablesList *self, GPtrArray *tables)
{
  GtkListBoxRow *selected = gtk_list_box_get_selected_row (self->list);
  g_autofree char *name = selected != NULL ? g_strdup (table_of (selected)->sql_name) : NULL;
  GtkListBoxRow *row;

  self->filling = TRUE;
  while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  for (guint i = 0; i < tables->len; i++)
    {
      StriaShownTable *table = tables->pdata[i];
      GtkWidget *added = row_new (table);

      gtk_list_box_append (self->list, added);
      if (g_strcmp0 (name, table->sql_name) == 0)
        gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (added));
    }
  self->filling = FALSE;
}

void
stria_tables_list_unselect (StriaTablesList *self)
{
  gtk_list_box_unselect_all (self->list);
}

static void
stria_tables_list_dispose (GObject *object)
{
  g_clear_pointer (&STRIA_TABLES_LIST (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_tables_list_parent_class)->dispose (object);
}

static void
stria_tables_list_class_init (StriaTablesListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_tables_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
stria_tables_list_init (StriaTablesList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("Filter tables"), NULL);
  gtk_widget_set_margin_top (self->entry, 6);
  gtk_widget_set_margin_start (self->entry, 6);
  gtk_widget_set_margin_end (self->entry, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter tables"), -1);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_filter), self);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tables"), -1);
  gtk_list_box_set_header_func (self->list, add_heading, NULL, NULL);
  gtk_list_box_set_filter_func (self->list, is_wanted, self, NULL);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (on_selected), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->entry);
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_tables_list_new (void)
{
  return g_object_new (STRIA_TYPE_TABLES_LIST, NULL);
}
