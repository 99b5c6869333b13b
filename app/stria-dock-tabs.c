/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-dock.h"

#include <glib/gi18n-lib.h>

#include "stria-dock-pane.h"
#include "stria-pane-drag.h"
#include "stria-widget-tools.h"

/**
 * SECTION:stria-dock-tabs
 *
 * What a person does with the mouse to tabs and headers of panes: views are dragged out of the
 * tabs, panes by their headers, and tabs have a menu of places.
 */

typedef struct
{
  StriaDock *dock; /* outlives the button */
  char      *id;
  GtkWidget *button;
} Tab;

StriaSide
stria_dock_side (const char *word)
{
  static const char *const words[] = { [STRIA_SIDE_LEFT] = "left",
                                       [STRIA_SIDE_RIGHT] = "right",
                                       [STRIA_SIDE_TOP] = "above",
                                       [STRIA_SIDE_BOTTOM] = "below" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i], word))
      return (StriaSide) i;
  return STRIA_SIDE_CENTER;
}

/* -- panes are dragged by their headers ------------------------------------------------------ */

static gboolean
on_begin_pane (double x, double y, gpointer pane)
{
  GtkWidget *header = stria_dock_pane_get_header (STRIA_DOCK_PANE (pane));
  GtkWidget *at = gtk_widget_pick (header, x, y, GTK_PICK_DEFAULT);

  return at == NULL || (gtk_widget_get_ancestor (at, GTK_TYPE_BUTTON) == NULL
                        && gtk_widget_get_ancestor (at, GTK_TYPE_MENU_BUTTON) == NULL);
}

static const char *
describe_pane (GtkWidget *target, StriaSide side, gpointer pane)
{
  if (target == pane)
    return NULL;
  return side == STRIA_SIDE_CENTER ? _ ("Change places") : _ ("Move here");
}

static void
on_drop_pane (GtkWidget *target, StriaSide side, gpointer pane)
{
  StriaDock *dock = STRIA_DOCK (gtk_widget_get_ancestor (pane, STRIA_TYPE_DOCK));

  stria_pane_box_put (stria_dock_get_box (dock), pane, target, side);
  stria_dock_focus (dock);
}

void
stria_dock_drag_pane (StriaDock *self, GtkWidget *pane, GtkWidget *header)
{
  static const StriaPaneDragFuncs funcs = { on_begin_pane, NULL, describe_pane, on_drop_pane };

  stria_pane_drag_add (header, stria_dock_get_box (self), &funcs, pane);
}

/* -- views are dragged out of the tabs ------------------------------------------------------- */

static gboolean
on_begin_tab (double x, double y, gpointer user_data)
{
  const Tab *tab = user_data;

  return stria_dock_can_place (tab->dock, tab->id);
}

static const char *
describe_tab (GtkWidget *target, StriaSide side, gpointer user_data)
{
  const Tab *tab = user_data;
  const char *there = stria_dock_pane_get_id (STRIA_DOCK_PANE (target));

  if (g_strcmp0 (there, tab->id) == 0)
    return NULL;
  if (stria_dock_is_docked (tab->dock, tab->id))
    {
      if (side != STRIA_SIDE_CENTER)
        return _ ("Move here");
      return there == NULL ? _ ("Back to the tabs") : _ ("Change places");
    }
  if (side == STRIA_SIDE_CENTER)
    return there == NULL ? NULL : _ ("Show here");
  return _ ("Open here");
}

static void
on_drop_tab (GtkWidget *target, StriaSide side, gpointer user_data)
{
  const Tab *tab = user_data;

  if (side == STRIA_SIDE_CENTER && stria_dock_pane_get_id (STRIA_DOCK_PANE (target)) == NULL)
    stria_dock_back (tab->dock, tab->id);
  else
    stria_dock_place_at (tab->dock, tab->id, target, side);
}

/* -- the menu of a tab ----------------------------------------------------------------------- */

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

static GMenuModel *
menu_of (const Tab *tab)
{
  GMenu *menu = g_menu_new ();
  const gboolean docked = stria_dock_is_docked (tab->dock, tab->id);

  append (menu, docked ? _ ("Move to the _Left") : _ ("Open at the _Left"), "dock.place",
          g_variant_new ("(ss)", tab->id, "left"));
  append (menu, docked ? _ ("Move to the _Right") : _ ("Open at the _Right"), "dock.place",
          g_variant_new ("(ss)", tab->id, "right"));
  append (menu, docked ? _ ("Move _Above") : _ ("Open _Above"), "dock.place",
          g_variant_new ("(ss)", tab->id, "above"));
  append (menu, docked ? _ ("Move _Below") : _ ("Open _Below"), "dock.place",
          g_variant_new ("(ss)", tab->id, "below"));
  if (docked)
    append (menu, _ ("Back to the _Tabs"), "dock.back-of", g_variant_new_string (tab->id));
  return G_MENU_MODEL (menu);
}

static gboolean
on_unparent_idle (gpointer popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* Not at once: what was chosen has not been done yet. */
static void
on_closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_LOW, on_unparent_idle, g_object_ref (popover), g_object_unref);
}

static void
popup (const Tab *tab)
{
  g_autoptr (GMenuModel) menu = menu_of (tab);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  /* Not of the button: its layout knows nothing of popovers */
  GtkWidget *parent = GTK_WIDGET (tab->dock);
  double x = 0, y = 0;

  gtk_widget_translate_coordinates (tab->button, parent,
                                    gtk_widget_get_width (tab->button) / 2.0,
                                    gtk_widget_get_height (tab->button), &x, &y);
  gtk_widget_set_parent (popover, parent);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
on_secondary (GtkGesture *gesture, int n_press, double x, double y, const Tab *tab)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  popup (tab);
}

static gboolean
on_menu_key (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  popup (user_data);
  return TRUE;
}

/* Also of the tab that is shown already, while another pane is worked in */
static void
on_clicked (const Tab *tab)
{
  stria_dock_show (tab->dock, tab->id);
}

static void
tab_free (gpointer data, GClosure *closure)
{
  Tab *tab = data;

  g_free (tab->id);
  g_free (tab);
}

static void
add_tab (GtkWidget *button, const char *id, gpointer user_data)
{
  static const StriaPaneDragFuncs funcs = { on_begin_tab, NULL, describe_tab, on_drop_tab };
  Tab *tab = g_new0 (Tab, 1);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  tab->dock = user_data;
  tab->id = g_strdup (id);
  tab->button = button;
  stria_pane_drag_add (button, stria_dock_get_box (tab->dock), &funcs, tab);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_clicked), tab);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_data (click, "pressed", G_CALLBACK (on_secondary), tab, tab_free, 0);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (click));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                        gtk_callback_action_new (on_menu_key, tab, NULL)));
  gtk_widget_add_controller (button, keys);
}

void
stria_dock_set_switcher (StriaDock *self, StriaViewSwitcher *switcher)
{
  stria_view_switcher_each (switcher, add_tab, self);
  g_object_set_data (G_OBJECT (self), "switcher", switcher);
}

static void
mark_tab (GtkWidget *button, const char *id, gpointer user_data)
{
  StriaDock *self = user_data;
  const gboolean docked = stria_dock_is_docked (self, id);

  stria_set_css_class (button, "docked", docked);
  stria_set_css_class (button, "current", docked && g_strcmp0 (stria_dock_get_current (self), id) == 0);
}

void
stria_dock_mark_tabs (StriaDock *self)
{
  StriaViewSwitcher *switcher = g_object_get_data (G_OBJECT (self), "switcher");

  if (switcher != NULL)
    stria_view_switcher_each (switcher, mark_tab, self);
}
