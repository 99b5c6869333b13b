/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"

/**
 * SECTION:stria-graph-area-actions
 *
 * What keys and the menu do. Arrows follow the picture: with the graph running from top to bottom,
 * Down goes on along a wire.
 */

#define ZOOM_STEP  1.4
#define PAN_STEP   140.0
#define NEIGHBOURS 2 /* edges up and down that are shown around what is isolated */

typedef enum
{
  KEY_LEFT,
  KEY_RIGHT,
  KEY_UP,
  KEY_DOWN,
  KEY_HOME,
  KEY_END,
  KEY_OUT,
  KEY_INTO,
} WalkKey;

static StriaWalk
walk_for (StriaGraphArea *self, WalkKey key)
{
  static const StriaWalk across[] = { STRIA_WALK_BACK,   STRIA_WALK_ON,    STRIA_WALK_BEFORE,
                                      STRIA_WALK_AFTER,  STRIA_WALK_FIRST, STRIA_WALK_LAST,
                                      STRIA_WALK_OUT,    STRIA_WALK_INTO };
  static const StriaWalk upright[] = { STRIA_WALK_BEFORE, STRIA_WALK_AFTER, STRIA_WALK_BACK,
                                       STRIA_WALK_ON,     STRIA_WALK_FIRST, STRIA_WALK_LAST,
                                       STRIA_WALK_OUT,    STRIA_WALK_INTO };

  return self->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM ? upright[key] : across[key];
}

/* From the selected box, or the closed one that holds it; with none, from what is seen first. */
static void
go (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);
  guint32 from, to;

  if (self->scene == NULL)
    return;
  from = stria_graph_spot_find (self->scene, self->spot);
  to = stria_scene_walk (self->scene, from,
                         walk_for (self, (WalkKey) CLAMP (g_variant_get_int32 (parameter), 0,
                                                          KEY_INTO)));
  if (to == STRIA_NO_ITEM)
    {
      gtk_widget_error_bell (widget);
      return;
    }
  stria_graph_area_select_spot (self, stria_graph_spot (self->scene, to));
  stria_graph_area_bring (self, to);
}

static void
fit (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_fit (STRIA_GRAPH_AREA (widget));
}

static void
zoom_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_zoom (STRIA_GRAPH_AREA (widget), ZOOM_STEP);
}

static void
zoom_out (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_zoom (STRIA_GRAPH_AREA (widget), 1 / ZOOM_STEP);
}

static void
zoom_100 (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  stria_graph_area_zoom (self, STRIA_GRAPH_FULL_SIZE
                                   / (self->gliding ? self->goal_zoom : self->zoom));
}

static void
pan (GtkWidget *widget, const char *name, GVariant *parameter)
{
  double dx = 0, dy = 0;

  g_variant_get (parameter, "(dd)", &dx, &dy);
  stria_graph_area_pan (STRIA_GRAPH_AREA (widget), dx * PAN_STEP, dy * PAN_STEP, TRUE);
}

static void
set_open (StriaGraphArea *self, gboolean open)
{
  StriaGraphSpot spot = self->spot;
  guint32 item;

  if (self->scene == NULL)
    return;
  item = stria_graph_spot_find (self->scene, spot);
  if (item == STRIA_NO_ITEM)
    return;
  /* What cannot be closed closes what is around it. */
  if (!open && !self->scene->items[item].open)
    {
      item = self->scene->items[item].parent;
      if (item == STRIA_NO_ITEM)
        return;
      spot = stria_graph_spot (self->scene, item);
      stria_graph_area_select_spot (self, spot);
    }
  stria_graph_area_set_open (self, stria_graph_spot (self->scene, item), open);
}

static void
open_group (GtkWidget *widget, const char *name, GVariant *parameter)
{
  set_open (STRIA_GRAPH_AREA (widget), TRUE);
}

static void
close_group (GtkWidget *widget, const char *name, GVariant *parameter)
{
  set_open (STRIA_GRAPH_AREA (widget), FALSE);
}

static void
toggle (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);
  guint32 item;

  if (self->scene == NULL)
    return;
  item = stria_graph_spot_find (self->scene, self->spot);
  if (item == STRIA_NO_ITEM)
    return;
  if (stria_graph_spot_is_item (self->scene, self->spot, item) && self->spot.node != STRIA_NO_NODE)
    stria_graph_area_emit_activated (self, self->spot.node);
  else
    stria_graph_area_set_open (self, stria_graph_spot (self->scene, item),
                               !self->scene->items[item].open);
}

static void
fold_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_set_level (STRIA_GRAPH_AREA (widget), 0);
}

static void
unfold_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_set_level (STRIA_GRAPH_AREA (widget), G_MAXUINT);
}

static void
change_direction (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  stria_graph_area_set_direction (
      self, stria_graph_area_get_direction (self) == STRIA_GRAPH_TOP_TO_BOTTOM
                ? STRIA_GRAPH_LEFT_TO_RIGHT
                : STRIA_GRAPH_TOP_TO_BOTTOM);
}

static void
toggle_rows (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  stria_graph_area_set_rows (self, !stria_graph_area_get_rows (self));
}

static void
isolate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_isolate (STRIA_GRAPH_AREA (widget), NEIGHBOURS, NEIGHBOURS);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_show_all (STRIA_GRAPH_AREA (widget));
}

static void
trace_inputs (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  stria_graph_area_set_trace (self, !self->trace_inputs, self->trace_outputs);
}

static void
trace_outputs (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  stria_graph_area_set_trace (self, self->trace_inputs, !self->trace_outputs);
}

static void
toggle_minimap (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  stria_graph_area_set_minimap (self, !self->minimap_shown);
}

static void
next_match (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_search_next (STRIA_GRAPH_AREA (widget), TRUE);
}

static void
previous_match (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_graph_area_search_next (STRIA_GRAPH_AREA (widget), FALSE);
}

/* What was done last goes first. */
static void
clear (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);

  if (stria_graph_area_cancel_drag (self))
    return;
  if (self->trace_inputs || self->trace_outputs)
    stria_graph_area_set_trace (self, FALSE, FALSE);
  else if (!stria_graph_spot_is_none (self->spot) || self->nodes->len > 0)
    stria_graph_area_select_spot (self, STRIA_NO_SPOT);
  else if (stria_graph_area_is_isolated (self))
    stria_graph_area_show_all (self);
  else
    stria_graph_area_search (self, NULL);
}

static void
open_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);
  const guint32 item
      = self->scene != NULL ? stria_graph_spot_find (self->scene, self->spot) : STRIA_NO_ITEM;
  double x = gtk_widget_get_width (widget) / 2.0;
  double y = gtk_widget_get_height (widget) / 2.0;

  if (item != STRIA_NO_ITEM)
    {
      const StriaSceneItem *box = &self->scene->items[item];

      x = CLAMP (((double) (box->x + box->width / 2) - self->x) * self->zoom, 0, 2 * x - 1);
      y = CLAMP (((double) (box->y + MIN (box->height, (float) STRIA_GRAPH_HEADER)) - self->y)
                     * self->zoom,
                 0, 2 * y - 1);
    }
  stria_graph_area_popup_menu (self, x, y);
}

static gboolean
drop_menu (gpointer data)
{
  StriaGraphArea *self = data;

  if (self->menu != NULL && !gtk_widget_get_visible (self->menu))
    g_clear_pointer (&self->menu, gtk_widget_unparent);
  return G_SOURCE_REMOVE;
}

/* The chosen action runs after the menu has closed. */
static void
on_menu_closed (GtkPopover *menu, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, drop_menu, g_object_ref (data), g_object_unref);
}

static GMenuModel *
make_menu (StriaGraphArea *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) one = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();
  g_autoptr (GMenu) view = g_menu_new ();
  const guint32 item
      = self->scene != NULL ? stria_graph_spot_find (self->scene, self->spot) : STRIA_NO_ITEM;

  if (item != STRIA_NO_ITEM)
    {
      if (self->scene->items[item].node == STRIA_NO_NODE)
        g_menu_append (one,
                       self->scene->items[item].open ? _ ("_Close Group") : _ ("_Open Group"),
                       "graph.toggle");
      if (self->scene->items[item].parent != STRIA_NO_ITEM && !self->scene->items[item].open)
        g_menu_append (one, _ ("Close the Group _Around It"), "graph.close");
      g_menu_append (one, _ ("Show Only Its _Neighbors"), "graph.isolate");
      g_menu_append (one,
                     self->trace_inputs ? _ ("Stop Highlighting _Inputs")
                                        : _ ("Highlight All _Inputs"),
                     "graph.inputs");
      g_menu_append (one,
                     self->trace_outputs ? _ ("Stop Highlighting _Outputs")
                                         : _ ("Highlight All _Outputs"),
                     "graph.outputs");
    }
  if (self->fold != NULL && stria_fold_is_isolated (self->fold))
    g_menu_append (all, _ ("_Show the Whole Graph"), "graph.show-all");
  g_menu_append (all, _ ("_Fold All"), "graph.fold-all");
  g_menu_append (all, _ ("_Unfold All"), "graph.unfold-all");
  g_menu_append (view, _ ("Fit to _Window"), "graph.fit");
  g_menu_append (view,
                 stria_graph_area_get_direction (self) == STRIA_GRAPH_TOP_TO_BOTTOM
                     ? _ ("From _Left to Right")
                     : _ ("From _Top to Bottom"),
                 "graph.direction");
  g_menu_append (view,
                 stria_graph_area_get_rows (self) ? _ ("Long Chains in _One Row")
                                                  : _ ("Long Chains in _Rows"),
                 "graph.rows");
  g_menu_append (view, self->minimap_shown ? _ ("Hide _Minimap") : _ ("Show _Minimap"),
                 "graph.minimap");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (one));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  return G_MENU_MODEL (menu);
}

/**
 * stria_graph_area_popup_menu:
 * @x: where it opens
 *
 * It is about the selected box, and the graph.
 */
void
stria_graph_area_popup_menu (StriaGraphArea *self, double x, double y)
{
  g_autoptr (GMenuModel) model = make_menu (self);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  self->menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  g_signal_connect (self->menu, "closed", G_CALLBACK (on_menu_closed), self);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

void
stria_graph_area_update_actions (StriaGraphArea *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const gboolean any = self->graph != NULL;
  const gboolean selected = any && !stria_graph_spot_is_none (self->spot);
  const gboolean traced = self->trace_inputs || self->trace_outputs;
  static const char *const of_graph[]
      = { "graph.fit", "graph.zoom-in", "graph.zoom-out", "graph.zoom-100", "graph.pan",
          "graph.go", "graph.fold-all", "graph.unfold-all", "graph.direction", "graph.rows",
          "graph.menu" };
  static const char *const of_selection[]
      = { "graph.toggle", "graph.open", "graph.close", "graph.isolate" };

  for (guint i = 0; i < G_N_ELEMENTS (of_graph); i++)
    gtk_widget_action_set_enabled (widget, of_graph[i], any);
  for (guint i = 0; i < G_N_ELEMENTS (of_selection); i++)
    gtk_widget_action_set_enabled (widget, of_selection[i], selected);
  gtk_widget_action_set_enabled (widget, "graph.inputs", selected || self->trace_inputs);
  gtk_widget_action_set_enabled (widget, "graph.outputs", selected || self->trace_outputs);
  gtk_widget_action_set_enabled (widget, "graph.show-all", stria_graph_area_is_isolated (self));
  gtk_widget_action_set_enabled (widget, "graph.next-match", self->matches->len > 0);
  gtk_widget_action_set_enabled (widget, "graph.previous-match", self->matches->len > 0);
  gtk_widget_action_set_enabled (widget, "graph.clear",
                                 selected || traced || self->matches->len > 0);
}

typedef struct
{
  const char                 *name;
  GtkWidgetActionActivateFunc func;
  guint                       keys[4];
  GdkModifierType             modifiers;
} Action;

static const Action actions[] = {
  { "graph.fit", fit, { GDK_KEY_space, GDK_KEY_f, GDK_KEY_KP_Space }, 0 },
  { "graph.zoom-in", zoom_in, { GDK_KEY_plus, GDK_KEY_KP_Add, GDK_KEY_equal, GDK_KEY_w }, 0 },
  { "graph.zoom-out", zoom_out, { GDK_KEY_minus, GDK_KEY_KP_Subtract, GDK_KEY_s }, 0 },
  { "graph.zoom-100", zoom_100, { GDK_KEY_0, GDK_KEY_KP_0 }, 0 },
  { "graph.toggle", toggle, { GDK_KEY_Return, GDK_KEY_KP_Enter }, 0 },
  { "graph.open", open_group, { GDK_KEY_Right }, GDK_SHIFT_MASK },
  { "graph.close", close_group, { GDK_KEY_Left }, GDK_SHIFT_MASK },
  { "graph.fold-all", fold_all, { GDK_KEY_c }, GDK_SHIFT_MASK },
  { "graph.unfold-all", unfold_all, { GDK_KEY_e }, GDK_SHIFT_MASK },
  { "graph.direction", change_direction, { GDK_KEY_t }, 0 },
  { "graph.rows", toggle_rows, { GDK_KEY_r }, 0 },
  { "graph.isolate", isolate, { GDK_KEY_i }, 0 },
  { "graph.show-all", show_all, { GDK_KEY_h }, GDK_SHIFT_MASK },
  { "graph.inputs", trace_inputs, { GDK_KEY_bracketleft }, 0 },
  { "graph.outputs", trace_outputs, { GDK_KEY_bracketright }, 0 },
  { "graph.minimap", toggle_minimap, { GDK_KEY_m }, 0 },
  { "graph.next-match", next_match, { GDK_KEY_F3, GDK_KEY_period }, 0 },
  { "graph.previous-match", previous_match, { GDK_KEY_comma }, 0 },
  { "graph.clear", clear, { GDK_KEY_Escape }, 0 },
  { "graph.menu", open_menu, { GDK_KEY_Menu }, 0 },
};

static const struct
{
  guint           key;
  GdkModifierType modifiers;
  WalkKey         walk;
} walks[] = {
  { GDK_KEY_Left, 0, KEY_LEFT },
  { GDK_KEY_Right, 0, KEY_RIGHT },
  { GDK_KEY_Up, 0, KEY_UP },
  { GDK_KEY_Down, 0, KEY_DOWN },
  { GDK_KEY_Home, 0, KEY_HOME },
  { GDK_KEY_End, 0, KEY_END },
  { GDK_KEY_Up, GDK_SHIFT_MASK, KEY_OUT },
  { GDK_KEY_Down, GDK_SHIFT_MASK, KEY_INTO },
};

static const struct
{
  guint           key;
  GdkModifierType modifiers;
  double          dx, dy;
} pans[] = {
  { GDK_KEY_a, 0, -1, 0 },
  { GDK_KEY_d, 0, 1, 0 },
  { GDK_KEY_Left, GDK_CONTROL_MASK, -1, 0 },
  { GDK_KEY_Right, GDK_CONTROL_MASK, 1, 0 },
  { GDK_KEY_Up, GDK_CONTROL_MASK, 0, -1 },
  { GDK_KEY_Down, GDK_CONTROL_MASK, 0, 1 },
  { GDK_KEY_Page_Up, 0, 0, -3 },
  { GDK_KEY_Page_Down, 0, 0, 3 },
};

void
stria_graph_area_install_actions (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (klass, actions[i].name, NULL, actions[i].func);
      for (guint j = 0; j < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[j] != 0; j++)
        stria_key_bind_class (klass, actions[i].keys[j], actions[i].modifiers, actions[i].name);
    }
  gtk_widget_class_add_binding_action (klass, GDK_KEY_F3, GDK_SHIFT_MASK, "graph.previous-match",
                                       NULL);
  stria_key_bind_class (klass, GDK_KEY_plus, GDK_SHIFT_MASK, "graph.zoom-in");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_F10, GDK_SHIFT_MASK, "graph.menu", NULL);
  gtk_widget_class_install_action (klass, "graph.go", "i", go);
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    gtk_widget_class_add_binding_action (klass, walks[i].key, walks[i].modifiers, "graph.go", "i",
                                         (gint32) walks[i].walk);
  gtk_widget_class_install_action (klass, "graph.pan", "(dd)", pan);
  for (guint i = 0; i < G_N_ELEMENTS (pans); i++)
    gtk_widget_class_add_binding_action (klass, pans[i].key, pans[i].modifiers, "graph.pan", "(dd)",
                                         pans[i].dx, pans[i].dy);
}
