/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-export.h"
#include "stria-trace-export.h"

G_BEGIN_DECLS

/* Writes the events of @export as CSV into @folder: slices, instants, counters and arrows, and what is
 * drawn of rows of a table into a file of the table's name. */
gboolean stria_trace_export_tables (const CliExport *export, const char *folder, guint pixels,
                                    int *fraction, StriaTraceExported *exported, GError **error);

G_END_DECLS
