/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-activity.h"
#include "stria-bounds.h"
#include "stria-neuron-groups.h"
#include "stria-neuron-system-summary.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_SUMMARY_TRACE,  /* of a framework: what ran on its devices */
  STRIA_SUMMARY_DEVICE, /* one Neuron device profile */
  STRIA_SUMMARY_SYSTEM, /* Neuron system profiles */
} StriaSummarySubject;

/**
 * StriaSummaryRequest:
 * @capture: what it is about
 * @trace: (nullable): as read so far
 * @subject: what is summed up
 * @artifact: of a device profile
 * @core: physical core, -1: all, -2: the first one if there are several
 * @has_range: only [@t0, @t1) counts
 * @lanes: (nullable): (element-type guint32): lanes that count
 *
 * What is to be summed up.
 */
typedef struct
{
  StriaCapture *capture;
  StriaTrace *trace;
  StriaSummarySubject subject;
  guint artifact;
  gint64 core;
  gboolean has_range;
  gint64 t0;
  gint64 t1;
  GArray *lanes;
} StriaSummaryRequest;

/* @core: the one that was taken; of one subject, only its own members are there */
typedef struct
{
  StriaSummarySubject subject;
  GArray *cores;   /* gint64 */
  gint64 core;
  gboolean is_part;
  GArray *metrics; /* StriaNeuronMetric */
  StriaNeuronGroups *groups;
  GPtrArray *insights; /* StriaInsight */
  StriaBounds bounds;
  StriaTrace *trace;
  StriaActivity *activity;
  StriaSystemSummary *system;
} StriaSummaryFigures;

StriaSummaryRequest *stria_summary_request_copy (const StriaSummaryRequest *self);
void                 stria_summary_request_free (StriaSummaryRequest *self);
/* Reads whole columns and lanes: for a worker.
 * Returns: (transfer full) (nullable): NULL with @error */
StriaSummaryFigures *stria_summary_figures_make (const StriaSummaryRequest *request,
                                                 GCancellable *cancellable, GError **error);
void                 stria_summary_figures_free (StriaSummaryFigures *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSummaryRequest, stria_summary_request_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaSummaryFigures, stria_summary_figures_free)

G_END_DECLS
