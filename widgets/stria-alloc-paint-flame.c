/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-alloc-text.h"
#include "stria-format.h"

#define ROW_HEIGHT stria_text_px (19.0)
#define NONE       G_MAXUINT32

typedef struct
{
  cairo_t              *cr;
  const StriaAllocView *view;
  StriaPaintKit        *kit;
  GArray               *nodes;
  guint32               hover;
  double                height;
} Flame;

static char *
node_text (const Flame *flame, const StriaFlameNode *node, guint32 index)
{
  g_autofree char *bytes = stria_format_bytes ((gint64) node->bytes);
  g_autofree char *name = NULL;

  if (index == 0)
    name = g_strdup (_ ("All live blocks"));
  else
    name = stria_alloc_frame_short (stria_allocator_get_snapshot (flame->view->allocator),
                                    node->frame);
  /* Translators: a function, and bytes */
  return g_strdup_printf (_ ("%s — %s"), name, bytes);
}

static StriaColor
node_color (const Flame *flame, const StriaFlameNode *node)
{
  StriaSnapshotData *snapshot = stria_allocator_get_snapshot (flame->view->allocator);
  g_autofree char *text = NULL;

  if (node->frame == NONE)
    return flame->view->dark ? (StriaColor){ 0.36, 0.37, 0.40 } : (StriaColor){ 0.75, 0.76, 0.79 };
  text = stria_snapshot_frame_text (snapshot, node->frame);
  return stria_color_for_name (text, flame->view->dark);
}

static void
paint_node (Flame *flame, guint32 index, guint depth, double x, double width)
{
  const StriaFlameNode *node = &g_array_index (flame->nodes, StriaFlameNode, index);
  const StriaColor color = node_color (flame, node);
  const double y = 4 + depth * ROW_HEIGHT;
  double at = x;

  if (y > flame->height || width < 0.5)
    return;
  stria_paint_set_color (flame->cr, color, 1);
  cairo_rectangle (flame->cr, x, y, MAX (width - 1, 0.5), ROW_HEIGHT - 1);
  cairo_fill (flame->cr);
  if (index == flame->hover)
    {
      stria_paint_set_color (flame->cr, stria_paint_theme (flame->view->dark)->text, 1);
      cairo_set_line_width (flame->cr, 1.5);
      cairo_rectangle (flame->cr, x + 0.5, y + 0.5, MAX (width - 2, 1), ROW_HEIGHT - 2);
      cairo_stroke (flame->cr);
    }
  if (width > stria_text_px (40))
    {
      g_autofree char *text = node_text (flame, node, index);

      stria_paint_set_color (flame->cr, stria_color_text (color), 1);
      stria_paint_kit_text (flame->kit, flame->cr, STRIA_TEXT_SMALL, text, x + 4,
                            y + (ROW_HEIGHT - 1) / 2, width - 8);
    }
  for (guint32 i = 0; i < node->n_children && node->bytes > 0; i++)
    {
      const guint32 child = node->first_child + i;
      const double its = width
                         * (double) g_array_index (flame->nodes, StriaFlameNode, child).bytes
                         / (double) node->bytes;

      paint_node (flame, child, depth + 1, at, its);
      at += its;
    }
}

void
stria_alloc_paint_flame_of (cairo_t *cr, const StriaAllocView *view, GArray *nodes, guint32 root,
                            guint32 hover, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  double sx = 1, sy = 1;
  g_autoptr (StriaPaintKit) kit = NULL;

  if (cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE)
    cairo_surface_get_device_scale (cairo_get_group_target (cr), &sx, &sy);
  kit = stria_paint_kit_acquire (
      stria_snapshot_get_strings (stria_allocator_get_snapshot (view->allocator)),
      STRIA_ALLOC_FONT_SIZE, sx);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  stria_paint_set_color (cr, theme->background, 1);
  cairo_paint (cr);
  if (nodes->len > 0 && g_array_index (nodes, StriaFlameNode, 0).bytes > 0)
    {
      Flame flame = { cr, view, kit, nodes, hover, height };

      paint_node (&flame, MIN (root, nodes->len - 1), 0, 4, MAX (width - 8, 1));
    }
  else
    {
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, _ ("Nothing is allocated at this moment"),
                            12, stria_text_px (18), width - 24);
    }
  cairo_restore (cr);
}

void
stria_alloc_paint_flame (cairo_t *cr, const StriaAllocView *view, double width, double height)
{
  const guint32 last = stria_allocator_get_n_events (view->allocator);
  const guint32 step = view->step <= last ? view->step
                                          : stria_allocator_peak (view->allocator, 0, last);
  g_autoptr (GArray) nodes = stria_allocator_flame (
      view->allocator, step, view->base_step <= last ? view->base_step : step, TRUE,
      view->cancellable, NULL);

  if (nodes != NULL)
    stria_alloc_paint_flame_of (cr, view, nodes, 0, NONE, width, height);
}

guint32
stria_alloc_flame_hit (GArray *nodes, guint32 root, double width, double x, double y)
{
  const double row = floor ((y - 4) / ROW_HEIGHT);
  guint32 node = root;
  double left = 4;
  double room = MAX (width - 8, 1);

  if (row < 0 || nodes->len == 0 || x < left || x >= left + room)
    return NONE;
  for (guint depth = 0; depth < row; depth++)
    {
      const StriaFlameNode *parent = &g_array_index (nodes, StriaFlameNode, node);
      guint32 found = NONE;

      for (guint32 i = 0; i < parent->n_children && parent->bytes > 0; i++)
        {
          const double its
              = room
                * (double) g_array_index (nodes, StriaFlameNode, parent->first_child + i).bytes
                / (double) parent->bytes;

          if (x >= left && x < left + its)
            {
              found = parent->first_child + i;
              room = its;
              break;
            }
          left += its;
        }
      if (found == NONE)
        return NONE;
      node = found;
    }
  return node;
}

guint
stria_alloc_flame_n_rows (double height)
{
  return (guint) MAX (floor ((height - 4) / ROW_HEIGHT), 1);
}
