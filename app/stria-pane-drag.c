/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pane-drag.h"

/* A shaky click is none. */
#define THRESHOLD 12

typedef struct
{
  GtkWidget                *widget; /* owns this */
  StriaPaneBox             *box;
  const StriaPaneDragFuncs *funcs;
  gpointer                  user_data;
  GtkGesture               *gesture; /* of the widget */
  GtkEventController       *keys;    /* of the window while something is dragged */
  gboolean                  is_dragging;
  GtkWidget                *target; /* NULL: dropped here it would do nothing */
  StriaSide                 side;
} Drag;

static void
stop (Drag *drag)
{
  GtkEventController *keys = g_steal_pointer (&drag->keys);

  drag->is_dragging = FALSE;
  if (keys != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (keys), keys);
  stria_pane_drop_hide (stria_pane_box_get_drop (drag->box));
  gtk_widget_set_cursor (drag->widget, NULL);
}

static gboolean
on_key (Drag *drag, guint keyval)
{
  if (keyval != GDK_KEY_Escape || !drag->is_dragging)
    return GDK_EVENT_PROPAGATE;
  drag->target = NULL;
  stop (drag);
  return GDK_EVENT_STOP;
}

static void
start (Drag *drag)
{
  GtkRoot *root = gtk_widget_get_root (drag->widget);

  drag->is_dragging = TRUE;
  gtk_gesture_set_state (drag->gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  if (drag->funcs->start != NULL)
    drag->funcs->start (drag->user_data);
  gtk_widget_set_cursor_from_name (drag->widget, "grabbing");
  drag->keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (drag->keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (drag->keys, "key-pressed", G_CALLBACK (on_key), drag);
  gtk_widget_add_controller (GTK_WIDGET (root), drag->keys);
}

static void
on_begin (Drag *drag, double x, double y)
{
  drag->target = NULL;
  if (!drag->funcs->begin (x, y, drag->user_data))
    gtk_gesture_set_state (drag->gesture, GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_update (Drag *drag, double dx, double dy)
{
  StriaPaneDrop *drop = stria_pane_box_get_drop (drag->box);
  const char *text = NULL;
  StriaPaneRect rect, part;
  double x, y;

  if (!drag->is_dragging)
    {
      /* Given up with Escape, the button still down */
      if (gtk_gesture_get_sequence_state (drag->gesture,
                                          gtk_gesture_get_last_updated_sequence (drag->gesture))
              == GTK_EVENT_SEQUENCE_CLAIMED
          || dx * dx + dy * dy < THRESHOLD * THRESHOLD)
        return;
      start (drag);
    }
  gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (drag->gesture), &x, &y);
  gtk_widget_translate_coordinates (drag->widget, GTK_WIDGET (drag->box), x + dx, y + dy, &x, &y);
  drag->target = stria_pane_box_at (drag->box, x, y, &rect);
  if (drag->target != NULL)
    {
      drag->side = stria_pane_drop_side (&rect, x, y);
      text = drag->funcs->describe (drag->target, drag->side, drag->user_data);
    }
  if (text == NULL)
    {
      drag->target = NULL;
      stria_pane_drop_hide (drop);
      return;
    }
  part = stria_pane_drop_part (&rect, drag->side);
  stria_pane_drop_show (drop, &part, text);
}

static void
on_end (Drag *drag)
{
  GtkWidget *target = drag->target;

  if (!drag->is_dragging)
    return;
  stop (drag);
  drag->target = NULL;
  /* The widget may go with what is dropped, and the drag with it. */
  if (target != NULL)
    drag->funcs->drop (target, drag->side, drag->user_data);
}

static void
on_cancel (Drag *drag)
{
  drag->target = NULL;
  if (drag->is_dragging)
    stop (drag);
}

void
stria_pane_drag_add (GtkWidget *widget, StriaPaneBox *box, const StriaPaneDragFuncs *funcs,
                     gpointer user_data)
{
  Drag *drag = g_new0 (Drag, 1);

  drag->widget = widget;
  drag->box = box;
  drag->funcs = funcs;
  drag->user_data = user_data;
  drag->gesture = gtk_gesture_drag_new ();
  g_object_set_data_full (G_OBJECT (widget), "stria-pane-drag", drag, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag->gesture), GDK_BUTTON_PRIMARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag->gesture),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (drag->gesture, "drag-begin", G_CALLBACK (on_begin), drag);
  g_signal_connect_swapped (drag->gesture, "drag-update", G_CALLBACK (on_update), drag);
  g_signal_connect_swapped (drag->gesture, "drag-end", G_CALLBACK (on_end), drag);
  g_signal_connect_swapped (drag->gesture, "cancel", G_CALLBACK (on_cancel), drag);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag->gesture));
}
