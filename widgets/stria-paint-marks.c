/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-kit.h"
#include "stria-time-marks.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define ROW          STRIA_TIME_MARKS_ROW_HEIGHT
#define BAR_INSET    1.5
#define LABEL_LEAST  stria_text_px (18.0)
#define LABEL_MOST   stria_text_px (220.0)
#define LABEL_PAD    5.0
#define BAND_LEAST   2.0

static StriaColor
color_of (guint32 rgb)
{
  return stria_paint_from_argb (rgb);
}

/* Whether dark ink can be read on a colour */
static gboolean
is_light (StriaColor color)
{
  return 0.299 * color.r + 0.587 * color.g + 0.114 * color.b > 0.58;
}

/* A colour of text on the strip itself */
static StriaColor
ink_of (StriaColor color, gboolean dark)
{
  const double share = stria_color_get_high_contrast () ? 0.8 : dark ? 0.55 : 0.35;
  const double end = dark ? 1 : 0;

  return (StriaColor){ color.r + (end - color.r) * share, color.g + (end - color.g) * share,
                       color.b + (end - color.b) * share };
}

static void
rounded (cairo_t *cr, double x, double y, double w, double h, double r)
{
  r = MIN (r, MIN (w, h) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static void
paint_label (cairo_t *cr, StriaPaintKit *kit, const StriaTimeMark *mark, StriaColor ink, double x,
             double y, double most)
{
  stria_paint_set_color (cr, ink, 1);
  stria_paint_kit_text (kit, cr, mark->selected ? STRIA_TEXT_BOLD : STRIA_TEXT_SMALL, mark->label,
                        x, y, most);
}

/* A stretch: its bar, and its label in it, or beside it where there is room. */
static void
paint_bar (cairo_t *cr, StriaPaintKit *kit, const StriaTimeMark *mark, gboolean dark, double x0,
           double x1, double room, double y)
{
  const StriaColor color = color_of (mark->rgb);
  const StriaColor on = is_light (color) ? (StriaColor){ 0.1, 0.1, 0.1 } : (StriaColor){ 1, 1, 1 };
  const double left = MAX (x0, 0) + LABEL_PAD;
  const double inside = MIN (x1, room) - left - LABEL_PAD + 2;
  const double beside = MIN (room - x1 - 6, LABEL_MOST);

  stria_paint_set_color (cr, color, mark->selected ? 1 : 0.82);
  rounded (cr, x0, y + BAR_INSET, x1 - x0, ROW - 2 * BAR_INSET, 3);
  cairo_fill (cr);
  if (mark->selected || stria_color_get_high_contrast ())
    {
      stria_paint_set_color (cr, stria_paint_theme (dark)->text, 1);
      cairo_set_line_width (cr, mark->selected ? 1.5 : 1);
      rounded (cr, x0 + 0.5, y + BAR_INSET + 0.5, MAX (x1 - x0 - 1, 1), ROW - 2 * BAR_INSET - 1, 3);
      cairo_stroke (cr);
    }
  if (inside >= LABEL_LEAST)
    paint_label (cr, kit, mark, on, left, y + ROW / 2, inside);
  else if (beside >= LABEL_LEAST && x1 < room)
    paint_label (cr, kit, mark, ink_of (color, dark), x1 + 4, y + ROW / 2, beside);
}

/* A moment: a flag that its label stands in as far as there is room. */
static void
paint_flag (cairo_t *cr, StriaPaintKit *kit, const StriaTimeMark *mark, gboolean dark, double x,
            double room, double y)
{
  const StriaColor color = color_of (mark->rgb);
  const StriaColor on = is_light (color) ? (StriaColor){ 0.1, 0.1, 0.1 } : (StriaColor){ 1, 1, 1 };
  const double most = MIN (room - x - 2 - 2 * LABEL_PAD, LABEL_MOST);
  const gboolean labelled = most >= LABEL_LEAST;
  double width = 7;

  if (labelled)
    width = MIN (stria_paint_kit_measure (kit, mark->selected ? STRIA_TEXT_BOLD : STRIA_TEXT_SMALL,
                                          mark->label),
                 most)
            + 2 * LABEL_PAD;
  stria_paint_set_color (cr, color, 1);
  if (labelled)
    rounded (cr, x, y + BAR_INSET, width, ROW - 2 * BAR_INSET, 3);
  else
    {
      cairo_move_to (cr, x, y + BAR_INSET);
      cairo_line_to (cr, x + width, y + ROW / 2);
      cairo_line_to (cr, x, y + ROW - BAR_INSET);
      cairo_close_path (cr);
    }
  cairo_fill (cr);
  cairo_rectangle (cr, x, y + BAR_INSET, 1, ROW - BAR_INSET);
  cairo_fill (cr);
  if (mark->selected)
    {
      stria_paint_set_color (cr, stria_paint_theme (dark)->text, 1);
      cairo_set_line_width (cr, 1.5);
      rounded (cr, x + 0.5, y + BAR_INSET + 0.5, MAX (width - 1, 1), ROW - 2 * BAR_INSET - 1, 3);
      cairo_stroke (cr);
    }
  if (labelled)
    paint_label (cr, kit, mark, on, x + LABEL_PAD, y + ROW / 2, most);
}

void
stria_time_marks_paint_strip (StriaTimeMarks *self, cairo_t *cr, StriaStrings *strings,
                              double font_size, gboolean dark, gint64 t0, gint64 t1, double width,
                              double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  g_autoptr (StriaPaintKit) kit = stria_paint_kit_acquire (strings, font_size, 1);
  double last = -100;
  guint last_row = G_MAXUINT;

  stria_paint_set_color (cr, theme->margin, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_fill (cr);
  for (guint i = 0; i < stria_time_marks_size (self); i++)
    {
      const StriaTimeMark *mark = stria_time_marks_get (self, i);
      double x0 = 0, x1 = 0, room = 0;

      if (!stria_time_marks_place (self, i, t0, t1, width, &x0, &x1, &room))
        continue;
      /* Thousands in a row take no longer than a row has pixels. */
      if (mark->row == last_row && x0 <= last && x1 <= last + 3 && !mark->selected)
        continue;
      last_row = mark->row;
      last = x0;
      if (mark->t1 > mark->t0)
        paint_bar (cr, kit, mark, dark, x0, x1, room, 1 + mark->row * ROW);
      else
        paint_flag (cr, kit, mark, dark, x0, room, 1 + mark->row * ROW);
    }
}

void
stria_time_marks_paint_titles (StriaTimeMarks *self, cairo_t *cr, StriaStrings *strings,
                               double font_size, gboolean dark, double width, double height)
{
  const char *const titles[STRIA_MARK_N_KINDS]
      = { _ ("Annotations"), _ ("Regions"), _ ("Warnings") };
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  g_autoptr (StriaPaintKit) kit = stria_paint_kit_acquire (strings, font_size, 1);

  stria_paint_set_color (cr, theme->margin, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_rectangle (cr, width - 1, 0, 1, height);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->dim_text, 1);
  for (guint kind = 0; kind < STRIA_MARK_N_KINDS; kind++)
    {
      guint first = 0;

      if (stria_time_marks_rows_of (self, kind, &first) > 0)
        stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, titles[kind], 12,
                              1 + (first + 0.5) * ROW, width - 20);
    }
}

void
stria_time_marks_paint_bands (StriaTimeMarks *self, cairo_t *cr, gboolean dark, gint64 t0,
                              gint64 t1, double width, double height)
{
  static const double fills[2][STRIA_MARK_N_KINDS] = { { 0.10, 0.07, 0.13 }, { 0.16, 0.10, 0.15 } };
  static const double edges[STRIA_MARK_N_KINDS] = { 0.9, 0.45, 0.35 };

  /* What a person wrote lies on top of what was found. */
  for (guint i = stria_time_marks_size (self); i-- > 0;)
    {
      const StriaTimeMark *mark = stria_time_marks_get (self, i);
      const StriaColor color = color_of (mark->rgb);
      const double from = floor (stria_time_to_x (mark->t0, t0, t1, width));
      const double to = floor (stria_time_to_x (mark->t1, t0, t1, width));
      const double thick = mark->selected ? 2 : 1;

      if (to < -2 || from > width + 2)
        continue;
      if (mark->kind != STRIA_MARK_ANNOTATION && to - from < BAND_LEAST)
        continue;
      if (mark->t1 > mark->t0)
        {
          stria_paint_set_color (cr, color, fills[dark ? 1 : 0][mark->kind]
                                                * (mark->selected ? 1.5 : 1));
          cairo_rectangle (cr, MAX (from, -2), 0, MIN (to, width + 2) - MAX (from, -2), height);
          cairo_fill (cr);
        }
      stria_paint_set_color (cr, color, mark->selected ? 1 : edges[mark->kind]);
      if (from >= -2)
        cairo_rectangle (cr, from, 0, thick, height);
      if (mark->t1 > mark->t0 && to <= width + 2)
        cairo_rectangle (cr, to - thick, 0, thick, height);
      cairo_fill (cr);
    }
}

void
stria_time_marks_paint_ticks (StriaTimeMarks *self, cairo_t *cr, gint64 t0, gint64 t1,
                              double width, double height)
{
  double last = -10;

  for (guint i = stria_time_marks_size (self); i-- > 0;)
    {
      const StriaTimeMark *mark = stria_time_marks_get (self, i);
      const double from = floor (stria_time_to_x (mark->t0, t0, t1, width));
      const double to = floor (stria_time_to_x (mark->t1, t0, t1, width));

      if (mark->kind == STRIA_MARK_REGION || to < 0 || from > width)
        continue;
      if (mark->kind == STRIA_MARK_WARNING)
        {
          if (fabs (from - last) < 1 && to - from < 2)
            continue;
          stria_paint_set_color (cr, color_of (mark->rgb), 0.75);
          cairo_rectangle (cr, from, height - 5, MAX (to - from, 1), 3);
          last = from;
        }
      else
        {
          stria_paint_set_color (cr, color_of (mark->rgb), 1);
          cairo_rectangle (cr, from, 0, MAX (MIN (to - from, 2), 1), height - 1);
        }
      cairo_fill (cr);
    }
}
