/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-stats-columns.h"

#include <glib/gi18n-lib.h>

#include "stria-fields.h"
#include "stria-format.h"
#include "stria-table-start.h"
#include "stria-stats-item.h"
#include "stria-swatch.h"

#define MAX_NAME_BYTES 500

typedef enum
{
  COLUMN_NAME,
  COLUMN_COUNT,
  COLUMN_TOTAL,
  COLUMN_SELF,
  COLUMN_SHARE,
  COLUMN_MIN,
  COLUMN_MEAN,
  COLUMN_P50,
  COLUMN_P95,
  COLUMN_MAX,
  N_COLUMNS
} Column;

static double
value_of (const StriaStatsRow *row, Column column)
{
  switch (column)
    {
    case COLUMN_COUNT:
      return (double) row->count;
    case COLUMN_TOTAL:
      return (double) row->total_ns;
    case COLUMN_SELF:
      return (double) row->self_ns;
    case COLUMN_SHARE:
      return row->share;
    case COLUMN_MIN:
      return (double) row->min_ns;
    case COLUMN_MEAN:
      return row->mean_ns;
    case COLUMN_P50:
      return (double) row->p50_ns;
    case COLUMN_P95:
      return (double) row->p95_ns;
    case COLUMN_MAX:
      return (double) row->max_ns;
    case COLUMN_NAME:
    case N_COLUMNS:
    default:
      return 0;
    }
}

static int
compare_items (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Column column = (Column) GPOINTER_TO_UINT (user_data);
  StriaStatsItem *item_a = (gpointer) a;
  StriaStatsItem *item_b = (gpointer) b;
  double x, y;

  if (column == COLUMN_NAME)
    return gtk_ordering_from_cmpfunc (
      g_utf8_collate (stria_stats_item_get_name (item_a), stria_stats_item_get_name (item_b)));
  x = value_of (stria_stats_item_get_row (item_a), column);
  y = value_of (stria_stats_item_get_row (item_b), column);
  return x < y ? GTK_ORDERING_SMALLER : x > y ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static char *
format_value (const StriaStatsRow *row, Column column)
{
  gint64 ns;

  if (column == COLUMN_COUNT)
    return stria_format_count (row->count);
  if (column == COLUMN_SHARE)
    return stria_format_percent (row->share);
  ns = (gint64) (value_of (row, column) + 0.5);
  if (ns < 0 && (column == COLUMN_P50 || column == COLUMN_P95))
    return g_strdup ("…");
  return stria_format_duration (ns, 4);
}

static void
fill_cell (StriaStatsItem *item, GtkListItem *list_item)
{
  Column column = (Column) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (list_item), "column"));
  GtkWidget *label = g_object_get_data (G_OBJECT (list_item), "label");
  GtkWidget *swatch = g_object_get_data (G_OBJECT (list_item), "swatch");
  const StriaStatsRow *row = stria_stats_item_get_row (item);
  const char *name = stria_stats_item_get_name (item);
  g_autofree char *text = NULL;

  if (column == COLUMN_NAME)
    {
      text = stria_text_cut (name, MAX_NAME_BYTES);
      gtk_label_set_label (GTK_LABEL (label), text);
      gtk_widget_set_tooltip_text (label, text);
      stria_swatch_set_name (STRIA_SWATCH (swatch), name);
      return;
    }

  text = format_value (row, column);
  gtk_label_set_label (GTK_LABEL (label), text);
  if (swatch != NULL)
    {
      stria_swatch_set_name (STRIA_SWATCH (swatch), name);
      stria_swatch_set_share (STRIA_SWATCH (swatch), row->share);
    }
  if (column != COLUMN_COUNT && column != COLUMN_SHARE && value_of (row, column) >= 0)
    {
      g_autofree char *exact = stria_format_ns ((gint64) (value_of (row, column) + 0.5));

      gtk_widget_set_tooltip_text (label, exact);
    }
}

static void
on_cell_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column_data)
{
  Column column = (Column) GPOINTER_TO_UINT (column_data);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *child = label;
  GtkWidget *swatch = NULL;

  if (column == COLUMN_NAME)
    {
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_width_chars (GTK_LABEL (label), 22);
      gtk_widget_set_hexpand (label, TRUE);
      swatch = stria_swatch_new ();
    }
  else
    {
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_add_css_class (label, "numeric");
      gtk_widget_set_hexpand (label, TRUE);
      if (column == COLUMN_SHARE)
        {
          swatch = stria_swatch_new_bar ();
          gtk_widget_set_size_request (swatch, 36, 6);
        }
    }
  if (swatch != NULL)
    {
      child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      gtk_box_append (GTK_BOX (child), swatch);
      gtk_box_append (GTK_BOX (child), label);
    }
  g_object_set_data (G_OBJECT (list_item), "column", column_data);
  g_object_set_data (G_OBJECT (list_item), "label", label);
  g_object_set_data (G_OBJECT (list_item), "swatch", swatch);
  gtk_list_item_set_child (list_item, child);
}

static void
on_cell_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column_data)
{
  StriaStatsItem *item = gtk_list_item_get_item (list_item);

  g_signal_connect_object (item, "changed", G_CALLBACK (fill_cell), list_item, 0);
  fill_cell (item, list_item);
}

static void
on_cell_unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column_data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), fill_cell, list_item);
}

/* The title widgets have no API of their own. */
static void
align_title (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_LABEL (child))
        {
          gtk_widget_set_hexpand (child, TRUE);
          gtk_label_set_xalign (GTK_LABEL (child), 1);
        }
      else
        align_title (child);
    }
}

/**
 * stria_stats_columns_align:
 * @column_view: a table
 * @first_figure: the first of the columns whose cells are numbers, which stand at the right
 *
 * Puts the headings of numbers over the numbers.
 */
void
stria_stats_columns_align (GtkColumnView *column_view, guint first_figure)
{
  GtkWidget *title
      = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (column_view)));

  for (guint i = 0; title != NULL; i++, title = gtk_widget_get_next_sibling (title))
    if (i >= first_figure)
      align_title (title);
}

/**
 * stria_stats_columns_add:
 * @column_view: an empty table whose items will be #StriaStatsItem
 *
 * Adds the columns, sortable, and sorts by the total.
 */
void
stria_stats_columns_add (GtkColumnView *column_view)
{
  static const int widths[N_COLUMNS] = {
    [COLUMN_COUNT] = 74, [COLUMN_TOTAL] = 84, [COLUMN_SELF] = 80, [COLUMN_SHARE] = 112,
    [COLUMN_MIN] = 78,   [COLUMN_MEAN] = 78,  [COLUMN_P50] = 78,  [COLUMN_P95] = 78,
    [COLUMN_MAX] = 78,
  };
  const char *titles[N_COLUMNS] = {
    /* Translators: headings of the statistics table */
    _ ("Name"), _ ("Count"), _ ("Total"), _ ("Self"), _ ("Share"),
    _ ("Min"),  _ ("Mean"),  _ ("Median"), _ ("P95"), _ ("Max"),
  };

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GtkSorter) sorter = NULL;

      g_signal_connect (factory, "setup", G_CALLBACK (on_cell_setup), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (on_cell_bind), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "unbind", G_CALLBACK (on_cell_unbind), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare_items, GUINT_TO_POINTER (i), NULL));
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (i == COLUMN_NAME)
        gtk_column_view_column_set_expand (column, TRUE);
      else
        gtk_column_view_column_set_fixed_width (column, stria_table_width (widths[i], titles[i]));
      gtk_column_view_append_column (column_view, column);
      if (i == COLUMN_TOTAL)
        gtk_column_view_sort_by_column (column_view, column, GTK_SORT_DESCENDING);
    }
  stria_stats_columns_align (column_view, COLUMN_NAME + 1);
  stria_table_keep_start (GTK_WIDGET (column_view));
}
