/* SPDX-License-Identifier: Apache-2.0 */
/* Arrows by the thousand: what is counted against a look at each, and that they are drawn. */
#include "config.h"

#include <string.h>

#include "stria-paint-flows.h"
#include "trace-maker.h"

#define WIDTH  800
#define HEIGHT 300

static StriaTrace *
many_arrows (TraceMaker *maker, guint n)
{
  for (guint t = 0; t < 4; t++)
    for (guint i = 0; i < 1000; i++)
      maker_slice (maker, t, 1000 + i * 100, 60, 1, 0);
  for (guint a = 0; a < n; a++)
    {
      const guint from = maker_random (1000), to = MIN (from + maker_random (50), 999);
      const guint thread = maker_random (3);

      maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_START, .thread = thread,
                                        .ts_ns = 1000 + from * 100, .id = a,
                                        .flags = STRIA_EVENT_BIND_ENCLOSING });
      maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_END, .thread = thread + 1,
                                        .ts_ns = 1000 + to * 100, .id = a,
                                        .flags = STRIA_EVENT_BIND_ENCLOSING });
    }
  return maker_finish (maker, FALSE);
}

static gint64
start_of (StriaTrace *trace, StriaRef ref)
{
  return stria_lane_get_columns (stria_trace_get_lane (trace, ref.lane))->start[ref.index];
}

static guint64
paint (StriaTrace *trace, StriaTimelineLayout *layout, gint64 t0, gint64 t1, StriaFlowCount *count)
{
  StriaTimelineView view = { .trace = trace, .layout = layout, .t0 = t0, .t1 = t1,
                             .selection = STRIA_REF_NONE, .font_size = 9 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  const guint32 *pixels;
  guint64 n = 0;

  stria_timeline_paint_flows (cr, &view, WIDTH, HEIGHT, 0, 0, WIDTH, count);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = (const guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    n += pixels[i] != 0;
  cairo_surface_destroy (surface);
  return n;
}

/* An event of the trace's outermost rows that runs in [t0, t1) */
static gboolean
runs (StriaTrace *trace, StriaRef ref, gint64 t0, gint64 t1)
{
  return start_of (trace, ref) < t1 && start_of (trace, ref) + 60 > t0;
}

static void
test_count (void)
{
  g_autoptr (TraceMaker) maker = maker_new (4, 10);
  g_autoptr (StriaTrace) trace = many_arrows (maker, 10000);
  g_autoptr (StriaTimelineLayout) layout = stria_timeline_layout_new ();
  const gint64 ranges[][2]
      = { { 0, 102000 }, { 30000, 40000 }, { 50000, 50300 }, { 200000, 300000 } };
  const StriaFlow *flows;
  gsize n;

  stria_timeline_layout_set_trace (layout, trace);
  flows = stria_trace_get_flows (trace, &n);
  /* An arrow from a slice to itself is none. */
  g_assert_cmpuint (n, >, 9000);
  for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
    {
      guint64 expected = 0, pixels;
      StriaFlowCount count;

      for (gsize i = 0; i < n; i++)
        expected += runs (trace, flows[i].from, ranges[r][0], ranges[r][1])
                    || runs (trace, flows[i].to, ranges[r][0], ranges[r][1]);
      pixels = paint (trace, layout, ranges[r][0], ranges[r][1], &count);
      g_assert_cmpuint (count.n_visible, ==, expected);
      g_assert_cmpuint (count.n_hidden, ==, 0);
      g_assert_false (count.is_cut);
      g_assert_cmpuint (count.n_lines, <=, STRIA_FLOWS_MAX_LINES);
      g_assert_cmpuint (count.n_lines, <=, expected);
      g_assert_cmpint (pixels > 0, ==, expected > 0);
      if (expected > STRIA_FLOWS_MAX_LINES)
        g_assert_cmpuint (count.n_bundled, >, 0);
    }
}

/* Few arrows far from each other are a line each; to a hidden lane, none. */
static void
test_few (void)
{
  g_autoptr (TraceMaker) maker = maker_new (3, 10);
  g_autoptr (StriaTimelineLayout) layout = stria_timeline_layout_new ();
  g_autofree char *text = NULL;
  StriaFlowCount count;

  for (guint t = 0; t < 3; t++)
    for (guint i = 0; i < 4; i++)
      maker_slice (maker, t, 1000 + i * 1000, 100, 1, 0);
  for (guint i = 0; i < 3; i++)
    {
      maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_START, .thread = i == 0 ? 0 : 1,
                                        .ts_ns = 1000 + i * 1000, .id = i,
                                        .flags = STRIA_EVENT_BIND_ENCLOSING });
      maker_event (maker, (StriaEvent){ .kind = STRIA_EVENT_FLOW_END, .thread = 2,
                                        .ts_ns = 2000 + i * 1000, .id = i,
                                        .flags = STRIA_EVENT_BIND_ENCLOSING });
    }
  g_autoptr (StriaTrace) trace = maker_finish (maker, FALSE);
  stria_timeline_layout_set_trace (layout, trace);
  paint (trace, layout, 0, 6000, &count);
  g_assert_cmpuint (count.n_visible, ==, 3);
  g_assert_cmpuint (count.n_lines, ==, 3);
  g_assert_cmpuint (count.n_bundled, ==, 0);
  /* A folded group still has a header for arrows to end at, if any of its lanes is in sight. */
  stria_timeline_layout_set_process_hidden (layout, 0, TRUE);
  g_assert_cmpuint (paint (trace, layout, 0, 6000, &count), ==, 0);
  g_assert_cmpuint (count.n_visible, ==, 0);
  text = stria_flow_count_text (&(StriaFlowCount){ .n_visible = 5, .n_bundled = 2, .n_hidden = 1 });
  g_assert_nonnull (strstr (text, "5 arrows"));
  g_assert_nonnull (strstr (text, "1 to hidden lanes"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flows-painter/count", test_count);
  g_test_add_func ("/flows-painter/few", test_few);
  return g_test_run ();
}
