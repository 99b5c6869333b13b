/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-columns.h"
#include "stria-lane.h"
#include "stria-park.h"

G_BEGIN_DECLS

/* Fan-out of the pyramid and block of the busy sums (measured: 16 builds fastest for what it adds
 * to a query). */
#define STRIA_FANOUT_BITS 4
#define STRIA_FANOUT (1u << STRIA_FANOUT_BITS)
#define STRIA_MAX_LEVELS 16

/* What stands over the columns of a lane. Slices and instants: the longest event of each group and
 * busy sums. Counters: least, greatest and integral of each group. */
typedef struct
{
  guint n_levels;
  guint64 level_size[STRIA_MAX_LEVELS];
  guint32 *longest[STRIA_MAX_LEVELS];
  gint64 *longest_ns[STRIA_MAX_LEVELS]; /* its duration, beside the neighbours it is compared to */
  gint64 *busy; /* busy[k]: drawn nanoseconds of events [0, k * 16) */
  gint64 *block_start; /* start of event k * 16: small enough to search in the processor's cache */
  guint16 *clipped; /* a bit an event, set if it is drawn shorter than it lasts (few are) */
  double *min[STRIA_MAX_LEVELS];
  double *max[STRIA_MAX_LEVELS];
  double *integral[STRIA_MAX_LEVELS]; /* value times nanoseconds until the next sample */
} StriaPyramid;

typedef gboolean (*StriaLaneLoader) (gpointer user_data, guint64 first_id, StriaColumns *columns,
                                     GCancellable *cancellable, GError **error);

/* Shared by all shells of a lane. */
typedef struct
{
  gatomicrefcount refs;
  StriaLaneKind kind;
  char *name;
  char *key;
  char *unit;
  guint32 n_rows;
  guint64 n_events;
  guint64 *row_begin; /* n_rows + 1 */
  gint64 start_ns;
  gint64 end_ns;
  double min_value;
  double max_value;

  GMutex mutex; /* loading */
  gint loaded;  /* atomic */
  StriaColumns columns;
  StriaPyramid pyramid;
  struct _StriaLaneSums *sums; /* atomic; stria-lane-sums.h: made when a selection asks for them */

  StriaPark *park; /* where the columns are until they are loaded, or NULL */
  StriaLaneLoader loader;
  gpointer loader_data;
  GDestroyNotify loader_destroy;
} StriaLaneBody;

/* A lane as one trace numbers it: the body and its place. */
struct _StriaLane
{
  gatomicrefcount refs;
  StriaLaneBody *body;
  guint32 process;
  guint32 artifact;
  guint64 first_id;
};

StriaLaneBody *stria_lane_body_new (StriaLaneKind kind, const char *name, const char *key);
StriaLaneBody *stria_lane_body_ref (StriaLaneBody *body);
void stria_lane_body_unref (StriaLaneBody *body);
/* The columns are in place: finds the range and builds the pyramid. */
void stria_lane_body_finish (StriaLaneBody *body);
/* stria-lane-pyramid.c: over columns that are in place */
void stria_lane_body_build_pyramid (StriaLaneBody *body);
void stria_pyramid_clear (StriaPyramid *pyramid);
/* Not loaded: the columns stay in @park until somebody asks. Rows and their sizes are in place. */
void stria_lane_body_set_park (StriaLaneBody *body, StriaPark *park);
/* Moves the columns to a spill. They are in memory, and nobody else has seen them there. */
void stria_lane_body_park (StriaLaneBody *body, StriaSpill *spill);
StriaLane *stria_lane_new (StriaLaneBody *body, guint32 process, guint32 artifact,
                           guint64 first_id);

/* Longest event of [i, j), which must not be empty. */
guint32 stria_lane_longest (const StriaLaneBody *body, guint64 i, guint64 j);
/* Sum of drawn durations of events [i, j), all of one row. */
gint64 stria_lane_drawn_sum (const StriaLaneBody *body, guint64 i, guint64 j);
void stria_lane_value_stats (const StriaLaneBody *body, guint64 i, guint64 j, double *min,
                             double *max, double *integral);

static inline gint64
stria_lane_body_drawn_end (const StriaLaneBody *body, guint64 row_end, guint64 i)
{
  const StriaColumns *c = &body->columns;
  gint64 end = c->start[i] + (c->dur != NULL ? c->dur[i] : 0);

  /* Neighbours and parents lie elsewhere in memory: ask them only where it matters. */
  if (body->pyramid.clipped != NULL
      && (body->pyramid.clipped[i >> STRIA_FANOUT_BITS] >> (i & (STRIA_FANOUT - 1)) & 1) == 0)
    return end;
  if (i + 1 < row_end && c->start[i + 1] < end)
    end = c->start[i + 1];
  if (c->parent != NULL && c->parent[i] != G_MAXUINT32)
    {
      gint64 parent_end = c->start[c->parent[i]] + c->dur[c->parent[i]];
      end = MIN (end, MAX (parent_end, c->start[i]));
    }
  return end;
}

G_END_DECLS
