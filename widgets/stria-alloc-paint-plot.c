/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-format.h"

#define AXIS_WIDTH    68.0
#define AXIS_HEIGHT   24.0
#define TOP_MARGIN    22.0
#define BAND_HEIGHT   18.0
#define MAX_BAND_ROWS 3
#define LEGEND_WIDTH  232.0
#define LEGEND_LEAST  880.0
#define HAIRLINE_PX   3.0f

void
stria_alloc_view_extent (StriaAllocator *allocator, gboolean by_time, gint64 *x0, gint64 *x1)
{
  const guint32 n = stria_allocator_get_n_events (allocator);

  if (by_time && stria_allocator_has_times (allocator) && n > 0)
    {
      *x0 = stria_allocator_step_time_us (allocator, 0);
      *x1 = stria_allocator_step_time_us (allocator, n);
      /* The last action is seen only if something stands behind it */
      *x1 += MAX ((*x1 - *x0) / 200, 1);
      return;
    }
  *x0 = 0;
  *x1 = (gint64) n + 1;
}

void
stria_alloc_view_init (StriaAllocView *view, StriaAllocator *allocator, gboolean by_time)
{
  *view = (StriaAllocView){ .allocator = allocator,
                            .by_time = by_time && stria_allocator_has_times (allocator)
                                       && stria_allocator_get_n_events (allocator) > 0,
                            .selected = STRIA_NO_ELEMENT,
                            .base_step = G_MAXUINT32 };
  view->step = stria_allocator_peak (allocator, 0, stria_allocator_get_n_events (allocator));
  stria_alloc_view_extent (allocator, view->by_time, &view->x0, &view->x1);
}

static guint
band_rows (const StriaAllocView *view)
{
  guint32 n;
  const StriaAllocBand *bands = stria_allocator_get_bands (view->allocator, &n);
  guint rows = 0;

  for (guint32 i = 0; i < n && rows < MAX_BAND_ROWS; i++)
    {
      guint depth = 1;

      /* Bands stand in the order of their start: those still open are around */
      for (guint32 j = i; j > 0 && i - j < 64 && depth < MAX_BAND_ROWS; j--)
        if (bands[j - 1].end_step > bands[i].start_step)
          depth++;
      rows = MAX (rows, depth);
    }
  return rows;
}

void
stria_alloc_plot_box (const StriaAllocView *view, double width, double height,
                      StriaAllocFrameBox *box)
{
  const double legend = !view->no_legend && width >= LEGEND_LEAST ? LEGEND_WIDTH : 0;

  box->x = AXIS_WIDTH;
  box->width = MAX (floor (width - AXIS_WIDTH - legend - 14), 1);
  box->strip_y = 4;
  box->strip_height = band_rows (view) * BAND_HEIGHT;
  box->y = box->strip_y + box->strip_height + TOP_MARGIN;
  box->height = MAX (floor (height - box->y - AXIS_HEIGHT), 1);
  box->legend_x = legend > 0 ? width - legend : 0;
}

static void
visible_steps (const StriaAllocView *view, guint32 *first, guint32 *last)
{
  const guint32 n = stria_allocator_get_n_events (view->allocator);

  if (view->by_time)
    {
      *first = stria_allocator_step_at_time (view->allocator, view->x0);
      *last = stria_allocator_step_at_time (view->allocator, view->x1);
    }
  else
    {
      *first = (guint32) CLAMP (view->x0, 0, (gint64) n);
      *last = (guint32) CLAMP (view->x1 - 1, 0, (gint64) n);
    }
  *first = *first > 0 ? MIN (*first - 1, n) : 0;
  *last = CLAMP (*last, *first, n);
}

guint64
stria_alloc_plot_top (const StriaAllocView *view)
{
  guint32 first, last;
  guint64 most, reserved = 0;
  StriaAllocTotals totals;

  if (view->bytes1 > view->bytes0)
    return view->bytes1;
  visible_steps (view, &first, &last);
  stria_allocator_totals (view->allocator, stria_allocator_peak (view->allocator, first, last),
                          &totals);
  most = totals.allocated;
  for (guint i = 0; i <= 64; i++)
    {
      stria_allocator_totals (view->allocator,
                              first + (guint32) ((guint64) (last - first) * i / 64), &totals);
      reserved = MAX (reserved, totals.reserved);
    }
  if (view->kind == STRIA_PLOT_SEGMENTS || reserved <= 3 * most)
    most = MAX (most, reserved);
  most += most / 16;
  return MAX (most, view->bytes0 + 64);
}

double
stria_alloc_step_to_x (const StriaAllocView *view, const StriaAllocFrameBox *box, guint32 step)
{
  const double at = view->by_time
                        ? (double) (stria_allocator_step_time_us (view->allocator, step) - view->x0)
                        : (double) ((gint64) step - view->x0) + 0.5;

  return box->x + at * box->width / (double) (view->x1 - view->x0);
}

guint32
stria_alloc_x_to_step (const StriaAllocView *view, const StriaAllocFrameBox *box, double x)
{
  return stria_plot_step_at (view->allocator, view->by_time, view->x0, view->x1,
                             (guint) box->width, CLAMP (x - box->x, 0, box->width - 1));
}

static guint32
segment_at (const StriaAllocView *view, guint32 step, double bytes)
{
  double offset = 0;

  for (guint pass = 0; pass < 2; pass++)
    for (guint32 i = 0; i < stria_allocator_get_n_segment_lives (view->allocator); i++)
      {
        StriaSegmentLife life;

        stria_allocator_get_segment_life (view->allocator, i, &life);
        if ((life.birth == STRIA_NO_EVENT) != (pass == 0)
            || (life.birth != STRIA_NO_EVENT && life.birth >= step) || life.death < step)
          continue;
        offset += (double) life.size;
        if (bytes < offset)
          return i;
      }
  return STRIA_NO_ELEMENT;
}

guint32
stria_alloc_plot_hit (const StriaAllocView *view, double width, double height, double x, double y,
                      guint32 *step)
{
  StriaAllocFrameBox box;
  double bytes;

  stria_alloc_plot_box (view, width, height, &box);
  *step = stria_alloc_x_to_step (view, &box, x);
  if (x < box.x || x >= box.x + box.width || y < box.y || y >= box.y + box.height)
    return STRIA_NO_ELEMENT;
  bytes = (double) view->bytes0
          + (box.y + box.height - y) * (double) (stria_alloc_plot_top (view) - view->bytes0)
                / box.height;
  if (view->kind == STRIA_PLOT_SEGMENTS)
    return segment_at (view, *step, bytes);
  return stria_allocator_element_at (view->allocator, *step, (guint64) bytes);
}

static guint32
run_color (StriaAllocPaints *paints, guint32 element)
{
  const StriaAllocView *view = paints->view;
  const guint32 background = stria_paint_argb (stria_paint_theme (view->dark)->background);
  guint32 argb = stria_alloc_paints_color (paints, element);

  if (element == view->selected)
    return stria_paint_argb (stria_paint_theme (view->dark)->accent);
  if (view->selected != STRIA_NO_ELEMENT)
    argb = stria_paint_mix (argb, background, 90);
  if (paints->needle != NULL && !stria_alloc_paints_matches (paints, element))
    argb = stria_paint_mix (argb, background, 190);
  return argb;
}

/* One column of pixels from the bottom up. A boundary between two blocks that are high enough is a
 * line a little darker than the upper one. */
static void
fill_column (guint32 *pixels, gsize stride, int height, const StriaPlotRun *runs, guint n,
             const guint32 *colors, guint32 edge)
{
  for (guint i = 0; i < n; i++)
    {
      const int y0 = CLAMP ((int) floorf (runs[i].y0 + 0.5f), 0, height);
      const int y1 = CLAMP ((int) floorf (runs[i].y1 + 0.5f), 0, height);
      const gboolean has_line = i > 0 && runs[i].element != runs[i - 1].element
                                && runs[i].y1 - runs[i].y0 >= HAIRLINE_PX
                                && runs[i - 1].y1 - runs[i - 1].y0 >= HAIRLINE_PX;

      for (int y = y0; y < y1; y++)
        pixels[(gsize) (height - 1 - y) * stride] = colors[i];
      if (has_line && y1 > y0)
        pixels[(gsize) (height - 1 - y0) * stride] = stria_paint_mix (colors[i], edge, 96);
    }
}

static void
fill_pixels (cairo_t *cr, StriaAllocPaints *paints, const StriaPlot *plot,
             const StriaAllocFrameBox *box, int height, double scale)
{
  const int width = (int) plot->n_columns;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  guint32 *pixels = (guint32 *) (void *) cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface) / 4;
  const guint32 edge = stria_paint_argb (stria_paint_theme (paints->view->dark)->background);
  g_autoptr (GArray) colors = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return;
    }
  for (int x = 0; x < width; x++)
    {
      const StriaPlotColumn *column = &plot->columns[x];
      const StriaPlotRun *runs = &g_array_index (plot->runs, StriaPlotRun, 0) + column->first;

      /* A column without runs begins where the next one does */
      if (x == 0 || column->first != plot->columns[x - 1].first
          || column->n != plot->columns[x - 1].n)
        {
          g_array_set_size (colors, column->n);
          for (guint i = 0; i < column->n; i++)
            g_array_index (colors, guint32, i) = run_color (paints, runs[i].element);
        }
      fill_column (pixels + x, stride, height, runs, column->n, (guint32 *) (void *) colors->data,
                   edge);
    }
  cairo_surface_mark_dirty (surface);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_save (cr);
  cairo_set_source_surface (cr, surface, box->x, box->y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

/* A run that goes on over columns, for surfaces that keep shapes. */
typedef struct
{
  guint32 element;
  guint   from;
  guint   seen;
  float   y0, y1;
} OpenRun;

static void
close_run (cairo_t *cr, StriaAllocPaints *paints, const OpenRun *run, guint to,
           const StriaAllocFrameBox *box)
{
  const StriaColor color = stria_paint_from_argb (run_color (paints, run->element));

  stria_paint_set_color (cr, color, 1);
  cairo_rectangle (cr, box->x + run->from, box->y + box->height - (double) run->y1,
                   to - run->from, (double) run->y1 - (double) run->y0);
  cairo_fill (cr);
}

static void
fill_shapes (cairo_t *cr, StriaAllocPaints *paints, const StriaPlot *plot,
             const StriaAllocFrameBox *box)
{
  g_autoptr (GHashTable) open = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer value;

  cairo_save (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (guint x = 0; x < plot->n_columns; x++)
    {
      const StriaPlotColumn *column = &plot->columns[x];

      for (guint i = 0; i < column->n; i++)
        {
          const StriaPlotRun *run
              = &g_array_index (plot->runs, StriaPlotRun, column->first + i);
          gpointer key = GUINT_TO_POINTER (run->element + 1);
          OpenRun *known = g_hash_table_lookup (open, key);

          if (known != NULL && fabsf (known->y0 - run->y0) < 0.02f
              && fabsf (known->y1 - run->y1) < 0.02f)
            {
              known->seen = x + 1;
              continue;
            }
          if (known != NULL)
            close_run (cr, paints, known, x, box);
          else
            g_hash_table_insert (open, key, known = g_new0 (OpenRun, 1));
          *known = (OpenRun){ run->element, x, x + 1, run->y0, run->y1 };
        }
      g_hash_table_iter_init (&iter, open);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        if (((OpenRun *) value)->seen != x + 1)
          {
            close_run (cr, paints, value, x, box);
            g_hash_table_iter_remove (&iter);
          }
    }
  g_hash_table_iter_init (&iter, open);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    close_run (cr, paints, value, plot->n_columns, box);
  cairo_restore (cr);
}

/* The selected block at its own height, however thin: in a run of many it would not be seen. */
static void
paint_selected (cairo_t *cr, const StriaAllocView *view, const StriaPlot *plot,
                const StriaAllocFrameBox *box, guint64 top, double scale)
{
  const double px = box->height / (double) (top - view->bytes0);
  StriaElement e;
  guint32 known = G_MAXUINT32;
  double y0 = 0;

  if (view->kind != STRIA_PLOT_BLOCKS
      || view->selected >= stria_allocator_get_n_elements (view->allocator))
    return;
  stria_allocator_get_element (view->allocator, view->selected, &e);
  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  stria_paint_set_color (cr, stria_paint_theme (view->dark)->accent, 1);
  for (guint x = 0; x < plot->n_columns; x++)
    {
      const guint32 step = plot->columns[x].step;
      const double height = MAX ((double) e.size * px, 2);

      if ((e.birth != STRIA_NO_EVENT && e.birth >= step)
          || (e.death != STRIA_NO_EVENT && e.death < step))
        continue;
      if (step != known)
        {
          const double offset
              = (double) stria_allocator_offset (view->allocator, view->selected, step);

          y0 = box->y + box->height - (offset - (double) view->bytes0) * px;
          known = step;
        }
      cairo_rectangle (cr, box->x + x / scale, y0 - height, 1 / scale, height);
    }
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
paint_nothing (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
               const StriaAllocFrameBox *box)
{
  const char *text = _ ("Nothing was allocated in what the snapshot recorded");

  stria_paint_set_color (cr, stria_paint_theme (view->dark)->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text,
                        box->x + MAX (box->width - stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL,
                                                                            text), 8) / 2,
                        box->y + box->height / 2, box->width);
}

void
stria_alloc_paint_base (cairo_t *cr, const StriaAllocView *view, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const guint64 top = stria_alloc_plot_top (view);
  const gboolean is_image
      = cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE;
  StriaAllocFrameBox box;
  StriaAllocPaints paints;
  g_autoptr (StriaPaintKit) kit = NULL;
  g_autoptr (StriaPlot) plot = NULL;
  double scale = 1;
  double scale_y = 1;

  g_return_if_fail (view->x1 > view->x0);

  if (is_image)
    cairo_surface_get_device_scale (cairo_get_group_target (cr), &scale, &scale_y);
  kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, scale);
  stria_alloc_plot_box (view, width, height, &box);
  plot = stria_allocator_plot (view->allocator, view->kind, view->by_time, view->x0, view->x1,
                               (guint) MAX (ceil (box.width * scale), 1), view->bytes0, top,
                               (guint) MAX (ceil (box.height * scale), 1), view->cancellable, NULL);
  if (plot == NULL)
    return;

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  stria_alloc_paints_init (&paints, view);
  stria_alloc_paint_axes (cr, view, kit, &box, top, width, height);
  if (is_image)
    fill_pixels (cr, &paints, plot, &box, (int) MAX (ceil (box.height * scale), 1), scale);
  else
    fill_shapes (cr, &paints, plot, &box);
  paint_selected (cr, view, plot, &box, top, scale);
  stria_alloc_paint_labels (cr, &paints, kit, plot, &box, scale);
  stria_alloc_paint_lines (cr, view, kit, plot, &box, top, scale);
  stria_alloc_paint_bands (cr, view, kit, &box);
  if (box.legend_x > 0)
    stria_alloc_paint_legend (cr, &paints, kit, plot, &box, width, height);
  if (plot->runs->len == 0)
    paint_nothing (cr, view, kit, &box);
  stria_alloc_paints_clear (&paints);
  cairo_restore (cr);
}

static void
paint_moment_line (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                   const StriaAllocFrameBox *box, guint32 step, const char *text, StriaColor color)
{
  const double x = floor (stria_alloc_step_to_x (view, box, step));
  const double text_width = stria_paint_kit_measure (kit, STRIA_TEXT_BOLD, text) + 10;
  const double left = CLAMP (x - text_width / 2, box->x, box->x + box->width - text_width);

  if (x < box->x - 1 || x > box->x + box->width)
    return;
  stria_paint_set_color (cr, color, 1);
  cairo_rectangle (cr, x, box->y - 4, 1, box->height + 4);
  cairo_rectangle (cr, left, box->y - 19, text_width, 16);
  cairo_fill (cr);
  stria_paint_set_color (cr, stria_color_text (color), 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text, left + 5, box->y - 11, 0);
}

void
stria_alloc_paint_moment (cairo_t *cr, const StriaAllocView *view, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  StriaAllocFrameBox box;
  g_autoptr (StriaPaintKit) kit = NULL;

  kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, 1);
  stria_alloc_plot_box (view, width, height, &box);
  if (view->base_step != G_MAXUINT32)
    paint_moment_line (cr, view, kit, &box, view->base_step, _ ("base"), theme->dim_text);
  if (view->step != G_MAXUINT32)
    {
      StriaAllocTotals totals;
      g_autofree char *bytes = NULL;

      stria_allocator_totals (view->allocator, view->step, &totals);
      bytes = stria_format_bytes ((gint64) totals.allocated);
      paint_moment_line (cr, view, kit, &box, view->step, bytes, theme->accent);
    }
}

void
stria_alloc_paint_plot (cairo_t *cr, const StriaAllocView *view, double width, double height)
{
  stria_alloc_paint_base (cr, view, width, height);
  stria_alloc_paint_moment (cr, view, width, height);
}
