/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-private.h"

#include <math.h>

#define STRIP_MARGIN 4.0
#define STRIP_SHARE  176 /* of 256 */

/* Adds how busy the outermost row of a lane is to @sums, 255 a column at most. */
static void
add_lane (StriaBand *self, StriaLane *lane, GArray *records, guint32 *sums)
{
  g_array_set_size (records, 0);
  if (!stria_lane_is_loaded (lane) && !stria_lane_load (lane, NULL, NULL))
    return;
  stria_display_list_slices (lane, 0, 1, self->view->t0, self->view->t1, self->width, NULL, records);
  for (guint i = 0; i < records->len; i++)
    {
      const StriaDrawRecord *record = &g_array_index (records, StriaDrawRecord, i);
      const guint busy = MAX (record->busy, 1);

      for (gint32 x = MAX (record->x0, 0); x < MIN (record->x1, self->width); x++)
        sums[x] += busy;
    }
}

static guint
sum_lanes (StriaBand *self, guint32 *sums)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (StriaDrawRecord));
  guint n = 0;
  guint n_slices = 0;
  const guint32 *lanes
      = stria_timeline_layout_process_lanes (self->view->layout, self->item->process, &n);

  for (guint i = 0; i < n; i++)
    {
      StriaLane *lane = stria_trace_get_lane (self->view->trace, lanes[i]);
      const StriaLaneKind kind = stria_lane_get_kind (lane);

      if (kind == STRIA_LANE_COUNTER || kind == STRIA_LANE_INSTANTS)
        continue;
      add_lane (self, lane, records, sums);
      n_slices++;
    }
  return n_slices;
}

/* Bars from the foot of the strip: the share of the process's lanes that are busy. */
static void
put_strip (StriaBand *self, const guint32 *sums, guint32 greatest, const guint32 *empty)
{
  const gint32 foot = self->y1 - (gint32) lround (STRIP_MARGIN * self->scale);
  const gint32 head = self->y0 + (gint32) lround (STRIP_MARGIN * self->scale);
  const guint32 full
      = stria_paint_mix (self->background, stria_paint_argb (self->theme->density), STRIP_SHARE);
  g_autofree guint32 *line = g_new (guint32, MAX (self->width, 1));

  for (gint32 y = head; y < foot; y++)
    {
      for (gint32 x = 0; x < self->width; x++)
        {
          const double bar = (double) sums[x] / greatest * (foot - head);

          /* What is there at all gets a pixel */
          line[x] = foot - y <= ceil (bar) && sums[x] > 0 ? full : empty[x];
        }
      stria_band_put_line (self, line, y, y + 1);
    }
}

/* A process header's part of the lanes' area: a band, and a strip if its lanes are folded away. */
void
stria_band_summary (StriaBand *self)
{
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const gsize width = (gsize) MAX (self->width, 1);
  g_autofree guint32 *line = g_new (guint32, width);
  g_autofree guint32 *sums = g_new0 (guint32, width);
  const guint32 hairline = stria_paint_argb (self->theme->hairline);
  guint32 greatest = 0;

  stria_band_empty_line (self, line);
  stria_band_put_line (self, line, self->clip0, self->clip1);
  if (self->item->collapsed)
    {
      const guint n = sum_lanes (self, sums);

      for (gsize x = 0; x < width; x++)
        greatest = MAX (greatest, sums[x]);
      /* A lone busy lane among sixteen still shows: the scale is that of the busiest pixel, but no
       * finer than a quarter of all lanes */
      greatest = MAX (greatest, 255 * n / 4);
      if (greatest > 0)
        put_strip (self, sums, greatest, line);
    }
  for (gsize x = 0; x < width; x++)
    line[x] = hairline;
  stria_band_put_line (self, line, self->y0, self->y0 + hair);
}
