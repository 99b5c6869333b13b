/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-operator-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-fields.h"
#include "stria-format.h"
#include "stria-table-start.h"
#include "stria-swatch.h"

#define MAX_NAME_BYTES 500

G_DEFINE_FINAL_TYPE (StriaOperatorRow, stria_operator_row, G_TYPE_OBJECT)

static void
stria_operator_row_finalize (GObject *object)
{
  stria_operators_unref (STRIA_OPERATOR_ROW (object)->tree);
  G_OBJECT_CLASS (stria_operator_row_parent_class)->finalize (object);
}

static void
stria_operator_row_class_init (StriaOperatorRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_operator_row_finalize;
}

static void
stria_operator_row_init (StriaOperatorRow *self)
{
}

StriaOperatorRow *
stria_operator_row_new (StriaOperators *tree, guint32 node)
{
  StriaOperatorRow *self = g_object_new (STRIA_TYPE_OPERATOR_ROW, NULL);

  self->tree = stria_operators_ref (tree);
  self->node = node;
  return self;
}

static double
value_of (gconstpointer row, StriaOperatorFigure figure)
{
  const StriaOperatorRow *self = row;

  return stria_operators_get (self->tree, self->node)->figures[figure];
}

static int
compare_values (gconstpointer a, gconstpointer b, gpointer data)
{
  const StriaOperatorFigure figure = (StriaOperatorFigure) GPOINTER_TO_UINT (data);
  const double x = value_of (a, figure), y = value_of (b, figure);

  if (isnan (x) || isnan (y))
    return isnan (x) ? (isnan (y) ? GTK_ORDERING_EQUAL : GTK_ORDERING_SMALLER)
                     : GTK_ORDERING_LARGER;
  return x < y ? GTK_ORDERING_SMALLER : x > y ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  const StriaOperatorRow *x = a, *y = b;

  return gtk_ordering_from_cmpfunc (g_utf8_collate (stria_operators_get (x->tree, x->node)->name,
                                                    stria_operators_get (y->tree, y->node)->name));
}

/* -- cells ----------------------------------------------------------------------------------- */

static char *
figure_tooltip (StriaOperatorRow *row, StriaOperatorFigure figure)
{
  const StriaOperator *node = stria_operators_get (row->tree, row->node);
  const double value = node->figures[figure];
  const char *formula
      = stria_operator_figure_formula (stria_operators_get_kind (row->tree), figure);
  const char *reason = NULL;

  if (isnan (value))
    {
      stria_operators_has_figure (row->tree, figure, &reason);
      return g_strdup (reason != NULL ? _ (reason) : _ ("Nothing here says so"));
    }
  if (figure >= STRIA_OPERATOR_PERIOD_TENSOR && figure <= STRIA_OPERATOR_PERIOD_SYNC)
    {
      const gint64 *period = node->period[figure - STRIA_OPERATOR_PERIOD_TENSOR];
      g_autofree char *begin = stria_format_ns (period[0]);
      g_autofree char *end = stria_format_ns (period[1]);

      /* Translators: a formula, and two times */
      return g_strdup_printf (_ ("%s\n(%s, %s)"), formula, begin, end);
    }
  if (g_str_equal (stria_operator_figure_unit (figure), "ns"))
    {
      g_autofree char *exact = stria_format_ns ((gint64) (value + 0.5));

      return g_strdup_printf ("%s\n%s", exact, formula);
    }
  return g_strdup (formula);
}

static void
on_name_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 26);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), stria_swatch_new ());
  gtk_box_append (GTK_BOX (box), label);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (list_item, expander);
}

static void
on_name_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  g_autoptr (StriaOperatorRow) row = gtk_tree_list_row_get_item (tree_row);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_tree_expander_get_child (expander));
  GtkWidget *label = gtk_widget_get_next_sibling (swatch);
  const char *name = stria_operators_get (row->tree, row->node)->name;
  g_autofree char *text = stria_text_cut (name, MAX_NAME_BYTES);

  gtk_tree_expander_set_list_row (expander, tree_row);
  stria_swatch_set_name (STRIA_SWATCH (swatch),
                         row->node != 0 ? stria_operators_get (row->tree, row->node)->color_name
                                        : NULL);
  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, text);
}

static void
on_figure_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL);

  if (GPOINTER_TO_UINT (data) == STRIA_OPERATOR_SHARE)
    {
      GtkWidget *bar = stria_swatch_new_bar ();

      gtk_widget_set_size_request (bar, 36, 6);
      gtk_box_append (GTK_BOX (box), bar);
    }
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (list_item, box);
}

static void
on_figure_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  const StriaOperatorFigure figure = (StriaOperatorFigure) GPOINTER_TO_UINT (data);
  g_autoptr (StriaOperatorRow) row
      = gtk_tree_list_row_get_item (gtk_list_item_get_item (list_item));
  GtkWidget *first = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  GtkWidget *label = gtk_widget_get_last_child (gtk_list_item_get_child (list_item));
  const double value = value_of (row, figure);
  g_autofree char *text = stria_operator_figure_text (figure, value);
  g_autofree char *tooltip = figure_tooltip (row, figure);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, tooltip);
  if (isnan (value))
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
  if (first != label)
    {
      stria_swatch_set_name (STRIA_SWATCH (first),
                             row->node != 0
                                 ? stria_operators_get (row->tree, row->node)->color_name
                                 : NULL);
      stria_swatch_set_share (STRIA_SWATCH (first), isnan (value) ? 0 : CLAMP (value, 0, 1));
    }
}

GtkColumnViewColumn *
stria_operator_name_column_new (void)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_names, NULL, NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (on_name_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_name_bind), NULL);
  column = gtk_column_view_column_new (_ ("Operator"), factory);
  gtk_column_view_column_set_expand (column, TRUE);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_sorter (column, sorter);
  return column;
}

GtkColumnViewColumn *
stria_operator_figure_column_new (StriaOperatorFigure figure)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;
  g_autoptr (GtkSorter) sorter
      = GTK_SORTER (gtk_custom_sorter_new (compare_values, GUINT_TO_POINTER (figure), NULL));
  const gboolean is_wide = figure == STRIA_OPERATOR_SHARE || figure == STRIA_OPERATOR_ENGINE
                           || figure == STRIA_OPERATOR_HBM_WRITE
                           || figure >= STRIA_OPERATOR_PERIOD_TENSOR;

  g_signal_connect (factory, "setup", G_CALLBACK (on_figure_setup), GUINT_TO_POINTER (figure));
  g_signal_connect (factory, "bind", G_CALLBACK (on_figure_bind), GUINT_TO_POINTER (figure));
  column = gtk_column_view_column_new (stria_operator_figure_title (figure), factory);
  gtk_column_view_column_set_fixed_width (
      column, stria_table_width (figure == STRIA_OPERATOR_FLOPS ? 136 : is_wide ? 112 : 84,
                                 stria_operator_figure_title (figure)));
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_sorter (column, sorter);
  return column;
}
