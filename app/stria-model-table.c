/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-model-columns.h"
#include "stria-model-rows.h"
#include "stria-model-text.h"
#include "stria-stats-columns.h"

struct _StriaModelTable
{
  StriaModelRowsTable parent_instance;

  StriaModelState *state;
  StriaModelScale  scale;
};

G_DEFINE_FINAL_TYPE (StriaModelTable, stria_model_table, STRIA_TYPE_MODEL_ROWS_TABLE)

static gboolean
stria_model_table_has_kind (StriaModelRowsTable *table, StriaEntityKind kind)
{
  StriaModelIndex *index = stria_model_state_get_index (STRIA_MODEL_TABLE (table)->state);

  for (guint32 i = 0; index != NULL && i < stria_profile_n_entities (index->profile); i++)
    if (stria_profile_entity (index->profile, i)->kind == kind)
      return TRUE;
  return FALSE;
}

static char *
stria_model_table_fill (StriaModelRowsTable *table, StriaEntityKind kind, GPtrArray *rows)
{
  StriaModelTable *self = STRIA_MODEL_TABLE (table);
  StriaModelIndex *index = stria_model_state_get_index (self->state);

  self->scale = (StriaModelScale){ 0 };
  if (index == NULL)
    return NULL;
  stria_model_index_scale (index, stria_model_state_get_metric (self->state), kind, &self->scale);
  for (guint32 i = 0; i < stria_profile_n_entities (index->profile); i++)
    if (stria_profile_entity (index->profile, i)->kind == kind)
      g_ptr_array_add (rows, stria_model_row_new (index, &self->scale, i));
  return self->scale.name != NULL
             /* Translators: a metric, and its unit: “Runtime in ms” */
             ? g_strdup_printf (_ ("%s in %s"), stria_model_metric_title (self->scale.name),
                                self->scale.unit)
             : NULL;
}

static void
stria_model_table_activate_row (StriaModelRowsTable *table, gpointer row)
{
  stria_model_state_go (STRIA_MODEL_TABLE (table)->state, stria_model_row_get_entity (row));
}

static char *
stria_model_table_dup_csv (StriaModelRowsTable *table, GListModel *rows)
{
  return stria_model_rows_dup_csv (rows, &STRIA_MODEL_TABLE (table)->scale);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const StriaModelColumn column = (StriaModelColumn) GPOINTER_TO_UINT (user_data);
  StriaModelRow *x = (gpointer) a;
  StriaModelRow *y = (gpointer) b;

  if (column <= STRIA_MODEL_COLUMN_PLACEMENT)
    {
      g_autofree char *s = stria_model_row_dup_text (x, column);
      g_autofree char *t = stria_model_row_dup_text (y, column);

      return gtk_ordering_from_cmpfunc (g_utf8_collate (s, t));
    }
  return stria_model_columns_order (stria_model_row_get_value (x, column),
                                    stria_model_row_get_value (y, column));
}

static void
on_cell_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column_data)
{
  const StriaModelColumn column = (StriaModelColumn) GPOINTER_TO_UINT (column_data);
  StriaModelRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  g_autofree char *text = stria_model_row_dup_text (row, column);

  gtk_label_set_label (GTK_LABEL (label), text);
  if (column == STRIA_MODEL_COLUMN_NAME)
    gtk_widget_set_tooltip_text (label, stria_model_row_get_id (row));
  else
    gtk_widget_set_tooltip_text (label, isnan (stria_model_row_get_value (row, column))
                                            ? stria_model_row_get_reason (row)
                                            : text);
}

static void
add_columns (GtkColumnView *view)
{
  static const int widths[STRIA_MODEL_N_COLUMNS] = {
    [STRIA_MODEL_COLUMN_PLACEMENT] = 74, [STRIA_MODEL_COLUMN_MEDIAN] = 88,
    [STRIA_MODEL_COLUMN_MEAN] = 88,      [STRIA_MODEL_COLUMN_MIN] = 88,
    [STRIA_MODEL_COLUMN_MAX] = 88,       [STRIA_MODEL_COLUMN_SUM] = 88,
    [STRIA_MODEL_COLUMN_COVERAGE] = 84,  [STRIA_MODEL_COLUMN_SHARED] = 86,
    [STRIA_MODEL_COLUMN_LINKS] = 56,
  };

  for (guint i = 0; i < STRIA_MODEL_N_COLUMNS; i++)
    {
      GtkColumnViewColumn *column = stria_model_columns_add (
          view,
          &(StriaModelColumnSpec){ stria_model_column_title ((StriaModelColumn) i), i,
                                   i <= STRIA_MODEL_COLUMN_PLACEMENT, widths[i], on_cell_bind,
                                   compare_rows });

      if (i == STRIA_MODEL_COLUMN_MEDIAN)
        gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
    }
  stria_stats_columns_align (view, STRIA_MODEL_COLUMN_PLACEMENT + 1);
}

static char *
dup_filtered (StriaModelRow *row)
{
  return g_strdup_printf ("%s %s", stria_model_row_get_name (row), stria_model_row_get_id (row));
}

static void
stria_model_table_dispose (GObject *object)
{
  g_clear_object (&STRIA_MODEL_TABLE (object)->state);
  G_OBJECT_CLASS (stria_model_table_parent_class)->dispose (object);
}

static void
stria_model_table_class_init (StriaModelTableClass *klass)
{
  StriaModelRowsTableClass *table_class = STRIA_MODEL_ROWS_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_model_table_dispose;
  table_class->has_kind = stria_model_table_has_kind;
  table_class->fill = stria_model_table_fill;
  table_class->activate_row = stria_model_table_activate_row;
  table_class->dup_csv = stria_model_table_dup_csv;
}

static void
stria_model_table_init (StriaModelTable *self)
{
  add_columns (stria_model_rows_table_set_up (
      STRIA_MODEL_ROWS_TABLE (self),
      &(StriaModelRowsTableSpec){ STRIA_TYPE_MODEL_ROW, _ ("Figures of the model"),
                                  G_CALLBACK (dup_filtered), "" }));
}

GtkWidget *
stria_model_table_new (StriaModelState *state)
{
  StriaModelTable *self = g_object_new (STRIA_TYPE_MODEL_TABLE, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "profile-changed", G_CALLBACK (stria_model_rows_table_refill),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "metric-changed", G_CALLBACK (stria_model_rows_table_remeasure),
                           self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
