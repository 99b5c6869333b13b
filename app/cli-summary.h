/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-json.h"

G_BEGIN_DECLS

/* Metrics of a device profile (element-type StriaNeuronMetric) as a table with a title */
void cli_print_metrics (const char *title, GArray *metrics);
/* A member "metrics" of the open object */
void cli_json_metrics  (CliJson *json, GArray *metrics);

G_END_DECLS
