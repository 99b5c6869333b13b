/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-alloc-text.h"
#include "stria-format.h"

#define MARGIN     stria_text_px (12.0)
#define ROW_HEIGHT stria_text_px (26.0)
#define BAR_HEIGHT stria_text_px (19.0)
#define MOST_ROWS  4000
#define LEAST_ROWS 8

typedef struct
{
  guint32 segment; /* index in the map */
  guint32 row;
  double  at;      /* bytes from the left */
} Place;

typedef struct
{
  GArray *places; /* Place, in order of size */
  guint   n_rows;
  double  row_bytes;
} Layout;

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  StriaMap *map = data;
  const StriaMapSegment *p
      = &g_array_index (map->segments, StriaMapSegment, ((const Place *) a)->segment);
  const StriaMapSegment *q
      = &g_array_index (map->segments, StriaMapSegment, ((const Place *) b)->segment);

  if (p->size != q->size)
    return p->size > q->size ? -1 : 1;
  return p->address < q->address ? -1 : p->address > q->address;
}

/* Large ones first, then as many to a row as fit. */
static void
lay_out (StriaMap *map, Layout *layout)
{
  double gap, used = 0;
  guint row = 0;

  layout->places = g_array_sized_new (FALSE, FALSE, sizeof (Place), map->segments->len);
  layout->row_bytes = (double) map->reserved / LEAST_ROWS;
  for (guint32 i = 0; i < map->segments->len; i++)
    {
      const StriaMapSegment *segment = &g_array_index (map->segments, StriaMapSegment, i);

      layout->row_bytes = MAX (layout->row_bytes, (double) segment->size);
      g_array_append_vals (layout->places, &(Place){ i, 0, 0 }, 1);
    }
  layout->row_bytes = MAX (layout->row_bytes, (double) map->reserved / MOST_ROWS);
  layout->row_bytes = MAX (layout->row_bytes, 1);
  g_array_sort_with_data (layout->places, compare_places, map);
  gap = layout->row_bytes / 400;
  for (guint i = 0; i < layout->places->len; i++)
    {
      Place *place = &g_array_index (layout->places, Place, i);
      const double size
          = (double) g_array_index (map->segments, StriaMapSegment, place->segment).size;

      if (used > 0 && used + size > layout->row_bytes)
        {
          row++;
          used = 0;
        }
      place->row = row;
      place->at = used;
      used += size + gap;
    }
  layout->n_rows = layout->places->len > 0 ? row + 1 : 0;
}

static void
layout_clear (Layout *layout)
{
  g_array_unref (layout->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layout, layout_clear)

static double
head_height (const StriaAllocView *view, StriaMap *map, double width)
{
  g_autoptr (StriaPaintKit) kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, 1);

  return stria_alloc_paint_map_head (NULL, view, kit, map, width);
}

double
stria_alloc_map_height (const StriaAllocView *view, StriaMap *map, double width)
{
  g_auto (Layout) layout = { NULL };

  lay_out (map, &layout);
  return head_height (view, map, width) + layout.n_rows * ROW_HEIGHT + MARGIN;
}

/* Rows grow where there is room, up to three times. */
static double
row_height (const Layout *layout, double height)
{
  return CLAMP (floor ((height - MARGIN) / MAX (layout->n_rows, 1)), ROW_HEIGHT,
                3 * ROW_HEIGHT);
}

gint64
stria_alloc_map_hit (const StriaAllocView *view, StriaMap *map, double width, double height,
                     double x, double y, gint64 *segment)
{
  const double head = head_height (view, map, width);
  g_auto (Layout) layout = { NULL };
  double row, bytes;

  *segment = -1;
  lay_out (map, &layout);
  row = floor ((y - head) / row_height (&layout, height - head));
  bytes = (x - MARGIN) * layout.row_bytes / MAX (width - 2 * MARGIN, 1);
  for (guint i = 0; i < layout.places->len; i++)
    {
      const Place *place = &g_array_index (layout.places, Place, i);
      const StriaMapSegment *s = &g_array_index (map->segments, StriaMapSegment, place->segment);
      const double inside = bytes - place->at;

      if (place->row != row || inside < 0 || inside >= (double) s->size)
        continue;
      *segment = place->segment;
      for (guint32 j = s->first; j < s->first + s->n; j++)
        {
          const StriaMapRange *range = &g_array_index (map->ranges, StriaMapRange, j);

          if (inside >= (double) (range->address - s->address)
              && inside < (double) (range->address - s->address + range->size))
            return j;
        }
    }
  return -1;
}

StriaColor
stria_alloc_gap_color (gboolean dark)
{
  return dark ? (StriaColor){ 0.20, 0.21, 0.23 } : (StriaColor){ 0.90, 0.91, 0.93 };
}

StriaColor
stria_alloc_rounding_color (gboolean dark)
{
  return dark ? (StriaColor){ 0.90, 0.75, 0.29 } : (StriaColor){ 0.72, 0.53, 0.04 };
}

void
stria_alloc_paint_hatch (cairo_t *cr, double x, double y, double width, double height,
                         StriaColor color)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, color, 0.9);
  cairo_set_line_width (cr, 1.5);
  for (double at = x - height; at < x + width; at += 6)
    {
      cairo_move_to (cr, at, y + height);
      cairo_line_to (cr, at + height, y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_range (cairo_t *cr, StriaAllocPaints *paints, StriaPaintKit *kit, const StriaMapRange *range,
             double x, double y, double width, double height)
{
  const StriaAllocView *view = paints->view;
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const gboolean is_selected
      = range->element == view->selected && range->element != STRIA_NO_ELEMENT;
  StriaColor color;
  guint32 argb;

  if (range->state == STRIA_RANGE_FREE)
    return;
  if (range->state == STRIA_RANGE_ROUNDING)
    {
      stria_paint_set_color (cr, stria_alloc_rounding_color (view->dark), 1);
      cairo_rectangle (cr, x, y, MAX (width, 0.5), height);
      cairo_fill (cr);
      return;
    }
  argb = stria_alloc_paints_color (paints, range->element);
  if (view->selected != STRIA_NO_ELEMENT && !is_selected)
    argb = stria_paint_mix (argb, stria_paint_argb (theme->background), 90);
  color = is_selected ? theme->accent : stria_paint_from_argb (argb);
  stria_paint_set_color (cr, color, 1);
  cairo_rectangle (cr, x, y, MAX (width - (width > 3 ? 0.7 : 0), 0.5), height);
  cairo_fill (cr);
  if (range->state == STRIA_RANGE_PENDING && width >= 1)
    stria_alloc_paint_hatch (cr, x, y, width, height, theme->text);
  if (width > stria_text_px (74))
    {
      g_autofree char *text
          = stria_alloc_paints_text (paints, stria_alloc_paints_owner (paints, range->element));

      stria_paint_set_color (cr, stria_color_text (color), 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, text, x + 5, y + height / 2, width - 10);
    }
}

static void
paint_segment (cairo_t *cr, StriaAllocPaints *paints, StriaPaintKit *kit, StriaMap *map,
               const StriaMapSegment *segment, double x, double y, double height, double scale)
{
  const StriaPaintTheme *theme = stria_paint_theme (paints->view->dark);
  const double width = MAX ((double) segment->size * scale, 1);

  stria_paint_set_color (cr, stria_alloc_gap_color (paints->view->dark), 1);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
  for (guint32 i = segment->first; i < segment->first + segment->n; i++)
    {
      const StriaMapRange *range = &g_array_index (map->ranges, StriaMapRange, i);
      const double at = x + (double) (range->address - segment->address) * scale;

      if (at > x + width)
        break;
      paint_range (cr, paints, kit, range, at, y,
                   MIN ((double) range->size * scale, x + width - at), height);
    }
  if (width > 4)
    {
      stria_paint_set_color (cr, theme->dim_text, 0.7);
      cairo_set_line_width (cr, 1);
      cairo_rectangle (cr, floor (x) + 0.5, y + 0.5, floor (width) - 1, height - 1);
      cairo_stroke (cr);
    }
}

void
stria_alloc_paint_map_of (cairo_t *cr, const StriaAllocView *view, StriaMap *map, double width,
                          double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  StriaAllocView blocks = *view;
  StriaAllocPaints paints;
  g_auto (Layout) layout = { NULL };
  g_autoptr (StriaPaintKit) kit = NULL;
  double head, rows, scale, sx = 1, sy = 1;

  if (cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE)
    cairo_surface_get_device_scale (cairo_get_group_target (cr), &sx, &sy);
  kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, sx);
  blocks.kind = STRIA_PLOT_BLOCKS;
  if (view->kind != STRIA_PLOT_BLOCKS)
    blocks.selected = STRIA_NO_ELEMENT;
  lay_out (map, &layout);
    scale = MAX (width - 2 * MARGIN, 1) / layout.row_bytes;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  head = stria_alloc_paint_map_head (cr, view, kit, map, width);
  rows = row_height (&layout, height - head);
  stria_alloc_paints_init (&paints, &blocks);
  for (guint i = 0; i < layout.places->len; i++)
    {
      const Place *place = &g_array_index (layout.places, Place, i);
      const double y = head + place->row * rows;

      if (y > height)
        break;
      paint_segment (cr, &paints, kit, map,
                     &g_array_index (map->segments, StriaMapSegment, place->segment),
                     MARGIN + place->at * scale, y, floor (rows * BAR_HEIGHT / ROW_HEIGHT), scale);
    }
  stria_alloc_paints_clear (&paints);
  if (layout.n_rows == 0)
    {
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL,
                            _ ("No segment was reserved at this moment"), MARGIN,
                            head + stria_text_px (20), width - 2 * MARGIN);
    }
  cairo_restore (cr);
}

void
stria_alloc_paint_map (cairo_t *cr, const StriaAllocView *view, double width, double height)
{
  const guint32 last = stria_allocator_get_n_events (view->allocator);
  g_autoptr (StriaMap) map = stria_allocator_map (
      view->allocator, MIN (view->step, last), view->cancellable, NULL);

  if (map != NULL)
    stria_alloc_paint_map_of (cr, view, map, width, height);
}
