/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph.h"

#include <string.h>

/* What attributes go to. */
typedef enum
{
  OWNER_NONE,
  OWNER_GROUP,
  OWNER_NODE,
  OWNER_PORT,
} Owner;

struct _StriaGraphBuilder
{
  StriaFacts *facts;
  guint32 number;
  guint32 first_group, first_node, first_edge;
  GHashTable *groups; /* "parent\x1flabel" -> number + 1 */
  GHashTable *nodes;  /* id (string of the facts) -> number + 1 */
  Owner owner;
  guint32 owner_row; /* in its table */
};

StriaGraphBuilder *
stria_graph_builder_new (StriaFacts *facts, StriaGraphKind kind, const char *name,
                         const char *method)
{
  StriaGraphBuilder *self = g_new0 (StriaGraphBuilder, 1);
  StriaGraphRow row = {
    .name = stria_facts_intern (facts, name, -1),
    .method = stria_facts_intern (facts, method, -1),
    .kind = (guint8) kind,
    .owner = STRIA_NO_REF,
    .first_group = (guint32) stria_facts_size (facts, STRIA_TABLE_GRAPH_GROUP),
    .first_node = (guint32) stria_facts_size (facts, STRIA_TABLE_GRAPH_NODE),
    .first_edge = (guint32) stria_facts_size (facts, STRIA_TABLE_GRAPH_EDGE),
  };

  self->facts = facts;
  self->number = stria_facts_add (facts, STRIA_TABLE_GRAPH, &row);
  self->first_group = row.first_group;
  self->first_node = row.first_node;
  self->first_edge = row.first_edge;
  self->groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->nodes = g_hash_table_new (NULL, NULL);
  return self;
}

guint32
stria_graph_builder_get_number (StriaGraphBuilder *self)
{
  return self->number;
}

static StriaGraphGroupRow *
group_row (StriaGraphBuilder *self, guint32 group)
{
  return STRIA_ROWS (self->facts, StriaGraphGroupRow, STRIA_TABLE_GRAPH_GROUP) + self->first_group
         + group;
}

static guint
group_depth (StriaGraphBuilder *self, guint32 group)
{
  guint depth = 0;

  while (group != STRIA_NO_GROUP)
    {
      guint32 parent = group_row (self, group)->parent;
      group = parent == STRIA_NO_REF ? STRIA_NO_GROUP : parent - self->first_group;
      depth++;
    }
  return depth;
}

guint32
stria_graph_builder_group (StriaGraphBuilder *self, guint32 parent, const char *label,
                           StriaGroupKind kind)
{
  g_autofree char *place = g_strdup_printf ("%u\x1f%s", parent, label);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->groups, place));

  if (known != 0)
    return known - 1;
  if (group_depth (self, parent) >= STRIA_GRAPH_MAX_DEPTH)
    return parent;

  StriaGraphGroupRow row = {
    .graph = self->number,
    .parent = parent == STRIA_NO_GROUP ? STRIA_NO_REF : self->first_group + parent,
    .label = stria_facts_intern (self->facts, label, -1),
    .kind = (guint8) kind,
    .first_attr = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_ATTR),
  };
  row.id = parent == STRIA_NO_GROUP
               ? row.label
               : stria_facts_intern_printf (
                     self->facts, "%s/%s",
                     stria_facts_text (self->facts, group_row (self, parent)->id), label);
  guint32 number = stria_facts_add (self->facts, STRIA_TABLE_GRAPH_GROUP, &row) - self->first_group;
  g_hash_table_insert (self->groups, g_steal_pointer (&place), GUINT_TO_POINTER (number + 1));
  self->owner = OWNER_GROUP;
  self->owner_row = self->first_group + number;
  return number;
}

guint32
stria_graph_builder_node (StriaGraphBuilder *self, const char *id, const char *label, guint32 group,
                          StriaNodeKind kind, gint64 key)
{
  StriaGraphNodeRow row = {
    .graph = self->number,
    .group = group == STRIA_NO_GROUP ? STRIA_NO_REF : self->first_group + group,
    .id = stria_facts_intern (self->facts, id, -1),
    .label = stria_facts_intern (self->facts, label, -1),
    .kind = (guint8) kind,
    .key = key,
    .first_attr = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_ATTR),
    .first_input = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_PORT),
  };

  row.first_output = row.first_input;
  for (guint n = 2; g_hash_table_contains (self->nodes, GUINT_TO_POINTER (row.id)); n++)
    row.id = stria_facts_intern_printf (self->facts, "%s#%u", id, n);
  guint32 table_row = stria_facts_add (self->facts, STRIA_TABLE_GRAPH_NODE, &row);
  guint32 number = table_row - self->first_node;
  g_hash_table_insert (self->nodes, GUINT_TO_POINTER (row.id), GUINT_TO_POINTER (number + 1));
  self->owner = OWNER_NODE;
  self->owner_row = table_row;
  return number;
}

static StriaGraphNodeRow *
last_node (StriaGraphBuilder *self)
{
  gsize n = stria_facts_size (self->facts, STRIA_TABLE_GRAPH_NODE);

  g_assert (n > self->first_node);
  return STRIA_ROWS (self->facts, StriaGraphNodeRow, STRIA_TABLE_GRAPH_NODE) + n - 1;
}

void
stria_graph_builder_subgraph (StriaGraphBuilder *self, const char *graph_name)
{
  last_node (self)->subgraph = stria_facts_intern (self->facts, graph_name, -1);
}

void
stria_graph_builder_source (StriaGraphBuilder *self, const char *file, guint32 line)
{
  StriaGraphNodeRow *node = last_node (self);

  node->file = stria_facts_intern (self->facts, file, -1);
  node->line = line;
}

static guint32
add_port (StriaGraphBuilder *self, const char *id, const char *name, const char *type)
{
  StriaGraphPortRow row = {
    .node = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_NODE) - 1,
    .id = stria_facts_intern (self->facts, id, -1),
    .name = stria_facts_intern (self->facts, name, -1),
    .type = stria_facts_intern (self->facts, type, -1),
    .first_attr = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_ATTR),
  };

  self->owner = OWNER_PORT;
  return self->owner_row = stria_facts_add (self->facts, STRIA_TABLE_GRAPH_PORT, &row);
}

guint32
stria_graph_builder_input (StriaGraphBuilder *self, const char *id, const char *name,
                           const char *type)
{
  StriaGraphNodeRow *node = last_node (self);

  g_assert (node->n_outputs == 0);
  node->n_inputs++;
  node->first_output++;
  return add_port (self, id, name, type);
}

guint32
stria_graph_builder_output (StriaGraphBuilder *self, const char *id, const char *name,
                            const char *type)
{
  last_node (self)->n_outputs++;
  return add_port (self, id, name, type);
}

void
stria_graph_builder_attr (StriaGraphBuilder *self, const char *key, const char *value)
{
  StriaGraphAttrRow row = {
    .key = stria_facts_intern (self->facts, key, -1),
    .value = stria_facts_intern (self->facts, value, -1),
  };

  stria_facts_add (self->facts, STRIA_TABLE_GRAPH_ATTR, &row);
  switch (self->owner)
    {
    case OWNER_GROUP:
      group_row (self, self->owner_row - self->first_group)->n_attrs++;
      break;
    case OWNER_NODE:
      last_node (self)->n_attrs++;
      break;
    case OWNER_PORT:
      STRIA_ROWS (self->facts, StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT)[self->owner_row].n_attrs++;
      break;
    case OWNER_NONE:
      g_assert_not_reached ();
    }
}

void
stria_graph_builder_attr_printf (StriaGraphBuilder *self, const char *key, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *value = g_strdup_vprintf (format, args);
  va_end (args);
  stria_graph_builder_attr (self, key, value);
}

void
stria_graph_builder_share_attrs (StriaGraphBuilder *self, guint32 port)
{
  StriaGraphPortRow *rows = STRIA_ROWS (self->facts, StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT);

  g_return_if_fail (self->owner == OWNER_PORT && port < self->owner_row);
  rows[self->owner_row].first_attr = rows[port].first_attr;
  rows[self->owner_row].n_attrs = rows[port].n_attrs;
  /* One more would be the first one's as well. */
  self->owner = OWNER_NONE;
}

void
stria_graph_builder_edge (StriaGraphBuilder *self, guint32 source, guint32 source_port,
                          guint32 target, guint32 target_port)
{
  StriaGraphEdgeRow row = {
    .graph = self->number,
    .source = self->first_node + source,
    .source_port = source_port,
    .target = self->first_node + target,
    .target_port = target_port,
  };

  stria_facts_add (self->facts, STRIA_TABLE_GRAPH_EDGE, &row);
}

guint32
stria_graph_builder_n_nodes (StriaGraphBuilder *self)
{
  return (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_NODE) - self->first_node;
}

guint32
stria_graph_builder_find (StriaGraphBuilder *self, const char *id)
{
  guint32 string = stria_strings_find (stria_facts_get_strings (self->facts), id, strlen (id));
  guint32 known = string == G_MAXUINT32
                      ? 0
                      : GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (string)));

  return known == 0 ? STRIA_NO_NODE : known - 1;
}

guint32
stria_graph_builder_finish (StriaGraphBuilder *self)
{
  StriaGraphRow *row = STRIA_ROWS (self->facts, StriaGraphRow, STRIA_TABLE_GRAPH) + self->number;
  guint32 number = self->number;

  row->n_groups
      = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_GROUP) - self->first_group;
  row->n_nodes = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_NODE) - self->first_node;
  row->n_edges = (guint32) stria_facts_size (self->facts, STRIA_TABLE_GRAPH_EDGE) - self->first_edge;
  g_hash_table_unref (self->groups);
  g_hash_table_unref (self->nodes);
  g_free (self);
  return number;
}
