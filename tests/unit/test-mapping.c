/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>

#include "profile-maker.h"
#include "stria-mapping.h"

static const char stack[] = "  File \"m.py\", line 3, in forward\n    y = self.relu(x)\n";

static void
test_spirv_id (void)
{
  g_autofree char *name = NULL;
  guint32 id = 0;

  g_assert_true (stria_label_spirv_id ("TOSACONV2D_spirv_id_504", &id, &name));
  g_assert_cmpuint (id, ==, 504);
  g_assert_cmpstr (name, ==, "TOSACONV2D");
  g_assert_true (stria_label_spirv_id ("a_spirv_id_1_spirv_id_2", &id, NULL));
  g_assert_cmpuint (id, ==, 2);
  g_assert_false (stria_label_spirv_id ("TOSACONV2D_spirv_id_", &id, NULL));
  g_assert_false (stria_label_spirv_id ("TOSACONV2D_spirv_id_5x", &id, NULL));
  g_assert_false (stria_label_spirv_id ("TOSACONV2D_spirv_id_-5", &id, NULL));
  g_assert_false (stria_label_spirv_id ("a_spirv_id_4294967296", &id, NULL));
  g_assert_false (stria_label_spirv_id ("", &id, NULL));
}

static void
test_display (void)
{
  g_autofree char *node = stria_label_display (
      "{\"aten_info\": {\"node_name\": \"conv\", \"operator_name\": \"o\"}}");
  g_autofree char *operator= stria_label_display (" {\"aten_info\": {\"operator_name\": \"o\"}}");
  g_autofree char *broken = stria_label_display ("{\"aten_info\": ");
  g_autofree char *plain = stria_label_display ("layer1");

  g_assert_cmpstr (node, ==, "conv");
  g_assert_cmpstr (operator, ==, "o");
  g_assert_cmpstr (broken, ==, "{\"aten_info\": ");
  g_assert_cmpstr (plain, ==, "layer1");
}

/* conv was made from conv2d; two nodes from lin; relu and again have one stack. */
static StriaGraph *
make_graph (ProfileMaker *maker)
{
  const MakerNode nodes[] = {
    { "conv", 1, NULL, NULL,
      "[{\"name\": \"conv2d\", \"graph_id\": 7, \"from_node\": [{\"name\": \"root\"}]}]" },
    { "mm", 2, NULL, NULL, "[{\"name\": \"lin\"}]" },
    { "add", 3, NULL, NULL, "[{\"name\": \"lin\"}, {\"name\": \"lin\"}]" },
    { "relu", 4, stack, ",,Net;k,net.act,torch.nn.ReLU" },
    { "other", 5, stack, "k,net.other,torch.nn.ReLU" },
    { "broken", 6, NULL, NULL, "[{\"name\": " },
  };
  g_autoptr (StriaFacts) facts = NULL;

  maker_init (maker);
  maker_begin (maker, "/made/x.etrecord", 1);
  maker_record (maker);
  maker_method (maker, "forward", nodes, G_N_ELEMENTS (nodes));
  maker_end (maker);
  facts = stria_capture_ref_facts (maker->capture, 0);
  return stria_graph_new (facts, 0);
}

/* What @label means, as ids, among the first @n operators of the graph (the input is node 0). */
static char *
meaning (StriaGraph *graph, guint32 n, const char *label, StriaEvidence *evidence)
{
  guint32 nodes[] = { 1, 2, 3, 4, 5, 6 };
  g_autoptr (StriaLabelIndex) index = stria_label_index_new (graph, nodes, n);
  g_autofree char *note = NULL;
  g_autoptr (GArray) found = stria_label_index_find (index, label, evidence, &note);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_cmpint (found != NULL, ==, note != NULL);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      guint32 node = g_array_index (found, guint32, i);

      g_string_append_printf (text, i > 0 ? " %s" : "%s",
                              stria_graph_text (graph, stria_graph_node (graph, node)->id));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
expect (StriaGraph *graph, const char *label, const char *nodes, StriaEvidence evidence)
{
  StriaEvidence found = STRIA_EVIDENCE_PARTITION;
  g_autofree char *text = meaning (graph, 6, label, &found);

  g_assert_cmpstr (text, ==, nodes);
  if (nodes[0] != '\0')
    g_assert_cmpint (found, ==, evidence);
}

static void
test_labels (void)
{
  ProfileMaker maker;
  g_autoptr (StriaGraph) graph = make_graph (&maker);
  g_autofree char *outside = NULL;
  g_autofree char *brackets = g_strnfill (1000000, '[');
  g_autofree char *deep = g_strdup_printf ("{\"aten_info\": %s", brackets);
  g_autofree char *hidden = g_strdup_printf ("{\"aten_info\": /*\"*/ %s", brackets);
  StriaEvidence evidence;

  expect (graph, "{\"aten_info\": {\"node_name\": \"conv\"}}", "conv", STRIA_EVIDENCE_EXACT);
  /* Through what the node was made from */
  expect (graph, "{\"aten_info\": {\"node_name\": \"conv2d\"}}", "conv", STRIA_EVIDENCE_EXACT);
  expect (graph, "{\"torch_info\": {\"node_trace\": [{\"name\": \"x\"}, {\"name\": \"root\"}]}}",
          "conv", STRIA_EVIDENCE_EXACT);
  expect (graph, "{\"aten_info\": {\"node_name\": \"lin\"}}", "mm add", STRIA_EVIDENCE_AMBIGUOUS);
  /* By the place in the source: both stacks have to agree. */
  expect (graph,
          "{\"torch_info\": {\"stack_trace\": [\"File \\\"m.py\\\", line 3, in forward\", "
          "\"y = self.relu(x)\"], \"nn_module_stack\": {\"<root>\": [\"<root>\", \"Net\"], "
          "\"k\": [\"net.act\", \"torch.nn.ReLU\"]}}}",
          "relu", STRIA_EVIDENCE_APPROXIMATE);
  expect (graph,
          "{\"torch_info\": {\"stack_trace\": \"File \\\"m.py\\\", line 3, in forward\\n"
          "y = self.relu(x)\", \"nn_module_stack\": {\"k\": {\"qualified_name\": \"net.other\", "
          "\"module_type\": \"torch.nn.ReLU\"}}}}",
          "other", STRIA_EVIDENCE_APPROXIMATE);
  expect (graph,
          "{\"torch_info\": {\"stack_trace\": \"File \\\"m.py\\\", line 3, in forward\\n"
          "y = self.relu(x)\", \"nn_module_stack\": \"No module stack trace available\"}}",
          "", STRIA_EVIDENCE_APPROXIMATE);
  expect (graph, "{\"torch_info\": {\"stack_trace\": \"No stack trace available\"}}", "",
          STRIA_EVIDENCE_APPROXIMATE);
  expect (graph, "{\"aten_info\": 5, \"torch_info\": []}", "", STRIA_EVIDENCE_EXACT);
  expect (graph, "conv", "", STRIA_EVIDENCE_EXACT);
  expect (graph, "{", "", STRIA_EVIDENCE_EXACT);
  expect (graph, deep, "", STRIA_EVIDENCE_EXACT);
  expect (graph, hidden, "", STRIA_EVIDENCE_EXACT);
  /* What is not in the partition is not meant. */
  outside = meaning (graph, 1, "{\"aten_info\": {\"node_name\": \"lin\"}}", &evidence);
  g_assert_cmpstr (outside, ==, "");
  maker_clear (&maker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mapping/spirv-id", test_spirv_id);
  g_test_add_func ("/mapping/display", test_display);
  g_test_add_func ("/mapping/labels", test_labels);
  return g_test_run ();
}
