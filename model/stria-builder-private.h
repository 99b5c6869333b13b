/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-builder.h"
#include "stria-density.h"
#include "stria-table.h"

G_BEGIN_DECLS

/* Events of a thread as they arrive, in file order. Those of tables go to a park whenever there are
 * %STRIA_PACK_EVENTS of them. */
typedef struct
{
  StriaColumns c; /* those that are in memory; no parents */
  gsize capacity;
  gboolean is_counter;
  StriaPark *park;    /* the ones before, or NULL */
  gboolean is_uneven; /* those in the park are not in order, or one lies in or over another */
  gint64 last_start;  /* of the park */
  gint64 last_end;
} StriaStaged;

typedef struct
{
  guint32 process;
  char *key;
  guint32 name;
  gint64 sort;
  gboolean has_sort;
  StriaStaged slices;
  StriaStaged instants;
  GArray *marks; /* StriaEvent: begins and ends */
  gboolean has_flows;
  gboolean is_table; /* its events are the rows of a table */
  StriaDensity *density;

  /* After nesting: where each staged slice went. */
  guint32 *place;     /* index in its lane */
  guint8 *place_lane; /* 0 = slices, 1 = annotations, 2 = overflow */
  guint32 lanes[3];   /* numbers in the result, G_MAXUINT32 = none */
  StriaLaneBody *bodies[4]; /* slices, annotations, overflow, instants */
} StriaStagedThread;

typedef struct
{
  guint32 process;
  guint32 name;
  guint32 series;
  guint32 thread;  /* of the first sample */
  StriaStaged samples;
} StriaStagedCounter;

struct _StriaBuilder
{
  StriaSink sink; /* first: a sink is its builder */
  guint artifact;
  char *file;
  StriaNotices *notices;
  StriaStrings *strings;
  GHashTable *repaired; /* id of a text that is not UTF-8 -> id of its repair + 1; or NULL */
  StriaArgs *args;
  StriaAllocBuilder *allocs;
  StriaFacts *facts;
  StriaSpill *spill;
  GPtrArray *tables; /* StriaTableBuilder, or NULL */
  GHashTable *meta;
  gboolean has_base;
  gint64 base_ns;

  GMutex mutex; /* threads, their names and densities against the preview */
  GPtrArray *processes; /* StriaBuiltProcess */
  GPtrArray *threads;   /* StriaStagedThread */
  GHashTable *process_ids; /* key text -> id + 1 */
  GHashTable *thread_ids;  /* process \x1f key -> id + 1 */
  GPtrArray *counters;
  GHashTable *counter_ids; /* StriaStagedCounter by its three ids */
  GHashTable *counter_units; /* name -> unit, string ids; or NULL */
  GPtrArray *async;   /* GArray of StriaEvent, by process */
  GArray *flows;      /* StriaEvent */
  guint16 *category_of; /* category index + 1 by string id */
  gsize category_capacity;
  GPtrArray *categories; /* string id of each category */
  guint64 n_events;
  GMutex nest_mutex;
  GCond nest_cond;
  guint64 n_nesting; /* slices */
  GArray *n_by_name; /* guint64: events in parks, by string id; counters do not count */
};

void stria_staged_add (StriaStaged *self, const StriaEvent *event, guint16 category);
void stria_staged_clear (StriaStaged *self);
/* Moves what is in memory to the park. */
void stria_staged_spill (StriaBuilder *self, StriaStaged *staged);
/* Brings a column of a park into memory, all of it; the others stay where they are. */
void stria_staged_need (StriaStaged *self, StriaColumnNumber column);
/* Index of a category; counts a notice when there are more than 65535. */
guint16 stria_builder_category (StriaBuilder *self, guint32 string);

/* Nests one thread's slices into up to three lanes; sets bodies, place and place_lane. With @keep_places
 * they are all in memory. @spill: where lanes go whose events were in a park */
void stria_nest_thread (StriaStagedThread *thread, const char *name, gboolean keep_places,
                        StriaSpill *spill);
/* A lane of @rows packed greedily: each event in the lowest row that is free at its start. */
StriaLaneBody *stria_nest_packed (StriaLaneKind kind, const char *name, const char *key,
                                  StriaStaged *staged, guint32 *order, gsize n, guint32 *place);
/* Instants, or samples of a counter, in one row by time. */
StriaLaneBody *stria_nest_instants (const char *name, const char *key, StriaStaged *staged,
                                    StriaSpill *spill);

/* Binds the flow events (formats: B1.6). Lanes and places must be there. */
void stria_flows_before_nesting (StriaBuilder *self, guint32 *slice_of_flow);
void stria_flows_bind (StriaBuilder *self, const guint32 *slice_of_flow, StriaBuilt *built);

G_END_DECLS
