/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "stria-alloc-paint-private.h"
#include "stria-paint-target.h"

/* The blocks of a plot, as pixels: they are far too many for paths. */

#define HAIRLINE_PX       3.0f
#define LEAST_SELECTED_PX 2.0
#define RUNS_AT_ONCE      4096

static guint32
run_color (StriaAllocPaints *paints, guint32 element, guint64 owner)
{
  const StriaAllocView *view = paints->view;
  const guint32 background = stria_paint_argb (stria_paint_theme (view->dark)->background);
  guint32 argb = stria_alloc_paints_color_of (paints, owner);

  if (element == view->selected)
    return stria_paint_argb (stria_paint_theme (view->dark)->accent);
  if (view->selected != STRIA_NO_ELEMENT)
    argb = stria_paint_mix (argb, background, 90);
  if (paints->needle != NULL && !stria_alloc_paints_matches (paints, element))
    argb = stria_paint_mix (argb, background, 190);
  return argb;
}

/* A row of pixels: the colour that goes on in it (0: none), and since which column. */
typedef struct
{
  guint32 argb;
  int     since;
} Row;

typedef struct
{
  StriaAllocPixels pixels;
  int  height;
  Row *rows; /* from the bottom up */
  int  top;  /* rows that have a colour */
} Canvas;

/* A row is drawn when its colour changes: mostly it goes on for many columns. */
static inline void
set_row (Canvas *canvas, int y, int x, guint32 argb)
{
  Row *row = &canvas->rows[y];
  guint32 *pixels;

  if (row->argb == argb)
    return;
  pixels = canvas->pixels.first + (gsize) (canvas->height - 1 - y) * canvas->pixels.stride;
  if (row->argb != 0)
    for (int i = row->since; i < x; i++)
      pixels[i] = row->argb;
  *row = (Row){ argb, x };
}

static inline int
to_row (const Canvas *canvas, float y)
{
  return CLAMP ((int) (y + 0.5f), 0, canvas->height);
}

/* What is new in a column; @colors: of that alone. A boundary between two blocks that are high enough is a line a little
 * darker than the upper one. */
static void
fill_column (Canvas *canvas, int x, const StriaPlotWalk *walk, const guint32 *colors, guint32 edge)
{
  const StriaPlotRun *runs = walk->runs;
  const int old_top = canvas->top;

  canvas->top = walk->n > 0 ? to_row (canvas, runs[walk->n - 1].y1) : 0;
  for (guint i = walk->same; i < walk->n; i++)
    {
      const int y0 = to_row (canvas, runs[i].y0);
      const int y1 = to_row (canvas, runs[i].y1);
      const guint32 color = colors[i - walk->same];
      const gboolean has_line = i > 0 && runs[i].element != runs[i - 1].element
                                && runs[i].y1 - runs[i].y0 >= HAIRLINE_PX
                                && runs[i - 1].y1 - runs[i - 1].y0 >= HAIRLINE_PX;

      /* Free room in the band of a private pool */
      for (int y = i > 0 ? to_row (canvas, runs[i - 1].y1) : 0; y < y0; y++)
        set_row (canvas, y, x, 0);
      if (y1 > y0)
        set_row (canvas, y0, x, has_line ? stria_paint_mix (color, edge, 96) : color);
      for (int y = y0 + 1; y < y1; y++)
        set_row (canvas, y, x, color);
    }
  for (int y = canvas->top; y < old_top; y++)
    set_row (canvas, y, x, 0);
}

/* Owners and colours of some of the runs of a plot, which has them in the order of its columns. */
typedef struct
{
  guint    first;
  guint    end;
  guint    size;
  guint32 *elements;
  guint64 *owners;
  guint32 *colors;
} Batch;

/* Makes @n runs from @first on known; mostly they are. */
static void
need_runs (Batch *batch, StriaAllocPaints *paints, const StriaPlot *plot, guint first, guint n)
{
  const StriaPlotRun *runs;

  if (first >= batch->first && first + n <= batch->end)
    return;
  n = MIN (MAX (n, RUNS_AT_ONCE), plot->runs->len - first);
  if (n > batch->size)
    {
      batch->size = n;
      batch->elements = g_renew (guint32, batch->elements, n);
      batch->owners = g_renew (guint64, batch->owners, n);
      batch->colors = g_renew (guint32, batch->colors, n);
    }
  runs = &g_array_index (plot->runs, StriaPlotRun, first);
  for (guint i = 0; i < n; i++)
    batch->elements[i] = runs[i].element;
  stria_alloc_paints_owners (paints, batch->elements, n, batch->owners);
  for (guint i = 0; i < n; i++)
    batch->colors[i] = run_color (paints, runs[i].element, batch->owners[i]);
  batch->first = first;
  batch->end = first + n;
}

static void
draw_columns (Canvas *canvas, StriaAllocPaints *paints, const StriaPlot *plot,
              StriaAllocLabels *labels)
{
  const guint32 edge = stria_paint_argb (stria_paint_theme (paints->view->dark)->background);
  StriaPlotWalk walk = STRIA_PLOT_WALK_INIT (plot);
  Batch batch = { .size = RUNS_AT_ONCE,
                  .elements = g_new (guint32, RUNS_AT_ONCE),
                  .owners = g_new (guint64, RUNS_AT_ONCE),
                  .colors = g_new (guint32, RUNS_AT_ONCE) };

  for (guint x = 0; stria_plot_walk_next (&walk); x++)
    {
      const guint first = plot->columns[x].first;

      need_runs (&batch, paints, plot, first, walk.n - walk.same);
      fill_column (canvas, (int) x, &walk, batch.colors + (first - batch.first), edge);
      stria_alloc_labels_add (labels, x, &walk, batch.owners + (first - batch.first),
                              batch.colors + (first - batch.first));
    }
  for (int y = 0; y < canvas->top; y++)
    set_row (canvas, y, (int) plot->n_columns, 0);
  stria_plot_walk_clear (&walk);
  g_free (batch.elements);
  g_free (batch.owners);
  g_free (batch.colors);
}

gboolean
stria_alloc_find_pixels (cairo_t *cr, const StriaAllocFrameBox *box, double scale,
                         StriaAllocPixels *pixels)
{
  const double width = box->width * scale, height = box->height * scale;
  StriaPaintTarget target;
  double left, top;

  if (!stria_paint_target_init (&target, cr) || target.x_scale != scale || target.y_scale != scale)
    return FALSE;
  left = box->x * scale + target.left;
  top = box->y * scale + target.top;
  if (!stria_paint_target_is_whole (left) || !stria_paint_target_is_whole (top)
      || !stria_paint_target_is_whole (width) || !stria_paint_target_is_whole (height) || left < 0
      || top < 0 || left + width > target.width || top + height > target.height
      || target.clip.x > box->x || target.clip.y > box->y
      || target.clip.x + target.clip.width < box->x + box->width
      || target.clip.y + target.clip.height < box->y + box->height)
    return FALSE;
  pixels->stride = target.stride;
  pixels->first = target.pixels + (gsize) (top + 0.5) * target.stride + (gsize) (left + 0.5);
  pixels->width = (int) (width + 0.5);
  pixels->height = (int) (height + 0.5);
  return TRUE;
}

void
stria_alloc_paint_blocks (cairo_t *cr, StriaAllocPaints *paints, const StriaPlot *plot,
                          const StriaAllocFrameBox *box, double scale, StriaAllocLabels *labels)
{
  const int height = (int) MAX (ceil (box->height * scale), 1);
  g_autofree Row *rows = g_new0 (Row, height);
  Canvas canvas = { .height = height, .rows = rows };
  cairo_surface_t *surface;

  if (stria_alloc_find_pixels (cr, box, scale, &canvas.pixels))
    {
      draw_columns (&canvas, paints, plot, labels);
      cairo_surface_mark_dirty (cairo_get_group_target (cr));
      return;
    }
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) plot->n_columns, height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return;
    }
  canvas.pixels.first = (guint32 *) (void *) cairo_image_surface_get_data (surface);
  canvas.pixels.stride = (gsize) cairo_image_surface_get_stride (surface) / 4;
  draw_columns (&canvas, paints, plot, labels);
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

static void
get_offsets (const StriaAllocView *view, const guint32 *steps, guint n, guint64 *offsets)
{
  if (!stria_alloc_shows_pools (view))
    {
      stria_allocator_offsets (view->allocator, view->selected, steps, n, offsets);
      return;
    }
  for (guint i = 0; i < n; i++)
    offsets[i] = i > 0 && steps[i] == steps[i - 1]
                     ? offsets[i - 1]
                     : stria_allocator_pool_plot_offset (view->allocator, view->selected, steps[i]);
}

/* The selected block at its own height, however thin: in a run of many it would not be seen. */
void
stria_alloc_paint_selected (cairo_t *cr, const StriaAllocView *view, const StriaPlot *plot,
                            const StriaAllocFrameBox *box, guint64 top, double scale)
{
  const double px = box->height / (double) (top - view->bytes0);
  g_autofree guint32 *steps = g_new (guint32, plot->n_columns);
  g_autofree guint64 *offsets = g_new (guint64, plot->n_columns);
  StriaElement e;
  guint first = 0, n = 0;
  double height;

  if (view->kind != STRIA_PLOT_BLOCKS
      || view->selected >= stria_allocator_get_n_elements (view->allocator))
    return;
  stria_allocator_get_element (view->allocator, view->selected, &e);
  for (guint x = 0; x < plot->n_columns; x++)
    {
      const guint32 step = plot->columns[x].step;

      if ((e.birth != STRIA_NO_EVENT && e.birth >= step)
          || (e.death != STRIA_NO_EVENT && e.death < step))
        continue;
      if (n == 0)
        first = x;
      steps[n++] = step;
    }
  get_offsets (view, steps, n, offsets);
  height = MAX ((double) e.size * px, LEAST_SELECTED_PX);
  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  stria_paint_set_color (cr, stria_paint_theme (view->dark)->accent, 1);
  for (guint i = 0, begin = 0; i < n; i++)
    {
      const double y0
          = box->y + box->height - ((double) offsets[i] - (double) view->bytes0) * px;

      if (i + 1 < n && offsets[i + 1] == offsets[i])
        continue;
      cairo_rectangle (cr, box->x + (first + begin) / scale, y0 - height,
                       (i + 1 - begin) / scale, height);
      begin = i + 1;
    }
  cairo_fill (cr);
  cairo_restore (cr);
}
