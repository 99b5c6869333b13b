/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "stria-format.h"
#include "stria-neuron-emitter-private.h"
#include "stria-table.h"

void
stria_neuron_emitter_set_tensor_engine (StriaNeuronEmitter *self, double rows, double columns,
                                        double clock_ghz)
{
  const double peak = 2 * rows * columns * clock_ghz;

  if (isfinite (peak) && peak > 0)
    self->flops_peak = peak;
}

NeuronFlops *
neuron_flops_of (StriaNeuronEmitter *self, guint32 core)
{
  NeuronFlops *flops;

  if (self->flops == NULL)
    self->flops = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) neuron_flops_free);
  flops = g_hash_table_lookup (self->flops, GUINT_TO_POINTER (core));
  if (flops == NULL)
    {
      flops = neuron_flops_new ();
      g_hash_table_insert (self->flops, GUINT_TO_POINTER (core), flops);
    }
  return flops;
}

/* -- counters -------------------------------------------------------------------------------- */

typedef enum
{
  HFU,
  MFU,
  HFU_SO_FAR,
  MFU_SO_FAR,
  N_SHARES,
} Share;

/* Named as the vendor's viewer does. How wide its bins are is not published, so that the title tells
 * what ours are; behind the core, which has to be seen where there is little room. */
static char *
title_of (Share share, guint32 core, gint64 width_ns)
{
  static const char *const titles[N_SHARES] = {
    [HFU] = N_ ("Estimated HFU"),
    [MFU] = N_ ("Estimated MFU"),
    [HFU_SO_FAR] = N_ ("Estimated HFU so far"),
    [MFU_SO_FAR] = N_ ("Estimated MFU so far"),
  };
  g_autofree char *title = neuron_core_title (g_strdup (_ (titles[share])), core);
  g_autofree char *width = stria_format_ns (width_ns);

  if (share == HFU_SO_FAR || share == MFU_SO_FAR)
    return g_steal_pointer (&title);
  /* Translators: "Estimated MFU (nc0)", a duration */
  return g_strdup_printf (_ ("%s, means of %s"), title, width);
}

static guint32
thread_of (StriaNeuronEmitter *self, Share share, guint32 core, guint32 name)
{
  const guint32 process = neuron_profile (self);
  g_autofree char *key = g_strdup_printf (STRIA_DERIVED_LANE_KEY "Instruction\x1f%d\x1f%d",
                                          (int) share, (int) core);
  const guint32 thread = self->sink->thread (self->sink, process, key, strlen (key));

  self->sink->set_name (self->sink, STRIA_FIELD_THREAD_NAME, process, thread, name);
  self->sink->set_sort (self->sink, STRIA_FIELD_THREAD_SORT, process, thread,
                        ((gint64) NEURON_UTILIZATION << 40) + ((gint64) share << 20)
                            + neuron_core_place (core));
  return thread;
}

static void
add_sample (StriaNeuronEmitter *self, guint32 thread, guint32 name, guint32 seq, gint64 ts,
            double percent)
{
  StriaEvent *event;

  if (self->n_events == NEURON_BATCH_EVENTS)
    neuron_flush (self);
  event = &self->events[self->n_events++];
  *event = (StriaEvent){ .ts_ns = ts, .args = STRIA_NO_ARGS, .thread = thread, .seq = seq,
                         .kind = STRIA_EVENT_COUNTER, .name = name, .value = percent };
}

static void
add_counter (StriaNeuronEmitter *self, guint32 core, const NeuronFlops *flops, Share share)
{
  const gboolean so_far = share == HFU_SO_FAR || share == MFU_SO_FAR;
  const gboolean useful = share == MFU || share == MFU_SO_FAR;
  g_autofree char *title = title_of (share, core, flops->width_ns);
  const guint32 name = neuron_intern (self, title);
  const guint32 thread = thread_of (self, share, core, name);
  double sum = 0, before = NAN;

  neuron_unit (self, name, "%");
  for (guint i = 0; i <= flops->n; i++)
    {
      const gint64 ts = flops->start_ns + (gint64) i * flops->width_ns;
      double done = 0, percent;

      if (i < flops->n)
        done = useful ? MAX (flops->flops[i] - flops->transposes[i], 0) : flops->flops[i];
      sum += done;
      percent = 100 * (so_far ? sum / (MIN (i + 1, flops->n)) : done)
                / (self->flops_peak * (double) flops->width_ns);
      /* Equal ones in a row say no more than the first of them. */
      if (i == 0 || i == flops->n || percent < before || percent > before)
        add_sample (self, thread, name, i, ts, percent);
      before = percent;
    }
}

static int
compare_cores (gconstpointer a, gconstpointer b)
{
  return GPOINTER_TO_INT (a) - GPOINTER_TO_INT (b);
}

void
neuron_flops_finish (StriaNeuronEmitter *self)
{
  g_autoptr (GList) cores = NULL;

  /* Without the peak there is nothing to be a share of; the summary says so. */
  if (self->flops == NULL || self->flops_peak <= 0)
    return;
  cores = g_list_sort (g_hash_table_get_keys (self->flops), compare_cores);
  for (GList *l = cores; l != NULL; l = l->next)
    {
      const NeuronFlops *flops = g_hash_table_lookup (self->flops, l->data);
      const guint32 core = GPOINTER_TO_UINT (l->data);

      for (Share share = 0; share < N_SHARES; share++)
        if (flops->n > 0
            && (flops->has_transposes || share == HFU || share == HFU_SO_FAR))
          add_counter (self, core, flops, share);
    }
}
