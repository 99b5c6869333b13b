/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-capture.h"

G_BEGIN_DECLS

#define STRIA_TYPE_IMPORTER (stria_importer_get_type ())
G_DECLARE_FINAL_TYPE (StriaImporter, stria_importer, STRIA, IMPORTER, GObject)

typedef enum
{
  STRIA_IMPORT_READING, /* decoding artifacts */
  STRIA_IMPORT_STORING, /* the whole picture is there; the store is being written */
  STRIA_IMPORT_DONE,
} StriaImportPhase;

typedef struct
{
  StriaImportPhase phase;
  guint64 bytes_done;   /* of the files on disk */
  guint64 bytes_total;
  guint64 events;
  double  fraction;     /* of the phase, 0..1 */
  gint64  elapsed_us;
  gint64  remaining_us; /* estimate; -1 if unknown */
} StriaImportProgress;

/**
 * StriaImporter:
 *
 * Fills a capture: opens its store if a sound one is there, else decodes every artifact, one task
 * each on a thread pool, then writes the store. One bad artifact never spoils the others.
 */
StriaImporter *stria_importer_new (StriaCapture *capture);
/* Set before running; default FALSE. @reimport: does not look for a store. @no_store: writes
 * none. */
void           stria_importer_set_reimport (StriaImporter *self, gboolean reimport);
void           stria_importer_set_no_store (StriaImporter *self, gboolean no_store);

/* Blocks until everything is read and stored. FALSE only when cancelled, or when not one artifact
 * could be read (the error is then the first artifact's). */
gboolean stria_importer_run        (StriaImporter *self, GCancellable *cancellable, GError **error);
/* As above on a thread. The picture is complete when the capture's trace has changed for the last
 * time, which is before the call finishes. */
void     stria_importer_run_async  (StriaImporter *self, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean stria_importer_run_finish (StriaImporter *self, GAsyncResult *result, GError **error);

/* Any thread, any time. */
void     stria_importer_get_progress (StriaImporter *self, StriaImportProgress *progress);
/* TRUE if the capture came from a finished store and nothing was decoded */
gboolean stria_importer_was_cached (StriaImporter *self);
/* Microseconds from the start of the run to the complete picture; -1 until then */
gint64   stria_importer_get_picture_us (StriaImporter *self);

G_END_DECLS
