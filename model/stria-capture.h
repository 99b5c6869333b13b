/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <gio/gio.h>

#include "stria-allocator.h"
#include "stria-artifact.h"
#include "stria-capture-tree.h"
#include "stria-facts.h"
#include "stria-notices.h"
#include "stria-records.h"
#include "stria-table.h"
#include "stria-trace.h"

G_BEGIN_DECLS

#define STRIA_TYPE_CAPTURE (stria_capture_get_type ())
G_DECLARE_FINAL_TYPE (StriaCapture, stria_capture, STRIA, CAPTURE, GObject)

/**
 * StriaCapture:
 *
 * What a person opened: a list of artifacts, what has been read of them, and the store behind it.
 * The scan (decoders/) makes it, the importer (decoders/) fills it, views ask it.
 *
 * Signals: "trace-changed" (a new #StriaTrace is there). Emitted on the main context.
 */
StriaCapture *stria_capture_new           (const char *path);
/* The file or folder that was opened, and a short title for windows */
const char   *stria_capture_get_path      (StriaCapture *self);
const char   *stria_capture_get_title     (StriaCapture *self);

void          stria_capture_add_artifact  (StriaCapture *self, StriaArtifact *artifact);
guint         stria_capture_get_n_artifacts (StriaCapture *self);
/* Returns: (transfer none) */
StriaArtifact *stria_capture_get_artifact (StriaCapture *self, guint i);
/* Returns: (transfer none): a list model of the artifacts, for the main thread */
GListModel   *stria_capture_get_artifacts (StriaCapture *self);
StriaNotices *stria_capture_get_notices   (StriaCapture *self);
/* How the files of a Neuron capture belong together; set once, by the scan.
 * Returns: (transfer none) (nullable): NULL for captures of other kinds */
StriaCaptureTree *stria_capture_get_tree  (StriaCapture *self);
void          stria_capture_set_tree      (StriaCapture *self, StriaCaptureTree *tree);

/* Returns: (transfer full) (nullable): the trace as read so far, from any thread */
StriaTrace   *stria_capture_ref_trace     (StriaCapture *self);

/* Allocator snapshots that were read so far, by artifact; any thread.
 * Returns: (transfer full) (element-type StriaSnapshotData) */
GPtrArray    *stria_capture_get_snapshots (StriaCapture *self);

StriaFacts   *stria_capture_ref_facts     (StriaCapture *self, guint artifact);

/* Tables of rows that were read so far, by artifact, in the order of the file; any thread.
 * Returns: (transfer full) (element-type StriaTable) */
GPtrArray    *stria_capture_get_tables    (StriaCapture *self);
/* The table of that name (compared without case) of an artifact.
 * Returns: (transfer full) (nullable) */
StriaTable   *stria_capture_find_table    (StriaCapture *self, guint artifact, const char *name);

/* A sink for artifact number @artifact, for one decoder on one thread. */
StriaSink    *stria_capture_open_sink     (StriaCapture *self, guint artifact);
/* Sorts, nests, binds and publishes what the sink took; frees it. @complete: FALSE when decoding
 * stopped early, what was read stays. Returns the number of events taken. */
guint64       stria_capture_close_sink    (StriaCapture *self, StriaSink *sink, gboolean complete);

/* To be called when all artifacts have been read: when many end one after another, not each makes a new
 * trace, and this makes the last one. Profiles that count from their own start and do not say when that
 * was are put where the rest of the capture begins, with a notice that says so. */
void          stria_capture_settle        (StriaCapture *self);

/* Facts about the artifact as JSON text by key (distributedInfo, deviceProperties, ...).
 * Returns: (transfer full) (element-type utf8 utf8) */
GHashTable   *stria_capture_get_meta      (StriaCapture *self, guint artifact);

/* Density of what was read so far, for the picture during an import: any thread.
 * Returns: number of lanes copied; each has @n_bins busy shares 0..1 over [*t0,*t1). */
typedef struct
{
  char  *name;
  float *bins;
} StriaPreviewLane;
typedef struct
{
  gint64            t0;
  gint64            t1;
  guint             n_bins;
  guint             n_lanes;
  StriaPreviewLane *lanes;
  guint64           n_events;
} StriaPreview;
StriaPreview *stria_capture_get_preview   (StriaCapture *self);
void          stria_preview_free          (StriaPreview *preview);

/* The store. Key: 64 hexadecimal digits from names, sizes, times and digests of the artifacts and
 * the schema version. */
const char   *stria_capture_get_key       (StriaCapture *self);
/* Opens the finished store of this capture if there is a sound one; then nothing needs importing. */
gboolean      stria_capture_open_store    (StriaCapture *self, GError **error);
/* Writes everything to a new store and puts it in place: blocks; for a worker. @progress (0..1). */
typedef void (*StriaProgressFunc) (double fraction, gpointer user_data);
gboolean      stria_capture_write_store   (StriaCapture *self, GCancellable *cancellable,
                                           StriaProgressFunc progress, gpointer user_data,
                                           GError **error);
/* Path of the finished store, or NULL. Returns: (transfer full) */
char         *stria_capture_dup_store_path (StriaCapture *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPreview, stria_preview_free)

G_END_DECLS
