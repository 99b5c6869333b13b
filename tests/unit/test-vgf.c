/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-error.h"
#include "stria-vgf.h"
#include "vgf-reading.h"

static const char *
port_attr (const VgfReading *self, const StriaGraphPortRow *port, const char *key)
{
  const StriaGraphAttrRow *attrs = stria_graph_attrs (self->graph, port->first_attr);

  for (guint i = 0; i < port->n_attrs; i++)
    if (g_str_equal (stria_graph_text (self->graph, attrs[i].key), key))
      return stria_graph_text (self->graph, attrs[i].value);
  return NULL;
}

static void
check_tables (const VgfReading *self, const VgfMaker *maker)
{
  const StriaVgfRow         *vgf = vgf_reading_row (self);
  const StriaVgfModuleRow   *module
      = STRIA_ROWS (self->facts, StriaVgfModuleRow, STRIA_TABLE_VGF_MODULE) + vgf->first_module;
  const StriaVgfSegmentRow  *segment
      = STRIA_ROWS (self->facts, StriaVgfSegmentRow, STRIA_TABLE_VGF_SEGMENT) + vgf->first_segment;
  const StriaVgfResourceRow *resource
      = STRIA_ROWS (self->facts, StriaVgfResourceRow, STRIA_TABLE_VGF_RESOURCE)
        + vgf->first_resource;
  const StriaVgfConstantRow *constant
      = STRIA_ROWS (self->facts, StriaVgfConstantRow, STRIA_TABLE_VGF_CONSTANT)
        + vgf->first_constant;

  g_assert_cmpuint (vgf->offset, ==, VGF_BASE);
  g_assert_cmpuint (vgf->minor, ==, maker->minor);
  g_assert_cmpuint (vgf->patch, ==, maker->patch);
  g_assert_cmpint (vgf->old_magic, ==, maker->old_magic);
  g_assert_cmpint (vgf->legacy_constants, ==, maker->legacy);
  g_assert_true (vgf->n_modules == 1 && vgf->n_segments == 1 && vgf->n_resources == 3
                 && vgf->n_constants == 1);
  vgf_reading_assert_text (self, module->name, "graph_partition_0");
  vgf_reading_assert_text (self, module->code_type, "SPIR-V");
  vgf_reading_assert_text (self, module->error, "");
  g_assert_cmpuint (module->code_size, ==, maker->modules[0].words->len * 4);
  vgf_reading_assert_text (self, segment->name, "graph_segment_0");
  g_assert_true (segment->type == 1 && segment->n_inputs == 1 && segment->n_outputs == 1
                 && segment->n_constants == 1 && segment->dispatch == 0);
  vgf_reading_assert_text (self, resource[0].descriptor, "VK_DESCRIPTOR_TYPE_TENSOR_ARM");
  vgf_reading_assert_text (self, resource[0].format, "VK_FORMAT_R8_SINT");
  vgf_reading_assert_text (self, resource[0].shape, "[1, 8, 8, 4]");
  vgf_reading_assert_text (self, resource[1].descriptor, "");
  g_assert_true (resource[1].category == 3 && resource[1].alias_group == G_MAXUINT32);
  g_assert_true (constant->resource == 1 && constant->sparsity == -1 && constant->size == 4);
}

static void
check_graph (const VgfReading *self)
{
  StriaGraph              *graph = self->graph;
  const StriaGraphRow     *row = stria_graph_get_row (graph);
  guint32                  conv = vgf_reading_find (self, "source_operator/segment_0/spirv-50");
  guint32                  n;
  const StriaGraphPortRow *ports = stria_graph_inputs (graph, conv, &n);
  const StriaVgfOperatorRow *operators
      = STRIA_ROWS (self->facts, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);

  g_assert_cmpint (row->kind, ==, STRIA_GRAPH_VGF);
  g_assert_cmpuint (row->owner, ==, self->vgf);
  vgf_reading_assert_text (self, row->name, "main");
  vgf_reading_assert_text (self, row->method, "forward");
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 6);
  g_assert_cmpuint (n, ==, 10);
  vgf_reading_assert_text (self, stria_graph_node (graph, conv)->label, "Conv2D");
  g_assert_cmpint (stria_graph_node (graph, conv)->key, ==, VGF_CONV);
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "pad"), ==, "[0, 0, 0, 0]");
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "stride"), ==, "[1, 1]");
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "acc_type"), ==, "INT32");
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "local_bound"), ==, "false");
  vgf_reading_assert_text (self, ports[5].name, "input");
  vgf_reading_assert_text (self, ports[5].type, "1×8×8×4 int8");
  vgf_reading_assert_text (self, ports[6].name, "weight");
  g_assert_cmpstr (port_attr (self, &ports[6], "constant"), ==, "0");
  g_assert_cmpstr (port_attr (self, &ports[6], "resource"), ==, "mrt_1");
  g_assert_cmpstr (port_attr (self, &ports[7], "value"), ==, "3");
  g_assert_null (port_attr (self, &ports[5], "value"));
  ports = stria_graph_outputs (graph, conv, &n);
  g_assert_cmpuint (n, ==, 1);
  vgf_reading_assert_text (self, ports[0].type, "1×8×8×4 int32");
  vgf_reading_assert_edge (self, "mrt_0", 0, "GraphInputs");
  vgf_reading_assert_edge (self, "source_operator/segment_0/spirv-50", 0, "mrt_0");
  vgf_reading_assert_edge (self, "source_operator/segment_0/spirv-51", 0,
                           "source_operator/segment_0/spirv-50");
  vgf_reading_assert_edge (self, "mrt_2", 0, "source_operator/segment_0/spirv-51");
  vgf_reading_assert_edge (self, "GraphOutputs", 0, "mrt_2");
  g_assert_cmpuint (stria_graph_n_edges (graph), ==, 5);
  g_assert_cmpuint (stria_graph_n_groups (graph), ==, 1);
  vgf_reading_assert_text (self, stria_graph_group (graph, 0)->label, "graph_partition_0");
  g_assert_cmpint (stria_graph_group (graph, 0)->kind, ==, STRIA_GROUP_SEGMENT);
  ports = stria_graph_outputs (graph, vgf_reading_find (self, "mrt_0"), &n);
  vgf_reading_assert_text (self, ports[0].name, "image");
  g_assert_cmpuint (stria_facts_size (self->facts, STRIA_TABLE_VGF_OPERATOR), ==, 2);
  g_assert_true (operators[0].spirv_id == VGF_CONV && operators[0].number == 2
                 && operators[0].segment == 0 && operators[0].node == row->first_node + conv);
  vgf_reading_assert_text (self, operators[1].name, "RESCALE");
}

static void
test_good (void)
{
  static const struct
  {
    guint8   minor, patch;
    gboolean old_magic, legacy;
  } cases[] = { { 4, 3, FALSE, FALSE }, { 3, 0, FALSE, TRUE }, { 4, 0, TRUE, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) words = vgf_reading_words ("graph_partition_0", FALSE);
      VgfMakerModule     module = { 1, "graph_partition_0", words };
      VgfMaker           maker = vgf_reading_one (&module);
      g_auto (VgfReading)   reading = { 0 };

      maker.minor = cases[i].minor;
      maker.patch = cases[i].patch;
      maker.old_magic = cases[i].old_magic;
      maker.legacy = cases[i].legacy;
      vgf_reading_make (&reading, &maker);
      g_assert_cmpuint (stria_notices_size (reading.notices), ==, 0);
      check_tables (&reading, &maker);
      check_graph (&reading);
      g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_LABEL), ==, 0);
    }
}

static void
test_versions (void)
{
  static const guint8 other[][3] = { { 0, 2, 9 }, { 0, 5, 0 }, { 1, 0, 0 }, { 255, 4, 3 } };
  g_autoptr (GArray)  words = vgf_reading_words ("graph_partition_0", FALSE);
  VgfMakerModule      module = { 1, "graph_partition_0", words };
  VgfMaker            maker = vgf_reading_one (&module);

  for (guint i = 0; i < G_N_ELEMENTS (other); i++)
    {
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (GError)     error = NULL;
      g_autofree char       *version
          = g_strdup_printf ("%u.%u.%u", other[i][0], other[i][1], other[i][2]);
      g_auto (VgfReading)       reading = { 0 };

      maker.major = other[i][0];
      maker.minor = other[i][1];
      maker.patch = other[i][2];
      bytes = vgf_maker_finish (&maker, NULL);
      g_assert_false (vgf_reading_read (&reading, bytes->data, bytes->len, &error));
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, version));
      g_assert_nonnull (strstr (error->message, "4104"));
      g_assert_true (stria_facts_is_empty (reading.facts));
    }
  /* Patches of what is known are read, and said. */
  g_auto (VgfReading) reading = { 0 };
  maker.major = 0;
  maker.minor = 4;
  maker.patch = 9;
  vgf_reading_make (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-version"), ==, 1);
  check_graph (&reading);
}

/* An operator is one with and without a name; a name may stand for several; the first stays. */
static void
test_records (void)
{
  g_autoptr (GArray)         words = vgf_reading_words ("graph_partition_0", TRUE);
  VgfMakerModule             module = { 1, "graph_partition_0", words };
  VgfMaker                   maker = vgf_reading_one (&module);
  g_auto (VgfReading)           reading = { 0 };
  const StriaVgfLabelRow    *label;
  guint32                    node;

  vgf_reading_make (&reading, &maker);
  check_graph (&reading);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_LABEL), ==, 1);
  label = STRIA_ROWS (reading.facts, StriaVgfLabelRow, STRIA_TABLE_VGF_LABEL);
  g_assert_cmpuint (label->operator_row, ==, 0);
  vgf_reading_assert_text (&reading, label->label, "{\"event_id\": 1}");
  node = vgf_reading_find (&reading, "source_operator/segment_0/spirv-50");
  g_assert_cmpstr (stria_graph_node_attr (reading.graph, node, "debug_name"), ==,
                   "{\"event_id\": 1}");
  node = vgf_reading_find (&reading, "source_operator/segment_0/spirv-51");
  g_assert_null (stria_graph_node_attr (reading.graph, node, "debug_name"));
}

/* Vector 10 as it stands: ids 411 and 412 of one name, and an operator 413 without, in a module
 * that has no graph around them. */
static void
test_vector (void)
{
  static const guint32    set = 10, text = 20, tosa = 30;
  g_autoptr (GArray)      words = spirv_maker_new (1000);
  VgfMakerModule          module = { 1, "graph_partition_0", words };
  VgfMaker                maker = vgf_reading_one (&module);
  g_auto (VgfReading)        reading = { 0 };
  const StriaVgfLabelRow *labels;
  const StriaVgfOperatorRow *operators;

  spirv_maker_text (words, 11, &set, 1, "NonSemantic.Graph.DebugInfo.1", -1);
  spirv_maker_text (words, 11, &tosa, 1, "TOSA.001000.1", -1);
  spirv_maker_text (words, 7, &text, 1, "name", -1);
  spirv_maker_op (words, 12, 1, 40, 10, 2, 0, 20, 411, 412, -1);
  spirv_maker_op (words, 12, 1, 411, 30, 14, 7, 8, -1);
  spirv_maker_op (words, 12, 1, 412, 30, 14, 411, 8, -1);
  spirv_maker_op (words, 12, 1, 413, 30, 99, 412, -1);
  vgf_reading_make (&reading, &maker);
  operators = STRIA_ROWS (reading.facts, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);
  labels = STRIA_ROWS (reading.facts, StriaVgfLabelRow, STRIA_TABLE_VGF_LABEL);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_OPERATOR), ==, 3);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_LABEL), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (operators[labels[i].operator_row].spirv_id, ==, 411 + i);
      vgf_reading_assert_text (&reading, labels[i].label, "name");
      vgf_reading_assert_text (&reading, operators[i].name, "ADD");
    }
  g_assert_cmpuint (operators[2].spirv_id, ==, 413);
  vgf_reading_assert_text (&reading, operators[2].name, "TOSA.001000.1 99");
  vgf_reading_assert_edge (&reading, "source_operator/segment_0/spirv-413", 0,
               "source_operator/segment_0/spirv-412");
}

/* Two graph segments with a compute segment between them: their ids, keys and groups stay apart,
 * and a resource that one writes and the other reads joins them. Slots go by binding. */
static void
test_segments (void)
{
  static const VgfMakerSegment segments[] = {
    { .type = 1, .name = "graph_segment_0", .module = 0, .in_binding = 0, .in = 0, .out_binding = 1,
      .out = 2 },
    { .type = 0, .name = "compute_segment_1", .module = 1, .in = 2, .out_binding = 1, .out = 3 },
    { .type = 1, .name = "graph_segment_2", .module = 0, .in_binding = 0, .in = 2, .out_binding = 1,
      .out = 4, .constants = { 0 }, .n_constants = 1 },
    { .type = 1, .name = "graph_segment_3", .module = 7, .in = 4, .out_binding = 1, .out = 9 },
  };
  static const VgfMakerResource resources[] = {
    { 0, { 1, 8, 8, 4 }, 4 }, { 3, { 4 }, 1 },          { 2, { 1, 8, 8, 4 }, 4 },
    { 2, { 2 }, 1 },          { 1, { 1, 8, 8, 4 }, 4 },
  };
  static const guint32  one_constant[] = { 1 };
  g_autoptr (GArray)    words = vgf_reading_words ("graph_partition_0", FALSE);
  const VgfMakerModule  modules[] = { { 1, "graph_partition_0", words }, { 0, "compute", NULL } };
  const VgfMaker        maker = {
    .minor = 4,
    .modules = modules,
    .n_modules = 2,
    .segments = segments,
    .n_segments = G_N_ELEMENTS (segments),
    .resources = resources,
    .n_resources = G_N_ELEMENTS (resources),
    .constants = one_constant,
    .n_constants = 1,
  };
  g_auto (VgfReading)      reading = { 0 };
  guint32               n;

  vgf_reading_make (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-compute"), ==, 1);
  /* The first segment has no constant for its operator; the last has no module. */
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-constant"), ==, 1);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-segment"), ==, 1);
  vgf_reading_assert_text (&reading,
               STRIA_ROWS (reading.facts, StriaVgfSegmentRow, STRIA_TABLE_VGF_SEGMENT)[1].dispatch,
               "[1, 2, 3]");
  vgf_reading_assert_text (&reading,
               STRIA_ROWS (reading.facts, StriaVgfModuleRow, STRIA_TABLE_VGF_MODULE)[1].code_type,
               "GLSL");
  vgf_reading_assert_edge (&reading, "mrt_2", 0, "source_operator/segment_0/spirv-51");
  vgf_reading_assert_edge (&reading, "source_operator/segment_2/spirv-50", 0, "mrt_2");
  vgf_reading_assert_edge (&reading, "mrt_4", 0, "source_operator/segment_2/spirv-51");
  vgf_reading_assert_edge (&reading, "GraphOutputs", 0, "mrt_4");
  g_assert_cmpuint (stria_graph_find_node (reading.graph, "mrt_3"), ==, STRIA_NO_NODE);
  stria_graph_find_key (reading.graph, VGF_CONV, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (*stria_graph_find_key (reading.graph, (gint64) 2 << 32 | VGF_CONV, &n), ==,
                    vgf_reading_find (&reading, "source_operator/segment_2/spirv-50"));
  g_assert_cmpuint (stria_graph_n_groups (reading.graph), ==, 2);
  g_assert_cmpuint (stria_graph_find_group (reading.graph, "graph_partition_0#2"), ==, 1);
}

/* Bindings tell which slot a graph's input is; places are only what is left without them. */
static void
test_bindings (void)
{
  static const VgfMakerSegment segment[] = {
    { .type = 1, .name = "s", .in_binding = 5, .in = 0, .out_binding = 6, .out = 2,
      .constants = { 0 }, .n_constants = 1 },
  };
  g_autoptr (GArray) words = spirv_maker_prelude ("graph_partition_0", 5, 6);
  VgfMakerModule     module = { 1, "graph_partition_0", words };
  VgfMaker           maker = vgf_reading_one (&module);
  g_auto (VgfReading)   reading = { 0 };

  spirv_maker_begin_graph (words, 40);
  spirv_maker_op (words, 12, ID_TENSOR8, 60, ID_TOSA, 40, 40, ID_0, ID_0, -1);
  spirv_maker_end_graph (words, 60);
  maker.segments = segment;
  vgf_reading_make (&reading, &maker);
  vgf_reading_assert_edge (&reading, "source_operator/segment_0/spirv-60", 0, "mrt_0");
  vgf_reading_assert_edge (&reading, "mrt_2", 0, "source_operator/segment_0/spirv-60");
}

/* Results that are structs have several outputs, taken apart by other instructions. Operators of
 * sets that are not known are nodes too, and no rows. */
static void
test_structs (void)
{
  static const guint32 set = 300;
  g_autoptr (GArray)   words = spirv_maker_prelude ("graph_partition_0", 0, 1);
  VgfMakerModule       module = { 1, "graph_partition_0", words };
  VgfMaker             maker = vgf_reading_one (&module);
  g_auto (VgfReading)     reading = { 0 };
  guint32              n, node;
  const guint32       *edges;
  const StriaGraphPortRow *outputs;

  spirv_maker_text (words, 11, &set, 1, "Arm.Something.1", -1);
  spirv_maker_op (words, 30, 301, ID_TENSOR8, ID_TENSOR32, -1);
  spirv_maker_begin_graph (words, 40);
  spirv_maker_op (words, 12, 301, 60, ID_TOSA, 8, ID_FALSE, 40, -1);
  spirv_maker_op (words, 81, ID_TENSOR32, 61, 60, 1, -1);
  spirv_maker_op (words, 81, ID_TENSOR32, 62, 60, 2, -1); /* there is none such */
  spirv_maker_op (words, 12, ID_TENSOR8, 63, 300, 4, 61, 62, -1);
  spirv_maker_end_graph (words, 63);
  vgf_reading_make (&reading, &maker);
  node = vgf_reading_find (&reading, "source_operator/segment_0/spirv-60");
  outputs = stria_graph_outputs (reading.graph, node, &n);
  g_assert_cmpuint (n, ==, 2);
  vgf_reading_assert_text (&reading, outputs[1].type, "1×8×8×4 int32");
  node = vgf_reading_find (&reading, "source_operator/segment_0/spirv-63");
  edges = stria_graph_in_edges (reading.graph, node, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (
      stria_graph_edge (reading.graph, edges[0])->source_port, ==,
      (guint32) (&outputs[1]
                 - STRIA_ROWS (reading.facts, StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT)));
  vgf_reading_assert_text (&reading, stria_graph_node (reading.graph, node)->label,
                           "Arm.Something.1 4");
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_OPERATOR), ==, 1);
}

/* A file of its own, by the registry. */
static void
test_decoder (void)
{
  g_autoptr (GArray)        words = vgf_reading_words ("graph_partition_0", FALSE);
  VgfMakerModule            module = { 1, "graph_partition_0", words };
  VgfMaker                  maker = vgf_reading_one (&module);
  g_autoptr (GByteArray)    made = vgf_maker_finish (&maker, NULL);
  g_autoptr (GBytes)        bytes = g_bytes_new (made->data, made->len);
  g_autoptr (StriaSource)   source = stria_source_new_bytes ("m.vgf", bytes, NULL);
  g_autoptr (StriaCapture)  capture = stria_capture_new ("/m.vgf");
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/m.vgf", NULL, "m.vgf", made->len, 0);
  g_autofree char          *sum
      = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  const StriaDecoder       *decoder
      = stria_decoder_probe ("m.bin", made->data, made->len, TRUE, NULL);
  g_autoptr (GError)        error = NULL;
  g_autoptr (StriaFacts)    facts = NULL;
  StriaSink                *sink;
  const StriaVgfRow        *row;

  g_assert_nonnull (decoder);
  g_assert_cmpstr (decoder->kind, ==, "vgf");
  g_assert_cmpstr (decoder->title, ==, "VGF");
  g_assert_cmpuint (decoder->probe ("m.vgf", (const guint8 *) "VGF", 3, TRUE), ==, 0);
  g_assert_cmpuint (decoder->probe ("m.vgf", (const guint8 *) "nothing", 7, TRUE), ==, 0);
  stria_capture_add_artifact (capture, artifact);
  sink = stria_capture_open_sink (capture, 0);
  StriaDecodeContext context = {
    .capture = capture,
    .name = "m.vgf",
    .notices = stria_capture_get_notices (capture),
  };
  g_assert_true (decoder->decode (source, sink, &context, &error));
  g_assert_no_error (error);
  stria_capture_close_sink (capture, sink, TRUE);
  facts = stria_capture_ref_facts (capture, 0);
  g_assert_nonnull (facts);
  row = STRIA_ROWS (facts, StriaVgfRow, STRIA_TABLE_VGF);
  g_assert_cmpuint (row->delegate, ==, STRIA_NO_REF);
  g_assert_cmpuint (row->offset, ==, 0);
  g_assert_cmpuint (row->size, ==, made->len);
  g_assert_cmpstr (stria_facts_text (facts, row->sha256), ==, sum);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vgf/good", test_good);
  g_test_add_func ("/vgf/versions", test_versions);
  g_test_add_func ("/vgf/records", test_records);
  g_test_add_func ("/vgf/vector", test_vector);
  g_test_add_func ("/vgf/segments", test_segments);
  g_test_add_func ("/vgf/bindings", test_bindings);
  g_test_add_func ("/vgf/structs", test_structs);
  g_test_add_func ("/vgf/decoder", test_decoder);
  return g_test_run ();
}
