/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-fold-private.h"

#include <string.h>

struct _StriaFold
{
  StriaGraph *graph;
  StriaGraphDirection direction;
  gboolean rows;
  guint8 *open;         /* by group */
  GHashTable *sections; /* (group + 1) << 32 | section of those whose state is not all_sections */
  gboolean all_sections;
  guint8 *kept;  /* by node: the neighbourhood that is shown; or NULL */
  guint32 kinds; /* a bit for each StriaNodeKind that is shown */
};

StriaFold *
stria_fold_new (StriaGraph *graph)
{
  StriaFold *self = g_new0 (StriaFold, 1);
  guint32 n = stria_graph_n_nodes (graph);
  guint32 n_operators = 0;

  self->graph = stria_graph_ref (graph);
  self->open = g_malloc0 (MAX (stria_graph_n_groups (graph), 1));
  self->sections = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->kinds = G_MAXUINT32;
  self->rows = TRUE;
  for (guint32 i = 0; i < n; i++)
    n_operators += stria_graph_node (graph, i)->kind == STRIA_NODE_OPERATOR;
  if (n_operators > 0)
    self->kinds &= ~(1u << STRIA_NODE_PARAMETER | 1u << STRIA_NODE_CONSTANT);
  return self;
}

StriaFold *
stria_fold_copy (const StriaFold *self)
{
  StriaFold *copy = g_new (StriaFold, 1);
  GHashTableIter iter;
  gpointer key;

  *copy = *self;
  stria_graph_ref (self->graph);
  copy->open = g_memdup2 (self->open, MAX (stria_graph_n_groups (self->graph), 1));
  copy->kept = g_memdup2 (self->kept, self->kept != NULL ? stria_graph_n_nodes (self->graph) : 0);
  copy->sections = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_hash_table_iter_init (&iter, self->sections);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (copy->sections, g_memdup2 (key, sizeof (gint64)));
  return copy;
}

void
stria_fold_free (StriaFold *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->sections);
  g_free (self->open);
  g_free (self->kept);
  stria_graph_unref (self->graph);
  g_free (self);
}

StriaGraph *
stria_fold_get_graph (const StriaFold *self)
{
  return self->graph;
}

void
stria_fold_set_direction (StriaFold *self, StriaGraphDirection direction)
{
  self->direction = direction;
}

StriaGraphDirection
stria_fold_get_direction (const StriaFold *self)
{
  return self->direction;
}

void
stria_fold_set_rows (StriaFold *self, gboolean rows)
{
  self->rows = rows != FALSE;
}

gboolean
stria_fold_get_rows (const StriaFold *self)
{
  return self->rows;
}

gboolean
stria_fold_is_open (const StriaFold *self, guint32 group)
{
  return group < stria_graph_n_groups (self->graph) && self->open[group];
}

void
stria_fold_set_open (StriaFold *self, guint32 group, gboolean open)
{
  g_return_if_fail (group < stria_graph_n_groups (self->graph));
  self->open[group] = open != FALSE;
}

static gint64
section_key (guint32 group, guint32 section)
{
  return (gint64)((guint64)(group + 1) << 32 | section); /* STRIA_NO_GROUP + 1 is 0 */
}

gboolean
stria_fold_is_section_open (const StriaFold *self, guint32 group, guint32 section)
{
  gint64 key = section_key (group, section);

  return g_hash_table_contains (self->sections, &key) != self->all_sections;
}

void
stria_fold_set_section_open (StriaFold *self, guint32 group, guint32 section, gboolean open)
{
  gint64 key = section_key (group, section);

  if ((open != FALSE) != self->all_sections)
    g_hash_table_add (self->sections, g_memdup2 (&key, sizeof key));
  else
    g_hash_table_remove (self->sections, &key);
}

void
stria_fold_set_level (StriaFold *self, guint level)
{
  g_autofree guint *depth = g_new0 (guint, MAX (stria_graph_n_groups (self->graph), 1));

  /* Groups come after their parents. */
  for (guint32 g = 0; g < stria_graph_n_groups (self->graph); g++)
    {
      guint32 parent = stria_graph_group_parent (self->graph, g);
      depth[g] = parent == STRIA_NO_GROUP ? 0 : depth[parent] + 1;
      self->open[g] = depth[g] < level;
    }
  g_hash_table_remove_all (self->sections);
  self->all_sections = level == G_MAXUINT;
}

/* Opens the section of @group that holds the child which begins with @first. */
static void
reveal_in (StriaFold *self, guint32 group, guint32 node, guint32 child_group)
{
  g_autofree guint32 *weights = stria_fold_weights (self);
  g_autoptr (GArray) children = stria_fold_children (self, group, weights);

  if (children->len <= STRIA_FOLD_SECTION)
    return;
  for (guint i = 0; i < children->len; i++)
    {
      const StriaFoldChild *child = &g_array_index (children, StriaFoldChild, i);
      if (child->node == node && child->group == child_group)
        stria_fold_set_section_open (self, group, i / STRIA_FOLD_SECTION, TRUE);
    }
}

void
stria_fold_reveal_group (StriaFold *self, guint32 group)
{
  g_return_if_fail (group < stria_graph_n_groups (self->graph));
  for (guint32 parent; group != STRIA_NO_GROUP; group = parent)
    {
      parent = stria_graph_group_parent (self->graph, group);
      if (parent != STRIA_NO_GROUP)
        self->open[parent] = TRUE;
      reveal_in (self, parent, STRIA_NO_NODE, group);
    }
}

void
stria_fold_reveal_node (StriaFold *self, guint32 node)
{
  g_return_if_fail (node < stria_graph_n_nodes (self->graph));
  guint32 group = stria_graph_node_group (self->graph, node);

  if (!stria_fold_shows_node (self, node))
    {
      self->kinds |= 1u << stria_graph_node (self->graph, node)->kind;
      if (self->kept != NULL && !self->kept[node])
        g_clear_pointer (&self->kept, g_free);
    }
  if (group != STRIA_NO_GROUP)
    {
      stria_fold_reveal_group (self, group);
      self->open[group] = TRUE;
    }
  reveal_in (self, group, node, STRIA_NO_GROUP);
}

/* One hop from all nodes of distance @hop: those reached get distance @hop + 1. */
static gboolean
spread (StriaFold *self, guint32 *distance, guint hop, gboolean along)
{
  guint32 n = stria_graph_n_nodes (self->graph);
  gboolean any = FALSE;

  for (guint32 node = 0; node < n; node++)
    {
      guint32 n_edges;
      const guint32 *edges;

      if (distance[node] != hop)
        continue;
      edges = along ? stria_graph_out_edges (self->graph, node, &n_edges)
                    : stria_graph_in_edges (self->graph, node, &n_edges);
      for (guint32 e = 0; e < n_edges; e++)
        {
          guint32 other = along ? stria_graph_edge_target (self->graph, edges[e])
                                : stria_graph_edge_source (self->graph, edges[e]);
          if (distance[other] == G_MAXUINT32)
            {
              distance[other] = hop + 1;
              any = TRUE;
            }
        }
    }
  return any;
}

void
stria_fold_isolate (StriaFold *self, const guint32 *nodes, gsize n, guint up, guint down)
{
  guint32 n_nodes = stria_graph_n_nodes (self->graph);
  g_autofree guint32 *distance = g_new (guint32, MAX (n_nodes, 1));

  g_clear_pointer (&self->kept, g_free);
  if (n == 0)
    return;
  self->kept = g_malloc0 (MAX (n_nodes, 1));
  for (guint way = 0; way < 2; way++)
    {
      memset (distance, 0xff, sizeof *distance * n_nodes);
      for (gsize i = 0; i < n; i++)
        if (nodes[i] < n_nodes)
          distance[nodes[i]] = 0;
      for (guint hop = 0; hop < (way == 0 ? up : down); hop++)
        if (!spread (self, distance, hop, way == 1))
          break;
      for (guint32 i = 0; i < n_nodes; i++)
        self->kept[i] |= distance[i] != G_MAXUINT32;
    }
}

gboolean
stria_fold_is_isolated (const StriaFold *self)
{
  return self->kept != NULL;
}

void
stria_fold_show_kind (StriaFold *self, StriaNodeKind kind, gboolean show)
{
  if (show)
    self->kinds |= 1u << kind;
  else
    self->kinds &= ~(1u << kind);
}

gboolean
stria_fold_shows_kind (const StriaFold *self, StriaNodeKind kind)
{
  return (self->kinds & 1u << kind) != 0;
}

gboolean
stria_fold_shows_node (const StriaFold *self, guint32 node)
{
  return (self->kept == NULL || self->kept[node])
         && (self->kinds & 1u << (stria_graph_node (self->graph, node)->kind & 31)) != 0;
}

guint32 *
stria_fold_weights (const StriaFold *self)
{
  guint32 n_groups = stria_graph_n_groups (self->graph);
  guint32 *weights = g_new0 (guint32, MAX (n_groups, 1));

  for (guint32 node = 0; node < stria_graph_n_nodes (self->graph); node++)
    {
      guint32 group = stria_graph_node_group (self->graph, node);
      if (group != STRIA_NO_GROUP && stria_fold_shows_node (self, node))
        weights[group]++;
    }
  for (guint32 g = n_groups; g-- > 0;)
    if (stria_graph_group_parent (self->graph, g) != STRIA_NO_GROUP)
      weights[stria_graph_group_parent (self->graph, g)] += weights[g];
  return weights;
}

static int
compare_children (gconstpointer a, gconstpointer b)
{
  const StriaFoldChild *x = a, *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

GArray *
stria_fold_children (const StriaFold *self, guint32 group, const guint32 *weights)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (StriaFoldChild));
  guint32 n;
  const guint32 *list = stria_graph_group_groups (self->graph, group, &n);

  for (guint32 i = 0; i < n; i++)
    if (weights[list[i]] > 0)
      {
        StriaFoldChild child
            = { STRIA_NO_NODE, list[i], stria_graph_group_first (self->graph, list[i]) };
        g_array_append_val (children, child);
      }
  list = stria_graph_group_nodes (self->graph, group, &n);
  for (guint32 i = 0; i < n; i++)
    if (stria_fold_shows_node (self, list[i]))
      {
        StriaFoldChild child = { list[i], STRIA_NO_GROUP, list[i] };
        g_array_append_val (children, child);
      }
  g_array_sort (children, compare_children);
  return children;
}
