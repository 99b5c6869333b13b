/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-pair-private.h"

#include <glib/gi18n-lib.h>

/* What was met in one group of a process or session. */
typedef struct
{
  guint n_roles[STRIA_ROLE_OTHER + 1];
  guint n_idle;
  guint n_devices;
} Seen;

static void
look (StriaPairing *self, Seen *seen)
{
  for (guint i = 0; i < self->n_members; i++)
    seen[self->members[i].group].n_roles[self->members[i].role]++;
  for (guint g = 0; g < stria_capture_tree_size (self->tree); g++)
    {
      const StriaFiles *group = stria_capture_tree_get (self->tree, g);

      if (group->kind != STRIA_FILES_DEVICE)
        continue;
      seen[group->parent].n_devices++;
      seen[group->parent].n_idle += group->state == STRIA_FILES_IDLE;
    }
}

static void
say (StriaPairing *self, guint group, const Seen *seen)
{
  const guint *n = seen->n_roles;
  gboolean has_pb
      = n[STRIA_ROLE_NTRACE] + n[STRIA_ROLE_CPU] + n[STRIA_ROLE_MEMORY] + n[STRIA_ROLE_TRACE_INFO];

  if (!has_pb && seen->n_devices == 0)
    return;
  if (has_pb && n[STRIA_ROLE_TRACE_INFO] == 0)
    stria_capture_tree_add_lack (
        self->tree, group, "no-trace-info",
        _ ("trace_info.pb is not there: counts, clocks and names of the other .pb files can't be "
           "checked"),
        _ ("Copy it from where the capture was written; it is made when profiling stops"));
  if (!has_pb)
    stria_capture_tree_add_lack (self->tree, group, "no-system-profile",
                                 _ ("No system profile: no runtime and hardware events"),
                                 "NEURON_RT_INSPECT_SYSTEM_PROFILE=1");
  else if (n[STRIA_ROLE_NTRACE] == 0)
    stria_capture_tree_add_lack (self->tree, group, "no-ntrace",
                                 _ ("ntrace.pb is not there: no runtime and hardware events"),
                                 "NEURON_RT_INSPECT_SYSTEM_PROFILE=1");
  if (has_pb && n[STRIA_ROLE_CPU] == 0)
    stria_capture_tree_add_lack (self->tree, group, "no-cpu-util",
                                 _ ("No processor use of the host"),
                                 "NEURON_RT_INSPECT_CPU_UTIL=1");
  if (has_pb && n[STRIA_ROLE_MEMORY] == 0)
    stria_capture_tree_add_lack (self->tree, group, "no-host-mem", _ ("No memory use of the host"),
                                 "NEURON_RT_INSPECT_HOST_MEMORY=1");
  if (has_pb && n[STRIA_ROLE_FRAMEWORK] == 0)
    stria_capture_tree_add_lack (self->tree, group, "no-framework",
                                 _ ("No trace of the framework: no operators of PyTorch or JAX"),
                                 _ ("Export trace.json into the folder of the process"));
  if (seen->n_devices == 0)
    stria_capture_tree_add_lack (self->tree, group, "no-device-profile",
                                 _ ("No device profile: no instructions and no DMA"),
                                 "NEURON_RT_INSPECT_DEVICE_PROFILE=1");
  else if (seen->n_devices == seen->n_idle)
    stria_capture_tree_add_lack (
        self->tree, group, "all-idle",
        _ ("Every device profile is empty: nothing ran while it was taken"),
        _ ("Profile after a few warm-up iterations, with NEURON_RT_NUM_CORES as in the job"));
}

void
stria_pair_find_lacks (StriaPairing *self)
{
  guint n = stria_capture_tree_size (self->tree);
  g_autofree Seen *seen = g_new0 (Seen, MAX (n, 1));

  look (self, seen);
  for (guint g = 0; g < n; g++)
    say (self, g, &seen[g]);
}
