/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-alloc-text.h"
#include "stria-format.h"

#define MARGIN stria_text_px (12.0)
#define GAP    stria_text_px (3.0)
#define KEYS   stria_text_px (20.0)

typedef struct
{
  cairo_t               *cr; /* (nullable): it is only measured */
  StriaPaintKit         *kit;
  const StriaPaintTheme *theme;
  double                 width;
  double                 x, y;
} Head;

static void
put_text (Head *head, StriaTextStyle style, StriaColor color, const char *text)
{
  g_autoptr (PangoLayout) layout = NULL;
  double top, width;
  int height;

  layout = pango_layout_copy (
      stria_paint_kit_layout (head->kit, style, text, 0, head->y, &top, &width));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width (layout, (int) MAX (head->width - 2 * MARGIN, 1) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  if (head->cr != NULL)
    {
      stria_paint_set_color (head->cr, color, 1);
      cairo_move_to (head->cr, MARGIN, head->y);
      pango_cairo_show_layout (head->cr, layout);
    }
  head->y += height + GAP;
}

static void
put_key (Head *head, StriaColor color, gboolean hatched, const char *text)
{
  const double side = stria_text_px (12), mark = stria_text_px (16);
  const double room = head->width - 2 * MARGIN - mark - 5;
  const double width = MIN (stria_paint_kit_measure (head->kit, STRIA_TEXT_NORMAL, text), room);
  double y;

  if (head->x > MARGIN && head->x + mark + 5 + width > head->width - MARGIN)
    {
      head->x = MARGIN;
      head->y += KEYS;
    }
  y = head->y + KEYS / 2;
  if (head->cr != NULL)
    {
      stria_paint_set_color (head->cr, color, 1);
      cairo_rectangle (head->cr, head->x, y - side / 2, mark, side);
      cairo_fill (head->cr);
      if (hatched)
        stria_alloc_paint_hatch (head->cr, head->x, y - side / 2, mark, side, head->theme->text);
      stria_paint_set_color (head->cr, head->theme->text, 1);
      stria_paint_kit_text (head->kit, head->cr, STRIA_TEXT_NORMAL, text, head->x + mark + 5, y,
                            MAX (room, 1));
    }
  head->x += mark + 5 + width + stria_text_px (18);
}

static char *
first_line (const StriaAllocView *view, StriaMap *map)
{
  g_autofree char *reserved = stria_format_bytes ((gint64) map->reserved);
  g_autofree char *allocated = stria_format_bytes ((gint64) map->allocated);
  g_autofree char *free_bytes = stria_format_bytes ((gint64) map->free_bytes);
  g_autofree char *largest = stria_format_bytes ((gint64) map->largest_free);
  g_autofree char *when = stria_alloc_step_text (view->allocator, map->step);
  g_autofree char *count = stria_format_count (map->segments->len);

  return g_strdup_printf (
      /* Translators: bytes allocated, bytes reserved, number of segments, bytes free, bytes in
       * the largest free range, a time or number of an action */
      ngettext ("%s allocated of %s reserved in %s segment · %s free, the largest range %s · at %s",
                "%s allocated of %s reserved in %s segments · %s free, the largest range %s · at %s",
                map->segments->len),
      allocated, reserved, count, free_bytes, largest, when);
}

static char *
second_line (StriaMap *map)
{
  g_autofree char *external = stria_format_percent (map->external);
  g_autofree char *scattered = stria_format_percent (map->scattered);
  g_autofree char *rounding = NULL;

  if (map->has_rounding)
    {
      g_autofree char *bytes = stria_format_bytes ((gint64) map->rounding);
      g_autofree char *share = stria_format_percent (
          map->reserved > 0 ? (double) map->rounding / (double) map->reserved : 0);

      rounding = g_strdup_printf (_ ("%s (%s)"), bytes, share);
    }
  return g_strdup_printf (_ ("Internal fragmentation (rounding) %s · external: %s of the free "
                             "bytes lie outside the largest range; index %s"),
                          rounding != NULL ? rounding : _ ("known only at the end"), scattered,
                          external);
}

double
stria_alloc_paint_map_head (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                            StriaMap *map, double width)
{
  const StriaColor block = stria_color_series (0, view->dark);
  g_autofree char *first = first_line (view, map);
  g_autofree char *second = second_line (map);
  Head head = { cr, kit, stria_paint_theme (view->dark), width, MARGIN, stria_text_px (5) };

  put_text (&head, STRIA_TEXT_BOLD, head.theme->text, first);
  put_text (&head, STRIA_TEXT_NORMAL, head.theme->dim_text, second);
  put_key (&head, block, FALSE, _ ("allocated, coloured as in the plot"));
  put_key (&head, block, TRUE, _ ("free requested"));
  put_key (&head, stria_alloc_rounding_color (view->dark), FALSE, _ ("lost to rounding"));
  put_key (&head, stria_alloc_gap_color (view->dark), FALSE, _ ("free"));
  return head.y + KEYS + stria_text_px (5);
}
