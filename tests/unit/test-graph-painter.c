/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-painter.h"

#include <math.h>
#include <string.h>

#define WIDTH  800
#define HEIGHT 500
#define NODES  4000
#define SLOW   1234

/* Fontconfig keeps what it read of its configuration until the process ends. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\n";
}

typedef struct
{
  StriaScene       *scene;
  guint16          *marks;
  StriaGraphFigure *figures;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  static const guint16 marks[]
      = { 0,
          STRIA_GRAPH_MARK_SELECTED,
          STRIA_GRAPH_MARK_SELECTED | STRIA_GRAPH_MARK_MATCH,
          STRIA_GRAPH_MARK_MAPPED | STRIA_GRAPH_MARK_PARTITION,
          STRIA_GRAPH_MARK_DIM,
          STRIA_GRAPH_MARK_UPSTREAM,
          STRIA_GRAPH_MARK_UPSTREAM,
          STRIA_GRAPH_MARK_UNMATCHED };
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *builder = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "made", NULL);
  guint32 group = STRIA_NO_GROUP;

  f->marks = g_new (guint16, NODES);
  f->figures = g_new0 (StriaGraphFigure, NODES);
  for (guint i = 0; i < NODES; i++)
    {
      g_autofree char *id = g_strdup_printf ("n%u", i);
      g_autofree char *label = g_strdup_printf ("op%u", i % 7);

      if (i % 20 == 0)
        {
          g_autofree char *name = g_strdup_printf ("block%u", i / 20);
          group = stria_graph_builder_group (builder, STRIA_NO_GROUP, name, STRIA_GROUP_MODULE);
        }
      stria_graph_builder_node (builder, id, label, group, STRIA_NODE_OPERATOR, i);
      stria_graph_builder_output (builder, "0", id, "1×64 float32");
      if (i > 0)
        stria_graph_builder_edge (builder, i - 1, STRIA_NO_REF, i, STRIA_NO_REF);
      if (i % 5 == 0 && i > 20)
        stria_graph_builder_edge (builder, i - 2 - (i * 7) % 17, STRIA_NO_REF, i, STRIA_NO_REF);
      f->marks[i] = marks[i % G_N_ELEMENTS (marks)];
      f->figures[i].state = i % 3 == 0 ? STRIA_FIGURE_UNMEASURED : STRIA_FIGURE_VALUE;
      f->figures[i].share = i == SLOW ? 1 : 0.1f;
      g_strlcpy (f->figures[i].text, "1.90 ms", sizeof f->figures[i].text);
    }
  g_autoptr (StriaGraph) graph = stria_graph_new (facts, stria_graph_builder_finish (builder));
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  stria_fold_set_level (fold, G_MAXUINT);
  f->scene = stria_scene_new (fold, NULL, stria_graph_measure, NULL, NULL, NULL);
  g_assert_nonnull (f->scene);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  stria_scene_unref (f->scene);
  g_free (f->marks);
  g_free (f->figures);
}

static cairo_surface_t *
new_surface (void)
{
  return cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
}

static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
  guint32 argb = 0;

  memcpy (&argb,
          cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface)
              + 4 * x,
          sizeof argb);
  return argb;
}

static int
distance (guint32 a, guint32 b)
{
  int most = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    most = MAX (most, ABS ((int) ((a >> shift) & 0xff) - (int) ((b >> shift) & 0xff)));
  return most;
}

/* Pixels in which two pictures differ more than edges and letters do. */
static guint
n_different (cairo_surface_t *a, cairo_surface_t *b, int least)
{
  guint n = 0;

  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      n += distance (pixel (a, x, y), pixel (b, x, y)) > least;
  return n;
}

static void
look_at (Fixture *f, StriaGraphView *view, double zoom)
{
  stria_graph_view_init (view, f->scene);
  view->zoom = zoom;
  view->x = (double) f->scene->width / 2;
  view->y = (double) f->scene->height / 3;
  view->node_marks = f->marks;
  view->node_figures = f->figures;
}

/* What is exported as vectors must show what is seen on the screen. */
static void
test_vectors_agree (Fixture *f, gconstpointer data)
{
  static const double zooms[] = { 2.5, 1, 0.6, 0.3, 0.15 };

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      cairo_surface_t *direct = new_surface (), *replayed = new_surface ();
      cairo_surface_t *recording
          = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
      cairo_t *cr = cairo_create (direct);
      StriaGraphView view;

      look_at (f, &view, zooms[i]);
      view.dark = i % 2;
      stria_graph_paint (cr, &view, WIDTH, HEIGHT);
      cairo_destroy (cr);
      cr = cairo_create (recording);
      stria_graph_paint (cr, &view, WIDTH, HEIGHT);
      cairo_destroy (cr);
      cr = cairo_create (replayed);
      cairo_set_source_surface (cr, recording, 0, 0);
      cairo_paint (cr);
      cairo_destroy (cr);
      g_test_message ("zoom %g: %u", zooms[i], n_different (direct, replayed, 64));
      g_assert_cmpuint (n_different (direct, replayed, 64), <, WIDTH * HEIGHT / 50);
      cairo_surface_destroy (recording);
      cairo_surface_destroy (direct);
      cairo_surface_destroy (replayed);
    }
}

/* Whether it is painted whole, by several threads, or in strips too small for them. */
static void
test_strips_agree (Fixture *f, gconstpointer data)
{
  cairo_surface_t *whole = new_surface (), *strips = new_surface ();
  cairo_t *cr = cairo_create (whole);
  StriaGraphView view;

  look_at (f, &view, 1);
  stria_graph_view_fit (&view, WIDTH, HEIGHT);
  stria_graph_paint (cr, &view, WIDTH, HEIGHT);
  cairo_destroy (cr);
  cr = cairo_create (strips);
  for (int y = 0; y < HEIGHT; y += 10)
    {
      cairo_save (cr);
      cairo_rectangle (cr, 0, y, WIDTH, 10);
      cairo_clip (cr);
      stria_graph_paint (cr, &view, WIDTH, HEIGHT);
      cairo_restore (cr);
    }
  cairo_destroy (cr);
  g_assert_cmpuint (n_different (whole, strips, 8), <, WIDTH * HEIGHT / 500);
  cairo_surface_destroy (whole);
  cairo_surface_destroy (strips);
}

/* One slow node among thousands, far smaller than a pixel. */
static void
test_slow_is_seen (Fixture *f, gconstpointer data)
{
  const guint32 slow = stria_color_argb (stria_graph_scale_color (1, FALSE, FALSE));
  cairo_surface_t *surface = new_surface ();
  cairo_t *cr = cairo_create (surface);
  StriaGraphView view;
  guint n = 0;

  look_at (f, &view, 1);
  view.node_marks = NULL;
  stria_graph_view_fit (&view, WIDTH, HEIGHT);
  view.zoom /= 2;
  stria_graph_paint (cr, &view, WIDTH, HEIGHT);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      n += distance (pixel (surface, x, y), slow) < 40;
  g_assert_cmpuint (n, >, 0);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/graph-painter/vectors-agree", test_vectors_agree);
  ADD ("/graph-painter/strips-agree", test_strips_agree);
  ADD ("/graph-painter/slow-is-seen", test_slow_is_seen);
  return g_test_run ();
}
