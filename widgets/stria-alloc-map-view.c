/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-alloc-map-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-alloc-tell.h"
#include "stria-alloc-text.h"
#include "stria-drawn.h"
#include "stria-format.h"

struct _StriaAllocMapView
{
  GtkWidget parent_instance;

  StriaAllocState *state;
  GtkWidget       *scrolled;
  GtkWidget       *area;
  StriaMap        *map;
  GCancellable    *cancellable;
  gboolean         stale;
  gboolean         working;
  gboolean         wanted;
  guint            fit; /* source that asks for a height */
};

G_DEFINE_FINAL_TYPE (StriaAllocMapView, stria_alloc_map_view, GTK_TYPE_WIDGET)

typedef struct
{
  StriaSnapshotData *snapshot;
  StriaAllocator    *allocator;
  guint32            step;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  stria_snapshot_data_unref (question->snapshot);
  g_free (question);
}

static void
ask_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Question *question = task_data;
  g_autoptr (GError) error = NULL;
  StriaMap *map = stria_allocator_map (question->allocator, question->step, cancellable, &error);

  if (map == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, map, (GDestroyNotify) stria_map_free);
}

static void update (StriaAllocMapView *self);

static gboolean
fit_height (gpointer user_data)
{
  StriaAllocMapView *self = user_data;
  StriaAllocView view;

  g_clear_handle_id (&self->fit, g_source_remove);
  if (self->map == NULL || self->state == NULL)
    return G_SOURCE_REMOVE;
  stria_alloc_state_fill_view (self->state, &view);
  gtk_widget_set_size_request (
      self->area, -1,
      (int) stria_alloc_map_height (&view, self->map, gtk_widget_get_width (self->area)));
  return G_SOURCE_REMOVE;
}

/* Its head has as many lines as the width asks for; not while it is given its place. */
static void
on_resize (StriaAllocMapView *self)
{
  if (self->fit == 0)
    self->fit = g_idle_add (fit_height, self);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StriaAllocMapView *self = STRIA_ALLOC_MAP_VIEW (source);
  StriaMap *map = g_task_propagate_pointer (G_TASK (result), NULL);

  self->working = FALSE;
  if (self->wanted && self->state != NULL)
    update (self);
  if (map == NULL)
    return;
  g_clear_pointer (&self->map, stria_map_free);
  self->map = map;
  stria_alloc_tell (self->state, self->area, _ ("Who holds the memory"));
  fit_height (self);
  gtk_widget_queue_draw (self->area);
}

/* One question at a time: while the moment is dragged, every answer is drawn and the newest
 * question comes next. */
static void
update (StriaAllocMapView *self)
{
  Question *question;
  g_autoptr (GTask) task = NULL;

  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  self->wanted = self->working && !self->stale;
  if (self->stale || self->working
      || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  self->working = TRUE;
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  question = g_new0 (Question, 1);
  question->snapshot = stria_snapshot_data_ref (stria_alloc_state_get_snapshot (self->state));
  question->allocator = stria_alloc_state_get_allocator (self->state);
  question->step = stria_alloc_state_get_step (self->state);
  task = g_task_new (self, self->cancellable, on_answer, NULL);
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, ask_in_thread);
}

/* What is drawn belongs to another allocator: numbers of blocks would mean nothing. */
static void
on_device_changed (StriaAllocMapView *self)
{
  g_clear_pointer (&self->map, stria_map_free);
  gtk_widget_queue_draw (self->area);
  g_cancellable_cancel (self->cancellable);
  update (self);
}

static void
on_view_changed (StriaAllocMapView *self)
{
  stria_alloc_tell (self->state, self->area, _ ("Who holds the memory"));
  gtk_widget_queue_draw (self->area);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  StriaAllocMapView *self = user_data;
  StriaAllocView view;

  if (self->map == NULL || self->state == NULL)
    return;
  stria_alloc_state_fill_view (self->state, &view);
  view.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  stria_alloc_paint_map_of (cr, &view, self->map, width, height);
  stria_drawn_paint_focus (self->area, cr, view.dark);
}

static const StriaMapRange *
range_at (StriaAllocMapView *self, double x, double y)
{
  StriaAllocView view;
  gint64 segment, range;

  if (self->map == NULL || self->state == NULL)
    return NULL;
  stria_alloc_state_fill_view (self->state, &view);
  range = stria_alloc_map_hit (&view, self->map, gtk_widget_get_width (self->area),
                               gtk_widget_get_height (self->area), x, y, &segment);
  return range >= 0 ? &g_array_index (self->map->ranges, StriaMapRange, range) : NULL;
}

static void
on_pressed (StriaAllocMapView *self, int n_press, double x, double y)
{
  const StriaMapRange *range = range_at (self, x, y);

  gtk_widget_grab_focus (self->area);
  stria_alloc_state_set_kind (self->state, STRIA_PLOT_BLOCKS);
  stria_alloc_state_select (self->state, range != NULL ? range->element : STRIA_NO_ELEMENT);
}

static gboolean
on_query_tooltip (StriaAllocMapView *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const StriaMapRange *range = keyboard ? NULL : range_at (self, x, y);
  g_autofree char *bytes = NULL;
  g_autofree char *text = NULL;

  if (range == NULL)
    return FALSE;
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ x - 3, y - 3, 6, 6 });
  bytes = stria_alloc_exact_bytes (range->size);
  if (range->state == STRIA_RANGE_FREE)
    text = g_strdup_printf (_ ("Free: %s"), bytes);
  else if (range->state == STRIA_RANGE_ROUNDING)
    text = g_strdup_printf (_ ("Lost to rounding: %s"), bytes);
  if (text != NULL)
    {
      gtk_tooltip_set_text (tooltip, text);
      return TRUE;
    }
  if (range->element == STRIA_NO_ELEMENT)
    return FALSE;
  text = stria_alloc_state_card (self->state, range->element);
  gtk_tooltip_set_markup (tooltip, text);
  return TRUE;
}

static gboolean
on_key (StriaAllocMapView *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  const guint32 step = stria_alloc_state_get_step (self->state);

  if (keyval == GDK_KEY_Left)
    stria_alloc_state_set_step (self->state, step > 0 ? step - 1 : 0);
  else if (keyval == GDK_KEY_Right)
    stria_alloc_state_set_step (self->state, step + 1);
  else if (keyval == GDK_KEY_p || keyval == GDK_KEY_P)
    stria_alloc_state_go_peak (self->state);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
stria_alloc_map_view_map (GtkWidget *widget)
{
  StriaAllocMapView *self = STRIA_ALLOC_MAP_VIEW (widget);

  GTK_WIDGET_CLASS (stria_alloc_map_view_parent_class)->map (widget);
  if (self->stale)
    update (self);
}

static void
stria_alloc_map_view_dispose (GObject *object)
{
  StriaAllocMapView *self = STRIA_ALLOC_MAP_VIEW (object);

  g_clear_handle_id (&self->fit, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->state);
  g_clear_pointer (&self->map, stria_map_free);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (stria_alloc_map_view_parent_class)->dispose (object);
}

static void
stria_alloc_map_view_class_init (StriaAllocMapViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stria_alloc_map_view_dispose;
  GTK_WIDGET_CLASS (klass)->map = stria_alloc_map_view_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stria_alloc_map_view_init (StriaAllocMapView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  self->stale = TRUE;
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                             NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw, self, NULL);
  g_signal_connect_swapped (self->area, "resize", G_CALLBACK (on_resize), self);
  gtk_widget_set_vexpand (self->area, TRUE);
  gtk_widget_set_focusable (self->area, TRUE);
  gtk_widget_set_has_tooltip (self->area, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Segment map"), -1);
  g_signal_connect_swapped (self->area, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->area, key);
  stria_drawn_add_focus (self->area);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), self->area);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

GtkWidget *
stria_alloc_map_view_new (StriaAllocState *state)
{
  StriaAllocMapView *self = g_object_new (STRIA_TYPE_ALLOC_MAP_VIEW, NULL);

  self->state = g_object_ref (state);
  g_signal_connect_object (state, "device-changed", G_CALLBACK (on_device_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "moment-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (on_view_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
