/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-scene-private.h"

#include <string.h>

#include "stria-fold-private.h"
#include "stria-layout.h"

static guint
local_hash (gconstpointer key)
{
  const StriaSceneLocal *l = key;
  guint64 h = l->container * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h = (h ^ l->from) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  h = (h ^ (h >> 32) ^ l->to) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return (guint)(h ^ (h >> 32));
}

static gboolean
local_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (StriaSceneLocal)) == 0;
}

static void
append_item (StriaSceneWork *self, guint32 parent, const StriaFoldChild *child)
{
  StriaSceneItem item = {
    .node = child->node,
    .group = child->group,
    .section = G_MAXUINT32,
    .parent = parent,
    .open = child->group != STRIA_NO_GROUP && stria_fold_is_open (self->fold, child->group),
  };

  if (child->node != STRIA_NO_NODE)
    self->scene->item_of_node[child->node] = self->items->len;
  else
    self->scene->item_of_group[child->group] = self->items->len;
  g_array_append_val (self->items, item);
}

/* Boxes of @children inside @parent; closed sections swallow theirs. */
static void
append_children (StriaSceneWork *self, guint32 parent, guint32 group, GArray *children)
{
  guint32 n_sections = (children->len + STRIA_FOLD_SECTION - 1) / STRIA_FOLD_SECTION;

  if (n_sections < 2)
    {
      for (guint i = 0; i < children->len; i++)
        append_item (self, parent, &g_array_index (children, StriaFoldChild, i));
      return;
    }
  for (guint32 s = 0; s < n_sections; s++)
    {
      guint end = MIN (children->len, (s + 1) * STRIA_FOLD_SECTION);
      StriaSceneItem item = {
        .node = STRIA_NO_NODE,
        .group = group,
        .section = s,
        .n_sections = n_sections,
        .parent = parent,
        .open = stria_fold_is_section_open (self->fold, group, s),
      };
      guint32 number = self->items->len;

      g_array_append_val (self->items, item);
      for (guint i = s * STRIA_FOLD_SECTION; !item.open && i < end; i++)
        {
          const StriaFoldChild *child = &g_array_index (children, StriaFoldChild, i);
          if (child->node != STRIA_NO_NODE)
            self->scene->item_of_node[child->node] = number;
          else
            self->scene->item_of_group[child->group] = number;
        }
    }
}

/* Boxes of an open section. Sections of a group follow each other: its children are found once. */
static void
append_section (StriaSceneWork *self, guint32 parent, const StriaSceneItem *section)
{
  if (self->siblings == NULL || self->siblings_group != section->group)
    {
      g_clear_pointer (&self->siblings, g_array_unref);
      self->siblings = stria_fold_children (self->fold, section->group, self->weights);
      self->siblings_group = section->group;
    }
  for (guint c = section->section * STRIA_FOLD_SECTION;
       c < MIN (self->siblings->len, (section->section + 1) * STRIA_FOLD_SECTION); c++)
    append_item (self, parent, &g_array_index (self->siblings, StriaFoldChild, c));
}

/* Every box, parents before their children and the children of one beside each other. */
static void
make_items (StriaSceneWork *self)
{
  StriaScene *scene = self->scene;
  StriaGraph *graph = scene->graph;
  g_autoptr (GArray) outer = stria_fold_children (self->fold, STRIA_NO_GROUP, self->weights);

  append_children (self, STRIA_NO_ITEM, STRIA_NO_GROUP, outer);
  scene->n_outer = self->items->len;
  for (guint32 i = 0; i < self->items->len; i++)
    {
      StriaSceneItem item = *item_at (self, i);

      if (!item.open)
        continue;
      guint32 first = self->items->len;
      if (item.section == G_MAXUINT32)
        {
          g_autoptr (GArray) children = stria_fold_children (self->fold, item.group, self->weights);
          append_children (self, i, item.group, children);
        }
      else
        append_section (self, i, &item);
      item_at (self, i)->first_child = first;
      item_at (self, i)->n_children = self->items->len - first;
    }
  /* What stands in a closed box is shown by it. */
  for (guint32 g = 0; g < stria_graph_n_groups (graph); g++)
    {
      guint32 parent = stria_graph_group_parent (graph, g);
      if (scene->item_of_group[g] == STRIA_NO_ITEM && self->weights[g] > 0
          && parent != STRIA_NO_GROUP)
        scene->item_of_group[g] = scene->item_of_group[parent];
    }
  for (guint32 n = 0; n < stria_graph_n_nodes (graph); n++)
    {
      guint32 group = stria_graph_node_group (graph, n);
      if (scene->item_of_node[n] == STRIA_NO_ITEM && group != STRIA_NO_GROUP
          && stria_fold_shows_node (self->fold, n))
        scene->item_of_node[n] = scene->item_of_group[group];
    }
}

static guint32
add_local (StriaSceneWork *self, guint32 container, guint32 from, guint32 to)
{
  StriaSceneLocal local = { container, from, to };
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->local_of, &local));

  if (known != 0)
    return known - 1;
  g_array_append_val (self->locals, local);
  g_hash_table_insert (self->local_of, g_memdup2 (&local, sizeof local),
                       GUINT_TO_POINTER (self->locals->len));
  return self->locals->len - 1;
}

void
stria_scene_lift (StriaSceneWork *self, guint32 *a, guint32 *b)
{
  while (self->depth[*a] > self->depth[*b])
    *a = item_at (self, *a)->parent;
  while (self->depth[*b] > self->depth[*a])
    *b = item_at (self, *b)->parent;
  while (item_at (self, *a)->parent != item_at (self, *b)->parent)
    {
      *a = item_at (self, *a)->parent;
      *b = item_at (self, *b)->parent;
    }
}

static int
compare_wires (gconstpointer a, gconstpointer b)
{
  const StriaSceneWire *x = a, *y = b;

  /* first_point holds the container + 1 while wires are sorted. */
  if (x->first_point != y->first_point)
    return x->first_point < y->first_point ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static gboolean
make_wires (StriaSceneWork *self)
{
  StriaScene *scene = self->scene;
  StriaGraph *graph = scene->graph;
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  self->depth = g_new0 (guint32, MAX (self->items->len, 1));
  for (guint32 i = 0; i < self->items->len; i++)
    if (item_at (self, i)->parent != STRIA_NO_ITEM)
      self->depth[i] = self->depth[item_at (self, i)->parent] + 1;
  for (guint32 e = 0; e < stria_graph_n_edges (graph); e++)
    {
      StriaSceneWire wire = {
        .source = scene->item_of_node[stria_graph_edge_source (graph, e)],
        .target = scene->item_of_node[stria_graph_edge_target (graph, e)],
        .n_edges = 1,
        .edge = e,
      };
      gint64 key = (gint64)((guint64)wire.source << 32 | wire.target);

      if (e % 65536 == 0 && g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      if (wire.source == STRIA_NO_ITEM || wire.target == STRIA_NO_ITEM
          || wire.source == wire.target)
        continue;
      guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (pairs, &key));
      if (known != 0)
        {
          g_array_index (self->wires, StriaSceneWire, known - 1).n_edges++;
          continue;
        }
      guint32 a = wire.source, b = wire.target;
      stria_scene_lift (self, &a, &b);
      wire.first_point = item_at (self, a)->parent + 1;
      g_array_append_val (self->wires, wire);
      g_hash_table_insert (pairs, g_memdup2 (&key, sizeof key),
                           GUINT_TO_POINTER (self->wires->len));
      add_local (self, item_at (self, a)->parent, a, b);
      for (guint32 i = wire.source; i != a; i = item_at (self, i)->parent)
        add_local (self, item_at (self, i)->parent, i, STRIA_LAYOUT_BORDER);
      for (guint32 i = wire.target; i != b; i = item_at (self, i)->parent)
        add_local (self, item_at (self, i)->parent, STRIA_LAYOUT_BORDER, i);
    }
  g_array_sort (self->wires, compare_wires);
  for (guint32 w = 0; w < self->wires->len; w++)
    {
      guint32 container = g_array_index (self->wires, StriaSceneWire, w).first_point;
      guint32 *first
          = container == 0 ? &scene->first_wire : &item_at (self, container - 1)->first_wire;
      guint32 *n = container == 0 ? &scene->n_outer_wires : &item_at (self, container - 1)->n_wires;
      if ((*n)++ == 0)
        *first = w;
    }
  return TRUE;
}

static void
index_locals (StriaSceneWork *self)
{
  guint32 n = self->items->len + 1;

  self->local_start = g_new0 (guint32, (gsize)n + 2);
  self->local_items = g_new (guint32, MAX (self->locals->len, 1));
  self->path_first = g_new0 (guint32, MAX (self->locals->len, 1));
  self->path_count = g_new0 (guint32, MAX (self->locals->len, 1));
  for (guint32 l = 0; l < self->locals->len; l++)
    self->local_start[g_array_index (self->locals, StriaSceneLocal, l).container + 1 + 2]++;
  for (guint32 c = 0; c < n; c++)
    self->local_start[c + 2] += self->local_start[c + 1];
  for (guint32 l = 0; l < self->locals->len; l++)
    {
      guint32 container = g_array_index (self->locals, StriaSceneLocal, l).container;
      self->local_items[self->local_start[container + 1 + 1]++] = l;
    }
}

static gboolean
run (StriaSceneWork *self, StriaSceneMeasure measure, gpointer user_data)
{
  make_items (self);
  if (!make_wires (self))
    return FALSE;
  index_locals (self);
  if (!stria_scene_place_items (self, measure, user_data))
    return FALSE;
  for (guint32 w = 0; w < self->wires->len; w++)
    stria_scene_route (self, &g_array_index (self->wires, StriaSceneWire, w));
  return TRUE;
}

static void
work_clear (StriaSceneWork *self)
{
  g_free (self->weights);
  g_clear_pointer (&self->siblings, g_array_unref);
  g_free (self->depth);
  g_array_unref (self->locals);
  g_hash_table_unref (self->local_of);
  g_clear_pointer (&self->previous_items, g_hash_table_unref);
  g_free (self->local_start);
  g_free (self->local_items);
  g_free (self->path_first);
  g_free (self->path_count);
  g_array_unref (self->paths);
  g_free (self->content);
  g_free (self->entry);
  g_free (self->leaving);
}

StriaScene *
stria_scene_new (const StriaFold *fold,
                 StriaScene *previous,
                 StriaSceneMeasure measure,
                 gpointer user_data,
                 GCancellable *cancellable,
                 GError **error)
{
  StriaScene *scene = g_new0 (StriaScene, 1);
  StriaGraph *graph = stria_fold_get_graph (fold);
  StriaSceneWork work = {
    .scene = scene,
    .fold = fold,
    .items = g_array_new (FALSE, TRUE, sizeof (StriaSceneItem)),
    .wires = g_array_new (FALSE, TRUE, sizeof (StriaSceneWire)),
    .points = g_array_new (FALSE, FALSE, sizeof (float)),
    .weights = stria_fold_weights (fold),
    .locals = g_array_new (FALSE, FALSE, sizeof (StriaSceneLocal)),
    .local_of = g_hash_table_new_full (local_hash, local_equal, g_free, NULL),
    .paths = g_array_new (FALSE, FALSE, sizeof (float)),
    .previous = previous != NULL && previous->graph == graph ? previous : NULL,
    .cancellable = cancellable,
  };

  g_atomic_ref_count_init (&scene->refs);
  scene->graph = stria_graph_ref (graph);
  scene->direction = stria_fold_get_direction (fold);
  scene->item_of_node = g_new (guint32, MAX (stria_graph_n_nodes (graph), 1));
  scene->item_of_group = g_new (guint32, MAX (stria_graph_n_groups (graph), 1));
  memset (scene->item_of_node, 0xff, sizeof (guint32) * stria_graph_n_nodes (graph));
  memset (scene->item_of_group, 0xff, sizeof (guint32) * stria_graph_n_groups (graph));

  gboolean ok = run (&work, measure, user_data);
  work_clear (&work);
  scene->n_items = work.items->len;
  scene->items = (StriaSceneItem *)(gpointer)g_array_free (work.items, FALSE);
  scene->n_wires = work.wires->len;
  scene->wires = (StriaSceneWire *)(gpointer)g_array_free (work.wires, FALSE);
  scene->n_points = work.points->len / 2;
  scene->points = (float *)(gpointer)g_array_free (work.points, FALSE);
  if (!ok)
    {
      stria_scene_unref (scene);
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return scene;
}

StriaScene *
stria_scene_ref (StriaScene *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_scene_unref (StriaScene *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->items);
  g_free (self->wires);
  g_free (self->points);
  g_free (self->item_of_node);
  g_free (self->item_of_group);
  stria_graph_unref (self->graph);
  g_free (self);
}
