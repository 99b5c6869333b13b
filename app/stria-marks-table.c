/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-marks-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-table-start.h"

#define ZOOM_MARGIN 0.1

typedef struct
{
  char  *text;
  char  *tooltip;
  double key;
} Cell;

struct _StriaMarkItem
{
  GObject parent_instance;

  guint64  id;
  guint32  rgb;
  gboolean has_color;
  gboolean is_summary;
  guint    n_cells;
  Cell    *cells;
};

G_DEFINE_FINAL_TYPE (StriaMarkItem, stria_mark_item, G_TYPE_OBJECT)

static void
stria_mark_item_finalize (GObject *object)
{
  StriaMarkItem *self = STRIA_MARK_ITEM (object);

  for (guint i = 0; i < self->n_cells; i++)
    {
      g_free (self->cells[i].text);
      g_free (self->cells[i].tooltip);
    }
  g_free (self->cells);
  G_OBJECT_CLASS (stria_mark_item_parent_class)->finalize (object);
}

static void
stria_mark_item_class_init (StriaMarkItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stria_mark_item_finalize;
}

static void
stria_mark_item_init (StriaMarkItem *self)
{
}

StriaMarkItem *
stria_mark_item_new (guint64 id, guint n_cells)
{
  StriaMarkItem *self = g_object_new (STRIA_TYPE_MARK_ITEM, NULL);

  self->id = id;
  self->n_cells = n_cells;
  self->cells = g_new0 (Cell, MAX (n_cells, 1));
  return self;
}

guint64
stria_mark_item_get_id (StriaMarkItem *self)
{
  return self->id;
}

void
stria_mark_item_set_cell (StriaMarkItem *self, guint i, char *text, double key, char *tooltip)
{
  g_return_if_fail (i < self->n_cells);

  g_free (self->cells[i].text);
  g_free (self->cells[i].tooltip);
  self->cells[i] = (Cell){ text, tooltip, key };
}

const char *
stria_mark_item_get_text (StriaMarkItem *self, guint i)
{
  return i < self->n_cells && self->cells[i].text != NULL ? self->cells[i].text : "";
}

void
stria_mark_item_set_color (StriaMarkItem *self, guint32 rgb)
{
  self->rgb = rgb;
  self->has_color = TRUE;
}

/* -- the table ------------------------------------------------------------------------------- */

struct _StriaMarksTable
{
  GtkWidget parent_instance;

  GListStore         *store;
  GListStore         *summary;
  GtkStringFilter    *filter;
  GtkColumnView      *view;
  GtkSingleSelection *selection;
  gboolean            filling;
};

enum
{
  ACTIVATED,
  SELECTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaMarksTable, stria_marks_table, GTK_TYPE_WIDGET)

static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint column = GPOINTER_TO_UINT (data);
  StriaMarkItem *x = (gpointer) a;
  StriaMarkItem *y = (gpointer) b;
  const double p = column < x->n_cells ? x->cells[column].key : NAN;
  const double q = column < y->n_cells ? y->cells[column].key : NAN;

  if (isnan (p) && isnan (q))
    return gtk_ordering_from_cmpfunc (g_utf8_collate (stria_mark_item_get_text (x, column),
                                                      stria_mark_item_get_text (y, column)));
  /* What is not known is less than anything. */
  if (isnan (p) || isnan (q))
    return isnan (p) ? GTK_ORDERING_SMALLER : GTK_ORDERING_LARGER;
  return p < q ? GTK_ORDERING_SMALLER : p > q ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  const gboolean is_text = g_object_get_data (G_OBJECT (factory), "text") != NULL;

  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label),
                           data == NULL ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), data == NULL ? 18 : -1);
  gtk_widget_set_hexpand (label, TRUE);
  if (!is_text)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
      gtk_widget_add_css_class (label, "numeric");
    }
  gtk_list_item_set_child (list_item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  const guint column = GPOINTER_TO_UINT (data);
  StriaMarkItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  const char *text = stria_mark_item_get_text (item, column);
  const char *tooltip = column < item->n_cells ? item->cells[column].tooltip : NULL;

  gtk_list_item_set_selectable (list_item, !item->is_summary);
  gtk_list_item_set_activatable (list_item, !item->is_summary);
  if (item->is_summary)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
  if (column == 0 && item->has_color)
    {
      g_autofree char *markup = g_markup_printf_escaped (
          "<span foreground=\"#%06x\">\xe2\x97\x8f</span> %s", item->rgb, text);

      gtk_label_set_markup (GTK_LABEL (label), markup);
    }
  else
    gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, tooltip != NULL ? tooltip : text);
}

static char *
text_for_filter (StriaMarkItem *item)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < item->n_cells; i++)
    g_string_append_printf (all, "%s\n", stria_mark_item_get_text (item, i));
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static void
on_activate (StriaMarksTable *self, guint position)
{
  g_autoptr (StriaMarkItem) item
      = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item != NULL && !item->is_summary)
    g_signal_emit (self, signals[ACTIVATED], 0, item);
}

static void
on_selected (StriaMarksTable *self)
{
  if (!self->filling)
    g_signal_emit (self, signals[SELECTED], 0);
}

static void
stria_marks_table_dispose (GObject *object)
{
  StriaMarksTable *self = STRIA_MARKS_TABLE (object);
  GtkWidget *child;

  self->filling = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->store);
  g_clear_object (&self->summary);
  g_clear_object (&self->filter);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (stria_marks_table_parent_class)->dispose (object);
}

static void
stria_marks_table_class_init (StriaMarksTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_marks_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, STRIA_TYPE_MARK_ITEM);
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stria_marks_table_init (StriaMarksTable *self)
{
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;
  GListStore *parts = g_list_store_new (G_TYPE_LIST_MODEL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->store = g_list_store_new (STRIA_TYPE_MARK_ITEM);
  self->summary = g_list_store_new (STRIA_TYPE_MARK_ITEM);
  self->filter = gtk_string_filter_new (gtk_cclosure_expression_new (
      G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK (text_for_filter), NULL, NULL));
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  stria_table_keep_start (GTK_WIDGET (self->view));
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->store)),
                                        g_object_ref (GTK_FILTER (self->filter)));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  g_list_store_append (parts, self->summary);
  g_list_store_append (parts, sorted);
  g_object_unref (sorted);
  self->selection = gtk_single_selection_new (
      G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (parts))));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "stats");
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->view));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

GtkWidget *
stria_marks_table_new (const char *label)
{
  StriaMarksTable *self = g_object_new (STRIA_TYPE_MARKS_TABLE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return GTK_WIDGET (self);
}

void
stria_marks_table_set_columns (StriaMarksTable *self, const char *const *titles,
                               const guint8 *is_text)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (self->view, column);
    }
  for (guint i = 0; titles[i] != NULL; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *column;
      GtkSorter *sorter = GTK_SORTER (
          gtk_custom_sorter_new (compare_items, GUINT_TO_POINTER (i), NULL));

      if (i == 0 || (is_text != NULL && is_text[i] != 0))
        g_object_set_data (G_OBJECT (factory), "text", GINT_TO_POINTER (TRUE));
      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, i == 0 || (is_text != NULL && is_text[i] == 2));
      gtk_column_view_append_column (self->view, column);
      g_object_unref (sorter);
      g_object_unref (column);
    }
}

void
stria_marks_table_sort_by (StriaMarksTable *self, guint column, gboolean descending)
{
  g_autoptr (GtkColumnViewColumn) at
      = g_list_model_get_item (gtk_column_view_get_columns (self->view), column);

  if (at != NULL)
    gtk_column_view_sort_by_column (self->view, at,
                                    descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

static void
fill (GListStore *store, GPtrArray *items)
{
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)),
                       items != NULL ? items->pdata : NULL, items != NULL ? items->len : 0);
}

void
stria_marks_table_set_items (StriaMarksTable *self, GPtrArray *items, GPtrArray *summary)
{
  StriaMarkItem *selected = stria_marks_table_get_selected (self);
  const guint64 id = selected != NULL ? selected->id : G_MAXUINT64;

  g_return_if_fail (STRIA_IS_MARKS_TABLE (self));

  for (guint i = 0; summary != NULL && i < summary->len; i++)
    STRIA_MARK_ITEM (summary->pdata[i])->is_summary = TRUE;
  self->filling = TRUE;
  fill (self->summary, summary);
  fill (self->store, items);
  self->filling = FALSE;
  if (id != G_MAXUINT64)
    stria_marks_table_select (self, id);
}

void
stria_marks_table_set_filter (StriaMarksTable *self, const char *text)
{
  g_return_if_fail (STRIA_IS_MARKS_TABLE (self));

  gtk_string_filter_set_search (self->filter, text);
}

StriaMarkItem *
stria_marks_table_get_selected (StriaMarksTable *self)
{
  StriaMarkItem *item;

  g_return_val_if_fail (STRIA_IS_MARKS_TABLE (self), NULL);

  item = gtk_single_selection_get_selected_item (self->selection);
  return item != NULL && !item->is_summary ? item : NULL;
}

void
stria_marks_table_select (StriaMarksTable *self, guint64 id)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint found = GTK_INVALID_LIST_POSITION;

  g_return_if_fail (STRIA_IS_MARKS_TABLE (self));

  for (guint i = 0; i < n && found == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (StriaMarkItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (!item->is_summary && item->id == id)
        found = i;
    }
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->filling = FALSE;
}

/* -- time ------------------------------------------------------------------------------------ */

gint64
stria_marks_origin (StriaSession *session)
{
  StriaTrace *trace = stria_session_get_trace (session);
  gint64 origin = 0, end = 0;

  return trace != NULL && stria_trace_get_view_range (trace, &origin, &end) ? origin : 0;
}

char *
stria_marks_format_time (StriaSession *session, gint64 ns)
{
  return stria_format_time (ns - stria_marks_origin (session), 1);
}

void
stria_marks_show_time (StriaSession *session, gint64 t0, gint64 t1, gboolean zoom)
{
  gint64 v0 = 0, v1 = 0, middle;

  stria_session_get_view (session, &v0, &v1);
  if (t1 > t0 && (zoom || t1 - t0 > v1 - v0))
    {
      const gint64 margin = MAX ((gint64) ((double) (t1 - t0) * ZOOM_MARGIN), 50);

      stria_session_set_view (session, t0 - margin, t1 + margin);
      return;
    }
  if (t0 >= v0 && t1 <= v1)
    return;
  middle = t0 + (t1 - t0) / 2;
  stria_session_set_view (session, middle - (v1 - v0) / 2, middle - (v1 - v0) / 2 + (v1 - v0));
}
