/* SPDX-License-Identifier: Apache-2.0 */
/* Arrows between events by the thousand. What would be a smear is drawn as few lines that say how
 * many they stand for by their thickness. */
#include "config.h"

#include "stria-paint-flows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "stria-format.h"
#include "stria-hash.h"
#include "stria-paint-private.h"

#define FINEST_PX   4.0
#define HEAD        5.0
#define HEADS_BELOW 600 /* lines; with more of them, heads only add to the noise */
#define FAR         20000.0

/* Arrows that are drawn as one */
typedef struct
{
  guint64 key;
  float   x0, y0, x1, y1;
  guint32 n;
  guint32 n_backwards;
} Line;

typedef struct
{
  const StriaTimelineView *view;
  double   width;
  double   scroll_y;
  double   seen_x0;
  double   seen_x1;
  guint8  *seen;     /* by lane: it stands in the picture */
  GArray  *ends;     /* Line, one an arrow */
  guint64  n_walked;
  StriaFlowCount *count;
} Walk;

/* Height of the middle of an event's row in the picture, or of what stands for it. FALSE: hidden */
static gboolean
event_y (Walk *walk, StriaRef ref, float *y)
{
  const StriaTimelineView *view = walk->view;
  StriaLane *lane = stria_trace_get_lane (view->trace, ref.lane);
  const StriaLayoutItem *item = stria_timeline_layout_of_lane (view->layout, ref.lane);
  guint32 row = 0;

  if (item == NULL)
    item = stria_timeline_layout_of_process (
        view->layout, stria_timeline_layout_group_of (view->layout, ref.lane));
  if (item == NULL)
    return FALSE;
  /* Pinned lanes are above the picture. */
  if (item->pinned)
    {
      *y = 0;
      return TRUE;
    }
  if (item->is_process)
    {
      *y = (float) (item->y + item->height / 2 - walk->scroll_y);
      return TRUE;
    }
  if (!item->collapsed && stria_lane_get_kind (lane) != STRIA_LANE_COUNTER)
    row = stria_lane_row_of (lane, ref.index);
  *y = (float) (item->y + STRIA_LAYOUT_LANE_PADDING + (row + 0.5) * item->row_height
                - walk->scroll_y);
  return TRUE;
}

static gboolean
load (Walk *walk, guint32 lane, const StriaColumns **columns)
{
  StriaLane *of = stria_trace_get_lane (walk->view->trace, lane);

  if (!stria_lane_is_loaded (of) && !stria_lane_load (of, NULL, NULL))
    return FALSE;
  *columns = stria_lane_get_columns (of);
  return *columns != NULL;
}

static gint64
end_of (const StriaColumns *columns, guint32 index)
{
  gint64 end = columns->start[index];

  if (columns->dur != NULL && __builtin_add_overflow (end, columns->dur[index], &end))
    end = G_MAXINT64;
  return end;
}

static void
add_arrow (Walk *walk, const StriaFlow *flow)
{
  const StriaTimelineView *view = walk->view;
  const StriaColumns *from = NULL, *to = NULL;
  Line line = { .n = 1, .n_backwards = flow->backwards != 0 };
  gint64 leaves, reaches;

  if (!load (walk, flow->from.lane, &from) || !load (walk, flow->to.lane, &to)
      || flow->from.index >= from->n || flow->to.index >= to->n)
    return;
  reaches = to->start[flow->to.index];
  leaves = CLAMP (reaches, from->start[flow->from.index],
                  MAX (end_of (from, flow->from.index), from->start[flow->from.index]));
  line.x0 = (float) CLAMP (stria_time_to_x (leaves, view->t0, view->t1, walk->width), -FAR, FAR);
  line.x1 = (float) CLAMP (stria_time_to_x (reaches, view->t0, view->t1, walk->width), -FAR, FAR);
  if (MAX (line.x0, line.x1) >= walk->seen_x0 && MIN (line.x0, line.x1) <= walk->seen_x1)
    walk->count->n_visible++;
  if (!event_y (walk, flow->from, &line.y0) || !event_y (walk, flow->to, &line.y1))
    {
      walk->count->n_hidden++;
      return;
    }
  g_array_append_val (walk->ends, line);
}

/* Events of a row that run in the picture's time: [*begin, *end) */
static void
events_in_sight (Walk *walk, StriaLane *lane, const StriaColumns *columns, guint32 row,
                 guint64 *begin, guint64 *end)
{
  guint64 low, high, first;

  stria_lane_get_row (lane, row, &first, &high);
  *begin = stria_lane_lower_bound (lane, row, walk->view->t0);
  low = *begin;
  while (low < high)
    {
      const guint64 middle = low + (high - low) / 2;

      if (columns->start[middle] < walk->view->t1)
        low = middle + 1;
      else
        high = middle;
    }
  *end = low;
}

static gboolean
in_sight (Walk *walk, StriaRef ref)
{
  const StriaColumns *columns = NULL;

  return walk->seen[ref.lane] && load (walk, ref.lane, &columns) && ref.index < columns->n
         && columns->start[ref.index] < walk->view->t1
         && end_of (columns, ref.index) >= walk->view->t0;
}

static int
compare (StriaRef a, StriaRef b)
{
  if (a.lane != b.lane)
    return a.lane < b.lane ? -1 : 1;
  return a.index < b.index ? -1 : a.index > b.index;
}

/* First place of @order (NULL: as they are, by where they leave) that is not before @ref */
static gsize
lower_bound (const StriaFlow *flows, const guint32 *order, gsize n, StriaRef ref)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      const StriaRef at = order != NULL ? flows[order[middle]].to : flows[middle].from;

      if (compare (at, ref) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
walk_row (Walk *walk, guint32 lane, guint32 row, const StriaFlow *flows, const guint32 *order,
          gsize n)
{
  StriaLane *of = stria_trace_get_lane (walk->view->trace, lane);
  guint64 begin, end;

  events_in_sight (walk, of, stria_lane_get_columns (of), row, &begin, &end);
  if (begin >= end)
    return;
  const StriaRef first = { lane, (guint32) begin }, past = { lane, (guint32) end };
  for (gsize i = lower_bound (flows, NULL, n, first);
       i < n && compare (flows[i].from, past) < 0 && walk->n_walked < STRIA_FLOWS_MAX_WALK; i++)
    {
      walk->n_walked++;
      add_arrow (walk, &flows[i]);
    }
  for (gsize i = lower_bound (flows, order, n, first);
       i < n && compare (flows[order[i]].to, past) < 0 && walk->n_walked < STRIA_FLOWS_MAX_WALK;
       i++)
    {
      walk->n_walked++;
      /* Otherwise it was met where it leaves. */
      if (!in_sight (walk, flows[order[i]].from))
        add_arrow (walk, &flows[order[i]]);
    }
}

static void
walk_lanes (Walk *walk, double height)
{
  const StriaTimelineView *view = walk->view;
  guint n_items;
  const StriaLayoutItem *items = stria_timeline_layout_items (view->layout, &n_items);
  const StriaColumns *columns = NULL;
  const StriaFlow *flows;
  const guint32 *order;
  gsize n;

  flows = stria_trace_get_flows (view->trace, &n);
  order = stria_trace_get_flows_by_to (view->trace);
  for (guint i = 0; i < n_items; i++)
    if (!items[i].is_process && items[i].y + items[i].height > walk->scroll_y
        && items[i].y < walk->scroll_y + height)
      walk->seen[items[i].lane] = load (walk, items[i].lane, &columns);
  for (guint32 lane = 0; n > 0 && lane < stria_trace_get_n_lanes (view->trace); lane++)
    {
      StriaLane *of = stria_trace_get_lane (view->trace, lane);

      if (walk->seen[lane] && stria_lane_get_kind (of) != STRIA_LANE_COUNTER)
        for (guint32 row = 0; row < stria_lane_get_n_rows (of); row++)
          walk_row (walk, lane, row, flows, order, n);
    }
  walk->count->is_cut = walk->n_walked >= STRIA_FLOWS_MAX_WALK;
}

/* -- bundles --------------------------------------------------------------------------------- */

static guint64
key_of (const Line *line, double grid)
{
  const gint32 x0 = (gint32) floor (line->x0 / grid), x1 = (gint32) floor (line->x1 / grid);
  const gint32 y0 = (gint32) line->y0, y1 = (gint32) line->y1;

  return stria_hash_u64 ((guint64) (guint32) x0 << 32 | (guint32) y0)
         ^ stria_hash_u64 (((guint64) (guint32) x1 << 32 | (guint32) y1) + 0x9e3779b97f4a7c15u);
}

static guint
line_hash (gconstpointer key)
{
  return (guint) ((const Line *) key)->key;
}

static gboolean
line_equal (gconstpointer a, gconstpointer b)
{
  return ((const Line *) a)->key == ((const Line *) b)->key;
}

/* Lines whose ends fall into the same places of a grid become one, in the middle of them. */
static GArray *
bundle (GArray *lines, double grid)
{
  g_autoptr (GHashTable) found = g_hash_table_new (line_hash, line_equal);
  GArray *bundles = g_array_sized_new (FALSE, FALSE, sizeof (Line), lines->len);

  for (guint i = 0; i < lines->len; i++)
    {
      Line *line = &g_array_index (lines, Line, i);
      Line *known;

      line->key = key_of (line, grid);
      known = g_hash_table_lookup (found, line);
      if (known == NULL)
        {
          /* The array was made large enough: its elements stay where they are. */
          g_array_append_val (bundles, *line);
          g_hash_table_add (found, &g_array_index (bundles, Line, bundles->len - 1));
          continue;
        }
      known->x0 += (line->x0 - known->x0) * (float) line->n / (float) (known->n + line->n);
      known->x1 += (line->x1 - known->x1) * (float) line->n / (float) (known->n + line->n);
      known->n += line->n;
      known->n_backwards += line->n_backwards;
    }
  return bundles;
}

static void
draw (cairo_t *cr, const StriaTimelineView *view, GArray *lines)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const gboolean heads = lines->len <= HEADS_BELOW;
  /* The slices below have to be seen through all of them together. */
  const double alpha = CLAMP (1.0 - 0.27 * log10 (MAX (lines->len, 1)), 0.15, 0.85);
  static const double dashes[] = { 4, 3 };

  if (lines->len > HEADS_BELOW)
    cairo_set_antialias (cr, CAIRO_ANTIALIAS_FAST);
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);
      const double bend = CLAMP (fabs (line->x1 - line->x0) / 2, 12, 120);

      stria_paint_set_color (cr, theme->accent, alpha);
      cairo_set_line_width (cr, MIN (1 + log2 (line->n) * 0.35, 3.5));
      if (line->n_backwards * 2 > line->n)
        cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      cairo_move_to (cr, line->x0, line->y0);
      cairo_curve_to (cr, line->x0 + bend, line->y0, line->x1 - bend, line->y1,
                      line->x1 - (heads ? HEAD / 2 : 0), line->y1);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      if (!heads)
        continue;
      cairo_move_to (cr, line->x1, line->y1);
      cairo_line_to (cr, line->x1 - HEAD, line->y1 - HEAD / 1.8);
      cairo_line_to (cr, line->x1 - HEAD, line->y1 + HEAD / 1.8);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
}

/**
 * stria_timeline_paint_flows:
 * @seen_x0: left edge of what is seen of the picture
 * @seen_x1: its right edge
 * @count: (out caller-allocates): what was drawn
 */
void
stria_timeline_paint_flows (cairo_t *cr, const StriaTimelineView *view, double width, double height,
                            double scroll_y, double seen_x0, double seen_x1, StriaFlowCount *count)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GArray) lines = NULL;
  g_autofree guint8 *seen = g_new0 (guint8, stria_trace_get_n_lanes (view->trace) + 1);
  Walk walk = { .view = view, .width = width, .scroll_y = scroll_y, .seen_x0 = seen_x0,
                .seen_x1 = seen_x1, .seen = seen, .ends = ends, .count = count };
  /* Closer than this they would be a smear, however thin. */
  const guint most = (guint) CLAMP (width / 4, 200, STRIA_FLOWS_MAX_LINES);
  double grid = FINEST_PX;

  *count = (StriaFlowCount){ 0 };
  walk_lanes (&walk, height);
  lines = bundle (ends, grid);
  while (lines->len > most && grid < width)
    {
      g_autoptr (GArray) finer = g_steal_pointer (&lines);

      grid *= 2;
      lines = bundle (finer, grid);
    }
  count->n_lines = lines->len;
  for (guint i = 0; i < lines->len; i++)
    if (g_array_index (lines, Line, i).n > 1)
      count->n_bundled += g_array_index (lines, Line, i).n;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  draw (cr, view, lines);
  cairo_restore (cr);
}

/**
 * stria_flow_count_text:
 *
 * Returns: (transfer full): what is drawn, in words
 */
char *
stria_flow_count_text (const StriaFlowCount *self)
{
  GString *text = g_string_new (NULL);
  g_autofree char *visible = stria_format_count (self->n_visible);
  g_autofree char *hidden = stria_format_count (self->n_hidden);

  g_string_append_printf (text, ngettext ("%s arrow", "%s arrows", self->n_visible), visible);
  if (self->is_cut)
    g_string_append (text, _ (" and more"));
  if (self->n_bundled > 0)
    g_string_append (text, _ (", those close to each other as one line"));
  if (self->n_hidden > 0)
    g_string_append_printf (text, _ (", %s to hidden lanes not drawn"), hidden);
  return g_string_free (text, FALSE);
}
