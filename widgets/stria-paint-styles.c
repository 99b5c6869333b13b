/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes that are not rows of filled slices: levels as lines of steps, and barriers. */
#include "config.h"

#include "stria-paint-private.h"

#include <math.h>
#include <string.h>

/* Of 256 */
#define AREA_SHARE 70
#define CALM_SHARE 110
/* Boxes this near to each other, in device pixels, become one */
#define BOX_GAP    1

double
stria_paint_level (const char *name)
{
  const char *text = strrchr (name, ' ');
  char *end = NULL;
  double k = 0, n = 0;

  text = text != NULL ? text + 1 : name;
  k = g_ascii_strtod (text, &end);
  if (end == text || *end != '/')
    return 1;
  text = end + 1;
  n = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !(n > 0) || !(k >= 0))
    return 1;
  return MIN (k / n, 1);
}

/* The lowest level of each column; what is drawn only in part of a pixel counts as much */
static void
find_levels (StriaBand *self, const StriaDrawRecord *records, guint n, double *levels,
             guint32 *colors)
{
  for (gint32 x = 0; x < self->width; x++)
    levels[x] = 1;
  for (guint i = 0; i < n; i++)
    {
      const char *name = stria_trace_get_string (self->view->trace, records[i].name);
      const double level = 1 - (1 - stria_paint_level (name)) * records[i].busy / 255;
      const guint32 argb = stria_paint_kit_color (self->kit, records[i].name, self->view->dark);

      for (gint32 x = MAX (records[i].x0, 0); x < MIN (records[i].x1, self->width); x++)
        if (level < levels[x])
          {
            levels[x] = level;
            colors[x] = argb;
          }
    }
}

/**
 * stria_band_steps:
 * @records: display list of the band's rows
 *
 * Draws each row as a line that stands at the row's head where nothing holds back, and lower where an
 * event does.
 */
void
stria_band_steps (StriaBand *self, GArray *records)
{
  const gsize width = (gsize) MAX (self->width, 1);
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const double padding = STRIA_LAYOUT_LANE_PADDING * self->scale;
  const double step = self->item->row_height * self->scale;
  const guint32 calm
      = stria_paint_mix (self->background, stria_paint_argb (self->theme->dim_text), CALM_SHARE);
  g_autofree double *levels = g_new (double, width);
  g_autofree guint32 *colors = g_new0 (guint32, width);
  guint i = 0;

  for (guint32 row = self->row0; row < self->row1; row++)
    {
      const gint32 top = self->y0 + (gint32) lround (padding + row * step) + hair;
      const gint32 bottom = self->y0 + (gint32) lround (padding + (row + 1) * step) - hair;
      const guint first = i;

      while (i < records->len && g_array_index (records, StriaDrawRecord, i).row == row)
        i++;
      find_levels (self, &g_array_index (records, StriaDrawRecord, first), i - first, levels,
                   colors);
      for (gint32 begin = 0, end = 0; begin < self->width; begin = end)
        {
          const double level = levels[begin];
          const guint32 argb = level < 1 ? colors[begin] : calm;
          const gint32 y = bottom - (gint32) lround (level * (bottom - top));

          while (end < self->width && levels[end] == level)
            end++;
          if (level < 1)
            stria_band_fill (self, begin, end, y, bottom,
                             stria_paint_mix (self->background, argb, AREA_SHARE));
          stria_band_fill (self, begin, end, y, y + hair, argb);
          if (begin > 0 && levels[begin - 1] != level)
            {
              const gint32 before = bottom - (gint32) lround (levels[begin - 1] * (bottom - top));

              stria_band_fill (self, begin, begin + hair, MIN (y, before), MAX (y, before) + hair,
                               level < 1 ? argb : calm);
            }
        }
    }
}

void
stria_band_barriers (StriaBand *self)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (StriaDrawRecord));
  const gint32 padding = (gint32) lround (STRIA_LAYOUT_LANE_PADDING * self->scale / 2);

  if (!stria_lane_is_loaded (self->barriers) && !stria_lane_load (self->barriers, NULL, NULL))
    return;
  stria_display_list_slices (self->barriers, 0, 1, self->view->t0, self->view->t1, self->width,
                             NULL, records);
  for (guint i = 0; i < records->len; i++)
    {
      const StriaDrawRecord *record = &g_array_index (records, StriaDrawRecord, i);
      StriaRun *last = self->boxes->len > 0
                           ? &g_array_index (self->boxes, StriaRun, self->boxes->len - 1)
                           : NULL;
      const StriaRun box = { 0, MAX (record->x0, 0), MIN (record->x1, self->width),
                             self->y0 + padding, self->y1 - padding };

      if (box.x0 >= box.x1)
        continue;
      if (last != NULL && box.x0 - last->x1 < BOX_GAP && record->busy < 255)
        last->x1 = box.x1;
      else
        g_array_append_val (self->boxes, box);
    }
}
