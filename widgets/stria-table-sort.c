/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-table-sort.h"

#include <glib/gi18n-lib.h>

#define POPOVER "stria-sort-popover"
#define NOTHING (-1)

/* -- what the heading shows ------------------------------------------------------------------- */

/* Which way the arrow of a heading points: 1 up, -1 down, 0 there is none */
static int
arrow_of (GtkWidget *widget)
{
  int direction = gtk_widget_has_css_class (widget, "ascending")    ? 1
                  : gtk_widget_has_css_class (widget, "descending") ? -1
                                                                    : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && direction == 0;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_POPOVER (child))
      direction = arrow_of (child);
  return direction;
}

/* GTK 4.8 tells in no other way by which column a table is sorted. */
static int
sorted_by (GtkWidget *table, int *direction)
{
  GtkWidget *header = gtk_widget_get_first_child (table);
  int at = 0;

  for (GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
       title != NULL; title = gtk_widget_get_next_sibling (title), at++)
    if ((*direction = arrow_of (title)) != 0)
      return at;
  return NOTHING;
}

/* -- the menu --------------------------------------------------------------------------------- */

static void
on_sort (GSimpleAction *action, GVariant *parameter, gpointer table)
{
  const int wanted = g_variant_get_int32 (parameter);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  int direction = 0;
  const int before = sorted_by (table, &direction);

  column = g_list_model_get_item (gtk_column_view_get_columns (table), (guint) wanted);
  if (column != NULL)
    gtk_column_view_sort_by_column (table, column,
                                    before == wanted && direction > 0 ? GTK_SORT_DESCENDING
                                                                      : GTK_SORT_ASCENDING);
}

static GMenuModel *
menu_new (GtkColumnView *table)
{
  GListModel *columns = gtk_column_view_get_columns (table);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const char *title = gtk_column_view_column_get_title (column);
      g_autoptr (GMenuItem) item = NULL;
      g_autofree char *label = NULL;
      g_auto (GStrv) parts = NULL;

      if (title == NULL || *title == '\0' || !gtk_column_view_column_get_visible (column)
          || gtk_column_view_column_get_sorter (column) == NULL)
        continue;
      /* Names of columns have underscores: none of them marks a key. */
      parts = g_strsplit (title, "_", -1);
      label = g_strjoinv ("__", parts);
      item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "sort.by", "i", (int) i);
      g_menu_append_item (section, item);
    }
  g_menu_append_section (menu, _ ("Sort by"), G_MENU_MODEL (section));
  return G_MENU_MODEL (menu);
}

static gboolean
on_closed_idle (gpointer user_data)
{
  GtkWidget *popover = user_data;
  GtkWidget *table = gtk_widget_get_parent (popover);

  if (table != NULL)
    {
      gtk_widget_unparent (popover);
      g_object_set_data (G_OBJECT (table), POPOVER, NULL);
    }
  g_object_unref (popover);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkWidget *popover)
{
  /* What was chosen is done after this. */
  g_idle_add (on_closed_idle, g_object_ref (popover));
}

static void
on_destroy (GtkWidget *table)
{
  GtkWidget *popover = g_object_get_data (G_OBJECT (table), POPOVER);

  g_object_set_data (G_OBJECT (table), POPOVER, NULL);
  if (popover != NULL && gtk_widget_get_parent (popover) == table)
    gtk_widget_unparent (popover);
}

static void
popup_menu (GtkWidget *table)
{
  g_autoptr (GMenuModel) menu = menu_new (GTK_COLUMN_VIEW (table));
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  int direction = 0;
  const int by = sorted_by (table, &direction);
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (
      "by", G_VARIANT_TYPE_INT32, g_variant_new_int32 (by));
  GtkWidget *header = gtk_widget_get_first_child (table);
  GtkWidget *popover;

  if (g_object_get_data (G_OBJECT (table), POPOVER) != NULL)
    return;
  popover = gtk_popover_menu_new_from_model (menu);
  g_signal_connect_object (action, "activate", G_CALLBACK (on_sort), table, 0);
  g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (action));
  gtk_widget_insert_action_group (popover, "sort", G_ACTION_GROUP (actions));
  gtk_widget_set_parent (popover, table);
  g_object_set_data (G_OBJECT (table), POPOVER, popover);
  gtk_popover_set_position (GTK_POPOVER (popover), GTK_POS_BOTTOM);
  gtk_popover_set_pointing_to (
      GTK_POPOVER (popover),
      &(GdkRectangle){ gtk_widget_get_width (table) / 2, 0, 1,
                       header != NULL ? gtk_widget_get_height (header) : 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static gboolean
on_key (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType modifiers)
{
  const GdkModifierType all = GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK;

  if (gdk_keyval_to_lower (keyval) != GDK_KEY_s
      || (modifiers & all) != (GDK_CONTROL_MASK | GDK_SHIFT_MASK))
    return GDK_EVENT_PROPAGATE;
  popup_menu (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys)));
  return GDK_EVENT_STOP;
}

/**
 * stria_table_add_sort_key:
 * @table: a #GtkColumnView
 *
 * Ctrl+Shift+S opens a menu of the columns that rows can be sorted by: the headings of GTK 4.8 can
 * only be clicked. Who chooses the same one again turns the order around.
 */
void
stria_table_add_sort_key (GtkWidget *table)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_return_if_fail (GTK_IS_COLUMN_VIEW (table));

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), NULL);
  gtk_widget_add_controller (table, keys);
  g_signal_connect (table, "destroy", G_CALLBACK (on_destroy), NULL);
}
