/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a VGF, and what looks like a module inside them word by word; what holds of
 * any graph of operators holds of what was read. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-fact-tables.h"
#include "stria-graph.h"
#include "stria-source.h"
#include "stria-spirv.h"

#define SPIRV_MARK "\x03\x02\x23\x07"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_vgf (StriaFacts *facts)
{
  const StriaVgfRow *vgf = STRIA_ROWS (facts, StriaVgfRow, STRIA_TABLE_VGF);
  const StriaVgfOperatorRow *operators
      = STRIA_ROWS (facts, StriaVgfOperatorRow, STRIA_TABLE_VGF_OPERATOR);
  gsize n_operators = stria_facts_size (facts, STRIA_TABLE_VGF_OPERATOR);
  g_autoptr (StriaGraph) graph = NULL;
  guint table;
  guint32 row;

  g_assert_true (stria_facts_check (facts, &table, &row));
  g_assert_cmpuint (stria_facts_size (facts, STRIA_TABLE_VGF), ==, 1);
  g_assert_cmpuint (vgf->n_modules, ==, stria_facts_size (facts, STRIA_TABLE_VGF_MODULE));
  g_assert_cmpuint (vgf->n_segments, ==, stria_facts_size (facts, STRIA_TABLE_VGF_SEGMENT));
  if (vgf->graph == STRIA_NO_REF)
    {
      g_assert_cmpuint (n_operators, ==, 0);
      return;
    }
  graph = stria_graph_new (facts, vgf->graph);
  g_assert_nonnull (graph);
  for (gsize i = 0; i < n_operators; i++)
    {
      const StriaGraphNodeRow *node
          = STRIA_ROWS (facts, StriaGraphNodeRow, STRIA_TABLE_GRAPH_NODE) + operators[i].node;

      g_assert_cmpint (node->key, ==, (gint64) operators[i].segment << 32 | operators[i].spirv_id);
      g_assert_cmpuint (operators[i].segment, <, vgf->n_segments);
    }
  /* Edges into an operator are of its own operands, and each operand has one at most. */
  for (guint32 n = 0; n < stria_graph_n_nodes (graph); n++)
    {
      guint32 n_edges, n_inputs;
      const guint32 *edges = stria_graph_in_edges (graph, n, &n_edges);

      stria_graph_inputs (graph, n, &n_inputs);
      if (stria_graph_node (graph, n)->kind == STRIA_NODE_OPERATOR)
        g_assert_cmpuint (n_edges, <=, n_inputs);
      for (guint32 e = 0; e < n_edges; e++)
        g_assert_cmpuint (stria_graph_edge_target (graph, edges[e]), ==, n);
    }
}

static void
decode (const guint8 *data, gsize size)
{
  const StriaDecoder *decoder = stria_decoder_by_kind ("vgf");
  StriaCapture *capture = stria_capture_new ("/fuzz.vgf");
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/fuzz.vgf", NULL, "fuzz.vgf", size, 0);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (StriaFacts) facts = NULL;
  gboolean good = FALSE;

  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.vgf", bytes, &error);
  if (source != NULL)
    {
      StriaSink *sink = stria_capture_open_sink (capture, 0);
      StriaDecodeContext context = {
        .capture = capture,
        .name = "fuzz.vgf",
        .notices = stria_capture_get_notices (capture),
      };

      good = decoder->decode (source, sink, &context, &error);
      stria_capture_close_sink (capture, sink, TRUE);
      facts = stria_capture_ref_facts (capture, 0);
    }
  g_assert_true (good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  if (good)
    check_vgf (facts);
  g_object_unref (capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* Asks every id of a module what it is. */
static void
ask (const guint8 *words, gsize n_words)
{
  g_auto (StriaSpirv) spirv = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!stria_spirv_init (&spirv, words, n_words, &error))
    {
      g_assert_nonnull (error);
      return;
    }
  for (guint32 id = 0; id < MIN (spirv.n_ids + 1, 20000); id++)
    {
      gint64 number;

      stria_spirv_value (&spirv, id, text);
      stria_spirv_type (&spirv, id, text);
      stria_spirv_type (&spirv, stria_spirv_type_of (&spirv, id), text);
      stria_spirv_integer (&spirv, id, &number);
      g_assert_true (g_utf8_validate (text->str, (gssize) text->len, NULL));
      g_assert_cmpuint (text->len, <, 40000);
      g_string_truncate (text, 0);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const guint8 *words = size >= 4 ? memmem (data, size, SPIRV_MARK, 4) : NULL;

  decode (data, size);
  if (words != NULL)
    ask (words, (size - (gsize) (words - data)) / 4);
  return 0;
}
