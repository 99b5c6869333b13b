/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-json.h"
#include "stria-capture.h"

G_BEGIN_DECLS

/* Whether any artifact of the capture is an ExecuTorch program */
gboolean cli_has_programs   (StriaCapture *capture);
/* Plans, delegates, operators and sizes of each program: tables to standard output */
void     cli_print_programs (StriaCapture *capture);
/* The same as member "programs" */
void     cli_json_programs  (CliJson *json, StriaCapture *capture);

G_END_DECLS
