/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as an ETDump; what holds of any dump holds of what was read. */
#include "config.h"

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-fact-tables.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check (StriaFacts *facts)
{
  gsize n = stria_facts_size (facts, STRIA_TABLE_DUMP_EVENT);
  const StriaDumpEventRow *rows = STRIA_ROWS (facts, StriaDumpEventRow, STRIA_TABLE_DUMP_EVENT);
  guint table;
  guint32 row;

  g_assert_true (stria_facts_check (facts, &table, &row));
  for (gsize i = 0; i < n; i++)
    {
      const StriaDumpEventRow *parent;

      if (rows[i].parent == STRIA_NO_REF)
        continue;
      parent = &rows[rows[i].parent];
      g_assert_true (parent != &rows[i] && parent->run == rows[i].run);
      g_assert_true (parent->start <= rows[i].start
                     && parent->start + parent->elapsed >= rows[i].start + rows[i].elapsed);
      g_assert_true (parent->chain < 0
                     || (parent->chain == rows[i].chain
                         && parent->instruction == rows[i].instruction));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const StriaDecoder *decoder = stria_decoder_by_kind ("etdump");
  StriaCapture *capture = stria_capture_new ("/fuzz.etdp");
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/fuzz.etdp", NULL, "fuzz.etdp", size, 0);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  g_autoptr (StriaFacts) facts = NULL;
  gboolean good = FALSE;

  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.etdp", bytes, &error);
  if (source != NULL)
    {
      StriaSink *sink = stria_capture_open_sink (capture, 0);
      StriaDecodeContext context = {
        .capture = capture,
        .name = "fuzz.etdp",
        .notices = stria_capture_get_notices (capture),
      };

      good = decoder->decode (source, sink, &context, &error);
      stria_capture_close_sink (capture, sink, TRUE);
      facts = stria_capture_ref_facts (capture, 0);
    }
  g_assert_true (good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  if (facts != NULL)
    check (facts);
  g_object_unref (capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return 0;
}
