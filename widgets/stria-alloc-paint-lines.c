/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-format.h"

/* Lines over the blocks: what was requested, what that takes, what is reserved, and how much there
 * is; and marks of the peak and of requests that failed. */

typedef enum
{
  LINE_REQUESTED,
  LINE_OCCUPIED,
  LINE_RESERVED,
  N_LINES,
} Line;

static const StriaColor oom_color = { 0.84, 0.10, 0.12 };

double
stria_alloc_bytes_to_y (const StriaAllocView *view, const StriaAllocFrameBox *box, guint64 top,
                        guint64 bytes)
{
  return box->y + box->height
         - ((double) bytes - (double) view->bytes0) * box->height / (double) (top - view->bytes0);
}

static StriaColor
line_color (const StriaAllocView *view, Line line)
{
  switch (line)
    {
    case LINE_OCCUPIED:
      return stria_color_series (4, view->dark);
    case LINE_RESERVED:
      return stria_color_series (1, view->dark);
    case LINE_REQUESTED:
    default:
      return stria_paint_theme (view->dark)->text;
    }
}

/* Bytes at each column: (transfer full) */
static guint64 *
line_values (const StriaAllocView *view, const StriaPlot *plot, Line line)
{
  guint64 *values = g_new (guint64, plot->n_columns);

  if (line == LINE_OCCUPIED)
    {
      g_autofree guint32 *steps = g_new (guint32, plot->n_columns);

      for (guint x = 0; x < plot->n_columns; x++)
        steps[x] = plot->columns[x].step;
      stria_allocator_occupied_at (view->allocator, steps, plot->n_columns, values);
      return values;
    }
  for (guint x = 0; x < plot->n_columns; x++)
    values[x] = line == LINE_RESERVED ? plot->columns[x].reserved : plot->columns[x].allocated;
  return values;
}

/* What fills rectangles: pixels of an image, or Cairo where that is not what is painted on. */
typedef struct
{
  cairo_t          *cr; /* or NULL */
  StriaAllocPixels  pixels;
  StriaAllocFrameBox box;
  double            scale;
  guint32           source; /* premultiplied */
} Filler;

/* A channel as Cairo has it in a pixel. */
static guint32
to_byte (double value)
{
  const guint32 wide = (guint32) (CLAMP (value, 0, 1) * 65536);

  return (wide - (wide >> 16)) >> 8;
}

static void
filler_init (Filler *self, cairo_t *cr, const StriaAllocFrameBox *box, double scale,
             StriaColor color, double alpha)
{
  *self = (Filler){ .box = *box, .scale = scale };
  self->source = to_byte (alpha) << 24 | to_byte (color.r * alpha) << 16
                 | to_byte (color.g * alpha) << 8 | to_byte (color.b * alpha);
  if (scale != floor (scale) || !stria_alloc_find_pixels (cr, box, scale, &self->pixels))
    {
      self->cr = cr;
      stria_paint_set_color (cr, color, alpha);
      cairo_new_path (cr);
    }
}

/* Source over what is there, two channels at once, rounded as a division by 255. */
static inline guint32
blend (guint32 source, guint32 below)
{
  const guint32 left = 255 - (source >> 24);
  guint32 odd = (below >> 8 & 0xff00ff) * left + 0x800080;
  guint32 even = (below & 0xff00ff) * left + 0x800080;

  odd = (odd + (odd >> 8 & 0xff00ff)) & 0xff00ff00;
  even = (even + (even >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  return source + (odd | even);
}

/* Columns from @from to @to; what is outside of the box is not seen. */
static inline void
filler_add (Filler *self, guint from, guint to, double y, double height)
{
  int y0, y1;

  if (self->cr != NULL)
    {
      cairo_rectangle (self->cr, self->box.x + from / self->scale, y, (to - from) / self->scale,
                       height);
      return;
    }
  y0 = (int) CLAMP ((y - self->box.y) * self->scale, 0, self->pixels.height);
  y1 = (int) CLAMP ((y + height - self->box.y) * self->scale, 0, self->pixels.height);
  for (int row = y0; row < y1; row++)
    {
      guint32 *pixels = self->pixels.first + (gsize) row * self->pixels.stride;

      for (guint x = from; x < to; x++)
        pixels[x] = blend (self->source, pixels[x]);
    }
}

static void
filler_end (Filler *self, cairo_t *cr)
{
  if (self->cr != NULL)
    cairo_fill (self->cr);
  else
    cairo_surface_mark_dirty (cairo_get_group_target (cr));
}

/* As below, solid and one pixel thick: with a step at nearly every column, whole pixels are a fiftieth of
 * the work of a stroke. */
static void
fill_column_line (cairo_t *cr, const StriaAllocView *view, const StriaPlot *plot,
                  const StriaAllocFrameBox *box, guint64 top, double scale, Line line, double alpha)
{
  g_autofree guint64 *values = line_values (view, plot, line);
  double y = 0, last_y = 0;
  guint from = 0;
  Filler filler;

  filler_init (&filler, cr, box, scale, line_color (view, line), alpha);
  for (guint x = 0; x < plot->n_columns; x++)
    {
      if (x == 0 || values[x] != values[x - 1])
        y = floor (stria_alloc_bytes_to_y (view, box, top, values[x]));
      if (x > 0 && y != last_y)
        {
          if (x > from)
            filler_add (&filler, from, x, last_y, 1);
          filler_add (&filler, x, x + 1, MIN (y, last_y), fabs (y - last_y) + 1);
          from = x + 1;
        }
      last_y = y;
    }
  if (plot->n_columns > from)
    filler_add (&filler, from, plot->n_columns, last_y, 1);
  filler_end (&filler, cr);
}

/* Stepped, since the allocator takes and gives back at once. */
static void
paint_column_line (cairo_t *cr, const StriaAllocView *view, const StriaPlot *plot,
                   const StriaAllocFrameBox *box, guint64 top, double scale, Line line)
{
  g_autofree guint64 *values = line_values (view, plot, line);
  double last_y = 0;
  double y = 0;

  cairo_new_path (cr);
  for (guint x = 0; x < plot->n_columns; x++)
    {
      if (x == 0 || values[x] != values[x - 1])
        y = floor (stria_alloc_bytes_to_y (view, box, top, values[x])) + 0.5;
      if (x == 0)
        cairo_move_to (cr, box->x, y);
      else if (y != last_y)
        {
          cairo_line_to (cr, box->x + x / scale, last_y);
          cairo_line_to (cr, box->x + x / scale, y);
        }
      last_y = y;
    }
  cairo_line_to (cr, box->x + box->width, last_y);
  cairo_stroke (cr);
}

static void
paint_peak (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
            const StriaAllocFrameBox *box, guint64 top)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const guint32 peak
      = stria_allocator_peak (view->allocator, 0, stria_allocator_get_n_events (view->allocator));
  const double x = stria_alloc_step_to_x (view, box, peak);
  StriaAllocTotals totals;
  double y, text_width, left;
  g_autofree char *bytes = NULL;
  g_autofree char *text = NULL;

  stria_allocator_totals (view->allocator, peak, &totals);
  y = stria_alloc_bytes_to_y (view, box, top, totals.allocated);
  if (x < box->x || x > box->x + box->width || y < box->y - 1 || totals.allocated == 0)
    return;
  bytes = stria_format_bytes ((gint64) totals.allocated);
  /* Translators: the most bytes that were allocated at once */
  text = g_strdup_printf (_ ("Peak %s"), bytes);
  text_width = stria_paint_kit_measure (kit, STRIA_TEXT_BOLD, text);
  stria_paint_set_color (cr, theme->text, 1);
  cairo_move_to (cr, x, y - 1);
  cairo_line_to (cr, x - 5, y - 9);
  cairo_line_to (cr, x + 5, y - 9);
  cairo_close_path (cr);
  cairo_fill (cr);
  left = x + 10 + text_width < box->x + box->width ? x + 9 : x - 9 - text_width;
  stria_paint_set_color (cr, theme->background, 0.85);
  cairo_rectangle (cr, left - 3, y - stria_text_px (17), text_width + 6, stria_text_px (15));
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text, left, y - stria_text_px (9), 0);
}

static void
paint_ooms (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
            const StriaAllocFrameBox *box)
{
  const StriaAllocFilter filter = { .actions = 1u << STRIA_ALLOC_OOM, .max_size = G_MAXUINT64 };
  g_autoptr (GArray) found = view->ooms != NULL
                                 ? g_array_ref (view->ooms)
                                 : stria_allocator_filter (view->allocator, &filter, NULL, NULL);
  double last = -100;

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const double x = floor (
          stria_alloc_step_to_x (view, box, g_array_index (found, guint32, i) + 1));

      if (x < box->x || x > box->x + box->width || x == last)
        continue;
      stria_paint_set_color (cr, oom_color, 1);
      cairo_rectangle (cr, x - 1, box->y, 2, box->height);
      cairo_fill (cr);
      if (x - last > stria_text_px (90))
        stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, _ ("out of memory"), x + 4,
                              box->y + stria_text_px (8), 0);
      last = x;
    }
}

/* How much the device has, with the number on the line. */
static void
paint_capacity (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                const StriaPlot *plot, const StriaAllocFrameBox *box, guint64 top)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const guint64 capacity = stria_allocator_get_capacity (view->allocator);
  gboolean exceeded = FALSE;
  double y, left, text_width;
  g_autofree char *bytes = NULL;
  g_autofree char *text = NULL;

  if (capacity == 0 || capacity > top || capacity < view->bytes0)
    return;
  for (guint x = 0; x < plot->n_columns && !exceeded; x++)
    exceeded = plot->columns[x].reserved > capacity;
  y = floor (stria_alloc_bytes_to_y (view, box, top, capacity)) + 0.5;
  stria_paint_set_color (cr, oom_color, 1);
  cairo_move_to (cr, box->x, y);
  cairo_line_to (cr, box->x + box->width, y);
  cairo_stroke (cr);
  bytes = stria_format_bytes ((gint64) capacity);
  /* Translators: bytes */
  text = g_strdup_printf (exceeded ? _ ("Device memory %s; more is reserved")
                                   : _ ("Device memory %s"),
                          bytes);
  text_width = stria_paint_kit_measure (kit, STRIA_TEXT_BOLD, text);
  left = box->x + 8;
  y += y - stria_text_px (16) < box->y ? stria_text_px (9) : -stria_text_px (9);
  stria_paint_set_color (cr, theme->background, 0.85);
  cairo_rectangle (cr, left - 3, y - stria_text_px (7), text_width + 6, stria_text_px (14));
  cairo_fill (cr);
  stria_paint_set_color (cr, oom_color, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text, left, y, 0);
}

void
stria_alloc_paint_lines (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                         const StriaPlot *plot, const StriaAllocFrameBox *box, guint64 top,
                         double scale)
{
  const double dashes[] = { 5, 3 };

  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y - 1, box->width, box->height + 1);
  cairo_clip (cr);
  cairo_set_line_width (cr, 1);
  fill_column_line (cr, view, plot, box, top, scale, LINE_OCCUPIED, 1);
  fill_column_line (cr, view, plot, box, top, scale, LINE_REQUESTED, 0.75);
  cairo_set_line_width (cr, 1.5);
  cairo_set_dash (cr, dashes, 2, 0);
  stria_paint_set_color (cr, line_color (view, LINE_RESERVED), 1);
  paint_column_line (cr, view, plot, box, top, scale, LINE_RESERVED);
  cairo_set_dash (cr, NULL, 0, 0);
  paint_capacity (cr, view, kit, plot, box, top);
  paint_ooms (cr, view, kit, box);
  cairo_restore (cr);
  paint_peak (cr, view, kit, box, top);
}

void
stria_alloc_paint_outside (cairo_t *cr, const StriaAllocView *view, const StriaAllocFrameBox *box)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const double right = box->x + box->width;
  const guint32 n = stria_allocator_get_n_events (view->allocator);
  const double from = CLAMP (stria_alloc_step_to_x (view, box, 0), box->x, right);
  const double to = CLAMP (stria_alloc_step_to_x (view, box, n) + 1, box->x, right);

  stria_paint_set_color (cr, theme->background, 1);
  cairo_rectangle (cr, box->x, box->y - 1, from - box->x, box->height + 1);
  cairo_rectangle (cr, to, box->y - 1, right - to, box->height + 1);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->dim_text, 0.12);
  cairo_rectangle (cr, box->x, box->y, from - box->x, box->height);
  cairo_rectangle (cr, to, box->y, right - to, box->height);
  cairo_fill (cr);
}

double
stria_alloc_paint_line_legend (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                               const StriaAllocFrameBox *box, double y, double room)
{
  static const char *const titles[N_LINES] = {
    [LINE_REQUESTED] = N_ ("Requested"),
    [LINE_OCCUPIED] = N_ ("Allocated: rounded up, at least"),
    [LINE_RESERVED] = N_ ("Reserved in segments"),
  };
  const guint64 capacity = stria_allocator_get_capacity (view->allocator);
  const StriaColor dim = stria_paint_theme (view->dark)->dim_text;
  g_autofree char *bytes = stria_format_bytes ((gint64) MIN (capacity, (guint64) G_MAXINT64));

  for (guint i = 0; i < N_LINES; i++)
    y = stria_alloc_legend_row (cr, view, kit, line_color (view, i), TRUE, _ (titles[i]), NULL,
                                box->legend_x, y, room);
  if (!stria_allocator_is_host (view->allocator))
    y = stria_alloc_legend_row (cr, view, kit, capacity > 0 ? oom_color : dim, TRUE,
                                _ ("Memory of the device"),
                                capacity > 0 ? bytes : _ ("not known"), box->legend_x, y, room);
  if (stria_alloc_shows_pools (view))
    y = stria_alloc_legend_row (
        cr, view, kit,
        stria_color_mix (stria_paint_theme (view->dark)->background, dim, STRIA_ALLOC_POOL_ALPHA),
        FALSE, _ ("Free in a private pool"), NULL, box->legend_x, y + 4, room);
  return y;
}
