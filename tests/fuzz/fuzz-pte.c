/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as an ExecuTorch program, whole and cut at each power of two; what holds of any
 * program holds of what was read. */
#include "config.h"

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-graph.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_graph (StriaFacts *facts, guint32 number)
{
  g_autoptr (StriaGraph) graph = stria_graph_new (facts, number);
  guint32 n_attrs = (guint32) stria_facts_size (facts, STRIA_TABLE_GRAPH_ATTR);

  for (guint32 i = 0; i < stria_graph_n_nodes (graph); i++)
    {
      const StriaGraphNodeRow *node = stria_graph_node (graph, i);
      guint32 n;
      const StriaGraphPortRow *ports = stria_graph_inputs (graph, i, &n);

      g_assert_cmpuint (stria_graph_find_node (graph, stria_graph_text (graph, node->id)), ==, i);
      for (guint32 p = 0; p < n; p++)
        g_assert_true (ports[p].first_attr <= n_attrs
                       && ports[p].n_attrs <= n_attrs - ports[p].first_attr);
    }
  for (guint32 i = 0; i < stria_graph_n_edges (graph); i++)
    {
      const StriaGraphEdgeRow *edge = stria_graph_edge (graph, i);
      const StriaGraphPortRow *ports
          = STRIA_ROWS (facts, StriaGraphPortRow, STRIA_TABLE_GRAPH_PORT);

      g_assert_true (edge->source_port == STRIA_NO_REF
                     || ports[edge->source_port].node == edge->source);
      g_assert_true (edge->target_port == STRIA_NO_REF
                     || ports[edge->target_port].node == edge->target);
    }
}

static void
check (StriaFacts *facts, gsize size)
{
  const StriaProgramDelegateRow *delegates
      = STRIA_ROWS (facts, StriaProgramDelegateRow, STRIA_TABLE_PROGRAM_DELEGATE);
  const StriaProgramInstructionRow *instructions
      = STRIA_ROWS (facts, StriaProgramInstructionRow, STRIA_TABLE_PROGRAM_INSTRUCTION);
  const StriaGraphNodeRow *nodes = STRIA_ROWS (facts, StriaGraphNodeRow, STRIA_TABLE_GRAPH_NODE);
  guint table;
  guint32 row;

  g_assert_true (stria_facts_check (facts, &table, &row));
  for (gsize i = 0; i < stria_facts_size (facts, STRIA_TABLE_PROGRAM_DELEGATE); i++)
    g_assert_true (delegates[i].offset <= size && delegates[i].size <= size - delegates[i].offset);
  for (gsize i = 0; i < stria_facts_size (facts, STRIA_TABLE_PROGRAM_INSTRUCTION); i++)
    g_assert_cmpint (nodes[instructions[i].node].key, ==,
                     (gint64) ((guint64) instructions[i].chain << 32 | instructions[i].number));
  for (guint32 i = 0; i < stria_facts_size (facts, STRIA_TABLE_GRAPH); i++)
    check_graph (facts, i);
}

static void
decode (const guint8 *data, gsize size)
{
  const StriaDecoder *decoder = stria_decoder_by_kind ("pte");
  StriaCapture *capture = stria_capture_new ("/fuzz.pte");
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/fuzz.pte", NULL, "fuzz.pte", size, 0);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (StriaFacts) facts = NULL;
  gboolean good = FALSE;

  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.pte", bytes, &error);
  if (source != NULL)
    {
      StriaSink *sink = stria_capture_open_sink (capture, 0);
      StriaDecodeContext context = {
        .capture = capture,
        .name = "fuzz.pte",
        .notices = stria_capture_get_notices (capture),
      };
      gboolean inflated = stria_source_is_compressed (source);

      good = decoder->decode (source, sink, &context, &error);
      stria_capture_close_sink (capture, sink, TRUE);
      facts = stria_capture_ref_facts (capture, 0);
      if (facts != NULL)
        check (facts, inflated ? G_MAXSIZE : size);
    }
  g_assert_true (good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  g_object_unref (capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size > 0)
    decode (data, size);
  if (size <= 16384)
    for (gsize length = 8; length < size; length *= 2)
      decode (data, length);
  return 0;
}
