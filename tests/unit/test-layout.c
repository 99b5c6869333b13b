/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "paint-fixture.h"
#include "stria-timeline-layout.h"

typedef struct
{
  StriaCapture        *capture;
  StriaTrace          *trace;
  StriaTimelineLayout *layout;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->capture = fixture_capture ();
  f->trace = stria_capture_ref_trace (f->capture);
  f->layout = stria_timeline_layout_new ();
  stria_timeline_layout_set_trace (f->layout, f->trace);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  stria_timeline_layout_unref (f->layout);
  stria_trace_unref (f->trace);
  g_object_unref (f->capture);
}

/* Items stand on each other without gap or overlap, and the height is theirs. */
static void
assert_stacked (StriaTimelineLayout *layout)
{
  guint n = 0;
  const StriaLayoutItem *items = stria_timeline_layout_items (layout, &n);
  double y = 0;

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (items[i].y, ==, y);
      g_assert_cmpfloat (items[i].height, >, 0);
      g_assert_true (stria_timeline_layout_at (layout, y) == &items[i]);
      g_assert_true (stria_timeline_layout_at (layout, y + items[i].height - 0.5) == &items[i]);
      y += items[i].height;
    }
  g_assert_cmpfloat (stria_timeline_layout_height (layout), ==, y);
  g_assert_null (stria_timeline_layout_at (layout, y));
  g_assert_null (stria_timeline_layout_at (layout, -1));
}

static void
test_stack (Fixture *f, gconstpointer data)
{
  const guint32 slices = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  const guint32 counter = fixture_lane (f->trace, STRIA_LANE_COUNTER, NULL);
  guint n = 0;

  assert_stacked (f->layout);
  stria_timeline_layout_items (f->layout, &n);
  g_assert_cmpuint (n, ==, stria_trace_get_n_lanes (f->trace) + 2);
  g_assert_cmpfloat (stria_timeline_layout_of_lane (f->layout, slices)->height, ==,
                     2 * STRIA_LAYOUT_ROW_HEIGHT + 2 * STRIA_LAYOUT_LANE_PADDING);
  g_assert_cmpfloat (stria_timeline_layout_of_lane (f->layout, counter)->row_height, ==,
                     STRIA_LAYOUT_COUNTER_HEIGHT);
}

static void
test_empty (void)
{
  g_autoptr (StriaTimelineLayout) layout = stria_timeline_layout_new ();
  guint n = 1;

  stria_timeline_layout_items (layout, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (stria_timeline_layout_at (layout, 0));
  g_assert_null (stria_timeline_layout_of_lane (layout, 0));
  stria_timeline_layout_set_trace (layout, NULL);
  g_assert_cmpfloat (stria_timeline_layout_height (layout), ==, 0);
}

static void
test_collapse (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  const guint32 process = stria_lane_get_process (stria_trace_get_lane (f->trace, lane));
  const double before = stria_timeline_layout_height (f->layout);

  stria_timeline_layout_set_lane_collapsed (f->layout, lane, TRUE);
  assert_stacked (f->layout);
  g_assert_cmpfloat (stria_timeline_layout_height (f->layout), ==,
                     before - STRIA_LAYOUT_ROW_HEIGHT);
  g_assert_cmpuint (stria_timeline_layout_item_rows (
                        f->layout, stria_timeline_layout_of_lane (f->layout, lane)),
                    ==, 1);

  stria_timeline_layout_set_process_collapsed (f->layout, process, TRUE);
  assert_stacked (f->layout);
  g_assert_null (stria_timeline_layout_of_lane (f->layout, lane));
  g_assert_true (stria_timeline_layout_of_process (f->layout, process)->collapsed);

  stria_timeline_layout_collapse_all (f->layout, FALSE);
  g_assert_nonnull (stria_timeline_layout_of_lane (f->layout, lane));
  stria_timeline_layout_collapse_all (f->layout, TRUE);
  g_assert_cmpfloat (stria_timeline_layout_height (f->layout), ==, 2 * STRIA_LAYOUT_PROCESS_HEIGHT);
}

static void
test_pin (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "9");
  const guint32 process = stria_lane_get_process (stria_trace_get_lane (f->trace, lane));
  guint n = 0;
  const StriaLayoutItem *pinned = NULL;

  stria_timeline_layout_set_lane_pinned (f->layout, lane, TRUE);
  assert_stacked (f->layout);
  pinned = stria_timeline_layout_pinned (f->layout, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (pinned[0].lane, ==, lane);
  g_assert_true (stria_timeline_layout_of_lane (f->layout, lane) == &pinned[0]);
  g_assert_true (stria_timeline_layout_pinned_at (f->layout, 1) == &pinned[0]);
  /* It was the only lane of its process */
  g_assert_null (stria_timeline_layout_of_process (f->layout, process));

  stria_timeline_layout_set_process_collapsed (f->layout, process, TRUE);
  g_assert_nonnull (stria_timeline_layout_of_lane (f->layout, lane));
  stria_timeline_layout_set_lane_pinned (f->layout, lane, FALSE);
  g_assert_cmpfloat (stria_timeline_layout_pinned_height (f->layout), ==, 0);
}

static void
test_hide (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "2");
  const double before = stria_timeline_layout_height (f->layout);

  stria_timeline_layout_set_lane_hidden (f->layout, lane, TRUE);
  assert_stacked (f->layout);
  g_assert_null (stria_timeline_layout_of_lane (f->layout, lane));
  g_assert_cmpuint (stria_timeline_layout_n_hidden (f->layout), ==, 1);
  stria_timeline_layout_set_process_hidden (f->layout, 0, TRUE);
  stria_timeline_layout_set_process_hidden (f->layout, 1, TRUE);
  g_assert_cmpfloat (stria_timeline_layout_height (f->layout), ==, 0);
  stria_timeline_layout_show_all (f->layout);
  g_assert_cmpfloat (stria_timeline_layout_height (f->layout), ==, before);
  g_assert_cmpuint (stria_timeline_layout_n_hidden (f->layout), ==, 0);
}

static void
test_move (Fixture *f, gconstpointer data)
{
  const guint32 first = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  const guint32 second = fixture_lane (f->trace, STRIA_LANE_SLICES, "2");
  const guint32 a = stria_lane_get_process (stria_trace_get_lane (f->trace, first));
  guint n = 0;
  const guint32 *lanes = NULL;

  stria_timeline_layout_move_lane (f->layout, second, first);
  assert_stacked (f->layout);
  g_assert_cmpfloat (stria_timeline_layout_of_lane (f->layout, second)->y, <,
                     stria_timeline_layout_of_lane (f->layout, first)->y);
  stria_timeline_layout_move_lane (f->layout, second, G_MAXUINT32);
  lanes = stria_timeline_layout_process_lanes (f->layout, a, &n);
  g_assert_cmpuint (lanes[n - 1], ==, second);

  stria_timeline_layout_move_process (f->layout, a, G_MAXUINT32);
  assert_stacked (f->layout);
  g_assert_cmpfloat (stria_timeline_layout_of_process (f->layout, a)->y, >, 0);
  stria_timeline_layout_move_process (f->layout, a, 1 - a);
  g_assert_cmpfloat (stria_timeline_layout_of_process (f->layout, a)->y, ==, 0);
}

static void
test_keeps_states (Fixture *f, gconstpointer data)
{
  g_autoptr (StriaCapture) again = fixture_capture ();
  g_autoptr (StriaTrace) trace = stria_capture_ref_trace (again);
  const guint32 first = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  const guint32 second = fixture_lane (f->trace, STRIA_LANE_SLICES, "2");
  const guint32 third = fixture_lane (f->trace, STRIA_LANE_INSTANTS, "3");

  stria_timeline_layout_move_lane (f->layout, second, first);
  stria_timeline_layout_set_lane_collapsed (f->layout, first, TRUE);
  stria_timeline_layout_set_lane_hidden (f->layout, third, TRUE);
  stria_timeline_layout_set_process_collapsed (f->layout, 1, TRUE);
  stria_timeline_layout_set_trace (f->layout, trace);
  assert_stacked (f->layout);
  g_assert_true (stria_timeline_layout_get_trace (f->layout) == trace);
  g_assert_true (stria_timeline_layout_of_lane (f->layout, first)->collapsed);
  g_assert_null (stria_timeline_layout_of_lane (f->layout, third));
  g_assert_true (stria_timeline_layout_of_process (f->layout, 1)->collapsed);
  g_assert_cmpfloat (stria_timeline_layout_of_lane (f->layout, second)->y, <,
                     stria_timeline_layout_of_lane (f->layout, first)->y);
}

static void
test_snapshot (Fixture *f, gconstpointer data)
{
  const guint32 lane = fixture_lane (f->trace, STRIA_LANE_SLICES, "1");
  g_autoptr (StriaTimelineLayout) copy = stria_timeline_layout_snapshot (f->layout);
  const double height = stria_timeline_layout_height (copy);
  const guint serial = stria_timeline_layout_get_serial (f->layout);

  g_assert_cmpuint (stria_timeline_layout_get_serial (copy), ==, serial);
  stria_timeline_layout_set_lane_hidden (f->layout, lane, TRUE);
  g_assert_cmpuint (stria_timeline_layout_get_serial (f->layout), >, serial);
  g_assert_nonnull (stria_timeline_layout_of_lane (copy, lane));
  g_assert_cmpfloat (stria_timeline_layout_height (copy), ==, height);
  assert_stacked (copy);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/empty", test_empty);
  g_test_add ("/layout/stack", Fixture, NULL, set_up, test_stack, tear_down);
  g_test_add ("/layout/collapse", Fixture, NULL, set_up, test_collapse, tear_down);
  g_test_add ("/layout/pin", Fixture, NULL, set_up, test_pin, tear_down);
  g_test_add ("/layout/hide", Fixture, NULL, set_up, test_hide, tear_down);
  g_test_add ("/layout/move", Fixture, NULL, set_up, test_move, tear_down);
  g_test_add ("/layout/keeps-states", Fixture, NULL, set_up, test_keeps_states, tear_down);
  g_test_add ("/layout/snapshot", Fixture, NULL, set_up, test_snapshot, tear_down);
  return g_test_run ();
}
