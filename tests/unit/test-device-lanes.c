/* SPDX-License-Identifier: Apache-2.0 */
/* How lanes of a device profile are shown: what belongs together, what is left out, and colours. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "neuron-rows.h"
#include "stria-coloring.h"
#include "stria-match.h"
#include "stria-paint-private.h"
#include "stria-running-mean.h"
#include "trace-text.h"

#define WIDTH  400
#define HEIGHT 900

const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\n";
}

typedef struct
{
  StriaCapture        *capture;
  StriaTrace          *trace;
  StriaTimelineLayout *layout;
  StriaTimelineView    view;
} Fixture;

static void
feed (StriaNeuronEmitter *emitter)
{
  add_rows (emitter, "Instruction",
            "start_ts|end_ts|duration_ns|engine|timeline_track|pcore_idx|opcode|id|evt_wait_time_ns|"
            "layer|hlo_name",
            ROWS ("0|400|400|Vector|Vector|0|COPY|1|-|m/l0/attn/aten::mm|dot.1",
                  "600|1000|400|Vector|Vector|0|ADD|2|200|m/l1/mlp/aten::mm|dot.2",
                  "0|100|100|Scalar|Scalar|0|ACT|3|100|-|tanh.7",
                  "200|300|100|Scalar|Scalar|0|ACT|4|900|-|-"));
  add_rows (emitter, "DmaPacketAggregated",
            "start_ts|end_ts|duration_ns|id|pcore_idx|queue_name|queue_type|op|variable|transfer_bytes",
            ROWS ("10|30|20|1|0|qOne|input|copy|weights|512", "40|90|50|2|0|qOne|input|copy|acts|8192"));
  add_rows (emitter, "DmaPacket",
            "start_ts|end_ts|duration_ns|engine_idx|queue_type|queue_name|pcore_idx",
            ROWS ("10|30|20|64|input|qOne|0"));
  add_rows (emitter, "CoreBarriers",
            "start_ts|end_ts|duration_ns|pcore_idx|compiler_opcode|engine_name",
            ROWS ("450|550|100|0|PSEUDO_CORE_BARRIER|Vector"));
  add_rows (emitter, "Throttle", "timestamp|duration|k|n|type|pcore_idx",
            ROWS ("500|250|1|2|activity_0|0"));
  add_rows (emitter, "Error", "timestamp|description|type|pcore_idx", ROWS ("700|NaN|NUMERICAL|0"));
  add_rows (emitter, "SbufUsage",
            "timestamp|pcore_idx|avg_util_percent|partition_0_util_percent|partition_32_util_percent",
            ROWS ("0|0|60|40|80", "500|0|10|0|20", "1000|0|10|0|20"));
  add_rows (emitter, "DmaUsage", "timestamp|pcore_idx|current_throughput|total_transfer_bytes",
            ROWS ("0|0|100|0", "500|0|300|50", "1000|0|300|200"));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  StriaSink *sink = NULL;
  StriaNeuronEmitter *emitter = NULL;

  f->capture = trace_text_capture ("profile");
  sink = stria_capture_open_sink (f->capture, 0);
  emitter = stria_neuron_emitter_new (sink, "step");
  feed (emitter);
  stria_neuron_emitter_free (emitter);
  stria_capture_close_sink (f->capture, sink, TRUE);
  f->trace = stria_capture_ref_trace (f->capture);
  g_assert_true (stria_trace_load_all (f->trace, NULL, NULL));
  f->layout = stria_timeline_layout_new ();
  stria_timeline_layout_set_trace (f->layout, f->trace);
  f->view = (StriaTimelineView){
    .trace = f->trace,
    .layout = f->layout,
    .selection = STRIA_REF_NONE,
    .t0 = 0,
    .t1 = 1000,
    .font_size = STRIA_TIMELINE_FONT_SIZE,
  };
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  stria_timeline_layout_unref (f->layout);
  stria_trace_unref (f->trace);
  g_object_unref (f->capture);
}

static guint32
find (Fixture *f, const char *table, const char *name)
{
  for (guint32 i = 0; i < stria_trace_get_n_lanes (f->trace); i++)
    {
      StriaLane *lane = stria_trace_get_lane (f->trace, i);

      if (stria_lane_is_of_table (lane, table) && strstr (stria_lane_get_name (lane), name) != NULL)
        return i;
    }
  g_assert_not_reached ();
}

static gboolean
shows (Fixture *f, const char *table, const char *name)
{
  return stria_timeline_layout_of_lane (f->layout, find (f, table, name)) != NULL;
}

/* -- stacks ------------------------------------------------------------------------------------ */

static void
test_stacks (Fixture *f, gconstpointer data)
{
  const guint32 mean = find (f, "SbufUsage", "mean");
  const guint32 first = find (f, "SbufUsage", "partition 0");
  const guint32 second = find (f, "SbufUsage", "partition 32");
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (f->layout, first);

  g_assert_nonnull (stack);
  g_assert_true (stack == stria_timeline_layout_stack_of (f->layout, mean));
  g_assert_cmpuint (stack->leader, ==, mean);
  g_assert_cmpuint (stack->n_parts, ==, 2);
  g_assert_true (stack->is_mean);
  g_assert_cmpfloat (stria_lane_stack_max (stack, f->trace), ==, 60);
  g_assert_cmpstr (stria_lane_stack_part_name (stack, stria_trace_get_lane (f->trace, second)), ==,
                   "partition 32");
  /* One lane for all, found by each of them */
  g_assert_true (stria_timeline_layout_of_lane (f->layout, first)
                 == stria_timeline_layout_of_lane (f->layout, mean));
  g_assert_cmpuint (stria_timeline_layout_of_lane (f->layout, first)->lane, ==, mean);
  stria_timeline_layout_set_stacked (f->layout, FALSE);
  g_assert_cmpuint (stria_timeline_layout_of_lane (f->layout, first)->lane, ==, first);
  g_assert_null (stria_timeline_layout_stack_of (f->layout, first));
}

static cairo_surface_t *
paint (Fixture *f)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  stria_timeline_paint_lanes (cr, &f->view, WIDTH, HEIGHT, 0, FALSE);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
  guint32 argb = 0;

  memcpy (&argb,
          cairo_image_surface_get_data (surface)
              + (gsize) y * (gsize) cairo_image_surface_get_stride (surface) + (gsize) x * 4,
          sizeof argb);
  return argb;
}

static guint32
area_of (guint part, guint32 background)
{
  return stria_paint_mix (background, stria_color_argb (stria_color_series (part, FALSE)), 190);
}

/* Partitions of 40 and 80 count by half: 20 with 40 on top of it, of 60 that the lane is high. */
static void
test_stack_areas (Fixture *f, gconstpointer data)
{
  const StriaLayoutItem *item
      = stria_timeline_layout_of_lane (f->layout, find (f, "SbufUsage", "mean"));
  cairo_surface_t *surface = paint (f);
  const double foot = item->y + item->height - STRIA_LAYOUT_LANE_PADDING;
  const double inner = item->height - 2 * STRIA_LAYOUT_LANE_PADDING;
  const guint32 background = pixel (surface, 301, (int) (item->y + 1));

#define AT(share) ((int) (foot - inner * (share)))
  g_assert_cmphex (pixel (surface, 101, AT (10.0 / 60)), ==, area_of (0, background));
  g_assert_cmphex (pixel (surface, 101, AT (30.0 / 60)), ==, area_of (1, background));
  g_assert_cmphex (pixel (surface, 101, AT (55.0 / 60)), ==, area_of (1, background));
  /* Later only the second has any: 10 of 60 */
  g_assert_cmphex (pixel (surface, 301, AT (5.0 / 60)), ==, area_of (1, background));
  g_assert_cmphex (pixel (surface, 301, AT (30.0 / 60)), ==, background);
#undef AT
  cairo_surface_destroy (surface);
}

/* -- what is shown ----------------------------------------------------------------------------- */

static void
test_filter (Fixture *f, gconstpointer data)
{
  guint32 n = 0, all = 0;

  stria_timeline_layout_count (f->layout, &n, &all);
  stria_timeline_layout_set_filter (f->layout, "vector | scalar");
  g_assert_true (shows (f, "Instruction", "Vector"));
  g_assert_true (shows (f, "Instruction", "Scalar"));
  g_assert_true (shows (f, "CoreBarriers", "Vector"));
  g_assert_false (shows (f, "Throttle", ""));
  stria_timeline_layout_set_lane_pinned (f->layout, find (f, "Throttle", ""), TRUE);
  stria_timeline_layout_set_filter (f->layout, "/^Scal/");
  g_assert_false (shows (f, "Instruction", "Vector"));
  g_assert_true (shows (f, "Throttle", ""));
  stria_timeline_layout_set_filter (f->layout, "no such lane");
  g_assert_cmpfloat (stria_timeline_layout_height (f->layout), ==, 0);
  stria_timeline_layout_set_lane_pinned (f->layout, find (f, "Throttle", ""), FALSE);
  g_assert_false (shows (f, "Throttle", ""));
  stria_timeline_layout_set_filter (f->layout, "");
  stria_timeline_layout_count (f->layout, &n, &all);
  g_assert_cmpuint (all + 1, ==, n); /* packets */
}

static void
test_kinds (Fixture *f, gconstpointer data)
{
  g_assert_true (shows (f, "DmaPacketAggregated", "qOne"));
  g_assert_false (shows (f, "DmaPacket", "E64"));
  stria_timeline_layout_set_dma_lanes (f->layout, STRIA_DMA_BY_ENGINE);
  g_assert_false (shows (f, "DmaPacketAggregated", "qOne"));
  g_assert_true (shows (f, "DmaPacket", "E64"));
  stria_timeline_layout_set_dma_lanes (f->layout, STRIA_DMA_BOTH);
  g_assert_true (shows (f, "DmaPacketAggregated", "qOne"));
  g_assert_true (shows (f, "DmaPacket", "E64"));
  stria_timeline_layout_set_class_hidden (f->layout, STRIA_LANE_CLASS_ENGINES, TRUE);
  g_assert_false (shows (f, "Instruction", "Vector"));
  g_assert_false (shows (f, "CoreBarriers", "Vector"));
  g_assert_true (stria_timeline_layout_hides_classes (f->layout));
  g_assert_true (shows (f, "Error", ""));
  stria_timeline_layout_set_class_hidden (f->layout, STRIA_LANE_CLASS_ENGINES, FALSE);
  g_assert_false (stria_timeline_layout_hides_classes (f->layout));
}

static void
test_saved (Fixture *f, gconstpointer data)
{
  g_autoptr (StriaTimelineLayout) other = stria_timeline_layout_new ();
  const guint32 vector = find (f, "Instruction", "Vector");
  const guint32 scalar = find (f, "Instruction", "Scalar");
  const guint32 rate = find (f, "DmaUsage", "throughput");
  g_autofree char *text = NULL;

  stria_timeline_layout_set_lane_hidden (f->layout, vector, TRUE);
  stria_timeline_layout_set_lane_pinned (f->layout, scalar, TRUE);
  stria_timeline_layout_set_lane_height (f->layout, rate, 123);
  stria_timeline_layout_set_dma_lanes (f->layout, STRIA_DMA_BY_ENGINE);
  stria_timeline_layout_set_class_hidden (f->layout, STRIA_LANE_CLASS_ERRORS, TRUE);
  g_assert_cmpfloat (stria_timeline_layout_of_lane (f->layout, rate)->row_height, ==, 123);
  text = stria_timeline_layout_save (f->layout);

  /* Loaded before there is a trace, as when a capture is opened again; nonsense changes nothing. */
  stria_timeline_layout_load (other, text);
  stria_timeline_layout_load (other, "{'lanes': <5>, nonsense");
  stria_timeline_layout_set_trace (other, f->trace);
  g_assert_null (stria_timeline_layout_of_lane (other, vector));
  g_assert_true (stria_timeline_layout_of_lane (other, scalar)->pinned);
  g_assert_cmpfloat (stria_timeline_layout_of_lane (other, rate)->row_height, ==, 123);
  g_assert_cmpint (stria_timeline_layout_get_dma_lanes (other), ==, STRIA_DMA_BY_ENGINE);
  g_assert_true (stria_timeline_layout_get_class_hidden (other, STRIA_LANE_CLASS_ERRORS));
}

/* -- how it is drawn --------------------------------------------------------------------------- */

static int
middle (Fixture *f, guint32 lane)
{
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (f->layout, lane);

  return (int) (item->y + STRIA_LAYOUT_LANE_PADDING + item->row_height / 2);
}

static void
test_hollow (Fixture *f, gconstpointer data)
{
  const guint32 waits = find (f, "Instruction", "Vector: waits");
  const guint32 color = stria_color_argb (stria_color_for_name ("Waits for a semaphore", FALSE));

  for (gboolean dark = FALSE; dark <= TRUE; dark++)
    {
      cairo_surface_t *surface = NULL;
      const int y = middle (f, waits);
      guint32 outline = color;

      f->view.dark = dark;
      surface = paint (f);
      if (dark)
        outline = stria_color_argb (stria_color_for_name ("Waits for a semaphore", TRUE));
      /* From 400 to 600: filled at its edges only, and at the right end there is no label */
      g_assert_cmphex (pixel (surface, 160, y), ==, outline);
      g_assert_cmphex (pixel (surface, 230, y - 9), ==, outline);
      g_assert_cmphex (pixel (surface, 234, y), ==, pixel (surface, 300, y));
      cairo_surface_destroy (surface);
    }
}

static void
test_levels (Fixture *f, gconstpointer data)
{
  const guint32 lane = find (f, "Throttle", "");
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (f->layout, lane);
  cairo_surface_t *surface = paint (f);
  const int head = (int) (item->y + STRIA_LAYOUT_LANE_PADDING + 2);
  const int foot = (int) (item->y + item->height - STRIA_LAYOUT_LANE_PADDING - 4);

  g_assert_cmpfloat (stria_paint_level ("activity_0 1/2"), ==, 0.5);
  g_assert_cmpfloat (stria_paint_level ("3/4"), ==, 0.75);
  g_assert_cmpfloat (stria_paint_level ("unknown"), ==, 1);
  g_assert_cmpfloat (stria_paint_level ("a/b 1/0"), ==, 1);
  g_assert_cmpfloat (stria_paint_level ("x 9/2"), ==, 1);
  /* Held to half from 500 to 750: free above, filled below */
  g_assert_cmphex (pixel (surface, 250, head), ==, pixel (surface, 150, head));
  g_assert_cmphex (pixel (surface, 250, foot), !=, pixel (surface, 150, foot));
  g_assert_cmphex (pixel (surface, 350, foot), ==, pixel (surface, 150, foot));
  cairo_surface_destroy (surface);
}

/* A barrier lies over its engine's lane where nothing runs, and over no other's. */
static void
test_barriers (Fixture *f, gconstpointer data)
{
  cairo_surface_t *surface = paint (f);
  const int vector = middle (f, find (f, "Instruction", "Vector (")) ;
  const int scalar = middle (f, find (f, "Instruction", "Scalar ("));

  g_assert_cmphex (pixel (surface, 199, vector), !=, pixel (surface, 230, vector));
  g_assert_cmphex (pixel (surface, 199, scalar), ==, pixel (surface, 230, scalar));
  cairo_surface_destroy (surface);
}

static void
test_running_mean (Fixture *f, gconstpointer data)
{
  StriaLane *lane = stria_trace_get_lane (f->trace, find (f, "DmaUsage", "throughput"));

  g_assert_true (stria_lane_is_rate (lane));
  g_assert_false (stria_lane_is_rate (
      stria_trace_get_lane (f->trace, find (f, "DmaUsage", "so far"))));
  g_assert_true (isnan (stria_lane_running_mean (lane, -1)));
  g_assert_cmpfloat (stria_lane_running_mean (lane, 250), ==, 100);
  g_assert_cmpfloat (stria_lane_running_mean (lane, 500), ==, 100);
  g_assert_cmpfloat (stria_lane_running_mean (lane, 1000), ==, 200);
}

/* -- colours ----------------------------------------------------------------------------------- */

static const char *
color_text (Fixture *f, StriaColorBy by, guint depth, guint32 lane, guint32 event)
{
  g_autoptr (StriaColoring) coloring = stria_coloring_new (f->trace, by, depth);
  g_autoptr (GError) error = NULL;
  StriaColorLane at;
  guint32 key = 0;
  static char *text;

  g_assert_true (stria_coloring_load (coloring, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (stria_coloring_is_loaded (coloring));
  stria_coloring_lane (coloring, lane, &at);
  key = stria_color_lane_key (&at, stria_lane_get_columns (stria_trace_get_lane (f->trace, lane)),
                              event);
  g_free (text);
  text = g_strdup (stria_coloring_text (coloring, key));
  return text;
}

static void
test_colors (Fixture *f, gconstpointer data)
{
  const guint32 vector = find (f, "Instruction", "Vector (");
  const guint32 scalar = find (f, "Instruction", "Scalar (");
  const guint32 queue = find (f, "DmaPacketAggregated", "qOne");

  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_OPERATOR, 0, vector, 0), ==, "aten::mm");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_OPERATOR, 0, vector, 1), ==, "aten::mm");
  /* Without a layer the HLO operation stands in; without either there is none. */
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_OPERATOR, 0, scalar, 0), ==, "tanh.7");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_OPERATOR, 0, scalar, 1), ==, "");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_LAYER, 2, vector, 1), ==, "m/l1");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_LAYER, 0, vector, 1), ==, "m/l1/mlp/aten::mm");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_OPCODE, 0, vector, 0), ==, "COPY");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_OPCODE, 0, queue, 0), ==, "copy");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_LANE, 0, vector, 0), ==, "Vector");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_LANE, 0, queue, 0), ==, "qOne");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_CATEGORY, 0, queue, 0), ==, "input");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_STALL, 0, vector, 0), ==, "");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_STALL, 0, vector, 1), ==, "waits 10 to 50 %");
  g_assert_cmpstr (color_text (f, STRIA_COLOR_BY_STALL, 0, scalar, 1), ==, "waits 50 to 90 %");
  g_assert_true (stria_coloring_applies (f->trace, STRIA_COLOR_BY_STALL, NULL));
}

static void
test_paths (void)
{
  gsize length = 0;
  const char *op = NULL;

  g_assert_cmpuint (stria_coloring_layer ("a/b/c", 5, 1), ==, 1);
  g_assert_cmpuint (stria_coloring_layer ("a/b/c", 5, 2), ==, 3);
  g_assert_cmpuint (stria_coloring_layer ("a/b/c", 5, 3), ==, 5);
  g_assert_cmpuint (stria_coloring_layer ("a/b/c", 5, 9), ==, 5);
  g_assert_cmpuint (stria_coloring_layer ("a/b/c", 5, 0), ==, 5);
  g_assert_cmpuint (stria_coloring_layer ("/a/b", 4, 1), ==, 2);
  g_assert_cmpuint (stria_coloring_layer ("", 0, 2), ==, 0);
  length = 6;
  op = stria_coloring_operator ("a/b/cd", &length);
  g_assert_cmpuint (length, ==, 2);
  g_assert_cmpint (strncmp (op, "cd", 2), ==, 0);
  length = 4;
  op = stria_coloring_operator ("a/b/", &length);
  g_assert_cmpuint (length, ==, 1);
  g_assert_cmpint (*op, ==, 'b');
}

/* What is drawn says the shares: of the vector engine's two, and of nothing that is not slices. */
static void
test_legend (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (StriaLegendEntry));
  double sum = 0;

  stria_timeline_layout_set_filter (f->layout, "/^Vector .nc0/");
  f->view.legend = legend;
  cairo_surface_destroy (paint (f));
  g_assert_cmpuint (legend->len, ==, 2);
  for (guint i = 0; i < legend->len; i++)
    {
      g_assert_cmpfloat (fabs (g_array_index (legend, StriaLegendEntry, i).share - 0.5), <, 0.02);
      sum += g_array_index (legend, StriaLegendEntry, i).share;
    }
  g_assert_cmpfloat (fabs (sum - 1), <, 1e-9);
}

/* -- rows of tables in searches ---------------------------------------------------------------- */

static void
check_search (Fixture *f, const char *text, gboolean with_args, guint64 expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StriaMatch) match
      = stria_match_new_query (f->trace, text, with_args, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (stria_match_n_events (match) + stria_match_n_by_args (match), ==, expected);
}

static void
test_search (Fixture *f, gconstpointer data)
{
  check_search (f, "arg:transfer_bytes>4096", FALSE, 1);
  check_search (f, "arg:transfer_bytes<=8192 lane:qOne", FALSE, 2);
  check_search (f, "arg:variable=WEIGHTS", FALSE, 1);
  check_search (f, "arg:layer=/l[01]/ name:copy", FALSE, 1);
  check_search (f, "tanh", TRUE, 2); /* the instruction, and its wait */
  check_search (f, "tanh", FALSE, 0);
  check_search (f, "category:\"semaphore wait\"", FALSE, 3);
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/device-lanes/stacks", test_stacks);
  ADD ("/device-lanes/stack-areas", test_stack_areas);
  ADD ("/device-lanes/filter", test_filter);
  ADD ("/device-lanes/kinds", test_kinds);
  ADD ("/device-lanes/saved", test_saved);
  ADD ("/device-lanes/hollow", test_hollow);
  ADD ("/device-lanes/levels", test_levels);
  ADD ("/device-lanes/barriers", test_barriers);
  ADD ("/device-lanes/running-mean", test_running_mean);
  ADD ("/device-lanes/colors", test_colors);
  ADD ("/device-lanes/legend", test_legend);
  ADD ("/device-lanes/search", test_search);
  g_test_add_func ("/device-lanes/paths", test_paths);
  return g_test_run ();
}
