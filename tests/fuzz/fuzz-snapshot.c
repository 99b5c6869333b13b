/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hostile bytes as an allocator snapshot, then asks what a window would ask of the result. */
#include "config.h"

#include <string.h>

#include "stria-capture.h"
#include "stria-decoder.h"
#include "stria-error.h"
#include "stria-source.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static StriaCapture *
decode (const guint8 *data, gsize size, gsize block, gboolean *good)
{
  const StriaDecoder *decoder = stria_decoder_by_kind (
      data[0] == '{' || data[0] == '[' ? "pytorch-snapshot-json" : "pytorch-snapshot");
  StriaCapture *capture = stria_capture_new ("/fuzz.pickle");
  g_autoptr (StriaArtifact) artifact
      = stria_artifact_new ("/fuzz.pickle", NULL, "fuzz.pickle", size, 0);
  g_autoptr (GBytes)      bytes = g_bytes_new_static (data, size);
  g_autoptr (GError)      error = NULL;
  g_autoptr (StriaSource) source = NULL;
  StriaSink              *sink;

  stria_capture_add_artifact (capture, artifact);
  source = stria_source_new_bytes ("fuzz.pickle", bytes, &error);
  *good = FALSE;
  if (source == NULL)
    {
      g_assert_nonnull (error);
      return capture;
    }
  stria_source_set_block_size (source, block);
  sink = stria_capture_open_sink (capture, 0);
  StriaDecodeContext context = {
    .capture = capture,
    .name = "fuzz.pickle",
    .notices = stria_capture_get_notices (capture),
  };
  *good = decoder->decode (source, sink, &context, &error);
  g_assert_true (*good == (error == NULL));
  if (error != NULL)
    g_assert_true (error->domain == STRIA_ERROR && error->message[0] != '\0');
  stria_capture_close_sink (capture, sink, TRUE);
  return capture;
}

static void
check_map (StriaAllocator *allocator, guint32 step)
{
  g_autoptr (StriaMap) map = stria_allocator_map (allocator, step, NULL, NULL);

  for (guint s = 0; s < map->segments->len; s++)
    {
      const StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, s);
      guint64                size = 0;

      for (guint r = segment->first; r < segment->first + segment->n; r++)
        size += g_array_index (map->ranges, StriaMapRange, r).size;
      g_assert_cmpuint (size, ==, segment->size);
    }
}

static void
check_plot (StriaAllocator *allocator, StriaPlotKind kind, gboolean by_time, gint64 x0, gint64 x1,
            guint64 bytes0, guint64 bytes1)
{
  g_autoptr (StriaPlot) plot
      = stria_allocator_plot (allocator, kind, by_time, x0, x1, 40, bytes0, bytes1, 30, NULL, NULL);
  StriaPlotWalk walk = STRIA_PLOT_WALK_INIT (plot);

  for (guint x = 0; stria_plot_walk_next (&walk); x++)
    {
      const StriaPlotColumn *column = &plot->columns[x];
      float top = 0;

      g_assert_cmpuint (column->first + column->n - column->same, <=, plot->runs->len);
      for (guint r = 0; r < walk.n; r++)
        {
          const StriaPlotRun *run = &walk.runs[r];

          g_assert_true (run->y0 >= top && run->y1 >= run->y0 && run->y1 < 30.1);
          top = run->y0;
        }
    }
  stria_plot_walk_clear (&walk);
}

static void
check_device (StriaAllocator *allocator)
{
  guint32            n = stria_allocator_get_n_events (allocator);
  guint32            steps[] = { 0, n / 3, n / 2, n };
  guint32            peak = stria_allocator_peak (allocator, 0, n);
  g_autoptr (GArray) leaks = stria_allocator_leaks (allocator, NULL, 2, NULL, NULL);
  StriaAllocFilter   filter = { .max_size = G_MAXUINT64, .text = "a", .address = 4096 };
  g_autoptr (GArray) events = stria_allocator_filter (allocator, &filter, NULL, NULL);
  StriaAllocTotals   most;

  g_assert_true (leaks != NULL && events != NULL);
  stria_allocator_totals (allocator, peak, &most);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GArray) live = stria_allocator_live (allocator, steps[i]);
      g_autoptr (GArray) flame
          = stria_allocator_flame (allocator, steps[i], 0, TRUE, NULL, NULL);
      StriaAllocTotals   totals;
      guint64            bytes = 0;

      stria_allocator_totals (allocator, steps[i], &totals);
      g_assert_cmpuint (totals.allocated, <=, most.allocated);
      g_assert_cmpuint (live->len, ==, totals.n_live);
      for (guint k = 0; k < live->len; k++)
        {
          StriaElement element;

          stria_allocator_get_element (allocator, g_array_index (live, guint32, k), &element);
          bytes += element.size;
        }
      g_assert_cmpuint (bytes, ==, totals.allocated);
      g_assert_cmpuint (g_array_index (flame, StriaFlameNode, 0).bytes, ==, totals.allocated);
      for (guint by = STRIA_GROUP_STACK; by <= STRIA_GROUP_LIFETIME; by++)
        {
          g_autoptr (GArray) rows
              = stria_allocator_group (allocator, by, steps[i], peak, NULL, NULL);
          guint64            sum = 0;

          for (guint r = 0; r < rows->len; r++)
            sum += g_array_index (rows, StriaAllocGroupRow, r).live_bytes;
          g_assert_cmpuint (sum, ==, totals.allocated);
        }
      check_map (allocator, steps[i]);
    }
  for (guint kind = STRIA_PLOT_BLOCKS; kind <= STRIA_PLOT_SEGMENTS; kind++)
    {
      check_plot (allocator, kind, FALSE, 0, (gint64) n + 1, 0, most.allocated + 1);
      check_plot (allocator, kind, FALSE, 0, (gint64) n + 1, 100, 140);
      if (stria_allocator_has_times (allocator) && n > 0)
        {
          gint64 t0 = stria_allocator_step_time_us (allocator, 0);
          gint64 t1 = stria_allocator_step_time_us (allocator, n);

          if (t0 < t1 && t0 > -G_MAXINT64 / 4 && t1 < G_MAXINT64 / 4)
            check_plot (allocator, kind, TRUE, t0, t1, 0, most.allocated + 1);
        }
    }
}

static void
check_snapshot (StriaSnapshotData *data)
{
  for (guint32 f = 0; f < stria_snapshot_get_n_frames (data); f++)
    {
      g_autofree char *text = stria_snapshot_frame_text (data, f);

      g_assert_true (g_utf8_validate (text, -1, NULL));
    }
  for (guint32 s = 0; s < stria_snapshot_get_n_stacks (data); s++)
    {
      guint32 n;
      guint32 label = stria_snapshot_stack_label (data, s);

      g_assert_true (stria_snapshot_get_stack (data, s, &n) != NULL && n > 0);
      g_assert_true (label == G_MAXUINT32 || label < stria_snapshot_get_n_frames (data));
    }
  for (guint i = 0; i < stria_snapshot_get_n_devices (data); i++)
    check_device (stria_snapshot_get_device (data, i));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GPtrArray) whole_snapshots = NULL;
  g_autoptr (GPtrArray) parts_snapshots = NULL;
  StriaCapture         *whole;
  StriaCapture         *parts;
  gboolean              whole_good;
  gboolean              parts_good;

  if (size == 0)
    return 0;
  whole = decode (data, size, 1 << 20, &whole_good);
  parts = decode (data, size, MAX (61, size / 16), &parts_good);
  g_assert_cmpint (whole_good, ==, parts_good);
  whole_snapshots = stria_capture_get_snapshots (whole);
  parts_snapshots = stria_capture_get_snapshots (parts);
  g_assert_cmpuint (whole_snapshots->len, ==, parts_snapshots->len);
  for (guint i = 0; i < whole_snapshots->len; i++)
    {
      StriaSnapshotData *a = whole_snapshots->pdata[i];
      StriaSnapshotData *b = parts_snapshots->pdata[i];

      check_snapshot (a);
      g_assert_cmpuint (stria_snapshot_get_n_devices (a), ==, stria_snapshot_get_n_devices (b));
      g_assert_cmpuint (stria_snapshot_get_n_stacks (a), ==, stria_snapshot_get_n_stacks (b));
      for (guint d = 0; d < stria_snapshot_get_n_devices (a); d++)
        g_assert_cmpuint (
            stria_allocator_get_n_elements (stria_snapshot_get_device (a, d)), ==,
            stria_allocator_get_n_elements (stria_snapshot_get_device (b, d)));
    }
  g_object_unref (whole);
  g_object_unref (parts);
  /* Signals of captures wait for a main loop, and hold them. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return 0;
}
