/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-resize-handle.h"

#include <glib/gi18n-lib.h>

#include "stria-settings.h"

#define MAX_WIDTH 1000
#define KEY_STEP  16

struct _StriaResizeHandle
{
  GtkWidget parent_instance;

  GtkWidget  *panel; /* not owned: both live in the same parent */
  gboolean    at_end;
  int         min_width;
  const char *settings_key;
};

G_DEFINE_FINAL_TYPE (StriaResizeHandle, stria_resize_handle, GTK_TYPE_WIDGET)

static int
get_width (StriaResizeHandle *self)
{
  int width;

  gtk_widget_get_size_request (self->panel, &width, NULL);
  return width;
}

static void
set_width (StriaResizeHandle *self, int width)
{
  gtk_widget_set_size_request (self->panel, CLAMP (width, self->min_width, MAX_WIDTH), -1);
}

static gboolean
grows_to_right (StriaResizeHandle *self)
{
  return self->at_end == (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL);
}

static void
on_drag_update (StriaResizeHandle *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y, start_x, start_y, panel_x;

  /* The handle moves with the edge, so offsets are taken in the parent, which does not. */
  gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y);
  gtk_widget_translate_coordinates (GTK_WIDGET (self), gtk_widget_get_parent (GTK_WIDGET (self)),
                                    start_x + dx, start_y + dy, &x, &y);
  gtk_widget_translate_coordinates (self->panel, gtk_widget_get_parent (GTK_WIDGET (self)),
                                    grows_to_right (self) ? 0 : gtk_widget_get_width (self->panel),
                                    0, &panel_x, &y);
  set_width (self, (int) (grows_to_right (self) ? x - panel_x : panel_x - x));
}

static void
on_drag_end (StriaResizeHandle *self)
{
  stria_settings_set (self->settings_key, get_width (self));
}

static gboolean
on_key_pressed (StriaResizeHandle *self, guint keyval)
{
  int step;

  if (keyval == GDK_KEY_Right)
    step = KEY_STEP;
  else if (keyval == GDK_KEY_Left)
    step = -KEY_STEP;
  else
    return GDK_EVENT_PROPAGATE;
  set_width (self, get_width (self) + (grows_to_right (self) ? step : -step));
  stria_settings_set (self->settings_key, get_width (self));
  return GDK_EVENT_STOP;
}

static void
stria_resize_handle_class_init (StriaResizeHandleClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_css_name (widget_class, "resizehandle");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEPARATOR);
}

static void
stria_resize_handle_init (StriaResizeHandle *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "col-resize");
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _ ("Drag to resize the panel"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Width of the panel"), -1);
}

/**
 * stria_resize_handle_new:
 * @panel: whose width is set
 * @at_end: whether @panel stands behind the handle in reading direction
 * @min_width: least width
 * @settings_key: (type string): where the width is kept; static
 *
 * Gives @panel its kept width.
 *
 * Returns: (transfer full): the handle
 */
GtkWidget *
stria_resize_handle_new (GtkWidget *panel, gboolean at_end, int min_width, const char *settings_key)
{
  StriaResizeHandle *self = g_object_new (STRIA_TYPE_RESIZE_HANDLE, NULL);

  self->panel = panel;
  self->at_end = at_end;
  self->min_width = min_width;
  self->settings_key = settings_key;
  set_width (self, stria_settings_get (settings_key));
  return GTK_WIDGET (self);
}

void
stria_resize_handle_set_width (StriaResizeHandle *self, int width)
{
  g_return_if_fail (STRIA_IS_RESIZE_HANDLE (self));

  set_width (self, width);
  stria_settings_set (self->settings_key, get_width (self));
}
