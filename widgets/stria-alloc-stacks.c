/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-stacks.h"

#include <math.h>

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-alloc-row.h"
#include "stria-alloc-text.h"
#include "stria-format.h"
#include "stria-source-link.h"
#include "stria-swatch.h"

#define MAX_ROWS 5000

typedef enum
{
  BY_TREE,
  BY_STACK,
  BY_FRAME,
  BY_SIZE,
  BY_CATEGORY,
  BY_POOL,
  BY_STREAM,
  BY_LIFETIME,
  LEAKS,
} Grouping;

static const char *const grouping_names[] = {
  N_ ("Call tree"), N_ ("Stack"), N_ ("Frame"),  N_ ("Size class"),     N_ ("Category"),
  N_ ("Pool"),      N_ ("Stream"), N_ ("Lifetime"), N_ ("Leak suspects"), NULL,
};

struct _StriaAllocStacks
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GtkWidget       *box;
  GtkWidget       *flame;
  GtkDropDown     *grouping;
  GtkLabel        *summary;
  GtkWidget       *all_frames;
  GtkColumnView   *table;
  GtkColumnViewColumn *columns[STRIA_N_ALLOC_VALUES];
  GtkStack        *stack;
  GListStore      *roots;
  GArray          *nodes; /* StriaFlameNode */
  guint32          root;
  guint32          hover;
  GCancellable    *cancellable;
  gboolean         stale;
  gboolean         working;
  gboolean         wanted;
};

G_DEFINE_FINAL_TYPE (StriaAllocStacks, stria_alloc_stacks, GTK_TYPE_WIDGET)

/* -- answers from a worker -------------------------------------------------------------------- */

typedef struct
{
  StriaSnapshotData *snapshot;
  StriaAllocator    *allocator;
  guint32            step;
  guint32            base;
  Grouping           grouping;
  gboolean           hide_noise;
} Question;

typedef struct
{
  GArray  *nodes;
  GArray  *groups; /* StriaAllocGroupRow, NULL for the tree */
  GArray  *leaks;  /* StriaLeakSuspect */
  Grouping grouping;
} Answer;

static void
question_free (gpointer data)
{
  stria_snapshot_data_unref (((Question *) data)->snapshot);
  g_free (data);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_clear_pointer (&answer->nodes, g_array_unref);
  g_clear_pointer (&answer->groups, g_array_unref);
  g_clear_pointer (&answer->leaks, g_array_unref);
  g_free (answer);
}

static void
ask_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  static const StriaAllocGroup groups[] = {
    [BY_STACK] = STRIA_GROUP_STACK,   [BY_FRAME] = STRIA_GROUP_FRAME,
    [BY_SIZE] = STRIA_GROUP_SIZE,     [BY_CATEGORY] = STRIA_GROUP_CATEGORY,
    [BY_POOL] = STRIA_GROUP_POOL,     [BY_STREAM] = STRIA_GROUP_STREAM,
    [BY_LIFETIME] = STRIA_GROUP_LIFETIME,
  };
  Question *q = task_data;
  Answer *answer = g_new0 (Answer, 1);
  g_autoptr (GError) error = NULL;

  answer->grouping = q->grouping;
  answer->nodes = stria_allocator_flame (q->allocator, q->step, q->base, q->hide_noise, cancellable,
                                         &error);
  if (error == NULL && q->grouping == LEAKS)
    answer->leaks = stria_allocator_leaks (q->allocator, NULL, 3, cancellable, &error);
  else if (error == NULL && q->grouping != BY_TREE)
    answer->groups = stria_allocator_group (q->allocator, groups[q->grouping], q->step, q->base,
                                            cancellable, &error);
  if (error == NULL)
    {
      g_task_return_pointer (task, answer, answer_free);
      return;
    }
  answer_free (answer);
  g_task_return_error (task, g_steal_pointer (&error));
}

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
group_frame (StriaAllocStacks *self, Grouping grouping, guint64 key)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);

  return grouping == BY_STACK ? stria_snapshot_stack_label (snapshot, (guint32) key)
                              : (guint32) key;
}

static char *
group_name (StriaAllocStacks *self, Grouping grouping, guint64 key, char **color)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  g_autofree char *text = NULL;
  guint32 frame;

  switch (grouping)
    {
    case BY_STACK:
    case BY_FRAME:
      frame = group_frame (self, grouping, key);
      if (frame < stria_snapshot_get_n_frames (snapshot))
        *color = stria_snapshot_frame_text (snapshot, frame);
      return stria_alloc_frame_short (snapshot, frame);
    case BY_SIZE:
      text = stria_format_bytes ((gint64) key);
      return g_strdup_printf (_ ("up to %s"), text);
    case BY_CATEGORY:
      return g_strdup (key != 0 ? stria_snapshot_get_string (snapshot, (guint32) key)
                                : _ ("no category"));
    case BY_POOL:
      return stria_alloc_pool_text (allocator, (guint16) key);
    case BY_STREAM:
      return stria_alloc_stream_text (allocator, (guint16) key);
    case BY_LIFETIME:
      if (key == 0)
        return g_strdup (_ ("to the end of the recording"));
      text = stria_format_count (key);
      return g_strdup_printf (_ ("up to %s actions"), text);
    case BY_TREE:
    case LEAKS:
    default:
      return g_strdup ("");
    }
}

static void
fill_groups (StriaAllocStacks *self, const Answer *answer)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  const gboolean has_base = stria_alloc_state_get_base (self->state) != G_MAXUINT32;

  for (guint i = 0; answer->groups != NULL && i < MIN (answer->groups->len, MAX_ROWS); i++)
    {
      const StriaAllocGroupRow *group = &g_array_index (answer->groups, StriaAllocGroupRow, i);
      g_autofree char *color = NULL;
      g_autofree char *name = group_name (self, answer->grouping, group->key, &color);
      StriaAllocRow *row = stria_alloc_row_new (name, color, G_MAXUINT32);

      if (answer->grouping == BY_STACK || answer->grouping == BY_FRAME)
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
      g_autofree char *name = group_name (self, BY_STACK, leak->stack, &color);
      StriaAllocRow *row = stria_alloc_row_new (name, color, G_MAXUINT32);

      stria_alloc_row_set_frame (row, group_frame (self, BY_STACK, leak->stack));
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_LIVE, (double) leak->last_bytes);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_COUNT, (double) leak->last_count);
      stria_alloc_row_set (row, STRIA_ALLOC_VALUE_GROWTH,
                           (double) leak->last_bytes - (double) leak->first_bytes);
      g_ptr_array_add (rows, row);
    }
  g_list_store_splice (self->roots, 0, g_list_model_get_n_items (G_LIST_MODEL (self->roots)),
                       rows->pdata, rows->len);
}

static void
fill_tree (StriaAllocStacks *self)
{
  g_autoptr (StriaAllocRow) root = NULL;

  if (self->nodes->len > 0)
    root = node_row (self, 0);
  g_list_store_splice (self->roots, 0, g_list_model_get_n_items (G_LIST_MODEL (self->roots)),
                       (gpointer *) &root, root != NULL ? 1 : 0);
}

/* Down to where the bytes part. */
static void
unfold (StriaAllocStacks *self)
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
static void
show_columns (StriaAllocStacks *self, Grouping grouping)
{
  guint at = 1;
  const gboolean is_flat = grouping != BY_TREE && grouping != LEAKS;
  const gboolean has_growth
      = grouping == LEAKS || stria_alloc_state_get_base (self->state) != G_MAXUINT32;

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

static void
update_summary (StriaAllocStacks *self)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  const guint32 base = stria_alloc_state_get_base (self->state);
  g_autofree char *step = stria_alloc_step_text (allocator,
                                                 stria_alloc_state_get_step (self->state));
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;

  if (gtk_drop_down_get_selected (self->grouping) == LEAKS)
    text = g_strdup (_ ("Stacks whose live bytes only grow from step to step"));
  else if (base == G_MAXUINT32)
    /* Translators: a time or number of an action */
    text = g_strdup_printf (_ ("What is alive at %s"), step);
  else
    {
      before = stria_alloc_step_text (allocator, base);
      text = g_strdup_printf (_ ("What is alive at %s, growth since %s"), step, before);
    }
  gtk_label_set_label (self->summary, text);
}

static void update (StriaAllocStacks *self);

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaAllocStacks *self = STRIA_ALLOC_STACKS (source);
  Answer *answer = g_task_propagate_pointer (G_TASK (result), NULL);
  GListModel *model;

  self->working = FALSE;
  if (self->wanted && self->state != NULL)
    update (self);
  if (answer == NULL)
    return;
  if (self->state == NULL || stria_alloc_state_get_allocator (self->state) == NULL)
    {
      answer_free (answer);
      return;
    }
  g_list_store_remove_all (self->roots);
  g_clear_pointer (&self->nodes, g_array_unref);
  self->nodes = g_steal_pointer (&answer->nodes);
  self->root = 0;
  self->hover = G_MAXUINT32;
  if (answer->grouping == BY_TREE)
    {
      fill_tree (self);
      unfold (self);
    }
  else
    fill_groups (self, answer);
  show_columns (self, answer->grouping);
  model = G_LIST_MODEL (self->roots);
  gtk_stack_set_visible_child_name (self->stack,
                                    g_list_model_get_n_items (model) > 0 ? "table" : "empty");
  update_summary (self);
  gtk_widget_queue_draw (self->flame);
  answer_free (answer);
}

/* One question at a time: while the moment is dragged, each answer is shown and the newest question
 * comes next. */
static void
update (StriaAllocStacks *self)
{
  g_autoptr (GTask) task = NULL;
  Question *q;

  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  self->wanted = self->working && !self->stale;
  if (self->stale || self->working || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  self->working = TRUE;
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  q = g_new0 (Question, 1);
  q->snapshot = stria_snapshot_data_ref (stria_alloc_state_get_snapshot (self->state));
  q->allocator = stria_alloc_state_get_allocator (self->state);
  q->step = stria_alloc_state_get_step (self->state);
  q->base = stria_alloc_state_get_base (self->state);
  if (q->base == G_MAXUINT32)
    q->base = q->step;
  q->grouping = (Grouping) gtk_drop_down_get_selected (self->grouping);
  q->hide_noise = !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all_frames));
  task = g_task_new (self, self->cancellable, on_answer, NULL);
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, q, question_free);
  g_task_run_in_thread (task, ask_in_thread);
}

static void
on_device_changed (StriaAllocStacks *self)
{
  g_list_store_remove_all (self->roots);
  g_clear_pointer (&self->nodes, g_array_unref);
  gtk_widget_queue_draw (self->flame);
  g_cancellable_cancel (self->cancellable);
  update (self);
}

/* -- flame graph ------------------------------------------------------------------------------ */

/* Shows the source of a frame, or a menu of its place. FALSE if it has none. */
static gboolean
go_to_frame (StriaAllocStacks *self, guint32 number, GtkWidget *menu_parent, double x, double y)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  const StriaAllocFrame *frame;
  const char *path;

  if (snapshot == NULL || number >= stria_snapshot_get_n_frames (snapshot))
    return FALSE;
  frame = stria_snapshot_get_frame (snapshot, number);
  path = stria_snapshot_get_string (snapshot, frame->filename);
  if (!stria_source_is_file (path) || frame->line == 0 || frame->line > G_MAXINT32)
    return FALSE;
  if (menu_parent != NULL)
    stria_source_popup_menu (menu_parent, x, y, path, (guint) frame->line);
  else
    stria_source_show (GTK_WIDGET (self), path, (guint) frame->line);
  return TRUE;
}

static void
draw_flame (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  StriaAllocStacks *self = user_data;
  StriaAllocView view;

  if (self->nodes == NULL || self->state == NULL)
    return;
  stria_alloc_state_fill_view (self->state, &view);
  view.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  stria_alloc_paint_flame_of (cr, &view, self->nodes, self->root, self->hover, width, height);
}

static guint32
node_at (StriaAllocStacks *self, double x, double y)
{
  if (self->nodes == NULL)
    return G_MAXUINT32;
  return stria_alloc_flame_hit (self->nodes, self->root, gtk_widget_get_width (self->flame), x, y);
}

static void
on_flame_pressed (StriaAllocStacks *self, int n_press, double x, double y)
{
  const guint32 node = node_at (self, x, y);

  if (node == G_MAXUINT32)
    return;
  /* A click on what fills the width already leads back */
  self->root = node == self->root
                   ? (node > 0 ? g_array_index (self->nodes, StriaFlameNode, node).parent : 0)
                   : node;
  gtk_widget_queue_draw (self->flame);
}

static void
on_flame_secondary (StriaAllocStacks *self, int n_press, double x, double y)
{
  const guint32 node = node_at (self, x, y);

  if (node != G_MAXUINT32)
    go_to_frame (self, g_array_index (self->nodes, StriaFlameNode, node).frame, self->flame, x, y);
}

static void
on_flame_motion (StriaAllocStacks *self, double x, double y)
{
  const guint32 node = node_at (self, x, y);

  if (node == self->hover)
    return;
  self->hover = node;
  gtk_widget_queue_draw (self->flame);
}

static gboolean
on_flame_tooltip (StriaAllocStacks *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const guint32 index = keyboard ? G_MAXUINT32 : node_at (self, x, y);
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  const StriaFlameNode *node;
  g_autofree char *name = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;

  if (index == G_MAXUINT32)
    return FALSE;
  node = &g_array_index (self->nodes, StriaFlameNode, index);
  name = node->frame < stria_snapshot_get_n_frames (snapshot)
             ? stria_snapshot_frame_text (snapshot, node->frame)
             : g_strdup (index == 0 ? _ ("All live blocks") : _ ("no stack recorded"));
  bytes = stria_alloc_exact_bytes (node->bytes);
  count = stria_format_count (node->count);
  text = g_strdup_printf (ngettext ("%s\n%s in %s block", "%s\n%s in %s blocks", node->count), name,
                          bytes, count);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - 3, y - 3, 6, 6 });
  return TRUE;
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
    go_to_frame (STRIA_ALLOC_STACKS (page), frame_of_item (item), widget, x, y);
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
      gtk_column_view_column_set_fixed_width (column, 88);
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

  if (item != NULL && !go_to_frame (self, frame_of_item (item), NULL, 0, 0))
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
  return go_to_frame (self, frame_of_item (item), focus, 24, gtk_widget_get_height (focus));
}

static GtkWidget *
table_new (StriaAllocStacks *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkTreeListModel *tree;
  GtkSortListModel *sorted;
  GtkSingleSelection *selection;
  GtkEventController *key = gtk_event_controller_key_new ();

  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
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
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
flame_new (StriaAllocStacks *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->flame = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->flame), draw_flame, self, NULL);
  gtk_widget_set_has_tooltip (self->flame, TRUE);
  gtk_widget_set_size_request (self->flame, 200, 80);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->flame), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Flame graph of live bytes"), -1);
  g_signal_connect_swapped (self->flame, "query-tooltip", G_CALLBACK (on_flame_tooltip), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_flame_pressed), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_flame_motion), self);
  gtk_widget_add_controller (self->flame, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (secondary, "pressed", G_CALLBACK (on_flame_secondary), self);
  gtk_widget_add_controller (self->flame, GTK_EVENT_CONTROLLER (secondary));
  gtk_widget_add_controller (self->flame, motion);
  return self->flame;
}

static void
on_set_base (StriaAllocStacks *self)
{
  stria_alloc_state_set_base (self->state, stria_alloc_state_get_step (self->state));
}

static void
on_clear_base (StriaAllocStacks *self)
{
  stria_alloc_state_set_base (self->state, G_MAXUINT32);
}

static GtkWidget *
button_new (StriaAllocStacks *self, const char *label, const char *tooltip, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
header_new (StriaAllocStacks *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *names[G_N_ELEMENTS (grouping_names)] = { NULL };

  for (guint i = 0; grouping_names[i] != NULL; i++)
    names[i] = _ (grouping_names[i]);
  gtk_widget_add_css_class (header, "panel-header");
  self->grouping = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (names));
  gtk_widget_set_valign (GTK_WIDGET (self->grouping), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->grouping), _ ("What the rows of the table are"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grouping), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Group by"), -1);
  g_signal_connect_swapped (self->grouping, "notify::selected", G_CALLBACK (update), self);
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->summary, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  self->all_frames = gtk_toggle_button_new_with_label (_ ("All Frames"));
  gtk_widget_set_valign (self->all_frames, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (
      self->all_frames, _ ("Also show the frames of the unwinder, the dispatcher and the interpreter"));
  g_signal_connect_swapped (self->all_frames, "toggled", G_CALLBACK (update), self);
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->grouping));
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (header), self->all_frames);
  gtk_box_append (GTK_BOX (header),
                  button_new (self, _ ("Set as Base"),
                              _ ("Compare with the chosen moment from now on (B in the plot)"),
                              G_CALLBACK (on_set_base)));
  gtk_box_append (GTK_BOX (header), button_new (self, _ ("Clear Base"), _ ("Compare with nothing"),
                                                G_CALLBACK (on_clear_base)));
  return header;
}

static void
stria_alloc_stacks_map (GtkWidget *widget)
{
  StriaAllocStacks *self = STRIA_ALLOC_STACKS (widget);

  GTK_WIDGET_CLASS (stria_alloc_stacks_parent_class)->map (widget);
  if (self->stale)
    update (self);
}

static void
stria_alloc_stacks_dispose (GObject *object)
{
  StriaAllocStacks *self = STRIA_ALLOC_STACKS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  for (guint i = 0; i < STRIA_N_ALLOC_VALUES; i++)
    g_clear_object (&self->columns[i]);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  g_clear_object (&self->roots);
  g_clear_pointer (&self->nodes, g_array_unref);
  G_OBJECT_CLASS (stria_alloc_stacks_parent_class)->dispose (object);
}

static void
stria_alloc_stacks_class_init (StriaAllocStacksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_alloc_stacks_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_alloc_stacks_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_alloc_stacks_init (StriaAllocStacks *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *empty = gtk_label_new (_ ("Nothing here at this moment"));

  self->stale = TRUE;
  self->hover = G_MAXUINT32;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_box_append (GTK_BOX (self->box), header_new (self));
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_stack_add_named (self->stack, table_new (self), "table");
  gtk_stack_add_named (self->stack, empty, "empty");
  gtk_paned_set_start_child (GTK_PANED (paned), flame_new (self));
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->stack));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), 150);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (self->box), paned);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
stria_alloc_stacks_new (StriaAllocState *state)
{
  StriaAllocStacks *self = g_object_new (STRIA_TYPE_ALLOC_STACKS, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (on_device_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "moment-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
