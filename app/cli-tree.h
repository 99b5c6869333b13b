/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-json.h"
#include "stria-capture.h"

G_BEGIN_DECLS

/* How the files of a Neuron capture belong together, and what it lacks; nothing for other captures:
 * to standard output, or as member "tree" */
void cli_print_tree (StriaCapture *capture);
void cli_json_tree  (CliJson *json, StriaCapture *capture);
/* Where exports and raw files of a profile agree and where not; as member "agreement" */
void cli_print_agreement (StriaCapture *capture);
void cli_json_agreement  (CliJson *json, StriaCapture *capture);

G_END_DECLS
