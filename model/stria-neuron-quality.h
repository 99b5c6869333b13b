/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

/**
 * StriaQuality:
 * @artifact: the file that it is of; %G_MAXUINT if several files have the name
 * @severity: how much it matters to what is shown
 * @text: translated: what is missing or partial, with figures
 * @source: what the figures were made from
 * @remedy: (nullable): translated: the capture or compile setting that brings it
 *
 * How good the data of a Neuron profile is.
 */
typedef struct
{
  guint artifact;
  StriaSeverity severity;
  char *text;
  char *source;
  char *remedy;
} StriaQuality;

/**
 * stria_neuron_quality:
 *
 * What is missing or partial in the profiles of a capture, and what brings it: records that were lost,
 * instructions that lead to no layer or line, DMA traffic that no transfers stand for. What is whole has no
 * row. Reads columns: for a worker.
 *
 * Returns: (transfer full) (element-type StriaQuality)
 */
GPtrArray *stria_neuron_quality (StriaCapture *capture, GCancellable *cancellable);

G_END_DECLS
