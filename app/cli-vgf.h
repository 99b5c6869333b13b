/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-json.h"
#include "stria-capture.h"

G_BEGIN_DECLS

/* Whether any artifact of the capture is a VGF, or a program that holds one */
gboolean cli_has_vgfs   (StriaCapture *capture);
/* Version, modules, segments, resources and operators of each: tables to standard output */
void     cli_print_vgfs (StriaCapture *capture);
/* The same as member "vgfs" */
void     cli_json_vgfs  (CliJson *json, StriaCapture *capture);

G_END_DECLS
