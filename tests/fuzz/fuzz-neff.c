/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a compiled program; a header that is no longer one is mended first, so that the
 * members are reached. What was read is asked for again. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-neff.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static GBytes *
mend (const guint8 *data, gsize size)
{
  guint8 *copy = g_malloc0 (size + 1536);
  guint64 length = GUINT64_TO_LE (size), header = GUINT64_TO_LE (1024), package = GUINT64_TO_LE (1);

  memcpy (copy + 1024, data, size);
  memcpy (copy, &package, 8);
  memcpy (copy + 8, &header, 8);
  memcpy (copy + 16, &length, 8);
  memcpy (copy + 1024 + 257, "ustar", 5);
  return g_bytes_new_take (copy, size + 1536);
}

static void
decode (GBytes *bytes)
{
  g_autoptr (StriaCapture) capture = stria_capture_new ("/nowhere/fuzz.neff");
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/nowhere/fuzz.neff", NULL, "fuzz.neff", g_bytes_get_size (bytes), 0);
  g_autoptr (StriaSource) source = stria_source_new_bytes ("fuzz.neff", bytes, NULL);
  g_autoptr (GPtrArray) tables = NULL;
  StriaDecodeContext context = { .name = "fuzz.neff" };
  g_autoptr (GError) error = NULL;

  if (source == NULL)
    return;
  stria_capture_add_artifact (capture, artifact);
  context.capture = capture;
  context.notices = stria_capture_get_notices (capture);
  StriaSink *sink = stria_capture_open_sink (capture, 0);
  gboolean ok = stria_neff_decoder.decode (source, sink, &context, &error);
  stria_capture_close_sink (capture, sink, ok);
  g_assert_true (ok == (error == NULL));

  tables = stria_capture_get_tables (capture);
  for (guint t = 0; t < tables->len; t++)
    for (guint c = 0; c < stria_table_get_n_columns (tables->pdata[t]); c++)
      for (guint32 k = 0; k < stria_table_get_n_chunks (tables->pdata[t]); k++)
        {
          g_autoptr (StriaColumnChunk) chunk = stria_table_load (tables->pdata[t], c, k, NULL);
          g_assert_nonnull (chunk);
        }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GBytes) mended = mend (data, size);

  decode (bytes);
  decode (mended);
  return 0;
}
