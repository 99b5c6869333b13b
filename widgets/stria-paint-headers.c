/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-paint-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define EDGE          stria_text_px (10.0)
#define LANE_INDENT   stria_text_px (24.0)
#define LINE_HEIGHT   stria_text_px (14.0)
#define TWO_LINES     stria_text_px (36.0) /* height from which facts get a line of their own */
#define THREE_VALUES  stria_text_px (84.0) /* height from which a counter's axis has a value at its middle */
#define TAG_PADDING   stria_text_px (4.0)
#define TAG_RADIUS    stria_text_px (6.0)
#define ARROW_SIZE    stria_text_px (3.5)

static const char *
tag_of (StriaLaneKind kind)
{
  switch (kind)
    {
    case STRIA_LANE_ANNOTATIONS:
      return _ ("annotations");
    case STRIA_LANE_OVERFLOW:
      return _ ("overlaps");
    case STRIA_LANE_ASYNC:
      return _ ("async");
    case STRIA_LANE_INSTANTS:
      return _ ("instants");
    case STRIA_LANE_SLICES:
    case STRIA_LANE_COUNTER:
    default:
      return NULL;
    }
}

static char *
facts_of (StriaLane *lane)
{
  const StriaLaneKind kind = stria_lane_get_kind (lane);
  const guint64 n = stria_lane_get_n_events (lane);
  const gulong plural = (gulong) MIN (n, G_MAXULONG);
  g_autofree char *count = stria_format_count (n);

  if (kind == STRIA_LANE_COUNTER)
    return g_strdup_printf (ngettext ("%s sample", "%s samples", plural), count);
  if (kind == STRIA_LANE_INSTANTS)
    return g_strdup_printf (ngettext ("%s instant", "%s instants", plural), count);
  return g_strdup_printf (ngettext ("%s slice", "%s slices", plural), count);
}

/* Points down when open, to the lanes' side when folded. */
static void
paint_arrow (cairo_t *cr, double x, double y, gboolean folded)
{
  if (folded)
    {
      cairo_move_to (cr, x - ARROW_SIZE / 2, y - ARROW_SIZE);
      cairo_line_to (cr, x + ARROW_SIZE / 2, y);
      cairo_line_to (cr, x - ARROW_SIZE / 2, y + ARROW_SIZE);
    }
  else
    {
      cairo_move_to (cr, x - ARROW_SIZE, y - ARROW_SIZE / 2);
      cairo_line_to (cr, x, y + ARROW_SIZE / 2);
      cairo_line_to (cr, x + ARROW_SIZE, y - ARROW_SIZE / 2);
    }
  cairo_set_line_width (cr, 1.5);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}

static void
paint_process (cairo_t *cr, const StriaTimelineView *view, StriaPaintKit *kit,
               const StriaLayoutItem *item, double y, double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  g_autofree char *title = stria_timeline_layout_group_title (view->layout, item->process);
  const double middle = y + item->height / 2;
  guint n = 0;

  stria_timeline_layout_process_lanes (view->layout, item->process, &n);
  stria_paint_set_color (cr, theme->band, 1);
  cairo_rectangle (cr, 0, y, width, item->height);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, 0, y, width, 1);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->dim_text, 1);
  paint_arrow (cr, EDGE + 2, middle, item->collapsed);
  stria_paint_set_color (cr, theme->text, 1);
  if (item->collapsed)
    {
      g_autofree char *count = stria_format_count (n);
      g_autofree char *lanes = g_strdup_printf (ngettext ("%s lane", "%s lanes", n), count);
      const double room = stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, lanes);

      stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, title, LANE_INDENT, middle,
                            MAX (width - LANE_INDENT - room - 2 * EDGE, 40));
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, lanes, width - EDGE - room, middle, 0);
    }
  else
    stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, title, LANE_INDENT, middle,
                          width - LANE_INDENT - EDGE);
}

/* Returns: the width it took */
static double
paint_tag (cairo_t *cr, StriaPaintKit *kit, const StriaPaintTheme *theme, const char *tag, double x,
           double y)
{
  const double width = stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, tag) + 2 * TAG_PADDING;

  stria_paint_set_color (cr, theme->dim_text, 0.14);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - TAG_RADIUS, y, TAG_RADIUS, -G_PI / 2, G_PI / 2);
  cairo_arc (cr, x + TAG_RADIUS, y, TAG_RADIUS, G_PI / 2, 3 * G_PI / 2);
  cairo_close_path (cr);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, tag, x + TAG_PADDING, y, 0);
  return width;
}

static void
paint_pin (cairo_t *cr, const StriaPaintTheme *theme, double x, double y)
{
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_arc (cr, x, y - 1.5, 2.6, 0, 2 * G_PI);
  cairo_fill (cr);
  cairo_rectangle (cr, x - 0.5, y, 1, 5);
  cairo_fill (cr);
}

/* Greatest value at the head of the lane, least at its foot. Returns: room that they take */
static double
paint_value_range (cairo_t *cr, const StriaTimelineView *view, StriaPaintKit *kit, guint32 number,
                   double y, double height, double width)
{
  StriaLane *lane = stria_trace_get_lane (view->trace, number);
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (view->layout, number);
  double least = 0;
  double greatest = 0;
  double room = 0;
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (height < TWO_LINES)
    return 0;
  stria_lane_get_value_range (lane, &least, &greatest);
  if (stack != NULL)
    {
      least = 0;
      greatest = stria_lane_stack_max (stack, view->trace);
    }
  low = stria_format_value (MIN (least, 0), stria_lane_get_unit (lane));
  high = stria_format_value (MAX (greatest, 0), stria_lane_get_unit (lane));
  room = stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, high);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, high, width - EDGE - room, y + stria_text_px (9), 0);
  if (height >= THREE_VALUES)
    {
      g_autofree char *middle = stria_format_value (
          (MIN (least, 0) + MAX (greatest, 0)) / 2, stria_lane_get_unit (lane));

      stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, middle,
                            width - EDGE
                                - stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, middle),
                            y + height / 2, 0);
    }
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, low,
                        width - EDGE - stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, low),
                        y + height - stria_text_px (9), 0);
  return MAX (room, stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, low)) + EDGE;
}

static void
paint_lane (cairo_t *cr, const StriaTimelineView *view, StriaPaintKit *kit,
            const StriaLayoutItem *item, double y, double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  StriaLane *lane = stria_trace_get_lane (view->trace, item->lane);
  const StriaLaneStack *stack = stria_timeline_layout_stack_of (view->layout, item->lane);
  const StriaLaneKind kind = stria_lane_get_kind (lane);
  const char *tag = tag_of (kind);
  g_autofree char *facts = facts_of (lane);
  const double facts_width = stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, facts);
  const gboolean two_lines = item->height >= TWO_LINES;
  /* The name of a lane that is taller than the view stays in sight */
  const double slack = item->height - (two_lines ? TWO_LINES : item->height);
  const double top = y + CLAMP (-y, 0, slack);
  const double line = two_lines ? top + stria_text_px (11) : top + item->height / 2;
  double right = width - EDGE;
  double name_width = 0;

  cairo_save (cr);
  cairo_rectangle (cr, 0, y, width, item->height);
  cairo_clip (cr);
  if (item->pinned)
    {
      paint_pin (cr, theme, EDGE + 2, line);
    }
  else if (stria_lane_get_n_rows (lane) > 1 || item->collapsed)
    {
      stria_paint_set_color (cr, theme->dim_text, 0.7);
      paint_arrow (cr, EDGE + 2, line, item->collapsed);
    }
  stria_paint_set_color (cr, theme->dim_text, 1);
  if (kind == STRIA_LANE_COUNTER)
    right -= paint_value_range (cr, view, kit, item->lane, y, item->height, width);
  if (!two_lines && right - LANE_INDENT - facts_width > stria_text_px (110))
    {
      stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, facts, right - facts_width, line, 0);
      right -= facts_width + EDGE;
    }
  if (tag != NULL && right - LANE_INDENT > stria_text_px (140))
    right -= stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, tag) + 2 * TAG_PADDING + 4;
  else
    tag = NULL;
  stria_paint_set_color (cr, theme->text, 1);
  name_width = stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL,
                                     stack != NULL ? stack->title : stria_lane_get_name (lane),
                                     LANE_INDENT, line, MAX (right - LANE_INDENT, 20));
  name_width = MIN (name_width, MAX (right - LANE_INDENT, 20));
  if (tag != NULL)
    paint_tag (cr, kit, theme, tag, LANE_INDENT + name_width + 6, line);
  if (two_lines)
    {
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, facts, LANE_INDENT, line + LINE_HEIGHT,
                            MAX (right - LANE_INDENT, 20));
    }
  cairo_restore (cr);
}

void
stria_timeline_paint_headers (cairo_t *cr, const StriaTimelineView *view, double width,
                              double height, double scroll_y, gboolean pinned)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  g_autoptr (StriaPaintKit) kit = NULL;
  guint n = 0;
  const StriaLayoutItem *items = NULL;
  double sx = 1;
  double sy = 1;

  g_return_if_fail (view->trace != NULL && view->layout != NULL);

  if (width < 1 || height < 1)
    return;
  cairo_surface_get_device_scale (cairo_get_group_target (cr), &sx, &sy);
  kit = stria_paint_kit_acquire (stria_trace_get_strings (view->trace), view->font_size, sx);
  items = pinned ? stria_timeline_layout_pinned (view->layout, &n)
                 : stria_timeline_layout_items (view->layout, &n);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->margin, 1);
  cairo_paint (cr);
  for (guint i = 0; i < n; i++)
    {
      const double y = floor (items[i].y - scroll_y + 0.5);

      if (y >= height || y + items[i].height <= 0)
        continue;
      if (items[i].is_process)
        paint_process (cr, view, kit, &items[i], y, width);
      else
        paint_lane (cr, view, kit, &items[i], y, width);
    }
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, width - 1, 0, 1, height);
  cairo_fill (cr);
  cairo_restore (cr);
}

void
stria_timeline_paint_corner (cairo_t *cr, const StriaTimelineView *view, double width,
                             double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const double ruler = height - STRIA_TIMELINE_RULER_HEIGHT / 2 - 1;
  g_autofree char *span = stria_format_duration (view->t1 - view->t0, 4);
  g_autoptr (StriaPaintKit) kit = NULL;
  double sx = 1;
  double sy = 1;
  double room = 0;

  g_return_if_fail (view->trace != NULL);

  cairo_surface_get_device_scale (cairo_get_group_target (cr), &sx, &sy);
  kit = stria_paint_kit_acquire (stria_trace_get_strings (view->trace), view->font_size, sx);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->margin, 1);
  cairo_paint (cr);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, width - 1, 0, 1, height);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_fill (cr);
  room = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, span);
  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, span, width - EDGE - room, ruler, 0);
  /* Translators: stands before the length of time that is seen, "In view  12.3 ms" */
  if (width - room - 3 * EDGE > stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, _ ("In view")))
    stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, _ ("In view"), EDGE, ruler, 0);
  cairo_restore (cr);
}
