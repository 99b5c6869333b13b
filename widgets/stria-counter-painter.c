/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-counter-painter.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-paint-kit.h"

#define MIN_LINE_WIDTH 4 /* a part narrower than this has no line beside it */
#define N_SERIES       8 /* that stria_color_series() tells apart */

#define FONT_SIZE    9.0
#define PAD          16.0
#define HEAD         64.0
#define LEGEND_LINE  20.0
#define SWATCH       11.0
#define LEGEND_GAP   20.0
#define ROW          26.0
#define BAR          16.0
#define NAME_WIDTH   220.0
#define VALUE_WIDTH  130.0
#define COLUMN_GAP   12.0

StriaColor
stria_counter_bars_color (guint n, gboolean dark)
{
  const StriaColor background = stria_paint_theme (dark)->background;
  const double share = MIN (0.2 * (n / N_SERIES), 0.6);

  return stria_color_mix (stria_color_series (n, dark), background, share);
}

void
stria_counter_bars_paint (cairo_t *cr, const StriaCounterPart *parts, guint n, double full,
                          double width, double height, gboolean dark)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  double x = 0;

  stria_paint_set_color (cr, theme->alternate, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  for (guint i = 0; i < n && full > 0; i++)
    {
      const double w = parts[i].value / full * width;

      stria_paint_set_color (cr, stria_counter_bars_color (parts[i].color, dark), 1);
      cairo_rectangle (cr, x, 0, w, height);
      cairo_fill (cr);
      x += w;
      if (w < MIN_LINE_WIDTH)
        continue;
      stria_paint_set_color (cr, theme->background, 1);
      cairo_rectangle (cr, x - 1, 0, 1, height);
      cairo_fill (cr);
    }
}

/* Where the entries of the legend stand; @cr NULL: nowhere. Returns: lines that they take */
static guint
write_legend (const StriaCounterSheet *sheet, StriaPaintKit *kit, cairo_t *cr, double y,
              double width, gboolean dark)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  double x = PAD;
  guint lines = sheet->n_names > 0 ? 1 : 0;

  for (guint i = 0; i < sheet->n_names; i++)
    {
      const double text = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, sheet->names[i]);
      const double needs = SWATCH + 6 + text;

      if (x > PAD && x + needs > width - PAD)
        {
          x = PAD;
          y += LEGEND_LINE;
          lines++;
        }
      if (cr != NULL)
        {
          stria_paint_set_color (cr, stria_counter_bars_color (i, dark), 1);
          cairo_rectangle (cr, x, y - SWATCH / 2, SWATCH, SWATCH);
          cairo_fill (cr);
          stria_paint_set_color (cr, theme->text, 1);
          stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, sheet->names[i], x + SWATCH + 6, y,
                                width - 2 * PAD);
        }
      x += needs + LEGEND_GAP;
    }
  return lines;
}

double
stria_counter_sheet_height (const StriaCounterSheet *sheet, double width)
{
  g_autoptr (StriaStrings) strings = stria_strings_new ();
  g_autoptr (StriaPaintKit) kit = stria_paint_kit_acquire (strings, FONT_SIZE, 1);
  const guint lines = write_legend (sheet, kit, NULL, 0, width, FALSE);

  return ceil (HEAD + lines * LEGEND_LINE + PAD + sheet->n_rows * ROW + PAD + LEGEND_LINE);
}

static void
paint_row (const StriaCounterRow *row, double full, StriaPaintKit *kit, cairo_t *cr, double y,
           double width, gboolean dark)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  const double at = PAD + NAME_WIDTH + COLUMN_GAP;
  const double bar = MAX (width - at - COLUMN_GAP - VALUE_WIDTH - PAD, 40);
  const double value = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, row->value);

  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, row->name, PAD, y + ROW / 2, NAME_WIDTH);
  cairo_save (cr);
  cairo_translate (cr, at, y + (ROW - BAR) / 2);
  stria_counter_bars_paint (cr, row->parts, row->n, full, bar, BAR, dark);
  cairo_restore (cr);
  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, row->value,
                        width - PAD - MIN (value, VALUE_WIDTH), y + ROW / 2, VALUE_WIDTH);
}

void
stria_counter_sheet_paint (cairo_t *cr, const StriaCounterSheet *sheet, double width,
                           double height, gboolean dark)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  g_autoptr (StriaStrings) strings = stria_strings_new ();
  g_autoptr (StriaPaintKit) kit = stria_paint_kit_acquire (strings, FONT_SIZE, 1);
  const double room = width - 2 * PAD;
  double y = HEAD + LEGEND_LINE / 2;
  guint n = sheet->n_rows;

  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, sheet->title, PAD, PAD + 4, room);
  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, sheet->subtitle, PAD, PAD + 22, room);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, sheet->note, PAD, PAD + 40, room);
  y += write_legend (sheet, kit, cr, y, width, dark) * LEGEND_LINE;
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, floor (y), width, 1);
  cairo_fill (cr);
  y += PAD / 2;
  while (n > 0 && y + n * ROW > height - PAD)
    n--;
  for (guint i = 0; i < n; i++, y += ROW)
    paint_row (&sheet->rows[i], sheet->full, kit, cr, y, width, dark);
  if (n < sheet->n_rows)
    {
      const guint left = sheet->n_rows - n;
      g_autofree char *text = g_strdup_printf (
          ngettext ("%u more is left out.", "%u more are left out.", left), left);

      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text, PAD, height - PAD / 2, room);
    }
}
