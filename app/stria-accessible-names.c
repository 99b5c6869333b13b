/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-accessible-names.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

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

  if (labels->len == 0)
    return;
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

  if (first != NULL)
    g_ptr_array_add (labels, first);
  add_labels (widget, labels);
  set_labels (widget, labels);
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

static gboolean
on_map (GSignalInvocationHint *hint, guint n_params, const GValue *params, gpointer data)
{
  GtkWidget *widget = g_value_get_object (params);

  if (GTK_IS_LABEL (widget))
    return TRUE;
  if (GTK_IS_BUTTON (widget))
    name_button (widget);
  else if (GTK_IS_IMAGE (widget))
    name_image (widget);
  else if (GTK_IS_PICTURE (widget))
    name_picture (widget);
  else if (GTK_IS_LIST_VIEW (widget) || is_a (widget, "GtkColumnListView"))
    name_list (widget);
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
 * decorate are hidden from them.
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
  g_once_init_leave (&installed, 1);
}
