/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-rows-grid.h"

#include <glib/gi18n-lib.h>

#include "stria-choosers.h"
#include "stria-fields.h"
#include "stria-list-popover.h"
#include "stria-paint-size.h"
#include "stria-table-start.h"

/* Each shown column costs a widget a row. */
#define SHOWN_AT_FIRST 10
#define MAX_CELL_BYTES 300
#define MAX_TIP_BYTES  4000

struct _StriaRowsGrid
{
  GtkWidget parent_instance;

  StriaRows      *rows;
  StriaRowsModel *model;
  guint           n_columns;
  guint8         *shown;   /* by column */
  char          **filters; /* by column; NULL or "": none */
  int             sort;    /* column, -1: none */
  gboolean        descending;
  int             probed;
  gboolean        filling;

  GtkWidget      *scrolled;
  GtkColumnView  *view;
  GtkSingleSelection *selection;
  GtkMenuButton  *filters_button;
};

enum
{
  SORT_CHANGED,
  FILTER_CHANGED,
  ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaRowsGrid, stria_rows_grid, GTK_TYPE_WIDGET)

/* -- cells ----------------------------------------------------------------------------------- */

static void
fill_cell (StriaRowsItem *item, GtkListItem *list_item)
{
  const guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (list_item), "column"));
  GtkWidget *label = gtk_list_item_get_child (list_item);
  const StriaCell *cell = stria_rows_item_get_cell (item, column);
  g_autofree char *text = NULL;
  g_autofree char *cut = NULL;
  g_autofree char *tip = NULL;

  if (cell == NULL)
    {
      gtk_label_set_label (GTK_LABEL (label), "…");
      gtk_widget_set_tooltip_text (label, NULL);
      return;
    }
  text = stria_cell_dup_text (cell);
  if (text == NULL)
    {
      gtk_label_set_label (GTK_LABEL (label), "–");
      gtk_widget_set_tooltip_text (label, _ ("No value (NULL)"));
      gtk_widget_add_css_class (label, "dim-label");
      return;
    }
  gtk_widget_remove_css_class (label, "dim-label");
  cut = stria_text_cut (text, MAX_CELL_BYTES);
  g_strdelimit (cut, "\r\n\t", ' ');
  gtk_label_set_label (GTK_LABEL (label), cut);
  tip = cell->kind == STRIA_CELL_KIND_TEXT ? stria_text_cut (text, MAX_TIP_BYTES) : NULL;
  gtk_widget_set_tooltip_text (label, tip);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  const gboolean is_text
      = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "is-text")) != 0;

  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (list_item), "column", data);
  gtk_list_item_set_child (list_item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  StriaRowsItem *item = gtk_list_item_get_item (list_item);

  g_signal_connect_object (item, "changed", G_CALLBACK (fill_cell), list_item, 0);
  fill_cell (item, list_item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), fill_cell, list_item);
}

/* -- columns --------------------------------------------------------------------------------- */

static char *
column_title (const StriaColumnInfo *info)
{
  return *info->unit != '\0' ? g_strdup_printf ("%s [%s]", info->name, info->unit)
                             : g_strdup (info->name);
}

typedef struct
{
  StriaRowsGrid *grid;
  int            column;
} Probe;

/* Rows come in order: nothing is compared but two things that are no rows, to learn which column comes
 * first, since the sorter of all columns does not say. */
static int
compare_probes (gconstpointer a, gconstpointer b, gpointer data)
{
  const Probe *probe = data;

  if (probe->grid->probed < 0)
    probe->grid->probed = probe->column;
  return GTK_ORDERING_SMALLER;
}

static GtkColumnViewColumn *
column_new (StriaRowsGrid *self, guint number)
{
  const StriaColumnInfo *info = stria_rows_get_column (self->rows, number);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autofree char *title = column_title (info);
  Probe probe = { self, (int) number };
  g_autoptr (GtkSorter) sorter = GTK_SORTER (
      gtk_custom_sorter_new (compare_probes, g_memdup2 (&probe, sizeof probe), g_free));
  const gboolean is_text = info->type == STRIA_CELL_TEXT;
  GtkColumnViewColumn *column;
  int width;

  g_object_set_data (G_OBJECT (factory), "is-text", GINT_TO_POINTER (is_text));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (number));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_resizable (column, TRUE);
  /* Times since the epoch in nanoseconds have nineteen digits. */
  width = is_text ? 150 : g_str_has_suffix (info->name, "ts") || g_str_equal (info->unit, "ns") ? 165
                                                                                               : 96;
  gtk_column_view_column_set_fixed_width (
      column, (int) stria_text_px (MAX (width, (int) g_utf8_strlen (title, -1) * 8 + 34)));
  gtk_column_view_column_set_sorter (column, sorter);
  return column;
}

static void
fill_columns (StriaRowsGrid *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gboolean has_wide = FALSE;

  self->filling = TRUE;
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (self->view, column);
    }
  for (guint c = 0; c < self->n_columns; c++)
    if (self->shown[c])
      {
        g_autoptr (GtkColumnViewColumn) column = column_new (self, c);

        /* What room is left goes to the first text. */
        if (!has_wide && stria_rows_get_column (self->rows, c)->type == STRIA_CELL_TEXT)
          {
            gtk_column_view_column_set_expand (column, TRUE);
            has_wide = TRUE;
          }
        gtk_column_view_append_column (self->view, column);
        if ((int) c == self->sort)
          gtk_column_view_sort_by_column (
              self->view, column,
              self->descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
      }
  self->filling = FALSE;
}

static void
on_sorter_changed (StriaRowsGrid *self)
{
  GtkOrdering order;

  if (self->filling)
    return;
  self->probed = -1;
  order = gtk_sorter_compare (gtk_column_view_get_sorter (self->view), self, self->view);
  self->sort = self->probed;
  self->descending = order == GTK_ORDERING_LARGER;
  g_signal_emit (self, signals[SORT_CHANGED], 0);
}

static void
on_column_toggled (StriaRowsGrid *self, GtkCheckButton *check)
{
  const guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "column"));

  if (column >= self->n_columns)
    return;
  self->shown[column] = gtk_check_button_get_active (check);
  fill_columns (self);
  if (self->model != NULL)
    stria_rows_model_set_wanted (self->model, self->shown);
}

static void
fill_columns_menu (GtkMenuButton *button, gpointer user_data)
{
  StriaRowsGrid *self = user_data;
  GtkWidget *box = stria_list_popover_new (button);

  for (guint c = 0; c < self->n_columns; c++)
    {
      const StriaColumnInfo *info = stria_rows_get_column (self->rows, c);
      g_autofree char *title = column_title (info);
      GtkWidget *check = gtk_check_button_new_with_label (title);

      gtk_widget_set_tooltip_text (check, info->note);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), self->shown[c]);
      g_object_set_data (G_OBJECT (check), "column", GUINT_TO_POINTER (c));
      g_signal_connect_object (check, "toggled", G_CALLBACK (on_column_toggled), self,
                               G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (box), check);
    }
}

GtkWidget *
stria_rows_grid_columns_new (StriaRowsGrid *self)
{
  return stria_columns_button_new (fill_columns_menu, self);
}

/* -- filters --------------------------------------------------------------------------------- */

static void
tell_filters (StriaRowsGrid *self)
{
  guint n = 0;
  g_autofree char *label = NULL;

  for (guint c = 0; c < self->n_columns; c++)
    n += self->filters[c] != NULL && *self->filters[c] != '\0';
  if (self->filters_button == NULL)
    return;
  label = n > 0 ? g_strdup_printf (_ ("Filters (%u)"), n) : g_strdup (_ ("Filters"));
  gtk_menu_button_set_label (self->filters_button, label);
}

static void
on_filter_activated (StriaRowsGrid *self, GtkEditable *entry)
{
  const guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (entry), "column"));

  if (column >= self->n_columns
      || g_strcmp0 (self->filters[column] != NULL ? self->filters[column] : "",
                    gtk_editable_get_text (entry)) == 0)
    return;
  g_free (self->filters[column]);
  self->filters[column] = g_strdup (gtk_editable_get_text (entry));
  tell_filters (self);
  g_signal_emit (self, signals[FILTER_CHANGED], 0);
}

static void
on_filters_cleared (StriaRowsGrid *self)
{
  for (guint c = 0; c < self->n_columns; c++)
    g_clear_pointer (&self->filters[c], g_free);
  tell_filters (self);
  g_signal_emit (self, signals[FILTER_CHANGED], 0);
  gtk_menu_button_popdown (self->filters_button);
}

static void
fill_filters_menu (GtkMenuButton *button, gpointer user_data)
{
  StriaRowsGrid *self = user_data;
  GtkWidget *box = stria_list_popover_new (button);
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *clear = gtk_button_new_with_label (_ ("Remove All Filters"));

  gtk_box_set_spacing (GTK_BOX (box), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (guint c = 0; c < self->n_columns; c++)
    {
      const StriaColumnInfo *info = stria_rows_get_column (self->rows, c);
      g_autofree char *title = column_title (info);
      GtkWidget *label = gtk_label_new (title);
      GtkWidget *entry = gtk_entry_new ();

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_set_tooltip_text (label, info->note);
      gtk_editable_set_width_chars (GTK_EDITABLE (entry), 18);
      gtk_widget_set_hexpand (entry, TRUE);
      gtk_entry_set_placeholder_text (GTK_ENTRY (entry), info->type == STRIA_CELL_TEXT
                                                             ? _ ("text")
                                                             : _ ("> 5, 1..9"));
      gtk_widget_set_tooltip_text (
          entry, _ ("A text that is looked for, or > 5, <= 3, = x, != x, 1..9, null, not null; "
                    "Enter applies it"));
      gtk_editable_set_text (GTK_EDITABLE (entry),
                             self->filters[c] != NULL ? self->filters[c] : "");
      gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                      -1);
      g_object_set_data (G_OBJECT (entry), "column", GUINT_TO_POINTER (c));
      g_signal_connect_object (entry, "activate", G_CALLBACK (on_filter_activated), self,
                               G_CONNECT_SWAPPED);
      gtk_grid_attach (GTK_GRID (grid), label, 0, (int) c, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), entry, 1, (int) c, 1, 1);
    }
  g_signal_connect_object (clear, "clicked", G_CALLBACK (on_filters_cleared), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), clear);
  gtk_box_append (GTK_BOX (box), grid);
}

GtkWidget *
stria_rows_grid_filters_new (StriaRowsGrid *self)
{
  GtkWidget *button = gtk_menu_button_new ();

  self->filters_button = GTK_MENU_BUTTON (button);
  gtk_menu_button_set_label (self->filters_button, _ ("Filters"));
  gtk_widget_set_tooltip_text (button, _ ("Show rows by the values of columns"));
  gtk_menu_button_set_create_popup_func (self->filters_button, fill_filters_menu, self, NULL);
  return button;
}

char *
stria_rows_grid_dup_conditions (StriaRowsGrid *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint c = 0; c < self->n_columns; c++)
    {
      g_autofree char *condition
          = self->filters[c] != NULL
                ? stria_rows_condition (stria_rows_get_column (self->rows, c)->name,
                                        self->filters[c])
                : NULL;

      if (condition != NULL)
        g_string_append_printf (sql, "%s(%s)", sql->len > 0 ? " AND " : "", condition);
    }
  return sql->len > 0 ? g_string_free (g_steal_pointer (&sql), FALSE) : NULL;
}

const char *
stria_rows_grid_get_sort (StriaRowsGrid *self, gboolean *descending)
{
  *descending = self->descending;
  return self->sort >= 0 ? stria_rows_get_column (self->rows, (guint) self->sort)->name : NULL;
}

StriaRows *
stria_rows_grid_get_rows (StriaRowsGrid *self)
{
  return self->rows;
}

/* -- rows ------------------------------------------------------------------------------------ */

static void
on_failed (StriaRowsGrid *self)
{
  stria_tell (GTK_WIDGET (self), stria_rows_model_get_error (self->model));
}

void
stria_rows_grid_set_rows (StriaRowsGrid *self, StriaRows *rows, gboolean is_new)
{
  g_return_if_fail (STRIA_IS_ROWS_GRID (self));

  /* Rows of the same columns take over the widgets of those before. */
  if (is_new || rows == NULL)
    gtk_single_selection_set_model (self->selection, NULL);
  g_clear_object (&self->model);
  if (rows != NULL)
    stria_rows_ref (rows);
  g_clear_pointer (&self->rows, stria_rows_unref);
  self->rows = rows;
  if (is_new || rows == NULL)
    {
      for (guint c = 0; c < self->n_columns; c++)
        g_free (self->filters[c]);
      g_free (self->filters);
      g_free (self->shown);
      self->n_columns = rows != NULL ? stria_rows_get_n_columns (rows) : 0;
      self->shown = g_new0 (guint8, self->n_columns + 1);
      self->filters = g_new0 (char *, self->n_columns + 1);
      for (guint c = 0; c < MIN (self->n_columns, SHOWN_AT_FIRST); c++)
        self->shown[c] = 1;
      self->sort = -1;
      self->descending = FALSE;
      fill_columns (self);
      tell_filters (self);
    }
  if (rows == NULL)
    return;
  self->model = stria_rows_model_new (rows);
  stria_rows_model_set_wanted (self->model, self->shown);
  g_signal_connect_object (self->model, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->model));
}

/* -- the widget ------------------------------------------------------------------------------ */

static void
on_activate (StriaRowsGrid *self, guint position)
{
  g_autoptr (StriaRowsItem) item
      = self->model != NULL ? g_list_model_get_item (G_LIST_MODEL (self->model), position) : NULL;

  if (item != NULL)
    g_signal_emit (self, signals[ACTIVATED], 0, item);
}

static void
stria_rows_grid_dispose (GObject *object)
{
  StriaRowsGrid *self = STRIA_ROWS_GRID (object);

  /* It is in a bar that may be gone by now. */
  self->filters_button = NULL;
  if (self->scrolled != NULL)
    stria_rows_grid_set_rows (self, NULL, TRUE);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_pointer (&self->filters, g_free);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (stria_rows_grid_parent_class)->dispose (object);
}

static void
stria_rows_grid_class_init (StriaRowsGridClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_rows_grid_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SORT_CHANGED] = g_signal_new ("sort-changed", G_TYPE_FROM_CLASS (klass),
                                        G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FILTER_CHANGED] = g_signal_new ("filter-changed", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, STRIA_TYPE_ROWS_ITEM);
}

static void
stria_rows_grid_init (StriaRowsGrid *self)
{
  self->sort = -1;
  self->shown = g_new0 (guint8, 1);
  self->filters = g_new0 (char *, 1);
  self->scrolled = gtk_scrolled_window_new ();
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  stria_table_keep_start (GTK_WIDGET (self->view));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "stats");
  gtk_column_view_set_show_column_separators (self->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Rows"), -1);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed",
                           G_CALLBACK (on_sorter_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self,
                           G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

GtkWidget *
stria_rows_grid_new (void)
{
  return g_object_new (STRIA_TYPE_ROWS_GRID, NULL);
}
