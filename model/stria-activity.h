/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

/**
 * StriaTimes:
 * @busy_ns: at least one slice runs
 * @compute_ns: a kernel that does not communicate
 * @communication_ns: a kernel of a communication library
 * @memory_ns: a copy or a fill
 * @hidden_ns: communication while a kernel computes; the rest of it is exposed
 * @memory_hidden_ns: copies and fills while a kernel runs
 *
 * How long what ran on a device, each time counted once whatever runs at once.
 */
typedef struct
{
  double busy_ns;
  double compute_ns;
  double communication_ns;
  double memory_ns;
  double hidden_ns;
  double memory_hidden_ns;
} StriaTimes;

/**
 * StriaDeviceActivity:
 * @process: number of the trace's process that its streams are in
 * @times: of all of its streams together
 * @n_streams: streams with slices in the range
 * @n_kernels, @n_communications, @n_copies: slices that reach into the range
 */
typedef struct
{
  guint32 process;
  StriaTimes times;
  guint n_streams;
  guint64 n_kernels;
  guint64 n_communications;
  guint64 n_copies;
} StriaDeviceActivity;

typedef struct
{
  guint32 lane;
  guint device; /* index */
  guint64 n_slices;
  StriaTimes times;
} StriaStreamActivity;

/* A step of the profiler, with what ran on a device between its begin and its end: work that was
 * started in a step may run after it. */
typedef struct
{
  guint32 name; /* string id */
  gint64 start_ns;
  gint64 end_ns;
  guint device; /* index */
  StriaTimes times;
} StriaStepActivity;

/**
 * StriaNameActivity:
 * @name: string id
 * @count: slices that reach into the range
 * @total_ns: their time in it; @self_ns: less that of what they called
 */
typedef struct
{
  guint32 name;
  guint64 count;
  gint64 total_ns;
  gint64 self_ns;
} StriaNameActivity;

/**
 * StriaActivity:
 * @start_ns, @end_ns: range that it is of
 * @devices: (element-type StriaDeviceActivity)
 * @streams: (element-type StriaStreamActivity)
 * @steps: (element-type StriaStepActivity): by time, then device
 * @operators: (element-type StriaNameActivity): operators of the framework, by self time
 * @kernels: (element-type StriaNameActivity): by total
 *
 * What accelerators did in a range of a framework's trace.
 */
typedef struct
{
  gint64 start_ns;
  gint64 end_ns;
  GArray *devices;
  GArray *streams;
  GArray *steps;
  GArray *operators;
  GArray *kernels;
} StriaActivity;

/**
 * stria_activity_new:
 * @lanes: (array length=n_lanes) (nullable): lanes that count, NULL for all
 *
 * Tells kernels, copies, operators and steps by their categories, communication by the names that
 * its libraries give their kernels. Loads the lanes it needs: for a worker.
 *
 * Returns: (transfer full) (nullable): NULL with @error
 */
StriaActivity *stria_activity_new  (StriaTrace *trace, const guint32 *lanes, gsize n_lanes,
                                    gint64 start_ns, gint64 end_ns, GCancellable *cancellable,
                                    GError **error);
void           stria_activity_free (StriaActivity *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaActivity, stria_activity_free)

G_END_DECLS
