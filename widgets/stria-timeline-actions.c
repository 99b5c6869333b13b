/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline-marks-private.h"

#include <glib/gi18n-lib.h>

#include "stria-key-bindings.h"
#include <math.h>

#define KEY_ZOOM       1.5
#define KEY_PAN        0.15 /* of the width */
#define KEY_SCROLL     54.0
#define FIT_MARGIN     0.1

static double
zoom_center (StriaTimeline *self)
{
  if (self->pointer_inside && self->pointer_x >= self->header_width)
    return self->pointer_x;
  return self->header_width + stria_timeline_lanes_width (self) / 2;
}

static void
zoom_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_zoom_at (self, zoom_center (self), 1 / KEY_ZOOM, TRUE);
}

static void
zoom_out (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_zoom_at (self, zoom_center (self), KEY_ZOOM, TRUE);
}

static void
pan_left (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_pan_px (self, -stria_timeline_lanes_width (self) * KEY_PAN, TRUE);
}

static void
pan_right (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_pan_px (self, stria_timeline_lanes_width (self) * KEY_PAN, TRUE);
}

static void
scroll_by (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const double page = gtk_adjustment_get_page_increment (self->vadjustment);

  gtk_adjustment_set_value (self->vadjustment, gtk_adjustment_get_value (self->vadjustment)
                                                   + g_variant_get_double (parameter) * page);
}

static void
fit_selection (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_session_fit_selection (STRIA_TIMELINE (widget)->session);
}

/* The selected event alone, also where a range is selected. */
static void
fit_event (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const StriaRef ref = stria_session_get_selection (self->session);
  StriaTrace *trace = stria_session_get_trace (self->session);
  const StriaColumns *columns = NULL;
  gint64 start = 0;
  gint64 margin = 0;

  if (trace == NULL || stria_ref_is_none (ref))
    return;
  columns = stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane));
  if (columns == NULL || columns->dur == NULL)
    return;
  start = columns->start[ref.index];
  margin = MAX ((gint64) ((double) columns->dur[ref.index] * FIT_MARGIN), 50);
  stria_timeline_glide_to (self, start - margin, start + columns->dur[ref.index] + margin);
}

static void
fit_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_session_fit (STRIA_TIMELINE (widget)->session);
}

static void
go_back (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_session_go_back (STRIA_TIMELINE (widget)->session);
}

static void
go_forward (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_session_go_forward (STRIA_TIMELINE (widget)->session);
}

/* The selected event of a loaded lane; FALSE if there is none. */
static gboolean
selected (StriaTimeline *self, StriaRef *ref, StriaLane **lane, const StriaColumns **columns)
{
  StriaTrace *trace = stria_session_get_trace (self->session);

  *ref = stria_session_get_selection (self->session);
  if (trace == NULL || stria_ref_is_none (*ref))
    return FALSE;
  *lane = stria_trace_get_lane (trace, ref->lane);
  *columns = stria_lane_get_columns (*lane);
  return *columns != NULL && ref->index < (*columns)->n;
}

static void
flow_forward (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_timeline_follow_flow (STRIA_TIMELINE (widget), TRUE);
}

static void
flow_back (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_timeline_follow_flow (STRIA_TIMELINE (widget), FALSE);
}

static void
step_in_row (StriaTimeline *self, int step)
{
  StriaRef ref;
  StriaLane *lane = NULL;
  const StriaColumns *columns = NULL;
  guint64 begin = 0;
  guint64 end = 0;
  gint64 next = 0;

  if (!selected (self, &ref, &lane, &columns))
    return;
  stria_lane_get_row (lane, stria_lane_row_of (lane, ref.index), &begin, &end);
  next = (gint64) ref.index + step;
  if (next < (gint64) begin || next >= (gint64) end)
    gtk_widget_error_bell (GTK_WIDGET (self));
  else
    stria_session_reveal (self->session, (StriaRef){ ref.lane, (guint32) next });
}

static void
next_slice (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_in_row (STRIA_TIMELINE (widget), 1);
}

static void
previous_slice (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_in_row (STRIA_TIMELINE (widget), -1);
}

/* With nothing selected there is no way up or down but scrolling. */
static void
scroll_rows (StriaTimeline *self, double px)
{
  gtk_adjustment_set_value (self->vadjustment,
                            gtk_adjustment_get_value (self->vadjustment) + px);
}

static void
go_parent (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  StriaRef ref;
  StriaLane *lane = NULL;
  const StriaColumns *columns = NULL;

  if (!selected (self, &ref, &lane, &columns))
    scroll_rows (self, -KEY_SCROLL);
  else if (columns->parent != NULL && columns->parent[ref.index] != G_MAXUINT32)
    stria_session_reveal (self->session, (StriaRef){ ref.lane, columns->parent[ref.index] });
  else
    gtk_widget_error_bell (widget);
}

static void
go_child (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  StriaRef ref;
  StriaLane *lane = NULL;
  const StriaColumns *columns = NULL;
  guint64 begin = 0;
  guint64 end = 0;

  if (!selected (self, &ref, &lane, &columns))
    {
      scroll_rows (self, KEY_SCROLL);
      return;
    }
  if (columns->dur != NULL)
    stria_lane_children (lane, ref.index, &begin, &end);
  if (begin < end)
    stria_session_reveal (self->session, (StriaRef){ ref.lane, (guint32) begin });
  else
    gtk_widget_error_bell (widget);
}

static void
next_match (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_session_search_next (STRIA_TIMELINE (widget)->session, TRUE);
}

static void
previous_match (GtkWidget *widget, const char *name, GVariant *parameter)
{
  stria_session_search_next (STRIA_TIMELINE (widget)->session, FALSE);
}

static void
keep_range (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  StriaRef ref;
  StriaLane *lane = NULL;
  const StriaColumns *columns = NULL;

  if (selected (self, &ref, &lane, &columns) && columns->dur != NULL && columns->dur[ref.index] > 0)
    stria_session_set_range (self->session, columns->start[ref.index],
                             columns->start[ref.index] + columns->dur[ref.index], NULL, 0);
}

/* First the range goes, then the selection. */
static void
clear (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  gint64 t0 = 0;
  gint64 t1 = 0;

  if (stria_timeline_deselect_mark (self))
    return;
  if (stria_session_get_range (self->session, &t0, &t1))
    stria_session_clear_range (self->session);
  else
    stria_session_select (self->session, STRIA_REF_NONE);
}

static void
toggle_wall (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  self->show_wall = !self->show_wall;
  gtk_widget_queue_draw (widget);
}

guint32
stria_timeline_lane_meant (StriaTimeline *self)
{
  const StriaLayoutItem *item = NULL;

  if (self->menu != NULL && !self->menu_item.is_process && self->menu_item.height > 0)
    return self->menu_item.lane;
  if (self->pointer_inside && self->pointer_x < self->header_width)
    item = stria_timeline_item_at (self, self->pointer_x, self->pointer_y);
  if (item == NULL || item->is_process)
    item = stria_timeline_layout_of_lane (self->layout,
                                          stria_session_get_selection (self->session).lane);
  return item != NULL ? item->lane : G_MAXUINT32;
}

static void
toggle_pin (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const guint32 lane = stria_timeline_lane_meant (self);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (self->layout, lane);

  if (item == NULL)
    return;
  stria_timeline_layout_set_lane_pinned (self->layout, lane, !item->pinned);
  stria_timeline_layout_changed (self);
}

static void
hide (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const guint32 lane = stria_timeline_lane_meant (self);

  if (self->menu != NULL && self->menu_item.is_process)
    stria_timeline_layout_set_process_hidden (self->layout, self->menu_item.process, TRUE);
  else if (lane != G_MAXUINT32)
    stria_timeline_layout_set_lane_hidden (self->layout, lane, TRUE);
  stria_timeline_layout_changed (self);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_layout_show_all (self->layout);
  stria_timeline_layout_set_filter (self->layout, NULL);
  for (guint i = 0; i < STRIA_LANE_N_CLASSES; i++)
    stria_timeline_layout_set_class_hidden (self->layout, (StriaLaneClass) i, FALSE);
  stria_timeline_layout_changed (self);
}

static void
collapse_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_layout_collapse_all (self->layout, TRUE);
  stria_timeline_layout_changed (self);
}

static void
expand_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);

  stria_timeline_layout_collapse_all (self->layout, FALSE);
  stria_timeline_layout_changed (self);
}

static void
open_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (
      self->layout, stria_session_get_selection (self->session).lane);
  double y = stria_timeline_top (self) + STRIA_LAYOUT_ROW_HEIGHT;

  if (item != NULL)
    y = stria_timeline_top (self) + item->y + STRIA_LAYOUT_ROW_HEIGHT
        + (item->pinned ? 0 : stria_timeline_pinned_shown (self) - stria_timeline_scroll (self));
  stria_timeline_popup_menu (self, self->header_width / 2,
                             CLAMP (y, stria_timeline_top (self),
                                    gtk_widget_get_height (widget) - 1));
}

void
stria_timeline_update_actions (StriaTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const gboolean event = !stria_ref_is_none (stria_session_get_selection (self->session));
  const gboolean match = stria_session_get_match (self->session) != NULL;
  gint64 t0 = 0;
  gint64 t1 = 0;
  const gboolean range = stria_session_get_range (self->session, &t0, &t1);
  static const char *const for_event[]
      = { "timeline.follow-flow", "timeline.follow-flow-back", "timeline.next-slice",
          "timeline.previous-slice", "timeline.keep-range", "timeline.fit-event" };

  for (guint i = 0; i < G_N_ELEMENTS (for_event); i++)
    gtk_widget_action_set_enabled (widget, for_event[i], event);
  gtk_widget_action_set_enabled (widget, "timeline.fit-selection", event || range);
  gtk_widget_action_set_enabled (
      widget, "timeline.clear",
      event || range
          || (self->annotations != NULL && stria_annotations_get_selected (self->annotations) != 0));
  stria_timeline_update_mark_actions (self);
  gtk_widget_action_set_enabled (widget, "timeline.next-match", match);
  gtk_widget_action_set_enabled (widget, "timeline.previous-match", match);
  gtk_widget_action_set_enabled (widget, "timeline.show-all",
                                 stria_timeline_layout_n_hidden (self->layout) > 0
                                     || stria_timeline_layout_get_filter (self->layout)[0] != '\0'
                                     || stria_timeline_layout_hides_classes (self->layout));
}

typedef struct
{
  const char                 *name;
  GtkWidgetActionActivateFunc func;
  guint                       keys[3];
  GdkModifierType             modifiers;
} Action;

static const Action actions[] = {
  { "timeline.zoom-in", zoom_in, { GDK_KEY_w, GDK_KEY_plus, GDK_KEY_KP_Add }, 0 },
  { "timeline.zoom-out", zoom_out, { GDK_KEY_s, GDK_KEY_minus, GDK_KEY_KP_Subtract }, 0 },
  { "timeline.pan-left", pan_left, { GDK_KEY_a, GDK_KEY_Left }, 0 },
  { "timeline.pan-right", pan_right, { GDK_KEY_d, GDK_KEY_Right }, 0 },
  { "timeline.fit-selection", fit_selection, { GDK_KEY_f }, 0 },
  { "timeline.fit-event", fit_event, { 0 }, 0 },
  { "timeline.fit-all", fit_all, { GDK_KEY_0, GDK_KEY_Home, GDK_KEY_KP_0 }, 0 },
  { "timeline.follow-flow", flow_forward, { GDK_KEY_bracketright }, 0 },
  { "timeline.follow-flow-back", flow_back, { GDK_KEY_bracketleft }, 0 },
  { "timeline.next-slice", next_slice, { GDK_KEY_period }, 0 },
  { "timeline.previous-slice", previous_slice, { GDK_KEY_comma }, 0 },
  { "timeline.parent", go_parent, { GDK_KEY_Up }, 0 },
  { "timeline.child", go_child, { GDK_KEY_Down }, 0 },
  { "timeline.next-match", next_match, { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_n }, 0 },
  { "timeline.previous-match", previous_match, { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_n },
    GDK_SHIFT_MASK },
  { "timeline.keep-range", keep_range, { GDK_KEY_m }, 0 },
  { "timeline.back", go_back, { GDK_KEY_BackSpace }, 0 },
  { "timeline.forward", go_forward, { GDK_KEY_BackSpace }, GDK_SHIFT_MASK },
  { "timeline.clear", clear, { GDK_KEY_Escape }, 0 },
  { "timeline.toggle-wall-time", toggle_wall, { GDK_KEY_t }, 0 },
  { "timeline.toggle-pin", toggle_pin, { GDK_KEY_p }, 0 },
  { "timeline.hide", hide, { GDK_KEY_h }, 0 },
  { "timeline.show-all", show_all, { GDK_KEY_h }, GDK_SHIFT_MASK },
  { "timeline.collapse-all", collapse_all, { GDK_KEY_c }, GDK_SHIFT_MASK },
  { "timeline.expand-all", expand_all, { GDK_KEY_e }, GDK_SHIFT_MASK },
  { "timeline.menu", open_menu, { GDK_KEY_Menu }, 0 },
};

void
stria_timeline_install_actions (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (klass, actions[i].name, NULL, actions[i].func);
      for (guint j = 0; j < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[j] != 0; j++)
        stria_key_bind_class (klass, actions[i].keys[j], actions[i].modifiers, actions[i].name);
    }
  stria_timeline_install_system_keys (klass);
  gtk_widget_class_install_action (klass, "timeline.scroll", "d", scroll_by);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Page_Up, 0, "timeline.scroll", "d", -1.0);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Page_Down, 0, "timeline.scroll", "d", 1.0);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_F10, GDK_SHIFT_MASK, "timeline.menu", NULL);
}
