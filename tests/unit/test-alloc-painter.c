/* SPDX-License-Identifier: Apache-2.0 */
#include "alloc-maker.h"

#include <math.h>

#include "stria-alloc-paint-private.h"

#define WIDTH  700
#define HEIGHT 400

static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);

  return *(const guint32 *) (const void *) (data + (gsize) y * stride + (gsize) x * 4) | 0xff000000u;
}

static cairo_surface_t *
paint (const StriaAllocView *view, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);

  stria_alloc_paint_base (cr, view, width, height);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* What is under a point is what the model has at that step and height, on both axes. */
static void
test_hit (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (4000, 10, TRUE);

  for (guint by_time = 0; by_time < 2; by_time++)
    {
      StriaAllocView view;
      StriaAllocFrameBox box;
      guint64 top;
      guint n_found = 0;

      stria_alloc_view_init (&view, maker->allocator, by_time);
      stria_alloc_plot_box (&view, WIDTH, HEIGHT, &box);
      top = stria_alloc_plot_top (&view);
      for (double x = box.x + 0.5; x < box.x + box.width; x += 7)
        for (double y = box.y + 0.5; y < box.y + box.height; y += 9)
          {
            const double bytes = (box.y + box.height - y) * (double) top / box.height;
            guint32 step;
            const guint32 found = stria_alloc_plot_hit (&view, WIDTH, HEIGHT, x, y, &step);
            StriaElement e;
            guint64 offset;

            g_assert_cmpuint (step, ==, stria_alloc_x_to_step (&view, &box, x));
            g_assert_cmpuint (found, ==,
                              stria_allocator_element_at (maker->allocator, step, (guint64) bytes));
            if (found == STRIA_NO_ELEMENT)
              continue;
            n_found++;
            stria_allocator_get_element (maker->allocator, found, &e);
            offset = stria_allocator_offset (maker->allocator, found, step);
            g_assert_cmpuint (offset, <=, (guint64) bytes);
            g_assert_cmpuint ((guint64) bytes, <, offset + e.size);
          }
      g_assert_cmpuint (n_found, >, 200);
    }
}

/* Margins, and what is above all blocks, belong to nobody. */
static void
test_nothing_outside (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (500, 0, FALSE);
  StriaAllocView view;
  StriaAllocFrameBox box;
  guint32 step;

  stria_alloc_view_init (&view, maker->allocator, FALSE);
  stria_alloc_plot_box (&view, WIDTH, HEIGHT, &box);
  g_assert_cmpuint (stria_alloc_plot_hit (&view, WIDTH, HEIGHT, box.x - 1, box.y + 50, &step), ==,
                    STRIA_NO_ELEMENT);
  g_assert_cmpuint (stria_alloc_plot_hit (&view, WIDTH, HEIGHT, box.x + box.width + 1,
                                          box.y + box.height - 1, &step),
                    ==, STRIA_NO_ELEMENT);
  g_assert_cmpuint (
      stria_alloc_plot_hit (&view, WIDTH, HEIGHT, box.x + 5, box.y + box.height + 1, &step), ==,
      STRIA_NO_ELEMENT);
  view.bytes1 = G_GUINT64_CONSTANT (1) << 50;
  g_assert_cmpuint (stria_alloc_plot_hit (&view, WIDTH, HEIGHT, box.x + 5, box.y + 1, &step), ==,
                    STRIA_NO_ELEMENT);
}

/* The middle of a high run has the colour of its element, at any zoom and in both styles. */
static void
check_colors (AllocMaker *maker, StriaAllocView *view)
{
  cairo_surface_t *surface = paint (view, WIDTH, HEIGHT);
  StriaAllocFrameBox box;
  g_autoptr (StriaPlot) plot = NULL;
  guint n_same = 0, n_checked = 0;
  StriaPlotWalk walk = STRIA_PLOT_WALK_INIT (NULL);

  stria_alloc_plot_box (view, WIDTH, HEIGHT, &box);
  plot = stria_allocator_plot (maker->allocator, view->kind, view->by_time, view->x0, view->x1,
                               (guint) box.width, view->bytes0, stria_alloc_plot_top (view),
                               (guint) box.height, NULL, NULL);
  g_assert_nonnull (plot);
  walk.plot = plot;
  for (guint x = 0; stria_plot_walk_next (&walk); x++)
    for (guint i = 0; i < walk.n; i++)
      {
        const StriaPlotRun *run = &walk.runs[i];
        const double low = (double) run->y0;
        const double height = (double) run->y1 - low;
        gboolean is_same = FALSE;

        if (height < 8)
          continue;
        /* A label may lie over one of them */
        for (guint part = 1; part < 4; part++)
          is_same |= pixel (surface, (int) box.x + (int) x,
                            (int) floor (box.y + box.height - low - height * part / 4))
                     == stria_alloc_element_color (view, run->element);
        n_checked++;
        n_same += is_same;
      }
  g_assert_cmpuint (n_checked, >, 0);
  g_assert_cmpuint (n_same * 10, >, n_checked * 9);
  stria_plot_walk_clear (&walk);
  cairo_surface_destroy (surface);
}

static void
test_colors (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (300, 0, TRUE);
  StriaAllocView view;

  stria_alloc_view_init (&view, maker->allocator, FALSE);
  for (guint mode = 0; mode < STRIA_N_ALLOC_COLORS; mode++)
    {
      view.color = (StriaAllocColorMode) mode;
      view.dark = mode % 2 == 1;
      check_colors (maker, &view);
    }
  view.x0 = 100;
  view.x1 = 140;
  check_colors (maker, &view);
}

/* -- blocks, pixel by pixel ------------------------------------------------------------------- */

/* Very many blocks at once, of which any may go: columns that differ from their neighbours anywhere. */
static AllocMaker *
make_many (guint n_events, guint n_slots)
{
  g_autofree StriaAllocEvent *events = g_new0 (StriaAllocEvent, n_events);
  g_autofree guint64 *sizes = g_new0 (guint64, n_slots);

  for (guint i = 0; i < n_events; i++)
    {
      /* Mostly the last ones, now and then one from far below */
      const guint slot = g_test_rand_int_range (0, 4) == 0
                             ? (guint) g_test_rand_int_range (0, (gint32) n_slots)
                             : n_slots - 1 - (guint) g_test_rand_int_range (0, 40);
      const gboolean is_held = sizes[slot] > 0;

      if (!is_held)
        sizes[slot] = g_test_rand_int_range (0, 20) == 0
                          ? (guint64) g_test_rand_int_range (1, 3000000)
                          : (guint64) g_test_rand_int_range (1, 9000);
      events[i] = (StriaAllocEvent){
        .action = is_held ? STRIA_ALLOC_FREE_COMPLETED : STRIA_ALLOC_ALLOC,
        .address = ALLOC_BASE + slot * ((guint64) 1 << 22),
        .size = sizes[slot],
        .pool = STRIA_NO_POOL,
        .time_us = STRIA_NO_TIME,
        .stack = STRIA_NO_STACK,
      };
      if (is_held)
        sizes[slot] = 0;
    }
  return alloc_maker_feed (events, n_events, NULL, 0, NULL, 0);
}

typedef struct
{
  const AllocMaker *made;
  StriaAllocView    view;
  guint             width; /* pixels of the device */
  guint             height;
  guint64           top;
} Raster;

typedef struct
{
  guint64 from, to; /* bytes */
  guint64 most;
  guint32 element;
  guint32 color;
} Expected;

/* One more block, or one more of a run of those that are lower than a pixel. */
static void
expect (GArray *runs, const Raster *raster, guint64 thin_bytes, guint32 element, guint64 offset,
        guint64 size)
{
  Expected *last = runs->len > 0 ? &g_array_index (runs, Expected, runs->len - 1) : NULL;
  const gboolean goes_on = size < thin_bytes && last != NULL && last->most < thin_bytes
                           && last->to - last->from < thin_bytes;

  if (size == 0)
    return;
  if (!goes_on)
    {
      const Expected run = { offset, offset + size, size, element,
                             stria_alloc_element_color (&raster->view, element) };
      g_array_append_val (runs, run);
      return;
    }
  last->to = offset + size;
  if (size > last->most)
    {
      last->most = size;
      last->element = element;
      last->color = stria_alloc_element_color (&raster->view, element);
    }
}

/* Rows from the bottom. As exact as runs say it: a hair's breadth decides whether there is a hairline */
static float
height_at (const Raster *raster, guint64 bytes)
{
  const guint64 inside = CLAMP (bytes, raster->view.bytes0, raster->top);
  const double scale = raster->height / (double) (raster->top - raster->view.bytes0);

  return (float) ((double) (inside - raster->view.bytes0) * scale);
}

static int
row_at (const Raster *raster, guint64 bytes)
{
  return (int) floorf (height_at (raster, bytes) + 0.5f);
}

static gboolean
is_high (const Raster *raster, const Expected *run)
{
  return height_at (raster, run->to) - height_at (raster, run->from) >= 3;
}

/* Adds up a column from nothing, and compares it with the picture. */
static void
check_pixels (const Raster *raster, cairo_surface_t *surface, guint x)
{
  const StriaPaintTheme *theme = stria_paint_theme (raster->view.dark);
  const guint64 range = raster->top - raster->view.bytes0;
  const guint64 thin_bytes = (range + raster->height - 1) / raster->height;
  const guint32 step
      = stria_plot_step_at (raster->made->allocator, FALSE, raster->view.x0, raster->view.x1,
                            raster->width, x + 0.5);
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Expected));
  g_autofree guint32 *column = g_new0 (guint32, raster->height + 1);
  guint64 offset = 0;

  for (guint32 e = 0; e < raster->made->lives->len; e++)
    {
      const AllocLife *life = &g_array_index (raster->made->lives, AllocLife, e);

      if (!alloc_life_is_live (life, step))
        continue;
      if (offset + life->e.size > raster->view.bytes0 && offset < raster->top)
        expect (runs, raster, thin_bytes, e, offset, life->e.size);
      offset += life->e.size;
    }
  for (guint i = 0; i < runs->len; i++)
    {
      const Expected *run = &g_array_index (runs, Expected, i);
      const int low = row_at (raster, run->from), high = row_at (raster, run->to);

      for (int y = low; y < high; y++)
        column[y] = run->color;
      if (i > 0 && high > low && is_high (raster, run) && is_high (raster, run - 1))
        column[low] = stria_paint_mix (run->color, stria_paint_argb (theme->background), 96);
    }
  for (guint y = 0; y < raster->height; y++)
    {
      const guint8 *data = cairo_image_surface_get_data (surface);
      const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
      const guint32 found = *(const guint32 *) (const void *) (
          data + (raster->height - 1 - y) * stride + (gsize) x * 4);

      g_assert_cmphex (found, ==, column[y]);
    }
}

/* @cut: a column too few, so that blocks are not drawn where they are to be seen but brought there */
static void
check_raster (Raster *raster, guint scale, gboolean cut)
{
  const guint width = MAX (raster->width - (cut ? 1 : 0), 1);
  const StriaAllocFrameBox box
      = { .width = raster->width / scale, .height = raster->height / scale };
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, (int) width, (int) raster->height);
  StriaAllocPaints paints;
  cairo_t *cr;
  g_autoptr (StriaPlot) plot
      = stria_allocator_plot (raster->made->allocator, STRIA_PLOT_BLOCKS, FALSE, raster->view.x0,
                              raster->view.x1, raster->width, raster->view.bytes0, raster->top,
                              raster->height, NULL, NULL);

  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  stria_alloc_paints_init (&paints, &raster->view);
  {
    g_autoptr (StriaAllocLabels) labels = stria_alloc_labels_new (&paints, scale);
    stria_alloc_paint_blocks (cr, &paints, plot, &box, scale, labels);
  }
  stria_alloc_paints_clear (&paints);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (guint i = 0; i < 40; i++)
    check_pixels (raster, surface, (guint) g_test_rand_int_range (0, (gint32) width));
  check_pixels (raster, surface, 0);
  check_pixels (raster, surface, width - 1);
  cairo_surface_destroy (surface);
}

/* The picture, which goes on from column to column, is what each column gives for itself. */
static void
test_pixels (void)
{
  for (guint i = 0; i < 24; i++)
    {
      g_autoptr (AllocMaker) made
          = i % 2 == 0 ? make_many (6000, 700)
                       : alloc_maker_new ((guint) g_test_rand_int_range (10, 3000), 20, FALSE);
      const guint scale = i % 3 == 0 ? 2 : 1;
      const gint64 n = made->n_events;
      Raster raster = { .made = made };
      StriaAllocTotals peak;

      stria_alloc_view_init (&raster.view, made->allocator, FALSE);
      raster.view.pools = FALSE;
      raster.view.dark = i % 4 == 1;
      raster.view.color = i % 5 == 0 ? STRIA_ALLOC_COLOR_STACK : STRIA_ALLOC_COLOR_SIZE;
      stria_allocator_totals (made->allocator,
                              stria_allocator_peak (made->allocator, 0, made->n_events), &peak);
      raster.top = peak.allocated + 1;
      raster.width = 400 * scale;
      raster.height = 150 * scale;
      check_raster (&raster, scale, i % 7 < 3);

      raster.view.x0 = g_test_rand_int_range (0, (gint32) n);
      raster.view.x1 = raster.view.x0 + 1 + g_test_rand_int_range (0, (gint32) n);
      raster.width = (guint) g_test_rand_int_range (1, 300) * scale;
      raster.height = (guint) g_test_rand_int_range (1, 900) * scale;
      check_raster (&raster, scale, i % 7 < 3);

      raster.view.bytes0 = (guint64) g_test_rand_double_range (0, (double) peak.allocated);
      raster.top
          = raster.view.bytes0 + 1
            + (guint64) g_test_rand_double_range (0, (double) peak.allocated);
      check_raster (&raster, scale, i % 7 < 3);
    }
}

/* Heights of one block in many columns are those that each step gives. */
static void
test_offsets (void)
{
  g_autoptr (AllocMaker) made = make_many (3000, 300);
  const guint32 n = stria_allocator_get_n_elements (made->allocator);

  for (guint i = 0; i < 200; i++)
    {
      const guint32 element = (guint32) g_test_rand_int_range (0, (gint32) n);
      g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree guint64 *offsets = NULL;
      StriaElement e;

      stria_allocator_get_element (made->allocator, element, &e);
      for (guint32 step = 0; step <= made->n_events; step += 1 + i % 7)
        if ((e.birth == STRIA_NO_EVENT || e.birth < step) && e.death >= step)
          g_array_append_val (steps, step);
      offsets = g_new (guint64, steps->len + 1);
      stria_allocator_offsets (made->allocator, element, (guint32 *) (void *) steps->data,
                               steps->len, offsets);
      for (guint k = 0; k < steps->len; k++)
        g_assert_cmpuint (offsets[k], ==,
                          stria_allocator_offset (made->allocator, element,
                                                  g_array_index (steps, guint32, k)));
    }
}

/* The place of a step and the step of a place fit together. */
static void
test_axis (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (200, 0, FALSE);
  StriaAllocView view;
  StriaAllocFrameBox box;

  stria_alloc_view_init (&view, maker->allocator, TRUE);
  g_assert_false (view.by_time);
  stria_alloc_plot_box (&view, WIDTH, HEIGHT, &box);
  for (guint32 step = 0; step <= stria_allocator_get_n_events (maker->allocator); step++)
    {
      const double x = stria_alloc_step_to_x (&view, &box, step);

      g_assert_cmpfloat (x, >=, box.x);
      g_assert_cmpfloat (x, <=, box.x + box.width);
      g_assert_cmpuint (ABS ((gint64) stria_alloc_x_to_step (&view, &box, x) - (gint64) step), <=,
                        1);
    }
}

/* Every range of the map is found where it is drawn, and gaps between segments are nobody's. */
static void
test_map (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (2000, 0, TRUE);
  const guint32 last = stria_allocator_get_n_events (maker->allocator);
  g_autoptr (StriaMap) map = stria_allocator_map (maker->allocator, last, NULL, NULL);
  g_autofree gboolean *found = NULL;
  StriaAllocView view;
  double height;
  guint n_found = 0;

  stria_alloc_view_init (&view, maker->allocator, FALSE);
  height = stria_alloc_map_height (&view, map, WIDTH);
  g_assert_cmpuint (map->segments->len, >, 0);
  found = g_new0 (gboolean, map->segments->len);
  for (double y = 0; y < height; y += 4)
    for (double x = 0; x < WIDTH; x += 0.5)
      {
        gint64 segment;
        const gint64 range = stria_alloc_map_hit (&view, map, WIDTH, height, x, y, &segment);

        if (range < 0)
          continue;
        g_assert_cmpint (segment, >=, 0);
        {
          const StriaMapSegment *s
              = &g_array_index (map->segments, StriaMapSegment, (guint) segment);

          g_assert_cmpint (range, >=, s->first);
          g_assert_cmpint (range, <, s->first + s->n);
          n_found += !found[segment];
          found[segment] = TRUE;
        }
      }
  g_assert_cmpuint (n_found, ==, map->segments->len);
}

/* The widths of the children under a node cover it, and a hit leads down to the drawn one. */
static void
test_flame (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (2000, 0, TRUE);
  const guint32 last = stria_allocator_get_n_events (maker->allocator);
  const guint32 peak = stria_allocator_peak (maker->allocator, 0, last);
  g_autoptr (GArray) nodes
      = stria_allocator_flame (maker->allocator, peak, peak, FALSE, NULL, NULL);

  g_assert_cmpuint (nodes->len, >, 1);
  g_assert_cmpuint (stria_alloc_flame_hit (nodes, 0, WIDTH, WIDTH / 2.0, 10), ==, 0);
  g_assert_cmpuint (stria_alloc_flame_hit (nodes, 0, WIDTH, 1, 10), ==, G_MAXUINT32);
  g_assert_cmpuint (stria_alloc_flame_hit (nodes, 0, WIDTH, WIDTH / 2.0, 100000), ==, G_MAXUINT32);
  g_assert_cmpuint (stria_alloc_flame_hit (nodes, 0, WIDTH, 5, 30), ==,
                    g_array_index (nodes, StriaFlameNode, 0).first_child);
}

/* Any size and any kind of surface is painted without an error. */
static void
test_sizes (void)
{
  g_autoptr (AllocMaker) maker = alloc_maker_new (600, 20, TRUE);
  static const int sizes[][2] = { { 1, 1 }, { 40, 30 }, { 300, 80 }, { 1600, 1000 } };
  StriaAllocView view;

  stria_alloc_view_init (&view, maker->allocator, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint kind = 0; kind < 2; kind++)
      {
        cairo_surface_t *recording;
        cairo_t *cr;

        view.kind = (StriaPlotKind) kind;
        cairo_surface_destroy (paint (&view, sizes[i][0], sizes[i][1]));
        recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
        cr = cairo_create (recording);
        stria_alloc_paint_plot (cr, &view, sizes[i][0], sizes[i][1]);
        stria_alloc_paint_map (cr, &view, sizes[i][0], sizes[i][1]);
        stria_alloc_paint_flame (cr, &view, sizes[i][0], sizes[i][1]);
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
        cairo_surface_destroy (recording);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alloc-painter/hit", test_hit);
  g_test_add_func ("/alloc-painter/nothing-outside", test_nothing_outside);
  g_test_add_func ("/alloc-painter/colors", test_colors);
  g_test_add_func ("/alloc-painter/pixels", test_pixels);
  g_test_add_func ("/alloc-painter/offsets", test_offsets);
  g_test_add_func ("/alloc-painter/axis", test_axis);
  g_test_add_func ("/alloc-painter/map", test_map);
  g_test_add_func ("/alloc-painter/flame", test_flame);
  g_test_add_func ("/alloc-painter/sizes", test_sizes);
  return g_test_run ();
}
