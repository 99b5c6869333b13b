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

G_END_DECLS
