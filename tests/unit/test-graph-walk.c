/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "stria-graph-find.h"
#include "stria-graph-walk.h"

/* in -> conv -> {relu, pool} -> add -> out; conv, relu and pool are in features/0, add in
 * features. */
enum
{
  IN,
  CONV,
  RELU,
  POOL,
  ADD,
  OUT,
  N_NODES,
};

static StriaGraph *
diamond (void)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "forward", "forward");
  guint32 outer = stria_graph_builder_group (b, STRIA_NO_GROUP, "features", STRIA_GROUP_MODULE);
  guint32 inner = stria_graph_builder_group (b, outer, "0", STRIA_GROUP_MODULE);

  stria_graph_builder_node (b, "x", "input", STRIA_NO_GROUP, STRIA_NODE_INPUT, -1);
  stria_graph_builder_node (b, "conv_1", "Conv2D", inner, STRIA_NODE_OPERATOR, 41);
  stria_graph_builder_attr (b, "target", "aten.conv2d.default");
  stria_graph_builder_attr (b, "stack:depth", "a:b");
  stria_graph_builder_output (b, "0", "weight", "1×8×32×32 int8");
  stria_graph_builder_node (b, "relu_1", "ReLU", inner, STRIA_NODE_OPERATOR, 42);
  stria_graph_builder_attr (b, "target", "aten.relu.default");
  stria_graph_builder_node (b, "pool_1", "MaxPool", inner, STRIA_NODE_OPERATOR, 42);
  stria_graph_builder_node (b, "add_1", "Füge zu", outer, STRIA_NODE_OPERATOR, 43);
  stria_graph_builder_node (b, "y", "output", STRIA_NO_GROUP, STRIA_NODE_OUTPUT, -1);
  stria_graph_builder_edge (b, IN, STRIA_NO_REF, CONV, STRIA_NO_REF);
  stria_graph_builder_edge (b, CONV, STRIA_NO_REF, RELU, STRIA_NO_REF);
  stria_graph_builder_edge (b, CONV, STRIA_NO_REF, POOL, STRIA_NO_REF);
  stria_graph_builder_edge (b, RELU, STRIA_NO_REF, ADD, STRIA_NO_REF);
  stria_graph_builder_edge (b, POOL, STRIA_NO_REF, ADD, STRIA_NO_REF);
  stria_graph_builder_edge (b, ADD, STRIA_NO_REF, OUT, STRIA_NO_REF);
  return stria_graph_new (facts, stria_graph_builder_finish (b));
}

static void
check_found (StriaGraphFind *find, const char *text, const char *expected)
{
  g_autoptr (GArray) nodes = stria_graph_find_run (find, text);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < nodes->len; i++)
    g_string_append_printf (found, "%s%u", i > 0 ? " " : "", g_array_index (nodes, guint32, i));
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_find (void)
{
  g_autoptr (StriaGraph) graph = diamond ();
  g_autoptr (StriaGraphFind) find = stria_graph_find_new (graph);

  check_found (find, "", "");
  check_found (find, "   ", "");
  check_found (find, "conv2d", "1");
  check_found (find, "CONV2D", "1");
  check_found (find, "_1", "1 2 3 4");
  check_found (find, "füge", "4");
  check_found (find, "FÜGE", "4");
  check_found (find, "features", "1 2 3 4");
  check_found (find, "features/0", "1 2 3");
  check_found (find, "features relu", "2");
  check_found (find, "features relu pool", "");
  check_found (find, "int8", "1");
  check_found (find, "8×32", "1");
  check_found (find, "weight", "1");
  check_found (find, "default", "1 2");
  check_found (find, "target:aten", "1 2");
  check_found (find, "get:aten.r", "2");
  check_found (find, "aten:target", "");
  check_found (find, "target:relu", "");
  check_found (find, "a:b", "1");
  check_found (find, ":", "1");
  check_found (find, "42", "2 3");
  check_found (find, "42 pool", "3");
  check_found (find, "nothing of that kind", "");
}

static StriaGraph *
random_graph (GRand *rand, guint n, guint n_edges)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "random", NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("n%u", i);
      g_autofree char *label = g_strdup_printf ("op%d", g_rand_int_range (rand, 0, 30));

      stria_graph_builder_node (b, id, label, STRIA_NO_GROUP, STRIA_NODE_OPERATOR, i);
      for (gint32 a = g_rand_int_range (rand, 0, 4); a > 0; a--)
        {
          g_autofree char *key = g_strdup_printf ("k%d", g_rand_int_range (rand, 0, 4));

          stria_graph_builder_attr_printf (b, key, "v%d", g_rand_int_range (rand, 0, 40));
        }
    }
  for (guint e = 0; e < n_edges; e++)
    {
      guint32 from = (guint32) g_rand_int_range (rand, 0, (gint32) n);
      guint32 to = (guint32) g_rand_int_range (rand, 0, (gint32) n);

      if (from < to)
        stria_graph_builder_edge (b, from, STRIA_NO_REF, to, STRIA_NO_REF);
    }
  return stria_graph_new (facts, stria_graph_builder_finish (b));
}

/* As it is written down: every text of the node, one a line. */
static gboolean
has_word (StriaGraph *graph, guint32 number, const char *word)
{
  const StriaGraphNodeRow *node = stria_graph_node (graph, number);
  const StriaGraphAttrRow *attrs = stria_graph_attrs (graph, node->first_attr);
  g_autoptr (GString) all = g_string_new (NULL);

  g_string_append_printf (all, "%s\n%s\n", stria_graph_text (graph, node->label),
                          stria_graph_text (graph, node->id));
  for (guint32 i = 0; i < node->n_attrs; i++)
    g_string_append_printf (all, "%s:%s\n", stria_graph_text (graph, attrs[i].key),
                            stria_graph_text (graph, attrs[i].value));
  return strstr (all->str, word) != NULL;
}

static void
test_find_all (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int () & 0x7fffffff);
  g_autoptr (StriaGraph) graph = random_graph (rand, 600, 0);
  g_autoptr (StriaGraphFind) find = stria_graph_find_new (graph);
  guint n_found = 0;

  for (guint round = 0; round < 200; round++)
    {
      g_autofree char *word = NULL;
      g_autoptr (GArray) nodes = NULL;
      guint at = 0;

      switch (round % 4)
        {
        case 0:
          word = g_strdup_printf ("op%d", g_rand_int_range (rand, 0, 30));
          break;
        case 1:
          word = g_strdup_printf ("v%d", g_rand_int_range (rand, 0, 40));
          break;
        case 2:
          word = g_strdup_printf ("%d:v%d", g_rand_int_range (rand, 0, 4),
                                  g_rand_int_range (rand, 0, 40));
          break;
        default:
          word = g_strdup_printf ("n%d", g_rand_int_range (rand, 0, 600));
          break;
        }
      nodes = stria_graph_find_run (find, word);
      for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
        {
          const gboolean found = at < nodes->len && g_array_index (nodes, guint32, at) == i;

          if (found != has_word (graph, i, word))
            g_test_message ("node %u and “%s”", i, word);
          g_assert_cmpint (found, ==, has_word (graph, i, word));
          at += found;
        }
      g_assert_cmpuint (at, ==, nodes->len);
      n_found += nodes->len;
    }
  g_assert_cmpuint (n_found, >, 200);
}

static void
check_trace (StriaGraph *graph, guint32 from, gboolean upstream, const char *expected)
{
  g_autofree guint8 *reached = g_malloc0 (N_NODES);
  g_autoptr (GString) text = g_string_new (NULL);

  stria_graph_trace (graph, &from, 1, upstream, reached);
  for (guint i = 0; i < N_NODES; i++)
    g_string_append_c (text, reached[i] ? '1' : '0');
  g_assert_cmpstr (text->str, ==, expected);
}

/* However few are left by the words before, the answer is the same. */
static void
test_find_words (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int () & 0x7fffffff);
  g_autoptr (StriaGraph) graph = random_graph (rand, 600, 0);
  g_autoptr (StriaGraphFind) find = stria_graph_find_new (graph);
  guint n_found = 0;

  for (guint round = 0; round < 200; round++)
    {
      g_autofree char *a = g_strdup_printf ("op%d", g_rand_int_range (rand, 1, 4));
      g_autofree char *b = g_strdup_printf ("k%d:v%d", g_rand_int_range (rand, 0, 4),
                                            g_rand_int_range (rand, 1, 5));
      g_autofree char *c = g_strdup_printf ("%d", g_rand_int_range (rand, 0, 10));
      g_autofree char *text = g_strdup_printf ("%s %s %s", a, b, c);
      g_autoptr (GArray) nodes = stria_graph_find_run (find, text);
      guint at = 0;

      for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
        {
          const gboolean found = at < nodes->len && g_array_index (nodes, guint32, at) == i;

          g_assert_cmpint (found, ==,
                           has_word (graph, i, a) && has_word (graph, i, b)
                               && has_word (graph, i, c));
          at += found;
        }
      g_assert_cmpuint (at, ==, nodes->len);
      n_found += nodes->len;
    }
  g_assert_cmpuint (n_found, >, 20);
}

static void
test_trace (void)
{
  g_autoptr (StriaGraph) graph = diamond ();

  check_trace (graph, RELU, TRUE, "111000");
  check_trace (graph, RELU, FALSE, "001011");
  check_trace (graph, ADD, TRUE, "111110");
  check_trace (graph, IN, TRUE, "100000");
  check_trace (graph, IN, FALSE, "111111");
  /* Numbers that are no nodes are passed over. */
  check_trace (graph, N_NODES, FALSE, "000000");
}

static void
measure (StriaGraph *graph, guint32 node, guint32 group, gboolean open, float *width, float *height,
         gpointer data)
{
  *width = 100;
  *height = 40;
}

static StriaScene *
lay_out (StriaGraph *graph, guint level, StriaGraphDirection direction)
{
  g_autoptr (StriaFold) fold = stria_fold_new (graph);
  g_autoptr (GError) error = NULL;
  StriaScene *scene = NULL;

  stria_fold_set_level (fold, level);
  stria_fold_set_direction (fold, direction);
  scene = stria_scene_new (fold, NULL, measure, NULL, NULL, &error);
  g_assert_no_error (error);
  return scene;
}

static void
check_step (StriaScene *scene, guint32 from, StriaWalk way, guint32 to)
{
  g_assert_cmpuint (stria_scene_walk (scene, scene->item_of_node[from], way), ==,
                    to == STRIA_NO_NODE ? STRIA_NO_ITEM : scene->item_of_node[to]);
}

static void
test_walk (void)
{
  g_autoptr (StriaGraph) graph = diamond ();

  for (guint d = 0; d < 2; d++)
    {
      g_autoptr (StriaScene) scene = lay_out (graph, G_MAXUINT, (StriaGraphDirection) d);
      const StriaSceneItem *relu = &scene->items[scene->item_of_node[RELU]];
      const StriaSceneItem *pool = &scene->items[scene->item_of_node[POOL]];
      const gboolean relu_first = d == 0 ? relu->y < pool->y : relu->x < pool->x;
      const guint32 upper = relu_first ? RELU : POOL, lower = relu_first ? POOL : RELU;
      guint32 item;

      check_step (scene, IN, STRIA_WALK_ON, CONV);
      check_step (scene, CONV, STRIA_WALK_BACK, IN);
      check_step (scene, RELU, STRIA_WALK_ON, ADD);
      check_step (scene, POOL, STRIA_WALK_BACK, CONV);
      check_step (scene, ADD, STRIA_WALK_ON, OUT);
      check_step (scene, OUT, STRIA_WALK_ON, STRIA_NO_NODE);
      check_step (scene, IN, STRIA_WALK_BACK, STRIA_NO_NODE);
      check_step (scene, upper, STRIA_WALK_AFTER, lower);
      check_step (scene, lower, STRIA_WALK_BEFORE, upper);
      check_step (scene, ADD, STRIA_WALK_FIRST, IN);
      check_step (scene, ADD, STRIA_WALK_LAST, OUT);
      /* From nowhere: where the graph begins */
      g_assert_cmpuint (stria_scene_walk (scene, STRIA_NO_ITEM, STRIA_WALK_ON), ==,
                        scene->item_of_node[IN]);
      item = stria_scene_walk (scene, scene->item_of_node[CONV], STRIA_WALK_OUT);
      g_assert_cmpuint (item, ==, scene->item_of_group[1]);
      g_assert_cmpuint (stria_scene_walk (scene, item, STRIA_WALK_INTO), ==,
                        scene->item_of_node[CONV]);
      g_assert_cmpuint (stria_scene_walk (scene, item, STRIA_WALK_ON), ==,
                        scene->item_of_node[ADD]);
      g_assert_cmpuint (stria_scene_walk (scene, item, STRIA_WALK_BACK), ==,
                        scene->item_of_node[IN]);
    }
}

static void
test_walk_closed (void)
{
  g_autoptr (StriaGraph) graph = diamond ();
  g_autoptr (StriaScene) scene = lay_out (graph, 1, STRIA_GRAPH_LEFT_TO_RIGHT);
  const guint32 closed = scene->item_of_group[1];

  g_assert_false (scene->items[closed].open);
  g_assert_cmpuint (scene->item_of_node[RELU], ==, closed);
  check_step (scene, IN, STRIA_WALK_ON, RELU);
  check_step (scene, RELU, STRIA_WALK_ON, ADD);
  g_assert_cmpuint (stria_scene_walk (scene, closed, STRIA_WALK_INTO), ==, STRIA_NO_ITEM);
}

/* Every walk along wires of a graph without cycles comes to an end, and moves on with each step. */
static void
test_walk_ends (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int () & 0x7fffffff);

  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (StriaGraph) graph = random_graph (rand, 60, 150);
      g_autoptr (StriaScene) scene = lay_out (graph, G_MAXUINT, STRIA_GRAPH_LEFT_TO_RIGHT);

      for (guint32 start = 0; start < scene->n_items; start++)
        for (guint32 at = start, next; (next = stria_scene_walk (scene, at, STRIA_WALK_ON))
                                       != STRIA_NO_ITEM;
             at = next)
          g_assert_cmpuint (scene->items[next].rank, >, scene->items[at].rank);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph-find/words", test_find);
  g_test_add_func ("/graph-find/all", test_find_all);
  g_test_add_func ("/graph-find/several", test_find_words);
  g_test_add_func ("/graph-walk/trace", test_trace);
  g_test_add_func ("/graph-walk/steps", test_walk);
  g_test_add_func ("/graph-walk/closed", test_walk_closed);
  g_test_add_func ("/graph-walk/ends", test_walk_ends);
  return g_test_run ();
}
