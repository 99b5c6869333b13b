/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-graph-paint-pixels-private.h"

#include <math.h>

#define HATCH_STEP   8.0f /* from one diagonal to the next, along an axis */
#define HATCH_WIDTH  1.3f
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
  stria_graph_pixels_drop_lines (self);
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
