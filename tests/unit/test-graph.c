/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <sqlite3.h>
#include <string.h>

#include "schema-sql.h"
#include "stria-graph.h"
#include "stria-store-facts.h"

/* Two modules, one in the other; a -> b twice, b -> c; c is alone at the top. */
static StriaFacts *
make_facts (void)
{
  StriaFacts *facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "forward", "forward");
  guint32 outer = stria_graph_builder_group (b, STRIA_NO_GROUP, "features", STRIA_GROUP_MODULE);
  stria_graph_builder_attr (b, "type", "torch.nn.Sequential");
  guint32 inner = stria_graph_builder_group (b, outer, "0", STRIA_GROUP_MODULE);
  guint32 na, nb, nc, out_a, in_b, in_b2, out_b, in_c;

  g_assert_cmpuint (stria_graph_builder_group (b, STRIA_NO_GROUP, "features", STRIA_GROUP_MODULE),
                    ==, outer);
  na = stria_graph_builder_node (b, "a", "conv", inner, STRIA_NODE_OPERATOR, 7);
  stria_graph_builder_attr (b, "target", "aten.conv2d.default");
  stria_graph_builder_source (b, "model.py", 12);
  out_a = stria_graph_builder_output (b, "0", "a", "1×8 float32");
  stria_graph_builder_attr (b, "sizes", "[1, 8]");
  nb = stria_graph_builder_node (b, "b", "add", outer, STRIA_NODE_OPERATOR, 7);
  in_b = stria_graph_builder_input (b, "0", "self", NULL);
  in_b2 = stria_graph_builder_input (b, "1", "other", NULL);
  out_b = stria_graph_builder_output (b, "0", "b", NULL);
  nc = stria_graph_builder_node (b, "b", "out", STRIA_NO_GROUP, STRIA_NODE_OUTPUT, -1);
  in_c = stria_graph_builder_input (b, "0", NULL, NULL);
  stria_graph_builder_edge (b, na, out_a, nb, in_b);
  stria_graph_builder_edge (b, na, out_a, nb, in_b2);
  stria_graph_builder_edge (b, nb, out_b, nc, in_c);
  g_assert_cmpuint (stria_graph_builder_find (b, "b"), ==, nb);
  g_assert_cmpuint (stria_graph_builder_find (b, "missing"), ==, STRIA_NO_NODE);
  g_assert_cmpuint (stria_graph_builder_finish (b), ==, 0);
  return facts;
}

static void
check_graph (StriaFacts *facts)
{
  g_autoptr (StriaGraph) graph = stria_graph_new (facts, 0);
  guint32 n;
  const guint32 *list;

  g_assert_nonnull (graph);
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 3);
  g_assert_cmpuint (stria_graph_n_edges (graph), ==, 3);
  g_assert_cmpuint (stria_graph_n_groups (graph), ==, 2);
  g_assert_cmpuint (stria_graph_find_node (graph, "a"), ==, 0);
  /* The second node that was called "b" got a name of its own. */
  g_assert_cmpuint (stria_graph_find_node (graph, "b#2"), ==, 2);
  g_assert_cmpuint (stria_graph_find_node (graph, "missing"), ==, STRIA_NO_NODE);
  g_assert_cmpuint (stria_graph_find_node (graph, "conv"), ==, STRIA_NO_NODE);
  g_assert_cmpuint (stria_graph_find_group (graph, "features/0"), ==, 1);
  g_assert_cmpuint (stria_graph_group_parent (graph, 1), ==, 0);
  g_assert_cmpuint (stria_graph_group_weight (graph, 0), ==, 2);
  g_assert_cmpuint (stria_graph_group_weight (graph, 1), ==, 1);
  list = stria_graph_out_edges (graph, 0, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (stria_graph_edge_target (graph, list[1]), ==, 1);
  list = stria_graph_in_edges (graph, 2, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (stria_graph_edge_source (graph, list[0]), ==, 1);
  list = stria_graph_group_nodes (graph, STRIA_NO_GROUP, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (list[0], ==, 2);
  list = stria_graph_group_groups (graph, STRIA_NO_GROUP, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (list[0], ==, 0);
  list = stria_graph_find_key (graph, 7, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (list[1], ==, 1);
  stria_graph_find_key (graph, 8, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpstr (stria_graph_node_attr (graph, 0, "target"), ==, "aten.conv2d.default");
  g_assert_null (stria_graph_node_attr (graph, 1, "target"));
  g_assert_cmpuint (stria_graph_inputs (graph, 1, &n)[1].node, ==, 1);
  g_assert_cmpuint (n, ==, 2);
  const StriaGraphPortRow *outputs = stria_graph_outputs (graph, 0, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (stria_graph_text (graph, outputs[0].type), ==, "1×8 float32");
  g_assert_cmpstr (stria_graph_text (graph, stria_graph_attrs (graph, outputs[0].first_attr)->value),
                   ==, "[1, 8]");
  g_assert_cmpuint (stria_graph_group (graph, 0)->n_attrs, ==, 1);
  g_assert_cmpstr (stria_graph_text (graph, stria_graph_node (graph, 0)->file), ==, "model.py");
  g_assert_cmpuint (stria_graph_node (graph, 0)->line, ==, 12);
}

static void
test_graph (void)
{
  g_autoptr (StriaFacts) facts = make_facts ();
  guint table;
  guint32 row;

  g_assert_true (stria_facts_check (facts, &table, &row));
  check_graph (facts);
  g_assert_cmpuint (stria_graph_lookup (facts, STRIA_GRAPH_SOURCE, "forward"), ==, 0);
  g_assert_cmpuint (stria_graph_lookup (facts, STRIA_GRAPH_SOURCE, "other"), ==, STRIA_NO_REF);
  g_assert_cmpuint (stria_graph_lookup (facts, STRIA_GRAPH_PLAN, NULL), ==, STRIA_NO_REF);
  g_assert_null (stria_graph_new (facts, 1));
}

static void
test_depth (void)
{
  g_autoptr (StriaFacts) facts = stria_facts_new ();
  StriaGraphBuilder *b = stria_graph_builder_new (facts, STRIA_GRAPH_SOURCE, "deep", NULL);
  guint32 group = STRIA_NO_GROUP;

  for (guint i = 0; i < 1000; i++)
    group = stria_graph_builder_group (b, group, "x", STRIA_GROUP_NAMESPACE);
  stria_graph_builder_finish (b);
  g_assert_cmpuint (stria_facts_size (facts, STRIA_TABLE_GRAPH_GROUP), ==, STRIA_GRAPH_MAX_DEPTH);
}

static sqlite3 *
open_store (void)
{
  sqlite3 *db = NULL;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  sqlite3_exec (db, stria_schema_sql, NULL, NULL, &message);
  g_assert_null (message);
  return db;
}

static void
test_store (void)
{
  g_autoptr (StriaFacts) facts = make_facts ();
  sqlite3 *db = open_store ();
  gboolean damaged = TRUE;

  g_assert_true (stria_store_write_facts (db, 3, facts));
  g_autoptr (StriaFacts) back = stria_store_read_facts (db, 3, &damaged);
  g_assert_false (damaged);
  g_assert_nonnull (back);
  check_graph (back);
  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    g_assert_cmpuint (stria_facts_size (facts, t), ==, stria_facts_size (back, t));
  g_assert_null (stria_store_read_facts (db, 4, &damaged));
  g_assert_false (damaged);
  sqlite3_close (db);
}

/* Each of these makes a row point outside; none may be answered with facts. */
static void
test_damaged (void)
{
  static const char *const damages[] = {
    "UPDATE graph_edge SET target = 3 WHERE \"row\" = 1",
    "UPDATE graph_node SET n_attrs = 4000000000",
    "UPDATE graph_node SET label = 1000",
    "UPDATE graph_node SET \"group\" = -1",
    "UPDATE graph_port SET first_attr = 4294967295 WHERE \"row\" = 0",
    "UPDATE graph SET n_nodes = 4",
    "UPDATE graph_node SET kind = 300",
    "DELETE FROM fact_string WHERE id = 2",
    "DELETE FROM graph_node WHERE \"row\" = 0",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (StriaFacts) facts = make_facts ();
      sqlite3 *db = open_store ();
      gboolean damaged = FALSE;

      g_assert_true (stria_store_write_facts (db, 0, facts));
      g_assert_cmpint (sqlite3_exec (db, damages[i], NULL, NULL, NULL), ==, SQLITE_OK);
      g_assert_null (stria_store_read_facts (db, 0, &damaged));
      if (!damaged)
        g_test_message ("%s", damages[i]);
      g_assert_true (damaged);
      sqlite3_close (db);
    }
}

/* What is inside the tables but makes no graph. */
static void
test_unsound (void)
{
  static const char *const damages[] = {
    "UPDATE graph_group SET parent = 1 WHERE \"row\" = 0",
    "UPDATE graph_group SET parent = 1 WHERE \"row\" = 1",
    "UPDATE graph SET n_nodes = 2",
    "UPDATE graph SET n_groups = 1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (StriaFacts) facts = make_facts ();
      sqlite3 *db = open_store ();
      gboolean damaged = FALSE;

      g_assert_true (stria_store_write_facts (db, 0, facts));
      g_assert_cmpint (sqlite3_exec (db, damages[i], NULL, NULL, NULL), ==, SQLITE_OK);
      g_autoptr (StriaFacts) back = stria_store_read_facts (db, 0, &damaged);
      g_assert_nonnull (back);
      g_assert_null (stria_graph_new (back, 0));
      sqlite3_close (db);
    }
}

/* The store's tables and the program's must have the same columns. */
static void
test_schema (void)
{
  sqlite3 *db = open_store ();

  for (guint t = 0; t < STRIA_N_FACT_TABLES; t++)
    {
      const StriaFactTable *table = &stria_fact_tables[t];
      g_autofree char *sql = g_strdup_printf ("SELECT * FROM \"%s\"", table->name);
      sqlite3_stmt *statement = NULL;

      g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
      g_assert_cmpint (sqlite3_column_count (statement), ==, table->n_columns + 2);
      for (guint c = 0; c < table->n_columns; c++)
        g_assert_cmpstr (sqlite3_column_name (statement, (int) c + 2), ==, table->columns[c].name);
      sqlite3_finalize (statement);
    }
  sqlite3_close (db);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/walk", test_graph);
  g_test_add_func ("/graph/depth", test_depth);
  g_test_add_func ("/graph/unsound", test_unsound);
  g_test_add_func ("/facts/store", test_store);
  g_test_add_func ("/facts/damaged", test_damaged);
  g_test_add_func ("/facts/schema", test_schema);
  return g_test_run ();
}
