/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-stacks-private.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-text.h"
#include "stria-drawn.h"
#include "stria-format.h"

/* What is narrower is not seen: keys lead into it. */
#define LEAST_WIDTH 4.0

static const StriaFlameNode *
get_node (StriaAllocStacks *self, guint32 index)
{
  return &g_array_index (self->nodes, StriaFlameNode, index);
}

/* -- text ------------------------------------------------------------------------------------- */

static char *
node_text (StriaAllocStacks *self, guint32 index)
{
  StriaSnapshotData *snapshot = stria_alloc_state_get_snapshot (self->state);
  const StriaFlameNode *node = get_node (self, index);
  g_autofree char *bytes = stria_alloc_exact_bytes (node->bytes);
  g_autofree char *count = stria_format_count (node->count);
  g_autofree char *name = NULL;

  name = node->frame < stria_snapshot_get_n_frames (snapshot)
             ? stria_snapshot_frame_text (snapshot, node->frame)
             : g_strdup (index == 0 ? _ ("All live blocks") : _ ("no stack recorded"));
  return g_strdup_printf (ngettext ("%s\n%s in %s block", "%s\n%s in %s blocks", node->count), name,
                          bytes, count);
}

static void
tell (StriaAllocStacks *self)
{
  g_autofree char *text = NULL;

  if (self->nodes != NULL && self->nodes->len > 0 && self->state != NULL)
    text = node_text (self, self->hover < self->nodes->len ? self->hover : self->root);
  stria_drawn_describe (self->flame, text != NULL ? text : _ ("Nothing here at this moment"),
                        _ ("Who holds the memory"));
}

void
stria_alloc_stacks_flame_changed (StriaAllocStacks *self)
{
  self->root = 0;
  self->hover = G_MAXUINT32;
  tell (self);
  gtk_widget_queue_draw (self->flame);
}

static void
on_draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  StriaAllocStacks *self = user_data;
  StriaAllocView view;

  if (self->nodes == NULL || self->state == NULL)
    return;
  stria_alloc_state_fill_view (self->state, &view);
  view.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  stria_alloc_paint_flame_of (cr, &view, self->nodes, self->root, self->hover, width, height);
  stria_drawn_paint_focus (self->flame, cr, view.dark);
}

/* -- keys ------------------------------------------------------------------------------------- */

static gboolean
is_below (StriaAllocStacks *self, guint32 index, guint32 top)
{
  while (index != top && index != G_MAXUINT32)
    index = get_node (self, index)->parent;
  return index == top;
}

static gboolean
is_seen (StriaAllocStacks *self, guint32 index)
{
  const StriaFlameNode *node = get_node (self, index);
  const StriaFlameNode *root = get_node (self, self->root);
  const double width = gtk_widget_get_width (self->flame);

  return node->depth - root->depth
             < stria_alloc_flame_n_rows (gtk_widget_get_height (self->flame))
         && (root->bytes == 0
             || width * (double) node->bytes / (double) root->bytes >= LEAST_WIDTH);
}

static void
choose (StriaAllocStacks *self, guint32 index)
{
  self->hover = index;
  while (!is_below (self, index, self->root))
    self->root = get_node (self, self->root)->parent;
  while (index != self->root && !is_seen (self, index))
    {
      guint32 next = index;

      while (get_node (self, next)->parent != self->root)
        next = get_node (self, next)->parent;
      self->root = next;
    }
  tell (self);
  gtk_widget_queue_draw (self->flame);
}

static guint32
sibling (StriaAllocStacks *self, guint32 index, int step)
{
  const guint32 parent = get_node (self, index)->parent;
  const StriaFlameNode *above;

  if (parent == G_MAXUINT32)
    return index;
  above = get_node (self, parent);
  if (step < 0)
    return index > above->first_child ? index - 1 : index;
  return index + 1 < above->first_child + above->n_children ? index + 1 : index;
}

static void
zoom (StriaAllocStacks *self, guint32 root)
{
  self->root = root != G_MAXUINT32 ? root : 0;
  choose (self, self->root);
}

static gboolean
show_source (StriaAllocStacks *self, guint32 index, gboolean with_menu)
{
  const guint32 frame = get_node (self, index)->frame;

  if (!stria_alloc_stacks_go_to_frame (self, frame, with_menu ? self->flame : NULL, 24, 24))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                                _ ("This row has no line of source"));
  return GDK_EVENT_STOP;
}

static gboolean
on_key (StriaAllocStacks *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  guint32 at;

  if (self->nodes == NULL || self->nodes->len == 0 || (modifiers & GDK_ALT_MASK) != 0)
    return GDK_EVENT_PROPAGATE;
  at = self->hover < self->nodes->len ? self->hover : self->root;
  switch (keyval)
    {
    case GDK_KEY_Up:
      choose (self, at > 0 ? get_node (self, at)->parent : 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
      choose (self, get_node (self, at)->n_children > 0 ? get_node (self, at)->first_child : at);
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      choose (self, sibling (self, at, keyval == GDK_KEY_Left ? -1 : 1));
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
      zoom (self, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_BackSpace:
      zoom (self, get_node (self, self->root)->parent);
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      if ((modifiers & GDK_CONTROL_MASK) != 0)
        return show_source (self, at, FALSE);
      zoom (self, at);
      return GDK_EVENT_STOP;
    case GDK_KEY_Menu:
      return show_source (self, at, TRUE);
    case GDK_KEY_F10:
      return (modifiers & GDK_SHIFT_MASK) != 0 ? show_source (self, at, TRUE)
                                               : GDK_EVENT_PROPAGATE;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* -- pointer ---------------------------------------------------------------------------------- */

static guint32
node_at (StriaAllocStacks *self, double x, double y)
{
  if (self->nodes == NULL)
    return G_MAXUINT32;
  return stria_alloc_flame_hit (self->nodes, self->root, gtk_widget_get_width (self->flame), x, y);
}

static void
on_pressed (StriaAllocStacks *self, int n_press, double x, double y)
{
  const guint32 node = node_at (self, x, y);

  gtk_widget_grab_focus (self->flame);
  if (node == G_MAXUINT32)
    return;
  /* A click on what fills the width already leads back */
  zoom (self, node == self->root ? get_node (self, node)->parent : node);
}

static void
on_secondary (StriaAllocStacks *self, int n_press, double x, double y)
{
  const guint32 node = node_at (self, x, y);

  if (node != G_MAXUINT32)
    stria_alloc_stacks_go_to_frame (self, get_node (self, node)->frame, self->flame, x, y);
}

static void
on_motion (StriaAllocStacks *self, double x, double y)
{
  const guint32 node = node_at (self, x, y);

  if (node == self->hover)
    return;
  self->hover = node;
  gtk_widget_queue_draw (self->flame);
}

static gboolean
on_tooltip (StriaAllocStacks *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const guint32 index = keyboard ? self->hover : node_at (self, x, y);
  g_autofree char *text = NULL;

  if (self->nodes == NULL || index >= self->nodes->len)
    return FALSE;
  text = node_text (self, index);
  gtk_tooltip_set_text (tooltip, text);
  if (!keyboard)
    gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - 3, y - 3, 6, 6 });
  return TRUE;
}

static void
add_input (StriaAllocStacks *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (self->flame, "query-tooltip", G_CALLBACK (on_tooltip), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (secondary, "pressed", G_CALLBACK (on_secondary), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->flame, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (self->flame, GTK_EVENT_CONTROLLER (secondary));
  gtk_widget_add_controller (self->flame, motion);
  gtk_widget_add_controller (self->flame, key);
}

GtkWidget *
stria_alloc_stacks_flame_new (StriaAllocStacks *self)
{
  self->flame = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                              NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->flame), on_draw, self, NULL);
  gtk_widget_set_focusable (self->flame, TRUE);
  gtk_widget_set_has_tooltip (self->flame, TRUE);
  gtk_widget_set_size_request (self->flame, 200, 80);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->flame), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Flame graph of live bytes"), -1);
  stria_drawn_add_focus (self->flame);
  add_input (self);
  tell (self);
  return self->flame;
}
