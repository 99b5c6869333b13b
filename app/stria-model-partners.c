/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-partners.h"

#include <string.h>

static guint32 *
none_new (guint32 n)
{
  guint32 *numbers = g_new (guint32, n + 1);

  memset (numbers, 0xff, sizeof (guint32) * (n + 1));
  return numbers;
}

/* The entity that the comparison says is this one, or STRIA_NO_REF; @known: it says something. */
static guint32
partner_of (StriaComparison *comparison, guint32 entity, gboolean *known)
{
  const StriaEntityPair *pair;

  *known = entity != STRIA_NO_REF;
  if (entity == STRIA_NO_REF)
    return STRIA_NO_REF;
  pair = stria_comparison_pair (comparison, stria_comparison_find (comparison, FALSE, entity));
  return pair->state == STRIA_PAIR_BOTH ? pair->b : STRIA_NO_REF;
}

static void
pair_nodes (StriaModelPartners *self, guint32 a, guint32 b)
{
  if (self->node_of_b[b] == STRIA_NO_NODE)
    {
      self->node_of_a[a] = b;
      self->node_of_b[b] = a;
    }
}

static void
pair_groups (StriaModelPartners *self, guint32 a, guint32 b)
{
  if (self->group_of_b[b] == STRIA_NO_GROUP)
    {
      self->group_of_a[a] = b;
      self->group_of_b[b] = a;
    }
}

/* An entity may be at several nodes; those have ids that tell them apart. */
static gboolean
is_node_of (const StriaModelGraph *graph, guint32 node, guint32 entity)
{
  return graph->node_entities[node] == entity;
}

static GHashTable *
nodes_by_id (StriaGraph *graph)
{
  GHashTable *ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    g_hash_table_insert (ids, (gpointer) stria_graph_text (graph, stria_graph_node (graph, i)->id),
                         GUINT_TO_POINTER (i + 1));
  return ids;
}

static GHashTable *
groups_by_id (StriaGraph *graph)
{
  GHashTable *ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = 0; i < stria_graph_n_groups (graph); i++)
    g_hash_table_insert (ids,
                         (gpointer) stria_graph_text (graph, stria_graph_group (graph, i)->id),
                         GUINT_TO_POINTER (i + 1));
  return ids;
}

static void
find_nodes (StriaModelPartners *self, StriaComparison *comparison, const StriaModelGraph *a,
            const StriaModelGraph *b)
{
  g_autoptr (GHashTable) ids = nodes_by_id (b->graph);

  for (guint32 i = 0; i < stria_graph_n_nodes (a->graph); i++)
    {
      const StriaGraphNodeRow *node = stria_graph_node (a->graph, i);
      const guint32 same = GPOINTER_TO_UINT (
          g_hash_table_lookup (ids, stria_graph_text (a->graph, node->id)));
      gboolean known;
      const guint32 entity = partner_of (comparison, a->node_entities[i], &known);
      guint32 first, group;

      if (known)
        {
          if (entity == STRIA_NO_REF)
            continue;
          if (same != 0 && is_node_of (b, same - 1, entity))
            pair_nodes (self, i, same - 1);
          else if (stria_model_graph_find (b, entity, &first, &group) && first != STRIA_NO_NODE)
            pair_nodes (self, i, first);
        }
      else if (same != 0 && b->node_entities[same - 1] == STRIA_NO_REF
               && strcmp (stria_graph_text (a->graph, node->label),
                          stria_graph_text (b->graph, stria_graph_node (b->graph, same - 1)->label))
                      == 0)
        pair_nodes (self, i, same - 1);
    }
}

static void
find_groups (StriaModelPartners *self, StriaComparison *comparison, const StriaModelGraph *a,
             const StriaModelGraph *b)
{
  g_autoptr (GHashTable) ids = groups_by_id (b->graph);

  for (guint32 i = 0; i < stria_graph_n_groups (a->graph); i++)
    {
      const guint32 same = GPOINTER_TO_UINT (g_hash_table_lookup (
          ids, stria_graph_text (a->graph, stria_graph_group (a->graph, i)->id)));
      gboolean known;
      const guint32 entity = partner_of (comparison, a->group_entities[i], &known);

      if (known)
        {
          const guint32 at = entity == STRIA_NO_REF
                                 ? 0
                                 : GPOINTER_TO_UINT (g_hash_table_lookup (
                                     b->groups, GUINT_TO_POINTER (entity)));

          if (at != 0)
            pair_groups (self, i, at - 1);
        }
      else if (same != 0 && b->group_entities[same - 1] == STRIA_NO_REF)
        pair_groups (self, i, same - 1);
    }
}

StriaModelPartners *
stria_model_partners_new (StriaComparison *comparison, const StriaModelGraph *a,
                          const StriaModelGraph *b)
{
  StriaModelPartners *self = g_new0 (StriaModelPartners, 1);
  const gboolean both = a->graph != NULL && b->graph != NULL;

  self->node_of_a = none_new (a->graph != NULL ? stria_graph_n_nodes (a->graph) : 0);
  self->group_of_a = none_new (a->graph != NULL ? stria_graph_n_groups (a->graph) : 0);
  self->node_of_b = none_new (b->graph != NULL ? stria_graph_n_nodes (b->graph) : 0);
  self->group_of_b = none_new (b->graph != NULL ? stria_graph_n_groups (b->graph) : 0);
  if (!both)
    return self;
  find_nodes (self, comparison, a, b);
  find_groups (self, comparison, a, b);
  return self;
}

void
stria_model_partners_free (StriaModelPartners *self)
{
  if (self == NULL)
    return;
  g_free (self->node_of_a);
  g_free (self->node_of_b);
  g_free (self->group_of_a);
  g_free (self->group_of_b);
  g_free (self);
}

guint
stria_model_partners_graph (StriaModelIndex *a, StriaModelIndex *b, guint graph)
{
  const StriaGraphKind kind = ((StriaModelGraph *) a->graphs->pdata[graph])->kind;
  guint place = 0;

  for (guint i = 0; i < graph; i++)
    place += ((StriaModelGraph *) a->graphs->pdata[i])->kind == kind;
  for (guint i = 0; i < b->graphs->len; i++)
    if (((StriaModelGraph *) b->graphs->pdata[i])->kind == kind && place-- == 0)
      return i;
  return G_MAXUINT;
}

gboolean
stria_model_partners_find (const StriaModelPartners *self, gboolean second, guint32 node,
                           guint32 group, guint32 *other_node, guint32 *other_group)
{
  *other_node = STRIA_NO_NODE;
  *other_group = STRIA_NO_GROUP;
  if (node != STRIA_NO_NODE)
    *other_node = (second ? self->node_of_b : self->node_of_a)[node];
  else if (group != STRIA_NO_GROUP)
    *other_group = (second ? self->group_of_b : self->group_of_a)[group];
  return *other_node != STRIA_NO_NODE || *other_group != STRIA_NO_GROUP;
}
