/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a device profile: as they are, and as a message with records behind it
 * whose header is right. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-ntff.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
decode (GBytes *bytes)
{
  StriaCapture *capture = stria_capture_new ("/fuzz.ntff");
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/fuzz.ntff", NULL, "fuzz.ntff", g_bytes_get_size (bytes), 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  gboolean good = FALSE;

  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.ntff", bytes, &error);
  if (source != NULL)
    {
      StriaSink *sink = stria_capture_open_sink (capture, 0);
      StriaDecodeContext context = {
        .capture = capture,
        .name = "fuzz.ntff",
        .notices = stria_capture_get_notices (capture),
      };

      good = stria_ntff_decoder.decode (source, sink, &context, &error);
      stria_capture_close_sink (capture, sink, TRUE);
    }
  g_assert_true (good == (error == NULL));
  g_object_unref (capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *whole = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_auto (StriaNtffPeek) peek = { 0 };
  guint16 length;

  stria_ntff_peek (data, size, size, &peek);
  if (size < 3 || data[0] % 2 == 0)
    {
      bytes = g_bytes_new_static (data, size);
      decode (bytes);
      return 0;
    }
  /* Two bytes say where the message ends. */
  memcpy (&length, data + 1, sizeof length);
  length = MIN (GUINT16_FROM_LE (length), size - 3);
  whole = g_malloc0 (128 + size - 3);
  whole[0] = 6;
  whole[1] = (guint8)length;
  whole[2] = (guint8)(length >> 8);
  memcpy (whole + 128, data + 3, size - 3);
  bytes = g_bytes_new_take (g_steal_pointer (&whole), 128 + size - 3);
  decode (bytes);
  return 0;
}
