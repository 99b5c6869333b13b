/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-paint-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define FLAT_PX 5.0 /* boxes lower than this are plain rectangles */
#define HEADER 26.0 /* of an open group */
#define CHEVRON 22.0
#define SHARED_PART 0.45 /* of its colour, where a figure is not one's own */
#define SIGN_PX 14.0
#define FRAMED_PX 16.0 /* a frame round a smaller open group would hide what is in it */

void
stria_graph_box_of (const StriaGraphPainter *self,
                    guint32 item,
                    double *x,
                    double *y,
                    double *w,
                    double *h)
{
  const StriaSceneItem *it = &self->view->scene->items[item];
  const float *box = self->view->boxes != NULL ? self->view->boxes + 4 * (gsize)item : NULL;

  *x = (double)(box != NULL ? box[0] : it->x);
  *y = (double)(box != NULL ? box[1] : it->y);
  *w = (double)(box != NULL ? box[2] : it->width);
  *h = (double)(box != NULL ? box[3] : it->height);
}

guint16
stria_graph_marks_of (const StriaGraphPainter *self, guint32 number)
{
  const StriaSceneItem *item = &self->view->scene->items[number];

  if (self->view->item_marks != NULL)
    return self->view->item_marks[number];
  if (item->node != STRIA_NO_NODE)
    return self->view->node_marks != NULL ? self->view->node_marks[item->node] : 0;
  return self->view->group_marks != NULL && item->group != STRIA_NO_GROUP
                 && item->section == G_MAXUINT32
             ? self->view->group_marks[item->group]
             : 0;
}

static const StriaGraphFigure *
figure_of (const StriaGraphPainter *self, const StriaSceneItem *item)
{
  const StriaGraphFigure *figure = NULL;

  if (item->node != STRIA_NO_NODE)
    figure = self->view->node_figures != NULL ? &self->view->node_figures[item->node] : NULL;
  else if (self->view->group_figures != NULL && item->group != STRIA_NO_GROUP
           && item->section == G_MAXUINT32)
    figure = &self->view->group_figures[item->group];
  return figure != NULL && figure->state != STRIA_FIGURE_NONE ? figure : NULL;
}

void
stria_graph_rounded (cairo_t *cr, double x, double y, double w, double h, double r)
{
  r = MIN (r, MIN (w, h) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

cairo_pattern_t *
stria_graph_make_hatch (StriaColor color)
{
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 8, 8);
  cairo_t *cr = cairo_create (tile);
  cairo_pattern_t *pattern;

  stria_paint_set_color (cr, color, STRIA_GRAPH_HATCH_ALPHA);
  cairo_set_line_width (cr, 1.3);
  for (int i = -8; i <= 8; i += 8)
    {
      cairo_move_to (cr, i, 8);
      cairo_line_to (cr, i + 8, 0);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
  pattern = cairo_pattern_create_for_surface (tile);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  cairo_surface_destroy (tile);
  return pattern;
}

static StriaColor
kind_color (const StriaGraphPainter *self, const StriaSceneItem *item)
{
  gboolean dark = self->view->dark;

  if (item->node == STRIA_NO_NODE)
    return stria_color_mix (self->theme->band, self->theme->accent, 0.10);
  const StriaGraphNodeRow *node = stria_graph_node (self->graph, item->node);
  if (node->kind == STRIA_NODE_INPUT || node->kind == STRIA_NODE_OUTPUT)
    return self->theme->dim_text;
  return stria_paint_from_argb (stria_paint_kit_color (self->kit, node->label, dark));
}

/* What stands back goes most of the way to what is behind it. */
static StriaColor
faded (const StriaGraphPainter *self, StriaColor color, gboolean dim)
{
  return dim ? stria_color_mix (color, self->theme->background, 0.72) : color;
}

/* The greatest of what is measured in an open one that looks closed, so that no slow one is lost in
 * it; NULL: nothing is. */
static const StriaGraphFigure *
greatest_in (const StriaGraphPainter *self, const StriaSceneItem *item)
{
  const StriaGraphFigure *found = NULL;

  for (guint32 i = item->first_child; i < item->first_child + item->n_children; i++)
    {
      const StriaSceneItem *child = &self->view->scene->items[i];
      const StriaGraphFigure *figure = figure_of (self, child);

      if (figure == NULL || figure->state != STRIA_FIGURE_VALUE)
        figure = greatest_in (self, child);
      if (figure != NULL && (found == NULL || fabsf (figure->share) > fabsf (found->share)))
        found = figure;
    }
  return found;
}

static StriaColor
fill_color (const StriaGraphPainter *self, const StriaSceneItem *item, gboolean flat)
{
  const StriaGraphFigure *figure = figure_of (self, item);

  if (figure == NULL && item->open && self->view->node_figures != NULL)
    figure = greatest_in (self, item);

  if (figure != NULL && figure->state == STRIA_FIGURE_VALUE)
    {
      const StriaColor color = stria_graph_scale_color (
          (double)figure->share, self->view->diverging, self->view->dark);

      return figure->shared ? stria_color_mix (self->theme->background, color, SHARED_PART) : color;
    }
  if (item->node == STRIA_NO_NODE)
    return kind_color (self, item);
  /* A colour of its own would look like a value. */
  if (figure != NULL)
    flat = FALSE;
  return flat ? stria_color_mix (self->theme->background, kind_color (self, item), 0.6)
              : stria_color_mix (self->theme->background, self->theme->band, 0.5);
}

gboolean
stria_graph_outline_of (const StriaGraphPainter *self,
                        guint16 marks,
                        StriaColor *color,
                        double *width,
                        gboolean *dashed)
{
  static const StriaColor mapped = { 0.85, 0.16, 0.55 }, match = { 0.80, 0.62, 0.05 };
  static const StriaColor up = { 0.13, 0.55, 0.33 }, down = { 0.20, 0.42, 0.85 };
  static const StriaColor up_night = { 0.30, 0.75, 0.50 }, down_night = { 0.45, 0.65, 1.00 };

  *width = 2.5;
  *dashed = FALSE;
  if (marks & STRIA_GRAPH_MARK_SELECTED)
    {
      *color = self->theme->accent;
      *width = 3.5;
    }
  else if (marks & STRIA_GRAPH_MARK_MAPPED)
    {
      *color = mapped;
      *dashed
          = (marks
             & (STRIA_GRAPH_MARK_PARTITION | STRIA_GRAPH_MARK_ASSUMED | STRIA_GRAPH_MARK_AMBIGUOUS))
            != 0;
      *width = marks & STRIA_GRAPH_MARK_PARTITION ? 1.5 : 3;
    }
  else if (marks & (STRIA_GRAPH_MARK_CURRENT | STRIA_GRAPH_MARK_MATCH))
    {
      *color = match;
      *width = marks & STRIA_GRAPH_MARK_CURRENT ? 4 : 2.5;
    }
  else if (marks & (STRIA_GRAPH_MARK_ADDED | STRIA_GRAPH_MARK_CHANGED))
    {
      *color = self->view->dark ? up_night : up;
      *dashed = (marks & STRIA_GRAPH_MARK_CHANGED) != 0;
    }
  else if (marks & STRIA_GRAPH_MARK_UPSTREAM)
    *color = self->view->dark ? up_night : up;
  else if (marks & STRIA_GRAPH_MARK_DOWNSTREAM)
    *color = self->view->dark ? down_night : down;
  else
    return FALSE;
  return TRUE;
}

static void
paint_outline (StriaGraphPainter *self, guint16 marks, double x, double y, double w, double h)
{
  static const StriaColor match = { 0.95, 0.78, 0.10 };
  double px = 1 / self->view->zoom;
  StriaGraphPen pen = { .radius = 6, .line_alpha = 1 };
  gboolean dashed;
  double width;

  if (!stria_graph_outline_of (self, marks, &pen.line, &width, &dashed))
    return;
  /* A match that is also selected keeps its own frame round that of the selection. */
  if ((marks & STRIA_GRAPH_MARK_MATCH) && (marks & STRIA_GRAPH_MARK_SELECTED))
    {
      const StriaGraphPen round
          = { .radius = 6, .line = match, .line_alpha = 1,
              .line_width = (width + 4) * MAX (px, 0.6) };
      stria_graph_pen_box (self, x, y, w, h, &round);
    }
  pen.line_width = width * MAX (px, 0.6);
  if (dashed)
    {
      pen.dash = 5 * px;
      pen.dash_gap = 3 * px;
    }
  stria_graph_pen_box (self, x, y, w, h, &pen);
}

static void
paint_figure_bar (StriaGraphPainter *self,
                  const StriaGraphFigure *figure,
                  StriaColor ink,
                  double x,
                  double y,
                  double w,
                  double h)
{
  const double share = MIN (fabs ((double)figure->share), 1);

  if (figure->state != STRIA_FIGURE_VALUE || w < 32)
    return;
  stria_graph_pen_rectangle (self, x + 8, y + h - 6, w - 16, 3, ink, 0.18);
  stria_graph_pen_rectangle (self, x + 8, y + h - 6, MAX ((w - 16) * share, 1), 3, ink,
                             figure->shared ? 0.4 : 0.8);
}

/* A closed group or section looks like a stack of cards. */
static void
paint_stack (StriaGraphPainter *self, gboolean dim, double x, double y, double w, double h)
{
  const StriaGraphPen pen = {
    .radius = 5,
    .fill = faded (self, stria_color_mix (self->theme->band, self->theme->text, 0.06), dim),
    .fill_alpha = 1,
    .line = faded (self, self->theme->hairline, dim),
    .line_alpha = 1,
    .line_width = 1,
  };

  for (int i = 2; i > 0; i--)
    stria_graph_pen_box (self, x + 3.0 * i, y - 3.0 * i, w - 3.0 * i, h, &pen);
}

static void
paint_chevron (StriaGraphPainter *self, StriaColor ink, gboolean open, double x, double y)
{
  const double down[] = { x - 4, y - 2, x, y + 2, x + 4, y - 2 };
  const double ahead[] = { x - 2, y - 4, x + 2, y, x - 2, y + 4 };

  stria_graph_pen_stroke (self, open ? down : ahead, 3, 1.8, ink, 0.8);
}

static char *
group_title (StriaGraphPainter *self, const StriaSceneItem *item)
{
  if (item->section != G_MAXUINT32)
    /* Translators: a part of a group with very many members */
    return g_strdup_printf (_ ("Section %u of %u"), item->section + 1, item->n_sections);
  return g_strdup (
      stria_graph_text (self->graph, stria_graph_group (self->graph, item->group)->label));
}

static void
paint_texts (StriaGraphPainter *self,
             const StriaSceneItem *item,
             StriaColor fill,
             gboolean dim,
             double x,
             double y,
             double w,
             double h)
{
  const StriaGraphFigure *figure = figure_of (self, item);
  gboolean is_group = item->node == STRIA_NO_NODE;
  double left = is_group ? x + CHEVRON : x + 12;
  double room = x + w - 6 - left;
  StriaColor ink = stria_color_text (fill);
  double strength = dim ? 0.45 : 1;
  g_autofree char *title = NULL;
  g_autofree char *below = NULL;

  if (room < 12)
    return;
  if (!is_group)
    {
      title = g_strdup (
          stria_graph_text (self->graph, stria_graph_node (self->graph, item->node)->label));
      below = g_strdup (stria_graph_second_line (self->graph, item->node));
    }
  else
    {
      guint n
          = item->section == G_MAXUINT32 ? stria_graph_group_weight (self->graph, item->group) : 0;
      title = group_title (self, item);
      if (n > 0)
        below = g_strdup_printf (ngettext ("%u node", "%u nodes", n), n);
    }
  if (figure != NULL)
    {
      g_free (below);
      below = g_strdup (stria_graph_figure_text (figure));
    }
  StriaTextStyle style = is_group ? STRIA_TEXT_BOLD : STRIA_TEXT_NORMAL;
  if (self->view->zoom < STRIA_GRAPH_DETAIL_ZOOM || below == NULL || *below == '\0' || h < 30)
    {
      stria_graph_pen_text (self, style, title, ink, strength, left, y + h / 2, room);
      return;
    }
  stria_graph_pen_text (self, style, title, ink, strength, left, y + h * 0.32, room);
  stria_graph_pen_text (self, STRIA_TEXT_SMALL, below, ink, 0.78 * strength, left, y + h * 0.66,
                        room);
}

void
stria_graph_paint_closed (StriaGraphPainter *self, guint32 number)
{
  const StriaSceneItem *item = &self->view->scene->items[number];
  double x, y, w, h;
  guint16 marks = stria_graph_marks_of (self, number);
  const StriaGraphFigure *figure = figure_of (self, item);
  gboolean dim = (marks & STRIA_GRAPH_MARK_DIM) != 0;
  gboolean is_group = item->node == STRIA_NO_NODE;
  double zoom = self->view->zoom;

  stria_graph_box_of (self, number, &x, &y, &w, &h);
  if (h * zoom < FLAT_PX)
    {
      /* What is measured is never fainter than its colour. */
      if (figure != NULL && figure->state == STRIA_FIGURE_VALUE)
        {
          w = MAX (w, 1 / zoom);
          h = MAX (h, 1 / zoom);
        }
      stria_graph_pen_rectangle (self, x, y, w, h,
                                 faded (self, fill_color (self, item, TRUE), dim), 1);
      paint_outline (self, marks, x, y, w, h);
      return;
    }
  /* Where no words are, colour says what it is. */
  StriaColor fill = faded (self, fill_color (self, item, zoom < STRIA_GRAPH_TEXT_ZOOM), dim);
  if (is_group && zoom >= STRIA_GRAPH_TEXT_ZOOM && h > 20)
    paint_stack (self, dim, x, y, w, h);
  const gboolean unmatched = (marks & STRIA_GRAPH_MARK_UNMATCHED) != 0;
  const StriaGraphPen pen = {
    .radius = 5,
    .fill = fill,
    .fill_alpha = 1,
    .hatched = figure != NULL && figure->state == STRIA_FIGURE_UNMEASURED,
    .line
    = faded (self, stria_color_mix (self->theme->hairline, self->theme->text, 0.25), dim),
    .line_alpha = 1,
    .line_width = 1,
    .dash = unmatched ? 3 : 0,
    .dash_gap = unmatched ? 3 : 0,
  };
  stria_graph_pen_box (self, x, y, w, h, &pen);
  if (!is_group && w > 12 && h > 14)
    {
      /* What it is, by colour of its name, at its near edge. */
      const StriaGraphPen kind
          = { .radius = 2, .fill = faded (self, kind_color (self, item), dim), .fill_alpha = 1 };
      stria_graph_pen_box (self, x + 3, y + 5, 4, h - 10, &kind);
    }
  if (zoom >= STRIA_GRAPH_TEXT_ZOOM && h > 16)
    {
      paint_texts (self, item, fill, dim, x, y, w, h);
      if (is_group)
        paint_chevron (self, stria_color_text (fill), FALSE, x + CHEVRON / 2, y + h / 2);
      if (figure != NULL)
        paint_figure_bar (self, figure, stria_color_text (fill), x, y, w, h);
    }
  paint_outline (self, marks, x, y, w, h);
}

void
stria_graph_paint_open (StriaGraphPainter *self, guint32 number)
{
  const StriaSceneItem *item = &self->view->scene->items[number];
  double x, y, w, h;
  guint16 marks = stria_graph_marks_of (self, number);
  const StriaGraphFigure *figure = figure_of (self, item);
  StriaColor fill = stria_color_mix (self->theme->background, self->theme->text,
                                     0.030 + 0.02 * (item->parent == STRIA_NO_ITEM));

  /* What is in it is too small to be seen: it looks like a closed one. */
  if (self->view->boxes == NULL
      && !stria_scene_shows_children (item, (float)(STRIA_GRAPH_LEAST_PX / self->view->zoom)))
    fill = fill_color (self, item, TRUE);
  stria_graph_box_of (self, number, &x, &y, &w, &h);
  const StriaGraphPen pen = {
    .radius = 8,
    .fill = fill,
    .fill_alpha = 1,
    .line = stria_color_mix (self->theme->hairline, self->theme->text, 0.15),
    .line_alpha = 1,
    .line_width = MAX (1, 0.8 / self->view->zoom),
  };
  stria_graph_pen_box (self, x, y, w, h, &pen);
  if (figure != NULL && figure->state == STRIA_FIGURE_VALUE && h > HEADER)
    {
      /* The group's own figure, as a strip along its title: it is not one of its members'. */
      const StriaGraphPen strip
          = { .radius = 7, .fill = fill_color (self, item, FALSE), .fill_alpha = 1 };
      fill = strip.fill;
      stria_graph_pen_box (self, x + 1, y + 1, w - 2, HEADER - 2, &strip);
    }
  if (self->view->zoom >= STRIA_GRAPH_TEXT_ZOOM && h >= HEADER && w > CHEVRON + 20)
    {
      g_autofree char *title = group_title (self, item);
      StriaColor ink = stria_color_text (fill);
      double used;

      paint_chevron (self, ink, TRUE, x + CHEVRON / 2 + 1, y + HEADER / 2 + 1);
      stria_paint_set_color (self->cr, ink, 0.9);
      used = stria_paint_kit_text (self->kit, self->cr, STRIA_TEXT_BOLD, title, x + CHEVRON + 1,
                                   y + HEADER / 2 + 1, w - CHEVRON - 12);
      if (figure != NULL && w - CHEVRON - used > 60)
        {
          stria_paint_set_color (self->cr, ink, 0.8);
          stria_paint_kit_text (self->kit, self->cr, STRIA_TEXT_SMALL,
                                stria_graph_figure_text (figure),
                                x + CHEVRON + 13 + used, y + HEADER / 2 + 1,
                                w - CHEVRON - used - 24);
        }
    }
  if (MIN (w, h) * self->view->zoom >= FRAMED_PX)
    paint_outline (self, marks, x, y, w, h);
}

/* They stand on the groups' titles like tabs, in the size of any text. What would lie on another
 * one is left out: outer groups come first. */
void
stria_graph_paint_signs (StriaGraphPainter *self)
{
  const StriaGraphView *view = self->view;
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (cairo_rectangle_t));

  if (view->zoom >= STRIA_GRAPH_TEXT_ZOOM || view->boxes != NULL || view->plain)
    return;
  cairo_save (self->cr);
  cairo_identity_matrix (self->cr);
  for (guint i = 0; i < self->items->len; i++)
    {
      const StriaSceneItem *item = &view->scene->items[g_array_index (self->items, guint32, i)];
      double x = ((double)item->x - view->x) * view->zoom;
      double y = ((double)item->y - view->y) * view->zoom;
      double w = (double)item->width * view->zoom, h = (double)item->height * view->zoom;
      g_autofree char *title = NULL;
      gboolean overlaps = FALSE;

      if (!item->open || w < 60 || h < 3 * SIGN_PX)
        continue;
      title = group_title (self, item);
      cairo_rectangle_t box
          = { floor (MAX (x + 4, 4)), floor (MAX (y + HEADER * view->zoom - SIGN_PX - 3, 3)),
              ceil (stria_paint_kit_measure (self->kit, STRIA_TEXT_BOLD, title)) + 10,
              SIGN_PX + 3 };
      if (box.x + box.width > x + w - 4 || box.y + box.height > y + h)
        continue;
      for (guint k = 0; k < taken->len && !overlaps; k++)
        {
          const cairo_rectangle_t *other = &g_array_index (taken, cairo_rectangle_t, k);
          overlaps = box.x < other->x + other->width && other->x < box.x + box.width
                     && box.y < other->y + other->height && other->y < box.y + box.height;
        }
      if (overlaps)
        continue;
      g_array_append_val (taken, box);
      stria_graph_rounded (self->cr, box.x, box.y, box.width, box.height, 4);
      stria_paint_set_color (self->cr, self->theme->background, 0.86);
      cairo_fill (self->cr);
      stria_paint_set_color (self->cr, self->theme->text, 0.95);
      stria_paint_kit_text (self->kit, self->cr, STRIA_TEXT_BOLD, title, box.x + 5,
                            box.y + box.height / 2, 0);
    }
  cairo_restore (self->cr);
}
