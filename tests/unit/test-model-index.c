/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "app/stria-model-index.h"
#include "app/stria-model-text.h"
#include "profile-capture.h"
#include "stria-profile-slices.h"

static StriaModelIndex *
made_index (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  StriaModelIndex *index;

  made_capture (&maker, &(MadeChanges){ 0 });
  profile = made_profile (&maker);
  index = stria_model_index_new (profile);
  maker_clear (&maker);
  return index;
}

static guint32
entity_of (StriaModelIndex *index, const char *id)
{
  const guint32 entity = stria_profile_find_entity (index->profile, id);

  if (entity == STRIA_NO_REF)
    g_error ("there is no %s", id);
  return entity;
}

static void
test_places (void)
{
  g_autoptr (StriaModelIndex) index = made_index ();
  const guint first = stria_model_index_first (index);
  const guint32 chain = entity_of (index, "chain/segment_0/30");
  guint shown = 0;

  g_assert_cmpuint (first, <, index->graphs->len);
  g_assert_cmpint (((StriaModelGraph *) index->graphs->pdata[first])->kind, ==,
                   STRIA_GRAPH_MAPPING);
  for (guint i = 0; i < index->graphs->len; i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];
      guint32 node, group;

      /* What has no graph says why. */
      g_assert_true ((graph->graph != NULL) != (graph->reason != NULL));
      if (!stria_model_graph_find (graph, chain, &node, &group))
        continue;
      shown++;
      g_assert_true ((node == STRIA_NO_NODE) != (group == STRIA_NO_GROUP));
      g_assert_cmpuint (node != STRIA_NO_NODE ? graph->node_entities[node]
                                              : graph->group_entities[group],
                        ==, chain);
    }
  g_assert_cmpuint (shown, >=, 2);
  g_assert_cmpuint (stria_model_index_graph_of (index, chain), <, index->graphs->len);
}

static void
test_relation (void)
{
  g_autoptr (StriaModelIndex) index = made_index ();
  const guint32 chain = entity_of (index, "chain/segment_0/30");
  g_autofree guint8 *of_chain = stria_model_index_relate (index, &chain, 1);

  g_assert_cmpuint (of_chain[chain], ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpuint (of_chain[entity_of (index, "source_operator/conv")], ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpuint (of_chain[entity_of (index, "source_operator/segment_0/spirv-504")], ==,
                    STRIA_EVIDENCE_EXACT);
  g_assert_cmpuint (of_chain[entity_of (index, "chain/segment_1/50")], ==, STRIA_MODEL_UNRELATED);
  g_assert_cmpuint (stria_model_evidence_mark (STRIA_MODEL_UNRELATED), ==, 0);
  g_assert_cmpuint (stria_model_evidence_mark (STRIA_EVIDENCE_PARTITION), !=,
                    stria_model_evidence_mark (STRIA_EVIDENCE_EXACT));
}

static void
test_scale (void)
{
  g_autoptr (StriaModelIndex) index = made_index ();
  const StriaModelMetric mean = { NULL, STRIA_AGGREGATION_MEAN };
  const StriaModelMetric odd = { "no_such_counter", STRIA_AGGREGATION_MEAN };
  StriaModelScale scale;

  stria_model_index_scale (index, &mean, STRIA_ENTITY_CHAIN, &scale);
  g_assert_cmpstr (scale.unit, ==, "cycles");
  g_assert_cmpfloat (scale.maximum, ==, 100.5);
  g_assert_cmpfloat (scale.minimum, <, scale.maximum);
  g_assert_cmpuint (scale.executions, ==, 2);
  g_assert_cmpfloat (
      stria_model_index_metric (index, &scale, STRIA_AGGREGATION_MEAN,
                                entity_of (index, "chain/segment_0/30"))
          ->value,
      ==, 100.5);
  stria_model_index_scale (index, &odd, STRIA_ENTITY_CHAIN, &scale);
  g_assert_null (scale.name);
  g_assert_true (isnan (scale.minimum));
  /* What a chain took is no time of each of its operators. */
  stria_model_index_scale (index, &mean, STRIA_ENTITY_COMPILER_OPERATOR, &scale);
  g_assert_null (scale.name);
}

static void
test_figures (void)
{
  g_autoptr (StriaModelIndex) index = made_index ();
  const StriaModelMetric mean = { NULL, STRIA_AGGREGATION_MEAN };
  const guint32 chain = entity_of (index, "chain/segment_0/30");
  guint seen = 0;

  for (guint i = 0; i < index->graphs->len; i++)
    {
      const StriaModelGraph *graph = index->graphs->pdata[i];
      g_autofree StriaGraphFigure *nodes = NULL;
      g_autofree StriaGraphFigure *groups = NULL;
      const StriaGraphFigure *figure;
      guint32 node, group;

      stria_model_index_figures (index, graph, &mean, &nodes, &groups);
      if (!stria_model_graph_find (graph, chain, &node, &group))
        continue;
      figure = node != STRIA_NO_NODE ? &nodes[node] : &groups[group];
      g_assert_cmpint (figure->state, ==, STRIA_FIGURE_VALUE);
      /* One scale in all graphs: the greatest has the full colour wherever it is. */
      g_assert_cmpfloat (figure->share, ==, 1);
      g_assert_true (g_str_has_prefix (figure->text, "100.5 "));
      seen++;
    }
  g_assert_cmpuint (seen, >=, 2);
}

static void
check_text (double value, const char *unit, gboolean brief, const char *expected)
{
  g_autofree char *text = stria_model_value_text (value, unit, brief);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_text (void)
{
  check_text (0.950001, "ms", FALSE, "0.950001 ms");
  check_text (0.5, "ms", FALSE, "0.5 ms");
  check_text (3, "count", FALSE, "3");
  check_text (223, "cycles", TRUE, "223 cycles");
  check_text (2e6, "cycles", TRUE, "2 M cycles");
  check_text (5e9, "cycles", TRUE, "5 G cycles");
}

static void
test_slices (void)
{
  g_autoptr (StriaModelIndex) index = made_index ();
  StriaProfile *profile = index->profile;
  const guint32 call = entity_of (index, "instruction/1");
  g_autoptr (GArray) of_call = stria_profile_events_of (profile, call);
  g_autoptr (GArray) of_chain
      = stria_profile_events_of (profile, entity_of (index, "chain/segment_0/30"));
  g_autoptr (GArray) of_init
      = stria_profile_events_of (profile, entity_of (index, "framework/load/Method::init"));

  g_assert_cmpuint (stria_profile_timed_entity (profile, entity_of (index, "chain/segment_0/30")),
                    ==, call);
  g_assert_cmpuint (of_call->len, ==, 2);
  g_assert_cmpuint (of_chain->len, ==, 2);
  for (guint i = 0; i < of_call->len; i++)
    {
      const guint32 event = g_array_index (of_call, guint32, i);
      const char *unit;

      g_assert_cmpuint (event, ==, g_array_index (of_chain, guint32, i));
      g_assert_cmpuint (stria_profile_execution_of_event (profile, event), ==, i);
      g_assert_cmpuint (stria_profile_entity_of_event (profile, event), ==, call);
      g_assert_cmpfloat (stria_profile_event_duration (profile, event, &unit), >, 0);
      g_assert_cmpstr (unit, ==, "ms");
    }
  g_assert_cmpuint (of_init->len, ==, 1);
  g_assert_cmpuint (
      stria_profile_execution_of_event (profile, g_array_index (of_init, guint32, 0)), ==,
      STRIA_NO_REF);
  g_assert_cmpuint (stria_profile_timed_entity (profile, STRIA_NO_REF), ==, STRIA_NO_REF);
  g_assert_cmpuint (stria_profile_entity_of_event (profile, G_MAXUINT32 - 1), ==, STRIA_NO_REF);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-index/places", test_places);
  g_test_add_func ("/model-index/relation", test_relation);
  g_test_add_func ("/model-index/scale", test_scale);
  g_test_add_func ("/model-index/figures", test_figures);
  g_test_add_func ("/model-index/text", test_text);
  g_test_add_func ("/model-index/slices", test_slices);
  return g_test_run ();
}
