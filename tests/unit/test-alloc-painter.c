/* SPDX-License-Identifier: Apache-2.0 */
#include "alloc-maker.h"

#include <math.h>

#include "stria-alloc-painter.h"

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
  const double height = stria_alloc_map_height (map, WIDTH);
  guint n_found = 0;

  g_assert_cmpuint (map->segments->len, >, 0);
  found = g_new0 (gboolean, map->segments->len);
  for (double y = 0; y < height; y += 4)
    for (double x = 0; x < WIDTH; x += 0.5)
      {
        gint64 segment;
        const gint64 range = stria_alloc_map_hit (map, WIDTH, height, x, y, &segment);

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
  g_test_add_func ("/alloc-painter/axis", test_axis);
  g_test_add_func ("/alloc-painter/map", test_map);
  g_test_add_func ("/alloc-painter/flame", test_flame);
  g_test_add_func ("/alloc-painter/sizes", test_sizes);
  return g_test_run ();
}
