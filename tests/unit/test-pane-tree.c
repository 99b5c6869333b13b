/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "app/stria-pane-tree.h"

#define DIVIDER 5

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";

static void
measure (gpointer pane, int *width, int *height, gpointer user_data)
{
  *width = 100;
  *height = 60;
}

typedef struct
{
  StriaPaneRect whole;
  guint panes, cuts;
} Placed;

static gboolean
contains (const StriaPaneRect *outer, const StriaPaneRect *inner)
{
  return inner->x >= outer->x && inner->y >= outer->y
         && inner->x + inner->width <= outer->x + outer->width
         && inner->y + inner->height <= outer->y + outer->height;
}

static void
place (StriaPaneNode *node, const StriaPaneRect *divider, gpointer user_data)
{
  Placed *placed = user_data;

  g_assert_true (contains (&placed->whole, &node->rect));
  if (node->pane != NULL)
    {
      placed->panes++;
      g_assert_cmpint (node->rect.width, >=, 100);
      g_assert_cmpint (node->rect.height, >=, 60);
      return;
    }
  placed->cuts++;
  g_assert_true (contains (&node->rect, divider));
  g_assert_cmpint (stria_pane_node_lies_below (node) ? divider->height : divider->width, ==,
                   DIVIDER);
}

static Placed
lay_out (StriaPaneNode *tree, int width, int height)
{
  Placed placed = { { 0, 0, width, height }, 0, 0 };

  stria_pane_tree_layout (tree, &placed.whole, DIVIDER, measure, place, &placed);
  return placed;
}

static const StriaPaneRect *
rect_of (StriaPaneNode *tree, gpointer pane)
{
  return &stria_pane_tree_find (tree, pane)->rect;
}

static void
test_rows (void)
{
  StriaPaneNode *tree = stria_pane_tree_new (a);
  Placed placed;

  stria_pane_tree_add (&tree, a, b, STRIA_SIDE_RIGHT);
  stria_pane_tree_add (&tree, b, c, STRIA_SIDE_RIGHT);
  placed = lay_out (tree, 910, 400);
  g_assert_cmpuint (placed.panes, ==, 3);
  g_assert_cmpuint (placed.cuts, ==, 2);
  g_assert_cmpint (rect_of (tree, a)->x, ==, 0);
  g_assert_cmpint (ABS (rect_of (tree, a)->width - rect_of (tree, c)->width), <=, 4);
  g_assert_cmpint (rect_of (tree, c)->x + rect_of (tree, c)->width, ==, 910);
  stria_pane_tree_add (&tree, b, d, STRIA_SIDE_TOP);
  lay_out (tree, 910, 405);
  g_assert_cmpint (rect_of (tree, d)->y, ==, 0);
  g_assert_cmpint (rect_of (tree, b)->y, ==, 205);
  g_assert_cmpint (rect_of (tree, d)->x, ==, rect_of (tree, b)->x);
  g_assert_true (stria_pane_tree_beside (tree, b, STRIA_SIDE_TOP) == d);
  g_assert_true (stria_pane_tree_beside (tree, b, STRIA_SIDE_LEFT) == a);
  g_assert_true (stria_pane_tree_beside (tree, d, STRIA_SIDE_RIGHT) == c);
  g_assert_null (stria_pane_tree_beside (tree, a, STRIA_SIDE_LEFT));
  g_assert_null (stria_pane_tree_beside (tree, a, STRIA_SIDE_BOTTOM));
  stria_pane_tree_remove (&tree, b);
  placed = lay_out (tree, 910, 405);
  g_assert_cmpuint (placed.panes, ==, 3);
  g_assert_cmpint (rect_of (tree, d)->height, ==, 405);
  stria_pane_tree_swap (tree, a, c);
  lay_out (tree, 910, 405);
  g_assert_cmpint (rect_of (tree, c)->x, ==, 0);
  stria_pane_tree_remove (&tree, a);
  stria_pane_tree_remove (&tree, c);
  g_assert_true (tree->pane == d);
  stria_pane_tree_remove (&tree, d);
  g_assert_null (tree);
}

/* A part is never smaller than what it holds, as long as there is room for all. */
static void
test_least (void)
{
  StriaPaneNode *tree = stria_pane_tree_new (a);
  int width, height;

  stria_pane_tree_add (&tree, a, b, STRIA_SIDE_RIGHT);
  stria_pane_tree_add (&tree, NULL, c, STRIA_SIDE_BOTTOM);
  stria_pane_tree_measure (tree, DIVIDER, measure, NULL, &width, &height);
  g_assert_cmpint (width, ==, 205);
  g_assert_cmpint (height, ==, 125);
  tree->share = 0.01;
  tree->first->share = 0.99;
  lay_out (tree, 205, 125);
  lay_out (tree, 400, 300);
  g_assert_cmpint (rect_of (tree, a)->width, ==, 295);
  g_assert_cmpint (rect_of (tree, a)->height, ==, 60);
  stria_pane_tree_free (tree);
}

static const char *
name (gpointer pane, gpointer user_data)
{
  return pane;
}

static gpointer
make (const char *word, gpointer user_data)
{
  char *const known[] = { a, b, c, d };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i], word))
      return known[i];
  return NULL;
}

static void
check_kept (const char *words, const char *expected)
{
  g_auto (GStrv) split = g_strsplit (words, " ", -1);
  StriaPaneNode *tree = stria_pane_tree_load ((const char *const *) split, make, NULL);
  g_auto (GStrv) saved = stria_pane_tree_save (tree, name, NULL);
  g_autofree char *joined = g_strjoinv (" ", saved);

  g_assert_cmpstr (joined, ==, expected);
  stria_pane_tree_free (tree);
}

static void
test_kept (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);

  check_kept ("beside:300 a below:500 b c", "beside:300 a below:500 b c");
  check_kept ("beside:300 a below:500 b gone", "beside:300 a b");
  check_kept ("beside:300 gone below:500 gone gone", "");
  check_kept ("beside:9999999999999999999999 a b", "beside:950 a b");
  check_kept ("beside:-4 a b", "beside:50 a b");
  check_kept ("below:", "");
  check_kept ("beside:300 a", "a");
  check_kept ("a b c", "a");
  check_kept ("", "");
  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "beside:500 ");
  check_kept (deep->str, "");
}

/* What is beside goes below where there is too little width, and back again. */
static void
test_fold (void)
{
  StriaPaneNode *tree = stria_pane_tree_new (a);
  int width, height;

  stria_pane_tree_add (&tree, a, b, STRIA_SIDE_RIGHT);
  stria_pane_tree_add (&tree, b, c, STRIA_SIDE_BOTTOM);
  g_assert_true (stria_pane_tree_fold (tree, 205, 200, DIVIDER, measure, NULL));
  g_assert_false (stria_pane_node_lies_below (tree));
  g_assert_true (stria_pane_tree_fold (tree, 204, 200, DIVIDER, measure, NULL));
  g_assert_true (stria_pane_node_lies_below (tree));
  stria_pane_tree_measure (tree, DIVIDER, measure, NULL, &width, &height);
  g_assert_cmpint (width, ==, 100);
  g_assert_cmpint (height, ==, 190);
  lay_out (tree, 150, 190);
  g_assert_true (stria_pane_tree_beside (tree, a, STRIA_SIDE_BOTTOM) == b);
  g_assert_null (stria_pane_tree_beside (tree, a, STRIA_SIDE_RIGHT));
  /* Too low for all of them */
  g_assert_false (stria_pane_tree_fold (tree, 150, 189, DIVIDER, measure, NULL));
  g_assert_true (stria_pane_tree_fold (tree, 400, 200, DIVIDER, measure, NULL));
  lay_out (tree, 400, 200);
  g_assert_true (stria_pane_tree_beside (tree, a, STRIA_SIDE_RIGHT) == c);
  stria_pane_tree_free (tree);
}

/* One above two: only the cut that is too much is turned. */
static void
test_fold_parts (void)
{
  StriaPaneNode *tree = stria_pane_tree_new (a);

  stria_pane_tree_add (&tree, a, b, STRIA_SIDE_BOTTOM);
  stria_pane_tree_add (&tree, b, c, STRIA_SIDE_RIGHT);
  g_assert_true (stria_pane_tree_fold (tree, 150, 400, DIVIDER, measure, NULL));
  g_assert_true (stria_pane_node_lies_below (tree));
  g_assert_false (tree->turned);
  g_assert_true (tree->second->turned);
  stria_pane_tree_free (tree);
}

static void
test_even (void)
{
  StriaPaneNode *tree = stria_pane_tree_new (a);

  stria_pane_tree_add (&tree, a, b, STRIA_SIDE_RIGHT);
  stria_pane_tree_add (&tree, b, c, STRIA_SIDE_RIGHT);
  stria_pane_tree_add (&tree, c, d, STRIA_SIDE_BOTTOM);
  tree->share = 0.9;
  tree->second->share = 0.1;
  tree->second->second->share = 0.7;
  stria_pane_tree_even (tree);
  lay_out (tree, 910, 405);
  g_assert_cmpint (ABS (rect_of (tree, a)->width - rect_of (tree, b)->width), <=, 5);
  g_assert_cmpint (ABS (rect_of (tree, b)->width - rect_of (tree, c)->width), <=, 5);
  g_assert_cmpint (rect_of (tree, c)->height, ==, rect_of (tree, d)->height);
  stria_pane_tree_free (tree);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pane-tree/rows", test_rows);
  g_test_add_func ("/pane-tree/least", test_least);
  g_test_add_func ("/pane-tree/kept", test_kept);
  g_test_add_func ("/pane-tree/fold", test_fold);
  g_test_add_func ("/pane-tree/fold-parts", test_fold_parts);
  g_test_add_func ("/pane-tree/even", test_even);
  return g_test_run ();
}
