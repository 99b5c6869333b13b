/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-walk.h"

#include <math.h>

typedef struct
{
  double along; /* of the middle, in the direction that edges run in */
  double across;
  double half; /* of what it takes along */
} Place;

static Place
place_of (const StriaScene *scene, guint32 item)
{
  const StriaSceneItem *it = &scene->items[item];
  const double x = (double) (it->x + it->width / 2), y = (double) (it->y + it->height / 2);

  if (scene->direction == STRIA_GRAPH_TOP_TO_BOTTOM)
    return (Place){ y, x, (double) it->height / 2 };
  return (Place){ x, y, (double) it->width / 2 };
}

static gboolean
is_in (const StriaScene *scene, guint32 item, guint32 group)
{
  while (item != STRIA_NO_ITEM && item != group)
    item = scene->items[item].parent;
  return item == group;
}

/* The boxes of two that stand in the same one. */
static void
lift (const StriaScene *scene, guint32 *a, guint32 *b)
{
  for (guint32 x = *a; x != STRIA_NO_ITEM; x = scene->items[x].parent)
    for (guint32 y = *b; y != STRIA_NO_ITEM; y = scene->items[y].parent)
      if (scene->items[x].parent == scene->items[y].parent)
        {
          *a = x;
          *b = y;
          return;
        }
}

/* Of all that wires lead to, what is nearest in the flow, and of these what stands most level. */
static guint32
along_wires (const StriaScene *scene, guint32 item, gboolean on)
{
  guint32 found = STRIA_NO_ITEM;
  double least = INFINITY;

  for (guint32 w = 0; w < scene->n_wires; w++)
    {
      const StriaSceneWire *wire = &scene->wires[w];
      const guint32 near = on ? wire->source : wire->target;
      const guint32 far = on ? wire->target : wire->source;
      guint32 a = near, b = far;
      double distance;

      if (!is_in (scene, near, item) || is_in (scene, far, item))
        continue;
      lift (scene, &a, &b);
      distance = fabs ((double) scene->items[b].rank - scene->items[a].rank) * 1e5
                 + fabs ((double) (scene->items[b].straight - scene->items[a].straight));
      if (distance < least)
        {
          least = distance;
          found = far;
        }
    }
  return found;
}

/* Beside it are the boxes that take some of the same way along; where there are none, any box on
 * that side, the farther along the worse. */
static guint32
across (const StriaScene *scene, guint32 item, gboolean after)
{
  const Place from = place_of (scene, item);
  guint32 found = STRIA_NO_ITEM;
  double least = INFINITY;

  for (guint32 i = 0; i < scene->n_items; i++)
    {
      Place place;
      double apart, distance;

      if (i == item || scene->items[i].n_children > 0 || is_in (scene, i, item))
        continue;
      place = place_of (scene, i);
      if (after ? place.across <= from.across : place.across >= from.across)
        continue;
      apart = MAX (fabs (place.along - from.along) - place.half - from.half, 0);
      distance = fabs (place.across - from.across) + 4 * apart
                 + fabs (place.along - from.along) / 64;
      if (apart > 0)
        distance += 1000;
      if (distance < least)
        {
          least = distance;
          found = i;
        }
    }
  return found;
}

/* Of some boxes beside each other, what the flow begins or ends with. */
static guint32
first_of (const StriaScene *scene, guint32 first, guint32 n, gboolean last)
{
  guint32 found = STRIA_NO_ITEM;

  for (guint32 i = first; i < first + n; i++)
    {
      const StriaSceneItem *item = &scene->items[i];
      const StriaSceneItem *best = found != STRIA_NO_ITEM ? &scene->items[found] : NULL;

      if (best == NULL || (last ? item->rank > best->rank : item->rank < best->rank)
          || (item->rank == best->rank && item->straight < best->straight))
        found = i;
    }
  return found;
}

static guint32
outermost (const StriaScene *scene, gboolean last)
{
  guint32 found = first_of (scene, 0, scene->n_outer, last);

  while (found != STRIA_NO_ITEM && scene->items[found].n_children > 0)
    found = first_of (scene, scene->items[found].first_child, scene->items[found].n_children, last);
  return found;
}

guint32
stria_scene_walk (StriaScene *scene, guint32 item, StriaWalk way)
{
  if (item >= scene->n_items)
    return outermost (scene, way == STRIA_WALK_LAST);
  switch (way)
    {
    case STRIA_WALK_BACK:
    case STRIA_WALK_ON:
      return along_wires (scene, item, way == STRIA_WALK_ON);
    case STRIA_WALK_BEFORE:
    case STRIA_WALK_AFTER:
      return across (scene, item, way == STRIA_WALK_AFTER);
    case STRIA_WALK_OUT:
      return scene->items[item].parent;
    case STRIA_WALK_INTO:
      return first_of (scene, scene->items[item].first_child, scene->items[item].n_children, FALSE);
    case STRIA_WALK_FIRST:
    case STRIA_WALK_LAST:
    default:
      return outermost (scene, way == STRIA_WALK_LAST);
    }
}

void
stria_graph_trace (StriaGraph *graph, const guint32 *nodes, gsize n, gboolean upstream,
                   guint8 *reached)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  const guint32 n_nodes = stria_graph_n_nodes (graph);

  for (gsize i = 0; i < n; i++)
    if (nodes[i] < n_nodes && !reached[nodes[i]])
      {
        reached[nodes[i]] = TRUE;
        g_array_append_val (stack, nodes[i]);
      }
  while (stack->len > 0)
    {
      const guint32 node = g_array_index (stack, guint32, stack->len - 1);
      guint32 n_edges;
      const guint32 *edges = upstream ? stria_graph_in_edges (graph, node, &n_edges)
                                      : stria_graph_out_edges (graph, node, &n_edges);

      g_array_set_size (stack, stack->len - 1);
      for (guint32 e = 0; e < n_edges; e++)
        {
          const guint32 other = upstream ? stria_graph_edge_source (graph, edges[e])
                                         : stria_graph_edge_target (graph, edges[e]);

          if (reached[other])
            continue;
          reached[other] = TRUE;
          g_array_append_val (stack, other);
        }
    }
}
