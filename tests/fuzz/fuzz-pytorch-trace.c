/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile text as a trace, in one block and in small ones, which must come to the same, then
 * asks what a window would ask of the result. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-display-list.h"
#include "stria-error.h"
#include "stria-source.h"
#include "stria-stats.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

typedef struct
{
  StriaCapture *capture;
  gboolean      good;
  guint64       taken;
} Decoded;

static Decoded
decode (const guint8 *data, gsize size, gsize block)
{
  const StriaDecoder *decoder = stria_decoder_by_kind ("pytorch-trace");
  Decoded decoded = { .capture = stria_capture_new ("/fuzz.json") };
  g_autoptr (StriaArtifact) artifact = stria_artifact_new ("/fuzz.json", NULL, "fuzz.json", size, 0);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaSource) source = NULL;
  StriaSink *sink;

  stria_capture_add_artifact (decoded.capture, artifact);
  source = stria_source_new_bytes ("fuzz.json", bytes, &error);
  if (source == NULL)
    {
      g_assert_nonnull (error);
      return decoded;
    }
  stria_source_set_block_size (source, block);
  sink = stria_capture_open_sink (decoded.capture, 0);
  StriaDecodeContext context = {
    .capture = decoded.capture,
    .name = "fuzz.json",
    .notices = stria_capture_get_notices (decoded.capture),
  };
  decoded.good = decoder->decode (source, sink, &context, &error);
  g_assert_true (decoded.good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  decoded.taken = stria_capture_close_sink (decoded.capture, sink, TRUE);
  return decoded;
}

static void
check_lane (StriaLane *lane)
{
  const StriaColumns *c = stria_lane_get_columns (lane);
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (StriaDrawRecord));
  gint64 t0, t1;
  guint64 covered = 0;

  g_assert_cmpuint (c->n, ==, stria_lane_get_n_events (lane));
  for (guint32 row = 0; row < stria_lane_get_n_rows (lane); row++)
    {
      guint64 begin, end;

      stria_lane_get_row (lane, row, &begin, &end);
      g_assert_cmpuint (begin, ==, covered);
      covered = end;
      for (guint64 i = begin + 1; i < end; i++)
        g_assert_cmpint (c->start[i - 1], <=, c->start[i]);
    }
  g_assert_cmpuint (covered, ==, c->n);
  if (!stria_lane_get_range (lane, &t0, &t1) || t1 <= t0 || t0 < -G_MAXINT64 / 4 || t1 > G_MAXINT64 / 4)
    return;
  if (stria_lane_get_kind (lane) == STRIA_LANE_COUNTER)
    {
      StriaCounterColumn columns[64];

      stria_display_list_counter (lane, t0, t1, G_N_ELEMENTS (columns), columns);
    }
  else
    {
      stria_display_list_slices (lane, 0, stria_lane_get_n_rows (lane), t0, t1, 300, NULL, records);
    }
}

static void
check_trace (StriaTrace *trace)
{
  gint64 t0, t1;
  gsize n_flows;

  for (guint32 l = 0; l < stria_trace_get_n_lanes (trace); l++)
    {
      StriaLane *lane = stria_trace_get_lane (trace, l);
      const StriaColumns *c = stria_lane_get_columns (lane);

      g_assert_true (g_utf8_validate (stria_lane_get_name (lane), -1, NULL));
      check_lane (lane);
      for (guint64 i = 0; i < MIN (c->n, 20); i++)
        {
          StriaRef ref = { l, (guint32) i };
          g_autoptr (GError) error = NULL;
          g_autoptr (GBytes) args = stria_trace_get_args (trace, ref, &error);
          g_autoptr (GArray) stack = stria_trace_python_stack (trace, ref);

          g_assert_no_error (error);
          g_assert_true (args == NULL || g_bytes_get_size (args) > 0);
          g_assert_nonnull (stack);
          g_assert_true (g_utf8_validate (stria_trace_get_string (trace, c->name[i]), -1, NULL));
        }
    }
  stria_trace_get_flows (trace, &n_flows);
  if (stria_trace_get_view_range (trace, &t0, &t1) && t1 > t0)
    {
      g_autoptr (StriaStats) stats = stria_stats_new (trace, NULL, 0, t0, t1, NULL, NULL);

      g_assert_nonnull (stats);
      g_assert_true (stria_stats_percentiles (stats, trace, NULL, 0, NULL, NULL));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gsize blocks[] = { 1, 7, 64, 1000 };
  gsize block = size > 0 ? blocks[data[size - 1] % G_N_ELEMENTS (blocks)] : 1;
  Decoded whole, parts;
  StriaTrace *trace;

  /* Small blocks over large texts only cost time. */
  if (block == 1 && size > 2000)
    block = 64;
  whole = decode (data, size, 1 << 20);
  parts = decode (data, size, block);
  g_assert_cmpint (whole.good, ==, parts.good);
  g_assert_cmpuint (whole.taken, ==, parts.taken);
  trace = stria_capture_ref_trace (whole.capture);
  if (trace != NULL)
    {
      check_trace (trace);
      stria_trace_unref (trace);
    }
  g_object_unref (whole.capture);
  g_object_unref (parts.capture);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return 0;
}
