/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-profile-private.h"

#include <glib/gi18n-lib.h>

#include "stria-profile-views.h"

/* A VGF call of the plan: where its edges go to and come from. */
typedef struct
{
  GArray *entries; /* guint32: nodes of the view */
  GArray *exits;
} Call;

static void
call_free (gpointer data)
{
  g_array_unref (((Call *) data)->entries);
  g_array_unref (((Call *) data)->exits);
  g_free (data);
}

/* The first chain that an operator is linked to by what can be relied on. */
static guint32
chain_of (StriaProfile *self, guint32 entity)
{
  const StriaEntity *operator= entity != STRIA_NO_REF ? stria_profile_entity (self, entity) : NULL;

  for (guint i = 0; operator!= NULL && i<operator->links->len; i++)
    {
      const StriaLink *link
          = stria_profile_link (self, g_array_index (operator->links, guint32, i));

      if (g_str_equal (link->kind, "chain-compiler") && link->to == entity)
        return link->from;
    }
  return STRIA_NO_REF;
}

static GHashTable *
segments_of_nodes (StriaProfile *self, guint32 vgf, guint32 first_node)
{
  GHashTable *segments = g_hash_table_new (NULL, NULL);
  const StriaVgfOperatorRow *rows
      = STRIA_ROWS (self->program, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);

  for (gsize i = 0; i < stria_facts_size (self->program, STRIA_TABLE_VGF_OPERATOR); i++)
    if (rows[i].vgf == vgf && rows[i].node != STRIA_NO_REF)
      g_hash_table_insert (segments, GUINT_TO_POINTER (rows[i].node - first_node),
                           GUINT_TO_POINTER (i + 1));
  return segments;
}

static guint32
operator_entity (StriaProfile *self, gint32 instruction, const StriaVgfOperatorRow *row)
{
  g_autofree char *id = stria_profile_nx_id (
      self, instruction, "source_operator/segment_%u/spirv-%u", row->segment, row->spirv_id);

  return stria_profile_find_entity (self, id);
}

static guint32
segment_group (StriaViewMaker *maker, guint32 call, gint32 instruction, guint32 vgf, guint32 number)
{
  StriaProfile *self = maker->profile;
  const StriaVgfRow *row = STRIA_ROWS (self->program, StriaVgfRow, STRIA_TABLE_VGF) + vgf;
  g_autofree char *id = stria_profile_nx_id (self, instruction, "segment/%u", number);
  g_autofree char *fallback = g_strdup_printf (_ ("Segment %u"), number);
  const char *name
      = number < row->n_segments ? stria_facts_text (
            self->program, STRIA_ROWS (self->program, StriaVgfSegmentRow,
                                       STRIA_TABLE_VGF_SEGMENT)[row->first_segment + number]
                               .name)
                                 : "";

  return stria_view_maker_group (maker, call, name[0] != '\0' ? name : fallback,
                                 STRIA_GROUP_SEGMENT, stria_profile_find_entity (self, id));
}

/* The nodes of a call's VGF: operators in their segments and, as far as they are known, chains. */
static Call *
add_vgf (StriaViewMaker *maker, guint32 plan_group, gint32 instruction, guint32 vgf)
{
  StriaProfile *self = maker->profile;
  guint32 graph_row = STRIA_ROWS (self->program, StriaVgfRow, STRIA_TABLE_VGF)[vgf].graph;
  g_autoptr (StriaGraph) graph = stria_graph_new (self->program, graph_row);
  g_autofree char *label = g_strdup_printf (_ ("VgfBackend, instruction %d"), instruction);
  guint32 call_group
      = stria_view_maker_group (maker, plan_group, label, STRIA_GROUP_DELEGATE,
                                stria_profile_instruction_entity (self, 0, instruction));
  guint32 n = stria_graph_n_nodes (graph);
  g_autofree guint32 *copies = g_new (guint32, n + 1);
  g_autoptr (GHashTable) operators
      = segments_of_nodes (self, vgf, stria_graph_get_row (graph)->first_node);
  Call *call = g_new (Call, 1);

  call->entries = g_array_new (FALSE, FALSE, sizeof (guint32));
  call->exits = g_array_new (FALSE, FALSE, sizeof (guint32));
  maker->ports = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < n; i++)
    {
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (operators, GUINT_TO_POINTER (i)));
      const StriaGraphNodeRow *node = stria_graph_node (graph, i);
      g_autofree char *id
          = g_strdup_printf ("%d/%s", instruction, stria_graph_text (graph, node->id));
      guint32 group = call_group;
      guint32 entity = STRIA_NO_REF;

      if (row > 0)
        {
          const StriaVgfOperatorRow *operator= STRIA_ROWS (self->program, StriaVgfOperatorRow,
                                                           STRIA_TABLE_VGF_OPERATOR)
              + row - 1;

          entity = operator_entity (self, instruction, operator);
          guint32 chain = chain_of (self, entity);
          group = segment_group (maker, call_group, instruction, vgf, operator->segment);
          if (chain != STRIA_NO_REF)
            {
              g_autofree char *name = stria_view_label (stria_profile_entity (self, chain));

              group = stria_view_maker_group (maker, group, name, STRIA_GROUP_CHAIN, chain);
            }
        }
      copies[i] = stria_view_maker_copy (maker, graph, i, id, group, entity);
      guint32 n_in, n_out;
      stria_graph_in_edges (graph, i, &n_in);
      stria_graph_out_edges (graph, i, &n_out);
      /* What is passed on between segments has no edge either, where a compute segment makes it. */
      if (node->kind == STRIA_NODE_INPUT && n_in == 0)
        g_array_append_val (call->entries, copies[i]);
      if (node->kind == STRIA_NODE_OUTPUT && n_out == 0)
        g_array_append_val (call->exits, copies[i]);
    }
  stria_view_maker_copy_edges (maker, graph, copies);
  g_clear_pointer (&maker->ports, g_hash_table_unref);
  return call;
}

static void
join (StriaViewMaker *maker, const GArray *from, const GArray *to)
{
  for (guint i = 0; i < from->len; i++)
    for (guint j = 0; j < to->len; j++)
      stria_graph_builder_edge (maker->builder, g_array_index (from, guint32, i), STRIA_NO_REF,
                                g_array_index (to, guint32, j), STRIA_NO_REF);
}

static void
make (StriaProfile *self)
{
  StriaViewMaker maker = { 0 };
  StriaGraph *plan = self->views[STRIA_GRAPH_PLAN].graph;
  guint32 n = stria_graph_n_nodes (plan);
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (call_free);

  stria_view_maker_init (&maker, self, STRIA_GRAPH_HIERARCHY);
  guint32 group = stria_view_maker_group (&maker, STRIA_NO_GROUP, self->method, STRIA_GROUP_PLAN,
                                          self->model);
  for (guint32 i = 0; i < n; i++)
    {
      const StriaGraphNodeRow *node = stria_graph_node (plan, i);
      guint32 entity = stria_profile_node_entity (self, plan, i);
      gint64 key = entity != STRIA_NO_REF ? stria_profile_entity (self, entity)->key : -1;
      guint32 vgf
          = key >= 0 && key >> 32 == 0 ? stria_profile_call_vgf (self, (gint32) key) : STRIA_NO_REF;

      if (vgf != STRIA_NO_REF
          && STRIA_ROWS (self->program, StriaVgfRow, STRIA_TABLE_VGF)[vgf].graph != STRIA_NO_REF)
        {
          g_ptr_array_add (calls, add_vgf (&maker, group, (gint32) key, vgf));
          continue;
        }
      Call *alone = g_new (Call, 1);
      guint32 copy = stria_view_maker_copy (&maker, plan, i, stria_graph_text (plan, node->id),
                                            group, entity);
      alone->entries = g_array_new (FALSE, FALSE, sizeof (guint32));
      alone->exits = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (alone->entries, copy);
      g_array_append_val (alone->exits, copy);
      g_ptr_array_add (calls, alone);
    }
  for (guint32 i = 0; i < stria_graph_n_edges (plan); i++)
    {
      const Call *from = calls->pdata[stria_graph_edge_source (plan, i)];
      const Call *to = calls->pdata[stria_graph_edge_target (plan, i)];

      join (&maker, from->exits, to->entries);
    }
  stria_view_maker_finish (&maker);
}

/**
 * stria_profile_make_hierarchy:
 *
 * [DOC seed] the companion's plan with its VGF calls opened: segments, and chains as groups over
 * the operators that they are known to be of. Operators of no chain stay in their segment. The
 * program must be the one that was analysed.
 */
void
stria_profile_make_hierarchy (StriaProfile *self)
{
  StriaProfileView *view = &self->views[STRIA_GRAPH_HIERARCHY];
  g_autoptr (GError) error = NULL;

  if (self->companion == STRIA_COMPANION_NONE)
    view->reason = g_strdup (
        self->program == NULL ? _ (
            "It comes from the program (.pte) with a call of the VGF backend, beside an ETDump "
            "with NX statistics.")
                              : _ ("The program has no call of the VGF backend."));
  else if (self->companion == STRIA_COMPANION_REFUSED)
    view->reason = g_strdup (_ ("The program contradicts the capture; the checks say where."));
  else if (self->companion == STRIA_COMPANION_NOT_VERIFIABLE)
    view->reason
        = g_strdup (_ ("Nothing confirms that the capture is of this program; an ETDump with "
                       "NX statistics would."));
  else if (self->views[STRIA_GRAPH_PLAN].graph == NULL)
    view->reason = g_strdup (_ ("The program’s plan could not be read."));
  else if (!stria_profile_verify_companion (self, &error))
    view->reason = g_strdup (error->message);
  else
    make (self);
}
