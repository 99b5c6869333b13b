/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * StriaAgreement:
 * @exported: title of the processed profile
 * @raw: name of the device profile that it was made from
 * @exported_group: number of the processed profile in the capture's tree
 * @by_name: the export's name says which profile it is; else both are the only ones
 * @engine: engine in lower case, or NULL for all together
 * @n_raw: instructions in the raw file
 * @n_exported: instructions in the export
 * @span_raw_ns: from the first start to the last end; only of all together
 * @span_exported_ns: the same in the export
 *
 * A figure that a raw file and an export of the same profile both have.
 */
typedef struct
{
  char *exported;
  char *raw;
  guint exported_group;
  gboolean by_name;
  char *engine;
  guint64 n_raw;
  guint64 n_exported;
  gint64 span_raw_ns;
  gint64 span_exported_ns;
} StriaAgreement;

/**
 * stria_neuron_agreement:
 *
 * Compares exports with the raw device profiles that they were made from, where both are in the capture:
 * since the raw format is recovered and not published, agreement is the proof that it is read well. Reads
 * columns: for a worker.
 *
 * Returns: (transfer full) (element-type StriaAgreement): all engines of a pair, then the whole
 */
GPtrArray *stria_neuron_agreement (StriaCapture *capture, GCancellable *cancellable);

G_END_DECLS
