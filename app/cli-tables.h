/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"

G_BEGIN_DECLS

/* The tables of rows that a capture has: nothing if there are none */
void cli_print_tables (StriaCapture *capture);
/* A member "tables" of the open object, if there are any */
void cli_json_tables  (CliJson *json, StriaCapture *capture);

G_END_DECLS
