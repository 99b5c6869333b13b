/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"

G_BEGIN_DECLS

/* The tables of rows that a capture has: nothing if there are none */
void cli_print_tables (StriaCapture *capture);
/* A member "tables" of the open object, if there are any */
void cli_json_tables  (CliJson *json, StriaCapture *capture);

/* Metrics of the device profiles among them, made from rows, beside those that the file has */
gboolean cli_print_summaries (StriaCapture *capture, GCancellable *cancellable, GError **error);
/* A member "summaries" of the open object, if there are tables */
gboolean cli_json_summaries  (CliJson *json, StriaCapture *capture, GCancellable *cancellable,
                              GError **error);

G_END_DECLS
