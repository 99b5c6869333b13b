/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"
#include "stria-warnings.h"

#include <glib/gi18n-lib.h>

#define OWN_RULE                                                                                   \
  N_ ("Stria’s own rule: no published threshold is known. It can be changed in the list "                      \
      "of warnings.")

static const StriaWarningInfo infos[STRIA_WARNING_N_RULES] = {
  [STRIA_WARNING_SMALL_DMA] = {
    .id = "small-dma",
    .title = N_ ("Small DMA transfers"),
    .rule = N_ ("16 or more small transfers of hardware-dynamic DMA (of all DMA where the file "
                "does "
                "not say which) with less than 5 µs between them, that are at least half of all in "
                "the stretch"),
    .source = N_ ("4 KiB: Neuron Explorer’s advice for the contiguous payload of a descriptor; its "
                  "glossary aims at 32 KiB on average. How many make a stretch is Stria’s own "
                  "rule."),
    .advice = N_ ("Make payloads contiguous and at least 4 KiB: put small tensors together, and "
                  "lay "
                  "out what is loaded so that a partition’s bytes lie in one piece."),
    .limit_name = N_ ("Small is below"),
    .unit = STRIA_LIMIT_BYTES,
    .limit = 4096,
    .least = 1,
    .most = 1 << 30,
  },
  [STRIA_WARNING_THROTTLING] = {
    .id = "throttling",
    .title = N_ ("Throttling"),
    .rule = N_ ("The device limits utilisation to k/n: the share 1 − k/n is above the threshold"),
    .source = N_ ("0 %: Neuron Explorer warns of any throttling"),
    .advice = N_ ("Bursts that begin from idle are held near half speed and ramp up over some 3 "
                  "µs: "
                  "keep the tensor engine fed evenly. Lasting throttling comes from sustained "
                  "power: "
                  "judge it by the share of active time that was throttled."),
    .limit_name = N_ ("Throttled by more than"),
    .unit = STRIA_LIMIT_PERCENT,
    .limit = 0,
    .least = 0,
    .most = 99,
  },
  [STRIA_WARNING_IDLE_ENGINES] = {
    .id = "idle-engines",
    .title = N_ ("Idle engines"),
    .rule = N_ ("No instruction ran on any engine of the profile, waits for semaphores left out, "
                "for "
                "at least the threshold, between its first and its last instruction"),
    .source = OWN_RULE,
    .advice = N_ ("Where DMA is busy the engines wait for data: load earlier, or less. Where it is "
                  "not, they wait for the host, for a collective, or for each other."),
    .limit_name = N_ ("Idle for at least"),
    .unit = STRIA_LIMIT_NS,
    .limit = 10000,
    .least = 100,
    .most = 1e12,
  },
  [STRIA_WARNING_SPILLS] = {
    .id = "spills",
    .title = N_ ("Spills"),
    .rule = N_ ("Transfers to or from the memory for spills (VIRTUAL) with less than 10 µs between "
                "them, whose bytes are more than the threshold’s share of all bytes moved "
                "meanwhile"),
    .source = N_ ("25 %: Neuron Explorer warns when more of what is read from HBM are reloads of "
                  "spills. "
                  "Looking at stretches is Stria’s own rule."),
    .advice = N_ ("The working set does not fit the state buffer: smaller tiles, fewer live "
                  "tensors, or "
                  "another order of operators."),
    .limit_name = N_ ("Share of bytes above"),
    .unit = STRIA_LIMIT_PERCENT,
    .limit = 25,
    .least = 0,
    .most = 99,
  },
  [STRIA_WARNING_GPU_IDLE] = {
    .id = "gpu-idle",
    .title = N_ ("GPU idle between kernels"),
    .rule = N_ ("No kernel, copy or fill ran on any stream of the device for at least the "
                "threshold, "
                "between its first and its last kernel"),
    .source = OWN_RULE,
    .advice = N_ ("The host does not launch fast enough, or waits: look at the threads above the "
                  "gap for "
                  "synchronisation, data loading and many small operators; CUDA graphs and "
                  "larger batches "
                  "help."),
    .limit_name = N_ ("Idle for at least"),
    .unit = STRIA_LIMIT_NS,
    .limit = 100000,
    .least = 100,
    .most = 1e12,
  },
  [STRIA_WARNING_HOST_SYNC] = {
    .id = "host-sync",
    .title = N_ ("Long wait of the host"),
    .rule = N_ ("A call of the device’s runtime whose name says “Synchronize”, or a blocking copy "
                "(cudaMemcpy, hipMemcpy), lasts at least the threshold"),
    .source = OWN_RULE,
    .advice = N_ ("While the host waits it launches nothing. Avoid .item(), .cpu(), printing and "
                  "non-pinned copies in the step; use non_blocking=True."),
    .limit_name = N_ ("Waits for at least"),
    .unit = STRIA_LIMIT_NS,
    .limit = 1000000,
    .least = 100,
    .most = 1e12,
  },
  [STRIA_WARNING_SMALL_COPIES] = {
    .id = "small-copies",
    .title = N_ ("Small memory copies"),
    .rule = N_ ("4 or more small copies of a device with less than 100 µs between them, that are "
                "at least "
                "half of all in the stretch"),
    .source = OWN_RULE,
    .advice = N_ ("Each copy costs some microseconds whatever its size: put them together, or "
                  "keep the "
                  "values on the device."),
    .limit_name = N_ ("Small is below"),
    .unit = STRIA_LIMIT_BYTES,
    .limit = 65536,
    .least = 1,
    .most = 1 << 30,
  },
  [STRIA_WARNING_FILE] = {
    .id = "file",
    .title = N_ ("Warning of the file"),
    .rule = N_ ("A row of the export’s table “Warning”"),
    .source = N_ ("Written by the program that processed the profile"),
    .advice = N_ ("Read these first: what is missing in the profile is missing in every view of "
                  "it."),
    .limit_name = "",
    .unit = STRIA_LIMIT_NONE,
  },
};

const StriaWarningInfo *
stria_warning_info (StriaWarningRule rule)
{
  g_return_val_if_fail (rule < STRIA_WARNING_N_RULES, NULL);

  return &infos[rule];
}

char *
stria_warning_format_limit (StriaWarningRule rule, double limit)
{
  switch (infos[rule].unit)
    {
    case STRIA_LIMIT_BYTES:
      return stria_format_bytes ((gint64) limit);
    case STRIA_LIMIT_NS:
      return stria_format_duration ((gint64) limit, 4);
    case STRIA_LIMIT_PERCENT:
      return stria_format_percent (limit / 100);
    case STRIA_LIMIT_NONE:
    default:
      return g_strdup ("");
    }
}
