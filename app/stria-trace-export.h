/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-session.h"
#include "stria-timeline-picture.h"

G_BEGIN_DECLS

typedef enum
{
  STRIA_TRACE_EXPORT_TABLES,  /* CSV, one file a table, in a new folder */
  STRIA_TRACE_EXPORT_CHROME,  /* Chrome-trace JSON */
  STRIA_TRACE_EXPORT_PICTURE, /* PNG, SVG or PDF, by the name */
} StriaTraceExportWhat;

/**
 * StriaTraceExport:
 * @what: what is written
 * @path: the file, or for tables the folder in which a new one is made
 * @has_range: whether only what overlaps [@t0, @t1) is written
 * @pixels: of tables: at most one slice, the longest, and one sample, the last, a row and pixel of the
 *   range, if it is this many wide; 0: all
 * @all_lanes: of pictures: not only those in sight
 *
 * What is to be written of a trace.
 */
typedef struct
{
  StriaTraceExportWhat what;
  char    *path;
  gboolean has_range;
  gint64   t0;
  gint64   t1;
  guint    pixels;
  gboolean all_lanes;
} StriaTraceExport;

/**
 * StriaTraceExported:
 * @path: what was written: a file, or a file of the folder that was made
 * @n_events: events that were written
 * @n_all: events of the range
 * @n_files: files
 */
typedef struct
{
  char   *path;
  guint64 n_events;
  guint64 n_all;
  guint   n_files;
} StriaTraceExported;

/* Writes on a worker. @picture: (transfer full) (nullable): of pictures. @fraction: set while it is
 * written, to thousandths; outlives the call. */
void                stria_trace_export_async  (StriaSession *session, const StriaTraceExport *export,
                                               StriaTimelinePicture *picture, int *fraction,
                                               GCancellable *cancellable,
                                               GAsyncReadyCallback callback, gpointer user_data);
StriaTraceExported *stria_trace_export_finish (GAsyncResult *result, GError **error);
void                stria_trace_exported_free (StriaTraceExported *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaTraceExported, stria_trace_exported_free)

G_END_DECLS
