/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-display-list.h"
#include "stria-format.h"
#include "stria-paint-kit.h"
#include "stria-timeline-marks-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define BUBBLE_PADDING 6.0
#define PIN_SIZE       16

typedef void (*PaintFunc) (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view,
                           double width, double height);

static GdkRGBA
rgba (StriaColor color, double alpha)
{
  return (GdkRGBA){ (float) color.r, (float) color.g, (float) color.b, (float) alpha };
}

static void
append_color (GtkSnapshot *snapshot, StriaColor color, double alpha, double x, double y,
              double width, double height)
{
  const GdkRGBA value = rgba (color, alpha);

  if (width <= 0 || height <= 0)
    return;
  gtk_snapshot_append_color (snapshot, &value,
                             &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width,
                                                  (float) height));
}

static void
paint_corner (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
              double height)
{
  stria_timeline_paint_corner (cr, view, width, height);
}

static void
paint_ruler (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
             double height)
{
  stria_timeline_paint_ruler (cr, view, width, height);
}

static void
paint_frame (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
             double height)
{
  gint64 t0 = 0;
  gint64 t1 = 0;

  stria_timeline_paint_minimap_frame (cr, view, width, height);
  stria_timeline_minimap_range (view, &t0, &t1);
  if (view->marks != NULL && t1 > t0)
    stria_time_marks_paint_ticks (view->marks, cr, t0, t1, width, height);
}

static void
paint_headers (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
               double height)
{
  stria_timeline_paint_headers (cr, view, width, height, stria_timeline_scroll (self), FALSE);
}

static void
paint_pinned_headers (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
                      double height)
{
  stria_timeline_paint_headers (cr, view, width, height, 0, TRUE);
}

static void
paint_overlay (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
               double height)
{
  stria_timeline_paint_overlay (cr, view, width, height, stria_timeline_scroll (self));
}

static void
paint_marks (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
             double height)
{
  stria_time_marks_paint_strip (view->marks, cr, stria_trace_get_strings (view->trace),
                                view->font_size, view->dark, view->t0, view->t1, width, height);
}

static void
paint_mark_titles (StriaTimeline *self, cairo_t *cr, const StriaTimelineView *view, double width,
                   double height)
{
  stria_time_marks_paint_titles (view->marks, cr, stria_trace_get_strings (view->trace),
                                 view->font_size, view->dark, width, height);
}

/* Draws a layer at (x, y), painting it anew only if something it depends on has changed. */
static void
append_layer (StriaTimeline *self, GtkSnapshot *snapshot, LayerKind kind, PaintFunc func,
              const StriaTimelineView *view, double x, double y, double width, double height)
{
  Layer *layer = &self->layers[kind];

  if (width < 1 || height < 1)
    return;
  if (layer->node == NULL || layer->stale)
    {
      GtkSnapshot *inner = gtk_snapshot_new ();
      cairo_t *cr = gtk_snapshot_append_cairo (
          inner, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

      func (self, cr, view, width, height);
      cairo_destroy (cr);
      g_clear_pointer (&layer->node, gsk_render_node_unref);
      layer->node = gtk_snapshot_free_to_node (inner);
      layer->stale = FALSE;
    }
  if (layer->node == NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_node (snapshot, layer->node);
  gtk_snapshot_restore (snapshot);
}

/* Shows a picture where its times are now. */
static void
append_picture (StriaTimeline *self, GtkSnapshot *snapshot, const Picture *picture,
                const StriaTimelineView *view, double y, double height, double scroll)
{
  const double width = stria_timeline_lanes_width (self);
  double left = 0;
  double right = 0;

  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT ((float) self->header_width, (float) y, (float) width,
                                               (float) height));
  append_color (snapshot, stria_paint_theme (self->dark)->background, 1, self->header_width, y,
                width, height);
  if (picture->texture != NULL)
    {
      left = stria_time_to_x (picture->t0, view->t0, view->t1, width);
      right = stria_time_to_x (picture->t1, view->t0, view->t1, width);
      /* At its own scale it stands on whole pixels; rounding must not blur it */
      if (fabs (right - left - picture->width) < 1.5)
        {
          left = floor (left + 0.5);
          right = left + picture->width;
        }
      gtk_snapshot_append_texture (snapshot, picture->texture,
                                   &GRAPHENE_RECT_INIT ((float) (self->header_width + left),
                                                        (float) (y + picture->y - scroll),
                                                        (float) (right - left),
                                                        (float) picture->height));
    }
  gtk_snapshot_pop (snapshot);
}

static void
append_minimap (StriaTimeline *self, GtkSnapshot *snapshot)
{
  const double width = stria_timeline_lanes_width (self);

  append_color (snapshot, stria_paint_theme (self->dark)->margin, 1, self->header_width, 0, width,
                STRIA_TIMELINE_MINIMAP_HEIGHT);
  if (self->minimap.texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->minimap.texture,
                                 &GRAPHENE_RECT_INIT ((float) self->header_width, 0, (float) width,
                                                      (float) STRIA_TIMELINE_MINIMAP_HEIGHT));
}

static PangoLayout *
small_layout (StriaTimeline *self, const char *text, double size)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoFontDescription) font
      = pango_font_description_copy (pango_context_get_font_description (
          pango_layout_get_context (layout)));

  /* @size follows the desktop already, as the resolution of a widget does */
  pango_font_description_set_absolute_size (font, size * 96 / 72 * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  return layout;
}

static char *
pointer_text (StriaTimeline *self, const StriaTimelineView *view, gint64 ns)
{
  const gint64 ns_per_px
      = MAX ((gint64) ((double) (view->t1 - view->t0) / stria_timeline_lanes_width (self)), 1);
  gint64 precision = 1;
  gint64 base = 0;

  while (precision <= ns_per_px / 10)
    precision *= 10;
  if (self->show_wall && stria_trace_get_wall_base (view->trace, &base))
    return stria_format_wall (base + ns, NULL);
  return stria_format_time (ns - view->origin_ns, precision);
}

/* Whether the pointer's time is shown: here, or over another picture of the same time */
static gboolean
find_crosshair (StriaTimeline *self, const StriaTimelineView *view, gint64 *ns, double *x)
{
  const Region region = stria_timeline_region_at (self, self->pointer_x, self->pointer_y);

  if (self->drag_kind == DRAG_RANGE)
    return FALSE;
  if (!self->pointer_inside)
    return stria_timeline_pointed (self, view, ns, x);
  *ns = stria_timeline_time_at (self, floor (self->pointer_x));
  *x = self->pointer_x;
  return region == REGION_LANES || region == REGION_PINNED || region == REGION_RULER;
}

static void
append_crosshair (StriaTimeline *self, GtkSnapshot *snapshot, const StriaTimelineView *view)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const double top = stria_timeline_top (self);
  gint64 ns = 0;
  double x = 0;
  g_autofree char *text = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  const GdkRGBA ink = rgba (theme->background, 1);
  int width = 0;
  int height = 0;
  double left = 0;
  const double bubble_top = STRIA_TIMELINE_MINIMAP_HEIGHT + 2;

  if (!find_crosshair (self, view, &ns, &x))
    return;
  x = floor (x);
  append_color (snapshot, theme->text, 0.35, x, top, 1,
                gtk_widget_get_height (GTK_WIDGET (self)) - top);
  text = pointer_text (self, view, ns);
  layout = small_layout (self, text, view->font_size);
  pango_layout_get_pixel_size (layout, &width, &height);
  left = CLAMP (x - width / 2.0 - BUBBLE_PADDING, self->header_width + 1,
                MAX (gtk_widget_get_width (GTK_WIDGET (self)) - width - 2 * BUBBLE_PADDING - 1,
                     self->header_width + 1));
  left = floor (left);
  {
    const graphene_rect_t box
        = GRAPHENE_RECT_INIT ((float) left, (float) bubble_top,
                              (float) (width + 2 * BUBBLE_PADDING),
                              (float) (STRIA_TIMELINE_RULER_HEIGHT - 5));
    const GdkRGBA fill = rgba (theme->text, 0.92);
    GskRoundedRect rounded;

    gsk_rounded_rect_init_from_rect (&rounded, &box, 5);
    gtk_snapshot_push_rounded_clip (snapshot, &rounded);
    gtk_snapshot_append_color (snapshot, &fill, &box);
    gtk_snapshot_pop (snapshot);
  }
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot,
      &GRAPHENE_POINT_INIT ((float) (left + BUBBLE_PADDING),
                            (float) floor (bubble_top
                                           + (STRIA_TIMELINE_RULER_HEIGHT - 5 - height) / 2.0)));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

/* A light outline around the event under the pointer. */
static void
append_hover (StriaTimeline *self, GtkSnapshot *snapshot, const StriaTimelineView *view)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (self->layout, self->hover.lane);
  const double width = stria_timeline_lanes_width (self);
  const double pinned = stria_timeline_pinned_shown (self);
  const GdkRGBA line = rgba (theme->text, 0.85);
  const GdkRGBA lines[4] = { line, line, line, line };
  const float widths[4] = { 1, 1, 1, 1 };
  GskRoundedRect outline;
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;

  if (stria_ref_is_none (self->hover) || item == NULL
      || !stria_timeline_locate (view, width, self->hover, &x, &y, &w, &h))
    return;
  y += stria_timeline_top (self) + (item->pinned ? 0 : pinned - stria_timeline_scroll (self));
  w = MAX (w, 3);
  w = MIN (x + w, width + 4) - MAX (x, -4);
  x = MAX (x, -4);
  if (w <= 0)
    return;
  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT ((float) floor (self->header_width + x),
                                                        (float) y, (float) ceil (w), (float) h),
                                   1);
  gtk_snapshot_push_clip (
      snapshot,
      &GRAPHENE_RECT_INIT ((float) self->header_width,
                           (float) (stria_timeline_top (self) + (item->pinned ? 0 : pinned)),
                           (float) width,
                           (float) (item->pinned ? pinned : stria_timeline_lanes_height (self))));
  gtk_snapshot_append_border (snapshot, &outline, widths, lines);
  gtk_snapshot_pop (snapshot);
}

/* The button that pins the lane whose header is under the pointer. */
static void
append_pin (StriaTimeline *self, GtkSnapshot *snapshot)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const StriaLayoutItem *item = stria_timeline_item_at (self, self->pointer_x, self->pointer_y);
  graphene_rect_t button;
  GskRoundedRect rounded;
  GtkIconTheme *icons = NULL;
  g_autoptr (GtkIconPaintable) icon = NULL;
  const GdkRGBA fill = rgba (theme->margin, 0.92);
  GdkRGBA ink = rgba (theme->text, 1);

  if (!self->pointer_inside || self->pointer_x >= self->header_width || item == NULL
      || self->drag_kind != DRAG_NONE || !stria_timeline_pin_button (self, item, &button))
    return;
  if (item->pinned)
    ink = rgba (theme->accent, 1);
  gsk_rounded_rect_init_from_rect (&rounded, &button, 5);
  gtk_snapshot_push_rounded_clip (snapshot, &rounded);
  gtk_snapshot_append_color (snapshot, &fill, &button);
  if (graphene_rect_contains_point (&button, &GRAPHENE_POINT_INIT ((float) self->pointer_x,
                                                                   (float) self->pointer_y)))
    append_color (snapshot, theme->text, 0.10, button.origin.x, button.origin.y,
                  button.size.width, button.size.height);
  gtk_snapshot_pop (snapshot);
  icons = gtk_icon_theme_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));
  icon = gtk_icon_theme_lookup_icon (icons, "view-pin-symbolic", NULL, PIN_SIZE,
                                     gtk_widget_get_scale_factor (GTK_WIDGET (self)),
                                     GTK_TEXT_DIR_NONE, 0);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (button.origin.x + (button.size.width - PIN_SIZE) / 2,
                                      button.origin.y + (button.size.height - PIN_SIZE) / 2));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), snapshot, PIN_SIZE,
                                            PIN_SIZE, &ink, 1);
  gtk_snapshot_restore (snapshot);
}

static void
append_drop_line (StriaTimeline *self, GtkSnapshot *snapshot)
{
  guint32 before = 0;
  double y = 0;

  if (self->drag_kind != DRAG_HEADER || !self->drag_moved)
    return;
  y = stria_timeline_drop_line (self, &before);
  append_color (snapshot, stria_paint_theme (self->dark)->accent, 1, 0, floor (y) - 1,
                self->header_width, 2);
}

/* The lanes that a range covers while it is dragged. */
static void
append_range_lanes (StriaTimeline *self, GtkSnapshot *snapshot, const StriaTimelineView *view)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const double width = stria_timeline_lanes_width (self);
  const double top = stria_timeline_top (self);
  double from = 0;
  double to = 0;
  const StriaLayoutItem *first = NULL;
  const StriaLayoutItem *last = NULL;
  double y0 = MIN (self->drag_y, self->drag_now_y);
  double y1 = MAX (self->drag_y, self->drag_now_y);

  if (self->drag_kind != DRAG_RANGE || !self->drag_moved)
    return;
  from = floor (stria_time_to_x (view->range_t0, view->t0, view->t1, width));
  to = MAX (floor (stria_time_to_x (view->range_t1, view->t0, view->t1, width)), from + 1);
  from = CLAMP (from, -2, width);
  to = CLAMP (to, 0, width + 2);
  first = stria_timeline_item_at (self, self->header_width, y0);
  last = stria_timeline_item_at (self, self->header_width, y1);
  if (self->range_all || first == NULL)
    y0 = top;
  if (self->range_all || last == NULL)
    y1 = gtk_widget_get_height (GTK_WIDGET (self));
  /* Whole lanes count, not the strip of them that the pointer passed */
  if (!self->range_all && first != NULL)
    y0 = top + (first->pinned ? first->y : stria_timeline_pinned_shown (self) + first->y
                                               - stria_timeline_scroll (self));
  if (!self->range_all && last != NULL)
    y1 = top + last->height
         + (last->pinned ? last->y
                         : stria_timeline_pinned_shown (self) + last->y
                               - stria_timeline_scroll (self));
  append_color (snapshot, theme->accent, 0.20, self->header_width + from, MAX (y0, top), to - from,
                y1 - MAX (y0, top));
  append_color (snapshot, theme->accent, 0.9, self->header_width + from, top, 1,
                gtk_widget_get_height (GTK_WIDGET (self)) - top);
  append_color (snapshot, theme->accent, 0.9, self->header_width + to - 1, top, 1,
                gtk_widget_get_height (GTK_WIDGET (self)) - top);
}

static void
append_preview (StriaTimeline *self, GtkSnapshot *snapshot)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  g_autoptr (StriaPreview) preview
      = stria_capture_get_preview (stria_session_get_capture (self->session));
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

  stria_timeline_paint_preview (cr, preview, self->dark, STRIA_TIMELINE_FONT_SIZE,
                                self->header_width, width, height);
  cairo_destroy (cr);
}

static void
append_focus (StriaTimeline *self, GtkSnapshot *snapshot)
{
  const GdkRGBA line = rgba (stria_paint_theme (self->dark)->accent, 0.6);
  const GdkRGBA lines[4] = { line, line, line, line };
  const float widths[4] = { 1, 1, 1, 1 };
  GskRoundedRect outline;

  if (!gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    return;
  gsk_rounded_rect_init_from_rect (
      &outline,
      &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (GTK_WIDGET (self)),
                           (float) gtk_widget_get_height (GTK_WIDGET (self))),
      0);
  gtk_snapshot_append_border (snapshot, &outline, widths, lines);
}

static void
append_parts (StriaTimeline *self, GtkSnapshot *snapshot, StriaTimelineView *view)
{
  const double header = self->header_width;
  const double width = stria_timeline_lanes_width (self);
  const double top = stria_timeline_top (self);
  const double pinned = stria_timeline_pinned_shown (self);
  const double page = stria_timeline_lanes_height (self);
  const double scroll = stria_timeline_scroll (self);
  StriaTimelineView overlay = *view;

  if (self->drag_kind == DRAG_RANGE && self->drag_moved)
    overlay.has_range = FALSE;
  if (pinned > 0)
    append_picture (self, snapshot, &self->pinned, view, top, pinned, 0);
  append_picture (self, snapshot, &self->lanes, view, top + pinned, page, scroll);
  append_layer (self, snapshot, LAYER_OVERLAY, paint_overlay, &overlay, header, top, width,
                pinned + page);
  append_range_lanes (self, snapshot, view);
  append_hover (self, snapshot, view);
  append_layer (self, snapshot, LAYER_PINNED_HEADERS, paint_pinned_headers, view, 0, top, header,
                pinned);
  append_layer (self, snapshot, LAYER_HEADERS, paint_headers, view, 0, top + pinned, header, page);
  if (pinned > 0)
    append_color (snapshot, stria_paint_theme (self->dark)->accent, 0.5, 0, top + pinned - 1,
                  header + width, 1);
  append_pin (self, snapshot);
  stria_timeline_draw_flow_words (self, snapshot);
  append_drop_line (self, snapshot);
  append_layer (self, snapshot, LAYER_CORNER, paint_corner, view, 0, 0, header,
                stria_timeline_marks_top (self));
  append_minimap (self, snapshot);
  append_layer (self, snapshot, LAYER_MINIMAP_FRAME, paint_frame, view, header, 0, width,
                STRIA_TIMELINE_MINIMAP_HEIGHT);
  append_layer (self, snapshot, LAYER_RULER, paint_ruler, view, header,
                STRIA_TIMELINE_MINIMAP_HEIGHT, width, STRIA_TIMELINE_RULER_HEIGHT);
  if (stria_timeline_marks_height (self) > 0)
    {
      append_layer (self, snapshot, LAYER_MARKS, paint_marks, view, header,
                    stria_timeline_marks_top (self), width, stria_timeline_marks_height (self));
      append_layer (self, snapshot, LAYER_MARK_TITLES, paint_mark_titles, view, 0,
                    stria_timeline_marks_top (self), header, stria_timeline_marks_height (self));
    }
  append_crosshair (self, snapshot, view);
}

void
stria_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaTimeline *self = STRIA_TIMELINE (widget);
  StriaTimelineView view;

  if (self->session == NULL)
    return;
  if (!stria_timeline_fill_view (self, &view))
    {
      append_preview (self, snapshot);
      return;
    }
  append_parts (self, snapshot, &view);
  gtk_widget_snapshot_child (widget, self->scrollbar, snapshot);
  stria_timeline_draw_card (self, snapshot);
  append_focus (self, snapshot);
}

void
stria_timeline_drop_layers (StriaTimeline *self)
{
  for (guint i = 0; i < N_LAYERS; i++)
    g_clear_pointer (&self->layers[i].node, gsk_render_node_unref);
}
