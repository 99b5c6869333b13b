/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "paint-fixture.h"
#include "stria-color.h"
#include "stria-timeline-painter.h"

#include <math.h>

#define WIDTH  1000
#define HEIGHT 300

/* Fontconfig keeps what it read of its configuration until the process ends. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\n";
}

typedef struct
{
  StriaCapture     *capture;
  StriaTrace       *trace;
  StriaTimelineView view;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->capture = fixture_capture ();
  f->trace = stria_capture_ref_trace (f->capture);
  f->view = (StriaTimelineView){
    .trace = f->trace,
    .layout = stria_timeline_layout_new (),
    .selection = STRIA_REF_NONE,
    .t0 = FIXTURE_BASE,
    .t1 = FIXTURE_BASE + 1000 * FIXTURE_US,
    .origin_ns = FIXTURE_BASE,
    .font_size = STRIA_TIMELINE_FONT_SIZE,
  };
  stria_timeline_layout_set_trace (f->view.layout, f->trace);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->view.match, stria_match_unref);
  stria_timeline_layout_unref (f->view.layout);
  stria_trace_unref (f->trace);
  g_object_unref (f->capture);
}

static cairo_surface_t *
new_surface (int width, int height, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, (int) (width * scale), (int) (height * scale));

  cairo_surface_set_device_scale (surface, scale, scale);
  return surface;
}

static cairo_surface_t *
paint_lanes (Fixture *f, double scale)
{
  cairo_surface_t *surface = new_surface (WIDTH, HEIGHT, scale);
  cairo_t *cr = cairo_create (surface);

  stria_timeline_paint_lanes (cr, &f->view, WIDTH, HEIGHT, 0, FALSE);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
  const int stride = cairo_image_surface_get_stride (surface);
  guint32 argb = 0;

  g_assert_cmpint (x, <, cairo_image_surface_get_width (surface));
  g_assert_cmpint (y, <, cairo_image_surface_get_height (surface));
  memcpy (&argb, cairo_image_surface_get_data (surface) + y * stride + x * 4, sizeof argb);
  return argb;
}

static guint32
argb_of (const char *name)
{
  const StriaColor color = stria_color_for_name (name, FALSE);

  return 0xff000000u | (guint32) (color.r * 255 + 0.5) << 16 | (guint32) (color.g * 255 + 0.5) << 8
         | (guint32) (color.b * 255 + 0.5);
}

static int
channel_distance (guint32 a, guint32 b)
{
  int most = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    most = MAX (most, ABS ((int) ((a >> shift) & 0xff) - (int) ((b >> shift) & 0xff)));
  return most;
}

/* Middle of a row of a lane, in pixels */
static int
row_y (Fixture *f, guint32 lane, guint32 row)
{
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (f->view.layout, lane);

  return (int) (item->y + STRIA_LAYOUT_LANE_PADDING + (row + 0.5) * item->row_height);
}

static void
test_slices (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  cairo_surface_t *surface = paint_lanes (f, 1);
  const int y = row_y (f, lane, 1);

  /* Right of the label, which is at the left end */
  g_assert_cmphex (pixel (surface, 280, y), ==, argb_of ("inner"));
  g_assert_cmphex (pixel (surface, 101, y - 6), ==, argb_of ("inner"));
  g_assert_cmphex (pixel (surface, 690, y), ==, argb_of ("inner"));
  g_assert_cmphex (pixel (surface, 900, row_y (f, lane, 0)), ==, argb_of ("outer"));
  /* Free time between the two */
  g_assert_cmpint (channel_distance (pixel (surface, 350, y), 0xffffffff), <, 24);
  g_assert_cmpint (channel_distance (pixel (surface, 98, y), 0xffffffff), <, 24);
  g_assert_cmpint (channel_distance (pixel (surface, 302, y), 0xffffffff), <, 24);
  cairo_surface_destroy (surface);
}

/* Half of each pixel is busy: neither empty nor full, and the same all along. */
static void
test_busy_share (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "2");
  cairo_surface_t *surface = paint_lanes (f, 1);
  const int y = row_y (f, lane, 0);
  const guint32 half = pixel (surface, 500, y);

  g_assert_cmpint (channel_distance (half, argb_of ("tick")), >, 8);
  g_assert_cmpint (channel_distance (half, 0xffffffff), >, 24);
  for (int x = 10; x < 990; x++)
    g_assert_cmpint (channel_distance (pixel (surface, x, y), half), <=, 2);
  cairo_surface_destroy (surface);
}

static void
test_instants_and_counter (Fixture *f, gconstpointer data)
{
  const guint32 instants = fixture_lane (f->trace, STRIA_LANE_INSTANTS, "3");
  const guint32 counter = fixture_lane (f->trace, STRIA_LANE_COUNTER, NULL);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (f->view.layout, counter);
  cairo_surface_t *surface = paint_lanes (f, 1);
  const int low = (int) (item->y + item->height - STRIA_LAYOUT_LANE_PADDING - 5);
  const int high = (int) (item->y + STRIA_LAYOUT_LANE_PADDING + 5);

  g_assert_cmpint (channel_distance (pixel (surface, 250, row_y (f, instants, 0)), 0xffffffff), >,
                   40);
  g_assert_cmpint (channel_distance (pixel (surface, 350, row_y (f, instants, 0)), 0xffffffff), <,
                   24);
  /* 10 of 10 at 600, 4 of 10 at 900, nothing at 200 */
  g_assert_cmphex (pixel (surface, 620, low), ==, pixel (surface, 620, high));
  g_assert_cmphex (pixel (surface, 920, low), ==, pixel (surface, 620, low));
  g_assert_cmphex (pixel (surface, 920, high), !=, pixel (surface, 620, high));
  g_assert_cmphex (pixel (surface, 220, low), !=, pixel (surface, 620, low));
  cairo_surface_destroy (surface);
}

/* Every other target gets rectangles; they must show the same. */
static void
test_vectors_agree (Fixture *f, gconstpointer data)
{
  cairo_surface_t *direct = paint_lanes (f, 2);
  cairo_surface_t *replayed = new_surface (WIDTH, HEIGHT, 2);
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (recording);
  guint n_different = 0;

  stria_timeline_paint_lanes (cr, &f->view, WIDTH, HEIGHT, 0, FALSE);
  cairo_destroy (cr);
  cr = cairo_create (replayed);
  cairo_set_source_surface (cr, recording, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (replayed);
  for (int y = 0; y < 2 * HEIGHT; y++)
    for (int x = 0; x < 2 * WIDTH; x++)
      if (channel_distance (pixel (direct, x, y), pixel (replayed, x, y)) > 24)
        n_different++;
  /* Corners of slices and rims of text differ */
  g_assert_cmpuint (n_different, <, 2 * WIDTH * 2 * HEIGHT / 200);
  cairo_surface_destroy (recording);
  cairo_surface_destroy (replayed);
  cairo_surface_destroy (direct);
}

/* Pixels written by hand obey the translation, and stay inside their area. */
static void
test_stays_inside (Fixture *f, gconstpointer data)
{
  cairo_surface_t *plain = paint_lanes (f, 1);
  cairo_surface_t *moved = new_surface (WIDTH + 40, HEIGHT + 40, 1);
  cairo_t *cr = cairo_create (moved);

  cairo_set_source_rgb (cr, 1, 0, 1);
  cairo_paint (cr);
  cairo_translate (cr, 15, 25);
  stria_timeline_paint_lanes (cr, &f->view, WIDTH, HEIGHT, 0, FALSE);
  cairo_destroy (cr);
  cairo_surface_flush (moved);
  for (int y = 0; y < HEIGHT + 40; y++)
    for (int x = 0; x < WIDTH + 40; x++)
      {
        const gboolean inside = x >= 15 && x < WIDTH + 15 && y >= 25 && y < HEIGHT + 25;

        if (!inside)
          g_assert_cmphex (pixel (moved, x, y), ==, 0xffff00ff);
        else if (pixel (moved, x, y) != pixel (plain, x - 15, y - 25))
          g_error ("pixel %d,%d differs", x, y);
      }
  cairo_surface_destroy (moved);
  cairo_surface_destroy (plain);
}

/* A scrolled picture is a part of the whole one. */
static void
test_scrolled (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "9");
  cairo_surface_t *whole = paint_lanes (f, 1);
  cairo_surface_t *part = new_surface (WIDTH, 40, 1);
  cairo_t *cr = cairo_create (part);
  const int y = row_y (f, lane, 0);

  stria_timeline_paint_lanes (cr, &f->view, WIDTH, 40, y - 20, FALSE);
  cairo_destroy (cr);
  cairo_surface_flush (part);
  g_assert_cmphex (pixel (part, 590, 20), ==, argb_of ("kernel"));
  g_assert_cmphex (pixel (part, 590, 20), ==, pixel (whole, 590, y));
  cairo_surface_destroy (part);
  cairo_surface_destroy (whole);
}

static void
test_search_dims (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  cairo_surface_t *surface = NULL;
  guint32 dimmed = 0;

  f->view.match = stria_match_new_names (f->trace, "INNER");
  surface = paint_lanes (f, 1);
  dimmed = pixel (surface, 900, row_y (f, lane, 0));
  g_assert_cmphex (pixel (surface, 280, row_y (f, lane, 1)), ==, argb_of ("inner"));
  g_assert_cmpint (channel_distance (dimmed, argb_of ("outer")), >, 24);
  g_assert_cmpint (channel_distance (dimmed, 0xffffffff), >, 4);
  cairo_surface_destroy (surface);
}

static void
test_hit_and_locate (Fixture *f, gconstpointer data)
{
  for (guint32 lane = 0; lane < stria_trace_get_n_lanes (f->trace); lane++)
    {
      StriaLane *of = stria_trace_get_lane (f->trace, lane);
      const guint64 n = stria_lane_get_n_events (of);

      for (guint64 i = 0; i < n; i++)
        {
          const StriaRef ref = { lane, (guint32) i };
          double x = -1;
          double y = -1;
          double w = -1;
          double h = -1;

          g_assert_true (stria_timeline_locate (&f->view, WIDTH, ref, &x, &y, &w, &h));
          g_assert_cmpfloat (h, >, 0);
          g_assert_true (stria_ref_equal (
              stria_timeline_hit (&f->view, WIDTH, 0, MIN (x + w / 2 + 0.01, WIDTH - 1), y + h / 2,
                                  FALSE),
              ref));
        }
    }
}

static void
test_hit_misses (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  const guint32 instants = fixture_lane (f->trace, STRIA_LANE_INSTANTS, "3");
  StriaRef ref;

  /* Free time, a process header, outside */
  ref = stria_timeline_hit (&f->view, WIDTH, 0, 350, row_y (f, lane, 1), FALSE);
  g_assert_true (stria_ref_is_none (ref));
  g_assert_true (stria_ref_is_none (stria_timeline_hit (&f->view, WIDTH, 0, 350, 3, FALSE)));
  g_assert_true (stria_ref_is_none (stria_timeline_hit (&f->view, WIDTH, 0, 350, 9000, FALSE)));
  g_assert_true (stria_ref_is_none (stria_timeline_hit (&f->view, WIDTH, 0, -1, 30, FALSE)));
  /* Thin ones are caught from three pixels away, not from further */
  ref = stria_timeline_hit (&f->view, WIDTH, 0, 253, row_y (f, instants, 0), FALSE);
  g_assert_cmpuint (ref.lane, ==, instants);
  ref = stria_timeline_hit (&f->view, WIDTH, 0, 258, row_y (f, instants, 0), FALSE);
  g_assert_true (stria_ref_is_none (ref));
}

static void
test_pinned (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "9");
  const double y = STRIA_LAYOUT_LANE_PADDING + STRIA_LAYOUT_ROW_HEIGHT / 2;
  StriaRef ref;

  stria_timeline_layout_set_lane_pinned (f->view.layout, lane, TRUE);
  ref = stria_timeline_hit (&f->view, WIDTH, 500, 550, y, TRUE);
  g_assert_cmpuint (ref.lane, ==, lane);
}

static void
test_collapsed (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "9");
  const guint32 process = stria_lane_get_process (stria_trace_get_lane (f->trace, lane));
  const StriaLayoutItem *item = NULL;
  cairo_surface_t *surface = NULL;
  double x = 0;
  int y = 0;

  stria_timeline_layout_set_process_collapsed (f->view.layout, process, TRUE);
  item = stria_timeline_layout_of_process (f->view.layout, process);
  y = (int) (item->y + item->height / 2);
  surface = paint_lanes (f, 1);
  /* The strip shows when something runs */
  g_assert_cmphex (pixel (surface, 550, y), !=, pixel (surface, 450, y));
  g_assert_cmphex (pixel (surface, 650, y), ==, pixel (surface, 450, y));
  g_assert_false (stria_timeline_locate (&f->view, WIDTH, (StriaRef){ lane, 0 }, &x, &x, &x, &x));
  cairo_surface_destroy (surface);
}

/* Everything together, at sizes and ranges from nothing to absurd. */
static void
test_any_size (Fixture *f, gconstpointer data)
{
  static const int sizes[][2] = { { 1, 1 },     { 3, 200 },   { 200, 3 },  { 60, 60 },
                                  { 700, 500 }, { 1900, 400 } };
  static const gint64 spans[] = { 100, 5 * 1000, 1000 * 1000, G_GINT64_CONSTANT (4000000000000) };
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");

  f->view.selection = (StriaRef){ lane, 2 };
  f->view.has_range = TRUE;
  f->view.range_t0 = FIXTURE_BASE + 100;
  f->view.range_t1 = FIXTURE_BASE + 400 * FIXTURE_US;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (spans); j++)
      for (guint style = 0; style < 2; style++)
        {
          cairo_surface_t *surface = new_surface (sizes[i][0], sizes[i][1], 1 + style);
          cairo_t *cr = cairo_create (surface);

          f->view.dark = style == 1;
          f->view.t0 = FIXTURE_BASE + 450 * FIXTURE_US - spans[j] / 2;
          f->view.t1 = f->view.t0 + spans[j];
          stria_timeline_paint (cr, &f->view, sizes[i][0], sizes[i][1]);
          g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
          cairo_destroy (cr);
          cairo_surface_destroy (surface);
        }
}

/* An arrow leaves the selected slice for the kernel that it launched. */
static void
test_arrow (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  cairo_surface_t *surface = new_surface (WIDTH, HEIGHT, 1);
  cairo_t *cr = cairo_create (surface);
  guint n = 0;

  for (guint32 i = 0; i < 3 && n == 0; i++)
    {
      g_autoptr (GArray) flows = stria_trace_flows_of (f->trace, (StriaRef){ lane, i });

      f->view.selection = (StriaRef){ lane, i };
      n = flows->len;
    }
  g_assert_cmpuint (n, ==, 1);
  stria_timeline_paint_overlay (cr, &f->view, WIDTH, HEIGHT, 0);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  n = 0;
  /* Between the two lanes there is nothing else in the overlay */
  for (int x = 0; x < WIDTH; x++)
    n += pixel (surface, x, row_y (f, lane, 1) + 30) != 0;
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n, <, 60);
  cairo_surface_destroy (surface);
}

static void
test_minimap_range (Fixture *f, gconstpointer data)
{
  gint64 t0 = 0;
  gint64 t1 = 0;

  stria_timeline_minimap_range (&f->view, &t0, &t1);
  g_assert_cmpint (t0, ==, FIXTURE_BASE);
  g_assert_cmpint (t1, ==, FIXTURE_BASE + 1000 * FIXTURE_US);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *, gconstpointer);
  } tests[] = {
    { "/painter/slices", test_slices },
    { "/painter/busy-share", test_busy_share },
    { "/painter/instants-and-counter", test_instants_and_counter },
    { "/painter/vectors-agree", test_vectors_agree },
    { "/painter/stays-inside", test_stays_inside },
    { "/painter/scrolled", test_scrolled },
    { "/painter/search-dims", test_search_dims },
    { "/painter/hit-and-locate", test_hit_and_locate },
    { "/painter/hit-misses", test_hit_misses },
    { "/painter/pinned", test_pinned },
    { "/painter/collapsed", test_collapsed },
    { "/painter/any-size", test_any_size },
    { "/painter/arrow", test_arrow },
    { "/painter/minimap-range", test_minimap_range },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
