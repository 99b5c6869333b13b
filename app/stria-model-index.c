/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-model-index.h"

#include <string.h>

#include "stria-model-text.h"

/* Tabs for further programs of a record; more of them are no help. */
#define MAX_MODULES 8

static void
model_graph_free (gpointer data)
{
  StriaModelGraph *self = data;

  g_free (self->title);
  g_free (self->reason);
  g_free (self->node_entities);
  g_free (self->group_entities);
  g_clear_pointer (&self->graph, stria_graph_unref);
  g_clear_pointer (&self->first, g_hash_table_unref);
  g_clear_pointer (&self->groups, g_hash_table_unref);
  g_free (self);
}

static void
find_entities (StriaModelGraph *self, StriaProfile *profile)
{
  const guint32 n_nodes = stria_graph_n_nodes (self->graph);
  const guint32 n_groups = stria_graph_n_groups (self->graph);

  self->node_entities = g_new (guint32, n_nodes + 1);
  self->group_entities = g_new (guint32, n_groups + 1);
  self->first = g_hash_table_new (NULL, NULL);
  self->groups = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < n_nodes; i++)
    {
      const guint32 entity = stria_profile_node_entity (profile, self->graph, i);

      self->node_entities[i] = entity;
      if (entity != STRIA_NO_REF && !g_hash_table_contains (self->first, GUINT_TO_POINTER (entity)))
        g_hash_table_insert (self->first, GUINT_TO_POINTER (entity), GUINT_TO_POINTER (i + 1));
    }
  for (guint32 i = 0; i < n_groups; i++)
    {
      const guint32 entity = stria_profile_group_entity (profile, self->graph, i);

      self->group_entities[i] = entity;
      if (entity != STRIA_NO_REF
          && !g_hash_table_contains (self->groups, GUINT_TO_POINTER (entity)))
        g_hash_table_insert (self->groups, GUINT_TO_POINTER (entity), GUINT_TO_POINTER (i + 1));
    }
}

/* Takes @graph, @title and @reason. */
static void
add_graph (StriaModelIndex *self, StriaGraphKind kind, char *title, StriaGraph *graph, char *reason)
{
  StriaModelGraph *added = g_new0 (StriaModelGraph, 1);

  added->kind = kind;
  added->title = title;
  added->graph = graph;
  added->reason = reason;
  if (graph != NULL)
    find_entities (added, self->profile);
  g_ptr_array_add (self->graphs, added);
}

static gboolean
is_of_method (StriaModelIndex *self, StriaFacts *facts, const StriaGraphRow *row)
{
  const char *method = stria_facts_text (facts, row->method);

  return *method == '\0' || g_strcmp0 (method, stria_profile_get_method (self->profile)) == 0;
}

/* A graph has a copy of its row. */
static gboolean
is_same (const StriaGraphRow *a, const StriaGraphRow *b)
{
  return a->name == b->name && a->first_node == b->first_node && a->n_nodes == b->n_nodes;
}

/* The graphs of a kind beside @shown in the same file: each delegate has one. */
static void
add_others (StriaModelIndex *self, StriaGraph *shown, StriaGraphKind kind, guint most)
{
  StriaFacts *facts = stria_graph_get_facts (shown);
  const StriaGraphRow *rows = STRIA_ROWS (facts, StriaGraphRow, STRIA_TABLE_GRAPH);
  const gsize n = stria_facts_size (facts, STRIA_TABLE_GRAPH);

  for (gsize i = 0; i < n && most > 0; i++)
    {
      if (rows[i].kind != kind || is_same (&rows[i], stria_graph_get_row (shown))
          || !is_of_method (self, facts, &rows[i]))
        continue;
      add_graph (self, kind, g_strdup (stria_facts_text (facts, rows[i].name)),
                 stria_graph_new (facts, (guint32) i), NULL);
      most--;
    }
}

static void
add_graphs (StriaModelIndex *self)
{
  static const StriaGraphKind always[] = { STRIA_GRAPH_SOURCE, STRIA_GRAPH_CHAINS,
                                           STRIA_GRAPH_MAPPING, STRIA_GRAPH_TRACE,
                                           STRIA_GRAPH_HIERARCHY };
  static const StriaGraphKind there[]
      = { STRIA_GRAPH_EXPORTED, STRIA_GRAPH_PLAN, STRIA_GRAPH_VGF };
  StriaGraph *source = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    {
      char *reason = NULL;
      StriaGraph *graph = stria_profile_get_graph (self->profile, always[i], &reason);

      if (always[i] == STRIA_GRAPH_SOURCE)
        source = graph;
      add_graph (self, always[i], g_strdup (stria_model_graph_title (always[i])),
                 graph != NULL ? stria_graph_ref (graph) : NULL, reason);
    }
  for (guint i = 0; i < G_N_ELEMENTS (there); i++)
    {
      StriaGraph *graph = stria_profile_get_graph (self->profile, there[i], NULL);

      if (graph == NULL)
        continue;
      add_graph (self, there[i], g_strdup (stria_model_graph_title (there[i])),
                 stria_graph_ref (graph), NULL);
      if (there[i] == STRIA_GRAPH_VGF)
        add_others (self, graph, STRIA_GRAPH_VGF, G_MAXUINT);
    }
  if (source != NULL)
    add_others (self, source, STRIA_GRAPH_MODULE, MAX_MODULES);
}

static void
add_counter (StriaModelIndex *self, const char *name, gboolean first)
{
  if (g_ptr_array_find (self->counters, name, NULL))
    return;
  if (first)
    g_ptr_array_insert (self->counters, 0, (gpointer) name);
  else
    g_ptr_array_add (self->counters, (gpointer) name);
}

static gboolean
is_counted (StriaEntityKind kind)
{
  return kind == STRIA_ENTITY_SEGMENT || kind == STRIA_ENTITY_CASCADE || kind == STRIA_ENTITY_CHAIN;
}

static void
find_counters (StriaModelIndex *self)
{
  const char *totals[2] = { NULL, NULL };

  for (guint32 i = 0; i < stria_profile_n_metrics (self->profile); i++)
    {
      const StriaMetric *metric = stria_profile_metric (self->profile, i);

      if (!is_counted (stria_profile_entity (self->profile, metric->entity)->kind))
        continue;
      if (g_str_equal (metric->name, "total_cycles"))
        totals[0] = metric->name;
      else if (g_str_equal (metric->name, "op_cycles"))
        totals[1] = metric->name;
      else
        add_counter (self, metric->name, FALSE);
    }
  for (int i = 1; i >= 0; i--)
    if (totals[i] != NULL)
      add_counter (self, totals[i], TRUE);
}

StriaModelIndex *
stria_model_index_new (StriaProfile *profile)
{
  StriaModelIndex *self = g_new0 (StriaModelIndex, 1);

  g_atomic_ref_count_init (&self->refs);
  self->profile = stria_profile_ref (profile);
  self->graphs = g_ptr_array_new_with_free_func (model_graph_free);
  self->counters = g_ptr_array_new ();
  add_graphs (self);
  find_counters (self);
  return self;
}

StriaModelIndex *
stria_model_index_ref (StriaModelIndex *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_model_index_unref (StriaModelIndex *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->graphs);
  g_ptr_array_unref (self->counters);
  stria_profile_unref (self->profile);
  g_free (self);
}

static guint
find_kind (StriaModelIndex *self, StriaGraphKind kind)
{
  for (guint i = 0; i < self->graphs->len; i++)
    {
      const StriaModelGraph *graph = self->graphs->pdata[i];

      if (graph->graph != NULL && graph->kind == kind)
        return i;
    }
  return G_MAXUINT;
}

guint
stria_model_index_first (StriaModelIndex *self)
{
  const guint mapping = find_kind (self, STRIA_GRAPH_MAPPING);

  if (mapping != G_MAXUINT)
    return mapping;
  for (guint i = 0; i < self->graphs->len; i++)
    if (((StriaModelGraph *) self->graphs->pdata[i])->graph != NULL)
      return i;
  return G_MAXUINT;
}

gboolean
stria_model_graph_find (const StriaModelGraph *self, guint32 entity, guint32 *node, guint32 *group)
{
  guint number;

  *node = STRIA_NO_NODE;
  *group = STRIA_NO_GROUP;
  if (self->graph == NULL || entity == STRIA_NO_REF)
    return FALSE;
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, GUINT_TO_POINTER (entity)));
  if (number > 0)
    *node = number - 1;
  else if ((number = GPOINTER_TO_UINT (
                g_hash_table_lookup (self->groups, GUINT_TO_POINTER (entity))))
           > 0)
    *group = number - 1;
  return number > 0;
}

static gboolean
graph_has (StriaModelIndex *self, guint i, guint32 entity)
{
  guint32 node, group;

  return i < self->graphs->len
         && stria_model_graph_find (self->graphs->pdata[i], entity, &node, &group);
}

guint
stria_model_index_graph_of (StriaModelIndex *self, guint32 entity)
{
  /* Views of chains have calls as groups only where there are several. */
  static const StriaGraphKind of_calls[] = { STRIA_GRAPH_HIERARCHY, STRIA_GRAPH_PLAN };
  const StriaEntity *of = stria_profile_entity (self->profile, entity);

  for (guint i = 0; of != NULL && of->kind == STRIA_ENTITY_METHOD_CALL
                    && i < G_N_ELEMENTS (of_calls);
       i++)
    if (graph_has (self, find_kind (self, of_calls[i]), entity))
      return find_kind (self, of_calls[i]);
  for (guint i = 0; i < self->graphs->len; i++)
    if (graph_has (self, i, entity))
      return i;
  return G_MAXUINT;
}

guint
stria_model_index_subgraph (StriaModelIndex *self, StriaGraph *graph, const char *name)
{
  for (guint i = 0; i < self->graphs->len; i++)
    {
      const StriaModelGraph *other = self->graphs->pdata[i];

      if (other->graph != NULL && other->graph != graph
          && stria_graph_get_facts (other->graph) == stria_graph_get_facts (graph)
          && g_str_equal (stria_graph_get_name (other->graph), name))
        return i;
    }
  return G_MAXUINT;
}

static void
relate (guint8 *relation, guint32 entity, guint8 evidence)
{
  relation[entity] = MIN (relation[entity], evidence);
}

static guint32
other_end (const StriaLink *link, guint32 entity)
{
  return link->from == entity ? link->to : link->from;
}

static gboolean
is_operator (StriaEntityKind kind)
{
  return kind == STRIA_ENTITY_SOURCE_OPERATOR || kind == STRIA_ENTITY_COMPILER_OPERATOR
         || kind == STRIA_ENTITY_TRACE_OPERATOR;
}

/* What contains work as a whole: whatever is linked to a part of it is linked to it. */
static gboolean
is_container (StriaEntityKind kind)
{
  return kind == STRIA_ENTITY_SEGMENT || kind == STRIA_ENTITY_CASCADE
         || kind == STRIA_ENTITY_METHOD_CALL;
}

static void
relate_links (StriaProfile *profile, guint8 *relation, guint32 number)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);

  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (profile, g_array_index (entity->links, guint32, i));

      relate (relation, other_end (link, number), (guint8) link->evidence);
    }
}

/* Operators that are linked to the same operator of a third file, where nothing nearer is known. */
static void
relate_through (StriaProfile *profile, guint8 *relation, guint32 number)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);

  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (profile, g_array_index (entity->links, guint32, i));
      const guint32 middle = other_end (link, number);
      const StriaEntity *between = stria_profile_entity (profile, middle);

      for (guint j = 0; is_operator (between->kind) && j < between->links->len; j++)
        {
          const StriaLink *next
              = stria_profile_link (profile, g_array_index (between->links, guint32, j));
          const guint32 end = other_end (next, middle);
          const StriaEntityKind kind = stria_profile_entity (profile, end)->kind;

          if (is_operator (kind) && kind != entity->kind && relation[end] == STRIA_MODEL_UNRELATED)
            relation[end] = (guint8) MAX (link->evidence, next->evidence);
        }
    }
}

static void
relate_parts (StriaProfile *profile, guint8 *relation, guint32 number, guint depth)
{
  const StriaEntity *entity = stria_profile_entity (profile, number);

  relate_links (profile, relation, number);
  if (!is_container (entity->kind) || depth > STRIA_GRAPH_MAX_DEPTH)
    return;
  for (guint i = 0; i < entity->children->len; i++)
    {
      const guint32 child = g_array_index (entity->children, guint32, i);
      const StriaEntityKind kind = stria_profile_entity (profile, child)->kind;

      if (!is_container (kind) && kind != STRIA_ENTITY_CHAIN)
        continue;
      relate (relation, child, STRIA_EVIDENCE_EXACT);
      relate_parts (profile, relation, child, depth + 1);
    }
}

/* The delegate call that something of the NX is a part of. */
static void
relate_call (StriaProfile *profile, guint8 *relation, guint32 number)
{
  for (guint depth = 0; depth < STRIA_GRAPH_MAX_DEPTH; depth++)
    {
      const StriaEntity *entity = stria_profile_entity (profile, number);

      if (entity->kind == STRIA_ENTITY_SOURCE_OPERATOR || entity->parents->len == 0)
        return;
      number = g_array_index (entity->parents, guint32, 0);
      if (stria_profile_entity (profile, number)->kind != STRIA_ENTITY_METHOD_CALL)
        continue;
      relate (relation, number, STRIA_EVIDENCE_EXACT);
      return;
    }
}

guint8 *
stria_model_index_relate (StriaModelIndex *self, const guint32 *entities, gsize n)
{
  const guint32 n_entities = stria_profile_n_entities (self->profile);
  guint8 *relation = g_malloc (n_entities + 1);

  memset (relation, STRIA_MODEL_UNRELATED, n_entities + 1);
  for (gsize i = 0; i < n; i++)
    {
      if (entities[i] >= n_entities)
        continue;
      relate (relation, entities[i], STRIA_EVIDENCE_EXACT);
      relate_parts (self->profile, relation, entities[i], 0);
    }
  for (gsize i = 0; i < n; i++)
    if (entities[i] < n_entities)
      {
        relate_through (self->profile, relation, entities[i]);
        relate_call (self->profile, relation, entities[i]);
      }
  return relation;
}

guint16
stria_model_evidence_mark (guint8 evidence)
{
  switch (evidence)
    {
    case STRIA_MODEL_UNRELATED:
      return 0;
    case STRIA_EVIDENCE_PARTITION:
      return STRIA_GRAPH_MARK_MAPPED | STRIA_GRAPH_MARK_PARTITION;
    case STRIA_EVIDENCE_ASSUMED:
      return STRIA_GRAPH_MARK_MAPPED | STRIA_GRAPH_MARK_ASSUMED;
    case STRIA_EVIDENCE_AMBIGUOUS:
      return STRIA_GRAPH_MARK_MAPPED | STRIA_GRAPH_MARK_AMBIGUOUS;
    default:
      return STRIA_GRAPH_MARK_MAPPED;
    }
}
