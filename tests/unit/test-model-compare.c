/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "profile-capture.h"
#include "stria-model-compare-rows.h"
#include "stria-model-difference.h"
#include "stria-model-partners.h"

typedef struct
{
  const char *id;
  const char *operator;
  const char *module; /* NULL: of none */
  gint64      handle; /* also the instruction that runs it, for so many ms */
} MadeOperator;

static const MadeOperator before[] = {
  { "conv", "aten.conv", "features", 1 },
  { "relu", "aten.relu", "features", 2 },
  { "sin", "aten.sin", "classifier", 4 },
  { "cos", "aten.cos", "head", 8 },
};
static const MadeOperator after[] = {
  { "conv_9", "aten.conv", "features", 1 },
  { "relu", "aten.relu", "features", 2 },
  /* the id of something else */
  { "cos", "aten.exp", "head", 9 },
  { "tanh", "aten.tanh", "tail", 5 },
};

/* Each operator is run by the instruction of its handle, which takes @ms times the handle. */
static StriaProfile *
make (const MadeOperator *operators, guint n, guint executions, guint64 ms)
{
  StriaRecordMethodRow row = { .in_handle_map = 1, .in_delegate_map = 1, .in_outs_map = 1 };
  g_autoptr (GPtrArray) sets = NULL;
  g_autoptr (GError) error = NULL;
  StriaGraphBuilder *builder;
  StriaProfile *profile;
  ProfileMaker maker;
  guint32 method;

  maker_init (&maker);
  maker_begin (&maker, "/made/model.etrecord", 10);
  maker_record (&maker);
  builder = stria_graph_builder_new (maker.facts, STRIA_GRAPH_SOURCE, "forward", "forward");
  for (guint i = 0; i < n; i++)
    stria_graph_builder_node (
        builder, operators[i].id, operators[i].operator,
        operators[i].module != NULL
            ? stria_graph_builder_group (builder, STRIA_NO_GROUP, operators[i].module,
                                         STRIA_GROUP_MODULE)
            : STRIA_NO_GROUP,
        STRIA_NODE_OPERATOR, operators[i].handle);
  row.name = stria_facts_intern (maker.facts, "forward", -1);
  row.graph = stria_graph_builder_finish (builder);
  method = stria_facts_add (maker.facts, STRIA_TABLE_RECORD_METHOD, &row);
  for (guint i = 0; i < n; i++)
    maker_handle (&maker, method, operators[i].handle, operators[i].handle);
  maker_end (&maker);
  maker_begin (&maker, "/made/run.etdump", 20);
  maker_dump (&maker);
  for (guint e = 0; e < executions; e++)
    {
      maker_run (&maker, "Execute");
      for (guint i = 0; i < n; i++)
        maker_event (&maker, STRIA_DUMP_KERNEL, (gint32) operators[i].handle, "kernel", 0,
                     (guint64) operators[i].handle * ms * 1000000);
      maker_event (&maker, STRIA_DUMP_FRAMEWORK, 0, "Method::execute", 0, 90000000);
    }
  maker_end (&maker);
  sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], "forward", STRIA_TIME_NS, &error);
  g_assert_no_error (error);
  maker_clear (&maker);
  return profile;
}

typedef struct
{
  StriaProfile    *profiles[2];
  StriaModelIndex *indices[2];
  StriaComparison *comparison;
} Made;

static void
made_init (Made *made)
{
  made->profiles[0] = make (before, G_N_ELEMENTS (before), 3, 1);
  made->profiles[1] = make (after, G_N_ELEMENTS (after), 2, 3);
  for (guint i = 0; i < 2; i++)
    made->indices[i] = stria_model_index_new (made->profiles[i]);
  made->comparison = stria_comparison_new (made->profiles[0], made->profiles[1]);
}

static void
made_clear (Made *made)
{
  stria_comparison_unref (made->comparison);
  for (guint i = 0; i < 2; i++)
    {
      stria_model_index_unref (made->indices[i]);
      stria_profile_unref (made->profiles[i]);
    }
}

/* The graph of the source, and its number */
static const StriaModelGraph *
source_of (StriaModelIndex *index, guint *number)
{
  for (*number = 0; *number < index->graphs->len; (*number)++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[*number];

      if (graph->kind == STRIA_GRAPH_SOURCE && graph->graph != NULL)
        return graph;
    }
  g_assert_not_reached ();
}

static guint32
node_of (const StriaModelGraph *graph, const char *id)
{
  for (guint32 i = 0; i < stria_graph_n_nodes (graph->graph); i++)
    if (strcmp (stria_graph_text (graph->graph, stria_graph_node (graph->graph, i)->id), id) == 0)
      return i;
  g_error ("there is no node %s", id);
}

static guint32
group_of (const StriaModelGraph *graph, const char *id)
{
  for (guint32 i = 0; i < stria_graph_n_groups (graph->graph); i++)
    if (strcmp (stria_graph_text (graph->graph, stria_graph_group (graph->graph, i)->id), id) == 0)
      return i;
  g_error ("there is no group %s", id);
}

static void
assert_partners (const StriaModelPartners *partners, const StriaModelGraph *a,
                 const StriaModelGraph *b, const char *first, const char *second)
{
  guint32 node, group;

  g_assert_true (
      stria_model_partners_find (partners, FALSE, node_of (a, first), STRIA_NO_GROUP, &node, &group));
  g_assert_cmpuint (node, ==, node_of (b, second));
  g_assert_cmpuint (group, ==, STRIA_NO_GROUP);
  g_assert_true (
      stria_model_partners_find (partners, TRUE, node, STRIA_NO_GROUP, &node, &group));
  g_assert_cmpuint (node, ==, node_of (a, first));
}

static void
test_partners (void)
{
  g_autoptr (StriaModelPartners) partners = NULL;
  const StriaModelGraph *a, *b;
  guint32 node, group;
  guint at, other;
  Made made;

  made_init (&made);
  a = source_of (made.indices[0], &at);
  b = source_of (made.indices[1], &other);
  g_assert_cmpuint (stria_model_partners_graph (made.indices[0], made.indices[1], at), ==, other);
  partners = stria_model_partners_new (made.comparison, a, b);
  assert_partners (partners, a, b, "conv", "conv_9");
  assert_partners (partners, a, b, "relu", "relu");
  /* Gone, new, and of one id but another operator */
  g_assert_false (stria_model_partners_find (partners, FALSE, node_of (a, "sin"), STRIA_NO_GROUP,
                                             &node, &group));
  g_assert_false (stria_model_partners_find (partners, TRUE, node_of (b, "tanh"), STRIA_NO_GROUP,
                                             &node, &group));
  g_assert_false (stria_model_partners_find (partners, FALSE, node_of (a, "cos"), STRIA_NO_GROUP,
                                             &node, &group));
  g_assert_cmpuint (node, ==, STRIA_NO_NODE);
  /* Modules by their paths, also where what is in them changed */
  g_assert_true (stria_model_partners_find (partners, FALSE, STRIA_NO_NODE, group_of (a, "head"),
                                            &node, &group));
  g_assert_cmpuint (group, ==, group_of (b, "head"));
  g_assert_false (stria_model_partners_find (partners, FALSE, STRIA_NO_NODE,
                                             group_of (a, "classifier"), &node, &group));
  g_assert_false (stria_model_partners_find (partners, TRUE, STRIA_NO_NODE, group_of (b, "tail"),
                                             &node, &group));
  made_clear (&made);
}

static void
test_no_graph (void)
{
  const StriaModelGraph none = { 0 };
  g_autoptr (StriaModelPartners) partners = NULL;
  const StriaModelGraph *a;
  guint32 node, group;
  guint at;
  Made made;

  made_init (&made);
  a = source_of (made.indices[0], &at);
  partners = stria_model_partners_new (made.comparison, a, &none);
  for (guint32 i = 0; i < stria_graph_n_nodes (a->graph); i++)
    g_assert_false (
        stria_model_partners_find (partners, FALSE, i, STRIA_NO_GROUP, &node, &group));
  made_clear (&made);
}

/* Both sides show the same differences; what is on one side only says so, hatched. */
static void
test_figures (void)
{
  const StriaModelMetric metric = { NULL, STRIA_AGGREGATION_P50 };
  Made made;

  made_init (&made);
  for (guint side = 0; side < 2; side++)
    {
      g_autofree StriaGraphFigure *nodes = NULL;
      g_autofree StriaGraphFigure *groups = NULL;
      guint at;
      const StriaModelGraph *graph = source_of (made.indices[side], &at);
      const StriaGraphFigure *relu, *conv, *alone;

      stria_model_difference_figures (made.indices[side], made.comparison, side == 1, graph,
                                      &metric, &nodes, &groups);
      g_assert_nonnull (nodes);
      relu = &nodes[node_of (graph, "relu")];
      conv = &nodes[node_of (graph, side == 1 ? "conv_9" : "conv")];
      alone = &nodes[node_of (graph, side == 1 ? "tanh" : "sin")];
      /* 2 to 6 ms is the largest difference; 1 to 3 ms is half of it. */
      g_assert_cmpint (relu->state, ==, STRIA_FIGURE_VALUE);
      g_assert_cmpfloat_with_epsilon ((double) relu->share, 1, 1e-6);
      g_assert_cmpfloat_with_epsilon ((double) conv->share, 0.5, 1e-6);
      g_assert_cmpstr (relu->text, ==, "+200.0 %");
      g_assert_cmpint (alone->state, ==, STRIA_FIGURE_UNMEASURED);
      g_assert_cmpstr (stria_graph_figure_text (alone), ==, "only here");
      g_assert_cmpint (stria_model_difference_mark (
                           made.comparison, side == 1,
                           graph->node_entities[node_of (graph, side == 1 ? "tanh" : "sin")]),
                       ==, STRIA_GRAPH_MARK_ADDED);
      g_assert_cmpstr (stria_graph_figure_text (&nodes[node_of (graph, "cos")]), ==,
                       "not the same");
    }
  made_clear (&made);
}

static StriaModelCompareRow *
row_of (GListModel *rows, const char *id)
{
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (StriaModelCompareRow) row = g_list_model_get_item (rows, i);

      if (strcmp (stria_model_compare_row_get_id (row), id) == 0)
        return g_steal_pointer (&row);
    }
  g_error ("there is no row %s", id);
}

static void
test_rows (void)
{
  g_autoptr (GListStore) rows = g_list_store_new (STRIA_TYPE_MODEL_COMPARE_ROW);
  g_autoptr (StriaModelCompareRow) relu = NULL;
  g_autoptr (StriaModelCompareRow) sin = NULL;
  g_autofree char *text = NULL;
  g_autofree char *csv = NULL;
  Made made;

  made_init (&made);
  for (guint32 i = 0; i < stria_comparison_n_pairs (made.comparison); i++)
    if (stria_comparison_pair (made.comparison, i)->kind == STRIA_ENTITY_SOURCE_OPERATOR)
      {
        g_autoptr (StriaModelCompareRow) row = stria_model_compare_row_new (
            made.comparison, i, "runtime", STRIA_AGGREGATION_P50);

        g_list_store_append (rows, row);
      }
  relu = row_of (G_LIST_MODEL (rows), "source_operator/relu");
  g_assert_cmpfloat_with_epsilon (
      stria_model_compare_row_get_value (relu, STRIA_COMPARE_COLUMN_FIRST), 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      stria_model_compare_row_get_value (relu, STRIA_COMPARE_COLUMN_SECOND), 6, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      stria_model_compare_row_get_value (relu, STRIA_COMPARE_COLUMN_DIFFERENCE), 4, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      stria_model_compare_row_get_value (relu, STRIA_COMPARE_COLUMN_RATIO), 3, 1e-9);
  text = stria_model_compare_row_dup_text (relu, STRIA_COMPARE_COLUMN_EXECUTIONS);
  g_assert_cmpstr (text, ==, "3 / 2");
  /* It was measured where it is, and there is no difference to nothing. */
  sin = row_of (G_LIST_MODEL (rows), "source_operator/sin");
  g_assert_cmpfloat_with_epsilon (
      stria_model_compare_row_get_value (sin, STRIA_COMPARE_COLUMN_FIRST), 4, 1e-9);
  g_assert_true (
      isnan (stria_model_compare_row_get_value (sin, STRIA_COMPARE_COLUMN_SECOND)));
  g_assert_true (
      isnan (stria_model_compare_row_get_value (sin, STRIA_COMPARE_COLUMN_DIFFERENCE)));
  csv = stria_model_compare_rows_dup_csv (G_LIST_MODEL (rows));
  g_assert_nonnull (strstr (csv, "source_operator/relu,"));
  g_assert_nonnull (strstr (csv, ",both,handle,runtime,ms,p50,2,6,4,3,3,2,"));
  g_assert_nonnull (strstr (csv, ",removed,"));
  made_clear (&made);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-compare/partners", test_partners);
  g_test_add_func ("/model-compare/no-graph", test_no_graph);
  g_test_add_func ("/model-compare/figures", test_figures);
  g_test_add_func ("/model-compare/rows", test_rows);
  return g_test_run ();
}
