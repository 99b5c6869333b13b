/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-alloc-painter.h"
#include "stria-capture.h"
#include "stria-paint-kit.h"

#define MIB ((guint64) 1 << 20)
#define WIDTH  1000
#define HEIGHT 400

typedef struct
{
  StriaCapture   *capture;
  GPtrArray      *snapshots;
  StriaAllocator *allocator;
} Made;

static void
add (GArray *events, StriaAllocAction action, guint64 address, guint64 size, guint64 pool)
{
  const StriaAllocEvent event = {
    .action = (guint8) action,
    .address = address,
    .size = size,
    .pool = pool,
    .time_us = 1000 + (gint64) events->len * 10,
    .stack = STRIA_NO_STACK,
  };

  g_array_append_val (events, event);
}

/* A private pool of 8 MiB with a block of 2 MiB and one of 1 MiB, which is freed; under it all, a
 * block of 4 MiB of no private pool. */
static void
make (Made *made)
{
  const guint64 mine = STRIA_POOL (3, 0), base = (guint64) 1 << 40;
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/made", NULL, "made", 1, 0);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (StriaAllocEvent));
  const StriaAllocSegment segments[] = {
    { .address = base, .has_address = TRUE, .total_size = 4 * MIB, .stack = STRIA_NO_STACK },
    { .address = base + 64 * MIB, .has_address = TRUE, .total_size = 8 * MIB, .pool = mine,
      .stack = STRIA_NO_STACK },
  };
  StriaSink *sink;
  StriaAllocSink *alloc;

  add (events, STRIA_ALLOC_SEGMENT_ALLOC, base, 4 * MIB, 0);
  add (events, STRIA_ALLOC_ALLOC, base, 4 * MIB, 0);
  add (events, STRIA_ALLOC_SEGMENT_ALLOC, base + 64 * MIB, 8 * MIB, mine);
  add (events, STRIA_ALLOC_ALLOC, base + 64 * MIB, 2 * MIB, mine);
  add (events, STRIA_ALLOC_ALLOC, base + 66 * MIB, MIB, mine);
  add (events, STRIA_ALLOC_FREE_COMPLETED, base + 66 * MIB, MIB, mine);
  made->capture = stria_capture_new ("/made");
  stria_capture_add_artifact (made->capture, artifact);
  sink = stria_capture_open_sink (made->capture, 0);
  alloc = sink->allocator (sink);
  for (guint i = 0; i < G_N_ELEMENTS (segments); i++)
    alloc->segment (alloc, &segments[i], NULL, 0);
  alloc->events (alloc, 0, (const StriaAllocEvent *) (gpointer) events->data, events->len);
  alloc->trace (alloc, 0, 0, FALSE);
  stria_capture_close_sink (made->capture, sink, TRUE);
  made->snapshots = stria_capture_get_snapshots (made->capture);
  made->allocator = stria_snapshot_get_device (made->snapshots->pdata[0], 0);
}

static void
made_clear (Made *made)
{
  g_ptr_array_unref (made->snapshots);
  g_object_unref (made->capture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static cairo_surface_t *
paint (const StriaAllocView *view)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  stria_alloc_paint_base (cr, view, WIDTH, HEIGHT);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel (cairo_surface_t *surface, double x, double y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);

  guint32 argb;
  memcpy (&argb, data + (gsize) y * (gsize) cairo_image_surface_get_stride (surface) + (gsize) x * 4,
          4);
  return argb & 0xffffff;
}

static double
y_of (const StriaAllocView *view, const StriaAllocFrameBox *box, guint64 bytes)
{
  return box->y + box->height
         - (double) bytes * box->height / (double) stria_alloc_plot_top (view);
}

/* The pool's block, what is free above it, and the other block on top of all. */
static void
test_bands (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      Made made;
      StriaAllocView view;
      StriaAllocFrameBox box;
      cairo_surface_t *surface;
      guint32 step, background, free_pixel;
      double x;

      make (&made);
      stria_alloc_view_init (&view, made.allocator, FALSE);
      g_assert_true (view.pools);
      view.dark = dark > 0;
      view.no_legend = TRUE;
      stria_alloc_plot_box (&view, WIDTH, HEIGHT, &box);
      g_assert_cmpuint (stria_alloc_plot_top (&view), >=, 12 * MIB);
      surface = paint (&view);
      x = floor (stria_alloc_step_to_x (&view, &box, 6));
      background = pixel (surface, 2, 2);
      free_pixel = pixel (surface, x, y_of (&view, &box, 5 * MIB + MIB / 3));
      g_assert_cmpuint (stria_alloc_plot_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, MIB), &step),
                        ==, 1);
      g_assert_cmpuint (pixel (surface, x, y_of (&view, &box, MIB)), ==,
                        stria_alloc_element_color (&view, 1) & 0xffffff);
      g_assert_cmpuint (
          stria_alloc_plot_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, 5 * MIB), &step), ==,
          STRIA_NO_ELEMENT);
      g_assert_cmpuint (
          stria_alloc_pool_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, 5 * MIB), &step), ==, 0);
      g_assert_cmpuint (free_pixel, !=, background);
      g_assert_cmpuint (free_pixel, !=, stria_alloc_element_color (&view, 1) & 0xffffff);
      g_assert_cmpuint (
          stria_alloc_plot_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, 10 * MIB), &step), ==, 0);
      g_assert_cmpuint (
          stria_alloc_pool_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, 10 * MIB), &step), ==,
          G_MAXUINT);
      g_assert_cmpuint (pixel (surface, x, y_of (&view, &box, 10 * MIB)), ==,
                        stria_alloc_element_color (&view, 0) & 0xffffff);
      cairo_surface_destroy (surface);

      /* Without bands the blocks stand one on the other again */
      view.pools = FALSE;
      g_assert_cmpuint (
          stria_alloc_plot_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, MIB), &step), ==, 0);
      g_assert_cmpuint (
          stria_alloc_pool_hit (&view, WIDTH, HEIGHT, x, y_of (&view, &box, MIB), &step), ==,
          G_MAXUINT);
      made_clear (&made);
    }
}

/* A plot that shares an axis stands where it is told to, and says where nothing was recorded. */
static void
test_shared_axis (void)
{
  Made made;
  StriaAllocView view;
  StriaAllocFrameBox box;
  cairo_surface_t *surface;

  make (&made);
  stria_alloc_view_init (&view, made.allocator, TRUE);
  view.x0 -= 1000;
  view.x1 += 1000;
  view.left = 231;
  view.no_legend = TRUE;
  stria_alloc_plot_box (&view, WIDTH, HEIGHT, &box);
  g_assert_cmpfloat (box.x, ==, 231);
  g_assert_cmpfloat (box.width, ==, WIDTH - 231);
  g_assert_cmpfloat (fabs (stria_alloc_step_to_x (&view, &box, 0)
                           - (231 + 1000 * box.width / (double) (view.x1 - view.x0))),
                     <, 0.01);
  surface = paint (&view);
  g_assert_cmpuint (pixel (surface, 240, y_of (&view, &box, MIB)), ==,
                    pixel (surface, 240, y_of (&view, &box, 3 * MIB)));
  g_assert_cmpuint (pixel (surface, WIDTH - 9, y_of (&view, &box, MIB)), ==,
                    pixel (surface, 240, y_of (&view, &box, 3 * MIB)));
  cairo_surface_destroy (surface);
  made_clear (&made);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alloc-pool-painter/bands", test_bands);
  g_test_add_func ("/alloc-pool-painter/shared-axis", test_shared_axis);
  return g_test_run ();
}
