/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "profile-maker.h"
#include "stria-error.h"

/* What a test changes of the usual capture. */
typedef struct
{
  gboolean no_payload_2;    /* the second execution has no statistics */
  gboolean no_segment_1_2;  /* nor has its second segment */
  gboolean two_calls;       /* instruction 2 is a VGF call too */
  gboolean second_call_once; /* with statistics in the first execution only */
  gboolean rejected;        /* all statistics contradict each other */
  gboolean two_methods;
  gboolean other_delegate;  /* the program calls something else */
  gboolean bad_label;       /* the debug database names what the VGF does not have */
  gboolean other_stripes;   /* other stripes of a chain in the second execution */
} Changes;

static const char stack[] = "  File \"m.py\", line 3, in forward\n    y = self.relu(x)\n";
static const char exact_label[]
    = "{\"event_id\": 1, \"aten_info\": {\"node_name\": \"conv\", \"operator_name\": \"aten.conv\"}}";
static const char near_label[]
    = "{\"aten_info\": {\"node_name\": \"renamed\"}, \"torch_info\": {\"stack_trace\": "
      "[\"File \\\"m.py\\\", line 3, in forward\", \"y = self.relu(x)\"], "
      "\"nn_module_stack\": {\"k\": [\"net.act\", \"torch.nn.ReLU\"]}}}";

static void
add_record (ProfileMaker *maker, const Changes *changes)
{
  const MakerNode nodes[] = {
    { "quant", 1 },
    { "conv", 2, NULL, NULL, "[{\"name\": \"conv2d\", \"from_node\": [{\"name\": \"torch_conv\"}]}]" },
    { "relu", 3, stack, ",,Net;k,net.act,torch.nn.ReLU" },
    { "rest", 3 },
    { "dequant", 4 },
    { "lost", 9 },
  };
  guint32 method;

  maker_begin (maker, "/made/model.etrecord", 10);
  maker_record (maker);
  method = maker_method (maker, "forward", nodes, G_N_ELEMENTS (nodes));
  maker_handle (maker, method, 0, 1);
  maker_handle (maker, method, 1, 2);
  maker_handle (maker, method, 1, 3);
  maker_handle (maker, method, 2, 4);
  maker_delegate (maker, method, 1, "VgfBackend");
  if (changes->two_calls)
    maker_delegate (maker, method, 2, "VgfBackend");
  if (changes->two_methods)
    {
      method = maker_method (maker, "encode", nodes, 2);
      maker_handle (maker, method, 0, 1);
    }
  maker_end (maker);
}

static void
add_statistics (ProfileMaker *maker, const Changes *changes, gint32 call, guint execution)
{
  guint32 event = maker_delegate_event (maker, call, "VGF_NEURAL_STATISTICS", 10, 11);
  guint32 payload = maker_payload (maker, event, call);
  guint32 segment;

  if (changes->rejected)
    {
      StriaNxPayloadRow *row
          = STRIA_ROWS (maker->facts, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD) + payload;

      row->state = STRIA_NX_REJECTED;
      row->code = stria_facts_intern (maker->facts, "conflicting", -1);
      row->reason = stria_facts_intern (maker->facts, "modes 0 and 1 contradict", -1);
      return;
    }
  segment = maker_segment (maker, payload, 0, TRUE);
  maker_stripe (maker, segment, 0, "30", "40", 60 + execution);
  if (!changes->other_stripes || execution == 0)
    maker_stripe (maker, segment, 1, "30", "40", 40);
  maker_stripe (maker, segment, 2, "31", "40", 7);
  maker_relation (maker, segment, "30", "20", "10", "Conv2D",
                  changes->bad_label ? "TOSACONV2D_spirv_id_777" : "TOSACONV2D_spirv_id_504");
  maker_relation (maker, segment, "30", "21", "11", "Conv2D", exact_label);
  maker_relation (maker, segment, "31", "22", "12", "Rescale", "nothing knows this");
  maker_relation (maker, segment, "39", "23", "13", "Add", "never ran");
  if (execution == 1 && changes->no_segment_1_2)
    return;
  segment = maker_segment (maker, payload, 1, TRUE);
  maker_stripe (maker, segment, 0, "50", "60", 5);
  maker_relation (maker, segment, "50", "25", "15", "Add", near_label);
}

static void
add_dump (ProfileMaker *maker, const Changes *changes)
{
  maker_begin (maker, "/made/run.etdump", 20);
  maker_dump (maker);
  maker_run (maker, "Default");
  maker_event (maker, STRIA_DUMP_FRAMEWORK, 0, "Method::init", 0, 22484);
  maker_delegate_event (maker, -1, "VGF_INIT_TOTAL", 5, 105);
  for (guint e = 0; e < 2; e++)
    {
      maker_run (maker, "Execute");
      maker_event (maker, STRIA_DUMP_KERNEL, 0, "native_call_quant.out", 1, 1000001 * (e + 1) - e);
      maker_event (maker, STRIA_DUMP_OPERATOR_CALL, 0, "OPERATOR_CALL", 0, 2000000);
      if (e == 0 || !changes->no_payload_2)
        add_statistics (maker, changes, 1, e);
      maker_event (maker, STRIA_DUMP_DELEGATE_CALL, 1, "DELEGATE_CALL", 0, 4000000);
      if (changes->two_calls)
        {
          if (e == 0 || !changes->second_call_once)
            add_statistics (maker, changes, 2, e);
          maker_event (maker, STRIA_DUMP_DELEGATE_CALL, 2, "DELEGATE_CALL", 0, 1000);
        }
      else
        maker_event (maker, STRIA_DUMP_OPERATOR_CALL, 2, "OPERATOR_CALL", 0, 500000);
      maker_event (maker, STRIA_DUMP_FRAMEWORK, 0, "Method::execute", 0, 8000000 + 1000000 * e);
    }
  maker_end (maker);
}

static void
add_program (ProfileMaker *maker, const Changes *changes, const char *path, guint64 size,
             const char *sha256)
{
  const char *labels[] = { "quant", changes->other_delegate ? "EthosUBackend" : "VgfBackend",
                           changes->two_calls ? "VgfBackend" : "dequant" };

  maker_begin (maker, path, size);
  maker_program (maker, size, sha256);
  maker_plan (maker, "forward", labels, G_N_ELEMENTS (labels));
  maker_end (maker);
}

static void
make_all (ProfileMaker *maker, const Changes *changes)
{
  maker_init (maker);
  add_record (maker, changes);
  add_dump (maker, changes);
  add_program (maker, changes, "/made/model.pte", 30, "cc");
}

static StriaProfile *
profile_of (ProfileMaker *maker)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (maker->capture);
  g_autoptr (GError) error = NULL;
  StriaProfile *profile;

  g_assert_cmpuint (sets->len, ==, 1);
  profile = stria_profile_new (maker->capture, sets->pdata[0], "forward", STRIA_TIME_NS, &error);
  g_assert_no_error (error);
  return profile;
}

static const StriaEntity *
entity (StriaProfile *profile, const char *id)
{
  guint32 number = stria_profile_find_entity (profile, id);

  if (number == STRIA_NO_REF)
    g_error ("there is no entity %s", id);
  return stria_profile_entity (profile, number);
}

static const StriaMetric *
metric (StriaProfile *profile, const char *id, const char *name, StriaAggregation aggregation)
{
  const StriaMetric *found = stria_profile_find_metric (
      profile, stria_profile_find_entity (profile, id), name, aggregation);

  if (found == NULL)
    g_error ("%s has no %s", id, name);
  return found;
}

static double
value (StriaProfile *profile, const char *id, const char *name, StriaAggregation aggregation)
{
  const StriaMetric *found = metric (profile, id, name, aggregation);

  g_assert_true (found->available);
  g_assert_null (found->reason);
  return found->value;
}

static const StriaLink *
find_link (StriaProfile *profile, const char *from, const char *to, const char *kind)
{
  guint32 a = stria_profile_find_entity (profile, from);
  guint32 b = stria_profile_find_entity (profile, to);

  for (guint32 i = 0; i < stria_profile_n_links (profile); i++)
    {
      const StriaLink *link = stria_profile_link (profile, i);

      if (link->from == a && link->to == b && g_str_equal (link->kind, kind))
        return link;
    }
  return NULL;
}

static gboolean
has_remark (GPtrArray *remarks, const char *code)
{
  for (guint i = 0; i < remarks->len; i++)
    if (g_str_equal (((StriaRemark *) remarks->pdata[i])->code, code))
      return TRUE;
  return FALSE;
}

static StriaCheckState
check_state (StriaProfile *profile, const char *name)
{
  GPtrArray *checks = stria_profile_get_checks (profile);

  for (guint i = 0; i < checks->len; i++)
    if (g_str_equal (((StriaCheck *) checks->pdata[i])->name, name))
      return ((StriaCheck *) checks->pdata[i])->state;
  g_error ("there is no check %s", name);
}

static void
test_runtime (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ 0 });
  profile = profile_of (&maker);
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 2);
  /* The kernel's own scope, 1,000,000 and 2,000,000 ticks; the call around it apart. */
  g_assert_cmpfloat (value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MEAN), ==, 1.5);
  g_assert_cmpfloat (value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_P90), ==, 1.9);
  g_assert_cmpfloat (value (profile, "instruction/0", "call_runtime", STRIA_AGGREGATION_MEAN), ==, 2);
  g_assert_cmpfloat (value (profile, "instruction/1", "runtime", STRIA_AGGREGATION_SUM), ==, 8);
  g_assert_cmpfloat (value (profile, "model", "runtime", STRIA_AGGREGATION_MIN), ==, 8);
  g_assert_cmpfloat (value (profile, "model", "runtime", STRIA_AGGREGATION_MAX), ==, 9);
  g_assert_cmpfloat (value (profile, "framework/load/Method::init", "runtime",
                            STRIA_AGGREGATION_MEAN),
                     ==, 0.022484);
  g_assert_cmpfloat (value (profile, "delegate_event/load/VGF_INIT_TOTAL", "runtime",
                            STRIA_AGGREGATION_SUM),
                     ==, 0.0001);
  g_assert_cmpuint (entity (profile, "instruction/1")->executions, ==, 2);
  g_assert_cmpstr (metric (profile, "model", "runtime", STRIA_AGGREGATION_SUM)->unit, ==, "ms");
  g_assert_true (has_remark (stria_profile_get_assumptions (profile), "time-unit"));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

/* Cycles are not called milliseconds. */
static void
test_runtime_in_cycles (void)
{
  ProfileMaker maker;
  g_autoptr (GPtrArray) sets = NULL;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ 0 });
  sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_CYCLES, NULL);
  g_assert_cmpstr (metric (profile, "model", "runtime", STRIA_AGGREGATION_SUM)->unit, ==, "cycles");
  g_assert_cmpfloat (value (profile, "model", "runtime", STRIA_AGGREGATION_MIN), ==, 8000000);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_source_operators (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ 0 });
  profile = profile_of (&maker);
  g_assert_cmpint (find_link (profile, "instruction/0", "source_operator/quant", "instruction")
                       ->evidence,
                   ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (find_link (profile, "instruction/1", "source_operator/relu", "partition")->evidence,
                   ==, STRIA_EVIDENCE_PARTITION);
  /* Three operators have the call's two handles: its time is shown on each, never divided. */
  g_assert_cmpuint (entity (profile, "source_operator/rest")->shared, ==, 3);
  g_assert_cmpfloat (value (profile, "source_operator/rest", "runtime", STRIA_AGGREGATION_MEAN), ==, 4);
  g_assert_cmpuint (entity (profile, "source_operator/quant")->shared, ==, 1);
  g_assert_true (entity (profile, "source_operator/lost")->unmatched);
  g_assert_cmpuint (entity (profile, "source_operator/lost")->executions, ==, 0);
  g_assert_false (entity (profile, "source_operator/rest")->unmatched);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_cycles (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  double minimum, maximum;

  make_all (&maker, &(Changes){ 0 });
  profile = profile_of (&maker);
  /* 60 + 40 and 61 + 40: stripes first, then executions. */
  g_assert_cmpfloat (value (profile, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM), ==,
                     201);
  g_assert_cmpfloat (value (profile, "chain/segment_0/30", "op_cycles", STRIA_AGGREGATION_MEAN), ==,
                     100.5);
  g_assert_cmpfloat (value (profile, "chain/segment_0/30", "section_0_cycles", STRIA_AGGREGATION_MAX),
                     ==, 101);
  g_assert_cmpfloat (value (profile, "cascade/segment_0/40", "total_cycles", STRIA_AGGREGATION_MIN),
                     ==, 107);
  /* (100 + 7 + 5) and (101 + 7 + 5): rows of all segments once, never chains and cascades. */
  g_assert_cmpfloat (value (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM), ==, 225);
  g_assert_cmpfloat (value (profile, "model", "compute_cycles", STRIA_AGGREGATION_MEAN), ==, 112.5);
  g_assert_cmpfloat (value (profile, "model", "target_utilization", STRIA_AGGREGATION_MEAN), ==, 100);
  g_assert_cmpstr (entity (profile, "chain/segment_0/30")->name, ==, "graph_segment_0/Chain 30");
  g_assert_null (stria_profile_find_metric (profile, stria_profile_find_entity (profile, "segment/0"),
                                            "total_cycles", STRIA_AGGREGATION_SUM));
  g_assert_cmpstr (stria_profile_scale (profile, STRIA_ENTITY_CHAIN, STRIA_AGGREGATION_MEAN, &minimum,
                                        &maximum),
                   ==, "total_cycles");
  g_assert_cmpfloat (minimum, ==, 5);
  g_assert_cmpfloat (maximum, ==, 100.5);
  g_assert_true (entity (profile, "chain/segment_0/39")->unmatched);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_coverage (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ .no_payload_2 = TRUE });
  profile = profile_of (&maker);
  g_assert_cmpuint (entity (profile, "chain/segment_0/30")->executions, ==, 1);
  g_assert_cmpuint (entity (profile, "chain/segment_0/30")->executions_of, ==, 2);
  g_assert_true (has_remark (stria_profile_get_warnings (profile), "payload-missing"));
  /* All segments have the same executions, so the model has its cycles, of one of them. */
  g_assert_cmpfloat (value (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM), ==, 112);
  g_assert_cmpuint (metric (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM)->samples, ==, 1);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
expect_no_model_cycles (const Changes *changes, const char *warning)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  const StriaMetric *total;

  make_all (&maker, changes);
  profile = profile_of (&maker);
  total = metric (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM);
  g_assert_false (total->available);
  g_assert_nonnull (total->reason);
  g_assert_cmpstr (total->reason, !=, "");
  g_assert_true (has_remark (stria_profile_get_warnings (profile), warning));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_different_executions (void)
{
  expect_no_model_cycles (&(Changes){ .no_segment_1_2 = TRUE }, "different-executions");
  expect_no_model_cycles (&(Changes){ .two_calls = TRUE, .second_call_once = TRUE },
                          "different-executions");
  expect_no_model_cycles (&(Changes){ .rejected = TRUE }, "nx-rejected");
}

static void
test_other_stripes (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ .other_stripes = TRUE });
  profile = profile_of (&maker);
  g_assert_false (metric (profile, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM)
                      ->available);
  g_assert_false (metric (profile, "cascade/segment_0/40", "total_cycles", STRIA_AGGREGATION_SUM)
                      ->available);
  g_assert_true (metric (profile, "chain/segment_0/31", "total_cycles", STRIA_AGGREGATION_SUM)
                     ->available);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_two_calls (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ .two_calls = TRUE });
  profile = profile_of (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_MATCHES);
  g_assert_cmpfloat (value (profile, "instr_1/chain/segment_0/30", "total_cycles",
                            STRIA_AGGREGATION_SUM),
                     ==, 201);
  g_assert_cmpfloat (value (profile, "instr_2/chain/segment_0/30", "total_cycles",
                            STRIA_AGGREGATION_SUM),
                     ==, 201);
  g_assert_cmpfloat (value (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM), ==, 450);
  g_assert_nonnull (find_link (profile, "instr_2/chain/segment_0/30",
                               "instr_2/source_operator/segment_0/spirv-504", "chain-compiler"));
  /* The other call does not run conv. */
  g_assert_null (find_link (profile, "instr_2/chain/segment_0/30", "source_operator/conv",
                            "chain-source"));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_links (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  make_all (&maker, &(Changes){ 0 });
  profile = profile_of (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_MATCHES);
  g_assert_cmpint (find_link (profile, "chain/segment_0/30", "source_operator/segment_0/spirv-504",
                              "chain-compiler")
                       ->evidence,
                   ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (find_link (profile, "chain/segment_0/30", "source_operator/conv", "chain-source")
                       ->evidence,
                   ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (find_link (profile, "chain/segment_1/50", "source_operator/relu", "chain-source")
                       ->evidence,
                   ==, STRIA_EVIDENCE_APPROXIMATE);
  g_assert_nonnull (find_link (profile, "chain/segment_0/31", "trace_operator/segment_0/12",
                               "chain-trace"));
  g_assert_true (entity (profile, "source_operator/segment_0/spirv-505")->unmatched);
  g_assert_true (has_remark (stria_profile_get_warnings (profile), "unmatched-labels"));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static guint32
group_of (StriaGraph *graph, const char *id)
{
  guint32 group = stria_graph_find_group (graph, id);

  if (group == STRIA_NO_GROUP)
    g_error ("there is no group %s", id);
  return group;
}

static void
test_graphs (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  g_autofree char *reason = NULL;
  StriaGraph *graph;
  guint32 node;

  make_all (&maker, &(Changes){ 0 });
  profile = profile_of (&maker);
  graph = stria_profile_get_graph (profile, STRIA_GRAPH_CHAINS, NULL);
  node = stria_graph_find_node (graph, "chain/segment_0/30");
  g_assert_cmpuint (stria_profile_node_entity (profile, graph, node), ==,
                    stria_profile_find_entity (profile, "chain/segment_0/30"));
  g_assert_cmpuint (stria_graph_node_group (graph, node), ==,
                    group_of (graph, "graph_segment_0/Cascade 40"));
  g_assert_cmpuint (stria_profile_group_entity (profile, graph,
                                                group_of (graph, "graph_segment_0/Cascade 40")),
                    ==, stria_profile_find_entity (profile, "cascade/segment_0/40"));
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 4);

  graph = stria_profile_get_graph (profile, STRIA_GRAPH_TRACE, NULL);
  group_of (graph, "graph_segment_0/Cascade 40/Chain 30/Fused 20");
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 5);
  /* Nothing of a group's figures is on its operators. */
  node = stria_graph_find_node (graph, "trace_operator/segment_0/10");
  g_assert_null (stria_graph_node_attr (graph, node, "total_cycles"));

  graph = stria_profile_get_graph (profile, STRIA_GRAPH_MAPPING, NULL);
  node = stria_graph_find_node (graph, "conv");
  g_assert_cmpuint (stria_graph_node_group (graph, node), ==,
                    group_of (graph, "graph_segment_0/Chain 30"));
  g_assert_cmpuint (stria_profile_node_entity (profile, graph, node), ==,
                    stria_profile_find_entity (profile, "source_operator/conv"));
  g_assert_cmpuint (stria_graph_node_group (graph, stria_graph_find_node (graph, "rest")), ==,
                    group_of (graph, "Unmatched"));
  /* conv -> relu -> rest stay joined */
  g_assert_cmpuint (stria_graph_n_edges (graph), ==, 2);

  graph = stria_profile_get_graph (profile, STRIA_GRAPH_SOURCE, NULL);
  node = stria_graph_find_node (graph, "lost");
  g_assert_cmpuint (stria_profile_node_entity (profile, graph, node), ==,
                    stria_profile_find_entity (profile, "source_operator/lost"));
  graph = stria_profile_get_graph (profile, STRIA_GRAPH_PLAN, NULL);
  g_assert_cmpuint (stria_profile_node_entity (profile, graph, 1), ==,
                    stria_profile_find_entity (profile, "instruction/1"));
  graph = stria_profile_get_graph (profile, STRIA_GRAPH_VGF, NULL);
  g_assert_cmpuint (
      stria_profile_node_entity (profile, graph, stria_graph_find_node (graph, "CONV2D")), ==,
      stria_profile_find_entity (profile, "source_operator/segment_0/spirv-504"));
  g_assert_null (stria_profile_get_graph (profile, STRIA_GRAPH_EXPORTED, &reason));
  g_assert_nonnull (reason);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

/* The program on disk is compared with what was analysed. */
static void
test_hierarchy (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stria-profile-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.pte", NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "program", -1);
  g_autofree char *reason = NULL;
  g_autoptr (GError) error = NULL;
  const Changes changes = { 0 };

  for (guint changed = 0; changed < 2; changed++)
    {
      ProfileMaker maker;
      g_autoptr (StriaProfile) profile = NULL;
      StriaGraph *graph;

      g_assert_true (g_file_set_contents (path, changed ? "another" : "program", -1, NULL));
      maker_init (&maker);
      add_record (&maker, &changes);
      add_dump (&maker, &changes);
      add_program (&maker, &changes, path, 7, digest);
      profile = profile_of (&maker);
      graph = stria_profile_get_graph (profile, STRIA_GRAPH_HIERARCHY, &reason);
      if (!changed)
        {
          g_assert_null (reason);
          g_assert_true (stria_profile_verify_companion (profile, NULL));
          guint32 node = stria_graph_find_node (graph, "1/CONV2D");
          g_assert_cmpuint (
              stria_graph_node_group (graph, node), ==,
              group_of (graph, "forward/VgfBackend, instruction 1/graph_segment_0/Chain 30"));
          g_assert_cmpuint (
              stria_graph_node_group (graph, stria_graph_find_node (graph, "1/RESCALE")), ==,
              group_of (graph, "forward/VgfBackend, instruction 1/graph_segment_0"));
          g_assert_cmpuint (stria_profile_node_entity (profile, graph, node), ==,
                            stria_profile_find_entity (profile,
                                                       "source_operator/segment_0/spirv-504"));
          /* quant -> mrt_0 -> three operators -> mrt_1 -> dequant */
          g_assert_cmpuint (stria_graph_n_edges (graph), ==, 6);
        }
      else
        {
          g_assert_null (graph);
          g_assert_nonnull (reason);
          g_assert_false (stria_profile_verify_companion (profile, &error));
          g_assert_error (error, STRIA_ERROR, STRIA_ERROR_MISMATCH);
        }
      g_clear_pointer (&profile, stria_profile_unref);
      maker_clear (&maker);
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void
expect_refused (const Changes *changes, const char *check)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  g_autofree char *reason = NULL;

  make_all (&maker, changes);
  profile = profile_of (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_REFUSED);
  g_assert_cmpint (check_state (profile, check), ==, STRIA_CHECK_FAIL);
  g_assert_null (stria_profile_get_graph (profile, STRIA_GRAPH_HIERARCHY, &reason));
  g_assert_nonnull (reason);
  /* What the capture itself says stays. */
  g_assert_nonnull (stria_profile_get_graph (profile, STRIA_GRAPH_TRACE, NULL));
  g_assert_cmpuint (stria_profile_find_entity (profile, "source_operator/segment_0/spirv-504"), ==,
                    STRIA_NO_REF);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_companion_refused (void)
{
  expect_refused (&(Changes){ .other_delegate = TRUE }, "delegates-agree");
  expect_refused (&(Changes){ .other_delegate = TRUE }, "vgf-events-in-plan");
  expect_refused (&(Changes){ .bad_label = TRUE }, "labels-in-vgf");
}

static void
test_companion_alone (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  maker_init (&maker);
  add_program (&maker, &(Changes){ 0 }, "/made/model.pte", 30, "cc");
  profile = profile_of (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_NOT_VERIFIABLE);
  g_assert_nonnull (stria_profile_get_graph (profile, STRIA_GRAPH_PLAN, NULL));
  g_assert_null (stria_profile_get_graph (profile, STRIA_GRAPH_HIERARCHY, NULL));
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 0);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

/* A dump by itself: its runtimes, and no method. */
static void
test_dump_alone (void)
{
  ProfileMaker maker;
  g_autoptr (GPtrArray) sets = NULL;
  g_autoptr (StriaProfile) profile = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *reason = NULL;

  maker_init (&maker);
  add_dump (&maker, &(Changes){ 0 });
  sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_US, &error);
  g_assert_no_error (error);
  g_assert_null (stria_profile_get_method (profile));
  g_assert_cmpfloat (value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MEAN), ==, 1500);
  g_assert_cmpstr (entity (profile, "instruction/0")->name, ==, "quant.out");
  g_assert_null (stria_profile_get_graph (profile, STRIA_GRAPH_SOURCE, &reason));
  g_assert_nonnull (reason);
  g_assert_null (stria_profile_new (maker.capture, sets->pdata[0], "forward", STRIA_TIME_US, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_methods (void)
{
  ProfileMaker maker;
  g_autoptr (GPtrArray) sets = NULL;
  g_auto (GStrv) methods = NULL;
  g_autoptr (StriaProfile) profile = NULL;
  g_autoptr (GError) error = NULL;

  make_all (&maker, &(Changes){ .two_methods = TRUE });
  sets = stria_profile_sets (maker.capture);
  methods = stria_profile_methods (maker.capture, sets->pdata[0]);
  g_assert_cmpuint (g_strv_length (methods), ==, 2);
  g_assert_cmpstr (methods[0], ==, "forward");
  g_assert_null (stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_NS, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_QUERY);
  g_assert_nonnull (strstr (error->message, "forward, encode"));
  g_clear_error (&error);
  g_assert_null (stria_profile_new (maker.capture, sets->pdata[0], "x", STRIA_TIME_NS, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_NOT_FOUND);
  g_clear_error (&error);
  /* The runs call what this method does not have. */
  profile = stria_profile_new (maker.capture, sets->pdata[0], "encode", STRIA_TIME_NS, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 0);
  g_assert_true (has_remark (stria_profile_get_warnings (profile), "runs-of-other-methods"));
  g_clear_pointer (&profile, stria_profile_unref);
  profile = stria_profile_new (maker.capture, sets->pdata[0], "forward", STRIA_TIME_NS, &error);
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 2);
  g_assert_true (has_remark (stria_profile_get_assumptions (profile), "method-of-runs"));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

/* Two executions in one block of events are told apart by time. */
static void
test_executions_in_one_run (void)
{
  ProfileMaker maker;
  g_autoptr (GPtrArray) sets = NULL;
  g_autoptr (StriaProfile) profile = NULL;

  maker_init (&maker);
  maker_begin (&maker, "/made/run.etdump", 20);
  maker_dump (&maker);
  maker_run (&maker, "mine");
  maker_event (&maker, STRIA_DUMP_OPERATOR_CALL, 0, "OPERATOR_CALL", 110, 120);
  maker_event (&maker, STRIA_DUMP_FRAMEWORK, 0, "Method::execute", 100, 200);
  maker_event (&maker, STRIA_DUMP_OPERATOR_CALL, 0, "OPERATOR_CALL", 310, 340);
  maker_event (&maker, STRIA_DUMP_FRAMEWORK, 0, "Method::execute", 300, 400);
  maker_event (&maker, STRIA_DUMP_OPERATOR_CALL, 0, "OPERATOR_CALL", 910, 940);
  maker_end (&maker);
  sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_MS, NULL);
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 2);
  g_assert_cmpfloat (value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MIN), ==, 10);
  g_assert_cmpfloat (value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MAX), ==, 30);
  g_assert_true (has_remark (stria_profile_get_warnings (profile), "executions-in-one-run"));
  g_assert_true (has_remark (stria_profile_get_warnings (profile), "events-outside-executions"));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

/* A delegate's own events name the operators that they are of. */
static void
test_delegate_events (void)
{
  const MakerNode nodes[] = { { "a", 1 }, { "b", 2 }, { "c", 3 } };
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  maker_init (&maker);
  maker_begin (&maker, "/made/x.etrecord", 10);
  maker_record (&maker);
  guint32 method = maker_method (&maker, "forward", nodes, 3);
  for (guint i = 1; i <= 3; i++)
    maker_handle (&maker, method, 0, i);
  guint32 delegate = maker_delegate (&maker, method, 0, "XnnpackBackend");
  maker_delegate_handle (&maker, delegate, "conv_1", 1);
  maker_delegate_handle (&maker, delegate, "pool", 2);
  maker_end (&maker);
  maker_begin (&maker, "/made/x.etdump", 20);
  maker_dump (&maker);
  maker_run (&maker, "Execute");
  maker_delegate_event (&maker, 0, "conv_1", 10, 20);
  maker_delegate_event (&maker, 0, "max_pool #2", 20, 25);
  maker_event (&maker, STRIA_DUMP_DELEGATE_CALL, 0, "DELEGATE_CALL", 0, 100);
  maker_end (&maker);
  g_autoptr (GPtrArray) sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_MS, NULL);
  g_assert_cmpint (find_link (profile, "delegate_event/0/conv_1", "source_operator/a",
                              "delegate-event")
                       ->evidence,
                   ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (find_link (profile, "delegate_event/0/max_pool #2", "source_operator/b",
                              "delegate-event")
                       ->evidence,
                   ==, STRIA_EVIDENCE_ASSUMED);
  g_assert_cmpfloat (value (profile, "source_operator/a", "runtime", STRIA_AGGREGATION_SUM), ==, 10);
  g_assert_cmpuint (entity (profile, "source_operator/a")->shared, ==, 1);
  g_assert_cmpfloat (value (profile, "source_operator/c", "runtime", STRIA_AGGREGATION_SUM), ==, 100);
  g_assert_cmpuint (entity (profile, "source_operator/c")->shared, ==, 3);
  g_assert_cmpstr (entity (profile, "source_operator/c")->placement, ==, "CPU");
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_sets (void)
{
  ProfileMaker maker;
  const Changes none = { 0 };
  static const char *const dumps[] = { "/made/a/one.etdump", "/made/a/two.etdump" };

  /* Two dumps, one record; two programs of which one has a dump's name. */
  maker_init (&maker);
  add_record (&maker, &none);
  for (guint i = 0; i < 2; i++)
    {
      maker_begin (&maker, dumps[i], 1);
      maker_dump (&maker);
      maker_end (&maker);
    }
  add_program (&maker, &none, "/made/a/one.pte", 30, "cc");
  add_program (&maker, &none, "/made/a/other.pte", 30, "cc");

  g_autoptr (GPtrArray) sets = stria_profile_sets (maker.capture);
  const StriaProfileSet *first = sets->pdata[0];
  const StriaProfileSet *second = sets->pdata[1];
  g_assert_cmpuint (first->dump, ==, 1);
  g_assert_cmpuint (first->program, ==, 3);
  g_assert_cmpuint (second->dump, ==, 2);
  g_assert_cmpuint (second->program, ==, STRIA_NO_REF);
  g_assert_cmpuint (stria_notices_total (stria_capture_get_notices (maker.capture),
                                         "profile-several-programs"),
                    >, 0);
  /* The record is in another folder and there are two dumps: it is nobody's. */
  g_assert_cmpuint (first->record, ==, STRIA_NO_REF);
  /* Asking again does not count the same case again. */
  guint64 before = stria_notices_total (stria_capture_get_notices (maker.capture),
                                        "profile-several-programs");
  g_autoptr (GPtrArray) again = stria_profile_sets (maker.capture);
  g_assert_cmpuint (again->len, ==, sets->len);
  g_assert_cmpuint (stria_notices_total (stria_capture_get_notices (maker.capture),
                                         "profile-several-programs"),
                    ==, before);
  maker_clear (&maker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/runtime", test_runtime);
  g_test_add_func ("/profile/runtime-in-cycles", test_runtime_in_cycles);
  g_test_add_func ("/profile/source-operators", test_source_operators);
  g_test_add_func ("/profile/cycles", test_cycles);
  g_test_add_func ("/profile/coverage", test_coverage);
  g_test_add_func ("/profile/different-executions", test_different_executions);
  g_test_add_func ("/profile/other-stripes", test_other_stripes);
  g_test_add_func ("/profile/two-calls", test_two_calls);
  g_test_add_func ("/profile/links", test_links);
  g_test_add_func ("/profile/graphs", test_graphs);
  g_test_add_func ("/profile/hierarchy", test_hierarchy);
  g_test_add_func ("/profile/companion-refused", test_companion_refused);
  g_test_add_func ("/profile/companion-alone", test_companion_alone);
  g_test_add_func ("/profile/dump-alone", test_dump_alone);
  g_test_add_func ("/profile/methods", test_methods);
  g_test_add_func ("/profile/executions-in-one-run", test_executions_in_one_run);
  g_test_add_func ("/profile/delegate-events", test_delegate_events);
  g_test_add_func ("/profile/sets", test_sets);
  return g_test_run ();
}
