/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-private.h"

#include <math.h>

/* Shares of 256 of a part's colour */
#define PART_SHARE 190

typedef struct
{
  gint32 foot; /* device rows */
  gint32 head;
  double top;  /* value at the head */
} Scale;

static gint32
value_row (const Scale *scale, double value)
{
  const double share = value / scale->top;

  if (!isfinite (share))
    return scale->foot;
  return scale->foot - (gint32) lround (CLAMP (share, 0, 1) * (scale->foot - scale->head));
}

static gboolean
load (StriaBand *self, guint32 lane, StriaCounterColumn *columns)
{
  StriaLane *part = stria_trace_get_lane (self->view->trace, lane);
  g_autoptr (GError) error = NULL;

  if (!stria_lane_is_loaded (part) && !stria_lane_load (part, NULL, &error))
    {
      if (self->error == NULL)
        self->error = g_strdup (error->message);
      return FALSE;
    }
  stria_display_list_counter (part, self->view->t0, self->view->t1, self->width, columns);
  return TRUE;
}

/* The line of the whole, over its parts */
static void
put_whole (StriaBand *self, const Scale *scale, const StriaCounterColumn *columns)
{
  const guint32 ink = stria_paint_argb (self->theme->text);
  const gint32 hair = MAX ((gint32) self->scale, 1);
  gint32 before = -1;

  for (gint32 x = 0; x < self->width; x++)
    {
      const gint32 y = columns[x].valid ? value_row (scale, columns[x].mean) : -1;

      if (y >= 0)
        stria_band_fill (self, x, x + 1, y - hair / 2, y - hair / 2 + hair, ink);
      if (y >= 0 && before >= 0 && ABS (y - before) > hair)
        stria_band_fill (self, x, x + 1, MIN (y, before), MAX (y, before) + hair, ink);
      before = y;
    }
}

/**
 * stria_band_stack:
 *
 * Draws the parts of a stack, each on top of the one before by its mean in a pixel, with a line at
 * its edge; and over them the line of the whole, if the file has one. Any thread.
 */
void
stria_band_stack (StriaBand *self, const StriaLaneStack *stack)
{
  const gsize width = (gsize) MAX (self->width, 1);
  const gint32 padding = (gint32) lround (STRIA_LAYOUT_LANE_PADDING * self->scale);
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const double part_of = stack->is_mean ? stack->n_parts : 1;
  g_autofree StriaCounterColumn *columns = g_new0 (StriaCounterColumn, width);
  g_autofree double *below = g_new0 (double, width);
  g_autofree guint32 *empty = g_new (guint32, width);
  Scale scale = { .foot = self->y1 - padding, .head = self->y0 + padding,
                  .top = stria_lane_stack_max (stack, self->view->trace) };

  if (!(scale.top > 0))
    scale.top = 1;
  stria_band_empty_line (self, empty);
  stria_band_put_line (self, empty, self->clip0, self->clip1);
  for (guint i = 0; i < stack->n_parts; i++)
    {
      const guint32 full = stria_color_argb (stria_color_series (i, self->view->dark));
      const guint32 area = stria_paint_mix (self->background, full, PART_SHARE);

      if (!load (self, stack->parts[i], columns))
        continue;
      for (gint32 x = 0; x < self->width; x++)
        {
          const double value = columns[x].valid ? columns[x].mean / part_of : 0;
          const gint32 foot = value_row (&scale, below[x]);
          const gint32 head = value > 0 ? value_row (&scale, below[x] + value) : foot;

          if (head >= foot)
            continue;
          below[x] += value;
          stria_band_fill (self, x, x + 1, head, foot, area);
          stria_band_fill (self, x, x + 1, head, MIN (head + hair, foot), full);
        }
    }
  if (stack->has_whole && load (self, stack->leader, columns))
    put_whole (self, &scale, columns);
}
