/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-error.h"
#include "stria-fact-tables.h"
#include "stria-graph.h"
#include "stria-vgf.h"
#include "vgf-maker.h"

#define BASE 4096
#define CONV ID_FREE
#define RESCALE (ID_FREE + 1)

/* One VGF that was read */
typedef struct
{
  StriaFacts   *facts;
  StriaNotices *notices;
  StriaGraph   *graph;
  guint32       vgf;
} Reading;

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->graph, stria_graph_unref);
  g_clear_pointer (&self->facts, stria_facts_unref);
  g_clear_pointer (&self->notices, stria_notices_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
read_bytes (Reading *self, const guint8 *data, gsize length, GError **error)
{
  StriaDecodeContext context = { .name = "m.vgf" };
  gboolean           good;
  guint              table;
  guint32            row;

  self->facts = stria_facts_new ();
  context.notices = self->notices = stria_notices_new ();
  good = stria_vgf_read (self->facts, "main", "forward", STRIA_NO_REF, data, length, BASE, &context,
                         &self->vgf, error);
  g_assert_true (stria_facts_check (self->facts, &table, &row));
  if (good)
    {
      guint32 graph
          = STRIA_ROWS (self->facts, StriaVgfRow, STRIA_TABLE_VGF)[self->vgf].graph;

      if (graph != STRIA_NO_REF)
        self->graph = stria_graph_new (self->facts, graph);
    }
  return good;
}

static void
read_made (Reading *self, const VgfMaker *maker)
{
  g_autoptr (GByteArray) bytes = vgf_maker_finish (maker, NULL);
  g_autoptr (GError)     error = NULL;

  g_assert_true (read_bytes (self, bytes->data, bytes->len, &error));
  g_assert_no_error (error);
}

static const StriaVgfRow *
vgf_row (const Reading *self)
{
  return STRIA_ROWS (self->facts, StriaVgfRow, STRIA_TABLE_VGF) + self->vgf;
}

static void
assert_text (const Reading *self, guint32 string, const char *expected)
{
  g_assert_cmpstr (stria_facts_text (self->facts, string), ==, expected);
}

static guint32
find (const Reading *self, const char *id)
{
  guint32 node = stria_graph_find_node (self->graph, id);

  if (node == STRIA_NO_NODE)
    g_error ("no node “%s”", id);
  return node;
}

/* Whether the only edge (or the @k-th one) into @to is from @from. */
static void
assert_edge (const Reading *self, const char *to, guint k, const char *from)
{
  guint32        n;
  const guint32 *edges = stria_graph_in_edges (self->graph, find (self, to), &n);

  g_assert_cmpuint (k, <, n);
  g_assert_cmpstr (
      stria_graph_text (
          self->graph,
          stria_graph_node (self->graph, stria_graph_edge_source (self->graph, edges[k]))->id),
      ==, from);
}

static const char *
port_attr (const Reading *self, const StriaGraphPortRow *port, const char *key)
{
  const StriaGraphAttrRow *attrs = stria_graph_attrs (self->graph, port->first_attr);

  for (guint i = 0; i < port->n_attrs; i++)
    if (g_str_equal (stria_graph_text (self->graph, attrs[i].key), key))
      return stria_graph_text (self->graph, attrs[i].value);
  return NULL;
}

/* A CONV2D whose result a RESCALE takes; debug records if asked for. */
static GArray *
make_words (const char *name, gboolean with_records)
{
  GArray *words = spirv_maker_prelude (name, 0, 1);

  if (with_records)
    {
      /* Vector 10 of the specification's tests: record set 10, name 20, for 411 and 412. */
      static const guint32 set = 310, text = 320, other = 321;

      spirv_maker_text (words, 11, &set, 1, "NonSemantic.Graph.DebugInfo.1", -1);
      spirv_maker_text (words, 7, &text, 1, "{\"event_id\": 1}", -1);
      spirv_maker_text (words, 7, &other, 1, "later", -1);
      spirv_maker_op (words, 12, ID_INT32, 330, 310, 2, 0, 320, CONV, 412, -1);
      spirv_maker_op (words, 12, ID_INT32, 331, 310, 2, 0, 321, CONV, -1);
      spirv_maker_op (words, 12, ID_INT32, 332, 310, 3, 0, 321, RESCALE, -1);
      spirv_maker_op (words, 12, ID_INT32, 333, 310, 2, 0, 999, RESCALE, -1);
    }
  spirv_maker_begin_graph (words, 40);
  spirv_maker_op (words, 12, ID_TENSOR32, CONV, ID_TOSA, 2, ID_FOUR_ZEROS, ID_TWO_ONES,
                  ID_TWO_ONES, ID_1, ID_FALSE, 40, ID_WEIGHT, ID_3, ID_0, ID_0, -1);
  spirv_maker_op (words, 12, ID_TENSOR8, RESCALE, ID_TOSA, 65, ID_TRUE, ID_2, ID_TRUE, ID_FALSE,
                  ID_FALSE, CONV, ID_SHAPE, ID_3, ID_0, ID_0, -1);
  spirv_maker_end_graph (words, RESCALE);
  return words;
}

static const VgfMakerResource one_resources[] = {
  { 0, { 1, 8, 8, 4 }, 4 },
  { 3, { 4, 3, 3, 4 }, 4 },
  { 1, { 1, 8, 8, 4 }, 4 },
};
static const guint32 one_constant[] = { 1 };
static const VgfMakerSegment one_segment[] = {
  { .type = 1, .name = "graph_segment_0", .in = 0, .out_binding = 1, .out = 2, .constants = { 0 },
    .n_constants = 1 },
};

static VgfMaker
make_one (const VgfMakerModule *module)
{
  return (VgfMaker) {
    .minor = 4,
    .patch = 3,
    .modules = module,
    .n_modules = 1,
    .segments = one_segment,
    .n_segments = 1,
    .resources = one_resources,
    .n_resources = G_N_ELEMENTS (one_resources),
    .constants = one_constant,
    .n_constants = 1,
  };
}

static void
check_tables (const Reading *self, const VgfMaker *maker)
{
  const StriaVgfRow         *vgf = vgf_row (self);
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

  g_assert_cmpuint (vgf->offset, ==, BASE);
  g_assert_cmpuint (vgf->minor, ==, maker->minor);
  g_assert_cmpuint (vgf->patch, ==, maker->patch);
  g_assert_cmpint (vgf->old_magic, ==, maker->old_magic);
  g_assert_cmpint (vgf->legacy_constants, ==, maker->legacy);
  g_assert_true (vgf->n_modules == 1 && vgf->n_segments == 1 && vgf->n_resources == 3
                 && vgf->n_constants == 1);
  assert_text (self, module->name, "graph_partition_0");
  assert_text (self, module->code_type, "SPIR-V");
  assert_text (self, module->error, "");
  g_assert_cmpuint (module->code_size, ==, maker->modules[0].words->len * 4);
  assert_text (self, segment->name, "graph_segment_0");
  g_assert_true (segment->type == 1 && segment->n_inputs == 1 && segment->n_outputs == 1
                 && segment->n_constants == 1 && segment->dispatch == 0);
  assert_text (self, resource[0].descriptor, "VK_DESCRIPTOR_TYPE_TENSOR_ARM");
  assert_text (self, resource[0].format, "VK_FORMAT_R8_SINT");
  assert_text (self, resource[0].shape, "[1, 8, 8, 4]");
  assert_text (self, resource[1].descriptor, "");
  g_assert_true (resource[1].category == 3 && resource[1].alias_group == G_MAXUINT32);
  g_assert_true (constant->resource == 1 && constant->sparsity == -1 && constant->size == 4);
}

static void
check_graph (const Reading *self)
{
  StriaGraph              *graph = self->graph;
  const StriaGraphRow     *row = stria_graph_get_row (graph);
  guint32                  conv = find (self, "source_operator/segment_0/spirv-50");
  guint32                  n;
  const StriaGraphPortRow *ports = stria_graph_inputs (graph, conv, &n);
  const StriaVgfOperatorRow *operators
      = STRIA_ROWS (self->facts, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);

  g_assert_cmpint (row->kind, ==, STRIA_GRAPH_VGF);
  g_assert_cmpuint (row->owner, ==, self->vgf);
  assert_text (self, row->name, "main");
  assert_text (self, row->method, "forward");
  g_assert_cmpuint (stria_graph_n_nodes (graph), ==, 6);
  g_assert_cmpuint (n, ==, 10);
  assert_text (self, stria_graph_node (graph, conv)->label, "Conv2D");
  g_assert_cmpint (stria_graph_node (graph, conv)->key, ==, CONV);
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "pad"), ==, "[0, 0, 0, 0]");
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "stride"), ==, "[1, 1]");
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "acc_type"), ==, "INT32");
  g_assert_cmpstr (stria_graph_node_attr (graph, conv, "local_bound"), ==, "false");
  assert_text (self, ports[5].name, "input");
  assert_text (self, ports[5].type, "1×8×8×4 int8");
  assert_text (self, ports[6].name, "weight");
  g_assert_cmpstr (port_attr (self, &ports[6], "constant"), ==, "0");
  g_assert_cmpstr (port_attr (self, &ports[6], "resource"), ==, "mrt_1");
  g_assert_cmpstr (port_attr (self, &ports[7], "value"), ==, "3");
  g_assert_null (port_attr (self, &ports[5], "value"));
  ports = stria_graph_outputs (graph, conv, &n);
  g_assert_cmpuint (n, ==, 1);
  assert_text (self, ports[0].type, "1×8×8×4 int32");
  assert_edge (self, "mrt_0", 0, "GraphInputs");
  assert_edge (self, "source_operator/segment_0/spirv-50", 0, "mrt_0");
  assert_edge (self, "source_operator/segment_0/spirv-51", 0, "source_operator/segment_0/spirv-50");
  assert_edge (self, "mrt_2", 0, "source_operator/segment_0/spirv-51");
  assert_edge (self, "GraphOutputs", 0, "mrt_2");
  g_assert_cmpuint (stria_graph_n_edges (graph), ==, 5);
  g_assert_cmpuint (stria_graph_n_groups (graph), ==, 1);
  assert_text (self, stria_graph_group (graph, 0)->label, "graph_partition_0");
  g_assert_cmpint (stria_graph_group (graph, 0)->kind, ==, STRIA_GROUP_SEGMENT);
  ports = stria_graph_outputs (graph, find (self, "mrt_0"), &n);
  assert_text (self, ports[0].name, "image");
  g_assert_cmpuint (stria_facts_size (self->facts, STRIA_TABLE_VGF_OPERATOR), ==, 2);
  g_assert_true (operators[0].spirv_id == CONV && operators[0].number == 2
                 && operators[0].segment == 0 && operators[0].node == row->first_node + conv);
  assert_text (self, operators[1].name, "RESCALE");
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
      g_autoptr (GArray) words = make_words ("graph_partition_0", FALSE);
      VgfMakerModule     module = { 1, "graph_partition_0", words };
      VgfMaker           maker = make_one (&module);
      g_auto (Reading)   reading = { 0 };

      maker.minor = cases[i].minor;
      maker.patch = cases[i].patch;
      maker.old_magic = cases[i].old_magic;
      maker.legacy = cases[i].legacy;
      read_made (&reading, &maker);
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
  g_autoptr (GArray)  words = make_words ("graph_partition_0", FALSE);
  VgfMakerModule      module = { 1, "graph_partition_0", words };
  VgfMaker            maker = make_one (&module);

  for (guint i = 0; i < G_N_ELEMENTS (other); i++)
    {
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (GError)     error = NULL;
      g_autofree char       *version
          = g_strdup_printf ("%u.%u.%u", other[i][0], other[i][1], other[i][2]);
      g_auto (Reading)       reading = { 0 };

      maker.major = other[i][0];
      maker.minor = other[i][1];
      maker.patch = other[i][2];
      bytes = vgf_maker_finish (&maker, NULL);
      g_assert_false (read_bytes (&reading, bytes->data, bytes->len, &error));
      g_assert_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, version));
      g_assert_nonnull (strstr (error->message, "4104"));
      g_assert_true (stria_facts_is_empty (reading.facts));
    }
  /* Patches of what is known are read, and said. */
  g_auto (Reading) reading = { 0 };
  maker.major = 0;
  maker.minor = 4;
  maker.patch = 9;
  read_made (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-version"), ==, 1);
  check_graph (&reading);
}

/* An operator is one with and without a name; a name may stand for several; the first name stays. */
static void
test_records (void)
{
  g_autoptr (GArray)         words = make_words ("graph_partition_0", TRUE);
  VgfMakerModule             module = { 1, "graph_partition_0", words };
  VgfMaker                   maker = make_one (&module);
  g_auto (Reading)           reading = { 0 };
  const StriaVgfLabelRow    *label;

  read_made (&reading, &maker);
  check_graph (&reading);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_LABEL), ==, 1);
  label = STRIA_ROWS (reading.facts, StriaVgfLabelRow, STRIA_TABLE_VGF_LABEL);
  g_assert_cmpuint (label->operator_row, ==, 0);
  assert_text (&reading, label->label, "{\"event_id\": 1}");
  g_assert_cmpstr (stria_graph_node_attr (reading.graph,
                                          find (&reading, "source_operator/segment_0/spirv-50"),
                                          "debug_name"),
                   ==, "{\"event_id\": 1}");
  g_assert_null (stria_graph_node_attr (
      reading.graph, find (&reading, "source_operator/segment_0/spirv-51"), "debug_name"));
}

/* Vector 10 as it stands: ids 411 and 412 of one name, and an operator 413 without, in a module that
 * has no graph around them. */
static void
test_vector (void)
{
  static const guint32    set = 10, text = 20, tosa = 30;
  g_autoptr (GArray)      words = spirv_maker_new (1000);
  VgfMakerModule          module = { 1, "graph_partition_0", words };
  VgfMaker                maker = make_one (&module);
  g_auto (Reading)        reading = { 0 };
  const StriaVgfLabelRow *labels;
  const StriaVgfOperatorRow *operators;

  spirv_maker_text (words, 11, &set, 1, "NonSemantic.Graph.DebugInfo.1", -1);
  spirv_maker_text (words, 11, &tosa, 1, "TOSA.001000.1", -1);
  spirv_maker_text (words, 7, &text, 1, "name", -1);
  spirv_maker_op (words, 12, 1, 40, 10, 2, 0, 20, 411, 412, -1);
  spirv_maker_op (words, 12, 1, 411, 30, 14, 7, 8, -1);
  spirv_maker_op (words, 12, 1, 412, 30, 14, 411, 8, -1);
  spirv_maker_op (words, 12, 1, 413, 30, 99, 412, -1);
  read_made (&reading, &maker);
  operators = STRIA_ROWS (reading.facts, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);
  labels = STRIA_ROWS (reading.facts, StriaVgfLabelRow, STRIA_TABLE_VGF_LABEL);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_OPERATOR), ==, 3);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_LABEL), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (operators[labels[i].operator_row].spirv_id, ==, 411 + i);
      assert_text (&reading, labels[i].label, "name");
      assert_text (&reading, operators[i].name, "ADD");
    }
  g_assert_cmpuint (operators[2].spirv_id, ==, 413);
  assert_text (&reading, operators[2].name, "TOSA.001000.1 99");
  assert_edge (&reading, "source_operator/segment_0/spirv-413", 0,
               "source_operator/segment_0/spirv-412");
}

/* Two graph segments with a compute segment between them: their ids, keys and groups stay apart, and
 * a resource that one writes and the other reads joins them. Slots go by binding. */
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
  g_autoptr (GArray)    words = make_words ("graph_partition_0", FALSE);
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
  g_auto (Reading)      reading = { 0 };
  guint32               n;

  read_made (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-compute"), ==, 1);
  /* The first segment has no constant for its operator; the last has no module. */
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-constant"), ==, 1);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-segment"), ==, 1);
  assert_text (&reading,
               STRIA_ROWS (reading.facts, StriaVgfSegmentRow, STRIA_TABLE_VGF_SEGMENT)[1].dispatch,
               "[1, 2, 3]");
  assert_text (&reading,
               STRIA_ROWS (reading.facts, StriaVgfModuleRow, STRIA_TABLE_VGF_MODULE)[1].code_type,
               "GLSL");
  assert_edge (&reading, "mrt_2", 0, "source_operator/segment_0/spirv-51");
  assert_edge (&reading, "source_operator/segment_2/spirv-50", 0, "mrt_2");
  assert_edge (&reading, "mrt_4", 0, "source_operator/segment_2/spirv-51");
  assert_edge (&reading, "GraphOutputs", 0, "mrt_4");
  g_assert_cmpuint (stria_graph_find_node (reading.graph, "mrt_3"), ==, STRIA_NO_NODE);
  stria_graph_find_key (reading.graph, CONV, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (*stria_graph_find_key (reading.graph, (gint64) 2 << 32 | CONV, &n), ==,
                    find (&reading, "source_operator/segment_2/spirv-50"));
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
  VgfMaker           maker = make_one (&module);
  g_auto (Reading)   reading = { 0 };

  spirv_maker_begin_graph (words, 40);
  spirv_maker_op (words, 12, ID_TENSOR8, 60, ID_TOSA, 40, 40, ID_0, ID_0, -1);
  spirv_maker_end_graph (words, 60);
  maker.segments = segment;
  read_made (&reading, &maker);
  assert_edge (&reading, "source_operator/segment_0/spirv-60", 0, "mrt_0");
  assert_edge (&reading, "mrt_2", 0, "source_operator/segment_0/spirv-60");
}

/* Results that are structs have several outputs, taken apart by other instructions. Operators of
 * sets that are not known are nodes too, and no rows. */
static void
test_structs (void)
{
  static const guint32 set = 300;
  g_autoptr (GArray)   words = spirv_maker_prelude ("graph_partition_0", 0, 1);
  VgfMakerModule       module = { 1, "graph_partition_0", words };
  VgfMaker             maker = make_one (&module);
  g_auto (Reading)     reading = { 0 };
  guint32              n;
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
  read_made (&reading, &maker);
  outputs = stria_graph_outputs (reading.graph,
                                 find (&reading, "source_operator/segment_0/spirv-60"), &n);
  g_assert_cmpuint (n, ==, 2);
  assert_text (&reading, outputs[1].type, "1×8×8×4 int32");
  edges = stria_graph_in_edges (reading.graph,
                                find (&reading, "source_operator/segment_0/spirv-63"), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (
      stria_graph_edge (reading.graph, edges[0])->source_port, ==,
      (guint32) (&outputs[1]
                 - STRIA_ROWS (reading.facts, StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT)));
  assert_text (
      &reading,
      stria_graph_node (reading.graph, find (&reading, "source_operator/segment_0/spirv-63"))
          ->label,
      "Arm.Something.1 4");
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_OPERATOR), ==, 1);
}

/* A module of few words, or that ends inside: said, and the rest stays. */
static void
test_short_modules (void)
{
  g_autoptr (GArray) full = make_words ("graph_partition_0", TRUE);

  for (guint n = 1; n < full->len; n++)
    {
      g_autoptr (GArray) words = g_array_new (FALSE, FALSE, 4);
      VgfMakerModule     module = { 1, "graph_partition_0", words };
      VgfMaker           maker = make_one (&module);
      g_auto (Reading)   reading = { 0 };
      const StriaVgfModuleRow *row;

      g_array_append_vals (words, full->data, n);
      read_made (&reading, &maker);
      row = STRIA_ROWS (reading.facts, StriaVgfModuleRow, STRIA_TABLE_VGF_MODULE);
      g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-spirv"), ==, row->error != 0);
      if (n < 5)
        g_assert_nonnull (strstr (stria_facts_text (reading.facts, row->error), "5 words"));
      assert_edge (&reading, "mrt_0", 0, "GraphInputs");
      assert_edge (&reading, "GraphOutputs", 0, "mrt_2");
    }
}

/* Each cut, and each byte in three other ways: a message or facts that hold together. */
static void
test_damage (void)
{
  for (guint legacy = 0; legacy < 2; legacy++)
    {
      g_autoptr (GArray)     words = make_words ("graph_partition_0", TRUE);
      VgfMakerModule         module = { 1, "graph_partition_0", words };
      VgfMaker               maker = make_one (&module);
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (GArray)     borders = NULL;
      guint                  bad = 0;

      maker.legacy = legacy != 0;
      bytes = vgf_maker_finish (&maker, &borders);
      g_assert_cmpuint (borders->len, >, 20);
      for (guint cut = 0; cut < bytes->len; cut++)
        {
          g_autofree guint8 *part = g_memdup2 (bytes->data, cut);
          g_autoptr (GError) error = NULL;
          g_auto (Reading)   reading = { 0 };

          if (!read_bytes (&reading, part, cut, &error))
            {
              g_assert_true (error->domain == STRIA_ERROR);
              g_assert_true (g_str_has_prefix (error->message, "m.vgf: offset "));
              g_assert_true (stria_facts_is_empty (reading.facts));
              bad++;
            }
        }
      g_assert_cmpuint (bad, >, bytes->len - 16);
      for (guint at = 0; at < bytes->len; at++)
        for (guint k = 0; k < 3; k++)
          {
            static const guint8 flips[] = { 0x01, 0x80, 0xff };
            g_autoptr (GError)  error = NULL;
            g_auto (Reading)    reading = { 0 };

            bytes->data[at] ^= flips[k];
            if (!read_bytes (&reading, bytes->data, bytes->len, &error))
              g_assert_true (error->domain == STRIA_ERROR
                             && g_str_has_prefix (error->message, "m.vgf: "));
            bytes->data[at] ^= flips[k];
          }
      /* Where a part begins, a number that is too large. */
      for (guint b = 0; b < borders->len; b++)
        {
          guint32            at = g_array_index (borders, guint32, b);
          g_autoptr (GError) error = NULL;
          g_auto (Reading)   reading = { 0 };
          guint8             kept[4];

          if (at + 4 > bytes->len)
            continue;
          memcpy (kept, bytes->data + at, 4);
          memset (bytes->data + at, 0xff, 4);
          read_bytes (&reading, bytes->data, bytes->len, &error);
          memcpy (bytes->data + at, kept, 4);
        }
    }
}

/* A module that many segments use is walked for each up to a limit, and the limit is said. */
static void
test_many_segments (void)
{
  g_autoptr (GArray)          words = make_words ("graph_partition_0", FALSE);
  VgfMakerModule              module = { 1, "graph_partition_0", words };
  VgfMaker                    maker = make_one (&module);
  g_autofree VgfMakerSegment *segments = g_new0 (VgfMakerSegment, 12000);
  g_auto (Reading)            reading = { 0 };

  for (guint i = 0; i < 12000; i++)
    segments[i] = one_segment[0];
  maker.segments = segments;
  maker.n_segments = 12000;
  read_made (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-limit"), ==, 1);
  g_assert_cmpuint (stria_graph_n_nodes (reading.graph), >, 1000);
  g_assert_cmpuint (stria_graph_n_nodes (reading.graph), <, 24000);
}

/* Operators of a graph without slots, ids that are no values, an index that is too large. */
static void
test_wrong_slots (void)
{
  g_autoptr (GArray) words = spirv_maker_prelude ("graph_partition_0", 0, 1);
  VgfMakerModule     module = { 1, "graph_partition_0", words };
  VgfMaker           maker = make_one (&module);
  g_auto (Reading)   reading = { 0 };

  spirv_maker_op (words, 4183, ID_GRAPH_TYPE, ID_GRAPH, -1);
  spirv_maker_op (words, 4184, ID_TENSOR8, 40, ID_8, -1);
  spirv_maker_op (words, 12, ID_TENSOR8, 60, ID_TOSA, 40, 40, 0, 900, -1);
  spirv_maker_op (words, 4185, 60, ID_8, -1);
  spirv_maker_op (words, 4185, 900, ID_0, -1);
  spirv_maker_op (words, 4186, -1);
  /* Behind the graph's end, and in another graph: not of this segment. */
  spirv_maker_op (words, 12, ID_TENSOR8, 61, ID_TOSA, 40, 40, 0, 900, -1);
  spirv_maker_op (words, 4183, ID_GRAPH_TYPE, 62, -1);
  spirv_maker_op (words, 12, ID_TENSOR8, 63, ID_TOSA, 40, 40, 0, 900, -1);
  spirv_maker_op (words, 4186, -1);
  read_made (&reading, &maker);
  g_assert_cmpuint (stria_notices_total (reading.notices, "vgf-segment"), ==, 3);
  g_assert_cmpuint (stria_facts_size (reading.facts, STRIA_TABLE_VGF_OPERATOR), ==, 1);
  g_assert_cmpuint (stria_graph_n_edges (reading.graph), ==, 2);
}

/* A file of its own, by the registry. */
static void
test_decoder (void)
{
  g_autoptr (GArray)        words = make_words ("graph_partition_0", FALSE);
  VgfMakerModule            module = { 1, "graph_partition_0", words };
  VgfMaker                  maker = make_one (&module);
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

static void
test_cancel (void)
{
  g_autoptr (GArray)       words = spirv_maker_prelude ("graph_partition_0", 0, 1);
  VgfMakerModule           module = { 1, "graph_partition_0", words };
  VgfMaker                 maker = make_one (&module);
  g_autoptr (GByteArray)   bytes = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (StriaFacts)   facts = stria_facts_new ();
  g_autoptr (StriaNotices) notices = stria_notices_new ();
  g_autoptr (GError)       error = NULL;
  StriaDecodeContext       context
      = { .name = "m.vgf", .notices = notices, .cancellable = cancellable };
  guint32                  vgf, row;
  guint                    table;

  spirv_maker_begin_graph (words, 40);
  for (guint i = 0; i < 10000; i++)
    spirv_maker_op (words, 12, ID_TENSOR8, 60, ID_TOSA, 11, 40, -1);
  bytes = vgf_maker_finish (&maker, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_false (stria_vgf_read (facts, "main", NULL, STRIA_NO_REF, bytes->data, bytes->len, 0,
                                  &context, &vgf, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (stria_facts_check (facts, &table, &row));
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
  g_test_add_func ("/vgf/short-modules", test_short_modules);
  g_test_add_func ("/vgf/damage", test_damage);
  g_test_add_func ("/vgf/many-segments", test_many_segments);
  g_test_add_func ("/vgf/wrong-slots", test_wrong_slots);
  g_test_add_func ("/vgf/decoder", test_decoder);
  g_test_add_func ("/vgf/cancel", test_cancel);
  return g_test_run ();
}
