/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>

#include "profile-capture.h"
#include "stria-error.h"

static void
test_links (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  made_capture (&maker, &(MadeChanges){ 0 });
  profile = made_profile (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_MATCHES);
  g_assert_cmpint (made_link (profile, "chain/segment_0/30", "source_operator/segment_0/spirv-504",
                              "chain-compiler")
                       ->evidence,
                   ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (
      made_link (profile, "chain/segment_0/30", "source_operator/conv", "chain-source")->evidence,
      ==, STRIA_EVIDENCE_EXACT);
  g_assert_cmpint (
      made_link (profile, "chain/segment_1/50", "source_operator/relu", "chain-source")->evidence,
      ==, STRIA_EVIDENCE_APPROXIMATE);
  g_assert_nonnull (
      made_link (profile, "chain/segment_0/31", "trace_operator/segment_0/12", "chain-trace"));
  g_assert_true (made_entity (profile, "source_operator/segment_0/spirv-505")->unmatched);
  g_assert_true (made_remark (stria_profile_get_warnings (profile), "unmatched-labels"));
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

  made_capture (&maker, &(MadeChanges){ 0 });
  profile = made_profile (&maker);
  graph = stria_profile_get_graph (profile, STRIA_GRAPH_CHAINS, NULL);
  node = stria_graph_find_node (graph, "chain/segment_0/30");
  g_assert_cmpuint (stria_profile_node_entity (profile, graph, node), ==,
                    stria_profile_find_entity (profile, "chain/segment_0/30"));
  g_assert_cmpuint (stria_graph_node_group (graph, node), ==,
                    group_of (graph, "graph_segment_0/Cascade 40"));
  g_assert_cmpuint (
      stria_profile_group_entity (profile, graph, group_of (graph, "graph_segment_0/Cascade 40")),
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
  const MadeChanges changes = { 0 };

  for (guint changed = 0; changed < 2; changed++)
    {
      ProfileMaker maker;
      g_autoptr (StriaProfile) profile = NULL;
      StriaGraph *graph;

      g_assert_true (g_file_set_contents (path, changed ? "another" : "program", -1, NULL));
      maker_init (&maker);
      made_add_record (&maker, &changes);
      made_add_dump (&maker, &changes);
      made_add_program (&maker, &changes, path, 7, digest);
      profile = made_profile (&maker);
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
          g_assert_cmpuint (
              stria_profile_node_entity (profile, graph, node), ==,
              stria_profile_find_entity (profile, "source_operator/segment_0/spirv-504"));
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
expect_refused (const MadeChanges *changes, const char *check)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;
  g_autofree char *reason = NULL;

  made_capture (&maker, changes);
  profile = made_profile (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_REFUSED);
  g_assert_cmpint (made_check (profile, check), ==, STRIA_CHECK_FAIL);
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
  expect_refused (&(MadeChanges){ .other_delegate = TRUE }, "delegates-agree");
  expect_refused (&(MadeChanges){ .other_delegate = TRUE }, "vgf-events-in-plan");
  expect_refused (&(MadeChanges){ .bad_label = TRUE }, "labels-in-vgf");
}

static void
test_companion_alone (void)
{
  ProfileMaker maker;
  g_autoptr (StriaProfile) profile = NULL;

  maker_init (&maker);
  made_add_program (&maker, &(MadeChanges){ 0 }, "/made/model.pte", 30, "cc");
  profile = made_profile (&maker);
  g_assert_cmpint (stria_profile_get_companion (profile), ==, STRIA_COMPANION_NOT_VERIFIABLE);
  g_assert_nonnull (stria_profile_get_graph (profile, STRIA_GRAPH_PLAN, NULL));
  g_assert_null (stria_profile_get_graph (profile, STRIA_GRAPH_HIERARCHY, NULL));
  g_assert_cmpuint (stria_profile_n_executions (profile), ==, 0);
  g_clear_pointer (&profile, stria_profile_unref);
  maker_clear (&maker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile-views/links", test_links);
  g_test_add_func ("/profile-views/graphs", test_graphs);
  g_test_add_func ("/profile-views/hierarchy", test_hierarchy);
  g_test_add_func ("/profile-views/companion-refused", test_companion_refused);
  g_test_add_func ("/profile-views/companion-alone", test_companion_alone);
  return g_test_run ();
}
