/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-painter.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-paint-kit.h"

#define GLYPH_WIDTH 6.6f /* of the label font, on average */
#define MAX_CHARS 34
#define NODE_HEIGHT 38.0f
#define GROUP_HEIGHT 46.0f
#define TEXT_ZOOM 0.42    /* below it labels cannot be read and are left out */
#define DETAIL_ZOOM 0.65  /* second lines and arrow heads */
#define FLAT_PX 5.0       /* boxes lower than this are plain rectangles */
#define MIN_GROUP_PX 14.0 /* what stands in a smaller group is not seen */

typedef struct
{
  cairo_t *cr;
  const StriaGraphView *view;
  const StriaPaintTheme *theme;
  StriaPaintKit *kit;
  StriaGraph *graph;
  cairo_pattern_t *hatch;
  GArray *items; /* guint32 */
  GArray *wires;
} Painter;

void
stria_graph_view_init (StriaGraphView *view, StriaScene *scene)
{
  *view = (StriaGraphView){
    .scene = scene,
    .zoom = 1,
    .wire_alpha = 1,
    .hover_item = STRIA_NO_ITEM,
    .hover_wire = G_MAXUINT32,
  };
}

void
stria_graph_view_fit (StriaGraphView *view, double width, double height)
{
  double w = MAX ((double)view->scene->width, 1), h = MAX ((double)view->scene->height, 1);

  view->zoom = CLAMP (MIN (width / w, height / h) * 0.96, STRIA_GRAPH_MIN_ZOOM, 1.25);
  view->x = w / 2 - width / view->zoom / 2;
  view->y = h / 2 - height / view->zoom / 2;
}

static glong
shown_chars (const char *text)
{
  return MIN (g_utf8_strlen (text, 4 * MAX_CHARS), MAX_CHARS);
}

/* What a node says below its label: what comes out of it, else of what kind it is. */
static const char *
second_line (StriaGraph *graph, guint32 node)
{
  guint32 n;
  const StriaGraphPortRow *outputs = stria_graph_outputs (graph, node, &n);

  for (guint32 i = 0; i < n; i++)
    if (outputs[i].type != 0)
      return stria_graph_text (graph, outputs[i].type);
  return "";
}

void
stria_graph_measure (StriaGraph *graph,
                     guint32 node,
                     guint32 group,
                     gboolean open,
                     float *width,
                     float *height,
                     gpointer user_data)
{
  if (node != STRIA_NO_NODE)
    {
      const char *label = stria_graph_text (graph, stria_graph_node (graph, node)->label);
      glong chars = MAX (shown_chars (label), shown_chars (second_line (graph, node)) * 5 / 6);
      *width = MAX (72.0f, (float)chars * GLYPH_WIDTH + 26);
      *height = NODE_HEIGHT;
      return;
    }
  const char *label = group != STRIA_NO_GROUP
                          ? stria_graph_text (graph, stria_graph_group (graph, group)->label)
                          : "";
  *width = MAX (130.0f, (float)(shown_chars (label) + 2) * GLYPH_WIDTH + 40);
  *height = GROUP_HEIGHT;
}

StriaColor
stria_graph_scale_color (double share, gboolean diverging, gboolean dark)
{
  /* From pale to deep in one direction of lightness; orange for more, blue for less. */
  static const StriaColor light[] = { { 1.00, 0.96, 0.88 },
                                      { 0.99, 0.80, 0.54 },
                                      { 0.93, 0.52, 0.22 },
                                      { 0.70, 0.26, 0.08 },
                                      { 0.42, 0.10, 0.02 } };
  static const StriaColor night[] = { { 0.24, 0.20, 0.17 },
                                      { 0.42, 0.27, 0.14 },
                                      { 0.68, 0.38, 0.12 },
                                      { 0.92, 0.58, 0.22 },
                                      { 1.00, 0.86, 0.56 } };
  static const StriaColor less_light[] = { { 0.94, 0.96, 0.99 },
                                           { 0.68, 0.82, 0.94 },
                                           { 0.36, 0.60, 0.85 },
                                           { 0.13, 0.38, 0.66 },
                                           { 0.03, 0.19, 0.42 } };
  static const StriaColor less_night[] = { { 0.20, 0.22, 0.25 },
                                           { 0.17, 0.31, 0.46 },
                                           { 0.20, 0.46, 0.70 },
                                           { 0.40, 0.67, 0.92 },
                                           { 0.74, 0.88, 1.00 } };
  const StriaColor *stops
      = diverging && share < 0 ? (dark ? less_night : less_light) : (dark ? night : light);
  double at = CLAMP (fabs (share), 0, 1) * 4;
  guint i = MIN ((guint)at, 3);

  return stria_color_mix (stops[i], stops[i + 1], at - i);
}

static void
box_of (const Painter *self, guint32 item, double *x, double *y, double *w, double *h)
{
  const StriaSceneItem *it = &self->view->scene->items[item];
  const float *box = self->view->boxes != NULL ? self->view->boxes + 4 * (gsize)item : NULL;

  *x = (double)(box != NULL ? box[0] : it->x);
  *y = (double)(box != NULL ? box[1] : it->y);
  *w = (double)(box != NULL ? box[2] : it->width);
  *h = (double)(box != NULL ? box[3] : it->height);
}

static guint16
marks_of (const Painter *self, const StriaSceneItem *item)
{
  if (item->node != STRIA_NO_NODE)
    return self->view->node_marks != NULL ? self->view->node_marks[item->node] : 0;
  return self->view->group_marks != NULL && item->group != STRIA_NO_GROUP
                 && item->section == G_MAXUINT32
             ? self->view->group_marks[item->group]
             : 0;
}

static const StriaGraphFigure *
figure_of (const Painter *self, const StriaSceneItem *item)
{
  const StriaGraphFigure *figure = NULL;

  if (item->node != STRIA_NO_NODE)
    figure = self->view->node_figures != NULL ? &self->view->node_figures[item->node] : NULL;
  else if (self->view->group_figures != NULL && item->group != STRIA_NO_GROUP
           && item->section == G_MAXUINT32)
    figure = &self->view->group_figures[item->group];
  return figure != NULL && figure->state != STRIA_FIGURE_NONE ? figure : NULL;
}

static void
rounded (cairo_t *cr, double x, double y, double w, double h, double r)
{
  r = MIN (r, MIN (w, h) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

/* Diagonal lines, for what could have been measured and was not. */
static cairo_pattern_t *
make_hatch (StriaColor color)
{
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 8, 8);
  cairo_t *cr = cairo_create (tile);
  cairo_pattern_t *pattern;

  stria_paint_set_color (cr, color, 0.4);
  cairo_set_line_width (cr, 1.2);
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
kind_color (const Painter *self, const StriaSceneItem *item)
{
  gboolean dark = self->view->dark;

  if (item->node == STRIA_NO_NODE)
    return stria_color_mix (self->theme->band, self->theme->accent, 0.10);
  const StriaGraphNodeRow *node = stria_graph_node (self->graph, item->node);
  if (node->kind == STRIA_NODE_INPUT || node->kind == STRIA_NODE_OUTPUT)
    return self->theme->dim_text;
  return stria_color_for_name (stria_graph_text (self->graph, node->label), dark);
}

static StriaColor
fill_color (const Painter *self, const StriaSceneItem *item, gboolean flat)
{
  const StriaGraphFigure *figure = figure_of (self, item);

  if (figure != NULL && figure->state == STRIA_FIGURE_VALUE)
    return stria_graph_scale_color ((double)figure->share, self->view->diverging, self->view->dark);
  if (item->node == STRIA_NO_NODE)
    return kind_color (self, item);
  return flat ? stria_color_mix (self->theme->background, kind_color (self, item), 0.6)
              : stria_color_mix (self->theme->background, self->theme->band, 0.5);
}

/* How a mark is drawn round a box: FALSE if it has none. */
static gboolean
outline_of (const Painter *self, guint16 marks, StriaColor *color, double *width, gboolean *dashed)
{
  static const StriaColor mapped = { 0.85, 0.16, 0.55 }, match = { 0.80, 0.62, 0.05 };
  static const StriaColor up = { 0.13, 0.55, 0.33 }, down = { 0.20, 0.42, 0.85 };

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
      *color = up;
      *dashed = (marks & STRIA_GRAPH_MARK_CHANGED) != 0;
    }
  else if (marks & STRIA_GRAPH_MARK_UPSTREAM)
    *color = up;
  else if (marks & STRIA_GRAPH_MARK_DOWNSTREAM)
    *color = down;
  else
    return FALSE;
  return TRUE;
}

static void
paint_outline (Painter *self, guint16 marks, double x, double y, double w, double h)
{
  StriaColor color;
  double width;
  gboolean dashed;

  if (!outline_of (self, marks, &color, &width, &dashed))
    return;
  double px = 1 / self->view->zoom;
  const double dash[] = { 5 * px, 3 * px };
  stria_paint_set_color (self->cr, color, 1);
  cairo_set_line_width (self->cr, width * MAX (px, 0.6));
  if (dashed)
    cairo_set_dash (self->cr, dash, 2, 0);
  rounded (self->cr, x, y, w, h, 6);
  cairo_stroke (self->cr);
  cairo_set_dash (self->cr, NULL, 0, 0);
}

static void
paint_figure_bar (
    Painter *self, const StriaGraphFigure *figure, double x, double y, double w, double h)
{
  if (figure->state != STRIA_FIGURE_VALUE)
    return;
  stria_paint_set_color (self->cr, self->theme->text, 0.16);
  cairo_rectangle (self->cr, x + 8, y + h - 6, w - 16, 3);
  cairo_fill (self->cr);
  stria_paint_set_color (self->cr, self->theme->text, 0.75);
  cairo_rectangle (self->cr, x + 8, y + h - 6,
                   MAX ((w - 16) * MIN (fabs ((double)figure->share), 1), 1), 3);
  cairo_fill (self->cr);
}

/* A closed group or section looks like a stack of cards. */
static void
paint_stack (Painter *self, double x, double y, double w, double h)
{
  for (int i = 2; i > 0; i--)
    {
      rounded (self->cr, x + 3.0 * i, y - 3.0 * i, w - 3.0 * i, h, 5);
      stria_paint_set_color (self->cr, stria_color_mix (self->theme->band, self->theme->text, 0.06),
                             1);
      cairo_fill_preserve (self->cr);
      stria_paint_set_color (self->cr, self->theme->hairline, 1);
      cairo_set_line_width (self->cr, 1);
      cairo_stroke (self->cr);
    }
}

static char *
group_title (Painter *self, const StriaSceneItem *item)
{
  if (item->section != G_MAXUINT32)
    /* Translators: a part of a group with very many members */
    return g_strdup_printf (_ ("Section %u of %u"), item->section + 1, item->n_sections);
  return g_strdup (
      stria_graph_text (self->graph, stria_graph_group (self->graph, item->group)->label));
}

static void
paint_texts (Painter *self,
             const StriaSceneItem *item,
             StriaColor fill,
             double x,
             double y,
             double w,
             double h)
{
  const StriaGraphFigure *figure = figure_of (self, item);
  StriaColor ink = stria_color_text (fill);
  gboolean detail = self->view->zoom >= DETAIL_ZOOM;
  g_autofree char *title = NULL;
  g_autofree char *below = NULL;

  if (item->node != STRIA_NO_NODE)
    {
      title = g_strdup (
          stria_graph_text (self->graph, stria_graph_node (self->graph, item->node)->label));
      below = g_strdup (second_line (self->graph, item->node));
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
      below = g_strdup (figure->state == STRIA_FIGURE_VALUE ? figure->text : _ ("not measured"));
    }
  stria_paint_set_color (self->cr, ink, 1);
  if (!detail || below == NULL || *below == '\0')
    {
      stria_paint_kit_text (self->kit, self->cr,
                            item->node == STRIA_NO_NODE ? STRIA_TEXT_BOLD : STRIA_TEXT_NORMAL,
                            title, x + 12, y + h / 2, w - 18);
      return;
    }
  stria_paint_kit_text (self->kit, self->cr,
                        item->node == STRIA_NO_NODE ? STRIA_TEXT_BOLD : STRIA_TEXT_NORMAL, title,
                        x + 12, y + h * 0.32, w - 18);
  stria_paint_set_color (self->cr, ink, 0.75);
  stria_paint_kit_text (self->kit, self->cr, STRIA_TEXT_SMALL, below, x + 12, y + h * 0.66, w - 18);
}

static void
paint_closed (Painter *self, guint32 number, const StriaSceneItem *item)
{
  double x, y, w, h;
  guint16 marks = marks_of (self, item);
  const StriaGraphFigure *figure = figure_of (self, item);
  gboolean dim = (marks & STRIA_GRAPH_MARK_DIM) != 0;
  gboolean is_group = item->node == STRIA_NO_NODE;

  box_of (self, number, &x, &y, &w, &h);
  if (h * self->view->zoom < FLAT_PX)
    {
      stria_paint_set_color (self->cr, fill_color (self, item, TRUE), dim ? 0.3 : 1);
      cairo_rectangle (self->cr, x, y, w, h);
      cairo_fill (self->cr);
      paint_outline (self, marks, x, y, w, h);
      return;
    }
  StriaColor fill = fill_color (self, item, FALSE);
  if (dim)
    cairo_push_group (self->cr);
  if (is_group && self->view->zoom >= TEXT_ZOOM)
    paint_stack (self, x, y, w, h);
  rounded (self->cr, x, y, w, h, 5);
  stria_paint_set_color (self->cr, fill, 1);
  cairo_fill_preserve (self->cr);
  if (figure != NULL && figure->state == STRIA_FIGURE_UNMEASURED)
    {
      cairo_set_source (self->cr, self->hatch);
      cairo_fill_preserve (self->cr);
    }
  stria_paint_set_color (self->cr, stria_color_mix (self->theme->hairline, self->theme->text, 0.25),
                         1);
  cairo_set_line_width (self->cr, 1);
  if (marks & STRIA_GRAPH_MARK_UNMATCHED)
    cairo_set_dash (self->cr, (const double[]){ 3, 3 }, 2, 0);
  cairo_stroke (self->cr);
  cairo_set_dash (self->cr, NULL, 0, 0);
  if (!is_group)
    {
      /* What it is, by colour of its name, at its near edge. */
      rounded (self->cr, x + 3, y + 5, 4, h - 10, 2);
      stria_paint_set_color (self->cr, kind_color (self, item), 1);
      cairo_fill (self->cr);
    }
  if (self->view->zoom >= TEXT_ZOOM)
    {
      paint_texts (self, item, fill, x, y, w, h);
      if (figure != NULL)
        paint_figure_bar (self, figure, x, y, w, h);
    }
  if (dim)
    {
      cairo_pop_group_to_source (self->cr);
      cairo_paint_with_alpha (self->cr, 0.3);
    }
  paint_outline (self, marks, x, y, w, h);
}

static void
paint_open (Painter *self, guint32 number, const StriaSceneItem *item)
{
  double x, y, w, h;
  guint16 marks = marks_of (self, item);
  const StriaGraphFigure *figure = figure_of (self, item);
  StriaColor fill = stria_color_mix (self->theme->background, self->theme->text,
                                     0.030 + 0.02 * (item->parent == STRIA_NO_ITEM));

  box_of (self, number, &x, &y, &w, &h);
  rounded (self->cr, x, y, w, h, 8);
  stria_paint_set_color (self->cr, fill, 1);
  cairo_fill_preserve (self->cr);
  stria_paint_set_color (self->cr, stria_color_mix (self->theme->hairline, self->theme->text, 0.15),
                         1);
  cairo_set_line_width (self->cr, MAX (1, 0.8 / self->view->zoom));
  cairo_stroke (self->cr);
  if (figure != NULL && figure->state == STRIA_FIGURE_VALUE)
    {
      /* The group's own figure, as a strip along its title: it is not one of its members'. */
      rounded (self->cr, x + 1, y + 1, w - 2, 24, 7);
      stria_paint_set_color (self->cr, fill_color (self, item, FALSE), 1);
      cairo_fill (self->cr);
      fill = fill_color (self, item, FALSE);
    }
  if (self->view->zoom >= TEXT_ZOOM)
    {
      g_autofree char *title = group_title (self, item);
      StriaColor ink = stria_color_text (fill);
      double used;

      stria_paint_set_color (self->cr, ink, 0.9);
      used = stria_paint_kit_text (self->kit, self->cr, STRIA_TEXT_BOLD, title, x + 12, y + 14,
                                   w - 24);
      if (figure != NULL)
        {
          stria_paint_set_color (self->cr, ink, 0.8);
          stria_paint_kit_text (self->kit, self->cr, STRIA_TEXT_SMALL,
                                figure->state == STRIA_FIGURE_VALUE ? figure->text
                                                                    : _ ("not measured"),
                                x + 24 + used, y + 14, MAX (w - used - 36, 1));
        }
    }
  paint_outline (self, marks, x, y, w, h);
}

/* A line through its points with round corners. */
static void
wire_path (Painter *self, const StriaSceneWire *wire)
{
  const float *p = self->view->scene->points + 2 * (gsize)wire->first_point;
  gboolean upright = self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM;

  cairo_move_to (self->cr, (double)p[0], (double)p[1]);
  for (guint32 i = 1; i < wire->n_points; i++)
    {
      double x0 = (double)p[2 * i - 2], y0 = (double)p[2 * i - 1];
      double x1 = (double)p[2 * i], y1 = (double)p[2 * i + 1];
      if (upright)
        cairo_curve_to (self->cr, x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
      else
        cairo_curve_to (self->cr, (x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1);
    }
}

static void
arrow_head (Painter *self, const StriaSceneWire *wire)
{
  const float *p = self->view->scene->points + 2 * (gsize)(wire->first_point + wire->n_points - 1);
  double x = (double)p[0], y = (double)p[1];
  gboolean upright = self->view->scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM;

  cairo_move_to (self->cr, x, y);
  if (upright)
    {
      cairo_line_to (self->cr, x - 3.5, y - 7);
      cairo_line_to (self->cr, x + 3.5, y - 7);
    }
  else
    {
      cairo_line_to (self->cr, x - 7, y - 3.5);
      cairo_line_to (self->cr, x - 7, y + 3.5);
    }
  cairo_close_path (self->cr);
}

/* Ends that are both marked are what the line is about. */
static guint16
wire_marks (const Painter *self, const StriaSceneWire *wire)
{
  guint16 a = marks_of (self, &self->view->scene->items[wire->source]);
  guint16 b = marks_of (self, &self->view->scene->items[wire->target]);
  guint16 up = STRIA_GRAPH_MARK_SELECTED | STRIA_GRAPH_MARK_UPSTREAM;
  guint16 down = STRIA_GRAPH_MARK_SELECTED | STRIA_GRAPH_MARK_DOWNSTREAM;

  if ((a & up) && (b & up))
    return STRIA_GRAPH_MARK_UPSTREAM;
  if ((a & down) && (b & down))
    return STRIA_GRAPH_MARK_DOWNSTREAM;
  return (a | b) & STRIA_GRAPH_MARK_DIM;
}

static void
paint_wires (Painter *self, guint16 which)
{
  const StriaGraphView *view = self->view;
  double px = 1 / view->zoom;
  double least = 2 * px; /* shorter ones are not seen */
  gboolean coarse = view->zoom < 0.12;
  StriaColor color;
  double width;
  gboolean dashed;

  for (guint pass = 0; pass < 2; pass++)
    {
      if (pass == 1 && view->zoom < DETAIL_ZOOM)
        break;
      for (guint i = 0; i < self->wires->len; i++)
        {
          const StriaSceneWire *wire = &view->scene->wires[g_array_index (self->wires, guint32, i)];
          if ((double)(wire->x1 - wire->x0) < least && (double)(wire->y1 - wire->y0) < least)
            continue;
          if (wire_marks (self, wire) != which)
            continue;
          if (pass == 1)
            arrow_head (self, wire);
          else if (coarse)
            {
              const float *p = view->scene->points + 2 * (gsize)wire->first_point;
              cairo_move_to (self->cr, (double)p[0], (double)p[1]);
              for (guint32 k = 1; k < wire->n_points; k++)
                cairo_line_to (self->cr, (double)p[2 * k], (double)p[2 * k + 1]);
            }
          else
            wire_path (self, wire);
        }
      if (outline_of (self, which, &color, &width, &dashed))
        {
          stria_paint_set_color (self->cr, color, view->wire_alpha);
          cairo_set_line_width (self->cr, 2 * MAX (px, 0.7));
        }
      else
        {
          stria_paint_set_color (self->cr, self->theme->text,
                                 view->wire_alpha * (which & STRIA_GRAPH_MARK_DIM ? 0.12 : 0.42));
          cairo_set_line_width (self->cr, MAX (px * 0.8, 1));
        }
      if (pass == 0)
        cairo_stroke (self->cr);
      else
        cairo_fill (self->cr);
    }
}

static void
painter_init (Painter *self, cairo_t *cr, const StriaGraphView *view, double width, double height)
{
  self->cr = cr;
  self->view = view;
  self->theme = stria_paint_theme (view->dark);
  self->graph = view->scene->graph;
  self->hatch = make_hatch (self->theme->text);
  self->items = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->kit = stria_paint_kit_acquire (
      stria_facts_get_strings (stria_graph_get_facts (self->graph)), STRIA_GRAPH_FONT_SIZE, 1);
  stria_scene_visible (view->scene, (float)view->x, (float)view->y,
                       (float)(view->x + width / view->zoom),
                       (float)(view->y + height / view->zoom), (float)(MIN_GROUP_PX / view->zoom),
                       self->items, self->wires);
  cairo_save (cr);
  cairo_scale (cr, view->zoom, view->zoom);
  cairo_translate (cr, -view->x, -view->y);
}

static void
painter_clear (Painter *self)
{
  cairo_restore (self->cr);
  stria_paint_kit_release (self->kit);
  cairo_pattern_destroy (self->hatch);
  g_array_unref (self->items);
  g_array_unref (self->wires);
}

void
stria_graph_paint (cairo_t *cr, const StriaGraphView *view, double width, double height)
{
  Painter self;

  stria_paint_set_color (cr, stria_paint_theme (view->dark)->background, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  painter_init (&self, cr, view, width, height);
  for (guint i = 0; i < self.items->len; i++)
    {
      guint32 number = g_array_index (self.items, guint32, i);
      if (view->scene->items[number].open)
        paint_open (&self, number, &view->scene->items[number]);
    }
  paint_wires (&self, STRIA_GRAPH_MARK_DIM);
  paint_wires (&self, 0);
  paint_wires (&self, STRIA_GRAPH_MARK_UPSTREAM);
  paint_wires (&self, STRIA_GRAPH_MARK_DOWNSTREAM);
  for (guint i = 0; i < self.items->len; i++)
    {
      guint32 number = g_array_index (self.items, guint32, i);
      if (!view->scene->items[number].open)
        paint_closed (&self, number, &view->scene->items[number]);
    }
  painter_clear (&self);
}

void
stria_graph_paint_hover (cairo_t *cr, const StriaGraphView *view, double width, double height)
{
  Painter self;
  double x, y, w, h;

  if (view->hover_item >= view->scene->n_items && view->hover_wire >= view->scene->n_wires)
    return;
  painter_init (&self, cr, view, width, height);
  stria_paint_set_color (cr, self.theme->accent, 0.9);
  cairo_set_line_width (cr, 2 / view->zoom);
  if (view->hover_item < view->scene->n_items)
    {
      box_of (&self, view->hover_item, &x, &y, &w, &h);
      rounded (cr, x, y, w, h, 6);
      cairo_stroke (cr);
    }
  if (view->hover_wire < view->scene->n_wires)
    {
      wire_path (&self, &view->scene->wires[view->hover_wire]);
      cairo_stroke (cr);
    }
  painter_clear (&self);
}

void
stria_graph_paint_minimap (cairo_t *cr,
                           const StriaGraphView *view,
                           double view_width,
                           double view_height,
                           double width,
                           double height)
{
  StriaGraphView small = *view;
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);

  stria_graph_view_fit (&small, width, height);
  stria_graph_paint (cr, &small, width, height);
  cairo_rectangle (cr, (view->x - small.x) * small.zoom, (view->y - small.y) * small.zoom,
                   view_width / view->zoom * small.zoom, view_height / view->zoom * small.zoom);
  stria_paint_set_color (cr, theme->accent, 0.15);
  cairo_fill_preserve (cr);
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

double
stria_graph_paint_legend (cairo_t *cr,
                          const char *title,
                          const char *minimum,
                          const char *maximum,
                          gboolean diverging,
                          gboolean dark,
                          double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  g_autoptr (StriaStrings) strings = stria_strings_new ();
  StriaPaintKit *kit = stria_paint_kit_acquire (strings, STRIA_GRAPH_FONT_SIZE, 1);
  cairo_pattern_t *hatch = make_hatch (theme->text);
  double bar = width - 16;

  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, title, 8, 12, bar);
  for (int i = 0; i < (int)bar; i++)
    {
      double share = i / bar;
      stria_paint_set_color (
          cr, stria_graph_scale_color (diverging ? 2 * share - 1 : share, diverging, dark), 1);
      cairo_rectangle (cr, 8 + i, 24, 1.5, 10);
      cairo_fill (cr);
    }
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, minimum, 8, 44, bar / 2);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, maximum,
                        8 + bar - stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, maximum), 44, 0);
  cairo_rectangle (cr, 8, 56, 16, 10);
  stria_paint_set_color (cr, theme->band, 1);
  cairo_fill_preserve (cr);
  cairo_set_source (cr, hatch);
  cairo_fill_preserve (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, _ ("not measured"), 30, 61, bar - 22);
  cairo_pattern_destroy (hatch);
  stria_paint_kit_release (kit);
  return 72;
}
