/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-trace-private.h"

/* What a trace shows of itself before anybody asks: the range to begin with, and where it is busy. */

#define VIEW_BINS 4096
/* Runs of busy bins with this many empty ones between them are apart. */
#define APART (VIEW_BINS / 64)
/* Clocks of so many machines; more runs than that are the rhythm of a program. */
#define MOST_CLOCKS 8
/* Share of the range in which something ran: less is a pixel or two of any window. */
#define INVISIBLE 1e-3

/* Adds @weight for each bin that is covered from @x0 to @x1. Returns: what was added */
static double
add_span (double *bins, double x0, double x1, double weight)
{
  if (x0 < 0 || x0 >= VIEW_BINS)
    return 0;
  x1 = MIN (x1, VIEW_BINS);
  const gint a = CLAMP ((gint) x0, 0, VIEW_BINS - 1), b = CLAMP ((gint) x1, 0, VIEW_BINS - 1);
  if (a == b)
    bins[a] += (x1 - x0) * weight;
  else
    {
      bins[a] += (a + 1 - x0) * weight;
      bins[b] += (x1 - b) * weight;
      for (gint k = a + 1; k < b; k++)
        bins[k] += weight;
    }
  return (x1 - x0) * weight;
}

/* Busy time of a lane that is not in memory, evenly spread over the bins in which it was counted. */
static double
add_density (StriaPark *park, double *bins, double start, double width)
{
  gint64 shift;
  const StriaDensity *density = stria_park_get_density (park, &shift);
  g_autofree double *busy = NULL;
  double total = 0;

  if (density == NULL || density->bin_ns == 0)
    return 0;
  busy = g_new (double, STRIA_DENSITY_BINS);
  stria_density_get (density, busy);
  for (guint b = 0; b < STRIA_DENSITY_BINS; b++)
    if (busy[b] > 0)
      {
        const double from = (double) (density->t0 + shift) + (double) b * (double) density->bin_ns;
        const double x0 = MAX (0, (from - start) / width);

        total += add_span (bins, x0, x0 + (double) density->bin_ns / width,
                           busy[b] / (double) density->bin_ns);
      }
  return total;
}

/* Whether the @bins, with @total of them busy, are a few specks far from each other: files whose clocks
 * began at different times. */
static gboolean
is_scattered (const double *bins, double total)
{
  guint runs = 0;
  gint last = -1;

  for (gint k = 0; k < VIEW_BINS; k++)
    if (bins[k] > 0)
      {
        if (last >= 0 && k - last > 1 && k - last <= APART)
          return FALSE;
        runs += last < 0 || k - last > APART;
        last = k;
      }
  return runs > 1 && runs <= MOST_CLOCKS && total < INVISIBLE * VIEW_BINS;
}

/* From the first event after time 0 to the end of the last one */
static void
find_whole (StriaTrace *self, gint64 *start, gint64 *end)
{
  *start = G_MAXINT64;
  *end = G_MININT64;
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const StriaLaneBody *body = ((StriaLane *) self->lanes->pdata[i])->body;
      const StriaColumns *c = &body->columns;

      if (body->park != NULL)
        *start = MIN (*start, stria_park_first_after (body->park,
                                                      self->end_ns > 0 ? 0 : G_MININT64));
      for (guint32 row = 0; body->park == NULL && row < body->n_rows; row++)
        {
          guint64 e = body->row_begin[row];

          while (e < body->row_begin[row + 1] && c->start[e] <= 0 && self->end_ns > 0)
            e++;
          if (e < body->row_begin[row + 1])
            *start = MIN (*start, c->start[e]);
        }
      *end = MAX (*end, body->end_ns);
    }
  if (*start >= *end)
    {
      *start = self->start_ns;
      *end = self->end_ns;
    }
}

/* Time that something ran in each of the bins from @start on. Returns: their sum */
static double
fill_bins (StriaTrace *self, double *bins, gint64 start, double width)
{
  double total = 0;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      const StriaLaneBody *body = ((StriaLane *) self->lanes->pdata[i])->body;
      const StriaColumns *c = &body->columns;

      if (body->park != NULL)
        total += add_density (body->park, bins, (double) start, width);
      if (c->dur == NULL || body->n_rows == 0 || body->park != NULL)
        continue;
      for (guint64 e = body->row_begin[0]; e < body->row_begin[1]; e++)
        {
          const double x0 = ((double) c->start[e] - (double) start) / width;

          total += add_span (bins, x0, x0 + (double) c->dur[e] / width, 1);
        }
    }
  return total;
}

/* From the first start to the last end of what ran from @start to before @end. FALSE for nothing */
static gboolean
shrink (StriaTrace *self, gint64 *start, gint64 *end)
{
  gint64 first = G_MAXINT64, last = G_MININT64;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      const StriaLaneBody *body = ((StriaLane *) self->lanes->pdata[i])->body;
      const StriaColumns *c = &body->columns;
      StriaColumns loaded = { 0 };

      if (body->park != NULL
          && stria_park_load_column (body->park, STRIA_COLUMN_START, &loaded, NULL)
          && stria_park_load_column (body->park, STRIA_COLUMN_DUR, &loaded, NULL))
        c = &loaded;
      const guint64 row_end = body->n_rows > 0 && c->dur != NULL ? body->row_begin[1] : 0;
      for (guint64 e = 0; e < row_end; e++)
        if (c->start[e] >= *start && c->start[e] < *end && c->dur[e] > 0)
          {
            first = MIN (first, c->start[e]);
            last = MAX (last, MIN (c->start[e] + c->dur[e], *end));
          }
      stria_columns_clear (&loaded);
    }
  if (first >= last)
    return FALSE;
  *start = first;
  *end = last;
  return TRUE;
}

/* A thousandth of the range is four bins and a bit: a window of four, wherever it holds most. FALSE if
 * that is not to be shown in place of the whole */
static gboolean
narrow (StriaTrace *self, gint64 *start, gint64 *end)
{
  const double width = ((double) *end - (double) *start) / VIEW_BINS;
  g_autofree double *bins = NULL;
  double total, most = 0;
  gint64 w0, w1;
  gint best = 0;

  if (width < 1)
    return FALSE;
  bins = g_new0 (double, VIEW_BINS);
  total = fill_bins (self, bins, *start, width);
  for (gint k = 0; k + 4 <= VIEW_BINS; k++)
    {
      const double sum = bins[k] + bins[k + 1] + bins[k + 2] + bins[k + 3];

      if (sum > most)
        {
          most = sum;
          best = k;
        }
    }
  if (total <= 0 || (most < 0.999 * total && !is_scattered (bins, total)))
    return FALSE;
  w0 = *start + (gint64) (best * width);
  w1 = *start + (gint64) ((best + 4) * width) + 1;
  if (!shrink (self, &w0, &w1))
    return FALSE;
  *start = w0;
  *end = w1;
  return TRUE;
}

/* The range to show first (formats: B1.4): events at time 0 or before are clamped ones and do not
 * count; where nearly all span time lies in a thousandth of the range, that is shown; and where it
 * lies in specks of which a window that shows all of them would show none, the busiest of them. What
 * is left may be such a range again. */
void
stria_trace_find_view_range (StriaTrace *self)
{
  find_whole (self, &self->view_start_ns, &self->view_end_ns);
  for (guint i = 0; i < MOST_CLOCKS; i++)
    if (!narrow (self, &self->view_start_ns, &self->view_end_ns))
      break;
}

/* A picture of where the lane is busy does not need its events. */
static void
add_density_to_overview (StriaPark *park, gint64 t0, double width, float *bins, gsize n)
{
  gint64 shift;
  const StriaDensity *density = stria_park_get_density (park, &shift);
  g_autofree double *busy = NULL;

  if (density == NULL || density->bin_ns == 0)
    return;
  busy = g_new (double, STRIA_DENSITY_BINS);
  stria_density_get (density, busy);
  for (gsize b = 0; b < n; b++)
    {
      const double at = (double) t0 + ((double) b + 0.5) * width - (double) (density->t0 + shift);
      const double bin = at / (double) density->bin_ns;

      if (bin >= 0 && bin < STRIA_DENSITY_BINS)
        bins[b] += (float) (busy[(guint) bin] / (double) density->bin_ns);
    }
}

static void
compute_overview (StriaTrace *self, gint64 t0, gint64 t1, float *bins, gsize n)
{
  double most = 0;
  double width = ((double) t1 - (double) t0) / (double) n;

  memset (bins, 0, n * sizeof *bins);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      StriaLane *lane = self->lanes->pdata[i];
      if (lane->body->kind != STRIA_LANE_SLICES || lane->body->n_rows == 0)
        continue;
      if (!stria_lane_is_loaded (lane) && lane->body->park != NULL)
        {
          add_density_to_overview (lane->body->park, t0, width, bins, n);
          continue;
        }
      if (!stria_lane_load (lane, NULL, NULL))
        continue;
      for (gsize b = 0; b < n; b++)
        {
          gint64 a = t0 + (gint64) ((double) b * width);
          gint64 z = MAX (a + 1, t0 + (gint64) ((double) (b + 1) * width));
          bins[b] += (float) ((double) stria_lane_busy_ns (lane, 0, a, z) / (double) (z - a));
        }
    }
  for (gsize b = 0; b < n; b++)
    most = MAX (most, bins[b]);
  for (gsize b = 0; most > 0 && b < n; b++)
    bins[b] = (float) (bins[b] / most);
}

void
stria_trace_overview (StriaTrace *self, gint64 t0, gint64 t1, float *bins, gsize n)
{
  if (t1 <= t0 || n == 0)
    return;
  g_mutex_lock (&self->mutex);
  if (self->overview == NULL)
    {
      self->overview = g_new0 (float, STRIA_OVERVIEW_BINS);
      if (self->view_end_ns > self->view_start_ns)
        compute_overview (self, self->view_start_ns, self->view_end_ns, self->overview,
                          STRIA_OVERVIEW_BINS);
    }
  g_mutex_unlock (&self->mutex);

  /* Greatest of the bins under each pixel: what is short and busy stays to be seen. */
  double scale = STRIA_OVERVIEW_BINS / ((double) self->view_end_ns - (double) self->view_start_ns);
  for (gsize b = 0; b < n; b++)
    {
      double a = ((double) t0 - (double) self->view_start_ns
                  + (double) b * ((double) t1 - (double) t0) / (double) n) * scale;
      double z = a + ((double) t1 - (double) t0) / (double) n * scale;
      bins[b] = 0;
      if (z <= 0 || a >= STRIA_OVERVIEW_BINS)
        continue;
      gint from = (gint) CLAMP (a, 0, STRIA_OVERVIEW_BINS - 1);
      gint to = (gint) CLAMP (z, from + 1, STRIA_OVERVIEW_BINS);
      for (gint k = from; k < to; k++)
        bins[b] = MAX (bins[b], self->overview[k]);
    }
}
