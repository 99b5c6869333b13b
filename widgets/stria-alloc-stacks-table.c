/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-stacks-private.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"
#include "stria-format.h"
#include "stria-swatch.h"
#include "stria-table-start.h"

/* The table below the flame graph: who holds the memory, as a call tree or in groups. */

#define MAX_ROWS 5000

/* -- rows ------------------------------------------------------------------------------------- */

static StriaAllocRow *
node_row (StriaAllocStacks *self, guint32 index)
{
  const StriaFlameNode *node = &g_array_index (self->nodes, StriaFlameNode, index);
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  g_autofree char *name = index == 0 ? g_strdup (_ ("All live blocks"))
                                     : stria_alloc_frame_short (snapshot, node->frame);
  g_autofree char *full = node->frame < stria_snapshot_get_n_frames (snapshot)
                              ? stria_snapshot_frame_text (snapshot, node->frame)
                              : NULL;
  StriaAllocRow *row = stria_alloc_row_new (name, full, index);

  stria_alloc_row_set_frame (row, node->frame);
  stria_alloc_row_set (row, STRIA_ALLOC_VALUE_LIVE, (double) node->bytes);
  stria_alloc_row_set (row, STRIA_ALLOC_VALUE_COUNT, (double) node->count);
  if (stria_alloc_state_get_base (self->state) != G_MAXUINT32)
    stria_alloc_row_set (row, STRIA_ALLOC_VALUE_GROWTH, (double) node->growth);
  return row;
}

static guint32
group_frame (StriaAllocStacks *self, StriaStacksGrouping grouping, guint64 key)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);

  return grouping == STRIA_STACKS_BY_STACK ? stria_snapshot_stack_label (snapshot, (guint32) key)
                              : (guint32) key;
}

static char *
group_name (StriaAllocStacks *self, StriaStacksGrouping grouping, guint64 key, char **color)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  g_autofree char *text = NULL;
  guint32 frame;

  switch (grouping)
    {
    case STRIA_STACKS_BY_STACK:
    case STRIA_STACKS_BY_FRAME:
      frame = group_frame (self, grouping, key);
      if (frame < stria_snapshot_get_n_frames (snapshot))
        *color = stria_snapshot_frame_text (snapshot, frame);
      return stria_alloc_frame_short (snapshot, frame);
    case STRIA_STACKS_BY_SIZE:
      text = stria_format_bytes ((gint64) key);
      return g_strdup_printf (_ ("up to %s"), text);
    case STRIA_STACKS_BY_CATEGORY:
      return g_strdup (key != 0 ? stria_snapshot_get_string (snapshot, (guint32) key)
                                : _ ("no category"));
    case STRIA_STACKS_BY_POOL:
      return stria_alloc_pool_text (allocator, (guint16) key);
    case STRIA_STACKS_BY_STREAM:
      return stria_alloc_stream_text (allocator, (guint16) key);
    case STRIA_STACKS_BY_LIFETIME:
      if (key == 0)
        return g_strdup (_ ("to the end of the recording"));
      text = stria_format_count (key);
      return g_strdup_printf (_ ("up to %s actions"), text);
    case STRIA_STACKS_BY_TREE:
    case STRIA_STACKS_LEAKS:
    default:
      return g_strdup ("");
    }
}

void
stria_alloc_stacks_fill_groups (StriaAllocStacks *self, const StriaStacksAnswer *answer)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  const gboolean has_base = stria_alloc_state_get_base (self->state) != G_MAXUINT32;

  for (guint i = 0; answer->groups != NULL && i < MIN (answer->groups->len, MAX_ROWS); i++)
    {
      const StriaAllocGroupRow *group = &g_array_index (answer->groups, StriaAllocGroupRow, i);
      g_autofree char *color = NULL;
      g_autofree char *name = group_name (self, answer->grouping, group->key, &color);
      StriaAllocRow *row = stria_alloc_row_new (name, color, G_MAXUINT32);

      if (answer->grouping == STRIA_STACKS_BY_STACK || answer->grouping == STRIA_STACKS_BY_FRAME)
        stria_alloc_row_set_frame (row, group_frame (self, answer->grouping, group->key));
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_LIVE, (double) group->live_bytes);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_COUNT, (double) group->live_count);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_TOTAL, (double) group->total_bytes);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_TIMES, (double) group->total_count);
      if (group->mean_life >= 0)
        stria_alloc_row_set (row, STRIA_ALLOC_VALUE_LIFE, group->mean_life);
      if (has_base)
        stria_alloc_row_set (row, STRIA_ALLOC_VALUE_GROWTH, (double) group->growth_bytes);
      g_ptr_array_add (rows, row);
    }
  for (guint i = 0; answer->leaks != NULL && i < MIN (answer->leaks->len, MAX_ROWS); i++)
    {
      const StriaLeakSuspect *leak = &g_array_index (answer->leaks, StriaLeakSuspect, i);
      g_autofree char *color = NULL;
      g_autofree char *name = group_name (self, STRIA_STACKS_BY_STACK, leak->stack, &color);
      StriaAllocRow *row = stria_alloc_row_new (name, color, G_MAXUINT32);

      stria_alloc_row_set_frame (row, group_frame (self, STRIA_STACKS_BY_STACK, leak->stack));
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_LIVE, (double) leak->last_bytes);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_COUNT, (double) leak->last_count);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_GROWTH,
                           (double) leak->last_bytes - (double) leak->first_bytes);
      g_ptr_array_add (rows, row);
    }
  g_list_store_splice (self->roots, 0, g_list_model_get_n_items (G_LIST_MODEL (self->roots)),
                       rows->pdata, rows->len);
}

void
stria_alloc_stacks_fill_tree (StriaAllocStacks *self)
{
  g_autoptr (StriaAllocRow) root = NULL;

  if (self->nodes->len > 0)
    root = node_row (self, 0);
  g_list_store_splice (self->roots, 0, g_list_model_get_n_items (G_LIST_MODEL (self->roots)),
                       (gpointer *) &root, root != NULL ? 1 : 0);
}

/* Down to where the bytes part. */
void
stria_alloc_stacks_unfold (StriaAllocStacks *self)
{
  GtkSelectionModel *model = gtk_column_view_get_model (self->table);

  for (guint i = 0; i < 64 && i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      g_autoptr (GtkTreeListRow) tree_row = g_list_model_get_item (G_LIST_MODEL (model), i);
      g_autoptr (StriaAllocRow) row = gtk_tree_list_row_get_item (tree_row);
      const StriaFlameNode *node
          = &g_array_index (self->nodes, StriaFlameNode, stria_alloc_row_get_node (row));

      gtk_tree_list_row_set_expanded (tree_row, TRUE);
      if (node->n_children == 0
          || g_array_index (self->nodes, StriaFlameNode, node->first_child).bytes
                 < node->bytes - node->bytes / 4)
        break;
    }
}

/* Columns without any number are of no use. A hidden one would still take its width. */
void
stria_alloc_stacks_show_columns (StriaAllocStacks *self, StriaStacksGrouping grouping)
{
  guint at = 1;
  const gboolean is_flat = grouping != STRIA_STACKS_BY_TREE && grouping != STRIA_STACKS_LEAKS;
  const gboolean has_growth
      = grouping == STRIA_STACKS_LEAKS || stria_alloc_state_get_base (self->state) != G_MAXUINT32;

  for (guint i = 0; i < STRIA_N_ALLOC_VALUES; i++)
    {
      GtkColumnViewColumn *column = self->columns[i];
      const gboolean is_there = gtk_column_view_column_get_column_view (column) != NULL;
      const gboolean is_wanted = i == STRIA_ALLOC_VALUE_GROWTH   ? has_growth
                                 : i > STRIA_ALLOC_VALUE_GROWTH ? is_flat
                                                                : TRUE;

      if (is_wanted && !is_there)
        gtk_column_view_insert_column (self->table, at, column);
      else if (!is_wanted && is_there)
        gtk_column_view_remove_column (self->table, column);
      at += is_wanted;
    }
}

/* -- table ------------------------------------------------------------------------------------ */

static GListModel *
children_of (gpointer item, gpointer user_data)
{
  StriaAllocStacks *self = user_data;
  const guint32 index = stria_alloc_row_get_node (item);
  const StriaFlameNode *node;
  GListStore *store;

  if (self->nodes == NULL || index >= self->nodes->len)
    return NULL;
  node = &g_array_index (self->nodes, StriaFlameNode, index);
  if (node->n_children == 0)
    return NULL;
  store = g_list_store_new (STRIA_TYPE_ALLOC_ROW);
  for (guint32 i = 0; i < node->n_children; i++)
    {
      g_autoptr (StriaAllocRow) row = node_row (self, node->first_child + i);

      g_list_store_append (store, row);
    }
  return G_LIST_MODEL (store);
}

static char *
format_value (StriaAllocValue column, double value)
{
  g_autofree char *text = NULL;

  if (isnan (value))
    return g_strdup ("");
  if (column == STRIA_ALLOC_VALUE_COUNT || column == STRIA_ALLOC_VALUE_TIMES)
    return stria_format_count ((guint64) value);
  if (column == STRIA_ALLOC_VALUE_LIFE)
    return stria_format_count ((guint64) (value + 0.5));
  text = stria_format_bytes ((gint64) fabs (value));
  if (column == STRIA_ALLOC_VALUE_GROWTH && value != 0)
    return g_strconcat (value < 0 ? "−" : "+", text, NULL);
  return g_steal_pointer (&text);
}

static guint32
frame_of_item (gpointer item)
{
  g_autoptr (StriaAllocRow) row = gtk_tree_list_row_get_item (item);

  return stria_alloc_row_get_frame (row);
}

static void
on_name_secondary (GtkGestureClick *gesture, int n_press, double x, double y,
                   GtkListItem *list_item)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *page = gtk_widget_get_ancestor (widget, STRIA_TYPE_ALLOC_STACKS);
  gpointer item = gtk_list_item_get_item (list_item);

  if (item != NULL && page != NULL)
    stria_alloc_stacks_go_to_frame (STRIA_ALLOC_STACKS (page), frame_of_item (item), widget, x, y);
}

static void
on_name_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), stria_swatch_new ());
  gtk_box_append (GTK_BOX (box), label);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (secondary, "pressed", G_CALLBACK (on_name_secondary), list_item, 0);
  gtk_widget_add_controller (expander, GTK_EVENT_CONTROLLER (secondary));
  gtk_list_item_set_child (list_item, expander);
}

static void
on_name_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  g_autoptr (StriaAllocRow) row = gtk_tree_list_row_get_item (tree_row);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_tree_expander_get_child (expander));
  GtkWidget *label = gtk_widget_get_next_sibling (swatch);

  gtk_tree_expander_set_list_row (expander, tree_row);
  stria_swatch_set_name (STRIA_SWATCH (swatch), stria_alloc_row_get_color_name (row));
  gtk_label_set_label (GTK_LABEL (label), stria_alloc_row_get_name (row));
  gtk_widget_set_tooltip_text (label, stria_alloc_row_get_color_name (row) != NULL
                                          ? stria_alloc_row_get_color_name (row)
                                          : stria_alloc_row_get_name (row));
}

static void
on_value_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (list_item, label);
}

static void
on_value_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer column)
{
  g_autoptr (StriaAllocRow) row
      = gtk_tree_list_row_get_item (gtk_list_item_get_item (list_item));
  const StriaAllocValue value = (StriaAllocValue) GPOINTER_TO_UINT (column);
  g_autofree char *text = format_value (value, stria_alloc_row_get (row, value));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (list_item)), text);
}

static int
compare_values (gconstpointer a, gconstpointer b, gpointer column)
{
  const double x = stria_alloc_row_get ((StriaAllocRow *) a, GPOINTER_TO_UINT (column));
  const double y = stria_alloc_row_get ((StriaAllocRow *) b, GPOINTER_TO_UINT (column));

  if (isnan (x) || isnan (y))
    return isnan (x) ? (isnan (y) ? 0 : -1) : 1;
  return x < y ? GTK_ORDERING_SMALLER : x > y ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  return g_utf8_collate (stria_alloc_row_get_name ((StriaAllocRow *) a),
                         stria_alloc_row_get_name ((StriaAllocRow *) b));
}

static void
add_columns (StriaAllocStacks *self)
{
  const char *titles[STRIA_N_ALLOC_VALUES] = {
    [STRIA_ALLOC_VALUE_LIVE] = _ ("Live"),      [STRIA_ALLOC_VALUE_COUNT] = _ ("Blocks"),
    [STRIA_ALLOC_VALUE_GROWTH] = _ ("Growth"),  [STRIA_ALLOC_VALUE_TOTAL] = _ ("Allocated"),
    [STRIA_ALLOC_VALUE_TIMES] = _ ("Times"),    [STRIA_ALLOC_VALUE_LIFE] = _ ("Mean life"),
  };
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) name = NULL;
  g_autoptr (GtkSorter) by_name = GTK_SORTER (gtk_custom_sorter_new (compare_names, NULL, NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (on_name_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_name_bind), NULL);
  name = gtk_column_view_column_new (_ ("Owner"), factory);
  gtk_column_view_column_set_expand (name, TRUE);
  gtk_column_view_column_set_resizable (name, TRUE);
  gtk_column_view_column_set_sorter (name, by_name);
  gtk_column_view_append_column (self->table, name);
  for (guint i = 0; i < STRIA_N_ALLOC_VALUES; i++)
    {
      GtkListItemFactory *values = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GtkSorter) sorter
          = GTK_SORTER (gtk_custom_sorter_new (compare_values, GUINT_TO_POINTER (i), NULL));

      g_signal_connect (values, "setup", G_CALLBACK (on_value_setup), NULL);
      g_signal_connect (values, "bind", G_CALLBACK (on_value_bind), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], values);
      gtk_column_view_column_set_fixed_width (column, stria_table_width (88, titles[i]));
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_append_column (self->table, column);
      self->columns[i] = g_object_ref (column);
      if (i == STRIA_ALLOC_VALUE_LIVE)
        gtk_column_view_sort_by_column (self->table, column, GTK_SORT_DESCENDING);
    }
}

static void
on_row_activated (StriaAllocStacks *self, guint position)
{
  g_autoptr (GtkTreeListRow) item = g_list_model_get_item (
      G_LIST_MODEL (gtk_column_view_get_model (self->table)), position);

  if (item != NULL && !stria_alloc_stacks_go_to_frame (self, frame_of_item (item), NULL, 0, 0))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                                _ ("This row has no line of source"));
}

static gboolean
on_table_key (StriaAllocStacks *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (self->table));
  gpointer item = gtk_single_selection_get_selected_item (selection);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (item == NULL || focus == NULL
      || !(keyval == GDK_KEY_Menu
           || (keyval == GDK_KEY_F10 && (modifiers & GDK_SHIFT_MASK) != 0)))
    return GDK_EVENT_PROPAGATE;
  return stria_alloc_stacks_go_to_frame (self, frame_of_item (item), focus, 24,
                                         gtk_widget_get_height (focus));
}

GtkWidget *
stria_alloc_stacks_table_new (StriaAllocStacks *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkTreeListModel *tree;
  GtkSortListModel *sorted;
  GtkSingleSelection *selection;
  GtkEventController *key = gtk_event_controller_key_new ();

  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  stria_table_keep_start (GTK_WIDGET (self->table));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "stats");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Who holds the memory"), -1);
  add_columns (self);
  self->roots = g_list_store_new (STRIA_TYPE_ALLOC_ROW);
  tree = gtk_tree_list_model_new (g_object_ref (G_LIST_MODEL (self->roots)), FALSE, FALSE,
                                  children_of, self, NULL);
  sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (tree), GTK_SORTER (gtk_tree_list_row_sorter_new (
                               g_object_ref (gtk_column_view_get_sorter (self->table)))));
  selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_single_selection_set_model (selection, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
  g_signal_connect_swapped (self->table, "activate", G_CALLBACK (on_row_activated), self);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_table_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->table), key);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              60 + (int) stria_text_px (20));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}
