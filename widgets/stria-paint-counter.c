/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-private.h"
#include "stria-running-mean.h"

#include <math.h>

/* Shares of 256 of the counter's colour */
#define AREA_SHARE 64
#define BAND_SHARE 150
#define MEAN_SHARE 190
/* Lanes lower than this have no room for a second line */
#define MEAN_FROM_PX 30

typedef struct
{
  double bottom; /* value at the foot of the lane */
  double top;
  gint32 foot; /* device rows */
  gint32 head;
} ValueScale;

/* Zero is the foot unless values lie below it. */
static ValueScale
value_scale (const StriaBand *band)
{
  const gint32 padding = (gint32) lround (STRIA_LAYOUT_LANE_PADDING * band->scale);
  ValueScale scale = { .foot = band->y1 - padding, .head = band->y0 + padding };

  stria_lane_get_value_range (band->lane, &scale.bottom, &scale.top);
  scale.bottom = MIN (scale.bottom, 0);
  scale.top = MAX (scale.top, 0);
  if (!(scale.top > scale.bottom))
    scale.top = scale.bottom + 1;
  return scale;
}

static double
value_y (const ValueScale *scale, double value)
{
  const double share = (value - scale->bottom) / (scale->top - scale->bottom);

  if (!isfinite (share))
    return scale->foot;
  return scale->foot - CLAMP (share, 0, 1) * (scale->foot - scale->head);
}

/* Where a column of a counter changes colour, in device rows: @high spread @low area @foot. */
typedef struct
{
  gint32 high;
  gint32 low;
} Reach;

static void
fill_column (StriaBand *self, gint32 x, gint32 y0, gint32 y1, guint32 argb)
{
  y0 = MAX (y0, self->clip0);
  y1 = MIN (y1, self->clip1);
  for (gint32 y = y0; y < y1; y++)
    self->pixels[(gsize) y * self->stride + (gsize) x] = argb;
}

/* Row by row, as the pixels lie in memory. */
static void
put_areas (StriaBand *self, const Reach *reaches, gint32 head, gint32 foot, const guint32 *empty,
           guint32 area, guint32 spread)
{
  for (gint32 y = MAX (head, self->clip0); y < MIN (foot, self->clip1); y++)
    {
      guint32 *line = self->pixels + (gsize) y * self->stride;

      for (gint32 x = 0; x < self->width; x++)
        {
          const guint32 above = y >= reaches[x].high ? spread : empty[x];

          line[x] = y >= reaches[x].low ? area : above;
        }
    }
}

/* The line of means; a step between two columns is part of it. */
static void
put_means (StriaBand *self, const StriaCounterColumn *columns, const ValueScale *scale, guint32 full)
{
  const gint32 hair = MAX ((gint32) self->scale, 1);
  gint32 before = -1;

  for (gint32 x = 0; x < self->width; x++)
    {
      gint32 mean = -1;

      if (columns[x].valid)
        {
          mean = (gint32) lround (value_y (scale, columns[x].mean));
          fill_column (self, x, mean - hair / 2, mean - hair / 2 + hair, full);
          if (before >= 0 && ABS (mean - before) > hair)
            fill_column (self, x, MIN (mean, before), MAX (mean, before) + hair, full);
        }
      before = mean;
    }
}

static void
put_columns (StriaBand *self, const StriaCounterColumn *columns, const guint32 *empty)
{
  const ValueScale scale = value_scale (self);
  const guint32 full
      = stria_paint_argb (stria_color_for_name (stria_lane_get_name (self->lane), self->view->dark));
  g_autofree Reach *reaches = g_new (Reach, MAX (self->width, 1));

  for (gint32 x = 0; x < self->width; x++)
    {
      const StriaCounterColumn *column = &columns[x];

      reaches[x] = (Reach){ G_MAXINT32, G_MAXINT32 };
      if (!column->valid)
        continue;
      reaches[x].low = (gint32) lround (value_y (&scale, column->min));
      reaches[x].high = MIN ((gint32) lround (value_y (&scale, column->max)), reaches[x].low);
    }
  put_areas (self, reaches, scale.head, scale.foot, empty,
             stria_paint_mix (self->background, full, AREA_SHARE),
             stria_paint_mix (self->background, full, BAND_SHARE));
  put_means (self, columns, &scale, full);
}

/* The mean from the first sample on, of counters for which it means something */
static void
put_running_mean (StriaBand *self)
{
  const ValueScale scale = value_scale (self);
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const guint32 ink
      = stria_paint_mix (self->background, stria_paint_argb (self->theme->text), MEAN_SHARE);
  g_autofree double *means = NULL;
  gint32 before = -1;

  if (!stria_lane_is_rate (self->lane) || self->item->row_height < MEAN_FROM_PX)
    return;
  means = g_new (double, MAX (self->width, 1));
  stria_display_list_running_mean (self->lane, self->view->t0, self->view->t1, self->width, means);
  if (self->pixels == NULL)
    {
      self->means = g_steal_pointer (&means);
      return;
    }
  for (gint32 x = 0; x < self->width; x++)
    {
      const gint32 y = isnan (means[x]) ? -1 : (gint32) lround (value_y (&scale, means[x]));

      if (y >= 0)
        stria_band_fill (self, x, x + 1, y - hair / 2, y - hair / 2 + hair, ink);
      if (y >= 0 && before >= 0 && ABS (y - before) > hair)
        stria_band_fill (self, x, x + 1, MIN (y, before), MAX (y, before) + hair, ink);
      before = y;
    }
}

void
stria_band_counter (StriaBand *self)
{
  g_autofree StriaCounterColumn *columns = g_new0 (StriaCounterColumn, MAX (self->width, 1));
  g_autofree guint32 *empty = g_new (guint32, MAX (self->width, 1));

  stria_display_list_counter (self->lane, self->view->t0, self->view->t1, self->width, columns);
  stria_band_empty_line (self, empty);
  stria_band_put_line (self, empty, self->clip0, self->clip1);
  if (self->pixels != NULL)
    put_columns (self, columns, empty);
  else
    self->columns = g_steal_pointer (&columns);
  put_running_mean (self);
}

static void
area_between (cairo_t *cr, const StriaBand *band, gint32 begin, gint32 end, gboolean to_foot)
{
  const ValueScale scale = value_scale (band);
  const double px = 1 / band->scale;

  for (gint32 x = begin; x < end; x++)
    {
      const double y = value_y (&scale, band->columns[x].max) * px;

      cairo_line_to (cr, x * px, y);
      cairo_line_to (cr, (x + 1) * px, y);
    }
  for (gint32 x = end - 1; x >= begin; x--)
    {
      const double y = (to_foot ? scale.foot : value_y (&scale, band->columns[x].min)) * px;

      cairo_line_to (cr, (x + 1) * px, y);
      cairo_line_to (cr, x * px, y);
    }
  cairo_close_path (cr);
}

static void
mean_line (cairo_t *cr, const StriaBand *band, gint32 begin, gint32 end)
{
  const ValueScale scale = value_scale (band);
  const double px = 1 / band->scale;

  cairo_new_sub_path (cr);
  for (gint32 x = begin; x < end; x++)
    {
      const double y = value_y (&scale, band->columns[x].mean) * px;

      cairo_line_to (cr, x * px, y);
      cairo_line_to (cr, (x + 1) * px, y);
    }
}

/* The running mean on targets without pixels */
static void
running_mean_line (cairo_t *cr, const StriaBand *band)
{
  const ValueScale scale = value_scale (band);
  const double px = 1 / band->scale;

  cairo_new_path (cr);
  for (gint32 x = 0; x < band->width; x++)
    if (!isnan (band->means[x]))
      cairo_line_to (cr, (x + 0.5) * px, value_y (&scale, band->means[x]) * px);
  stria_paint_set_color (cr,
                         stria_paint_from_argb (stria_paint_mix (
                             band->background, stria_paint_argb (band->theme->text), MEAN_SHARE)),
                         1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

void
stria_paint_counter_area (cairo_t *cr, const StriaBand *band)
{
  const guint32 full
      = stria_paint_argb (stria_color_for_name (stria_lane_get_name (band->lane), band->view->dark));

  for (gint32 x = 0; x < band->width;)
    {
      gint32 end = x;

      while (end < band->width && band->columns[end].valid)
        end++;
      if (end > x)
        {
          area_between (cr, band, x, end, TRUE);
          stria_paint_set_color (
              cr, stria_paint_from_argb (stria_paint_mix (band->background, full, AREA_SHARE)), 1);
          cairo_fill (cr);
          area_between (cr, band, x, end, FALSE);
          stria_paint_set_color (
              cr, stria_paint_from_argb (stria_paint_mix (band->background, full, BAND_SHARE)), 1);
          cairo_fill (cr);
          mean_line (cr, band, x, end);
          stria_paint_set_color (cr, stria_paint_from_argb (full), 1);
          cairo_set_line_width (cr, 1);
          cairo_stroke (cr);
        }
      x = MAX (end, x + 1);
    }
  if (band->means != NULL)
    running_mean_line (cr, band);
}
