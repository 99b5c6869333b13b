/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pane-divider.h"

#include <glib/gi18n-lib.h>

#define KEY_STEP 24

struct _StriaPaneDivider
{
  GtkWidget parent_instance;

  gboolean below;
};

enum
{
  MOVED,
  NUDGED,
  DONE,
  EVEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StriaPaneDivider, stria_pane_divider, GTK_TYPE_WIDGET)

static int
position (StriaPaneDivider *self, double x, double y)
{
  double left, top;

  gtk_widget_translate_coordinates (GTK_WIDGET (self), gtk_widget_get_parent (GTK_WIDGET (self)), x,
                                    y, &left, &top);
  return (int) (self->below ? top : left);
}

static void
on_drag_update (StriaPaneDivider *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  /* It moves while it is dragged, so its own coordinates do too. */
  g_signal_emit (self, signals[MOVED], 0,
                 position (self, x + dx - STRIA_PANE_DIVIDER_SIZE / 2.0,
                           y + dy - STRIA_PANE_DIVIDER_SIZE / 2.0));
}

static void
on_drag_begin (StriaPaneDivider *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_end (StriaPaneDivider *self)
{
  g_signal_emit (self, signals[DONE], 0);
}

static void
on_pressed (StriaPaneDivider *self, int n_press)
{
  if (n_press == 2)
    g_signal_emit (self, signals[EVEN], 0);
}

static gboolean
on_key_pressed (StriaPaneDivider *self, guint keyval)
{
  const gboolean back = keyval == (self->below ? GDK_KEY_Up : GDK_KEY_Left);

  if (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter)
    {
      g_signal_emit (self, signals[EVEN], 0);
      return GDK_EVENT_STOP;
    }
  if (!back && keyval != (self->below ? GDK_KEY_Down : GDK_KEY_Right))
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[NUDGED], 0, back ? -KEY_STEP : KEY_STEP);
  g_signal_emit (self, signals[DONE], 0);
  return GDK_EVENT_STOP;
}

static void
stria_pane_divider_class_init (StriaPaneDividerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_css_name (widget_class, "resizehandle");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEPARATOR);
  signals[MOVED] = g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[NUDGED] = g_signal_new ("nudged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  signals[EVEN] = g_signal_new ("even", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void
stria_pane_divider_init (StriaPaneDivider *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "col-resize");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self),
                               _ ("Drag to resize the panes, double-click to even them out"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Border between panes"), -1);
}

void
stria_pane_divider_set_below (StriaPaneDivider *self, gboolean below)
{
  g_return_if_fail (STRIA_IS_PANE_DIVIDER (self));

  if (self->below == below)
    return;
  self->below = below;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), below ? "row-resize" : "col-resize");
  if (below)
    gtk_widget_add_css_class (GTK_WIDGET (self), "across");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "across");
}

GtkWidget *
stria_pane_divider_new (void)
{
  return g_object_new (STRIA_TYPE_PANE_DIVIDER, NULL);
}
