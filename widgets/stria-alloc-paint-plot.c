/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-format.h"

#define AXIS_WIDTH    stria_text_px (68.0)
#define AXIS_HEIGHT   stria_text_px (24.0)
#define SHARED_HEIGHT 3.0
#define TOP_MARGIN    stria_text_px (36.0) /* moments, and below them the peak */
#define BAND_HEIGHT   stria_text_px (18.0)
#define MAX_BAND_ROWS 3
#define LEGEND_WIDTH  stria_text_px (232.0)
#define LEGEND_LEAST  stria_text_px (880.0)
/* Where shapes are kept, blocks are a picture in the picture: as shapes they are far too many. */
#define VECTOR_SCALE  2.0

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
  view->pools = stria_allocator_get_n_private_pools (allocator) > 0;
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
  const gboolean shares_axis = view->left > 0 || view->right > 0;
  const double right = shares_axis ? view->right : legend + 14;

  box->x = shares_axis ? view->left : AXIS_WIDTH;
  box->width = MAX (floor (width - box->x - right), 1);
  box->strip_y = 4;
  box->strip_height = shares_axis ? 0 : band_rows (view) * BAND_HEIGHT;
  box->y = box->strip_y + box->strip_height + TOP_MARGIN;
  box->height = MAX (floor (height - box->y - (shares_axis ? SHARED_HEIGHT : AXIS_HEIGHT)), 1);
  box->legend_x = legend > 0 && !shares_axis ? width - legend : 0;
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
  guint64 most, reserved;
  const guint64 capacity = stria_allocator_get_capacity (view->allocator);

  if (view->bytes1 > view->bytes0)
    return view->bytes1;
  visible_steps (view, &first, &last);
  most = stria_alloc_most_shown (view, first, last);
  reserved = stria_allocator_most_reserved (view->allocator, first, last);
  if (view->kind == STRIA_PLOT_SEGMENTS || reserved <= 3 * most)
    most = MAX (most, reserved);
  /* What there is, where it is not far away */
  if (capacity / 2 <= most)
    most = MAX (most, capacity);
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
  if (stria_alloc_shows_pools (view))
    return stria_allocator_pool_plot_at (view->allocator, *step, (guint64) bytes, &(guint){ 0 });
  return stria_allocator_element_at (view->allocator, *step, (guint64) bytes);
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
  g_autoptr (StriaAllocLabels) labels = NULL;
  g_autoptr (StriaPaintKit) kit = NULL;
  g_autoptr (StriaPlot) plot = NULL;
  g_autoptr (StriaPoolPlot) pools = NULL;
  double scale = VECTOR_SCALE;
  double scale_y = VECTOR_SCALE;

  g_return_if_fail (view->x1 > view->x0);

  if (is_image)
    cairo_surface_get_device_scale (cairo_get_group_target (cr), &scale, &scale_y);
  kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, scale);
  stria_alloc_plot_box (view, width, height, &box);
  if (stria_alloc_shows_pools (view))
    pools = stria_allocator_pool_plot (view->allocator, view->by_time, view->x0, view->x1,
                                       (guint) MAX (ceil (box.width * scale), 1), view->bytes0, top,
                                       (guint) MAX (ceil (box.height * scale), 1),
                                       view->cancellable, NULL);
  else
    plot = stria_allocator_plot (view->allocator, view->kind, view->by_time, view->x0, view->x1,
                                 (guint) MAX (ceil (box.width * scale), 1), view->bytes0, top,
                                 (guint) MAX (ceil (box.height * scale), 1), view->cancellable, NULL);
  if (pools != NULL)
    plot = g_steal_pointer (&pools->plot);
  if (plot == NULL)
    return;

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  stria_alloc_paints_init (&paints, view);
  stria_alloc_paint_axes (cr, view, kit, &box, top, width, height);
  labels = stria_alloc_labels_new (&paints, scale);
  stria_alloc_paint_blocks (cr, &paints, plot, &box, scale, labels);
  if (pools != NULL)
    stria_alloc_paint_pools (cr, view, pools, plot, &box, scale);
  stria_alloc_paint_selected (cr, view, plot, &box, top, scale);
  stria_alloc_labels_paint (labels, cr, kit, &box);
  if (pools != NULL)
    stria_alloc_paint_pool_labels (cr, view, kit, pools, plot, &box, scale);
  stria_alloc_paint_lines (cr, view, kit, plot, &box, top, scale);
  if (view->left > 0)
    stria_alloc_paint_outside (cr, view, &box);
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
  const double top = box->y - stria_text_px (34);
  const double left = CLAMP (x - text_width / 2, box->x, box->x + box->width - text_width);

  if (x < box->x - 1 || x > box->x + box->width)
    return;
  stria_paint_set_color (cr, color, 1);
  cairo_rectangle (cr, x, top, 1, box->y + box->height - top);
  cairo_rectangle (cr, left, top, text_width, stria_text_px (16));
  cairo_fill (cr);
  stria_paint_set_color (cr, stria_color_text (color), 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text, left + 5, top + stria_text_px (8), 0);
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
