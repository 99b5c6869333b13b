/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-columns.h"

#include "stria-table-start.h"

#include <math.h>

const StriaEntityKind stria_model_row_kinds[] = {
  STRIA_ENTITY_CHAIN,          STRIA_ENTITY_CASCADE,           STRIA_ENTITY_SEGMENT,
  STRIA_ENTITY_SOURCE_OPERATOR, STRIA_ENTITY_METHOD_CALL,       STRIA_ENTITY_TRACE_OPERATOR,
  STRIA_ENTITY_COMPILER_OPERATOR, STRIA_ENTITY_DELEGATE_EVENT,  STRIA_ENTITY_FRAMEWORK,
  STRIA_N_ENTITY_KINDS,
};

static void
on_text_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer is_name)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  if (GPOINTER_TO_INT (is_name))
    gtk_label_set_width_chars (GTK_LABEL (label), 22);
  gtk_list_item_set_child (list_item, label);
}

static void
on_figure_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (list_item, label);
}

GtkColumnViewColumn *
stria_model_columns_add (GtkColumnView *view, const StriaModelColumnSpec *spec)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;
  g_autoptr (GtkSorter) sorter = NULL;

  g_signal_connect (factory, "setup",
                    spec->is_text ? G_CALLBACK (on_text_setup) : G_CALLBACK (on_figure_setup),
                    GINT_TO_POINTER (spec->width == 0));
  g_signal_connect (factory, "bind", G_CALLBACK (spec->bind), GUINT_TO_POINTER (spec->number));
  column = gtk_column_view_column_new (spec->title, factory);
  sorter = GTK_SORTER (
      gtk_custom_sorter_new (spec->compare, GUINT_TO_POINTER (spec->number), NULL));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (spec->width == 0)
    gtk_column_view_column_set_expand (column, TRUE);
  else
    gtk_column_view_column_set_fixed_width (column, stria_table_width (spec->width, spec->title));
  gtk_column_view_append_column (view, column);
  return column;
}

void
stria_model_columns_set_rows (GtkColumnView *view, GListStore *store, GtkFilter *filter)
{
  GtkFilterListModel *filtered = gtk_filter_list_model_new (
      g_object_ref (G_LIST_MODEL (store)), g_object_ref (filter));
  GtkSortListModel *sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (filtered), g_object_ref (gtk_column_view_get_sorter (view)));
  GtkSingleSelection *selection = gtk_single_selection_new (G_LIST_MODEL (sorted));

  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_column_view_set_model (view, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
}

int
stria_model_columns_order (double a, double b)
{
  a = isnan (a) ? -INFINITY : a;
  b = isnan (b) ? -INFINITY : b;
  return a < b ? GTK_ORDERING_SMALLER : a > b ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

GtkWidget *
stria_model_icon_button_new (GtkWidget *bar, const char *icon, const char *name,
                             const char *tooltip, GCallback clicked, gpointer owner)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (button, "clicked", clicked, owner);
  gtk_box_append (GTK_BOX (bar), button);
  return button;
}
