/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "stria-profile-views.h"

void
stria_view_maker_init (StriaViewMaker *self, StriaProfile *profile, StriaGraphKind kind)
{
  static const char *const names[STRIA_N_GRAPH_KINDS] = {
    [STRIA_GRAPH_CHAINS] = "segment_cascade_chain",
    [STRIA_GRAPH_MAPPING] = "ETRecord Chain Mapping",
    [STRIA_GRAPH_TRACE] = "ETDump Backend Trace",
    [STRIA_GRAPH_HIERARCHY] = "PTE - VGF Backend Hierarchy",
  };

  self->profile = profile;
  self->kind = kind;
  self->facts = stria_facts_new ();
  self->builder = stria_graph_builder_new (self->facts, kind, names[kind], profile->method);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->groups = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/* Puts the finished graph into its view. */
void
stria_view_maker_finish (StriaViewMaker *self)
{
  StriaProfileView *view = &self->profile->views[self->kind];
  guint32 number = stria_graph_builder_finish (self->builder);

  view->facts = self->facts;
  view->graph = stria_graph_new (self->facts, number);
  view->nodes = self->nodes;
  view->groups = self->groups;
}

static void
describe (StriaViewMaker *self, guint32 entity)
{
  static const char *const shown[] = { "total_cycles", "op_cycles", "runtime" };
  const StriaEntity *of
      = entity != STRIA_NO_REF ? stria_profile_entity (self->profile, entity) : NULL;

  if (of == NULL)
    return;
  for (guint i = 0; of->attributes != NULL && i + 1 < of->attributes->len; i += 2)
    stria_graph_builder_attr (self->builder, of->attributes->pdata[i],
                              of->attributes->pdata[i + 1]);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const StriaMetric *metric
          = stria_profile_find_metric (self->profile, entity, shown[i], STRIA_AGGREGATION_MEAN);
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      if (metric == NULL || !metric->available)
        continue;
      g_ascii_formatd (number, sizeof number, "%.10g", metric->value);
      g_autofree char *key = g_strdup_printf ("%s (mean)", shown[i]);
      stria_graph_builder_attr_printf (self->builder, key, "%s %s", number, metric->unit);
    }
  if (of->executions > 0)
    stria_graph_builder_attr_printf (self->builder, "executions", "%u/%u", of->executions,
                                     of->executions_of);
}

guint32
stria_view_maker_group (StriaViewMaker *self, guint32 parent, const char *label,
                        StriaGroupKind kind, guint32 entity)
{
  guint32 group = stria_graph_builder_group (self->builder, parent, label, kind);
  guint32 none = STRIA_NO_REF;

  if (group == STRIA_NO_GROUP || group < self->groups->len)
    return group;
  while (self->groups->len < group)
    g_array_append_val (self->groups, none);
  g_array_append_val (self->groups, entity);
  describe (self, entity);
  return group;
}

guint32
stria_view_maker_node (StriaViewMaker *self, const char *id, const char *label, guint32 group,
                       StriaNodeKind kind, gint64 key, guint32 entity)
{
  guint32 node = stria_graph_builder_node (self->builder, id, label, group, kind, key);

  g_array_append_val (self->nodes, entity);
  describe (self, entity);
  return node;
}

guint32
stria_view_maker_copy (StriaViewMaker *self, StriaGraph *from, guint32 node, const char *id,
                       guint32 group, guint32 entity)
{
  const StriaGraphNodeRow *row = stria_graph_node (from, node);
  const StriaGraphAttrRow *attrs = stria_graph_attrs (from, row->first_attr);
  guint32 made = stria_graph_builder_node (self->builder, id, stria_graph_text (from, row->label),
                                           group, row->kind, row->key);
  guint32 n;

  g_array_append_val (self->nodes, entity);
  for (guint32 i = 0; i < row->n_attrs; i++)
    stria_graph_builder_attr (self->builder, stria_graph_text (from, attrs[i].key),
                              stria_graph_text (from, attrs[i].value));
  if (row->file != 0)
    stria_graph_builder_source (self->builder, stria_graph_text (from, row->file), row->line);
  for (guint side = 0; side < 2; side++)
    {
      const StriaGraphPortRow *ports
          = side == 0 ? stria_graph_inputs (from, node, &n) : stria_graph_outputs (from, node, &n);

      for (guint32 i = 0; i < n; i++)
        {
          const char *port = stria_graph_text (from, ports[i].id);
          const char *name = ports[i].name != 0 ? stria_graph_text (from, ports[i].name) : NULL;
          const char *type = ports[i].type != 0 ? stria_graph_text (from, ports[i].type) : NULL;
          guint32 added = side == 0 ? stria_graph_builder_input (self->builder, port, name, type)
                                    : stria_graph_builder_output (self->builder, port, name, type);

          if (self->ports != NULL)
            g_hash_table_insert (self->ports, (gpointer) &ports[i], GUINT_TO_POINTER (added + 1));
        }
    }
  return made;
}

/* Row of the copy of a port, given the row in the table of the facts of @from. */
guint32
stria_view_maker_port (StriaViewMaker *self, StriaGraph *from, guint32 port)
{
  if (self->ports == NULL || port == STRIA_NO_REF)
    return STRIA_NO_REF;
  const StriaGraphPortRow *row
      = STRIA_ROWS (stria_graph_get_facts (from), StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT) + port;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->ports, row));
  return number == 0 ? STRIA_NO_REF : number - 1;
}

/* Edges between nodes that were copied: @copies by node of @from, or STRIA_NO_NODE. */
void
stria_view_maker_copy_edges (StriaViewMaker *self, StriaGraph *from, const guint32 *copies)
{
  for (guint32 i = 0; i < stria_graph_n_edges (from); i++)
    {
      guint32 source = copies[stria_graph_edge_source (from, i)];
      guint32 target = copies[stria_graph_edge_target (from, i)];
      const StriaGraphEdgeRow *edge = stria_graph_edge (from, i);

      if (source != STRIA_NO_NODE && target != STRIA_NO_NODE)
        stria_graph_builder_edge (self->builder, source,
                                  stria_view_maker_port (self, from, edge->source_port), target,
                                  stria_view_maker_port (self, from, edge->target_port));
    }
}

/* "Chain 30", as a label of a group or node inside of its segment */
char *
stria_view_label (const StriaEntity *entity)
{
  const char *number = stria_entity_attribute (entity, "number");

  if (entity->kind == STRIA_ENTITY_CHAIN)
    return g_strdup_printf (_ ("Chain %s"), number);
  if (entity->kind == STRIA_ENTITY_CASCADE)
    return g_strdup_printf (_ ("Cascade %s"), number);
  return g_strdup (entity->name);
}

/* The group of a segment; where several calls have segments, inside of a group of the call. */
static guint32
segment_group (StriaViewMaker *self, const StriaProfileSegment *segment)
{
  StriaProfile *profile = self->profile;
  const StriaEntity *entity = stria_profile_entity (profile, segment->entity);
  guint32 parent = STRIA_NO_GROUP;

  if (profile->many_calls)
    {
      g_autofree char *label = g_strdup_printf (_ ("Instruction %d"), segment->instruction);

      parent = stria_view_maker_group (self, parent, label, STRIA_GROUP_DELEGATE,
                                       segment->instruction_entity);
    }
  return stria_view_maker_group (self, parent, entity->name, STRIA_GROUP_SEGMENT, segment->entity);
}

static void
add_chain_node (StriaViewMaker *self, guint32 group, guint32 chain)
{
  const StriaEntity *entity = stria_profile_entity (self->profile, chain);
  g_autofree char *label = stria_view_label (entity);

  stria_view_maker_node (self, entity->id, label, group, STRIA_NODE_CHAIN, entity->key, chain);
}

/* Calls @func for each chain of a segment with the group that it is in: its first cascade, or one
 * for those that nothing was measured of. */
typedef void (*ChainFunc) (StriaViewMaker *self, guint32 group, guint32 chain);

static void
foreach_chain (StriaViewMaker *self, const StriaProfileSegment *segment, ChainFunc func)
{
  StriaProfile *profile = self->profile;
  const GArray *parts = stria_profile_entity (profile, segment->entity)->children;
  guint32 outer = segment_group (self, segment);

  for (guint i = 0; i < parts->len; i++)
    {
      guint32 part = g_array_index (parts, guint32, i);
      const StriaEntity *entity = stria_profile_entity (profile, part);
      g_autofree char *label = stria_view_label (entity);

      if (entity->kind == STRIA_ENTITY_CHAIN)
        func (self,
              stria_view_maker_group (self, outer, _ ("Not measured"), STRIA_GROUP_UNMATCHED,
                                      STRIA_NO_REF),
              part);
      if (entity->kind != STRIA_ENTITY_CASCADE)
        continue;
      guint32 group = stria_view_maker_group (self, outer, label, STRIA_GROUP_CASCADE, part);
      for (guint c = 0; c < entity->children->len; c++)
        {
          guint32 chain = g_array_index (entity->children, guint32, c);
          const StriaEntity *child = stria_profile_entity (profile, chain);

          if (child->kind == STRIA_ENTITY_CHAIN
              && g_array_index (child->parents, guint32, 0) == part)
            func (self, group, chain);
        }
    }
}

static void
make_chains (StriaProfile *self)
{
  StriaViewMaker maker = { 0 };

  stria_view_maker_init (&maker, self, STRIA_GRAPH_CHAINS);
  for (guint i = 0; i < self->segments->len; i++)
    foreach_chain (&maker, self->segments->pdata[i], add_chain_node);
  stria_view_maker_finish (&maker);
}

static void
add_trace_chain (StriaViewMaker *self, guint32 group, guint32 chain)
{
  StriaProfile *profile = self->profile;
  const StriaEntity *entity = stria_profile_entity (profile, chain);
  g_autofree char *label = stria_view_label (entity);
  gboolean has_operators = FALSE;
  guint32 inner = STRIA_NO_GROUP;

  for (guint i = 0; i < entity->children->len; i++)
    {
      guint32 child = g_array_index (entity->children, guint32, i);
      const StriaEntity *operator= stria_profile_entity (profile, child);

      if (operator->kind != STRIA_ENTITY_TRACE_OPERATOR)
        continue;
      if (!has_operators)
        inner = stria_view_maker_group (self, group, label, STRIA_GROUP_CHAIN, chain);
      has_operators = TRUE;
      const char *number = stria_entity_attribute (operator, "fused");
      g_autofree char *fused = g_strdup_printf (_ ("Fused %s"), number != NULL ? number : "");
      const char *labels = stria_entity_attribute (operator, "labels");
      guint32 at = stria_view_maker_group (self, inner, fused, STRIA_GROUP_FUSED, STRIA_NO_REF);
      guint32 node = stria_graph_builder_node (self->builder, operator->id, operator->name, at,
                                               STRIA_NODE_OPERATOR, operator->key);

      (void) node;
      g_array_append_val (self->nodes, child);
      stria_graph_builder_attr (self->builder, "number",
                                stria_entity_attribute (operator, "number"));
      if (labels != NULL)
        stria_graph_builder_attr (self->builder, "labels", labels);
    }
  /* A chain that the debug database says nothing of stays in sight. */
  if (!has_operators)
    add_chain_node (self, group, chain);
}

static void
make_trace (StriaProfile *self)
{
  StriaViewMaker maker = { 0 };

  stria_view_maker_init (&maker, self, STRIA_GRAPH_TRACE);
  for (guint i = 0; i < self->segments->len; i++)
    foreach_chain (&maker, self->segments->pdata[i], add_trace_chain);
  stria_view_maker_finish (&maker);
}

/* The segment that a chain is of. */
static const StriaProfileSegment *
segment_of_chain (StriaProfile *self, const StriaEntity *chain)
{
  guint32 parent = g_array_index (chain->parents, guint32, 0);
  const StriaEntity *entity = stria_profile_entity (self, parent);

  if (entity->kind == STRIA_ENTITY_CASCADE)
    parent = g_array_index (entity->parents, guint32, 0);
  guint number
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->segment_of, GUINT_TO_POINTER (parent)));
  return number == 0 ? NULL : self->segments->pdata[number - 1];
}

/* The source operators of one chain; each is once under each of its chains. */
static gboolean
map_chain (StriaViewMaker *self, guint32 chain, guint32 *copies)
{
  StriaProfile *profile = self->profile;
  const StriaEntity *entity = stria_profile_entity (profile, chain);
  const StriaProfileSegment *segment
      = entity->parents->len > 0 ? segment_of_chain (profile, entity) : NULL;
  g_autofree char *label = stria_view_label (entity);
  guint32 group = STRIA_NO_GROUP;

  if (segment == NULL)
    return FALSE;
  for (guint i = 0; i < entity->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (profile, g_array_index (entity->links, guint32, i));
      const StriaEntity *source = stria_profile_entity (profile, link->to);

      if (link->from != chain || source->kind != STRIA_ENTITY_SOURCE_OPERATOR)
        continue;
      if (group == STRIA_NO_GROUP)
        group = stria_view_maker_group (self, segment_group (self, segment), label,
                                        STRIA_GROUP_CHAIN, chain);
      guint32 copy = stria_view_maker_copy (
          self, profile->source, source->node,
          stria_graph_text (profile->source, stria_graph_node (profile->source, source->node)->id),
          group, link->to);
      if (copies[source->node] == STRIA_NO_NODE)
        copies[source->node] = copy;
    }
  return group != STRIA_NO_GROUP;
}

/* Operators that a VGF call is known to run and no chain is. */
static void
map_rest (StriaViewMaker *self, guint32 *copies)
{
  StriaProfile *profile = self->profile;
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < profile->segments->len; i++)
    {
      const StriaProfileSegment *segment = profile->segments->pdata[i];

      if (!g_hash_table_add (calls, GINT_TO_POINTER (segment->instruction)))
        continue;
      g_autoptr (GArray) nodes = stria_profile_operators_of (profile, segment->instruction);
      for (guint n = 0; n < nodes->len; n++)
        {
          guint32 node = g_array_index (nodes, guint32, n);

          if (copies[node] != STRIA_NO_NODE)
            continue;
          guint32 group = stria_view_maker_group (self, STRIA_NO_GROUP, _ ("Unmatched"),
                                                  STRIA_GROUP_UNMATCHED, STRIA_NO_REF);
          copies[node] = stria_view_maker_copy (
              self, profile->source, node,
              stria_graph_text (profile->source, stria_graph_node (profile->source, node)->id),
              group, profile->source_entity[node]);
        }
    }
}

static gboolean
has_measured_segment (StriaProfile *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const StriaProfileSegment *segment = self->segments->pdata[i];

      if (stria_profile_entity (self, segment->entity)->executions > 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_chain_source (StriaProfile *self)
{
  for (guint i = 0; i < self->links->len; i++)
    if (g_str_equal (g_array_index (self->links, StriaLink, i).kind, "chain-source"))
      return TRUE;
  return FALSE;
}

static void
make_mapping (StriaProfile *self)
{
  StriaViewMaker maker = { 0 };
  guint32 n = stria_graph_n_nodes (self->source);
  g_autofree guint32 *copies = g_new (guint32, n + 1);
  guint32 outer = STRIA_NO_GROUP;

  for (guint32 i = 0; i < n; i++)
    copies[i] = STRIA_NO_NODE;
  stria_view_maker_init (&maker, self, STRIA_GRAPH_MAPPING);
  maker.ports = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < self->entities->len; i++)
    {
      if (stria_profile_entity (self, i)->kind != STRIA_ENTITY_CHAIN
          || map_chain (&maker, i, copies))
        continue;
      if (outer == STRIA_NO_GROUP)
        outer = stria_view_maker_group (&maker, STRIA_NO_GROUP, _ ("Chains without an operator"),
                                        STRIA_GROUP_UNMATCHED, STRIA_NO_REF);
      stria_view_maker_node (&maker, stria_profile_entity (self, i)->id,
                             stria_profile_entity (self, i)->name, outer, STRIA_NODE_CHAIN,
                             stria_profile_entity (self, i)->key, i);
    }
  map_rest (&maker, copies);
  stria_view_maker_copy_edges (&maker, self->source, copies);
  g_hash_table_unref (maker.ports);
  maker.ports = NULL;
  stria_view_maker_finish (&maker);
}

static void
set_reason (StriaProfile *self, StriaGraphKind kind, const char *reason)
{
  if (self->views[kind].reason == NULL)
    self->views[kind].reason = g_strdup (reason);
}

static void
show (StriaProfile *self, StriaGraphKind kind, StriaFacts *facts, guint32 row)
{
  if (facts != NULL && row != STRIA_NO_REF)
    self->views[kind].graph = stria_graph_new (facts, row);
}

/* The first VGF graph of the method: of one of its calls, or of a file of its own. */
static void
show_vgf (StriaProfile *self)
{
  gsize n = self->program != NULL ? stria_facts_size (self->program, STRIA_TABLE_GRAPH) : 0;

  for (gsize i = 0; i < n && self->views[STRIA_GRAPH_VGF].graph == NULL; i++)
    {
      const StriaGraphRow *row = STRIA_ROWS (self->program, StriaGraphRow, STRIA_TABLE_GRAPH) + i;
      const char *method = stria_facts_text (self->program, row->method);

      if (row->kind == STRIA_GRAPH_VGF
          && (method[0] == '\0' || g_strcmp0 (method, self->method) == 0))
        show (self, STRIA_GRAPH_VGF, self->program, (guint32) i);
    }
  if (self->views[STRIA_GRAPH_VGF].graph == NULL && self->vgf != NULL)
    show (self, STRIA_GRAPH_VGF, self->vgf, stria_graph_lookup (self->vgf, STRIA_GRAPH_VGF, NULL));
}

static void
show_files (StriaProfile *self)
{
  if (self->source != NULL)
    self->views[STRIA_GRAPH_SOURCE].graph = stria_graph_ref (self->source);
  if (self->record != NULL)
    {
      guint32 exported = stria_graph_lookup (self->record, STRIA_GRAPH_EXPORTED, self->method);

      if (exported == STRIA_NO_REF)
        exported = stria_graph_lookup (self->record, STRIA_GRAPH_EXPORTED, NULL);
      show (self, STRIA_GRAPH_EXPORTED, self->record, exported);
    }
  if (self->plan != STRIA_NO_REF)
    show (self, STRIA_GRAPH_PLAN, self->program,
          STRIA_ROWS (self->program, StriaProgramPlanRow, STRIA_TABLE_PROGRAM_PLAN)[self->plan]
              .graph);
  show_vgf (self);
  set_reason (
      self, STRIA_GRAPH_SOURCE,
      self->record == NULL
          ? _ ("It comes from the ETRecord (.etrecord, .bin) that is written when the model "
               "is lowered with generate_etrecord=True.")
          : _ ("The ETRecord has no edge program of this method that could be read."));
  set_reason (self, STRIA_GRAPH_EXPORTED,
              self->record == NULL ? _ ("It comes from an ETRecord.")
                                   : _ ("The ETRecord has no exported program."));
  set_reason (self, STRIA_GRAPH_PLAN,
              self->program == NULL ? _ ("It comes from the program (.pte).")
                                    : _ ("The program has no such method."));
  set_reason (self, STRIA_GRAPH_VGF,
              self->program == NULL ? _ (
                  "It comes from a program (.pte) with a call of the VGF backend, or a .vgf file.")
                                    : _ ("The program has no readable VGF."));
}

void
stria_profile_make_graphs (StriaProfile *self)
{
  static const StriaGraphKind of_statistics[]
      = { STRIA_GRAPH_CHAINS, STRIA_GRAPH_TRACE, STRIA_GRAPH_MAPPING };

  show_files (self);
  if (!has_measured_segment (self))
    {
      for (guint i = 0; i < G_N_ELEMENTS (of_statistics); i++)
        set_reason (
            self, of_statistics[i],
            self->dump == NULL
                ? _ ("It comes from the ETDump (.etdump, .etdp) of a run with NX statistics.")
                : _ ("The ETDump has no usable NX statistics. They are recorded where "
                     "EXECUTORCH_VGF_ENABLE_NEURAL_STATISTICS is set."));
      return;
    }
  make_chains (self);
  make_trace (self);
  if (self->source == NULL)
    set_reason (self, STRIA_GRAPH_MAPPING, self->views[STRIA_GRAPH_SOURCE].reason);
  else if (!has_chain_source (self))
    set_reason (self, STRIA_GRAPH_MAPPING,
                _ ("No chain’s labels name an operator of the ETRecord. They do where the model is "
                   "lowered with the debug mode TOSA."));
  else
    make_mapping (self);
}
