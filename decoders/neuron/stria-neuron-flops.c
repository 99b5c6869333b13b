/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "stria-neuron-flops.h"

#define FIRST_WIDTH 256
#define MOST_TIME   ((gint64) 1 << 60)

NeuronFlops *
neuron_flops_new (void)
{
  NeuronFlops *self = g_new0 (NeuronFlops, 1);

  self->width_ns = FIRST_WIDTH;
  return self;
}

void
neuron_flops_free (NeuronFlops *self)
{
  g_free (self);
}

/* Times are cut down to multiples of the width: widths are powers of two, and numbers below zero go
 * the same way as those above. */
static gint64
floor_to (gint64 ns, gint64 width)
{
  return ns & ~(width - 1);
}

/* Bins of twice the width */
static void
widen (NeuronFlops *self)
{
  const gint64 width = self->width_ns * 2;
  const gint64 start = floor_to (self->start_ns, width);
  const guint odd = start != self->start_ns;
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    {
      const guint to = (i + odd) / 2;
      const double flops = self->flops[i], transposes = self->transposes[i];

      self->flops[i] = self->transposes[i] = 0;
      self->flops[to] += flops;
      self->transposes[to] += transposes;
      n = to + 1;
    }
  self->start_ns = start;
  self->width_ns = width;
  self->n = n;
}

/* Makes room for the bins of [t0, t1). */
static void
reach (NeuronFlops *self, gint64 t0, gint64 t1)
{
  gint64 first, end;
  guint before;

  if (self->n == 0)
    {
      while ((floor_to (t1 - 1, self->width_ns) - floor_to (t0, self->width_ns)) / self->width_ns
             >= NEURON_FLOPS_BINS)
        self->width_ns *= 2;
      self->start_ns = floor_to (t0, self->width_ns);
      self->n = 1;
    }
  for (;;)
    {
      first = MIN (self->start_ns, floor_to (t0, self->width_ns));
      end = MAX (self->start_ns + (gint64) self->n * self->width_ns,
                 floor_to (t1 - 1, self->width_ns) + self->width_ns);
      if ((end - first) / self->width_ns <= NEURON_FLOPS_BINS)
        break;
      widen (self);
    }
  before = (guint) ((self->start_ns - first) / self->width_ns);
  if (before > 0)
    {
      memmove (self->flops + before, self->flops, self->n * sizeof *self->flops);
      memmove (self->transposes + before, self->transposes, self->n * sizeof *self->transposes);
      memset (self->flops, 0, before * sizeof *self->flops);
      memset (self->transposes, 0, before * sizeof *self->transposes);
    }
  self->start_ns = first;
  self->n = (guint) ((end - first) / self->width_ns);
}

gboolean
neuron_flops_add (NeuronFlops *self, gint64 start_ns, gint64 duration_ns, double flops,
                  double transposes)
{
  const gint64 length = MAX (duration_ns, 1);
  gint64 end;
  guint first, last;

  if (start_ns < -MOST_TIME || start_ns > MOST_TIME || length > MOST_TIME || !(flops > 0))
    return FALSE;
  end = start_ns + length;
  reach (self, start_ns, end);
  first = (guint) ((start_ns - self->start_ns) / self->width_ns);
  last = (guint) ((end - 1 - self->start_ns) / self->width_ns);
  self->has_transposes = self->has_transposes || transposes >= 0;
  for (guint i = first; i <= last; i++)
    {
      const gint64 t0 = self->start_ns + (gint64) i * self->width_ns;
      const gint64 inside = MIN (end, t0 + self->width_ns) - MAX (start_ns, t0);
      const double share = (double) inside / (double) length;

      self->flops[i] += flops * share;
      if (transposes > 0)
        self->transposes[i] += transposes * share;
    }
  return TRUE;
}
