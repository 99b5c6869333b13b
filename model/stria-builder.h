/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-alloc-private.h"
#include "stria-args.h"
#include "stria-facts.h"
#include "stria-lane-private.h"
#include "stria-notices.h"
#include "stria-records.h"
#include "stria-spill.h"
#include "stria-strings.h"

G_BEGIN_DECLS

/**
 * StriaBuilder:
 *
 * Turns the events of one artifact into lanes: pairs begins with ends, sorts, nests, gives
 * overlaps lanes of their own, binds flows. It is the sink that a decoder writes to. String ids,
 * processes and lanes are the artifact's own until the capture takes the result.
 */
typedef struct _StriaBuilder StriaBuilder;

/* How far a child may outlast its parent and still be drawn inside it (clock rounding). */
#define STRIA_NEST_TOLERANCE_NS 2000

typedef struct
{
  char *key;
  guint32 name;   /* local string id, 0 = none */
  guint32 labels;
  gint64 sort;
  gboolean has_sort; /* those without one stand last */
} StriaBuiltProcess;

typedef struct
{
  StriaLaneBody *body; /* names and categories are local ids */
  guint32 process;
  gboolean is_counted; /* its events are in StriaBuilt.n_by_name, and it should end in a park */
} StriaBuiltLane;

typedef struct
{
  StriaRef from;
  StriaRef to;
  guint32 name;
  guint32 category; /* local string id */
} StriaBuiltFlow;

/* What a builder leaves; arrays are owned. */
typedef struct
{
  StriaStrings *strings;
  GPtrArray *categories; /* local string id of each category index, as pointer */
  GArray *processes;     /* StriaBuiltProcess */
  GArray *lanes;         /* StriaBuiltLane */
  GArray *flows;         /* StriaBuiltFlow */
  guint64 n_unbound_flows;
  guint64 n_events;
  StriaArgs *args;
  StriaAllocBuilder *allocs; /* NULL unless the artifact is a snapshot */
  StriaFacts *facts;         /* or NULL */
  GPtrArray *tables;         /* StriaTable, or NULL */
  GHashTable *meta; /* utf8 -> utf8 */
  GArray *n_by_name;         /* guint64: events of lanes that are counted, by local string id */
  StriaSpill *spill;         /* or NULL */
  gboolean has_base;
  gint64 base_ns;
} StriaBuilt;

StriaBuilder *stria_builder_new (guint artifact, const char *file, StriaNotices *notices);
/* Where its tables go; without one they go to a spill of their own. */
void stria_builder_set_spill (StriaBuilder *self, StriaSpill *spill);
guint stria_builder_get_artifact (StriaBuilder *self);
StriaSink *stria_builder_get_sink (StriaBuilder *self);
StriaBuilder *stria_builder_from_sink (StriaSink *sink);
guint64 stria_builder_get_n_events (StriaBuilder *self);

/* Sorts, nests and binds; frees the builder. Uses all cores. */
StriaBuilt *stria_builder_finish (StriaBuilder *self);
void stria_builder_free (StriaBuilder *self);
void stria_built_free (StriaBuilt *built);

/* Busy bins so far, lane by lane; see stria_capture_get_preview(). Any thread. */
typedef void (*StriaPreviewFunc) (const char *name, const double *busy_ns, guint n_bins,
                                  gpointer user_data);
gboolean stria_builder_preview (StriaBuilder *self, gint64 *t0, gint64 *t1, guint *n_bins,
                                guint64 *n_events, StriaPreviewFunc func, gpointer user_data);

G_END_DECLS
