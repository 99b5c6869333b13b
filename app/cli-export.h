/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli-common.h"

G_BEGIN_DECLS

/* One event to write, in the order of its file. */
typedef struct
{
  guint32  artifact;
  guint32  seq;
  StriaRef ref;
} CliExportEvent;

/**
 * CliExport:
 * @events: (element-type CliExportEvent): what overlaps [@t0, @t1), by artifact and place in it
 * @t0: only what overlaps the range is written, whole; so is all if @has_range is FALSE
 *
 * What an exporter is given.
 */
typedef struct
{
  StriaCapture *capture;
  StriaTrace   *trace;
  GArray       *events;
  gboolean      has_range;
  gint64        t0;
  gint64        t1;
  GCancellable *cancellable;
  int          *written; /* nullable, atomic: how much of them is written, in thousandths */
} CliExport;

/* Finds the events, in the order of the file, in which arguments are unpacked once and a second import
 * nests alike. */
gboolean cli_export_collect (CliExport *export, GError **error);
/* To be asked before event @i is written. FALSE: cancelled */
gboolean cli_export_next    (const CliExport *export, guint i, GError **error);
/* All events as one table */
gboolean cli_export_csv     (const CliExport *export, FILE *file, GError **error);

/* Whether @event is within the range of @export */
gboolean cli_export_takes    (const CliExport *export, StriaRef ref);
/* Chrome-trace JSON, as other viewers read it */
gboolean cli_export_perfetto (const CliExport *export, FILE *file, GError **error);

G_END_DECLS
