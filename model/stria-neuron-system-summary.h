/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-neuron-summary.h"

G_BEGIN_DECLS

/* Device profiles whose metrics a system summary lists; making them reads all of their rows. */
#define STRIA_SYSTEM_MAX_DEVICES 16

/**
 * StriaSystemDevice:
 * @title: of the device profile
 * @metrics: (element-type StriaNeuronMetric): of all of its time
 */
typedef struct
{
  char *title;
  GArray *metrics;
} StriaSystemDevice;

/**
 * StriaSystemMemory:
 * @instance: node; @device: its accelerator; @stack: memory of that
 * @peak_bytes: largest sample; @last_bytes: the last one
 */
typedef struct
{
  char *instance;
  gint64 device;
  gint64 stack;
  gint64 peak_bytes;
  gint64 last_bytes;
  gint64 last_ts;
} StriaSystemMemory;

/**
 * StriaSystemSummary:
 * @n_events: rows of SystemProfileEvents that count
 * @n_instances: instances that they name; @n_processes: pairs of instance and process
 * @has_span: whether any has a time; @span_ns: from the first begin to the last end
 * @n_runs: events "nc_exec_running"; @run_ns: sum of their durations
 * @n_devices: device profiles of the capture; @devices: (element-type StriaSystemDevice): the first
 *   of them
 * @memory: (element-type StriaSystemMemory)
 */
typedef struct
{
  guint64 n_events;
  guint n_instances;
  guint n_processes;
  gboolean has_span;
  double span_ns;
  guint64 n_runs;
  double run_ns;
  guint n_devices;
  GPtrArray *devices;
  GPtrArray *memory;
} StriaSystemSummary;

/* Tables of all system profiles of a capture. Returns: (transfer full) (element-type StriaTable) */
GPtrArray          *stria_system_summary_tables (StriaCapture *capture);
/**
 * stria_system_summary_new:
 * @scope: (nullable): what of the system's rows counts; device profiles are taken whole
 *
 * Reads whole columns: for a worker.
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaSystemSummary *stria_system_summary_new  (StriaCapture *capture,
                                               const StriaSummaryScope *scope,
                                               GCancellable *cancellable, GError **error);
void                stria_system_summary_free (StriaSystemSummary *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSystemSummary, stria_system_summary_free)

G_END_DECLS
