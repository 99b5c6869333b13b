/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-panes-private.h"

#include <glib/gi18n-lib.h>

/* A shaky click is none. */
#define THRESHOLD 12

/**
 * SECTION:stria-model-panes-drag
 *
 * Panes are dragged by their headers: a tab that is not the one in sight leaves for a pane of its
 * own or another pane; the one in sight, or the empty part of the header, takes the pane along.
 */

typedef struct
{
  StriaModelPane *source; /* NULL: nothing is dragged */
  guint           graph;
  guint           before; /* what the source showed until a tab was pressed */
  gboolean        is_dragging;
  StriaModelPane *target; /* NULL: dropped here it would do nothing */
  StriaSide       side;
} Drag;

static void
on_begin (GtkGestureDrag *gesture, double x, double y, Drag *drag)
{
  StriaModelPanes *self
      = STRIA_MODEL_PANES (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  StriaPaneRect rect;

  *drag = (Drag){ .source = stria_model_panes_at (self, x, y, &rect) };
  if (drag->source != NULL)
    drag->graph = stria_model_pane_dragged_at (drag->source, x - rect.x, y - rect.y);
  if (drag->source == NULL || drag->graph == G_MAXUINT)
    {
      drag->source = NULL;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  /* The press has not reached the tab yet. */
  drag->before = stria_model_pane_get_graph (drag->source);
}

static gboolean
takes_pane_along (const Drag *drag)
{
  return drag->graph == drag->before && drag->target != drag->source;
}

static const char *
text_for (const Drag *drag)
{
  if (drag->side != STRIA_SIDE_CENTER)
    return takes_pane_along (drag) ? _ ("Move here") : _ ("New pane");
  return takes_pane_along (drag) ? _ ("Change places") : _ ("Show here");
}

static gboolean
is_allowed (StriaModelPanes *self, const Drag *drag)
{
  if (drag->side == STRIA_SIDE_CENTER)
    return drag->target != drag->source;
  return takes_pane_along (drag) || stria_model_panes_count (self) < STRIA_MODEL_MAX_PANES;
}

static void
on_update (GtkGestureDrag *gesture, double dx, double dy, Drag *drag)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  StriaModelPanes *self = STRIA_MODEL_PANES (widget);
  StriaPaneDrop *drop = stria_model_panes_get_drop (self);
  StriaPaneRect rect, part;
  double x, y;

  if (drag->source == NULL)
    return;
  if (!drag->is_dragging)
    {
      if (dx * dx + dy * dy < THRESHOLD * THRESHOLD)
        return;
      drag->is_dragging = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      gtk_widget_grab_focus (GTK_WIDGET (drag->source));
      gtk_widget_set_cursor_from_name (widget, "grabbing");
    }
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  drag->target = stria_model_panes_at (self, x + dx, y + dy, &rect);
  if (drag->target != NULL)
    {
      drag->side = stria_pane_drop_side (&rect, x + dx, y + dy);
      if (!is_allowed (self, drag))
        drag->target = NULL;
    }
  if (drag->target == NULL)
    {
      stria_pane_drop_hide (drop);
      return;
    }
  part = stria_pane_drop_part (&rect, drag->side);
  stria_pane_drop_show (drop, &part, text_for (drag));
}

static void
stop (StriaModelPanes *self, Drag *drag)
{
  *drag = (Drag){ .source = NULL };
  stria_pane_drop_hide (stria_model_panes_get_drop (self));
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
on_end (GtkGestureDrag *gesture, double dx, double dy, Drag *drag)
{
  StriaModelPanes *self
      = STRIA_MODEL_PANES (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  const Drag done = *drag;

  if (!done.is_dragging)
    return;
  stop (self, drag);
  if (done.target == NULL)
    return;
  if (takes_pane_along (&done))
    {
      stria_model_panes_put (self, done.source, done.target, done.side);
      return;
    }
  /* What was pulled out is seen there, and what it stood before is seen here again. */
  stria_model_pane_show (done.source, done.graph == done.before
                                          ? stria_model_panes_next_graph (self, done.graph)
                                          : done.before);
  if (done.side == STRIA_SIDE_CENTER)
    {
      stria_model_pane_show (done.target, done.graph);
      gtk_widget_grab_focus (GTK_WIDGET (done.target));
    }
  else
    stria_model_panes_add (self, done.target, done.side, done.graph);
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, Drag *drag)
{
  stop (STRIA_MODEL_PANES (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture))), drag);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        Drag *drag)
{
  if (keyval != GDK_KEY_Escape || !drag->is_dragging)
    return GDK_EVENT_PROPAGATE;
  stop (STRIA_MODEL_PANES (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))),
        drag);
  return GDK_EVENT_STOP;
}

void
stria_model_panes_add_drag (StriaModelPanes *self)
{
  Drag *drag = g_new0 (Drag, 1);
  GtkGesture *gesture = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_object_set_data_full (G_OBJECT (self), "drag", drag, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_PRIMARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (on_begin), drag);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (on_update), drag);
  g_signal_connect (gesture, "drag-end", G_CALLBACK (on_end), drag);
  g_signal_connect (gesture, "cancel", G_CALLBACK (on_cancel), drag);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), drag);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
