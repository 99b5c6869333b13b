/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-address-paint-private.h"
#include "stria-format.h"

#define LEFT   stria_text_px (76.0)
#define RIGHT  12.0
#define TOP    10.0
#define BOTTOM stria_text_px (26.0)
/* A thin range may be missed by so much. */
#define NEAR_PX 2.0

void
stria_address_box (double width, double height, StriaAddressBox *box)
{
  *box = (StriaAddressBox){ LEFT, TOP, MAX (width - LEFT - RIGHT, 1),
                            MAX (height - TOP - BOTTOM, 1) };
}

gboolean
stria_address_shows (const StriaAddressView *view, const StriaSbufRange *range)
{
  return range->core == view->core && range->partition == view->partition;
}

static gboolean
fit_samples (StriaAddressView *view, GArray *times)
{
  gint64 last;

  if (times->len == 0)
    return FALSE;
  view->t0 = g_array_index (times, gint64, 0);
  last = g_array_index (times, gint64, times->len - 1);
  /* The last sample holds, too: for as long as others did on the average. */
  view->t1 = last + MAX ((last - view->t0) / (gint64) times->len, 1);
  return TRUE;
}

gboolean
stria_address_view_fit (StriaAddressView *view)
{
  StriaNeuronMemory *memory = view->memory;
  const StriaSbufPressure *pressure;

  if (memory == NULL)
    return FALSE;
  view->y0 = 0;
  view->y1 = 1;
  switch (view->kind)
    {
    case STRIA_ADDRESS_FULLNESS:
      return view->subject < memory->fullness->len
             && fit_samples (view,
                             ((StriaFullness *) memory->fullness->pdata[view->subject])->times);
    case STRIA_ADDRESS_STACK:
      return view->subject < memory->stacks->len
             && fit_samples (view,
                             ((StriaMemoryStack *) memory->stacks->pdata[view->subject])->times);
    case STRIA_ADDRESS_RANGES:
    default:
      pressure = stria_neuron_memory_pressure (memory, view->core, view->partition);
      if (pressure == NULL)
        return FALSE;
      view->t0 = pressure->t0;
      view->t1 = MAX (pressure->t1, pressure->t0 + 1);
      view->y0 = pressure->first;
      view->y1 = pressure->last + 1;
      return TRUE;
    }
}

gint64
stria_address_time_at (const StriaAddressView *view, double width, double x)
{
  StriaAddressBox box;

  stria_address_box (width, 100, &box);
  x = CLAMP ((x - box.x) / box.width, 0, 1);
  return view->t0 + (gint64) (x * ((double) view->t1 - (double) view->t0));
}

/* How many ranges start at @time or before */
static guint
starts_until (GArray *ranges, gint64 time)
{
  guint low = 0, high = ranges->len;

  while (low < high)
    {
      const guint mid = low + (high - low) / 2;

      if (g_array_index (ranges, StriaSbufRange, mid).start <= time)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

guint
stria_address_hit (const StriaAddressView *view, double width, double height, double x, double y)
{
  GArray *ranges = view->memory != NULL ? view->memory->ranges : NULL;
  StriaAddressBox box;
  guint near = STRIA_NO_RANGE, from, to;

  stria_address_box (width, height, &box);
  if (ranges == NULL || view->kind != STRIA_ADDRESS_RANGES || x < box.x || x > box.x + box.width
      || y < box.y || y > box.y + box.height)
    return STRIA_NO_RANGE;
  from = stria_neuron_memory_from (
      view->memory, stria_address_time_at (view, width, x - 2 * NEAR_PX));
  to = starts_until (ranges, stria_address_time_at (view, width, x + 2 * NEAR_PX));
  for (guint i = to; i > from; i--)
    {
      const StriaSbufRange *range = &g_array_index (ranges, StriaSbufRange, i - 1);
      double left, right, top, bottom;

      if (!stria_address_shows (view, range))
        continue;
      left = stria_address_x (view, &box, range->start);
      right = stria_address_x (view, &box, range->end);
      top = stria_address_y (view, &box, (double) range->last + 1);
      bottom = stria_address_y (view, &box, (double) range->first);
      if (x >= left && x < right && y >= top && y < bottom)
        return i - 1;
      if (near == STRIA_NO_RANGE && x >= left - NEAR_PX && x < right + NEAR_PX
          && y >= top - NEAR_PX && y < bottom + NEAR_PX)
        near = i - 1;
    }
  return near;
}

static StriaSbufText
color_text (const StriaAddressView *view, const StriaSbufRange *range)
{
  if (view->color == STRIA_ADDRESS_COLOR_SOURCE)
    return STRIA_SBUF_SOURCE;
  if (view->color == STRIA_ADDRESS_COLOR_HLO)
    return STRIA_SBUF_HLO;
  if (view->color == STRIA_ADDRESS_COLOR_WRITER)
    return range->texts[STRIA_SBUF_OPCODE] != 0 ? STRIA_SBUF_OPCODE : STRIA_SBUF_QUEUE;
  return STRIA_SBUF_TENSOR;
}

const char *
stria_address_color_name (const StriaAddressView *view, const StriaSbufRange *range)
{
  return stria_neuron_memory_text (view->memory, range, color_text (view, range));
}

StriaColor
stria_address_color (const StriaAddressView *view, const StriaSbufRange *range)
{
  const StriaSbufText text = color_text (view, range);

  /* By order and not by name: tensors are few, and lie side by side. */
  return stria_color_for_number (
      stria_neuron_memory_ordinal (view->memory, text,
                                   stria_neuron_memory_text (view->memory, range, text)),
      view->dark);
}

/* -- ranges ---------------------------------------------------------------------------------- */

/* Colours of names, each worked out once */
typedef struct
{
  const StriaAddressView *view;
  GHashTable             *known; /* name → argb */
} Colors;

static guint32
color_of (Colors *self, const StriaSbufRange *range)
{
  const char *name = stria_address_color_name (self->view, range);
  gpointer known;
  guint32 argb;

  /* Equal names are one text. */
  if (g_hash_table_lookup_extended (self->known, name, NULL, &known))
    return GPOINTER_TO_UINT (known);
  argb = stria_color_argb (stria_address_color (self->view, range));
  g_hash_table_insert (self->known, (gpointer) name, GUINT_TO_POINTER (argb));
  return argb;
}

static void
paint_name (cairo_t *cr, StriaPaintKit *kit, const char *name, StriaColor color, double x, double y,
            double width, double height)
{
  if (*name == '\0' || width < stria_text_px (44) || height < stria_text_px (13))
    return;
  stria_paint_set_color (cr, stria_color_text (color), 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, name, x + 4, y + height / 2, width - 8);
}

/* Of the ranges that fall into one pixel only the first is drawn: there may be millions. */
static void
paint_ranges (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
              const StriaAddressBox *box)
{
  GArray *ranges = view->memory->ranges;
  g_autoptr (GHashTable) known = g_hash_table_new (g_direct_hash, g_direct_equal);
  Colors colors = { view, known };
  const gsize stride = (gsize) ceil (box->width) + 1;
  g_autofree guint8 *taken = g_malloc0 (stride * ((gsize) ceil (box->height) + 1));

  for (guint i = stria_neuron_memory_from (view->memory, view->t0); i < ranges->len; i++)
    {
      const StriaSbufRange *range = &g_array_index (ranges, StriaSbufRange, i);
      double left, right, top, bottom;
      StriaColor color;

      if ((i & 0xffff) == 0xffff && g_cancellable_is_cancelled (view->cancellable))
        return;
      if (range->start > view->t1)
        break;
      if (!stria_address_shows (view, range) || range->end < view->t0 || range->first >= view->y1
          || range->last < view->y0)
        continue;
      left = MAX (stria_address_x (view, box, range->start), box->x);
      right = MIN (stria_address_x (view, box, range->end), box->x + box->width);
      top = MAX (stria_address_y (view, box, (double) range->last + 1), box->y);
      bottom = MIN (stria_address_y (view, box, (double) range->first), box->y + box->height);
      if (right - left < 2 && bottom - top < 2)
        {
          guint8 *cell = &taken[(gsize) (top - box->y) * stride + (gsize) (left - box->x)];

          if (*cell != 0)
            continue;
          *cell = 1;
        }
      color = stria_paint_from_argb (color_of (&colors, range));
      stria_paint_set_color (cr, color, 1);
      /* A gap where there is room for one, so that neighbours are told apart */
      cairo_rectangle (cr, left, top, MAX (right - left - (right - left > 4 ? 1 : 0), 1),
                       MAX (bottom - top - (bottom - top > 4 ? 1 : 0), 1));
      cairo_fill (cr);
      paint_name (cr, kit, stria_address_color_name (view, range), color, left, top, right - left,
                  bottom - top);
    }
}

/* -- axes ------------------------------------------------------------------------------------ */

void
stria_address_paint_tick (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                          const StriaAddressBox *box, const char *text, double y)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);

  stria_paint_set_color (cr, theme->grid, 1);
  cairo_rectangle (cr, box->x, floor (y), box->width, 1);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text,
                        box->x - 6 - stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, text),
                        MIN (floor (y), box->y + box->height - stria_text_px (5)), 0);
}

static void
paint_address_axis (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                    const StriaAddressBox *box)
{
  gint64 step = 1;

  while (step < G_GINT64_CONSTANT (1) << 60
         && (double) step * box->height / ((double) view->y1 - (double) view->y0) < stria_text_px (42))
    step <<= 1;
  for (gint64 at = view->y0 >= 0 ? (view->y0 + step - 1) / step * step : view->y0 / step * step;
       at <= view->y1; at += step)
    {
      g_autofree char *text = at >= 0 ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", at)
                                      : g_strdup_printf ("%" G_GINT64_FORMAT, at);

      stria_address_paint_tick (cr, view, kit, box, text,
                                stria_address_y (view, box, (double) at));
    }
}

static void
paint_time_axis (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                 const StriaAddressBox *box)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const gint64 range = view->t1 - view->t0, from = view->t0 - view->origin;
  const gint64 step = MAX (stria_format_tick_step (range, box->width, stria_text_px (110)), 1);
  const double bottom = box->y + box->height;

  for (gint64 tick = (from >= 0 ? (from + step - 1) / step : from / step) * step;
       tick <= from + range; tick += step)
    {
      const double x = box->x + (double) (tick - from) * box->width / (double) range;
      g_autofree char *text = stria_format_time (tick, step);
      const double text_width = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, text);

      stria_paint_set_color (cr, theme->dim_text, 0.6);
      cairo_rectangle (cr, floor (x), bottom, 1, 4);
      cairo_fill (cr);
      stria_paint_set_color (cr, theme->dim_text, 1);
      if (x + text_width / 2 <= box->x + box->width)
        stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text,
                              MAX (floor (x - text_width / 2), box->x), bottom + stria_text_px (14), 0);
    }
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, box->x, bottom, box->width, 1);
  cairo_rectangle (cr, box->x - 1, box->y, 1, box->height + 1);
  cairo_fill (cr);
}

/* Names that are drawn are in no table of the trace. */
static StriaStrings *
no_strings (void)
{
  static gsize strings;

  if (g_once_init_enter (&strings))
    g_once_init_leave (&strings, (gsize) stria_strings_new ());
  return (StriaStrings *) strings;
}

static StriaPaintKit *
acquire (cairo_t *cr)
{
  double sx = 1, sy = 1;

  if (cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE)
    cairo_surface_get_device_scale (cairo_get_group_target (cr), &sx, &sy);
  return stria_paint_kit_acquire (no_strings (), STRIA_ADDRESS_FONT_SIZE, sx);
}

void
stria_address_paint (cairo_t *cr, const StriaAddressView *view, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  g_autoptr (StriaPaintKit) kit = acquire (cr);
  StriaAddressBox box;

  stria_address_box (width, height, &box);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  if (view->memory != NULL && view->t1 > view->t0 && view->y1 > view->y0)
    {
      if (view->kind == STRIA_ADDRESS_RANGES)
        {
          paint_address_axis (cr, view, kit, &box);
          cairo_save (cr);
          cairo_rectangle (cr, box.x, box.y, box.width, box.height);
          cairo_clip (cr);
          paint_ranges (cr, view, kit, &box);
          cairo_restore (cr);
        }
      else if (view->kind == STRIA_ADDRESS_FULLNESS)
        stria_address_paint_fullness (cr, view, kit, &box);
      else
        stria_address_paint_stack (cr, view, kit, &box);
      paint_time_axis (cr, view, kit, &box);
    }
  cairo_restore (cr);
}

static void
paint_selected (cairo_t *cr, const StriaAddressView *view, const StriaAddressBox *box)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const StriaSbufRange *range;
  double left, right, top, bottom;

  if (view->kind != STRIA_ADDRESS_RANGES || view->selected >= view->memory->ranges->len)
    return;
  range = &g_array_index (view->memory->ranges, StriaSbufRange, view->selected);
  if (!stria_address_shows (view, range))
    return;
  left = stria_address_x (view, box, range->start);
  right = MAX (stria_address_x (view, box, range->end), left + 2);
  top = stria_address_y (view, box, (double) range->last + 1);
  bottom = MAX (stria_address_y (view, box, (double) range->first), top + 2);
  cairo_save (cr);
  cairo_rectangle (cr, box->x - 2, box->y - 2, box->width + 4, box->height + 4);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_set_line_width (cr, 4);
  cairo_rectangle (cr, left, top, right - left, bottom - top);
  cairo_stroke_preserve (cr);
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
stria_address_paint_overlay (cairo_t *cr, const StriaAddressView *view, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  StriaAddressBox box;

  if (view->memory == NULL || view->t1 <= view->t0)
    return;
  stria_address_box (width, height, &box);
  paint_selected (cr, view, &box);
  if (view->moment < view->t0 || view->moment > view->t1)
    return;
  stria_paint_set_color (cr, theme->accent, 1);
  cairo_rectangle (cr, floor (stria_address_x (view, &box, view->moment)), box.y - 4, 1,
                   box.height + 8);
  cairo_fill (cr);
}
