/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-rows-table.h"

#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-model-columns.h"
#include "stria-model-text.h"
#include "stria-table-start.h"

typedef struct
{
  GArray     *kinds; /* StriaEntityKind, by row of the chooser */
  gboolean    is_filling;
  gboolean    is_stale;
  const char *file_suffix;

  GtkWidget       *box;
  GtkDropDown     *chooser;
  GtkWidget       *entry;
  GtkLabel        *summary;
  GtkWidget       *copy_button;
  GtkWidget       *save_button;
  GtkColumnView   *view;
  GListStore      *store;
  GtkStringFilter *filter;
} StriaModelRowsTablePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (StriaModelRowsTable, stria_model_rows_table, GTK_TYPE_WIDGET)

#define PRIVATE(self) \
  ((StriaModelRowsTablePrivate *) stria_model_rows_table_get_instance_private (self))

static gboolean
get_kind (StriaModelRowsTable *self, StriaEntityKind *kind)
{
  StriaModelRowsTablePrivate *priv = PRIVATE (self);
  const guint chosen = gtk_drop_down_get_selected (priv->chooser);

  if (chosen >= priv->kinds->len)
    return FALSE;
  *kind = g_array_index (priv->kinds, StriaEntityKind, chosen);
  return TRUE;
}

static void
fill_rows (StriaModelRowsTable *self)
{
  StriaModelRowsTablePrivate *priv = PRIVATE (self);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *text = NULL;
  StriaEntityKind kind;

  if (priv->is_filling)
    return;
  if (get_kind (self, &kind))
    text = STRIA_MODEL_ROWS_TABLE_GET_CLASS (self)->fill (self, kind, rows);
  g_list_store_splice (priv->store, 0, g_list_model_get_n_items (G_LIST_MODEL (priv->store)),
                       rows->pdata, rows->len);
  gtk_label_set_label (priv->summary,
                       text != NULL ? text : _ ("Nothing of this kind was measured"));
  gtk_widget_set_sensitive (priv->copy_button, rows->len > 0);
  gtk_widget_set_sensitive (priv->save_button, rows->len > 0);
}

void
stria_model_rows_table_refill (StriaModelRowsTable *self)
{
  StriaModelRowsTablePrivate *priv = PRIVATE (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      priv->is_stale = TRUE;
      return;
    }
  priv->is_stale = FALSE;
  g_array_set_size (priv->kinds, 0);
  for (guint i = 0; stria_model_row_kinds[i] != STRIA_N_ENTITY_KINDS; i++)
    if (STRIA_MODEL_ROWS_TABLE_GET_CLASS (self)->has_kind (self, stria_model_row_kinds[i]))
      {
        g_array_append_val (priv->kinds, stria_model_row_kinds[i]);
        gtk_string_list_append (names, stria_model_kinds_title (stria_model_row_kinds[i]));
      }
  priv->is_filling = TRUE;
  gtk_drop_down_set_model (priv->chooser, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (priv->chooser, 0);
  priv->is_filling = FALSE;
  fill_rows (self);
}

void
stria_model_rows_table_remeasure (StriaModelRowsTable *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill_rows (self);
  else
    PRIVATE (self)->is_stale = TRUE;
}

static void
on_filter (StriaModelRowsTable *self)
{
  gtk_string_filter_set_search (PRIVATE (self)->filter,
                                gtk_editable_get_text (GTK_EDITABLE (PRIVATE (self)->entry)));
}

static void
on_activate (StriaModelRowsTable *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (PRIVATE (self)->view));
  g_autoptr (GObject) row = g_list_model_get_item (model, position);

  if (row != NULL)
    STRIA_MODEL_ROWS_TABLE_GET_CLASS (self)->activate_row (self, row);
}

static char *
dup_csv (StriaModelRowsTable *self)
{
  return STRIA_MODEL_ROWS_TABLE_GET_CLASS (self)->dup_csv (
      self, G_LIST_MODEL (gtk_column_view_get_model (PRIVATE (self)->view)));
}

static void
on_copy (StriaModelRowsTable *self)
{
  g_autofree char *csv = dup_csv (self);

  stria_copy_text (GTK_WIDGET (self), csv);
}

static void
on_save (StriaModelRowsTable *self)
{
  g_autofree char *csv = NULL;
  g_autofree char *name = NULL;
  StriaEntityKind kind;

  if (!get_kind (self, &kind))
    return;
  csv = dup_csv (self);
  name = g_strdup_printf ("%s%s.csv", stria_entity_kind_name (kind), PRIVATE (self)->file_suffix);
  stria_save_text (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save Table"), name,
                   csv, stria_tell_saved, self);
}

static GtkWidget *
bar_new (StriaModelRowsTable *self)
{
  StriaModelRowsTablePrivate *priv = PRIVATE (self);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (bar, "panel-header");
  priv->chooser = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_valign (GTK_WIDGET (priv->chooser), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->chooser), _ ("What the rows are"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What the rows are"), -1);
  g_signal_connect_swapped (priv->chooser, "notify::selected", G_CALLBACK (fill_rows), self);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (priv->chooser));
  priv->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (priv->summary, 0);
  gtk_label_set_ellipsize (priv->summary, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (priv->summary), TRUE);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (priv->summary));
  priv->entry = gtk_search_entry_new ();
  g_object_set (priv->entry, "placeholder-text", _ ("Filter"), NULL);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (priv->entry), 18);
  gtk_widget_set_valign (priv->entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (priv->entry, _ ("Show only rows whose name or id has this text"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter the table"), -1);
  g_signal_connect_swapped (priv->entry, "search-changed", G_CALLBACK (on_filter), self);
  gtk_box_append (GTK_BOX (bar), priv->entry);
  priv->copy_button = stria_model_icon_button_new (bar, "edit-copy-symbolic", _ ("Copy as CSV"),
                                                   _ ("Copy the table as CSV"),
                                                   G_CALLBACK (on_copy), self);
  priv->save_button = stria_model_icon_button_new (bar, "document-save-symbolic", _ ("Save as CSV"),
                                                   _ ("Save the table as CSV"),
                                                   G_CALLBACK (on_save), self);
  return bar;
}

static void
stria_model_rows_table_map (GtkWidget *widget)
{
  StriaModelRowsTable *self = STRIA_MODEL_ROWS_TABLE (widget);

  GTK_WIDGET_CLASS (stria_model_rows_table_parent_class)->map (widget);
  if (PRIVATE (self)->is_stale)
    stria_model_rows_table_refill (self);
}

static void
stria_model_rows_table_dispose (GObject *object)
{
  StriaModelRowsTablePrivate *priv = PRIVATE (STRIA_MODEL_ROWS_TABLE (object));

  if (priv->chooser != NULL)
    g_signal_handlers_disconnect_by_data (priv->chooser, object);
  priv->chooser = NULL;
  g_clear_pointer (&priv->box, gtk_widget_unparent);
  g_clear_object (&priv->store);
  g_clear_object (&priv->filter);
  g_clear_pointer (&priv->kinds, g_array_unref);
  G_OBJECT_CLASS (stria_model_rows_table_parent_class)->dispose (object);
}

static void
stria_model_rows_table_class_init (StriaModelRowsTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_model_rows_table_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_model_rows_table_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_model_rows_table_init (StriaModelRowsTable *self)
{
  PRIVATE (self)->is_stale = TRUE;
  PRIVATE (self)->kinds = g_array_new (FALSE, FALSE, sizeof (StriaEntityKind));
}

GtkColumnView *
stria_model_rows_table_set_up (StriaModelRowsTable *self, const StriaModelRowsTableSpec *spec)
{
  StriaModelRowsTablePrivate *priv = PRIVATE (self);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  priv->file_suffix = spec->file_suffix;
  priv->store = g_list_store_new (spec->row_type);
  priv->filter = gtk_string_filter_new (gtk_cclosure_expression_new (
      G_TYPE_STRING, NULL, 0, NULL, spec->dup_filtered, NULL, NULL));
  priv->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (priv->box), bar_new (self));
  priv->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  stria_table_keep_start (GTK_WIDGET (priv->view));
  gtk_widget_add_css_class (GTK_WIDGET (priv->view), "stats");
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spec->name, -1);
  stria_model_columns_set_rows (priv->view, priv->store, GTK_FILTER (priv->filter));
  g_signal_connect_swapped (priv->view, "activate", G_CALLBACK (on_activate), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (priv->view));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (priv->box), scroller);
  gtk_widget_set_parent (priv->box, GTK_WIDGET (self));
  return priv->view;
}
