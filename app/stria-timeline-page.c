/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "stria-alloc-plot.h"
#include "stria-alloc-text.h"
#include "stria-focus.h"
#include "stria-format.h"
#include "stria-key-bindings.h"
#include "stria-retell.h"
#include "stria-timeline-bar.h"
#include "stria-timeline-empty.h"
#include "stria-settings.h"
#include "stria-timeline-memory.h"
#include "stria-timeline.h"

#define PLOT_HEIGHT 220

struct _StriaTimelinePage
{
  GtkWidget parent_instance;

  StriaSession    *session;
  StriaAllocState *state;
  GPtrArray       *snapshots;  /* StriaSnapshotData: what @allocators are of */
  GPtrArray       *allocators; /* StriaAllocator */
  gint64           wall_ns;    /* since the epoch, at the session's time 0 */
  gboolean         following;
  double           cursor_x; /* -1: none */

  GtkWidget       *box;
  GtkWidget       *tools;
  GtkWidget       *timeline;
  GtkWidget       *paned;
  GtkWidget       *plot;
  GtkWidget       *cursor;
  GtkWidget       *bar;
  GtkToggleButton *toggle;
  GtkDropDown     *chooser;
  GtkLabel        *moment;
};

G_DEFINE_FINAL_TYPE (StriaTimelinePage, stria_timeline_page, GTK_TYPE_WIDGET)

static gint64
to_us (StriaTimelinePage *self, gint64 ns, gboolean up)
{
  gint64 epoch;

  if (__builtin_add_overflow (ns, self->wall_ns, &epoch))
    epoch = ns > 0 ? G_MAXINT64 : G_MININT64;
  return epoch / 1000 + (up ? epoch % 1000 > 0 : -(epoch % 1000 < 0));
}

static gint64
to_ns (StriaTimelinePage *self, gint64 us)
{
  gint64 ns;

  if (__builtin_mul_overflow (us, 1000, &ns) || __builtin_sub_overflow (ns, self->wall_ns, &ns))
    return us > 0 ? G_MAXINT64 / 4 : G_MININT64 / 4;
  return ns;
}

/* The plot's clock counts microseconds: it stands exactly under the lanes to one of them. */
static void
follow_session (StriaTimelinePage *self)
{
  gint64 t0 = 0, t1 = 0, bound0 = 0, bound1 = 0;

  if (self->following || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  self->following = TRUE;
  stria_session_get_bounds (self->session, &bound0, &bound1);
  stria_session_get_view (self->session, &t0, &t1);
  if (t1 > t0 && bound1 > bound0)
    {
      stria_alloc_state_share_axis (
          self->state, to_us (self, bound0, FALSE), to_us (self, bound1, TRUE) + 2,
          stria_timeline_get_header_width (STRIA_TIMELINE (self->timeline)), 0);
      stria_alloc_state_set_range (self->state, to_us (self, t0, FALSE), to_us (self, t1, TRUE));
    }
  self->following = FALSE;
}

static void
follow_plot (StriaTimelinePage *self)
{
  gint64 x0, x1;

  if (self->following || stria_alloc_state_get_allocator (self->state) == NULL)
    return;
  self->following = TRUE;
  stria_alloc_state_get_range (self->state, &x0, &x1);
  stria_session_set_view (self->session, to_ns (self, x0), to_ns (self, x1));
  self->following = FALSE;
  follow_session (self);
}

static void
update_moment (StriaTimelinePage *self)
{
  StriaAllocator *allocator = stria_alloc_state_get_allocator (self->state);
  const guint32 step = stria_alloc_state_get_step (self->state);
  const guint32 selected = stria_alloc_state_get_selected (self->state);
  StriaAllocTotals totals;
  StriaTrace *trace = stria_session_get_trace (self->session);
  gint64 origin = 0, end = 0;
  g_autofree char *when = NULL;
  g_autofree char *allocated = NULL;
  g_autofree char *reserved = NULL;
  g_autofree char *text = NULL;

  if (allocator == NULL || trace == NULL)
    return;
  stria_trace_get_view_range (trace, &origin, &end);
  stria_allocator_totals (allocator, step, &totals);
  when = stria_format_time (to_ns (self, stria_allocator_step_time_us (allocator, step)) - origin,
                            1000);
  allocated = stria_format_bytes ((gint64) totals.allocated);
  reserved = stria_format_bytes ((gint64) totals.reserved);
  /* Translators: a time, bytes, bytes */
  text = g_strdup_printf (_ ("%s: %s requested of %s reserved"), when, allocated, reserved);
  if (selected != STRIA_NO_ELEMENT)
    {
      StriaElement element;
      g_autofree char *owner = NULL;
      g_autofree char *size = NULL;
      g_autofree char *first = g_steal_pointer (&text);

      stria_allocator_get_element (allocator, selected, &element);
      owner = stria_alloc_stack_short (stria_alloc_state_get_snapshot (self->state), element.stack);
      size = stria_format_bytes ((gint64) element.size);
      text = g_strdup_printf ("%s · %s: %s", first, owner, size);
    }
  gtk_label_set_label (self->moment, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->moment), text);
}

static void
choose (StriaTimelinePage *self)
{
  const guint i = gtk_drop_down_get_selected (self->chooser);
  StriaAllocator *allocator = self->allocators != NULL && i < self->allocators->len
                                  ? g_ptr_array_index (self->allocators, i)
                                  : NULL;

  stria_alloc_state_set_allocator (
      self->state, allocator != NULL ? stria_allocator_get_snapshot (allocator) : NULL, allocator);
  follow_session (self);
  update_moment (self);
}

static char *
title_of (StriaTimelinePage *self, StriaAllocator *allocator)
{
  StriaCapture *capture = stria_session_get_capture (self->session);
  g_autofree char *device
      = stria_allocator_is_host (allocator)
            ? g_strdup (_ ("Host"))
            : g_strdup_printf (_ ("Device %u"), stria_allocator_get_device (allocator));

  if (self->snapshots->len < 2)
    return g_steal_pointer (&device);
  return g_strdup_printf (
      "%s, %s",
      stria_artifact_get_name (stria_capture_get_artifact (
          capture, stria_snapshot_get_artifact (stria_allocator_get_snapshot (allocator)))),
      device);
}

/* Allocators whose events have times, where the timeline's can be told from the epoch. */
static void
fill (StriaTimelinePage *self)
{
  StriaTrace *trace = stria_session_get_trace (self->session);
  g_autoptr (GPtrArray) snapshots
      = stria_capture_get_snapshots (stria_session_get_capture (self->session));
  g_autoptr (GPtrArray) allocators = g_ptr_array_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (trace != NULL && stria_trace_get_n_events (trace) > 0
      && stria_trace_get_wall_base (trace, &self->wall_ns))
    for (guint s = 0; s < snapshots->len; s++)
      for (guint d = 0; d < stria_snapshot_get_n_devices (g_ptr_array_index (snapshots, s)); d++)
        {
          StriaAllocator *allocator
              = stria_snapshot_get_device (g_ptr_array_index (snapshots, s), d);

          if (stria_allocator_has_times (allocator))
            g_ptr_array_add (allocators, allocator);
        }
  stria_alloc_state_set_allocator (self->state, NULL, NULL);
  g_clear_pointer (&self->allocators, g_ptr_array_unref);
  g_clear_pointer (&self->snapshots, g_ptr_array_unref);
  self->snapshots = g_steal_pointer (&snapshots);
  self->allocators = g_steal_pointer (&allocators);
  for (guint i = 0; i < self->allocators->len; i++)
    gtk_string_list_take (names, title_of (self, g_ptr_array_index (self->allocators, i)));
  gtk_drop_down_set_model (self->chooser, G_LIST_MODEL (names));
  gtk_widget_set_visible (GTK_WIDGET (self->chooser), self->allocators->len > 1);
  gtk_widget_set_visible (self->bar, self->allocators->len > 0);
  if (self->allocators->len == 0)
    gtk_toggle_button_set_active (self->toggle, FALSE);
  choose (self);
}

static void
on_toggled (StriaTimelinePage *self)
{
  const gboolean active = gtk_toggle_button_get_active (self->toggle);

  gtk_widget_set_visible (gtk_paned_get_end_child (GTK_PANED (self->paned)), active);
  gtk_widget_set_visible (GTK_WIDGET (self->moment), active);
  if (active)
    gtk_paned_set_position (GTK_PANED (self->paned),
                            MAX (gtk_widget_get_height (self->paned) - PLOT_HEIGHT, 120));
  follow_session (self);
}

static gboolean
on_shortcut (GtkWidget *widget, GVariant *args, gpointer data)
{
  StriaTimelinePage *self = STRIA_TIMELINE_PAGE (widget);

  if (!gtk_widget_get_visible (self->bar))
    return FALSE;
  gtk_toggle_button_set_active (self->toggle, !gtk_toggle_button_get_active (self->toggle));
  return TRUE;
}

static gboolean
on_filter_shortcut (GtkWidget *widget, GVariant *args, gpointer data)
{
  stria_timeline_bar_focus_filter (STRIA_TIMELINE_BAR (STRIA_TIMELINE_PAGE (widget)->tools));
  return TRUE;
}

/* -- the pointer's time, in both ------------------------------------------------------------- */

static void
set_cursor (StriaTimelinePage *self, double x)
{
  if (x < stria_timeline_get_header_width (STRIA_TIMELINE (self->timeline)))
    x = -1;
  if (x == self->cursor_x)
    return;
  self->cursor_x = x;
  gtk_widget_queue_draw (self->cursor);
}

static void
on_motion (StriaTimelinePage *self, double x, double y)
{
  set_cursor (self, x);
}

static void
on_leave (StriaTimelinePage *self)
{
  set_cursor (self, -1);
}

static void
draw_cursor (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  StriaTimelinePage *self = STRIA_TIMELINE_PAGE (data);
  GdkRGBA color;

  if (self->cursor_x < 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  color.alpha = 0.6f;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_rectangle (cr, (int) self->cursor_x, 0, 1, height);
  cairo_fill (cr);
}

static void
watch_pointer (StriaTimelinePage *self, GtkWidget *widget)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
}

/* -- the widget ------------------------------------------------------------------------------ */

static gboolean
stria_timeline_page_grab_focus (GtkWidget *widget)
{
  return stria_timeline_grab_focus (STRIA_TIMELINE (STRIA_TIMELINE_PAGE (widget)->timeline));
}

static void
stria_timeline_page_dispose (GObject *object)
{
  StriaTimelinePage *self = STRIA_TIMELINE_PAGE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  g_clear_object (&self->session);
  g_clear_pointer (&self->allocators, g_ptr_array_unref);
  g_clear_pointer (&self->snapshots, g_ptr_array_unref);
  G_OBJECT_CLASS (stria_timeline_page_parent_class)->dispose (object);
}

static void
stria_timeline_page_class_init (StriaTimelinePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stria_timeline_page_dispose;
  widget_class->focus = stria_focus_children;
  widget_class->grab_focus = stria_timeline_page_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_m, GDK_SHIFT_MASK, on_shortcut, NULL);
  stria_key_bind_func (widget_class, GDK_KEY_slash, 0, "page.filter", on_filter_shortcut);
}

static void
stria_timeline_page_init (StriaTimelinePage *self)
{
  self->cursor_x = -1;
}

static GtkWidget *
bar_new (StriaTimelinePage *self)
{
  const char *none[] = { NULL };
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *toggle = gtk_toggle_button_new_with_label (_ ("Memory"));
  GtkWidget *chooser = gtk_drop_down_new_from_strings (none);
  GtkWidget *moment = gtk_label_new (NULL);

  gtk_widget_add_css_class (bar, "panel-header");
  gtk_widget_set_tooltip_text (
      toggle, _ ("Show the allocator's memory under the lanes, on the same time axis (Shift+M)"));
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (toggle, "toggled", G_CALLBACK (on_toggled), self);
  gtk_widget_set_tooltip_text (chooser, _ ("Allocator"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Allocator"), -1);
  gtk_widget_set_valign (chooser, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (chooser, "notify::selected", G_CALLBACK (choose), self);
  gtk_label_set_ellipsize (GTK_LABEL (moment), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (moment), 1);
  gtk_widget_set_hexpand (moment, TRUE);
  gtk_widget_set_visible (moment, FALSE);
  gtk_widget_add_css_class (moment, "numeric");
  gtk_widget_add_css_class (moment, "dim-label");
  gtk_box_append (GTK_BOX (bar), toggle);
  gtk_box_append (GTK_BOX (bar), chooser);
  gtk_box_append (GTK_BOX (bar), moment);
  self->toggle = GTK_TOGGLE_BUTTON (toggle);
  self->chooser = GTK_DROP_DOWN (chooser);
  self->moment = GTK_LABEL (moment);
  return bar;
}

static GtkWidget *
panel_new (StriaTimelinePage *self)
{
  GtkWidget *overlay = gtk_overlay_new ();

  self->plot = stria_alloc_plot_new (self->state);
  self->cursor = gtk_drawing_area_new ();
  gtk_widget_set_can_target (self->cursor, FALSE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->cursor), draw_cursor, self, NULL);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->plot);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->cursor);
  gtk_widget_set_visible (overlay, FALSE);
  return overlay;
}

/* What was chosen for the capture before comes later, and holds. */
static void
color_by_default (StriaTimeline *timeline)
{
  g_autofree char *by = stria_settings_get_text (STRIA_SETTING_COLOR_BY);

  if (*by != '\0')
    g_action_group_change_action_state (G_ACTION_GROUP (stria_timeline_get_options (timeline)),
                                        "color", g_variant_new_string (by));
}

static GtkWidget *
page_new (StriaSession *session, const char *which)
{
  StriaTimelinePage *self = g_object_new (STRIA_TYPE_TIMELINE_PAGE, NULL);

  self->session = g_object_ref (session);
  self->state = stria_alloc_state_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  self->timeline = stria_timeline_new (session);
  self->tools = stria_timeline_bar_new (STRIA_TIMELINE (self->timeline));
  color_by_default (STRIA_TIMELINE (self->timeline));
  stria_timeline_memory_attach (STRIA_TIMELINE (self->timeline),
                                stria_session_get_capture (session), which);
  self->bar = bar_new (self);
  gtk_paned_set_start_child (GTK_PANED (self->paned),
                             stria_timeline_empty_new (self->timeline, session));
  gtk_paned_set_end_child (GTK_PANED (self->paned), panel_new (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_resize_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_vexpand (self->paned, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->tools);
  gtk_box_append (GTK_BOX (self->box), self->paned);
  gtk_box_append (GTK_BOX (self->box), self->bar);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  watch_pointer (self, self->timeline);
  watch_pointer (self, self->plot);
  g_signal_connect_object (session, "trace-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "view-changed", G_CALLBACK (follow_session), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->timeline, "header-width-changed", G_CALLBACK (follow_session),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "view-changed", G_CALLBACK (follow_plot), self,
                           G_CONNECT_SWAPPED);
  stria_retell_connect (self, G_CALLBACK (update_moment));
  g_signal_connect_object (self->state, "moment-changed", G_CALLBACK (update_moment), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "selection-changed", G_CALLBACK (update_moment), self,
                           G_CONNECT_SWAPPED);
  fill (self);
  return GTK_WIDGET (self);
}

GtkWidget *
stria_timeline_page_new (StriaSession *session)
{
  return page_new (session, NULL);
}

GtkWidget *
stria_timeline_page_new_second (StriaSession *session)
{
  GtkWidget *page = page_new (session, "second");

  gtk_accessible_update_property (
      GTK_ACCESSIBLE (STRIA_TIMELINE_PAGE (page)->timeline), GTK_ACCESSIBLE_PROPERTY_LABEL,
      _ ("Second timeline"), -1);
  return page;
}

GtkWidget *
stria_timeline_page_get_timeline (StriaTimelinePage *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE_PAGE (self), NULL);

  return self->timeline;
}
