/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "stria-address-paint-private.h"
#include "stria-format.h"
#include "stria-neuron-summary.h"

#define PART_GAP 4.0

static double
part_height (const StriaAddressBox *box, guint n_parts)
{
  return box->height / MAX (n_parts, 1);
}

int
stria_address_part_at (const StriaAddressView *view, double height, double y)
{
  const StriaFullness *fullness;
  StriaAddressBox box;
  int part;

  if (view->kind != STRIA_ADDRESS_FULLNESS || view->memory == NULL
      || view->subject >= view->memory->fullness->len)
    return -1;
  fullness = view->memory->fullness->pdata[view->subject];
  stria_address_box (100, height, &box);
  /* The first part is at the bottom, as low addresses are. */
  part = (int) floor ((box.y + box.height - y) / part_height (&box, fullness->n_parts));
  return part >= 0 && part < (int) fullness->n_parts ? part : -1;
}

/* Where a sample is drawn that holds until the next */
static void
sample_edges (const StriaAddressView *view, const StriaAddressBox *box, GArray *times, guint i,
              double *left, double *right)
{
  *left = MAX (stria_address_x (view, box, g_array_index (times, gint64, i)), box->x);
  *right = i + 1 < times->len
               ? stria_address_x (view, box, g_array_index (times, gint64, i + 1))
               : box->x + box->width;
  *right = MIN (*right, box->x + box->width);
}

/* Largest share of a column of pixels is drawn: a peak must not vanish between two pixels. */
static void
paint_part (cairo_t *cr, const StriaAddressView *view, const StriaFullness *self, guint part,
            const StriaAddressBox *box, double bottom, double height)
{
  const StriaColor color = stria_color_series (self->is_psum ? 1 : 0, view->dark);
  guint i = (guint) MAX (stria_samples_at (self->times, view->t0), 0);

  stria_paint_set_color (cr, color, 1);
  while (i < self->times->len && g_array_index (self->times, gint64, i) <= view->t1)
    {
      double left, right, most = -1;

      sample_edges (view, box, self->times, i, &left, &right);
      for (; i < self->times->len && g_array_index (self->times, gint64, i) <= view->t1; i++)
        {
          const float share = g_array_index (self->shares, float,
                                             (gsize) i * self->n_parts + part);
          double from, to;

          sample_edges (view, box, self->times, i, &from, &to);
          if (to > left + 1 && from > left)
            break;
          right = MAX (right, to);
          if (!isnan (share))
            most = MAX (most, (double) share);
          if (to > left + 1)
            {
              i++;
              break;
            }
        }
      if (most > 0 && right > left)
        {
          const double tall = height * MIN (most, 100) / 100;

          cairo_rectangle (cr, left, bottom - tall, right - left, tall);
        }
    }
  cairo_fill (cr);
}

void
stria_address_paint_fullness (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                              const StriaAddressBox *box)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const StriaFullness *self;
  double height;

  if (view->subject >= view->memory->fullness->len)
    return;
  self = view->memory->fullness->pdata[view->subject];
  height = part_height (box, self->n_parts);
  for (guint part = 0; part < self->n_parts; part++)
    {
      const double bottom = box->y + box->height - part * height;
      g_autofree char *name = NULL;

      name = g_strdup_printf (self->is_psum ? _ ("bank %u") : _ ("partition %u"),
                              self->parts[part]);
      stria_paint_set_color (cr, theme->alternate, 1);
      cairo_rectangle (cr, box->x, bottom - height + PART_GAP, box->width, height - PART_GAP);
      cairo_fill (cr);
      paint_part (cr, view, self, part, box, bottom, height - PART_GAP);
      stria_paint_set_color (cr, theme->grid, 1);
      cairo_rectangle (cr, box->x, floor (bottom), box->width, 1);
      cairo_fill (cr);
      stria_paint_set_color (cr, theme->dim_text, 1);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_NORMAL, name,
                            box->x - 6 - stria_paint_kit_measure (kit, STRIA_TEXT_NORMAL, name),
                            bottom - height / 2, 0);
    }
}

/* -- stacks ---------------------------------------------------------------------------------- */

StriaColor
stria_address_category (guint i, gboolean dark)
{
  const StriaColor base = stria_color_series (i % 8, dark);

  return stria_color_mix (base, (StriaColor){ 1, 1, 1 }, 0.28 * MIN (i / 8, 3));
}

static double
sum_of (const StriaMemoryStack *self, guint i, guint n)
{
  double sum = 0;

  for (guint c = 0; c < n; c++)
    sum += g_array_index (self->values, double, (gsize) i * self->names->len + c);
  return sum;
}

/* A size to end the axis on: 1, 2 or 5 times a power of two or ten */
static double
nice_step (double range, gboolean is_bytes)
{
  double unit = is_bytes ? exp2 (10 * floor (log2 (MAX (range, 1)) / 10)) : 1;
  double step = pow (10, floor (log10 (MAX (range / unit, 1e-9))));

  for (guint k = 0; k < 2 && range / (step * unit) > 6; k++)
    step *= k == 0 ? 2 : 2.5;
  return MAX (step * unit, 1);
}

static double
top_of (const StriaMemoryStack *self, gint64 t0, gint64 t1)
{
  const gint64 peak = stria_memory_stack_peak (self, t0, t1);
  double top = 1;

  if (peak >= 0)
    top = MAX (g_array_index (self->totals, double, peak), 1);
  for (gint64 i = MAX (stria_samples_at (self->times, t0), 0);
       i < self->times->len && g_array_index (self->times, gint64, i) <= t1; i++)
    top = MAX (top, sum_of (self, (guint) i, self->names->len));
  return top * 1.06;
}

/* The sample with the most of those in one column of pixels; @i: (inout): the next column's */
static guint
tallest_in_column (const StriaAddressView *view, const StriaAddressBox *box,
                   const StriaMemoryStack *self, guint *i, double *left, double *right)
{
  guint best = *i;

  sample_edges (view, box, self->times, *i, left, right);
  for ((*i)++; *right < *left + 1 && *i < self->times->len
               && g_array_index (self->times, gint64, *i) <= view->t1; (*i)++)
    {
      double from;

      sample_edges (view, box, self->times, *i, &from, right);
      if (g_array_index (self->totals, double, *i) > g_array_index (self->totals, double, best))
        best = *i;
    }
  return best;
}

static void
paint_columns (cairo_t *cr, const StriaAddressView *view, const StriaMemoryStack *self,
               const StriaAddressBox *box, double top)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const guint n = self->names->len;
  guint i = (guint) MAX (stria_samples_at (self->times, view->t0), 0);

  while (i < self->times->len && g_array_index (self->times, gint64, i) <= view->t1)
    {
      double left, right, y = box->y + box->height;
      const guint at = tallest_in_column (view, box, self, &i, &left, &right);
      const double rest = g_array_index (self->totals, double, at) - sum_of (self, at, n);

      for (guint c = 0; c <= n; c++)
        {
          const double value
              = c < n ? g_array_index (self->values, double, (gsize) at * n + c) : MAX (rest, 0);
          const double tall = value * box->height / top;

          if (tall <= 0)
            continue;
          stria_paint_set_color (cr, c < n ? stria_address_category (c, view->dark)
                                           : theme->density, 1);
          cairo_rectangle (cr, left, y - tall, MAX (right - left, 1), tall);
          cairo_fill (cr);
          y -= tall;
        }
    }
}

void
stria_address_paint_stack (cairo_t *cr, const StriaAddressView *view, StriaPaintKit *kit,
                           const StriaAddressBox *box)
{
  const StriaPaintTheme *theme = stria_paint_theme (view->dark);
  const StriaMemoryStack *self;
  double top, step;
  gint64 peak;

  if (view->subject >= view->memory->stacks->len)
    return;
  self = view->memory->stacks->pdata[view->subject];
  top = top_of (self, view->t0, view->t1);
  step = nice_step (top, g_str_equal (self->unit, "B"));
  for (double at = 0; at <= top; at += step)
    {
      g_autofree char *text = stria_neuron_metric_format (at, self->unit);

      stria_address_paint_tick (cr, view, kit, box, text,
                                box->y + box->height - at * box->height / top);
    }
  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  paint_columns (cr, view, self, box, top);
  cairo_restore (cr);
  peak = stria_memory_stack_peak (self, view->t0, view->t1);
  if (peak >= 0)
    {
      const double most = g_array_index (self->totals, double, peak);
      const double x = CLAMP (
          stria_address_x (view, box, g_array_index (self->times, gint64, peak)), box->x,
          box->x + box->width);
      const double y = box->y + box->height - most * box->height / top;
      g_autofree char *value = stria_neuron_metric_format (most, self->unit);
      g_autofree char *text = g_strdup_printf (_ ("peak %s"), value);
      const double width = stria_paint_kit_measure (kit, STRIA_TEXT_BOLD, text);

      stria_paint_set_color (cr, theme->text, 1);
      cairo_arc (cr, x, y, 3, 0, 2 * G_PI);
      cairo_fill (cr);
      stria_paint_kit_text (kit, cr, STRIA_TEXT_BOLD, text,
                            x + 6 + width > box->x + box->width ? x - 6 - width : x + 6,
                            MAX (y - stria_text_px (8), box->y + 2), 0);
    }
}
