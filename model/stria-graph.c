/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph.h"

#include <string.h>

/* Lists of numbers by owner: items of owner i are items[start[i] .. start[i + 1]). */
typedef struct
{
  guint32 *start;
  guint32 *items;
} Lists;

typedef struct
{
  gint64 key;
  guint32 node;
} KeyedNode;

struct _StriaGraph
{
  gatomicrefcount refs;
  StriaFacts *facts;
  StriaGraphRow row;
  const StriaGraphGroupRow *groups;
  const StriaGraphNodeRow *nodes;
  const StriaGraphEdgeRow *edges;
  Lists in, out;               /* edges of a node */
  Lists group_nodes;           /* by group + 1; 0: the graph's own */
  Lists group_groups;
  guint32 *weight;             /* of groups */
  guint32 *first;              /* of groups: their first node */
  KeyedNode *keyed;            /* nodes with a key, by key and number */
  guint32 *keyed_nodes;        /* their numbers, in the same order */
  guint32 n_keyed;
  GHashTable *by_id;           /* id (string) -> node + 1 */
  GHashTable *group_by_id;     /* id (string) -> group + 1 */
};

/* Counting sort: @owner_of gives each item's owner, below @n_owners. */
static void
lists_build (Lists *lists, guint32 n_owners, guint32 n_items,
             guint32 (*owner_of) (StriaGraph *self, guint32 item), StriaGraph *self)
{
  lists->start = g_new0 (guint32, (gsize) n_owners + 2);
  lists->items = g_new (guint32, MAX (n_items, 1));
  for (guint32 i = 0; i < n_items; i++)
    lists->start[owner_of (self, i) + 2]++;
  for (guint32 o = 0; o < n_owners; o++)
    lists->start[o + 2] += lists->start[o + 1];
  for (guint32 i = 0; i < n_items; i++)
    lists->items[lists->start[owner_of (self, i) + 1]++] = i;
}

static void
lists_clear (Lists *lists)
{
  g_free (lists->start);
  g_free (lists->items);
}

static const guint32 *
lists_get (const Lists *lists, guint32 owner, guint32 *n)
{
  *n = lists->start[owner + 1] - lists->start[owner];
  return lists->items + lists->start[owner];
}

static guint32
owner_of_in_edge (StriaGraph *self, guint32 edge)
{
  return stria_graph_edge_target (self, edge);
}

static guint32
owner_of_out_edge (StriaGraph *self, guint32 edge)
{
  return stria_graph_edge_source (self, edge);
}

static guint32
owner_of_node (StriaGraph *self, guint32 node)
{
  return stria_graph_node_group (self, node) + 1; /* STRIA_NO_GROUP + 1 is 0 */
}

static guint32
owner_of_group (StriaGraph *self, guint32 group)
{
  return stria_graph_group_parent (self, group) + 1;
}

static int
compare_keyed (gconstpointer a, gconstpointer b)
{
  const KeyedNode *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

static void
index_keys (StriaGraph *self)
{
  for (guint32 n = 0; n < self->row.n_nodes; n++)
    self->n_keyed += self->nodes[n].key != -1;
  self->keyed = g_new (KeyedNode, MAX (self->n_keyed, 1));
  self->keyed_nodes = g_new (guint32, MAX (self->n_keyed, 1));
  for (guint32 n = 0, at = 0; n < self->row.n_nodes; n++)
    if (self->nodes[n].key != -1)
      self->keyed[at++] = (KeyedNode){ self->nodes[n].key, n };
  qsort (self->keyed, self->n_keyed, sizeof *self->keyed, compare_keyed);
  for (guint32 i = 0; i < self->n_keyed; i++)
    self->keyed_nodes[i] = self->keyed[i].node;
}

/* What came from a store may name nodes of another graph, or groups that hold each other: each group
 * must come after its parent, as the builder makes them. */
static gboolean
is_sound (StriaGraph *self)
{
  const StriaGraphRow *row = &self->row;

  for (guint32 e = 0; e < row->n_edges; e++)
    if (self->edges[e].source - row->first_node >= row->n_nodes
        || self->edges[e].target - row->first_node >= row->n_nodes)
      return FALSE;
  for (guint32 n = 0; n < row->n_nodes; n++)
    if (self->nodes[n].group != STRIA_NO_REF
        && self->nodes[n].group - row->first_group >= row->n_groups)
      return FALSE;
  for (guint32 g = 0; g < row->n_groups; g++)
    if (self->groups[g].parent != STRIA_NO_REF && self->groups[g].parent - row->first_group >= g)
      return FALSE;
  return TRUE;
}

/**
 * stria_graph_new:
 * @facts: finished
 * @number: row of STRIA_TABLE_GRAPH
 *
 * Returns: (transfer full) (nullable): the graph; NULL if there is none of that number or the rows
 *   do not make one
 */
StriaGraph *
stria_graph_new (StriaFacts *facts, guint32 number)
{
  if (number >= stria_facts_size (facts, STRIA_TABLE_GRAPH))
    return NULL;

  StriaGraph *self = g_new0 (StriaGraph, 1);
  g_atomic_ref_count_init (&self->refs);
  self->facts = stria_facts_ref (facts);
  self->row = STRIA_ROWS (facts, StriaGraphRow, STRIA_TABLE_GRAPH)[number];
  /* Tables without a row have no address to count from. */
  if (self->row.n_groups > 0)
    self->groups = STRIA_ROWS (facts, StriaGraphGroupRow, STRIA_TABLE_GRAPH_GROUP)
                   + self->row.first_group;
  if (self->row.n_nodes > 0)
    self->nodes
        = STRIA_ROWS (facts, StriaGraphNodeRow, STRIA_TABLE_GRAPH_NODE) + self->row.first_node;
  if (self->row.n_edges > 0)
    self->edges
        = STRIA_ROWS (facts, StriaGraphEdgeRow, STRIA_TABLE_GRAPH_EDGE) + self->row.first_edge;
  self->by_id = g_hash_table_new (NULL, NULL);
  self->group_by_id = g_hash_table_new (NULL, NULL);
  if (!is_sound (self))
    {
      stria_graph_unref (self);
      return NULL;
    }

  lists_build (&self->in, self->row.n_nodes, self->row.n_edges, owner_of_in_edge, self);
  lists_build (&self->out, self->row.n_nodes, self->row.n_edges, owner_of_out_edge, self);
  lists_build (&self->group_nodes, self->row.n_groups + 1, self->row.n_nodes, owner_of_node, self);
  lists_build (&self->group_groups, self->row.n_groups + 1, self->row.n_groups, owner_of_group,
               self);
  self->weight = g_new0 (guint32, (gsize) self->row.n_groups + 1);
  self->first = g_new (guint32, (gsize) self->row.n_groups + 1);
  memset (self->first, 0xff, sizeof (guint32) * ((gsize) self->row.n_groups + 1));
  for (guint32 g = self->row.n_groups; g-- > 0;)
    {
      guint32 n;
      const guint32 *nodes = lists_get (&self->group_nodes, g + 1, &n);
      guint32 parent = stria_graph_group_parent (self, g);
      self->weight[g] += n;
      if (n > 0)
        self->first[g] = MIN (self->first[g], nodes[0]);
      if (parent != STRIA_NO_GROUP)
        {
          self->weight[parent] += self->weight[g];
          self->first[parent] = MIN (self->first[parent], self->first[g]);
        }
    }
  index_keys (self);
  for (guint32 n = 0; n < self->row.n_nodes; n++)
    g_hash_table_insert (self->by_id, GUINT_TO_POINTER (self->nodes[n].id),
                         GUINT_TO_POINTER (n + 1));
  for (guint32 g = 0; g < self->row.n_groups; g++)
    g_hash_table_insert (self->group_by_id, GUINT_TO_POINTER (self->groups[g].id),
                         GUINT_TO_POINTER (g + 1));
  return self;
}

StriaGraph *
stria_graph_ref (StriaGraph *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
stria_graph_unref (StriaGraph *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  lists_clear (&self->in);
  lists_clear (&self->out);
  lists_clear (&self->group_nodes);
  lists_clear (&self->group_groups);
  g_free (self->weight);
  g_free (self->first);
  g_free (self->keyed);
  g_free (self->keyed_nodes);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->group_by_id);
  stria_facts_unref (self->facts);
  g_free (self);
}

StriaFacts *
stria_graph_get_facts (StriaGraph *self)
{
  return self->facts;
}

const StriaGraphRow *
stria_graph_get_row (StriaGraph *self)
{
  return &self->row;
}

const char *
stria_graph_get_name (StriaGraph *self)
{
  return stria_facts_text (self->facts, self->row.name);
}

const char *
stria_graph_text (StriaGraph *self, guint32 string)
{
  return stria_facts_text (self->facts, string);
}

guint32
stria_graph_n_nodes (StriaGraph *self)
{
  return self->row.n_nodes;
}

guint32
stria_graph_n_groups (StriaGraph *self)
{
  return self->row.n_groups;
}

guint32
stria_graph_n_edges (StriaGraph *self)
{
  return self->row.n_edges;
}

const StriaGraphNodeRow *
stria_graph_node (StriaGraph *self, guint32 node)
{
  g_return_val_if_fail (node < self->row.n_nodes, NULL);
  return &self->nodes[node];
}

const StriaGraphGroupRow *
stria_graph_group (StriaGraph *self, guint32 group)
{
  g_return_val_if_fail (group < self->row.n_groups, NULL);
  return &self->groups[group];
}

const StriaGraphEdgeRow *
stria_graph_edge (StriaGraph *self, guint32 edge)
{
  g_return_val_if_fail (edge < self->row.n_edges, NULL);
  return &self->edges[edge];
}

guint32
stria_graph_edge_source (StriaGraph *self, guint32 edge)
{
  return self->edges[edge].source - self->row.first_node;
}

guint32
stria_graph_edge_target (StriaGraph *self, guint32 edge)
{
  return self->edges[edge].target - self->row.first_node;
}

guint32
stria_graph_node_group (StriaGraph *self, guint32 node)
{
  guint32 group = self->nodes[node].group;

  return group == STRIA_NO_REF ? STRIA_NO_GROUP : group - self->row.first_group;
}

guint32
stria_graph_group_parent (StriaGraph *self, guint32 group)
{
  guint32 parent = self->groups[group].parent;

  return parent == STRIA_NO_REF ? STRIA_NO_GROUP : parent - self->row.first_group;
}

const guint32 *
stria_graph_in_edges (StriaGraph *self, guint32 node, guint32 *n)
{
  return lists_get (&self->in, node, n);
}

const guint32 *
stria_graph_out_edges (StriaGraph *self, guint32 node, guint32 *n)
{
  return lists_get (&self->out, node, n);
}

const guint32 *
stria_graph_group_nodes (StriaGraph *self, guint32 group, guint32 *n)
{
  return lists_get (&self->group_nodes, group + 1, n);
}

const guint32 *
stria_graph_group_groups (StriaGraph *self, guint32 group, guint32 *n)
{
  return lists_get (&self->group_groups, group + 1, n);
}

guint32
stria_graph_group_weight (StriaGraph *self, guint32 group)
{
  return self->weight[group];
}

guint32
stria_graph_group_first (StriaGraph *self, guint32 group)
{
  return self->first[group];
}

const StriaGraphPortRow *
stria_graph_inputs (StriaGraph *self, guint32 node, guint32 *n)
{
  const StriaGraphPortRow *ports = stria_facts_rows (self->facts, STRIA_TABLE_GRAPH_PORT);

  *n = self->nodes[node].n_inputs;
  return *n > 0 ? ports + self->nodes[node].first_input : NULL;
}

const StriaGraphPortRow *
stria_graph_outputs (StriaGraph *self, guint32 node, guint32 *n)
{
  const StriaGraphPortRow *ports = stria_facts_rows (self->facts, STRIA_TABLE_GRAPH_PORT);

  *n = self->nodes[node].n_outputs;
  return *n > 0 ? ports + self->nodes[node].first_output : NULL;
}

const StriaGraphAttrRow *
stria_graph_attrs (StriaGraph *self, guint32 first)
{
  const StriaGraphAttrRow *attrs = stria_facts_rows (self->facts, STRIA_TABLE_GRAPH_ATTR);

  return attrs != NULL ? attrs + first : NULL;
}

const char *
stria_graph_node_attr (StriaGraph *self, guint32 node, const char *key)
{
  const StriaGraphAttrRow *attrs = stria_graph_attrs (self, self->nodes[node].first_attr);
  guint32 string
      = stria_strings_find (stria_facts_get_strings (self->facts), key, strlen (key));

  for (guint32 i = 0; string != G_MAXUINT32 && i < self->nodes[node].n_attrs; i++)
    if (attrs[i].key == string)
      return stria_facts_text (self->facts, attrs[i].value);
  return NULL;
}

static guint32
find_string (StriaGraph *self, GHashTable *table, const char *id)
{
  guint32 string = stria_strings_find (stria_facts_get_strings (self->facts), id, strlen (id));

  /* 0 - 1 is STRIA_NO_NODE and STRIA_NO_GROUP */
  return string == G_MAXUINT32
             ? G_MAXUINT32
             : GPOINTER_TO_UINT (g_hash_table_lookup (table, GUINT_TO_POINTER (string))) - 1;
}

guint32
stria_graph_find_node (StriaGraph *self, const char *id)
{
  return find_string (self, self->by_id, id);
}

guint32
stria_graph_find_group (StriaGraph *self, const char *id)
{
  return find_string (self, self->group_by_id, id);
}

/* Number of the first keyed node whose key is at least @key */
static guint32
first_at_least (StriaGraph *self, gint64 key)
{
  guint32 low = 0, high = self->n_keyed;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (self->keyed[middle].key < key)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const guint32 *
stria_graph_find_key (StriaGraph *self, gint64 key, guint32 *n)
{
  guint32 first = first_at_least (self, key);

  for (*n = 0; first + *n < self->n_keyed && self->keyed[first + *n].key == key;)
    (*n)++;
  return self->keyed_nodes + first;
}

guint32
stria_graph_lookup (StriaFacts *facts, StriaGraphKind kind, const char *method)
{
  const StriaGraphRow *rows = stria_facts_rows (facts, STRIA_TABLE_GRAPH);

  for (guint32 g = 0; g < stria_facts_size (facts, STRIA_TABLE_GRAPH); g++)
    if (rows[g].kind == kind
        && (method == NULL || g_str_equal (stria_facts_text (facts, rows[g].method), method)))
      return g;
  return STRIA_NO_REF;
}

const char *
stria_graph_kind_name (StriaGraphKind kind)
{
  static const char *const names[]
      = { "source", "exported", "module", "plan", "vgf", "chains", "mapping", "trace", "hierarchy" };

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "unknown";
}

const char *
stria_node_kind_name (StriaNodeKind kind)
{
  static const char *const names[] = { "operator", "input",   "output",  "parameter", "constant",
                                       "delegate", "control", "chain", "resource" };

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "unknown";
}

const char *
stria_group_kind_name (StriaGroupKind kind)
{
  static const char *const names[] = { "namespace", "module", "plan",  "delegate", "segment",
                                       "cascade",   "chain",  "fused", "unmatched" };

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "unknown";
}
