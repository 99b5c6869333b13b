/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "stria-alloc-paint-private.h"
#include "stria-format.h"

#define BAND_HEIGHT   stria_text_px (18.0)
#define MAX_BAND_ROWS 3
#define MAX_BANDS     4000
#define LEAST_LABEL   stria_text_px (13.0)
#define COLUMNS_A_SCAN 4
#define LEGEND_ROWS   24

static void
paint_bytes_axis (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                  const StriaAllocFrameBox *box, guint64 top)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  guint64 step = 1;

  while (step < G_GUINT64_CONSTANT (1) << 60
         && (double) step * box->height / (double) (top - view->bytes0) < stria_text_px (42))
    step <<= 1;
  for (guint64 at = (view->bytes0 + step - 1) / step * step; at <= top; at += step)
    {
      const double y = floor (stria_alloc_bytes_to_y (view, box, top, at));
      g_autofree char *text = stria_format_bytes ((gint64) at);

      stria_paint_set_color (cr, theme->grid, 1);
      cairo_rectangle (cr, box->x, y, box->width, 1);
      cairo_fill (cr);
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text,
                            box->x - 6 - stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, text),
                            MIN (y, box->y + box->height - stria_text_px (5)), 0);
    }
}

static void
paint_time_axis (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                 const StriaAllocFrameBox *box)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const gint64 unit = view->by_time ? 1000 : 1;
  const gint64 origin = view->by_time ? stria_allocator_step_time_us (view->allocator, 0) : 0;
  const gint64 range = (view->x1 - view->x0) * unit;
  const gint64 step = MAX (stria_format_tick_step (range, box->width, stria_text_px (110)), unit);
  const gint64 first = (view->x0 - origin) * unit;
  const double bottom = box->y + box->height;

  for (gint64 tick = (first >= 0 ? (first + step - 1) / step : first / step) * step;
       tick <= first + range; tick += step)
    {
      const double x = box->x + (double) (tick - first) * box->width / (double) range;
      g_autofree char *text = view->by_time ? stria_format_time (tick, step)
                                            : stria_format_count ((guint64) MAX (tick, 0));
      const double text_width = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, text);

      stria_paint_set_color (cr, theme->dim_text, 0.6);
      cairo_rectangle (cr, floor (x), bottom, 1, 4);
      cairo_fill (cr);
      stria_paint_set_color (cr, theme->dim_text, 1);
      if (x + text_width / 2 <= box->x + box->width)
        stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text,
                              MAX (floor (x - text_width / 2), box->x), bottom + stria_text_px (13), 0);
    }
}

void
stria_alloc_paint_axes (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                        const StriaAllocFrameBox *box, guint64 top, double width, double height)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);

  paint_bytes_axis (cr, view, kit, box, top);
  if (view->left <= 0)
    paint_time_axis (cr, view, kit, box);
  stria_paint_set_color (cr, theme->hairline, 1);
  cairo_rectangle (cr, box->x, box->y + box->height, box->width, 1);
  cairo_rectangle (cr, box->x - 1, box->y, 1, box->height + 1);
  cairo_fill (cr);
}

static void
paint_band (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
            const StriaAllocFrameBox *box, const StriaAllocBand *band, guint row)
{
  const char *name = stria_snapshot_get_string (stria_allocator_get_snapshot (view->allocator),
                                                band->name);
  const double from = MAX (stria_alloc_step_to_x (view, box, band->start_step), box->x);
  const double to = MIN (stria_alloc_step_to_x (view, box, band->end_step), box->x + box->width);
  const StriaColor color = stria_color_for_name (name, view->dark);
  const double y = box->strip_y + row * BAND_HEIGHT;

  if (to < box->x || from > box->x + box->width)
    return;
  stria_paint_set_color (cr, color, 1);
  cairo_rectangle (cr, from, y, MAX (to - from - 1, 1), BAND_HEIGHT - 2);
  cairo_fill (cr);
  stria_paint_set_color (cr, color, 0.75);
  cairo_rectangle (cr, floor (from), y, 1, box->y + box->height - y);
  cairo_rectangle (cr, floor (to) - 1, y, 1, box->y + box->height - y);
  cairo_fill (cr);
  if (to - from > stria_text_px (24))
    {
      stria_paint_set_color (cr, stria_color_text (color), 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, name, from + 4,
                            y + (BAND_HEIGHT - 2) / 2, to - from - 8);
    }
}

void
stria_alloc_paint_bands (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                         const StriaAllocFrameBox *box)
{
  guint32 n;
  const StriaAllocBand *bands = stria_allocator_get_bands (view->allocator, &n);
  guint32 open[MAX_BAND_ROWS] = { 0 };

  if (box->strip_height <= 0)
    return;
  for (guint32 i = 0; i < MIN (n, MAX_BANDS); i++)
    {
      guint row = 0;

      while (row + 1 < MAX_BAND_ROWS && open[row] > bands[i].start_step
             && (row + 1) * BAND_HEIGHT < box->strip_height)
        row++;
      open[row] = bands[i].end_step;
      paint_band (cr, view, kit, box, &bands[i], row);
    }
}

/* -- labels ----------------------------------------------------------------------------------- */

typedef struct
{
  guint64 owner; /* family */
  double  rgb[3]; /* sums of what is drawn in it, by bytes */
  double  weight;
  double  x0, x1, y0, y1; /* y from the bottom */
  gboolean seen;
} Area;

static int
compare_areas (gconstpointer a, gconstpointer b)
{
  const Area *p = a, *q = b;
  const double s = (p->x1 - p->x0) * MIN (p->y1 - p->y0, 60);
  const double t = (q->x1 - q->x0) * MIN (q->y1 - q->y0, 60);

  return s < t ? 1 : s > t ? -1 : 0;
}

static void
end_area (GArray *done, const Area *area)
{
  if (area->x1 - area->x0 >= stria_text_px (56))
    g_array_append_vals (done, area, 1);
}

static void
add_color (Area *area, guint32 argb, double weight)
{
  for (guint i = 0; i < 3; i++)
    area->rgb[i] += (argb >> (16 - 8 * i) & 0xff) / 255.0 * weight;
  area->weight += weight;
}

/* One column's stretches of one owner go on the areas that they overlap. */
static void
extend_areas (GArray *open, GArray *done, guint64 owner, guint32 argb, double x, double y0,
              double y1)
{
  Area fresh = { owner, { 0 }, 0, x, x, y0, y1, TRUE };

  for (guint i = 0; i < open->len; i++)
    {
      Area *area = &g_array_index (open, Area, i);
      const double low = MAX (area->y0, y0), high = MIN (area->y1, y1);

      if (area->seen || area->owner != owner || high - low < LEAST_LABEL)
        continue;
      /* A longer but flatter area is not always better: keep the height for what is long enough */
      if (high - low < 0.35 * (area->y1 - area->y0) && area->x1 - area->x0 > 160)
        {
          end_area (done, area);
          area->x0 = x;
        }
      area->y0 = low;
      area->y1 = high;
      area->x1 = x;
      area->seen = TRUE;
      add_color (area, argb, high - low);
      return;
    }
  add_color (&fresh, argb, y1 - y0);
  g_array_append_vals (open, &fresh, 1);
}

static void
scan_column (const StriaPlotWalk *walk, const guint64 *families, const guint32 *colors, double x,
             double scale, GArray *open, GArray *done)
{
  const StriaPlotRun *runs = walk->runs;

  for (guint i = 0; i < open->len; i++)
    g_array_index (open, Area, i).seen = FALSE;
  for (guint i = 0, end; i < walk->n; i = end)
    {
      guint highest = i;

      for (end = i + 1; end < walk->n && families[end] == families[i]
                        && runs[end].y0 - runs[end - 1].y1 < 1;
           end++)
        if (runs[end].y1 - runs[end].y0 > runs[highest].y1 - runs[highest].y0)
          highest = end;
      if ((double) (runs[end - 1].y1 - runs[i].y0) / scale >= LEAST_LABEL)
        extend_areas (open, done, families[i], colors[highest], x, (double) runs[i].y0 / scale,
                      (double) runs[end - 1].y1 / scale);
    }
  for (guint i = open->len; i > 0; i--)
    if (!g_array_index (open, Area, i - 1).seen)
      {
        end_area (done, &g_array_index (open, Area, i - 1));
        g_array_remove_index_fast (open, i - 1);
      }
}

struct _StriaAllocLabels
{
  StriaAllocPaints *paints;
  double  scale;
  GArray *open; /* Area */
  GArray *done;
  GArray *families; /* guint64, of the runs of the last column */
  GArray *colors;   /* guint32, of the same */
};

StriaAllocLabels *
stria_alloc_labels_new (StriaAllocPaints *paints, double scale)
{
  StriaAllocLabels *self = g_new (StriaAllocLabels, 1);

  *self = (StriaAllocLabels){
    .paints = paints,
    .scale = scale,
    .open = g_array_new (FALSE, FALSE, sizeof (Area)),
    .done = g_array_new (FALSE, FALSE, sizeof (Area)),
    .families = g_array_new (FALSE, FALSE, sizeof (guint64)),
    .colors = g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  return self;
}

void
stria_alloc_labels_free (StriaAllocLabels *self)
{
  g_array_unref (self->open);
  g_array_unref (self->done);
  g_array_unref (self->families);
  g_array_unref (self->colors);
  g_free (self);
}

void
stria_alloc_labels_add (StriaAllocLabels *self, guint x, const StriaPlotWalk *walk,
                        const guint64 *owners, const guint32 *colors)
{
  if (walk->n > self->families->len)
    {
      g_array_set_size (self->families, walk->n);
      g_array_set_size (self->colors, walk->n);
    }
  for (guint i = walk->same; i < walk->n; i++)
    g_array_index (self->families, guint64, i)
        = stria_alloc_paints_family (self->paints, owners[i - walk->same]);
  if (walk->n > walk->same)
    memcpy (&g_array_index (self->colors, guint32, walk->same), colors,
            (walk->n - walk->same) * sizeof *colors);
  if (x % COLUMNS_A_SCAN == 0)
    scan_column (walk, (const guint64 *) (gconstpointer) self->families->data,
                 (const guint32 *) (gconstpointer) self->colors->data, x / self->scale, self->scale,
                 self->open, self->done);
}

/* Black or white, whichever is seen better on what is drawn below */
static StriaColor
ink_of (const Area *area)
{
  return stria_color_text ((StriaColor){ area->rgb[0] / area->weight, area->rgb[1] / area->weight,
                                         area->rgb[2] / area->weight });
}

void
stria_alloc_labels_paint (StriaAllocLabels *self, cairo_t *cr, StriaPaintKit *kit,
                          const StriaAllocFrameBox *box)
{
  StriaAllocPaints *paints = self->paints;
  GArray *done = self->done;
  g_autoptr (GHashTable) said = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint n_drawn = 0;

  for (guint i = 0; i < self->open->len; i++)
    end_area (done, &g_array_index (self->open, Area, i));
  g_array_set_size (self->open, 0);
  g_array_sort (done, compare_areas);

  for (guint i = 0; i < done->len && n_drawn < 60; i++)
    {
      const Area *area = &g_array_index (done, Area, i);
      const guint times = GPOINTER_TO_UINT (g_hash_table_lookup (said, &area->owner));
      const double room = area->x1 - area->x0 - 10;
      const double y = box->y + box->height - (area->y0 + area->y1) / 2;
      g_autofree char *text = NULL;
      double text_width;

      if (times >= 3)
        continue;
      text = stria_alloc_paints_family_text (paints, area->owner);
      text_width = stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, text);
      if (room < MIN (text_width * 0.6, stria_text_px (110)))
        continue;
      g_hash_table_insert (said, (gpointer) &area->owner, GUINT_TO_POINTER (times + 1));
      stria_paint_set_color (cr, ink_of (area), 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, text,
                            box->x + area->x0 + MAX ((room - text_width) / 2, 0) + 5, y, room);
      n_drawn++;
    }
}

/* -- legend ----------------------------------------------------------------------------------- */

typedef struct
{
  guint64 owner;
  guint64 bytes;
  guint   number;
} Share;

static gboolean
is_before (const Share *a, const Share *b)
{
  return a->bytes > b->bytes || (a->bytes == b->bytes && a->number < b->number);
}

/* Makes the largest come first, in order: only some are named, and there may be thousands. */
static void
raise_largest (GArray *shares)
{
  Share *all = (Share *) (gpointer) shares->data;

  for (guint i = 0; i < MIN (shares->len, LEGEND_ROWS); i++)
    {
      const Share here = all[i];
      guint best = i;

      for (guint k = i + 1; k < shares->len; k++)
        if (is_before (&all[k], &all[best]))
          best = k;
      all[i] = all[best];
      all[best] = here;
    }
}

/* Sums by owner. Frames are numbers from 0 on, so that theirs are found without a hash. */
typedef struct
{
  GArray     *shares; /* Share */
  guint32    *of_frame; /* index + 1 */
  guint32     n_frames;
  GHashTable *of_other;
} Shares;

static void
add_share (Shares *self, guint64 owner, guint64 bytes)
{
  guint at = self->shares->len;
  gpointer known;

  if (self->of_frame != NULL && owner < self->n_frames)
    {
      if (self->of_frame[owner] == 0)
        self->of_frame[owner] = at + 1;
      at = self->of_frame[owner] - 1;
    }
  else if (g_hash_table_lookup_extended (self->of_other, &owner, NULL, &known))
    at = GPOINTER_TO_UINT (known);
  else
    g_hash_table_insert (self->of_other, g_memdup2 (&owner, sizeof owner), GUINT_TO_POINTER (at));
  if (at == self->shares->len)
    g_array_append_vals (self->shares, &(Share){ owner, 0, at }, 1);
  g_array_index (self->shares, Share, at).bytes += bytes;
}

/* Who holds how much at the visible peak. */
static GArray *
shares_at_peak (StriaAllocPaints *paints, const StriaPlot *plot)
{
  StriaAllocator *allocator = paints->view->allocator;
  Shares shares = { .shares = g_array_new (FALSE, FALSE, sizeof (Share)),
                    .n_frames = stria_snapshot_get_n_frames (paints->snapshot),
                    .of_other = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL) };
  const StriaPlotColumn *most = &plot->columns[0];

  if (paints->view->color == STRIA_ALLOC_COLOR_STACK)
    shares.of_frame = g_new0 (guint32, shares.n_frames + 1);
  for (guint x = 1; x < plot->n_columns; x++)
    if (plot->columns[x].allocated > most->allocated)
      most = &plot->columns[x];
  if (paints->view->kind == STRIA_PLOT_BLOCKS)
    {
      g_autoptr (GArray) live = stria_allocator_live (allocator, most->step);
      const guint32 *elements = (const guint32 *) (gconstpointer) live->data;
      g_autofree guint64 *owners = g_new (guint64, live->len);

      stria_alloc_paints_owners (paints, elements, live->len, owners);
      for (guint i = 0; i < live->len; i++)
        add_share (&shares, owners[i], stria_allocator_element_size (allocator, elements[i]));
    }
  else
    for (guint32 i = 0; i < stria_allocator_get_n_segment_lives (allocator); i++)
      {
        StriaSegmentLife life;

        stria_allocator_get_segment_life (allocator, i, &life);
        if ((life.birth == STRIA_NO_EVENT || life.birth < most->step) && life.death >= most->step)
          add_share (&shares, stria_alloc_paints_owner (paints, i), life.size);
      }
  g_hash_table_unref (shares.of_other);
  g_free (shares.of_frame);
  raise_largest (shares.shares);
  return shares.shares;
}

double
stria_alloc_legend_row (cairo_t *cr, const StriaAllocView *view, StriaPaintKit *kit,
                        StriaColor color, gboolean is_line, const char *text, const char *value,
                        double x, double y, double width)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const double value_width = value != NULL ? stria_paint_kit_measure (kit, STRIA_TEXT_SMALL, value)
                                           : 0;
  const double side = stria_text_px (10);

  stria_paint_set_color (cr, color, 1);
  cairo_rectangle (cr, x, is_line ? y - 1 : y - side / 2, side, is_line ? 2 : side);
  cairo_fill (cr);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, text, x + side + 6, y, width - side - 14 - value_width);
  if (value != NULL)
    {
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, value, x + width - value_width, y, 0);
    }
  return y + stria_text_px (17);
}

void
stria_alloc_paint_legend (cairo_t *cr, StriaAllocPaints *paints, StriaPaintKit *kit,
                          const StriaPlot *plot, const StriaAllocFrameBox *box, double width,
                          double height)
{
  static const char *const titles[STRIA_N_ALLOC_COLORS] = {
    [STRIA_ALLOC_COLOR_STACK] = N_ ("Colour: who allocated"),
    [STRIA_ALLOC_COLOR_SIZE] = N_ ("Colour: size of a block"),
    [STRIA_ALLOC_COLOR_CATEGORY] = N_ ("Colour: category"),
    [STRIA_ALLOC_COLOR_POOL] = N_ ("Colour: pool"),
    [STRIA_ALLOC_COLOR_STREAM] = N_ ("Colour: stream"),
  };
  const StriaAllocView *view = paints->view;
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  g_autoptr (GArray) shares = shares_at_peak (paints, plot);
  const double room = width - box->legend_x - 12;
  double y = stria_text_px (14);

  y = stria_alloc_paint_line_legend (cr, view, kit, box, y, room);
  y += stria_text_px (10);
  stria_paint_set_color (cr, theme->text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, _ (titles[view->color]), box->legend_x, y, room);
  y += stria_text_px (15);
  stria_paint_set_color (cr, theme->dim_text, 1);
  stria_paint_kit_text (kit, cr, STRIA_TEXT_SMALL, _ ("Bytes at the peak of what is shown"),
                        box->legend_x, y, room);
  y += stria_text_px (18);
  for (guint i = 0; i < shares->len; i++)
    {
      const Share *share = &g_array_index (shares, Share, i);
      g_autofree char *text = NULL;
      g_autofree char *bytes = NULL;

      if (y > height - stria_text_px (28) || i >= LEGEND_ROWS)
        {
          guint64 rest = 0;

          for (guint j = i; j < shares->len; j++)
            rest += g_array_index (shares, Share, j).bytes;
          bytes = stria_format_bytes ((gint64) rest);
          text = g_strdup_printf (ngettext ("%u more", "%u more", shares->len - i),
                                  shares->len - i);
          stria_alloc_legend_row (cr, view, kit, theme->background, FALSE, text, bytes,
                                  box->legend_x, y, room);
          break;
        }
      text = stria_alloc_paints_text (paints, share->owner);
      bytes = stria_format_bytes ((gint64) share->bytes);
      y = stria_alloc_legend_row (
          cr, view, kit,
          stria_paint_from_argb (stria_alloc_paints_owner_color (paints, share->owner)), FALSE, text,
          bytes, box->legend_x, y, room);
    }
}
