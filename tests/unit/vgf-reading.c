/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "vgf-reading.h"

#include "stria-vgf.h"

void
vgf_reading_clear (VgfReading *self)
{
  g_clear_pointer (&self->graph, stria_graph_unref);
  g_clear_pointer (&self->facts, stria_facts_unref);
  g_clear_pointer (&self->notices, stria_notices_unref);
}

gboolean
vgf_reading_read (VgfReading *self, const guint8 *data, gsize length, GError **error)
{
  StriaDecodeContext context = { .name = "m.vgf" };
  gboolean           good;
  guint              table;
  guint32            row;

  self->facts = stria_facts_new ();
  context.notices = self->notices = stria_notices_new ();
  good = stria_vgf_read (self->facts, "main", "forward", STRIA_NO_REF, data, length, VGF_BASE,
                         &context, &self->vgf, error);
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

void
vgf_reading_make (VgfReading *self, const VgfMaker *maker)
{
  g_autoptr (GByteArray) bytes = vgf_maker_finish (maker, NULL);
  g_autoptr (GError)     error = NULL;

  g_assert_true (vgf_reading_read (self, bytes->data, bytes->len, &error));
  g_assert_no_error (error);
}

const StriaVgfRow *
vgf_reading_row (const VgfReading *self)
{
  return STRIA_ROWS (self->facts, StriaVgfRow, STRIA_TABLE_VGF) + self->vgf;
}

void
vgf_reading_assert_text (const VgfReading *self, guint32 string, const char *expected)
{
  g_assert_cmpstr (stria_facts_text (self->facts, string), ==, expected);
}

guint32
vgf_reading_find (const VgfReading *self, const char *id)
{
  guint32 node = stria_graph_find_node (self->graph, id);

  if (node == STRIA_NO_NODE)
    g_error ("no node “%s”", id);
  return node;
}

void
vgf_reading_assert_edge (const VgfReading *self, const char *to, guint k, const char *from)
{
  guint32        n;
  const guint32 *edges = stria_graph_in_edges (self->graph, vgf_reading_find (self, to), &n);

  g_assert_cmpuint (k, <, n);
  g_assert_cmpstr (
      stria_graph_text (
          self->graph,
          stria_graph_node (self->graph, stria_graph_edge_source (self->graph, edges[k]))->id),
      ==, from);
}

/* A CONV2D whose result a VGF_RESCALE takes; debug records if asked for. */
GArray *
vgf_reading_words (const char *name, gboolean with_records)
{
  GArray *words = spirv_maker_prelude (name, 0, 1);

  if (with_records)
    {
      /* Vector 10 of the specification's tests: record set 10, name 20, for 411 and 412. */
      static const guint32 set = 310, text = 320, other = 321;

      spirv_maker_text (words, 11, &set, 1, "NonSemantic.Graph.DebugInfo.1", -1);
      spirv_maker_text (words, 7, &text, 1, "{\"event_id\": 1}", -1);
      spirv_maker_text (words, 7, &other, 1, "later", -1);
      spirv_maker_op (words, 12, ID_INT32, 330, 310, 2, 0, 320, VGF_CONV, 412, -1);
      spirv_maker_op (words, 12, ID_INT32, 331, 310, 2, 0, 321, VGF_CONV, -1);
      spirv_maker_op (words, 12, ID_INT32, 332, 310, 3, 0, 321, VGF_RESCALE, -1);
      spirv_maker_op (words, 12, ID_INT32, 333, 310, 2, 0, 999, VGF_RESCALE, -1);
    }
  spirv_maker_begin_graph (words, 40);
  spirv_maker_op (words, 12, ID_TENSOR32, VGF_CONV, ID_TOSA, 2, ID_FOUR_ZEROS, ID_TWO_ONES,
                  ID_TWO_ONES, ID_1, ID_FALSE, 40, ID_WEIGHT, ID_3, ID_0, ID_0, -1);
  spirv_maker_op (words, 12, ID_TENSOR8, VGF_RESCALE, ID_TOSA, 65, ID_TRUE, ID_2, ID_TRUE, ID_FALSE,
                  ID_FALSE, VGF_CONV, ID_SHAPE, ID_3, ID_0, ID_0, -1);
  spirv_maker_end_graph (words, VGF_RESCALE);
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

VgfMaker
vgf_reading_one (const VgfMakerModule *module)
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
