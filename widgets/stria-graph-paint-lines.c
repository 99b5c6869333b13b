/* SPDX-License-Identifier: Apache-2.0 */
/* Lines straight into pixels: gathered in a mask, so that where they lie over each other they are
 * painted once. */
#include "config.h"

#include "stria-graph-paint-pixels-private.h"

#include <math.h>
#include <string.h>

#define CURVE_ERROR 0.2
#define MAX_PIECES  64
#define N_SPARE     4

/* All zero, as paint_lines leaves it, and kept for the next picture: new pages cost more than most
 * pictures' lines. */
typedef struct
{
  gsize  size;
  guint8 bytes[];
} Mask;

static Mask *spare_masks[N_SPARE];

static void
need_mask (StriaGraphPixels *self)
{
  const gsize size = self->stride * (gsize) self->y1;
  Mask *mask;

  if (self->mask != NULL)
    return;
  mask = NULL;
  for (guint i = 0; i < N_SPARE && mask == NULL; i++)
    mask = g_atomic_pointer_exchange (&spare_masks[i], NULL);
  if (mask == NULL || mask->size < size)
    {
      g_free (mask);
      mask = g_malloc0 (sizeof *mask + size);
      mask->size = size;
    }
  self->mask = mask->bytes;
  self->spans = g_new (int, 2 * (gsize) self->y1);
  for (int y = 0; y < self->y1; y++)
    {
      self->spans[2 * y] = G_MAXINT;
      self->spans[2 * y + 1] = 0;
    }
  self->mask_y0 = self->y1;
  self->mask_y1 = 0;
}

static inline void
cover (StriaGraphPixels *self, int y, int from, int to)
{
  int *span = self->spans + 2 * y;

  if (from < span[0])
    span[0] = from;
  if (to > span[1])
    span[1] = to;
  if (y < self->mask_y0)
    self->mask_y0 = y;
  if (y >= self->mask_y1)
    self->mask_y1 = y + 1;
}

static inline guint8
covered (float share)
{
  return (guint8) (share * 255 + 0.5f);
}

static void
level_line (StriaGraphPixels *self, float x0, float x1, float y, float half, float most)
{
  const int left = MAX ((int) floorf (MIN (x0, x1) + 0.5f), self->x0);
  const int right = MIN ((int) floorf (MAX (x0, x1) + 0.5f), self->x1);
  const int top = MAX ((int) floorf (y - half), self->y0);
  const int bottom = MIN ((int) ceilf (y + half), self->y1);

  for (int row = top; row < bottom && left < right; row++)
    {
      guint8 *mask = self->mask + (gsize) row * self->stride;
      const float across = clamp01 (half + 0.5f - fabsf ((float) row + 0.5f - y));
      const guint8 share = covered (MIN (across, most));

      cover (self, row, left, right);
      for (int x = left; x < right; x++)
        mask[x] = MAX (mask[x], share);
    }
}

static void
plumb_line (StriaGraphPixels *self, float x, float y0, float y1, float half, float most)
{
  const int left = MAX ((int) floorf (x - half), self->x0);
  const int right = MIN ((int) ceilf (x + half), self->x1);
  const int top = MAX ((int) floorf (MIN (y0, y1) + 0.5f), self->y0);
  const int bottom = MIN ((int) floorf (MAX (y0, y1) + 0.5f), self->y1);

  for (int row = top; row < bottom && left < right; row++)
    {
      guint8 *mask = self->mask + (gsize) row * self->stride;

      cover (self, row, left, right);
      for (int column = left; column < right; column++)
        {
          const float away = fabsf ((float) column + 0.5f - x);
          const guint8 share = covered (MIN (clamp01 (half + 0.5f - away), most));
          mask[column] = MAX (mask[column], share);
        }
    }
}

/* Step by step along the axis that it is longer on; across, as far as it covers anything. */
static void
slanted_line (StriaGraphPixels *self, float x0, float y0, float x1, float y1, float half,
              float most)
{
  const gboolean flat = fabsf (x1 - x0) >= fabsf (y1 - y0);
  const float a0 = flat ? x0 : y0, a1 = flat ? x1 : y1;
  const float b0 = flat ? y0 : x0, b1 = flat ? y1 : x1;
  const float slope = (b1 - b0) / (a1 - a0);
  const float upright = 1 / sqrtf (1 + slope * slope);
  const float reach = (half + 0.5f) / upright;
  const int a_least = flat ? self->x0 : self->y0, a_most = flat ? self->x1 : self->y1;
  const int b_least = flat ? self->y0 : self->x0, b_most = flat ? self->y1 : self->x1;
  const int from = MAX ((int) floorf (MIN (a0, a1)), a_least);
  const int to = MIN ((int) ceilf (MAX (a0, a1)), a_most);
  const float low = MIN (b0, b1), high = MAX (b0, b1);

  for (int a = from; a < to; a++)
    {
      const float b = CLAMP (b0 + ((float) a + 0.5f - a0) * slope, low, high);
      const int first = MAX ((int) ceilf (b - reach - 0.5f), b_least);
      const int last = MIN ((int) floorf (b + reach - 0.5f), b_most - 1);

      if (first > last)
        continue;
      if (flat)
        for (int c = first; c <= last; c++)
          cover (self, c, a, a + 1);
      else
        cover (self, a, first, last + 1);
      for (int c = first; c <= last; c++)
        {
          const float away = fabsf ((float) c + 0.5f - b) * upright;
          const guint8 share = covered (MIN (clamp01 (half + 0.5f - away), most));
          guint8 *mask = self->mask + (flat ? (gsize) c * self->stride + (gsize) a
                                            : (gsize) a * self->stride + (gsize) c);
          *mask = MAX (*mask, share);
        }
    }
}

/* Cuts off what is far outside, where floats are too coarse. FALSE: nothing is left */
static gboolean
cut (double *x0, double *x1, double *y0, double *y1, double least, double most)
{
  if (MAX (*x0, *x1) < least || MIN (*x0, *x1) > most)
    return FALSE;
  for (int end = 0; end < 2; end++)
    {
      double *x = end == 0 ? x0 : x1, *y = end == 0 ? y0 : y1;
      const double to = CLAMP (*x, least, most);

      if (to == *x)
        continue;
      *y = *y0 + (to - *x0) * (*y1 - *y0) / (*x1 - *x0);
      *x = to;
    }
  return TRUE;
}

void
stria_graph_pixels_line (StriaGraphPixels *self, double x0, double y0, double x1, double y1,
                         double width)
{
  const float half = (float) width / 2, most = MIN ((float) width, 1);

  if ((MIN (x0, x1) < self->x0 || MAX (x0, x1) > self->x1 || MIN (y0, y1) < self->y0
       || MAX (y0, y1) > self->y1)
      && (!cut (&x0, &x1, &y0, &y1, self->x0 - width - 2, self->x1 + width + 2)
          || !cut (&y0, &y1, &x0, &x1, self->y0 - width - 2, self->y1 + width + 2)))
    return;
  need_mask (self);
  /* Less than is seen of a slope. */
  if (fabs (y1 - y0) < 0.04)
    level_line (self, (float) x0, (float) x1, (float) (y0 + y1) / 2, half, most);
  else if (fabs (x1 - x0) < 0.04)
    plumb_line (self, (float) (x0 + x1) / 2, (float) y0, (float) y1, half, most);
  else
    slanted_line (self, (float) x0, (float) y0, (float) x1, (float) y1, half, most);
}

void
stria_graph_pixels_curve (StriaGraphPixels *self, const double p[8], double width)
{
  /* From the second derivative: so many pieces stray from the curve by CURVE_ERROR at most. */
  const double bend = MAX (hypot (p[0] - 2 * p[2] + p[4], p[1] - 2 * p[3] + p[5]),
                           hypot (p[2] - 2 * p[4] + p[6], p[3] - 2 * p[5] + p[7]));
  const int n = (int) CLAMP (ceil (sqrt (0.75 * bend / CURVE_ERROR)), 1, MAX_PIECES);
  double x = p[0], y = p[1];

  if (MAX (p[0], p[6]) < self->x0 - width && MAX (p[2], p[4]) < self->x0 - width)
    return;
  for (int i = 1; i <= n; i++)
    {
      const double t = (double) i / n, s = 1 - t;
      const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
      const double to_x = i == n ? p[6] : a * p[0] + b * p[2] + c * p[4] + d * p[6];
      const double to_y = i == n ? p[7] : a * p[1] + b * p[3] + c * p[5] + d * p[7];

      stria_graph_pixels_line (self, x, y, to_x, to_y, width);
      x = to_x;
      y = to_y;
    }
}

void
stria_graph_pixels_triangle (StriaGraphPixels *self, const double p[6])
{
  const double turn = (p[2] - p[0]) * (p[5] - p[1]) - (p[3] - p[1]) * (p[4] - p[0]);
  const int left = MAX ((int) floor (MIN (p[0], MIN (p[2], p[4])) - 0.5), self->x0);
  const int right = MIN ((int) ceil (MAX (p[0], MAX (p[2], p[4])) + 0.5), self->x1);
  const int top = MAX ((int) floor (MIN (p[1], MIN (p[3], p[5])) - 0.5), self->y0);
  const int bottom = MIN ((int) ceil (MAX (p[1], MAX (p[3], p[5])) + 0.5), self->y1);
  float nx[3], ny[3], offset[3];

  if (turn == 0 || left >= right || top >= bottom)
    return;
  need_mask (self);
  for (int i = 0; i < 3; i++)
    {
      const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % 3);
      const double length = copysign (hypot (b[0] - a[0], b[1] - a[1]), turn);

      nx[i] = (float) ((a[1] - b[1]) / length);
      ny[i] = (float) ((b[0] - a[0]) / length);
      offset[i] = 0.5f - nx[i] * (float) a[0] - ny[i] * (float) a[1];
    }
  for (int y = top; y < bottom; y++)
    {
      guint8 *mask = self->mask + (gsize) y * self->stride;

      cover (self, y, left, right);
      for (int x = left; x < right; x++)
        {
          float share = 1;

          for (int i = 0; i < 3; i++)
            share
                = MIN (share, nx[i] * ((float) x + 0.5f) + ny[i] * ((float) y + 0.5f) + offset[i]);
          mask[x] = MAX (mask[x], covered (MAX (share, 0)));
        }
    }
}

void
stria_graph_pixels_paint_lines (StriaGraphPixels *self, guint32 argb, guint alpha)
{
  struct
  {
    guint32 rest, rb, g;
  } of[256];

  if (self->mask == NULL || self->mask_y0 >= self->mask_y1)
    return;
  for (guint i = 0; i < 256; i++)
    {
      const guint share = (i * alpha + 127) / 255;

      of[i].rest = 256 - share;
      of[i].rb = (argb & 0xff00ff) * share;
      of[i].g = (argb & 0x00ff00) * share;
    }
  for (int y = self->mask_y0; y < self->mask_y1; y++)
    {
      guint8 *mask = self->mask + (gsize) y * self->stride;
      guint32 *row = self->data + (gsize) y * self->stride;
      int *span = self->spans + 2 * y;
      int x = span[0];

      while (x < span[1])
        {
          guint64 eight;

          if (x + 8 <= span[1] && (memcpy (&eight, mask + x, 8), eight == 0))
            {
              x += 8;
              continue;
            }
          for (const int end = MIN (x + 8, span[1]); x < end; x++)
            if (mask[x] != 0)
              {
                const guint32 rest = of[mask[x]].rest;
                const guint32 rb = ((row[x] & 0xff00ff) * rest + of[mask[x]].rb) >> 8;
                const guint32 g = ((row[x] & 0x00ff00) * rest + of[mask[x]].g) >> 8;

                row[x] = 0xff000000u | (rb & 0xff00ff) | (g & 0x00ff00);
              }
        }
      if (span[0] < span[1])
        memset (mask + span[0], 0, (gsize) (span[1] - span[0]));
      span[0] = G_MAXINT;
      span[1] = 0;
    }
  self->mask_y0 = self->y1;
  self->mask_y1 = 0;
}

void
stria_graph_pixels_drop_lines (StriaGraphPixels *self)
{
  if (self->mask != NULL)
    {
      gpointer mask = self->mask - G_STRUCT_OFFSET (Mask, bytes);

      /* One with lines that were not painted would show them in another picture. */
      for (guint i = 0; i < N_SPARE && mask != NULL && self->mask_y0 >= self->mask_y1; i++)
        mask = g_atomic_pointer_exchange (&spare_masks[i], mask);
      g_free (mask);
    }
  g_free (self->spans);
  self->mask = NULL;
  self->spans = NULL;
}
