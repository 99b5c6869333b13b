/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-builder.h"
#include "stria-capture.h"
#include "stria-trace-private.h"

G_BEGIN_DECLS

/* What one artifact gave, in the capture's own ids. */
typedef struct
{
  guint artifact;
  GArray *processes; /* StriaProcess */
  GPtrArray *bodies; /* StriaLaneBody */
  guint32 *lane_process;
  GArray *flows; /* StriaFlow; lane numbers are the part's own */
  guint64 unbound_flows;
  guint64 n_events;
  guint32 *name_ids;    /* strings that the artifact has */
  guint64 *name_counts; /* events by these, counters left out */
  guint32 n_name_counts;
  StriaSnapshotData *snapshot; /* or NULL */
  StriaFacts *facts;           /* or NULL */
  GPtrArray *tables;           /* StriaTable, or NULL */
  StriaArgs *args;
  GHashTable *meta;
  gboolean has_base;
  gboolean is_floating; /* its clock is its own; it waits for stria_capture_settle() */
  gint64 base_ns;
  gint64 shift_ns; /* what was added to the file's times to get the capture's */
} StriaPart;

struct _StriaCapture
{
  GObject parent_instance;

  char *path;
  char *title;
  GListStore *artifacts;
  GPtrArray *artifact_array;
  StriaNotices *notices;
  StriaCaptureTree *tree; /* or NULL */
  char *key;

  GMutex mutex; /* everything below */
  StriaStrings *strings;
  GPtrArray *categories;    /* utf8 */
  GHashTable *category_ids; /* utf8 -> index + 1 */
  GPtrArray *parts;         /* StriaPart, by artifact number, may hold NULL */
  gboolean has_base;
  gint64 base_ns;
  GPtrArray *open_builders; /* StriaBuilder, being filled */
  StriaSpill *spill;        /* of all tables that are being read */
  StriaTrace *trace;
  guint64 composed_serial; /* number of the last trace that was made, and of the one in place */
  guint64 taken_serial;
  gboolean is_stale;       /* there are parts that the last trace lacks */
  gint64 next_compose_us;  /* monotonic time before which no artifact makes another one */
  char *store_path;
};

/* stria-capture-part.c: what an artifact gave, in the capture's ids. Takes the mutex. */
StriaPart *stria_part_new (StriaCapture *self, guint artifact, StriaBuilt *built);
void stria_part_free (gpointer part);
/* Of lanes that no trace has had yet */
void stria_part_shift (StriaLaneBody *body, gint64 shift);
guint16 stria_capture_category_index (StriaCapture *self, const char *name);
/* stria-capture-compose.c: a trace of all parts there are, by artifact. Under the mutex. */
StriaTrace *stria_capture_compose (StriaCapture *self);

/* Replaces the trace; "trace-changed" follows on the main context. */
void stria_capture_take_trace (StriaCapture *self, StriaTrace *trace);

/* stria-store-reader.c */
gboolean stria_store_read (StriaCapture *self, const char *path, GError **error);
/* stria-store-writer.c */
gboolean stria_store_write (StriaCapture *self, const char *path, GCancellable *cancellable,
                            StriaProgressFunc progress, gpointer user_data, GError **error);

/* Version of data/schema.sql; stores of another one are made again. */
#define STRIA_SCHEMA_VERSION 6
#define STRIA_STORE_APPLICATION_ID 0x53545249 /* "STRI" */

G_END_DECLS
