/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-icicle.h"

#include <math.h>
#include <pango/pangocairo.h>

#include "stria-paint-kit.h"

#define MIN_WIDTH 1.0  /* pixels: narrower ones are put together */
#define MIN_LABEL 28.0 /* pixels that show a letter or two */
#define MIN_SHARE 0.001
#define MAX_ROWS 400
#define PADDING 5

static double
total_of (StriaOperators *tree, guint32 node)
{
  return stria_operators_get (tree, node)->figures[STRIA_OPERATOR_TOTAL];
}

static double
sum_of_children (StriaOperators *tree, guint32 node)
{
  double sum = 0;

  for (guint32 child = stria_operators_first (tree, node); child != G_MAXUINT32;
       child = stria_operators_next (tree, child))
    sum += total_of (tree, child);
  return sum;
}

static int
compare_boxes (gconstpointer a, gconstpointer b)
{
  const StriaIcicleBox *x = a, *y = b;

  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return x->x < y->x ? -1 : x->x > y->x;
}

/* Neighbours in one row that touch become one. */
static void
add_rest (GArray *rests, guint32 row, double x, double width)
{
  StriaIcicleBox box = { G_MAXUINT32, row, x, width };

  if (width > 0)
    g_array_append_val (rests, box);
}

static void
add_children (StriaOperators *tree, GArray *boxes, guint place)
{
  const StriaIcicleBox above = g_array_index (boxes, StriaIcicleBox, place);
  const double total = total_of (tree, above.node);
  const double all = MAX (total, sum_of_children (tree, above.node));
  double x = above.x;

  if (all <= 0)
    return;
  for (guint32 child = stria_operators_first (tree, above.node); child != G_MAXUINT32;
       child = stria_operators_next (tree, child))
    {
      StriaIcicleBox box = { child, above.row + 1, x, total_of (tree, child) / all * above.width };

      /* They come widest first: those that follow are no wider. */
      if (box.width < MIN_WIDTH)
        {
          double rest = 0;

          for (; child != G_MAXUINT32; child = stria_operators_next (tree, child))
            rest += total_of (tree, child) / all * above.width;
          add_rest (boxes, above.row + 1, x, rest);
          return;
        }
      g_array_append_val (boxes, box);
      x += box.width;
    }
}

GArray *
stria_icicle_layout (StriaOperators *tree, guint32 zoom, double width)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (StriaIcicleBox));
  const guint32 depth = stria_operators_get (tree, zoom)->depth;

  for (guint32 n = zoom; n != G_MAXUINT32; n = stria_operators_get (tree, n)->parent)
    {
      StriaIcicleBox box = { n, stria_operators_get (tree, n)->depth, 0, width };

      g_array_append_val (boxes, box);
    }
  g_array_sort (boxes, compare_boxes);
  for (guint i = boxes->len - 1; i < boxes->len; i++)
    {
      const StriaIcicleBox box = g_array_index (boxes, StriaIcicleBox, i);

      if (box.node != G_MAXUINT32 && box.row - depth < MAX_ROWS)
        add_children (tree, boxes, i);
    }
  g_array_sort (boxes, compare_boxes);
  return boxes;
}

guint
stria_icicle_n_rows (StriaOperators *tree, guint32 zoom)
{
  const StriaOperator *top = stria_operators_get (tree, zoom);
  const double least = top->figures[STRIA_OPERATOR_TOTAL] * MIN_SHARE;
  guint32 deepest = top->depth;

  for (guint32 n = zoom; n < zoom + top->size; n++)
    {
      const StriaOperator *node = stria_operators_get (tree, n);

      if (node->figures[STRIA_OPERATOR_TOTAL] >= least)
        deepest = MAX (deepest, node->depth);
    }
  return MIN (deepest, top->depth + MAX_ROWS) + 1;
}

static void
fill (cairo_t *cr, StriaOperators *tree, const StriaIcicleBox *box, gboolean dimmed, gboolean dark,
      StriaColor *used)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);
  const double gap = box->width > 3 ? 1 : 0;

  if (box->node == G_MAXUINT32)
    *used = stria_color_mix (theme->background, theme->text, 0.25);
  else if (box->node == 0)
    *used = stria_color_mix (theme->background, theme->text, 0.14);
  else
    *used = stria_color_for_name (stria_operators_get (tree, box->node)->color_name, dark);
  if (dimmed)
    *used = stria_color_mix (*used, theme->background, 0.45);
  stria_paint_set_color (cr, *used, 1);
  cairo_rectangle (cr, box->x, box->row * STRIA_ICICLE_ROW, MAX (box->width - gap, 0.5),
                   STRIA_ICICLE_ROW - 1);
  cairo_fill (cr);
}

static void
label (cairo_t *cr, PangoLayout *layout, const char *name, const StriaIcicleBox *box,
       StriaColor ground)
{
  int height;

  pango_layout_set_text (layout, name, -1);
  pango_layout_set_width (layout, (int) (box->width - 2 * PADDING) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  stria_paint_set_color (cr, stria_color_text (ground), 1);
  cairo_move_to (cr, box->x + PADDING,
                 box->row * STRIA_ICICLE_ROW + floor ((STRIA_ICICLE_ROW - 1 - height) / 2.0));
  pango_cairo_show_layout (cr, layout);
}

static void
outline (cairo_t *cr, const StriaIcicleBox *box, gboolean has_focus, gboolean dark)
{
  const StriaPaintTheme *theme = stria_paint_theme (dark);

  cairo_rectangle (cr, box->x + 1, box->row * STRIA_ICICLE_ROW + 1, MAX (box->width - 3, 1),
                   STRIA_ICICLE_ROW - 3);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_set_line_width (cr, has_focus ? 4 : 3);
  cairo_stroke_preserve (cr);
  stria_paint_set_color (cr, has_focus ? theme->accent : theme->text, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

void
stria_icicle_paint (cairo_t *cr, StriaOperators *tree, const GArray *boxes, guint32 zoom,
                    guint32 selected, gboolean has_focus, gboolean dark)
{
  const guint32 depth = stria_operators_get (tree, zoom)->depth;
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_from_string ("Sans");
  const StriaIcicleBox *chosen = NULL;

  /* Points as a screen has them: what Cairo is drawn on has a resolution of its own. */
  pango_font_description_set_absolute_size (font, 12 * stria_text_get_scale () * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  for (guint i = 0; i < boxes->len; i++)
    {
      const StriaIcicleBox *box = &g_array_index (boxes, StriaIcicleBox, i);
      StriaColor ground;

      fill (cr, tree, box, box->row < depth, dark, &ground);
      if (box->node != G_MAXUINT32 && box->width >= MIN_LABEL)
        label (cr, layout, stria_operators_get (tree, box->node)->name, box, ground);
      if (box->node == selected && selected != G_MAXUINT32)
        chosen = box;
    }
  if (chosen != NULL)
    outline (cr, chosen, has_focus, dark);
  pango_font_description_free (font);
  g_object_unref (layout);
}

const StriaIcicleBox *
stria_icicle_box_at (const GArray *boxes, double x, double y)
{
  const guint32 row = y >= 0 ? (guint32) (y / STRIA_ICICLE_ROW) : G_MAXUINT32;

  for (guint i = 0; i < boxes->len; i++)
    {
      const StriaIcicleBox *box = &g_array_index (boxes, StriaIcicleBox, i);

      if (box->row == row && x >= box->x && x < box->x + box->width)
        return box;
    }
  return NULL;
}
