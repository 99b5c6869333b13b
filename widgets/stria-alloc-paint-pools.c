/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-alloc-text.h"

/* Bands of private pools: a frame as high as the pool was ever, what is free in it in grey, and its
 * name. */

#define LEAST_LABEL_PX stria_text_px (16.0)
#define LEAST_FRAME_PX 3.0
#define MAX_LABELS     40
#define TOP_CHUNKS     512

gboolean
stria_alloc_shows_pools (const StriaAllocView *view)
{
  return view->pools && view->kind == STRIA_PLOT_BLOCKS
         && stria_allocator_get_n_private_pools (view->allocator) > 0;
}

guint64
stria_alloc_most_shown (const StriaAllocView *view, guint32 first, guint32 last)
{
  const guint32 peak = stria_allocator_peak (view->allocator, first, last);
  guint64 most = 0;
  StriaAllocTotals totals;

  if (!stria_alloc_shows_pools (view))
    {
      stria_allocator_totals (view->allocator, peak, &totals);
      return totals.allocated;
    }
  /* Bands grow while other blocks come and go: the highest column is not where most is allocated. */
  for (guint i = 0; i < TOP_CHUNKS; i++)
    {
      const guint64 n = (guint64) last - first + 1;
      const guint32 a = first + (guint32) (n * i / TOP_CHUNKS);
      const guint32 b = first + (guint32) (n * (i + 1) / TOP_CHUNKS);
      const guint32 step = stria_allocator_peak (view->allocator, a, MAX (b, a + 1) - 1);

      most = MAX (most, stria_allocator_pool_plot_height (view->allocator, step));
    }
  return MAX (most, stria_allocator_pool_plot_height (view->allocator, last));
}

guint
stria_alloc_pool_hit (const StriaAllocView *view, double width, double height, double x, double y,
                      guint32 *step)
{
  StriaAllocFrameBox box;
  guint pool = G_MAXUINT;
  double bytes;

  stria_alloc_plot_box (view, width, height, &box);
  *step = stria_alloc_x_to_step (view, &box, x);
  if (!stria_alloc_shows_pools (view) || x < box.x || x >= box.x + box.width || y < box.y
      || y >= box.y + box.height)
    return G_MAXUINT;
  bytes = (double) view->bytes0
          + (box.y + box.height - y) * (double) (stria_alloc_plot_top (view) - view->bytes0)
                / box.height;
  stria_allocator_pool_plot_at (view->allocator, *step, (guint64) bytes, &pool);
  return pool;
}

static const StriaPoolSpan *
spans_of (const StriaPoolPlot *plot, guint x, guint *n)
{
  *n = plot->first[x + 1] - plot->first[x];
  return &g_array_index (plot->spans, StriaPoolSpan, plot->first[x]);
}

/* The band of the same pool in a column, or NULL: bands keep their order. */
static const StriaPoolSpan *
find_span (const StriaPoolPlot *plot, guint x, guint32 pool)
{
  guint n, low = 0, high;
  const StriaPoolSpan *spans = spans_of (plot, x, &n);

  high = n;
  while (low < high)
    {
      const guint mid = low + (high - low) / 2;

      if (spans[mid].pool < pool)
        low = mid + 1;
      else
        high = mid;
    }
  return low < n && spans[low].pool == pool ? &spans[low] : NULL;
}

/* What is free in the bands: one path. */
static void
fill_free (cairo_t *cr, const StriaPoolPlot *plot, guint width, const StriaAllocFrameBox *box,
           double scale)
{
  const double bottom = box->y + box->height;

  for (guint x = 0; x < width; x++)
    {
      guint n;
      const StriaPoolSpan *spans = spans_of (plot, x, &n);

      for (guint i = 0; i < n; i++)
        if (spans[i].y1 > spans[i].used)
          cairo_rectangle (cr, box->x + x / scale, bottom - (double) spans[i].y1 / scale, 1 / scale,
                           (double) (spans[i].y1 - spans[i].used) / scale);
    }
  cairo_fill (cr);
}

/* The frame of each band, with a step where it grows. */
static void
stroke_frames (cairo_t *cr, const StriaPoolPlot *plot, guint width, const StriaAllocFrameBox *box,
               double scale)
{
  const double bottom = box->y + box->height;

  for (guint x = 0; x < width; x++)
    {
      guint n;
      const StriaPoolSpan *spans = spans_of (plot, x, &n);
      const double left = box->x + x / scale;

      for (guint i = 0; i < n; i++)
        {
          const StriaPoolSpan *before = x > 0 ? find_span (plot, x - 1, spans[i].pool) : NULL;
          const StriaPoolSpan *after
              = x + 1 < width ? find_span (plot, x + 1, spans[i].pool) : NULL;
          const double y0 = bottom - (double) spans[i].y0 / scale;
          const double y1 = bottom - (double) spans[i].y1 / scale;

          if (y0 - y1 < LEAST_FRAME_PX)
            continue;
          /* Its bottom is the top of the one below */
          cairo_rectangle (cr, left, floor (y1), 1 / scale, 1.5);
          if (before == NULL || after == NULL)
            cairo_rectangle (cr, left, y1, 1.5, y0 - y1);
          if (before != NULL && before->y1 < spans[i].y1)
            cairo_rectangle (cr, left, y1, 1.5, (double) (spans[i].y1 - before->y1) / scale);
        }
    }
  cairo_fill (cr);
}

static void
paint_label (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit, guint32 pool,
             guint32 step, double left, double right, double y)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  g_autofree char *text = stria_alloc_private_pool_text (view->allocator, pool, step);
  const double width = stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, text) + 8;

  left = MAX (left, right - width);
  stria_paint_set_color (cr, theme->background, 0.88);
  cairo_rectangle (cr, left, y, right - left, 14);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, text, left + 4, y + 7, right - left - 8);
}

/* At the right, where bands are highest: they do not shrink. */
void
stria_alloc_paint_pool_labels (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                               const StriaPoolPlot *plot, const StriaPlot *columns,
                               const StriaAllocFrameBox *box, double scale)
{
  const guint32 end = stria_allocator_get_n_events (view->allocator);
  const double right
      = CLAMP (stria_alloc_step_to_x (view, box, end), box->x, box->x + box->width) - 4;
  const guint last = columns->n_columns - 1;
  const StriaPoolSpan *spans;
  guint n, n_painted = 0;

  if (plot->spans->len == 0 || right < box->x + 60)
    return;
  spans = spans_of (plot, last, &n);
  for (guint i = 0; i < n && n_painted < MAX_LABELS; i++)
    if (spans[i].count == 1 && (double) (spans[i].y1 - spans[i].y0) / scale >= LEAST_LABEL_PX)
      {
        paint_label (cr, view, kit, spans[i].pool, columns->columns[last].step, box->x + 2, right,
                     floor (box->y + box->height - (double) spans[i].y1 / scale) + 2);
        n_painted++;
      }
}

void
stria_alloc_paint_pools (cairo_t *cr, const StriaAllocView *view, const StriaPoolPlot *plot,
                         const StriaPlot *columns, const StriaAllocFrameBox *box, double scale)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);

  if (plot->spans->len == 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  stria_paint_set_color (cr, theme->dim_text, STRIA_ALLOC_POOL_ALPHA);
  fill_free (cr, plot, columns->n_columns, box, scale);
  stria_paint_set_color (cr, theme->text, 0.9);
  stroke_frames (cr, plot, columns->n_columns, box, scale);
  cairo_restore (cr);
}
