/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "profile-capture.h"
#include "stria-error.h"

static void
test_runtime (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  made_capture (&maker, &(MadeChanges){ 0 });
  profile = made_profile (&maker);
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 2);
  /* The kernel's own scope, 1,000,000 and 2,000,000 ticks; the call around it apart. */
  g_assert_cmpfloat (made_value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MEAN), ==,
                     1.5);
  g_assert_cmpfloat (made_value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_P90), ==,
                     1.9);
  g_assert_cmpfloat (made_value (profile, "instruction/0", "call_runtime", STRIA_AGGREGATION_MEAN),
                     ==, 2);
  g_assert_cmpfloat (made_value (profile, "instruction/1", "runtime", STRIA_AGGREGATION_SUM), ==,
                     8);
  g_assert_cmpfloat (made_value (profile, "model", "runtime", STRIA_AGGREGATION_MIN), ==, 8);
  g_assert_cmpfloat (made_value (profile, "model", "runtime", STRIA_AGGREGATION_MAX), ==, 9);
  g_assert_cmpfloat (
      made_value (profile, "framework/load/Method::init", "runtime", STRIA_AGGREGATION_MEAN), ==,
      0.022484);
  g_assert_cmpfloat (
      made_value (profile, "delegate_event/load/VGF_INIT_TOTAL", "runtime", STRIA_AGGREGATION_SUM),
      ==, 0.0001);
  g_assert_cmpuint (made_entity (profile, "instruction/1")->executions, ==, 2);
  g_assert_cmpstr (made_metric (profile, "model", "runtime", STRIA_AGGREGATION_SUM)->unit, ==,
                   "ms");
  g_assert_true (made_remark (stria_profile_get_assumptions (profile), "time-unit"));
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

  made_capture (&maker, &(MadeChanges){ 0 });
  sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_CYCLES, NULL);
  g_assert_cmpstr (made_metric (profile, "model", "runtime", STRIA_AGGREGATION_SUM)->unit, ==,
                   "cycles");
  g_assert_cmpfloat (made_value (profile, "model", "runtime", STRIA_AGGREGATION_MIN), ==, 8000000);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_source_operators (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  made_capture (&maker, &(MadeChanges){ 0 });
  profile = made_profile (&maker);
  g_assert_cmpint (
      made_link (profile, "instruction/0", "source_operator/quant", "instruction")->evidence, ==,
      STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (
      made_link (profile, "instruction/1", "source_operator/relu", "partition")->evidence, ==,
      STRIA_EVIDENCE_PARTITION);
  /* Three operators have the call's two handles: its time is shown on each, never divided. */
  g_assert_cmpuint (made_entity (profile, "source_operator/rest")->shared, ==, 3);
  g_assert_cmpfloat (
      made_value (profile, "source_operator/rest", "runtime", STRIA_AGGREGATION_MEAN), ==, 4);
  g_assert_cmpuint (made_entity (profile, "source_operator/quant")->shared, ==, 1);
  g_assert_true (made_entity (profile, "source_operator/lost")->unmatched);
  g_assert_cmpuint (made_entity (profile, "source_operator/lost")->executions, ==, 0);
  g_assert_false (made_entity (profile, "source_operator/rest")->unmatched);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_cycles (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  double minimum, maximum;

  made_capture (&maker, &(MadeChanges){ 0 });
  profile = made_profile (&maker);
  /* 60 + 40 and 61 + 40: stripes first, then executions. */
  g_assert_cmpfloat (
      made_value (profile, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM), ==, 201);
  g_assert_cmpfloat (
      made_value (profile, "chain/segment_0/30", "op_cycles", STRIA_AGGREGATION_MEAN), ==, 100.5);
  g_assert_cmpfloat (
      made_value (profile, "chain/segment_0/30", "section_0_cycles", STRIA_AGGREGATION_MAX), ==,
      101);
  g_assert_cmpfloat (
      made_value (profile, "cascade/segment_0/40", "total_cycles", STRIA_AGGREGATION_MIN), ==, 107);
  /* (100 + 7 + 5) and (101 + 7 + 5): rows of all segments once, never chains and cascades. */
  g_assert_cmpfloat (made_value (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM), ==, 225);
  g_assert_cmpfloat (made_value (profile, "model", "compute_cycles", STRIA_AGGREGATION_MEAN), ==,
                     112.5);
  g_assert_cmpfloat (made_value (profile, "model", "target_utilization", STRIA_AGGREGATION_MEAN),
                     ==, 100);
  g_assert_cmpstr (made_entity (profile, "chain/segment_0/30")->name, ==,
                   "graph_segment_0/Chain 30");
  g_assert_null (stria_profile_find_metric (profile,
                                            stria_profile_find_entity (profile, "segment/0"),
                                            "total_cycles", STRIA_AGGREGATION_SUM));
  g_assert_cmpstr (
      stria_profile_scale (profile, STRIA_ENTITY_CHAIN, STRIA_AGGREGATION_MEAN, &minimum, &maximum),
      ==, "total_cycles");
  g_assert_cmpfloat (minimum, ==, 5);
  g_assert_cmpfloat (maximum, ==, 100.5);
  g_assert_true (made_entity (profile, "chain/segment_0/39")->unmatched);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_coverage (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  made_capture (&maker, &(MadeChanges){ .no_payload_2 = TRUE });
  profile = made_profile (&maker);
  g_assert_cmpuint (made_entity (profile, "chain/segment_0/30")->executions, ==, 1);
  g_assert_cmpuint (made_entity (profile, "chain/segment_0/30")->executions_of, ==, 2);
  g_assert_true (made_remark (stria_profile_get_warnings (profile), "payload-missing"));
  /* All segments have the same executions, so the model has its cycles, of one of them. */
  g_assert_cmpfloat (made_value (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM), ==, 112);
  g_assert_cmpuint (made_metric (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM)->samples,
                    ==, 1);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
expect_no_model_cycles (const MadeChanges *changes, const char *warning)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  const StriaMetric *total;

  made_capture (&maker, changes);
  profile = made_profile (&maker);
  total = made_metric (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM);
  g_assert_false (total->available);
  g_assert_nonnull (total->reason);
  g_assert_cmpstr (total->reason, !=, "");
  g_assert_true (made_remark (stria_profile_get_warnings (profile), warning));
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_different_executions (void)
{
  expect_no_model_cycles (&(MadeChanges){ .no_segment_1_2 = TRUE }, "different-executions");
  expect_no_model_cycles (&(MadeChanges){ .two_calls = TRUE, .second_call_once = TRUE },
                          "different-executions");
  expect_no_model_cycles (&(MadeChanges){ .bad_segment = TRUE }, "different-executions");
  expect_no_model_cycles (&(MadeChanges){ .bad_segment = TRUE }, "nx-malformed");
  expect_no_model_cycles (&(MadeChanges){ .rejected = TRUE }, "nx-rejected");
}

static void
test_other_stripes (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  made_capture (&maker, &(MadeChanges){ .other_stripes = TRUE });
  profile = made_profile (&maker);
  g_assert_false (made_metric (profile, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM)
                      ->available);
  g_assert_false (
      made_metric (profile, "cascade/segment_0/40", "total_cycles", STRIA_AGGREGATION_SUM)
          ->available);
  g_assert_true (made_metric (profile, "chain/segment_0/31", "total_cycles", STRIA_AGGREGATION_SUM)
                     ->available);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_two_calls (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  made_capture (&maker, &(MadeChanges){ .two_calls = TRUE });
  profile = made_profile (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_MATCHES);
  g_assert_cmpfloat (
      made_value (profile, "instr_1/chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM), ==,
      201);
  g_assert_cmpfloat (
      made_value (profile, "instr_2/chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM), ==,
      201);
  g_assert_cmpfloat (made_value (profile, "model", "total_cycles", STRIA_AGGREGATION_SUM), ==, 450);
  g_assert_nonnull (made_link (profile, "instr_2/chain/segment_0/30",
                               "instr_2/source_operator/segment_0/spirv-504", "chain-compiler"));
  /* The other call does not run conv. */
  g_assert_null (
      made_link (profile, "instr_2/chain/segment_0/30", "source_operator/conv", "chain-source"));
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
  made_add_dump (&maker, &(MadeChanges){ 0 });
  sets = stria_profile_sets (maker.capture);
  profile = stria_profile_new (maker.capture, sets->pdata[0], NULL, STRIA_TIME_US, &error);
  g_assert_no_error (error);
  g_assert_null (stria_profile_get_method (profile));
  g_assert_cmpfloat (made_value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MEAN), ==,
                     1500);
  g_assert_cmpstr (made_entity (profile, "instruction/0")->name, ==, "quant.out");
  g_assert_null (stria_profile_get_graph (profile, STRIA_GRAPH_SOURCE, &reason));
  g_assert_nonnull (reason);
  g_assert_null (
      stria_profile_new (maker.capture, sets->pdata[0], "forward", STRIA_TIME_US, &error));
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

  made_capture (&maker, &(MadeChanges){ .two_methods = TRUE });
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
  g_assert_true (made_remark (stria_profile_get_warnings (profile), "runs-of-other-methods"));
  g_clear_pointer (&profile, stria_profile_unref);
  profile = stria_profile_new (maker.capture, sets->pdata[0], "forward", STRIA_TIME_NS, &error);
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 2);
  g_assert_true (made_remark (stria_profile_get_assumptions (profile), "method-of-runs"));
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
  g_assert_cmpfloat (made_value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MIN), ==,
                     10);
  g_assert_cmpfloat (made_value (profile, "instruction/0", "runtime", STRIA_AGGREGATION_MAX), ==,
                     30);
  g_assert_true (made_remark (stria_profile_get_warnings (profile), "executions-in-one-run"));
  g_assert_true (made_remark (stria_profile_get_warnings (profile), "events-outside-executions"));
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
  g_assert_cmpint (
      made_link (profile, "delegate_event/0/conv_1", "source_operator/a", "delegate-event")
          ->evidence,
      ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (
      made_link (profile, "delegate_event/0/max_pool #2", "source_operator/b", "delegate-event")
          ->evidence,
      ==, STRIA_EVIDENCE_ASSUMED);
  g_assert_cmpfloat (made_value (profile, "source_operator/a", "runtime", STRIA_AGGREGATION_SUM),
                     ==, 10);
  g_assert_cmpuint (made_entity (profile, "source_operator/a")->shared, ==, 1);
  g_assert_cmpfloat (made_value (profile, "source_operator/c", "runtime", STRIA_AGGREGATION_SUM),
                     ==, 100);
  g_assert_cmpuint (made_entity (profile, "source_operator/c")->shared, ==, 3);
  g_assert_cmpstr (made_entity (profile, "source_operator/c")->placement, ==, "CPU");
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

static void
test_sets (void)
{
  ProfileMaker maker;
  const MadeChanges none = { 0 };
  static const char *const dumps[] = { "/made/a/one.etdump", "/made/a/two.etdump" };

  /* Two dumps, one record; two programs of which one has a dump's name. */
  maker_init (&maker);
  made_add_record (&maker, &none);
  for (guint i = 0; i < 2; i++)
    {
      maker_begin (&maker, dumps[i], 1);
      maker_dump (&maker);
      maker_end (&maker);
    }
  made_add_program (&maker, &none, "/made/a/one.pte", 30, "cc");
  made_add_program (&maker, &none, "/made/a/other.pte", 30, "cc");

  g_autoptr (GPtrArray) sets = stria_profile_sets (maker.capture);
  const StriaProfileSet *first = sets->pdata[0];
  const StriaProfileSet *second = sets->pdata[1];
  g_assert_cmpuint (first->dump, ==, 1);
  g_assert_cmpuint (first->program, ==, 3);
  g_assert_cmpuint (second->dump, ==, 2);
  g_assert_cmpuint (second->program, ==, STRIA_NO_REF);
  g_assert_cmpuint (
      stria_notices_total (stria_capture_get_notices (maker.capture), "profile-several-programs"),
      >, 0);
  /* The record is in another folder and there are two dumps: it is nobody's. */
  g_assert_cmpuint (first->record, ==, STRIA_NO_REF);
  /* Asking again does not count the same case again. */
  guint64 before
      = stria_notices_total (stria_capture_get_notices (maker.capture), "profile-several-programs");
  g_autoptr (GPtrArray) again = stria_profile_sets (maker.capture);
  g_assert_cmpuint (again->len, ==, sets->len);
  g_assert_cmpuint (
      stria_notices_total (stria_capture_get_notices (maker.capture), "profile-several-programs"),
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
  g_test_add_func ("/profile/dump-alone", test_dump_alone);
  g_test_add_func ("/profile/methods", test_methods);
  g_test_add_func ("/profile/executions-in-one-run", test_executions_in_one_run);
  g_test_add_func ("/profile/delegate-events", test_delegate_events);
  g_test_add_func ("/profile/sets", test_sets);
  return g_test_run ();
}
