/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-area-private.h"

#include <math.h>

#include "stria-paint-kit.h"

static GdkRGBA
rgba (StriaColor color, double alpha)
{
  return (GdkRGBA){ (float) color.r, (float) color.g, (float) color.b, (float) alpha };
}

static graphene_rect_t
rect_of (double x, double y, double width, double height)
{
  return GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height);
}

static void
append_frame (GtkSnapshot *snapshot, const graphene_rect_t *rect, float radius, float width,
              StriaColor color, double alpha)
{
  const GdkRGBA line = rgba (color, alpha);
  const GdkRGBA lines[4] = { line, line, line, line };
  const float widths[4] = { width, width, width, width };
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, rect, radius);
  gtk_snapshot_append_border (snapshot, &outline, widths, lines);
}

/* The picture where its part of the scene is now. */
static void
append_picture (StriaGraphArea *self, GtkSnapshot *snapshot)
{
  const StriaGraphPicture *picture = &self->picture;
  const double factor = self->zoom / picture->zoom;
  double x = (picture->x - self->x) * self->zoom;
  double y = (picture->y - self->y) * self->zoom;

  if (picture->texture == NULL)
    return;
  if (picture->in_motion)
    x = y = 0;
  if (fabs (factor - 1) < 1e-9)
    {
      x = floor (x + 0.5);
      y = floor (y + 0.5);
    }
  gtk_snapshot_append_texture (
      snapshot, picture->texture,
      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) (picture->width * factor),
                           (float) (picture->height * factor)));
}

/* What the picture does not cover yet is seen through the minimap's, if that is larger than
 * nothing. */
static void
append_rough (StriaGraphArea *self, GtkSnapshot *snapshot, double width, double height)
{
  const StriaGraphPicture *picture = &self->picture;
  const double factor = self->zoom / MAX (picture->zoom, 1e-9);
  const double x = (picture->x - self->x) * self->zoom;
  const double y = (picture->y - self->y) * self->zoom;

  if (self->minimap.texture == NULL || picture->texture == NULL || picture->in_motion
      || self->minimap_stale)
    return;
  if (x <= 0 && y <= 0 && x + picture->width * factor >= width
      && y + picture->height * factor >= height)
    return;
  gtk_snapshot_append_texture (
      snapshot, self->minimap.texture,
      &GRAPHENE_RECT_INIT ((float) ((self->minimap.x - self->x) * self->zoom),
                           (float) ((self->minimap.y - self->y) * self->zoom),
                           (float) (self->minimap.width * self->zoom / self->minimap.zoom),
                           (float) (self->minimap.height * self->zoom / self->minimap.zoom)));
}

/* A section has no marks of its own; its frame says that it is the one that keys are about. */
static void
append_spot (StriaGraphArea *self, GtkSnapshot *snapshot)
{
  const guint32 item = stria_graph_spot_find (self->scene, self->spot);
  const StriaSceneItem *box;
  graphene_rect_t rect;

  if (self->spot.section == G_MAXUINT32
      || !stria_graph_spot_is_item (self->scene, self->spot, item))
    return;
  box = &self->scene->items[item];
  rect = rect_of (((double) box->x - self->x) * self->zoom - 1,
                  ((double) box->y - self->y) * self->zoom - 1,
                  (double) box->width * self->zoom + 2, (double) box->height * self->zoom + 2);
  append_frame (snapshot, &rect, 6, 3, stria_paint_theme (self->dark)->accent, 1);
}

static void
append_hover (StriaGraphArea *self, GtkSnapshot *snapshot, double width, double height)
{
  const StriaGraphView *view = stria_graph_area_get_view (self);
  cairo_t *cr = NULL;

  if (self->hover_item == STRIA_NO_ITEM && self->hover_wire == G_MAXUINT32)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  stria_graph_paint_hover (cr, view, width, height);
  cairo_destroy (cr);
}

static void
append_drag (StriaGraphArea *self, GtkSnapshot *snapshot)
{
  const StriaColor accent = stria_paint_theme (self->dark)->accent;
  const GdkRGBA fill = rgba (accent, 0.12);
  graphene_rect_t rect;

  if (!self->drag_moved
      || (self->drag != STRIA_GRAPH_DRAG_SELECT && self->drag != STRIA_GRAPH_DRAG_ZOOM))
    return;
  rect = rect_of (floor (MIN (self->drag_x, self->drag_now_x)),
                  floor (MIN (self->drag_y, self->drag_now_y)),
                  ceil (fabs (self->drag_now_x - self->drag_x)),
                  ceil (fabs (self->drag_now_y - self->drag_y)));
  gtk_snapshot_append_color (snapshot, &fill, &rect);
  append_frame (snapshot, &rect, 0, self->drag == STRIA_GRAPH_DRAG_ZOOM ? 2 : 1, accent, 0.9);
}

static void
append_minimap (StriaGraphArea *self, GtkSnapshot *snapshot, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const GdkRGBA fill = rgba (theme->background, 1);
  const GdkRGBA shadow = { 0, 0, 0, 0.25f };
  const GdkRGBA inside = rgba (theme->accent, 0.16);
  GskRoundedRect outline;
  graphene_rect_t rect, seen;
  StriaGraphView small;

  if (!stria_graph_area_minimap_rect (self, &rect))
    return;
  gsk_rounded_rect_init_from_rect (&outline, &rect, 6);
  gtk_snapshot_append_outset_shadow (snapshot, &outline, &shadow, 0, 1, 0, 6);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &fill, &rect);
  if (self->minimap.texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->minimap.texture, &rect);
  stria_graph_area_minimap_view (self, &rect, &small);
  seen = rect_of ((double) rect.origin.x + floor ((self->x - small.x) * small.zoom),
                  (double) rect.origin.y + floor ((self->y - small.y) * small.zoom),
                  MAX (ceil (width / self->zoom * small.zoom), 4),
                  MAX (ceil (height / self->zoom * small.zoom), 4));
  if (graphene_rect_intersection (&seen, &rect, &seen))
    {
      gtk_snapshot_append_color (snapshot, &inside, &seen);
      append_frame (snapshot, &seen, 1, 1.5f, theme->accent, 1);
    }
  gtk_snapshot_pop (snapshot);
  append_frame (snapshot, &rect, 6, 1, theme->text, 0.2);
}

void
stria_graph_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StriaGraphArea *self = STRIA_GRAPH_AREA (widget);
  const StriaPaintTheme *theme = stria_paint_theme (self->dark);
  const double width = gtk_widget_get_width (widget);
  const double height = gtk_widget_get_height (widget);
  const GdkRGBA background = rgba (theme->background, 1);
  const graphene_rect_t whole = rect_of (0, 0, width, height);
  graphene_rect_t minimap;

  gtk_snapshot_append_color (snapshot, &background, &whole);
  if (self->scene != NULL)
    {
      append_rough (self, snapshot, width, height);
      append_picture (self, snapshot);
      if (self->move.scene == NULL)
        {
          append_spot (self, snapshot);
          append_hover (self, snapshot, width, height);
        }
      append_drag (self, snapshot);
      append_minimap (self, snapshot, width, height);
      /* A minimap that is not shown stays stale, and is no reason to paint again and again. */
      if (self->minimap_stale && !self->wanted && !self->working
          && stria_graph_area_minimap_rect (self, &minimap))
        stria_graph_area_want_picture (self);
    }
  if (gtk_widget_get_visible (self->busy))
    gtk_widget_snapshot_child (widget, self->busy, snapshot);
  if (gtk_widget_has_visible_focus (widget))
    append_frame (snapshot, &whole, 0, 1, theme->accent, 0.6);
}
