/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <math.h>

#include "profile-capture.h"
#include "stria-profile-compare.h"

typedef struct
{
  const char *id;
  const char *operator;
  const char *module; /* NULL: of none */
  gint64      handle; /* also the instruction that runs it */
} MadeOperator;

/* A record whose operators are each run by the instruction of their handle, which takes
 * @ms times the handle plus the number of the execution; and a chain of two operators. */
typedef struct
{
  const MadeOperator *operators;
  guint               n;
  guint               executions;
  guint64             ms;
  guint64             cycles;
  const char         *chain_of; /* type of the chain's second operator */
  StriaTimeUnit       unit;
} MadeModel;

static void
add_record (ProfileMaker *maker, const MadeModel *model)
{
  StriaGraphBuilder *builder;
  StriaRecordMethodRow row = { .in_handle_map = 1, .in_delegate_map = 1, .in_outs_map = 1 };
  guint32 method;

  maker_begin (maker, "/made/model.etrecord", 10);
  maker_record (maker);
  builder = stria_graph_builder_new (maker->facts, STRIA_GRAPH_SOURCE, "forward", "forward");
  for (guint i = 0; i < model->n; i++)
    {
      const MadeOperator *made = &model->operators[i];

      stria_graph_builder_node (
          builder, made->id, made->operator,
          made->module != NULL ? stria_graph_builder_group (builder, STRIA_NO_GROUP, made->module,
                                                            STRIA_GROUP_MODULE)
                               : STRIA_NO_GROUP,
          STRIA_NODE_OPERATOR, made->handle);
    }
  row.name = stria_facts_intern (maker->facts, "forward", -1);
  row.graph = stria_graph_builder_finish (builder);
  method = stria_facts_add (maker->facts, STRIA_TABLE_RECORD_METHOD, &row);
  for (guint i = 0; i < model->n; i++)
    maker_handle (maker, method, model->operators[i].handle, model->operators[i].handle);
  maker_end (maker);
}

static void
add_dump (ProfileMaker *maker, const MadeModel *model)
{
  maker_begin (maker, "/made/run.etdump", 20);
  maker_dump (maker);
  for (guint e = 0; e < model->executions; e++)
    {
      guint32 event, payload, segment;

      maker_run (maker, "Execute");
      for (guint i = 0; i < model->n; i++)
        {
          const gint64 handle = model->operators[i].handle;

          maker_event (maker, STRIA_DUMP_KERNEL, (gint32) handle, "kernel", 0,
                       ((guint64) handle * model->ms + e) * 1000000);
        }
      event = maker_delegate_event (maker, 50, "VGF_NEURAL_STATISTICS", 10, 11);
      payload = maker_payload (maker, event, 50);
      segment = maker_segment (maker, payload, 0, TRUE);
      maker_stripe (maker, segment, 0, "30", "40", model->cycles);
      maker_relation (maker, segment, "30", "20", "10", "Conv2D", "a");
      maker_relation (maker, segment, "30", "21", "11", model->chain_of, "b");
      maker_event (maker, STRIA_DUMP_FRAMEWORK, 0, "Method::execute", 0, 90000000);
    }
  maker_end (maker);
}

static StriaProfile *
make (const MadeModel *model)
{
  g_autoptr (GPtrArray) sets = NULL;
  g_autoptr (GError) error = NULL;
  ProfileMaker maker;
  StriaProfile *profile;

  maker_init (&maker);
  add_record (&maker, model);
  add_dump (&maker, model);
  sets = stria_profile_sets (maker.capture);
  g_assert_cmpuint (sets->len, ==, 1);
  profile = stria_profile_new (maker.capture, sets->pdata[0], "forward", model->unit, &error);
  g_assert_no_error (error);
  maker_clear (&maker);
  return profile;
}

static const StriaEntityPair *
pair_of (StriaComparison *comparison, gboolean second, const char *id, guint32 *number)
{
  StriaProfile *profile = second ? stria_comparison_get_b (comparison)
                                 : stria_comparison_get_a (comparison);
  const guint32 entity = stria_profile_find_entity (profile, id);

  if (entity == STRIA_NO_REF)
    g_error ("there is no entity %s", id);
  *number = stria_comparison_find (comparison, second, entity);
  return stria_comparison_pair (comparison, *number);
}

static void
assert_paired (StriaComparison *comparison, const char *a, const char *b, StriaPairedBy by)
{
  guint32 number, other;
  const StriaEntityPair *pair = pair_of (comparison, TRUE, b, &number);

  g_assert_cmpint (pair->state, ==, STRIA_PAIR_BOTH);
  g_assert_cmpstr (stria_paired_by_name (pair->by), ==, stria_paired_by_name (by));
  g_assert_cmpstr (stria_profile_entity (stria_comparison_get_a (comparison), pair->a)->id, ==, a);
  pair_of (comparison, FALSE, a, &other);
  g_assert_cmpuint (number, ==, other);
}

static void
assert_alone (StriaComparison *comparison, gboolean second, const char *id, StriaPairState state)
{
  guint32 number, n;
  const StriaEntityPair *pair = pair_of (comparison, second, id, &number);

  g_assert_cmpstr (stria_pair_state_name (pair->state), ==, stria_pair_state_name (state));
  g_assert_cmpuint (second ? pair->a : pair->b, ==, STRIA_NO_REF);
  stria_comparison_metrics (comparison, number, &n);
  g_assert_cmpuint (n, ==, 0);
}

static const StriaMetricPair *
metric_of (StriaComparison *comparison, const char *id, const char *name,
           StriaAggregation aggregation)
{
  const StriaMetricPair *metric;
  guint32 number;

  pair_of (comparison, TRUE, id, &number);
  metric = stria_comparison_find_metric (comparison, number, name, aggregation);
  if (metric == NULL)
    g_error ("%s has no metric %s", id, name);
  return metric;
}

static const MadeOperator before[] = {
  { "conv", "aten.conv", "features", 1 },    { "relu", "aten.relu", "features", 2 },
  { "add", "aten.add", NULL, 3 },            { "neg", "aten.neg", NULL, 3 },
  { "gone", "aten.sin", "classifier", 4 },   { "moved", "aten.tanh", "classifier", 5 },
  { "one", "aten.mul", "twice", 6 },         { "two", "aten.mul", "twice", 7 },
  { "reused", "aten.cos", "head", 8 },
};
static const MadeOperator after[] = {
  /* other ids of the same place */
  { "conv_9", "aten.conv", "features", 1 },
  { "relu", "aten.relu", "features", 2 },
  /* two operators of one handle */
  { "neg_9", "aten.neg", NULL, 3 },
  { "add_9", "aten.add", NULL, 3 },
  /* another handle and another id: the only tanh of its module */
  { "moved_9", "aten.tanh", "classifier", 15 },
  /* another handle, the same id */
  { "one", "aten.mul", "twice", 16 },
  /* another handle, another id, and not the only one of its name */
  { "two_9", "aten.mul", "twice", 17 },
  { "three_9", "aten.mul", "twice", 18 },
  /* the id of something else */
  { "reused", "aten.exp", "head", 19 },
};

static void
test_matching (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, G_N_ELEMENTS (before), 2, 1, 100, "Add" });
  g_autoptr (StriaProfile) b = make (&(MadeModel){ after, G_N_ELEMENTS (after), 2, 1, 100, "Add" });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);

  assert_paired (comparison, "source_operator/conv", "source_operator/conv_9",
                 STRIA_PAIRED_BY_HANDLE);
  assert_paired (comparison, "source_operator/relu", "source_operator/relu",
                 STRIA_PAIRED_BY_HANDLE);
  assert_paired (comparison, "source_operator/add", "source_operator/add_9",
                 STRIA_PAIRED_BY_HANDLE);
  assert_paired (comparison, "source_operator/neg", "source_operator/neg_9",
                 STRIA_PAIRED_BY_HANDLE);
  assert_paired (comparison, "source_operator/moved", "source_operator/moved_9",
                 STRIA_PAIRED_BY_PATH);
  assert_paired (comparison, "source_operator/one", "source_operator/one", STRIA_PAIRED_BY_ID);
  assert_alone (comparison, FALSE, "source_operator/gone", STRIA_PAIR_REMOVED);
  assert_alone (comparison, FALSE, "source_operator/two", STRIA_PAIR_REMOVED);
  assert_alone (comparison, TRUE, "source_operator/two_9", STRIA_PAIR_ADDED);
  assert_alone (comparison, TRUE, "source_operator/three_9", STRIA_PAIR_ADDED);
  assert_alone (comparison, FALSE, "source_operator/reused", STRIA_PAIR_UNMATCHED);
  assert_alone (comparison, TRUE, "source_operator/reused", STRIA_PAIR_UNMATCHED);
  assert_paired (comparison, "chain/segment_0/30", "chain/segment_0/30", STRIA_PAIRED_BY_ID);
  assert_paired (comparison, "model", "model", STRIA_PAIRED_BY_ID);
  g_assert_false (made_remark (stria_comparison_get_remarks (comparison), "unequal-executions"));
}

/* Each entity of both is in one pair and no more. */
static void
test_complete (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, G_N_ELEMENTS (before), 2, 1, 100, "Add" });
  g_autoptr (StriaProfile) b = make (&(MadeModel){ after, G_N_ELEMENTS (after), 3, 2, 50, "Mul" });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);
  g_autofree guint *seen_a = g_new0 (guint, stria_profile_n_entities (a));
  g_autofree guint *seen_b = g_new0 (guint, stria_profile_n_entities (b));

  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    {
      const StriaEntityPair *pair = stria_comparison_pair (comparison, i);

      g_assert_true (pair->a != STRIA_NO_REF || pair->b != STRIA_NO_REF);
      g_assert_cmpint (pair->state == STRIA_PAIR_BOTH, ==,
                       pair->a != STRIA_NO_REF && pair->b != STRIA_NO_REF);
      if (pair->a != STRIA_NO_REF)
        seen_a[pair->a]++;
      if (pair->b != STRIA_NO_REF)
        seen_b[pair->b]++;
    }
  for (guint32 i = 0; i < stria_profile_n_entities (a); i++)
    g_assert_cmpuint (seen_a[i], ==, 1);
  for (guint32 i = 0; i < stria_profile_n_entities (b); i++)
    g_assert_cmpuint (seen_b[i], ==, 1);
}

static void
test_figures (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, G_N_ELEMENTS (before), 2, 1, 100, "Add" });
  g_autoptr (StriaProfile) b = make (&(MadeModel){ before, G_N_ELEMENTS (before), 2, 3, 75, "Add" });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);
  const StriaMetricPair *metric
      = metric_of (comparison, "source_operator/relu", "runtime", STRIA_AGGREGATION_MEAN);

  /* Executions of 2 and 3 ms, then of 6 and 7 ms. */
  g_assert_true (metric->comparable);
  g_assert_cmpfloat_with_epsilon (metric->a->value, 2.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (metric->b->value, 6.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (metric->difference, 4, 1e-9);
  g_assert_cmpfloat_with_epsilon (metric->relative, 1.6, 1e-9);
  g_assert_false (metric->unequal);
  metric = metric_of (comparison, "source_operator/relu", "runtime", STRIA_AGGREGATION_SUM);
  g_assert_true (metric->comparable);
  g_assert_cmpfloat_with_epsilon (metric->difference, 8, 1e-9);
  metric = metric_of (comparison, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_MEAN);
  g_assert_cmpfloat_with_epsilon (metric->difference, -25, 1e-9);
  g_assert_cmpfloat_with_epsilon (metric->relative, -0.25, 1e-9);
  g_assert_cmpstr (metric->unit, ==, "cycles");
  g_assert_cmpfloat_with_epsilon (stria_comparison_largest (comparison, STRIA_ENTITY_CHAIN,
                                                            "total_cycles",
                                                            STRIA_AGGREGATION_MEAN),
                                  25, 1e-9);
  /* The slowest operator has handle 8: 8 ms became 24 ms. */
  g_assert_cmpfloat_with_epsilon (stria_comparison_largest (comparison,
                                                            STRIA_ENTITY_SOURCE_OPERATOR,
                                                            "runtime", STRIA_AGGREGATION_MIN),
                                  16, 1e-9);
}

static void
test_zero (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, 2, 1, 0, 0, "Add" });
  g_autoptr (StriaProfile) b = make (&(MadeModel){ before, 2, 1, 1, 7, "Add" });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);
  const StriaMetricPair *metric
      = metric_of (comparison, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_MEAN);

  g_assert_true (metric->comparable);
  g_assert_cmpfloat_with_epsilon (metric->difference, 7, 1e-9);
  g_assert_true (isnan (metric->relative));
}

static void
test_executions (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, 2, 2, 1, 100, "Add" });
  g_autoptr (StriaProfile) b = make (&(MadeModel){ before, 2, 5, 1, 100, "Add" });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);
  const StriaMetricPair *metric
      = metric_of (comparison, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_SUM);

  g_assert_false (metric->comparable);
  g_assert_true (metric->unequal);
  g_assert_nonnull (metric->reason);
  metric = metric_of (comparison, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_P50);
  g_assert_true (metric->comparable);
  g_assert_true (metric->unequal);
  g_assert_cmpfloat_with_epsilon (metric->difference, 0, 1e-9);
  g_assert_true (made_remark (stria_comparison_get_remarks (comparison), "unequal-executions"));
}

/* Ticks of one dump are taken as cycles: those are no milliseconds. */
static void
test_units (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, 2, 2, 1, 100, "Add" });
  g_autoptr (StriaProfile) b
      = make (&(MadeModel){ before, 2, 2, 1, 100, "Add", STRIA_TIME_CYCLES });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);
  const StriaMetricPair *metric
      = metric_of (comparison, "source_operator/relu", "runtime", STRIA_AGGREGATION_MEAN);

  g_assert_cmpstr (metric->a->unit, ==, "ms");
  g_assert_cmpstr (metric->b->unit, ==, "cycles");
  g_assert_false (metric->comparable);
  g_assert_nonnull (metric->reason);
  g_assert_true (
      metric_of (comparison, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_MEAN)
          ->comparable);
  g_assert_true (made_remark (stria_comparison_get_remarks (comparison), "other-unit"));
  for (guint32 i = 0; i < stria_comparison_n_pairs (comparison); i++)
    {
      guint32 n;
      const StriaMetricPair *metrics = stria_comparison_metrics (comparison, i, &n);

      for (guint32 m = 0; m < n; m++)
        if (metrics[m].comparable)
          g_assert_cmpstr (metrics[m].a->unit, ==, metrics[m].b->unit);
    }
}

static void
test_other_chain (void)
{
  g_autoptr (StriaProfile) a = make (&(MadeModel){ before, 2, 2, 1, 100, "Add" });
  g_autoptr (StriaProfile) b = make (&(MadeModel){ before, 2, 2, 1, 100, "Mul" });
  g_autoptr (StriaComparison) comparison = stria_comparison_new (a, b);
  guint32 number;

  assert_alone (comparison, FALSE, "chain/segment_0/30", STRIA_PAIR_UNMATCHED);
  assert_alone (comparison, TRUE, "chain/segment_0/30", STRIA_PAIR_UNMATCHED);
  g_assert_nonnull (pair_of (comparison, TRUE, "chain/segment_0/30", &number)->note);
  assert_alone (comparison, TRUE, "cascade/segment_0/40", STRIA_PAIR_UNMATCHED);
}

static void
test_coverage (void)
{
  g_autoptr (StriaProfile) a = NULL;
  g_autoptr (StriaProfile) b = NULL;
  g_autoptr (StriaComparison) comparison = NULL;
  const StriaMetricPair *metric;
  ProfileMaker maker;

  made_capture (&maker, &(MadeChanges){ 0 });
  a = made_profile (&maker);
  maker_clear (&maker);
  made_capture (&maker, &(MadeChanges){ .no_payload_2 = TRUE });
  b = made_profile (&maker);
  maker_clear (&maker);
  comparison = stria_comparison_new (a, b);
  /* 60 + 40 and 61 + 40 cycles in two executions; the second has those of the first alone. */
  metric = metric_of (comparison, "chain/segment_0/30", "total_cycles", STRIA_AGGREGATION_MEAN);
  g_assert_true (metric->comparable);
  g_assert_true (metric->unequal);
  g_assert_cmpfloat_with_epsilon (metric->difference, -0.5, 1e-9);
  g_assert_true (made_remark (stria_comparison_get_remarks (comparison), "unequal-executions"));
  metric = metric_of (comparison, "instruction/0", "runtime", STRIA_AGGREGATION_MEAN);
  g_assert_false (metric->unequal);
  g_assert_cmpfloat_with_epsilon (metric->difference, 0, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/matching", test_matching);
  g_test_add_func ("/compare/complete", test_complete);
  g_test_add_func ("/compare/figures", test_figures);
  g_test_add_func ("/compare/zero", test_zero);
  g_test_add_func ("/compare/executions", test_executions);
  g_test_add_func ("/compare/units", test_units);
  g_test_add_func ("/compare/other-chain", test_other_chain);
  g_test_add_func ("/compare/coverage", test_coverage);
  return g_test_run ();
}
