/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-operators-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-list-popover.h"
#include "stria-operator-row.h"
#include "stria-stats-columns.h"
#include "stria-table-start.h"

/* More rows than anybody reads; each costs time to unfold. */
#define MAX_UNFOLDED 3000
struct _StriaOperatorsTable
{
  GtkWidget parent_instance;

  StriaOperators *tree;
  guint8         *shown;   /* bit by node; NULL: all */
  char           *filter;  /* "" = none */
  gboolean        filling;
  StriaOperatorsKind kind; /* that the columns are for */
  guint64         chosen;  /* bit by figure: columns that are there */
  guint64         asked;   /* bit by kind: columns were chosen for it */
  guint64         by_kind[STRIA_N_OPERATORS_KINDS];

  GListStore         *roots;
  GtkTreeListModel   *model;
  GtkSingleSelection *selection;
  GtkColumnView      *view;
  GtkColumnViewColumn *columns[STRIA_N_OPERATOR_FIGURES];
  GtkWidget          *scrolled;
};

enum
{
  SELECTED,
  ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaOperatorsTable, stria_operators_table, GTK_TYPE_WIDGET)

/* -- rows ------------------------------------------------------------------------------------ */

static void
append_row (GListStore *store, StriaOperators *tree, guint32 node)
{
  g_autoptr (StriaOperatorRow) row = stria_operator_row_new (tree, node);

  g_list_store_append (store, row);
}

static gboolean
is_shown (StriaOperatorsTable *self, guint32 node)
{
  return self->shown == NULL || (self->shown[node >> 3] >> (node & 7) & 1) != 0;
}

static GListModel *
children_of (gpointer item, gpointer user_data)
{
  StriaOperatorsTable *self = user_data;
  StriaOperatorRow *row = item;
  GListStore *store = NULL;

  if (row->tree != self->tree)
    return NULL;
  for (guint32 child = stria_operators_first (row->tree, row->node); child != G_MAXUINT32;
       child = stria_operators_next (row->tree, child))
    if (is_shown (self, child))
      {
        if (store == NULL)
          store = g_list_store_new (STRIA_TYPE_OPERATOR_ROW);
        append_row (store, row->tree, child);
      }
  return store != NULL ? G_LIST_MODEL (store) : NULL;
}

/* -- columns --------------------------------------------------------------------------------- */

static guint64
usual_columns (StriaOperatorsKind kind)
{
#define BIT(figure) ((guint64) 1 << STRIA_OPERATOR_##figure)
  const guint64 times = BIT (TOTAL) | BIT (SELF) | BIT (SHARE) | BIT (COUNT);

  switch (kind)
    {
    case STRIA_OPERATORS_LAYERS:
      return times | BIT (MFU) | BIT (HFU) | BIT (FLOPS) | BIT (HBM_READ) | BIT (HBM_WRITE)
             | BIT (N_TENSOR) | BIT (N_VECTOR) | BIT (N_SCALAR) | BIT (N_GPSIMD) | BIT (N_SYNC);
    case STRIA_OPERATORS_NODES:
      return BIT (TOTAL) | BIT (SHARE) | BIT (MFU) | BIT (HFU) | BIT (HBM_READ) | BIT (HBM_WRITE)
             | BIT (N_TENSOR) | BIT (N_VECTOR) | BIT (N_SCALAR) | BIT (N_GPSIMD) | BIT (N_SYNC);
    case STRIA_OPERATORS_CATEGORIES:
      return BIT (TOTAL) | BIT (SHARE) | BIT (COUNT) | BIT (MEAN);
    case STRIA_OPERATORS_MODULES:
    case STRIA_OPERATORS_CALLS:
    case STRIA_N_OPERATORS_KINDS:
    default:
      return times | BIT (MEAN) | BIT (DEVICE) | BIT (LAUNCHED);
    }
#undef BIT
}

/* Columns that trees of the kind can fill, or say why not */
static gboolean
is_offered (StriaOperatorsTable *self, StriaOperatorFigure figure)
{
  const char *reason = NULL;

  return self->tree != NULL
         && (stria_operators_has_figure (self->tree, figure, &reason) || reason != NULL);
}

/* A hidden column would still take its width. */
static void
show_columns (StriaOperatorsTable *self)
{
  guint at = 1;

  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    {
      const gboolean is_there
          = gtk_column_view_column_get_column_view (self->columns[f]) != NULL;
      const gboolean is_wanted = (self->chosen >> f & 1) != 0 && is_offered (self, f);

      if (is_wanted && !is_there)
        gtk_column_view_insert_column (self->view, at, self->columns[f]);
      else if (!is_wanted && is_there)
        gtk_column_view_remove_column (self->view, self->columns[f]);
      at += is_wanted;
    }
  stria_stats_columns_align (self->view, 1);
}

static void
add_columns (StriaOperatorsTable *self)
{
  g_autoptr (GtkColumnViewColumn) name = stria_operator_name_column_new ();

  gtk_column_view_append_column (self->view, name);
  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    self->columns[f] = stria_operator_figure_column_new (f);
}

static void
on_column_toggled (StriaOperatorsTable *self, GtkCheckButton *check)
{
  const guint figure = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "figure"));
  const guint64 bit = (guint64) 1 << figure;

  self->chosen = gtk_check_button_get_active (check) ? self->chosen | bit : self->chosen & ~bit;
  self->asked |= (guint64) 1 << self->kind;
  self->by_kind[self->kind] = self->chosen;
  show_columns (self);
}

static void
fill_columns_menu (GtkMenuButton *button, gpointer user_data)
{
  StriaOperatorsTable *self = user_data;
  GtkWidget *box = stria_list_popover_new (button);

  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    {
      GtkWidget *check;

      if (!is_offered (self, f))
        continue;
      check = gtk_check_button_new_with_label (stria_operator_figure_title (f));
      gtk_widget_set_tooltip_text (check, stria_operator_figure_formula (self->kind, f));
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), (self->chosen >> f & 1) != 0);
      g_object_set_data (G_OBJECT (check), "figure", GUINT_TO_POINTER (f));
      g_signal_connect_object (check, "toggled", G_CALLBACK (on_column_toggled), self,
                               G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (box), check);
    }
}

GtkWidget *
stria_operators_table_columns_new (StriaOperatorsTable *self)
{
  return stria_columns_button_new (fill_columns_menu, self);
}

/* -- unfolding ------------------------------------------------------------------------------- */

static void
unfold_lone (GtkTreeListRow *row)
{
  for (guint i = 0; i < 64; i++)
    {
      g_autoptr (GtkTreeListRow) child = NULL;
      g_autoptr (GtkTreeListRow) second = NULL;

      gtk_tree_list_row_set_expanded (row, TRUE);
      child = gtk_tree_list_row_get_child_row (row, 0);
      second = gtk_tree_list_row_get_child_row (row, 1);
      if (child == NULL || second != NULL)
        break;
      /* The parent keeps its rows while it is unfolded. */
      row = child;
    }
}

static void
refill (StriaOperatorsTable *self)
{
  g_autoptr (GtkTreeListRow) top = NULL;

  g_list_store_remove_all (self->roots);
  if (self->tree == NULL)
    return;
  append_row (self->roots, self->tree, 0);
  top = gtk_tree_list_model_get_child_row (self->model, 0);
  if (top == NULL)
    return;
  if (self->shown != NULL)
    stria_operators_table_expand_all (self);
  else
    unfold_lone (top);
}

gboolean
stria_operators_table_expand_all (StriaOperatorsTable *self)
{
  GListModel *rows = G_LIST_MODEL (self->model);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->model, i);

      if (g_list_model_get_n_items (rows) >= MAX_UNFOLDED)
        return FALSE;
      gtk_tree_list_row_set_expanded (row, TRUE);
    }
  return TRUE;
}

void
stria_operators_table_collapse_all (StriaOperatorsTable *self)
{
  g_autoptr (GtkTreeListRow) top = gtk_tree_list_model_get_child_row (self->model, 0);

  if (top == NULL)
    return;
  gtk_tree_list_row_set_expanded (top, FALSE);
  gtk_tree_list_row_set_expanded (top, TRUE);
}

static GtkTreeListRow *
row_of_node (StriaOperatorsTable *self, guint32 node)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  GtkTreeListRow *row = gtk_tree_list_model_get_child_row (self->model, 0);

  for (guint32 n = node; n != 0; n = stria_operators_get (self->tree, n)->parent)
    g_array_append_val (path, n);
  for (guint i = path->len; i-- > 0 && row != NULL;)
    {
      const guint32 wanted = g_array_index (path, guint32, i);
      g_autoptr (GtkTreeListRow) above = g_steal_pointer (&row);
      guint at = 0;

      if (!is_shown (self, wanted))
        return NULL;
      for (guint32 child
           = stria_operators_first (self->tree, stria_operators_get (self->tree, wanted)->parent);
           child != wanted; child = stria_operators_next (self->tree, child))
        at += is_shown (self, child);
      gtk_tree_list_row_set_expanded (above, TRUE);
      row = gtk_tree_list_row_get_child_row (above, at);
    }
  return row;
}

static void
scroll_to (StriaOperatorsTable *self, guint position)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

void
stria_operators_table_select (StriaOperatorsTable *self, guint32 node)
{
  g_autoptr (GtkTreeListRow) row = NULL;
  GListModel *rows = G_LIST_MODEL (self->selection);

  if (self->tree == NULL || stria_operators_table_get_selected (self) == node)
    return;
  self->filling = TRUE;
  row = node != G_MAXUINT32 ? row_of_node (self, node) : NULL;
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  for (guint i = 0; row != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GtkTreeListRow) other = g_list_model_get_item (rows, i);

      if (other != row)
        continue;
      gtk_single_selection_set_selected (self->selection, i);
      scroll_to (self, i);
      break;
    }
  self->filling = FALSE;
}

guint32
stria_operators_table_get_selected (StriaOperatorsTable *self)
{
  GtkTreeListRow *tree_row = gtk_single_selection_get_selected_item (self->selection);
  g_autoptr (StriaOperatorRow) row
      = tree_row != NULL ? gtk_tree_list_row_get_item (tree_row) : NULL;

  return row != NULL ? row->node : G_MAXUINT32;
}

/* -- filter ---------------------------------------------------------------------------------- */

static guint
apply_filter (StriaOperatorsTable *self)
{
  const guint32 n = self->tree != NULL ? stria_operators_n_nodes (self->tree) : 0;
  g_autofree char *folded = g_utf8_casefold (self->filter, -1);
  guint found = 0;

  g_clear_pointer (&self->shown, g_free);
  if (*self->filter == '\0' || n == 0)
    return n;
  self->shown = g_new0 (guint8, n / 8 + 1);
  for (guint32 i = n; i-- > 0;)
    {
      const StriaOperator *node = stria_operators_get (self->tree, i);
      g_autofree char *name = g_utf8_casefold (node->name, -1);
      const gboolean has = i != 0 && strstr (name, folded) != NULL;

      found += has;
      if (!has && !is_shown (self, i))
        continue;
      self->shown[i >> 3] |= (guint8) (1 << (i & 7));
      if (node->parent != G_MAXUINT32)
        self->shown[node->parent >> 3] |= (guint8) (1 << (node->parent & 7));
    }
  return found;
}

guint
stria_operators_table_set_filter (StriaOperatorsTable *self, const char *text)
{
  const guint32 selected = stria_operators_table_get_selected (self);
  guint found;

  g_free (self->filter);
  self->filter = g_strdup (text);
  found = apply_filter (self);
  self->filling = TRUE;
  refill (self);
  self->filling = FALSE;
  if (selected != G_MAXUINT32)
    stria_operators_table_select (self, selected);
  return found;
}

void
stria_operators_table_set_tree (StriaOperatorsTable *self, StriaOperators *tree)
{
  const guint32 selected = stria_operators_table_get_selected (self);
  g_autofree char *path = self->tree != NULL && selected != G_MAXUINT32
                              ? stria_operators_path (self->tree, selected)
                              : NULL;
  const gboolean is_other = tree != NULL
                            && (self->tree == NULL || stria_operators_get_kind (tree) != self->kind);

  if (tree != NULL)
    stria_operators_ref (tree);
  g_clear_pointer (&self->tree, stria_operators_unref);
  self->tree = tree;
  if (is_other)
    {
      self->kind = stria_operators_get_kind (tree);
      self->chosen = (self->asked >> self->kind & 1) != 0 ? self->by_kind[self->kind]
                                                          : usual_columns (self->kind);
    }
  apply_filter (self);
  self->filling = TRUE;
  refill (self);
  show_columns (self);
  if (is_other)
    gtk_column_view_sort_by_column (self->view, self->columns[STRIA_OPERATOR_TOTAL],
                                    GTK_SORT_DESCENDING);
  self->filling = FALSE;
  if (path != NULL && tree != NULL)
    stria_operators_table_select (self, stria_operators_find_path (tree, path));
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
on_selected (StriaOperatorsTable *self)
{
  if (!self->filling)
    g_signal_emit (self, signals[SELECTED], 0, stria_operators_table_get_selected (self));
}

static void
on_activate (StriaOperatorsTable *self, guint position)
{
  g_autoptr (GtkTreeListRow) tree_row
      = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr (StriaOperatorRow) row
      = tree_row != NULL ? gtk_tree_list_row_get_item (tree_row) : NULL;

  if (row != NULL)
    g_signal_emit (self, signals[ACTIVATED], 0, row->node);
}

static void
stria_operators_table_dispose (GObject *object)
{
  StriaOperatorsTable *self = STRIA_OPERATORS_TABLE (object);

  self->filling = TRUE;
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  for (guint f = 0; f < STRIA_N_OPERATOR_FIGURES; f++)
    g_clear_object (&self->columns[f]);
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_object (&self->roots);
  g_clear_pointer (&self->tree, stria_operators_unref);
  g_clear_pointer (&self->shown, g_free);
  g_clear_pointer (&self->filter, g_free);
  G_OBJECT_CLASS (stria_operators_table_parent_class)->dispose (object);
}

static void
stria_operators_table_class_init (StriaOperatorsTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_operators_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
stria_operators_table_init (StriaOperatorsTable *self)
{
  GtkSortListModel *sorted;

  self->filter = g_strdup ("");
  self->kind = STRIA_N_OPERATORS_KINDS;
  self->scrolled = gtk_scrolled_window_new ();
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  stria_table_keep_start (GTK_WIDGET (self->view));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "stats");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Operators and their figures"), -1);
  add_columns (self);
  self->roots = g_list_store_new (STRIA_TYPE_OPERATOR_ROW);
  self->model = gtk_tree_list_model_new (g_object_ref (G_LIST_MODEL (self->roots)), FALSE, FALSE,
                                         children_of, self, NULL);
  sorted = gtk_sort_list_model_new (
      g_object_ref (G_LIST_MODEL (self->model)),
      GTK_SORTER (gtk_tree_list_row_sorter_new (
          g_object_ref (gtk_column_view_get_sorter (self->view)))));
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self,
                           G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

GtkWidget *
stria_operators_table_new (void)
{
  return g_object_new (STRIA_TYPE_OPERATORS_TABLE, NULL);
}
