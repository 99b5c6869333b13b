/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"
#include "stria-summary-scope.h"

G_BEGIN_DECLS

/**
 * StriaNeuronMetric:
 * @name: as the Summary table calls it; of those that it does not have, a name of ours
 * @unit: of both values; "of 1" for shares
 * @formula: what it is made of, untranslated
 * @has_value: whether its inputs are there
 * @value: made from the rows
 * @missing: (nullable): what it needs that is not there
 * @has_reported: whether the file has a Summary row with it
 * @reported: what that says, shares as a part of 1
 *
 * One metric of a device profile.
 */
typedef struct
{
  const char *name;
  const char *unit;
  const char *formula;
  gboolean    has_value;
  double      value;
  const char *missing;
  gboolean    has_reported;
  double      reported;
} StriaNeuronMetric;

/**
 * stria_neuron_summary_tables:
 * @artifact: number of an artifact of the capture
 *
 * The tables that are of the same device profile: those of the artifact, and of a folder of Parquet
 * files those of the files beside it.
 *
 * Returns: (transfer full) (element-type StriaTable)
 */
GPtrArray *stria_neuron_summary_tables (StriaCapture *capture, guint artifact);

/**
 * stria_neuron_summary:
 * @tables: (element-type StriaTable): of one device profile
 * @error: %G_IO_ERROR_CANCELLED, or why a table could not be loaded
 *
 * Makes the metrics from rows by the published formulas. Reads whole columns: for a worker.
 *
 * Returns: (transfer full) (element-type StriaNeuronMetric) (nullable): those that can be made or
 * were reported; empty if the tables are of no device profile
 */
GArray    *stria_neuron_summary        (GPtrArray *tables, GCancellable *cancellable,
                                        GError **error);
/**
 * stria_neuron_summary_of:
 * @scope: (nullable): what counts, NULL for everything
 *
 * The same of a part of the time, of a core or of chosen lanes. What the file's own Summary says
 * is of everything, and is left out then.
 *
 * Returns: (transfer full) (element-type StriaNeuronMetric) (nullable): NULL with @error
 */
GArray    *stria_neuron_summary_of     (GPtrArray *tables, const StriaSummaryScope *scope,
                                        GCancellable *cancellable, GError **error);
/* Returns: (transfer none) (nullable): the metric of that name */
const StriaNeuronMetric *stria_neuron_metric_find (GArray *metrics, const char *name);
/* What the rows say of it, else what the file says. FALSE: neither */
gboolean   stria_neuron_metric_get     (GArray *metrics, const char *name, double *value);
/* Names of the other metrics in its formula with their values and units, as lines of text for
 * people ("dma_active_time = 201 ns"). Returns: (transfer full): "" if there are none */
char      *stria_neuron_metric_inputs  (GArray *metrics, const StriaNeuronMetric *metric);
/* A value of a unit that metrics have, for people. Returns: (transfer full) */
char      *stria_neuron_metric_format  (double value, const char *unit);

/**
 * StriaNeuronProfile:
 * @title: name of the file or folder
 * @artifact: one of its artifacts, for stria_neuron_summary_tables()
 *
 * A device profile of a capture.
 */
typedef struct
{
  char *title;
  guint artifact;
} StriaNeuronProfile;

/* Device profiles that have rows, each once. Looks at names only.
 * Returns: (transfer full) (element-type StriaNeuronProfile) */
GPtrArray *stria_neuron_profiles       (StriaCapture *capture);
/* Physical cores that a profile's rows name, in order: reads a column, for a worker.
 * Returns: (transfer full) (element-type gint64) (nullable): NULL with @error */
GArray    *stria_neuron_summary_cores  (GPtrArray *tables, GCancellable *cancellable,
                                        GError **error);

G_END_DECLS
