/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"

G_BEGIN_DECLS

/* Writes all tables of that name as one: by artifact, with the columns of each, and with one that
 * says which artifact if there are several.
 * @format: "parquet", "csv" or "json". Returns: exit code; what is wrong was told */
CliExit cli_export_table (CliContext *context, const char *table, const char *format,
                          const char *output);

G_END_DECLS
