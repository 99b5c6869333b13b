/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-painter.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-graph-paint-private.h"

#define GLYPH_WIDTH 6.6f /* of the label font, on average */
#define MAX_CHARS 34
#define NODE_HEIGHT 38.0f
#define GROUP_HEIGHT 46.0f
#define MIN_MOVED_PX 1.0

/* Boxes of which the texts are drawn as outlines: more of them would take more than a frame. */
#define MAX_OUTLINED 48

#define MAX_BANDS  4
#define MUCH       1500 /* boxes and wires that are worth more than one thread */
#define BAND_REACH 8    /* pixels that frames and lines stand out */

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

  view->zoom = CLAMP (MIN (width / w, height / h) * 0.96, STRIA_GRAPH_MIN_ZOOM,
                      1.25 * STRIA_GRAPH_FULL_SIZE);
  view->x = w / 2 - width / view->zoom / 2;
  view->y = h / 2 - height / view->zoom / 2;
}

static glong
shown_chars (const char *text)
{
  return MIN (g_utf8_strlen (text, 4 * MAX_CHARS), MAX_CHARS);
}

const char *
stria_graph_second_line (StriaGraph *graph, guint32 node)
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
      glong below = shown_chars (stria_graph_second_line (graph, node)) * 5 / 6;
      glong chars = MAX (shown_chars (label), below);
      *width = MAX (72.0f, (float)chars * GLYPH_WIDTH + 26);
      *height = NODE_HEIGHT;
      return;
    }
  const char *label = group != STRIA_NO_GROUP
                          ? stria_graph_text (graph, stria_graph_group (graph, group)->label)
                          : "";
  *width = MAX (130.0f, (float)(shown_chars (label) + 2) * GLYPH_WIDTH + 46);
  *height = GROUP_HEIGHT;
}

const char *
stria_graph_figure_text (const StriaGraphFigure *figure)
{
  return figure->state == STRIA_FIGURE_VALUE || *figure->text != '\0' ? figure->text
                                                                     : _ ("not measured");
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
painter_init (
    StriaGraphPainter *self, cairo_t *cr, const StriaGraphView *view, double width, double height)
{
  *self = (StriaGraphPainter){
    .cr = cr,
    .view = view,
    .theme = stria_paint_theme (view->dark),
    .graph = view->scene->graph,
    .width = width,
    .height = height,
  };
  cairo_save (cr);
  cairo_scale (cr, view->zoom, view->zoom);
  cairo_translate (cr, -view->x, -view->y);
}

/* Boxes that move are not where the scene has them: all of them are looked at. */
static void
find_moved (StriaGraphPainter *self)
{
  const StriaScene *scene = self->view->scene;
  double zoom = self->view->zoom;

  for (guint32 i = 0; i < scene->n_items; i++)
    {
      double x, y, w, h;

      stria_graph_box_of (self, i, &x, &y, &w, &h);
      if (MAX (w, h) * zoom >= MIN_MOVED_PX && (x + w - self->view->x) * zoom > 0
          && (x - self->view->x) * zoom < self->width && (y + h - self->view->y) * zoom > 0
          && (y - self->view->y) * zoom < self->height)
        g_array_append_val (self->items, i);
    }
  for (guint32 i = 0; i < scene->n_wires; i++)
    g_array_append_val (self->wires, i);
}

static void
find_visible (StriaGraphPainter *self)
{
  const StriaGraphView *view = self->view;

  self->items = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (view->boxes != NULL)
    find_moved (self);
  else
    stria_scene_visible (
        view->scene, (float)view->x, (float)view->y, (float)(view->x + self->width / view->zoom),
        (float)(view->y + self->height / view->zoom), (float)(STRIA_GRAPH_LEAST_PX / view->zoom),
        self->items, self->wires);
}

/* Boxes and wires that touch what @self paints of the picture, out of those of the whole. */
static void
pick (StriaGraphPainter *self, const StriaGraphPainter *whole)
{
  const StriaScene *scene = self->view->scene;
  const float above = (float)((self->pixels.y0 - self->top - BAND_REACH) / self->scale);
  const float below = (float)((self->pixels.y1 - self->top + BAND_REACH) / self->scale);

  self->items = g_array_sized_new (FALSE, FALSE, sizeof (guint32), whole->items->len);
  self->wires = g_array_sized_new (FALSE, FALSE, sizeof (guint32), whole->wires->len);
  for (guint i = 0; i < whole->items->len; i++)
    {
      const guint32 number = g_array_index (whole->items, guint32, i);
      const StriaSceneItem *item = &scene->items[number];
      if (item->y < below && item->y + item->height > above)
        g_array_append_val (self->items, number);
    }
  for (guint i = 0; i < whole->wires->len; i++)
    {
      const guint32 number = g_array_index (whole->wires, guint32, i);
      const StriaSceneWire *wire = &scene->wires[number];
      if (wire->y0 < below && wire->y1 > above)
        g_array_append_val (self->wires, number);
    }
}

static void
paint_things (StriaGraphPainter *self)
{
  const StriaSceneItem *items = self->view->scene->items;

  for (guint i = 0; i < self->items->len; i++)
    {
      guint32 number = g_array_index (self->items, guint32, i);
      if (items[number].open)
        stria_graph_paint_open (self, number);
    }
  stria_graph_paint_wires (self);
  for (guint i = 0; i < self->items->len; i++)
    {
      guint32 number = g_array_index (self->items, guint32, i);
      if (!items[number].open)
        stria_graph_paint_closed (self, number);
    }
}

typedef struct
{
  const StriaGraphPainter *whole;
  StriaGraphPainter        painter;
  GThread                 *thread;
} Band;

static gpointer
paint_band (gpointer data)
{
  Band *band = data;
  StriaGraphPainter *painter = &band->painter;

  pick (painter, band->whole);
  painter->kit = stria_paint_kit_acquire (
      stria_facts_get_strings (stria_graph_get_facts (painter->graph)), STRIA_GRAPH_FONT_SIZE, 1);
  paint_things (painter);
  stria_paint_kit_release (painter->kit);
  stria_graph_pixels_clear (&painter->pixels);
  g_array_unref (painter->items);
  g_array_unref (painter->wires);
  return NULL;
}

/* What is much and has no words is painted by several threads, each a band of the picture.
 * FALSE: it is not so */
static gboolean
paint_bands (const StriaGraphPainter *whole)
{
  const guint n = MIN (g_get_num_processors (), MAX_BANDS);
  const int height = whole->pixels.y1 - whole->pixels.y0;
  Band bands[MAX_BANDS];

  if (!whole->direct || n < 2 || whole->view->zoom >= STRIA_GRAPH_TEXT_ZOOM
      || whole->view->boxes != NULL || whole->items->len + whole->wires->len < MUCH
      || height < (int)n * BAND_REACH)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      Band *band = &bands[i];

      *band = (Band){ .whole = whole, .painter = *whole };
      stria_graph_pixels_band (&band->painter.pixels, &whole->pixels,
                               whole->pixels.y0 + (int)((gint64)height * i / n),
                               whole->pixels.y0 + (int)((gint64)height * (i + 1) / n));
      if (i > 0)
        band->thread = g_thread_try_new ("graph-band", paint_band, band, NULL);
    }
  for (guint i = 0; i < n; i++)
    if (bands[i].thread == NULL)
      paint_band (&bands[i]);
  for (guint i = 0; i < n; i++)
    if (bands[i].thread != NULL)
      g_thread_join (bands[i].thread);
  return TRUE;
}

void
stria_graph_paint (cairo_t *cr, const StriaGraphView *view, double width, double height)
{
  StriaGraphPainter self;

  stria_paint_set_color (cr, stria_paint_theme (view->dark)->background, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  painter_init (&self, cr, view, width, height);
  find_visible (&self);
  self.hatch = stria_graph_make_hatch (self.theme->text);
  self.kit = stria_paint_kit_acquire (
      stria_facts_get_strings (stria_graph_get_facts (self.graph)), STRIA_GRAPH_FONT_SIZE, 1);
  stria_paint_kit_set_outlines (self.kit, self.items->len <= MAX_OUTLINED);
  stria_graph_pen_init (&self);
  if (!paint_bands (&self))
    paint_things (&self);
  stria_graph_pen_clear (&self);
  stria_graph_paint_signs (&self);
  cairo_restore (cr);
  stria_paint_kit_release (self.kit);
  cairo_pattern_destroy (self.hatch);
  g_array_unref (self.items);
  g_array_unref (self.wires);
}

void
stria_graph_paint_hover (cairo_t *cr, const StriaGraphView *view, double width, double height)
{
  StriaGraphPainter self;
  double x, y, w, h;

  if (view->hover_item >= view->scene->n_items && view->hover_wire >= view->scene->n_wires)
    return;
  painter_init (&self, cr, view, width, height);
  stria_paint_set_color (cr, self.theme->accent, 0.9);
  cairo_set_line_width (cr, 2 / view->zoom);
  if (view->hover_item < view->scene->n_items)
    {
      stria_graph_box_of (&self, view->hover_item, &x, &y, &w, &h);
      stria_graph_rounded (cr, x, y, w, h, 6);
      cairo_stroke (cr);
    }
  if (view->hover_wire < view->scene->n_wires)
    {
      cairo_new_path (cr);
      stria_graph_wire_path (&self, &view->scene->wires[view->hover_wire], 2 / view->zoom);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
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

  small.plain = TRUE;
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
  cairo_pattern_t *hatch = stria_graph_make_hatch (theme->text);
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
