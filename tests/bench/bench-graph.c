/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench-graph.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>

#include "bench-figures.h"
#include "stria-graph-painter.h"
#include "stria-importer.h"
#include "stria-scan.h"

#define WIDTH  1600
#define HEIGHT 900
#define FRAMES 120
#define PAN    7  /* pixels that a view moves by from a jump's picture to the next */
#define DOT_S  60 /* that dot may take */

/* A chain with an edge back 2 to 18 nodes for every fifth, in modules of modules of 20 each. */
static StriaGraph *
make_graph (guint n)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *builder
      = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "generated", NULL);
  guint32 outer = STRIA_NO_GROUP, inner = STRIA_NO_GROUP;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("node_%u", i);
      g_autofree char *label = g_strdup_printf ("aten.op%u.default", i % 23);

      if (i % 400 == 0)
        {
          g_autofree char *name = g_strdup_printf ("layer%u", i / 400);
          outer = stria_graph_builder_group (builder, STRIA_NO_GROUP, name, STRIA_GROUP_MODULE);
        }
      if (i % 20 == 0)
        {
          g_autofree char *name = g_strdup_printf ("block%u", i / 20);
          inner = stria_graph_builder_group (builder, outer, name, STRIA_GROUP_MODULE);
        }
      stria_graph_builder_node (builder, id, label, inner, STRIA_NODE_OPERATOR, i);
      stria_graph_builder_output (builder, "0", id, "1×64×56×56 float32");
      if (i > 0)
        stria_graph_builder_edge (builder, i - 1, STRIA_NO_REF, i, STRIA_NO_REF);
      if (i % 5 == 0 && i > 20)
        stria_graph_builder_edge (builder, i - 2 - (i * 7) % 17, STRIA_NO_REF, i, STRIA_NO_REF);
    }
  return stria_graph_new (facts, stria_graph_builder_finish (builder));
}

/* The largest graph of a file. */
static StriaGraph *
read_graph (const char *path, GError **error)
{
  const char *const paths[] = { path, NULL };
  g_autoptr (StriaCapture) capture = stria_scan (paths, NULL, error);
  g_autoptr (StriaImporter) importer = capture != NULL ? stria_importer_new (capture) : NULL;
  StriaGraph *largest = NULL;

  if (importer == NULL)
    return NULL;
  stria_importer_set_no_store (importer, TRUE);
  stria_importer_set_reimport (importer, TRUE);
  if (!stria_importer_run (importer, NULL, error))
    return NULL;
  g_autoptr (StriaFacts) facts = stria_capture_ref_facts (capture, 0);
  for (guint32 g = 0; facts != NULL && g < stria_facts_size (facts, STRIA_TABLE_GRAPH); g++)
    {
      StriaGraph *graph = stria_graph_new (facts, g);
      if (graph != NULL
          && (largest == NULL || stria_graph_n_nodes (graph) > stria_graph_n_nodes (largest)))
        {
          g_clear_pointer (&largest, stria_graph_unref);
          largest = graph;
        }
      else
        g_clear_pointer (&graph, stria_graph_unref);
    }
  return largest;
}

static double
paint_ms (const StriaGraphView *view, cairo_surface_t *surface)
{
  cairo_t *cr = cairo_create (surface);
  gint64 start = g_get_monotonic_time ();

  stria_graph_paint (cr, view, WIDTH, HEIGHT);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return seconds_since (start) * 1000;
}

static void
percentiles (GArray *times, const char *what, const char *how)
{
  g_autofree char *p50 = g_strconcat (what, how, "_p50_ms", NULL);
  g_autofree char *p95 = g_strconcat (what, how, "_p95_ms", NULL);

  figure (p50, percentile (times, 0.5));
  figure (p95, percentile (times, 0.95));
}

/* From the whole picture into its middle, and along it. */
static void
sweep (StriaGraphView *view, cairo_surface_t *surface, const char *what)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  const double fit = view->zoom;

  for (guint i = 0; i < FRAMES; i++)
    {
      double share = MIN (i / (FRAMES / 2.0), 1);
      double along = i < FRAMES / 2 ? 0.5 : 0.5 + 0.4 * (i - FRAMES / 2.0) / (FRAMES / 2.0);
      double ms;

      view->zoom = fit * pow (MAX (1 / fit, 1), share);
      view->x = (double) view->scene->width * along - WIDTH / view->zoom / 2;
      view->y = (double) view->scene->height * 0.5 - HEIGHT / view->zoom / 2;
      ms = paint_ms (view, surface);
      g_array_append_val (times, ms);
    }
  percentiles (times, what, "");
}

/* To anywhere at any zoom, where nothing can be known from the picture before; and, warm, a few pixels
 * on from there. No picture is kept between frames: what may be is shaped text and letters of a
 * zoom. */
static void
jumps (StriaGraphView *view, cairo_surface_t *surface, const char *what)
{
  g_autoptr (GArray) cold = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) warm = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  const double fit = view->zoom;

  for (guint i = 0; i < FRAMES; i++)
    {
      double ms;

      view->zoom = fit * pow (MAX (2 / fit, 1), g_rand_double (random));
      view->x = (double) view->scene->width * g_rand_double (random) - WIDTH / view->zoom / 2;
      view->y = (double) view->scene->height * g_rand_double (random) - HEIGHT / view->zoom / 2;
      ms = paint_ms (view, surface);
      g_array_append_val (cold, ms);
      view->x += PAN / view->zoom;
      ms = paint_ms (view, surface);
      g_array_append_val (warm, ms);
    }
  percentiles (cold, what, "_cold");
  percentiles (warm, what, "_warm");
}

static void
frames (StriaScene *scene, const char *what)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  StriaGraphView view;

  stria_graph_view_init (&view, scene);
  stria_graph_view_fit (&view, WIDTH, HEIGHT);
  sweep (&view, surface, what);
  stria_graph_view_fit (&view, WIDTH, HEIGHT);
  jumps (&view, surface, what);
  cairo_surface_destroy (surface);
}

/* A number of nodes, or a file. */
static StriaGraph *
graph_of (const char *argument, GError **error)
{
  return g_ascii_isdigit (*argument) ? make_graph ((guint) g_ascii_strtoull (argument, NULL, 10))
                                     : read_graph (argument, error);
}

static gboolean
job_graph (const char *argument, GError **error)
{
  g_autoptr (StriaGraph) graph = graph_of (argument, error);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  StriaGraphView view;
  gint64 start;

  if (graph == NULL)
    return FALSE;
  figure ("nodes", stria_graph_n_nodes (graph));
  figure ("edges", stria_graph_n_edges (graph));
  start = g_get_monotonic_time ();
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  g_autoptr (StriaScene) folded
      = stria_scene_new (fold, NULL, stria_graph_measure, NULL, NULL, error);
  stria_graph_view_init (&view, folded);
  stria_graph_view_fit (&view, WIDTH, HEIGHT);
  paint_ms (&view, surface);
  figure ("first_ms", seconds_since (start) * 1000);
  cairo_surface_destroy (surface);

  stria_fold_set_level (fold, G_MAXUINT);
  start = g_get_monotonic_time ();
  g_autoptr (StriaScene) open
      = stria_scene_new (fold, NULL, stria_graph_measure, NULL, NULL, error);
  figure ("layout_ms", seconds_since (start) * 1000);
  frames (folded, "folded");
  frames (open, "open");
  return TRUE;
}

static void
on_dot_exit (GObject *process, GAsyncResult *result, gpointer done)
{
  *(int *) done = g_subprocess_wait_check_finish (G_SUBPROCESS (process), result, NULL) ? 1 : -1;
}

static gboolean
on_dot_late (gpointer process)
{
  g_subprocess_force_exit (process);
  return G_SOURCE_REMOVE;
}

/* The graph without its groups, for dot: -1 without dot, -2 if it does not finish. */
static gboolean
job_dot (const char *argument, GError **error)
{
  g_autoptr (StriaGraph) graph = graph_of (argument, error);
  g_autoptr (GString) text = g_string_new ("digraph g { rankdir=LR; node [shape=box];\n");
  g_autofree char *program = g_find_program_in_path ("dot");
  g_autofree char *path = NULL;
  g_autoptr (GSubprocess) process = NULL;
  gint64 start;
  guint late;
  int done = 0, file;

  if (graph == NULL)
    return FALSE;
  if (program == NULL)
    {
      figure ("dot_ms", -1);
      return TRUE;
    }
  for (guint32 e = 0; e < stria_graph_n_edges (graph); e++)
    g_string_append_printf (text, "n%u -> n%u;\n", stria_graph_edge_source (graph, e),
                            stria_graph_edge_target (graph, e));
  g_string_append (text, "}\n");
  file = g_file_open_tmp ("stria-bench-XXXXXX.dot", &path, error);
  if (file < 0 || !g_close (file, error)
      || !g_file_set_contents (path, text->str, (gssize) text->len, error))
    return FALSE;
  start = g_get_monotonic_time ();
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, error, program, "-Tplain", "-o",
                              "/dev/null", path, NULL);
  if (process != NULL)
    {
      late = g_timeout_add_seconds (DOT_S, on_dot_late, process);
      g_subprocess_wait_check_async (process, NULL, on_dot_exit, &done);
      while (done == 0)
        g_main_context_iteration (NULL, TRUE);
      if (done > 0)
        g_source_remove (late);
      figure ("dot_ms", done > 0 ? seconds_since (start) * 1000 : -2);
    }
  g_unlink (path);
  return process != NULL;
}

gboolean
bench_graph_job (const char *name, const char *argument, GError **error)
{
  if (g_str_equal (name, "graph"))
    return job_graph (argument, error);
  if (g_str_equal (name, "dot"))
    return job_dot (argument, error);
  return FALSE;
}
