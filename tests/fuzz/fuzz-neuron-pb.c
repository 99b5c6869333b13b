/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as a file of a system profile; the first byte says which, and whether they are
 * held against a session. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-pb-frames.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static const char *const kinds[]
    = { "neuron-trace-info", "neuron-ntrace", "neuron-cpu-util", "neuron-host-mem" };

/* What any framing says of a file holds when it is walked. */
static void
check_frames (StriaStreamKind kind, const guint8 *data, gsize size)
{
  static const guint8 session[] = { /* 2026-04-20 08:05:48.756 */
    0x58, 0xa9, 0x93, 0x9f, 0xaf, 0xe8, 0xc2, 0x80, 0xd4, 0x18,
  };
  g_autoptr (StriaProtoSchema) schema = stria_proto_schema_new_builtin ();
  g_autoptr (StriaTraceInfo) info
      = stria_trace_info_peek (session, sizeof session, TRUE, NULL);
  g_autoptr (GError) error = NULL;
  StriaFrames frames;
  StriaFrameWalk walk;
  gsize offset, length, before;
  guint64 n = 0;

  if (!stria_frames_detect (schema, kind, data, size, info, "fuzz.pb", &frames, NULL, &error))
    {
      g_assert_true (g_error_matches (error, STRIA_ERROR, STRIA_ERROR_MALFORMED));
      return;
    }
  g_assert_true (frames.accepted && frames.end <= size && frames.begin <= frames.end);
  stria_frame_walk_init (&walk, schema, kind, &frames, data, frames.end);
  before = walk.at;
  while (stria_frame_walk_next (&walk, &offset, &length) == STRIA_FRAME_RECORD)
    {
      g_assert_true (offset >= before && length <= frames.end - offset);
      g_assert_true (walk.at > before);
      before = walk.at;
      n++;
    }
  g_assert_cmpuint (n, ==, frames.n_records);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const StriaDecoder *decoder;
  StriaCapture *capture;
  g_autoptr (StriaArtifact) artifact = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  guint kind;

  if (size < 2)
    return 0;
  kind = data[0] & 3;
  data++;
  size--;
  decoder = stria_decoder_by_kind (kinds[kind]);
  g_assert_cmpuint (decoder->probe ("fuzz.pb", data, size, TRUE), <=, 100);
  if (kind > 0)
    check_frames (kind - 1, data, size);

  capture = stria_capture_new ("/fuzz.pb");
  artifact = stria_artifact_new ("/fuzz.pb", NULL, "fuzz.pb", size, 0);
  bytes = g_bytes_new_static (data, size);
  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.pb", bytes, &error);
  if (source != NULL)
    {
      StriaSink *sink = stria_capture_open_sink (capture, 0);
      StriaDecodeContext context = {
        .capture = capture,
        .name = "fuzz.pb",
        .notices = stria_capture_get_notices (capture),
      };
      gboolean good = decoder->decode (source, sink, &context, &error);

      stria_capture_close_sink (capture, sink, TRUE);
      g_assert_true (good == (error == NULL));
    }
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  g_object_unref (capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return 0;
}
