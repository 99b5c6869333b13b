/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <pango/pangocairo.h>

#include "stria-paint-kit.h"

#define PAD          16.0
#define LINE         18.0
#define SCALE_WIDTH  260.0
#define SCALE_HEIGHT 62.0
#define SCALE_GAP    28.0
#define BAR_HEIGHT   10.0
#define NOTE_GAP     3.0
#define MOST_ZOOM    1.25
#define LEAST_GRAPH  64.0 /* pixels that the graph has at least, however much there is to say */

/* Where a paragraph goes; @cr NULL: measured only */
typedef struct
{
  cairo_t     *cr;
  PangoLayout *layout;
  double       width;
} Writer;

static void
writer_init (Writer *self, cairo_t *cr, double width)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());

  self->cr = cr;
  self->width = MAX (width, 1);
  self->layout = pango_layout_new (context);
  pango_layout_set_wrap (self->layout, PANGO_WRAP_WORD_CHAR);
  g_object_unref (context);
}

static void
writer_clear (Writer *self)
{
  g_object_unref (self->layout);
}

/* Returns: the height of the text; its upper edge is at @y */
static double
write_text (Writer *self, const char *text, double points, gboolean bold, gboolean wrap, double x,
            double y)
{
  PangoFontDescription *font = pango_font_description_from_string ("Cantarell, Sans");
  int height;

  pango_font_description_set_absolute_size (font, points * 96 / 72 * PANGO_SCALE);
  pango_font_description_set_weight (font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (self->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (self->layout, (int) (self->width * PANGO_SCALE));
  pango_layout_set_ellipsize (self->layout, wrap ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (self->layout, !wrap);
  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, NULL, &height);
  if (self->cr != NULL)
    {
      cairo_move_to (self->cr, x, y);
      pango_cairo_show_layout (self->cr, self->layout);
    }
  return height;
}

static guint
scales_in_row (double width)
{
  return (guint) MAX (1, floor ((width - 2 * PAD + SCALE_GAP) / (SCALE_WIDTH + SCALE_GAP)));
}

static double
write_notes (Writer *writer, const StriaGraphSheet *sheet, double y)
{
  for (guint i = 0; sheet->notes != NULL && sheet->notes[i] != NULL; i++)
    y += write_text (writer, sheet->notes[i], STRIA_GRAPH_FONT_SIZE, FALSE, TRUE, PAD, y)
         + NOTE_GAP;
  return y;
}

void
stria_graph_sheet_margins (const StriaGraphSheet *sheet, double width, double *above,
                           double *below)
{
  const guint in_row = scales_in_row (width);
  const guint rows = (sheet->n_scales + in_row - 1) / in_row;
  Writer writer;
  double notes;

  writer_init (&writer, NULL, width - 2 * PAD);
  notes = write_notes (&writer, sheet, 0);
  writer_clear (&writer);
  *above = 2 * PAD + 2 * LINE + 4;
  *below = PAD;
  if (rows > 0)
    *below += rows * SCALE_HEIGHT + LINE;
  if (notes > 0)
    *below += notes + PAD;
}

static void
paint_hatch (cairo_t *cr, const StriaPaintTheme *theme, double x, double y)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, 22, BAR_HEIGHT);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->band, 1);
  cairo_paint (cr);
  stria_paint_set_color (cr, theme->text, 0.4);
  cairo_set_line_width (cr, 1.2);
  for (double at = x - BAR_HEIGHT; at < x + 22; at += 8)
    {
      cairo_move_to (cr, at, y + BAR_HEIGHT);
      cairo_line_to (cr, at + BAR_HEIGHT, y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_scale (Writer *writer, const StriaGraphSheetScale *scale, const StriaGraphView *view,
             double x, double y)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  cairo_pattern_t *bar = cairo_pattern_create_linear (x, 0, x + SCALE_WIDTH, 0);
  cairo_t *cr = writer->cr;
  int width;

  for (int i = 0; i <= 16; i++)
    {
      const double share = i / 16.0;
      const StriaColor color = stria_graph_scale_color (view->diverging ? 2 * share - 1 : share,
                                                        view->diverging, view->dark);

      cairo_pattern_add_color_stop_rgb (bar, share, color.r, color.g, color.b);
    }
  writer->width = SCALE_WIDTH;
  stria_paint_set_color (cr, theme->text, 1);
  write_text (writer, scale->title, STRIA_GRAPH_FONT_SIZE, TRUE, FALSE, x, y);
  stria_paint_set_color (cr, theme->dim_text, 1);
  write_text (writer, scale->note, STRIA_GRAPH_FONT_SIZE - 1, FALSE, FALSE, x, y + 15);
  cairo_rectangle (cr, x, y + 32, SCALE_WIDTH, BAR_HEIGHT);
  cairo_set_source (cr, bar);
  cairo_fill_preserve (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_pattern_destroy (bar);
  stria_paint_set_color (cr, theme->text, 1);
  writer->width = SCALE_WIDTH / 2 - 4;
  write_text (writer, scale->minimum, STRIA_GRAPH_FONT_SIZE - 1, FALSE, FALSE, x, y + 44);
  pango_layout_set_text (writer->layout, scale->maximum, -1);
  pango_layout_get_pixel_size (writer->layout, &width, NULL);
  write_text (writer, scale->maximum, STRIA_GRAPH_FONT_SIZE - 1, FALSE, FALSE,
              x + SCALE_WIDTH - width, y + 44);
}

static void
paint_head (Writer *writer, const StriaGraphSheet *sheet, const StriaPaintTheme *theme)
{
  stria_paint_set_color (writer->cr, theme->text, 1);
  write_text (writer, sheet->title, STRIA_GRAPH_FONT_SIZE + 3, TRUE, FALSE, PAD, PAD);
  stria_paint_set_color (writer->cr, theme->dim_text, 1);
  write_text (writer, sheet->subtitle, STRIA_GRAPH_FONT_SIZE, FALSE, FALSE, PAD,
              PAD + LINE + 6);
}

static void
paint_foot (Writer *writer, const StriaGraphSheet *sheet, const StriaGraphView *view, double width,
            double y)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const guint in_row = scales_in_row (width);

  for (guint i = 0; i < sheet->n_scales; i++)
    paint_scale (writer, &sheet->scales[i], view, PAD + i % in_row * (SCALE_WIDTH + SCALE_GAP),
                 y + i / in_row * SCALE_HEIGHT);
  y += (sheet->n_scales + in_row - 1) / in_row * SCALE_HEIGHT;
  if (sheet->n_scales > 0)
    {
      paint_hatch (writer->cr, theme, PAD, y + 2);
      writer->width = width - 2 * PAD;
      stria_paint_set_color (writer->cr, theme->text, 1);
      write_text (writer, _ ("not measured"), STRIA_GRAPH_FONT_SIZE - 1, FALSE, FALSE, PAD + 30, y);
      y += LINE;
    }
  writer->width = width - 2 * PAD;
  stria_paint_set_color (writer->cr, theme->text, 0.9);
  if (sheet->notes != NULL && sheet->notes[0] != NULL)
    write_notes (writer, sheet, sheet->n_scales > 0 ? y + PAD / 2 : y);
}

static void
hairline (cairo_t *cr, const StriaPaintTheme *theme, double y, double width)
{
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, 0, y + 0.5);
  cairo_line_to (cr, width, y + 0.5);
  cairo_stroke (cr);
}

/* The whole scene, with the same margin on each side. */
static void
fit (StriaGraphView *view, double width, double height)
{
  const double wide = MAX ((double) view->scene->width, 1);
  const double high = MAX ((double) view->scene->height, 1);
  const double zoom = MIN ((width - 2 * STRIA_GRAPH_SHEET_MARGIN) / wide,
                           (height - 2 * STRIA_GRAPH_SHEET_MARGIN) / high);

  view->zoom = CLAMP (zoom, STRIA_GRAPH_MIN_ZOOM, MOST_ZOOM);
  view->x = (wide - width / view->zoom) / 2;
  view->y = (high - height / view->zoom) / 2;
}

/* @room: height of the graph */
static void
paint_around (cairo_t *cr, const StriaGraphSheet *sheet, const StriaGraphView *view, double width,
              double above, double room)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  Writer writer;

  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  cairo_save (cr);
  cairo_translate (cr, 0, above);
  cairo_rectangle (cr, 0, 0, width, room);
  cairo_clip (cr);
  stria_graph_paint (cr, view, width, room);
  cairo_restore (cr);
  writer_init (&writer, cr, width - 2 * PAD);
  paint_head (&writer, sheet, theme);
  hairline (cr, theme, above - 1, width);
  if (sheet->n_scales > 0 || (sheet->notes != NULL && sheet->notes[0] != NULL))
    {
      hairline (cr, theme, above + room, width);
      paint_foot (&writer, sheet, view, width, above + room + PAD / 2 + 2);
    }
  writer_clear (&writer);
}

void
stria_graph_sheet_paint (cairo_t *cr, const StriaGraphSheet *sheet, const StriaGraphView *view,
                         double width, double height)
{
  StriaGraphView shown = *view;
  double above, below, room;

  stria_graph_sheet_margins (sheet, width, &above, &below);
  room = MAX (height - above - below, LEAST_GRAPH);
  fit (&shown, width, room);
  paint_around (cr, sheet, &shown, width, above, room);
}

void
stria_graph_sheet_paint_view (cairo_t *cr, const StriaGraphSheet *sheet,
                              const StriaGraphView *view, double width, double height,
                              double view_height)
{
  double above, below;

  stria_graph_sheet_margins (sheet, width, &above, &below);
  paint_around (cr, sheet, view, width, above, view_height);
}
