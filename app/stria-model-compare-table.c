/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-compare-table.h"

#include <glib/gi18n-lib.h>

#include "stria-model-columns.h"
#include "stria-model-compare-rows.h"
#include "stria-model-text.h"
#include "stria-stats-columns.h"

struct _StriaModelCompareTable
{
  StriaModelRowsTable parent_instance;

  StriaModelCompare *compare;
};

G_DEFINE_FINAL_TYPE (StriaModelCompareTable, stria_model_compare_table,
                     STRIA_TYPE_MODEL_ROWS_TABLE)

static gboolean
stria_model_compare_table_has_kind (StriaModelRowsTable *table, StriaEntityKind kind)
{
  StriaComparison *comparison
      = stria_model_compare_get_comparison (STRIA_MODEL_COMPARE_TABLE (table)->compare);

  for (guint32 i = 0; comparison != NULL && i < stria_comparison_n_pairs (comparison); i++)
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

static char *
stria_model_compare_table_fill (StriaModelRowsTable *table, StriaEntityKind kind, GPtrArray *rows)
{
  StriaModelCompareTable *self = STRIA_MODEL_COMPARE_TABLE (table);
  StriaComparison *comparison = stria_model_compare_get_comparison (self->compare);
  StriaAggregation aggregation;
  StriaModelScale scale = { 0 };

  if (comparison == NULL)
    return NULL;
  aggregation
      = stria_model_state_get_metric (stria_model_compare_get_state (self->compare, FALSE))
            ->aggregation;
  find_scale (self, kind, &scale);
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    if (stria_comparison_pair (comparison, i)->kind == kind)
      g_ptr_array_add (rows,
                       stria_model_compare_row_new (comparison, i, scale.name, aggregation));
  return scale.name != NULL
             /* Translators: metric, unit, aggregation: “Runtime in ms, Median (P50)” */
             ? g_strdup_printf (_ ("%s in %s, %s"), stria_model_metric_title (scale.name),
                                scale.unit, stria_model_aggregation_title (aggregation))
             : NULL;
}

static void
stria_model_compare_table_activate_row (StriaModelRowsTable *table, gpointer row)
{
  StriaModelCompare *compare = STRIA_MODEL_COMPARE_TABLE (table)->compare;
  const StriaEntityPair *pair = stria_model_compare_row_get_pair (row);

  stria_model_state_go (stria_model_compare_get_state (compare, pair->a == STRIA_NO_REF),
                        pair->a != STRIA_NO_REF ? pair->a : pair->b);
}

static char *
stria_model_compare_table_dup_csv (StriaModelRowsTable *table, GListModel *rows)
{
  return stria_model_compare_rows_dup_csv (rows);
}

static void
on_compare_changed (StriaModelCompareTable *self)
{
  StriaModelState *state = stria_model_compare_get_state (self->compare, FALSE);

  if (state != NULL)
    {
      /* It may be the one that was there before. */
      g_signal_handlers_disconnect_by_func (state, stria_model_rows_table_remeasure, self);
      g_signal_connect_object (state, "metric-changed",
                               G_CALLBACK (stria_model_rows_table_remeasure), self,
                               G_CONNECT_SWAPPED);
    }
  stria_model_rows_table_refill (STRIA_MODEL_ROWS_TABLE (self));
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
add_columns (GtkColumnView *view)
{
  static const int widths[STRIA_COMPARE_N_COLUMNS] = {
    [STRIA_COMPARE_COLUMN_STATE] = 130,      [STRIA_COMPARE_COLUMN_FIRST] = 100,
    [STRIA_COMPARE_COLUMN_SECOND] = 100,     [STRIA_COMPARE_COLUMN_DIFFERENCE] = 110,
    [STRIA_COMPARE_COLUMN_RATIO] = 90,       [STRIA_COMPARE_COLUMN_EXECUTIONS] = 96,
  };

  for (guint i = 0; i < STRIA_COMPARE_N_COLUMNS; i++)
    {
      GtkColumnViewColumn *column = stria_model_columns_add (
          view,
          &(StriaModelColumnSpec){ stria_compare_column_title ((StriaCompareColumn) i), i,
                                   i <= STRIA_COMPARE_COLUMN_STATE, widths[i], on_cell_bind,
                                   compare_rows });

      if (i == STRIA_COMPARE_COLUMN_DIFFERENCE)
        gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
    }
  stria_stats_columns_align (view, STRIA_COMPARE_COLUMN_STATE + 1);
}

static char *
dup_filtered (StriaModelCompareRow *row)
{
  return g_strdup_printf ("%s %s", stria_model_compare_row_get_name (row),
                          stria_model_compare_row_get_id (row));
}

static void
stria_model_compare_table_dispose (GObject *object)
{
  g_clear_object (&STRIA_MODEL_COMPARE_TABLE (object)->compare);
  G_OBJECT_CLASS (stria_model_compare_table_parent_class)->dispose (object);
}

static void
stria_model_compare_table_class_init (StriaModelCompareTableClass *klass)
{
  StriaModelRowsTableClass *table_class = STRIA_MODEL_ROWS_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_compare_table_dispose;
  table_class->has_kind = stria_model_compare_table_has_kind;
  table_class->fill = stria_model_compare_table_fill;
  table_class->activate_row = stria_model_compare_table_activate_row;
  table_class->dup_csv = stria_model_compare_table_dup_csv;
}

static void
stria_model_compare_table_init (StriaModelCompareTable *self)
{
  add_columns (stria_model_rows_table_set_up (
      STRIA_MODEL_ROWS_TABLE (self),
      &(StriaModelRowsTableSpec){ STRIA_TYPE_MODEL_COMPARE_ROW,
                                  _ ("Differences between the captures"),
                                  G_CALLBACK (dup_filtered), "-difference" }));
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
