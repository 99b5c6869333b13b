/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-choosers.h"
#include "stria-model-columns.h"
#include "stria-model-compare-rows.h"
#include "stria-model-text.h"

struct _StriaModelCompareTable
{
  GtkWidget parent_instance;

  StriaModelCompare *compare;
  GArray            *kinds; /* StriaEntityKind, by row of the chooser */
  gboolean           is_filling;
  gboolean           is_stale;

  GtkWidget       *box;
  GtkDropDown     *chooser;
  GtkWidget       *entry;
  GtkLabel        *summary;
  GtkColumnView   *view;
  GListStore      *store;
  GtkStringFilter *filter;
};

G_DEFINE_FINAL_TYPE (StriaModelCompareTable, stria_model_compare_table, GTK_TYPE_WIDGET)

static gboolean
has_kind (StriaComparison *comparison, StriaEntityKind kind)
{
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    if (stria_comparison_pair (comparison, i)->kind == kind)
      return TRUE;
  return FALSE;
}

/* The first of the two that was measured says what is compared. */
static void
find_scale (StriaModelCompareTable *self, StriaEntityKind kind, StriaModelScale *scale)
{
  *scale = (StriaModelScale){ 0 };
  for (guint i = 0; i < 2 && scale->name == NULL; i++)
    {
      StriaModelState *state = stria_model_compare_get_state (self->compare, i == 1);

      stria_model_index_scale (stria_model_state_get_index (state),
                               stria_model_state_get_metric (state), kind, scale);
    }
}

static void
fill_rows (StriaModelCompareTable *self)
{
  StriaComparison *comparison = stria_model_compare_get_comparison (self->compare);
  const guint chosen = gtk_drop_down_get_selected (self->chooser);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *text = NULL;
  StriaAggregation aggregation;
  StriaModelScale scale = { 0 };

  if (self->is_filling || comparison == NULL || chosen >= self->kinds->len)
    return;
  aggregation
      = stria_model_state_get_metric (stria_model_compare_get_state (self->compare, FALSE))
            ->aggregation;
  find_scale (self, g_array_index (self->kinds, StriaEntityKind, chosen), &scale);
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    if (stria_comparison_pair (comparison, i)->kind
        == g_array_index (self->kinds, StriaEntityKind, chosen))
      g_ptr_array_add (rows,
                       stria_model_compare_row_new (comparison, i, scale.name, aggregation));
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                       rows->pdata, rows->len);
  text = scale.name != NULL
             /* Translators: metric, unit, aggregation: “Runtime in ms, Median (P50)” */
             ? g_strdup_printf (_ ("%s in %s, %s"), stria_model_metric_title (scale.name),
                                scale.unit, stria_model_aggregation_title (aggregation))
             : g_strdup (_ ("Nothing of this kind was measured"));
  gtk_label_set_label (self->summary, text);
}

static void
fill_kinds (StriaModelCompareTable *self)
{
  StriaComparison *comparison = stria_model_compare_get_comparison (self->compare);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  self->is_stale = FALSE;
  g_array_set_size (self->kinds, 0);
  g_list_store_remove_all (self->store);
  for (guint i = 0;
       comparison != NULL && stria_model_row_kinds[i] != STRIA_N_ENTITY_KINDS; i++)
    if (has_kind (comparison, stria_model_row_kinds[i]))
      {
        g_array_append_val (self->kinds, stria_model_row_kinds[i]);
        gtk_string_list_append (names, stria_model_kinds_title (stria_model_row_kinds[i]));
      }
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->chooser, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->chooser, 0);
  self->is_filling = FALSE;
  fill_rows (self);
}

static void
on_metric_changed (StriaModelCompareTable *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill_rows (self);
  else
    self->is_stale = TRUE;
}

static void
on_compare_changed (StriaModelCompareTable *self)
{
  StriaModelState *state = stria_model_compare_get_state (self->compare, FALSE);

  if (state != NULL)
    g_signal_connect_object (state, "metric-changed", G_CALLBACK (on_metric_changed), self,
                             G_CONNECT_SWAPPED);
  fill_kinds (self);
}

static void
on_filter (StriaModelCompareTable *self)
{
  gtk_string_filter_set_search (self->filter,
                                gtk_editable_get_text (GTK_EDITABLE (self->entry)));
}

static void
on_activate (StriaModelCompareTable *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (self->view));
  g_autoptr (StriaModelCompareRow) row = g_list_model_get_item (model, position);
  const StriaEntityPair *pair;

  if (row == NULL)
    return;
  pair = stria_model_compare_row_get_pair (row);
  stria_model_state_go (
      stria_model_compare_get_state (self->compare, pair->a == STRIA_NO_REF),
      pair->a != STRIA_NO_REF ? pair->a : pair->b);
}

static char *
dup_csv (StriaModelCompareTable *self)
{
  return stria_model_compare_rows_dup_csv (
      G_LIST_MODEL (gtk_column_view_get_model (self->view)));
}

static void
on_copy (StriaModelCompareTable *self)
{
  g_autofree char *csv = dup_csv (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), csv);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", _ ("Copied"));
}

static void
on_saved (gpointer owner, const GError *error)
{
  gtk_widget_activate_action (GTK_WIDGET (owner), "win.toast", "s",
                              error != NULL ? error->message : _ ("Saved"));
}

static void
on_save (StriaModelCompareTable *self)
{
  const guint chosen = gtk_drop_down_get_selected (self->chooser);
  g_autofree char *csv = dup_csv (self);
  g_autofree char *name = NULL;

  if (chosen >= self->kinds->len)
    return;
  name = g_strdup_printf (
      "%s-difference.csv",
      stria_entity_kind_name (g_array_index (self->kinds, StriaEntityKind, chosen)));
  stria_save_text (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save Table"), name,
                   csv, on_saved, self);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const StriaCompareColumn column = (StriaCompareColumn) GPOINTER_TO_UINT (user_data);
  StriaModelCompareRow *x = (gpointer) a;
  StriaModelCompareRow *y = (gpointer) b;

  if (column <= STRIA_COMPARE_COLUMN_STATE)
    {
      g_autofree char *s = stria_model_compare_row_dup_text (x, column);
      g_autofree char *t = stria_model_compare_row_dup_text (y, column);

      return gtk_ordering_from_cmpfunc (g_utf8_collate (s, t));
    }
  return stria_model_columns_order (stria_model_compare_row_get_value (x, column),
                                    stria_model_compare_row_get_value (y, column));
}

static void
on_cell_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column_data)
{
  const StriaCompareColumn column = (StriaCompareColumn) GPOINTER_TO_UINT (column_data);
  StriaModelCompareRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  const char *note = stria_model_compare_row_get_note (row);
  g_autofree char *text = stria_model_compare_row_dup_text (row, column);

  gtk_label_set_label (GTK_LABEL (label), text);
  if (column == STRIA_COMPARE_COLUMN_NAME)
    gtk_widget_set_tooltip_text (label, stria_model_compare_row_get_id (row));
  else
    gtk_widget_set_tooltip_text (label, note != NULL ? note : text);
}

static void
add_columns (StriaModelCompareTable *self)
{
  static const int widths[STRIA_COMPARE_N_COLUMNS] = {
    [STRIA_COMPARE_COLUMN_STATE] = 130,      [STRIA_COMPARE_COLUMN_FIRST] = 100,
    [STRIA_COMPARE_COLUMN_SECOND] = 100,     [STRIA_COMPARE_COLUMN_DIFFERENCE] = 110,
    [STRIA_COMPARE_COLUMN_RATIO] = 90,       [STRIA_COMPARE_COLUMN_EXECUTIONS] = 96,
  };

  for (guint i = 0; i < STRIA_COMPARE_N_COLUMNS; i++)
    {
      GtkColumnViewColumn *column = stria_model_columns_add (
          self->view,
          &(StriaModelColumnSpec){ stria_compare_column_title ((StriaCompareColumn) i), i,
                                   i <= STRIA_COMPARE_COLUMN_STATE, widths[i], on_cell_bind,
                                   compare_rows });

      if (i == STRIA_COMPARE_COLUMN_DIFFERENCE)
        gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
    }
  stria_model_columns_align (self->view, STRIA_COMPARE_COLUMN_STATE + 1);
}

static char *
text_for_filter (StriaModelCompareRow *row)
{
  return g_strdup_printf ("%s %s", stria_model_compare_row_get_name (row),
                          stria_model_compare_row_get_id (row));
}

static GtkWidget *
bar_new (StriaModelCompareTable *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (bar, "panel-header");
  self->chooser = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_valign (GTK_WIDGET (self->chooser), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->chooser), _ ("What the rows are"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What the rows are"), -1);
  g_signal_connect_swapped (self->chooser, "notify::selected", G_CALLBACK (fill_rows), self);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->chooser));
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->summary));
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("Filter"), NULL);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 18);
  gtk_widget_set_valign (self->entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->entry, _ ("Show only rows whose name or id has this text"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter the table"), -1);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_filter), self);
  gtk_box_append (GTK_BOX (bar), self->entry);
  stria_model_icon_button_new (bar, "edit-copy-symbolic", _ ("Copy as CSV"),
                               _ ("Copy the table as CSV"), G_CALLBACK (on_copy), self);
  stria_model_icon_button_new (bar, "document-save-symbolic", _ ("Save as CSV"),
                               _ ("Save the table as CSV"), G_CALLBACK (on_save), self);
  return bar;
}

static void
stria_model_compare_table_map (GtkWidget *widget)
{
  StriaModelCompareTable *self = STRIA_MODEL_COMPARE_TABLE (widget);

  GTK_WIDGET_CLASS (stria_model_compare_table_parent_class)->map (widget);
  if (self->is_stale)
    fill_kinds (self);
}

static void
stria_model_compare_table_dispose (GObject *object)
{
  StriaModelCompareTable *self = STRIA_MODEL_COMPARE_TABLE (object);

  if (self->chooser != NULL)
    g_signal_handlers_disconnect_by_data (self->chooser, self);
  self->chooser = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->compare);
  g_clear_object (&self->store);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->kinds, g_array_unref);
  G_OBJECT_CLASS (stria_model_compare_table_parent_class)->dispose (object);
}

static void
stria_model_compare_table_class_init (StriaModelCompareTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_compare_table_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_model_compare_table_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_model_compare_table_init (StriaModelCompareTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkExpression *expression
      = gtk_cclosure_expression_new (G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK (text_for_filter),
                                     NULL, NULL);

  self->is_stale = TRUE;
  self->kinds = g_array_new (FALSE, FALSE, sizeof (StriaEntityKind));
  self->store = g_list_store_new (STRIA_TYPE_MODEL_COMPARE_ROW);
  self->filter = gtk_string_filter_new (expression);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), bar_new (self));
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "stats");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Differences between the captures"), -1);
  add_columns (self);
  stria_model_columns_set_rows (self->view, self->store, GTK_FILTER (self->filter));
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_model_compare_table_new (StriaModelCompare *compare)
{
  StriaModelCompareTable *self = g_object_new (STRIA_TYPE_MODEL_COMPARE_TABLE, NULL);

  self->compare = g_object_ref (compare);
  g_signal_connect_object (compare, "changed", G_CALLBACK (on_compare_changed), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
