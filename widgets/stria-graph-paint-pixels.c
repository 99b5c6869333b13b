/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-paint-pixels.h"

#include <math.h>
#include <string.h>

#include "stria-paint-kit.h"

#define HATCH_STEP   8.0f /* from one diagonal to the next, along an axis */
#define HATCH_WIDTH  1.3f
#define CURVE_ERROR  0.2
#define MAX_PIECES   64
#define N_SPARE      4
#define SQUARE_PX    0.75 /* corners with a smaller radius are not seen as round */
#define SQRT_HALF    0.70710678f

gboolean
stria_graph_pixels_init (StriaGraphPixels *self, const StriaPaintTarget *target)
{
  const cairo_rectangle_t *clip = &target->clip;
  const double left = clip->x * target->x_scale + target->left;
  const double top = clip->y * target->y_scale + target->top;
  const double right = (clip->x + clip->width) * target->x_scale + target->left;
  const double bottom = (clip->y + clip->height) * target->y_scale + target->top;

  *self = (StriaGraphPixels){ NULL };
  if (fabs (target->x_scale - target->y_scale) > 1e-9 * target->x_scale)
    return FALSE;
  self->x0 = (int) floor (MAX (left, 0) + 0.5);
  self->y0 = (int) floor (MAX (top, 0) + 0.5);
  self->x1 = (int) floor (MIN (right, target->width) + 0.5);
  self->y1 = (int) floor (MIN (bottom, target->height) + 0.5);
  if (self->x1 <= self->x0 || self->y1 <= self->y0)
    return FALSE;
  self->surface = cairo_surface_reference (target->surface);
  self->data = target->pixels;
  self->stride = target->stride;
  return TRUE;
}

static inline float
clamp01 (float value)
{
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void
fill_span (guint32 *row, int from, int to, guint32 argb, guint alpha)
{
  if (alpha >= 256)
    for (int x = from; x < to; x++)
      row[x] = argb;
  else if (alpha > 0)
    for (int x = from; x < to; x++)
      row[x] = stria_paint_mix (row[x], argb, alpha);
}

static inline void
mix_pixel (guint32 *pixel, guint32 argb, float share)
{
  *pixel = stria_paint_mix (*pixel, argb, (guint) (share + 0.5f));
}

/* -- boxes ------------------------------------------------------------------------------------ */

void
stria_graph_pixels_rectangle (StriaGraphPixels *self, double x0, double y0, double x1, double y1,
                              guint32 argb, guint alpha)
{
  const float l = (float) MAX (x0, self->x0), r = (float) MIN (x1, self->x1);
  const float t = (float) MAX (y0, self->y0), b = (float) MIN (y1, self->y1);

  if (!(r > l) || !(b > t))
    return;
  const int first = (int) l, last = MIN ((int) r, self->x1 - 1);
  const float left = MIN ((float) first + 1, r) - l, right = r - (float) last;

  for (int y = (int) t; y < self->y1 && (float) y < b; y++)
    {
      guint32 *row = self->data + (gsize) y * self->stride;
      const float share = (MIN ((float) y + 1, b) - MAX ((float) y, t)) * (float) alpha;

      mix_pixel (row + first, argb, left * share);
      if (last <= first)
        continue;
      fill_span (row, first + 1, last, argb, (guint) (share + 0.5f));
      if (right > 0)
        mix_pixel (row + last, argb, right * share);
    }
}

void
stria_graph_pixels_set_hatch (StriaGraphPixels *self, double scale)
{
  const int n = self->x1 + self->y1;
  const float step = HATCH_STEP * (float) scale, half = HATCH_WIDTH / 2 * (float) scale;
  const float mean = HATCH_WIDTH / SQRT_HALF / HATCH_STEP;

  if (self->hatch != NULL)
    return;
  self->hatch = g_new (guint8, n);
  for (int i = 0; i < n; i++)
    {
      const float at = fmodf ((float) i + 1, step);
      const float distance = MIN (at, step - at) * SQRT_HALF;
      const float covers = step < 4 ? mean : MIN (clamp01 (half + 0.5f - distance), 2 * half);

      self->hatch[i] = (guint8) (covers * 255);
    }
}

/* What a shape and the line along its border cover at a distance from it, inside negative. */
typedef struct
{
  float half; /* of the line */
  float most; /* that a line so thin covers of a pixel */
} Rim;

static inline void
rim_pixel (const StriaGraphPixelBox *box, const Rim *rim, guint32 *pixel, float distance,
           guint hatch)
{
  const float inside = clamp01 (0.5f - distance);

  if (inside > 0)
    {
      if (box->fill_alpha > 0)
        mix_pixel (pixel, box->fill, inside * (float) box->fill_alpha);
      if (hatch > 0)
        mix_pixel (pixel, box->hatch, inside * (float) (hatch * box->hatch_alpha) / 255);
    }
  if (box->line_alpha > 0)
    {
      const float along = MIN (clamp01 (rim->half + 0.5f - fabsf (distance)), rim->most);
      if (along > 0)
        mix_pixel (pixel, box->line, along * (float) box->line_alpha);
    }
}

/* Pixels of a row that are the same all along, but for the hatching. */
static void
rim_span (const StriaGraphPixels *self, const StriaGraphPixelBox *box, const Rim *rim, int y,
          int from, int to, float distance)
{
  guint32 *row = self->data + (gsize) y * self->stride;
  const float inside = clamp01 (0.5f - distance);
  const float along = MIN (clamp01 (rim->half + 0.5f - fabsf (distance)), rim->most);

  if (inside > 0)
    fill_span (row, from, to, box->fill, (guint) (inside * (float) box->fill_alpha + 0.5f));
  if (inside > 0 && box->hatch_alpha > 0)
    for (int x = from; x < to; x++)
      {
        const guint hatch = self->hatch[x + y];
        if (hatch > 0)
          mix_pixel (row + x, box->hatch, inside * (float) (hatch * box->hatch_alpha) / 255);
      }
  if (along > 0)
    fill_span (row, from, to, box->line, (guint) (along * (float) box->line_alpha + 0.5f));
}

/* One whose corners are too small to be seen as round. */
static void
square_box (StriaGraphPixels *self, const StriaGraphPixelBox *box)
{
  const double half = box->line_width / 2;
  const double x0 = box->x0, y0 = box->y0, x1 = box->x1, y1 = box->y1;

  if (box->fill_alpha > 0)
    stria_graph_pixels_rectangle (self, x0, y0, x1, y1, box->fill, box->fill_alpha);
  if (box->line_alpha == 0)
    return;
  if (x1 - x0 <= box->line_width || y1 - y0 <= box->line_width)
    {
      stria_graph_pixels_rectangle (self, x0 - half, y0 - half, x1 + half, y1 + half, box->line,
                                    box->line_alpha);
      return;
    }
  stria_graph_pixels_rectangle (self, x0 - half, y0 - half, x1 + half, y0 + half, box->line,
                                box->line_alpha);
  stria_graph_pixels_rectangle (self, x0 - half, y0 + half, x0 + half, y1 - half, box->line,
                                box->line_alpha);
  stria_graph_pixels_rectangle (self, x1 - half, y0 + half, x1 + half, y1 - half, box->line,
                                box->line_alpha);
  stria_graph_pixels_rectangle (self, x0 - half, y1 - half, x1 + half, y1 + half, box->line,
                                box->line_alpha);
}

void
stria_graph_pixels_box (StriaGraphPixels *self, const StriaGraphPixelBox *box)
{
  if (box->radius < SQUARE_PX && box->hatch_alpha == 0)
    {
      square_box (self, box);
      return;
    }

  const Rim rim = { box->line_alpha > 0 ? (float) box->line_width / 2 : 0,
                    MIN ((float) box->line_width, 1) };
  const double reach = (double) rim.half + 0.5;
  /* Sides that are far outside come nearer, where floats are fine enough, and stay out of sight. */
  const double far = 2 * box->radius + reach + 2;
  const double x0 = MAX (box->x0, self->x0 - far), x1 = MIN (box->x1, self->x1 + far);
  const double y0 = MAX (box->y0, self->y0 - far), y1 = MIN (box->y1, self->y1 + far);
  const float cx = (float) (x0 + x1) / 2, cy = (float) (y0 + y1) / 2;
  const float w = (float) (x1 - x0) / 2, h = (float) (y1 - y0) / 2;
  const float r = MIN ((float) box->radius, MIN (w, h));
  const int left = MAX ((int) floor (x0 - reach), self->x0);
  const int right = MIN ((int) ceil (x1 + reach), self->x1);
  const int top = MAX ((int) floor (y0 - reach), self->y0);
  const int bottom = MIN ((int) ceil (y1 + reach), self->y1);
  /* Columns in which neither the sides nor, where there are any, the corners are. */
  const double round = MAX ((double) r, reach) + 0.5;
  const int corner = CLAMP ((int) ceil (x0 + round), left, MAX (right, left));
  const int corner_end = CLAMP ((int) floor (x1 - round), corner, MAX (right, corner));
  const int side = MIN (corner, MAX ((int) ceil (x0 + reach + 0.5), left));
  const int side_end = MAX (side, MIN ((int) floor (x1 - reach - 0.5), right));
  const gboolean hatched = box->hatch_alpha > 0;

  for (int y = top; y < bottom; y++)
    {
      guint32 *row = self->data + (gsize) y * self->stride;
      const float qy = fabsf ((float) y + 0.5f - cy) - h;
      const gboolean straight = qy < -(float) round;
      const int middle = straight ? side : corner, middle_end = straight ? side_end : corner_end;

      for (int part = 0; part < 2; part++)
        for (int x = part == 0 ? left : middle_end; x < (part == 0 ? middle : right); x++)
          {
            const float qx = fabsf ((float) x + 0.5f - cx) - w;
            float distance = MAX (qx, qy);

            if (qx > -r && qy > -r)
              distance = sqrtf ((qx + r) * (qx + r) + (qy + r) * (qy + r)) - r;
            rim_pixel (box, &rim, row + x, distance, hatched ? self->hatch[x + y] : 0);
          }
      if (middle < middle_end)
        rim_span (self, box, &rim, y, middle, middle_end, qy);
    }
}

/* -- lines ------------------------------------------------------------------------------------ */

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
stria_graph_pixels_stroke (StriaGraphPixels *self, const double *points, guint n, double width,
                           guint32 argb, guint alpha)
{
  const float half = (float) width / 2;
  const double reach = width / 2 + 0.5;
  double least_x = G_MAXDOUBLE, most_x = -G_MAXDOUBLE, least_y = G_MAXDOUBLE, most_y = -G_MAXDOUBLE;

  for (guint i = 0; i < n; i++)
    {
      least_x = MIN (least_x, points[2 * i]);
      most_x = MAX (most_x, points[2 * i]);
      least_y = MIN (least_y, points[2 * i + 1]);
      most_y = MAX (most_y, points[2 * i + 1]);
    }
  for (int y = MAX ((int) floor (least_y - reach), self->y0);
       y < MIN ((int) ceil (most_y + reach), self->y1); y++)
    for (int x = MAX ((int) floor (least_x - reach), self->x0);
         x < MIN ((int) ceil (most_x + reach), self->x1); x++)
      {
        float least = G_MAXFLOAT;

        for (guint i = 0; i + 1 < n; i++)
          {
            const float ax = (float) points[2 * i], ay = (float) points[2 * i + 1];
            const float bx = (float) points[2 * i + 2] - ax, by = (float) points[2 * i + 3] - ay;
            const float px = (float) x + 0.5f - ax, py = (float) y + 0.5f - ay;
            const float length2 = bx * bx + by * by;
            const float t = length2 > 0 ? clamp01 ((px * bx + py * by) / length2) : 0;
            const float dx = px - t * bx, dy = py - t * by;
            least = MIN (least, dx * dx + dy * dy);
          }
        const float share = MIN (clamp01 (half + 0.5f - sqrtf (least)), (float) MIN (width, 1));
        if (share > 0)
          mix_pixel (self->data + (gsize) y * self->stride + x, argb, share * (float) alpha);
      }
}

void
stria_graph_pixels_stamp (StriaGraphPixels *self, const guint8 *mask, int width, int height, int x,
                          int y, guint32 argb, guint alpha)
{
  const int from = MAX (x, self->x0), to = MIN (x + width, self->x1);

  for (int row = MAX (y, self->y0); row < MIN (y + height, self->y1); row++)
    {
      const guint8 *share = mask + (gsize) (row - y) * (gsize) width;
      guint32 *pixels = self->data + (gsize) row * self->stride;

      for (int column = from; column < to; column++)
        if (share[column - x] != 0)
          pixels[column] = stria_paint_mix (pixels[column], argb,
                                            (share[column - x] * alpha + 127) / 255);
    }
}

void
stria_graph_pixels_clear (StriaGraphPixels *self)
{
  if (self->surface == NULL)
    return;
  if (!self->is_band)
    cairo_surface_mark_dirty (self->surface);
  cairo_surface_destroy (self->surface);
  if (self->mask != NULL)
    {
      gpointer mask = self->mask - G_STRUCT_OFFSET (Mask, bytes);

      for (guint i = 0; i < N_SPARE && mask != NULL; i++)
        mask = g_atomic_pointer_exchange (&spare_masks[i], mask);
      g_free (mask);
    }
  g_free (self->spans);
  g_free (self->hatch);
  *self = (StriaGraphPixels){ NULL };
}

void
stria_graph_pixels_band (StriaGraphPixels *self, const StriaGraphPixels *whole, int y0, int y1)
{
  *self = *whole;
  cairo_surface_reference (self->surface);
  self->is_band = TRUE;
  self->mask = self->hatch = NULL;
  self->spans = NULL;
  self->y0 = MAX (y0, whole->y0);
  self->y1 = MIN (y1, whole->y1);
}
