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
} CliExport;

/* Whether @event is within the range of @export */
gboolean cli_export_takes   (const CliExport *export, StriaRef ref);
/* Chrome-trace JSON, as other viewers read it */
gboolean cli_export_perfetto (const CliExport *export, FILE *file, GError **error);

G_END_DECLS
