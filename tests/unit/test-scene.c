/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <math.h>

#include "stria-graph-scene.h"

static void
measure (StriaGraph *graph,
         guint32 node,
         guint32 group,
         gboolean open,
         float *width,
         float *height,
         gpointer data)
{
  *width = node != STRIA_NO_NODE ? 60.0f + (float)(node % 7) * 15 : 120;
  *height = node != STRIA_NO_NODE ? 24.0f + (float)(node % 3) * 10 : 40;
}

static StriaGraph *
random_graph (GRand *rand, guint n_nodes, guint n_groups, guint n_edges, gboolean cyclic)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "random", NULL);
  g_autofree guint32 *groups = g_new (guint32, n_groups + 1);

  groups[0] = STRIA_NO_GROUP;
  for (guint g = 1; g <= n_groups; g++)
    {
      g_autofree char *label = g_strdup_printf ("g%u", g);
      groups[g] = stria_graph_builder_group (b, groups[g_rand_int_range (rand, 0, (gint32)g)],
                                             label, STRIA_GROUP_MODULE);
    }
  for (guint n = 0; n < n_nodes; n++)
    {
      g_autofree char *id = g_strdup_printf ("n%u", n);
      stria_graph_builder_node (b, id, id, groups[g_rand_int_range (rand, 0, (gint32)n_groups + 1)],
                                STRIA_NODE_OPERATOR, -1);
    }
  for (guint e = 0; e < n_edges; e++)
    {
      guint32 from = (guint32)g_rand_int_range (rand, 0, (gint32)n_nodes);
      guint32 to = (guint32)g_rand_int_range (rand, 0, (gint32)n_nodes);
      if (from == to)
        continue;
      if (!cyclic && from > to)
        {
          guint32 swap = from;
          from = to;
          to = swap;
        }
      stria_graph_builder_edge (b, from, STRIA_NO_REF, to, STRIA_NO_REF);
    }
  return stria_graph_new (facts, stria_graph_builder_finish (b));
}

static gboolean
on_border (const StriaSceneItem *item, const float *p)
{
  gboolean in_x = p[0] >= item->x - 0.01f && p[0] <= item->x + item->width + 0.01f;
  gboolean in_y = p[1] >= item->y - 0.01f && p[1] <= item->y + item->height + 0.01f;
  gboolean on_x = fabsf (p[0] - item->x) < 0.01f || fabsf (p[0] - item->x - item->width) < 0.01f;
  gboolean on_y = fabsf (p[1] - item->y) < 0.01f || fabsf (p[1] - item->y - item->height) < 0.01f;

  return in_x && in_y && (on_x || on_y);
}

static void
check_siblings (StriaScene *scene, guint32 first, guint32 n)
{
  for (guint32 i = first; i < first + n; i++)
    for (guint32 k = i + 1; k < first + n; k++)
      {
        const StriaSceneItem *a = &scene->items[i], *b = &scene->items[k];
        gboolean apart = a->x + a->width <= b->x + 0.01f || b->x + b->width <= a->x + 0.01f
                         || a->y + a->height <= b->y + 0.01f || b->y + b->height <= a->y + 0.01f;
        if (!apart)
          g_test_message ("items %u and %u overlap", i, k);
        g_assert_true (apart);
      }
}

/* No box overlaps another, groups contain their children, wires end on the borders of their boxes,
 * and each visible edge is in just one wire. */
static void
check_scene (StriaScene *scene)
{
  StriaGraph *graph = scene->graph;
  guint64 shown = 0, drawn = 0;

  check_siblings (scene, 0, scene->n_outer);
  for (guint32 i = 0; i < scene->n_items; i++)
    {
      const StriaSceneItem *item = &scene->items[i];
      const StriaSceneItem *parent
          = item->parent == STRIA_NO_ITEM ? NULL : &scene->items[item->parent];

      g_assert_cmpfloat (item->width, >, 0);
      if (parent != NULL)
        {
          g_assert_cmpuint (item->parent, <, i);
          g_assert_true (item->x >= parent->x
                         && item->x + item->width <= parent->x + parent->width);
          g_assert_true (item->y >= parent->y
                         && item->y + item->height <= parent->y + parent->height);
        }
      else
        g_assert_true (item->x >= 0 && item->y >= 0 && item->x + item->width <= scene->width
                       && item->y + item->height <= scene->height);
      check_siblings (scene, item->first_child, item->n_children);
      float x = item->x + item->width / 2, y = item->y + item->height / 2;
      if (item->n_children == 0)
        g_assert_cmpuint (stria_scene_hit (scene, x, y), ==, i);
      else
        g_assert_cmpuint (stria_scene_hit (scene, item->x + 1, item->y + 1), ==, i);
    }
  for (guint32 w = 0; w < scene->n_wires; w++)
    {
      const StriaSceneWire *wire = &scene->wires[w];
      const float *points = scene->points + 2 * (gsize)wire->first_point;

      g_assert_cmpuint (wire->n_points, >=, 2);
      g_assert_cmpuint (wire->first_point + wire->n_points, <=, scene->n_points);
      g_assert_true (on_border (&scene->items[wire->source], points));
      g_assert_true (on_border (&scene->items[wire->target], points + 2 * (wire->n_points - 1)));
      drawn += wire->n_edges;
      for (guint32 k = 0; k < 2 * wire->n_points; k += 2)
        g_assert_true (points[k] >= 0 && points[k] <= scene->width && points[k + 1] >= 0
                       && points[k + 1] <= scene->height);
    }
  for (guint32 e = 0; e < stria_graph_n_edges (graph); e++)
    {
      guint32 a = scene->item_of_node[stria_graph_edge_source (graph, e)];
      guint32 b = scene->item_of_node[stria_graph_edge_target (graph, e)];
      shown += a != STRIA_NO_ITEM && b != STRIA_NO_ITEM && a != b;
    }
  g_assert_cmpuint (drawn, ==, shown);

  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  stria_scene_visible (scene, 0, 0, scene->width, scene->height, 0, items, wires);
  g_assert_cmpuint (items->len, ==, scene->n_items);
  g_assert_cmpuint (wires->len, ==, scene->n_wires);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int () & 0x7fffffff);

  for (guint round = 0; round < 60; round++)
    {
      guint n = (guint)g_rand_int_range (rand, 1, 160);
      g_autoptr (StriaGraph) graph
          = random_graph (rand, n, (guint)g_rand_int_range (rand, 0, 20),
                          (guint)g_rand_int_range (rand, 0, 3 * (gint32)n), round % 3 == 0);
      g_autoptr (StriaFold) fold = stria_fold_new (graph);
      g_autoptr (StriaScene) scene = NULL;

      stria_fold_set_direction (fold, round % 2 == 0 ? STRIA_GRAPH_LEFT_TO_RIGHT
                                                     : STRIA_GRAPH_TOP_TO_BOTTOM);
      for (guint step = 0; step < 8; step++)
        {
          g_autoptr (GError) error = NULL;
          StriaScene *next = stria_scene_new (fold, scene, measure, NULL, NULL, &error);

          g_assert_no_error (error);
          check_scene (next);
          g_clear_pointer (&scene, stria_scene_unref);
          scene = next;
          if (step == 5)
            stria_fold_set_level (fold, G_MAXUINT);
          else if (step == 6)
            {
              guint32 node = (guint32)g_rand_int_range (rand, 0, (gint32)n);
              stria_fold_isolate (fold, &node, 1, 2, 1);
            }
          else if (stria_graph_n_groups (graph) > 0)
            stria_fold_set_open (
                fold, (guint32)g_rand_int_range (rand, 0, (gint32)stria_graph_n_groups (graph)),
                TRUE);
        }
    }
}

static void
test_sections (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (StriaGraph) graph = random_graph (rand, 1000, 0, 1500, FALSE);
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  g_autoptr (StriaScene) closed = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);

  g_assert_cmpuint (closed->n_items, ==, 3);
  g_assert_cmpuint (closed->items[2].n_sections, ==, 3);
  check_scene (closed);
  stria_fold_reveal_node (fold, 999);
  g_autoptr (StriaScene) one = stria_scene_new (fold, closed, measure, NULL, NULL, NULL);
  g_assert_cmpuint (one->n_items, ==, 203);
  g_assert_cmpuint (one->items[one->item_of_node[999]].node, ==, 999);
  check_scene (one);
  stria_fold_set_level (fold, G_MAXUINT);
  g_autoptr (StriaScene) all = stria_scene_new (fold, one, measure, NULL, NULL, NULL);
  g_assert_cmpuint (all->n_items, ==, 1003);
  check_scene (all);
}

static void
test_stable (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (StriaGraph) graph = random_graph (rand, 80, 6, 120, FALSE);
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  g_autoptr (StriaScene) a = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);
  g_autoptr (StriaScene) b = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);

  /* The same fold gives the same picture. */
  g_assert_cmpmem (a->points, sizeof (float) * 2 * a->n_points, b->points,
                   sizeof (float) * 2 * b->n_points);
  for (guint32 i = 0; i < a->n_items; i++)
    g_assert_cmpfloat (a->items[i].y, ==, b->items[i].y);
  /* Outer boxes keep their order across when one of them opens. */
  stria_fold_set_open (fold, 0, TRUE);
  g_autoptr (StriaScene) c = stria_scene_new (fold, a, measure, NULL, NULL, NULL);
  for (guint32 i = 0; i < c->n_outer; i++)
    for (guint32 k = 0; k < c->n_outer; k++)
      {
        const StriaSceneItem *x = &a->items[i], *y = &a->items[k];
        if (fabsf (x->x - y->x) < 1 && x->y + x->height < y->y)
          g_assert_cmpfloat (c->items[i].y, <, c->items[k].y);
      }
}

/* A chain with a way around every few boxes: @n of them, in groups of @of. */
static StriaGraph *
chain (guint n, guint of)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "chain", NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("n%u", i);
      g_autofree char *label = g_strdup_printf ("g%u", i / of);

      stria_graph_builder_node (b, id, id,
                                of < n ? stria_graph_builder_group (b, STRIA_NO_GROUP, label,
                                                                    STRIA_GROUP_MODULE)
                                       : STRIA_NO_GROUP,
                                STRIA_NODE_OPERATOR, -1);
      if (i > 0)
        stria_graph_builder_edge (b, i - 1, STRIA_NO_REF, i, STRIA_NO_REF);
      if (i % 7 == 6)
        stria_graph_builder_edge (b, i - 5, STRIA_NO_REF, i, STRIA_NO_REF);
      /* Some that pass whole rows, forwards and back. */
      if (i % 97 == 96)
        {
          stria_graph_builder_edge (b, i - 90, STRIA_NO_REF, i, STRIA_NO_REF);
          stria_graph_builder_edge (b, i - 3, STRIA_NO_REF, i - 80, STRIA_NO_REF);
        }
    }
  return stria_graph_new (facts, stria_graph_builder_finish (b));
}

static void
test_rows (void)
{
  static const guint sizes[][2] = { { 40, 40 }, { 300, 300 }, { 300, 25 }, { 3000, 60 } };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint d = 0; d < 2; d++)
      {
        g_autoptr (StriaGraph) graph = chain (sizes[s][0], sizes[s][1]);
        g_autoptr (StriaFold) fold = stria_fold_new (graph);

        stria_fold_set_direction (fold, (StriaGraphDirection) d);
        stria_fold_set_level (fold, G_MAXUINT);
        g_autoptr (StriaScene) rows = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);
        check_scene (rows);
        /* About the form of a window. */
        g_assert_cmpfloat (rows->width / rows->height, >, 0.6f);
        g_assert_cmpfloat (rows->width / rows->height, <, 4.2f);
        g_assert_true (stria_fold_get_rows (fold));
        stria_fold_set_rows (fold, FALSE);
        g_autoptr (StriaScene) one = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);
        check_scene (one);
        if (d == 0)
          g_assert_cmpfloat (one->width, >, 8 * one->height);
        else
          g_assert_cmpfloat (one->height, >, 3 * one->width);
      }
}

/* What stands in rows does not break anew at each opening while the picture still has a good
 * form. */
static void
test_rows_stay (void)
{
  g_autoptr (StriaGraph) graph = chain (600, 5);
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  g_autoptr (StriaScene) closed = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);

  g_assert_cmpfloat (closed->row_length, >, 0);
  stria_fold_set_open (fold, 100, TRUE);
  g_autoptr (StriaScene) open = stria_scene_new (fold, closed, measure, NULL, NULL, NULL);
  check_scene (open);
  g_assert_cmpfloat (open->row_length, ==, closed->row_length);
  for (guint32 i = 0; i < 60; i++)
    g_assert_cmpfloat (open->items[i].x, ==, closed->items[i].x);
}

static void
test_cancel (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (StriaGraph) graph = random_graph (rand, 300, 5, 500, TRUE);
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (stria_scene_new (fold, NULL, measure, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_isolate (void)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "chain", NULL);
  guint32 middle = 5;

  for (guint i = 0; i < 11; i++)
    {
      g_autofree char *id = g_strdup_printf ("n%u", i);
      stria_graph_builder_node (b, id, id, STRIA_NO_GROUP, STRIA_NODE_OPERATOR, -1);
      if (i > 0)
        stria_graph_builder_edge (b, i - 1, STRIA_NO_REF, i, STRIA_NO_REF);
    }
  g_autoptr (StriaGraph) graph = stria_graph_new (facts, stria_graph_builder_finish (b));
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  stria_fold_isolate (fold, &middle, 1, 1, 3);
  g_autoptr (StriaScene) scene = stria_scene_new (fold, NULL, measure, NULL, NULL, NULL);
  g_assert_cmpuint (scene->n_items, ==, 5);
  g_assert_cmpuint (scene->item_of_node[3], ==, STRIA_NO_ITEM);
  g_assert_cmpuint (scene->item_of_node[4], !=, STRIA_NO_ITEM);
  g_assert_cmpuint (scene->item_of_node[8], !=, STRIA_NO_ITEM);
  g_assert_cmpuint (scene->item_of_node[9], ==, STRIA_NO_ITEM);
  /* Each box of a chain stands behind the one before. */
  for (guint32 n = 5; n <= 8; n++)
    g_assert_cmpfloat (scene->items[scene->item_of_node[n]].x, >,
                       scene->items[scene->item_of_node[n - 1]].x);
  /* What is asked for is shown, whatever was left out. */
  stria_fold_reveal_node (fold, 0);
  g_assert_false (stria_fold_is_isolated (fold));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/random", test_random);
  g_test_add_func ("/scene/sections", test_sections);
  g_test_add_func ("/scene/stable", test_stable);
  g_test_add_func ("/scene/rows", test_rows);
  g_test_add_func ("/scene/rows-stay", test_rows_stay);
  g_test_add_func ("/scene/cancel", test_cancel);
  g_test_add_func ("/scene/isolate", test_isolate);
  return g_test_run ();
}
