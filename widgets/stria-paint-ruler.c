/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-paint-private.h"

#include <math.h>

#define MINOR_HEIGHT    stria_text_px (4.0)
#define MAJOR_HEIGHT    stria_text_px (9.0)
#define CHAR_PX         stria_text_px (6.6)
#define LABEL_SPACE     stria_text_px (34.0)
#define RADIUS          stria_text_px (8.0) /* of what the length stands in */
#define LEAST_MINOR_PX  7.0
#define HANDLE_HEIGHT   12.0
#define LEAST_FRAME_PX  4.0
/* A view that leaves the usual range by more than this share shows strays: map the whole range */
#define STRAY_SHARE     0.06

gint64
stria_timeline_tick_step (const StriaTimelineView *view, double width)
{
  gint64 step = view->tick_step_ns;
  double room = stria_text_px (90);

  if (step > 0)
    return step;
  /* Longer labels need wider steps, and finer steps make longer labels */
  for (guint pass = 0; pass < 3; pass++)
    {
      g_autofree char *first = NULL;
      g_autofree char *last = NULL;

      step = stria_format_tick_step (view->t1 - view->t0, width, room);
      first = stria_format_time (view->t0 - view->origin_ns, step);
      last = stria_format_time (view->t1 - view->origin_ns, step);
      room = MAX (g_utf8_strlen (first, -1), g_utf8_strlen (last, -1)) * CHAR_PX + LABEL_SPACE;
    }
  return step;
}

/* Minor ticks: fifths of a step, or tenths where there is room; halves of 2, fifths of 5. */
static guint
minor_ticks (gint64 step, double step_px)
{
  gint64 lead = step;
  guint n = 5;

  while (lead >= 10)
    lead /= 10;
  if (lead == 2)
    n = 4;
  if (lead == 1 && step_px / 10 >= LEAST_MINOR_PX)
    n = 10;
  while (n > 1 && (step % n != 0 || step_px / n < LEAST_MINOR_PX))
    n = n == 10 ? 5 : n == 4 ? 2 : 1;
  return n;
}

static void
paint_minor (cairo_t *cr, double x, double step_px, guint n, double height)
{
  for (guint i = 1; i < n; i++)
    cairo_rectangle (cr, floor (x + step_px * i / n), height - 1 - MINOR_HEIGHT, 1, MINOR_HEIGHT);
}

/* The selected range: its length, and where it lies. */
static void
paint_range (cairo_t *cr, const StriaTimelineView *view, StriaPaintKit *kit, double width,
             double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const double from = CLAMP (stria_time_to_x (view->range_t0, view->t0, view->t1, width), -4,
                             width + 4);
  const double to = CLAMP (stria_time_to_x (view->range_t1, view->t0, view->t1, width), from + 1,
                           width + 5);
  g_autofree char *text = stria_format_duration (view->range_t1 - view->range_t0, 5);
  const double text_width = stria_paint_kit_measure (kit, STRIA_TEXT_BOLD, text) + 2 * RADIUS - 4;
  const double at = RADIUS + 2;
  const double middle = (MAX (from, 0) + MIN (to, width)) / 2;
  const double x = floor (CLAMP (middle - text_width / 2, 2, MAX (width - text_width - 2, 2)));

  if (to < 0 || from > width)
    return;
  stria_paint_set_color (cr, theme->accent, 0.18);
  cairo_rectangle (cr, floor (from), 0, ceil (to - from), height - 1);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_rectangle (cr, floor (from), height - 3, ceil (to - from), 2);
  cairo_fill (cr);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + text_width - RADIUS, at, RADIUS, -G_PI / 2, G_PI / 2);
  cairo_arc (cr, x + RADIUS, at, RADIUS, G_PI / 2, 3 * G_PI / 2);
  cairo_close_path (cr);
  cairo_fill (cr);
  stria_paint_set_color (cr, stria_color_text (theme->accent), 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text, x + RADIUS - 2, at, 0);
}

void
stria_timeline_paint_ruler (cairo_t *cr, const StriaTimelineView *view, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const double px_per_ns = width / (double) (view->t1 - view->t0);
  const gint64 step = stria_timeline_tick_step (view, width);
  const double step_px = (double) step * px_per_ns;
  const guint minor = minor_ticks (step, step_px);
  gint64 tick = (view->t0 - view->origin_ns) / step * step - step;
  g_autoptr (StriaPaintKit) kit = NULL;
  double sx = 1;
  double sy = 1;

  g_return_if_fail (view->trace != NULL && view->t1 > view->t0);

  cairo_surface_get_device_scale (cairo_get_group_target (cr), &sx, &sy);
  kit = stria_paint_kit_acquire (stria_trace_get_strings (view->trace), view->font_size, sx);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->margin, 1);
  cairo_paint (cr);
  for (;; tick += step)
    {
      g_autofree char *text = NULL;
      gint64 at = 0;
      double x = 0;

      /* Times may lie at the very ends of 64 bits */
      if (__builtin_add_overflow (view->origin_ns, tick, &at))
        {
          if (tick < 0)
            continue;
          break;
        }
      x = stria_time_to_x (at, view->t0, view->t1, width);
      if (x >= width)
        break;
      text = stria_format_time (tick, step);
      stria_paint_set_color (cr, theme->dim_text, 0.55);
      cairo_rectangle (cr, floor (x), height - 1 - MAJOR_HEIGHT, 1, MAJOR_HEIGHT);
      paint_minor (cr, x, step_px, minor, height);
      cairo_fill (cr);
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text, floor (x) + 5, height / 2 - 2, 0);
    }
  if (view->has_range)
    paint_range (cr, view, kit, width, height);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_fill (cr);
  cairo_restore (cr);
}

void
stria_timeline_minimap_range (const StriaTimelineView *view, gint64 *t0, gint64 *t1)
{
  double slack = 0;

  if (!stria_trace_get_view_range (view->trace, t0, t1) || *t1 <= *t0)
    {
      *t0 = view->t0;
      *t1 = view->t1;
      return;
    }
  slack = (double) (*t1 - *t0) * STRAY_SHARE;
  if ((double) (*t0 - view->t0) > slack || (double) (view->t1 - *t1) > slack)
    stria_trace_get_range (view->trace, t0, t1);
  if (*t1 <= *t0)
    *t1 = *t0 + 1;
}

void
stria_timeline_paint_minimap_density (cairo_t *cr, const StriaTimelineView *view, double width,
                                      double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const gsize n = (gsize) MAX (width, 1);
  g_autofree float *bins = g_new0 (float, n);
  gint64 t0 = 0;
  gint64 t1 = 0;

  g_return_if_fail (view->trace != NULL);

  stria_timeline_minimap_range (view, &t0, &t1);
  stria_trace_overview (view->trace, t0, t1, bins, n);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->margin, 1);
  cairo_paint (cr);
  for (gsize i = 0; i < n; i++)
    {
      const double bar = ceil ((double) CLAMP (bins[i], 0, 1) * (height - 8));

      if (bins[i] > 0)
        cairo_rectangle (cr, (double) i, height - 3 - bar, 1, bar);
    }
  stria_paint_set_color (cr, theme->density, 0.75);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
paint_handle (cairo_t *cr, double x, double height)
{
  cairo_rectangle (cr, x - 1.5, (height - HANDLE_HEIGHT) / 2, 3, HANDLE_HEIGHT);
  cairo_fill (cr);
}

void
stria_timeline_paint_minimap_frame (cairo_t *cr, const StriaTimelineView *view, double width,
                                    double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  gint64 t0 = 0;
  gint64 t1 = 0;
  double left = 0;
  double right = 0;

  g_return_if_fail (view->trace != NULL);

  stria_timeline_minimap_range (view, &t0, &t1);
  left = CLAMP (floor (stria_time_to_x (view->t0, t0, t1, width)), 0, width - LEAST_FRAME_PX);
  right = CLAMP (ceil (stria_time_to_x (view->t1, t0, t1, width)), left + LEAST_FRAME_PX, width);
  cairo_save (cr);
  stria_paint_set_color (cr, theme->margin, 0.66);
  cairo_rectangle (cr, 0, 0, left, height - 1);
  cairo_rectangle (cr, right, 0, width - right, height - 1);
  cairo_fill (cr);
  if (view->has_range)
    {
      const double from = stria_time_to_x (view->range_t0, t0, t1, width);
      const double to = stria_time_to_x (view->range_t1, t0, t1, width);

      stria_paint_set_color (cr, theme->accent, 0.25);
      cairo_rectangle (cr, from, 0, MAX (to - from, 1), height - 1);
      cairo_fill (cr);
    }
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, left + 0.5, 0.5, right - left - 1, height - 2);
  cairo_stroke (cr);
  if (right - left > 16)
    {
      paint_handle (cr, left + 0.5, height);
      paint_handle (cr, right - 0.5, height);
    }
  cairo_restore (cr);
}

void
stria_timeline_paint_minimap (cairo_t *cr, const StriaTimelineView *view, double width,
                              double height)
{
  stria_timeline_paint_minimap_density (cr, view, width, height);
  stria_timeline_paint_minimap_frame (cr, view, width, height);
}
