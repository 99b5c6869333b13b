/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-density.h"

#define N STRIA_DENSITY_BINS

/* Folds the covering spans into the bins, so that bins can be merged. */
static void
settle (StriaDensity *self)
{
  gint64 cover = 0;

  for (guint i = 0; i < N; i++)
    {
      cover += self->cover[i];
      self->partial[i] += (double) cover * (double) self->bin_ns;
    }
  memset (self->cover, 0, sizeof self->cover);
}

/* Twice the width, keeping the left edge or (@to_left) the right one. */
static void
widen (StriaDensity *self, gboolean to_left)
{
  settle (self);
  if (to_left)
    {
      for (guint i = N; i-- > N / 2;)
        self->partial[i] = self->partial[2 * (i - N / 2)] + self->partial[2 * (i - N / 2) + 1];
      memset (self->partial, 0, N / 2 * sizeof *self->partial);
      self->t0 -= self->bin_ns * N;
    }
  else
    {
      for (guint i = 0; i < N / 2; i++)
        self->partial[i] = self->partial[2 * i] + self->partial[2 * i + 1];
      memset (self->partial + N / 2, 0, N / 2 * sizeof *self->partial);
    }
  self->bin_ns *= 2;
}

void
stria_density_add (StriaDensity *self, gint64 start_ns, gint64 end_ns)
{
  /* Times beyond 73 years either side of the epoch's first 292 are damage; they would stretch the
   * picture to nothing. */
  const gint64 limit = G_MAXINT64 / 4;

  if (start_ns > limit || start_ns < -limit || end_ns > limit || end_ns < start_ns)
    return;
  if (self->bin_ns == 0)
    {
      self->bin_ns = 1000;
      self->t0 = start_ns;
    }
  while (start_ns < self->t0 && self->bin_ns < limit / N)
    widen (self, TRUE);
  while (end_ns >= self->t0 + self->bin_ns * N && self->bin_ns < limit / N)
    widen (self, FALSE);
  if (start_ns < self->t0 || end_ns >= self->t0 + self->bin_ns * N)
    return;

  gint64 a = (start_ns - self->t0) / self->bin_ns, b = (end_ns - self->t0) / self->bin_ns;
  if (a == b)
    {
      self->partial[a] += (double) (end_ns - start_ns);
      return;
    }
  self->partial[a] += (double) (self->t0 + (a + 1) * self->bin_ns - start_ns);
  self->partial[b] += (double) (end_ns - (self->t0 + b * self->bin_ns));
  self->cover[a + 1]++;
  self->cover[b]--;
}

void
stria_density_get (const StriaDensity *self, double *busy_ns)
{
  gint64 cover = 0;

  for (guint i = 0; i < N; i++)
    {
      cover += self->cover[i];
      busy_ns[i] = self->partial[i] + (double) cover * (double) self->bin_ns;
    }
}
