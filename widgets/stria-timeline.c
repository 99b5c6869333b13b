/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-timeline.h"

#include "stria-display-list.h"
#include "stria-retell.h"
#include "stria-timeline-marks-private.h"
#include "stria-timeline-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#define HEADER_DEFAULT     stria_text_px (230.0)
#define HEADER_LEAST       90.0
#define HEADER_MOST_SHARE  0.5
#define BORDER_SLACK       4.0
#define HEIGHT_SLACK       3.0
#define FREE_BELOW         24.0 /* so that the last lane does not stick to the edge */
#define PREVIEW_MS         100
#define SCROLLBAR_WIDTH    14

G_DEFINE_FINAL_TYPE (StriaTimeline, stria_timeline, GTK_TYPE_WIDGET)

static guint header_width_changed;
static guint options_changed;
static guint legend_changed;

double
stria_timeline_lanes_width (StriaTimeline *self)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (self)) - self->header_width, 1);
}

double
stria_timeline_top (StriaTimeline *self)
{
  return stria_timeline_marks_top (self) + stria_timeline_marks_height (self);
}

double
stria_timeline_pinned_shown (StriaTimeline *self)
{
  const double room = gtk_widget_get_height (GTK_WIDGET (self)) - stria_timeline_top (self);

  return CLAMP (stria_timeline_layout_pinned_height (self->layout), 0, MAX (room / 2, 0));
}

double
stria_timeline_lanes_height (StriaTimeline *self)
{
  return MAX (gtk_widget_get_height (GTK_WIDGET (self)) - stria_timeline_top (self)
                  - stria_timeline_pinned_shown (self),
              0);
}

double
stria_timeline_scroll (StriaTimeline *self)
{
  return floor (gtk_adjustment_get_value (self->vadjustment) + 0.5);
}

Region
stria_timeline_region_at (StriaTimeline *self, double x, double y)
{
  const double pinned = stria_timeline_top (self) + stria_timeline_pinned_shown (self);

  if (x < 0 || y < 0 || x >= gtk_widget_get_width (GTK_WIDGET (self))
      || y >= gtk_widget_get_height (GTK_WIDGET (self)))
    return REGION_NONE;
  if (fabs (x - self->header_width) <= BORDER_SLACK && y >= STRIA_TIMELINE_MINIMAP_HEIGHT)
    return REGION_BORDER;
  if (y < stria_timeline_top (self))
    {
      if (x < self->header_width)
        return REGION_CORNER;
      if (y >= stria_timeline_marks_top (self))
        return REGION_MARKS;
      return y < STRIA_TIMELINE_MINIMAP_HEIGHT ? REGION_MINIMAP : REGION_RULER;
    }
  if (x < self->header_width)
    {
      if (stria_timeline_edge_at (self, y) != NULL)
        return REGION_HEADER_EDGE;
      return y < pinned ? REGION_PINNED_HEADER : REGION_HEADER;
    }
  return y < pinned ? REGION_PINNED : REGION_LANES;
}

/* The counter whose lower edge is at a height of the headers, or NULL */
const StriaLayoutItem *
stria_timeline_edge_at (StriaTimeline *self, double y)
{
  const StriaLayoutItem *item = stria_timeline_item_at (self, 0, y - HEIGHT_SLACK);
  const StriaLayoutItem *below = stria_timeline_item_at (self, 0, y + HEIGHT_SLACK);

  if (item == NULL || item == below || item->is_process || item->collapsed
      || stria_lane_get_kind (stria_trace_get_lane (stria_timeline_layout_get_trace (self->layout),
                                                    item->lane))
             != STRIA_LANE_COUNTER)
    return NULL;
  return item;
}

const StriaLayoutItem *
stria_timeline_item_at (StriaTimeline *self, double x, double y)
{
  const double top = stria_timeline_top (self);

  if (y < top)
    return NULL;
  if (y < top + stria_timeline_pinned_shown (self))
    return stria_timeline_layout_pinned_at (self->layout, y - top);
  return stria_timeline_layout_at (self->layout, y - top - stria_timeline_pinned_shown (self)
                                                     + stria_timeline_scroll (self));
}

gint64
stria_timeline_time_at (StriaTimeline *self, double x)
{
  gint64 t0 = 0;
  gint64 t1 = 0;

  stria_session_get_view (self->session, &t0, &t1);
  return stria_x_to_time (x - self->header_width, t0, t1, stria_timeline_lanes_width (self));
}

gboolean
stria_timeline_fill_view (StriaTimeline *self, StriaTimelineView *view)
{
  StriaTrace *trace = stria_timeline_layout_get_trace (self->layout);
  gint64 end = 0;

  *view = (StriaTimelineView){ .selection = STRIA_REF_NONE };
  if (trace == NULL || trace != stria_session_get_trace (self->session))
    return FALSE;
  view->trace = trace;
  view->layout = self->layout;
  view->match = stria_session_get_match (self->session);
  view->selection = stria_session_get_selection (self->session);
  view->dark = self->dark;
  view->marks = self->marks;
  if (self->coloring != NULL && stria_coloring_get_trace (self->coloring) == trace)
    view->coloring = self->coloring;
  view->font_size = STRIA_TIMELINE_FONT_SIZE;
  stria_session_get_view (self->session, &view->t0, &view->t1);
  if (!stria_trace_get_view_range (trace, &view->origin_ns, &end))
    view->origin_ns = view->t0;
  if (self->drag_kind == DRAG_RANGE && self->drag_moved)
    {
      view->has_range = TRUE;
      view->range_t0 = MIN (self->range_from, self->range_to);
      view->range_t1 = MAX (self->range_from, self->range_to);
    }
  else
    {
      view->has_range = stria_session_get_range (self->session, &view->range_t0, &view->range_t1);
      view->range_lanes = stria_session_get_range_lanes (self->session, &view->n_range_lanes);
    }
  view->tick_step_ns = stria_timeline_tick_step (view, stria_timeline_lanes_width (self));
  return view->t1 > view->t0;
}

void
stria_timeline_stale (StriaTimeline *self, LayerKind layer)
{
  self->layers[layer].stale = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
stale_all (StriaTimeline *self)
{
  for (guint i = 0; i < N_LAYERS; i++)
    self->layers[i].stale = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
update_adjustment (StriaTimeline *self)
{
  const double page = stria_timeline_lanes_height (self);
  const double upper = MAX (stria_timeline_layout_height (self->layout) + FREE_BELOW, page);
  const double value = CLAMP (gtk_adjustment_get_value (self->vadjustment), 0, upper - page);

  gtk_adjustment_configure (self->vadjustment, value, 0, upper, STRIA_LAYOUT_ROW_HEIGHT * 3,
                            page * 0.9, page);
  gtk_widget_set_visible (self->scrollbar, upper > page + 0.5);
}

/* Lanes were folded, pinned, hidden or moved. */
void
stria_timeline_layout_changed (StriaTimeline *self)
{
  update_adjustment (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  stale_all (self);
  stria_timeline_set_hover (self, STRIA_REF_NONE);
  stria_timeline_update_actions (self);
  stria_timeline_want_picture (self);
  stria_timeline_system_changed (self);
  stria_timeline_options_changed (self);
  stria_timeline_tell_later (self);
}

void
stria_timeline_options_changed (StriaTimeline *self)
{
  g_signal_emit (self, options_changed, 0);
}

void
stria_timeline_emit_legend (StriaTimeline *self)
{
  g_signal_emit (self, legend_changed, 0);
}

void
stria_timeline_set_header_width (StriaTimeline *self, double width)
{
  const int whole = gtk_widget_get_width (GTK_WIDGET (self));
  /* Where it has no width yet, it will be seen to when it gets one. */
  const double most = whole > 0 ? whole * HEADER_MOST_SHARE : width;

  self->header_width = floor (CLAMP (width, HEADER_LEAST, MAX (most, HEADER_LEAST)));
  g_signal_emit (self, header_width_changed, 0);
  self->minimap_stale = TRUE;
  stale_all (self);
  stria_timeline_want_picture (self);
}

static void
unfold (StriaTimeline *self, guint32 lane)
{
  const guint before = stria_timeline_layout_get_serial (self->layout);

  stria_timeline_layout_set_lane_hidden (self->layout, lane, FALSE);
  stria_timeline_layout_set_lane_collapsed (self->layout, lane, FALSE);
  stria_timeline_layout_set_process_collapsed (
      self->layout, stria_timeline_layout_group_of (self->layout, lane), FALSE);
  if (stria_timeline_layout_get_serial (self->layout) != before)
    stria_timeline_layout_changed (self);
}

/**
 * stria_timeline_bring_into_sight:
 * @ref: an event
 *
 * Unfolds its lane and scrolls to its row. While the lane is being loaded its row is not known; it
 * is tried again with the next picture.
 */
void
stria_timeline_bring_into_sight (StriaTimeline *self, StriaRef ref)
{
  const double page = stria_timeline_lanes_height (self);
  StriaTimelineView view;
  const StriaLayoutItem *item = NULL;
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;
  double scroll = 0;

  self->reveal = STRIA_REF_NONE;
  if (!stria_timeline_fill_view (self, &view) || ref.lane >= stria_trace_get_n_lanes (view.trace))
    return;
  unfold (self, ref.lane);
  item = stria_timeline_layout_of_lane (self->layout, ref.lane);
  if (item == NULL || item->pinned)
    return;
  if (!stria_timeline_locate (&view, stria_timeline_lanes_width (self), ref, &x, &y, &w, &h))
    {
      y = item->y;
      h = STRIA_LAYOUT_ROW_HEIGHT;
      self->reveal = ref;
    }
  scroll = stria_timeline_scroll (self);
  if (y < scroll || y + h > scroll + page)
    gtk_adjustment_set_value (self->vadjustment, y + h / 2 - page / 2);
}

static gboolean
on_preview (gpointer data)
{
  StriaTimeline *self = data;

  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_CONTINUE;
}

/* Runs while there is nothing but the preview to see. */
static void
update_preview (StriaTimeline *self)
{
  const gboolean needed = stria_session_get_trace (self->session) == NULL
                          && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (needed && self->preview_source == 0)
    self->preview_source = g_timeout_add (PREVIEW_MS, on_preview, self);
  else if (!needed)
    g_clear_handle_id (&self->preview_source, g_source_remove);
}

static void
on_trace_changed (StriaTimeline *self)
{
  stria_timeline_layout_set_trace (self->layout, stria_session_get_trace (self->session));
  self->minimap_stale = TRUE;
  update_preview (self);
  stria_timeline_recolor (self);
  stria_timeline_layout_changed (self);
}

static void
on_view_changed (StriaTimeline *self)
{
  StriaTimelineView view;
  gint64 t0 = 0;
  gint64 t1 = 0;

  if (!self->moving_view)
    stria_timeline_stop (self);
  stria_timeline_stale (self, LAYER_RULER);
  stria_timeline_stale (self, LAYER_CORNER);
  stria_timeline_stale (self, LAYER_MINIMAP_FRAME);
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_stale (self, LAYER_MARKS);
  if (stria_timeline_fill_view (self, &view))
    {
      stria_timeline_minimap_range (&view, &t0, &t1);
      if (t0 != self->minimap_t0 || t1 != self->minimap_t1)
        self->minimap_stale = TRUE;
    }
  stria_timeline_update_hover (self);
  stria_timeline_want_picture (self);
  stria_timeline_tell_later (self);
}

static void
on_selection_changed (StriaTimeline *self)
{
  const StriaRef selection = stria_session_get_selection (self->session);

  g_clear_pointer (&self->description, g_free);
  self->description = stria_ref_is_none (selection) ? g_strdup (_ ("Nothing is selected"))
                                                    : stria_timeline_describe (self, selection);
  self->describes_mark = FALSE;
  stria_timeline_tell (self);
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_update_actions (self);
  /* Lanes at the other ends of its flows may have to be loaded */
  stria_timeline_want_picture (self);
}

static void
on_range_changed (StriaTimeline *self)
{
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_stale (self, LAYER_RULER);
  stria_timeline_stale (self, LAYER_MINIMAP_FRAME);
  stria_timeline_update_actions (self);
}

static void
on_match_changed (StriaTimeline *self)
{
  stria_timeline_update_actions (self);
  stria_timeline_want_picture (self);
}

static void
on_reveal (StriaTimeline *self, const StriaRef *ref)
{
  stria_timeline_bring_into_sight (self, *ref);
}

static void
on_scrolled (StriaTimeline *self)
{
  stria_timeline_stale (self, LAYER_HEADERS);
  stria_timeline_stale (self, LAYER_OVERLAY);
  stria_timeline_update_hover (self);
  stria_timeline_want_picture (self);
}

static void
on_dark_changed (StriaTimeline *self)
{
  self->dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  self->minimap_stale = TRUE;
  stria_timeline_layout_rescale (self->layout);
  stria_timeline_layout_changed (self);
}

static void
on_scale_changed (StriaTimeline *self)
{
  self->minimap_stale = TRUE;
  stale_all (self);
  stria_timeline_want_picture (self);
}

static void
stria_timeline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 900 : 500;
}

static void
stria_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  const double most = MAX (width * HEADER_MOST_SHARE, HEADER_LEAST);
  const int top = (int) (stria_timeline_top (self) + stria_timeline_pinned_shown (self));
  GtkAllocation bar = { width - SCROLLBAR_WIDTH, top, SCROLLBAR_WIDTH, MAX (height - top, 1) };
  int least = 0;

  if (self->header_width > most)
    {
      self->header_width = floor (most);
      g_signal_emit (self, header_width_changed, 0);
    }
  self->minimap_stale = TRUE;
  update_adjustment (self);
  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
  /* Below tall rulers there may be no room for it. */
  gtk_widget_set_child_visible (self->scrollbar, bar.height >= least);
  if (gtk_widget_should_layout (self->scrollbar) && bar.height >= least)
    {
      gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      bar.width = MAX (bar.width, least);
      bar.x = width - bar.width;
      gtk_widget_size_allocate (self->scrollbar, &bar, -1);
    }
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
  if (self->mark_entry != NULL)
    gtk_popover_present (GTK_POPOVER (self->mark_entry));
  stale_all (self);
  stria_timeline_want_picture (self);
}

static void
stria_timeline_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stria_timeline_parent_class)->map (widget);
  update_preview (STRIA_TIMELINE (widget));
  stria_timeline_want_picture (STRIA_TIMELINE (widget));
}

static void
stria_timeline_unmap (GtkWidget *widget)
{
  stria_timeline_stop (STRIA_TIMELINE (widget));
  GTK_WIDGET_CLASS (stria_timeline_parent_class)->unmap (widget);
  update_preview (STRIA_TIMELINE (widget));
}

static void
stria_timeline_dispose (GObject *object)
{
  StriaTimeline *self = STRIA_TIMELINE (object);

  stria_timeline_stop (self);
  g_clear_handle_id (&self->preview_source, g_source_remove);
  g_clear_handle_id (&self->tell_source, g_source_remove);
  stria_timeline_drop_layers (self);
  stria_timeline_drop_pictures (self);
  stria_timeline_drop_options (self);
  stria_timeline_drop_system (self);
  g_clear_object (&self->card_title);
  g_clear_object (&self->card_rows);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  stria_timeline_clear_marks (self);
  g_clear_pointer (&self->scrollbar, gtk_widget_unparent);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (stria_timeline_parent_class)->dispose (object);
}

static void
stria_timeline_finalize (GObject *object)
{
  StriaTimeline *self = STRIA_TIMELINE (object);

  g_clear_object (&self->vadjustment);
  g_clear_pointer (&self->layout, stria_timeline_layout_unref);
  g_clear_pointer (&self->description, g_free);
  G_OBJECT_CLASS (stria_timeline_parent_class)->finalize (object);
}

static void
stria_timeline_class_init (StriaTimelineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stria_timeline_dispose;
  object_class->finalize = stria_timeline_finalize;
  widget_class->measure = stria_timeline_measure;
  widget_class->size_allocate = stria_timeline_size_allocate;
  widget_class->snapshot = stria_timeline_snapshot;
  widget_class->map = stria_timeline_map;
  widget_class->unmap = stria_timeline_unmap;
  header_width_changed = g_signal_new ("header-width-changed", G_TYPE_FROM_CLASS (klass),
                                       G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  options_changed = g_signal_new ("options-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  legend_changed = g_signal_new ("legend-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                 NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  stria_timeline_install_actions (widget_class);
  stria_timeline_install_mark_actions (widget_class);
  stria_timeline_install_lane_actions (widget_class);
}

static void
stria_timeline_init (StriaTimeline *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  self->layout = stria_timeline_layout_new ();
  self->header_width = HEADER_DEFAULT;
  self->hover = STRIA_REF_NONE;
  self->reveal = STRIA_REF_NONE;
  self->vadjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->vadjustment);
  gtk_widget_add_css_class (self->scrollbar, "overlay-indicator");
  gtk_widget_set_parent (self->scrollbar, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  /* Time runs from left to right in every language, and what is drawn around it stands with it. */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Timeline"), -1);
  g_signal_connect_object (self->vadjustment, "value-changed", G_CALLBACK (on_scrolled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (on_dark_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (on_scale_changed), NULL);
  self->dark = adw_style_manager_get_dark (style);
  stria_timeline_add_controllers (self);
  stria_timeline_add_drag (self);
  stria_timeline_add_options (self);
  stria_timeline_add_system (self);
}

/**
 * stria_timeline_new:
 * @session: what is looked at
 *
 * Returns: (transfer floating): the timeline of a session
 */
GtkWidget *
stria_timeline_new (StriaSession *session)
{
  StriaTimeline *self = NULL;

  g_return_val_if_fail (STRIA_IS_SESSION (session), NULL);

  self = g_object_new (STRIA_TYPE_TIMELINE, NULL);
  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "trace-changed", G_CALLBACK (on_trace_changed), self);
  stria_retell_connect (self, G_CALLBACK (on_selection_changed));
  g_signal_connect_swapped (session, "view-changed", G_CALLBACK (on_view_changed), self);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (on_selection_changed), self);
  g_signal_connect_swapped (session, "range-changed", G_CALLBACK (on_range_changed), self);
  g_signal_connect_swapped (session, "match-changed", G_CALLBACK (on_match_changed), self);
  g_signal_connect_swapped (session, "reveal", G_CALLBACK (on_reveal), self);
  stria_timeline_init_marks (self);
  stria_timeline_add_pointer (self);
  on_trace_changed (self);
  on_selection_changed (self);
  return GTK_WIDGET (self);
}

StriaTimelineLayout *
stria_timeline_get_layout (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), NULL);

  return self->layout;
}

double
stria_timeline_get_header_width (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), 0);

  return self->header_width;
}

StriaSession *
stria_timeline_get_session (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), NULL);

  return self->session;
}

gboolean
stria_timeline_grab_focus (StriaTimeline *self)
{
  g_return_val_if_fail (STRIA_IS_TIMELINE (self), FALSE);

  return gtk_widget_grab_focus (GTK_WIDGET (self));
}
