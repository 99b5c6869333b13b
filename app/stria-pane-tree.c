/* SPDX-License-Identifier: Apache-2.0 */
#include "stria-pane-tree.h"

#include <string.h>

#define MAX_DEPTH 8
/* What a kept share may be, in thousandths: a part that is too narrow to be seen cannot be dragged. */
#define LEAST_SHARE 50
#define MOST_SHARE  950

StriaPaneNode *
stria_pane_tree_new (gpointer pane)
{
  StriaPaneNode *self = g_new0 (StriaPaneNode, 1);

  self->pane = pane;
  self->share = 0.5;
  return self;
}

void
stria_pane_tree_free (StriaPaneNode *tree)
{
  if (tree == NULL)
    return;
  stria_pane_tree_free (tree->first);
  stria_pane_tree_free (tree->second);
  g_free (tree);
}

StriaPaneNode *
stria_pane_tree_find (StriaPaneNode *tree, gpointer pane)
{
  StriaPaneNode *found;

  if (tree == NULL || tree->pane == pane)
    return tree;
  found = tree->first != NULL ? stria_pane_tree_find (tree->first, pane) : NULL;
  if (found == NULL && tree->second != NULL)
    found = stria_pane_tree_find (tree->second, pane);
  return found;
}

static void
list (StriaPaneNode *node, GPtrArray *panes)
{
  if (node == NULL)
    return;
  if (node->pane != NULL)
    g_ptr_array_add (panes, node->pane);
  list (node->first, panes);
  list (node->second, panes);
}

GPtrArray *
stria_pane_tree_list (StriaPaneNode *tree)
{
  GPtrArray *panes = g_ptr_array_new ();

  list (tree, panes);
  return panes;
}

static void
replace (StriaPaneNode **tree, StriaPaneNode *old, StriaPaneNode *with)
{
  StriaPaneNode *parent = old->parent;

  with->parent = parent;
  if (parent == NULL)
    *tree = with;
  else if (parent->first == old)
    parent->first = with;
  else
    parent->second = with;
}

/* How many stand in a row of that direction */
static guint
count_in_row (const StriaPaneNode *node, gboolean below)
{
  if (node->pane != NULL || node->below != below)
    return 1;
  return count_in_row (node->first, below) + count_in_row (node->second, below);
}

static void
share_out (StriaPaneNode *node, gboolean below)
{
  guint n;

  if (node->pane != NULL || node->below != below)
    return;
  n = count_in_row (node->first, below);
  node->share = (double) n / (n + count_in_row (node->second, below));
  share_out (node->first, below);
  share_out (node->second, below);
}

/* The whole row of that direction that a node stands in */
static StriaPaneNode *
row_of (StriaPaneNode *node, gboolean below)
{
  while (node->parent != NULL && node->parent->below == below)
    node = node->parent;
  return node;
}

void
stria_pane_tree_add (StriaPaneNode **tree, gpointer at, gpointer pane, StriaSide side)
{
  StriaPaneNode *node = at != NULL ? stria_pane_tree_find (*tree, at) : *tree;
  StriaPaneNode *added = stria_pane_tree_new (pane);
  StriaPaneNode *cut;
  const gboolean before = side == STRIA_SIDE_LEFT || side == STRIA_SIDE_TOP;

  if (node == NULL)
    {
      stria_pane_tree_free (*tree);
      *tree = added;
      return;
    }
  cut = stria_pane_tree_new (NULL);
  cut->below = side == STRIA_SIDE_TOP || side == STRIA_SIDE_BOTTOM;
  replace (tree, node, cut);
  cut->first = before ? added : node;
  cut->second = before ? node : added;
  node->parent = added->parent = cut;
  share_out (row_of (cut, cut->below), cut->below);
}

void
stria_pane_tree_remove (StriaPaneNode **tree, gpointer pane)
{
  StriaPaneNode *node = stria_pane_tree_find (*tree, pane);
  StriaPaneNode *cut, *rest;

  if (node == NULL || node->pane != pane)
    return;
  cut = node->parent;
  if (cut == NULL)
    *tree = NULL;
  else
    {
      rest = cut->first == node ? cut->second : cut->first;
      replace (tree, cut, rest);
      share_out (row_of (rest, cut->below), cut->below);
      g_free (cut);
    }
  g_free (node);
}

void
stria_pane_tree_swap (StriaPaneNode *tree, gpointer a, gpointer b)
{
  StriaPaneNode *x = stria_pane_tree_find (tree, a);
  StriaPaneNode *y = stria_pane_tree_find (tree, b);

  if (x == NULL || y == NULL)
    return;
  x->pane = b;
  y->pane = a;
}

void
stria_pane_tree_even (StriaPaneNode *tree)
{
  if (tree == NULL || tree->pane != NULL)
    return;
  share_out (row_of (tree, tree->below), tree->below);
  stria_pane_tree_even (tree->first);
  stria_pane_tree_even (tree->second);
}

gboolean
stria_pane_node_lies_below (const StriaPaneNode *node)
{
  return node->below || node->turned;
}

gpointer
stria_pane_tree_beside (StriaPaneNode *tree, gpointer pane, StriaSide side)
{
  StriaPaneNode *node = stria_pane_tree_find (tree, pane);
  const gboolean below = side == STRIA_SIDE_TOP || side == STRIA_SIDE_BOTTOM;
  const gboolean before = side == STRIA_SIDE_LEFT || side == STRIA_SIDE_TOP;
  StriaPaneRect from;
  int middle;

  if (node == NULL)
    return NULL;
  from = node->rect;
  middle = below ? from.x + from.width / 2 : from.y + from.height / 2;
  while (node->parent != NULL
         && (stria_pane_node_lies_below (node->parent) != below
             || node == (before ? node->parent->first : node->parent->second)))
    node = node->parent;
  if (node->parent == NULL)
    return NULL;
  node = before ? node->parent->first : node->parent->second;
  while (node->pane == NULL)
    {
      const StriaPaneRect *first = &node->first->rect;

      if (stria_pane_node_lies_below (node) == below)
        node = before ? node->second : node->first;
      else if (below)
        node = middle < first->x + first->width ? node->first : node->second;
      else
        node = middle < first->y + first->height ? node->first : node->second;
    }
  return node->pane;
}

void
stria_pane_tree_measure (StriaPaneNode *tree, int divider, StriaPaneMeasure measure,
                         gpointer user_data, int *width, int *height)
{
  int w1, h1, w2, h2;

  *width = *height = 0;
  if (tree == NULL)
    return;
  if (tree->pane != NULL)
    {
      measure (tree->pane, width, height, user_data);
      return;
    }
  stria_pane_tree_measure (tree->first, divider, measure, user_data, &w1, &h1);
  stria_pane_tree_measure (tree->second, divider, measure, user_data, &w2, &h2);
  *width = stria_pane_node_lies_below (tree) ? MAX (w1, w2) : w1 + divider + w2;
  *height = stria_pane_node_lies_below (tree) ? h1 + divider + h2 : MAX (h1, h2);
}

/* From the whole to its parts: what fits after all stays as it was asked for. */
static void
fold (StriaPaneNode *node, int width, int divider, StriaPaneMeasure measure, gpointer user_data)
{
  int least_width, least_height;

  node->turned = FALSE;
  if (node->pane != NULL)
    return;
  fold (node->first, G_MAXINT, divider, measure, user_data);
  fold (node->second, G_MAXINT, divider, measure, user_data);
  stria_pane_tree_measure (node, divider, measure, user_data, &least_width, &least_height);
  if (least_width <= width)
    return;
  node->turned = !node->below;
  fold (node->first, width, divider, measure, user_data);
  fold (node->second, width, divider, measure, user_data);
}

gboolean
stria_pane_tree_fold (StriaPaneNode *tree, int width, int height, int divider,
                      StriaPaneMeasure measure, gpointer user_data)
{
  int least_width, least_height;

  if (tree == NULL)
    return TRUE;
  fold (tree, width, divider, measure, user_data);
  stria_pane_tree_measure (tree, divider, measure, user_data, &least_width, &least_height);
  return least_width <= width && least_height <= height;
}

void
stria_pane_tree_layout (StriaPaneNode *tree, const StriaPaneRect *rect, int divider,
                        StriaPaneMeasure measure, StriaPanePlace place, gpointer user_data)
{
  StriaPaneRect first = *rect, second = *rect, between = *rect;
  int w1, h1, w2, h2, room, least, most, size;

  if (tree == NULL)
    return;
  tree->rect = *rect;
  if (tree->pane != NULL)
    {
      place (tree, NULL, user_data);
      return;
    }
  stria_pane_tree_measure (tree->first, divider, measure, user_data, &w1, &h1);
  stria_pane_tree_measure (tree->second, divider, measure, user_data, &w2, &h2);
  room = MAX (0, (stria_pane_node_lies_below (tree) ? rect->height : rect->width) - divider);
  least = stria_pane_node_lies_below (tree) ? h1 : w1;
  most = MAX (least, room - (stria_pane_node_lies_below (tree) ? h2 : w2));
  size = CLAMP ((int) (room * tree->share + 0.5), least, most);
  if (stria_pane_node_lies_below (tree))
    {
      first.height = size;
      between.y += size;
      between.height = divider;
      second.y += size + divider;
      second.height = MAX (room - size, h2);
    }
  else
    {
      first.width = size;
      between.x += size;
      between.width = divider;
      second.x += size + divider;
      second.width = MAX (room - size, w2);
    }
  place (tree, &between, user_data);
  stria_pane_tree_layout (tree->first, &first, divider, measure, place, user_data);
  stria_pane_tree_layout (tree->second, &second, divider, measure, place, user_data);
}

static void
save (StriaPaneNode *node, StriaPaneName name, gpointer user_data, GStrvBuilder *words)
{
  if (node == NULL)
    return;
  if (node->pane != NULL)
    g_strv_builder_add (words, name (node->pane, user_data));
  else
    {
      g_autofree char *word = g_strdup_printf ("%s:%d", node->below ? "below" : "beside",
                                               (int) (node->share * 1000 + 0.5));

      g_strv_builder_add (words, word);
    }
  save (node->first, name, user_data, words);
  save (node->second, name, user_data, words);
}

char **
stria_pane_tree_save (StriaPaneNode *tree, StriaPaneName name, gpointer user_data)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  save (tree, name, user_data, words);
  return g_strv_builder_end (words);
}

static StriaPaneNode *
load (const char *const *words, guint *at, guint depth, StriaPaneMake make, gpointer user_data)
{
  const char *word = words[*at];
  const char *colon = word != NULL ? strchr (word, ':') : NULL;
  StriaPaneNode *first, *second, *cut;
  gpointer pane;

  if (word == NULL || depth > MAX_DEPTH)
    return NULL;
  (*at)++;
  if (colon == NULL)
    {
      pane = make (word, user_data);
      return pane != NULL ? stria_pane_tree_new (pane) : NULL;
    }
  first = load (words, at, depth + 1, make, user_data);
  second = load (words, at, depth + 1, make, user_data);
  if (first == NULL || second == NULL)
    return first != NULL ? first : second;
  cut = stria_pane_tree_new (NULL);
  cut->below = g_str_has_prefix (word, "below");
  cut->share
      = (double) CLAMP (g_ascii_strtoll (colon + 1, NULL, 10), LEAST_SHARE, MOST_SHARE) / 1000;
  cut->first = first;
  cut->second = second;
  first->parent = second->parent = cut;
  return cut;
}

StriaPaneNode *
stria_pane_tree_load (const char *const *words, StriaPaneMake make, gpointer user_data)
{
  guint at = 0;

  return load (words, &at, 0, make, user_data);
}
