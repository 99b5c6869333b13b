/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-accessible-names.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-focus.h"

/* Most labels that name one row */
#define MAX_LABELS 40

static gboolean
has_label (GtkWidget *widget)
{
  return gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget),
                                           GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static gboolean
has_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  return has_label (widget)
         || gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static gboolean
is_a (GtkWidget *widget, const char *type)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), type);
}

/* What a row says: its labels, and its symbols that have a name */
static void
add_labels (GtkWidget *widget, GPtrArray *labels)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL && labels->len < MAX_LABELS; child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_POPOVER (child) || !gtk_widget_get_visible (child))
        continue;
      if (GTK_IS_LABEL (child) || GTK_IS_INSCRIPTION (child)
          || (GTK_IS_IMAGE (child) && has_name (child)))
        g_ptr_array_add (labels, child);
      else
        add_labels (child, labels);
    }
}

static void
set_labels (GtkWidget *widget, GPtrArray *labels)
{
  GValue value = G_VALUE_INIT;
  GtkAccessibleRelation relation = GTK_ACCESSIBLE_RELATION_LABELLED_BY;
  GList *list = NULL;

  for (guint i = labels->len; i > 0; i--)
    list = g_list_prepend (list, labels->pdata[i - 1]);
  gtk_accessible_relation_init_value (relation, &value);
  g_value_set_pointer (&value, list);
  gtk_accessible_update_relation_value (GTK_ACCESSIBLE (widget), 1, &relation, &value);
  g_value_unset (&value);
}

/* Labels of list rows are bound to other items later: what names the row is the label, not its
 * text. */
static void
name_by_labels (GtkWidget *widget, GtkWidget *first)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  const char *tooltip = gtk_widget_get_tooltip_text (widget);

  if (first != NULL)
    g_ptr_array_add (labels, first);
  add_labels (widget, labels);
  if (labels->len > 0)
    set_labels (widget, labels);
  else if (tooltip != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                    -1);
}

/* GTK 4.8 takes the text of a button with its underscores, and says it before that of its label. */
static void
name_button (GtkWidget *button)
{
  GtkWidget *parent = gtk_widget_get_parent (button);
  const char *label = gtk_button_get_label (GTK_BUTTON (button));

  if (GTK_IS_DROP_DOWN (parent))
    name_by_labels (button, parent);
  else if (GTK_IS_MENU_BUTTON (parent) && !has_name (button) && label == NULL)
    name_by_labels (button, NULL);
  else if (gtk_button_get_use_underline (GTK_BUTTON (button)) && label != NULL)
    gtk_accessible_reset_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL);
  else if (!has_name (button))
    name_by_labels (button, NULL);
}

static void
name_check_button (GtkWidget *button)
{
  if (gtk_check_button_get_label (GTK_CHECK_BUTTON (button)) != NULL
      || gtk_test_accessible_has_relation (GTK_ACCESSIBLE (button),
                                           GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
name_image (GtkWidget *image)
{
  const char *tooltip = gtk_widget_get_tooltip_text (image);

  if (has_name (image))
    return;
  if (tooltip != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                    -1);
  else
    gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

static void
name_picture (GtkWidget *picture)
{
  const char *text = gtk_picture_get_alternative_text (GTK_PICTURE (picture));

  if (text != NULL && !has_name (picture))
    gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                    -1);
}

/* The list within a table, a combo row's or a menu has the name of what it stands in. */
static void
name_list (GtkWidget *list)
{
  GtkWidget *owner = gtk_widget_get_parent (list);

  while (owner != NULL && !GTK_IS_COLUMN_VIEW (owner) && !ADW_IS_COMBO_ROW (owner)
         && !GTK_IS_DROP_DOWN (owner))
    owner = gtk_widget_get_parent (owner);
  if (owner == NULL || has_name (list))
    return;
  if (ADW_IS_COMBO_ROW (owner))
    gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    adw_preferences_row_get_title (ADW_PREFERENCES_ROW (owner)),
                                    -1);
  else
    gtk_accessible_update_relation (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                    owner, NULL, -1);
}

/* -- Tab ------------------------------------------------------------------------------------- */

/* GTK 4.8 goes through all rows with Tab, however many there are: here arrows do that, and Tab goes on
 * to what stands behind the list. What is within a row is reached as before. */
static gboolean
on_key_in_list (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType state,
                gpointer data)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (list));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (GTK_ROOT (root)) : NULL;
  const gboolean forward = keyval == GDK_KEY_Tab || keyval == GDK_KEY_KP_Tab;
  gboolean moved;

  if ((!forward && keyval != GDK_KEY_ISO_Left_Tab) || focus == NULL
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  if (forward && (is_a (focus, "GtkListItemWidget") || GTK_IS_LIST_BOX_ROW (focus))
      && gtk_widget_child_focus (focus, GTK_DIR_TAB_FORWARD))
    return GDK_EVENT_STOP;
  gtk_widget_set_can_focus (list, FALSE);
  moved = gtk_widget_child_focus (root, forward ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD);
  gtk_widget_set_can_focus (list, TRUE);
  return moved ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static void
let_tab_out (GtkWidget *list)
{
  GtkEventController *keys;

  if (g_object_get_data (G_OBJECT (list), "stria-tab") != NULL)
    return;
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key_in_list), NULL);
  gtk_widget_add_controller (list, keys);
  g_object_set_data (G_OBJECT (list), "stria-tab", keys);
}

static GtkWidgetClass *flow_class, *cell_class;
static gboolean (*focus_in_flow) (GtkWidget *, GtkDirectionType);
static gboolean (*focus_in_cell) (GtkWidget *, GtkDirectionType);

/* GTK 4.8 gives the keyboard to each cell, and Tab is stuck before one that cannot have it. */
static gboolean
focus_cell (GtkWidget *cell, GtkDirectionType direction)
{
  return gtk_widget_get_focusable (cell) ? focus_in_cell (cell, direction)
                                         : stria_focus_children (cell, direction);
}

static gboolean
focus_flow (GtkWidget *flow, GtkDirectionType direction)
{
  GtkWidget *first = gtk_widget_get_first_child (flow);

  return first == NULL || gtk_widget_get_focusable (first)
             ? focus_in_flow (flow, direction)
             : stria_focus_children (flow, direction);
}

static void
let_tab_through_flows (void)
{
  flow_class = g_type_class_ref (GTK_TYPE_FLOW_BOX);
  cell_class = g_type_class_ref (GTK_TYPE_FLOW_BOX_CHILD);
  focus_in_flow = flow_class->focus;
  focus_in_cell = cell_class->focus;
  flow_class->focus = focus_flow;
  cell_class->focus = focus_cell;
}

static gboolean
on_map (GSignalInvocationHint *hint, guint n_params, const GValue *params, gpointer data)
{
  GtkWidget *widget = g_value_get_object (params);

  if (GTK_IS_LABEL (widget))
    {
      /* One that can be selected says that it took the keyboard, and Tab is stuck before it. */
      if (gtk_label_get_selectable (GTK_LABEL (widget)) && !gtk_widget_get_focusable (widget))
        gtk_widget_set_can_focus (widget, FALSE);
      return TRUE;
    }
  if (GTK_IS_BUTTON (widget))
    name_button (widget);
  else if (GTK_IS_CHECK_BUTTON (widget))
    name_check_button (widget);
  else if (GTK_IS_IMAGE (widget))
    name_image (widget);
  else if (GTK_IS_PICTURE (widget))
    name_picture (widget);
  else if (GTK_IS_LIST_VIEW (widget) || is_a (widget, "GtkColumnListView"))
    {
      name_list (widget);
      let_tab_out (widget);
    }
  else if (GTK_IS_LIST_BOX (widget)
           && gtk_list_box_get_selection_mode (GTK_LIST_BOX (widget)) != GTK_SELECTION_NONE)
    let_tab_out (widget);
  else if (GTK_IS_TREE_EXPANDER (widget) || is_a (widget, "GtkColumnViewTitle"))
    name_by_labels (widget, NULL);
  else if ((is_a (widget, "GtkListItemWidget") || GTK_IS_LIST_BOX_ROW (widget)
            || GTK_IS_FLOW_BOX_CHILD (widget) || GTK_IS_MENU_BUTTON (widget)
            || GTK_IS_EXPANDER (widget))
           && !has_label (widget))
    name_by_labels (widget, NULL);
  else if (GTK_IS_PANED (widget) && !has_name (widget))
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Border between panes"), -1);
  return TRUE;
}

/**
 * stria_accessible_names_install:
 *
 * From now on, each widget that comes into sight has a name for screen readers where GTK 4.8 gives
 * it none: rows of lists and tables that of their labels, the button within a drop-down that of the
 * drop-down and of what is chosen, lists within tables that of the table. Pictures that only
 * decorate are hidden from them. Tab leaves lists and tables, and leads through columns of cards.
 */
void
stria_accessible_names_install (void)
{
  static gsize installed = 0;
  g_autoptr (GTypeClass) klass = NULL;

  if (!g_once_init_enter (&installed))
    return;
  klass = g_type_class_ref (GTK_TYPE_WIDGET);
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
  let_tab_through_flows ();
  g_once_init_leave (&installed, 1);
}
