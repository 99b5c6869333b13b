/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-paint-private.h"

#include <math.h>

#define LANE_HEIGHT stria_text_px (26.0)
#define BAR_HEIGHT  stria_text_px (18.0)
#define EDGE        stria_text_px (10.0)

static void
paint_bars (cairo_t *cr, const StriaPreview *preview, const StriaPreviewLane *lane, gboolean dark,
            double x, double y, double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  const StriaColor color = stria_color_for_name (lane->name != NULL ? lane->name : "", dark);
  const double step = width / preview->n_bins;

  for (guint i = 0; i < preview->n_bins; i++)
    {
      const double share = CLAMP (lane->bins[i], 0, 1);

      if (lane->bins[i] <= 0)
        continue;
      stria_paint_set_color (cr, stria_color_mix (theme->background, color, 0.25 + 0.75 * share), 1);
      cairo_rectangle (cr, floor (x + i * step), y, ceil ((i + 1) * step) - floor (i * step),
                       BAR_HEIGHT);
      cairo_fill (cr);
    }
}

static void
paint_lane (cairo_t *cr, StriaPaintKit *kit, const StriaPreview *preview, guint i, gboolean dark,
            double header, double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  const StriaPreviewLane *lane = &preview->lanes[i];
  const double y = STRIA_TIMELINE_RULER_HEIGHT + i * LANE_HEIGHT;

  stria_paint_set_color (cr, i % 2 == 0 ? theme->background : theme->alternate, 1);
  cairo_rectangle (cr, header, y, width - header, LANE_HEIGHT);
  cairo_fill (cr);
  paint_bars (cr, preview, lane, dark, header, y + (LANE_HEIGHT - BAR_HEIGHT) / 2, width - header);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, lane->name != NULL ? lane->name : "", EDGE,
                        y + LANE_HEIGHT / 2, MAX (header - 2 * EDGE, 20));
}

static void
paint_ends (cairo_t *cr, StriaPaintKit *kit, const StriaPreview *preview, gboolean dark,
            double header, double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  const double middle = STRIA_TIMELINE_RULER_HEIGHT / 2;
  g_autofree char *length = stria_format_duration (preview->t1 - preview->t0, 4);
  const double room = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, length);

  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, "0", header + 6, middle, 0);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, length, width - EDGE - room, middle, 0);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, STRIA_TIMELINE_RULER_HEIGHT - 1, width, 1);
  cairo_rectangle (cr, header - 1, 0, 1, 100000);
  cairo_fill (cr);
}

/* Kits are kept by their table of names; a preview brings its names as text. */
static StriaStrings *
no_names (void)
{
  static gsize strings;

  if (g_once_init_enter (&strings))
    g_once_init_leave (&strings, (gsize) stria_strings_new ());
  return (StriaStrings *) strings;
}

/**
 * stria_timeline_paint_preview:
 * @preview: (nullable): what was read so far
 * @header: width of the column of names
 *
 * Paints one strip a lane over the times read so far.
 */
void
stria_timeline_paint_preview (cairo_t *cr, const StriaPreview *preview, gboolean dark,
                              double font_size, double header, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  StriaPaintKit *kit = NULL;

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->margin, 1);
  cairo_paint (cr);
  if (preview != NULL && preview->n_lanes > 0 && preview->n_bins > 0)
    {
      const guint n = (guint) MIN (preview->n_lanes, MAX (height / LANE_HEIGHT, 1));

      kit = stria_paint_kit_acquire (no_names (), font_size, 1);
      for (guint i = 0; i < n; i++)
        paint_lane (cr, kit, preview, i, dark, header, width);
      paint_ends (cr, kit, preview, dark, header, width);
      stria_paint_kit_release (kit);
    }
  cairo_restore (cr);
}
