/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-paint-private.h"

#include <math.h>
#include <string.h>

/**
 * SECTION:stria-paint-band
 *
 * A row of slices is the same on each of its lines but the first and last, whose corners are
 * rounded. So a row is made once, as a line of pixels, and copied; where the target has no pixels,
 * the line is taken apart into runs of one colour. Both targets so show the same.
 */

#define DIMMED_SHARE   52 /* of 256: what is left of a slice that does not match */
#define LEAST_SHARE    72 /* of 256: the faintest that a dense pixel gets */
#define GAP_SHARE      104
#define CORNER_SHARE   128
#define MARK_CLEARANCE 9.0
#define BOX_SHARE      110
#define ERROR_ARGB     0xffe01b24u

void
stria_band_empty_line (StriaBand *self, guint32 *line)
{
  const guint32 grid = stria_paint_argb (self->theme->grid);

  for (gint32 x = 0; x < self->width; x++)
    line[x] = self->background;
  for (guint i = 0; i < self->n_grid; i++)
    line[self->grid[i]] = grid;
}

static void
add_runs (StriaBand *self, const guint32 *line, gint32 y0, gint32 y1)
{
  for (gint32 x = 0; x < self->width;)
    {
      StriaRun run = { line[x], x, x + 1, y0, y1 };

      while (run.x1 < self->width && line[run.x1] == run.argb)
        run.x1++;
      x = run.x1;
      if (run.argb != self->background)
        g_array_append_val (self->runs, run);
    }
}

void
stria_band_put_line (StriaBand *self, const guint32 *line, gint32 y0, gint32 y1)
{
  y0 = MAX (y0, self->clip0);
  y1 = MIN (y1, self->clip1);
  if (y0 >= y1)
    return;
  if (self->pixels == NULL)
    {
      add_runs (self, line, y0, y1);
      return;
    }
  for (gint32 y = y0; y < y1; y++)
    memcpy (self->pixels + (gsize) y * self->stride, line, sizeof *line * (gsize) self->width);
}

void
stria_band_fill (StriaBand *self, gint32 x0, gint32 x1, gint32 y0, gint32 y1, guint32 argb)
{
  const StriaRun run = { argb, MAX (x0, 0), MIN (x1, self->width), MAX (y0, self->clip0),
                         MIN (y1, self->clip1) };

  if (run.x0 >= run.x1 || run.y0 >= run.y1)
    return;
  if (self->pixels == NULL)
    {
      g_array_append_val (self->runs, run);
      return;
    }
  for (gint32 y = run.y0; y < run.y1; y++)
    for (gint32 x = run.x0; x < run.x1; x++)
      self->pixels[(gsize) y * self->stride + (gsize) x] = argb;
}

guint32
stria_band_key (const StriaBand *self, const StriaDrawRecord *record)
{
  if (self->view->coloring == NULL)
    return record->name;
  return stria_color_lane_key (&self->colors, stria_lane_get_columns (self->lane), record->event);
}

/* Counts what is drawn between the edges of what is seen. */
static void
count_use (const StriaBand *self, const StriaDrawRecord *record, guint32 key, guint32 argb)
{
  StriaBand *band = (StriaBand *) self;
  const StriaTimelineView *view = self->view;
  const gboolean all = view->label_x1 <= view->label_x0;
  const gint32 left = all ? 0 : (gint32) (view->label_x0 * self->scale);
  const gint32 right = all ? self->width : (gint32) (view->label_x1 * self->scale);
  const gint32 width = MIN (record->x1, right) - MAX (record->x0, left);

  if (width <= 0)
    return;
  for (guint i = key * 2654435761u, tries = 0; tries < 16; i++, tries++)
    {
      StriaBandUse *use = &band->uses[i & (STRIA_BAND_USES - 1)];

      if (use->amount != 0 && use->key != key)
        continue;
      *use = (StriaBandUse){ key, argb, use->amount + (guint64) width * MAX (record->busy, 1) };
      return;
    }
}

guint32
stria_band_color (const StriaBand *self, const StriaDrawRecord *record)
{
  const guint32 key = stria_band_key (self, record);
  const guint32 full = self->view->coloring == NULL
                           ? stria_paint_kit_color (self->kit, key, self->view->dark)
                           : stria_coloring_argb (self->view->coloring, key, self->view->dark);

  if (self->uses != NULL && self->style == STRIA_BAND_FULL)
    count_use (self, record, key, full);
  return record->match ? full : stria_paint_mix (self->background, full, DIMMED_SHARE);
}

/* Time spent waiting is no work: it gets an outline only. */
static gboolean
is_hollow (const StriaBand *self, const StriaDrawRecord *record)
{
  return self->wait_category >= 0
         && stria_lane_get_columns (self->lane)->category[record->event] == self->wait_category;
}

static void
put_hollow (StriaBand *self, guint32 *line, guint32 *edge, gint32 x0, gint32 x1, guint32 argb)
{
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const gint32 end = x1 - x0 >= 4 * hair && x1 < self->width ? x1 - hair : x1;

  for (gint32 x = x0; x < end; x++)
    {
      edge[x] = argb;
      if ((x < x0 + hair && x0 > 0) || (x >= end - hair && x1 < self->width))
        line[x] = argb;
    }
}

static void
fill (guint32 *line, gint32 x0, gint32 x1, guint32 argb)
{
  for (gint32 x = x0; x < x1; x++)
    line[x] = argb;
}

/* A slice of a pixel or more. @edge: first and last line of the row */
static void
put_slice (StriaBand *self, guint32 *line, guint32 *edge, gint32 x0, gint32 x1, guint32 argb)
{
  const gint32 hair = MAX ((gint32) self->scale, 1);

  fill (line, x0, x1, argb);
  fill (edge, x0, x1, argb);
  if (x1 - x0 < 3 * hair)
    return;
  /* Neighbours of the same name must not look like one */
  if (x1 < self->width)
    {
      const guint32 gap = stria_paint_mix (argb, self->background, 256 - GAP_SHARE);

      fill (line, x1 - hair, x1, gap);
      fill (edge, x1 - hair, x1, self->background);
    }
  if (x1 - x0 < 8 * hair || self->pixels == NULL)
    return;
  if (x0 > 0)
    fill (edge, x0, x0 + hair, stria_paint_mix (self->background, argb, CORNER_SHARE));
  if (x1 < self->width)
    fill (edge, x1 - 2 * hair, x1 - hair, stria_paint_mix (self->background, argb, CORNER_SHARE));
}

/* Pixels that hold a part of an event or several: as strong as they are busy */
static void
put_dense (StriaBand *self, guint32 *line, guint32 *edge, const StriaDrawRecord *record, gint32 x0,
           gint32 x1, guint32 argb)
{
  const guint share = LEAST_SHARE + (256 - LEAST_SHARE) * record->busy / 255;
  const guint32 mixed = stria_paint_mix (self->background, argb, share);

  fill (line, x0, x1, mixed);
  fill (edge, x0, x1, mixed);
}

/* Records ahead whose colours are asked for */
#define AHEAD 12

static void
prefetch (const StriaBand *self, const StriaDrawRecord *records, guint n, guint i)
{
  const StriaColumns *c = stria_lane_get_columns (self->lane);
  const guint32 first = records[MIN (i + 2 * AHEAD, n - 1)].event;

  if (self->view->coloring != NULL)
    stria_color_lane_prefetch (&self->colors, c, first, records[MIN (i + AHEAD, n - 1)].event);
  if (self->wait_category >= 0)
    __builtin_prefetch (&c->category[first]);
}

static void
compose_row (StriaBand *self, const StriaDrawRecord *records, guint n, gint32 top, guint32 *line,
             guint32 *edge)
{
  const gboolean asks = self->view->coloring != NULL || self->wait_category >= 0;
  const gint32 least = (gint32) (STRIA_PAINT_LABEL_MIN_PX * self->scale);

  for (guint i = 0; i < n; i++)
    {
      const StriaDrawRecord *record = &records[i];
      const gint32 x0 = CLAMP (record->x0, 0, self->width);
      const gint32 x1 = CLAMP (record->x1, 0, self->width);
      guint32 argb = 0;

      if (asks)
        prefetch (self, records, n, i);
      if (x0 >= x1)
        continue;
      argb = stria_band_color (self, record);
      if (self->style == STRIA_BAND_BOXES)
        argb = stria_paint_mix (self->background, argb, BOX_SHARE);
      if (self->wait_category >= 0 && is_hollow (self, record))
        {
          if (record->count > 1 || record->busy < 255)
            {
              StriaDrawRecord half = *record;

              half.busy /= 2;
              put_dense (self, line, edge, &half, x0, x1, argb);
              continue;
            }
          put_hollow (self, line, edge, x0, x1, argb);
          argb = self->background;
        }
      else if (record->count > 1 || record->busy < 255)
        {
          put_dense (self, line, edge, record, x0, x1, argb);
          continue;
        }
      if (argb != self->background)
        put_slice (self, line, edge, x0, x1, argb);
      if (x1 - x0 >= least)
        {
          const StriaLabel label = { record->name, argb, x0, x1, top, !record->match };

          g_array_append_val (self->labels, label);
        }
    }
}

static void
compose_instants (StriaBand *self, const StriaDrawRecord *records, guint n, gint32 top,
                  gint32 bottom, guint32 *line)
{
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const gint32 clearance = (gint32) (MARK_CLEARANCE * self->scale);

  for (guint i = 0; i < n; i++)
    {
      const gint32 x0 = CLAMP (records[i].x0, 0, self->width - 1);
      /* Pixels full of the same instants come as one record */
      const gint32 x1 = CLAMP (MAX (x0 + hair, records[i].x1), x0 + 1, self->width);
      const guint32 argb = self->style == STRIA_BAND_TICKS ? ERROR_ARGB
                                                           : stria_band_color (self, &records[i]);
      const gboolean alone = x1 - x0 <= hair
                             && (i == 0 || x0 - records[i - 1].x1 + 1 >= clearance)
                             && (i + 1 == n || records[i + 1].x0 - x0 >= clearance);

      if (self->style == STRIA_BAND_TICKS)
        {
          fill (line, x0, MIN (MAX (x1, x0 + 2 * hair), self->width), argb);
          continue;
        }
      fill (line, x0, x1, alone ? stria_paint_mix (self->background, argb, 160) : argb);
      if (alone)
        {
          const StriaMark mark = { argb, x0, (top + bottom) / 2 };

          g_array_append_val (self->marks, mark);
        }
    }
}

static void
put_rows (StriaBand *self, GArray *records, guint32 *empty, guint32 *line, guint32 *edge)
{
  const gsize bytes = sizeof *line * (gsize) self->width;
  const gint32 hair = MAX ((gint32) self->scale, 1);
  const double padding = STRIA_LAYOUT_LANE_PADDING * self->scale;
  const gboolean instants = stria_lane_get_kind (self->lane) == STRIA_LANE_INSTANTS;
  guint i = 0;

  for (guint32 row = self->row0; row < self->row1; row++)
    {
      const double step = self->item->row_height * self->scale;
      const gint32 top = self->y0 + (gint32) lround (padding + row * step);
      const gint32 bottom = self->y0 + (gint32) lround (padding + (row + 1) * step) - hair;
      const guint first = i;

      while (i < records->len && g_array_index (records, StriaDrawRecord, i).row == row)
        i++;
      memcpy (line, empty, bytes);
      memcpy (edge, empty, bytes);
      if (self->style == STRIA_BAND_STEPS)
        ; /* drawn over the empty row */
      else if (i > first && instants)
        compose_instants (self, &g_array_index (records, StriaDrawRecord, first), i - first, top,
                          bottom, line);
      else if (i > first)
        compose_row (self, &g_array_index (records, StriaDrawRecord, first), i - first, top, line,
                     edge);
      stria_band_put_line (self, instants ? line : edge, top, top + hair);
      stria_band_put_line (self, line, top + hair, bottom - hair);
      stria_band_put_line (self, instants ? line : edge, bottom - hair, bottom);
      stria_band_put_line (self, empty, bottom, bottom + hair);
    }
}

static void
run_slices (StriaBand *self)
{
  const gsize width = (gsize) MAX (self->width, 1);
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (StriaDrawRecord));
  g_autofree guint32 *empty = g_new (guint32, width);
  g_autofree guint32 *line = g_new (guint32, width);
  g_autofree guint32 *edge = g_new (guint32, width);
  const gint32 first = self->y0
                       + (gint32) lround ((STRIA_LAYOUT_LANE_PADDING
                                           + self->row0 * self->item->row_height)
                                          * self->scale);
  const gint32 last = self->y0
                      + (gint32) lround ((STRIA_LAYOUT_LANE_PADDING
                                          + self->row1 * self->item->row_height)
                                         * self->scale);

  stria_display_list_slices (self->lane, self->row0, self->row1, self->view->t0, self->view->t1,
                             self->width, self->view->match, records);
  stria_band_empty_line (self, empty);
  if (self->row0 == 0)
    stria_band_put_line (self, empty, self->y0, first);
  if (self->view->coloring != NULL)
    stria_coloring_lane (self->view->coloring, self->item->lane, &self->colors);
  put_rows (self, records, empty, line, edge);
  stria_band_put_line (self, empty, last, self->clip1);
  if (self->style == STRIA_BAND_STEPS)
    stria_band_steps (self, records);
  if (self->barriers != NULL && self->row0 == 0)
    stria_band_barriers (self);
}

/**
 * stria_band_run:
 *
 * Makes the display list of a band and draws it. Any thread.
 */
void
stria_band_run (StriaBand *self)
{
  g_autoptr (GError) error = NULL;

  if (self->lane == NULL)
    {
      stria_band_summary (self);
      return;
    }
  if (!stria_lane_is_loaded (self->lane) && !stria_lane_load (self->lane, NULL, &error))
    {
      g_autofree guint32 *empty = g_new (guint32, MAX (self->width, 1));

      self->error = g_strdup (error->message);
      stria_band_empty_line (self, empty);
      stria_band_put_line (self, empty, self->clip0, self->clip1);
      return;
    }
  if (stria_lane_get_kind (self->lane) == STRIA_LANE_COUNTER)
    {
      const StriaLaneStack *stack
          = stria_timeline_layout_stack_of (self->view->layout, self->item->lane);

      if (stack != NULL)
        stria_band_stack (self, stack);
      else
        stria_band_counter (self);
    }
  else
    run_slices (self);
}

void
stria_band_clear (StriaBand *self)
{
  g_array_unref (self->runs);
  g_array_unref (self->labels);
  g_array_unref (self->marks);
  g_array_unref (self->boxes);
  g_free (self->uses);
  g_free (self->columns);
  g_free (self->means);
  g_free (self->error);
}
